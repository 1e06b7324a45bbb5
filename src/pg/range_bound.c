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
#include "pg/scru160.h"
#include "pg/uuid.h"

static inline FlakeInstant
getarg_instant(FunctionCallInfo fcinfo, int n)
{
	return flakeid_instant_from_timestamptz(PG_GETARG_TIMESTAMPTZ(n));
}

/*
 * uuid_v6_bound(ts timestamptz) -> uuid, uuid_v7_bound(ts timestamptz) -> uuid,
 * scru160_bound(ts timestamptz) -> scru160
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

PG_FUNCTION_INFO_V1(flakeid_scru160_bound);
Datum
flakeid_scru160_bound(PG_FUNCTION_ARGS)
{
	return flakeid_scru160_datum(flake_scru160_first(getarg_instant(fcinfo, 0)));
}

/* The same for a 64-bit format. */
Datum
flakeid_flake_bound(FlakeFormat format, TimestampTz ts, int64 epoch_ms)
{
	PG_RETURN_INT64(flake_id_first(&flake_layouts[format],
								   flakeid_instant_from_timestamptz(ts),
								   epoch_ms));
}
