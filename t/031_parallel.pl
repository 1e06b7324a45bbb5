# Parallel workers and their leaders are the first to use flakeid, in a session
# or after a start: their ids have the server's address, and the session keeps
# the configured settings, also if it tries to change them.

use strict;
use warnings;

use FlakeidTest;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = new_node('parallel', q{
flakeid.node_id = 2
flakeid.node_bits = 3
flakeid.ulidflake_scalability = 4
flakeid.fluid_epoch = '2023-01-01 00:00:00Z'
flakeid.max_wait = 7s
log_min_messages = debug1
});
my $server_address = '2 3 0 4 1672531200000 1704067200000 1704067200000';
my $force = $node->pg_version < 16 ? 'force_parallel_mode' : 'debug_parallel_query';

# A wrapper that does not load the library before it runs.  Its labels are
# wrong, but a leader runs no volatile PL/pgSQL in workers, and no generator
# can be in an index.
$node->safe_psql('postgres', q{
CREATE FUNCTION wrapped() RETURNS bigint
LANGUAGE plpgsql STABLE PARALLEL SAFE AS 'BEGIN RETURN public.fluid_generate(); END';
CREATE FUNCTION indexed(i integer) RETURNS bigint
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS 'BEGIN RETURN public.fluid_generate(); END';
CREATE FUNCTION indexed_time(i integer) RETURNS timestamptz
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
AS 'BEGIN RETURN public.fluid_to_timestamptz(i); END';
CREATE TABLE many AS SELECT i FROM generate_series(1, 2000) AS i;
ALTER TABLE many SET (parallel_workers = 2);
ANALYZE many;
CREATE ROLE plain LOGIN;
GRANT SELECT ON many TO plain;
});

my $parallel = qq{
SET $force = on;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
};
my $in_server = q{count(DISTINCT id) || ' ' || min(fluid_get_generator(id) >> 11)
  || ' ' || max(fluid_get_generator(id) >> 11)};

# Messages about its settings that a session receives once the library is
# loaded, and the result of a statement without workers
my $after = qq{
SHOW flakeid.max_wait;
SELECT $in_server, count(pending[1])
FROM flakeid_status(), (SELECT fluid_generate() AS id) AS made;
SELECT fluid_to_timestamptz(0) = '2023-01-01 00:00:00Z';
};
my $after_good = "7s\n1 2 2|0\nt";

# The first statement of a session that uses flakeid, and its result
my %first = (
	'by a worker only' => [
		qq{SET parallel_leader_participation = off;
		CREATE TEMP TABLE made AS SELECT wrapped() AS id;
		SELECT $in_server FROM made}, '1 2 2' ],
	'by a worker only, a reader of an epoch' => [
		q{SET parallel_leader_participation = off;
		SELECT indexed_time(0) = '2023-01-01 00:00:00Z'}, 't' ],
	'by workers and their leader' => [
		qq{CREATE TEMP TABLE made AS SELECT wrapped() AS id FROM many;
		SELECT $in_server FROM made}, '2000 2 2' ],
	'by a parallel plan that gets no worker' => [
		qq{SET max_parallel_workers = 0;
		CREATE TEMP TABLE made AS SELECT wrapped() AS id FROM many;
		SELECT $in_server FROM made}, '2000 2 2' ],
	'by a parallel plan without workers, and no part of its leader' => [
		qq{SET max_parallel_workers = 0; SET parallel_leader_participation = off;
		CREATE TEMP TABLE made AS SELECT wrapped() AS id FROM many;
		SELECT $in_server FROM made}, '2000 2 2' ],
	'by a parallel index build' => [
		q{CREATE INDEX by_id ON many (indexed(i)); DROP INDEX by_id}, '' ],
	'by a parallel index build, a reader of an epoch' => [
		q{CREATE INDEX by_time ON many (indexed_time(i)); DROP INDEX by_time}, '' ],
);

# Ways to change the session's settings
my %bent = (
	'as the server has them' => [''],
	'SET' => [
		'SET flakeid.node_id = 0; SET flakeid.node_bits = 0; SET flakeid.ulidflake_scalability = 0;'
	],
	'SET to an epoch' =>
	  [q{SET flakeid.fluid_epoch = '2024-01-01 00:00:00Z'; SET flakeid.node_id = 5;}],
	'SET LOCAL' => ['BEGIN; SET LOCAL flakeid.node_id = 0; SET LOCAL flakeid.node_bits = 0;'],
	'SET, invalid' => [q{SET flakeid.node_id = 'nonsense';}],
	'PGOPTIONS' => [
		'', PGOPTIONS => '-c flakeid.node_id=0 -c flakeid.node_bits=0 -c flakeid.fluid_epoch=2024-01-01T00:00:00Z'
	]);

sub try
{
	my ($first, $bent, $before, $load) = @_;
	my ($statement, $expected) = @{ $first{$first} };
	my ($set, @environment) = @{ $bent{$bent} };
	my $offset = -s $node->logfile;

	unfold($node) if $before eq 'an outdated state file';

	my $answer = run_sql($node, "$set $load $parallel $statement; $after",
		$first =~ /index/ ? () : (PGUSER => 'plain'), @environment);

	# Later changes use the server's own checks, which reject them.
	my @lines = grep { !/^(?:(?:WARNING|ERROR):  (?:55P02|22023)|CONTEXT|DETAIL|LOCATION|HINT|parallel worker)/ }
	  split /\n/, $answer;

	is(join("\n", @lines),
		join("\n", grep { $_ ne '' } $load ? 'f' : '', $expected, $after_good),
		"$before, settings $bent: first use $first")
	  or diag($answer);
	is(address_in_file($node), $server_address,
		'... and the state file has the server\'s address');

	my $log = slurp_file($node->logfile, $offset);
	my $workers = () = $log =~ /starting background worker process "parallel worker/g;

	if ($first =~ /plan/)
	{
		is($workers, 0, '... without workers');
	}
	else
	{
		cmp_ok($workers, '>', 0, '... by workers');
	}
	return;
}

# ------------------------------------------------------- not preloaded
$node->safe_psql('postgres', 'SELECT fluid_generate()');
foreach my $first (sort keys %first)
{
	try($first, $_, 'an outdated state file', '') foreach sort keys %bent;
	try($first, $_, 'a current state file', '') foreach 'SET', 'PGOPTIONS';
	try($first, 'SET', 'an outdated state file', 'SELECT uuid_generate_v7() IS NULL;');
}

# A session cannot replace an invalid value in the configuration file.
my $conf = slurp_file($node->data_dir . '/postgresql.conf');

$node->append_conf('postgresql.conf', "flakeid.node_id = nonsense\n");
$node->restart;
unfold($node);

my $was = state_bytes($node);

foreach my $first (grep { !/reader/ } sort keys %first)
{
	my ($statement) = @{ $first{$first} };

	like(run_sql($node,
			"SET flakeid.node_id = 0; SET flakeid.node_bits = 0; $parallel $statement"),
		qr/ERROR:  F0000: invalid value for parameter "flakeid.node_id": "nonsense"/,
		"invalid in the file, SET in the session: $first is rejected");
	is(state_bytes($node), $was, '... and the state file is unchanged');
}

# ----------------------------------------------------------- preloaded
unlink $node->data_dir . '/postgresql.conf';
$node->append_conf('postgresql.conf',
	"$conf\nshared_preload_libraries = 'flakeid'\n");
$node->restart;
foreach my $first (sort keys %first)
{
	try($first, 'as the server has them', 'an outdated state file', '');
	try($first, 'SET', 'an outdated state file', '');
}

$node->stop;
done_testing();
