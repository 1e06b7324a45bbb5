# Limits of the distance between ids and clock: ids are never further ahead of
# the clock than the clock was set back, even at full speed; a call that fails
# changes no state; and no id has a time outside its field.

use strict;
use warnings;

use FlakeidHorizon qw(horizon_ms);
use FlakeidTest;
use PostgreSQL::Test::Utils;
use Test::More;

plan skip_all => 'libfaketime is not installed' unless clock_library();

# ----------------------------------------------------- distance from the clock

# With 14 node bits a millisecond has 1,024 FLUIDs for the whole server.  The
# server re-reads the setting of its clock once a second only, so that reading
# the clock is fast enough for sessions to use them up.
my $node = new_node('ahead', q{
flakeid.node_bits = 14
flakeid.node_id = 16383
flakeid.sequence_scope = server
flakeid.max_wait = 60s
}, clock => 'cached');

my $each = 700_000;

# Generate FLUIDs at full speed, and return the greatest distance by which one
# was ahead of the clock right after its call.
sub fast
{
	my ($number) = @_;

	return qq{
SELECT max(fluid_to_timestamptz(fluid_generate()) - clock_timestamp())
FROM generate_series(1, $number)};
}

# Set the clock back while several sessions run.  Each sees the new clock
# within two seconds.
my $behind = 0;

sub set_back_meanwhile
{
	my ($what, $seconds) = @_;
	my @sessions = map { session($node) } 1 .. 3;
	my $waits = sub {
		return $node->safe_psql('postgres',
			q{SELECT waits FROM flakeid_status() WHERE format = 'fluid'});
	};
	my $waits_before = $waits->();
	my $before = horizon_ms($node, 'fluid');

	$_->backend_pid foreach @sessions;
	$_->send(fast($each)) foreach @sessions;
	ok(wait_until(sub { horizon_ms($node, 'fluid') != $before }),
		"$what: ids are generated before it");
	$behind += $seconds;
	set_clock($node, -$behind);
	foreach my $session (@sessions)
	{
		my $ahead = $session->receive;

		is($session->query(
				"SELECT '$ahead'::interval <= '$behind s 1 ms'::interval"),
			't', "$what: ahead by at most $behind s and 1 ms: $ahead");
	}

	# Repeat with the same clock, once all sessions have seen it.
	foreach my $session (@sessions)
	{
		ok(wait_until(sub {
				$session->query('SELECT extract(epoch FROM clock_timestamp())') <
				  time - $behind + 5
			}), "$what: a session sees it");
	}
	$_->send(fast(200_000)) foreach @sessions;
	foreach my $session (@sessions)
	{
		my $ahead = $session->receive;

		is($session->query(qq{
			SELECT '$ahead'::interval BETWEEN '$behind s'::interval - '1 min'::interval
			AND '$behind s 1 ms'}),
			't', "$what, afterwards: still by no more than that: $ahead");
	}

	# On a slow machine a session may not have had to wait yet.
	my $have_waited = sub { return $waits->() > $waits_before };

	ok(wait_until(sub {
			return 1 if $have_waited->();
			$_->send(fast(50_000)) foreach @sessions;
			$_->receive foreach @sessions;
			return $have_waited->();
		}), "$what: milliseconds were used up and waited for");

	# The ids of all sessions together fill just the milliseconds that have
	# passed.
	my $rate = $sessions[0]->query(q{
		WITH first AS MATERIALIZED (
		  SELECT clock_timestamp() AS at, fluid_generate() AS id),
		last AS MATERIALIZED (
		  SELECT max(fluid_generate()) AS id FROM first, generate_series(1, 300000))
		SELECT fluid_to_timestamptz(last.id) - fluid_to_timestamptz(first.id) BETWEEN
		  '292 ms' AND clock_timestamp() - first.at + interval '2 ms'
		FROM first, last});

	is($rate, 't', "$what: one millisecond of ids per millisecond of the clock");

	$_->quit foreach @sessions;
	return;
}

run_sql($node, 'SELECT fluid_generate()');
set_back_meanwhile('an hour back', 3600);

# Further steps back add up: ids are no further ahead than the sum.
set_back_meanwhile("and $_ times 10 s more", 10) foreach 1 .. 2;
is($node->safe_psql('postgres', q{
	SELECT ahead BETWEEN '59 minutes' AND '1 hour 20 s 1 ms' FROM flakeid_status()
	WHERE format = 'fluid'}), 't', 'the status shows the same distance');
$node->stop;

# ----------------------------------------- a failed call changes no state

# Node bits that leave about 2^15 FLUIDs per millisecond
my %node_bits = (backend => 3, server => 9);

foreach my $scope ('backend', 'server')
{
	my $clock = new_node("refused_$scope",
		"flakeid.sequence_scope = $scope\n"
		  . "flakeid.node_bits = $node_bits{$scope}\n",
		clock => 'each time');
	my $refused = session($clock);
	my @made;

	freeze_clock($clock, '2026-06-01 12:00:00.123');
	$refused->query('SET flakeid.max_wait = 20');

	# Stop the clock in a millisecond of this second whose first Ulid-Flake, a
	# random one, leaves room for more.
	my $stop_in = sub {
		my ($second, $ms) = @_;

		for (1 .. 100)
		{
			my $time = sprintf '2026-06-01 12:00:%02d.%03d', $second, $ms++;

			freeze_clock($clock, $time);

			my $id = $refused->query('SELECT ulidflake_generate()');

			push @made, "ulidflake$id";
			return $time if ($id & 0xfffff) < 0x80000;
		}
		die 'no Ulid-Flake leaves room';
	};

	my $make = sub {
		my ($what) = @_;
		my @ids = split /\n/, $refused->query(q{
			SELECT 'fluid' || fluid_generate() FROM generate_series(1, 10)
			UNION ALL
			SELECT 'nanoflake' || nanoflake_generate()
			FROM generate_series(1, 10)
			UNION ALL
			SELECT 'ulidflake' || ulidflake_generate()
			FROM generate_series(1, 10)});

		is(scalar(grep { /\A[a-z]+\d+\z/ } @ids), 30, "$what: ids");
		push @made, @ids;
		is(repeated(@made), '', "$what: no duplicate ids");
		return;
	};

	# The newest millisecond of each format, as seen from an hour before
	my $newest = sub {
		freeze_clock($clock, '2026-06-01 11:00:00');
		return $refused->query(q{
			SELECT string_agg(format || ' ' || ahead, ', ' ORDER BY format)
			FROM flakeid_status()});
	};

	my $stopped = $stop_in->(0, 200);

	$make->("$scope scope");

	my $was = $newest->();

	# The clock is behind, before the epoch, and beyond the fields.
	freeze_clock($clock, '2026-06-01 11:00:00.200');
	like($refused->query('SELECT nanoflake_generate()'),
		qr/ERROR:  55000/, "$scope scope: clock behind");
	freeze_clock($clock, '2023-12-31 23:59:59.999');
	foreach my $f ('fluid', 'nanoflake', 'ulidflake')
	{
		like($refused->query("SELECT ${f}_generate()"),
			qr/ERROR:  22008: could not generate an? \S+: the clock, "[^"]+", is before the epoch.*DETAIL:  .*HINT:  /s,
			"$scope scope: clock before the epoch, $f");
	}
	# A 32-bit time_t ends in 2038.
	freeze_clock($clock, '2040-01-01 00:00:00');
	my $clock_is_wide =
	  $refused->query("SELECT clock_timestamp() >= '2040-01-01'") eq 't';
  SKIP:
	{
		skip 'the clock of this machine ends before the fields', 4
		  unless $clock_is_wide;
		freeze_clock($clock, '2041-06-02 21:56:53.888');
		like($refused->query('SELECT fluid_generate()'),
			qr/ERROR:  22008: could not generate a FLUID: its last timestamp has been reached.*DETAIL:  .*2041-06-02 21:56:53.887.*HINT:  .*later epoch/s,
			"$scope scope: FLUID from 2^39 ms on");
		freeze_clock($clock, '2093-09-06 15:47:35.552');
		like($refused->query('SELECT nanoflake_generate()'),
			qr/ERROR:  22008: could not generate a Nanoflake: its last timestamp has been reached.*DETAIL:  .*HINT:  /s,
			"$scope scope: Nanoflake past its field");
		freeze_clock($clock, '2302-09-27 15:10:22.208');
		foreach my $form ('ulidflake_generate', 'ulidflake_scalable_generate')
		{
			like($refused->query("SELECT $form()"),
				qr/ERROR:  22008: could not generate a Ulid-Flake: its last timestamp has been reached.*DETAIL:  .*HINT:  /s,
				"$scope scope: Ulid-Flake past its field, $form");
		}
	}
	is($newest->(), $was,
		"$scope scope: the newest ids are the same");

	# The clock returns to the same millisecond.
	freeze_clock($clock, $stopped);
	$make->("$scope scope, the same millisecond again");

	# A millisecond that is used up: an error, and none of its ids repeated
	freeze_clock($clock, '2026-06-01 12:00:01.000');
	my $full = $refused->query(
		'SELECT fluid_generate() FROM generate_series(1, 300000)');
	like($full,
		qr/ERROR:  55000: could not generate a FLUID: every id of this millisecond is used up/,
		"$scope scope: the millisecond is used up");
	like($full, qr/DETAIL:  A millisecond holds at most \d+ ids.*20 ms.*HINT:  /s,
		"$scope scope: the error gives the number of ids");
	$was = $newest->();
	freeze_clock($clock, '2026-06-01 12:00:01.000');
	like($refused->query('SELECT fluid_generate()'),
		qr/ERROR:  55000/, "$scope scope: it stays used up");
	is($newest->(), $was,
		"$scope scope: the newest ids are the same");
	$stop_in->(1, 1);
	$make->("$scope scope, the next millisecond");

	# The last milliseconds of the fields are valid.
  SKIP:
	{
		skip 'the clock of this machine ends before the fields', 6
		  unless $clock_is_wide;
		freeze_clock($clock, '2041-06-02 21:56:53.887');
		is($refused->query('SELECT fluid_generate() > 0'),
			't', "$scope scope: the last millisecond of FLUIDs");
		like($refused->query(
				'SELECT fluid_generate() FROM generate_series(1, 300000)'),
			qr/ERROR:  55000: .*used up/, "$scope scope: it can be used up");
		freeze_clock($clock, '2041-06-02 21:56:53.888');
		like($refused->query('SELECT fluid_generate()'),
			qr/ERROR:  22008: .*its last timestamp has been reached/,
			"$scope scope: then the generator fails");
		freeze_clock($clock, '2041-06-02 20:00:00.000');
		like($refused->query('SELECT fluid_generate()'),
			qr/ERROR:/, "$scope scope: with the clock past the field the generator fails");
		freeze_clock($clock, '2093-09-06 15:47:35.551');
		is($refused->query('SELECT nanoflake_generate() > 0'),
			't', "$scope scope: the last millisecond of Nanoflakes");

		# A random one may be the only one of its millisecond.
		my $form = $scope eq 'server' ? 'ulidflake_generate' : 'ulidflake_scalable_generate';

		freeze_clock($clock, '2302-09-27 15:10:22.207');
		is($refused->query("SELECT $form() > 0"),
			't', "$scope scope: the last millisecond of Ulid-Flakes, $form");
	}
	$refused->quit;

	# A floor at the end of the field leaves no ids after a restart.
	$clock->stop;
	start_with_clock($clock);
	like(run_sql($clock, "SET flakeid.max_wait = 20; SELECT ulidflake_generate()"),
		qr/ERROR:  55000|ERROR:  22008/, "$scope scope: the generator fails after a restart");
	$clock->stop;
}

done_testing();
