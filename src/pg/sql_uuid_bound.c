/*
 * sql_uuid_bound.c
 *		SQL functions for bounds of UUIDv7 and UUIDv8 of draft-peabody-dispatch-
 *		new-uuid-format-01.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "fmgr.h"
#include "utils/timestamp.h"

#include "format/range.h"
#include "pg/clock.h"
#include "pg/error.h"
#include "pg/sql_uuid.h"

static Datum
min(TimestampTz ts, const FlakeDraftLayout *layout)
{
	FlakeUuid	uuid;

	flakeid_check_instant(flake_draft_min(layout,
										  flakeid_instant_from_timestamptz(ts),
										  &uuid),
						  layout->name, &layout->field, ts);
	return flakeid_uuid_datum(uuid);
}

static Datum
first(TimestampTz ts, const FlakeDraftLayout *layout)
{
	return flakeid_uuid_datum(flake_draft_first(layout,
												flakeid_instant_from_timestamptz(ts)));
}

/*
 * uuid_v7_draft_min(ts timestamptz, unit text DEFAULT 'ms') -> uuid
 *
 * Smallest id of the millisecond (ms) or microsecond (us, ns) of ts.  Outside
 * 1970 .. 4147-08-20: 22008; another unit: 22023.
 */
PG_FUNCTION_INFO_V1(flakeid_uuid_v7_draft_min);
Datum
flakeid_uuid_v7_draft_min(PG_FUNCTION_ARGS)
{
	return min(PG_GETARG_TIMESTAMPTZ(0),
			   flakeid_v7_draft_layout(PG_GETARG_TEXT_PP(1)));
}

/*
 * uuid_v7_draft_bound(ts timestamptz, unit text DEFAULT 'ms') -> uuid
 *
 * Smallest id of the unit of ts, or later; accepts any ts.  Another unit:
 * 22023.  Not LEAKPROOF, since this error quotes an argument.  That only
 * matters for tables with row-level security if a bound is a column of another
 * table; all other bounds are still index conditions.
 */
PG_FUNCTION_INFO_V1(flakeid_uuid_v7_draft_bound);
Datum
flakeid_uuid_v7_draft_bound(PG_FUNCTION_ARGS)
{
	return first(PG_GETARG_TIMESTAMPTZ(0),
				 flakeid_v7_draft_layout(PG_GETARG_TEXT_PP(1)));
}

/*
 * uuid_v8_min(ts timestamptz, timestamp_bits integer DEFAULT 48) -> uuid
 *
 * Smallest id of the second (32), millisecond (48) or microsecond (60, 64) of
 * ts.  Outside the field: 22008; another width: 22023.
 */
PG_FUNCTION_INFO_V1(flakeid_uuid_v8_min);
Datum
flakeid_uuid_v8_min(PG_FUNCTION_ARGS)
{
	return min(PG_GETARG_TIMESTAMPTZ(0), flakeid_v8_layout(PG_GETARG_INT32(1)));
}

/*
 * uuid_v8_bound(ts timestamptz, timestamp_bits integer DEFAULT 48) -> uuid
 *
 * Smallest id of the tick of ts, or later; accepts any ts.  Another width:
 * 22023, so not LEAKPROOF, see uuid_v7_draft_bound().
 */
PG_FUNCTION_INFO_V1(flakeid_uuid_v8_bound);
Datum
flakeid_uuid_v8_bound(PG_FUNCTION_ARGS)
{
	return first(PG_GETARG_TIMESTAMPTZ(0),
				 flakeid_v8_layout(PG_GETARG_INT32(1)));
}
