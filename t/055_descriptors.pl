# File descriptors of the state file are counted once, released after an error,
# and not inherited by child programs.

use strict;
use warnings;

use FlakeidTest;
use PostgreSQL::Test::Utils;
use Test::More;

# A third of these may be open without being managed by PostgreSQL.
my $node = new_node('descriptors', "max_files_per_process = 64\n");
my $lock = $node->data_dir . '/postmaster.pid';
my $new = state_path($node) . '.new';
my $size = 1_053_184;

sub errors
{
	my ($answer) = @_;
	my %times;

	$times{$_}++ foreach $answer =~ /ERROR:  (.*)/g;
	return join "\n", map { "$times{$_} $_" } sort keys %times;
}

# ------------------------------------------ postmaster.pid cannot be opened

# The file belongs to this postmaster, so a session only has to open it.
run_sql($node, 'SELECT fluid_generate()');

SKIP:
{
	chmod 0, $lock or die "$lock: $!";
	skip 'this user may open any file', 3 if -r $lock;

	my $session = session($node);
	my $answer =
	  $session->query(join ";\n", ('SELECT fluid_generate()') x 200);

	chmod 0600, $lock or die "$lock: $!";
	is(() = $answer =~ /ERROR:  42501: could not open file "postmaster.pid": Permission denied/g,
		200, 'each call reports that the file cannot be opened');
	unlike($answer, qr/too many/, '... and none reports too many open files');
	like($session->query('SELECT fluid_generate()'),
		qr/\A\d+\z/, '... and then the session generates ids');
	$session->quit;
}
chmod 0600, $lock or die "$lock: $!";

# -------------------------------------------------------- child programs

SKIP:
{
	skip 'no /proc', 2 unless -d '/proc/self/fd';

	my $session = session($node);

	$session->query(q{
		SELECT fluid_generate();
		CREATE TEMP TABLE opened (name text)});

	my $pid = $session->backend_pid;
	my @open = grep { defined } map { readlink } glob "/proc/$pid/fd/*";

	is(scalar(grep { /postmaster\.pid/ } @open),
		1, 'a session that generates ids has postmaster.pid open once');
	$session->query(
		q{COPY opened FROM PROGRAM 'for f in /proc/self/fd/*; do readlink $f; done; true'});
	is($session->query(q{
			SELECT count(*) FROM opened
			WHERE name ~ 'postmaster\.pid|flakeid\.state'}),
		0, 'a child program has neither that nor the state file open');
	$session->quit;
}

# ------------------------------------------------- a file of another size

# Other sessions have it mapped, so a new session retries repeatedly.
my $mapped = session($node);

$mapped->query('SELECT fluid_generate()');
append_to_file(state_path($node), 'longer');

my $session = session($node);
my $answer = $session->query('SELECT fluid_generate()');

like($answer, qr/ERROR:  58030: .*HINT:  Restart the server/s,
	'a file that has grown: the documented error');
unlike($answer, qr/too many|maxAllocatedDescs/,
	'... and not that of too many descriptors');
truncate state_path($node), $size or die $!;
like($session->query('SELECT fluid_generate()'),
	qr/\A\d+\z/, 'its length restored: the session generates ids');
$session->quit;
$mapped->quit;

# No session has it mapped.
foreach my $length (0, 5000, $size + 1)
{
	nobody_has_it_mapped($node);
	truncate state_path($node), $length or die $!;
	like(run_sql($node, 'SELECT fluid_generate()'),
		qr/^\d+$/m, "a file of $length bytes is replaced");
	is(-s state_path($node), $size, '... by one of the right size');
}

# ----------------------------------------------- left by a killed process

$node->stop;
unlink state_path($node) or die $!;
append_to_file($new, 'x' x ($size + 5000));
$node->start;
is(run_sql($node, 'SELECT fluid_generate() > 0'),
	't', 'a longer unfinished file does not prevent a new one');
is(-s state_path($node), $size, '... and leaves nothing in the new one');
ok(!-e $new, '... and leaves no file behind');

is(scalar(grep { /not closed at end-of-transaction/ }
		split /\n/, slurp_file($node->logfile)),
	0, 'no descriptor is left open at the end of a transaction');
$node->stop;
done_testing();
