--
-- partitions.sql: functions for tables that are partitioned by their ids
--
--	psql -v ON_ERROR_STOP=1 -f contrib/partitions.sql
--
-- creates the functions of doc/partitioning.md in the first schema of
-- search_path.  They need no superuser, and take tables of any format.  After an
-- error, a cancel or a crash, run the same again.
-- create_months(parent, bound, first, months) creates months of UTC beside their
--	parent, or finds that they exist.  They are like it, with the storage parameters
--	of the partition that was created last.
-- drop_months(parent, before) returns statements that mark the months before a
--	time by a comment and detach them, and that drop those that are detached.  If
--	foreign keys link other tables, they wait at most 500 ms, or your lock_timeout,
--	for each lock and each old transaction.
-- partition_table(table, column, bound, first, months)
--	1. A valid constraint "old_ids" proves that all ids are before the first month.
--	2. partition_table exchanges the table, without reading rows, for a new one of
--	   the same name, whose first partition it becomes as <table>_old.
--	3. The statements of keys_to(table) validate the foreign keys of other tables.
--	Carried over, by name: columns and all their properties, privileges, comments,
--	constraints, foreign keys in both directions, indexes, owned sequences, views,
--	replica identity.  <table>_old keeps its storage parameters and CLUSTER ON.
--	Refused, by name, before anything changes: identity columns (make the sequence a
--	default), triggers, policies, rules, publications, extended statistics, security
--	labels, materialized views, functions, and whatever else depends on the table or
--	its row type; keys to itself or, until 17, of partitioned tables; unique indexes
--	without the id; what is NOT VALID or NO INHERIT; and all that is not equal when
--	the catalogs are compared in the end.
-- keep_copy() and copy_rows(original, copy, id, batch) keep and fill a copy.
BEGIN;
-- Create a table like another one, with what LIKE does not copy.
CREATE FUNCTION create_like(child text, source regclass, clause text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('CREATE TABLE %s (LIKE %s INCLUDING ALL EXCLUDING IDENTITY) %s', child, source, clause);
	EXECUTE format('ALTER TABLE %s OWNER TO %s%s%s', child, relowner::regrole,
		CASE relreplident WHEN 'f' THEN ', REPLICA IDENTITY FULL' WHEN 'n' THEN ', REPLICA IDENTITY NOTHING' END,
		(SELECT string_agg(format(', ALTER %I SET STATISTICS %s', attname, attstattarget), '') FROM pg_attribute
		WHERE attrelid = source AND attnum > 0 AND NOT attisdropped AND attstattarget >= 0)) FROM pg_class WHERE oid = source;
END $$;

-- bound is a function, such as 'uuid_v7_min'.  ATTACH PARTITION takes weaker locks
-- than CREATE TABLE ... PARTITION OF: reads and writes of the parent go on.
CREATE FUNCTION create_months(parent regclass, bound text, first timestamptz, months integer) RETURNS void
	LANGUAGE plpgsql SET timezone = 'UTC' SET lock_timeout = '500ms' AS $$
DECLARE month timestamptz; child text; bounds text;
BEGIN
	EXECUTE format('LOCK TABLE ONLY %s IN SHARE UPDATE EXCLUSIVE MODE', parent);
	FOR n IN 0 .. months - 1 LOOP
		month := date_trunc('month', first) + n * interval '1 month';
		SELECT format('%s.%I', relnamespace::regnamespace, relname || to_char(month, '_YYYY_MM')) INTO child
		FROM pg_class WHERE oid = parent AND octet_length(relname || to_char(month, '_YYYY_MM')) < 64;
		IF child IS NULL THEN
			RAISE EXCEPTION 'the name of table % is too long to be followed by a month', parent
				USING ERRCODE = 'name_too_long', HINT = 'Rename the table.';
		END IF;
		EXECUTE format('SELECT format(''FOR VALUES FROM (%%L) TO (%%L)'', %1$s(%2$L), %1$s(%3$L))', bound, month,
			month + interval '1 month') INTO bounds;
		IF to_regclass(child) IS NULL THEN
			PERFORM create_like(child, parent, (SELECT 'WITH (' || string_agg(option, ', ') || ')'
				FROM pg_class AS c LEFT JOIN pg_class AS t ON t.oid = c.reltoastrelid,
				LATERAL (SELECT unnest(c.reloptions) UNION ALL SELECT 'toast.' || unnest(t.reloptions)) AS o (option)
				WHERE c.oid = (SELECT max(inhrelid) FROM pg_inherits WHERE inhparent = parent)));
			EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s %s', parent, child, bounds);
		ELSIF NOT EXISTS (SELECT FROM pg_inherits JOIN pg_class ON oid = inhrelid WHERE inhparent = parent
			AND oid = to_regclass(child) AND NOT inhdetachpending AND pg_get_expr(relpartbound, oid) = bounds)
		THEN
			RAISE EXCEPTION 'relation % is not the partition of % %', child, parent, bounds USING ERRCODE = 'duplicate_table',
				HINT = 'Rename the relation, or attach it. Rows of a month without a partition are rejected.';
		END IF;
	END LOOP;
END $$;

CREATE FUNCTION drop_months(parent regclass, before timestamptz) RETURNS SETOF text
	LANGUAGE plpgsql STABLE SET timezone = 'UTC' AS $$
DECLARE mark text := 'to be dropped by drop_months of ' || (pg_identify_object('pg_class'::regclass, parent, 0)).identity;
	-- DETACH locks tables that foreign keys link to this one, and writers wait behind it.
	wait CONSTANT text := (SELECT max('SET lock_timeout = ') FROM pg_constraint
		WHERE parent IN (conrelid, confrelid) AND contype = 'f' AND current_setting('lock_timeout') = '0');
BEGIN
	-- What is detached comes first; then an interrupted one, until which no other can be detached.
	RETURN QUERY SELECT unnest(array_remove(CASE WHEN how IS NULL
		THEN ARRAY[format('SET LOCAL lock_timeout = %L; DROP TABLE %s', coalesce(nullif(current_setting('lock_timeout'), '0'), '500ms'), child)]
		ELSE ARRAY[format('COMMENT ON TABLE %s IS %L', child, mark), wait || '''500ms''',
			format('ALTER TABLE %s DETACH PARTITION %s %s', parent, child, how), wait || '0'] END, NULL))
	FROM (SELECT c.oid::regclass, CASE inhdetachpending WHEN true THEN 'FINALIZE' WHEN false THEN 'CONCURRENTLY' END
		FROM pg_class AS p JOIN pg_class AS c ON left(c.relname, -8) = p.relname AND c.relname ~ '_\d{4}_\d\d$'
			AND right(c.relname, 7) < to_char(before, 'YYYY_MM')
		LEFT JOIN pg_inherits ON (inhrelid, inhparent) = (c.oid, p.oid)
		WHERE p.oid = parent AND (inhrelid IS NOT NULL OR NOT c.relispartition AND obj_description(c.oid, 'pg_class') = mark)) AS m (child, how)
	ORDER BY how DESC NULLS FIRST, child::text;
END $$;

-- What a table has: what the catalogs say, without what always differs in a new
-- partitioned table; why it cannot be carried over; and statements that take it
-- from this table, and that give it to the one that has the name then.
CREATE FUNCTION table_parts(tab regclass, id name)
	RETURNS TABLE (part text, fact jsonb, obstacle text, remove text, make text) LANGUAGE sql STABLE SET jit = off AS $$
	SELECT part, (SELECT jsonb_object_agg(key, value) FROM jsonb_each(fact) WHERE key !~ ('^(oid|rel(name|type|am|filenode|pages|tuples|'
			'allvisible|allfrozen|toastrelid|hasindex|hasrules|kind|natts|checks|hastriggers|hassubclass|frozenxid|minmxid|acl|options)|'
			'att(relid|num|ndims|cacheoff|hasmissing|missingval|acl|options)|con(relid|frelid|indid|key|fkey|bin|noinherit|validated|fdelsetcols)|'
			'ind(exrelid|relid|key|exprs|pred|checkxmin|isclustered))$'))
			|| jsonb_build_object('definition', definition, 'comment', comment), obstacle, remove,
		concat_ws('; ', CASE WHEN part ~ '^(GRANT|ALTER) ' THEN part END, make,
			CASE WHEN part ~ '^(TABLE|CONSTRAINT) ' THEN format('COMMENT ON %s IS %L', part, comment) END)
	FROM (
		SELECT 'TABLE ' || tab, to_jsonb(c), NULL, obj_description(oid, 'pg_class'), CASE
			WHEN relkind <> 'r' OR relpersistence <> 'p' OR reloftype <> 0 OR reltablespace <> 0
				OR relam <> (SELECT oid FROM pg_am WHERE amname = current_setting('default_table_access_method'))
				OR EXISTS (SELECT FROM pg_inherits WHERE tab IN (inhrelid, inhparent) UNION ALL SELECT FROM pg_subscription_rel WHERE srrelid = tab)
				OR EXISTS (SELECT FROM pg_depend WHERE (classid, objid) = ('pg_class'::regclass, tab) AND deptype = 'e')
				OR EXISTS (SELECT FROM pg_seclabel WHERE (classoid, objoid) = ('pg_class'::regclass, tab))
				THEN 'is not an ordinary table of its own in the default tablespace, without security labels'
			WHEN relrowsecurity OR relforcerowsecurity THEN 'has row security'
			WHEN EXISTS (SELECT FROM pg_trigger WHERE tab IN (tgrelid, tgconstrrelid) AND tgisinternal AND tgenabled <> 'O') THEN 'has disabled keys'
			WHEN relreplident = 'i' THEN 'has an index as its replica identity' END, NULL, NULL
		FROM pg_class AS c WHERE oid = tab
		UNION ALL
		SELECT format('COLUMN %s.%I', tab, attname), to_jsonb(a), concat(pg_get_expr(adbin, tab),
				regexp_replace(attoptions::text, '^{pg_attver[^,]*}$', '')), col_description(tab, attnum), CASE
			WHEN attidentity <> '' THEN 'is an identity column' WHEN attname = id AND NOT attnotnull THEN 'may be NULL' END, NULL, NULL
		FROM pg_attribute AS a LEFT JOIN pg_attrdef ON (adrelid, adnum) = (tab, attnum) WHERE attrelid = tab AND attnum > 0 AND NOT attisdropped
		UNION ALL
		SELECT format('GRANT %s%s ON %s TO %s%s', privilege_type, col, tab, who, CASE WHEN is_grantable THEN ' WITH GRANT OPTION' END),
			jsonb_build_object('grantor', grantor::regrole), NULL, NULL, NULL,
			CASE WHEN grantee <> relowner THEN format('REVOKE ALL ON %s FROM %s CASCADE', tab, who) END, NULL
		FROM pg_class AS c, LATERAL (SELECT '', coalesce(relacl, acldefault('r', relowner)) UNION ALL
			SELECT format(' (%I)', attname), attacl FROM pg_attribute WHERE attrelid = tab AND NOT attisdropped) AS l (col, acl),
			aclexplode(acl), regexp_replace(grantee::regrole::text, '^-$', 'PUBLIC') AS who WHERE c.oid = tab
		UNION ALL
		SELECT format('ALTER SEQUENCE %s OWNED BY %s.%I', objid::regclass, tab, attname), '{"owned": true}', NULL, NULL, NULL, NULL, NULL
		FROM pg_depend JOIN pg_class AS q ON q.oid = objid AND relkind = 'S' JOIN pg_attribute ON (attrelid, attnum) = (refobjid, refobjsubid)
		WHERE classid = 'pg_class'::regclass AND refclassid = classid AND refobjid = tab
		UNION ALL
		SELECT format('CONSTRAINT %I ON %s', conname, conrelid::regclass), to_jsonb(k), def, obj_description(k.oid, 'pg_constraint'), CASE
			WHEN contype NOT IN ('p', 'u', 'c', 'f', 'n') OR conrelid = confrelid OR NOT convalidated OR contype IN ('c', 'n') AND connoinherit
				OR confrelid = tab AND relkind = 'p' AND current_setting('server_version_num')::integer < 180000
				THEN 'is ' || pg_get_constraintdef(k.oid) END,
			CASE WHEN confrelid = tab THEN format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) END,
			CASE WHEN contype = 'f' THEN format('ALTER TABLE %s ADD CONSTRAINT %I %s%s', conrelid::regclass, conname, def,
				CASE WHEN confrelid = tab THEN ' NOT VALID' END) END
		FROM pg_constraint AS k JOIN pg_class AS c ON c.oid = conrelid, replace(pg_get_constraintdef(k.oid), ' NOT VALID', '') AS def
		WHERE tab IN (conrelid, confrelid) AND conparentid = 0 AND conname <> 'old_ids'
		UNION ALL
		SELECT format('INDEX %I', relname), to_jsonb(i), format('%s %s %s', replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON '),
				reltablespace, (SELECT array_agg(attstattarget ORDER BY attnum) FROM pg_attribute WHERE attrelid = indexrelid)),
			obj_description(indexrelid, 'pg_class'), CASE WHEN NOT indisvalid THEN 'is not valid'
			WHEN indisunique AND NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = tab AND attname = id AND attnum = ANY (indkey))
				THEN 'is unique without the id' END, NULL, NULL
		FROM pg_index AS i JOIN pg_class AS c ON c.oid = indexrelid WHERE indrelid = tab
		UNION ALL
		SELECT 'VIEW ' || c.oid::regclass, to_jsonb(c), format('%s %s %s', def, relacl, reloptions), NULL, NULL, NULL,
			format('CREATE OR REPLACE VIEW %s%s AS %s', c.oid::regclass, ' WITH (' || array_to_string(reloptions, ', ') || ')', def)
		FROM pg_class AS c, rtrim(pg_get_viewdef(c.oid), ';') AS def WHERE relkind = 'v' AND c.oid IN (SELECT ev_class FROM pg_depend
			JOIN pg_rewrite AS r ON (classid, objid) = ('pg_rewrite'::regclass, r.oid) WHERE (refclassid, refobjid) = ('pg_class'::regclass, tab))
		UNION ALL
		SELECT format('PUBLICATION %I', pubname), NULL, NULL, NULL, 'does not have publish_via_partition_root', NULL, NULL
		FROM pg_publication WHERE NOT pubviaroot AND tab IN (SELECT relid FROM pg_get_publication_tables(pubname))
		UNION ALL
		SELECT pg_describe_object(classid, objid, objsubid), NULL, NULL, NULL, 'depends on it', NULL, NULL
		FROM pg_type AS y JOIN pg_depend ON (refclassid, refobjid) IN (('pg_class'::regclass, tab), ('pg_type'::regclass, y.oid),
			('pg_type'::regclass, typarray))
		WHERE typrelid = tab AND NOT (deptype = 'i' AND classid IN ('pg_class'::regclass, 'pg_type'::regclass) OR refobjid = tab AND (
			classid IN ('pg_attrdef'::regclass, 'pg_constraint'::regclass)
			OR (classid, (SELECT relkind FROM pg_class WHERE oid = objid)) IN (('pg_class'::regclass, 'i'), ('pg_class'::regclass, 'S'))
			OR EXISTS (SELECT FROM pg_rewrite AS r JOIN pg_class AS v ON v.oid = ev_class
				WHERE (classid, objid, relkind) = ('pg_rewrite'::regclass, r.oid, 'v'))))
	) AS p (part, fact, definition, comment, obstacle, remove, make) $$;

-- The new table is called <table>_old at first, so that the server chooses names
-- for its indexes that are free; then all names are swapped.
CREATE FUNCTION partition_table(tab regclass, id name, bound text, first timestamptz, months integer) RETURNS void
	LANGUAGE plpgsql SET lock_timeout = '100ms' SET constraint_exclusion = on SET jit = off AS $$
DECLARE facts text[]; removes text; makes text; wrong text; upto text; plan text; new regclass;
	schema CONSTANT regnamespace := (SELECT relnamespace FROM pg_class WHERE oid = tab);
	old CONSTANT text := format('%s.%I', schema, (SELECT (relname || '_old')::name FROM pg_class WHERE oid = tab));
BEGIN
	EXECUTE format('SELECT %s(%L)', bound, date_trunc('month', first, 'UTC')) INTO upto;
	-- Stop writers of the table first, so that those of tables that refer to it can
	-- finish.  Readers of a view have locked it before the table.
	EXECUTE concat_ws('; ', format('LOCK TABLE ONLY %s IN SHARE ROW EXCLUSIVE MODE', tab),
		(SELECT string_agg(p.make, '; ') FROM table_parts(tab, id) AS p WHERE part ~ '^VIEW '),
		(SELECT format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', string_agg('ONLY ' || t::regclass, ', ' ORDER BY t = tab, t))
		FROM (SELECT unnest(ARRAY[conrelid, confrelid]) FROM pg_constraint WHERE tab IN (conrelid, confrelid) UNION SELECT tab) AS u (t) WHERE t <> 0));
	EXECUTE format('EXPLAIN (COSTS off) SELECT FROM %s WHERE %I >= %L', tab, id, upto) INTO plan;
	SELECT string_agg(DISTINCT (part || ' ' || obstacle) COLLATE "C", '; '), string_agg(DISTINCT remove, '; '), string_agg(DISTINCT make, '; '),
		array_agg(format('%s: %s %s', part, key, value)) INTO wrong, removes, makes, facts
	FROM table_parts(tab, id) LEFT JOIN LATERAL jsonb_each_text(fact) ON true;
	-- ATTACH, unlike EXPLAIN, does not evaluate a STABLE fluid_min(ts).
	wrong := concat_ws('; ', wrong, CASE WHEN plan !~ '^Result' OR EXISTS (SELECT FROM pg_constraint AS k JOIN pg_depend ON objid = k.oid
		JOIN pg_proc AS f ON (refclassid, refobjid) = ('pg_proc'::regclass, f.oid) WHERE conrelid = tab AND conname = 'old_ids' AND provolatile <> 'i')
		THEN 'CONSTRAINT old_ids does not prove that all ids are less than ' || upto END);
	IF wrong <> '' THEN
		RAISE EXCEPTION 'cannot partition table %: %', tab, wrong USING ERRCODE = 'feature_not_supported',
			HINT = 'Change or drop this. It can be created again in the same transaction, if a partitioned table may have it.';
	END IF;
	PERFORM create_like(old, tab, format('PARTITION BY RANGE (%I)', id));
	new := old;
	EXECUTE concat_ws('; ', removes, (SELECT string_agg(p.remove, '; ') FROM table_parts(new, id) AS p WHERE part ~ '^GRANT '),
		format('ALTER TABLE %s DROP CONSTRAINT old_ids', old),
		(WITH o AS (SELECT *, row_number() OVER (PARTITION BY relation ORDER BY oid) AS n FROM (SELECT oid, 'TABLE', relname, 0 FROM pg_class
			UNION ALL SELECT indrelid, 'INDEX', relname, oid FROM pg_index JOIN pg_class ON oid = indexrelid) AS a (relation, kind, name, oid))
		SELECT string_agg(format('ALTER %1$s %2$s.%3$I RENAME TO partition_table; ALTER %1$s %2$s.%4$I RENAME TO %3$I; '
			'ALTER %1$s %2$s.partition_table RENAME TO %4$I', a.kind, schema, a.name, b.name), '; ')
		FROM o AS a JOIN o AS b USING (n) WHERE a.relation = tab AND b.relation = new),
		makes, format('ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM (MINVALUE) TO (%L)', tab, old, upto),
		format('ALTER TABLE %s DROP CONSTRAINT old_ids', old));
	PERFORM create_months(new, bound, first, months);
	WITH n AS (SELECT format('%s: %s %s', part, key, value) AS f FROM table_parts(new, id), jsonb_each_text(fact))
	SELECT string_agg(f, '; ' ORDER BY f COLLATE "C") INTO wrong FROM (
		(SELECT 'old ' || unnest(facts) EXCEPT SELECT 'old ' || f FROM n)
		UNION ALL (SELECT 'new ' || f FROM n EXCEPT SELECT 'new ' || unnest(facts))) AS d (f);
	IF wrong IS NOT NULL THEN
		RAISE EXCEPTION 'the partitioned table would differ from table %: %', new, wrong USING ERRCODE = 'feature_not_supported';
	END IF;
END $$;

-- The statements that drop the foreign keys to a table, that add the same ones to
-- the table that has its name then, and that validate them, without blocking
CREATE FUNCTION keys_to(referenced regclass, OUT drop_keys text, OUT add_keys text, OUT validate_keys text) LANGUAGE sql STABLE AS $$
	SELECT coalesce(string_agg(remove, '; '), ''), coalesce(string_agg(make, '; '), ''),
		string_agg(replace(remove, ' DROP CONSTRAINT ', ' VALIDATE CONSTRAINT '), '; ' ORDER BY part COLLATE "C")
	FROM table_parts(referenced, NULL) WHERE part ~ '^CONSTRAINT ' AND remove IS NOT NULL $$;

-- Trigger: apply a change to a copy, too.  Arguments: the copy, and the column of the id.  If a snapshot does not
-- show that a row has been copied, the first INSERT reports that the transaction must be repeated.
CREATE FUNCTION keep_copy() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE columns text := (SELECT string_agg(quote_ident(attname), ', ') FROM pg_attribute
		WHERE attrelid = TG_RELID AND attnum > 0 AND NOT attisdropped AND attgenerated = '');
BEGIN
	IF TG_OP <> 'INSERT' THEN
		EXECUTE format('INSERT INTO %s (%s) SELECT %2$s FROM (SELECT ($1).*) AS r ON CONFLICT DO NOTHING', TG_ARGV[0], columns) USING OLD;
		EXECUTE format('DELETE FROM %s WHERE %I = ($1).%2$I', TG_ARGV[0], TG_ARGV[1]) USING OLD;
	END IF;
	IF TG_OP <> 'DELETE' THEN
		EXECUTE format('INSERT INTO %s (%s) SELECT %2$s FROM (SELECT ($1).*) AS r', TG_ARGV[0], columns) USING NEW;
	END IF;
	RETURN NULL;
END $$;

-- Copy the rows that are not in the copy yet, some per transaction, in the order of their ids.  FOR SHARE: a row that
-- is deleted meanwhile would otherwise come back.  The timeout resolves deadlocks with updates in another order.
CREATE PROCEDURE copy_rows(original regclass, copy regclass, id name, batch integer DEFAULT 5000) LANGUAGE plpgsql AS $$
DECLARE last text; number bigint; total bigint := 0;
	columns text := (SELECT string_agg(quote_ident(attname), ', ') FROM pg_attribute
		WHERE attrelid = original AND attnum > 0 AND NOT attisdropped AND attgenerated = '');
BEGIN
	LOOP
		BEGIN
			PERFORM set_config('lock_timeout', '100ms', true);
			EXECUTE format('WITH part AS (SELECT * FROM %1$s WHERE %5$s ORDER BY %3$I LIMIT %4$s FOR SHARE), '
				'copied AS (INSERT INTO %2$s (%6$s) SELECT %6$s FROM part ON CONFLICT DO NOTHING) '
				'SELECT count(*), (array_agg(%3$I ORDER BY %3$I DESC))[1] FROM part', original, copy, id, batch,
				CASE WHEN last IS NULL THEN 'true' ELSE format('%I > %L', id, last) END, columns) INTO number, last;
		EXCEPTION WHEN lock_not_available THEN
			CONTINUE;
		END;
		COMMIT;
		PERFORM pg_sleep(0.001);	-- ends with the postmaster
		total := total + number;
		CONTINUE WHEN number = batch AND total % (20 * batch) <> 0;
		RAISE INFO '% rows of % are copied', total, original;
		EXIT WHEN number < batch;
	END LOOP;
END $$;
COMMIT;
