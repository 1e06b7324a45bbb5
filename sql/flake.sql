--
-- FLUID, Nanoflake and Ulid-Flake: reading, building from parts, bounds and ranges
--
SET timezone = 'UTC';
SET datestyle = 'ISO, YMD';
\set epoch '''2024-01-01 00:00:00+00''::timestamptz'

CREATE TEMP TABLE fluid (unsigned numeric, id bigint, ms bigint, generator integer,
  sequence integer, "time" timestamptz, f58 text, f58_ascii text, hex text, dothex text,
  words text, emoji text);
\copy fluid from program 'cat "$PG_ABS_SRCDIR/test/vectors/fluid.tsv"' with (header)
CREATE TEMP TABLE nanoflake (id bigint, ms bigint, generator integer,
  sequence integer, "time" timestamptz, base36 text);
\copy nanoflake from program 'cat "$PG_ABS_SRCDIR/test/vectors/nanoflake.tsv"' with (header)
CREATE TEMP TABLE ulidflake (id bigint, text text, ms bigint, random20 integer,
  random15 integer, scalability integer, "time" timestamptz);
\copy ulidflake from program 'cat "$PG_ABS_SRCDIR/test/vectors/ulidflake.tsv"' with (header)

-- FLUIDs are negative from 2^39 ms on
SELECT count(*), count(*) FILTER (WHERE ms >= 1::bigint << 39) AS late,
       count(*) FILTER (WHERE id < 0) AS negative
FROM fluid;
SELECT (SELECT count(*) FROM nanoflake) AS nanoflake, (SELECT count(*) FROM ulidflake) AS ulidflake;

-- No rows: reading parts, and building from them
SELECT * FROM fluid
WHERE fluid_get_generator(id) IS DISTINCT FROM generator OR
      fluid_get_sequence(id) IS DISTINCT FROM sequence OR
      fluid_from_parts(ms, generator, sequence) IS DISTINCT FROM id OR
      id IS DISTINCT FROM
        unsigned - CASE WHEN id < 0 THEN 2::numeric ^ 64 ELSE 0 END;
SELECT * FROM nanoflake
WHERE nanoflake_get_generator(id) IS DISTINCT FROM generator OR
      nanoflake_get_sequence(id) IS DISTINCT FROM sequence OR
      nanoflake_from_parts(ms, generator, sequence) IS DISTINCT FROM id;
SELECT * FROM ulidflake
WHERE ulidflake_get_random(id) IS DISTINCT FROM random20 OR
      ulidflake_scalable_get_random(id) IS DISTINCT FROM random15 OR
      ulidflake_scalable_get_scalability(id) IS DISTINCT FROM scalability OR
      ulidflake_from_parts(ms, random20) IS DISTINCT FROM id OR
      ulidflake_scalable_from_parts(ms, random15, scalability) IS DISTINCT FROM id;

-- The low bits of each format, those of the time of a generator, and the last
-- microsecond of that time
CREATE TEMP TABLE format (f text, low_bits integer, time_bits integer, last timestamptz);
INSERT INTO format VALUES
  ('fluid', 24, 39, '2041-06-02 21:56:53.887999+00'),
  ('nanoflake', 22, 41, '2093-09-06 15:47:35.551999+00'),
  ('ulidflake', 20, 43, '2302-09-27 15:10:22.207999+00');

-- No rows: the time
SELECT format('SELECT * FROM %1$s
WHERE %1$s_to_timestamptz(id) IS DISTINCT FROM "time" OR
      %1$s_to_timestamptz(id, %2$L) IS DISTINCT FROM "time" OR
      unix_us_of("time") IS DISTINCT FROM unix_us_of(%2$L) + ms * 1000 OR
      %1$s_get_ticks(id) IS DISTINCT FROM ms', f, :epoch) FROM format \gexec

-- No rows: bounds are those of the millisecond
SELECT format('SELECT * FROM %1$s, (VALUES (0), (1), (999)) AS v (us),
     LATERAL (SELECT "time" + us * interval ''1 us'') AS t (ts)
WHERE ms < 1::bigint << %3$s AND
      (%1$s_min(ts) IS DISTINCT FROM ms << %4$s OR
       %1$s_min(ts, %2$L) IS DISTINCT FROM ms << %4$s)', f, :epoch, time_bits, low_bits)
FROM format \gexec

-- Up to the last millisecond of the field
SELECT format('SELECT %1$s_min(%3$L) AS last, %1$s_min(%3$L, %2$L) AS by_epoch,
       %1$s_min(%3$L::timestamptz + interval ''1 us'') AS beyond, %1$s_min(%2$L) AS least',
       f, :epoch, last) FROM format \gexec
-- The time of a negative id is beyond all bounds, as no range could include it
SELECT fluid_min("time"), fluid_min("time", :epoch) AS by_epoch, count(*) FROM fluid
WHERE ms >= 1::bigint << 39 GROUP BY 1, 2;
SELECT fluid_from_parts(1::bigint << 39, 0, 0) AS by_hand,
       fluid_from_parts((1::bigint << 40) - 1, 16383, 1023) AS greatest,
       nanoflake_from_parts((1::bigint << 41) - 1, 1023, 4095) AS greatest;

-- Other epochs, near and far; ids count milliseconds from the epoch
CREATE TEMP TABLE epoch (n integer, epoch timestamptz);
INSERT INTO epoch VALUES
  (1, '4714-11-24 00:00:00+00 BC'), (2, '0001-01-01 00:00:00+00 BC'),
  (3, '1969-12-31 23:59:59.999+00'), (4, '1970-01-01 00:00:00+00'),
  (5, '1999-12-31 23:59:59.999+00'), (6, '2000-01-01 00:00:00.001+00'),
  (7, '2030-06-15 12:00:00.123+02'), (8, '293950-01-01 00:00:00+00');
SELECT format('SELECT * FROM epoch, %1$s
WHERE unix_us_of(%1$s_to_timestamptz(id, epoch)) IS DISTINCT FROM
        unix_us_of(epoch) + ms * 1000 OR
      ms < 1::bigint << %2$s AND
      %1$s_min(%1$s_to_timestamptz(id, epoch), epoch) IS DISTINCT FROM ms << %3$s',
       f, time_bits, low_bits) FROM format \gexec
SELECT format('SELECT epoch, %1$s_to_timestamptz(1::bigint << %2$s, epoch) AS after_1_ms,
       %1$s_min(epoch - interval ''1 us'', epoch) AS before
FROM epoch WHERE n > 1 ORDER BY n', f, low_bits) FROM format \gexec
SELECT * FROM epoch, ulidflake
WHERE ulidflake_from_timestamptz(ulidflake_to_timestamptz(id, epoch), epoch) >> 20
        IS DISTINCT FROM ms OR
      ulidflake_scalable_from_timestamptz(ulidflake_to_timestamptz(id, epoch), epoch) >> 20
        IS DISTINCT FROM ms;

-- An epoch is finite and a whole number of milliseconds
SELECT call, sqlstate_of(format(call, '''infinity''')) AS infinite,
       sqlstate_of(format(call, '''2024-01-01 00:00:00.0005+00''')) AS fraction
FROM format, unnest(ARRAY['to_timestamptz(1, %s)', 'explain(1, %s)', 'min(now(), %s)',
  'in_range(1, now(), now(), %s)'] || CASE f WHEN 'ulidflake' THEN ARRAY[
  'from_timestamptz(now(), %s)', 'scalable_from_timestamptz(now(), %s)'] END) AS c (name),
  LATERAL (SELECT 'SELECT ' || f || '_' || name) AS v (call)
ORDER BY call COLLATE "C";

-- The address: bits below the generator number are not part of it
SELECT format('SELECT id, (%1$s_get_address(id)).node, slot = slot_of_generator AS slot,
       lane = lane_of_generator AS lane
FROM (SELECT last_generator - first_generator + 1 FROM flakeid_status()
      WHERE format = %1$L) AS s (lanes), unnest(%2$L::bigint[]) AS id,
     LATERAL (SELECT %1$s_get_generator(id) / lanes, %1$s_get_generator(id) %% lanes)
       AS g (slot_of_generator, lane_of_generator),
     %1$s_get_address(id)', f, ids)
FROM (VALUES ('fluid', '{0,1023,1024,16776191,16777215,-1}'),
             ('nanoflake', '{0,4095,4096,4190207,4194303}')) AS v (f, ids) \gexec
