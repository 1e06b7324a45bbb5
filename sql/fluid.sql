--
-- FLUID: reading, building from parts, bounds and ranges
--
SET timezone = 'UTC';
SET datestyle = 'ISO, YMD';

CREATE TEMP TABLE vector (unsigned numeric, id bigint, ms bigint,
  generator integer, sequence integer, "time" timestamptz, f58 text,
  f58_ascii text, hex text, dothex text, words text, emoji text);
\copy vector from program 'cat "$PG_ABS_SRCDIR/test/vectors/fluid.tsv"' with (header)

-- Ids are negative from 2^39 ms on
SELECT count(*), count(*) FILTER (WHERE ms >= 1::bigint << 39) AS late,
       count(*) FILTER (WHERE id < 0) AS negative
FROM vector;

\set epoch '''2024-01-01 00:00:00+00''::timestamptz'

-- No rows: reading
SELECT * FROM vector
WHERE fluid_to_timestamptz(id) IS DISTINCT FROM "time" OR
      fluid_to_timestamptz(id, :epoch) IS DISTINCT FROM "time" OR
      unix_us_of("time") IS DISTINCT FROM unix_us_of(:epoch) + ms * 1000 OR
      fluid_get_generator(id) IS DISTINCT FROM generator OR
      fluid_get_sequence(id) IS DISTINCT FROM sequence OR
      id IS DISTINCT FROM
        unsigned - CASE WHEN id < 0 THEN 2::numeric ^ 64 ELSE 0 END;

-- No rows: building from the parts that are read
SELECT * FROM vector
WHERE fluid_get_ticks(id) IS DISTINCT FROM ms OR
      fluid_from_parts(ms, generator, sequence) IS DISTINCT FROM id OR
      fluid_from_parts(fluid_get_ticks(id), fluid_get_generator(id),
        fluid_get_sequence(id)) IS DISTINCT FROM id;

-- No rows: bounds are those of the millisecond
SELECT * FROM vector, (VALUES (0), (1), (999)) AS v (us),
     LATERAL (SELECT "time" + us * interval '1 us') AS t (ts)
WHERE ms < 1::bigint << 39 AND
      (fluid_min(ts) IS DISTINCT FROM ms << 24 OR
       fluid_min(ts, :epoch) IS DISTINCT FROM ms << 24);

-- No rows: a range includes its lower bound and excludes its upper bound
SELECT * FROM vector, LATERAL (
  SELECT "time" - interval '1 ms', "time" + interval '1 ms') AS t (before, after)
WHERE ms BETWEEN 1 AND (1::bigint << 39) - 2 AND
      (fluid_in_range(id, "time", after) IS NOT TRUE OR
       fluid_in_range(id, "time", after, :epoch) IS NOT TRUE OR
       fluid_in_range(id, before, "time") IS NOT FALSE OR
       fluid_in_range(id, before, "time", :epoch) IS NOT FALSE OR
       fluid_in_range(id, "time", "time") IS NOT FALSE OR
       fluid_in_range(id, after, after) IS NOT FALSE);

-- The time of a negative id is beyond all bounds, as no range could include it
SELECT fluid_min("time"), fluid_min("time", :epoch) AS by_epoch, count(*) FROM vector
WHERE ms >= 1::bigint << 39 GROUP BY 1, 2;
SELECT fluid_min('2041-06-02 21:56:53.887999+00') AS last,
       fluid_min('2041-06-02 21:56:53.887999+00', :epoch) AS by_epoch,
       fluid_min('2041-06-02 21:56:53.888+00') AS beyond,
       fluid_from_parts(1::bigint << 39, 0, 0) AS by_hand,
       fluid_from_parts((1::bigint << 40) - 1, 16383, 1023) AS greatest;

-- Other epochs, near and far; ids count milliseconds from the epoch
CREATE TEMP TABLE epoch (n integer, epoch timestamptz);
INSERT INTO epoch VALUES
  (1, '4714-11-24 00:00:00+00 BC'), (2, '0001-01-01 00:00:00+00 BC'),
  (3, '1969-12-31 23:59:59.999+00'), (4, '1970-01-01 00:00:00+00'),
  (5, '1999-12-31 23:59:59.999+00'), (6, '2000-01-01 00:00:00.001+00'),
  (7, '2030-06-15 12:00:00.123+02'), (8, '294150-01-01 00:00:00+00');
SELECT * FROM epoch, vector
WHERE unix_us_of(fluid_to_timestamptz(id, epoch)) IS DISTINCT FROM
        unix_us_of(epoch) + ms * 1000 OR
      ms < 1::bigint << 39 AND
      (fluid_min(fluid_to_timestamptz(id, epoch), epoch)
        IS DISTINCT FROM ms << 24);
SELECT epoch, fluid_to_timestamptz(1::bigint << 24, epoch) AS after_1_ms,
       fluid_min(epoch - interval '1 us', epoch) AS before
FROM epoch WHERE n > 1 ORDER BY n;

-- NULL in, NULL out, in functions and ranges
SELECT fluid_to_timestamptz(NULL), fluid_to_timestamptz(1, NULL),
       fluid_get_generator(NULL), fluid_get_sequence(NULL),
       fluid_get_address(NULL), fluid_from_parts(1, NULL, 0),
       fluid_get_ticks(NULL), fluid_min(NULL), fluid_min(now(), NULL),
       fluid_in_range(NULL, now(), now()), fluid_in_range(1, NULL, now())
\gx

-- The address: bits below the generator number are not part of it
SELECT id, (fluid_get_address(id)).node, slot = slot_of_generator AS slot,
       lane = lane_of_generator AS lane
FROM (SELECT last_generator - first_generator + 1 FROM flakeid_status()
      WHERE format = 'fluid') AS s (lanes),
     unnest(ARRAY[0, 1023, 1024, 16776191, 16777215, -1]::bigint[]) AS id,
     LATERAL (SELECT fluid_get_generator(id) / lanes,
                     fluid_get_generator(id) % lanes)
       AS g (slot_of_generator, lane_of_generator),
     fluid_get_address(id);
