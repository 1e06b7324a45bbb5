# World.
# pg_dump and pg_dumpall: tables with defaults, types, indexes, generated
# columns, partitions and settings of the extension are restored unchanged, and
# the restored server generates new ids.

use FlakeidTest;
use FlakeidHorizon;

my $node = new_node('dumped', q{
flakeid.node_bits = 2
flakeid.node_id = 3
});
my $rows = scaled(2000);

make_item($node);
$node->safe_psql('postgres', qq{
INSERT INTO item (session, n) SELECT 'before', i FROM generate_series(1, $rows) AS i;
CREATE ROLE raiser;
CREATE ROLE patient LOGIN;
ALTER ROLE patient SET flakeid.max_wait = '3s';
ALTER ROLE patient SET flakeid.ulidflake_step_bits = 8;
GRANT EXECUTE ON FUNCTION flakeid_raise_floor(timestamptz) TO raiser;
CREATE FUNCTION with_setting() RETURNS text LANGUAGE plpgsql
SET flakeid.max_wait = '4s' AS \$\$
BEGIN RETURN current_setting('flakeid.max_wait'); END \$\$;
CREATE VIEW recent AS SELECT n, scru160, v7 FROM item
WHERE uuid_v7_in_range(v7, now() - interval '1 hour', now() + interval '1 hour')
  AND fluid_in_range(fluid, now() - interval '1 hour', now() + interval '1 hour',
	'2024-01-01 00:00:00Z')
  AND scru160 <> '00000000000000000000000000000000';
CREATE MATERIALIZED VIEW by_hour AS
SELECT date_trunc('hour', fluid_made) AS hour, count(*), min(scru160), max(scru160)
FROM item GROUP BY 1;
CREATE TABLE part (id uuid PRIMARY KEY DEFAULT uuid_generate_v7()) PARTITION BY RANGE (id);
CREATE TABLE part_old PARTITION OF part FOR VALUES
FROM (MINVALUE) TO (uuid_v7_min('2025-01-01 00:00:00Z'));
CREATE TABLE part_new PARTITION OF part FOR VALUES
FROM (uuid_v7_min('2025-01-01 00:00:00Z')) TO (MAXVALUE);
INSERT INTO part SELECT uuid_generate_v7() FROM generate_series(1, 10);
CREATE DOMAIN made_here AS bigint CHECK (fluid_get_generator(VALUE) >= 12288);
CREATE TABLE of_domain (id made_here DEFAULT fluid_generate(), many scru160[]);
INSERT INTO of_domain (many) VALUES (ARRAY[scru160_generate(), NULL]);
CREATE TABLE shuffled AS SELECT scru160, v7 FROM item ORDER BY md5(n::text);
CREATE INDEX ON shuffled (scru160, v7);
INSERT INTO shuffled SELECT * FROM shuffled LIMIT 100;
});

$node->safe_psql('postgres', 'CREATE DATABASE settled');
$node->safe_psql('postgres', q{ALTER DATABASE settled SET flakeid.max_wait = '2s'});
$node->safe_psql('settled', 'CREATE EXTENSION flakeid');

my $content = q{
SELECT count(*), md5(string_agg(i::text, ';' ORDER BY n)) FROM item AS i;
SELECT count(*) FROM recent;
SELECT * FROM by_hour ORDER BY hour;
SELECT tableoid::regclass, id FROM part ORDER BY 2;
SELECT * FROM of_domain;
SELECT pg_get_indexdef(indexrelid) FROM pg_index AS i JOIN pg_class AS c
ON c.oid = i.indrelid WHERE c.relnamespace = 'public'::regnamespace ORDER BY 1;
SELECT adrelid::regclass::text, adnum, pg_get_expr(adbin, adrelid)
FROM pg_attrdef ORDER BY 1, 2;
SELECT pg_get_viewdef('recent'::regclass);
SELECT pg_get_functiondef('with_setting'::regproc);
SELECT has_function_privilege('raiser', 'flakeid_raise_floor(timestamptz)', 'execute'),
  has_function_privilege('raiser', 'flakeid_reset_horizon()', 'execute'),
  has_function_privilege('patient', 'flakeid_raise_floor(timestamptz)', 'execute');
};
my $settings = q{
SELECT setconfig FROM pg_db_role_setting ORDER BY 1;
SELECT uuid_generate_v7() IS NULL;
SHOW flakeid.max_wait;
};
my $before = $node->safe_psql('postgres', $content);
my $settings_before = $node->safe_psql('settled', $settings);
my $newest = $node->safe_psql('postgres',
	q{SELECT format('fluid > %s AND nanoflake > %s AND ulidflake > %s', max(fluid), max(nanoflake),
		max(ulidflake))
	FROM item});
my $dump = PostgreSQL::Test::Utils::tempdir . '/dump';

# Restore into one new database after the other, in the same server.
foreach my $format ('custom', 'plain')
{
	my @restore =
	  $format eq 'custom'
	  ? ('pg_restore', '--exit-on-error', '--dbname', $format, $dump)
	  : ('psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d', $format, '-f', $dump);

	$node->safe_psql('postgres', "CREATE DATABASE $format");
	$node->command_ok(
		[ 'pg_dump', '--format', $format, '--file', $dump, 'postgres' ],
		"pg_dump writes the $format format");
	$node->command_ok(\@restore, '... and the dump is restored');
	is($node->safe_psql($format, $content), $before, '... with all objects and rows');
}

# Dump all databases and restore them into another server.
$node->command_ok([ 'pg_dumpall', '--no-sync', '--file', $dump ], 'pg_dumpall');

my $restored = PostgreSQL::Test::Cluster->new('restored');

$restored->init;
$restored->append_conf('postgresql.conf', q{
autovacuum = off
timezone = 'UTC'
shared_preload_libraries = 'flakeid'
flakeid.node_bits = 2
flakeid.node_id = 3
});
$restored->start;
$restored->command_ok(
	[ 'psql', '-X', '-q', '-d', 'template1', '-f', $dump ],
	'... and the dump is restored into another server');
is($restored->safe_psql('postgres', $content), $before, '... with all objects and rows');
is($restored->safe_psql('settled', $settings), $settings_before, '... and all settings');
like($settings_before, qr/^2s$/m, '... that of a database');
is($restored->safe_psql('postgres', 'SELECT with_setting()'), '4s', '... that of a function');
is(run_sql($restored, q{
	SELECT uuid_generate_v7() IS NULL;
	SHOW flakeid.max_wait;
	SHOW flakeid.ulidflake_step_bits}, PGUSER => 'patient'),
	"f\n3s\n8", '... that of a role');
is(run_sql($restored, qq{
	SET flakeid.max_wait = '20s';
	INSERT INTO item (session, n) VALUES ('after', 1) RETURNING $newest}),
	't', 'restored: new ids are above all ids in the table');
check_item($restored, 'restored');
is($restored->safe_psql('postgres', 'INSERT INTO of_domain DEFAULT VALUES RETURNING id > 0'),
	't', '... and new ids have the node id');
$restored->command_ok([ 'pg_amcheck', '--all', '--heapallindexed' ], 'pg_amcheck finds no error');
$restored->stop;

# A dump does not include the horizons.  An administrator raises them if the
# clock is behind that of the dump.
SKIP:
{
	skip 'no compiler for the shim of the clock', 3 unless clock_library();

	my $behind = PostgreSQL::Test::Cluster->new('behind');

	$behind->init;
	$behind->append_conf('postgresql.conf', q{
shared_preload_libraries = 'flakeid'
flakeid.node_bits = 2
flakeid.node_id = 3
});
	set_clock($behind, -3600);
	start_with_clock($behind);
	$behind->command_ok(
		[ 'psql', '-X', '-q', '-d', 'template1', '-f', $dump ],
		'restored into a server whose clock is an hour behind');
	$behind->safe_psql('postgres', q{
		SELECT flakeid_raise_floor(greatest(
		  fluid_to_timestamptz(max(fluid)), nanoflake_to_timestamptz(max(nanoflake)),
		  ulidflake_to_timestamptz(max(ulidflake)))) FROM item});
	is(run_sql($behind, q{
		SELECT fluid_generate() > max(fluid), ulidflake_generate() > max(ulidflake)
		FROM item}),
		't|t', '... ids continue after the raised floor');
	like(run_sql($behind, 'SET flakeid.max_wait = 100; SELECT nanoflake_generate()'),
		qr/ERROR:  55000: could not generate a Nanoflake: the clock is 3\d\d\d\d\d\d ms behind/,
		'... and Nanoflake waits for it');
	$behind->stop;
}

done_testing();
