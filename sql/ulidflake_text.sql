--
-- Ulid-Flake: Crockford's base 32, its canonical text
--
SET client_encoding = 'UTF8';

CREATE TEMP TABLE vector (bigint bigint, text text, timestamp_ms bigint,
  random20 integer, random15 integer, scalability5 integer,
  "time" timestamptz);
\copy vector from program 'cat "$PG_ABS_SRCDIR/test/vectors/ulidflake.tsv"' with (header)

-- No rows: round trip
SELECT * FROM vector
WHERE ulidflake_to_text(bigint) IS DISTINCT FROM text OR
      ulidflake_from_text(text) IS DISTINCT FROM bigint OR
      ulidflake_from_text(E' \t\n' || lower(text COLLATE "C") || E'\x0B\f\r ')
        IS DISTINCT FROM bigint;
SELECT count(*) FROM vector;

-- Error messages
SELECT error_of(query)
FROM (VALUES
  (1, 'SELECT ulidflake_from_text(''00CMXB6TAK4S'')'),
  (2, 'SELECT ulidflake_from_text(''00CMXB6TAK4SA0'')'),
  (3, 'SELECT ulidflake_from_text(''00CMXB6TAK4SI'')'),
  (4, 'SELECT ulidflake_from_text(''8000000000000'')'),
  (5, 'SELECT ulidflake_to_text(-1)'),
  (6, 'SELECT ulidflake_from_text(''é0CMXB6TAK4SA'')'),
  (7, 'SELECT ulidflake_from_text(''00CM-XB6TAK4SA'')'),
  (8, 'SELECT ulidflake_from_text(''00CMXB6TAK4Sé'')'),
  (9, 'SELECT ulidflake_from_text(''00CMXB6TAK4SA€'')'),
  (10, 'SELECT ulidflake_from_text(''ZZZZZZZZZZZZZZ'')'),
  (11, 'SELECT ulidflake_from_text('''')'),
  (15, 'SELECT ulidflake_from_text(E''\t é0CMXB6TAK4SA'')'),
  (16, 'SELECT ulidflake_from_text('' 00CMXB6TAK4S '')'),
  (17, 'SELECT ulidflake_from_text('' 00CMXB6TAK4SA0 '')'),
  (18, 'SELECT ulidflake_from_text('' 00CMXB TAK4SA'')'),
  (19, 'SELECT ulidflake_from_text('' 8000000000000 '')'),
  (20, 'SELECT ulidflake_from_text(''  '')'),
  (21, 'SELECT ulidflake_from_text(U&''\00a000CMXB6TAK4SA'')')) AS v (n, query)
ORDER BY n;

-- The text sorts like the id
SELECT * FROM (
  SELECT id, row_number() OVER (ORDER BY ulidflake_to_text(id) COLLATE "C") AS by_text,
         row_number() OVER (ORDER BY id) AS by_id
  FROM (SELECT hashint8extended(i, 5) & 9223372036854775807 AS id
        FROM generate_series(1, 100000) AS i) AS ids) AS s
WHERE by_text IS DISTINCT FROM by_id;
