# pg_upgrade with live data, in copy and link mode: all data is unchanged, and
# new ids are newer, also than a floor that was raised before.
#
# oldinstall=/usr/lib/postgresql/15 is the older installation, with flakeid
# installed, as in the test of pg_upgrade itself.

use FlakeidTest;
use FlakeidHorizon;

plan skip_all => 'oldinstall is not an older PostgreSQL with flakeid'
  unless $ENV{oldinstall};

my $settings = q{
shared_preload_libraries = 'flakeid'
flakeid.node_bits = 2
flakeid.node_id = 1
flakeid.ulidflake_epoch = '2022-01-01 00:00:00Z'
};
my @locale = ('--encoding=UTF8', '--locale=C');

sub sql
{
	my ($node, $sql) = @_;

	return $node->safe_psql('postgres', $sql);
}

# Insert rows in four clients, in so many transactions of each.
sub load
{
	my ($node, $transactions, $what) = @_;
	my $script = $PostgreSQL::Test::Utils::tmp_check . '/load.sql';

	unlink $script;
	append_to_file($script, q{
INSERT INTO item (session, n)
SELECT pg_current_xact_id(), i FROM generate_series(1, 10) AS i;
INSERT INTO part DEFAULT VALUES;
});
	$node->command_ok([ 'pgbench', '-n', '-c', '4', '-j', '2', '-t', $transactions,
			'-f', $script, 'postgres' ], $what);
	return;
}

# All data that must be unchanged
sub content
{
	my ($node) = @_;

	return sql($node, q{
		SELECT count(*), md5(string_agg(i::text, ';' ORDER BY fluid)) FROM item AS i;
		SELECT count(*) FROM recent;
		SELECT count(*), md5(string_agg(id::text, ';' ORDER BY id)) FROM part;
		SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef ORDER BY 1;
		SELECT has_function_privilege('raiser', 'flakeid_raise_floor(timestamptz)', 'execute'),
		  has_function_privilege('public', 'flakeid_reset_clock()', 'execute');
		SELECT uuid_generate_v7() IS NULL; SHOW flakeid.max_wait});
}

# A range much smaller than a histogram bin, in rows that are evenly spread:
# pg_upgrade has kept SUPPORT and RESTRICT.
sub check_estimates
{
	my ($node, $what) = @_;

	sql($node, 'ANALYZE even');
	foreach my $pair ([ 'uuid_v7', 'v7' ], [ 'scru160', 'scru160' ])
	{
		my ($format, $column) = @$pair;
		my $range = "${format}_between($column, '2026-01-01 00:33:20Z', '2026-01-01 00:33:44Z')";
		my $there = sql($node, "SELECT count(*) FROM even WHERE $range");
		my ($rows) =
		  sql($node, "EXPLAIN SELECT * FROM even WHERE $range") =~ / rows=(\d+) /;

		ok($rows <= 2 * $there && $there <= 2 * $rows,
			"$what: $range: $rows of $there rows");
	}
	return;
}

my $old = PostgreSQL::Test::Cluster->new('old', install_path => $ENV{oldinstall});

$old->init(extra => \@locale);
$old->append_conf('postgresql.conf', $settings);
$old->start;
note($old->safe_psql('postgres', 'SELECT version()'));
sql($old, 'CREATE EXTENSION flakeid');
make_item($old);
sql($old, q{
	ALTER TABLE item ADD many scru160[] DEFAULT ARRAY[scru160_generate()];
	CREATE VIEW recent AS SELECT * FROM item
	WHERE scru160_between(scru160, now() - interval '1 day', now() + interval '1 day');
	CREATE TABLE part (id uuid PRIMARY KEY DEFAULT uuid_generate_v7()) PARTITION BY RANGE (id);
	CREATE TABLE part_new PARTITION OF part FOR VALUES
	FROM (uuid_v7_min('2025-01-01 00:00:00Z')) TO (MAXVALUE);
	CREATE TABLE even AS
	SELECT uuid_v7_from_timestamptz(ts) AS v7, scru160_from_timestamptz(ts) AS scru160
	FROM generate_series(1, 8000) AS i,
	  LATERAL (SELECT '2026-01-01Z'::timestamptz + i * interval '1 s') AS t (ts);
	CREATE ROLE raiser;
	GRANT EXECUTE ON FUNCTION flakeid_raise_floor(timestamptz) TO raiser;
	ALTER DATABASE postgres SET flakeid.max_wait = '3s'});
load($old, 200, 'live data');
check_item($old, 'the old server');

my $before = content($old);
my @newest = split /\|/, sql($old,
	'SELECT max(fluid), max(nanoflake), max(ulidflake), max(scru160) FROM item');

# A floor ahead of the clock is kept by the horizons.
sql($old, q{SELECT flakeid_raise_floor(clock_timestamp() + interval '30 s')});

my $horizons = 'SELECT format, horizon FROM flakeid_status() ORDER BY 1';
my $horizons_before = sql($old, $horizons);
my $floor = sql($old, "SELECT min(floor) FROM flakeid_status()");

$old->stop;

# Link mode comes last, because it disables the old cluster.
foreach my $mode (qw(copy link))
{
	my $new = PostgreSQL::Test::Cluster->new("new_$mode");

	# Checksums are the default from 18 on.
	$new->init(extra =>
		  [ @locale, $new->pg_version < 18 ? () : '--no-data-checksums' ]);
	$new->append_conf('postgresql.conf', $settings);
	chdir $PostgreSQL::Test::Utils::tmp_check;
	command_ok([
			'pg_upgrade', '--no-sync', $mode eq 'link' ? '--link' : (),
			'-j', '2', '-d', $old->data_dir, '-D', $new->data_dir,
			'-b', $old->config_data('--bindir'),
			'-B', $new->config_data('--bindir'),
			'-s', $new->host, '-p', $old->port, '-P', $new->port ],
		"pg_upgrade in $mode mode");
	$new->start;
	is(sql($new, $horizons), $horizons_before, "$mode: the horizons are kept");
	is(sql($new, 'SELECT max(horizon_state) FROM flakeid_status()'), 'earlier', '... no other hand is suspected');
	is(content($new), $before, "$mode: all data is unchanged");
	is(sql($new, qq{
		SET flakeid.max_wait = '60s';
		INSERT INTO item DEFAULT VALUES;
		SELECT fluid >= fluid_min('$floor'::timestamptz + interval '1 ms') AND fluid > $newest[0] AND nanoflake > $newest[1]
		  AND ulidflake > $newest[2] AND scru160 > '$newest[3]',
		  (fluid_get_address(fluid)).node FROM item ORDER BY fluid DESC LIMIT 1}),
		't|1', "$mode: new ids are newer, with the same node id");
	load($new, 100, "$mode: under load");
	check_item($new, $mode);
	check_estimates($new, $mode);
	$new->command_ok([ 'pg_amcheck', '--all', '--heapallindexed', '--rootdescend' ],
		"$mode: pg_amcheck finds no error");
	$new->stop;
}
done_testing();
