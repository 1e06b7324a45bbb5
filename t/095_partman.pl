# World.
# pg_partman creates and detaches partitions of tables keyed by ids, with the
# recipes of doc/partitioning.md, while a simulated clock passes a year.

use FlakeidTest qw(clock);
use FlakeidDoc;
use Time::Local qw(timegm);

chomp(my $share = qx{pg_config --sharedir});
my $control = "$share/extension/pg_partman.control";

plan skip_all => 'pg_partman is not installed' unless -e $control;

my ($version) = slurp_file($control) =~ /^default_version = '(\d+\.\d+)/m;
my $thirty_days = 43_486_543_872_000_000;
my $uuid = 'pg_partman: months of UUIDv7';
my $fluid = 'pg_partman: thirty days of FLUIDs';

# Before each block, the page says which version it needs: 5.2 is the first one that
# takes functions for the bounds of a uuid; 4 has another word for range partitions.
my $page = slurp_file("$src/doc/partitioning.md");
my ($of_uuid) = $page =~ /^## \Q$uuid\E\n\n\*\*[^`]* pg_partman (\d[.\d]*)/m;
my ($of_moving) = $page =~ /^.*\*\*From (\d[.\d]*) on\*\*[^`]*\n[^`]*`partition_data_proc` fails/m;
my ($of_fluid) = $page =~ /^## \Q$fluid\E\n\n\*\*[^`]* pg_partman (\d[.\d]*)/m;
my @tables = $version < $of_uuid ? ('orders') : ('events', 'orders');
my $type = $version < $of_fluid ? 'native' : 'range';

# Set the server's clock to a time in UTC, from which it runs on.
sub set_time
{
	my ($node, $time) = @_;
	my ($year, $month, $day, $hour) = $time =~ /\d+/g;

	set_clock($node, timegm(0, 0, $hour, $day, $month - 1, $year) - time());
	return;
}

# Its clock is in January when it is first started.
my $node = $server = PostgreSQL::Test::Cluster->new('partman');

$database = 'postgres';
$node->init;
$node->append_conf('postgresql.conf', "autovacuum = off\ntimezone = 'UTC'\n");
set_time($node, '2026-01-15 12');
start_with_clock($node);

sub maintain { sql("SET timezone = 'UTC'; CALL partman.run_maintenance_proc()"); return; }

# Insert a hundred rows of the current time, using the DEFAULT.
sub rows { sql("INSERT INTO $_[0] (what) SELECT now() FROM generate_series(1, 100)"); return; }

sub partitions
{
	return sql(qq{SELECT string_agg(partition_tablename, ' ' ORDER BY partition_tablename)
		FROM partman.show_partitions('public.$_[0]')});
}

# Check that every row is in the partition of its id, and that its id has the
# millisecond of the row's time or one within a minute after it.
sub all_in_place
{
	my ($table, $partition, $format) = @_;

	is(sql(qq{
		SELECT tableoid::regclass, id, at, what
		FROM (SELECT tableoid, *, ${format}_to_timestamptz(id) AS at,
		  what::timestamptz AS time FROM $table) AS r
		WHERE NOT (tableoid::regclass::text = $partition
		  AND at BETWEEN date_trunc('ms', time) AND time + interval '1 minute') LIMIT 3}),
		'', "$table: rows are in the partition of their time");
	return;
}

sub in_default { return is(sql("SELECT count(*) FROM $_[0]_default"), $_[1], $_[2]); }

# Check that the plan reads this partition only.
sub reads_one
{
	my ($plan, $partition, $what) = @_;
	my %read = map { s/_pkey$//r => 1 } $plan =~ / Scan.* on ([a-z0-9_]*)/g;

	is(join(' ', sort keys %read), $partition, $what) or diag($plan);
	return;
}

sub plan_of { return sql("EXPLAIN (COSTS off) SELECT * FROM $_[0]"); }

# The partition for FLUIDs of a given time
sub orders_of {
	return sql("SELECT 'orders_p' || fluid_min('$_[0]') / $thirty_days * $thirty_days"); }

# Rows in the partitions of a table and in those that were detached from it
sub rows_of
{
	my $rows = 0;

	$rows += $_ foreach split /\n/,
		sql(qq{SELECT format('SELECT count(*) FROM %I', relname) FROM pg_class
		WHERE relname ~ '^$_[0]_(p\\d+|default)\$' AND relkind = 'r' \\gexec});
	return $rows;
}

sub detached {
	return sql(qq{SELECT count(*) FROM pg_class WHERE relname ~ '^$_[0]_p\\d+\$' AND relkind = 'r'
		AND NOT relispartition}); }

read_page('partitioning.md', qr/^(?!pg_partman)/);
sql('CREATE EXTENSION flakeid; CREATE SCHEMA partman;
	CREATE EXTENSION pg_partman SCHEMA partman;
	CREATE TABLE events (id uuid PRIMARY KEY DEFAULT uuid_generate_v7(), what text) PARTITION BY
		RANGE (id);
	CREATE TABLE orders (id bigint PRIMARY KEY DEFAULT fluid_generate(), what text) PARTITION BY
		RANGE (id)');

# ------------------------------------------------------------- in January

if (@tables > 1)
{
	$heading = $uuid;
	recipe();
	is(partitions('events'),
		'events_p20260101 events_p20260201 events_p20260301 events_p20260401 events_p20260501',
		'UUIDv7: this month and four ahead');
}
else
{
	$heading = $uuid;
	recipe(fails => qr/function partman.create_parent.* does not exist/);
	block_again($heading, 2);
}
$heading = $fluid;
if ($type eq 'native')
{
	recipe(fails => qr/range is not a valid partitioning type/);
	block_again($heading);
}
recipe(edit => sub { $_[0] =~ s/(?<=p_type := ')range/$type/r });
holds(qq{count(*) = 7
	AND bool_and(child_start_id % $thirty_days = 0)
	AND bool_and(child_end_id - child_start_id BETWEEN $thirty_days - 1 AND $thirty_days)
	AND min(child_start_id) = fluid_min(now()) / $thirty_days * $thirty_days
	FROM partman.show_partitions('public.orders'),
	partman.show_partition_info(partition_schemaname || '.' || partition_tablename)},
	'FLUID: this range and six ahead');

foreach my $month (1 .. 11)
{
	set_time($node, sprintf '2026-%02d-15 12', $month);
	rows($_) foreach @tables;
	maintain();
}

# --------------------------------------------- in the middle of November

if (@tables > 1)
{
	is(partitions('events'),
		join(' ', map { "events_p${_}01" } 202605 .. 202612, 202701 .. 202703),
		'UUIDv7: six months are kept, four created ahead');
	is(sql('SELECT count(*) FROM events') . ' ' . detached('events') . ' ' . rows_of('events'),
		'700 4 1100',
		'UUIDv7: rows of detached partitions are kept');
	all_in_place('events',
		q{'events_p' || to_char(uuid_v7_to_timestamptz(id), 'YYYYMM') || '01'}, 'uuid_v7');
	in_default('events', 0, 'UUIDv7: the default partition is empty');
	reads_one(plan_of(q{events WHERE
		uuid_v7_in_range(id, '2026-11-10 00:00:00Z', '2026-11-11 00:00:00Z')}), 'events_p20261101',
		'UUIDv7: a time range reads one partition');
	reads_one(plan_of(q{events WHERE id = uuid_v7_min('2026-08-20 00:00:00Z')}),
		'events_p20260801', 'UUIDv7: and so does an id');
}

holds(qq{min(child_end_id) + 1 > newest - 6 * $thirty_days
	AND min(child_start_id) <= newest - 6 * $thirty_days
	AND max(child_start_id) = newest / $thirty_days * $thirty_days + 6 * $thirty_days
	AND count(*) = (max(child_start_id) - min(child_start_id)) / $thirty_days + 1
	FROM (SELECT max(id) FROM orders) AS n (newest),
	partman.show_partitions('public.orders'),
	partman.show_partition_info(partition_schemaname || '.' || partition_tablename)
	GROUP BY newest},
	'FLUID: partitions older than six times thirty days are detached, no others');
holds(q{min(id) >= (SELECT min(child_start_id)
	FROM partman.show_partitions('public.orders'),
	partman.show_partition_info(partition_schemaname || '.' || partition_tablename))
	AND count(*) BETWEEN 600 AND 800 FROM orders}, 'FLUID: and so are their rows');
is(rows_of('orders'), 1100, '... which are kept');
all_in_place('orders', "'orders_p' || id / $thirty_days * $thirty_days", 'fluid');
in_default('orders', 0, 'FLUID: the default partition is empty');

holds(q{bool_and(fluid_to_timestamptz(child_end_id + 1) - from_ts = '30 days'
	AND 'orders_p' || fluid_min(from_ts) = partition_tablename
	AND extract(epoch FROM from_ts - '2024-01-01 00:00:00Z') % (30 * 86400) = 0)
	FROM partman.show_partitions('public.orders'),
	partman.show_partition_info(partition_schemaname || '.' || partition_tablename),
	LATERAL (SELECT fluid_to_timestamptz(child_start_id)) AS t (from_ts)},
		'FLUID: each covers thirty days');
reads_one(plan_of(q{orders WHERE
	fluid_in_range(id, '2026-11-10 00:00:00Z', '2026-11-11 00:00:00Z')}),
		orders_of('2026-11-10 00:00:00Z'),
	'FLUID: a time range reads one partition');
reads_one(plan_of(q{orders WHERE id = fluid_min('2026-08-20 00:00:00Z')}),
	orders_of('2026-08-20 00:00:00Z'), 'FLUID: and so does an id');

# --------------------------------------------- after seven months without rows

set_time($node, '2027-06-15 12');
maintain();
if (@tables > 1)
{
	rows('events');
	holds(q{min(partition_tablename) = 'events_p20261201'
		AND max(partition_tablename) = 'events_p20271001'
		AND (SELECT count(*) FROM events_p20270601) = 100
		FROM partman.show_partitions('public.events')},
		'UUIDv7: new months are created, and old ones detached');
	in_default('events', 0, 'UUIDv7: the default partition is empty');
	maintain();
}
rows('orders');
in_default('orders', 100,
	'FLUID: rows beyond the partitions created ahead are in the default partition');

# ------------------------------------------------- rows in a default partition

if (@tables > 1)
{
	my $partitions = partitions('events');

	sql(q{INSERT INTO events
		SELECT uuid_v7_from_timestamptz(now() + n * interval '10 hours'), 'ahead'
			FROM generate_series(300, 498) AS n});

	my $ahead = sql('SELECT count(*) FROM events_default');

	cmp_ok($ahead, '>', 0, 'UUIDv7: rows without a partition');
	set_time($node, '2027-07-15 12');
	$node->psql('postgres', "SET timezone = 'UTC'; CALL partman.run_maintenance_proc()");
	is(partitions('events'), $partitions, '... stop creation and retention');
	refused(q{CALL partman.partition_data_proc('public.events')},
		qr/partition_data_uuid.* does not exist/, 'partition_data_proc');

	my $rows = rows_of('events');

	$heading = $uuid;
	if ($version < $of_moving)
	{
		recipe(fails => qr/Cannot run on partition set without time based control column/);
		sql(q{UPDATE partman.part_config SET automatic_maintenance = 'off'
			WHERE parent_table = 'public.events'});
	}
	else
	{
		is(recipe(), $ahead, '... partition_data_time moves all');
		in_default('events', 0, 'UUIDv7: the default partition is empty');
		maintain();
		like(partitions('events'), qr/^events_p20270101 .*events_p20271101/,
			'... and creation and retention continue');
	}
	is(rows_of('events'), $rows, '... no row is lost');
}
all_blocks_run();

# An id a year ahead, as after a wrong clock
sql("INSERT INTO orders VALUES (fluid_min(now() + interval '1 year'), now());
	CALL partman.partition_data_proc('public.orders', p_wait := 0)");
maintain();
is(sql('SELECT count(*) FROM orders') . ' ' . rows_of('orders'), '1 1201',
	'FLUID: an id a year ahead detaches all, and no row is lost');

# ------------------------------------------------------------ the other formats

# Thirty days in ms, times 2^bits
my %bits = (nanoflake => 22, ulidflake => 20);

foreach my $format (sort keys %bits)
{
	sql(qq{
		CREATE TABLE of_$format (id bigint PRIMARY KEY DEFAULT ${format}_generate(), what text)
		PARTITION BY RANGE (id);
		SELECT partman.create_parent('public.of_$format', 'id', p_type := '$type',
		  p_interval := (2592000000 * 2 ^ $bits{$format})::bigint::text,
		  p_start_partition := ${format}_min(now())::text)});
	rows("of_$format");
	in_default("of_$format", 0, "$format: the default partition is empty");
	is(sql(qq{SELECT count(*) FROM ONLY of_$format;
		SELECT count(DISTINCT tableoid),
			min(tableoid)::regclass = min(p.partition_tablename)::regclass
		FROM of_$format, partman.show_partitions('public.of_$format') AS p}), "0\n1|t",
		"$format: the first partition contains the current time");
}

# ---------------------------------------------------- documented limitations

sql(qq{
	CREATE TABLE since_epoch (id bigint PRIMARY KEY DEFAULT fluid_generate(), what text)
	PARTITION BY RANGE (id);
	SELECT partman.create_parent('public.since_epoch', 'id', p_type := '$type',
		p_interval := '$thirty_days')});
rows('since_epoch');
in_default('since_epoch', 100,
	q{without p_start_partition today's rows are in the default partition});
sql('CREATE TABLE of_scru160 (id scru160 PRIMARY KEY) PARTITION BY RANGE (id);
	CREATE TABLE of_bigint (id bigint PRIMARY KEY) PARTITION BY RANGE (id)');
refused(qq{SELECT partman.create_parent('public.of_scru160', 'id', p_type := '$type',
	p_interval := '1 month')},
	qr/only supports partitioning of data types|Only date\/time or integer types/,
	'pg_partman does not support SCRU160');
refused(qq{SELECT partman.create_parent('public.of_bigint', 'id', p_type := '$type',
	p_interval := '1 month',
	p_time_encoder := 'public.fluid_min', p_time_decoder := 'public.fluid_to_timestamptz')},
	qr/text\/uuid type control column|function partman.create_parent.* does not exist/,
	'pg_partman takes no encoder for bigint');

$node->stop;
done_testing();
