-- The measurement of bench/scru160, which sets rows, rounds and the file with
-- the list of measurements.
SET client_min_messages = warning;
CREATE EXTENSION flakeid;

CREATE TEMP TABLE measurement (
	name text PRIMARY KEY, scru160 text, uuid text, scru160_empty text,
	uuid_empty text, goal float8, n serial);
COPY measurement (name, scru160, uuid, scru160_empty, uuid_empty, goal)
	FROM :'list' WITH (DELIMITER '|', NULL '');

-- Seconds of the query, and of its overhead
CREATE TEMP TABLE cost (
	name text, round integer, scru160 float8, scru160_empty float8,
	uuid float8, uuid_empty float8);

-- Time-ordered ids in random order; for calls a tenth of them, as text too,
-- and rows without columns, so that only the call is measured
CREATE TEMP TABLE s AS SELECT id FROM (
	SELECT scru160_generate() AS id FROM generate_series(1, :rows)) AS q
ORDER BY random();
CREATE TEMP TABLE u AS SELECT id FROM (
	SELECT uuid_generate_v7() AS id FROM generate_series(1, :rows)) AS q
ORDER BY random();
CREATE TEMP TABLE other_s AS SELECT id FROM s ORDER BY random();
CREATE TEMP TABLE other_u AS SELECT id FROM u ORDER BY random();
CREATE TEMP TABLE few AS SELECT FROM generate_series(1, :rows / 10);
CREATE TEMP TABLE few_s AS SELECT id, id::text AS base32hex,
	scru160_to_text(id, 'hex') AS hex FROM s LIMIT :rows / 10;
CREATE TEMP TABLE few_u AS SELECT id, id::text AS hex FROM u LIMIT :rows / 10;
VACUUM ANALYZE s;
VACUUM ANALYZE u;
VACUUM ANALYZE other_s;
VACUUM ANALYZE other_u;
VACUUM ANALYZE few;
VACUUM ANALYZE few_s;
VACUUM ANALYZE few_u;
SET enable_mergejoin = off;
SET enable_nestloop = off;

-- Seconds of a query, 0 for none
CREATE FUNCTION pg_temp.seconds(query text) RETURNS float8
LANGUAGE plpgsql AS $$
DECLARE
	began timestamptz;
BEGIN
	IF query IS NULL THEN
		RETURN 0;
	END IF;
	began := clock_timestamp();
	EXECUTE query;
	RETURN extract(epoch FROM clock_timestamp() - began);
END $$;

-- Round 0 is a warm-up
CREATE PROCEDURE pg_temp.measure(rounds integer) LANGUAGE plpgsql AS $$
DECLARE
	m record;
	c cost;
BEGIN
	FOR round IN 0 .. rounds LOOP
		FOR m IN SELECT n.* FROM measurement AS n, generate_series(1,
			CASE WHEN n.scru160_empty IS NULL THEN 1 ELSE 10 END)
			ORDER BY random()
		LOOP
			c.name := m.name;
			c.round := round;
			c.scru160_empty := pg_temp.seconds(m.scru160_empty);
			c.scru160 := pg_temp.seconds(m.scru160);
			c.uuid := pg_temp.seconds(m.uuid);
			c.uuid_empty := pg_temp.seconds(m.uuid_empty);
			INSERT INTO cost SELECT c.* WHERE round > 0;
			DROP INDEX IF EXISTS s_id, u_id;
		END LOOP;
	END LOOP;
END $$;
CALL pg_temp.measure(:rounds);

\pset footer off
\pset null ''
WITH median AS (
	SELECT name, percentile_cont(0.5) WITHIN GROUP (ORDER BY scru160)
			   - percentile_cont(0.5) WITHIN GROUP (ORDER BY scru160_empty) AS s,
		   percentile_cont(0.5) WITHIN GROUP (ORDER BY uuid)
			   - percentile_cont(0.5) WITHIN GROUP (ORDER BY uuid_empty) AS u,
		   min(scru160) - min(scru160_empty) AS least_s,
		   min(uuid) - min(uuid_empty) AS least_u
	FROM cost GROUP BY name),
summary AS (
	SELECT name, s * ns AS s, u * ns AS u, least_s * ns AS least_s,
		   least_u * ns AS least_u
	FROM median JOIN measurement USING (name), LATERAL (SELECT 1e9 / :rows *
		CASE WHEN scru160_empty IS NULL THEN 1 ELSE 10 END) AS unit (ns))
SELECT name AS "ns per row",
	   round(s::numeric, 1) AS "scru160, median",
	   round(u::numeric, 1) AS "uuid, median",
	   round((s / u)::numeric, 2) AS ratio,
	   round(least_s::numeric, 1) AS "scru160, min",
	   round(least_u::numeric, 1) AS "uuid, min",
	   round((least_s / least_u)::numeric, 2) AS "ratio of minima",
	   goal,
	   CASE WHEN s / u <= goal THEN 'met'
			WHEN goal IS NOT NULL THEN 'missed' END AS "the goal is"
FROM measurement AS m JOIN summary USING (name) ORDER BY n;
