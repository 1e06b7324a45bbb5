--
-- Generated 64-bit ids: order and uniqueness of 1,000,000 ids of a process,
-- their generator numbers, and parallel workers
--
SET timezone = 'UTC';
SET datestyle = 'ISO, YMD';

-- One row per generator, with the expression that reads the time of its ids.
-- Both forms of Ulid-Flake share one number space.
CREATE TEMP TABLE generator (n integer, call text, reader text);
INSERT INTO generator VALUES
  (1, 'fluid_generate()', 'fluid_to_timestamptz(id)'),
  (2, 'nanoflake_generate()', 'nanoflake_to_timestamptz(id)'),
  (3, 'CASE i % 3 WHEN 0 THEN ulidflake_generate() ELSE ulidflake_scalable_generate() END',
      'ulidflake_to_timestamptz(id)'),
  (4, 'ulidflake_generate()', NULL),
  (5, 'ulidflake_scalable_generate()', NULL);

SELECT call, d.* FROM generator, disorder_of(call, reader) AS d
WHERE n <= 3 ORDER BY n;

-- The session uses the generators that flakeid_status() shows, and all its ids
-- have its node and slot
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

-- Processes that generate ids at the same time
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET max_parallel_workers_per_gather = 2;
SET parallel_leader_participation = off;

CREATE TABLE source AS SELECT i FROM generate_series(1, 100000) AS i;
ANALYZE source;

-- The generator runs below the Gather
EXPLAIN (VERBOSE, COSTS OFF) SELECT fluid_generate() FROM source;

SET client_min_messages = warning;
SELECT call, p.* FROM generator, parallel_ids(call) AS p ORDER BY n;

-- Each worker has a slot of its own
SELECT * FROM parallel_ids('fluid_generate()');
SELECT bool_and((fluid_get_address(id)).slot <> slot) AS slots_of_their_own
FROM made_in_parallel, flakeid_status() WHERE format = 'fluid';

DROP TABLE source, made_in_parallel;
