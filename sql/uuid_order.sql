--
-- Order and uniqueness of 1,000,000 ids of a process, and uniqueness across
-- parallel workers
--
-- A row a generator, and how the time of its ids is read
CREATE TEMP TABLE generator (n integer, call text, reader text);
INSERT INTO generator VALUES
  (1, 'uuid_generate_v6()', 'uuid_v6_to_timestamptz(id)'),
  (2, 'uuid_generate_v7()', 'uuid_v7_to_timestamptz(id)'),
  (3, 'uuid_generate_v7_draft(''ms'')', 'uuid_v7_draft_to_timestamptz(id)'),
  (4, 'uuid_generate_v7_draft(''us'')', 'uuid_v7_draft_to_timestamptz(id)'),
  (5, 'uuid_generate_v7_draft(''ns'')', 'uuid_v7_draft_to_timestamptz(id)'),
  (6, 'uuid_generate_v8(32)', 'uuid_v8_to_timestamptz(id, 32)'),
  (7, 'uuid_generate_v8(48)', 'uuid_v8_to_timestamptz(id, 48)'),
  (8, 'uuid_generate_v8(60)', 'uuid_v8_to_timestamptz(id, 60)'),
  (9, 'uuid_generate_v8(64)', 'uuid_v8_to_timestamptz(id, 64)');

-- How many ids are not above the one made before, and whether their times are
-- those of the clock (a millisecond of the draft reads up to 1 ms late).
-- Strictly increasing ids are unique too.
CREATE FUNCTION disorder_of(call text, reader text, OUT ids bigint,
                            OUT out_of_order bigint, OUT in_time boolean)
LANGUAGE plpgsql AS $$
DECLARE
  began timestamptz = clock_timestamp();
BEGIN
  EXECUTE 'SELECT count(id), count(*) FILTER (WHERE id <= before),
             min(' || reader || ') >= $1 - interval ''1 s'' AND
             max(' || reader || ') <= clock_timestamp() + interval ''1 ms''
           FROM (SELECT id, lag(id) OVER () FROM
                   (SELECT ' || call || ' FROM generate_series(1, 1000000))
                   AS g (id))
             AS o (id, before)'
  INTO ids, out_of_order, in_time USING began;
END $$;

SELECT call, d.* FROM generator, disorder_of(call, reader) AS d ORDER BY n;

-- Processes that make ids at the same time
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET max_parallel_workers_per_gather = 2;
SET parallel_leader_participation = off;

CREATE TABLE source AS SELECT i FROM generate_series(1, 100000) AS i;
ANALYZE source;

-- The generator runs below the Gather
EXPLAIN (VERBOSE, COSTS OFF) SELECT uuid_generate_v7() FROM source;

-- Make a table of ids by workers alone: were there any, and which ids are
-- there twice
CREATE FUNCTION parallel_ids(call text, OUT workers boolean, OUT ids bigint,
                             OUT repeated bigint) LANGUAGE plpgsql AS $$
DECLARE
  line text;
BEGIN
  DROP TABLE IF EXISTS made;
  FOR line IN EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF)
    CREATE TABLE made AS SELECT ' || call || ' AS id FROM source' LOOP
    workers := coalesce(workers,
                        substring(line FROM 'Workers Launched: (\d+)') > '0');
  END LOOP;
  SELECT count(*), count(*) - count(DISTINCT id) FROM made INTO ids, repeated;
END $$;

SET client_min_messages = warning;
SELECT call, p.* FROM generator, parallel_ids(call) AS p ORDER BY n;
SELECT 'uuid_generate_v7(interval)' AS call, p.*
FROM parallel_ids('uuid_generate_v7(interval ''-1 day'')') AS p;
SELECT 'uuid_v7_from_timestamptz' AS call, p.*
FROM parallel_ids('uuid_v7_from_timestamptz(''2022-02-22 00:00:00+00'')') AS p;

DROP TABLE source, made;
DROP FUNCTION disorder_of, parallel_ids;
