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
#include "format/scru160_next.h"
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
 * scru160_generate_us().  Clock beyond the field: 22008.
 */
PG_FUNCTION_INFO_V1(flakeid_scru160_generate);
Datum
flakeid_scru160_generate(PG_FUNCTION_ARGS)
{
	return generate(FLAKE_SCRU160_PLAIN);
}

/*
 * scru160_generate_us() -> scru160
 *
 * The same, with the microsecond in the 10 high bits of the counter.
 */
PG_FUNCTION_INFO_V1(flakeid_scru160_generate_us);
Datum
flakeid_scru160_generate_us(PG_FUNCTION_ARGS)
{
	return generate(FLAKE_SCRU160_US);
}

/*
 * scru160_to_hex(id scru160) -> text
 *
 * 40 digits, lower case.
 */
PG_FUNCTION_INFO_V1(flakeid_scru160_to_hex);
Datum
flakeid_scru160_to_hex(PG_FUNCTION_ARGS)
{
	char		digits[FLAKE_SCRU160_HEX_DIGITS];

	flake_scru160_encode_hex(flakeid_getarg_scru160_bytes(fcinfo, 0), digits);
	PG_RETURN_TEXT_P(cstring_to_text_with_len(digits, sizeof(digits)));
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

/*
 * scru160_us_to_timestamptz(id scru160) -> timestamptz
 *
 * For an id with the microsecond in its counter.  Above 999: 22023.
 */
PG_FUNCTION_INFO_V1(flakeid_scru160_us_to_timestamptz);
Datum
flakeid_scru160_us_to_timestamptz(PG_FUNCTION_ARGS)
{
	FlakeScru160 id = flakeid_getarg_scru160(fcinfo, 0);
	int64		unix_us;

	flakeid_check_scru160_us(flake_scru160_us_unix_us(id, &unix_us), id);
	PG_RETURN_TIMESTAMPTZ(flakeid_timestamptz_from_unix_us(unix_us));
}

/*
 * scru160_get_random16(id scru160) -> integer
 *
 * 0 .. 65535.
 */
PG_FUNCTION_INFO_V1(flakeid_scru160_get_random16);
Datum
flakeid_scru160_get_random16(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT32(flake_scru160_random16(flakeid_getarg_scru160(fcinfo, 0)));
}

/*
 * scru160_get_random80(id scru160) -> bytea
 *
 * The last 10 bytes.
 */
PG_FUNCTION_INFO_V1(flakeid_scru160_get_random80);
Datum
flakeid_scru160_get_random80(PG_FUNCTION_ARGS)
{
	const unsigned char *bytes = flakeid_getarg_scru160_bytes(fcinfo, 0);
	const char *random80 = (const char *) flake_scru160_random80(bytes);

	PG_RETURN_BYTEA_P((bytea *) cstring_to_text_with_len(random80,
														 FLAKE_SCRU160_RANDOM80_BYTES));
}

/* Raise 22023 unless the random part has the correct size. */
static void
check_random(bytea *random)
{
	if (VARSIZE_ANY_EXHDR(random) != FLAKE_SCRU160_RANDOM_BYTES)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("invalid input length for the random part: %d bytes",
						(int) VARSIZE_ANY_EXHDR(random)),
				 errdetail("The random part must be %d bytes long.", FLAKE_SCRU160_RANDOM_BYTES)));
}

/*
 * scru160_from_parts(ts timestamptz, counter integer, random bytea)
 * -> scru160
 *
 * ts is truncated to the millisecond; counter has 16 bits, random 12 bytes,
 * else 22023.  Outside 1970 .. 10889-08-02, or in the first or last
 * millisecond of that range, which are reserved: 22008.
 */
PG_FUNCTION_INFO_V1(flakeid_scru160_from_parts);
Datum
flakeid_scru160_from_parts(PG_FUNCTION_ARGS)
{
	TimestampTz ts = PG_GETARG_TIMESTAMPTZ(0);
	int32		counter = PG_GETARG_INT32(1);
	bytea	   *random = PG_GETARG_BYTEA_PP(2);
	FlakeScru160 id;
	FlakeStatus status;

	flakeid_check_field(flake_check_field(counter, FLAKE_SCRU160_COUNTER_BITS),
						"counter", counter, FLAKE_SCRU160_COUNTER_BITS);
	check_random(random);
	status = flake_scru160_make(flakeid_instant_from_timestamptz(ts),
								(uint32) counter,
								(unsigned char *) VARDATA_ANY(random), &id);
	flakeid_check_instant(status, "SCRU160", &flake_scru160_made_field, ts);
	return flakeid_scru160_datum(id);
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
 * scru160_min(ts timestamptz) -> scru160, scru160_max(ts timestamptz)
 * -> scru160
 *
 * Smallest and largest id of the millisecond of ts, including reserved ones.
 * Outside the field: 22008.
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

PG_FUNCTION_INFO_V1(flakeid_scru160_max);
Datum
flakeid_scru160_max(PG_FUNCTION_ARGS)
{
	TimestampTz ts = PG_GETARG_TIMESTAMPTZ(0);
	FlakeInstant instant = flakeid_instant_from_timestamptz(ts);
	FlakeScru160 id;

	flakeid_check_instant(flake_scru160_max(instant, &id), "SCRU160",
						  &flake_scru160_field, ts);
	return flakeid_scru160_datum(id);
}
