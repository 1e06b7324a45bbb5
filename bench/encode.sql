-- The measurement of bench/encode, which sets rows, rounds and the file with
-- the list of functions.
SET client_min_messages = warning;
CREATE EXTENSION flakeid;
\ir seconds.sql

-- A version published on many web pages
CREATE FUNCTION base36_encode(digits bigint, min_width integer DEFAULT 0)
RETURNS varchar LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
	chars char[];
	ret varchar;
	val bigint;
BEGIN
	chars := ARRAY['0','1','2','3','4','5','6','7','8','9',
		'A','B','C','D','E','F','G','H','I','J','K','L','M',
		'N','O','P','Q','R','S','T','U','V','W','X','Y','Z'];
	val := digits;
	ret := '';
	IF val < 0 THEN
		val := val * -1;
	END IF;
	WHILE val != 0 LOOP
		ret := chars[(val % 36) + 1] || ret;
		val := val / 36;
	END LOOP;
	IF min_width > 0 AND char_length(ret) < min_width THEN
		ret := lpad(ret, min_width, '0');
	END IF;
	RETURN ret;
END $$;

CREATE TEMP TABLE functions (
	name text PRIMARY KEY, expression text, argument text, goal numeric,
	peer text, n serial);
COPY functions (name, expression, argument, goal, peer)
	FROM :'list' WITH (DELIMITER '|', NULL '');

CREATE TEMP TABLE ids AS
SELECT id, id & 9223372036854775807 AS id63, md5(i::text)::uuid AS uuid
FROM generate_series(1, :rows) AS i, hashint8extended(i, 5) AS id;

-- Cost per row of a count, of the function and of count(1)
CREATE TEMP TABLE cost (name text, ns float8, empty_ns float8);

-- For each function, a table with its argument as the only column, and few rows
-- for the slow function
CREATE PROCEDURE pg_temp.prepare() LANGUAGE plpgsql AS $$
DECLARE
	f record;
BEGIN
	FOR f IN SELECT * FROM functions LOOP
		EXECUTE format('CREATE TEMP TABLE %I AS SELECT %s AS v FROM ids %s',
			'of ' || f.name, f.argument,
			CASE WHEN f.name LIKE 'PL/pgSQL%'
			THEN 'LIMIT (SELECT count(*) / 50 FROM ids)' END);
		-- sets the hint bits
		EXECUTE format('SELECT count(*) FROM %I', 'of ' || f.name);
	END LOOP;
END $$;

-- Round 0 warms up
CREATE PROCEDURE pg_temp.measure(rounds integer) LANGUAGE plpgsql AS $$
DECLARE
	f record;
	relation text;
	per_row float8;
	whole float8;
	empty float8;
BEGIN
	FOR round IN 0 .. rounds LOOP
		FOR f IN SELECT * FROM functions ORDER BY random() LOOP
			relation := 'of ' || f.name;
			EXECUTE format('SELECT 1e9 / count(*) FROM %I', relation)
				INTO per_row;
			whole := pg_temp.seconds(f.expression, relation) * per_row;
			empty := pg_temp.seconds('1', relation) * per_row;
			INSERT INTO cost SELECT f.name, whole, empty WHERE round > 0;
		END LOOP;
	END LOOP;
END $$;

CALL pg_temp.prepare();
CALL pg_temp.measure(:rounds);

\pset footer off
\pset null ''
-- The minimum is that of the function minus that of count(1), not the minimum
-- of the differences: load from other processes must not affect either.
WITH summary AS (
	SELECT name, min(ns) - min(empty_ns) AS least,
		   percentile_cont(0.5) WITHIN GROUP (ORDER BY ns) -
		   percentile_cont(0.5) WITHIN GROUP (ORDER BY empty_ns) AS median
	FROM cost GROUP BY name)
SELECT f.name AS "ns per call above count(1)",
	   round(s.median::numeric, 1) AS median,
	   round(s.least::numeric, 1) AS min,
	   round((s.median / h.median)::numeric, 2) AS "ratio, medians",
	   round((s.least / h.least)::numeric, 2) AS "ratio, minima",
	   f.peer AS "to", f.goal,
	   round((p.median / s.median)::numeric) AS "times faster than PL/pgSQL"
FROM functions AS f JOIN summary AS s USING (name)
JOIN summary AS h ON h.name = f.peer
JOIN summary AS p ON p.name = 'PL/pgSQL base 36'
ORDER BY n;
