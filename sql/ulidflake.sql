--
-- Ulid-Flake, stand-alone and scalable: ids of a time, and steps between ids of a
-- millisecond
--
SET timezone = 'UTC';
SET datestyle = 'ISO, YMD';

-- Ids of a given time: its millisecond, and the scalability in effect
SELECT count(*) FILTER (WHERE id >> 20 <> ms OR scalable >> 20 <> ms)
         AS wrong_time,
       count(*) FILTER (WHERE scalable & 31 <> node) AS wrong_scalability
FROM generate_series(1, 1000) AS n,
     LATERAL (SELECT '2024-06-06 06:06:06.666+00'::timestamptz +
                     n * interval '1 hour 1 us') AS t (ts),
     LATERAL (SELECT (unix_us_of(ts) -
                      unix_us_of('2024-01-01 00:00:00+00')) / 1000) AS m (ms),
     ulidflake_from_timestamptz(ts) AS id, ulidflake_scalable_from_timestamptz(ts) AS scalable,
     (SELECT node FROM flakeid_status() WHERE format = 'ulidflake') AS s;
SELECT ulidflake_from_timestamptz('2302-09-27 15:10:22.207999+00') >> 20 AS last_ms,
       ulidflake_scalable_from_timestamptz('2024-01-01 00:00:00+00') >> 20 AS first_ms,
       sqlstate_of(format('SELECT ulidflake_from_timestamptz(%L)', ts)) AS id,
       sqlstate_of(format('SELECT ulidflake_scalable_from_timestamptz(%L)', ts))
         AS scalable
FROM unnest('{2302-09-27 15:10:22.208+00, 2023-12-31 23:59:59.999999+00,
              infinity, -infinity}'::timestamptz[]) AS ts;

-- Steps between ids of a millisecond, in the unit of their form, are 1 to
-- 2^bits.  The first id of a millisecond is random.
CREATE FUNCTION steps_of(call text, unit integer, step_bits integer,
                         OUT smallest bigint, OUT largest bigint,
                         OUT firsts boolean)
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('flakeid.ulidflake_step_bits', step_bits::text, false);
  EXECUTE 'SELECT min(step) / $1, max(step) / $1,
             count(DISTINCT random) FILTER (WHERE step IS NULL) > 5
           FROM (SELECT id & 1048575,
                        id - lag(id) OVER (PARTITION BY id >> 20 ORDER BY id)
                 FROM (SELECT ' || call || ' FROM generate_series(1, CASE WHEN $2 > 14 THEN 2000 ELSE 200000 END))
                   AS g (id))
             AS s (random, step)'
  INTO smallest, largest, firsts USING unit, step_bits;
END $$;
SELECT step_bits, call, smallest, largest <= 1 << step_bits AND
       largest > (1 << step_bits) * 0.9 AS largest, firsts
FROM generate_series(0, 6, 2) AS step_bits,
     (VALUES ('ulidflake_generate()', 1), ('ulidflake_scalable_generate()', 32))
       AS f (call, unit),
     LATERAL (SELECT * FROM steps_of(call, unit, step_bits)) AS s
ORDER BY unit, step_bits;

-- The largest steps, of two bytes
SELECT call, smallest >= 1 AS smallest, largest BETWEEN 1 << 15 AND 1 << 16 AS largest
FROM (VALUES ('ulidflake_generate()', 1)) AS f (call, unit),
     LATERAL (SELECT * FROM steps_of(call, unit, 16)) AS s;

-- With flakeid.max_wait = 0, a millisecond that is used up is an error
SET flakeid.ulidflake_step_bits = 14;
SET flakeid.max_wait = 0;
SELECT error_of('SELECT ulidflake_scalable_generate() FROM generate_series(1, 1000)');
SET flakeid.max_wait = '1s';
SELECT sqlstate_of('SELECT ulidflake_scalable_generate() FROM generate_series(1, 1000)');
SELECT waits > 0 AS waits, longest_wait BETWEEN '100 us' AND '1 min' AS longest_wait
FROM flakeid_status() WHERE format = 'ulidflake';
RESET flakeid.ulidflake_step_bits;
RESET flakeid.max_wait;

-- A session looks at the sequence when its horizon is near, not for each id.
CREATE FUNCTION blocks_of(query text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  plan json;
BEGIN
  EXECUTE 'EXPLAIN (ANALYZE, BUFFERS, FORMAT json) ' || query INTO plan;
  RETURN plan->0->'Plan'->>'Shared Hit Blocks';
END $$;
SELECT blocks_of('SELECT ulidflake_generate() FROM generate_series(1, 10000)') < 1000 AS few;

DROP FUNCTION steps_of, blocks_of;
