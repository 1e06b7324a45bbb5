# The clock steps back 0.5 s, 50 s and 1 h: during a session, between one
# session and the next that uses its slot, and across a restart.  No id is
# generated twice, and no id is below an earlier one of its process.

use strict;
use warnings;

use FlakeidTest;
use PostgreSQL::Test::Utils;
use Test::More;

plan skip_all => 'libfaketime is not installed' unless clock_library();

my $node = new_node('clock',
	"max_connections = 12\nshared_preload_libraries = 'flakeid'\n",
	clock => 'each time');
my $test_began = stopwatch();
my $ahead = 0;
my @made;
my $formats_that_go_on = q{
SELECT fluid_generate(), ulidflake_generate(), ulidflake_scalable_generate()
FROM generate_series(1, 50)
};

# Ids of the formats that do not wait for the clock, as lists in order of
# generation
sub carry_on
{
	my ($session, $what) = @_;
	my $answer = $session->query($formats_that_go_on);
	my @rows = map { [ split /\|/ ] } split /\n/, $answer;

	is(scalar(grep { @$_ == 3 } @rows), 50, "$what: FLUID and Ulid-Flake keep generating ids");
	push @made, map { ("fluid $_->[0]", "ulid $_->[1]", "ulid $_->[2]") } @rows;
	return ([ map { $_->[0] } @rows ], [ map { @{$_}[ 1, 2 ] } @rows ]);
}

# Return a Nanoflake or an error.  The arguments include flakeid.max_wait.
sub nanoflake
{
	my ($session, $max_wait) = @_;
	my $answer = $session->query(
		"SET flakeid.max_wait = $max_wait; SELECT nanoflake_generate()");

	$session->query('RESET flakeid.max_wait');

	push @made, "nanoflake $answer" if $answer =~ /\A\d+\z/;
	return $answer;
}

sub status
{
	my ($session, $format, $columns) = @_;

	return $session->query(
		"SELECT $columns FROM flakeid_status() WHERE format = '$format'");
}

# Check how many seconds the id of a session is ahead of the clock: as many as
# the step, less those that have passed since "began".
sub is_ahead
{
	my ($session, $format, $step, $began, $what) = @_;
	my $ahead = status($session, $format, 'extract(epoch FROM ahead)');

	ok($ahead <= $step + 0.001 && $ahead >= $step - 0.1 - (stopwatch() - $began),
		$what)
	  or diag("ahead by $ahead s after " . (stopwatch() - $began));
	return;
}

# Check the longest wait for a Nanoflake: at least so many seconds, and not
# longer than this test.
sub has_waited
{
	my ($session, $least, $what) = @_;
	my $longest =
	  status($session, 'nanoflake', 'extract(epoch FROM longest_wait)');

	ok($longest >= $least && $longest <= stopwatch() - $test_began, $what)
	  or diag("$longest s after " . (stopwatch() - $test_began));
	return;
}

# Counters of the server since the previous call for this format: waits,
# refusals and steps back
my %counted;

sub counted
{
	my ($format) = @_;
	my @now = split /\|/, $node->safe_psql('postgres', qq{
		SELECT waits, refusals, steps_back FROM flakeid_status()
		WHERE format = '$format'});
	my @before = @{ $counted{$format} // [ 0, 0, 0 ] };

	$counted{$format} = [@now];
	return join ' ', map { $now[$_] - $before[$_] } 0 .. 2;
}

# The newest id of a format
sub newest
{
	my ($format) = @_;

	return (sort { $a <=> $b } map { /^$format (\d+)/ ? $1 : () } @made)[-1];
}

# Check the error of a Nanoflake generator whose clock is behind.
sub nanoflake_says
{
	my ($answer, $what, $max_wait, $far) = @_;

	like($answer,
		qr/ERROR:  55000: could not generate a Nanoflake: the clock is \d+ ms behind the last id/,
		"$what: the documented error");
	like($answer, qr/DETAIL:  Waited $max_wait ms, as long as flakeid\.max_wait allows/,
		"$what: its detail has the time waited");
	if ($far)
	{
		like($answer, qr/HINT:  .*flakeid_reset_clock\(\)/,
			"$what: the hint mentions the reset");
	}
	else
	{
		like($answer, qr/HINT:  .*flakeid.max_wait/, "$what: with a hint");
		unlike($answer, qr/flakeid_reset_clock/,
			"$what: which does not mention the reset");
	}

	my ($behind) = $answer =~ /is (\d+) ms behind/;

	return $behind // -1;
}

# ----------------------------------------------------- within a session

# Generate ids until the clock has stepped back in between, and a Nanoflake has
# waited for it.  The lock shows that ids have been generated.
$node->safe_psql('postgres', q{
	CREATE FUNCTION until_a_step(OUT fluid bigint, OUT nanoflake bigint)
	RETURNS SETOF record LANGUAGE plpgsql AS $$
	BEGIN
		WHILE (SELECT steps_back = 0 OR longest_wait < '10 ms'
			   FROM flakeid_status() WHERE format = 'nanoflake') LOOP
			FOR i IN 1 .. 1000 LOOP
				fluid := fluid_generate();
				nanoflake := nanoflake_generate();
				RETURN NEXT;
			END LOOP;
			PERFORM pg_try_advisory_lock(1);
		END LOOP;
	END $$});

# Sessions that hold slots but have not generated ids
my %unused = map { $_ => session($node) } 0.5, 50, 3600;

$_->backend_pid foreach values %unused;

foreach my $step (0.5, 50, 3600)
{
	my $what = "$step s back in a session";
	my $began = stopwatch();
	my $session = session($node);
	my $back = 0;

	my @before = carry_on($session, "before $what");
	my $nanoflake = nanoflake($session, 0);

	counted($_) foreach 'fluid', 'nanoflake', 'ulidflake';

	# The session waits for half a second, so the clock can step while ids are
	# generated.
	$session->query(
		"SET flakeid.max_wait = '60s'; SET statement_timeout = '120s'");
	if ($step < 1)
	{
		$session->send('SELECT * FROM until_a_step()');
		ok(wait_until(sub {
				$node->safe_psql('postgres', q{
					SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'})
			}), "$what: ids are generated before it");
	}

	# A session that is not scheduled for half a second does not see the step,
	# so the clock steps again.
	do
	{
		$back += $step;
		set_clock($node, $ahead - $back);
	} while ($step < 1 && $back < 5 && $session->is_waiting(10));

	if ($step < 1)
	{
		my @rows = map { [ split /\|/ ] } split /\n/, $session->receive;
		my @fluids = map { $_->[0] } @rows;
		my @nanoflakes = map { $_->[1] } @rows;

		cmp_ok(scalar(@rows), '>', 1000, "$what: ids are generated meanwhile");
		ok(increasing(@{ $before[0] }, @fluids),
			"$what: FLUIDs increase meanwhile");
		ok(increasing($nanoflake, @nanoflakes),
			"$what: Nanoflakes increase meanwhile");
		push @made, map { ("fluid $_->[0]", "nanoflake $_->[1]") } @rows;
		$nanoflake = $nanoflakes[-1];
	}

	my @after = carry_on($session, $what);

	ok(increasing(@{ $before[0] }, @{ $after[0] }), "$what: FLUIDs increase");
	ok(increasing(@{ $before[1] }, @{ $after[1] }),
		"$what: Ulid-Flakes increase");
	if ($step < 1)
	{
		my $steps = $back / $step;

		is($session->query(
				"SELECT sum(steps_back) BETWEEN 1 AND 3 * $steps FROM flakeid_status()"),
			't', "$what: the status counts the step");
		like(counted('nanoflake'), qr/\A[1-9]/, "$what: the Nanoflake waited for it");
		has_waited($session, 0.01, "$what: the status shows the wait");
	}
	else
	{
		is(counted('fluid'), '0 0 1', "$what: the status counts the step");

		my $behind = nanoflake_says(nanoflake($session, 200), $what, 200,
			$step > 60);

		ok($behind <= $step * 1000
			  && $behind >= ($step - 0.1 - (stopwatch() - $began)) * 1000,
			"$what: the error gives the size of the step");
		is(counted('nanoflake'), '1 1 1',
			"$what: the status counts the wait and the refusal");
		has_waited($session, 0.2, "$what: ... and shows its duration");
		is_ahead($session, 'fluid', $step, $began,
			"$what: the status shows how far the FLUID is ahead");
		is_ahead($session, 'ulidflake', $step, $began,
			"$what: ... and the Ulid-Flake");
	}

	# Sessions with other slots generate Nanoflakes from the current clock.
	my $other = $unused{$step};

	like(nanoflake($other, 0), qr/\A\d+\z/, "$what: another slot generates Nanoflakes");
	carry_on($other, "$what, another session");
	$other->quit;

	# Once the clock is right, the session that raised the error continues
	# after its last Nanoflake.
	set_clock($node, $ahead);
	cmp_ok(nanoflake($session, 0), '>', $nanoflake,
		"$what: with the clock right again Nanoflakes are generated");
	is(status($session, 'fluid', q{ahead < '1s'}),
		't', "$what: and no id is ahead of the clock");
	$session->quit;
	is(repeated(@made), '', "$what: no duplicate ids");
}

# With flakeid.max_wait = 0, a call never waits.
my $session = session($node);

like(nanoflake($session, 0), qr/\A\d+\z/, 'max_wait = 0 raises no error while no wait is needed');
set_clock($node, $ahead - 50);

my $began = stopwatch();

nanoflake_says(nanoflake($session, 0), 'max_wait = 0', 0, 0);
cmp_ok(stopwatch() - $began, '<', 30, 'max_wait = 0 does not wait');

# A cancel request or the session's own timeout ends a wait at once.
my $longest = q{
	SELECT longest_wait FROM flakeid_status() WHERE format = 'nanoflake'};
my $longest_before = $node->safe_psql('postgres', $longest);

counted('nanoflake');
set_clock($node, $ahead - 3600);
$session->query("SET flakeid.max_wait = '60s'");
$session->backend_pid;
$began = stopwatch();
$session->send('SELECT nanoflake_generate()');
ok(wait_until(sub {
		$node->safe_psql('postgres', qq{
			SELECT ($longest) > greatest('$longest_before', interval '0.5 s')}) eq 't'
	}) && $session->is_waiting, 'a call waits for the clock');
ok(wait_until(sub {
		$node->safe_psql('postgres', q{
			SELECT wait_event_type FROM pg_stat_activity
			WHERE query LIKE 'SELECT nanoflake_generate()%' AND state = 'active'}) eq
			'Extension'
	}), '... and pg_stat_activity shows the wait');

my $canceled = stopwatch();

$node->safe_psql('postgres',
	'SELECT pg_cancel_backend(' . $session->backend_pid . ')');
like($session->receive, qr/ERROR:  57014: canceling statement/,
	'... until it is canceled');
cmp_ok(stopwatch() - $canceled, '<', 30, '... at once');
like($session->query(
		"BEGIN; SET LOCAL statement_timeout = '100ms'; SELECT nanoflake_generate()"),
	qr/ERROR:  57014: canceling statement due to statement timeout/,
	'... or until statement_timeout');
set_clock($node, $ahead);
like($session->query('ROLLBACK; SELECT nanoflake_generate() > 0'),
	qr/^t$/m, 'after a cancel the session generates ids');
like(counted('nanoflake'), qr/\A2 0 /, 'the canceled waits are counted');
has_waited($session, 0.5, '... and their duration is kept');
$session->quit;

# ---------------------------- between sessions that use the same slot

foreach my $step (0.5, 50, 3600)
{
	my $what = "$step s back between two holders of a slot";
	my $first = session($node);

	my $slot = status($first, 'fluid', 'slot');
	my @before = carry_on($first, "before $what");
	my $nanoflake = nanoflake($first, 0);

	$first->quit;
	set_clock($node, $ahead - $step);

	my $second = slot_again($node, $slot);

	nanoflake_says(nanoflake($second, 0), $what, 0, $step > 60) if $step > 1;

	# The last millisecond counts as used up, so the first FLUID takes the next
	# one, once the clock has reached it.
	if ($step > 1)
	{
		$second->query('SET flakeid.max_wait = 0');
		# On a busy machine the clock may have reached it before the query.
		like($second->query('SELECT fluid_generate()'),
			qr/ERROR:  55000: could not generate a FLUID: .*HINT:  |^\d+$/s,
			"$what: with max_wait = 0 the first FLUID does not wait");
		$second->query('RESET flakeid.max_wait');
	}

	my @after = carry_on($second, $what);

	ok(increasing(@{ $before[0] }, @{ $after[0] }),
		"$what: FLUIDs of the slot increase");
	$second->quit;
	is(repeated(@made), '', "$what: no duplicate ids");
	set_clock($node, $ahead);
}

# The slot is reused in the same millisecond, as the clock stands still.  The
# rest of that millisecond is lost, because only the millisecond is marked.
foreach my $format ('fluid', 'nanoflake')
{
	my $what = "a slot reused in the same millisecond, $format";

	freeze_clock($node, '2040-01-01 00:00:00.'
		  . ($format eq 'fluid' ? '123' : '456'));

	my $first = session($node);
	my $slot = status($first, 'fluid', 'slot');
	my $id = $first->query("SELECT ${format}_generate()");

	like($id, qr/\A\d+\z/, "$what: the first session");
	push @made, "$format $id";
	$first->quit;

	my $second = slot_again($node, $slot);

	$second->query('SET flakeid.max_wait = 10');
	like($second->query("SELECT ${format}_generate()"),
		qr/ERROR:  55000: .* every id of this millisecond is used up/,
		"$what: the second session gets an error");
	freeze_clock($node, '2040-01-01 00:00:00.'
		  . ($format eq 'fluid' ? '124' : '457'));
	$id = $second->query("SELECT ${format}_generate()");
	like($id, qr/\A\d+\z/, "$what: in the next millisecond it gets an id");
	push @made, "$format $id";
	is(repeated(@made), '', "$what: no duplicate ids");
	$second->quit;
}

# The following tests begin at the clock.
$node->safe_psql('postgres', 'SELECT flakeid_reset_clock()');
$node->stop;
@made = ();
set_clock($node, $ahead);
start_with_clock($node);

# ---------------------------------------------------- across a restart

foreach my $scope ('backend', 'server')
{
	$node->append_conf('postgresql.conf', "flakeid.sequence_scope = $scope\n");
	$node->stop;
	start_with_clock($node);
	is(run_sql($node, q{
		SELECT DISTINCT concat_ws(' ', waits, refusals, steps_back, longest_wait)
		FROM flakeid_status()}),
		'0 0 0 00:00:00', "$scope scope: the server's counts begin at 0");

	foreach my $step (0.5, 50, 3600)
	{
		my $what = "$step s back across a restart, $scope scope";
		my $before = session($node);
		my @before = carry_on($before, "before $what");
		my $nanoflake;

		ok(wait_until(sub {
				($nanoflake = nanoflake($before, 0)) =~ /\A\d+\z/
			}), "before $what: the clock has caught up with the Nanoflakes");
		$before->quit;

		my $newest = join ', ', map { $_->[0] . '_to_timestamptz(' . newest($_->[1]) . ')' }
		  [ fluid => 'fluid' ], [ nanoflake => 'nanoflake' ], [ ulidflake => 'ulid' ];

		$node->stop;
		$ahead -= $step;
		set_clock($node, $ahead);
		start_with_clock($node);

		my $after = session($node);
		my @after = carry_on($after, $what);

		ok(increasing(@{ $before[0] }, @{ $after[0] }),
			"$what: FLUIDs increase");
		ok(increasing(@{ $before[1] }, @{ $after[1] }),
			"$what: Ulid-Flakes increase");
		nanoflake_says(nanoflake($after, 0), $what, 0, $step > 60)
		  if $step > 1;
		is($after->query(qq{
			SELECT bool_and(floor BETWEEN newest AND newest + '2 s')
			FROM unnest(ARRAY[$newest], ARRAY(SELECT floor FROM flakeid_status()
			  ORDER BY format)) AS u (newest, floor)}),
			't', "$what: the floors are at most a lead after the newest ids");
		$after->quit;
		is(repeated(@made), '', "$what: no duplicate ids");
		$ahead += $step;
		set_clock($node, $ahead);
	}
}

done_testing();
