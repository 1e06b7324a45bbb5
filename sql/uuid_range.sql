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
  FOR VALUES FROM (uuid_v8_draft_min('2022-01-01 00:00:00+00'))
  TO (uuid_v8_draft_min('2023-01-01 00:00:00+00'));
CREATE TABLE event8_2023 PARTITION OF event8
  FOR VALUES FROM (uuid_v8_draft_min('2023-01-01 00:00:00+00'))
  TO (uuid_v8_draft_min('2024-01-01 00:00:00+00'));
CREATE TABLE event7_draft (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE event7_draft_2022 PARTITION OF event7_draft
  FOR VALUES FROM (uuid_v7_draft_min('2022-01-01 00:00:00+00', 'us'))
  TO (uuid_v7_draft_min('2023-01-01 00:00:00+00', 'us'));
CREATE TABLE event7_draft_2023 PARTITION OF event7_draft
  FOR VALUES FROM (uuid_v7_draft_min('2023-01-01 00:00:00+00', 'us'))
  TO (uuid_v7_draft_min('2024-01-01 00:00:00+00', 'us'));
INSERT INTO event8 SELECT uuid_v8_draft_from_timestamptz(ts)
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
  (1, 'event', 'constant', 'uuid_v7_between(id, ''2022-06-01 00:00:00+00'', ''2022-06-02 00:00:00+00'')'),
  (2, 'event6', 'constant', 'uuid_v6_between(id, ''2022-06-01 00:00:00+00'', ''2022-06-02 00:00:00+00'')'),
  (3, 'event', 'constant', 'id >= uuid_v7_min(''2022-12-31 00:00:00+00'') AND id < uuid_v7_min(''2023-01-01 01:00:00.001+00'')'),
  (4, 'event6', 'constant', 'id >= uuid_v6_min(''2022-12-31 00:00:00+00'') AND id < uuid_v6_min(''2023-01-01 01:00:00.001+00'')'),
  (5, 'event', 'constant', 'id < uuid_timestamptz_to_v7(''2021-11-02 00:00:00+00'', true)'),
  (8, 'event8', 'constant', 'uuid_v8_draft_between(id, ''2022-06-01 00:00:00+00'', ''2022-06-02 00:00:00+00'')'),
  (9, 'event7_draft', 'constant', 'uuid_v7_draft_between(id, ''2022-06-01 00:00:00+00'', ''2022-06-02 00:00:00+00'', ''us'')'),
  (28, 'event8', 'generic', 'uuid_v8_draft_between(id, $1, $2)'),
  (29, 'event7_draft', 'generic', 'uuid_v7_draft_between(id, $1, $2, ''us'')'),
  (7, 'event', 'constant', 'id < uuid_timestamp_to_v7(''2021-11-02 00:00:00'', true)'),
  (11, 'event', 'present', 'uuid_v7_between(id, now() - interval ''1 hour'', now() + interval ''1 hour'')'),
  (12, 'event6', 'present', 'uuid_v6_between(id, now() - interval ''1 hour'', now() + interval ''1 hour'')'),
  (13, 'event', 'present', 'id >= uuid_v7_min(now() - interval ''1 hour'')'),
  (14, 'event6', 'present', 'id >= uuid_v6_min(now() - interval ''1 hour'')'),
  (15, 'event', 'present', 'id >= uuid_timestamptz_to_v7(now() - interval ''1 hour'', true)'),
  (17, 'event', 'present', 'id >= uuid_timestamp_to_v7(localtimestamp - interval ''1 hour'', true)'),
  (21, 'event', 'generic', 'uuid_v7_between(id, $1, $2)'),
  (22, 'event6', 'generic', 'uuid_v6_between(id, $1, $2)'),
  (23, 'event', 'generic', 'id >= uuid_v7_min($1) AND id < uuid_v7_min($2)'),
  (24, 'event6', 'generic', 'id >= uuid_v6_min($1) AND id < uuid_v6_min($2)'),
  (25, 'event', 'generic', 'id >= uuid_timestamptz_to_v7($1, true) AND id < uuid_timestamptz_to_v7($2, true)');

-- Plan and row count of each condition of a kind, with the functions of the
-- given schema; operators of the query itself are those of pg_catalog
CREATE FUNCTION plans(of_kind text, schema text DEFAULT 'public',
                      OUT line text)
RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  c record;
  query text;
  total bigint;
BEGIN
  FOR c IN SELECT * FROM public.condition WHERE kind = of_kind ORDER BY n LOOP
    query := format('SELECT count(*) FROM public.%I WHERE ', c.relation) ||
      regexp_replace(regexp_replace(c.clause, '(uuid_v|uuid_timestamp)',
                                    schema || '.\1', 'g'),
                     ' ([<>]=?) ', ' OPERATOR(pg_catalog.\1) ', 'g');
    line := '-- ' || c.clause;
    RETURN NEXT;
    IF of_kind = 'generic' THEN
      EXECUTE 'PREPARE q (pg_catalog.timestamptz, pg_catalog.timestamptz)
        AS ' || query;
      query := 'EXECUTE q (''2022-12-31 00:00:00+00'', ''2023-01-02 00:00:00+00'')';
    END IF;
    RETURN QUERY SELECT * FROM public.plan_of(query);
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
  JOIN event ON uuid_v7_between(id, ts, ts + interval '1 day')$$) AS line
WHERE line ~ 'Index Cond';

-- Without zero, uuid_timestamptz_to_v7() is not constant, and no index
-- condition
SELECT * FROM plan_of($$SELECT count(*) FROM event
  WHERE id < uuid_timestamptz_to_v7('2021-11-02 00:00:00+00')$$);

-- With the extension in a schema outside the search_path
CREATE SCHEMA elsewhere;
ALTER EXTENSION flakeid SET SCHEMA elsewhere;
SELECT * FROM plans('constant', 'elsewhere');
SELECT * FROM plans('present', 'elsewhere');
SET plan_cache_mode = force_generic_plan;
SELECT * FROM plans('generic', 'elsewhere');
RESET plan_cache_mode;
ALTER EXTENSION flakeid SET SCHEMA public;
DROP SCHEMA elsewhere;

-- With a hostile schema first in the search_path, even before pg_catalog: its
-- objects reverse every comparison and bound and shift every time zone
CREATE SCHEMA hostile;
CREATE FUNCTION hostile.always(uuid, uuid) RETURNS boolean
  LANGUAGE sql IMMUTABLE RETURN true;
CREATE OPERATOR hostile.>= (LEFTARG = uuid, RIGHTARG = uuid,
                            FUNCTION = hostile.always);
CREATE OPERATOR hostile.< (LEFTARG = uuid, RIGHTARG = uuid,
                           FUNCTION = hostile.always);
CREATE FUNCTION hostile.uuid_v7_min(timestamptz) RETURNS uuid
  LANGUAGE sql IMMUTABLE RETURN 'ffffffff-ffff-7fff-bfff-ffffffffffff'::uuid;
CREATE FUNCTION hostile.uuid_v6_min(timestamptz) RETURNS uuid
  LANGUAGE sql IMMUTABLE RETURN 'ffffffff-ffff-6fff-bfff-ffffffffffff'::uuid;
CREATE FUNCTION hostile.uuid_v7_from_timestamptz(timestamptz) RETURNS uuid
  LANGUAGE sql IMMUTABLE RETURN 'ffffffff-ffff-7fff-bfff-ffffffffffff'::uuid;
CREATE FUNCTION hostile.uuid_v6_from_timestamptz(timestamptz) RETURNS uuid
  LANGUAGE sql IMMUTABLE RETURN 'ffffffff-ffff-6fff-bfff-ffffffffffff'::uuid;
CREATE FUNCTION hostile.timezone(text, timestamp) RETURNS timestamptz
  LANGUAGE sql IMMUTABLE RETURN 'infinity'::timestamptz;
CREATE FUNCTION hostile.text_of(uuid) RETURNS text
  LANGUAGE sql IMMUTABLE RETURN 'a text';
CREATE CAST (uuid AS text) WITH FUNCTION hostile.text_of AS IMPLICIT;
CREATE DOMAIN hostile.uuid AS text;
CREATE DOMAIN hostile.timestamptz AS text;

-- The plan lines and rows that do not depend on how names are printed
CREATE FUNCTION hostile_plans(of_kind text, schema text DEFAULT 'public')
RETURNS SETOF text LANGUAGE sql AS $$
  SELECT regexp_replace(line, '^Index Cond.*', 'Index Cond')
  FROM public.plans(of_kind, schema) AS line $$;

SET search_path = hostile, pg_catalog, public;

-- The hostile objects do work ...
SELECT uuid_v7_min('2022-06-01 00:00:00+00'::pg_catalog.timestamptz),
       '00000000-0000-0000-0000-000000000000'::pg_catalog.uuid >=
       'ffffffff-ffff-ffff-ffff-ffffffffffff'::pg_catalog.uuid,
       timezone('UTC'::text, '2022-06-01'::timestamp);

-- ... but not inside the extension
SELECT * FROM public.hostile_plans('constant');
SELECT * FROM public.hostile_plans('present');
SET plan_cache_mode = force_generic_plan;
SELECT * FROM public.hostile_plans('generic');
RESET plan_cache_mode;
SELECT public.uuid_v7_to_timestamptz(
         public.uuid_timestamp_to_v7('2022-06-01 00:00:00'));

-- The same when the extension is created in another schema under this
-- search_path
BEGIN;
DROP EXTENSION flakeid;
CREATE SCHEMA other;
CREATE EXTENSION flakeid SCHEMA other;
SELECT * FROM public.hostile_plans('constant', 'other');
SELECT other.uuid_v7_to_timestamptz(
         other.uuid_timestamp_to_v7('2022-06-01 00:00:00'));
ROLLBACK;

-- Created in the hostile schema itself, it does not replace existing objects,
-- ...
SELECT substr(public.error_of('DROP EXTENSION flakeid;
  CREATE EXTENSION flakeid SCHEMA hostile'), 1, 5);

-- ... and where no name collides, it uses nothing of that schema
BEGIN;
DROP EXTENSION flakeid;
DROP FUNCTION hostile.uuid_v7_min, hostile.uuid_v6_min,
  hostile.uuid_v7_from_timestamptz, hostile.uuid_v6_from_timestamptz;
CREATE EXTENSION flakeid SCHEMA hostile;
SELECT * FROM public.hostile_plans('constant', 'hostile');
SELECT hostile.uuid_v7_to_timestamptz(
         hostile.uuid_timestamp_to_v7('2022-06-01 00:00:00'));
ROLLBACK;

RESET search_path;
SET client_min_messages = warning;
DROP SCHEMA hostile CASCADE;
DROP TABLE event, event6, event8, event7_draft, condition;
DROP FUNCTION plans, hostile_plans;
