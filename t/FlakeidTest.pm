# Shared by the TAP tests: servers with flakeid, long-lived sessions, a
# settable clock, and files full of ids.  A test needs no other "use": strict,
# warnings, Test::More, and PostgreSQL's modules come along.  With "clock" it is
# skipped where the clock cannot be set.
#
# Uses only features of PostgreSQL::Test::Cluster that 15 to 19 have in common.

package FlakeidTest;

use strict;
use warnings;

use File::Basename qw(basename dirname);
use Fcntl qw(O_CREAT O_RDWR);
use File::Glob qw(bsd_glob);
use File::Spec;
use IPC::Open3 qw(open3);
use List::Util qw(max);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::Local qw(timegm);
use Time::HiRes qw(clock_gettime sleep time CLOCK_MONOTONIC);

our @EXPORT = qw(
  scaled new_node run_sql session together library_version
  shim clock_library set_clock freeze_clock start_with_clock
  repeated increasing
  new_folder repeated_in_files files_out_of_order ids_in_files
  wait_until waits_for_lock stopwatch duplicates_in_log
);

# The source tree, for pages and code
our $src = dirname(dirname(File::Spec->rel2abs(__FILE__)));

sub import
{
	my ($class, $needs) = @_;
	my $caller = caller;

	plan skip_all => 'no compiler for the shim of the clock'
		if ($needs // '') eq 'clock' && !clock_library();
	strict->import;
	warnings->import;
	no strict 'refs';
	*{"${caller}::src"} = \$src;
	foreach my $package (__PACKAGE__, 'Test::More', 'PostgreSQL::Test::Utils')
	{
		*{"${caller}::$_"} = \&{"${package}::$_"} foreach grep { /^\w/ } @{"${package}::EXPORT"};
	}
}

# Whoever runs the tests, their superuser is postgres.  initdb runs once for each set
# of options; other servers get a copy of its data folder.  (From 17 on,
# INITDB_TEMPLATE does so for servers without options.)
$ENV{PGUSER} = 'postgres';
{
	no warnings 'redefine';
	my $system_or_bail = \&PostgreSQL::Test::Utils::system_or_bail;

	*PostgreSQL::Test::Utils::system_or_bail = sub {
		my @command = @_;
		my ($at) = grep { $command[$_] =~ /^(?:-D|--pgdata)$/ } 0 .. $#command;

		return $system_or_bail->(@command) unless $command[0] eq 'initdb';

		my (undef, $data) = splice @command, $at, 2;
		my $template = "$PostgreSQL::Test::Utils::tmp_check/"
		  . "@command $ENV{PATH}" =~ s/:.*//r =~ s/[^-=\w]+/_/gr;

		unless (-d $template)
		{
			$system_or_bail->(@command, '-U', $ENV{PGUSER}, '-N', '-D', "$template.$$");
			# A test that runs at the same time may have been faster.
			rename "$template.$$", $template or -d $template or die "$template: $!";
		}
		$system_or_bail->('cp', '-a', $template, $data);
	};
}

# CHECK_SCALE scales the length of tests; the default is 1.
sub scaled
{
	my ($number) = @_;
	return max(1, int($number * ($ENV{CHECK_SCALE} // 1)));
}

# Start a server with the extension, and with these lines in its
# postgresql.conf; settings that need a preloaded library preload it.  Times
# are shown in UTC, whatever the machine's time zone.
sub new_node
{
	my ($name, $settings, %options) = @_;
	my $node = PostgreSQL::Test::Cluster->new($name, %{ $options{new} // {} });

	$settings //= '';
	$settings = "shared_preload_libraries = 'flakeid'\n$settings"
	  if $settings =~ /^flakeid\.(?!max_wait|ulidflake_step_bits)/m
	  && $settings !~ /^shared_preload_libraries/m;
	$node->init(%{ $options{init} // {} });
	$node->append_conf('postgresql.conf',
		"max_connections = 40\nautovacuum = off\ntimezone = 'UTC'\n$settings");
	$options{clock} ? start_with_clock($node) : $node->start;
	$node->safe_psql('postgres', 'CREATE EXTENSION flakeid');
	return $node;
}

# A folder of the server, as a path that the server understands
sub folder { return File::Spec->rel2abs(shift->basedir); }

# Seconds since some moment, unaffected by changes of the clock
sub stopwatch { return clock_gettime(CLOCK_MONOTONIC); }

# Poll a condition.  Returns false if it does not become true in time.
sub wait_until
{
	my ($condition, $seconds) = @_;
	my $end = stopwatch() + ($seconds // 180);
	my $was_last = 0;

	until ($condition->())
	{
		return 0 if $was_last;
		$was_last = stopwatch() > $end;
		sleep(0.05);
	}
	return 1;
}

# Wait until a session waits for a lock.  Returns false if none does.
sub waits_for_lock
{
	my ($node) = @_;
	return $node->poll_query_until('postgres',
		'SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)');
}

# A buffer or a relation that is never released is only a warning of the server.
END
{
	my $test = basename($0, '.pl');

	foreach my $log (bsd_glob("$PostgreSQL::Test::Utils::log_path/${test}_*.log"))
	{
		my ($leak) = slurp_file($log) =~ /(WARNING: .* leak: .*)/ or next;

		diag "$log: $leak";
		$? ||= 1;
	}
}

# ---------------------------------------------------------------- sessions

# A new psql.  Its output includes messages with their SQLSTATE.
# PostgreSQL::Test::BackgroundPsql cannot be used: the tests run queries in many
# sessions concurrently, read on after the server was killed, and need messages
# at their place between rows.
sub session
{
	my ($node, %environment) = @_;
	my $database = delete $environment{database} // 'postgres';

	local %ENV = (%ENV, %environment);
	my $self = bless { count => 0, buffer => '' }, 'FlakeidTest::Session';
	$self->{pid} = open3($self->{in}, $self->{out}, undef,
		qw(psql -X -q -A -t -v VERBOSITY=verbose -d),
		$node->connstr($database));
	$self->{in}->autoflush(1);
	return $self;
}

# Of this source, for example 1.0.1
sub library_version
{
	return slurp_file("$src/META.json") =~ /^   "version": "(.*)",$/m ? $1 : die 'no version';
}

# Run statements in a new session.
sub run_sql
{
	my ($node, $sql, %environment) = @_;
	my $session = session($node, %environment);
	my $answer = $session->query($sql);

	$session->quit;
	return $answer;
}

# Run the same statements in many sessions at once, and return their answers.
sub together
{
	my ($node, $number, $sql) = @_;
	my @sessions = map { session($node) } 1 .. $number;

	$_->send($sql) foreach @sessions;

	my @answers = map { $_->receive } @sessions;

	$_->quit foreach @sessions;
	return @answers;
}

{
	package FlakeidTest::Session;

	use Carp qw(confess);
	use Errno;
	use IO::Select;

	sub write
	{
		my ($self, $text) = @_;

		local $SIG{PIPE} = 'IGNORE';
		print { $self->{in} } $text;
		return;
	}

	# Mark the end of the output until here.
	sub mark
	{
		my ($self) = @_;
		return $self->write("\\echo '=== @{[ ++$self->{count} ]} ==='\n");
	}

	# Start a query; a session has one query at a time.
	sub send
	{
		my ($self, $sql) = @_;

		$self->write("$sql\n;\n");
		return $self->mark;
	}

	# Add output to the buffer; false at its end.  Signals may interrupt the
	# calls.
	sub read_on
	{
		my ($self, $give_up) = @_;

		for (;;)
		{
			my $rest = $give_up - FlakeidTest::stopwatch();

			confess "no answer: $self->{buffer}" if $rest <= 0;
			next unless IO::Select->new($self->{out})->can_read($rest);

			my $bytes = sysread $self->{out}, $self->{buffer}, 65536, length $self->{buffer};

			return $bytes if defined $bytes || !$!{EINTR};
		}
		return;
	}

	# Return the output since the query started, when the query or the session
	# has ended.  ANSWER_SECONDS limits the wait; the default is 900.
	sub receive
	{
		my ($self) = @_;
		my $end = "=== $self->{count} ===\n";
		my $give_up = FlakeidTest::stopwatch() + ($ENV{ANSWER_SECONDS} // 900);

		until (index($self->{buffer}, $end) >= 0)
		{
			next if $self->read_on($give_up);
			$self->{ended} = 1;
			return delete $self->{buffer};
		}

		my ($answer, $rest) = split /\Q$end\E/, $self->{buffer}, 2;

		$self->{buffer} = $rest;
		chomp $answer;
		return $answer;
	}

	# True if the query or the session ends within so many seconds
	sub answers_within
	{
		my ($self, $seconds) = @_;
		my $end = FlakeidTest::stopwatch() + $seconds;

		while (index($self->{buffer}, "=== $self->{count} ===\n") < 0)
		{
			my $rest = $end - FlakeidTest::stopwatch();

			return 0 if $rest <= 0;
			next if $self->is_waiting($rest);
			return 1 unless $self->read_on($end + 1);
		}
		return 1;
	}

	# True if there is no output yet
	sub is_waiting
	{
		my ($self, $seconds) = @_;
		return !IO::Select->new($self->{out})->can_read($seconds // 0);
	}

	sub query
	{
		my ($self, $sql) = @_;
		$self->send($sql);
		return $self->receive;
	}

	sub backend_pid
	{
		my ($self) = @_;
		return $self->{backend_pid} //= $self->query('SELECT pg_catalog.pg_backend_pid()');
	}

	# End the connection; returns psql's exit status.
	sub quit
	{
		my ($self) = @_;

		close $self->{in};
		1 while sysread $self->{out}, my $rest, 65536;
		waitpid $self->{pid}, 0;
		close $self->{out};
		return $? >> 8;
	}
}

# ------------------------------------------------------------------- clock

# Path of the library test/shim/NAME.c, or undef without a compiler
sub shim
{
	my ($name) = @_;
	my $library = ($ENV{TESTDATADIR} // ($ENV{TESTDIR} // '.') . '/tmp_check') . "/$name.so";

	# PostgreSQL::Test creates its folder later.
	mkdir dirname($library);
	return -e $library
	  || system("\${CC:-cc} -shared -fPIC -O1 -o $library.$$ $src/test/shim/$name.c -ldl"
		. ' 2>/dev/null') == 0
	  && rename("$library.$$", $library) ? $library : undef;
}

sub clock_library { return shim('clock'); }

sub write_clock
{
	my ($node, $us, $stands) = @_;
	my $path = folder($node) . '/clock';

	sysopen my $handle, $path, O_RDWR | O_CREAT or die "$path: $!";
	syswrite $handle, pack 'q', 2 * $us + $stands;
}

# Set the server's clock ahead of the test's by this many seconds, or behind
# it.
sub set_clock
{
	my ($node, $seconds) = @_;
	return write_clock($node, int(1e6 * $seconds), 0);
}

# Stop the server's clock at a time in UTC, such as "2026-01-01 00:00:00.123".
sub freeze_clock
{
	my ($node, $time) = @_;
	my ($year, $month, @rest) = $time
		=~ /\A(\d+)-(\d+)-(\d+) (\d+):(\d+):(\d+)(?:\.(\d+))?\z/ or die $time;
	my $fraction = pop @rest;

	return write_clock($node,
		1_000_000 * timegm(reverse($year, $month - 1, @rest)) + substr(($fraction // '')
		. '000000', 0, 6), 1);
}

# Start a server whose clock set_clock() can set; the first start uses the
# actual time.
sub start_with_clock
{
	my ($node) = @_;

	set_clock($node, 0) unless -e folder($node) . '/clock';
	local %ENV = (%ENV, LD_PRELOAD => clock_library(), FLAKEID_CLOCK => folder($node) . '/clock');
	$node->start;
}

# --------------------------------------------------------------------- ids

# Ids that occur more than once in a list
sub repeated
{
	my %times;

	$times{$_}++ foreach @_;
	return join ' ', grep { $times{$_} > 1 } sort keys %times;
}

# True if every id exceeds the previous one.  Ids are below 2^63.
sub increasing
{
	my (@ids) = @_;
	return !grep { $ids[$_] <= $ids[ $_ - 1 ] } 1 .. $#ids;
}

# Create a folder in which the server can write files of ids.
sub new_folder
{
	my ($node, $name) = @_;
	my $folder = folder($node) . "/$name";

	mkdir $folder or die "$folder: $!";
	return $folder;
}

sub shell
{
	my ($command) = @_;
	my $output = qx{export LC_ALL=C; $command};

	die "failed: $command" if $?;
	chomp $output;
	return $output;
}

# Complete lines of all files of a folder, which may be too many for a command
# line; a truncated file ends in an incomplete one.  All ids have the same number
# of digits, so they sort as text.
sub all_lines
{
	my ($folder) = @_;
	return "find $folder -type f -exec cat {} + | perl -ne 'print if /^\\d{17,19}\\n/'";
}

sub ids_in_files
{
	my ($folder) = @_;
	return shell(all_lines($folder) . ' | wc -l');
}

# The first few ids that occur more than once in the files
sub repeated_in_files
{
	my ($folder) = @_;
	return shell(all_lines($folder)
		. " | sort -S 25% --parallel=2 -T $folder/.. | uniq -d | head -3");
}

# Number of a folder's files whose lines do not strictly increase
sub files_out_of_order
{
	my ($folder) = @_;
	return scalar grep { system("LC_ALL=C sort -c -u $_ 2>&1") != 0 } glob "$folder/*";
}

# Number of primary key violations in the server's log
sub duplicates_in_log
{
	my ($node) = @_;
	return scalar grep { /duplicate key/ } split /\n/, slurp_file($node->logfile);
}

1;
