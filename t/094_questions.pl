# World.
# Runs the blocks of doc/faq.md, and checks what the page says about them: plans,
# sizes, blocks of ids, and a leap second, at which the clock is set back.

use FlakeidTest qw(clock);
use FlakeidDoc;

my $node = $server = new_node('questions', "flakeid.max_wait = 2s\n", clock => 1);
my $version = $node->safe_psql('postgres', "SELECT current_setting('server_version_num')");

read_page('faq.md');
$database = 'questions';
new_database($node, $database, q{CREATE EXTENSION flakeid;
	CREATE SCHEMA ids;
	CREATE TABLE orders (id bigint PRIMARY KEY, note text);
	INSERT INTO orders
	SELECT fluid_min(now() - n * interval '10 min') FROM generate_series(1, 100) AS n;
	CREATE TABLE visits (id uuid PRIMARY KEY);
	INSERT INTO visits SELECT uuid_v7_from_timestamptz(now() - n * interval '1 s')
	FROM generate_series(1, 1000) AS n;
	CREATE TABLE readings (id uuid);
	INSERT INTO readings SELECT uuid_v7_from_timestamptz(now() - (100000 - n) * interval '1 s')
	FROM generate_series(1, 100000) AS n;
	VACUUM ANALYZE});

$heading = 'How do I page through a table?';
recipe();
$heading = 'How do I get the time out of an id, and find the rows of a day?';
recipe();

$heading = 'How do I count rows by hour, or by quarter of an hour?';
is(recipe(), sql(q{SELECT to_timestamp(floor(extract(epoch FROM made) / 900) * 900), count(*)
	FROM orders, fluid_to_timestamptz(id) AS made WHERE made >= now() - interval '1 day'
	GROUP BY 1 ORDER BY 1}), '... as counted otherwise');

# ---------------------------------------------------------------- max(uuid)

$heading = 'How do I get the newest id? There is no max(uuid)';

my ($newest, $oldest) = split /\n/,
  sql(q{(SELECT id FROM visits ORDER BY uuid_v7_to_timestamptz(id) DESC LIMIT 1) UNION ALL
	(SELECT id FROM visits ORDER BY uuid_v7_to_timestamptz(id) LIMIT 1)});

is(recipe(), $newest, '... returns it');
refused('SELECT max(id) FROM visits', qr/function max\(uuid\) does not exist/, 'no max(uuid)')
  if $version < 190000;
recipe();

my $with = 'SET search_path = ids, public; SET enable_seqscan = off;';

like(sql("$with EXPLAIN (COSTS off) SELECT max(id) FROM visits"),
	qr/Index Only Scan Backward using visits_pkey/, '... max(id) reads the end of the index');
like(sql("$with EXPLAIN (COSTS off) SELECT min(id) FROM visits"),
	qr/Index Only Scan using visits_pkey/, '... and min(id) its start');
is(sql("$with SELECT max(id), min(id) FROM visits;
	SELECT max(id), min(id) FROM visits WHERE id::text <> ''"),
	"$newest|$oldest\n$newest|$oldest", '... also of a part of the table');

# ------------------------------------------------------------ blocks of ids

$heading = 'How do I fetch ids before the INSERT?';

my @block = split /\n/, recipe();

is(scalar @block, 100, '... returns a block');
ok(increasing(@block), '... in order');

# --------------------------------------------------------------------- BRIN

my $hour_ago = sql(q{SELECT now() - interval '1 hour'});
my $hour = "SELECT count(*) FROM readings WHERE uuid_v7_in_range(id, '$hour_ago', 'infinity')";
my $rows = sql($hour);

$heading = 'Do I need a BRIN index?';
recipe();
like(sql("SET enable_seqscan = off; EXPLAIN (COSTS off) $hour"),
	qr/Bitmap Index Scan on readings_id_idx\n +Index Cond: \(\(id >= /, '... which a range uses');
is(sql("SET enable_seqscan = off; $hour"), $rows, '... and finds its rows');
sql('CREATE INDEX b_tree ON readings (id)');
holds(q{pg_relation_size('b_tree') > 50 * pg_relation_size('readings_id_idx')},
	'a B-tree is larger');
like(sql("SET enable_seqscan = off; EXPLAIN (ANALYZE, COSTS off, TIMING off)
	SELECT FROM readings WHERE id = uuid_v7_min(now() - interval '12 hours')
		AND id < uuid_v7_min('infinity')"), qr/b_tree/, '... and the right one for a primary key');

# -------------------------------------------------------------- leap second

my $session = session($node, database => $database);
my $ids = 'SELECT fluid_generate(), ulidflake_generate(), uuid_generate_v7(), scru160_generate()';
my ($nanoflake, @before) = split /[|\n]/, $session->query("SELECT nanoflake_generate(); $ids");

set_clock($node, -1);

my @after = split /\|/, $session->query($ids);

is(scalar(grep { $after[$_] gt $before[$_] } 0 .. 3), 4,
	'a clock set back by a second: ids of four formats continue in order');
cmp_ok($session->query('SELECT nanoflake_generate()'), '>', $nanoflake,
	'... and a Nanoflake after a wait');
$session->quit;
all_blocks_run();
$node->stop;
done_testing();
