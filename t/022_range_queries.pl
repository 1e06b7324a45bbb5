# Random queries with time ranges: each has the same result with the estimates
# of ranges, without them, and with plain comparisons.  There is no error and no
# warning, and the server survives.  Some bounds raise an error when they are
# evaluated.  Such queries are only planned, and fail in all three ways or in none.
# Some subqueries number columns differently from their tables, so that a number
# belongs to a column of another type.
#
#   RANGE_QUERIES=100000    how many (default 300)
#   RANGE_SEED=1            seed of an earlier run (default: from the time)

use FlakeidTest;
use List::Util qw(shuffle);

my $queries = $ENV{RANGE_QUERIES} || 300;
my $seed = $ENV{RANGE_SEED} || time % 1e9;
my %formats = (uuid_v7 => 'uuid', uuid_v6 => 'uuid', fluid => 'bigint', nanoflake => 'bigint',
	ulidflake => 'bigint', scru160 => 'scru160');
my @columns = qw(id r n k big s);
my @tables = qw(plain turned few hashed ranged listed parent secret);
my @relations = (@tables, qw(view barrier grouped stored));
my $node = new_node('range_queries', q{
	jit = off
	min_parallel_table_scan_size = 0
	min_parallel_index_scan_size = 0
	parallel_setup_cost = 0
	max_parallel_workers_per_gather = 0
});
my ($format, $role, $prepared, $raises, $names);	# of the query being generated

diag("seed: $seed");
srand($seed);
sub any { return $_[rand @_]; }
sub chance { return rand() < $_[0]; }

# Tables with the same columns in another order each, some analyzed when empty,
# some changed after ANALYZE.
sub make_tables
{
	my ($type, $min) = ($formats{$format}, "${format}_min");
	my $ts = q{'2025-01-01Z'::timestamptz + i * interval '1 day'};
	my $id = $type ne 'uuid' ? "$min($ts)"
	  : "CASE WHEN i % 7 = 0 THEN md5(i::text)::uuid ELSE $min($ts) END";
	my %types = (id => $type, r => $type, n => 'integer', k => 'integer', big => 'bigint',
		s => 'text');
	my %values = (id => $id, r => "CASE WHEN i % 9 = 0 THEN $min($ts - interval '30 days') END",
		n => 'i', k => 'i % 10', big => '4702111234474983745 + i * 65537',
		s => "repeat(i::text, 20)");
	my $list = sub { my ($of, @order) = @_; join ', ', map { "$of->{$_} AS $_" } @order };
	my $define = sub { join ', ', map { "$_ $types{$_}" } @_ };
	my $fill = sub { my ($table, $from, $to) = @_;
		"INSERT INTO $table (" . join(', ', @columns) . ') SELECT ' . join(', ',
			@values{@columns}) .
		" FROM generate_series($from, $to) AS i;" };
	my @halves = map { "$min('2025-01-01Z'::timestamptz + interval '$_ days')" } 100, 250;
	my ($low, $high) = map { "'" . $node->safe_psql('postgres', "SELECT $_") . "'" } @halves;

	return "CREATE SCHEMA $format; SET search_path = $format, public;
		CREATE TABLE plain (gone integer, @{[ $define->(qw(big s id r n k)) ]}); ALTER TABLE
			plain DROP gone;
		CREATE TABLE turned (@{[ $define->(qw(id n big k r s)) ]}, PRIMARY KEY (id));
		CREATE TABLE few (@{[ $define->(qw(s k n big r id)) ]});
		CREATE TABLE secret (@{[ $define->(qw(n big id s k r)) ]});
		CREATE TABLE hashed (@{[ $define->(qw(big id n k s r)) ]}) PARTITION BY HASH (id);
		CREATE TABLE listed (@{[ $define->(qw(k s big r id n)) ]}) PARTITION BY LIST (k);
		CREATE TABLE ranged (@{[ $define->(qw(s big n id k r)) ]}) PARTITION BY RANGE (id);
		CREATE TABLE parent (@{[ $define->(qw(big r id n k s)) ]});
		CREATE TABLE child (@{[ $define->(qw(n s)) ]}) INHERITS (parent);
		" . join('',
			map { "CREATE TABLE hashed_$_ PARTITION OF hashed
				FOR VALUES WITH (MODULUS 3, REMAINDER $_);
			CREATE TABLE listed_$_ PARTITION OF listed FOR VALUES IN ($_);" } 0 .. 2) . "
		CREATE TABLE listed_other PARTITION OF listed DEFAULT;
		CREATE TABLE ranged_1 (gone text, @{[ $define->(qw(r id big k s n)) ]}); ALTER TABLE
			ranged_1 DROP gone;
		ALTER TABLE ranged ATTACH PARTITION ranged_1 FOR VALUES FROM (MINVALUE) TO ($low);
		CREATE TABLE ranged_2 PARTITION OF ranged FOR VALUES FROM ($low) TO ($high) PARTITION BY
			LIST (k);
		CREATE TABLE ranged_21 PARTITION OF ranged_2 FOR VALUES IN (1, 3, 5);
		CREATE TABLE ranged_22 PARTITION OF ranged_2 DEFAULT;
		CREATE TABLE ranged_3 PARTITION OF ranged DEFAULT;
		" . join('',
			map { $fill->($_, 1, 300) . "CREATE INDEX ON $_ (id); CREATE INDEX ON $_ (r DESC, k);" }
		  qw(plain hashed listed ranged child secret)) . $fill->('parent', 301, 320) . "
		CREATE INDEX ON plain USING brin (k, id); CREATE INDEX ON turned (id) WHERE k > 3;
		CREATE INDEX ON hashed (n); CREATE STATISTICS together ON id, k FROM plain;
		" . $fill->('few', 1, 2) . $fill->('turned', 1, 100) . "
		CREATE VIEW view AS SELECT s, id, big, k, n, r FROM plain WHERE k < 8;
		CREATE VIEW barrier WITH (security_barrier) AS SELECT big, s, r, n, id, k FROM secret
			WHERE k <> 3;
		CREATE VIEW grouped AS SELECT max(big) AS big, id, min(s) AS s, k, n, r FROM plain GROUP
			BY id, k, n, r;
		CREATE MATERIALIZED VIEW stored AS SELECT big, n, s, r, k, id FROM ranged;
		ALTER TABLE secret ENABLE ROW LEVEL SECURITY;
		CREATE POLICY seen ON secret USING (k > 1 AND ${format}_in_range(id, '2025-01-20Z',
			'infinity'));
		GRANT USAGE ON SCHEMA $format TO reader, writer;
		GRANT ALL ON ALL TABLES IN SCHEMA $format TO writer;
		" . join('', map { "GRANT SELECT (id, n, k) ON $_ TO reader;" } @relations) . "
		ANALYZE;" . $fill->('turned', 101, 330) . $fill->('few', 3, 90) . $fill->('hashed', 301,
		400) .
		"DELETE FROM plain WHERE n < 50; DELETE FROM listed WHERE n > 150;" . $fill->('plain',
		3000, 3001);
}

# Statistics that an owner has written, where an owner can
sub make_hostile
{
	my @ids = map { "${format}_min('2025-01-01Z'::timestamptz + interval '$_ days')::text" } 5, 90,
		20, 300, -400, 9;
	my @arrays = ("'{}'", map { "(ARRAY[" . join(', ', @$_) . "])::text" } [@ids],
		[ ($ids[1]) x 5 ], [@ids[2, 1]], [$ids[0]]);

	return join '',
		map { "SELECT pg_restore_attribute_stats('schemaname', '$format', 'relname', '$_',
			'attname', '" .
		any('id', 'r') . "', 'inherited', false, 'version', 180000, 'null_frac', " . any(0, 0.5, 1)
		. '::real,' .
		"'n_distinct', -1::real, 'histogram_bounds', " . any(@arrays) . (chance(0.5) ? '' :
		", 'most_common_vals', " . any(@arrays[1, 2])
		. ", 'most_common_freqs', '{0.9,0.5,0.1,0.1,0.1,0.1}'::real[]") . ');'
	} qw(secret listed_1 ranged_1 child);
}

sub name { return 'x' . ++$names; }

# Columns of every source
sub core { return $role eq 'reader' ? qw(id n k) : qw(id r n k); }

sub bound
{
	return any('$1', '$2') if $prepared && chance(0.5);
	return any(q{'infinity'}, q{'-infinity'}, 'now()', "now() - interval '10 months'",
		q{'1970-01-01Z'}) if chance(0.25);
	return '(SELECT min(ts) FROM public.times WHERE n > ' . int(rand 9) . ')' if chance(0.05);
	return any('public.raising()', q{current_setting('app.since')::timestamptz})
		if $raises && chance(0.2);
	return 'public.steady()' if chance(0.05);
	return sprintf q{'2025-01-01Z'::timestamptz + interval '%d hours'}, rand(9600) - 600;
}

# A range, and what it is written as later: _in_range, or the comparisons
sub in_range { my ($id, $from, $to) = @_; return "\x01$id\x02$from\x03$to\x04"; }
sub written
{
	my ($query, $is_plain) = @_;
	my $as = sub {
		my ($id, $from, $to) = @_;
		return $is_plain ? "($id >= ${format}_min($from) AND $id < ${format}_min($to))"
			: "${format}_in_range($id, $from, $to)";
	};
	return $query =~ s/\x01([^\x02]*)\x02([^\x03]*)\x03([^\x04]*)\x04/$as->($1, $2, $3)/ger;
}

# A condition on an id, which may contain subqueries
sub range
{
	my ($of, $depth) = @_;
	my $id = "$of." . ($role ne 'reader' && chance(0.1) ? 'r' : 'id');
	my ($a, $b) = (bound(), bound());
	my $between = in_range($id, $a, $b);
	my $inner = name();
	my @all = (
		($between) x 8, "$id " . any('<', '<=', '>', '>=', '=', '<>') . " ${format}_min($a)",
		"${format}_min($a) <= $id",
		"NOT $between", "($between) IS " . any('TRUE', 'NOT TRUE', 'UNKNOWN'),
		"CASE WHEN $of.k > 3 THEN $between ELSE $of.k < 2 END",
		"coalesce($id, ${format}_min($b)) > ${format}_min($a)",
		"$id = ANY (ARRAY[${format}_min($a), ${format}_min($b)])",
		in_range($id, "'2025-01-01Z'::timestamptz + $of.k * interval '9 days'", $b),
		"($id, $of.k) " . any('<', '<=', '>', '>=') . " (${format}_min($a), 5)");

	return any(@all) if $depth <= 0 || chance(0.6);
	my ($from) = source($depth - 1);
	return any('(' . range($of, $depth - 1) . any(' AND ', ' OR ') . range($of, $depth - 1) . ')',
		any('', 'NOT ') . "EXISTS (SELECT FROM $from AS $inner WHERE $inner.n = $of.n AND "
		. range($inner, 0) . ')',
		"$of.id IN (SELECT $inner.id FROM $from AS $inner WHERE " . range($inner, 0) . ')');
}

# What follows FROM: a relation or a subquery, and its columns.  A subquery with
# a LIMIT is sorted by all its columns, so that its rows are always the same.
sub source
{
	my ($depth) = @_;
	my %core = map { $_ => 1 } core();
	return any(@relations), $role eq 'reader' ? core() : @columns if $depth <= 0;
	my ($from, @of_inner) = source($depth - any(1, 1, 2));
	my ($other, @of_other) = source($depth - 2);
	my ($x, $y, $z) = (name(), name(), name());
	my %has = map { $_ => 1 } @of_other;
	my @both = grep { $has{$_} } @of_inner;
	my @list = shuffle core(), grep { !$core{$_} && chance(0.5) } @of_inner;
	my $select = sub { my ($of, @these) = @_; 'SELECT ' . join(', ', map { "$of.$_" } @these) };
	my $where = sub { return chance(0.7) ? ' WHERE ' . range($_[0], $depth - 1) : ''; };
	my $plain = $select->($x, @list) . " FROM $from AS $x";
	my $order = join ', ', 1 .. @list;
	my @simple = shuffle core(), grep { !$core{$_} } @both;
	my $table = any(@tables);
	my $by = join ', ', map { "$x.$_" } @list;
	my $kind = any(
		sub { return $plain . $where->($x) . " ORDER BY $order LIMIT " . any(1, 20, 200, 'ALL')
		. ' OFFSET ' . any(0, 5); },
		sub { return $plain . $where->($x) . any(' OFFSET 0', " ORDER BY $order", ''); },
		sub { return "SELECT DISTINCT ON ($x.k) $by FROM $from AS $x" . $where->($x)
		. " ORDER BY $x.k, $by"; },
		sub { return $plain =~ s/SELECT/SELECT DISTINCT/r . $where->($x); },
		sub { return $plain . $where->($x) . " GROUP BY $by" . any('', ' HAVING ' . range($x, 0));
		},
		sub { return $select->($x, @list)
		. ", row_number() OVER (PARTITION BY $x.k ORDER BY $by) AS w FROM $from AS $x"
		. $where->($x); },
		sub { return $select->($x, @list) . ", generate_series(1, 2) AS w FROM $from AS $x"
		. $where->($x); },
		sub { return $select->($x, @simple) . " FROM $from AS $x" . $where->($x) . any(' UNION ',
		' UNION ALL ', ' EXCEPT ', ' INTERSECT ALL ') .
			$select->($y, @list = @simple) . " FROM $other AS $y" . $where->($y); },
		sub { return $plain . any(' JOIN ', ' LEFT JOIN ') . "$other AS $y ON $x.n = $y.n AND "
			. range($y, 0) . $where->($x); },
		sub { return 'SELECT ' . join(', ', map { ($_ eq 'id' ? $y : $x) . ".$_" } @list)
			. " FROM $from AS $x" .
			any(' JOIN ', ' FULL JOIN ', ' RIGHT JOIN ') . "$other AS $y ON $x.n = $y.n"
			. $where->($y); },
		sub { return 'SELECT ' . join(', ', map { ($_ eq 'id' ? $z : $x) . ".$_" } @list)
			. " FROM $from AS $x, LATERAL (" .
			$select->($y, @simple) . " FROM $other AS $y WHERE $y.n = $x.n OFFSET 0) AS $z"
			. $where->($z); },
		sub { return "WITH $y AS " . any('MATERIALIZED', 'NOT MATERIALIZED', '') . " ($plain"
			. $where->($x) . ') ' .
			$select->($z, @list) . " FROM $y AS $z" . any('', " JOIN $y AS $x ON $x.n = $z.n")
			. ' WHERE ' . range($z, 0); },
		sub { return $select->($x, @list)
			. ", (SELECT count(*) FROM $other AS $y WHERE $y.k = $x.k AND " . range($y, 0) .
			") AS w FROM $from AS $x" . $where->($x); },
		sub { return $select->($x, @list) . " FROM $table AS $x" . $where->($x)
			. ($role eq 'reader' ? '' : any(' FOR UPDATE', ' FOR SHARE')); },
		sub { return $select->($x, @list = reverse core())
			. " FROM (SELECT
			${format}_min('2025-01-01Z'::timestamptz + i * interval '9 days') AS id,
			${format}_min('2025-01-01Z') AS r, i AS n, i % 10 AS k FROM generate_series(1, 40)
				AS i) AS $x" . $where->($x); });
	return '(' . $kind->() . ')', @list;
}

sub result_of { return "SELECT count(*), sum(hashtext(t::text)) FROM $_[0] AS t" . ($_[1] // ''); }

sub query
{
	my ($from) = source(any(1, 1, 2, 2, 3, 4));
	my $range = range('t', 1);
	return result_of($from, " WHERE $range") if $role eq 'reader' || chance(0.7);

	my $table = any(@tables);
	my $source =
		"(SELECT DISTINCT ON (n) n, id, k FROM $from AS t WHERE n IS NOT NULL ORDER BY n, id, k)
			AS s";
	my $change =
		any("UPDATE $table AS t SET k = any_k.n % 10 FROM $source, (VALUES (3)) AS any_k (n)
			WHERE t.n = s.n AND $range",
		"UPDATE $table AS t SET k = k + 1 WHERE $range",
		"DELETE FROM $table AS t USING $source WHERE t.n = s.n AND $range",
		"MERGE INTO $table AS t USING $source ON t.n = s.n AND $range WHEN MATCHED AND s.k > 3
			THEN DELETE
			WHEN MATCHED THEN UPDATE SET k = s.k WHEN NOT MATCHED THEN DO NOTHING",
		"INSERT INTO few (id, n, k) SELECT id, n, k FROM $from AS t WHERE $range");
	return "WITH d AS ($change RETURNING t.*) " . result_of('d')
		if $change =~ /^(?:UPD|DEL)/ && !$prepared && chance(0.3);
	return ($change, result_of($change =~ /^INSERT/ ? 'few' : $table));
}

# Statements that do the same twice, in the same transaction
sub script
{
	($format, $role, $prepared, $raises, $names) = (any('uuid_v7', 'uuid_v7', sort keys %formats),
		any('', '', 'reader', 'writer'), chance(0.2), chance(0.2), 0);
	my @statements = query();
	my @settings = grep { chance(0.07) } 'geqo_threshold = 2', 'join_collapse_limit = 1',
		'from_collapse_limit = 1', 'enable_seqscan = off',
	  'enable_indexscan = off', 'enable_hashjoin = off', 'enable_nestloop = off',
	    'max_parallel_workers_per_gather = 2',
	  'enable_partitionwise_join = on', 'enable_partitionwise_aggregate = on',
	  'enable_partition_pruning = off', 'constraint_exclusion = on';

	$raises = $statements[0] =~ /raising|app\.since/;
	push @settings,
		'plan_cache_mode = ' . any('force_generic_plan', 'force_custom_plan', 'auto') if $prepared;
	my $execute = ($raises ? 'EXPLAIN (COSTS OFF) ' : '') . 'EXECUTE';
	$statements[0] = $prepared
		? "PREPARE q (timestamptz, timestamptz) AS $statements[0]; $execute q ('2025-02-01Z',
			'2025-07-01Z');
		$execute q ('2025-06-01Z', 'infinity')" : "EXPLAIN (COSTS OFF) $statements[0]"
			if $prepared || $raises;
	my $commands = join ";\n", $raises ? $statements[0] : @statements;
	return 'BEGIN;' . join('', map { "SET LOCAL $_;" } "search_path = $format, public", @settings)
		. ($role ? "SET LOCAL ROLE $role;" : ''),
	  $prepared || $raises || @statements > 1 || !chance(0.3) ? $commands : ("EXPLAIN $commands",
	    $commands);
}

$node->safe_psql('postgres',
	"CREATE ROLE reader; CREATE ROLE writer; GRANT SELECT ON ALL TABLES IN SCHEMA public TO public;
	CREATE TABLE times AS SELECT n, '2025-03-01Z'::timestamptz + n * interval '20 days' AS ts
		FROM generate_series(1, 9) AS n;
	GRANT SELECT ON times TO public;
	CREATE FUNCTION raising() RETURNS timestamptz LANGUAGE plpgsql STABLE AS \$\$ BEGIN RAISE
		division_by_zero; END \$\$;
	CREATE FUNCTION steady() RETURNS timestamptz LANGUAGE plpgsql STABLE AS \$\$ BEGIN RETURN
		'2025-05-01Z'; END \$\$");
for (sort keys %formats)
{
	$format = $_;
	$node->safe_psql('postgres', make_tables());
	$node->safe_psql('postgres', "SET search_path = $format, public;" . make_hostile())
		if $node->pg_version >= 18;
}
my $session = session($node);
my ($failed, $found, $explained, $changed, $refused) = (0) x 5;
for my $number (1 .. $queries)
{
	my ($begin, @commands) = script();
	for my $command (@commands)
	{
		my ($written, $plain) = (written($command), written($command, 1));
		my $answer =
			$session->query("$begin SAVEPOINT a; SET LOCAL flakeid.enable_range_estimates =
				on;\n$written;\n\\echo ---
			ROLLBACK TO a; DEALLOCATE ALL; SET LOCAL flakeid.enable_range_estimates =
				off;\n$written;\n\\echo ---
			ROLLBACK TO a; DEALLOCATE ALL;\n$plain;\nROLLBACK; DEALLOCATE ALL;\n");
		my @ways = split /^---\n/m, "$answer\n";
		my $error = qr/^[A-Za-z:<>0-9 ]*(?:ERROR|WARNING|FATAL|PANIC): .*/m;

		# What is planned differs, and so do the lines of an error after the first
		@ways = map { /($error)/ ? $1 =~ s/^.*?(?=ERROR)//r : '' } @ways if $raises;
		my $differs = @ways != 3 || $ways[0] ne $ways[1]
			|| ($ways[1] =~ s/\s+\z//r) ne ($ways[2] =~ s/\s+\z//r);

		if ($raises) { $refused += $ways[0] ne ''; }
		elsif ($command =~ /^EXPLAIN/) { $explained++; $changed += $differs; $differs = 0; }
		elsif ($answer =~ /^[1-9]\d*\|/m) { $found++; }
		next unless $differs || (!$raises && $answer =~ $error) || $answer =~ /server closed/m;
		$failed++;
		diag("query $number of seed $seed:\n$begin\n$written;\n$answer");
		$session->query('ROLLBACK; DEALLOCATE ALL');
	}
	last if $failed && ($failed > 9 || $session->query('SELECT 1') ne '1');
}
is($failed, 0, "$queries random queries");
cmp_ok($found, '>', $queries / 4, '... of which many found rows');
cmp_ok($changed, '>', 0, "... and $changed of $explained have another plan or estimate");
cmp_ok($refused, '>', 0, "... and $refused raise an error when they are planned");
done_testing();
