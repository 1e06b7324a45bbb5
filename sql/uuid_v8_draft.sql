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
         uuid_v8_draft_to_timestamptz(uuid, timestamp_bits) AS to_timestamptz,
         uuid_v8_draft_get_sequence(uuid, timestamp_bits) AS get_sequence
  FROM vector JOIN layout USING (timestamp_bits)) AS v
WHERE version IS DISTINCT FROM 8 OR "time" IS DISTINCT FROM to_timestamptz OR
      seq IS DISTINCT FROM get_sequence OR
      unix_us_of(to_timestamptz)
        IS DISTINCT FROM div(timestamp_out * 1000000, per_s);

-- Every field is where the layout has it; with 32 bits of time, the next 16
-- bits are 0
SELECT * FROM vector JOIN layout USING (timestamp_bits)
WHERE bits122_of(uuid, 0, kept_bits)
        IS DISTINCT FROM div(timestamp_in, lost) OR
      bits122_of(uuid, 0, kept_bits)::numeric * lost
        IS DISTINCT FROM timestamp_out OR
      bits122_of(uuid, kept_bits, seq_first - kept_bits) IS DISTINCT FROM 0 OR
      bits122_of(uuid, seq_first, seq_bits) IS DISTINCT FROM seq OR
      bits122_of(uuid, node_first, node_bits) IS DISTINCT FROM
        ('x' || lpad(node, 16, '0'))::bit(64)::bigint;

-- Ids of a given time, which must be a whole number of microseconds: the time,
-- sequence 0, a random node
CREATE TEMP VIEW made AS
SELECT v.*, l.kept_bits, l.seq_first, l.seq_bits, l.node_first, l.node_bits,
       l.lost, uuid_v8_draft_from_timestamptz(instant_of(
         (timestamp_in * 1000000 / per_s)::bigint), timestamp_bits) AS id
FROM vector AS v JOIN layout AS l USING (timestamp_bits)
WHERE timestamp_in * 1000000 % per_s = 0;
SELECT timestamp_bits, count(*) FROM made GROUP BY 1 ORDER BY 1;
SELECT * FROM made
WHERE bits122_of(id, 0, kept_bits) IS DISTINCT FROM div(timestamp_in, lost) OR
      bits122_of(id, kept_bits, seq_first - kept_bits) IS DISTINCT FROM 0 OR
      bits122_of(id, seq_first, seq_bits) IS DISTINCT FROM 0 OR
      bits122_of(id, node_first, node_bits) = 0;

-- The instant of the example of doc/internals/formats.md, section 8, and the ends of a
-- tick
SELECT left(uuid_v8_draft_from_timestamptz('2022-02-22 19:22:22.123999+00', 48)::text, 18);
SELECT timestamp_bits, uuid_v8_draft_to_timestamptz(uuid_v8_draft_from_timestamptz(
         '2022-02-22 19:22:22.999999+00', timestamp_bits), timestamp_bits)
FROM layout;

-- The node is the whole bytes after the sequence; and the id from its parts
SELECT * FROM vector JOIN layout USING (timestamp_bits),
  LATERAL uuid_v8_draft_get_node(uuid, timestamp_bits) AS n (got)
WHERE encode(got, 'hex') IS DISTINCT FROM
      lpad(node, (node_bits + 7) / 8 * 2, '0');
SELECT timestamp_bits, count(*) FROM vector
WHERE uuid_v8_draft_get_ticks(uuid, timestamp_bits) =
        CASE timestamp_bits WHEN 64 THEN timestamp_out / 16 ELSE timestamp_out END AND
      uuid_v8_draft_from_parts(uuid_v8_draft_get_ticks(uuid, timestamp_bits),
        uuid_v8_draft_get_sequence(uuid, timestamp_bits),
        uuid_v8_draft_get_node(uuid, timestamp_bits), timestamp_bits) = uuid
GROUP BY 1 ORDER BY 1;

-- Bounds: the first tick of the step
SELECT * FROM vector JOIN layout USING (timestamp_bits),
  LATERAL (SELECT uuid_v8_draft_min("time", timestamp_bits)) AS l (least)
WHERE bits122_of(least, 0, kept_bits) IS DISTINCT FROM
        div(trunc(unix_us_of("time")::numeric * per_s / 1000000), lost) OR
      bits122_of(least, 60, 62) IS DISTINCT FROM 0 OR
      bits122_of(least, kept_bits, 60 - kept_bits) IS DISTINCT FROM 0 OR
      uuid_get_version(least) IS DISTINCT FROM 8 OR uuid < least;

-- The ends of the field are in a range
SELECT timestamp_bits,
       uuid_v8_draft_in_range(last_id, '-infinity', 'infinity', timestamp_bits) AS last,
       uuid_v8_draft_in_range(first_id, '-infinity', 'infinity', timestamp_bits) AS first,
       uuid_v8_draft_in_range(last_id, 'infinity', 'infinity', timestamp_bits) AS beyond,
       uuid_v8_draft_in_range(first_id, '-infinity', '1970-01-01 00:00:00+00', timestamp_bits) AS before
FROM layout, (VALUES ('00000000-0000-8000-8000-000000000000'::uuid,
                      'ffffffff-ffff-8fff-bfff-ffffffffffff'::uuid)) AS v (first_id, last_id);

-- The message quotes the width
SELECT error_of('SELECT uuid_generate_v8_draft(49)');
SELECT call, sqlstate_of('SELECT uuid_v8_draft_' || call)
FROM unnest(ARRAY['min(now(), 61)', 'get_ticks(uuid_generate_v8_draft(48), 0)', 'min(now(), -1)',
  'in_range(uuid_generate_v8_draft(48), now(), now(), 16)', 'get_node(uuid_generate_v8_draft(48), 128)',
  'get_node(uuid_generate_v7(), 48)',
  'from_parts(1, 0, ''\x0000000000000000'', 33)',
  'from_parts(281474976710656, 0, ''\x0000000000000000'', 48)',
  'from_parts(-1, 0, ''\x0000000000000000'', 48)',
  'from_parts(1, 0, '''', 48)', 'from_parts(1, 0, ''\x00000000000000'', 48)',
  'from_parts(1, 0, ''\x0000000000000000'', 60)',
  'from_parts(1, -1, ''\x0000000000000000'', 48)',
  'from_parts(1, 4096, ''\x0000000000000000'', 48)',
  'from_parts(1, 4095, ''\x0000000000000000'', 48)',
  'from_parts(1, 256, ''\x00000000000000'', 64)',
  'from_parts(1, 255, ''\x00000000000000'', 64)']) AS call;
SELECT error_of('SELECT uuid_v8_draft_from_parts(1, 0, ''\x4000000000000000'', 48)'),
       error_of('SELECT uuid_v8_draft_from_parts(1, 0, ''\xffffffffffffff'', 64)'),
       error_of('SELECT uuid_v8_draft_from_parts(1, 0, ''\x01'', 48)');
