-- World.
--
-- contrib/flakeid_generate.sql: generates the same ids as the extension
--
SET client_encoding = 'UTF8';
SET client_min_messages = warning;
SET timezone = 'UTC';
SET datestyle = 'ISO, YMD';
\getenv srcdir PG_ABS_SRCDIR
\set read :srcdir '/contrib/flakeid_read.sql'
\set generate :srcdir '/contrib/flakeid_generate.sql'

CREATE SCHEMA maker;
SET search_path = maker;
\set ECHO none
\i :read
\i :generate
\set ECHO all
RESET search_path;

-- No rows: names, arguments, results and labels are those of the extension,
-- except that parallel workers cannot draw a number
SELECT p.proname, pg_get_function_arguments(p.oid)
FROM pg_proc AS p
WHERE pronamespace = 'maker'::regnamespace AND proname ~ '(generate|floor)' AND
  proname NOT LIKE 'flakeid\_generate\_%' AND
  NOT EXISTS (SELECT FROM pg_proc AS e
    WHERE pronamespace = 'public'::regnamespace AND e.proname = p.proname AND
      pg_get_function_arguments(e.oid) = pg_get_function_arguments(p.oid) AND
      replace(pg_get_function_result(p.oid), 'maker.', '') = pg_get_function_result(e.oid) AND
      (e.provolatile, e.proisstrict) = (p.provolatile, p.proisstrict));
SELECT proname, proparallel FROM pg_proc AS p
WHERE pronamespace = 'maker'::regnamespace AND proparallel <> 's' ORDER BY 1;

-- Internal ones, too, and who can call them and use sequences and tables
SELECT lanname, provolatile, proparallel, proisstrict AS strict, prosecdef AS definer, proconfig,
  has_function_privilege('public', p.oid, 'EXECUTE') AS callable, count(*),
  string_agg(proname, ' ' ORDER BY proname COLLATE "C") FILTER (WHERE proname ~ '^flakeid_') AS flakeid
FROM pg_proc AS p JOIN pg_language AS l ON l.oid = prolang
WHERE pronamespace = 'maker'::regnamespace GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 1, 2, 3, 4, 5, 6, 7;
SELECT relkind, reloptions, readable, writable, string_agg(relname, ' ' ORDER BY relname COLLATE "C")
FROM pg_class, LATERAL (SELECT has_table_privilege('public', oid, 'SELECT'),
  has_table_privilege('public', oid, 'INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER')) AS h (readable, writable)
WHERE relnamespace = 'maker'::regnamespace AND relkind IN ('r', 'S') GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4;

-- Before the first id, the epoch can also be moved forward.
SELECT maker.flakeid_generate_set(format, epoch => '2024-03-01Z'), maker.flakeid_generate_set(format, epoch => '2024-01-01Z')
FROM unnest(ARRAY['fluid', 'nanoflake', 'ulidflake']) AS f (format) \g /dev/null
-- ... but not after it, and other settings begin after its turn.
SELECT maker.ulidflake_generate() > 0 AS first;
SELECT sqlstate_of($$SELECT maker.flakeid_generate_set('ulidflake', epoch => '2024-03-01Z')$$);
SELECT last_value AS turn FROM maker.flakeid_ulidflake_turn \gset
SELECT maker.flakeid_generate_set('ulidflake', node_id => 5);
SELECT (last_value >> 5) - (last_value & 31) > :turn >> 5 AS later FROM maker.flakeid_ulidflake_turn;
SELECT maker.flakeid_generate_set('ulidflake', node_id => 0);
SELECT maker.flakeid_generate_set('nanoflake', epoch => '2100-01-01Z');
SELECT regexp_replace(error_of('SELECT maker.nanoflake_generate()'), '".*"', '(now)');
SELECT maker.flakeid_generate_set('nanoflake', epoch => '2024-01-01Z');
-- The low bits of a Ulid-Flake begin anew in every millisecond
SELECT count(DISTINCT id - n & 1048575) > count(DISTINCT id >> 20) / 2 AS anew
FROM (SELECT n, maker.ulidflake_generate() AS id FROM generate_series(1, 2000) AS n) AS made;

-- What the files leave out is what contrib/README.md lists; no rows: a function
-- that the list lacks, a pattern of the list that is of no missing function, or
-- that is of one of the files
CREATE TEMP TABLE page (line text);
\copy page from program 'sed -n "/^## What is missing/,/^## Install/p" "$PG_ABS_SRCDIR/contrib/README.md"' with (delimiter E'\x01')
CREATE TEMP VIEW pattern AS
SELECT replace(replace(m[1], '_', '\_'), '*', '%') AS pattern
FROM page, regexp_matches(line, '`([a-z0-9_*]+)`', 'g') AS m WHERE m[1] NOT IN ('epoch', 'scru160');
CREATE TEMP TABLE name AS
SELECT proname, bool_or(pronamespace = 'maker'::regnamespace) AS ours FROM pg_proc
WHERE pronamespace IN ('maker'::regnamespace, 'public'::regnamespace) AND
  proname ~ '^(uuid|fluid|nanoflake|ulidflake|scru160|flakeid)_' AND
  proname !~ '^flakeid_(read|generate)_' AND
  proname !~ '^scru160_(in|out|send|recv|eq|ne|lt|le|gt|ge|cmp|sortsupport|hash|hash_extended|smaller|larger|rangesel|from_bytea)$' AND proname <> 'uuid_of'
GROUP BY proname;
SELECT proname FROM name WHERE NOT ours AND NOT EXISTS (SELECT FROM pattern WHERE proname LIKE pattern);
SELECT pattern FROM pattern WHERE NOT EXISTS (SELECT FROM name WHERE proname LIKE pattern AND NOT ours) OR
  EXISTS (SELECT FROM name WHERE proname LIKE pattern AND ours);
SELECT count(*) FILTER (WHERE ours) > 30 AND count(*) FILTER (WHERE NOT ours) > 60 AS of_both FROM name;

-- The same calls to both: @ is the schema, % the clock before.  The result of
-- the extension is shown, followed by that of the file if it differs.
CREATE TEMP TABLE question (n serial, q text);
INSERT INTO question (q) SELECT format($q$
  SELECT count(DISTINCT id), bool_and(uuid_get_version(id) = %2$s AND uuid_get_variant(id) = 'rfc9562'),
    bool_and(@uuid_to_timestamptz(id) BETWEEN date_trunc('milliseconds', timestamptz %%L)
      AND clock_timestamp()), count(DISTINCT right(id::text, 17)),
    bool_and(%2$s = 7 OR get_byte(uuid_send(id), 10) & 1 = 1)
  FROM (SELECT @uuid_generate_v%2$s() AS id FROM generate_series(1, 2000)) AS made
  $q$, '', v) FROM unnest(ARRAY[6, 7]) AS v;
-- The 12 bits after the millisecond are a fraction, not random
INSERT INTO question (q) VALUES ($q$
  SELECT count(*) = 4000 FROM (
    SELECT clock_timestamp() AS t0, @uuid_generate_v7() AS id, clock_timestamp() AS t1
    FROM generate_series(1, 4000)) AS made,
    LATERAL (SELECT ('x' || substr(id::text, 16, 3))::bit(12)::integer / 4.096) AS f (us)
  WHERE @uuid_v7_to_timestamptz(id) + us * interval '1 us' BETWEEN
    t0 - interval '1 us' AND t1 + interval '1 us'
  $q$), ($q$
  SELECT bool_and(@uuid_v7_to_timestamptz(id) BETWEEN date_trunc('milliseconds', timestamptz %L + interval '1 month -3 days')
    AND clock_timestamp() + interval '1 month -3 days'), count(DISTINCT id)
  FROM (SELECT @uuid_generate_v7('1 month -3 days') AS id FROM generate_series(1, 100)) AS made
  $q$), ($q$ SELECT @uuid_generate_v7('-100 years'::interval) $q$),
  ($q$ SELECT @uuid_generate_v7('9000 years'::interval) $q$),
  ($q$ SELECT @uuid_generate_v7(NULL) $q$);
-- Strictly in order, too; a Ulid-Flake is not always, see contrib/README.md
INSERT INTO question (q) SELECT format($q$
  SELECT count(DISTINCT id), bool_and(id > 0),
    bool_and(@%1$s_to_timestamptz(id) BETWEEN date_trunc('milliseconds', timestamptz %%L)
      AND clock_timestamp()), bool_and(id > previous OR '%1$s' = 'ulidflake')
  FROM (SELECT id, lag(id) OVER (ORDER BY n) AS previous
    FROM (SELECT n, @%1$s%2$s_generate() AS id FROM generate_series(1, 2000) AS n) AS made) AS m
  $q$, format, form)
FROM (VALUES ('fluid', ''), ('nanoflake', ''), ('ulidflake', ''), ('ulidflake', '_scalable'))
  AS f (format, form);
INSERT INTO question (q) VALUES ($q$
  SELECT bool_and(public.ulidflake_scalable_get_scalability(@ulidflake_scalable_generate()) = 0)
  FROM generate_series(1, 100) $q$), ($q$
  SELECT count(DISTINCT id) FROM (
    SELECT @ulidflake_generate() FROM generate_series(1, 2000) UNION ALL
    SELECT @ulidflake_scalable_generate() FROM generate_series(1, 2000)) AS u (id) $q$);
INSERT INTO question (q) SELECT format($q$
  SELECT count(DISTINCT id), bool_and(length(@scru160_to_text(id, 'base32hex')) = 32),
    bool_and(@scru160_to_timestamptz(id) BETWEEN date_trunc('milliseconds', timestamptz %%L)
      AND clock_timestamp()), count(DISTINCT right(@scru160_to_text(id, 'hex'), 24)),
    bool_and(%s)
  FROM (SELECT @scru160%s_generate() AS id FROM generate_series(1, 2000)) AS made
  $q$, wanted, form)
FROM (VALUES ('substr(@scru160_to_text(id, ''hex''), 13, 4) < ''9c40''', ''),
  ('substr(@scru160_to_text(id, ''hex''), 13, 3) < ''fa0''', '_us')) AS f (wanted, form);

CREATE FUNCTION pg_temp.answer(schema text, q text) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
  answer text;
BEGIN
  EXECUTE format('SELECT string_agg(a::text, '' '') FROM (%s) AS a',
    replace(replace(q, '%L', quote_literal(clock_timestamp())), '@', schema || '.'))
    INTO answer;
  RETURN answer;
EXCEPTION WHEN OTHERS THEN
  RETURN sqlstate || ' ' || sqlerrm;
END $$;
SELECT n, split_part(pg_temp.answer('public', q), '"', 1) AS answer FROM question
WHERE q LIKE '%generate%' ORDER BY n;

-- No rows
SELECT q, c, s FROM question, LATERAL (SELECT pg_temp.answer('public', q)) AS ext (c),
  LATERAL (SELECT pg_temp.answer('maker', q)) AS sql (s)
WHERE c IS DISTINCT FROM s AND
  (left(c, 5), left(s, 5)) <> ('22008', '22008');
-- Errors about times have the same message, except for the date format
SELECT q, c, s FROM question, LATERAL (SELECT pg_temp.answer('public', q)) AS ext (c),
  LATERAL (SELECT pg_temp.answer('maker', q)) AS sql (s)
WHERE c LIKE '22008%' AND split_part(c, '"', 1) <> split_part(s, '"', 1);

-- Bits that had one value in 100 ids, each of a millisecond of its own: variant and
-- multicast bit, the first of a counter, and the one between microsecond and counter.
-- All others are random.
CREATE FUNCTION pg_temp.fixed_bits(call text, first integer, last integer) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
  bits text;
BEGIN
  EXECUTE format('WITH made AS MATERIALIZED (SELECT CASE WHEN pg_sleep(0.001) IS NOT NULL THEN %s END AS id
      FROM generate_series(1, 100))
    SELECT string_agg(bit::text, '' '' ORDER BY bit)
    FROM (SELECT bit FROM made, generate_series($1, $2) AS bit
      GROUP BY bit HAVING count(DISTINCT get_byte(id, bit / 8) >> 7 - bit %% 8 & 1) = 1) AS b', call)
    INTO bits USING first, last;
  RETURN bits;
END $$;
SELECT call, first, last, pg_temp.fixed_bits(call, first, last) FROM (VALUES
  ('uuid_send(maker.uuid_generate_v6())', 64, 127), ('uuid_send(maker.uuid_generate_v7())', 64, 127),
  ('uuid_send(maker.uuid_generate_v7(''1 day''))', 64, 127), ('int8send(maker.ulidflake_generate())', 44, 63),
  ('maker.scru160_generate()::bytea', 48, 159), ('maker.scru160_us_generate()::bytea', 58, 159)) AS c (call, first, last);

-- Node, scalability and epoch: the owner sets them, and ids continue above
SELECT fluid_get_generator(maker.fluid_generate()) >> 9 AS node;
SELECT maker.fluid_generate() AS before, maker.ulidflake_generate() AS ulidflake_before \gset
SELECT maker.flakeid_generate_set('fluid', 5, 19, '2020-01-01Z'),
  maker.flakeid_generate_set('ulidflake', node_id => 21, epoch => '2012-01-01Z');
SELECT fluid_get_generator(maker.fluid_generate()) >> 9 AS node,
  ulidflake_scalable_get_scalability(maker.ulidflake_scalable_generate()) AS scalability,
  maker.fluid_generate() > :before AS above, maker.ulidflake_generate() > :ulidflake_before AS above;
SELECT maker.fluid_to_timestamptz(id) BETWEEN clock_timestamp() - interval '1 minute' AND clock_timestamp()
    AS read_by_the_same_epoch, id > :before AS above
FROM maker.fluid_generate() AS id;
SELECT maker.ulidflake_to_timestamptz(id) BETWEEN clock_timestamp() - interval '1 minute' AND clock_timestamp()
    AS read_by_the_same_epoch,
  maker.ulidflake_to_timestamptz(id) = ulidflake_to_timestamptz(id, '2012-01-01Z') AS that_epoch
FROM maker.ulidflake_generate() AS id;
-- bounds count from it, too
SELECT maker.ulidflake_min('2012-01-02Z') >> 20 AS ms;
SELECT error_of(format('SELECT maker.flakeid_generate_set(%s)', arguments)) FROM (VALUES
  ($$'fluid', epoch => '37649-01-01Z'$$), ($$'fluid', epoch => '2022-01-01Z'$$), ($$'ulidflake', epoch => '2020-01-01Z'$$),
  ($$'ulidflake', epoch => '2000-01-01 00:00:00.0001Z'$$), ($$'fluid', 5, 32$$), ($$'fluid', 11, 0$$),
  ($$'fluid', -1, 0$$), ($$'fluid', node_id => -1$$), ($$'fluid', epoch => 'infinity'$$)) AS a (arguments);
SELECT error_of($$SELECT maker.flakeid_generate_set('ulidflake', node_id => 32)$$);
SELECT error_of($$SELECT maker.flakeid_generate_set(NULL, node_id => 3)$$);
SELECT error_of($$SELECT maker.flakeid_generate_set('uuid', node_id => 3)$$);
SELECT maker.flakeid_generate_set('nanoflake', epoch => '1970-01-01Z');
SELECT maker.nanoflake_to_timestamptz(maker.nanoflake_generate()) > now() - interval '1 minute' AS ok;
-- A floor at the end of its field, and beyond it
BEGIN;
SELECT maker.flakeid_raise_floor('2039-09-07 15:47:35.551Z');
ROLLBACK;
SELECT error_of($$SELECT maker.flakeid_raise_floor('2039-09-07 15:47:35.552Z')$$);
-- A floor in the past does not affect ids
SELECT maker.flakeid_raise_floor('2020-01-01Z'), maker.flakeid_raise_floor('2020-01-01Z');
SELECT maker.nanoflake_generate() > 0 AS ok;

-- A floor that no format can have
SELECT bound, split_part(error_of(format('SELECT maker.flakeid_raise_floor(%L)', bound)), ' | ', 1) AS error,
  split_part(error_of(format('SELECT flakeid_raise_floor(%L)', bound)), ' | ', 1) AS extension
FROM unnest(ARRAY['infinity', '-infinity', '2058-11-03 19:53:47.776+00']) AS bound;

-- The user's search_path does not affect calls
CREATE SCHEMA trap;
CREATE FUNCTION trap.nextval(regclass) RETURNS bigint LANGUAGE sql RETURN 1;
CREATE FUNCTION trap.clock_timestamp() RETURNS timestamptz LANGUAGE sql RETURN timestamptz '2000-01-01Z';
CREATE SEQUENCE trap.flakeid_ulidflake_number;
SET search_path = trap, pg_catalog;
SELECT maker.uuid_v7_to_timestamptz(maker.uuid_generate_v7()) > now() - interval '1 minute' AND
  maker.uuid_v7_to_timestamptz(maker.uuid_generate_v7('0')) > now() - interval '1 minute' AND
  maker.scru160_to_timestamptz(maker.scru160_generate()) > now() - interval '1 minute' AS ok;
-- ... nor operators, also with pg_catalog first: PostgreSQL prefers an operator of
-- exactly the types of the operands
RESET search_path;
CREATE FUNCTION trap.trap(bigint, integer) RETURNS bigint LANGUAGE plpgsql AS
  $$ BEGIN RAISE EXCEPTION 'trapped'; END $$;
CREATE FUNCTION trap.trap(float8, integer) RETURNS bigint LANGUAGE plpgsql AS
  $$ BEGIN RAISE EXCEPTION 'trapped'; END $$;
CREATE FUNCTION trap.trap(numeric, integer) RETURNS boolean LANGUAGE plpgsql AS
  $$ BEGIN RAISE EXCEPTION 'trapped'; END $$;
CREATE OPERATOR trap.& (FUNCTION = trap.trap, LEFTARG = bigint, RIGHTARG = integer);
CREATE OPERATOR trap.* (FUNCTION = trap.trap, LEFTARG = float8, RIGHTARG = integer);
CREATE OPERATOR trap.< (FUNCTION = trap.trap, LEFTARG = numeric, RIGHTARG = integer);
SET search_path = pg_catalog, trap;
SELECT 1::bigint & 1;
SELECT maker.fluid_generate() > 0 AND maker.nanoflake_generate() > 0 AND
  maker.ulidflake_generate() > 0 AND maker.ulidflake_scalable_generate() > 0 AS ok;
SELECT maker.uuid_v6_to_timestamptz(maker.uuid_generate_v6()) > now() - interval '1 minute' AND
  maker.uuid_v7_to_timestamptz(maker.uuid_generate_v7('0')) > now() - interval '1 minute' AND
  maker.scru160_to_timestamptz(maker.scru160_us_generate()) > now() - interval '1 minute' AS ok;
RESET search_path;
-- no rows: a function that is not parsed when created has a search_path
SELECT oid::regprocedure FROM pg_proc
WHERE pronamespace = 'maker'::regnamespace AND prosqlbody IS NULL AND
  proconfig IS DISTINCT FROM ARRAY['search_path=pg_catalog, pg_temp'];

-- Nobody but the owner can draw numbers or turns, or call the internal generator
CREATE ROLE flakeid_stranger;
GRANT USAGE ON SCHEMA maker TO flakeid_stranger;
SET ROLE flakeid_stranger;
SELECT maker.fluid_generate() > 0 AND maker.nanoflake_generate() > 0 AND
  maker.ulidflake_generate() > 0 AND maker.ulidflake_scalable_generate() > 0 AS ok;
SELECT sqlstate_of($$SELECT nextval('maker.flakeid_fluid_turn')$$),
  sqlstate_of($$SELECT nextval('maker.flakeid_fluid_number')$$),
  sqlstate_of($$SELECT maker.flakeid_generate_bigint('FLUID', 24, 549755813887, false, false,
    'maker.flakeid_fluid_number', 'maker.flakeid_fluid_turn', 'maker.flakeid_fluid_settings',
    'maker.flakeid_generate_guard')$$), sqlstate_of('LOCK TABLE maker.flakeid_generate_guard'),
  sqlstate_of($$SELECT maker.flakeid_generate_wait('maker.flakeid_generate_pause', 0)$$);
SELECT DISTINCT sqlstate_of(statement) FROM (VALUES
  ($$SELECT setval('maker.flakeid_fluid_turn', 1)$$), ($$SELECT setval('maker.flakeid_fluid_settings', 1)$$),
  ($$SELECT nextval('maker.flakeid_fluid_settings')$$), ('ALTER SEQUENCE maker.flakeid_fluid_number RESTART'),
  ($$SELECT maker.flakeid_raise_floor('2040-01-01Z')$$), ($$SELECT maker.flakeid_reset_horizon()$$),
  ($$SELECT maker.flakeid_generate_set('fluid', 1, 1)$$)) AS s (statement);
RESET ROLE;
REVOKE USAGE ON SCHEMA maker FROM flakeid_stranger;
DROP ROLE flakeid_stranger;
BEGIN READ ONLY;
SELECT sqlstate_of('SELECT maker.fluid_generate()');
COMMIT;

-- A floor and other settings begin with a turn that no earlier id can have, and
-- that begins soon, whatever was done before
CREATE FUNCTION pg_temp.turns(OUT first bigint, OUT last bigint) LANGUAGE sql AS $$
  SELECT l - (t & 31), l
  FROM pg_sequence_last_value('maker.flakeid_fluid_turn') AS s (t),
    LATERAL (SELECT (t >> 5) + ((SELECT last_value FROM maker.flakeid_fluid_number) >>
      19 - (pg_sequence_last_value('maker.flakeid_fluid_settings') >> 10 & 15)::integer)) AS l (l) $$;
CREATE FUNCTION pg_temp.after(change text, used boolean) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  old_last bigint;
  soon numeric;
BEGIN
  IF used THEN
    PERFORM set_config('flakeid.max_wait', '5 s', true), maker.fluid_generate();
  END IF;
  SELECT last INTO old_last FROM pg_temp.turns();
  EXECUTE 'SELECT maker.' || change;
  SELECT first * 0.128 - extract(epoch FROM clock_timestamp()) INTO soon FROM pg_temp.turns();
  RETURN CASE WHEN soon >= 0.4 THEN format('%s s, ', soon) ELSE '' END ||
    (SELECT CASE WHEN first > old_last THEN 'above' ELSE 'the same window' END FROM pg_temp.turns());
END $$;
SELECT count(nextval('maker.flakeid_fluid_number')) FROM generate_series(1, 5000);
SELECT pg_temp.after(change, used) AS "begins", used, change FROM (VALUES
  (true, $$flakeid_generate_set('fluid', 3, 3)$$), (false, $$flakeid_generate_set('fluid', 10, 3)$$),
  (true, 'flakeid_raise_floor(clock_timestamp())'), (true, $$flakeid_generate_set('fluid', 0, 0)$$),
  (false, $$flakeid_raise_floor('2020-01-01Z')$$), (false, $$flakeid_generate_set('fluid', 3, 5)$$),
  (true, $$flakeid_generate_set('fluid', 3, 5)$$), (true, 'flakeid_reset_horizon()'),
  (true, $$flakeid_generate_set('fluid', 5, 5)$$), (true, $$flakeid_generate_set('fluid', 0, 0)$$)) AS c (used, change);
-- ... and no later id has one of the old turns
SELECT first FROM pg_temp.turns() \gset
SELECT pg_sleep(0.3);
SELECT set_config('flakeid.max_wait', '5 s', false), maker.fluid_generate() > 0 AS ok;
SELECT last > first AS raised, first >= :first AS above FROM pg_temp.turns();
-- Before, at and after the begin of a turn
CREATE FUNCTION pg_temp.after_floors() RETURNS SETOF numeric LANGUAGE plpgsql AS $$
DECLARE
  turn bigint := extract(epoch FROM clock_timestamp()) / 0.128 + 100;
  ts timestamptz;
BEGIN
  FOR n IN -1 .. 1 LOOP
    ts := to_timestamp(turn * 0.128) + n * interval '1 ms';
    PERFORM maker.flakeid_raise_floor(ts);
    RETURN NEXT (SELECT first FROM pg_temp.turns()) * 0.128 - extract(epoch FROM ts);
  END LOOP;
END $$;
SELECT * FROM pg_temp.after_floors();
SELECT maker.flakeid_reset_horizon();
SET flakeid.max_wait = '30s';
SELECT clock_timestamp() + interval '0.3 s' AS floor \gset
SELECT maker.flakeid_raise_floor(:'floor');
SELECT bool_and(at > :'floor') AS above FROM (VALUES (maker.fluid_to_timestamptz(maker.fluid_generate())),
  (maker.nanoflake_to_timestamptz(maker.nanoflake_generate())),
  (maker.ulidflake_to_timestamptz(maker.ulidflake_generate()))) AS made (at);
RESET flakeid.max_wait;
-- A wait lasts at least half as long as it should, and changes nothing but two pages
SELECT count(maker.flakeid_generate_wait('maker.flakeid_generate_pause', 0.001)) FROM generate_series(1, 3);
CREATE TEMP TABLE began AS SELECT clock_timestamp() AS at;
SELECT bool_and(maker.flakeid_generate_wait('maker.flakeid_generate_pause', 0.02) >= 0.01) AS waited
FROM generate_series(1, 10);
SELECT clock_timestamp() - at >= interval '0.05 s' AS waited FROM began;
SELECT current_setting('vacuum_cost_delay') AS delay, count(*), pg_relation_size('maker.flakeid_generate_pause') /
  current_setting('block_size')::integer AS pages FROM maker.flakeid_generate_pause;

-- A floor in the future: ids wait for it, or raise an error
SELECT maker.flakeid_raise_floor(clock_timestamp() + interval '1 hour');
SET flakeid.max_wait = 0;
SELECT regexp_replace(pg_temp.answer('maker', 'SELECT @' || format || '_generate()'), '\d{7} ', '3... ')
FROM unnest(ARRAY['fluid', 'nanoflake', 'ulidflake']) AS format;
SELECT maker.uuid_generate_v7() IS NULL;
RESET flakeid.max_wait;

-- Another name of the schema, also for a call that waits
CREATE TABLE kept (id bigint DEFAULT maker.nanoflake_generate());
ALTER SCHEMA maker RENAME TO "maker '2";
SELECT "maker '2".uuid_generate_v7() <> "maker '2".uuid_generate_v7('0') AS ok;
SET client_min_messages = error;
SELECT "maker '2".flakeid_reset_horizon(), "maker '2".flakeid_raise_floor(clock_timestamp() + interval '0.2 s');
SET flakeid.max_wait = '30s';
INSERT INTO kept DEFAULT VALUES RETURNING id > 0 AS ok;
RESET flakeid.max_wait;
-- A wait as long as the default: after RESET, a setting that no library defines is empty
\c -
SET client_min_messages = error;
SET flakeid.max_wait = 0;
RESET flakeid.max_wait;
SELECT "maker '2".flakeid_raise_floor(clock_timestamp() + interval '0.2 s'),
  coalesce(current_setting('flakeid.max_wait', true), '') = '' AS empty;
SELECT "maker '2".fluid_generate() > 0 AS ok;
-- After a floor there is no id of its turn, but there are ids: no later epoch
SELECT "maker '2".flakeid_raise_floor(clock_timestamp() + interval '0.2 s');
SELECT sqlstate_of($$SELECT "maker '2".flakeid_generate_set('ulidflake', epoch => '2020-01-01Z')$$);
DROP TABLE kept;
DROP SCHEMA trap, "maker '2" CASCADE;
