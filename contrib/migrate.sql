--
-- migrate.sql: give the key of a large table other values or another type, and
-- all columns that refer to it, while the tables stay in use
--
--	psql -v ON_ERROR_STOP=1 -f contrib/migrate.sql
--
-- creates the schema migrate_key.  Run it, and the steps, in psql, outside of a
-- transaction block, as the owner of the tables, who needs CREATE on the database.
--
--	CALL migrate_key.prepare('orders', 'id', 'uuid', 'uuid_v7_from_timestamptz(created_at)');
--		finds all columns that refer to the key by foreign keys, directly or not; adds
--		a column migrate_key_<n> beside each, and a trigger that fills it in new and
--		updated rows: for the key with the value, an expression over the columns of the
--		table, for the others with that of the row that they refer to.  A fifth
--		argument such as '{audit,pub}' accepts publications, and triggers that fire for
--		each filled row (only ALWAYS ones if you may set session_replication_role).
--	SELECT migrate_key.fill('orders') \gexec
--		fills the old rows, in transactions of about 50 ms that skip rows that others
--		have locked until they are free: so it never takes part in a deadlock.
--	SELECT migrate_key.indexes('orders') \gexec
--		runs CREATE INDEX CONCURRENTLY for each index that has one of the columns.
--	CALL migrate_key.validate('orders');
--		proves that no row was left out or refers to another one.  A transaction with
--		an old snapshot (REPEATABLE READ) can leave one out: then run fill again.  From
--		here to the swap a row cannot be inserted before the one that it refers to.
--	CALL migrate_key.swap('orders', 'uuid_generate_v7()', 'old_id');
--		exchanges the columns in a transaction that reads no rows, and creates their
--		views again.  Without a default, the new key has that of the old one.  The old
--		key stays as the column "old_id", or is dropped.
--	CALL migrate_key.finish('orders');
--		validates the foreign keys, and checks that none was left behind.
--
-- After an error, a cancel or a crash, repeat the step.  Until the swap, CALL
-- migrate_key.undo('orders') removes everything.  To go back afterwards, migrate
-- from a uuid with the value 'coalesce(old_id, nextval(''orders_id_seq''))'.  A
-- step awaits locks that stop reads or writes for less than a quarter of a second,
-- and tries a hundred times (SET migrate_key.attempts = 1000).
--
-- Carried over, with their names: NOT NULL, defaults, owned sequences, comments,
-- privileges, statistics targets, n_distinct; collation, STORAGE and COMPRESSION
-- if the new type has them; indexes; primary, unique and foreign keys; views.
-- Refused by prepare, fill, swap, by name: all else that depends on one of the columns
-- or their indexes, keys and views, such as CHECK constraints, generated columns,
-- materialized views, policies, extended statistics, functions with an SQL body;
-- foreign keys of several columns; identity columns, domains, partitions,
-- inheritance, typed and temporary tables, rules, security labels, subscriptions,
-- a replica identity that is an index, BEFORE triggers named after "zz_migrate_key_";
-- indexes, views and defaults that the new type cannot have; and any property in
-- the catalogs that this script does not know.  Drop it, and create it afterwards.
-- Yours to change: old values in other functions, applications and databases.
--
BEGIN;
SET LOCAL search_path = pg_catalog, pg_temp;
CREATE SCHEMA migrate_key;

-- The referenced columns before those that refer to them
CREATE TABLE migrate_key.columns (
	n integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	key regclass NOT NULL,		-- the table with the key
	tab regclass NOT NULL,
	col name NOT NULL,
	new name GENERATED ALWAYS AS ('migrate_key_' || n) STORED,
	trigger name GENERATED ALWAYS AS ('zz_migrate_key_' || lpad(n::text, 9, '0')) STORED,
	type text NOT NULL,			-- with its modifier
	coll text NOT NULL,			-- COLLATE and a name, or empty
	value text,					-- of the key
	accept name[],				-- by its prepare
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
SELECT * FROM pg_locks WHERE database = (SELECT oid FROM pg_database WHERE datname = current_database());

-- Lock tables against DDL and VACUUM.  No reader or writer waits behind this.
CREATE FUNCTION migrate_key.hold(tables regclass[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET lock_timeout = '1min' AS $$
BEGIN
	EXECUTE (SELECT string_agg(format('LOCK TABLE ONLY %s IN SHARE UPDATE EXCLUSIVE MODE', t), ';' ORDER BY n)
		FROM unnest(tables) WITH ORDINALITY AS u (t, n));
END $$;

-- One session at a time, until it ends
CREATE FUNCTION migrate_key.only_here(root regclass) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET lock_timeout = '5s' AS $$
BEGIN
	PERFORM pg_advisory_lock(('migrate_key.columns'::regclass::oid::bigint << 32) + root::oid::bigint);
EXCEPTION WHEN lock_not_available THEN
	RAISE EXCEPTION USING ERRCODE = '55P03', MESSAGE = format('another session migrates the key of %s', root),
		DETAIL = format('Process with the lock: %s.', (SELECT string_agg(pid::text, ', ') FROM migrate_key.locks
			WHERE locktype = 'advisory' AND (classid, objid) = ('migrate_key.columns'::regclass, root) AND granted)),
		HINT = 'Repeat the call when that session has ended.';
END $$;

CREATE FUNCTION migrate_key.grants(name text, col name, item aclitem) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
RETURN (SELECT string_agg(format('GRANT %s%s ON %s TO %s%s', privilege_type, ' (' || quote_ident(col) || ')', name,
	CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END,
	CASE WHEN is_grantable THEN ' WITH GRANT OPTION' ELSE '' END), '; ') FROM aclexplode(ARRAY[item]));

CREATE FUNCTION migrate_key.revoke_all(view regclass) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	EXECUTE (SELECT string_agg(format('REVOKE ALL ON %s FROM %s', view, CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END), ';')
		FROM pg_class, LATERAL aclexplode(coalesce(relacl, acldefault('r', relowner))) WHERE oid = view);
END $$;

CREATE FUNCTION migrate_key.create_view(name text, statements text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	EXECUTE statements;
EXCEPTION WHEN OTHERS THEN	-- locked() tries again after 55P03
	RAISE EXCEPTION USING ERRCODE = CASE SQLSTATE WHEN '55P03' THEN '55P03' ELSE '2BP01' END,
		MESSAGE = format('cannot create view %s again: %s', name, SQLERRM),
		HINT = 'Drop it before, and create it after the swap. Nothing has changed.';
END $$;

-- The views that read the columns (also by a GROUP BY of the key), or other such views
CREATE FUNCTION migrate_key.views(root regclass) RETURNS TABLE (view oid, depth integer)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
	WITH RECURSIVE c AS (
		SELECT tab, attnum FROM migrate_key.columns JOIN pg_attribute ON (attrelid, attname) = (tab, col) WHERE key = root),
	v (class, id, sub, depth) AS (
		SELECT 'pg_class'::regclass::oid, tab::oid, attnum::integer, 0 FROM c
		UNION SELECT 'pg_class'::regclass, ev_class, NULL, depth + 1 FROM v
		JOIN pg_depend ON refclassid = class AND refobjid = v.id AND refobjsubid = coalesce(sub, refobjsubid)
			AND classid = 'pg_rewrite'::regclass
		JOIN pg_rewrite AS r ON objid = r.oid AND ev_class <> v.id
		JOIN pg_class AS c ON c.oid = ev_class AND relkind = 'v')
	SELECT v.id, max(v.depth) FROM v WHERE v.depth > 0 GROUP BY v.id;
END;

-- The statements that create these views again, as they are
CREATE FUNCTION migrate_key.create_views(root regclass) RETURNS text LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
	WITH v AS (
		SELECT c.oid, depth, format('%I.%I', nspname, relname) AS name, relowner, relacl, reloptions
		FROM migrate_key.views(root) JOIN pg_class AS c ON c.oid = view JOIN pg_namespace AS n ON n.oid = relnamespace),
	s (depth, name, step, n, statement) AS (
		SELECT depth, name, 1, 0, format('CREATE VIEW %s %s AS %s', name,
			'WITH (' || array_to_string(reloptions, ', ') || ')', rtrim(pg_get_viewdef(oid), ';')) FROM v
		UNION ALL SELECT depth, name, 2, adnum, format('ALTER VIEW %s ALTER %I SET DEFAULT %s', name, attname, pg_get_expr(adbin, adrelid))
		FROM v JOIN pg_attrdef ON adrelid = v.oid JOIN pg_attribute ON (attrelid, attnum) = (adrelid, adnum)
		UNION ALL SELECT depth, name, 3, objsubid, CASE objsubid WHEN 0 THEN format('COMMENT ON VIEW %s IS %L', name, description)
			ELSE format('COMMENT ON COLUMN %s.%I IS %L', name, (SELECT attname FROM pg_attribute
				WHERE (attrelid, attnum) = (v.oid, objsubid)), description) END
		FROM v JOIN pg_description ON classoid = 'pg_class'::regclass AND objoid = v.oid
		UNION ALL SELECT depth, name, 4, 0, format('ALTER VIEW %s OWNER TO %s', name, relowner::regrole) FROM v
		UNION ALL
		-- also those by default privileges
		SELECT depth, name, 5, 0, format('SELECT migrate_key.revoke_all(%L)', name) FROM v
		UNION ALL SELECT depth, name, 6, row_number() OVER (), migrate_key.grants(name, NULL, a) FROM v,
		LATERAL unnest(coalesce(relacl, acldefault('r', relowner))) AS u (a)
		UNION ALL SELECT depth, name, 7, attnum, migrate_key.grants(name, attname, a)
		FROM v JOIN pg_attribute ON attrelid = v.oid, LATERAL unnest(attacl) AS u (a))
	SELECT string_agg(format('SELECT migrate_key.create_view(%L, %L)', name, statements), E';\n' ORDER BY depth, name)
	FROM (SELECT depth, name, string_agg(statement, E';\n' ORDER BY step, n) AS statements FROM s GROUP BY depth, name) AS v;
END;

-- Run statements that lock tables against reads and writes, and drop views, which
-- are created again, with those of a key.
CREATE FUNCTION migrate_key.locked(tables regclass[], statements text, root regclass DEFAULT NULL) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET jit = off AS $$
DECLARE
	usual text := current_setting('lock_timeout');
	views regclass[] := ARRAY(SELECT view FROM migrate_key.views(root) ORDER BY depth DESC, view);
	again text;
	until timestamptz;
	step text;
BEGIN
	PERFORM migrate_key.hold(tables);
	FOR attempt IN 1 .. coalesce(nullif(current_setting('migrate_key.attempts', true), ''), '100')::integer LOOP
		BEGIN
			PERFORM set_config('lock_timeout', '150', true);
			again := migrate_key.create_views(root);
			until := clock_timestamp() + interval '150 ms';
			-- Stop writers of referenced tables first, so that those of the others finish.  Readers lock a view before its tables.
			FOR step IN
				SELECT command FROM (
					SELECT format('LOCK TABLE ONLY %s IN SHARE ROW EXCLUSIVE MODE', t), n FROM unnest(tables) WITH ORDINALITY AS a (t, n)
					WHERE cardinality(tables) > 1
					UNION ALL
					SELECT format('DROP VIEW %s', v), 10000 + n FROM unnest(views) WITH ORDINALITY AS a (v, n)
					UNION ALL
					SELECT format('LOCK TABLE ONLY %s IN ACCESS EXCLUSIVE MODE', t), 30000 - n
					FROM unnest(tables) WITH ORDINALITY AS a (t, n)) AS s (command, n)
				ORDER BY n
			LOOP
				PERFORM set_config('lock_timeout', greatest(1,
					1000 * extract(epoch FROM until - clock_timestamp()))::integer::text, true);
				EXECUTE step;
			END LOOP;
			-- These may lock more, such as a sequence.
			EXECUTE concat_ws(E';\n', statements, again);
			PERFORM set_config('lock_timeout', usual, true);
			RETURN;
		EXCEPTION WHEN lock_not_available THEN
			NULL;
		END;
		PERFORM pg_sleep(0.1 + 0.2 * random());
	END LOOP;
	RAISE EXCEPTION USING ERRCODE = '55P03', MESSAGE = format('could not lock %s', array_to_string(tables || views, ', ')),
		DETAIL = format('Processes with locks: %s.', (SELECT string_agg(DISTINCT pid::text, ', ') FROM migrate_key.locks
			WHERE relation = ANY (tables || views) AND granted AND pid <> pg_backend_pid())),
		HINT = 'Nothing has changed. Repeat the call when their transactions have ended.';
END $$;

-- Wait until all transactions that have written to a table have ended.
CREATE FUNCTION migrate_key.wait_for_writers(tab regclass) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
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

-- The indexes that use a column to be migrated, also in an expression or a condition
CREATE FUNCTION migrate_key.indexes_of(root regclass) RETURNS SETOF regclass
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT DISTINCT indexrelid::regclass FROM migrate_key.columns
		JOIN pg_attribute ON (attrelid, attname) = (tab, col)
		JOIN pg_index ON indrelid = tab AND (attnum = ANY (indkey) OR EXISTS (SELECT FROM pg_depend
			WHERE classid = 'pg_class'::regclass AND objid = indexrelid
			AND refclassid = 'pg_class'::regclass AND refobjid = tab AND refobjsubid = attnum))
	WHERE key = root $$;

-- Properties of a row of a catalog that are set, other than those listed
CREATE FUNCTION migrate_key.unknown(what text, properties jsonb, known text) RETURNS SETOF text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT format('%s has %s = %s', what, key, value) FROM jsonb_each_text(properties - string_to_array(known, ' '))
	WHERE value NOT IN ('', '0', '-1', 'false') $$;

CREATE FUNCTION migrate_key.publications(tab regclass) RETURNS SETOF name
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
	SELECT pubname FROM pg_publication_tables JOIN pg_namespace ON nspname = schemaname
	JOIN pg_class AS r ON relnamespace = pg_namespace.oid AND relname = tablename WHERE r.oid = tab $$;

-- What the swap could not carry over: all but what it knows, or accepts (NULL: all)
CREATE FUNCTION migrate_key.obstacles(root regclass, accept name[]) RETURNS SETOF text
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET jit = off AS $$
DECLARE
	silent boolean := has_parameter_privilege('session_replication_role', 'SET');
BEGIN
	RETURN QUERY
	WITH c AS (
		SELECT c.*, attnum, a AS att, format('%s.%I', tab, col) AS name
		FROM migrate_key.columns AS c JOIN pg_attribute AS a ON attrelid = tab AND attname = col WHERE c.key = root),
	t AS (SELECT DISTINCT tab, r AS rel FROM c JOIN pg_class AS r ON r.oid = tab),
	v AS (SELECT view::regclass AS view, r AS rel FROM migrate_key.views(root) JOIN pg_class AS r ON r.oid = view),
	i AS (SELECT index, p AS ind FROM migrate_key.indexes_of(root) AS index JOIN pg_index AS p ON indexrelid = index),
	k AS (
		SELECT DISTINCT k.oid, k AS con FROM c JOIN pg_constraint AS k ON contype IN ('p', 'u', 'f', 'n')
			AND (conrelid = tab AND attnum = ANY (conkey) OR contype = 'f' AND confrelid = tab AND attnum = ANY (confkey))),
	-- What is dropped, or whose name a new one gets; without a number, also its parts
	o (class, id, sub) AS (
		SELECT 'pg_class'::regclass, tab::oid, attnum::integer FROM c
		UNION SELECT 'pg_class'::regclass, index, NULL FROM i
		UNION SELECT 'pg_constraint'::regclass, oid, NULL FROM k
		UNION SELECT 'pg_class'::regclass, view, NULL FROM v
		UNION SELECT 'pg_type'::regclass, unnest(ARRAY[oid, typarray]), NULL FROM pg_type
			WHERE oid IN (SELECT (rel).reltype FROM v UNION SELECT (rel).reltype FROM t))
	SELECT format('%s is not an ordinary table, or is a part of another one', tab) FROM t
	WHERE (rel).relkind <> 'r' OR (rel).relispartition OR (rel).reloftype <> 0 OR (rel).relpersistence = 't'
		OR EXISTS (SELECT FROM pg_inherits WHERE tab IN (inhrelid, inhparent))
	UNION SELECT format('%s takes part in the migration of the key of %s', c.tab, other.key)
	FROM c JOIN migrate_key.columns AS other ON other.tab = c.tab AND other.key <> root
	UNION SELECT format('you are not the owner of %s', r.oid::regclass) FROM pg_class AS r
	WHERE r.oid IN (SELECT tab FROM t UNION SELECT view FROM v) AND NOT pg_has_role(relowner, 'USAGE')
	UNION SELECT format('%s is of type %s', name, format_type((att).atttypid, (att).atttypmod)) FROM c
	WHERE (SELECT typtype = 'd' FROM pg_type WHERE oid = (att).atttypid)
		-- no length that the others do not have
		OR parent IS NOT NULL AND (att).atttypmod <> -1 AND format_type((att).atttypid, (att).atttypmod)
			NOT IN (c.type, (SELECT format_type((att).atttypid, (att).atttypmod) FROM c WHERE parent IS NULL))
	UNION SELECT format('the new type %s is not a base type', c.type) FROM c JOIN pg_type ON oid = c.type::regtype
	WHERE typtype NOT IN ('b', 'e', 'r', 'm')
	UNION SELECT format('%s has attstorage = %s, attcompression = %s', name, (att).attstorage, (att).attcompression) FROM c
	WHERE (att).attstorage NOT IN ('p', 'e', 'm', 'x') OR (att).attcompression NOT IN ('', 'p', 'l')
	UNION SELECT u FROM c, LATERAL migrate_key.unknown(name, to_jsonb(att), 'attrelid attname atttypid attlen attnum attcacheoff atttypmod '
		'attndims attbyval attalign attstorage attcompression attnotnull atthasdef atthasmissing attislocal attcollation '
		'attstattarget attacl attoptions attmissingval') AS u
	UNION SELECT format('%s has %s', name, option) FROM c, LATERAL unnest((att).attoptions) AS o (option)
	WHERE option !~ '^(n_distinct|n_distinct_inherited|pg_attver)='
	UNION SELECT u FROM i, LATERAL migrate_key.unknown('index ' || index, to_jsonb(ind), 'indexrelid indrelid indnatts indnkeyatts indisunique '
		'indnullsnotdistinct indisprimary indimmediate indisclustered indisvalid indcheckxmin indisready indislive indkey '
		'indcollation indclass indoption indexprs indpred') AS u
	UNION SELECT format('index %s is not valid', index) FROM i WHERE NOT (ind).indisvalid
	UNION SELECT u FROM k, LATERAL migrate_key.unknown(pg_describe_object('pg_constraint'::regclass, oid, 0), to_jsonb(con),
		'oid conname connamespace contype condeferrable condeferred conenforced convalidated conrelid conindid confrelid '
		'confupdtype confdeltype confmatchtype conislocal connoinherit conkey confkey conpfeqop conppeqop conffeqop confdelsetcols') AS u
	UNION
	-- A foreign key of several columns, or to or from a column outside
	SELECT format('%s must be dropped first: it has several columns, or is not one of those found by prepare',
		pg_describe_object('pg_constraint'::regclass, oid, 0)) FROM k
	WHERE (con).contype = 'f' AND (cardinality((con).conkey) > 1
		OR NOT EXISTS (SELECT FROM c WHERE tab = (con).conrelid AND attnum = (con).conkey[1])
		OR NOT EXISTS (SELECT FROM c WHERE tab = (con).confrelid AND attnum = (con).confkey[1]))
	UNION SELECT format('%s is not valid, not enforced, or has disabled triggers', pg_describe_object('pg_constraint'::regclass, oid, 0))
	FROM k WHERE to_jsonb(con)->>'conenforced' = 'false' OR (con).contype = 'n' AND NOT (con).convalidated
		OR EXISTS (SELECT FROM pg_trigger WHERE tgconstraint = k.oid AND tgenabled <> 'O')
	UNION SELECT format('%s depends on %s', pg_describe_object(classid, objid, objsubid), pg_describe_object(class, id, coalesce(sub, 0)))
	FROM o JOIN pg_depend ON refclassid = class AND refobjid = id AND refobjsubid = coalesce(sub, refobjsubid)
	WHERE NOT CASE classid
		WHEN 'pg_attrdef'::regclass THEN EXISTS (SELECT FROM pg_attrdef WHERE oid = objid
			AND (adrelid, adnum) = (id, coalesce(sub, adnum)))
		WHEN 'pg_class'::regclass THEN objid IN (SELECT index FROM i)
			OR deptype = 'a' AND (SELECT relkind = 'S' FROM pg_class WHERE oid = objid)
		WHEN 'pg_constraint'::regclass THEN objid IN (SELECT oid FROM k) OR EXISTS (SELECT FROM pg_constraint
			WHERE oid = objid AND conrelid IN (SELECT tab FROM t) AND conname ~ '^migrate_key_\d+$')
		WHEN 'pg_proc'::regclass THEN (SELECT pronamespace = 'migrate_key'::regnamespace FROM pg_proc WHERE oid = objid)
			OR id IN (SELECT unnest(ARRAY[oid, typarray]) FROM pg_type WHERE typrelid IN (SELECT tab FROM t))
		WHEN 'pg_rewrite'::regclass THEN EXISTS (SELECT FROM pg_rewrite WHERE oid = objid
			AND ev_class IN (SELECT view FROM v) AND rulename = '_RETURN')
		WHEN 'pg_trigger'::regclass THEN (SELECT tgisinternal FROM pg_trigger WHERE oid = objid)
		WHEN 'pg_type'::regclass THEN deptype = 'i'
		ELSE false END
	UNION SELECT format('%s belongs to %s', pg_describe_object(class, id, 0), pg_describe_object(refclassid, refobjid, 0))
	FROM o JOIN pg_depend ON classid = class AND objid = id AND deptype NOT IN ('n', 'a', 'i')
	UNION SELECT format('%s has a security label', pg_describe_object(class, id, objsubid))
	FROM o JOIN pg_seclabel ON classoid = class AND objoid = id AND objsubid = coalesce(sub, objsubid)
	UNION SELECT format('privileges of %s were granted by %s', what, grantor::regrole) FROM (
		SELECT name, (att).attacl, (rel).relowner FROM c JOIN t USING (tab)
		UNION SELECT view::text, (rel).relacl, (rel).relowner FROM v
		UNION SELECT format('%s.%I', view, attname), attacl, (rel).relowner FROM v JOIN pg_attribute ON attrelid = view) AS p (what, acl, owner),
		LATERAL aclexplode(acl) WHERE grantor <> owner
	UNION SELECT format('view %s is temporary', view) FROM v WHERE (rel).relpersistence = 't'
	UNION SELECT format('row security of %s applies to you', tab) FROM t WHERE row_security_active(tab)
	UNION SELECT format('rule %I of %s', rulename, tab) FROM t JOIN pg_rewrite ON ev_class = tab
	UNION SELECT format('trigger %I of %s fires after those of migrate_key', tgname, tab)
	FROM t JOIN pg_trigger ON tgrelid = tab AND NOT tgisinternal AND tgname !~ '^zz_migrate_key_\d+$'
	WHERE tgtype & 3 = 3 AND tgtype & 20 <> 0 AND tgname >= 'zz_migrate_key_'
	UNION SELECT format('trigger %I of %s was disabled: begin again with migrate_key.undo', tgname, tab)
	FROM c JOIN pg_trigger ON tgrelid = tab AND tgname = trigger WHERE prepared AND tgenabled <> 'A'
	UNION SELECT format('trigger %I of %s fires for each row that is filled (to accept it, set search_path for its function, and '
		'name it in the fifth argument)', tgname, tab)
	FROM t JOIN pg_trigger ON tgrelid = tab AND NOT tgisinternal AND tgname !~ '^zz_migrate_key_\d+$'
	WHERE (tgname <> ALL (accept) OR NOT EXISTS (SELECT FROM pg_proc, unnest(proconfig) AS u (s) WHERE oid = tgfoid AND s ~ '^search_path='))
		AND tgtype & 16 <> 0 AND cardinality(tgattr) = 0
		AND CASE WHEN silent THEN tgenabled IN ('A', 'R') ELSE tgenabled IN ('A', 'O') END
	UNION SELECT format('a subscription writes to %s', tab) FROM t JOIN pg_subscription_rel ON srrelid = tab
	UNION SELECT CASE WHEN pubname <> ALL (accept) THEN format('publication %I has %s (to accept it, name it in the fifth argument)', pubname, tab)
		ELSE format('publication %I has no updates, not all columns or rows, or not %s', pubname, root) END
	FROM t JOIN pg_publication AS p ON p.pubname IN (SELECT migrate_key.publications(tab))
	WHERE pubname <> ALL (accept) OR NOT pubupdate OR p.pubname NOT IN (SELECT migrate_key.publications(root))
		OR EXISTS (SELECT FROM pg_publication_rel WHERE (prpubid, prrelid) = (p.oid, tab) AND (prattrs IS NOT NULL OR prqual IS NOT NULL));
END $$;

CREATE FUNCTION migrate_key.refuse(root regclass, reasons text[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF cardinality(reasons) > 0 THEN
		RAISE EXCEPTION USING ERRCODE = '2BP01', MESSAGE = format('cannot migrate the key of %s: %s', root,
			(SELECT string_agg(o, '; ' ORDER BY o COLLATE "C") FROM unnest(reasons) AS u (o)));
	END IF;
END $$;

CREATE FUNCTION migrate_key.new_types(root regclass, tab regclass, copy text) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
RETURN (SELECT string_agg(format('ALTER TABLE %s ALTER %I TYPE %s %s USING NULL', copy, col, type, coll), ';')
	FROM migrate_key.columns AS c WHERE c.key = root AND c.tab = new_types.tab);

-- Try out with empty copies of the tables what the new columns are to have; the
-- server rewrites the definitions of indexes for them.
CREATE FUNCTION migrate_key.try_copies(root regclass) RETURNS SETOF text
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	x record;
	path text;
	rest text;
	trial text;
	-- of an index, after the name of its table
	definition CONSTANT text := $q$
		SELECT substr(d, 1 + length(format('CREATE %sINDEX %I ON %I.%I ',
			CASE WHEN indisunique THEN 'UNIQUE ' ELSE '' END, i.relname,
			CASE t.relpersistence WHEN 't' THEN 'pg_temp' ELSE n.nspname END, t.relname)))
		FROM pg_index JOIN pg_class AS i ON i.oid = indexrelid JOIN pg_class AS t ON t.oid = indrelid
		JOIN pg_namespace AS n ON n.oid = t.relnamespace, LATERAL pg_get_indexdef(indexrelid) AS g (d)
		WHERE indexrelid = $1$q$;
BEGIN
	FOR x IN
		SELECT 'index ' || indexrelid::regclass AS what, indrelid::regclass AS tab, indexrelid AS index,
			CASE WHEN indisunique THEN 'UNIQUE ' ELSE '' END AS command
		FROM pg_index WHERE indexrelid IN (SELECT migrate_key.indexes_of(root))
		UNION ALL
		SELECT format('default of %s.%I', tab, col), tab, NULL,
			format('ALTER TABLE pg_temp.migrate_key_copy ALTER %I SET DEFAULT %s', col, pg_get_expr(adbin, adrelid))
		FROM migrate_key.columns JOIN pg_attribute ON (attrelid, attname) = (tab, col)
		JOIN pg_attrdef ON (adrelid, adnum) = (tab, attnum) WHERE key = root AND parent IS NOT NULL
		ORDER BY tab, index
	LOOP
		BEGIN
			EXECUTE format('CREATE TEMP TABLE migrate_key_copy (LIKE %s)', x.tab);
			IF x.index IS NOT NULL THEN
				EXECUTE definition INTO rest USING x.index;
				EXECUTE format('CREATE %sINDEX migrate_key_copy_index ON pg_temp.migrate_key_copy %s', x.command, rest);
			END IF;
			EXECUTE migrate_key.new_types(root, x.tab, 'pg_temp.migrate_key_copy');
			IF x.index IS NULL THEN
				EXECUTE x.command;
			ELSE
				EXECUTE (SELECT string_agg(format('ALTER TABLE pg_temp.migrate_key_copy RENAME %I TO %I', col, new), ';')
					FROM migrate_key.columns WHERE key = root AND tab = x.tab);
				EXECUTE definition INTO rest USING 'pg_temp.migrate_key_copy_index'::regclass;
				INSERT INTO migrate_key.indexes (key, tab, old, definition) VALUES (root, x.tab, x.index, rest);
			END IF;
			DROP TABLE pg_temp.migrate_key_copy;
		EXCEPTION WHEN OTHERS THEN
			RETURN NEXT format('%s: %s', x.what, SQLERRM);
		END;
	END LOOP;
	-- Views of temporary tables of the same names, which their definitions find first
	SELECT string_agg(DISTINCT quote_ident(nspname), ', ') INTO path FROM pg_class JOIN pg_namespace AS n ON n.oid = relnamespace
	WHERE pg_class.oid IN (SELECT view FROM migrate_key.views(root) UNION SELECT tab FROM migrate_key.columns WHERE key = root)
	HAVING count(*) = count(DISTINCT relname) AND bool_or(relkind = 'v');
	BEGIN
		FOR x IN SELECT DISTINCT tab, relname FROM migrate_key.columns JOIN pg_class ON oid = tab WHERE key = root AND path IS NOT NULL LOOP
			EXECUTE format('CREATE TEMP TABLE %I (LIKE %s INCLUDING INDEXES)', x.relname, x.tab);
			EXECUTE migrate_key.new_types(root, x.tab, format('pg_temp.%I', x.relname));
		END LOOP;
		FOR x IN SELECT view, relname, view::regclass::text AS name FROM migrate_key.views(root) JOIN pg_class ON oid = view
			WHERE path IS NOT NULL ORDER BY depth, view
		LOOP
			trial := format('view %s', x.name);
			PERFORM set_config('search_path', path || ', pg_temp', true);
			rest := pg_get_viewdef(x.view);
			PERFORM set_config('search_path', 'pg_temp, ' || path, true);
			EXECUTE format('CREATE TEMP VIEW %I AS %s', x.relname, rest);
		END LOOP;
		trial := NULL;
		RAISE SQLSTATE 'P0001';
	EXCEPTION WHEN OTHERS THEN
		IF trial IS NOT NULL THEN
			RETURN NEXT format('%s: %s', trial, SQLERRM);
		END IF;
	END;
END $$;

-- The tree of columns.  A table of the caller has a column of the new type.
CREATE FUNCTION migrate_key.find_columns(root regclass, col name, value text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	c record;
	seen integer := 0;
	given record;
BEGIN
	SELECT format_type(atttypid, atttypmod) AS type, CASE WHEN attcollation <> typcollation THEN attcollation END AS coll,
		typcollation <> 0 AS collatable INTO given
	FROM pg_attribute JOIN pg_type AS t ON t.oid = atttypid WHERE attrelid = 'pg_temp.migrate_key_type'::regclass AND attnum = 1;
	INSERT INTO migrate_key.columns (key, tab, col, type, coll, value, required)
	SELECT root, root, attname, given.type, '', find_columns.value, attnotnull FROM pg_attribute
	WHERE attrelid = root AND attname = find_columns.col AND attnum > 0 AND NOT attisdropped;
	IF NOT FOUND THEN
		RAISE EXCEPTION USING ERRCODE = '42703', MESSAGE = format('column %I of %s does not exist', col, root);
	END IF;
	LOOP
		SELECT k.*, attnum INTO c FROM migrate_key.columns AS k JOIN pg_attribute ON attrelid = tab AND attname = k.col
		WHERE k.key = root AND n > seen ORDER BY n LIMIT 1;
		EXIT WHEN NOT FOUND;
		seen := c.n;
		INSERT INTO migrate_key.columns (key, tab, col, type, coll, parent, equal, required)
		SELECT DISTINCT ON (conrelid, attname) root, conrelid, attname, given.type, '', c.n,
			format('OPERATOR(%I.%s)', nspname, oprname), attnotnull
		FROM pg_constraint JOIN pg_attribute AS a ON attrelid = conrelid AND attnum = conkey[1]
		JOIN pg_operator AS o ON o.oid = conpfeqop[1] JOIN pg_namespace AS s ON s.oid = oprnamespace
		WHERE contype = 'f' AND confrelid = c.tab AND confkey = ARRAY[c.attnum]
		ON CONFLICT DO NOTHING;
	END LOOP;
	UPDATE migrate_key.columns AS k SET coll = 'COLLATE ' || coalesce(given.coll, attcollation)::regcollation
	FROM pg_attribute WHERE key = root AND (attrelid, attname) = (tab, k.col) AND given.collatable
		AND coalesce(given.coll, attcollation) <> 0;
END $$;

-- The expression as a function of a row, parsed with the search_path of the caller
CREATE FUNCTION migrate_key.create_value(number integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	c migrate_key.columns;
BEGIN
	SELECT * INTO c FROM migrate_key.columns WHERE n OPERATOR(pg_catalog.=) number;
	EXECUTE pg_catalog.format('CREATE FUNCTION migrate_key.value_%s(%s) RETURNS %s LANGUAGE sql VOLATILE '
		'RETURN (SELECT (%s) FROM (SELECT ($1).*) AS %I)', c.n, c.tab, c.type, c.value,
		(SELECT relname FROM pg_catalog.pg_class WHERE oid OPERATOR(pg_catalog.=) c.tab));
END $$;

-- A trigger function runs as the owner: who writes to a table need not be allowed to read the other one.
CREATE FUNCTION migrate_key.create_trigger(number integer) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	c migrate_key.columns;
	p migrate_key.columns;
	value text;
	storage text;
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
	SELECT CASE WHEN attstorage <> o.typstorage THEN format('; ALTER TABLE %s ALTER %I SET STORAGE %s', c.tab, c.new,
			CASE attstorage WHEN 'p' THEN 'PLAIN' WHEN 'e' THEN 'EXTERNAL' WHEN 'm' THEN 'MAIN' WHEN 'x' THEN 'EXTENDED' END) ELSE '' END ||
		CASE WHEN attcompression <> '' THEN format('; ALTER TABLE %s ALTER %I SET COMPRESSION %s', c.tab, c.new,
			CASE attcompression WHEN 'p' THEN 'pglz' WHEN 'l' THEN 'lz4' END) ELSE '' END INTO storage
	FROM pg_attribute JOIN pg_type AS o ON o.oid = atttypid, pg_type AS t
	WHERE (attrelid, attname) = (c.tab, c.col) AND t.oid = c.type::regtype AND t.typstorage <> 'p';
	-- The last one in the order of names; the referenced column comes first.
	PERFORM migrate_key.locked(ARRAY[c.tab], format($f$
		ALTER TABLE %1$s ADD %2$I %3$s %6$s %7$s;
		CREATE TRIGGER %4$I BEFORE INSERT OR UPDATE ON %1$s
		FOR EACH ROW EXECUTE FUNCTION migrate_key.set_%5$s();
		ALTER TABLE %1$s ENABLE ALWAYS TRIGGER %4$I$f$,
		c.tab, c.new, c.type, c.trigger, c.n, c.coll, storage));
	UPDATE migrate_key.columns SET prepared = true WHERE n = number;
END $$;

CREATE FUNCTION migrate_key.plan(root regclass, col name, value text, accept name[])
RETURNS integer[] LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	known migrate_key.columns;
BEGIN
	SELECT * INTO known FROM migrate_key.columns AS k WHERE k.key = root AND parent IS NULL;
	IF NOT FOUND THEN
		PERFORM migrate_key.find_columns(root, col, value);
		PERFORM migrate_key.refuse(root, ARRAY(SELECT migrate_key.obstacles(root, accept) UNION SELECT migrate_key.try_copies(root)));
	ELSIF (known.col, known.type, known.value) IS DISTINCT FROM (col, (SELECT format_type(atttypid, atttypmod) FROM pg_attribute
		WHERE attrelid = 'pg_temp.migrate_key_type'::regclass AND attnum = 1), value)
	THEN
		RAISE EXCEPTION USING ERRCODE = '55000', MESSAGE = format('another migration of %s has begun', root),
			HINT = 'Go back with migrate_key.undo.';
	END IF;
	UPDATE migrate_key.columns AS k SET accept = plan.accept WHERE k.key = root AND parent IS NULL;
	DROP TABLE pg_temp.migrate_key_type;
	RETURN ARRAY(SELECT n FROM migrate_key.columns WHERE key = root AND NOT prepared ORDER BY n);
END $$;

CREATE PROCEDURE migrate_key.prepare("table" regclass, "column" name, type text, value text,
	accept name[] DEFAULT '{}') LANGUAGE plpgsql AS $$
DECLARE
	todo integer[];
	number integer;
BEGIN
	PERFORM migrate_key.only_here("table");
	-- with the search_path of the caller
	EXECUTE pg_catalog.format('CREATE TEMP TABLE migrate_key_type (new %s)', type);
	todo := migrate_key.plan("table", "column", value, coalesce(pg_catalog.array_remove(accept, NULL), '{}'));
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
CREATE FUNCTION migrate_key.require(root regclass) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	PERFORM migrate_key.only_here(root);
	IF NOT EXISTS (SELECT FROM migrate_key.columns WHERE key = root)
		OR EXISTS (SELECT FROM migrate_key.columns WHERE key = root AND NOT prepared)
	THEN
		RAISE EXCEPTION USING ERRCODE = '55000', MESSAGE = format('%s is not prepared', root),
			HINT = 'CALL migrate_key.prepare, also if it was interrupted.';
	END IF;
END $$;

CREATE FUNCTION migrate_key.fill("table" regclass) RETURNS SETOF text LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	PERFORM migrate_key.require("table");
	PERFORM migrate_key.refuse("table", ARRAY(SELECT migrate_key.obstacles(key, accept) FROM migrate_key.columns
		WHERE key = "table" AND parent IS NULL));
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
	PERFORM set_config('session_replication_role', 'replica', true) WHERE has_parameter_privilege('session_replication_role', 'SET');
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

-- Begin to fill a column, or again if the table was rewritten (VACUUM FULL).
CREATE FUNCTION migrate_key.begin_fill(number integer) RETURNS migrate_key.columns
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	c migrate_key.columns;
BEGIN
	SELECT * INTO c FROM migrate_key.columns WHERE n = number;
	PERFORM migrate_key.only_here(c.key);
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

CREATE PROCEDURE migrate_key.fill_part(number integer, part integer) LANGUAGE plpgsql AS $$
DECLARE
	c migrate_key.columns;
	batch pg_catalog.int8 := 2;
	total pg_catalog.int8 := 0;
	upto pg_catalog.int8;
	until pg_catalog.int8;
	began pg_catalog.timestamptz := pg_catalog.clock_timestamp();
	told pg_catalog.timestamptz := began;
	t pg_catalog.timestamptz;
	took pg_catalog.float8;
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
		took := extract(epoch FROM clock_timestamp() - t);
		IF migrate_key.advance(number, upto) THEN
			batch := greatest(1, least(2 * batch, 4096, batch * 0.05 / greatest(0.001, took)));
			pause := 0;
		ELSE
			pause := least(1, 2 * coalesce(pause, 0) + 0.01);
		END IF;
		IF clock_timestamp() > told + interval '10 s' THEN
			told := clock_timestamp();
			RAISE NOTICE '%', CASE WHEN pause > 0 THEN format('%s.%I: waits for rows that others have locked, or a trigger skips', c.tab, c.col)
				ELSE migrate_key.progress(c, upto, total, told - began) END;
		END IF;
		COMMIT;
		PERFORM pg_catalog.pg_sleep(greatest(0.001, pause));	-- ends with the postmaster
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
		'SET default_tablespace = ' || quote_ident(spcname),
		format('CREATE %sINDEX CONCURRENTLY %I ON %s %s',
			CASE WHEN o.indisunique THEN 'UNIQUE ' ELSE '' END, i.new, i.tab, definition),
		CASE WHEN spcname IS NOT NULL THEN 'RESET default_tablespace' END], NULL))
	FROM migrate_key.indexes AS i JOIN pg_index AS o ON o.indexrelid = i.old
	JOIN pg_class AS c ON c.oid = i.old LEFT JOIN pg_tablespace AS s ON s.oid = c.reltablespace
	LEFT JOIN (pg_index AS x JOIN pg_class AS r ON r.oid = x.indexrelid) ON x.indrelid = i.tab AND r.relname = i.new
	WHERE i.key = "table" AND x.indisvalid IS NOT TRUE;
END $$;

CREATE PROCEDURE migrate_key.validate("table" regclass) LANGUAGE plpgsql AS $$
DECLARE
	c migrate_key.columns;
BEGIN
	PERFORM migrate_key.require("table");
	FOR c IN SELECT * FROM migrate_key.columns WHERE key OPERATOR(pg_catalog.=) "table" ORDER BY n LOOP
		PERFORM migrate_key.add_check(c);
		COMMIT;
		EXECUTE pg_catalog.format('ALTER TABLE %s VALIDATE CONSTRAINT %I', c.tab, c.new);
		PERFORM migrate_key.compare_parents(c);
		COMMIT;
	END LOOP;
END $$;

-- Nothing has changed a reference after the trigger.
CREATE FUNCTION migrate_key.compare_parents(c migrate_key.columns) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	p migrate_key.columns;
	wrong text;
BEGIN
	SELECT * INTO p FROM migrate_key.columns WHERE n = c.parent;
	IF FOUND THEN
		EXECUTE format('SELECT min(c.%1$I::text) FROM ONLY %2$s AS c JOIN ONLY %3$s AS p ON p.%4$I %5$s c.%1$I '
			'WHERE NOT record_image_eq(ROW(c.%6$I), ROW(p.%7$I))', c.col, c.tab, p.tab, p.col, c.equal, c.new, p.new) INTO wrong;
	END IF;
	IF wrong IS NOT NULL THEN
		RAISE EXCEPTION USING ERRCODE = '55000',
			MESSAGE = format('the new value of %s.%I is not that of the row that it refers to, where it is %s', c.tab, c.col, wrong),
			HINT = 'Find what changes the column after the triggers of migrate_key, and begin again with migrate_key.undo.';
	END IF;
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
		SELECT i.*, relname, nspname, indisclustered, con.oid AS con, conname, contype,
			CASE WHEN condeferrable THEN ' DEFERRABLE' ELSE '' END ||
			CASE WHEN condeferred THEN ' INITIALLY DEFERRED' ELSE '' END AS deferred
		FROM migrate_key.indexes AS i JOIN pg_class AS r ON r.oid = old JOIN pg_index ON indexrelid = old
		JOIN pg_namespace AS s ON s.oid = relnamespace LEFT JOIN pg_constraint AS con ON conindid = old AND contype IN ('p', 'u') WHERE i.key = root),
	f AS (
		SELECT DISTINCT f.oid, conrelid, conname, pg_get_constraintdef(f.oid) AS def
		FROM c JOIN pg_constraint AS f ON contype = 'f' AND confrelid = tab AND confkey = ARRAY[attnum]),
	s (step, n, statement) AS (
		SELECT 0, n, format('DROP TRIGGER %I ON %s', trigger, tab) FROM c
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
		-- since 18 a constraint with a name
		SELECT 7, n, coalesce((SELECT format('ALTER TABLE %s ADD CONSTRAINT %I %s', tab, conname, pg_get_constraintdef(oid))
				FROM pg_constraint WHERE contype = 'n' AND conrelid = tab AND conkey = ARRAY[attnum]),
			format('ALTER TABLE %s ALTER %I SET NOT NULL', tab, col)) FROM c WHERE required
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
		SELECT 9, n, migrate_key.grants(tab::text, col, a) FROM c, LATERAL unnest(attacl) AS u (a)
		UNION ALL
		SELECT 10, i.n, CASE WHEN conname IS NULL
			THEN format('ALTER INDEX %I.%I RENAME TO %I', nspname, new, relname)
			ELSE format('ALTER TABLE %s ADD CONSTRAINT %I %s USING INDEX %I%s', tab, conname,
				CASE contype WHEN 'p' THEN 'PRIMARY KEY' ELSE 'UNIQUE' END, new, deferred) END FROM i
		UNION ALL
		SELECT 11, i.n, format('ALTER INDEX %I.%I ALTER %s SET STATISTICS %s', nspname, relname, attnum, attstattarget)
		FROM i JOIN pg_attribute ON attrelid = old WHERE attstattarget >= 0
		UNION ALL
		SELECT 11, i.n, format('COMMENT ON INDEX %I.%I IS %L', nspname, relname, obj_description(old, 'pg_class'))
		FROM i WHERE obj_description(old, 'pg_class') IS NOT NULL
		UNION ALL
		SELECT 11, k.n, format('COMMENT ON CONSTRAINT %I ON %s IS %L', conname, tab, obj_description(con, 'pg_constraint'))
		FROM (SELECT n, con, conname, tab FROM i UNION ALL SELECT n, oid, conname, tab FROM c JOIN pg_constraint
			ON contype = 'n' AND conrelid = tab AND conkey = ARRAY[attnum]) AS k WHERE obj_description(con, 'pg_constraint') IS NOT NULL
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
	PERFORM migrate_key.refuse(root, ARRAY(SELECT migrate_key.obstacles(root, NULL)));
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
		SELECT format('a name for the old key, because publication %I has the table', p) FROM migrate_key.publications(root) AS p
		WHERE keep IS NULL
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
	PERFORM migrate_key.locked(tables, statements, root);
	DELETE FROM migrate_key.indexes AS i WHERE i.key = root;
	DELETE FROM migrate_key.columns AS c WHERE c.key = root;
END $$;

CREATE PROCEDURE migrate_key.swap("table" regclass, "default" text DEFAULT NULL, keep name DEFAULT NULL) LANGUAGE plpgsql AS $$
DECLARE
	col pg_catalog.name := (SELECT k.col FROM migrate_key.columns AS k
		WHERE key OPERATOR(pg_catalog.=) "table" AND parent IS NULL);
BEGIN
	PERFORM migrate_key.swap_columns("table", keep, "default" IS NULL);
	-- with the search_path of the caller
	IF "default" IS NOT NULL THEN
		EXECUTE pg_catalog.format('ALTER TABLE %s ALTER %I SET DEFAULT %s', "table", col, "default");
	END IF;
	-- A subscriber stops here, before a row whose columns have other names.
	IF EXISTS (SELECT FROM migrate_key.publications("table")) THEN
		PERFORM migrate_key.touch("table", col);
	END IF;
END $$;

CREATE FUNCTION migrate_key.touch(tab regclass, col name) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	PERFORM set_config('session_replication_role', 'replica', true) WHERE has_parameter_privilege('session_replication_role', 'SET');
	EXECUTE format('UPDATE %1$s SET %2$I = %2$I WHERE %2$I = (SELECT %2$I FROM %1$s ORDER BY 1 LIMIT 1)', tab, col);
END $$;

CREATE PROCEDURE migrate_key.finish("table" regclass) LANGUAGE plpgsql AS $$
DECLARE
	f migrate_key.foreign_keys;
BEGIN
	PERFORM migrate_key.only_here("table");
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

CREATE FUNCTION migrate_key.check_end(root regclass) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
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
		PERFORM migrate_key.locked(ARRAY[c.tab], format('DROP TRIGGER %I ON %s; ALTER TABLE %2$s DROP COLUMN %3$I', c.trigger, c.tab, c.new));
	END IF;
	EXECUTE format('DROP FUNCTION IF EXISTS migrate_key.set_%s()', c.n);
	IF c.parent IS NULL THEN
		EXECUTE format('DROP FUNCTION IF EXISTS migrate_key.value_%s', c.n);
	END IF;
	DELETE FROM migrate_key.columns WHERE n = c.n;
END $$;

CREATE PROCEDURE migrate_key.undo("table" regclass) LANGUAGE plpgsql AS $$
DECLARE
	c migrate_key.columns;
BEGIN
	PERFORM migrate_key.only_here("table");
	IF EXISTS (SELECT FROM migrate_key.foreign_keys WHERE key OPERATOR(pg_catalog.=) "table") THEN
		RAISE EXCEPTION USING ERRCODE = '55000', MESSAGE = pg_catalog.format('the columns of %s are swapped', "table"),
			HINT = 'CALL migrate_key.finish, and migrate in the other direction.';
	END IF;
	DELETE FROM migrate_key.indexes WHERE key OPERATOR(pg_catalog.=) "table";
	FOR c IN SELECT * FROM migrate_key.columns WHERE key OPERATOR(pg_catalog.=) "table" ORDER BY n DESC LOOP
		PERFORM migrate_key.undo_column(c);
		COMMIT;
	END LOOP;
END $$;
COMMIT;
