# In recovery no state file is in use.  Functions that need an epoch and
# flakeid_status() use the settings, if the session knows the server's values;
# if the session's own value hides them, an error is raised rather than a wrong
# time returned.

use strict;
use warnings;

use FlakeidTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $primary = new_node('primary', q{
max_wal_senders = 5
flakeid.node_id = 5
flakeid.node_bits = 3
flakeid.fluid_epoch = '2023-01-01 00:00:00Z'
flakeid.ulidflake_epoch = '2022-01-01 00:00:00Z'
flakeid.ulidflake_scalability = 7
}, init => { allows_streaming => 1 });

$primary->safe_psql('postgres', q{
CREATE ROLE bent LOGIN;
ALTER ROLE bent SET flakeid.node_id = 2;
CREATE FUNCTION wrapped() RETURNS timestamptz
LANGUAGE plpgsql STABLE PARALLEL SAFE AS 'BEGIN RETURN fluid_to_timestamptz(0); END';
});
$primary->safe_psql('postgres', 'SELECT fluid_generate()');
$primary->backup('backup');

my $standby = PostgreSQL::Test::Cluster->new('standby');

$standby->init_from_backup($primary, 'backup', has_streaming => 1);
$standby->start;

my @readers = (
	'fluid_to_timestamptz(0)', 'nanoflake_to_timestamptz(0)',
	'ulidflake_to_timestamptz(0)', 'ulidflake_from_timestamptz(now())',
	'ulidflake_scalable_from_timestamptz(now())',
	'fluid_get_address(0)', 'fluid_min(now())', 'flakeid_status()');
my $readers = join '', map { "SELECT $_;" } @readers;
my $right = q{
SELECT fluid_to_timestamptz(0) = '2023-01-01 00:00:00Z',
  (SELECT string_agg(node::text, ' ') FROM flakeid_status()),
  ulidflake_to_timestamptz(0) = '2022-01-01 00:00:00Z',
  ulidflake_to_timestamptz(ulidflake_from_timestamptz('2022-01-01 00:00:01Z'),
    '2022-01-01 00:00:00Z') = '2022-01-01 00:00:01Z',
  ulidflake_scalable_get_scalability(ulidflake_scalable_from_timestamptz(now()));
};
my $known = 't|5 5 7|t|t|7';
my $parallel = ($standby->pg_version < 16 ? 'SET force_parallel_mode = on;'
	: 'SET debug_parallel_query = on;')
  . 'SET parallel_leader_participation = off;';
my $force = $parallel . q{SELECT wrapped() = '2023-01-01 00:00:00Z';};

sub unknown
{
	my ($name) = @_;

	return
	  qr/ERROR:  F0000: could not determine the server's value of parameter "\Q$name\E"/;
}

# Session values that hide the server's
my %hidden = (
	'PGOPTIONS, node' => [ 'flakeid.node_id', PGOPTIONS => '-c flakeid.node_id=2' ],
	'PGOPTIONS, the default epoch' => [
		'flakeid.fluid_epoch', PGOPTIONS => '-c flakeid.fluid_epoch=2024-01-01T00:00:00Z' ],
	'PGOPTIONS, invalid' => [
		'flakeid.fluid_epoch', PGOPTIONS => '-c flakeid.fluid_epoch=nonsense' ],
	'ALTER ROLE' => [ 'flakeid.node_id', PGUSER => 'bent' ]);

foreach my $what (sort keys %hidden)
{
	my ($name, @environment) = @{ $hidden{$what} };
	my $unknown = unknown($name);
	my $answer = run_sql($standby, $readers, @environment);

	is(() = $answer =~ /$unknown/g, scalar @readers,
		"$what: every reading function and the status fail") or diag($answer);
	like($answer, qr/DETAIL:  .*HINT:  .*\Q$name\E/s, '... with detail and hint');
	unlike($answer, qr/^\S*20\d\d/m, '... and return no time');
	like(run_sql($standby, $force, @environment), $unknown,
		'... also in a parallel worker');
	like(run_sql($standby, "SELECT uuid_generate_v7() IS NULL; $force", @environment),
		$unknown, '... and in one whose leader has loaded the library');
	like(run_sql($standby, 'SELECT fluid_generate()', @environment),
		qr/ERROR:  25006: cannot execute fluid_generate\(\) during recovery/,
		'... and a generator reports the recovery');
	like(run_sql($standby,
			"SELECT ulidflake_to_timestamptz(0, '2021-01-01 00:00:00Z'); SELECT uuid_generate_v7()",
			@environment),
		qr/^2021-01-01.*\n[0-9a-f-]{36}$/m, '... functions that need no setting work');
}

# Session values that hide nothing: the server's values remain known.
foreach my $set (
	'',
	'SET flakeid.node_id = 2; SET flakeid.fluid_epoch = DEFAULT;',
	q{SET flakeid.fluid_epoch = '2024-01-01 00:00:00Z';},
	'SET flakeid.max_wait = 5;',
	'SELECT uuid_generate_v7() IS NULL;')
{
	my $answer = run_sql($standby, "$set $right");

	like($answer, qr/^\Q$known\E$/m,
		"'$set': the server's settings apply") or diag($answer);
}
like(run_sql($standby, $force), qr/^t$/m, '... also in a parallel worker');

# A worker receives its leader's settings and cannot tell which are the
# server's.
my $leaders = run_sql($standby,
	"SET flakeid.fluid_epoch = '2024-01-01 00:00:00Z'; $force");

like($leaders, qr/^t$|ERROR:  F0000: could not determine/m,
	'a worker whose leader has SET a value: the right time or an error');
unlike($leaders, qr/^f$/m, '... and no wrong time');

# A reload gives the session the server's values.
{
	my $session = session($standby, PGOPTIONS => '-c flakeid.node_id=2');

	like($session->query($right), unknown('flakeid.node_id'),
		'a session whose options hide node_id');
	$standby->reload;
	ok(wait_until(sub { $session->query($right) eq $known }),
		'... gets its value at a reload');
	$session->quit;
}

# An invalid value in the server's configuration
$standby->append_conf('postgresql.conf', "flakeid.fluid_epoch = 'nonsense'\n");
$standby->restart;
like(run_sql($standby, $right), unknown('flakeid.fluid_epoch'),
	'an invalid value in the configuration file leaves it unknown');
$standby->append_conf('postgresql.conf',
	"flakeid.fluid_epoch = '2023-01-01 00:00:00Z'\n");
$standby->reload;
ok(wait_until(sub { run_sql($standby, $right) eq $known }),
	'... until it is corrected and reloaded');

# After promotion the state file has the values in effect, and every session
# works.
my $session = session($standby, PGOPTIONS => '-c flakeid.node_id=2');

like($session->query($right), unknown('flakeid.node_id'),
	'before the promotion: an error');
$standby->promote;
is($session->query($right), $known, 'after it: the same session works');
is($session->query('SELECT fluid_get_generator(fluid_generate()) >> 11'),
	5, '... and generates ids with the server\'s node_id');
$session->quit;
is(address_in_file($standby), '5 3 0 7 1672531200000 1704067200000 1640995200000',
	'... with the address of the state file');

$standby->stop;
$primary->stop;
done_testing();
