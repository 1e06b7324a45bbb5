/*
 * sql_ulidflake.c
 *		SQL functions of Ulid-Flake, stand-alone and scalable; those that use
 *		only its time are in sql_snowflake.c.
 *
 * An id does not show its form, so each form has its own readers.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "fmgr.h"
#include "utils/timestamp.h"

#include "pg/entropy.h"
#include "pg/error.h"
#include "pg/generate.h"
#include "pg/settings.h"
#include "pg/flake_sql.h"

#define RANDOM_BITS \
	(flake_layouts[FLAKE_ULIDFLAKE].sequence_bits)
#define SCALABLE_RANDOM_BITS \
	(RANDOM_BITS - FLAKE_SCALABILITY_BITS)

/* Advance the shared word, which both forms use. */
static Datum
generate(unsigned fixed_bits, uint32 fixed)
{
	FlakeIncrement increment = flake_increment_random(fixed_bits, fixed,
													  (unsigned) flakeid_ulidflake_step_bits,
													  flakeid_random64());

	PG_RETURN_INT64(flakeid_generate_shared(FLAKE_ULIDFLAKE, &increment));
}

/*
 * ulidflake_generate() -> bigint
 *
 * Stand-alone: 20 random bits, which grow by a random step in the same
 * millisecond; strictly increasing across the server.  Errors as
 * fluid_generate().
 */
PG_FUNCTION_INFO_V1(flakeid_ulidflake_generate);
Datum
flakeid_ulidflake_generate(PG_FUNCTION_ARGS)
{
	flakeid_attach(FLAKE_ULIDFLAKE);
	return generate(0, 0);
}

/*
 * ulidflake_scalable_generate() -> bigint
 *
 * Scalable: 15 random bits, which grow in the same way, then the server's 5
 * bits.
 */
PG_FUNCTION_INFO_V1(flakeid_ulidflake_scalable_generate);
Datum
flakeid_ulidflake_scalable_generate(PG_FUNCTION_ARGS)
{
	flakeid_attach(FLAKE_ULIDFLAKE);
	return generate(FLAKE_SCALABILITY_BITS,
					flakeid_config()->scalability);
}

/*
 * ulidflake_get_random(id bigint) -> integer
 *
 * Stand-alone: 20 bits.  Negative: 22003.
 */
PG_FUNCTION_INFO_V1(flakeid_ulidflake_get_random);
Datum
flakeid_ulidflake_get_random(PG_FUNCTION_ARGS)
{
	uint64		id = flakeid_getarg_id(fcinfo, FLAKE_ULIDFLAKE);

	PG_RETURN_INT32((int32) flake_id_sequence(&flake_layouts[FLAKE_ULIDFLAKE],
											  id));
}

/*
 * ulidflake_scalable_get_random(id bigint) -> integer
 *
 * Scalable: 15 bits.  Negative: 22003.
 */
PG_FUNCTION_INFO_V1(flakeid_ulidflake_scalable_get_random);
Datum
flakeid_ulidflake_scalable_get_random(PG_FUNCTION_ARGS)
{
	uint64		id = flakeid_getarg_id(fcinfo, FLAKE_ULIDFLAKE);

	PG_RETURN_INT32((int32) flake_ulid_random15(id));
}

/*
 * ulidflake_scalable_get_scalability(id bigint) -> integer
 *
 * Scalable: 5 bits.  Negative: 22003.
 */
PG_FUNCTION_INFO_V1(flakeid_ulidflake_scalable_get_scalability);
Datum
flakeid_ulidflake_scalable_get_scalability(PG_FUNCTION_ARGS)
{
	uint64		id = flakeid_getarg_id(fcinfo, FLAKE_ULIDFLAKE);

	PG_RETURN_INT32((int32) flake_ulid_scalability(id));
}

/*
 * ulidflake_from_parts(ticks bigint, random integer) -> bigint
 *
 * Stand-alone: the milliseconds that ulidflake_get_timestamp() returns, 43
 * bits, and 20 random bits, else 22023.
 */
PG_FUNCTION_INFO_V1(flakeid_ulidflake_from_parts);
Datum
flakeid_ulidflake_from_parts(PG_FUNCTION_ARGS)
{
	uint64		ms = flakeid_getarg_ms(fcinfo, FLAKE_ULIDFLAKE);
	int32		random = PG_GETARG_INT32(1);

	flakeid_check_field(flake_check_field(random, RANDOM_BITS), "randomness",
						random, RANDOM_BITS);
	PG_RETURN_INT64((int64) flake_id_pack(&flake_layouts[FLAKE_ULIDFLAKE], ms, 0,
										  (uint32) random));
}

/*
 * ulidflake_scalable_from_parts(ticks bigint, random integer,
 *								 scalability integer) -> bigint
 *
 * Scalable: 43 bits of milliseconds, 15 random bits and 5 of scalability, else
 * 22023.
 */
PG_FUNCTION_INFO_V1(flakeid_ulidflake_scalable_from_parts);
Datum
flakeid_ulidflake_scalable_from_parts(PG_FUNCTION_ARGS)
{
	uint64		ms = flakeid_getarg_ms(fcinfo, FLAKE_ULIDFLAKE);
	int32		random = PG_GETARG_INT32(1);
	int32		scalability = PG_GETARG_INT32(2);

	flakeid_check_field(flake_check_field(random, SCALABLE_RANDOM_BITS),
						"randomness", random, SCALABLE_RANDOM_BITS);
	flakeid_check_field(flake_check_field(scalability, FLAKE_SCALABILITY_BITS),
						"scalability", scalability, FLAKE_SCALABILITY_BITS);
	PG_RETURN_INT64((int64) flake_id_pack(&flake_layouts[FLAKE_ULIDFLAKE], ms, 0,
										  flake_ulid_low((uint32) random,
														 (uint32) scalability)));
}

/* Id of a time, with fixed in the lowest bits and random bits above them. */
static Datum
make_random(TimestampTz ts, int64 epoch_ms, unsigned fixed_bits, uint32 fixed)
{
	uint64		ms = flakeid_flake_ms(FLAKE_ULIDFLAKE, ts, epoch_ms);
	uint32		random = flakeid_random32() >> (32 - RANDOM_BITS + fixed_bits);

	PG_RETURN_INT64((int64) flake_id_pack(&flake_layouts[FLAKE_ULIDFLAKE], ms, 0,
										  random << fixed_bits | fixed));
}

/*
 * ulidflake_from_timestamptz(ts timestamptz) -> bigint
 * ulidflake_from_timestamptz(ts timestamptz, epoch timestamptz) -> bigint
 *
 * Stand-alone: 20 random bits below the time, with the epoch in effect or the
 * given one.  Does not use the shared word, so its ids may duplicate others.
 * ts outside the field: 22008; epoch not in whole ms: 22023; settings: F0000.
 */
PG_FUNCTION_INFO_V1(flakeid_ulidflake_from_timestamptz);
Datum
flakeid_ulidflake_from_timestamptz(PG_FUNCTION_ARGS)
{
	return make_random(PG_GETARG_TIMESTAMPTZ(0),
					   flakeid_reader_epoch_ms(FLAKE_ULIDFLAKE), 0, 0);
}

PG_FUNCTION_INFO_V1(flakeid_ulidflake_from_timestamptz_epoch);
Datum
flakeid_ulidflake_from_timestamptz_epoch(PG_FUNCTION_ARGS)
{
	return make_random(PG_GETARG_TIMESTAMPTZ(0),
					   flakeid_epoch_argument_ms(PG_GETARG_TIMESTAMPTZ(1)), 0, 0);
}

/*
 * ulidflake_scalable_from_timestamptz(ts timestamptz) -> bigint
 * ulidflake_scalable_from_timestamptz(ts timestamptz, epoch timestamptz)
 * -> bigint
 *
 * Scalable: 15 random bits, then the server's 5 bits; otherwise the same.
 */
PG_FUNCTION_INFO_V1(flakeid_ulidflake_scalable_from_timestamptz);
Datum
flakeid_ulidflake_scalable_from_timestamptz(PG_FUNCTION_ARGS)
{
	return make_random(PG_GETARG_TIMESTAMPTZ(0),
					   flakeid_reader_epoch_ms(FLAKE_ULIDFLAKE),
					   FLAKE_SCALABILITY_BITS,
					   flakeid_reader_config()->scalability);
}

PG_FUNCTION_INFO_V1(flakeid_ulidflake_scalable_from_timestamptz_epoch);
Datum
flakeid_ulidflake_scalable_from_timestamptz_epoch(PG_FUNCTION_ARGS)
{
	return make_random(PG_GETARG_TIMESTAMPTZ(0),
					   flakeid_epoch_argument_ms(PG_GETARG_TIMESTAMPTZ(1)),
					   FLAKE_SCALABILITY_BITS,
					   flakeid_reader_config()->scalability);
}
