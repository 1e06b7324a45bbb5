# The background worker that sets up the state file after a start: one serves
# many sessions; an error if none is free; a session or worker may be
# terminated meanwhile; cases that need no worker; and settings that are
# invalid, or valid only until a restart.

use strict;
use warnings;

use Fcntl qw(:flock);
use FlakeidTest;
use PostgreSQL::Test::Utils;
use Test::More;

my $settings = q{
flakeid.node_id = 5
flakeid.node_bits = 3
log_min_messages = debug1
restart_after_crash = on
};
my $node = new_node('set_up', $settings);
my $file = $node->data_dir . '/postgresql.conf';
my $base = slurp_file($file);
my $server_address = '5 3 0 0 1704067200000 1704067200000 1704067200000';
my $number = 'SELECT fluid_get_generator(fluid_generate()) >> 11;';

sub set_conf
{
	my ($text) = @_;

	unlink $file;
	$node->append_conf('postgresql.conf', "$base\n$text\n");
	return;
}

sub restart_with
{
	my ($text) = @_;

	set_conf($text);
	$node->restart;
	return;
}

# Number of workers started since the log had this length
sub workers_since
{
	my ($offset) = @_;
	my $log = slurp_file($node->logfile, $offset);

	return
	  scalar(() = $log =~ /starting background worker process "flakeid state file"/g);
}

sub postmaster
{
	return (split /\n/, slurp_file($node->data_dir . '/postmaster.pid'))[0];
}

# ------------------------------------------------------ latency of the first id
$node->safe_psql('postgres', 'SELECT fluid_generate()');
foreach my $preload ('', 'flakeid')
{
	restart_with("shared_preload_libraries = '$preload'");

	my $offset = -s $node->logfile;
	my $answer = run_sql($node, q{
		SELECT uuid_generate_v7() IS NULL;
		SELECT clock_timestamp() AS begin \gset
		SELECT fluid_generate() IS NULL AS id, clock_timestamp() AS first \gset
		SELECT fluid_generate() IS NULL AS id, clock_timestamp() AS second \gset
		SELECT extract(epoch FROM :'first'::timestamptz - :'begin') * 1000,
		  extract(epoch FROM :'second'::timestamptz - :'first') * 1000});
	my ($first, $second) = $answer =~ /^([\d.]+)\|([\d.]+)$/m;

	ok(defined $second, 'the first id after a start') or diag($answer);
	note(sprintf 'first id after a start%s: %.1f ms; the next: %.1f ms',
		$preload ? ', preloaded' : '', $first, $second);
	is(workers_since($offset), $preload ? 0 : 1,
		$preload ? '... preloaded, without a worker' : '... by one worker');
	is(run_sql($node, $number), 5, '... and the next session generates ids');
	is(workers_since($offset), $preload ? 0 : 1, '... without a worker');
}

# ------------------------------------------------- many first sessions at once
restart_with('');
{
	my $offset = -s $node->logfile;
	my @sessions = map { session($node) } 1 .. 30;

	$_->backend_pid foreach @sessions;
	$_->send($number) foreach @sessions;
	is(join(' ', map { $_->receive_patiently } @sessions),
		join(' ', (5) x 30), '30 concurrent sessions generate ids');
	$_->quit foreach @sessions;

	my $workers = workers_since($offset);

	note("workers for 30 sessions: $workers");
	cmp_ok($workers, '>=', 1, '... by a worker');
	cmp_ok($workers, '<=', 15, '... or a few, but not one per session');
	is(address_in_file($node), $server_address, '... which updates the file once');
}

# ---------------------------------------------------------- no worker is free
my $no_worker = qr/ERROR:  53400: could not start a background worker to set up state file "pg_stat\/flakeid\.state".*HINT:  .*max_worker_processes.*shared_preload_libraries/s;

restart_with('max_worker_processes = 0');
{
	my $begin = stopwatch();
	my $impatient = session($node);

	$impatient->send("SET statement_timeout = 1000; $number");

	is(scalar(grep { /$no_worker/ } together($node, 20, $number)),
		20, 'max_worker_processes = 0: an error with a hint, in all sessions');

	my $waited = stopwatch() - $begin;

	note(sprintf '20 sessions gave up within %.1f s', $waited);
	cmp_ok($waited, '>', 4, '... after 5 s');
	like($impatient->receive, qr/ERROR:  57014/, '... or when it is canceled');
	$impatient->quit;
	is(run_sql($node, 'SELECT length(uuid_generate_v7()::text)'),
		36, '... for 64-bit ids only');
}
restart_with("max_worker_processes = 0\nshared_preload_libraries = 'flakeid'");
is(run_sql($node, $number), 5, '... and no error if the library is preloaded');

# All workers are in use: one by the server's logical replication launcher, one
# by a parallel query.
my $force = $node->pg_version < 16 ? 'force_parallel_mode' : 'debug_parallel_query';

restart_with('max_worker_processes = 2');
{
	my ($sleeper, $waiting, $canceler) = map { session($node) } 1 .. 3;
	my $pid = $sleeper->backend_pid;

	$_->backend_pid foreach $waiting, $canceler;

	$sleeper->send("SET $force = on; SELECT pg_sleep(600)");
	ok(wait_until(sub {
		$node->safe_psql('postgres', q{
			SELECT count(*) FROM pg_stat_activity
			WHERE backend_type = 'parallel worker'}) == 1 }),
		'all workers are in use');
	$waiting->send($number);
	ok($waiting->is_waiting(0.5), '... and a session waits');
	$canceler->query("SELECT pg_cancel_backend($pid)");
	is($waiting->receive, 5, '... until one is free');
	like($sleeper->receive, qr/ERROR:  57014/, 'the parallel query was canceled');
	$_->quit foreach $sleeper, $waiting, $canceler;
}

# The operating system refuses to start processes, as under a process limit.
SKIP:
{
	my $limit = (grep { -x } '/usr/bin/prlimit', '/bin/prlimit')[0];

	skip 'there is no prlimit', 6 unless $limit;
	foreach my $before ('an outdated state file', 'no state file')
	{
		restart_with('');

		my $session = session($node);

		$session->query('SELECT uuid_generate_v7()');
		unlink state_path($node) if $before eq 'no state file';

		my ($was) = slurp_file('/proc/' . postmaster() . '/limits') =~ /^Max processes +(\S+)/m;

		system_or_bail($limit, '--pid', postmaster(), '--nproc=1:');

		my $offset = -s $node->logfile;

		$session->send($number);
		ok(wait_until(sub { slurp_file($node->logfile, $offset) =~ /could not fork/ }),
			"$before, and no worker starts")
		  or diag('the limit has no effect');
		ok($session->is_waiting, '... a session waits for one');
		system_or_bail($limit, '--pid', postmaster(), "--nproc=$was:");
		is($session->receive, 5, '... until one starts');
		$session->quit;
	}
}

# -------------------------------------------------- a session after an error
restart_with("flakeid.node_id = 'nonsense'");
{
	my $session = session($node);

	# The lock that elects one session and the memory shared with the worker
	# are released at the end of the subtransaction.
	is($session->query(q{
		BEGIN;
		DO $$
		DECLARE failed integer := 0;
		BEGIN
			FOR i IN 1 .. 20 LOOP
				BEGIN
					PERFORM fluid_generate();
				EXCEPTION WHEN config_file_error THEN failed := failed + 1;
				END;
			END LOOP;
			IF failed <> 20 THEN RAISE 'only %', failed; END IF;
		END $$;
		SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'})
		  =~ s/^(?:WARNING|LOCATION|CONTEXT|PL).*\n//mgr,
		'0', 'twenty errors in a transaction leave no lock behind');
	set_conf('');
	$node->reload;
	ok(wait_until(sub { run_sql($node, $number) eq '5' }),
		'... and block no other session while it is open');
	is($session->query($number), 5, '... or the transaction itself');
	$session->quit;
}

# --------------------------------------------------- the server's command line
foreach my $preload ('', 'flakeid')
{
	set_conf("shared_preload_libraries = '$preload'\nflakeid.ulidflake_scalability = 9");
	$node->stop;
	command_ok(
		[
			'pg_ctl', '-w', '-D', $node->data_dir, '-l', $node->logfile, '-o',
			'-c flakeid.node_id=6', 'start'
		],
		'a start with node_id on the command line');
	like(run_sql($node, $number, $preload ? () : (PGOPTIONS => '-c flakeid.node_id=3')),
		qr/^6$/m, '... which overrides the file and the session');
	is(address_in_file($node), '6 3 0 9 1704067200000 1704067200000 1704067200000',
		'... and the state file has both settings');
	command_ok([ 'pg_ctl', '-w', '-D', $node->data_dir, 'stop' ], '... stop');
	$node->_update_pid(0);
	$node->start;
}

# ----------------------------------------------------- terminated processes
# A lock held from outside blocks the worker, which has no row in
# pg_stat_activity.
sub worker_pid
{
	my $folder = readlink('/proc/' . postmaster() . '/cwd');

	foreach my $path (glob '/proc/[0-9]*')
	{
		open my $command, '<', "$path/cmdline" or next;
		my $line = do { local $/; <$command> } // '';

		next unless $line =~ /flakeid state file/;
		return substr $path, 6 if (readlink("$path/cwd") // '') eq $folder;
	}
	return;
}

SKIP:
{
	skip 'there is no /proc', 9 unless -e '/proc/self/cwd';

	foreach my $how ('TERM', 'KILL', 'its session')
	{
		# Set, so that no session is warned of a lost setting.
		restart_with('flakeid.ulidflake_scalability = 0');
		open my $lock, '<', $node->data_dir . '/postmaster.pid' or die $!;
		flock $lock, LOCK_SH or die $!;

		my $session = session($node);
		my $other = session($node);

		$session->backend_pid;
		$other->backend_pid;
		$session->send($number);
		wait_until(\&worker_pid);
		$other->send($number) unless $how eq 'KILL';
		if ($how eq 'its session')
		{
			$node->safe_psql('postgres',
				'SELECT pg_terminate_backend(' . $session->backend_pid . ')');
			like($session->receive, qr/FATAL:  57P01/, 'the session is terminated');
		}
		else
		{
			# A worker gives up after a second, and the session starts another
			# one.
			wait_until(sub {
				my $worker = worker_pid() // return 0;

				return kill($how, $worker) && $session->answers_within(10);
			});
			like($session->receive,
				$how eq 'TERM'
				? qr/ERROR:  57P01: terminating background worker/
				: qr/57P02|server closed the connection/,
				"the worker is terminated by $how: an error");
		}
		close $lock;
		is($other->receive_patiently, 5, '... and another session takes over')
		  unless $how eq 'KILL';
		ok(wait_until(sub { run_sql($node, $number) =~ /^5$/ }),
			'... and later ones generate ids');
		is(address_in_file($node), $server_address,
			'... with the server\'s address');
		$_->quit foreach $session, $other;
	}
}

# --------------------------------------------------------- single-user mode
# Run statements in a stand-alone server and return its answers.
sub single
{
	my ($statements) = @_;
	my ($out, $errors) = ('', '');

	IPC::Run::run(
		[ 'postgres', '--single', '-D', $node->data_dir, 'postgres' ],
		'<', \$statements, '>', \$out, '2>', \$errors);
	return "$out$errors";
}

set_conf('');
$node->safe_psql('postgres', q{
	ALTER DATABASE postgres SET flakeid.node_id = 2;
	ALTER ROLE ALL SET flakeid.node_bits = 4});
$node->stop;
unfold($node);
{
	my $answer = single("SET flakeid.node_id = 1\n$number\n");

	like($answer, qr/= "5"/, 'single-user mode: an id with the server\'s number')
	  or diag($answer);
	is(address_in_file($node), $server_address,
		'... and it sets up the file with the server\'s settings');
}
set_conf("flakeid.node_id = 'nonsense'");
unfold($node);
like(single("$number\n"),
	qr/ERROR:  invalid value for parameter "flakeid\.node_id": "nonsense"/,
	'... but an invalid setting is an error');
set_conf('');
$node->start;
$node->safe_psql('postgres', q{
	ALTER DATABASE postgres RESET ALL;
	ALTER ROLE ALL RESET ALL});

# ------------------------------------------------------------ invalid settings
my @calls = (
	'fluid_generate()', 'nanoflake_generate()', 'ulidflake_generate()',
	'ulidflake_scalable_generate()', 'fluid_to_timestamptz(1)',
	'nanoflake_to_timestamptz(1)', 'fluid_get_address(1)', 'flakeid_status()',
	'flakeid_reset_clock()', 'flakeid_raise_floor(now())');
my $mended = 'fluid backend 5 {}, nanoflake backend 5 {}, ulidflake server 0 {}';
my $status = q{
SELECT string_agg(format || ' ' || scope || ' ' || node || ' ' || pending::text,
  ', ' ORDER BY format) FROM flakeid_status()};

foreach my $preload ('', 'flakeid')
{
	my $how = $preload ? 'preloaded' : 'not preloaded';
	my $preload_line = "shared_preload_libraries = '$preload'";

	foreach my $bad (
		[ 'flakeid.node_id', 'nonsense' ],
		[ 'flakeid.node_bits', '15' ],
		[ 'flakeid.fluid_epoch', '2024-01-01 00:00:00' ],
		[ 'flakeid.sequence_scope', 'session' ])
	{
		my ($name, $value) = @$bad;
		my $right = $name eq 'flakeid.sequence_scope' ? 'backend'
		  : $name =~ /epoch/ ? '2024-01-01 00:00:00Z'
		  : $name =~ /bits/ ? 3 : 5;
		my $what = "$name = '$value' in the file, $how";
		my $invalid =
		  qr/ERROR:  F0000: invalid value for parameter "\Q$name\E": "\Q$value\E"/;

		restart_with("$preload_line\n$name = '$value'");

		my $bytes = state_bytes($node);
		my $session = session($node);
		my $answer = $session->query(join '', map { "SELECT $_;" } @calls);

		is(() = $answer =~ /$invalid/g, scalar @calls,
			"$what: every 64-bit call raises an error") or diag($answer);
		unlike($answer, qr/^\d/m, '... and generates nothing');
		like($answer, qr/HINT:  .*reload/, '... with a hint');
		like(run_sql($node, "SET $name = '$right'; $number",
				$preload ? () : (PGOPTIONS => "-c flakeid.node_id=1")),
			$invalid, '... also in sessions with their own values');
		like($session->query('SELECT uuid_generate_v7()'),
			qr/^[0-9a-f-]{36}$/, '... and UUIDs depend on no setting');
		is(state_bytes($node), $bytes, '... and the state file is unchanged');

		# A reload without a correction changes nothing.
		my $loaded = $session->query('SELECT pg_conf_load_time()');

		$node->reload;
		ok(wait_until(sub { $session->query('SELECT pg_conf_load_time()') ne $loaded }),
			'... the session has processed a reload');
		like($session->query($number), $invalid, '... without a correction: the same');

		# Once the line is removed, an earlier line of the file applies.
		set_conf($preload_line
			  . ($name eq 'flakeid.node_bits' ? '' : "\n$name = '$right'"));
		$node->reload;
		ok(wait_until(sub { $session->query($number) =~ /^5$/ }),
			'... until the line is corrected or removed, and reloaded')
		  or diag($session->query($number));
		is(run_sql($node, $status), $mended, '... for all sessions');
		is(address_in_file($node), $server_address, '... and for the state file');
		$session->quit;
	}
}

# The invalid line is removed, and there is no other one.
foreach my $preload ('', 'flakeid')
{
	restart_with("shared_preload_libraries = '$preload'\nflakeid.ulidflake_scalability = 32");

	my $session = session($node);

	like($session->query('SELECT ulidflake_scalable_generate()'),
		qr/ERROR:  F0000: invalid value for parameter "flakeid.ulidflake_scalability": "32"/,
		'an invalid line that is the only one');
	set_conf("shared_preload_libraries = '$preload'");
	$node->reload;
	ok(wait_until(sub { $session->query($number) =~ /^5$/ }),
		'... is removed: the built-in default applies');
	is(run_sql($node, $status), $mended, '... for all sessions');
	$session->quit;
}

# --------------------------------------------- a node_id that will not fit
foreach my $preload ('', 'flakeid')
{
	restart_with("shared_preload_libraries = '$preload'\nflakeid.node_bits = 2\nflakeid.node_id = 1");

	my $session = session($node);
	my $how = $preload ? 'preloaded' : 'not preloaded';

	is($session->query('SELECT fluid_get_generator(fluid_generate()) >> 12'),
		1, "$how: node 1 of 2 bits");
	$node->safe_psql('postgres',
		"SELECT uuid_generate_v7();\nALTER SYSTEM SET flakeid.node_id = 7");
	$node->reload;
	ok(wait_until(sub { $session->query('SHOW flakeid.node_id') eq '7' }),
		'ALTER SYSTEM SET node_id = 7, and a reload');
	$session->query('SELECT pg_sleep(0.01)');
	like($session->query('SELECT fluid_generate()'),
		qr/WARNING:  01000: .*DETAIL:  flakeid\.node_id: 1 in effect, 7 configured, which does not fit in flakeid\.node_bits = 2/s,
		'... a WARNING says that it does not fit');
	foreach my $who ($session, session($node))
	{
		is($who->query('SELECT DISTINCT pending::text FROM flakeid_status()'),
			'{"flakeid.node_id: 1 in effect, 7 configured, which does not fit in flakeid.node_bits = 2"}',
			'... and so does the status');
		$who->quit;
	}
	$node->restart;
	$session = session($node);
	like($session->query($number),
		qr/ERROR:  F0000: flakeid\.node_id = 7 does not fit in flakeid\.node_bits = 2/,
		'after a restart generators raise an error');

	# The setting is corrected, or its line removed.
	if ($preload)
	{
		$node->safe_psql('postgres',
			"SELECT uuid_generate_v7();\nALTER SYSTEM SET flakeid.node_id = 3");
	}
	else
	{
		$node->safe_psql('postgres', 'ALTER SYSTEM RESET ALL');
	}
	$node->reload;

	my $right = $preload ? 3 : 1;

	ok(wait_until(sub {
		$session->query('SELECT fluid_get_generator(fluid_generate()) >> 12') =~ /^$right$/ }),
		'... until it is corrected and reloaded');
	$session->quit;
	$node->safe_psql('postgres', 'ALTER SYSTEM RESET ALL');
}

# node_id stays, and node_bits becomes too small for it.
restart_with('');
$node->safe_psql('postgres', 'SELECT fluid_generate()');
set_conf('flakeid.node_bits = 2');
$node->reload;
ok(wait_until(sub {
	run_sql($node, 'SELECT DISTINCT pending::text FROM flakeid_status()') eq
	  '{"flakeid.node_bits: 3 in effect, 2 configured, too few for flakeid.node_id = 5"}' }),
	'too few bits for node_id: the status shows it');

$node->stop;
done_testing();
