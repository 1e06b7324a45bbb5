# With the library in shared_preload_libraries, the processes that the
# postmaster forks share no random bits, and other libraries work.

use FlakeidTest;

my $node = new_node('preload', "shared_preload_libraries = 'pg_stat_statements, flakeid'
flakeid.max_wait = 7s\nflakeid.ulidflake_step_bits = 9\n");

is($node->safe_psql('postgres', 'SHOW flakeid.max_wait; SHOW flakeid.ulidflake_step_bits'), "7s\n9",
	'settings that any time can change are read from the file');

# autoprewarm_dump_now() takes the lock under which shared memory is created.
is($node->safe_psql('postgres', q{
	CREATE EXTENSION pg_stat_statements;
	CREATE EXTENSION pg_prewarm;
	SELECT count(*) > 0, autoprewarm_dump_now() >= 0 FROM pg_stat_statements}), 't|t',
	'a library that is loaded before it has its memory, and one that needs some later gets it');

$node->safe_psql('postgres', q{
CREATE TABLE made (session integer, generator text, id uuid);

-- The last 48 bits, random in every layout
CREATE FUNCTION last_bits(id uuid) RETURNS text
LANGUAGE sql IMMUTABLE RETURN substr(id::text, 25);
});

# Enough ids to use more than one block of random bits: a block is 16 KiB, and
# nearly every id takes 8 bytes.
my %generators = (
	'v6' => 'uuid_generate_v6()', 'v7' => 'uuid_generate_v7()',
	'draft' => q{uuid_generate_v7_draft('ms')}, 'v8' => 'uuid_generate_v8_draft(60)',
	'v6 of an instant' => q{uuid_v6_from_timestamptz('2022-02-22 19:22:22+00')},
	'v7 of an instant' => q{uuid_v7_from_timestamptz('2022-02-22 19:22:22+00')});
my $make = join(";\n",
	map { "INSERT INTO made SELECT pg_backend_pid(), '$_', $generators{$_}"
		  . ' FROM generate_series(1, 400)' } sort keys %generators);

# An expression, for which ids, and how many values may occur in more than one
# session: 48 random bits do once in a million runs, but not twice.
my @shared = (
	[ 'id', 'true', 0 ],
	[ 'last_bits(id)', q{generator LIKE 'v6%'}, 1 ],
	[ 'uuid_v6_get_clock_sequence(id), uuid_v6_get_node(id)', q{generator = 'v6 of an instant'},
	0 ],
	[ 'substr(id::text, 20)', q{generator LIKE 'v7%'}, 0 ],
	[ 'last_bits(id)', q{generator IN ('draft', 'v8')}, 1 ]);

sub nothing_in_common
{
	my ($sessions, @answers) = @_;

	is(join('', @answers), '', "$sessions sessions generate ids");
	is($node->safe_psql('postgres', 'SELECT count(*), count(DISTINCT session) FROM made'),
		($sessions * 2400) . "|$sessions", '... all of them');
	foreach (@shared)
	{
		my ($expression, $where, $most) = @$_;

		cmp_ok($node->safe_psql('postgres', qq{
			SELECT count(*) FROM (SELECT $expression FROM made WHERE $where
			GROUP BY $expression HAVING count(DISTINCT session) > 1) AS s}),
			'<=', $most, "... $expression where $where: none is shared");
	}
	$node->safe_psql('postgres', 'TRUNCATE made');
}

nothing_in_common(2, map { run_sql($node, $make) } 1, 2);
nothing_in_common(32, together($node, 32, $make));

# The postmaster forks parallel workers too.
is($node->safe_psql('postgres', q{
	CREATE TABLE source AS SELECT i FROM generate_series(1, 10000) AS i;
	ANALYZE source;
	SET parallel_setup_cost = 0;
	SET parallel_tuple_cost = 0;
	SET min_parallel_table_scan_size = 0;
	SELECT count(DISTINCT id) FROM (
	  SELECT uuid_v7_from_timestamptz('2022-02-22 19:22:22+00') AS id FROM source) AS s}),
	10000, 'parallel workers generate no duplicate ids');

# 64 bytes for each process that can connect
$node->stop;

my ($without, $with) = map {
	(run_command([ 'postgres', '-D', $node->data_dir, '-c', 'max_connections=100000',
		'-c', "shared_preload_libraries=$_", '-C', 'shared_memory_size' ]))[0]
} '', 'flakeid';

cmp_ok($with - $without, '>=', 6, 'the server knows how much memory it needs, in MB');

done_testing();
