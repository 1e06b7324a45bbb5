--
-- contrib/flakeid_read.sql: returns the same results as the extension
--
SET client_encoding = 'UTF8';
SET client_min_messages = warning;
\getenv srcdir PG_ABS_SRCDIR
\set file :srcdir '/contrib/flakeid_read.sql'
\getenv random_values RANDOM_VALUES
\if :{?random_values}
\else
\set random_values 2000
\endif

CREATE SCHEMA reader;
SET search_path = reader;
\set ECHO none
\i :file
\set ECHO all
RESET search_path;

-- No rows: names, arguments, results and labels are those of the extension;
-- bytea stands for the type scru160
CREATE TEMP VIEW reading AS
  SELECT oid, proname, pronamespace::regnamespace::text AS schema,
    replace(pg_get_function_identity_arguments(oid), 'reader.', '') AS arguments,
    replace(pg_get_function_result(oid), 'reader.', '') AS result,
    pg_get_function_arguments(oid) LIKE '%DEFAULT%' AS has_default,
    provolatile, proparallel, proisstrict
  FROM pg_proc
  WHERE pronamespace = 'reader'::regnamespace OR EXISTS (
    SELECT FROM pg_depend WHERE classid = 'pg_proc'::regclass AND objid = pg_proc.oid
      AND refclassid = 'pg_extension'::regclass AND deptype = 'e' AND
      refobjid = (SELECT oid FROM pg_extension WHERE extname = 'flakeid'));

SELECT proname, arguments, result, has_default, provolatile, proparallel,
  proisstrict
FROM reading WHERE schema = 'reader' AND proname NOT LIKE 'flakeid\_read\_%'
EXCEPT
SELECT proname, arguments, result, has_default, provolatile, proparallel,
  proisstrict
FROM reading WHERE schema = 'public'
ORDER BY 1, 2;

-- No rows: the file leaves out the generators, the functions of the type,
-- those that need a server with flakeid, and the explain functions
SELECT proname, arguments FROM reading AS e
WHERE schema = 'public' AND provolatile <> 'v' AND
  proname ~ '^(uuid|fluid|nanoflake|ulidflake|scru160)_' AND
  proname !~ '^scru160_(in|out|send|recv|eq|ne|lt|le|gt|ge|cmp|sortsupport|hash|hash_extended|smaller|larger|rangesel)$' AND
  proname NOT LIKE '%\_from\_parts' AND proname NOT LIKE '%\_get\_address' AND
  proname NOT LIKE '%\_explain' AND
  NOT EXISTS (SELECT FROM reading AS r WHERE schema = 'reader' AND
    (r.proname, r.arguments) = (e.proname, e.arguments))
ORDER BY 1, 2;

-- Ids, instants and texts: every vector, and random ones.  Mismatches are
-- printed with their input, so the seed need not be known.
CREATE TEMP TABLE cell (field text);
\copy cell from program 'cd "$PG_ABS_SRCDIR/test/vectors" && tail -qn +2 [fnu]*.tsv scru160.tsv invalid.tsv | tr "\\t" "\\n"'

CREATE TEMP VIEW random_value AS
  SELECT n, md5(n || clock_timestamp()::text) AS hex
  FROM generate_series(1, least(:random_values, 2000)) AS n;

-- Most of them of versions that have readers
CREATE TEMP TABLE uuids AS
  SELECT id, vector, uuid_get_version(id) AS version
  FROM (
    SELECT DISTINCT field::uuid, true FROM cell
    WHERE field ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
    UNION ALL
    SELECT CASE n % 5 WHEN 0 THEN hex ELSE overlay(overlay(hex
        PLACING substr('1678', n % 5, 1) FROM 13)
        PLACING substr('89ab', n / 5 % 4 + 1, 1) FROM 17) END::uuid, false
    FROM random_value) AS u (id, vector);

CREATE TEMP TABLE ids AS
  SELECT id, vector, timestamptz '1970-01-01 00:00:00+00' +
    abs(hashint8(id)::bigint) * interval '1 ms' AS epoch
  FROM (
    SELECT DISTINCT field::numeric::bigint, true FROM cell
    WHERE field ~ '^-?[0-9]{1,19}$' AND
      field::numeric BETWEEN -9223372036854775808 AND 9223372036854775807
    UNION ALL
    SELECT ('x' || left(hex, 16))::bit(64)::bigint >> n % 7 * 8, false
    FROM random_value) AS i (id, vector);

-- Anywhere in timestamptz, in the range of UUIDv6, and in the next decades
CREATE TEMP TABLE instants AS
  SELECT DISTINCT field::timestamptz AS ts, true AS vector FROM cell
  WHERE field ~ '^-?[0-9]+-[0-9][0-9]-[0-9][0-9][ T]'
  UNION ALL
  SELECT unnest(ARRAY['-infinity', 'infinity', '4714-11-24 00:00:00.000001+00 BC',
    '294276-12-31 23:59:59.998999+00', '294276-12-31 23:59:59.999+00',
    '294276-12-31 23:59:59.999999+00']::timestamptz[]), true
  UNION ALL
  SELECT reader.flakeid_read_instant(CASE n % 3
    WHEN 0 THEN -12219292800000000 + (bits >> 7 & (1::bigint << 57) - 1)
    WHEN 1 THEN 1704067200000000 + (bits & (1::bigint << 50) - 1)
    ELSE (bits & (1::bigint << 62) - 1) - 200000000000000000 END), false
  FROM (SELECT n, ('x' || left(hex, 16))::bit(64)::bigint FROM random_value)
    AS r (n, bits);

CREATE TEMP TABLE scru160s AS
  SELECT hex, vector, hex::scru160 AS c_id, decode(hex, 'hex')::reader.scru160 AS r_id
  FROM (
    SELECT DISTINCT field, true FROM cell WHERE field ~ '^[0-9a-f]{40}$'
    UNION ALL
    SELECT hex || left(md5(hex), 8), false FROM random_value) AS h (hex, vector);

-- Good texts, bad texts, and good ones with a character changed or added
CREATE TEMP TABLE texts AS
  SELECT DISTINCT field AS t, true AS vector FROM cell
  WHERE field !~ '^[0-9a-f]{8}-[-0-9a-f]{27}$' AND field !~ '^[0-9]{4,5}-'
  UNION
  SELECT overlay(form PLACING substr('0Ol-. zfƒ👩Uu=', hash % 14 + 1, 1)
    FROM hash % length(form) + 1 FOR hash % 2), false
  FROM (SELECT id FROM ids WHERE NOT vector AND id >= 0 LIMIT 400) AS i,
    unnest(ARRAY[fluid_to_f58(id), fluid_to_hex(id), fluid_to_dothex(id),
      fluid_to_kvs(id), fluid_to_words(id), translate(fluid_to_words(id), '-', ' '),
      fluid_to_emoji(id), fluid_to_decimal(id),
      nanoflake_to_base36(id), ulidflake_to_text(id), E' \t' || nanoflake_to_text(id),
      ulidflake_to_text(id) || E'\n\x0B\f\r ',
      E'\n' || rpad(ulidflake_to_text(id), 32, 'V') || ' ',
      uuid_to_base32(md5(id::text)::uuid), uuid_to_base58(md5(id::text)::uuid)])
      AS forms (form),
    abs(hashint8(id) / 2) AS hash;

-- Calls of the extension and of the file: @ is the schema, # a scru160.  Calls
-- on "sound" rows of the table must raise no error.
CREATE TEMP TABLE calls (source text, sound text, call text);
INSERT INTO calls SELECT 'uuids', 'version IN (1, 6)', unnest(ARRAY[
  '@uuid_get_clock_sequence(id)', '@uuid_get_node(id)']);
INSERT INTO calls SELECT 'uuids', 'true', unnest(ARRAY[
  '@uuid_get_version(id)', '@uuid_get_variant(id)', '@uuid_to_timestamptz(id)',
  '@uuid_to_base32(id)', '@uuid_from_base32(@uuid_to_base32(id))',
  '@uuid_to_base58(id)', '@uuid_from_base58(@uuid_to_base58(id))']);
INSERT INTO calls VALUES ('uuids', 'version = 1', '@uuid_v1_to_v6(id)');
INSERT INTO calls SELECT 'uuids', 'version = 6', unnest(ARRAY[
  '@uuid_v6_to_v1(id)', '@uuid_v6_to_timestamptz(id)']);
INSERT INTO calls SELECT 'uuids', 'version = 7', unnest(ARRAY[
  '@uuid_v7_to_timestamptz(id)', '@uuid_v7_to_timestamp(id)',
  '@uuid_v7_draft_to_timestamptz(id)', '@uuid_v7_draft_get_sequence(id)',
  '@uuid_v7_draft_get_node(id)']);
INSERT INTO calls SELECT 'uuids', format('version = 7 AND %L <> ''s''', unit),
  format(call, unit)
FROM unnest(ARRAY['ms', 'us', 'ns', 's']) AS unit, unnest(ARRAY[
  '@uuid_v7_draft_get_sequence(id, %L)', '@uuid_v7_draft_get_node(id, %L)']) AS call;
INSERT INTO calls SELECT 'uuids', format('version = 8 AND %s <> 50', bits),
  format(call, bits)
FROM unnest(ARRAY[32, 48, 50, 60, 64]) AS bits, unnest(ARRAY[
  '@uuid_v8_to_timestamptz(id, %s)', '@uuid_v8_get_sequence(id, %s)',
  '@uuid_v8_get_node(id, %s)']) AS call;
INSERT INTO calls SELECT 'uuids', 'version = 8', unnest(ARRAY[
  '@uuid_v8_to_timestamptz(id)', '@uuid_v8_get_sequence(id)', '@uuid_v8_get_node(id)']);

INSERT INTO calls SELECT 'ids', CASE format WHEN 'fluid' THEN 'true' ELSE 'id >= 0' END,
  format(call, format)
FROM unnest(ARRAY['fluid', 'nanoflake']) AS format, unnest(ARRAY[
  '@%s_to_timestamptz(id)', '@%s_to_timestamptz(id, epoch)',
  '@%s_get_generator(id)', '@%s_get_sequence(id)']) AS call;
INSERT INTO calls SELECT 'ids', 'id >= 0', unnest(ARRAY[
  '@ulidflake_to_timestamptz(id)', '@ulidflake_to_timestamptz(id, epoch)',
  '@ulidflake_get_random(id)',
  '@ulidflake_scalable_get_random(id)', '@ulidflake_get_scalability(id)',
  '@ulidflake_to_base32(id)', '@ulidflake_from_base32(@ulidflake_to_base32(id))',
  '@ulidflake_to_text(id)', '@ulidflake_from_text(E''\t '' || @ulidflake_to_text(id))',
  '@nanoflake_to_base36(id)', '@nanoflake_from_base36(@nanoflake_to_base36(id))',
  '@nanoflake_to_text(id)', '@nanoflake_from_text(@nanoflake_to_text(id) || E''\n'')']);
INSERT INTO calls SELECT 'ids', 'true', unnest(ARRAY[
  '@fluid_to_f58(id, true)', '@fluid_to_f58(id, false)']);
INSERT INTO calls SELECT 'ids', 'true', format(call, form)
FROM unnest(ARRAY['f58', 'hex', 'dothex', 'kvs', 'words', 'emoji', 'decimal']) AS form,
  unnest(ARRAY['@fluid_to_%1$s(id)', '@fluid_from_%1$s(@fluid_to_%1$s(id))']) AS call;

INSERT INTO calls SELECT 'ids', 'false', unnest(ARRAY['@fluid_to_text(id)',
  '@fluid_from_text(translate(@fluid_to_words(id), ''-'', '' ''))']);
INSERT INTO calls SELECT 'ids', 'false', format('@fluid_to_text(id, %L)', form)
FROM unnest(ARRAY['f58', 'f58plain', 'dec', 'hex', 'dothex', 'kvs', 'words',
  'emoji', 'decimal', 'F58']) AS form;

INSERT INTO calls SELECT 'instants', format('ts >= %L AND ts < %L', first, next),
  format(call, format)
FROM (VALUES
  ('uuid_v6', '1582-10-15 00:00:00+00', '5236-03-31 21:21:00.684698+00'),
  ('uuid_v7', '1970-01-01 00:00:00+00', '10889-08-02 05:31:50.656+00'),
  ('fluid', '2024-01-01 00:00:00+00', '2041-06-02 21:56:53.888+00'),
  ('nanoflake', '2024-01-01 00:00:00+00', '2093-09-06 15:47:35.552+00'),
  ('ulidflake', '2024-01-01 00:00:00+00', '2302-09-27 15:10:22.208+00'))
  AS fields (format, first, next), unnest(ARRAY[
  '@%s_min(ts)', '@%s_max(ts)', '@%1$s_between(@%1$s_max(ts), ts, ts)',
  '@%1$s_between(@%1$s_min(ts), ts, ''2041-01-01 00:00:00+00'')']) AS call;
-- Of the draft, by unit or width
CREATE TEMP TABLE steps (format text, step text, next timestamptz);
INSERT INTO steps VALUES
  ('uuid_v7_draft', '''ms''', '4147-08-20 07:32:16+00'),
  ('uuid_v7_draft', '''us''', '4147-08-20 07:32:16+00'),
  ('uuid_v7_draft', '''ns''', '4147-08-20 07:32:16+00'),
  ('uuid_v7_draft', '''s''', '-infinity'),
  ('uuid_v8', '32', '2106-02-07 06:28:16+00'),
  ('uuid_v8', '48', '10889-08-02 05:31:50.656+00'),
  ('uuid_v8', '60', '2335-05-07 23:44:06.06847+00'),
  ('uuid_v8', '64', '2554-07-21 23:34:33.709552+00'),
  ('uuid_v8', '50', '-infinity');
INSERT INTO calls SELECT 'instants', CASE WHEN isfinite(next)
    THEN format('ts >= ''1970-01-01 00:00:00+00'' AND ts < %L', next)
    ELSE 'false' END, format(call, format, step)
FROM steps, unnest(ARRAY['@%s_min(ts, %s)', '@%s_max(ts, %s)',
  '@%1$s_between(@%1$s_max(ts, %2$s), ts, ts, %2$s)',
  '@%1$s_between(@%1$s_min(ts, %2$s), ts, ''2041-01-01 00:00:00+00'', %2$s)']) AS call;
INSERT INTO calls SELECT 'instants', isfinite(next)::text,
  format('@%s_first(ts, %s)', format, step)
FROM steps;
INSERT INTO calls SELECT 'instants', 'true',
  format('@%1$s_between(@%1$s_first(ts), ts, ''infinity'')', format)
FROM unnest(ARRAY['uuid_v7_draft', 'uuid_v8']) AS format;
INSERT INTO calls SELECT 'instants',
  'ts >= ''1970-01-01 00:00:00+00'' AND ts < ''4147-08-20 07:32:16+00''',
  format('@%s_%s(ts)', format, bound)
FROM unnest(ARRAY['uuid_v7_draft', 'uuid_v8']) AS format,
  unnest(ARRAY['min', 'max']) AS bound;
-- Any instant is a valid bound of a range
INSERT INTO calls SELECT 'instants', 'true', unnest(ARRAY[
  '@uuid_v6_first(ts)', '@uuid_v7_first(ts)', '@fluid_before(ts)',
  '@nanoflake_before(ts)', '@ulidflake_before(ts)',
  '@fluid_before(ts, ''1970-01-01 00:00:00+00'')',
  '@nanoflake_before(ts, ''1970-01-01 00:00:00+00'')',
  '@ulidflake_before(ts, ''1970-01-01 00:00:00+00'')',
  '@ulidflake_before(ts, ''4714-11-24 00:00:00+00 BC'')',
  '@ulidflake_before(ts, ''294276-12-31 23:59:59.999+00'')',
  '@fluid_between(1, ts, ''infinity'')', '@nanoflake_between(1, ''-infinity'', ts)',
  '@scru160_to_bytea(@scru160_first(ts))']);
INSERT INTO calls SELECT 'instants',
  'ts >= ''1999-12-31 00:00:00+00'' AND ts < ''2016-01-01 00:00:00+00''',
  format(call, format)
FROM unnest(ARRAY['fluid', 'nanoflake', 'ulidflake']) AS format, unnest(ARRAY[
  '@%s_min(ts, ''1999-12-31 00:00:00+00'')',
  '@%s_max(ts, ''1999-12-31 00:00:00+00'')',
  '@%s_between(1, ts, ts, ''1999-12-31 00:00:00+00'')']) AS call;
INSERT INTO calls SELECT 'instants', 'false',
  format('@%s_before(''2030-01-01 00:00:00+00'', ts)', format)
FROM unnest(ARRAY['fluid', 'nanoflake', 'ulidflake']) AS format;
INSERT INTO calls SELECT 'instants', 'false',
  format('@%s_min(''2030-01-01 00:00:00+00'', ts)', format)
FROM unnest(ARRAY['fluid', 'nanoflake', 'ulidflake']) AS format;
INSERT INTO calls SELECT 'instants',
  'ts >= ''1970-01-01 00:00:00+00'' AND ts < ''10889-08-02 05:31:50.656+00''',
  unnest(ARRAY['@scru160_to_bytea(@scru160_min(ts))',
    '@scru160_to_bytea(@scru160_max(ts))',
    '@scru160_between(@scru160_max(ts), ts, ''2041-01-01 00:00:00+00'')']);
INSERT INTO calls SELECT 'scru160s', 'true', unnest(ARRAY['@scru160_to_hex(#)',
  '@scru160_to_timestamptz(#)', '@scru160_get_counter(#)',
  '@scru160_get_random16(#)', '@scru160_get_random80(#)', '@scru160_to_text(#)',
  '@scru160_to_bytea(@scru160_from_text(@scru160_to_text(#)))',
  '@scru160_to_bytea(@scru160_from_text('' '' || lower(@scru160_to_text(#)) || E''\r''))',
  '@scru160_to_bytea(@scru160_from_text(E''\x0B'' || upper(hex)))',
  '@scru160_to_bytea(@scru160_from_bytea(decode(hex, ''hex'')))']);
INSERT INTO calls VALUES ('scru160s', 'substr(hex, 13, 3) < ''fa0''',
  '@scru160_us_to_timestamptz(#)');
INSERT INTO calls SELECT 'texts', 'false', unnest(ARRAY['@fluid_from_f58(t)',
  '@fluid_from_hex(t)', '@fluid_from_dothex(t)', '@fluid_from_kvs(t)',
  '@fluid_from_words(t)',
  '@fluid_from_emoji(t)', '@fluid_from_decimal(t)', '@fluid_from_text(t)',
  '@nanoflake_from_base36(t)', '@nanoflake_from_text(t)',
  '@ulidflake_from_base32(t)', '@ulidflake_from_text(t)',
  '@scru160_to_bytea(@scru160_from_text(t))',
  '@uuid_from_base32(t)', '@uuid_from_base58(t)']);

-- No rows: every function of the file is called
SELECT DISTINCT proname FROM reading
WHERE schema = 'reader' AND proname NOT LIKE 'flakeid\_read\_%' AND
  NOT EXISTS (SELECT FROM calls WHERE strpos(call, '@' || proname || '(') > 0);

CREATE FUNCTION pg_temp.of_extension(call text) RETURNS text
LANGUAGE sql RETURN replace(replace(call, '@', 'public.'), '#', 'c_id');
CREATE FUNCTION pg_temp.of_file(call text) RETURNS text
LANGUAGE sql RETURN replace(replace(call, '@', 'reader.'), '#', 'r_id');

-- No rows: valid input gives the same results
CREATE FUNCTION pg_temp.differences(source text, sound text, call text)
RETURNS TABLE (input text, extension text, file text) LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY EXECUTE format('SELECT s::text, (%s)::text, (%s)::text FROM %I AS s
      WHERE %s AND (%2$s)::text IS DISTINCT FROM (%1$s)::text LIMIT 3',
    pg_temp.of_extension(call), pg_temp.of_file(call), source, sound);
END $$;
SELECT call, d.* FROM calls, pg_temp.differences(source, sound, call) AS d
WHERE sound <> 'false';

-- No rows: so do all other inputs, errors included, on the vectors and a
-- sample of the rest.  Of texts, the message is the same but for white space.
CREATE FUNCTION pg_temp.make_outcome(name text, source text, call text)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format($q$
    CREATE OR REPLACE FUNCTION pg_temp.%I(row_of %I) RETURNS text
    LANGUAGE plpgsql AS $f$
    BEGIN
      RETURN (SELECT (%s)::text FROM (SELECT row_of.*) AS s);
    EXCEPTION WHEN OTHERS THEN
      RETURN sqlstate || CASE %L WHEN 'texts'
        THEN regexp_replace(sqlerrm, '[[:space:]]', '', 'g') ELSE '' END;
    END $f$ $q$, name, source, call, source);
END $$;
CREATE FUNCTION pg_temp.any_differences(source text, sound text, call text)
RETURNS TABLE (input text, extension text, file text) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_temp.make_outcome('by_extension', source, pg_temp.of_extension(call));
  PERFORM pg_temp.make_outcome('by_file', source, pg_temp.of_file(call));
  RETURN QUERY EXECUTE format('SELECT s::text, e, f
    FROM ((SELECT * FROM %1$I WHERE vector AND NOT (%2$s)) UNION ALL
          (SELECT * FROM %1$I WHERE NOT vector AND NOT (%2$s) LIMIT 300)) AS s,
      LATERAL pg_temp.by_extension(s::%1$I) AS e, LATERAL pg_temp.by_file(s::%1$I) AS f
    WHERE e IS DISTINCT FROM f LIMIT 3', source, sound);
END $$;
SELECT call, d.* FROM calls, pg_temp.any_differences(source, sound, call) AS d;

-- A long text takes no longer for each character than a short one
SET statement_timeout = '30s';
SELECT reader.fluid_from_decimal(repeat('0', 300000) || '7'),
  reader.fluid_from_f58('f' || repeat('1', 300000) || '2'),
  reader.fluid_from_hex('0x' || repeat('0', 300000) || '7'),
  reader.nanoflake_from_text(repeat('0', 300000) || '7'),
  reader.fluid_from_emoji(repeat('😃', 50000) || '😄');
RESET statement_timeout;

-- An argument of another length
SELECT sqlstate_of('SELECT reader.scru160_from_bytea(''\x00'')'),
       sqlstate_of('SELECT scru160_from_bytea(''\x00'')');

-- Its schema need not be in the search_path, and a range uses an index
CREATE TEMP TABLE events (id uuid PRIMARY KEY);
SET enable_seqscan = off;
SET enable_bitmapscan = off;
SET enable_indexonlyscan = off;
EXPLAIN (COSTS OFF) SELECT * FROM events
WHERE reader.uuid_v7_between(id, '2024-01-01 00:00:00+00', '2024-01-02 00:00:00+00');
SET timezone = 'UTC';
SET datestyle = 'ISO, YMD';
SET search_path = pg_catalog;
SELECT reader.fluid_from_text('reform-remote-galileo--heart-package-academy'),
  reader.fluid_from_text(' 0017.e9fb.8df1.6c2e '), reader.fluid_to_words(1),
  reader.fluid_to_timestamptz(1), reader.uuid_v7_min('2024-01-01 00:00:00+00');
RESET search_path;

DROP SCHEMA reader CASCADE;
