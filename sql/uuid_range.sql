--
-- Time ranges use an index and prune partitions
--
SET timezone = 'UTC';
SET datestyle = 'ISO, YMD';
SET enable_seqscan = off;
SET enable_bitmapscan = off;

CREATE TABLE event (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE event_old PARTITION OF event
  FOR VALUES FROM (MINVALUE) TO (uuid_v7_min('2022-01-01 00:00:00+00'));
CREATE TABLE event_2022 PARTITION OF event
  FOR VALUES FROM (uuid_v7_min('2022-01-01 00:00:00+00'))
  TO (uuid_v7_min('2023-01-01 00:00:00+00'));
CREATE TABLE event_2023 PARTITION OF event
  FOR VALUES FROM (uuid_v7_min('2023-01-01 00:00:00+00'))
  TO (uuid_v7_min('2024-01-01 00:00:00+00'));
CREATE TABLE event_new PARTITION OF event
  FOR VALUES FROM (uuid_v7_min('2024-01-01 00:00:00+00')) TO (MAXVALUE);

CREATE TABLE event6 (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE event6_old PARTITION OF event6
  FOR VALUES FROM (MINVALUE) TO (uuid_v6_min('2022-01-01 00:00:00+00'));
CREATE TABLE event6_2022 PARTITION OF event6
  FOR VALUES FROM (uuid_v6_min('2022-01-01 00:00:00+00'))
  TO (uuid_v6_min('2023-01-01 00:00:00+00'));
CREATE TABLE event6_2023 PARTITION OF event6
  FOR VALUES FROM (uuid_v6_min('2023-01-01 00:00:00+00'))
  TO (uuid_v6_min('2024-01-01 00:00:00+00'));
CREATE TABLE event6_new PARTITION OF event6
  FOR VALUES FROM (uuid_v6_min('2024-01-01 00:00:00+00')) TO (MAXVALUE);

-- One id per hour
INSERT INTO event SELECT uuid_v7_from_timestamptz(ts)
FROM generate_series('2021-11-01 00:00:00+00', '2024-02-01 00:00:00+00',
                     interval '1 hour') AS ts;
INSERT INTO event6 SELECT uuid_v6_from_timestamptz(ts)
FROM generate_series('2021-11-01 00:00:00+00', '2024-02-01 00:00:00+00',
                     interval '1 hour') AS ts;
CREATE TABLE event8 (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE event8_2022 PARTITION OF event8
  FOR VALUES FROM (uuid_v8_draft_min('2022-01-01 00:00:00+00', 48))
  TO (uuid_v8_draft_min('2023-01-01 00:00:00+00', 48));
CREATE TABLE event8_2023 PARTITION OF event8
  FOR VALUES FROM (uuid_v8_draft_min('2023-01-01 00:00:00+00', 48))
  TO (uuid_v8_draft_min('2024-01-01 00:00:00+00', 48));
CREATE TABLE event7_draft (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE event7_draft_2022 PARTITION OF event7_draft
  FOR VALUES FROM (uuid_v7_draft_min('2022-01-01 00:00:00+00', 'us'))
  TO (uuid_v7_draft_min('2023-01-01 00:00:00+00', 'us'));
CREATE TABLE event7_draft_2023 PARTITION OF event7_draft
  FOR VALUES FROM (uuid_v7_draft_min('2023-01-01 00:00:00+00', 'us'))
  TO (uuid_v7_draft_min('2024-01-01 00:00:00+00', 'us'));
INSERT INTO event8 SELECT uuid_v8_draft_from_timestamptz(ts, 48)
FROM generate_series('2022-01-01 00:00:00+00', '2023-12-31 23:00:00+00',
                     interval '1 hour') AS ts;
INSERT INTO event7_draft SELECT uuid_v7_draft_from_timestamptz(ts, 'us')
FROM generate_series('2022-01-01 00:00:00+00', '2023-12-31 23:00:00+00',
                     interval '1 hour') AS ts;
ANALYZE event8, event7_draft;
INSERT INTO event SELECT uuid_generate_v7() FROM generate_series(1, 10);
INSERT INTO event6 SELECT uuid_generate_v6() FROM generate_series(1, 10);
ANALYZE event, event6;

-- The conditions: constants, the current time, parameters
CREATE TABLE condition (n integer, relation text, kind text, clause text);
INSERT INTO condition VALUES
  (1, 'event', 'constant', 'uuid_v7_in_range(id, ''2022-06-01 00:00:00+00'', ''2022-06-02 00:00:00+00'')'),
  (2, 'event6', 'constant', 'uuid_v6_in_range(id, ''2022-06-01 00:00:00+00'', ''2022-06-02 00:00:00+00'')'),
  (3, 'event', 'constant', 'id >= uuid_v7_min(''2022-12-31 00:00:00+00'') AND id < uuid_v7_min(''2023-01-01 01:00:00.001+00'')'),
  (4, 'event6', 'constant', 'id >= uuid_v6_min(''2022-12-31 00:00:00+00'') AND id < uuid_v6_min(''2023-01-01 01:00:00.001+00'')'),
  (5, 'event', 'constant', 'id < uuid_timestamptz_to_v7(''2021-11-02 00:00:00+00'', true)'),
  (8, 'event8', 'constant', 'uuid_v8_draft_in_range(id, ''2022-06-01 00:00:00+00'', ''2022-06-02 00:00:00+00'', 48)'),
  (9, 'event7_draft', 'constant', 'uuid_v7_draft_in_range(id, ''2022-06-01 00:00:00+00'', ''2022-06-02 00:00:00+00'', ''us'')'),
  (28, 'event8', 'generic', 'uuid_v8_draft_in_range(id, $1, $2, 48)'),
  (29, 'event7_draft', 'generic', 'uuid_v7_draft_in_range(id, $1, $2, ''us'')'),
  (7, 'event', 'constant', 'id < uuid_timestamp_to_v7(''2021-11-02 00:00:00'', true)'),
  (11, 'event', 'present', 'uuid_v7_in_range(id, now() - interval ''1 hour'', now() + interval ''1 hour'')'),
  (12, 'event6', 'present', 'uuid_v6_in_range(id, now() - interval ''1 hour'', now() + interval ''1 hour'')'),
  (13, 'event', 'present', 'id >= uuid_v7_min(now() - interval ''1 hour'')'),
  (14, 'event6', 'present', 'id >= uuid_v6_min(now() - interval ''1 hour'')'),
  (15, 'event', 'present', 'id >= uuid_timestamptz_to_v7(now() - interval ''1 hour'', true)'),
  (17, 'event', 'present', 'id >= uuid_timestamp_to_v7(localtimestamp - interval ''1 hour'', true)'),
  (21, 'event', 'generic', 'uuid_v7_in_range(id, $1, $2)'),
  (22, 'event6', 'generic', 'uuid_v6_in_range(id, $1, $2)'),
  (23, 'event', 'generic', 'id >= uuid_v7_min($1) AND id < uuid_v7_min($2)'),
  (24, 'event6', 'generic', 'id >= uuid_v6_min($1) AND id < uuid_v6_min($2)'),
  (25, 'event', 'generic', 'id >= uuid_timestamptz_to_v7($1, true) AND id < uuid_timestamptz_to_v7($2, true)');

-- Plan and row count of each condition of a kind
CREATE FUNCTION plans(of_kind text, OUT line text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  c record;
  query text;
  total bigint;
BEGIN
  FOR c IN SELECT * FROM condition WHERE kind = of_kind ORDER BY n LOOP
    line := '-- ' || c.clause;
    RETURN NEXT;
    query := format('SELECT count(*) FROM %I WHERE %s', c.relation, c.clause);
    IF of_kind = 'generic' THEN
      EXECUTE 'PREPARE q (timestamptz, timestamptz) AS ' || query;
      query := 'EXECUTE q (''2022-12-31 00:00:00+00'', ''2023-01-02 00:00:00+00'')';
    END IF;
    RETURN QUERY SELECT * FROM plan_of(query);
    EXECUTE query INTO total;
    line := 'rows: ' || total;
    RETURN NEXT;
    IF of_kind = 'generic' THEN
      DEALLOCATE q;
    END IF;
  END LOOP;
END $$;

\pset format unaligned
\pset tuples_only on

-- At plan time
SELECT * FROM plans('constant');

-- When execution starts
SELECT * FROM plans('present');

-- In a generic plan
SET plan_cache_mode = force_generic_plan;
SELECT * FROM plans('generic');
RESET plan_cache_mode;

-- While a loop runs: the range comes from another relation
SELECT DISTINCT line FROM plan_of($$SELECT count(*)
  FROM generate_series('2022-06-01 00:00:00+00'::timestamptz,
    '2022-06-09 00:00:00+00', '1 day') AS day (ts)
  JOIN event ON uuid_v7_in_range(id, ts, ts + interval '1 day')$$) AS line
WHERE line ~ 'Index Cond';

-- Without zero, uuid_timestamptz_to_v7() is not constant, and no index
-- condition
SELECT * FROM plan_of($$SELECT count(*) FROM event
  WHERE id < uuid_timestamptz_to_v7('2021-11-02 00:00:00+00')$$);

DROP TABLE event, event6, event8, event7_draft, condition;
DROP FUNCTION plans;
