# Point-in-time recovery, beside the original and in its place, to any point
# and from base backups that are taken under load: whatever the clocks show, no
# id of a restored row is repeated.

use FlakeidTest qw(clock);
use FlakeidHorizon;

my $seed = $ENV{SEED} // time;

note "SEED=$seed";
srand $seed;

my $node = new_node('original', "wal_keep_size = '10GB'\n",
	init => { allows_streaming => 1, extra => ['--wal-segsize=1'] }, clock => 1);

log_ids($node);

# -------------------------------------------------- base backups under load

my $script = $node->basedir . '/load.sql';
my $rounds = scaled(3);
my (@load, @ends);

append_to_file($script, "SELECT add(20);\n" x 100_000);
foreach (1 .. 3)
{
	my $session = session($node);

	$session->backend_pid;
	$session->send("\\o /dev/null\n\\i $script\n");
	push @load, $session;
}
foreach my $round (1 .. $rounds)
{
	$node->backup("round$round");
	push @ends, $node->lsn('insert');
	set_clock($node, 7 * ($round % 3));
	select undef, undef, undef, 0.2;
}

# A reset changes nothing unless ids are ahead of the clock.
set_clock($node, -60);

my $before_reset = $node->lsn('insert');
my $told = run_sql($node, 'SELECT flakeid_reset_horizon()');

like($told, qr/FLUID ids \d+ to \d+ can.*Ulid-Flake ids \d+ to \d+ can/s, 'a reset is requested');
select undef, undef, undef, 0.3;
$node->safe_psql('postgres', q{
	SELECT pg_terminate_backend(pid) FROM pg_stat_activity
	WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()});
$_->receive, $_->quit foreach @load;
add_ids($node, 100);

my $after_reset = $node->lsn('insert');

add_ids($node, 100);
$node->safe_psql('postgres', 'SELECT pg_switch_wal()');
$node->stop;
is(duplicates_in_log($node), 0, 'no duplicate ids under load');

# ----------------------------------------------------------- to any point

sub number_of
{
	my ($high, $low) = map { hex } split m{/}, $_[0];

	return ($high << 32) + $low;
}

sub random_point
{
	my ($from, $to) = map { number_of($_) } @_;
	my $point = $from + int rand($to - $from);

	return sprintf '%X/%X', $point >> 32, $point & 0xffffffff;
}

my $number = 0;
my $wal = $node->basedir . '/wal';

system("cp -a '" . $node->data_dir . "/pg_wal' '$wal'") == 0 or die 'cp failed';

# Let a server recover to this position.  Its WAL is where an archive would put
# it: the library that sets the clock sometimes fails in a shell that the server
# runs.
sub recover_to
{
	my ($server, $point) = @_;

	system("cp '$wal'/0* '" . $server->data_dir . "/pg_wal'") == 0 or die 'cp failed';
	$server->append_conf('postgresql.conf', qq{
		restore_command = 'false'
		recovery_target_lsn = '$point'
		recovery_target_action = promote
	});
	$server->set_recovery_mode;
}

# Restore a base backup to this position, in a new server.
sub restore
{
	my ($round, $point, $clock) = @_;
	my $restored = PostgreSQL::Test::Cluster->new('restored' . ++$number);

	$restored->init_from_backup($node, "round$round");
	recover_to($restored, $point);
	start_again($restored, $clock);
	$restored->poll_query_until('postgres', 'SELECT NOT pg_is_in_recovery()')
	  or die 'the server was not promoted';
	return $restored;
}

foreach my $round (1 .. $rounds)
{
	my $point = random_point($ends[ $round - 1 ], $before_reset);
	my $restored = restore($round, $point, -300 * ($round % 2));
	my $newest = newest_ids($restored);

	cmp_ok($restored->safe_psql('postgres', 'SELECT count(*) FROM ids'),
		'>', 0, "restored backup $round to $point: it has ids");
	continues_after($restored, '... a clock that is behind', $newest);

	# The reset was requested for another server.
	crash($restored);
	start_again($restored, -310);
	$newest = newest_ids($restored);
	continues_after($restored, '... a crash', $newest);
	is(duplicates_in_log($restored), 0, '... no duplicate ids');
	$restored->stop;
	$restored->clean_node;
}

# A base backup, started without anything else
my $copy = PostgreSQL::Test::Cluster->new('copy');

$copy->init_from_backup($node, 'round1');
start_again($copy, -300);
continues_after($copy, 'a base backup started', newest_ids($copy));

# ------------------------------------------- in place, with a pending reset

put_back($node, $node->backup_dir . "/round$rounds");
recover_to($node, $after_reset);
start_again($node, -30);
$node->poll_query_until('postgres', 'SELECT NOT pg_is_in_recovery()')
	or die 'the server was not promoted';

my $newest = newest_ids($node);
my $session = session($node);
my $first = $session->query('SELECT add(1)');

like($first, qr/WARNING:  01000: a pending flakeid_reset_horizon\(\) is ignored for FLUID/,
	'restored in place: the reset of another history is ignored');
like($first, qr/WARNING:  01000: a pending flakeid_reset_horizon\(\) is ignored for Ulid-Flake/,
	'... for each format');
is($session->query('SELECT add(1)'), '', '... and reported once');
is($session->query("SELECT floor < fluid_to_timestamptz($newest->{fluid}) + interval '32 s'
	FROM flakeid_status() WHERE format = 'fluid'"),
	't', '... ids are ahead by no more than a lead');
$session->quit;
is(run_sql($node, 'SELECT add(1)'), '', '... once per server');
continues_after($node, '... a clock that is behind', $newest);

# Here and after a restart, a reset of this history is used.
set_clock($node, 3600);
add_ids($node, 1);
set_clock($node, -30);
like(run_sql($node, 'SELECT flakeid_reset_horizon()'),
	qr/WARNING:  01000: after the next restart, FLUID ids \d+ to \d+ can be generated again/,
	'a reset is requested here');
crash($node);
start_again($node, -30);
is(run_sql($node, q{
	SELECT abs(extract(epoch FROM fluid_to_timestamptz(fluid_generate()) - now())) < 5}),
	't', '... which the next start uses');

# A reset that another epoch lets rest: this server was not restored.
set_clock($node, 3600);
add_ids($node, 1);
set_clock($node, -30);
run_sql($node, 'SELECT flakeid_reset_horizon()');
$node->append_conf('postgresql.conf',
	"shared_preload_libraries = 'flakeid'\nflakeid.ulidflake_epoch = '2023-01-01 00:00:00Z'\n");
restart($node, 'fast', -30);
like(run_sql($node, 'SELECT ulidflake_generate()'),
	qr/is ignored for Ulid-Flake.*or before the epoch was changed/s,
	'a reset that was requested with another epoch is ignored');
done_testing();
