# With the library in shared_preload_libraries, the processes that the
# postmaster forks share no random bits.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('preload');
$node->init;
$node->append_conf('postgresql.conf', q{
shared_preload_libraries = 'flakeid'
max_connections = 50
});
$node->start;
$node->safe_psql('postgres', q{
CREATE EXTENSION flakeid;
CREATE TABLE made (session integer, generator text, id uuid);

-- The last 48 bits, random in every layout
CREATE FUNCTION last_bits(id uuid) RETURNS text
LANGUAGE sql IMMUTABLE RETURN substr(id::text, 25);
});

# Enough ids to use more than one block of random bits: a block is 16 KiB, and
# nearly every id takes 8 bytes.
my %generators = (
	'v6' => 'uuid_generate_v6()',
	'v7' => 'uuid_generate_v7()',
	'draft' => q{uuid_generate_v7_draft('ms')},
	'v8' => 'uuid_generate_v8(60)',
	'v6 of an instant' => q{uuid_v6_from_timestamptz('2022-02-22 19:22:22+00')},
	'v7 of an instant' => q{uuid_v7_from_timestamptz('2022-02-22 19:22:22+00')});
my $make = join(";\n",
	map { "INSERT INTO made SELECT :session, '$_', $generators{$_}"
		  . ' FROM generate_series(1, 400)' } sort keys %generators) . ";\n";

# Number of values of an expression that occur in more than one session.  By
# chance, 48 random bits do once in a million runs, but not twice.
sub shared
{
	my ($expression, $where) = @_;

	return $node->safe_psql('postgres', qq{
		SELECT count(*) FROM (SELECT $expression FROM made WHERE $where
		GROUP BY $expression HAVING count(DISTINCT session) > 1) AS s});
}

sub nothing_in_common
{
	my ($sessions) = @_;

	is($node->safe_psql('postgres', q{
		SELECT count(*), count(DISTINCT session) FROM made}),
		($sessions * 2400) . "|$sessions", "$sessions sessions generate ids");
	is(shared('id', 'true'), 0, 'no duplicate id');
	cmp_ok(shared('last_bits(id)', q{generator LIKE 'v6%'}),
		'<', 2, 'no two sessions share a node of UUIDv6');
	is(shared('uuid_v6_get_clock_sequence(id), uuid_v6_get_node(id)',
			q{generator = 'v6 of an instant'}),
		0, 'no two sessions share a clock sequence and node');
	is(shared('substr(id::text, 20)', q{generator LIKE 'v7%'}),
		0, 'no two sessions share the low bits of a UUIDv7');
	cmp_ok(shared('last_bits(id)', q{generator IN ('draft', 'v8')}),
		'<', 2, 'no two sessions share a node of a draft UUID');
	$node->safe_psql('postgres', 'TRUNCATE made');
	return;
}

# Two sessions, one after the other
foreach my $session (1, 2)
{
	$node->safe_psql('postgres', "\\set session $session\n$make");
}
nothing_in_common(2);

# 32 sessions started at once
my @running;
foreach my $session (1 .. 32)
{
	my ($in, $out) = ("\\set session $session\n$make", '');

	push @running,
	  IPC::Run::start(
		[
			'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d',
			$node->connstr('postgres')
		],
		'<', \$in, '>', \$out, '2>&1');
}
my $succeeded = grep { $_->finish } @running;
is($succeeded, 32, '32 sessions succeed');
nothing_in_common(32);

# The postmaster forks parallel workers too
$node->safe_psql('postgres', q{
CREATE TABLE source AS SELECT i FROM generate_series(1, 10000) AS i;
ANALYZE source;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
CREATE TABLE by_workers AS
SELECT uuid_v7_from_timestamptz('2022-02-22 19:22:22+00') AS id FROM source;
});
is($node->safe_psql('postgres',
		'SELECT count(*), count(DISTINCT id) FROM by_workers'),
	'10000|10000', 'parallel workers generate no duplicate ids');

done_testing();
