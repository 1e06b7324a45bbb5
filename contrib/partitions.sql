--
-- partitions.sql: functions for tables that are partitioned by their ids
--
--	psql -v ON_ERROR_STOP=1 -f contrib/partitions.sql
--
-- creates the functions of doc/partitioning.md in the first schema of
-- search_path.  They need no superuser, and take tables of any format.
--
BEGIN;

-- Create the months of a table, which are those of UTC, unless they exist.
-- bound is the function for bounds, such as 'uuid_v7_min'.  ATTACH PARTITION
-- takes weaker locks than CREATE TABLE ... PARTITION OF: reads and writes of the
-- parent go on.
CREATE FUNCTION create_months(parent name, bound text, first timestamptz,
	months integer) RETURNS void
	LANGUAGE plpgsql SET timezone = 'UTC' SET lock_timeout = '500ms' AS $$
DECLARE
	month timestamptz;
	suffix text;
	child name;
BEGIN
	FOR n IN 0 .. months - 1 LOOP
		month := date_trunc('month', first) + n * interval '1 month';
		suffix := to_char(month, '_YYYY_MM');
		child := parent || suffix;
		IF right(child, 8) <> suffix THEN
			RAISE EXCEPTION 'the name of table "%" is too long to be followed by a month', parent
				USING ERRCODE = 'name_too_long', HINT = 'Rename the table.';
		END IF;
		CONTINUE WHEN to_regclass(quote_ident(child)) IS NOT NULL;
		EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL EXCLUDING IDENTITY)',
			child, parent);
		EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I '
			'FOR VALUES FROM (%s(%L)) TO (%s(%L))', parent, child,
			bound, month, bound, month + interval '1 month');
	END LOOP;
END $$;

-- The statements that drop the foreign keys to a table, and that add the same
-- ones to the table that has its name then
CREATE FUNCTION keys_to(referenced regclass, OUT drop_keys text,
	OUT add_keys text)
	LANGUAGE sql STABLE AS $$
	SELECT coalesce(string_agg(format('ALTER TABLE %s DROP CONSTRAINT %I',
			conrelid::regclass, conname), ';'), ''),
		coalesce(string_agg(format('ALTER TABLE %s ADD CONSTRAINT %I %s NOT VALID',
			conrelid::regclass, conname, replace(pg_get_constraintdef(oid), ' NOT VALID', '')),
			';'), '')
	FROM pg_constraint
	WHERE contype = 'f' AND confrelid = referenced AND conparentid = 0 $$;

-- Validate the foreign keys to a table, one per transaction.  This blocks neither
-- reads nor writes.
CREATE PROCEDURE validate_keys(referenced regclass) LANGUAGE plpgsql AS $$
DECLARE
	statement text;
BEGIN
	FOR statement IN
		SELECT format('ALTER TABLE %s VALIDATE CONSTRAINT %I', conrelid::regclass,
			conname)
		FROM pg_constraint WHERE contype = 'f' AND confrelid = referenced AND
			conparentid = 0 AND NOT convalidated ORDER BY oid
	LOOP
		EXECUTE statement;
		COMMIT;
	END LOOP;
END $$;

-- What still uses a table that another one has replaced
CREATE FUNCTION left_behind(old regclass, OUT kind text, OUT name text)
	RETURNS SETOF record LANGUAGE sql STABLE AS $$
	SELECT 'foreign key', format('%s.%I', conrelid::regclass, conname)
	FROM pg_constraint
	WHERE contype = 'f' AND confrelid = old AND conparentid = 0
	UNION ALL
	SELECT DISTINCT 'view', ev_class::regclass::text
	FROM pg_depend AS d JOIN pg_rewrite AS r ON r.oid = d.objid
	WHERE d.classid = 'pg_rewrite'::regclass AND d.refobjid = old AND
		ev_class <> old
	UNION ALL
	SELECT 'trigger', tgname FROM pg_trigger
	WHERE tgrelid = old AND NOT tgisinternal AND tgparentid = 0
	UNION ALL
	SELECT 'policy', polname FROM pg_policy WHERE polrelid = old
	UNION ALL
	SELECT 'publication', pubname FROM pg_publication_rel
	JOIN pg_publication AS p ON p.oid = prpubid WHERE prrelid = old $$;

-- Trigger: apply a change of a row to a copy, too.  Arguments: the copy, and the
-- column of the id.  A snapshot that is kept for a transaction may not show that
-- the row has been copied: then the first INSERT reports that the transaction
-- must be repeated.
CREATE FUNCTION keep_copy() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP <> 'INSERT' THEN
		EXECUTE format('INSERT INTO %s SELECT ($1).* ON CONFLICT DO NOTHING', TG_ARGV[0])
			USING OLD;
		EXECUTE format('DELETE FROM %s WHERE %I = ($1).%2$I', TG_ARGV[0], TG_ARGV[1])
			USING OLD;
	END IF;
	IF TG_OP <> 'DELETE' THEN
		EXECUTE format('INSERT INTO %s SELECT ($1).*', TG_ARGV[0]) USING NEW;
	END IF;
	RETURN NULL;
END $$;

-- Copy the rows that are not in the copy yet, so many per transaction, in the
-- order of their ids.  It can be interrupted and repeated.  FOR SHARE: a row that
-- is deleted meanwhile would otherwise come back.  The short timeout resolves
-- deadlocks with transactions that update rows in another order.
CREATE PROCEDURE copy_rows(original regclass, copy regclass, id name,
	batch integer DEFAULT 5000) LANGUAGE plpgsql AS $$
DECLARE
	type text := (SELECT format_type(atttypid, atttypmod) FROM pg_attribute
		WHERE attrelid = original AND attname = id);
	last text;
	number bigint;
	total bigint := 0;
BEGIN
	LOOP
		BEGIN
			PERFORM set_config('lock_timeout', '100ms', true);
			EXECUTE format('WITH part AS (SELECT * FROM %1$s WHERE %5$s ORDER BY %3$I '
					'LIMIT %4$s FOR SHARE), '
				'copied AS (INSERT INTO %2$s SELECT * FROM part ON CONFLICT DO NOTHING) '
				'SELECT count(*), (array_agg(%3$I ORDER BY %3$I DESC))[1] FROM part',
				original, copy, id, batch,
				CASE WHEN last IS NULL THEN 'true'
				ELSE format('%I > %L::%s', id, last, type) END)
				INTO number, last;
		EXCEPTION WHEN lock_not_available THEN
			CONTINUE;
		END;
		COMMIT;
		total := total + number;
		IF number < batch OR total % (20 * batch) = 0 THEN
			RAISE INFO '% rows of % are copied', total, original;
		END IF;
		EXIT WHEN number < batch;
	END LOOP;
END $$;

COMMIT;
