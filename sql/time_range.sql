--
-- Time ranges use an index and prune partitions, in every format
--
SET timezone = 'UTC';
SET datestyle = 'ISO, YMD';
SET enable_seqscan = off;
SET enable_bitmapscan = off;

-- The forms of a range: functions @_min and @_in_range, with another argument or
-- without; and an id of a time, and a new one, for a table of each format
CREATE TABLE form (f text, more text, type regtype, id text, new text);
INSERT INTO form VALUES
  ('fluid', '', 'bigint', 'fluid_from_parts(fluid_get_ticks(fluid_min(ts)), 16383, 1023)',
   'fluid_generate()'),
  ('nanoflake', '', 'bigint', 'nanoflake_from_parts(nanoflake_get_ticks(nanoflake_min(ts)), 0, 0)',
   'nanoflake_generate()'),
  ('ulidflake', '', 'bigint', 'ulidflake_from_parts(ulidflake_get_ticks(ulidflake_min(ts)), 54321)',
   'CASE n % 2 WHEN 0 THEN ulidflake_generate() ELSE ulidflake_scalable_generate() END'),
  ('scru160', '', 'scru160', 'scru160_from_parts(scru160_get_ticks(scru160_min(ts)), 32767,
    ''\x0123456789abcdef01234567'')', 'scru160_generate()'),
  ('uuid_v6', '', 'uuid', 'uuid_v6_from_timestamptz(ts)', 'uuid_generate_v6()'),
  ('uuid_v7', '', 'uuid', 'uuid_v7_from_timestamptz(ts)', 'uuid_generate_v7()'),
  ('uuid_v7_draft', ', ''us''', 'uuid', 'uuid_v7_draft_from_timestamptz(ts, ''us'')',
   'uuid_generate_v7_draft(''us'')'),
  ('uuid_v8_draft', ', 48', 'uuid', 'uuid_v8_draft_from_timestamptz(ts, 48)',
   'uuid_generate_v8_draft(48)');
INSERT INTO form SELECT f, ', ''2024-01-01 00:00:00+00''' FROM form WHERE type = 'bigint'::regtype;

-- A table with one partition per month, an id per hour, and ten generated ids
CREATE FUNCTION make_partitions(f text, more text, type regtype, id text, new text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  from_bound text = 'MINVALUE';
  to_bound text;
  month text;
BEGIN
  EXECUTE format('CREATE TABLE event_%s (id %s PRIMARY KEY) PARTITION BY RANGE (id)', f, type);
  FOREACH month IN ARRAY '{02,03,04,new}'::text[] LOOP
    to_bound := CASE month WHEN 'new' THEN 'MAXVALUE' ELSE
      format('%s_min(''2024-%s-01 00:00:00+00''%s)', f, month, more) END;
    EXECUTE format('CREATE TABLE event_%1$s_%2$s PARTITION OF event_%1$s
                    FOR VALUES FROM (%3$s) TO (%4$s)', f,
                   CASE month WHEN 'new' THEN month ELSE 'to_' || month END,
                   from_bound, to_bound);
    from_bound := to_bound;
  END LOOP;
  EXECUTE format('INSERT INTO event_%s SELECT %s
                  FROM generate_series(''2024-01-15 00:00:00+00'',
                         ''2024-05-15 00:00:00+00''::timestamptz,
                         interval ''1 hour'') AS ts', f, id);
  EXECUTE format('INSERT INTO event_%s SELECT %s FROM generate_series(1, 10) AS n', f, new);
  EXECUTE format('ANALYZE event_%s', f);
END $$;
SELECT count(make_partitions(f, more, type, id, new)) FROM form WHERE type IS NOT NULL;

-- The conditions: constants, which are evaluated at plan time, the current time,
-- which is when execution starts, and parameters of a generic plan.  @ stands for
-- the name of the format, # for the other argument.  Those without @ are of uuid_v7;
-- number 5 is not constant, and no index condition.
CREATE TABLE condition (n integer, kind text, clause text);
INSERT INTO condition VALUES
  (1, 'constant', '@_in_range(id, ''2024-02-10 00:00:00+00'', ''2024-02-11 00:00:00+00''#)'),
  (2, 'constant', 'id >= @_min(''2024-02-29 00:00:00+00''#) AND
    id < @_min(''2024-03-01 01:00:00.001+00''#)'),
  (3, 'constant', 'id < uuid_timestamptz_to_v7(''2024-01-16 00:00:00+00'', true)'),
  (4, 'constant', 'id < uuid_timestamp_to_v7(''2024-01-16 00:00:00'', true)'),
  (5, 'constant', 'id < uuid_timestamptz_to_v7(''2024-01-16 00:00:00.5+00'')'),
  (11, 'present', '@_in_range(id, now() - interval ''1 hour'', now() + interval ''1 hour''#)'),
  (12, 'present', 'id >= @_min(now() - interval ''1 hour''#)'),
  (13, 'present', 'id >= uuid_timestamptz_to_v7(now() - interval ''1 hour'', true)'),
  (14, 'present', 'id >= uuid_timestamp_to_v7(localtimestamp - interval ''1 hour'', true)'),
  (21, 'generic', '@_in_range(id, $1, $2#)'),
  (22, 'generic', 'id >= @_min($1#) AND id < @_min($2#)'),
  (23, 'generic', 'id >= uuid_timestamptz_to_v7($1, true) AND
    id < uuid_timestamptz_to_v7($2, true)');

-- Plan and row count of each condition of a kind; with parameters, also those of a
-- range that ends before it begins, and without an end
CREATE FUNCTION plans(of_kind text, OUT line text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  c record;
  query text;
  total bigint;
  begins text;
  ends text;
BEGIN
  FOR c IN SELECT n, f, replace(replace(clause, '@', f), '#', more) AS clause
           FROM condition, form WHERE kind = of_kind AND (clause ~ '@' OR f = 'uuid_v7')
           ORDER BY n, f COLLATE "C", more LOOP
    line := '-- ' || c.clause;
    RETURN NEXT;
    query := format('SELECT count(*) FROM event_%s WHERE %s', c.f, c.clause);
    IF of_kind = 'generic' THEN
      EXECUTE 'PREPARE q (timestamptz, timestamptz) AS ' || query;
      query := 'EXECUTE q (%L, %L)';
    END IF;
    RETURN QUERY SELECT * FROM plan_of(format(query, '2024-02-29Z', '2024-03-02Z'));
    line := 'rows:';
    FOR begins, ends IN VALUES ('2024-02-29Z', '2024-03-02Z'), ('2024-03-02Z', '2024-02-29Z'),
                               ('2024-02-29Z', NULL) LOOP
      EXECUTE format(query, begins, ends) INTO total;
      line := line || ' ' || total;
      EXIT WHEN of_kind <> 'generic';
    END LOOP;
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
SET plan_cache_mode = force_generic_plan;
SELECT * FROM plans('generic');
RESET plan_cache_mode;

-- While a loop runs: the range comes from another relation
SELECT DISTINCT f COLLATE "C", line FROM form, plan_of(format($$SELECT count(*)
  FROM generate_series('2024-02-01 00:00:00+00'::timestamptz,
    '2024-02-09 00:00:00+00', '1 day') AS day (ts)
  JOIN event_%1$s ON %1$s_in_range(id, ts, ts + interval '1 day'%2$s)$$, f, more)) AS line
WHERE line ~ 'Index Cond' AND type IS NOT NULL ORDER BY 1, 2;

-- An operator of a user compares with another type
CREATE FUNCTION before_day(scru160, integer) RETURNS boolean
  LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN extract(day FROM scru160_to_timestamptz($1)) < $2; END';
CREATE OPERATOR <# (LEFTARG = scru160, RIGHTARG = integer,
                    FUNCTION = before_day, RESTRICT = scalarltsel);
SELECT count(*) FROM event_scru160
WHERE scru160_in_range(id, '2024-02-01 00:00:00+00', '2024-02-05 00:00:00+00') AND id <# 3;

-- A bound that depends on a setting is no constant outside of queries
CREATE TABLE event (id bigint);
SELECT sqlstate_of(format('CREATE INDEX ON event (id) WHERE id >= %s_min(''2026-01-01'')', f))
FROM unnest('{fluid,nanoflake,ulidflake}'::text[]) AS f;

SET client_min_messages = warning;
DROP FUNCTION before_day CASCADE;
DROP TABLE event;
SELECT format('DROP TABLE event_%s', f) FROM form WHERE type IS NOT NULL \gexec
DROP FUNCTION plans, make_partitions;
DROP TABLE condition, form;
