/*
 * flake.c
 *		SQL functions of the 64-bit formats: FLUID and Nanoflake, which have a
 *		generator field, and Ulid-Flake, stand-alone and scalable.
 *
 * Functions that several formats have take the format; the macros below them
 * define the entry points.  A Ulid-Flake does not show its form, so each form
 * has its own readers.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/htup_details.h"
#include "access/xlog.h"
#include "fmgr.h"
#include "funcapi.h"
#include "utils/timestamp.h"

#include "format/range.h"
#include "pg/clock.h"
#include "pg/entropy.h"
#include "pg/error.h"
#include "pg/flake.h"
#include "pg/generate.h"
#include "pg/settings.h"

/* The id argument; raises 22003 if it is negative, except for FLUID. */
static uint64
getarg_id(FunctionCallInfo fcinfo, FlakeFormat format)
{
	return flakeid_check_id(format, PG_GETARG_INT64(0));
}

/* The epoch in effect; raises F0000 if one was set that is not. */
int64
flakeid_reader_epoch_ms(FlakeFormat format)
{
	if (!flake_layouts[format].epoch_is_setting)
		return flake_layouts[format].epoch_ms;
	return flakeid_reader_config()->epoch_ms[format];
}

/* An epoch argument; raises 22008 unless finite, 22023 unless whole ms. */
int64
flakeid_epoch_argument_ms(TimestampTz epoch)
{
	if (TIMESTAMP_NOT_FINITE(epoch))
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_FIELD_OVERFLOW),
				 errmsg("epoch \"%s\" is not finite",
						timestamptz_to_str(epoch))));
	if (epoch % 1000 != 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("epoch \"%s\" is not a whole number of milliseconds",
						timestamptz_to_str(epoch)),
				 errhint("Truncate it with date_trunc('milliseconds', ...).")));
	return epoch / 1000 + FLAKEID_PG_EPOCH_UNIX_US / 1000;
}

/* Start of the id's millisecond. */
Datum
flakeid_flake_to_timestamptz(FlakeFormat format, int64 id, int64 epoch_ms)
{
	const FlakeLayout *layout = &flake_layouts[format];
	TimestampTz ts;

	ts = flakeid_timestamptz_from_unix_ms(epoch_ms +
										  (int64) flake_id_ms(layout, flakeid_check_id(format, id)));
	if (TIMESTAMP_IS_NOEND(ts))
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_FIELD_OVERFLOW),
				 errmsg("timestamp of %s " INT64_FORMAT " is out of range",
						layout->name, id),
				 errdetail("Counted from this epoch, it is later than the last timestamp with time zone."),
				 errhint("Specify the epoch that the id was generated with.")));
	PG_RETURN_TIMESTAMPTZ(ts);
}

/* The first argument, a timestamp of the format; else 22023. */
uint64
flakeid_getarg_ms(FunctionCallInfo fcinfo, FlakeFormat format)
{
	return flakeid_check_timestamp(PG_GETARG_INT64(0),
								   flake_last_ms(&flake_layouts[format]));
}

/* Millisecond of ts; raises 22008 outside the time field. */
uint64
flakeid_flake_ms(FlakeFormat format, TimestampTz ts, int64 epoch_ms)
{
	const FlakeLayout *layout = &flake_layouts[format];
	uint64		ms = 0;

	flakeid_check_ms(flake_ms_of(layout, flakeid_instant_from_timestamptz(ts),
								 epoch_ms, &ms),
					 layout, epoch_ms, flake_last_ms(layout), ts);
	return ms;
}

/* Smallest id of the millisecond of ts, else 22008. */
Datum
flakeid_flake_min(FlakeFormat format, TimestampTz ts, int64 epoch_ms)
{
	const FlakeLayout *layout = &flake_layouts[format];
	uint64		id = 0;

	flakeid_check_ms(flake_id_min(layout, flakeid_instant_from_timestamptz(ts),
								  epoch_ms, &id),
					 layout, epoch_ms, layout->last_generated_ms, ts);
	PG_RETURN_INT64((int64) id);
}

#define RANDOM_BITS \
	(flake_layouts[FLAKE_ULIDFLAKE].sequence_bits)
#define SCALABLE_RANDOM_BITS \
	(RANDOM_BITS - FLAKE_SCALABILITY_BITS)

/* Advance the shared word, which both forms use. */
static Datum
generate_ulidflake(unsigned fixed_bits, uint32 fixed)
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
	return generate_ulidflake(0, 0);
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
	return generate_ulidflake(FLAKE_SCALABILITY_BITS,
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
	uint64		id = getarg_id(fcinfo, FLAKE_ULIDFLAKE);

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
	uint64		id = getarg_id(fcinfo, FLAKE_ULIDFLAKE);

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
	uint64		id = getarg_id(fcinfo, FLAKE_ULIDFLAKE);

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

/*
 * <f>_generate() -> bigint
 *
 * Clock before the epoch or beyond the field: 22008; no id available within
 * flakeid.max_wait: 55000; during recovery: 25006; settings: F0000.
 * doc/internals/design.md, sections 2 to 5.
 */
static pg_attribute_always_inline Datum
generate(PG_FUNCTION_ARGS, FlakeFormat format)
{
	PG_RETURN_INT64(flakeid_generate(format));
}

/*
 * <f>_to_timestamptz(id bigint) -> timestamptz
 * <f>_to_timestamptz(id bigint, epoch timestamptz) -> timestamptz
 *
 * Start of the id's millisecond, with the epoch in effect or the given one.
 * Negative, except for FLUID: 22003; epoch not in whole ms: 22023.
 */
static Datum
to_timestamptz(PG_FUNCTION_ARGS, FlakeFormat format)
{
	return flakeid_flake_to_timestamptz(format, PG_GETARG_INT64(0),
										flakeid_reader_epoch_ms(format));
}

static Datum
to_timestamptz_epoch(PG_FUNCTION_ARGS, FlakeFormat format)
{
	return flakeid_flake_to_timestamptz(format, PG_GETARG_INT64(0),
										flakeid_epoch_argument_ms(PG_GETARG_TIMESTAMPTZ(1)));
}

/*
 * <f>_get_generator(id bigint) -> integer
 *
 * FLUID 0 .. 16383, Nanoflake 0 .. 1023.  Negative Nanoflake: 22003.
 */
static Datum
get_generator(PG_FUNCTION_ARGS, FlakeFormat format)
{
	PG_RETURN_INT32((int32) flake_id_generator(&flake_layouts[format],
											   getarg_id(fcinfo, format)));
}

/*
 * <f>_get_sequence(id bigint) -> integer
 *
 * FLUID 0 .. 1023, Nanoflake 0 .. 4095.  Negative Nanoflake: 22003.
 */
static Datum
get_sequence(PG_FUNCTION_ARGS, FlakeFormat format)
{
	PG_RETURN_INT32((int32) flake_id_sequence(&flake_layouts[format],
											  getarg_id(fcinfo, format)));
}

/*
 * <f>_get_address(id bigint, OUT node integer, OUT slot integer,
 *				   OUT lane integer) -> record
 *
 * Splits the generator number by the address in effect; slot is NULL in server
 * scope.  Negative Nanoflake: 22003; settings: F0000.
 */
static Datum
get_address(PG_FUNCTION_ARGS, FlakeFormat format)
{
	const FlakeLayout *layout = &flake_layouts[format];
	uint32		generator = flake_id_generator(layout,
											   getarg_id(fcinfo, format));
	const FlakeAddress *address = &flakeid_reader_config()->address;
	FlakeAddressParts parts = {0};
	TupleDesc	tupdesc;
	Datum		values[3];
	bool		nulls[3] = {false, address->server_scope != 0, false};

	if (get_call_result_type(fcinfo, NULL, &tupdesc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	flakeid_check_range(flake_address_split(layout, address, generator,
											&parts),
						layout, address);
	values[0] = Int32GetDatum((int32) parts.node);
	values[1] = Int32GetDatum((int32) parts.slot);
	values[2] = Int32GetDatum((int32) parts.lane);
	return HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(tupdesc), values,
											 nulls));
}

/*
 * <f>_get_timestamp(id bigint) -> bigint
 *
 * Milliseconds since the epoch that the id was generated with.  Negative,
 * except for FLUID: 22003.
 */
static Datum
get_timestamp(PG_FUNCTION_ARGS, FlakeFormat format)
{
	PG_RETURN_INT64((int64) flake_id_ms(&flake_layouts[format],
										getarg_id(fcinfo, format)));
}

/*
 * <f>_from_parts(ticks bigint, generator integer, sequence integer) -> bigint
 *
 * Id with these fields, as <f>_get_timestamp() and the other readers return
 * them; outside their bits: 22023.
 */
static Datum
from_parts(PG_FUNCTION_ARGS, FlakeFormat format)
{
	const FlakeLayout *layout = &flake_layouts[format];
	uint64		ms = flakeid_getarg_ms(fcinfo, format);
	int32		generator = PG_GETARG_INT32(1);
	int32		sequence = PG_GETARG_INT32(2);

	flakeid_check_field(flake_check_field(generator, layout->generator_bits),
						"generator", generator, layout->generator_bits);
	flakeid_check_field(flake_check_field(sequence, layout->sequence_bits),
						"sequence", sequence, layout->sequence_bits);
	PG_RETURN_INT64((int64) flake_id_pack(layout, ms, (uint32) generator,
										  (uint32) sequence));
}

/*
 * <f>_min(ts timestamptz) -> bigint
 * <f>_min(ts timestamptz, epoch timestamptz) -> bigint
 *
 * Smallest id of the millisecond of ts.  Outside the range of the generator
 * (FLUID from 2^39 ms on): 22008.
 */
static Datum
min(PG_FUNCTION_ARGS, FlakeFormat format)
{
	return flakeid_flake_min(format, PG_GETARG_TIMESTAMPTZ(0),
							 flakeid_reader_epoch_ms(format));
}

static Datum
min_epoch(PG_FUNCTION_ARGS, FlakeFormat format)
{
	return flakeid_flake_min(format, PG_GETARG_TIMESTAMPTZ(0),
							 flakeid_epoch_argument_ms(PG_GETARG_TIMESTAMPTZ(1)));
}

static Datum
first_from(FlakeFormat format, TimestampTz ts, int64 epoch_ms)
{
	PG_RETURN_INT64(flake_id_first(&flake_layouts[format],
								   flakeid_instant_from_timestamptz(ts),
								   epoch_ms));
}

/*
 * <f>_bound(ts timestamptz) -> bigint
 * <f>_bound(ts timestamptz, epoch timestamptz) -> bigint
 *
 * Smallest id of the millisecond of ts or later, so that the ids before ts are
 * less; accepts any ts.  Epoch infinite: 22008; not in whole ms: 22023.
 */
static Datum
bound(PG_FUNCTION_ARGS, FlakeFormat format)
{
	return first_from(format, PG_GETARG_TIMESTAMPTZ(0),
					  flakeid_reader_epoch_ms(format));
}

static Datum
bound_epoch(PG_FUNCTION_ARGS, FlakeFormat format)
{
	return first_from(format, PG_GETARG_TIMESTAMPTZ(0),
					  flakeid_epoch_argument_ms(PG_GETARG_TIMESTAMPTZ(1)));
}

/*
 * <f>_explain(id bigint) -> TABLE
 * <f>_explain(id bigint, epoch timestamptz) -> TABLE
 *
 * With the epoch in effect or the given one.  Negative, except for FLUID:
 * 22003; settings: F0000.
 */
static Datum
explain(PG_FUNCTION_ARGS, FlakeFormat format)
{
	return flakeid_explain_flake(fcinfo, format,
								 flakeid_reader_epoch_ms(format));
}

static Datum
explain_epoch(PG_FUNCTION_ARGS, FlakeFormat format)
{
	return flakeid_explain_flake(fcinfo, format,
								 flakeid_epoch_argument_ms(PG_GETARG_TIMESTAMPTZ(1)));
}

#define ENTRY(name, function, format) \
	PG_FUNCTION_INFO_V1(flakeid_##name); \
	Datum \
	flakeid_##name(PG_FUNCTION_ARGS) \
	{ \
		return function(fcinfo, format); \
	} \
	extern int	no_such_variable

#define TIME_ENTRIES(prefix, format) \
	ENTRY(prefix##_to_timestamptz, to_timestamptz, format); \
	ENTRY(prefix##_to_timestamptz_epoch, to_timestamptz_epoch, format); \
	ENTRY(prefix##_get_timestamp, get_timestamp, format); \
	ENTRY(prefix##_explain, explain, format); \
	ENTRY(prefix##_explain_epoch, explain_epoch, format); \
	ENTRY(prefix##_min, min, format); \
	ENTRY(prefix##_min_epoch, min_epoch, format); \
	ENTRY(prefix##_bound, bound, format); \
	ENTRY(prefix##_bound_epoch, bound_epoch, format)

#define ENTRIES(prefix, format) \
	TIME_ENTRIES(prefix, format); \
	ENTRY(prefix##_generate, generate, format); \
	ENTRY(prefix##_get_generator, get_generator, format); \
	ENTRY(prefix##_get_sequence, get_sequence, format); \
	ENTRY(prefix##_get_address, get_address, format); \
	ENTRY(prefix##_from_parts, from_parts, format)

TIME_ENTRIES(ulidflake, FLAKE_ULIDFLAKE);
ENTRIES(fluid, FLAKE_FLUID);
ENTRIES(nanoflake, FLAKE_NANOFLAKE);
