/*
 * flakeid.c
 *		The module itself: magic block and settings.
 *
 * src/format holds the id formats in plain C, src/pg what ties them to the
 * server.  The arrow goes one way:
 *
 *		sql_* -> sequence -> {state, clock, entropy, settings} -> format
 *
 * with error beside the first two.  What tells the planner of ranges of time
 * (range_*, scru160_estimate) needs format alone.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "fmgr.h"

#include "pg/settings.h"

FLAKEID_MODULE_MAGIC;

/*
 * Draw nothing random here: with shared_preload_libraries this runs in the
 * postmaster.
 */
void
_PG_init(void)
{
	flakeid_define_settings();
}
