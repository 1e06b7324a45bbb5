# World.
# Run the blocks of doc/migrating.md and doc/partitioning.md as they stand, except
# those of another epoch (t/064_epochs.pl) and of pg_partman (t/095_partman.pl).
# Tables change while others write, and while the steps are interrupted after each
# of their statements: every row stays with its parent.

use FlakeidTest qw(clock);
use FlakeidDoc;
use IPC::Run;
use Time::Local qw(timegm);

chomp(my $sharedir = qx{pg_config --sharedir});
plan skip_all => "$sharedir/extension is not ours to write" unless -w "$sharedir/extension";

# Some dates of the pages are of 2026 and 2027, so it is November 2026.
my $node = $server = new_node('migrating', "deadlock_timeout = 1s\n", clock => 1);

set_clock($node, timegm(0, 0, 12, 15, 10, 2026) - time);

# ------------------------------------------- what others do, at random, by pgbench

my $insert = 'WITH p AS (INSERT INTO parcels DEFAULT VALUES RETURNING id, code)
	INSERT INTO scans (parcel, code) SELECT id, code FROM p;';
my %writes = (
	insert => $insert,
	move => q{WITH p AS (SELECT id, code FROM parcels WHERE code = :r FOR KEY SHARE)
		UPDATE scans AS s SET parcel = p.id, code = p.code FROM p WHERE s.n = :r + 5;},
	update => q{UPDATE parcels SET code = code WHERE code = :r;},
	delete => q{DELETE FROM parcels WHERE code = :r;},
	update_key => q{UPDATE parcels SET id = nextval('parcels_id_seq') WHERE code = :r;},
	insert_again => q{DO $$ DECLARE was bigint; BEGIN
		DELETE FROM parcels WHERE code = :r RETURNING id INTO was;
		IF FOUND THEN INSERT INTO parcels (id, code) VALUES (was, :r); END IF; END $$;},
	logs => q{INSERT INTO logs DEFAULT VALUES; UPDATE logs SET n = n + 1 WHERE n = :r; DELETE FROM logs WHERE n = :r;});
my ($pgbench, $complaints, $counter);

sub writers_begin
{
	my $folder = $PostgreSQL::Test::Utils::tmp_check;

	($counter, my @names) = @_;
	-e "$folder/$_.sql" or append_to_file("$folder/$_.sql", "\\set r random(1, 2000)\n$writes{$_}\n") foreach @names;
	$complaints = '';
	$pgbench = IPC::Run::start([ qw(pgbench -n -c 4 -T 3600 --max-tries=1000), map({ ('-f', "$folder/$_.sql") } @names),
		$node->connstr($database) ], '<', \undef, '>', \my $out, '2>', \$complaints);
	return;
}

# Wait until the writers have done more.
sub writers_write
{
	my $before = sql($counter);

	ok(wait_until(sub { $pgbench->pump_nb; $complaints =~ /error/ || sql("SELECT ($counter) > $before + 30") eq 't' }), '... others write');
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

# ---------------------------------------------------------- integer to bigint

read_page('migrating.md', qr/^Change the epoch/);
$heading = 'From integer to bigint, while in use';

# Each scan knows the code of its parcel, which does not change.
my $right = q{count(*) = 0 FROM scans AS s LEFT JOIN parcels AS p ON p.id = s.parcel WHERE p.code IS DISTINCT FROM s.code};
my $actions;

sub begin
{
	($database, $actions) = @_;
	new_database($node, $database, qq{
		CREATE EXTENSION flakeid;
		CREATE TABLE parcels (id serial PRIMARY KEY, code bigserial UNIQUE);
		CREATE TABLE scans (n bigserial PRIMARY KEY, parcel integer NOT NULL
		  CONSTRAINT scans_parcel_fkey REFERENCES parcels $actions, code bigint NOT NULL);
		CREATE INDEX scans_parcel_idx ON scans (parcel);
		INSERT INTO parcels SELECT FROM generate_series(1, 5000);
		INSERT INTO scans (parcel, code) SELECT id, code FROM parcels});
	return;
}

sub adapted { return $_[0] =~ s/ON DELETE CASCADE/$actions/r }

sub step
{
	my ($number, @options) = @_;

	block_again($heading, $number);
	recipe(retry => 100, edit => \&adapted, @options);
	holds($right, 'every row is with its parent');
	writers_write() if $pgbench;
	return;
}

# Run the first statements of the block, for each number of them except all, and
# end the session.
sub interrupted
{
	my ($number) = @_;
	my @statements = adapted(block($heading, $number)) =~ /((?:\$\$.*?\$\$|[^;\$]|\$\d)*;[^\n]*\n)/gs;

	foreach my $last (0 .. $#statements - 1)
	{
		$node->psql($database, join('', @statements[ 0 .. $last ]) . 'SELECT pg_terminate_backend(pg_backend_pid())', on_error_stop => 0);
		holds($right, "step $number, interrupted after $last: every row is with its parent");
	}
	return;
}

# As printed, and back, and again
my $catalog = q{
	SELECT pg_get_constraintdef(oid) FROM pg_constraint
	WHERE conrelid IN ('parcels'::regclass, 'scans'::regclass) AND contype <> 'n' ORDER BY 1;
	SELECT pg_get_indexdef(indexrelid) FROM pg_index WHERE indrelid IN ('parcels'::regclass, 'scans'::regclass) ORDER BY 1;
	SELECT attname, atttypid::regtype, attnotnull FROM pg_attribute
	WHERE attrelid IN ('parcels'::regclass, 'scans'::regclass) AND attnum > 0 AND NOT attisdropped ORDER BY 1};

begin('as_printed', 'ON DELETE CASCADE');

my $before = sql($catalog);

is(join(' ', sort grep { !/not_null/ } recipe() =~ /^(default|sequence|(?:constraint|index) \w+)/mg),
	'constraint parcels_pkey constraint scans_parcel_fkey constraint scans_parcel_fkey default index scans_parcel_idx sequence',
	'... lists what depends on the columns');
writers_begin('SELECT max(code) FROM parcels', qw(insert move update delete));

my $said = '';

step($_) foreach 1 .. 5;
step(6, before => "SET client_min_messages = debug1;\n", stderr => \$said);
like($said, qr/constraints on column "$_" are sufficient to prove/, 'the swap uses what is proved') foreach 'parcels.id_copy', 'scans.parcel';
unlike($said, qr/verifying table|rewriting table|validating foreign key/, '... and reads no rows');
step($_) foreach 3 .. 6;
holds(q{pg_typeof(id) = 'integer'::regtype FROM parcels LIMIT 1}, 'the way back');
step($_) foreach 3 .. 6;
writers_end();
refused('BEGIN; ALTER TABLE scans ALTER parcel DROP NOT NULL; INSERT INTO scans VALUES (DEFAULT, 7, 7)',
	qr/violates check constraint "scans_copy"/, 'an INSERT without columns fails');
step(7);
sql("ALTER TABLE parcels ALTER id SET DEFAULT fluid_generate(); $insert");
holds($right, 'with FLUIDs');
is(sql($catalog), $before =~ s/^((?:id|parcel)\|)integer/$1bigint/gmr, 'keys, indexes and columns are those of before');

# Keys that are updated, or deleted and inserted in one transaction, in REPEATABLE READ;
# each step is interrupted, also while it fills rows and waits for others.
begin('interrupted', 'ON UPDATE CASCADE DEFERRABLE INITIALLY DEFERRED');
sql("ALTER DATABASE $database SET default_transaction_isolation = 'repeatable read'");

my $count = sql('SELECT count(*) FROM scans');

writers_begin('SELECT max(code) FROM parcels', qw(insert move update_key insert_again));
foreach my $number (1 .. 6)
{
	my ($holder, $doomed) = map { session($node, database => $database) } 1 .. 2;

	interrupted($number);
	$holder->query('BEGIN; LOCK TABLE parcels IN ROW EXCLUSIVE MODE');
	$doomed->send(adapted(block($heading, $number)) =~ s/pg_sleep\(\K0.01/60/r);
	ok($node->poll_query_until($database, q{SELECT count(pg_terminate_backend(pid)) > 0 FROM pg_stat_activity
		WHERE wait_event IN ('PgSleep', 'virtualxid')}), "step $number is interrupted while it waits") if $number == 2 || $number == 3;
	$_->quit foreach $doomed, $holder;
	step($number);
}
writers_end();
holds("count(*) = (SELECT count(*) FROM parcels) AND count(*) > $count FROM scans", 'no row is lost');
step(7);

# What PostgreSQL refuses, so that no step can be left out
begin('refused', 'ON DELETE CASCADE');
step(1);
refused("BEGIN; ALTER TABLE $_ DISABLE TRIGGER USER; UPDATE $_ SET code = code", qr/violates check constraint "${_}_copy"/,
	"a row of $_ without a copy") foreach qw(parcels scans);
sql('UPDATE parcels SET code = code');
step($_) foreach 3, 4;
block_again($heading, 6);
recipe(fails => qr/check constraint "scans_copy" of relation "scans" is violated by some row/);
step($_) foreach 2, 5;
sql('CREATE TABLE labels (parcel integer REFERENCES parcels); CREATE VIEW seen AS SELECT id FROM parcels');
block_again($heading, 6);
recipe(fails => qr/constraint labels_parcel_fkey on table labels depends on index/);
sql('DROP TABLE labels');
step(6);
refused('INSERT INTO parcels (id) VALUES (fluid_generate())', qr/integer out of range/, 'a FLUID before the old column is dropped');
block_again($heading, 7);
recipe(fails => qr/view seen depends on column id_copy/);

# ----------------------------------------------------- only the DEFAULT changes

($database, $heading) = ('simple', 'bigserial');
new_database($node, $database, q{CREATE EXTENSION flakeid;
	CREATE TABLE orders (id bigserial PRIMARY KEY, created_at timestamptz DEFAULT now());
	INSERT INTO orders (created_at) SELECT now() - n * interval '1 day' FROM generate_series(1, 100) AS n;
	CREATE TABLE payments (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, n integer);
	INSERT INTO payments (n) SELECT generate_series(1, 100);
	CREATE TABLE customers (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), n integer);
	INSERT INTO customers SELECT FROM generate_series(1, 100);
	CREATE TABLE notes (id text PRIMARY KEY DEFAULT '', n integer);
	INSERT INTO notes VALUES ('01ARZ3NDEKTSV4RRFFQ69G5FAV', 0)});
recipe();
sql('INSERT INTO orders DEFAULT VALUES');
recipe();
is(sql(q{INSERT INTO payments (n) VALUES (101) RETURNING id > (SELECT max(id) FROM orders);
	ALTER TABLE payments ALTER id SET DEFAULT nextval('payments_id_kept'); INSERT INTO payments (n) VALUES (102) RETURNING id}),
	"t\n101", 'identities become FLUIDs, and go back');
sql(q{INSERT INTO orders VALUES (fluid_min(now() - interval '91 days'))});
holds(q{count(*) = 101 FROM orders WHERE fluid_in_range(id, '-infinity', now() - interval '90 days')}, 'old ids are in the first hours');
recipe();
holds(q{count(*) = 90 AND min(created_at) > now() - interval '91 days' FROM orders}, 'rows of the last 90 days stay');
$heading = 'Imports';
sql(q{CREATE TABLE old_orders AS SELECT now() - interval '100 days' - n / 10 * interval '1 ms' AS created_at FROM generate_series(1, 1000) AS n});
recipe();
holds(q{count(*) = 1000 AND bool_and(fluid_to_timestamptz(id) = date_trunc('ms', created_at))
	FROM orders WHERE created_at < now() - interval '99 days'}, 'ids have the time of their rows');
$heading = 'gen_random_uuid or uuid-ossp';
recipe();
sql('INSERT INTO customers (n) SELECT generate_series(1, 10)');
is(recipe(), sql('SELECT id FROM customers WHERE n > 0 ORDER BY n DESC'), '... returns the new ones, the newest first');
$heading = 'Move from ULIDs';
recipe() foreach 1 .. 2;
is(sql(q{INSERT INTO notes (n) VALUES (1);
	SELECT uuid_to_text(id, 'ulid'), ulid_to_timestamptz(id) FROM notes ORDER BY id LIMIT 1}),
	'01ARZ3NDEKTSV4RRFFQ69G5FAV|2016-07-30 23:54:10.259+00', 'a ULID, below new ids, and its time');

# Debian has no package of pg_uuidv7: an extension with one function replaces it.
my %files = -e "$sharedir/extension/pg_uuidv7.control" ? () : (
	"$sharedir/extension/pg_uuidv7.control" => "default_version = '1.0'\n",
	"$sharedir/extension/pg_uuidv7--1.0.sql" => 'CREATE FUNCTION uuid_generate_v7() RETURNS uuid LANGUAGE sql RETURN NULL::uuid');

END { unlink keys %files }
append_to_file($_, $files{$_}) foreach keys %files;
($database, $heading) = ('visited', 'pg_uuidv7, and functions of the same name');
new_database($node, $database, 'CREATE EXTENSION pg_uuidv7; CREATE TABLE visits (id uuid DEFAULT uuid_generate_v7())');
refused('CREATE EXTENSION flakeid', qr/function "uuid_generate_v7" already exists/, 'both in one schema');
sql('CREATE SCHEMA ids; CREATE EXTENSION flakeid SCHEMA ids; DROP EXTENSION flakeid');
recipe();
is(sql('INSERT INTO visits DEFAULT VALUES RETURNING uuid_get_version(id)'), 7, 'ids of flakeid');
all_blocks_run();

# ---------------------------------------------------------------- partitions

read_page('partitioning.md', qr/^pg_partman/);
($database, $heading) = ('partitions', '');
new_database($node, $database, q{CREATE EXTENSION flakeid;
	CREATE TABLE logs (id uuid PRIMARY KEY DEFAULT uuid_generate_v7(), n bigint NOT NULL DEFAULT 0);
	INSERT INTO logs SELECT uuid_v7_from_timestamptz('2026-01-01Z'), n FROM generate_series(1, 3000) AS n});
recipe() foreach 1 .. 2;
is(sql(q{INSERT INTO events DEFAULT VALUES RETURNING tableoid::regclass = to_char(now() AT TIME ZONE 'UTC', '"events_"YYYY_MM')::regclass;
	INSERT INTO events VALUES (uuid_v7_min('2026-01-10 12:00:00Z'), 'old'), (uuid_v7_min(now() + interval '2 months'), 'ahead');
	SELECT count(*) FROM pg_inherits WHERE inhparent = 'events'::regclass}), "t\n5", 'this month, and three ahead');
block_again($heading);
recipe();
$heading = 'Query by time';
my @plans = split /(?<=\n)(?=Limit)/, recipe(before => "SET enable_sort = off;\nSET enable_seqscan = off;\n");
is(join(' ', $plans[0] =~ /Scan.* on (\w+?)(?:_pkey)?$/mg), 'events_2026_01', '... a range reads one partition');
unlike($plans[1], qr/Sort|Merge/, '... the newest rows need no sort');
$heading = 'Drop old rows';
recipe();
is(sql('SELECT count(*), count(what) FROM events'), '2|1', '... and its rows are gone');
$heading = 'Partition a table that already exists';
writers_begin('SELECT count(*) FROM logs WHERE n = 0', 'logs');
recipe(retry => 100);
refused(q{INSERT INTO logs VALUES (uuid_v7_min('2027-01-02Z'))}, qr/old_ids/, 'it rejects ids of 2027');
writers_write();
recipe(retry => 100, before => "SET client_min_messages = debug1;\n", stderr => \$said);
like($said, qr/partition constraint for table "logs_old" is implied/, '... reads no rows');
writers_end();
is(sql(q{INSERT INTO logs VALUES (uuid_v7_min('2027-01-02Z')) RETURNING tableoid::regclass;
	SELECT count(*), min(tableoid::regclass::text), count(DISTINCT n) FROM logs WHERE n > 2001}), "logs_2027_01\n999|logs_old|999",
	'the old rows are in the first partition');
all_blocks_run();

$node->stop;
done_testing();
