--
-- Objects of the extension: catalog properties that t/090_reference.pl does
-- not compare with doc/reference.md
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
SELECT lanname, procost, provolatile, proisstrict, proparallel, count(*)
FROM function GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5;

-- No rows: a function is strict and in C, in this library, or in SQL with a
-- parsed body, which the planner can inline
SELECT oid::regprocedure FROM function
WHERE ((lanname = 'c' AND proisstrict AND prosrc ~ ('^flakeid_' || proname) AND
        probin = '$libdir/flakeid') OR
       (lanname = 'sql' AND NOT proisstrict AND prosqlbody IS NOT NULL))
      IS NOT TRUE
   OR prosecdef OR proconfig IS NOT NULL;

-- Leakproof functions, which row-level security permits in index conditions
SELECT oid::regprocedure AS leakproof FROM function WHERE proleakproof
ORDER BY oid::regprocedure::text COLLATE "C";

-- Functions whose support function turns them into time ranges
SELECT oid::regprocedure AS planned, prosupport FROM function
WHERE prosupport <> 0 ORDER BY oid::regprocedure::text COLLATE "C";

-- C functions of overloads
SELECT oid::regprocedure AS function, prosrc FROM function
WHERE lanname = 'c' AND prosrc <> 'flakeid_' || proname
ORDER BY prosrc COLLATE "C";

-- Members that are not functions
SELECT object FROM members, pg_describe_object(classid, objid, 0) AS object
WHERE classid <> 'pg_proc'::regclass ORDER BY object COLLATE "C";

-- No rows: every object has a comment
SELECT object AS uncommented
FROM members, pg_describe_object(classid, objid, 0) AS object
WHERE coalesce(obj_description(objid, classid::regclass::name), '') = ''
ORDER BY object COLLATE "C";

-- Functions that PUBLIC may not call
SELECT objid::regprocedure AS revoked FROM members
WHERE classid = 'pg_proc'::regclass AND
      NOT has_function_privilege('public', objid, 'EXECUTE')
ORDER BY objid::regprocedure::text COLLATE "C";

-- Planner estimates of the rows that set-returning functions return
SELECT objid::regprocedure AS function, prorows FROM members
JOIN pg_proc AS p ON classid = 'pg_proc'::regclass AND objid = p.oid
WHERE proretset ORDER BY objid::regprocedure::text COLLATE "C";
