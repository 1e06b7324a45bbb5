# Two servers with the same node_id, but other epochs and other node bits: the
# query of doc/servers.md reports these servers and no others.

use strict;
use warnings;

use FlakeidServers;
use FlakeidTest;
use PostgreSQL::Test::Cluster;
use Test::More;

my %servers = (
	one => new_server('one', 1, 2, "flakeid.sequence_scope = server\n",
		init => { allows_streaming => 1 }),
	two => new_server('two', 1, 2),
	three => new_server('three', 2, 3,
		"flakeid.nanoflake_epoch = '2023-01-01 00:00:00Z'\n"));
my $title = 'on any server: servers with one number, or with other epochs or node bits';

sub found
{
	my ($node) = @_;

	return run_recipe($node, $title, %servers);
}

my $expected = <<'END' =~ s/\n\z//r;
epoch|nanoflake|2023-01-01 00:00:00+00|three
epoch|nanoflake|2024-01-01 00:00:00+00|one two
node|fluid|1|one two
node|nanoflake|1|one two
node|ulidflake|1|one two
node bits|fluid|2|one two
node bits|fluid|3|three
END

is(found($servers{one}), $expected, 'the query on one server');
is(found($servers{three}), $expected, 'the same on another server');

# A standby has the node_id of its primary.
my $standby = PostgreSQL::Test::Cluster->new('standby');

$servers{one}->backup('of_one');
$standby->init_from_backup($servers{one}, 'of_one', has_streaming => 1);
$standby->start;
{
	local $servers{two} = $standby;

	unlike(found($servers{one}), qr/^node\|/m, 'a standby is not reported');
	$standby->promote;
	like(found($servers{one}), qr/^node\|fluid\|1\|one two$/m,
		'... until it is promoted while its primary runs');
}
$standby->stop;

# Corrected settings take effect at a restart.
$servers{two}->append_conf('postgresql.conf',
	"flakeid.node_id = 0\nflakeid.ulidflake_scalability = 0\n");
$servers{three}->append_conf('postgresql.conf',
	"flakeid.node_bits = 2\nflakeid.nanoflake_epoch = '2024-01-01 00:00:00Z'\n");
$servers{two}->reload;
$servers{three}->reload;
ok($servers{two}->poll_query_until('postgres', q{
	SELECT pending_restart FROM pg_settings WHERE name = 'flakeid.node_id'}),
	'a reload');
is(found($servers{one}), $expected, 'a pending value is not in effect');
$servers{three}->safe_psql('postgres', 'SELECT flakeid_reset_clock()');
$servers{two}->restart;
$servers{three}->restart;
is(found($servers{one}), '', 'after the correction nothing is reported');
done_testing();
