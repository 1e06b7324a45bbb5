--
-- The five functions of pg_uuidv7 1.6, with the same names and behavior
--
SET timezone = 'UTC';
SET datestyle = 'ISO, YMD';

SELECT uuid_v7_to_timestamptz('018570bb-4a7d-7c7e-8df4-6d47afd8c8fc');
SELECT uuid_v7_to_timestamp('018570bb-4a7d-7c7e-8df4-6d47afd8c8fc');
SELECT uuid_timestamptz_to_v7('2023-01-02 04:26:40.637+00', true);
SELECT uuid_timestamp_to_v7('2023-01-02 04:26:40.637', true);
SELECT uuid_timestamptz_to_v7('2023-01-02 04:26:40.637+00', zero => true);
SELECT uuid_timestamptz_to_v7('2023-01-02 04:26:40.637999+00', true);
SELECT uuid_v7_to_timestamptz(uuid_timestamptz_to_v7('2023-01-02 04:26:40.637+00'));
SELECT uuid_v7_to_timestamptz(uuid_generate_v7())
       BETWEEN now() - interval '1 ms' AND clock_timestamp() AS now;

-- timestamp is in UTC, in any session time zone
SET timezone = 'America/New_York';
SELECT uuid_v7_to_timestamp('018570bb-4a7d-7c7e-8df4-6d47afd8c8fc');
SELECT uuid_v7_to_timestamptz('018570bb-4a7d-7c7e-8df4-6d47afd8c8fc');
SELECT uuid_timestamp_to_v7('2023-01-02 04:26:40.637', true);
SELECT uuid_v7_to_timestamp(uuid_timestamp_to_v7('2023-01-02 04:26:40.637'));
SELECT uuid_timestamptz_to_v7('2023-01-02 04:26:40.637+00', true);

-- As column defaults, and in a range
CREATE TEMP TABLE pg_uuidv7_user (
  id uuid PRIMARY KEY DEFAULT uuid_generate_v7(), n integer);
INSERT INTO pg_uuidv7_user (n) SELECT generate_series(1, 3);
SELECT n FROM pg_uuidv7_user
WHERE id >= uuid_timestamptz_to_v7(now() - interval '1 minute', true)
ORDER BY id;
