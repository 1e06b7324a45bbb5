# Copies of a busy server: a started base backup, point-in-time recovery, an
# old primary that is rewound and promoted again.  No copy generates an id that
# it contains or, while the clock is right, one that the original generated.

use strict;
use warnings;

use File::Copy qw(copy);
use File::Spec;
use FlakeidLife;
use FlakeidTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $have_clock = defined clock_library();

# Start a copy with a clock this many seconds ahead of ours, or behind.
sub start_copy
{
	my ($node, $seconds) = @_;

	if ($have_clock)
	{
		set_clock($node, $seconds);
		start_with_clock($node);
	}
	else
	{
		$node->start;
	}
	return;
}

my $primary = new_node('original', "wal_log_hints = on\nwal_keep_size = 512MB\nmax_wal_senders = 8\n",
	init => { allows_streaming => 1, has_archiving => 1 });
my $folder = new_folder($primary, 'ids');
my $archive = File::Spec->rel2abs($primary->archive_dir);

# Archive commands run in the data directory, so their paths are absolute.
$primary->append_conf('postgresql.conf',
	qq{archive_command = 'cp "%p" "$archive/%f"'\n});
$primary->reload;
make_item($primary);

# ------------------------------------------------- the base backup, started
my @sessions = begin_load($primary, $folder, 4, 10_000);

ok(is_loading($folder, 0), 'the original is busy');
$primary->backup('busy');
ok(is_loading($folder, begun_files($folder)), 'the original is still busy');

my $there = $primary->safe_psql('postgres', 'SELECT count(*) FROM item');

$primary->safe_psql('postgres', q{SELECT pg_create_restore_point('here')});

ok(is_loading($folder, begun_files($folder)), 'the original still works');
stop_load($primary, @sessions);

my $segment = $primary->safe_psql('postgres', q{
	SELECT pg_walfile_name(pg_switch_wal())});

ok($primary->poll_query_until('postgres',
		"SELECT last_archived_wal >= '$segment' FROM pg_stat_archiver"),
	'its WAL is archived');
check_item($primary, 'the original', $folder);

sub make_more
{
	my ($node, $what) = @_;
	my @load = begin_load($node, $folder, 3);

	ok(is_loading($folder, begun_files($folder)), "$what: it generates ids");
	stop_load($node, @load);
	check_item($node, $what);
	is(repeated_in_files($folder), '',
		"$what: none of them was generated before, here or on the original");
	return;
}

my $copy = PostgreSQL::Test::Cluster->new('copy');

$copy->init_from_backup($primary, 'busy');
$copy->append_conf('postgresql.conf', "archive_mode = off\n");
$copy->start;
make_more($copy, 'a base backup started');
$copy->stop;

# ----------------------------------------------------- point-in-time recovery
foreach my $behind ($have_clock ? (0, 4) : (0))
{
	my $what = "recovery to a point in time, clock $behind s behind";
	my $restored = PostgreSQL::Test::Cluster->new("restored_$behind");

	$restored->init_from_backup($primary, 'busy', has_restoring => 1,
		standby => 0);
	$restored->append_conf('postgresql.conf', qq{
archive_mode = off
restore_command = 'cp "$archive/%f" "%p"'
recovery_target_name = 'here'
recovery_target_action = 'promote'
});
	start_copy($restored, -$behind);
	ok(wait_until(sub {
		$restored->safe_psql('postgres', 'SELECT pg_is_in_recovery()') eq 'f'
	}), "$what: recovery ends");
	cmp_ok($restored->safe_psql('postgres', 'SELECT count(*) FROM item'),
		'>=', $there, "$what: with the rows written until then");
	exceeds_newest($restored, $what, newest_item($restored));
	$behind ? check_item($restored, $what) : make_more($restored, $what);
	$restored->stop;
}

# ------------------------------------------------------- an old primary, rewound
my $standby = PostgreSQL::Test::Cluster->new('successor');

$standby->init_from_backup($primary, 'busy', has_streaming => 1);
$standby->start;
@sessions = begin_load($primary, $folder, 3);
ok(is_loading($folder, begun_files($folder)), 'the primary is busy');
ok(kill_postmaster($primary), 'the primary is killed');
stop_load(undef, @sessions);
$standby->promote;
exceeds_newest($standby, 'the successor', newest_item($standby));
make_more($standby, 'the successor');

my $conf = $primary->basedir . '/postgresql.conf';

copy($primary->data_dir . '/postgresql.conf', $conf);
$standby->safe_psql('postgres', 'CHECKPOINT');
command_ok(
	[
		'pg_rewind', '--source-server', $standby->connstr('postgres'),
		'--target-pgdata', $primary->data_dir, '--no-sync'
	],
	'pg_rewind of the old primary');
copy($conf, $primary->data_dir . '/postgresql.conf');
$primary->enable_streaming($standby);
start_copy($primary, $have_clock ? -4 : 0);
$standby->wait_for_catchup($primary, 'replay', $standby->lsn('insert'));
like(run_sql($primary, 'SELECT fluid_generate()'),
	qr/ERROR:  25006/, 'after pg_rewind it is a standby, and refuses to generate ids');

# It becomes primary again, with a clock that is 4 s behind.
@sessions = begin_load($standby, $folder, 3);
ok(is_loading($folder, begun_files($folder)), 'the successor is busy');
stop_load($standby, @sessions);
$standby->wait_for_catchup($primary, 'replay', $standby->lsn('insert'));
$standby->stop;
$primary->promote;
exceeds_newest($primary, 'the old primary, promoted', newest_item($primary));
check_item($primary, 'the old primary, promoted');
$primary->command_ok(
	[ 'pg_amcheck', '--all', '--heapallindexed', '--rootdescend' ],
	'pg_amcheck finds no error');

done_testing();
