# The server's own settings, from its command line and its configuration file,
# are in effect; a parallel worker reads ids with them, whatever its leader's
# settings are; and a WARNING gives the number of settings that wait for a
# restart.

use strict;
use warnings;

use FlakeidTest;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = new_node('server_settings', q{
flakeid.fluid_epoch = '2023-01-01 00:00:00Z'
flakeid.node_bits = 3
});
my $pidfile = $node->data_dir . '/postmaster.pid';

# The address in effect, as a session without options sees it
sub in_effect
{
	return $node->safe_psql('postgres', q{
		SELECT format, scope, node, extract(epoch FROM epoch)::bigint, pending
		FROM flakeid_status() WHERE format = 'fluid'});
}

is(in_effect(), 'fluid|backend|0|1672531200|{}', 'settings of the file are in effect');

# ---------------------------------------------------- the command line

sub start_by_hand
{
	my ($options) = @_;

	return system_log('pg_ctl', '-w', '-D', $node->data_dir, '-l',
		$node->logfile, '-o', $options, 'start') == 0;
}

sub stop_by_hand
{
	return system_log('pg_ctl', '-w', '-m', 'fast', '-D', $node->data_dir,
		'stop') == 0;
}

END
{
	stop_by_hand() if $pidfile && -e $pidfile;
}

$node->stop;
foreach my $preloaded ('', 'flakeid')
{
	my $what = $preloaded ? 'preloaded' : 'not preloaded';

	ok(start_by_hand("-c shared_preload_libraries=$preloaded -c flakeid.node_id=5 "
			  . '-c flakeid.sequence_scope=server'),
		"$what: started with settings on the command line");
	is(in_effect(), 'fluid|server|5|1672531200|{}',
		"$what: they are in effect, and so are those of the file");
	like(run_sql($node, q{
			SELECT node, slot IS NULL FROM fluid_get_address(fluid_generate())}),
		qr/\A5\|t\z/, "$what: ids have the node id");
	is(run_sql($node, "SELECT fluid_to_timestamptz(0) = '2023-01-01 00:00:00Z'"),
		't', "$what: ids are read with the epoch of the file");
	$node->safe_psql('postgres', q{ALTER SYSTEM SET flakeid.node_id = 6});
	$node->safe_psql('postgres', 'SELECT pg_reload_conf()');
	is(in_effect(), 'fluid|server|5|1672531200|{}',
		"$what: the command line overrides the file");
	$node->safe_psql('postgres', q{ALTER SYSTEM RESET flakeid.node_id});
	ok(stop_by_hand(), "$what: stopped");
}
$node->start;
is(in_effect(), 'fluid|backend|0|1672531200|{}',
	'without the command line, those of the file are in effect again');

# ---------------------------------------------------- parallel workers

# A worker reads every row.  Its leader has loaded the library and has another
# epoch as a connection option.
my $workers = join ' ',
  map { "-c $_" } 'max_parallel_workers_per_gather=2',
  'parallel_setup_cost=0', 'parallel_tuple_cost=0',
  'min_parallel_table_scan_size=0', 'parallel_leader_participation=off';

$node->safe_psql('postgres', q{
CREATE TABLE old_id AS SELECT i::bigint << 24 AS id FROM generate_series(0, 9999) AS i;
ANALYZE old_id});

foreach my $given ('', '-c flakeid.fluid_epoch=2020-01-01T00:00:00Z')
{
	my $what = $given ? 'a leader with an epoch of its own' : 'a leader';
	my $session = session($node, PGOPTIONS => "$workers $given");
	my $query = q{
SELECT count(*), min(ts) = '2023-01-01 00:00:00Z', max(ts) = '2023-01-01 00:00:09.999Z'
FROM (SELECT fluid_to_timestamptz(id) AS ts FROM old_id) AS s};

	# A function that uses no setting
	like($session->query('SELECT uuid_generate_v7()'),
		qr/^[0-9a-f-]{36}$/m, "$what has loaded the library");
	like($session->query("EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) $query"),
		qr/Workers Launched: [12]/, "... and uses workers");
	is($session->query($query), '10000|t|t',
		"... which read ids with the server's epoch");
	$session->quit;
}

# ------------------------------- one to four pending settings

my @changes = (
	[ 'flakeid.node_id = 1', 1 ],
	[ "flakeid.nanoflake_epoch = '2020-01-01 00:00:00Z'", 2 ],
	[ "flakeid.ulidflake_epoch = '2020-01-01 00:00:00Z'", 3 ],
	[ 'flakeid.ulidflake_scalability = 9', 4 ]);

foreach my $change (@changes)
{
	my ($line, $number) = @{$change};

	$node->append_conf('postgresql.conf', "$line\n");
	$node->reload;
	ok( wait_until(
			sub {
				$node->safe_psql('postgres', q{
					SELECT DISTINCT cardinality(pending)
					FROM flakeid_status()}) eq $number;
			}),
		"$number settings wait for a restart");

	my $answer = run_sql($node, 'SELECT fluid_generate()');

	is(() = $answer =~ /WARNING/g, 1, '... a session gets one WARNING');
	like(
		$answer,
		$number > 1
		? qr/DETAIL:  flakeid\.node_id: .*, \.\.\.$/m
		: qr/DETAIL:  flakeid\.node_id: .*[^.]$/m,
		$number > 1 ? '... which says that there are others'
		: '... which names only this one');
}

$node->stop;
done_testing();
