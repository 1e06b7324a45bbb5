# World, slow.
# The memory that sessions share: many sessions need it first at the same time, no
# session is left, one crashes, and there are many connections.

use FlakeidTest;
use FlakeidHorizon;

my $node = new_node('memory', q{
	shared_preload_libraries = ''
	max_connections = 30
	autovacuum_max_workers = 1
	max_worker_processes = 4
	max_wal_senders = 0
	max_prepared_transactions = 2
	restart_after_crash = on
});
my $version = $node->pg_version;
my $all = 'SELECT fluid_generate(), nanoflake_generate(), ulidflake_generate()';
my @ids;

# Ids of 20 sessions, which are the first ones of a start.
sub twenty
{
	my ($what) = @_;
	my @answers = together($node, 20, "$all FROM generate_series(1, 50)");

	is(scalar(grep { !/\A(?:\d+\|\d+\|\d+\n?){50}\z/ } @answers), 0,
		"$what: 20 first sessions generate ids");
	push @ids, map { split /[|\n]/ } @answers;
	is(repeated(@ids), '', '... none twice');
}

sub set_up
{
	my (%settings) = @_;
	$node->append_conf('postgresql.conf', "$_ = '$settings{$_}'") foreach sort keys %settings;
	$node->restart;
}

# Files in /dev/shm may be those of any server.
sub segments
{
	return scalar(my @files = glob $node->data_dir . '/pg_dynshmem/*');
}

set_up(dynamic_shared_memory_type => 'mmap');

my $before = segments();

twenty('after a start');
is(segments(), $before + 1, '... one segment');

# A crash of a backend
my @sessions = map { session($node) } 1 .. 2;

$_->query($all) foreach @sessions;
kill 'KILL', $sessions[0]->backend_pid;
wait_until(sub { $sessions[1]->query('SELECT 1') ne '1' }) or die;
$_->quit foreach @sessions;
$node->poll_query_until('postgres', 'SELECT true') or die;
twenty('after a crash of a backend');
is(segments(), $before + 1, '... one segment');

# The segment comes from memory that a parallel query has used.
$node->safe_psql('postgres', q{
	CREATE TABLE many AS SELECT generate_series(1, 20000) AS n;
	ALTER TABLE many SET (parallel_workers = 2);
	ALTER SYSTEM SET parallel_setup_cost = 0;
	ALTER SYSTEM SET parallel_tuple_cost = 0});
set_up(min_dynamic_shared_memory => '4MB');
$node->safe_psql('postgres', 'SELECT count(*) FROM many AS a JOIN many AS b USING (n)');
twenty('min_dynamic_shared_memory');

my $tag = (split /\|/, horizon_row($node, 'fluid'))[1];

$node->restart;
twenty('... after a restart');
isnt((split /\|/, horizon_row($node, 'fluid'))[1], $tag, '... each start has a number of its own');

foreach my $first (
	[ 'a subtransaction that is rolled back',
		'BEGIN; SAVEPOINT a; SELECT fluid_generate(); ROLLBACK TO a;
		SELECT fluid_generate(); ROLLBACK' ],
	[ 'a transaction that is prepared',
		q{BEGIN; SELECT nanoflake_generate(); PREPARE TRANSACTION 'p'} ])
{
	$node->restart;
	like($node->safe_psql('postgres', $first->[1]), qr/^\d+$/m, "first in $first->[0]");
	twenty('... and then');
}
$node->safe_psql('postgres', q{COMMIT PREPARED 'p'});

# ------------------------------------------------------- no slot is left

# Each Gather of a query has a segment until it ends.
set_up(dynamic_shared_memory_type => 'posix', min_dynamic_shared_memory => 0);

my $branch = '(SELECT count(*) FROM many)';
my $lock = session($node);
my $waits = q{SELECT 1 FROM pg_stat_activity
	WHERE wait_event_type = 'Lock' AND query LIKE '%count%many%'};
my $takes_all = join(' UNION ALL ', ($branch) x 600)
	. ' UNION ALL SELECT pg_advisory_lock(1)::text::bigint';

foreach my $preload ('', 'flakeid')
{
	set_up(shared_preload_libraries => $preload);
	$lock->quit;
	$lock = session($node);
	$lock->query('SELECT pg_advisory_lock(1)');

	my $waiting = session($node);
	my $taker = session($node);

	$waiting->query('SELECT 1');
	$taker->query('SET max_parallel_workers = 0');
	$taker->send($takes_all);
	$node->poll_query_until('postgres', "SELECT EXISTS ($waits)") or die 'the query does not wait';

	my $answer = $waiting->query($all);

	if ($preload)
	{
		like($answer, qr/\A\d+\|\d+\|\d+\z/, 'preloaded, no slot for a segment is left: ids');
	}
	else
	{
		like($answer,
			qr/ERROR:  53000: too many dynamic shared memory seg.*HINT:  .*preload_libraries/s,
			'no slot for a segment is left: an error with a hint');
		like($waiting->query($all), qr/ERROR:  53000/, '... again');
	}
	$lock->query('SELECT pg_advisory_unlock(1)');
	unlike($taker->receive, qr/^\d.*ERROR/s, '... the query ends');
	like($waiting->query($all), qr/\A\d+\|\d+\|\d+\z/, '... ids');
	$_->quit foreach $waiting, $taker;
	twenty('... and then');
}
$lock->quit;

# ------------------------------------------------------- many connections

# Those who can have a slot number: 14 bits of a FLUID
my $others = 4 + 0 + ($version < 17 ? 1 + 1 : 2 + 1);

sub with_backends
{
	my ($number) = @_;

	set_up(max_connections => $number - $others, shared_buffers => '16MB',
		($version < 18 ? () : (autovacuum_worker_slots => 1)),
		max_locks_per_transaction => 10, max_pred_locks_per_transaction => 10);
}

with_backends(16384);
like(run_sql($node, 'SELECT fluid_generate(), ulidflake_generate()'), qr/^\d+\|\d+$/,
	'16384 processes: ids');
is(run_sql($node, q{SELECT per_ms, last_generator - first_generator, slot BETWEEN 0 AND 16383
	FROM flakeid_status() WHERE format = 'fluid'}),
	'1024|0|t', '... each process has a generator of its own');
with_backends(16385);
like(run_sql($node, 'SELECT fluid_generate()'),
	qr/ERROR:  F0000: cannot generate a FLUID: .* too few bits.*HINT:  Reduce .*max_connections/s,
	'more: a clear error');
like(run_sql($node, 'SELECT ulidflake_generate()'), qr/^\d+$/, '... Ulid-Flakes are not affected');
is(run_sql($node,
	"SELECT string_agg(format || ' ' || per_ms, ' ') FROM flakeid_status() WHERE per_ms = 0"),
	'fluid 0 nanoflake 0',
	'... which the status shows');
foreach ([ 10, 'its generator field has too few bits.*set flakeid\.sequence_scope' ],
	[ 11, 'its generator field has too few bits.*or use FLUID' ])
{
	my $offset = -s $node->logfile;

	set_up(shared_preload_libraries => 'flakeid', 'flakeid.node_bits' => $_->[0]);
	my @warnings = slurp_file($node->logfile, $offset)
		=~ /WARNING:  (?:F0000: )?cannot generate an? (\w+)/g;

	is("@warnings",
		run_sql($node,
		q{SELECT string_agg(CASE format WHEN 'fluid' THEN 'FLUID' ELSE 'Nanoflake' END, ' ')
		FROM flakeid_status() WHERE per_ms = 0}),
			"node_bits = $_->[0]: the server warns at its start");
	like(run_sql($node, 'SELECT nanoflake_generate();' x 2),
		qr/(?:ERROR:  F0000: cannot generate a Nanoflake: $_->[1].*){2}/s,
		"node_bits = $_->[0]: a clear error at each call");
}
done_testing();
