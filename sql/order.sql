--
-- Order and uniqueness of 100,000 ids of a process (sql/order_of_many.sql:
-- 1,000,000), and uniqueness across parallel workers
--
SELECT call, d.*
FROM generator, disorder_of(100000, call, reader, early, late) AS d ORDER BY n;

-- The session uses the generators that flakeid_status() shows, and all its ids
-- have its node and slot
SELECT format, count(*),
       bool_and(generator BETWEEN first_generator AND last_generator) AS own,
       bool_and(made.node = status.node AND made.slot = status.slot AND
                lane = generator - first_generator) AS address,
       min(lane) AS first_lane
FROM (SELECT 'fluid' AS format, fluid_get_generator(id) AS generator, (fluid_get_address(id)).*
      FROM (SELECT fluid_generate() FROM generate_series(1, 100000)) AS g (id)
      UNION ALL
      SELECT 'nanoflake', nanoflake_get_generator(id), (nanoflake_get_address(id)).*
      FROM (SELECT nanoflake_generate() FROM generate_series(1, 100000)) AS g (id)) AS made
JOIN flakeid_status() AS status USING (format)
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
EXPLAIN (VERBOSE, COSTS OFF) SELECT uuid_generate_v7() FROM source;

SET client_min_messages = warning;
SELECT call, p.* FROM generator, parallel_ids(call) AS p ORDER BY n;
SELECT 'uuid_generate_v7(interval)' AS call, p.*
FROM parallel_ids('uuid_generate_v7(interval ''-1 day'')') AS p;
SELECT 'uuid_v7_from_timestamptz' AS call, p.*
FROM parallel_ids('uuid_v7_from_timestamptz(''2022-02-22 00:00:00+00''::timestamptz +
  i % 100 * interval ''1 ms'')') AS p;

-- Each worker has a slot of its own
SELECT * FROM parallel_ids('fluid_generate()');
SELECT bool_and((fluid_get_address(id)).slot <> slot) AS slots_of_their_own
FROM made_in_parallel, flakeid_status() WHERE format = 'fluid';

DROP TABLE source, made_in_parallel;
