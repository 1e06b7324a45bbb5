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
ALTER TABLE "Refers" ADD CONSTRAINT later FOREIGN KEY (log) REFERENCES "Logs" NOT VALID;
CREATE TABLE parted (log bigint CONSTRAINT of_all REFERENCES "Logs") PARTITION BY RANGE (log);
CREATE TABLE part PARTITION OF parted FOR VALUES FROM (0) TO (10);
SELECT regexp_split_to_table(drop_keys, ';') FROM keys_to('"Logs"') ORDER BY 1;
SELECT regexp_split_to_table(add_keys, ';') FROM keys_to('"Logs"') ORDER BY 1;
SELECT * FROM keys_to('"Refers"');
CREATE VIEW valid AS SELECT conrelid::regclass, conname, convalidated FROM pg_constraint
WHERE contype = 'f' AND connamespace = '"My Parts"'::regnamespace AND conparentid = 0 ORDER BY 1, 2;
ALTER TABLE others ADD CONSTRAINT other_later FOREIGN KEY ("Id") REFERENCES others NOT VALID;
CALL validate_keys('"Logs"');
TABLE valid;
-- It stops at a key that does not hold; others are valid then.
ALTER TABLE others DROP CONSTRAINT "others_Id_fkey";
ALTER TABLE "Refers" DROP CONSTRAINT later, DROP CONSTRAINT "A key", ADD CONSTRAINT later FOREIGN KEY (log) REFERENCES "Logs" NOT VALID;
ALTER TABLE parted DROP CONSTRAINT of_all;
INSERT INTO others VALUES (1);
ALTER TABLE others ADD CONSTRAINT wrong FOREIGN KEY ("Id") REFERENCES "Logs" NOT VALID;
CALL validate_keys('"Logs"');
TABLE valid;
TRUNCATE others CASCADE;

-- What still uses a table, and not what uses others or belongs to the table
CREATE FUNCTION fires() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
CREATE TRIGGER "a Trigger" BEFORE INSERT ON "Logs" FOR EACH ROW EXECUTE FUNCTION fires();
CREATE TRIGGER another BEFORE INSERT ON others FOR EACH ROW EXECUTE FUNCTION fires();
CREATE POLICY "a Policy" ON "Logs";
CREATE POLICY another ON others;
CREATE RULE a_rule AS ON DELETE TO "Logs" WHERE false DO ALSO NOTHING;
CREATE VIEW "a View" AS SELECT a.n, b.n AS m FROM "Logs" AS a JOIN "Logs" AS b USING ("Id");
CREATE VIEW another AS TABLE others;
SET client_min_messages = error;
CREATE PUBLICATION "regress a Publication" FOR TABLE "Logs";
CREATE PUBLICATION regress_another FOR TABLE others;
RESET client_min_messages;
SELECT * FROM left_behind('"Logs"') ORDER BY kind, name COLLATE "C";
SELECT * FROM left_behind('parted');
DROP PUBLICATION "regress a Publication", regress_another;
DROP TRIGGER "a Trigger" ON "Logs";

-- A copy that is kept
CREATE TABLE "Logs copy" (LIKE "Logs" INCLUDING ALL);
INSERT INTO "Logs" SELECT i, i FROM generate_series(1, 25) AS i;
CREATE TRIGGER keep AFTER INSERT OR UPDATE OR DELETE ON "Logs"
	FOR EACH ROW EXECUTE FUNCTION keep_copy('"Logs copy"', 'Id');
INSERT INTO "Logs" VALUES (100, 100);
UPDATE "Logs" SET "Id" = 101 WHERE n = 100;
UPDATE "Logs" SET n = -1 WHERE "Id" = 1;
DELETE FROM "Logs" WHERE "Id" IN (2, 3);
SELECT * FROM "Logs copy" ORDER BY 1;
CALL copy_rows('"Logs"', '"Logs copy"', 'Id', 10);
CALL copy_rows('"Logs"', '"Logs copy"', 'Id');
CALL copy_rows('"Logs"', '"Logs copy"', 'Id', 1);
SELECT count(*), (SELECT count(*) FROM (TABLE "Logs" EXCEPT TABLE "Logs copy") AS d) AS missing FROM "Logs copy";
SELECT copied.* FROM "Logs copy" AS copied LEFT JOIN "Logs" USING ("Id") WHERE "Logs"."Id" IS NULL;
SHOW lock_timeout;
DELETE FROM "Logs";
TABLE "Logs copy";

-- Labels
SELECT proname, prokind, provolatile, proconfig FROM pg_proc
WHERE pronamespace = '"My Parts"'::regnamespace AND proname <> 'fires' ORDER BY proname COLLATE "C";
SET client_min_messages = warning;
DROP SCHEMA "My Parts" CASCADE;
