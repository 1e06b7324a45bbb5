-- The measurement of bench/ranges, which sets rows and rounds.
SET client_min_messages = warning;
SET timezone = 'UTC';
CREATE EXTENSION flakeid;

-- The columns: an id for ts and i, and a range of it
CREATE TABLE contender (n integer, name text PRIMARY KEY, expression text,
	range text, plain text);
INSERT INTO contender VALUES
	(1, 'timestamptz', 'ts', 'id >= %1$L AND id < %2$L', NULL),
	(2, 'uuid_v7', 'uuid_v7_from_timestamptz(ts)', 'uuid_v7_between(id, %1$L, %2$L)',
	 'id >= uuid_v7_min(%1$L) AND id < uuid_v7_min(%2$L)'),
	(3, 'uuid_v6', 'uuid_v6_from_timestamptz(ts)', 'uuid_v6_between(id, %1$L, %2$L)',
	 'id >= uuid_v6_min(%1$L) AND id < uuid_v6_min(%2$L)'),
	(4, 'fluid', 'fluid_min(ts, ''2024-01-01Z'') | (i % 16384 << 10)',
	 'fluid_between(id, %1$L, %2$L, ''2024-01-01Z'')',
	 'id >= fluid_min(%1$L, ''2024-01-01Z'') AND id < fluid_min(%2$L, ''2024-01-01Z'')'),
	(5, 'nanoflake', 'nanoflake_min(ts, ''2024-01-01Z'') | (i % 1024 << 12)',
	 'nanoflake_between(id, %1$L, %2$L, ''2024-01-01Z'')',
	 'id >= nanoflake_min(%1$L, ''2024-01-01Z'') AND id < nanoflake_min(%2$L, ''2024-01-01Z'')'),
	(6, 'ulidflake', 'ulidflake_min(ts) | i % 1048576',
	 'ulidflake_between(id, %1$L, %2$L)',
	 'id >= ulidflake_min(%1$L) AND id < ulidflake_min(%2$L)'),
	(7, 'scru160', 'scru160_from_parts(scru160_get_ticks(scru160_min(ts)), i % 65536, ''\x000102030405060708090a0b'')',
	 'scru160_between(id, %1$L, %2$L)',
	 'id >= scru160_min(%1$L) AND id < scru160_min(%2$L)');

-- The time of row i is i / rows of 30 days after the start.
CREATE FUNCTION at(share float8) RETURNS timestamptz LANGUAGE sql IMMUTABLE
	RETURN '2026-06-01 00:00:00Z'::timestamptz + share * interval '30 days';
CREATE PROCEDURE add_rows(first integer, last integer, per integer) LANGUAGE plpgsql AS $$
DECLARE
	c record;
BEGIN
	FOR c IN SELECT * FROM contender ORDER BY n LOOP
		EXECUTE format('INSERT INTO %I SELECT %s, i, i %% 10, ''a payload''
			FROM (SELECT i, at(i::float8 / %s) AS ts FROM generate_series(%s, %s) AS i) AS s',
			't_' || c.name, c.expression, per, first, last - 1);
	END LOOP;
END $$;
SELECT format('CREATE TABLE t_%s AS SELECT %s AS id, 0 AS n, 0 AS kind, ''''::text AS payload
	FROM (SELECT now() AS ts, 1 AS i) AS s LIMIT 0', name, expression)
FROM contender ORDER BY n \gexec
CALL add_rows(0, :rows, :rows);
SELECT format('ALTER TABLE t_%1$s ADD PRIMARY KEY (id)', name),
	format('VACUUM ANALYZE t_%s', name) FROM contender ORDER BY n \gexec

-- The estimates
CREATE FUNCTION plan_of(query text) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT JSON, SUMMARY) ' || query INTO plan;
	RETURN plan -> 0;
END $$;
CREATE FUNCTION estimate(query text) RETURNS float8 LANGUAGE sql
	RETURN (plan_of(query) -> 'Plan' ->> 'Plan Rows')::float8;

CREATE TABLE estimate (state text, place text, percent numeric, name text, q float8);
CREATE FUNCTION rows_before(share float8, last float8, per integer) RETURNS float8 LANGUAGE sql
	RETURN ceil(least(greatest(share, 0), last) * per - 1e-6);
CREATE PROCEDURE estimate_all(of_state text, last float8, per integer) LANGUAGE sql AS $$
	INSERT INTO estimate
	SELECT of_state, place, percent, name,
		greatest(greatest(e, 1) / greatest(a, 1), greatest(a, 1) / greatest(e, 1))
	FROM unnest(ARRAY[0.001, 0.01, 0.1, 1, 10]) AS percent,
		unnest(ARRAY['begin', 'middle', 'newest']) AS place,
		generate_series(0, 30) AS j,
		LATERAL (SELECT percent / 100 * last) AS s (size),
		LATERAL (SELECT CASE place WHEN 'begin' THEN j * 0.1 * size
			WHEN 'middle' THEN (0.3 + 0.4 * j / 30) * last - size / 2
			ELSE last - size - j * 0.1 * size END) AS p (start),
		LATERAL (SELECT rows_before(start + size, last, per) - rows_before(start, last, per))
			AS r (a),
		contender,
		LATERAL (SELECT estimate(format('SELECT FROM t_' || name || ' WHERE ' || range,
			at(start), at(start + size)))) AS q (e) $$;
CREATE VIEW q_error AS
SELECT state, place, percent, name,
	percentile_disc(0.5) WITHIN GROUP (ORDER BY q) AS median, max(q) AS worst
FROM estimate GROUP BY 1, 2, 3, 4;
CREATE FUNCTION shown(of_state text, of_place text, of_percent numeric, of_name text)
RETURNS text LANGUAGE sql STABLE AS $$
	SELECT to_char(median, 'FM99990.00') || ' / ' || to_char(worst, 'FM99990.00')
	FROM q_error WHERE (state, place, percent, name) =
		(of_state, of_place, of_percent, of_name) $$;

CALL estimate_all('fresh', 1, :rows);

-- Cost of a range: to plan it, and to run it as an index scan, an index-only
-- scan and a sequential scan, each followed by the same with two explicit
-- operators
CREATE TABLE turn (round integer, kind text, name text, us float8);
CREATE TABLE pair (kind text, name text, us float8, written_out_us float8);
CREATE FUNCTION ran_us(query text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
	start timestamptz := clock_timestamp();
BEGIN
	EXECUTE query;
	RETURN extract(epoch FROM clock_timestamp() - start) * 1e6;
END $$;
CREATE FUNCTION asked(name text, what text, condition text, start float8, size float8)
RETURNS text LANGUAGE sql RETURN format('SELECT ' || what || ' FROM t_' || name || ' WHERE ' ||
	condition, at(start), at(start + size));
CREATE PROCEDURE plan_rounds(many integer) LANGUAGE plpgsql AS $$
BEGIN
	FOR i IN 1 .. many LOOP
		INSERT INTO turn
		SELECT i, kind, name, (plan_of(asked(name, '*', range, start, 0.001))
			->> 'Planning Time')::float8 * 1000
		FROM contender, (VALUES ('plan, middle', 0.4567), ('plan, newest', 0.999)) AS k (kind, start)
		ORDER BY random();
		COMMIT;
	END LOOP;
END $$;
CREATE FUNCTION thousand(name text, range text) RETURNS text LANGUAGE sql AS $$
	SELECT format('SELECT FROM t_%s WHERE ', name) ||
		string_agg('(' || format(range, at(j / 1001.0), at((j + 0.5) / 1001)) || ')', ' OR ')
	FROM generate_series(1, 1000) AS j $$;
CREATE PROCEDURE thousand_rounds(many integer) LANGUAGE plpgsql AS $$
BEGIN
	FOR i IN 1 .. many LOOP
		INSERT INTO turn
		SELECT i, 'plan, 1,000 ranges', name, (plan_of(thousand(name, range)) ->> 'Planning Time')::float8 * 1000
		FROM contender ORDER BY random();
		COMMIT;
	END LOOP;
END $$;
CREATE PROCEDURE run_rounds(many integer) LANGUAGE plpgsql AS $$
DECLARE
	t record;
	us float8;
	written_out_us float8;
BEGIN
	SET LOCAL enable_bitmapscan = off;
	FOR i IN 1 .. many LOOP
		FOR t IN SELECT * FROM contender, (VALUES ('index scan', 'count(payload)', 0.02),
				('index-only scan', 'count(*)', 0.02), ('seq scan', 'count(payload)', 0.5)) AS k (kind, what, size)
			WHERE n IN (2, 4, 7) AND (kind <> 'seq scan' OR i % 5 = 0) ORDER BY random()
		LOOP
			PERFORM set_config('enable_seqscan', (t.kind = 'seq scan')::text, true),
				set_config('enable_indexscan', (t.kind <> 'seq scan')::text, true),
				set_config('enable_indexonlyscan', (t.kind = 'index-only scan')::text, true);
			IF i % 2 = 0 THEN
				us := ran_us(asked(t.name, t.what, t.range, 0.4, t.size));
			END IF;
			written_out_us := ran_us(asked(t.name, t.what, t.plain, 0.4, t.size));
			IF i % 2 = 1 THEN
				us := ran_us(asked(t.name, t.what, t.range, 0.4, t.size));
			END IF;
			INSERT INTO pair VALUES (t.kind, t.name, us, written_out_us);
		END LOOP;
	END LOOP;
END $$;
CALL plan_rounds(:rounds);
CALL thousand_rounds(:rounds / 5);
CALL run_rounds(:rounds);

-- Joins on a column without an index, with a tenth of the rows
SELECT format('CREATE TABLE %1$s_%2$s AS SELECT id, (n + 1) / 10 AS ref FROM t_%2$s WHERE n %% 10 = %3$s',
		side, name, place),
	format('ALTER TABLE %s_%s ADD PRIMARY KEY (id)', side, name),
	format('VACUUM ANALYZE %s_%s', side, name)
FROM contender, (VALUES ('a', 0), ('b', 1)) AS s (side, place)
WHERE n IN (1, 2, 4, 7) ORDER BY n \gexec
CREATE PROCEDURE join_rounds(many integer) LANGUAGE plpgsql AS $$
BEGIN
	FOR i IN 1 .. many LOOP
		INSERT INTO turn
		SELECT i, kind, name, ran_us(format('SELECT count(*) FROM (SELECT * FROM a_' || name ||
			' WHERE ' || range || ') AS a JOIN (SELECT * FROM b_' || name || ' WHERE ' || range ||
			') AS b USING (ref)', at(0.4), at(0.4 + hours / 720)))
		FROM contender, (VALUES ('join, 1 h', 1), ('join, 6 h 40 min', 20.0 / 3)) AS k (kind, hours)
		WHERE n IN (1, 2, 4, 7)
		ORDER BY random();
		COMMIT;
	END LOOP;
END $$;
CALL join_rounds(:rounds);

-- Growth by 10 % without ANALYZE, and then after VACUUM
CALL add_rows(:rows, :rows + :rows / 10, :rows);
SELECT pg_stat_force_next_flush() \g /dev/null
CALL estimate_all('grown 10 %', 1.1, :rows);
SELECT format('VACUUM t_%s', name) FROM contender \gexec
CALL estimate_all('and VACUUM', 1.1, :rows);

-- Other tables: an id beside a timestamptz with the same time, both indexed.
-- Row x of per is at x / per of 30 days until now, to the millisecond, as ids
-- are; the expression "moved" changes this x.  Each table has what happens before ANALYZE, and after it.
CREATE FUNCTION id_of(kind text, ts timestamptz, x float8) RETURNS text LANGUAGE sql
	RETURN CASE kind WHEN 'v4' THEN gen_random_uuid()::text
		WHEN 'v7' THEN uuid_v7_from_timestamptz(ts)::text
		WHEN 'serial' THEN ((x + 2) * 1000000)::bigint::text
		WHEN 'fluid' THEN fluid_from_parts(fluid_get_ticks(fluid_min(ts)), 1, 1)::text END;
CREATE PROCEDURE add(name text, kind text, first float8, last float8, per float8,
	moved text DEFAULT 'x') LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('INSERT INTO %I SELECT id_of(%L, ts, x)::%s, ts
		FROM (SELECT i::float8 / %s AS x FROM generate_series(%s, %s) AS i) AS s,
			LATERAL (SELECT date_trunc(''milliseconds'', now() - interval ''30 days'' + (%s) * interval ''30 days'')) AS t (ts)',
		name, kind, CASE WHEN kind IN ('serial', 'fluid') THEN 'bigint' ELSE 'uuid' END,
		per, ceil(first * per), ceil(last * per) - 1, moved);
END $$;
CREATE TABLE scenario (n serial, name text, range text DEFAULT 'uuid_v7', before text,
	analyzed boolean DEFAULT true, after text DEFAULT '');
INSERT INTO scenario (name, before) VALUES
	('uniform', $$CALL add(%1$L, 'v7', 0, 1, %2$s)$$),
	('bursts', $$CALL add(%1$L, 'v7', 0, 1, %2$s, 'floor(x * 100) / 100 + power(x * 100 - floor(x * 100), 8) / 100')$$),
	('day and night', $$CALL add(%1$L, 'v7', 0, 1, %2$s);
		DELETE FROM %1$I WHERE extract(hour FROM ts) < 8 AND random() < 0.95$$),
	('a gap that ANALYZE saw', $$CALL add(%1$L, 'v7', 0, 1, %2$s, 'x + CASE WHEN x < 0.5 THEN -0.2 ELSE 0 END')$$),
	('half NULL', $$CALL add(%1$L, 'v7', 0, 1, %2$s); INSERT INTO %1$I SELECT FROM %1$I$$),
	('target 10', $$ALTER TABLE %1$I ALTER id SET STATISTICS 10, ALTER ts SET STATISTICS 10;
		CALL add(%1$L, 'v7', 0, 1, %2$s)$$),
	('target 1,000', $$ALTER TABLE %1$I ALTER id SET STATISTICS 1000, ALTER ts SET STATISTICS 1000;
		CALL add(%1$L, 'v7', 0, 1, %2$s)$$),
	('40 times the rows', $$CALL add(%1$L, 'v7', 0, 1, 40 * %2$s)$$);
INSERT INTO scenario (name, before, after) VALUES
	('a gap since ANALYZE', $$CALL add(%1$L, 'v7', 0, 0.8, %2$s)$$, $$CALL add(%1$L, 'v7', 0.967, 1, %2$s)$$),
	('rate times 10', $$CALL add(%1$L, 'v7', 0, 0.9, %2$s)$$, $$CALL add(%1$L, 'v7', 0.9, 1, 10.0 * %2$s)$$),
	('rate through 10', $$CALL add(%1$L, 'v7', 0, 0.9, %2$s)$$, $$CALL add(%1$L, 'v7', 0.9, 1, 0.1 * %2$s)$$),
	('old ids imported', $$CALL add(%1$L, 'v7', 0.1, 1, %2$s)$$, $$CALL add(%1$L, 'v7', 0, 0.1, %2$s)$$),
	('the older half deleted', $$CALL add(%1$L, 'v7', 0, 1, %2$s)$$,
		$$DELETE FROM %1$I WHERE ts < now() - interval '15 days'$$),
	('any half deleted', $$CALL add(%1$L, 'v7', 0, 1, %2$s)$$, 'DELETE FROM %1$I WHERE random() < 0.5'),
	('a rolling window', $$CALL add(%1$L, 'v7', -0.3, 0.7, %2$s)$$,
		$$CALL add(%1$L, 'v7', 0.7, 1, %2$s); DELETE FROM %1$I WHERE ts < now() - interval '30 days'$$),
	('one id far ahead', $$CALL add(%1$L, 'v7', 0, 0.95, %2$s)$$,
		$$CALL add(%1$L, 'v7', 0.95, 1, %2$s); CALL add(%1$L, 'v7', 100, 100 + 1.0 / %2$s, %2$s)$$);
INSERT INTO scenario (name, before, after)
SELECT format('grown by %s %%', percent), format($$CALL add(%%1$L, 'v7', 0, %s, %%2$s)$$, seen),
	format($$CALL add(%%1$L, 'v7', %s, 1, %%2$s)$$, seen)
FROM unnest(ARRAY[1, 10, 100, 300, 1100]) AS percent, LATERAL (SELECT 1 / (1 + percent / 100.0)) AS s (seen);
INSERT INTO scenario (name, before, after)
SELECT format('0.1 %% new, %s %% updated', percent), $$CALL add(%1$L, 'v7', 0, 0.999, %2$s)$$,
	format($$CALL add(%%1$L, 'v7', 0.999, 1, %%2$s); UPDATE %%1$I SET ts = ts WHERE random() < %s$$, percent / 100.0)
FROM unnest(ARRAY[1, 5, 9, 20]) AS percent;
INSERT INTO scenario (name, range, before, after)
SELECT format('%s, then %s %% %s%s', old, percent, new, grown), range,
	format($$CALL add(%%1$L, '%s', -1, 0, %s * %%2$s); CALL add(%%1$L, '%s', 0, %s, %s * %%2$s)$$,
		old, 1 - percent / 100.0, new, seen, percent / 100.0),
	CASE WHEN seen < 1 THEN format($$CALL add(%%1$L, '%s', %s, 1, %s * %%2$s)$$, new, seen, percent / 100.0) ELSE '' END
FROM (VALUES ('v4', 'v7', 'uuid_v7'), ('serial', 'fluid', 'fluid')) AS k (old, new, range),
	(VALUES (0.5, 1, ''), (1, 1, ''), (2, 1, ''), (10, 1, ''), (10, 0.5, ', grown'), (50, 1, '')) AS p (percent, seen, grown);
INSERT INTO scenario (name, before, after) VALUES
	('2 rows, now 100,000', $$CALL add(%1$L, 'v7', 0, 0.00002, 100000)$$, $$CALL add(%1$L, 'v7', 0.00002, 1, 100000)$$),
	('grown by 1,100 %, VACUUM', $$CALL add(%1$L, 'v7', 0, 1 / 12.0, %2$s)$$,
		$$CALL add(%1$L, 'v7', 1 / 12.0, 1, %2$s); DO 'BEGIN PERFORM pg_stat_force_next_flush(); END'$$),
	('the oldest deleted', $$CALL add(%1$L, 'v7', 0, 1, %2$s)$$, $$DELETE FROM %1$I WHERE ts < now() - interval '29.6 days'$$),
	('the newest deleted', $$CALL add(%1$L, 'v7', 0, 1, %2$s)$$, $$DELETE FROM %1$I WHERE ts >= now() - interval '0.4 days'$$),
	('an import rolled back', $$CALL add(%1$L, 'v7', -4, -3, %2$s)$$, $$BEGIN; CALL add(%1$L, 'v7', -3, 1, %2$s); ROLLBACK$$),
	('2 of 24 hours', $$CALL add(%1$L, 'v7', 0, 1, %2$s, 'floor(x * 30) / 30 + (x * 30 - floor(x * 30)) / 360')$$, ''),
	('2 of 24 hours, grown', $$CALL add(%1$L, 'v7', 0, 0.9, %2$s, 'floor(x * 30) / 30 + (x * 30 - floor(x * 30)) / 360')$$,
		$$CALL add(%1$L, 'v7', 0.9, 1, %2$s, 'floor(x * 30) / 30 + (x * 30 - floor(x * 30)) / 360')$$),
	('5 of 7 days, grown', $$CALL add(%1$L, 'v7', 0, 0.8, %2$s, 'floor(x * 4) / 4 + (x * 4 - floor(x * 4)) / 4 * 5 / 7')$$,
		$$CALL add(%1$L, 'v7', 0.8, 1, %2$s, 'floor(x * 4) / 4 + (x * 4 - floor(x * 4)) / 4 * 5 / 7')$$);
INSERT INTO scenario (name, range, before, after) VALUES
	('a fluid far ahead, 20 % updated', 'fluid', $$CALL add(%1$L, 'fluid', 0, 1, %2$s)$$,
		$$CALL add(%1$L, 'fluid', 100, 100 + 1.0 / %2$s, %2$s); UPDATE %1$I SET ts = ts WHERE random() < 0.2$$),
	('v4, then 10 % v7, a v4 in a silent week', 'uuid_v7', $$CALL add(%1$L, 'v4', -1, 0, %2$s); CALL add(%1$L, 'v7', 0, 1, 0.1 * %2$s);
		DELETE FROM %1$I WHERE ts BETWEEN now() - interval '14 days' AND now() - interval '7 days';
		INSERT INTO %1$I SELECT overlay(uuid_v7_min(now() - interval '9 days')::text PLACING '4' FROM 15)::uuid, now() - interval '9 days'$$, ''),
	('v4, then 10 % v7, most deleted', 'uuid_v7', $$CREATE TEMP TABLE r (LIKE %1$I); CALL add('r', 'v4', -1, 0, %2$s); CALL add('r', 'v7', 0, 1, 0.1 * %2$s);
		INSERT INTO %1$I SELECT * FROM r ORDER BY random(); DROP TABLE r$$, $$DELETE FROM %1$I WHERE ts > now() - interval '25 days'$$);
INSERT INTO scenario (name, before, analyzed) VALUES
	('without statistics', $$CALL add(%1$L, 'v7', 0, 1, %2$s)$$, false);
SELECT format('CREATE TABLE s_%s (id %s, ts timestamptz)', n, CASE range WHEN 'fluid' THEN 'bigint' ELSE 'uuid' END),
	format(before, 's_' || n, :rows / 20),
	format('CREATE INDEX ON s_%1$s (id); CREATE INDEX ON s_%1$s (ts)', n),
	CASE WHEN analyzed THEN format('VACUUM ANALYZE s_%s', n) END,
	nullif(format(after, 's_' || n, :rows / 20), ''),
	CASE WHEN name LIKE '%VACUUM' THEN format('VACUUM s_%s', n) END
FROM scenario ORDER BY n \gexec

-- Of ranges of 1 to 1,000 rows, of those of rows deleted at an end, and of
-- ranges with an open end: both estimates, the count, and the times of planning.
-- The times of mixed ids are those of the new ones.
CREATE TABLE beside (n integer, place text, size integer, id float8, timestamptz float8, id_us float8, timestamptz_us float8);
CREATE FUNCTION counted(query text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
	many float8;
BEGIN
	EXECUTE 'SELECT count(*) ' || query INTO many;
	RETURN many;
END $$;
CREATE FUNCTION planned(of_table text, condition text, OUT q float8, OUT us float8) LANGUAGE sql
	RETURN (SELECT (greatest(e / a, a / e), us) FROM (SELECT
		greatest((plan -> 'Plan' ->> 'Plan Rows')::float8, 1),
		greatest(counted(format('FROM %I WHERE ', of_table) || condition), 1),
		(plan ->> 'Planning Time')::float8 * 1000
		FROM plan_of(format('SELECT FROM %I WHERE ', of_table) || condition) AS plan) AS s (e, a, us));
CREATE PROCEDURE compare(c scenario) LANGUAGE plpgsql AS $$
DECLARE
	t text := 's_' || c.n;
BEGIN
	EXECUTE format('CREATE TEMP TABLE seen AS SELECT ts, row_number() OVER (ORDER BY ts) AS r FROM %I
		WHERE ts >= now() - interval ''30 days''%s', t, CASE WHEN c.name LIKE '%, then %' THEN '' ELSE ' OR true' END);
	CREATE INDEX ON seen (r);
	ANALYZE seen;
	INSERT INTO beside
	SELECT c.n, place, size, i.q, o.q, i.us, o.us
	FROM (SELECT count(*) AS many, min(ts) AS oldest, max(ts) AS newest, (max(ts) - min(ts)) / count(*) AS step FROM seen) AS m,
		unnest(array_remove(ARRAY['begin', 'middle', 'newest', 'open'] || regexp_substr(c.name, 'oldest deleted|newest deleted'), NULL)) AS place,
		unnest(ARRAY[1, 10, 100, 1000]) AS size, generate_series(0, 30) AS j,
		LATERAL (SELECT 1 + CASE place WHEN 'begin' THEN j * size / 10
			WHEN 'newest' THEN many - size - j * size / 10 ELSE many / 4 + many / 2 * j / 30 END) AS f (first),
		LATERAL (SELECT CASE place WHEN 'oldest deleted' THEN oldest - step * size * (j + 10) / 10
			WHEN 'newest deleted' THEN newest + step * (1 + size * j / 10)
			ELSE (SELECT ts FROM seen WHERE r = first) END) AS b (start),
		LATERAL (SELECT CASE WHEN place LIKE '% deleted' THEN start + step * size
			WHEN place <> 'open' THEN coalesce((SELECT ts FROM seen WHERE r = first + size), now() + interval '1 s') END) AS e (stop),
		planned(t, format('%s_between(id, %L, %L)', c.range, start, coalesce(stop, 'infinity'))) AS i,
		planned(t, format(CASE WHEN stop IS NULL THEN 'ts >= %L' ELSE 'ts >= %L AND ts < %L' END, start, stop)) AS o
	WHERE size < many;
	DROP TABLE seen;
END $$;
SET max_parallel_workers_per_gather = 0;
DO $$
DECLARE
	c scenario;
BEGIN
	FOR c IN TABLE scenario ORDER BY n LOOP
		CALL compare(c);
	END LOOP;
END $$;
CREATE VIEW beside_timestamptz AS
SELECT n, name, place, max(id) AS id, max(timestamptz) AS timestamptz, max(id) / max(timestamptz) AS ratio,
	percentile_disc(0.5) WITHIN GROUP (ORDER BY id_us) AS id_us,
	percentile_disc(0.5) WITHIN GROUP (ORDER BY timestamptz_us) AS timestamptz_us
FROM beside JOIN scenario USING (n) GROUP BY 1, 2, 3;

\echo
\echo q-errors: median / worst of 31 ranges
\pset format aligned
\pset border 1
SELECT state, place, percent AS "%", shown(state, place, percent, 'timestamptz') AS timestamptz,
	shown(state, place, percent, 'uuid_v7') AS uuid_v7,
	shown(state, place, percent, 'uuid_v6') AS uuid_v6,
	shown(state, place, percent, 'fluid') AS fluid,
	shown(state, place, percent, 'nanoflake') AS nanoflake,
	shown(state, place, percent, 'ulidflake') AS ulidflake,
	shown(state, place, percent, 'scru160') AS scru160
FROM (SELECT DISTINCT state, place, percent FROM estimate) AS e
ORDER BY array_position(ARRAY['fresh', 'grown 10 %', 'and VACUUM'], state), place, percent;

\echo q-errors of other tables, an id beside a timestamptz: worst of 31 ranges each of 1, 10, 100 and 1,000 rows; planning time, microseconds: median
SELECT name, place, round(id::numeric, 2) AS id, round(timestamptz::numeric, 2) AS timestamptz,
	CASE WHEN ratio > 1.5 THEN 'worse' WHEN ratio < 1 / 1.5 THEN 'better' END AS "the id is",
	id_us AS "planning id", timestamptz_us AS timestamptz
FROM beside_timestamptz ORDER BY n, place;

\echo Times, microseconds: median, and in multiples of timestamptz or of explicit operators
CREATE VIEW measured AS
SELECT t.kind, t.name, percentile_cont(0.5) WITHIN GROUP (ORDER BY t.us) AS us,
	percentile_cont(0.5) WITHIN GROUP (ORDER BY t.us / b.us) AS ratio,
	CASE WHEN t.kind LIKE 'plan%' THEN 3 ELSE 1.5 END AS goal
FROM turn AS t JOIN turn AS b USING (round, kind) WHERE b.name = 'timestamptz' GROUP BY 1, 2
UNION ALL
SELECT kind, name, percentile_cont(0.5) WITHIN GROUP (ORDER BY us),
	percentile_cont(0.5) WITHIN GROUP (ORDER BY us / written_out_us),
	CASE kind WHEN 'index scan' THEN 1.05 ELSE 1.1 END
FROM pair GROUP BY 1, 2;
SELECT kind, name, round(us::numeric, 1) AS us, round(ratio::numeric, 2) AS ratio,
	CASE WHEN name <> 'timestamptz' THEN goal END AS goal
FROM measured ORDER BY kind, array_position(ARRAY(SELECT name FROM contender ORDER BY n), name);

\echo Planning time of queries without ranges, microseconds: without the library, and after a range
\c
\pset format aligned
CREATE TABLE ordinary (library text, name text, us float8);
CREATE PROCEDURE plan_ordinary(of_library text, many integer) LANGUAGE plpgsql AS $$
BEGIN
	FOR i IN 1 .. many LOOP
		INSERT INTO ordinary SELECT of_library, name, (plan_of(query) ->> 'Planning Time')::float8 * 1000
		FROM (VALUES ('one row', 'SELECT FROM t_timestamptz WHERE n = 1'),
			('join', 'SELECT FROM t_timestamptz AS a JOIN t_timestamptz AS b USING (n) WHERE a.kind = 1 AND b.kind < 3'),
			('4,000 comparisons', (SELECT 'SELECT FROM t_timestamptz WHERE ' ||
				string_agg(format('%s = %s', CASE a % 2 WHEN 0 THEN 'n' ELSE 'kind' END, a), ' OR ')
				FROM generate_series(1, 4000) AS a))) AS q (name, query);
	END LOOP;
END $$;
-- The first range of a session slows its later queries, of whatever type it is.
SELECT plan_of('SELECT FROM t_timestamptz WHERE id >= now() AND id < now()') \g /dev/null
CALL plan_ordinary('without', 21);
SELECT plan_of('SELECT FROM t_uuid_v7 WHERE uuid_v7_between(id, now(), now())') \g /dev/null
CALL plan_ordinary('with', 21);
SELECT name, percentile_cont(0.5) WITHIN GROUP (ORDER BY us) FILTER (WHERE library = 'without') AS without,
	percentile_cont(0.5) WITHIN GROUP (ORDER BY us) FILTER (WHERE library = 'with') AS with
FROM ordinary GROUP BY name ORDER BY name;

\echo For make bench: the worst of each kind
-- Of each kind, the worst ratio that has a goal
CREATE VIEW ratios AS
SELECT concat_ws('|', 'ranges', what, peer, round(ratio::numeric, 2), goal,
	CASE WHEN ratio <= goal THEN 'met' ELSE 'missed' END)
FROM (
	SELECT 'q-error, worst median' AS what, 'the count' AS peer, max(median) AS ratio, 1.5 AS goal
	FROM q_error WHERE name <> 'timestamptz' AND percent >= 0.01
		AND NOT (place = 'begin' AND percent = 0.01)
	UNION ALL
	SELECT 'q-error, worst', 'the count', max(worst), 3
	FROM q_error WHERE name <> 'timestamptz' AND percent >= 0.01
		AND NOT (place = 'begin' AND percent = 0.01)
	UNION ALL
	SELECT 'q-errors 1.5 times worse', 'timestamptz', count(*), 0
	FROM beside_timestamptz WHERE ratio > 1.5
	UNION ALL
	SELECT 'planning 3 times and 0.3 ms longer', 'timestamptz', count(*), 0
	FROM beside_timestamptz WHERE id_us > 3 * timestamptz_us AND id_us > timestamptz_us + 300
	UNION ALL
	SELECT kind || ', worst of all columns',
		CASE WHEN kind LIKE '%scan' THEN 'written out' ELSE 'timestamptz' END, max(ratio), max(goal)
	FROM measured WHERE name <> 'timestamptz' GROUP BY kind) AS r;
\pset tuples_only on
SELECT * FROM ratios;
