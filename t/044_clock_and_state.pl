# With a clock that stands still or is set back, UUIDs and SCRU160 stay in
# order after the newest id that a process remembers, whichever function
# generated it.  The status counts every step back, also one seen by a call
# that failed.

use strict;
use warnings;

use FlakeidTest;
use PostgreSQL::Test::Utils;
use Test::More;

plan skip_all => 'libfaketime is not installed' unless clock_library();

my $node = new_node('clock_and_state',
	"shared_preload_libraries = 'flakeid'\n", clock => 'each time');
my $ids = scaled(200_000);

# ------------------------------------- UUIDs and SCRU160, clock set back

my @calls = (
	'uuid_generate_v6()',
	'uuid_generate_v7()',
	q{uuid_generate_v7(interval '0')},
	q{uuid_generate_v7(interval '-1 day')},
	q{uuid_generate_v7_draft('ns')},
	'uuid_generate_v8(60)',
	'scru160_generate()',
	'scru160_us_generate()');

foreach my $clock ('an hour back', 'set back and stopped')
{
	foreach my $call (@calls)
	{
		my $session = session($node);

		set_clock($node, 0);
		$session->query("SELECT $call");
		if ($clock eq 'an hour back')
		{
			set_clock($node, -3600);
		}
		else
		{
			freeze_clock($node, '2025-01-01 00:00:00.123');
		}
		is($session->query(qq{
			SELECT count(DISTINCT id), count(*) FILTER (WHERE id <= before)
			FROM (SELECT id, lag(id) OVER () FROM
				  (SELECT $call FROM generate_series(1, $ids)) AS g (id))
			  AS o (id, before)}),
			"$ids|0", "$clock: $ids of $call are distinct and in order");
		$session->quit;
	}
}

# Shifted and plain ids continue from the same state.
my $session = session($node);

is($session->query(qq{
	SELECT count(*) FILTER (WHERE NOT (a < b AND b < c AND c < d AND
									   (before IS NULL OR before < a)))
	FROM (SELECT a, b, c, d, lag(d) OVER () AS before
		  FROM (SELECT uuid_generate_v7(), uuid_generate_v7(interval '0'),
					   uuid_generate_v7(interval '0 s'), uuid_generate_v7()
				FROM generate_series(1, 10000)) AS g (a, b, c, d)) AS o}),
	0, 'plain ids and ids shifted by 0 are in one order');
$session->quit;

# --------------------------------------- steps back seen by failed calls

freeze_clock($node, '2040-06-01 12:00:00.100');

foreach my $scope ('backend', 'server')
{
	$node->append_conf('postgresql.conf', "flakeid.sequence_scope = $scope\n");
	$node->stop;
	start_with_clock($node);

	my $minute = $scope eq 'backend' ? '05' : '06';
	my $steps = sub {
		my ($format) = @_;

		return $session->query(
			"SELECT steps_back FROM flakeid_status() WHERE format = '$format'");
	};

	freeze_clock($node, "2040-06-01 12:00:00.100");
	$session = session($node);
	$session->query('SET flakeid.max_wait = 0');
	freeze_clock($node, "2040-06-01 12:$minute:00.200");
	like($session->query('SELECT fluid_generate(), nanoflake_generate()'),
		qr/\A\d+\|\d+\z/, "$scope scope: the first ids");
	is($steps->($_), 0, "$scope scope: no step back, $_")
	  foreach 'fluid', 'nanoflake';

	# A Nanoflake generator fails as long as the clock is behind.
	freeze_clock($node, "2040-06-01 12:$minute:00.100");
	like($session->query('SELECT nanoflake_generate()'),
		qr/ERROR:  55000/, "$scope scope: clock behind, an error")
	  foreach 1 .. 3;
	is($steps->('nanoflake'), 1,
		"$scope scope: the step back seen by a failed call counts once");
	freeze_clock($node, "2040-06-01 12:$minute:00.050");
	like($session->query('SELECT nanoflake_generate()'),
		qr/ERROR:  55000/, "$scope scope: further back, an error");
	is($steps->('nanoflake'), 2, "$scope scope: the next step counts as well");
	freeze_clock($node, "2040-06-01 12:$minute:00.300");
	like($session->query('SELECT nanoflake_generate()'),
		qr/\A\d+\z/, "$scope scope: the clock is right again");
	is($steps->('nanoflake'), 2, "$scope scope: ... which counts no step");

	# Before the epoch
	freeze_clock($node, '2023-12-31 23:59:59.999');
	like($session->query('SELECT fluid_generate()'),
		qr/ERROR:  22008/, "$scope scope: before the epoch, an error");
	is($steps->('fluid'), 1,
		"$scope scope: the step back before the epoch counts");

	# Each process counts a step.
	my $server = sub {
		return run_sql($node, q{
			SELECT concat_ws(' ', format, waits, refusals, steps_back,
			  longest_wait > '0')
			FROM flakeid_status()});
	};
	my $other = session($node);

	freeze_clock($node, "2040-06-01 12:$minute:00.400");
	is($server->(), "fluid 0 1 1 f\nnanoflake 4 4 2 t\nulidflake 0 0 0 f",
		"$scope scope: another session shows them, too");

	my $ids_at = sub {
		my ($ms, @sessions) = @_;
		my $ids;

		freeze_clock($node, "2040-06-01 12:$minute:00.$ms");
		foreach my $each (@sessions)
		{
			$ids = $each->query('SELECT fluid_generate(), ulidflake_generate()');
			like($ids, qr/\A\d+\|\d+\z/, "$scope scope: ids at .$ms");
		}
		return (split /\|/, $ids)[1];
	};
	my $ms = 400;

	# The first Ulid-Flake of a millisecond is random: stop when one leaves room
	# for more.
	$ids_at->($ms, $session);
	1 while ($ids_at->(++$ms, $other) & 0xfffff) >= 0x80000;
	$ids_at->(350, $session, $other);
	is($server->(), "fluid 0 1 3 f\nnanoflake 4 4 2 t\nulidflake 0 0 2 f",
		"$scope scope: two sessions that see a step back count two");
	$_->quit foreach $session, $other;
	is($server->(), "fluid 0 1 3 f\nnanoflake 4 4 2 t\nulidflake 0 0 2 f",
		"$scope scope: the counts remain when the sessions end");
	$node->stop;
	start_with_clock($node);
	is($server->(), "fluid 0 0 0 f\nnanoflake 0 0 0 f\nulidflake 0 0 0 f",
		"$scope scope: counts restart at 0 at server start");
}

# Calls that fail in several sessions at once, years behind those ids, are all
# counted.
my $calls = 5000;

$node->safe_psql('postgres', qq{
CREATE FUNCTION fail() RETURNS void LANGUAGE plpgsql AS \$\$
BEGIN
  PERFORM nanoflake_generate();
EXCEPTION WHEN object_not_in_prerequisite_state THEN
END \$\$});
set_clock($node, 0);

my $count = q{
	SELECT waits, refusals FROM flakeid_status() WHERE format = 'nanoflake'};
my @before = split /\|/, $node->safe_psql('postgres', $count);

is(join('', together($node, 4, qq{
	SET flakeid.max_wait = 0;
	SELECT count(fail()::text) FROM generate_series(1, $calls)})),
	$calls x 4, 'sessions whose calls fail');
is($node->safe_psql('postgres', $count),
	join('|', map { $_ + 4 * $calls } @before), '... are all counted');

done_testing();
