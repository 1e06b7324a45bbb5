-- Insert a thousand ids of each generator without arguments into a table that
-- keeps those of earlier runs.  Print "ok" or "not ok" for each generator: no
-- id is lost, and each is greater than the previous one.

SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS flakeid;

SELECT format('CREATE TABLE IF NOT EXISTS ids (n integer GENERATED ALWAYS AS IDENTITY, %s)',
	string_agg(format('%1$I %2$s UNIQUE DEFAULT %1$I()', proname, prorettype::regtype),
		', ' ORDER BY proname))
FROM pg_proc JOIN pg_depend ON classid = 'pg_proc'::regclass AND objid = pg_proc.oid
	JOIN pg_extension ON refclassid = 'pg_extension'::regclass
		AND refobjid = pg_extension.oid AND extname = 'flakeid'
WHERE proname ~ '_generate' AND pronargs = pronargdefaults \gexec

INSERT INTO ids SELECT FROM generate_series(1, 1000);

SELECT format($$
	SELECT CASE WHEN count(*) = %s AND count(*) FILTER (WHERE follows) = count(*) - 1
		THEN 'ok     ' ELSE 'not ok ' END || %L
	FROM (SELECT %I > lag(%I) OVER (ORDER BY n) AS follows FROM ids) $$,
	:rows, format('%s: %s()', :'when', attname), attname, attname)
FROM pg_attribute WHERE attrelid = 'ids'::regclass AND attnum > 1 ORDER BY attname \gexec

SELECT CASE WHEN count(*) = 3 AND bool_and(horizon > clock_timestamp())
	THEN 'ok     ' ELSE 'not ok ' END || :'when' || ': the horizons' FROM flakeid_status();
