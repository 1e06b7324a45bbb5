# World.
# CREATE EXTENSION by an ordinary user, and that user's rights afterwards.
# Hostile schemas come first in the search_path of sessions that call functions
# and of one that creates the extension.

use FlakeidTest;

my $node = new_node('trusted');

$node->safe_psql('postgres', q{
CREATE ROLE plain LOGIN;
CREATE ROLE creator LOGIN;
CREATE ROLE owner LOGIN;
CREATE DATABASE owned OWNER owner;
CREATE DATABASE shared;
GRANT CREATE ON DATABASE shared TO creator;
CREATE DATABASE traps;
});

sub as_role
{
	my ($role, $database, $sql) = @_;
	return run_sql($node, "\\c $database\n$sql", PGUSER => $role);
}

# ------------------------------------------------------ CREATE EXTENSION
like(as_role('plain', 'shared', 'CREATE EXTENSION flakeid'),
	qr/ERROR:  42501: permission denied to create extension "flakeid"/,
	'CREATE EXTENSION requires CREATE on the database');
is(as_role('creator', 'shared', q{
	CREATE SCHEMA ids;
	CREATE EXTENSION flakeid SCHEMA ids;
	SELECT ids.fluid_generate() > 0, ids.scru160_generate() IS NOT NULL}),
	't|t', 'a user with CREATE on the database creates the extension');
is(as_role('owner', 'owned', q{
	CREATE EXTENSION flakeid;
	SELECT fluid_generate() > 0}),
	't', 'the owner of a database creates the extension');

# Objects of the superuser who ran initdb have no entry in pg_shdepend.
my $owners = q{
SELECT extowner::regrole, count(d.objid) > 100, count(s.objid)
FROM pg_extension AS e
JOIN pg_depend AS d ON d.refobjid = e.oid AND d.deptype = 'e'
LEFT JOIN pg_shdepend AS s ON s.classid = d.classid AND s.objid = d.objid AND s.deptype = 'o'
  AND s.dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
WHERE extname = 'flakeid' GROUP BY extowner
};
my $superuser = $node->safe_psql('postgres', 'SELECT current_user');

is(as_role($superuser, 'shared', $owners), 'creator|t|0',
	'the user owns the extension, and the superuser its members');
is(as_role($superuser, 'owned', $owners), 'owner|t|0',
	'... and the same for the owner of a database');

foreach my $who ([ 'creator', 'shared', 'ids' ], [ 'owner', 'owned', 'public' ])
{
	my ($role, $database, $schema) = @$who;
	my $path = "SET search_path = $schema;";

	foreach my $function ('flakeid_reset_horizon()', 'flakeid_raise_floor(now())')
	{
		like(as_role($role, $database, "$path SELECT $function"),
			qr/ERROR:  42501: permission denied for function/, "$role: cannot call $function");
	}
	foreach my $statement (
		'GRANT EXECUTE ON FUNCTION flakeid_reset_horizon() TO PUBLIC',
		'ALTER FUNCTION flakeid_reset_horizon() OWNER TO current_user',
		'ALTER FUNCTION fluid_generate() SECURITY DEFINER',
		'ALTER FUNCTION fluid_generate() IMMUTABLE',
		'ALTER EXTENSION flakeid DROP FUNCTION flakeid_reset_horizon()',
		'DROP FUNCTION flakeid_reset_horizon()',
		"CREATE OR REPLACE FUNCTION fluid_generate() RETURNS bigint LANGUAGE sql
			AS 'SELECT 1::bigint'",
		"CREATE OR REPLACE FUNCTION uuid_v7_in_range(id uuid, from_ts timestamptz,
			to_ts timestamptz) RETURNS boolean LANGUAGE sql AS 'SELECT true'")
	{
		like(as_role($role, $database, "$path $statement"),
			qr/ERROR:  (?:42501|2BP01): |WARNING:  01007: no privileges were granted/,
			"$role: rejected: $statement");
	}
	is(as_role('plain', $database, q{
		SELECT has_function_privilege(p.oid, 'execute') FROM pg_proc AS p
		WHERE proname = 'flakeid_reset_horizon'}),
		'f', "$role: no other role may call the reset");
}
# The script runs as a superuser, in a schema with the owner's own objects.
is(as_role('owner', 'owned', q{
	DROP EXTENSION flakeid;
	CREATE SCHEMA trap;
	CREATE FUNCTION trap.spring() RETURNS boolean LANGUAGE plpgsql AS $$
	BEGIN EXECUTE 'ALTER ROLE owner SUPERUSER'; RETURN true; END $$;
	CREATE FUNCTION trap.flakeid_raise_floor(text) RETURNS void LANGUAGE sql
		AS 'SELECT trap.spring()';
	CREATE FUNCTION trap.differs(oid, integer) RETURNS boolean LANGUAGE sql
		AS 'SELECT trap.spring()';
	CREATE FUNCTION trap.same(oid, regclass) RETURNS boolean LANGUAGE sql AS 'SELECT trap.spring()';
	CREATE FUNCTION trap.format(text, regclass, regrole) RETURNS text LANGUAGE sql
		AS 'SELECT trap.spring()::text';
	CREATE FUNCTION trap.format(text, regclass) RETURNS text LANGUAGE sql
		AS 'SELECT trap.spring()::text';
	CREATE OPERATOR trap.<> (leftarg = oid, rightarg = integer, function = trap.differs);
	CREATE OPERATOR trap.= (leftarg = oid, rightarg = regclass, function = trap.same);
	CREATE EXTENSION flakeid SCHEMA trap;
	SELECT rolsuper FROM pg_roles WHERE rolname = 'owner'}),
	'f', "CREATE EXTENSION calls nothing of the owner's");
is(as_role('owner', 'owned', q{
	SELECT bool_and(log_cnt < 0) FROM (
		SELECT log_cnt FROM trap.flakeid_fluid_horizon UNION ALL
		SELECT log_cnt FROM trap.flakeid_nanoflake_horizon UNION ALL
		SELECT log_cnt FROM trap.flakeid_ulidflake_horizon) AS tags;
	SET client_min_messages = warning;
	DROP SCHEMA trap CASCADE;
	CREATE EXTENSION flakeid}),
	't', '... and sets the horizons');
like(as_role('creator', 'shared', q{
	CREATE SCHEMA moved;
	ALTER EXTENSION flakeid SET SCHEMA moved}),
	qr/ERROR:  42501: must be owner/, 'the user cannot change the schema of its members');
is(as_role('creator', 'shared', q{
	DROP EXTENSION flakeid;
	CREATE EXTENSION flakeid SCHEMA ids;
	SELECT has_function_privilege('ids.flakeid_reset_horizon()', 'execute')}),
	'f', 'the user drops and re-creates it, and gains no privileges');
is(as_role($superuser, 'shared', q{
	ALTER EXTENSION flakeid SET SCHEMA moved;
	SELECT moved.uuid_v7_in_range(moved.uuid_generate_v7(),
		now() - interval '1 day', now() + interval '1 day'),
	  moved.scru160_in_range(moved.scru160_generate(),
		now() - interval '1 day', now() + interval '1 day');
	SELECT has_function_privilege('creator', 'moved.flakeid_reset_horizon()', 'execute')}),
	"t|t\nf", 'a superuser changes its schema, and it works there');

# ------------------------------------------------------- hostile schemas
# A call of every function written in SQL or with default arguments, whose
# result is constant; with a boolean argument also one with "true"
my $make_calls = q{
SELECT DISTINCT format(CASE provolatile WHEN 'v' THEN 'length(ids.%s(%s)::text)'
  ELSE 'ids.%s(%s)' END, proname, arguments)
FROM pg_proc, generate_series(0, 1) AS more,
  substring(proname FROM '^(uuid_v[678](_draft)?|[a-z]+(160)?)') AS format,
  LATERAL (SELECT coalesce(string_agg(CASE
	  WHEN type IN ('uuid'::regtype, 'ids.scru160'::regtype) OR name = 'id'
		THEN format('ids.%s_min(''2024-02-01Z''::timestamptz%s)',
		  CASE format WHEN 'uuid' THEN 'uuid_v7' ELSE format END,
		  CASE format WHEN 'uuid_v7_draft' THEN ', ''ms''' WHEN 'uuid_v8_draft' THEN ', 48' END)
	  WHEN name = 'string' AND format = 'uuid' THEN 'repeat(''0'', 26)'
	  WHEN name = 'to_ts' THEN '''2024-02-02Z''::timestamptz'
	  WHEN name = 'unit' THEN '''ms'''
	  WHEN name = 'timestamp_bits' THEN '48'
	  WHEN name = 'epoch' THEN '''2024-01-01Z''::timestamptz'
	  WHEN type = 'timestamptz'::regtype THEN '''2024-02-01Z''::timestamptz'
	  WHEN type = 'timestamp'::regtype THEN '''2024-02-01''::timestamp'
	  WHEN type = 'bytea'::regtype THEN '''\x0000000000000001'''
	  WHEN type = 'boolean'::regtype THEN 'true'
	  ELSE '''1''' END, ', ' ORDER BY n), '')
	FROM unnest(proargtypes::oid[], proargnames) WITH ORDINALITY AS a (type, name, n)
	WHERE n <= pronargs - pronargdefaults OR more = 1 AND type = 'boolean'::regtype)
		AS a (arguments)
WHERE pronamespace = 'ids'::regnamespace AND prokind = 'f'
  AND (prolang = (SELECT oid FROM pg_language WHERE lanname = 'sql') OR pronargdefaults > 0)
};

# Create a hostile twin of each function of the extension, of each function
# that it calls, and of every comparison operator.  A twin raises an error when
# called.
my $make_traps = q{
CREATE SCHEMA trap;
DO $make$
DECLARE
  f record;
BEGIN
  FOR f IN
	SELECT proname, pg_get_function_identity_arguments(oid) AS arguments
	FROM pg_proc
	WHERE prokind = 'f' AND proargmodes IS NULL
	  AND 'internal'::regtype <> ALL (proargtypes)
	  AND 'cstring'::regtype <> ALL (proargtypes)
	  AND (pronamespace = 'ids'::regnamespace
		OR proname IN ('now', 'timezone', 'uuid_ge', 'uuid_lt', 'int8ge', 'int8lt'))
  LOOP
	EXECUTE format('CREATE FUNCTION trap.%I(%s) RETURNS text LANGUAGE plpgsql AS %L',
	  f.proname, f.arguments,
	  format('BEGIN RAISE EXCEPTION %L; END', 'trapped by ' || f.proname));
  END LOOP;
END $make$;
} . traps_of_operators('trap', 'uuid', 'bigint', 'ids.scru160', 'timestamptz', 'boolean', 'text');

sub traps_of_operators
{
	my ($schema, @types) = @_;
	my $statements = '';

	foreach my $type (@types)
	{
		$statements .= qq{
CREATE FUNCTION $schema.compare($type, $type) RETURNS boolean LANGUAGE plpgsql
AS \$\$ BEGIN RAISE EXCEPTION 'trapped by an operator'; END \$\$;
};
		$statements .=
		  "CREATE OPERATOR $schema.$_ (FUNCTION = $schema.compare,
			LEFTARG = $type, RIGHTARG = $type);\n"
		  foreach '<', '<=', '>', '>=', '=', '<>';
	}
	return $statements;
}

as_role($superuser, 'traps', 'CREATE SCHEMA ids; CREATE EXTENSION flakeid SCHEMA ids');
is(as_role($superuser, 'traps', $make_traps), '', 'the hostile objects are created');

my @expressions = split /\n/, $node->safe_psql('traps', $make_calls);

cmp_ok(scalar @expressions, '>', 15, 'functions in SQL, and those with defaults');

my $path = 'SET search_path = trap, pg_catalog;';

like(as_role($superuser, 'traps', "$path SELECT uuid_v7_min(pg_catalog.now())"),
	qr/ERROR:  P0001: trapped by uuid_v7_min/, 'a hostile function raises its error');
like(as_role($superuser, 'traps',
	"$path SELECT pg_catalog.gen_random_uuid() < pg_catalog.gen_random_uuid()"),
	qr/ERROR:  P0001: trapped by an operator/, 'a hostile operator raises its error');

foreach my $expression (@expressions)
{
	my $expected = $node->safe_psql('traps', "SELECT $expression");

	isnt($expected, '', "$expression returns a value");
	is(as_role($superuser, 'traps', "$path SELECT $expression"),
		$expected, '... and the same with hostile objects first in the path');
}

# Operators and indexes: order, ranges and aggregates use those of the type.
is(as_role($superuser, 'traps', q{
	CREATE TABLE kept (u uuid PRIMARY KEY DEFAULT ids.uuid_generate_v7(),
		s ids.scru160 UNIQUE DEFAULT ids.scru160_generate(),
		b bigint UNIQUE DEFAULT ids.fluid_generate(), n integer);
	INSERT INTO kept (n) SELECT i FROM generate_series(1, 1000) AS i;
	ANALYZE kept;
	SET search_path = trap, pg_catalog;
	INSERT INTO public.kept (n) SELECT i FROM generate_series(1001, 2000) AS i;
	SELECT count(*) FROM public.kept WHERE ids.uuid_v7_in_range(u,
	  pg_catalog.now() - interval '1 hour', pg_catalog.now() + interval '1 hour')
	  AND ids.scru160_in_range(s, pg_catalog.now() - interval '1 hour',
	    pg_catalog.now() + interval '1 hour')
	  AND ids.fluid_in_range(b, pg_catalog.now() - interval '1 hour',
	    pg_catalog.now() + interval '1 hour');
	SELECT count(*) FROM (SELECT n, lag(n) OVER (ORDER BY s) AS l FROM public.kept) AS o
	WHERE n <> l + 1;
	SELECT k.n FROM public.kept AS k
	JOIN (SELECT ids.max(s) AS s FROM public.kept) AS m ON k.s OPERATOR(ids.=) m.s}),
	"2000\n0\n2000", 'defaults, ranges, order and aggregates work beside hostile objects');
foreach my $range (
	[ 'kept_pkey', 'ids.uuid_v7_in_range(u' ],
	[ 'kept_s_key', 'ids.scru160_in_range(s' ],
	[ 'kept_b_key', 'ids.fluid_in_range(b' ])
{
	my ($index, $call) = @$range;

	like(as_role($superuser, 'traps', qq{
		SET enable_seqscan = off; SET search_path = trap, pg_catalog;
		EXPLAIN (COSTS OFF) SELECT n FROM public.kept
		WHERE $call, pg_catalog.now() - interval '1 hour',
			pg_catalog.now() + interval '1 hour')}),
		qr/$index.*Index Cond/s, "... a range uses $index");
}

# The creator of the extension has hostile objects in the search_path, and even
# in the extension's schema.
like(as_role($superuser, 'traps', q{
	ALTER EXTENSION flakeid SET SCHEMA public;
	DROP TABLE kept;
	DROP SCHEMA trap CASCADE;
	DROP EXTENSION flakeid;
	CREATE SCHEMA attacker;
	CREATE FUNCTION attacker.timezone(text, timestamp) RETURNS timestamptz
	LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'trapped'; END $$;
	CREATE FUNCTION attacker.uuid_v7_min(anyelement) RETURNS uuid
	LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'trapped'; END $$;
	CREATE FUNCTION attacker.scru160_min(anyelement) RETURNS uuid
	LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'trapped'; END $$;
	} . traps_of_operators('attacker', 'uuid', 'bigint', 'anyelement') . q{
	CREATE DOMAIN attacker.timestamptz AS pg_catalog.text;
	CREATE DOMAIN attacker.uuid AS pg_catalog.text;
	SET search_path = attacker, pg_catalog;
	CREATE EXTENSION flakeid SCHEMA attacker;
	RESET search_path;
	DROP DOMAIN attacker.timestamptz, attacker.uuid;
	SELECT nspname FROM pg_extension AS e JOIN pg_namespace AS n ON n.oid = e.extnamespace
	WHERE extname = 'flakeid'}),
	qr/^attacker$/m, 'it is created in a hostile schema');
foreach my $expression (@expressions)
{
	(my $attacked = $expression) =~ s/\bids\./attacker./g;

	unlike(as_role($superuser, 'traps', "SET search_path = attacker, pg_catalog; SELECT $attacked"),
		qr/ERROR|^f?$/, "created in a hostile schema: $attacked");
}

$node->stop;
done_testing();
