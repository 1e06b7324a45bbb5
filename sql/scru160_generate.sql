--
-- SCRU160: generators
--
SET timezone = 'UTC';
SET datestyle = 'ISO, YMD';

-- Ids have the current time; the us form has the microsecond in its counter
SELECT count(*) AS made,
       count(*) FILTER (WHERE scru160_to_timestamptz(id) BETWEEN
         date_trunc('milliseconds', before) AND clock_timestamp()) AS of_now
FROM (SELECT clock_timestamp() AS before, scru160_generate() AS id
      FROM generate_series(1, 1000)) AS s;
SELECT pg_sleep(0.005);
SELECT count(*) AS made,
       count(*) FILTER (WHERE made BETWEEN before AND clock_timestamp())
         AS of_now
FROM (SELECT before, scru160_us_to_timestamptz(id) AS made
      FROM (SELECT clock_timestamp() AS before, scru160_us_generate() AS id
            FROM generate_series(1, 1000)) AS s) AS t;

-- Neither disturbs the other
SELECT pg_sleep(0.005);
SELECT count(*) FILTER (WHERE made BETWEEN before AND clock_timestamp()) AS of_now
FROM (SELECT before, plain, scru160_us_to_timestamptz(id) AS made
      FROM (SELECT scru160_generate() AS plain, clock_timestamp() AS before, scru160_us_generate() AS id
            FROM generate_series(1, 1000)) AS s) AS t;

-- ... and so each keeps its order alone (order.sql), but both mixed have none within a
-- millisecond
SELECT count(*) FILTER (WHERE id < previous) > 0 AS out_of_order
FROM (SELECT id, lag(id) OVER (ORDER BY i) AS previous
      FROM (SELECT i, CASE i % 2 WHEN 0 THEN scru160_generate() ELSE scru160_us_generate() END AS id
            FROM generate_series(1, 10000) AS i) AS g) AS s;

-- Ids of a given time: the generators neither remember such ids nor continue from them
CREATE TEMP TABLE of_a_time AS
SELECT scru160_to_text(scru160_from_timestamptz('2024-01-01 00:00:00.123456+00'), 'hex') AS plain,
       scru160_to_text(scru160_us_from_timestamptz('2024-01-01 00:00:00.123456+00'), 'hex') AS us
FROM generate_series(1, 2000);
SELECT count(DISTINCT plain) AS plain, count(DISTINCT us) AS us,
       count(*) FILTER (WHERE scru160_to_timestamptz(plain::scru160) =
         timestamptz '2024-01-01 00:00:00.123+00') AS of_ms,
       count(*) FILTER (WHERE scru160_us_to_timestamptz(us::scru160) =
         timestamptz '2024-01-01 00:00:00.123456+00') AS of_us
FROM of_a_time;
SELECT count(*) AS not_of_now
FROM (SELECT scru160_from_timestamptz('9999-01-01') AS later,
             scru160_us_from_timestamptz('9999-01-01') AS later_us,
             scru160_generate() AS id FROM generate_series(1, 10)) AS s
WHERE scru160_to_timestamptz(id) > clock_timestamp() + interval '1 min' OR
      scru160_to_timestamptz(later) <> timestamptz '9999-01-01' OR
      scru160_us_to_timestamptz(later_us) <> timestamptz '9999-01-01';
