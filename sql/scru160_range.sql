--
-- SCRU160: time ranges use an index and prune partitions
--
SET timezone = 'UTC';
SET datestyle = 'ISO, YMD';
SET enable_seqscan = off;
SET enable_bitmapscan = off;

CREATE TABLE reading (id scru160 PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE reading_old PARTITION OF reading
  FOR VALUES FROM (MINVALUE) TO (scru160_min('2022-01-01 00:00:00+00'));
CREATE TABLE reading_2022 PARTITION OF reading
  FOR VALUES FROM (scru160_min('2022-01-01 00:00:00+00'))
  TO (scru160_min('2023-01-01 00:00:00+00'));
CREATE TABLE reading_2023 PARTITION OF reading
  FOR VALUES FROM (scru160_min('2023-01-01 00:00:00+00'))
  TO (scru160_min('2024-01-01 00:00:00+00'));
CREATE TABLE reading_new PARTITION OF reading
  FOR VALUES FROM (scru160_min('2024-01-01 00:00:00+00')) TO (MAXVALUE);

-- One id per hour, and ten ids of now
INSERT INTO reading
SELECT scru160_from_parts(scru160_get_ticks(scru160_min(ts)), 32767,
                          '\x0123456789abcdef01234567')
FROM generate_series('2021-11-01 00:00:00+00', '2024-02-01 00:00:00+00',
                     interval '1 hour') AS ts;
INSERT INTO reading SELECT scru160_generate() FROM generate_series(1, 10);
ANALYZE reading;

-- Plan and row count
CREATE FUNCTION pg_temp.range(query text) RETURNS SETOF text
LANGUAGE plpgsql AS $$
DECLARE
  total bigint;
BEGIN
  RETURN QUERY SELECT * FROM public.plan_of(query);
  EXECUTE query INTO total;
  RETURN NEXT 'rows: ' || total;
END $$;

\pset format unaligned
\pset tuples_only on

-- At plan time
SELECT * FROM pg_temp.range('SELECT count(*) FROM reading WHERE
  scru160_in_range(id, ''2022-06-01 00:00:00+00'', ''2022-06-02 00:00:00+00'')');
SELECT * FROM pg_temp.range('SELECT count(*) FROM reading WHERE
  id >= scru160_min(''2022-12-31 00:00:00+00'') AND
  id < scru160_min(''2023-01-01 01:00:00.001+00'')');

-- When execution starts
SELECT * FROM pg_temp.range('SELECT count(*) FROM reading WHERE
  scru160_in_range(id, now() - interval ''1 hour'', now() + interval ''1 hour'')');

-- In a generic plan
SET plan_cache_mode = force_generic_plan;
PREPARE q (timestamptz, timestamptz) AS
SELECT count(*) FROM reading WHERE scru160_in_range(id, $1, $2);
SELECT * FROM pg_temp.range(
  'EXECUTE q (''2022-12-31 00:00:00+00'', ''2023-01-02 00:00:00+00'')');
EXECUTE q ('2023-01-02 00:00:00+00', '2022-12-31 00:00:00+00');
EXECUTE q ('2022-12-31 00:00:00+00', NULL);
RESET plan_cache_mode;

-- While a loop runs: the range comes from another relation
SELECT DISTINCT line FROM plan_of($$SELECT count(*)
  FROM generate_series('2022-06-01 00:00:00+00'::timestamptz,
    '2022-06-09 00:00:00+00', '1 day') AS day (ts)
  JOIN reading ON scru160_in_range(id, ts, ts + interval '1 day')$$) AS line
WHERE line ~ 'Index Cond';

-- An operator of a user compares with another type
CREATE FUNCTION before_day(scru160, integer) RETURNS boolean
  LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN extract(day FROM scru160_to_timestamptz($1)) < $2; END';
CREATE OPERATOR <# (LEFTARG = scru160, RIGHTARG = integer,
                    FUNCTION = before_day, RESTRICT = scalarltsel);
SELECT count(*) FROM reading
WHERE scru160_in_range(id, '2022-06-01 00:00:00+00', '2022-06-05 00:00:00+00') AND id <# 3;

SET client_min_messages = warning;
DROP FUNCTION before_day CASCADE;
DROP TABLE reading;
