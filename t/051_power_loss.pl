# World.
# Power loss: the data files are those of the last checkpoint, and the WAL ends
# where it was flushed.  Although the clock is set back, no id that was returned is
# repeated, even if its transaction did not commit.

use FlakeidTest qw(clock);
use FlakeidHorizon;
use Time::HiRes qw(time);
use Time::Local qw(timegm);

my $segment_size = 1024 * 1024;
my $node = new_node('power', q{
	wal_writer_delay = '10s'
	checkpoint_timeout = '1h'
	bgwriter_lru_maxpages = 0
}, init => { extra => ['--wal-segsize=1'] }, clock => 1);

# Copy the data folder.
sub copy_data
{
	my ($name) = @_;
	my $copy = $node->basedir . "/$name";

	system('cp', '-a', $node->data_dir, $copy) == 0 or die 'cp failed';
	unlink "$copy/postmaster.pid";
	return $copy;
}

# Lose power: the data files are as copied at the last checkpoint, and the WAL
# ends at this position.
sub flushed_only
{
	my ($copy, $lsn) = @_;
	my $data = $node->data_dir;
	my ($high, $low) = map { hex } split m{/}, $lsn;
	my $end = ($high << 32) + $low;

	# The folder stays: by its inode, the next server finds the last one's shared memory.
	system("mv '$data/pg_wal' '$data.wal' && find '$data' -mindepth 1 -delete && "
		  . "cp -a '$copy/.' '$data' && rm -rf '$data/pg_wal' && mv '$data.wal' '$data/pg_wal'")
	  == 0
	  or die 'the copy failed';
	foreach my $path (glob "$data/pg_wal/????????????????????????")
	{
		my ($log, $segment) = map { hex } $path =~ /(.{8})(.{8})$/;
		my $start = ($log << 32) + $segment * $segment_size;
		my $keep = $end - $start;

		next if $keep >= $segment_size;
		$keep = 0 if $keep < 0;
		truncate $path, $keep or die "$path: $!";
		truncate $path, $segment_size or die "$path: $!";
	}
}

# ---------------------------- one format at a time, with an unflushed raise

# An id at 0, another one when the horizon is near, which raises it without a
# flush, and one past the flushed horizon.  After the restart the clock is 3 s
# behind the last one's.
my @cases = (
	[ 'fluid', 'fluid_generate()', '01.100', '02.500' ],
	[ 'nanoflake', 'nanoflake_generate()', '00.300', '00.600' ],
	[ 'ulidflake', 'ulidflake_generate()', '01.100', '02.500' ],
	[ 'ulidflake', 'ulidflake_scalable_generate()', '01.100', '02.500' ]);
my $minute = 0;
my $year_2030 = timegm(0, 0, 0, 1, 0, 2030);

adopt_orphans();

foreach my $case (@cases)
{
	my ($format, $generator, $near, $past) = @$case;
	my $begin = sprintf '2030-01-01 00:%02d:', ++$minute;
	my $five = "SELECT $generator FROM generate_series(1, 5)";

	freeze_clock($node, "${begin}00.000");
	$node->safe_psql('postgres', 'CHECKPOINT');

	my $copy = copy_data("before$minute");
	my $session = session($node);
	my @ids = split /\n/, $session->query($five);
	my $flushed = horizon_ms($node, $format);
	my @writers = split /\n/, $node->safe_psql('postgres', q{SELECT pid FROM pg_stat_activity
		WHERE backend_type IN ('walwriter', 'background writer')});

	# From here on only the session flushes the WAL.
	kill STOP => @writers;
	freeze_clock($node, "$begin$near");
	push @ids, split /\n/, $session->query($five);
	is($session->query('SELECT pg_current_wal_insert_lsn() > pg_current_wal_flush_lsn()'),
		't', "$generator: an early raise is not flushed");
	cmp_ok(horizon_ms($node, $format), '>', $flushed, '... although it is on the page');
	freeze_clock($node, "$begin$past");
	push @ids, split /\n/, $session->query($five);

	my $end = $session->query('SELECT pg_current_wal_flush_lsn()');

	kill CONT => @writers;
	crash($node);
	$session->quit;
	flushed_only($copy, $end);
	set_clock($node, $year_2030 + 60 * $minute + $past - 3 - time);
	start_with_clock($node);

	my @again = grep { /^\d+$/ } split /\n/, run_sql($node, "SET flakeid.max_wait = '20s'; $five");

	is(scalar(@ids), 15, '... ids past it are returned');
	is(repeated(@ids, @again), '', '... and not repeated after a loss of power');
	is(scalar(@again), 5, '... new ids');
	ok(increasing($ids[-1], $again[0]), '... are greater');
}

# ------------------------------------------- at any moment, under load

# Sessions are stopped at any point; then the ids that they returned and the
# position that is flushed do not change.
my $folder = new_folder($node, 'ids');
my $file = 0;

set_clock($node, my $ahead = 300 * 86400 * 4);
foreach my $round (1 .. scaled(3) + 1)
{
	$node->safe_psql('postgres', 'CHECKPOINT');

	my $copy = copy_data("round$round");
	my @sessions = map { session($node) } 1 .. 3;
	my $before = begun_files($folder);

	foreach my $session (@sessions)
	{
		my $script = $node->basedir . '/copy.' . ++$file;

		append_to_file($script, join '', map {
			"COPY (SELECT fluid_generate() FROM generate_series(1, 50) UNION ALL
				SELECT ulidflake_generate() FROM generate_series(1, 50))
				TO '$folder/$file.$_';\n" =~ s/\n\s*(?=[A-Z])/ /gr
		} 1 .. 20_000);
		$session->backend_pid;
		$session->send("\\i $script");
	}
	wait_until(sub { begun_files($folder) > $before + 20 }) or die;

	# The clock moves past the horizons.
	foreach (1 .. 3)
	{
		set_clock($node, $ahead += 0.6);
		select undef, undef, undef, rand 0.15;
	}
	set_clock($node, $ahead += 0.1 + rand 1.4);
	select undef, undef, undef, rand 0.03;
	kill 'STOP', map { $_->backend_pid } @sessions;
	select undef, undef, undef, 0.05;

	my $end = $node->safe_psql('postgres', 'SELECT pg_current_wal_flush_lsn()');

	kill_postmaster($node, 1) or die 'a process of the server is left';
	$_->receive, $_->quit foreach @sessions;
	flushed_only($copy, $end);
	system('rm', '-rf', $copy) == 0 or die;
	set_clock($node, $ahead -= 2);
	start_with_clock($node);
}

my @sessions = map { session($node) } 1 .. 3;

foreach my $session (@sessions)
{
	my $name = ++$file;

	$session->send("COPY (SELECT fluid_generate() FROM generate_series(1, 20000) UNION ALL
		SELECT ulidflake_generate() FROM generate_series(1, 5000)) TO '$folder/$name'");
}
is(join('', map { $_->receive } @sessions), '', 'ids after all losses of power');
$_->quit foreach @sessions;
is(repeated_in_files($folder), '', 'no id that was returned is repeated');
done_testing();
