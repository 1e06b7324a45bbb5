-- The measurement of bench/generate, which sets rows, rounds, the file of the
-- baselines' module, the file with the list of generators, and the library of
-- pg_uuidv7, or ''.
SET client_min_messages = warning;
CREATE EXTENSION flakeid;
\ir seconds.sql
SELECT count(*) > 0 AS has_uuid_ossp FROM pg_available_extensions
WHERE name = 'uuid-ossp' \gset
\if :has_uuid_ossp
CREATE EXTENSION "uuid-ossp";
\endif

CREATE FUNCTION baseline_uuid() RETURNS uuid AS :'module'
	LANGUAGE C VOLATILE STRICT;
CREATE FUNCTION baseline_uuid_clock() RETURNS uuid AS :'module'
	LANGUAGE C VOLATILE STRICT;
CREATE FUNCTION baseline_uuid_clock_random() RETURNS uuid AS :'module'
	LANGUAGE C VOLATILE STRICT;
CREATE FUNCTION baseline_bigint() RETURNS bigint AS :'module'
	LANGUAGE C VOLATILE STRICT;
CREATE FUNCTION baseline_bigint_clock() RETURNS bigint AS :'module'
	LANGUAGE C VOLATILE STRICT;
\ir pg_uuidv7.sql
CREATE SEQUENCE bench_sequence;
CREATE SEQUENCE bench_cached CACHE 1000;

CREATE TEMP TABLE generator (
	name text PRIMARY KEY, expression text, floor text, peer text,
	divisor integer, may_miss boolean, n serial);
COPY generator (name, expression, floor, peer, divisor, may_miss)
	FROM :'list' WITH (DELIMITER '|');

-- Cost per row of a count, of a generator (name) or of count(1) (NULL)
CREATE TEMP TABLE cost (name text, divisor integer, ns float8);

-- One table without columns for every number of rows, so that only the call is
-- measured
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

-- Round 0 is a warm-up: its measurements are never NULL, and so are ignored
CREATE PROCEDURE pg_temp.measure(row_count integer, rounds integer)
LANGUAGE plpgsql AS $$
DECLARE
	g record;
	relation text;
	per_row float8;
BEGIN
	FOR round IN 0 .. rounds LOOP
		FOR g IN SELECT * FROM generator ORDER BY random() LOOP
			relation := 'rows_' || g.divisor;
			per_row := 1e9 / (row_count / g.divisor);
			INSERT INTO cost
			SELECT name, g.divisor, pg_temp.seconds(expression, relation) * per_row
			FROM (VALUES (g.name, g.expression), (NULL, '1'))
				AS e (name, expression)
			WHERE round > 0 OR pg_temp.seconds(expression, relation) IS NULL;
		END LOOP;
	END LOOP;
END $$;

CALL pg_temp.prepare(:rows);
CALL pg_temp.measure(:rows, :rounds);

\pset footer off
\pset null ''
-- The minimum is that of the generator minus that of count(1), not the minimum
-- of the differences: load from other processes must not affect either.
WITH raw AS (
	SELECT name, divisor, min(ns) AS least,
		   percentile_cont(0.5) WITHIN GROUP (ORDER BY ns) AS median
	FROM cost GROUP BY name, divisor),
summary AS (
	SELECT c.name, c.least - e.least AS least, c.median - e.median AS median
	FROM raw AS c JOIN raw AS e USING (divisor)
	WHERE c.name IS NOT NULL AND e.name IS NULL)
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
