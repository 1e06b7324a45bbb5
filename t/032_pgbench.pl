# Slow.
# Every transaction uses a new connection, so that slots are reused within the
# millisecond.  Parallel workers hold their slots only briefly.

use FlakeidTest;
use FlakeidHorizon;

my $clients = 16;
# at least so many that slots must be reused
my $transactions = 6 + scaled(6);
my $ids = 5;
my $rounds = 2;

# There may be many more sessions that are just ending than clients.
my $node = new_node('pgbench', "max_connections = 60\nmax_parallel_workers = 16\nmax_worker_processes = 20\n");
my $script = $node->basedir . '/make.sql';

log_ids($node);
append_to_file($script, "SELECT add($ids), add_nanoflakes($ids);\n");

# Run rounds of connections that insert ids of every format into one table with
# a primary key.  It keeps the ids of all rounds, also of the other scope and
# across restarts.
my $made = 0;

sub make_in_scope
{
	my ($scope) = @_;

	foreach my $round (1 .. $rounds)
	{
		$node->command_ok(
			[ 'pgbench', '-n', '-C', '-c', $clients, '-j', '2', '-t', $transactions, '-f', $script, 'postgres' ],
			"$scope scope, round $round");
	}
	$made += 4 * $ids * $clients * $transactions * $rounds;
	is($node->safe_psql('postgres', 'SELECT count(*) FROM ids'), $made, "$scope scope: no id is lost");
	is(duplicates_in_log($node), 0, "$scope scope: no duplicate key errors");
}

make_in_scope('backend');
cmp_ok($node->safe_psql('postgres', q{SELECT count(DISTINCT (fluid_get_address(id)).slot) FROM ids
		WHERE format = 'fluid'}), '<', $clients * $transactions * $rounds, 'slots are reused');

$node->append_conf('postgresql.conf',
	"shared_preload_libraries = 'flakeid'\nflakeid.sequence_scope = server\n");
$node->restart;
make_in_scope('server');

# Parallel workers: many short queries, in concurrent sessions
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
	my $query = 'SELECT fluid_generate() FROM source';
	my $nanoflakes = 'SELECT nanoflake_generate() FROM source';

	like($node->safe_psql('postgres', "$settings EXPLAIN $query"),
		qr/Gather.*Parallel Seq Scan/s, "$scope scope: workers generate the ids");

	my @sessions = map { session($node) } 1 .. 4;

	foreach my $i (0 .. 3)
	{
		$sessions[$i]->send(
			$settings . join '',
			map {
				"COPY ($query) TO '$folder/fluid.$i.$_';\n"
				  . "COPY ($nanoflakes) TO '$folder/nanoflake.$i.$_';\n"
			} 1 .. $queries);
	}
	is(join('', map { $_->receive } @sessions), '', "$scope scope: no error");
	$_->quit foreach @sessions;
	is(ids_in_files($folder), 4 * $queries * 2 * 2000, "$scope scope: no id is lost");
	is(repeated_in_files($folder), '', "$scope scope: parallel workers generate no duplicate ids");
}

$node->safe_psql('postgres', q{
CREATE TABLE source AS SELECT i FROM generate_series(1, 2000) AS i;
ALTER TABLE source SET (parallel_workers = 4);
ANALYZE source;
});
parallel_queries('server', 'on');
$node->append_conf('postgresql.conf', "flakeid.sequence_scope = backend\n");
$node->restart;
parallel_queries('backend', 'on');
parallel_queries('backend', 'off');

# Each worker has a slot of its own.  On a busy machine the first worker may
# finish the scan before the second starts, so each row takes a while, and the
# query is repeated.
my $slots = 0;
wait_until(sub {
	$slots = $node->safe_psql('postgres', q{
		SET parallel_setup_cost = 0;
		SET parallel_tuple_cost = 0;
		SET min_parallel_table_scan_size = 0;
		SET max_parallel_workers_per_gather = 4;
		SET parallel_leader_participation = off;
		DROP TABLE IF EXISTS by_workers;
		CREATE TABLE by_workers AS SELECT fluid_generate() AS id FROM source
		WHERE length(repeat(i::text, 100000)) > 0;
		SELECT count(DISTINCT (fluid_get_address(id)).slot) FROM by_workers});
	return $slots > 1;
});
cmp_ok($slots, '>', 1, 'one query generates ids in several slots');

done_testing();
