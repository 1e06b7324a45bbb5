-- World.
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

-- Names, arguments, results and labels are those of the extension; bytea stands
-- for the type scru160, and one function for its input
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

-- What the file leaves out: fields, other texts, the draft, given epochs
SELECT count(*), string_agg(DISTINCT regexp_replace(proname, '^(uuid(_v\d(_draft)?)?|fluid|nanoflake|ulidflake(_scalable)?|scru160(_us)?)_', ''), ' ')
FROM reading AS e
WHERE schema = 'public' AND provolatile <> 'v' AND
  proname ~ '^(uuid|fluid|nanoflake|ulidflake|scru160)_' AND
  proname !~ '^scru160_(in|out|send|recv|eq|ne|lt|le|gt|ge|cmp|sortsupport|hash|hash_extended|smaller|larger|rangesel)$' AND
  proname NOT LIKE '%\_draft\_%' AND proname NOT LIKE 'uuid\_v8\_%' AND
  arguments NOT LIKE '%epoch%' AND
  NOT EXISTS (SELECT FROM reading AS r WHERE schema = 'reader' AND
    (r.proname, r.arguments) = (e.proname, e.arguments));

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
  SELECT reader.flakeid_read_instant((CASE n % 3
    WHEN 0 THEN -12219292800000000 + (bits >> 7 & (1::bigint << 57) - 1)
    WHEN 1 THEN 1704067200000000 + (bits & (1::bigint << 50) - 1)
    ELSE (bits & (1::bigint << 62) - 1) - 200000000000000000 END)::numeric), false
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
    unnest(ARRAY[fluid_to_f58(id), ' ' || fluid_to_text(id, 'f58plain') || E'\n',
      nanoflake_to_text(id, 36), ulidflake_to_text(id), E' \t' || nanoflake_to_text(id, 36),
      ulidflake_to_text(id) || E'\n\x0B\f\r ',
      E'\n' || rpad(ulidflake_to_text(id), 32, 'V') || ' ',
      uuid_to_text(md5(id::text)::uuid, 'ulid'), uuid_to_text(md5(id::text)::uuid, 'base32hex'),
      uuid_to_text(md5(id::text)::uuid, 'base58')])
      AS forms (form),
    abs(hashint8(id) / 2) AS hash;

-- Calls of the extension and of the file: @ is the schema, # a scru160.  Calls
-- on "sound" rows of the table must raise no error.
CREATE TEMP TABLE calls (source text, sound text, call text);
INSERT INTO calls SELECT 'uuids', 'true', unnest(ARRAY[
  '@uuid_to_timestamptz(id)', '@uuid_to_text(id, ''ulid'')',
  '@uuid_from_text(lower(@uuid_to_text(id, ''ulid'') COLLATE "C"), ''ulid'')',
  '@uuid_to_text(id, ''base32hex'')', '@uuid_to_text(id, ''base58'')',
  '@uuid_from_text('' '' || lower(@uuid_to_text(id, ''base32hex'') COLLATE "C"), ''base32hex'')',
  '@uuid_from_text(@uuid_to_text(id, ''base58'') || E''\n'', ''base58'')']);
INSERT INTO calls SELECT 'uuids', 'false', unnest(ARRAY['@uuid_to_text(id, ''base64'')', '@uuid_from_text(''1'', ''BASE32'')']);
INSERT INTO calls VALUES
  ('uuids', 'version IN (1, 6)', '@uuid_v6_to_timestamptz(id)'),
  ('uuids', 'version = 7', '@uuid_v7_to_timestamptz(id)'),
  ('uuids', 'version = 7', '@uuid_v7_us_to_timestamptz(id)');
INSERT INTO calls VALUES ('ids', 'true', '@fluid_to_timestamptz(id)');
INSERT INTO calls SELECT 'ids', 'id >= 0', unnest(ARRAY[
  '@nanoflake_to_timestamptz(id)', '@ulidflake_to_timestamptz(id)',
  '@ulidflake_to_text(id)', '@ulidflake_from_text(E''\t '' || @ulidflake_to_text(id))',
  '@nanoflake_to_text(id, 36)', '@nanoflake_from_text(@nanoflake_to_text(id, 36) || E''\n'', 36)',
  '@nanoflake_from_text(@nanoflake_to_text(id, 10), 10)', '@nanoflake_to_text(id, 2)']);
INSERT INTO calls SELECT 'ids', 'false', unnest(ARRAY[
  '@fluid_to_text(id, ''F58'')', '@nanoflake_to_text(id, 1)', '@nanoflake_from_text(''1'', 37)']);
INSERT INTO calls SELECT 'ids', 'true', unnest(ARRAY[
  '@fluid_to_f58(id)', '@fluid_to_text(id, ''f58plain'')', '@fluid_to_text(id, ''f58'')', '@fluid_from_f58(@fluid_to_f58(id))']);
INSERT INTO calls SELECT 'instants', format('ts >= %L AND ts < %L', first, next),
  format(call, format)
FROM (VALUES
  ('uuid_v6', '1582-10-15 00:00:00+00', '5236-03-31 21:21:00.684698+00'),
  ('uuid_v7', '1970-01-01 00:00:00+00', '10889-08-02 05:31:50.656+00'),
  ('fluid', '2024-01-01 00:00:00+00', '2041-06-02 21:56:53.888+00'),
  ('nanoflake', '2024-01-01 00:00:00+00', '2093-09-06 15:47:35.552+00'),
  ('ulidflake', '2024-01-01 00:00:00+00', '2302-09-27 15:10:22.208+00'))
  AS fields (format, first, next), unnest(ARRAY[
  '@%1$s_in_range(@%1$s_min(ts), ts, ''2041-01-01 00:00:00+00'')',
  '@%1$s_in_range(@%1$s_min(ts), ''-infinity'', ts)']) AS call;
-- Any instant is a valid bound of a range
INSERT INTO calls SELECT 'instants', 'true', unnest(ARRAY[
  '@fluid_min(ts)', '@nanoflake_min(ts)', '@ulidflake_min(ts)', '@uuid_v6_min(ts)', '@uuid_v7_min(ts)',
  '@scru160_to_text(@scru160_min(ts), ''base32hex'')', '@fluid_in_range(1, ts, ''infinity'')', '@nanoflake_in_range(1, ''-infinity'', ts)',
  '@ulidflake_in_range(9223372036854775807, ts, ''infinity'')',
  '@uuid_v7_in_range(''ffffffff-ffff-7fff-bfff-ffffffffffff'', ts, ''infinity'')',
  '@uuid_v6_in_range(''ffffffff-ffff-6fff-bfff-ffffffffffff'', ts, ''infinity'')',
  '@scru160_in_range(@scru160_from_text(repeat(''V'', 32)), ts, ''infinity'')',
  '@scru160_in_range(@scru160_from_text(repeat(''0'', 32)), ''-infinity'', ts)']);
INSERT INTO calls SELECT 'instants',
  'ts >= ''1970-01-01 00:00:00+00'' AND ts < ''10889-08-02 05:31:50.656+00''',
  '@scru160_in_range(@scru160_min(ts), ts, ''2041-01-01 00:00:00+00'')';
INSERT INTO calls SELECT 'scru160s', 'true', unnest(ARRAY['@scru160_to_text(#, ''hex'')',
  '@scru160_to_timestamptz(#)', '@scru160_to_text(#, ''base32hex'')',
  '@scru160_to_text(@scru160_from_text(lower(@scru160_to_text(#, ''base32hex'') COLLATE "C")), ''base32hex'')',
  '@scru160_to_text(@scru160_from_text(upper(hex COLLATE "C")), ''base32hex'')']);
INSERT INTO calls VALUES ('scru160s', 'false', '@scru160_to_text(#, ''HEX'')'),
  ('scru160s', 'substr(hex, 13, 3) < ''fa0''', '@scru160_us_to_timestamptz(#)');
INSERT INTO calls SELECT 'texts', 'false', unnest(ARRAY['@fluid_from_f58(t)',
  '@nanoflake_from_text(t, 36)', '@nanoflake_from_text(t, 10)', '@ulidflake_from_text(t)',
  '@scru160_to_text(@scru160_from_text(t), ''base32hex'')', '@uuid_from_text(t, ''ulid'')', '@uuid_from_text(t, ''base32hex'')',
  '@uuid_from_text(t, ''base58'')']);

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
SELECT reader.fluid_from_f58('f' || repeat('1', 300000) || '2'),
  reader.nanoflake_from_text(repeat('0', 300000) || '7', 10),
  reader.nanoflake_from_text(repeat('0', 300000) || '7', 36);
RESET statement_timeout;

-- The last years of timestamptz exceed bigint in microseconds since 1970
SELECT bool_and(reader.flakeid_read_instant(reader.flakeid_read_unix_us(ts)) = ts) AS same
FROM unnest('{294247-01-10 04:00:54.775807+00, 294247-01-10 04:00:54.775808+00,
  294276-12-31 23:59:59.999999+00, 4714-11-24 00:00:00.000001+00 BC}'::timestamptz[]) AS ts;
SELECT sqlstate_of('SELECT reader.flakeid_read_instant(9224318016000000000)');

-- Its schema need not be in the search_path, and a range uses an index
CREATE TEMP TABLE events (id uuid PRIMARY KEY);
SET enable_seqscan = off;
SET enable_bitmapscan = off;
SET enable_indexonlyscan = off;
EXPLAIN (COSTS OFF) SELECT * FROM events
WHERE reader.uuid_v7_in_range(id, '2024-01-01 00:00:00+00', '2024-01-02 00:00:00+00');
SET timezone = 'UTC';
SET datestyle = 'ISO, YMD';
SET search_path = pg_catalog;
SELECT reader.fluid_from_f58(' fuZZybuNNy '), reader.uuid_from_text('01H455VB4PEX5VSKNK084SN02Q', 'ulid'),
  reader.fluid_to_timestamptz(1), reader.uuid_v7_min('2024-01-01 00:00:00+00');
RESET search_path;

-- An epoch is a setting, until its transaction ends, in every form and year.  In a
-- session without the library, which has settings of these names
\c -
SET timezone = 'UTC';
SET datestyle = 'ISO, YMD';
SET client_min_messages = warning;
BEGIN;
SET LOCAL flakeid.fluid_epoch = '2020-01-01 00:00:00+00';
SELECT reader.fluid_to_timestamptz(1);
COMMIT;
SELECT reader.fluid_to_timestamptz(1);
SET flakeid.fluid_epoch = '2020-01-01T09:00:00.001+09:00';
SELECT reader.fluid_to_timestamptz(0);
SET flakeid.fluid_epoch = '2020-01-01 05:30:00-0530';
SELECT reader.fluid_to_timestamptz(0);
SET flakeid.fluid_epoch = '294259-01-01 00:00:00+00';
SELECT reader.fluid_to_timestamptz(1::bigint << 59),
  reader.fluid_in_range(reader.fluid_min('294270-01-01Z'), '294270-01-01Z', 'infinity');
SELECT error_of('SELECT reader.fluid_to_timestamptz(-1)');
SET datestyle = 'ISO, DMY';
SELECT set_config('flakeid.fluid_epoch', epoch, false), error_of('SELECT reader.fluid_to_timestamptz(1)')
FROM unnest('{2020-01-01,2020-01-01 00:00:00,2020-01-01 00:00:00 Asia/Tokyo,today 00:00:00+00,
  01/02/2020 00:00:00+00,yesterday 00:00:00Z}'::text[]) AS epoch;

-- Each format has an epoch of its own, also at both ends of a range.
SET flakeid.fluid_epoch = '2020-01-01 00:00:00Z';
SET flakeid.nanoflake_epoch = '2010-01-01 00:00:00Z';
SET flakeid.ulidflake_epoch = '2021-01-01 00:00:00Z';
SELECT format('SELECT reader.%1$s_to_timestamptz(0) AS %1$s,
  reader.%1$s_to_timestamptz(reader.%1$s_min(ts)) = ts AS min,
  reader.%1$s_in_range(reader.%1$s_min(ts), ts, next) AS inside,
  reader.%1$s_in_range(reader.%1$s_min(ts), next, ''infinity'') OR
  reader.%1$s_in_range(reader.%1$s_min(next), ts, next) AS outside
FROM (VALUES (timestamptz ''2022-01-01Z'', timestamptz ''2022-01-01 00:00:00.001Z'')) AS t (ts, next)', format)
FROM unnest(ARRAY['fluid', 'nanoflake', 'ulidflake']) AS f (format) \gexec

DROP SCHEMA reader CASCADE;
