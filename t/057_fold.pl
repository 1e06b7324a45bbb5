# Contents of the state file at each moment of a start and a reset: the record
# that was current remains intact until after the next start, and a requested
# reset is on disk when the call returns.

use strict;
use warnings;

use File::Spec;
use FlakeidTest;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = new_node('fold');

run_sql($node, 'SELECT fluid_generate()');

# A record, current or not, by its number
sub record
{
	my ($number) = @_;

	return unpack 'H*', substr state_bytes($node), 256 * $number, 256;
}

# ----------------------------------------------- the previous record

foreach my $start (1 .. 4)
{
	my $current = read_state(state_bytes($node))->{current};
	my $before = record($current);

	$node->restart;
	run_sql($node, 'SELECT fluid_generate()');
	is(read_state(state_bytes($node))->{current},
		1 - $current, "start $start: the other record is current");
	is(record($current), $before,
		"start $start: the previous record is unchanged");
	isnt(record(1 - $current), $before,
		"start $start: ... and differs from the new one");
}

# --------------------------------------------------- a reset, on disk

# The contents on disk: the shim copies the range of each msync() to a file of
# the test.
my $disk = $node->basedir . '/disk';
my $shim = $node->basedir . '/disk.so';

append_to_file("$shim.c", q{
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int
msync(void *address, size_t length, int flags)
{
	int			fd = open(getenv("FLAKEID_DISK"), O_WRONLY | O_CREAT, 0600);

	if (fd < 0 || write(fd, address, length) != (ssize_t) length)
		abort();
	return close(fd);
}
});

SKIP:
{
	skip 'no compiler', 6
	  if system($ENV{CC} // 'cc', '-shared', '-fPIC', '-o', $shim, "$shim.c");
	$node->stop;
	{
		local %ENV = (
			%ENV,
			LD_PRELOAD => join(' ', grep { $_ } $shim, $ENV{LD_PRELOAD}),
			FLAKEID_DISK => File::Spec->rel2abs($disk));
		$node->start;
	}

	my $session = session($node);
	my $on_disk = sub {
		return read_state(
			slurp_file($disk) . substr state_bytes($node), -s $disk);
	};

	like($session->query('SELECT fluid_generate()'),
		qr/\A\d+\z/, 'a start with the simulated disk');
	is($on_disk->()->{reset}, 0, 'no reset is requested');
	$session->query('SELECT flakeid_reset_clock()');
	is(read_state(state_bytes($node))->{reset}, 1, 'a reset is requested');
	is($on_disk->()->{reset}, 1, '... and on disk when the call returns');
	$session->query("SELECT flakeid_raise_floor(now() + interval '1 hour')");

	my $floor = read_state(state_bytes($node))->{fluid}{floor};

	cmp_ok($floor, '>', 3_600_000, 'a floor is raised');
	is($on_disk->()->{fluid}{floor},
		$floor, '... and on disk when the call returns');
	$session->quit;
}

$node->stop;
done_testing();
