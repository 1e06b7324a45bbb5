# World, slow.
# The present library replaces that of 1.0.0, and the other way round.  This happens
# while sessions are running, so that sessions of both libraries use the same memory;
# before a restart or after a crash, with ids and floors ahead of the clock and with a
# reset that is pending; and between a primary and its standby.  No id is generated
# twice, ids increase within a session, new ids follow all earlier ones, and
# flakeid_status() shows the same in both libraries.
#
# The archive test/flakeid-1.0.0.tar.gz has what is needed to build 1.0.0.  The SQL
# script of the extension is the same in both.  t/088_upgrade.pl tests updates of the
# extension and of PostgreSQL.

use FlakeidTest 'clock';
use FlakeidHorizon;
use POSIX qw(strftime);

my $tmp = $PostgreSQL::Test::Utils::tmp_check;
my ($bin, $pkglibdir, $sharedir) = split /\n/, qx{pg_config --bindir --pkglibdir --sharedir};

sub shell { return system('sh', '-euc', @_) == 0 || die "failed: @_"; }

# --------------------------------------------------------------- libraries

# previous.so is 1.0.0, present.so is the library under test, and other.so is
# 1.0.0 with another layout of shared memory.
my $libraries = "$tmp/libraries";

shell(q{
mkdir "$0" "$0/build"
cp "$3/flakeid.so" "$0/present.so"
cd "$0/build"
tar xzf "$1" --strip-components=1
unset MAKEFLAGS
make -s -j2 PG_CONFIG="$2/pg_config" with_llvm=no COPT=-O1
mv flakeid.so ../previous.so
sed -i 's/^\(#define LAYOUT_NUMBER\)\t.*/\1 99/' src/pg/state.c
make -s PG_CONFIG="$2/pg_config" with_llvm=no COPT=-O1
mv flakeid.so ../other.so
}, $libraries, "$src/test/flakeid-1.0.0.tar.gz", $bin, $pkglibdir);

# Copies of the server, as script/common.sh makes them, each with its library
my %root = map { $_ => "$tmp/root_$_" } qw(one two);

foreach my $root (values %root)
{
	shell('mkdir -p "$0$1" && cp "$1"/* "$0$1"', $root, $bin);
	# Another test makes files of pg_uuidv7, and removes them.
	shell('mkdir -p "$0$1" && cp -rs "$1/." "$0$1" && rm -f "$0$1"/extension/pg_uuidv7*',
		$root, $_) foreach $pkglibdir, $sharedir;
}

# Use this library in the processes that load it from now on.
sub use_library
{
	my ($root, $library) = @_;
	my $path = "$root{$root}$pkglibdir/flakeid.so";

	symlink "$libraries/$library.so", "$path.new" and rename "$path.new", $path
	  or die "$path: $!";
}

# The one that a session has loaded
my $library = q{SELECT (regexp_match(pg_read_file('/proc/self/maps'), 'libraries/(\w+)\.so'))[1]
	FROM fluid_get_address(0)};

# 1.0.0 does not show its version.
my $version = q{SELECT current_setting('flakeid.version', true) FROM fluid_get_address(0)};

sub installed { return (install_path => "$root{ $_[0] }$bin/.."); }

# Stop the server; start it with this library, and with the clock right.
sub restart_with
{
	my ($node, $root, $name, $mode) = @_;

	use_library($root, $name);
	restart($node, $mode // 'fast');
	is(run_sql($node, $library), $name, "a start with the $name library");
	is(run_sql($node, $version),
		$name eq 'present' ? library_version() : '', '... whose version a session shows');
}

# --------------------------------------------------------------------- ids

# log_ids() with what shows the order in a session
sub make_ids
{
	my ($node) = @_;

	log_ids($node);
	$node->safe_psql('postgres', q{ALTER TABLE ids
		ADD n bigserial, ADD session integer DEFAULT pg_backend_pid()});
}

sub check_ids
{
	my ($node, $what) = @_;

	is($node->safe_psql('postgres', q{SELECT count(*) FROM (
		SELECT id <= lag(id) OVER (PARTITION BY format, session ORDER BY n) AS wrong FROM ids)
		AS o WHERE wrong}), 0, "$what: the ids of each session increase");
	is(duplicates_in_log($node), 0, "$what: no id is generated twice");
}

# What the sessions of a server share, and the database's horizons
my $shared = q{SELECT format, scope, node, per_ms, epoch, horizon, floor, horizon_state,
	waits, refusals, longest_wait, steps_back FROM flakeid_status() ORDER BY 1};
my $hours_ahead = q{SELECT string_agg(round(extract(epoch FROM ahead) / 3600)::text, ' ')
	FROM flakeid_status()};
my $states = q{SELECT string_agg(DISTINCT horizon_state, ' ') FROM flakeid_status()};

# ------------------------------------------------------- in running sessions

# Does this source tree have the layout of shared memory of 1.0.0?
my ($layout) = slurp_file("$src/src/pg/state.c") =~ /^#define LAYOUT_NUMBER\s+(\d+)$/m or die;

sub all_insert
{
	my ($what, @sessions) = @_;

	$_->send('SELECT add(200), add_nanoflakes(200), add(200)') foreach @sessions;
	is(join(' ', map { $_->receive } @sessions), join(' ', ('||') x @sessions), $what);
}

# Sessions that loaded the library before and after it was replaced
sub both_libraries
{
	my ($node, $from, $to) = @_;
	my @sessions = map { session($node) } 1, 2;

	all_insert("sessions of the $from library generate ids", @sessions);
	use_library('one', $to);
	push @sessions, map { session($node) } 3, 4;
	if ($layout != 1)
	{
		like($sessions[3]->query('SELECT fluid_generate()'),
			qr/ERROR:  55000: another version .*HINT:  Restart the server/s,
			'with another layout of shared memory, an error asks for a restart');
		$_->quit foreach @sessions;
		return;
	}
	all_insert('... and together with those of the other', @sessions) for 1 .. 2;
	is(join(' ', map { $_->query($library) } @sessions), "$from $from $to $to",
		'... which both run');

	# Each library sees what the other one writes into the memory.
	set_clock($node, -50);
	like($sessions[$_]->query(q{SET flakeid.max_wait = 1; SELECT nanoflake_generate()}),
		qr/ERROR:  55P03: .* clock is/, '... a step back of the clock') foreach 0, 2;
	set_clock($node, 0);
	is($sessions[2]->query($shared), $sessions[0]->query($shared), '... both show the same');
	like($sessions[0]->query($shared), qr/^nanoflake\|.*\|2\|2\|[\d:.]+\|2$/m,
		'... and count together');
	$_->query('RESET flakeid.max_wait') foreach @sessions;

	# Few connections: most sessions have the slot of one that has ended.
	foreach my $back (1 .. 8)
	{
		my $next = $back % 2 ? $to : $from;

		use_library('one', $next);
		set_clock($node, -10 * $back);
		is(run_sql($node, "SELECT add(100); $library"), "\n$next",
			"the clock goes back further: the next session has the $next library");
	}
	is(join('', map { $_->query('SELECT add(100)') } @sessions), '', '... older ones go on');
	set_clock($node, 0);
	is($sessions[$_]->query(
		"SELECT flakeid_raise_floor(clock_timestamp() + interval '1$_ s')"), 3,
		"a floor of session $_") foreach 0, 2;

	my $floor = run_sql($node, 'SELECT min(floor) FROM flakeid_status()');

	foreach my $next ($to, $from)
	{
		use_library('one', $next);
		is(run_sql($node, "SELECT fluid_to_timestamptz(fluid_generate()) > '$floor',
			ulidflake_to_timestamptz(ulidflake_generate()) > '$floor'; $library"), "t|t\n$next",
			"... is kept by the first ids of the $next library");
	}
	all_insert('... and by all', @sessions);
	$_->quit foreach @sessions;
	is(run_sql($node, q{SELECT count(DISTINCT session) > count(DISTINCT slot),
		count(*) FILTER (WHERE wrong) FROM (SELECT session, slot,
			id <= lag(id) OVER (PARTITION BY slot ORDER BY n) AS wrong
			FROM ids, fluid_get_address(id) WHERE format = 'fluid') AS o}), 't|0',
		'... the FLUIDs of each slot increase, whichever library its sessions had');
}

# A preloaded library stays the one of all sessions until the restart.
sub one_library
{
	my ($node, $from, $to) = @_;
	my @sessions = (session($node));

	all_insert('a session of the preloaded library generates ids', @sessions);
	use_library('one', $to);
	push @sessions, session($node);
	all_insert('... after the file was replaced, too', @sessions);
	is($sessions[1]->query($library), $from, '... with the library of the start');
	$_->quit foreach @sessions;
}

# ------------------------------------------------------------------ restarts

sub restarts
{
	my ($node, $from, $to) = @_;

	# A crash, with rows an hour ahead of the clock
	restart_with($node, 'one', $from);
	set_clock($node, 3600);
	$node->safe_psql('postgres', 'SELECT add(200), add_nanoflakes(200)');

	my $newest = newest_ids($node);

	restart_with($node, 'one', $to, 'immediate');
	is(run_sql($node, "$states; $hours_ahead"), "earlier\n1 1 1", 'ids are ahead of the clock');
	continues_after($node, '... after a crash', $newest);
	like(run_sql($node, 'SET flakeid.max_wait = 0; SELECT add_nanoflakes(1)'),
		qr/ERROR:  55000: could not generate a Nanoflake: the clock is \d{7} ms behind/,
		'... a Nanoflake waits for the clock');
	like(run_sql($node, $states), qr/^current( earlier)?$/, '... the status shows this start');

	# A floor
	restart_with($node, 'one', $from);
	is(run_sql($node, q{SELECT flakeid_raise_floor(clock_timestamp() + interval '2 hours')}), 3,
		'a floor');
	my $floor = run_sql($node, 'SELECT min(floor) FROM flakeid_status()');
	restart_with($node, 'one', $to, 'immediate');
	is(run_sql($node, "SELECT min(floor) >= '$floor' FROM flakeid_status(); $hours_ahead"),
		"t\n2 2 2", '... survives');
	is(run_sql($node, "SELECT fluid_generate() >= fluid_min('$floor'::timestamptz + '1 ms'),
		ulidflake_generate() >= ulidflake_min('$floor'::timestamptz + '1 ms')"), 't|t',
		'... ids start after it');
	$newest = newest_ids($node);

	# A reset that is pending
	foreach my $uses (0, 1)
	{
		restart_with($node, 'one', $from);
		like(run_sql($node, "SELECT add(10); SELECT flakeid_reset_horizon(); $states"),
			qr/(?:after the next restart, \S+ ids .*){3}^3\nreset pending$/ms, 'a reset');
		restart_with($node, 'one', $to, $uses ? 'immediate' : 'fast');
		is(run_sql($node, "$states; $hours_ahead"), "reset\n0 0 0", '... is seen');
		if ($uses)
		{
			is(run_sql($node, "SELECT add(200); SELECT add_nanoflakes(200); $states;
				$hours_ahead"), "\n\ncurrent\n0 0 0", '... and used');
		}
		else
		{
			like(run_sql($node, "SELECT flakeid_cancel_reset(); $hours_ahead"),
				qr/(?:is canceled.*){3}^3\n2 2 2$/ms, '... and canceled');
			continues_after($node, '... after which', $newest);
		}
	}

	# And back
	restart_with($node, 'one', $from, 'immediate');
	is(run_sql($node, "SELECT add(200); SELECT add_nanoflakes(200); $hours_ahead"), "\n\n0 0 0",
		"back to the $from library: ids go on");
}

my %settings = (dynamic => "max_connections = 8\n", preloaded => q{
shared_preload_libraries = 'flakeid'
flakeid.sequence_scope = server
flakeid.node_bits = 2
flakeid.node_id = 1
flakeid.fluid_epoch = '2025-01-01 00:00:00Z'
});
my @both_ways = ([qw(previous present)], [qw(present previous)]);

foreach my $memory (sort keys %settings)
{
	foreach (@both_ways)
	{
		my ($from, $to) = @$_;
		my $what = "$memory memory, $from to $to";

		note($what);
		use_library('one', $from);

		my $node = new_node("${memory}_$from", $settings{$memory}, new => { installed('one') },
			clock => 1);

		make_ids($node);
		($memory eq 'dynamic' ? \&both_libraries : \&one_library)->($node, $from, $to);
		restarts($node, $from, $to);
		check_ids($node, $what);
		$node->stop;
	}
}

# ------------------------------------------------ another layout of the memory

foreach ([qw(other present)], [qw(present other)])
{
	my ($from, $to) = @$_;

	use_library('one', $from);

	my $node = new_node("layout_$from", '', new => { installed('one') }, clock => 1);

	make_ids($node);

	my $session = session($node);

	is($session->query('SELECT add(200)'), '', 'the first session decides on the layout');
	use_library('one', $to);
	my $refused = qr/ERROR:  55000: another version of flakeid is in .*HINT:  Restart the server/s;
	like(run_sql($node, "SELECT ${_}_generate()"), $refused, "with another one, no $_")
	  foreach qw(fluid nanoflake ulidflake);
	like(run_sql($node, 'SELECT * FROM flakeid_status()'), $refused, '... and no status');
	like(run_sql($node, 'SELECT uuid_generate_v7()'), qr/^[-\w]{36}$/, '... but other ids');
	is($session->query('SELECT add(200)'), '', '... earlier sessions go on');
	$session->quit;

	my $newest = newest_ids($node);

	restart_with($node, 'one', $to);
	continues_after($node, 'after the restart', $newest);
	check_ids($node, "$from to $to");
	$node->stop;
}

# ------------------------------------------------------- primary and standby

foreach (@both_ways)
{
	my ($from, $to) = @$_;

	use_library('one', $from);
	use_library('two', $to);

	my $one = new_node("primary_$from", '', new => { installed('one') },
		init => { allows_streaming => 1 }, clock => 1);

	make_ids($one);
	$one->backup('base');

	my $two = PostgreSQL::Test::Cluster->new("standby_$to", installed('two'));

	$two->init_from_backup($one, 'base');
	$two->enable_streaming($one);
	start_with_clock($two);
	set_clock($one, 3600);
	$one->safe_psql('postgres', 'SELECT add(200), add_nanoflakes(200)');
	set_clock($one, 0);
	like(run_sql($one, 'SELECT add(10); SELECT flakeid_reset_horizon()'), qr/^3$/m,
		'rows ahead of the clock, and a reset of the primary');

	my $newest = newest_ids($one);
	my $horizons = 'SELECT format, horizon FROM flakeid_status() ORDER BY 1';

	$one->wait_for_catchup($two);
	is(run_sql($two, "$horizons; $library"), run_sql($one, $horizons) . "\n$to",
		"a standby with the $to library shows the horizons of the $from library");
	like(run_sql($two, 'SELECT fluid_generate()'), qr/ERROR:  25006/, '... generates no FLUID');

	# A switchover, and another one back to the first server
	$one->stop;
	$two->promote;
	like(continues_after($two, 'a promoted standby', $newest), qr/WARNING:  /,
		'... warns that it ignores the reset');
	is(run_sql($two, "$hours_ahead; $library"), "1 1 1\n$to", '... as its status shows');
	$one->enable_streaming($two);
	start_with_clock($one);
	$newest = newest_ids($two);
	$two->wait_for_catchup($one);
	is(run_sql($one, "$horizons; $library"), run_sql($two, $horizons) . "\n$from",
		'the first server is the standby now');
	$two->stop;
	$one->promote;
	continues_after($one, '... and promoted', $newest);
	check_ids($one, "$from to $to and back");
	$one->stop;
}
done_testing();
