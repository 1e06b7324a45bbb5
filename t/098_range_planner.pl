# Time ranges and the planner: what the support function and the hook do
# beside estimating, on columns and indexes of every kind, and what they leave
# alone.

use strict;
use warnings;

use FlakeidTest;
use List::Util qw(max min);
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(time);

my $node = new_node('range_planner', "max_parallel_workers_per_gather = 0\njit = off\n");
my $rows = 20000;

sub sql { my ($query, %options) = @_; return $node->safe_psql('postgres', $query, %options); }

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
	my ($what, $query, $factor, $setup) = @_;
	my $expected = expected($query, $setup);
	my $there = max(sql("SELECT count(*) FROM ($query) AS q"), 1);

	ok(max($expected / $there, $there / $expected) <= ($factor // 2),
		"$what: $expected of $there rows");
	return;
}

# A table of UUIDv7 from 30 days ago until now
sub make
{
	my ($name, $more) = @_;

	sql("CREATE TABLE $name AS SELECT uuid_v7_from_timestamptz(ts) AS id, ts, i
			FROM (SELECT now() - interval '30 days' + i * interval '30 days' / $rows AS ts, i
				FROM generate_series(1, $rows) AS i) AS s;
		" . ($more // "ALTER TABLE $name ADD PRIMARY KEY (id)") . ";
		VACUUM ANALYZE $name");
	return;
}

# A tenth more rows, up to three days from now
sub grow
{
	my ($name) = @_;

	sql("INSERT INTO $name SELECT uuid_v7_from_timestamptz(ts), ts, i
		FROM (SELECT now() + i * interval '30 days' / $rows AS ts, i
			FROM generate_series(1, $rows / 10) AS i) AS s");
	return;
}

my $day = "uuid_v7_between(id, now() - interval '2 days', now() - interval '1 day')";
my $newest = "uuid_v7_between(id, now() + interval '2 days', 'infinity')";

make('event');

# Bounds that are not known, or NULL, until execution
is(expected("SELECT FROM event WHERE uuid_v7_between(id,
		current_setting('x.y', true)::timestamptz, now())"), 1,
	'a NULL bound of a STABLE expression');
is(sql("SELECT count(*) FROM event WHERE uuid_v7_between(id,
		current_setting('x.y', true)::timestamptz, now())"), 0, '... and no rows');
is(sql("SELECT count(*) FROM event WHERE uuid_v7_between(id, NULL, 'infinity') IS NULL"),
	$rows, 'a NULL bound: NULL');
my $share = expected('EXECUTE q(now())', q{SET plan_cache_mode = force_generic_plan;
	PREPARE q AS SELECT FROM event WHERE uuid_v7_between(id, $1, 'infinity')}) / $rows;
ok($share > 0.3 && $share < 0.4, "a generic plan with an open end: a third ($share)");
is(sql(q{SET plan_cache_mode = force_generic_plan; PREPARE q AS
	SELECT count(*) FROM event WHERE uuid_v7_between(id, $1, 'infinity');
	EXECUTE q('-infinity')}), $rows, '... with the same rows');
is(scalar(() = sql("CREATE TABLE s AS SELECT scru160_min(now()) AS id FROM generate_series(1, 9);
		EXPLAIN SELECT FROM s WHERE scru160_between(id, (SELECT ts FROM event LIMIT 1),
			(SELECT ts FROM event LIMIT 1))") =~ /^ +InitPlan \w/gm), 2, 'a sub-select runs once');

# Where the comparison is not a clause of its own relation
about('a subquery with OFFSET', "SELECT FROM (SELECT id FROM event OFFSET 0) AS q WHERE $day");
about('IS TRUE', "SELECT FROM event WHERE ($day) IS TRUE");
about('a MATERIALIZED subquery', "WITH q AS MATERIALIZED (SELECT id FROM event)
	SELECT FROM q WHERE $day")
	if $node->pg_version >= 17;
make('other');
about('OR across two tables', "SELECT FROM event AS e JOIN other USING (i)
	WHERE uuid_v7_between(e.id, now() - interval '2 days', now() - interval '1 day')
	OR other.ts < now() - interval '29 days'");

# Rights, and plans that depend on the function
sql("CREATE ROLE reader; GRANT SELECT ON event TO reader;
	REVOKE EXECUTE ON FUNCTION uuid_v7_between FROM public");
my (undef, undef, $refusal) = $node->psql('postgres',
	"SET ROLE reader; SELECT count(*) FROM event WHERE $day");
like($refusal, qr/permission denied for function uuid_v7_between/, 'the right to execute');
sql('GRANT EXECUTE ON FUNCTION uuid_v7_between TO public');
is(sql("PREPARE q AS SELECT count(*) FROM event WHERE $day; EXECUTE q \\g /dev/null
	BEGIN; CREATE OR REPLACE FUNCTION uuid_v7_between(id uuid, from_ts timestamptz,
		to_ts timestamptz) RETURNS boolean LANGUAGE sql IMMUTABLE RETURN false;
	EXECUTE q; ROLLBACK"), 0, 'a replaced function, in a cached plan');
sql("CREATE DATABASE copy TEMPLATE postgres");
is($node->safe_psql('copy', "CREATE OR REPLACE FUNCTION uuid_v7_between(id uuid,
		from_ts timestamptz, to_ts timestamptz) RETURNS boolean LANGUAGE sql IMMUTABLE RETURN false;
	SELECT count(*) FROM event WHERE $day"), 0, '... and in a new one');

# A function that somebody else created is not taken for one of ours.
sql('CREATE TABLE one AS SELECT uuid_v7_min(now()) AS u, 1::bigint AS b');
for (['uuid_v7_before', 'uuid', 'uuid_v7_between(u'], ['fluid_first', 'bigint', 'fluid_between(b'])
{
	my ($name, $type, $call) = @$_;

	is(sql("CREATE FUNCTION $name(timestamptz) RETURNS $type STABLE LANGUAGE plpgsql AS
			'BEGIN RAISE division_by_zero; END';
		SELECT count(*) FROM one WHERE $call, now() + interval '1 day', 'infinity');
		DROP FUNCTION $name"), 0, "another's $name is not called");
}

# Ends of indexes: which one is read, and what it skips
for (['a partial index', 'CREATE INDEX ON grown (id) WHERE i < 0'],
	['an index of another column', 'CREATE INDEX ON grown (i, id)'],
	['an index of another order', q{
		CREATE OPERATOR FAMILY backwards USING btree;
		CREATE OPERATOR CLASS backwards FOR TYPE uuid USING btree FAMILY backwards AS
			OPERATOR 1 >, OPERATOR 2 >=, OPERATOR 3 =, OPERATOR 4 <=, OPERATOR 5 <,
			FUNCTION 1 backwards(uuid, uuid);
		CREATE INDEX ON grown (id backwards)}],
	['a DESC index', 'CREATE INDEX ON grown (id DESC)'],
	['a BRIN index', 'CREATE INDEX ON grown USING brin (id)'])
{
	my ($what, $index) = @$_;

	sql('CREATE OR REPLACE FUNCTION backwards(uuid, uuid) RETURNS integer LANGUAGE sql
		IMMUTABLE RETURN pg_catalog.uuid_cmp($2, $1)');
	make('grown', $index);
	grow('grown');
	sql('VACUUM grown');
	about("$what, grown and vacuumed", "SELECT FROM grown WHERE $newest");
	about("$what, the middle", "SELECT FROM grown WHERE $day");
	sql('DROP TABLE grown');
}

# Dead rows at the end are not counted, and not searched beyond a limit.
make('dead', 'ALTER TABLE dead ADD PRIMARY KEY (id), ADD filler text;
	ALTER TABLE dead ALTER filler SET STORAGE plain');
grow('dead');
sql("DELETE FROM dead WHERE $newest");
about('dead rows at the end', "SELECT FROM dead WHERE uuid_v7_between(id,
	now() + interval '1 day', now() + interval '2 days')");
is(expected("SELECT FROM dead WHERE $newest"), 1, '... are not counted');
sql("INSERT INTO dead (id, filler) SELECT uuid_v7_from_timestamptz(now() + interval '9 days'
	+ i * interval '1 s'), repeat('x', 5000) FROM generate_series(1, 2000) AS i");
sql("DELETE FROM dead WHERE uuid_v7_between(id, now() + interval '8 days', 'infinity')");
my $pages = sub {
	my ($pages) = sql("SET enable_indexscan = off; SET enable_seqscan = on;
		EXPLAIN (ANALYZE, BUFFERS, SUMMARY OFF, TIMING OFF) SELECT FROM dead WHERE
		uuid_v7_between(id, now() - interval '1 hour', now())") =~ /Planning:\s+Buffers: (.*)/;
	my $sum = 0;
	$sum += $1 while $pages =~ /=(\d+)/g;
	return $sum;
};
cmp_ok($pages->(), '<', 1000, 'a limit of pages of dead rows');

# Most common values, beside a histogram
sql("CREATE TABLE ref AS SELECT CASE WHEN i % 2 = 0 THEN uuid_v7_min(now() - interval '1 day')
		ELSE id END AS id FROM event; ANALYZE ref");
about('a common id', "SELECT FROM ref WHERE uuid_v7_between(id, now() - interval '25 hours',
	now() - interval '23 hours')");
about('beside a common id', "SELECT FROM ref WHERE uuid_v7_between(id, now() - interval '3 days',
	now() - interval '2 days')");
sql('INSERT INTO ref SELECT NULL FROM event; ANALYZE ref');
about('with NULLs', "SELECT FROM ref WHERE uuid_v7_between(id, now() - interval '3 days',
	now() - interval '2 days')");

# The comparisons of scru160, with the constant on either side
sql("CREATE TABLE scru AS SELECT scru160_from_parts(scru160_get_timestamp(scru160_min(ts)), 0, '\\x000102030405060708090a0b') AS id
	FROM event; CREATE INDEX ON scru (id); ANALYZE scru");
about('comparisons of scru160', "SELECT FROM scru WHERE
	id >= scru160_min(now() - interval '25 hours') AND id < scru160_min(now() - interval '24 hours')");
about('a constant on the left', "SELECT FROM scru WHERE
	scru160_min(now() - interval '24 hours') > id AND scru160_min(now() - interval '25 hours') <= id");

sql("CREATE TABLE repeated AS SELECT id, scru160_from_parts(scru160_get_timestamp(scru160_min('2026-01-01'::timestamptz
		+ row_number() OVER () % 500 * interval '1 day')), 0, '\\x000102030405060708090a0b') AS ref
	FROM scru; ANALYZE repeated");
my $ref = sql('SELECT ref FROM repeated LIMIT 1');
about("$_ beside a range", "SELECT FROM repeated WHERE ref $_ '$ref'
	AND scru160_between(id, '-infinity', 'infinity')") for '=', '<>';

# Columns of mixed ids: each within a factor of ten
sql("CREATE TABLE mixed AS
	SELECT gen_random_uuid() AS v4, uuid_v6_from_timestamptz(ts - interval '30 days') AS v6, i::bigint AS n
		FROM event CROSS JOIN generate_series(1, 5)
	UNION ALL SELECT id, id, fluid_from_parts(fluid_get_timestamp(fluid_min(ts)), 1, 1) FROM event WHERE ts > now() - interval '10 days';
	CREATE INDEX ON mixed (v4); CREATE INDEX ON mixed (v6); CREATE INDEX ON mixed (n);
	ANALYZE mixed");
sub mixed
{
	my ($when) = @_;

	for my $bounds ("now() - interval '10 hours', now() + interval '30 minutes'",
		"now() - interval '5 days', now() - interval '4 days'",
		"now() - interval '10 days', now() - interval '9 days'")
	{
		about("v4 and v7, $when", "SELECT FROM mixed WHERE uuid_v7_between(v4, $bounds)", 10);
		about("v6 and v7, $when", "SELECT FROM mixed WHERE uuid_v7_between(v6, $bounds)", 10);
		about("bigserial and FLUID, $when", "SELECT FROM mixed WHERE fluid_between(n, $bounds)", 10);
	}
	return;
}
mixed('fresh');
sql("INSERT INTO mixed SELECT id, id, fluid_from_parts(fluid_get_timestamp(fluid_min(ts)), 1, 1) FROM (SELECT ts,
	uuid_v7_from_timestamptz(ts) AS id FROM (SELECT now() + i * interval '1 s' AS ts
		FROM generate_series(1, 1500) AS i) AS s) AS t");
mixed('grown');
sql("DELETE FROM mixed WHERE fluid_between(n, now() - interval '2 days', 'infinity');
	VACUUM ANALYZE mixed;
	INSERT INTO mixed SELECT id, id, fluid_from_parts(fluid_get_timestamp(fluid_min(ts)), 1, 1) FROM event
		WHERE ts > now() - interval '2 days'");
about("the newest of $_->[0]", "SELECT FROM mixed WHERE $_->[1], now() - interval '10 hours', now())", 3)
	for ['v4 and v7', 'uuid_v7_between(v4'], ['v6 and v7', 'uuid_v7_between(v6'];

# Loaded and analyzed in one session
sql("CREATE TABLE loaded (id uuid, ts timestamptz); CREATE INDEX ON loaded USING brin (id);
	INSERT INTO loaded SELECT id, ts FROM event; ANALYZE loaded;
	EXPLAIN SELECT FROM loaded WHERE $day") =~ /rows=(\d+)/;
cmp_ok(abs($1 - $rows / 30), '<', $rows / 60, 'a table loaded and analyzed in one session');

# Gaps and outliers
make('gap');
sql("INSERT INTO gap SELECT uuid_v7_from_timestamptz(ts), ts FROM
	(SELECT now() + interval '60 days' + i * interval '30 days' / $rows AS ts
		FROM generate_series(1, 1000) AS i) AS s; VACUUM gap");
about('after a gap', "SELECT FROM gap WHERE uuid_v7_between(id, now() + interval '59 days', 'infinity')", 3);
is(expected("SELECT FROM gap WHERE uuid_v7_between(id, now() + interval '20 days',
	now() + interval '40 days')"), 1, 'in the gap');
make('late');
sql("ALTER TABLE late ALTER id SET STATISTICS 1; ANALYZE late; INSERT INTO late
	SELECT uuid_v7_from_timestamptz(now() - interval '30 days' - i * interval '30 days' / $rows)
		FROM generate_series(1, $rows / 30) AS i");
about('older than the first id', "SELECT FROM late WHERE uuid_v7_between(id, '-infinity',
	now() - interval '30 days')");
make('outlier');
grow('outlier');
sql("INSERT INTO outlier SELECT uuid_v7_from_timestamptz(now() + interval '9 years'); VACUUM outlier");
about('below an outlier', "SELECT FROM outlier WHERE uuid_v7_between(id,
	now() + interval '2 days', now() + interval '3 days')");
make('tripled');
sql("INSERT INTO tripled SELECT uuid_v7_from_timestamptz(ts), ts FROM
	(SELECT now() + i * interval '30 days' / $rows AS ts
		FROM generate_series(1, 2 * $rows) AS i) AS s; VACUUM tripled");
about('after growth by 200 %', "SELECT FROM tripled WHERE uuid_v7_between(id,
	now() + interval '50 days', 'infinity')");

# Foreign tables get the comparison.
SKIP:
{
	my $port = $node->port;
	my $host = $node->host;

	skip 'no postgres_fdw', 1
	  if sql(q{SELECT count(*) FROM pg_available_extensions WHERE name = 'postgres_fdw'}) == 0;
	sql("CREATE EXTENSION postgres_fdw; CREATE SERVER far FOREIGN DATA WRAPPER postgres_fdw
		OPTIONS (host '$host', port '$port', dbname 'postgres');
		CREATE USER MAPPING FOR CURRENT_USER SERVER far;
		CREATE FOREIGN TABLE far_away (id bigint OPTIONS (column_name 'n')) SERVER far OPTIONS (table_name 'mixed')");
	sql('ANALYZE far_away');
	like(sql(q{EXPLAIN (VERBOSE, COSTS OFF) SELECT * FROM far_away
			WHERE fluid_between(id, '2026-01-01', '2026-02-01')}),
		qr/Remote SQL: .* WHERE \(\(n >= /, 'a foreign table gets the comparison');
}

# What the session sees of the statistics stays as it is.
my $session = session($node);
$session->query(sprintf 'BEGIN; EXPLAIN SELECT FROM event WHERE %s', $newest);
sql('INSERT INTO event SELECT uuid_v7_from_timestamptz(now()); SELECT pg_stat_force_next_flush()');
is($session->query(q{SELECT pg_stat_get_tuples_inserted('event'::regclass)}), $rows + 1,
	'planning does not keep the counters of a table');

# Another extension's hook, loaded before or after flakeid
SKIP:
{
	my $module = $node->basedir . '/peer';
	my $told = sql(q{SELECT setting FROM pg_config WHERE name = 'INCLUDEDIR-SERVER'});

	# A server that was copied elsewhere does not know the place of its headers.
	my ($include) = grep { -e "$_/postgres.h" } $told, $told =~ s{.*(?=/usr/)}{}r;

	append_to_file("$module.c", q{
		#include "postgres.h"
		#include "fmgr.h"
		#include "utils/selfuncs.h"
		PG_MODULE_MAGIC;
		extern __attribute__((visibility("default"))) void _PG_init(void);
		static get_relation_stats_hook_type next_hook;
		static bool
		peer(PlannerInfo *root, RangeTblEntry *rte, AttrNumber attnum, VariableStatData *variable)
		{
			elog(NOTICE, "peer asked");
			return next_hook && next_hook(root, rte, attnum, variable);
		}
		void
		_PG_init(void)
		{
			next_hook = get_relation_stats_hook;
			get_relation_stats_hook = peer;
		}
	});
	skip 'no compiler', 4
	  if !$include || system("\${CC:-cc} -shared -fPIC -I '$include' -o $module.so $module.c 2>/dev/null");
	for my $loads ("LOAD '$module.so'; LOAD 'flakeid'", "LOAD 'flakeid'; LOAD '$module.so'")
	{
		my (undef, $plan, $notice) = $node->psql('postgres',
			"$loads; EXPLAIN SELECT FROM other WHERE $day");

		like($notice, qr/peer asked/, "another hook is called: $loads");
		$plan =~ /rows=(\d+)/;
		cmp_ok(abs($1 - $rows / 30), '<', $rows / 60, '... and so is ours');
	}
}

# Planning time grows with the number of comparisons, not with its square: in a
# query without ranges, and in one with a range.
sub seconds_for
{
	my ($setup, $condition, $count) = @_;
	my $arms = join ' OR ', map { ($_ % 2 ? 'a' : 'b') . " = $_" } 1 .. $count;

	return min(map {
		sql("$setup; EXPLAIN (SUMMARY) SELECT FROM plain WHERE $condition AND ($arms)")
		  =~ /Planning Time: ([\d.]+)/;
		$1 } 1 .. 3);
}
sql("CREATE TABLE plain AS SELECT i AS a, i::bigint AS b, id, ts FROM other; ANALYZE plain");
my $without = seconds_for('', 'ts > now()', 4000);
for (['a query without ranges, after one', "EXPLAIN SELECT FROM other WHERE $day", 'ts > now()'],
	['a query with a range', '', $day])
{
	my ($what, @query) = @$_;
	my $with = seconds_for(@query, 4000);

	cmp_ok($with, '<', 20 * $without, "4,000 comparisons in $what: $with ms, otherwise $without ms");
}

done_testing();
