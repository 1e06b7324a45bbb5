--
-- Time ranges use an index and prune partitions: FLUID, Nanoflake, Ulid-Flake
--
SET timezone = 'UTC';
SET datestyle = 'ISO, YMD';
SET enable_seqscan = off;
SET enable_bitmapscan = off;

-- For each format: a table with one partition per month, one id per hour built
-- from its parts, and ten generated ids
CREATE FUNCTION make_partitions(f text, parts text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  from_bound text = 'MINVALUE';
  to_bound text;
  month text;
BEGIN
  EXECUTE format('CREATE TABLE event_%s (id bigint PRIMARY KEY)
                  PARTITION BY RANGE (id)', f);
  FOREACH month IN ARRAY '{02,03,04,new}'::text[] LOOP
    to_bound := CASE month WHEN 'new' THEN 'MAXVALUE' ELSE
      format('%s_min(''2024-%s-01 00:00:00+00'')', f, month) END;
    EXECUTE format('CREATE TABLE event_%1$s_%2$s PARTITION OF event_%1$s
                    FOR VALUES FROM (%3$s) TO (%4$s)', f,
                   CASE month WHEN 'new' THEN month ELSE 'to_' || month END,
                   from_bound, to_bound);
    from_bound := to_bound;
  END LOOP;
  EXECUTE format('INSERT INTO event_%1$s SELECT %1$s_from_parts(%1$s_get_ticks(%1$s_min(ts)), %2$s)
                  FROM generate_series(''2024-01-15 00:00:00+00'',
                         ''2024-05-15 00:00:00+00''::timestamptz,
                         interval ''1 hour'') AS ts', f, parts);
  EXECUTE format('INSERT INTO event_%1$s SELECT %1$s_generate()
                  FROM generate_series(1, 10)', f);
  EXECUTE format('ANALYZE event_%s', f);
END $$;
SELECT make_partitions('fluid', '16383, 1023'),
       make_partitions('nanoflake', '0, 0'),
       make_partitions('ulidflake', '54321');
INSERT INTO event_ulidflake SELECT ulidflake_scalable_generate()
FROM generate_series(1, 10);

-- The conditions: constants, which are evaluated at plan time, the current time,
-- and parameters.  @ stands for the name of the format.
CREATE TABLE condition (n integer, kind text, with_epoch boolean, clause text);
INSERT INTO condition VALUES
  (1, 'constant', true, '@_between(id, ''2024-02-10 00:00:00+00'', ''2024-02-11 00:00:00+00'', ''2024-01-01 00:00:00+00'')'),
  (2, 'constant', true, 'id >= @_min(''2024-02-29 00:00:00+00'', ''2024-01-01 00:00:00+00'') AND id < @_min(''2024-03-01 01:00:00.001+00'', ''2024-01-01 00:00:00+00'')'),
  (3, 'constant', false, '@_between(id, ''2024-02-10 00:00:00+00'', ''2024-02-11 00:00:00+00'')'),
  (4, 'constant', false, 'id >= @_min(''2024-02-29 00:00:00+00'') AND id < @_min(''2024-03-01 01:00:00.001+00'')'),
  (11, 'present', false, '@_between(id, now() - interval ''1 hour'', now() + interval ''1 hour'')'),
  (12, 'present', true, '@_between(id, now() - interval ''1 hour'', now() + interval ''1 hour'', ''2024-01-01 00:00:00+00'')'),
  (13, 'present', false, 'id >= @_min(now() - interval ''1 hour'')'),
  (14, 'present', true, 'id >= @_min(now() - interval ''1 hour'', ''2024-01-01 00:00:00+00'')'),
  (21, 'generic', false, '@_between(id, $1, $2)'),
  (22, 'generic', true, '@_between(id, $1, $2, ''2024-01-01 00:00:00+00'')'),
  (23, 'generic', false, 'id >= @_min($1) AND id < @_min($2)'),
  (24, 'generic', true, 'id >= @_min($1, ''2024-01-01 00:00:00+00'') AND id < @_min($2, ''2024-01-01 00:00:00+00'')');

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
  FOR c IN SELECT * FROM public.condition,
             pg_catalog.unnest('{fluid,nanoflake,ulidflake}'::pg_catalog.text[]) AS f
           WHERE kind = of_kind
           ORDER BY n, f LOOP
    query := format('SELECT count(*) FROM public.event_%s WHERE ', c.f) ||
      regexp_replace(replace(c.clause, '@', schema || '.' || c.f),
                     ' ([<>]=?) ', ' OPERATOR(pg_catalog.\1) ', 'g');
    line := '-- ' || replace(c.clause, '@', c.f);
    RETURN NEXT;
    IF of_kind = 'generic' THEN
      EXECUTE 'PREPARE q (pg_catalog.timestamptz, pg_catalog.timestamptz)
        AS ' || query;
      query := 'EXECUTE q (''2024-02-29 00:00:00+00'', ''2024-03-02 00:00:00+00'')';
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

SELECT * FROM plans('constant');
SELECT * FROM plans('present');

-- In a generic plan
SET plan_cache_mode = force_generic_plan;
SELECT * FROM plans('generic');
RESET plan_cache_mode;

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
-- operators reverse every comparison and bound
CREATE SCHEMA hostile;
CREATE FUNCTION hostile.always(bigint, bigint) RETURNS boolean
  LANGUAGE sql IMMUTABLE RETURN true;
CREATE OPERATOR hostile.>= (LEFTARG = bigint, RIGHTARG = bigint,
                            FUNCTION = hostile.always);
CREATE OPERATOR hostile.< (LEFTARG = bigint, RIGHTARG = bigint,
                           FUNCTION = hostile.always);
CREATE FUNCTION hostile.fluid_min(timestamptz) RETURNS bigint
  LANGUAGE sql IMMUTABLE RETURN 9223372036854775807;
CREATE FUNCTION hostile.fluid_min(timestamptz, timestamptz) RETURNS bigint
  LANGUAGE sql IMMUTABLE RETURN 9223372036854775807;
CREATE FUNCTION hostile.nanoflake_min(timestamptz) RETURNS bigint
  LANGUAGE sql IMMUTABLE RETURN 9223372036854775807;
CREATE FUNCTION hostile.nanoflake_min(timestamptz, timestamptz) RETURNS bigint
  LANGUAGE sql IMMUTABLE RETURN 9223372036854775807;
CREATE FUNCTION hostile.ulidflake_min(timestamptz) RETURNS bigint
  LANGUAGE sql IMMUTABLE RETURN 9223372036854775807;
CREATE FUNCTION hostile.ulidflake_min(timestamptz, timestamptz) RETURNS bigint
  LANGUAGE sql IMMUTABLE RETURN 9223372036854775807;
CREATE DOMAIN hostile.bigint AS text;
CREATE DOMAIN hostile.timestamptz AS text;

-- The plan lines and rows that do not depend on how names are printed
CREATE FUNCTION hostile_plans(of_kind text, schema text DEFAULT 'public')
RETURNS SETOF text LANGUAGE sql AS $$
  SELECT regexp_replace(line, '^Index Cond.*', 'Index Cond')
  FROM public.plans(of_kind, schema) AS line $$;

SET search_path = hostile, pg_catalog, public;

-- The hostile operators do work ...
SELECT fluid_min('2024-02-10 00:00:00+00'::pg_catalog.timestamptz),
       0::pg_catalog.int8 >= 1::pg_catalog.int8;

-- ... but not inside the extension
SELECT * FROM public.hostile_plans('constant');
SELECT * FROM public.hostile_plans('present');
SET plan_cache_mode = force_generic_plan;
SELECT * FROM public.hostile_plans('generic');
RESET plan_cache_mode;

-- The same when the extension is created in another schema under this
-- search_path
BEGIN;
DROP EXTENSION flakeid;
CREATE SCHEMA other;
CREATE EXTENSION flakeid SCHEMA other;
SELECT * FROM public.hostile_plans('constant', 'other');
ROLLBACK;

-- Created in the hostile schema itself, it does not replace existing objects,
-- ...
SELECT substr(public.error_of('DROP EXTENSION flakeid;
  CREATE EXTENSION flakeid SCHEMA hostile'), 1, 5);

-- ... and where no name collides, it uses nothing of that schema
BEGIN;
DROP EXTENSION flakeid;
DROP FUNCTION hostile.fluid_min(pg_catalog.timestamptz),
  hostile.fluid_min(pg_catalog.timestamptz, pg_catalog.timestamptz),
  hostile.nanoflake_min(pg_catalog.timestamptz),
  hostile.nanoflake_min(pg_catalog.timestamptz, pg_catalog.timestamptz),
  hostile.ulidflake_min(pg_catalog.timestamptz),
  hostile.ulidflake_min(pg_catalog.timestamptz, pg_catalog.timestamptz);
CREATE EXTENSION flakeid SCHEMA hostile;
SELECT * FROM public.hostile_plans('constant', 'hostile');
ROLLBACK;

RESET search_path;
SET client_min_messages = warning;
DROP SCHEMA hostile CASCADE;
DROP TABLE event_fluid, event_nanoflake, event_ulidflake, condition;
DROP FUNCTION plans, hostile_plans, make_partitions;
