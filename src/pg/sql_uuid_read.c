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
 * uuid_get_clock_sequence(id uuid) -> integer
 *
 * 0 .. 16383.  Versions 1 and 6, else 22023.  RFC 9562, 5.1 and 5.6.
 */
PG_FUNCTION_INFO_V1(flakeid_uuid_get_clock_sequence);
Datum
flakeid_uuid_get_clock_sequence(PG_FUNCTION_ARGS)
{
	uint32		clock_sequence = 0;

	flakeid_check_version(flake_uuid_clock_sequence(flakeid_getarg_uuid(fcinfo, 0),
													&clock_sequence),
						  "UUIDv1 or UUIDv6", PG_GETARG_UUID_P(0));
	PG_RETURN_INT32((int32) clock_sequence);
}

/*
 * uuid_get_node(id uuid) -> bytea
 *
 * 6 bytes.  Versions 1 and 6, else 22023.  RFC 9562, 5.1 and 5.6.
 */
PG_FUNCTION_INFO_V1(flakeid_uuid_get_node);
Datum
flakeid_uuid_get_node(PG_FUNCTION_ARGS)
{
	uint64		node = 0;

	flakeid_check_version(flake_uuid_node(flakeid_getarg_uuid(fcinfo, 0),
										  &node),
						  "UUIDv1 or UUIDv6", PG_GETARG_UUID_P(0));
	return flakeid_node_datum(node, FLAKE_NODE_BITS);
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

/* Time of a uuid, which must have the version, else 22023. */
static TimestampTz
time_of_version(const pg_uuid_t *id, int version, const char *format)
{
	FlakeUuid	uuid = flake_uuid_load(id->data);
	int64		unix_us = 0;

	flakeid_check_version(flake_uuid_is_version(uuid, version) ?
						  flake_uuid_unix_us(uuid, &unix_us) :
						  FLAKE_WRONG_VERSION, format, id);
	return flakeid_timestamptz_from_unix_us(unix_us);
}

/*
 * uuid_v6_to_timestamptz(id uuid) -> timestamptz
 *
 * Truncated to the microsecond.  Another version: 22023.  RFC 9562, 5.6.
 */
PG_FUNCTION_INFO_V1(flakeid_uuid_v6_to_timestamptz);
Datum
flakeid_uuid_v6_to_timestamptz(PG_FUNCTION_ARGS)
{
	PG_RETURN_TIMESTAMPTZ(time_of_version(PG_GETARG_UUID_P(0), 6, "UUIDv6"));
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
	PG_RETURN_TIMESTAMPTZ(time_of_version(PG_GETARG_UUID_P(0), 7, "UUIDv7"));
}

PG_FUNCTION_INFO_V1(flakeid_uuid_v7_to_timestamp);
Datum
flakeid_uuid_v7_to_timestamp(PG_FUNCTION_ARGS)
{
	PG_RETURN_TIMESTAMP(time_of_version(PG_GETARG_UUID_P(0), 7, "UUIDv7"));
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
