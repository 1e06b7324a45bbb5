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
	'new UUIDv7 (RFC 9562), strictly increasing in a process';

CREATE FUNCTION uuid_generate_v7(shift interval) RETURNS uuid
	AS 'MODULE_PATHNAME', 'flakeid_uuid_generate_v7_shift'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_v7(interval) IS
	'new UUIDv7 (RFC 9562) with its time moved by an interval';

CREATE FUNCTION uuid_generate_v6() RETURNS uuid
	AS 'MODULE_PATHNAME', 'flakeid_uuid_generate_v6'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_v6() IS
	'new UUIDv6 (RFC 9562), strictly increasing in a process';

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

CREATE FUNCTION uuid_v7_draft_get_node(id uuid, unit text DEFAULT 'ms')
	RETURNS bytea
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v7_draft_get_node'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_draft_get_node(uuid, text) IS
	'node of a UUIDv7 of draft-peabody-dispatch-new-uuid-format-01';

CREATE FUNCTION uuid_v8_to_timestamptz(id uuid,
									   timestamp_bits integer DEFAULT 48)
	RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v8_to_timestamptz'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v8_to_timestamptz(uuid, integer) IS
	'time of a UUIDv8 with 32, 48, 60 or 64 bits of time';

CREATE FUNCTION uuid_v8_get_sequence(id uuid, timestamp_bits integer DEFAULT 48)
	RETURNS integer
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v8_get_sequence'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v8_get_sequence(uuid, integer) IS
	'sequence of a UUIDv8 with 32, 48, 60 or 64 bits of time';

CREATE FUNCTION uuid_v8_get_node(id uuid, timestamp_bits integer DEFAULT 48)
	RETURNS bytea
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v8_get_node'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v8_get_node(uuid, integer) IS
	'node of a UUIDv8 with 32, 48, 60 or 64 bits of time';

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

-- UUID: short text

CREATE FUNCTION uuid_to_base32(id uuid) RETURNS text
	AS 'MODULE_PATHNAME', 'flakeid_uuid_to_base32'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_base32(uuid) IS
	'UUID as 26 digits of Crockford''s base 32, the text of a ULID';

CREATE FUNCTION uuid_from_base32(t text) RETURNS uuid
	AS 'MODULE_PATHNAME', 'flakeid_uuid_from_base32'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_from_base32(text) IS
	'UUID of 26 digits of Crockford''s base 32, as of a ULID';

CREATE FUNCTION uuid_to_base58(id uuid) RETURNS text
	AS 'MODULE_PATHNAME', 'flakeid_uuid_to_base58'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_base58(uuid) IS
	'UUID in base 58, 1 to 22 digits';

CREATE FUNCTION uuid_from_base58(t text) RETURNS uuid
	AS 'MODULE_PATHNAME', 'flakeid_uuid_from_base58'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_from_base58(text) IS
	'UUID of 1 to 22 digits of base 58';

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

CREATE FUNCTION uuid_v8_from_timestamptz(ts timestamptz,
										 timestamp_bits integer DEFAULT 48)
	RETURNS uuid
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v8_from_timestamptz'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v8_from_timestamptz(timestamptz, integer) IS
	'UUIDv8 of a time in 32, 48, 60 or 64 bits, the rest random';

CREATE FUNCTION uuid_v6_from_parts(ts timestamptz, clock_sequence integer,
								   node bytea)
	RETURNS uuid
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v6_from_parts'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v6_from_parts(timestamptz, integer, bytea) IS
	'UUIDv6 of a time, a clock sequence and 6 bytes of node';

CREATE FUNCTION uuid_v8_from_parts(ts timestamptz, sequence integer,
								   node bytea,
								   timestamp_bits integer DEFAULT 48)
	RETURNS uuid
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v8_from_parts'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v8_from_parts(timestamptz, integer, bytea, integer) IS
	'UUIDv8 of a time in 32, 48, 60 or 64 bits, a sequence and a node';

-- Ranges: what the planner asks

CREATE FUNCTION flakeid_between_support(internal) RETURNS internal
	AS 'MODULE_PATHNAME', 'flakeid_flakeid_between_support'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION flakeid_between_support(internal) IS
	'planner support of ranges of time';

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

CREATE FUNCTION uuid_v6_first(ts timestamptz) RETURNS uuid
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v6_first'
	LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v6_first(timestamptz) IS
	'least UUIDv6 of the microsecond of a time or later: any time is a bound';

CREATE FUNCTION uuid_v6_between(id uuid, from_ts timestamptz, to_ts timestamptz)
	RETURNS boolean
	LANGUAGE SQL IMMUTABLE PARALLEL SAFE
	SUPPORT flakeid_between_support
	RETURN id OPERATOR(pg_catalog.>=) uuid_v6_first(from_ts)
	AND id OPERATOR(pg_catalog.<) uuid_v6_first(to_ts);
COMMENT ON FUNCTION uuid_v6_between(uuid, timestamptz, timestamptz) IS
	'is the UUIDv6 of from_ts or later, and before to_ts?';

CREATE FUNCTION uuid_v7_first(ts timestamptz) RETURNS uuid
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v7_first'
	LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_first(timestamptz) IS
	'least UUIDv7 (RFC 9562) of the millisecond of a time or later: any time is a bound';

CREATE FUNCTION uuid_v7_between(id uuid, from_ts timestamptz, to_ts timestamptz)
	RETURNS boolean
	LANGUAGE SQL IMMUTABLE PARALLEL SAFE
	SUPPORT flakeid_between_support
	RETURN id OPERATOR(pg_catalog.>=) uuid_v7_first(from_ts)
	AND id OPERATOR(pg_catalog.<) uuid_v7_first(to_ts);
COMMENT ON FUNCTION uuid_v7_between(uuid, timestamptz, timestamptz) IS
	'is the UUIDv7 (RFC 9562) of from_ts or later, and before to_ts?';

CREATE FUNCTION uuid_v7_draft_min(ts timestamptz, unit text DEFAULT 'ms')
	RETURNS uuid
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v7_draft_min'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_draft_min(timestamptz, text) IS
	'least UUIDv7 of draft-peabody-dispatch-new-uuid-format-01 of the step of a time';

CREATE FUNCTION uuid_v7_draft_max(ts timestamptz, unit text DEFAULT 'ms')
	RETURNS uuid
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v7_draft_max'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_draft_max(timestamptz, text) IS
	'greatest UUIDv7 of draft-peabody-dispatch-new-uuid-format-01 of the step of a time';

CREATE FUNCTION uuid_v7_draft_first(ts timestamptz, unit text DEFAULT 'ms')
	RETURNS uuid
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v7_draft_first'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_draft_first(timestamptz, text) IS
	'least UUIDv7 of draft-peabody-dispatch-new-uuid-format-01 of the step of a time or later: any time is a bound';

CREATE FUNCTION uuid_v7_draft_between(id uuid, from_ts timestamptz,
	to_ts timestamptz, unit text DEFAULT 'ms')
	RETURNS boolean
	LANGUAGE SQL IMMUTABLE PARALLEL SAFE
	SUPPORT flakeid_between_support
	RETURN id OPERATOR(pg_catalog.>=) uuid_v7_draft_first(from_ts, unit)
	AND id OPERATOR(pg_catalog.<) uuid_v7_draft_first(to_ts, unit);
COMMENT ON FUNCTION uuid_v7_draft_between(uuid, timestamptz, timestamptz, text) IS
	'is the UUIDv7 of draft-peabody-dispatch-new-uuid-format-01 of from_ts or later, and before to_ts?';

CREATE FUNCTION uuid_v8_min(ts timestamptz, timestamp_bits integer DEFAULT 48)
	RETURNS uuid
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v8_min'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v8_min(timestamptz, integer) IS
	'least UUIDv8 of the step of a time';

CREATE FUNCTION uuid_v8_max(ts timestamptz, timestamp_bits integer DEFAULT 48)
	RETURNS uuid
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v8_max'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v8_max(timestamptz, integer) IS
	'greatest UUIDv8 of the step of a time';

CREATE FUNCTION uuid_v8_first(ts timestamptz, timestamp_bits integer DEFAULT 48)
	RETURNS uuid
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v8_first'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v8_first(timestamptz, integer) IS
	'least UUIDv8 of the step of a time or later: any time is a bound';

CREATE FUNCTION uuid_v8_between(id uuid, from_ts timestamptz,
	to_ts timestamptz, timestamp_bits integer DEFAULT 48)
	RETURNS boolean
	LANGUAGE SQL IMMUTABLE PARALLEL SAFE
	SUPPORT flakeid_between_support
	RETURN id OPERATOR(pg_catalog.>=) uuid_v8_first(from_ts, timestamp_bits)
	AND id OPERATOR(pg_catalog.<) uuid_v8_first(to_ts, timestamp_bits);
COMMENT ON FUNCTION uuid_v8_between(uuid, timestamptz, timestamptz, integer) IS
	'is the UUIDv8 of from_ts or later, and before to_ts?';

CREATE FUNCTION uuid_timestamptz_to_v7(ts timestamptz,
									   zero boolean DEFAULT false)
	RETURNS uuid
	LANGUAGE SQL VOLATILE PARALLEL SAFE
	RETURN CASE WHEN zero THEN uuid_v7_min(ts)
	WHEN NOT zero THEN uuid_v7_from_timestamptz(ts) END;
COMMENT ON FUNCTION uuid_timestamptz_to_v7(timestamptz, boolean) IS
	'UUIDv7 (RFC 9562) of a time, the rest random or, with zero, the least one';

CREATE FUNCTION uuid_timestamp_to_v7(ts timestamp, zero boolean DEFAULT false)
	RETURNS uuid
	LANGUAGE SQL VOLATILE PARALLEL SAFE
	RETURN CASE WHEN zero THEN uuid_v7_min(ts AT TIME ZONE 'UTC')
	WHEN NOT zero THEN uuid_v7_from_timestamptz(ts AT TIME ZONE 'UTC') END;
COMMENT ON FUNCTION uuid_timestamp_to_v7(timestamp, boolean) IS
	'UUIDv7 (RFC 9562) of a time in UTC, the rest random or, with zero, the least one';

-- FLUID

CREATE FUNCTION fluid_generate() RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_fluid_generate'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION fluid_generate() IS
	'new FLUID, strictly increasing in a process, or over the server with flakeid.sequence_scope = server';

CREATE FUNCTION fluid_to_timestamptz(id bigint) RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'flakeid_fluid_to_timestamptz'
	LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION fluid_to_timestamptz(bigint) IS
	'time of a FLUID, by the epoch in effect';

CREATE FUNCTION fluid_to_timestamptz(id bigint, epoch timestamptz)
	RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'flakeid_fluid_to_timestamptz_epoch'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION fluid_to_timestamptz(bigint, timestamptz) IS
	'time of a FLUID, by the epoch given';

CREATE FUNCTION fluid_get_generator(id bigint) RETURNS integer
	AS 'MODULE_PATHNAME', 'flakeid_fluid_get_generator'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION fluid_get_generator(bigint) IS
	'generator number of a FLUID';

CREATE FUNCTION fluid_get_sequence(id bigint) RETURNS integer
	AS 'MODULE_PATHNAME', 'flakeid_fluid_get_sequence'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION fluid_get_sequence(bigint) IS
	'sequence of a FLUID';

CREATE FUNCTION fluid_get_address(id bigint, OUT node integer, OUT slot integer,
	OUT lane integer)
	AS 'MODULE_PATHNAME', 'flakeid_fluid_get_address'
	LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION fluid_get_address(bigint) IS
	'generator number of a FLUID as the address in effect divides it';

CREATE FUNCTION fluid_from_parts(ts timestamptz, generator integer, sequence integer)
	RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_fluid_from_parts'
	LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION fluid_from_parts(timestamptz, integer, integer) IS
	'FLUID of these fields, by the epoch in effect';

CREATE FUNCTION fluid_from_parts(ts timestamptz, generator integer, sequence integer,
	epoch timestamptz)
	RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_fluid_from_parts_epoch'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION fluid_from_parts(timestamptz, integer, integer, timestamptz) IS
	'FLUID of these fields, by the epoch given';

CREATE FUNCTION fluid_min(ts timestamptz) RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_fluid_min'
	LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION fluid_min(timestamptz) IS
	'least FLUID of the millisecond of a time, by the epoch in effect';

CREATE FUNCTION fluid_min(ts timestamptz, epoch timestamptz) RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_fluid_min_epoch'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION fluid_min(timestamptz, timestamptz) IS
	'least FLUID of the millisecond of a time, by the epoch given';

CREATE FUNCTION fluid_max(ts timestamptz) RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_fluid_max'
	LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION fluid_max(timestamptz) IS
	'greatest FLUID of the millisecond of a time, by the epoch in effect';

CREATE FUNCTION fluid_max(ts timestamptz, epoch timestamptz) RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_fluid_max_epoch'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION fluid_max(timestamptz, timestamptz) IS
	'greatest FLUID of the millisecond of a time, by the epoch given';

CREATE FUNCTION fluid_before(ts timestamptz) RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_fluid_before'
	LANGUAGE C STABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION fluid_before(timestamptz) IS
	'greatest bigint before the FLUIDs of a time, by the epoch setting: any time is a bound';

CREATE FUNCTION fluid_before(ts timestamptz, epoch timestamptz) RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_fluid_before_epoch'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION fluid_before(timestamptz, timestamptz) IS
	'greatest bigint before the FLUIDs of a time, by the epoch given: any time is a bound';

CREATE FUNCTION fluid_between(id bigint, from_ts timestamptz, to_ts timestamptz)
	RETURNS boolean
	LANGUAGE SQL STABLE PARALLEL SAFE
	SUPPORT flakeid_between_support
	RETURN id OPERATOR(pg_catalog.>) fluid_before(from_ts)
	AND id OPERATOR(pg_catalog.<=) fluid_before(to_ts);
COMMENT ON FUNCTION fluid_between(bigint, timestamptz, timestamptz) IS
	'is the FLUID of from_ts or later, and before to_ts, by the epoch in effect?';

CREATE FUNCTION fluid_between(id bigint, from_ts timestamptz, to_ts timestamptz,
	epoch timestamptz)
	RETURNS boolean
	LANGUAGE SQL IMMUTABLE PARALLEL SAFE
	SUPPORT flakeid_between_support
	RETURN id OPERATOR(pg_catalog.>) fluid_before(from_ts, epoch)
	AND id OPERATOR(pg_catalog.<=) fluid_before(to_ts, epoch);
COMMENT ON FUNCTION fluid_between(bigint, timestamptz, timestamptz, timestamptz) IS
	'is the FLUID of from_ts or later, and before to_ts, by the epoch given?';

-- Nanoflake

CREATE FUNCTION nanoflake_generate() RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_nanoflake_generate'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION nanoflake_generate() IS
	'new Nanoflake, strictly increasing in a process, or over the server with flakeid.sequence_scope = server';

CREATE FUNCTION nanoflake_to_timestamptz(id bigint) RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'flakeid_nanoflake_to_timestamptz'
	LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION nanoflake_to_timestamptz(bigint) IS
	'time of a Nanoflake, by the epoch in effect';

CREATE FUNCTION nanoflake_to_timestamptz(id bigint, epoch timestamptz)
	RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'flakeid_nanoflake_to_timestamptz_epoch'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION nanoflake_to_timestamptz(bigint, timestamptz) IS
	'time of a Nanoflake, by the epoch given';

CREATE FUNCTION nanoflake_get_generator(id bigint) RETURNS integer
	AS 'MODULE_PATHNAME', 'flakeid_nanoflake_get_generator'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION nanoflake_get_generator(bigint) IS
	'generator number of a Nanoflake';

CREATE FUNCTION nanoflake_get_sequence(id bigint) RETURNS integer
	AS 'MODULE_PATHNAME', 'flakeid_nanoflake_get_sequence'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION nanoflake_get_sequence(bigint) IS
	'sequence of a Nanoflake';

CREATE FUNCTION nanoflake_get_address(id bigint, OUT node integer, OUT slot integer,
	OUT lane integer)
	AS 'MODULE_PATHNAME', 'flakeid_nanoflake_get_address'
	LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION nanoflake_get_address(bigint) IS
	'generator number of a Nanoflake as the address in effect divides it';

CREATE FUNCTION nanoflake_from_parts(ts timestamptz, generator integer, sequence integer)
	RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_nanoflake_from_parts'
	LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION nanoflake_from_parts(timestamptz, integer, integer) IS
	'Nanoflake of these fields, by the epoch in effect';

CREATE FUNCTION nanoflake_from_parts(ts timestamptz, generator integer, sequence integer,
	epoch timestamptz)
	RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_nanoflake_from_parts_epoch'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION nanoflake_from_parts(timestamptz, integer, integer, timestamptz) IS
	'Nanoflake of these fields, by the epoch given';

CREATE FUNCTION nanoflake_min(ts timestamptz) RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_nanoflake_min'
	LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION nanoflake_min(timestamptz) IS
	'least Nanoflake of the millisecond of a time, by the epoch in effect';

CREATE FUNCTION nanoflake_min(ts timestamptz, epoch timestamptz) RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_nanoflake_min_epoch'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION nanoflake_min(timestamptz, timestamptz) IS
	'least Nanoflake of the millisecond of a time, by the epoch given';

CREATE FUNCTION nanoflake_max(ts timestamptz) RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_nanoflake_max'
	LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION nanoflake_max(timestamptz) IS
	'greatest Nanoflake of the millisecond of a time, by the epoch in effect';

CREATE FUNCTION nanoflake_max(ts timestamptz, epoch timestamptz) RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_nanoflake_max_epoch'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION nanoflake_max(timestamptz, timestamptz) IS
	'greatest Nanoflake of the millisecond of a time, by the epoch given';

CREATE FUNCTION nanoflake_before(ts timestamptz) RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_nanoflake_before'
	LANGUAGE C STABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION nanoflake_before(timestamptz) IS
	'greatest bigint before the Nanoflakes of a time, by the epoch setting: any time is a bound';

CREATE FUNCTION nanoflake_before(ts timestamptz, epoch timestamptz) RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_nanoflake_before_epoch'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION nanoflake_before(timestamptz, timestamptz) IS
	'greatest bigint before the Nanoflakes of a time, by the epoch given: any time is a bound';

CREATE FUNCTION nanoflake_between(id bigint, from_ts timestamptz, to_ts timestamptz)
	RETURNS boolean
	LANGUAGE SQL STABLE PARALLEL SAFE
	SUPPORT flakeid_between_support
	RETURN id OPERATOR(pg_catalog.>) nanoflake_before(from_ts)
	AND id OPERATOR(pg_catalog.<=) nanoflake_before(to_ts);
COMMENT ON FUNCTION nanoflake_between(bigint, timestamptz, timestamptz) IS
	'is the Nanoflake of from_ts or later, and before to_ts, by the epoch in effect?';

CREATE FUNCTION nanoflake_between(id bigint, from_ts timestamptz, to_ts timestamptz,
	epoch timestamptz)
	RETURNS boolean
	LANGUAGE SQL IMMUTABLE PARALLEL SAFE
	SUPPORT flakeid_between_support
	RETURN id OPERATOR(pg_catalog.>) nanoflake_before(from_ts, epoch)
	AND id OPERATOR(pg_catalog.<=) nanoflake_before(to_ts, epoch);
COMMENT ON FUNCTION nanoflake_between(bigint, timestamptz, timestamptz, timestamptz) IS
	'is the Nanoflake of from_ts or later, and before to_ts, by the epoch given?';

-- Ulid-Flake

CREATE FUNCTION ulidflake_generate() RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_ulidflake_generate'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulidflake_generate() IS
	'new stand-alone Ulid-Flake, strictly increasing over the server; about 61,700 in a millisecond';

CREATE FUNCTION ulidflake_generate_scalable() RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_ulidflake_generate_scalable'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulidflake_generate_scalable() IS
	'new scalable Ulid-Flake, strictly increasing over the server; about 1,900 in a millisecond';

CREATE FUNCTION ulidflake_to_timestamptz(id bigint) RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'flakeid_ulidflake_to_timestamptz'
	LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulidflake_to_timestamptz(bigint) IS
	'time of a Ulid-Flake, by the epoch in effect';

CREATE FUNCTION ulidflake_to_timestamptz(id bigint, epoch timestamptz)
	RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'flakeid_ulidflake_to_timestamptz_epoch'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulidflake_to_timestamptz(bigint, timestamptz) IS
	'time of a Ulid-Flake, by the epoch given';

CREATE FUNCTION ulidflake_get_random(id bigint) RETURNS integer
	AS 'MODULE_PATHNAME', 'flakeid_ulidflake_get_random'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulidflake_get_random(bigint) IS
	'randomness of a stand-alone Ulid-Flake, 20 bits';

CREATE FUNCTION ulidflake_scalable_get_random(id bigint) RETURNS integer
	AS 'MODULE_PATHNAME', 'flakeid_ulidflake_scalable_get_random'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulidflake_scalable_get_random(bigint) IS
	'randomness of a scalable Ulid-Flake, 15 bits';

CREATE FUNCTION ulidflake_get_scalability(id bigint) RETURNS integer
	AS 'MODULE_PATHNAME', 'flakeid_ulidflake_get_scalability'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulidflake_get_scalability(bigint) IS
	'scalability of a scalable Ulid-Flake, 5 bits';

CREATE FUNCTION ulidflake_from_parts(ts timestamptz, random integer)
	RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_ulidflake_from_parts'
	LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulidflake_from_parts(timestamptz, integer) IS
	'stand-alone Ulid-Flake of these fields, by the epoch in effect';

CREATE FUNCTION ulidflake_from_parts(ts timestamptz, random integer,
	epoch timestamptz)
	RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_ulidflake_from_parts_epoch'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulidflake_from_parts(timestamptz, integer, timestamptz) IS
	'stand-alone Ulid-Flake of these fields, by the epoch given';

CREATE FUNCTION ulidflake_scalable_from_parts(ts timestamptz, random integer,
	scalability integer)
	RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_ulidflake_scalable_from_parts'
	LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulidflake_scalable_from_parts(timestamptz, integer, integer) IS
	'scalable Ulid-Flake of these fields, by the epoch in effect';

CREATE FUNCTION ulidflake_scalable_from_parts(ts timestamptz, random integer,
	scalability integer, epoch timestamptz)
	RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_ulidflake_scalable_from_parts_epoch'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulidflake_scalable_from_parts(timestamptz, integer, integer, timestamptz) IS
	'scalable Ulid-Flake of these fields, by the epoch given';

CREATE FUNCTION ulidflake_from_timestamptz(ts timestamptz) RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_ulidflake_from_timestamptz'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulidflake_from_timestamptz(timestamptz) IS
	'stand-alone Ulid-Flake of a time with random bits, by the epoch in effect';

CREATE FUNCTION ulidflake_scalable_from_timestamptz(ts timestamptz) RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_ulidflake_scalable_from_timestamptz'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulidflake_scalable_from_timestamptz(timestamptz) IS
	'scalable Ulid-Flake of a time with random bits and the scalability in effect, by the epoch in effect';

CREATE FUNCTION ulidflake_min(ts timestamptz)
	RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_ulidflake_min'
	LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulidflake_min(timestamptz) IS
	'least Ulid-Flake of the millisecond of a time, by the epoch in effect';

CREATE FUNCTION ulidflake_min(ts timestamptz, epoch timestamptz)
	RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_ulidflake_min_epoch'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulidflake_min(timestamptz, timestamptz) IS
	'least Ulid-Flake of the millisecond of a time, by the epoch given';

CREATE FUNCTION ulidflake_max(ts timestamptz)
	RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_ulidflake_max'
	LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulidflake_max(timestamptz) IS
	'greatest Ulid-Flake of the millisecond of a time, by the epoch in effect';

CREATE FUNCTION ulidflake_max(ts timestamptz, epoch timestamptz)
	RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_ulidflake_max_epoch'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulidflake_max(timestamptz, timestamptz) IS
	'greatest Ulid-Flake of the millisecond of a time, by the epoch given';

CREATE FUNCTION ulidflake_before(ts timestamptz)
	RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_ulidflake_before'
	LANGUAGE C STABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION ulidflake_before(timestamptz) IS
	'greatest bigint before the Ulid-Flakes of a time, by the epoch in effect: any time is a bound';

CREATE FUNCTION ulidflake_before(ts timestamptz, epoch timestamptz)
	RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_ulidflake_before_epoch'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulidflake_before(timestamptz, timestamptz) IS
	'greatest bigint before the Ulid-Flakes of a time, by the epoch given: any time is a bound';

CREATE FUNCTION ulidflake_between(id bigint, from_ts timestamptz,
	to_ts timestamptz)
	RETURNS boolean
	LANGUAGE SQL STABLE PARALLEL SAFE
	SUPPORT flakeid_between_support
	RETURN id OPERATOR(pg_catalog.>) ulidflake_before(from_ts)
	AND id OPERATOR(pg_catalog.<=) ulidflake_before(to_ts);
COMMENT ON FUNCTION ulidflake_between(bigint, timestamptz, timestamptz) IS
	'is the Ulid-Flake of from_ts or later, and before to_ts, by the epoch in effect?';

CREATE FUNCTION ulidflake_between(id bigint, from_ts timestamptz,
	to_ts timestamptz, epoch timestamptz)
	RETURNS boolean
	LANGUAGE SQL IMMUTABLE PARALLEL SAFE
	SUPPORT flakeid_between_support
	RETURN id OPERATOR(pg_catalog.>) ulidflake_before(from_ts, epoch)
	AND id OPERATOR(pg_catalog.<=) ulidflake_before(to_ts, epoch);
COMMENT ON FUNCTION ulidflake_between(bigint, timestamptz, timestamptz, timestamptz) IS
	'is the Ulid-Flake of from_ts or later, and before to_ts, by the epoch given?';

-- Administration

CREATE FUNCTION flakeid_status()
	RETURNS TABLE (format text, scope text, node integer, slot integer,
	first_generator integer, last_generator integer, per_ms bigint, ids bigint,
	waits bigint, refusals bigint, longest_wait interval, steps_back bigint,
	ahead interval, floor timestamptz, epoch timestamptz, pending text[],
	server_waits bigint, server_refusals bigint, server_longest_wait interval,
	server_steps_back bigint, years_left double precision)
	AS 'MODULE_PATHNAME', 'flakeid_flakeid_status'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED
	ROWS 3;
COMMENT ON FUNCTION flakeid_status() IS
	'address in effect, what this session generated, settings that wait for a restart, and what the server saw of its clock';

CREATE FUNCTION flakeid_reset_clock() RETURNS void
	AS 'MODULE_PATHNAME', 'flakeid_flakeid_reset_clock'
	LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
REVOKE EXECUTE ON FUNCTION flakeid_reset_clock() FROM PUBLIC;
COMMENT ON FUNCTION flakeid_reset_clock() IS
	'let 64-bit ids begin at the present clock from the next start of the server on, or at once if an epoch was refused';

CREATE FUNCTION flakeid_raise_floor(ts timestamptz) RETURNS void
	AS 'MODULE_PATHNAME', 'flakeid_flakeid_raise_floor'
	LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
REVOKE EXECUTE ON FUNCTION flakeid_raise_floor(timestamptz) FROM PUBLIC;
COMMENT ON FUNCTION flakeid_raise_floor(timestamptz) IS
	'prevent 64-bit ids at or before this time';

-- FLUID: text

CREATE FUNCTION fluid_to_f58(id bigint) RETURNS text
	AS 'MODULE_PATHNAME', 'flakeid_fluid_to_f58'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION fluid_to_f58(bigint) IS
	'FLUID in base 58, with U+0192 before it where the database encoding has it';

CREATE FUNCTION fluid_to_f58(id bigint, ascii boolean) RETURNS text
	AS 'MODULE_PATHNAME', 'flakeid_fluid_to_f58_ascii'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION fluid_to_f58(bigint, boolean) IS
	'FLUID in base 58, with "f" before it if ASCII is wanted';

CREATE FUNCTION fluid_to_hex(id bigint) RETURNS text
	AS 'MODULE_PATHNAME', 'flakeid_fluid_to_hex'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION fluid_to_hex(bigint) IS
	'FLUID in hexadecimal, with "0x" before it';

CREATE FUNCTION fluid_to_dothex(id bigint) RETURNS text
	AS 'MODULE_PATHNAME', 'flakeid_fluid_to_dothex'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION fluid_to_dothex(bigint) IS
	'FLUID as four groups of hexadecimal digits';

CREATE FUNCTION fluid_to_kvs(id bigint) RETURNS text
	AS 'MODULE_PATHNAME', 'flakeid_fluid_to_kvs'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION fluid_to_kvs(bigint) IS
	'FLUID as the key that Flux stores a job under, "job." and four groups of hexadecimal digits';

CREATE FUNCTION fluid_to_words(id bigint) RETURNS text
	AS 'MODULE_PATHNAME', 'flakeid_fluid_to_words'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION fluid_to_words(bigint) IS
	'FLUID as six words';

CREATE FUNCTION fluid_to_emoji(id bigint) RETURNS text
	AS 'MODULE_PATHNAME', 'flakeid_fluid_to_emoji'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION fluid_to_emoji(bigint) IS
	'FLUID as up to seven emoji';

CREATE FUNCTION fluid_to_decimal(id bigint) RETURNS text
	AS 'MODULE_PATHNAME', 'flakeid_fluid_to_decimal'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION fluid_to_decimal(bigint) IS
	'FLUID as an unsigned decimal number';

CREATE FUNCTION fluid_to_text(id bigint, form text DEFAULT 'f58') RETURNS text
	AS 'MODULE_PATHNAME', 'flakeid_fluid_to_text'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION fluid_to_text(bigint, text) IS
	'FLUID in a form: f58, f58plain, dec, hex, dothex, kvs, words or emoji';

CREATE FUNCTION fluid_from_f58(t text) RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_fluid_from_f58'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION fluid_from_f58(text) IS
	'FLUID of its text in base 58';

CREATE FUNCTION fluid_from_hex(t text) RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_fluid_from_hex'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION fluid_from_hex(text) IS
	'FLUID of its text in hexadecimal';

CREATE FUNCTION fluid_from_dothex(t text) RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_fluid_from_dothex'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION fluid_from_dothex(text) IS
	'FLUID of four groups of hexadecimal digits';

CREATE FUNCTION fluid_from_kvs(t text) RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_fluid_from_kvs'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION fluid_from_kvs(text) IS
	'FLUID of "job." and four groups of hexadecimal digits';

CREATE FUNCTION fluid_from_words(t text) RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_fluid_from_words'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION fluid_from_words(text) IS
	'FLUID of six words';

CREATE FUNCTION fluid_from_emoji(t text) RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_fluid_from_emoji'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION fluid_from_emoji(text) IS
	'FLUID of its emoji';

CREATE FUNCTION fluid_from_decimal(t text) RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_fluid_from_decimal'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION fluid_from_decimal(text) IS
	'FLUID of an unsigned decimal number';

CREATE FUNCTION fluid_from_text(t text) RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_fluid_from_text'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION fluid_from_text(text) IS
	'FLUID of its text in any form, white space around it allowed';

-- Nanoflake: text

CREATE FUNCTION nanoflake_to_base36(id bigint) RETURNS text
	AS 'MODULE_PATHNAME', 'flakeid_nanoflake_to_base36'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION nanoflake_to_base36(bigint) IS
	'Nanoflake in base 36';

CREATE FUNCTION nanoflake_from_base36(t text) RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_nanoflake_from_base36'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION nanoflake_from_base36(text) IS
	'Nanoflake of its text in base 36';

CREATE FUNCTION nanoflake_to_text(id bigint) RETURNS text
	AS 'MODULE_PATHNAME', 'flakeid_nanoflake_to_text'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION nanoflake_to_text(bigint) IS
	'Nanoflake in base 36, its canonical text';

CREATE FUNCTION nanoflake_from_text(t text) RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_nanoflake_from_text'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION nanoflake_from_text(text) IS
	'Nanoflake of a text in base 36, white space at both ends skipped';

-- Ulid-Flake: text

CREATE FUNCTION ulidflake_to_base32(id bigint) RETURNS text
	AS 'MODULE_PATHNAME', 'flakeid_ulidflake_to_base32'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulidflake_to_base32(bigint) IS
	'Ulid-Flake in Crockford''s base 32, 13 characters';

CREATE FUNCTION ulidflake_from_base32(t text) RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_ulidflake_from_base32'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulidflake_from_base32(text) IS
	'Ulid-Flake of a text in Crockford''s base 32';

CREATE FUNCTION ulidflake_to_text(id bigint) RETURNS text
	AS 'MODULE_PATHNAME', 'flakeid_ulidflake_to_text'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulidflake_to_text(bigint) IS
	'Ulid-Flake as 13 digits of Crockford''s base 32, which sort as it does';

CREATE FUNCTION ulidflake_from_text(t text) RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_ulidflake_from_text'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulidflake_from_text(text) IS
	'Ulid-Flake of its 13 digits of Crockford''s base 32';

-- SCRU160: the type

CREATE TYPE scru160;

CREATE FUNCTION scru160_in(cstring) RETURNS scru160
	AS 'MODULE_PATHNAME', 'flakeid_scru160_in'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scru160_in(cstring) IS
	'input of scru160';

CREATE FUNCTION scru160_out(scru160) RETURNS cstring
	AS 'MODULE_PATHNAME', 'flakeid_scru160_out'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scru160_out(scru160) IS
	'output of scru160';

CREATE FUNCTION scru160_recv(internal) RETURNS scru160
	AS 'MODULE_PATHNAME', 'flakeid_scru160_recv'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scru160_recv(internal) IS
	'binary input of scru160';

CREATE FUNCTION scru160_send(scru160) RETURNS bytea
	AS 'MODULE_PATHNAME', 'flakeid_scru160_send'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scru160_send(scru160) IS
	'binary output of scru160';

CREATE TYPE scru160 (
	INPUT = scru160_in,
	OUTPUT = scru160_out,
	RECEIVE = scru160_recv,
	SEND = scru160_send,
	INTERNALLENGTH = 20,
	ALIGNMENT = char,
	STORAGE = plain,
	CATEGORY = 'U'
);
COMMENT ON TYPE scru160 IS
	'SCRU160: time-ordered id of 160 bits';

-- SCRU160: order

CREATE FUNCTION scru160_eq(scru160, scru160) RETURNS boolean
	AS 'MODULE_PATHNAME', 'flakeid_scru160_eq'
	LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION scru160_eq(scru160, scru160) IS
	'implementation of = operator';

CREATE FUNCTION scru160_ne(scru160, scru160) RETURNS boolean
	AS 'MODULE_PATHNAME', 'flakeid_scru160_ne'
	LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION scru160_ne(scru160, scru160) IS
	'implementation of <> operator';

CREATE FUNCTION scru160_lt(scru160, scru160) RETURNS boolean
	AS 'MODULE_PATHNAME', 'flakeid_scru160_lt'
	LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION scru160_lt(scru160, scru160) IS
	'implementation of < operator';

CREATE FUNCTION scru160_le(scru160, scru160) RETURNS boolean
	AS 'MODULE_PATHNAME', 'flakeid_scru160_le'
	LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION scru160_le(scru160, scru160) IS
	'implementation of <= operator';

CREATE FUNCTION scru160_gt(scru160, scru160) RETURNS boolean
	AS 'MODULE_PATHNAME', 'flakeid_scru160_gt'
	LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION scru160_gt(scru160, scru160) IS
	'implementation of > operator';

CREATE FUNCTION scru160_ge(scru160, scru160) RETURNS boolean
	AS 'MODULE_PATHNAME', 'flakeid_scru160_ge'
	LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION scru160_ge(scru160, scru160) IS
	'implementation of >= operator';

CREATE FUNCTION scru160_cmp(scru160, scru160) RETURNS integer
	AS 'MODULE_PATHNAME', 'flakeid_scru160_cmp'
	LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION scru160_cmp(scru160, scru160) IS
	'less-equal-greater';

CREATE FUNCTION scru160_sortsupport(internal) RETURNS void
	AS 'MODULE_PATHNAME', 'flakeid_scru160_sortsupport'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scru160_sortsupport(internal) IS
	'sort support';

CREATE FUNCTION scru160_hash(scru160) RETURNS integer
	AS 'MODULE_PATHNAME', 'flakeid_scru160_hash'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scru160_hash(scru160) IS
	'hash';

CREATE FUNCTION scru160_hash_extended(scru160, bigint) RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_scru160_hash_extended'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scru160_hash_extended(scru160, bigint) IS
	'hash of 64 bits';

CREATE FUNCTION scru160_smaller(scru160, scru160) RETURNS scru160
	AS 'MODULE_PATHNAME', 'flakeid_scru160_smaller'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scru160_smaller(scru160, scru160) IS
	'smaller of two';

CREATE FUNCTION scru160_larger(scru160, scru160) RETURNS scru160
	AS 'MODULE_PATHNAME', 'flakeid_scru160_larger'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scru160_larger(scru160, scru160) IS
	'larger of two';

CREATE FUNCTION scru160_rangesel(internal, oid, internal, integer)
	RETURNS double precision
	AS 'MODULE_PATHNAME', 'flakeid_scru160_rangesel'
	LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scru160_rangesel(internal, oid, internal, integer) IS
	'restriction selectivity of <, <=, > and >=';

CREATE OPERATOR = (
	FUNCTION = scru160_eq,
	LEFTARG = scru160,
	RIGHTARG = scru160,
	COMMUTATOR = =,
	NEGATOR = <>,
	RESTRICT = eqsel,
	JOIN = eqjoinsel,
	MERGES,
	HASHES
);
COMMENT ON OPERATOR = (scru160, scru160) IS 'equal';

CREATE OPERATOR <> (
	FUNCTION = scru160_ne,
	LEFTARG = scru160,
	RIGHTARG = scru160,
	COMMUTATOR = <>,
	NEGATOR = =,
	RESTRICT = neqsel,
	JOIN = neqjoinsel
);
COMMENT ON OPERATOR <> (scru160, scru160) IS 'not equal';

CREATE OPERATOR < (
	FUNCTION = scru160_lt,
	LEFTARG = scru160,
	RIGHTARG = scru160,
	COMMUTATOR = >,
	NEGATOR = >=,
	RESTRICT = scru160_rangesel,
	JOIN = scalarltjoinsel
);
COMMENT ON OPERATOR < (scru160, scru160) IS 'less than';

CREATE OPERATOR <= (
	FUNCTION = scru160_le,
	LEFTARG = scru160,
	RIGHTARG = scru160,
	COMMUTATOR = >=,
	NEGATOR = >,
	RESTRICT = scru160_rangesel,
	JOIN = scalarlejoinsel
);
COMMENT ON OPERATOR <= (scru160, scru160) IS 'less than or equal';

CREATE OPERATOR > (
	FUNCTION = scru160_gt,
	LEFTARG = scru160,
	RIGHTARG = scru160,
	COMMUTATOR = <,
	NEGATOR = <=,
	RESTRICT = scru160_rangesel,
	JOIN = scalargtjoinsel
);
COMMENT ON OPERATOR > (scru160, scru160) IS 'greater than';

CREATE OPERATOR >= (
	FUNCTION = scru160_ge,
	LEFTARG = scru160,
	RIGHTARG = scru160,
	COMMUTATOR = <=,
	NEGATOR = <,
	RESTRICT = scru160_rangesel,
	JOIN = scalargejoinsel
);
COMMENT ON OPERATOR >= (scru160, scru160) IS 'greater than or equal';

CREATE OPERATOR CLASS scru160_ops
	DEFAULT FOR TYPE scru160 USING btree AS
	OPERATOR 1 <,
	OPERATOR 2 <=,
	OPERATOR 3 =,
	OPERATOR 4 >=,
	OPERATOR 5 >,
	FUNCTION 1 scru160_cmp(scru160, scru160),
	FUNCTION 2 scru160_sortsupport(internal),
	FUNCTION 4 btequalimage(oid);
COMMENT ON OPERATOR CLASS scru160_ops USING btree IS
	'order of scru160: time first';
COMMENT ON OPERATOR FAMILY scru160_ops USING btree IS
	'order of scru160: time first';

CREATE OPERATOR CLASS scru160_ops
	DEFAULT FOR TYPE scru160 USING hash AS
	OPERATOR 1 =,
	FUNCTION 1 scru160_hash(scru160),
	FUNCTION 2 scru160_hash_extended(scru160, bigint);
COMMENT ON OPERATOR CLASS scru160_ops USING hash IS
	'hash of scru160';
COMMENT ON OPERATOR FAMILY scru160_ops USING hash IS
	'hash of scru160';

CREATE OPERATOR CLASS scru160_minmax_ops
	DEFAULT FOR TYPE scru160 USING brin AS
	OPERATOR 1 <,
	OPERATOR 2 <=,
	OPERATOR 3 =,
	OPERATOR 4 >=,
	OPERATOR 5 >,
	FUNCTION 1 brin_minmax_opcinfo(internal),
	FUNCTION 2 brin_minmax_add_value(internal, internal, internal, internal),
	FUNCTION 3 brin_minmax_consistent(internal, internal, internal),
	FUNCTION 4 brin_minmax_union(internal, internal, internal);
COMMENT ON OPERATOR CLASS scru160_minmax_ops USING brin IS
	'least and greatest scru160 of a range of pages';
COMMENT ON OPERATOR FAMILY scru160_minmax_ops USING brin IS
	'least and greatest scru160 of a range of pages';

CREATE AGGREGATE min(scru160) (
	SFUNC = scru160_smaller,
	STYPE = scru160,
	COMBINEFUNC = scru160_smaller,
	SORTOP = <,
	PARALLEL = SAFE
);
COMMENT ON AGGREGATE min(scru160) IS
	'minimum value of all scru160 input values';

CREATE AGGREGATE max(scru160) (
	SFUNC = scru160_larger,
	STYPE = scru160,
	COMBINEFUNC = scru160_larger,
	SORTOP = >,
	PARALLEL = SAFE
);
COMMENT ON AGGREGATE max(scru160) IS
	'maximum value of all scru160 input values';

-- SCRU160: casts, all of them explicit

CREATE FUNCTION scru160_to_bytea(id scru160) RETURNS bytea
	AS 'MODULE_PATHNAME', 'flakeid_scru160_to_bytea'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scru160_to_bytea(scru160) IS
	'the 20 bytes of a SCRU160';

CREATE FUNCTION scru160_from_bytea(b bytea) RETURNS scru160
	AS 'MODULE_PATHNAME', 'flakeid_scru160_from_bytea'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scru160_from_bytea(bytea) IS
	'SCRU160 of 20 bytes';

CREATE CAST (scru160 AS bytea) WITH FUNCTION scru160_to_bytea(scru160);
COMMENT ON CAST (scru160 AS bytea) IS 'the 20 bytes of a SCRU160';

CREATE CAST (bytea AS scru160) WITH FUNCTION scru160_from_bytea(bytea);
COMMENT ON CAST (bytea AS scru160) IS 'SCRU160 of 20 bytes';

-- SCRU160: generators

CREATE FUNCTION scru160_generate() RETURNS scru160
	AS 'MODULE_PATHNAME', 'flakeid_scru160_generate'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scru160_generate() IS
	'new SCRU160, strictly increasing in a process';

CREATE FUNCTION scru160_generate_us() RETURNS scru160
	AS 'MODULE_PATHNAME', 'flakeid_scru160_generate_us'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scru160_generate_us() IS
	'new SCRU160 with the microsecond in its counter, strictly increasing in a process';

-- SCRU160: reading

CREATE FUNCTION scru160_to_hex(id scru160) RETURNS text
	AS 'MODULE_PATHNAME', 'flakeid_scru160_to_hex'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scru160_to_hex(scru160) IS
	'SCRU160 as 40 hexadecimal digits';

CREATE FUNCTION scru160_to_text(id scru160) RETURNS text
	AS 'MODULE_PATHNAME', 'flakeid_scru160_to_text'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scru160_to_text(scru160) IS
	'SCRU160 in base32hex, its canonical text';

CREATE FUNCTION scru160_from_text(t text) RETURNS scru160
	AS 'MODULE_PATHNAME', 'flakeid_scru160_from_text'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scru160_from_text(text) IS
	'SCRU160 of a text in base32hex or hexadecimal, white space at both ends skipped';

CREATE FUNCTION scru160_to_timestamptz(id scru160) RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'flakeid_scru160_to_timestamptz'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scru160_to_timestamptz(scru160) IS
	'time of a SCRU160, to the millisecond';

CREATE FUNCTION scru160_us_to_timestamptz(id scru160) RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'flakeid_scru160_us_to_timestamptz'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scru160_us_to_timestamptz(scru160) IS
	'time of a SCRU160 with the microsecond in its counter, to the microsecond';

CREATE FUNCTION scru160_get_counter(id scru160) RETURNS integer
	AS 'MODULE_PATHNAME', 'flakeid_scru160_get_counter'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scru160_get_counter(scru160) IS
	'counter of a SCRU160, 16 bits';

CREATE FUNCTION scru160_get_random16(id scru160) RETURNS integer
	AS 'MODULE_PATHNAME', 'flakeid_scru160_get_random16'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scru160_get_random16(scru160) IS
	'first random field of a SCRU160, 16 bits';

CREATE FUNCTION scru160_get_random80(id scru160) RETURNS bytea
	AS 'MODULE_PATHNAME', 'flakeid_scru160_get_random80'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scru160_get_random80(scru160) IS
	'second random field of a SCRU160, 10 bytes';

-- SCRU160: ids of a given time, bounds and ranges

CREATE FUNCTION scru160_from_parts(ts timestamptz, counter integer,
								   random bytea)
	RETURNS scru160
	AS 'MODULE_PATHNAME', 'flakeid_scru160_from_parts'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scru160_from_parts(timestamptz, integer, bytea) IS
	'SCRU160 of a time, a counter and 12 bytes';

CREATE FUNCTION scru160_from_timestamptz(ts timestamptz) RETURNS scru160
	AS 'MODULE_PATHNAME', 'flakeid_scru160_from_timestamptz'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scru160_from_timestamptz(timestamptz) IS
	'SCRU160 of a time, the rest random';

CREATE FUNCTION scru160_us_from_timestamptz(ts timestamptz) RETURNS scru160
	AS 'MODULE_PATHNAME', 'flakeid_scru160_us_from_timestamptz'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scru160_us_from_timestamptz(timestamptz) IS
	'SCRU160 of a time with the microsecond in its counter, the rest random';

CREATE FUNCTION scru160_min(ts timestamptz) RETURNS scru160
	AS 'MODULE_PATHNAME', 'flakeid_scru160_min'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scru160_min(timestamptz) IS
	'least SCRU160 of a time';

CREATE FUNCTION scru160_max(ts timestamptz) RETURNS scru160
	AS 'MODULE_PATHNAME', 'flakeid_scru160_max'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scru160_max(timestamptz) IS
	'greatest SCRU160 of the millisecond of a time';

CREATE FUNCTION scru160_first(from_ts timestamptz, to_ts timestamptz)
	RETURNS scru160
	AS 'MODULE_PATHNAME', 'flakeid_scru160_first'
	LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION scru160_first(timestamptz, timestamptz) IS
	'least SCRU160 of from_ts or later, and before to_ts: any times are bounds';

CREATE FUNCTION scru160_last(from_ts timestamptz, to_ts timestamptz)
	RETURNS scru160
	AS 'MODULE_PATHNAME', 'flakeid_scru160_last'
	LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION scru160_last(timestamptz, timestamptz) IS
	'greatest SCRU160 of from_ts or later, and before to_ts: any times are bounds';

CREATE FUNCTION scru160_between(id scru160, from_ts timestamptz,
								to_ts timestamptz)
	RETURNS boolean
	LANGUAGE SQL IMMUTABLE PARALLEL SAFE
	SUPPORT flakeid_between_support
	RETURN id >= scru160_first(from_ts, to_ts)
	AND id <= scru160_last(from_ts, to_ts);
COMMENT ON FUNCTION scru160_between(scru160, timestamptz, timestamptz) IS
	'is the SCRU160 of from_ts or later, and before to_ts?';

-- Explaining an id

CREATE FUNCTION uuid_explain(id uuid)
	RETURNS TABLE (field text, first_bit integer, bits integer, value text,
	meaning text)
	AS 'MODULE_PATHNAME', 'flakeid_uuid_explain'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
	ROWS 8;
COMMENT ON FUNCTION uuid_explain(uuid) IS
	'every field of a UUID of any version, with times in UTC';

CREATE FUNCTION fluid_explain(id bigint)
	RETURNS TABLE (field text, first_bit integer, bits integer, value text,
	meaning text)
	AS 'MODULE_PATHNAME', 'flakeid_fluid_explain'
	LANGUAGE C STABLE STRICT PARALLEL SAFE
	ROWS 8;
COMMENT ON FUNCTION fluid_explain(bigint) IS
	'every field of a FLUID, with its time in UTC';

CREATE FUNCTION nanoflake_explain(id bigint)
	RETURNS TABLE (field text, first_bit integer, bits integer, value text,
	meaning text)
	AS 'MODULE_PATHNAME', 'flakeid_nanoflake_explain'
	LANGUAGE C STABLE STRICT PARALLEL SAFE
	ROWS 8;
COMMENT ON FUNCTION nanoflake_explain(bigint) IS
	'every field of a Nanoflake, with its time in UTC';

CREATE FUNCTION ulidflake_explain(id bigint)
	RETURNS TABLE (field text, first_bit integer, bits integer, value text,
	meaning text)
	AS 'MODULE_PATHNAME', 'flakeid_ulidflake_explain'
	LANGUAGE C STABLE STRICT PARALLEL SAFE
	ROWS 8;
COMMENT ON FUNCTION ulidflake_explain(bigint) IS
	'every field of a stand-alone Ulid-Flake, with its time in UTC';

CREATE FUNCTION ulidflake_scalable_explain(id bigint)
	RETURNS TABLE (field text, first_bit integer, bits integer, value text,
	meaning text)
	AS 'MODULE_PATHNAME', 'flakeid_ulidflake_scalable_explain'
	LANGUAGE C STABLE STRICT PARALLEL SAFE
	ROWS 8;
COMMENT ON FUNCTION ulidflake_scalable_explain(bigint) IS
	'every field of a scalable Ulid-Flake, with its time in UTC';

CREATE FUNCTION scru160_explain(id scru160)
	RETURNS TABLE (field text, first_bit integer, bits integer, value text,
	meaning text)
	AS 'MODULE_PATHNAME', 'flakeid_scru160_explain'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
	ROWS 8;
COMMENT ON FUNCTION scru160_explain(scru160) IS
	'every field of a SCRU160, with its time in UTC';
