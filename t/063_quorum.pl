# Synchronous replication with a quorum, as in doc/operating.md: which standby has all
# acknowledged commits, and what to do before another one is promoted.  A standby that
# lacks some of them repeats ids of acknowledged rows that are ahead of its clock.

use FlakeidTest 'clock';
use FlakeidHorizon;
use FlakeidServers qw(recipe);
use List::Util qw(max min);
use Time::HiRes qw(time);
use Time::Local qw(timegm);

my $primary = new_node('primary', "max_connections = 20\nwal_keep_size = '64MB'\n",
	init => { allows_streaming => 1, extra => ['--wal-segsize=1'] }, clock => 1);

$primary->safe_psql('postgres', 'CREATE TABLE acknowledged (id bigint)');
$primary->backup('base');

my %standby = map {
	my $node = PostgreSQL::Test::Cluster->new($_);

	$node->init_from_backup($primary, 'base');
	$node->enable_streaming($primary);
	$primary->safe_psql('postgres', "SELECT pg_create_physical_replication_slot('$_')");
	$node->append_conf('postgresql.conf', "primary_slot_name = '$_'");
	start_again($node, 0);
	($_ => $node)
} qw(q1 q2);

$primary->append_conf('postgresql.conf', "synchronous_standby_names = 'ANY 1 (q1, q2)'");
$primary->reload;
ok($primary->poll_query_until('postgres',
		q{SELECT count(*) = 2 FROM pg_stat_replication WHERE sync_state = 'quorum'}),
	'a quorum of one of two');

# Ids are ahead by a floor, which q2 does not have.  The first ids of sessions have the
# millisecond after it, and differ by their slots: twice 15 of 20.
$standby{q2}->stop;
$primary->safe_psql('postgres', q{SELECT flakeid_raise_floor('2040-01-01 00:00:00Z')});

sub insert
{
	return together($_[0], 15, 'INSERT INTO acknowledged SELECT fluid_generate() RETURNING id');
}

my @acknowledged = insert($primary);

is(scalar(grep { /^\d+$/ } @acknowledged), 15, '... commits that q1 acknowledges');
crash($primary);

# Stop the clocks when the time of these ids has come.
freeze_clock($standby{$_}, '2040-01-01 00:00:00.001') foreach qw(q1 q2);
start_with_clock($standby{q2});

my $position = recipe('on each standby that can be promoted: how much WAL it has');

sub lsn
{
	my ($name) = @_;
	my $lsn = $standby{$name}->safe_psql('postgres', $position);

	like($lsn, qr{^[0-9A-F]+/[0-9A-F]+$}, "$name has a position");
	my ($high, $low) = map { hex } split m{/}, $lsn;
	return ($high << 32) + $low;
}

cmp_ok(lsn('q1'), '>', lsn('q2'), '... that of q1 is the highest');
is($standby{q1}->safe_psql('postgres', 'SELECT count(*) FROM acknowledged'), 15,
	'... and q1 has all acknowledged rows');
is($standby{q2}->safe_psql('postgres', 'SELECT count(*) FROM acknowledged'), 0,
	'... and q2 has none');

# q2 is promoted as it is.
my $copy = $standby{q2}->basedir . '/copy';

$standby{q2}->stop;
system('cp', '-a', $standby{q2}->data_dir, $copy) == 0 or die 'cp failed';
start_with_clock($standby{q2});
$standby{q2}->safe_psql('postgres', 'SELECT pg_promote()');
isnt(repeated(@acknowledged, insert($standby{q2})), '',
	'a standby without all commits repeats ids of acknowledged rows');

# Let the clocks run, from a minute before.
my $minute_before = timegm(0, 59, 23, 31, 11, 2039) - time;

sub continues
{
	my ($node, $what) = @_;

	cmp_ok(min(insert($node)), '>', max(@acknowledged), $what);
}

sub promoted_again
{
	my ($what, $promote) = @_;

	$standby{q2}->stop('immediate');
	put_back($standby{q2}, $copy);
	set_clock($standby{q2}, $minute_before);
	start_with_clock($standby{q2});
	$promote->();
	continues($standby{q2}, "$what: ids continue");
}

# It is promoted with the floor of the page.
promoted_again('... with a floor', sub {
	my $last = $standby{q1}->safe_psql('postgres',
		'SELECT fluid_to_timestamptz(max(id)) FROM acknowledged');

	$standby{q2}->safe_psql('postgres', 'SELECT pg_promote()');
	cmp_ok(max(insert($standby{q2})), '<', min(@acknowledged), '... ids are earlier at first');
	$standby{q2}->safe_psql('postgres', "SELECT flakeid_raise_floor('$last')");
});

# It gets the rest from the one that has most.
promoted_again('... with the WAL of the other standby', sub {
	my $from = recipe('on the standby to be promoted: stream the rest from the one that has more');
	my ($host, $port) = ($standby{q1}->host, $standby{q1}->port);

	$from =~ s/host=q1\.example port=5432 user=replicator/host=$host port=$port/;
	$standby{q2}->safe_psql('postgres', $from);

	my $highest = lsn('q1');

	ok(wait_until(sub {
		my ($high, $low) = map { hex } split m{/}, $standby{q2}->safe_psql('postgres', $position);
		return ($high << 32) + $low >= $highest;
	}), '... until it has the same position');
	$standby{q2}->safe_psql('postgres', 'SELECT pg_promote()');
	is($standby{q2}->safe_psql('postgres', 'SELECT count(*) FROM acknowledged'), 15,
		'... it has all acknowledged rows');
});

# The standby that has all commits
$standby{q1}->safe_psql('postgres', 'SELECT pg_promote()');
set_clock($standby{q1}, $minute_before);
continues($standby{q1}, 'the standby with the highest position: ids continue');
done_testing();
