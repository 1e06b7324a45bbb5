# Two servers with one number, other epochs, other node bits: the query of
# doc/servers.md names them, and nobody else.

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

is(found($servers{one}), $expected, 'asked on one');
is(found($servers{three}), $expected, 'asked on three, the same');

# A standby has its primary's number.
my $standby = PostgreSQL::Test::Cluster->new('standby');

$servers{one}->backup('of_one');
$standby->init_from_backup($servers{one}, 'of_one', has_streaming => 1);
$standby->start;
{
	local $servers{two} = $standby;

	unlike(found($servers{one}), qr/^node\|/m, 'a standby is left out');
	$standby->promote;
	like(found($servers{one}), qr/^node\|fluid\|1\|one two$/m,
		'... until it is promoted beside its primary');
}
$standby->stop;

# Set right: a value that waits for a restart is not in effect yet.
$servers{two}->append_conf('postgresql.conf',
	"flakeid.node_id = 0\nflakeid.ulidflake_scalability = 0\n");
$servers{three}->append_conf('postgresql.conf',
	"flakeid.node_bits = 2\nflakeid.nanoflake_epoch = '2024-01-01 00:00:00Z'\n");
$servers{two}->reload;
$servers{three}->reload;
is(found($servers{one}), $expected, 'what waits for a restart is not in effect');
is($servers{two}->safe_psql('postgres', q{
	SELECT count(*) FROM pg_settings WHERE name LIKE 'flakeid.%';
	SELECT count(fluid_to_timestamptz(1)) FROM generate_series(1, 1);
	SELECT setting, context, pending_restart FROM pg_settings WHERE name = 'flakeid.node_id';
	SELECT node, pending[1] FROM flakeid_status() WHERE format = 'fluid'}),
	"0\n1\n0|sighup|f\n1|flakeid.node_id: 1 in force, 0 configured",
	'... which pg_settings does not say, and flakeid_status() does');
$servers{three}->safe_psql('postgres', 'SELECT flakeid_reset_clock()');
$servers{two}->restart;
$servers{three}->restart;
is(found($servers{one}), '', 'set right: nothing is found');
$_->stop foreach values %servers;
done_testing();
