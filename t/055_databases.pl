# Several databases of a server, in both scopes; databases and extensions that
# are created, copied, moved, dropped and restored while sessions run and the
# clock steps back.

use FlakeidTest qw(clock);
use FlakeidHorizon;
use Time::HiRes qw(time);
use Time::Local qw(timegm);

my $node = new_node('databases', q{
	shared_preload_libraries = 'flakeid'
	flakeid.sequence_scope = 'server'
}, clock => 1);
my $all = 'SELECT fluid_generate(), ulidflake_generate()';
my @logged;

# Sessions write down what they generate, so that an id counts even if its
# database or transaction ends.
sub ids_of
{
	my ($session, $number) = @_;
	my $answer = $session->query("$all FROM generate_series(1, " . ($number // 20) . ')');
	my @ids = $answer =~ /^(\d{17,19})\|(\d{17,19})$/gm;

	push @logged, @ids;
	return @ids;
}

sub in_database
{
	my ($database) = @_;
	my $session = session($node);

	$session->query("\\c $database");
	return $session;
}

# -------------------------------------------------- a shared word (server scope)

$node->safe_psql('postgres', 'CREATE DATABASE low');
$node->safe_psql('low', 'CREATE EXTENSION flakeid');
foreach my $scope ('server', 'backend')
{
	$node->append_conf('postgresql.conf', "flakeid.sequence_scope = '$scope'");
	restart($node, 'fast', 0);

	# The millisecond of the word is past the horizon of the other database, in
	# which a session only counts on.  The clock does not go on.
	my $minute = $scope eq 'server' ? 1 : 2;

	freeze_clock($node, "2031-01-01 00:0$minute:00.000");

	my $high = in_database('postgres');
	my $low = in_database('low');

	ids_of($low);
	freeze_clock($node, "2031-01-01 00:0$minute:20.000");
	ids_of($high);

	my @counted = ids_of($low);
	my @newest = @counted[ -2, -1 ];

	is($newest[0] - $counted[0], 19, "$scope scope: no number is skipped");
	cmp_ok(horizon_ms($node, $_, 'low') , '>=', horizon_ms($node, $_) - 2000,
		"$scope scope: each database has a horizon of its own, $_")
	  foreach 'fluid', 'ulidflake';
	$_->quit foreach $high, $low;
	restart($node, 'immediate', timegm(10, $minute, 0, 1, 0, 2031) - time);
	$low = in_database('low');

	my @new = ids_of($low);

	cmp_ok($new[0], '>', $newest[0], "$scope scope: FLUIDs of the lower database continue");
	cmp_ok($new[1], '>', $newest[1], '... and Ulid-Flakes');
	$low->quit;
}
is(repeated(@logged), '', 'no id is repeated');

# ------------------------------------------------------- databases as copies

$node->append_conf('postgresql.conf', q{flakeid.sequence_scope = 'backend'});
log_ids($node, 'low');
add_ids($node, 100, 'low');

my $number = 0;

foreach my $case ([ 'wal_log', 'immediate' ], [ 'file_copy', 'fast' ])
{
	my ($strategy, $stop) = @$case;
	my $copy = 'copy' . ++$number;
	my $what = "a copy by $strategy, stop $stop";
	my $ahead = 3 * 365 * 86400 + 100 * $number;

	restart($node, 'fast', $ahead + 60);
	add_ids($node, 100, 'low');
	set_clock($node, $ahead);
	add_ids($node, 100, 'low');
	$node->safe_psql('postgres', "CREATE DATABASE $copy TEMPLATE low STRATEGY $strategy");

	# The copy and the original go on.
	add_ids($node, 100, $_) foreach $copy, 'low';
	set_clock($node, $ahead + 70);
	add_ids($node, 100, $copy);

	my $newest = newest_ids($node, $copy);

	restart($node, $stop, $ahead);
	continues_after($node, $what, $newest, $copy);
	continues_after($node, "$what: the original", newest_ids($node, 'low'), 'low');
}
is(duplicates_in_log($node), 0, 'no duplicate ids in copies');

# ------------------------------------- DROP and CREATE EXTENSION, in sessions

# No restart in between.
$node->safe_psql('postgres', 'CREATE DATABASE again');
$node->safe_psql('again', 'CREATE EXTENSION flakeid');
@logged = ();

my @sessions = map { in_database('again') } 1 .. 3;
my $ahead = 6 * 365 * 86400;

set_clock($node, $ahead);
ids_of($_) foreach @sessions;
foreach my $round (1, 2)
{
	set_clock($node, $ahead + 5 - $round);
	$node->safe_psql('again', 'DROP EXTENSION flakeid');
	like($sessions[0]->query($all), qr/ERROR:  42883/, 'DROP EXTENSION in a running session');
	$node->safe_psql('again', 'CREATE EXTENSION flakeid');
	push @sessions, in_database('again');
	is(scalar(ids_of($_)), 40, '... CREATE EXTENSION: ids') foreach @sessions;
}
$sessions[0]->query('BEGIN; DROP EXTENSION flakeid; CREATE EXTENSION flakeid');
is(scalar(ids_of($sessions[0])), 40, 'DROP and CREATE EXTENSION in a transaction');
$sessions[0]->query('ROLLBACK');
set_clock($node, $ahead);
is(scalar(ids_of($_)), 40, '... rolled back: ids') foreach @sessions;
$sessions[1]->query('BEGIN; SAVEPOINT a; DROP EXTENSION flakeid;
	SAVEPOINT b; CREATE EXTENSION flakeid');
ids_of($sessions[1]);
$sessions[1]->query('ROLLBACK TO a');
is(scalar(ids_of($sessions[1])), 40, '... rolled back to a savepoint: ids');
$sessions[1]->query('COMMIT');
is(scalar(ids_of($_)), 40, '... ids of all') foreach @sessions;
is(repeated(@logged), '', 'no id is repeated within a start');

# Those of this database after its last ALTER ... also survive a crash.
my @kept = ids_of($sessions[1]);
my $horizon = horizon_ms($node, 'fluid', 'again');

cmp_ok($kept[-2] >> 24, '<=', $horizon, 'the horizon covers them');
set_clock($node, $ahead += 60);
$sessions[0]->query('BEGIN; DROP EXTENSION flakeid; CREATE EXTENSION flakeid');
$sessions[1]->send('SELECT fluid_generate()');
ok(waits_for_lock($node), 'a raise waits');
$sessions[0]->query('COMMIT');
like($sessions[1]->receive, qr/^\d+$/,
	'... for an extension that is created again, and uses its sequence');
$_->quit foreach @sessions;
restart($node, 'immediate', $ahead - 3);

my $session = in_database('again');
my @new = ids_of($session);

ok($new[$_] > $kept[ $_ - 2 ], 'after a crash, ids continue') foreach 0, 1;

# ---------------------------------- CREATE EXTENSION that is rolled back

$node->safe_psql('postgres', 'CREATE DATABASE undone');
@logged = ();
foreach my $undo ([ 'BEGIN', 'ROLLBACK' ], [ 'BEGIN; SAVEPOINT a', 'ROLLBACK TO a; COMMIT' ])
{
	my $undone = in_database('undone');

	$undone->query("$undo->[0]; CREATE EXTENSION flakeid");
	is(scalar(ids_of($undone)), 40, "$undo->[0]; CREATE EXTENSION: ids");
	$undone->query($undo->[1]);
	like($undone->query($all), qr/ERROR:  42883/, "... $undo->[1]: no function");
	$undone->query('CREATE EXTENSION flakeid');
	is(scalar(ids_of($undone)), 40, '... created again: ids');
	$undone->query('DROP EXTENSION flakeid');
	$undone->quit;
}
is(repeated(@logged), '', '... none twice');

# ------------------------------------------------------- another schema

$session->query('CREATE SCHEMA "Other one"; CREATE SCHEMA third;
	ALTER EXTENSION flakeid SET SCHEMA "Other one"');
like($session->query('SELECT "Other one".fluid_generate()'), qr/^\d+$/,
	'ALTER EXTENSION SET SCHEMA: an id in the same session');
$session->query('BEGIN; ALTER EXTENSION flakeid SET SCHEMA third;
	SELECT third.fluid_generate(); ROLLBACK');
like($session->query('SELECT "Other one".fluid_generate()'), qr/^\d+$/, '... rolled back: an id');
$session->query('CREATE TABLE public.flakeid_fluid_horizon ();
	CREATE SEQUENCE third.flakeid_fluid_horizon; SET search_path = third, public');
like(run_sql($node, "\\c again\nSELECT \"Other one\".fluid_generate()"), qr/^\d+$/,
	'... relations of the same name elsewhere do not matter');
like($session->query(q{ALTER SEQUENCE "Other one".flakeid_fluid_horizon SET UNLOGGED;
	SELECT "Other one".fluid_generate()}),
	qr/HINT:  Run ALTER SEQUENCE "Other one"\.flakeid_fluid_horizon SET LOGGED/,
	'... a hint names the sequence');
$session->quit;

# ----------------------------------------------------- restore of a dump

# By an owner without superuser; new ids are those of a new server.
my $dump = $node->basedir . '/low.sql';

$node->safe_psql('postgres', q{
	CREATE ROLE owner LOGIN; CREATE DATABASE restored OWNER owner});
command_ok([ 'pg_dump', '-d', $node->connstr('low'), '--no-owner', '-f', $dump ], 'pg_dump');
unlike(slurp_file($dump), qr/_horizon'/, '... has no horizon');
unlike(run_sql($node, "\\c restored owner\n\\i $dump"),
	qr/ERROR(?!.*must be owner of extension flakeid)/,
	'... is restored by an owner without superuser');
is(run_sql($node, "\\c restored owner\nSELECT add(10); SELECT count(*) > 200 FROM ids"), "\nt",
	'... and new ids are generated');
is(duplicates_in_log($node), 0, 'no duplicate ids');

# ----------------------- CREATE EXTENSION that is rolled back, and another start

# With the clock at the same time again, nothing is left that tells of the first ids.
$node->append_conf('postgresql.conf', q{flakeid.sequence_scope = 'server'});

sub undone_fluids
{
	$node->stop('fast');
	freeze_clock($node, '2040-01-01 00:00:00');
	start_with_clock($node);

	my $undone = in_database('undone');

	$undone->query('BEGIN; CREATE EXTENSION flakeid');

	my @fluids = grep { length } split /\n/,
		$undone->query('SELECT fluid_generate() FROM generate_series(1, 4)');

	$undone->query('ROLLBACK');
	$undone->quit;
	return @fluids;
}

my @undone = map { undone_fluids() } 1, 2;

is(scalar(grep { /^\d+$/ } @undone), 8, 'CREATE EXTENSION that is rolled back, in two starts: ids');
is(() = repeated(@undone) =~ /\d+/g, 4,
	'... of the same time are repeated, as doc/reliability.md says');

done_testing();
