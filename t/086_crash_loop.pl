# The postmaster killed with -9 under load, with its sessions or without, again
# and again, its clock set back in between: nothing that was given out before
# comes again.

use strict;
use warnings;

use FlakeidLife;
use FlakeidTest;
use PostgreSQL::Test::Utils;
use Test::More;

plan skip_all => 'libfaketime is not installed' unless clock_library();

adopt_orphans();

my $rounds = scaled(50);
my $node = new_node('crash_loop', '', clock => 'cached');
my $folder = new_folder($node, 'ids');
my $seconds = 0;

make_item($node);

foreach my $round (1 .. $rounds)
{
	my $before = begun_files($folder);
	my @sessions = begin_load($node, $folder, 4);
	my $is_loading = is_loading($folder, $before);
	my $are_gone = kill_postmaster($node, $round % 10 != 5);
	my @answers = stop_load(undef, @sessions);

	# Now and then the clock goes back, for a Nanoflake no farther than it
	# waits.
	$seconds -= 0.1 * ($round % 3);
	set_clock($node, $seconds);
	start_with_clock($node, 'cached');
	unless ($is_loading && $are_gone && !grep { /duplicate|XX000/ } @answers)
	{
		fail("crash $round of $rounds: under load");
		diag(@answers);
	}
	check_item($node, "crash $round of $rounds",
		$round % 10 == 0 || $round == $rounds ? $folder : undef);
}
cmp_ok(ids_in_files($folder), '>=', 1000 * $rounds, 'there were ids to compare');
$node->command_ok(
	[ 'pg_amcheck', '--all', '--heapallindexed', '--rootdescend' ],
	'pg_amcheck finds everything sound');

$node->stop;
done_testing();
