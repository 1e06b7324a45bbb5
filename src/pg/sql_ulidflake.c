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
 * ulidflake_generate_scalable() -> bigint
 *
 * Scalable: 15 random bits, which grow in the same way, then the server's 5
 * bits.
 */
PG_FUNCTION_INFO_V1(flakeid_ulidflake_generate_scalable);
Datum
flakeid_ulidflake_generate_scalable(PG_FUNCTION_ARGS)
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
 * ulidflake_get_scalability(id bigint) -> integer
 *
 * Scalable: 5 bits.  Negative: 22003.
 */
PG_FUNCTION_INFO_V1(flakeid_ulidflake_get_scalability);
Datum
flakeid_ulidflake_get_scalability(PG_FUNCTION_ARGS)
{
	uint64		id = flakeid_getarg_id(fcinfo, FLAKE_ULIDFLAKE);

	PG_RETURN_INT32((int32) flake_ulid_scalability(id));
}

/* ts outside the field: 22008; random outside 20 bits: 22023. */
static Datum
make(FunctionCallInfo fcinfo, int64 epoch_ms)
{
	const FlakeLayout *layout = &flake_layouts[FLAKE_ULIDFLAKE];
	int32		random = PG_GETARG_INT32(1);
	uint64		ms = flakeid_flake_ms(FLAKE_ULIDFLAKE,
									  PG_GETARG_TIMESTAMPTZ(0), epoch_ms);

	flakeid_check_field(flake_check_field(random, RANDOM_BITS), "randomness",
						random, RANDOM_BITS);
	PG_RETURN_INT64((int64) flake_id_pack(layout, ms, 0, (uint32) random));
}

/*
 * ulidflake_from_parts(ts timestamptz, random integer) -> bigint
 * ulidflake_from_parts(..., epoch timestamptz) -> bigint
 *
 * Stand-alone.  ts outside the field: 22008; random outside 20 bits, epoch not
 * in whole ms: 22023.
 */
PG_FUNCTION_INFO_V1(flakeid_ulidflake_from_parts);
Datum
flakeid_ulidflake_from_parts(PG_FUNCTION_ARGS)
{
	return make(fcinfo, flakeid_reader_epoch_ms(FLAKE_ULIDFLAKE));
}

PG_FUNCTION_INFO_V1(flakeid_ulidflake_from_parts_epoch);
Datum
flakeid_ulidflake_from_parts_epoch(PG_FUNCTION_ARGS)
{
	return make(fcinfo, flakeid_epoch_argument_ms(PG_GETARG_TIMESTAMPTZ(2)));
}

/*
 * ts outside the field: 22008; random outside 15 bits, scalability outside 5:
 * 22023.
 */
static Datum
make_scalable(FunctionCallInfo fcinfo, int64 epoch_ms)
{
	const FlakeLayout *layout = &flake_layouts[FLAKE_ULIDFLAKE];
	int32		random = PG_GETARG_INT32(1);
	int32		scalability = PG_GETARG_INT32(2);
	uint64		ms = flakeid_flake_ms(FLAKE_ULIDFLAKE,
									  PG_GETARG_TIMESTAMPTZ(0), epoch_ms);

	flakeid_check_field(flake_check_field(random, SCALABLE_RANDOM_BITS),
						"randomness", random, SCALABLE_RANDOM_BITS);
	flakeid_check_field(flake_check_field(scalability, FLAKE_SCALABILITY_BITS),
						"scalability", scalability, FLAKE_SCALABILITY_BITS);
	PG_RETURN_INT64((int64) flake_id_pack(layout, ms, 0,
										  flake_ulid_low((uint32) random,
														 (uint32) scalability)));
}

/*
 * ulidflake_scalable_from_parts(ts timestamptz, random integer,
 *								 scalability integer) -> bigint
 * ulidflake_scalable_from_parts(..., epoch timestamptz) -> bigint
 *
 * Scalable.  ts outside the field: 22008; random outside 15 bits, scalability
 * outside 5, epoch not in whole ms: 22023.
 */
PG_FUNCTION_INFO_V1(flakeid_ulidflake_scalable_from_parts);
Datum
flakeid_ulidflake_scalable_from_parts(PG_FUNCTION_ARGS)
{
	return make_scalable(fcinfo, flakeid_reader_epoch_ms(FLAKE_ULIDFLAKE));
}

PG_FUNCTION_INFO_V1(flakeid_ulidflake_scalable_from_parts_epoch);
Datum
flakeid_ulidflake_scalable_from_parts_epoch(PG_FUNCTION_ARGS)
{
	return make_scalable(fcinfo,
						 flakeid_epoch_argument_ms(PG_GETARG_TIMESTAMPTZ(3)));
}

/* Id of a time, with fixed in the lowest bits and random bits above them. */
static Datum
make_random(TimestampTz ts, unsigned fixed_bits, uint32 fixed)
{
	const FlakeLayout *layout = &flake_layouts[FLAKE_ULIDFLAKE];
	uint64		ms = flakeid_flake_ms(FLAKE_ULIDFLAKE, ts,
									  flakeid_reader_epoch_ms(FLAKE_ULIDFLAKE));
	uint32		random = flakeid_random32() >> (32 - RANDOM_BITS + fixed_bits);

	PG_RETURN_INT64((int64) flake_id_pack(layout, ms, 0,
										  random << fixed_bits | fixed));
}

/*
 * ulidflake_from_timestamptz(ts timestamptz) -> bigint
 *
 * Stand-alone: 20 random bits below the time, with the epoch in effect.  Does
 * not use the shared word, so its ids may duplicate others.  ts outside the
 * field: 22008; settings: F0000.
 */
PG_FUNCTION_INFO_V1(flakeid_ulidflake_from_timestamptz);
Datum
flakeid_ulidflake_from_timestamptz(PG_FUNCTION_ARGS)
{
	return make_random(PG_GETARG_TIMESTAMPTZ(0), 0, 0);
}

/*
 * ulidflake_scalable_from_timestamptz(ts timestamptz) -> bigint
 *
 * Scalable: 15 random bits, then the server's 5 bits; otherwise the same.
 */
PG_FUNCTION_INFO_V1(flakeid_ulidflake_scalable_from_timestamptz);
Datum
flakeid_ulidflake_scalable_from_timestamptz(PG_FUNCTION_ARGS)
{
	return make_random(PG_GETARG_TIMESTAMPTZ(0), FLAKE_SCALABILITY_BITS,
					   flakeid_reader_config()->scalability);
}
