-- Setup of bench/insert: the contenders, and tables for measurements.
-- bench/insert sets the file of the baselines' module, the file with the list
-- of contenders, and the library of pg_uuidv7, or ''.
SET client_min_messages = warning;
CREATE EXTENSION flakeid;
CREATE EXTENSION pgstattuple;

CREATE FUNCTION baseline_uuid_v7_ms() RETURNS uuid
	AS :'module' LANGUAGE C VOLATILE STRICT;
\ir pg_uuidv7.sql

CREATE SEQUENCE numbers;
CREATE SEQUENCE numbers_32 CACHE 32;

-- As people write them without an extension
CREATE FUNCTION sql_uuid_v7() RETURNS uuid LANGUAGE sql VOLATILE AS $$
	SELECT (lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint),
		12, '0') || '7' || substr(gen_random_uuid()::text, 16))::uuid
$$;

CREATE FUNCTION plpgsql_uuid_v7() RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
	unix_ms bigint := extract(epoch FROM clock_timestamp()) * 1000;
	bytes bytea := uuid_send(gen_random_uuid());
BEGIN
	bytes := overlay(bytes PLACING substring(int8send(unix_ms) FROM 3) FROM 1 FOR 6);
	bytes := set_byte(bytes, 6, (get_byte(bytes, 6) & 15) | 112);
	RETURN encode(bytes, 'hex')::uuid;
END $$;

CREATE SEQUENCE snowflake_numbers;

CREATE FUNCTION sql_snowflake() RETURNS bigint LANGUAGE sql VOLATILE AS $$
	SELECT ((extract(epoch FROM clock_timestamp()) * 1000)::bigint
		- 1704067200000) << 22 | 1 << 12 | nextval('snowflake_numbers') % 4096
$$;

CREATE FUNCTION plpgsql_snowflake() RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
DECLARE
	epoch_ms bigint := 1704067200000;
	shard_id bigint := 1;
	now_ms bigint;
	seq_id bigint;
BEGIN
	SELECT nextval('snowflake_numbers') % 4096 INTO seq_id;
	SELECT floor(extract(epoch FROM clock_timestamp()) * 1000) INTO now_ms;
	RETURN (now_ms - epoch_ms) << 22 | shard_id << 12 | seq_id;
END $$;

CREATE TABLE contender (
	name text PRIMARY KEY, type text, expression text, takes_part text,
	n serial,
	kind text GENERATED ALWAYS AS (CASE WHEN expression ~
		'^(uuid_generate_v|(fluid|nanoflake|ulidflake|scru160)_generate)'
		THEN 'ours' ELSE 'peer' END) STORED);
COPY contender (name, type, expression, takes_part)
	FROM :'list' WITH (DELIMITER '|');
DELETE FROM contender
WHERE name IN ('uuidv7()', 'pg_uuidv7') AND to_regprocedure(expression) IS NULL;

-- Time and writes of a turn; held and the sizes are those after it
CREATE TABLE figure (
	part text, name text, round integer, rows bigint, seconds float8,
	wal_bytes float8, lsn pg_lsn, lsn_after pg_lsn, full_pages float8,
	heap_read float8, index_read float8, held float8,
	heap_bytes float8, index_bytes float8, density float8);
CREATE TABLE batch (
	name text, round integer, batch integer, seconds float8, n serial);
CREATE TABLE rate (
	name text, sessions integer, round integer, per_second float8);
-- newest is the sort key for age, in_hour the condition for the rows of an
-- hour by id
CREATE TABLE read_table (
	name text, relation text, expression text, newest text, in_hour text);
CREATE TABLE reading (part text, name text, relation text, body text);

-- Insert rows in transactions of equal size; the seconds of each go to batch
CREATE PROCEDURE append(name text, round integer, relation text, row_count integer,
	batches integer) LANGUAGE plpgsql AS $$
DECLARE
	began timestamptz;
	seconds float8[];
BEGIN
	FOR i IN 1 .. batches LOOP
		began := clock_timestamp();
		EXECUTE format('INSERT INTO %I (payload)
			SELECT ''a-payload-of-forty-characters-in-a-column''
			FROM (SELECT generate_series(1, %s)) AS g',
			relation, row_count / batches);
		COMMIT;
		seconds[i] := extract(epoch FROM clock_timestamp() - began);
	END LOOP;
	INSERT INTO batch (name, round, batch, seconds)
	SELECT append.name, append.round, b.batch, b.seconds
	FROM unnest(seconds) WITH ORDINALITY AS b (seconds, batch);
END $$;

-- Median over the rounds of an expression over figure
CREATE FUNCTION middle(part text, name text, expression text) RETURNS float8
LANGUAGE plpgsql AS $$
DECLARE
	result float8;
BEGIN
	EXECUTE format('SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY %s)
		FROM figure WHERE part = $1 AND name = $2', expression)
		INTO result USING part, name;
	RETURN result;
END $$;

-- Median of the ratios within each round
CREATE FUNCTION ratio(part text, name text, peer_part text, peer text,
	measure text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
	result float8;
BEGIN
	EXECUTE format('SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY
			a.%1$I / a.rows / nullif(b.%1$I / b.rows, 0))
		FROM figure AS a JOIN figure AS b USING (round)
		WHERE a.part = $1 AND a.name = $2 AND b.part = $3 AND b.name = $4',
		measure) INTO result USING part, name, peer_part, peer;
	RETURN result;
END $$;
