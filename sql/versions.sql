--
-- The library with the SQL of another version
--

-- The row types of an earlier or a later one, over the C functions of this one:
-- fewer columns, more, other types
CREATE FUNCTION pg_temp.declare(name text, arguments text, columns text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format($f$CREATE FUNCTION pg_temp.%I(%s) %s AS '$libdir/flakeid', %L LANGUAGE C STRICT$f$,
    name, arguments, columns, regexp_replace(name, '^(flakeid_)?', 'flakeid_'));
END $$;
CREATE FUNCTION pg_temp.columns_of(type regclass, taken integer, more text) RETURNS text LANGUAGE sql AS $$
SELECT format('RETURNS TABLE (%s)', concat_ws(', ', string_agg(format('%I %s', attname, format_type(atttypid, NULL)), ', ' ORDER BY attnum)
    FILTER (WHERE attnum <= taken), nullif(more, '')))
FROM pg_attribute WHERE attrelid = type
$$;

\pset format unaligned
\pset tuples_only on
-- Fewer columns
SELECT pg_temp.declare('flakeid_status', '', pg_temp.columns_of('flakeid_status_row', 2, ''));
SELECT * FROM pg_temp.flakeid_status();
DROP FUNCTION pg_temp.flakeid_status;
SELECT pg_temp.declare('uuid_explain', 'uuid', pg_temp.columns_of('flakeid_explain_row', 2, ''));
SELECT * FROM pg_temp.uuid_explain('ffffffff-ffff-ffff-ffff-ffffffffffff');
DROP FUNCTION pg_temp.uuid_explain;

-- More columns, by reference and by value, which are NULL
SELECT pg_temp.declare('flakeid_status', '',
  pg_temp.columns_of('flakeid_status_row', 99, 'one text, two timestamptz, three numeric[], four bigint'));
SELECT format, one, two, three, four FROM pg_temp.flakeid_status();
SELECT count(*) FROM pg_temp.flakeid_status() AS a JOIN flakeid_status() AS b USING (format, scope, epoch, horizon_state);
DROP FUNCTION pg_temp.flakeid_status;
SELECT pg_temp.declare('fluid_explain', 'bigint', pg_temp.columns_of('flakeid_explain_row', 5, 'more text, most integer'));
SELECT * FROM pg_temp.fluid_explain(6731191091817518);
SELECT pg_temp.declare('scru160_explain', 'scru160', pg_temp.columns_of('flakeid_explain_row', 5, 'more float8'));
SELECT count(more), count(*) > 0 AS rows FROM pg_temp.scru160_explain('05TTUP1HNCPNH30VEK64KDQT9BSNU4C4');
SELECT pg_temp.declare('fluid_get_address', 'bigint, OUT node integer, OUT slot integer, OUT lane integer, OUT more text', '');
SELECT node, more FROM pg_temp.fluid_get_address(fluid_generate());

-- A later version adds a column under a view
CREATE VIEW pg_temp.statuses AS SELECT * FROM flakeid_status() AS s;
BEGIN;
ALTER TYPE flakeid_status_row ADD ATTRIBUTE more text, ADD ATTRIBUTE most timestamptz;
ALTER TYPE flakeid_address_row ADD ATTRIBUTE more text;
SELECT format, more, most FROM flakeid_status();
SELECT format, horizon_state FROM pg_temp.statuses;
SELECT node, more FROM nanoflake_get_address(1);
ROLLBACK;

-- Other types, and no row type: an error
CREATE TYPE pg_temp.dropped AS (format text, gone text, scope text);
ALTER TYPE pg_temp.dropped DROP ATTRIBUTE gone;
SELECT pg_temp.declare('flakeid_status', '', 'RETURNS TABLE (format text, scope integer)');
SELECT error_of('SELECT * FROM pg_temp.flakeid_status()');
DROP FUNCTION pg_temp.flakeid_status;
SELECT pg_temp.declare('flakeid_status', '', 'RETURNS SETOF pg_temp.dropped');
SELECT error_of('SELECT * FROM pg_temp.flakeid_status()');
DROP FUNCTION pg_temp.flakeid_status;
SELECT pg_temp.declare('flakeid_status', '', 'RETURNS SETOF text');
SELECT sqlstate_of('SELECT pg_temp.flakeid_status()');
SELECT pg_temp.declare('nanoflake_explain', 'bigint', 'RETURNS TABLE (field text, first_bit bigint)');
SELECT error_of('SELECT * FROM pg_temp.nanoflake_explain(1)');
SELECT pg_temp.declare('nanoflake_get_address', 'bigint, OUT node text, OUT slot integer', '');
SELECT sqlstate_of('SELECT pg_temp.nanoflake_get_address(1)');

-- A format that the extension does not have yet: missing, and nothing to change
\c -
BEGIN;
ALTER EXTENSION flakeid DROP FUNCTION nanoflake_generate();
ALTER EXTENSION flakeid DROP SEQUENCE flakeid_nanoflake_horizon;
SELECT format, scope, horizon IS NULL AS no_horizon, floor IS NULL AS no_floor, horizon_state = 'missing' AS missing
FROM flakeid_status();
SELECT flakeid_raise_floor(now()), flakeid_cancel_reset();
SELECT flakeid_raise_floor(now() + interval '1 s');
SELECT error_of('SELECT nanoflake_generate()');
-- ... also one whose sequence somebody took out, in a session that knew it
ALTER EXTENSION flakeid ADD FUNCTION nanoflake_generate();
ALTER EXTENSION flakeid DROP SEQUENCE flakeid_fluid_horizon;
SELECT format, horizon IS NULL AS no_horizon, horizon_state = 'missing' AS missing FROM flakeid_status();
SELECT flakeid_raise_floor(now() + interval '2 s');
SELECT error_of('SELECT fluid_generate()');
-- ... or renamed
ALTER SEQUENCE flakeid_ulidflake_horizon RENAME TO away;
SELECT format, horizon IS NULL AS no_horizon, horizon_state = 'missing' AS missing FROM flakeid_status();
SELECT flakeid_raise_floor(now() + interval '3 s'), flakeid_cancel_reset(), flakeid_reset_horizon();
ALTER SEQUENCE away RENAME TO flakeid_ulidflake_horizon;
SELECT format, horizon_state = 'missing' AS missing FROM flakeid_status();
ROLLBACK;
