# World.
# A table over three servers, with two foreign partitions on each: all servers
# generate ids of every format concurrently, and each row is stored on its
# shard.  One server uses server scope.  The test also checks what the page says
# about defaults, bounds and capacity.  Finally each server, with new node bits
# and its clock behind, takes over the numbers of another one.

use FlakeidTest qw(clock);
use FlakeidServers;

my @names = qw(one two three);
my %numbers = (one => 1, two => 2, three => 3);
my %settings = (
	one => "max_connections = 90\n",
	two => "max_connections = 220\n", three => "flakeid.sequence_scope = server\n");
my %servers = map {
	$_ => new_server($_, $numbers{$_}, 2,
		"$settings{$_}max_worker_processes = 8\n",
		init => { allows_streaming => 1 }, clock => 1)
} @names;
my $one = $servers{one};

# As the page says, for the tables of each kind: the own rows on each server, then the
# rows of the others.
my %own = map { $names[$_] => $_ } 0 .. 2;

foreach my $name (@names)
{
	$servers{$name}->safe_psql('postgres', for_each_kind(
		recipe('on each server: the table, and its own rows') =~ s/\\set own \K0/$own{$name}/r));
}
foreach my $name (@names)
{
	foreach my $other (grep { $_ ne $name } @names)
	{
		my ($reach, $rows) = split /^(?=CREATE FOREIGN TABLE)/m,
		  recipe('on one.example: the rows of two.example, then those of three.example')
		  =~ s/\A.*//r =~ s/(?<=[ _'])two\b/$other/gr
		  =~ s/REMAINDER 1/REMAINDER $own{$other}/r;

		$servers{$name}->safe_psql('postgres', at_home($reach, %servers));
		$servers{$name}->safe_psql('postgres', for_each_kind($rows));
	}
}

# --------------------------------------------------------- concurrent load

my $statements = scaled(60);
my %expected = (node_bits => 2, numbers => \%numbers, sources => 9, rows => 9 * 20 * $statements);

is(end_events(map { begin_events($_, 3, $statements) } values %servers), '',
	'every server generates its ids');
is(join(' ', map { conflicts($_) } values %servers), '0 0 0', '... without conflicts');
check_events($servers{$_}, "seen from $_", %expected) foreach @names;

is(join(' ', map {
		$_->safe_psql('postgres',
			q{SELECT count(DISTINCT split_part(source, ' ', 1)) FROM event_rows})
	} values %servers), '3 3 3', 'each shard has rows of all servers');

# ---------------------------------------------------------------- defaults

my $node_of = 'fluid_get_generator(id) >> 12';

$one->safe_psql('postgres',
	q{INSERT INTO event (source, n) SELECT 'routed', i FROM generate_series(1, 200) AS i});
is($servers{two}->safe_psql('postgres', qq{
	SELECT count(*) > 0, min($node_of), max($node_of) FROM event_rows
	WHERE source = 'routed'}),
	't|1|1', 'a row routed to another shard has the node id of the server that received it');
$one->safe_psql('postgres', q{
	CREATE FOREIGN TABLE event_by_two (source text, n integer)
	  SERVER two OPTIONS (table_name 'event');
	INSERT INTO event_by_two VALUES ('by two', 1)});
is($one->safe_psql('postgres', qq{
	SELECT count(*), min($node_of) FROM event WHERE source = 'by two'}),
	'1|2', 'a foreign table without the column: the other server generates the id');
like(run_sql($one, q{
	CREATE SCHEMA imported;
	IMPORT FOREIGN SCHEMA public LIMIT TO (event) FROM SERVER two INTO imported;
	INSERT INTO imported.event (source, n, noted) VALUES ('imported', 1, now())}),
	qr/ERROR:  23502: null value in column "id"/,
	'an imported table has no default, and the NULL is sent');
is($one->safe_psql('postgres', qq{
	DROP FOREIGN TABLE imported.event;
	IMPORT FOREIGN SCHEMA public LIMIT TO (event) FROM SERVER two INTO imported
	  OPTIONS (import_default 'true');
	INSERT INTO imported.event (source, n) VALUES ('imported', 2)
	  RETURNING $node_of}),
	'1', 'an imported default is evaluated here');

# ------------------------------------------------------------------ bounds

my $hour = recipe('on one.example: an hour of events, by the index of each shard');
my $bounded =
	qr/Remote SQL: [^\n]*WHERE \(\(id >= '?\d+'?::bigint\)\) AND \(\(id < '?\d+'?::bigint\)\)/;

like($one->safe_psql('postgres', "EXPLAIN (VERBOSE, COSTS off) $hour"),
	$bounded, 'with an epoch argument, the bounds of a range are sent to the shards');
like($one->safe_psql('postgres',
		'EXPLAIN (VERBOSE, COSTS off) ' . $hour =~ s/, '2024-01-01 00:00Z'//r),
	$bounded, '... and without it, since the times are constants');
like($one->safe_psql('postgres', q{
	PREPARE range(timestamptz, timestamptz) AS SELECT count(*) FROM event
	WHERE fluid_in_range(id, $1, $2, '2024-01-01 00:00Z');
	EXPLAIN (VERBOSE, COSTS off) EXECUTE range('2026-01-01 12:00Z', '2026-01-01 13:00Z')}),
	$bounded, 'with parameters they are');

my $some = $one->safe_psql('postgres', 'SELECT id FROM event_two LIMIT 1');

like($one->safe_psql('postgres',
		"EXPLAIN (VERBOSE, COSTS off) SELECT * FROM event WHERE id = $some"),
	qr/\A\s*Foreign Scan on public\.event_two/, 'an id is looked up on its shard only');

# ---------------------------------------------------------------- capacity

# The table of the page: compare it with the formula, and the formula with the
# servers.
my $document = join '', map { slurp_file("$src/doc/$_") } 'operating.md', 'several-servers.md';

my $plan = recipe('what this server and session have');

my %row = $document =~ /^\| ([^|`]+?) \| (.*) \|$/mg;
my @slot_bits = split / \| /, $row{'slot bits'};

is("@slot_bits", '7 8 9 10 0', 'the page has a table of capacity');
foreach ([ FLUIDs => 14 ], [ Nanoflakes => 10 ])
{
	my ($name, $bits) = @$_;

	is($row{"servers with $name"} =~ s/,//gr, join(' | ', map { 2**($bits - $_) } @slot_bits),
		"... with the servers of $name");
}
foreach ([ one => 7 ], [ two => 8 ], [ three => 0 ])
{
	my ($name, $slot_bits) = @$_;
	my ($fluid, $nanoflake) = map { (split /\|/)[6] } split /\n/,
	  $servers{$name}->safe_psql('postgres', $plan);

	is("$fluid $nanoflake",
		2**(22 - $slot_bits) . ' ' . 2**(20 - $slot_bits),
		"$name: a session can generate as many ids as the other bits allow");
}
is($servers{three}->safe_psql('postgres', q{
	SELECT first_generator, last_generator FROM flakeid_status()
	WHERE format <> 'ulidflake' ORDER BY format}),
	join("\n", map { (3 << ($_ - 2)) . '|' . ((4 << ($_ - 2)) - 1) } 14, 10),
	'in server scope a server has all generator numbers of its node');

# ------------------------------------------------ the numbers of another one

my $newest = $one->safe_psql('postgres', 'SELECT max(id) FROM event');
my $rows = $one->safe_psql('postgres', 'SELECT count(*) FROM event');

# With two bits, number 1 was 2 and 3 of three bits, and so on.
%numbers = (one => 4, two => 6, three => 2);
$_->stop foreach values %servers;
foreach my $name (@names)
{
	$servers{$name}->append_conf('postgresql.conf',
		"flakeid.node_bits = 3\nflakeid.node_id = $numbers{$name}\nmax_connections = 40\n");
	set_clock($servers{$name}, -8);
	start_with_clock($servers{$name});
}
foreach my $name (@names)
{
	run_recipe($servers{$name}, 'on the new owner of the number, as a superuser');
}
is(end_events(map { begin_events($_, 1, 2) } values %servers),
	'', 'each server generates ids with the numbers of another one');
is($one->safe_psql('postgres', qq{
	SELECT count(*) - $rows, count(*) - count(DISTINCT id),
	  array_agg(DISTINCT fluid_get_generator(id) >> 11) FILTER (WHERE id > $newest)
	FROM event}),
	'120|0|{2,4,6}',
	'... no duplicate ids, each with its new node id above the old ids');
done_testing();
