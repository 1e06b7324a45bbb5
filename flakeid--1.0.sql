/* flakeid--1.0.sql */

-- complain if script is sourced in psql, rather than via CREATE EXTENSION
\echo Use "CREATE EXTENSION flakeid" to load this file. \quit

-- The planner inlines the functions in SQL: they are not STRICT and have no SET
-- clause.  Their parsed bodies bind every name at creation, which keeps the
-- extension relocatable.

-- Rows of results.  They have names so that ALTER TYPE ... ADD ATTRIBUTE can add
-- a column, in a later version, under the views of users.

CREATE TYPE flakeid_explain_row AS (field text, first_bit integer,
	bits integer, value text, meaning text);
COMMENT ON TYPE flakeid_explain_row IS 'field of an id';

CREATE TYPE flakeid_address_row AS (node integer, slot integer, lane integer);
COMMENT ON TYPE flakeid_address_row IS 'parts of a generator number';

CREATE TYPE flakeid_status_row AS (format text, scope text, node integer,
	slot integer, first_generator integer, last_generator integer,
	per_ms bigint, epoch timestamptz, years_left double precision,
	horizon timestamptz, floor timestamptz, ahead interval, waits bigint,
	refusals bigint, longest_wait interval, steps_back bigint,
	horizon_state text);
COMMENT ON TYPE flakeid_status_row IS 'status of a 64-bit format';

-- UUID: generators

CREATE FUNCTION uuid_generate_v7() RETURNS uuid
	AS 'MODULE_PATHNAME', 'flakeid_uuid_generate_v7'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_v7() IS
	'generate UUIDv7 (RFC 9562), strictly increasing per process';

CREATE FUNCTION uuid_generate_v7(shift interval) RETURNS uuid
	AS 'MODULE_PATHNAME', 'flakeid_uuid_generate_v7_shift'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_v7(interval) IS
	'generate UUIDv7 (RFC 9562) with its time moved by an interval';

CREATE FUNCTION uuid_generate_v6() RETURNS uuid
	AS 'MODULE_PATHNAME', 'flakeid_uuid_generate_v6'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_v6() IS
	'generate UUIDv6 (RFC 9562), strictly increasing per process';

-- UUID: reading

CREATE FUNCTION uuid_get_version(id uuid) RETURNS smallint
	AS 'MODULE_PATHNAME', 'flakeid_uuid_get_version'
	LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_get_version(uuid) IS
	'version of a UUID, NULL outside variant rfc9562';

CREATE FUNCTION uuid_get_variant(id uuid) RETURNS text
	AS 'MODULE_PATHNAME', 'flakeid_uuid_get_variant'
	LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_get_variant(uuid) IS
	'variant of a UUID: ncs, rfc9562, microsoft or future';

CREATE FUNCTION uuid_to_timestamptz(id uuid) RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'flakeid_uuid_to_timestamptz'
	LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_timestamptz(uuid) IS
	'time of a UUIDv1, UUIDv6 or UUIDv7 (RFC 9562), NULL for others';

CREATE FUNCTION uuid_v6_to_timestamptz(id uuid) RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v6_to_timestamptz'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v6_to_timestamptz(uuid) IS
	'time of a UUIDv6 or UUIDv1';

CREATE FUNCTION uuid_v6_get_ticks(id uuid) RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v6_get_ticks'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v6_get_ticks(uuid) IS
	'ticks of 100 ns since 1582-10-15 of a UUIDv6 or UUIDv1';

CREATE FUNCTION uuid_v6_get_clock_sequence(id uuid) RETURNS integer
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v6_get_clock_sequence'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v6_get_clock_sequence(uuid) IS
	'clock sequence of a UUIDv6 or UUIDv1';

CREATE FUNCTION uuid_v6_get_node(id uuid) RETURNS bytea
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v6_get_node'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v6_get_node(uuid) IS
	'node of a UUIDv6 or UUIDv1, 6 bytes';

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

CREATE FUNCTION uuid_v7_get_ticks(id uuid) RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v7_get_ticks'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_get_ticks(uuid) IS
	'milliseconds since 1970 of a UUIDv7 (RFC 9562)';

CREATE FUNCTION uuid_v7_get_rand_a(id uuid) RETURNS integer
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v7_get_rand_a'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_get_rand_a(uuid) IS
	'rand_a of a UUIDv7 (RFC 9562), 12 bits';

CREATE FUNCTION uuid_v7_get_rand_b(id uuid) RETURNS bytea
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v7_get_rand_b'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_get_rand_b(uuid) IS
	'rand_b of a UUIDv7 (RFC 9562), 62 bits in 8 bytes';

CREATE FUNCTION uuid_v7_us_to_timestamptz(id uuid) RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v7_us_to_timestamptz'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_us_to_timestamptz(uuid) IS
	'time of a UUIDv7 (RFC 9562) with the fraction of the millisecond in rand_a, to the microsecond';

CREATE FUNCTION uuid_v7_us_get_ticks(id uuid) RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v7_us_get_ticks'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_us_get_ticks(uuid) IS
	'microseconds since 1970 of a UUIDv7 (RFC 9562) with the fraction of the millisecond in rand_a';

CREATE FUNCTION uuid_v8_get_custom_a(id uuid) RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v8_get_custom_a'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v8_get_custom_a(uuid) IS
	'custom_a of a UUIDv8 (RFC 9562), 48 bits';

CREATE FUNCTION uuid_v8_get_custom_b(id uuid) RETURNS integer
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v8_get_custom_b'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v8_get_custom_b(uuid) IS
	'custom_b of a UUIDv8 (RFC 9562), 12 bits';

CREATE FUNCTION uuid_v8_get_custom_c(id uuid) RETURNS bytea
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v8_get_custom_c'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v8_get_custom_c(uuid) IS
	'custom_c of a UUIDv8 (RFC 9562), 62 bits in 8 bytes';

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

-- UUID: text

CREATE FUNCTION uuid_to_text(id uuid, form text) RETURNS text
	AS 'MODULE_PATHNAME', 'flakeid_uuid_to_text'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_to_text(uuid, text) IS
	'UUID in the given form: ulid, base32hex or base58';

CREATE FUNCTION uuid_from_text(string text, form text) RETURNS uuid
	AS 'MODULE_PATHNAME', 'flakeid_uuid_from_text'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_from_text(text, text) IS
	'UUID from its text in the given form, skipping white space at both ends';

-- UUID: ids of a given time

CREATE FUNCTION uuid_v6_from_timestamptz(ts timestamptz) RETURNS uuid
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v6_from_timestamptz'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v6_from_timestamptz(timestamptz) IS
	'UUIDv6 of a time, with the other bits random';

CREATE FUNCTION uuid_v7_from_timestamptz(ts timestamptz) RETURNS uuid
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v7_from_timestamptz'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_from_timestamptz(timestamptz) IS
	'UUIDv7 (RFC 9562) of a time, with the other bits random';

-- UUID: from parts, as the uuid_..._get functions return them

CREATE FUNCTION uuid_v6_from_parts(ticks bigint, clock_sequence integer,
								   node bytea)
	RETURNS uuid
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v6_from_parts'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v6_from_parts(bigint, integer, bytea) IS
	'UUIDv6 from its fields';

CREATE FUNCTION uuid_v7_from_parts(ticks bigint, rand_a integer,
								   rand_b bytea)
	RETURNS uuid
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v7_from_parts'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_from_parts(bigint, integer, bytea) IS
	'UUIDv7 (RFC 9562) from its fields';

CREATE FUNCTION uuid_v8_from_parts(custom_a bigint, custom_b integer,
								   custom_c bytea)
	RETURNS uuid
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v8_from_parts'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v8_from_parts(bigint, integer, bytea) IS
	'UUIDv8 (RFC 9562) from its fields';

-- Ranges: planner support

CREATE FUNCTION flakeid_range_support(request internal) RETURNS internal
	AS 'MODULE_PATHNAME', 'flakeid_range_support'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION flakeid_range_support(internal) IS
	'planner support for time ranges: the _min functions, and the _in_range functions of UUIDs';

-- UUID: bounds and ranges

CREATE FUNCTION uuid_v6_min(ts timestamptz) RETURNS uuid
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v6_min'
	LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE
	SUPPORT flakeid_range_support;
COMMENT ON FUNCTION uuid_v6_min(timestamptz) IS
	'smallest UUIDv6 of the microsecond of a time or later; not for version 1';

CREATE FUNCTION uuid_v7_min(ts timestamptz) RETURNS uuid
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v7_min'
	LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE
	SUPPORT flakeid_range_support;
COMMENT ON FUNCTION uuid_v7_min(timestamptz) IS
	'smallest UUIDv7 (RFC 9562) of the millisecond of a time or later';

CREATE FUNCTION uuid_v6_in_range(id uuid, from_ts timestamptz, to_ts timestamptz)
	RETURNS boolean
	LANGUAGE SQL IMMUTABLE PARALLEL SAFE
	SUPPORT flakeid_range_support
	RETURN id OPERATOR(pg_catalog.>=) uuid_v6_min(from_ts)
	AND id OPERATOR(pg_catalog.<) uuid_v6_min(to_ts);
COMMENT ON FUNCTION uuid_v6_in_range(uuid, timestamptz, timestamptz) IS
	'is the time of the UUIDv6 in [from_ts, to_ts)? Not for version 1';

CREATE FUNCTION uuid_v7_in_range(id uuid, from_ts timestamptz, to_ts timestamptz)
	RETURNS boolean
	LANGUAGE SQL IMMUTABLE PARALLEL SAFE
	SUPPORT flakeid_range_support
	RETURN id OPERATOR(pg_catalog.>=) uuid_v7_min(from_ts)
	AND id OPERATOR(pg_catalog.<) uuid_v7_min(to_ts);
COMMENT ON FUNCTION uuid_v7_in_range(uuid, timestamptz, timestamptz) IS
	'is the millisecond of the UUIDv7 (RFC 9562) in [from_ts, to_ts), both truncated to milliseconds?';

CREATE FUNCTION uuid_timestamptz_to_v7(ts timestamptz,
									   zero boolean DEFAULT false)
	RETURNS uuid
	LANGUAGE SQL VOLATILE PARALLEL SAFE
	RETURN CASE WHEN zero THEN uuid_v7_min(ts)
	WHEN NOT zero THEN uuid_v7_from_timestamptz(ts) END;
COMMENT ON FUNCTION uuid_timestamptz_to_v7(timestamptz, boolean) IS
	'UUIDv7 (RFC 9562) of a time, with the other bits random, or 0 if zero is true';

CREATE FUNCTION uuid_timestamp_to_v7(ts timestamp, zero boolean DEFAULT false)
	RETURNS uuid
	LANGUAGE SQL VOLATILE PARALLEL SAFE
	RETURN CASE WHEN zero THEN uuid_v7_min(ts AT TIME ZONE 'UTC')
	WHEN NOT zero THEN uuid_v7_from_timestamptz(ts AT TIME ZONE 'UTC') END;
COMMENT ON FUNCTION uuid_timestamp_to_v7(timestamp, boolean) IS
	'UUIDv7 (RFC 9562) of a time in UTC, with the other bits random, or 0 if zero is true';

-- UUIDv7 and UUIDv8 of draft-peabody-dispatch-new-uuid-format-01: all functions

CREATE FUNCTION uuid_generate_v7_draft(unit text) RETURNS uuid
	AS 'MODULE_PATHNAME', 'flakeid_uuid_generate_v7_draft'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_v7_draft(text) IS
	'generate UUIDv7 of draft-peabody-dispatch-new-uuid-format-01, with precision ms, us or ns';

CREATE FUNCTION uuid_generate_v8_draft(timestamp_bits integer) RETURNS uuid
	AS 'MODULE_PATHNAME', 'flakeid_uuid_generate_v8_draft'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_generate_v8_draft(integer) IS
	'generate UUIDv8 of draft-peabody-dispatch-new-uuid-format-01, with 32 (s), 48 (ms), 60 (10 ns) or 64 (16 ns) bits of time';

CREATE FUNCTION uuid_v7_draft_to_timestamptz(id uuid) RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v7_draft_to_timestamptz'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_draft_to_timestamptz(uuid) IS
	'time of a UUIDv7 of draft-peabody-dispatch-new-uuid-format-01';

CREATE FUNCTION uuid_v7_draft_get_ticks(id uuid, unit text) RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v7_draft_get_ticks'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_draft_get_ticks(uuid, text) IS
	'milliseconds, microseconds or nanoseconds since 1970 of a UUIDv7 of draft-peabody-dispatch-new-uuid-format-01';

CREATE FUNCTION uuid_v7_draft_get_sequence(id uuid, unit text) RETURNS integer
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v7_draft_get_sequence'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_draft_get_sequence(uuid, text) IS
	'sequence of a UUIDv7 of draft-peabody-dispatch-new-uuid-format-01';

CREATE FUNCTION uuid_v7_draft_get_node(id uuid, unit text) RETURNS bytea
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v7_draft_get_node'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_draft_get_node(uuid, text) IS
	'node of a UUIDv7 of draft-peabody-dispatch-new-uuid-format-01';

CREATE FUNCTION uuid_v7_draft_from_timestamptz(ts timestamptz, unit text)
	RETURNS uuid
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v7_draft_from_timestamptz'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_draft_from_timestamptz(timestamptz, text) IS
	'UUIDv7 of draft-peabody-dispatch-new-uuid-format-01 of a time, with the other bits random';

CREATE FUNCTION uuid_v7_draft_from_parts(ticks bigint, sequence integer,
										 node bytea, unit text)
	RETURNS uuid
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v7_draft_from_parts'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v7_draft_from_parts(bigint, integer, bytea, text) IS
	'UUIDv7 of draft-peabody-dispatch-new-uuid-format-01 from its fields';

CREATE FUNCTION uuid_v7_draft_min(ts timestamptz, unit text) RETURNS uuid
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v7_draft_min'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
	SUPPORT flakeid_range_support;
COMMENT ON FUNCTION uuid_v7_draft_min(timestamptz, text) IS
	'smallest UUIDv7 of draft-peabody-dispatch-new-uuid-format-01 of the millisecond or microsecond of a time or later';

CREATE FUNCTION uuid_v7_draft_in_range(id uuid, from_ts timestamptz,
	to_ts timestamptz, unit text)
	RETURNS boolean
	LANGUAGE SQL IMMUTABLE PARALLEL SAFE
	SUPPORT flakeid_range_support
	RETURN id OPERATOR(pg_catalog.>=) uuid_v7_draft_min(from_ts, unit)
	AND id OPERATOR(pg_catalog.<) uuid_v7_draft_min(to_ts, unit);
COMMENT ON FUNCTION uuid_v7_draft_in_range(uuid, timestamptz, timestamptz, text) IS
	'is the time of the UUIDv7 of draft-peabody-dispatch-new-uuid-format-01 in [from_ts, to_ts), both truncated to the millisecond or microsecond?';

CREATE FUNCTION uuid_v8_draft_to_timestamptz(id uuid, timestamp_bits integer)
	RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v8_draft_to_timestamptz'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v8_draft_to_timestamptz(uuid, integer) IS
	'time of a UUIDv8 of draft-peabody-dispatch-new-uuid-format-01 with 32, 48, 60 or 64 bits of time';

CREATE FUNCTION uuid_v8_draft_get_ticks(id uuid, timestamp_bits integer)
	RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v8_draft_get_ticks'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v8_draft_get_ticks(uuid, integer) IS
	'seconds, milliseconds, or ticks of 10 or 16 ns since 1970 of a UUIDv8 of draft-peabody-dispatch-new-uuid-format-01 with 32, 48, 60 or 64 bits of time';

CREATE FUNCTION uuid_v8_draft_get_sequence(id uuid, timestamp_bits integer)
	RETURNS integer
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v8_draft_get_sequence'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v8_draft_get_sequence(uuid, integer) IS
	'sequence of a UUIDv8 of draft-peabody-dispatch-new-uuid-format-01 with 32, 48, 60 or 64 bits of time';

CREATE FUNCTION uuid_v8_draft_get_node(id uuid, timestamp_bits integer)
	RETURNS bytea
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v8_draft_get_node'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v8_draft_get_node(uuid, integer) IS
	'node of a UUIDv8 of draft-peabody-dispatch-new-uuid-format-01 with 32, 48, 60 or 64 bits of time';

CREATE FUNCTION uuid_v8_draft_from_timestamptz(ts timestamptz,
											   timestamp_bits integer)
	RETURNS uuid
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v8_draft_from_timestamptz'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v8_draft_from_timestamptz(timestamptz, integer) IS
	'UUIDv8 of draft-peabody-dispatch-new-uuid-format-01 of a time in 32, 48, 60 or 64 bits, with the other bits random';

CREATE FUNCTION uuid_v8_draft_from_parts(ticks bigint, sequence integer,
										 node bytea,
										 timestamp_bits integer)
	RETURNS uuid
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v8_draft_from_parts'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION uuid_v8_draft_from_parts(bigint, integer, bytea, integer) IS
	'UUIDv8 of draft-peabody-dispatch-new-uuid-format-01 from its fields, with 32, 48, 60 or 64 bits of time';

CREATE FUNCTION uuid_v8_draft_min(ts timestamptz, timestamp_bits integer)
	RETURNS uuid
	AS 'MODULE_PATHNAME', 'flakeid_uuid_v8_draft_min'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
	SUPPORT flakeid_range_support;
COMMENT ON FUNCTION uuid_v8_draft_min(timestamptz, integer) IS
	'smallest UUIDv8 of draft-peabody-dispatch-new-uuid-format-01 of the second, millisecond or microsecond of a time or later';

CREATE FUNCTION uuid_v8_draft_in_range(id uuid, from_ts timestamptz,
	to_ts timestamptz, timestamp_bits integer)
	RETURNS boolean
	LANGUAGE SQL IMMUTABLE PARALLEL SAFE
	SUPPORT flakeid_range_support
	RETURN id OPERATOR(pg_catalog.>=) uuid_v8_draft_min(from_ts, timestamp_bits)
	AND id OPERATOR(pg_catalog.<) uuid_v8_draft_min(to_ts, timestamp_bits);
COMMENT ON FUNCTION uuid_v8_draft_in_range(uuid, timestamptz, timestamptz, integer) IS
	'is the time of the UUIDv8 of draft-peabody-dispatch-new-uuid-format-01 in [from_ts, to_ts), both truncated to the second, millisecond or microsecond?';

CREATE FUNCTION uuid_explain_draft(id uuid) RETURNS SETOF flakeid_explain_row
	AS 'MODULE_PATHNAME', 'flakeid_uuid_explain_draft'
	LANGUAGE C STABLE STRICT PARALLEL SAFE
	ROWS 12;
COMMENT ON FUNCTION uuid_explain_draft(uuid) IS
	'all fields of a UUIDv7 or UUIDv8 of draft-peabody-dispatch-new-uuid-format-01, for each unit or number of bits of time, with times in UTC';

-- FLUID

CREATE FUNCTION fluid_generate() RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_fluid_generate'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION fluid_generate() IS
	'generate FLUID, strictly increasing per process';

CREATE FUNCTION fluid_to_timestamptz(id bigint) RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'flakeid_fluid_to_timestamptz'
	LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION fluid_to_timestamptz(bigint) IS
	'time of a FLUID, with the epoch in effect';

CREATE FUNCTION fluid_to_timestamptz(id bigint, epoch timestamptz)
	RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'flakeid_fluid_to_timestamptz'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION fluid_to_timestamptz(bigint, timestamptz) IS
	'time of a FLUID, with the given epoch';

CREATE FUNCTION fluid_get_ticks(id bigint) RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_fluid_get_ticks'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION fluid_get_ticks(bigint) IS
	'milliseconds from the epoch to the time of a FLUID';

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

CREATE FUNCTION fluid_get_address(id bigint) RETURNS flakeid_address_row
	AS 'MODULE_PATHNAME', 'flakeid_fluid_get_address'
	LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION fluid_get_address(bigint) IS
	'generator number of a FLUID, split by the address in effect';

CREATE FUNCTION fluid_from_parts(ticks bigint, generator integer,
								 sequence integer)
	RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_fluid_from_parts'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION fluid_from_parts(bigint, integer, integer) IS
	'FLUID from its fields';

CREATE FUNCTION fluid_min(ts timestamptz) RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_fluid_min'
	LANGUAGE C STABLE STRICT LEAKPROOF PARALLEL SAFE
	SUPPORT flakeid_range_support;
COMMENT ON FUNCTION fluid_min(timestamptz) IS
	'smallest FLUID of the millisecond of a time or later, with the epoch in effect';

CREATE FUNCTION fluid_min(ts timestamptz, epoch timestamptz) RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_fluid_min'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION fluid_min(timestamptz, timestamptz) IS
	'smallest FLUID of the millisecond of a time or later, with the given epoch';

CREATE FUNCTION fluid_in_range(id bigint, from_ts timestamptz, to_ts timestamptz)
	RETURNS boolean
	LANGUAGE SQL STABLE PARALLEL SAFE
	RETURN id OPERATOR(pg_catalog.>=) fluid_min(from_ts)
	AND id OPERATOR(pg_catalog.<) fluid_min(to_ts);
COMMENT ON FUNCTION fluid_in_range(bigint, timestamptz, timestamptz) IS
	'is the millisecond of the FLUID in [from_ts, to_ts), both truncated to milliseconds, with the epoch in effect?';

CREATE FUNCTION fluid_in_range(id bigint, from_ts timestamptz, to_ts timestamptz,
	epoch timestamptz)
	RETURNS boolean
	LANGUAGE SQL IMMUTABLE PARALLEL SAFE
	RETURN id OPERATOR(pg_catalog.>=) fluid_min(from_ts, epoch)
	AND id OPERATOR(pg_catalog.<) fluid_min(to_ts, epoch);
COMMENT ON FUNCTION fluid_in_range(bigint, timestamptz, timestamptz, timestamptz) IS
	'is the millisecond of the FLUID in [from_ts, to_ts), both truncated to milliseconds, with the given epoch?';

-- Nanoflake

CREATE FUNCTION nanoflake_generate() RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_nanoflake_generate'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION nanoflake_generate() IS
	'generate Nanoflake, strictly increasing per process';

CREATE FUNCTION nanoflake_to_timestamptz(id bigint) RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'flakeid_nanoflake_to_timestamptz'
	LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION nanoflake_to_timestamptz(bigint) IS
	'time of a Nanoflake, with the epoch in effect';

CREATE FUNCTION nanoflake_to_timestamptz(id bigint, epoch timestamptz)
	RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'flakeid_nanoflake_to_timestamptz'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION nanoflake_to_timestamptz(bigint, timestamptz) IS
	'time of a Nanoflake, with the given epoch';

CREATE FUNCTION nanoflake_get_ticks(id bigint) RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_nanoflake_get_ticks'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION nanoflake_get_ticks(bigint) IS
	'milliseconds from the epoch to the time of a Nanoflake';

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

CREATE FUNCTION nanoflake_get_address(id bigint) RETURNS flakeid_address_row
	AS 'MODULE_PATHNAME', 'flakeid_nanoflake_get_address'
	LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION nanoflake_get_address(bigint) IS
	'generator number of a Nanoflake, split by the address in effect';

CREATE FUNCTION nanoflake_from_parts(ticks bigint, generator integer,
									 sequence integer)
	RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_nanoflake_from_parts'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION nanoflake_from_parts(bigint, integer, integer) IS
	'Nanoflake from its fields';

CREATE FUNCTION nanoflake_min(ts timestamptz) RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_nanoflake_min'
	LANGUAGE C STABLE STRICT LEAKPROOF PARALLEL SAFE
	SUPPORT flakeid_range_support;
COMMENT ON FUNCTION nanoflake_min(timestamptz) IS
	'smallest Nanoflake of the millisecond of a time or later, with the epoch in effect';

CREATE FUNCTION nanoflake_min(ts timestamptz, epoch timestamptz) RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_nanoflake_min'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION nanoflake_min(timestamptz, timestamptz) IS
	'smallest Nanoflake of the millisecond of a time or later, with the given epoch';

CREATE FUNCTION nanoflake_in_range(id bigint, from_ts timestamptz, to_ts timestamptz)
	RETURNS boolean
	LANGUAGE SQL STABLE PARALLEL SAFE
	RETURN id OPERATOR(pg_catalog.>=) nanoflake_min(from_ts)
	AND id OPERATOR(pg_catalog.<) nanoflake_min(to_ts);
COMMENT ON FUNCTION nanoflake_in_range(bigint, timestamptz, timestamptz) IS
	'is the millisecond of the Nanoflake in [from_ts, to_ts), both truncated to milliseconds, with the epoch in effect?';

CREATE FUNCTION nanoflake_in_range(id bigint, from_ts timestamptz, to_ts timestamptz,
	epoch timestamptz)
	RETURNS boolean
	LANGUAGE SQL IMMUTABLE PARALLEL SAFE
	RETURN id OPERATOR(pg_catalog.>=) nanoflake_min(from_ts, epoch)
	AND id OPERATOR(pg_catalog.<) nanoflake_min(to_ts, epoch);
COMMENT ON FUNCTION nanoflake_in_range(bigint, timestamptz, timestamptz, timestamptz) IS
	'is the millisecond of the Nanoflake in [from_ts, to_ts), both truncated to milliseconds, with the given epoch?';

-- Ulid-Flake

CREATE FUNCTION ulidflake_generate() RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_ulidflake_generate'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulidflake_generate() IS
	'generate stand-alone Ulid-Flake, strictly increasing across the server';

CREATE FUNCTION ulidflake_scalable_generate() RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_ulidflake_scalable_generate'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulidflake_scalable_generate() IS
	'generate scalable Ulid-Flake, strictly increasing across the server';

CREATE FUNCTION ulidflake_to_timestamptz(id bigint) RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'flakeid_ulidflake_to_timestamptz'
	LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulidflake_to_timestamptz(bigint) IS
	'time of a Ulid-Flake, with the epoch in effect';

CREATE FUNCTION ulidflake_to_timestamptz(id bigint, epoch timestamptz)
	RETURNS timestamptz
	AS 'MODULE_PATHNAME', 'flakeid_ulidflake_to_timestamptz'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulidflake_to_timestamptz(bigint, timestamptz) IS
	'time of a Ulid-Flake, with the given epoch';

CREATE FUNCTION ulidflake_get_ticks(id bigint) RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_ulidflake_get_ticks'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulidflake_get_ticks(bigint) IS
	'milliseconds from the epoch to the time of a Ulid-Flake';

CREATE FUNCTION ulidflake_get_random(id bigint) RETURNS integer
	AS 'MODULE_PATHNAME', 'flakeid_ulidflake_get_random'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulidflake_get_random(bigint) IS
	'random bits of a stand-alone Ulid-Flake, 20 bits';

CREATE FUNCTION ulidflake_scalable_get_random(id bigint) RETURNS integer
	AS 'MODULE_PATHNAME', 'flakeid_ulidflake_scalable_get_random'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulidflake_scalable_get_random(bigint) IS
	'random bits of a scalable Ulid-Flake, 15 bits';

CREATE FUNCTION ulidflake_scalable_get_scalability(id bigint) RETURNS integer
	AS 'MODULE_PATHNAME', 'flakeid_ulidflake_scalable_get_scalability'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulidflake_scalable_get_scalability(bigint) IS
	'scalability of a scalable Ulid-Flake, 5 bits';

CREATE FUNCTION ulidflake_from_parts(ticks bigint, random integer)
	RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_ulidflake_from_parts'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulidflake_from_parts(bigint, integer) IS
	'stand-alone Ulid-Flake from its fields';

CREATE FUNCTION ulidflake_scalable_from_parts(ticks bigint, random integer,
											  scalability integer)
	RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_ulidflake_scalable_from_parts'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulidflake_scalable_from_parts(bigint, integer, integer) IS
	'scalable Ulid-Flake from its fields';

CREATE FUNCTION ulidflake_from_timestamptz(ts timestamptz) RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_ulidflake_from_timestamptz'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulidflake_from_timestamptz(timestamptz) IS
	'stand-alone Ulid-Flake of a time with random bits, with the epoch in effect';

CREATE FUNCTION ulidflake_from_timestamptz(ts timestamptz, epoch timestamptz)
	RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_ulidflake_from_timestamptz'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulidflake_from_timestamptz(timestamptz, timestamptz) IS
	'stand-alone Ulid-Flake of a time with random bits, with the given epoch';

CREATE FUNCTION ulidflake_scalable_from_timestamptz(ts timestamptz) RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_ulidflake_scalable_from_timestamptz'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulidflake_scalable_from_timestamptz(timestamptz) IS
	'scalable Ulid-Flake of a time with random bits and the scalability in effect, with the epoch in effect';

CREATE FUNCTION ulidflake_scalable_from_timestamptz(ts timestamptz,
													epoch timestamptz)
	RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_ulidflake_scalable_from_timestamptz'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulidflake_scalable_from_timestamptz(timestamptz, timestamptz) IS
	'scalable Ulid-Flake of a time with random bits and the scalability in effect, with the given epoch';

CREATE FUNCTION ulidflake_min(ts timestamptz)
	RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_ulidflake_min'
	LANGUAGE C STABLE STRICT LEAKPROOF PARALLEL SAFE
	SUPPORT flakeid_range_support;
COMMENT ON FUNCTION ulidflake_min(timestamptz) IS
	'smallest Ulid-Flake of the millisecond of a time or later, with the epoch in effect';

CREATE FUNCTION ulidflake_min(ts timestamptz, epoch timestamptz)
	RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_ulidflake_min'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulidflake_min(timestamptz, timestamptz) IS
	'smallest Ulid-Flake of the millisecond of a time or later, with the given epoch';

CREATE FUNCTION ulidflake_in_range(id bigint, from_ts timestamptz,
	to_ts timestamptz)
	RETURNS boolean
	LANGUAGE SQL STABLE PARALLEL SAFE
	RETURN id OPERATOR(pg_catalog.>=) ulidflake_min(from_ts)
	AND id OPERATOR(pg_catalog.<) ulidflake_min(to_ts);
COMMENT ON FUNCTION ulidflake_in_range(bigint, timestamptz, timestamptz) IS
	'is the millisecond of the Ulid-Flake in [from_ts, to_ts), both truncated to milliseconds, with the epoch in effect?';

CREATE FUNCTION ulidflake_in_range(id bigint, from_ts timestamptz,
	to_ts timestamptz, epoch timestamptz)
	RETURNS boolean
	LANGUAGE SQL IMMUTABLE PARALLEL SAFE
	RETURN id OPERATOR(pg_catalog.>=) ulidflake_min(from_ts, epoch)
	AND id OPERATOR(pg_catalog.<) ulidflake_min(to_ts, epoch);
COMMENT ON FUNCTION ulidflake_in_range(bigint, timestamptz, timestamptz, timestamptz) IS
	'is the millisecond of the Ulid-Flake in [from_ts, to_ts), both truncated to milliseconds, with the given epoch?';

-- Administration

CREATE FUNCTION flakeid_status() RETURNS SETOF flakeid_status_row
	AS 'MODULE_PATHNAME', 'flakeid_status'
	LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED
	ROWS 3;
COMMENT ON FUNCTION flakeid_status() IS
	'per 64-bit format: address, epoch, horizon, how far ids are ahead of the clock, and counters since the server start';

CREATE FUNCTION flakeid_reset_horizon() RETURNS integer
	AS 'MODULE_PATHNAME', 'flakeid_reset_horizon'
	LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION flakeid_reset_horizon() IS
	'set 64-bit ids of this database back to the clock, after the next server start, or at once if no id can be generated; returns the number of formats reset';

CREATE FUNCTION flakeid_cancel_reset() RETURNS integer
	AS 'MODULE_PATHNAME', 'flakeid_cancel_reset'
	LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION flakeid_cancel_reset() IS
	'take back flakeid_reset_horizon(), until an id uses it; returns the number of formats changed';

CREATE FUNCTION flakeid_raise_floor(ts timestamptz) RETURNS integer
	AS 'MODULE_PATHNAME', 'flakeid_raise_floor'
	LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION flakeid_raise_floor(timestamptz) IS
	'prevent generating 64-bit ids at or before this time; returns the number of formats whose floor is raised';

-- The horizons: no 64-bit id of this database is later

CREATE SEQUENCE flakeid_fluid_horizon MINVALUE 0 START 0;
COMMENT ON SEQUENCE flakeid_fluid_horizon IS
	'no FLUID of this database is later than this number of ms after the epoch';
CREATE SEQUENCE flakeid_nanoflake_horizon MINVALUE 0 START 0;
COMMENT ON SEQUENCE flakeid_nanoflake_horizon IS
	'no Nanoflake of this database is later than this number of ms after the epoch';
CREATE SEQUENCE flakeid_ulidflake_horizon MINVALUE 0 START 0;
COMMENT ON SEQUENCE flakeid_ulidflake_horizon IS
	'no Ulid-Flake of this database is later than this number of ms after the epoch';

-- The horizons are readable by everybody, for dumps and publications, and
-- writable by nobody.  The functions that change them are for administrators.
-- No table or view of users has a column of a row type, which could prevent a
-- later version from adding a column to it.  This holds whatever ALTER DEFAULT
-- PRIVILEGES grants.  A user who installs the extension as its owner may have
-- operators of their own in the schema, so the path leads to those of the
-- system only.

DO $$
DECLARE
	path text := pg_catalog.current_setting('search_path');
	object text;
	owner oid;
	acl aclitem[];
	grantee regrole;
BEGIN
	PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
	FOR object, owner, acl IN
		WITH member AS (
			SELECT d.classid, d.objid FROM pg_depend AS d JOIN pg_extension AS e
				ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid
			WHERE e.extname = 'flakeid')
		SELECT 'SEQUENCE ' || c.oid::regclass, c.relowner, c.relacl
		FROM pg_class AS c JOIN member AS m ON m.classid = c.tableoid AND m.objid = c.oid
		WHERE c.relkind = 'S'
		UNION ALL
		SELECT 'FUNCTION ' || p.oid::regprocedure, p.proowner, p.proacl
		FROM pg_proc AS p JOIN member AS m ON m.classid = p.tableoid AND m.objid = p.oid
		WHERE p.proname IN ('flakeid_reset_horizon', 'flakeid_cancel_reset',
			'flakeid_raise_floor')
		UNION ALL
		SELECT 'TYPE ' || t.oid::regtype, t.typowner, t.typacl
		FROM pg_type AS t JOIN member AS m ON m.classid = t.tableoid AND m.objid = t.oid
		WHERE t.typtype = 'c'
	LOOP
		FOR grantee IN
			SELECT a.grantee FROM aclexplode(acl) AS a WHERE a.grantee NOT IN (0, owner)
		LOOP
			EXECUTE format('REVOKE ALL ON %s FROM %s', object, grantee);
		END LOOP;
		EXECUTE format('REVOKE ALL ON %s FROM PUBLIC', object);
		IF object LIKE 'SEQUENCE %' THEN
			EXECUTE format('GRANT SELECT ON %s TO PUBLIC', object);
		END IF;
	END LOOP;
	PERFORM pg_catalog.set_config('search_path', path, true);
END
$$;

-- Set the horizons: a previous installation may have generated ids since the
-- server was started.
SELECT flakeid_raise_floor('epoch'::pg_catalog.timestamptz);

-- FLUID: text

CREATE FUNCTION fluid_to_f58(id bigint) RETURNS text
	AS 'MODULE_PATHNAME', 'flakeid_fluid_to_f58'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION fluid_to_f58(bigint) IS
	'FLUID in base 58, prefixed with U+0192, or with "f" if the database encoding is not UTF8';

CREATE FUNCTION fluid_from_f58(string text) RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_fluid_from_f58'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION fluid_from_f58(text) IS
	'FLUID from its text in base 58, skipping white space at both ends';

CREATE FUNCTION fluid_to_text(id bigint, form text) RETURNS text
	AS 'MODULE_PATHNAME', 'flakeid_fluid_to_text'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION fluid_to_text(bigint, text) IS
	'FLUID in the given form: f58, f58plain, dec, hex, dothex, kvs, words or emoji';

CREATE FUNCTION fluid_from_text(string text, form text DEFAULT 'auto')
	RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_fluid_from_text'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION fluid_from_text(text, text) IS
	'FLUID from its text in the given form, or in any form with auto, skipping white space at both ends';

-- Nanoflake: text

CREATE FUNCTION nanoflake_to_text(id bigint, radix integer) RETURNS text
	AS 'MODULE_PATHNAME', 'flakeid_nanoflake_to_text'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION nanoflake_to_text(bigint, integer) IS
	'Nanoflake in a radix from 2 to 36';

CREATE FUNCTION nanoflake_from_text(string text, radix integer) RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_nanoflake_from_text'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION nanoflake_from_text(text, integer) IS
	'Nanoflake from a text in a radix from 2 to 36, skipping white space at both ends';

-- Ulid-Flake: text

CREATE FUNCTION ulidflake_to_text(id bigint) RETURNS text
	AS 'MODULE_PATHNAME', 'flakeid_ulidflake_to_text'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulidflake_to_text(bigint) IS
	'Ulid-Flake as 13 digits of Crockford''s base 32 that sort like the number';

CREATE FUNCTION ulidflake_from_text(string text) RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_ulidflake_from_text'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ulidflake_from_text(text) IS
	'Ulid-Flake from a text in Crockford''s base 32, skipping white space at both ends';

-- SCRU160: the type

CREATE TYPE scru160;

CREATE FUNCTION scru160_in(string cstring) RETURNS scru160
	AS 'MODULE_PATHNAME', 'flakeid_scru160_in'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scru160_in(cstring) IS
	'input of scru160';

CREATE FUNCTION scru160_out(id scru160) RETURNS cstring
	AS 'MODULE_PATHNAME', 'flakeid_scru160_out'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scru160_out(scru160) IS
	'output of scru160';

CREATE FUNCTION scru160_recv(message internal) RETURNS scru160
	AS 'MODULE_PATHNAME', 'flakeid_scru160_recv'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scru160_recv(internal) IS
	'binary input of scru160';

CREATE FUNCTION scru160_send(id scru160) RETURNS bytea
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
	ALIGNMENT = char
);
COMMENT ON TYPE scru160 IS
	'SCRU160: time-ordered id of 160 bits';

-- SCRU160: order

CREATE FUNCTION scru160_eq(a scru160, b scru160) RETURNS boolean
	AS 'MODULE_PATHNAME', 'flakeid_scru160_eq'
	LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION scru160_eq(scru160, scru160) IS
	'implementation of = operator';

CREATE FUNCTION scru160_ne(a scru160, b scru160) RETURNS boolean
	AS 'MODULE_PATHNAME', 'flakeid_scru160_ne'
	LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION scru160_ne(scru160, scru160) IS
	'implementation of <> operator';

CREATE FUNCTION scru160_lt(a scru160, b scru160) RETURNS boolean
	AS 'MODULE_PATHNAME', 'flakeid_scru160_lt'
	LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION scru160_lt(scru160, scru160) IS
	'implementation of < operator';

CREATE FUNCTION scru160_le(a scru160, b scru160) RETURNS boolean
	AS 'MODULE_PATHNAME', 'flakeid_scru160_le'
	LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION scru160_le(scru160, scru160) IS
	'implementation of <= operator';

CREATE FUNCTION scru160_gt(a scru160, b scru160) RETURNS boolean
	AS 'MODULE_PATHNAME', 'flakeid_scru160_gt'
	LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION scru160_gt(scru160, scru160) IS
	'implementation of > operator';

CREATE FUNCTION scru160_ge(a scru160, b scru160) RETURNS boolean
	AS 'MODULE_PATHNAME', 'flakeid_scru160_ge'
	LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION scru160_ge(scru160, scru160) IS
	'implementation of >= operator';

CREATE FUNCTION scru160_cmp(a scru160, b scru160) RETURNS integer
	AS 'MODULE_PATHNAME', 'flakeid_scru160_cmp'
	LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION scru160_cmp(scru160, scru160) IS
	'less-equal-greater';

CREATE FUNCTION scru160_sortsupport(sort internal) RETURNS void
	AS 'MODULE_PATHNAME', 'flakeid_scru160_sortsupport'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scru160_sortsupport(internal) IS
	'sort support';

CREATE FUNCTION scru160_hash(id scru160) RETURNS integer
	AS 'MODULE_PATHNAME', 'flakeid_scru160_hash'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scru160_hash(scru160) IS
	'hash';

CREATE FUNCTION scru160_hash_extended(id scru160, seed bigint) RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_scru160_hash_extended'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scru160_hash_extended(scru160, bigint) IS
	'hash of 64 bits';

CREATE FUNCTION scru160_smaller(a scru160, b scru160) RETURNS scru160
	AS 'MODULE_PATHNAME', 'flakeid_scru160_smaller'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scru160_smaller(scru160, scru160) IS
	'smaller of two';

CREATE FUNCTION scru160_larger(a scru160, b scru160) RETURNS scru160
	AS 'MODULE_PATHNAME', 'flakeid_scru160_larger'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scru160_larger(scru160, scru160) IS
	'larger of two';

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
	RESTRICT = scalarltsel,
	JOIN = scalarltjoinsel
);
COMMENT ON OPERATOR < (scru160, scru160) IS 'less than';

CREATE OPERATOR <= (
	FUNCTION = scru160_le,
	LEFTARG = scru160,
	RIGHTARG = scru160,
	COMMUTATOR = >=,
	NEGATOR = >,
	RESTRICT = scalarlesel,
	JOIN = scalarlejoinsel
);
COMMENT ON OPERATOR <= (scru160, scru160) IS 'less than or equal';

CREATE OPERATOR > (
	FUNCTION = scru160_gt,
	LEFTARG = scru160,
	RIGHTARG = scru160,
	COMMUTATOR = <,
	NEGATOR = <=,
	RESTRICT = scalargtsel,
	JOIN = scalargtjoinsel
);
COMMENT ON OPERATOR > (scru160, scru160) IS 'greater than';

CREATE OPERATOR >= (
	FUNCTION = scru160_ge,
	LEFTARG = scru160,
	RIGHTARG = scru160,
	COMMUTATOR = <=,
	NEGATOR = <,
	RESTRICT = scalargesel,
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
	'smallest and largest scru160 of a range of pages';
COMMENT ON OPERATOR FAMILY scru160_minmax_ops USING brin IS
	'smallest and largest scru160 of a range of pages';

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

CREATE FUNCTION scru160_from_bytea(bytes bytea) RETURNS scru160
	AS 'MODULE_PATHNAME', 'flakeid_scru160_from_bytea'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scru160_from_bytea(bytea) IS
	'SCRU160 from its 20 bytes';

CREATE CAST (scru160 AS bytea) WITH FUNCTION scru160_send(scru160);
COMMENT ON CAST (scru160 AS bytea) IS 'the 20 bytes of a SCRU160';

CREATE CAST (bytea AS scru160) WITH FUNCTION scru160_from_bytea(bytea);
COMMENT ON CAST (bytea AS scru160) IS 'SCRU160 from its 20 bytes';

-- SCRU160: generators

CREATE FUNCTION scru160_generate() RETURNS scru160
	AS 'MODULE_PATHNAME', 'flakeid_scru160_generate'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scru160_generate() IS
	'generate SCRU160, strictly increasing per process';

CREATE FUNCTION scru160_us_generate() RETURNS scru160
	AS 'MODULE_PATHNAME', 'flakeid_scru160_us_generate'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scru160_us_generate() IS
	'generate SCRU160 with the microsecond in its counter, strictly increasing per process';

-- SCRU160: reading

CREATE FUNCTION scru160_to_text(id scru160, form text) RETURNS text
	AS 'MODULE_PATHNAME', 'flakeid_scru160_to_text'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scru160_to_text(scru160, text) IS
	'SCRU160 in base32hex, its canonical text, or in hex';

CREATE FUNCTION scru160_from_text(string text) RETURNS scru160
	AS 'MODULE_PATHNAME', 'flakeid_scru160_from_text'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scru160_from_text(text) IS
	'SCRU160 from its text in base32hex or hex, skipping white space at both ends';

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

CREATE FUNCTION scru160_get_ticks(id scru160) RETURNS bigint
	AS 'MODULE_PATHNAME', 'flakeid_scru160_get_ticks'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scru160_get_ticks(scru160) IS
	'milliseconds since 1970 of a SCRU160';

CREATE FUNCTION scru160_get_counter(id scru160) RETURNS integer
	AS 'MODULE_PATHNAME', 'flakeid_scru160_get_counter'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scru160_get_counter(scru160) IS
	'counter of a SCRU160, 16 bits';

CREATE FUNCTION scru160_get_random(id scru160) RETURNS bytea
	AS 'MODULE_PATHNAME', 'flakeid_scru160_get_random'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scru160_get_random(scru160) IS
	'random bits of a SCRU160, 12 bytes';

-- SCRU160: ids of a given time, bounds and ranges

CREATE FUNCTION scru160_from_parts(ticks bigint, counter integer,
								   random bytea)
	RETURNS scru160
	AS 'MODULE_PATHNAME', 'flakeid_scru160_from_parts'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scru160_from_parts(bigint, integer, bytea) IS
	'SCRU160 from its fields';

CREATE FUNCTION scru160_from_timestamptz(ts timestamptz) RETURNS scru160
	AS 'MODULE_PATHNAME', 'flakeid_scru160_from_timestamptz'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scru160_from_timestamptz(timestamptz) IS
	'SCRU160 of a time, with the other bits random';

CREATE FUNCTION scru160_us_from_timestamptz(ts timestamptz) RETURNS scru160
	AS 'MODULE_PATHNAME', 'flakeid_scru160_us_from_timestamptz'
	LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scru160_us_from_timestamptz(timestamptz) IS
	'SCRU160 of a time with the microsecond in its counter, with the other bits random';

CREATE FUNCTION scru160_min(ts timestamptz) RETURNS scru160
	AS 'MODULE_PATHNAME', 'flakeid_scru160_min'
	LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION scru160_min(timestamptz) IS
	'smallest SCRU160 of the millisecond of a time or later';

CREATE FUNCTION scru160_in_range(id scru160, from_ts timestamptz,
								to_ts timestamptz)
	RETURNS boolean
	LANGUAGE SQL IMMUTABLE PARALLEL SAFE
	RETURN id >= scru160_min(from_ts) AND id < scru160_min(to_ts);
COMMENT ON FUNCTION scru160_in_range(scru160, timestamptz, timestamptz) IS
	'is the millisecond of the SCRU160 in [from_ts, to_ts), both truncated to milliseconds?';

-- Explaining an id

CREATE FUNCTION uuid_explain(id uuid) RETURNS SETOF flakeid_explain_row
	AS 'MODULE_PATHNAME', 'flakeid_uuid_explain'
	LANGUAGE C STABLE STRICT PARALLEL SAFE
	ROWS 8;
COMMENT ON FUNCTION uuid_explain(uuid) IS
	'all fields of a UUID of any version, with times in UTC';

CREATE FUNCTION fluid_explain(id bigint) RETURNS SETOF flakeid_explain_row
	AS 'MODULE_PATHNAME', 'flakeid_fluid_explain'
	LANGUAGE C STABLE STRICT PARALLEL SAFE
	ROWS 8;
COMMENT ON FUNCTION fluid_explain(bigint) IS
	'all fields of a FLUID, with its time in UTC, with the epoch in effect';

CREATE FUNCTION fluid_explain(id bigint, epoch timestamptz)
	RETURNS SETOF flakeid_explain_row
	AS 'MODULE_PATHNAME', 'flakeid_fluid_explain'
	LANGUAGE C STABLE STRICT PARALLEL SAFE
	ROWS 8;
COMMENT ON FUNCTION fluid_explain(bigint, timestamptz) IS
	'all fields of a FLUID, with its time in UTC, with the given epoch';

CREATE FUNCTION nanoflake_explain(id bigint) RETURNS SETOF flakeid_explain_row
	AS 'MODULE_PATHNAME', 'flakeid_nanoflake_explain'
	LANGUAGE C STABLE STRICT PARALLEL SAFE
	ROWS 8;
COMMENT ON FUNCTION nanoflake_explain(bigint) IS
	'all fields of a Nanoflake, with its time in UTC, with the epoch in effect';

CREATE FUNCTION nanoflake_explain(id bigint, epoch timestamptz)
	RETURNS SETOF flakeid_explain_row
	AS 'MODULE_PATHNAME', 'flakeid_nanoflake_explain'
	LANGUAGE C STABLE STRICT PARALLEL SAFE
	ROWS 8;
COMMENT ON FUNCTION nanoflake_explain(bigint, timestamptz) IS
	'all fields of a Nanoflake, with its time in UTC, with the given epoch';

CREATE FUNCTION ulidflake_explain(id bigint) RETURNS SETOF flakeid_explain_row
	AS 'MODULE_PATHNAME', 'flakeid_ulidflake_explain'
	LANGUAGE C STABLE STRICT PARALLEL SAFE
	ROWS 8;
COMMENT ON FUNCTION ulidflake_explain(bigint) IS
	'all fields of a Ulid-Flake, read in both forms, with its time in UTC, with the epoch in effect';

CREATE FUNCTION ulidflake_explain(id bigint, epoch timestamptz)
	RETURNS SETOF flakeid_explain_row
	AS 'MODULE_PATHNAME', 'flakeid_ulidflake_explain'
	LANGUAGE C STABLE STRICT PARALLEL SAFE
	ROWS 8;
COMMENT ON FUNCTION ulidflake_explain(bigint, timestamptz) IS
	'all fields of a Ulid-Flake, read in both forms, with its time in UTC, with the given epoch';

CREATE FUNCTION scru160_explain(id scru160) RETURNS SETOF flakeid_explain_row
	AS 'MODULE_PATHNAME', 'flakeid_scru160_explain'
	LANGUAGE C STABLE STRICT PARALLEL SAFE
	ROWS 8;
COMMENT ON FUNCTION scru160_explain(scru160) IS
	'all fields of a SCRU160, with its time in UTC';
