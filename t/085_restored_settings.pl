# World.
# A dump that is restored into a server without the flakeid settings of the
# original: the query of doc/operating.md shows it.

use FlakeidTest;
use FlakeidServers;

my $settings = q{
flakeid.node_bits = 2
flakeid.node_id = 2
flakeid.fluid_epoch = '2025-01-01 00:00:00Z'
};
my $original = new_node('original', $settings);
my $restored = new_node('restored', "shared_preload_libraries = 'flakeid'\n");
my $query = recipe('after a restore: do the ids fit the settings?');

my $began = $original->safe_psql('postgres', 'SELECT clock_timestamp()');

$original->safe_psql('postgres', q{
	CREATE TABLE event (id bigint PRIMARY KEY DEFAULT fluid_generate());
	INSERT INTO event SELECT FROM generate_series(1, 100)});

# Node and number of ids, and whether the newest one is as new as this test
sub nodes_and_times
{
	my ($server) = @_;
	my @rows = split /\n/, $server->safe_psql('postgres', $query);
	my @cells = split /\|/, $rows[0];

	return join '|', scalar(@rows), @cells[ 0, 1 ],
	  $server->safe_psql('postgres', "SELECT timestamptz '$cells[3]' >= '$began'"),
	  $cells[4];
}

is(nodes_and_times($original), '1|2|100|t|f',
	'the original: its ids have its node_id and are of today');
$restored->command_ok([ 'sh', '-c',
	'pg_dump -d "$0" -t event | psql -X -q -v ON_ERROR_STOP=1 -d "$1"',
		$original->connstr('postgres'), $restored->connstr('postgres') ],
	'a dump into a server without settings');
foreach my $case (
	[ '', '1|0|100|f|f', 'the ids appear to be from another server and an earlier time' ],
	[ "flakeid.fluid_epoch = '2026-01-01 00:00:00Z'\n", '1|0|100|t|t', '... or a later one' ],
	[ $settings, '1|2|100|t|f', 'with the settings, they fit the ids' ])
{
	$restored->append_conf('postgresql.conf', $case->[0]);
	$restored->restart;
	is(nodes_and_times($restored), $case->[1], $case->[2]);
}
like(run_sql($restored, q{
	SELECT flakeid_reset_horizon();
	SELECT fluid_generate() > max(id) FROM event}),
	qr/^t$/m, '... and new ids are above them');
done_testing();
