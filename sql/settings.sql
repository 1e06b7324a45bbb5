--
-- Settings: their properties, and the values that they reject
--
-- Calling the first function loads the library
SELECT flakeid_status() IS NOT NULL AS loaded LIMIT 1;

-- Those of a session; t/030_settings.pl tests those that need preloading, and the version
SELECT name, vartype, context, unit, min_val, max_val,
       CASE WHEN name <> 'flakeid.version' THEN boot_val END AS boot_val,
       short_desc, extra_desc
FROM pg_settings WHERE name LIKE 'flakeid.%' AND context <> 'postmaster'
ORDER BY name COLLATE "C";

-- Ranges and units
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
  (13, 'flakeid.max_wait', '250'),
  (14, 'flakeid.enable_range_estimates', 'maybe'),
  (15, 'flakeid.enable_range_estimates', 'off'))
  AS v (n, name, value) ORDER BY n;
SHOW flakeid.max_wait;
RESET flakeid.max_wait;
RESET flakeid.ulidflake_step_bits;
RESET flakeid.enable_range_estimates;

-- An ordinary user may set all but flakeid.ulidflake_step_bits, and nobody flakeid.version
CREATE ROLE regress_flakeid_user;
SET ROLE regress_flakeid_user;
SELECT sqlstate_of('SET flakeid.max_wait = 20'),
       sqlstate_of('SET flakeid.enable_range_estimates = on'),
       sqlstate_of('SET flakeid.ulidflake_step_bits = 4'),
       sqlstate_of('SET flakeid.version = 2');
RESET ROLE;
RESET flakeid.max_wait;
RESET flakeid.enable_range_estimates;
DROP ROLE regress_flakeid_user;

-- The epochs, in any session time zone
SET timezone = 'Asia/Kathmandu';
SET datestyle = 'German';
SELECT fluid_to_timestamptz(0), nanoflake_to_timestamptz(0),
       ulidflake_to_timestamptz(0);
SELECT format, epoch FROM flakeid_status() ORDER BY format;
