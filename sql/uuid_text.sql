--
-- UUID: base 32, the text of a ULID, and base 58
--
SET client_encoding = 'UTF8';

CREATE TEMP TABLE vector (uuid uuid, base32 text, base58 text);
\copy vector from program 'cat "$PG_ABS_SRCDIR/test/vectors/uuid_text.tsv"' with (header)

-- No rows: round trip
SELECT * FROM vector
WHERE uuid_to_base32(uuid) IS DISTINCT FROM base32 OR
      uuid_from_base32(base32) IS DISTINCT FROM uuid OR
      uuid_from_base32(lower(base32)) IS DISTINCT FROM uuid OR
      uuid_from_base32(translate(base32, '01', 'OL')) IS DISTINCT FROM uuid OR
      uuid_from_base32(translate(lower(base32), '01', 'oi')) IS DISTINCT FROM uuid OR
      uuid_to_base58(uuid) IS DISTINCT FROM base58 OR
      uuid_from_base58(base58) IS DISTINCT FROM uuid OR
      uuid_from_base58(lpad(base58, 22, '1')) IS DISTINCT FROM uuid;
SELECT count(*) FROM vector;

-- No rows: bad text is rejected with the expected SQLSTATE
CREATE TEMP TABLE invalid (format text, encoding text, input text, why text,
  expected text);
\copy invalid from program 'cat "$PG_ABS_SRCDIR/test/vectors/invalid.tsv"' with (header)

CREATE TEMP VIEW refused AS
SELECT encoding, input, why, expected,
       format('SELECT uuid_from_%s(%L)', encoding, input) AS query
FROM invalid WHERE format = 'uuid' AND encoding IN ('base32', 'base58');
SELECT *, error_of(query) FROM refused
WHERE sqlstate_of(query) IS DISTINCT FROM expected;
SELECT encoding, expected, count(*) FROM refused GROUP BY 1, 2 ORDER BY 1, 2;

-- Error messages
\pset format unaligned
\pset tuples_only on
SELECT error_of(query)
FROM (VALUES
  (1, 'SELECT uuid_from_base32(''01H455VB4PEX5VSKNK084SN02'')'),
  (2, 'SELECT uuid_from_base32(''01H455VB4PEX5VSKNK084SN02QQ'')'),
  (3, 'SELECT uuid_from_base32(''user_01h455vb4pex5vsknk084sn02q'')'),
  (4, 'SELECT uuid_from_base32(''81H455VB4PEX5VSKNK084SN02Q'')'),
  (5, 'SELECT uuid_from_base32(''01H455VB4PEX5VSKNK084SN02é'')'),
  (6, 'SELECT uuid_from_base32('''')'),
  (7, 'SELECT uuid_from_base58(''BzmjTFLHWXwiSK4y3H5il'')'),
  (8, 'SELECT uuid_from_base58(''YcVfxkQb6JRzqk5kF2tNLw'')'),
  (9, 'SELECT uuid_from_base58(''YcVfxkQb6JRzqk5kF2tNLv1'')'),
  (10, 'SELECT uuid_from_base58('''')')) AS v (n, query)
ORDER BY n;
\pset format aligned
\pset tuples_only off

-- No rows: round trip of random UUIDs
CREATE TEMP TABLE random_ids AS
SELECT md5(i::text)::uuid AS id FROM generate_series(1, 200000) AS i;
SELECT * FROM random_ids
WHERE uuid_from_base32(uuid_to_base32(id)) IS DISTINCT FROM id OR
      length(uuid_to_base32(id)) IS DISTINCT FROM 26 OR
      uuid_from_base58(uuid_to_base58(id)) IS DISTINCT FROM id OR
      length(uuid_to_base58(id)) NOT BETWEEN 16 AND 22;

-- No rows: base 32 sorts like the UUIDs
SELECT * FROM (
  SELECT id, row_number() OVER (ORDER BY uuid_to_base32(id) COLLATE "C") AS by_text,
         row_number() OVER (ORDER BY id) AS by_id
  FROM random_ids) AS s
WHERE by_text IS DISTINCT FROM by_id;
