# How far ids get from the clock: not further ahead than the clock was set
# back, however fast they are made; a call that is refused leaves everything as
# it was; and no id is made of a time outside its field.

use strict;
use warnings;

use Digest::MD5 qw(md5_hex);
use FlakeidTest;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(sleep time);

plan skip_all => 'libfaketime is not installed' unless clock_library();

# ----------------------------------------- ahead by the step and a millisecond

# With 14 node bits a millisecond has 1,024 FLUIDs for the whole server.  The
# server looks at the setting of its clock once a second, so that reading the
# clock is fast enough to use them up.
my $node = new_node('ahead', q{
flakeid.node_bits = 14
flakeid.node_id = 16383
flakeid.sequence_scope = server
}, clock => 'cached');

my $sessions = 3;
my $each = scaled(500_000);

# Ids as fast as they go, from sessions at once, and how far each was ahead of
# the clock right after it was made
my $fast = qq{
SELECT count(*), min(id) || ' ' || max(id),
  max(ahead) <= '1 hour 1 ms' AND max(ahead) > '59 minutes', max(ahead),
  count(DISTINCT ms) FROM (
  SELECT id, fluid_to_timestamptz(id) AS ms,
    fluid_to_timestamptz(id) - clock_timestamp() AS ahead
  FROM (SELECT fluid_generate() AS id FROM generate_series(1, $each)
    OFFSET 0) AS made OFFSET 0) AS measured
};

my $before = session($node)->query(
	'SELECT max(fluid_generate()) FROM generate_series(1, 1000)');

set_clock($node, -3600);
sleep(1.5);

my $session = session($node);

ok(wait_until(sub {
		$session->query(q{SELECT clock_timestamp() < }
			  . sprintf(q{to_timestamp(%f)}, time() - 3000)) eq 't'
	}), 'the clock is set back by an hour');

my @answers = map { [ split /\|/ ] } together($node, $sessions, $fast);

foreach my $answer (@answers)
{
	my ($count, $ids, $within, $ahead, $milliseconds) = @$answer;
	my ($first) = split / /, $ids;

	is($count, $each, 'every id was made');
	cmp_ok($first, '>', $before, 'after the clock was set back they go on');
	is($within, 't', "ahead of the clock by at most 1 h and 1 ms: $ahead");
	cmp_ok($milliseconds, '>', $each / 1024,
		"more than one millisecond was used up: $milliseconds");
}

# What was made is what so many milliseconds hold: the limit was at work.
my $rate = $session->query(qq{
WITH started AS MATERIALIZED (SELECT clock_timestamp() AS at),
made AS MATERIALIZED (SELECT started.at, fluid_generate() AS id
  FROM started, generate_series(1, 300000)),
used AS MATERIALIZED (SELECT count(*) AS ids, min(at) AS at,
  count(DISTINCT fluid_to_timestamptz(id)) AS ms FROM made)
SELECT ms >= ids / 1024 AND
  ms <= extract(epoch FROM clock_timestamp() - at) * 1000 + 2 FROM used
});
is($rate, 't', 'a millisecond of ids for each millisecond of the clock');
is($session->query(q{
	SELECT ahead BETWEEN '59 minutes' AND '1 hour 1 ms' FROM flakeid_status()
	WHERE format = 'fluid'}), 't', 'the status says the same');

# Steps back again start the count again: no further ahead than the sum.
foreach my $step (1 .. 3)
{
	set_clock($node, -3600 - 10 * $step);
	sleep(1.2);
	is($session->query(qq{
		SELECT max(fluid_to_timestamptz(id) - at) <=
		  '1 hour 1 ms'::interval + $step * '10 s'::interval
		FROM (SELECT id, clock_timestamp() AS at FROM (
		  SELECT fluid_generate() AS id FROM generate_series(1, 100000)
		  OFFSET 0) AS made OFFSET 0) AS measured}),
		't', "one more step back of 10 s, $step");
}
$session->quit;
$node->stop;

# ------------------------------ a refused call leaves the state as it was

# Node bits that leave a millisecond 2^15 FLUIDs or so
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
		is(repeated(@made), '', "$what: none is there twice");
		return;
	};
	my $everything = sub {
		return join ' ', map {
			my $state = $_;
			my %parts = %{ read_state($state) };

			(map { "$_ $parts{$_}{word}" } qw(fluid nanoflake ulidflake)),
			  md5_hex(substr $state, 4096 + 192)
		} state_bytes($clock);
	};

	# The file is made, and its floor is the frozen millisecond.
	like($refused->query('SELECT fluid_generate()'),
		qr/ERROR:  55000: could not make a FLUID: all of this millisecond are used up/,
		"$scope scope: a file made anew begins after the present millisecond");
	freeze_clock($clock, '2026-06-01 12:00:00.200');
	$make->("$scope scope");

	my $was = $everything->();

	# Clock behind, before the epoch, beyond the fields
	freeze_clock($clock, '2026-06-01 11:00:00.200');
	like($refused->query('SELECT nanoflake_generate()'),
		qr/ERROR:  55000/, "$scope scope: clock behind");
	freeze_clock($clock, '2023-12-31 23:59:59.999');
	foreach my $f ('fluid', 'nanoflake', 'ulidflake')
	{
		like($refused->query("SELECT ${f}_generate()"),
			qr/ERROR:  22008: could not make an? \S+: the clock, "[^"]+", is before the epoch.*DETAIL:  .*HINT:  /s,
			"$scope scope: clock before the epoch, $f");
	}
	freeze_clock($clock, '2041-06-02 21:56:53.888');
	like($refused->query('SELECT fluid_generate()'),
		qr/ERROR:  22008: could not make a FLUID: no time is left since the epoch.*DETAIL:  .*2041-06-02 21:56:53.887.*HINT:  .*later epoch/s,
		"$scope scope: FLUID from 2^39 ms on");
	freeze_clock($clock, '2093-09-06 15:47:35.552');
	like($refused->query('SELECT nanoflake_generate()'),
		qr/ERROR:  22008: could not make a Nanoflake: no time is left.*DETAIL:  .*HINT:  /s,
		"$scope scope: Nanoflake past its field");
	freeze_clock($clock, '2302-09-27 15:10:22.208');
	foreach my $form ('ulidflake_generate', 'ulidflake_generate_scalable')
	{
		like($refused->query("SELECT $form()"),
			qr/ERROR:  22008: could not make a Ulid-Flake: no time is left.*DETAIL:  .*HINT:  /s,
			"$scope scope: Ulid-Flake past its field, $form");
	}
	is($everything->(), $was,
		"$scope scope: words and marks are as they were");

	# The same millisecond, revisited
	freeze_clock($clock, '2026-06-01 12:00:00.200');
	$make->("$scope scope, the same millisecond again");

	# A millisecond that is used up: refused, and nothing of it repeated
	freeze_clock($clock, '2026-06-01 12:00:01.000');
	my $full = $refused->query(
		'SELECT fluid_generate() FROM generate_series(1, 300000)');
	like($full,
		qr/ERROR:  55000: could not make a FLUID: all of this millisecond are used up/,
		"$scope scope: the millisecond is used up");
	like($full, qr/DETAIL:  There are at most \d+ in a millisecond.*20 ms.*HINT:  /s,
		"$scope scope: with how many there are");
	$was = $everything->();
	like($refused->query('SELECT fluid_generate()'),
		qr/ERROR:  55000/, "$scope scope: it stays used up");
	is($everything->(), $was,
		"$scope scope: words and marks are as they were");
	freeze_clock($clock, '2026-06-01 12:00:01.001');
	$make->("$scope scope, the next millisecond");

	# The last milliseconds of the fields are good.
	freeze_clock($clock, '2041-06-02 21:56:53.887');
	is($refused->query('SELECT fluid_generate() > 0'),
		't', "$scope scope: the last millisecond of FLUIDs");
	like($refused->query(
			'SELECT fluid_generate() FROM generate_series(1, 300000)'),
		qr/ERROR:  55000: .*used up/, "$scope scope: it can be used up");
	freeze_clock($clock, '2041-06-02 21:56:53.888');
	like($refused->query('SELECT fluid_generate()'),
		qr/ERROR:  22008: .*no time is left/,
		"$scope scope: and then there are none");
	freeze_clock($clock, '2041-06-02 20:00:00.000');
	like($refused->query('SELECT fluid_generate()'),
		qr/ERROR:/, "$scope scope: with the clock behind the last one there are none");
	freeze_clock($clock, '2093-09-06 15:47:35.551');
	is($refused->query('SELECT nanoflake_generate() > 0'),
		't', "$scope scope: the last millisecond of Nanoflakes");
	freeze_clock($clock, '2302-09-27 15:10:22.207');
	is($refused->query(
			'SELECT ulidflake_generate() > 0, ulidflake_generate_scalable() > 0'),
		't|t', "$scope scope: the last millisecond of Ulid-Flakes");
	$refused->quit;

	# A floor at the end of the field leaves nothing over a restart.
	$clock->stop;
	start_with_clock($clock);
	like(run_sql($clock, "SET flakeid.max_wait = 20; SELECT ulidflake_generate()"),
		qr/ERROR:  55000|ERROR:  22008/, "$scope scope: none after a restart");
	$clock->stop;
}

done_testing();
