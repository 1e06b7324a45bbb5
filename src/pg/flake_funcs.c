/*
 * flake_funcs.c
 *		SQL functions of the 64-bit formats: FLUID and Nanoflake, which have a
 *		generator field, and Ulid-Flake, stand-alone and scalable.
 *
 * Each function takes the format; the entry points are at the end.  Where the
 * epoch matters, one C function serves two SQL functions: with the epoch in
 * effect, else F0000, and with that of the second argument, else 22008 or
 * 22023.  Readers of all formats but FLUID report a negative id as 22003.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "funcapi.h"

#include "pg/entropy.h"
#include "pg/explain_funcs.h"
#include "pg/generate.h"
#include "pg/settings.h"
#include "pg/sql.h"

static uint64
getarg_id(FunctionCallInfo fcinfo, FlakeFormat format)
{
	return flakeid_check_id(format, PG_GETARG_INT64(0));
}

/* The first argument, ticks of the format; else 22023. */
static uint64
getarg_ms(FunctionCallInfo fcinfo, FlakeFormat format)
{
	return flakeid_check_field(PG_GETARG_INT64(0), "ticks",
							   flake_last_ms(&flake_layouts[format]));
}

/*
 * ulidflake_generate() -> bigint
 * ulidflake_scalable_generate() -> bigint
 *
 * 20 random bits, or 15 and the server's 5, which are fixed; they grow by a
 * random step in the same millisecond, and across the server.  Both forms
 * advance the same shared word.  Errors as those of <f>_generate().
 */
static pg_attribute_always_inline Datum
generate_ulidflake(unsigned fixed_bits)
{
	FlakeidGenerator *generator = flakeid_attach(FLAKE_ULIDFLAKE);
	const unsigned step_bits = (unsigned) flakeid_ulidflake_step_bits;
	uint64		fixed = 0;
	FlakeIncrement increment;

	if (fixed_bits > 0)
		fixed = flakeid_config()->scalability;
	increment = flake_increment_random(fixed_bits, fixed, step_bits,
									   flakeid_random64());

	PG_RETURN_INT64(flakeid_generate_slow(generator, &increment));
}

/*
 * <f>_to_timestamptz(id bigint [, epoch timestamptz]) -> timestamptz
 *
 * Start of the id's millisecond.
 */
static Datum
flake_to_timestamptz(PG_FUNCTION_ARGS, FlakeFormat format)
{
	const FlakeLayout *layout = &flake_layouts[format];
	int64		epoch_ms = flakeid_getarg_epoch_ms(fcinfo, format);
	uint64		id = getarg_id(fcinfo, format);
	int64		unix_ms = epoch_ms + (int64) flake_id_ms(layout, id);
	TimestampTz ts = flakeid_timestamptz_from_unix_ms(unix_ms);

	if (TIMESTAMP_IS_NOEND(ts))
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_FIELD_OVERFLOW),
				 errmsg("timestamp of %s " INT64_FORMAT " is out of range",
						layout->name, (int64) id),
				 errdetail("Counted from this epoch, it is later than the last timestamp with time zone."),
				 errhint("Specify the epoch that the id was generated with.")));
	PG_RETURN_TIMESTAMPTZ(ts);
}

/*
 * <f>_get_ticks(id bigint) -> bigint: ms since the epoch of the id
 * <f>_get_generator(id bigint) -> integer: FLUID 14 bits, Nanoflake 10
 * <f>_get_sequence(id bigint) -> integer: FLUID 10 bits, Nanoflake 12
 * ulidflake_get_random(id bigint) -> integer: 20 bits
 */
static Datum
flake_get_ticks(PG_FUNCTION_ARGS, FlakeFormat format)
{
	uint64		id = getarg_id(fcinfo, format);

	PG_RETURN_INT64((int64) flake_id_ms(&flake_layouts[format], id));
}

static Datum
flake_get_generator(PG_FUNCTION_ARGS, FlakeFormat format)
{
	uint64		id = getarg_id(fcinfo, format);

	PG_RETURN_INT32((int32) flake_id_generator(&flake_layouts[format], id));
}

static Datum
flake_get_sequence(PG_FUNCTION_ARGS, FlakeFormat format)
{
	uint64		id = getarg_id(fcinfo, format);

	PG_RETURN_INT32((int32) flake_id_sequence(&flake_layouts[format], id));
}

/*
 * <f>_get_address(id bigint) -> flakeid_address_row
 *
 * Splits the generator number by the address in effect; slot is NULL in server
 * scope.  Settings: F0000.
 */
static Datum
flake_get_address(PG_FUNCTION_ARGS, FlakeFormat format)
{
	const FlakeLayout *layout = &flake_layouts[format];
	uint64		id = getarg_id(fcinfo, format);
	uint32		generator = flake_id_generator(layout, id);
	const FlakeAddress *address = &flakeid_reader_config()->address;
	FlakeAddressParts parts = {0};
	TupleDesc	tupdesc;
	HeapTuple	tuple;
	FlakeStatus status;
	static const Oid types[3] = {INT4OID, INT4OID, INT4OID};
	Datum		values[3];
	bool		nulls[3] = {false, address->server_scope, false};

	if (get_call_result_type(fcinfo, NULL, &tupdesc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	status = flake_address_split(layout, address, generator, &parts);
	flakeid_check_address(status, layout, address);
	values[0] = Int32GetDatum((int32) parts.node);
	values[1] = Int32GetDatum((int32) parts.slot);
	values[2] = Int32GetDatum((int32) parts.lane);
	tuple = flakeid_form_row(BlessTupleDesc(tupdesc), types, 3, values, nulls);
	return HeapTupleGetDatum(tuple);
}

/*
 * <f>_from_parts(ticks bigint, generator integer, sequence integer) -> bigint
 *
 * Id with these fields, as the readers return them; outside their bits: 22023.
 */
static Datum
flake_from_parts(PG_FUNCTION_ARGS, FlakeFormat format)
{
	const FlakeLayout *layout = &flake_layouts[format];
	uint64		ms = getarg_ms(fcinfo, format);
	uint32		generator = flakeid_getarg_field(fcinfo, 1, "generator",
												 layout->generator_bits);
	uint32		sequence = flakeid_getarg_field(fcinfo, 2, "sequence",
												layout->sequence_bits);

	PG_RETURN_INT64((int64) flake_id_pack(layout, ms, generator, sequence));
}

/*
 * ulidflake_from_parts(ticks bigint, random integer) -> bigint
 * ulidflake_scalable_from_parts(ticks bigint, random integer,
 *								 scalability integer) -> bigint
 *
 * The same, with 20 random bits, or 15 and 5 of scalability.
 */
static Datum
ulidflake_from_parts(PG_FUNCTION_ARGS, unsigned fixed_bits)
{
	const FlakeLayout *layout = &flake_layouts[FLAKE_ULIDFLAKE];
	uint64		ms = getarg_ms(fcinfo, FLAKE_ULIDFLAKE);
	uint32		low = flakeid_getarg_field(fcinfo, 1, "random bits",
										   layout->sequence_bits - fixed_bits);
	uint32		scalability;

	if (fixed_bits > 0)
	{
		scalability = flakeid_getarg_field(fcinfo, 2, "scalability",
										   fixed_bits);
		low = flake_ulid_low(low, scalability);
	}
	PG_RETURN_INT64((int64) flake_id_pack(layout, ms, 0, low));
}

/*
 * ulidflake_from_timestamptz(ts timestamptz [, epoch timestamptz]) -> bigint
 * ulidflake_scalable_from_timestamptz(ts timestamptz [, epoch timestamptz])
 * -> bigint
 *
 * 20 random bits below the time, or 15 and the server's 5.  Does not use the
 * shared word, so its ids may duplicate others.  ts outside the field: 22008.
 */
static Datum
ulidflake_from_timestamptz(PG_FUNCTION_ARGS, unsigned fixed_bits)
{
	const FlakeLayout *layout = &flake_layouts[FLAKE_ULIDFLAKE];
	int64		epoch_ms = flakeid_getarg_epoch_ms(fcinfo, FLAKE_ULIDFLAKE);
	unsigned	random_bits = layout->sequence_bits - fixed_bits;
	uint32		low = flakeid_random32() >> (32 - random_bits);
	FlakeInstant instant = flakeid_getarg_instant(fcinfo, 0);
	uint64		ms = 0;
	FlakeStatus status = flake_ms_of(layout, instant, epoch_ms, &ms);

	flakeid_check_ms(status, layout, epoch_ms, flake_last_ms(layout),
					 PG_GETARG_TIMESTAMPTZ(0));
	if (fixed_bits > 0)
		low = flake_ulid_low(low, flakeid_reader_config()->scalability);
	PG_RETURN_INT64((int64) flake_id_pack(layout, ms, 0, low));
}

/*
 * <f>_min(ts timestamptz [, epoch timestamptz]) -> bigint
 *
 * Smallest id of the millisecond of ts or later, so that the ids before ts are
 * less; accepts any ts.
 */
static Datum
flake_min(PG_FUNCTION_ARGS, FlakeFormat format)
{
	PG_RETURN_INT64(flake_id_min(&flake_layouts[format],
								 flakeid_getarg_instant(fcinfo, 0),
								 flakeid_getarg_epoch_ms(fcinfo, format)));
}

#define TIME_ENTRIES(prefix, format) \
	FLAKEID_FUNCTION(prefix##_to_timestamptz, \
					 flake_to_timestamptz(fcinfo, format)); \
	FLAKEID_FUNCTION(prefix##_get_ticks, flake_get_ticks(fcinfo, format)); \
	FLAKEID_FUNCTION(prefix##_explain, \
					 flakeid_explain_flake(fcinfo, format)); \
	FLAKEID_FUNCTION(prefix##_min, flake_min(fcinfo, format))

/*
 * <f>_generate() -> bigint
 *
 * Clock before the epoch or beyond the field: 22008; no id available within
 * flakeid.max_wait: 55P03 or 55000; during recovery: 25006; settings: F0000.
 * doc/internals/design.md, sections 2 to 5.
 */
#define ENTRIES(prefix, format) \
	TIME_ENTRIES(prefix, format); \
	FLAKEID_FUNCTION(prefix##_generate, \
					 Int64GetDatum(flakeid_generate(format))); \
	FLAKEID_FUNCTION(prefix##_get_generator, \
					 flake_get_generator(fcinfo, format)); \
	FLAKEID_FUNCTION(prefix##_get_sequence, \
					 flake_get_sequence(fcinfo, format)); \
	FLAKEID_FUNCTION(prefix##_get_address, \
					 flake_get_address(fcinfo, format)); \
	FLAKEID_FUNCTION(prefix##_from_parts, flake_from_parts(fcinfo, format))

#define ULIDFLAKE_ENTRIES(prefix, fixed_bits) \
	FLAKEID_FUNCTION(prefix##_generate, generate_ulidflake(fixed_bits)); \
	FLAKEID_FUNCTION(prefix##_from_parts, \
					 ulidflake_from_parts(fcinfo, fixed_bits)); \
	FLAKEID_FUNCTION(prefix##_from_timestamptz, \
					 ulidflake_from_timestamptz(fcinfo, fixed_bits))

/* A Ulid-Flake does not show its form, so each form has its own readers. */
TIME_ENTRIES(ulidflake, FLAKE_ULIDFLAKE);
ULIDFLAKE_ENTRIES(ulidflake, 0);
ULIDFLAKE_ENTRIES(ulidflake_scalable, FLAKE_SCALABILITY_BITS);
FLAKEID_FUNCTION(ulidflake_get_random,
				 flake_get_sequence(fcinfo, FLAKE_ULIDFLAKE));

FLAKEID_ENTRY(ulidflake_scalable_get_random)
{
	uint64		id = getarg_id(fcinfo, FLAKE_ULIDFLAKE);

	PG_RETURN_INT32((int32) flake_ulid_random15(id));
}

FLAKEID_ENTRY(ulidflake_scalable_get_scalability)
{
	uint64		id = getarg_id(fcinfo, FLAKE_ULIDFLAKE);

	PG_RETURN_INT32((int32) flake_ulid_scalability(id));
}

ENTRIES(fluid, FLAKE_FLUID);
ENTRIES(nanoflake, FLAKE_NANOFLAKE);
