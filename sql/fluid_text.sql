--
-- FLUID: text forms
--
SET client_encoding = 'UTF8';

CREATE TEMP TABLE vector (unsigned numeric, bigint bigint, timestamp_ms bigint,
  generator integer, sequence integer, time_2024 timestamptz, f58 text,
  f58_ascii text, hex text, dothex text, words text, emoji text);
\copy vector from program 'cat "$PG_ABS_SRCDIR/test/vectors/fluid.tsv"' with (header)

-- No rows: every text is as expected
SELECT * FROM vector
WHERE fluid_to_f58(bigint) IS DISTINCT FROM f58 OR
      fluid_to_f58(bigint, false) IS DISTINCT FROM f58 OR
      fluid_to_f58(bigint, true) IS DISTINCT FROM f58_ascii OR
      fluid_to_hex(bigint) IS DISTINCT FROM hex OR
      fluid_to_dothex(bigint) IS DISTINCT FROM dothex OR
      fluid_to_kvs(bigint) IS DISTINCT FROM 'job.' || dothex OR
      fluid_to_words(bigint) IS DISTINCT FROM words OR
      fluid_to_emoji(bigint) IS DISTINCT FROM emoji OR
      fluid_to_decimal(bigint) IS DISTINCT FROM unsigned::text;

-- No rows: each form by its name in Flux
SELECT * FROM vector
WHERE fluid_to_text(bigint) IS DISTINCT FROM f58 OR
      fluid_to_text(bigint, 'f58') IS DISTINCT FROM f58 OR
      fluid_to_text(bigint, 'f58plain') IS DISTINCT FROM f58_ascii OR
      fluid_to_text(bigint, 'dec') IS DISTINCT FROM unsigned::text OR
      fluid_to_text(bigint, 'hex') IS DISTINCT FROM hex OR
      fluid_to_text(bigint, 'dothex') IS DISTINCT FROM dothex OR
      fluid_to_text(bigint, 'kvs') IS DISTINCT FROM 'job.' || dothex OR
      fluid_to_text(bigint, 'words') IS DISTINCT FROM words OR
      fluid_to_text(bigint, 'emoji') IS DISTINCT FROM emoji;
SELECT error_of(format('SELECT fluid_to_text(1, %L)', form))
FROM (VALUES (1, ''), (2, 'F58'), (3, 'decimal'), (4, 'dot'), (5, 'hex '),
  (6, repeat('ä', 101))) AS v (n, form)
ORDER BY n;

-- No rows: every text is read back, by its own function and by the detecting
-- parser
SELECT * FROM vector
WHERE fluid_from_f58(f58) IS DISTINCT FROM bigint OR
      fluid_from_f58(f58_ascii) IS DISTINCT FROM bigint OR
      fluid_from_hex(hex) IS DISTINCT FROM bigint OR
      fluid_from_hex('0x' || upper(substr(hex, 3))) IS DISTINCT FROM bigint OR
      fluid_from_dothex(dothex) IS DISTINCT FROM bigint OR
      fluid_from_dothex(upper(dothex)) IS DISTINCT FROM bigint OR
      fluid_from_kvs('job.' || dothex) IS DISTINCT FROM bigint OR
      fluid_from_kvs('job.' || upper(dothex)) IS DISTINCT FROM bigint OR
      fluid_from_words(words) IS DISTINCT FROM bigint OR
      fluid_from_words(upper(words)) IS DISTINCT FROM bigint OR
      fluid_from_emoji(emoji) IS DISTINCT FROM bigint OR
      fluid_from_decimal(unsigned::text) IS DISTINCT FROM bigint;
SELECT * FROM vector
WHERE fluid_from_text(f58) IS DISTINCT FROM bigint OR
      fluid_from_text(f58_ascii) IS DISTINCT FROM bigint OR
      fluid_from_text(hex) IS DISTINCT FROM bigint OR
      fluid_from_text(dothex) IS DISTINCT FROM bigint OR
      fluid_from_text('job.' || dothex) IS DISTINCT FROM bigint OR
      fluid_from_text(words) IS DISTINCT FROM bigint OR
      fluid_from_text(translate(words, '-', ' ')) IS DISTINCT FROM bigint OR
      fluid_from_text(replace(words, '--', ' -- ')) IS DISTINCT FROM bigint OR
      fluid_from_text(emoji) IS DISTINCT FROM bigint OR
      fluid_from_text(unsigned::text) IS DISTINCT FROM bigint;
SELECT count(*) FROM vector;

-- The detecting parser
CREATE TEMP TABLE parse (input text, detected text, bigint bigint);
\copy parse from program 'cat "$PG_ABS_SRCDIR/test/vectors/fluid_parse.tsv"' with (header)

SELECT * FROM parse WHERE fluid_from_text(input) IS DISTINCT FROM bigint;
SELECT detected, count(*) FROM parse GROUP BY 1 ORDER BY 1;

-- The strict decoder of the form returns the same id if no white space
-- surrounds the text and only hyphens separate its words
CREATE FUNCTION pg_temp.strict(form text, input text) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  id bigint;
BEGIN
  EXECUTE format('SELECT fluid_from_%s($1)', form) INTO id USING input;
  RETURN id;
END $$;
SELECT * FROM parse
WHERE pg_temp.strict(detected, regexp_replace(btrim(input, E' \t\n\x0b\f\r'),
        E'[ \t\n\x0b\f\r]', '-', 'g')) IS DISTINCT FROM bigint;
SELECT count(*) FROM parse
WHERE btrim(input, E' \t\n\x0b\f\r') ~ E'[ \t\n\x0b\f\r]' AND
      sqlstate_of(format('SELECT fluid_from_words(btrim(%L, E'' \t\n\x0b\f\r''))',
        input)) = '22P02';

-- No rows: bad text is rejected with the expected SQLSTATE
CREATE TEMP TABLE invalid (format text, encoding text, input text, why text,
  expected text);
\copy invalid from program 'cat "$PG_ABS_SRCDIR/test/vectors/invalid.tsv"' with (header)

CREATE TEMP VIEW refused AS
SELECT encoding, input, why, expected,
       format('SELECT fluid_from_%s(%L)',
              CASE encoding WHEN 'auto' THEN 'text' ELSE encoding END,
              input) AS query
FROM invalid
WHERE format = 'fluid' AND encoding IN ('f58', 'hex', 'dothex', 'kvs', 'words',
                                        'emoji', 'decimal', 'auto');
SELECT *, error_of(query) FROM refused
WHERE sqlstate_of(query) IS DISTINCT FROM expected;
SELECT encoding, expected, count(*) FROM refused GROUP BY 1, 2 ORDER BY 1, 2;

-- Error messages
SELECT error_of(format('SELECT fluid_from_%s(%L)', form, input))
FROM (VALUES
  (1, 'f58', ''),
  (2, 'f58', 'uZZybuNNy'),
  (3, 'f58', 'flux'),
  (4, 'f58', 'ƒué'),
  (5, 'f58', 'fjpXCZedGfVR'),
  (6, 'hex', '0X1f'),
  (7, 'hex', '0x10000000000000000'),
  (8, 'dothex', '0.0.0'),
  (9, 'dothex', '0.0.00000.0'),
  (10, 'words', 'reform-remote-galileo--heart-package-yes'),
  (11, 'words', 'reform-rem0te-galileo--heart-package-academy'),
  (12, 'words', 'academy-academy-academy--neon-analyze-verbal'),
  (13, 'emoji', '😃🦄'),
  (14, 'decimal', '-1'),
  (15, 'decimal', '18446744073709551616'),
  (16, 'text', E'\t fué '),
  (17, 'text', 'boo'),
  (18, 'text', repeat('ä', 1000)),
  (19, 'words', repeat('x', 1000) || '-adam'),
  (20, 'f58', 'Ƒ1'),
  (21, 'text', ''),
  (22, 'text', '    '),
  (23, 'text', '  f  '),
  (24, 'text', E'\t  é1'),
  (25, 'kvs', '0017.e9fb.8df1.6c2e'),
  (26, 'kvs', 'job.0.0.0.0.eventlog'),
  (27, 'text', ' job.17.e9fb'),
  (28, 'text', ' reform remote galileo hearth package academy'),
  (29, 'text', 'reform remote  galileo heart, package academy'),
  (30, 'text', 'reform remote amen heart package academy'),
  (31, 'text', '12 34')) AS v (n, form, input)
ORDER BY n;

-- Round trip of a million random ids, in every form
CREATE TEMP VIEW random_ids AS
SELECT hashint8extended(i, 5) AS id FROM generate_series(1, 1000000) AS i;
SELECT count(*), min(id) < -9e18 AND max(id) > 9e18 AS whole_range
FROM random_ids;
SELECT * FROM random_ids
WHERE fluid_from_f58(fluid_to_f58(id)) IS DISTINCT FROM id;
SELECT * FROM random_ids
WHERE fluid_from_f58(fluid_to_f58(id, true)) IS DISTINCT FROM id;
SELECT * FROM random_ids
WHERE fluid_from_hex(fluid_to_hex(id)) IS DISTINCT FROM id;
SELECT * FROM random_ids
WHERE fluid_from_dothex(fluid_to_dothex(id)) IS DISTINCT FROM id;
SELECT * FROM random_ids
WHERE fluid_from_kvs(fluid_to_kvs(id)) IS DISTINCT FROM id;
SELECT * FROM random_ids
WHERE fluid_from_words(fluid_to_words(id)) IS DISTINCT FROM id;
SELECT * FROM random_ids
WHERE fluid_from_text(translate(fluid_to_words(id), '-', ' ')) IS DISTINCT FROM id;
SELECT * FROM random_ids
WHERE fluid_from_emoji(fluid_to_emoji(id)) IS DISTINCT FROM id;
SELECT * FROM random_ids
WHERE fluid_from_decimal(fluid_to_decimal(id)) IS DISTINCT FROM id;
SELECT * FROM random_ids
WHERE fluid_to_hex(id) IS DISTINCT FROM '0x' || to_hex(id) OR
      fluid_to_decimal(id) IS DISTINCT FROM
        (id::numeric + CASE WHEN id < 0 THEN 18446744073709551616 ELSE 0 END)::text;

-- dothex sorts as the unsigned id with bit 63 inverted
SELECT * FROM (
  SELECT id, row_number() OVER (ORDER BY fluid_to_dothex(id) COLLATE "C") AS by_text,
         row_number() OVER (ORDER BY id # x'8000000000000000'::bigint) AS by_id
  FROM (SELECT id FROM random_ids LIMIT 100000) AS ids) AS s
WHERE by_text IS DISTINCT FROM by_id;

-- Strict
SELECT fluid_to_f58(NULL) IS NULL AND fluid_to_f58(1, NULL) IS NULL AND
       fluid_to_text(NULL) IS NULL AND fluid_to_text(1, NULL) IS NULL AND
       fluid_to_kvs(NULL) IS NULL AND fluid_from_kvs(NULL) IS NULL AND
       fluid_from_text(NULL) IS NULL AS strict;
