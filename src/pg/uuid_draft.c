/*
 * uuid_draft.c
 *		SQL functions for UUIDv7 and UUIDv8 of draft-peabody-dispatch-new-uuid-
 *		format-01 (sections 4.4 and 4.5).
 *
 * One state per layout, private to this process; nothing blocks.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "fmgr.h"
#include "utils/fmgrprotos.h"
#include "utils/timestamp.h"

#include "format/range.h"
#include "format/uuid_draft.h"
#include "pg/clock.h"
#include "pg/entropy.h"
#include "pg/error.h"
#include "pg/text.h"
#include "pg/uuid.h"

static FlakeDraftState states[FLAKE_DRAFT_KINDS];

/* The v7 layout of a unit, else 22023. */
const FlakeDraftLayout *
flakeid_v7_draft_layout(const text *unit)
{
	for (int kind = FLAKE_DRAFT_V7_MS; kind <= FLAKE_DRAFT_V7_NS; kind++)
	{
		const FlakeDraftLayout *layout = &flake_draft_layouts[kind];

		if (flakeid_text_is(unit, layout->unit))
			return layout;
	}
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("unrecognized unit: \"%s\"",
					flakeid_quote(VARDATA_ANY(unit),
								  VARSIZE_ANY_EXHDR(unit))),
			 errhint("Use \"ms\", \"us\" or \"ns\".")));
}

/* The v8 layout of a width, else 22023. */
const FlakeDraftLayout *
flakeid_v8_layout(int32 timestamp_bits)
{
	for (int kind = FLAKE_DRAFT_V8_32; kind <= FLAKE_DRAFT_V8_64; kind++)
	{
		if (flake_draft_layouts[kind].timestamp_bits == timestamp_bits)
			return &flake_draft_layouts[kind];
	}
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("invalid timestamp_bits: %d", timestamp_bits),
			 errhint("Use 32, 48, 60 or 64.")));
}

static Datum
generate(const FlakeDraftLayout *layout)
{
	FlakeInstant now = flakeid_clock_now();
	FlakeUuid	uuid;
	FlakeRule	rule = flake_draft_next(layout,
										&states[layout - flake_draft_layouts],
										now, flakeid_random64(), &uuid);

	flakeid_check_clock(rule, layout->name, &layout->field, now);
	return flakeid_uuid_datum(uuid);
}

static Datum
from_timestamptz(const FlakeDraftLayout *layout, TimestampTz ts)
{
	FlakeUuid	uuid;

	flakeid_check_instant(flake_draft_make(layout,
										   flakeid_instant_from_timestamptz(ts),
										   flakeid_random64(), &uuid),
						  layout->name, &layout->field, ts);
	return flakeid_uuid_datum(uuid);
}

static Datum
to_timestamptz(const FlakeDraftLayout *layout, const pg_uuid_t *id)
{
	int64		unix_us = 0;

	flakeid_check_version(flake_draft_unix_us(layout,
											  flake_uuid_load(id->data),
											  &unix_us),
						  layout->name, id);
	PG_RETURN_TIMESTAMPTZ(flakeid_timestamptz_from_unix_us(unix_us));
}

static Datum
get_sequence(const FlakeDraftLayout *layout, const pg_uuid_t *id)
{
	uint32		sequence = 0;

	flakeid_check_version(flake_draft_sequence(layout,
											   flake_uuid_load(id->data),
											   &sequence),
						  layout->name, id);
	PG_RETURN_INT32((int32) sequence);
}

static Datum
get_node(const FlakeDraftLayout *layout, const pg_uuid_t *id)
{
	uint64		node = 0;

	flakeid_check_version(flake_draft_node(layout, flake_uuid_load(id->data),
										   &node),
						  layout->name, id);
	return flakeid_bytes_datum(node, layout->random_bits);
}

static Datum
get_timestamp(const FlakeDraftLayout *layout, const pg_uuid_t *id)
{
	uint64		timestamp = 0;
	FlakeStatus status = flake_draft_timestamp(layout,
											   flake_uuid_load(id->data),
											   &timestamp);

	if (status == FLAKE_OUT_OF_RANGE)
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_FIELD_OVERFLOW),
				 errmsg("timestamp of uuid \"%s\" is out of range for bigint",
						DatumGetCString(DirectFunctionCall1(uuid_out,
															UUIDPGetDatum(id)))),
				 errdetail("It is later than the last nanosecond that bigint can count, 2262-04-11 23:47:16.854775807 UTC."),
				 errhint("Use the unit \"us\".")));
	flakeid_check_version(status, layout->name, id);
	PG_RETURN_INT64((int64) timestamp);
}

static Datum
from_parts(PG_FUNCTION_ARGS, const FlakeDraftLayout *layout)
{
	uint64		timestamp = flakeid_check_timestamp(PG_GETARG_INT64(0),
													flake_draft_last_timestamp(layout));
	int32		sequence = PG_GETARG_INT32(1);
	uint64		node = flakeid_getarg_bytes(fcinfo, 2, "node",
											layout->random_bits);

	flakeid_check_field(flake_check_field(sequence, layout->sequence_bits),
						"sequence", sequence, layout->sequence_bits);
	return flakeid_uuid_datum(flake_draft_from_parts(layout, timestamp,
													 (uint64) sequence, node));
}

/*
 * uuid_generate_v7_draft(unit text DEFAULT 'ms') -> uuid
 *
 * Seconds and a binary fraction in ms, us or ns, a sequence, random bits;
 * strictly increasing per process and unit.  Clock outside the field: 22008;
 * another unit: 22023.
 */
PG_FUNCTION_INFO_V1(flakeid_uuid_generate_v7_draft);
Datum
flakeid_uuid_generate_v7_draft(PG_FUNCTION_ARGS)
{
	return generate(flakeid_v7_draft_layout(PG_GETARG_TEXT_PP(0)));
}

/*
 * uuid_v7_draft_from_timestamptz(ts timestamptz, unit text DEFAULT 'ms')
 * -> uuid
 *
 * ts is truncated to the unit; sequence 0, other bits random; no state.
 * Outside 1970 .. 4147-08-20: 22008; another unit: 22023.
 */
PG_FUNCTION_INFO_V1(flakeid_uuid_v7_draft_from_timestamptz);
Datum
flakeid_uuid_v7_draft_from_timestamptz(PG_FUNCTION_ARGS)
{
	return from_timestamptz(flakeid_v7_draft_layout(PG_GETARG_TEXT_PP(1)),
							PG_GETARG_TIMESTAMPTZ(0));
}

/*
 * uuid_v7_draft_to_timestamptz(id uuid) -> timestamptz
 *
 * For any unit: exact to its precision, noise below it; truncated to the
 * microsecond.  Another version: 22023.
 */
PG_FUNCTION_INFO_V1(flakeid_uuid_v7_draft_to_timestamptz);
Datum
flakeid_uuid_v7_draft_to_timestamptz(PG_FUNCTION_ARGS)
{
	return to_timestamptz(&flake_draft_layouts[FLAKE_DRAFT_V7_MS],
						  PG_GETARG_UUID_P(0));
}

/*
 * uuid_v7_draft_get_sequence(id uuid, unit text DEFAULT 'ms') -> integer
 *
 * 12, 14 or 8 bits for ms, us, ns.  Another version or unit: 22023.
 */
PG_FUNCTION_INFO_V1(flakeid_uuid_v7_draft_get_sequence);
Datum
flakeid_uuid_v7_draft_get_sequence(PG_FUNCTION_ARGS)
{
	return get_sequence(flakeid_v7_draft_layout(PG_GETARG_TEXT_PP(1)), PG_GETARG_UUID_P(0));
}

/*
 * uuid_v7_draft_get_node(id uuid, unit text DEFAULT 'ms') -> bytea
 *
 * The bits after the sequence, right-aligned: 62 in 8 bytes, 48 in 6 or 40 in
 * 5 for ms, us, ns.  Another version or unit: 22023.
 */
PG_FUNCTION_INFO_V1(flakeid_uuid_v7_draft_get_node);
Datum
flakeid_uuid_v7_draft_get_node(PG_FUNCTION_ARGS)
{
	return get_node(flakeid_v7_draft_layout(PG_GETARG_TEXT_PP(1)),
					PG_GETARG_UUID_P(0));
}

/*
 * uuid_v7_draft_get_timestamp(id uuid, unit text DEFAULT 'ms') -> bigint
 *
 * Units since 1970, truncated.  Another version or unit: 22023; with ns, from
 * 2262-04-11 on, 22008.
 */
PG_FUNCTION_INFO_V1(flakeid_uuid_v7_draft_get_timestamp);
Datum
flakeid_uuid_v7_draft_get_timestamp(PG_FUNCTION_ARGS)
{
	return get_timestamp(flakeid_v7_draft_layout(PG_GETARG_TEXT_PP(1)),
						 PG_GETARG_UUID_P(0));
}

/*
 * uuid_v7_draft_from_parts(ticks bigint, sequence integer, node bytea,
 * unit text DEFAULT 'ms') -> uuid
 *
 * The fields are as returned by the readers above, else 22023; another unit:
 * 22023.
 */
PG_FUNCTION_INFO_V1(flakeid_uuid_v7_draft_from_parts);
Datum
flakeid_uuid_v7_draft_from_parts(PG_FUNCTION_ARGS)
{
	return from_parts(fcinfo, flakeid_v7_draft_layout(PG_GETARG_TEXT_PP(3)));
}

/*
 * uuid_generate_v8(timestamp_bits integer DEFAULT 48) -> uuid
 *
 * Time in 32 (s), 48 (ms), 60 (10 ns) or 64 (ns, 60 kept) bits, a sequence,
 * a random node; strictly increasing per process and width.  Clock outside
 * the field: 22008; another width: 22023.
 */
PG_FUNCTION_INFO_V1(flakeid_uuid_generate_v8);
Datum
flakeid_uuid_generate_v8(PG_FUNCTION_ARGS)
{
	return generate(flakeid_v8_layout(PG_GETARG_INT32(0)));
}

/*
 * uuid_v8_from_timestamptz(ts timestamptz,
 * timestamp_bits integer DEFAULT 48) -> uuid
 *
 * ts is truncated to the tick; sequence 0, node random; no state.  Outside the
 * field: 22008; another width: 22023.
 */
PG_FUNCTION_INFO_V1(flakeid_uuid_v8_from_timestamptz);
Datum
flakeid_uuid_v8_from_timestamptz(PG_FUNCTION_ARGS)
{
	return from_timestamptz(flakeid_v8_layout(PG_GETARG_INT32(1)),
							PG_GETARG_TIMESTAMPTZ(0));
}

/*
 * uuid_v8_to_timestamptz(id uuid, timestamp_bits integer DEFAULT 48)
 * -> timestamptz
 *
 * Start of the tick, truncated to the microsecond; with 64 bits, the four
 * dropped bits read as 0.  Another version or width: 22023.
 */
PG_FUNCTION_INFO_V1(flakeid_uuid_v8_to_timestamptz);
Datum
flakeid_uuid_v8_to_timestamptz(PG_FUNCTION_ARGS)
{
	return to_timestamptz(flakeid_v8_layout(PG_GETARG_INT32(1)), PG_GETARG_UUID_P(0));
}

/*
 * uuid_v8_get_sequence(id uuid, timestamp_bits integer DEFAULT 48)
 * -> integer
 *
 * 12 bits for widths 32 and 48, 8 for 60 and 64.  Another version or width:
 * 22023.
 */
PG_FUNCTION_INFO_V1(flakeid_uuid_v8_get_sequence);
Datum
flakeid_uuid_v8_get_sequence(PG_FUNCTION_ARGS)
{
	return get_sequence(flakeid_v8_layout(PG_GETARG_INT32(1)), PG_GETARG_UUID_P(0));
}

/*
 * uuid_v8_get_node(id uuid, timestamp_bits integer DEFAULT 48) -> bytea
 *
 * The bits after the sequence, right-aligned: 62 in 8 bytes for widths 32 and
 * 48, 54 in 7 for 60 and 64.  Another version or width: 22023.
 */
PG_FUNCTION_INFO_V1(flakeid_uuid_v8_get_node);
Datum
flakeid_uuid_v8_get_node(PG_FUNCTION_ARGS)
{
	return get_node(flakeid_v8_layout(PG_GETARG_INT32(1)), PG_GETARG_UUID_P(0));
}

/*
 * uuid_v8_get_timestamp(id uuid, timestamp_bits integer DEFAULT 48) -> bigint
 *
 * Since 1970: seconds (32), milliseconds (48), ticks of 10 ns (60) or 16 ns
 * (64).  Another version or width: 22023.
 */
PG_FUNCTION_INFO_V1(flakeid_uuid_v8_get_timestamp);
Datum
flakeid_uuid_v8_get_timestamp(PG_FUNCTION_ARGS)
{
	return get_timestamp(flakeid_v8_layout(PG_GETARG_INT32(1)),
						 PG_GETARG_UUID_P(0));
}

/*
 * uuid_v8_from_parts(ticks bigint, sequence integer, node bytea,
 * timestamp_bits integer DEFAULT 48) -> uuid
 *
 * The fields are as returned by the readers above, else 22023; another width:
 * 22023.
 */
PG_FUNCTION_INFO_V1(flakeid_uuid_v8_from_parts);
Datum
flakeid_uuid_v8_from_parts(PG_FUNCTION_ARGS)
{
	return from_parts(fcinfo, flakeid_v8_layout(PG_GETARG_INT32(3)));
}

static Datum
min(TimestampTz ts, const FlakeDraftLayout *layout)
{
	FlakeUuid	uuid;

	flakeid_check_instant(flake_draft_min(layout,
										  flakeid_instant_from_timestamptz(ts),
										  &uuid),
						  layout->name, &layout->field, ts);
	return flakeid_uuid_datum(uuid);
}

static Datum
first(TimestampTz ts, const FlakeDraftLayout *layout)
{
	return flakeid_uuid_datum(flake_draft_first(layout,
												flakeid_instant_from_timestamptz(ts)));
}

/*
 * uuid_v7_draft_min(ts timestamptz, unit text DEFAULT 'ms') -> uuid
 *
 * Smallest id of the millisecond (ms) or microsecond (us, ns) of ts.  Outside
 * 1970 .. 4147-08-20: 22008; another unit: 22023.
 */
PG_FUNCTION_INFO_V1(flakeid_uuid_v7_draft_min);
Datum
flakeid_uuid_v7_draft_min(PG_FUNCTION_ARGS)
{
	return min(PG_GETARG_TIMESTAMPTZ(0),
			   flakeid_v7_draft_layout(PG_GETARG_TEXT_PP(1)));
}

/*
 * uuid_v7_draft_bound(ts timestamptz, unit text DEFAULT 'ms') -> uuid
 *
 * Smallest id of the unit of ts, or later; accepts any ts.  Another unit:
 * 22023.  Not LEAKPROOF, since this error quotes an argument.  That only
 * matters for tables with row-level security if a bound is a column of another
 * table; all other bounds are still index conditions.
 */
PG_FUNCTION_INFO_V1(flakeid_uuid_v7_draft_bound);
Datum
flakeid_uuid_v7_draft_bound(PG_FUNCTION_ARGS)
{
	return first(PG_GETARG_TIMESTAMPTZ(0),
				 flakeid_v7_draft_layout(PG_GETARG_TEXT_PP(1)));
}

/*
 * uuid_v8_min(ts timestamptz, timestamp_bits integer DEFAULT 48) -> uuid
 *
 * Smallest id of the second (32), millisecond (48) or microsecond (60, 64) of
 * ts.  Outside the field: 22008; another width: 22023.
 */
PG_FUNCTION_INFO_V1(flakeid_uuid_v8_min);
Datum
flakeid_uuid_v8_min(PG_FUNCTION_ARGS)
{
	return min(PG_GETARG_TIMESTAMPTZ(0), flakeid_v8_layout(PG_GETARG_INT32(1)));
}

/*
 * uuid_v8_bound(ts timestamptz, timestamp_bits integer DEFAULT 48) -> uuid
 *
 * Smallest id of the tick of ts, or later; accepts any ts.  Another width:
 * 22023, so not LEAKPROOF, see uuid_v7_draft_bound().
 */
PG_FUNCTION_INFO_V1(flakeid_uuid_v8_bound);
Datum
flakeid_uuid_v8_bound(PG_FUNCTION_ARGS)
{
	return first(PG_GETARG_TIMESTAMPTZ(0),
				 flakeid_v8_layout(PG_GETARG_INT32(1)));
}
