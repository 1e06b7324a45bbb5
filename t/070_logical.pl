# World.
# Three servers with different node ids replicate to each other by logical
# replication: they generate ids of every format concurrently, all rows arrive
# everywhere, and no id that one server generates already exists on another.

use FlakeidTest;
use FlakeidServers;

my ($major) = qx{pg_config --version} =~ /(\d+)/;

plan skip_all => "PostgreSQL $major cannot replicate both ways: origin = none came with 16"
	if $major < 16;

my %numbers = (one => 1, two => 2, three => 3);
my @names = sort keys %numbers;
my %servers = map {
	$_ => new_server($_, $numbers{$_}, 2, '', init => { allows_streaming => 'logical' })
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

replicate(\%numbers, %servers);
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
