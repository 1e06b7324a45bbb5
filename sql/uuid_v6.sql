--
-- UUIDv6, and its conversion to and from UUIDv1
--
SET timezone = 'UTC';
SET datestyle = 'ISO, YMD';

CREATE TEMP TABLE vector1 (uuid1 uuid, uuid6 uuid, ticks_100ns bigint,
  clock_seq integer, node text, "time" timestamptz);
\copy vector1 from program 'cat "$PG_ABS_SRCDIR/test/vectors/uuid1_to_6.tsv"' with (header)
CREATE TEMP TABLE vector6 (uuid uuid, ticks_100ns bigint,
  clock_seq integer, node text, "time" timestamptz);
\copy vector6 from program 'cat "$PG_ABS_SRCDIR/test/vectors/uuid6.tsv"' with (header)

SELECT count(*) FROM vector1;
SELECT count(*) FROM vector6;

-- The conversion is lossless in both directions
SELECT * FROM (
  SELECT *, uuid_v1_to_v6(uuid1) AS v1_to_v6, uuid_v6_to_v1(uuid6) AS v6_to_v1
  FROM vector1) AS v
WHERE uuid6 IS DISTINCT FROM v1_to_v6 OR uuid1 IS DISTINCT FROM v6_to_v1;

-- Every field of the UUIDv1 and of the UUIDv6
CREATE TEMP VIEW vector AS
SELECT 1 AS version, uuid1 AS uuid, ticks_100ns, clock_seq, node, "time"
FROM vector1
UNION ALL
SELECT 6, uuid6, ticks_100ns, clock_seq, node, "time" FROM vector1
UNION ALL
SELECT 6, * FROM vector6;

SELECT * FROM (
  SELECT *, uuid_get_version(uuid) AS get_version,
         uuid_v6_get_ticks(uuid) AS get_ticks,
         uuid_v6_get_clock_sequence(uuid) AS get_clock_sequence,
         encode(uuid_v6_get_node(uuid), 'hex') AS get_node,
         uuid_to_timestamptz(uuid) AS to_timestamptz,
         uuid_v6_to_timestamptz(uuid) AS v6_to_timestamptz
  FROM vector) AS v
WHERE version IS DISTINCT FROM get_version OR
      ticks_100ns IS DISTINCT FROM get_ticks OR
      clock_seq IS DISTINCT FROM get_clock_sequence OR
      node IS DISTINCT FROM get_node OR "time" IS DISTINCT FROM to_timestamptz OR
      "time" IS DISTINCT FROM v6_to_timestamptz;

-- The 100 ns ticks, and the whole id from its fields
SELECT * FROM vector WHERE version = 6 AND
  (bits122_of(uuid, 0, 60) IS DISTINCT FROM ticks_100ns OR
   uuid IS DISTINCT FROM uuid_of(6, ticks_100ns, clock_seq::bigint << 48 |
                   ('x' || node)::bit(48)::bigint));

-- Bounds: the first tick of the microsecond
SELECT * FROM vector
WHERE version = 6 AND
      uuid_v6_min("time") IS DISTINCT FROM uuid_of(6, ticks_100ns / 10 * 10, 0);
SELECT uuid_v6_min('1582-10-15 00:00:00+00'), uuid_v6_min('5236-03-31 21:21:00.684697+00');

-- Ids of a given time: its first tick
SELECT bool_and(uuid_v6_to_timestamptz(id) = ts AND bits122_of(id, 0, 60) % 10 = 0) AS first_tick
FROM generate_series(0, 999) AS us,
     LATERAL (SELECT '2022-02-22 19:22:22.123+00'::timestamptz + us * interval '1 us') AS t (ts),
     uuid_v6_from_timestamptz(ts) AS u (id);

-- Ids from their parts equal the id
SELECT count(*), bool_and(uuid_v6_from_parts(ticks_100ns, clock_seq,
                            decode(node, 'hex')) = uuid) AS same,
       bool_and(uuid_v6_from_parts(uuid_v6_get_ticks(uuid),
         uuid_v6_get_clock_sequence(uuid), uuid_v6_get_node(uuid)) = uuid) AS read
FROM vector WHERE version = 6;
SELECT call, sqlstate_of('SELECT uuid_v6_from_parts(' || call || ')')
FROM unnest(ARRAY['1, 16383, ''\xffffffffffff''', '1, 16384, ''\x000000000000''',
  '1, -1, ''\x000000000000''', '1, 0, ''\x0000000000''',
  '1, 0, ''\x00000000000000''', '1, 0, ''''',
  '1152921504606846975, 0, ''\x000000000000''',
  '1152921504606846976, 0, ''\x000000000000''',
  '-1, 0, ''\x000000000000''']) AS call;
SELECT error_of('SELECT uuid_v6_from_parts(1, 16384, ''\x000000000000'')'),
       error_of('SELECT uuid_v6_from_parts(1, 0, ''\x0000000000'')'),
       error_of('SELECT uuid_v6_from_parts(-1, 0, ''\x000000000000'')');

-- No bits from behind a block of random ones, which is wiped: a UUID takes 64
-- bits of the 2^17, and every 2100th Ulid-Flake 32, so that their ends differ.  A
-- node of zeros has 1 in its first octet.
SELECT count(*) AS of_zeros
FROM (SELECT CASE WHEN i % 2100 = 0 THEN ulidflake_from_timestamptz(now()) END,
             uuid_v6_from_timestamptz(now()) AS id
      FROM generate_series(1, 8500) AS i) AS s
WHERE id::text ~ '-8000-0100';
SELECT count(*) > 2 AS of_zeros FROM generate_series(1, 16500)
WHERE ulidflake_from_timestamptz(now()) & 1048575 = 0;
