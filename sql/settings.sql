--
-- Settings: their properties, and the values that they reject
--
-- Calling the first function loads the library
SELECT flakeid_status() IS NOT NULL AS loaded LIMIT 1;

SELECT name, vartype, context, unit, min_val, max_val, boot_val, enumvals
FROM pg_settings WHERE name LIKE 'flakeid.%' ORDER BY name COLLATE "C";

-- No rows: each setting has a description
SELECT name, short_desc FROM pg_settings
WHERE name LIKE 'flakeid.%' AND coalesce(short_desc, '') = '';

-- Settings that uniqueness depends on can be set in the configuration file
-- only
SELECT name, sqlstate_of(format('SET %s = %L', name, boot_val)) AS set,
       sqlstate_of(format('SET LOCAL %s = %L', name, boot_val)) AS set_local,
       sqlstate_of(format('SELECT set_config(%L, %L, true)', name, boot_val))
         AS set_config,
       sqlstate_of(format('RESET %s', name)) AS reset
FROM pg_settings WHERE name LIKE 'flakeid.%' AND context = 'sighup'
ORDER BY name COLLATE "C";

-- No other setting has the prefix
SELECT sqlstate_of('SET flakeid.node = 1'), sqlstate_of('SET flakeid.x = 1'),
       sqlstate_of('SELECT current_setting(''flakeid.x'')'),
       current_setting('flakeid.x', true);

-- Ranges and units of the other settings
SELECT name, value, sqlstate_of(format('SET %s = %L', name, value)) FROM (VALUES
  (1, 'flakeid.ulidflake_step_bits', '-1'),
  (2, 'flakeid.ulidflake_step_bits', '17'),
  (3, 'flakeid.ulidflake_step_bits', 'many'),
  (4, 'flakeid.ulidflake_step_bits', '1ms'),
  (5, 'flakeid.ulidflake_step_bits', '0'),
  (6, 'flakeid.ulidflake_step_bits', '16'),
  (7, 'flakeid.max_wait', '-1'),
  (8, 'flakeid.max_wait', '60001'),
  (9, 'flakeid.max_wait', '61s'),
  (10, 'flakeid.max_wait', 'long'),
  (11, 'flakeid.max_wait', '1min'),
  (12, 'flakeid.max_wait', '0'),
  (13, 'flakeid.max_wait', '250'))
  AS v (n, name, value) ORDER BY n;
SHOW flakeid.max_wait;
RESET flakeid.max_wait;
RESET flakeid.ulidflake_step_bits;

-- An ordinary user may set flakeid.max_wait, and no other setting
CREATE ROLE regress_flakeid_user;
SET ROLE regress_flakeid_user;
SELECT sqlstate_of('SET flakeid.max_wait = 20'),
       sqlstate_of('SET flakeid.ulidflake_step_bits = 4'),
       sqlstate_of('SET flakeid.node_id = 0');
RESET ROLE;
RESET flakeid.max_wait;
DROP ROLE regress_flakeid_user;

-- Bad values in the configuration file: each setting by itself
\set VERBOSITY sqlstate
ALTER SYSTEM SET flakeid.node_id = -1;
ALTER SYSTEM SET flakeid.node_id = 16384;
ALTER SYSTEM SET flakeid.node_id = 'first';
ALTER SYSTEM SET flakeid.node_bits = -1;
ALTER SYSTEM SET flakeid.node_bits = 15;
ALTER SYSTEM SET flakeid.sequence_scope = 'session';
ALTER SYSTEM SET flakeid.sequence_scope = '';
ALTER SYSTEM SET flakeid.ulidflake_scalability = -1;
ALTER SYSTEM SET flakeid.ulidflake_scalability = 32;
ALTER SYSTEM SET flakeid.fluid_epoch = '';
ALTER SYSTEM SET flakeid.fluid_epoch = 'infinity';
ALTER SYSTEM SET flakeid.fluid_epoch = 'today';
ALTER SYSTEM SET flakeid.fluid_epoch = '2024-01-01';
ALTER SYSTEM SET flakeid.fluid_epoch = '2024-01-01 00:00:00';
ALTER SYSTEM SET flakeid.fluid_epoch = '2024-01-01 00:00:00 Europe/Berlin';
ALTER SYSTEM SET flakeid.fluid_epoch = '2024-01-01 00:00:00.0001Z';
ALTER SYSTEM SET flakeid.nanoflake_epoch = '2024-02-30 00:00:00Z';
ALTER SYSTEM SET flakeid.nanoflake_epoch = '0044-03-15 00:00:00Z BC';
ALTER SYSTEM SET flakeid.ulidflake_epoch = '2023-02-29 00:00:00Z';
ALTER SYSTEM SET flakeid.ulidflake_epoch = '2024-01-01 00:00:00.0001Z';
\set VERBOSITY default
ALTER SYSTEM SET flakeid.nanoflake_epoch = '2024-01-01';

-- Configured times are read in UTC, in any session time zone
SET timezone = 'Asia/Kathmandu';
SET datestyle = 'German';
SELECT fluid_to_timestamptz(0), nanoflake_to_timestamptz(0),
       ulidflake_to_timestamptz(0);
SELECT format, epoch FROM flakeid_status() ORDER BY format;
