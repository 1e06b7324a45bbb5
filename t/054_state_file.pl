# The state file is deleted, replaced, damaged, from another cluster, not
# writable, or on a full disk: the documented WARNING or ERROR, and never a
# crash or a duplicate id.

use strict;
use warnings;

use Fcntl qw(:flock);
use FlakeidTest;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = new_node('state_file');
my $folder = $node->data_dir . '/pg_stat';
my @made;

# Generate ids of every format, in a given session or a new one.  Returns
# anything else that it printed, such as warnings.
sub make
{
	my ($what, $session) = @_;
	my $statement = q{
SELECT 'fluid' || fluid_generate() FROM generate_series(1, 100)
UNION ALL SELECT 'nanoflake' || nanoflake_generate() FROM generate_series(1, 100)
UNION ALL SELECT 'ulidflake' || ulidflake_generate() FROM generate_series(1, 100)
UNION ALL SELECT 'ulidflake' || ulidflake_scalable_generate() FROM generate_series(1, 100)
};
	my $answer =
	  $session ? $session->query($statement) : run_sql($node, $statement);
	my @ids = grep { /\A[a-z]+\d+\z/ } split /\n/, $answer;

	is(scalar(@ids), 400, "$what: ids of every format");
	push @made, @ids;
	is(repeated(@made), '', "$what: no duplicate ids");
	$answer =~ s/^[a-z]+\d+\n?//mg;
	return $answer;
}

sub refuses
{
	my ($what, $expected) = @_;

	foreach my $call (
		'fluid_generate()', 'nanoflake_generate()',
		'ulidflake_generate()', 'flakeid_status()')
	{
		like(run_sql($node, "SELECT $call"), $expected, "$what: $call fails");
	}
	like(run_sql($node, 'SELECT uuid_generate_v7()'),
		qr/\A[0-9a-f-]{36}\z/, "$what: UUIDs need no state file");
	return;
}

sub files
{
	opendir my $directory, $folder or die "$folder: $!";
	return join ' ', sort grep { /flakeid/ } readdir $directory;
}

my $set_aside = qr/WARNING:  01000: state file "pg_stat\/flakeid.state" is damaged.*DETAIL:  .*flakeid.state.damaged.*HINT:  .*flakeid_raise_floor/s;
my $foreign = qr/WARNING:  01000: state file "pg_stat\/flakeid.state" belongs to another database cluster.*DETAIL:  .*HINT:  /s;
my $restart = qr/ERROR:  58030: state file "pg_stat\/flakeid.state" was (removed or )?damaged while the server was running.*HINT:  Restart the server/s;

is(make('at the start'), '', 'the file is created without a message');
is(files(), 'flakeid.state', 'the state file is the only file');
is((stat state_path($node))[7], 1_053_184, 'it has its fixed size');
is((stat _)[2] & 0777, 0600, '... and mode 0600');

# ------------------------------------------------ while the server is stopped

my $size = length state_bytes($node);
my %damage = (
	'cut short' => sub { substr $_[0], 0, 5000 },
	'empty' => sub { '' },
	'too long' => sub { $_[0] . "\0" },
	'random bytes' => sub { join '', map { chr int rand 256 } 1 .. $size },
	'only zeroes' => sub { "\0" x $size },
	'another magic' => sub { patch_state($_[0], magic => 1) },
	'another version' => sub { patch_state($_[0], version => 99) },
	'a bad checksum' => sub {
		my ($bytes) = @_;

		substr $bytes, read_state($bytes)->{current} * 256 + 60, 1, "\xff";
		return $bytes;
	},
	'a floor above its field' =>
	  sub { patch_state($_[0], 'fluid floor' => 2**40) },
	'a mark above its field' =>
	  sub { patch_state($_[0], 'nanoflake mark 7000' => 2**41) },
	'a mark of -1' =>
	  sub { patch_state($_[0], 'fluid mark 16383' => ~0) },
	'garbage in the reset flag' => sub {
		my ($bytes) = @_;

		substr $bytes, 520, 8, "\xa5" x 8;
		return $bytes;
	},
	'a word above its field' =>
	  sub { patch_state($_[0], 'ulidflake word' => ~0) });

foreach my $damage (sort keys %damage)
{
	$node->stop;

	my $bytes = $damage{$damage}->(state_bytes($node));

	write_state($node, $bytes);
	$node->start;
	like(make("$damage, while stopped"), $set_aside,
		"$damage, while stopped: the documented WARNING");
	is(files(), 'flakeid.state flakeid.state.damaged',
		"$damage: it is set aside");
	is(length slurp_file("$folder/flakeid.state.damaged"),
		length $bytes, "$damage: it replaces an earlier one");
	is(make("$damage, later"), '', "$damage: the next session warns of nothing");
}

# A file of a version that had fewer formats and stored no epoch for the
# others: found after a start, or after the library was replaced in a running
# server.
my $formats = read_state(state_bytes($node))->{formats};
my $epoch = read_state(state_bytes($node))->{ulidflake_epoch};

sub write_fewer_formats
{
	my $bytes = state_bytes($node);
	my $floor = read_state($bytes)->{fluid}{floor} + 3_600_000;

	write_state($node,
		patch_state($bytes, formats => $formats - 1, ulidflake_epoch => 0,
			'fluid floor' => $floor));
	return $floor;
}

sub is_of_all_formats
{
	my ($what, $floor) = @_;

	is(make($what), '', "$what: it is kept");

	my $state = read_state(state_bytes($node));

	is("$state->{formats} $state->{ulidflake_epoch}", "$formats $epoch",
		"$what: ... and rewritten with all formats and epochs");
	cmp_ok($state->{fluid}{floor}, '>=', $floor, "$what: ... with its floors");
	return;
}

$node->stop;

my $floor = write_fewer_formats();

$node->start;
is_of_all_formats('a file of fewer formats, at a start', $floor);
$floor = write_fewer_formats();

my $newer = run_sql($node, q{
	SELECT fluid_generate() > 0, nanoflake_generate() > 0;
	SELECT string_agg(format, ' ') FROM flakeid_status();
	SELECT flakeid_raise_floor(now());
	SELECT ulidflake_generate()});

like($newer, qr/\At\|t\nfluid nanoflake\n\nERROR:  55000: Ulid-Flake is not available until the server is restarted/,
	'a file of fewer formats, while running: those formats work');
like($newer, qr/DETAIL:  .*HINT:  Restart the server/s, '... with a hint');
like(run_sql($node, 'SELECT flakeid_reset_clock()'),
	qr/\A(?:NOTICE:  00000: [^\n]*(?:FLUID|Nanoflake)[^\n]*\n(?:LOCATION|DETAIL|HINT)[^\0]*?){2}/,
	'... a reset reports those formats only');
write_state($node, do { my $bytes = state_bytes($node); substr $bytes, 520, 8, "\0" x 8; $bytes });
$node->restart;
is_of_all_formats('a file of fewer formats, after a restart', $floor);

# A file of another cluster: unchanged, with a valid checksum
my $other = new_node('other_cluster');

run_sql($other, 'SELECT fluid_generate()');
$other->stop;
$node->stop;
write_state($node, state_bytes($other));
$node->start;
like(make('of another cluster'), $foreign,
	'a file of another cluster: the documented WARNING');
is(read_state(state_bytes($node))->{system_identifier},
	$node->safe_psql('postgres',
		'SELECT system_identifier FROM pg_control_system()'),
	'... and a new one is created');

# Deleted, or replaced by something else
$node->stop;
unlink state_path($node) or die $!;
$node->start;
is(make('deleted while stopped'), '', 'deleted while stopped: created again');
$node->stop;
unlink state_path($node) or die $!;
mkdir state_path($node) or die $!;
$node->start;
refuses('a folder in its place', qr/ERROR:  \S{5}: could not open file "pg_stat\/flakeid.state"/);
rmdir state_path($node) or die $!;
is(make('the folder removed'), '', 'the folder removed: created again');

# ------------------------------------------------- while the server runs

# No session has it mapped: the same as while stopped.
nobody_has_it_mapped($node);
unlink state_path($node) or die $!;
is(make('deleted, no session has it mapped'),
	'', 'deleted, no session has it mapped: created again');
nobody_has_it_mapped($node);
write_state($node, 'short');
like(make('damaged, no session has it mapped'),
	$set_aside, 'damaged, no session has it mapped: the documented WARNING');

# A copy in its place, as left by editors and restore tools: its contents may
# be older than the newest ids, whether or not a session has the file mapped.
my $replaced = qr/ERROR:  58030: state file "pg_stat\/flakeid.state" was replaced while the server was running.*HINT:  Restart the server/s;

foreach my $mapped (0, 1)
{
	my $what = $mapped ? 'a copy, others have the file mapped' : 'a copy';
	my $session = session($node);
	my $path = state_path($node);

	make("$what: before", $session) if $mapped;
	system_or_bail('cp', '-p', $path, "$path.copy");
	rename "$path.copy", $path or die $!;
	refuses($what, $replaced);
	is(make("$what: a session that has it mapped", $session), '',
		"$what: a session that has it mapped generates ids")
	  if $mapped;
	$session->quit;
	refuses("$what, later", $replaced);
	$node->restart;
	is(make("$what, after a restart"), '', "$what: a restart repairs it");
}

# Other sessions have it mapped: they keep working, and no new file is created.
foreach my $way ('deleted', 'replaced', 'renamed')
{
	my @mapped = map { session($node) } 1 .. 3;
	my $path = state_path($node);
	my $bytes = state_bytes($node);

	make("before it is $way", $_) foreach @mapped;
	if ($way eq 'renamed')
	{
		rename $path, "$path.elsewhere" or die $!;
	}
	else
	{
		unlink $path or die $!;
	}

	# An old copy would belong to this postmaster; one of another cluster does
	# not.
	write_state($node, state_bytes($other)) if $way eq 'replaced';
	refuses("$way, others have it mapped", $restart);
	is(-e $path ? state_bytes($node) : '',
		$way eq 'replaced' ? state_bytes($other) : '',
		"$way: no new file is created");
	is(make("$way, a session that has it mapped", $_), '',
		"$way: a session that has it mapped generates ids")
	  foreach @mapped;

	# A cancel request ends the retries at once, unless the session is not
	# scheduled until they have failed.
	ok(wait_until(sub {
			run_sql($node, "SET statement_timeout = '100ms'; SELECT fluid_generate()")
			  =~ /ERROR:  57014/
		}), "$way: the retries can be canceled");
	$_->quit foreach @mapped;
	nobody_has_it_mapped($node);
	if ($way eq 'renamed')
	{
		rename "$path.elsewhere", $path or die $!;
		is(make('renamed back'), '', 'put back, the file is valid again');
	}
	else
	{
		$node->restart;
		make("$way, after a restart");
		is(make("$way, later"), '', "$way: a restart repairs it");
	}
	unlink "$path.elsewhere";
}

# A session has the file mapped while its records are overwritten in place,
# which it detects.  Truncating the file would cause a bus error in the
# session, so that is not tested.
my $mapped = session($node);

make('before it is written over', $mapped);

my $bytes = state_bytes($node);

write_state($node, "\xff" x 1024 . substr $bytes, 1024);
like($mapped->query('SELECT pg_sleep(0.01); SELECT fluid_generate()'),
	$restart, 'records written over: a session that has it mapped raises an error');
refuses('records written over', $restart);
$mapped->quit;
nobody_has_it_mapped($node);
like(make('written over, no session has it mapped'),
	$set_aside, 'once no session has it mapped, it is set aside');

# ------------------------------------------------------------ not writable

$node->stop;
chmod 0400, state_path($node) or die $!;
$node->start;
refuses('a file that is not writable',
	qr/ERROR:  42501: could not open file "pg_stat\/flakeid.state": Permission denied/);
chmod 0600, state_path($node) or die $!;
is(make('writable again'), '', 'writable again: no restart needed');

$node->stop;
unlink state_path($node) or die $!;
$node->start;
chmod 0500, $folder or die $!;
refuses('a folder that is not writable',
	qr/ERROR:  42501: could not create file "pg_stat\/flakeid.state.new": Permission denied/);
chmod 0700, $folder or die $!;
is(make('folder writable'), '', 'folder writable: created');

$node->stop;
write_state($node, 'short');
$node->start;
chmod 0500, $folder or die $!;
refuses('damaged in a folder that is not writable',
	qr/ERROR:  42501: could not rename file/);
chmod 0700, $folder or die $!;
like(make('folder writable again'),
	$set_aside, 'folder writable again: set aside, and created');

# --------------------------------------------------------------- full disk

# A limit on the size of a backend's files fails the same write() in the same
# place as a full disk, with EFBIG instead of ENOSPC. If the library is
# preloaded, the session itself creates the file.
$node->stop;
unlink state_path($node) or die $!;
$node->append_conf('postgresql.conf', "shared_preload_libraries = 'flakeid'\n");
$node->start;

my $limited = session($node);

system_or_bail('prlimit', '--fsize=524288', '--pid', $limited->backend_pid);
foreach my $call (
	'fluid_generate()', 'nanoflake_generate()',
	'ulidflake_generate()', 'flakeid_status()')
{
	like($limited->query("SELECT $call"),
		qr/ERROR:  \S{5}: could not write file "pg_stat\/flakeid.state.new": File too large/,
		"no space for the file: $call fails");
}
is(files(), 'flakeid.state.damaged', 'no space: no file is left behind');
is(make('room again'), '', 'a session with space creates it');
is(make('room again', $limited), '', '... and then the limited session works');
$limited->quit;

# --------------------------------------------- a client that does not read

# The WARNING is larger than the buffers of a socket, because its context has
# the text of the query.
foreach my $preload ('flakeid', '')
{
	my $what = $preload ? 'preloaded' : 'not preloaded';

	$node->append_conf('postgresql.conf', "shared_preload_libraries = '$preload'\n");
	$node->restart;
	write_state($node, 'short');

	my $holder = session($node);
	my $deaf = session($node);
	my $pid = $deaf->backend_pid;
	my $wait_event =
	  "SELECT wait_event FROM pg_stat_activity WHERE pid = $pid AND wait_event =";

	$holder->query('SELECT pg_advisory_lock(1)');
	$deaf->query('SET log_error_verbosity = terse');
	$deaf->send(q{DO $$ BEGIN
		PERFORM pg_advisory_lock(1);
		EXECUTE 'SELECT fluid_generate() -- ' || repeat('x', 4000000);
		END $$});
	ok(wait_until(sub { $holder->query("$wait_event 'advisory'") }),
		"$what: a session is about to generate an id");
	kill 'STOP', $deaf->{pid};
	$holder->query('SELECT pg_advisory_unlock(1)');
	ok(wait_until(sub { $holder->query("$wait_event 'ClientWrite'") }),
		"$what: its client does not read the WARNING");
	is(run_sql($node, q{SET statement_timeout = '20s'; SELECT fluid_generate() > 0}),
		't', "$what: another session generates ids meanwhile");
	kill 'CONT', $deaf->{pid};
	like($deaf->receive, $set_aside, "$what: the client then gets the WARNING");
	$_->quit foreach $deaf, $holder;
}

# ---------------------------------------------- a process that keeps the lock

# Hold the lock like a process that was suspended while it checked the file.
foreach my $kind (LOCK_SH, LOCK_EX)
{
	my $what = $kind == LOCK_SH ? 'the lock held shared' : 'the lock held exclusively';
	my $session = session($node);

	$node->restart;
	$session->quit;
	$session = session($node);
	$session->backend_pid;
	open my $lock, '<', $node->data_dir . '/postmaster.pid' or die $!;
	flock $lock, $kind or die $!;
	like(run_sql($node, "SET statement_timeout = '300ms'; SELECT fluid_generate()"),
		qr/ERROR:  57014/, "$what: a wait for it can be canceled");
	$session->send('SELECT fluid_generate() > 0');

	my $warning = qr/WARNING:  01000: still waiting for the lock on file "postmaster.pid".*DETAIL:  .*HINT:  /s;

	like($session->receive_until($warning), $warning,
		"$what: a session waits, and warns of it");
	ok($session->is_waiting(1), "$what: ... as long as the lock is held");
	close $lock;
	like($session->receive, qr/^t$/m, "$what: then it generates ids");
	$session->quit;
}

# A small file system mounted at pg_stat, if script/check could mount one
SKIP:
{
	my $small = $ENV{FLAKEID_SMALL_FILE_SYSTEM};

	skip 'a small file system can only be mounted as root', 9
	  unless $small && -d $small;
	$node->stop;
	rename $folder, "$folder.away" or die $!;
	symlink $small, $folder or die $!;
	$node->start;
	refuses('a full file system',
		qr/ERROR:  53100: could not write file "pg_stat\/flakeid.state.new": No space left on device/);
	is(files(), '', 'a full file system: no file is left behind');
	$node->stop;
	unlink $folder or die $!;
	rename "$folder.away", $folder or die $!;
	unlink glob "$small/*";
	$node->start;
	is(make('a file system with space'), '', 'a file system with space');
}

is(scalar(grep { /PANIC|was terminated by signal/ }
		split /\n/, slurp_file($node->logfile)),
	0, 'the server never crashes');
$node->stop;
done_testing();
