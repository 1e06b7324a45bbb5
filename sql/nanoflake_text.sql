--
-- Nanoflake: base 36, and other radixes
--
CREATE TEMP TABLE vector (bigint bigint, timestamp_ms bigint,
  generator integer, sequence integer, time_2024 timestamptz, base36 text);
\copy vector from program 'cat "$PG_ABS_SRCDIR/test/vectors/nanoflake.tsv"' with (header)

-- No rows: round trip
SELECT * FROM vector
WHERE nanoflake_to_text(bigint, 36) IS DISTINCT FROM base36 OR
      nanoflake_to_text(bigint, 10) IS DISTINCT FROM bigint::text OR
      nanoflake_to_text(bigint, 16) IS DISTINCT FROM to_hex(bigint) OR
      nanoflake_to_text(bigint, 2) IS DISTINCT FROM
        coalesce(nullif(ltrim(bigint::bit(64)::text, '0'), ''), '0') OR
      nanoflake_from_text(base36, 36) IS DISTINCT FROM bigint OR
      nanoflake_from_text('0000000000000000' || base36, 36) IS DISTINCT FROM bigint OR
      nanoflake_from_text(E'\t' || bigint::text || ' ', 10) IS DISTINCT FROM bigint OR
      nanoflake_from_text(E' \t\n' || upper(base36 COLLATE "C") || E'\x0B\f\r ', 36)
        IS DISTINCT FROM bigint;
SELECT count(*) FROM vector;

-- No rows: bad text is rejected with the expected SQLSTATE
CREATE TEMP TABLE invalid (format text, encoding text, input text, why text,
  expected text);
\copy invalid from program 'cat "$PG_ABS_SRCDIR/test/vectors/invalid.tsv"' with (header)

CREATE TEMP VIEW refused AS
SELECT encoding, input, why, expected, format(call, input) AS query
FROM invalid JOIN (VALUES
  ('bigint', 'SELECT nanoflake_to_text(%L, 36)'),
  ('bigint', 'SELECT nanoflake_to_text(%L, 10)'),
  ('base36', 'SELECT nanoflake_from_text(%L, 36)')) AS c (encoding, call)
  USING (encoding)
WHERE format = 'nanoflake' AND why NOT LIKE 'white space%';
SELECT *, error_of(query) FROM refused
WHERE sqlstate_of(query) IS DISTINCT FROM expected;
SELECT encoding, expected, count(*) FROM refused GROUP BY 1, 2 ORDER BY 1, 2;

-- Error messages
SELECT error_of(query)
FROM (VALUES
  (1, 'SELECT nanoflake_from_text('''', 36)'),
  (2, 'SELECT nanoflake_from_text(''1xd6-xhj'', 36)'),
  (3, 'SELECT nanoflake_from_text(''1y2p0ij32e8e8'', 36)'),
  (4, 'SELECT nanoflake_to_text(-1, 36)'),
  (5, 'SELECT nanoflake_from_text('' 1xd6-xhj'', 36)'),
  (6, 'SELECT nanoflake_from_text(E''\t1xd6 xhj\n'', 36)'),
  (7, 'SELECT nanoflake_from_text(''  '', 36)'),
  (8, 'SELECT nanoflake_from_text('' 1y2p0ij32e8e8 '', 36)'),
  (9, 'SELECT nanoflake_from_text(''12a'', 10)'),
  (10, 'SELECT nanoflake_from_text(''12g'', 16)'),
  (11, 'SELECT nanoflake_from_text('' '', 2)'),
  (12, 'SELECT nanoflake_from_text(''9223372036854775808'', 10)'),
  (13, 'SELECT nanoflake_from_text(''1'', 1)'),
  (14, 'SELECT nanoflake_from_text(''1'', 37)'),
  (15, 'SELECT nanoflake_to_text(1, 0)')) AS v (n, query)
ORDER BY n;

-- Round trip of a million random ids
CREATE TEMP VIEW random_ids AS
SELECT hashint8extended(i, 5) & 9223372036854775807 AS id
FROM generate_series(1, 1000000) AS i;
SELECT count(*), min(id) < 1e14 AND max(id) > 9.22e18 AS whole_range
FROM random_ids;
SELECT * FROM random_ids
WHERE nanoflake_from_text(nanoflake_to_text(id, 36), 36) IS DISTINCT FROM id;
SELECT * FROM random_ids, generate_series(2, 36) AS radix
WHERE id % 35 = radix - 2 AND
      nanoflake_from_text(nanoflake_to_text(id, radix), radix) IS DISTINCT FROM id;
