--
-- The extension, and functions that the other tests share
--
SET timezone = 'UTC';
SET datestyle = 'ISO, YMD';

CREATE EXTENSION flakeid;
SELECT obj_description(oid, 'pg_extension') FROM pg_extension
WHERE extname = 'flakeid';

-- The error that the query raised, in one line; or that it raised none
CREATE FUNCTION error_of(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  message text;
  detail text;
  hint text;
BEGIN
  EXECUTE query;
  RETURN 'no error';
EXCEPTION WHEN OTHERS THEN
  GET STACKED DIAGNOSTICS message = MESSAGE_TEXT,
    detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
  RETURN concat_ws(' | ', sqlstate || ': ' || message, nullif(detail, ''),
                   nullif(hint, ''));
END $$;

-- SQLSTATE of the query; 00000 without an error
CREATE FUNCTION sqlstate_of(query text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE query;
  RETURN '00000';
EXCEPTION WHEN OTHERS THEN
  RETURN sqlstate;
END $$;

SELECT error_of('SELECT 1'), error_of('SELECT 1/0'), sqlstate_of('SELECT 1/0');

-- Bits of a uuid as a number: first is counted from 0, width is at most 63
CREATE FUNCTION bits_of(id uuid, first integer, width integer) RETURNS bigint
LANGUAGE sql IMMUTABLE RETURN lpad(
  substring(('x' || replace(id::text, '-', ''))::bit(128)::text,
            first + 1, width), 64, '0')::bit(64)::bigint;

-- The same in the 122 bits that remain without version and variant
CREATE FUNCTION bits122_of(id uuid, first integer, width integer)
RETURNS bigint LANGUAGE sql IMMUTABLE RETURN (
  SELECT lpad(substring(substring(bits, 1, 48) || substring(bits, 53, 12) ||
                        substring(bits, 67), first + 1, width),
              64, '0')::bit(64)::bigint
  FROM (SELECT ('x' || replace(id::text, '-', ''))::bit(128)::text) AS b (bits));

SELECT bits_of('00000000-0000-7000-8000-00000000000f', 48, 4) AS version,
       bits122_of('ffffffff-ffff-7000-8000-00000000000f', 36, 24) AS a,
       bits122_of('00000000-0000-7001-bfff-ffffffffffff', 59, 63) AS b;

-- The uuid of a version with 60 high and 62 low bits
CREATE FUNCTION uuid_of(version integer, high60 bigint, low62 bigint)
RETURNS uuid LANGUAGE sql IMMUTABLE RETURN (
  SELECT (substr(high, 1, 12) || to_hex(version) || substr(high, 13, 3) ||
          lpad(to_hex(low62 | x'8000000000000000'::bigint), 16, '0'))::uuid
  FROM (SELECT lpad(to_hex(high60), 15, '0')) AS h (high));

SELECT uuid_of(7, x'0123456789abcde'::bigint, 1);

-- Instants to and from microseconds since 1970, without floating-point
-- rounding
CREATE FUNCTION unix_us_of(ts timestamptz) RETURNS bigint
LANGUAGE sql IMMUTABLE RETURN (extract(epoch FROM ts) * 1000000)::bigint;

CREATE FUNCTION instant_of(unix_us bigint) RETURNS timestamptz
LANGUAGE sql IMMUTABLE RETURN '1970-01-01 00:00:00+00'::timestamptz +
  make_interval(hours => (unix_us / 3600000000)::integer) +
  unix_us % 3600000000 * interval '1 microsecond';

SELECT instant_of(us) AS instant,
       unix_us_of(instant_of(us)) = us AS back
FROM (VALUES (0), (-1), (1645557742123456), (281474976710655000),
             (-12219292800000000)) AS v (us);

-- Lines of a plan that all majors print alike: index conditions, partitions
-- scanned, and partitions pruned
CREATE FUNCTION plan_of(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  line text;
BEGIN
  FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
    IF line ~ 'Index Cond|Subplans Removed' THEN
      RETURN NEXT trim(line);
    ELSIF line ~ 'Scan' THEN
      RETURN NEXT 'reads ' || substring(line FROM ' on (\w+)');
    END IF;
  END LOOP;
END $$;

-- One row per generator: the expression that reads the time of its ids, and
-- how far that time may be before or after the clock
CREATE TABLE generator (n integer, call text, reader text,
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

-- Generate this number of ids and count those not above the previous id
-- (strictly increasing ids are distinct too), and those whose time is outside
-- the clock readings before and after by more than early or late
CREATE FUNCTION disorder_of(number integer, call text, reader text,
                            early interval, late interval, OUT ids bigint,
                            OUT out_of_order bigint, OUT out_of_time bigint)
LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE 'SELECT count(id), count(*) FILTER (WHERE id <= previous),
             count(*) FILTER (WHERE (' || reader || ' BETWEEN
                              date_trunc(''ms'', before) - $1 AND after + $2)
                              IS NOT TRUE)
           FROM (SELECT before, id, after, lag(id) OVER () FROM
                   (SELECT clock_timestamp(), ' || call || ', clock_timestamp()
                    FROM generate_series(1, $3) AS i)
                   AS g (before, id, after))
             AS o (before, id, after, previous)'
  INTO ids, out_of_order, out_of_time USING early, late, number;
END $$;

-- Create a table of ids with parallel workers, one id per row of the table
-- "source".  Returns whether workers ran, and the number of duplicate ids.
CREATE FUNCTION parallel_ids(call text, OUT workers boolean, OUT ids bigint,
                             OUT repeated bigint) LANGUAGE plpgsql AS $$
DECLARE
  line text;
BEGIN
  DROP TABLE IF EXISTS made_in_parallel;
  FOR line IN EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF)
    CREATE TABLE made_in_parallel AS SELECT ' || call || ' AS id FROM source'
  LOOP
    workers := coalesce(workers,
                        substring(line FROM 'Workers Launched: (\d+)') > '0');
  END LOOP;
  SELECT count(id), count(*) - count(DISTINCT id) FROM made_in_parallel
  INTO ids, repeated;
END $$;
