--
-- SCRU160: the type, its fields, text and casts
--
SET timezone = 'UTC';
SET datestyle = 'ISO, YMD';

CREATE TEMP TABLE vector (base32hex text, hex text, timestamp_ms bigint,
  counter integer, counter_us integer, counter_low6 integer, random16 text,
  random80 text, "time" timestamptz);
\copy vector from program 'cat "$PG_ABS_SRCDIR/test/vectors/scru160.tsv"' with (header)

SELECT count(*) FROM vector;

CREATE TEMP VIEW id AS
SELECT base32hex::scru160 AS id, decode(hex, 'hex') AS bytes, vector.*
FROM vector;

-- Input and output: both forms, in upper and lower case
SELECT * FROM vector
WHERE base32hex::scru160::text IS DISTINCT FROM base32hex OR
      hex::scru160::text IS DISTINCT FROM base32hex OR
      lower(base32hex COLLATE "C")::scru160::text IS DISTINCT FROM base32hex OR
      upper(hex COLLATE "C")::scru160::text IS DISTINCT FROM base32hex OR
      initcap(base32hex COLLATE "C")::scru160::text IS DISTINCT FROM base32hex OR
      initcap(hex COLLATE "C")::scru160::text IS DISTINCT FROM base32hex OR
      scru160_to_text(base32hex::scru160, 'hex') IS DISTINCT FROM hex;

-- Text in either form
SELECT * FROM vector
WHERE scru160_to_text(base32hex::scru160, 'base32hex') IS DISTINCT FROM base32hex OR
      scru160_from_text(base32hex) IS DISTINCT FROM base32hex::scru160 OR
      scru160_from_text(E' \t' || upper(hex COLLATE "C") || E'\r\n') IS DISTINCT FROM base32hex::scru160;

-- Reading
SELECT * FROM id
WHERE scru160_to_timestamptz(id) IS DISTINCT FROM "time" OR
      unix_us_of(scru160_to_timestamptz(id))
        IS DISTINCT FROM timestamp_ms * 1000 OR
      scru160_get_counter(id) IS DISTINCT FROM counter OR
      scru160_get_counter(id) IS DISTINCT FROM counter_us << 6 | counter_low6 OR
      scru160_get_ticks(id) IS DISTINCT FROM timestamp_ms OR
      scru160_get_random(id) IS DISTINCT FROM decode(random16 || random80, 'hex');
SELECT error_of('SELECT scru160_to_text(scru160_min(now()), ''HEX'')');
SELECT error_of('SELECT scru160_from_text('' '' || repeat(''0'', 31) || ''W '')');
SELECT error_of('SELECT scru160_from_text(''  '')');

-- Bytes of a column, whose length takes one byte rather than four
CREATE TEMP TABLE stored AS
SELECT '\x0102030405060708090a0b0c0d0e0f1011121314'::bytea AS id,
       '\x090a0b0c0d0e0f1011121314'::bytea AS random, '\x010203040506'::bytea AS node;
SELECT id::scru160::bytea, scru160_get_random(scru160_from_parts(1, 2, random)),
       uuid_v6_get_node(uuid_v6_from_parts(1, 2, node))
FROM stored;

-- The microsecond, which is an error above 999
SELECT * FROM id
WHERE counter_us <= 999 AND
      (unix_us_of(scru160_us_to_timestamptz(id))
        IS DISTINCT FROM timestamp_ms * 1000 + counter_us) OR
      counter_us > 999 AND
      '22023' <> sqlstate_of(format('SELECT scru160_us_to_timestamptz(%L)', id));
SELECT count(*) AS ids, count(*) FILTER (WHERE counter_us > 999) AS refused
FROM id;
SELECT scru160_us_to_timestamptz(scru160_from_parts(1704067200123,
  999 * 64 + 63, '\x000000000000000000000000')) AS last;

-- The whole id from its parts
SELECT * FROM id
WHERE scru160_from_parts(timestamp_ms, counter, decode(random16 || random80, 'hex'))
        IS DISTINCT FROM id OR
      scru160_from_parts(scru160_get_ticks(id), scru160_get_counter(id),
        scru160_get_random(id)) IS DISTINCT FROM id;

-- Ids of a given time: with the microsecond in the counter, or random
SELECT * FROM id
WHERE timestamp_ms NOT IN (0, (1::bigint << 48) - 1) AND
      (scru160_to_timestamptz(scru160_from_timestamptz("time" + interval '999 us'))
         IS DISTINCT FROM "time" OR
       scru160_us_to_timestamptz(scru160_us_from_timestamptz("time" +
         counter_us % 1000 * interval '1 us'))
         IS DISTINCT FROM "time" + counter_us % 1000 * interval '1 us');

-- Casts
SELECT * FROM id
WHERE id::bytea IS DISTINCT FROM bytes OR
      bytes::scru160 IS DISTINCT FROM id OR
      scru160_from_bytea(bytes) IS DISTINCT FROM id OR
      scru160_send(id) IS DISTINCT FROM bytes;

-- Stored without a length
SELECT pg_column_size(id) AS alone,
       pg_column_size(ARRAY[id, id]) - pg_column_size(ARRAY[id]) AS in_array
FROM id LIMIT 1;

-- Soft errors from 16 on, with the same result by a hard error before
CREATE FUNCTION pg_temp.complaint(t text) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
  result text;
BEGIN
  IF current_setting('server_version_num')::integer >= 160000 THEN
    EXECUTE 'SELECT concat_ws('' | '', sql_error_code || '': '' || message,
                              detail, hint)
             FROM pg_input_error_info($1, ''scru160'')' INTO result USING t;
  ELSE
    result := public.error_of(format('SELECT %L::scru160', t));
  END IF;
  RETURN result;
END $$;
SELECT t, pg_temp.complaint(t) IN ('', 'no error') AS is_valid FROM (VALUES
  ('05TTUP1HNCPNH30VEK64KDQT9BSNU4C4'), ('05TTUP1HNCPNH30VEK64KDQT9BSNU4CW'),
  ('017bdf6431bb33788c1f750c4a375d4af97f1184'), ('')) AS v (t);

\pset format unaligned
\pset tuples_only on

-- Messages quote the value and give the position of the error
SELECT pg_temp.complaint(input) FROM (VALUES
  (1, ''),
  (2, '05TTUP1HNCPNH30VEK64KDQT9BSNU4CW'),
  (3, 'Ö5TTUP1HNCPNH30VEK64KDQT9BSNU4C'),
  (4, '05TTUP1HNCPN€30VEK64KDQT9BSNU4'),
  (5, '05TTUP1HNCPNH30VEK64KDQT9BSNU4Ö'),
  (6, '05TTUP1HNCPNH30VEK64KDQT9BSNU4C€'),
  (7, '017bdf6431bb33788c1f750c4a375d4af97f118g'),
  (8, '017bdf64 1bb33788c1f750c4a375d4af97f1184'),
  (9, '017bdf64-31bb33788c1f750c4a375d4af97f1184'),
  (10, 'é5TTUP1HNCPNH30VEK64KDQT9BSNU4C4'),
  (11, '05TTUP1HNCPNH30VEK64KDQT9BSNU4C4 '),
  (12, '05TTUP1HNCPNH30VEK64KDQT9BSNU4C45'))
  AS v (n, input) ORDER BY n;
SELECT error_of('SELECT ' || call) FROM (VALUES
  (1, '''\x''::bytea::scru160'),
  (2, '''\x017bdf6431bb33788c1f750c4a375d4af97f11''::bytea::scru160'),
  (3, 'scru160_from_bytea(''\x017bdf6431bb33788c1f750c4a375d4af97f118400'')'),
  (4, 'scru160_from_parts(1, 65536, ''\x000000000000000000000000'')'),
  (5, 'scru160_from_parts(1, -1, ''\x000000000000000000000000'')'),
  (6, 'scru160_from_parts(1, 0, ''\x'')'),
  (7, 'scru160_from_parts(1, 0, ''\x0000000000000000000000'')'),
  (8, 'scru160_from_parts(1, 0, ''\x00000000000000000000000000'')'),
  (9, 'scru160_from_parts(-1, 0, ''\x000000000000000000000000'')'),
  (10, 'scru160_from_parts(281474976710656, 0, ''\x000000000000000000000000'')'),
  (14, 'scru160_from_timestamptz(''1970-01-01 00:00:00.000999+00'')'),
  (15, 'scru160_us_from_timestamptz(''10889-08-02 05:31:50.655+00'')'),
  (16, 'scru160_from_timestamptz(''-infinity'')'),
  (17, 'scru160_us_to_timestamptz(''VVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVV'')'),
  (18, 'scru160_us_to_timestamptz(scru160_from_parts(1704067200000, 64000, ''\x000000000000000000000000''))'))
  AS v (n, call) ORDER BY n;
SELECT scru160_from_parts(0, 65535, '\xffffffffffffffffffffffff'),
       scru160_from_parts(281474976710655, 0, '\x000000000000000000000000'),
       scru160_min('1970-01-01 00:00:00+00'),
       scru160_min('10889-08-02 05:31:50.655999+00');
SELECT scru160_min(ts) FROM unnest('{-infinity, 1969-12-31 23:59:59.999999+00, 10889-08-02 05:31:50.656+00,
  infinity}'::timestamptz[]) AS ts;

-- There are no implicit casts
SELECT substr(error_of('SELECT ' || query), 1, 6) FROM (VALUES
  (1, 'scru160_min(now()) = ''x''::text'),
  (2, 'scru160_min(now()) = ''\x00''::bytea'),
  (3, 'scru160_get_counter(''05TTUP1HNCPNH30VEK64KDQT9BSNU4C4''::text)'),
  (4, 'length(scru160_min(now()))'))
  AS v (n, query) ORDER BY n;

\pset format aligned
\pset tuples_only off

-- COPY in binary, CSV and text format, out and in again
CREATE TABLE scru160_copy (n integer, id scru160);
INSERT INTO scru160_copy SELECT row_number() OVER (), id FROM id;
INSERT INTO scru160_copy VALUES (0, NULL);
CREATE TABLE scru160_back (LIKE scru160_copy);
\copy scru160_copy to 'results/scru160.data' (format binary)
\copy scru160_back from 'results/scru160.data' (format binary)
\copy scru160_copy to 'results/scru160.data' (format csv)
\copy scru160_back from 'results/scru160.data' (format csv)
\copy scru160_copy to 'results/scru160.data'
\copy scru160_back from 'results/scru160.data'
SELECT n, id, count(*) FROM scru160_back AS b
WHERE EXISTS (SELECT FROM scru160_copy AS c
              WHERE b.n = c.n AND b.id IS NOT DISTINCT FROM c.id)
GROUP BY 1, 2 HAVING count(*) <> 3;
SELECT count(*) FROM scru160_back;

-- Binary messages of 19, 21 and 0 bytes are rejected; 20 bytes are accepted
TRUNCATE scru160_back;
CREATE TABLE scru160_bytes (n integer, id bytea);
\set VERBOSITY sqlstate
INSERT INTO scru160_bytes
VALUES (1, '\x017bdf6431bb33788c1f750c4a375d4af97f11');
\copy scru160_bytes to 'results/scru160.data' (format binary)
\copy scru160_back from 'results/scru160.data' (format binary)
UPDATE scru160_bytes SET id = '\x017bdf6431bb33788c1f750c4a375d4af97f118400';
\copy scru160_bytes to 'results/scru160.data' (format binary)
\copy scru160_back from 'results/scru160.data' (format binary)
UPDATE scru160_bytes SET id = '\x';
\copy scru160_bytes to 'results/scru160.data' (format binary)
\copy scru160_back from 'results/scru160.data' (format binary)
UPDATE scru160_bytes SET id = '\x017bdf6431bb33788c1f750c4a375d4af97f1184';
\copy scru160_bytes to 'results/scru160.data' (format binary)
\copy scru160_back from 'results/scru160.data' (format binary)
\set VERBOSITY default
TABLE scru160_back;

DROP TABLE scru160_copy, scru160_back, scru160_bytes;
