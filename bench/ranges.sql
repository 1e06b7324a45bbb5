-- The measurement of bench/ranges, which sets rows and rounds.
SET client_min_messages = warning;
SET timezone = 'UTC';
CREATE EXTENSION flakeid;

-- The columns: an id for ts and i, and a range of it
CREATE TABLE contender (n integer, name text PRIMARY KEY, expression text,
	range text, plain text);
INSERT INTO contender VALUES
	(1, 'timestamptz', 'ts', 'id >= %1$L AND id < %2$L', NULL),
	(2, 'uuid_v7', 'uuid_v7_from_timestamptz(ts)', 'uuid_v7_in_range(id, %1$L, %2$L)',
	 'id >= uuid_v7_min(%1$L) AND id < uuid_v7_min(%2$L)'),
	(3, 'uuid_v6', 'uuid_v6_from_timestamptz(ts)', 'uuid_v6_in_range(id, %1$L, %2$L)',
	 'id >= uuid_v6_min(%1$L) AND id < uuid_v6_min(%2$L)'),
	(4, 'fluid', 'fluid_min(ts, ''2024-01-01Z'') | (i % 16384 << 10)',
	 'fluid_in_range(id, %1$L, %2$L, ''2024-01-01Z'')',
	 'id >= fluid_min(%1$L, ''2024-01-01Z'') AND id < fluid_min(%2$L, ''2024-01-01Z'')'),
	(5, 'nanoflake', 'nanoflake_min(ts, ''2024-01-01Z'') | (i % 1024 << 12)',
	 'nanoflake_in_range(id, %1$L, %2$L, ''2024-01-01Z'')',
	 'id >= nanoflake_min(%1$L, ''2024-01-01Z'') AND id < nanoflake_min(%2$L, ''2024-01-01Z'')'),
	(6, 'ulidflake', 'ulidflake_min(ts) | i % 1048576',
	 'ulidflake_in_range(id, %1$L, %2$L)',
	 'id >= ulidflake_min(%1$L) AND id < ulidflake_min(%2$L)'),
	(7, 'scru160', 'scru160_from_parts(scru160_get_ticks(scru160_min(ts)), i % 65536, ''\x000102030405060708090a0b'')',
	 'scru160_in_range(id, %1$L, %2$L)',
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
CREATE FUNCTION ranges_of(name text, range text, many integer) RETURNS text LANGUAGE sql AS $$
	SELECT format('SELECT FROM %s WHERE ', name) ||
		string_agg('(' || format(range, at(j / (many + 1.0)), at((j + 0.5) / (many + 1))) || ')', ' OR ')
	FROM generate_series(1, many) AS j $$;
CREATE PROCEDURE thousand_rounds(many integer) LANGUAGE plpgsql AS $$
BEGIN
	FOR i IN 1 .. many LOOP
		INSERT INTO turn
		SELECT i, 'plan, 1,000 ranges', name, (plan_of(ranges_of('t_' || name, range, 1000)) ->> 'Planning Time')::float8 * 1000
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
-- Each has what happens before ANALYZE, and after it: @ is the table, and
-- [first, last] adds rows.  Row x of per is at x / per of 30 days until now, to the
-- millisecond, as ids are; the expression "moved" changes this x.
CREATE PROCEDURE add(name text, per float8, kind text, first float8, last float8, dense float8 DEFAULT 1,
	moved text DEFAULT 'x', other text DEFAULT NULL, many float8 DEFAULT NULL) LANGUAGE plpgsql AS $$
BEGIN
	per := coalesce(many, per * dense);
	EXECUTE format('INSERT INTO %I (id, ts) SELECT %s, ts FROM (SELECT i::integer,
			date_trunc(''milliseconds'', now() - interval ''30 days'' + (%s) * interval ''30 days'') AS ts
		FROM (SELECT i, i::float8 / %s AS x FROM generate_series(%s, %s) AS i) AS s) AS t',
		name, coalesce(other, (SELECT expression FROM contender AS c WHERE c.name = kind)), moved, per, ceil(first * per), ceil(last * per) - 1);
END $$;
CREATE TABLE scenario (n serial, name text, kind text DEFAULT 'uuid_v7', before text DEFAULT '[0, 1]', after text DEFAULT '');
INSERT INTO scenario (name, before) VALUES
	('uniform', '[0, 1]'),
	('bursts', $$[0, 1, moved => 'floor(x * 100) / 100 + (x * 100 - floor(x * 100)) / 2000']$$),
	('day and night', '[0, 1]; DELETE FROM @ WHERE extract(hour FROM ts) < 8 AND random() < 0.95'),
	('a gap', '[0, 1, moved => ''x + CASE WHEN x < 0.5 THEN -0.2 ELSE 0 END'']'),
	('half NULL', '[0, 1]; INSERT INTO @ SELECT FROM @'),
	('99 % NULL', '[0, 1, dense => 0.02]; INSERT INTO @ SELECT FROM @, generate_series(1, 99)'),
	('half at one time', '[0, 1]; INSERT INTO @ SELECT r.* FROM (SELECT * FROM @ LIMIT 1) AS r, @'),
	('half in one millisecond', '[0, 1, moved => ''CASE WHEN i % 2 = 0 THEN 0.5 ELSE x END'']'),
	('ids of dates, 5,000 a day', '[0, 1, moved => ''floor(x * 30) / 30'', many => 150000]'),
	('target 10', 'ALTER TABLE @ ALTER id SET STATISTICS 10, ALTER ts SET STATISTICS 10; [0, 1]'),
	('target 1,000', 'ALTER TABLE @ ALTER id SET STATISTICS 1000, ALTER ts SET STATISTICS 1000; [0, 1]'),
	('40 times the rows', '[0, 1, dense => 40]'),
	('a tenth in the future', '[0, 1]; [1, 13, dense => 0.01]'),
	('restored, without ANALYZE', '[0, 1]');
INSERT INTO scenario (name, before, after) VALUES
	('a gap since ANALYZE', '[0, 0.8]', '[0.967, 1]'),
	('rate times 10', '[0, 0.9]', '[0.9, 1, dense => 10]'),
	('rate through 10', '[0, 0.9]', '[0.9, 1, dense => 0.1]'),
	('old ids imported', '[0.1, 1]', '[0, 0.1]'),
	('purged by TTL', '[0, 1]', 'DELETE FROM @ WHERE ts < now() - interval ''3 days'''),
	('purged by TTL, VACUUM', '[0, 1]', 'DELETE FROM @ WHERE ts < now() - interval ''3 days'''),
	('the newest deleted', '[0, 1]', 'DELETE FROM @ WHERE ts >= now() - interval ''0.4 days'''),
	('grown by 20 %, newest 58 % deleted', '[0, 0.833]', '[0.833, 1]; DELETE FROM @ WHERE ts >= now() - interval ''17.5 days'''),
	('grown by 20 %, newest 2 % deleted', '[0, 0.833]', '[0.833, 1]; DELETE FROM @ WHERE ts >= now() - interval ''0.6 days'''),
	('any half deleted', '[0, 1]', 'DELETE FROM @ WHERE random() < 0.5'),
	('a rolling window', '[-0.3, 0.7]', '[0.7, 1]; DELETE FROM @ WHERE ts < now() - interval ''30 days'''),
	('a rolling window, VACUUM', '[-0.3, 0.7]', '[0.7, 1]; DELETE FROM @ WHERE ts < now() - interval ''30 days'''),
	('truncated and reloaded', '[-1, 0]', 'TRUNCATE @; [0, 1, dense => 1.2]'),
	('one id far ahead', '[0, 0.95]', '[0.95, 1]; INSERT INTO @ SELECT uuid_v7_min(ts), ts FROM (SELECT now() + interval ''9 years'') AS s (ts)'),
	('an import rolled back', '[-4, -3]', 'BEGIN; [-3, 1]; ROLLBACK');
INSERT INTO scenario (name, before, after)
SELECT format('grown by %s %%%s', percent, more), format('[0, %s]', seen), format('[%s, 1]', seen)
FROM (VALUES (1, ''), (5, ''), (5, ', VACUUM'), (10, ''), (100, ''), (1100, ''), (1100, ', VACUUM')) AS g (percent, more),
	LATERAL (SELECT 1 / (1 + percent / 100.0)) AS s (seen);
INSERT INTO scenario (name, before, after)
SELECT format('0.1 %% new, %s %% updated', percent), '[0, 0.999]',
	format('[0.999, 1]; UPDATE @ SET ts = ts WHERE random() < %s', percent / 100.0)
FROM unnest(ARRAY[5, 20]) AS percent;
INSERT INTO scenario (name, before, after) VALUES
	('1 % new, all updated 3 times', '[0, 0.99]', 'UPDATE @ SET ts = ts; UPDATE @ SET ts = ts; UPDATE @ SET ts = ts; [0.99, 1]'),
	('1 % new, 30 % updated', '[0, 0.99]', 'UPDATE @ SET ts = ts WHERE random() < 0.3; [0.99, 1]'),
	('30 % updated', '[0, 1]', 'UPDATE @ SET ts = ts WHERE random() < 0.3'),
	('old ids imported, 0.1 % new', '[0.1, 0.999]', '[0, 0.1]; [0.999, 1]'),
	('old ids imported, 5 % new', '[0.1, 0.95]', '[0, 0.1]; [0.95, 1]'),
	('a third imported, 2 % new', '[0.33, 0.98]', '[0, 0.33]; [0.98, 1]'),
	('another year imported, 1 % new', '[0, 0.99]', '[-13, -12, dense => 0.3]; [0.99, 1]'),
	('of a year ago, 30 % updated', '[-13, -12]', 'UPDATE @ SET ts = ts WHERE random() < 0.3'),
	('of a year ago, older ones imported', '[-12.9, -12]', '[-13, -12.9]');
INSERT INTO scenario (name, before, after)
SELECT format('number of rows: %s%s', few, CASE WHEN after <> '' THEN ', then 10,000 more' END), format('[0, 1, many => %s]', few), after
FROM generate_series(1, 3) AS few, unnest(ARRAY['', '[0, 1, many => 10000]']) AS after;
INSERT INTO scenario (name, kind, before, after)
SELECT name || ', grown', name, '[0, 0.96]', '[0.96, 1]' FROM contender WHERE n > 2 AND name <> 'scru160' ORDER BY n;
INSERT INTO scenario (name, kind, before, after)
SELECT format('v4, then %s %% %s%s', percent, kind, CASE WHEN seen < 1 THEN ', grown' END), kind,
	format('[-1, 0, other => ''gen_random_uuid()'']; [0, %s, dense => %s]', seen, percent / 100.0),
	CASE WHEN seen < 1 THEN format('[%s, 1, dense => %s]', seen, percent / 100.0) ELSE '' END
FROM (VALUES ('uuid_v7', 0.5, 1), ('uuid_v7', 2, 1), ('uuid_v7', 10, 1), ('uuid_v7', 10, 0.9), ('uuid_v7', 50, 1), ('uuid_v6', 10, 1))
	AS p (kind, percent, seen);
-- Statistics that the owner wrote: of the same rows for both columns
CREATE FUNCTION write_statistics(name text, kind text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	at text;
	bounds text;
BEGIN
	FOREACH at IN ARRAY '{id,ts}'::text[] LOOP
		EXECUTE format('SELECT CASE %2$L WHEN ''empty'' THEN ''{}'' WHEN ''equal'' THEN array_fill(min(v::text), ''{101}'')::text
			ELSE array_agg(v ORDER BY md5(ts::text))::text END
			FROM (SELECT %1$I AS v, ts FROM %3$I ORDER BY md5(ts::text) LIMIT 101) AS s', at, kind, name) INTO bounds;
		PERFORM pg_restore_attribute_stats('schemaname', 'public', 'relname', name, 'attname', at, 'inherited', false,
			'version', 180000, 'null_frac', 0::real, 'avg_width', 16, 'n_distinct', -1::real, 'histogram_bounds', bounds);
	END LOOP;
END $$;
INSERT INTO scenario (name, after)
SELECT 'written statistics: ' || kind, format('SELECT write_statistics(''@'', %L)', kind)
FROM unnest(ARRAY['unsorted', 'equal', 'empty']) AS kind WHERE current_setting('server_version_num')::integer >= 180000;
CREATE FUNCTION steps(of scenario, text, rows float8) RETURNS text LANGUAGE sql RETURN regexp_replace(replace(replace($2, ']', ')'),
	'[', format('CALL add(%L, %s, %L, ', 's_' || (of).n, rows, (of).kind)), '@', 's_' || (of).n, 'g');
SELECT format('CREATE TABLE s_%s (id %s, ts timestamptz)', n, CASE WHEN kind ~ 'uuid' THEN 'uuid' WHEN kind ~ 'scru' THEN 'scru160' ELSE 'bigint' END),
	steps(s, before, :rows / 20),
	format('CREATE INDEX ON s_%1$s (id); CREATE INDEX ON s_%1$s (ts)', n),
	CASE WHEN name !~ 'without ANALYZE' THEN format('VACUUM ANALYZE s_%s', n) END,
	nullif(steps(s, after, :rows / 20), ''),
	CASE WHEN name ~ 'VACUUM$' THEN format('VACUUM s_%s', n) END
FROM scenario AS s ORDER BY n \gexec

-- Of ranges of 1 to 1,000 rows in several places, and of all rows: the count, both
-- estimates, that without ours, and the times of planning.  Rows of mixed ids are
-- those of the new ones.  Ranges in the middle have other shapes, too: { } is _min.
CREATE TABLE beside (n integer, place text, there float8, id float8, off float8, ts float8, id_us float8, ts_us float8);
CREATE TABLE shape (place text, query text);
INSERT INTO shape VALUES
	('IS TRUE', 'FROM @ WHERE (id >= {%1$L} AND id < {%2$L}) IS TRUE'),
	('row', 'FROM @ WHERE (id, ts) >= ({%1$L}, ''-infinity'')'),
	('subquery', 'FROM (SELECT id FROM @ OFFSET 0) AS s WHERE id >= {%1$L} AND id < {%2$L}'),
	('HAVING', 'FROM @ GROUP BY id HAVING id >= {%1$L} AND id < {%2$L} OR count(*) < 0'),
	('page', 'FROM @ WHERE id > %3$L AND id < {%2$L}');
CREATE FUNCTION shaped(query text, s scenario, is_id boolean, start timestamptz, stop timestamptz, after_id text) RETURNS text LANGUAGE sql
	RETURN format(replace(CASE WHEN is_id THEN replace(replace(query, '{', s.kind || '_min('), '}',
			CASE WHEN s.kind IN ('fluid', 'nanoflake') THEN ', ''2024-01-01Z'')' ELSE ')' END)
		ELSE regexp_replace(replace(replace(query, '{', '('), '}', ')'), '\mid\M', 'ts', 'g') END, '@', 's_' || s.n),
		start, stop, CASE WHEN is_id THEN after_id ELSE start::text END);
CREATE FUNCTION counted(query text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
	many float8;
BEGIN
	EXECUTE 'SELECT count(*) FROM (SELECT ' || query || ') AS q' INTO many;
	RETURN many;
END $$;
CREATE FUNCTION planned(condition text, OUT rows float8, OUT us float8) LANGUAGE sql
	RETURN (SELECT ((plan -> 'Plan' ->> 'Plan Rows')::float8, (plan ->> 'Planning Time')::float8 * 1000)
		FROM plan_of('SELECT ' || condition) AS plan);
CREATE FUNCTION planned_off(condition text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
	rows float8;
BEGIN
	PERFORM set_config('flakeid.enable_range_estimates', 'off', true);
	rows := (planned(condition)).rows;
	PERFORM set_config('flakeid.enable_range_estimates', 'on', true);
	RETURN rows;
END $$;
CREATE PROCEDURE compare(s scenario) LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('CREATE TEMP TABLE seen AS SELECT ts, id, row_number() OVER (ORDER BY ts, id) AS r FROM s_%s
		WHERE ts >= now() - interval ''30 days''%s', s.n, CASE WHEN s.name LIKE '%, then %\%%' THEN '' ELSE ' OR true' END);
	CREATE INDEX ON seen (r);
	ANALYZE seen;
	INSERT INTO beside
	SELECT s.n, place, counted(of_id), i.rows, planned_off(of_id), o.rows, i.us, o.us
	FROM (SELECT count(*) AS many, min(ts) AS oldest, max(ts) AS newest, (max(ts) - min(ts)) / count(*) + interval '1 ms' AS step FROM seen) AS m,
		unnest(ARRAY['begin', 'middle', 'newest', 'open', 'all', 'before', 'beyond']) AS place,
		unnest(ARRAY[1, 10, 100, 1000]) AS size, generate_series(0, CASE WHEN place IN ('open', 'all') THEN 3 ELSE 30 END) AS j,
		LATERAL (SELECT greatest(1, CASE place WHEN 'begin' THEN 1 + j * size / 10
			WHEN 'newest' THEN many - size - j * size / 10 ELSE many / 4 + many / 2 * j / 30 END)) AS f (first),
		LATERAL (SELECT CASE place WHEN 'before' THEN oldest - step * size * (j + 10) / 10 WHEN 'all' THEN now() - (j + 1) * interval '1 year'
			WHEN 'beyond' THEN newest + step * (1 + size * j / 10) ELSE (SELECT ts FROM seen WHERE r = first) END) AS b (start),
		LATERAL (SELECT CASE WHEN place IN ('before', 'beyond') THEN start + step * size
			WHEN place NOT IN ('open', 'all') THEN coalesce((SELECT ts FROM seen WHERE r = first + size), now() + interval '1 s') END) AS e (stop),
		LATERAL (SELECT format('FROM s_%s WHERE ', s.n) || format(c.range, start, coalesce(stop, 'infinity')),
			format('FROM s_%s WHERE ts >= %L AND ts < %L', s.n, start, coalesce(stop, 'infinity')) FROM contender AS c WHERE name = s.kind) AS c (of_id, of_ts),
		planned(of_id) AS i, planned(of_ts) AS o
	WHERE size <= many;
	INSERT INTO beside
	SELECT s.n, place, counted(of_id), i.rows, planned_off(of_id), o.rows, i.us, o.us
	FROM (SELECT count(*) AS many FROM seen) AS m, shape, unnest(ARRAY[10, 1000]) AS size, generate_series(0, 7) AS j,
		LATERAL (SELECT a.ts, a.id::text, coalesce((SELECT b.ts FROM seen AS b WHERE b.r >= a.r + size AND b.ts > a.ts ORDER BY b.r LIMIT 1), now() + interval '1 s')
			FROM seen AS a WHERE a.r = greatest(1, many / 4 + many * 3 / 4 * j / 8)) AS b (start, after_id, stop),
		LATERAL (SELECT shaped(query, s, true, start, stop, after_id), shaped(query, s, false, start, stop, after_id)) AS c (of_id, of_ts),
		planned(of_id) AS i, planned(of_ts) AS o
	WHERE size <= many AND start IS NOT NULL AND after_id IS NOT NULL;
	DROP TABLE seen;
END $$;
DO $$
DECLARE
	s scenario;
BEGIN
	FOR s IN TABLE scenario ORDER BY n LOOP
		CALL compare(s);
	END LOOP;
END $$;
-- Worse: the q-error is 1.5 times that of timestamptz, and the estimate is wrong by
-- two more rows; better: the reverse
CREATE VIEW beside_q AS
SELECT *, id_q > 1.5 * ts_q AND abs(id - there) > abs(ts - there) + 2 AS id_worse,
	ts_q > 1.5 * id_q AND abs(ts - there) > abs(id - there) + 2 AS id_better,
	off_q > 1.5 * ts_q AND abs(off - there) > abs(ts - there) + 2 AS off_worse,
	ts_q > 1.5 * off_q AND abs(ts - there) > abs(off - there) + 2 AS off_better
FROM beside, LATERAL (SELECT greatest(there, 1), greatest(id, 1), greatest(ts, 1), greatest(off, 1)) AS g (t, i, o, p),
	LATERAL (SELECT greatest(i / t, t / i), greatest(o / t, t / o), greatest(p / t, t / p)) AS q (id_q, ts_q, off_q);
CREATE VIEW beside_timestamptz AS
SELECT n, place, max(id_q) AS id_q, max(ts_q) AS ts_q, count(*) FILTER (WHERE id_worse) AS worse,
	percentile_disc(0.5) WITHIN GROUP (ORDER BY id_us) AS id_us, percentile_disc(0.5) WITHIN GROUP (ORDER BY ts_us) AS ts_us
FROM beside_q GROUP BY 1, 2;

-- The price of planning: 60 ranges of 1,000 partitions, a join of 20 tables, and
-- with 5,000 cursors open
SELECT format('CREATE TABLE p_%1$s (id %2$s PRIMARY KEY) PARTITION BY HASH (id)', name, type),
	(SELECT string_agg(format('CREATE TABLE p_%1$s_%2$s PARTITION OF p_%1$s FOR VALUES WITH (MODULUS 1000, REMAINDER %2$s)', name, i), ';')
		FROM generate_series(0, 999) AS i),
	format('INSERT INTO p_%1$s SELECT id FROM t_%1$s WHERE n %% 25 = 0', name), format('VACUUM ANALYZE p_%s', name)
FROM (VALUES ('timestamptz', 'timestamptz'), ('uuid_v7', 'uuid')) AS c (name, type) \gexec
CREATE PROCEDURE heavy_rounds(of_kind text, many integer) LANGUAGE plpgsql AS $$
BEGIN
	FOR i IN 1 .. many LOOP
		INSERT INTO turn SELECT i, of_kind, name, (plan_of(CASE WHEN of_kind ~ 'partitions' THEN ranges_of('p_' || name, range, 60)
			WHEN of_kind ~ 'tables' THEN format('SELECT FROM (SELECT 1 AS kind) AS s ') || tables
			ELSE asked(name, '*', range, 0.999, 0.001) END) ->> 'Planning Time')::float8 * 1000
		FROM contender, LATERAL (SELECT string_agg(format('JOIN (SELECT kind FROM t_%3$s WHERE ' || range || ') AS s_%4$s USING (kind)',
			at(j / 21.0), at((j + 0.1) / 21), name, j), ' ') FROM generate_series(1, 20) AS j) AS t (tables)
		WHERE n <= 2 ORDER BY random();
	END LOOP;
END $$;
CALL heavy_rounds('plan, 60 ranges of 1,000 partitions', 3);
CALL heavy_rounds('plan, 20 tables', 21);
BEGIN;
SELECT format('DECLARE c_%s CURSOR FOR SELECT uuid_v7_min(now())', i) FROM generate_series(1, 5000) AS i \gexec
CALL heavy_rounds('plan, 5,000 cursors open', 21);
COMMIT;

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

\echo q-errors of other tables, an id beside a timestamptz: worst of 31 ranges each of 1, 10, 100 and 1,000 rows; planning time, microseconds: the worst median
SELECT name, max(shown) FILTER (WHERE place = 'begin') AS begin, max(shown) FILTER (WHERE place = 'middle') AS middle,
	max(shown) FILTER (WHERE place = 'newest') AS newest, max(shown) FILTER (WHERE place = 'open') AS open,
	max(shown) FILTER (WHERE place = 'all') AS all, max(shown) FILTER (WHERE place = 'before') AS before,
	max(shown) FILTER (WHERE place = 'beyond') AS beyond,
	string_agg(place || ': ' || worse, ', ' ORDER BY place) FILTER (WHERE worse > 0) AS "worse estimates",
	(array_agg(round(id_us) || ' / ' || round(ts_us) ORDER BY id_us - 3 * ts_us DESC))[1] AS planning
FROM beside_timestamptz JOIN scenario USING (n), LATERAL (SELECT to_char(id_q, 'FM999990.0') || ' / ' || to_char(ts_q, 'FM999990.0')) AS s (shown)
GROUP BY n, name ORDER BY n;

\echo The same, and other shapes of queries, in numbers of estimates: worse and better than of a timestamptz, and geometric means of the q-errors, without our estimates, too
SELECT CASE WHEN place IN (SELECT place FROM shape) THEN place ELSE 'ranges' END AS query, count(*) AS estimates,
	count(*) FILTER (WHERE off_worse) AS "off: worse", count(*) FILTER (WHERE off_better) AS better, round(exp(avg(ln(off_q)))::numeric, 3) AS mean,
	count(*) FILTER (WHERE id_worse) AS "id: worse", count(*) FILTER (WHERE id_better) AS better, round(exp(avg(ln(id_q)))::numeric, 3) AS mean,
	round(exp(avg(ln(ts_q)))::numeric, 3) AS timestamptz
FROM beside_q GROUP BY 1 ORDER BY 1;

\echo Times, microseconds: median, and in multiples of timestamptz or of explicit operators
CREATE VIEW measured AS
SELECT t.kind, t.name, percentile_cont(0.5) WITHIN GROUP (ORDER BY t.us) AS us,
	percentile_cont(0.5) WITHIN GROUP (ORDER BY CASE WHEN t.kind LIKE 'plan%' AND t.us < b.us + 300 THEN least(t.us / b.us, 3) ELSE t.us / b.us END) AS ratio,
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
SELECT plan_of('SELECT FROM t_uuid_v7 WHERE uuid_v7_in_range(id, now(), now())') \g /dev/null
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
	SELECT 'q-errors 1.5 times and two rows worse, %' AS what, 'timestamptz' AS peer, 100 * avg(id_worse::integer) AS ratio, 1.0 AS goal
	FROM beside_q
	UNION ALL
	SELECT 'planning 3 times and 0.3 ms longer', 'timestamptz', count(*), 0
	FROM beside_timestamptz WHERE id_us > 3 * ts_us AND id_us > ts_us + 300
	UNION ALL
	SELECT kind || ', worst of all columns',
		CASE WHEN kind LIKE '%scan' THEN 'written out' ELSE 'timestamptz' END, max(ratio), max(goal)
	FROM measured WHERE name <> 'timestamptz' GROUP BY kind) AS r;
\pset tuples_only on
SELECT * FROM ratios;
