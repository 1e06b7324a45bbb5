# Run the native recipes of doc/partitioning.md as printed. t/095_partman.pl
# runs those of pg_partman.

use FlakeidTest;
use FlakeidDoc;
use FlakeidHorizon;

adopt_orphans();

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
new_database($node, $database, "CREATE EXTENSION flakeid;\n" . slurp_file("$src/contrib/partitions.sql"));

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

# New months are created while others read and write, with the columns, defaults
# and keys of the table, and only those that are missing.
my $writer = session($node);

$writer->query("\\c $database\nBEGIN; UPDATE events SET what = what");
sql(qq{SELECT create_months('events', 'uuid_v7_min', to_date('$month', 'YYYY_MM'), 5)});
$writer->query('COMMIT');
$writer->quit;
holds(q{count(*) = 7 AND count(k.indexrelid) = 7 AND bool_and(pg_get_expr(adbin, adrelid) = 'uuid_generate_v7()')
	FROM pg_inherits LEFT JOIN pg_index AS k ON k.indrelid = inhrelid AND indisprimary
	LEFT JOIN pg_attrdef ON adrelid = inhrelid WHERE inhparent = 'events'::regclass},
	'run again, it creates the missing partitions');
refused(q{INSERT INTO events VALUES (uuid_v7_min('2030-01-01Z'))},
	qr/no partition of relation "events" found for row/, 'an id without a partition is an error');

# A month is the same whatever the session's time zone is.
sql(q{
	SET timezone = 'Pacific/Auckland';
	CREATE TABLE readings (id scru160 NOT NULL) PARTITION BY RANGE (id);
	CREATE TABLE "Flakes" (id bigint) PARTITION BY RANGE (id);
	SELECT create_months('readings', 'scru160_min', '2026-01-31 13:00:00Z', 1),
	  create_months('"Flakes"', 'nanoflake_min', '2026-01-01 00:00:00Z', 1),
	  create_months('"Flakes"', 'ulidflake_min', '2040-01-01 00:00:00Z', 1);
	INSERT INTO readings VALUES (scru160_min('2026-01-01 00:00:00Z')), (scru160_min('2026-01-31 23:59:59Z'));
	INSERT INTO "Flakes" VALUES (nanoflake_min('2026-01-01 00:00:00Z')), (ulidflake_min('2040-01-31 23:59:59Z'))});
refused(q{INSERT INTO readings VALUES (scru160_min('2026-02-01 00:00:00Z'))}, qr/no partition/,
	'months are those of UTC, for every format');

# Two at once
my $again = q{SELECT create_months('events', 'uuid_v7_min', '2040-01-01 00:00:00Z', 2)};
my $other = session($node, database => $database);

$other->query("BEGIN; $again");
refused($again, qr/canceling statement due to lock timeout/, 'one does not wait for long for another');
$other->query('COMMIT');
$other->quit;
sql("$again; DROP TABLE events_2040_01, events_2040_02");

# Each boundary belongs to the later month, and the id just before it to the
# earlier one.
is(sql(q{
	INSERT INTO events VALUES
	(uuid_v7_from_parts(uuid_v7_get_ticks(uuid_v7_min('2026-02-01 00:00:00Z')) - 1, 4095,
	   '\x3fffffffffffffff'), 'last'),
	(uuid_v7_min('2026-02-01 00:00:00Z'), 'first');
	SELECT what, tableoid::regclass FROM events WHERE what <> 'now' ORDER BY id}),
	"last|events_2026_01\nfirst|events_2026_02", '... at the boundary');
refused('INSERT INTO events SELECT id FROM events',
	qr/duplicate key value violates unique constraint/, 'an id is unique across all partitions');
is(sql(q{
	CREATE TABLE replies (event uuid NOT NULL REFERENCES events);
	INSERT INTO replies SELECT id FROM events WHERE what = 'first';
	INSERT INTO events SELECT id, 'again' FROM events ON CONFLICT (id) DO UPDATE SET what = 'updated';
	SELECT DISTINCT what FROM events}), 'updated', '... and ON CONFLICT (id) detects it');
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
my $old = q{FROM pg_inherits JOIN pg_class AS c ON c.oid = inhrelid
	WHERE inhparent = 'events'::regclass AND relname >= 'events_2'
	AND relname < to_char(now() AT TIME ZONE 'UTC' - interval '6 months', '"events_"YYYY_MM')};

sql(q{SELECT create_months('events', 'uuid_v7_min', now() - interval '8 months', 3);
	CREATE TABLE april PARTITION OF events FOR VALUES FROM (uuid_v7_min('2019-04-01Z')) TO (uuid_v7_min('2019-05-01Z'));
	DROP TABLE replies;
	CREATE TABLE places (place integer PRIMARY KEY);
	ALTER TABLE events ADD place integer REFERENCES places});
my $kept = sql(q{SELECT count(*) FROM pg_inherits WHERE inhparent = 'events'::regclass}) - sql("SELECT count(*) $old");
isnt(sql("SELECT count(*) $old"), 0, '... there are old partitions');

# Behind a reader, and again behind a writer of another table
my ($reader, $stderr) = (session($node, database => $database));
my $detached = q{SELECT count(*) FROM pg_class WHERE NOT relispartition AND obj_description(oid) ~ '^to be dropped'};

$reader->query('BEGIN; SELECT count(*) FROM events; LOCK places IN ROW EXCLUSIVE MODE');
foreach (1 .. 2)
{
	$node->psql($database, q{SET statement_timeout = '1min'; SELECT drop_months('events', now() - interval '6 months') \gexec},
		stderr => \$stderr);
	like($stderr, qr/canceling statement due to lock timeout/, '... foreign keys limit its wait');
}
is(sql('SELECT count(*) FROM pg_inherits WHERE inhdetachpending'), 1, '... interrupted, it leaves a partition half detached');
$reader->quit;
sql(q{SELECT drop_months('events', now() - interval '6 months') \gexec});
cmp_ok(sql($detached), '>', 1, '... continues');
recipe();
is(sql($detached), 0, '... and drops what was detached');
is(sql("SELECT (SELECT count(*) $old), count(*) FROM pg_inherits WHERE inhparent = 'events'::regclass"), "0|$kept",
	'... and no others');

# -------------------------------------------------------- a default partition

sql(q{CREATE TABLE events_default PARTITION OF events DEFAULT;
	CREATE TABLE november PARTITION OF events FOR VALUES
	FROM (uuid_v7_min('2025-11-01 00:00:00Z')) TO (uuid_v7_min('2025-12-01 00:00:00Z'));
	INSERT INTO events SELECT gen_random_uuid(), 'a stranger'});
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

# The server's message about the proof
my $said;
sub told { return (before => "SET client_min_messages = debug1;\n", stderr => \$said) }

# Each row, and what refers to it
my $rows = q{SELECT count(*), sum(hashtext(logs::text)::numeric), sum(n), count(note)
	FROM logs LEFT JOIN notes ON log = logs.id};

$heading = 'Partition a table that already exists';
sql(q{
	CREATE TABLE logs (id uuid PRIMARY KEY DEFAULT uuid_generate_v7(), what text NOT NULL);
	INSERT INTO logs SELECT uuid_v7_min(ts), 'old'
	FROM generate_series('2025-11-01 00:00:00Z', '2026-11-01 00:00:00Z', interval '1 day') AS ts;
	CREATE TABLE notes (note bigserial PRIMARY KEY, log uuid NOT NULL REFERENCES logs ON DELETE CASCADE, n integer);
	INSERT INTO notes (log, n) SELECT id, 7 FROM logs;
	CREATE TABLE parts (log uuid NOT NULL, n integer, CONSTRAINT parts_key FOREIGN KEY (log) REFERENCES logs)
	PARTITION BY RANGE (n);
	CREATE TABLE part PARTITION OF parts FOR VALUES FROM (0) TO (10);
	INSERT INTO parts SELECT log, n FROM notes;
	CREATE VIEW shown AS SELECT what FROM logs;
	CREATE TABLE before AS SELECT 'logs'::regclass::oid AS logs, 'logs_pkey'::regclass::oid AS key});
my $before_rows = sql($rows);

recipe();
# What the page says about a referring table that is partitioned
sql('ALTER TABLE parts DROP CONSTRAINT parts_key');

my ($busy, $mover) = map { session($node, database => $database) } 1 .. 2;

$busy->query('BEGIN; DELETE FROM notes WHERE false');
recipe(fails => qr/canceling statement due to lock timeout/);
block_again($heading);
sql(q{
	ALTER FUNCTION partition_table SET lock_timeout = 0;
	CREATE TABLE kinds (kind integer PRIMARY KEY);
	CREATE TABLE things (id uuid NOT NULL, kind integer REFERENCES kinds,
		CONSTRAINT old_ids CHECK (id < uuid_v7_min('2027-01-01Z')))});
$busy->query('SELECT FROM things, kinds');
$mover->send(q{SELECT partition_table('things', 'id', 'uuid_v7_min', '2027-01-01Z', 1)});
ok($node->poll_query_until($database, 'SELECT relation::regclass FROM pg_locks WHERE NOT granted', 'kinds'),
	'... waits for other tables before it stops readers of its own');
$_->quit foreach $busy, $mover;
sql(q{ALTER FUNCTION partition_table SET lock_timeout = '100ms'; DROP TABLE things, kinds});
recipe(told());
like($said, qr/table "logs_old" is implied by existing constraints/, '... attaches without a scan');
recipe();
$node->psql($database, q{
	ALTER TABLE part ADD CONSTRAINT parts_key FOREIGN KEY (log) REFERENCES logs NOT VALID;
	ALTER TABLE part VALIDATE CONSTRAINT parts_key;
	SET client_min_messages = debug1;
	ALTER TABLE parts ADD CONSTRAINT parts_key FOREIGN KEY (log) REFERENCES logs}, stderr => \$said);
unlike($said, qr/validating foreign key|ERROR/, '... a partitioned table takes the keys of its partitions');
is(sql($rows), $before_rows, '... the same rows, and the same that refer to them');
holds('min(logs.tableoid) = min(before.logs) FROM logs, before', 'the old rows are not moved');
holds(q{indexrelid = key FROM pg_index, before WHERE indrelid = logs AND indisprimary},
	'their primary key is not rebuilt');
holds(q{bool_and(convalidated AND pg_get_constraintdef(oid) ~ 'REFERENCES logs\(id\)')
	AND count(*) = 2 FROM pg_constraint WHERE contype = 'f' AND conname ~ '^(notes|parts)' AND conparentid = 0},
	'foreign keys refer to the new table');
sql(q{
	INSERT INTO logs VALUES (uuid_v7_min('2027-01-10Z'), 'new');
	INSERT INTO notes (log, n) VALUES (uuid_v7_min('2027-01-10Z'), 1);
	INSERT INTO parts VALUES (uuid_v7_min('2027-01-10Z'), 1)});
holds(q{tableoid = 'logs_2027_01'::regclass FROM logs WHERE what = 'new'},
	'new rows are routed to the new partition');
holds(q{count(*) = 1 FROM shown WHERE what = 'new'}, 'a view reads the new table');

# ------------------------------------------------------------------- split

# While rows change, and are deleted: also by a transaction that began before
# they were copied.
$heading = 'Split the first partition';
$before_rows = sql($rows);
sql('DROP VIEW shown; DROP TABLE parts; ALTER TABLE notes RENAME CONSTRAINT notes_log_fkey TO "a key"');

my $early = session($node);

$early->query("\\c $database\nBEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM logs");
recipe();
holds(q{count(*) = (SELECT count(*) FROM logs_old) FROM logs_split}, 'all rows are copied');
like($early->query(q{DELETE FROM logs WHERE id = uuid_v7_min('2026-05-05Z')}), qr/ERROR:  40001/,
	'... one that a transaction does not see there cannot be deleted by it');
$early->quit;
is(sql(q{
	UPDATE logs SET what = 'updated' WHERE id < uuid_v7_min('2025-12-01Z');
	DELETE FROM logs WHERE id = uuid_v7_min('2026-05-06Z');
	INSERT INTO logs VALUES (uuid_v7_min('2026-05-05 12:00:00Z'), 'late');
	UPDATE logs SET id = uuid_v7_min('2026-06-06 06:00:00Z') WHERE what = 'late';
	SELECT * FROM logs_old EXCEPT SELECT * FROM logs_split;
	SELECT * FROM logs_split EXCEPT SELECT * FROM logs_old}), '', '... and changed with them');
sql(q{DELETE FROM logs_split WHERE id > uuid_v7_min('2026-03-03Z')});

my ($deleter, $copier) = map { session($node, database => $database) } 1 .. 2;

$deleter->query(q{BEGIN; SELECT FROM logs_old WHERE id = uuid_v7_min('2026-05-07Z') FOR UPDATE});
$copier->send(q{CALL copy_rows('logs_old', 'logs_split', 'id', 100)});
ok($node->poll_query_until($database, q{SELECT count(*) = 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'}),
	'... who may delete a row is awaited');
$_->quit foreach $deleter, $copier;
holds(q{count(*) = (SELECT count(*) FROM logs_old) FROM logs_split}, 'also after an interruption');
$before_rows = sql($rows);
recipe(told());
like($said, qr/table "logs_split" is implied by existing constraints/, '... attaches without a scan');
is(sql($rows), $before_rows, '... the same rows');
holds(q{to_regclass('logs_old') IS NULL AND tableoid = 'logs_split_2026_06'::regclass
	FROM logs WHERE what = 'late'}, 'in their months');
holds(q{convalidated AND confrelid = 'logs'::regclass FROM pg_constraint WHERE conname = 'a key'},
	'foreign keys refer to the table');
is(read_in(sql(q{EXPLAIN SELECT * FROM logs
	WHERE uuid_v7_between(id, '2026-05-05 00:00:00Z', '2026-05-06 00:00:00Z')})), 'logs_split_2026_05',
	'... a range reads one of them');

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

# Restart by a crash, which copy_rows must notice: here each row that it copies
# inserts another one.
sql(q{
	CREATE TABLE copied (id bigint PRIMARY KEY);
	CREATE TABLE copy (id bigint);
	INSERT INTO copied SELECT generate_series(1, 1000);
	CREATE FUNCTION copy_another() RETURNS trigger LANGUAGE plpgsql AS
	'BEGIN INSERT INTO copied VALUES (NEW.id + 1000); RETURN NULL; END';
	CREATE TRIGGER copy_another BEFORE INSERT ON copy FOR EACH ROW EXECUTE FUNCTION copy_another()});
my $endless = session($node, database => $database);

$endless->send(q{CALL copy_rows('copied', 'copy', 'id', 10)});
ok($node->poll_query_until($database, q{SELECT (SELECT count(*) > 1000 FROM copied) FROM pg_stat_activity
	WHERE query ~ '^CALL copy_rows' AND wait_event = 'PgSleep'}), 'copy_rows pauses');
ok(kill_postmaster($node, 0), 'copy_rows ends with the postmaster');
$endless->quit;
$node->start;
is(sql($bounds), $before, '... bounds do not depend on the setting');
refused(q{CREATE TABLE again PARTITION OF orders FOR VALUES
	FROM (fluid_min('2026-01-01 00:00:00Z', '2024-01-01 00:00:00Z')) TO (MAXVALUE)},
	qr/would overlap partition "orders_2026_01"/, 'nor does the second argument change them');

all_blocks_run();
$node->stop;
done_testing();
