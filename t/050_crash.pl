# World, slow.
# A backend or the postmaster is killed with SIGKILL, or the server is shut down
# immediately, again and again under load, and the clock is set back in between:
# no id is generated twice, counting ids whose transactions did not commit.

use FlakeidTest qw(clock);
use FlakeidHorizon;

adopt_orphans();

my $node = new_node('crash', "restart_after_crash = on\n", clock => 1);
my $folder = new_folder($node, 'ids');
my $behind = 0;

make_item($node);

# Start a session that inserts rows and writes ids to files, so that an id
# counts even if its transaction aborts, for longer than the test needs.
sub begin_load
{
	my ($name) = @_;
	my $session = session($node);

	append_to_file("$folder/../$name.sql", join '', map {
		my $from = 20 * $_;

		"INSERT INTO item (session, n)
			SELECT '$name', $from + i FROM generate_series(0, 19) AS i;\n"
		  . join '', map {
			"COPY (SELECT ${_}_generate() FROM generate_series(1, 50))
				TO '$folder/$_.$name.$from';\n"
		  } qw(fluid ulidflake nanoflake)
	} 1 .. 2000);
	$session->backend_pid;
	$session->send("\\i $folder/../$name.sql");
	return $session;
}

# Each ends the sessions in its own way; false if it could not.
my @ends = (
	[ 'a backend killed', sub {
		my $busy = session($node);
		my $pid = $busy->backend_pid;
		my $horizon = horizon_ms($node, 'fluid');

		$busy->send('SELECT count(fluid_generate())
	FROM (SELECT generate_series(1, 1000000000)) AS s');
		wait_until(sub { horizon_ms($node, 'fluid') != $horizon }) or return 0;
		kill 'KILL', $pid;
		$busy->receive;
		$busy->quit;
		return 1;
	} ],
	[ 'the postmaster killed with its sessions', sub { return kill_postmaster($node, 1); } ],
	[ 'an immediate shutdown', sub { $node->stop('immediate'); return 1; } ],
	[ 'the postmaster killed', sub { return kill_postmaster($node, 0); } ]);
my $rounds = scaled(12);

foreach my $round (1 .. $rounds)
{
	my ($end, $how) = @{ $ends[ $round % @ends ] };
	my $what = "round $round of $rounds, $end";
	my $before = begun_files($folder);
	my @sessions = map { begin_load("run$round.$_") } 1 .. 4;

	ok(wait_until(sub { begun_files($folder) >= $before + 30 }), "$what: under load");
	ok($how->(@sessions), '... it happens');
	$behind += 0.1 * ($round % 3);
	set_clock($node, -$behind);

	my @answers = map { $_->receive } @sessions;

	$_->quit foreach @sessions;
	is(scalar(grep { /connection to server was lost/ } @answers), 4,
		'... to all sessions') or diag(map { substr $_, -500 } @answers);
	unlike("@answers", qr/duplicate|XX000/, '... without another error');
	start_with_clock($node) unless $end =~ /backend/;
	ok(wait_until(sub {
			system('pg_isready', '-q', '-h', $node->host, '-p', $node->port) == 0
		}), '... and the server runs again');
	check_item($node, $what, $round > $rounds - @ends ? $folder : undef);
}
cmp_ok(ids_in_files($folder), '>=', 1000 * $rounds, 'there were ids to compare');

my $last = $node->safe_psql('postgres', 'SELECT fluid_generate()');

$node->stop('immediate');
set_clock($node, -$behind - 10);
start_with_clock($node);
cmp_ok($node->safe_psql('postgres', 'SELECT fluid_generate()'), '>', $last,
	'the clock is 10 s behind: ids continue after those before the crash');
$node->command_ok([ 'pg_amcheck', '--all', '--heapallindexed', '--rootdescend' ],
	'pg_amcheck finds no error');

# A session that waits for the clock ends with the postmaster.
my $waiting = session($node);
my $pid = $waiting->backend_pid;

$waiting->query(q{SET flakeid.max_wait = '60s';
SELECT flakeid_raise_floor(clock_timestamp() + '1 h')});
$waiting->send('SELECT nanoflake_generate()');
ok($node->poll_query_until('postgres',
	"SELECT waits > 0 FROM flakeid_status() WHERE format = 'nanoflake'"),
	'a session waits for the clock');
$node->kill9;
ok(wait_until(sub { !FlakeidHorizon::is_alive($pid) }, 20), '... and ends with the postmaster');
$waiting->receive;
$waiting->quit;
done_testing();
