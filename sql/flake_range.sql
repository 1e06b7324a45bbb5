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
  (1, 'constant', true, '@_in_range(id, ''2024-02-10 00:00:00+00'', ''2024-02-11 00:00:00+00'', ''2024-01-01 00:00:00+00'')'),
  (2, 'constant', true, 'id >= @_min(''2024-02-29 00:00:00+00'', ''2024-01-01 00:00:00+00'') AND id < @_min(''2024-03-01 01:00:00.001+00'', ''2024-01-01 00:00:00+00'')'),
  (3, 'constant', false, '@_in_range(id, ''2024-02-10 00:00:00+00'', ''2024-02-11 00:00:00+00'')'),
  (4, 'constant', false, 'id >= @_min(''2024-02-29 00:00:00+00'') AND id < @_min(''2024-03-01 01:00:00.001+00'')'),
  (11, 'present', false, '@_in_range(id, now() - interval ''1 hour'', now() + interval ''1 hour'')'),
  (12, 'present', true, '@_in_range(id, now() - interval ''1 hour'', now() + interval ''1 hour'', ''2024-01-01 00:00:00+00'')'),
  (13, 'present', false, 'id >= @_min(now() - interval ''1 hour'')'),
  (14, 'present', true, 'id >= @_min(now() - interval ''1 hour'', ''2024-01-01 00:00:00+00'')'),
  (21, 'generic', false, '@_in_range(id, $1, $2)'),
  (22, 'generic', true, '@_in_range(id, $1, $2, ''2024-01-01 00:00:00+00'')'),
  (23, 'generic', false, 'id >= @_min($1) AND id < @_min($2)'),
  (24, 'generic', true, 'id >= @_min($1, ''2024-01-01 00:00:00+00'') AND id < @_min($2, ''2024-01-01 00:00:00+00'')');

-- Plan and row count of each condition of a kind
CREATE FUNCTION plans(of_kind text, OUT line text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  c record;
  query text;
  total bigint;
BEGIN
  FOR c IN SELECT * FROM condition, unnest('{fluid,nanoflake,ulidflake}'::text[]) AS f
           WHERE kind = of_kind ORDER BY n, f LOOP
    line := '-- ' || replace(c.clause, '@', c.f);
    RETURN NEXT;
    query := format('SELECT count(*) FROM event_%s WHERE ', c.f) || replace(c.clause, '@', c.f);
    IF of_kind = 'generic' THEN
      EXECUTE 'PREPARE q (timestamptz, timestamptz) AS ' || query;
      query := 'EXECUTE q (''2024-02-29 00:00:00+00'', ''2024-03-02 00:00:00+00'')';
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

SELECT * FROM plans('constant');
SELECT * FROM plans('present');

-- In a generic plan
SET plan_cache_mode = force_generic_plan;
SELECT * FROM plans('generic');
RESET plan_cache_mode;

DROP TABLE event_fluid, event_nanoflake, event_ulidflake, condition;
DROP FUNCTION plans, make_partitions;

-- A bound that depends on a setting is no constant outside of queries
CREATE TABLE event (id bigint);
SELECT sqlstate_of(format('CREATE INDEX ON event (id) WHERE id >= %s_min(''2026-01-01'')', f))
FROM unnest('{fluid,nanoflake,ulidflake}'::text[]) AS f;
DROP TABLE event;
