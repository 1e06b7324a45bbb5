# Epochs, scope, node bits and the number of connections change over restarts,
# one after the other and at random, with a clock that steps both ways: no id
# is made twice.

use strict;
use warnings;

use FlakeidTest;
use PostgreSQL::Test::Utils;
use Test::More;

plan skip_all => 'libfaketime is not installed' unless clock_library();

my $node = new_node('changes', '', clock => 'each time');
my $behind = 0;

insert_all($node);

# Ids from several sessions at once, so from several slots
sub make
{
	my ($what) = @_;
	my $answers = join '', together($node, 6, q{
SET flakeid.max_wait = 60000;
SELECT make_all(300) FROM generate_series(1, 3)});

	is($answers =~ s/\n//gr, '', "$what: ids of every format");
	is(duplicates_in_log($node), 0, "$what: no id twice");
	return;
}

sub restart_with
{
	my ($settings, $seconds_back) = @_;

	$node->append_conf('postgresql.conf', $settings);
	$node->stop;
	$behind += $seconds_back // 0;
	set_clock($node, -$behind);
	start_with_clock($node);
	return;
}

sub newest_fluid
{
	return $node->safe_psql('postgres',
		q{SELECT max(id) FROM made WHERE format = 'fluid'});
}

make('in the beginning');

# An epoch moved forward would make the ids of before again: the floor, an id
# timestamp, keeps them out.  FLUID carries on from there at once; a Nanoflake
# would wait as long as the epoch was moved, so by 2 s here.
my $newest = newest_fluid();

restart_with("flakeid.fluid_epoch = '2024-01-01 00:00:02Z'\n"
	  . "flakeid.nanoflake_epoch = '2024-01-01 00:00:02Z'\n");
make('epochs 2 s later');
cmp_ok(newest_fluid(), '>', $newest, 'epochs 2 s later: FLUIDs above those of before');
is($node->safe_psql('postgres', q{
	SELECT extract(epoch FROM epoch)::bigint FROM flakeid_status() WHERE format = 'fluid'}),
	1704067202, '... with the new epoch in force');

$newest = newest_fluid();
restart_with("flakeid.fluid_epoch = '2025-01-01 00:00:00Z'\n");
make('FLUID epoch a year later');
is($node->safe_psql('postgres', qq{
	SELECT count(*) > 0 AND min(id) > $newest FROM made
	WHERE format = 'fluid' AND id > $newest}),
	't', '... all FLUIDs lie above those of before');
is($node->safe_psql('postgres', q{
	SELECT fluid_to_timestamptz(fluid_generate()) - now() > interval '364 days'}),
	't', '... a year ahead of the clock');

# Moved back again the ids begin after the floor, by the clock.
restart_with("flakeid.fluid_epoch = '2024-01-01 00:00:00Z'\n"
	  . "flakeid.nanoflake_epoch = '2024-01-01 00:00:00Z'\n");
make('epochs moved back');
restart_with("flakeid.fluid_epoch = '2020-01-01 00:00:00Z'\n"
	  . "flakeid.nanoflake_epoch = '2020-01-01 00:00:00Z'\n");
make('epochs four years earlier');

# An epoch that is later than the clock: an error, and mended by a restart.
restart_with("flakeid.fluid_epoch = '2200-01-01 00:00:00Z'\n");
like(run_sql($node, 'SELECT fluid_generate()'),
	qr/ERROR:  22008: could not make a FLUID: .*before the epoch/,
	'an epoch in the future: no FLUID');
like(run_sql($node, 'SELECT nanoflake_generate(), ulidflake_generate()'),
	qr/\A\d+\|\d+\z/, '... the others go on');
restart_with("flakeid.fluid_epoch = '2020-01-01 00:00:00Z'\n");
make('the epoch mended');

# Scope, node bits and connections, each there and back, with a clock that
# steps back a little every time: slots and lanes are cut anew, and the ids of
# one cut lie in the space of the other.
my @changes = (
	[ 'server scope', "flakeid.sequence_scope = server\n" ],
	[ 'backend scope', "flakeid.sequence_scope = backend\n" ],
	[ '2 node bits', "flakeid.node_bits = 2\nflakeid.node_id = 0\n" ],
	[ 'server scope with node bits', "flakeid.sequence_scope = server\n" ],
	[ '10 node bits', "flakeid.node_bits = 10\n" ],
	[ 'no node bits', "flakeid.node_bits = 0\n" ],
	[ 'backend scope', "flakeid.sequence_scope = backend\n" ],
	[ '300 connections', "max_connections = 300\n" ],
	[ '20 connections', "max_connections = 20\n" ],
	[ '100 connections, server scope',
		"max_connections = 100\nflakeid.sequence_scope = server\n" ],
	[ '100 connections', "flakeid.sequence_scope = backend\n" ],
	[ 'scalability 7', "flakeid.ulidflake_scalability = 7\n" ],
	[ 'scalability 0', "flakeid.ulidflake_scalability = 0\n" ]);

foreach my $change (@changes)
{
	restart_with($change->[1], 0.3);
	make($change->[0]);
}

# At random, from a seed that is printed
my $seed = $ENV{FLAKEID_SEED} // time();
my $rounds = scaled(10);

srand $seed;
note "FLAKEID_SEED=$seed";

sub one_of
{
	return $_[ rand @_ ];
}

foreach my $round (1 .. $rounds)
{
	my $scope = one_of('backend', 'server');
	my $node_bits = one_of(0, 0, 1, $scope eq 'server' ? 10 : 2);
	my $settings =
	    "flakeid.sequence_scope = $scope\n"
	  . "flakeid.node_bits = $node_bits\n"
	  . 'flakeid.node_id = '
	  . int(rand(2**$node_bits)) . "\n"
	  . 'max_connections = '
	  . one_of(20, 30, 100) . "\n"
	  . "flakeid.fluid_epoch = '202"
	  . int(rand 4)
	  . "-01-01 00:00:00Z'\n"
	  . 'flakeid.ulidflake_scalability = '
	  . int(rand 32) . "\n";

	restart_with($settings, one_of(0.2, 0.5, -0.1, -0.5));
	make("round $round of seed $seed");
}

$node->stop;
done_testing();
