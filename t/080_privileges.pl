# Actions that an ordinary user may and may not perform: changing settings that
# uniqueness depends on, moving the floors, reading or writing the state file,
# blocking other sessions.

use strict;
use warnings;

use FlakeidTest;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = new_node('privileges', q{
flakeid.node_id = 5
flakeid.node_bits = 3
shared_preload_libraries = ''
}, clock_library() ? (clock => 'each time') : ());

$node->safe_psql('postgres', q{
CREATE ROLE plain LOGIN;
CREATE ROLE other LOGIN;
CREATE ROLE owner LOGIN;
CREATE DATABASE owned OWNER owner;
GRANT CREATE ON SCHEMA public TO plain;
});
$node->safe_psql('owned', 'CREATE EXTENSION flakeid');

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

my $load = 'SELECT uuid_generate_v7() IS NULL;';

# The server's address in ids: read by functions, and computed from the bits
my $number = q{
SELECT a.node || ' ' || (fluid_get_generator(fluid_generate()) >> 11)
FROM fluid_get_address(fluid_generate()) AS a;
};
my $server_address = '5 3 0 0 1704067200000 1704067200000 1704067200000';

# ----------------------------------------------- permitted to all users
is(as_role('plain', q{
	CREATE TABLE own (id bigint PRIMARY KEY DEFAULT fluid_generate(),
		n bigint DEFAULT nanoflake_generate(),
		u bigint DEFAULT ulidflake_generate(), s scru160 DEFAULT scru160_generate(),
		v uuid DEFAULT uuid_generate_v7());
	INSERT INTO own DEFAULT VALUES;
	SELECT count(*) FROM own WHERE fluid_between(id, now() - interval '1 day',
		now() + interval '1 day');
	SELECT count(*) FROM flakeid_status();
	SET flakeid.max_wait = 5;
	SHOW flakeid.max_wait}),
	"1\n3\n5ms", 'an ordinary user generates and reads ids, and sees the status');
is(as_role('plain', "$load ALTER ROLE plain SET flakeid.max_wait = '2s'"),
	'f', '... and sets its own max_wait permanently');
is(as_role('plain', "$load SHOW flakeid.max_wait"),
	"f\n2s", '... which applies to its next session');

# -------------------------------------- settings that uniqueness depends on
my %values = (
	'flakeid.node_id' => 2,
	'flakeid.node_bits' => 0,
	'flakeid.sequence_scope' => 'server',
	'flakeid.fluid_epoch' => '2020-01-01T00:00:00Z',
	'flakeid.nanoflake_epoch' => '2020-01-01T00:00:00Z',
	'flakeid.ulidflake_epoch' => '2020-01-01T00:00:00Z',
	'flakeid.ulidflake_scalability' => 3);

sub nothing_changed
{
	my ($what) = @_;
	my $status = $node->safe_psql('postgres', q{
		SELECT DISTINCT scope || node || epoch FROM flakeid_status()
		WHERE format <> 'ulidflake'});

	is($status, 'backend52024-01-01 00:00:00+00', $what);
	return;
}

# An ordinary user runs statements that generate two ids.  The ids and the
# state file have the server's address.
sub has_the_servers
{
	my ($what, $statements, %environment) = @_;
	my $answer = as_role('plain', $statements, %environment);

	is(join(', ', grep { /^\d|ERROR/ } split /\n/, $answer),
		'5 5, 5 5', "$what: ids have the server's number")
	  or diag($answer);
	is(address_in_file($node), $server_address, '... and the state file has its address');
	return;
}

foreach my $setting (sort keys %values)
{
	my $value = "'$values{$setting}'";
	my $now = qr/ERROR:  55P02: parameter "\Q$setting\E" cannot be changed now/;
	my $denied =
	  qr/ERROR:  42501: permission denied to set parameter "\Q$setting\E"/;

	foreach my $statement (
		"SET $setting = $value",
		"SET LOCAL $setting = $value",
		"SELECT set_config('$setting', $value, false)",
		"UPDATE pg_settings SET setting = $value WHERE name = '$setting'",
		"ALTER ROLE plain SET $setting = $value",
		"CREATE FUNCTION with_setting() RETURNS int LANGUAGE sql SET $setting = $value AS 'SELECT 1'")
	{
		like(as_role('plain', "$load $statement"), $now,
			"ordinary user: $statement");
	}
	like(as_role('plain', "ALTER ROLE plain SET $setting = $value"),
		$denied, "$setting by ALTER ROLE before the load");
	like(as_owner("ALTER DATABASE owned SET $setting = $value"),
		$denied, "$setting by ALTER DATABASE before the load, by the database owner");
	like(as_owner("$load ALTER DATABASE owned SET $setting = $value"),
		$now, "$setting by ALTER DATABASE, by the database owner");
	like(as_role('plain', "$load ALTER SYSTEM SET $setting = $value"),
		qr/ERROR:  42501: permission denied to set parameter/,
		"$setting by ALTER SYSTEM");

	# Before the load these are placeholders.  They have no effect, even in the
	# first session after a start.
	foreach my $before (
		"SET $setting = $value;",
		"BEGIN; SET LOCAL $setting = $value;",
		"BEGIN; SAVEPOINT s; SET $setting = $value;",
		"SELECT set_config('$setting', $value, true) IS NULL; BEGIN; SELECT set_config('$setting', $value, true) IS NULL;")
	{
		unfold($node);
		has_the_servers("before the load: $before",
			"$before $number ROLLBACK; $number");
	}
	unfold($node);
	has_the_servers("$setting by PGOPTIONS",
		"$number $number", PGOPTIONS => "-c $setting=$values{$setting}");
}
nothing_changed('the address is unchanged after all this');

# A function, created before the load, with a SET clause for the setting; it
# loads the library.  Only a superuser can create one.
foreach my $setting (sort keys %values)
{
	my $function = qq{
		CREATE OR REPLACE FUNCTION around() RETURNS bigint LANGUAGE plpgsql
		SET $setting = '$values{$setting}'
		AS 'BEGIN RETURN public.fluid_get_generator(public.fluid_generate()) >> 11; END'};

	like(as_role('plain', $function),
		qr/ERROR:  42501: permission denied to set parameter "\Q$setting\E"/,
		"an ordinary user cannot give a function a $setting");
	$node->safe_psql('postgres', $function);
	unfold($node);
	is(join(', ', grep { /^\d|ERROR/ } split /\n/,
			as_role('plain', "SELECT around(); $number")),
		'5, 5 5', '... and a superuser\'s function has no effect, during the call or after it');
	is(address_in_file($node), $server_address, '... nor on the state file');
}

# A superuser may grant privileges on parameters, which do not help either.
$node->safe_psql('postgres', q{
GRANT SET ON PARAMETER flakeid.node_id, flakeid.fluid_epoch,
  flakeid.ulidflake_step_bits TO other;
});
is(as_role('other', 'ALTER ROLE other SET flakeid.node_id = 2'),
	'', 'with the privilege to SET: ALTER ROLE before the load');
unfold($node);
like(as_role('other', $number), qr/^5 5\z/m,
	'... which has no effect on that role\'s ids');
is(address_in_file($node), $server_address, '... has no effect on the state file');
$node->safe_psql('postgres', 'ALTER ROLE other RESET flakeid.node_id');
like(as_role('other', "$load SET flakeid.node_id = 2"),
	qr/ERROR:  55P02/, '... and no SET after the load');
is(as_role('other', $number), '5 5', '... and the session has the right node id without it');

# ------------------------------------------------------------- the step
like(as_role('plain', "$load SET flakeid.ulidflake_step_bits = 0"),
	qr/ERROR:  42501: permission denied to set parameter/,
	'an ordinary user cannot set the step');
foreach my $how (
	[ 'SET before the load', 'SET flakeid.ulidflake_step_bits = 0;', '' ],
	[ 'PGOPTIONS', '', '-c flakeid.ulidflake_step_bits=0' ])
{
	my ($what, $statement, $options) = @$how;
	my $answer =
	  as_role('plain', "$statement $load SHOW flakeid.ulidflake_step_bits",
		PGOPTIONS => $options);

	like($answer, qr/^4$/m, "... nor by $what");
}
like(as_role('plain', 'ALTER ROLE plain SET flakeid.ulidflake_step_bits = 0'),
	qr/ERROR:  42501/, '... nor by ALTER ROLE');
is(as_role('other', "$load SET flakeid.ulidflake_step_bits = 0; SHOW flakeid.ulidflake_step_bits"),
	"f\n0", '... but a user with the privilege can set it');

# ------------------------------------------------- reset and raise
foreach my $function ('flakeid_reset_clock()', "flakeid_raise_floor('infinity')")
{
	my ($name) = $function =~ /(\w+)/;
	my $denied = qr/ERROR:  42501: permission denied for function $name/;

	like(as_role('plain', "SELECT $function"), $denied, "an ordinary user cannot call $name");
	like(as_role('plain', "CREATE VIEW v AS SELECT $function IS NULL; SELECT * FROM v; DROP VIEW v"),
		$denied, "no $name in a view");
	like(as_role('plain', "CREATE TABLE t (x int DEFAULT ($function IS NULL)::int); INSERT INTO t DEFAULT VALUES; DROP TABLE t"),
		$denied, "no $name in a default");
	like(as_role('plain', "DO \$\$ BEGIN PERFORM $function; END \$\$"),
		$denied, "no $name in a block");
	like(as_owner("SELECT $function"), $denied,
		"the owner of a database cannot call $name");
	(my $types = $function) =~ s/'infinity'/timestamptz/;
	like(as_role('plain', "GRANT EXECUTE ON FUNCTION $types TO plain"),
		$denied, "no privilege on $name to grant");
	like(as_role('plain', "CREATE OR REPLACE FUNCTION $types RETURNS void LANGUAGE sql AS ''"),
		qr/ERROR:  42501: must be owner of function/, "no replacement of $name");
	like(as_role('plain', "CREATE FUNCTION own_$types RETURNS void LANGUAGE c AS 'flakeid', 'flakeid_flakeid_reset_clock'"),
		qr/ERROR:  42501: permission denied for language c/,
		"no $name under another name");
}
is(read_state(state_bytes($node))->{reset}, 0, 'no reset is pending');
$node->safe_psql('postgres',
	'GRANT EXECUTE ON FUNCTION flakeid_raise_floor(timestamptz) TO other');
is(as_role('other', 'SELECT flakeid_raise_floor(now())'),
	'', 'a user with the privilege raises the floor');

# ---------------------------------------------------------- the state file
my $file = 'pg_stat/flakeid.state';
my $absolute = state_path($node);

foreach my $statement (
	"SELECT pg_read_file('$file')",
	"SELECT pg_read_binary_file('$file')",
	"SELECT pg_read_binary_file('$absolute')",
	"SELECT pg_stat_file('$file')",
	"SELECT pg_ls_dir('pg_stat')",
	"SELECT lo_import('$absolute')",
	"SELECT lo_export(1, '$absolute')",
	"COPY own TO '$absolute'",
	"COPY own FROM '$absolute'",
	"COPY own TO PROGRAM 'cat >$absolute'",
	"COPY own FROM PROGRAM 'cat $absolute'",
	"LOAD 'flakeid'")
{
	(my $shown = $statement) =~ s/\Q$absolute\E/<file>/;
	like(as_role('plain', $statement),
		qr/ERROR:  42501: (?:permission denied|must be|access to library)/,
		"ordinary user: $shown");
}
is(sprintf('%o', (stat $absolute)[2] & 07777),
	'600', 'only the server can read the state file');

# ------------------------------------------------- blocking other sessions
like(as_role('plain', "$load SET flakeid.max_wait = '61s'"),
	qr/ERROR:  22023: .*outside the valid range/,
	'max_wait cannot exceed 60 s');
like(as_role('plain', "$load SHOW flakeid.max_wait", PGOPTIONS => '-c flakeid.max_wait=1h'),
	qr/^1s$/m, '... nor by PGOPTIONS');

# However fast a session generates ids, the shared word keeps pace with the
# clock.
my @busy = map { session($node, PGUSER => 'plain') } 1 .. 2;

$_->backend_pid foreach @busy;
$_->send('SELECT count(ulidflake_generate()) FROM (SELECT generate_series(1, 1000000000)) AS s')
  foreach @busy;

# The word changes while both are busy, and not before.
my $word = sub { return read_state(state_bytes($node))->{ulidflake}{word} };
my $word_before = $word->();

ok(wait_until(sub { $word->() != $word_before }), 'users are busy generating ids');

my $beside = session($node, PGUSER => 'other');
my $made = $beside->query(q{
	SELECT count(DISTINCT ulidflake_generate()) FROM generate_series(1, 1000);
	SELECT ahead < interval '1 s' FROM flakeid_status() WHERE format = 'ulidflake'});

is($made, "1000\nt", 'a user beside busy ones generates ids, and the word keeps pace with the clock');
$node->safe_psql('postgres', 'SELECT pg_cancel_backend(' . $_->backend_pid . ')')
  foreach @busy;
foreach my $session (@busy)
{
	my $begin = stopwatch();

	like($session->receive, qr/ERROR:  57014/, 'generating ids can be canceled');
	cmp_ok(stopwatch() - $begin, '<', 30, '... at once');
	$session->quit;
}
$beside->quit;

SKIP:
{
	skip 'libfaketime is not installed', 7 unless clock_library();

	# The clock is set back by ten minutes, so a Nanoflake waits.
	my %ends = (
		'by statement_timeout' => sub { },
		'by its own user' => sub {
			is(as_role('plain', "SELECT pg_cancel_backend($_[0])"),
				't', 'a user cancels its own wait');
		},
		'by a superuser, for good' => sub {
			$node->safe_psql('postgres', "SELECT pg_terminate_backend($_[0])");
		});
	my $session = session($node, PGUSER => 'plain');

	$session->query("SELECT nanoflake_generate(); SET flakeid.max_wait = '60s'");
	set_clock($node, -600);
	foreach my $how (
		'by statement_timeout',
		'by its own user',
		'by a superuser, for good')
	{
		my $timeout = $how =~ /timeout/ ? 2000 : 0;
		my $waits = q{
			SELECT server_waits FROM flakeid_status() WHERE format = 'nanoflake'};
		my $before = $node->safe_psql('postgres', $waits);

		$session->backend_pid;
		$session->send("SET statement_timeout = $timeout; SELECT nanoflake_generate()");
		ok(wait_until(sub { $node->safe_psql('postgres', $waits) > $before }),
			'a Nanoflake waits for the clock');

		my $begin = stopwatch();

		$ends{$how}->($session->backend_pid);
		like($session->receive, qr/ERROR:  57014|FATAL:  57P01/,
			"... and is terminated $how");
		cmp_ok(stopwatch() - $begin, '<', 30, '... promptly');
	}
	$session->quit;
	like(as_role('plain', 'SET flakeid.max_wait = 300; SELECT nanoflake_generate()'),
		qr/ERROR:  55000: could not generate a Nanoflake: the clock is \d+ ms behind/,
		'no session is blocked except the waiting one, for as long as its settings allow');
	set_clock($node, 0);
}

$node->stop;
done_testing();
