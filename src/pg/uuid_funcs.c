/*
 * uuid_funcs.c
 *		SQL functions of UUIDs: generate and read versions 6 and 7, convert
 *		versions 1 and 6, and bounds of time ranges.
 *
 * The newest id of each version is private to this process.  No function here
 * blocks.  A refused call leaves the newest id unchanged.
 *
 * Errors: a time or clock outside the field is 22008; a reader's id of another
 * version, and a part that does not fit its field, are 22023.  The sections
 * are those of RFC 9562.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "utils/builtins.h"

#include "pg/entropy.h"
#include "pg/sql.h"

static FlakeUuidV6State v6_state;
static FlakeUuidV7State v7_state;

/*
 * uuid_generate_v6() -> uuid
 *
 * The clock in ticks of 100 ns, random clock sequence and node; strictly
 * increasing per process.  5.6; draft-peabody-dispatch-new-uuid-format-01,
 * 4.3.
 */
FLAKEID_ENTRY(uuid_generate_v6)
{
	uint64		random64 = flakeid_random64();
	FlakeInstant now = flakeid_clock_now();
	FlakeUuid	uuid;
	FlakeRule	rule = flake_uuid_v6_next(&v6_state, now, random64, &uuid);

	flakeid_check_clock(rule, "UUIDv6", &flake_uuid_v6_field, now);
	return flakeid_uuid_datum(uuid);
}

static pg_attribute_always_inline FlakeUuid
generate_v7(FlakeUuidV7State *state)
{
	FlakeInstant now = flakeid_clock_now();
	FlakeUuid	uuid;
	FlakeRule	rule = flake_uuid_v7_next(state, now, flakeid_random32, &uuid);

	flakeid_check_clock(rule, "UUIDv7", &flake_uuid_v7_field, now);
	return uuid;
}

/*
 * uuid_generate_v7() -> uuid
 *
 * The clock in ms and 1/4096 ms, 62 random bits; strictly increasing per
 * process.  5.7 and 6.2.
 */
FLAKEID_FUNCTION(uuid_generate_v7, flakeid_uuid_datum(generate_v7(&v7_state)));

static TimestampTz
time_of_v7(FlakeUuid uuid)
{
	return flakeid_timestamptz_from_unix_ms((int64) flake_uuid_v7_ms(uuid));
}

/*
 * uuid_generate_v7(shift interval) -> uuid
 *
 * Like uuid_generate_v7(), but moves the time of the id by shift, as
 * timestamptz + interval does.  The next id continues from the time before the
 * move.  A shift that is infinite or leads outside the field: 22008.
 */
FLAKEID_ENTRY(uuid_generate_v7_shift)
{
	FlakeUuidV7State state = v7_state;
	FlakeUuid	uuid = generate_v7(&state);
	Datum		generated = TimestampTzGetDatum(time_of_v7(uuid));
	Datum		moved = DirectFunctionCall2(timestamptz_pl_interval,
											generated, PG_GETARG_DATUM(0));
	TimestampTz ts = DatumGetTimestampTz(moved);
	FlakeInstant instant = flakeid_instant_from_timestamptz(ts);
	FlakeStatus status = flake_uuid_v7_move(uuid, instant, &uuid);

	flakeid_check_instant(status, "UUIDv7", &flake_uuid_v7_field, ts);
	v7_state = state;
	return flakeid_uuid_datum(uuid);
}

/*
 * uuid_v6_from_timestamptz(ts timestamptz) -> uuid
 * uuid_v7_from_timestamptz(ts timestamptz) -> uuid
 *
 * An id of ts.  A v6 has a random clock sequence and node; a v7 has rand_a
 * from the microseconds of ts, and a random rand_b.  Does not use the state.
 * ts outside the field: 22008.
 */
static Datum
uuid_from_timestamptz(FunctionCallInfo fcinfo, int version)
{
	TimestampTz ts = PG_GETARG_TIMESTAMPTZ(0);
	FlakeInstant instant = flakeid_instant_from_timestamptz(ts);
	FlakeUuid	uuid = {0};
	FlakeStatus status = flake_uuid_make(version, instant, flakeid_random64(),
										 &uuid);

	if (version == 6)
		flakeid_check_instant(status, "UUIDv6", &flake_uuid_v6_field, ts);
	else
		flakeid_check_instant(status, "UUIDv7", &flake_uuid_v7_field, ts);
	return flakeid_uuid_datum(uuid);
}

FLAKEID_FUNCTION(uuid_v6_from_timestamptz, uuid_from_timestamptz(fcinfo, 6));
FLAKEID_FUNCTION(uuid_v7_from_timestamptz, uuid_from_timestamptz(fcinfo, 7));

/*
 * uuid_v6_min(ts timestamptz) -> uuid, uuid_v7_min(ts timestamptz) -> uuid
 *
 * Smallest v6 of the microsecond of ts, or smallest v7 of its millisecond,
 * that any generator can generate.  Accepts any ts, so it is LEAKPROOF, and
 * the _in_range functions that call it never report an error.
 */
static Datum
uuid_min(FunctionCallInfo fcinfo, int version)
{
	FlakeInstant instant = flakeid_getarg_instant(fcinfo, 0);

	return flakeid_uuid_datum(flake_uuid_min(version, instant));
}

FLAKEID_FUNCTION(uuid_v6_min, uuid_min(fcinfo, 6));
FLAKEID_FUNCTION(uuid_v7_min, uuid_min(fcinfo, 7));

/*
 * uuid_v6_from_parts(ticks bigint, clock_sequence integer, node bytea) -> uuid
 * uuid_v7_from_parts(ticks bigint, rand_a integer, rand_b bytea) -> uuid
 * uuid_v8_from_parts(custom_a bigint, custom_b integer, custom_c bytea)
 * -> uuid
 *
 * The arguments are what the readers return.  Version 6 has 60 bits of ticks,
 * 14 of clock sequence, and 6 bytes of node.  Versions 7 and 8 have 48, 12 and
 * 62 bits, the last ones in 8 bytes; the first ones are milliseconds in
 * version 7.
 */
FLAKEID_ENTRY(uuid_v6_from_parts)
{
	uint64		ticks = flakeid_check_field(PG_GETARG_INT64(0), "ticks",
											flake_uuid_v6_field.last_tick);
	uint64		low = flakeid_getarg_bytes(fcinfo, 2, "node", FLAKE_NODE_BITS);
	uint64		clock_sequence;

	clock_sequence = flakeid_getarg_field(fcinfo, 1, "clock sequence",
										  FLAKE_CLOCK_SEQUENCE_BITS);
	low |= clock_sequence << FLAKE_NODE_BITS;
	return flakeid_uuid_datum(flake_uuid_pack(6, ticks, low));
}

static Datum
uuid_from_parts(FunctionCallInfo fcinfo, int version,
				const char *const names[3])
{
	uint64		a = flakeid_check_field(PG_GETARG_INT64(0), names[0],
										flake_uuid_v7_field.last_tick);
	uint64		c = flakeid_getarg_bytes(fcinfo, 2, names[2],
										 FLAKE_UUID_LOW_BITS);
	uint32		b = flakeid_getarg_field(fcinfo, 1, names[1],
										 FLAKE_RAND_A_BITS);
	uint64		high = a << FLAKE_RAND_A_BITS | b;

	return flakeid_uuid_datum(flake_uuid_pack(version, high, c));
}

static const char *const v7_parts[] = {
	"ticks", "field rand_a", "field rand_b"
};
static const char *const v8_parts[] = {
	"field custom_a", "field custom_b", "field custom_c"
};

FLAKEID_FUNCTION(uuid_v7_from_parts, uuid_from_parts(fcinfo, 7, v7_parts));
FLAKEID_FUNCTION(uuid_v8_from_parts, uuid_from_parts(fcinfo, 8, v8_parts));

/* uuid_get_version(id uuid) -> smallint: NULL outside variant rfc9562. 4.2. */
FLAKEID_ENTRY(uuid_get_version)
{
	int			version = flake_uuid_version(flakeid_getarg_uuid(fcinfo, 0));

	if (version < 0)
		PG_RETURN_NULL();
	PG_RETURN_INT16((int16) version);
}

/* uuid_get_variant(id uuid) -> text: ncs, rfc9562, microsoft, future.  4.1. */
FLAKEID_ENTRY(uuid_get_variant)
{
	static const char *const names[] = {
		[FLAKE_VARIANT_NCS] = "ncs",
		[FLAKE_VARIANT_RFC9562] = "rfc9562",
		[FLAKE_VARIANT_MICROSOFT] = "microsoft",
		[FLAKE_VARIANT_FUTURE] = "future",
	};
	FlakeUuid	uuid = flakeid_getarg_uuid(fcinfo, 0);

	PG_RETURN_TEXT_P(cstring_to_text(names[flake_uuid_variant(uuid)]));
}

/*
 * uuid_to_timestamptz(id uuid) -> timestamptz
 *
 * Time of version 1 or 6, truncated to the microsecond, or of version 7, to
 * the millisecond; NULL for other versions.
 */
FLAKEID_ENTRY(uuid_to_timestamptz)
{
	int64		unix_us;

	if (!flake_uuid_unix_us(flakeid_getarg_uuid(fcinfo, 0), &unix_us))
		PG_RETURN_NULL();
	PG_RETURN_TIMESTAMPTZ(flakeid_timestamptz_from_unix_us(unix_us));
}

/* The id argument, if it is a v1 or v6, a v7, or a v8; else 22023. */
static FlakeUuid
getarg_v6(FunctionCallInfo fcinfo)
{
	return flakeid_getarg_version(fcinfo, 6, 1, "UUIDv1 or UUIDv6");
}

static FlakeUuid
getarg_v7(FunctionCallInfo fcinfo)
{
	return flakeid_getarg_version(fcinfo, 7, 7, "UUIDv7");
}

static FlakeUuid
getarg_v8(FunctionCallInfo fcinfo)
{
	return flakeid_getarg_version(fcinfo, 8, 8, "UUIDv8");
}

/*
 * Readers of version 6, or 1, whose fields are the same in another order: the
 * time is truncated to the microsecond.  5.1 and 5.6.
 */
FLAKEID_ENTRY(uuid_v6_to_timestamptz)
{
	int64		unix_us = 0;

	(void) flake_uuid_unix_us(getarg_v6(fcinfo), &unix_us);
	PG_RETURN_TIMESTAMPTZ(flakeid_timestamptz_from_unix_us(unix_us));
}

FLAKEID_FUNCTION(uuid_v6_get_ticks,
				 Int64GetDatum((int64) flake_uuid_ticks(getarg_v6(fcinfo))));

FLAKEID_ENTRY(uuid_v6_get_clock_sequence)
{
	FlakeUuid	uuid = getarg_v6(fcinfo);

	PG_RETURN_INT32((int32) flake_uuid_clock_sequence(uuid));
}

FLAKEID_ENTRY(uuid_v6_get_node)
{
	FlakeUuid	uuid = getarg_v6(fcinfo);

	return flakeid_bytes_datum(flake_uuid_node(uuid), FLAKE_NODE_BITS);
}

/* The fields of versions 7 and 8, of 48, 12 and 62 bits. */
static Datum
field_a(FlakeUuid uuid)
{
	return Int64GetDatum((int64) flake_uuid_v7_ms(uuid));
}

static Datum
field_b(FlakeUuid uuid)
{
	return Int32GetDatum((int32) flake_uuid_v7_rand_a(uuid));
}

static Datum
field_c(FlakeUuid uuid)
{
	return flakeid_bytes_datum(flake_uuid_low62(uuid), FLAKE_UUID_LOW_BITS);
}

/* Readers of version 7; the timestamp is in UTC.  5.7. */
FLAKEID_FUNCTION(uuid_v7_to_timestamptz,
				 TimestampTzGetDatum(time_of_v7(getarg_v7(fcinfo))));
FLAKEID_FUNCTION(uuid_v7_to_timestamp,
				 TimestampGetDatum(time_of_v7(getarg_v7(fcinfo))));
FLAKEID_FUNCTION(uuid_v7_get_ticks, field_a(getarg_v7(fcinfo)));
FLAKEID_FUNCTION(uuid_v7_get_rand_a, field_b(getarg_v7(fcinfo)));
FLAKEID_FUNCTION(uuid_v7_get_rand_b, field_c(getarg_v7(fcinfo)));

/* Readers of version 8: the bits where version 7 has its fields.  5.8. */
FLAKEID_FUNCTION(uuid_v8_get_custom_a, field_a(getarg_v8(fcinfo)));
FLAKEID_FUNCTION(uuid_v8_get_custom_b, field_b(getarg_v8(fcinfo)));
FLAKEID_FUNCTION(uuid_v8_get_custom_c, field_c(getarg_v8(fcinfo)));

/*
 * uuid_v7_us_to_timestamptz(id uuid) -> timestamptz
 * uuid_v7_us_get_ticks(id uuid) -> bigint: microseconds since 1970
 *
 * For ids with the fraction of the millisecond in rand_a.  6.2 method 3.
 */
static int64
getarg_v7_us(FunctionCallInfo fcinfo)
{
	return flake_uuid_v7_unix_us(getarg_v7(fcinfo));
}

FLAKEID_ENTRY(uuid_v7_us_to_timestamptz)
{
	int64		unix_us = getarg_v7_us(fcinfo);

	PG_RETURN_TIMESTAMPTZ(flakeid_timestamptz_from_unix_us(unix_us));
}

FLAKEID_FUNCTION(uuid_v7_us_get_ticks, Int64GetDatum(getarg_v7_us(fcinfo)));

/*
 * uuid_v1_to_v6(id uuid) -> uuid, uuid_v6_to_v1(id uuid) -> uuid
 *
 * Reorders the timestamp; clock sequence and node are unchanged.  5.6.
 */
FLAKEID_ENTRY(uuid_v1_to_v6)
{
	FlakeUuid	uuid = flakeid_getarg_version(fcinfo, 1, 1, "UUIDv1");

	return flakeid_uuid_datum(flake_uuid_v1_to_v6(uuid));
}

FLAKEID_ENTRY(uuid_v6_to_v1)
{
	FlakeUuid	uuid = flakeid_getarg_version(fcinfo, 6, 6, "UUIDv6");

	return flakeid_uuid_datum(flake_uuid_v6_to_v1(uuid));
}
