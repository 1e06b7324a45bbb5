/*
 * sql_uuid_read.c
 *		SQL functions that read UUIDs of version 1, 6 and 7, and convert between
 *		versions 1 and 6.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "fmgr.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "pg/clock.h"
#include "pg/error.h"
#include "pg/sql_uuid.h"

/*
 * uuid_get_version(id uuid) -> integer
 *
 * 0 .. 15; NULL outside variant rfc9562.  RFC 9562, 4.2.
 */
PG_FUNCTION_INFO_V1(flakeid_uuid_get_version);
Datum
flakeid_uuid_get_version(PG_FUNCTION_ARGS)
{
	int			version = flake_uuid_version(flakeid_getarg_uuid(fcinfo, 0));

	if (version < 0)
		PG_RETURN_NULL();
	PG_RETURN_INT32(version);
}

/*
 * uuid_get_variant(id uuid) -> text
 *
 * ncs, rfc9562, microsoft or future.  RFC 9562, 4.1.
 */
PG_FUNCTION_INFO_V1(flakeid_uuid_get_variant);
Datum
flakeid_uuid_get_variant(PG_FUNCTION_ARGS)
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
PG_FUNCTION_INFO_V1(flakeid_uuid_to_timestamptz);
Datum
flakeid_uuid_to_timestamptz(PG_FUNCTION_ARGS)
{
	int64		unix_us;

	if (flake_uuid_unix_us(flakeid_getarg_uuid(fcinfo, 0),
						   &unix_us) != FLAKE_OK)
		PG_RETURN_NULL();
	PG_RETURN_TIMESTAMPTZ(flakeid_timestamptz_from_unix_us(unix_us));
}

/* Ticks of the id argument, which must be a v1 or v6, else 22023. */
static uint64
getarg_ticks(FunctionCallInfo fcinfo)
{
	uint64		ticks = 0;

	flakeid_check_version(flake_uuid_ticks(flakeid_getarg_uuid(fcinfo, 0),
										   &ticks),
						  "UUIDv1 or UUIDv6", PG_GETARG_UUID_P(0));
	return ticks;
}

/*
 * uuid_v6_to_timestamptz(id uuid) -> timestamptz
 *
 * Version 6, or 1, whose fields are the same in another order; truncated to
 * the microsecond.  Another version: 22023.  RFC 9562, 5.1 and 5.6.
 */
PG_FUNCTION_INFO_V1(flakeid_uuid_v6_to_timestamptz);
Datum
flakeid_uuid_v6_to_timestamptz(PG_FUNCTION_ARGS)
{
	int64		unix_us = flake_ticks_to_unix_us(&flake_uuid_v6_field,
												 getarg_ticks(fcinfo));

	PG_RETURN_TIMESTAMPTZ(flakeid_timestamptz_from_unix_us(unix_us));
}

/*
 * uuid_v6_get_timestamp(id uuid) -> bigint
 *
 * Ticks of 100 ns since 1582-10-15, 60 bits.  Versions 1 and 6, else 22023.
 */
PG_FUNCTION_INFO_V1(flakeid_uuid_v6_get_timestamp);
Datum
flakeid_uuid_v6_get_timestamp(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT64((int64) getarg_ticks(fcinfo));
}

/*
 * uuid_v6_get_clock_sequence(id uuid) -> integer
 *
 * 0 .. 16383.  Versions 1 and 6, else 22023.  RFC 9562, 5.1 and 5.6.
 */
PG_FUNCTION_INFO_V1(flakeid_uuid_v6_get_clock_sequence);
Datum
flakeid_uuid_v6_get_clock_sequence(PG_FUNCTION_ARGS)
{
	uint32		clock_sequence = 0;

	flakeid_check_version(flake_uuid_clock_sequence(flakeid_getarg_uuid(fcinfo, 0),
													&clock_sequence),
						  "UUIDv1 or UUIDv6", PG_GETARG_UUID_P(0));
	PG_RETURN_INT32((int32) clock_sequence);
}

/*
 * uuid_v6_get_node(id uuid) -> bytea
 *
 * 6 bytes.  Versions 1 and 6, else 22023.  RFC 9562, 5.1 and 5.6.
 */
PG_FUNCTION_INFO_V1(flakeid_uuid_v6_get_node);
Datum
flakeid_uuid_v6_get_node(PG_FUNCTION_ARGS)
{
	uint64		node = 0;

	flakeid_check_version(flake_uuid_node(flakeid_getarg_uuid(fcinfo, 0),
										  &node),
						  "UUIDv1 or UUIDv6", PG_GETARG_UUID_P(0));
	return flakeid_bytes_datum(node, FLAKE_NODE_BITS);
}

/* Fields of the id argument, which must be a v7, else 22023. */
static FlakeUuidV7Fields
getarg_v7(FunctionCallInfo fcinfo)
{
	FlakeUuidV7Fields fields = {0};

	flakeid_check_version(flake_uuid_v7_fields(flakeid_getarg_uuid(fcinfo, 0),
											   &fields),
						  "UUIDv7", PG_GETARG_UUID_P(0));
	return fields;
}

static TimestampTz
v7_time(FunctionCallInfo fcinfo)
{
	return flakeid_timestamptz_from_unix_ms((int64) getarg_v7(fcinfo).unix_ts_ms);
}

/*
 * uuid_v7_to_timestamptz(id uuid) -> timestamptz
 * uuid_v7_to_timestamp(id uuid) -> timestamp in UTC
 *
 * To the millisecond.  Another version: 22023.  RFC 9562, 5.7.
 */
PG_FUNCTION_INFO_V1(flakeid_uuid_v7_to_timestamptz);
Datum
flakeid_uuid_v7_to_timestamptz(PG_FUNCTION_ARGS)
{
	PG_RETURN_TIMESTAMPTZ(v7_time(fcinfo));
}

PG_FUNCTION_INFO_V1(flakeid_uuid_v7_to_timestamp);
Datum
flakeid_uuid_v7_to_timestamp(PG_FUNCTION_ARGS)
{
	PG_RETURN_TIMESTAMP(v7_time(fcinfo));
}

/*
 * uuid_v7_get_timestamp(id uuid) -> bigint
 * uuid_v7_get_rand_a(id uuid) -> integer
 * uuid_v7_get_rand_b(id uuid) -> bytea
 *
 * Milliseconds since 1970, 48 bits; 0 .. 4095; 62 bits, right-aligned in 8
 * bytes.  Another version: 22023.  RFC 9562, 5.7.
 */
PG_FUNCTION_INFO_V1(flakeid_uuid_v7_get_timestamp);
Datum
flakeid_uuid_v7_get_timestamp(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT64((int64) getarg_v7(fcinfo).unix_ts_ms);
}

PG_FUNCTION_INFO_V1(flakeid_uuid_v7_get_rand_a);
Datum
flakeid_uuid_v7_get_rand_a(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT32((int32) getarg_v7(fcinfo).rand_a);
}

PG_FUNCTION_INFO_V1(flakeid_uuid_v7_get_rand_b);
Datum
flakeid_uuid_v7_get_rand_b(PG_FUNCTION_ARGS)
{
	return flakeid_bytes_datum(getarg_v7(fcinfo).rand_b, FLAKE_UUID_LOW_BITS);
}

/*
 * uuid_v1_to_v6(id uuid) -> uuid, uuid_v6_to_v1(id uuid) -> uuid
 *
 * Reorders the timestamp; clock sequence and node are unchanged.  Another
 * version: 22023.  RFC 9562, 5.6.
 */
PG_FUNCTION_INFO_V1(flakeid_uuid_v1_to_v6);
Datum
flakeid_uuid_v1_to_v6(PG_FUNCTION_ARGS)
{
	FlakeUuid	v6 = {0};

	flakeid_check_version(flake_uuid_v1_to_v6(flakeid_getarg_uuid(fcinfo, 0), &v6),
						  "UUIDv1", PG_GETARG_UUID_P(0));
	return flakeid_uuid_datum(v6);
}

PG_FUNCTION_INFO_V1(flakeid_uuid_v6_to_v1);
Datum
flakeid_uuid_v6_to_v1(PG_FUNCTION_ARGS)
{
	FlakeUuid	v1 = {0};

	flakeid_check_version(flake_uuid_v6_to_v1(flakeid_getarg_uuid(fcinfo, 0), &v1),
						  "UUIDv6", PG_GETARG_UUID_P(0));
	return flakeid_uuid_datum(v1);
}
