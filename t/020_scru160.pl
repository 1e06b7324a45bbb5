# SCRU160: dump and restore, a large index checked by pg_amcheck, a hot
# standby.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $scale = $ENV{CHECK_SCALE} || 1;
my $rows = int(1_000_000 * $scale) || 1;

my $primary = PostgreSQL::Test::Cluster->new('primary');
$primary->init(allows_streaming => 1);
$primary->append_conf('postgresql.conf', "autovacuum = off\n");
$primary->start;
$primary->safe_psql('postgres', q{
CREATE SCHEMA ids;
CREATE EXTENSION flakeid SCHEMA ids;
CREATE EXTENSION amcheck;
CREATE TABLE item (
  id ids.scru160 PRIMARY KEY DEFAULT ids.scru160_generate(),
  n integer,
  known ids.scru160 DEFAULT '05TTUP1HNCPNH30VEK64KDQT9BSNU4C4',
  many ids.scru160[],
  CHECK (ids.scru160_get_counter(id) >= 0));
CREATE INDEX item_hash ON item USING hash (id);
CREATE INDEX item_brin ON item USING brin (id);
CREATE INDEX item_time ON item (ids.scru160_to_timestamptz(id) DESC);
CREATE VIEW recent AS SELECT id, n FROM item
WHERE ids.scru160_between(id, now() - interval '1 hour',
  now() + interval '1 hour') AND id OPERATOR(ids.<>) known;
CREATE TABLE part (id ids.scru160) PARTITION BY RANGE (id);
CREATE TABLE part_1 PARTITION OF part
FOR VALUES FROM (MINVALUE) TO ('06GVR63N4KJ0R0MT9E16JCUSQ5BNDM7D');
});

# Indexes of many ids, on a table in their order and on a shuffled one
$primary->safe_psql('postgres', qq{
INSERT INTO item (n) SELECT i FROM generate_series(1, $rows) AS i;
INSERT INTO item VALUES ('017bdf6431bb33788c1f750c4a375d4af97f1184', 0,
  'VVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVV',
  '{00000000000000000000000000000000,NULL}');
CREATE TABLE shuffled AS SELECT id FROM item ORDER BY md5(id::text);
CREATE INDEX shuffled_id ON shuffled (id);
INSERT INTO shuffled SELECT id FROM shuffled LIMIT 1000;
});
$primary->command_ok(
	[
		'pg_amcheck', '--heapallindexed', '--rootdescend', '--index',
		'item_pkey', '--index', 'shuffled_id', '--index', 'item_time',
		'postgres'
	],
	"pg_amcheck finds no error in indexes of $rows ids");
is($primary->safe_psql('postgres', q{
	SELECT count(*) FROM (
	  SELECT n, row_number() OVER (ORDER BY id) - 1 AS by_id FROM item) AS i
	WHERE n <> by_id}),
	0, "$rows ids are in the order of their generation");

# Dump and restore: data, keys, defaults, indexes, a view
my $content = q{
SELECT count(*), md5(string_agg(concat_ws(',', id, n, known, many), ';'
                                ORDER BY n)) FROM item;
SELECT count(*) FROM recent;
SELECT relname, relkind FROM pg_class
WHERE relnamespace = 'public'::regnamespace ORDER BY 1;
};
my $definitions = q{
SELECT pg_get_indexdef(indexrelid) FROM pg_index
WHERE indrelid IN ('item'::regclass, 'shuffled'::regclass) ORDER BY 1;
SELECT pg_get_constraintdef(oid) FROM pg_constraint
WHERE conrelid = 'item'::regclass AND contype <> 'n' ORDER BY 1;
SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef ORDER BY 1;
SELECT pg_get_viewdef('recent'::regclass);
SELECT pg_get_expr(relpartbound, oid) FROM pg_class WHERE relname = 'part_1';
};
my $before = $primary->safe_psql('postgres', $content . $definitions);
my $dump = PostgreSQL::Test::Utils::tempdir . '/dump';

foreach my $format ('custom', 'plain')
{
	$primary->safe_psql('postgres', "CREATE DATABASE $format");
	$primary->command_ok(
		[ 'pg_dump', '--format', $format, '--file', $dump, 'postgres' ],
		"pg_dump writes the $format format");
	$primary->command_ok(
		$format eq 'custom'
		? [ 'pg_restore', '--exit-on-error', '--dbname', $format, $dump ]
		: [
			'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d', $format, '-f',
			$dump
		],
		"... and the dump is restored");
	is($primary->safe_psql($format, $content . $definitions),
		$before, '... with all objects and rows');
	ok( $primary->safe_psql($format, q{
		INSERT INTO item (n) VALUES (-1)
		RETURNING id OPERATOR(ids.>) (SELECT ids.max(id) FROM item)}) eq 't',
		'... and the column default generates newer ids');
}

# A hot standby: generators work in recovery, and queries find the primary's
# ids.
$primary->backup('backup');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($primary, 'backup', has_streaming => 1);
$standby->start;
$primary->wait_for_catchup($standby, 'replay', $primary->lsn('insert'));

is($standby->safe_psql('postgres', 'SELECT pg_is_in_recovery()'),
	't', 'the standby is in recovery');
is($standby->safe_psql('postgres', q{
	SELECT count(DISTINCT id), count(*) FROM (
	  SELECT ids.scru160_generate() AS id FROM generate_series(1, 1000)
	  UNION ALL
	  SELECT ids.scru160_generate_us() FROM generate_series(1, 1000)) AS i}),
	'2000|2000', '... and generates ids');
is($standby->safe_psql('postgres', q{
	SET enable_seqscan = off;
	SELECT n FROM item
	WHERE id OPERATOR(ids.=) '05TTUP1HNCPNH30VEK64KDQT9BSNU4C4'}),
	0, '... and finds an id of the primary with its index');
is($standby->safe_psql('postgres', q{SELECT count(*) FROM recent}),
	$rows, '... and the range of recent ids');

$standby->stop;
$primary->stop;
done_testing();
