--
-- NULL, 0 and SQLSTATEs of the pages of doc/reference that no other topic has
--
SET timezone = 'UTC';
SET datestyle = 'ISO, YMD';

-- An epoch is finite (22008), and a whole number of milliseconds (22023)
CREATE TEMP TABLE with_epoch (call text);
INSERT INTO with_epoch
SELECT format || call FROM unnest('{fluid,nanoflake,ulidflake}'::text[]) AS format,
  unnest('{"_to_timestamptz(1, %L)","_min(now(), %L)","_in_range(1, now(), now(), %L)","_explain(1, %L)"}'::text[]) AS call
UNION ALL
SELECT format || '_from_timestamptz(now(), %L)' FROM unnest('{ulidflake,ulidflake_scalable}'::text[]) AS format;
SELECT epoch, sqlstate_of('SELECT ' || format(call, epoch)), count(*) AS functions
FROM with_epoch, unnest('{-infinity,2024-01-01 00:00:00.0005+00,2024-01-01 00:00:00.001+00,infinity}'::text[]) AS epoch
GROUP BY 1, 2 ORDER BY epoch COLLATE "C", 2;

-- No valid timestamp: 22008
SELECT call, sqlstate_of('SELECT ' || call) FROM unnest('{fluid,nanoflake,ulidflake}'::text[]) AS format,
  format('%s_to_timestamptz(%s, ''294276-12-31 00:00:00+00'')', format, (1::bigint << 62)::text) AS call ORDER BY call;

-- Ticks and fields outside their bits, and negative ids with a given epoch
SELECT call, sqlstate_of('SELECT ' || call) FROM unnest('{"fluid_from_parts(-1, 0, 0)","fluid_from_parts(1099511627776, 0, 0)",
  "nanoflake_from_parts(-1, 0, 0)","nanoflake_from_parts(2199023255552, 0, 0)",
  "ulidflake_from_parts(-1, 0)","ulidflake_from_parts(8796093022208, 0)","ulidflake_from_parts(0, -1)","ulidflake_from_parts(0, 1048576)",
  "ulidflake_scalable_from_parts(-1, 0, 0)","ulidflake_scalable_from_parts(8796093022208, 0, 0)",
  "ulidflake_scalable_from_parts(0, -1, 0)","ulidflake_scalable_from_parts(0, 32768, 0)",
  "nanoflake_to_timestamptz(-1, ''epoch'')","ulidflake_to_timestamptz(-1, ''epoch'')",
  "nanoflake_explain(-1, ''epoch'')","ulidflake_explain(-1, ''epoch'')"}'::text[]) AS call;

-- What accepts a negative id: a FLUID in all functions, others in a range
SELECT fluid_get_ticks(-1), fluid_get_generator(-1), fluid_get_sequence(-1), fluid_to_timestamptz(-1),
  nanoflake_in_range(-1, '-infinity', 'infinity'), ulidflake_in_range(-1, '-infinity', 'infinity', 'epoch');

-- The forms and radixes of texts: 22023
SELECT call, sqlstate_of('SELECT ' || call) FROM unnest('{"fluid_to_text(1, ''f59'')","fluid_from_text(''1'', ''f59'')",
  "nanoflake_to_text(1, 1)","nanoflake_to_text(1, 37)","nanoflake_from_text(''1'', 0)","nanoflake_from_text(''1'', 37)",
  "scru160_to_text(scru160_generate(), ''base64'')","uuid_to_text(uuid_generate_v7(), ''hex'')","uuid_from_text(''1'', ''hex'')"}'::text[]) AS call;

-- A scru160 of a bytea has 20 bytes: 22P03
SELECT bytes, sqlstate_of(format('SELECT scru160_from_bytea(decode(repeat(''00'', %s), ''hex''))', bytes)) AS scru160_from_bytea,
  sqlstate_of(format('SELECT decode(repeat(''00'', %s), ''hex'')::scru160', bytes)) AS cast
FROM unnest('{0,19,20,21}'::integer[]) AS bytes;

-- Administration: NULL for NULL, and 0 if no format is changed
SELECT flakeid_raise_floor(NULL) IS NULL AS null, flakeid_raise_floor('2023-12-31 23:59:59.999+00') AS before_the_epochs,
  flakeid_cancel_reset() AS nothing_to_cancel;
SELECT format, slot IS NULL AS slot, first_generator IS NULL AS first, last_generator IS NULL AS last
FROM flakeid_status() ORDER BY format;
