# The real pg_partman makes and drops partitions of tables whose ids are ours, by
# the recipes of doc/partitioning.md, while a year passes by a clock that is set.

use strict;
use warnings;

use FlakeidDoc;
use FlakeidTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::Local qw(timegm);

plan skip_all => 'libfaketime is not installed' unless clock_library();

chomp(my $share = qx{pg_config --sharedir});
my $control = "$share/extension/pg_partman.control";

plan skip_all => 'pg_partman 5.2 or newer is not installed'
  unless -e $control
  && slurp_file($control) =~ /^default_version = '(?:5\.[2-9]|5\.\d\d|[6-9]|\d\d)/m;

my $thirty_days = 43_486_543_872_000_000;
my $uuid = 'pg_partman: months of UUIDv7';
my $fluid = 'pg_partman: thirty days of FLUIDs';

# What time it is for the server, in UTC; it goes on from there.
sub set_time
{
	my ($node, $time) = @_;
	my ($year, $month, $day, $hour) = $time =~ /\d+/g;

	set_clock($node, timegm(0, 0, $hour, $day, $month - 1, $year) - time());
	return;
}

# A server whose clock says January when it is first started
sub node_in_january
{
	my $node = PostgreSQL::Test::Cluster->new('partman');

	$node->init;
	$node->append_conf('postgresql.conf', "autovacuum = off\ntimezone = 'UTC'\n");
	set_time($node, '2026-01-15 12');
	start_with_clock($node);
	return $node;
}

my $node = node_in_january();

sub sql { return $node->safe_psql('postgres', shift); }

sub holds
{
	my ($condition, $what) = @_;

	is(sql("SELECT $condition"), 't', $what);
	return;
}

sub refused
{
	my ($statement, $error, $what) = @_;
	my $said = '';

	isnt($node->psql('postgres', $statement, stderr => \$said), 0, $what);
	like($said, $error, '... and says why');
	return;
}

sub recipe { return run_block($node, 'postgres', shift); }

# Maintenance is the fourth block of each recipe, what is read the fifth.
sub maintain
{
	my ($heading) = @_;

	block_again($heading, 3);
	return recipe($heading);
}

# A hundred rows of now, by the DEFAULT
sub rows
{
	my ($table) = @_;

	sql("INSERT INTO $table (what) SELECT now() FROM generate_series(1, 100)");
	return;
}

sub partitions
{
	my ($table) = @_;

	return sql(qq{
		SELECT string_agg(partition_tablename, ' ' ORDER BY partition_tablename)
		FROM partman.show_partitions('public.$table')});
}

# Every row is in the partition of its id, and its id has the millisecond of the
# row's time or one of the next minute.
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

sub in_default
{
	my ($table, $number, $what) = @_;

	is(sql("SELECT count(*) FROM ${table}_default"), $number, $what);
	return;
}

# The plan reads this partition, and nothing else.
sub reads_one
{
	my ($plan, $partition, $what) = @_;
	my %read = map { s/_pkey$//r => 1 } $plan =~ / Scan.* on ([a-z0-9_]*)/g;

	is(join(' ', sort keys %read), $partition, $what) or diag($plan);
	return;
}

sub explain { return sql("EXPLAIN (COSTS off) SELECT * FROM $_[0]"); }

# The partition of the FLUIDs of a time
sub orders_of
{
	my ($time) = @_;

	return sql("SELECT 'orders_p' || fluid_min('$time') / $thirty_days * $thirty_days");
}

read_page('partitioning.md', qr/^(?!pg_partman)/);
sql('CREATE EXTENSION flakeid; CREATE SCHEMA partman;
	CREATE EXTENSION pg_partman SCHEMA partman');

# ------------------------------------------------------------- in January

recipe($uuid) foreach 1 .. 3;
is(partitions('events'),
	'events_p20260101 events_p20260201 events_p20260301 events_p20260401 events_p20260501',
	'UUIDv7: this month and four more');
recipe($fluid) foreach 1 .. 2;
holds(qq{count(*) = 7
	AND bool_and(child_start_id % $thirty_days = 0)
	AND bool_and(child_end_id - child_start_id = $thirty_days - 1)
	AND min(child_start_id) = fluid_min(now()) / $thirty_days * $thirty_days
	FROM partman.show_partitions('public.orders'),
	partman.show_partition_info(partition_schemaname || '.' || partition_tablename)},
	'FLUID: this range and six more');

foreach my $month (1 .. 11)
{
	set_time($node, sprintf '2026-%02d-15 12', $month);
	rows('events');
	rows('orders');
	maintain($uuid);
	maintain($fluid);
}

# --------------------------------------------- in the middle of November

is(partitions('events'),
	join(' ', map { "events_p${_}01" } 202605 .. 202612, 202701 .. 202703),
	'UUIDv7: six months are kept, four made ahead');
is(sql(q{SELECT to_regclass('events_p20260401') IS NULL, count(*) FROM events}),
	't|700', 'UUIDv7: what was dropped is gone');
all_in_place('events',
	q{'events_p' || to_char(uuid_v7_to_timestamptz(id), 'YYYYMM') || '01'}, 'uuid_v7');
in_default('events', 0, 'UUIDv7: none is in the default partition');
reads_one(recipe($uuid), 'events_p20261101',
	'UUIDv7: a range of time reads one partition');
reads_one(explain(q{events WHERE
	uuid_v7_between(id, '2026-06-01 00:00:00Z', '2026-07-01 00:00:00Z')}),
	'events_p20260601', 'UUIDv7: one of June too');
reads_one(explain(q{events WHERE id = uuid_v7_min('2026-08-20 00:00:00Z')}),
	'events_p20260801', 'UUIDv7: and an id');

holds(qq{min(child_end_id) + 1 > newest - 6 * $thirty_days
	AND min(child_start_id) <= newest - 6 * $thirty_days
	AND max(child_start_id) = newest / $thirty_days * $thirty_days + 6 * $thirty_days
	AND count(*) = (max(child_start_id) - min(child_start_id)) / $thirty_days + 1
	FROM (SELECT max(id) FROM orders) AS n (newest),
	partman.show_partitions('public.orders'),
	partman.show_partition_info(partition_schemaname || '.' || partition_tablename)
	GROUP BY newest},
	'FLUID: what is older than six times thirty days is gone, no more');
holds(q{min(id) >= (SELECT min(child_start_id)
	FROM partman.show_partitions('public.orders'),
	partman.show_partition_info(partition_schemaname || '.' || partition_tablename))
	AND count(*) BETWEEN 600 AND 800 FROM orders}, 'FLUID: its rows too');
all_in_place('orders', "'orders_p' || id / $thirty_days * $thirty_days", 'fluid');
in_default('orders', 0, 'FLUID: none is in the default partition');

block_again($fluid, 2);
my @times = map { [ split /\|/ ] } split /\n/, recipe($fluid);

is(scalar(@times),
	sql(q{SELECT count(*) FROM partman.show_partitions('public.orders')}),
	'FLUID: the times of every partition');
foreach my $row (@times)
{
	my ($name, $from_ts, $to_ts) = @$row;

	holds(qq{'$to_ts'::timestamptz - '$from_ts' = '30 days'
		AND 'orders_p' || fluid_min('$from_ts') = '$name'
		AND extract(epoch FROM '$from_ts'::timestamptz - '2024-01-01 00:00:00Z')
		  % (30 * 86400) = 0}, "FLUID: $name is of thirty days");
}
block_again($fluid, 4);
reads_one(recipe($fluid), orders_of('2026-11-10 00:00:00Z'),
	'FLUID: a range of time reads one partition');
reads_one(explain(q{orders WHERE fluid_between(id, '2026-10-01 00:00:00Z',
	'2026-10-02 00:00:00Z', '2024-01-01 00:00:00Z')}),
	orders_of('2026-10-01 00:00:00Z'), 'FLUID: one with the epoch too');
reads_one(explain(q{orders WHERE id = fluid_min('2026-08-20 00:00:00Z')}),
	orders_of('2026-08-20 00:00:00Z'), 'FLUID: and an id');
all_blocks_run();

# ------------------------------------------------ after seven months without a row

set_time($node, '2027-06-15 12');
maintain($uuid);
rows('events');
holds(q{min(partition_tablename) = 'events_p20261201'
	AND max(partition_tablename) = 'events_p20271001'
	AND (SELECT count(*) FROM events_p20270601) = 100
	FROM partman.show_partitions('public.events')},
	'UUIDv7: months went on, and old ones are gone');
in_default('events', 0, 'UUIDv7: none is in the default partition');
maintain($fluid);
rows('orders');
in_default('orders', 100,
	'FLUID: what comes later than was made ahead is in the default partition');

# ------------------------------------------------------------ the other formats

# Thirty days are so many ms times 2^bits.
my %bits = (nanoflake => 22, ulidflake => 20);

foreach my $format (sort keys %bits)
{
	sql(qq{
		CREATE TABLE of_$format (id bigint PRIMARY KEY DEFAULT ${format}_generate(), what text)
		PARTITION BY RANGE (id);
		SELECT partman.create_parent('public.of_$format', 'id',
		  (2592000000 * 2 ^ $bits{$format})::bigint::text,
		  p_start_partition := ${format}_min(now())::text)});
	rows("of_$format");
	in_default("of_$format", 0, "$format: none is in the default partition");
	holds(qq{count(*) = 100
		FROM (SELECT tableoid = min(tableoid) OVER () AND
		  tableoid::regclass = (SELECT (partition_schemaname || '.' || partition_tablename)::regclass
		  FROM partman.show_partitions('public.of_$format') LIMIT 1) AS first
		  FROM of_$format) AS o WHERE first}, "$format: the present is in the first");
}

# ---------------------------------------------------- what the page warns of

sql(qq{
	CREATE TABLE since_epoch (id bigint PRIMARY KEY DEFAULT fluid_generate(), what text)
	PARTITION BY RANGE (id);
	SELECT partman.create_parent('public.since_epoch', 'id', '$thirty_days')});
rows('since_epoch');
in_default('since_epoch', 100,
	q{without p_start_partition today's rows are in the default partition});
sql('CREATE TABLE of_scru160 (id scru160 PRIMARY KEY) PARTITION BY RANGE (id);
	CREATE TABLE of_bigint (id bigint PRIMARY KEY) PARTITION BY RANGE (id)');
refused(q{SELECT partman.create_parent('public.of_scru160', 'id', '1 month')},
	qr/only supports partitioning of data types/, 'SCRU160 is no type for pg_partman');
refused(q{SELECT partman.create_parent('public.of_bigint', 'id', '1 month',
	p_time_encoder := 'public.fluid_min', p_time_decoder := 'public.fluid_to_timestamptz')},
	qr/text\/uuid type control column/, 'a bigint takes no encoder');

$node->stop;
done_testing();
