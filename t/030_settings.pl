# Settings that take effect at server start need the library in
# shared_preload_libraries.  Without that, a value raises F0000, wherever it comes
# from: for the first process that needs the shared state after a start, and for
# functions that read ids by an epoch.  Other sessions that have a value get a
# WARNING, and sessions without a value are not affected.  With the library in
# shared_preload_libraries, these settings work like others of the server.

use FlakeidTest;
use FlakeidServers 'recipe';

my $node = new_node('settings', '', init => { allows_streaming => 1 });

sub is_set
{
	my ($name) = @_;

	my $error =
	  qr/parameter "flakeid\.$name" is set, but flakeid is not in shared_preload_libraries/;
	my $hint = 'Add flakeid to shared_preload_libraries and restart the server, or remove the'
	  . ' setting';

	return qr/(?:ERROR|FATAL):  F0000: $error\n(?:.*\n)?HINT:  $hint\./;
}

sub set_conf
{
	my ($text) = @_;
	unlink $node->data_dir . '/postgresql.conf';
	$node->append_conf('postgresql.conf', $text);
}

# Ids of every format, and the address in effect: the default one, 0
my $made = q{
SELECT 'made ' || count(fluid_generate()) || count(nanoflake_generate()) ||
  min(ulidflake_scalable_get_scalability(ulidflake_scalable_generate()));
SELECT string_agg('node ' || node || ' ' || scope, ', ' ORDER BY format)
FROM flakeid_status();
};

sub works
{
	my ($what, $answer) = @_;

	is(join(', ', grep { /^node|^made|ERROR|FATAL/ } split /\n/, $answer),
		'made 110, node 0 backend, node 0 backend, node 0 server', $what);
}

# ------------------------------------------------- not preloaded: first of all

$node->safe_psql('postgres', q{
CREATE ROLE plain LOGIN;
CREATE ROLE bent LOGIN;
ALTER ROLE bent SET flakeid.node_id = 2;
CREATE ROLE bent_here LOGIN;
ALTER ROLE bent_here IN DATABASE postgres SET flakeid.node_id = 2;
CREATE FUNCTION around() RETURNS bigint LANGUAGE plpgsql SET flakeid.node_id = 2
AS 'BEGIN RETURN public.fluid_generate(); END';
CREATE FUNCTION wrapped() RETURNS bigint LANGUAGE plpgsql STABLE PARALLEL SAFE
AS 'BEGIN RETURN public.fluid_generate(); END';
CREATE DATABASE bent;
CREATE DATABASE empty;
});
$node->safe_psql('bent', q{
CREATE EXTENSION flakeid;
ALTER DATABASE bent SET flakeid.node_id = 2;
});

my $force =
    ($node->pg_version < 16 ? 'SET force_parallel_mode = on;'
	: 'SET debug_parallel_query = on;')
  . ' SET parallel_leader_participation = off;';

# Statements of the first session after a start, and its environment
my @first = (
	[ 'PGOPTIONS', $made, PGOPTIONS => '-c flakeid.node_id=2' ],
	[ 'PGOPTIONS, an empty value', $made, PGOPTIONS => '-c flakeid.node_id=' ],
	[ 'PGOPTIONS and RESET ALL', "RESET ALL; $made", PGOPTIONS => '-c flakeid.node_id=2' ],
	[ 'ALTER ROLE IN DATABASE', $made, PGUSER => 'bent_here' ],
	[ 'ALTER ROLE and SET TO DEFAULT', "SET flakeid.node_id TO DEFAULT; $made", PGUSER => 'bent' ],
	[ 'ALTER DATABASE', "\\c bent\n$made" ],
	[ 'SET, invalid', "SET flakeid.node_id = 'nonsense'; $made" ],
	[ 'SET in upper case, the library loaded before',
		qq{SELECT uuid_generate_v7() IS NULL; SET "FLAKEID.NODE_ID" = 2; $made} ],
	[ 'SET LOCAL after a savepoint', "BEGIN; SAVEPOINT s; SET LOCAL flakeid.node_id = 2; $made" ],
	[ 'set_config(), local and empty',
	"BEGIN; SELECT set_config('flakeid.node_id', '', true); $made" ],
	[ 'a function\'s SET', 'SELECT around()' ],
	[ 'SET, a parallel worker', "SET flakeid.node_id = 2; $force SELECT wrapped()" ],
	[ 'SET, flakeid_status()', 'SET flakeid.node_id = 2; SELECT flakeid_status()' ],
	[ 'SET, flakeid_raise_floor()', 'SET flakeid.node_id = 2; SELECT flakeid_raise_floor(now())' ],
	[ 'SET, CREATE EXTENSION', "\\c empty\nSET flakeid.node_id = 2; CREATE EXTENSION flakeid" ]);

foreach my $way (@first)
{
	my ($what, $statements, %environment) = @$way;

	$node->restart;

	my $session = session($node, %environment);
	my $answer = $session->query($statements);

	like($answer, is_set('node_id'), "the first of a start, $what: F0000");
	unlike($answer, qr/^made|^\d{17,}$/m, '... and no id');
	works('... another session generates ids with the defaults', run_sql($node, $made));
	$answer = $session->query("ROLLBACK; $statements");
	unlike($answer, qr/F0000/, '... and so does this one afterwards');
	is(() = $answer =~ /WARNING:  01000: parameter "flakeid.node_id" is set, but not in effect\n/g,
		$statements =~ /made|around/ ? 1 : 0, '... with a WARNING at its first id');
	unlike($session->query($statements), qr/not in effect/, '... and none afterwards')
	  unless $statements =~ /^\\c/;
	$session->quit;
}

# A database has a value, and another one's session is the first of a start: ids have
# the default, with a WARNING in each session of the database that generates one.
$node->restart;
works('the first of a start has no value: ids', run_sql($node, $made));
foreach my $n (1, 2)
{
	my $answer = run_sql($node, "\\c bent\n$made");

	like($answer, qr/"flakeid.node_id" is set, but not in effect\n.*DETAIL:  Ids of 64 bits/,
		"... session $n of a database that has one: a WARNING");
	works('... and ids with the default', $answer);
}
unlike(run_sql($node, "\\c bent\nSELECT uuid_generate_v7(), count(*) FROM flakeid_status()"),
	qr/WARNING/, '... not without a 64-bit id');

# Each setting is recognized.
my %values = (
	node_id => 2, node_bits => 5, sequence_scope => 'server', ulidflake_scalability => 9,
	fluid_epoch => '2020-01-01T00:00:00Z', nanoflake_epoch => '2021-01-01T00:00:00Z',
	ulidflake_epoch => '2020-06-01T00:00:00Z');

$node->restart;
foreach my $name (sort keys %values)
{
	like(run_sql($node, "SET flakeid.$name = '$values{$name}'; $made"), is_set($name),
		"flakeid.$name");
}

# What was taken back is not set; settings of a session need no preloading.
foreach my $taken_back (
	'SET flakeid.node_id = 2; DISCARD ALL;',
	'BEGIN; SET flakeid.node_id = 2; ROLLBACK;',
	"SELECT set_config('flakeid.node_id', NULL, false), current_setting('flakeid.node_id', true);",
	"SET flakeid.max_wait = '7s'; SET flakeid.ulidflake_step_bits = 8;")
{
	$node->restart;
	works("the first of a start: $taken_back ids", run_sql($node, "$taken_back $made"));
}
is(run_sql($node, 'SELECT nanoflake_generate() > 0; SHOW flakeid.max_wait',
		PGOPTIONS => '-c flakeid.max_wait=7s'), "t\n7s", 'max_wait is a connection option');
like(run_sql($node, 'SELECT nanoflake_generate() > 0',
		PGOPTIONS => '-c flakeid.max_wait=nonsense -c flakeid.ulidflake_step_bits=99'),
	qr/WARNING.*^t$/ms, 'an invalid max_wait: a WARNING, and an id');

# What an ordinary user may not set has no effect, also if it is set before the
# library is loaded.
foreach my $how (
	[ "SET flakeid.ulidflake_step_bits = 0; SET flakeid.max_wait = '1h';" ],
	[ '', PGOPTIONS => '-c flakeid.ulidflake_step_bits=0 -c flakeid.max_wait=1h' ])
{
	my ($statements, @options) = @$how;

	like(run_sql($node, "$statements SELECT uuid_generate_v7() IS NULL;
			SHOW flakeid.ulidflake_step_bits; SHOW flakeid.max_wait", PGUSER => 'plain', @options),
		qr/^f\n4\n1s$/m, "by an ordinary user, before the load: $statements @options");
}

# flakeid.version is a constant of the library, whatever a session, a role or a file
# has set before it was loaded.
my $version = 'SELECT uuid_generate_v7() IS NULL; SHOW flakeid.version';
my $of_library = "f\n" . library_version();

is(run_sql($node, $version), $of_library, 'flakeid.version is that of META.json');
is(run_sql($node, "SELECT uuid_generate_v7() IS NULL;
		SELECT version FROM pg_get_loaded_modules() WHERE module_name = 'flakeid'"),
	$of_library, '... and PostgreSQL shows it, too')
  if $node->pg_version >= 18;
is(run_sql($node, recipe('the version of the library that a session uses')),
	"3\n" . library_version(), '... as doc/operating.md says');
like(run_sql($node, "SET flakeid.version = '2'; $version"),
	qr/WARNING:  55P02: parameter "flakeid.version" cannot be changed\n(.*\n)*$of_library$/,
	'... and not what a session has set');

# ------------------------------------------------- not preloaded: in the file

my $conf = slurp_file($node->data_dir . '/postgresql.conf');

$node->append_conf('postgresql.conf', "flakeid.version = '2'\n");
$node->restart;
like(run_sql($node, $version), qr/$of_library$/, '... or the file');
set_conf($conf);
$node->append_conf('postgresql.conf', "flakeid.node_id = 1\n");
$node->restart;

my $there = session($node);

foreach my $call ('fluid_generate()', 'nanoflake_generate()', 'ulidflake_generate()',
	'flakeid_status()', 'fluid_to_timestamptz(0)')
{
	like($_, is_set('node_id'), "in the file: $call")
	  foreach $there->query("SELECT $call"), run_sql($node, "SELECT $call");
}
like($there->query('SELECT uuid_generate_v7(), scru160_generate()'),
	qr/\A[0-9a-f-]{36}\|\w{32}\z/, '... other ids are generated');
like(run_sql($node, "$_; $made"), is_set('node_id'), "... and no session can hide it: $_")
  foreach 'SET flakeid.node_id TO DEFAULT; RESET ALL', "SET flakeid.node_id = ''";
set_conf($conf);
$node->reload;
ok(wait_until(sub { run_sql($node, $made) =~ /^made/ && $there->query($made) =~ /^made/ }),
	'removed from the file, a reload suffices, also for the session that was there');

# Under a running server, a value in the file stops readers only.
$node->append_conf('postgresql.conf', "flakeid.fluid_epoch = '2020-01-01 00:00:00Z'\n");
$node->reload;
ok(wait_until(sub { run_sql($node, 'SHOW flakeid.fluid_epoch') =~ /2020/ }), 'a reload adds one');
works('... the session that was there generates ids', $there->query($made));

my $not_in_effect =
	qr/WARNING:  01000: parameter "flakeid.fluid_epoch" is set, but not in effect\n/;

foreach my $whose ('', q{SET flakeid.fluid_epoch = ''; })
{
	my $answer = run_sql($node, "$whose$made$made");

	like($answer, qr/\A$not_in_effect(?!.*$not_in_effect)/s, '... a new one is warned, once');
	is(() = $answer =~ /^made 110\nnode 0 backend, node 0 backend, node 0 server$/mg, 2,
		'... and generates ids with what the status shows');
}
unlike(run_sql($node, $_), qr/WARNING/, "... not by $_")
	foreach 'SELECT uuid_generate_v7()', "$force SELECT wrapped()";
like(run_sql($node, 'SELECT fluid_to_timestamptz(0)'),
	is_set('fluid_epoch'), '... a reader by an epoch does not guess it');
$there->quit;
set_conf($conf);
$node->stop;

# On the command line
command_ok([ 'pg_ctl', '-w', '-s', '-D', $node->data_dir, '-l', $node->logfile,
		'-o', '--cluster-name=settings -c flakeid.node_id=1', 'start' ],
	'started with a setting on the command line');
like(run_sql($node, $made), is_set('node_id'), '... F0000');
command_ok([ 'pg_ctl', '-w', '-s', '-D', $node->data_dir, 'stop' ], 'stopped');
$node->_update_pid(0);
$node->start;

# ------------------------------------------------------------------- readers

$node->backup('backup');

my $standby = PostgreSQL::Test::Cluster->new('standby');

$standby->init_from_backup($node, 'backup', has_streaming => 1);
$standby->start;

my @readers = ((map { ("${_}_to_timestamptz(0)", "${_}_min(now())",
		"${_}_in_range(0, now(), now())", "${_}_explain(0)") } qw(fluid nanoflake ulidflake)),
	'ulidflake_from_timestamptz(now())', 'ulidflake_scalable_from_timestamptz(now())',
	'fluid_get_address(0)', 'nanoflake_get_address(0)',
	q{ulidflake_scalable_from_timestamptz(now(), 'epoch')});

foreach my $server ($node, $standby)
{
	my $name = $server->name;

	is(() = run_sql($server, join(";\n", map { "SELECT $_" } @readers),
			PGOPTIONS => '-c flakeid.fluid_epoch=2020-01-01T00:00:00Z')
				=~ /@{[ is_set('fluid_epoch') ]}/g,
		scalar(@readers), "$name: F0000 for every reader by an epoch, with a setting");
	like(run_sql($server, "SET flakeid.fluid_epoch = ''; $force SELECT fluid_to_timestamptz(0)"),
		is_set('fluid_epoch'), "$name: ... also in a parallel worker");
	is(run_sql($server, q{
		SET flakeid.fluid_epoch = '2020-01-01 00:00:00Z';
		SELECT fluid_to_timestamptz(0, '2021-01-01 00:00:00Z'), fluid_get_generator(0)}),
		'2021-01-01 00:00:00+00|0', "$name: readers that need no setting work");
	is(run_sql($server,
		'SELECT fluid_to_timestamptz(0), nanoflake_to_timestamptz(0), ulidflake_to_timestamptz(0)'),
		join('|', ('2024-01-01 00:00:00+00') x 3), "$name: the default epochs");
}
$standby->stop;

# ----------------------------------------------------------------- preloaded

my $preloaded = $conf . q{
shared_preload_libraries = 'flakeid'
flakeid.node_id = 5
flakeid.node_bits = 3
flakeid.fluid_epoch = '2023-01-01 00:00:00Z'
flakeid.nanoflake_epoch = '2022-01-01T02:00:00+02:00'
flakeid.ulidflake_epoch = '2021-01-01 00:00:00Z'
flakeid.ulidflake_scalability = 4
};

$node->safe_psql('postgres', q{ALTER ROLE plain SET flakeid.node_id = 2});
set_conf($preloaded);
$node->restart;

# Parts of new ids, read without settings, and functions that use the epochs
my $probe = q{
SELECT fluid_get_generator(fluid_generate()) >> 11,
  nanoflake_get_generator(nanoflake_generate()) >> 7,
  ulidflake_scalable_get_scalability(ulidflake_scalable_generate()),
  abs(extract(epoch FROM clock_timestamp() -
	fluid_to_timestamptz(fluid_generate(), '2023-01-01 00:00:00Z'))) < 60,
  abs(extract(epoch FROM clock_timestamp() -
	nanoflake_to_timestamptz(nanoflake_generate(), '2022-01-01 00:00:00Z'))) < 60,
  abs(extract(epoch FROM clock_timestamp() -
	ulidflake_to_timestamptz(ulidflake_generate(), '2021-01-01 00:00:00Z'))) < 60,
  fluid_to_timestamptz(0), nanoflake_to_timestamptz(0), ulidflake_to_timestamptz(0),
  ulidflake_scalable_get_scalability(ulidflake_scalable_from_timestamptz(now())),
  (fluid_get_address(fluid_generate())).node,
  (SELECT string_agg(scope || node || extract(year FROM epoch), ' ' ORDER BY format)
   FROM flakeid_status());
};
my $good = '5|5|4|t|t|t|2023-01-01 00:00:00+00|2022-01-01 00:00:00+00|'
  . '2021-01-01 00:00:00+00|4|5|backend52023 backend52022 server42021';

is(run_sql($node, $probe), $good, 'preloaded: ids, readers and status have the values');

my $cannot = 'cannot be changed without restarting the server';

foreach my $name (sort keys %values)
{
	my $value = "'$values{$name}'";

	is(() = run_sql($node, join ";\n", "SET flakeid.$name = $value",
		"SET LOCAL flakeid.$name = $value",
			"SELECT set_config('flakeid.$name', $value, false)",
			map { "ALTER $_ bent SET flakeid.$name = $value" } 'ROLE', 'DATABASE')
		  =~ /ERROR:  55P02: parameter "flakeid\.$name" $cannot/g, 5,
		"flakeid.$name cannot be changed in any way");
	my $of_name = qr/parameter "flakeid\.$name"/;
	like(run_sql($node, 'SELECT 1', PGOPTIONS => "-c flakeid.$name=$values{$name}"),
		qr/(?:FATAL:  55P02:|connection to server .* failed: FATAL: ) $of_name $cannot/,
		"PGOPTIONS: flakeid.$name");
}
like(run_sql($node, $probe, PGUSER => 'plain'), qr/^\Q$good\E$/m,
	'a value of ALTER ROLE from before is not used');
like(run_sql($node, 'SET flakeid.no_such_setting = 1'),
	qr/ERROR:  42602: invalid configuration parameter name/, 'the prefix is reserved');

# Values that are rejected one by one: the first ones outside each range
foreach my $wrong (
	[ node_id => '-1', '16384', 'first' ], [ node_bits => '-1', '15' ],
	[ sequence_scope => 'session', '' ], [ ulidflake_scalability => '-1', '32' ],
	[ fluid_epoch => '', 'infinity', 'today', '2024-01-01', '2024-01-01 00:00:00',
		'2024-01-01 00:00:00 Europe/Berlin', '2024-01-01 00:00:00.0001Z' ],
	[ nanoflake_epoch => '2024-02-30 00:00:00Z', '0044-03-15 00:00:00Z BC' ],
	[ ulidflake_epoch => '2023-02-29 00:00:00Z', '2024-01-01 00:00:00.0001Z' ])
{
	my ($name, @values) = @$wrong;

	is(() = run_sql($node, join ";\n", map { "ALTER SYSTEM SET flakeid.$name = '$_'" } @values)
		=~ /ERROR:  22023: /g,
		scalar(@values), "flakeid.$name: invalid values are rejected");
}

my $invalid = 'invalid value for parameter';
my $of_nanoflake = 'flakeid.nanoflake_epoch';
my $epoch = 'a date, a time, and a UTC offset in ISO 8601 format, in whole milliseconds,'
  . ' such as "2024-01-01 00:00:00\+00"';
like(run_sql($node, q{ALTER SYSTEM SET flakeid.nanoflake_epoch = '2024-01-01'}),
	qr/ERROR:  22023: $invalid "$of_nanoflake": "2024-01-01"\nDETAIL:  An epoch is $epoch\./,
	'an epoch that is rejected, with its detail');

# A changed value waits for a restart.
$node->safe_psql('postgres', 'ALTER SYSTEM SET flakeid.node_id = 6');
$node->reload;
ok($node->poll_query_until('postgres', q{
	SELECT pending_restart FROM pg_settings WHERE name = 'flakeid.node_id'}),
	'pg_settings shows a pending value');
is(run_sql($node, $probe), $good, '... which is not in effect');
$node->restart;
like(run_sql($node, $probe), qr/\A6\|6\|4/, '... until the restart');
$node->safe_psql('postgres', 'ALTER SYSTEM RESET ALL');

# A wrong value stops the start, with its line in the log; an unknown name does
# not.
$node->stop;
my $then = qr/(?:.*\n)*?F0000 FATAL:  $invalid "/;
my $of_fluid = 'flakeid.fluid_epoch';
my $misfit = qr/does not fit in "flakeid.node_bits" \(3\)/;
my $bits = 'With 3 bits, the valid range of flakeid.node_id is';

foreach my $stop (
	[ "flakeid.node_id = nonsense\n",
		qr/$invalid "flakeid.node_id": "nonsense"\n${then}flakeid.node_id"\n/ ],
	[ "flakeid.fluid_epoch = '2024-01-01'\n",
		qr/$invalid "$of_fluid": "2024-01-01"\n.*DETAIL:  An epoch is$then$of_fluid"\n/ ],
	[ "flakeid.sequence_scope = ''\n",
		qr/F0000 FATAL:  invalid value for parameter "flakeid.sequence_scope"\n/ ],
	[ "flakeid.no_such_setting = 1\n",
		qr/invalid configuration parameter name "flakeid.no_such_setting"/ ],
	[ "flakeid.node_id = 8\n",
		qr/F0000 FATAL:  "flakeid.node_id" \(8\) $misfit\n.*DETAIL:  $bits 0 to 7\./ ])
{
	my ($line, $expected) = @$stop;
	my $offset = -s $node->logfile;

	set_conf("${preloaded}log_line_prefix = '%e '\n$line");
	is($node->start(fail_ok => 1), $line =~ /no_such/ ? 1 : 0, "the server starts or not: $line");
	like(slurp_file($node->logfile, $offset), $expected, '... and the log says why');
	$node->stop;
}
set_conf($preloaded . "flakeid.node_id = 7\n");
$node->start;
like(run_sql($node, $probe), qr/\A7\|7\|4/, 'the greatest node that fits');

# Too few bits remain for the slot; in server scope, too few for the node alone.
foreach my $scope ([ backend => qw(fluid nanoflake) ], [ server => 'nanoflake' ])
{
	my ($name, @none) = @$scope;
	my $has_slot = $name eq 'backend' ? 't' : 'f';
	my $too_few = qr/ERROR:  F0000: .* has too few bits to number/;
	my $numbers = 'slot IS NOT NULL, first_generator, last_generator, per_ms';

	set_conf($preloaded . "flakeid.sequence_scope = $name\n"
		. "flakeid.node_bits = 14\nflakeid.node_id = 16383\n");
	$node->restart;
	foreach my $format (@none)
	{
		like(run_sql($node, "SELECT ${format}_$_"), $too_few,
			"14 node bits, $name scope: $format, $_")
		  foreach 'generate()', 'get_address(0)';
		is(run_sql($node, "SELECT $numbers FROM flakeid_status() WHERE format = '$format'"),
			"$has_slot|||0", '... the status has 0, and NULL for the numbers');
	}
	is(run_sql($node, q{SELECT ulidflake_generate() > 0, slot, first_generator, last_generator
		FROM flakeid_status() WHERE format = 'ulidflake'}), 't|||',
		'... a Ulid-Flake has none of them');
}
is(run_sql($node, q{SELECT * FROM fluid_get_address(fluid_generate());
	SELECT slot, first_generator, last_generator, per_ms FROM flakeid_status()
	WHERE format = 'fluid'}), "16383||0\n|16383|16383|1024",
	'server scope: the slot of an address is NULL');

done_testing();
