# World.
# Two servers with the same node_id, but other epochs and other node bits: the
# command of doc/several-servers.md prints these servers and no others.

use FlakeidTest;
use FlakeidServers;

my %servers = (
	one => new_server('one', 1, 2, "flakeid.sequence_scope = server\n",
	init => { allows_streaming => 1 }),
	two => new_server('two', 1, 2),
	three => new_server('three', 2, 3, "flakeid.nanoflake_epoch = '2023-01-01 00:00:00Z'\n"));

# The command of the page, with ports in place of hosts.  It prints format,
# number and server.
sub found
{
	my $command = recipe('prints servers with the number of an earlier one, '
		. 'or with other epochs or node bits');
	my %port = map { $_ => $servers{$_}->port } keys %servers;
	my %name = reverse %port;

	$command =~ s/\b(one|two|three)\.example\b/$port{$1}/g;
	$command =~ s/-h \$host -d app/-h '@{[ $servers{one}->host ]}' -p \$host -d postgres/;

	my ($out, $err) = run_command([ 'sh', '-c', $command ]);

	is($err, '', 'no error');
	return $out =~ s/^(\w+\|\d+)\|.*\|(\d+)$/$1|$name{$2}/mgr;
}

my $expected = <<'END' =~ s/\n\z//r;
fluid|1|two
nanoflake|1|two
ulidflake|1|two
fluid|2|three
nanoflake|2|three
ulidflake|2|three
END

is(found(), $expected, 'the command');

# A standby has the node_id of its primary.
my $standby = PostgreSQL::Test::Cluster->new('standby');

$servers{one}->backup('of_one');
$standby->init_from_backup($servers{one}, 'of_one', has_streaming => 1);
$standby->start;
{
	local $servers{two} = $standby;

	unlike(found(), qr/\|two$/m, 'a standby is not reported');
	$standby->promote;
	like(found(), qr/^fluid\|1\|two$/m, '... until it is promoted while its primary runs');
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
is(found(), $expected, 'a pending value is not in effect');
$servers{three}->safe_psql('postgres', 'SELECT flakeid_reset_horizon()');
$servers{two}->restart;
$servers{three}->restart;
is(found(), '', 'after the correction nothing is reported');
done_testing();
