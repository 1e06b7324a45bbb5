# Slow.
# After flakeid_reset_horizon() and the next start, ids begin at the current time.
# flakeid_raise_floor() keeps ids above a time, at once and across restarts.

use FlakeidTest qw(clock);

my $node = new_node('reset', q{
flakeid.fluid_epoch = '2025-01-01 00:00:00Z'
flakeid.nanoflake_epoch = '1980-01-01 00:00:00Z'
}, clock => 1);

$node->safe_psql('postgres', 'CREATE ROLE plain LOGIN');

# Distance of each format's newest id from the clock, in whole hours
my $hours_ahead = q{
SELECT round(extract(epoch FROM fluid_to_timestamptz(fluid_generate()) - clock_timestamp()) / 3600),
  round(extract(epoch
    FROM ulidflake_to_timestamptz(ulidflake_generate()) - clock_timestamp()) / 3600),
  round(extract(epoch
    FROM ulidflake_to_timestamptz(ulidflake_scalable_generate()) - clock_timestamp()) / 3600)
};
my $nanoflake_ahead = q{
SET flakeid.max_wait = '2s';
SELECT round(extract(epoch
	FROM nanoflake_to_timestamptz(nanoflake_generate()) - clock_timestamp()) / 3600)
};
my $floors = q{
SELECT string_agg(format || ' ' ||
  round(extract(epoch FROM floor - clock_timestamp()) / 3600), ', ' ORDER BY format)
FROM flakeid_status()
};

sub restart
{
	my ($settings) = @_;

	$node->append_conf('postgresql.conf', $settings // '');
	$node->stop;
	start_with_clock($node);
}

# Does a reset of FLUID wait for the next start?
sub pending
{
	return $node->safe_psql('postgres', 'SELECT log_cnt >> 62 = -1 FROM flakeid_fluid_horizon');
}

# Horizons with their tags, and floors
my $state = q{
SELECT last_value, log_cnt FROM flakeid_fluid_horizon UNION ALL
SELECT last_value, log_cnt FROM flakeid_nanoflake_horizon UNION ALL
SELECT last_value, log_cnt FROM flakeid_ulidflake_horizon;
SELECT floor FROM flakeid_status()
};

# ------------------------------------------------------------------- reset

# Soon no id is ahead of the clock.
my $all = 'SELECT fluid_generate(), nanoflake_generate(), ulidflake_generate()';

run_sql($node, $all);
ok($node->poll_query_until('postgres', q{SELECT max(ahead) = '0' FROM flakeid_status()}),
	'the clock passes the newest ids');
my $not_ahead = 'id is more than 30 seconds ahead of the clock, so it is not reset';
is(() = run_sql($node, 'SELECT flakeid_reset_horizon()')
	  =~ /NOTICE:  00000: no (FLUID|Nanoflake|Ulid-Flake) $not_ahead/g,
	3, 'with a correct clock there is nothing to reset');
is(pending(), 'f', '... and nothing is');

# The clock was 60 hours ahead for a while.
set_clock($node, 60 * 3600);

my @newest = split /\|/, run_sql($node, $all);

set_clock($node, 0);

my $session = session($node);

# In backend scope a FLUID is as far ahead as the previous ids of its slot.
like($session->query($hours_ahead), qr/\A(0|60)\|60\|60\z/,
	'the clock was ahead: ids continue where they were');
like(run_sql($node, 'SELECT flakeid_reset_horizon()', PGUSER => 'plain'),
	qr/ERROR:  42501/, '... an ordinary user cannot reset');
is(pending(), 'f', '... and requests nothing');

my $answer = $session->query('SELECT flakeid_reset_horizon()');
my @ranges = $answer =~
  /WARNING:  01000: after the next restart, (\S+) ids (\d+) to (\d+) can be generated again/g;

is("@ranges[0, 3, 6]", 'FLUID Nanoflake Ulid-Flake', 'a reset: a WARNING for each format');
my $until = 'generated after the restart, up to';
is(() = $answer
	=~ /DETAIL:  .* $until .*\nHINT:  Correct the clock, .*"After a wrong clock"/g,
	3, '... with a hint');
is(run_sql($node, q{SELECT string_agg(DISTINCT horizon_state, ' ') FROM flakeid_status()}),
	'reset pending', '... and the status shows it');
is(run_sql($node, 'SELECT flakeid_reset_horizon()') =~ s/ids \d+ to//gr,
	$answer =~ s/ids \d+ to//gr =~ s/^3$/0/mr,
	'... also a second one, with the same last ids, which changes nothing');
like(run_sql($node, 'SELECT flakeid_raise_floor(now())'),
	qr/ERROR:  55000: the horizon of FLUID cannot be raised while a reset/,
	'... no floor is raised');
my $on = qr/.* continue at/;
like(run_sql($node, 'SELECT flakeid_cancel_reset()'),
	qr/\A(?:NOTICE:  00000: the reset of \S+ is canceled: $on [^\n]*\n(?:LOCATION.*\n)?){3}3\z/,
	'... it can be taken back');
is(pending(), 'f', '... at once');
like(run_sql($node, 'SELECT flakeid_cancel_reset()'), qr/no reset to cancel/, '... once');
my @last = $session->query('SELECT flakeid_reset_horizon()') =~ /ids \d+ to (\d+) can/g;
ok($ranges[ 3 * $_ + 1 ] < $newest[$_] && $newest[$_] <= $ranges[ 3 * $_ + 2 ],
	"... whose range includes the newest $ranges[3 * $_]") for 0 .. 2;
like($session->query($hours_ahead), qr/\|60\|60\z/, '... nothing changes before the next start');

my @around = split /\|/, run_sql($node, q{
SELECT to_char((min(t) - interval '1 s') AT TIME ZONE 'UTC', f),
	to_char((max(t) + interval '1 s') AT TIME ZONE 'UTC', f)
FROM (VALUES (fluid_to_timestamptz(:fluid)), (nanoflake_to_timestamptz(:nanoflake)),
	(ulidflake_to_timestamptz(:ulidflake))) AS last (t),
  (VALUES ('YYYY-MM-DD HH24:MI:SS.MS')) AS v (f) GROUP BY f
} =~ s/:(fluid|nanoflake|ulidflake)/$last[{ fluid => 0, nanoflake => 1, ulidflake => 2 }->{$1}]/gr);
freeze_clock($node, $around[0]);
unlike($session->query($all), qr/ERROR/, '... ids go on for half a minute');
freeze_clock($node, $around[1]);
like($session->query("SELECT ${_}_generate()"),
	qr/ERROR:  55000: the horizon of \S+ cannot be raised.*HINT:  Restart the server/s,
	'... no longer') for qw(fluid nanoflake ulidflake);
$session->quit;
set_clock($node, 0);
restart();
is(run_sql($node, q{SELECT string_agg(horizon_state, ' ') FROM flakeid_status()}),
	'reset reset reset',
	'the next start has not used it yet');
like(run_sql($node, 'SELECT flakeid_reset_horizon()'),
	qr/WARNING:  01000: from now on, FLUID.*\nDETAIL:  .* in this database, up to /,
	'... and names the ids');
like(run_sql($node, 'SELECT flakeid_cancel_reset()'), qr/(?:is canceled.*){3}/s,
	'... it can still be taken back');
is(run_sql($node, $hours_ahead), '60|60|60', '... so that ids continue');

my $was_ahead = run_sql($node, 'SELECT extract(epoch FROM max(ahead)) FROM flakeid_status()');

foreach my $order (0, 1, 0, 1)
{
	like(run_sql($node, 'SELECT flakeid_reset_horizon()'), qr/after the next restart/, 'a reset');
	restart() if $order;
	like(run_sql($node, "SELECT flakeid_cancel_reset(); $hours_ahead"),
		qr/canceled.*60\|60\|60\z/s,
		'... that is canceled ' . ($order ? 'after the restart' : 'before it'));
	restart() unless $order;
}
cmp_ok(run_sql($node, 'SELECT extract(epoch FROM max(ahead)) FROM flakeid_status()'), '<',
	$was_ahead + 20, '... puts ids little further ahead');
like(run_sql($node, "BEGIN READ ONLY; SELECT flakeid_$_"), qr/ERROR:  25006/,
	"a transaction that is READ ONLY: $_")
  foreach 'reset_horizon()', 'cancel_reset()', 'raise_floor(now())';
is(() = slurp_file($node->logfile) =~ /WARNING:  after the next restart, \S+ ids \d+ to/g, 21,
	'the log has all ranges');
run_sql($node, 'SELECT flakeid_reset_horizon()');
foreach my $start ('after the next start', 'after another one')
{
	restart();
	is(run_sql($node, $hours_ahead), '0|0|0', "$start ids begin at the current time");
	is(run_sql($node, $nanoflake_ahead), '0', '... Nanoflakes, too');
	is(run_sql($node, $floors), 'fluid 0, nanoflake 0, ulidflake 0', '... and floors');
	is(run_sql($node, q{
		SELECT count(*) FROM flakeid_status()
		WHERE abs(extract(epoch FROM horizon - clock_timestamp())) < 60}),
		3, '... and horizons');
}

# The last floor after which there are FLUIDs, which end first
my $last_floor = run_sql($node,
	q{SELECT fluid_to_timestamptz(9223372036854775807) - interval '1 ms'});

run_sql($node, "SELECT flakeid_raise_floor('$last_floor')");
like(run_sql($node, 'SELECT fluid_generate()'), qr/\A\d+\z/,
	'the last floor: there is a last millisecond');
my $range = 'The valid range is';
like(run_sql($node, 'SELECT flakeid_raise_floor(fluid_to_timestamptz(9223372036854775807))'),
	qr/ERROR:  22008: timestamp out of range for FLUID: .*DETAIL:  $range [^\n]* to 2042-06-03 /s,
	'... a later one names the format and its end');
restart();

my $used_up = run_sql($node, 'SELECT fluid_generate()');

my $reached = 'its last timestamp has been reached';
my $both = qr/The clock was once set .*flakeid_raise_floor\(\).*flakeid_reset_horizon\(\)/s;
like($used_up,
	qr/ERROR:  22008: could not generate a FLUID: $reached.*HINT:  $both/s,
	'a floor at the end of the field: the hint mentions both, and the reset');

# The last FLUID that a generator can make, not the end of the time field
my $last_fluid =
	qr/FLUID ids \d+ to 9223372036854775807 can be generated again\nDETAIL:  [^\n]* to 2042-06-03 /;

like(run_sql($node, 'SELECT flakeid_reset_horizon()'), $last_fluid,
	'... the reset names no id above the last one that can be generated');
restart();
is(run_sql($node, $hours_ahead), '0|0|0', '... which repairs it');

# ------------------------------------------------------------------- raise

my $there = session($node);

$there->query('SELECT fluid_generate(), nanoflake_generate()');
is(run_sql($node, q{SELECT flakeid_raise_floor(clock_timestamp() + interval '30 hours')}),
	'3', 'raising a floor says how many formats it changes');
is(run_sql($node, $floors), 'fluid 30, nanoflake 30, ulidflake 30', 'all three floors are raised');
is(run_sql($node, $hours_ahead), '30|30|30', 'a later session generates ids above them');
like(run_sql($node, $nanoflake_ahead),
	qr/ERROR:  55000: could not generate a Nanoflake.*HINT:  .*flakeid_reset_horizon/s,
	'... and no Nanoflake until the clock reaches them');
is($there->query($hours_ahead), '0|30|30',
	'an existing session keeps its floors; shared words are raised at once');
$there->quit;

# A floor is never lowered.
run_sql($node, q{SELECT flakeid_raise_floor(clock_timestamp() + interval '10 hours')});
run_sql($node, q{SELECT flakeid_raise_floor('2025-06-01')});
is(run_sql($node, $floors), 'fluid 30, nanoflake 30, ulidflake 30', 'a floor is never lowered');

# Floors are whole milliseconds, including that of the given time.
my $exact = run_sql($node, q{
SELECT flakeid_raise_floor(date_trunc('milliseconds',
	clock_timestamp()) + interval '40 hours 0.999 ms');
SELECT bool_and(date_trunc('milliseconds',
	floor) = floor) AND count(DISTINCT floor) = 1 FROM flakeid_status();
SELECT fluid_to_timestamptz(fluid_generate()) = max(floor) + interval '1 ms' FROM flakeid_status();
});
is($exact, "3\nt\nt", 'floors are whole milliseconds, and ids start at the next one');

# Nothing changes for a time before the epochs, beyond a field, or infinite.
my $was = $node->safe_psql('postgres', $state);

is(run_sql($node, q{SELECT flakeid_raise_floor('2023-06-01'), flakeid_raise_floor(NULL)}), '0|',
	'before the epochs, or NULL: no error');
like(run_sql($node, "SELECT flakeid_raise_floor('$_')"), qr/ERROR:  22008/, "raise to $_: an error")
	for '2050-06-01', '2059-12-05', '2094-01-01', '2303-01-01', 'infinity', '-infinity';
is($node->safe_psql('postgres', $state), $was, '... and no change');
like(run_sql($node, 'SELECT flakeid_raise_floor(now())', PGUSER => 'plain'),
	qr/ERROR:  42501/, 'an ordinary user cannot raise a floor');

# A restart keeps the floors; a reset lowers them.
restart();
is(run_sql($node, $floors), 'fluid 40, nanoflake 40, ulidflake 40', 'a restart keeps the floors');
like(run_sql($node, 'SELECT flakeid_reset_horizon()'),
	qr/after the next restart, FLUID ids.*Nanoflake ids.*Ulid-Flake ids/s, 'a reset reports them');
restart();
is(run_sql($node, $floors), 'fluid 0, nanoflake 0, ulidflake 0', '... and lowers them');

# In server scope a raised floor applies to all sessions at once.
restart("flakeid.sequence_scope = server\n");
$there = session($node);
is($there->query($hours_ahead), '0|0|0', 'server scope: an existing session');
run_sql($node, q{SELECT flakeid_raise_floor(clock_timestamp() + interval '20 hours')});
is($there->query($hours_ahead), '20|20|20',
	'server scope: it generates ids above the floor at once');
like($there->query($nanoflake_ahead), qr/ERROR:  55000/, '... but no Nanoflakes');

# A horizon changes during a raise, which waits for a lock: no floor changes.
my $hand = session($node);
my $floors_were = run_sql($node, 'SELECT floor FROM flakeid_status()');
$hand->query('BEGIN; ALTER SEQUENCE flakeid_ulidflake_horizon CACHE 1');
$there->send(q{SELECT flakeid_raise_floor(clock_timestamp() + interval '21 hours')});
waits_for_lock($node) or die;
run_sql($node,
	"SELECT setval('flakeid_nanoflake_horizon', last_value + 3e10::bigint) FROM
		flakeid_nanoflake_horizon");
$hand->query('ROLLBACK');
like($there->receive, qr/ERROR:  55000: .*"flakeid_nanoflake_horizon" was changed/s,
	'a horizon that changes during a raise');
is(run_sql($node, 'SELECT floor FROM flakeid_status()'), $floors_were, '... no floor is raised');
run_sql($node,
	"SELECT setval('flakeid_nanoflake_horizon', last_value - 3e10::bigint) FROM
		flakeid_nanoflake_horizon");
$_->quit foreach $there, $hand;
$node->safe_psql('postgres', 'CREATE DATABASE other');
$node->safe_psql('other', 'CREATE EXTENSION flakeid');
set_clock($node, 22 * 3600);
my $newest = run_sql($node, 'SELECT fluid_generate()');
set_clock($node, 0);
my ($last) = run_sql($node, "\\c other\nSELECT flakeid_reset_horizon()")
	=~ /FLUID ids \d+ to (\d+)/;
cmp_ok($last // 0, '>', $newest, '... a reset in another database names them, too');

# All or nothing: Nanoflake's horizon is refused.
restart();
run_sql($node, q{SELECT setval('flakeid_nanoflake_horizon', 60::bigint * 365 * 86400000)});
$was = $node->safe_psql('postgres', $state);
like(run_sql($node, q{SELECT flakeid_raise_floor(now() + interval '21 hours')}),
	qr/ERROR:  55000: .*"flakeid_nanoflake_horizon"/, 'a floor that one format refuses');
is($node->safe_psql('postgres', $state), $was, '... is raised for none');
unlike(run_sql($node, 'SELECT flakeid_cancel_reset(); SELECT flakeid_reset_horizon()'),
	qr/FLUID|Ulid-Flake|ERROR/, '... a reset names no other, and there was none to cancel');
$node->stop;

# ------------------------------- what a reset names, whatever the clock does

# Fill a table with ids of two hours, at a rate that uses up milliseconds;
# call, with this clock, after it more ids; start with another clock.  Ids may
# be repeated only in the ranges of the WARNINGs, after the clock at the start;
# none if the rows are replaced as the page says.
sub repeats
{
	my ($what, $wrong, $at_call, $at_start, $settings, $replaces) = @_;
	my $name = $what =~ s/\W+/_/gr;
	my $node = new_node($name, "flakeid.fluid_epoch = '2025-01-01 00:00:00Z'\n", clock => 1);
	my $generate = q{INSERT INTO made SELECT fluid_generate() FROM generate_series(1, 40000)};

	$node->safe_psql('postgres', 'CREATE TABLE made (id bigint)');
	set_clock($node, $wrong);
	run_sql($node, $generate);
	set_clock($node, $at_call);

	my $there = session($node);

	$there->query('SELECT fluid_generate()');

	my ($last) = run_sql($node, 'SELECT flakeid_reset_horizon()') =~ /FLUID ids \d+ to (\d+) can/;

	$last //= 0;
	$there->query($generate) for 1 .. 2;
	$there->quit;
	$node->stop;
	$node->append_conf('postgresql.conf', $settings // '');
	set_clock($node, $at_start);
	start_with_clock($node);

	my $first = run_sql($node, "SELECT fluid_min(clock_timestamp())");
	my $answer = run_sql($node, $generate);

	if ($settings)
	{
		like($answer, qr/ERROR:  55000: the epoch of FLUID was moved/, "$what: is refused");
		like(run_sql($node,
			q{SELECT horizon_state FROM flakeid_status() WHERE format = 'fluid';
			SELECT flakeid_cancel_reset()}),
			qr/\Arefused\n.*ERROR:  55000: the epoch/, '... it is not canceled unseen');
		$node->stop;
		return;
	}
	if ($replaces)
	{
		is(run_sql($node, q{UPDATE made SET id = fluid_generate()
			WHERE fluid_to_timestamptz(id) > clock_timestamp() + interval '10 s'}), '',
				"$what: rows are replaced");
		($first, $last) = (1, 0);
	}
	foreach my $seconds ($at_start, $wrong, $wrong + 600)
	{
		set_clock($node, $seconds);
		run_sql($node, $generate);
	}
	is(run_sql($node, "
		SELECT count(*) FROM (SELECT id FROM made GROUP BY id HAVING count(*) > 1) AS r
		WHERE id NOT BETWEEN $first AND $last"), 0, "$what: no id is repeated that was not named");
	is(!!$last, $wrong > $at_call, '... and a range is named only if ids are ahead') if !$replaces;
	$node->stop;
}

repeats('the clock goes back before the restart', 1, 1, -6);
repeats('the clock is corrected after the call', 3600, 3600, 0);
repeats('the clock is corrected before the call', 3600, 0, 0);
repeats('it goes back again at the restart', 3600, 0, -600);
repeats("a clock of $_->[0], the rows replaced", $_->[1], 0, 0, undef, 1)
	for ['an hour ahead', 3600], ['2040', 13.5 * 365 * 86400], ['yesterday', -86400];
repeats('a later epoch', 3600, 0, 0, "flakeid.fluid_epoch = '2026-01-01 00:00:00Z'\n");

# A session whose first call failed before a reset was used starts after it, too.
$node = new_node('failed_call', "wal_level = replica\nmax_wal_senders = 2\n", clock => 1);

my $old = run_sql($node, 'SELECT fluid_generate()');

set_clock($node, 7 * 86400);
run_sql($node, 'SELECT fluid_generate()');
set_clock($node, 3600);
like(run_sql($node, join '; ',
	map { "SELECT flakeid_${_}()" } qw(reset_horizon cancel_reset reset_horizon)),
	qr/FLUID is canceled(?!.*no reset to cancel).*WARNING/s, 'a reset, of FLUID only');
$node->stop;
set_clock($node, -4 * 365 * 86400);
start_with_clock($node);
$there = session($node);
like($there->query('SELECT fluid_generate()'), qr/ERROR:  22008/,
	'... whose first call is before the epoch');
set_clock($node, 3700);
run_sql($node, 'SELECT fluid_generate()');
set_clock($node, -60);
is($there->query("SELECT fluid_generate() > $old"), 't',
	'... and its next one above the ids of others');
set_clock($node, 3700);

# COMMIT of a call that changes nothing waits for standbys to have what an
# earlier one did.
my @calls = map { session($node) } 1 .. 3;

$node->append_conf('postgresql.conf', "synchronous_standby_names = 'missing'");
$node->reload;
wait_until(sub { $there->query('SHOW synchronous_standby_names') eq 'missing' }) or die;
$calls[$_]->send('SELECT '
	. (qw(flakeid_reset_horizon() flakeid_cancel_reset() flakeid_raise_floor('2024-01-01')))[$_])
	foreach 0 .. 2;
ok($node->poll_query_until('postgres',
	q{SELECT count(*) = 3 FROM pg_stat_activity WHERE wait_event = 'SyncRep'}),
	'each call waits for a synchronous standby, also without a change');
$node->append_conf('postgresql.conf', "synchronous_standby_names = ''");
$node->reload;
unlike($_->receive, qr/ERROR|WARNING/, '... until there is none') foreach @calls;
$_->quit foreach @calls, $there;

done_testing();
