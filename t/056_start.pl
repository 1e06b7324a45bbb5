# The first processes after a start: one of many concurrent sessions does the
# start-up step, once; and after a power loss, only the synced parts of the file
# are certain to be on disk.

use strict;
use warnings;

use FlakeidTest;
use PostgreSQL::Test::Utils;
use Test::More;

plan skip_all => 'libfaketime is not installed' unless clock_library();

my $node = new_node('start', '', clock => 'each time');

insert_all($node);

# ------------------------------------------ 32 sessions right after a start

my $script = $node->basedir . '/make.sql';
my $rounds = scaled(3);
my $made = 0;

append_to_file($script, "SELECT make_all(20);\n");

sub all_at_once
{
	my ($what) = @_;

	# pgbench opens all connections before the first one starts.
	$node->command_ok(
		[
			'pgbench', '-n', '-c', '32', '-j', '2', '-t', '1',
			'-f', $script, 'postgres'
		],
		"$what: 32 concurrent sessions");
	$made += 32 * 80;
	is($node->safe_psql('postgres', 'SELECT count(*) FROM made'),
		$made, "$what: no duplicate ids");
	return;
}

foreach my $preloaded ('', 'flakeid')
{
	my $what = $preloaded ? 'preloaded' : 'not preloaded';

	foreach my $scope ('backend', 'server')
	{
		$node->append_conf('postgresql.conf',
			"shared_preload_libraries = '$preloaded'\n"
			  . "flakeid.sequence_scope = $scope\n");
		foreach my $round (1 .. $rounds)
		{
			$node->stop;

			# There is no file, one from before the restart, or one to set
			# aside.
			unlink state_path($node) if $round % 3 == 1;
			write_state($node, 'short') if $round % 3 == 0;

			# The clock is behind the previous ids, but only by so much that a
			# Nanoflake waits for it.
			set_clock($node, -0.2 * ($round % 3 == 2));
			start_with_clock($node);
			all_at_once("$what, $scope scope, start $round");
		}
	}
}

# --------------------------------------------- one start-up step per start

set_clock($node, 0);
$node->stop;
start_with_clock($node);

my $before = read_state(state_bytes($node));
my $first = session($node);

$first->query('SELECT count(*) FROM flakeid_status()');

my $folded = read_state(state_bytes($node));

isnt($folded->{pid} . ' ' . $folded->{started},
	$before->{pid} . ' ' . $before->{started},
	'the first process updates the file for its postmaster');
isnt($folded->{current}, $before->{current}, '... into the other record');
all_at_once('after the start-up step');

my $later = read_state(state_bytes($node));

is_deeply(
	[ @{$later}{qw(current pid started)},
		map { $later->{$_}{floor} } qw(fluid nanoflake ulidflake) ],
	[ @{$folded}{qw(current pid started)},
		map { $folded->{$_}{floor} } qw(fluid nanoflake ulidflake) ],
	'no other session repeats it');
$first->quit;

# ------------------------------------------------------------- power loss

sub newest
{
	my %newest = split /[| \n]+/, $node->safe_psql('postgres',
		'SELECT format, max(id) FROM made GROUP BY format');

	return \%newest;
}

# Check that ids continue in order after a power loss, whichever pages the
# kernel has written.
#	$back		distance of the clock behind the ids afterwards, in s
#	$written	older bytes of words and marks, which are on disk
sub power_loss
{
	my ($what, $back, $written) = @_;

	$node->safe_psql('postgres',
		q{SET flakeid.max_wait = '20s'; SELECT make_all(2000)}) for 1 .. 3;

	my $newest = newest();
	my $bytes = state_bytes($node);
	my $state = read_state($bytes);

	# Horizons are on disk before any process generates ids below them.
	my %low_bits = (fluid => 24, nanoflake => 22, ulidflake => 20);

	foreach my $format (sort keys %low_bits)
	{
		my $ms = $newest->{$format} >> $low_bits{$format};

		cmp_ok($ms, '<=', $state->{$format}{allowed},
			"$what: no $format is above the allowed limit");
		cmp_ok($state->{$format}{allowed}, '<=', $state->{$format}{horizon},
			"$what: the allowed limit is below the horizon");
		cmp_ok($state->{$format}{horizon}, '<=', $ms + 12_000 + $back * 1000,
			"$what: the horizon is near");
	}
	$node->stop('immediate');

	# The header is as of the last sync; the rest may be as old.
	substr $bytes, 4096, length($bytes) - 4096, substr $written, 4096;
	write_state($node,
		patch_state($bytes, boot_id => '00000000-0000-0000-0000-00000000000' . int rand 10));
	set_clock($node, -$back);
	start_with_clock($node);

	my $after = session($node);

	is($after->query('INSERT INTO made SELECT $$fluid$$, fluid_generate() FROM generate_series(1, 20000)'),
		'', "$what: FLUIDs are generated");
	is($after->query('INSERT INTO made SELECT $$ulidflake$$, ulidflake_generate() FROM generate_series(1, 20000)'),
		'', "$what: Ulid-Flakes are generated");

	my $now = read_state(state_bytes($node));

	is($now->{$_}{floor}, $state->{$_}{horizon},
		"$what: the floor is the horizon, $_")
	  foreach qw(fluid nanoflake ulidflake);
	is($now->{boot_id}, $state->{boot_id}, "$what: the boot id is the current one");
	if ($back > 10)
	{
		like($after->query("SET flakeid.max_wait = '50ms'; SELECT nanoflake_generate()"),
			qr/ERROR:  55000: .*behind/, "$what: Nanoflakes wait for the clock");
	}
	else
	{
		is($after->query("SET flakeid.max_wait = '20s'; INSERT INTO made SELECT 'nanoflake', nanoflake_generate() FROM generate_series(1, 20000)"),
			'', "$what: Nanoflakes wait until the clock has passed the horizon");
	}
	$after->quit;

	my $since = newest();

	cmp_ok($since->{$_}, '>', $newest->{$_}, "$what: $_ above the ids before")
	  foreach qw(fluid ulidflake);
	is(duplicates_in_log($node), 0, "$what: no duplicate ids");
	return;
}

$node->append_conf('postgresql.conf', "flakeid.sequence_scope = backend\n");
$node->stop;
unlink state_path($node);
start_with_clock($node);
$node->safe_psql('postgres', 'SELECT make_all(1)');

my $old = state_bytes($node);

power_loss('power loss', 0, $old);
power_loss('power loss, nothing but the header written back', 0, "\0" x length $old);
$node->append_conf('postgresql.conf', "flakeid.sequence_scope = server\n");
$node->stop;
start_with_clock($node);
power_loss('power loss, server scope, clock an hour back', 3600, $old);

# From here on ids are an hour ahead of the clock.
my $session = session($node);
my $horizon = read_state(state_bytes($node))->{fluid}{horizon};

is($session->query('INSERT INTO made SELECT $$fluid$$, fluid_generate() FROM generate_series(1, 1000)'),
	'', 'ids continue far ahead of the clock');
cmp_ok(read_state(state_bytes($node))->{fluid}{horizon}, '>=', $horizon,
	'the horizon follows them');
$session->quit;
$node->append_conf('postgresql.conf', "flakeid.sequence_scope = backend\n");
$node->stop;
start_with_clock($node);

# Repeat, with a correct clock in between.
set_clock($node, 0);
power_loss('power loss, backend scope, clock an hour back', 3600, $old);

# The same boot: a server crash leaves a complete file, and the floor is the
# newest mark.
$node->stop('immediate');
start_with_clock($node);

my $state = read_state(state_bytes($node));

$session = session($node);
$session->query('SELECT fluid_generate()');
$session->quit;
cmp_ok(read_state(state_bytes($node))->{fluid}{floor}, '<',
	$state->{fluid}{horizon}, 'without a power loss the horizon does not become the floor');

# Without a boot id every start counts as another boot.
$node->stop;
write_state($node, patch_state(state_bytes($node), boot_id => ''));
$state = read_state(state_bytes($node));
start_with_clock($node);
$session = session($node);
$session->query('SELECT fluid_generate()');
$session->quit;
is(read_state(state_bytes($node))->{fluid}{floor},
	$state->{fluid}{horizon}, 'a file without a boot id: the horizon is the floor');

$node->stop;
done_testing();
