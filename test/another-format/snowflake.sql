--
-- Snowflake, added to a copy as in doc/internals/adding-a-format.md: every line is an
-- assertion, and the first failure ends the run.
--
\set ON_ERROR_STOP on
SET timezone = 'UTC';
CREATE EXTENSION flakeid;

-- Fields and times of an id of Twitter: time << 22 | worker << 12 | sequence
DO $$
DECLARE
  id bigint := 1541815603606036480;
  made timestamptz := '2022-06-28 16:07:40.105+00';
BEGIN
  ASSERT snowflake_to_timestamptz(id) = made;
  ASSERT snowflake_get_generator(id) = 378;
  ASSERT snowflake_get_sequence(id) = 0;
  ASSERT snowflake_get_sequence(id + 4095) = 4095;
  ASSERT snowflake_from_parts(367597485448, 378, 0) = id;
  ASSERT snowflake_min(made) = (367597485448 << 22);
  ASSERT snowflake_in_range(id, made, made + interval '1 ms');
  ASSERT NOT snowflake_in_range(id, made - interval '1 s', made);
  ASSERT snowflake_to_timestamptz(0) = '2010-11-04 01:42:54.657+00';
  ASSERT snowflake_to_timestamptz(9223372036854775807) =
    '2080-07-10 17:30:30.208+00';
  ASSERT (SELECT string_agg(field || ' ' || first_bit || ' ' || bits || ' ' ||
                            value, ', ' ORDER BY first_bit)
          FROM snowflake_explain(id)) = 'sign 0 1 0, ' ||
    'timestamp 1 41 367597485448, generator 42 10 378, sequence 52 12 0';
  ASSERT (SELECT meaning LIKE '%: 2022-06-28T16:07:40.105000Z'
          FROM snowflake_explain(id) WHERE field = 'timestamp');
END $$;

-- Ids of a session increase, also beyond the end of a millisecond; they have
-- the current time and the session's slot
DO $$
DECLARE
  begun timestamptz := clock_timestamp();
  made bigint[] := (SELECT array_agg(snowflake_generate() ORDER BY n)
                    FROM generate_series(1, 300000) AS n);
BEGIN
  ASSERT (SELECT count(DISTINCT id) = 300000 FROM unnest(made) AS id);
  ASSERT (SELECT bool_and(id > before) FROM
          (SELECT id, lag(id) OVER (ORDER BY n) AS before
           FROM unnest(made) WITH ORDINALITY AS u (id, n)) AS pairs
          WHERE before IS NOT NULL);
  ASSERT (SELECT count(DISTINCT id >> 22) > 1 FROM unnest(made) AS id);
  ASSERT (SELECT bool_and(snowflake_in_range(id, begun - interval '1 ms',
                                            clock_timestamp() + interval '1 ms'))
          FROM unnest(made) AS id);
  ASSERT (SELECT bool_and(snowflake_get_generator(id)
                          BETWEEN first_generator AND last_generator)
          FROM unnest(made) AS id, flakeid_status() WHERE format = 'snowflake');
END $$;
SELECT per_ms, waits FROM flakeid_status() WHERE format = 'snowflake';

-- A new session begins above a raised floor, and waits for the clock
SELECT flakeid_raise_floor(clock_timestamp() + interval '3 s');
\c -
SET flakeid.max_wait = 0;
DO $$
BEGIN
  PERFORM snowflake_generate();
  ASSERT false, 'the floor was forgotten';
EXCEPTION WHEN lock_not_available THEN
  ASSERT sqlerrm LIKE 'could not generate a Snowflake: the clock is % ms behind the last id',
    sqlerrm;
END $$;
SET flakeid.max_wait = '20s';
DO $$
DECLARE
  floor timestamptz := (SELECT floor FROM flakeid_status()
                        WHERE format = 'snowflake');
BEGIN
  ASSERT floor > clock_timestamp();
  ASSERT snowflake_generate() >= snowflake_min(floor + interval '1 ms');
  ASSERT (SELECT waits > 0 AND longest_wait < interval '20 s'
          FROM flakeid_status() WHERE format = 'snowflake');
END $$;
