--
-- flakeid_generate.sql: generate flakeid ids on servers without C extensions
--
--	psql -v ON_ERROR_STOP=1 -f contrib/flakeid_read.sql -f contrib/flakeid_generate.sql
--
-- creates the functions that generate ids, with the names, layouts and errors of
-- the extension's functions, in the same schema as those of flakeid_read.sql.
-- The owner of the schema can run it; superuser is not required.
-- contrib/README.md describes what these functions guarantee and what they do not.
--
-- A 64-bit id is the millisecond, the node, and a number of a sequence that all
-- sessions share.  Proof that no two ids of a database are equal:
--
-- * The number n grows by 1 per id; an id shows its low b bits.  So two ids can
--   be equal only if one sequence number is at least 2^b above the other.
-- * A turn is 128 ms of the clock.  A second sequence counts turns, A, and has the
--   width W of a window, at most 32: its value is A * 32 + W - 1.  An id may have a
--   millisecond of the turn g only if L - W < g <= L, where L = A + n / 2^(b - 5).
--   If the clock is past L, the session raises A first; if it is before, the
--   session waits.
-- * Last, the session makes sure that fewer than 2^b numbers were drawn since
--   its own.  So a session that draws n + 2^b does so after the first one read
--   A, and reads an A that is at least as great: A only grows, since a session
--   reads and raises it under a lock.  Its L is then at least 32 greater, and
--   its g is greater.
-- * Other settings begin with a window of one turn, above L.  When A is raised, W
--   grows at most as much, so no window begins before that turn.
--
-- The clock does not occur in this argument: it may stop, step or go back.
-- Only flakeid_reset_horizon() lowers A, and names the ids that can be repeated.
-- Only the generators call nextval(), as SECURITY DEFINER: another user who could
-- call it might use up the turns, for which every session would wait.
--
-- Functions named flakeid_generate_* are internal.  PL/pgSQL bodies have
-- a search_path of their own: in the caller's, another user could have an operator
-- of exactly the types of two operands, which PostgreSQL prefers.
--
BEGIN;

-- 64-bit ids: per format the number, the turn, and the settings.  The settings
-- are one number: the epoch in ms, 4 bits of node_bits, 10 bits of node_id.
-- Only the owner can change it: other users have only SELECT, to read epochs.

CREATE SEQUENCE flakeid_fluid_number;
CREATE SEQUENCE flakeid_fluid_turn;
CREATE SEQUENCE flakeid_fluid_settings MINVALUE -9223372036854775808;
CREATE SEQUENCE flakeid_nanoflake_number;
CREATE SEQUENCE flakeid_nanoflake_turn;
CREATE SEQUENCE flakeid_nanoflake_settings MINVALUE -9223372036854775808;
CREATE SEQUENCE flakeid_ulidflake_number;
CREATE SEQUENCE flakeid_ulidflake_turn;
CREATE SEQUENCE flakeid_ulidflake_settings MINVALUE -9223372036854775808;

-- Locked to raise a turn, and to wait.  Other users cannot lock them.
CREATE TABLE flakeid_generate_guard ();
CREATE TABLE flakeid_generate_pause (filler text)
	WITH (autovacuum_enabled = false, vacuum_truncate = false);
ALTER TABLE flakeid_generate_pause ALTER filler SET STATISTICS 0;

GRANT SELECT ON SEQUENCE flakeid_fluid_settings, flakeid_nanoflake_settings,
	flakeid_ulidflake_settings TO PUBLIC;

-- pg_tle: not here; see contrib/README.md
-- The first L is the current turn.  2024-01-01 00:00:00+00 is the epoch.
DO $$
DECLARE
	format text;
BEGIN
	FOREACH format IN ARRAY ARRAY['fluid', 'nanoflake', 'ulidflake'] LOOP
		PERFORM setval('flakeid_' || format || '_number', 1),
			setval('flakeid_' || format || '_turn',
				(extract(epoch FROM clock_timestamp()) / 0.128)::bigint << 5 | 31),
			setval('flakeid_' || format || '_settings', 1704067200000 << 14);
	END LOOP;
END $$;
-- pg_tle: end

-- A dump without data restores sequences without values.
CREATE FUNCTION flakeid_generate_no_value(format text) RETURNS bigint
	LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	RAISE EXCEPTION USING ERRCODE = '55000', MESSAGE = pg_catalog.format(
			'sequence "flakeid_%s_settings" has no value', format),
		HINT = 'Call flakeid_generate_set() with node_bits, node_id and epoch.';
END $$;

-- The reading functions use the same epoch instead of a setting.
CREATE OR REPLACE FUNCTION flakeid_read_epoch(format text) RETURNS numeric
	LANGUAGE sql STABLE STRICT PARALLEL SAFE
	RETURN (coalesce(pg_sequence_last_value(CASE format
		WHEN 'fluid' THEN 'flakeid_fluid_settings'::regclass
		WHEN 'nanoflake' THEN 'flakeid_nanoflake_settings'::regclass
		ELSE 'flakeid_ulidflake_settings'::regclass END),
		flakeid_generate_no_value(format)) >> 14) * 1000;

-- Wait for s seconds; return for how long.  pg_sleep() and every timeout measure by
-- the clock, and would end as much later as it is set back meanwhile; the cost-based
-- delay of ANALYZE does not.  It is four times the setting, for the second page
-- of the table, which remains after the error that releases the lock.  One session
-- sleeps, and those that wait for its lock do not sleep after it.
CREATE FUNCTION flakeid_generate_wait(pause regclass, s float8) RETURNS float8
	LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
	SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	begin_s float8 := pg_catalog.date_part('epoch', pg_catalog.clock_timestamp());
	waited_s float8;
BEGIN
	PERFORM pg_catalog.set_config(name, setting, true) FROM (VALUES
		('vacuum_cost_delay', (s * 250)::text), ('vacuum_cost_limit', '1'),
		('vacuum_cost_page_hit', '10000'), ('vacuum_cost_page_miss', '10000'),
		('lock_timeout', '0')) AS v (name, setting);
	EXECUTE pg_catalog.format('LOCK TABLE %s IN SHARE UPDATE EXCLUSIVE MODE', pause);
	IF abs(pg_catalog.date_part('epoch', pg_catalog.clock_timestamp()) - begin_s) < s / 2
	THEN
		IF pg_catalog.pg_relation_size(pause) <
			2 * pg_catalog.current_setting('block_size')::integer
		THEN
			EXECUTE pg_catalog.format('INSERT INTO %s SELECT pg_catalog.repeat(''x'', '
				'pg_catalog.current_setting(''block_size'')::integer / 5) '
				'FROM pg_catalog.generate_series(1, 6)', pause);
		END IF;
		EXECUTE pg_catalog.format('ANALYZE %s', pause);
	END IF;
	RAISE SQLSTATE 'FL000';
EXCEPTION WHEN SQLSTATE 'FL000' THEN
	waited_s := pg_catalog.date_part('epoch', pg_catalog.clock_timestamp()) - begin_s;
	RETURN CASE WHEN waited_s BETWEEN s / 2 AND 1 THEN waited_s ELSE s END;
END $$;
REVOKE EXECUTE ON FUNCTION flakeid_generate_wait FROM PUBLIC;

-- Generate an id.  Names of this schema are passed as arguments, since a PL/pgSQL
-- body does not find them.  random: the low bits of a
-- Ulid-Flake start at a different value in every millisecond; scalable: draw until
-- the number is the scalability modulo 32.  (The double precision result of
-- date_part has microseconds until 2242.)
CREATE FUNCTION flakeid_generate_bigint(format text, bits integer,
	last_ms bigint, random boolean, scalable boolean, numbers regclass,
	turns regclass, settings regclass, guard regclass) RETURNS bigint
	LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
	SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	setting bigint := pg_catalog.pg_sequence_last_value(settings);
	low_bits integer := bits - (setting >> 10 & 15)::integer;
	number bigint;
	us bigint;
	packed bigint;
	turn bigint;
	last_turn bigint;
	ms bigint;
	max_wait text;
	max_wait_s float8;
	schema text;
	wait_s float8;
	waited_s float8 := 0;
BEGIN
	LOOP
		number := pg_catalog.nextval(numbers);
		CONTINUE WHEN scalable AND (number - setting & 31) <> 0;
		LOOP
			us := pg_catalog.date_part('epoch', pg_catalog.clock_timestamp()) *
				1000000;
			turn := us / 128000;
			packed := pg_catalog.pg_sequence_last_value(turns);
			last_turn := (packed >> 5) + (number >> low_bits - 5);
			ms := us / 1000 - (setting >> 14);
			EXIT WHEN turn BETWEEN last_turn - (packed & 31) AND last_turn OR
				ms NOT BETWEEN 0 AND last_ms;
			IF turn > last_turn THEN
				-- Raise A, however far: the error releases the lock, and setval()
				-- is not undone.
				BEGIN
					EXECUTE pg_catalog.format(
						'LOCK TABLE %s IN SHARE ROW EXCLUSIVE MODE', guard);
					packed := pg_catalog.pg_sequence_last_value(turns);
					turn := turn - (number >> low_bits - 5);
					IF turn > packed >> 5 THEN
						PERFORM pg_catalog.setval(turns, turn << 5 |
							least((packed & 31) + turn - (packed >> 5), 31));
					END IF;
					RAISE SQLSTATE 'FL000';
				EXCEPTION WHEN SQLSTATE 'FL000' THEN
					CONTINUE;
				END;
			END IF;
			IF last_turn IS NULL THEN
				RAISE EXCEPTION USING ERRCODE = '55000',
					MESSAGE = pg_catalog.format('sequence "%s" has no value',
						(SELECT relname FROM pg_catalog.pg_class WHERE oid = settings)),
					HINT = 'Call flakeid_generate_set() with node_bits, node_id and epoch.';
			END IF;
			IF max_wait IS NULL THEN
				max_wait := coalesce(nullif(
					pg_catalog.current_setting('flakeid.max_wait', true), ''), '1000');
				max_wait_s := CASE WHEN max_wait ~ '[smhd]'
					THEN pg_catalog.date_part('epoch', max_wait::interval)
					ELSE max_wait::float8 / 1000 END;
				schema := (SELECT relnamespace::regnamespace FROM pg_catalog.pg_class
					WHERE oid = guard);
			END IF;
			IF waited_s >= max_wait_s THEN
				-- As in the extension: only by up to a minute can a retry help.
				RAISE EXCEPTION USING ERRCODE = CASE WHEN last_turn * 128 - us / 1000 <= 60000
						THEN '55P03' ELSE '55000' END,
					MESSAGE = pg_catalog.format('could not generate a %s: '
						'the clock is %s ms behind the last id', format,
						last_turn * 128 - us / 1000),
					DETAIL = pg_catalog.format('Waited %s ms, as long as '
						'flakeid.max_wait allows.', max_wait_s * 1000),
					HINT = 'If the clock is wrong now, correct it.';
			END IF;
			EXECUTE pg_catalog.format('SELECT %s.flakeid_generate_wait(%L, $1)', schema,
					schema || '.flakeid_generate_pause')
				INTO wait_s USING least(0.05, max_wait_s - waited_s,
					(last_turn - (packed & 31)) * 0.128 - us / 1000000.0);
			waited_s := waited_s + wait_s;
		END LOOP;
		EXIT WHEN pg_catalog.pg_sequence_last_value(numbers) - number <
			1::bigint << low_bits;
	END LOOP;
	IF ms NOT BETWEEN 0 AND last_ms THEN
		RAISE EXCEPTION USING ERRCODE = '22008',
			MESSAGE = pg_catalog.format(CASE WHEN ms < 0
				THEN 'could not generate a %s: the clock, "%s", is before the epoch'
				ELSE 'could not generate a %s: its last timestamp has been reached' END,
				format, pg_catalog.clock_timestamp()),
			DETAIL = pg_catalog.format('The epoch is %s.',
				pg_catalog.to_timestamp((setting >> 14) / 1000.0)),
			HINT = 'If the clock is wrong, correct it.';
	END IF;
	IF random THEN
		number := number + ((ms & 2147483647) * 1640531527 >> 20 << 5);
	END IF;
	RETURN (ms << bits) | ((setting & 1023) << low_bits & (1::bigint << bits) - 1) |
		(number & (1::bigint << low_bits) - 1);
END $$;

REVOKE EXECUTE ON FUNCTION flakeid_generate_bigint FROM PUBLIC;

-- The bodies are parsed, so the caller's search_path does not matter.
CREATE FUNCTION fluid_generate() RETURNS bigint
	LANGUAGE sql VOLATILE STRICT PARALLEL UNSAFE SECURITY DEFINER
	RETURN flakeid_generate_bigint('FLUID', 24, 549755813887, false, false,
		'flakeid_fluid_number', 'flakeid_fluid_turn', 'flakeid_fluid_settings',
		'flakeid_generate_guard');

CREATE FUNCTION nanoflake_generate() RETURNS bigint
	LANGUAGE sql VOLATILE STRICT PARALLEL UNSAFE SECURITY DEFINER
	RETURN flakeid_generate_bigint('Nanoflake', 22, 2199023255551, false, false,
		'flakeid_nanoflake_number', 'flakeid_nanoflake_turn',
		'flakeid_nanoflake_settings',
		'flakeid_generate_guard');

-- Both forms use the same sequence of numbers, so their ids never collide.
CREATE FUNCTION ulidflake_generate() RETURNS bigint
	LANGUAGE sql VOLATILE STRICT PARALLEL UNSAFE SECURITY DEFINER
	RETURN flakeid_generate_bigint('Ulid-Flake', 20, 8796093022207, true, false,
		'flakeid_ulidflake_number', 'flakeid_ulidflake_turn',
		'flakeid_ulidflake_settings',
		'flakeid_generate_guard');

CREATE FUNCTION ulidflake_scalable_generate() RETURNS bigint
	LANGUAGE sql VOLATILE STRICT PARALLEL UNSAFE SECURITY DEFINER
	RETURN flakeid_generate_bigint('Ulid-Flake', 20, 8796093022207, true, true,
		'flakeid_ulidflake_number', 'flakeid_ulidflake_turn',
		'flakeid_ulidflake_settings',
		'flakeid_generate_guard');

-- Administration, for the owner of the sequences.  ALTER SEQUENCE waits for the
-- transactions that have generated an id of the format, and blocks those that
-- generate one until this transaction ends.  The settings are locked first, in the
-- same order as in those.

-- Continue with these settings, in a turn after all previous turns if they are others,
-- and after that of the floor.  A number that is not called (pg_sequence_last_value is
-- NULL) says that no id has a turn of the window, so that other settings can use it.
-- reset: in the current turn.  The result is 1 if the first turn changes, else 0.
CREATE FUNCTION flakeid_generate_restart(format text, bits integer,
	numbers regclass, turns regclass, settings regclass, new_node_bits integer,
	new_node_id integer, new_epoch timestamptz, floor timestamptz,
	reset boolean DEFAULT false) RETURNS integer
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
	SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	sequence regclass;
	setting bigint;
	number bigint;
	packed bigint;
	first_turn bigint;
	old_first_turn bigint;
	last_turn bigint;
	turn bigint;
	now_turn bigint := pg_catalog.floor(pg_catalog.date_part('epoch',
		pg_catalog.clock_timestamp()) / 0.128);
	called boolean;
	-- 40, 41 and 43 bits of time
	time_bits integer := CASE bits WHEN 24 THEN 40 WHEN 22 THEN 41 ELSE 43 END;
	node_bits bigint;
	node_id bigint;
	epoch_ms bigint;
BEGIN
	FOREACH sequence IN ARRAY ARRAY[settings, numbers, turns] LOOP
		EXECUTE pg_catalog.format('ALTER SEQUENCE %s CACHE 1', sequence);
	END LOOP;
	setting := coalesce(pg_catalog.pg_sequence_last_value(settings),
		(extract(epoch FROM new_epoch) * 1000)::bigint << 14 |
			(new_node_bits << 10) | new_node_id);
	IF setting IS NULL THEN
		RAISE EXCEPTION USING ERRCODE = '55000',
			MESSAGE = pg_catalog.format('sequence "%s" has no value',
				(SELECT relname FROM pg_catalog.pg_class WHERE oid = settings)),
			HINT = 'Call flakeid_generate_set() with node_bits, node_id and epoch.';
	END IF;
	EXECUTE pg_catalog.format('SELECT last_value, is_called FROM %s', numbers)
		INTO number, called;
	packed := coalesce(pg_catalog.pg_sequence_last_value(turns), 0);
	last_turn := (packed >> 5) + (number >> bits - (setting >> 10 & 15)::integer - 5);
	first_turn := last_turn - (packed & 31);
	old_first_turn := first_turn;
	node_bits := coalesce(new_node_bits, setting >> 10 & 15);
	node_id := coalesce(new_node_id, setting & 1023);
	epoch_ms := coalesce((extract(epoch FROM new_epoch) * 1000)::bigint,
		setting >> 14);
	IF bits = 20 AND node_id NOT BETWEEN 0 AND 31 THEN
		RAISE EXCEPTION USING ERRCODE = '22023', MESSAGE = pg_catalog.format(
			'value %s is out of range for the scalability', node_id),
			DETAIL = 'The valid range is 0 to 31.';
	END IF;
	IF bits <> 20 AND (node_bits NOT BETWEEN 0 AND 10 OR
		node_id NOT BETWEEN 0 AND (1 << node_bits::integer) - 1)
	THEN
		RAISE EXCEPTION USING ERRCODE = '22023', MESSAGE = pg_catalog.format(
			'node_id = %s does not fit in node_bits = %s', node_id, node_bits);
	END IF;
	IF epoch_ms << 14 >> 14 <> epoch_ms THEN
		RAISE EXCEPTION USING ERRCODE = '22008', MESSAGE = pg_catalog.format(
			'epoch "%s" is out of range', new_epoch);
	END IF;
	IF epoch_ms > setting >> 14 AND number > 1 THEN
		RAISE EXCEPTION USING ERRCODE = '55000', MESSAGE = pg_catalog.format(
			'the epoch cannot be moved from %s to %s',
			pg_catalog.to_timestamp((setting >> 14) / 1000.0), new_epoch),
			DETAIL = 'Counted from a later epoch, the ids of today would duplicate '
				'previously generated ids.';
	END IF;
	IF NOT pg_catalog.isfinite(floor) THEN
		RAISE EXCEPTION USING ERRCODE = '22008', MESSAGE = pg_catalog.format(
			'timestamp "%s" is not finite', floor);
	END IF;
	IF extract(epoch FROM floor) * 1000 - epoch_ms >= 1::bigint << time_bits THEN
		RAISE EXCEPTION USING ERRCODE = '22008', MESSAGE = pg_catalog.format(
			'timestamp out of range for %s: "%s"', format, floor);
	END IF;
	IF reset THEN
		IF first_turn <= now_turn THEN
			RAISE NOTICE 'no % id is ahead of the clock', format;
			RETURN 0;
		END IF;
		RAISE NOTICE USING MESSAGE = pg_catalog.format(
				'from now on, %s ids %s to %s can be generated again', format,
				greatest(now_turn * 128 - epoch_ms, 0) << bits,
				(least((last_turn + 1) * 128 - epoch_ms, 1::bigint << 63 - bits) - 1
					<< bits) | (1::bigint << bits) - 1),
			HINT = 'Delete or renumber them before the clock reaches their '
				'timestamps, or change the node.';
		first_turn := now_turn;
		turn := now_turn;
	ELSE
		IF number > 1 AND called AND
			setting <> (epoch_ms << 14 | (node_bits << 10) | node_id)
		THEN
			first_turn := last_turn + 1;
		END IF;
		first_turn := greatest(first_turn,
			pg_catalog.floor(extract(epoch FROM floor) * 1000 / 128)::bigint + 1);
		turn := greatest(first_turn, last_turn, now_turn - 1);
		IF number > 1 AND called AND first_turn > last_turn THEN
			number := number + 1;
			called := false;
		END IF;
	END IF;
	FOREACH sequence IN ARRAY ARRAY[settings, numbers, turns] LOOP
		EXECUTE pg_catalog.format('ALTER SEQUENCE %s RESTART', sequence);
	END LOOP;
	PERFORM pg_catalog.setval(settings,
			epoch_ms << 14 | (node_bits << 10) | node_id),
		pg_catalog.setval(numbers, number, called OR number = 1),
		pg_catalog.setval(turns, turn - (number >> bits - node_bits::integer - 5) << 5 |
			least(turn - first_turn, 31));
	RETURN (first_turn <> old_first_turn)::integer;
END $$;
REVOKE EXECUTE ON FUNCTION flakeid_generate_restart FROM PUBLIC;

-- Replaces the settings of the server.  Except for format, NULL leaves a value
-- unchanged; for 'ulidflake', node_id is the scalability.
CREATE FUNCTION flakeid_generate_set(format text, node_bits integer DEFAULT NULL,
	node_id integer DEFAULT NULL, epoch timestamptz DEFAULT NULL) RETURNS void
	LANGUAGE sql VOLATILE PARALLEL UNSAFE
BEGIN ATOMIC
	SELECT flakeid_read_refuse(
		CASE WHEN format IS NULL THEN '22004' ELSE '22023' END,
		pg_catalog.format(CASE WHEN format IS NULL THEN 'format must not be null'
			ELSE 'unrecognized format: "%s"' END, $1),
		'Specify "fluid", "nanoflake" or "ulidflake".')
	WHERE (format IN ('fluid', 'nanoflake', 'ulidflake')) IS NOT TRUE;
	SELECT CASE format
		WHEN 'fluid' THEN flakeid_generate_restart('FLUID', 24, 'flakeid_fluid_number',
			'flakeid_fluid_turn', 'flakeid_fluid_settings', node_bits, node_id,
			flakeid_read_whole_ms(epoch), NULL)
		WHEN 'nanoflake' THEN flakeid_generate_restart('Nanoflake', 22,
			'flakeid_nanoflake_number', 'flakeid_nanoflake_turn',
			'flakeid_nanoflake_settings', node_bits, node_id,
			flakeid_read_whole_ms(epoch), NULL)
		WHEN 'ulidflake' THEN flakeid_generate_restart('Ulid-Flake', 20,
			'flakeid_ulidflake_number', 'flakeid_ulidflake_turn',
			'flakeid_ulidflake_settings', 0, node_id, flakeid_read_whole_ms(epoch),
			NULL) END;
END;
REVOKE EXECUTE ON FUNCTION flakeid_generate_set FROM PUBLIC;

-- Prevent generating 64-bit ids at or before ts.  Returns the number of formats
-- that it changes.
CREATE FUNCTION flakeid_raise_floor(ts timestamptz) RETURNS integer
	LANGUAGE sql VOLATILE STRICT PARALLEL UNSAFE
BEGIN ATOMIC
	SELECT flakeid_generate_restart('FLUID', 24, 'flakeid_fluid_number',
		'flakeid_fluid_turn', 'flakeid_fluid_settings', NULL, NULL, NULL, ts) +
	flakeid_generate_restart('Nanoflake', 22, 'flakeid_nanoflake_number',
		'flakeid_nanoflake_turn', 'flakeid_nanoflake_settings', NULL, NULL, NULL, ts) +
	flakeid_generate_restart('Ulid-Flake', 20, 'flakeid_ulidflake_number',
		'flakeid_ulidflake_turn', 'flakeid_ulidflake_settings', NULL, NULL, NULL, ts);
END;
REVOKE EXECUTE ON FUNCTION flakeid_raise_floor FROM PUBLIC;

-- Let 64-bit ids start at the current time again, after a clock that was ahead.
-- Returns the number of formats that it changes.
CREATE FUNCTION flakeid_reset_horizon() RETURNS integer
	LANGUAGE sql VOLATILE STRICT PARALLEL UNSAFE
BEGIN ATOMIC
	SELECT flakeid_generate_restart('FLUID', 24, 'flakeid_fluid_number',
		'flakeid_fluid_turn', 'flakeid_fluid_settings', NULL, NULL, NULL, NULL,
		true) +
	flakeid_generate_restart('Nanoflake', 22, 'flakeid_nanoflake_number',
		'flakeid_nanoflake_turn', 'flakeid_nanoflake_settings', NULL, NULL, NULL,
		NULL, true) +
	flakeid_generate_restart('Ulid-Flake', 20, 'flakeid_ulidflake_number',
		'flakeid_ulidflake_turn', 'flakeid_ulidflake_settings', NULL, NULL, NULL,
		NULL, true);
END;
REVOKE EXECUTE ON FUNCTION flakeid_reset_horizon FROM PUBLIC;

-- UUID, SCRU160: without state.  All bits except the time are random, so ids are
-- unique by their random bits, and unordered within a tick.

CREATE FUNCTION uuid_generate_v7() RETURNS uuid
	LANGUAGE plpgsql VOLATILE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	us bigint := pg_catalog.date_part('epoch', pg_catalog.clock_timestamp()) *
		1000000;
BEGIN
	IF us NOT BETWEEN 0 AND 281474976710655999 THEN
		RAISE EXCEPTION USING ERRCODE = '22008', MESSAGE = pg_catalog.format(
			'timestamp out of range for UUIDv7: "%s"', pg_catalog.clock_timestamp());
	END IF;
	RETURN (pg_catalog.lpad(pg_catalog.to_hex(us / 1000 << 16 | 28672 |
			us % 1000 * 4096 / 1000), 16, '0') ||
		pg_catalog.substr(pg_catalog.gen_random_uuid()::text, 20))::uuid;
END $$;

-- Add the shift to the millisecond, as to a timestamptz, and then the fraction
-- of the millisecond.
CREATE FUNCTION uuid_generate_v7(shift interval) RETURNS uuid
	LANGUAGE sql VOLATILE STRICT PARALLEL SAFE
	RETURN (
		SELECT flakeid_read_make_uuid(flakeid_read_tick(
				flakeid_read_unix_us(date_trunc('milliseconds', now) + shift) * 4096000 +
					div(flakeid_read_unix_us(now) % 1000 * 4096, 1000) * 1000000,
				1152921504606846975, date_trunc('milliseconds', now) + shift,
				'UUIDv7'), '7', substr(gen_random_uuid()::text, 20))
		FROM clock_timestamp() AS c (now));

CREATE FUNCTION uuid_generate_v6() RETURNS uuid
	LANGUAGE plpgsql VOLATILE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	us bigint := pg_catalog.date_part('epoch', pg_catalog.clock_timestamp()) *
		1000000;
	ticks bigint;
BEGIN
	IF us NOT BETWEEN -12219292800000000 AND 103072857660684697 THEN
		RAISE EXCEPTION USING ERRCODE = '22008', MESSAGE = pg_catalog.format(
			'timestamp out of range for UUIDv6: "%s"', pg_catalog.clock_timestamp());
	END IF;
	ticks := us * 10 + 122192928000000000;
	-- bit 80: the multicast bit of a random node (RFC 9562, 6.10)
	RETURN (pg_catalog.lpad(pg_catalog.to_hex((ticks >> 12 << 16) | 24576 |
			(ticks & 4095)), 16, '0') ||
		pg_catalog.encode(pg_catalog.substr(pg_catalog.set_bit(pg_catalog.uuid_send(
			pg_catalog.gen_random_uuid()), 80, 1), 9), 'hex'))::uuid;
END $$;

-- SCRU160: the counter is random in every id.  The first and the last millisecond
-- of the field are reserved.

CREATE FUNCTION scru160_generate() RETURNS scru160
	LANGUAGE plpgsql VOLATILE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	us bigint := pg_catalog.date_part('epoch', pg_catalog.clock_timestamp()) *
		1000000;
	random bytea := pg_catalog.uuid_send(pg_catalog.gen_random_uuid());
BEGIN
	IF us NOT BETWEEN 1000 AND 281474976710654999 THEN
		RAISE EXCEPTION USING ERRCODE = '22008', MESSAGE = pg_catalog.format(
			'timestamp out of range for SCRU160: "%s"', pg_catalog.clock_timestamp());
	END IF;
	-- the bytes of a random uuid without version and variant
	RETURN pg_catalog.int8send((us / 1000 << 16) |
			(pg_catalog.get_byte(random, 0) << 8 & 32512) |
			pg_catalog.get_byte(random, 1)) ||
		pg_catalog.substr(random, 10) || pg_catalog.substr(pg_catalog.uuid_send(
			pg_catalog.gen_random_uuid()), 12);
END $$;

CREATE FUNCTION scru160_us_generate() RETURNS scru160
	LANGUAGE plpgsql VOLATILE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	us bigint := pg_catalog.date_part('epoch', pg_catalog.clock_timestamp()) *
		1000000;
	random bytea := pg_catalog.uuid_send(pg_catalog.gen_random_uuid());
BEGIN
	IF us NOT BETWEEN 1000 AND 281474976710654999 THEN
		RAISE EXCEPTION USING ERRCODE = '22008', MESSAGE = pg_catalog.format(
			'timestamp out of range for SCRU160: "%s"', pg_catalog.clock_timestamp());
	END IF;
	RETURN pg_catalog.int8send((us / 1000 << 16) | (us % 1000 << 6) |
			(pg_catalog.get_byte(random, 0) & 31)) ||
		pg_catalog.substr(random, 10) || pg_catalog.substr(pg_catalog.uuid_send(
			pg_catalog.gen_random_uuid()), 12);
END $$;

COMMIT;
