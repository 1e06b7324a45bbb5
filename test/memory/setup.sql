--
-- Setup of script/memory: many calls of every function of the extension
--
-- The calls are built from the catalog, so that new functions are included; a
-- function with unknown arguments is a failure.
--
CREATE EXTENSION flakeid;

-- Ids as arguments of reading functions: not constants, which would be folded
CREATE TABLE sample AS
SELECT n, uuid_v6_to_v1(uuid_generate_v6()) AS v1, uuid_generate_v6() AS v6,
  uuid_generate_v7() AS v7, uuid_generate_v7_draft() AS draft,
  uuid_generate_v8() AS v8, fluid_generate() AS fluid,
  nanoflake_generate() AS nanoflake, ulidflake_generate() AS ulidflake,
  now() - n * interval '1 second' AS ts, interval '1 day' AS shift,
  n % 2 = 0 AS flag, n AS number, 48 AS timestamp_bits, 'ms' AS unit,
  timestamptz '2024-01-01 00:00:00+00' AS epoch, '\x00'::bytea AS bytes
FROM generate_series(1, 100) AS n;

DO $$
BEGIN
  IF to_regtype('scru160') IS NOT NULL THEN
    ALTER TABLE sample ADD COLUMN scru160 scru160;
    UPDATE sample SET scru160 = scru160_generate();
  END IF;
END
$$;
VACUUM (FULL, ANALYZE) sample;

-- The column of an id: the longest name that is a prefix of the function's
CREATE FUNCTION id_column(function text) RETURNS text LANGUAGE sql AS $$
SELECT col FROM (VALUES ('uuid', 'v7'), ('uuid_v1', 'v1'), ('uuid_v6', 'v6'),
  ('uuid_v7', 'v7'), ('uuid_v7_draft', 'draft'), ('uuid_v8', 'v8'),
  ('fluid', 'fluid'), ('nanoflake', 'nanoflake'), ('ulidflake', 'ulidflake'),
  ('scru160', 'scru160')) AS v (name, col)
WHERE starts_with(function, name) ORDER BY length(name) DESC LIMIT 1
$$;

-- An expression over a row of sample; NULL if none is known
CREATE FUNCTION argument(function text, name text, type text) RETURNS text
LANGUAGE sql AS $$
SELECT CASE
  WHEN name = 'id' OR type = 'scru160' THEN 's.' || id_column(function)
  WHEN type = 'timestamp with time zone' AND name = 'epoch' THEN 's.epoch'
  WHEN type = 'timestamp with time zone' THEN 's.ts'
  WHEN type = 'timestamp without time zone' THEN $x$s.ts AT TIME ZONE 'UTC'$x$
  WHEN type = 'interval' THEN 's.shift'
  WHEN type = 'boolean' THEN 's.flag'
  WHEN name = 'timestamp_bits' THEN 's.timestamp_bits'
  WHEN name = 'unit' THEN 's.unit'
  WHEN starts_with(function, 'fluid') AND name = 'form' THEN $x$'words'$x$
  WHEN name = 'form' THEN $x$'hex'$x$
  WHEN name = 'radix' THEN '36'
  WHEN function IN ('fluid_from_text', 'fluid_text_form') THEN 'fluid_to_text(s.fluid, ''words'')'
  WHEN name = 't' THEN format('%s(s.%s)', replace(function, '_from_', '_to_'),
    id_column(function))
  WHEN name = 'scalability' OR name = 'generator' OR name = 'sequence' OR
    name = 'counter' OR type = 'integer' THEN 's.number % 32'
  WHEN type = 'bigint' THEN 's.number::bigint'
  WHEN function = 'uuid_v6_from_parts' THEN 'uuid_v6_get_node(s.v6)'
  WHEN function = 'uuid_v7_from_parts' THEN 'uuid_v7_get_rand_b(s.v7)'
  WHEN function = 'uuid_v7_draft_from_parts' THEN 'uuid_v7_draft_get_node(s.draft, s.unit)'
  WHEN function = 'uuid_v8_from_parts' THEN 'uuid_v8_get_node(s.v8, s.timestamp_bits)'
  WHEN function IN ('scru160_from_parts', 'scru160_us_from_parts') THEN
    'scru160_get_random(s.scru160)'
  WHEN function = 'scru160_from_bytea' THEN 's.scru160::bytea'
  WHEN function = 'scru160_in' THEN 'textout(scru160_to_text(s.scru160, ''hex''))'
END
$$;

-- Every function of the extension, except aggregates and those with internal
-- arguments, which only the server can call
CREATE TABLE call AS
SELECT p.oid, p.oid::regprocedure::text AS name, proname, lanname = 'sql' AS inlined,
  -- A subquery is evaluated for each row, a function in FROM only once.
  CASE WHEN proretset
    THEN '(SELECT count(*) FROM (SELECT %s WHERE s.n > 0) AS f)'
    ELSE '%s' END AS shape,
  (SELECT coalesce(string_agg(coalesce(argument(proname, proargnames[i],
    format_type(proargtypes[i - 1], NULL)), '?'), ', ' ORDER BY i), '')
    FROM generate_series(1, pronargs) AS i) AS arguments
FROM pg_depend AS d
JOIN pg_extension AS e ON e.oid = refobjid AND extname = 'flakeid'
JOIN pg_proc AS p ON p.oid = d.objid
JOIN pg_language AS l ON l.oid = prolang
WHERE d.classid = 'pg_proc'::regclass AND
  refclassid = 'pg_extension'::regclass AND d.deptype = 'e' AND
  prokind = 'f' AND NOT proargtypes::oid[] @> ARRAY['internal'::regtype::oid];
ALTER TABLE call ADD COLUMN expression text;
UPDATE call SET expression = format(shape, format('%s(%s)', proname, arguments));

-- Also calls with invalid input, which raise errors
CREATE TABLE refusal (expression text);
INSERT INTO refusal VALUES
('uuid_v6_to_timestamptz(s.v7)'), ('uuid_v7_min(''infinity'')'),
('uuid_generate_v8(s.number + 100)'), ('uuid_generate_v7_draft(''minute'')'),
('fluid_from_f58(''f0OIl'')'), ('fluid_from_text(''0xg'', ''hex'')'),
('fluid_from_text(''1.2.3'', ''dothex'')'), ('fluid_from_text(''no-such-word-here-or-there'', ''words'')'),
('fluid_from_text(''job.1'', ''kvs'')'), ('fluid_to_text(s.fluid, ''base 58'')'),
('fluid_from_text(''x'', ''emoji'')'), ('fluid_from_text(''99999999999999999999'', ''dec'')'),
('fluid_from_text('''')'), ('nanoflake_from_text(''-'')'),
('nanoflake_from_text('' - '')'), ('ulidflake_from_text('' '')'),
('scru160_from_text('' W '')'), ('scru160_us_to_timestamptz(''VVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVV'')'),
('ulidflake_from_text(''UUUUUUUUUUUUU'')'),
('uuid_from_text(''8ZZZZZZZZZZZZZZZZZZZZZZZZZ'')'), ('uuid_from_text(''0'', ''base58'')'),
('nanoflake_to_timestamptz(-s.nanoflake)'), ('ulidflake_from_timestamptz(''-infinity'')'),
('nanoflake_from_parts(1, 99999, 1)'), ('ulidflake_from_timestamptz(''infinity'')'),
('ulidflake_min(s.ts, ''infinity'')'), ('flakeid_raise_floor(''infinity'')'),
('flakeid_raise_floor(''2200-01-01'')');

-- Private memory of this process, in bytes; the rest is shared or files
CREATE FUNCTION resident() RETURNS bigint LANGUAGE sql AS $$
SELECT 1024 * substring(pg_read_file('/proc/self/status')
  FROM 'RssAnon:\s+(\d+) kB')::bigint
$$;

-- Memory in the server's memory contexts
CREATE FUNCTION contexts() RETURNS bigint LANGUAGE sql AS $$
SELECT sum(used_bytes)::bigint FROM pg_backend_memory_contexts
$$;

CREATE TABLE figure (n serial, how text, what text, calls bigint,
  seconds numeric, resident bigint, contexts bigint);

-- All calls of one function
CREATE PROCEDURE call_all(statement text, returns_set boolean, rounds bigint)
LANGUAGE plpgsql AS $$
DECLARE
  ignored bigint;
BEGIN
  -- The server itself keeps something for each call of a function that
  -- returns a set, as its own pg_cursor() shows, until the statement ends.
  IF returns_set THEN
    FOR i IN 1..rounds / 10 LOOP
      EXECUTE statement INTO ignored USING 10;
    END LOOP;
  ELSE
    EXECUTE statement INTO ignored USING rounds;
  END IF;
END
$$;

-- Each function, all calls within one transaction.  If the session has grown
-- above the bound, the calls are repeated: the heap may grow once, but a leak
-- grows again.
CREATE PROCEDURE in_one_transaction(calls bigint, bound bigint)
LANGUAGE plpgsql AS $$
DECLARE
  c call;
  statement text;
  rounds bigint := calls / 100;
  ignored bigint;
  before bigint;
  held bigint;
  grown bigint;
  grown_held bigint;
  began timestamptz;
BEGIN
  -- Allocate what the measurement itself keeps.
  PERFORM contexts(), resident();
  FOR c IN SELECT * FROM call ORDER BY oid LOOP
    statement := format('SELECT count(%s) FROM generate_series(1, $1) AS n
      CROSS JOIN sample AS s', c.expression);
    FOR i IN 1..10 LOOP
      EXECUTE statement INTO ignored USING greatest(rounds / 100, 10);
    END LOOP;
    FOR try IN 1..2 LOOP
      held := contexts();
      before := resident();
      began := clock_timestamp();
      CALL call_all(statement, c.shape LIKE '(%', rounds);
      grown := resident() - before;
      grown_held := contexts() - held;
      EXIT WHEN greatest(grown, grown_held) <= bound;
    END LOOP;
    INSERT INTO figure (how, what, calls, seconds, resident, contexts)
    VALUES ('in one transaction', c.name, 100 * rounds,
      extract(epoch FROM clock_timestamp() - began), grown, grown_held);
  END LOOP;
END
$$;

-- One procedure per format: each function once in a transaction
CREATE FUNCTION make_procedures() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  format text;
  expressions text;
BEGIN
  FOR format, expressions IN
    SELECT split_part(proname, '_', 1), string_agg(expression, ', ' ORDER BY oid)
    FROM call GROUP BY 1
  LOOP
    EXECUTE format($x$
      CREATE PROCEDURE all_of_%s(n bigint) LANGUAGE plpgsql AS $y$
      BEGIN
        FOR i IN 1..n LOOP
          PERFORM %s FROM sample AS s WHERE s.n = 1 + i %% 100;
          COMMIT;
        END LOOP;
      END
      $y$ $x$, format, expressions);
  END LOOP;
END
$$;

-- Each error once in a transaction
CREATE FUNCTION make_refusals() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format($x$
    CREATE PROCEDURE all_refusals(n bigint) LANGUAGE plpgsql AS $y$
    BEGIN
      FOR i IN 1..n LOOP
        %s
        COMMIT;
      END LOOP;
    END
    $y$ $x$, (SELECT string_agg(format($z$
      BEGIN
        PERFORM %s FROM sample AS s WHERE s.n = 1;
        RAISE assert_failure USING MESSAGE = 'not refused: ' || %L;
      EXCEPTION WHEN data_exception THEN
      END; $z$, expression, expression), '') FROM refusal));
END
$$;
SELECT make_procedures(), make_refusals();

-- The server's call counts; inlined functions are not called.
CREATE VIEW counted AS
SELECT name, coalesce(pg_stat_get_function_calls(oid), 0) AS calls
FROM call WHERE NOT inlined;
