# Slow.
# Run every recipe of doc/migrating.md as printed, on realistic tables.  Debian
# has no packages of pg_uuidv7 and pgEdge's snowflake; SQL functions of the
# same names replace them.

use FlakeidTest;
use FlakeidDoc;
use FlakeidHorizon;

adopt_orphans();

my ($major) = qx{pg_config --version} =~ /(\d+)/;
chomp(my $sharedir = qx{pg_config --sharedir});
plan skip_all => "$sharedir/extension is not ours to write"
  unless -w "$sharedir/extension";

# Create an extension that consists of SQL only, unless the real one is
# installed.
my @written;

sub stand_in
{
	my ($name, $settings, $sql) = @_;
	my ($control, $script) = map { "$sharedir/extension/$name$_" } '.control', '--1.0.sql';

	return if -e $control;
	push @written, $control, $script;
	append_to_file($control, "default_version = '1.0'\n$settings");
	append_to_file($script, $sql);
	return;
}
END { unlink @written }

stand_in('pg_uuidv7', "relocatable = true\n", q{
CREATE FUNCTION uuid_generate_v7() RETURNS uuid LANGUAGE sql VOLATILE STRICT
RETURN overlay(gen_random_uuid()::text PLACING
  lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint >> 16), 8, '0') || '-' ||
  lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint & 65535), 4, '0') || '-7'
  FROM 1)::uuid;
CREATE FUNCTION uuid_v7_to_timestamptz(uuid) RETURNS timestamptz LANGUAGE sql STABLE STRICT
RETURN to_timestamp(('x0000' || left(replace($1::text, '-', ''), 12))::bit(64)::bigint / 1000.0);
CREATE FUNCTION uuid_timestamptz_to_v7(timestamptz, zero bool = false) RETURNS uuid LANGUAGE sql RETURN NULL::uuid;
CREATE FUNCTION uuid_v7_to_timestamp(uuid) RETURNS timestamp LANGUAGE sql RETURN NULL::timestamp;
CREATE FUNCTION uuid_timestamp_to_v7(timestamp, zero bool = false) RETURNS uuid LANGUAGE sql RETURN NULL::uuid});

# The layout of versions 2.4 to 2.6.0; ids are ahead of the clock, as those of
# a busy sequence with a large INCREMENT.
stand_in('snowflake', "schema = 'snowflake'\n", q{
CREATE FUNCTION snowflake.nextval(sequence regclass) RETURNS bigint LANGUAGE sql
RETURN ((extract(epoch FROM clock_timestamp()) * 1000)::bigint - 1672531200000 + 400) << 22 |
  (current_setting('snowflake.node')::bigint << 12) | (pg_catalog.nextval(sequence) & 4095)});

# A recipe gives up before a session looks for a deadlock, also if it is not
# scheduled for a while.
my $patient = "deadlock_timeout = 30s\nmax_prepared_transactions = 1\nwal_level = logical\nmax_wal_senders = 4\nwal_retrieve_retry_interval = 100ms\n";
my $node = $server = new_node('migrating', $patient);
my $now = q{now() - interval '1 hour' AND now() + interval '1 minute'};

# Begin to test the recipes of a heading in a new database.
sub begin
{
	(my $sql, $database, $heading) = (pop, @_);
	new_database($node, $database, $sql);
	return;
}

# Start sessions that write without a pause, each running the statements of one
# list, until writers_end() is called.
my @writers;
my $wait = 'PERFORM pg_sleep(0.002)';

sub writers_begin
{
	my (@lists) = @_;

	sql('CREATE TABLE IF NOT EXISTS stop (); TRUNCATE stop');
	foreach my $statements (@lists)
	{
		my $writer = session($node);

		$writer->query("\\connect $database");
		$writer->send("DO \$\$ DECLARE v bigint; BEGIN LOOP
			$statements;
			COMMIT;
			EXIT WHEN EXISTS (SELECT FROM stop);
			END LOOP; END \$\$");
		push @writers, $writer;
	}
	return;
}

# Check that writers met no error, such as a deadlock; with a table, wait until
# they have inserted rows above an id, by default that of every integer.
sub writers_end
{
	my ($table, $newest) = @_;

	ok($node->poll_query_until($database, "SELECT count(*) > 500 FROM $table WHERE id > "
		  . ($newest // '10::bigint ^ 15')), "$table: the writers run") if $table;
	sql('INSERT INTO stop DEFAULT VALUES');
	is(join('', map { $_->receive } @writers), '', "$database: ... and no writer gets an error");
	$_->quit foreach splice @writers;
	unlike(slurp_file($node->logfile), qr/deadlock detected/, '... or a deadlock');
	return;
}

# Run a recipe that calls contrib/migrate.sql; of one with the first call only,
# also the others, for a table and a default.  No call reads a table that it has
# locked: the tables are verified once per column, by VALIDATE CONSTRAINT.
my $procedures = slurp_file("$src/contrib/migrate.sql");

sub change_key
{
	my ($columns, $table, $default) = @_;
	my $debug = "SET client_min_messages = debug1;\n";
	my $log;

	recipe(before => $debug, stderr => \$log);
	if ($table)
	{
		my ($first, $more) = $log;

		is($node->psql($database, "$debug
			SELECT migrate_key.fill('$table') \\gexec
			SELECT migrate_key.indexes('$table') \\gexec
			CALL migrate_key.validate('$table');
			CALL migrate_key.swap('$table', '$default', 'old_id');
			CALL migrate_key.finish('$table')", stderr => \$more, on_error_stop => 1),
			0, "$table: the other calls") or diag($more);
		$log = $first . $more;
	}
	is(scalar(() = $log =~ /verifying table/g), $columns, '... verifies each column once');
	unlike($log, qr/rewriting table "(?!migrate_key_copy")/, '... and rewrites nothing');
	holds(q{bool_and(convalidated) AND NOT EXISTS (SELECT FROM migrate_key.columns)
		AND NOT EXISTS (SELECT FROM migrate_key.foreign_keys) FROM pg_constraint}, 'keys are valid, no state is left');
	return;
}

my $has_uuid_ossp = -e "$sharedir/extension/uuid-ossp.control";

# Another epoch needs server restarts: t/064_epochs.pl
read_page('migrating.md',
	$has_uuid_ossp ? qr/^Change the epoch/ : qr/^(?:Move from gen_random_uuid|Change the epoch)/);

my $status = $node->psql('postgres', 'ALTER SYSTEM SET flakeid.node_id = 7', stderr => \my $err);

$major < 17 ? like($err, qr/unrecognized configuration parameter/, 'a setting requires preloading')
	: is($status, 0, 'a setting does not require preloading');

# ------------------------------------------------------- the page's beginning
begin('opening', '', 'CREATE TABLE orders (id bigserial PRIMARY KEY, n integer)');
recipe();
sql('INSERT INTO orders (n) VALUES (1)');
holds(qq{fluid_to_timestamptz(id) BETWEEN $now FROM orders}, 'a row has a FLUID');

# -------------------------------------------------------------- subscribers

# The key keeps its type, so new values could get into the old columns there.
my $flakeid = 'CREATE EXTENSION flakeid;';
my $key = 'Change a key while it is in use';

begin('published', $key, $flakeid . $procedures . q{
	CREATE TABLE orders (id bigserial PRIMARY KEY, n integer);
	CREATE TABLE lines (id bigserial PRIMARY KEY, "order" bigint);
	CREATE FUNCTION audit() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM FROM lines; RETURN NEW; END';
	CREATE TRIGGER audit AFTER UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION audit();
	INSERT INTO orders (n) SELECT generate_series(1, 1000);
	INSERT INTO lines ("order") SELECT id FROM orders});
$node->safe_psql('postgres', 'CREATE DATABASE subscriber TEMPLATE published');
sql(q{ALTER TABLE lines ADD FOREIGN KEY ("order") REFERENCES orders; CREATE PUBLICATION p FOR TABLE orders, lines;
	SELECT pg_create_logical_replication_slot('s', 'pgoutput')});
$node->safe_psql('subscriber', q{CREATE SUBSCRIPTION s CONNECTION '} . $node->connstr('published') =~ s/'/''/gr .
	q{' PUBLICATION p WITH (slot_name = 's', create_slot = off, copy_data = off)});
my $rows = q{SELECT count(*), sum(o.id), sum("order"), sum(n), sum(lines.id) FROM orders AS o FULL JOIN lines ON o.id = "order"};

# Write to the child first.
sub write_both
{
	sql(q{UPDATE lines SET id = id WHERE id = 1; DELETE FROM lines WHERE id = (SELECT max(id) FROM lines);
		WITH o AS (INSERT INTO orders (n) VALUES (-1) RETURNING id) INSERT INTO lines ("order") SELECT id FROM o});
	return;
}
sub same_rows
{
	ok(wait_until(sub { $node->safe_psql('subscriber', $rows) eq sql($rows) }), "a subscriber has the same rows $_[0]");
	return;
}
sql(q{CALL migrate_key.prepare('orders', 'id', 'bigint', 'id + 1000000', '{p}')});
write_both();
block_again($key, 1);
$node->safe_psql('subscriber', join ';', split /\n/, recipe());
same_rows('after prepare');
sql(q{SELECT migrate_key.fill('orders') \gexec});
same_rows('after fill');
my $indexes = q{SELECT migrate_key.indexes('orders')};
$node->safe_psql('subscriber', join ";\n", split /\n/, sql($indexes));
sql(qq{$indexes \\gexec\nCALL migrate_key.validate('orders')});
write_both();
refused(q{CALL migrate_key.swap('orders')}, qr/must be: a name for the old key, because publication p/, 'a swap without it');
sql(q{CALL migrate_key.swap('orders', NULL, 'old_id')});
write_both();
ok(wait_until(sub { slurp_file($node->logfile) =~ /"public.orders" is missing replicated column: "old_id"/ }), 'it stops at the swap');
run_block($node, 'subscriber', $key);
same_rows('after the swap');
write_both();
same_rows('later');
holds('count(*) > 1000 AND count(*) = count(old_id) FROM orders WHERE id > 1000000', 'and new values');
block_again($key, 0);
recipe(before => q{CALL migrate_key.finish('orders');});
block_again($key, 3);
$node->safe_psql('subscriber', 'DROP SUBSCRIPTION s');

# ------------------------------------------------------------------ pg_uuidv7

# With a table in another schema, and a name that needs quotes
begin('all_tables', 'Move from pg_uuidv7', q{
	CREATE EXTENSION pg_uuidv7;
	CREATE TABLE events (id uuid PRIMARY KEY DEFAULT uuid_generate_v7(), note text);
	CREATE TABLE replies (id uuid PRIMARY KEY DEFAULT uuid_generate_v7(),
	  event uuid NOT NULL REFERENCES events);
	INSERT INTO events (note) VALUES ('old');
	INSERT INTO replies (event) SELECT id FROM events;
	CREATE SCHEMA "Other";
	CREATE TABLE "Other"."Table" ("Id" uuid PRIMARY KEY DEFAULT uuid_generate_v7());
	CREATE TABLE other_default (id uuid DEFAULT gen_random_uuid());
	CREATE TABLE parted (id uuid DEFAULT uuid_generate_v7(), n integer) PARTITION BY LIST (n);
	CREATE TABLE parted_same PARTITION OF parted FOR VALUES IN (1);
	CREATE TABLE parted_none PARTITION OF parted FOR VALUES IN (2);
	CREATE TABLE parted_random PARTITION OF parted FOR VALUES IN (3);
	CREATE TABLE before AS SELECT id FROM events;
	ALTER TABLE parted_none ALTER id DROP DEFAULT;
	ALTER TABLE parted_random ALTER id SET DEFAULT gen_random_uuid();
	CREATE VIEW times AS SELECT uuid_v7_to_timestamptz(id) AS at FROM events});
recipe(fails => qr/other objects depend on it.*view times depends/s);
holds(q{count(*) = 7 FROM pg_attrdef}, 'nothing changes');
sql('DROP VIEW times');
block_again($heading);
recipe();
sql(q{
	INSERT INTO events (note) VALUES ('new');
	INSERT INTO replies (event) SELECT id FROM events WHERE note = 'new';
	INSERT INTO "Other"."Table" DEFAULT VALUES;
	INSERT INTO other_default DEFAULT VALUES});
holds(qq{array_agg(e.note ORDER BY e.id) = '{old,new}'
	AND bool_and(uuid_get_version(e.id) = 7 AND uuid_v7_to_timestamptz(e.id) BETWEEN $now)
	AND count(b.id) = 1 FROM events AS e LEFT JOIN before AS b USING (id)},
	'the old row keeps its id, the new one is above it, and their times can be read');
holds(q{count(*) = 5 FROM pg_attrdef AS d
	JOIN pg_depend AS calls ON calls.classid = 'pg_attrdef'::regclass AND calls.objid = d.oid
	JOIN pg_depend AS member ON member.objid = calls.refobjid AND member.deptype = 'e'
	JOIN pg_extension AS e ON member.refobjid = e.oid AND e.extname = 'flakeid'},
	'every default now uses flakeid');
holds(q{uuid_get_version(id) = 4 FROM other_default}, 'other defaults are unchanged');
holds(q{array_agg(c.relname || ': ' || coalesce(pg_get_expr(d.adbin, d.adrelid), 'none')
	ORDER BY c.relname) = '{"parted: uuid_generate_v7()","parted_none: none",
	"parted_random: gen_random_uuid()","parted_same: uuid_generate_v7()"}'
	FROM pg_class AS c LEFT JOIN pg_attrdef AS d ON d.adrelid = c.oid
	WHERE c.relname ~ '^parted'}, 'and so are those of partitions');

my $with_index = 'SET enable_seqscan = off; SET enable_bitmapscan = off;';
my $at = 'EXPLAIN SELECT FROM events WHERE id >= uuid_timestamptz_to_v7(now()';

like(sql("$with_index $at, true)"), qr/Index Cond: \(id >= uuid_v7_min/, 'a bound uses the index');
unlike(sql("$with_index $at)"), qr/Index Cond/, 'but not without "true"');

# With pg_uuidv7 in another schema
begin('other_schema', $heading, q{
	CREATE SCHEMA "Ids"; CREATE EXTENSION pg_uuidv7 SCHEMA "Ids";
	CREATE TABLE events (id uuid PRIMARY KEY DEFAULT "Ids".uuid_generate_v7())});
block_again($heading);
recipe();
sql('INSERT INTO events DEFAULT VALUES');
holds(q{extnamespace = '"Ids"'::regnamespace FROM pg_extension WHERE extname = 'flakeid'}, 'flakeid is there');

# --------------------------------------------- uuid-ossp and gen_random_uuid
$heading = 'Move from gen_random_uuid or uuid-ossp';
SKIP:
{
	skip 'uuid-ossp is not installed', 1 unless $has_uuid_ossp;
	begin('random', $heading, q{
		CREATE EXTENSION "uuid-ossp";
		CREATE TABLE customers (id uuid PRIMARY KEY DEFAULT uuid_generate_v4(),
		  created_at timestamptz NOT NULL DEFAULT clock_timestamp());
		CREATE TABLE invoices (id uuid PRIMARY KEY DEFAULT uuid_generate_v1(),
		  customer uuid NOT NULL CONSTRAINT invoices_customer_fkey REFERENCES customers);
		INSERT INTO customers (created_at)
		SELECT now() - n * interval '1 day' FROM generate_series(1, 200) AS n;
		INSERT INTO invoices (customer) SELECT id FROM customers;
		CREATE TABLE before AS SELECT * FROM customers;
		CREATE EXTENSION flakeid;
	} . $procedures);
	recipe();
	sql(q{INSERT INTO customers SELECT FROM generate_series(1, 25);
		INSERT INTO invoices (customer) SELECT id FROM customers});
	holds(qq{count(*) FILTER (WHERE uuid_get_version(id) = 1) = 200
		AND count(*) FILTER (WHERE uuid_get_version(id) = 7) = 225
		AND bool_and(uuid_to_timestamptz(id) BETWEEN $now) FROM invoices},
		'old ids stay, new ones are version 7, and the times of both can be read');
	is(recipe(), 25, '... returns the new ones');
	holds(q{count(*) > 100 AND bool_and(uuid_to_timestamptz(id) IS NULL) FROM customers
		WHERE id > ALL (SELECT id FROM customers WHERE uuid_get_version(id) = 7)},
		'most old ids have no time, and sort after the new ones');

	my $ids = join ',', map { "'$_'" } split /\n/, recipe();

	holds(qq{count(*) = 20 FROM customers WHERE id IN ($ids) AND created_at BETWEEN $now}, 'new ones');
	like(sql($with_index . q{EXPLAIN SELECT id FROM customers WHERE uuid_get_version(id) = 7 ORDER BY id DESC LIMIT 20}),
		qr/Index Only Scan Backward using customers_v7/, '... using the index');
	change_key(2);
	holds(q{bool_and(uuid_get_version(id) = 7) AND array_agg(created_at ORDER BY id) = array_agg(created_at ORDER BY created_at)
		FROM customers}, 'all ids sort by time');
	holds(q{count(DISTINCT n.id) = 200 FROM before AS b
		JOIN customers AS n ON n.old_id = b.id AND n.created_at = b.created_at
		AND uuid_to_timestamptz(n.id) = date_trunc('milliseconds', b.created_at)
		JOIN invoices AS i ON i.customer = n.id},
		'each old id still finds its row, and its references are intact');
}

# ------------------------------------------------------- bigserial, identity

$heading = 'Move from bigserial or an identity column';

# Back and forth and back, with rows in between, for each kind of identity
foreach my $kind ('BY DEFAULT', 'ALWAYS')
{
	begin($kind eq 'ALWAYS' ? 'sequences' : 'by_default', $heading, $flakeid . qq{
		CREATE TABLE payments (id bigint GENERATED $kind AS IDENTITY PRIMARY KEY, n integer);
		INSERT INTO payments (n) SELECT generate_series(1, 100);
		DELETE FROM payments WHERE id = 100;
		INSERT INTO payments (n) VALUES (101);
		DELETE FROM payments WHERE id = 101});
	foreach my $round (1, 2)
	{
		block_again($heading, 1);
		recipe();
		sql('INSERT INTO payments (n) VALUES (-1)');
		recipe();
		is(sql('INSERT INTO payments (n) VALUES (-2) RETURNING id'), 101 + $round,
			'... the old numbers continue where they stopped');
		holds("count(*) = $round FROM payments WHERE id > 10::bigint ^ 15 AND n = -1", 'with a FLUID in between');
	}
	holds(qq{identity_generation = '$kind' FROM information_schema.columns
		WHERE table_name = 'payments' AND column_name = 'id'}, "GENERATED $kind is restored");
	holds(q{array_agg(relname::text) = '{payments_id_seq}'
		FROM pg_class WHERE relkind = 'S' AND relname !~ '^flakeid_'}, 'no other sequence is left');
}

# For good.  A range from the beginning of time has every old row, whatever its
# age; those of the page have the rows they say.
sql(q{
	CREATE TABLE orders (id bigserial PRIMARY KEY, n integer, created_at timestamptz DEFAULT now());
	INSERT INTO orders (n) SELECT generate_series(1, 100)});
block_again($heading, 0);
is(recipe(), 't', '... returns true');
sql(q{
	ALTER TABLE orders ALTER id SET DEFAULT fluid_generate();
	DROP SEQUENCE orders_id_seq;
	INSERT INTO orders (n) SELECT generate_series(101, 200);
	INSERT INTO orders VALUES (fluid_min(now() - interval '91 days'), 0);
	UPDATE orders SET created_at = now() - interval '91 days' WHERE n BETWEEN 1 AND 10});
holds(q{count(*) = 101 AND min(n) = 0 FROM orders
	WHERE fluid_between(id, '-infinity', now() - interval '90 days')}, 'old ids are in the first hours');
block_again($heading, 3);
recipe();
holds(qq{array_agg(n ORDER BY id) = array_agg(n ORDER BY n)
	AND count(*) FILTER (WHERE id = n) = 90
	AND count(*) FILTER (WHERE fluid_to_timestamptz(id) BETWEEN $now) = 100
	AND count(*) FILTER (WHERE n = 0) = 0 FROM orders WHERE n >= 0},
	'rows of the last 90 days stay alone, and new ids are above the old ones');
sql('INSERT INTO orders VALUES (4611686018427387904, 0)');
block_again($heading, 0);
is(recipe(), 'f', '... returns false with an id from elsewhere');

# Old rows with ids of their time, ten per millisecond
begin('old_rows', $heading, $flakeid . $procedures . q{
	CREATE TABLE orders (id bigserial PRIMARY KEY, n integer, created_at timestamptz DEFAULT now());
	CREATE TABLE lines ("order" bigint REFERENCES orders);
	CREATE TABLE payments (id bigserial PRIMARY KEY, created_at timestamptz DEFAULT now());
	INSERT INTO orders (n, created_at) SELECT n, now() - (1000 - n / 10) * interval '1 ms' - interval '1 h'
	FROM generate_series(1, 1000) AS n;
	INSERT INTO lines SELECT id FROM orders;
	INSERT INTO payments (created_at) SELECT created_at FROM orders;
	CREATE TABLE old_orders AS SELECT n - 1000 AS n, created_at - interval '1 s' AS created_at FROM orders;
	ALTER TABLE orders ALTER id SET DEFAULT fluid_generate();
	INSERT INTO orders (n) SELECT generate_series(1001, 1100);
	INSERT INTO orders VALUES (1001, 1101, now() + interval '1 min')});
block_again($heading, 4);
is(recipe(), 'f', '... false if an old row is later than a FLUID');
sql('DELETE FROM orders WHERE n = 1101');
block_again($heading);
is(recipe(), 't', '... true');
change_key(2);
change_key(1, 'payments', 'uuid_generate_v7()');
recipe();
sql('INSERT INTO orders (n) VALUES (1101); INSERT INTO payments DEFAULT VALUES');
holds(q{array_agg(n ORDER BY id) = array_agg(n ORDER BY n) AND count(*) = 2101
	AND bool_and(fluid_to_timestamptz(id) = date_trunc('milliseconds', created_at)) FILTER (WHERE n <= 1000)
	AND (SELECT count(*) = 1000 FROM orders AS o JOIN lines ON id = "order" WHERE old_id = n AND n <= 1000)
	FROM orders}, 'old, imported and new rows sort by time, and references are intact');
holds(q{count(*) = 1001 AND bool_and(uuid_to_timestamptz(id) - created_at < interval '1 s') FROM payments},
	'version 7 has the time of a row');

# --------------------------------------------------------- serial and integer
begin('integers', 'Move from serial or integer', $flakeid . $procedures . q{
	CREATE TABLE parcels (id serial PRIMARY KEY, n integer);
	CREATE TABLE scans (id bigserial PRIMARY KEY,
	  parcel integer NOT NULL CONSTRAINT scans_parcel_fkey REFERENCES parcels);
	INSERT INTO parcels (n) SELECT generate_series(1, 25000);
	INSERT INTO scans (parcel) SELECT id FROM parcels});

# While the large table is converted, rows are inserted and updated, some backwards.
my $backwards = 'v := random() * 20000; FOR i IN REVERSE 20 .. 0 LOOP
	UPDATE parcels SET n = n WHERE id = v + 200 * i; PERFORM pg_sleep(0.002); END LOOP';
my $scan = 'INSERT INTO scans (parcel) VALUES (1 + floor(random() * 25000))';

writers_begin((qq{INSERT INTO parcels (n) VALUES (0) RETURNING id INTO v; $wait;
	INSERT INTO scans (parcel) VALUES (v)}, $backwards) x 2,
	qq{UPDATE parcels SET n = n WHERE id = 1 + floor(random() * 25000); $wait;
	UPDATE scans SET parcel = parcel WHERE id = 1 + floor(random() * 25000)},
	"$scan; $wait; UPDATE parcels SET n = n WHERE id = 1; COMMIT; PERFORM pg_sleep(0.2)");
change_key(2);
writers_end('parcels');
holds(q{count(*) = (SELECT count(*) FROM scans) AND count(*) > 25010
	AND count(*) FILTER (WHERE scans.id <= 25000 AND parcel = scans.id) = 25000
	AND count(*) FILTER (WHERE parcels.id = n AND scans.id = n) = 25000
	FROM parcels JOIN scans ON parcel = parcels.id}, 'a large table is converted, and its references');
holds(q{array_agg(conname::text ORDER BY conname) = '{parcels_pkey,scans_parcel_fkey,scans_pkey}'
	AND (SELECT attnotnull FROM pg_attribute WHERE attrelid = 'scans'::regclass AND attname = 'parcel')
	FROM pg_constraint WHERE conrelid IN ('parcels'::regclass, 'scans'::regclass) AND contype <> 'n'},
	'the tables have their keys and nothing else');
is(sql(q{ALTER TABLE parcels ALTER id SET DEFAULT nextval('parcels_id_seq');
	INSERT INTO parcels (n) VALUES (-1) RETURNING id < 10::bigint ^ 9}), 't', '... and a way back');

# ------------------------------------------------------------ version 1 to 6
begin('versions', 'Move from UUID version 1 to version 6', $flakeid . $procedures . q{
	CREATE FUNCTION v1(n integer) RETURNS uuid LANGUAGE sql RETURN
	  uuid_v6_to_v1(uuid_v6_from_timestamptz('2020-01-01 00:00:00Z'::timestamptz + n * interval '1 s'));
	CREATE TABLE books (id uuid PRIMARY KEY, n integer);
	CREATE TABLE pages (book uuid NOT NULL REFERENCES books, n integer);
	INSERT INTO books SELECT v1(n), n FROM generate_series(1, 1000) AS n;
	INSERT INTO pages SELECT id, n FROM books});
holds(q{array_agg(n ORDER BY id) <> array_agg(n ORDER BY n) FROM books}, 'version 1 does not sort by time');
change_key(2, 'books', 'uuid_generate_v6()');
sql(q{INSERT INTO books (n) VALUES (1001)});
holds(q{array_agg(n ORDER BY id) = array_agg(n ORDER BY n) AND bool_and(uuid_get_version(id) = 6) FROM books}, 'version 6 sorts by time');
holds(q{count(*) = 1000 FROM books JOIN pages ON book = books.id AND pages.n = books.n
	AND old_id = uuid_v6_to_v1(books.id)},
	'references are intact, and the old id can be computed from the new one');
sql('CREATE DATABASE twin TEMPLATE versions');
my ($writer, $later, $waiting, $twin) = map { session($node, database => $_) } ($database) x 3, 'twin';
$twin->query('BEGIN; LOCK books IN ROW EXCLUSIVE MODE');	# with the same number
foreach my $end (q{COMMIT PREPARED 'p'}, 'COMMIT')
{
	$writer->query('BEGIN; LOCK books IN ROW EXCLUSIVE MODE' . ($end =~ /p/ && q{; PREPARE TRANSACTION 'p'}));
	$waiting->send(q{SET statement_timeout = '3min'; SELECT 'waited' || migrate_key.wait_for_writers('books')});
	ok($node->poll_query_until($database, q{SELECT true FROM pg_stat_activity WHERE wait_event = 'PgSleep'}), 'a writer is awaited');
	$later->query('ROLLBACK; BEGIN; LOCK books IN ROW EXCLUSIVE MODE');
	$writer->query($end);
	my $said = $waiting->receive;

	like($said, qr/^waited/m, "... until its $end, but not one that comes later");
	unlike($said, qr/NOTICE.*NOTICE/s, '... which is said once at most');
}

# It gives up while others read the table, but awaits the end of VACUUM or DDL.
my $pid = $writer->backend_pid;
my $prepare = q{SET statement_timeout = '1min'; CALL migrate_key.prepare('books', 'id', 'uuid', 'id')};
$later->query('ROLLBACK');
$writer->query('BEGIN; LOCK pages IN ACCESS SHARE MODE; LOCK pages IN ROW SHARE MODE');
my $begin = stopwatch();
refused("\\set VERBOSITY verbose\nSET migrate_key.attempts = 5; $prepare", qr/ERROR:  55P03: could not lock public.pages
DETAIL:  Processes with locks: $pid.\nHINT:  Nothing has changed/, 'a table that is read');
cmp_ok(stopwatch() - $begin, '>=', 1.2, '... is awaited for 150 ms at a time, 100 ms apart');
$writer->query('ROLLBACK; BEGIN; LOCK pages IN SHARE UPDATE EXCLUSIVE MODE');
$waiting->send("SET migrate_key.attempts = 1; CALL migrate_key.undo('books'); $prepare; SELECT 'prepared'");
ok($node->poll_query_until($database, q{SELECT prepared FROM pg_locks, migrate_key.columns
	WHERE mode = 'ShareUpdateExclusiveLock' AND NOT granted AND col = 'id'}), 'a table that is vacuumed');
$writer->query('ROLLBACK');
like($waiting->receive, qr{^prepared\z}m, '... is awaited');

# A fill skips a row that is locked until it is free.  Meanwhile it has no lock of a
# table, and ends with the postmaster.
$writer->query(q{BEGIN; UPDATE books SET n = n WHERE n = 1; PREPARE TRANSACTION 'p'});
$waiting->send(q{SELECT migrate_key.fill('books') \gexec});
ok($node->poll_query_until($database, q{
	SELECT NOT EXISTS (SELECT FROM pg_locks AS l WHERE l.pid = a.pid AND relation IS NOT NULL)
	FROM pg_stat_activity AS a, books WHERE query ~ '^CALL migrate_key.fill_part' AND wait_event = 'PgSleep'
	AND n = 2 AND to_jsonb(books)->>(SELECT new FROM migrate_key.columns WHERE parent IS NULL) <> ''}), 'a locked row is skipped');
ok(kill_postmaster($node, 0), '... and the fill ends with the postmaster');
$waiting->receive;
$_->quit foreach $writer, $later, $waiting, $twin;
$node->start;
($writer, $later, $waiting) = map { session($node, database => $_) } ($database) x 3;
$writer->query(q{COMMIT PREPARED 'p'});

# A transaction that read the row it refers to before that was filled
$writer->query('BEGIN; LOCK pages IN ROW EXCLUSIVE MODE');
$waiting->send("SELECT migrate_key.fill('books') \\gexec\nSELECT 'filled'");
ok($node->poll_query_until($database, q{SELECT true FROM pg_stat_activity WHERE wait_event = 'PgSleep'}), 'a writer is awaited');
$writer->query('COMMIT');
like($waiting->receive, qr/^filled$/m, '... before references are filled');

# Who has written and then reads a view neither waits for the swap nor for a deadlock.
$waiting->query(q{CREATE VIEW titles AS SELECT id FROM books; SELECT migrate_key.indexes('books') \gexec
	CALL migrate_key.validate('books')});
$later->query('BEGIN; LOCK books IN ACCESS SHARE MODE');
my $pid = $waiting->query('SELECT pg_backend_pid()');
$waiting->send(q{SET migrate_key.attempts = 1000; CALL migrate_key.swap('books', NULL, 'older'); SELECT 'swapped'});
ok($node->poll_query_until($database, q{SELECT true FROM pg_locks
	WHERE relation = 'pages'::regclass AND mode = 'AccessExclusiveLock' AND granted}), 'a swap locks references first');
$writer->query('BEGIN; UPDATE books SET n = n WHERE n = 1');
$later->query('ROLLBACK');
ok($node->poll_query_until($database, q{SELECT true FROM pg_stat_activity WHERE wait_event = 'PgSleep'}), 'a swap tries again');
$later->query('SELECT pg_advisory_lock(1)');
refused("\\set VERBOSITY verbose\nCALL migrate_key.swap('books')", qr/ERROR:  55P03: another session migrates the key of public.books
DETAIL:  Process with the lock: $pid\.\nHINT:  Repeat/, 'a second one');
is($writer->query('SELECT count(*) FROM titles'), 1001, 'a writer reads the view');
$writer->query('COMMIT');
like($waiting->receive, qr/^swapped$/m, '... and the swap succeeds');

# ------------------------------------------------ a column of version 7 only
begin('sevens', 'Accept version 7 only', $flakeid . q{
	CREATE TABLE events (id uuid PRIMARY KEY DEFAULT uuid_generate_v7());
	INSERT INTO events SELECT FROM generate_series(1, 10)});
recipe();
sql(q{
	CREATE TABLE with_domain (id uuid_v7);
	INSERT INTO with_domain VALUES (NULL), (uuid_generate_v7());
	INSERT INTO events DEFAULT VALUES});

# Version 4, the nil UUID, and version 7 in Microsoft's variant
foreach my $id (qw(a2e1c8ac-9a7b-4c1e-8d3f-1b2c3d4e5f60 00000000-0000-0000-0000-000000000000
	019b84a0-0000-7000-c000-000000000000))
{
	refused("INSERT INTO events VALUES ('$id')", qr/violates check constraint "id_is_v7"/, "a table rejects $id");
	refused("INSERT INTO with_domain VALUES ('$id')", qr/violates check constraint "uuid_v7_check"/, 'a domain too');
}

# -------------------------------- generated columns and indexes on the time
begin('times', 'Index the time of an id', $flakeid . q{
	CREATE TABLE orders (id bigint PRIMARY KEY DEFAULT fluid_generate());
	INSERT INTO orders SELECT FROM generate_series(1, 1000)});
recipe();
holds(qq{bool_and(made BETWEEN $now AND made = fluid_to_timestamptz(id)) FROM orders}, 'the column has the time');
like(sql(q{ANALYZE orders; SET enable_seqscan = off; EXPLAIN SELECT FROM orders WHERE
	date_trunc('day', fluid_to_timestamptz(id, '2024-01-01 00:00:00Z') AT TIME ZONE 'UTC')
	= timestamp '2026-01-01'}), qr/orders_day/, '... and the index is used');
refused(q{ALTER TABLE orders ADD also timestamptz GENERATED ALWAYS AS (fluid_to_timestamptz(id)) STORED},
	qr/generation expression is not immutable/, 'an epoch setting is not allowed');
refused(q{ALTER TABLE orders ADD also timestamptz
	GENERATED ALWAYS AS (fluid_to_timestamptz(id, '2024-01-01 00:00:00Z'))},
	$major < 18 ? qr/syntax error/ : qr/uses user-defined function/, 'STORED is required before 18');

# ---------------------------------------------- uuidv7() of PostgreSQL 18
SKIP:
{
	skip 'uuidv7() is of PostgreSQL 18', 1 if $major < 18;
	begin('core', '', $flakeid);
	is(sql(q{CREATE TABLE visits (id uuid PRIMARY KEY DEFAULT uuidv7());
		INSERT INTO visits DEFAULT VALUES;
		ALTER TABLE visits ALTER id SET DEFAULT uuid_generate_v7();
		INSERT INTO visits DEFAULT VALUES;
		SELECT count(*), bool_and(uuid_extract_timestamp(id) = uuid_v7_to_timestamptz(id)) FROM visits
		WHERE uuid_v7_between(id, now() - interval '1 minute', now() + interval '1 minute')}),
		'2|t', 'ids of both are in a range, and read alike');
}

# --------------------------------------------------------------- ids as text
begin('texts', 'Move from text', $flakeid . q{
	CREATE TABLE tokens (id text PRIMARY KEY DEFAULT gen_random_uuid()::text);
	INSERT INTO tokens SELECT FROM generate_series(1, 10);
	CREATE TABLE before AS SELECT * FROM tokens});
recipe() foreach 1 .. 2;
holds(q{count(*) = 10 FROM tokens JOIN before ON tokens.id = before.id::uuid}, 'the ids are unchanged');
sql('INSERT INTO messages SELECT FROM generate_series(1, 1000)');
holds(q{array_agg(id ORDER BY id) = array_agg(id ORDER BY ulidflake_from_text(id)) FROM messages}, 'the text sorts');

# --------------------------------------------------------------------- ULIDs

# ULIDs of 2016 and of now, with random bits by md5
begin('ulids', 'Move from ULIDs', $flakeid . q{
	CREATE TABLE notes (id text PRIMARY KEY DEFAULT '', n integer);
	INSERT INTO notes VALUES ('01ARZ3NDEKTSV4RRFFQ69G5FAV', 0);
	INSERT INTO notes SELECT uuid_to_text((left(replace(uuid_v7_min(ts)::text, '-', ''), 12) ||
		left(md5(n::text), 20))::uuid), n
	FROM generate_series(1, 1000) AS n, LATERAL (SELECT now() - (1001 - n) * interval '1 s') AS t (ts);
	CREATE TABLE before AS SELECT * FROM notes});
recipe();
is(recipe(), '01ARZ3NDEKTSV4RRFFQ69G5FAV|0', '... returns the original ULID');
recipe();
holds(q{ulid_to_timestamptz(id) = '2016-07-30 23:54:10.259+00' FROM notes WHERE n = 0}, 'and its time');
sql(q{INSERT INTO notes (n) SELECT generate_series(1001, 1100)});
holds(q{array_agg(n ORDER BY id) = array_agg(n ORDER BY n)
	AND bool_and(ulid_to_timestamptz(id) = uuid_to_timestamptz(id)) FILTER (WHERE n > 1000) FROM notes},
	'new ids are above all ULIDs, and their time can be read too');
holds(qq{bool_and(ulid_to_timestamptz(id) BETWEEN $now)
	AND NOT bool_and(uuid_to_timestamptz(id) IS NOT DISTINCT FROM ulid_to_timestamptz(id))
	FROM notes WHERE n BETWEEN 1 AND 1000}, 'of ULIDs, uuid_to_timestamptz cannot');
holds(q{n = 0 FROM notes WHERE uuid_v7_between(id, '2016-07-30Z', '2016-07-31Z')}, 'a range has it');
recipe();
holds(q{(SELECT count(*) = 1001 FROM notes JOIN before USING (id, n))
	AND array_agg(n ORDER BY id) = array_agg(n ORDER BY n) FROM notes}, 'the ULIDs and their order stay');

$node->stop;

# --------------------------------------------------------- pgEdge snowflake

$node = $server = new_node('pgedge', "${patient}snowflake.node = 7\nshared_preload_libraries = 'flakeid'\n");

# Snowflakes of two servers
($database, $heading) = ('readings', 'Move from pgEdge snowflake');
new_database($node, $database, q{
	CREATE SCHEMA snowflake;
	CREATE EXTENSION flakeid;
	CREATE EXTENSION snowflake;
	CREATE TABLE readings (id bigserial PRIMARY KEY, n integer);
	ALTER TABLE readings ALTER id SET DEFAULT snowflake.nextval('readings_id_seq'::regclass);
	INSERT INTO readings (n) SELECT generate_series(1, 100);
	SET snowflake.node = 8;
	INSERT INTO readings (n) SELECT generate_series(101, 200);
	INSERT INTO readings VALUES (DEFAULT, 201)});
recipe();
$node->restart;
holds(q{max(id) < fluid_generate() AND fluid_min('2024-05-02 00:00:00Z') > nanoflake_min('2024-05-02 00:00:00.001Z')
	AND fluid_min('2024-05-01 00:00:00Z') < nanoflake_min('2024-05-01 00:00:00.001Z') FROM readings},
	'since May of 2024 FLUIDs are above all snowflakes');

# The last one is further ahead of the clock than those that others insert.
sql(q{
	SET snowflake.node = 8;
	UPDATE readings SET id = snowflake.nextval('readings_id_seq') + (400::bigint << 22) WHERE n = 201});
like(recipe(), qr/^7\|100\|20.*\n8\|101\|20/m, '... returns both nodes');

writers_begin((q{INSERT INTO readings (n) SELECT 0 FROM generate_series(1, 50);
	PERFORM pg_sleep(0.02)}) x 3);
recipe(retry => 60);
is(sql('INSERT INTO readings (n) VALUES (202) RETURNING id > (SELECT max(id) FROM readings)'),
	't', '... Nanoflakes begin above all snowflakes');

writers_end('readings', sql('SELECT max(id) FROM readings'));
is(duplicates_in_log($node), 0, '... and no id is repeated');
sql(q{INSERT INTO readings (n) SELECT generate_series(203, 300)});
holds(qq{array_agg(n ORDER BY id) FILTER (WHERE n > 0) = array_agg(n ORDER BY n) FILTER (WHERE n > 0)
	AND bool_and(nanoflake_get_generator(id) = 7) FILTER (WHERE n > 201)
	AND bool_and(nanoflake_to_timestamptz(id) BETWEEN $now) FROM readings},
	'Nanoflakes increase, with node_id of this node, and the times of all can be read');
all_blocks_run();
$node->stop;
done_testing();
