# A standby refuses to generate 64-bit ids.  Whatever the clocks show, a promoted
# server repeats no id of a row that it has replayed.  After a promotion, nobody has
# to call a function.

use FlakeidTest qw(clock);
use FlakeidHorizon;

# a <- b <- c <- d
my $a = new_node('a', q{
	max_connections = 20
	max_prepared_transactions = 5
	wal_keep_size = '64MB'
	wal_receiver_status_interval = '100ms'
}, init => { allows_streaming => 1, extra => ['--wal-segsize=1'] }, clock => 1);

log_ids($a);
add_ids($a, 10);
$a->backup('base');

my %node = (a => $a);

sub new_standby
{
	my ($name, $of, $backup) = @_;
	my $node = PostgreSQL::Test::Cluster->new($name);

	$node->init_from_backup($a, $backup // 'base');
	$node->enable_streaming($of);
	start_again($node, 0);
	return $node{$name} = $node;
}

my $b = new_standby('b', $a);
my $c = new_standby('c', $b);
my $d = new_standby('d', $c);

sub all_replayed
{
	my ($from, @to) = @_;

	# Commit: with a clock that was set back, the WAL writer flushes no early raise.
	$from->safe_psql('postgres', q{SELECT pg_logical_emit_message(true, '', '')});
	my $lsn = $from->lsn('insert');

	foreach my $node (@to)
	{
		$from->poll_query_until('postgres', 'SELECT true') or die;
		$node->poll_query_until('postgres',
			"SELECT pg_last_wal_replay_lsn() >= '$lsn'::pg_lsn")
		  or die 'the standby did not catch up';
	}
}

# ------------------------------------------------------------ in recovery

my $session = session($c);

all_replayed($a, $c);
is(() = $session->query(join '', map { "SELECT $_;\n" } qw(fluid_generate() nanoflake_generate()
		ulidflake_generate() ulidflake_scalable_generate() flakeid_reset_horizon()
			flakeid_cancel_reset() flakeid_raise_floor(now())))
	  =~ /ERROR:  25006: cannot execute .*\(\) during recovery/g,
	7, 'a standby refuses to generate 64-bit ids and to change horizons');
like($session->query(q{SELECT uuid_generate_v7(), uuid_generate_v6(), uuid_generate_v7_draft('us'),
	uuid_generate_v8_draft(60), scru160_generate(), scru160_us_generate()}),
	qr/\A(?:[0-9a-f-]{36}\|){4}\w{32}\|\w{32}\z/, '... generates other ids');
is($session->query(q{
	SELECT count(*), min((fluid_get_address(id)).node) FROM ids WHERE format = 'fluid'
	  AND fluid_in_range(id, now() - interval '1 hour', now() + interval '1 hour')}),
	'10|0', '... reads ids and ranges');
is($session->query(q{
	SELECT format, scope, node, epoch, floor IS NULL AND ahead IS NULL AND
	  waits IS NULL AND longest_wait IS NULL AND steps_back IS NULL AND
	  refusals IS NULL AND horizon_state IS NULL AND years_left > 0
	FROM flakeid_status() ORDER BY 1}),
	"fluid|backend|0|2024-01-01 00:00:00+00|t\n"
	  . "nanoflake|backend|0|2024-01-01 00:00:00+00|t\n"
	  . 'ulidflake|server|0|2024-01-01 00:00:00+00|t',
	'... and its status has NULL for what the sessions of a start share');

# ------------------------------------- a planned switchover, clocks are right

my $planned = new_standby('planned', $a);
my @answers = together($a, 5, 'SELECT add(10); SELECT add_nanoflakes(10)');

$a->stop;
$planned->promote;
push @answers, together($planned, 5, 'SELECT add(10); SELECT add_nanoflakes(10)');
is(join('', @answers), "\n" x 10, 'a planned switchover: no error');
$planned->stop;
start_again($a, 0);

# -------------------------------------- the clock is an hour ahead for a while

set_clock($a, 3600);
$a->safe_psql('postgres', 'SELECT add(200), add_nanoflakes(200)');
$a->safe_psql('postgres', q{BEGIN; SELECT add(50); PREPARE TRANSACTION 'p'});
all_replayed($a, $b, $c, $d);
is($b->safe_psql('postgres',
		'SELECT string_agg(horizon::text, \',\') FROM flakeid_status()'),
	$a->safe_psql('postgres', 'SELECT string_agg(horizon::text, \',\') FROM flakeid_status()'),
	'a standby shows the replayed horizons');
set_clock($a, 0);
add_ids($a, 200);

# A commit hangs for seconds.
$b->stop;
$a->append_conf('postgresql.conf', q{synchronous_standby_names = 'b'});
$a->reload;

my $hanging = session($a);

$hanging->query('SELECT 1');
$hanging->send('SELECT add(50)');

my @calls = map { session($a) } 1, 2;

# Above the floors of the last start, whenever that was.
$calls[0]->send(q{SELECT flakeid_raise_floor(now() + interval '1 minute')});
$calls[1]->send('SELECT flakeid_cancel_reset(), flakeid_raise_floor(now())');
ok($a->poll_query_until('postgres',
	q{SELECT count(*) = 3 FROM pg_stat_activity WHERE wait_event = 'SyncRep'}),
	'commits hang, also of floors');
start_with_clock($b);
is($hanging->receive, '', '... until the standby is there');
is($calls[0]->receive, 3, '... and of a floor');
$_->quit foreach $hanging, @calls;
all_replayed($a, $b, $c, $d);

# Switchover; all clocks are right.
my $newest = newest_ids($b);

$a->stop;
$b->promote;
continues_after($b, 'the clock was ahead, switchover', $newest);
like(run_sql($b, 'SET flakeid.max_wait = 0; SELECT add_nanoflakes(1)'),
	qr/ERROR:  55000: could not generate a Nanoflake: the clock is \d{7} ms behind/,
	'... a Nanoflake waits for the clock');
$b->safe_psql('postgres', q{COMMIT PREPARED 'p'});

# -------------------------------- two promotions, both clocks are 20 s behind

set_clock($b, 3580);
add_ids($b, 300);
set_clock($b, 3602);
$b->safe_psql('postgres', 'SELECT add(100), add_nanoflakes(100)');
$newest = newest_ids($b);
set_clock($_, 3582) foreach $c, $d;
all_replayed($b, $c, $d);
crash($b);
$c->promote;
like($session->query('SELECT fluid_generate()'), qr/\d+\z/,
	'a session from before the promotion generates ids');
$session->quit;
continues_after($c, 'a clock 20 s behind', $newest);

# The next one crashes right after its promotion.
$newest = newest_ids($c);
all_replayed($c, $d);
crash($c);
$d->promote;
crash($d);
start_again($d, 3582);
continues_after($d, 'a second promotion, and a crash', $newest);
set_clock($d, 3610);
$d->safe_psql('postgres', 'SELECT add_nanoflakes(100)');

# --------------------------------------------------------------- pg_rewind

# The first server generates ids of a history that ends here.
start_again($a, 3630);
$a->safe_psql('postgres', q{
	ALTER SYSTEM SET synchronous_standby_names = '';
	SELECT pg_reload_conf()});
add_ids($a, 500);
$a->safe_psql('postgres', 'CHECKPOINT');
$a->stop;
$d->safe_psql('postgres', 'CHECKPOINT');
command_ok([ 'pg_rewind', '-D', $a->data_dir, '--source-server', $d->connstr('postgres') ],
	'pg_rewind');
$a->append_conf('postgresql.conf',
	'port = ' . $a->port . "\nunix_socket_directories = '" . $a->host . "'\n");
$a->enable_streaming($d);
start_again($a, -100);
add_ids($d, 100);
all_replayed($d, $a);
$newest = newest_ids($a);
$d->stop;
$a->promote;
continues_after($a, 'the old server, rewound and promoted', $newest);

# ------------- ids that were not replayed are later than a clock that is right

# For a moment the clock of the old server is a day ahead.  In the same
# millisecond the first ids of sessions differ by their slots: twice 15 of 20.
my ($second, $minute, $hour, $day, $month, $year) = gmtime(time + 86400);
my $moment = sprintf '%d-%d-%d %d:%d:%d', $year + 1900, $month + 1, $day, $hour, $minute, $second;

sub first_ids { return together($_[0], 15, 'SELECT fluid_generate()'); }

set_clock($a, 0);
$a->backup('late');

my $late = new_standby('late', $a, 'late');

all_replayed($a, $late);
$late->stop;
freeze_clock($a, $moment);

my @lost = first_ids($a);

set_clock($a, 0);
is($a->safe_psql('postgres', q{
	SELECT ahead > '23 hours' FROM flakeid_status() WHERE format = 'fluid'}), 't', 'ids are ahead');
crash($a);
start_again($late, 0);
$late->promote;
freeze_clock($late, $moment);
isnt(repeated(@lost, first_ids($late)),
	'', 'ids ahead that were not replayed are repeated, at their time');
my $ids = join ',', @lost;

$late->safe_psql('postgres', "SELECT flakeid_raise_floor(fluid_to_timestamptz(max(id)))
	FROM unnest('{$ids}'::bigint[]) AS id");
set_clock($late, 0);
is(repeated(@lost, first_ids($late)), '', '... but not after a floor at the last one');
is(duplicates_in_log($node{$_}), 0, "no duplicate key on $_") foreach sort keys %node;
done_testing();
