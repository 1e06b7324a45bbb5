# World.
# Runs the blocks of doc/ranges.md, and checks what the page says about them: plans and
# sizes.  Then a leap second, at which the clock is set back, as in doc/operating.md.

use FlakeidTest qw(clock);
use FlakeidDoc;
use Time::Local qw(timegm);

my $node = $server = new_node('questions', "flakeid.max_wait = 2s\n", clock => 1);
my $version = $node->safe_psql('postgres', "SELECT current_setting('server_version_num')");

# At noon, so that no day begins while the test runs
my $offset = timegm(0, 0, 12, 15, 10, 2026) - time;

set_clock($node, $offset);
read_page('ranges.md');
($database, $heading) = ('questions', '');
new_database($node, $database, q{CREATE EXTENSION flakeid;
	CREATE SCHEMA ids;
	CREATE TABLE readings (id uuid);
	INSERT INTO readings SELECT uuid_v7_from_timestamptz(now() - (100000 - n) * interval '1 s')
	FROM generate_series(1, 100000) AS n;
	VACUUM ANALYZE});
like(recipe(), qr/\|first\n.*\|second\z/, '... returns the new rows');

# Rows of the last 20 hours
sql(q{TRUNCATE events;
	INSERT INTO events SELECT uuid_v7_from_timestamptz(now() - n * interval '1 min')
	FROM generate_series(1, 1200) AS n});

$heading = 'What a range contains';
sql(q{INSERT INTO events VALUES (uuid_v7_min('2026-01-10'), 'tenth'),
	(uuid_v7_min('2026-01-11'), 'eleventh'), (uuid_v7_min(now() - interval '91 days'), 'old')});

my $days = sql(q{SELECT count(*) FROM events
	WHERE uuid_v7_to_timestamptz(id) >= date_trunc('day', now()) - interval '1 day'
	AND uuid_v7_to_timestamptz(id) < date_trunc('day', now())});
my $tenth = sql(q{SELECT uuid_v7_min('2026-01-10') || '|tenth'});
my @selected = split /\n/, recipe();

is(scalar(grep { $_ ne $tenth } @selected), $days, '... yesterday');
is(scalar(grep { $_ eq $tenth } @selected), 1, '... and a day, but not the next one');
is(sql(q{SELECT count(*) FROM events WHERE note = 'old'}), 0, '... and deletes old rows');

$heading = 'Page through a table';
is((split /\n/, recipe())[19],
	sql(q{SELECT id || '|' FROM events ORDER BY id DESC OFFSET 19 LIMIT 1}),
	'... begins with the newest 20 rows');
like(recipe(), qr/\A(?:.+\n){99}.+\z/, '... and 100 rows from a range');

$heading = 'Read the time of an id';
sql(q{INSERT INTO events VALUES (uuid_v7_min('2026-01-10'), 'tenth')});
like(recipe(), qr/^2026-01-10 00:00:00.*\|tenth$/m, '... as the row was inserted with it');

$heading = 'Count rows by hour';
is(recipe(), sql(q{SELECT to_timestamp(floor(extract(epoch FROM made) / 900) * 900), count(*)
	FROM events, uuid_v7_to_timestamptz(id) AS made WHERE made >= now() - interval '1 day'
	GROUP BY 1 ORDER BY 1}), '... as counted otherwise');

# ---------------------------------------------------------------- max(uuid)

$heading = 'The newest id';

my ($newest, $oldest) = split /\n/,
  sql(q{(SELECT id FROM events ORDER BY uuid_v7_to_timestamptz(id) DESC LIMIT 1) UNION ALL
	(SELECT id FROM events ORDER BY uuid_v7_to_timestamptz(id) LIMIT 1)});

is(recipe(), $newest, '... returns it');
refused('SELECT max(id) FROM events', qr/function max\(uuid\) does not exist/, 'no max(uuid)')
  if $version < 190000;
recipe();

my $with = 'SET search_path = ids, public; SET enable_seqscan = off;';

like(sql("$with EXPLAIN (COSTS off) SELECT max(id) FROM events"),
	qr/Index Only Scan Backward using events_pkey/, '... max(id) reads the end of the index');
like(sql("$with EXPLAIN (COSTS off) SELECT min(id) FROM events"),
	qr/Index Only Scan using events_pkey/, '... and min(id) its start');
is(sql("$with SELECT max(id), min(id) FROM events;
	SELECT max(id), min(id) FROM events WHERE id::text <> ''"),
	"$newest|$oldest\n$newest|$oldest", '... also of a part of the table');

# --------------------------------------------------------------------- BRIN

my $hour_ago = sql(q{SELECT now() - interval '1 hour'});
my $hour = "SELECT count(*) FROM readings WHERE uuid_v7_in_range(id, '$hour_ago', 'infinity')";
my $rows = sql($hour);

$heading = 'BRIN indexes';
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

# --------------------------------------------------------------------- plans

$heading = 'How the planner uses a range';
like(recipe(),
	qr/Index Cond: \(\(id >= '[-0-9a-f]+'::uuid\) AND \(id < '[-0-9a-f]+'::uuid\)\)$/m,
	'... is two comparisons with constants');
recipe();
all_blocks_run();

# -------------------------------------------------------------- leap second

my $session = session($node, database => $database);
my $ids = 'SELECT fluid_generate(), ulidflake_generate(), uuid_generate_v7(), scru160_generate()';
my ($nanoflake, @before) = split /[|\n]/, $session->query("SELECT nanoflake_generate(); $ids");

set_clock($node, $offset - 1);

my @after = split /\|/, $session->query($ids);

is(scalar(grep { $after[$_] gt $before[$_] } 0 .. 3), 4,
	'a clock set back by a second: ids of four formats continue in order');
cmp_ok($session->query('SELECT nanoflake_generate()'), '>', $nanoflake,
	'... and a Nanoflake after a wait');
$session->quit;
$node->stop;
done_testing();
