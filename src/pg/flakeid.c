/*
 * flakeid.c
 *		The module.
 *
 * src/format has the id formats in plain C; src/pg connects them to the
 * server.  doc/internals/design.md, section 10, has a map.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "fmgr.h"
#include "miscadmin.h"

#include "pg/range.h"
#include "pg/settings.h"
#include "pg/state.h"

FLAKEID_MODULE_MAGIC;

/*
 * Draw nothing random here: with shared_preload_libraries this runs in the
 * postmaster.
 */
void
_PG_init(void)
{
	flakeid_define_settings();
	if (process_shared_preload_libraries_in_progress)
		flakeid_state_init();
	flakeid_install_range_stats();
}
