/*
 * range_bound.c
 *		SQL functions for the bounds of a time range.
 *
 * They accept any ts, including infinities, so they are LEAKPROOF, and the
 * _between functions that call them never raise.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "fmgr.h"
#include "utils/timestamp.h"

#include "format/range.h"
#include "pg/clock.h"
#include "pg/range.h"
#include "pg/sql_scru160.h"
#include "pg/sql_uuid.h"

static inline FlakeInstant
getarg_instant(FunctionCallInfo fcinfo, int n)
{
	return flakeid_instant_from_timestamptz(PG_GETARG_TIMESTAMPTZ(n));
}

/*
 * uuid_v6_bound(ts timestamptz) -> uuid, uuid_v7_bound(ts timestamptz) -> uuid
 *
 * Smallest id of the microsecond or millisecond of ts, or later.
 */
PG_FUNCTION_INFO_V1(flakeid_uuid_v6_bound);
Datum
flakeid_uuid_v6_bound(PG_FUNCTION_ARGS)
{
	return flakeid_uuid_datum(flake_uuid_v6_first(getarg_instant(fcinfo, 0)));
}

PG_FUNCTION_INFO_V1(flakeid_uuid_v7_bound);
Datum
flakeid_uuid_v7_bound(PG_FUNCTION_ARGS)
{
	return flakeid_uuid_datum(flake_uuid_v7_first(getarg_instant(fcinfo, 0)));
}

/* Largest bigint before the ids of the millisecond of ts and later ones. */
Datum
flakeid_flake_bound(FlakeFormat format, TimestampTz ts, int64 epoch_ms)
{
	PG_RETURN_INT64(flake_id_before(&flake_layouts[format],
									flakeid_instant_from_timestamptz(ts),
									epoch_ms));
}

/*
 * scru160_bound(from_ts timestamptz, to_ts timestamptz, is_upper boolean)
 * -> scru160
 *
 * Smallest or, if is_upper, largest id of the range; if the range is empty, the
 * largest and smallest id of the type, so that no id lies between.
 */
PG_FUNCTION_INFO_V1(flakeid_scru160_bound);
Datum
flakeid_scru160_bound(PG_FUNCTION_ARGS)
{
	FlakeScru160Range range = flake_scru160_range(getarg_instant(fcinfo, 0),
												  getarg_instant(fcinfo, 1));

	return flakeid_scru160_datum(PG_GETARG_BOOL(2) ? range.last : range.first);
}
