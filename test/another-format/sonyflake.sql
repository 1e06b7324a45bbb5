--
-- Sonyflake, as doc/adding-a-format.md adds it to a copy: every line is an
-- assertion, and the first that fails ends it.
--
\set ON_ERROR_STOP on
SET timezone = 'UTC';
CREATE EXTENSION flakeid;

-- Fields and times, by sony/sonyflake: time << 24 | sequence << 16 | machine
DO $$
DECLARE
  id bigint := (1234567890::bigint << 24) + (171 << 16) + 52719;
  made timestamptz := '2014-09-01 00:00:00+00'::timestamptz +
    interval '12345678.9 s';
BEGIN
  ASSERT sonyflake_to_timestamptz(id) = made;
  ASSERT sonyflake_get_generator(id) = 52719;
  ASSERT sonyflake_get_sequence(id) = 171;
  ASSERT sonyflake_from_parts(made, 52719, 171) = id;
  ASSERT sonyflake_from_parts(made + interval '9.999 ms', 52719, 171) = id;
  ASSERT sonyflake_min(made) = (1234567890::bigint << 24);
  ASSERT sonyflake_max(made) = (1234567891::bigint << 24) - 1;
  ASSERT sonyflake_between(id, made, made + interval '10 ms');
  ASSERT NOT sonyflake_between(id, made - interval '1 s', made);
  ASSERT sonyflake_to_timestamptz(9223372036854775807) =
    '2188-11-16 03:28:58.87+00';
  ASSERT (SELECT string_agg(field || ' ' || first_bit || ' ' || bits || ' ' ||
                            value, ', ' ORDER BY first_bit)
          FROM sonyflake_explain(id)) = 'sign 0 1 0, ' ||
    'timestamp 1 39 1234567890, sequence 40 8 171, generator 48 16 52719';
  ASSERT (SELECT meaning LIKE '%: 2015-01-21T21:21:18.900000Z'
          FROM sonyflake_explain(id) WHERE field = 'timestamp');
END $$;

-- Ids of a session increase, more of them than 10 ms hold; they are of now, and
-- of the session's slot
DO $$
DECLARE
  begun timestamptz := clock_timestamp();
  made bigint[] := (SELECT array_agg(sonyflake_generate() ORDER BY n)
                    FROM generate_series(1, 300000) AS n);
BEGIN
  ASSERT (SELECT count(DISTINCT id) = 300000 FROM unnest(made) AS id);
  ASSERT (SELECT bool_and(id > before) FROM
          (SELECT id, lag(id) OVER (ORDER BY n) AS before
           FROM unnest(made) WITH ORDINALITY AS u (id, n)) AS pairs
          WHERE before IS NOT NULL);
  ASSERT (SELECT count(DISTINCT id >> 24) > 1 FROM unnest(made) AS id);
  ASSERT (SELECT bool_and(sonyflake_between(id, begun - interval '10 ms',
                                            clock_timestamp() + interval '10 ms'))
          FROM unnest(made) AS id);
  ASSERT (SELECT bool_and(sonyflake_get_generator(id)
                          BETWEEN first_generator AND last_generator)
          FROM unnest(made) AS id, flakeid_status() WHERE format = 'sonyflake');
END $$;
SELECT per_ms, ids, waits FROM flakeid_status() WHERE format = 'sonyflake';

-- A new session begins above a raised floor, and waits for its unit of time
SELECT flakeid_raise_floor(clock_timestamp() + interval '2 s');
\c -
SET flakeid.max_wait = 0;
DO $$
BEGIN
  PERFORM sonyflake_generate();
  ASSERT false, 'the floor was forgotten';
EXCEPTION WHEN object_not_in_prerequisite_state THEN
  ASSERT sqlerrm LIKE 'could not make a Sonyflake: the clock is % ms behind the last one',
    sqlerrm;
END $$;
SET flakeid.max_wait = '1s';
DO $$
DECLARE
  floor timestamptz := (SELECT floor FROM flakeid_status()
                        WHERE format = 'sonyflake');
BEGIN
  ASSERT floor > clock_timestamp();
  ASSERT sonyflake_generate() > sonyflake_max(floor);
  ASSERT (SELECT waits > 0 AND longest_wait < interval '1 s'
          FROM flakeid_status() WHERE format = 'sonyflake');
END $$;
