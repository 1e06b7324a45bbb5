--
-- Every object of the extension against the list of what there should be
--
-- A row a function: signature with argument names and defaults | result |
-- label | what follows flakeid_<name> in the C entry point of an overload.
-- The labels:
--   I, S, V      in C: immutable, stable, volatile; strict, parallel safe
--   QI, QS, QV   in SQL with a parsed body, not strict, parallel safe
--   ... restricted, ... unsafe      other than parallel safe
--   ... leakproof, ... planned      LEAKPROOF; with the support function
-- To add a format, add a COPY.
--
CREATE TEMP TABLE listed (
  signature text PRIMARY KEY,
  result text NOT NULL,
  label text NOT NULL,
  suffix text NOT NULL);

-- Ranges
COPY listed FROM stdin WITH (DELIMITER '|');
flakeid_between_support(internal)|internal|I|
\.

-- UUID
COPY listed FROM stdin WITH (DELIMITER '|');
uuid_generate_v7()|uuid|V|
uuid_generate_v7(shift interval)|uuid|V|_shift
uuid_generate_v6()|uuid|V|
uuid_generate_v7_draft(unit text DEFAULT 'ms')|uuid|V|
uuid_generate_v8(timestamp_bits integer DEFAULT 48)|uuid|V|
uuid_get_version(id uuid)|integer|I|
uuid_get_variant(id uuid)|text|I|
uuid_get_clock_sequence(id uuid)|integer|I|
uuid_get_node(id uuid)|bytea|I|
uuid_to_timestamptz(id uuid)|timestamptz|I|
uuid_v6_to_timestamptz(id uuid)|timestamptz|I|
uuid_v7_to_timestamptz(id uuid)|timestamptz|I|
uuid_v6_to_timestamp(id uuid)|timestamp|I|
uuid_v7_to_timestamp(id uuid)|timestamp|I|
uuid_v6_from_timestamptz(ts timestamptz)|uuid|V|
uuid_v7_from_timestamptz(ts timestamptz)|uuid|V|
uuid_timestamptz_to_v6(ts timestamptz, zero boolean DEFAULT false)|uuid|QV|
uuid_timestamptz_to_v7(ts timestamptz, zero boolean DEFAULT false)|uuid|QV|
uuid_timestamp_to_v6(ts timestamp, zero boolean DEFAULT false)|uuid|QV|
uuid_timestamp_to_v7(ts timestamp, zero boolean DEFAULT false)|uuid|QV|
uuid_v7_draft_to_timestamptz(id uuid)|timestamptz|I|
uuid_v7_draft_from_timestamptz(ts timestamptz, unit text DEFAULT 'ms')|uuid|V|
uuid_v7_draft_get_sequence(id uuid, unit text DEFAULT 'ms')|integer|I|
uuid_v8_to_timestamptz(id uuid, timestamp_bits integer)|timestamptz|I|
uuid_v8_from_timestamptz(ts timestamptz, timestamp_bits integer)|uuid|V|
uuid_v8_get_sequence(id uuid, timestamp_bits integer)|integer|I|
uuid_v1_to_v6(id uuid)|uuid|I|
uuid_v6_to_v1(id uuid)|uuid|I|
uuid_v6_min(ts timestamptz)|uuid|I|
uuid_v6_max(ts timestamptz)|uuid|I|
uuid_v7_min(ts timestamptz)|uuid|I|
uuid_v7_max(ts timestamptz)|uuid|I|
uuid_v6_first(ts timestamptz)|uuid|I leakproof|
uuid_v7_first(ts timestamptz)|uuid|I leakproof|
uuid_v6_between(id uuid, from_ts timestamptz, to_ts timestamptz)|boolean|QI planned|
uuid_v7_between(id uuid, from_ts timestamptz, to_ts timestamptz)|boolean|QI planned|
\.

-- FLUID and Nanoflake
COPY listed FROM stdin WITH (DELIMITER '|');
fluid_generate()|bigint|V|
fluid_to_timestamptz(id bigint)|timestamptz|S|
fluid_to_timestamptz(id bigint, epoch timestamptz)|timestamptz|I|_epoch
fluid_get_generator(id bigint)|integer|I|
fluid_get_sequence(id bigint)|integer|I|
fluid_get_address(id bigint, OUT node integer, OUT slot integer, OUT lane integer)|record|S|
fluid_from_parts(ts timestamptz, generator integer, sequence integer)|bigint|S|
fluid_from_parts(ts timestamptz, generator integer, sequence integer, epoch timestamptz)|bigint|I|_epoch
fluid_min(ts timestamptz)|bigint|S|
fluid_max(ts timestamptz)|bigint|S|
fluid_min(ts timestamptz, epoch timestamptz)|bigint|I|_epoch
fluid_max(ts timestamptz, epoch timestamptz)|bigint|I|_epoch
fluid_before(ts timestamptz)|bigint|S leakproof|
fluid_before(ts timestamptz, epoch timestamptz)|bigint|I|_epoch
fluid_between(id bigint, from_ts timestamptz, to_ts timestamptz)|boolean|QS planned|
fluid_between(id bigint, from_ts timestamptz, to_ts timestamptz, epoch timestamptz)|boolean|QI planned|
nanoflake_generate()|bigint|V|
nanoflake_to_timestamptz(id bigint)|timestamptz|S|
nanoflake_to_timestamptz(id bigint, epoch timestamptz)|timestamptz|I|_epoch
nanoflake_get_generator(id bigint)|integer|I|
nanoflake_get_sequence(id bigint)|integer|I|
nanoflake_get_address(id bigint, OUT node integer, OUT slot integer, OUT lane integer)|record|S|
nanoflake_from_parts(ts timestamptz, generator integer, sequence integer)|bigint|S|
nanoflake_from_parts(ts timestamptz, generator integer, sequence integer, epoch timestamptz)|bigint|I|_epoch
nanoflake_min(ts timestamptz)|bigint|S|
nanoflake_max(ts timestamptz)|bigint|S|
nanoflake_min(ts timestamptz, epoch timestamptz)|bigint|I|_epoch
nanoflake_max(ts timestamptz, epoch timestamptz)|bigint|I|_epoch
nanoflake_before(ts timestamptz)|bigint|S leakproof|
nanoflake_before(ts timestamptz, epoch timestamptz)|bigint|I|_epoch
nanoflake_between(id bigint, from_ts timestamptz, to_ts timestamptz)|boolean|QS planned|
nanoflake_between(id bigint, from_ts timestamptz, to_ts timestamptz, epoch timestamptz)|boolean|QI planned|
\.

-- Ulid-Flake
COPY listed FROM stdin WITH (DELIMITER '|');
ulidflake_generate()|bigint|V|
ulidflake_generate_scalable()|bigint|V|
ulidflake_to_timestamptz(id bigint)|timestamptz|I|
ulidflake_get_random(id bigint)|integer|I|
ulidflake_scalable_get_random(id bigint)|integer|I|
ulidflake_get_scalability(id bigint)|integer|I|
ulidflake_from_parts(ts timestamptz, random integer)|bigint|I|
ulidflake_scalable_from_parts(ts timestamptz, random integer, scalability integer)|bigint|I|
ulidflake_min(ts timestamptz)|bigint|I|
ulidflake_max(ts timestamptz)|bigint|I|
ulidflake_before(ts timestamptz)|bigint|I leakproof|
ulidflake_between(id bigint, from_ts timestamptz, to_ts timestamptz)|boolean|QI planned|
\.

-- Explaining an id
COPY listed FROM stdin WITH (DELIMITER '|');
uuid_explain(id uuid)|TABLE(field text, first_bit integer, bits integer, value text, meaning text)|I|
fluid_explain(id bigint)|TABLE(field text, first_bit integer, bits integer, value text, meaning text)|S|
nanoflake_explain(id bigint)|TABLE(field text, first_bit integer, bits integer, value text, meaning text)|S|
ulidflake_explain(id bigint)|TABLE(field text, first_bit integer, bits integer, value text, meaning text)|I|
ulidflake_scalable_explain(id bigint)|TABLE(field text, first_bit integer, bits integer, value text, meaning text)|I|
scru160_explain(id scru160)|TABLE(field text, first_bit integer, bits integer, value text, meaning text)|I|
\.

-- Administration
COPY listed FROM stdin WITH (DELIMITER '|');
flakeid_status()|TABLE(format text, scope text, node integer, slot integer, first_generator integer, last_generator integer, per_ms bigint, ids bigint, waits bigint, longest_wait interval, steps_back bigint, ahead interval, floor timestamptz, epoch timestamptz, pending text[])|V restricted|
flakeid_reset_clock()|void|V unsafe|
flakeid_raise_floor(ts timestamptz)|void|V unsafe|
\.

-- Text forms
COPY listed FROM stdin WITH (DELIMITER '|');
fluid_to_f58(id bigint)|text|I|
fluid_to_f58(id bigint, ascii boolean)|text|I|_ascii
fluid_to_hex(id bigint)|text|I|
fluid_to_dothex(id bigint)|text|I|
fluid_to_words(id bigint)|text|I|
fluid_to_emoji(id bigint)|text|I|
fluid_to_decimal(id bigint)|text|I|
fluid_from_f58(t text)|bigint|I|
fluid_from_hex(t text)|bigint|I|
fluid_from_dothex(t text)|bigint|I|
fluid_from_words(t text)|bigint|I|
fluid_from_emoji(t text)|bigint|I|
fluid_from_decimal(t text)|bigint|I|
fluid_from_text(t text)|bigint|I|
nanoflake_to_base36(id bigint)|text|I|
nanoflake_from_base36(t text)|bigint|I|
ulidflake_to_text(id bigint)|text|I|
ulidflake_from_text(t text)|bigint|I|
\.

-- SCRU160
COPY listed FROM stdin WITH (DELIMITER '|');
scru160_in(cstring)|scru160|I|
scru160_out(scru160)|cstring|I|
scru160_recv(internal)|scru160|I|
scru160_send(scru160)|bytea|I|
scru160_eq(scru160, scru160)|boolean|I leakproof|
scru160_ne(scru160, scru160)|boolean|I leakproof|
scru160_lt(scru160, scru160)|boolean|I leakproof|
scru160_le(scru160, scru160)|boolean|I leakproof|
scru160_gt(scru160, scru160)|boolean|I leakproof|
scru160_ge(scru160, scru160)|boolean|I leakproof|
scru160_cmp(scru160, scru160)|integer|I leakproof|
scru160_rangesel(internal, oid, internal, integer)|double precision|S|
scru160_sortsupport(internal)|void|I|
scru160_hash(scru160)|integer|I|
scru160_hash_extended(scru160, bigint)|bigint|I|
scru160_smaller(scru160, scru160)|scru160|I|
scru160_larger(scru160, scru160)|scru160|I|
scru160_to_bytea(id scru160)|bytea|I|
scru160_from_bytea(b bytea)|scru160|I|
scru160_generate()|scru160|V|
scru160_generate_us()|scru160|V|
scru160_to_hex(id scru160)|text|I|
scru160_to_timestamptz(id scru160)|timestamptz|I|
scru160_get_counter(id scru160)|integer|I|
scru160_from_parts(ts timestamptz, counter integer, random bytea)|scru160|I|
scru160_min(ts timestamptz)|scru160|I|
scru160_max(ts timestamptz)|scru160|I|
scru160_first(from_ts timestamptz, to_ts timestamptz)|scru160|I leakproof|
scru160_last(from_ts timestamptz, to_ts timestamptz)|scru160|I leakproof|
scru160_between(id scru160, from_ts timestamptz, to_ts timestamptz)|boolean|QI planned|
\.

CREATE TEMP TABLE members AS
SELECT classid, objid FROM pg_depend
WHERE deptype = 'e' AND refclassid = 'pg_extension'::regclass AND
      refobjid = (SELECT oid FROM pg_extension WHERE extname = 'flakeid') AND
      -- array types are members from PostgreSQL 17 on, and have no comment
      NOT (classid = 'pg_type'::regclass AND
           objid IN (SELECT typarray FROM pg_type));

CREATE TEMP VIEW expected AS
SELECT signature, result,
       concat_ws(' ',
         CASE right(word, 1) WHEN 'I' THEN 'immutable' WHEN 'S' THEN 'stable'
           WHEN 'V' THEN 'volatile' END,
         CASE WHEN word LIKE 'Q_' THEN 'not strict' ELSE 'strict' END,
         coalesce(substring(label FROM 'restricted|unsafe'), 'safe'),
         CASE WHEN word LIKE 'Q_' THEN 'sql, parsed body'
           ELSE 'c, flakeid_' || split_part(signature, '(', 1) || suffix END,
         substring(label FROM 'leakproof'), substring(label FROM 'planned'))
         AS labels
FROM listed, split_part(label, ' ', 1) AS word;

CREATE TEMP VIEW actual AS
SELECT proname || '(' || replace(replace(replace(
         pg_get_function_arguments(p.oid),
         'timestamp with time zone', 'timestamptz'),
         'timestamp without time zone', 'timestamp'), '::text', '') || ')'
         AS signature,
       replace(replace(pg_get_function_result(p.oid),
         'timestamp with time zone', 'timestamptz'),
         'timestamp without time zone', 'timestamp') AS result,
       concat_ws(' ',
         CASE provolatile WHEN 'i' THEN 'immutable' WHEN 's' THEN 'stable'
           WHEN 'v' THEN 'volatile' END,
         CASE WHEN proisstrict THEN 'strict' ELSE 'not strict' END,
         CASE proparallel WHEN 's' THEN 'safe' WHEN 'r' THEN 'restricted'
           WHEN 'u' THEN 'unsafe' END,
         lanname || ', ' || CASE WHEN prosqlbody IS NOT NULL
           THEN 'parsed body' ELSE prosrc END,
         CASE WHEN lanname = 'c' AND probin <> '$libdir/flakeid' AND
                   probin <> 'flakeid' THEN 'in ' || probin END,
         CASE WHEN prosecdef THEN 'security definer' END,
         CASE WHEN proleakproof THEN 'leakproof' END,
         CASE prosupport::oid WHEN 0 THEN NULL
           WHEN to_regproc('flakeid_between_support') THEN 'planned'
           ELSE 'supported by ' || prosupport END,
         'with ' || array_to_string(proconfig, ', ')) AS labels
FROM pg_proc AS p JOIN pg_language AS l ON l.oid = prolang
WHERE ('pg_proc'::regclass, p.oid) IN (SELECT classid, objid FROM members)
      AND prokind = 'f';

-- no rows: the lists are the same
SELECT 'listed, not there' AS what, * FROM
  (TABLE expected EXCEPT TABLE actual) AS missing
UNION ALL
SELECT 'there, not listed', * FROM
  (TABLE actual EXCEPT TABLE expected) AS extra
ORDER BY 2, 1;
SELECT count(*) FROM actual;

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
