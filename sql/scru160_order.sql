--
-- SCRU160: operators, operator classes, sorts, joins and indexes
--
SET timezone = 'UTC';
SET datestyle = 'ISO, YMD';

-- Operators give the same results as bytea's on the same bytes: no rows
CREATE TEMP TABLE vector (base32hex text, hex text, timestamp_ms bigint,
  counter integer, counter_us integer, counter_low6 integer, random16 text,
  random80 text, "time" timestamptz);
\copy vector from program 'cat "$PG_ABS_SRCDIR/test/vectors/scru160.tsv"' with (header)
CREATE TEMP TABLE pair AS
SELECT a.base32hex::scru160 AS a, decode(a.hex, 'hex') AS x,
       b.base32hex::scru160 AS b, decode(b.hex, 'hex') AS y
FROM vector AS a CROSS JOIN vector AS b;
SELECT * FROM pair
WHERE (a = b) IS DISTINCT FROM (x = y) OR (a <> b) IS DISTINCT FROM (x <> y) OR
      (a < b) IS DISTINCT FROM (x < y) OR
      (a <= b) IS DISTINCT FROM (x <= y) OR (a > b) IS DISTINCT FROM (x > y) OR
      (a >= b) IS DISTINCT FROM (x >= y) OR
      sign(scru160_cmp(a, b))
        IS DISTINCT FROM (x > y)::integer - (x < y)::integer OR
      scru160_smaller(a, b)::bytea IS DISTINCT FROM least(x, y) OR
      scru160_larger(a, b)::bytea IS DISTINCT FROM greatest(x, y) OR
      least(a, b)::bytea IS DISTINCT FROM least(x, y) OR
      (scru160_hash(a) = scru160_hash(b)) IS DISTINCT FROM (x = y) OR
      (scru160_hash_extended(a, 42) = scru160_hash_extended(b, 42))
        IS DISTINCT FROM (x = y);
SELECT count(*) FROM pair;

-- With seed 0, the low half of the extended hash is the plain hash; another
-- seed gives another hash
SELECT count(*) AS ids,
       count(*) FILTER (WHERE scru160_hash_extended(a, 0)::bit(32)
                        = scru160_hash(a)::bit(32)) AS alike,
       count(*) FILTER (WHERE scru160_hash_extended(a, 0)
                        = scru160_hash_extended(a, 1)) AS not_seeded
FROM pair WHERE a = b;

-- Every bit of the seed matters
SELECT count(*) AS bits, count(DISTINCT hash) AS hashes
FROM generate_series(0, 63) AS bit,
     scru160_hash_extended('05TTUP1HNCPNH30VEK64KDQT9BSNU4C4',
                           1::bigint << bit) AS hash;

-- All operators are strict
SELECT NULL::scru160 = a AS eq, a <> NULL AS ne, NULL < a AS lt,
       a <= NULL AS le, a > NULL AS gt, NULL >= a AS ge
FROM pair LIMIT 1;

SELECT amname, opcname, amvalidate(c.oid)
FROM pg_opclass AS c JOIN pg_am AS a ON a.oid = opcmethod
WHERE opcintype = 'scru160'::regtype
ORDER BY amname COLLATE "C";

-- 20,000 ids of known bits, one per second, in random order; every tenth is a
-- duplicate
CREATE TABLE scru160_item (id scru160, n integer);
INSERT INTO scru160_item
SELECT scru160_from_parts(1704067200000 + i * 1000, i & 65535,
                          substr(decode(md5(i::text), 'hex'), 1, 12)), i
FROM (SELECT i - i % 10 / 9 AS i FROM generate_series(1, 20000) AS i) AS s
ORDER BY md5(i::text);
ANALYZE scru160_item;

-- Statistics
SELECT n_distinct BETWEEN -0.91 AND -0.89 AS n_distinct,
       null_frac, avg_width, array_length(histogram_bounds, 1) AS bounds,
       correlation BETWEEN -0.1 AND 0.1 AS correlation
FROM pg_stats WHERE tablename = 'scru160_item' AND attname = 'id';

-- Row estimates of the planner
CREATE FUNCTION pg_temp.expected(query text) RETURNS float8
LANGUAGE plpgsql AS $$
DECLARE
  plan json;
BEGIN
  EXECUTE 'EXPLAIN (FORMAT JSON) ' || query INTO plan;
  RETURN plan->0->'Plan'->>'Plan Rows';
END $$;
SELECT condition, expected BETWEEN least AND most AS is_near FROM (VALUES
  (1, 'id = scru160_min(''2024-01-01'')', 1, 3),
  (2, 'id <> scru160_min(''2024-01-01'')', 19990, 20000),
  (3, 'id < scru160_min(''2024-01-01 02:46:40'')', 9000, 11000),
  (4, 'id <= scru160_min(''2024-01-01 01:23:20'')', 4500, 5500),
  (5, 'id > scru160_min(''2024-01-01 02:46:40'')', 9000, 11000),
  (6, 'id >= scru160_min(''2024-01-01 04:10:00'')', 4500, 5500),
  (7, 'scru160_in_range(id, ''2024-01-01 01:23:20'', ''2024-01-01 04:10:00'')',
   9000, 11000),
  (8, 'id >= scru160_min(''2023-01-01'')', 19990, 20000))
  AS v (n, condition, least, most),
  pg_temp.expected('SELECT FROM scru160_item WHERE ' || condition) AS expected
ORDER BY n;

-- Plan lines that all majors print alike
CREATE FUNCTION pg_temp.plan(query text, pattern text) RETURNS SETOF text
LANGUAGE plpgsql AS $$
DECLARE
  line text;
BEGIN
  FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
    IF line ~ pattern THEN
      RETURN NEXT regexp_replace(line, '^[ >-]*', '');
    END IF;
  END LOOP;
END $$;

-- Sorts, with abbreviated keys, of which many are equal
CREATE FUNCTION pg_temp.misplaced(relation text) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  result bigint;
BEGIN
  EXECUTE format('SELECT count(*) FROM (
      SELECT id::bytea AS bytes, lag(id::bytea) OVER (ORDER BY id) AS before
      FROM %I) AS s WHERE before > bytes', relation) INTO result;
  RETURN result;
END $$;
CREATE TEMP TABLE of_one_ms AS
SELECT scru160_from_parts(1704067200000, i % 3,
                          substr(sha224(i::text::bytea), 1, 12)) AS id
FROM generate_series(1, 50000) AS i;
SELECT pg_temp.misplaced('scru160_item') AS spread,
       pg_temp.misplaced('of_one_ms') AS of_one_ms;
SELECT count(*) FROM (
  SELECT id::bytea AS bytes, lag(id::bytea) OVER (ORDER BY id DESC) AS before
  FROM scru160_item) AS s WHERE before < bytes;
SELECT id FROM (VALUES ('VVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVV'::scru160), (NULL),
  ('00000000000000000000000000000000'), ('G0000000000000000000000000000000'))
  AS v (id) ORDER BY id NULLS FIRST;

-- DISTINCT, GROUP BY and set operations, by hashing and by sorting
SET enable_sort = off;
SELECT pg_temp.plan('SELECT DISTINCT id FROM scru160_item', 'Aggregate|Unique');
SELECT count(*) FROM (SELECT DISTINCT id FROM scru160_item) AS s;
RESET enable_sort;
SET enable_hashagg = off;
SELECT pg_temp.plan('SELECT DISTINCT id FROM scru160_item', 'Aggregate|Unique');
SELECT count(*) FROM (SELECT DISTINCT id FROM scru160_item) AS s;
RESET enable_hashagg;
SELECT count(*), sum(c) FROM (
  SELECT count(*) AS c FROM scru160_item GROUP BY id) AS s;
SELECT count(*) FROM (SELECT id FROM scru160_item WHERE n < 100
  INTERSECT SELECT id FROM scru160_item WHERE n > 90) AS s;

-- Hash and merge joins
\set join 'SELECT count(*) FROM scru160_item AS a JOIN scru160_item AS b USING (id)'
SET enable_mergejoin = off;
SET enable_nestloop = off;
SELECT pg_temp.plan(:'join', 'Join|Cond');
:join;
SET enable_hashjoin = off;
SET enable_mergejoin = on;
SELECT pg_temp.plan(:'join', 'Join|Cond');
:join;
SELECT count(*) FROM scru160_item AS a FULL JOIN scru160_item AS b USING (id);
RESET enable_hashjoin;
RESET enable_mergejoin;
RESET enable_nestloop;

-- min and max: of no rows, and of all
SELECT min(id), max(id) FROM scru160_item WHERE n < 0;
SELECT min(id)::bytea = min(id::bytea::text)::bytea AS min,
       max(id)::bytea = max(id::bytea::text)::bytea AS max
FROM scru160_item;
-- Partial results of partitions are always combined, those of parallel workers not:
-- one may read all of a table
CREATE TEMP TABLE scru160_third (id scru160, n integer) PARTITION BY LIST (n);
CREATE TEMP TABLE scru160_third_0 PARTITION OF scru160_third FOR VALUES IN (0);
CREATE TEMP TABLE scru160_third_1 PARTITION OF scru160_third FOR VALUES IN (1);
CREATE TEMP TABLE scru160_third_2 PARTITION OF scru160_third FOR VALUES IN (2);
INSERT INTO scru160_third SELECT id, n % 3 FROM scru160_item;
SET enable_partitionwise_aggregate = on;
SELECT pg_temp.plan('SELECT min(id), max(id) FROM scru160_third', 'Aggregate');
SELECT t.min = i.min AS min, t.max = i.max AS max
FROM (SELECT min(id), max(id) FROM scru160_third) AS t,
     (SELECT min(id), max(id) FROM scru160_item) AS i;
RESET enable_partitionwise_aggregate;

-- Each operator with each kind of index finds as many rows as a sequential
-- scan
CREATE FUNCTION pg_temp.through(index_method text)
RETURNS TABLE (condition text, without bigint, through bigint)
LANGUAGE plpgsql AS $$
DECLARE
  operator text;
  query text;
BEGIN
  EXECUTE format('CREATE INDEX scru160_index ON scru160_item USING %s (id)',
                 index_method);
  FOREACH operator IN ARRAY ARRAY['=', '<', '<=', '>', '>='] LOOP
    SELECT format('SELECT count(*) FROM scru160_item WHERE id %s %L',
                  operator, id)
    INTO query FROM scru160_item WHERE n = 10001;
    SET LOCAL enable_seqscan = on;
    SET LOCAL enable_indexscan = off;
    SET LOCAL enable_indexonlyscan = off;
    SET LOCAL enable_bitmapscan = off;
    EXECUTE query INTO without;
    SET LOCAL enable_seqscan = off;
    SET LOCAL enable_indexscan = on;
    SET LOCAL enable_indexonlyscan = on;
    SET LOCAL enable_bitmapscan = on;
    EXECUTE query INTO through;
    condition := 'none';
    SELECT regexp_replace(p, '''.*''', '...') INTO condition
    FROM pg_temp.plan(query, 'Index Cond') AS p;
    RETURN NEXT;
  END LOOP;
  DROP INDEX scru160_index;
END $$;
SELECT * FROM pg_temp.through('btree');
SELECT * FROM pg_temp.through('hash');
SELECT * FROM pg_temp.through('brin');

-- Index order, and min and max from the ends of an index
CREATE INDEX scru160_order ON scru160_item (id);
SELECT left(line, 24) AS scan
FROM pg_temp.plan('SELECT min(id), max(id) FROM scru160_item', 'Scan') AS line;
SELECT pg_temp.plan('SELECT id FROM scru160_item ORDER BY id LIMIT 5',
                    'Sort|Scan');

-- Hash partitions, pruned by the planner
CREATE TABLE scru160_part (id scru160 PRIMARY KEY) PARTITION BY HASH (id);
CREATE TABLE scru160_part_0 PARTITION OF scru160_part
  FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE scru160_part_1 PARTITION OF scru160_part
  FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO scru160_part SELECT DISTINCT id FROM scru160_item;
SELECT tableoid::regclass, count(*) BETWEEN 8000 AND 10000 AS about_half
FROM scru160_part GROUP BY 1 ORDER BY tableoid::regclass::text;
SELECT count(*) AS partitions FROM plan_of('SELECT FROM scru160_part
  WHERE id = ''05TTUP1HNCPNH30VEK64KDQT9BSNU4C4''') AS line
WHERE line ~ '^reads scru160_part';

DROP TABLE scru160_item, scru160_part;
