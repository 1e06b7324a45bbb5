# Slow.
# 64 connections generate ids concurrently at full speed, 1,000,000 in all for
# each scope.  There are no duplicates, and the ids of each process strictly
# increase.  In server scope, when two sessions take turns, the later call
# always gets the greater id.  Connections for one transaction, and parallel
# workers, take over slots within the same millisecond.

use FlakeidTest;
use FlakeidHorizon;

my $connections = 64;
my $node = new_node('many', q{
max_connections = 80
max_parallel_workers = 16
max_worker_processes = 20
flakeid.max_wait = 10s
});

# Number of ids of each format, of 1,000,000.  Both forms of Ulid-Flake share
# one number space.
my %shares = (
	fluid => [ 400_000, 'fluid_generate()' ],
	nanoflake => [ 400_000, 'nanoflake_generate()' ],
	ulidflake => [ 200_000,
		'CASE WHEN i % 2 = 0 THEN ulidflake_generate()'
		. ' ELSE ulidflake_scalable_generate() END' ]);

sub as_fast_as_they_go
{
	my ($scope) = @_;

	foreach my $format (sort keys %shares)
	{
		my ($number, $generator) = @{ $shares{$format} };
		my $each = int(scaled($number) / $connections);
		my $folder = new_folder($node, "$scope.$format");
		my $script = $node->basedir . "/$scope.$format.sql";

		# pgbench opens all connections before the first one starts.
		append_to_file($script,
			    "COPY (SELECT $generator FROM generate_series(1, $each)"
			  . " AS i) TO '$folder/:client_id';\n");
		$node->command_ok(
			['pgbench', '-n', '-c', $connections, '-j', '2', '-t', '1', '-f', $script, 'postgres'],
			"$scope scope: $connections connections generate $format ids");
		is(ids_in_files($folder), $connections * $each, "$scope scope: no $format is lost");
		is(files_out_of_order($folder), 0, "$scope scope: each $format exceeds the previous one");
		is(repeated_in_files($folder), '', "$scope scope: no duplicate $format");
		system("rm -rf $folder");
	}
}

# Let A and B call a generator in turns.  The calls go through pipes, so that
# each call begins after the other session's call has returned.
sub take_turns
{
	my ($what, $generators) = @_;
	my $turns = scaled(800);
	my @sessions = (session($node), session($node));
	my $smaller = 0;
	my $last = 0;

	foreach my $turn (1 .. $turns)
	{
		my $generator = $generators->[ $turn % @$generators ];
		my $id = $sessions[ $turn & 1 ]->query("SELECT $generator");

		die $id unless $id =~ /\A\d+\z/;
		$smaller++ if $id <= $last;
		$last = $id;
	}
	is($smaller, 0, "$what: the later of $turns calls gets the greater id");
	$_->quit foreach @sessions;
}

# Every transaction uses a new connection, and inserts ids into a table with a
# primary key; more often than there are slots.
my $made = 0;

log_ids($node);
append_to_file($node->basedir . '/add.sql', "SELECT add(5), add_nanoflakes(5);\n");

sub new_connections
{
	my ($scope) = @_;
	my $each = 8 + scaled(4);

	$node->command_ok([ 'pgbench', '-n', '-C', '-c', 16, '-j', 2, '-t', $each, '-f',
		$node->basedir . '/add.sql', 'postgres' ],
		"$scope scope: each transaction has a connection of its own");
	$made += 20 * 16 * $each;
	is($node->safe_psql('postgres', 'SELECT count(*) FROM ids'), $made,
		"$scope scope: no id is lost");
	is(duplicates_in_log($node), 0, "$scope scope: no duplicate key errors");
}

# Many short parallel queries, in concurrent sessions
sub parallel_queries
{
	my ($scope, $leader) = @_;
	my $folder = new_folder($node, "parallel_${scope}_$leader");
	my $queries = scaled(8);
	my $settings = qq{
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET max_parallel_workers_per_gather = 4;
SET parallel_leader_participation = $leader;
};

	like($node->safe_psql('postgres', "$settings EXPLAIN SELECT fluid_generate() FROM source"),
		qr/Gather.*Parallel Seq Scan/s, "$scope scope: workers generate ids");

	my @answers = together($node, 4, $settings . join '', map {
		my $query = $_;
		map { "COPY (SELECT ${_}_generate() FROM source)
			TO PROGRAM 'cat > $folder/$_.$query.\$PPID';\n" } qw(fluid nanoflake)
	} 1 .. $queries);

	is(join('', @answers), '', "$scope scope: no error");
	is(ids_in_files($folder), 4 * $queries * 2 * 2000, "$scope scope: no id is lost");
	is(repeated_in_files($folder), '', "$scope scope: parallel workers generate no duplicate ids");
}

$node->safe_psql('postgres', q{
CREATE TABLE source AS SELECT i FROM generate_series(1, 2000) AS i;
ALTER TABLE source SET (parallel_workers = 4);
ANALYZE source});

new_connections('backend');
parallel_queries('backend', $_) foreach 'on', 'off';
as_fast_as_they_go('backend');
take_turns('Ulid-Flake, always', [ 'ulidflake_generate()', 'ulidflake_scalable_generate()' ]);

$node->append_conf('postgresql.conf',
	"shared_preload_libraries = 'flakeid'\nflakeid.sequence_scope = server\n");
$node->restart;
new_connections('server');
parallel_queries('server', 'on');
as_fast_as_they_go('server');

# node_bits up to the size of the field: 14 for FLUID, 10 for Nanoflake.  Then
# a single counter is left.
foreach my $node_bits (0, 5, 10, 14)
{
	$node->append_conf('postgresql.conf',
		"flakeid.node_bits = $node_bits\nflakeid.node_id = " . (2**$node_bits - 1) . "\n");
	$node->restart;
	take_turns("FLUID with $node_bits node bits", ['fluid_generate()']);
	is($node->safe_psql('postgres', 'SELECT (fluid_get_address(fluid_generate())).node'),
		2**$node_bits - 1, '... with node_id of the server');
	next if $node_bits > 10;
	take_turns("Nanoflake with $node_bits node bits", ['nanoflake_generate()']);
}

# The node id fills the whole field: 1,024 FLUIDs per millisecond, for which
# sessions wait.
my $folder = new_folder($node, 'whole_field');
my @answers = together($node, 8,
	"COPY (SELECT fluid_generate() FROM generate_series(1, 5000))
	TO PROGRAM 'cat > $folder/\$PPID'");
is(join('', @answers), '', 'the whole field: no error');
is(ids_in_files($folder), 40000, 'the whole field: no FLUID is lost');
is(files_out_of_order($folder), 0, 'the whole field: in order');
is(repeated_in_files($folder), '', 'the whole field: no duplicates');

# Ids of 16 bytes need nothing that a session can keep from others: one is
# stopped anywhere in a generator.
my ($stopped, $other) = (session($node), session($node));
my $pid = $stopped->backend_pid;
my $answers = 0;

$other->query('SELECT 1');
foreach my $call ('uuid_generate_v7()', 'uuid_generate_v6()', 'scru160_generate()')
{
	$stopped->send("DO \$\$BEGIN LOOP PERFORM max(${call}::text) FROM generate_series(1, 100000);
		END LOOP; END\$\$");
	$node->poll_query_until('postgres',
		"SELECT state = 'active' FROM pg_stat_activity WHERE pid = $pid") or die;
	foreach (1 .. 12)
	{
		kill 'STOP', $pid;
		$other->send("SELECT count($call) FROM generate_series(1, 100)");
		$answers += $other->answers_within(10);
		kill 'CONT', $pid;
		$other->receive;
	}
	$node->safe_psql('postgres', "SELECT pg_cancel_backend($pid)");
	$stopped->receive;
}
is($answers, 36, 'UUIDs and SCRU160 wait for no session');
$_->quit foreach $stopped, $other;

done_testing();
