# Three servers with different node ids replicate to each other by logical
# replication: they generate ids of every format concurrently, all rows arrive
# everywhere, and no id that one server generates already exists on another.

use strict;
use warnings;

use FlakeidServers;
use FlakeidTest;
use PostgreSQL::Test::Utils;
use Test::More;

my ($major) = qx{pg_config --version} =~ /(\d+)/;

plan skip_all =>
  "PostgreSQL $major cannot replicate both ways: origin = none came with 16"
  if $major < 16;

my %numbers = (one => 1, two => 2, three => 3);
my @names = sort keys %numbers;
my %servers = map {
	$_ => new_server($_, $numbers{$_}, 2, '',
		init => { allows_streaming => 'logical' })
} @names;
my $tables = join ', ', kinds();

foreach my $node (values %servers)
{
	$node->safe_psql('postgres',
		for_each_kind(recipe('on each server: a table that all write to')));
	$node->safe_psql('postgres',
		recipe('on each server: publish') =~ s/TABLE event/TABLE $tables/r);
}
foreach my $to (@names)
{
	foreach my $from (grep { $_ ne $to } @names)
	{
		my $text = recipe('on two.example: subscribe to one.example');

		$text =~ s/(?<![a-z])(one|two)/$1 eq 'one' ? $from : $to/ge;
		$servers{$to}->safe_psql('postgres', at_home($text, %servers));
	}
}

# --------------------------------------------------------- concurrent load

my $statements = scaled(60);
my $rows = 3 * 2 * 20 * $statements;

is(end_events(map { begin_events($_, 2, $statements) } values %servers),
	'', 'every server generates its ids');
foreach my $name (@names)
{
	ok(all_arrive($servers{$name}, $rows), "$name has the rows of all servers");
	check_events($servers{$name}, "on $name", rows => $rows, sources => 6,
		node_bits => 2, numbers => \%numbers);
	is(conflicts($servers{$name}), 0, "$name: no conflicts");
}

# Verify that the test would detect a conflict: two servers insert the same id.
is(same_id_on(@servers{qw(one two)}), '', 'two servers insert the same id');
foreach my $name (qw(one two))
{
	ok(wait_until(sub { conflicts($servers{$name}) }),
		"... is a conflict that $name reports");
}
SKIP:
{
	skip 'conflicts are counted from 18 on', 1 if $major < 18;
	ok(wait_until(sub {
			$servers{one}->safe_psql('postgres', q{
				SELECT sum(confl_insert_exists) > 0
				FROM pg_stat_subscription_stats}) eq 't'
		}), '... and counts');
}
done_testing();
