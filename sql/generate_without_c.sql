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
WHERE pronamespace = 'maker'::regnamespace AND proname ~ '(generate|from_parts|from_timestamptz|to_v7|floor)' AND
  proname NOT LIKE 'flakeid\_generate\_%' AND
  NOT EXISTS (SELECT FROM pg_proc AS e
    WHERE pronamespace = 'public'::regnamespace AND e.proname = p.proname AND
      pg_get_function_arguments(e.oid) = pg_get_function_arguments(p.oid) AND
      replace(pg_get_function_result(p.oid), 'maker.', '') = pg_get_function_result(e.oid) AND
      (e.provolatile, e.proisstrict) = (p.provolatile, p.proisstrict));
SELECT proname, proparallel FROM pg_proc AS p
WHERE pronamespace = 'maker'::regnamespace AND proparallel <> 's' ORDER BY 1;

-- No rows: every generator of the extension exists in these two files
SELECT proname, pg_get_function_arguments(oid) FROM pg_proc AS e
WHERE pronamespace = 'public'::regnamespace AND
  proname ~ '^(uuid|fluid|nanoflake|ulidflake|scru160)_.*(generate|from_parts|from_timestamptz|to_v7)' AND
  NOT EXISTS (SELECT FROM pg_proc AS p
    WHERE pronamespace = 'maker'::regnamespace AND e.proname = p.proname AND
      pg_get_function_arguments(e.oid) = pg_get_function_arguments(p.oid))
ORDER BY 1, 2;

-- The same calls to both: @ is the schema, % the clock before.  The result of
-- the extension is shown, followed by that of the file if it differs.
CREATE TEMP TABLE question (n serial, q text);
INSERT INTO question (q) SELECT format($q$
  SELECT count(DISTINCT id), bool_and(@uuid_get_version(id) = %2$s AND @uuid_get_variant(id) = 'rfc9562'),
    bool_and(@uuid_to_timestamptz(id) BETWEEN date_trunc('milliseconds', timestamptz %%L)
      AND clock_timestamp()), count(DISTINCT right(id::text, 17))
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
INSERT INTO question (q) SELECT format($q$
  SELECT bool_and(@uuid_get_version(id) = 7),
    bool_and(@uuid_v7_draft_to_timestamptz(id) BETWEEN date_trunc('milliseconds', timestamptz %%L)
      AND clock_timestamp() + interval '1 ms'), count(DISTINCT id)
  FROM (SELECT @uuid_generate_v7_draft('%s') AS id FROM generate_series(1, 200)) AS made
  $q$, unit) FROM unnest(ARRAY['ms', 'us', 'ns', 's']) AS unit;
INSERT INTO question (q) SELECT format($q$
  SELECT bool_and(@uuid_get_version(id) = 8),
    bool_and(@uuid_v8_to_timestamptz(id, %1$s) BETWEEN date_trunc('%2$s', timestamptz %%L)
      AND clock_timestamp()), count(DISTINCT id)
  FROM (SELECT @uuid_generate_v8(%1$s) AS id FROM generate_series(1, 200)) AS made
  $q$, bits, unit)
FROM (VALUES (32, 'second'), (48, 'milliseconds'), (60, 'microseconds'),
  (64, 'microseconds'), (50, 's')) AS w (bits, unit);
-- Strictly in order, too; a Ulid-Flake is not always, see doc/without-c.md
INSERT INTO question (q) SELECT format($q$
  SELECT count(DISTINCT id), bool_and(id > 0),
    bool_and(@%1$s_to_timestamptz(id) BETWEEN date_trunc('milliseconds', timestamptz %%L)
      AND clock_timestamp()), bool_and(id > previous OR '%1$s' = 'ulidflake')
  FROM (SELECT id, lag(id) OVER (ORDER BY n) AS previous
    FROM (SELECT n, @%1$s_generate%2$s() AS id FROM generate_series(1, 2000) AS n) AS made) AS m
  $q$, format, form)
FROM (VALUES ('fluid', ''), ('nanoflake', ''), ('ulidflake', ''), ('ulidflake', '_scalable'))
  AS f (format, form);
INSERT INTO question (q) VALUES ($q$
  SELECT bool_and(@ulidflake_get_scalability(@ulidflake_generate_scalable()) = 0)
  FROM generate_series(1, 100) $q$), ($q$
  SELECT count(DISTINCT id) FROM (
    SELECT @ulidflake_generate() FROM generate_series(1, 2000) UNION ALL
    SELECT @ulidflake_generate_scalable() FROM generate_series(1, 2000)) AS u (id) $q$);
INSERT INTO question (q) SELECT format($q$
  SELECT count(DISTINCT id), bool_and(octet_length(@scru160_to_bytea(id)) = 20),
    bool_and(@scru160_to_timestamptz(id) BETWEEN date_trunc('milliseconds', timestamptz %%L)
      AND clock_timestamp()), count(DISTINCT right(@scru160_to_hex(id), 24)),
    bool_and(%s)
  FROM (SELECT @scru160_generate%s() AS id FROM generate_series(1, 2000)) AS made
  $q$, wanted, form)
FROM (VALUES ('@scru160_get_counter(id) < 40000', ''),
  ('@scru160_get_counter(id) >> 6 < 1000', '_us')) AS f (wanted, form);

-- Each random bit of an id of a given time can be 0 and 1
INSERT INTO question (q) SELECT format($q$
  SELECT count(DISTINCT id >> 20), bit_or(id & %s), bit_and(id & 1048575)
  FROM (SELECT @ulidflake%s_from_timestamptz('2030-01-01Z') AS id FROM generate_series(1, 200)) AS made
  $q$, bits, form) FROM (VALUES (1048575, ''), (1048544, '_scalable')) AS f (bits, form);
INSERT INTO question (q) SELECT format($q$
  SELECT count(DISTINCT hex), length(replace(bit_or(b)::text, '0', '')), length(replace(bit_and(b)::text, '0', ''))
  FROM (SELECT @scru160_to_hex(@scru160%s_from_timestamptz('2030-01-01Z')) AS hex FROM generate_series(1, 200)) AS made,
    LATERAL (SELECT ('x' || right(hex, 28))::bit(112)) AS below_ms (b)
  $q$, form) FROM unnest(ARRAY['', '_us']) AS form;

-- Ids of a given time and from parts; random bits are not compared
CREATE TEMP TABLE instant (ts timestamptz);
INSERT INTO instant VALUES ('-infinity'), ('infinity'), ('1582-10-14 23:59:59.999999'),
  ('1582-10-15 00:00:00.000001'), ('1969-12-31 23:59:59.999999'), ('1970-01-01'),
  ('1970-01-01 00:00:00.001'), ('2023-12-31 23:59:59.999999'), ('2024-01-01'),
  ('2022-02-22 19:22:22.123456'), ('2106-02-07 06:28:16'), ('2058-11-03 19:53:47.775999'),
  ('2058-11-03 19:53:47.776'), ('2093-09-06 15:47:35.552'), ('2302-09-27 15:10:22.208'),
  ('2335-05-07 23:44:06.068469'), ('2335-05-07 23:44:06.06847'),
  ('2554-07-21 23:34:33.70955'), ('2554-07-21 23:34:33.709552'), ('4147-08-20 07:32:15.999999'),
  ('4147-08-20 07:32:16'), ('5236-03-31 21:21:00.684697'), ('5236-03-31 21:21:00.684698'),
  ('10889-08-02 05:31:50.654999'), ('10889-08-02 05:31:50.655'), ('10889-08-02 05:31:50.656');
INSERT INTO question (q) SELECT format(' SELECT ' || call || ' ', ts)
FROM instant, unnest(ARRAY[
  'left(@uuid_v6_from_timestamptz(%1$L)::text, 18)', 'left(@uuid_v7_from_timestamptz(%1$L)::text, 18)',
  'left(@uuid_timestamptz_to_v7(%1$L)::text, 18)', '@uuid_timestamptz_to_v7(%1$L, true)',
  'left(@uuid_timestamp_to_v7(%1$L)::text, 18)', '@uuid_timestamp_to_v7(%1$L, true)',
  'left(@uuid_v7_draft_from_timestamptz(%1$L)::text, 18)',
  'left(@uuid_v7_draft_from_timestamptz(%1$L, ''us'')::text, 23)',
  'left(@uuid_v7_draft_from_timestamptz(%1$L, ''ns'')::text, 26)',
  'left(@uuid_v8_from_timestamptz(%1$L, 32)::text, 18)', 'left(@uuid_v8_from_timestamptz(%1$L, 48)::text, 18)',
  'left(@uuid_v8_from_timestamptz(%1$L, 60)::text, 21)', 'left(@uuid_v8_from_timestamptz(%1$L, 64)::text, 21)',
  'left(@uuid_v8_from_timestamptz(%1$L)::text, 18)', '@uuid_v8_get_sequence(@uuid_v8_from_timestamptz(%1$L, 64), 64)',
  '@uuid_v6_from_parts(%1$L, 16383, ''\xffffffffffff'')', '@uuid_v6_from_parts(%1$L, 1, ''\x010203040506'')',
  '@uuid_v8_from_parts(%1$L, 4095, ''\x3fffffffffffffff'', 32)', '@uuid_v8_from_parts(%1$L, 2, ''\x0102030405060708'')',
  '@uuid_v8_from_parts(%1$L, 255, ''\x3fffffffffffff'', 60)', '@uuid_v8_from_parts(%1$L, 2, ''\x01020304050607'', 64)',
  '@fluid_from_parts(%1$L, 16383, 1023)', '@fluid_from_parts(%1$L, 1, 2, ''2000-01-01Z'')',
  '@nanoflake_from_parts(%1$L, 1023, 4095)', '@nanoflake_from_parts(%1$L, 1, 2, ''2000-01-01Z'')',
  '@ulidflake_from_parts(%1$L, 1048575)', '@ulidflake_scalable_from_parts(%1$L, 32767, 31)',
  '@ulidflake_from_parts(%1$L, 1, ''2000-01-01Z'')', '@ulidflake_scalable_from_parts(%1$L, 1, 2, ''2000-01-01Z'')',
  '@ulidflake_from_timestamptz(%1$L) >> 20', '@ulidflake_scalable_from_timestamptz(%1$L) & -1048545',
  'left(@scru160_to_hex(@scru160_from_timestamptz(%1$L)), 12)', '@scru160_us_to_timestamptz(@scru160_us_from_timestamptz(%1$L))',
  '@scru160_to_hex(@scru160_from_parts(%1$L, 65535, ''\x0102030405060708090a0b0c''))'
  ]) AS c (call);
INSERT INTO question (q) SELECT ' SELECT ' || call FROM unnest(ARRAY[
  '@fluid_from_parts(''2024-01-01Z'', 16384, 0)', '@fluid_from_parts(''2024-01-01Z'', -1, 0)',
  '@fluid_from_parts(''2024-01-01Z'', 0, 1024)', '@fluid_from_parts(NULL, 0, 0)',
  '@fluid_from_parts(''2024-01-01Z'', 0, 0, ''infinity'')',
  '@fluid_from_parts(''2024-01-01Z'', 0, 0, ''2020-01-01 00:00:00.0001Z'')',
  '@nanoflake_from_parts(''2024-01-01Z'', 1024, 0)', '@nanoflake_from_parts(''2024-01-01Z'', 0, 4096)',
  '@ulidflake_from_parts(''2024-01-01Z'', 1048576)', '@ulidflake_scalable_from_parts(''2024-01-01Z'', 32768, 0)',
  '@ulidflake_scalable_from_parts(''2024-01-01Z'', 0, 32)', '@ulidflake_from_parts(''2024-01-01Z'', -1, ''2020-01-01Z'')',
  '@ulidflake_from_parts(''2024-01-01Z'', 0, ''infinity'')', '@ulidflake_scalable_from_parts(''2024-01-01Z'', 0, 0, ''2020-01-01 00:00:00.0001Z'')',
  '@ulidflake_scalable_from_parts(''2024-01-01Z'', 0, 32, ''2020-01-01Z'')', '@ulidflake_from_timestamptz(NULL)',
  '@uuid_v6_from_parts(''2024-01-01Z'', 16384, ''\x010203040506'')', '@uuid_v6_from_parts(''2024-01-01Z'', -1, ''\x00'')',
  '@uuid_v6_from_parts(''infinity'', 0, ''\x01020304050607'')', '@uuid_v8_from_parts(''2024-01-01Z'', 0, ''\x00'', 33)',
  '@uuid_v8_from_parts(''infinity'', 4096, ''\x0102030405060708'')', '@uuid_v8_from_parts(''2024-01-01Z'', 0, ''\x4000000000000000'', 32)',
  '@uuid_v8_from_parts(''2024-01-01Z'', 0, ''\xffffffffffffffff'')', '@uuid_v8_from_parts(''2024-01-01Z'', 0, ''\x01020304050607'')',
  '@uuid_v8_from_parts(''2024-01-01Z'', 256, ''\x01020304050607'', 60)', '@uuid_v8_from_parts(''2024-01-01Z'', 0, ''\x40000000000000'', 64)',
  '@scru160_from_parts(''2024-01-01Z'', 65536, ''\x00'')',
  '@scru160_from_parts(''2024-01-01Z'', 0, ''\x00'')', '@uuid_v8_from_timestamptz(''2024-01-01Z'', 33)',
  '@uuid_v7_draft_from_timestamptz(''2024-01-01Z'', ''MS'')', '@uuid_timestamptz_to_v7(NULL, true)']) AS c (call);

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

-- Node, scalability and epoch: the owner sets them, and ids continue above
SELECT maker.fluid_get_generator(maker.fluid_generate()) >> 9 AS node;
SELECT maker.fluid_generate() AS before, maker.ulidflake_generate() AS ulidflake_before \gset
SELECT maker.flakeid_generate_set('fluid', 5, 19, '2020-01-01Z'),
  maker.flakeid_generate_set('ulidflake', node_id => 21, epoch => '2012-01-01Z');
SELECT maker.fluid_get_generator(maker.fluid_generate()) >> 9 AS node,
  maker.ulidflake_get_scalability(maker.ulidflake_generate_scalable()) AS scalability,
  maker.ulidflake_get_scalability(maker.ulidflake_scalable_from_timestamptz(now())) AS scalability,
  maker.fluid_generate() > :before AS above, maker.ulidflake_generate() > :ulidflake_before AS above;
SELECT maker.fluid_to_timestamptz(id) BETWEEN clock_timestamp() - interval '1 minute' AND clock_timestamp()
    AS read_by_the_same_epoch, id > :before AS above
FROM maker.fluid_generate() AS id;
SELECT maker.ulidflake_to_timestamptz(id) BETWEEN clock_timestamp() - interval '1 minute' AND clock_timestamp()
    AS read_by_the_same_epoch,
  maker.ulidflake_to_timestamptz(id) = maker.ulidflake_to_timestamptz(id, '2012-01-01Z') AS that_epoch
FROM maker.ulidflake_generate() AS id;
-- ids of given fields and bounds count from it, too
SELECT bool_and(id >> 20 = 86400000) FROM unnest(ARRAY[maker.ulidflake_from_parts('2012-01-02Z', 1),
  maker.ulidflake_scalable_from_parts('2012-01-02Z', 1, 2), maker.ulidflake_from_timestamptz('2012-01-02Z'),
  maker.ulidflake_scalable_from_timestamptz('2012-01-02Z'), maker.ulidflake_min('2012-01-02Z')]) AS id;
SELECT sqlstate_of($$SELECT maker.flakeid_generate_set('fluid', epoch => '37649-01-01Z')$$);
SELECT sqlstate_of($$SELECT maker.flakeid_generate_set('fluid', epoch => '2022-01-01Z')$$),
  sqlstate_of($$SELECT maker.flakeid_generate_set('ulidflake', epoch => '2020-01-01Z')$$),
  sqlstate_of($$SELECT maker.flakeid_generate_set('ulidflake', epoch => '2000-01-01 00:00:00.0001Z')$$),
  sqlstate_of($$SELECT maker.flakeid_generate_set('fluid', 5, 32)$$),
  sqlstate_of($$SELECT maker.flakeid_generate_set('fluid', 11, 0)$$),
  sqlstate_of($$SELECT maker.flakeid_generate_set('ulidflake', node_id => 32)$$),
  sqlstate_of($$SELECT maker.flakeid_generate_set('uuid', node_id => 3)$$);
SELECT maker.flakeid_generate_set('nanoflake', epoch => '1970-01-01Z');
SELECT maker.nanoflake_to_timestamptz(maker.nanoflake_generate()) > now() - interval '1 minute' AS ok;
-- A floor in the past does not affect ids
SELECT maker.flakeid_raise_floor('2020-01-01Z'), maker.flakeid_raise_floor('2020-01-01Z');
SELECT maker.nanoflake_generate() > 0 AS ok;

-- The user's search_path does not affect calls
CREATE SCHEMA trap;
CREATE FUNCTION trap.nextval(regclass) RETURNS bigint LANGUAGE sql RETURN 1;
CREATE FUNCTION trap.clock_timestamp() RETURNS timestamptz LANGUAGE sql RETURN timestamptz '2000-01-01Z';
CREATE FUNCTION trap.flakeid_generate_low() RETURNS text LANGUAGE sql RETURN 'trap';
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
  maker.ulidflake_generate() > 0 AND maker.ulidflake_generate_scalable() > 0 AS ok;
SELECT maker.uuid_v6_to_timestamptz(maker.uuid_generate_v6()) > now() - interval '1 minute' AND
  maker.uuid_v7_to_timestamptz(maker.uuid_generate_v7('0')) > now() - interval '1 minute' AND
  maker.scru160_to_timestamptz(maker.scru160_generate_us()) > now() - interval '1 minute' AS ok;
RESET search_path;
-- no rows: a function that is not parsed when created has a search_path
SELECT oid::regprocedure FROM pg_proc
WHERE pronamespace = 'maker'::regnamespace AND prosqlbody IS NULL AND
  proconfig IS DISTINCT FROM ARRAY['search_path=pg_catalog, pg_temp'];

-- A floor in the future: ids wait for it, or raise an error
SELECT maker.flakeid_raise_floor(clock_timestamp() + interval '1 hour');
SET flakeid.max_wait = 0;
SELECT regexp_replace(pg_temp.answer('maker', 'SELECT @' || format || '_generate()'), '\d{7} ', '3... ')
FROM unnest(ARRAY['fluid', 'nanoflake', 'ulidflake']) AS format;
SELECT maker.uuid_generate_v7() IS NULL;
RESET flakeid.max_wait;

-- Another name of the schema
ALTER SCHEMA maker RENAME TO maker2;
SELECT maker2.uuid_generate_v8() <> maker2.uuid_generate_v8(60) AS ok;
DROP SCHEMA trap, maker2 CASCADE;
