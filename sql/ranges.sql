--
-- Time ranges: any timestamptz is a valid bound, no id is left out, and
-- adjoining ranges tile.  Expected results are computed from the times read
-- from the ids.
--
SET timezone = 'UTC';
SET datestyle = 'ISO, YMD';
CREATE TEMP TABLE setting AS SELECT name, setting FROM pg_settings;
\getenv random_values RANDOM_VALUES
\if :{?random_values}
\else
\set random_values 2000
\endif

-- The formats: a range, the time of an id, and one tick of the time field
CREATE TEMP TABLE format (name text, range text, time_of text, tick text,
  first_id text, last_id text, first_ts timestamptz, next_ts timestamptz);
INSERT INTO format VALUES
  ('uuid_v6', 'uuid_v6_in_range(%1$s::uuid, %2$s, %3$s)', 'uuid_v6_to_timestamptz(%s::uuid)', 'microseconds',
   '00000000-0000-6000-8000-000000000000', 'ffffffff-ffff-6fff-bfff-ffffffffffff',
   '1582-10-15 00:00:00+00', '5236-03-31 21:21:00.684698+00'),
  ('uuid_v7', 'uuid_v7_in_range(%1$s::uuid, %2$s, %3$s)', 'uuid_v7_to_timestamptz(%s::uuid)', 'milliseconds',
   '00000000-0000-7000-8000-000000000000', 'ffffffff-ffff-7fff-bfff-ffffffffffff',
   '1970-01-01 00:00:00+00', '10889-08-02 05:31:50.656+00'),
  ('uuid_v7_draft in ms', 'uuid_v7_draft_in_range(%1$s::uuid, %2$s, %3$s, ''ms'')',
   'instant_of(bits122_of(%1$s::uuid, 0, 36) * 1000000 + bits122_of(%1$s::uuid, 36, 12) * 1000 / 4096 * 1000)', 'milliseconds',
   '00000000-0000-7000-8000-000000000000', 'ffffffff-ffff-7fff-bfff-ffffffffffff',
   '1970-01-01 00:00:00+00', '4147-08-20 07:32:16+00'),
  ('uuid_v7_draft in us', 'uuid_v7_draft_in_range(%1$s::uuid, %2$s, %3$s, ''us'')',
   'instant_of(bits122_of(%1$s::uuid, 0, 36) * 1000000 + bits122_of(%1$s::uuid, 36, 24) * 1000000 / 16777216)', 'microseconds',
   '00000000-0000-7000-8000-000000000000', 'ffffffff-ffff-7fff-bfff-ffffffffffff',
   '1970-01-01 00:00:00+00', '4147-08-20 07:32:16+00'),
  ('uuid_v7_draft in ns', 'uuid_v7_draft_in_range(%1$s::uuid, %2$s, %3$s, ''ns'')',
   'uuid_v7_draft_to_timestamptz(%s::uuid)', 'microseconds',
   '00000000-0000-7000-8000-000000000000', 'ffffffff-ffff-7fff-bfff-ffffffffffff',
   '1970-01-01 00:00:00+00', '4147-08-20 07:32:16+00'),
  ('uuid_v8 in 32', 'uuid_v8_draft_in_range(%1$s::uuid, %2$s, %3$s, 32)', 'uuid_v8_draft_to_timestamptz(%s::uuid, 32)', 'second',
   '00000000-0000-8000-8000-000000000000', 'ffffffff-ffff-8fff-bfff-ffffffffffff',
   '1970-01-01 00:00:00+00', '2106-02-07 06:28:16+00'),
  ('uuid_v8 in 48', 'uuid_v8_draft_in_range(%1$s::uuid, %2$s, %3$s, 48)', 'uuid_v8_draft_to_timestamptz(%s::uuid, 48)', 'milliseconds',
   '00000000-0000-8000-8000-000000000000', 'ffffffff-ffff-8fff-bfff-ffffffffffff',
   '1970-01-01 00:00:00+00', '10889-08-02 05:31:50.656+00'),
  ('uuid_v8 in 60', 'uuid_v8_draft_in_range(%1$s::uuid, %2$s, %3$s, 60)', 'uuid_v8_draft_to_timestamptz(%s::uuid, 60)', 'microseconds',
   '00000000-0000-8000-8000-000000000000', 'ffffffff-ffff-8fff-bfff-ffffffffffff',
   '1970-01-01 00:00:00+00', '2335-05-07 23:44:06.06847+00'),
  ('fluid', 'fluid_in_range(%1$s::bigint, %2$s, %3$s)', 'fluid_to_timestamptz(%s::bigint)', 'milliseconds',
   '0', '9223372036854775806', '2024-01-01 00:00:00+00', '2041-06-02 21:56:53.888+00'),
  ('fluid of 1970', 'fluid_in_range(%1$s::bigint, %2$s, %3$s, ''1970-01-01 00:00:00+00'')',
   'fluid_to_timestamptz(%s::bigint, ''1970-01-01 00:00:00+00'')', 'milliseconds',
   '0', '9223372036854775806', '1970-01-01 00:00:00+00', '1987-06-03 21:56:53.888+00'),
  ('nanoflake', 'nanoflake_in_range(%1$s::bigint, %2$s, %3$s)', 'nanoflake_to_timestamptz(%s::bigint)', 'milliseconds',
   '0', '9223372036854775806', '2024-01-01 00:00:00+00', '2093-09-06 15:47:35.552+00'),
  ('nanoflake of 1970', 'nanoflake_in_range(%1$s::bigint, %2$s, %3$s, ''1970-01-01 00:00:00+00'')',
   'nanoflake_to_timestamptz(%s::bigint, ''1970-01-01 00:00:00+00'')', 'milliseconds',
   '0', '9223372036854775806', '1970-01-01 00:00:00+00', '2039-09-07 15:47:35.552+00'),
  ('ulidflake', 'ulidflake_in_range(%1$s::bigint, %2$s, %3$s)', 'ulidflake_to_timestamptz(%s::bigint)', 'milliseconds',
   '0', '9223372036854775806', '2024-01-01 00:00:00+00', '2302-09-27 15:10:22.208+00'),
  ('ulidflake of 1970', 'ulidflake_in_range(%1$s::bigint, %2$s, %3$s, ''1970-01-01 00:00:00+00'')',
   'ulidflake_to_timestamptz(%s::bigint, ''1970-01-01 00:00:00+00'')', 'milliseconds',
   '0', '9223372036854775806', '1970-01-01 00:00:00+00', '2248-09-26 15:10:22.208+00'),
  ('scru160', 'scru160_in_range(%1$s::scru160, %2$s, %3$s)', 'scru160_to_timestamptz(%s::scru160)', 'milliseconds',
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
SELECT fluid_in_range(-1, '-infinity', 'infinity') AS fluid,
       nanoflake_in_range(-1, '-infinity', 'infinity') AS nanoflake,
       ulidflake_in_range(-1, '-infinity', 'infinity') AS ulidflake,
       uuid_v7_in_range('ffffffff-ffff-ffff-ffff-ffffffffffff', '-infinity', 'infinity') AS greatest,
       uuid_v7_in_range('00000000-0000-0000-0000-000000000000', '-infinity', 'infinity') AS least,
       fluid_in_range(9223372036854775807, '-infinity', 'infinity') AS last_bigint,
       scru160_in_range(repeat('V', 32)::scru160, '-infinity', 'infinity') AS last_scru160;

-- NULL in, NULL out; the epoch must be valid
SELECT fluid_min(NULL), uuid_v7_min(NULL), scru160_min(NULL),
       uuid_v7_in_range(uuid_v7_min('2024-01-01'), NULL, 'infinity') AS v7,
       scru160_in_range(scru160_min('2024-01-01'), '-infinity', NULL) AS scru160,
       sqlstate_of('SELECT fluid_in_range(1, now(), now(), ''infinity'')') AS infinite,
       sqlstate_of('SELECT nanoflake_min(now(), ''2024-01-01 00:00:00.0005'')') AS fraction;

-- A volatile epoch is computed once per row, although both bounds use it
CREATE TEMP SEQUENCE calls;
CREATE TEMP TABLE three AS SELECT n AS id FROM generate_series(1::bigint, 3) AS n;
SELECT count(*) FROM three
WHERE fluid_in_range(id, '-infinity', 'infinity', CASE WHEN nextval('calls') > 0 THEN '2024-01-01Z'::timestamptz END);
SELECT last_value AS calls FROM calls;

-- The planner's estimates; t/021_range_estimates.pl tests more queries.  Each
-- table has 10,000 rows of 100 days when ANALYZE sees it, which is all of them,
-- and then gets 1,000 of the next 10 days.
CREATE FUNCTION pg_temp.rows(query text, enabled boolean = true) RETURNS float LANGUAGE plpgsql AS $$
DECLARE
  plan json;
BEGIN
  PERFORM set_config('flakeid.enable_range_estimates', enabled::text, true);
  EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
  PERFORM set_config('flakeid.enable_range_estimates', 'on', true);
  RETURN plan->0->'Plan'->>'Plan Rows';
END $$;
CREATE FUNCTION pg_temp.about(query text, factor float = 1.3) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  expected float := pg_temp.rows(query);
  there float;
BEGIN
  EXECUTE 'SELECT greatest(count(*), 1) FROM (' || query || ') AS q' INTO there;
  RETURN CASE WHEN greatest(expected, there) <= factor * least(expected, there) THEN 'as many'
    WHEN expected <= 1 THEN 'one' WHEN expected > there THEN 'too many' ELSE 'too few' END;
END $$;
CREATE FUNCTION pg_temp.make(name text, expression text, index text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE TEMP TABLE %1$I WITH (autovacuum_enabled = off) AS SELECT %2$s AS id, i
    FROM generate_series(1, 10000) AS i, LATERAL (SELECT ''2025-01-01Z''::timestamptz + i * interval ''864 s'') AS t (ts)', name, expression);
  EXECUTE format('CREATE INDEX ON %I %s', name, index);
  EXECUTE format('ANALYZE %I', name);
  EXECUTE format('INSERT INTO %1$I SELECT %2$s AS id, i
    FROM generate_series(10001, 11000) AS i, LATERAL (SELECT ''2025-01-01Z''::timestamptz + i * interval ''864 s'') AS t (ts)', name, expression);
END $$;
CREATE TEMP TABLE range (n integer, of_query text, query text);
INSERT INTO range VALUES
  (1, 'within a bin', $$SELECT FROM %1$s WHERE %2$s_in_range(id, '2025-02-01 03:00Z', '2025-02-01 13:00Z')$$),
  (2, 'some bins', $$SELECT FROM %1$s WHERE %2$s_in_range(id, '2025-02-01Z', '2025-02-04 12:00Z')$$),
  (3, 'up to', $$SELECT FROM %1$s WHERE %2$s_in_range(id, '-infinity', '2025-01-01 20:00Z')$$),
  (4, 'the last of those', $$SELECT FROM %1$s WHERE %2$s_in_range(id, '2025-04-08 12:00Z', '2025-04-09Z')$$),
  (5, 'after them', $$SELECT FROM %1$s WHERE %2$s_in_range(id, '2025-04-13Z', '2025-04-17Z')$$),
  (6, 'beyond', $$SELECT FROM %1$s WHERE %2$s_in_range(id, '2025-05-01Z', 'infinity')$$),
  (7, 'before', $$SELECT FROM %1$s WHERE %2$s_in_range(id, '-infinity', '2025-01-01Z')$$),
  (8, 'all', $$SELECT FROM %1$s WHERE %2$s_in_range(id, '-infinity', 'infinity')$$),
  (9, 'commuted', $$SELECT FROM %1$s WHERE %2$s_in_range(id, '2025-02-01Z', 'infinity') AND %2$s_min('2025-02-04 12:00Z') > id$$),
  (10, 'with OR', $$SELECT FROM %1$s WHERE %2$s_in_range(id, '2025-02-01Z', '2025-02-02Z') OR %2$s_in_range(id, '2025-03-01Z', '2025-03-02Z')$$),
  (11, 'NOT', $$SELECT FROM %1$s WHERE NOT %2$s_in_range(id, '2025-02-01Z', '2025-04-01Z')$$),
  (12, 'with another column', $$SELECT FROM %1$s WHERE i > 0 AND %2$s_in_range(id, '2025-02-01 03:00Z', '2025-02-01 13:00Z') AND i IS NOT NULL$$),
  (13, 'in two tables', $$SELECT FROM %1$s AS a, %1$s AS b WHERE %2$s_in_range(a.id, '2025-02-01 03:00Z', '2025-02-01 13:00Z')
    AND %2$s_in_range(b.id, '2025-03-01 03:00Z', '2025-03-01 11:00Z')$$);
CREATE TEMP TABLE made (f text, make text);
INSERT INTO made VALUES
  ('uuid_v7', 'uuid_v7_min(ts)'), ('uuid_v6', 'uuid_v6_min(ts)'), ('scru160', 'scru160_min(ts)'),
  ('fluid', 'fluid_min(ts) + 1'), ('nanoflake', 'nanoflake_min(ts) + 1'), ('ulidflake', 'ulidflake_min(ts) + 1');
SELECT count(pg_temp.make('of_' || f, make, '(id)')) FROM made;
SELECT n, of_query, pg_temp.about(format(query, 'of_' || f, f)) AS estimated, string_agg(f, ' ' ORDER BY f COLLATE "C") AS formats
FROM range, made GROUP BY 1, 2, 3 ORDER BY 1, 3;

-- The setting turns this off; 64-bit ids are estimated as without it.
SELECT f, count(*) FILTER (WHERE pg_temp.rows(q, false) <> pg_temp.rows(q)) > 3 AS differ
FROM range, made, LATERAL (SELECT format(query, 'of_' || f, f)) AS q (q) WHERE n < 13 GROUP BY f ORDER BY f COLLATE "C";

-- Of many bounds, each is evaluated a few times: the server does so, too
CREATE FUNCTION pg_temp.counted(ts timestamptz) RETURNS timestamptz LANGUAGE plpgsql STABLE AS
  'BEGIN PERFORM nextval(''calls''); RETURN ts; END';
SELECT setval('calls', 1), pg_temp.rows('SELECT FROM of_uuid_v7 WHERE ' || string_agg(format('uuid_v7_in_range(id, pg_temp.counted(%L), %1$L)',
  '2025-01-01Z'::timestamptz + i * interval '1 day'), ' OR ')) > 0 AS planned FROM generate_series(1, 30) AS i;
SELECT last_value < 300 AS a_few FROM calls;

-- The shares of rows are exact enough for large tables
BEGIN;
UPDATE pg_class SET reltuples = 1e10 WHERE oid = 'of_uuid_v7'::regclass;
SELECT count(*) FILTER (WHERE rows BETWEEN 90 AND 145) FROM generate_series(1, 10) AS i, LATERAL (SELECT pg_temp.rows(format(
  $$SELECT FROM of_uuid_v7 WHERE uuid_v7_in_range(id, %L, %L)$$, ts, ts + interval '0.1 s'))
  FROM (SELECT '2025-02-01Z'::timestamptz + i * interval '1 h') AS t (ts)) AS r (rows);
ROLLBACK;

-- The index tells of new rows only if it is a whole btree that begins with the id
CREATE TEMP TABLE index (n integer, index text);
INSERT INTO index VALUES (1, '(id DESC)'), (2, '(id, i)'), (3, '(i, id)'), (4, '(id) WHERE i > 1'), (5, 'USING brin (id)'),
  (6, 'USING brin (i, id)'), (7, 'USING hash (id)');
SELECT count(pg_temp.make('index_' || n, 'uuid_v7_min(ts)', index)) FROM index;
SELECT index, (SELECT string_agg(pg_temp.about(format(query, 'index_' || index.n, 'uuid_v7')), ', ' ORDER BY range.n)
  FROM range WHERE range.n IN (2, 5, 6, 12)) FROM index ORDER BY index.n;

-- Versions of rows that were updated are not new rows.
SELECT pg_temp.make('bloated', 'uuid_v7_min(ts)', '(id)');
UPDATE bloated SET i = i WHERE i % 3 = 0;
SELECT pg_temp.about(format(query, 'bloated', 'uuid_v7')) FROM range WHERE n = 5;

-- Rising bounds have rising estimates, in tables that have grown by 20 % and by
-- ten times, also with dead rows at the end: neither a bound has fewer rows below
-- it than the one before, nor a range between two of them less than half of its share.
CREATE FUNCTION pg_temp.rising(make text, added integer, change text = '') RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  answer text;
BEGIN
  CREATE TEMP TABLE rising WITH (autovacuum_enabled = off) AS SELECT uuid_v7_min(ts) AS id, i
    FROM generate_series(1, 10000) AS i, LATERAL (SELECT pg_temp.of_row(make, i)) AS t (ts);
  CREATE INDEX ON rising (id);
  ANALYZE rising;
  INSERT INTO rising SELECT uuid_v7_min(ts), i
    FROM generate_series(10001, 10000 + added) AS i, LATERAL (SELECT pg_temp.of_row(make, i)) AS t (ts);
  EXECUTE change;
  SELECT concat_ws(', ', CASE WHEN count(*) FILTER (WHERE below < before) = 0 THEN 'rising' ELSE 'falling' END,
      CASE WHEN count(*) FILTER (WHERE apart < 0.5 * (10000 + added) / 200) = 0 THEN 'in all places' ELSE 'not in all places' END)
    INTO answer
  FROM (SELECT below, lag(below) OVER (ORDER BY n) AS before, apart FROM generate_series(0, 199) AS n,
      LATERAL (SELECT uuid_v7_min(pg_temp.of_row(make, n * (10000 + added) / 200.0)), uuid_v7_min(pg_temp.of_row(make, (n + 1) * (10000 + added) / 200.0))) AS b (low, high),
      LATERAL (SELECT pg_temp.rows(format('SELECT FROM rising WHERE id < %L', low)),
        pg_temp.rows(format('SELECT FROM rising WHERE id >= %L AND id < %L', low, high))) AS e (below, apart)) AS steps;
  DROP TABLE rising;
  RETURN answer;
END $$;
CREATE FUNCTION pg_temp.of_row(make text, i float8) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT CASE make WHEN 'until now' THEN now() - interval '12 days' ELSE '2025-01-01Z' END + i * interval '8.64 s' $$;
SELECT make, added, change, pg_temp.rising(make, added, change) FROM unnest('{until now,of last year}'::text[]) AS make,
  unnest('{2000,100000}'::integer[]) AS added, unnest('{"","UPDATE rising SET i = i WHERE i > 8000","DELETE FROM rising WHERE i > 9000"}'::text[]) AS change
ORDER BY added, make, change;

-- 5,000 ids of a day share their first 64 bits, as do half of the ids of another
-- table: a bound among them is found, and divides them.
CREATE TEMP TABLE of_dates AS SELECT overlay(overlay(uuid_v7_min('2025-10-08Z'::timestamptz + i / 5000 * interval '1 day')::text
    PLACING 'b' || substr(md5(i::text), 1, 3) FROM 20) PLACING substr(md5(i::text), 4, 12) FROM 25)::uuid AS id
  FROM generate_series(0, 19999) AS i;
CREATE TEMP TABLE of_one AS SELECT id FROM of_dates WHERE uuid_v7_in_range(id, '2025-10-10Z', '2025-10-11Z')
  UNION ALL SELECT uuid_v7_min('2025-10-08Z'::timestamptz + i * interval '50 s') FROM generate_series(1, 5000) AS i;
ANALYZE of_dates, of_one;
SELECT place, r, pg_temp.about(format('SELECT FROM %s WHERE uuid_v7_in_range(id, %L, %L) AND id < %L', r, '2025-10-10Z', '2025-10-11Z', id)) AS estimated
FROM unnest('{of_dates,of_one}'::text[]) AS r, unnest('{0.2,0.5,0.9}'::float8[]) AS place, LATERAL (SELECT percentile_disc(place) WITHIN GROUP (ORDER BY id)
  FROM of_dates WHERE uuid_v7_in_range(id, '2025-10-10Z', '2025-10-11Z')) AS p (id) ORDER BY r, place;

-- Nulls, common ids, UUIDs of other versions, and few rows
CREATE FUNCTION pg_temp.v4(i integer) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
  SELECT ((ARRAY['0011', '5aaa', 'c3cc'])[i % 3 + 1] || overlay(substr(md5(i::text), 5) PLACING '4' FROM 9))::uuid $$;
CREATE DOMAIN pg_temp.id AS uuid;
CREATE TEMP TABLE mixture (n integer, what text, make text);
INSERT INTO mixture VALUES
  (1, 'half of them null', 'CASE WHEN i % 2 = 0 THEN uuid_v7_min(ts) END'),
  (2, 'a common id', 'uuid_v7_min(CASE WHEN i % 4 = 0 THEN ''2025-02-01 12:00Z'' ELSE ts END)'),
  (3, 'half UUIDv4', 'CASE WHEN i % 2 = 0 THEN uuid_v7_min(ts) ELSE pg_temp.v4(i) END'),
  (4, 'one id', 'uuid_v7_min(''2025-02-01 12:00Z'')'),
  (5, 'nulls only', 'NULL::uuid'),
  (6, 'a domain', 'uuid_v7_min(ts)::pg_temp.id');
SELECT count(pg_temp.make('mixture_' || n, make, '(id)')) FROM mixture;
SELECT what, (SELECT string_agg(pg_temp.about(format(query, 'mixture_' || mixture.n, 'uuid_v7'), 1.5), ', ' ORDER BY range.n)
  FROM range WHERE range.n IN (1, 2, 3, 5, 8)) FROM mixture ORDER BY mixture.n;

-- Which side of a bound has the ids equal to it
SELECT comparison, pg_temp.about(format($$SELECT FROM mixture_2 WHERE uuid_v7_in_range(id, '-infinity', 'infinity')
  AND %s$$, comparison), 1.1)
FROM unnest('{id <,id <=,id >,id >=,id =,id <>}'::text[]) WITH ORDINALITY AS o (operator, n),
  LATERAL (VALUES (1, operator || $$ uuid_v7_min('2025-02-01 12:00Z')$$),
    (2, $$uuid_v7_min('2025-02-01 12:00Z')$$ || replace(CASE WHEN operator ~ '<>' THEN operator ELSE translate(operator, '<>', '><') END, 'id', '') || ' id')) AS c (side, comparison)
ORDER BY side, n;

-- The locks of planning stay
BEGIN;
SELECT pg_temp.about($$SELECT FROM of_uuid_v7 WHERE uuid_v7_in_range(id, '2025-04-13Z', 'infinity')$$);
SELECT relation::regclass, mode FROM pg_locks WHERE relation IN ('of_uuid_v7'::regclass, 'of_uuid_v7_id_idx'::regclass) ORDER BY 1;
COMMIT;

-- A partitioned table in a clause of a join has statistics of all its rows, and no index to read.
CREATE TEMP TABLE parted (id uuid, i integer) PARTITION BY RANGE (i);
CREATE TEMP TABLE parted_1 PARTITION OF parted FOR VALUES FROM (0) TO (5000);
CREATE TEMP TABLE parted_2 PARTITION OF parted FOR VALUES FROM (5000) TO (10001);
CREATE INDEX ON parted (id);
INSERT INTO parted SELECT uuid_v7_from_timestamptz('2025-01-01Z'::timestamptz + i * interval '864 s'), i FROM generate_series(1, 10000) AS i;
CREATE TEMP TABLE thousand AS SELECT generate_series(1, 1000) AS n;
ANALYZE parted, thousand;
SELECT pg_temp.about('SELECT FROM parted JOIN thousand ON n = -1 OR uuid_v7_in_range(id, ' || bounds || ')')
FROM unnest(ARRAY[$$'2025-02-01 00:20Z', '2025-02-01 21:56Z'$$, $$'2025-04-01Z', 'infinity'$$]) AS bounds;

-- The column of a subquery is estimated as a timestamptz beside it is.  Where the
-- statistics or the column itself are of another type, the server estimates
-- alone.  A bigint in the same place would be read as an address, and the text
-- as ids.
SET client_min_messages = warning;
CREATE TYPE pg_temp.like_uuid;
CREATE FUNCTION pg_temp.like_uuid_in(cstring) RETURNS pg_temp.like_uuid LANGUAGE internal IMMUTABLE STRICT AS 'uuid_in';
CREATE FUNCTION pg_temp.like_uuid_out(pg_temp.like_uuid) RETURNS cstring LANGUAGE internal IMMUTABLE STRICT AS 'uuid_out';
CREATE TYPE pg_temp.like_uuid (INPUT = pg_temp.like_uuid_in, OUTPUT = pg_temp.like_uuid_out, LIKE = uuid);
RESET client_min_messages;
CREATE CAST (pg_temp.like_uuid AS uuid) WITHOUT FUNCTION AS IMPLICIT;
CREATE TEMP TABLE hidden AS SELECT 4702111234474983745 + i AS big, substr(repeat(md5(i::text), 2), 1, 60) AS s,
  uuid_v7_min('2025-01-01Z'::timestamptz + i * interval '864 s') AS id, uuid_v7_min('2020-01-01Z'::timestamptz + i * interval '100 s') AS other,
  uuid_v7_min('2025-01-01Z'::timestamptz + i * interval '864 s')::text::pg_temp.like_uuid AS alike, '2025-01-01Z'::timestamptz + i * interval '864 s' AS ts
  FROM generate_series(1, 10000) AS i;
CREATE INDEX ON hidden (id);
CREATE INDEX ON hidden (ts);
CREATE TEMP TABLE braided AS TABLE hidden;
CREATE INDEX ON braided USING brin (id);
ANALYZE hidden, braided;
CREATE FUNCTION pg_temp.as_without(query text, conditions text[] = ARRAY[$$uuid_v7_in_range(id, '2025-02-01 03:00Z', '2025-02-01 13:00Z')$$,
    $$id < uuid_v7_min('2025-02-02 03:00Z')$$, $$uuid_v7_in_range(id, '2025-04-10Z', 'infinity')$$]) RETURNS boolean LANGUAGE sql AS $$
  SELECT bool_and(pg_temp.rows(q) = pg_temp.rows(q, false)) FROM unnest(conditions) AS c, replace(query, '?', c) AS q $$;
SELECT query, pg_temp.as_without(query) FROM unnest(ARRAY[
  'SELECT FROM (SELECT DISTINCT ON (big) other, id FROM hidden) AS q WHERE ?',
  'SELECT id, count(*) FROM (SELECT id FROM hidden GROUP BY 1 OFFSET 0) AS q GROUP BY id HAVING ?',
  'SELECT FROM (SELECT alike AS id FROM hidden OFFSET 0) AS q WHERE ?',
  'SELECT FROM (SELECT alike AS id FROM hidden) AS q WHERE ?']) AS query;

-- Both are estimated alike: the query, with ids, and with { } for _min, or with times.
-- What remains in HAVING is left to the server.
-- The planner estimates the OR of the last query twice: as if for an inner join, because
-- both of its parts restrict hidden, and then for the LEFT JOIN.
CREATE FUNCTION pg_temp.as_timestamptz(query text) RETURNS text LANGUAGE sql AS $$
  SELECT CASE WHEN id = pg_temp.rows(of_id, false) THEN 'as without' WHEN abs(id - ts) <= greatest(2, 0.01 * ts) THEN 'as timestamptz'
    ELSE format('%s for %s', id, ts) END
  FROM (SELECT replace(replace(query, '{', 'uuid_v7_min('), '}', ')'),
    regexp_replace(replace(replace(query, '{', '('), '}', ')'), '\mid\M', 'ts', 'g')) AS q (of_id, of_ts),
    LATERAL (SELECT pg_temp.rows(of_id), pg_temp.rows(of_ts)) AS e (id, ts) $$;
SELECT query, pg_temp.as_timestamptz(replace(query, '?', $$id >= {'2025-02-01 03:00Z'} AND id < {'2025-02-01 13:00Z'}$$)) FROM unnest(ARRAY[
  'SELECT FROM hidden WHERE ?',
  'SELECT FROM (SELECT id FROM hidden OFFSET 0) AS q WHERE ?',
  'SELECT FROM (SELECT id, s FROM hidden ORDER BY big LIMIT 9000) AS q WHERE ?',
  'SELECT FROM (SELECT other, id, row_number() OVER () FROM hidden) AS q WHERE ?',
  'SELECT FROM (SELECT h.id FROM hidden AS h JOIN thousand ON h.big <> n OFFSET 0) AS q WHERE ?',
  'SELECT FROM (SELECT s, id FROM hidden FOR UPDATE) AS q WHERE ?',
  'SELECT FROM (SELECT id FROM braided OFFSET 0) AS q WHERE ?',
  'SELECT FROM thousand LEFT JOIN braided AS h ON n = -1 OR (?)',
  'SELECT FROM (SELECT s, id FROM hidden UNION ALL SELECT s, id FROM hidden) AS q WHERE ?',
  'SELECT FROM hidden WHERE (?) IS TRUE',
  'SELECT FROM hidden WHERE (big > 0 AND ?) IS NOT TRUE',
  'SELECT id FROM hidden GROUP BY id HAVING count(*) > 9 OR (?)',
  'SELECT FROM hidden AS h JOIN thousand ON n = -1 OR (?)',
  'SELECT FROM thousand LEFT JOIN hidden AS h ON n = -1 OR (?)',
  'SELECT FROM thousand LEFT JOIN hidden AS h ON n < 900 AND ? OR n = -1 AND big > 4702111234474988745']) AS query;
SELECT condition, pg_temp.as_timestamptz('SELECT FROM hidden WHERE ' || condition) FROM unnest(ARRAY[
  $$(id, big) > ({'2025-02-01 03:00Z'}, 5)$$, $$({'2025-04-10 03:00Z'}, 5::bigint) >= (id, big)$$, $$(big, id) > (4702111234474985745, {'2025-02-01 03:00Z'})$$,
  $$id BETWEEN SYMMETRIC {'2025-02-01 03:00Z'} AND {'2025-01-30 03:00Z'}$$, $$NOT (id < {'2025-02-01 03:00Z'})$$]) AS condition;

-- A page after an id of the table is estimated, too, if the id begins with a time.
SELECT pg_temp.about(format('SELECT FROM hidden WHERE id > %L', id), 1.1) FROM hidden WHERE big % 2500 = 77;
SELECT pg_temp.rows(format('SELECT FROM hidden WHERE id > %L', overlay(id::text PLACING version FROM 15))) =
  pg_temp.rows(format('SELECT FROM hidden WHERE id > %L', overlay(id::text PLACING version FROM 15)), false) AS as_without, version
FROM hidden, unnest(ARRAY['0', '1', '4', '6', '8', '9']) AS version WHERE big % 10000 = 77 ORDER BY version;

-- 200 ranges, in bins and across them, and beyond both ends: as many rows as of times
SELECT max(abs(id - ts)) <= 3 AS alike FROM generate_series(1, 200) AS i,
  LATERAL (SELECT '2024-12-31Z'::timestamptz + i * interval '13 hours') AS a (a),
  LATERAL (SELECT pg_temp.rows(format($$SELECT FROM hidden WHERE id >= uuid_v7_min(%L) AND id < uuid_v7_min(%L)$$, a, a + i * interval '1 hour')),
    pg_temp.rows(format($$SELECT FROM hidden WHERE ts >= %L AND ts < %L$$, a, a + i * interval '1 hour'))) AS e (id, ts);

BEGIN;
UPDATE pg_statistic AS a SET stavalues1 = b.stavalues1 FROM pg_statistic AS b
WHERE a.starelid = 'hidden'::regclass AND a.staattnum IN (3, 5) AND b.starelid = a.starelid AND b.staattnum = CASE a.staattnum WHEN 3 THEN 2 ELSE 4 END;
SELECT pg_temp.as_without('SELECT FROM hidden WHERE ?') AS text,
  pg_temp.as_without('SELECT FROM hidden WHERE ?', ARRAY[$$uuid_v7_in_range(other, '-infinity', 'infinity') AND id > '00010000-3566-3266-8000-000000000000'$$]) AS among_texts,
  pg_temp.as_without('SELECT FROM (SELECT alike AS id FROM hidden) AS q WHERE ?', ARRAY[$$uuid_v7_in_range(id, '2020-01-05 00:00Z', '2020-01-05 04:00Z')$$]) AS column;
ROLLBACK;

-- ... and the estimate of a range does not depend on another subquery.
SELECT pg_temp.rows('SELECT FROM hidden AS h WHERE ' || condition) =
  pg_temp.rows($$SELECT FROM hidden AS h, (SELECT id FROM hidden WHERE uuid_v7_in_range(id, '2025-04-10Z', 'infinity') LIMIT 1) AS q WHERE $$ || condition) AS same
FROM unnest(ARRAY[$$uuid_v7_in_range(h.id, '2025-02-01 03:00Z', '2025-02-01 13:00Z')$$, $$uuid_v7_in_range(h.id, '2025-04-10Z', 'infinity')$$]) AS condition;

-- All this left the session's settings as they were.
SELECT name, a.setting, b.setting FROM setting AS a JOIN pg_settings AS b USING (name) WHERE a.setting IS DISTINCT FROM b.setting;
