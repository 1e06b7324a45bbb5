--
-- Variant and version of any uuid
--
SET timezone = 'UTC';
SET datestyle = 'ISO, YMD';

CREATE TEMP TABLE vector (uuid uuid, variant text, version integer);
\copy vector from program 'cat "$PG_ABS_SRCDIR/test/vectors/uuid_variant.tsv"' with (header)

SELECT count(*) FROM vector;
SELECT * FROM (
  SELECT *, uuid_get_variant(uuid) AS get_variant,
         uuid_get_version(uuid) AS get_version FROM vector) AS v
WHERE variant IS DISTINCT FROM get_variant OR
      version IS DISTINCT FROM get_version;

-- Every high half of the variant's byte, every version
SELECT to_hex(i) AS from_hex, uuid_get_variant(id) AS variant,
       uuid_get_version(id) AS version
FROM generate_series(0, 15) AS i, LATERAL (
  SELECT ('00000000-0000-' || to_hex(i) || '000-' || to_hex(i) ||
          '000-000000000000')::uuid) AS u (id);

-- Time of any uuid: versions 1, 6 and 7, NULL for the rest
SELECT uuid_get_version(uuid) AS version, count(*),
       count(uuid_to_timestamptz(uuid)) AS with_time
FROM vector GROUP BY 1 ORDER BY 1;
SELECT uuid_to_timestamptz('00000000-0000-0000-0000-000000000000') IS NULL AS nil,
       uuid_to_timestamptz('ffffffff-ffff-ffff-ffff-ffffffffffff') IS NULL AS max;
