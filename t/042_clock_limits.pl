# Limits of the distance between ids and clock: ids are never further ahead of
# the clock than the clock was set back, even at full speed; a call that fails
# changes no state; and no id has a time outside its field.

use FlakeidTest qw(clock);
use FlakeidHorizon qw(horizon_ms);

# ----------------------------------------------------- distance from the clock

# With 14 node bits a millisecond has 1,024 FLUIDs for the whole server.
my $node = new_node('ahead', q{
flakeid.node_bits = 14
flakeid.node_id = 16383
flakeid.sequence_scope = server
flakeid.max_wait = 60s
}, clock => 1);

my $each = 500_000;

# Generate FLUIDs at full speed, and return the greatest distance by which one
# was ahead of the clock right after its call.
sub fast
{
	my ($number) = @_;

	return qq{
SELECT max(fluid_to_timestamptz(fluid_generate()) - clock_timestamp())
FROM generate_series(1, $number)};
}

# Set the clock back while several sessions run, and again: the steps add up.
my $behind = 0;
my $waits = q{SELECT waits FROM flakeid_status() WHERE format = 'fluid'};

run_sql($node, 'SELECT fluid_generate()');
foreach my $seconds (3600, 10)
{
	my $what = "$seconds s back";
	my @sessions = map { session($node) } 1 .. 3;
	my $waits_before = $node->safe_psql('postgres', $waits);
	my $before = horizon_ms($node, 'fluid');

	$_->backend_pid foreach @sessions;
	$_->send(fast($each)) foreach @sessions;
	ok(wait_until(sub { horizon_ms($node, 'fluid') != $before }),
		"$what: ids are generated before it");
	$behind += $seconds;
	set_clock($node, -$behind);
	foreach my $ahead (map { $_->receive } @sessions)
	{
		is($node->safe_psql('postgres', "SELECT '$ahead'::interval <= '$behind s 1 ms'::interval"),
			't', "$what: ids are ahead by no more than all steps and 1 ms: $ahead");
	}

	# On a slow machine a session may not have had to wait yet.
	ok(wait_until(sub {
			return 1 if $node->safe_psql('postgres', $waits) > $waits_before;
			$_->send(fast(50_000)) foreach @sessions;
			$_->receive foreach @sessions;
			return 0;
		}), "$what: milliseconds were used up and waited for");

	# The ids of all sessions together fill just the milliseconds that have
	# passed.
	is($sessions[0]->query(q{
		WITH first AS MATERIALIZED (
		  SELECT clock_timestamp() AS at, fluid_generate() AS id),
		last AS MATERIALIZED (
		  SELECT max(fluid_generate()) AS id FROM first, generate_series(1, 300000))
		SELECT fluid_to_timestamptz(last.id) - fluid_to_timestamptz(first.id) BETWEEN
		  '292 ms' AND clock_timestamp() - first.at + interval '2 ms'
		FROM first, last}),
		't', "$what: one millisecond of ids per millisecond of the clock");
	$_->quit foreach @sessions;
}
is($node->safe_psql('postgres', q{
	SELECT ahead BETWEEN '59 minutes' AND '1 hour 10 s 1 ms' FROM flakeid_status()
	WHERE format = 'fluid'}), 't', 'the status shows the same distance');
$node->stop;

# ----------------------------------------- a failed call changes no state

# Node bits that leave about 2^15 FLUIDs per millisecond
my $clock = new_node('refused',
	"flakeid.node_bits = 3\nflakeid.nanoflake_epoch = '2020-01-01 00:00:00Z'\n", clock => 1);
my $session = session($clock);
my @made;

sub at { freeze_clock($clock, $_[0]); return; }

sub refuses
{
	my ($time, $format, $message, $rows) = @_;

	at($time);
	like($session->query("SELECT ${format}_generate() FROM generate_series(1, " . ($rows // 1)
		. ')'),
		qr/\A(?=.*DETAIL:  .*HINT:  ).*ERROR:  $message/s, "$time: no $format");
}

# Stop the clock in a millisecond of this second whose first Ulid-Flake, a
# random one, leaves room for more.
sub stop_in
{
	my ($second, $ms) = @_;

	for (1 .. 100)
	{
		my $time = sprintf '2026-06-01 12:00:%02d.%03d', $second, $ms++;

		at($time);

		my $id = $session->query('SELECT ulidflake_generate()');

		push @made, "ulidflake$id";
		return $time if ($id & 0xfffff) < 0x80000;
	}
	die 'no Ulid-Flake leaves room';
}

sub generates
{
	my ($what) = @_;
	my @ids = split /\n/, $session->query(join ' UNION ALL ',
		map { "SELECT '$_' || ${_}_generate() FROM generate_series(1, 10)" }
		qw(fluid nanoflake ulidflake));

	is(scalar(grep { /\A[a-z]+\d+\z/ } @ids), 30, "$what: ids");
	push @made, @ids;
	is(repeated(@made), '', '... and no duplicates');
}

# The newest millisecond of each format, as seen from an hour before
sub newest
{
	at('2026-06-01 11:00:00');
	return $session->query(q{
		SELECT string_agg(format || ' ' || ahead, ', ' ORDER BY format) FROM flakeid_status()});
}

at('2026-06-01 12:00:00.123');
$session->query('SET flakeid.max_wait = 20');

my $stopped = stop_in(0, 200);

generates('the clock stands still');

my $was = newest();

# The clock is behind, before the epoch, and beyond the fields, and returns.
# A 32-bit time_t ends in 2038.
at('2040-01-01 00:00:00');

my $clock_is_wide = $session->query(q{SELECT clock_timestamp() >= '2040-01-01'}) eq 't';
my $no_more = '22008: could not generate an? \S+: its last timestamp has been reached';

refuses('2026-06-01 11:00:00.200', 'nanoflake', '55000: ');
refuses('1969-12-31 23:59:59.999', 'scru160', '22008: timestamp out of range.*Correct the clock');
refuses('2019-12-31 23:59:59.999', 'nanoflake',
	'55000: could not generate a Nanoflake: the clock is \d+ ms behind');
like($session->query('SELECT fluid_generate(), ulidflake_generate()'), qr/\A\d+\|\d+\z/,
	'... the formats that continue do so before the epoch');
SKIP:
{
	skip 'the clock of this machine ends before the fields', 1 unless $clock_is_wide;
	refuses('2041-06-02 21:56:53.888', 'fluid',
		"$no_more.*2041-06-02 21:56:53.887.*another format");
	is($session->query(q{SELECT years_left FROM flakeid_status() WHERE format = 'fluid'}), '0',
		'... 0 years are left');
	at('2043-06-02 21:56:53.888');
	is($session->query(q{SELECT years_left < -1.9 FROM flakeid_status() WHERE format = 'fluid'}),
		't', '... a negative number later');
	refuses('2089-09-06 15:47:35.552', 'nanoflake', "$no_more.*another format");
	refuses('2302-09-27 15:10:22.208', $_, $no_more) foreach 'ulidflake', 'ulidflake_scalable';
	my $out = 'timestamp out of range for';
	my $range = 'DETAIL:  The valid range is';
	foreach my $call ([ '5300-01-01 00:00:00', 'uuid_generate_v6()' ],
		map { [ '1969-12-31 23:59:59', $_ ] } 'uuid_generate_v7()',
		q{uuid_generate_v7_draft('ms')}, 'uuid_generate_v8_draft(48)')
	{
		at($call->[0]);
		like($session->query("SELECT $call->[1]"),
			qr/ERROR:  22008: $out [^"]+: "$call->[0].*\n$range (\S+) \S+ to (?!\1)/,
			"$call->[0]: no $call->[1]");
	}
}
is(newest(), $was, 'the newest ids are the same');
at($stopped);
generates('the same millisecond again');

# Not even in the millisecond of the last id
like($session->query('BEGIN; ALTER SEQUENCE flakeid_fluid_horizon SET UNLOGGED; SELECT
	fluid_generate()'),
	qr/ERROR:  55000: sequence "flakeid_fluid_horizon" is not permanent/,
	'no id without its horizon');
$session->query('ROLLBACK');

# A millisecond that is used up
my $per_ms = $session->query(q{SELECT per_ms FROM flakeid_status() WHERE format = 'fluid'});

refuses('2026-06-01 12:00:01.000', 'fluid',
	'55P03: could not generate a FLUID: every id of this millisecond is used up\n'
	  . "DETAIL:  A millisecond holds at most $per_ms ids.*20 ms", 300_000);
$was = newest();
refuses('2026-06-01 12:00:01.000', 'fluid', '55P03: ');
is(newest(), $was, 'it stays used up, and the newest ids are the same');
stop_in(1, 1);
generates('the next millisecond');

# The last milliseconds of the fields are valid.
SKIP:
{
	skip 'the clock of this machine ends before the fields', 1 unless $clock_is_wide;
	foreach my $last ([ '2041-06-02 21:56:53.887', 'fluid' ],
		[ '2089-09-06 15:47:35.551', 'nanoflake' ],
		[ '2302-09-27 15:10:22.207', 'ulidflake_scalable' ])
	{
		at($last->[0]);
		is($session->query("SELECT $last->[1]_generate() > 0"), 't',
			"the last millisecond of $last->[1]");
	}
	refuses('2041-06-02 21:56:53.887', 'fluid', '55P03: .*used up', 300_000);
	refuses('2041-06-02 21:56:53.888', 'fluid', $no_more);
	at('2041-06-02 20:00:00.000');
	like($session->query('SELECT fluid_generate()'), qr/ERROR:/, 'no FLUID after that');
}
$session->quit;

# A floor at the end of the field leaves no ids after a restart.
$clock->stop;
start_with_clock($clock);
like(run_sql($clock, 'SET flakeid.max_wait = 20; SELECT ulidflake_generate()'),
	qr/ERROR:  55000|ERROR:  22008/, 'no Ulid-Flake after a restart');

done_testing();
