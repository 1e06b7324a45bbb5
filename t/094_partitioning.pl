# Run the native recipes of doc/partitioning.md as printed. t/095_partman.pl
# runs those of pg_partman.

use FlakeidTest;
use FlakeidDoc;

my $node = $server = new_node('partitioning');

$database = 'recipes';

# The distinct partitions in a plan
sub read_in
{
	my ($plan) = @_;
	my %seen;

	$seen{$1} = 1 while $plan =~ / on (\w+?)(?:_pkey)?\b/g;
	return join ' ', sort keys %seen;
}

read_page('partitioning.md', qr/^pg_partman/);
new_database($node, $database, 'CREATE EXTENSION flakeid');

# --------------------------------------------------------------------- UUIDv7

$heading = '';
my ($month, $next) = split /\|/, sql(q{
	SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY_MM'),
	to_char(now() AT TIME ZONE 'UTC' + interval '1 minute', 'YYYY_MM')});

recipe();
foreach my $table ('events', 'orders')
{
	like(sql("SELECT tableoid::regclass FROM $table"),
		qr/^${table}_(?:$month|$next)$/, "... a new id of $table is routed to its month");
}
holds(q{count(*) FILTER (WHERE inhparent = 'events'::regclass) = 6
	AND count(*) FILTER (WHERE inhparent = 'orders'::regclass) = 4 FROM pg_inherits},
	'four months are created ahead');
sql(qq{SELECT create_months('events', 'uuid_v7_min', to_date('$month', 'YYYY_MM'), 5)});
holds(q{count(*) = 7 FROM pg_inherits WHERE inhparent = 'events'::regclass},
	'run again, it creates the missing partitions');
refused(q{INSERT INTO events VALUES (uuid_v7_min('2030-01-01Z'))},
	qr/no partition of relation "events" found for row/, 'an id without a partition is an error');

# A month is the same whatever the session's time zone is.
sql(q{
	SET timezone = 'Pacific/Auckland';
	CREATE TABLE readings (id scru160 NOT NULL) PARTITION BY RANGE (id);
	CREATE TABLE flakes (id bigint) PARTITION BY RANGE (id);
	SELECT create_months('readings', 'scru160_min', '2026-01-31 13:00:00Z', 1),
	  create_months('flakes', 'nanoflake_min', '2026-01-01 00:00:00Z', 1),
	  create_months('flakes', 'ulidflake_min', '2040-01-01 00:00:00Z', 1);
	INSERT INTO readings VALUES (scru160_min('2026-01-01 00:00:00Z')), (scru160_min('2026-01-31 23:59:59Z'));
	INSERT INTO flakes VALUES (nanoflake_min('2026-01-01 00:00:00Z')), (ulidflake_min('2040-01-31 23:59:59Z'))});
refused(q{INSERT INTO readings VALUES (scru160_min('2026-02-01 00:00:00Z'))}, qr/no partition/,
	'months are those of UTC, for every format');

# Each boundary belongs to the later month, and the id just before it to the
# earlier one.
sql(q{
	INSERT INTO events VALUES
	(uuid_v7_from_parts(uuid_v7_get_ticks(uuid_v7_min('2026-02-01 00:00:00Z')) - 1, 4095,
	   '\x3fffffffffffffff'), 'last'),
	(uuid_v7_min('2026-02-01 00:00:00Z'), 'first')});
is(sql(
		q{SELECT what, tableoid::regclass FROM events WHERE what <> 'now' ORDER BY id}),
	"last|events_2026_01\nfirst|events_2026_02", '... at the boundary');
refused('INSERT INTO events SELECT id FROM events',
	qr/duplicate key value violates unique constraint/,
	'an id is unique across all partitions');
sql(q{
	CREATE TABLE replies (event uuid NOT NULL REFERENCES events);
	INSERT INTO replies SELECT id FROM events WHERE what = 'first';
	INSERT INTO events SELECT id, 'again' FROM events ON CONFLICT (id) DO UPDATE SET what = 'updated'});
holds(q{array_agg(DISTINCT what) = '{updated}' FROM events}, 'and ON CONFLICT (id) detects it');
refused(q{INSERT INTO replies VALUES (gen_random_uuid())},
	qr/violates foreign key constraint/, 'foreign keys reference the id only');

$heading = 'Query by time';

my $plans = recipe();
my ($range, $present) = split /(?<=\n)(?=Append|Seq|Index|Bitmap|Result)/, $plans;

is(read_in($range), 'events_2026_01', '... a time range reads one partition');
like($present, qr/Subplans Removed: [23]/, '... pruned when execution starts');
is(read_in(sql(q{
	EXPLAIN SELECT FROM events WHERE id = '019b84a0-0000-7000-8000-000000000000'})),
	'events_2026_01', '... and so does an id');
like(sql(q{
	EXPLAIN (ANALYZE, COSTS off, TIMING off, SUMMARY off) SELECT * FROM events
	WHERE uuid_v7_between(id, now() - interval '1 minute', now() + interval '1 minute')}),
	qr/ on events_(?:$month|$next) /, '... to this month');
like(sql(q{
	PREPARE q (uuid) AS SELECT * FROM events WHERE id = $1;
	SET plan_cache_mode = force_generic_plan;
	EXPLAIN (COSTS off) EXECUTE q (uuid_v7_min('2026-02-01 00:00:00Z'))}),
	qr/Subplans Removed: 6/, '... with a parameter too');
like(recipe(before => "SET enable_sort = off;\nSET enable_seqscan = off;\n"),
	qr/-> +Append\n.* on events_\d.* on events_2026_01\b[^\n]*$/s,
	'... from the last partition to the first, without a merge');
$heading = 'Drop old rows';
recipe();
holds(q{to_regclass('events_2026_01') IS NULL}, 'the partition is dropped');
holds(q{array_agg(id) = array[uuid_v7_min('2026-02-01 00:00:00Z')] FROM events
	WHERE id < uuid_v7_min('2026-03-01 00:00:00Z')}, 'with its rows, and no others');

# --------------------------------------------------------------------- Attach

# The server's message about the proof
my $said;

sub told { return (before => "SET client_min_messages = debug1;\n", stderr => \$said) }

$node->psql($database, q{
	CREATE TABLE november (LIKE events INCLUDING ALL);
	ALTER TABLE november ADD CHECK
	(uuid_v7_between(id, '2025-11-01 00:00:00Z', '2025-12-01 00:00:00Z'));
	SET client_min_messages = debug1;
	ALTER TABLE events ATTACH PARTITION november FOR VALUES
	FROM (uuid_v7_min('2025-11-01 00:00:00Z')) TO (uuid_v7_min('2025-12-01 00:00:00Z'))},
	stderr => \$said);
like($said, qr/table "november" is implied by existing constraints/,
	'a CHECK with uuid_v7_between is a proof');

# -------------------------------------------------------- a default partition

$heading = 'Add a default partition';
recipe();
sql(q{INSERT INTO events SELECT gen_random_uuid(), 'a stranger'});
holds(q{array_agg(what) = '{a stranger}' FROM events_default}, 'takes it');
like(sql(q{
	SET enable_sort = off;
	SET enable_seqscan = off;
	EXPLAIN (COSTS off) SELECT * FROM events ORDER BY id DESC LIMIT 10}),
	qr/Merge Append/, '... and order requires a merge');
refused('ALTER TABLE events DETACH PARTITION november CONCURRENTLY',
	qr/cannot detach partitions concurrently when a default partition exists/,
	'with it, no partition can be detached concurrently');
sql(q{
	INSERT INTO events VALUES (uuid_v7_min('2025-10-10 00:00:00Z'))});
refused(q{CREATE TABLE october PARTITION OF events FOR VALUES
	FROM (uuid_v7_min('2025-10-01 00:00:00Z')) TO (uuid_v7_min('2025-11-01 00:00:00Z'))},
	qr/updated partition constraint for default partition "events_default" would be violated/,
	'nor can a partition be created for its rows');
# ------------------------------------------------------ from an existing table

$heading = 'Partition a table that already exists';
sql(q{
	CREATE TABLE logs (id uuid PRIMARY KEY DEFAULT uuid_generate_v7(), what text NOT NULL);
	INSERT INTO logs SELECT uuid_v7_from_timestamptz(ts), 'old'
	FROM generate_series('2026-01-01 00:00:00Z', '2026-11-01 00:00:00Z', interval '1 day') AS ts;
	CREATE TABLE before AS SELECT 'logs'::regclass::oid AS logs, 'logs_pkey'::regclass::oid AS key});
recipe();
recipe(told());
like($said, qr/table "logs_old" is implied by existing constraints/,
	'... attaches without a scan');
holds(q{count(*) = 305 AND min(logs.tableoid) = min(before.logs) FROM logs, before},
	'the old rows are not moved');
holds(q{indexrelid = key FROM pg_index, before WHERE indrelid = logs AND indisprimary},
	'their primary key is not rebuilt');
holds(q{indexrelid::regclass::text = 'logs_pkey' FROM pg_index
	WHERE indrelid = 'logs'::regclass AND indisprimary}, 'and the table has a primary key');
sql(q{
	INSERT INTO logs SELECT uuid_v7_from_timestamptz('2027-01-10 00:00:00Z'), 'new'});
holds(q{tableoid = 'logs_2027_01'::regclass FROM logs WHERE what = 'new'},
	'new rows are routed to the new partition');

# -------------------------------------------- FLUID, Nanoflake, Ulid-Flake

my $known = sql(q{
	SELECT create_months('orders', 'fluid_min', '2026-01-01 00:00:00Z', 2);
	EXPLAIN SELECT FROM orders WHERE fluid_between(id, '2026-01-01 00:00:00Z', '2026-02-01 00:00:00Z')});

is(read_in($known), 'orders_2026_01', 'a month reads one partition');
unlike($known, qr/Subplans Removed/, '... pruned at plan time');

# Bounds do not depend on the setting.
my $bounds = q{SELECT pg_get_expr(relpartbound, oid) FROM pg_class
	WHERE relname ~ '^orders_2026' ORDER BY relname};
my $before = sql($bounds);

$node->append_conf('postgresql.conf',
	"shared_preload_libraries = 'flakeid'\nflakeid.fluid_epoch = '2025-01-01 00:00:00Z'\n");
$node->restart;
is(sql($bounds), $before,
	'... bounds do not depend on the setting');
refused(q{CREATE TABLE again PARTITION OF orders FOR VALUES
	FROM (fluid_min('2026-01-01 00:00:00Z', '2024-01-01 00:00:00Z')) TO (MAXVALUE)},
	qr/would overlap partition "orders_2026_01"/, 'nor does the second argument change them');

# -------------------------------------------------------------------- SCRU160

is(read_in(sql(q{EXPLAIN SELECT FROM readings
		WHERE scru160_between(id, '2026-01-10 00:00:00Z', '2026-01-11 00:00:00Z')})),
	'readings_2026_01', 'a range reads one partition');
all_blocks_run();
$node->stop;
done_testing();
