-- Time of the calls alone in bench/insert, in ns above count(1); bench/insert
-- sets rows and rounds.
\ir seconds.sql

CREATE TEMP TABLE r AS SELECT FROM generate_series(1, :rows);
-- sets the hint bits
SELECT count(*) FROM r;
SELECT count(nextval('numbers')), count(nextval('numbers_unlogged')),
	   count(fluid_generate()), count(uuid_generate_v7()) FROM r LIMIT 1;
SELECT format('INSERT INTO call SELECT %L, %s,
	(pg_temp.seconds(%L, ''r'') - pg_temp.seconds(''1'', ''r'')) * 1e9 / %s',
	name, round, expression, :rows)
FROM contender, generate_series(1, :rounds) AS round
WHERE takes_part IN ('big', 'logged') ORDER BY round, random() \gexec
