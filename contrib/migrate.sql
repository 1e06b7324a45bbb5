--
-- migrate.sql: give the key of a large table other values or another type, and
-- all columns that refer to it, while the tables stay in use
--
--	psql -v ON_ERROR_STOP=1 -f contrib/migrate.sql
--
-- creates the schema migrate_key.  Run it, and the calls below, in psql, as the
-- owner of the tables, outside of a transaction block.  A superuser is not
-- needed, but CREATE on the database is, and the triggers below run as you.
-- Requires PostgreSQL 15; does not need the extension flakeid.
--
--	CALL migrate_key.prepare('orders', 'id', 'uuid', 'uuid_v7_from_timestamptz(created_at)');
--	SELECT migrate_key.fill('orders') \gexec
--	SELECT migrate_key.indexes('orders') \gexec
--	CALL migrate_key.validate('orders');
--	CALL migrate_key.swap('orders', 'uuid_generate_v7()', 'old_id');
--	CALL migrate_key.finish('orders');
--
-- Each can be repeated: after an error, a cancel or a crash, run it again.
--
-- prepare(table, column, type, value, force)
--	finds all columns that refer to the key, directly or not, through foreign
--	keys.  It adds a column migrate_key_<n> beside each, and a trigger that
--	fills it in new and updated rows: for the key with the value, an expression
--	over the columns of the table, for the others with that of the row that they
--	refer to.
-- fill(table)
--	returns the calls that fill the columns in the old rows, table by table, and
--	VACUUM after each fifth of a table.  A transaction fills the rows of some
--	blocks, about 50 ms of work, and skips rows that others have locked until
--	they are free: so it never takes part in a deadlock.  Needs no index, and
--	goes on where it stopped.  A NOTICE shows the progress every ten seconds.
-- indexes(table)
--	returns CREATE INDEX CONCURRENTLY for each index that has one of the columns.
-- validate(table)
--	proves that no row was left out, without blocking writers.  If one was, by a
--	transaction with an old snapshot (REPEATABLE READ), run fill again.  From here
--	to the swap a row cannot be inserted before the one that it refers to, as
--	DEFERRABLE foreign keys allow.
-- swap(table, default, keep)
--	exchanges the columns in a single transaction, which reads no rows.  Without
--	a default, the new key has that of the old one.  The old key stays as the
--	column "keep", or is dropped.  BEGIN may come before it, for example to drop
--	views, and COMMIT after it, to create them again.
-- finish(table)
--	validates the foreign keys, and checks that none was left behind.
-- undo(table)
--	the way back until the swap: removes everything that the others added.  To
--	go back afterwards, migrate again, for example from a uuid with the value
--	'coalesce(old_id, nextval(''orders_id_seq''))'.
--
-- Locks that stop reads or writes are awaited for at most a quarter of a second,
-- and held for some milliseconds; if a transaction has the table for longer, the
-- call tries again, a hundred times (SET migrate_key.attempts = 1000).
--
-- The new column has the old one's NOT NULL, default, sequence, comment,
-- privileges, statistics target, indexes, constraints and foreign keys, with
-- their names; it has the collation of its type, and is the last one of its
-- table.  Old values in functions, dynamic SQL and other databases are yours to
-- change.  prepare and swap refuse what they cannot carry over, and name it:
-- foreign keys of several columns, identity columns, domains, partitions and
-- inheritance, generated columns, views, rules, policies, triggers of the
-- column, CHECK and EXCLUDE constraints, extended statistics, security labels, a
-- replica identity that is an index.  Drop it first, and create it again after
-- the swap.  A table takes part in one migration at a time.
--
-- "force" is for what only you can decide:
-- - Triggers of the table that fire for each row that fill updates.  If you may
--   set session_replication_role, they do not fire, unless they are ALWAYS.
-- - A publication with one of the tables: its subscribers need a column of the
--   same name, migrate_key_<n>, before the first row arrives.
--
BEGIN;
CREATE SCHEMA migrate_key;

-- A row per column, the referenced one before those that refer to it
CREATE TABLE migrate_key.columns (
	n integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	key regclass NOT NULL,		-- the table with the key
	tab regclass NOT NULL,
	col name NOT NULL,
	new name GENERATED ALWAYS AS ('migrate_key_' || n) STORED,
	type regtype NOT NULL,
	value text,					-- of the key
	parent integer REFERENCES migrate_key.columns,
	equal text,					-- the operator of the foreign key to the parent
	required boolean NOT NULL,	-- NOT NULL
	prepared boolean NOT NULL DEFAULT false,
	filenode oid,				-- when filling began
	blocks bigint,
	next_block bigint,			-- where filling goes on
	filled boolean NOT NULL DEFAULT false,
	UNIQUE (key, tab, col)
);

CREATE TABLE migrate_key.indexes (
	n integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	key regclass NOT NULL,
	tab regclass NOT NULL,
	old regclass NOT NULL,
	new name GENERATED ALWAYS AS ('migrate_key_index_' || n) STORED,
	space name,					-- its tablespace
	definition text NOT NULL	-- after the name of the table
);

-- Foreign keys that a swap added again, to be validated
CREATE TABLE migrate_key.foreign_keys (
	key regclass NOT NULL,
	tab regclass NOT NULL,
	name name NOT NULL,
	old_key name				-- the column that was kept
);

-- ------------------------------------------------------------------- locks

-- Another database can have tables with the same OIDs.
CREATE VIEW migrate_key.locks AS
SELECT * FROM pg_catalog.pg_locks WHERE database OPERATOR(pg_catalog.=) (SELECT oid FROM pg_catalog.pg_database
	WHERE datname OPERATOR(pg_catalog.=) pg_catalog.current_database());

-- Lock tables against DDL and VACUUM.  Nobody who reads or writes has to wait
-- behind this; autovacuum makes way.
CREATE FUNCTION migrate_key.hold(tables regclass[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET lock_timeout = '1min' AS $$
DECLARE
	t regclass;
BEGIN
	FOREACH t IN ARRAY tables LOOP
		EXECUTE format('LOCK TABLE ONLY %s IN SHARE UPDATE EXCLUSIVE MODE', t);
	END LOOP;
END $$;

-- Run statements that lock tables against reads and writes.
CREATE FUNCTION migrate_key.locked(tables regclass[], statements text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	usual text := current_setting('lock_timeout');
	until timestamptz;
	step record;
BEGIN
	PERFORM migrate_key.hold(tables);
	FOR attempt IN 1 .. coalesce(nullif(current_setting('migrate_key.attempts', true), ''), '100')::integer LOOP
		BEGIN
			until := clock_timestamp() + interval '250 ms';
			-- Stop writers of the referenced tables first, so that those of
			-- the referring ones can finish.
			FOR step IN
				SELECT t, 'SHARE ROW EXCLUSIVE' AS mode, n FROM unnest(tables) WITH ORDINALITY AS a (t, n)
				WHERE cardinality(tables) > 1
				UNION ALL
				SELECT t, 'ACCESS EXCLUSIVE', 10000 - n FROM unnest(tables) WITH ORDINALITY AS a (t, n)
				ORDER BY n
			LOOP
				PERFORM set_config('lock_timeout', greatest(1,
					1000 * extract(epoch FROM until - clock_timestamp()))::integer::text, true);
				EXECUTE format('LOCK TABLE ONLY %s IN %s MODE', step.t, step.mode);
			END LOOP;
			PERFORM set_config('lock_timeout', usual, true);
			EXECUTE statements;
			RETURN;
		EXCEPTION WHEN lock_not_available THEN
			NULL;
		END;
		PERFORM pg_sleep(0.1 + 0.2 * random());
	END LOOP;
	RAISE EXCEPTION USING ERRCODE = '55P03',
		MESSAGE = format('could not lock %s', array_to_string(tables, ', ')),
		DETAIL = format('Processes with locks: %s.', (SELECT string_agg(DISTINCT pid::text, ', ') FROM migrate_key.locks
			WHERE relation = ANY (tables) AND granted AND pid <> pg_backend_pid())),
		HINT = 'Nothing has changed. Repeat the call when their transactions have ended.';
END $$;

-- Wait until all transactions that have written to a table have ended.
CREATE FUNCTION migrate_key.wait_for_writers(tab regclass) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	writers text[] := ARRAY(SELECT virtualtransaction FROM migrate_key.locks
		WHERE relation = tab AND mode = 'RowExclusiveLock' AND granted AND pid IS DISTINCT FROM pg_backend_pid());
BEGIN
	FOR i IN 0 .. 1000000000 LOOP
		EXIT WHEN NOT EXISTS (SELECT FROM migrate_key.locks WHERE relation = tab AND mode = 'RowExclusiveLock'
			AND virtualtransaction = ANY (writers));
		IF i = 100 THEN
			RAISE NOTICE 'waits for transactions that have written to %', tab;
		END IF;
		PERFORM pg_sleep(0.05);
	END LOOP;
END $$;

-- ------------------------------------------------------------------ prepare

-- What the swap could not carry over, as messages
CREATE FUNCTION migrate_key.obstacles(root regclass, force boolean) RETURNS SETOF text
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	silent boolean := has_parameter_privilege('session_replication_role', 'SET');
BEGIN
	RETURN QUERY
	WITH c AS (
		SELECT c.*, attnum, atttypid, attidentity, attgenerated, relkind, relispartition, relowner
		FROM migrate_key.columns AS c JOIN pg_attribute ON attrelid = tab AND attname = col
		JOIN pg_class AS r ON r.oid = tab WHERE c.key = root)
	SELECT format('%s is not an ordinary table, or is a part of another one', tab) FROM c
	WHERE relkind <> 'r' OR relispartition
		OR EXISTS (SELECT FROM pg_inherits WHERE tab IN (inhrelid, inhparent))
	UNION
	SELECT format('%s takes part in the migration of the key of %s', c.tab, other.key)
	FROM c JOIN migrate_key.columns AS other ON other.tab = c.tab AND other.key <> root
	UNION
	SELECT format('you are not the owner of %s', tab) FROM c WHERE NOT pg_has_role(relowner, 'USAGE')
	UNION
	SELECT format('%s.%I is an identity or a generated column', tab, col) FROM c
	WHERE attidentity <> '' OR attgenerated <> ''
	UNION
	SELECT format('%s.%I is of domain %s', tab, col, format_type(t.oid, NULL))
	FROM c JOIN pg_type AS t ON t.oid = atttypid AND typtype = 'd'
	UNION
	SELECT format('row security of %s applies to you', tab) FROM c WHERE row_security_active(tab)
	UNION
	SELECT format('%s depends on %s.%I', pg_describe_object(classid, objid, objsubid), tab, col)
	FROM c JOIN pg_depend ON refclassid = 'pg_class'::regclass AND refobjid = tab AND refobjsubid = attnum
	WHERE NOT CASE classid
		WHEN 'pg_attrdef'::regclass THEN EXISTS (SELECT FROM pg_attrdef WHERE oid = objid AND adnum = attnum)
		WHEN 'pg_class'::regclass THEN EXISTS (SELECT FROM pg_class WHERE oid = objid
			AND (relkind = 'i' OR relkind = 'S' AND deptype = 'a'))
		WHEN 'pg_constraint'::regclass THEN EXISTS (SELECT FROM pg_constraint
			WHERE oid = objid AND (contype IN ('p', 'u', 'f', 'n') OR conname ~ '^migrate_key_\d+$'))
		WHEN 'pg_proc'::regclass THEN EXISTS (SELECT FROM pg_proc
			WHERE oid = objid AND pronamespace = 'migrate_key'::regnamespace)
		ELSE false END
	UNION
	-- A foreign key of several columns, or to or from a column outside
	SELECT format('%s must be dropped first: it has several columns, or is not one of those found by prepare',
		pg_describe_object('pg_constraint'::regclass, f.oid, 0))
	FROM c JOIN pg_constraint AS f ON contype = 'f'
		AND (conrelid = tab AND attnum = ANY (conkey) OR confrelid = tab AND attnum = ANY (confkey))
	WHERE cardinality(conkey) > 1
		OR NOT EXISTS (SELECT FROM c AS a WHERE a.tab = conrelid AND a.attnum = conkey[1])
		OR NOT EXISTS (SELECT FROM c AS a WHERE a.tab = confrelid AND a.attnum = confkey[1])
	UNION
	SELECT format('rule %I of %s', rulename, tab) FROM c JOIN pg_rewrite ON ev_class = tab
	UNION
	SELECT format('index %s is the replica identity of %s', indexrelid::regclass, tab)
	FROM c JOIN pg_index ON indrelid = tab AND indisreplident AND attnum = ANY (indkey)
	UNION
	SELECT format('%s.%I has a security label', tab, col)
	FROM c JOIN pg_seclabel ON classoid = 'pg_class'::regclass AND objoid = tab AND objsubid = attnum
	UNION
	SELECT format('trigger %I of %s fires for each row that is filled (see "force")', tgname, tab)
	FROM c JOIN pg_trigger ON tgrelid = tab AND NOT tgisinternal AND tgname !~ '^zz_migrate_key_'
	WHERE NOT force AND tgtype & 16 <> 0 AND cardinality(tgattr) = 0
		AND CASE WHEN silent THEN tgenabled IN ('A', 'R') ELSE tgenabled IN ('A', 'O') END
	UNION
	SELECT format('publication %I has %s (see "force")', pubname, tab)
	FROM c JOIN pg_class AS r ON r.oid = tab JOIN pg_namespace AS s ON s.oid = relnamespace
	JOIN pg_publication_tables ON (schemaname, tablename) = (nspname, relname)
	WHERE NOT force;
END $$;

CREATE FUNCTION migrate_key.refuse_obstacles(root regclass, force boolean) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	found text[] := ARRAY(SELECT o FROM migrate_key.obstacles(root, force) AS o ORDER BY o COLLATE "C");
BEGIN
	IF cardinality(found) > 0 THEN
		RAISE EXCEPTION USING ERRCODE = '2BP01',
			MESSAGE = format('cannot migrate the key of %s: %s', root, array_to_string(found, '; '));
	END IF;
END $$;

-- The indexes that use a column to be migrated, also in an expression or a condition
CREATE FUNCTION migrate_key.indexes_of(root regclass) RETURNS SETOF regclass
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT DISTINCT indexrelid::regclass FROM migrate_key.columns
		JOIN pg_attribute ON (attrelid, attname) = (tab, col)
		JOIN pg_index ON indrelid = tab AND (attnum = ANY (indkey) OR EXISTS (SELECT FROM pg_depend
			WHERE classid = 'pg_class'::regclass AND objid = indexrelid
			AND refclassid = 'pg_class'::regclass AND refobjid = tab AND refobjsubid = attnum))
	WHERE key = root $$;

-- How each index would be defined with the new columns: the server rewrites them
-- for an empty copy of the table.
CREATE FUNCTION migrate_key.plan_indexes(root regclass) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	t record;
	i record;
	c record;
	-- of an index, after the name of its table
	definition CONSTANT text := $q$
		SELECT substr(d, 1 + length(format('CREATE %sINDEX %I ON %I.%I ',
			CASE WHEN indisunique THEN 'UNIQUE ' ELSE '' END, i.relname,
			CASE t.relpersistence WHEN 't' THEN 'pg_temp' ELSE n.nspname END, t.relname)))
		FROM pg_index JOIN pg_class AS i ON i.oid = indexrelid JOIN pg_class AS t ON t.oid = indrelid
		JOIN pg_namespace AS n ON n.oid = t.relnamespace, LATERAL pg_get_indexdef(indexrelid) AS g (d)
		WHERE indexrelid = $1$q$;
	rest text;
BEGIN
	FOR t IN SELECT tab FROM migrate_key.columns WHERE key = root GROUP BY tab ORDER BY min(n) LOOP
		EXECUTE format('CREATE TEMP TABLE migrate_key_copy (LIKE %s)', t.tab);
		FOR i IN
			SELECT indexrelid, indisunique, spcname FROM pg_index JOIN pg_class ON oid = indexrelid
			LEFT JOIN pg_tablespace AS s ON s.oid = reltablespace
			WHERE indrelid = t.tab AND indexrelid IN (SELECT migrate_key.indexes_of(root))
			ORDER BY indexrelid
		LOOP
			EXECUTE definition INTO rest USING i.indexrelid;
			EXECUTE format('CREATE %sINDEX migrate_key_%s ON pg_temp.migrate_key_copy %s',
				CASE WHEN i.indisunique THEN 'UNIQUE ' ELSE '' END, i.indexrelid, rest);
			INSERT INTO migrate_key.indexes (key, tab, old, space, definition)
			VALUES (root, t.tab, i.indexrelid, i.spcname, '');
		END LOOP;
		FOR c IN SELECT * FROM migrate_key.columns WHERE key = root AND tab = t.tab LOOP
			EXECUTE format('ALTER TABLE pg_temp.migrate_key_copy RENAME %I TO %I', c.col, c.new);
			EXECUTE format('ALTER TABLE pg_temp.migrate_key_copy ALTER %I TYPE %s USING NULL', c.new, c.type);
		END LOOP;
		FOR i IN SELECT * FROM migrate_key.indexes WHERE key = root AND tab = t.tab LOOP
			EXECUTE definition INTO rest USING to_regclass('pg_temp.migrate_key_' || i.old::oid);
			UPDATE migrate_key.indexes SET definition = rest WHERE n = i.n;
		END LOOP;
		DROP TABLE pg_temp.migrate_key_copy;
	END LOOP;
END $$;

-- The tree of columns
CREATE FUNCTION migrate_key.find_columns(root regclass, col name, type regtype, value text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	c record;
	seen integer := 0;
BEGIN
	INSERT INTO migrate_key.columns (key, tab, col, type, value, required)
	SELECT root, root, attname, find_columns.type, find_columns.value, attnotnull FROM pg_attribute
	WHERE attrelid = root AND attname = find_columns.col AND attnum > 0 AND NOT attisdropped;
	IF NOT FOUND THEN
		RAISE EXCEPTION USING ERRCODE = '42703', MESSAGE = format('column %I of %s does not exist', col, root);
	END IF;
	LOOP
		SELECT k.*, attnum INTO c FROM migrate_key.columns AS k JOIN pg_attribute ON attrelid = tab AND attname = k.col
		WHERE k.key = root AND n > seen ORDER BY n LIMIT 1;
		EXIT WHEN NOT FOUND;
		seen := c.n;
		INSERT INTO migrate_key.columns (key, tab, col, type, parent, equal, required)
		SELECT DISTINCT ON (conrelid, attname) root, conrelid, attname, find_columns.type, c.n,
			format('OPERATOR(%I.%s)', nspname, oprname), attnotnull
		FROM pg_constraint JOIN pg_attribute AS a ON attrelid = conrelid AND attnum = conkey[1]
		JOIN pg_operator AS o ON o.oid = conpfeqop[1] JOIN pg_namespace AS s ON s.oid = oprnamespace
		WHERE contype = 'f' AND confrelid = c.tab AND confkey = ARRAY[c.attnum]
		ON CONFLICT DO NOTHING;
	END LOOP;
END $$;

-- The expression as a function of a row, parsed with the search_path of the
-- caller.
CREATE FUNCTION migrate_key.create_value(number integer) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
	c migrate_key.columns;
BEGIN
	SELECT * INTO c FROM migrate_key.columns WHERE n OPERATOR(pg_catalog.=) number;
	EXECUTE pg_catalog.format('CREATE FUNCTION migrate_key.value_%s(%s) RETURNS %s LANGUAGE sql VOLATILE '
		'RETURN (SELECT (%s) FROM (SELECT ($1).*) AS %I)', c.n, c.tab, c.type, c.value,
		(SELECT relname FROM pg_catalog.pg_class WHERE oid OPERATOR(pg_catalog.=) c.tab));
END $$;

-- A trigger function runs as the owner of the tables, as a foreign key does: who
-- writes to one may not be allowed to read the other.
CREATE FUNCTION migrate_key.create_trigger(number integer) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	c migrate_key.columns;
	p migrate_key.columns;
	value text;
BEGIN
	SELECT * INTO c FROM migrate_key.columns WHERE n = number;
	SELECT * INTO p FROM migrate_key.columns WHERE n = c.parent;
	value := CASE WHEN c.parent IS NULL THEN format('migrate_key.value_%s(NEW)', c.n)
		ELSE format('(SELECT p.%I FROM ONLY %s AS p WHERE p.%I %s NEW.%I)', p.new, p.tab, p.col, c.equal, c.col) END;
	-- A row that refers to itself is not there yet.
	IF p.tab = c.tab THEN
		value := format('CASE WHEN NEW.%I %s NEW.%I THEN NEW.%I ELSE %s END', p.col, c.equal, c.col, p.new, value);
	END IF;
	EXECUTE format($f$
		CREATE OR REPLACE FUNCTION migrate_key.set_%1$s() RETURNS trigger LANGUAGE plpgsql
		SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $b$
		BEGIN
			IF TG_OP = 'INSERT' OR NEW.%2$I IS NULL OR NOT record_image_eq(ROW(NEW.%3$I), ROW(OLD.%3$I)) THEN
				NEW.%2$I := %4$s;
			END IF;
			RETURN NEW;
		END $b$ $f$, c.n, c.new, c.col, value);
	-- The last one in the order of names; the referenced column comes first.
	PERFORM migrate_key.locked(ARRAY[c.tab], format($f$
		ALTER TABLE %1$s ADD %2$I %3$s;
		CREATE TRIGGER %4$I BEFORE INSERT OR UPDATE ON %1$s
		FOR EACH ROW EXECUTE FUNCTION migrate_key.set_%5$s();
		ALTER TABLE %1$s ENABLE ALWAYS TRIGGER %4$I$f$,
		c.tab, c.new, c.type, 'zz_migrate_key_' || lpad(c.n::text, 9, '0'), c.n));
	UPDATE migrate_key.columns SET prepared = true WHERE n = number;
END $$;

CREATE FUNCTION migrate_key.plan(root regclass, col name, type regtype, value text, force boolean)
RETURNS integer[] LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	known migrate_key.columns;
BEGIN
	SELECT * INTO known FROM migrate_key.columns AS k WHERE k.key = root AND parent IS NULL;
	IF NOT FOUND THEN
		PERFORM migrate_key.find_columns(root, col, type, value);
		PERFORM migrate_key.refuse_obstacles(root, force);
		PERFORM migrate_key.plan_indexes(root);
	ELSIF (known.col, known.type, known.value) IS DISTINCT FROM (col, type, value) THEN
		RAISE EXCEPTION USING ERRCODE = '55000',
			MESSAGE = format('another migration of %s has begun', root), HINT = 'Go back with migrate_key.undo.';
	END IF;
	RETURN ARRAY(SELECT n FROM migrate_key.columns WHERE key = root AND NOT prepared ORDER BY n);
END $$;

CREATE PROCEDURE migrate_key.prepare("table" regclass, "column" name, type regtype, value text,
	force boolean DEFAULT false)
LANGUAGE plpgsql AS $$
DECLARE
	todo integer[] := migrate_key.plan("table", "column", type, value, force);
	number integer;
BEGIN
	FOREACH number IN ARRAY todo LOOP
		IF (SELECT parent IS NULL FROM migrate_key.columns WHERE n OPERATOR(pg_catalog.=) number)
			AND pg_catalog.to_regproc('migrate_key.value_' OPERATOR(pg_catalog.||) number::pg_catalog.text) IS NULL
		THEN
			PERFORM migrate_key.create_value(number);
		END IF;
		COMMIT;
		PERFORM migrate_key.create_trigger(number);
		COMMIT;
	END LOOP;
END $$;

-- --------------------------------------------------------------------- fill

-- The migration must be there, and a step of it done.
CREATE FUNCTION migrate_key.require(root regclass) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF NOT EXISTS (SELECT FROM migrate_key.columns WHERE key = root)
		OR EXISTS (SELECT FROM migrate_key.columns WHERE key = root AND NOT prepared)
	THEN
		RAISE EXCEPTION USING ERRCODE = '55000', MESSAGE = format('%s is not prepared', root),
			HINT = 'CALL migrate_key.prepare, also if it was interrupted.';
	END IF;
END $$;

CREATE FUNCTION migrate_key.fill("table" regclass) RETURNS SETOF text
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	PERFORM migrate_key.require("table");
	-- Again, after validate has found rows
	UPDATE migrate_key.columns SET filled = false, filenode = NULL WHERE key = "table" AND filled
		AND EXISTS (SELECT FROM pg_constraint WHERE conrelid = tab AND conname = new AND NOT convalidated);
	RETURN QUERY SELECT unnest(ARRAY[format('CALL migrate_key.fill_part(%s, %s)', n, part),
		format('VACUUM (ANALYZE, TRUNCATE off) %s', tab)])
	FROM migrate_key.columns, generate_series(1, 5) AS part
	WHERE key = "table" AND NOT filled ORDER BY n, part;
END $$;

-- Fill rows in the blocks below "upto"; returns their number.
CREATE FUNCTION migrate_key.fill_batch(number integer, upto bigint) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	c migrate_key.columns;
	bad text;
	done bigint;
BEGIN
	SELECT * INTO c FROM migrate_key.columns WHERE n = number FOR UPDATE;
	IF has_parameter_privilege('session_replication_role', 'SET') THEN
		PERFORM set_config('session_replication_role', 'replica', true);
	END IF;
	-- The trigger computes the value.
	EXECUTE format($f$
		WITH done AS (
			UPDATE ONLY %1$s SET %2$I = NULL WHERE ctid = ANY (ARRAY(
				SELECT ctid FROM ONLY %1$s WHERE ctid >= %4$L AND ctid < %5$L
				AND %2$I IS NULL AND %3$I IS NOT NULL FOR NO KEY UPDATE SKIP LOCKED))
			RETURNING %2$I AS new, %3$I AS old)
		SELECT count(*), min(old::text) FILTER (WHERE new IS NULL) FROM done$f$,
		c.tab, c.new, c.col, format('(%s,0)', c.next_block), format('(%s,0)', upto))
	INTO done, bad;
	IF bad IS NOT NULL THEN
		RAISE EXCEPTION USING ERRCODE = '22004', MESSAGE = format(CASE WHEN c.parent IS NULL
				THEN 'the new value of %s.%I is NULL where it is %s'
				ELSE '%s.%I refers to a row that does not exist: %s' END, c.tab, c.col, bad);
	END IF;
	RETURN done;
END $$;

-- Go on after the blocks below "upto", if no row is left there.
CREATE FUNCTION migrate_key.advance(number integer, upto bigint) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	c migrate_key.columns;
	some_left boolean;
BEGIN
	SELECT * INTO c FROM migrate_key.columns WHERE n = number FOR UPDATE;
	EXECUTE format('SELECT EXISTS (SELECT FROM ONLY %s WHERE ctid >= %L AND ctid < %L AND %I IS NULL AND %I IS NOT NULL)',
		c.tab, format('(%s,0)', c.next_block), format('(%s,0)', upto), c.new, c.col) INTO some_left;
	IF NOT some_left THEN
		UPDATE migrate_key.columns SET next_block = upto WHERE n = number;
	END IF;
	RETURN NOT some_left;
END $$;

-- Begin to fill a column, or again if the table was rewritten (VACUUM FULL).  A
-- row that is inserted later gets its value from a trigger.
CREATE FUNCTION migrate_key.begin_fill(number integer) RETURNS migrate_key.columns
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	c migrate_key.columns;
BEGIN
	SELECT * INTO c FROM migrate_key.columns WHERE n = number;
	IF EXISTS (SELECT FROM migrate_key.columns WHERE n = c.parent AND NOT filled) THEN
		RAISE EXCEPTION USING ERRCODE = '55000', MESSAGE = format('the column that %s.%I refers to is not filled', c.tab, c.col);
	END IF;
	IF c.filenode IS DISTINCT FROM pg_relation_filenode(c.tab) THEN
		-- Those who read the referenced row when it was not filled
		IF c.parent IS NOT NULL THEN
			PERFORM migrate_key.wait_for_writers(c.tab);
		END IF;
		UPDATE migrate_key.columns SET filenode = pg_relation_filenode(c.tab), next_block = 0,
			blocks = pg_relation_size(c.tab) / current_setting('block_size')::integer
		WHERE n = number RETURNING * INTO c;
	END IF;
	RETURN c;
END $$;

CREATE PROCEDURE migrate_key.fill_part(number integer, part integer)
LANGUAGE plpgsql AS $$
DECLARE
	c migrate_key.columns;
	batch pg_catalog.int8 := 2;
	total pg_catalog.int8 := 0;
	upto pg_catalog.int8;
	until pg_catalog.int8;
	began pg_catalog.timestamptz := pg_catalog.clock_timestamp();
	told pg_catalog.timestamptz := began;
	t pg_catalog.timestamptz;
	pause pg_catalog.float8;
BEGIN
	LOOP
		PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
		c := migrate_key.begin_fill(number);
		until := (c.blocks * part + 4) / 5;
		EXIT WHEN c.next_block >= until;
		upto := least(c.next_block + batch, until);
		t := clock_timestamp();
		total := total + migrate_key.fill_batch(number, upto);
		COMMIT;
		PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
		batch := greatest(1, least(2 * batch, 4096,
			batch * 0.05 / greatest(0.001, extract(epoch FROM clock_timestamp() - t))));
		pause := 0.01;
		WHILE NOT migrate_key.advance(number, upto) LOOP
			COMMIT;
			PERFORM pg_catalog.pg_sleep(pause);
			PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
			pause := least(1, 2 * pause);
			IF clock_timestamp() > told + interval '10 s' THEN
				RAISE NOTICE '%.%: waits for rows that others have locked', c.tab, pg_catalog.quote_ident(c.col);
				told := clock_timestamp();
			END IF;
			total := total + migrate_key.fill_batch(number, upto);
			COMMIT;
			PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
		END LOOP;
		COMMIT;
		IF pg_catalog.clock_timestamp() OPERATOR(pg_catalog.>) (told OPERATOR(pg_catalog.+) pg_catalog.make_interval(secs => 10)) THEN
			told := pg_catalog.clock_timestamp();
			RAISE NOTICE '%', migrate_key.progress(c, upto, total, told OPERATOR(pg_catalog.-) began);
		END IF;
	END LOOP;
	IF part = 5 THEN
		UPDATE migrate_key.columns SET filled = true WHERE n = number;
	END IF;
	IF total > 0 THEN
		RAISE NOTICE '%', migrate_key.progress(c, until, total, clock_timestamp() - began);
	END IF;
END $$;

CREATE FUNCTION migrate_key.progress(c migrate_key.columns, upto bigint, total bigint, took interval) RETURNS text
LANGUAGE sql SET search_path = pg_catalog, pg_temp
RETURN format('%s.%I: %s of %s blocks (%s %%), %s rows, %s per second', c.tab, c.col, upto, c.blocks,
	100 * upto / greatest(1, c.blocks), total, round(total / greatest(0.001, extract(epoch FROM took))));

-- -------------------------------------------------------- indexes, validate

CREATE FUNCTION migrate_key.indexes("table" regclass) RETURNS SETOF text
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	PERFORM migrate_key.require("table");
	RETURN QUERY
	SELECT unnest(array_remove(ARRAY[
		-- left by an earlier attempt
		'DROP INDEX CONCURRENTLY ' || x.indexrelid::regclass,
		CASE WHEN space IS NOT NULL THEN format('SET default_tablespace = %I', space) END,
		format('CREATE %sINDEX CONCURRENTLY %I ON %s %s',
			CASE WHEN o.indisunique THEN 'UNIQUE ' ELSE '' END, i.new, i.tab, definition),
		CASE WHEN space IS NOT NULL THEN 'RESET default_tablespace' END], NULL))
	FROM migrate_key.indexes AS i JOIN pg_index AS o ON o.indexrelid = i.old
	LEFT JOIN (pg_index AS x JOIN pg_class AS r ON r.oid = x.indexrelid) ON x.indrelid = i.tab AND r.relname = i.new
	WHERE i.key = "table" AND x.indisvalid IS NOT TRUE;
END $$;

CREATE PROCEDURE migrate_key.validate("table" regclass)
LANGUAGE plpgsql AS $$
DECLARE
	c migrate_key.columns;
BEGIN
	PERFORM migrate_key.require("table");
	FOR c IN SELECT * FROM migrate_key.columns WHERE key OPERATOR(pg_catalog.=) "table" ORDER BY n LOOP
		PERFORM migrate_key.add_check(c);
		COMMIT;
		EXECUTE pg_catalog.format('ALTER TABLE %s VALIDATE CONSTRAINT %I', c.tab, c.new);
		COMMIT;
	END LOOP;
END $$;

CREATE FUNCTION migrate_key.add_check(c migrate_key.columns) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF NOT c.filled THEN
		RAISE EXCEPTION USING ERRCODE = '55000', MESSAGE = format('%s.%I is not filled', c.tab, c.col);
	END IF;
	IF NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = c.tab AND conname = c.new) THEN
		PERFORM migrate_key.locked(ARRAY[c.tab], format('ALTER TABLE %s ADD CONSTRAINT %I CHECK (%3$I IS NOT NULL%4$s) NOT VALID',
			c.tab, c.new, c.new, CASE WHEN NOT c.required THEN format(' OR %I IS NULL', c.col) ELSE '' END));
	END IF;
END $$;

-- --------------------------------------------------------------------- swap

-- The statements of a swap
CREATE FUNCTION migrate_key.swap_statements(root regclass, keep name, old_default boolean) RETURNS text
LANGUAGE sql SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
	WITH c AS (
		SELECT c.*, a.attnum, a.attacl, a.attoptions, a.attstattarget, n.attnum AS new_attnum,
			CASE WHEN parent IS NULL THEN swap_statements.keep END AS keep
		FROM migrate_key.columns AS c
		JOIN pg_attribute AS a ON (a.attrelid, a.attname) = (tab, col)
		JOIN pg_attribute AS n ON (n.attrelid, n.attname) = (tab, new)
		WHERE c.key = root),
	i AS (
		SELECT i.*, relname, indisclustered, con.oid AS con, conname, contype,
			CASE WHEN condeferrable THEN ' DEFERRABLE' ELSE '' END ||
			CASE WHEN condeferred THEN ' INITIALLY DEFERRED' ELSE '' END AS deferred
		FROM migrate_key.indexes AS i JOIN pg_class AS r ON r.oid = old JOIN pg_index ON indexrelid = old
		LEFT JOIN pg_constraint AS con ON conindid = old AND contype IN ('p', 'u') WHERE i.key = root),
	f AS (
		SELECT DISTINCT f.oid, conrelid, conname, pg_get_constraintdef(f.oid) AS def
		FROM c JOIN pg_constraint AS f ON contype = 'f' AND confrelid = tab AND confkey = ARRAY[attnum]),
	s (step, n, statement) AS (
		SELECT 0, n, format('DROP TRIGGER %I ON %s', 'zz_migrate_key_' || lpad(n::text, 9, '0'), tab) FROM c
		UNION ALL
		SELECT 1, n, format('DROP FUNCTION migrate_key.set_%s()', n) FROM c
		UNION ALL
		SELECT 1, n, format('DROP FUNCTION migrate_key.value_%s', n) FROM c WHERE parent IS NULL
		UNION ALL
		SELECT 2, oid::bigint, format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) FROM f
		UNION ALL
		SELECT 3, objid::bigint, format('ALTER SEQUENCE %s OWNED BY %s.%I', objid::regclass, tab, new)
		FROM c JOIN pg_depend ON classid = 'pg_class'::regclass AND refclassid = classid AND refobjid = tab
			AND refobjsubid = attnum AND deptype = 'a'
		JOIN pg_class AS q ON q.oid = objid AND relkind = 'S'
		UNION ALL
		-- Indexes end with a column that is dropped, but not with one that is kept.
		SELECT 4, i.n, CASE WHEN conname IS NULL THEN format('DROP INDEX %s', old)
			ELSE format('ALTER TABLE %s DROP CONSTRAINT %I', i.tab, conname) END FROM i
		UNION ALL
		SELECT 5, n, CASE WHEN keep IS NULL THEN format('ALTER TABLE %s DROP COLUMN %I', tab, col)
			ELSE format('ALTER TABLE %1$s ALTER %2$I DROP NOT NULL, ALTER %2$I DROP DEFAULT; '
				'ALTER TABLE %1$s RENAME %2$I TO %3$I', tab, col, keep) END FROM c
		UNION ALL
		SELECT 6, n, format('ALTER TABLE %s RENAME %I TO %I', tab, new, col) FROM c
		UNION ALL
		SELECT 7, n, format('ALTER TABLE %s ALTER %I SET NOT NULL', tab, col) FROM c WHERE required
		UNION ALL
		-- It proves NOT NULL; otherwise it would end with the old column.
		SELECT CASE WHEN required THEN 8 ELSE 4 END, n, format('ALTER TABLE %s DROP CONSTRAINT %I', tab, new) FROM c
		UNION ALL
		SELECT 9, n, format('ALTER TABLE %s ALTER %I SET DEFAULT %s', tab, col, pg_get_expr(adbin, adrelid))
		FROM c JOIN pg_attrdef ON (adrelid, adnum) = (tab, attnum) WHERE old_default OR parent IS NOT NULL
		UNION ALL
		SELECT 9, n, format('COMMENT ON COLUMN %s.%I IS %L', tab, col, col_description(tab, attnum))
		FROM c WHERE col_description(tab, attnum) IS NOT NULL
		UNION ALL
		SELECT 9, n, format('ALTER TABLE %s ALTER %I SET STATISTICS %s', tab, col, attstattarget)
		FROM c WHERE attstattarget >= 0
		UNION ALL
		SELECT 9, n, format('ALTER TABLE %s ALTER %I SET (%s)', tab, col, option)
		FROM c, LATERAL unnest(attoptions) AS o (option) WHERE option ~ '^n_distinct'
		UNION ALL
		SELECT 9, n, format('GRANT %s (%I) ON %s TO %s%s', privilege_type, col, tab,
			CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END,
			CASE WHEN is_grantable THEN ' WITH GRANT OPTION' ELSE '' END)
		FROM c, LATERAL aclexplode(attacl) WHERE attacl IS NOT NULL
		UNION ALL
		SELECT 10, i.n, CASE WHEN conname IS NULL
			THEN format('ALTER INDEX %I.%I RENAME TO %I', nspname, new, i.relname)
			ELSE format('ALTER TABLE %s ADD CONSTRAINT %I %s USING INDEX %I%s', tab, conname,
				CASE contype WHEN 'p' THEN 'PRIMARY KEY' ELSE 'UNIQUE' END, new, deferred) END
		FROM i JOIN pg_class AS r ON r.oid = tab JOIN pg_namespace AS s ON s.oid = relnamespace
		UNION ALL
		SELECT 11, i.n, format('COMMENT ON INDEX %I.%I IS %L', nspname, i.relname, obj_description(old, 'pg_class'))
		FROM i JOIN pg_class AS r ON r.oid = tab JOIN pg_namespace AS s ON s.oid = relnamespace
		WHERE obj_description(old, 'pg_class') IS NOT NULL
		UNION ALL
		SELECT 11, i.n, format('COMMENT ON CONSTRAINT %I ON %s IS %L', conname, tab, obj_description(con, 'pg_constraint'))
		FROM i WHERE obj_description(con, 'pg_constraint') IS NOT NULL
		UNION ALL
		SELECT 11, n, format('ALTER TABLE %s CLUSTER ON %I', tab, relname) FROM i WHERE indisclustered
		UNION ALL
		SELECT 12, oid::bigint, format('ALTER TABLE %s ADD CONSTRAINT %I %s NOT VALID', conrelid::regclass, conname,
			regexp_replace(def, ' NOT VALID$', '')) FROM f
		UNION ALL
		SELECT 13, oid::bigint, format('COMMENT ON CONSTRAINT %I ON %s IS %L', conname, conrelid::regclass,
			obj_description(oid, 'pg_constraint')) FROM f WHERE obj_description(oid, 'pg_constraint') IS NOT NULL)
	SELECT string_agg(statement, E';\n' ORDER BY step, n) FROM s;
END;

CREATE FUNCTION migrate_key.swap_columns(root regclass, keep name, old_default boolean) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	missing text;
	tables regclass[] := ARRAY(SELECT tab FROM migrate_key.columns WHERE key = root GROUP BY tab ORDER BY min(n));
	statements text;
BEGIN
	PERFORM migrate_key.require(root);
	PERFORM migrate_key.hold(tables);
	PERFORM migrate_key.refuse_obstacles(root, true);
	SELECT string_agg(what, ', ' ORDER BY what COLLATE "C") INTO missing FROM (
		SELECT format('fill of %s.%I', tab, col) FROM migrate_key.columns WHERE key = root AND NOT filled
		UNION ALL
		SELECT format('validate of %s.%I', tab, col) FROM migrate_key.columns WHERE key = root
			AND NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = tab AND conname = new AND convalidated)
		UNION ALL
		SELECT format('indexes, for %s', old) FROM migrate_key.indexes AS i WHERE i.key = root
			AND NOT EXISTS (SELECT FROM pg_index JOIN pg_class ON oid = indexrelid
				WHERE indrelid = tab AND relname = new AND indisvalid)
		UNION ALL
		SELECT format('undo, because index %s is new', index) FROM migrate_key.indexes_of(root) AS index
			WHERE index NOT IN (SELECT old FROM migrate_key.indexes AS i WHERE i.key = root)) AS m (what);
	IF missing IS NOT NULL THEN
		RAISE EXCEPTION USING ERRCODE = '55000', MESSAGE = format('before the swap of %s, there must be: %s', root, missing);
	END IF;
	statements := migrate_key.swap_statements(root, keep, old_default);
	INSERT INTO migrate_key.foreign_keys
	SELECT DISTINCT root, conrelid, conname, keep
	FROM migrate_key.columns AS c JOIN pg_attribute ON (attrelid, attname) = (tab, col)
	JOIN pg_constraint ON contype = 'f' AND confrelid = tab AND confkey = ARRAY[attnum] WHERE c.key = root AND convalidated;
	PERFORM migrate_key.locked(tables, statements);
	DELETE FROM migrate_key.indexes AS i WHERE i.key = root;
	DELETE FROM migrate_key.columns AS c WHERE c.key = root;
END $$;

CREATE PROCEDURE migrate_key.swap("table" regclass, "default" text DEFAULT NULL, keep name DEFAULT NULL)
LANGUAGE plpgsql AS $$
DECLARE
	col pg_catalog.name := (SELECT k.col FROM migrate_key.columns AS k
		WHERE key OPERATOR(pg_catalog.=) "table" AND parent IS NULL);
BEGIN
	PERFORM migrate_key.swap_columns("table", keep, "default" IS NULL);
	-- with the search_path of the caller
	IF "default" IS NOT NULL THEN
		EXECUTE pg_catalog.format('ALTER TABLE %s ALTER %I SET DEFAULT %s', "table", col, "default");
	END IF;
END $$;

CREATE PROCEDURE migrate_key.finish("table" regclass)
LANGUAGE plpgsql AS $$
DECLARE
	f migrate_key.foreign_keys;
BEGIN
	IF EXISTS (SELECT FROM migrate_key.columns WHERE key OPERATOR(pg_catalog.=) "table") THEN
		RAISE EXCEPTION USING ERRCODE = '55000', MESSAGE = pg_catalog.format('the columns of %s are not swapped', "table");
	END IF;
	FOR f IN SELECT * FROM migrate_key.foreign_keys WHERE key OPERATOR(pg_catalog.=) "table" LOOP
		EXECUTE pg_catalog.format('ALTER TABLE %s VALIDATE CONSTRAINT %I', f.tab, f.name);
		COMMIT;
	END LOOP;
	PERFORM migrate_key.check_end("table");
	DELETE FROM migrate_key.foreign_keys WHERE key OPERATOR(pg_catalog.=) "table";
END $$;

CREATE FUNCTION migrate_key.check_end(root regclass) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	wrong text;
BEGIN
	SELECT string_agg(what, ', ' ORDER BY what COLLATE "C") INTO wrong FROM (
		SELECT format('%s refers to the old column', pg_describe_object('pg_constraint'::regclass, c.oid, 0))
		FROM migrate_key.foreign_keys AS f JOIN pg_attribute ON attrelid = root AND attname = old_key
		JOIN pg_constraint AS c ON confrelid = root AND attnum = ANY (confkey) WHERE f.key = root
		UNION
		SELECT format('%I of %s is not validated', name, tab) FROM migrate_key.foreign_keys AS f
		WHERE f.key = root AND NOT EXISTS (SELECT FROM pg_constraint
			WHERE conrelid = tab AND conname = name AND contype = 'f' AND convalidated)
		UNION
		SELECT format('%s.%I is left', attrelid::regclass, attname) FROM pg_attribute
		WHERE attrelid IN (SELECT root UNION SELECT tab FROM migrate_key.foreign_keys AS f WHERE f.key = root)
			AND attname ~ '^migrate_key_\d+$' AND NOT attisdropped
			AND NOT EXISTS (SELECT FROM migrate_key.columns WHERE tab = attrelid AND new = attname)) AS w (what);
	IF wrong IS NOT NULL THEN
		RAISE EXCEPTION USING ERRCODE = '55000', MESSAGE = wrong;
	END IF;
END $$;

-- --------------------------------------------------------------------- undo

CREATE FUNCTION migrate_key.undo_column(c migrate_key.columns) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF c.prepared THEN
		PERFORM migrate_key.locked(ARRAY[c.tab], format('DROP TRIGGER %I ON %s; ALTER TABLE %2$s DROP COLUMN %3$I',
			'zz_migrate_key_' || lpad(c.n::text, 9, '0'), c.tab, c.new));
	END IF;
	EXECUTE format('DROP FUNCTION IF EXISTS migrate_key.set_%s()', c.n);
	IF c.parent IS NULL THEN
		EXECUTE format('DROP FUNCTION IF EXISTS migrate_key.value_%s', c.n);
	END IF;
	DELETE FROM migrate_key.columns WHERE n = c.n;
END $$;

CREATE PROCEDURE migrate_key.undo("table" regclass)
LANGUAGE plpgsql AS $$
DECLARE
	c migrate_key.columns;
BEGIN
	IF EXISTS (SELECT FROM migrate_key.foreign_keys WHERE key OPERATOR(pg_catalog.=) "table") THEN
		RAISE EXCEPTION USING ERRCODE = '55000',
			MESSAGE = pg_catalog.format('the columns of %s are swapped', "table"),
			HINT = 'CALL migrate_key.finish, and migrate in the other direction.';
	END IF;
	DELETE FROM migrate_key.indexes WHERE key OPERATOR(pg_catalog.=) "table";
	FOR c IN SELECT * FROM migrate_key.columns WHERE key OPERATOR(pg_catalog.=) "table" ORDER BY n DESC LOOP
		PERFORM migrate_key.undo_column(c);
		COMMIT;
	END LOOP;
END $$;
COMMIT;
