# Settings take force with a start of the server, and no session can change
# what uniqueness rests on: not by connection options, not by ALTER ROLE, not
# by a bad value in the file.

use strict;
use warnings;

use FlakeidTest;
use PostgreSQL::Test::Utils;
use Test::More;

my $in_file = q{
max_connections = 100
flakeid.node_id = 5
flakeid.node_bits = 3
flakeid.fluid_epoch = '2023-01-01 00:00:00Z'
};
my $node = new_node('settings', $in_file);

# CREATE EXTENSION does not open the state file; the tests begin without one.
ok(!-e state_path($node), 'no state file before the first id');

my $generators = q{
SELECT fluid_generate();
SELECT nanoflake_generate();
SELECT ulidflake_generate();
SELECT ulidflake_generate_scalable();
SELECT fluid_to_timestamptz(1);
};

sub generator_errors
{
	my ($answer, $setting) = @_;
	my @errors = $answer =~
	  /ERROR:  F0000: the value given for "\Q$setting\E" could not be applied/g;

	return scalar @errors;
}

# The address in force, seen by a session without options
sub in_force
{
	return $node->safe_psql('postgres', q{
		SELECT string_agg(format || ' ' || scope || ' ' || node || ' ' ||
		  cardinality(pending), ', ' ORDER BY format)
		FROM flakeid_status()});
}

# A session refuses everything that rests on settings, and leaves the file as
# it is, while its status answers and names the setting.
sub session_is_refused
{
	my ($what, $setting, %environment) = @_;
	my $before = -e state_path($node) ? state_bytes($node) : undef;
	my $session = session($node, %environment);
	my $answer = $session->query($generators);

	is(generator_errors($answer, $setting),
		5, "$what: generators and readers of an epoch name $setting");
	like($answer, qr/DETAIL:  .*HINT:  /s, "$what: with detail and hint");
	unlike($answer, qr/^\d+$/m, "$what: no id");
	is($session->query(q{
		SELECT DISTINCT pending FROM flakeid_status()}),
		"{\"$setting: could not be applied\"}",
		"$what: the status names it");
	is($session->query(
			q{SELECT count(floor), count(ids) FROM flakeid_status()}),
		'0|0', "$what: the status has nothing of the state file");
	like($session->query('SELECT flakeid_reset_clock()'),
		qr/ERROR:  F0000/, "$what: no reset");
	like($session->query('SELECT flakeid_raise_floor(now())'),
		qr/ERROR:  F0000/, "$what: no raise");
	like($session->query('SELECT uuid_generate_v7()'),
		qr/^[0-9a-f-]{36}$/, "$what: UUIDs rest on no setting");
	$session->quit;
	is(-e state_path($node) ? state_bytes($node) : undef,
		$before, "$what: the state file is as it was");
	return;
}

my $before_options = 'fluid backend 5 0, nanoflake backend 5 0, ulidflake server 0 0';

# The first connection after a start comes with options: another number, the
# built-in default itself (which is what the server would fall back to while
# the file has another), another epoch, another scope.
my @options = (
	[ 'flakeid.node_id', '-c flakeid.node_id=2' ],
	[ 'flakeid.node_id', '-c flakeid.node_id=0' ],
	[ 'flakeid.node_bits', '-c flakeid.node_bits=0' ],
	[ 'flakeid.sequence_scope', '-c flakeid.sequence_scope=server' ],
	[ 'flakeid.sequence_scope', '-c flakeid.sequence_scope=backend' ],
	[ 'flakeid.fluid_epoch', '-c flakeid.fluid_epoch=2020-01-01T00:00:00Z' ],
	[ 'flakeid.ulidflake_scalability', '-c flakeid.ulidflake_scalability=3' ],
	[ 'flakeid.node_id', '-c flakeid.node_id=nonsense' ]);

foreach my $option (@options)
{
	my ($setting, $pgoptions) = @$option;

	session_is_refused("first connection with $pgoptions",
		$setting, PGOPTIONS => $pgoptions);
}
ok(!-e state_path($node), 'none of them made a state file');
is(in_force(), $before_options, 'the next session takes those of the file');

# The same while the file is there and in force
session_is_refused('later connection', 'flakeid.node_id',
	PGOPTIONS => '-c flakeid.node_id=2');
is(in_force(), $before_options, 'what is in force stays');

# ... and after a start, when the file waits to be folded
$node->restart;
session_is_refused('connection after a restart', 'flakeid.node_bits',
	PGOPTIONS => '-c flakeid.node_bits=1');
is(in_force(), $before_options, 'the fold took the settings of the file');

# ALTER ROLE: the server keeps such a value for a setting that it does not
# know yet.
$node->safe_psql('postgres', q{
CREATE ROLE own_number LOGIN SUPERUSER;
CREATE ROLE own_default LOGIN SUPERUSER;
CREATE ROLE plain LOGIN;
});
$node->safe_psql('postgres', 'ALTER ROLE own_number SET flakeid.node_id = 2');
$node->safe_psql('postgres', 'ALTER ROLE own_default SET flakeid.node_id = 0');
$node->restart;
session_is_refused('ALTER ROLE', 'flakeid.node_id', PGUSER => 'own_number');
session_is_refused('ALTER ROLE, the default',
	'flakeid.node_id', PGUSER => 'own_default');
is(in_force(), $before_options, 'a role changes nothing for others');

# An ordinary user may call the generators and the status, nothing else.
my $answer = run_sql($node, q{
SELECT fluid_generate() > 0, count(*) FROM flakeid_status();
SELECT flakeid_reset_clock();
SELECT flakeid_raise_floor(now());
SET flakeid.node_id = 1;
SET flakeid.ulidflake_step_bits = 1;
SET flakeid.max_wait = 5;
}, PGUSER => 'plain');
like($answer, qr/^t\|3$/m, 'an ordinary user makes ids');
like($answer, qr/ERROR:  42501: permission denied for function flakeid_reset_clock/,
	'... does not reset');
like($answer, qr/ERROR:  42501: permission denied for function flakeid_raise_floor/,
	'... does not raise');
like($answer, qr/ERROR:  55P02: parameter "flakeid.node_id" cannot be changed now/,
	'... does not change the number');
like($answer,
	qr/ERROR:  42501: permission denied to set parameter "flakeid.ulidflake_step_bits"/,
	'... nor the step');
unlike($answer, qr/max_wait/, '... but how long it waits');

# SET before the library is loaded: what cannot be taken is refused ...
$answer = run_sql($node, "SET flakeid.node_id = 2;\n$generators");
is(generator_errors($answer, 'flakeid.node_id'),
	5, 'SET before the load, another number: refused');
is(in_force(), $before_options, '... and without effect on the next session');

# ... while the value of the file, written otherwise, is no other value.
$answer = run_sql($node, q{
SET flakeid.node_id = '0x5';
SET flakeid.sequence_scope = 'Backend';
SET flakeid.fluid_epoch = '2023-01-01T01:00:00+01:00';
SET flakeid.max_wait = '1s';
SELECT fluid_generate() > 0;
SHOW flakeid.max_wait;
});
like($answer, qr/^t$/m, 'SET before the load, equal values: ids');

# Settings that are not those of a start get the server's WARNING alone.
$answer = run_sql($node, 'SELECT nanoflake_generate() > 0',
	PGOPTIONS => '-c flakeid.max_wait=nonsense -c flakeid.ulidflake_step_bits=99');
like($answer, qr/WARNING.*^t$/ms, 'a bad max_wait: a WARNING, and an id');
$answer = run_sql($node, 'SELECT nanoflake_generate() > 0; SHOW flakeid.max_wait',
	PGOPTIONS => '-c flakeid.max_wait=7');
like($answer, qr/^t\n7ms$/m, 'max_wait may come with the connection');
$answer = run_sql($node, q{
SELECT nanoflake_generate() > 0;
SET flakeid.no_such_setting = 1;
});
like($answer, qr/ERROR:  42602: invalid configuration parameter name/,
	'the prefix is reserved');

# A bad value in the file
foreach my $bad (
	[ 'flakeid.node_id', "'nonsense'" ],
	[ 'flakeid.node_id', '20000' ],
	[ 'flakeid.fluid_epoch', "'2024-01-01 00:00:00'" ],
	[ 'flakeid.sequence_scope', "'session'" ])
{
	my ($setting, $value) = @$bad;
	my $was = slurp_file($node->data_dir . '/postgresql.conf');

	$node->append_conf('postgresql.conf', "$setting = $value\n");
	$node->restart;
	session_is_refused("$setting = $value in the file", $setting);
	set_conf($was);
	$node->reload;
	is(in_force(), $before_options,
		'mended by a reload, the next session brings it in force');
}

sub set_conf
{
	my ($text) = @_;

	unlink $node->data_dir . '/postgresql.conf';
	$node->append_conf('postgresql.conf', $text);
	return;
}

# A reload changes nothing, but for one WARNING in a session.
my $conf = slurp_file($node->data_dir . '/postgresql.conf');
my $session = session($node);
my ($first) = $session->query('SELECT fluid_generate()');
my $address = q{
SELECT node, slot FROM fluid_get_address(fluid_generate());
};
my $address_before = $session->query($address);

$node->append_conf('postgresql.conf', q{
flakeid.node_id = 1
flakeid.sequence_scope = server
flakeid.nanoflake_epoch = '2020-01-01 00:00:00Z'
flakeid.ulidflake_scalability = 9
});
$node->reload;
ok(wait_until(sub { $session->query('SHOW flakeid.node_id') eq '1' }),
	'the reload arrived');

# The session goes on in the millisecond it is in, and warns in a new one.
$session->query('SELECT pg_sleep(0.01)');
$answer = $session->query($address);
is(() = $answer =~ /WARNING:  01000: changed flakeid settings take effect at the next server restart/g,
	1, 'a WARNING in the session that was there');
like($answer, qr/^\Q$address_before\E$/m, '... and its old address');
$answer = join '',
  map { $session->query("SELECT pg_sleep(0.002);\n$address") } 1 .. 20;
unlike($answer, qr/WARNING/, '... once');
$node->reload;
$session->query('SELECT pg_sleep(0.2)');
unlike($session->query($address), qr/WARNING/,
	'... also after one more reload');
is($session->query(q{SELECT unnest(pending) FROM flakeid_status()
		WHERE format = 'fluid' ORDER BY 1}),
	"flakeid.nanoflake_epoch: 2024-01-01 00:00:00+00 in force, 2020-01-01 00:00:00+00 configured\n"
	  . "flakeid.node_id: 5 in force, 1 configured\n"
	  . "flakeid.sequence_scope: backend in force, server configured\n"
	  . 'flakeid.ulidflake_scalability: 0 in force, 9 configured',
	'the status shows what is in force and what is configured');

my $later = run_sql($node, "SELECT fluid_generate();\n$generators");

is(() = $later =~ /WARNING:  01000: changed flakeid settings take effect/g, 1,
	'a WARNING in a session that begins after the reload');
$later = run_sql($node,
	q{SELECT ulidflake_get_scalability(ulidflake_generate_scalable())});
like($later, qr/^0$/m, 'the scalability in force stays');
$session->quit;

# A restart takes the new address.
$node->restart;
is(in_force(), 'fluid server 1 0, nanoflake server 1 0, ulidflake server 9 0',
	'a restart takes the new settings');
is(run_sql($node, q{
	SELECT a.node, a.slot IS NULL FROM fluid_get_address(fluid_generate()) AS a;
	SELECT ulidflake_get_scalability(ulidflake_generate_scalable())}),
	"1|t\n9", '... for the ids, without a WARNING');

# node_id has to be below 2^node_bits: checked when it comes in force.
set_conf($conf);
$node->append_conf('postgresql.conf', "flakeid.node_id = 8\n");
$node->restart;

my $bytes = state_bytes($node);

$answer = run_sql($node, "$generators SELECT * FROM flakeid_status()");
is(() = $answer =~ /ERROR:  F0000: flakeid.node_id = 8 does not fit in flakeid.node_bits = 3/g,
	5, 'node_id = 2^node_bits: no generator, and no status');
like($answer, qr/DETAIL:  .*0 to 7.*HINT:  /s, '... with detail and hint');
is(state_bytes($node), $bytes, '... and the state file is as it was');
$node->append_conf('postgresql.conf', "flakeid.node_id = 7\n");
$node->reload;
is(in_force(), 'fluid backend 7 0, nanoflake backend 7 0, ulidflake server 0 0',
	'mended by a reload, the next call brings it in force');

# Too few bits for the slots are an error of the format that has too few.
set_conf("$conf\nflakeid.node_bits = 4\n");
$node->restart;
$answer = run_sql($node, 'SELECT nanoflake_generate()');
like($answer,
	qr/ERROR:  F0000: could not make a Nanoflake: its generator field has too few bits/,
	'Nanoflake: too few bits for the slots');
like($answer, qr/DETAIL:  Of its 10 bits flakeid.node_bits takes 4, .* need [78]\./,
	'... with the numbers');
like($answer, qr/HINT:  .*node_bits.*max_connections.*sequence_scope/,
	'... and what mends it');
is(run_sql($node, q{
	SELECT node FROM fluid_get_address(fluid_generate());
	SELECT ulidflake_generate() > 0;
	SELECT format, per_ms, first_generator FROM flakeid_status()
	WHERE format = 'nanoflake'}),
	"5\nt\nnanoflake||", 'FLUID and Ulid-Flake go on');
$node->append_conf('postgresql.conf', "flakeid.sequence_scope = server\n");
$node->restart;
is(run_sql($node, q{
	SELECT node FROM nanoflake_get_address(nanoflake_generate());
	SELECT per_ms, first_generator, last_generator FROM flakeid_status()
	WHERE format = 'nanoflake'}),
	"5\n262144|320|383", 'server scope mends it');

# More node bits than a Nanoflake's generator field has
$node->append_conf('postgresql.conf', "flakeid.node_bits = 11\n");
$node->restart;
$answer = run_sql($node, 'SELECT nanoflake_generate()');
like($answer,
	qr/ERROR:  F0000: could not make a Nanoflake: flakeid.node_bits = 11 is more than its generator field has, 10/,
	'no Nanoflake with 11 node bits');
like($answer, qr/HINT:  /, '... with a hint');
is(run_sql($node, 'SELECT node FROM fluid_get_address(fluid_generate())'),
	'5', 'FLUID goes on');

# Preloaded, the settings exist before any connection: the server itself
# refuses options, and takes the file's.
set_conf("$conf\nshared_preload_libraries = 'flakeid'\n");
$node->restart;
like(run_sql($node, 'SELECT 1', PGOPTIONS => '-c flakeid.node_id=2'),
	qr/parameter "flakeid.node_id" cannot be changed now/,
	'preloaded: the connection is refused');
is(in_force(), $before_options, 'preloaded: the file counts');

$node->stop;
done_testing();
