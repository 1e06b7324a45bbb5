-- contrib/migrate.sql: what doc/migrating.md does not use.  Run by an owner who
-- is no superuser, under a hostile search_path, on names that need quotes.
\getenv abs_srcdir PG_ABS_SRCDIR
\set script :abs_srcdir '/contrib/migrate.sql'
\set SHOW_CONTEXT never
SET client_min_messages = warning;
CREATE ROLE regress_shop;
CREATE ROLE "regress Clerk";
CREATE ROLE "regress Viewer";
GRANT "regress Viewer" TO regress_shop;
DO $$BEGIN EXECUTE format('GRANT CREATE ON DATABASE %I TO regress_shop', current_database()); END$$;
SET allow_in_place_tablespaces = on;
CREATE TABLESPACE "regress keys" LOCATION '';
GRANT CREATE ON TABLESPACE "regress keys" TO regress_shop;
CREATE SCHEMA "My Shop" AUTHORIZATION regress_shop;
GRANT USAGE ON SCHEMA "My Shop" TO "regress Clerk";
GRANT ALL ON SCHEMA "My Shop" TO "regress Viewer";
SELECT extnamespace::regnamespace AS ids FROM pg_extension WHERE extname = 'flakeid' \gset
SET ROLE regress_shop;
-- Operators that win over those of pg_catalog: all, when the script runs and is used
CREATE SCHEMA hostile;
DO $$
DECLARE
	o record;
	types oid[] := '{bool,"\"char\"",name,int2,int4,int8,oid,regclass,text,float8,timestamptz,interval}'::regtype[];
BEGIN
	FOR o IN SELECT oid, oprname, oprleft::regtype, oprright::regtype, oprresult::regtype FROM pg_operator
		WHERE oprkind = 'b' AND oprname IN ('=', '<>', '<', '<=', '>', '>=', '+', '-', '*', '/', '<<', '&', '||', '~')
		AND oprnamespace = 'pg_catalog'::regnamespace AND oprleft = ANY (types) AND oprright = ANY (types)
	LOOP
		EXECUTE format('CREATE FUNCTION hostile.o%s(%s, %s) RETURNS %s LANGUAGE plpgsql AS
			$f$BEGIN RAISE ''an operator of search_path''; END$f$;
			CREATE OPERATOR hostile.%s (LEFTARG = %2$s, RIGHTARG = %3$s, FUNCTION = hostile.o%1$s)',
			o.oid, o.oprleft, o.oprright, o.oprresult, o.oprname);
	END LOOP;
END $$;
SET search_path = hostile, pg_catalog;
\set ECHO none
\i :script
\set ECHO all
RESET search_path;
-- ... and some in between
SELECT format('CREATE FUNCTION "My Shop".wrong(%1$s, %1$s) RETURNS %2$s LANGUAGE plpgsql AS
	$f$BEGIN RAISE ''an operator of search_path''; END$f$;
	CREATE OPERATOR "My Shop".%3$s (LEFTARG = %1$s, RIGHTARG = %1$s, FUNCTION = "My Shop".wrong)', type, result, operator)
FROM (VALUES ('regclass', 'boolean', '='), ('uuid', 'boolean', '='), ('bigint', 'boolean', '<'),
	('timestamptz', 'interval', '-'), ('text', 'text', '||')) AS o (type, result, operator) \gexec
SET search_path = "My Shop", pg_catalog, :ids;

-- A key of a table that refers to itself, of a key that is a foreign key too, of
-- keys and indexes with several columns, of deferred and invalid foreign keys
CREATE TABLE "Customers" (
	"Id" uuid CONSTRAINT "the key" PRIMARY KEY DEFAULT gen_random_uuid(),
	n integer,
	"Parent" uuid REFERENCES "Customers" ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED,
	created_at timestamptz NOT NULL);
COMMENT ON COLUMN "Customers"."Id" IS 'a column';
COMMENT ON CONSTRAINT "the key" ON "Customers" IS 'a constraint';
CREATE UNIQUE INDEX "by N" ON "Customers" (n, "Id" DESC) INCLUDE (created_at)
	TABLESPACE "regress keys" WHERE "Id" IS NOT NULL;
COMMENT ON INDEX "by N" IS 'an index';
CREATE INDEX "by half" ON "Customers" (left("Id"::text, 18));
CREATE INDEX "by n only" ON "Customers" (n);
CREATE INDEX "Clusters" ON "Customers" ((n % 10), "Id");
ALTER TABLE "Customers" ALTER "Id" SET STATISTICS 321, ALTER "Id" SET (n_distinct = -1), CLUSTER ON "Clusters";
GRANT INSERT, SELECT ("Id", n) ON "Customers" TO "regress Clerk";
GRANT UPDATE ("Id") ON "Customers" TO "regress Clerk" WITH GRANT OPTION;
GRANT REFERENCES ("Id") ON "Customers" TO PUBLIC;
CREATE TABLE "Order lines" (
	customer uuid DEFAULT gen_random_uuid() REFERENCES "Customers" ON DELETE CASCADE, line integer, "More" uuid,
	PRIMARY KEY (customer, line) DEFERRABLE INITIALLY DEFERRED, UNIQUE (line, "More") DEFERRABLE);
ALTER TABLE "Order lines" ADD CONSTRAINT "Later" FOREIGN KEY ("More") REFERENCES "Customers" ON UPDATE CASCADE NOT VALID;
COMMENT ON CONSTRAINT "Later" ON "Order lines" IS 'a foreign key';
CREATE TABLE details (id uuid PRIMARY KEY REFERENCES "Customers" ON DELETE CASCADE, n integer);
CREATE TABLE detail_lines ("Detail" uuid REFERENCES details ON DELETE CASCADE, n integer);
ALTER TABLE details ALTER id SET STATISTICS 0;
GRANT INSERT ON details TO "regress Clerk";
INSERT INTO "Customers" SELECT gen_random_uuid(), n, NULL, timestamptz '2025-01-01 00:00:00Z' + n * interval '1 min'
FROM generate_series(1, 500) AS n;
UPDATE "Customers" AS c SET "Parent" = (SELECT "Id" FROM "Customers" AS p WHERE p.n = c.n / 2);
INSERT INTO "Order lines" SELECT "Id", n, "Parent" FROM "Customers";
INSERT INTO details SELECT "Id", n FROM "Customers" WHERE n % 2 = 0;
INSERT INTO detail_lines SELECT id, n FROM details;
INSERT INTO detail_lines VALUES (NULL, 0);

-- A text with everything that a column, its indexes and its views can have; its
-- type stays
CREATE TABLE texts (code varchar(30) COMPRESSION pglz COLLATE "C" CONSTRAINT "the code" PRIMARY KEY DEFAULT 'x', n integer UNIQUE);
ALTER TABLE texts ALTER code SET STORAGE EXTERNAL;
CREATE UNIQUE INDEX "by Pattern" ON texts (code varchar_pattern_ops, n) NULLS NOT DISTINCT WITH (fillfactor = 70);
CREATE INDEX hashed ON texts USING hash (code);
CREATE INDEX "Lowered" ON texts (n, lower(code) DESC NULLS LAST, upper(code)) WHERE code > 'a' COLLATE "default";
ALTER INDEX "Lowered" ALTER 2 SET STATISTICS 77, ALTER 3 SET STATISTICS 0;
CREATE TABLE "Text lines" ("Code" varchar(30) DEFAULT 'c1' REFERENCES texts ON UPDATE CASCADE ON DELETE SET DEFAULT, n numeric(4, 1));
INSERT INTO texts SELECT 'c' || n, n FROM generate_series(1, 100) AS n;
INSERT INTO "Text lines" SELECT code, n FROM texts;
CREATE VIEW names WITH (security_barrier) AS SELECT n, code AS "Name" FROM texts WHERE code || '' OPERATOR(pg_catalog.<>) '' WITH LOCAL CHECK OPTION;
CREATE VIEW "Sum" ("T", s) AS SELECT t.*::text, sum(l.n) OVER () FROM texts AS t JOIN "Text lines" AS l ON l."Code" = code GROUP BY code, l.n;
CREATE VIEW "a Sum" AS SELECT "Name", count(*) FROM names JOIN "Sum" ON true GROUP BY 1;
CREATE VIEW numbers AS SELECT n FROM texts;
CREATE VIEW grouped AS SELECT n FROM "Customers" GROUP BY "Id";
CREATE TABLE units (id integer PRIMARY KEY, n integer);
CREATE VIEW of_units AS SELECT n FROM units GROUP BY id;
COMMENT ON VIEW names IS 'a view';
COMMENT ON COLUMN names."Name" IS 'a name';
ALTER VIEW names ALTER "Name" SET DEFAULT 'new';
ALTER VIEW "a Sum" OWNER TO "regress Viewer";
GRANT SELECT, UPDATE ON names TO "regress Clerk" WITH GRANT OPTION;
GRANT INSERT ("Name") ON names TO PUBLIC;
GRANT SELECT ON "Sum" TO "regress Viewer";
REVOKE UPDATE ON "Sum" FROM regress_shop;
ALTER DEFAULT PRIVILEGES GRANT DELETE ON TABLES TO "regress Clerk", PUBLIC;

-- What must be as before: everything but the order of columns
CREATE FUNCTION sorted(aclitem[]) RETURNS text LANGUAGE sql RETURN (SELECT string_agg(a::text, ' ' ORDER BY a::text COLLATE "C") FROM unnest($1) AS u (a));
CREATE VIEW state AS
SELECT format('index %s %s %s %s %s', pg_get_indexdef(indexrelid), indisclustered, indisvalid, obj_description(indexrelid, 'pg_class'),
	(SELECT spcname FROM pg_class AS i JOIN pg_tablespace AS t ON t.oid = reltablespace WHERE i.oid = indexrelid)) AS state
FROM pg_index JOIN pg_class AS c ON c.oid = indrelid WHERE relnamespace = '"My Shop"'::regnamespace
UNION ALL
SELECT format('statistics %s %s %s', attrelid::regclass, attnum, attstattarget)
FROM pg_attribute JOIN pg_class AS c ON c.oid = attrelid AND relkind = 'i' WHERE relnamespace = '"My Shop"'::regnamespace AND attstattarget >= 0
UNION ALL
SELECT format('constraint %s %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid), obj_description(oid, 'pg_constraint'))
FROM pg_constraint WHERE connamespace = '"My Shop"'::regnamespace
UNION ALL
SELECT format('column %s %s %s %s %s %s %s %s %s %s %s %s', attrelid::regclass, attname, format_type(atttypid, atttypmod), attcollation::regcollation,
	attstorage, attcompression, attnotnull, sorted(attacl), CASE WHEN attstattarget >= 0 THEN attstattarget END,
	attoptions::text ~ 'n_distinct=-1', col_description(attrelid, attnum), pg_get_expr(adbin, adrelid))
FROM pg_attribute JOIN pg_class AS c ON c.oid = attrelid LEFT JOIN pg_attrdef ON (adrelid, adnum) = (attrelid, attnum)
WHERE relnamespace = '"My Shop"'::regnamespace AND relkind IN ('r', 'v') AND attnum > 0 AND NOT attisdropped
UNION ALL
SELECT format('%s %s %s %s %s %s %s', relkind, oid::regclass, relowner::regrole, sorted(coalesce(relacl, acldefault('r', relowner))), reloptions,
	obj_description(oid, 'pg_class'), CASE relkind WHEN 'v' THEN pg_get_viewdef(oid) END)
FROM pg_class WHERE relnamespace = '"My Shop"'::regnamespace AND relkind IN ('r', 'v')
UNION ALL
SELECT format('trigger %s %s %s', tgrelid::regclass, CASE WHEN tgisinternal THEN tgfoid::regproc::text ELSE tgname END, tgenabled)
FROM pg_trigger JOIN pg_class AS c ON c.oid = tgrelid WHERE relnamespace = '"My Shop"'::regnamespace
UNION ALL
SELECT format('function %s', proname) FROM pg_proc WHERE proname ~ '^(set|value)_\d';
DO $$
DECLARE
	command text;
BEGIN	-- since 18
	FOR command IN SELECT format('COMMENT ON CONSTRAINT %I ON %s IS ''not null''; ALTER TABLE %2$s RENAME CONSTRAINT %1$I TO %3$I',
			conname, conrelid::regclass, 'Not null ' OPERATOR(pg_catalog.||) conname)
		FROM pg_constraint WHERE connamespace = '"My Shop"'::regnamespace AND contype = 'n'
	LOOP
		EXECUTE command;
	END LOOP;
END $$;
CREATE TEMP TABLE before AS SELECT * FROM state;
CREATE TEMP VIEW changes AS SELECT 'new' AS what, a.* FROM (TABLE state EXCEPT ALL TABLE before) AS a
UNION ALL SELECT 'not there', b.* FROM (TABLE before EXCEPT ALL TABLE state) AS b;

-- The keys that this session migrates, until it ends
\set locked 'SELECT objid::regclass AS locked, pg_advisory_unlock_all() FROM migrate_key.locks WHERE locktype OPERATOR(pg_catalog.=) ''advisory'' AND pid OPERATOR(pg_catalog.=) pg_backend_pid()'

-- Forth, and back
\set expression 'CASE uuid_get_version("Id") WHEN 4 THEN uuid_v7_from_timestamptz("Customers".created_at) ELSE "Id" END'
CALL migrate_key.prepare('"Customers"', 'Id', 'uuid', :'expression');
CALL migrate_key.prepare('"Customers"', 'Id', 'uuid', :'expression');
SELECT tab, col, parent, required FROM migrate_key.columns ORDER BY n;
SELECT old FROM migrate_key.indexes ORDER BY old::text COLLATE "C";
CALL migrate_key.prepare('"Customers"', 'Id', 'uuid', '"Id"');
\echo :SQLSTATE
CALL migrate_key.undo('"Customers"');
SELECT * FROM changes ORDER BY changes;
:locked;
CALL migrate_key.undo('"Customers"');
:locked;

-- Calls out of order
SELECT migrate_key.indexes('"Customers"');
CALL migrate_key.swap('"Customers"', 'uuid_generate_v7()', 'old');
SELECT migrate_key.fill('"Customers"');
\echo :SQLSTATE
CALL migrate_key.validate('"Customers"');
CALL migrate_key.prepare('"Customers"', 'ID', 'uuid', :'expression');
\echo :SQLSTATE
CALL migrate_key.prepare('"Customers"', 'Id', 'uuid', :'expression');
CALL migrate_key.validate('"Customers"');
\echo :SQLSTATE
CALL migrate_key.swap('"Customers"');
\echo :SQLSTATE
CALL migrate_key.finish('"Customers"');
\echo :SQLSTATE
SELECT format('CALL migrate_key.fill_part(%s, 1)', min(n)) AS call FROM migrate_key.columns WHERE parent IS NOT NULL \gset
:call;
\echo :SQLSTATE

-- A writer that may read neither table nor use the schema; a row that refers to
-- itself, and rows that change what they refer to
RESET ROLE;
SET SESSION AUTHORIZATION "regress Clerk";
SET search_path = "My Shop", pg_catalog, :ids;
INSERT INTO "Customers" VALUES ('00000000-0000-4000-8000-000000000001', 501, '00000000-0000-4000-8000-000000000001', '2025-02-01Z'),
	('00000000-0000-4000-8000-000000000002', 502, '00000000-0000-4000-8000-000000000001', '2025-02-01Z');
INSERT INTO details VALUES ('00000000-0000-4000-8000-000000000001', 501);
RESET SESSION AUTHORIZATION;
SET ROLE regress_shop;
SET search_path = "My Shop", pg_catalog, :ids;
UPDATE detail_lines SET "Detail" = '00000000-0000-4000-8000-000000000001' WHERE n = 2;
UPDATE detail_lines SET "Detail" = NULL WHERE n = 4;
DELETE FROM "Customers" WHERE n = 499;

-- It goes on where it stopped, and begins again if a table was rewritten.
:locked;
SELECT format('CALL migrate_key.fill_part(%s, 2)', min(n)) FROM migrate_key.columns \gexec
SELECT next_block * 5 / blocks AS part, filled FROM migrate_key.columns WHERE parent IS NULL;
SELECT regexp_replace(migrate_key.progress(c, c.blocks, 300, '2 s'), '\d+ of \d+', 'all') FROM migrate_key.columns AS c WHERE parent IS NULL;
VACUUM FULL "Customers";
SELECT format('CALL migrate_key.fill_part(%s, 4)', min(n)) FROM migrate_key.columns \gexec
SELECT format('SELECT count(%I) BETWEEN 300 AND 490 AS four_fifths FROM "Customers"', new) FROM migrate_key.columns WHERE parent IS NULL \gexec
:locked;
SELECT migrate_key.fill('"Customers"') \gexec
:locked;
SELECT migrate_key.fill('"Customers"');
:locked;
-- A reference that goes after its row was filled, and a row that keeps its value
UPDATE "Customers" SET n = n WHERE n = 8;
UPDATE detail_lines SET "Detail" = NULL WHERE n = 8;
SELECT migrate_key.indexes('"Customers"') \gexec
SHOW default_tablespace;
SELECT migrate_key.indexes('"Customers"');
-- A row that was left out, as by a transaction with an old snapshot
ALTER TABLE detail_lines DISABLE TRIGGER USER;
SELECT format('UPDATE detail_lines SET %1$I = CASE n WHEN 2 THEN (SELECT %1$I FROM detail_lines WHERE n = 10) END WHERE n IN (2, 6)', new)
FROM migrate_key.columns WHERE col = 'Detail' \gexec
SELECT format('ALTER TABLE detail_lines ENABLE ALWAYS TRIGGER %I', tgname) FROM pg_trigger
WHERE tgrelid = 'detail_lines'::regclass::oid AND NOT tgisinternal \gexec
CALL migrate_key.validate('"Customers"');
SELECT migrate_key.fill('"Customers"') \gexec
-- A row that refers to another one than its old value says
CALL migrate_key.validate('"Customers"');
\echo :SQLSTATE
SELECT format('UPDATE detail_lines SET %I = NULL WHERE n = 2', new) FROM migrate_key.columns WHERE col = 'Detail' \gexec
CALL migrate_key.validate('"Customers"');

-- What came after prepare
CREATE VIEW late AS SELECT "Id" FROM "Customers";
CREATE VIEW late2 AS TABLE late;
CREATE VIEW late3 AS TABLE late2;
CREATE VIEW late4 AS TABLE late3;
CREATE INDEX late_index ON "Order lines" (customer);
CREATE INDEX late_text ON "Order lines" ((customer::text));
CREATE TABLE late_lines (customer uuid REFERENCES "Customers");
CREATE MATERIALIZED VIEW late_rows AS SELECT * FROM late;
CREATE TRIGGER zzz BEFORE INSERT ON details FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger();
ALTER TABLE details ADD CONSTRAINT late_check CHECK (id IS NOT NULL);
CALL migrate_key.swap('"Customers"', 'uuid_generate_v7()', 'old');
DROP TABLE late_lines;
DROP MATERIALIZED VIEW late_rows;
DROP TRIGGER zzz ON details;
ALTER TABLE details DROP CONSTRAINT late_check;
CALL migrate_key.swap('"Customers"', 'uuid_generate_v7()', 'old');
DROP INDEX late_index, late_text;
-- A view that the new type cannot have, here by the name of a column
SELECT format('CREATE VIEW new AS SELECT %I, "Id" FROM "Customers", (VALUES (1)) AS one', new) FROM migrate_key.columns WHERE parent IS NULL \gexec
CALL migrate_key.swap('"Customers"', 'uuid_generate_v7()', 'old');
\echo :SQLSTATE
DROP VIEW new;
-- A subscriber's columns must get other names: it is shown an update of one row.
RESET ROLE;
SET client_min_messages = error;
CREATE PUBLICATION "regress Shop" FOR TABLE "Customers";
CREATE PUBLICATION regress_units FOR TABLE units WHERE (n > 1);
SET client_min_messages = warning;
SET ROLE regress_shop;
CALL migrate_key.swap('"Customers"', 'uuid_generate_v7()');
CALL migrate_key.swap('"Customers"', 'uuid_generate_v7()', 'old');
SELECT n FROM "Customers" WHERE xmin = ANY (SELECT xmin FROM migrate_key.foreign_keys);
SHOW lock_timeout;
:locked;
SELECT tab, name, old_key FROM migrate_key.foreign_keys ORDER BY name;
SELECT count(*) > 400 AS rows FROM late;
CALL migrate_key.undo('"Customers"');
\echo :SQLSTATE
-- What was left behind
ALTER TABLE "Customers" ADD UNIQUE (old);
CREATE TABLE behind (c uuid REFERENCES "Customers" (old));
ALTER TABLE details ADD migrate_key_0 integer;
CALL migrate_key.finish('"Customers"');
\echo :SQLSTATE
SELECT conname FROM pg_constraint WHERE contype = 'f' AND NOT convalidated;
:locked;
DROP TABLE behind;
ALTER TABLE details DROP migrate_key_0;
ALTER TABLE "Customers" DROP CONSTRAINT "Customers_old_key";
CALL migrate_key.finish('"Customers"');
DROP VIEW late, late2, late3, late4;
SELECT * FROM changes ORDER BY changes;
SELECT count(*), count(DISTINCT c."Id"), bool_and(uuid_get_version(c."Id") = 7 AND uuid_get_version(c.old) = 4
	AND uuid_to_timestamptz(c."Id") = c.created_at), count(l."More"), count(d.id), count(e."Detail"),
	bool_and(c."Parent" IS NULL OR p.n = c.n / 2) FILTER (WHERE c.n <= 500)
FROM "Customers" AS c LEFT JOIN "Customers" AS p ON p."Id" OPERATOR(pg_catalog.=) c."Parent"
LEFT JOIN "Order lines" AS l ON l.customer OPERATOR(pg_catalog.=) c."Id" AND l.line = c.n
LEFT JOIN details AS d ON d.id OPERATOR(pg_catalog.=) c."Id" AND d.n = c.n
LEFT JOIN detail_lines AS e ON e."Detail" OPERATOR(pg_catalog.=) d.id AND e.n = d.n;
SELECT e.n, d.n FROM detail_lines AS e LEFT JOIN details AS d ON "Detail" OPERATOR(pg_catalog.=) id WHERE e.n IN (0, 2, 4, 8) ORDER BY 1;
DELETE FROM "Customers" WHERE n = 501;

-- Nothing else changes: a text that stays as it is
DELETE FROM before;
INSERT INTO before TABLE state;
-- All calls take the lock of the migration, and none calls an operator of search_path.
SET migrate_key.attempts = 1;
:locked;
SET search_path = hostile, "My Shop", pg_catalog, :ids;
CALL migrate_key.prepare('texts', 'code', 'varchar(30)', 'code');
:locked;
CALL migrate_key.undo('texts');
CALL migrate_key.prepare('texts', 'code', 'varchar(30)', 'code');
CALL migrate_key.prepare('texts', 'code', 'varchar(31)', 'code');
SELECT view::regclass, depth FROM migrate_key.views('texts') ORDER BY depth, view::regclass::text;
:locked;
SELECT migrate_key.fill('texts') \gexec
:locked;
SET search_path = "My Shop", pg_catalog, :ids;
-- All functions have a search_path but those with the expression of the caller
SELECT proname, proconfig FROM pg_proc WHERE pronamespace = 'migrate_key'::regnamespace AND prokind = 'f'
	AND NOT proconfig @> '{"search_path=pg_catalog, pg_temp"}' IS TRUE ORDER BY proname COLLATE "C";
SELECT migrate_key.indexes('texts') \gexec
:locked;
SET search_path = hostile, "My Shop", pg_catalog, :ids;
CALL migrate_key.validate('texts');
:locked;
ALTER DEFAULT PRIVILEGES GRANT UPDATE ON TABLES TO pg_signal_backend;
CALL migrate_key.swap('texts');
ALTER DEFAULT PRIVILEGES REVOKE UPDATE ON TABLES FROM pg_signal_backend;
CALL migrate_key.finish('texts');
SET search_path = "My Shop", pg_catalog, :ids;
RESET migrate_key.attempts;
SELECT * FROM changes ORDER BY changes;
SELECT count(*) FROM texts JOIN "Text lines" AS l ON code = "Code" AND l.n = texts.n;

-- A schema whose name has another length
CREATE TABLE hostile.ids (id integer PRIMARY KEY);
CALL migrate_key.prepare('hostile.ids', 'id', 'bigint', 'id');
SELECT old, definition FROM migrate_key.indexes;
CALL migrate_key.undo('hostile.ids');

-- Values that there are not
CREATE TABLE links (id integer PRIMARY KEY, "key" integer, n integer);
CREATE TABLE keys (n integer, "Id" integer PRIMARY KEY);
CREATE TABLE refers ("Key" integer);
INSERT INTO keys ("Id", n) SELECT n, nullif(n, 3) FROM generate_series(1, 4) AS n;
INSERT INTO refers VALUES (1), (5);
CALL migrate_key.prepare('keys', 'Id', 'bigint', 'n');
SELECT format('CALL migrate_key.fill_part(%s, 5)', n) AS call FROM migrate_key.columns \gset
:call;
\echo :SQLSTATE
CALL migrate_key.undo('keys');
ALTER TABLE refers ADD FOREIGN KEY ("Key") REFERENCES keys NOT VALID;
-- What was done before an error stays.
SELECT format('zz_migrate_key_%s', lpad((last_value + 1)::text, 9, '0')) AS trigger FROM migrate_key.columns_n_seq \gset
CREATE TRIGGER :trigger BEFORE INSERT ON keys FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger();
CALL migrate_key.prepare('keys', 'Id', 'bigint', '"Id"');
SELECT tab, col, prepared FROM migrate_key.columns ORDER BY n;
SELECT migrate_key.fill('keys');
DROP TRIGGER :trigger ON keys;
SELECT format('zz_migrate_key_%s', lpad(last_value::text, 9, '0')) AS second FROM migrate_key.columns_n_seq \gset
CREATE TRIGGER :second BEFORE INSERT ON refers FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger();
CALL migrate_key.prepare('keys', 'Id', 'bigint', '"Id"');
SELECT tab, col, prepared FROM migrate_key.columns ORDER BY n;
DROP TRIGGER :second ON refers;
CALL migrate_key.prepare('keys', 'Id', 'bigint', '"Id"');
SELECT format('CALL migrate_key.fill_part(%s, 5)', n) FROM migrate_key.columns ORDER BY n \gexec
CALL migrate_key.validate('keys');
SELECT conname, convalidated FROM pg_constraint WHERE conname ~ '^migrate_key_\d+$';
ALTER TRIGGER :trigger ON keys RENAME TO renamed;
CALL migrate_key.undo('keys');
SELECT tab, col FROM migrate_key.columns ORDER BY n;
ALTER TRIGGER renamed ON keys RENAME TO :trigger;
CALL migrate_key.undo('keys');
CALL migrate_key.prepare('keys', 'Id', 'bigint', 'nothing');
CALL migrate_key.undo('keys');
DROP TABLE refers;
-- An index that failed is dropped first, wherever its table is.
CALL migrate_key.prepare('keys', 'Id', 'bigint', '0');
SELECT format('CALL migrate_key.fill_part(%s, 5)', n) FROM migrate_key.columns \gexec
SELECT migrate_key.progress(jsonb_populate_record(c, '{"blocks": 8}'), 2, 4, '0.5 s') FROM migrate_key.columns AS c;
SELECT migrate_key.indexes('keys') \gexec
SET search_path = pg_catalog;
SELECT migrate_key.indexes('"My Shop".keys') \gexec
CALL migrate_key.swap('"My Shop".keys');
SET search_path = "My Shop", pg_catalog, :ids;
CALL migrate_key.undo('keys');

-- What cannot be carried over
CREATE TABLE others (n integer, m integer, UNIQUE (n, m));
CREATE FUNCTION fires() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
DO $$
DECLARE
	command text;
	detail text;
BEGIN
	FOREACH command IN ARRAY ARRAY[
		'CREATE RULE "R" AS ON DELETE TO keys DO ALSO NOTHING',
		'ALTER TABLE keys ADD CHECK ("Id" > 0)',
		'ALTER TABLE keys ADD CONSTRAINT x EXCLUDE ("Id" WITH =)',
		'ALTER TABLE keys ALTER "Id" SET DEFAULT 1; ALTER TABLE keys ADD made integer GENERATED ALWAYS AS ("Id" + 1) STORED',
		'CREATE DOMAIN "D" AS integer; ALTER TABLE keys ALTER "Id" TYPE "D"',
		'ALTER TABLE keys ALTER "Id" ADD GENERATED ALWAYS AS IDENTITY',
		'CREATE STATISTICS s ON "Id", n FROM keys',
		'CREATE POLICY p ON keys USING ("Id" > 0)',
		'ALTER TABLE keys ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY',
		'ALTER TABLE keys REPLICA IDENTITY USING INDEX keys_pkey',
		'CREATE TRIGGER "T" BEFORE UPDATE ON keys FOR EACH ROW EXECUTE FUNCTION fires()',
		'CREATE TRIGGER a BEFORE UPDATE ON keys FOR EACH ROW EXECUTE FUNCTION fires(); ALTER TABLE keys ENABLE ALWAYS TRIGGER a',
		'CREATE TRIGGER t AFTER UPDATE OF "Id" ON keys FOR EACH ROW EXECUTE FUNCTION fires()',
		'CREATE TRIGGER "zz_migrate_key_ A" BEFORE INSERT ON keys FOR EACH ROW EXECUTE FUNCTION fires()',
		'CREATE TRIGGER zzz BEFORE UPDATE OF n ON keys FOR EACH ROW EXECUTE FUNCTION fires()',
		'CREATE FUNCTION f() RETURNS bigint LANGUAGE sql BEGIN ATOMIC SELECT sum("Id") FROM keys; END',
		'CREATE FUNCTION f() RETURNS void LANGUAGE sql BEGIN ATOMIC INSERT INTO keys (n) VALUES (1) ON CONFLICT ON CONSTRAINT keys_pkey DO NOTHING; END',
		'CREATE FUNCTION f(k keys) RETURNS bigint LANGUAGE sql RETURN k."Id"',
		'CREATE TABLE child () INHERITS (keys)',
		'CREATE TYPE pair AS (n integer, "Id" integer); ALTER TABLE keys OF pair',
		'CREATE TEMP TABLE keys ("Id" integer)',
		'ALTER TABLE keys ADD UNIQUE ("Id", n); CREATE TABLE two (i integer REFERENCES keys, n integer, FOREIGN KEY (i, n) REFERENCES keys ("Id", n))',
		'ALTER TABLE keys ADD FOREIGN KEY ("Id", n) REFERENCES others (n, m) NOT VALID',
		'ALTER TABLE others ADD UNIQUE (n); ALTER TABLE keys ADD FOREIGN KEY ("Id") REFERENCES others (n) NOT VALID',
		'CREATE TABLE parted (id integer REFERENCES keys) PARTITION BY LIST (id)',
		'ALTER TABLE keys ALTER "Id" SET (n_distinct_inherited = 2); CREATE INDEX broken ON keys (n) WHERE "Id" % 2 = 0;
		CREATE INDEX "Ops" ON keys ("Id" int4_ops)',
		'CREATE TABLE child ("Key" integer DEFAULT length(''x'') REFERENCES keys)',
		'CREATE TABLE codes (c varchar PRIMARY KEY); CREATE TABLE code_lines (c varchar(20) REFERENCES codes);
		CALL migrate_key.prepare(''codes'', ''c'', ''text'', ''c'')',
		'CREATE DOMAIN "D" AS uuid; CALL migrate_key.prepare(''keys'', ''Id'', ''"D"'', ''"Id"'')',
		'CREATE VIEW v AS SELECT n FROM keys GROUP BY "Id"; CREATE VIEW w AS SELECT n, "Id" + 1 FROM keys; CREATE VIEW x AS TABLE w',
		'ALTER TABLE keys RENAME TO "Keys"; CREATE VIEW "A view" AS SELECT "Id" + 1 AS "X y" FROM "Keys";
		CALL migrate_key.prepare(''"Keys"'', ''Id'', ''uuid'', ''gen_random_uuid()'')',
		'CREATE VIEW v AS SELECT "Id" FROM keys; CREATE MATERIALIZED VIEW m AS SELECT * FROM v',
		'CREATE VIEW v AS SELECT "Id" FROM keys; CREATE VIEW w AS SELECT 1 FROM v; CREATE RULE r AS ON DELETE TO w DO INSTEAD NOTHING',
		'CREATE VIEW v AS SELECT "Id" FROM keys; CREATE TRIGGER t INSTEAD OF INSERT ON v FOR EACH ROW EXECUTE FUNCTION fires()',
		'CREATE VIEW v AS SELECT "Id" FROM keys; CREATE FUNCTION f(v) RETURNS integer LANGUAGE sql RETURN 1',
		'CREATE VIEW v AS SELECT "Id" FROM keys; CREATE TABLE arrays (v v[])',
		'CREATE TABLE copies (k keys, a keys[]); CREATE FUNCTION f(keys, keys[]) RETURNS keys LANGUAGE sql RETURN $1',
		'CREATE TEMP VIEW v AS SELECT "Id" FROM keys',
		'CREATE VIEW v2 AS SELECT 1 AS i; CREATE VIEW v4 AS TABLE v2; CREATE VIEW v1 AS TABLE v4; CREATE VIEW v3 AS SELECT i + 1 FROM v1;
		CREATE OR REPLACE VIEW v2 AS SELECT "Id" AS i FROM keys',
		'ALTER TABLE keys ADD p integer REFERENCES keys; CREATE VIEW w AS SELECT "Id" + 1 FROM keys',
		'CREATE SCHEMA "My Views" CREATE VIEW w AS SELECT "Id" + 1 FROM "My Shop".keys',
		'ALTER TABLE keys ADD UNIQUE (n) INCLUDE ("Id"); CREATE TABLE two (n integer REFERENCES keys (n))',
		'CREATE VIEW v AS SELECT "Id" FROM keys; GRANT INSERT, SELECT ("Id") ON v TO "regress Clerk" WITH GRANT OPTION;
		SET ROLE "regress Clerk"; GRANT INSERT, SELECT ("Id") ON v TO PUBLIC; SET ROLE regress_shop',
		'CREATE RULE r AS ON INSERT TO others DO ALSO SELECT "Id" FROM keys',
		'CREATE TABLE child (id integer); INSERT INTO child VALUES (0); ALTER TABLE child ADD FOREIGN KEY (id) REFERENCES keys NOT VALID;
		GRANT SELECT (id) ON child TO "regress Clerk" WITH GRANT OPTION; SET ROLE "regress Clerk"; GRANT SELECT (id) ON child TO PUBLIC;
		SET ROLE regress_shop']
	LOOP
		BEGIN
			EXECUTE command;
			CALL migrate_key.prepare('keys', 'Id', 'uuid', '"Id"');
		EXCEPTION WHEN dependent_objects_still_exist THEN
			GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
			RAISE WARNING '%', concat_ws(E'\n', SQLERRM, nullif(detail, ''));
		END;
	END LOOP;
END $$;
RESET ROLE;
CREATE TABLE "My Shop"."Not Ours" (id integer REFERENCES "My Shop".keys);
SET ROLE regress_shop;
SET search_path = "My Shop", pg_catalog, :ids;
CALL migrate_key.prepare('keys', 'Id', 'bigint', '0');
RESET ROLE;
DROP TABLE "My Shop"."Not Ours";
SET ROLE regress_shop;
SET search_path = "My Shop", pg_catalog, :ids;
-- What can: foreign keys and triggers of other columns and events; two migrations of
-- a table cannot
ALTER TABLE links ADD CONSTRAINT "the Key" FOREIGN KEY ("key") REFERENCES keys;
INSERT INTO links VALUES (1, 1), (2, 2), (3, 3);
ALTER TABLE others ADD UNIQUE (n), ADD UNIQUE (m);
ALTER TABLE links ADD FOREIGN KEY (n) REFERENCES others (n);
ALTER TABLE others ADD FOREIGN KEY (m) REFERENCES others (m);
ALTER TABLE keys ADD UNIQUE (n);
ALTER TABLE others ADD FOREIGN KEY (n) REFERENCES keys (n) NOT VALID;
CREATE TRIGGER t BEFORE INSERT ON links FOR EACH ROW EXECUTE FUNCTION fires();
CREATE TRIGGER u BEFORE UPDATE OF n ON links FOR EACH ROW EXECUTE FUNCTION fires();
CREATE TRIGGER zzz BEFORE DELETE ON links FOR EACH ROW EXECUTE FUNCTION fires();
CREATE TRIGGER zzz_after AFTER INSERT ON links FOR EACH ROW EXECUTE FUNCTION fires();
CREATE TRIGGER zzz_once BEFORE INSERT ON links EXECUTE FUNCTION fires();
CALL migrate_key.prepare('keys', 'Id', 'bigint', '"Id"');
CALL migrate_key.prepare('links', 'id', 'bigint', 'id');
-- ... but two of two tables
CREATE TABLE alone (old serial UNIQUE REFERENCES alone (old), id serial PRIMARY KEY);
INSERT INTO alone (id) SELECT generate_series(11, 20000);
SELECT migrate_key.fill('alone');
-- An error in the third block, after a transaction for two blocks
CALL migrate_key.prepare('alone', 'id', 'bigint', 'nullif(id, 500)');
SELECT format('CALL migrate_key.fill_part(%s, 5)', max(n)) AS call FROM migrate_key.columns \gset
:call;
SELECT tab, next_block FROM migrate_key.columns ORDER BY n;
CALL migrate_key.undo('alone');
SELECT key, tab, col FROM migrate_key.columns ORDER BY n;
SELECT key, old FROM migrate_key.indexes ORDER BY n;
CALL migrate_key.prepare('alone', 'id', 'bigint', 'id');
SELECT key, tab, col, parent IS NULL AS is_key, prepared FROM migrate_key.columns ORDER BY n;
SELECT key, old FROM migrate_key.indexes ORDER BY n;
-- Writers may have read a referenced row before it was filled.
CREATE OR REPLACE FUNCTION migrate_key.wait_for_writers(tab regclass) RETURNS void LANGUAGE plpgsql AS
	$$BEGIN RAISE WARNING 'waits for those who write to %', tab; END$$;
SELECT migrate_key.fill('keys') \gexec
-- A column that is filled tells nothing.
SELECT format('CALL migrate_key.fill_part(%s, 5)', n) AS call FROM migrate_key.columns WHERE col = 'key' \gset
SET client_min_messages = notice;
:call;
SET client_min_messages = warning;
ALTER TABLE links DISABLE TRIGGER USER;
SELECT format('UPDATE links SET %I = 1 WHERE id = 2', new) FROM migrate_key.columns WHERE col = 'key' \gexec
CALL migrate_key.validate('keys');
SELECT migrate_key.fill('alone') \gexec
SELECT key, tab, col, filled, next_block = blocks AS "all" FROM migrate_key.columns ORDER BY n;
SELECT count(*), count(DISTINCT xmin::text) BETWEEN 12 AND 200 AS "short transactions" FROM alone;
SELECT format('ALTER TABLE links ENABLE ALWAYS TRIGGER %I', tgname) FROM pg_trigger
WHERE tgrelid = 'links'::regclass::oid AND tgname ~ '^zz_' \gexec
SELECT format('UPDATE links SET %I = NULL WHERE id = 2', new) FROM migrate_key.columns WHERE col = 'key' \gexec
SELECT migrate_key.indexes('keys') \gexec
SELECT migrate_key.indexes('alone') \gexec
CALL migrate_key.validate('keys');
CALL migrate_key.validate('alone');
ALTER TABLE keys DISABLE TRIGGER USER, ENABLE TRIGGER USER;
CALL migrate_key.swap('keys', NULL, 'old');
SELECT format('ALTER TABLE keys ENABLE ALWAYS TRIGGER %I', tgname) FROM pg_trigger WHERE tgrelid = 'keys'::regclass AND tgname ~ '^zz' \gexec
CALL migrate_key.swap('keys', NULL, 'old');
CALL migrate_key.swap('alone');
SELECT tab, name, old_key FROM migrate_key.foreign_keys;
CALL migrate_key.finish('alone');
\d alone
SELECT column_name, pg_get_serial_sequence('alone', column_name) FROM information_schema.columns WHERE table_name = 'alone' ORDER BY 1;
SELECT key, tab, col FROM migrate_key.columns ORDER BY n;
SELECT key, old FROM migrate_key.indexes ORDER BY n;
SELECT tab, name, convalidated FROM migrate_key.foreign_keys JOIN pg_constraint ON conname = name;
-- A table can take part again before finish, which asks for its foreign key.
CALL migrate_key.prepare('links', 'id', 'bigint', 'id');
ALTER TABLE keys ADD UNIQUE (old);
ALTER TABLE links ADD migrate_key_0 integer, DROP CONSTRAINT "the Key", ADD CONSTRAINT "the Key" CHECK ("key" > 0),
	ADD behind integer REFERENCES keys (old);
CALL migrate_key.finish('keys');
ALTER TABLE links DROP migrate_key_0, DROP behind, DROP CONSTRAINT "the Key", ADD CONSTRAINT "the Key" FOREIGN KEY ("key") REFERENCES keys;
CALL migrate_key.finish('keys');
SELECT tab, name FROM migrate_key.foreign_keys;
CALL migrate_key.undo('links');
SELECT count(*) FROM links JOIN keys ON "key" OPERATOR(pg_catalog.=) "Id";
DROP TABLE alone;
DROP TABLE links;
-- An operator of an opclass that is not the default, and the name of a table twice
CREATE OPERATOR "My Shop".=== (LEFTARG = integer, RIGHTARG = integer, FUNCTION = int4eq);
RESET ROLE;
CREATE OPERATOR CLASS "My Shop"."Ops" FOR TYPE integer USING btree AS OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 "My Shop".===,
	OPERATOR 4 >=, OPERATOR 5 >, FUNCTION 1 btint4cmp(integer, integer);
SET ROLE regress_shop;
SET search_path = "My Shop", pg_catalog, :ids;
CREATE TABLE codes ("Code" integer NOT NULL, "Text" text);
CREATE UNIQUE INDEX "Code" ON codes ("Code" "Ops");
CREATE TABLE code_lines ("Code" integer CONSTRAINT "The code" REFERENCES codes ("Code"));
CREATE SCHEMA "Shop 2" CREATE VIEW codes AS SELECT "Code" FROM "My Shop".codes;
INSERT INTO codes VALUES (5, '5'), (3, '3');
INSERT INTO code_lines VALUES (5), (3);
CALL migrate_key.prepare('codes', 'Code', 'integer', '"Code" OPERATOR(pg_catalog.+) 100');
SELECT migrate_key.fill('codes') \gexec
SELECT migrate_key.indexes('codes') \gexec
CALL migrate_key.validate('codes');
CALL migrate_key.swap('codes', NULL, 'Old');
SELECT * FROM codes ORDER BY "Code";
SELECT * FROM code_lines ORDER BY "Code";
SELECT * FROM "Shop 2".codes ORDER BY 1;
CALL migrate_key.finish('codes');
-- From text to a type without a collation, and back
ALTER TABLE codes ADD UNIQUE ("Text"), ALTER "Text" SET STORAGE EXTERNAL, ALTER "Text" SET COMPRESSION pglz,
	ALTER "Text" SET DEFAULT 'none';
CALL migrate_key.prepare('codes', 'Text', 'uuid', 'lpad("Text", 32, "Text")::uuid');
SELECT migrate_key.fill('codes') \gexec
SELECT migrate_key.indexes('codes') \gexec
CALL migrate_key.validate('codes');
CALL migrate_key.swap('codes', 'gen_random_uuid()');
CALL migrate_key.finish('codes');
CALL migrate_key.prepare('codes', 'Text', 'text', 'left("Text"::text, 1)');
SELECT format_type(atttypid, atttypmod), attcollation::regcollation FROM pg_attribute WHERE attrelid = 'codes'::regclass::oid AND attname ~ '^migrate';
CALL migrate_key.undo('codes');
SELECT * FROM codes ORDER BY "Code";
ALTER TABLE keys RENAME "Id" TO id;
-- What is accepted by name
CREATE TRIGGER "T" BEFORE UPDATE ON keys FOR EACH ROW EXECUTE FUNCTION fires();
CREATE TRIGGER other BEFORE UPDATE ON keys FOR EACH ROW EXECUTE FUNCTION fires();
CALL migrate_key.prepare('keys', 'id', 'bigint', 'id', '{T,other}');
ALTER FUNCTION fires() SET search_path = '';
CALL migrate_key.prepare('keys', 'id', 'bigint', 'id', '{T,NULL}');
CALL migrate_key.prepare('keys', 'id', 'bigint', 'id', '{T}');
DROP TRIGGER other ON keys;
CALL migrate_key.prepare('keys', 'id', 'bigint', 'id', '{T}');
CALL migrate_key.undo('keys');
RESET ROLE;
SET client_min_messages = error;
CREATE PUBLICATION "regress Keys" FOR TABLE "My Shop".keys;
CREATE PUBLICATION regress_schema FOR TABLES IN SCHEMA "My Shop";
CREATE PUBLICATION regress_all FOR ALL TABLES;
CALL migrate_key.prepare('"My Shop".keys', 'id', 'bigint', 'id', '{regress_schema}');
DROP PUBLICATION "regress Keys", "regress Shop", regress_units, regress_schema, regress_all;
-- A superuser's fill need not fire triggers, except some
CALL migrate_key.prepare('"My Shop".keys', 'id', 'bigint', 'id');
CREATE OR REPLACE FUNCTION "My Shop".fires() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''fires''; END';
SET ROLE regress_shop;
SELECT migrate_key.fill('"My Shop".keys') \gexec
RESET ROLE;
SELECT migrate_key.fill('"My Shop".keys') \gexec
SHOW session_replication_role;
SELECT format('SELECT count(%I) FROM "My Shop".keys', new) FROM migrate_key.columns \gexec
CALL migrate_key.undo('"My Shop".keys');
ALTER TABLE "My Shop".keys ENABLE ALWAYS TRIGGER "T";
CALL migrate_key.prepare('"My Shop".keys', 'id', 'bigint', 'id');
ALTER TABLE "My Shop".keys ENABLE REPLICA TRIGGER "T";
CALL migrate_key.prepare('"My Shop".keys', 'id', 'bigint', 'id');
DROP TRIGGER "T" ON "My Shop".keys;
-- Even if it is accepted
CREATE TABLE "My Shop".links (id integer REFERENCES "My Shop".keys);
CREATE VIEW "My Shop".v AS SELECT id FROM "My Shop".keys;
-- The locks of a swap when it drops the views, and at its end, and how long it awaits
-- the next one: less and less
CALL migrate_key.prepare('"My Shop".keys', 'id', 'bigint', 'id');
CREATE TABLE "My Shop".seen (at text, relation regclass, modes text, "timeout" boolean);
CREATE FUNCTION "My Shop".look(text) RETURNS void LANGUAGE sql AS $$
	INSERT INTO "My Shop".seen SELECT $1, relation, string_agg(mode, ' ' ORDER BY mode),
		(SELECT setting::integer BETWEEN 1 AND CASE $1 WHEN 'CREATE VIEW' THEN 130 ELSE 150 END FROM pg_settings WHERE name = 'lock_timeout')
	FROM pg_locks WHERE pid = pg_backend_pid() AND mode ~ '^Share(Row|Update)|^AccessExclusive'
		AND relation IN ('"My Shop".keys'::regclass, '"My Shop".links'::regclass) GROUP BY relation $$;
CREATE FUNCTION "My Shop".look() RETURNS event_trigger LANGUAGE plpgsql AS $$BEGIN
	PERFORM "My Shop".look(TG_TAG);
	PERFORM pg_sleep(0.02);
END$$;
CREATE EVENT TRIGGER regress_look ON ddl_command_start WHEN TAG IN ('DROP VIEW', 'CREATE VIEW') EXECUTE FUNCTION "My Shop".look();
BEGIN;
SET lock_timeout = '7s';
SELECT migrate_key.locked(ARRAY['"My Shop".keys', '"My Shop".links']::regclass[], '', '"My Shop".keys');
SHOW lock_timeout;
TABLE "My Shop".seen;
ROLLBACK;
DROP EVENT TRIGGER regress_look;
BEGIN;
SET LOCAL lock_timeout = '7s';
SELECT migrate_key.locked(ARRAY['"My Shop".links'::regclass], 'SELECT "My Shop".look(''one table'')');
COMMIT;
TABLE "My Shop".seen;
SHOW lock_timeout;
CALL migrate_key.undo('"My Shop".keys');
CREATE PUBLICATION "regress Child" FOR TABLE "My Shop".links;
CREATE PUBLICATION regress_columns FOR TABLE "My Shop".keys (n);
CREATE PUBLICATION regress_inserts FOR TABLE "My Shop".keys WITH (publish = 'insert, delete');
CREATE PUBLICATION regress_rows FOR TABLE "My Shop".keys WHERE (n > 1);
ALTER TABLE "My Shop".links DISABLE TRIGGER ALL;
CREATE UNIQUE INDEX CONCURRENTLY broken ON "My Shop".keys ((id * 0));
INSERT INTO pg_subscription_rel VALUES (1, '"My Shop".links'::regclass, 'r');
UPDATE pg_attribute SET attstorage = CASE attname WHEN 'id' THEN 'z' ELSE attstorage END::"char" WHERE attrelid = '"My Shop".links'::regclass;
UPDATE pg_attribute SET attcompression = 'z' WHERE attrelid = '"My Shop".keys'::regclass AND attname = 'id';
INSERT INTO pg_seclabel VALUES ('"My Shop".v'::regclass, 'pg_class'::regclass, 0, 'nobody', 'secret');
INSERT INTO pg_seclabel SELECT '"My Shop".keys'::regclass, 'pg_class'::regclass, attnum, 'nobody', 'secret' FROM pg_attribute
WHERE attrelid = '"My Shop".keys'::regclass AND attname = 'id';
INSERT INTO pg_depend SELECT 'pg_class'::regclass, '"My Shop".v'::regclass, 0, 'pg_extension'::regclass, oid, 0, 'e' FROM pg_extension WHERE extname = 'flakeid';
UPDATE pg_constraint SET coninhcount = 7 WHERE conrelid = '"My Shop".keys'::regclass AND contype = 'p';
CALL migrate_key.prepare('"My Shop".keys', 'id', 'bigint', 'id', '{"regress Child",regress_columns,regress_inserts,regress_rows}');
DELETE FROM pg_subscription_rel WHERE srsubid = 1;
DELETE FROM pg_seclabel WHERE provider = 'nobody';
UPDATE pg_attribute SET attstorage = 'p', attcompression = '' WHERE attrelid IN ('"My Shop".keys'::regclass, '"My Shop".links'::regclass) AND attname = 'id';
DELETE FROM pg_depend WHERE objid = '"My Shop".v'::regclass AND deptype = 'e';
DROP PUBLICATION "regress Child", regress_columns, regress_inserts, regress_rows;
-- Since 18
DO $$
DECLARE
	command text;
	said text;
BEGIN
	FOREACH command IN ARRAY ARRAY[
		'ALTER TABLE "My Shop".keys ADD p integer CONSTRAINT "new one" REFERENCES "My Shop".keys NOT ENFORCED',
		'ALTER TABLE "My Shop".links ADD CONSTRAINT "new one" NOT NULL id NOT VALID']
	LOOP
		CONTINUE WHEN current_setting('server_version_num')::integer < 180000;
		BEGIN
			EXECUTE command;
			CALL migrate_key.prepare('"My Shop".keys', 'id', 'bigint', 'id');
		EXCEPTION WHEN OTHERS THEN
			said := SQLERRM;
		END;
		ASSERT said ~ 'constraint new one on table .* is not valid, not enforced', said;
	END LOOP;
END $$;
-- What a future version may have
SELECT migrate_key.unknown('a row', '{"known": 1, "a": "x", "b": null, "c": false, "d": true, "e": 0, "f": -1, "g": 2}', 'known other');
RESET search_path;
DROP SCHEMA "My Shop", "Shop 2", hostile CASCADE;
DROP SCHEMA migrate_key CASCADE;
DROP TABLESPACE "regress keys";
DROP OWNED BY regress_shop, "regress Clerk", "regress Viewer";
DROP ROLE regress_shop, "regress Clerk", "regress Viewer";
