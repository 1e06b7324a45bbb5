# A standby refuses to generate 64-bit ids and does not change the state file.
# After promotion, with a clock 5 s behind the primary's, it repeats no id that
# it has replayed.

use strict;
use warnings;

use FlakeidTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

plan skip_all => 'libfaketime is not installed' unless clock_library();

my $primary = new_node('primary', "max_wal_senders = 5\n",
	init => { allows_streaming => 1 }, clock => 'each time');

insert_all($primary);
$primary->safe_psql('postgres', 'SELECT make_all(10)');
$primary->backup('after_ids');

# One standby has a copy of the primary's state file, the other has no state
# file.
foreach my $with_file (1, 0)
{
	my $what = $with_file ? 'with a state file' : 'without a state file';
	my $standby = PostgreSQL::Test::Cluster->new("standby_$with_file");

	$standby->init_from_backup($primary, 'after_ids', has_streaming => 1);
	ok(-e state_path($standby), 'the base backup has the state file');
	unlink state_path($standby) unless $with_file;

	my $file = sub {
		return -e state_path($standby) ? state_bytes($standby) : 'none';
	};
	my $was = $file->();

	set_clock($standby, 0);
	start_with_clock($standby);

	# In recovery
	my $session = session($standby);

	foreach my $generator (
		'fluid_generate()', 'nanoflake_generate()',
		'ulidflake_generate()', 'ulidflake_scalable_generate()',
		'flakeid_reset_clock()', 'flakeid_raise_floor(now())')
	{
		my ($name) = $generator =~ /(\w+)/;

		like($session->query("SELECT $generator"),
			qr/ERROR:  25006: cannot execute .*\(\) during recovery/,
			"$what, in recovery: a standby refuses to generate a $name");
	}
	foreach my $uuid ('v7()', 'v6()', q{v7_draft('us')}, 'v8(60)')
	{
		like($session->query("SELECT uuid_generate_$uuid"),
			qr/\A[0-9a-f-]{36}\z/, "$what, in recovery: it generates uuid_generate_$uuid ids");
	}
	is($session->query(q{
		SELECT fluid_to_timestamptz(max(id) FILTER (WHERE format = 'fluid')) > now() - interval '1 hour',
		  nanoflake_to_timestamptz(max(id) FILTER (WHERE format = 'nanoflake')) > now() - interval '1 hour',
		  ulidflake_to_timestamptz(max(id) FILTER (WHERE format = 'ulidflake')) > now() - interval '1 hour',
		  count(*) FILTER (WHERE fluid_between(id, now() - interval '1 hour',
			now() + interval '1 hour') AND format = 'fluid') >= 10
		FROM made}),
		't|t|t|t', "$what, in recovery: reading functions and ranges work");
	is($session->query(q{
		SELECT format, scope, node, epoch, floor IS NULL AND ids IS NULL AND
		  waits IS NULL AND longest_wait IS NULL AND steps_back IS NULL AND
		  ahead IS NULL AND refusals IS NULL AND server_waits IS NULL AND
		  server_refusals IS NULL AND server_steps_back IS NULL AND
		  server_longest_wait IS NULL AND years_left > 0, pending
		FROM flakeid_status() ORDER BY 1}),
		"fluid|backend|0|2024-01-01 00:00:00+00|t|{}\n"
		  . "nanoflake|backend|0|2024-01-01 00:00:00+00|t|{}\n"
		  . 'ulidflake|server|0|2024-01-01 00:00:00+00|t|{}',
		"$what, in recovery: the status has NULL for values in the state file");
	is($session->query(q{
		SELECT node FROM fluid_get_address(5) UNION ALL
		SELECT node FROM nanoflake_get_address(5)}),
		"0\n0", "$what, in recovery: the address comes from the settings");
	is($file->(), $was, "$what, in recovery: the state file is unchanged");

	# The primary's clock is 5 s ahead until its last id.
	set_clock($primary, 5);
	$primary->safe_psql('postgres', 'SELECT make_all(1000)') for 1 .. 5;
	$primary->wait_for_catchup($standby, 'replay', $primary->lsn('insert'));
	is($file->(), $was, "$what, replaying: the state file is unchanged");

	my $newest = $standby->safe_psql('postgres', q{
		SELECT string_agg(format || ' ' || max, ', ' ORDER BY format)
		FROM (SELECT format, max(id) FROM made GROUP BY format) AS m});

	is($standby->safe_psql('postgres', 'SELECT count(*) FROM made'),
		$primary->safe_psql('postgres', 'SELECT count(*) FROM made'),
		"$what: all ids are replayed");

	# After promotion the generators work, in the existing session too.
	$standby->promote;
	is($session->query(q{
		SET flakeid.max_wait = '20s';
		SELECT make_all(1000);
		SELECT make_all(1000);
	}), "\n", "$what: after promotion it generates ids of every format");
	is($session->query(q{
		SELECT steps_back FROM flakeid_status() WHERE format = 'fluid'}),
		0, "$what: the standby's own clock has not stepped");
	$session->quit;
	is($standby->safe_psql('postgres', 'SELECT make_all(100)'),
		'', "$what: a new session generates ids too");
	is(duplicates_in_log($standby), 0, "$what: no duplicate ids");

	# All new ids are above the replayed ones; uniqueness is not just luck.
	my %newest = $newest =~ /(\w+) (\d+)/g;

	foreach my $format (sort keys %newest)
	{
		is($standby->safe_psql('postgres', qq{
			SELECT count(*) FROM made
			WHERE format = '$format' AND id > $newest{$format}}),
			$format eq 'ulidflake' ? 4200 : 2100,
			"$what: each $format is above the replayed ones");
	}
	$standby->stop;
	set_clock($primary, 0);
	$primary->safe_psql('postgres', 'SET flakeid.max_wait = 20000; SELECT make_all(1)');
}

# flakeid_status() runs the start-up step just as a generator does, right after
# the promotion, while the server still knows the time of the last commit.
my $standby = PostgreSQL::Test::Cluster->new('standby_status');

$standby->init_from_backup($primary, 'after_ids', has_streaming => 1);
set_clock($standby, 0);
start_with_clock($standby);
set_clock($primary, 3600);
$primary->safe_psql('postgres', 'SELECT make_all(1)');
$primary->wait_for_catchup($standby, 'replay', $primary->lsn('insert'));
$standby->promote;
is($standby->safe_psql('postgres', q{
	SELECT count(*) FROM flakeid_status() WHERE floor > (
	  SELECT max(fluid_to_timestamptz(id)) FROM made WHERE format = 'fluid')}),
	3, 'the status raises floors to the time of the last replayed commit');

# A commit record need not hold the newest commit time, so there is a margin:
# 10 s, or 1 s for a format that waits for the clock.
is($standby->safe_psql('postgres', q{
	SELECT extract(epoch FROM f.floor - n.floor)::int, f.floor = u.floor
	FROM flakeid_status() AS f, flakeid_status() AS n, flakeid_status() AS u
	WHERE f.format = 'fluid' AND n.format = 'nanoflake' AND u.format = 'ulidflake'}),
	'9|t', '... with a margin');
$standby->restart;
like(run_sql($standby, q{
	SELECT fluid_generate() > max(id) FROM made WHERE format = 'fluid'}),
	qr/^t$/m, '... which survives a restart');

# A reset that is pending on the primary does not apply to the standby,
# although its base backup contains the flag.
$standby->stop;
set_clock($primary, 0);
$primary->safe_psql('postgres', 'SELECT flakeid_reset_clock()');
$primary->backup('with_reset');
$primary->stop;
start_with_clock($primary);
$primary->safe_psql('postgres', q{SET flakeid.max_wait = '20s'; SELECT make_all(100)});
$standby = PostgreSQL::Test::Cluster->new('standby_reset');
$standby->init_from_backup($primary, 'with_reset', has_streaming => 1);
is(read_state(state_bytes($standby))->{reset}, 1, 'a base backup contains the flag of a reset');
set_clock($standby, -10);
start_with_clock($standby);
$primary->safe_psql('postgres', 'SELECT make_all(1000)');
$primary->wait_for_catchup($standby, 'replay', $primary->lsn('insert'));
$standby->promote;

my $made = run_sql($standby, q{
	INSERT INTO made
	SELECT 'fluid', fluid_generate() FROM generate_series(1, 1000) UNION ALL
	SELECT 'ulidflake', ulidflake_generate() FROM generate_series(1, 1000)});

like($made, qr/\AWARNING:  01000: ignoring a clock reset/, '... which the standby ignores');
unlike($made, qr/ERROR/, '... and repeats no id');

$standby->stop;
$primary->stop;
done_testing();
