# World.
# A server copies the rows of another one when it subscribes.  Then both generate ids and
# replicate to one another, and no id is repeated.  If the server has another epoch, its
# ids are still unique, but the other server reads another time from them.

use FlakeidTest;
use FlakeidServers;

my ($major) = qx{pg_config --version} =~ /(\d+)/;

plan skip_all => "PostgreSQL $major cannot replicate both ways: origin = none came with 16"
	if $major < 16;

my %servers = (
	one => new_server('one', 1, 2, '', init => { allows_streaming => 'logical' }),
	two => new_server('two', 2, 2, "flakeid.fluid_epoch = '2023-01-01 00:00:00Z'\n",
		init => { allows_streaming => 'logical' }));

foreach my $node (values %servers)
{
	run_recipe($node, 'on each server: a table that all write to');
	run_recipe($node, 'on each server: publish');
}

sub insert
{
	my ($name) = @_;

	return $servers{$name}->safe_psql('postgres',
		"INSERT INTO event (source, n) SELECT '$name', i FROM generate_series(1, 1000) AS i");
}

sub both_have
{
	my ($rows) = @_;

	return ok(wait_until(sub {
			join(' ', map { $_->safe_psql('postgres', 'SELECT count(*) FROM event') }
				  values %servers) eq "$rows $rows"
		}, 600), "... both have $rows rows");
}

my $subscribe = recipe('on two.example: subscribe to one.example');
my %other = (one => 'two', two => 'one');
my $back = $subscribe =~ s/(?<![a-z])(one|two)/$other{$1}/gr;

insert('one');
unlike(run_sql($servers{two}, at_home($subscribe =~ s/copy_data = false/copy_data = true/r,
			%servers)), qr/ERROR/, 'two subscribes to one, and copies');
both_have(1000);
unlike(run_sql($servers{one}, at_home($back, %servers)), qr/ERROR/, 'one subscribes to two');
insert($_) foreach qw(one two);
both_have(3000);
is(conflicts($servers{$_}), 0, "... $_ has no conflict") foreach qw(one two);
is($servers{$_}->safe_psql('postgres', q{
	SELECT min((fluid_get_address(id)).node), max((fluid_get_address(id)).node),
		min(fluid_to_timestamptz(id)) > now() + '360 days' FROM event WHERE source = 'two'}),
	'2|2|' . ($_ eq 'one' ? 't' : 'f'),
	"... the ids of two have its number, and on $_ the time of this epoch")
  foreach qw(one two);

# Rows of another server can have greater ids.
is($servers{one}->safe_psql('postgres', 'SELECT fluid_generate() < max(id) FROM event'), 't',
	'... new ids of one are not greater than those of another epoch');
done_testing();
