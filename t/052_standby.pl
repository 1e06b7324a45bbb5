# A standby refuses to generate 64-bit ids, and shows the horizons that it has
# replayed.  After promotion, with a clock 5 s behind the primary's, its ids are
# above all that it has replayed.  A reset that was requested on the primary is
# not used up by the promoted standby.

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

my $standby = PostgreSQL::Test::Cluster->new('standby');

$standby->init_from_backup($primary, 'after_ids', has_streaming => 1);
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
		"in recovery: a standby refuses to generate a $name");
}
like($session->query(q{SELECT uuid_generate_v7(), uuid_generate_v6(), uuid_generate_v7_draft('us'),
	uuid_generate_v8(60), scru160_generate(), scru160_us_generate()}),
	qr/\A(?:[0-9a-f-]{36}\|){4}\w{32}\|\w{32}\z/, 'in recovery: it generates other ids');
is($session->query(q{
	SELECT fluid_to_timestamptz(max(id) FILTER (WHERE format = 'fluid')) > now() - interval '1 hour',
	  nanoflake_to_timestamptz(max(id) FILTER (WHERE format = 'nanoflake')) > now() - interval '1 hour',
	  ulidflake_to_timestamptz(max(id) FILTER (WHERE format = 'ulidflake')) > now() - interval '1 hour',
	  count(*) FILTER (WHERE fluid_between(id, now() - interval '1 hour',
		now() + interval '1 hour') AND format = 'fluid') >= 10
	FROM made}),
	't|t|t|t', "in recovery: reading functions and ranges work");
is($session->query(q{
	SELECT format, scope, node, epoch, floor IS NULL AND ahead IS NULL AND
	  waits IS NULL AND longest_wait IS NULL AND steps_back IS NULL AND
	  refusals IS NULL AND years_left > 0
	FROM flakeid_status() ORDER BY 1}),
	"fluid|backend|0|2024-01-01 00:00:00+00|t\n"
	  . "nanoflake|backend|0|2024-01-01 00:00:00+00|t\n"
	  . 'ulidflake|server|0|2024-01-01 00:00:00+00|t',
	"in recovery: the status has NULL for what the sessions share");
is($session->query(q{
	SELECT node FROM fluid_get_address(5) UNION ALL
	SELECT node FROM nanoflake_get_address(5)}),
	"0\n0", "in recovery: the address comes from the settings");
# The primary's clock is 5 s ahead until its last id.
set_clock($primary, 5);
$primary->safe_psql('postgres', 'SELECT make_all(1000)') for 1 .. 5;
$primary->wait_for_catchup($standby, 'replay', $primary->lsn('insert'));

my $horizons = 'SELECT format, horizon FROM flakeid_status() ORDER BY 1';

is($standby->safe_psql('postgres', $horizons),
	$primary->safe_psql('postgres', $horizons), 'the status shows the replayed horizons');

my $newest = $standby->safe_psql('postgres', q{
	SELECT string_agg(format || ' ' || max, ', ' ORDER BY format)
	FROM (SELECT format, max(id) FROM made GROUP BY format) AS m});

is($standby->safe_psql('postgres', 'SELECT count(*) FROM made'),
	$primary->safe_psql('postgres', 'SELECT count(*) FROM made'),
	"all ids are replayed");

# After promotion the generators work, in the existing session too.
$standby->promote;
is($session->query(q{
	SET flakeid.max_wait = '20s';
	SELECT make_all(1000);
	SELECT make_all(1000);
}), "\n", "after promotion it generates ids of every format");
is($session->query(q{
	SELECT steps_back FROM flakeid_status() WHERE format = 'fluid'}),
	0, "the standby's own clock has not stepped");
$session->quit;
is($standby->safe_psql('postgres', 'SELECT make_all(100)'),
	'', "a new session generates ids too");
is(duplicates_in_log($standby), 0, "no duplicate ids");

# All new ids are above the replayed ones; uniqueness is not just luck.
my %newest = $newest =~ /(\w+) (\d+)/g;

foreach my $format (sort keys %newest)
{
	is($standby->safe_psql('postgres', qq{
		SELECT count(*) FROM made
		WHERE format = '$format' AND id > $newest{$format}}),
		$format eq 'ulidflake' ? 4200 : 2100,
		"each $format is above the replayed ones");
}
$standby->stop;
set_clock($primary, 0);
$primary->safe_psql('postgres', 'SET flakeid.max_wait = 20000; SELECT make_all(1)');
# A reset that was requested on the primary is not for the promoted standby,
# which has replayed ids that are ahead of its clock.
$primary->safe_psql('postgres', 'SELECT flakeid_reset_clock()');
$primary->backup('with_reset');
$standby = PostgreSQL::Test::Cluster->new('standby_reset');
$standby->init_from_backup($primary, 'with_reset', has_streaming => 1);
set_clock($standby, -10);
start_with_clock($standby);
$primary->safe_psql('postgres', 'SELECT make_all(1000)');
$primary->wait_for_catchup($standby, 'replay', $primary->lsn('insert'));
$primary->stop;
$standby->promote;

my $made = run_sql($standby, q{
	INSERT INTO made
	SELECT 'fluid', fluid_generate() FROM generate_series(1, 1000) UNION ALL
	SELECT 'ulidflake', ulidflake_generate() FROM generate_series(1, 1000)});

is(() = $made =~ /WARNING:  01000: a pending flakeid_reset_clock\(\) is ignored for (?:FLUID|Ulid-Flake)\n.*DETAIL:  .*\n.*HINT:  /g,
	2, 'a promoted standby ignores a reset of its primary, with a WARNING per format');
unlike($made, qr/ERROR/, '... and repeats no id');
unlike(run_sql($standby, 'SELECT fluid_generate()'), qr/WARNING/, '... once');
$standby->restart;
like(run_sql($standby, q{
	SELECT fluid_generate() > max(id) FROM made WHERE format = 'fluid'}),
	qr/^t$/m, '... also after a restart');

done_testing();
