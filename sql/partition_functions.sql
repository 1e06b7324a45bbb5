-- contrib/partitions.sql: what doc/partitioning.md does not use, on names that need
-- quotes.  t/094_partitioning.pl runs the recipes.
\getenv abs_srcdir PG_ABS_SRCDIR
\set script :abs_srcdir '/contrib/partitions.sql'
\set SHOW_CONTEXT never
SET client_min_messages = warning;
CREATE SCHEMA "My Parts";
SELECT extnamespace::regnamespace AS ids FROM pg_extension WHERE extname = 'flakeid' \gset
SET search_path = "My Parts", :ids;
\set ECHO none
\i :script
\set ECHO all

-- Foreign keys to a table, as they are, and no others; those of partitions belong to
-- their parent
CREATE TABLE "Logs" ("Id" bigint PRIMARY KEY, n integer);
CREATE TABLE others ("Id" bigint PRIMARY KEY REFERENCES "Logs");
CREATE TABLE "Refers" (log bigint CONSTRAINT "A key" REFERENCES "Logs" ON DELETE CASCADE DEFERRABLE,
	other bigint REFERENCES others);
COMMENT ON CONSTRAINT "A key" ON "Refers" IS 'a comment';
ALTER TABLE "Refers" ADD CONSTRAINT later FOREIGN KEY (log) REFERENCES "Logs" NOT VALID;
CREATE TABLE parted (log bigint CONSTRAINT of_all REFERENCES "Logs") PARTITION BY RANGE (log);
CREATE TABLE part PARTITION OF parted FOR VALUES FROM (0) TO (10);
SELECT regexp_split_to_table(drop_keys, '; ') FROM keys_to('"Logs"') ORDER BY 1;
SELECT regexp_split_to_table(add_keys, '; ') FROM keys_to('"Logs"') ORDER BY 1;
SELECT * FROM keys_to('"Refers"');
CREATE VIEW valid AS SELECT conrelid::regclass, conname, convalidated FROM pg_constraint
WHERE contype = 'f' AND connamespace = '"My Parts"'::regnamespace AND conparentid = 0 ORDER BY 1, 2;
ALTER TABLE others ADD CONSTRAINT other_later FOREIGN KEY ("Id") REFERENCES others NOT VALID;
SELECT validate_keys FROM keys_to('"Logs"') \gexec
TABLE valid;
DROP TABLE "Refers", parted, others CASCADE;

-- A copy that is kept
ALTER TABLE "Logs" DROP n, ADD "Gen" integer GENERATED ALWAYS AS ("Id" % 2) STORED, ADD n integer;
CREATE TABLE "Logs copy" (n integer, "Gen" integer GENERATED ALWAYS AS ("Id" % 2) STORED, "Id" bigint PRIMARY KEY);
INSERT INTO "Logs" ("Id", n) SELECT i, i FROM generate_series(1, 25) AS i;
CREATE TRIGGER keep AFTER INSERT OR UPDATE OR DELETE ON "Logs"
	FOR EACH ROW EXECUTE FUNCTION keep_copy('"Logs copy"', 'Id');
INSERT INTO "Logs" ("Id", n) VALUES (100, 100);
UPDATE "Logs" SET "Id" = 101 WHERE n = 100;
UPDATE "Logs" SET n = -1 WHERE "Id" = 1;
DELETE FROM "Logs" WHERE "Id" IN (2, 3);
SELECT * FROM "Logs copy" ORDER BY 1;
CALL copy_rows('"Logs"', '"Logs copy"', 'Id', 10);
CALL copy_rows('"Logs"', '"Logs copy"', 'Id');
CALL copy_rows('"Logs"', '"Logs copy"', 'Id', 1);
SELECT count(*), (SELECT count(*) FROM (TABLE "Logs" EXCEPT SELECT "Id", "Gen", n FROM "Logs copy") AS d) AS missing FROM "Logs copy";
SELECT copied.* FROM "Logs copy" AS copied LEFT JOIN "Logs" USING ("Id") WHERE "Logs"."Id" IS NULL;
SELECT sqlstate_of($$CALL copy_rows('"Logs"', '"Logs copy"', 'Id')$$) AS has_its_own_transactions;
SHOW lock_timeout;
DELETE FROM "Logs";
TABLE "Logs copy";

DROP TABLE "Logs", "Logs copy";
-- The timeout in the first batch and in a later one: each row is counted once.
CREATE TABLE "Logs" AS SELECT uuid_v7_min('2026-01-01 00:00:00Z'::timestamptz + i * interval '1 day') AS "Id" FROM generate_series(1, 25) AS i;
CREATE TABLE copy (LIKE "Logs", PRIMARY KEY ("Id"));
CREATE SEQUENCE tries;
CREATE FUNCTION waits() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF nextval('tries') IN (1, 15) THEN
		RAISE INFO 'timeout %, %', current_setting('lock_timeout'), (SELECT string_agg(mode, ' ') FROM pg_locks
			WHERE pid = pg_backend_pid() AND relation = '"Logs"'::regclass);
		RAISE lock_not_available;
	END IF;
	RETURN NEW;
END $$;
CREATE TRIGGER waits BEFORE INSERT ON copy FOR EACH ROW EXECUTE FUNCTION waits();
CALL copy_rows('"Logs"', 'copy', 'Id', 10);
SELECT count(*) FROM copy;
DROP TABLE "Logs", copy;
DROP FUNCTION waits;

-- Months lie beside their parent, also if another schema comes first.  What has the
-- name of a month must be that partition.
CREATE SCHEMA regress_first;
SET search_path = regress_first, "My Parts", :ids;
CREATE TABLE months_2026_01 ();
CREATE TABLE "My Parts".months (id bigint, "What" text, n integer GENERATED ALWAYS AS IDENTITY) PARTITION BY RANGE (id);
ALTER TABLE months ALTER "What" SET STATISTICS 0, ALTER "What" SET STORAGE EXTERNAL, REPLICA IDENTITY FULL;
CREATE TABLE "My Parts".newest PARTITION OF months FOR VALUES FROM (-1) TO (0)
	WITH (fillfactor = 50, parallel_workers = 2, toast.autovacuum_enabled = off);
SELECT create_months('months', 'nanoflake_min', '2026-01-31 23:59:59Z', 2);
BEGIN;
SELECT create_months('months', 'nanoflake_min', '2026-01-01 00:00:00Z', 2);
SELECT relation::regclass, mode FROM pg_locks WHERE locktype = 'relation' AND mode ~ 'Exclusive' AND pid = pg_backend_pid();
COMMIT;
SELECT count(*) AS sequences FROM pg_class WHERE relkind = 'S' AND relname ~ '^(months|newest)';
SELECT inhrelid::regclass, c.reloptions, t.reloptions AS toast, CASE WHEN attstattarget >= 0 THEN attstattarget END AS target, attstorage, c.relreplident
FROM pg_inherits JOIN pg_class AS c ON c.oid = inhrelid LEFT JOIN pg_class AS t ON t.oid = c.reltoastrelid
JOIN pg_attribute ON attrelid = c.oid AND attname = 'What' WHERE inhparent = 'months'::regclass ORDER BY c.relname;
SELECT error_of($$SELECT create_months('months', 'ulidflake_min', '2026-01-01 00:00:00Z', 1)$$);
UPDATE pg_inherits SET inhdetachpending = true WHERE inhrelid = 'months_2026_02'::regclass;
SELECT error_of($$SELECT create_months('months', 'nanoflake_min', '2026-02-01 00:00:00Z', 1)$$);
UPDATE pg_inherits SET inhdetachpending = false WHERE inhrelid = 'months_2026_02'::regclass;
CREATE TABLE "My Parts".months_2026_03 (LIKE months);
SELECT error_of($$SELECT create_months('months', 'nanoflake_min', '2026-01-01 00:00:00Z', 3)$$);
CREATE TABLE "My Parts".others (id bigint) PARTITION BY RANGE (id);
SELECT create_months('others', 'nanoflake_min', '2026-04-01 00:00:00Z', 1);
ALTER TABLE others_2026_04 SET (fillfactor = 60);
SELECT create_months('others', 'nanoflake_min', '2026-05-01 00:00:00Z', 1);
SELECT reloptions AS without_toast FROM pg_class WHERE oid = 'others_2026_05'::regclass;
ALTER TABLE others_2026_04 RENAME TO months_2026_04;
SELECT error_of($$SELECT create_months('months', 'nanoflake_min', '2026-04-01 00:00:00Z', 1)$$);
SELECT format('CREATE TABLE %I (id bigint) PARTITION BY RANGE (id)', repeat('x', n) || repeat('ü', 20)) FROM generate_series(15, 16) AS n \gexec
SELECT n, error_of(format('SELECT create_months(%L, ''nanoflake_min'', now(), 1)', repeat('x', n) || repeat('ü', 20)))
FROM generate_series(15, 16) AS n;
DROP SCHEMA regress_first CASCADE;
DROP TABLE months, months_2026_03, others, months_2026_04;
SET search_path = "My Parts", :ids;

-- What is dropped: months of UTC that ended before, of this table, also after an
-- interruption; and nothing else
CREATE TABLE "Old'_2" (id bigint) PARTITION BY RANGE (id);
CREATE TABLE "Old'_2_2026_02" PARTITION OF "Old'_2" FOR VALUES FROM (20) TO (30);
CREATE TABLE "Old'_2_2026_01" PARTITION OF "Old'_2" FOR VALUES FROM (10) TO (20);
CREATE TABLE "Old'_2_2025_12" PARTITION OF "Old'_2" FOR VALUES FROM (0) TO (10);
CREATE TABLE "Old'_2_x2025_12" PARTITION OF "Old'_2" FOR VALUES FROM (30) TO (40);
CREATE TABLE "Old'_2_2025_1" PARTITION OF "Old'_2" FOR VALUES FROM (40) TO (50);
CREATE TABLE "Old'_2_2025_11" (LIKE "Old'_2");
SET timezone = 'Pacific/Auckland';
SELECT drop_months('"Old''_2"', '2026-01-31 23:59:59Z');
SELECT drop_months('"Old''_2"', '2026-02-01 00:00:00Z');
RESET timezone;
-- It waits briefly for tables that foreign keys link to this one.
BEGIN;
CREATE TABLE refers (id bigint, CHECK (id > 0));
ALTER TABLE "Old'_2" ADD PRIMARY KEY (id);
ALTER TABLE refers ADD FOREIGN KEY (id) REFERENCES "Old'_2";
SELECT drop_months('"Old''_2"', '2026-01-01 00:00:00Z');
SET LOCAL lock_timeout = '7s';
SELECT drop_months('"Old''_2"', '2026-01-01 00:00:00Z');
ROLLBACK;
BEGIN;
CREATE TABLE referenced (id bigint PRIMARY KEY);
ALTER TABLE "Old'_2" ADD FOREIGN KEY (id) REFERENCES referenced;
SELECT drop_months('"Old''_2"', '2026-01-01 00:00:00Z');
ROLLBACK;
UPDATE pg_inherits SET inhdetachpending = true WHERE inhrelid = '"Old''_2_2026_01"'::regclass;
SELECT drop_months('"Old''_2"', '2026-02-28 00:00:00Z') \gexec
SELECT drop_months('"Old''_2"', '2026-02-28 00:00:00Z');
COMMENT ON TABLE "Old'_2_2025_11" IS 'to be dropped by drop_months of "My Parts".another';
-- Marked, but renamed, or of a later month
CREATE TABLE "Old'_2 archive" ();
CREATE TABLE "Old'_2_2026_03" ();
SELECT format('COMMENT ON TABLE %s IS %L', t, 'to be dropped by drop_months of "My Parts"."Old''_2"')
FROM unnest('{Old''_2 archive,Old''_2_2026_03}'::name[]) AS u (n), format('%I', n) AS t \gexec
SET lock_timeout = '7s';
SELECT drop_months('"Old''_2"', '2026-02-28 00:00:00Z') \gexec
RESET lock_timeout;
SELECT relname FROM pg_class WHERE relname ~ '^Old''_2' ORDER BY relname;
DROP TABLE "Old'_2", "Old'_2_2025_11", "Old'_2 archive", "Old'_2_2026_03";

-- A table with all that is carried over, and its state before and after
CREATE ROLE regress_reader;
CREATE ROLE "regress-Writer";
SET client_min_messages = error;
CREATE PUBLICATION regress_all FOR ALL TABLES WITH (publish_via_partition_root);
RESET client_min_messages;
CREATE TABLE kinds (kind integer PRIMARY KEY, other serial);
CREATE TABLE "Logs" (dropped integer, "Id" bigint CONSTRAINT "the key" PRIMARY KEY DEFAULT nanoflake_generate(), n bigserial,
	what text COLLATE "C" NOT NULL DEFAULT 'x' CONSTRAINT "some text" CHECK (what <> ''),
	kind integer CONSTRAINT "of a kind" REFERENCES kinds ON DELETE SET NULL (kind), g integer GENERATED ALWAYS AS (kind + 1) STORED);
GRANT SELECT (dropped) ON "Logs" TO regress_reader;
ALTER TABLE "Logs" DROP dropped;
INSERT INTO kinds VALUES (1);
INSERT INTO "Logs" ("Id", kind) SELECT i, 1 FROM generate_series(1, 9) AS i;
BEGIN;
UPDATE "Logs" SET what = 'x';
CREATE INDEX "by What" ON "Logs" (what DESC, lower(what)) WITH (fillfactor = 77) WHERE kind > 0;
COMMIT;
ALTER TABLE "Logs" ADD fast integer DEFAULT 5, ADD UNIQUE ("Id", n) DEFERRABLE, REPLICA IDENTITY NOTHING, CLUSTER ON "the key",
	SET (fillfactor = 80), ALTER what SET STATISTICS 321, ALTER what SET STORAGE EXTERNAL, ALTER what SET COMPRESSION pglz;
CREATE SEQUENCE "a Sequence" OWNED BY "Logs"."Id";
COMMENT ON TABLE "Logs" IS 'a table''s comment';
COMMENT ON COLUMN "Logs".what IS 'a column';
COMMENT ON CONSTRAINT "the key" ON "Logs" IS 'a key';
COMMENT ON CONSTRAINT "some text" ON "Logs" IS 'a check';
COMMENT ON CONSTRAINT "of a kind" ON "Logs" IS 'a foreign key';
COMMENT ON INDEX "by What" IS 'an index';
GRANT SELECT ON "Logs" TO regress_reader WITH GRANT OPTION;
GRANT UPDATE (kind), SELECT ("Id") ON "Logs" TO "regress-Writer";
GRANT SELECT (kind) ON "Logs" TO regress_reader;
GRANT DELETE ON "Logs" TO PUBLIC;
ALTER DEFAULT PRIVILEGES IN SCHEMA "My Parts" GRANT INSERT, TRUNCATE ON TABLES TO regress_reader;
CREATE TABLE notes (id bigint CONSTRAINT "of a log" REFERENCES "Logs" ON DELETE CASCADE DEFERRABLE);
COMMENT ON CONSTRAINT "of a log" ON notes IS 'a foreign key';
CREATE TABLE child () INHERITS (notes);
INSERT INTO notes VALUES (1);
CREATE VIEW "a View" WITH (security_barrier, check_option = local) AS SELECT "Id", what, "Id" AS x FROM "Logs" WHERE kind > 0;
ALTER VIEW "a View" RENAME x TO y;
ALTER VIEW "a View" ALTER what SET DEFAULT 'y';
GRANT SELECT ON "a View" TO "regress-Writer";
CREATE VIEW on_view AS SELECT * FROM "a View" JOIN (SELECT "Id", n FROM "Logs") AS l USING ("Id");
VACUUM (FREEZE, ANALYZE) "Logs";
ALTER TABLE "Logs" ADD CONSTRAINT old_ids CHECK ("Id" < 1000);

CREATE VIEW state AS
SELECT format('table %s %s %s', relname, relreplident, obj_description(oid)) AS state FROM pg_class WHERE relname = 'Logs'
UNION ALL SELECT format('privilege %s %s', acl::text, a) FROM pg_class, unnest(relacl) AS acl (a) WHERE relname IN ('Logs', 'a View')
UNION ALL SELECT format('column %s %s %s %s %s %s %s %s %s %s', attname, format_type(atttypid, atttypmod), attnotnull, attcollation, attstorage,
	attcompression, attstattarget, col_description(attrelid, attnum), pg_get_expr(adbin, adrelid), attgenerated)
FROM pg_attribute LEFT JOIN pg_attrdef ON (adrelid, adnum) = (attrelid, attnum)
WHERE attrelid IN (to_regclass('"Logs"'), to_regclass('"a View"')) AND attnum > 0 AND NOT attisdropped
UNION ALL SELECT format('privilege %s %s', attname, acl) FROM pg_attribute, unnest(attacl) AS a (acl) WHERE attrelid = to_regclass('"Logs"') AND NOT attisdropped
UNION ALL SELECT format('index %s %s', pg_get_indexdef(indexrelid), obj_description(indexrelid)) FROM pg_index WHERE indrelid = to_regclass('"Logs"')
UNION ALL SELECT format('constraint %s %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid), obj_description(oid)) FROM pg_constraint
WHERE to_regclass('"Logs"') IN (conrelid, confrelid) AND conparentid = 0 AND contype <> 'n'
UNION ALL SELECT format('sequence %s', pg_get_serial_sequence('"Logs"', 'n'))
UNION ALL SELECT format('view %s %s', pg_get_viewdef(oid), reloptions) FROM pg_class WHERE relname IN ('a View', 'on_view')
UNION ALL SELECT format('rows %s', count(*)) FROM on_view;
CREATE TEMP TABLE before AS TABLE state;
BEGIN;
SELECT partition_table('"Logs"', 'Id', 'nanoflake_min', '2027-01-15 00:00:00Z', 2);
SELECT relation::regclass, mode FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND pid = pg_backend_pid()
AND relation IN ('kinds'::regclass, 'child'::regclass);
COMMIT;
SELECT 'before' AS time, state FROM (TABLE before EXCEPT ALL TABLE state) AS b
UNION ALL SELECT 'after', state FROM (TABLE state EXCEPT ALL TABLE before) AS a ORDER BY 2, 1 DESC;
SELECT validate_keys FROM keys_to('"Logs"') \gexec
SELECT relname, relkind, relreplident, reloptions, relacl::text ~ 'regress' AS granted,
	(SELECT array_agg(attname) FROM pg_attribute WHERE attrelid = c.oid AND attacl IS NOT NULL AND NOT attisdropped) AS columns,
	(SELECT array_agg(i.relname ORDER BY i.relname) FROM pg_index JOIN pg_class AS i ON i.oid = indexrelid
	WHERE indrelid = c.oid AND indisvalid) AS indexes,
	(SELECT array_agg(conname ORDER BY conname) FROM pg_constraint WHERE conrelid = c.oid AND contype IN ('c', 'f')) AS constraints,
	substring(pg_get_expr(relpartbound, oid), 'MINVALUE') AS first
FROM pg_class AS c WHERE relname ~ '^Logs' AND relkind IN ('r', 'p') ORDER BY relname;
INSERT INTO "Logs" ("Id") SELECT nanoflake_min('2027-02-28 23:59:59Z') RETURNING tableoid::regclass, n, fast;
INSERT INTO notes SELECT "Id" FROM "Logs" WHERE "Id" > 1000;
SELECT count(*), max("Id") < 1000 AS old FROM "a View";
DROP VIEW state, on_view, "a View";
DROP TABLE "Logs", child, notes, kinds;
-- What it once had, and constraints that call functions
CREATE TABLE plain (id uuid NOT NULL CONSTRAINT old_ids CHECK (id < uuid_v7_min('2027-01-01 00:00:00Z')),
	a bigint[] CHECK (a[1] < nanoflake_min('2030-01-01 00:00:00Z')), n integer);
CREATE INDEX gone_index ON plain (n);
CREATE RULE gone AS ON DELETE TO plain DO INSTEAD NOTHING;
CREATE TRIGGER gone BEFORE UPDATE ON plain FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger();
CREATE TABLE gone () INHERITS (plain);
DROP INDEX gone_index;
DROP RULE gone ON plain;
DROP TRIGGER gone ON plain;
DROP TABLE gone;
SELECT relhasindex, relhasrules, relhastriggers, relhassubclass FROM pg_class WHERE oid = 'plain'::regclass;
BEGIN;
SELECT partition_table('plain', 'id', 'uuid_v7_min', '2027-01-15 00:00:00Z', 0);
SELECT mode FROM pg_locks WHERE mode = 'ShareRowExclusiveLock' AND pid = pg_backend_pid() AND relation = 'plain_old'::regclass;
COMMIT;
DROP TABLE plain;

-- What is refused, in one message, before anything changes
CREATE TABLE logs (id bigint PRIMARY KEY CONSTRAINT old_ids CHECK (id < 1000), n integer, m integer);
CREATE TABLE refers (log bigint REFERENCES logs);
CREATE ACCESS METHOD regress_heap TYPE TABLE HANDLER heap_tableam_handler;
SET allow_in_place_tablespaces = on;
CREATE TABLESPACE regress_space LOCATION '';
CREATE FUNCTION fires() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
SET client_min_messages = error;
\pset format unaligned
SELECT change, regexp_replace(error_of(change || $$; SELECT partition_table('logs', 'id', 'nanoflake_min', '2027-01-15 00:00:00Z', 2)$$),
	' \| .*| ON "My Parts".logs USING .*?; | ON "My Parts".logs USING .*|: grantor .*|pg_attver=\d+,', '', 'g') AS error
FROM (VALUES
	('ALTER TABLE logs ALTER n SET NOT NULL, ALTER n ADD GENERATED BY DEFAULT AS IDENTITY; ALTER TABLE logs RENAME n TO "N"'),
	('ALTER TABLE logs DROP CONSTRAINT logs_pkey CASCADE, ALTER id DROP NOT NULL'),
	('ALTER TABLE logs ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON logs USING (true)'),
	('ALTER TABLE logs FORCE ROW LEVEL SECURITY'),
	('CREATE POLICY p ON refers USING (EXISTS (SELECT FROM logs))'),
	('CREATE TRIGGER t BEFORE INSERT ON logs FOR EACH ROW EXECUTE FUNCTION fires()'),
	('CREATE CONSTRAINT TRIGGER t AFTER INSERT ON logs FOR EACH ROW EXECUTE FUNCTION fires()'),
	('CREATE CONSTRAINT TRIGGER t AFTER INSERT ON refers FROM logs FOR EACH ROW EXECUTE FUNCTION fires()'),
	('ALTER TABLE logs DISABLE TRIGGER ALL'),
	('ALTER TABLE refers DISABLE TRIGGER ALL'),
	('CREATE RULE r AS ON DELETE TO logs DO INSTEAD NOTHING'),
	('CREATE RULE r AS ON DELETE TO refers DO ALSO DELETE FROM logs'),
	('CREATE MATERIALIZED VIEW v AS SELECT FROM logs'),
	('CREATE VIEW v AS SELECT logs FROM logs'),
	('CREATE FUNCTION f() RETURNS bigint BEGIN ATOMIC SELECT count(*) FROM logs; END'),
	('CREATE FUNCTION f(logs) RETURNS integer LANGUAGE sql AS ''SELECT 1'''),
	('CREATE TABLE uses (l logs[])'),
	('CREATE STATISTICS s ON n, m FROM logs'),
	('CREATE PUBLICATION p FOR TABLE logs WITH (publish_via_partition_root)'),
	('CREATE PUBLICATION "A p" FOR TABLES IN SCHEMA "My Parts"'),
	('ALTER PUBLICATION regress_all SET (publish_via_partition_root = false)'),
	('INSERT INTO pg_subscription_rel VALUES (1, ''logs''::regclass, ''r'', NULL)'),
	('INSERT INTO pg_seclabel VALUES (''logs''::regclass, ''pg_class''::regclass, 0, ''a provider'', ''a label'')'),
	('ALTER EXTENSION flakeid ADD TABLE logs'),
	('ALTER TABLE logs DROP CONSTRAINT logs_pkey CASCADE; ALTER TABLE logs SET UNLOGGED'),
	('CREATE TABLE child () INHERITS (logs)'),
	('CREATE TABLE parent (n integer); ALTER TABLE logs INHERIT parent'),
	('CREATE TYPE row_type AS (id bigint, n integer, m integer); ALTER TABLE logs OF row_type'),
	('SET LOCAL default_table_access_method = regress_heap'),
	('ALTER TABLE logs SET TABLESPACE regress_space'),
	('ALTER TABLE logs REPLICA IDENTITY USING INDEX logs_pkey'),
	('CREATE UNIQUE INDEX i ON logs (n)'),
	('CREATE INDEX "An i" ON logs (n); UPDATE pg_index SET indisvalid = false WHERE indexrelid = ''"An i"''::regclass'),
	('ALTER TABLE logs ADD CONSTRAINT c EXCLUDE USING btree (n WITH =)'),
	('ALTER TABLE logs ADD CONSTRAINT c CHECK (n > 0) NOT VALID'),
	('ALTER TABLE logs ADD CONSTRAINT c CHECK (n > 0) NO INHERIT'),
	('ALTER TABLE logs ADD CONSTRAINT c FOREIGN KEY (n) REFERENCES logs'),
	('ALTER TABLE refers ADD CONSTRAINT c FOREIGN KEY (log) REFERENCES logs NOT VALID'),
	('ALTER TABLE logs DROP CONSTRAINT old_ids'),
	('ALTER TABLE logs DROP CONSTRAINT old_ids, ADD CONSTRAINT old_ids CHECK (id < 1000) NOT VALID'),
	('ALTER TABLE logs DROP CONSTRAINT old_ids, ADD CONSTRAINT old_ids CHECK (id <= nanoflake_min(''2027-01-01 00:00:00Z'', ''2024-01-01 00:00:00Z''))'),
	('ALTER TABLE logs DROP CONSTRAINT old_ids, ADD CONSTRAINT old_ids CHECK (id < nanoflake_min(''2027-01-01 00:00:00Z''))'),
	-- These are found when the catalogs are compared.
	('CREATE INDEX i ON logs ((n + 1)); ALTER INDEX i ALTER 1 SET STATISTICS 7'),
	('ALTER TABLE logs ALTER n SET (n_distinct = -0.5)'),
	('GRANT SELECT ON logs TO regress_reader WITH GRANT OPTION; GRANT USAGE ON SCHEMA "My Parts" TO regress_reader;
	SET LOCAL ROLE regress_reader; GRANT SELECT ON logs TO "regress-Writer"; RESET ROLE'),
	('CREATE TABLE logs_old ()')) AS v (change);
\pset format aligned
-- From 18 on, a partitioned table may refer to it, and NOT NULL may have NO INHERIT.
SELECT CASE WHEN before_18 THEN error ~ 'cannot partition table logs: CONSTRAINT parts_log_fkey ON parts is FOREIGN KEY'
	ELSE error ~ 'division by zero' END AS partitioned_referrer,
	before_18 OR error_of($$ALTER TABLE logs ADD CONSTRAINT c NOT NULL n NO INHERIT;
	SELECT partition_table('logs', 'id', 'nanoflake_min', '2027-01-15 00:00:00Z', 0)$$) ~ 'CONSTRAINT c ON logs is NOT NULL n NO INHERIT' AS not_null
FROM error_of($$CREATE TABLE parts (log bigint REFERENCES logs) PARTITION BY RANGE (log);
	SELECT partition_table('logs', 'id', 'nanoflake_min', '2027-01-15 00:00:00Z', 0); SELECT 1/0$$) AS e (error),
	(SELECT current_setting('server_version_num')::integer < 180000) AS v (before_18);
SELECT error_of($$SELECT partition_table('before', 'state', 'nanoflake_min', '2027-01-15 00:00:00Z', 2)$$);
SELECT partition_table('logs', 'id', 'nanoflake_min', '2027-01-15 00:00:00Z', 0);
SELECT error_of($$SELECT partition_table('logs', 'id', 'nanoflake_min', '2027-01-15 00:00:00Z', 0)$$);
SELECT error_of($$SELECT partition_table('logs_old', 'id', 'nanoflake_min', '2027-01-15 00:00:00Z', 0)$$);

-- Labels
SELECT proname, pg_get_function_arguments(oid) AS arguments, prokind, provolatile, proconfig FROM pg_proc
WHERE pronamespace = '"My Parts"'::regnamespace AND proname <> 'fires' ORDER BY proname COLLATE "C";
SET client_min_messages = warning;
DROP SCHEMA "My Parts" CASCADE;
DROP PUBLICATION regress_all;
DROP ACCESS METHOD regress_heap;
DROP TABLESPACE regress_space;
DROP ROLE regress_reader, "regress-Writer";
