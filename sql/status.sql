--
-- flakeid_status(), and floors
--
SET timezone = 'UTC';
SET datestyle = 'ISO, YMD';

-- A session that has not generated any id
SELECT format, scope, node, slot >= 0 AS slot,
       last_generator >= first_generator AS generators, per_ms > 1024 AS per_ms,
       epoch, ahead BETWEEN interval '0' AND interval '1 s' AS ahead,
       floor < clock_timestamp() + interval '1 s' AS floor
FROM flakeid_status();

-- The horizon is ahead of the clock, and not before any id; its sequence
-- counts ms since the epoch
SELECT fluid_to_timestamptz(fluid_generate()) AS fluid,
       nanoflake_to_timestamptz(nanoflake_generate()) AS nanoflake,
       ulidflake_to_timestamptz(ulidflake_generate()) AS ulidflake \gset
SELECT format, horizon >= id AS covers FROM flakeid_status() JOIN (VALUES
  ('fluid', timestamptz :'fluid'), ('nanoflake', :'nanoflake'),
  ('ulidflake', :'ulidflake')) AS v (format, id) USING (format);
SELECT horizon = epoch + last_value * interval '1 ms' AS same,
       horizon < clock_timestamp() + interval '10 s' AS short, horizon_state
FROM flakeid_status(), flakeid_fluid_horizon WHERE format = 'fluid';

-- per_ms, first_generator and last_generator match the slot and its lanes
SELECT format, per_ms = lanes * sequences AS per_ms,
       first_generator = slot * lanes AS slot,
       generators % lanes = 0 AS whole
FROM flakeid_status()
JOIN (VALUES ('fluid', 16384, 1024), ('nanoflake', 1024, 4096))
  AS v (format, generators, sequences) USING (format),
LATERAL (SELECT last_generator - first_generator + 1) AS l (lanes);
-- Ulid-Flake: the average, which depends on the step
SELECT per_ms FROM flakeid_status() WHERE format = 'ulidflake';
SET flakeid.ulidflake_step_bits = 0;
SELECT per_ms FROM flakeid_status() WHERE format = 'ulidflake';
RESET flakeid.ulidflake_step_bits;

-- A raised floor: no id at or below it; at once for a shared word, from the
-- next attach on for the rest
SELECT clock_timestamp() + interval '10 s' AS ts \gset
SELECT flakeid_raise_floor(:'ts');
SELECT bool_and(floor = date_trunc('ms', :'ts'::timestamptz)) AS floor,
       bool_and(horizon > floor) AS horizon,
       bool_and(ahead BETWEEN interval '1 ms' AND interval '10 s') AS ahead
FROM flakeid_status();
SELECT ulidflake_generate() >= ulidflake_min(:'ts'::timestamptz + interval '1 ms') AS above_floor,
       ulidflake_scalable_generate() >= ulidflake_min(:'ts'::timestamptz + interval '1 ms') AS scalable;
SELECT ahead > interval '0' AND ahead <= interval '10001 ms' AS ahead
FROM flakeid_status() WHERE format = 'ulidflake';
\c -
SET timezone = 'UTC';
SET datestyle = 'ISO, YMD';
SELECT flakeid_cancel_reset();	-- as the first call of a session

-- A horizon without a tag is "changed" if it is lower than ids or a floor
SELECT (extract(epoch FROM floor - epoch) * 1000)::bigint AS floor_ms
FROM flakeid_status() WHERE format = 'fluid' \gset
SELECT setval('flakeid_fluid_horizon', :floor_ms - 1) AS lower \gset
SELECT horizon_state FROM flakeid_status() WHERE format = 'fluid';
SELECT setval('flakeid_fluid_horizon', :floor_ms) AS floor_ms \gset
SELECT horizon_state FROM flakeid_status() WHERE format = 'fluid';

-- FLUID continues in the millisecond after the floor until the clock is there,
-- and has lanes for more ids than the 1,024 of a generator number
SELECT count(DISTINCT id) AS ids, min(id) >= fluid_min(:'ts'::timestamptz + interval '1 ms') AS above_floor,
       count(DISTINCT id >> 24) AS ms, count(DISTINCT fluid_get_generator(id))
         = ceil(5000 / 1024.0) AS lanes
FROM unnest((SELECT array_agg(fluid_generate()) FROM generate_series(1, 5000)))
  AS id;
SELECT ahead > interval '0' AS ahead
FROM flakeid_status() WHERE format = 'fluid';

-- Nanoflake waits for the clock, and fails after flakeid.max_wait
SET flakeid.max_wait = 0;
SELECT waits AS waits_before, refusals AS refusals_before
FROM flakeid_status() WHERE format = 'nanoflake' \gset
SELECT regexp_replace(error_of('SELECT nanoflake_generate()'), '\d+ ms behind',
                      'some ms behind');
SET flakeid.max_wait = '60s';
SELECT nanoflake_generate() >= nanoflake_min(:'ts'::timestamptz + interval '1 ms') AS nanoflake;

-- The counters are those of the server: they outlive the session
SELECT longest_wait FROM flakeid_status() WHERE format = 'nanoflake' \gset
\c -
SET timezone = 'UTC';
SET datestyle = 'ISO, YMD';
SELECT waits - :waits_before AS waits,
       refusals - :refusals_before AS refusals,
       longest_wait >= :'longest_wait' AND longest_wait > interval '1 s'
         AS longest_wait
FROM flakeid_status() WHERE format = 'nanoflake';
SELECT format, steps_back >= 0 AS steps_back FROM flakeid_status();

-- Years from the clock to the last time of a generator, with its epoch
SELECT format, abs(years_left - extract(epoch FROM last - clock_timestamp()) /
                   (365.2425 * 86400)) < 0.0051 AS years_left
FROM flakeid_status() JOIN (VALUES
  ('fluid', timestamptz '2041-06-02 21:56:53.887+00'),
  ('nanoflake', '2093-09-06 15:47:35.551+00'),
  ('ulidflake', '2302-09-27 15:10:22.207+00')) AS v (format, last)
  USING (format);

-- flakeid_raise_floor() never lowers a floor, and changes none if one format
-- rejects the time
SELECT flakeid_raise_floor('2024-01-02 00:00:00+00');
SELECT flakeid_raise_floor('2023-12-31 23:59:59.999999+00');
SELECT flakeid_raise_floor('4714-11-24 00:00:00+00 BC');
SELECT flakeid_raise_floor(NULL);
SELECT error_of('SELECT flakeid_raise_floor(''infinity'')');
SELECT error_of('SELECT flakeid_raise_floor(''-infinity'')');
SELECT error_of('SELECT flakeid_raise_floor(''2041-06-02 21:56:53.887+00'')');
SELECT error_of('SELECT flakeid_raise_floor(''2302-09-27 15:10:22.208+00'')');
SELECT bool_and(floor = date_trunc('ms', :'ts'::timestamptz)) AS floor
FROM flakeid_status();

-- A function of the library in a database without the extension
BEGIN;
SET LOCAL client_min_messages = warning;
DROP EXTENSION flakeid CASCADE;
CREATE FUNCTION without_extension() RETURNS bigint LANGUAGE c VOLATILE
  AS '$libdir/flakeid', 'flakeid_fluid_generate';
SELECT error_of('SELECT without_extension()');
ROLLBACK;
