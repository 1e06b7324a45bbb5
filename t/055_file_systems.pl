# File systems with ways of their own, played by a preloaded library: over NFS a
# lock wants a writable descriptor; a disk that fails is told of once.

use strict;
use warnings;

use File::Spec;
use FlakeidTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $folder = File::Spec->rel2abs($PostgreSQL::Test::Utils::tmp_check);
my $shim = "$folder/shim.so";
my $fails = "$folder/fail_msync";

plan skip_all => 'no compiler for the shim'
  if system("\${CC:-cc} -shared -fPIC -O1 -o $shim $src/test/shim/shim.c 2>/dev/null");

my $node = PostgreSQL::Test::Cluster->new('shim');

sub start
{
	local %ENV = (%ENV, LD_PRELOAD => $shim, FLAKEID_SHIM_MSYNC => $fails);
	$node->start;
	return;
}

sub fail_next_msync
{
	append_to_file($fails, '');
	return;
}

$node->init;
start();
$node->safe_psql('postgres', 'CREATE EXTENSION flakeid');
insert_all($node);

my $io = qr/ERROR:  (?:58030|XX000): could not fsync file "pg_stat\/flakeid.state": Input\/output error.*HINT:  Check the disk, and restart the server/s;
my $before = qr/ERROR:  58030: an earlier fsync of state file "pg_stat\/flakeid.state" failed.*HINT:  Check the disk, and restart the server/s;

# ------------------------------------------------------------------- NFS
is(run_sql($node, 'SELECT fluid_generate() > 0'),
	't', 'over NFS: the file is made, folded and mapped');

# ---------------------------------------------------------- a failed sync
# Ids need no sync for as long as they stay below the horizon that is on disk;
# a floor that is raised is synced at once.
fail_next_msync();
like(run_sql($node, 'SELECT flakeid_raise_floor(now())'), $io,
	'a failed sync is an error');
ok(!-e $fails, '... of the system call');
like(run_sql($node, 'SELECT flakeid_raise_floor(now())'), $before,
	'... also for the next call, which the system tells nothing');
like(run_sql($node, 'SELECT flakeid_reset_clock()'), $before,
	'... a reset too');

my $allowed = read_state(state_bytes($node))->{fluid}{allowed};
my $session = session($node);

ok(wait_until(sub {
		$session->query('SELECT fluid_generate()') =~ $before
	}), 'ids come to an end at the horizon that is on disk');
is(read_state(state_bytes($node))->{fluid}{allowed},
	$allowed, '... which nobody raises any more');
$session->quit;
$node->stop;
start();
is(run_sql($node, q{
	SELECT fluid_generate() > 0; SELECT flakeid_raise_floor(now())}),
	"t\n", 'a restart mends it');
is(read_state(state_bytes($node))->{unsynced},
	0, '... since the fold wrote and synced the whole file');

# The fold itself: whoever comes next does it again.
$node->stop;
start();
fail_next_msync();
like(run_sql($node, 'SELECT fluid_generate()'), $io,
	'a sync that fails in the fold');
is(run_sql($node, 'SELECT fluid_generate() > 0'),
	't', '... is done again with the whole file by the next call');
is(duplicates_in_log($node), 0, 'no id twice');

$node->stop;
done_testing();
