# Epochs, scope, node bits and the number of connections change across restarts,
# while the clock steps back: no id is generated twice.  The simulation changes
# them at random.

use FlakeidTest qw(clock);
use FlakeidHorizon;

my $node = new_node('changes', "shared_preload_libraries = 'flakeid'\n", clock => 1);
my $behind = 0;

log_ids($node);

# Generate ids in several sessions at once, hence in several slots.
sub make
{
	my ($what) = @_;
	my $answers = join '', together($node, 6, q{
SET flakeid.max_wait = 60000;
SELECT add(300), add_nanoflakes(300) FROM generate_series(1, 3)});

	is($answers =~ s/[|\n]//gr, '', "$what: ids of every format");
	is(duplicates_in_log($node), 0, "$what: no duplicate ids");
}

sub restart_with
{
	my ($settings, $seconds_back) = @_;

	$node->append_conf('postgresql.conf', $settings);
	$node->stop;
	$behind += $seconds_back // 0;
	set_clock($node, -$behind);
	start_with_clock($node);
}

sub newest_fluid
{
	return $node->safe_psql('postgres', q{SELECT max(id) FROM ids WHERE format = 'fluid'});
}

make('at the start');

# A later epoch could generate the previous ids again.  The floor, which is an
# id timestamp, prevents this.  FLUID continues from there at once; a Nanoflake
# waits as long as the epoch was moved, so it is moved by 2 s here.
my $newest = newest_fluid();

restart_with(join '',
	map { "flakeid.${_}_epoch = '2024-01-01 00:00:02Z'\n" } qw(fluid nanoflake ulidflake));
make('epochs 2 s later');
cmp_ok(newest_fluid(), '>', $newest, 'epochs 2 s later: FLUIDs are above the earlier ones');
is($node->safe_psql('postgres', q{
	SELECT extract(epoch FROM epoch)::bigint FROM flakeid_status() WHERE format = 'fluid'}),
	1704067202, '... with the new epoch in effect');

# If an epoch moves by more than a minute, ids would be far ahead of the clock.
# This is an error of that format, whose hint gives the ways out.
sub is_refused
{
	my ($what, $format, $name) = @_;
	my $horizon = "SELECT last_value, log_cnt FROM flakeid_${format}_horizon";
	my $was = $node->safe_psql('postgres', $horizon);
	my $changed =
		qr/the epoch of $name was moved, or sequence "flakeid_${format}_horizon" was changed/;
	my $previous = qr/If "flakeid.${format}_epoch" was changed, set it to its previous value and/;
	my $calls = qr/call flakeid_reset_horizon\(\) instead.*call flakeid_raise_floor\(/s;
	my $refused =
		qr/ERROR:  55000: $changed: ids would continue at 2.*DETAIL.*HINT:  $previous.*$calls/s;

	like(run_sql($node, "SET datestyle = German; SELECT $_"), $refused, "$what: $_ fails")
	  foreach "${format}_generate()", 'flakeid_raise_floor(now())';
	is($node->safe_psql('postgres', $horizon), $was, "$what: the horizon is unchanged");
	is($node->safe_psql('postgres', 'SELECT count(*) FROM flakeid_status()'),
		3, "$what: flakeid_status() works");
	foreach my $other (grep { $_ ne $format } qw(fluid nanoflake ulidflake))
	{
		like(run_sql($node, "SELECT ${other}_generate()"), qr/\A\d+\z/,
			"$what: ${other}_generate() works");
	}
}

$newest = newest_fluid();
foreach my $moved (
	[ fluid => 'FLUID', '2025-01-01 00:00:00Z' ],
	[ nanoflake => 'Nanoflake', '2024-06-01 00:00:00Z' ],
	[ ulidflake => 'Ulid-Flake', '2024-06-01 00:00:00Z' ])
{
	my ($format, $name, $epoch) = @$moved;

	restart_with("flakeid.${format}_epoch = '$epoch'\n");
	is_refused("$name epoch moved to $epoch", $format, $name);
	restart_with("flakeid.${format}_epoch = '2024-01-01 00:00:02Z'\n");
	make("$name epoch set back");
}
cmp_ok(newest_fluid(), '>', $newest, 'FLUIDs continue above the earlier ones');

# The other way out: a reset, for a table that has ids of the new epoch only.
restart_with("flakeid.fluid_epoch = '2025-01-01 00:00:00Z'\n");

my $last = (horizon_ms($node, 'fluid') << 24) + 0xffffff;
my $reset = run_sql($node, q{
CREATE TABLE of_new_epoch (id bigint PRIMARY KEY DEFAULT fluid_generate());
SELECT flakeid_reset_horizon();
INSERT INTO of_new_epoch SELECT FROM generate_series(1, 1000);
SELECT count(*), bool_and(fluid_to_timestamptz(id) < clock_timestamp() + interval '1 s'),
  (SELECT epoch FROM flakeid_status() WHERE format = 'fluid') FROM of_new_epoch});

like($reset,
	qr/\AWARNING:  01000: from now on, FLUID ids.* $last.*^1000\|t\|2025-01-01 00:00:00\+00$/ms,
	'flakeid_reset_horizon() in that state takes effect at once');
unlike($reset, qr/Nanoflake|Ulid-Flake/, '... for that format only');
is($node->safe_psql('postgres', 'SELECT log_cnt >> 62 = -1 FROM flakeid_fluid_horizon'),
	'f', '... and not again at the next start');

# Keep ids of the two epochs apart.
$node->safe_psql('postgres', q{DELETE FROM ids WHERE format = 'fluid'});
make('FLUID epoch a year later, after a reset');

# After the epoch is moved back, ids begin after the floor, at the clock.
restart_with(join '',
	map { "flakeid.${_}_epoch = '2020-01-01 00:00:00Z'\n" } qw(fluid nanoflake ulidflake));
make('epochs four years earlier');

# An epoch later than the clock is an error.  A restart with a valid one
# repairs it.
restart_with("flakeid.fluid_epoch = '2200-01-01 00:00:00Z'\n");
is_refused('an epoch in the future', 'fluid', 'FLUID');
restart_with("flakeid.fluid_epoch = '2020-01-01 00:00:00Z'\n");
make('the epoch corrected');

# Change scope, node bits and connections, each of them back and forth, while
# the clock steps back a little every time.  Slots and lanes move, so ids of
# one division fall into the space of the other.
my @changes = (
	[ 'server scope', "flakeid.sequence_scope = server\n" ],
	[ '2 node bits', "flakeid.node_bits = 2\nflakeid.node_id = 0\n" ],
	[ 'backend scope', "flakeid.sequence_scope = backend\n" ],
	[ '300 connections, server scope with 10 node bits',
		"max_connections = 300\nflakeid.sequence_scope = server\nflakeid.node_bits = 10\n" ],
	[ '20 connections, backend scope, no node bits',
		"max_connections = 20\nflakeid.sequence_scope = backend\nflakeid.node_bits = 0\n" ],
	[ 'scalability 7', "flakeid.ulidflake_scalability = 7\n" ],
	[ 'scalability 0', "flakeid.ulidflake_scalability = 0\n" ]);

foreach my $change (@changes)
{
	restart_with($change->[1], 0.3);
	make($change->[0]);
}

done_testing();
