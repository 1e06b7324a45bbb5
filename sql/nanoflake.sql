--
-- Nanoflake: reading, building from parts, bounds and ranges
--
SET timezone = 'UTC';
SET datestyle = 'ISO, YMD';

CREATE TEMP TABLE vector (id bigint, ms bigint, generator integer,
  sequence integer, "time" timestamptz, base36 text);
\copy vector from program 'cat "$PG_ABS_SRCDIR/test/vectors/nanoflake.tsv"' with (header)

SELECT count(*) FROM vector;

\set epoch '''2024-01-01 00:00:00+00''::timestamptz'

-- No rows: reading
SELECT * FROM vector
WHERE nanoflake_to_timestamptz(id) IS DISTINCT FROM "time" OR
      nanoflake_to_timestamptz(id, :epoch) IS DISTINCT FROM "time" OR
      unix_us_of("time") IS DISTINCT FROM unix_us_of(:epoch) + ms * 1000 OR
      nanoflake_get_generator(id) IS DISTINCT FROM generator OR
      nanoflake_get_sequence(id) IS DISTINCT FROM sequence;

-- No rows: building from the parts that are read
SELECT * FROM vector
WHERE nanoflake_get_ticks(id) IS DISTINCT FROM ms OR
      nanoflake_from_parts(ms, generator, sequence) IS DISTINCT FROM id OR
      nanoflake_from_parts(nanoflake_get_ticks(id), nanoflake_get_generator(id),
        nanoflake_get_sequence(id)) IS DISTINCT FROM id;

-- No rows: bounds are those of the millisecond
SELECT * FROM vector, (VALUES (0), (1), (999)) AS v (us),
     LATERAL (SELECT "time" + us * interval '1 us') AS t (ts)
WHERE nanoflake_min(ts) IS DISTINCT FROM ms << 22 OR
      nanoflake_min(ts, :epoch) IS DISTINCT FROM ms << 22;

-- No rows: a range includes its lower bound and excludes its upper bound
SELECT * FROM vector, LATERAL (
  SELECT "time" - interval '1 ms', "time" + interval '1 ms') AS t (before, after)
WHERE ms BETWEEN 1 AND (1::bigint << 41) - 2 AND
      (nanoflake_in_range(id, "time", after) IS NOT TRUE OR
       nanoflake_in_range(id, "time", after, :epoch) IS NOT TRUE OR
       nanoflake_in_range(id, before, "time") IS NOT FALSE OR
       nanoflake_in_range(id, before, "time", :epoch) IS NOT FALSE OR
       nanoflake_in_range(id, "time", "time") IS NOT FALSE OR
       nanoflake_in_range(id, after, after) IS NOT FALSE);

-- Up to the last millisecond of the field
SELECT nanoflake_min('2093-09-06 15:47:35.551999+00') AS last,
       nanoflake_min('2093-09-06 15:47:35.551999+00', :epoch) AS by_epoch,
       nanoflake_min('2093-09-06 15:47:35.552+00') AS beyond,
       nanoflake_from_parts((1::bigint << 41) - 1, 1023, 4095) AS greatest;

-- Other epochs, near and far; ids count milliseconds from the epoch
CREATE TEMP TABLE epoch (n integer, epoch timestamptz);
INSERT INTO epoch VALUES
  (1, '4714-11-24 00:00:00+00 BC'), (2, '0001-01-01 00:00:00+00 BC'),
  (3, '1969-12-31 23:59:59.999+00'), (4, '1970-01-01 00:00:00+00'),
  (5, '1999-12-31 23:59:59.999+00'), (6, '2000-01-01 00:00:00.001+00'),
  (7, '2030-06-15 12:00:00.123+02'), (8, '294150-01-01 00:00:00+00');
SELECT * FROM epoch, vector
WHERE unix_us_of(nanoflake_to_timestamptz(id, epoch)) IS DISTINCT FROM
        unix_us_of(epoch) + ms * 1000 OR
      nanoflake_min(nanoflake_to_timestamptz(id, epoch), epoch)
        IS DISTINCT FROM ms << 22;
SELECT epoch, nanoflake_to_timestamptz(1::bigint << 22, epoch) AS after_1_ms,
       nanoflake_min(epoch - interval '1 us', epoch) AS before
FROM epoch WHERE n > 1 ORDER BY n;

-- NULL in, NULL out, in functions and ranges
SELECT nanoflake_to_timestamptz(NULL), nanoflake_to_timestamptz(1, NULL),
       nanoflake_get_generator(NULL), nanoflake_get_sequence(NULL),
       nanoflake_get_address(NULL), nanoflake_from_parts(1, NULL, 0),
       nanoflake_get_ticks(NULL), nanoflake_min(NULL), nanoflake_min(now(), NULL),
       nanoflake_in_range(NULL, now(), now()), nanoflake_in_range(1, NULL, now())
\gx

-- The address: bits below the generator number are not part of it
SELECT id, (nanoflake_get_address(id)).node, slot = slot_of_generator AS slot,
       lane = lane_of_generator AS lane
FROM (SELECT last_generator - first_generator + 1 FROM flakeid_status()
      WHERE format = 'nanoflake') AS s (lanes),
     unnest(ARRAY[0, 4095, 4096, 4190207, 4194303]::bigint[]) AS id,
     LATERAL (SELECT nanoflake_get_generator(id) / lanes,
                     nanoflake_get_generator(id) % lanes)
       AS g (slot_of_generator, lane_of_generator),
     nanoflake_get_address(id);
