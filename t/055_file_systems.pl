# Unusual file systems, simulated by a preloaded library: over NFS a lock
# requires a writable descriptor; a failing disk reports an error once.

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
	't', 'over NFS: the file is created, initialized and mapped');

# ---------------------------------------------------------- a failed sync
# Ids need no sync as long as they stay below the horizon on disk; raising a
# floor syncs at once.
fail_next_msync();
like(run_sql($node, 'SELECT flakeid_raise_floor(now())'), $io,
	'a failed sync is an error');
ok(!-e $fails, '... with the reason from the system call');
like(run_sql($node, 'SELECT flakeid_raise_floor(now())'), $before,
	'... also in the next call, to which the system reports none');
like(run_sql($node, 'SELECT flakeid_reset_clock()'), $before,
	'... and in a reset');

my $allowed = read_state(state_bytes($node))->{fluid}{allowed};
my $session = session($node);

ok(wait_until(sub {
		$session->query('SELECT fluid_generate()') =~ $before
	}), 'ids end at the horizon on disk');
is(read_state(state_bytes($node))->{fluid}{allowed},
	$allowed, '... which no session raises');
$session->quit;
$node->stop;
start();
is(run_sql($node, q{
	SELECT fluid_generate() > 0; SELECT flakeid_raise_floor(now())}),
	"t\n", 'a restart repairs it');
is(read_state(state_bytes($node))->{unsynced},
	0, '... since the start-up step wrote and synced the whole file');

# A sync may fail in the start-up step: the next call repeats it.
$node->stop;
start();
fail_next_msync();
like(run_sql($node, 'SELECT fluid_generate()'), $io,
	'a sync that fails in the start-up step is an error');
is(run_sql($node, 'SELECT fluid_generate() > 0'),
	't', '... and the next call syncs the whole file');
is(duplicates_in_log($node), 0, 'no duplicate ids');

$node->stop;
done_testing();
