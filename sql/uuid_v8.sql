--
-- UUIDv8 of draft-peabody-dispatch-new-uuid-format-01
--
SET timezone = 'UTC';
SET datestyle = 'ISO, YMD';

CREATE TEMP TABLE vector (uuid uuid, timestamp_bits integer, unit text,
  timestamp_in numeric, timestamp_out numeric, seq integer, node text,
  "time" timestamptz);
\copy vector from program 'cat "$PG_ABS_SRCDIR/test/vectors/uuid8.tsv"' with (header)

SELECT timestamp_bits, unit, count(*) FROM vector GROUP BY 1, 2 ORDER BY 1;

CREATE TEMP TABLE layout AS
SELECT * FROM (VALUES (32, 32, 48, 12, 60, 62, 1, 1),
                      (48, 48, 48, 12, 60, 62, 1, 1000),
                      (60, 60, 60, 8, 68, 54, 1, 100000000),
                      (64, 60, 60, 8, 68, 54, 16, 1000000000))
  AS l (timestamp_bits, kept_bits, seq_first, seq_bits, node_first, node_bits,
        lost, per_s);

-- Reading
SELECT * FROM (
  SELECT *, uuid_get_version(uuid) AS version,
         uuid_v8_to_timestamptz(uuid, timestamp_bits) AS to_timestamptz,
         uuid_v8_get_sequence(uuid, timestamp_bits) AS get_sequence
  FROM vector JOIN layout USING (timestamp_bits)) AS v
WHERE version IS DISTINCT FROM 8 OR "time" IS DISTINCT FROM to_timestamptz OR
      seq IS DISTINCT FROM get_sequence OR
      unix_us_of(to_timestamptz)
        IS DISTINCT FROM div(timestamp_out * 1000000, per_s);

-- Every field where the layout has it; the 16 bits after 32 of time are 0
SELECT * FROM vector JOIN layout USING (timestamp_bits)
WHERE bits122_of(uuid, 0, kept_bits)
        IS DISTINCT FROM div(timestamp_in, lost) OR
      bits122_of(uuid, 0, kept_bits)::numeric * lost
        IS DISTINCT FROM timestamp_out OR
      bits122_of(uuid, kept_bits, seq_first - kept_bits) IS DISTINCT FROM 0 OR
      bits122_of(uuid, seq_first, seq_bits) IS DISTINCT FROM seq OR
      bits122_of(uuid, node_first, node_bits) IS DISTINCT FROM
        ('x' || lpad(node, 16, '0'))::bit(64)::bigint;

-- Made of an instant, where whole microseconds can say it: the time, sequence
-- 0, node random
CREATE TEMP VIEW made AS
SELECT v.*, l.kept_bits, l.seq_first, l.seq_bits, l.node_first, l.node_bits,
       l.lost, uuid_v8_from_timestamptz(instant_of(
         (timestamp_in * 1000000 / per_s)::bigint), timestamp_bits) AS id
FROM vector AS v JOIN layout AS l USING (timestamp_bits)
WHERE timestamp_in * 1000000 % per_s = 0;
SELECT timestamp_bits, count(*) FROM made GROUP BY 1 ORDER BY 1;
SELECT * FROM made
WHERE bits122_of(id, 0, kept_bits) IS DISTINCT FROM div(timestamp_in, lost) OR
      bits122_of(id, kept_bits, seq_first - kept_bits) IS DISTINCT FROM 0 OR
      bits122_of(id, seq_first, seq_bits) IS DISTINCT FROM 0 OR
      bits122_of(id, node_first, node_bits) = 0;

-- The example of the design, and the ends of a tick
SELECT left(uuid_v8_from_timestamptz('2022-02-22 19:22:22.123999+00', 48)::text, 18);
SELECT timestamp_bits, uuid_v8_to_timestamptz(uuid_v8_from_timestamptz(
         '2022-02-22 19:22:22.999999+00', timestamp_bits), timestamp_bits)
FROM layout;

-- Never twice
SELECT timestamp_bits, count(DISTINCT id)
FROM layout, generate_series(1, 1000) AS i, LATERAL (
  SELECT uuid_v8_from_timestamptz('2022-02-22 19:22:22+00'::timestamptz +
    i * interval '0', timestamp_bits)) AS u (id)
GROUP BY 1 ORDER BY 1;

-- Generated: now, in the unit of the width
SELECT timestamp_bits, bool_and(uuid_get_version(id) = 8) AS version_8,
       bool_and(uuid_v8_to_timestamptz(id, timestamp_bits)
                BETWEEN now() - interval '1 s' AND clock_timestamp()) AS now,
       count(DISTINCT bits122_of(id, node_first, node_bits)) AS nodes
FROM (SELECT timestamp_bits, node_first, node_bits,
             uuid_generate_v8(timestamp_bits)
      FROM generate_series(1, 1000), layout)
  AS u (timestamp_bits, node_first, node_bits, id)
GROUP BY 1 ORDER BY 1;
SELECT uuid_v8_to_timestamptz(uuid_generate_v8(), 48)
       BETWEEN now() - interval '1 ms' AND clock_timestamp() AS width_48;

-- NULL in, NULL out
SELECT uuid_generate_v8(NULL) IS NULL,
       uuid_v8_to_timestamptz(NULL, 48) IS NULL,
       uuid_v8_from_timestamptz(NULL, 48) IS NULL,
       uuid_v8_get_sequence(NULL, 48) IS NULL;

-- The message names the width
SELECT error_of('SELECT uuid_generate_v8(49)');
