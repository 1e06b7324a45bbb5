--
-- FLUID: text forms
--
SET client_encoding = 'UTF8';

CREATE TEMP TABLE vector (unsigned numeric, bigint bigint, timestamp_ms bigint,
  generator integer, sequence integer, time_2024 timestamptz, f58 text,
  f58_ascii text, hex text, dothex text, words text, emoji text);
\copy vector from program 'cat "$PG_ABS_SRCDIR/test/vectors/fluid.tsv"' with (header)

-- No rows: base 58 is as expected
SELECT * FROM vector
WHERE fluid_to_f58(bigint) IS DISTINCT FROM f58;

-- No rows: each form by its name in Flux
SELECT * FROM vector
WHERE fluid_to_text(bigint, 'f58') IS DISTINCT FROM f58 OR
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

SELECT error_of('SELECT fluid_from_text(''1'', ''decimal'')'), error_of('SELECT fluid_to_text(1, ''auto'')');

-- No rows: every text is read back in its form, with white space around it,
-- and by the detecting parser
CREATE TEMP VIEW written AS
SELECT bigint, form, text FROM vector, LATERAL (VALUES ('f58', f58),
  ('f58plain', f58_ascii), ('dec', unsigned::text), ('hex', hex),
  ('dothex', dothex), ('kvs', 'job.' || dothex), ('words', words),
  ('emoji', emoji)) AS v (form, text);
SELECT * FROM written
WHERE fluid_from_text(text, form) IS DISTINCT FROM bigint OR
      fluid_from_text(E' \t\n' || text || E'\x0B\f\r ', form) IS DISTINCT FROM bigint OR
      fluid_from_text(E'\r ' || text || E'\n', 'auto') IS DISTINCT FROM bigint OR
      fluid_from_text(E'\r ' || text || E'\n') IS DISTINCT FROM bigint;
SELECT * FROM vector
WHERE fluid_from_f58(f58) IS DISTINCT FROM bigint OR
      fluid_from_f58(E' \t\n' || f58_ascii || E'\x0B\f\r ') IS DISTINCT FROM bigint OR
      fluid_from_text(f58, 'f58plain') IS DISTINCT FROM bigint OR
      fluid_from_text(f58_ascii, 'f58') IS DISTINCT FROM bigint OR
      fluid_from_text('0x' || upper(substr(hex, 3) COLLATE "C"), 'hex') IS DISTINCT FROM bigint OR
      fluid_from_text(upper(dothex COLLATE "C"), 'dothex') IS DISTINCT FROM bigint OR
      fluid_from_text('job.' || upper(dothex COLLATE "C"), 'kvs') IS DISTINCT FROM bigint OR
      fluid_from_text(upper(words COLLATE "C"), 'words') IS DISTINCT FROM bigint OR
      fluid_from_text(translate(words, '-', ' '), 'words') IS DISTINCT FROM bigint;

-- A form reads no other one
SELECT forms.form, string_agg(other.form, ' ' ORDER BY other.form) AS reads
FROM (SELECT DISTINCT form FROM written) AS forms (form),
  (SELECT * FROM written WHERE bigint = 6731191091817518) AS other
WHERE sqlstate_of(format('SELECT fluid_from_text(%L, %L)', text, forms.form)) = '00000'
GROUP BY 1 ORDER BY 1;

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

-- No rows: the detected form reads the same id
SELECT * FROM parse
WHERE fluid_from_text(input, replace(detected, 'decimal', 'dec')) IS DISTINCT FROM bigint;

-- Error messages
SELECT error_of(format(CASE form WHEN 'text' THEN 'SELECT fluid_from_text(%L)'
  ELSE 'SELECT fluid_from_text(%L, %L)' END, input, replace(form, 'decimal', 'dec')))
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

-- dothex sorts as the unsigned id with bit 63 inverted
SELECT * FROM (
  SELECT id, row_number() OVER (ORDER BY fluid_to_text(id, 'dothex') COLLATE "C") AS by_text,
         row_number() OVER (ORDER BY id # x'8000000000000000'::bigint) AS by_id
  FROM (SELECT hashint8extended(i, 5) AS id FROM generate_series(1, 100000) AS i) AS ids) AS s
WHERE by_text IS DISTINCT FROM by_id;
