# The postmaster is killed with SIGKILL under load, with or without its
# sessions, again and again, and the clock is set back in between: no id is
# generated twice.

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

	# Sometimes the clock is set back, for a Nanoflake by no more than it
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
	'pg_amcheck finds no error');

$node->stop;
done_testing();
