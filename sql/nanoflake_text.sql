--
-- Nanoflake: base 36
--
CREATE TEMP TABLE vector (bigint bigint, timestamp_ms bigint,
  generator integer, sequence integer, time_2024 timestamptz, base36 text);
\copy vector from program 'cat "$PG_ABS_SRCDIR/test/vectors/nanoflake.tsv"' with (header)

-- no rows: there and back
SELECT * FROM vector
WHERE nanoflake_to_base36(bigint) IS DISTINCT FROM base36 OR
      nanoflake_from_base36(base36) IS DISTINCT FROM bigint OR
      nanoflake_from_base36(upper(base36)) IS DISTINCT FROM bigint OR
      nanoflake_from_base36('0000000000000000' || base36)
        IS DISTINCT FROM bigint;
SELECT count(*) FROM vector;

-- no rows: what must be refused is, with the right class
CREATE TEMP TABLE invalid (format text, encoding text, input text, why text,
  expected text);
\copy invalid from program 'cat "$PG_ABS_SRCDIR/test/vectors/invalid.tsv"' with (header)

CREATE TEMP VIEW refused AS
SELECT encoding, input, why, expected,
       format(CASE encoding WHEN 'bigint' THEN 'SELECT nanoflake_to_base36(%L)'
              ELSE 'SELECT nanoflake_from_base36(%L)' END, input) AS query
FROM invalid
WHERE format = 'nanoflake' AND encoding IN ('base36', 'bigint');
SELECT *, error_of(query) FROM refused
WHERE sqlstate_of(query) IS DISTINCT FROM expected;
SELECT encoding, expected, count(*) FROM refused GROUP BY 1, 2 ORDER BY 1, 2;

-- What the errors say
SELECT error_of(query)
FROM (VALUES
  (1, 'SELECT nanoflake_from_base36('''')'),
  (2, 'SELECT nanoflake_from_base36(''1xd6-xhj'')'),
  (3, 'SELECT nanoflake_from_base36(''1y2p0ij32e8e8'')'),
  (4, 'SELECT nanoflake_to_base36(-1)')) AS v (n, query)
ORDER BY n;

-- A million random ids there and back
CREATE TEMP VIEW random_ids AS
SELECT hashint8extended(i, 5) & 9223372036854775807 AS id
FROM generate_series(1, 1000000) AS i;
SELECT count(*), min(id) < 1e14 AND max(id) > 9.22e18 AS whole_range
FROM random_ids;
SELECT * FROM random_ids
WHERE nanoflake_from_base36(nanoflake_to_base36(id)) IS DISTINCT FROM id;
