/*
 * sql_snowflake.c
 *		SQL functions of FLUID and Nanoflake, which have a generator field, and
 *		those of Ulid-Flake that use only its time.
 *
 * Each function takes the format; the macros at the end define the entry
 * points.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/htup_details.h"
#include "access/xlog.h"
#include "fmgr.h"
#include "funcapi.h"
#include "utils/timestamp.h"

#include "pg/error.h"
#include "pg/range.h"
#include "pg/generate.h"
#include "pg/settings.h"
#include "pg/flake_sql.h"

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
											   flakeid_getarg_id(fcinfo, format)));
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
											  flakeid_getarg_id(fcinfo, format)));
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
											   flakeid_getarg_id(fcinfo, format));
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
										flakeid_getarg_id(fcinfo, format)));
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
	return flakeid_flake_bound(format, PG_GETARG_TIMESTAMPTZ(0),
							   flakeid_reader_epoch_ms(format));
}

static Datum
bound_epoch(PG_FUNCTION_ARGS, FlakeFormat format)
{
	return flakeid_flake_bound(format, PG_GETARG_TIMESTAMPTZ(0),
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
