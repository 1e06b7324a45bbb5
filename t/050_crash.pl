# Backends are killed with SIGKILL, which causes a crash restart; the server is
# shut down immediately; the clock steps back meanwhile.  No id is generated
# twice, counting ids whose transactions did not commit.

use strict;
use warnings;

use FlakeidHorizon qw(horizon_ms);
use FlakeidLife;
use FlakeidTest;
use PostgreSQL::Test::Utils;
use Test::More;

plan skip_all => 'libfaketime is not installed' unless clock_library();

my $node = new_node('crash', "restart_after_crash = on\n",
	clock => 'each time');
my $folder = new_folder($node, 'ids');
my $behind = 0;
my $file = 0;

# COPY writes ids to files, so that an id counts even if its transaction
# aborts.
my $before;

sub begin_sessions
{
	my ($times) = @_;
	my @sessions = map { session($node) } 1 .. 6;

	$before = begun_files($folder);
	foreach my $session (@sessions)
	{
		my $script = $node->basedir . '/copy.' . ++$file;

		append_to_file($script, join '',
			map {
				"COPY (SELECT fluid_generate() FROM generate_series(1, 200))"
				  . " TO '$folder/fluid.$file.$_';\n"
				  . "COPY (SELECT ulidflake_generate() FROM generate_series(1, 200))"
				  . " TO '$folder/ulidflake.$file.$_';\n"
				  . "COPY (SELECT nanoflake_generate() FROM generate_series(1, 200))"
				  . " TO '$folder/nanoflake.$file.$_';\n"
			} 1 .. $times);
		$session->backend_pid;
		$session->send("\\i $script");
	}
	return @sessions;
}

# Begin sessions that are at work for minutes, and wait until they have started
# at least 40 files.
sub keep_at_work
{
	my ($what) = @_;
	my @sessions = begin_sessions(5000);

	ok(wait_until(sub { begun_files($folder) >= $before + 40 }),
		"$what: sessions generate ids");
	return @sessions;
}

sub check_ids
{
	my ($what) = @_;

	is(repeated_in_files($folder), '', "$what: no duplicate ids");
	return;
}

sub runs_again
{
	return wait_until(sub {
		return system('pg_isready', '-q', '-h', $node->host, '-p',
			$node->port) == 0;
	});
}

my $rounds = scaled(3);

foreach my $round (1 .. $rounds)
{
	my $what = "a backend killed, round $round";
	my @sessions = keep_at_work($what);
	my $postmaster = slurp_file($node->data_dir . '/postmaster.pid');

	kill 'KILL', $sessions[ $round % @sessions ]->backend_pid;
	$behind += 0.3 * ($round % 2);
	set_clock($node, -$behind);

	my @answers = map { $_->receive } @sessions;

	$_->quit foreach @sessions;
	ok((grep { /server closed the connection|terminating connection/ } @answers) > 0,
		"$what: the server ends the other sessions");
	ok(runs_again(), "$what: the server accepts connections again");
	is((split /\n/, slurp_file($node->data_dir . '/postmaster.pid'))[2],
		(split /\n/, $postmaster)[2], "$what: the same postmaster");
	check_ids($what);
}

foreach my $round (1 .. $rounds)
{
	my $what = "an immediate shutdown, round $round";
	my @sessions = keep_at_work($what);

	$node->stop('immediate');
	$_->receive, $_->quit foreach @sessions;
	$behind += 0.3 * ($round % 2);
	set_clock($node, -$behind);
	start_with_clock($node);
	check_ids($what);
}

# The counters begin anew with a crash and with a server start.
my $counted = q{
	SELECT waits, refusals, steps_back, longest_wait
	FROM flakeid_status() WHERE format = 'nanoflake'};
my @idle = map { session($node) } 1 .. 2;

$idle[0]->query("SET flakeid.max_wait = '20s'; SELECT nanoflake_generate()");
set_clock($node, -$behind - 60);
like($idle[0]->query('SET flakeid.max_wait = 0; SELECT nanoflake_generate()'),
	qr/ERROR:  55000/, 'a call fails');
set_clock($node, -$behind);

my $was = $node->safe_psql('postgres', $counted);

like($was, qr/\A[1-9]\d*\|[1-9]\d*\|[1-9]\d*\|\d\d:/, 'the server counts it');
kill 'KILL', $idle[0]->backend_pid;
ok(wait_until(sub { $idle[1]->query('SELECT 1') ne '1' }),
	'a backend is killed: the server ends the other sessions');
$_->quit foreach @idle;
ok(runs_again(), 'the server accepts connections again');
is($node->safe_psql('postgres', $counted), '0|0|0|00:00:00',
	'... and counts begin at 0');

# A backend killed while it generates ids blocks no other session.  Its end
# alone does not show that the server has noticed it.
my $killed = session($node);
my $idle = session($node);
my $horizon = horizon_ms($node, 'fluid');

$_->backend_pid foreach $killed, $idle;
$killed->send('SELECT count(fluid_generate()) FROM (SELECT generate_series(1, 1000000000)) AS s');
ok(wait_until(sub { horizon_ms($node, 'fluid') != $horizon }),
	'a session generates ids');
kill 'KILL', $killed->backend_pid;
$killed->receive;
ok(wait_until(sub { $idle->query('SELECT 1') ne '1' }),
	'... and is killed: the server ends the other sessions');
$_->quit foreach $killed, $idle;
ok(runs_again(), 'the server accepts connections again');

my @sessions = begin_sessions(100);
my @answers = map { $_->receive } @sessions;

$_->quit foreach @sessions;
is(join('', @answers), '', 'all sessions generate all their ids');
check_ids('after everything');
cmp_ok(ids_in_files($folder), '>', 360_000, 'there were ids to compare');

# The postmaster is killed, and a new one is started.
@sessions = keep_at_work('before the postmaster is killed');

my @processes = split /\n/, $node->safe_psql('postgres', q{
	SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()});

push @processes, (split /\n/, slurp_file($node->data_dir . '/postmaster.pid'))[0];
$node->kill9;
$_->receive, $_->quit foreach @sessions;
set_clock($node, -$behind - 0.5);
ok(wait_until(sub { !grep { kill 0, $_ } @processes }),
	'its children exit');
start_with_clock($node);
@sessions = begin_sessions(100);
@answers = map { $_->receive } @sessions;
$_->quit foreach @sessions;
is(join('', @answers), '', 'sessions generate ids after the postmaster was killed');
check_ids('a killed postmaster');

$node->stop;
done_testing();
