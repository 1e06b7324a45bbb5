# The clock stands still or is set back: in a session, between sessions that use
# the same slot, across a restart.  No id is generated twice, none is below an
# earlier one of its process, and flakeid_status() counts what happened.

use FlakeidTest qw(clock);

my $node = new_node('clock', "max_connections = 12\nshared_preload_libraries = 'flakeid'\n",
	clock => 1);
my @made;

# Ids of the formats that do not wait for the clock, as lists in order of
# generation
sub continues
{
	my ($session, $what) = @_;
	my @rows = map { [ split /\|/ ] } split /\n/, $session->query(q{
		SELECT fluid_generate(), ulidflake_generate(), ulidflake_scalable_generate()
		FROM generate_series(1, 50)});

	is(scalar(grep { @$_ == 3 } @rows), 50, "$what: FLUID and Ulid-Flake keep generating ids");
	push @made, map { ("fluid $_->[0]", "ulid $_->[1]", "ulid $_->[2]") } @rows;
	return ([ map { $_->[0] } @rows ], [ map { @{$_}[ 1, 2 ] } @rows ]);
}

sub both_increase
{
	my ($what, $fluids, $ulids, $later_fluids, $later_ulids) = @_;

	ok(increasing(@$fluids, @$later_fluids), "$what: FLUIDs increase");
	ok(increasing(@$ulids, @$later_ulids), "$what: Ulid-Flakes increase");
	is(repeated(@made), '', "$what: no duplicate ids");
}

# Return a Nanoflake or an error.
sub nanoflake
{
	my ($session, $max_wait) = @_;
	my $answer = $session->query("SET flakeid.max_wait = $max_wait; SELECT nanoflake_generate()");

	$session->query('RESET flakeid.max_wait');
	push @made, "nanoflake $answer" if $answer =~ /\A\d+\z/;
	return $answer;
}

# Check the error of a Nanoflake generator whose clock is behind, and return by
# how many milliseconds.
sub refuses
{
	my ($answer, $what, $max_wait, $far) = @_;

	my $state = $far ? '55000' : '55P03';
	my $hint = $far ? '.*flakeid_reset_horizon\(\)'
		: '(?!.*flakeid_reset_horizon).*flakeid.max_wait';

	like($answer,
		qr/ERROR:  $state: could not generate a Nanoflake: the clock is \d+ ms behind the last id
DETAIL:  Waited $max_wait ms, as long as flakeid\.max_wait allows.*
HINT:  $hint/,
		"$what: an error, whose SQLSTATE and hint say whether a retry can help");
	return $answer =~ /is (\d+) ms behind/ ? $1 : -1;
}

sub status
{
	my ($format, $columns) = @_;
	return $node->safe_psql('postgres',
		"SELECT $columns FROM flakeid_status() WHERE format = '$format'");
}

# Waits, refusals and steps back since the previous call for this format
my %counted;

sub counted
{
	my ($format) = @_;
	my @now = split /\|/, status($format, 'waits, refusals, steps_back');
	my @before = @{ $counted{$format} // [ 0, 0, 0 ] };

	$counted{$format} = [@now];
	return join ' ', map { $now[$_] - $before[$_] } 0 .. 2;
}

# ----------------------------------------------------- within a session

# It holds a slot, but has not generated ids.
my $other = session($node);

$other->backend_pid;
foreach my $step (50, 3600)
{
	my $what = "$step s back in a session";
	my $began = stopwatch();
	my $session = session($node);
	my @before = continues($session, "before $what");
	my $nanoflake = nanoflake($session, 0);

	counted($_) foreach 'fluid', 'nanoflake';
	set_clock($node, -$step);
	both_increase($what, @before, continues($session, $what));
	is(counted('fluid'), '0 0 1', "$what: the status counts the step");

	my $behind = refuses(nanoflake($session, 200), $what, 200, $step > 60);
	my $least = $step - 0.1 - (stopwatch() - $began);

	ok($behind <= $step * 1000 && $behind >= $least * 1000, '... which has the size of the step');
	$least -= 20;
	is(counted('nanoflake'), '1 1 1', '... and is counted, with the wait and the step');
	is(status('nanoflake', q{longest_wait BETWEEN '0.2 s' AND '1 min'}), 't',
		'... with its duration');
	is(status($_, "ahead BETWEEN '$least s' AND '$step s 1 ms'"), 't',
		"$what: the status shows how far ahead $_ is") foreach 'fluid', 'ulidflake';
	if ($step == 50)
	{
		like(nanoflake($other, 0), qr/\A\d+\z/, "$what: another slot generates Nanoflakes");
		continues($other, "$what, another session");
	}
	set_clock($node, 0);
	cmp_ok(nanoflake($session, 0), '>', $nanoflake,
		"$what: the clock is right again, Nanoflakes continue");
	is($session->query(q{SELECT ahead < '1s' FROM flakeid_status() WHERE format = 'fluid'}), 't',
		'... and no id is ahead');
	$session->quit;
}
$other->quit;

# A wait ends when the clock arrives, is corrected, or the session is canceled.
my $session = session($node);
my $nanoflake = nanoflake($session, 0);

set_clock($node, -0.5);
cmp_ok(nanoflake($session, "'60s'"), '>', $nanoflake, '0.5 s back: a call waits for the clock');
is(status('nanoflake', q{longest_wait > '0 s'}), 't', '... which the status shows');
set_clock($node, -3600);
refuses(nanoflake($session, 0), 'max_wait = 0', 0, 1);
counted('nanoflake');
$session->query("SET flakeid.max_wait = '60s'");

sub waits
{
	$session->send('SELECT nanoflake_generate()');
	ok($node->poll_query_until('postgres', q{
		SELECT count(*) = 1 FROM pg_stat_activity WHERE wait_event_type = 'Extension'
		  AND query LIKE 'SELECT nanoflake_generate()%' AND state = 'active'}),
		'a call waits for the clock, and pg_stat_activity shows it');
	return stopwatch();
}

my $pid = $session->backend_pid;
my $since = waits();

$node->safe_psql('postgres', "SELECT pg_cancel_backend($pid)");
like($session->receive, qr/ERROR:  57014: canceling statement/, '... until it is canceled');
cmp_ok(stopwatch() - $since, '<', 30, '... at once');
like($session->query("BEGIN; SET LOCAL statement_timeout = '100ms'; SELECT nanoflake_generate()"),
	qr/ERROR:  57014: canceling statement due to statement timeout/,
	'... or until statement_timeout');
$session->query('ROLLBACK');
$since = waits();
set_clock($node, 0);
cmp_ok($session->receive, '>', $nanoflake, '... or until the clock is corrected');
cmp_ok(stopwatch() - $since, '<', 5, '... at once');
is(counted('nanoflake'), '3 0 0', 'the waits are counted');
$session->quit;

# --------- between sessions that use the same slot, and across a restart

sub slot_of
{
	my ($session) = @_;
	return $session->query(q{SELECT slot FROM flakeid_status() WHERE format = 'fluid'});
}

# Open sessions until one of them has this slot, and close the others.
sub slot_again
{
	my ($slot) = @_;

	for (1 .. 500)
	{
		my $session = session($node);

		return $session if slot_of($session) == $slot;
		$session->quit;
	}
	die "no session has slot $slot";
}

foreach my $step (0.5, 50, 3600)
{
	foreach my $how ('between two holders of a slot', 'across a restart')
	{
		my $restarts = $how =~ /restart/;
		my $what = "$step s back $how";
		my $first = session($node);
		my $slot = slot_of($first);
		my @before = continues($first, "before $what");

		nanoflake($first, "'20s'");
		$first->quit;
		$node->stop if $restarts;
		set_clock($node, -$step);
		start_with_clock($node) if $restarts;

		my $second = $restarts ? session($node) : slot_again($slot);

		both_increase($what, @before, continues($second, $what));
		refuses(nanoflake($second, 0), $what, 0, $step > 60) if $step > 1;
		$second->quit;
		set_clock($node, 0);
	}
}

# In the same millisecond: only the millisecond is known, so the rest of it is
# lost.
foreach my $case ([ 'fluid', 123 ], [ 'nanoflake', 456 ])
{
	my ($format, $ms) = @$case;
	my $what = "a slot reused in the same millisecond, $format";
	my $generate = "SELECT ${format}_generate()";

	freeze_clock($node, "2036-01-01 00:00:00.$ms");

	my $first = session($node);
	my $slot = slot_of($first);
	my $id = $first->query($generate);

	$first->quit;

	my $second = slot_again($slot);

	$second->query('SET flakeid.max_wait = 10');
	like($second->query($generate), qr/ERROR:  55P03: .* every id of this millisecond is used up/,
		"$what: an error");
	freeze_clock($node, "2036-01-01 00:00:00.${ms}5");

	my ($pid, $waits) = ($second->backend_pid, status($format, 'waits'));

	$second->send("SET flakeid.max_wait = '60s'; $generate");
	$node->poll_query_until('postgres',
		"SELECT waits > $waits FROM flakeid_status() WHERE format = '$format'");
	$node->safe_psql('postgres', "SELECT pg_cancel_backend($pid)");
	like($second->receive, qr/ERROR:  57014/, '... a wait for the rest of it is canceled');
	freeze_clock($node, '2036-01-01 00:00:00.' . ($ms + 1));
	cmp_ok($second->query($generate), '>', $id, '... and an id in the next millisecond');
	$second->quit;
}

# -------------------------------------------- what failed calls see

foreach my $scope ('backend', 'server')
{
	my $minute = $scope eq 'backend' ? '05' : '06';
	my $at = sub { freeze_clock($node, "2036-06-01 12:$minute:00.$_[0]") };
	my $counts = sub {
		return run_sql($node, q{
			SELECT concat_ws(' ', format, waits, refusals, steps_back, longest_wait > '0')
			FROM flakeid_status()});
	};

	$node->append_conf('postgresql.conf', "flakeid.sequence_scope = $scope\n");
	$node->stop;
	$at->(100);
	start_with_clock($node);
	is($counts->(), "fluid 0 0 0 f\nnanoflake 0 0 0 f\nulidflake 0 0 0 f",
		"$scope scope: counts begin at 0");
	$session = session($node);
	$session->query('SET flakeid.max_wait = 0');
	$at->(200);
	like($session->query('SELECT fluid_generate(), nanoflake_generate()'), qr/\A\d+\|\d+\z/,
		'... the first ids');
	foreach my $step ([ 100, 3, '0 3 1' ], [ '050', 1, '0 1 1' ])
	{
		my ($ms, $calls, $expected) = @$step;

		counted('nanoflake');
		$at->($ms);
		like($session->query('SELECT nanoflake_generate()'), qr/ERROR:  55P03/,
			"... the clock at $ms ms: a refusal")
		  foreach 1 .. $calls;
		is(counted('nanoflake') =~ s/^\d+/0/r, $expected, '... a step counts once');
	}
	$at->(300);
	like($session->query('SELECT nanoflake_generate()'), qr/\A\d+\z/,
		'... the clock is right again');
	freeze_clock($node, '2023-12-31 23:59:59.999');
	$other = session($node);
	like($session->query('SELECT fluid_generate()'), qr/\A\d+\z/,
		'... before the epoch, it continues');
	foreach my $ms (400, 350)
	{
		$at->($ms);
		like($_->query('SELECT fluid_generate()'), qr/\A\d+\z/, "... $ms ms") foreach $session,
			$other;
	}
	$_->quit foreach $session, $other;
	is($counts->(), "fluid 0 0 3 f\nnanoflake 0 4 2 f\nulidflake 0 0 0 f",
		'... each process counts a step, and all see the counts');

	# A machine without a battery for its clock
	foreach my $start ('', '... after a restart, ')
	{
		my $newest = run_sql($node,
			q{SELECT fluid_min(max(clock_timestamp() + ahead)) FROM flakeid_status()
				WHERE format = 'fluid'});

		$node->stop if $start;
		set_clock($node, -55 * 365 * 86400);
		start_with_clock($node) if $start;

		my @sessions = map { session($node) } 1 .. 3;

		is(scalar(grep { /\A\d+\z/ && ($start eq '' || $_ > $newest) }
			map { $_->query('SELECT fluid_generate()') } @sessions), 3,
			"$start${scope} scope: in 1971 ids of all sessions continue");
		like($sessions[0]->query('SELECT ulidflake_generate()'),
			$start ? qr/\A\d+\z/ : qr/\A\d+\z|22008/, '... those of other formats, too');
		like($sessions[0]->query('SET flakeid.max_wait = 0; SELECT nanoflake_generate()'),
			qr/ERROR:  55000: could not generate a Nanoflake: the clock is \d+ ms behind/,
			'... Nanoflakes wait');
		$_->quit foreach @sessions;
	}
}

# Without any id, such a clock is an error.
$node->stop;
start_with_clock($node);
$node->safe_psql('postgres', 'CREATE DATABASE empty');
$node->safe_psql('empty', 'CREATE EXTENSION flakeid');
like($_, qr/ERROR:  22008: could not generate a FLUID: the clock, "1971/,
	'no id, and a clock before the epoch')
  for run_sql($node, "\\c empty\nSELECT fluid_generate()"),
  do { $node->stop; start_with_clock($node); run_sql($node, "\\c empty\nSELECT fluid_generate()") };

# -------------------------------------------- UUIDs and SCRU160 never wait

# In each session, ids of each generator, of which uuid_generate_v7() has two
my $ids = scaled(20_000);
my %calls = map { $_ => $_ } 'uuid_generate_v6()', 'uuid_generate_v7()',
  q{uuid_generate_v7(interval '-1 day')}, q{uuid_generate_v7_draft('ns')},
  'uuid_generate_v8_draft(60)', 'scru160_generate()', 'scru160_us_generate()';

$calls{'both forms of uuid_generate_v7()'} =
  q{CASE i % 2 WHEN 0 THEN uuid_generate_v7() ELSE uuid_generate_v7(interval '0') END};
foreach my $what (sort keys %calls)
{
	set_clock($node, 0);
	$session = session($node);
	$session->query('CREATE TEMP TABLE newer (n serial, id text)');

	foreach my $set ('is right', 'is set back', 'is set back and stopped')
	{
		set_clock($node, -3600) if $set eq 'is set back';
		freeze_clock($node, '2025-01-01 00:00:00.123') if $set =~ /stopped/;
		$session->query("INSERT INTO newer (id)
			SELECT $calls{$what} FROM generate_series(1, $ids) AS i");
	}
	is($session->query('SELECT count(*), count(*) FILTER (WHERE id <= before) FROM (
			SELECT id COLLATE "C", lag(id) OVER (ORDER BY n) FROM newer) AS o (id, before)'),
		3 * $ids . '|0', "the clock is right, set back, stopped: ids of $what increase");
	$session->quit;
}
done_testing();
