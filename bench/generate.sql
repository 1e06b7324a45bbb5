-- The measurement of bench/generate, which gives rows, rounds, the file of the
-- baselines' module and that of the list of generators.
SET client_min_messages = warning;
CREATE EXTENSION flakeid;
SELECT count(*) > 0 AS has_uuid_ossp FROM pg_available_extensions
WHERE name = 'uuid-ossp' \gset
\if :has_uuid_ossp
CREATE EXTENSION "uuid-ossp";
\endif

CREATE FUNCTION baseline_uuid() RETURNS uuid AS :'module'
	LANGUAGE C VOLATILE STRICT;
CREATE FUNCTION baseline_uuid_clock() RETURNS uuid AS :'module'
	LANGUAGE C VOLATILE STRICT;
CREATE FUNCTION baseline_bigint() RETURNS bigint AS :'module'
	LANGUAGE C VOLATILE STRICT;
CREATE FUNCTION baseline_bigint_clock() RETURNS bigint AS :'module'
	LANGUAGE C VOLATILE STRICT;
CREATE SEQUENCE bench_sequence;

CREATE TEMP TABLE generator (
	name text PRIMARY KEY, expression text, floor text, peer text,
	divisor integer, may_miss boolean, n serial);
COPY generator (name, expression, floor, peer, divisor, may_miss)
	FROM :'list' WITH (DELIMITER '|');

CREATE TEMP TABLE cost (name text, round integer, ns float8);

-- Seconds that a count takes
CREATE FUNCTION pg_temp.seconds(expression text, relation text) RETURNS float8
LANGUAGE plpgsql AS $$
DECLARE
	began timestamptz;
	n bigint;
BEGIN
	began := clock_timestamp();
	EXECUTE format('SELECT count(%s) FROM %I', expression, relation) INTO n;
	RETURN extract(epoch FROM clock_timestamp() - began);
END $$;

-- A table without columns for every number of rows, so that no more than the
-- call is measured
CREATE PROCEDURE pg_temp.prepare(row_count integer) LANGUAGE plpgsql AS $$
DECLARE
	g record;
BEGIN
	FOR g IN SELECT * FROM generator WHERE may_miss LOOP
		BEGIN
			EXECUTE 'SELECT ' || g.expression;
		EXCEPTION WHEN undefined_function THEN
			DELETE FROM generator WHERE name = g.name;
		END;
	END LOOP;
	FOR g IN SELECT DISTINCT divisor FROM generator LOOP
		EXECUTE format('CREATE TEMP TABLE rows_%1$s AS
			SELECT FROM generate_series(1, %2$s)',
			g.divisor, row_count / g.divisor);
		-- sets the hint bits
		EXECUTE format('SELECT count(*) FROM rows_%s', g.divisor);
	END LOOP;
END $$;

-- Round 0 warms up
CREATE PROCEDURE pg_temp.measure(row_count integer, rounds integer)
LANGUAGE plpgsql AS $$
DECLARE
	g record;
	relation text;
	empty float8;
	whole float8;
BEGIN
	FOR round IN 0 .. rounds LOOP
		FOR g IN SELECT * FROM generator ORDER BY random() LOOP
			relation := 'rows_' || g.divisor;
			empty := pg_temp.seconds('1', relation);
			whole := pg_temp.seconds(g.expression, relation);
			empty := least(empty, pg_temp.seconds('1', relation));
			INSERT INTO cost SELECT g.name, round,
				(whole - empty) * 1e9 / (row_count / g.divisor)
			WHERE round > 0;
		END LOOP;
	END LOOP;
END $$;

CALL pg_temp.prepare(:rows);
CALL pg_temp.measure(:rows, :rounds);

\pset footer off
\pset null ''
WITH summary AS (
	SELECT name, min(ns) AS least,
		   percentile_cont(0.5) WITHIN GROUP (ORDER BY ns) AS median
	FROM cost GROUP BY name)
SELECT g.name AS "ns per call above count(1)",
	   round(s.median::numeric, 1) AS median,
	   round(s.least::numeric, 1) AS min,
	   round((s.median / f.median)::numeric, 2) AS "/ floor, medians",
	   round((s.least / f.least)::numeric, 2) AS "/ floor, minima",
	   g.floor,
	   round((p.median / s.median)::numeric, 1) AS "times faster than",
	   g.peer
FROM generator AS g JOIN summary AS s USING (name)
LEFT JOIN summary AS f ON f.name = g.floor
LEFT JOIN summary AS p ON p.name = g.peer
ORDER BY n;
