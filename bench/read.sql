-- Tables and queries of the reading part of bench/insert, which sets rows and
-- payload.  The rows are spread evenly over the last 100 hours, in order of
-- time.
SET client_min_messages = warning;
CREATE TABLE source AS
SELECT date_trunc('second', now()) - interval '100 hours'
		   + i * (interval '100 hours' / :rows) AS at, i
FROM generate_series(0, :rows - 1) AS i;
SELECT min(at) AS first_at FROM source \gset

INSERT INTO read_table VALUES
	('bigserial', 'read_bigserial', 'nextval(''numbers'')', 'id', NULL),
	('gen_random_uuid()', 'read_random', 'gen_random_uuid()', 'created_at', NULL),
	('uuid_generate_v7()', 'read_uuid_v7', 'uuid_v7_from_timestamptz(at)', 'id',
	 'uuid_v7_in_range(id, hour, hour + interval ''1 hour'')'),
	('fluid_generate()', 'read_fluid',
	 'fluid_min(at) | (i % 16384 << 10) | (i / 16384 % 1024)',
	 'id', 'fluid_in_range(id, hour, hour + interval ''1 hour'')');

SELECT format('CREATE TABLE %I AS
		SELECT %s AS id, at AS created_at, %L::text AS payload
		FROM (SELECT * FROM source ORDER BY i) AS s',
		relation, expression, :'payload'),
	format('ALTER TABLE %I ADD PRIMARY KEY (id)', relation),
	format('CREATE INDEX %I ON %I (created_at)', relation || '_at', relation),
	format('VACUUM ANALYZE %I', relation),
	format('CREATE TABLE %I AS SELECT id FROM (
		SELECT id FROM %I ORDER BY created_at DESC LIMIT %s) AS q
		ORDER BY random()', relation || '_newest', relation, :rows / 100)
FROM read_table \gexec

-- Queries with parameters, whose plans PL/pgSQL caches
INSERT INTO reading
SELECT 'lookup', name, relation,
	   format('SELECT payload INTO found FROM %I WHERE id = ids[i %% many + 1]', relation)
FROM read_table
UNION ALL
SELECT 'newest', name, relation,
	   format('SELECT count(payload) INTO found FROM (
		SELECT * FROM %I ORDER BY %I DESC LIMIT 50) AS q', relation, newest)
FROM read_table
UNION ALL
SELECT 'hour by created_at', name, relation,
	   format('SELECT sum(length(payload)) INTO found FROM %I
		WHERE created_at >= hour AND created_at < hour + interval ''1 hour''', relation)
FROM read_table
UNION ALL
SELECT 'hour by id', name, relation,
	   format('SELECT sum(length(payload)) INTO found FROM %I WHERE %s',
			  relation, in_hour)
FROM read_table WHERE in_hour IS NOT NULL;

SELECT format('CREATE FUNCTION %I(times integer) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	ids %s[] := ARRAY(SELECT id FROM %I LIMIT times);
	many integer := cardinality(ids);
	hour timestamptz;
	found text;
BEGIN
	FOR i IN 1 .. times LOOP
		hour := %L::timestamptz + i * 37 %% 99 * interval ''1 hour'';
		%s;
	END LOOP;
	RETURN found;
END $$', part || relation, atttypid::regtype, relation || '_newest',
	:'first_at', body)
FROM reading JOIN pg_attribute
	ON attrelid = relation::regclass AND attname = 'id' \gexec

-- Check that both ways find the same rows of an hour, and that a range of ids
-- uses the index.
DO $$
DECLARE
	r record;
	line text;
	plan text;
	by_id text;
	by_created_at text;
BEGIN
	FOR r IN SELECT * FROM read_table WHERE in_hour IS NOT NULL LOOP
		EXECUTE format('SELECT %I(3)', 'hour by id' || r.relation) INTO by_id;
		EXECUTE format('SELECT %I(3)', 'hour by created_at' || r.relation)
			INTO by_created_at;
		plan := '';
		FOR line IN EXECUTE format('EXPLAIN SELECT payload FROM %I WHERE %s',
			r.relation, regexp_replace(r.in_hour, '\mhour\M(?!'')', 'now()', 'g')) LOOP
			plan := plan || line;
		END LOOP;
		IF by_id IS DISTINCT FROM by_created_at OR plan !~ 'Index Cond' THEN
			RAISE EXCEPTION 'an hour of %: % by id, % by created_at, %',
				r.relation, by_id, by_created_at, plan;
		END IF;
	END LOOP;
END $$;
