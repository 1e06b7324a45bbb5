/*
 * sql_uuid_make.c
 *		SQL functions that generate UUIDs of version 6 and 7: generators, ids of
 *		a given time, bounds.
 *
 * The newest id of each version is private to this process.  Nothing here
 * blocks; a refused call leaves the newest id unchanged.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "fmgr.h"
#include "utils/fmgrprotos.h"
#include "utils/timestamp.h"

#include "format/uuid.h"
#include "pg/clock.h"
#include "pg/entropy.h"
#include "pg/error.h"
#include "pg/sql_uuid.h"

static FlakeUuidV6State v6_state;
static FlakeUuidV7State v7_state;

/*
 * uuid_generate_v6() -> uuid
 *
 * The clock in ticks of 100 ns, random clock sequence and node; strictly
 * increasing per process.  Clock outside the field: 22008.
 * draft-peabody-dispatch-new-uuid-format-01, 4.3; RFC 9562, 5.6.
 */
PG_FUNCTION_INFO_V1(flakeid_uuid_generate_v6);
Datum
flakeid_uuid_generate_v6(PG_FUNCTION_ARGS)
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
 * process.  Clock outside the field: 22008.  RFC 9562, 5.7 and 6.2.
 */
PG_FUNCTION_INFO_V1(flakeid_uuid_generate_v7);
Datum
flakeid_uuid_generate_v7(PG_FUNCTION_ARGS)
{
	return flakeid_uuid_datum(generate_v7(&v7_state));
}

/*
 * uuid_generate_v7(shift interval) -> uuid
 *
 * The same, but moves the time by shift, as timestamptz + interval does; the
 * next id continues from the time before the move.  A shift that is infinite
 * or leads outside the field: 22008.
 */
PG_FUNCTION_INFO_V1(flakeid_uuid_generate_v7_shift);
Datum
flakeid_uuid_generate_v7_shift(PG_FUNCTION_ARGS)
{
	FlakeUuidV7State state = v7_state;
	FlakeUuid	uuid = generate_v7(&state);
	int64		unix_us = 0;
	TimestampTz ts;

	(void) flake_uuid_unix_us(uuid, &unix_us);
	ts = flakeid_timestamptz_from_unix_us(unix_us);
	ts = DatumGetTimestampTz(DirectFunctionCall2(timestamptz_pl_interval,
												 TimestampTzGetDatum(ts),
												 PG_GETARG_DATUM(0)));
	flakeid_check_instant(flake_uuid_v7_move(uuid,
											 flakeid_instant_from_timestamptz(ts),
											 &uuid),
						  "UUIDv7", &flake_uuid_v7_field, ts);
	v7_state = state;
	return flakeid_uuid_datum(uuid);
}

/*
 * uuid_v6_from_timestamptz(ts timestamptz) -> uuid
 *
 * A v6 of ts, with random clock sequence and node; does not use the state.
 * Outside 1582-10-15 .. 5236-03-31: 22008.
 */
PG_FUNCTION_INFO_V1(flakeid_uuid_v6_from_timestamptz);
Datum
flakeid_uuid_v6_from_timestamptz(PG_FUNCTION_ARGS)
{
	TimestampTz ts = PG_GETARG_TIMESTAMPTZ(0);
	FlakeUuid	uuid;

	flakeid_check_instant(flake_uuid_v6_make(flakeid_instant_from_timestamptz(ts),
											 flakeid_random64(), &uuid),
						  "UUIDv6", &flake_uuid_v6_field, ts);
	return flakeid_uuid_datum(uuid);
}

/*
 * uuid_v7_from_timestamptz(ts timestamptz) -> uuid
 *
 * A v7 of ts, with rand_a from its microseconds and random rand_b; does not
 * use the state.  Outside 1970 .. 10889-08-02: 22008.
 */
PG_FUNCTION_INFO_V1(flakeid_uuid_v7_from_timestamptz);
Datum
flakeid_uuid_v7_from_timestamptz(PG_FUNCTION_ARGS)
{
	TimestampTz ts = PG_GETARG_TIMESTAMPTZ(0);
	FlakeUuid	uuid;

	flakeid_check_instant(flake_uuid_v7_make(flakeid_instant_from_timestamptz(ts),
											 flakeid_random64(), &uuid),
						  "UUIDv7", &flake_uuid_v7_field, ts);
	return flakeid_uuid_datum(uuid);
}

/*
 * uuid_v6_from_parts(ticks bigint, clock_sequence integer, node bytea) -> uuid
 *
 * What uuid_v6_get_timestamp() and the other readers return: 60 bits of ticks,
 * 14 of clock sequence, 6 bytes of node, else 22023.
 */
PG_FUNCTION_INFO_V1(flakeid_uuid_v6_from_parts);
Datum
flakeid_uuid_v6_from_parts(PG_FUNCTION_ARGS)
{
	uint64		ticks = flakeid_check_timestamp(PG_GETARG_INT64(0),
												flake_uuid_v6_field.last_tick);
	int32		clock_sequence = PG_GETARG_INT32(1);
	uint64		node = flakeid_getarg_bytes(fcinfo, 2, "node", FLAKE_NODE_BITS);

	flakeid_check_field(flake_check_field(clock_sequence,
										  FLAKE_CLOCK_SEQUENCE_BITS),
						"clock sequence", clock_sequence,
						FLAKE_CLOCK_SEQUENCE_BITS);
	return flakeid_uuid_datum(flake_uuid_pack(6, ticks,
											  (uint64) clock_sequence <<
											  FLAKE_NODE_BITS | node));
}

/*
 * uuid_v7_from_parts(ticks bigint, rand_a integer, rand_b bytea) -> uuid
 *
 * What the readers return: 48 bits of milliseconds since 1970, 12 of rand_a,
 * 62 of rand_b in 8 bytes, else 22023.
 */
PG_FUNCTION_INFO_V1(flakeid_uuid_v7_from_parts);
Datum
flakeid_uuid_v7_from_parts(PG_FUNCTION_ARGS)
{
	uint64		unix_ms = flakeid_check_timestamp(PG_GETARG_INT64(0),
												  flake_uuid_v7_field.last_tick);
	int32		rand_a = PG_GETARG_INT32(1);
	uint64		rand_b = flakeid_getarg_bytes(fcinfo, 2, "field rand_b",
											  FLAKE_UUID_LOW_BITS);

	flakeid_check_field(flake_check_field(rand_a, FLAKE_RAND_A_BITS),
						"field rand_a", rand_a, FLAKE_RAND_A_BITS);
	return flakeid_uuid_datum(flake_uuid_pack(7, unix_ms << FLAKE_RAND_A_BITS |
											  (uint64) rand_a, rand_b));
}

/*
 * uuid_v6_min(ts timestamptz) -> uuid, uuid_v7_min(ts timestamptz) -> uuid
 *
 * Smallest v6 of the microsecond of ts; smallest v7 of its millisecond, from
 * any generator.  Outside the field: 22008.
 */
PG_FUNCTION_INFO_V1(flakeid_uuid_v6_min);
Datum
flakeid_uuid_v6_min(PG_FUNCTION_ARGS)
{
	TimestampTz ts = PG_GETARG_TIMESTAMPTZ(0);
	FlakeUuid	uuid;

	flakeid_check_instant(flake_uuid_v6_min(flakeid_instant_from_timestamptz(ts),
											&uuid),
						  "UUIDv6", &flake_uuid_v6_field, ts);
	return flakeid_uuid_datum(uuid);
}

PG_FUNCTION_INFO_V1(flakeid_uuid_v7_min);
Datum
flakeid_uuid_v7_min(PG_FUNCTION_ARGS)
{
	TimestampTz ts = PG_GETARG_TIMESTAMPTZ(0);
	FlakeUuid	uuid;

	flakeid_check_instant(flake_uuid_v7_min(flakeid_instant_from_timestamptz(ts),
											&uuid),
						  "UUIDv7", &flake_uuid_v7_field, ts);
	return flakeid_uuid_datum(uuid);
}
