# A restored base backup and a promoted standby without the flakeid settings of
# the original: the first session after the start gets one WARNING for each
# lost setting.  A restored dump cannot warn; doc/servers.md has a query that
# detects it.

use strict;
use warnings;

use FlakeidServers;
use FlakeidTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $settings = q{
flakeid.node_bits = 2
flakeid.node_id = 2
flakeid.fluid_epoch = '2025-01-01 00:00:00Z'
flakeid.nanoflake_epoch = '2025-01-01 00:00:00Z'
flakeid.ulidflake_epoch = '2025-01-01 00:00:00Z'
flakeid.ulidflake_scalability = 7
flakeid.sequence_scope = server
};
my $primary = new_node('original', $settings,
	init => { allows_streaming => 1 });

my $began = $primary->safe_psql('postgres', 'SELECT clock_timestamp()');

$primary->safe_psql('postgres', q{
	CREATE TABLE event (id bigint PRIMARY KEY DEFAULT fluid_generate());
	INSERT INTO event SELECT FROM generate_series(1, 100)});
$primary->backup('all');

my $generate = 'SELECT fluid_generate() > 0';
my $node;

# Messages to the first session after the start, and to the next one
sub first_and_next
{
	return map { run_sql($node, $generate) } 1 .. 2;
}

# Settings named in the warnings, in order
sub lost
{
	my ($answer) = @_;

	return join ' ', $answer =~ /^WARNING:  01000: parameter "flakeid\.(\w+)" was /mg;
}

# Remove the lines of all settings, or of one.
sub unset
{
	my ($name) = @_;
	my $path = $node->data_dir . '/postgresql.conf';
	my $lines = slurp_file($path);

	$name //= '\w+';
	$lines =~ s/^flakeid\.$name = .*\n//mg;
	unlink $path;
	append_to_file($path, $lines);
	return;
}

sub restored
{
	my ($name, %options) = @_;

	$node = PostgreSQL::Test::Cluster->new($name);
	$node->init_from_backup($primary, 'all', %options);
	return;
}

sub is_silent
{
	my ($what) = @_;

	is(join(' ', first_and_next()), 't t', "$what: no warning");
	return;
}

# ---------------------------------------------------- a base backup, started
my $all = 'node_id node_bits fluid_epoch nanoflake_epoch ulidflake_epoch ulidflake_scalability';

restored('with_settings');
$node->start;
is_silent('a base backup with its settings');
$node->restart;
is_silent('... and after a restart');
$node->stop;

restored('without');
unset();
$node->start;

my ($first, $next) = first_and_next();

is(lost($first), $all, 'a base backup without settings: warnings of all lost settings but the scope');
like($first, qr/^WARNING:  01000: parameter "flakeid\.node_id" was 2 before the last server start, and is 0 now\nDETAIL:  The parameter is not set, so its default is in effect\.\nHINT:  If the default is not intended, set the parameter in the configuration file to its previous value, and restart the server before it generates more ids\.$/m,
	'... with detail and hint');
like($first, qr/"flakeid\.fluid_epoch" was 2025-01-01 00:00:00\+00 before .*, and is 2024-01-01 00:00:00\+00 now$/m,
	'... the previous and the current epoch');
like($first, qr/^t$/m, '... and ids are generated');
is($next, 't', '... once');
$node->restart;
is_silent('... and after the next start');
$node->stop;

# Each setting alone is lost; the others are kept.
foreach my $name (split / /, $all)
{
	# Without node_bits the node_id does not fit, so the start-up step fails.
	next if $name eq 'node_bits';

	restored("without_$name");
	unset($name);
	$node->start;
	is(lost((first_and_next())[0]), $name, "a base backup without $name");
	$node->stop;
}

# An explicit value counts as intended, even if it is the default.
restored('set_anew');
unset();
$node->append_conf('postgresql.conf', q{
flakeid.node_bits = 0
flakeid.node_id = 0
flakeid.fluid_epoch = '2024-01-01 00:00:00Z'
flakeid.nanoflake_epoch = '2024-01-01 00:00:00Z'
flakeid.ulidflake_epoch = '2024-01-01 00:00:00Z'
flakeid.ulidflake_scalability = 3
});
$node->start;
is_silent('a base backup with settings of its own');
$node->stop;

# If preloaded, the session itself sets up the file.
restored('preloaded');
unset('node_id');
$node->append_conf('postgresql.conf',
	"shared_preload_libraries = 'flakeid'\n");
$node->start;
($first, $next) = first_and_next();
is(lost($first) . ", $next", 'node_id, t', 'preloaded: the same');
$node->stop;

# ------------------------------------------------------ a standby, promoted
restored('standby', has_streaming => 1);
unset();
$node->start;
$primary->wait_for_catchup($node, 'replay', $primary->lsn('flush'));
$node->promote;
($first, $next) = first_and_next();
is(lost($first) . ", $next", "$all, t", 'a standby promoted without its settings');
$node->stop;

# -------------------------------------------------------------- a dump
my $query = recipe('after a restore: do the ids fit the settings?');

# Node and number of ids, and whether the newest one is as new as this test
sub nodes_and_times
{
	my ($server) = @_;
	my @rows = split /\n/, $server->safe_psql('postgres', $query);
	my @cells = split /\|/, $rows[0];

	return join '|', scalar(@rows), @cells[ 0, 1 ],
	  $server->safe_psql('postgres',
		"SELECT timestamptz '$cells[3]' >= '$began'"),
	  $cells[4];
}

is(nodes_and_times($primary), '1|2|100|t|f',
	'the original: its ids have its node_id and are of today');

my $default = new_node('default');

$default->command_ok([ 'sh', '-c', 'pg_dump -d "$0" -t event | psql -X -q -v ON_ERROR_STOP=1 -d "$1"',
		$primary->connstr('postgres'), $default->connstr('postgres') ],
	'a dump into a server without settings');
is(nodes_and_times($default), '1|0|100|f|f',
	'the ids appear to be from another server and an earlier time');
$default->append_conf('postgresql.conf', "flakeid.fluid_epoch = '2026-01-01 00:00:00Z'\n");
$default->reload;
is(nodes_and_times($default), '1|0|100|t|t', '... or a later one');
is(address_in_file($default), 'no file', '... and the query makes no setting final');
$default->append_conf('postgresql.conf', $settings);
$default->reload;
is(nodes_and_times($default), '1|2|100|t|f', 'after a reload the settings fit the ids');
is_deeply([ map { run_sql($default, $generate) } 1 .. 2 ], [ 't', 't' ],
	'... and the first id needs no restart');
$default->stop;
$primary->stop;
done_testing();
