/*
 * sql_scru160.c
 *		SQL functions that generate and read scru160.
 *
 * Both generators share the newest id, which is private to this process, so
 * they work during recovery too.  Nothing here blocks; a refused call leaves
 * the newest id unchanged.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "fmgr.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "format/flake.h"
#include "format/scru160.h"
#include "pg/clock.h"
#include "pg/entropy.h"
#include "pg/error.h"
#include "pg/sql_scru160.h"

static FlakeScru160State state;

static inline Datum
generate(FlakeScru160Usage usage)
{
	FlakeInstant now = flakeid_clock_now();
	FlakeScru160 id;
	FlakeRule	rule = flake_scru160_next(&state, usage, now,
										  flakeid_random64(),
										  flakeid_random64(), &id);

	flakeid_check_clock(rule, "SCRU160", &flake_scru160_made_field, now);
	return flakeid_scru160_datum(id);
}

/*
 * scru160_generate() -> scru160
 *
 * The clock in ms, a counter that starts at random in each millisecond, and 96
 * random bits; strictly increasing per process, also across
 * scru160_us_generate().  Clock beyond the field: 22008.
 */
PG_FUNCTION_INFO_V1(flakeid_scru160_generate);
Datum
flakeid_scru160_generate(PG_FUNCTION_ARGS)
{
	return generate(FLAKE_SCRU160_PLAIN);
}

/*
 * scru160_us_generate() -> scru160
 *
 * The same, with the microsecond in the 10 high bits of the counter.
 */
PG_FUNCTION_INFO_V1(flakeid_scru160_us_generate);
Datum
flakeid_scru160_us_generate(PG_FUNCTION_ARGS)
{
	return generate(FLAKE_SCRU160_US);
}

/*
 * scru160_to_timestamptz(id scru160) -> timestamptz
 *
 * To the millisecond.
 */
PG_FUNCTION_INFO_V1(flakeid_scru160_to_timestamptz);
Datum
flakeid_scru160_to_timestamptz(PG_FUNCTION_ARGS)
{
	int64		unix_us =
		flake_scru160_unix_us(flakeid_getarg_scru160(fcinfo, 0));

	PG_RETURN_TIMESTAMPTZ(flakeid_timestamptz_from_unix_us(unix_us));
}

/*
 * scru160_get_counter(id scru160) -> integer
 *
 * 0 .. 65535.
 */
PG_FUNCTION_INFO_V1(flakeid_scru160_get_counter);
Datum
flakeid_scru160_get_counter(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT32(flake_scru160_counter(flakeid_getarg_scru160(fcinfo, 0)));
}

/* Microseconds since 1970 of the argument; 22023 above 999 in its counter. */
static int64
getarg_unix_us(FunctionCallInfo fcinfo)
{
	FlakeScru160 id = flakeid_getarg_scru160(fcinfo, 0);
	int64		unix_us;

	flakeid_check_scru160_us(flake_scru160_us_unix_us(id, &unix_us), id);
	return unix_us;
}

/*
 * scru160_us_to_timestamptz(id scru160) -> timestamptz
 *
 * For an id with the microsecond in its counter.  Above 999: 22023.
 */
PG_FUNCTION_INFO_V1(flakeid_scru160_us_to_timestamptz);
Datum
flakeid_scru160_us_to_timestamptz(PG_FUNCTION_ARGS)
{
	PG_RETURN_TIMESTAMPTZ(flakeid_timestamptz_from_unix_us(getarg_unix_us(fcinfo)));
}

/*
 * scru160_get_timestamp(id scru160) -> bigint
 *
 * Milliseconds since 1970, 48 bits.
 */
PG_FUNCTION_INFO_V1(flakeid_scru160_get_timestamp);
Datum
flakeid_scru160_get_timestamp(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT64((int64) flake_scru160_unix_ms(flakeid_getarg_scru160(fcinfo, 0)));
}

/*
 * scru160_us_get_timestamp(id scru160) -> bigint
 *
 * Microseconds since 1970 of an id with the microsecond in its counter.  Above
 * 999: 22023.
 */
PG_FUNCTION_INFO_V1(flakeid_scru160_us_get_timestamp);
Datum
flakeid_scru160_us_get_timestamp(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT64(getarg_unix_us(fcinfo));
}

/*
 * scru160_get_random(id scru160) -> bytea
 *
 * The last 12 bytes.
 */
PG_FUNCTION_INFO_V1(flakeid_scru160_get_random);
Datum
flakeid_scru160_get_random(PG_FUNCTION_ARGS)
{
	const unsigned char *bytes = flakeid_getarg_scru160_bytes(fcinfo, 0);
	const char *random = (const char *) flake_scru160_random(bytes);

	PG_RETURN_BYTEA_P((bytea *) cstring_to_text_with_len(random,
														 FLAKE_SCRU160_RANDOM_BYTES));
}

/*
 * scru160_from_parts(ticks bigint, counter integer, random bytea) -> scru160
 *
 * What the readers return: 48 bits of milliseconds since 1970, 16 of counter,
 * 12 random bytes, else 22023.  Any such value is an id, also in a reserved
 * millisecond.
 */
PG_FUNCTION_INFO_V1(flakeid_scru160_from_parts);
Datum
flakeid_scru160_from_parts(PG_FUNCTION_ARGS)
{
	uint64		unix_ms = flakeid_check_timestamp(PG_GETARG_INT64(0),
												  flake_scru160_field.last_tick);
	int32		counter = PG_GETARG_INT32(1);
	bytea	   *random = PG_GETARG_BYTEA_PP(2);

	flakeid_check_field(flake_check_field(counter, FLAKE_SCRU160_COUNTER_BITS),
						"counter", counter, FLAKE_SCRU160_COUNTER_BITS);
	flakeid_check_bytes(random, "random part", 8 * FLAKE_SCRU160_RANDOM_BYTES);
	return flakeid_scru160_datum(flake_scru160_from_parts(unix_ms,
														  (uint32) counter,
														  (unsigned char *) VARDATA_ANY(random)));
}

static Datum
fill(FlakeScru160Usage usage, TimestampTz ts)
{
	FlakeInstant instant = flakeid_instant_from_timestamptz(ts);
	FlakeScru160 id;
	FlakeStatus status = flake_scru160_fill(usage, instant, flakeid_random64(),
											flakeid_random64(), &id);

	flakeid_check_instant(status, "SCRU160", &flake_scru160_made_field, ts);
	return flakeid_scru160_datum(id);
}

/*
 * scru160_from_timestamptz(ts timestamptz) -> scru160
 *
 * ts is truncated to the millisecond; all other bits are random.  Does not use
 * the state of the generators.  Outside the field, or in a reserved
 * millisecond: 22008.
 */
PG_FUNCTION_INFO_V1(flakeid_scru160_from_timestamptz);
Datum
flakeid_scru160_from_timestamptz(PG_FUNCTION_ARGS)
{
	return fill(FLAKE_SCRU160_PLAIN, PG_GETARG_TIMESTAMPTZ(0));
}

/*
 * scru160_us_from_timestamptz(ts timestamptz) -> scru160
 *
 * The same with the microsecond of ts in the counter's 10 high bits.
 */
PG_FUNCTION_INFO_V1(flakeid_scru160_us_from_timestamptz);
Datum
flakeid_scru160_us_from_timestamptz(PG_FUNCTION_ARGS)
{
	return fill(FLAKE_SCRU160_US, PG_GETARG_TIMESTAMPTZ(0));
}

/*
 * scru160_min(ts timestamptz) -> scru160
 *
 * Smallest id of the millisecond of ts, which may be a reserved one.  Outside
 * the field: 22008.
 */
PG_FUNCTION_INFO_V1(flakeid_scru160_min);
Datum
flakeid_scru160_min(PG_FUNCTION_ARGS)
{
	TimestampTz ts = PG_GETARG_TIMESTAMPTZ(0);
	FlakeInstant instant = flakeid_instant_from_timestamptz(ts);
	FlakeScru160 id;

	flakeid_check_instant(flake_scru160_min(instant, &id), "SCRU160",
						  &flake_scru160_field, ts);
	return flakeid_scru160_datum(id);
}
