# Slow.
# A fleet of two servers under load.  One of them fails, and its standby, whose
# clock is behind, replaces it while the other keeps running: no duplicate ids
# overall.  Then a new server, whose clock is also behind, takes over the node
# id of the other one.

use FlakeidTest qw(clock);
use FlakeidServers;

my @flakes = qw(event nanoflake ulidflake);
my %numbers = (one => 1, two => 2, standby => 1, three => 2);
my %servers = map {
	$_ => new_server($_, $numbers{$_}, 2, '', init => { allows_streaming => 1 }, clock => 1)
} qw(one two);
my ($one, $two) = @servers{qw(one two)};

$_->safe_psql('postgres',
	for_each_kind(recipe('on each server: a table that all write to')))
  foreach $one, $two;

my $standby = PostgreSQL::Test::Cluster->new('standby');

$one->backup('of_one');
$standby->init_from_backup($one, 'of_one', has_streaming => 1);
start_with_clock($standby);
$one->append_conf('postgresql.conf',
	"synchronous_standby_names = 'standby'\nsynchronous_commit = remote_apply\n");
$one->reload;
ok(wait_until(sub {
		$one->safe_psql('postgres', q{
			SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'})
	}), 'a standby has all that is committed');
is($standby->safe_psql('postgres', q{
	SELECT string_agg(format || node, ' ') FROM flakeid_status() WHERE horizon > epoch AND floor IS NULL AND horizon_state IS NULL}),
	'fluid1 nanoflake1 ulidflake1', '... and shows the horizons');

# Set a server's clock some seconds behind its newest id.
sub set_behind
{
	my ($node, $seconds) = @_;

	set_clock($node, -$seconds - $node->safe_psql('postgres', q{
		SELECT extract(epoch FROM clock_timestamp() -
		  fluid_to_timestamptz(max(id))) FROM event}));
}

# --------------------------------------------------------------- failover

my @of_one = begin_events($one, 3, 500);
my @of_two = begin_events($two, 2, scaled(60));
my $seen;

ok(wait_until(sub {
		(my $sources, $seen) = split /\|/, $one->safe_psql('postgres',
			'SELECT count(DISTINCT source), count(*) FROM uuids');
		$sources == 3 && $seen > 100
	}), 'both servers generate ids');
$one->stop('immediate');
end_events(@of_one);

set_behind($standby, 2);

$standby->promote;

my $newest = sub {
	my ($node) = @_;

	return map {
		$_ => $node->safe_psql('postgres', "SELECT max(id) FROM $_")
	} @flakes;
};
my %newest = $newest->($standby);

is($standby->safe_psql('postgres', 'SELECT DISTINCT node FROM flakeid_status()'),
	1, 'after promotion it has the node id of its primary');
cmp_ok($standby->safe_psql('postgres', 'SELECT count(*) FROM uuids'),
	'>=', $seen, 'it has all rows that were seen on the primary');
push @of_two, begin_events($two, 2, scaled(30));
is(end_events(begin_events($standby, 3, scaled(30)), @of_two),
	'', 'it generates ids, and so does the other server');
foreach my $kind (@flakes)
{
	is($standby->safe_psql('postgres', qq{
		SELECT min(id) > $newest{$kind} AND count(*) = 60 * @{[ scaled(30) ]}
		FROM $kind WHERE source LIKE 'standby %'}),
		't', "$kind: new ids are above all replayed ones");
}
check_events($standby, 'the promoted standby', sources => 6, node_bits => 2,
	numbers => \%numbers, slack => '1 min');
check_events($two, 'the other server', sources => 4, node_bits => 2, numbers => \%numbers);
foreach my $kind (kinds())
{
	is( repeated(map {
			split /\n/, $_->safe_psql('postgres', "SELECT id FROM $kind")
		} $standby, $two),
		'', "$kind: no id exists on both");
}

# -------------------------------------- a node_id moves to another server

my $three = PostgreSQL::Test::Cluster->new('three');

%newest = $newest->($two);
$three->init;
$three->append_conf('postgresql.conf', qq{
shared_preload_libraries = 'flakeid'
flakeid.node_bits = 2
flakeid.node_id = 2
flakeid.ulidflake_scalability = 2
flakeid.max_wait = 20s
});
start_with_clock($three);
$two->command_ok([ 'sh', '-c', 'pg_dump -d "$0" | psql -X -q -v ON_ERROR_STOP=1 -d "$1"',
		$two->connstr('postgres'), $three->connstr('postgres') ],
	'a new server has the rows of the retiring one');
$two->stop;
set_behind($three, 600);
run_recipe($three, 'on the new owner of the number, as a superuser');
is( join(' ', map { (split /\|/)[0] } split /\n/,
		run_recipe($three, 'worth an alarm on any server')),
	'fluid nanoflake ulidflake', 'its ids are ahead of its clock');
set_behind($three, 2);
is(end_events(begin_events($three, 2, 2)), '', 'it generates ids');
foreach my $kind (@flakes)
{
	is($three->safe_psql('postgres', qq{
		SELECT min(id) > $newest{$kind}, count(*) FROM $kind
		WHERE source LIKE 'three %'}),
		't|80', "$kind: they are above all ids of the old server");
}
check_events($three, 'the new owner', sources => 6, node_bits => 2, numbers => \%numbers, slack => '1 min');
done_testing();
