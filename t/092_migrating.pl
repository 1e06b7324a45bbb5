# World.
# Run the blocks of doc/migrating.md and doc/partitioning.md as they stand, except
# those of pg_partman (t/095_partman.pl).  Tables change while others write: no row
# is lost, and every one stays with its parent.

use FlakeidTest qw(clock);
use FlakeidDoc;
use IPC::Run;
use Time::Local qw(timegm);

chomp(my $sharedir = qx{pg_config --sharedir});
plan skip_all => "$sharedir/extension is not ours to write" unless -w "$sharedir/extension";

# Some dates of the pages are of 2026 and 2027, so it is November 2026.
my $node = $server = new_node('migrating', "deadlock_timeout = 1s\n",
	init => { allows_streaming => 'logical' }, clock => 1);

set_clock($node, timegm(0, 0, 12, 15, 10, 2026) - time);

# ------------------------------------------- what others do, at random, by pgbench

# Each scan knows the code of its parcel, which does not change.
my $insert = 'WITH p AS (INSERT INTO parcels DEFAULT VALUES RETURNING id, code)
	INSERT INTO scans (parcel, code) SELECT id, code FROM p;';
my %writes = (
	insert => $insert,
	move => q{WITH p AS (SELECT id, code FROM parcels WHERE code = :r FOR KEY SHARE)
		UPDATE scans AS s SET parcel = p.id, code = p.code FROM p WHERE s.n = :r + 5;},
	delete => q{DELETE FROM parcels WHERE code = :r;},
	logs =>
	q{INSERT INTO logs DEFAULT VALUES; UPDATE logs SET n = n + 1 WHERE n = :r;
	DELETE FROM logs WHERE n = :r;});
my ($pgbench, $complaints, $counter);

sub writers_begin
{
	my $folder = $PostgreSQL::Test::Utils::tmp_check;

	($counter, my @names) = @_;
	-e "$folder/$_.sql" or append_to_file("$folder/$_.sql",
		"\\set r random(1, 2000)\n$writes{$_}\n") foreach @names;
	$complaints = '';
	$pgbench = IPC::Run::start([ qw(pgbench -n -c 4 -T 3600 --max-tries=1000),
		map({ ('-f', "$folder/$_.sql") } @names),
		$node->connstr($database) ], '<', \undef, '>', \my $out, '2>', \$complaints);
	return;
}

# Wait until the writers have done more.
sub writers_write
{
	my $before = sql($counter);

	ok(wait_until(sub { $pgbench->pump_nb; $complaints =~ /error/
		|| sql("SELECT ($counter) > $before + 30") eq 't' }), '... others write');
	return;
}

sub writers_end
{
	writers_write();
	is($complaints =~ s/^pgbench \(.*\n//mr, '', '... and none of them gets an error');
	$pgbench->kill_kill(grace => 5);
	undef $pgbench;
	return;
}

# -------------------------------------------------------------- a subscriber

# Publish a table, and copy its rows to a database that has this table.
sub subscribe
{
	my ($subscriber, $table, $create) = @_;

	sql("CREATE PUBLICATION $table FOR TABLE $table");
	sql("SELECT pg_create_logical_replication_slot('$table', 'pgoutput')");
	new_database($node, $subscriber, "CREATE EXTENSION flakeid; CREATE TABLE $table ($create)");
	$node->safe_psql($subscriber, "CREATE SUBSCRIPTION $table CONNECTION '"
		  . $node->connstr . " dbname=$database' PUBLICATION $table WITH (create_slot = false)");
	return;
}

# The subscriber gets the rows of the table.
sub follows
{
	my ($subscriber, $table) = @_;
	my $rows = "SELECT count(*), sum(hashtext(t::text)) FROM $table AS t";

	ok(wait_until(sub { $node->safe_psql($subscriber, $rows) eq sql($rows) }),
		"... the subscriber gets all rows of $table");
	return;
}

# ----------------------------------------------------- only the DEFAULT changes

read_page('migrating.md');
($database, $heading) = ('simple', 'Before you change a DEFAULT');
new_database($node, $database, q{CREATE EXTENSION flakeid;
	CREATE TABLE orders (id bigserial PRIMARY KEY, created_at timestamptz DEFAULT now(), note text);
	INSERT INTO orders (created_at) SELECT now() - n * interval '1 day' FROM generate_series(1,
		100) AS n;
	CREATE TABLE payments (id bigint GENERATED ALWAYS AS IDENTITY (INCREMENT 5) PRIMARY KEY,
		n integer);
	INSERT INTO payments (n) SELECT generate_series(1, 100);
	CREATE ROLE clerks;
	GRANT INSERT, SELECT ON payments TO clerks;
	CREATE TABLE customers (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), n integer);
	INSERT INTO customers SELECT FROM generate_series(1, 100);
	CREATE TABLE notes (id text PRIMARY KEY DEFAULT '' CHECK (length(id) = 26), n integer);
	INSERT INTO notes VALUES ('01ARZ3NDEKTSV4RRFFQ69G5FAV', 0)});

# A trigger that stores ids in an integer column
my $log_ids = q{CREATE TABLE seen_ids (n bigserial, id integer);
	CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS
		'BEGIN INSERT INTO seen_ids (id) VALUES (NEW.id); RETURN NEW; END';
	CREATE TRIGGER see AFTER INSERT ON %s FOR EACH ROW EXECUTE FUNCTION see()};

sql(sprintf $log_ids, 'orders');
like(recipe(fails => qr/integer out of range/), qr/function see\(\)/, '... and names the function');
is(sql(q{SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef
	WHERE adrelid = 'orders'::regclass AND adnum = 1}),
	q{nextval('orders_id_seq'::regclass)}, '... but changes nothing');
sql('ALTER TABLE seen_ids ALTER id TYPE bigint');
block_again($heading);
cmp_ok(recipe(), '>', 2147483647, '... a try');
is(sql('SELECT count(*) FROM orders'), 100, '... and changes nothing');

my $pay = 'SET ROLE clerks; INSERT INTO payments (n) VALUES (101) RETURNING id';

$heading = 'bigserial';
recipe();
$heading = 'Before you change a DEFAULT';
cmp_ok(recipe(), '>', 2147483647, '... returns the id');

my @block = split /\n/, recipe();

is(scalar @block, 100, '... a block of ids');
ok(increasing(@block), '... in order');
is(sql(q{INSERT INTO orders (note) VALUES ('tea'); SELECT lastval() = max(n) FROM seen_ids}), 't',
	'... unlike lastval(), which returns a number of another table');
sql('DROP TRIGGER see ON orders; DELETE FROM orders WHERE note IS NOT NULL');
$heading = 'bigserial';
sql('INSERT INTO orders (created_at) VALUES (now())');
recipe();
cmp_ok(sql($pay), '>', sql('SELECT max(id) FROM orders'), 'identities become FLUIDs');
recipe();
is(sql("$pay; $pay"), "501\n506", '... and go back');
sql(q{INSERT INTO orders VALUES (fluid_min(now() - interval '91 days'))});
holds(q{count(*) = 101 FROM orders WHERE fluid_in_range(id, '-infinity',
	now() - interval '90 days')}, 'old ids are in the first hours');
recipe();
holds(q{count(*) = 90 AND min(created_at) > now() - interval '91 days' FROM orders},
	'rows of the last 90 days stay');
$heading = 'Imports';
sql(q{CREATE TABLE old_orders AS SELECT now() - interval '100 days' - n / 10 * interval '1 ms'
	AS created_at FROM generate_series(1, 1000) AS n});
recipe();
holds(q{count(*) = 1000 AND bool_and(fluid_to_timestamptz(id) = date_trunc('ms', created_at))
	FROM orders WHERE created_at < now() - interval '99 days'}, 'ids have the time of their rows');
$heading = 'gen_random_uuid or uuid-ossp';
recipe();
sql('INSERT INTO customers (n) SELECT generate_series(1, 10)');
is(recipe(), sql('SELECT id FROM customers WHERE n > 0 ORDER BY n DESC'),
	'... returns the new ones, the newest first');

# How much the index grows by so many rows of version 7
sub grows
{
	my ($table) = @_;
	my $size = "SELECT pg_relation_size('${table}_pkey')";
	my $before = sql($size);

	sql("INSERT INTO $table SELECT uuid_generate_v7() FROM generate_series(1, 20000)");
	return sql($size) - $before;
}
sql('CREATE TABLE new_ids (id uuid PRIMARY KEY);
	INSERT INTO customers SELECT gen_random_uuid() FROM generate_series(1, 20000);
	REINDEX TABLE customers');

my $of_new = grows('new_ids');
my $of_both = grows('customers') / $of_new;

cmp_ok(abs($of_both - 1.8), '<', 0.2, "the index of old and new ids grows $of_both times as much");
my $size = sql(q{SELECT pg_relation_size('customers_pkey')});
# psql runs it outside of a transaction.
recipe();
cmp_ok(sql(q{SELECT pg_relation_size('customers_pkey')}), '<', 0.85 * $size,
	'... and returns the space');
cmp_ok(abs(grows('customers') / $of_new - 1.8), '<', 0.2, '... then it grows as before');
$heading = 'Move from ULIDs';
foreach my $refers (
	[ 'CREATE VIEW seen AS SELECT id FROM notes', qr/used by a view or rule/ ],
	[ 'CREATE TABLE tags (note text REFERENCES notes)',
	qr/foreign key constraint "tags_note_fkey" cannot be implemented/ ])
{
	refused("BEGIN; $refers->[0]; " . block($heading, 0), $refers->[1], $refers->[0]);
}
subscribe('reader', 'notes', "id text PRIMARY KEY DEFAULT '', n integer");
follows('reader', 'notes');
sql('ALTER PUBLICATION notes DROP TABLE notes');
$node->safe_psql('reader', 'ALTER SUBSCRIPTION notes REFRESH PUBLICATION');
recipe();
block_again($heading);
$database = 'reader';
recipe();
sql('TRUNCATE notes');
$database = 'simple';
sql('UPDATE notes SET n = 1; ALTER PUBLICATION notes ADD TABLE notes');
$node->safe_psql('reader', 'ALTER SUBSCRIPTION notes REFRESH PUBLICATION');
follows('reader', 'notes');
sql('UPDATE notes SET n = 0');
follows('reader', 'notes');
refused(q{SELECT n FROM notes WHERE id = '01ARZ3NDEKTSV4RRFFQ69G5FAV'},
	qr/invalid input syntax for type uuid/, 'a ULID is no text of a uuid');
like(recipe(), qr/\A[0-7][0-9A-HJKMNP-TV-Z]{25}\n0\z/, '... and so it is');
like(sql('SET enable_seqscan = off; EXPLAIN (COSTS off) '
	. (block($heading, 1) =~ /^(SELECT.*)/m)[0]),
	qr/Index Cond: \(id = '01563e3a-b5d3-d676-4c61-efb99302bd5b'::uuid\)/, '... by the index');
recipe();
is(sql(q{INSERT INTO notes (n) VALUES (1);
	SELECT uuid_to_text(id, 'ulid'), ulid_to_timestamptz(id) FROM notes ORDER BY id LIMIT 1}),
	'01ARZ3NDEKTSV4RRFFQ69G5FAV|2016-07-30 23:54:10.259+00', 'a ULID, below new ids, and its time');

$heading = 'TSIDs';
is(recipe(), "2023-10-15 16:56:00.017+00|0DXBQ9H279R05\n501438102971408389",
	'... as TSID libraries write it');

# Debian has no package of pg_uuidv7: an extension with one function replaces it.
my %files = -e "$sharedir/extension/pg_uuidv7.control" ? () : (
	"$sharedir/extension/pg_uuidv7.control" => "default_version = '1.0'\n",
	"$sharedir/extension/pg_uuidv7--1.0.sql" =>
	'CREATE FUNCTION uuid_generate_v7() RETURNS uuid LANGUAGE sql RETURN NULL::uuid');

END { unlink keys %files }
append_to_file($_, $files{$_}) foreach keys %files;
($database, $heading) = ('visited', 'pg_uuidv7');
new_database($node, $database,
	'CREATE EXTENSION pg_uuidv7; CREATE TABLE visits (id uuid DEFAULT uuid_generate_v7())');
refused('CREATE EXTENSION flakeid', qr/function "uuid_generate_v7" already exists/,
	'both in one schema');
sql('CREATE SCHEMA ids; CREATE EXTENSION flakeid SCHEMA ids; DROP EXTENSION flakeid');
recipe();
is(sql('INSERT INTO visits DEFAULT VALUES RETURNING uuid_get_version(id)'), 7, 'ids of flakeid');

# ---------------------------------------------------------- integer to bigint

# What stays: columns, keys with their comments, indexes, privileges, settings of columns
my $catalog = q{
	SELECT pg_get_constraintdef(oid), obj_description(oid) FROM pg_constraint
	WHERE conrelid IN ('parcels'::regclass, 'scans'::regclass) AND contype <> 'n' ORDER BY 1;
	SELECT pg_get_indexdef(indexrelid) FROM pg_index
		WHERE indrelid IN ('parcels'::regclass, 'scans'::regclass) ORDER BY 1;
	SELECT attname, atttypid::regtype, attnotnull, attacl, attstattarget,
	  substring(attoptions::text, 'n_distinct=[-.0-9]*'), col_description(attrelid, attnum)
	FROM pg_attribute WHERE attrelid IN ('parcels'::regclass, 'scans'::regclass) AND attnum > 0
		AND NOT attisdropped ORDER BY 1};
my $right =
	q{count(*) = 0 FROM scans AS s LEFT JOIN parcels AS p ON p.id = s.parcel
		WHERE p.code IS DISTINCT FROM s.code};

($database, $heading) = ('parcels', 'From integer to bigint');
new_database($node, $database, q{
	CREATE EXTENSION flakeid;
	CREATE TABLE parcels (id serial PRIMARY KEY, code bigserial UNIQUE);
	CREATE TABLE scans (n bigserial PRIMARY KEY, parcel integer NOT NULL
	  CONSTRAINT scans_parcel_fkey REFERENCES parcels ON DELETE CASCADE DEFERRABLE,
	    code bigint NOT NULL);
	CREATE INDEX scans_parcel_idx ON scans (parcel);
	INSERT INTO parcels SELECT FROM generate_series(1, 5000);
	INSERT INTO scans (parcel, code) SELECT id, code FROM parcels;
	GRANT SELECT (id, code) ON parcels TO clerks;
	COMMENT ON COLUMN parcels.id IS 'its number';
	COMMENT ON CONSTRAINT parcels_pkey ON parcels IS 'the key';
	ALTER TABLE scans ALTER parcel SET STATISTICS 500, ALTER parcel SET (n_distinct = -0.5)});

my $before = sql($catalog);

sql('CREATE VIEW seen AS SELECT id FROM parcels');
recipe(retry => 100, fails => qr/used by a view or rule/);
is(sql("DROP VIEW seen; $catalog"), $before, '... changes nothing');
block_again($heading);
sql(sprintf $log_ids, 'parcels');
like(recipe(retry => 100, pasted => 1, fails => qr/integer out of range/),
	qr/function see\(\)/, '... and names the function');
is(sql("DROP TRIGGER see ON parcels; $catalog"), $before, '... but changes nothing');
block_again($heading);
subscribe('parcel_reader', 'parcels', 'id integer PRIMARY KEY, code bigint');
follows('parcel_reader', 'parcels');
$node->safe_psql('parcel_reader', 'ALTER TABLE parcels ALTER id TYPE bigint');
writers_begin('SELECT max(code) FROM parcels', qw(insert move delete));
recipe(retry => 100);
writers_end();
follows('parcel_reader', 'parcels');
holds($right, 'every scan is with its parcel');
is(sql($catalog), $before =~ s/^((?:id|parcel)\|)integer/$1bigint/gmr,
	'... keys, indexes, comments and privileges stay');
is(sql(q{SET ROLE clerks; SELECT count(id) > 0 FROM parcels WHERE id > 2147483647}), 't',
	'... also to read FLUIDs');
is(sql(q{SELECT setval(pg_get_serial_sequence('parcels', 'id'), max(id)) = max(id) FROM parcels;
	SELECT nextval('parcels_id_seq') > max(id) FROM parcels}), "t\nt",
		'... the sequence can follow them');
all_blocks_run();

# ---------------------------------------------------------------- partitions

read_page('partitioning.md', qr/^pg_partman/);
my $said = '';

($database, $heading) = ('partitions', '');
new_database($node, $database, q{CREATE EXTENSION flakeid;
	CREATE TABLE logs (id uuid PRIMARY KEY DEFAULT uuid_generate_v7(),
		n bigint NOT NULL DEFAULT 0, num bigint GENERATED ALWAYS AS IDENTITY (INCREMENT 5),
		kept bigserial) WITH (fillfactor = 70);
	ALTER INDEX logs_pkey SET (fillfactor = 80);
	CREATE ROLE keepers;
	ALTER TABLE logs ADD gone integer; ALTER TABLE logs DROP gone;
	CREATE VIEW seen AS SELECT count(*) FROM logs;
	CREATE TABLE copies (l logs, ls logs[]);
	ALTER TABLE logs OWNER TO keepers;
	GRANT SELECT (id, n) ON logs TO clerks;
	GRANT INSERT ON logs TO clerks WITH GRANT OPTION;
	ALTER DEFAULT PRIVILEGES GRANT DELETE ON TABLES TO PUBLIC;
	ALTER TABLE logs REPLICA IDENTITY FULL;
	CREATE PUBLICATION everything FOR ALL TABLES;
	CREATE SUBSCRIPTION from_afar CONNECTION 'host=none' PUBLICATION everything
		WITH (connect = false);
	INSERT INTO pg_subscription_rel (srsubid, srrelid, srsubstate)
		SELECT oid, 'logs'::regclass, 'r' FROM pg_subscription WHERE subname = 'from_afar';
	CREATE SCHEMA first;
	ALTER TABLE logs ENABLE ROW LEVEL SECURITY;
	CREATE POLICY zeroes ON logs USING (n = 0);
	COMMENT ON TABLE logs IS 'what happened';
	ALTER TABLE logs ALTER n SET STATISTICS 100, ALTER n SET (n_distinct = -0.5);
	INSERT INTO logs SELECT uuid_v7_from_timestamptz('2026-01-01Z'), n FROM generate_series(1,
		3000) AS n;
	CREATE TABLE remarks (log uuid REFERENCES logs ON DELETE CASCADE);
	ALTER TABLE remarks REPLICA IDENTITY FULL;
	INSERT INTO remarks SELECT id FROM logs WHERE n < 100});
recipe() foreach 1 .. 2;
is(sql(q{INSERT INTO events DEFAULT
	VALUES RETURNING tableoid::regclass = to_char(now() AT TIME
		ZONE 'UTC', '"events_"YYYY_MM')::regclass;
	INSERT INTO events VALUES (uuid_v7_min('2026-01-10 12:00:00Z'), 'old'),
		(uuid_v7_min(now() + interval '2 months'), 'ahead');
	SELECT count(*) FROM pg_inherits WHERE inhparent = 'events'::regclass}), "t\n5",
		'this month, and three ahead');
block_again($heading);
recipe();
sql('CREATE TABLE orders (id bigint PRIMARY KEY DEFAULT fluid_generate()) PARTITION BY RANGE (id)');
block_again($heading);
recipe(edit => sub { $_[0] =~ s/events/orders/gr =~ s/uuid_v7_min/fluid_min/gr });
is(sql(q{INSERT INTO orders DEFAULT
	VALUES RETURNING tableoid::regclass = to_char(now() AT TIME
		ZONE 'UTC', '"orders_"YYYY_MM')::regclass;
	INSERT INTO orders
		VALUES (fluid_min(now() + interval '3 months') - 1) RETURNING tableoid::regclass}),
			"t\norders_2027_02",
	'... and so for FLUIDs');
$heading = 'Drop old rows';
recipe();
is(sql('SELECT count(*), count(what) FROM events'), '2|1', '... and its rows are gone');
$heading = 'Partition a table that already exists';
writers_begin('SELECT count(*) FROM logs WHERE n = 0', 'logs');
recipe(retry => 100);
refused(q{INSERT INTO logs VALUES (uuid_v7_min('2027-01-02Z'))}, qr/old_ids/,
	'it rejects ids of 2027');
writers_write();
my $lacks = join ', ', 'ENABLE ROW LEVEL SECURITY', 'INSERT to clerks WITH GRANT OPTION',
	'SELECT (id) to clerks', 'SELECT (n) to clerks', 'column l of table copies',
	'column ls of table copies', 'comment "what happened"',
	'constraint remarks_log_fkey on table remarks', 'n_distinct=-0.5 of n', 'owner keepers',
	'policy zeroes on table logs', 'publish_via_partition_root in publication everything',
	'replica identity "f"', 'rule _RETURN on view seen', 'schema public',
	'sequence logs_kept_seq', 'statistics target 100 of n', 'subscription from_afar';

# The block fails with this error, and changes nothing, even in a session of psql that
# goes on after errors.
sub block_is_refused
{
	my ($error, %options) = @_;

	recipe(retry => 100, pasted => 1, fails => $error, %options);
	is(sql(q{SELECT relkind FROM pg_class WHERE relname = 'logs';
		SELECT count(*) FROM pg_class WHERE relname = 'logs_old'}), "r\n0",
		'... and changes nothing');
	block_again($heading);
	return;
}

block_is_refused(qr/ERROR:  logs lacks: \Q$lacks\E\n/, before =>
	"SET search_path = first, public;\n");
sql(q{DELETE FROM pg_subscription_rel; ALTER SUBSCRIPTION from_afar SET (slot_name = NONE);
	DROP SUBSCRIPTION from_afar});

my $gives = q{
	DROP VIEW seen; CREATE VIEW seen AS SELECT count(*) FROM logs;
	ALTER TABLE remarks ADD FOREIGN KEY (log) REFERENCES logs ON DELETE CASCADE;
	ALTER TABLE copies ALTER l TYPE logs USING l::text::logs,
		ALTER ls TYPE logs[] USING ls::text::logs[];
	ALTER TABLE logs OWNER TO keepers; ALTER TABLE logs_2027_01 OWNER TO keepers;
	GRANT SELECT (id, n) ON logs TO clerks;
	GRANT INSERT ON logs TO clerks WITH GRANT OPTION;
	ALTER TABLE logs REPLICA IDENTITY FULL;
	ALTER PUBLICATION everything SET (publish_via_partition_root = true);
	ALTER TABLE logs ENABLE ROW LEVEL SECURITY;
	CREATE POLICY zeroes ON logs USING (n = 0);
	COMMENT ON TABLE logs IS 'what happened';
	ALTER TABLE logs ALTER n SET STATISTICS 100, ALTER n SET (n_distinct = -0.5);
	ALTER SEQUENCE logs_kept_seq OWNED BY logs.kept;};
my $give = sub {
	$_[0] =~ s/^-- \(here.*\n/$gives\n/mr
	  =~ s/^(?=ALTER TABLE logs ATTACH)/ALTER TABLE remarks DROP CONSTRAINT remarks_log_fkey;\n/mr;
};

block_is_refused(qr/ERROR:  logs must not have: DELETE to PUBLIC\n/, edit => $give);
$gives .= 'REVOKE DELETE ON logs FROM PUBLIC;';
recipe(retry => 100, before => "SET client_min_messages = debug1;\n", stderr => \$said,
	edit => $give);
like($said, qr/partition constraint for table "logs_old" is implied/, '... reads no rows');
writers_end();
is(sql(q{SELECT count(*) - count(DISTINCT num), count(*) - count(DISTINCT kept),
	min(num), max(num) > 15000, bool_and(num % 5 = 1) FROM logs}), '0|0|1|t|t',
	'... the identity continues');
is(sql(q{SET ROLE clerks;
	SELECT count(id), min(n), max(n) FROM logs WHERE id < uuid_v7_min(now())}),
	sql('SELECT count(*), 0, 0 FROM logs WHERE n = 0 AND id < uuid_v7_min(now())'),
	'... row security and privileges are in effect');
is(sql('SELECT count FROM seen'), sql('SELECT count(*) FROM logs'), '... the view sees all');
is(sql(q{INSERT INTO logs VALUES (uuid_v7_min('2027-01-02Z')) RETURNING tableoid::regclass;
	SELECT count(*), min(tableoid::regclass::text), count(DISTINCT n) FROM logs WHERE n > 2001}),
		"logs_2027_01\n999|logs_old|999",
	'the old rows are in the first partition');
is(sql(q{INSERT INTO logs SELECT id FROM logs ON CONFLICT ON CONSTRAINT logs_pkey DO NOTHING;
	SELECT relname,
		reloptions FROM pg_class WHERE relname ~ '^logs' AND reloptions IS NOT NULL ORDER BY 1}),
	join("\n", 'logs_2027_01_pkey|{fillfactor=80}', 'logs_old|{fillfactor=70}',
		'logs_old_pkey|{fillfactor=80}', 'logs_pkey|{fillfactor=80}'),
	'... the key has its name, new partitions have the storage parameters of indexes only');
sql('CREATE TABLE part (LIKE logs_old INCLUDING ALL, code text UNIQUE)');
refused('CREATE TABLE parts (LIKE part INCLUDING ALL) PARTITION BY RANGE (id)',
	qr/unique constraint on partitioned table must include all partitioning columns/i,
	'a unique key without id');

# For 64-bit ids, ATTACH reads no rows if the constraint has the epoch.
foreach my $epoch ('', q{, '2024-01-01 00:00:00Z'})
{
	my $bound = q{fluid_min('2027-01-01 00:00:00Z'};

	$node->psql($database, qq{CREATE TABLE sums (LIKE orders) PARTITION BY RANGE (id);
		CREATE TABLE old (LIKE orders, CHECK (id < $bound$epoch)));
		SET client_min_messages = debug1;
		ALTER TABLE sums ATTACH PARTITION old FOR VALUES FROM (MINVALUE) TO ($bound));
		DROP TABLE sums}, stderr => \$said, on_error_stop => 1);
	like($said, $epoch ? qr/partition constraint for table "old" is implied/ :
			qr/verifying table "old"/, "ATTACH, and a constraint of FLUIDs$epoch");
}
all_blocks_run();

$node->stop;
done_testing();
