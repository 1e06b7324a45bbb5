# Time ranges and the planner: what the support function and the hook do
# beside estimating, on columns and indexes of every kind, and what they leave
# alone.

use FlakeidTest;
use List::Util qw(max);

my $node = new_node('range_planner', "max_parallel_workers_per_gather = 0\njit = off\n");
my $rows = 20000;

sub sql { my ($query, %options) = @_; return $node->safe_psql('postgres', $query, %options); }

# A time, in days after the last row that ANALYZE has seen
my $end = sql(q{SELECT now() - interval '3 days'});
sub at { return sprintf q{'%s'::timestamptz + interval '%s days'}, $end, shift; }
sub between { my ($from, $to, $id) = @_; return sprintf 'uuid_v7_between(%s, %s, %s)', $id // 'id', at($from), at($to); }

# Planner's row estimate of the topmost plan node
sub expected
{
	my ($query, $setup) = @_;
	sql(($setup // '') . ";EXPLAIN $query") =~ /rows=(\d+)/ or die "no estimate for $query";
	return $1;
}

# Check that the estimate is within a factor of the number of rows.
sub about
{
	my ($what, $query, $factor) = @_;
	my $expected = expected($query);
	my $there = max(sql("SELECT count(*) FROM ($query) AS q"), 1);

	ok(max($expected / $there, $there / $expected) <= ($factor // 2), "$what: $expected of $there rows");
}

# The ids and times of 30 days times "part", from a day on
sub ids
{
	my ($day, $part) = @_;
	return sprintf q{SELECT uuid_v7_from_timestamptz(ts) AS id, ts, i FROM
		(SELECT %s + i * interval '30 days' / %d AS ts, i FROM generate_series(1, %d) AS i) AS s},
		at($day), $rows, $part * $rows;
}

# A table of 30 days, and what is added after ANALYZE
sub make
{
	my ($name, $index, @more) = @_;
	sql("CREATE TABLE $name AS " . ids(-30, 1) . ';' .
		($index || "ALTER TABLE $name ADD PRIMARY KEY (id)"));
	sql($_) for "VACUUM ANALYZE $name", @more;
}

my $grow = sub { return "INSERT INTO $_[0] " . ids(0, 0.1) };
my $day = between(-2, -1);
my $newest = sprintf q{uuid_v7_between(id, %s, 'infinity')}, at(2);

make('event');
make('other');

# Bounds that are not known, or NULL, until execution
my $unset = "SELECT count(*) FROM event WHERE uuid_v7_between(id,
	current_setting('x.y', true)::timestamptz, now())";
is(sql("EXPLAIN $unset; $unset") =~ s/.* rows=(\d+)\b.*\n/$1 /sr, '1 0', 'a NULL bound of a STABLE expression');
is(sql("SELECT count(*) FROM event WHERE uuid_v7_between(id, NULL, 'infinity') IS NULL"),
	$rows, 'a NULL bound: NULL');
my $generic = q{SET plan_cache_mode = force_generic_plan;
	PREPARE q AS SELECT count(*) FROM event WHERE uuid_v7_between(id, $1, 'infinity');};
my ($share) = sql("$generic EXPLAIN EXECUTE q(now())") =~ / on event .* rows=(\d+)/;
is($share, $rows * 0.005, 'a generic plan with an open end, as of a timestamptz');
is(sql("$generic EXECUTE q('-infinity')"), $rows, '... with the same rows');
is(scalar(() = sql("CREATE TABLE s AS SELECT scru160_min(now()) AS id FROM generate_series(1, 9);
		EXPLAIN SELECT FROM s WHERE scru160_between(id, (SELECT ts FROM event LIMIT 1),
			(SELECT ts FROM event LIMIT 1))") =~ /^ +InitPlan \w/gm), 2, 'a sub-select runs once');

# Where the comparison is not a clause of its own relation
about('a subquery with OFFSET', "SELECT FROM (SELECT id FROM event OFFSET 0) AS q WHERE $day");
about('IS TRUE', "SELECT FROM event WHERE ($day) IS TRUE");
about('a MATERIALIZED subquery', "WITH q AS MATERIALIZED (SELECT id FROM event)
	SELECT FROM q WHERE $day")
	if $node->pg_version >= 17;
make('late', '', $grow->('late'));
about('two ranges of a table', 'SELECT FROM late WHERE ' . between(-2, -1.99) . " UNION ALL SELECT FROM late WHERE $newest");
about('OR across two tables', 'SELECT FROM late AS e JOIN other USING (i) WHERE ' .
	between(1, 2, 'e.id') . ' OR other.ts < ' . at(-29.99));

# Rights, and plans that depend on the function
sql("CREATE ROLE reader; GRANT SELECT ON event TO reader;
	REVOKE EXECUTE ON FUNCTION uuid_v7_between FROM public");
my (undef, undef, $refusal) = $node->psql('postgres', "SET ROLE reader; SELECT count(*) FROM event WHERE $day");
like($refusal, qr/permission denied for function uuid_v7_between/, 'the right to execute');
sql('GRANT EXECUTE ON FUNCTION uuid_v7_between TO public');
my $replace = 'CREATE OR REPLACE FUNCTION uuid_v7_between(id uuid, from_ts timestamptz,
	to_ts timestamptz) RETURNS boolean LANGUAGE sql IMMUTABLE RETURN false';
is(sql("CREATE FUNCTION that_day(id uuid) RETURNS boolean LANGUAGE sql STABLE RETURN $day;
	PREPARE q AS SELECT count(*) FROM event WHERE that_day(id); EXECUTE q \\g /dev/null
	BEGIN; $replace; EXECUTE q; ROLLBACK"), 0, 'a replaced function, in a cached plan');
is(sql("BEGIN; $replace; SELECT count(*) FROM event WHERE $day; ROLLBACK"), 0, '... and in a new one');

# Functions of ours are not known by their names: neither moved nor renamed ones
# are mistaken for those that somebody else puts in their place.
for ('uuid_v7_min(timestamptz) SET SCHEMA others', 'uuid_v7_min(timestamptz) RENAME TO v7_first',
	'uuid_v7_between(uuid, timestamptz, timestamptz) RENAME TO v7_between')
{
	my $range = /TO v7_between/ ? $newest =~ s/uuid_v7/v7/r : $newest;

	is(sql("BEGIN; CREATE SCHEMA others; ALTER FUNCTION $_;
		CREATE FUNCTION " . (/TO v7_between/ ? 'v7_min' : 'uuid_v7_min') . "(timestamptz) RETURNS text STABLE
			LANGUAGE plpgsql AS 'BEGIN RAISE division_by_zero; END';
		SELECT count(*) FROM event WHERE $range; ROLLBACK"), 0, "an impostor: $_");
}

# Plannings within plannings, and those that end in the order in which they began
sql("CREATE FUNCTION late() RETURNS timestamptz LANGUAGE plpgsql STABLE AS \$\$
	BEGIN
		PERFORM FROM other WHERE uuid_v7_between(id, now(), now());
		RETURN " . at(-2) . '; END $$');
about('a bound that plans a range', sprintf q{SELECT FROM event WHERE uuid_v7_between(id, late(), %s)}, at(-1));
is(sql("CREATE FUNCTION counted() RETURNS bigint LANGUAGE sql AS \$\$ SELECT count(*) FROM event WHERE $day \$\$;
	BEGIN; DECLARE a CURSOR FOR SELECT counted(); DECLARE b CURSOR FOR SELECT counted();
	FETCH a \\g /dev/null
	FETCH b \\g /dev/null
	CLOSE a; CLOSE b; SELECT counted() = count(*) FROM event WHERE $day; COMMIT"), 't',
	'cursors closed in the order in which they were opened');

# Ends of indexes: when one is read, and which one.  A wrong one has no newer ids.
my $scans = 'SELECT ' . sql(q{SELECT min(proname) FROM pg_proc WHERE proname ~ '^pg_stat_get_xact_(idx_)?numscans$'}) .
	q{('event_pkey'::regclass)};
is(join(' ', grep { /^\d+$/ } split /\n/, sql("BEGIN; EXPLAIN SELECT FROM event WHERE $day; $scans;
	EXPLAIN SELECT FROM event WHERE $newest; $scans; COMMIT")), '0 1',
	'the index is read only for a range beyond the histogram');
sql('CREATE FUNCTION backwards(uuid, uuid) RETURNS integer LANGUAGE sql
		IMMUTABLE RETURN pg_catalog.uuid_cmp($2, $1);
	CREATE OPERATOR FAMILY backwards USING btree;
	CREATE OPERATOR CLASS backwards FOR TYPE uuid USING btree FAMILY backwards AS
		OPERATOR 1 >, OPERATOR 3 =, OPERATOR 5 <, FUNCTION 1 backwards(uuid, uuid)');
for (['a partial index', '(id) WHERE i > 1'], ['an index of another column', '(i, id)'],
	['an index of another order', '(id backwards)'], ['a DESC index', '(id DESC)'],
	['a BRIN index', 'USING brin (id)'], ['a BRIN index of two columns', 'USING brin (i, id)'])
{
	my ($what, $index) = @$_;

	make('grown', "CREATE INDEX ON grown $index", $grow->('grown'));
	if ($index =~ /DESC/) { about("$what, the newest rows", "SELECT FROM grown WHERE $newest"); }
	else { is(expected("SELECT FROM grown WHERE i > 1 AND $newest"), 1, "$what is not read"); }
	about("$what, the middle", "SELECT FROM grown WHERE i > 0 AND $day");
	sql('DROP TABLE grown');
}

# Dead rows at the end are not counted, and not searched beyond a limit.
make('dead', 'ALTER TABLE dead ADD PRIMARY KEY (id), ADD filler text;
	ALTER TABLE dead ALTER filler SET STORAGE plain', $grow->('dead'), "DELETE FROM dead WHERE $newest");
about('dead rows at the end', 'SELECT FROM dead WHERE ' . between(1, 2));
is(expected("SELECT FROM dead WHERE $newest"), 1, '... are not counted');
sql(sprintf q{INSERT INTO dead (id, filler) SELECT uuid_v7_from_timestamptz(%s
	+ i * interval '1 s'), repeat('x', 5000) FROM generate_series(1, 2000) AS i}, at(2.5));
sql(sprintf q{DELETE FROM dead WHERE %s; BEGIN; INSERT INTO dead (id) SELECT uuid_v7_from_timestamptz(%s
	+ i * interval '1 ms') FROM generate_series(1, 60000) AS i; ROLLBACK}, $newest, at(2.6));
sql("SET enable_seqscan = off; SET enable_bitmapscan = off; SELECT count(id) FROM dead WHERE $newest");	# marks them as dead
my ($buffers) = sql("EXPLAIN SELECT FROM dead WHERE $newest; EXPLAIN (ANALYZE, BUFFERS, SUMMARY OFF, TIMING OFF) SELECT FROM dead WHERE $newest")
	=~ /.*Planning:\s+Buffers: ([^\n]*)/s;
my $pages = 0;
$pages += $1 while $buffers =~ /=(\d+)/g;
cmp_ok($pages, '<', 100, 'a limit of pages of dead rows and their index');

# Most common values, beside a histogram
sql(sprintf 'CREATE TABLE ref AS SELECT CASE WHEN i %% 2 = 0 THEN uuid_v7_min(%s)
		ELSE id END AS id FROM event; ANALYZE ref', at(-1));
about('a common id', 'SELECT FROM ref WHERE ' . between(-1.05, -0.95));
about('beside a common id', 'SELECT FROM ref WHERE ' . between(-3, -2));
sql('INSERT INTO ref SELECT NULL FROM event; ANALYZE ref');
about('with NULLs', 'SELECT FROM ref WHERE ' . between(-3, -2), 1.25);
cmp_ok(expected(sprintf('SELECT FROM ref AS r, event WHERE %s OR i = 0 GROUP BY r.id HAVING count(*) = 1 OR %1$s',
	between(-3, -2, 'r.id')), 'SET geqo_threshold = 2'), '>', 1, 'HAVING, after GEQO has freed its memory');

# The comparisons of scru160, with the constant on either side; equality is
# left alone.
sql("CREATE TABLE scru AS SELECT scru160_from_parts(scru160_get_ticks(scru160_min(ts)), 0, '\\x000102030405060708090a0b') AS id,
		scru160_min('2026-01-01'::timestamptz + i % 500 * interval '1 day') AS ref FROM event;
	CREATE INDEX ON scru (id); ANALYZE scru");
my ($from, $to) = map { sprintf 'scru160_min(%s)', at($_) } -1.05, -1;
about('comparisons of scru160', "SELECT FROM scru WHERE id >= $from AND id < $to");
about('a constant on the left', "SELECT FROM scru WHERE $to > id AND $from <= id");
my $ref = sql('SELECT ref FROM scru LIMIT 1');
about("$_ beside a range", "SELECT FROM scru WHERE ref $_ '$ref'
	AND scru160_between(id, '-infinity', 'infinity')") for '=', '<>';

# Columns of mixed ids: each within a factor of ten
sub mixed_ids { return "SELECT id, id, fluid_from_parts(fluid_get_ticks(fluid_min(ts)), 1, 1) FROM ($_[0]) AS t"; }
sql(sprintf "CREATE TABLE mixed AS
	SELECT gen_random_uuid() AS v4, uuid_v6_from_timestamptz(ts - interval '30 days') AS v6, i::bigint AS n
		FROM event CROSS JOIN generate_series(1, 5)
	UNION ALL %s; CREATE INDEX ON mixed (v4); CREATE INDEX ON mixed (v6); CREATE INDEX ON mixed (n);
	ANALYZE mixed", mixed_ids('SELECT * FROM event WHERE ts > ' . at(-10)));
my %mixed = ('v4 and v7' => 'uuid_v7_between(v4', 'v6 and v7' => 'uuid_v7_between(v6',
	'bigserial and FLUID' => 'fluid_between(n');
sub mixed
{
	my ($when, $factor, @bounds) = @_;

	for my $what (sort keys %mixed)
	{
		about("$what, $when", sprintf('SELECT FROM mixed WHERE %s, %s, %s)', $mixed{$what}, at($_->[0]), at($_->[1])),
			$factor) for @bounds;
	}
}
my @bounds = ([-0.4, 0.02], [-5, -4], [-10, -9]);
mixed('fresh', 10, @bounds);
sql('INSERT INTO mixed ' . mixed_ids(ids(0, 0.05)));
mixed('grown', 10, @bounds, [1, 1.4]);
about('two versions in one query', sprintf('SELECT FROM mixed WHERE uuid_v6_between(v6, %s, %s) OR %s',
	at(-90), at(-89), between(1, 1.4, 'v6')), 10);
sql(sprintf 'DELETE FROM mixed WHERE fluid_between(n, %s, %s)', at(-2), q{'infinity'});
sql('VACUUM ANALYZE mixed');
sql('INSERT INTO mixed ' . mixed_ids('SELECT * FROM event WHERE ts > ' . at(-2)));
mixed('the newest', 3, [-0.4, 0]);

sql(sprintf q{CREATE TABLE few AS SELECT i::bigint AS n, gen_random_uuid() AS id FROM generate_series(1, 20000) AS i
	UNION ALL SELECT fluid_min(ts), uuid_v7_from_timestamptz(ts) FROM
		(SELECT %s + i * interval '6 min' AS ts FROM generate_series(1, 250) AS i) AS s;
	DELETE FROM few WHERE uuid_v7_between(id, now() - interval '90 days', now()) AND uuid_get_version(id) = 4;
	CREATE INDEX ON few (n); CREATE INDEX ON few (id); VACUUM ANALYZE few}, at(-2));	# none comes just before the first UUIDv7
about('the first of few FLUIDs', 'SELECT FROM few WHERE ' . between(-3, -1.9, 'n') =~ s/uuid_v7/fluid/r);
about('the first of few UUIDv7', 'SELECT FROM few WHERE ' . between(-3, -1.9), 3);

# Loaded and analyzed in one session
sql('CREATE TABLE loaded (id uuid, ts timestamptz); CREATE INDEX ON loaded USING brin (id);
	INSERT INTO loaded SELECT id, ts FROM event; ANALYZE loaded; EXPLAIN SELECT FROM loaded WHERE ' . $day)
	=~ /rows=(\d+)/;
cmp_ok(abs($1 - $rows / 30), '<', $rows / 60, 'a table loaded and analyzed in one session');

# Gaps and outliers
make('gap', '', 'INSERT INTO gap ' . ids(1.5, 0.05), 'VACUUM gap');
about('after a gap', 'SELECT FROM gap WHERE ' . between(1.5, 9));
make('outlier', '', $grow->('outlier'),
	'INSERT INTO outlier SELECT uuid_v7_from_timestamptz(' . at(3000) . ')', 'VACUUM outlier');
about('below an outlier', "SELECT FROM outlier WHERE $newest");
make('imported', '', 'INSERT INTO imported ' . ids(-40, 0.05));
about('older rows', 'SELECT FROM imported WHERE ' . between(-41, -30), 6);
make('refilled', '', 'DELETE FROM refilled', 'VACUUM refilled', 'INSERT INTO refilled SELECT * FROM event');
about('emptied and filled again', "SELECT FROM refilled WHERE $day");

# Bloat is not new rows: 100 inserted, a fifth updated
make('bloated', '', 'INSERT INTO bloated ' . ids(0, 0.005), 'UPDATE bloated SET ts = ts WHERE i % 5 = 0');
about('the newest rows of a table with updates', 'SELECT FROM bloated WHERE ' . between(0.03, 9));

# Other values in a query with ranges, as without; of another type, too
sql(q{CREATE TABLE numbered AS SELECT fluid_min(ts) AS id, id AS u, (1::bigint << 41) + i * 1000003::bigint AS n,
		CASE WHEN i % 10 < 6 THEN 0 ELSE fluid_min(ts) END AS parent,
		overlay(i % 4 || 'a345678-1234-4234-8234-123456789012' PLACING i::text FROM 25)::uuid AS tenant FROM event;
	CREATE INDEX ON numbered (n); ANALYZE numbered;
	INSERT INTO numbered SELECT fluid_min(now()), NULL, (1::bigint << 41) + i * 1000003::bigint FROM generate_series(20001, 22000) AS i});
for ('n > (1::bigint << 41) + 20001 * 1000003::bigint', 'n > 5', "parent > '0'", "'0' >= parent", "tenant > '2a345678-1234-4234-8234-2'",
	'n > (2::bigint << 41)')
{
	my $condition = s/8234-2/8234-200000000000/r;
	my @expected = map { expected("SELECT FROM numbered WHERE $condition$_") } '',
	  q{ AND fluid_between(id, '-infinity', 'infinity') AND (uuid_v7_between(u, '-infinity', 'infinity') OR u IS NULL)};

	cmp_ok(max($expected[0] / $expected[1], $expected[1] / $expected[0]), '<', 1.1, "beside ranges: $_: @expected");
}
is(sql("SELECT count(*) FROM event WHERE $day AND
	CASE WHEN current_setting('x.y', true) <> '' THEN id > current_setting('x.y')::uuid ELSE true END") > 0, 1, 'a bound in a CASE');

# Foreign tables get the comparison.
SKIP:
{
	my ($host, $port) = ($node->host, $node->port);

	skip 'no postgres_fdw', 1
	  if sql(q{SELECT count(*) FROM pg_available_extensions WHERE name = 'postgres_fdw'}) == 0;
	sql("CREATE EXTENSION postgres_fdw; CREATE SERVER far FOREIGN DATA WRAPPER postgres_fdw
		OPTIONS (host '$host', port '$port', dbname 'postgres');
		CREATE USER MAPPING FOR CURRENT_USER SERVER far;
		CREATE FOREIGN TABLE far_away (id bigint OPTIONS (column_name 'n')) SERVER far OPTIONS (table_name 'mixed');
		ANALYZE far_away");
	like(sql(q{EXPLAIN (VERBOSE, COSTS OFF) SELECT * FROM far_away
			WHERE fluid_between(id, '2026-01-01', '2026-02-01')}),
		qr/Remote SQL: .* WHERE \(\(n >= /, 'a foreign table gets the comparison');
}

# What the session sees of the statistics stays as it is.
my $session = session($node);
$session->query("BEGIN; EXPLAIN SELECT FROM event WHERE $newest");
sql('INSERT INTO event SELECT uuid_v7_from_timestamptz(now()); SELECT pg_stat_force_next_flush()');
is($session->query(q{SELECT pg_stat_get_tuples_inserted('event'::regclass)}), $rows + 1,
	'planning does not keep the counters of a table');

# Another extension's hook, loaded before or after flakeid, and its hypothetical
# indexes
SKIP:
{
	my $module = $node->basedir . '/peer';
	my $told = sql(q{SELECT setting FROM pg_config WHERE name = 'INCLUDEDIR-SERVER'});

	# A server that was copied elsewhere does not know the place of its headers.
	my ($include) = grep { -e "$_/postgres.h" } $told, $told =~ s{.*(?=/usr/)}{}r;

	append_to_file("$module.c", q{
		#include "postgres.h"
		#include "fmgr.h"
		#include "optimizer/plancat.h"
		#include "utils/selfuncs.h"
		PG_MODULE_MAGIC;
		extern __attribute__((visibility("default"))) void _PG_init(void);
		static get_relation_stats_hook_type next_hook;
		static bool
		peer(PlannerInfo *root, RangeTblEntry *rte, AttrNumber attnum, VariableStatData *variable)
		{
			elog(NOTICE, "peer asked for %d", attnum);
			return next_hook && next_hook(root, rte, attnum, variable);
		}
		static void
		hypothesize(PlannerInfo *root, Oid relid, bool inh, RelOptInfo *rel)
		{
			ListCell *lc;

			foreach(lc, rel->indexlist)
			{
				((IndexOptInfo *) lfirst(lc))->hypothetical = true;
				((IndexOptInfo *) lfirst(lc))->indexoid = InvalidOid;
			}
		}
		void
		_PG_init(void)
		{
			get_relation_info_hook = hypothesize;
			next_hook = get_relation_stats_hook;
			get_relation_stats_hook = peer;
		}
	});
	skip 'no compiler', 5
	  if !$include || system("\${CC:-cc} -shared -fPIC -I '$include' -o $module.so $module.c 2>/dev/null");
	my $no_index = join '', map { "SET enable_$_ = off;" } qw(indexscan bitmapscan indexonlyscan);

	for my $loads ("LOAD '$module.so'; LOAD 'flakeid'", "LOAD 'flakeid'; LOAD '$module.so'")
	{
		my (undef, $plan, $notice) = $node->psql('postgres',
			"$loads; $no_index EXPLAIN SELECT FROM other WHERE $day; EXPLAIN SELECT FROM other WHERE i = 1");

		like($notice, qr/for 1\b.*for 3\b/s, "another hook is called, also without a range: $loads");
		$plan =~ /rows=(\d+)/;
		cmp_ok(abs($1 - $rows / 30), '<', $rows / 60, '... and so is ours');
	}
	is($node->psql('postgres', "LOAD '$module.so'; LOAD 'flakeid'; $no_index
		EXPLAIN SELECT FROM other WHERE $newest"), 0, 'a hypothetical index is not read');
}

done_testing();
