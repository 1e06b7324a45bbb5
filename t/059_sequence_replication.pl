# World.
# A publication of all sequences, from PostgreSQL 19 on, also has the horizons:
# on the subscriber they are overwritten, as by setval().  No id is repeated, and the
# horizons of a publisher whose ids are far ahead of the clock are refused.

use FlakeidTest;
use FlakeidHorizon;

my $publisher = new_node('publisher', '', init => { allows_streaming => 'logical' });

if ($publisher->pg_version->major < 19)
{
	$publisher->stop;
	plan skip_all => 'sequences are replicated from PostgreSQL 19 on';
}

my $subscriber = new_node('subscriber', '', init => { allows_streaming => 'logical' });

log_ids($subscriber);
$publisher->safe_psql('postgres', q{
	SELECT fluid_generate(), nanoflake_generate(), ulidflake_generate();
	CREATE SEQUENCE own;
	SELECT nextval('own') FROM generate_series(1, 100);
	CREATE PUBLICATION everything FOR ALL SEQUENCES});
$subscriber->safe_psql('postgres', 'CREATE SEQUENCE own');
select undef, undef, undef, 1;
$subscriber->safe_psql('postgres', 'SELECT add(100), add_nanoflakes(100)');

# Wait until the horizon of a FLUID was overwritten.
sub is_synchronized
{
	my $row = horizon_row($subscriber, 'fluid');

	return $row !~ /\|-/;
}

my $session = session($subscriber);
my $add = 'SELECT add(50)';
my $newest = newest_ids($subscriber);
my $horizon = horizon_ms($subscriber, 'fluid');

is($session->query($add), '', 'ids before the synchronization');
$subscriber->safe_psql('postgres',
	q{CREATE SUBSCRIPTION everything CONNECTION '}
	  . ($publisher->connstr =~ s/'/''/gr) . q{ dbname=postgres' PUBLICATION everything});
ok(wait_until(\&is_synchronized), 'the subscriber overwrites a horizon');
cmp_ok(horizon_ms($subscriber, 'fluid'), '<', $horizon, '... with a lower one');
is($session->query($add), '', '... a running session continues');
$newest = newest_ids($subscriber);
is(run_sql($subscriber, $add), '', '... and a new one');
cmp_ok(horizon_ms($subscriber, 'fluid'), '>', $horizon, '... and the horizon is restored');
crash($subscriber);
$subscriber->start;
continues_after($subscriber, '... a crash', $newest);
ok(wait_until(sub { $subscriber->safe_psql('postgres', 'SELECT last_value FROM own') == 100 }),
	'... other sequences are synchronized');

# The ids of the publisher are a day ahead.
$publisher->safe_psql('postgres', q{SELECT flakeid_raise_floor(now() + '1 day')});
$session->quit;
run_sql($subscriber, $add);

my $refresh = 'ALTER SUBSCRIPTION everything REFRESH SEQUENCES';

$subscriber->safe_psql('postgres', $refresh);
ok(wait_until(\&is_synchronized), 'the ids of the publisher are far ahead');
like(run_sql($subscriber, $add),
	qr/ERROR:  55000: .*"flakeid_fluid_horizon" was changed.*HINT:  .*flakeid_reset_horizon\(\)/s,
	'... the subscriber refuses them');
$newest = newest_ids($subscriber);
like(run_sql($subscriber, 'SELECT flakeid_reset_horizon()'), qr/WARNING:  01000: from now on/,
	'... until flakeid_reset_horizon()');
select undef, undef, undef, 3;
continues_after($subscriber, '... then', $newest);

$subscriber->safe_psql('postgres', q{
	DROP FUNCTION add; DROP FUNCTION add_nanoflakes; DROP EXTENSION flakeid});
$publisher->safe_psql('postgres', q{SELECT nextval('own') FROM generate_series(1, 100)});
unlike(run_sql($subscriber, $refresh), qr/ERROR/,
	'a subscriber without the extension: sequences are synchronized');
ok(wait_until(sub { $subscriber->safe_psql('postgres', 'SELECT last_value FROM own') == 200 }),
	'... the other ones');
like(run_sql($subscriber, 'ALTER SUBSCRIPTION everything REFRESH PUBLICATION'),
	qr/ERROR:  42P01: relation "public.flakeid_\w+_horizon" does not exist/,
	'... but the publication cannot be refreshed');
is(duplicates_in_log($subscriber), 0, 'no id is repeated');
done_testing();
