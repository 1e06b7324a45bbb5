--
-- UUIDv8 of RFC 9562: three fields that anybody may define
--

-- The examples of RFC 9562, appendix B, the ends of the fields, and bytes of a
-- column
CREATE TEMP TABLE vector (uuid uuid, custom_a bigint, custom_b integer, custom_c bytea);
INSERT INTO vector VALUES
  ('2489e9ad-2ee2-8e00-8ec9-32d5f69181c0', x'2489e9ad2ee2'::bigint, x'e00'::integer, '\x0ec932d5f69181c0'),
  ('5c146b14-3c52-8afd-938a-375d0df1fbf6', x'5c146b143c52'::bigint, x'afd'::integer, '\x138a375d0df1fbf6'),
  ('00000000-0000-8000-8000-000000000000', 0, 0, '\x0000000000000000'),
  ('ffffffff-ffff-8fff-bfff-ffffffffffff', (1::bigint << 48) - 1, 4095, '\x3fffffffffffffff');
SELECT uuid, uuid_v8_from_parts(custom_a, custom_b, custom_c) = uuid AS made,
       uuid_v8_get_custom_a(uuid) = custom_a AS a, uuid_v8_get_custom_b(uuid) = custom_b AS b,
       uuid_v8_get_custom_c(uuid) = custom_c AS c, uuid_get_version(uuid) AS version
FROM vector;

-- Fields that do not fit, and other versions
SELECT error_of('SELECT uuid_v8_' || call) FROM unnest(ARRAY[
  'from_parts(281474976710656, 0, ''\x0000000000000000'')', 'from_parts(-1, 0, ''\x0000000000000000'')',
  'from_parts(0, 4096, ''\x0000000000000000'')', 'from_parts(0, 0, ''\x4000000000000000'')',
  'from_parts(0, 0, ''\x00'')', 'get_custom_a(''017f22e2-79b0-7cc3-98c4-dc0c0c07398f'')',
  'get_custom_b(''ffffffff-ffff-ffff-ffff-ffffffffffff'')',
  'get_custom_c(''017f22e2-79b0-7cc3-98c4-dc0c0c07398f'')']) AS call;
