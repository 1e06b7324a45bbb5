--
-- 64-bit ids as they are made: order and uniqueness of 1,000,000 of a process,
-- their generator numbers, and parallel workers
--
SET timezone = 'UTC';
SET datestyle = 'ISO, YMD';

-- A row a generator, and how the time of its ids is read.  Both forms of
-- Ulid-Flake share a number space.
CREATE TEMP TABLE generator (n integer, call text, reader text);
INSERT INTO generator VALUES
  (1, 'fluid_generate()', 'fluid_to_timestamptz(id)'),
  (2, 'nanoflake_generate()', 'nanoflake_to_timestamptz(id)'),
  (3, 'CASE i % 3 WHEN 0 THEN ulidflake_generate() ELSE ulidflake_generate_scalable() END',
      'ulidflake_to_timestamptz(id)'),
  (4, 'ulidflake_generate()', NULL),
  (5, 'ulidflake_generate_scalable()', NULL);

-- How many ids are not above the one made before, and how many have a time that
-- is not between the clock's before and after.  Strictly increasing ids are
-- unique too.
CREATE FUNCTION disorder_of(call text, reader text, OUT ids bigint,
                            OUT out_of_order bigint, OUT out_of_time bigint)
LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE 'SELECT count(id), count(*) FILTER (WHERE id <= previous),
             count(*) FILTER (WHERE ' || reader || ' NOT BETWEEN
                              date_trunc(''ms'', before) AND after)
           FROM (SELECT before, id, after, lag(id) OVER () FROM
                   (SELECT clock_timestamp(), ' || call || ', clock_timestamp()
                    FROM generate_series(1, 1000000) AS i)
                   AS g (before, id, after))
             AS o (before, id, after, previous)'
  INTO ids, out_of_order, out_of_time;
END $$;

SELECT call, d.* FROM generator, disorder_of(call, reader) AS d
WHERE n <= 3 ORDER BY n;

-- A session's generators are those that the status names, and all its ids are
-- the node's and slot's
CREATE TEMP TABLE made AS
SELECT 'fluid' AS format, fluid_get_generator(id) AS generator,
       (fluid_get_address(id)).*
FROM (SELECT fluid_generate() FROM generate_series(1, 100000)) AS g (id)
UNION ALL
SELECT 'nanoflake', nanoflake_get_generator(id), (nanoflake_get_address(id)).*
FROM (SELECT nanoflake_generate() FROM generate_series(1, 100000)) AS g (id);
SELECT format, count(*),
       bool_and(generator BETWEEN first_generator AND last_generator) AS own,
       bool_and(made.node = status.node AND made.slot = status.slot AND
                lane = generator - first_generator) AS address,
       min(lane) AS first_lane
FROM made JOIN flakeid_status() AS status USING (format)
GROUP BY 1 ORDER BY 1;

-- Processes that make ids at the same time
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET max_parallel_workers_per_gather = 2;
SET parallel_leader_participation = off;

CREATE TABLE source AS SELECT i FROM generate_series(1, 100000) AS i;
ANALYZE source;

-- The generator runs below the Gather
EXPLAIN (VERBOSE, COSTS OFF) SELECT fluid_generate() FROM source;

-- Make a table of ids by workers alone: were there any, and which ids are
-- there twice
CREATE FUNCTION parallel_ids(call text, OUT workers boolean, OUT ids bigint,
                             OUT repeated bigint) LANGUAGE plpgsql AS $$
DECLARE
  line text;
BEGIN
  DROP TABLE IF EXISTS made_in_parallel;
  FOR line IN EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF)
    CREATE TABLE made_in_parallel AS SELECT ' || call || ' AS id FROM source'
  LOOP
    workers := coalesce(workers,
                        substring(line FROM 'Workers Launched: (\d+)') > '0');
  END LOOP;
  SELECT count(*), count(*) - count(DISTINCT id) FROM made_in_parallel
  INTO ids, repeated;
END $$;

SET client_min_messages = warning;
SELECT call, p.* FROM generator, parallel_ids(call) AS p ORDER BY n;

-- Workers have slots of their own
SELECT * FROM parallel_ids('fluid_generate()');
SELECT bool_and((fluid_get_address(id)).slot <> slot) AS slots_of_their_own
FROM made_in_parallel, flakeid_status() WHERE format = 'fluid';

DROP TABLE source, made_in_parallel;
DROP FUNCTION disorder_of, parallel_ids;
