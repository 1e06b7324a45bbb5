--
-- What the specifications require of each generated id, read from its bits
-- alone: version, variant, time, counter, and random bits
--
SET timezone = 'UTC';

-- 4,000 ids of each generator, and of functions for a given time, in the order of
-- generation
CREATE TEMP TABLE generator (name text PRIMARY KEY, call text, version text);
INSERT INTO generator VALUES
  ('v6', 'uuid_generate_v6()', '6'),
  ('v7', 'uuid_generate_v7()', '7'),
  ('v7 shifted', 'uuid_generate_v7(''0'')', '7'),
  ('draft ms', 'uuid_generate_v7_draft(''ms'')', '7'),
  ('draft us', 'uuid_generate_v7_draft(''us'')', '7'),
  ('draft ns', 'uuid_generate_v7_draft(''ns'')', '7'),
  ('v8 32', 'uuid_generate_v8_draft(32)', '8'),
  ('v8 48', 'uuid_generate_v8_draft(48)', '8'),
  ('v8 60', 'uuid_generate_v8_draft(60)', '8'),
  ('v8 64', 'uuid_generate_v8_draft(64)', '8'),
  ('v6 of a time', 'uuid_v6_from_timestamptz(clock_timestamp())', '6'),
  ('v7 of a time', 'uuid_v7_from_timestamptz(clock_timestamp())', '7'),
  ('draft of a time', 'uuid_v7_draft_from_timestamptz(clock_timestamp(), ''us'')', '7'),
  ('v8 of a time', 'uuid_v8_draft_from_timestamptz(clock_timestamp(), 60)', '8'),
  ('scru160', 'scru160_generate()', NULL),
  ('scru160 us', 'scru160_us_generate()', NULL),
  ('scru160 of a time', 'scru160_from_timestamptz(clock_timestamp())', NULL),
  ('scru160 us of a time', 'scru160_us_from_timestamptz(clock_timestamp())', NULL),
  ('fluid', 'fluid_generate()', NULL),
  ('nanoflake', 'nanoflake_generate()', NULL),
  ('ulidflake', 'ulidflake_generate()', NULL),
  ('ulidflake scalable', 'ulidflake_scalable_generate()', NULL),
  ('ulidflake of a time', 'ulidflake_from_timestamptz(clock_timestamp())', NULL),
  ('ulidflake scalable of a time', 'ulidflake_scalable_from_timestamptz(clock_timestamp())', NULL);
CREATE TEMP TABLE made (name text, n integer, before timestamptz, bits varbit, after timestamptz);
DO $$
DECLARE
  g generator;
BEGIN
  FOR g IN SELECT * FROM generator LOOP
    EXECUTE format('INSERT INTO made SELECT %L, i, before, (%s)::varbit, after
      FROM (SELECT i, clock_timestamp(), %s, clock_timestamp() FROM generate_series(1, 4000) AS i)
        AS g (i, before, id, after)', g.name,
      CASE WHEN g.name ~ 'scru160' THEN '''x'' || scru160_to_text(id, ''hex'')'
           WHEN g.version IS NULL THEN 'id::bit(64)'
           ELSE '''x'' || replace(id::text, ''-'', '''')' END, g.call);
  END LOOP;
END $$;

-- RFC 9562, 4.1 and 4.2: variant and version
SELECT name, count(*) AS ids, count(*) FILTER (WHERE substring(bits FROM 65 FOR 2) = B'10') AS variant_10,
       count(*) FILTER (WHERE substring(bits FROM 49 FOR 4) = version::integer::bit(4)) AS of_version
FROM made JOIN generator USING (name) WHERE version IS NOT NULL GROUP BY name ORDER BY name;
-- A random node is no hardware address (6.10)
SELECT name, count(*) AS ids, sum(get_bit(bits, 87)) AS multicast FROM made
WHERE name ~ '^v6' GROUP BY name ORDER BY name;

-- The time, in milliseconds of the format; 64-bit ids can be ahead for a while
-- after a start
CREATE FUNCTION pg_temp.number_of(bits varbit, first integer, width integer) RETURNS bigint
LANGUAGE sql RETURN lpad(substring(bits FROM first + 1 FOR width)::text, 64, '0')::bit(64)::bigint;
SELECT name, count(*) AS ids,
       count(*) FILTER (WHERE at BETWEEN date_trunc('ms', before) - interval '1 s' AND after + interval '32 s') AS of_now
FROM made, LATERAL (SELECT CASE
  WHEN name ~ '^v6' THEN timestamptz '1582-10-15' + interval '1 us' *
    ((pg_temp.number_of(bits, 0, 48) << 12 | pg_temp.number_of(bits, 52, 12)) / 10)
  WHEN name ~ '^(v7|scru160|v8 48)' THEN to_timestamp(pg_temp.number_of(bits, 0, 48) / 1000.0)
  WHEN name ~ '^draft' THEN to_timestamp(pg_temp.number_of(bits, 0, 36))
  WHEN name = 'v8 32' THEN to_timestamp(pg_temp.number_of(bits, 0, 32))
  WHEN name = 'v8 64' THEN to_timestamp((pg_temp.number_of(bits, 0, 48) << 12 | pg_temp.number_of(bits, 52, 12)) / (1e9 / 16))
  WHEN name ~ '^v8' THEN to_timestamp((pg_temp.number_of(bits, 0, 48) << 12 | pg_temp.number_of(bits, 52, 12)) / 1e8)
  WHEN name = 'fluid' THEN timestamptz '2024-01-01' + interval '1 ms' * pg_temp.number_of(bits, 0, 40)
  WHEN name = 'nanoflake' THEN timestamptz '2024-01-01' + interval '1 ms' * pg_temp.number_of(bits, 0, 42)
  ELSE timestamptz '2024-01-01' + interval '1 ms' * pg_temp.number_of(bits, 0, 44) END) AS t (at)
GROUP BY name ORDER BY name;

-- RFC 9562, 6.2, and SCRU160: each id is greater than the last, and the counter of
-- SCRU160 counts in the millisecond
SELECT name, count(*) FILTER (WHERE bits <= previous) AS not_greater
FROM (SELECT name, bits, lag(bits) OVER (PARTITION BY name ORDER BY n) AS previous FROM made
      WHERE name !~ 'of a time' AND name !~ '^ulidflake') AS s
GROUP BY name HAVING count(*) FILTER (WHERE bits <= previous) > 0;
SELECT count(*) > 100 AS counted, count(DISTINCT counter - previous) AS steps, min(counter - previous) AS step
FROM (SELECT ms, counter, lag(ms) OVER w AS previous_ms, lag(counter) OVER w AS previous
      FROM (SELECT n, pg_temp.number_of(bits, 0, 48), pg_temp.number_of(bits, 48, 16) FROM made
            WHERE name = 'scru160') AS c (n, ms, counter) WINDOW w AS (ORDER BY n)) AS s
WHERE ms = previous_ms;

-- The random bits.  The node of version 6 has its multicast bit (6.10); a
-- sequence, counter or order within a tick leaves only the first id of each.
CREATE TEMP TABLE field (name text, first integer, last integer, each_id boolean);
INSERT INTO field VALUES
  ('v6', 80, 86, true), ('v6', 88, 127, true), ('v6', 66, 79, false),
  ('v6 of a time', 66, 86, true), ('v6 of a time', 88, 127, true),
  ('v7', 66, 127, false), ('v7 shifted', 66, 127, false), ('v7 of a time', 66, 127, true),
  ('draft ms', 66, 127, true), ('draft us', 80, 127, true), ('draft ns', 88, 127, true),
  ('draft of a time', 80, 127, true), ('v8 of a time', 74, 127, true),
  ('v8 32', 66, 127, true), ('v8 48', 66, 127, true), ('v8 60', 74, 127, true), ('v8 64', 74, 127, true),
  ('scru160', 64, 159, true), ('scru160 us', 64, 159, true), ('scru160 of a time', 48, 159, true),
  ('scru160 us of a time', 58, 159, true),
  ('ulidflake of a time', 44, 63, true), ('ulidflake scalable of a time', 44, 58, true);
CREATE TEMP TABLE random_part AS
SELECT name, n, string_agg(substring(bits FROM first + 1 FOR last - first + 1)::text, '' ORDER BY first)::varbit AS bits
FROM (SELECT *, substring(bits FROM 1 FOR 64) IS DISTINCT FROM
                lag(substring(bits FROM 1 FOR 64)) OVER (PARTITION BY name ORDER BY n) AS is_first FROM made) AS m
JOIN field USING (name)
WHERE each_id OR is_first GROUP BY name, n;
-- A generator whose ids share most ticks has fewer
DELETE FROM random_part AS r USING (
  SELECT name, max(length(bits)) AS bits FROM random_part GROUP BY name) AS l
WHERE r.name = l.name AND length(r.bits) < l.bits;
SELECT name, max(length(bits)) AS bits, count(*) > 2000 AS enough
FROM random_part GROUP BY name ORDER BY name;

-- No rows: each bit is 0 as often as 1, each pair of bits differs as often as
-- not, and so do an id and the next one, within 7 standard deviations, which one
-- run in a hundred million exceeds.  Pairs once for each layout of random bits.
CREATE FUNCTION pg_temp.is_fair(ones numeric, n bigint) RETURNS boolean
LANGUAGE sql RETURN abs(ones - n * 0.5) < 7 * sqrt(n * 0.25);
SELECT name, i AS bit FROM random_part, generate_series(0, 159) AS i
WHERE i < length(bits) GROUP BY name, i HAVING NOT pg_temp.is_fair(sum(get_bit(bits, i)), count(*));
SELECT name, d AS distance FROM random_part, generate_series(1, 159) AS d
WHERE d < length(bits) AND name IN ('v6', 'v6 of a time', 'v7', 'draft us', 'v8 60', 'scru160', 'ulidflake of a time')
GROUP BY name, d
HAVING NOT pg_temp.is_fair(sum(bit_count(substring(bits FROM d + 1) # substring(bits FOR length(bits) - d))),
                           sum(length(bits) - d)::bigint);
SELECT name FROM (
  SELECT name, bits, lag(bits) OVER (PARTITION BY name ORDER BY n) AS previous FROM random_part) AS s
WHERE previous IS NOT NULL GROUP BY name
HAVING NOT pg_temp.is_fair(sum(bit_count(bits # previous)), sum(length(bits))::bigint);
