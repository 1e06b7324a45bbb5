--
-- Ulid-Flake, stand-alone and scalable: reading, building from parts, bounds
-- and ranges, and steps between ids of a millisecond
--
SET timezone = 'UTC';
SET datestyle = 'ISO, YMD';
\set epoch '''2024-01-01 00:00:00+00''::timestamptz'

CREATE TEMP TABLE vector (id bigint, text text, ms bigint, random20 integer,
  random15 integer, scalability integer, "time" timestamptz);
\copy vector from program 'cat "$PG_ABS_SRCDIR/test/vectors/ulidflake.tsv"' with (header)

SELECT count(*) FROM vector;

-- No rows: reading, by both forms
SELECT * FROM vector
WHERE ulidflake_to_timestamptz(id) IS DISTINCT FROM "time" OR
      ulidflake_to_timestamptz(id, :epoch) IS DISTINCT FROM "time" OR
      unix_us_of("time") IS DISTINCT FROM
        unix_us_of('2024-01-01 00:00:00+00') + ms * 1000 OR
      ulidflake_get_random(id) IS DISTINCT FROM random20 OR
      ulidflake_scalable_get_random(id) IS DISTINCT FROM random15 OR
      ulidflake_scalable_get_scalability(id) IS DISTINCT FROM scalability;

-- No rows: building from the parts that are read, in both forms
SELECT * FROM vector
WHERE ulidflake_get_ticks(id) IS DISTINCT FROM ms OR
      ulidflake_from_parts(ms, random20) IS DISTINCT FROM id OR
      ulidflake_scalable_from_parts(ms, random15, scalability)
        IS DISTINCT FROM id;

-- No rows: bounds are those of the millisecond
SELECT * FROM vector, (VALUES (0), (1), (999)) AS v (us),
     LATERAL (SELECT "time" + us * interval '1 us') AS t (ts)
WHERE ulidflake_min(ts) IS DISTINCT FROM ms << 20;

-- No rows: a range includes its lower bound and excludes its upper bound
SELECT * FROM vector, LATERAL (
  SELECT "time" - interval '1 ms', "time" + interval '1 ms') AS t (before, after)
WHERE ms BETWEEN 1 AND (1::bigint << 43) - 2 AND
      (ulidflake_in_range(id, "time", after) IS NOT TRUE OR
       ulidflake_in_range(id, "time", after, :epoch) IS NOT TRUE OR
       ulidflake_in_range(id, before, "time") IS NOT FALSE OR
       ulidflake_in_range(id, before, "time", :epoch) IS NOT FALSE OR
       ulidflake_in_range(id, "time", "time") IS NOT FALSE OR
       ulidflake_in_range(id, after, after) IS NOT FALSE);

SELECT ulidflake_min('2302-09-27 15:10:22.207999+00') AS last,
       ulidflake_min('2302-09-27 15:10:22.207999+00', :epoch) AS by_epoch,
       ulidflake_min('2302-09-27 15:10:22.208+00') AS beyond,
       ulidflake_min('2024-01-01 00:00:00+00') AS least;

-- Other epochs, near and far; ids count milliseconds from the epoch
CREATE TEMP TABLE epoch (n integer, epoch timestamptz);
INSERT INTO epoch VALUES
  (1, '2024-01-01 00:00:00.001+00'), (2, '1970-01-01 00:00:00+00'),
  (3, '4000-12-31 23:59:59.999+00'), (4, '4713-01-01 00:00:00+00 BC');

-- No rows
SELECT * FROM epoch, vector
WHERE unix_us_of(ulidflake_to_timestamptz(id, epoch)) IS DISTINCT FROM
        unix_us_of(epoch) + ms * 1000 OR
      ulidflake_from_timestamptz(ulidflake_to_timestamptz(id, epoch), epoch) >> 20
        IS DISTINCT FROM ms OR
      ulidflake_scalable_from_timestamptz(ulidflake_to_timestamptz(id, epoch),
                                          epoch) >> 20 IS DISTINCT FROM ms OR
      ulidflake_min(ulidflake_to_timestamptz(id, epoch), epoch)
        IS DISTINCT FROM ms << 20;
SELECT epoch, ulidflake_to_timestamptz(1::bigint << 20, epoch) AS after_1_ms,
       ulidflake_min(epoch - interval '1 us', epoch) AS before
FROM epoch WHERE n > 1 ORDER BY n;

-- An epoch is finite and a whole number of milliseconds
SELECT call, sqlstate_of(format(call, '''infinity''')) AS infinite,
       sqlstate_of(format(call, '''2024-01-01 00:00:00.0005+00''')) AS fraction
FROM (VALUES ('SELECT ulidflake_to_timestamptz(1, %s)'),
             ('SELECT ulidflake_from_timestamptz(now(), %s)'),
             ('SELECT ulidflake_scalable_from_timestamptz(now(), %s)'),
             ('SELECT * FROM ulidflake_explain(1, %s)'),
             ('SELECT ulidflake_min(now(), %s)'),
             ('SELECT ulidflake_in_range(1, now(), now(), %s)')) AS v (call)
ORDER BY call COLLATE "C";

-- Ids of a given time: its millisecond, and all other bits random, each of
-- them 0 as often as 1 (60,000 draws: a deviation of 1,200 is about ten
-- standard deviations); the scalability is the one in effect
CREATE TEMP TABLE random_id AS
  SELECT ts, ulidflake_from_timestamptz(ts) AS id,
         ulidflake_scalable_from_timestamptz(ts) AS scalable
  FROM generate_series(1, 60000) AS n,
       LATERAL (SELECT '2024-06-06 06:06:06.666+00'::timestamptz +
                       n * interval '1 hour 1 us') AS t (ts);
SELECT count(*) FILTER (WHERE id >> 20 <> ms OR scalable >> 20 <> ms)
         AS wrong_time,
       count(*) FILTER (WHERE scalable & 31 <> node) AS wrong_scalability,
       count(DISTINCT id & 1048575) BETWEEN 57500 AND 59000 AS id,
       count(DISTINCT scalable & 1048575) BETWEEN 27000 AND 28000 AS scalable
FROM random_id,
     LATERAL (SELECT (unix_us_of(ts) -
                      unix_us_of('2024-01-01 00:00:00+00')) / 1000) AS m (ms),
     (SELECT node FROM flakeid_status() WHERE format = 'ulidflake') AS s;
SELECT form, count(*) AS random_bits
FROM (SELECT form, bit, count(*) FILTER (WHERE value >> bit & 1 = 1) AS ones
      FROM random_id, generate_series(0, 19) AS bit,
           LATERAL (VALUES ('id', id), ('scalable', scalable)) AS v (form, value)
      GROUP BY form, bit) AS b
WHERE ones BETWEEN 28800 AND 31200 GROUP BY form ORDER BY form;
SELECT ulidflake_from_timestamptz('2302-09-27 15:10:22.207999+00') >> 20 AS last_ms,
       ulidflake_scalable_from_timestamptz('2024-01-01 00:00:00+00') >> 20 AS first_ms,
       sqlstate_of(format('SELECT ulidflake_from_timestamptz(%L)', ts)) AS id,
       sqlstate_of(format('SELECT ulidflake_scalable_from_timestamptz(%L)', ts))
         AS scalable
FROM unnest('{2302-09-27 15:10:22.208+00, 2023-12-31 23:59:59.999999+00,
              infinity, -infinity}'::timestamptz[]) AS ts;

-- NULL in, NULL out, in functions and ranges
SELECT ulidflake_to_timestamptz(NULL), ulidflake_get_random(NULL),
       ulidflake_scalable_get_random(NULL), ulidflake_scalable_get_scalability(NULL),
       ulidflake_get_ticks(NULL), ulidflake_from_parts(1, NULL),
       ulidflake_scalable_from_parts(1, 1, NULL),
       ulidflake_to_timestamptz(1, NULL), ulidflake_from_timestamptz(NULL),
       ulidflake_from_timestamptz(now(), NULL),
       ulidflake_scalable_from_timestamptz(NULL),
       ulidflake_scalable_from_timestamptz(now(), NULL),
       ulidflake_min(NULL), ulidflake_min(now(), NULL),
       ulidflake_in_range(NULL, now(), now()), ulidflake_in_range(1, NULL, now()),
       ulidflake_in_range(1, now(), now(), NULL)
\gx

-- Generated ids have the scalability in effect
SELECT bool_and(ulidflake_scalable_get_scalability(ulidflake_scalable_generate()) = node)
  AS scalability
FROM flakeid_status(), generate_series(1, 1000) WHERE format = 'ulidflake';

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
SELECT sqlstate_of('SET flakeid.ulidflake_step_bits = 17');

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
