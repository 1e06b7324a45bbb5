# World.
# Two servers replicate to each other by pglogical, which before 16 is the only
# way: they generate ids of every format concurrently, all rows arrive, and
# there is no conflict.

use FlakeidTest;
use FlakeidServers;

chomp(my $libraries = qx{pg_config --pkglibdir});

plan skip_all => 'pglogical is not installed' unless -e "$libraries/pglogical.so";

# Minor versions since 2026 restrict output plugins to a list.
my $settings = "shared_preload_libraries = 'flakeid, pglogical'\n";

$settings .= "output_plugin_libraries = 'pgoutput, pglogical_output'\n"
  if qx{postgres --describe-config} =~ /^output_plugin_libraries\b/m;

my %numbers = (one => 1, two => 2);
my %servers = map {
	$_ => new_server($_, $numbers{$_}, 2, $settings, init => { allows_streaming => 'logical' })
} keys %numbers;

# The recipe of one.example; for two.example the names are exchanged
sub both_ways
{
	my ($title) = @_;

	foreach my $name (sort keys %servers)
	{
		my $text = recipe($title);

		$text =~ s/\b(one|two)\b/$1 eq 'one' ? 'two' : 'one'/ge if $name eq 'two';
		$servers{$name}->safe_psql('postgres', at_home($text, %servers));
	}
}

$_->safe_psql('postgres',
	for_each_kind(recipe('on each server: a table that all write to')))
  foreach values %servers;
both_ways('on one.example: a node of pglogical');
$_->safe_psql('postgres',
	for_each_kind(recipe('on each server: what pglogical takes along')))
  foreach values %servers;
both_ways('on one.example: take what two.example wrote itself');
foreach my $name (sort keys %servers)
{
	ok(wait_until(sub {
			$servers{$name}->safe_psql('postgres', q{
				SELECT string_agg(status, ' ')
				FROM pglogical.show_subscription_status()}) eq 'replicating'
		}), "$name is subscribed")
	  or die "$name does not replicate";
}

replicate(\%numbers, %servers);

done_testing();
