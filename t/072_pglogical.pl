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

my $tables = join ', ', map { "'$_'" } kinds();

foreach my $name (sort keys %servers)
{
	$servers{$name}->safe_psql('postgres',
		for_each_kind(recipe('on each server: a table that all write to')));
	$servers{$name}->safe_psql('postgres', at_home(qq{
		CREATE EXTENSION pglogical;
		SELECT pglogical.create_node('$name', 'host=$name.example dbname=app');
		SELECT pglogical.replication_set_add_table('default', t::regclass)
		FROM unnest(ARRAY[$tables]) AS t}, %servers));
}
foreach my $name (sort keys %servers)
{
	my ($other) = grep { $_ ne $name } keys %servers;

	$servers{$name}->safe_psql('postgres', at_home(qq{
		SELECT pglogical.create_subscription('from_$other', 'host=$other.example dbname=app',
		  synchronize_data => false, forward_origins => '{}')}, %servers));
}
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
