# Actions that an ordinary user may and may not perform: changing settings that
# uniqueness depends on, moving floors and horizons, blocking other sessions.

use FlakeidTest;
use FlakeidHorizon qw(horizon_ms);
use FlakeidServers qw(recipe);

my $node = new_node('privileges', q{
flakeid.node_id = 5
flakeid.node_bits = 3
}, clock_library() ? (clock => 1) : ());

$node->safe_psql('postgres', q{
CREATE ROLE plain LOGIN;
CREATE ROLE other LOGIN;
CREATE ROLE owner LOGIN;
CREATE DATABASE owned OWNER owner;
GRANT CREATE ON SCHEMA public TO plain, other;
});

# Default privileges do not apply to the horizons, and to what administrators call.
$node->safe_psql('owned', q{
ALTER DEFAULT PRIVILEGES GRANT ALL ON SEQUENCES TO PUBLIC;
ALTER DEFAULT PRIVILEGES GRANT ALL ON SEQUENCES TO owner;
CREATE ROLE "o'wn ""er;"; CREATE SEQUENCE s; ALTER EXTENSION plpgsql ADD SEQUENCE s;
ALTER DEFAULT PRIVILEGES GRANT ALL ON SEQUENCES TO "o'wn ""er;";
ALTER DEFAULT PRIVILEGES GRANT ALL ON FUNCTIONS TO other, "o'wn ""er;";
ALTER DEFAULT PRIVILEGES GRANT ALL ON TYPES TO other;
CREATE EXTENSION flakeid});
is($node->safe_psql('owned', q{SELECT relname, count(*) FROM pg_class, aclexplode(relacl)
	WHERE relname IN ('flakeid_fluid_horizon', 's') GROUP BY 1 ORDER BY 1}),
		"flakeid_fluid_horizon|4\ns|9",
	"only the horizons lose default privileges, not another extension's sequence");
my $more_than_public = q{
WITH member AS (
	SELECT pg_describe_object(classid, objid, 0) AS what, o.*
	FROM pg_extension AS e JOIN pg_depend ON refobjid = e.oid AND deptype = 'e' JOIN LATERAL (
		SELECT relowner AS owner, coalesce(relacl, acldefault('s', relowner)) AS acl
		FROM pg_class WHERE (tableoid, oid) = (classid, objid)
		UNION ALL SELECT proowner, coalesce(proacl, acldefault('f', proowner))
		FROM pg_proc WHERE (tableoid, oid) = (classid, objid)
		UNION ALL SELECT typowner, coalesce(typacl, acldefault('T', typowner))
		FROM pg_type WHERE (tableoid, oid) = (classid, objid)) AS o ON true
	WHERE extname = 'flakeid')
SELECT string_agg(DISTINCT what, ', ') FROM member, aclexplode(acl) AS a
WHERE grantee NOT IN (0, owner) AND NOT EXISTS (
	SELECT FROM aclexplode(acl) AS p WHERE p.grantee = 0 AND p.privilege_type = a.privilege_type)};
is($node->safe_psql('owned', $more_than_public), '',
	'no member gives anyone but its owner more than everybody');
$node->safe_psql('owned', 'GRANT EXECUTE ON FUNCTION flakeid_cancel_reset() TO other');
is($node->safe_psql('owned', $more_than_public), 'function flakeid_cancel_reset()',
	'... and this finds what does');
$node->safe_psql('owned', 'REVOKE EXECUTE ON FUNCTION flakeid_cancel_reset() FROM other');

# Run statements as a user, in a session of its own.  Returns the answer,
# including errors.
sub as_role
{
	my ($role, $sql, %environment) = @_;
	return run_sql($node, $sql, PGUSER => $role, %environment);
}

# The same as the owner of a database, in that database
sub as_owner
{
	my ($sql) = @_;
	return as_role('owner', "\\c owned\n$sql");
}

# The server's address in ids: read by functions, and computed from the bits
my $number = q{
SELECT a.node || ' ' || (fluid_get_generator(fluid_generate()) >> 11)
FROM fluid_get_address(fluid_generate()) AS a;
};

# ----------------------------------------------- permitted to all users
is(as_role('plain', q{
	CREATE TABLE own (id bigint PRIMARY KEY DEFAULT fluid_generate(),
		n bigint DEFAULT nanoflake_generate(),
		u bigint DEFAULT ulidflake_generate(), s scru160 DEFAULT scru160_generate(),
		v uuid DEFAULT uuid_generate_v7());
	INSERT INTO own DEFAULT VALUES;
	SELECT count(*) FROM own WHERE fluid_in_range(id, now() - interval '1 day',
		now() + interval '1 day');
	SELECT count(*) FROM flakeid_status();
	SET flakeid.max_wait = 5;
	SHOW flakeid.max_wait}),
	"1\n3\n5ms", 'an ordinary user generates and reads ids, and sees the status');
is(as_role('plain', q{CREATE VIEW status AS SELECT * FROM flakeid_status();
	CREATE TABLE address AS SELECT * FROM fluid_get_address(0);
	SELECT count(*) FROM status, address}),
	3, '... and builds on the columns of rows');
# PostgreSQL can crash at a column that was added below a view of whole rows.
like(as_role('plain', $_), qr/^ERROR:  42501: permission denied for type /,
	"... but not on their types: $_")
  foreach 'CREATE VIEW whole AS SELECT s FROM flakeid_status() AS s',
    'CREATE TABLE typed OF flakeid_address_row',
  'CREATE TABLE past (status flakeid_status_row)',
  'CREATE FUNCTION rows() RETURNS SETOF flakeid_explain_row LANGUAGE sql RETURN NULL';
is(as_role('plain', "ALTER ROLE plain SET flakeid.max_wait = '2s'"),
	'', '... and sets its own max_wait permanently');
is(as_role('plain', "SHOW flakeid.max_wait"), '2s', '... which applies to its next session');

# -------------------------------------- settings that uniqueness depends on
# No user can change them (t/030_settings.pl): a privilege does not help either.
$node->safe_psql('postgres', q{
GRANT SET ON PARAMETER flakeid.node_id, flakeid.fluid_epoch,
  flakeid.ulidflake_step_bits TO other});
foreach my $role ('plain', 'other')
{
	is(() = as_role($role, "SET flakeid.node_id = 2; ALTER ROLE $role SET flakeid.node_id = 2")
		=~ /ERROR:  55P02: parameter "flakeid\.node_id" cannot be changed without restarting/g,
		2, "$role cannot set flakeid.node_id");
	like(as_role($role, 'ALTER SYSTEM SET flakeid.node_id = 2'),
		qr/ERROR:  42501: permission denied to set parameter/, '... nor by ALTER SYSTEM');
	is(as_role($role, $number), '5 5', '... and its ids have the number of the server');
}

# ------------------------------------------------------------- the step
like(as_role('plain', $_), qr/ERROR:  42501: permission denied to set parameter/,
	"an ordinary user cannot set the step: $_")
  foreach 'SET flakeid.ulidflake_step_bits = 0',
    'ALTER ROLE plain SET flakeid.ulidflake_step_bits = 0';
is(as_role('other', "SET flakeid.ulidflake_step_bits = 0; SHOW flakeid.ulidflake_step_bits"),
	'0', '... but a user with the privilege can');

# ------------------------------------------------- reset and raise
foreach my $function ('flakeid_reset_horizon()', "flakeid_raise_floor('infinity')")
{
	my ($name) = $function =~ /(\w+)/;
	my $types = $function =~ s/'infinity'/timestamptz/r;
	my $denied = qr/ERROR:  42501: permission denied for function $name/;

	like(as_owner("SELECT $function"), $denied, "the owner of a database cannot call $name");
	foreach my $case (
		[ "SELECT $function", $denied ],
		[ "CREATE VIEW v AS SELECT $function IS NULL; SELECT * FROM v; DROP VIEW v", $denied ],
		[ "CREATE TABLE t (x int DEFAULT ($function IS NULL)::int); INSERT INTO t DEFAULT VALUES;
			DROP TABLE t",
			$denied ],
		[ "DO \$\$ BEGIN PERFORM $function; END \$\$", $denied ],
		[ "GRANT EXECUTE ON FUNCTION $types TO plain", $denied ],
		[ "CREATE OR REPLACE FUNCTION $types RETURNS void LANGUAGE sql AS ''",
			qr/ERROR:  42501: must be owner of function/ ],
		[ "CREATE FUNCTION own_$types RETURNS void LANGUAGE c
			AS 'flakeid', 'flakeid_reset_horizon'",
			qr/ERROR:  42501: permission denied for language c/ ])
	{
		like(as_role('plain', $case->[0]), $case->[1], "an ordinary user cannot: $case->[0]");
	}
}
is($node->safe_psql('postgres', 'SELECT log_cnt >> 62 = -1 FROM flakeid_fluid_horizon'),
	'f', 'no reset is pending');
$node->safe_psql('postgres', 'GRANT EXECUTE ON FUNCTION flakeid_raise_floor(timestamptz) TO other');
is(as_role('other', 'SELECT flakeid_raise_floor(now())'), 3,
	'a user with the privilege raises the floor');
$node->safe_psql('postgres',
	'REVOKE EXECUTE ON FUNCTION flakeid_raise_floor(timestamptz) FROM other');

# A function that changes a database refuses to do so in a READ ONLY transaction:
# these, and no others, are refused to a role without privileges.
my $states = q{
BEGIN READ ONLY;
SET LOCAL client_min_messages = error;
SET LOCAL DateStyle = 'ISO';
DO $$
DECLARE
	call text;
BEGIN
	FOR call IN
		SELECT format('SELECT %s(%s)', p.oid::regproc, (
			SELECT string_agg(CASE type
				WHEN 'bigint'::regtype THEN '1' WHEN 'integer'::regtype THEN '48'
				WHEN 'boolean'::regtype THEN 'true' WHEN 'text'::regtype THEN '''ms'''
				WHEN 'bytea'::regtype THEN '''\x00'''
				WHEN 'uuid'::regtype THEN 'gen_random_uuid()'
				WHEN 'scru160'::regtype THEN 'scru160_min(now())'
				WHEN 'interval'::regtype THEN '''1 s'''
				ELSE 'now()' END || '::' || type::regtype, ', ' ORDER BY n)
			FROM unnest(p.proargtypes) WITH ORDINALITY AS a (type, n)))
		FROM pg_proc AS p
		JOIN pg_depend AS d
			ON classid = 'pg_proc'::regclass AND objid = p.oid AND deptype = 'e'
		JOIN pg_extension AS e
			ON refclassid = 'pg_extension'::regclass AND refobjid = e.oid
		WHERE extname = 'flakeid' AND prokind = 'f'
			AND NOT '{internal,cstring}'::regtype[] && p.proargtypes::oid[]::regtype[]
		ORDER BY 1
	LOOP
		BEGIN
			EXECUTE call;
			RAISE EXCEPTION USING ERRCODE = '00001';
		EXCEPTION WHEN OTHERS THEN
			IF sqlstate IN ('25006', '42501') THEN
				PERFORM set_config('test.refused',
					current_setting('test.refused', true) || call || E'\n', true);
			END IF;
		END;
	END LOOP;
END $$;
SHOW test.refused};
my $changing = $node->safe_psql('postgres', $states);

like($changing, qr/\A(?:SELECT \w+\(.*\)\n)+\z/, 'functions that change a database');
is(as_role('plain', $states), $changing, '... are refused to others, and no others are');

# -------------------------------------------------------------- the horizons
my $not_owner =
  qr/permission denied for|must be owner of|cannot (?:change|lock)|"\w+" is not a table/;

foreach my $sequence (map { "flakeid_${_}_horizon" } qw(fluid nanoflake ulidflake))
{
	is(as_role('plain', "SELECT last_value > 0 FROM $sequence"), 't',
		"an ordinary user reads $sequence");
	foreach my $statement (
		"SELECT nextval('$sequence')", "SELECT setval('$sequence', 1)",
		"ALTER SEQUENCE $sequence RESTART", "DROP EXTENSION flakeid CASCADE",
		"CREATE TABLE of_horizon (n bigint DEFAULT nextval('$sequence'));
			INSERT INTO of_horizon DEFAULT VALUES",
		"ALTER SEQUENCE $sequence OWNER TO plain",
		"UPDATE $sequence SET last_value = 1",
		"BEGIN; LOCK TABLE $sequence IN ACCESS SHARE MODE")
	{
		like($_, qr/ERROR:  (?:42501|42809|55000): $not_owner/,
			"nobody but its owner: $statement")
		  foreach as_role('plain', $statement), as_owner($statement);
	}
}
like(as_role('plain', "LOAD 'flakeid'"), qr/ERROR:  42501: access to library/,
	'an ordinary user cannot load the library by hand');

# ------------------------------------------------- blocking other sessions
like(as_role('plain', "SET flakeid.max_wait = '61s'"),
	qr/ERROR:  22023: .*outside the valid range/, 'max_wait cannot exceed 60 s');
like(as_role('plain', "SHOW flakeid.max_wait", PGOPTIONS => '-c flakeid.max_wait=1h'),
	qr/FATAL:  .*outside the valid range/, '... nor by PGOPTIONS');

# However fast a session generates ids, the shared word keeps pace with the
# clock.
my @busy = map { session($node, PGUSER => 'plain') } 1 .. 2;

$_->backend_pid foreach @busy;
$_->send('SELECT count(ulidflake_generate()) FROM (SELECT generate_series(1, 1000000000)) AS s')
  foreach @busy;

# The horizon changes while both are busy, and not before.
my $horizon = horizon_ms($node, 'ulidflake');

ok(wait_until(sub { horizon_ms($node, 'ulidflake') != $horizon }), 'users are busy generating ids');

my $beside = session($node, PGUSER => 'other');
my $made = $beside->query(q{
	SELECT count(DISTINCT ulidflake_generate()) FROM generate_series(1, 1000);
	SELECT ahead < interval '1 s' FROM flakeid_status() WHERE format = 'ulidflake'});

is($made, "1000\nt",
	'a user beside busy ones generates ids, and the word keeps pace with the clock');
$node->safe_psql('postgres', 'SELECT pg_cancel_backend(' . $_->backend_pid . ')') foreach @busy;
foreach my $session (@busy)
{
	my $begin = stopwatch();

	like($session->receive, qr/ERROR:  57014/, 'generating ids can be canceled');
	cmp_ok(stopwatch() - $begin, '<', 30, '... at once');
	$session->quit;
}

SKIP:
{
	skip 'no compiler for the shim of the clock', 1 unless clock_library();

	# The clock is set back by ten minutes, so a Nanoflake waits.
	my $session = session($node, PGUSER => 'plain');
	my $pid = $session->backend_pid;

	$session->query("SELECT nanoflake_generate(); SET flakeid.max_wait = '60s'");
	$beside->query('SELECT nanoflake_generate()');
	set_clock($node, -600);
	$session->send('SELECT nanoflake_generate()');
	ok(wait_until(sub {
			$node->safe_psql('postgres',
				"SELECT wait_event_type FROM pg_stat_activity WHERE pid = $pid") eq 'Extension'
		}), 'a Nanoflake waits for the clock');
	like($beside->query('SET flakeid.max_wait = 300;
		SELECT fluid_generate(), ulidflake_generate()'),
		qr/\A\d+\|\d+\z/, '... and blocks no other session');
	like($beside->query('SELECT nanoflake_generate()'),
		qr/ERROR:  55000: could not generate a Nanoflake: the clock is \d+ ms behind/,
		'... which waits for as long as its own settings allow');
	is(as_role('plain', "SELECT pg_cancel_backend($pid)"), 't', 'a user cancels its own wait');
	like($session->receive, qr/ERROR:  57014/, '... which ends');
	$_->quit foreach $session, $beside;
}

# --------------------------------------------------- a schema of its own

# As doc/operating.md says
$node->safe_psql('postgres', 'CREATE DATABASE own');
$node->safe_psql('own', recipe('the extension in a schema of its own'));
$node->safe_psql('own', q{
	CREATE TABLE orders (id bigint PRIMARY KEY DEFAULT ids.fluid_generate(), note text);
	GRANT INSERT, SELECT ON orders TO plain;
	GRANT CREATE ON SCHEMA public TO other});
is(as_role('plain', q{INSERT INTO orders (note) VALUES ('tea');
	SELECT uuid_get_version(ids.uuid_generate_v7()), count(*) FROM orders},
	database => 'own', PGOPTIONS => '-c search_path=public,ids'), '7|1',
	'an extension in a schema of its own: another role generates ids');

my $replace = q{CREATE OR REPLACE FUNCTION uuid_generate_v7() RETURNS uuid LANGUAGE sql
	RETURN gen_random_uuid();};
my $still = q{SELECT ids.uuid_get_version(ids.uuid_generate_v7())};

is(as_role($_, "$replace $still", database => 'own'), '7',
	"... $_ creates a function of the same name, and replaces none") foreach qw(other postgres);
like(as_role('other', $replace, database => 'postgres'), qr/ERROR:  42501/,
	'... in public another role gets an error');
$node->safe_psql('own', 'DROP EXTENSION flakeid CASCADE; DROP SCHEMA ids');
$node->safe_psql('own', recipe('the extension in a schema of its own') =~ s/^GRANT.*\n//mr);
like(as_role('plain', 'SELECT ids.fluid_generate()', database => 'own'),
	qr/ERROR:  42501: permission denied for schema ids/, 'a schema without USAGE');
like(as_role('plain', 'SELECT fluid_generate()', database => 'own',
		PGOPTIONS => '-c search_path=public,ids'),
	qr/ERROR:  42883: function fluid_generate\(\) does not exist/, '... search_path does not help');
done_testing();
