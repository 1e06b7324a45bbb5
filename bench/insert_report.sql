-- Views over the measurements of bench/insert, for its report

-- Goals: the highest ratio allowed of a measure of name in part to that of other
-- in other_part
CREATE TABLE goal (
	n serial, what text, part text, name text, other_part text, other text,
	measure text, goal numeric);
INSERT INTO goal (what, part, name, other_part, other, measure, goal) VALUES
	('loading, time', 'load', 'uuid_generate_v7()', 'load', 'bigserial', 'seconds', 1),
	('loading, time', 'load', 'uuid_generate_v7()', 'load', 'gen_random_uuid()', 'seconds', 0.45),
	('loading, time', 'load', 'uuid_generate_v7()', 'load', 'uuidv7()', 'seconds', 0.8),
	('loading, time', 'load', 'fluid_generate()', 'load', 'bigserial', 'seconds', 1),
	('loading, size of the index', 'load', 'fluid_generate()', 'load', 'bigserial', 'index_bytes', 1.005),
	('loading, WAL', 'load', 'fluid_generate()', 'load', 'bigserial', 'wal_bytes', 1),
	('loading, size of the index', 'load', 'uuid_generate_v7()', 'load', 'C, 10 bytes drawn a call', 'index_bytes', 0.8),
	('appending, time', 'append', 'uuid_generate_v7()', 'append', 'gen_random_uuid()', 'seconds', 0.25),
	('appending, WAL', 'append', 'uuid_generate_v7()', 'append', 'gen_random_uuid()', 'wal_bytes', 0.5),
	('an hour, time', 'hour by id', 'uuid_generate_v7()', 'hour by created_at', 'uuid_generate_v7()', 'seconds', 1.2),
	('an hour, time', 'hour by id', 'fluid_generate()', 'hour by created_at', 'fluid_generate()', 'seconds', 1.2);

CREATE VIEW verdicts AS
SELECT 'insert' AS bench, what || ': ' || name AS what, other,
	   round(ratio, 3) AS ratio, goal,
	   CASE WHEN ratio <= goal THEN 'met' ELSE 'missed' END AS verdict
FROM (SELECT n, what, name,
		CASE WHEN other = name THEN 'an index on created_at' ELSE other END AS other,
		ratio(part, name, other_part, other, measure)::numeric AS ratio, goal
	  FROM goal) AS judged
WHERE ratio IS NOT NULL ORDER BY n;

-- Inserts; the columns that begin with "/" are ratios of times.
CREATE VIEW inserted AS
SELECT part, name AS "default",
	   round(middle(part, name, 'seconds')::numeric, 3) AS s,
	   round(middle(part, name, 'rows / seconds / 1000')::numeric) AS "rows/ms",
	   round(ratio(part, name, part, 'bigserial', 'seconds')::numeric, 2) AS "/ bigserial",
	   round(ratio(part, name, part, 'gen_random_uuid()', 'seconds')::numeric, 2) AS "/ random",
	   round(ratio(part, name, part, 'uuidv7()', 'seconds')::numeric, 2) AS "/ uuidv7()",
	   round(middle(part, name, 'wal_bytes / rows')::numeric, 1) AS "WAL, B/row",
	   round(middle(part, name, 'full_pages')::numeric) AS "full pages",
	   round(middle(part, name, 'index_bytes / 1048576')::numeric, 1) AS "index, MB",
	   round(middle(part, name, 'density')::numeric, 1) AS "leaf, %",
	   round(middle(part, name, 'heap_read + index_read')::numeric) AS "read"
FROM contender, (SELECT DISTINCT part FROM figure) AS p
WHERE name IN (SELECT name FROM figure AS f WHERE f.part = p.part)
ORDER BY n;

-- Rows per second of single-row inserts, by number of sessions
CREATE VIEW single AS
WITH median AS (
	SELECT name, sessions,
		   round(percentile_cont(0.5) WITHIN GROUP (ORDER BY per_second)) AS per_second
	FROM rate GROUP BY 1, 2)
SELECT name AS "default",
	   max(per_second) FILTER (WHERE sessions = 1) AS "1 session",
	   max(per_second) FILTER (WHERE sessions = 2) AS "2",
	   max(per_second) FILTER (WHERE sessions = 8) AS "8",
	   max(per_second) FILTER (WHERE sessions = 32) AS "32"
FROM contender JOIN median USING (name) GROUP BY n, name ORDER BY n;

-- Reading: milliseconds per query, and blocks that were not in the buffers
CREATE VIEW read AS
SELECT part AS "what is read", name AS "id",
	   round(middle(part, name, 'seconds / rows * 1000')::numeric, 4) AS ms,
	   round(middle(part, name, 'heap_read / rows')::numeric, 2) AS "table blocks read",
	   round(middle(part, name, 'index_read / rows')::numeric, 2) AS "index blocks read",
	   round(middle(part, name, 'index_bytes / 1048576')::numeric, 1) AS "index, MB"
FROM contender, (SELECT DISTINCT part FROM reading) AS p
WHERE name IN (SELECT name FROM figure AS f WHERE f.part = p.part)
ORDER BY part = 'lookup' DESC, part = 'newest' DESC, part DESC, n;
