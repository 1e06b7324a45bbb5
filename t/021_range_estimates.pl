# World, slow.
# Time ranges, in every kind of query: the planner's row estimate is within a
# factor of 2 of the actual number.  flakeid estimates UUIDs, and the planner
# itself estimates 64-bit ids.

use FlakeidTest;
use JSON::PP;
use List::Util qw(max);

my $node = new_node('range_estimates', q{
	max_parallel_workers_per_gather = 2
	min_parallel_table_scan_size = 0
	parallel_setup_cost = 0
	parallel_tuple_cost = 0
	max_parallel_workers = 4
	max_worker_processes = 8
});
my $rows = 40000;
my $epoch = q{'2024-01-01 00:00:00+00'};

# A format: its column, an id for ts and i, and one more argument of its ranges
my %formats = (
	uuid_v7 => ['uuid', 'uuid_v7_from_timestamptz(ts)'],
	uuid_v6 => ['uuid', 'uuid_v6_from_timestamptz(ts)'],
	uuid_v7_draft => ['uuid', q{uuid_v7_draft_from_timestamptz(ts, 'us')}, q{, 'us'}],
	uuid_v8_draft => ['uuid', 'uuid_v8_draft_from_timestamptz(ts, 48)', ', 48'],
	nanoflake => ['bigint', "nanoflake_min(ts, $epoch) | (i % 1024 << 12)", ", $epoch"]);

my ($format, $more_arguments, $session);
sub sql { return $node->safe_psql('postgres', "SET search_path = $format, public; " .
	($session // '') . ';' . $_[0]); }

sub in_range
{
	my ($from, $to, $id) = @_;
	return sprintf '%s_in_range(%s, %s, %s%s)', $format, $id // 'id', $from, $to, $more_arguments;
}

# A range of times in days ago; constants if they are an hour apart
sub days { my ($from, $to) = @_; return in_range(map { "now() - interval '$_ days'" } $from, $to); }
my %hours;
sub hour
{
	my ($days) = @_;
	$hours{$days} //= sql("SELECT date_trunc('hour', now()) - interval '$days days',
		date_trunc('hour', now()) - interval '$days days' + interval '1 hour'");
	return in_range(map { "'$_'" } split /\|/, $hours{$days});
}

# The estimate of the range, and of the comparisons that it stands for, are the same.
sub as_written_out
{
	my ($from, $to) = @_;
	my @rows = map { sql("EXPLAIN SELECT FROM event WHERE $_") =~ /rows=(\d+)/ } in_range($from,
		$to),
	  sprintf 'id >= %s_min(%s%s) AND id < %1$s_min(%4$s%3$s)', $format, $from, $more_arguments,
	    $to;

	is($rows[1], $rows[0], "$format: written out, $from to $to");
	isnt($rows[0], sql('SELECT round(0.005 * count(*)) FROM event'),
		'... which is not the default');
}

# Nodes of a plan
sub nodes { my ($plan) = @_; return ($plan, map { nodes($_) } @{ $plan->{Plans} // [] }); }

# Check that the estimate of the relation, or of the topmost node that is not a
# ModifyTable, is close to the number of rows: the count of another query, or of
# this one.  Returns the nodes of the plan.
sub about
{
	my ($what, $query, %options) = @_;
	my ($json, $there) = sql("EXPLAIN (FORMAT JSON) $query; SELECT greatest(count(*), 1) FROM " .
		($options{there} // "($query) AS q")) =~ /(\[.*\])\n(\d+)\z/s;
	my @nodes = nodes(decode_json($json)->[0]{Plan});
	my ($node) = grep {
		$options{alias} ? ($_->{Alias} // '') eq $options{alias}
			: $_->{'Node Type'} ne 'ModifyTable'
	} @nodes;
	my $expected = max($node->{'Plan Rows'}, 1);

	ok($expected <= 2 * $there && $there <= 2 * $expected,
		"$format: $what: $expected of $there rows");
	ok((grep { $_->{'Node Type'} eq $options{node} } @nodes) > 0, "... by $options{node}")
		or diag(join ', ', map { $_->{'Node Type'} } @nodes)
		if $options{node};
	return @nodes;
}

# Check that the index condition has both bounds, whatever the estimate.
sub by_index
{
	my ($what, $query) = @_;
	like(sql("EXPLAIN (COSTS OFF) $query"),
		qr/Index Cond: \(\(id >=? \S.*\) AND \(id <=? /, "$format: $what: uses the index");
}

sub with
{
	my ($settings, $test) = @_;
	$session = join ';', map { "SET $_" } @$settings;
	$test->();
	$session = undef;
}

# 30 days up to now; copies with partitions, with inheritance, with a BRIN
# index, and with 3 days after ANALYZE
sub make_tables
{
	my ($type, $make) = @{ $formats{$format} };
	my $first = sprintf '%s_min(now() - interval \'%%s days\'%s)', $format,
		$more_arguments;

	$node->safe_psql('postgres', "CREATE SCHEMA $format");
	sql("CREATE TABLE event AS SELECT $make AS id, i % 10 AS kind, ts
			FROM (SELECT now() - interval '30 days' + i * interval '30 days' / $rows AS ts,
				  i FROM generate_series(0, $rows - 1) AS i) AS s;
		ALTER TABLE event ADD PRIMARY KEY (id);
		CREATE TABLE other AS TABLE event;
		CREATE TABLE ranged AS TABLE event; CREATE INDEX ON ranged USING brin (id)
			WITH (pages_per_range = 4);
		CREATE TABLE parent (id $type, kind integer, ts timestamptz);
		CREATE TABLE child (PRIMARY KEY (id)) INHERITS (parent);
		INSERT INTO child TABLE event;
		CREATE TABLE parted (id $type PRIMARY KEY, kind integer, ts timestamptz)
			PARTITION BY RANGE (id)");
	my @bounds = ('MINVALUE', (map { "'" . sql('SELECT ' . sprintf $first, $_) . "'" } 20, 10),
		'MAXVALUE');
	sql("CREATE TABLE part$_ PARTITION OF parted
		FOR VALUES FROM ($bounds[$_ - 1]) TO ($bounds[$_])")
		for 1 .. 3;
	sql("INSERT INTO parted TABLE event;
		CREATE TABLE grown AS SELECT * FROM event WHERE ts < now() - interval '3 days';
		CREATE INDEX ON grown (id);
		CREATE TABLE task AS SELECT now() - n * interval '1 day' AS a,
			now() - n * interval '1 day' + interval '3 hours 30 minutes' AS b
			FROM generate_series(1, 5) AS n");
	$node->safe_psql('postgres', 'VACUUM ANALYZE');
	sql("INSERT INTO grown SELECT * FROM event WHERE ts >= now() - interval '3 days'");
}

sub test_scans
{
	my $hour = hour(15);

	about('its ids', "SELECT id FROM event WHERE $hour", node => 'Index Only Scan');
	with(['enable_indexscan = off', 'enable_indexonlyscan = off'], sub {
		about('by a bitmap', "SELECT * FROM event WHERE $hour", node => 'Bitmap Heap Scan');
		about('by BRIN', "SELECT * FROM ranged WHERE $hour", node => 'Bitmap Heap Scan');
	});
	about('without an index', "SELECT * FROM other WHERE $hour", node => 'Gather');
	about($_->[0], "SELECT * FROM event WHERE $_->[1]")
		for ['an hour at the start', hour(29.9)], ['a day', days(8, 7)],
		['the last hour', days(1 / 24, 0)],
		['open at the end', in_range(q{now() - interval '3 days'}, q{'infinity'})],
		['open at the start', in_range(q{'-infinity'}, q{now() - interval '27 days'})],
		['since 1970', in_range(q{'1970-01-01'}, q{now()})],
		['the future', in_range(q{now() + interval '1 day'}, q{'infinity'})],
		['an empty range', days(1, 1)];
	as_written_out(@$_) for [ map { "'$_'" } split /\|/, $hours{15} ],
		["now() - interval '28 hours'", "now() - interval '26 hours'"];
}

sub test_partitions
{
	my $hour = hour(15);
	my @nodes = about('partitions', "SELECT * FROM parted WHERE $hour");

	is(join(' ', map { $_->{'Relation Name'} // () } @nodes), 'part2', '... pruned at plan time');
	about('partitions with now()', 'SELECT * FROM parted WHERE ' . days(1, 0));
	unlike(sql('EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) SELECT * FROM parted WHERE ' . days(1, 0)),
		qr/part[12]/, '... pruned when execution starts');
	about('two partitions', 'SELECT * FROM parted WHERE ' . days(11, 9));
	about('inheritance', "SELECT * FROM parent WHERE $hour");
}

sub test_queries
{
	my ($hour, $another) = (hour(15), hour(5));
	my $on_o = $hour =~ s/\(id/(o.id/r;

	about($_->[0], "SELECT * FROM $_->[1]")
		for ['OR', "event WHERE $hour OR $another"], ['NOT', "event WHERE NOT $hour"],
		['OR within AND',
		"event WHERE ($hour AND kind >= 0 OR $another AND kind < 20) AND kind < 10"],
		['AND', 'event WHERE ' . days(9, 5) . ' AND ' . days(6, 4)],
		['another first', "event WHERE kind = 3 AND $hour"],
		['a subquery', "(SELECT id, kind FROM event) AS s WHERE $hour"],
		['UNION ALL', "(SELECT id FROM event UNION ALL SELECT id FROM other) AS s WHERE $hour"];
	about($_, "$_ WHERE $hour", there => "event WHERE $hour") for 'UPDATE event SET kind = 1',
		'DELETE FROM event';
	with(['max_parallel_workers_per_gather = 0'], sub {
		about('a join', "SELECT * FROM event AS e JOIN other AS o USING (id) WHERE $on_o");
		about($_->[0], $_->[1], alias => 'o', there => "other WHERE $hour")
			for ['an outer join',
			"SELECT * FROM event AS e LEFT JOIN other AS o ON o.id = e.id AND $on_o"],
			['NOT EXISTS', "SELECT * FROM event AS e WHERE NOT EXISTS
				(SELECT FROM other AS o WHERE o.id = e.id AND $on_o)"],
			['MERGE', "MERGE INTO event AS e USING other AS o ON o.id = e.id AND $on_o
				WHEN MATCHED THEN DELETE"];
	});

	# The core planner uses default estimates for bounds that it does not know.
	by_index("another table's columns", 'SELECT e.* FROM task AS w JOIN event AS e ON ' .
		in_range('w.a', 'w.b', 'e.id'));
	my $q = 'PREPARE q AS SELECT * FROM event WHERE ' . in_range('$1', '$2') .
		q{; EXPLAIN EXECUTE q(now() - interval '24 hours', now())};
	with(['plan_cache_mode = force_generic_plan'], sub {
		sql($q) =~ /rows=(\d+)/;
		is($1, $rows * 0.005, "$format: a generic plan has the planner's default");
	});
	sql($q) =~ /rows=(\d+)/;
	cmp_ok(abs($1 - $rows / 30), '<', $rows / 60, "$format: a custom plan uses its parameters");
}

# A partial index and a CHECK constraint that use the function
sub test_predicates
{
	my $predicate = hour(3);

	sql("CREATE TABLE partial AS TABLE event; ANALYZE partial;
		CREATE INDEX partial_recent ON partial (kind) WHERE $predicate;
		CREATE TABLE recent AS SELECT * FROM event WHERE $predicate;
		ALTER TABLE recent ADD CHECK ($predicate)");
	my @nodes = about('a partial index', "SELECT * FROM partial WHERE $predicate AND kind = 3");
	ok((grep { ($_->{'Index Name'} // '') eq 'partial_recent' } @nodes) > 0, '... and is used');
	unlike(sql('SET constraint_exclusion = on; EXPLAIN SELECT * FROM recent WHERE ' . hour(5)),
		qr/ on recent .*rows=/, "$format: a CHECK constraint excludes the table");
}

# Views and row-level security, for a user who does not see all rows
sub test_security
{
	my $hour = hour(15);

	sql("CREATE VIEW plain AS SELECT * FROM event;
		CREATE VIEW barrier WITH (security_barrier) AS SELECT * FROM event WHERE kind >= 0;
		CREATE TABLE hidden AS TABLE event; ALTER TABLE hidden ADD PRIMARY KEY (id);
		ALTER TABLE hidden ENABLE ROW LEVEL SECURITY;
		CREATE POLICY seen ON hidden TO reader USING (kind >= 0);
		GRANT USAGE ON SCHEMA $format TO reader;
		GRANT SELECT ON ALL TABLES IN SCHEMA $format TO reader;
		ANALYZE hidden");
	with(['ROLE reader'], sub {
		about("a $_ table", "SELECT * FROM $_ WHERE $hour", node => 'Index Scan')
			for 'plain', 'barrier', 'hidden';
		about('row-level security with now()', 'SELECT * FROM hidden WHERE ' . days(1 / 24, 0),
			node => 'Index Scan');
		by_index("row-level security and another table's columns",
			'SELECT e.* FROM task AS w JOIN hidden AS e ON ' . in_range('w.a', 'w.b', 'e.id'))
			if $more_arguments eq '';	# the leakproof ones
	});
}

# Rows newer than the last ANALYZE, up to the end
sub test_growth
{
	about('grown, the last hours', 'SELECT * FROM grown WHERE ' . days(1 / 4, 0));
	about('grown, beyond the end', 'SELECT * FROM grown WHERE ' . days(1 / 8, -1));
	about('grown, the middle', 'SELECT * FROM grown WHERE ' . hour(15));
}

# What is special in a format are its bounds; queries are tested with a type each.
$node->safe_psql('postgres', 'CREATE ROLE reader');
for my $each (sort keys %formats)
{
	$format = $each;
	$more_arguments = $formats{$format}[2] // '';
	make_tables();
	test_scans();
	test_growth() if $format =~ /^uuid_v(?:6|7|8_draft)$/;
	test_security();
	if ($format =~ /^(?:uuid_v7|nanoflake)$/)
	{
		test_partitions();
		test_queries();
		test_predicates();
	}
	$node->safe_psql('postgres', "DROP SCHEMA $format CASCADE");
}

$node->stop;
done_testing();
