--
-- A database for script/sqlsmith: tables with keys of every format, and a user
-- with the rights of an ordinary user, who may also call the functions for
-- superusers
--
CREATE EXTENSION flakeid;
CREATE ROLE smith LOGIN;
GRANT CREATE, USAGE ON SCHEMA public TO smith;

CREATE TABLE v7_key (id uuid PRIMARY KEY DEFAULT uuid_generate_v7(),
  made timestamptz GENERATED ALWAYS AS (uuid_v7_to_timestamptz(id)) STORED,
  note text, CHECK (uuid_get_version(id) = 7));
CREATE TABLE v6_key (id uuid PRIMARY KEY DEFAULT uuid_generate_v6(),
  v1 uuid UNIQUE, parent uuid REFERENCES v7_key, note text);
CREATE TABLE draft_key (id uuid PRIMARY KEY DEFAULT uuid_generate_v7_draft('us'),
  v8 uuid UNIQUE DEFAULT uuid_generate_v8(60), note text);
CREATE TABLE fluid_key (id bigint PRIMARY KEY DEFAULT fluid_generate(),
  f58 text GENERATED ALWAYS AS (fluid_to_f58(id)) STORED, note text);
CREATE TABLE nanoflake_key (id bigint PRIMARY KEY DEFAULT nanoflake_generate(),
  fluid bigint REFERENCES fluid_key, note text);
CREATE TABLE ulidflake_key (id bigint PRIMARY KEY DEFAULT ulidflake_generate(),
  scalable bigint UNIQUE DEFAULT ulidflake_scalable_generate(),
  at timestamptz DEFAULT now(), note text);
CREATE TABLE by_day (id uuid DEFAULT uuid_generate_v7(), note text)
  PARTITION BY RANGE (id);
CREATE TABLE by_day_before PARTITION OF by_day
  FOR VALUES FROM (MINVALUE) TO (uuid_v7_min('2030-01-01 00:00:00+00'));
CREATE TABLE by_day_after PARTITION OF by_day DEFAULT;
CREATE INDEX ON fluid_key (fluid_to_text(id, 'words'));
CREATE INDEX ON nanoflake_key USING brin (id);
CREATE TABLE words (t text, number integer, flag boolean, ts timestamptz,
  at timestamp, span interval);

INSERT INTO v7_key (note) SELECT n FROM generate_series(1, 20) AS n;
INSERT INTO v6_key (v1, parent, note)
SELECT uuid_v6_to_v1(uuid_generate_v6()), id, note FROM v7_key;
INSERT INTO draft_key (note) SELECT note FROM v7_key;
INSERT INTO fluid_key (note) SELECT note FROM v7_key;
INSERT INTO nanoflake_key (fluid, note) SELECT id, note FROM fluid_key;
INSERT INTO ulidflake_key (note) SELECT note FROM v7_key;
INSERT INTO by_day (note) SELECT note FROM v7_key;
INSERT INTO words
SELECT t, 48, n % 2 = 0, now() + n * interval '1 day', now()::timestamp,
  n * interval '1 hour'
FROM fluid_key AS f CROSS JOIN LATERAL (VALUES (1, fluid_to_f58(id)),
  (2, fluid_to_text(id, 'hex')), (3, fluid_to_text(id, 'words')), (4, fluid_to_text(id, 'emoji')),
  (5, fluid_to_text(id, 'dec')), (6, fluid_to_text(id, 'dothex')),
  (7, nanoflake_to_text(id)), (8, ulidflake_to_text(id)), (9, 'ms'),
  (10, ''), (11, NULL)) AS v (n, t);

-- The type that is not in every version
DO $$
BEGIN
  IF to_regtype('scru160') IS NOT NULL THEN
    CREATE TABLE scru160_key (id scru160 PRIMARY KEY DEFAULT scru160_generate(),
      made timestamptz GENERATED ALWAYS AS (scru160_to_timestamptz(id)) STORED,
      us scru160 DEFAULT scru160_us_generate(), bytes bytea, note text);
    CREATE INDEX ON scru160_key USING hash (id);
    CREATE INDEX ON scru160_key USING brin (us);
    INSERT INTO scru160_key (bytes, note)
    SELECT scru160_generate()::bytea, note FROM v7_key;
  END IF;
END
$$;

-- sqlsmith finds routines in pg_proc through the search_path: those of
-- flakeid, and only a few of the server with common types, so that flakeid's
-- are called often.
CREATE SCHEMA smith;
CREATE VIEW smith.ordinary AS
SELECT oid FROM pg_catalog.pg_type
WHERE typname IN ('bool', 'int4', 'int8', 'text', 'bytea', 'uuid', 'numeric',
  'float8', 'date', 'timestamp', 'timestamptz', 'interval', 'scru160');
CREATE VIEW smith.pg_proc AS
SELECT p.* FROM pg_catalog.pg_proc AS p
WHERE pronamespace = 'public'::regnamespace OR
  hashint4(p.oid::int4) % 10 = 0 AND provolatile = 'i' AND
  prorettype IN (SELECT oid FROM smith.ordinary) AND
  NOT EXISTS (SELECT FROM unnest(proargtypes) AS t
    WHERE t NOT IN (SELECT oid FROM smith.ordinary));

ALTER ROLE smith SET search_path = smith, pg_catalog, public;
GRANT USAGE ON SCHEMA smith TO smith;
GRANT SELECT ON ALL TABLES IN SCHEMA smith TO smith;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO smith;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public TO smith;

-- C functions of flakeid, and their numbers of calls
CREATE VIEW called AS
SELECT p.oid::regprocedure::text AS name,
  coalesce(pg_stat_get_function_calls(p.oid), 0) AS calls
FROM pg_depend AS d
JOIN pg_extension AS e ON e.oid = refobjid AND extname = 'flakeid'
JOIN pg_proc AS p ON p.oid = d.objid
WHERE d.classid = 'pg_proc'::regclass AND
  refclassid = 'pg_extension'::regclass AND d.deptype = 'e' AND
  prokind = 'f' AND probin IS NOT NULL AND
  NOT proargtypes::oid[] @> ARRAY['internal'::regtype::oid];

-- sqlsmith finds operators in pg_catalog itself.  With polymorphic, geometric
-- and range operators it generates invalid statements: they are removed from
-- this database, which is no longer analyzed, since ANALYZE needs some.
ANALYZE;
SET allow_system_table_mods = on;
DELETE FROM pg_catalog.pg_operator AS o USING pg_catalog.pg_type AS t
WHERE t.oid IN (oprleft, oprright) AND (typcategory IN ('G', 'R', 'E') OR
  typtype IN ('p', 'r', 'm') AND typname <> 'record');
RESET allow_system_table_mods;
