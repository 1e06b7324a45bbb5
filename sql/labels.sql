--
-- The surface: every object of the extension with its properties and comment, so
-- that nothing changes unseen; t/090_reference.pl compares most with
-- the pages of doc/reference, too
--
CREATE TEMP TABLE members AS
SELECT classid, objid FROM pg_depend
WHERE deptype = 'e' AND refclassid = 'pg_extension'::regclass AND
      refobjid = (SELECT oid FROM pg_extension WHERE extname = 'flakeid') AND
      -- Array types are members from PostgreSQL 17 on, and have no comment
      NOT (classid = 'pg_type'::regclass AND
           objid IN (SELECT typarray FROM pg_type));

CREATE TEMP VIEW function AS
SELECT p.*, lanname FROM pg_proc AS p JOIN pg_language AS l ON l.oid = prolang
WHERE ('pg_proc'::regclass, p.oid) IN (SELECT classid, objid FROM members)
      AND prokind = 'f';

-- Every function: arguments, result, labels and comment
\pset format unaligned
\pset tuples_only on
SELECT format('%s(%s) RETURNS %s %s%s', proname, pg_get_function_arguments(oid), pg_get_function_result(oid),
         concat_ws(' ', lanname, CASE provolatile WHEN 'i' THEN 'immutable' WHEN 's' THEN 'stable' ELSE 'volatile' END,
           CASE WHEN proisstrict THEN 'strict' END, CASE WHEN proleakproof THEN 'leakproof' END, 'parallel=' || proparallel::text,
           'cost=' || procost, 'rows=' || nullif(prorows, 0), 'support=' || nullif(prosupport::oid, 0)::regproc,
           CASE WHEN NOT has_function_privilege('public', oid, 'EXECUTE') THEN 'revoked' END),
         E'\n  ' || obj_description(oid, 'pg_proc'))
FROM function ORDER BY proname COLLATE "C", pg_get_function_arguments(oid) COLLATE "C";

-- Every other object, with its comment
SELECT object || coalesce(': ' || obj_description(objid, classid::regclass::name), '')
FROM members, pg_describe_object(classid, objid, 0) AS object
WHERE classid <> 'pg_proc'::regclass OR objid NOT IN (SELECT oid FROM function) ORDER BY object COLLATE "C";
-- Columns of the row types
SELECT format('%s (%s)%s', objid::regtype, string_agg(attname || ' ' || format_type(atttypid, NULL), ', ' ORDER BY attnum),
         CASE WHEN NOT has_type_privilege('public', objid, 'USAGE') THEN ' revoked' END)
FROM members JOIN pg_type AS t ON classid = 'pg_type'::regclass AND t.oid = objid AND typtype = 'c'
JOIN pg_attribute ON attrelid = typrelid GROUP BY objid ORDER BY objid::regtype::text COLLATE "C";
\pset format aligned
\pset tuples_only off

-- No rows: a function is strict and in C, in this library, or in SQL with a
-- parsed body, which the planner can inline
SELECT oid::regprocedure FROM function
WHERE ((lanname = 'c' AND proisstrict AND prosrc ~ ('^(flakeid_)?' || proname) AND
        probin = '$libdir/flakeid') OR
       (lanname = 'sql' AND NOT proisstrict AND prosqlbody IS NOT NULL))
      IS NOT TRUE
   OR prosecdef OR proconfig IS NOT NULL;

-- One in SQL returns NULL if any argument is NULL, too
CREATE FUNCTION pg_temp.is_null(call text, OUT result boolean) LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('SELECT %s IS NULL', call) INTO result;
END $$;
SELECT count(*) AS calls, count(*) FILTER (WHERE pg_temp.is_null(call)) AS null
FROM function, generate_series(1, pronargs) AS i, LATERAL (
  SELECT format('%s(%s)', proname, string_agg(format('%L::%s', CASE WHEN n <> i THEN value END,
           type::regtype), ', ' ORDER BY n))
  FROM unnest(proargnames, proargtypes::oid[]) WITH ORDINALITY AS a (name, type, n),
    LATERAL (SELECT jsonb '{"uuid": "01234567-89ab-7cde-8123-456789abcdef", "bigint": "1",
      "scru160": "05TTUP1HNCPNH30VEK64KDQT9BSNU4C4", "from_ts": "-infinity", "to_ts": "infinity",
      "epoch": "2024-01-01Z", "ts": "2024-01-01Z", "unit": "us", "timestamp_bits": "48",
      "zero": "true"}' ->> CASE name WHEN 'id' THEN type::regtype::text ELSE name END) AS v (value)
  ) AS c (call)
WHERE lanname = 'sql';

-- No rows: every argument has a name
SELECT oid::regprocedure FROM function
WHERE pronargs > 0 AND (proargnames IS NULL OR '' = ANY (proargnames));

-- One thing has one name: the types of each
SELECT name, string_agg(DISTINCT type::regtype::text COLLATE "C", ', ' ORDER BY type::regtype::text COLLATE "C") AS types
FROM function, unnest(proargnames, coalesce(proallargtypes, proargtypes::oid[]), proargmodes) AS a (name, type, mode)
WHERE coalesce(mode, 'i') <> 't' GROUP BY 1 ORDER BY name COLLATE "C";

-- C functions of overloads
SELECT oid::regprocedure AS function, prosrc FROM function
WHERE lanname = 'c' AND prosrc NOT IN (proname, 'flakeid_' || proname)
ORDER BY prosrc COLLATE "C";

-- No rows: every object has a comment
SELECT object AS uncommented
FROM members, pg_describe_object(classid, objid, 0) AS object
WHERE coalesce(obj_description(objid, classid::regclass::name), '') = ''
ORDER BY object COLLATE "C";

-- Operators
SELECT o.oid::regoperator AS operator, oprcode::regproc, oprresult::regtype,
       oprcom::regoperator, oprnegate::regoperator, oprrest, oprjoin,
       oprcanmerge AS merges, oprcanhash AS hashes
FROM members JOIN pg_operator AS o
  ON classid = 'pg_operator'::regclass AND objid = o.oid
ORDER BY oprname COLLATE "C";

-- Operator classes, and the members of their families
SELECT amname, opcname, opfname, opcdefault, opcintype::regtype,
       opckeytype::regtype
FROM members JOIN pg_opclass AS c
  ON classid = 'pg_opclass'::regclass AND objid = c.oid
JOIN pg_opfamily AS f ON f.oid = opcfamily JOIN pg_am AS a ON a.oid = opcmethod
ORDER BY amname;

WITH families AS (SELECT objid FROM members
                  WHERE classid = 'pg_opfamily'::regclass)
SELECT amname, amopstrategy AS n, amopopr::regoperator::text COLLATE "C" AS m
FROM pg_amop JOIN pg_am AS a ON a.oid = amopmethod
WHERE amopfamily IN (TABLE families) AND amoppurpose = 's'
UNION ALL
SELECT amname, amprocnum, amproc::regprocedure::text COLLATE "C"
FROM pg_amproc JOIN pg_opfamily AS f ON f.oid = amprocfamily
JOIN pg_am AS a ON a.oid = opfmethod
WHERE amprocfamily IN (TABLE families)
ORDER BY amname, n, m;

-- Aggregates, types, casts and sequences
SELECT p.oid::regprocedure AS aggregate, proparallel, provolatile, aggtransfn,
       aggcombinefn, aggsortop::regoperator, aggtranstype::regtype
FROM members JOIN pg_proc AS p ON classid = 'pg_proc'::regclass AND objid = p.oid
JOIN pg_aggregate ON aggfnoid = p.oid ORDER BY proname COLLATE "C";

SELECT typname, typlen, typbyval, typalign, typstorage, typcategory, typinput,
       typoutput, typreceive, typsend
FROM members JOIN pg_type ON classid = 'pg_type'::regclass AND objid = pg_type.oid AND typtype = 'b';

SELECT castsource::regtype, casttarget::regtype, castfunc::regprocedure,
       castcontext
FROM members JOIN pg_cast AS c ON classid = 'pg_cast'::regclass AND objid = c.oid
ORDER BY castsource::regtype::text COLLATE "C";

SELECT seqrelid::regclass, seqstart, seqmin, seqcache, seqcycle,
       (SELECT string_agg(right_, ' ')
        FROM unnest('{SELECT,USAGE,UPDATE}'::text[]) AS right_
        WHERE has_sequence_privilege('public', seqrelid, right_)) AS public
FROM members JOIN pg_sequence
  ON classid = 'pg_class'::regclass AND objid = seqrelid
ORDER BY seqrelid::regclass::text COLLATE "C";

-- Extensions and languages that it needs
SELECT pg_describe_object(refclassid, refobjid, 0) AS needs FROM pg_depend
WHERE classid = 'pg_extension'::regclass AND refclassid <> 'pg_namespace'::regclass AND
      objid = (SELECT oid FROM pg_extension WHERE extname = 'flakeid');
