--
-- Partitions of every format: routing of rows, a default partition, order without a
-- sort
--
SET timezone = 'UTC';
SET datestyle = 'ISO, YMD';
SET enable_seqscan = off;
SET enable_bitmapscan = off;
SET enable_sort = off;

-- One partition per month and a default one.  Filled with the smallest
-- id of each boundary, of the milliseconds before and after it, and of a time within
-- the month.
CREATE FUNCTION make_partitions(f text, type regtype) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE TABLE part_%s (id %s PRIMARY KEY)
                  PARTITION BY RANGE (id)', f, type);
  FOR month IN 2 .. 4 LOOP
    EXECUTE format('CREATE TABLE part_%1$s_%2$s PARTITION OF part_%1$s
                    FOR VALUES FROM (%1$s_min(''2026-%2$s-01 00:00:00+00''))
                    TO (%1$s_min(''2026-%3$s-01 00:00:00+00''))',
                   f, month, month + 1);
  END LOOP;
  EXECUTE format('CREATE TABLE part_%1$s_rest PARTITION OF part_%1$s DEFAULT', f);
  EXECUTE format('INSERT INTO part_%1$s
    SELECT id FROM generate_series(2, 5) AS month,
      make_timestamptz(2026, month, 1, 0, 0, 0, ''UTC'') AS ts,
      LATERAL (VALUES (%1$s_min(ts)), (%1$s_min(ts + interval ''1 ms'')),
        (%1$s_min(ts - interval ''1 ms'')),
        (%1$s_min(ts + interval ''10 days''))) AS v (id)', f);
  EXECUTE format('ANALYZE part_%s', f);
END $$;
CREATE TABLE format (f text, type regtype);
INSERT INTO format VALUES ('fluid', 'bigint'), ('nanoflake', 'bigint'),
  ('scru160', 'scru160'), ('ulidflake', 'bigint'), ('uuid_v6', 'uuid'),
  ('uuid_v7', 'uuid');
SELECT count(make_partitions(f, type)) FROM format;

-- Contents of each partition, ids in order; the result is the same for all
-- formats
CREATE FUNCTION content(f text) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY EXECUTE format('
    SELECT replace(tableoid::regclass::text, ''part_%1$s_'', '''') || '': '' ||
      string_agg(to_char(%2$s_to_timestamptz(id), ''MM-DD HH24:MI:SS.MS''), '', '' ORDER BY id)
    FROM part_%1$s GROUP BY tableoid ORDER BY 1', f, replace(f, '_v6', ''));
END $$;
SELECT line, string_agg(f, ' ' ORDER BY f)
FROM format, content(f) AS line GROUP BY line ORDER BY line COLLATE "C";

-- The partitions in a query's plan, and the node that combines them
CREATE FUNCTION shape(f text, query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  line text;
  result text = '';
BEGIN
  FOR line IN EXECUTE 'EXPLAIN (COSTS off) ' || replace(query, '@', f) LOOP
    result := result || coalesce(' ' || substring(line, 'Merge Append|Append|Sort$'), '')
      || coalesce(' ' || substring(line, ' on part_' || f || '_([a-z0-9]+)'), '');
  END LOOP;
  RETURN result;
END $$;
CREATE TABLE query (n integer, query text);
INSERT INTO query VALUES
  (4, 'SELECT FROM part_@ WHERE id >= @_min(''2026-04-10 00:00:00+00'')'),
  (5, 'SELECT FROM part_@ WHERE id = @_min(''2026-03-11 00:00:00+00'')'),
  (6, 'SELECT FROM part_@ WHERE id IN (@_min(''2026-02-11 00:00:00+00''), @_min(''2026-04-11 00:00:00+00''))');
SELECT n, shape(f, query), string_agg(f, ' ' ORDER BY f)
FROM query, format WHERE f NOT IN ('fluid', 'nanoflake', 'ulidflake') GROUP BY 1, 2 ORDER BY 1, 2;

-- FLUID, Nanoflake and Ulid-Flake with a given epoch
SELECT n, shape(f, regexp_replace(query, '''\)', ''', ''2024-01-01 00:00:00+00'')', 'g')),
  string_agg(f, ' ' ORDER BY f)
FROM query, format WHERE f IN ('fluid', 'nanoflake', 'ulidflake') GROUP BY 1, 2 ORDER BY 1, 2;

-- Order takes a merge with a default partition, and none without it
SELECT shape(f, 'SELECT id FROM part_@ ORDER BY id DESC LIMIT 10'),
  string_agg(f, ' ' ORDER BY f) FROM format GROUP BY 1;
DO $$
DECLARE
  f text;
BEGIN
  FOR f IN SELECT format.f FROM format LOOP
    EXECUTE format('DROP TABLE part_%s_rest', f);
  END LOOP;
END $$;
SELECT shape(f, 'SELECT id FROM part_@ ORDER BY id DESC LIMIT 10'),
  string_agg(f, ' ' ORDER BY f) FROM format GROUP BY 1;

-- An id outside all partitions is rejected, and so is an overlapping partition
SELECT sqlstate_of(format('INSERT INTO part_%1$s VALUES (%1$s_min(''2026-07-01 00:00:00+00''))', f)),
  sqlstate_of(format('CREATE TABLE part_over PARTITION OF part_%1$s
    FOR VALUES FROM (%1$s_min(''2026-04-30 23:59:59.999+00'')) TO (MAXVALUE)', f)),
  string_agg(f, ' ' ORDER BY f)
FROM format GROUP BY 1, 2;

-- Attaching a table reads no row of it if a CHECK implies the bounds: a range, a
-- bound with an epoch, or a literal, but not a bound that depends on a setting
CREATE FUNCTION attach(f text, type regtype, condition text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE TABLE attached (id %s NOT NULL) PARTITION BY RANGE (id)', type);
  EXECUTE format('CREATE TABLE %s_old (LIKE attached, CHECK (%s))', f, condition);
  SET LOCAL client_min_messages = debug1;
  EXECUTE format('ALTER TABLE attached ATTACH PARTITION %1$s_old
    FOR VALUES FROM (%1$s_min(''2026-01-01Z'')) TO (%1$s_min(''2026-02-01Z''))', f);
  SET LOCAL client_min_messages = notice;
  DROP TABLE attached;
END $$;
SELECT count(attach(f, type, f || $$_in_range(id, '2026-01-01Z', '2026-02-01Z')$$)) AS between
FROM format WHERE type <> 'bigint'::regtype;
SELECT count(attach(f, type, format($$id >= %1$s_min('2026-01-01Z', '2024-01-01Z') AND
  id < %1$s_min('2026-02-01Z', '2024-01-01Z')$$, f))) AS with_epoch
FROM format WHERE type = 'bigint'::regtype;
SELECT count(attach(f, type, format('id >= %s AND id < %s', bound, bound + (744 * 3600000::bigint << bits)))) AS literal
FROM (VALUES ('fluid', 'bigint'::regtype, fluid_min('2026-01-01Z'), 24), ('nanoflake', 'bigint', nanoflake_min('2026-01-01Z'), 22),
  ('ulidflake', 'bigint', ulidflake_min('2026-01-01Z'), 20)) AS l (f, type, bound, bits);
SELECT count(attach(f, type, format($$id >= %1$s_min('2026-01-01Z') AND id < %1$s_min('2026-02-01Z')$$, f))) AS with_setting
FROM format WHERE type = 'bigint'::regtype;

SET client_min_messages = warning;
DROP TABLE part_fluid, part_nanoflake, part_scru160, part_ulidflake,
  part_uuid_v6, part_uuid_v7, format, query;
DROP FUNCTION make_partitions, content, shape, attach;
