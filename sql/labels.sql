--
-- Objects of the extension: what the catalog has of them beside what
-- doc/reference.md says, which t/090_reference.pl compares
--
CREATE TEMP TABLE members AS
SELECT classid, objid FROM pg_depend
WHERE deptype = 'e' AND refclassid = 'pg_extension'::regclass AND
      refobjid = (SELECT oid FROM pg_extension WHERE extname = 'flakeid') AND
      -- array types are members from PostgreSQL 17 on, and have no comment
      NOT (classid = 'pg_type'::regclass AND
           objid IN (SELECT typarray FROM pg_type));

CREATE TEMP VIEW function AS
SELECT p.*, lanname FROM pg_proc AS p JOIN pg_language AS l ON l.oid = prolang
WHERE ('pg_proc'::regclass, p.oid) IN (SELECT classid, objid FROM members)
      AND prokind = 'f';
SELECT lanname, provolatile, proisstrict, proparallel, count(*)
FROM function GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4;

-- no rows: a function is strict and in C, in this library, or in SQL with a
-- parsed body, which the planner can put into a query
SELECT oid::regprocedure FROM function
WHERE ((lanname = 'c' AND proisstrict AND prosrc ~ ('^flakeid_' || proname) AND
        probin IN ('$libdir/flakeid', 'flakeid')) OR
       (lanname = 'sql' AND NOT proisstrict AND prosqlbody IS NOT NULL))
      IS NOT TRUE
   OR prosecdef OR proconfig IS NOT NULL;

-- what tells nothing of its arguments, so that row-level security lets it
-- be an index condition
SELECT oid::regprocedure AS leakproof FROM function WHERE proleakproof
ORDER BY oid::regprocedure::text COLLATE "C";

-- what the planner knows as a range of time
SELECT oid::regprocedure AS planned, prosupport FROM function
WHERE prosupport <> 0 ORDER BY oid::regprocedure::text COLLATE "C";

-- the C functions of overloads
SELECT oid::regprocedure AS function, prosrc FROM function
WHERE lanname = 'c' AND prosrc <> 'flakeid_' || proname
ORDER BY prosrc COLLATE "C";

-- what is not a function
SELECT object FROM members, pg_describe_object(classid, objid, 0) AS object
WHERE classid <> 'pg_proc'::regclass ORDER BY object COLLATE "C";

-- no rows: everything has a comment
SELECT object AS uncommented
FROM members, pg_describe_object(classid, objid, 0) AS object
WHERE coalesce(obj_description(objid, classid::regclass::name), '') = ''
ORDER BY object COLLATE "C";

-- what not everybody may call
SELECT objid::regprocedure AS revoked FROM members
WHERE classid = 'pg_proc'::regclass AND
      NOT has_function_privilege('public', objid, 'EXECUTE')
ORDER BY objid::regprocedure::text COLLATE "C";

-- how many rows the planner expects of a set
SELECT objid::regprocedure AS function, prorows FROM members
JOIN pg_proc AS p ON classid = 'pg_proc'::regclass AND objid = p.oid
WHERE proretset ORDER BY objid::regprocedure::text COLLATE "C";
