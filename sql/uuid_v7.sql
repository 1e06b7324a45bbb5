--
-- UUIDv7 of RFC 9562
--
SET timezone = 'UTC';
SET datestyle = 'ISO, YMD';

CREATE TEMP TABLE vector (uuid uuid, unix_ts_ms bigint, rand_a integer,
  rand_b text, ns_in_ms integer, "time" timestamptz, min_uuid uuid,
  max_uuid uuid);
\copy vector from program 'cat "$PG_ABS_SRCDIR/test/vectors/uuid7.tsv"' with (header)

SELECT count(*), count(ns_in_ms) AS with_ns FROM vector;

-- Reading
SELECT * FROM (
  SELECT *, uuid_get_version(uuid) AS version,
         uuid_to_timestamptz(uuid) AS to_timestamptz,
         uuid_v7_to_timestamptz(uuid) AS v7_to_timestamptz,
         uuid_v7_to_timestamp(uuid) AS v7_to_timestamp
  FROM vector) AS v
WHERE version IS DISTINCT FROM 7 OR "time" IS DISTINCT FROM to_timestamptz OR
      "time" IS DISTINCT FROM v7_to_timestamptz OR
      "time" AT TIME ZONE 'UTC' IS DISTINCT FROM v7_to_timestamp OR
      unix_us_of(v7_to_timestamptz) IS DISTINCT FROM unix_ts_ms * 1000;

-- The whole id from its fields
SELECT * FROM vector WHERE uuid IS DISTINCT FROM
  uuid_of(7, unix_ts_ms << 12 | rand_a, ('x' || rand_b)::bit(64)::bigint) OR
  unix_ts_ms IS DISTINCT FROM uuid_v7_get_ticks(uuid) OR
  rand_a IS DISTINCT FROM uuid_v7_get_rand_a(uuid) OR
  rand_b IS DISTINCT FROM encode(uuid_v7_get_rand_b(uuid), 'hex') OR
  uuid IS DISTINCT FROM uuid_v7_from_parts(unix_ts_ms, rand_a, decode(rand_b, 'hex'));
SELECT error_of('SELECT uuid_v7_from_parts(' || call || ')') FROM unnest(ARRAY[
  '281474976710656, 0, ''\x0000000000000000''', '-1, 0, ''\x0000000000000000''',
  '0, 4096, ''\x0000000000000000''', '0, 0, ''\x4000000000000000''',
  '0, 0, ''\x00''']) AS call;

-- Bounds are those of the millisecond, for any of its microseconds
SELECT * FROM (
  SELECT *, uuid_v7_min("time") AS v7_min FROM vector) AS v
WHERE min_uuid IS DISTINCT FROM v7_min OR
      max_uuid IS DISTINCT FROM
        uuid_v7_from_parts(unix_ts_ms, 4095, '\x3fffffffffffffff') OR
      min_uuid IS DISTINCT FROM uuid_v7_min("time" + interval '999 us') OR
      min_uuid IS DISTINCT FROM uuid_timestamptz_to_v7("time", true) OR
      min_uuid IS DISTINCT FROM
        uuid_timestamp_to_v7("time" AT TIME ZONE 'UTC', true) OR
      (uuid BETWEEN v7_min AND max_uuid) IS NOT TRUE;

-- The functions of pg_uuidv7 1.6; timestamp is in UTC, in any session time zone
SET timezone = 'America/New_York';
SELECT uuid_v7_to_timestamp('018570bb-4a7d-7c7e-8df4-6d47afd8c8fc'),
       uuid_v7_to_timestamptz('018570bb-4a7d-7c7e-8df4-6d47afd8c8fc');
SELECT uuid_timestamp_to_v7('2023-01-02 04:26:40.637', true),
       uuid_timestamptz_to_v7('2023-01-02 04:26:40.637999+00', zero => true),
       uuid_v7_to_timestamp(uuid_timestamp_to_v7('2023-01-02 04:26:40.637'));
SET timezone = 'UTC';

-- Ids of a given time have the fraction of the millisecond in rand_a; compared
-- where it is a whole number of microseconds
SELECT * FROM vector, LATERAL (
  SELECT uuid_v7_from_timestamptz("time" + ns_in_ms / 1000 *
                                  interval '1 microsecond')) AS m (made)
WHERE ns_in_ms % 1000 = 0 AND
      (bits_of(made, 0, 48) IS DISTINCT FROM unix_ts_ms OR
       bits_of(made, 52, 12) IS DISTINCT FROM rand_a);
SELECT count(*) FROM vector WHERE ns_in_ms % 1000 = 0;
SELECT us, bits_of(uuid_v7_from_timestamptz(
             '2022-02-22 19:22:22+00'::timestamptz +
             us * interval '1 microsecond'), 52, 12) AS rand_a
FROM unnest(ARRAY[0, 1, 2, 499, 500, 999, 1000]) AS us;

-- Every whole microsecond is read back
SELECT count(*) FROM generate_series(0, 1001) AS us,
  LATERAL (SELECT timestamptz '2022-02-22 19:22:22+00' + us * interval '1 microsecond') AS t (ts),
  uuid_v7_from_timestamptz(ts) AS id
WHERE uuid_v7_us_to_timestamptz(id) IS DISTINCT FROM ts OR
      uuid_v7_us_get_ticks(id) IS DISTINCT FROM unix_us_of(ts);
SELECT uuid_v7_us_to_timestamptz(min_uuid), uuid_v7_us_to_timestamptz(max_uuid)
FROM vector ORDER BY unix_ts_ms DESC LIMIT 1;
SELECT bool_and(uuid_v7_us_to_timestamptz(id) BETWEEN before - interval '1 us' AND after + interval '1 us') AS now
FROM (SELECT clock_timestamp(), uuid_generate_v7(), clock_timestamp()
      FROM generate_series(1, 10000)) AS u (before, id, after);

-- The clock is read more precisely than to the millisecond: ten readings in one
SELECT max(readings) >= 10 AS precise
FROM (SELECT count(DISTINCT bits122_of(id, 0, 60))
      FROM (SELECT uuid_generate_v7() FROM generate_series(1, 10000)) AS g (id)
      GROUP BY uuid_v7_get_ticks(id)) AS m (readings);

-- Ids of a given time: the other bits are random and never repeated
SELECT uuid_get_version(id) AS version,
       bool_and(uuid_v7_to_timestamptz(id) = ts) AS same_instant,
       count(*) = count(DISTINCT bits_of(id, 66, 62)) AS all_different
FROM (SELECT '2022-02-22 19:22:22.123+00'::timestamptz) AS t (ts),
     generate_series(1, 1000) AS i,
     LATERAL (VALUES (uuid_v7_from_timestamptz(ts + i * interval '0')),
                     (uuid_timestamptz_to_v7(ts + i * interval '0')),
                     (uuid_timestamptz_to_v7(ts + i * interval '0', false)),
                     (uuid_timestamp_to_v7(ts AT TIME ZONE 'UTC' + i * interval '0')))
       AS u (id)
GROUP BY 1;

-- A shift equals timestamptz + interval
SELECT shift, uuid_get_version(id) AS version,
       uuid_v7_to_timestamptz(id) BETWEEN date_trunc('ms', before + shift)
         AND clock_timestamp() + shift AS shifted
FROM unnest('{0,1 ms,-1 ms,1 us,-1 us,1 hour,-1 hour,1 month,-1 month,
              1 year 2 months 3 days 4 hours,-50 years,1000 years,
              8000 years}'::interval[]) AS shift,
     LATERAL (SELECT clock_timestamp(), uuid_generate_v7(shift)) AS u (before, id);

-- To the fraction of a millisecond: 500 us are 2048 of 4096 units
SELECT bool_and(bits122_of(b, 0, 60) BETWEEN bits122_of(a, 0, 60) + 2048
                                     AND bits122_of(c, 0, 60) + 2048) AS half_ms
FROM (SELECT uuid_generate_v7(), uuid_generate_v7('500 us'), uuid_generate_v7()
      FROM generate_series(1, 1000)) AS g (a, b, c);

-- And with the months of the session's time zone
SET timezone = 'Europe/Berlin';
SELECT uuid_v7_to_timestamptz(id) BETWEEN
         date_trunc('ms', before + shift) AND clock_timestamp() + shift AS shifted
FROM unnest('{6 months,1 day,24 hours}'::interval[]) AS shift,
     LATERAL (SELECT clock_timestamp(), uuid_generate_v7(shift)) AS u (before, id);
SET timezone = 'UTC';

-- Unshifted ids continue in order from unshifted ids
SELECT bool_and(before < after) AS in_order
FROM (SELECT uuid_generate_v7(), uuid_generate_v7('1000 years'),
             uuid_generate_v7('-10 years'), uuid_generate_v7()
      FROM generate_series(1, 1000)) AS g (before, later, earlier, after);

-- Plain ids and ids shifted by 0 have one state, and so one order
SELECT count(*) FILTER (WHERE NOT (a < b AND b < c AND (before IS NULL OR before < a))) AS wrong
FROM (SELECT a, b, c, lag(c) OVER () AS before
      FROM (SELECT uuid_generate_v7(), uuid_generate_v7(interval '0'), uuid_generate_v7()
            FROM generate_series(1, 10000)) AS g (a, b, c)) AS o;

-- A shift beyond the field
SELECT shift, sqlstate_of(format('SELECT uuid_generate_v7(%L::interval)', shift))
FROM unnest('{-100 years,9000 years,-200000 years,200000 years}'::text[]) AS shift;
SELECT regexp_replace(error_of('SELECT uuid_generate_v7(''9000 years'')'),
                      '"\d{5}-.*?"', '"an instant"');
SELECT regexp_replace(error_of('SELECT uuid_generate_v7(''-100 years'')'),
                      '"\d{4}-.*?"', '"an instant"');
-- Infinite intervals came with 17; before that they are invalid input
SELECT sign, sqlstate_of(format('SELECT uuid_generate_v7(%L::interval)',
                                sign || 'infinity')) =
         CASE WHEN current_setting('server_version_num')::integer < 170000
         THEN '22007' ELSE '22008' END AS refused
FROM unnest(ARRAY['', '-']) AS sign;
