# contrib/monitoring: the queries run, their columns are the declared metrics,
# the alerts use existing metrics and labels, and the events that they watch
# change those metrics.

use FlakeidTest;

my $node = new_node('watched', "wal_level = replica\nmax_wal_senders = 2\n",
	init => { allows_streaming => 1 }, clock_library() ? (clock => 1) : ());

# Types permitted for a kind of metric
my %types = (
	LABEL => qr/\A(?:text|integer)\z/,
	COUNTER => qr/\Abigint\z/, GAUGE => qr/\A(?:integer|bigint|double precision)\z/);

sub page
{
	my ($name) = @_;
	return slurp_file("$src/contrib/monitoring/$name.yml") =~ s/^\s*#.*\n//mgr;
}

# An indented block of text in the file
sub block
{
	my ($text) = @_;
	my ($indent) = $text =~ /\A(\s*)/;

	return $text =~ s/^$indent//mgr;
}

# Columns of a query, with their types
my %columns_of;

sub columns
{
	my ($sql) = @_;
	$columns_of{$sql} //= $node->safe_psql('postgres', "$sql \\gdesc");
	return map { [ split /\|/ ] } split /\n/, $columns_of{$sql};
}

# Rows of a query, as hashes
sub rows
{
	my ($where, $sql) = @_;
	my @names = map { $_->[0] } columns($sql);

	return map {
		my %row;

		@row{@names} = split /\|/, $_, -1;
		\%row
	} split /\n/, $where->safe_psql('postgres', $sql);
}

# ------------------------------------------------------ postgres_exporter

my %queries;
my %kinds;
my %labels;
my $exporter = page('postgres_exporter');

while ($exporter
	=~ /^(\w+):\n  master: true\n  query: \|\n((?:    .*\n)+)  metrics:\n((?:    .*\n)+)/mg)
{
	my ($namespace, $query, $metrics) = ($1, block($2), $3);
	my @metrics;

	while ($metrics
		=~ /\G    - (\w+):\n        usage: "(\w+)"\n        description: "([^"\\]+)"\n/gc)
	{
		push @metrics, [ $1, $2 ];
		$kinds{"${namespace}_$1"} = $2;
		$labels{$1} = 1 if $2 eq 'LABEL';
	}
	is(pos($metrics) // 0, length $metrics, "$namespace: its metrics can be parsed");
	$queries{$namespace} = $query;

	my @columns = columns($query);

	is(join(' ', map { $_->[0] } @columns), join(' ', map { $_->[0] } @metrics),
		"$namespace: the columns are the metrics");
	foreach my $i (0 .. $#columns)
	{
		like($columns[$i][1], $types{ $metrics[$i][1] },
			"$namespace: $columns[$i][0] can be a $metrics[$i][1]");
	}

	my @rows = rows($node, $query);

	is(join(' ', map { $_->{format} } @rows), 'fluid nanoflake ulidflake',
		"$namespace: one row per format");
	is(scalar(grep { $_ eq '' } map { values %$_ } @rows), 0, "$namespace: no column is NULL");
}
is(join(' ', sort keys %queries), join(' ', sort $exporter =~ /^(\w+):$/mg),
	'postgres_exporter.yml: all queries are run');
is(scalar(keys %queries), 2, 'there are two queries');

# ---------------------------------------------------------------- pgwatch

my $pgwatch = page('pgwatch');
my $query = block($pgwatch =~ /^      15: \|\n((?:        .*\n)+)/m);
my %column = map { @$_ } columns($query);
my %other = %column;
my ($gauges) = $pgwatch =~ /^    gauges:\n((?:      - \w+\n)+)/m;

is($column{epoch_ns}, 'bigint', 'pgwatch.yml: the time in nanoseconds');
foreach my $metric (sort keys %kinds)
{
	my ($name) = $metric =~ /\Aflakeid_(?:server_)?(\w+)\z/;
	my $kind = $kinds{$metric};
	my $here = $kind eq 'LABEL' ? "tag_$name" : $name;

	like($column{$here} // 'no such column',
		$kind eq 'LABEL' ? qr/\Atext\z/ : $types{$kind},
		"pgwatch.yml: $here is a $kind");
	is(!!($gauges =~ /- $name$/m), $kind eq 'GAUGE',
		"pgwatch.yml: $name is listed as a gauge if it is one");
	delete $other{$here};
}
is(join(' ', keys %other), 'epoch_ns', 'pgwatch.yml: it has no other columns');
is(scalar(rows($node, $query)), 3, 'pgwatch.yml: one row per format');
my $states =
	q{FROM flakeid_status(),
		unnest('{current,earlier,reset pending,reset,changed,refused,missing}'::text[]) AS s (state)
			WHERE format = 'fluid'};
is(join(' ',
	map { "$_->{reset_pending}$_->{reset_unfinished}$_->{horizon_changed}$_->{horizon_missing}" }
	rows($node, s/horizon_state/state/gr =~ s/FROM flakeid_status\(\)/$states/r)),
	'0000 0000 1000 0100 0010 0010 0001',
	'resets that wait or are not finished, changed and missing horizons are shown')
	foreach $queries{flakeid_server}, $query;
like($pgwatch, qr/^presets:\n  flakeid:\n.*\n    metrics:\n      flakeid: \d+\n/m,
	'pgwatch.yml: a preset includes the metric');

# ----------------------------------------------------------------- alerts

my $alerts = page('alerts');
my @names;

foreach my $rule (split /^(?=      - alert:)/m, $alerts =~ s/\A.*?    rules:\n//sr)
{
	my ($name) = $rule =~ /\A      - alert: (Flakeid\w+)\n        expr: \S/;
	my ($expr) = $rule =~ /^        expr: (.*)$/m;

	ok(defined $name, 'an alert has a name and an expression') or diag($rule);
	push @names, $name;
	like($rule, qr/^          severity: (?:info|warning|critical)$/m, "$name: has a severity");
	like($rule, qr/^          summary: "[^"]+"\n          description: "[^"]+"\n/m,
		"$name: has a summary and a description");

	# Metrics, and pg_up, which postgres_exporter itself provides
	my @metrics = grep { $_ ne 'pg_up' } $expr =~ /\b((?:flakeid|pg)_\w+)/g;

	ok(@metrics > 0, "$name: uses a metric");
	foreach my $metric (@metrics)
	{
		my $expected = $expr =~ /\b(?:increase|rate)\($metric\[\d+m\]\)/ ? 'COUNTER' : 'GAUGE';

		is($kinds{$metric}, $expected, "$name: $metric is a $expected");
	}
	ok($labels{$_}, "$name: the label $_ is there")
	  foreach grep { !/\A(?:instance|fleet)\z/ } (map { split /, */ } $expr
	    =~ /\b(?:by|on) \(([^)]*)\)/g),
	  $expr =~ /[{,]\s*(\w+)!?=/g, $rule =~ /\$labels\.(\w+)/g;
}
is(join(' ', sort @names),
	join(' ', sort keys %{ { map { $_ => 1 } grep { $_ ne 'FlakeidClock' }
		  slurp_file("$src/doc/operating.md") =~ /`(Flakeid\w+)`/g } }),
	'doc/operating.md names the alerts');

# ----------------------------------------------------- metrics change

# One metric of one format
sub metric
{
	my ($name, $format) = @_;
	my ($namespace) = grep { exists $kinds{"${_}_$name"} } keys %queries;
	my ($row) = grep { $_->{format} eq $format } rows($node, $queries{$namespace});

	return $row->{$name};
}

is(metric('is_primary', 'fluid'), 1, 'a primary');
is(metric($_, 'nanoflake'), 0, "$_ is 0") foreach qw(refusals_total steps_back_total ahead_seconds);
cmp_ok(abs(metric('years_left', 'fluid') -
		(2**39 / 1000 - time + 1704067200) / 86400 / 365.2425),
	'<', 0.02, 'years_left');
is(metric('epoch_seconds', 'fluid'), 1704067200, 'the epoch');
$node->safe_psql('postgres', q{
	SELECT flakeid_raise_floor(clock_timestamp() + interval '1 hour')});
like(run_sql($node, 'SET flakeid.max_wait = 5; SELECT nanoflake_generate()'),
	qr/ERROR:  55000/, 'a floor is ahead, and a call fails');
cmp_ok(metric('ahead_seconds', 'nanoflake'), '>', 10, 'FlakeidAhead detects the floor');
is(metric('refusals_total', 'nanoflake'), 1, 'FlakeidRefusals detects the failed call');
is(metric('refusals_total', 'fluid'), 0, '... of this format only');
is(metric('waits_total', 'nanoflake'), 1, 'FlakeidWaits detects the wait');
cmp_ok(metric('longest_wait_seconds', 'nanoflake'), '>=', 0.005, '... and its duration');

# A sequence that was renamed: its format is shown as missing, the others as before.
$node->safe_psql('postgres', 'ALTER SEQUENCE flakeid_nanoflake_horizon RENAME TO away');
is(join(' ', map { "$_->{format} $_->{horizon_missing}" } rows($node, $queries{flakeid_server})),
	'fluid 0 nanoflake 1 ulidflake 0', 'FlakeidHorizonMissing detects a renamed sequence');
is(metric('refusals_total', 'nanoflake'), 1, '... and its counters stay');
$node->safe_psql('postgres', 'ALTER SEQUENCE away RENAME TO flakeid_nanoflake_horizon');

# The clock is set back under a running server.
SKIP:
{
	skip 'no compiler for the shim of the clock', 7 unless clock_library();

	set_clock($node, 7200);

	my $session = session($node);
	my $generate = 'SELECT fluid_generate(), ulidflake_generate()';

	like($session->query($generate), qr/\A\d+\|\d+\z/, 'ids of two hours later');
	is(metric('ahead_seconds', $_), 0, "$_: not ahead of that clock") foreach 'fluid', 'ulidflake';
	set_clock($node, 0);
	foreach my $format ('fluid', 'ulidflake')
	{
		cmp_ok(abs(metric('ahead_seconds', $format) - 7200), '<', 300,
			"FlakeidAhead detects a clock that was set back: $format");
	}
	$session->query($generate);
	$session->quit;
	cmp_ok(metric('steps_back_total', 'fluid'), '>=', 1,
		'FlakeidClockSteppedBack detects the step');
	cmp_ok(metric('ahead_seconds', 'fluid'), '>', 6000,
		'... the session has ended, and its ids are still ahead');
}

# A standby has the address of its primary, and counts of 0.
$node->backup('backup');

my $standby = PostgreSQL::Test::Cluster->new('watched_standby');

$standby->init_from_backup($node, 'backup', has_streaming => 1);
$standby->start;
is(join(' ', map { "$_->{format} $_->{node} $_->{is_primary}" }
		  rows($standby, $queries{flakeid})),
	'fluid 0 0 nanoflake 0 0 ulidflake 0 0', 'a standby is not a primary');
is(join(' ', map { $_->{refusals_total} } rows($standby, $queries{flakeid_server})),
	'0 0 0',
	'counts of a standby are 0, so that the first refusal after a promotion is an increase');
is(scalar(rows($standby, $query)), 3, 'pgwatch.yml: a standby has one row per format');
$standby->stop;
$node->stop;
done_testing();
