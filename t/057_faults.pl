# Slow.
# Calls of the operating system fail, one after the other, or the process is
# killed there: a full disk, I/O errors, no descriptors, no memory.  The call raises
# an error, other sessions are not affected for long, and afterwards ids continue.

use FlakeidTest;
use Errno qw(EIO EMFILE ENOMEM ENOSPC);
use FlakeidHorizon;
use List::Util qw(max);
use POSIX qw(SIGINT SIGSTOP SIGTERM);

my $folder = PostgreSQL::Test::Utils::tempdir;
my $shim = shim('faults') // plan skip_all => 'no compiler for the shim';

my $seed = $ENV{SEED} // time;

note "SEED=$seed";
srand $seed;

# Kinds of calls
my ($file, $shared_memory, $memory, $compare, $sync, $random, $point) = (1, 2, 4, 16, 32, 64, 128);
my $faults = "$folder/faults";

sub arm
{
	my ($process, $kinds, $succeed, $error, $fail) = @_;

	open my $handle, '+<', $faults or die "$faults: $!";
	syswrite $handle, pack 'q6', $process, $kinds, $succeed, $error, $fail // 1, 0;
	close $handle or die $!;
}

# Let calls succeed again; returns how many there were.
sub disarm
{
	my $counted = (unpack 'q6', slurp_file($faults))[5];

	arm(0, 0, 0, 0);
	return $counted;
}

append_to_file($faults, pack 'q6', (0) x 6);

my $node = PostgreSQL::Test::Cluster->new('faults');

$node->init;
$node->append_conf('postgresql.conf', q{
	fsync = on
	autovacuum = off
	restart_after_crash = on
	max_connections = 20
	dynamic_shared_memory_type = posix
});

sub start_with_shim
{
	local %ENV = (%ENV, LD_PRELOAD => $shim, FLAKEID_FAULTS => $faults);

	$node->start;
}

start_with_shim();
$node->safe_psql('postgres', 'CREATE EXTENSION flakeid');

my $all = 'SELECT fluid_generate(), nanoflake_generate(), ulidflake_generate()';
my $ids = qr/^(\d+)\|(\d+)\|(\d+)$/;
my @ids;
my @newest = (0, 0, 0);

# Note ids, and check that there are three of them.
sub note_ids
{
	my ($answer) = @_;
	my @new = $answer =~ $ids;

	push @ids, \@new if @new;
	return scalar @new;
}

# Check that a new session generates ids: after a start, greater ones than
# before it.
sub ids_go_on
{
	my ($is_started) = @_;
	my $answer = run_sql($node, $all);

	return "no ids: $answer" unless note_ids($answer);
	foreach my $i (0 .. 2)
	{
		return "$ids[-1][$i] is not greater than $newest[$i]"
			if $is_started && $ids[-1][$i] <= $newest[$i];
	}
	return '';
}

# Before a start, note the greatest ids.
sub begin_start
{
	foreach my $i (0 .. 2)
	{
		$newest[$i] = max($newest[$i], map { $_->[$i] } @ids);
	}
}

# Again, after the end of the process, and a kill from which on the log begins
# at the offset.  The server accepts connections until it knows of the end.
sub is_running
{
	my ($pid, $offset) = @_;

	return wait_until(sub { !kill(0, $pid)
		&& (!$offset || slurp_file($node->logfile, $offset) =~ /ready to accept/) &&
		eval { $node->psql('postgres', 'SELECT 1', stderr => \my $ignored) == 0 } }, 60);
}

# Generate the first ids of a session while a call fails, and of a start, too.
# Returns what went wrong, and the number of calls.
sub attempt
{
	my ($first, $kinds, $succeed, $error) = @_;

	if ($first)
	{
		begin_start();
		$node->stop($first);
		start_with_shim();
	}

	my $session = session($node);
	my $other = session($node);

	$other->query('SELECT 1');
	my $offset = $error ? 0 : -s $node->logfile;
	my $pid = $session->backend_pid;

	arm($pid, $kinds, $succeed, $error);

	my $answer = $session->query($all);
	my $counted = disarm();
	my $crashed = $session->{ended};
	my $wrong = '';

	$wrong = "neither ids nor an error: $answer"
	  unless note_ids($answer) || $answer =~ /ERROR|PANIC|FATAL|server closed the connection/;
	if (!$crashed && $answer !~ $ids)
	{
		my $again = $session->query($all);

		# Out of memory when the library was loaded: PostgreSQL cannot load it
		# again in this session.
		$wrong = "then: $again"
			unless note_ids($again) || $again =~ /attempt to redefine parameter/;
	}
	if (!$crashed)
	{
		my $others = $other->query($all);

		$wrong ||= "another session: $others" unless note_ids($others);
	}
	$_->quit foreach $session, $other;
	begin_start() if $crashed;
	$wrong ||= 'the server does not run' if $crashed && !is_running($pid, $offset);
	$wrong ||= ids_go_on($first || $crashed);
	note "call $succeed of $counted, errno $error: $answer" if $wrong;
	return ($wrong, $counted);
}

# How many calls are there?
my (undef, $calls) = attempt('fast', $file | $shared_memory, 1e9, EIO);
my (undef, $later_calls) = attempt('', $file | $shared_memory, 1e9, EIO);
my (undef, $allocations) = attempt('fast', $memory, 1e9, EIO);
my (undef, $later_allocations) = attempt('', $memory, 1e9, EIO);

note "calls $calls, $later_calls; allocations $allocations, $later_allocations";

sub each_call
{
	my ($what, $first, $kinds, $number, $error, $every) = @_;
	my @wrong;
	my $n = int rand $every;

	for (my $call = $n; $call < $number; $call += $every)
	{
		my ($wrong) = attempt($first, $kinds, $call, $error);

		push @wrong, "call $call: $wrong" if $wrong;
	}
	is("@wrong", '', $what);
}

# One of so many calls; CHECK_SCALE=8 tries all of them.
my $every = int(8 / ($ENV{CHECK_SCALE} // 1)) || 1;

each_call('I/O errors, in the first session', 'fast', $file | $shared_memory, $calls, EIO, $every);
each_call('I/O errors, later', '', $file | $shared_memory, $later_calls, EIO, 1);
each_call('a full disk', 'immediate', $file | $shared_memory, $calls, ENOSPC, $every);
each_call('no descriptors', 'fast', $file | $shared_memory, $calls, EMFILE, $every);
each_call('no memory, in the first session', 'fast', $memory, $allocations, ENOMEM, 2 * $every);
each_call('no memory, later', '', $memory, $later_allocations, ENOMEM, int($every / 4) || 1);
each_call('killed, the first session', 'fast', $file | $shared_memory, $calls, 0, $every);
each_call('killed, later', '', $file | $shared_memory, $later_calls, 0, 1);

# ---------------------------------------------- the first session is paused

$node->stop;
start_with_shim();

my $paused = session($node);
my $session = session($node);

arm($paused->backend_pid, $shared_memory, 0, -SIGSTOP);
$paused->send('SELECT fluid_generate()');
wait_until(sub { slurp_file('/proc/' . $paused->backend_pid . '/stat') =~ /^\d+ \(.*\) T / })
  or die 'it is not stopped';
$session->send($all);
ok($session->answers_within(20), 'another session does not wait for a paused first one');
kill 'CONT', $paused->backend_pid;
disarm();
like($session->receive, $ids, '... and generates ids');
like($paused->receive, qr/^\d+$/, '... which continues');
like($paused->query(q{
	SELECT flakeid_raise_floor(now() + '3 s');
	SET flakeid.max_wait = 0;
	SELECT nanoflake_generate()}), qr/ERROR:  55P03/, '... a refusal');
$paused->quit;

my $refusals = q{SELECT refusals FROM flakeid_status() WHERE format = 'nanoflake'};

is($session->query($refusals), 1, '... is counted in the memory of the other one');
is($node->safe_psql('postgres', $refusals), 1, '... and of a new one');
$paused = session($node);
arm($paused->backend_pid, $random, 0, EIO);
like($paused->query('SELECT uuid_generate_v7()'),
	qr/ERROR:  XX000: could not generate random values/, 'no random bits: no id');
disarm();
unlike($paused->query('SELECT uuid_generate_v7()'), qr/-0{12}$/,
	'... and then one with random bits');
$paused->quit;
$session->quit;

# ------------------------------------------------- /dev/shm is full for long

like(run_sql($node, "SET flakeid.max_wait = '20s'; $all"), $ids,
	'... until the clock has caught up');
begin_start();
$node->stop;
start_with_shim();
$session = session($node);
arm($session->backend_pid, $shared_memory, 0, ENOSPC, 1e9);
my $hint = 'Free memory, or add flakeid to shared_preload_libraries and restart the server';
foreach my $time ('an error with a hint', 'again')
{
	like($session->query($all),
		qr/ERROR:  53\w\d\d: .*HINT:  $hint/s,
		"/dev/shm is full: $time");
}
disarm();
like($session->query($all), $ids, '... ids when there is room');

# A flush takes longer than a horizon is ahead.
sub slow_flushes
{
	my ($scope, $format, $ms) = @_;

	wait_until(sub { $node->safe_psql('postgres',
		"SELECT horizon < clock_timestamp() FROM flakeid_status() WHERE format = '$format'")
		eq 't' })
	  or die;

	my $slow = session($node);

	arm($slow->backend_pid, $sync, 0, $ms, 1e9);
	like($slow->query("SET statement_timeout = 100; SELECT ${format}_generate() FROM
		generate_series(1, 100000)"),
		qr/ERROR:  57014/, "$scope scope: $format: a statement can be canceled after a slow flush");
	cmp_ok(disarm(), '<=', 1, '... the first one');
	$slow->quit;
	$slow = session($node);
	arm($slow->backend_pid, $sync, 0, $ms, 1e9);
	is($slow->query("SELECT count(DISTINCT ${format}_generate()) FROM generate_series(1, 10000)"),
		10000, "$scope scope: $format: 10,000 ids while flushes take $ms ms");
	cmp_ok(disarm(), '<=', 3, '... need few of them');
	$slow->quit;
}

slow_flushes('backend', 'fluid', 2200);
slow_flushes('backend', 'nanoflake', 600);

# A busy session raises its horizon ahead of need, and does not wait for flushes.
my $busy = session($node);

$busy->query('SELECT nanoflake_generate()');
arm($busy->backend_pid, $sync, 1e9, 0);
$busy->query(q{DO $$
	DECLARE
	  ends timestamptz = clock_timestamp() + interval '2 s';
	BEGIN
	  WHILE clock_timestamp() < ends LOOP PERFORM nanoflake_generate(); END LOOP;
	END $$});
cmp_ok(disarm(), '<', 3, 'a busy session seldom waits for a flush');
$busy->quit;
$node->append_conf('postgresql.conf',
	"shared_preload_libraries = 'flakeid'\nflakeid.sequence_scope = server\n");
begin_start();
$session->quit;
$node->stop;
start_with_shim();
slow_flushes('server', 'nanoflake', 600);
slow_flushes('server', 'ulidflake', 2200);
$session = session($node);

# No call fails here: a sort compares ids by their first bytes.
arm($session->backend_pid, $compare, 1e9, EIO);
is($session->query(q{
	SELECT count(*) FROM (
	  SELECT scru160_from_timestamptz(now() + abs(hashint4(i)) * interval '1 s') AS id
	  FROM generate_series(1, 30000) AS i ORDER BY id) AS s}), 30000, 'a sort of scru160');
cmp_ok(disarm(), '<', 3000, '... compares few in full');
$session->quit;
is(ids_go_on(1), '', '... and of another session');
is(repeated(map { @$_ } @ids), '', 'no id is repeated');
cmp_ok(scalar(@ids), '>', 20, '... of many');

# ------------------------------------------------- calls that are canceled

# Wherever a call of an administrator is canceled: it returns, or a WARNING or
# NOTICE says that it is in effect, or it has no effect at all.  Last, since ids are two
# minutes ahead of the clock then.
my $watch = session($node);
my $status = 'FROM flakeid_status()';
my $in_effect =
	qr/WARNING:  01000: the call was canceled while it flushed the WAL, and is in effect/;
my %timeouts = (statement_timeout => qr/ERROR:  57014/,
	$node->pg_version < 17 ? () : (transaction_timeout => qr/FATAL:  25P04/));

# A call, what prepares it, and what shows that a format has its effect
my @calls = (
	[ "flakeid_raise_floor(now() + '2 minutes')", "SELECT max(floor) $status",
	q{floor > 'BEFORE'} ],
	[ 'flakeid_reset_horizon()', 'SELECT flakeid_cancel_reset()',
	q{horizon_state = 'reset pending'} ],
	[ 'flakeid_cancel_reset()', 'SELECT flakeid_reset_horizon()', q{horizon_state = 'current'} ]);

# For all formats or for none?
sub effect
{
	my ($call, $before) = @_;
	my $condition = $call->[2] =~ s/BEFORE/$before/r;

	return $watch->query("SELECT string_agg(DISTINCT CASE WHEN $condition THEN 'yes'
		ELSE 'no' END, ', ') $status");
}

# Run it in a session while what is armed happens; returns the answer, whether
# the call is in effect, and the number of points.
sub run_call
{
	my ($call, $session, $what, $kinds, $succeed, $error) = @_;
	my $before = $watch->query($call->[1]);

	$session->query($what);
	arm($session->backend_pid, $kinds, $succeed, $error, $error > 0 ? 1e9 : 1);
	my $answer = $session->query("SELECT 'done' FROM $call->[0]");
	my $points = disarm();
	return ($answer, effect($call, $before), $points);
}

foreach my $call (@calls)
{
	my $name = $call->[0] =~ s/\(.*//r;
	my %seen = (done => 0, told => 0, without => 0);
	my @wrong;
	my $session = session($node);
	my (undef, undef, $points) = run_call($call, $session, 'BEGIN', $point, 1e9, 0);

	foreach my $signal (SIGINT, SIGTERM)
	{
		for my $n (0 .. $points - 1)
		{
			$session->query('ROLLBACK');
			my ($answer, $effect) = run_call($call, $session, 'BEGIN', $point, $n, -$signal);
			my $outcome = $answer =~ /^done$/m ? 'done' : $answer =~ /$in_effect|is canceled: ids/
				? 'told' : 'without';

			$seen{$outcome}++;
			push @wrong, "signal $signal at $n of $points, in effect: $effect, $answer"
			  if $effect ne ($outcome eq 'without' ? 'no' : 'yes')
			  || $outcome ne 'done'
			  && $answer !~ ($signal == SIGINT ? qr/ERROR:  57014/ : qr/FATAL:  57P01/);
			$session->quit, $session = session($node) if $signal == SIGTERM;
		}
	}
	is("@wrong", '', "$name: canceled or terminated at $points points");
	ok(!(grep { !$_ } values %seen), '... before, during and after its flush');

	# The shim's syncs take longer than the timeout.  If the call has not come so far
	# before, on a busy machine, both take longer.
	foreach my $timeout (sort keys %timeouts)
	{
		my ($answer, $effect);

		foreach my $ms (100, 1000, 10000)
		{
			($answer, $effect) =
			  run_call($call, $session, "SET $timeout = $ms", $sync, 0, 4 * $ms);
			$session->quit;
			$session = session($node);
			last if $effect eq 'yes';
		}
		like($answer, qr/$in_effect.*$timeouts{$timeout}/s,
			"$name, $timeout: a WARNING, then the error");
		is($effect, 'yes', '... the call is in effect');
	}
	my $before = $watch->query($call->[1]);
	my $lock = session($node);

	$lock->query('BEGIN; ALTER SEQUENCE flakeid_ulidflake_horizon CACHE 1');
	like($session->query("SET lock_timeout = 100; SELECT $call->[0]"),
		qr/ERROR:  55P03: canceling statement due to lock timeout/, "$name: a lock timeout");
	$lock->query('ROLLBACK');
	is(effect($call, $before), 'no', '... has no effect');
	$_->quit foreach $lock, $session;
}
$watch->quit;
done_testing();
