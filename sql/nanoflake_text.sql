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
