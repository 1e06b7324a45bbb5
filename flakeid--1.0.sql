/* flakeid--1.0.sql */

-- complain if script is sourced in psql, rather than via CREATE EXTENSION
\echo Use "CREATE EXTENSION flakeid" to load this file. \quit

-- Functions in SQL are there for the planner to inline: not STRICT, without a
-- SET clause, and with a parsed body, which binds every name now and keeps
-- the extension relocatable.

-- UUID: generators

CREATE FUNCTION uuid_generate_v7() RETURNS uuid
	AS 'MODULE_PATHNAME', 'flakeid_uuid_generate_v7'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_v7() IS
	'new UUIDv7 (RFC 9562), strictly increasing in a session';

CREATE FUNCTION uuid_generate_v7(shift interval) RETURNS uuid
	AS 'MODULE_PATHNAME', 'flakeid_uuid_generate_v7_shift'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_v7(interval) IS
	'new UUIDv7 (RFC 9562) with its time moved by an interval';

CREATE FUNCTION uuid_generate_v6() RETURNS uuid
	AS 'MODULE_PATHNAME', 'flakeid_uuid_generate_v6'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_v6() IS
	'new UUIDv6 (RFC 9562), strictly increasing in a session';

CREATE FUNCTION uuid_generate_v7_draft(unit text DEFAULT 'ms') RETURNS uuid
	AS 'MODULE_PATHNAME', 'flakeid_uuid_generate_v7_draft'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_v7_draft(text) IS
	'new UUIDv7 as draft-peabody-dispatch-new-uuid-format-01 had it, with precision ms, us or ns';

CREATE FUNCTION uuid_generate_v8(timestamp_bits integer DEFAULT 48) RETURNS uuid
	AS 'MODULE_PATHNAME', 'flakeid_uuid_generate_v8'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_v8(integer) IS
	'new UUIDv8 with 32 (s), 48 (ms), 60 (10 ns) or 64 (ns) bits of time';

-- UUID: reading

CREATE FUNCTION uuid_get_version(id uuid) RETURNS integer
	AS 'MODULE_PATHNAME', 'flakeid_uuid_get_version'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_get_version(uuid) IS
	'version of a UUID, NULL outside variant rfc9562';

CREATE FUNCTION uuid_get_variant(id uuid) RETURNS text
	AS 'MODULE_PATHNAME', 'flakeid_uuid_get_variant'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_get_variant(uuid) IS
	'variant of a UUID: ncs, rfc9562, microsoft or future';

CREATE FUNCTION uuid_get_clock_sequence(id uuid) RETURNS integer
	AS 'MODULE_PATHNAME', 'flakeid_uuid_get_clock_sequence'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_get_clock_sequence(uuid) IS
	'clock sequence of a UUIDv1 or UUIDv6';

CREATE FUNCTION uuid_get_node(id uuid) RETURNS bytea
	AS 'MODULE_PATHNAME', 'flakeid_uuid_get_node'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_get_node(uuid) IS
	'node of a UUIDv1 or UUIDv6, 6 bytes';

CREATE FUNCTION uuid_to_timestamptz(id uuid) RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'flakeid_uuid_to_timestamptz'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_timestamptz(uuid) IS
	'time of a UUIDv1, UUIDv6 or UUIDv7 (RFC 9562), NULL for the rest';

CREATE FUNCTION uuid_v6_to_timestamptz(id uuid) RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v6_to_timestamptz'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v6_to_timestamptz(uuid) IS
	'time of a UUIDv6';

CREATE FUNCTION uuid_v7_to_timestamptz(id uuid) RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v7_to_timestamptz'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_to_timestamptz(uuid) IS
	'time of a UUIDv7 (RFC 9562), to the millisecond';

CREATE FUNCTION uuid_v6_to_timestamp(id uuid) RETURNS timestamp
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v6_to_timestamp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v6_to_timestamp(uuid) IS
	'time of a UUIDv6, in UTC';

CREATE FUNCTION uuid_v7_to_timestamp(id uuid) RETURNS timestamp
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v7_to_timestamp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_to_timestamp(uuid) IS
	'time of a UUIDv7 (RFC 9562), to the millisecond, in UTC';

CREATE FUNCTION uuid_v7_draft_to_timestamptz(id uuid) RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v7_draft_to_timestamptz'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_draft_to_timestamptz(uuid) IS
	'time of a UUIDv7 of draft-peabody-dispatch-new-uuid-format-01';

CREATE FUNCTION uuid_v7_draft_get_sequence(id uuid, unit text DEFAULT 'ms')
	RETURNS integer
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v7_draft_get_sequence'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_draft_get_sequence(uuid, text) IS
	'sequence of a UUIDv7 of draft-peabody-dispatch-new-uuid-format-01';

CREATE FUNCTION uuid_v8_to_timestamptz(id uuid, timestamp_bits integer)
	RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v8_to_timestamptz'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v8_to_timestamptz(uuid, integer) IS
	'time of a UUIDv8 with 32, 48, 60 or 64 bits of time';

CREATE FUNCTION uuid_v8_get_sequence(id uuid, timestamp_bits integer)
	RETURNS integer
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v8_get_sequence'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v8_get_sequence(uuid, integer) IS
	'sequence of a UUIDv8 with 32, 48, 60 or 64 bits of time';

-- UUID: conversion

CREATE FUNCTION uuid_v1_to_v6(id uuid) RETURNS uuid
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v1_to_v6'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v1_to_v6(uuid) IS
	'UUIDv1 as the UUIDv6 of the same time, clock sequence and node';

CREATE FUNCTION uuid_v6_to_v1(id uuid) RETURNS uuid
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v6_to_v1'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v6_to_v1(uuid) IS
	'UUIDv6 as the UUIDv1 of the same time, clock sequence and node';

-- UUID: ids of a given time

CREATE FUNCTION uuid_v6_from_timestamptz(ts timestamptz) RETURNS uuid
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v6_from_timestamptz'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v6_from_timestamptz(timestamptz) IS
	'UUIDv6 of a time, the rest random';

CREATE FUNCTION uuid_v7_from_timestamptz(ts timestamptz) RETURNS uuid
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v7_from_timestamptz'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_from_timestamptz(timestamptz) IS
	'UUIDv7 (RFC 9562) of a time, the rest random';

CREATE FUNCTION uuid_v7_draft_from_timestamptz(ts timestamptz,
											   unit text DEFAULT 'ms')
	RETURNS uuid
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v7_draft_from_timestamptz'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_draft_from_timestamptz(timestamptz, text) IS
	'UUIDv7 of draft-peabody-dispatch-new-uuid-format-01 of a time, the rest random';

CREATE FUNCTION uuid_v8_from_timestamptz(ts timestamptz, timestamp_bits integer)
	RETURNS uuid
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v8_from_timestamptz'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v8_from_timestamptz(timestamptz, integer) IS
	'UUIDv8 of a time in 32, 48, 60 or 64 bits, the rest random';

-- UUID: bounds and ranges

CREATE FUNCTION uuid_v6_min(ts timestamptz) RETURNS uuid
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v6_min'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v6_min(timestamptz) IS
	'least UUIDv6 of a time';

CREATE FUNCTION uuid_v6_max(ts timestamptz) RETURNS uuid
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v6_max'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v6_max(timestamptz) IS
	'greatest UUIDv6 of the microsecond of a time';

CREATE FUNCTION uuid_v7_min(ts timestamptz) RETURNS uuid
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v7_min'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_min(timestamptz) IS
	'least UUIDv7 (RFC 9562) of the millisecond of a time';

CREATE FUNCTION uuid_v7_max(ts timestamptz) RETURNS uuid
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v7_max'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_max(timestamptz) IS
	'greatest UUIDv7 (RFC 9562) of the millisecond of a time';

CREATE FUNCTION uuid_v6_between(id uuid, from_ts timestamptz, to_ts timestamptz)
	RETURNS boolean
	LANGUAGE SQL IMMUTABLE PARALLEL SAFE
	RETURN id OPERATOR(pg_catalog.>=) uuid_v6_min(from_ts)
	AND id OPERATOR(pg_catalog.<) uuid_v6_min(to_ts);
COMMENT ON FUNCTION uuid_v6_between(uuid, timestamptz, timestamptz) IS
	'is the UUIDv6 of from_ts or later, and before to_ts?';

CREATE FUNCTION uuid_v7_between(id uuid, from_ts timestamptz, to_ts timestamptz)
	RETURNS boolean
	LANGUAGE SQL IMMUTABLE PARALLEL SAFE
	RETURN id OPERATOR(pg_catalog.>=) uuid_v7_min(from_ts)
	AND id OPERATOR(pg_catalog.<) uuid_v7_min(to_ts);
COMMENT ON FUNCTION uuid_v7_between(uuid, timestamptz, timestamptz) IS
	'is the UUIDv7 (RFC 9562) of from_ts or later, and before to_ts?';

CREATE FUNCTION uuid_timestamptz_to_v6(ts timestamptz,
									   zero boolean DEFAULT false)
	RETURNS uuid
	LANGUAGE SQL VOLATILE PARALLEL SAFE
	RETURN CASE WHEN zero THEN uuid_v6_min(ts)
	WHEN NOT zero THEN uuid_v6_from_timestamptz(ts) END;
COMMENT ON FUNCTION uuid_timestamptz_to_v6(timestamptz, boolean) IS
	'UUIDv6 of a time, the rest random or, with zero, the least one';

CREATE FUNCTION uuid_timestamptz_to_v7(ts timestamptz,
									   zero boolean DEFAULT false)
	RETURNS uuid
	LANGUAGE SQL VOLATILE PARALLEL SAFE
	RETURN CASE WHEN zero THEN uuid_v7_min(ts)
	WHEN NOT zero THEN uuid_v7_from_timestamptz(ts) END;
COMMENT ON FUNCTION uuid_timestamptz_to_v7(timestamptz, boolean) IS
	'UUIDv7 (RFC 9562) of a time, the rest random or, with zero, the least one';

CREATE FUNCTION uuid_timestamp_to_v6(ts timestamp, zero boolean DEFAULT false)
	RETURNS uuid
	LANGUAGE SQL VOLATILE PARALLEL SAFE
	RETURN CASE WHEN zero THEN uuid_v6_min(ts AT TIME ZONE 'UTC')
	WHEN NOT zero THEN uuid_v6_from_timestamptz(ts AT TIME ZONE 'UTC') END;
COMMENT ON FUNCTION uuid_timestamp_to_v6(timestamp, boolean) IS
	'UUIDv6 of a time in UTC, the rest random or, with zero, the least one';

CREATE FUNCTION uuid_timestamp_to_v7(ts timestamp, zero boolean DEFAULT false)
	RETURNS uuid
	LANGUAGE SQL VOLATILE PARALLEL SAFE
	RETURN CASE WHEN zero THEN uuid_v7_min(ts AT TIME ZONE 'UTC')
	WHEN NOT zero THEN uuid_v7_from_timestamptz(ts AT TIME ZONE 'UTC') END;
COMMENT ON FUNCTION uuid_timestamp_to_v7(timestamp, boolean) IS
	'UUIDv7 (RFC 9562) of a time in UTC, the rest random or, with zero, the least one';
