--
-- flakeid_read.sql: read flakeid ids on servers without C extensions
--
--	psql -v ON_ERROR_STOP=1 -f contrib/flakeid_read.sql
--
-- creates plain SQL functions for times, bounds, ranges and the texts of ids,
-- with the names, arguments and results of the extension's functions.
-- flakeid_generate.sql generates ids.  The functions are created in the first
-- schema of search_path, which must not contain the extension.  Requires
-- PostgreSQL 15 and a database with encoding UTF8.
--
-- Errors have the same SQLSTATEs as in the extension.  The epochs are the
-- settings flakeid.fluid_epoch, flakeid.nanoflake_epoch and
-- flakeid.ulidflake_epoch, which any user can SET here (ALTER DATABASE ... SET
-- flakeid.fluid_epoch = '...').
--
-- scru160 is a domain over bytea here: it sorts like the type, but is displayed
-- as bytea; scru160_to_text and scru160_from_text stand for output and input.
--
-- Functions named flakeid_read_* are internal.  PL/pgSQL bodies have
-- a search_path of their own: in the caller's, another user could have an operator
-- of exactly the types of two operands, which PostgreSQL prefers.
--
BEGIN;

DO $$
BEGIN
	IF pg_catalog.current_setting('server_encoding') <> 'UTF8' THEN
		RAISE EXCEPTION USING ERRCODE = '0A000', MESSAGE = pg_catalog.format(
			'flakeid in plain SQL requires a database with encoding UTF8, not %s',
			pg_catalog.current_setting('server_encoding'));
	END IF;
END $$;

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

-- The 60 bits around the version of a uuid; 22023 unless it has one of the
-- versions
CREATE FUNCTION flakeid_read_high60(id uuid, VARIADIC versions integer[])
	RETURNS bigint
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	high bigint := ('x' || pg_catalog.left(pg_catalog.replace(id::text, '-', ''),
		16))::bit(64)::bigint;
BEGIN
	IF pg_catalog.get_byte(pg_catalog.uuid_send(id), 8) >> 6 <> 2 OR
		(high >> 12 & 15) <> ALL (versions)
	THEN
		RAISE EXCEPTION USING ERRCODE = '22023', MESSAGE =
			pg_catalog.format('uuid "%s" is not a UUIDv%s', id,
				pg_catalog.array_to_string(versions, ' or UUIDv'));
	END IF;
	RETURN (high >> 16 & 281474976710655) << 12 | (high & 4095);
END $$;

-- The number; 22003 if it is negative
CREATE FUNCTION flakeid_read_id(id bigint, format text) RETURNS bigint
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN CASE WHEN id >= 0 THEN id ELSE flakeid_read_refuse('22003', format(
		'value %s is out of range for a %s', id, format)) END;

-- The epoch; 22008 unless finite, 22023 unless whole milliseconds
CREATE FUNCTION flakeid_read_whole_ms(epoch timestamptz) RETURNS timestamptz
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

-- Instants as microseconds since 1970, numeric because the last years of
-- timestamptz exceed bigint.  There, extract(epoch) rounds fractions of a second,
-- too.  For infinity, all fields except the epoch are NULL.
CREATE FUNCTION flakeid_read_unix_us(ts timestamptz) RETURNS numeric
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN extract(epoch FROM date_trunc('minute', ts AT TIME ZONE 'UTC')) * 1000000 +
		coalesce(extract(microseconds FROM ts AT TIME ZONE 'UTC'), 0);

CREATE FUNCTION flakeid_read_instant(unix_us numeric) RETURNS timestamptz
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN (timestamp '1970-01-01 00:00:00' +
		make_interval(days => div(unix_us, 86400000000)::integer) +
		(unix_us % 86400000000)::bigint * interval '1 microsecond') AT TIME ZONE 'UTC';

-- The epoch of a format, in microseconds since 1970.  After SET LOCAL or RESET,
-- a setting that no library defines is an empty text.  In another form than ISO
-- 8601, or without an offset from UTC, the epoch would depend on the session: 22023.
CREATE FUNCTION flakeid_read_epoch(format text) RETURNS numeric
	LANGUAGE sql STABLE STRICT PARALLEL SAFE
	RETURN flakeid_read_unix_us(flakeid_read_whole_ms(CASE
		WHEN coalesce(current_setting('flakeid.' || format || '_epoch', true), '') = ''
		THEN '2024-01-01 00:00:00+00'
		WHEN current_setting('flakeid.' || format || '_epoch') ~
			'^\d{4,6}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d(:?\d\d)?)$'
		THEN current_setting('flakeid.' || format || '_epoch')
		ELSE flakeid_read_refuse('22023', format(
			'invalid value for parameter "flakeid.%s_epoch": "%s"', format,
			current_setting('flakeid.' || format || '_epoch')),
			'Write an epoch as "2024-01-01 00:00:00+00".')::text
		END::timestamptz));

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

-- Ticks from an epoch to an instant, truncated: 0 before the field, last_tick + 1
-- beyond it.  div() is used because the quotient of numerics may be rounded up.
CREATE FUNCTION flakeid_read_clamped(ts timestamptz, epoch_us numeric,
	ticks_per_s numeric, last_tick numeric) RETURNS bigint
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN greatest(least(div((flakeid_read_unix_us(ts) - epoch_us) * ticks_per_s,
		1000000), last_tick + 1), 0);

-- UUID

CREATE FUNCTION flakeid_read_make_uuid(high60 bigint, version text, low text)
	RETURNS uuid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN (left(lpad(to_hex(high60), 15, '0'), 12) || version ||
		right(lpad(to_hex(high60), 15, '0'), 3) || low)::uuid;

-- Ticks of 100 ns since 1582-10-15; those of version 1 are in another order
CREATE FUNCTION uuid_v6_to_timestamptz(id uuid) RETURNS timestamptz
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN (
		SELECT flakeid_read_instant(CASE get_byte(uuid_send(id), 6) >> 4
			WHEN 1 THEN (bits & 4095) << 48 | ((bits >> 12 & 65535) << 32) |
				(bits >> 28 & 4294967295)
			ELSE bits END / 10 - 12219292800000000)
		FROM flakeid_read_high60(id, 1, 6) AS h (bits));

CREATE FUNCTION uuid_v7_to_timestamptz(id uuid) RETURNS timestamptz
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN flakeid_read_instant((flakeid_read_high60(id, 7) >> 12) * 1000);

-- rand_a as the fraction of the millisecond: the last microsecond that begins
-- before this 1/4096 ms ends
CREATE FUNCTION uuid_v7_us_to_timestamptz(id uuid) RETURNS timestamptz
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN (
		SELECT flakeid_read_instant((bits >> 12) * 1000 +
			(((bits & 4095) + 1) * 1000 - 1) / 4096)
		FROM flakeid_read_high60(id, 7) AS h (bits));

CREATE FUNCTION uuid_to_timestamptz(id uuid) RETURNS timestamptz
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN CASE
		WHEN get_byte(uuid_send(id), 8) >> 6 <> 2 THEN NULL
		WHEN get_byte(uuid_send(id), 6) >> 4 IN (1, 6)
		THEN uuid_v6_to_timestamptz(id)
		WHEN get_byte(uuid_send(id), 6) >> 4 = 7
		THEN uuid_v7_to_timestamptz(id) END;

-- The smallest uuid of a version at an instant or later; after the field, the
-- greatest uuid
CREATE FUNCTION flakeid_read_min(ts timestamptz, version text) RETURNS uuid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN (
		SELECT CASE WHEN tick > last_tick
			THEN 'ffffffff-ffff-ffff-ffff-ffffffffffff'
			ELSE flakeid_read_make_uuid(tick << low_bits, version,
				'8000000000000000') END
		FROM (VALUES ('6', -12219292800000000, 10000000, 1152921504606846975, 0),
				('7', 0, 1000, 281474976710655, 12))
				AS f (of_version, epoch_us, per_s, last_tick, low_bits),
			flakeid_read_clamped(ts, epoch_us, per_s, last_tick) AS c (tick)
		WHERE of_version = version);

CREATE FUNCTION uuid_v6_min(ts timestamptz) RETURNS uuid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN flakeid_read_min(ts, '6');

CREATE FUNCTION uuid_v6_in_range(id uuid, from_ts timestamptz, to_ts timestamptz)
	RETURNS boolean
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN id >= uuid_v6_min(from_ts) AND id < uuid_v6_min(to_ts);

CREATE FUNCTION uuid_v7_min(ts timestamptz) RETURNS uuid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN flakeid_read_min(ts, '7');

CREATE FUNCTION uuid_v7_in_range(id uuid, from_ts timestamptz, to_ts timestamptz)
	RETURNS boolean
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN id >= uuid_v7_min(from_ts) AND id < uuid_v7_min(to_ts);

-- 64-bit formats: the first id of an instant; 0 before the epoch, the greatest
-- bigint beyond the last millisecond
CREATE FUNCTION flakeid_read_first(ts timestamptz, epoch_us numeric,
	last_ms numeric, ids_per_ms numeric) RETURNS bigint
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN least(flakeid_read_clamped(ts, epoch_us, 1000, last_ms) * ids_per_ms,
		9223372036854775807);

CREATE FUNCTION fluid_to_timestamptz(id bigint) RETURNS timestamptz
	LANGUAGE sql STABLE STRICT PARALLEL SAFE
	RETURN flakeid_read_instant(flakeid_read_epoch('fluid') +
		((id >> 24) & 1099511627775) * 1000);

CREATE FUNCTION fluid_min(ts timestamptz) RETURNS bigint
	LANGUAGE sql STABLE STRICT PARALLEL SAFE
	RETURN flakeid_read_first(ts, flakeid_read_epoch('fluid'), 549755813887,
		16777216);

CREATE FUNCTION fluid_in_range(id bigint, from_ts timestamptz, to_ts timestamptz)
	RETURNS boolean
	LANGUAGE sql STABLE PARALLEL SAFE
	RETURN id >= fluid_min(from_ts) AND id < fluid_min(to_ts);

CREATE FUNCTION nanoflake_to_timestamptz(id bigint) RETURNS timestamptz
	LANGUAGE sql STABLE STRICT PARALLEL SAFE
	RETURN flakeid_read_instant(flakeid_read_epoch('nanoflake') +
		(flakeid_read_id(id, 'Nanoflake') >> 22) * 1000);

CREATE FUNCTION nanoflake_min(ts timestamptz) RETURNS bigint
	LANGUAGE sql STABLE STRICT PARALLEL SAFE
	RETURN flakeid_read_first(ts, flakeid_read_epoch('nanoflake'), 2199023255551,
		4194304);

CREATE FUNCTION nanoflake_in_range(id bigint, from_ts timestamptz, to_ts timestamptz)
	RETURNS boolean
	LANGUAGE sql STABLE PARALLEL SAFE
	RETURN id >= nanoflake_min(from_ts) AND id < nanoflake_min(to_ts);

CREATE FUNCTION ulidflake_to_timestamptz(id bigint) RETURNS timestamptz
	LANGUAGE sql STABLE STRICT PARALLEL SAFE
	RETURN flakeid_read_instant(flakeid_read_epoch('ulidflake') +
		(flakeid_read_id(id, 'Ulid-Flake') >> 20) * 1000);

CREATE FUNCTION ulidflake_min(ts timestamptz) RETURNS bigint
	LANGUAGE sql STABLE STRICT PARALLEL SAFE
	RETURN flakeid_read_first(ts, flakeid_read_epoch('ulidflake'), 8796093022207,
		1048576);

CREATE FUNCTION ulidflake_in_range(id bigint, from_ts timestamptz,
	to_ts timestamptz)
	RETURNS boolean
	LANGUAGE sql STABLE PARALLEL SAFE
	RETURN id >= ulidflake_min(from_ts) AND id < ulidflake_min(to_ts);

-- Text: numbers in an alphabet

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

-- Without ASCII white space at both ends
CREATE FUNCTION flakeid_read_trimmed(string text) RETURNS text
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN btrim(string, E' \t\n\x0B\f\r');

-- Only these two forms
CREATE FUNCTION fluid_to_text(id bigint, form text) RETURNS text
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN CASE form WHEN 'f58' THEN chr(402) WHEN 'f58plain' THEN 'f'
		ELSE flakeid_read_refuse('22023', format('unrecognized form: "%s"', form),
			'Use "f58" or "f58plain".')::text
		END || flakeid_read_digits(
			CASE WHEN id < 0 THEN id + 18446744073709551616 ELSE id END,
			'123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz');

CREATE FUNCTION fluid_to_f58(id bigint) RETURNS text
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN fluid_to_text(id, 'f58');

CREATE FUNCTION fluid_from_f58(string text) RETURNS bigint
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN (
		SELECT CASE WHEN n > 9223372036854775807
			THEN n - 18446744073709551616 ELSE n END::bigint
		FROM flakeid_read_trimmed(string) AS d (digits),
			flakeid_read_number(digits,
				'123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz', false,
				CASE WHEN left(digits, 1) IN ('f', chr(402)) THEN 1 END,
				18446744073709551615, 'FLUID in base 58') AS v (n));

-- The digits of a radix; 22023 outside 2 to 36
CREATE FUNCTION flakeid_read_alphabet(radix integer) RETURNS text
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN left('0123456789abcdefghijklmnopqrstuvwxyz', CASE
		WHEN radix BETWEEN 2 AND 36 THEN radix
		ELSE flakeid_read_refuse('22023', format('invalid radix: %s', radix),
			'Use a radix from 2 to 36.')::integer END);

CREATE FUNCTION nanoflake_to_text(id bigint, radix integer) RETURNS text
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN flakeid_read_digits(flakeid_read_id(id, 'Nanoflake'),
		flakeid_read_alphabet(radix));

CREATE FUNCTION nanoflake_from_text(string text, radix integer) RETURNS bigint
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN flakeid_read_number(flakeid_read_trimmed(string),
		flakeid_read_alphabet(radix), true, 0, 9223372036854775807,
		format('Nanoflake in base %s', radix))::bigint;

CREATE FUNCTION ulidflake_to_text(id bigint) RETURNS text
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN lpad(flakeid_read_digits(flakeid_read_id(id, 'Ulid-Flake'),
		'0123456789ABCDEFGHJKMNPQRSTVWXYZ'), 13, '0');

CREATE FUNCTION ulidflake_from_text(string text) RETURNS bigint
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN (
		SELECT flakeid_read_number(digits, '0123456789abcdefghjkmnpqrstvwxyz', true,
			CASE WHEN length(digits) = 13 THEN 0 END, 9223372036854775807,
			'Ulid-Flake in base 32')::bigint
		FROM flakeid_read_trimmed(string) AS d (digits));

-- Groups of five bits as digits
CREATE FUNCTION flakeid_read_base32(bits text, alphabet text) RETURNS text
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN (
		SELECT string_agg(substr(alphabet,
			substr(bits, 5 * i + 1, 5)::bit(5)::integer + 1, 1), '' ORDER BY i)
		FROM generate_series(0, length(bits) / 5 - 1) AS i);

CREATE FUNCTION uuid_to_text(id uuid, form text) RETURNS text
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN (
		SELECT CASE form
			WHEN 'ulid' THEN flakeid_read_base32('00' || ('x' || hex)::bit(128)::text,
				'0123456789ABCDEFGHJKMNPQRSTVWXYZ')
			WHEN 'base32hex' THEN flakeid_read_base32(('x' || hex)::bit(128)::text || '00',
				'0123456789ABCDEFGHIJKLMNOPQRSTUV')
			WHEN 'base58' THEN flakeid_read_digits(
				flakeid_read_number(hex, '0123456789abcdef', false, 0,
					340282366920938463463374607431768211455, 'UUID'),
				'123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz')
			ELSE flakeid_read_refuse('22023', format('unrecognized form: "%s"', form),
				'Use "ulid", "base32hex" or "base58".')::text END
		FROM replace(id::text, '-', '') AS h (hex));

CREATE FUNCTION uuid_from_text(string text, form text) RETURNS uuid
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN (
		SELECT lpad(flakeid_read_digits(CASE form
			WHEN 'ulid' THEN flakeid_read_number(digits,
				'0123456789abcdefghjkmnpqrstvwxyz', true,
				CASE WHEN length(digits) = 26 THEN 0 END,
				340282366920938463463374607431768211455, 'UUID in base 32', 'ilo', '110')
			-- The last two of its 130 bits are 0.
			WHEN 'base32hex' THEN div(flakeid_read_number(digits,
				'0123456789abcdefghijklmnopqrstuv', true,
				CASE WHEN digits ~ '^.{25}[048CGKOScgkos]$' THEN 0 END,
				1361129467683753853853498429727072845823, 'UUID in base32hex'), 4)
			WHEN 'base58' THEN flakeid_read_number(digits,
				'123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz', false,
				CASE WHEN length(digits) <= 22 THEN 0 END,
				340282366920938463463374607431768211455, 'UUID in base 58')
			ELSE flakeid_read_refuse('22023', format('unrecognized form: "%s"', form),
				'Use "ulid", "base32hex" or "base58".') END,
			'0123456789abcdef'), 32, '0')::uuid
		FROM flakeid_read_trimmed(string) AS d (digits));

-- SCRU160

CREATE DOMAIN scru160 AS bytea CHECK (octet_length(VALUE) = 20);

CREATE FUNCTION scru160_to_text(id scru160, form text) RETURNS text
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN CASE form
		WHEN 'hex' THEN encode(id, 'hex')
		WHEN 'base32hex' THEN flakeid_read_base32(('x' || encode(id, 'hex'))::bit(160)::text,
			'0123456789ABCDEFGHIJKLMNOPQRSTUV')
		ELSE flakeid_read_refuse('22023', format('unrecognized form: "%s"', form),
			'Use "base32hex" or "hex".')::text END;

-- 32 digits of base32hex or 40 of hex, in any case; else 22P02
CREATE FUNCTION scru160_from_text(string text) RETURNS scru160
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
				format('invalid input syntax for type scru160: "%s"', digits))) END
		FROM flakeid_read_trimmed(string) AS d (digits));

CREATE FUNCTION scru160_to_timestamptz(id scru160) RETURNS timestamptz
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN flakeid_read_instant(
		('x' || encode(substr(id, 1, 6), 'hex'))::bit(48)::bigint * 1000);

CREATE FUNCTION scru160_us_to_timestamptz(id scru160) RETURNS timestamptz
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN (
		SELECT scru160_to_timestamptz(id) + interval '1 microsecond' *
			CASE WHEN us <= 999 THEN us ELSE flakeid_read_refuse('22023',
				format('scru160 "%s" has no microsecond', scru160_to_text(id, 'base32hex'))) END
		FROM (SELECT get_byte(id, 6) << 2 | (get_byte(id, 7) >> 6)) AS c (us));

-- The smallest id of an instant or later; after the field, the greatest one
CREATE FUNCTION scru160_min(ts timestamptz) RETURNS scru160
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN (
		SELECT decode(CASE WHEN ms > 281474976710655 THEN repeat('f', 40)
			ELSE rpad(lpad(to_hex(ms), 12, '0'), 40, '0') END, 'hex')
		FROM flakeid_read_clamped(ts, 0, 1000, 281474976710655) AS c (ms));

CREATE FUNCTION scru160_in_range(id scru160, from_ts timestamptz,
	to_ts timestamptz)
	RETURNS boolean
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN id >= scru160_min(from_ts) AND id < scru160_min(to_ts);

COMMIT;
