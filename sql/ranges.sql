--
-- Time ranges: any timestamptz is a valid bound, no id is left out, and
-- adjoining ranges tile.  Expected results are computed from the times read
-- from the ids.
--
SET timezone = 'UTC';
SET datestyle = 'ISO, YMD';
\getenv random_values RANDOM_VALUES
\if :{?random_values}
\else
\set random_values 2000
\endif

-- The formats: a range, the time of an id, and one tick of the time field
CREATE TEMP TABLE format (name text, range text, time_of text, tick text,
  first_id text, last_id text, first_ts timestamptz, next_ts timestamptz);
INSERT INTO format VALUES
  ('uuid_v6', 'uuid_v6_between(%1$s::uuid, %2$s, %3$s)', 'uuid_v6_to_timestamptz(%s::uuid)', 'microseconds',
   '00000000-0000-6000-8000-000000000000', 'ffffffff-ffff-6fff-bfff-ffffffffffff',
   '1582-10-15 00:00:00+00', '5236-03-31 21:21:00.684698+00'),
  ('uuid_v7', 'uuid_v7_between(%1$s::uuid, %2$s, %3$s)', 'uuid_v7_to_timestamptz(%s::uuid)', 'milliseconds',
   '00000000-0000-7000-8000-000000000000', 'ffffffff-ffff-7fff-bfff-ffffffffffff',
   '1970-01-01 00:00:00+00', '10889-08-02 05:31:50.656+00'),
  ('uuid_v7_draft in ms', 'uuid_v7_draft_between(%1$s::uuid, %2$s, %3$s)',
   'instant_of(bits122_of(%1$s::uuid, 0, 36) * 1000000 + bits122_of(%1$s::uuid, 36, 12) * 1000 / 4096 * 1000)', 'milliseconds',
   '00000000-0000-7000-8000-000000000000', 'ffffffff-ffff-7fff-bfff-ffffffffffff',
   '1970-01-01 00:00:00+00', '4147-08-20 07:32:16+00'),
  ('uuid_v7_draft in us', 'uuid_v7_draft_between(%1$s::uuid, %2$s, %3$s, ''us'')',
   'instant_of(bits122_of(%1$s::uuid, 0, 36) * 1000000 + bits122_of(%1$s::uuid, 36, 24) * 1000000 / 16777216)', 'microseconds',
   '00000000-0000-7000-8000-000000000000', 'ffffffff-ffff-7fff-bfff-ffffffffffff',
   '1970-01-01 00:00:00+00', '4147-08-20 07:32:16+00'),
  ('uuid_v7_draft in ns', 'uuid_v7_draft_between(%1$s::uuid, %2$s, %3$s, ''ns'')',
   'uuid_v7_draft_to_timestamptz(%s::uuid)', 'microseconds',
   '00000000-0000-7000-8000-000000000000', 'ffffffff-ffff-7fff-bfff-ffffffffffff',
   '1970-01-01 00:00:00+00', '4147-08-20 07:32:16+00'),
  ('uuid_v8 in 32', 'uuid_v8_between(%1$s::uuid, %2$s, %3$s, 32)', 'uuid_v8_to_timestamptz(%s::uuid, 32)', 'second',
   '00000000-0000-8000-8000-000000000000', 'ffffffff-ffff-8fff-bfff-ffffffffffff',
   '1970-01-01 00:00:00+00', '2106-02-07 06:28:16+00'),
  ('uuid_v8 in 48', 'uuid_v8_between(%1$s::uuid, %2$s, %3$s)', 'uuid_v8_to_timestamptz(%s::uuid)', 'milliseconds',
   '00000000-0000-8000-8000-000000000000', 'ffffffff-ffff-8fff-bfff-ffffffffffff',
   '1970-01-01 00:00:00+00', '10889-08-02 05:31:50.656+00'),
  ('uuid_v8 in 60', 'uuid_v8_between(%1$s::uuid, %2$s, %3$s, 60)', 'uuid_v8_to_timestamptz(%s::uuid, 60)', 'microseconds',
   '00000000-0000-8000-8000-000000000000', 'ffffffff-ffff-8fff-bfff-ffffffffffff',
   '1970-01-01 00:00:00+00', '2335-05-07 23:44:06.06847+00'),
  ('fluid', 'fluid_between(%1$s::bigint, %2$s, %3$s)', 'fluid_to_timestamptz(%s::bigint)', 'milliseconds',
   '0', '9223372036854775806', '2024-01-01 00:00:00+00', '2041-06-02 21:56:53.888+00'),
  ('fluid of 1970', 'fluid_between(%1$s::bigint, %2$s, %3$s, ''1970-01-01 00:00:00+00'')',
   'fluid_to_timestamptz(%s::bigint, ''1970-01-01 00:00:00+00'')', 'milliseconds',
   '0', '9223372036854775806', '1970-01-01 00:00:00+00', '1987-06-03 21:56:53.888+00'),
  ('nanoflake', 'nanoflake_between(%1$s::bigint, %2$s, %3$s)', 'nanoflake_to_timestamptz(%s::bigint)', 'milliseconds',
   '0', '9223372036854775806', '2024-01-01 00:00:00+00', '2093-09-06 15:47:35.552+00'),
  ('nanoflake of 1970', 'nanoflake_between(%1$s::bigint, %2$s, %3$s, ''1970-01-01 00:00:00+00'')',
   'nanoflake_to_timestamptz(%s::bigint, ''1970-01-01 00:00:00+00'')', 'milliseconds',
   '0', '9223372036854775806', '1970-01-01 00:00:00+00', '2039-09-07 15:47:35.552+00'),
  ('ulidflake', 'ulidflake_between(%1$s::bigint, %2$s, %3$s)', 'ulidflake_to_timestamptz(%s::bigint)', 'milliseconds',
   '0', '9223372036854775806', '2024-01-01 00:00:00+00', '2302-09-27 15:10:22.208+00'),
  ('ulidflake of 1970', 'ulidflake_between(%1$s::bigint, %2$s, %3$s, ''1970-01-01 00:00:00+00'')',
   'ulidflake_to_timestamptz(%s::bigint, ''1970-01-01 00:00:00+00'')', 'milliseconds',
   '0', '9223372036854775806', '1970-01-01 00:00:00+00', '2248-09-26 15:10:22.208+00'),
  ('scru160', 'scru160_between(%1$s::scru160, %2$s, %3$s)', 'scru160_to_timestamptz(%s::scru160)', 'milliseconds',
   '0000000000000000000000000000000000000000', 'fffffffffffffffffffffffffffffffffffffffe',
   '1970-01-01 00:00:00+00', '10889-08-02 05:31:50.656+00');

-- Random ids of a format, some of them at the ends of the field
CREATE FUNCTION pg_temp.ids(f text) RETURNS SETOF text
LANGUAGE sql AS $$
  SELECT CASE
    WHEN n = 1 THEN first_id
    WHEN n = 2 THEN last_id
    WHEN name LIKE 'uuid_v%' THEN
      overlay(overlay(CASE n % 9 WHEN 0 THEN repeat('f', 12) || substr(hex, 13)
          WHEN 1 THEN repeat('0', 12) || substr(hex, 13)
          WHEN 2 THEN hex ELSE CASE name WHEN 'uuid_v6' THEN '1f' ELSE '01' END || substr(hex, 3) END
        PLACING substr(name, 7, 1) FROM 13) PLACING substr('89ab', n % 4 + 1, 1) FROM 17)
    WHEN name = 'scru160' THEN
      CASE n % 9 WHEN 0 THEN repeat('f', 12) WHEN 1 THEN repeat('0', 12)
        WHEN 2 THEN substr(hex, 1, 12) ELSE '01' || substr(hex, 1, 10) END ||
        substr(hex, 5)
    ELSE ((('x' || substr(hex, 1, 16))::bit(64) & x'7ffffffffffffffe')::bigint >> n % 5)::text
  END
  FROM format, (SELECT n, md5(n || clock_timestamp()::text)
    FROM generate_series(1, current_setting('test.many')::integer) AS n) AS r (n, hex)
  WHERE name = f $$;
SET test.many = :random_values;

-- Random bounds: close to the id's time, anywhere in timestamptz, at the ends
-- of the field, and the infinities
CREATE FUNCTION pg_temp.bound(at timestamptz, first_ts timestamptz, next_ts timestamptz)
RETURNS timestamptz LANGUAGE sql VOLATILE AS $$
  SELECT CASE floor(random() * 10)::integer
    WHEN 0 THEN '-infinity'
    WHEN 1 THEN 'infinity'
    WHEN 2 THEN '4714-11-24 00:00:00+00 BC'::timestamptz + random() * interval '200000 years'
    WHEN 3 THEN first_ts + floor(random() * 5 - 2) * interval '0.5 ms'
    WHEN 4 THEN next_ts + floor(random() * 5 - 3) * interval '0.5 ms'
    WHEN 5 THEN at
    WHEN 6 THEN at + floor(random() * 100000 - 50000) * interval '1 day'
    ELSE at + floor(random() * 5 - 2) * interval '0.5 ms' END $$;

-- No rows: a range has the members that the arithmetic gives, and the two
-- parts of a split range make up the whole
CREATE FUNCTION pg_temp.wrong(f text) RETURNS TABLE (wrong text, id text,
  at timestamptz, from_ts timestamptz, between_ts timestamptz, to_ts timestamptz)
LANGUAGE plpgsql AS $$
DECLARE
  x record;
BEGIN
  SELECT * INTO x FROM format WHERE name = f;
  RETURN QUERY EXECUTE format($q$
    WITH probe AS MATERIALIZED (
      SELECT i AS id, at, pg_temp.bound(at, %6$L, %7$L) AS a,
        pg_temp.bound(at, %6$L, %7$L) AS b, pg_temp.bound(at, %6$L, %7$L) AS c
      FROM pg_temp.ids(%1$L) AS i, LATERAL (SELECT %3$s) AS t (at)),
    answer AS (
      SELECT *, %2$s AS ab, %4$s AS bc, %5$s AS ac,
        at >= date_trunc(%8$L, a) AND at < date_trunc(%8$L, b) AS expected
      FROM probe)
    SELECT CASE WHEN ab IS DISTINCT FROM expected THEN 'arithmetic' ELSE 'tiling' END,
      id, at, a, b, c FROM answer
    WHERE ab IS DISTINCT FROM expected OR (a <= b AND b <= c AND
      (ac IS DISTINCT FROM (ab OR bc) OR ab AND bc)) LIMIT 3 $q$,
    f, format(x.range, 'id', 'a', 'b'), format(x.time_of, 'i'),
    format(x.range, 'id', 'b', 'c'), format(x.range, 'id', 'a', 'c'),
    x.first_ts, x.next_ts, x.tick);
END $$;
SELECT name, w.* FROM format, LATERAL pg_temp.wrong(name) AS w;

CREATE FUNCTION pg_temp.eval(expression text) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  answer boolean;
BEGIN
  EXECUTE 'SELECT ' || expression INTO answer;
  RETURN answer;
END $$;

-- The whole field, the field without its last and its first tick, and an empty
-- range
SELECT name,
  pg_temp.eval(format(range, quote_literal(first_id), '''-infinity''', '''infinity''')) AS first,
  pg_temp.eval(format(range, quote_literal(last_id), '''-infinity''', '''infinity''')) AS last,
  pg_temp.eval(format(range, quote_literal(last_id), quote_literal(next_ts - interval '1 us'), '''infinity''')) AS last_tick,
  pg_temp.eval(format(range, quote_literal(last_id), quote_literal(next_ts), '''infinity''')) AS beyond,
  pg_temp.eval(format(range, quote_literal(last_id), '''infinity''', '''infinity''')) AS at_infinity,
  pg_temp.eval(format(range, quote_literal(first_id), '''-infinity''', quote_literal(first_ts))) AS before,
  pg_temp.eval(format(range, quote_literal(first_id), '''-infinity''', '''-infinity''')) AS at_minus_infinity,
  pg_temp.eval(format(range, quote_literal(first_id), '''infinity''', '''-infinity''')) AS turned
FROM format ORDER BY name COLLATE "C";

-- Ids before the epoch, negative FLUIDs and the greatest value are in no range
SELECT fluid_between(-1, '-infinity', 'infinity') AS fluid,
       nanoflake_between(-1, '-infinity', 'infinity') AS nanoflake,
       ulidflake_between(-1, '-infinity', 'infinity') AS ulidflake,
       uuid_v7_between('ffffffff-ffff-ffff-ffff-ffffffffffff', '-infinity', 'infinity') AS greatest,
       uuid_v7_between('00000000-0000-0000-0000-000000000000', '-infinity', 'infinity') AS least,
       fluid_between(9223372036854775807, '-infinity', 'infinity') AS last_bigint,
       scru160_between(repeat('V', 32)::scru160, '-infinity', 'infinity') AS last_scru160;

-- NULL in, NULL out; the epoch must be valid
SELECT fluid_bound(NULL), uuid_v7_bound(NULL), scru160_bound(NULL),
       uuid_v7_between(uuid_v7_min('2024-01-01'), NULL, 'infinity') AS v7,
       scru160_between(scru160_min('2024-01-01'), '-infinity', NULL) AS scru160,
       sqlstate_of('SELECT fluid_between(1, now(), now(), ''infinity'')') AS infinite,
       sqlstate_of('SELECT nanoflake_bound(now(), ''2024-01-01 00:00:00.0005'')') AS fraction;

-- A volatile epoch is computed once per row, although both bounds use it
CREATE TEMP SEQUENCE calls;
CREATE TEMP TABLE three AS SELECT n AS id FROM generate_series(1::bigint, 3) AS n;
SELECT count(*) FROM three
WHERE fluid_between(id, '-infinity', 'infinity', CASE WHEN nextval('calls') > 0 THEN '2024-01-01Z'::timestamptz END);
SELECT last_value AS calls FROM calls;
