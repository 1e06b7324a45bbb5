--
-- Order and uniqueness of 1,000,000 ids of a process, and uniqueness across
-- parallel workers
--
-- One row per generator: the expression that reads the time of its ids, and
-- how far that time may be before or after the clock
CREATE TEMP TABLE generator (n integer, call text, reader text,
  early interval, late interval);
INSERT INTO generator VALUES
  (1, 'uuid_generate_v6()', 'uuid_v6_to_timestamptz(id)', '0', '0'),
  (2, 'uuid_generate_v7()', 'uuid_v7_to_timestamptz(id)', '0', '0'),
  (3, 'uuid_generate_v7_draft(''ms'')', 'uuid_v7_draft_to_timestamptz(id)', '0', '1 ms'),
  (4, 'uuid_generate_v7_draft(''us'')', 'uuid_v7_draft_to_timestamptz(id)', '0', '1 ms'),
  (5, 'uuid_generate_v7_draft(''ns'')', 'uuid_v7_draft_to_timestamptz(id)', '0', '1 ms'),
  (6, 'uuid_generate_v8_draft(32)', 'uuid_v8_draft_to_timestamptz(id, 32)', '1 s', '0'),
  (7, 'uuid_generate_v8_draft(48)', 'uuid_v8_draft_to_timestamptz(id, 48)', '0', '0'),
  (8, 'uuid_generate_v8_draft(60)', 'uuid_v8_draft_to_timestamptz(id, 60)', '0', '0'),
  (9, 'uuid_generate_v8_draft(64)', 'uuid_v8_draft_to_timestamptz(id, 64)', '0', '0'),
  (10, 'scru160_generate()', 'scru160_to_timestamptz(id)', '0', '1 ms'),
  (11, 'scru160_us_generate()', 'scru160_us_to_timestamptz(id)', '0', '1 ms'),
  (12, 'fluid_generate()', 'fluid_to_timestamptz(id)', '0', '0'),
  (13, 'nanoflake_generate()', 'nanoflake_to_timestamptz(id)', '0', '0'),
  -- Both forms of Ulid-Flake share one number space
  (14, 'CASE i % 3 WHEN 0 THEN ulidflake_generate() ELSE ulidflake_scalable_generate() END',
   'ulidflake_to_timestamptz(id)', '0', '0');

SELECT call, d.*
FROM generator, disorder_of(call, reader, early, late) AS d ORDER BY n;

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
