--
-- One row per field of any id, with times in UTC
--
\pset format unaligned
SET TimeZone = 'Pacific/Auckland';
SET DateStyle = 'German';
SELECT * FROM uuid_explain('c232ab00-9414-11ec-b3c8-9f6bdeced846');
SELECT * FROM uuid_explain('1ec9414c-232a-6b00-b3c8-9f6bdeced846');
SELECT * FROM uuid_explain('017f22e2-79b0-7cc3-98c4-dc0c0c07398f');
SELECT * FROM uuid_explain('2489e9ad-2ee2-8e00-8ec9-32d5f69181c0');
-- As the draft has them
SELECT * FROM uuid_explain_draft('017f22e2-79b0-7cc3-98c4-dc0c0c07398f');
SELECT * FROM uuid_explain_draft('2489e9ad-2ee2-8e00-8ec9-32d5f69181c0');
SELECT error_of('SELECT * FROM uuid_explain_draft(''1ec9414c-232a-6b00-b3c8-9f6bdeced846'')');

-- These have no time
SELECT * FROM uuid_explain('000003e8-9414-21ec-b300-9f6bdeced846');
SELECT * FROM uuid_explain('5df41881-3aed-3515-88a7-2f4a814cf09e');
SELECT * FROM uuid_explain('919108f7-52d1-4320-9bac-f847db4148a8');
SELECT * FROM uuid_explain('2ed6657d-e927-568b-95e1-2665a8aea6a2');
SELECT * FROM uuid_explain('919108f7-52d1-f320-9bac-f847db4148a8');
SELECT * FROM uuid_explain('00000000-0000-0000-0000-000000000000');
SELECT * FROM uuid_explain('ffffffff-ffff-ffff-ffff-ffffffffffff');
SELECT * FROM uuid_explain('01234567-89ab-7cde-7123-456789abcdef');
SELECT * FROM uuid_explain('01234567-89ab-7cde-c123-456789abcdef');
SELECT * FROM uuid_explain('ffffffff-ffff-ffff-e123-456789abcdef');

SELECT * FROM fluid_explain(6731191091817518);
SELECT * FROM fluid_explain(-1);
SELECT * FROM nanoflake_explain(4194324487);
SELECT * FROM ulidflake_explain(14246757444195114);
SELECT * FROM scru160_explain('05TTUP1HNCPNH30VEK64KDQT9BSNU4C4');
-- With a given epoch
SELECT field, meaning FROM fluid_explain(6731191091817518, '2020-01-01 00:00:00+00')
WHERE field = 'timestamp';
SELECT field, meaning FROM fluid_explain(-1, '294276-01-01 00:00:00+00')
WHERE field = 'timestamp';
SELECT meaning FROM unnest('{0044-03-15Z BC,0001-01-01Z BC}'::timestamptz[]) AS e (epoch), fluid_explain(0, epoch)
WHERE field = 'timestamp';
SELECT field, meaning FROM nanoflake_explain(4194324487, '1970-01-01 00:00:00+00')
WHERE field = 'timestamp';
SELECT field, meaning FROM ulidflake_explain(14246757444195114, '2000-01-01 00:00:00+00')
WHERE field = 'timestamp';
-- There is no microsecond above 999
SELECT * FROM scru160_explain('VVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVV');
SELECT sqlstate_of('SELECT * FROM nanoflake_explain(-1)'),
       sqlstate_of('SELECT * FROM ulidflake_explain(-1)'),
       sqlstate_of('SELECT * FROM fluid_explain(1, ''infinity'')'),
       sqlstate_of('SELECT * FROM nanoflake_explain(1, ''2024-01-01 00:00:00.0005+00'')');
\pset format aligned

-- The fields of each version cover all 128 bits exactly once
SELECT version, sum(bits) FROM generate_series(1, 8) AS version,
  LATERAL uuid_explain(('01234567-89ab-' || version
                        || 'cde-8123-456789abcdef')::uuid)
GROUP BY version ORDER BY version;

-- The fields have the values that the reading functions return
SELECT count(*) FROM generate_series(1, 1000) AS i,
  LATERAL (SELECT hashint8extended(i, 42) AS id) AS ids
WHERE (SELECT value::integer FROM fluid_explain(id) WHERE field = 'generator')
      IS DISTINCT FROM fluid_get_generator(id)
   OR (SELECT value::integer FROM fluid_explain(id) WHERE field = 'sequence')
      IS DISTINCT FROM fluid_get_sequence(id)
   OR (SELECT value::integer FROM nanoflake_explain(id & x'7fffffffffffffff'::bigint)
       WHERE field = 'generator')
      IS DISTINCT FROM nanoflake_get_generator(id & x'7fffffffffffffff'::bigint);

-- No rows: no field of a draft's reading overlaps the version or the variant
SELECT version, field, first_bit, bits FROM generate_series(7, 8) AS version,
  LATERAL uuid_explain_draft(('01234567-89ab-' || version
                              || 'cde-8123-456789abcdef')::uuid)
WHERE first_bit < 52 AND first_bit + bits > 48 OR
      first_bit < 66 AND first_bit + bits > 64;

-- A sequence equals the result of its reading function
SELECT field, value::integer = CASE field
    WHEN 'sequence_ms' THEN uuid_v7_draft_get_sequence(id, 'ms')
    WHEN 'sequence_us' THEN uuid_v7_draft_get_sequence(id, 'us')
    WHEN 'sequence_ns' THEN uuid_v7_draft_get_sequence(id, 'ns')
    ELSE uuid_v8_draft_get_sequence(id, substr(field, 10)::integer) END AS same
FROM unnest('{01234567-89ab-7cde-b765-43210fedcba9,
              01234567-89ab-8cde-b765-43210fedcba9}'::uuid[]) AS id,
  LATERAL uuid_explain_draft(id)
WHERE field LIKE 'sequence\_%';
