# contrib/failover, called as by Patroni, repmgr and CloudNativePG around a
# promotion: the replayed ids still count after a crash or a restart, although
# the clock is behind.  Without the call they do not, and ids could repeat.

use strict;
use warnings;

use FlakeidTest;
use IPC::Run ();
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

plan skip_all => 'libfaketime is not installed' unless clock_library();

my $script = "$src/contrib/failover/flakeid-promoted";
my $primary = new_node('original', "flakeid.node_bits = 2\nflakeid.node_id = 1\n",
	init => { allows_streaming => 1 }, clock => 'each time');

$primary->safe_psql('postgres', q{
	CREATE ROLE watcher LOGIN;
	CREATE TABLE event (id bigint PRIMARY KEY DEFAULT fluid_generate());
	INSERT INTO event SELECT FROM generate_series(1, 100)});
$primary->backup('all');

# A standby that has replayed recent ids, and whose clock is an hour behind
sub new_standby
{
	my ($name) = @_;
	my $standby = PostgreSQL::Test::Cluster->new($name);

	$standby->init_from_backup($primary, 'all', has_streaming => 1);
	set_clock($standby, -3600);
	start_with_clock($standby, 'each time');
	$primary->safe_psql('postgres',
		'INSERT INTO event SELECT FROM generate_series(1, 100)');
	$primary->wait_for_catchup($standby, 'replay', $primary->lsn('flush'));
	return $standby;
}

sub exceeds_replayed
{
	my ($standby) = @_;

	return $standby->safe_psql('postgres', q{
		SELECT fluid_generate() > max(id) FROM event});
}

# Call as the tools do; the test adds the server.
sub call
{
	my ($standby, @arguments) = @_;

	my ($out, $err) = ('', '');
	my $done =
	  IPC::Run::run([ $script, $standby->connstr('postgres'), @arguments ],
		'>', \$out, '2>', \$err);

	return ($done ? $out : "failed: $out", $err);
}

sub stop_and_start
{
	my ($standby, $how) = @_;

	$standby->stop($how);
	start_with_clock($standby, 'each time');
	return;
}

# --------------------------------------------------------- without a call
{
	my $standby = new_standby('nobody_asked');

	$standby->promote;
	stop_and_start($standby, 'immediate');
	is(exceeds_replayed($standby), 'f',
		'without a call before a crash, ids have times of replayed ones');
	$standby->stop;
}

# ------------------------------------------------------ Patroni, repmgr
my $number = 0;

foreach my $case (
	[ 'immediate', qw(on_role_change primary batman) ],
	[ 'fast', qw(on_role_change master batman) ],
	[ 'immediate', qw(standby_promote 1) ],
	[ 'fast', qw(repmgrd_failover_promote 1) ])
{
	my ($how, @arguments) = @$case;
	my $what = "@arguments, $how shutdown";
	my $standby = new_standby('promoted_' . ++$number);

	$standby->promote;

	my ($out, $err) = call($standby, @arguments);

	like($out, qr/\Afluid\|1\|.*\|\{\}\nnanoflake\|1\|.*\|\{\}\nulidflake\|0\|.*\|\{\}\n\z/,
		"$what: it shows the status");
	is($err, '', "$what: without an error");
	stop_and_start($standby, $how);
	is(exceeds_replayed($standby), 't', "$what: ids exceed the replayed ones");
	$standby->stop;
}

# Patroni calls as soon as it has requested the promotion.
{
	my $standby = new_standby('waited_for');

	$standby->append_conf('postgresql.conf', "log_statement = all\n");
	$standby->reload;

	my ($out, $err) = ('', '');
	my $call = IPC::Run::start(
		[ $script, $standby->connstr('postgres'), qw(on_role_change primary batman) ],
		'>', \$out, '2>', \$err);

	ok(wait_until(sub {
			slurp_file($standby->logfile) =~ /SELECT pg_is_in_recovery\(\)/
		}) && $call->pumpable,
		'called while the standby is in recovery');
	$standby->promote;
	ok($call->finish, '... it waits for the end of the promotion');
	like($out, qr/\Afluid\|1\|/, '... and then shows the status');
	stop_and_start($standby, 'immediate');
	is(exceeds_replayed($standby), 't', '... in time');

	# Calls for other events do nothing, and do not even connect.
	foreach my $arguments (
		'on_role_change replica batman', 'on_role_change standby_leader batman',
		'on_start primary batman', 'standby_promote 0', 'standby_follow 1', '')
	{
		my $all = '';

		ok(IPC::Run::run([ $script, 'host=/nowhere', split / /, $arguments ],
				'>&', \$all) && $all eq '',
			"no promotion: \"$arguments\" does nothing");
	}
	$standby->stop;
}

# The script gives up with an error message, also if the extension is missing.
{
	my $standby = new_standby('not_promoted');

	local $ENV{FLAKEID_PATIENCE} = 1;
	is(join('', call($standby, 'standby_promote', 1)),
		"failed: flakeid-promoted: the server is still in recovery, or does not answer\n",
		'a server that stays in recovery');
	$standby->promote;
	$standby->safe_psql('postgres', 'DROP EXTENSION flakeid CASCADE');
	like(join('', call($standby, 'standby_promote', 1)),
		qr/\Afailed: flakeid-promoted: the database has no extension flakeid$/,
		'a database without the extension');
	$standby->stop;
}

# ------------------------------------------------------- CloudNativePG
# The query of the exporter runs in a read-only transaction, as a plain member
# of pg_monitor, with a search_path of its own.
{
	my ($query) = slurp_file("$src/contrib/failover/cloudnative-pg.yaml") =~
	  /^ +query: \|\n(.*?)^ +metrics:/ms;
	my $standby = new_standby('scraped');

	$standby->promote;
	like($standby->safe_psql('postgres', qq{
			SET ROLE watcher;
			BEGIN READ ONLY;
			SET LOCAL search_path = pg_catalog, public, pg_temp;
			$query;
			COMMIT}),
		qr/\Afluid\|1\|0\|\d+\.\d+\nnanoflake\|1\|0\|[\d.]+\nulidflake\|0\|0\|[\d.]+\z/,
		'the query of the exporter: floors ahead of the clock');
	stop_and_start($standby, 'immediate');
	is(exceeds_replayed($standby), 't', '... ids exceed the replayed ones');
	$standby->stop;
}

$primary->stop;
done_testing();
