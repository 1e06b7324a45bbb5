-- The measurement of bench/without_c, which sets rows, rounds and the source
-- tree.
SET client_min_messages = warning;
CREATE EXTENSION flakeid;
CREATE SCHEMA plain;
SET search_path = plain;
\set file :src '/contrib/flakeid_read.sql'
\i :file
\set file :src '/contrib/flakeid_generate.sql'
\i :file
RESET search_path;
\ir seconds.sql

CREATE SEQUENCE bench_sequence;
CREATE TEMP TABLE generator AS SELECT * FROM unnest(ARRAY[
	'uuid_generate_v7()', 'uuid_generate_v6()', 'uuid_generate_v7(''1 day'')',
	'fluid_generate()', 'nanoflake_generate()', 'ulidflake_generate()',
	'ulidflake_scalable_generate()', 'scru160_generate()',
	'scru160_us_generate()', 'gen_random_uuid()', 'nextval(''bench_sequence'')'])
	WITH ORDINALITY AS g (call, n);
INSERT INTO generator VALUES ('1', 12);
CREATE TEMP TABLE bench_rows AS SELECT FROM generate_series(1, :rows);
SELECT count(*) FROM bench_rows \g /dev/null
CREATE TEMP TABLE cost (call text, ns float8);

-- Round 0 is a warm-up.
CREATE PROCEDURE pg_temp.measure(row_count integer, rounds integer)
LANGUAGE plpgsql AS $$
DECLARE
	g record;
BEGIN
	FOR round IN 0 .. rounds LOOP
		FOR g IN SELECT e.call FROM generator, unnest(
				CASE WHEN n > 9 THEN ARRAY[generator.call]
				ELSE ARRAY['public.' || generator.call, 'plain.' || generator.call]
				END) AS e (call) ORDER BY random()
		LOOP
			INSERT INTO cost SELECT g.call, s * 1e9 / row_count
			FROM pg_temp.seconds(g.call, 'bench_rows') AS s WHERE round > 0;
		END LOOP;
	END LOOP;
END $$;
CALL pg_temp.measure(:rows, :rounds);

\pset footer off
\pset null ''
WITH median AS (
	SELECT call, percentile_cont(0.5) WITHIN GROUP (ORDER BY ns) -
		(SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY ns)
		 FROM cost WHERE call = '1') AS ns
	FROM cost GROUP BY call)
SELECT g.call AS "ns per call above count(1)", round(c.ns) AS "in C",
	round(coalesce(s.ns, core.ns)) AS "in SQL", round((s.ns / c.ns)::numeric, 1) AS ratio
FROM generator AS g
LEFT JOIN median AS c ON c.call = 'public.' || g.call
LEFT JOIN median AS s ON s.call = 'plain.' || g.call
LEFT JOIN median AS core ON core.call = g.call
WHERE g.call <> '1'
ORDER BY g.n;
