--
-- UUIDv7 of draft-peabody-dispatch-new-uuid-format-01
--
SET timezone = 'UTC';
SET datestyle = 'ISO, YMD';

CREATE TEMP TABLE vector (uuid uuid, "precision" text, unix_s bigint,
  units bigint, fraction bigint, seq integer, rand text, "time" timestamptz,
  decoded_ns bigint);
\copy vector from program 'cat "$PG_ABS_SRCDIR/test/vectors/uuid7_draft.tsv"' with (header)

SELECT "precision", count(*) FROM vector GROUP BY 1 ORDER BY 1;

CREATE TEMP TABLE layout AS
SELECT * FROM (VALUES ('ms', 12, 12, 62, 1000), ('us', 24, 14, 48, 1000000),
                      ('ns', 38, 8, 40, 1000000000))
  AS l ("precision", fraction_bits, seq_bits, rand_bits, per_s);

-- Reading; the time does not depend on the unit, and is truncated to
-- microseconds
SELECT * FROM (
  SELECT *, uuid_get_version(uuid) AS version,
         uuid_v7_draft_to_timestamptz(uuid) AS to_timestamptz,
         uuid_v7_draft_get_sequence(uuid, "precision") AS get_sequence
  FROM vector) AS v
WHERE version IS DISTINCT FROM 7 OR "time" IS DISTINCT FROM to_timestamptz OR
      seq IS DISTINCT FROM get_sequence OR
      unix_us_of(to_timestamptz)
        IS DISTINCT FROM unix_s * 1000000 + decoded_ns / 1000;

-- Every field is where the layout has it
SELECT * FROM vector JOIN layout USING ("precision")
WHERE bits122_of(uuid, 0, 36) IS DISTINCT FROM unix_s OR
      bits122_of(uuid, 36, fraction_bits) IS DISTINCT FROM fraction OR
      bits122_of(uuid, 36 + fraction_bits, seq_bits) IS DISTINCT FROM seq OR
      bits122_of(uuid, 36 + fraction_bits + seq_bits, rand_bits)
        IS DISTINCT FROM
        ('x' || lpad(rand, 16, '0'))::bit(64)::bigint OR
      36 + fraction_bits + seq_bits + rand_bits IS DISTINCT FROM 122;

-- Ids of a given time: seconds, fraction, sequence 0, random bits; with
-- nanoseconds, only vectors of whole microseconds are compared
CREATE TEMP VIEW made AS
SELECT v.*, l.fraction_bits, l.seq_bits, l.rand_bits,
       uuid_v7_draft_from_timestamptz(
         instant_of(unix_s * 1000000 + units * 1000000 / per_s),
         "precision") AS id
FROM vector AS v JOIN layout AS l USING ("precision")
WHERE "precision" <> 'ns' OR units % 1000 = 0;
SELECT "precision", count(*) FROM made GROUP BY 1 ORDER BY 1;
SELECT * FROM made
WHERE bits122_of(id, 0, 36) IS DISTINCT FROM unix_s OR
      bits122_of(id, 36, fraction_bits) IS DISTINCT FROM fraction OR
      bits122_of(id, 36 + fraction_bits, seq_bits) IS DISTINCT FROM 0 OR
      bits122_of(id, 36 + fraction_bits + seq_bits, rand_bits) = 0;

-- The instant of the examples of doc/internals/formats.md, section 7, to the microsecond
SELECT "precision", left(uuid_v7_draft_from_timestamptz(
         '2022-02-22 19:22:22.123456+00', "precision")::text, chars)
FROM (VALUES ('ms', 18), ('us', 18), ('ns', 18)) AS v ("precision", chars);

-- The node is the whole bytes after the sequence
SELECT * FROM vector JOIN layout USING ("precision"),
  LATERAL uuid_v7_draft_get_node(uuid, "precision") AS n (node)
WHERE encode(node, 'hex') IS DISTINCT FROM
      lpad(rand, (rand_bits + 7) / 8 * 2, '0');

-- The timestamp in units, and the id from its parts; nanoseconds that bigint
-- cannot count are an error
SELECT "precision", count(*) FROM vector JOIN layout USING ("precision"),
  LATERAL (SELECT unix_s::numeric * per_s + units) AS t (ticks)
WHERE ticks <= 9223372036854775807 AND
      uuid_v7_draft_get_ticks(uuid, "precision") = ticks AND
      uuid_v7_draft_from_parts(ticks::bigint,
        uuid_v7_draft_get_sequence(uuid, "precision"),
        uuid_v7_draft_get_node(uuid, "precision"), "precision") = uuid OR
      ticks > 9223372036854775807 AND
      sqlstate_of(format('SELECT uuid_v7_draft_get_ticks(%L, ''ns'')', uuid)) = '22008'
GROUP BY 1 ORDER BY 1;
SELECT error_of('SELECT uuid_v7_draft_' || call) FROM unnest(ARRAY[
  'get_ticks(''ffffffff-ffff-7fff-bfff-ffffffffffff'', ''ns'')',
  'get_ticks(''c232ab00-9414-11ec-b3c8-9f6bdeced846'', ''ms'')',
  'from_parts(68719476736000, 0, ''\x0000000000000000'', ''ms'')',
  'from_parts(0, 4096, ''\x0000000000000000'', ''ms'')',
  'from_parts(0, 0, ''\x000000000000'', ''ms'')',
  'from_parts(0, 256, ''\x0000000000'', ''ns'')',
  'from_parts(0, 0, ''\x0000000000'', ''s'')',
  'from_parts(9223372036854775807, 255, ''\x0000000000'', ''ns'')',
  'from_parts(-1, 0, ''\x000000000000'', ''us'')']) AS call;

-- Bounds: from the first fraction of the step
SELECT "precision", count(*) FROM vector AS v JOIN layout AS l USING ("precision"),
  LATERAL (SELECT instant_of(unix_s * 1000000 + units * 1000000 / per_s)) AS i (ts),
  LATERAL (SELECT uuid_v7_draft_min(ts, "precision")) AS b (least),
  LATERAL (SELECT least(per_s, 1000000)::numeric AS step_per_s,
    div(units::numeric * least(per_s, 1000000), per_s) AS step) AS steps
WHERE bits122_of(least, 0, 36) = unix_s AND
      bits122_of(least, 36, fraction_bits) =
        div(step * (1::bigint << fraction_bits) + step_per_s - 1, step_per_s) AND
      bits122_of(least, 74, 48) = 0 AND
      bits122_of(least, 36 + fraction_bits, 38 - fraction_bits) = 0 AND
      uuid_get_version(least) = 7 AND uuid >= least
GROUP BY 1 ORDER BY 1;

-- The message quotes the unit, truncated if it is long
SELECT error_of('SELECT uuid_generate_v7_draft(''fortnight'')');
SELECT error_of(format('SELECT uuid_generate_v7_draft(%L)', repeat('s', 10000))) =
  format('22023: unrecognized unit: "%s..." | Use "ms", "us" or "ns".', repeat('s', 100)) AS cut;
SELECT sqlstate_of(format('SELECT uuid_v7_draft_%s', call))
FROM unnest(ARRAY['min(now(), ''s'')', 'min(now(), '''')',
  'in_range(uuid_generate_v7_draft(''ms''), now(), now(), ''MS'')',
  'get_node(uuid_generate_v7_draft(''ms''), ''s'')']) AS call;
