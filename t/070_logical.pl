# Three servers of different node_id write to one another by logical
# replication: no id of one is there at another already.

use strict;
use warnings;

use FlakeidTest;
use PostgreSQL::Test::Utils;
use Test::More;

my ($major) = qx{pg_config --version} =~ /(\d+)/;

plan skip_all =>
  "PostgreSQL $major cannot replicate both ways: origin = none is there from 16 on"
  if $major < 16;

my $servers = 3;
my @nodes = map {
	new_node("server_$_", qq{
max_worker_processes = 20
max_logical_replication_workers = 12
flakeid.node_bits = 2
flakeid.node_id = $_
flakeid.ulidflake_scalability = $_
}, init => { allows_streaming => 'logical' })
} 1 .. $servers;

# Stand-alone Ulid-Flakes are unique on one server only; the others have the
# server's number.
foreach my $node (@nodes)
{
	$node->safe_psql('postgres', q{
		CREATE TABLE made (format text, id bigint, server integer,
		  PRIMARY KEY (format, id));
		CREATE FUNCTION make_all(n integer, server integer) RETURNS void
		LANGUAGE sql AS $$
		INSERT INTO made
		SELECT 'fluid', fluid_generate(), server FROM generate_series(1, n)
		UNION ALL
		SELECT 'nanoflake', nanoflake_generate(), server
		FROM generate_series(1, n)
		UNION ALL
		SELECT 'ulidflake', ulidflake_generate_scalable(), server
		FROM generate_series(1, n)
		$$;
		CREATE PUBLICATION everything FOR TABLE made});
}
foreach my $to (0 .. $#nodes)
{
	foreach my $from (grep { $_ != $to } 0 .. $#nodes)
	{
		my $name = "from_${from}_to_$to";
		my $connection =
		  $nodes[$from]->connstr('postgres') . " application_name=$name";

		$nodes[$to]->safe_psql('postgres', qq{
			CREATE SUBSCRIPTION from_$from CONNECTION \$\$$connection\$\$
			PUBLICATION everything
			WITH (origin = none, copy_data = false, slot_name = $name)});
	}
}

# All make ids at the same time.
my $rounds = scaled(200);
my @sessions;

foreach my $i (0 .. $#nodes)
{
	foreach (1 .. 2)
	{
		my $session = session($nodes[$i]);

		$session->send("SELECT make_all(20, $i);\n" x $rounds);
		push @sessions, $session;
	}
}

my $answers = join '', map { $_->receive } @sessions;

$_->quit foreach @sessions;
is($answers =~ s/\n//gr, '', 'every server makes its ids');

my $expected = 3 * 20 * 2 * $rounds * $servers;

foreach my $i (0 .. $#nodes)
{
	ok(wait_until(sub {
			$nodes[$i]->safe_psql('postgres', 'SELECT count(*) FROM made') ==
			  $expected
		}, 120), "server $i has the ids of all");
	is(duplicates_in_log($nodes[$i]), 0, "server $i: no id twice");
	is($nodes[$i]->safe_psql('postgres', q{
		SELECT count(DISTINCT server), bool_and(CASE format
		  WHEN 'fluid' THEN fluid_get_generator(id) >> 12 = server + 1
		  WHEN 'nanoflake' THEN nanoflake_get_generator(id) >> 8 = server + 1
		  ELSE ulidflake_get_scalability(id) = server + 1 END) FROM made}),
		"$servers|t", "server $i: each id has the number of its server");
}

$_->stop foreach @nodes;
done_testing();
