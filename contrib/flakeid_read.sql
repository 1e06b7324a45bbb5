--
-- flakeid_read.sql: read flakeid ids on servers without C extensions
--
--	psql -f contrib/flakeid_read.sql
--
-- creates plain SQL functions with the names, arguments and results of the
-- extension's functions that only read: times, bounds, ranges, fields, text.
-- flakeid_generate.sql generates ids.  The functions are created in the first schema of
-- search_path, which must not contain the extension.  Requires PostgreSQL 15
-- and a database with encoding UTF8.
--
-- Errors have the same SQLSTATEs as in the extension.  The epochs are the
-- settings flakeid.fluid_epoch, flakeid.nanoflake_epoch and
-- flakeid.ulidflake_epoch, which any user can SET here (ALTER DATABASE ... SET
-- flakeid.fluid_epoch = '...').
--
-- scru160 is a domain over bytea here: it sorts like the type, but is displayed
-- as bytea; use scru160_to_text and scru160_from_text.
--
-- Functions named flakeid_read_* are internal.  PL/pgSQL bodies have
-- a search_path of their own: in the caller's, another user could have an operator
-- of exactly the types of two operands, which PostgreSQL prefers.
--
BEGIN;

-- Errors, and checks of arguments

CREATE FUNCTION flakeid_read_refuse(code text, message text,
	hint text DEFAULT NULL) RETURNS bigint
	LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF hint IS NULL THEN
		RAISE EXCEPTION USING ERRCODE = code, MESSAGE = message;
	END IF;
	RAISE EXCEPTION USING ERRCODE = code, MESSAGE = message, HINT = hint;
END $$;

-- The uuid; 22023 unless it has one of the versions
CREATE FUNCTION flakeid_read_uuid(id uuid, VARIADIC versions integer[])
	RETURNS uuid
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF pg_catalog.get_byte(pg_catalog.uuid_send(id), 8) >> 6 <> 2 OR
		pg_catalog.get_byte(pg_catalog.uuid_send(id), 6) >> 4 <> ALL (versions)
	THEN
		RAISE EXCEPTION USING ERRCODE = '22023', MESSAGE =
			pg_catalog.format('uuid "%s" is not a UUIDv%s', id,
				pg_catalog.array_to_string(versions, ' or UUIDv'));
	END IF;
	RETURN id;
END $$;

-- The number; 22003 if it is negative
CREATE FUNCTION flakeid_read_id(id bigint, format text) RETURNS bigint
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF id < 0 THEN
		RAISE EXCEPTION USING ERRCODE = '22003', MESSAGE = pg_catalog.format(
			'value %s is out of range for a %s', id, format);
	END IF;
	RETURN id;
END $$;

-- The epoch; 22008 unless finite, 22023 unless whole milliseconds
CREATE FUNCTION flakeid_read_epoch(epoch timestamptz) RETURNS timestamptz
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF NOT pg_catalog.isfinite(epoch) THEN
		RAISE EXCEPTION USING ERRCODE = '22008', MESSAGE =
			pg_catalog.format('epoch "%s" is not finite', epoch);
	END IF;
	IF extract(microseconds FROM epoch AT TIME ZONE 'UTC')::integer % 1000 <> 0
	THEN
		RAISE EXCEPTION USING ERRCODE = '22023', MESSAGE =
			pg_catalog.format('epoch "%s" is not a whole number of milliseconds', epoch);
	END IF;
	RETURN epoch;
END $$;

-- After SET LOCAL or RESET, a setting that no library defines is an empty text.
-- Without an offset from UTC, the epoch would depend on the session: 22023.
CREATE FUNCTION flakeid_read_epoch_setting(format text) RETURNS timestamptz
	LANGUAGE sql STABLE STRICT PARALLEL SAFE
	RETURN CASE
		WHEN coalesce(current_setting('flakeid.' || format || '_epoch', true), '') = ''
		THEN '2024-01-01 00:00:00+00'
		WHEN current_setting('flakeid.' || format || '_epoch') ~
			':\d\d(\.\d+)?(Z|[+-]\d\d(:?\d\d)?)$'
		THEN current_setting('flakeid.' || format || '_epoch')
		ELSE flakeid_read_refuse('22023', format(
			'invalid value for parameter "flakeid.%s_epoch": "%s"', format,
			current_setting('flakeid.' || format || '_epoch')),
			'An epoch ends with Z or an offset from UTC, such as +00.')::text
		END::timestamptz;

-- Convert instants to and from microseconds since 1970

-- In the last years of timestamptz, extract(epoch) rounds fractions of a second.
-- For infinity, all fields except the epoch are NULL.
CREATE FUNCTION flakeid_read_unix_us(ts timestamptz) RETURNS numeric
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN extract(epoch FROM date_trunc('minute', ts AT TIME ZONE 'UTC')) * 1000000 +
		coalesce(extract(microseconds FROM ts AT TIME ZONE 'UTC'), 0);

CREATE FUNCTION flakeid_read_instant(unix_us bigint) RETURNS timestamptz
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN (timestamp '1970-01-01 00:00:00' +
		make_interval(days => (unix_us / 86400000000)::integer) +
		unix_us % 86400000000 * interval '1 microsecond') AT TIME ZONE 'UTC';

-- Millionths of a tick truncated to ticks; 22008 outside the field.  div() is
-- used because the quotient of numerics may be rounded up.
CREATE FUNCTION flakeid_read_tick(millionths numeric, last_tick numeric,
	ts timestamptz, format text) RETURNS bigint
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	tick numeric := pg_catalog.div(millionths, 1000000);
BEGIN
	IF millionths < 0 OR tick > last_tick THEN
		RAISE EXCEPTION USING ERRCODE = '22008', MESSAGE = pg_catalog.format(
			'timestamp out of range for %s: "%s"', format, ts);
	END IF;
	RETURN tick;
END $$;

-- Ticks from an epoch to an instant, truncated
CREATE FUNCTION flakeid_read_ticks(ts timestamptz, epoch_us numeric,
	ticks_per_s numeric, last_tick numeric, format text) RETURNS bigint
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN flakeid_read_tick((flakeid_read_unix_us(ts) - epoch_us) * ticks_per_s,
		last_tick, ts, format);

-- The same for a bound of a range: 0 before the field, last_tick + 1 beyond it
CREATE FUNCTION flakeid_read_clamped(ts timestamptz, epoch_us numeric,
	ticks_per_s numeric, last_tick numeric) RETURNS bigint
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN greatest(least(div((flakeid_read_unix_us(ts) - epoch_us) * ticks_per_s,
		1000000), last_tick + 1), 0);

-- UUID: bits

CREATE FUNCTION flakeid_read_high(id uuid) RETURNS bigint
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN ('x' || left(replace(id::text, '-', ''), 16))::bit(64)::bigint;

CREATE FUNCTION flakeid_read_low(id uuid) RETURNS bigint
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN ('x' || right(replace(id::text, '-', ''), 16))::bit(64)::bigint;

-- The 60 bits around the version
CREATE FUNCTION flakeid_read_high60(id uuid) RETURNS bigint
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN (flakeid_read_high(id) >> 16 & 281474976710655) << 12 |
		(flakeid_read_high(id) & 4095);

-- Ticks of 100 ns since 1582-10-15 of a version 1 or 6
CREATE FUNCTION flakeid_read_gregorian(id uuid) RETURNS bigint
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN CASE get_byte(uuid_send(id), 6) >> 4
		WHEN 1 THEN (flakeid_read_high(id) & 4095) << 48 |
			((flakeid_read_high(id) >> 16 & 65535) << 32) |
			(flakeid_read_high(id) >> 32 & 4294967295)
		ELSE flakeid_read_high60(id) END;

CREATE FUNCTION flakeid_read_gregorian_instant(ticks bigint)
	RETURNS timestamptz
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN flakeid_read_instant(ticks / 10 - 12219292800000000);

CREATE FUNCTION flakeid_read_make_uuid(high60 bigint, version text, low text)
	RETURNS uuid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN (left(lpad(to_hex(high60), 15, '0'), 12) || version ||
		right(lpad(to_hex(high60), 15, '0'), 3) || low)::uuid;

-- UUID

CREATE FUNCTION uuid_get_variant(id uuid) RETURNS text
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN CASE WHEN get_byte(uuid_send(id), 8) < 128 THEN 'ncs'
		WHEN get_byte(uuid_send(id), 8) < 192 THEN 'rfc9562'
		WHEN get_byte(uuid_send(id), 8) < 224 THEN 'microsoft'
		ELSE 'future' END;

CREATE FUNCTION uuid_get_version(id uuid) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN CASE WHEN get_byte(uuid_send(id), 8) >> 6 = 2
		THEN get_byte(uuid_send(id), 6) >> 4 END;

CREATE FUNCTION uuid_get_clock_sequence(id uuid) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN ((flakeid_read_low(flakeid_read_uuid(id, 1, 6)) >> 48) & 16383)::integer;

CREATE FUNCTION uuid_get_node(id uuid) RETURNS bytea
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN substr(uuid_send(flakeid_read_uuid(id, 1, 6)), 11);

CREATE FUNCTION uuid_v6_to_timestamptz(id uuid) RETURNS timestamptz
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN flakeid_read_gregorian_instant(
		flakeid_read_gregorian(flakeid_read_uuid(id, 6)));

CREATE FUNCTION uuid_v7_to_timestamptz(id uuid) RETURNS timestamptz
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN flakeid_read_instant(
		(flakeid_read_high60(flakeid_read_uuid(id, 7)) >> 12) * 1000);

CREATE FUNCTION uuid_v7_to_timestamp(id uuid) RETURNS timestamp
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN uuid_v7_to_timestamptz(id) AT TIME ZONE 'UTC';

CREATE FUNCTION uuid_to_timestamptz(id uuid) RETURNS timestamptz
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN CASE
		WHEN uuid_get_version(id) IN (1, 6)
		THEN flakeid_read_gregorian_instant(flakeid_read_gregorian(id))
		WHEN uuid_get_version(id) = 7 THEN uuid_v7_to_timestamptz(id) END;

CREATE FUNCTION uuid_v1_to_v6(id uuid) RETURNS uuid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN flakeid_read_make_uuid(
		flakeid_read_gregorian(flakeid_read_uuid(id, 1)), '6',
		right(replace(id::text, '-', ''), 16));

CREATE FUNCTION uuid_v6_to_v1(id uuid) RETURNS uuid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN (
		SELECT (substr(hex, 8, 5) || substr(hex, 14, 3) || substr(hex, 4, 4) ||
			'1' || left(hex, 3) || right(hex, 16))::uuid
		FROM (SELECT replace(flakeid_read_uuid(id, 6)::text, '-', '')) AS u (hex));

CREATE FUNCTION uuid_v6_min(ts timestamptz) RETURNS uuid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN flakeid_read_make_uuid(flakeid_read_ticks(ts, -12219292800000000,
		10000000, 1152921504606846975, 'UUIDv6'), '6', '8000000000000000');

CREATE FUNCTION uuid_v6_max(ts timestamptz) RETURNS uuid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN flakeid_read_make_uuid(least(flakeid_read_ticks(ts, -12219292800000000,
		10000000, 1152921504606846975, 'UUIDv6') + 9, 1152921504606846975),
		'6', 'bfffffffffffffff');

CREATE FUNCTION uuid_v7_min(ts timestamptz) RETURNS uuid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN flakeid_read_make_uuid(flakeid_read_ticks(ts, 0, 1000,
		281474976710655, 'UUIDv7') << 12, '7', '8000000000000000');

CREATE FUNCTION uuid_v7_max(ts timestamptz) RETURNS uuid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN flakeid_read_make_uuid(flakeid_read_ticks(ts, 0, 1000,
		281474976710655, 'UUIDv7') << 12 | 4095, '7', 'bfffffffffffffff');

CREATE FUNCTION uuid_v6_first(ts timestamptz) RETURNS uuid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN (
		SELECT CASE WHEN ticks > 1152921504606846975
			THEN 'ffffffff-ffff-ffff-ffff-ffffffffffff'
			ELSE flakeid_read_make_uuid(ticks, '6', '8000000000000000') END
		FROM flakeid_read_clamped(ts, -12219292800000000, 10000000,
			1152921504606846975) AS c (ticks));

CREATE FUNCTION uuid_v7_first(ts timestamptz) RETURNS uuid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN (
		SELECT CASE WHEN ms > 281474976710655
			THEN 'ffffffff-ffff-ffff-ffff-ffffffffffff'
			ELSE flakeid_read_make_uuid(ms << 12, '7', '8000000000000000') END
		FROM flakeid_read_clamped(ts, 0, 1000, 281474976710655) AS c (ms));

CREATE FUNCTION uuid_v6_between(id uuid, from_ts timestamptz, to_ts timestamptz)
	RETURNS boolean
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN id >= uuid_v6_first(from_ts) AND id < uuid_v6_first(to_ts);

CREATE FUNCTION uuid_v7_between(id uuid, from_ts timestamptz, to_ts timestamptz)
	RETURNS boolean
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN id >= uuid_v7_first(from_ts) AND id < uuid_v7_first(to_ts);

-- UUIDv7 and UUIDv8 of draft-peabody-dispatch-new-uuid-format-01

CREATE FUNCTION uuid_v7_draft_to_timestamptz(id uuid) RETURNS timestamptz
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN (
		SELECT flakeid_read_instant((high60 >> 24) * 1000000 +
			(((high60 & 16777215) << 14 | (flakeid_read_low(id) >> 48 & 16383)) *
				1000000 >> 38))
		FROM (SELECT flakeid_read_high60(flakeid_read_uuid(id, 7))) AS h (high60));

CREATE FUNCTION uuid_v7_draft_get_sequence(id uuid, unit text DEFAULT 'ms')
	RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN CASE unit
		WHEN 'ms' THEN flakeid_read_high(flakeid_read_uuid(id, 7)) & 4095
		WHEN 'us' THEN flakeid_read_low(flakeid_read_uuid(id, 7)) >> 48 & 16383
		WHEN 'ns' THEN flakeid_read_low(flakeid_read_uuid(id, 7)) >> 40 & 255
		ELSE flakeid_read_refuse('22023', format('unrecognized unit: "%s"', unit))
	END::integer;

CREATE FUNCTION uuid_v8_to_timestamptz(id uuid,
	timestamp_bits integer DEFAULT 48)
	RETURNS timestamptz
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN (
		SELECT flakeid_read_instant(CASE timestamp_bits
			WHEN 32 THEN (high60 >> 28) * 1000000
			WHEN 48 THEN (high60 >> 12) * 1000
			WHEN 60 THEN high60 / 100
			WHEN 64 THEN high60 * 2 / 125
			ELSE flakeid_read_refuse('22023', format(
				'invalid timestamp_bits: %s', timestamp_bits)) END)
		FROM (SELECT flakeid_read_high60(flakeid_read_uuid(id, 8))) AS h (high60));

CREATE FUNCTION uuid_v8_get_sequence(id uuid, timestamp_bits integer DEFAULT 48)
	RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN CASE
		WHEN timestamp_bits IN (32, 48)
		THEN flakeid_read_high(flakeid_read_uuid(id, 8)) & 4095
		WHEN timestamp_bits IN (60, 64)
		THEN flakeid_read_low(flakeid_read_uuid(id, 8)) >> 54 & 255
		ELSE flakeid_read_refuse('22023', format(
			'invalid timestamp_bits: %s', timestamp_bits))
	END::integer;

-- The low bits, in the fewest bytes
CREATE FUNCTION flakeid_read_node(id uuid, bits integer) RETURNS bytea
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN substr(int8send(flakeid_read_low(id) & ((1::bigint << bits) - 1)),
		9 - (bits + 7) / 8);

CREATE FUNCTION uuid_v7_draft_get_node(id uuid, unit text DEFAULT 'ms')
	RETURNS bytea
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN flakeid_read_node(flakeid_read_uuid(id, 7), CASE unit
		WHEN 'ms' THEN 62 WHEN 'us' THEN 48 WHEN 'ns' THEN 40
		ELSE flakeid_read_refuse('22023', format('unrecognized unit: "%s"', unit))
		END::integer);

CREATE FUNCTION uuid_v8_get_node(id uuid, timestamp_bits integer DEFAULT 48)
	RETURNS bytea
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN flakeid_read_node(flakeid_read_uuid(id, 8), CASE
		WHEN timestamp_bits IN (32, 48) THEN 62
		WHEN timestamp_bits IN (60, 64) THEN 54
		ELSE flakeid_read_refuse('22023', format(
			'invalid timestamp_bits: %s', timestamp_bits)) END::integer);

-- uuid from the 122 bits without version and variant; for 2^122, the greatest value
CREATE FUNCTION flakeid_read_uuid_of(bits numeric, version text) RETURNS uuid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN CASE WHEN bits < 5316911983139663491615228241121378304
		THEN flakeid_read_make_uuid(div(bits, 4611686018427387904)::bigint, version,
			to_hex((mod(bits, 4611686018427387904) - 9223372036854775808)::bigint))
		ELSE 'ffffffff-ffff-ffff-ffff-ffffffffffff' END;

-- Version 7 of the draft: steps of bounds per second, the step of an instant,
-- and the smallest 122 bits of a step, with the fraction rounded up
CREATE FUNCTION flakeid_read_per_s(unit text) RETURNS numeric
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN CASE WHEN unit = 'ms' THEN 1000 WHEN unit IN ('us', 'ns') THEN 1000000
		ELSE flakeid_read_refuse('22023', format('unrecognized unit: "%s"', unit)) END;

CREATE FUNCTION flakeid_read_draft_step(ts timestamptz, unit text) RETURNS bigint
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN flakeid_read_ticks(ts, 0, flakeid_read_per_s(unit),
		68719476736 * flakeid_read_per_s(unit) - 1, 'UUIDv7 of draft-01');

CREATE FUNCTION flakeid_read_draft_bits(step bigint, unit text) RETURNS numeric
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN (
		SELECT div(step::numeric * (1::bigint << bits) + per_s - 1, per_s) *
			(1::bigint << 43 - bits) * 8796093022208
		FROM flakeid_read_per_s(unit) AS p (per_s),
			(SELECT CASE unit WHEN 'ms' THEN 12 WHEN 'us' THEN 24 ELSE 38 END) AS b (bits));

CREATE FUNCTION uuid_v7_draft_min(ts timestamptz, unit text DEFAULT 'ms')
	RETURNS uuid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN flakeid_read_uuid_of(flakeid_read_draft_bits(
		flakeid_read_draft_step(ts, unit), unit), '7');

CREATE FUNCTION uuid_v7_draft_max(ts timestamptz, unit text DEFAULT 'ms')
	RETURNS uuid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN flakeid_read_uuid_of(flakeid_read_draft_bits(
		flakeid_read_draft_step(ts, unit) + 1, unit) - 1, '7');

CREATE FUNCTION uuid_v7_draft_first(ts timestamptz, unit text DEFAULT 'ms')
	RETURNS uuid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN flakeid_read_uuid_of(flakeid_read_draft_bits(flakeid_read_clamped(ts, 0,
		flakeid_read_per_s(unit), 68719476736 * flakeid_read_per_s(unit) - 1), unit), '7');

CREATE FUNCTION uuid_v7_draft_between(id uuid, from_ts timestamptz,
	to_ts timestamptz, unit text DEFAULT 'ms')
	RETURNS boolean
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN id >= uuid_v7_draft_first(from_ts, unit) AND
		id < uuid_v7_draft_first(to_ts, unit);

-- Version 8: ticks per second (for 64 bits, of the 60 bits stored), the last
-- tick, and the smallest 122 bits of a tick
CREATE FUNCTION flakeid_read_per_s(timestamp_bits integer) RETURNS numeric
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN CASE timestamp_bits WHEN 32 THEN 1 WHEN 48 THEN 1000
		WHEN 60 THEN 100000000 WHEN 64 THEN 62500000
		ELSE flakeid_read_refuse('22023', format(
			'invalid timestamp_bits: %s', timestamp_bits)) END;

CREATE FUNCTION flakeid_read_last_tick(timestamp_bits integer) RETURNS bigint
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN (1::bigint << least(timestamp_bits, 60)) - 1;

CREATE FUNCTION flakeid_read_tick_bits(tick numeric, timestamp_bits integer)
	RETURNS numeric
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN tick * 4611686018427387904 * (1::bigint << 60 - least(timestamp_bits, 60));

CREATE FUNCTION uuid_v8_min(ts timestamptz, timestamp_bits integer DEFAULT 48)
	RETURNS uuid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN flakeid_read_uuid_of(flakeid_read_tick_bits(flakeid_read_ticks(ts, 0,
		flakeid_read_per_s(timestamp_bits), flakeid_read_last_tick(timestamp_bits),
		format('UUIDv8 with %s bits of time', timestamp_bits)), timestamp_bits), '8');

-- The last tick that begins in the microsecond or, if none does, the tick that
-- contains it
CREATE FUNCTION uuid_v8_max(ts timestamptz, timestamp_bits integer DEFAULT 48)
	RETURNS uuid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN (
		SELECT flakeid_read_uuid_of(flakeid_read_tick_bits(1 + least(greatest(tick,
			div((flakeid_read_unix_us(ts) + 1) * flakeid_read_per_s(timestamp_bits) +
				999999, 1000000) - 1), flakeid_read_last_tick(timestamp_bits)),
			timestamp_bits) - 1, '8')
		FROM flakeid_read_ticks(ts, 0, flakeid_read_per_s(timestamp_bits),
			flakeid_read_last_tick(timestamp_bits),
			format('UUIDv8 with %s bits of time', timestamp_bits)) AS t (tick));

CREATE FUNCTION uuid_v8_first(ts timestamptz, timestamp_bits integer DEFAULT 48)
	RETURNS uuid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN flakeid_read_uuid_of(flakeid_read_tick_bits(flakeid_read_clamped(ts, 0,
		flakeid_read_per_s(timestamp_bits), flakeid_read_last_tick(timestamp_bits)),
		timestamp_bits), '8');

CREATE FUNCTION uuid_v8_between(id uuid, from_ts timestamptz,
	to_ts timestamptz, timestamp_bits integer DEFAULT 48)
	RETURNS boolean
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN id >= uuid_v8_first(from_ts, timestamp_bits) AND
		id < uuid_v8_first(to_ts, timestamp_bits);

-- 64-bit formats: the first id of an instant; 0 before the epoch, the greatest
-- bigint beyond the last millisecond
CREATE FUNCTION flakeid_read_before(ts timestamptz, epoch_us numeric,
	last_ms numeric, ids_per_ms numeric) RETURNS bigint
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN least(flakeid_read_clamped(ts, epoch_us, 1000, last_ms) * ids_per_ms,
		9223372036854775807);

-- FLUID

CREATE FUNCTION fluid_to_timestamptz(id bigint, epoch timestamptz)
	RETURNS timestamptz
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN flakeid_read_instant((
		flakeid_read_unix_us(flakeid_read_epoch(epoch)) +
		((id >> 24) & 1099511627775) * 1000)::bigint);

CREATE FUNCTION fluid_to_timestamptz(id bigint) RETURNS timestamptz
	LANGUAGE sql STABLE STRICT PARALLEL SAFE
	RETURN fluid_to_timestamptz(id, flakeid_read_epoch_setting('fluid'));

CREATE FUNCTION fluid_get_generator(id bigint) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN ((id >> 10) & 16383)::integer;

CREATE FUNCTION fluid_get_sequence(id bigint) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN (id & 1023)::integer;

CREATE FUNCTION fluid_min(ts timestamptz, epoch timestamptz) RETURNS bigint
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN flakeid_read_ticks(ts, flakeid_read_unix_us(flakeid_read_epoch(epoch)),
		1000, 549755813887, 'FLUID') << 24;

CREATE FUNCTION fluid_min(ts timestamptz) RETURNS bigint
	LANGUAGE sql STABLE STRICT PARALLEL SAFE
	RETURN fluid_min(ts, flakeid_read_epoch_setting('fluid'));

CREATE FUNCTION fluid_max(ts timestamptz, epoch timestamptz) RETURNS bigint
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN flakeid_read_ticks(ts, flakeid_read_unix_us(flakeid_read_epoch(epoch)),
		1000, 549755813887, 'FLUID') << 24 | 16777215;

CREATE FUNCTION fluid_max(ts timestamptz) RETURNS bigint
	LANGUAGE sql STABLE STRICT PARALLEL SAFE
	RETURN fluid_max(ts, flakeid_read_epoch_setting('fluid'));

CREATE FUNCTION fluid_before(ts timestamptz, epoch timestamptz) RETURNS bigint
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN flakeid_read_before(ts, flakeid_read_unix_us(flakeid_read_epoch(epoch)),
		549755813887, 16777216);

CREATE FUNCTION fluid_before(ts timestamptz) RETURNS bigint
	LANGUAGE sql STABLE STRICT PARALLEL SAFE
	RETURN fluid_before(ts, flakeid_read_epoch_setting('fluid'));

CREATE FUNCTION fluid_between(id bigint, from_ts timestamptz, to_ts timestamptz)
	RETURNS boolean
	LANGUAGE sql STABLE PARALLEL SAFE
	RETURN id >= fluid_before(from_ts) AND id < fluid_before(to_ts);

CREATE FUNCTION fluid_between(id bigint, from_ts timestamptz, to_ts timestamptz,
	epoch timestamptz)
	RETURNS boolean
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN id >= fluid_before(from_ts, epoch) AND id < fluid_before(to_ts, epoch);

-- Nanoflake

CREATE FUNCTION nanoflake_to_timestamptz(id bigint, epoch timestamptz)
	RETURNS timestamptz
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN flakeid_read_instant((
		flakeid_read_unix_us(flakeid_read_epoch(epoch)) +
		(flakeid_read_id(id, 'Nanoflake') >> 22) * 1000)::bigint);

CREATE FUNCTION nanoflake_to_timestamptz(id bigint) RETURNS timestamptz
	LANGUAGE sql STABLE STRICT PARALLEL SAFE
	RETURN nanoflake_to_timestamptz(id, flakeid_read_epoch_setting('nanoflake'));

CREATE FUNCTION nanoflake_get_generator(id bigint) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN ((flakeid_read_id(id, 'Nanoflake') >> 12) & 1023)::integer;

CREATE FUNCTION nanoflake_get_sequence(id bigint) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN (flakeid_read_id(id, 'Nanoflake') & 4095)::integer;

CREATE FUNCTION nanoflake_min(ts timestamptz, epoch timestamptz) RETURNS bigint
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN flakeid_read_ticks(ts, flakeid_read_unix_us(flakeid_read_epoch(epoch)),
		1000, 2199023255551, 'Nanoflake') << 22;

CREATE FUNCTION nanoflake_min(ts timestamptz) RETURNS bigint
	LANGUAGE sql STABLE STRICT PARALLEL SAFE
	RETURN nanoflake_min(ts, flakeid_read_epoch_setting('nanoflake'));

CREATE FUNCTION nanoflake_max(ts timestamptz, epoch timestamptz) RETURNS bigint
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN flakeid_read_ticks(ts, flakeid_read_unix_us(flakeid_read_epoch(epoch)),
		1000, 2199023255551, 'Nanoflake') << 22 | 4194303;

CREATE FUNCTION nanoflake_max(ts timestamptz) RETURNS bigint
	LANGUAGE sql STABLE STRICT PARALLEL SAFE
	RETURN nanoflake_max(ts, flakeid_read_epoch_setting('nanoflake'));

CREATE FUNCTION nanoflake_before(ts timestamptz, epoch timestamptz) RETURNS bigint
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN flakeid_read_before(ts, flakeid_read_unix_us(flakeid_read_epoch(epoch)),
		2199023255551, 4194304);

CREATE FUNCTION nanoflake_before(ts timestamptz) RETURNS bigint
	LANGUAGE sql STABLE STRICT PARALLEL SAFE
	RETURN nanoflake_before(ts, flakeid_read_epoch_setting('nanoflake'));

CREATE FUNCTION nanoflake_between(id bigint, from_ts timestamptz, to_ts timestamptz)
	RETURNS boolean
	LANGUAGE sql STABLE PARALLEL SAFE
	RETURN id >= nanoflake_before(from_ts) AND id < nanoflake_before(to_ts);

CREATE FUNCTION nanoflake_between(id bigint, from_ts timestamptz, to_ts timestamptz,
	epoch timestamptz)
	RETURNS boolean
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN id >= nanoflake_before(from_ts, epoch) AND id < nanoflake_before(to_ts, epoch);

-- Ulid-Flake

CREATE FUNCTION ulidflake_to_timestamptz(id bigint, epoch timestamptz)
	RETURNS timestamptz
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN flakeid_read_instant((
		flakeid_read_unix_us(flakeid_read_epoch(epoch)) +
		(flakeid_read_id(id, 'Ulid-Flake') >> 20) * 1000)::bigint);

CREATE FUNCTION ulidflake_to_timestamptz(id bigint) RETURNS timestamptz
	LANGUAGE sql STABLE STRICT PARALLEL SAFE
	RETURN ulidflake_to_timestamptz(id, flakeid_read_epoch_setting('ulidflake'));

CREATE FUNCTION ulidflake_get_random(id bigint) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN (flakeid_read_id(id, 'Ulid-Flake') & 1048575)::integer;

CREATE FUNCTION ulidflake_scalable_get_random(id bigint) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN ((flakeid_read_id(id, 'Ulid-Flake') >> 5) & 32767)::integer;

CREATE FUNCTION ulidflake_get_scalability(id bigint) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN (flakeid_read_id(id, 'Ulid-Flake') & 31)::integer;

CREATE FUNCTION ulidflake_min(ts timestamptz, epoch timestamptz) RETURNS bigint
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN flakeid_read_ticks(ts, flakeid_read_unix_us(flakeid_read_epoch(epoch)),
		1000, 8796093022207, 'Ulid-Flake') << 20;

CREATE FUNCTION ulidflake_min(ts timestamptz) RETURNS bigint
	LANGUAGE sql STABLE STRICT PARALLEL SAFE
	RETURN ulidflake_min(ts, flakeid_read_epoch_setting('ulidflake'));

CREATE FUNCTION ulidflake_max(ts timestamptz, epoch timestamptz) RETURNS bigint
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN ulidflake_min(ts, epoch) | 1048575;

CREATE FUNCTION ulidflake_max(ts timestamptz) RETURNS bigint
	LANGUAGE sql STABLE STRICT PARALLEL SAFE
	RETURN ulidflake_max(ts, flakeid_read_epoch_setting('ulidflake'));

CREATE FUNCTION ulidflake_before(ts timestamptz, epoch timestamptz) RETURNS bigint
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN flakeid_read_before(ts, flakeid_read_unix_us(flakeid_read_epoch(epoch)),
		8796093022207, 1048576);

CREATE FUNCTION ulidflake_before(ts timestamptz) RETURNS bigint
	LANGUAGE sql STABLE STRICT PARALLEL SAFE
	RETURN ulidflake_before(ts, flakeid_read_epoch_setting('ulidflake'));

CREATE FUNCTION ulidflake_between(id bigint, from_ts timestamptz,
	to_ts timestamptz)
	RETURNS boolean
	LANGUAGE sql STABLE PARALLEL SAFE
	RETURN id >= ulidflake_before(from_ts) AND id < ulidflake_before(to_ts);

CREATE FUNCTION ulidflake_between(id bigint, from_ts timestamptz,
	to_ts timestamptz, epoch timestamptz)
	RETURNS boolean
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN id >= ulidflake_before(from_ts, epoch) AND id < ulidflake_before(to_ts, epoch);

-- SCRU160

CREATE DOMAIN scru160 AS bytea CHECK (octet_length(VALUE) = 20);

CREATE FUNCTION scru160_to_hex(id scru160) RETURNS text
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN encode(id, 'hex');

CREATE FUNCTION scru160_to_bytea(id scru160) RETURNS bytea
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN id::bytea;

CREATE FUNCTION scru160_from_bytea(b bytea) RETURNS scru160
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF pg_catalog.octet_length(b) <> 20 THEN
		RAISE EXCEPTION USING ERRCODE = '22P03',
			MESSAGE = pg_catalog.format(
				'invalid input length for type scru160: %s bytes', pg_catalog.length(b));
	END IF;
	RETURN b;
END $$;

CREATE FUNCTION scru160_to_timestamptz(id scru160) RETURNS timestamptz
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN flakeid_read_instant(
		('x' || encode(substr(id, 1, 6), 'hex'))::bit(48)::bigint * 1000);

CREATE FUNCTION scru160_get_counter(id scru160) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN get_byte(id, 6) << 8 | get_byte(id, 7);

CREATE FUNCTION scru160_to_text(id scru160) RETURNS text
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN (
		SELECT string_agg(substr('0123456789ABCDEFGHIJKLMNOPQRSTUV',
			substr(bits, 5 * i + 1, 5)::bit(5)::integer + 1, 1), '' ORDER BY i)
		FROM (SELECT ('x' || encode(id, 'hex'))::bit(160)::text) AS b (bits),
			generate_series(0, 31) AS i);

CREATE FUNCTION scru160_us_to_timestamptz(id scru160) RETURNS timestamptz
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN scru160_to_timestamptz(id) + interval '1 microsecond' *
		CASE WHEN scru160_get_counter(id) >> 6 > 999
		THEN flakeid_read_refuse('22023',
			format('scru160 "%s" has no microsecond', scru160_to_text(id)))
		ELSE scru160_get_counter(id) >> 6 END;

CREATE FUNCTION scru160_get_random16(id scru160) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN get_byte(id, 8) << 8 | get_byte(id, 9);

CREATE FUNCTION scru160_get_random80(id scru160) RETURNS bytea
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN substr(id, 11);

CREATE FUNCTION scru160_min(ts timestamptz) RETURNS scru160
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN decode(lpad(to_hex(flakeid_read_ticks(ts, 0, 1000, 281474976710655,
		'SCRU160')), 12, '0') || repeat('0', 28), 'hex');

CREATE FUNCTION scru160_max(ts timestamptz) RETURNS scru160
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN decode(lpad(to_hex(flakeid_read_ticks(ts, 0, 1000, 281474976710655,
		'SCRU160')), 12, '0') || repeat('f', 28), 'hex');

CREATE FUNCTION scru160_first(ts timestamptz) RETURNS scru160
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN (
		SELECT decode(CASE WHEN ms < 281474976710656
			THEN lpad(to_hex(ms), 12, '0') || repeat('0', 28)
			ELSE repeat('f', 40) END, 'hex')
		FROM flakeid_read_clamped(ts, 0, 1000, 281474976710655) AS f (ms));

CREATE FUNCTION scru160_between(id scru160, from_ts timestamptz,
	to_ts timestamptz)
	RETURNS boolean
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN id >= scru160_first(from_ts) AND id < scru160_first(to_ts);

-- Text: numbers in an alphabet

CREATE FUNCTION flakeid_read_unsigned(id bigint) RETURNS numeric
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN CASE WHEN id < 0 THEN id + 18446744073709551616 ELSE id END;

CREATE FUNCTION flakeid_read_signed(n numeric) RETURNS bigint
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN CASE WHEN n > 9223372036854775807
		THEN n - 18446744073709551616 ELSE n END::bigint;

CREATE FUNCTION flakeid_read_digits(n numeric, alphabet text) RETURNS text
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	radix numeric := pg_catalog.length(alphabet);
	digits text := '';
BEGIN
	LOOP
		digits := pg_catalog.substr(alphabet, (n % radix)::integer + 1, 1) || digits;
		n := pg_catalog.div(n, radix);
		EXIT WHEN n = 0;
	END LOOP;
	RETURN digits;
END $$;

-- Decode a number after a prefix, whose length is NULL if the text does not have
-- the form; also: characters that mean the digits "meant".  Wrong form, invalid
-- digit or no digit: 22P02, above the last: 22003, whichever comes first.  The time
-- does not grow with the square of the length: texts can come from other people.
CREATE FUNCTION flakeid_read_number(t text, alphabet text, fold boolean,
	skip integer, last numeric, format text, also text DEFAULT '',
	meant text DEFAULT '') RETURNS numeric
	LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	radix numeric := pg_catalog.length(alphabet);
	n numeric := 0;
	digits text := pg_catalog.substr(t, skip + 1);
	wrong boolean := coalesce(digits, '') = '';
BEGIN
	-- Fold ASCII letters only: no other letter is a digit, in either case.
	IF fold THEN
		digits := pg_catalog.translate(digits, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
			'abcdefghijklmnopqrstuvwxyz');
	END IF;
	-- Without leading zeros, a number that is too large ends the loop early.
	digits := pg_catalog.ltrim(pg_catalog.translate(digits, also, meant),
		pg_catalog.left(alphabet, 1));
	FOR i IN 1 .. coalesce(pg_catalog.length(digits), 0) LOOP
		wrong := pg_catalog.strpos(alphabet, pg_catalog.substr(digits, i, 1)) = 0;
		EXIT WHEN wrong;
		n := n * radix +
			pg_catalog.strpos(alphabet, pg_catalog.substr(digits, i, 1)) - 1;
		IF n > last THEN
			RAISE EXCEPTION USING ERRCODE = '22003', MESSAGE = pg_catalog.format(
				'value "%s" is out of range for a %s', t, format);
		END IF;
	END LOOP;
	IF wrong THEN
		RAISE EXCEPTION USING ERRCODE = '22P02', MESSAGE = pg_catalog.format(
			'invalid input syntax for %s: "%s"', format, t);
	END IF;
	RETURN n;
END $$;

-- <format>_from_text skips ASCII white space at both ends
CREATE FUNCTION flakeid_read_trimmed(t text) RETURNS text
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN btrim(t, E' \t\n\x0B\f\r');

-- SCRU160: 32 digits of base32hex or 40 of hex, in any case; else 22P02
CREATE FUNCTION scru160_from_text(t text) RETURNS scru160
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN (
		SELECT CASE
			WHEN digits ~ '^[0-9A-Fa-f]{40}$' THEN decode(digits, 'hex')
			-- Four digits of base32hex are five digits of hex.
			WHEN digits ~ '^[0-9A-Va-v]{32}$' THEN (
				SELECT decode(string_agg(lpad(to_hex(flakeid_read_number(
					substr(digits, 4 * i + 1, 4), '0123456789abcdefghijklmnopqrstuv',
					true, 0, 1048575, 'scru160')::integer), 5, '0'), '' ORDER BY i),
					'hex')
				FROM generate_series(0, 7) AS i)
			ELSE int8send(flakeid_read_refuse('22P02',
				format('invalid input syntax for type scru160: "%s"', t))) END
		FROM flakeid_read_trimmed(t) AS d (digits));

-- FLUID: text

CREATE FUNCTION fluid_to_f58(id bigint, ascii boolean) RETURNS text
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN CASE WHEN ascii THEN 'f' ELSE chr(402) END ||
		flakeid_read_digits(flakeid_read_unsigned(id),
			'123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz');

CREATE FUNCTION fluid_to_f58(id bigint) RETURNS text
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN fluid_to_f58(id, false);

CREATE FUNCTION fluid_to_hex(id bigint) RETURNS text
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN '0x' || to_hex(id);

CREATE FUNCTION fluid_to_dothex(id bigint) RETURNS text
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN regexp_replace(lpad(to_hex(id), 16, '0'),
		'^(....)(....)(....)(....)$', '\1.\2.\3.\4');

CREATE FUNCTION fluid_to_kvs(id bigint) RETURNS text
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN 'job.' || fluid_to_dothex(id);

CREATE FUNCTION fluid_to_decimal(id bigint) RETURNS text
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN flakeid_read_unsigned(id)::text;

CREATE FUNCTION fluid_from_f58(t text) RETURNS bigint
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN flakeid_read_signed(flakeid_read_number(
		t, '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz', false,
		CASE WHEN left(t, 1) IN ('f', chr(402)) THEN 1 END,
		18446744073709551615, 'FLUID in base 58'));

CREATE FUNCTION fluid_from_hex(t text) RETURNS bigint
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN flakeid_read_signed(flakeid_read_number(
		t, '0123456789abcdef', true, CASE WHEN left(t, 2) = '0x' THEN 2 END,
		18446744073709551615, 'FLUID in hexadecimal'));

CREATE FUNCTION fluid_from_decimal(t text) RETURNS bigint
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN flakeid_read_signed(flakeid_read_number(t, '0123456789', false, 0,
		18446744073709551615, 'FLUID in decimal'));

CREATE FUNCTION fluid_from_dothex(t text) RETURNS bigint
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	groups text[] := pg_catalog.string_to_array(t, '.');
BEGIN
	IF t !~ '^[0-9A-Fa-f]{1,4}([.][0-9A-Fa-f]{1,4}){3}$' THEN
		RAISE EXCEPTION USING ERRCODE = '22P02', MESSAGE = pg_catalog.format(
			'invalid input syntax for FLUID in dotted hexadecimal: "%s"', t);
	END IF;
	RETURN ('x' || pg_catalog.lpad(groups[1], 4, '0') ||
		pg_catalog.lpad(groups[2], 4, '0') || pg_catalog.lpad(groups[3], 4, '0') ||
		pg_catalog.lpad(groups[4], 4, '0'))::bit(64)::bigint;
END $$;

CREATE FUNCTION fluid_from_kvs(t text) RETURNS bigint
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN CASE
		WHEN t ~ '^job[.][0-9A-Fa-f]{1,4}([.][0-9A-Fa-f]{1,4}){3}$'
		THEN fluid_from_dothex(substr(t, 5))
		ELSE flakeid_read_refuse('22P02',
			format('invalid input syntax for FLUID in kvs: "%s"', t)) END;

-- FLUID: words and emoji.  The words are those of mnemonicode 0.7:
--
-- Copyright (c) 2000 Oren Tirosh <oren@hishome.net>
--
-- Permission is hereby granted, free of charge, to any person obtaining a copy
-- of this software and associated documentation files (the "Software"), to deal
-- in the Software without restriction, including without limitation the rights
-- to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
-- copies of the Software, and to permit persons to whom the Software is
-- furnished to do so, subject to the following conditions:
--
-- The above copyright notice and this permission notice shall be included in
-- all copies or substantial portions of the Software.
--
-- THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
-- IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
-- FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT.  IN NO EVENT SHALL THE
-- AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
-- LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
-- OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN
-- THE SOFTWARE.

CREATE FUNCTION flakeid_read_words() RETURNS text[]
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN regexp_split_to_array('academy acrobat active actor adam admiral adrian africa agenda agent airline
airport aladdin alarm alaska albert albino album alcohol alex algebra alibi
alice alien alpha alpine amadeus amanda amazon amber america amigo analog
anatomy angel animal antenna antonio apollo april archive arctic arizona
arnold aroma arthur artist asia aspect aspirin athena athlete atlas audio
august austria axiom aztec balance ballad banana bandit banjo barcode baron
basic battery belgium berlin bermuda bernard bikini binary bingo biology block
blonde bonus boris boston boxer brandy bravo brazil bronze brown bruce bruno
burger burma cabinet cactus cafe cairo cake calypso camel camera campus canada
canal cannon canoe cantina canvas canyon capital caramel caravan carbon cargo
carlo carol carpet cartel casino castle castro catalog caviar cecilia cement
center century ceramic chamber chance change chaos charlie charm charter chef
chemist cherry chess chicago chicken chief china cigar cinema circus citizen
city clara classic claudia clean client climax clinic clock club cobra coconut
cola collect colombo colony color combat comedy comet command compact company
complex concept concert connect consul contact context contour control convert
copy corner corona correct cosmos couple courage cowboy craft crash credit
cricket critic crown crystal cuba culture dallas dance daniel david decade
decimal deliver delta deluxe demand demo denmark derby design detect develop
diagram dialog diamond diana diego diesel diet digital dilemma diploma direct
disco disney distant doctor dollar dominic domino donald dragon drama dublin
duet dynamic east ecology economy edgar egypt elastic elegant element elite
elvis email energy engine english episode equator escort ethnic europe everest
evident exact example exit exotic export express extra fabric factor falcon
family fantasy fashion fiber fiction fidel fiesta figure film filter final
finance finish finland flash florida flower fluid flute focus ford forest
formal format formula fortune forum fragile france frank friend frozen future
gabriel galaxy gallery gamma garage garden garlic gemini general genetic
genius germany global gloria golf gondola gong good gordon gorilla grand
granite graph green group guide guitar guru hand happy harbor harmony harvard
havana hawaii helena hello henry hilton history horizon hotel human humor icon
idea igloo igor image impact import index india indigo input insect instant
iris italian jacket jacob jaguar janet japan jargon jazz jeep john joker
jordan jumbo june jungle junior jupiter karate karma kayak kermit kilo king
koala korea labor lady lagoon laptop laser latin lava lecture left legal lemon
level lexicon liberal libra limbo limit linda linear lion liquid liter little
llama lobby lobster local logic logo lola london lotus lucas lunar machine
macro madam madonna madrid maestro magic magnet magnum major mama mambo
manager mango manila marco marina market mars martin marvin master matrix
maximum media medical mega melody melon memo mental mentor menu mercury
message metal meteor meter method metro mexico miami micro million mineral
minimum minus minute miracle mirage miranda mister mixer mobile model modem
modern modular moment monaco monica monitor mono monster montana morgan motel
motif motor mozart multi museum music mustang natural neon nepal neptune nerve
neutral nevada news ninja nirvana normal nova novel nuclear numeric nylon
oasis object observe ocean octopus olivia olympic omega opera optic optimal
orange orbit organic orient origin orlando oscar oxford oxygen ozone pablo
pacific pagoda palace pamela panama panda panel panic paradox pardon paris
parker parking parody partner passage passive pasta pastel patent patriot
patrol patron pegasus pelican penguin pepper percent perfect perfume period
permit person peru phone photo piano picasso picnic picture pigment pilgrim
pilot pirate pixel pizza planet plasma plaster plastic plaza pocket poem
poetic poker polaris police politic polo polygon pony popcorn popular postage
postal precise prefix premium present price prince printer prism private
product profile program project protect proton public pulse puma pyramid queen
radar radio random rapid rebel record recycle reflex reform regard regular
relax report reptile reverse ricardo ringo ritual robert robot rocket rodeo
romeo royal russian safari salad salami salmon salon salute samba sandra
santana sardine school screen script second secret section segment select
seminar senator senior sensor serial service sheriff shock sierra signal
silicon silver similar simon single siren slogan social soda solar solid solo
sonic soviet special speed spiral spirit sport static station status stereo
stone stop street strong student studio style subject sultan super susan sushi
suzuki switch symbol system tactic tahiti talent tango tarzan taxi telex tempo
tennis texas textile theory thermos tiger titanic tokyo tomato topic tornado
toronto torpedo total totem tourist tractor traffic transit trapeze travel
tribal trick trident trilogy tripod tropic trumpet tulip tuna turbo twist
ultra uniform union uranium vacuum valid vampire vanilla vatican velvet
ventura venus vertigo veteran victor video vienna viking village vincent
violet violin virtual virus visa vision visitor visual vitamin viva vocal
vodka volcano voltage volume voyage water weekend welcome western window
winter wizard wolf world xray yankee yoga yogurt yoyo zebra zero zigzag zipper
zodiac zoom abraham action address alabama alfred almond ammonia analyze
annual answer apple arena armada arsenal atlanta atomic avenue average bagel
baker ballet bambino bamboo barbara basket bazaar benefit bicycle bishop blitz
bonjour bottle bridge british brother brush budget cabaret cadet candle
capitan capsule career cartoon channel chapter cheese circle cobalt cockpit
college compass comrade condor crimson cyclone darwin declare degree delete
delphi denver desert divide dolby domain domingo double drink driver eagle
earth echo eclipse editor educate edward effect electra emerald emotion empire
empty escape eternal evening exhibit expand explore extreme ferrari first flag
folio forget forward freedom fresh friday fuji galileo garcia genesis gold
gravity habitat hamlet harlem helium holiday house hunter ibiza iceberg
imagine infant isotope jackson jamaica jasmine java jessica judo kitchen
lazarus letter license lithium loyal lucky magenta mailbox manual marble mary
maxwell mayor milk monarch monday money morning mother mystery native nectar
nelson network next nikita nobel nobody nominal norway nothing number october
office oliver opinion option order outside package pancake pandora panther
papa patient pattern pedro pencil people phantom philips pioneer pluto podium
portal potato prize process protein proxy pump pupil python quality quarter
quiet rabbit radical radius rainbow ralph ramirez ravioli raymond respect
respond result resume retro richard right risk river roger roman rondo sabrina
salary salsa sample samuel saturn savage scarlet scoop scorpio scratch scroll
sector serpent shadow shampoo sharon sharp short shrink silence silk simple
slang smart smoke snake society sonar sonata soprano source sparta sphere
spider sponsor spring acid adios agatha alamo alert almanac aloha andrea anita
arcade aurora avalon baby baggage balloon bank basil begin biscuit blue bombay
brain brenda brigade cable carmen cello celtic chariot chrome citrus civil
cloud common compare cool copper coral crater cubic cupid cycle depend door
dream dynasty edison edition enigma equal eric event evita exodus extend
famous farmer food fossil frog fruit geneva gentle george giant gilbert gossip
gram greek grille hammer harvest hazard heaven herbert heroic hexagon husband
immune inca inch initial isabel ivory jason jerome joel joshua journal judge
juliet jump justice kimono kinetic leonid lima maze medusa member memphis
michael miguel milan mile miller mimic mimosa mission monkey moral moses mouse
nancy natasha nebula nickel nina noise orchid oregano origami orinoco orion
othello paper paprika prelude prepare pretend profit promise provide puzzle
remote repair reply rival riviera robin rose rover rudolf saga sahara scholar
shelter ship shoe sigma sister sleep smile spain spark split spray square
stadium star storm story strange stretch stuart subway sugar sulfur summer
survive sweet swim table taboo target teacher telecom temple tibet ticket tina
today toga tommy tower trivial tunnel turtle twin uncle unicorn unique update
valery vega version voodoo warning william wonder year yellow young absent
absorb accent alfonso alias ambient andy anvil appear apropos archer ariel
armor arrow austin avatar axis baboon bahama bali balsa bazooka beach beast
beatles beauty before benny betty between beyond billy bison blast bless
bogart bonanza book border brave bread break broken bucket buenos buffalo
bundle button buzzer byte caesar camilla canary candid carrot cave chant child
choice chris cipher clarion clark clever cliff clone conan conduct congo
content costume cotton cover crack current danube data decide desire detail
dexter dinner dispute donor druid drum easy eddie enjoy enrico epoxy erosion
except exile explain fame fast father felix field fiona fire fish flame flex
flipper float flood floor forbid forever fractal frame freddie front fuel
gallop game garbo gate gibson ginger giraffe gizmo glass goblin gopher grace
gray gregory grid griffin ground guest gustav gyro hair halt harris heart
heavy herman hippie hobby honey hope horse hostel hydro imitate info ingrid
inside invent invest invite iron ivan james jester jimmy join joseph juice
julius july justin kansas karl kevin kiwi ladder lake laura learn legacy
legend lesson life light list locate lopez lorenzo love lunch malta mammal
margo marion mask match mayday meaning mercy middle mike mirror modest morph
morris nadia nato navy needle neuron never newton nice night nissan nitro
nixon north oberon octavia ohio olga open opus orca oval owner page paint
palma parade parent parole paul peace pearl perform phoenix phrase pierre
pinball place plate plato plume pogo point polite polka poncho powder prague
press presto pretty prime promo quasi quest quick quiz quota race rachel raja
ranger region remark rent reward rhino ribbon rider road rodent round rubber
ruby rufus sabine saddle sailor saint salt satire scale scuba season secure
shake shallow shannon shave shelf sherman shine shirt side sinatra sincere
size slalom slow small snow sofia song sound south speech spell spend spoon
stage stamp stand state stella stick sting stock store sunday sunset support
sweden swing tape think thomas tictac time toast tobacco tonight torch torso
touch toyota trade tribune trinity triton truck trust type under unit urban
urgent user value vendor venice verona vibrate virgo visible vista vital voice
vortex waiter watch wave weather wedding wheel whiskey wisdom deal null nurse
quebec reserve reunion roof singer verbal amen', '\s+');

-- Look up a word by number, and a number by word
CREATE FUNCTION flakeid_read_word_of() RETURNS jsonb
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN to_jsonb(flakeid_read_words());

CREATE FUNCTION flakeid_read_place_of() RETURNS jsonb
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN (SELECT jsonb_object_agg(word, n - 1)
		FROM unnest(flakeid_read_words()) WITH ORDINALITY AS w (word, n));

CREATE FUNCTION fluid_to_words(id bigint) RETURNS text
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN (
		SELECT string_agg(flakeid_read_word_of() ->> place::integer, hyphens ORDER BY n)
		FROM (SELECT id & 4294967295, id >> 32 & 4294967295) AS h (low, high),
			LATERAL (VALUES
				(1, '', low % 1626), (2, '-', low / 1626 % 1626), (3, '-', low / 2643876),
				(4, '--', high % 1626), (5, '-', high / 1626 % 1626),
				(6, '-', high / 2643876)) AS w (n, hyphens, place));

-- Decode six words, given their numbers in the list
CREATE FUNCTION flakeid_read_join(places bigint[], t text) RETURNS bigint
	LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	low bigint := places[1] + 1626 * places[2] + 2643876 * places[3];
	high bigint := places[4] + 1626 * places[5] + 2643876 * places[6];
BEGIN
	IF pg_catalog.cardinality(places) <> 6 OR low + high IS NULL THEN
		RAISE EXCEPTION USING ERRCODE = '22P02', MESSAGE = pg_catalog.format(
			'invalid input syntax for FLUID in words: "%s"', t);
	END IF;
	IF greatest(low, high) > 4294967295 THEN
		RAISE EXCEPTION USING ERRCODE = '22003', MESSAGE = pg_catalog.format(
			'value "%s" is out of range for a FLUID in words', t);
	END IF;
	RETURN high << 32 | low;
END $$;

-- The separator between words is a regular expression
CREATE FUNCTION flakeid_read_six_words(t text, separator text) RETURNS bigint
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN (
		SELECT flakeid_read_join(array_agg(
			(flakeid_read_place_of() ->> word)::bigint ORDER BY n), t)
		FROM regexp_split_to_table(translate(t, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
			'abcdefghijklmnopqrstuvwxyz'), separator) WITH ORDINALITY AS w (word, n));

CREATE FUNCTION fluid_from_words(t text) RETURNS bigint
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN flakeid_read_six_words(t, '-+');

CREATE FUNCTION flakeid_read_emoji() RETURNS text
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN (SELECT string_agg(chr(code), '' ORDER BY n)
		FROM unnest(ARRAY[
128515, 128516, 128513, 128518, 128517, 128514, 128521, 128522, 128525,
128536, 128538, 128523, 128540, 128541, 128527, 128530, 128524, 128532,
128554, 128567, 128565, 128562, 128563, 128552, 128560, 128549, 128546,
128557, 128561, 128534, 128547, 128542, 128531, 128553, 128555, 128548,
128545, 128544, 128127, 128128, 128169, 128121, 128122, 128123, 128125,
128126, 128570, 128568, 128569, 128571, 128572, 128573, 128576, 128575,
128574, 128584, 128585, 128586, 128140, 128152, 128157, 128150, 128151,
128147, 128158, 128149, 128159, 128148, 128155, 128154, 128153, 128156,
128139, 128175, 128162, 128165, 128171, 128166, 128168, 128172, 128164,
128075, 128076, 128072, 128073, 128070, 128071, 128077, 128078, 128074,
128079, 128588, 128080, 128591, 128133, 128170, 128066, 128067, 128064,
128069, 128068, 128118, 128102, 128103, 128113, 128104, 128105, 128116,
128117, 128589, 128590, 128581, 128582, 128129, 128587, 128583, 128110,
128130, 128119, 128120, 128115, 128114, 128112, 128124, 127877, 128134,
128135, 128694, 127939, 128131, 128111, 127938, 127940, 127946, 128704,
128107, 128143, 128145, 128106, 128100, 128099, 128053, 128018, 128054,
128041, 128058, 128049, 128047, 128052, 128014, 128046, 128055, 128023,
128061, 128017, 128043, 128024, 128045, 128057, 128048, 128059, 128040,
128060, 128062, 128020, 128035, 128036, 128037, 128038, 128039, 128056,
128034, 128013, 128050, 128051, 128044, 128031, 128032, 128033, 128025,
128026, 128012, 128027, 128028, 128029, 128030, 128144, 127800, 128174,
127801, 127802, 127803, 127804, 127799, 127793, 127796, 127797, 127806,
127807, 127808, 127809, 127810, 127811, 127812, 127815, 127816, 127817,
127818, 127820, 127821, 127822, 127823, 127825, 127826, 127827, 127813,
127814, 127805, 127792, 127838, 127830, 127831, 127828, 127839, 127829,
127859, 127858, 127857, 127832, 127833, 127834, 127835, 127836, 127837,
127840, 127842, 127843, 127844, 127845, 127841, 127846, 127847, 127848,
127849, 127850, 127874, 127856, 127851, 127852, 127853, 127854, 127855,
127861, 127862, 127863, 127864, 127865, 127866, 127867, 127860, 128298,
127759, 128510, 127755, 128507, 127968, 127969, 127970, 127971, 127973,
127974, 127976, 127977, 127978, 127979, 127980, 127981, 127983, 127984,
128146, 128508, 128509, 127745, 127747, 127748, 127749, 127750, 127751,
127753, 127904, 127905, 127906, 128136, 127914, 128643, 128644, 128645,
128647, 128649, 128652, 128657, 128658, 128659, 128661, 128663, 128665,
128666, 128690, 128655, 128680, 128677, 128679, 128676, 128674, 128186,
128640, 128347, 128336, 128337, 128338, 128339, 128340, 128341, 128342,
128343, 128344, 128345, 128346, 127761, 127763, 127764, 127765, 127769,
127771, 127775, 127776, 127756, 127744, 127752, 127746, 128293, 128167,
127754, 127875, 127876, 127878, 127879, 127880, 127881, 127882, 127883,
127885, 127886, 127887, 127888, 127889, 127872, 127873, 127915, 127942,
127936, 127944, 127934, 127923, 127907, 127933, 127935, 127919, 128299,
127921, 128302, 127918, 127920, 127922, 127183, 126980, 127924, 127917,
127912, 128083, 128084, 128085, 128086, 128087, 128088, 128089, 128090,
128091, 128092, 128093, 127890, 128094, 128095, 128096, 128097, 128098,
128081, 128082, 127913, 127891, 128132, 128141, 128142, 128266, 128226,
128227, 128276, 127932, 127925, 127926, 127908, 127911, 128251, 127927,
127928, 127929, 127930, 127931, 128241, 128242, 128222, 128223, 128224,
128267, 128268, 128187, 128189, 128190, 128191, 128192, 127909, 127916,
128250, 128247, 128249, 128252, 128269, 128270, 128161, 128294, 127982,
128212, 128213, 128214, 128215, 128216, 128217, 128218, 128211, 128210,
128195, 128220, 128196, 128240, 128209, 128278, 128176, 128180, 128181,
128184, 128179, 128185, 128231, 128232, 128233, 128228, 128229, 128230,
128235, 128234, 128238, 128221, 128188, 128193, 128194, 128197, 128198,
128199, 128200, 128201, 128202, 128203, 128204, 128205, 128206, 128207,
128208, 128274, 128275, 128271, 128272, 128273, 128296, 128163, 128295,
128297, 128279, 128225, 128137, 128138, 128682, 128701, 128684, 128511,
127975, 128697, 128698, 128699, 128700, 128702, 128683, 128685, 128286,
128259, 128281, 128282, 128283, 128284, 128285, 128303, 128316, 128317,
127910, 128246, 128243, 128244, 128177, 128178, 128305, 128219, 128304,
128287, 128288, 128289, 128290, 128291, 128292, 127374, 127377, 127378,
127379, 127380, 127381, 127382, 127383, 127384, 127385, 127386, 127489,
127542, 127535, 127568, 127545, 127514, 127538, 127569, 127544, 127540,
127539, 127546, 127541, 128308, 128309, 128310, 128311, 128312, 128313,
128314, 128315, 128160, 128280, 128307, 128306, 127937, 128681, 127884
		]) WITH ORDINALITY AS e (code, n));

CREATE FUNCTION fluid_to_emoji(id bigint) RETURNS text
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN flakeid_read_digits(flakeid_read_unsigned(id), flakeid_read_emoji());

CREATE FUNCTION fluid_from_emoji(t text) RETURNS bigint
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN flakeid_read_signed(flakeid_read_number(t, flakeid_read_emoji(), false,
		0, 18446744073709551615, 'FLUID in emoji'));

CREATE FUNCTION fluid_to_text(id bigint, form text DEFAULT 'f58') RETURNS text
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN CASE form
		WHEN 'f58' THEN fluid_to_f58(id)
		WHEN 'f58plain' THEN fluid_to_f58(id, true)
		WHEN 'dec' THEN fluid_to_decimal(id)
		WHEN 'hex' THEN fluid_to_hex(id)
		WHEN 'dothex' THEN fluid_to_dothex(id)
		WHEN 'kvs' THEN fluid_to_kvs(id)
		WHEN 'words' THEN fluid_to_words(id)
		WHEN 'emoji' THEN fluid_to_emoji(id)
		ELSE flakeid_read_refuse('22023',
			format('unrecognized form: "%s"', form))::text END;

-- Any form, skipping ASCII white space at both ends and between words
CREATE FUNCTION fluid_from_text(t text) RETURNS bigint
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN (
		SELECT CASE
			WHEN starts_with(form, 'job.') THEN fluid_from_kvs(form)
			WHEN strpos(form, '.') > 0 THEN fluid_from_dothex(form)
			WHEN strpos(form, '-') > 0 OR form ~ E'^[A-Za-z].*[ \t\n\x0B\f\r]'
			THEN flakeid_read_six_words(form, E'[- \t\n\x0B\f\r]+')
			WHEN left(form, 1) IN ('f', chr(402)) THEN fluid_from_f58(form)
			WHEN ascii(form) BETWEEN 126976 AND 131071 THEN fluid_from_emoji(form)
			WHEN left(form, 2) = '0x' THEN fluid_from_hex(form)
			ELSE fluid_from_decimal(form) END
		FROM (SELECT btrim(t, E' \t\n\x0B\f\r')) AS f (form));

-- UUID: short text

CREATE FUNCTION flakeid_read_unsigned128(id uuid) RETURNS numeric
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN flakeid_read_unsigned(flakeid_read_high(id)) * 18446744073709551616 +
		flakeid_read_unsigned(flakeid_read_low(id));

CREATE FUNCTION flakeid_read_uuid_of(n numeric) RETURNS uuid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN lpad(flakeid_read_digits(n, '0123456789abcdef'), 32, '0')::uuid;

CREATE FUNCTION uuid_to_base32(id uuid) RETURNS text
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN lpad(flakeid_read_digits(flakeid_read_unsigned128(id),
		'0123456789ABCDEFGHJKMNPQRSTVWXYZ'), 26, '0');

CREATE FUNCTION uuid_from_base32(t text) RETURNS uuid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN flakeid_read_uuid_of(flakeid_read_number(
		t, '0123456789abcdefghjkmnpqrstvwxyz', true, CASE WHEN length(t) = 26 THEN 0 END,
		340282366920938463463374607431768211455, 'UUID in base 32', 'ilo', '110'));

CREATE FUNCTION uuid_to_base58(id uuid) RETURNS text
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN flakeid_read_digits(flakeid_read_unsigned128(id),
		'123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz');

CREATE FUNCTION uuid_from_base58(t text) RETURNS uuid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN flakeid_read_uuid_of(flakeid_read_number(
		t, '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz', false,
		CASE WHEN length(t) <= 22 THEN 0 END,
		340282366920938463463374607431768211455, 'UUID in base 58'));

-- Nanoflake and Ulid-Flake: text

CREATE FUNCTION nanoflake_to_base36(id bigint) RETURNS text
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN flakeid_read_digits(flakeid_read_id(id, 'Nanoflake'),
		'0123456789abcdefghijklmnopqrstuvwxyz');

CREATE FUNCTION nanoflake_from_base36(t text) RETURNS bigint
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN flakeid_read_number(t, '0123456789abcdefghijklmnopqrstuvwxyz', true, 0,
		9223372036854775807, 'Nanoflake in base 36')::bigint;

CREATE FUNCTION nanoflake_to_text(id bigint) RETURNS text
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN nanoflake_to_base36(id);

CREATE FUNCTION nanoflake_from_text(t text) RETURNS bigint
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN nanoflake_from_base36(flakeid_read_trimmed(t));

CREATE FUNCTION ulidflake_to_base32(id bigint) RETURNS text
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN lpad(flakeid_read_digits(flakeid_read_id(id, 'Ulid-Flake'),
		'0123456789ABCDEFGHJKMNPQRSTVWXYZ'), 13, '0');

CREATE FUNCTION ulidflake_from_base32(t text) RETURNS bigint
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN flakeid_read_number(
		t, '0123456789abcdefghjkmnpqrstvwxyz', true, CASE WHEN length(t) = 13 THEN 0 END,
		9223372036854775807, 'Ulid-Flake in base 32')::bigint;

CREATE FUNCTION ulidflake_to_text(id bigint) RETURNS text
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN ulidflake_to_base32(id);

CREATE FUNCTION ulidflake_from_text(t text) RETURNS bigint
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN ulidflake_from_base32(flakeid_read_trimmed(t));

COMMIT;
