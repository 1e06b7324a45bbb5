# Parallel workers and their leaders are the first to use flakeid, in a session
# and after a start.  Their ids have the server's address, and they read ids with
# the server's epochs.  The same is true of the session that follows.

use FlakeidTest;

my $node = new_node('parallel', "log_min_messages = debug1\n");
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
my $in_server = q{count(DISTINCT id) || ' ' || min((fluid_get_address(id)).node)
  || ' ' || max((fluid_get_address(id)).node)};

# The first statement of a session that uses flakeid, and its result
my %first = (
	'by a worker only' => [
		qq{SET parallel_leader_participation = off;
		CREATE TEMP TABLE made AS SELECT wrapped() AS id;
		SELECT $in_server FROM made}, '1 NODE NODE' ],
	'by a worker only, a reader of an epoch' => [
		q{SET parallel_leader_participation = off;
		SELECT indexed_time(0)}, 'EPOCH' ],
	'by workers and their leader' => [
		qq{CREATE TEMP TABLE made AS SELECT wrapped() AS id FROM many;
		SELECT $in_server FROM made}, '2000 NODE NODE' ],
	'by a parallel plan that gets no worker' => [
		qq{SET max_parallel_workers = 0;
		CREATE TEMP TABLE made AS SELECT wrapped() AS id FROM many;
		SELECT $in_server FROM made}, '2000 NODE NODE' ],
	'by a parallel plan without workers, and no part of its leader' => [
		qq{SET max_parallel_workers = 0; SET parallel_leader_participation = off;
		CREATE TEMP TABLE made AS SELECT wrapped() AS id FROM many;
		SELECT $in_server FROM made}, '2000 NODE NODE' ],
	'by a parallel index build' => [
		q{SET flakeid.ulidflake_step_bits = 8; SET flakeid.max_wait = '7s';
		CREATE INDEX by_id ON many (indexed(i)); DROP INDEX by_id}, '' ],
	'by a parallel index build, a reader of an epoch' => [
		q{CREATE INDEX by_time ON many (indexed_time(i)); DROP INDEX by_time}, '' ],
);

# What follows in the session, without workers
my $after = qq{
SELECT $in_server FROM (SELECT fluid_generate() AS id) AS made;
SELECT fluid_to_timestamptz(0);
};

sub try
{
	my ($what, $first, $number, $epoch) = @_;
	my ($statement, $expected) = @{ $first{$first} };

	$node->restart;

	my $offset = -s $node->logfile;
	my $answer = run_sql($node, "$parallel $statement; $after",
		$first =~ /index/ ? () : (PGUSER => 'plain'));
	my @lines = grep { !/^(?:CONTEXT|LOCATION|parallel worker)/ } split /\n/, $answer;

	is(join("\n", @lines),
		join("\n", map { s/NODE/$number/gr =~ s/EPOCH/$epoch/r }
			  grep { $_ ne '' } $expected, '1 NODE NODE', 'EPOCH'),
		"$what: first use $first")
	  or diag($answer);

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
}

try('not preloaded', $_, 0, '2024-01-01 00:00:00+00') foreach sort keys %first;
$node->append_conf('postgresql.conf', q{
shared_preload_libraries = 'flakeid'
flakeid.node_id = 2
flakeid.node_bits = 3
max_connections = 32
flakeid.fluid_epoch = '2023-01-01 00:00:00Z'
});
try('preloaded', $_, 2, '2023-01-01 00:00:00+00') foreach sort keys %first;

done_testing();
