--
-- Bad input: every row of the vectors, in every function that takes it
--
SET timezone = 'UTC';
SET datestyle = 'ISO, YMD';

CREATE TEMP TABLE invalid (format text, encoding text, input text, why text,
  expected text);
\copy invalid from program 'cat "$PG_ABS_SRCDIR/test/vectors/invalid.tsv"' with (header)

-- The calls that take input of a format and an encoding; %1$L is the input.  A
-- new format needs one more COPY.
CREATE TEMP TABLE reaches (format text, encoding text, call text);

-- UUID
COPY reaches FROM stdin WITH (DELIMITER '|');
uuid1_to_6|uuid|uuid_v1_to_v6(%1$L)
uuid6_to_1|uuid|uuid_v6_to_v1(%1$L)
uuid6|uuid|uuid_v6_to_timestamptz(%1$L)
uuid6|uuid|uuid_v6_get_clock_sequence(%1$L)
uuid6|uuid|uuid_v6_get_node(%1$L)
uuid1_to_6|uuid|uuid_v6_get_clock_sequence(%1$L)
uuid1_to_6|uuid|uuid_v6_get_node(%1$L)
uuid7|uuid|uuid_v7_to_timestamptz(%1$L)
uuid7|uuid|uuid_v7_to_timestamp(%1$L)
uuid7|uuid|uuid_v7_get_ticks(%1$L)
uuid7|uuid|uuid_v7_us_to_timestamptz(%1$L)
uuid7|uuid|uuid_v7_us_get_ticks(%1$L)
uuid7|uuid|uuid_v7_get_rand_a(%1$L)
uuid7|uuid|uuid_v7_get_rand_b(%1$L)
uuid7|uuid|uuid_v6_get_clock_sequence(%1$L)
uuid7|uuid|uuid_v6_get_node(%1$L)
uuid7_draft|uuid|uuid_v7_draft_to_timestamptz(%1$L)
uuid7_draft|uuid|uuid_v7_draft_get_ticks(%1$L, 'ms')
uuid7_draft|uuid|uuid_v7_draft_get_sequence(%1$L, 'ms')
uuid7_draft|uuid|uuid_v7_draft_get_sequence(%1$L, 'us')
uuid7_draft|uuid|uuid_v7_draft_get_sequence(%1$L, 'ns')
uuid7_draft|uuid|uuid_v7_draft_get_node(%1$L, 'ms')
uuid8|uuid|uuid_v8_draft_get_ticks(%1$L, 60)
uuid8|uuid|uuid_v8_draft_get_node(%1$L, 48)
uuid8|uuid|uuid_v8_draft_get_node(%1$L, 64)
uuid8|uuid|uuid_v8_draft_to_timestamptz(%1$L, 48)
uuid8|uuid|uuid_v8_draft_to_timestamptz(%1$L, 32)
uuid8|uuid|uuid_v8_draft_to_timestamptz(%1$L, 60)
uuid8|uuid|uuid_v8_draft_to_timestamptz(%1$L, 64)
uuid8|uuid|uuid_v8_draft_get_sequence(%1$L, 48)
uuid8|uuid|uuid_v8_draft_get_sequence(%1$L, 32)
uuid8|uuid|uuid_v8_draft_get_sequence(%1$L, 60)
uuid8|uuid|uuid_v8_draft_get_sequence(%1$L, 64)
uuid6|timestamptz|uuid_v6_from_timestamptz(%1$L)
uuid7|timestamptz|uuid_v7_from_timestamptz(%1$L)
uuid7|timestamptz|uuid_timestamptz_to_v7(%1$L)
uuid7|timestamptz|uuid_timestamp_to_v7(%1$L::timestamptz AT TIME ZONE 'UTC')
uuid7_draft|timestamptz|uuid_v7_draft_from_timestamptz(%1$L, 'ms')
uuid7_draft|timestamptz|uuid_v7_draft_from_timestamptz(%1$L, 'us')
uuid7_draft|timestamptz|uuid_v7_draft_from_timestamptz(%1$L, 'ns')
uuid8_32|timestamptz|uuid_v8_draft_from_timestamptz(%1$L, 32)
uuid8_48|timestamptz|uuid_v8_draft_from_timestamptz(%1$L, 48)
uuid8_60|timestamptz|uuid_v8_draft_from_timestamptz(%1$L, 60)
uuid8_64|timestamptz|uuid_v8_draft_from_timestamptz(%1$L, 64)
uuid7_draft|precision|uuid_generate_v7_draft(%1$L)
uuid7_draft|precision|uuid_v7_draft_from_timestamptz(now(), %1$L)
uuid7_draft|precision|uuid_v7_draft_get_sequence(uuid_generate_v7(), %1$L)
uuid7_draft|precision|uuid_v7_draft_min(now(), %1$L)
uuid7_draft|precision|uuid_v7_draft_get_ticks(uuid_generate_v7(), %1$L)
uuid7_draft|precision|uuid_v7_draft_from_parts(1, 1, '', %1$L)
uuid8|timestamp_bits|uuid_v8_draft_min(now(), %1$L)
uuid8|timestamp_bits|uuid_generate_v8_draft(%1$L)
uuid8|timestamp_bits|uuid_v8_draft_from_timestamptz(now(), %1$L)
uuid8|timestamp_bits|uuid_v8_draft_to_timestamptz(uuid_generate_v8_draft(48), %1$L)
uuid8|timestamp_bits|uuid_v8_draft_get_sequence(uuid_generate_v8_draft(48), %1$L)
\.

-- FLUID, Nanoflake, Ulid-Flake
COPY reaches FROM stdin WITH (DELIMITER '|');
fluid|generator|fluid_from_parts(1, %1$L, 0)
fluid|sequence|fluid_from_parts(1, 0, %1$L)
nanoflake|bigint|nanoflake_to_timestamptz(%1$L)
nanoflake|bigint|nanoflake_to_timestamptz(%1$L, '2024-01-01 00:00:00+00')
nanoflake|bigint|nanoflake_get_ticks(%1$L)
nanoflake|bigint|nanoflake_get_generator(%1$L)
nanoflake|bigint|nanoflake_get_sequence(%1$L)
nanoflake|bigint|nanoflake_get_address(%1$L)
nanoflake|generator|nanoflake_from_parts(1, %1$L, 0)
nanoflake|sequence|nanoflake_from_parts(1, 0, %1$L)
ulidflake|bigint|ulidflake_to_timestamptz(%1$L)
ulidflake|bigint|ulidflake_get_ticks(%1$L)
ulidflake|bigint|ulidflake_get_random(%1$L)
ulidflake|bigint|ulidflake_scalable_get_random(%1$L)
ulidflake|bigint|ulidflake_scalable_get_scalability(%1$L)
ulidflake|timestamptz|ulidflake_from_timestamptz(%1$L)
ulidflake|timestamptz|ulidflake_from_timestamptz(%1$L, '2024-01-01 00:00:00+00')
ulidflake|timestamptz|ulidflake_scalable_from_timestamptz(%1$L)
ulidflake|scalability|ulidflake_scalable_from_parts(1, 0, %1$L)
\.

-- SCRU160, and text forms
COPY reaches FROM stdin WITH (DELIMITER '|');
scru160|text|%1$L::scru160
scru160|text|scru160_in(%1$L)
scru160|counter|scru160_from_parts(1, %1$L, '\\x000000000000000000000000')
scru160|timestamptz|scru160_from_timestamptz(%1$L)
scru160|timestamptz|scru160_us_from_timestamptz(%1$L)
fluid|f58|fluid_from_text(%1$L, 'f58')
fluid|hex|fluid_from_text(%1$L, 'hex')
fluid|dothex|fluid_from_text(%1$L, 'dothex')
fluid|kvs|fluid_from_text(%1$L, 'kvs')
fluid|words|fluid_from_text(%1$L, 'words')
fluid|emoji|fluid_from_text(%1$L, 'emoji')
fluid|decimal|fluid_from_text(%1$L, 'dec')
fluid|auto|fluid_from_text(%1$L, 'auto')
nanoflake|bigint|nanoflake_to_text(%1$L, 36)
nanoflake|bigint|nanoflake_to_text(%1$L, 10)
nanoflake|base36|nanoflake_from_text(%1$L, 36)
ulidflake|bigint|ulidflake_to_text(%1$L)
ulidflake|text|ulidflake_from_text(%1$L)
uuid|base32|uuid_from_text(%1$L, 'ulid')
uuid|base32hex|uuid_from_text(%1$L, 'base32hex')
uuid|base58|uuid_from_text(%1$L, 'base58')
\.

-- A _min accepts any time
CREATE TEMP TABLE clamps (format text, call text);
COPY clamps FROM stdin WITH (DELIMITER '|');
uuid6|uuid_v6_min(%1$L)
uuid7|uuid_v7_min(%1$L)
uuid7|uuid_timestamptz_to_v7(%1$L, true)
uuid7|uuid_timestamp_to_v7(%1$L::timestamptz AT TIME ZONE 'UTC', true)
uuid7_draft|uuid_v7_draft_min(%1$L, 'ms')
uuid7_draft|uuid_v7_draft_min(%1$L, 'us')
uuid8_32|uuid_v8_draft_min(%1$L, 32)
uuid8_48|uuid_v8_draft_min(%1$L, 48)
uuid8_60|uuid_v8_draft_min(%1$L, 60)
uuid8_64|uuid_v8_draft_min(%1$L, 64)
fluid|fluid_min(%1$L)
fluid|fluid_min(%1$L, '2024-01-01 00:00:00+00')
nanoflake|nanoflake_min(%1$L)
nanoflake|nanoflake_min(%1$L, '2024-01-01 00:00:00+00')
ulidflake|ulidflake_min(%1$L)
\.

-- White space around a text is skipped, also if it makes up the length of another one
UPDATE invalid SET expected = '00000'
WHERE format IN ('fluid', 'nanoflake', 'uuid') AND why ~ '^white space( in a strict decoder)?$' AND
  (encoding <> 'base32' OR length(input) > 26);

-- No rows: every row is passed to some function
SELECT l.* FROM invalid AS l LEFT JOIN reaches USING (format, encoding)
LEFT JOIN clamps AS c ON encoding = 'timestamptz' AND c.format = l.format
WHERE coalesce(reaches.call, c.call) IS NULL;

-- No rows: every call raises the expected error
SELECT format(call, input) AS call, why, expected, got
FROM invalid JOIN reaches USING (format, encoding),
     LATERAL (SELECT sqlstate_of('SELECT ' || format(call, input))) AS g (got)
WHERE got IS DISTINCT FROM expected;

-- No rows: of a time outside the field it returns the first id, or the greatest
-- value of the type
CREATE FUNCTION pg_temp.text_of(call text, ts text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  result text;
BEGIN
  EXECUTE format('SELECT ' || call, ts) INTO result;
  RETURN result;
END $$;
SELECT format(call, input) AS call, why, got
FROM invalid JOIN clamps USING (format), LATERAL (SELECT pg_temp.text_of(call, input)) AS g (got)
WHERE encoding = 'timestamptz' AND
  got IS DISTINCT FROM pg_temp.text_of(call, CASE WHEN input LIKE '-%' OR why LIKE '%before%' THEN '-infinity' ELSE 'infinity' END);
SELECT pg_temp.text_of(call, '-infinity') AS first, pg_temp.text_of(call, 'infinity') AS greatest, count(*)
FROM clamps GROUP BY 1, 2 ORDER BY 1, 2;

SELECT format, encoding, count(DISTINCT input) AS inputs, count(*) AS calls
FROM invalid JOIN reaches USING (format, encoding)
GROUP BY 1, 2 ORDER BY format COLLATE "C", encoding COLLATE "C";

-- Messages quote the value and give the valid range or form
\pset format unaligned
\pset tuples_only on
SELECT error_of('SELECT ' || call) FROM (VALUES
  (1, 'uuid_v7_from_timestamptz(''1969-12-31 23:59:59.999999+00'')'),
  (2, 'uuid_v7_from_timestamptz(''10889-08-02 05:31:50.656+00'')'),
  (3, 'uuid_v7_from_timestamptz(''infinity'')'),
  (4, 'uuid_v7_from_timestamptz(''-infinity'')'),
  (5, 'uuid_v7_from_timestamptz(''4714-11-24 00:00:00+00 BC'')'),
  (6, 'uuid_v7_from_timestamptz(''294276-12-31 23:59:59.999999+00'')'),
  (7, 'uuid_v6_from_timestamptz(''1582-10-14 23:59:59.999999+00'')'),
  (8, 'uuid_v6_from_timestamptz(''5236-03-31 21:21:00.684698+00'')'),
  (9, 'uuid_v6_from_timestamptz(''1000-01-01 00:00:00+00'')'),
  (10, 'uuid_v7_draft_from_timestamptz(''4147-08-20 07:32:16+00'', ''us'')'),
  (11, 'uuid_v8_draft_from_timestamptz(''2106-02-07 06:28:16+00'', 32)'),
  (12, 'uuid_v8_draft_from_timestamptz(''10889-08-02 05:31:50.656+00'', 48)'),
  (13, 'uuid_v8_draft_from_timestamptz(''2335-05-07 23:44:06.06847+00'', 60)'),
  (14, 'uuid_v8_draft_from_timestamptz(''2554-07-21 23:34:33.709552+00'', 64)'),
  (15, 'uuid_v7_to_timestamptz(''1ec9414c-232a-6b00-b3c8-9f6bdeced846'')'),
  (16, 'uuid_v6_to_timestamptz(''017f22e2-79b0-7cc3-98c4-dc0c0c07398f'')'),
  (17, 'uuid_v7_to_timestamptz(''ffffffff-ffff-ffff-ffff-ffffffffffff'')'),
  (18, 'uuid_v1_to_v6(''1ec9414c-232a-6b00-b3c8-9f6bdeced846'')'),
  (19, 'uuid_v6_to_v1(''c232ab00-9414-11ec-b3c8-9f6bdeced846'')'),
  (20, 'uuid_v6_get_node(''017f22e2-79b0-7cc3-98c4-dc0c0c07398f'')'),
  (21, 'uuid_v7_draft_get_sequence(''c232ab00-9414-11ec-b3c8-9f6bdeced846'', ''ms'')'),
  (22, 'uuid_v8_draft_get_sequence(''c232ab00-9414-11ec-b3c8-9f6bdeced846'', 60)'),
  (23, 'uuid_v7_draft_from_timestamptz(now(), ''m'')'),
  (24, 'uuid_v8_draft_to_timestamptz(uuid_generate_v8_draft(48), 0)'))
  AS v (n, call) ORDER BY n;

SELECT error_of('SELECT ' || call) FROM (VALUES
  (3, 'fluid_from_parts(1099511627776, 0, 0)'),
  (6, 'fluid_from_parts(1, 16384, 0)'),
  (7, 'fluid_from_parts(1, 0, -1)'),
  (8, 'fluid_min(now(), ''infinity'')'),
  (9, 'fluid_to_timestamptz(1, ''-infinity'')'),
  (10, 'fluid_min(now(), ''2024-01-01 00:00:00.0005+00'')'),
  (12, 'nanoflake_to_timestamptz(-1)'),
  (13, 'nanoflake_get_sequence(-9223372036854775808)'),
  (14, 'nanoflake_from_parts(1, 1024, 0)'),
  (15, 'nanoflake_from_parts(1, 0, 4096)'),
  (17, 'ulidflake_get_random(-1)'),
  (18, 'ulidflake_from_parts(1, 1048576)'),
  (19, 'ulidflake_scalable_from_parts(1, 32768, 0)'),
  (20, 'ulidflake_scalable_from_parts(1, 0, 32)'),
  (21, 'ulidflake_from_timestamptz(''2302-09-27 15:10:22.208+00'')'),
  (22, 'ulidflake_from_timestamptz(''-infinity'', ''294276-01-01 00:00:00+00'')'))
  AS v (n, call) ORDER BY n;

-- The ends of timestamptz, with epochs close to them
SELECT call, sqlstate_of('SELECT ' || call) FROM (VALUES
  (6, 'nanoflake_to_timestamptz(4194303, ''294276-12-31 23:59:59.999+00'')'),
  (7, 'nanoflake_to_timestamptz(4194304, ''294276-12-31 23:59:59.999+00'')'),
  (8, 'fluid_to_timestamptz(-1, ''294276-12-31 23:59:59.999+00'')'))
  AS v (n, call) ORDER BY n;
SELECT fluid_min('infinity', '294240-01-01 00:00:00+00'),
       fluid_min('294276-12-31 23:59:59.999+00', '294240-01-01 00:00:00+00') AS last_time,
       fluid_min('-infinity', '4714-11-24 00:00:00+00 BC') AS first,
       nanoflake_min('infinity', '294276-12-31 23:59:59.999+00'),
       nanoflake_min('294276-12-31 23:59:59.999+00', '294276-12-31 23:59:59.999+00') AS epoch;
SELECT fluid_to_timestamptz(fluid_min('294276-12-31 23:59:59.999999+00',
                                      '294260-01-01 00:00:00+00'),
                            '294260-01-01 00:00:00+00'),
       fluid_to_timestamptz(fluid_min('4714-11-24 00:00:00.001+00 BC',
                                      '4714-11-24 00:00:00+00 BC'),
                            '4714-11-24 00:00:00+00 BC');

-- A message shows the first 100 bytes of a long text, without splitting a
-- character
SELECT what, octet_length(text) AS of_bytes, octet_length(shown) AS bytes,
       starts_with(text, replace(shown, '...', '')) AS begins_so,
       right(shown, 3) = '...' AS dots
FROM (VALUES (1, 'ASCII', repeat('!', 100)), (2, 'ASCII', repeat('!', 101)),
             (3, 'ASCII', repeat('!', 100000)),
             (4, '2 bytes', repeat(U&'\00e9', 50)),
             (5, '2 bytes', repeat(U&'\00e9', 51)),
             (6, '2 bytes from 1 on', '!' || repeat(U&'\00e9', 50)),
             (7, '4 bytes from 3 on', '!!!' || repeat(U&'\+10FFFF', 25)))
       AS v (n, what, text),
     substring(error_of(format('SELECT fluid_from_text(%L, ''hex'')', text))
               FROM '"(.*?)"') AS shown
ORDER BY n;

-- An id whose time timestamptz does not have
SELECT error_of($$SELECT fluid_to_timestamptz(1::bigint << 62, '294276-12-01Z')$$);
