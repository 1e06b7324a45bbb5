/*
 * uuid_draft_funcs.c
 *		SQL functions for UUIDv7 and UUIDv8 of draft-peabody-dispatch-new-uuid-
 *		format-01 (sections 4.4 and 4.5).
 *
 * Each function takes a layout.  The entry points at the end find the layout
 * by a unit (version 7) or by a number of timestamp bits (version 8), else
 * 22023.  Each layout has one state, which is private to this process.  No
 * function blocks.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "format/uuid_draft.h"
#include "pg/entropy.h"
#include "pg/sql.h"
#include "pg/text_funcs.h"

static FlakeDraftState states[FLAKE_DRAFT_KINDS];

static const FlakeDraftLayout *
layout_of_unit(const text *unit)
{
	for (int kind = FLAKE_DRAFT_V7_MS; kind <= FLAKE_DRAFT_V7_NS; kind++)
		if (flakeid_text_is(unit, flake_draft_layouts[kind].unit))
			return &flake_draft_layouts[kind];
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("unrecognized unit: \"%s\"", flakeid_quote_text(unit)),
			 errhint("Use \"ms\", \"us\" or \"ns\".")));
}

static const FlakeDraftLayout *
layout_of_bits(int32 timestamp_bits)
{
	for (int kind = FLAKE_DRAFT_V8_32; kind <= FLAKE_DRAFT_V8_64; kind++)
		if (flake_draft_layouts[kind].timestamp_bits == timestamp_bits)
			return &flake_draft_layouts[kind];
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("invalid timestamp_bits: %d", timestamp_bits),
			 errhint("Use 32, 48, 60 or 64.")));
}

/*
 * uuid_generate_v7_draft(unit text) -> uuid
 * uuid_generate_v8_draft(timestamp_bits integer) -> uuid
 *
 * The clock in the layout's ticks, a sequence, random bits; strictly
 * increasing per process and layout.  Clock outside the field: 22008.
 */
static Datum
draft_generate(PG_FUNCTION_ARGS, const FlakeDraftLayout *layout)
{
	FlakeInstant now = flakeid_clock_now();
	FlakeDraftState *state = &states[layout - flake_draft_layouts];
	FlakeUuid	uuid;
	FlakeRule	rule = flake_draft_next(layout, state, now,
										flakeid_random64(), &uuid);

	flakeid_check_clock(rule, layout->name, &layout->field, now);
	return flakeid_uuid_datum(uuid);
}

/*
 * <f>_from_timestamptz(ts timestamptz, layout) -> uuid
 *
 * ts is truncated to the tick; sequence 0, other bits random; no state.  ts
 * outside the field: 22008.
 */
static Datum
draft_from_timestamptz(PG_FUNCTION_ARGS, const FlakeDraftLayout *layout)
{
	FlakeUuid	uuid = {0};
	FlakeStatus status = flake_draft_make(layout,
										  flakeid_getarg_instant(fcinfo, 0),
										  flakeid_random64(), &uuid);

	flakeid_check_instant(status, layout->name, &layout->field,
						  PG_GETARG_TIMESTAMPTZ(0));
	return flakeid_uuid_datum(uuid);
}

/*
 * <f>_min(ts timestamptz, layout) -> uuid
 *
 * Smallest id of the tick of ts, or later; accepts any ts.  Not LEAKPROOF,
 * since the error of an invalid layout quotes an argument.  This matters only
 * for tables with row-level security, and only if a bound is a column of
 * another table.  All other bounds are index conditions nevertheless.
 */
static Datum
draft_min(PG_FUNCTION_ARGS, const FlakeDraftLayout *layout)
{
	FlakeInstant instant = flakeid_getarg_instant(fcinfo, 0);

	return flakeid_uuid_datum(flake_draft_min(layout, instant));
}

/* The id argument, of the layout's version; else 22023. */
static FlakeUuid
getarg_draft(FunctionCallInfo fcinfo, const FlakeDraftLayout *layout)
{
	return flakeid_getarg_version(fcinfo, layout->version, layout->version,
								  layout->name);
}

/*
 * <f>_to_timestamptz(id uuid, layout) -> timestamptz
 *
 * Start of the tick, truncated to the microsecond.  With 64 bits, the four
 * bits that were dropped are read as 0.  Version 7 needs no unit: the result
 * is exact to the unit of the id, and meaningless below it.
 */
static Datum
draft_to_timestamptz(PG_FUNCTION_ARGS, const FlakeDraftLayout *layout)
{
	FlakeUuid	uuid = getarg_draft(fcinfo, layout);
	int64		unix_us = flake_draft_unix_us(layout, uuid);

	PG_RETURN_TIMESTAMPTZ(flakeid_timestamptz_from_unix_us(unix_us));
}

/* <f>_get_sequence(id uuid, layout) -> integer: 8, 12 or 14 bits */
static Datum
draft_get_sequence(PG_FUNCTION_ARGS, const FlakeDraftLayout *layout)
{
	FlakeUuid	uuid = getarg_draft(fcinfo, layout);

	PG_RETURN_INT32((int32) flake_draft_sequence(layout, uuid));
}

/* <f>_get_node(id uuid, layout) -> bytea: right-aligned in 5 to 8 bytes */
static Datum
draft_get_node(PG_FUNCTION_ARGS, const FlakeDraftLayout *layout)
{
	FlakeUuid	uuid = getarg_draft(fcinfo, layout);

	return flakeid_bytes_datum(flake_draft_node(layout, uuid),
							   layout->random_bits);
}

/*
 * <f>_get_ticks(id uuid, layout) -> bigint
 *
 * Ticks since 1970, truncated; with unit ns, from 2262-04-11 on, 22008.
 */
static Datum
draft_get_ticks(PG_FUNCTION_ARGS, const FlakeDraftLayout *layout)
{
	FlakeUuid	uuid = getarg_draft(fcinfo, layout);
	uint64		ticks;

	if (flake_draft_ticks(layout, uuid, &ticks) != FLAKE_OK)
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_FIELD_OVERFLOW),
				 errmsg("ticks of uuid \"%s\" are out of range for bigint",
						flakeid_uuid_text(PG_GETARG_DATUM(0))),
				 errdetail("The id is later than the last nanosecond that bigint can count, 2262-04-11 23:47:16.854775807 UTC."),
				 errhint("Use the unit \"us\".")));
	PG_RETURN_INT64((int64) ticks);
}

/*
 * <f>_from_parts(ticks bigint, sequence integer, node bytea, layout) -> uuid
 *
 * The fields are as returned by the readers above, else 22023.
 */
static Datum
draft_from_parts(PG_FUNCTION_ARGS, const FlakeDraftLayout *layout)
{
	uint64		ticks = flakeid_check_field(PG_GETARG_INT64(0), "ticks",
											flake_draft_last_ticks(layout));
	uint64		node = flakeid_getarg_bytes(fcinfo, 2, "node",
											layout->random_bits);
	uint32		sequence = flakeid_getarg_field(fcinfo, 1, "sequence",
												layout->sequence_bits);

	return flakeid_uuid_datum(flake_draft_from_parts(layout, ticks, sequence,
													 node));
}

/* The layout is the n-th argument. */
#define UNIT(n) layout_of_unit(PG_GETARG_TEXT_PP(n))
#define BITS(n) layout_of_bits(PG_GETARG_INT32(n))
#define V7_MS	(&flake_draft_layouts[FLAKE_DRAFT_V7_MS])

#define ENTRIES(prefix, layout) \
	FLAKEID_FUNCTION(prefix##_from_timestamptz, \
					 draft_from_timestamptz(fcinfo, layout(1))); \
	FLAKEID_FUNCTION(prefix##_min, draft_min(fcinfo, layout(1))); \
	FLAKEID_FUNCTION(prefix##_get_sequence, \
					 draft_get_sequence(fcinfo, layout(1))); \
	FLAKEID_FUNCTION(prefix##_get_node, draft_get_node(fcinfo, layout(1))); \
	FLAKEID_FUNCTION(prefix##_get_ticks, draft_get_ticks(fcinfo, layout(1))); \
	FLAKEID_FUNCTION(prefix##_from_parts, draft_from_parts(fcinfo, layout(3)))

ENTRIES(uuid_v7_draft, UNIT);
ENTRIES(uuid_v8_draft, BITS);
FLAKEID_FUNCTION(uuid_generate_v7_draft, draft_generate(fcinfo, UNIT(0)));
FLAKEID_FUNCTION(uuid_generate_v8_draft, draft_generate(fcinfo, BITS(0)));
FLAKEID_FUNCTION(uuid_v7_draft_to_timestamptz,
				 draft_to_timestamptz(fcinfo, V7_MS));
FLAKEID_FUNCTION(uuid_v8_draft_to_timestamptz,
				 draft_to_timestamptz(fcinfo, BITS(1)));
