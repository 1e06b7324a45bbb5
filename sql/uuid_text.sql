--
-- UUID: base 32, the text of a ULID, base32hex, and base 58
--
SET client_encoding = 'UTF8';

CREATE TEMP TABLE vector (uuid uuid, base32 text, base32hex text, base58 text);
\copy vector from program 'cat "$PG_ABS_SRCDIR/test/vectors/uuid_text.tsv"' with (header)

-- No rows: round trip
SELECT * FROM vector
WHERE uuid_to_text(uuid, 'ulid') IS DISTINCT FROM base32 OR
      uuid_from_text(base32, 'ulid') IS DISTINCT FROM uuid OR
      uuid_to_text(uuid, 'base32hex') IS DISTINCT FROM base32hex OR
      uuid_from_text(base32hex, 'base32hex') IS DISTINCT FROM uuid OR
      uuid_from_text(E' \t' || lower(base32hex COLLATE "C") || E'\n', 'base32hex') IS DISTINCT FROM uuid OR
      uuid_from_text(lower(base32 COLLATE "C"), 'ulid') IS DISTINCT FROM uuid OR
      uuid_from_text(translate(base32, '01', 'OL'), 'ulid') IS DISTINCT FROM uuid OR
      uuid_from_text(translate(lower(base32 COLLATE "C"), '01', 'oi'), 'ulid') IS DISTINCT FROM uuid OR
      uuid_to_text(uuid, 'base58') IS DISTINCT FROM base58 OR
      uuid_from_text(base58, 'base58') IS DISTINCT FROM uuid OR
      uuid_from_text(lpad(base58, 22, '1'), 'base58') IS DISTINCT FROM uuid;
SELECT count(*) FROM vector;

-- Error messages
\pset format unaligned
\pset tuples_only on
SELECT error_of(query)
FROM (VALUES
  (1, 'SELECT uuid_from_text(''01H455VB4PEX5VSKNK084SN02'', ''ulid'')'),
  (2, 'SELECT uuid_from_text(''01H455VB4PEX5VSKNK084SN02QQ'', ''ulid'')'),
  (3, 'SELECT uuid_from_text(''user_01h455vb4pex5vsknk084sn02q'', ''ulid'')'),
  (4, 'SELECT uuid_from_text(''81H455VB4PEX5VSKNK084SN02Q'', ''ulid'')'),
  (5, 'SELECT uuid_from_text(''01H455VB4PEX5VSKNK084SN02é'', ''ulid'')'),
  (6, 'SELECT uuid_from_text('''', ''ulid'')'),
  (7, 'SELECT uuid_from_text(''BzmjTFLHWXwiSK4y3H5il'', ''base58'')'),
  (8, 'SELECT uuid_from_text(''YcVfxkQb6JRzqk5kF2tNLw'', ''base58'')'),
  (9, 'SELECT uuid_from_text(''YcVfxkQb6JRzqk5kF2tNLv1'', ''base58'')'),
  (10, 'SELECT uuid_from_text('''', ''base58'')'),
  (11, 'SELECT uuid_from_text(E'' \n01H455VB4PEX5VSKNK084SN0!Q '', ''ulid'')'),
  (12, 'SELECT uuid_from_text('' VVVVVVVVVVVVVVVVVVVVVVVVVV'', ''base32hex'')'),
  (13, 'SELECT uuid_from_text(''WVVVVVVVVVVVVVVVVVVVVVVVVS'', ''base32hex'')'),
  (14, 'SELECT uuid_from_text(''1'', ''base64'')'),
  (15, 'SELECT uuid_to_text(uuid_generate_v7(), ''BASE32'')')) AS v (n, query)
ORDER BY n;
\pset format aligned
\pset tuples_only off

CREATE TEMP TABLE random_ids AS
SELECT md5(i::text)::uuid AS id FROM generate_series(1, 200000) AS i;
-- Base32hex is that of the server, from 19 on, without its padding
CREATE FUNCTION pg_temp.of_server(id uuid) RETURNS text LANGUAGE plpgsql AS
  $$ BEGIN RETURN rtrim(encode(uuid_send(id), 'base32hex'), '='); END $$;
SELECT sqlstate_of($$SELECT pg_temp.of_server('01890a5d-ac96-774b-bcce-b302099a8057')$$) =
  CASE WHEN current_setting('server_version_num')::integer < 190000 THEN '22023' ELSE '00000' END AS known;
SELECT count(*) FROM random_ids, current_setting('server_version_num') AS v (version)
WHERE CASE WHEN version::integer >= 190000 THEN uuid_to_text(id, 'base32hex') <> pg_temp.of_server(id) END;

-- TypeID: a prefix of lower-case letters and "_", "_", and base 32 in lower
-- case, read and written as in doc/ids-in-urls.md.  Vectors of the TypeID
-- specification, version 0.3: texts it accepts, with their parts.
CREATE FUNCTION pg_temp.typeid_parts(typeid text, OUT prefix text, OUT id uuid)
LANGUAGE sql AS $$
SELECT coalesce(m[2], ''), uuid_from_text(m[3], 'ulid')
FROM regexp_match(typeid, '^(([a-z](?:[a-z_]{0,61}[a-z])?)_)?([0-7][0-9a-hjkmnp-tv-z]{25})$') AS m
$$;
CREATE TEMP TABLE typeids (typeid text, prefix text, id uuid);
INSERT INTO typeids VALUES
  ('00000000000000000000000000', '', '00000000-0000-0000-0000-000000000000'),
  ('00000000000000000000000001', '', '00000000-0000-0000-0000-000000000001'),
  ('0000000000000000000000000a', '', '00000000-0000-0000-0000-00000000000a'),
  ('0000000000000000000000000g', '', '00000000-0000-0000-0000-000000000010'),
  ('00000000000000000000000010', '', '00000000-0000-0000-0000-000000000020'),
  ('7zzzzzzzzzzzzzzzzzzzzzzzzz', '', 'ffffffff-ffff-ffff-ffff-ffffffffffff'),
  ('prefix_0123456789abcdefghjkmnpqrs', 'prefix', '0110c853-1d09-52d8-d73e-1194e95b5f19'),
  ('prefix_01h455vb4pex5vsknk084sn02q', 'prefix', '01890a5d-ac96-774b-bcce-b302099a8057'),
  ('pre_fix_00000000000000000000000000', 'pre_fix', '00000000-0000-0000-0000-000000000000');
SELECT count(*) AS typeids,
       count(*) FILTER (WHERE (parts.prefix, parts.id) = (t.prefix, t.id)) AS read,
       count(*) FILTER (WHERE concat_ws('_', nullif(t.prefix, ''), lower(uuid_to_text(t.id, 'ulid') COLLATE "C")) = typeid)
         AS written
FROM typeids AS t, pg_temp.typeid_parts(typeid) AS parts;

-- No rows: texts that the specification refuses have no parts
SELECT t, parts.*
FROM unnest('{PREFIX_00000000000000000000000000, 12345_00000000000000000000000000,
  pre.fix_00000000000000000000000000, préfix_00000000000000000000000000,
  "  prefix_00000000000000000000000000", _00000000000000000000000000, _,
  prefix_1234567890123456789012345, prefix_123456789012345678901234567,
  "prefix_1234567890123456789012345 ", prefix_0123456789ABCDEFGHJKMNPQRS,
  prefix_123456789-123456789-123456, prefix_ooooooiiiiiiuuuuuuulllllll,
  prefix_i23456789ol23456789oi23456, prefix_123456789-0123456789-0123456,
  prefix_8zzzzzzzzzzzzzzzzzzzzzzzzz, _prefix_00000000000000000000000000,
  prefix__00000000000000000000000000, ""}'::text[] || (repeat('abcdefgh', 8) || '_' || repeat('0', 26))) AS t,
  pg_temp.typeid_parts(t) AS parts
WHERE parts.id IS NOT NULL;
