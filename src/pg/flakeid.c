/*
 * flakeid.c
 *		Module initialization: magic block, settings and the planner's hook.
 *
 * src/format has the id formats in plain C; src/pg connects them to the
 * server.  Dependencies go one way:
 *
 *		sql_* -> generate -> horizon -> {state, clock, entropy, settings} -> format
 *
 * The first two also use error.  Planner support for time ranges
 * (range_* except range_bound) depends only on format.
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
