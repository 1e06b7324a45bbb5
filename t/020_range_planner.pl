# Time ranges and the planner: what the support function and the hook do besides
# estimating, and what they do not touch.

use FlakeidTest;
use List::Util qw(max);

my $node = new_node('range_planner', "max_parallel_workers_per_gather = 0\njit = off\n");
my $rows = 20000;

sub sql { my ($query, %options) = @_; return $node->safe_psql('postgres', $query, %options); }

# A time, in days after the last row that ANALYZE has seen
my $end = sql(q{SELECT now() - interval '3 days'});
sub at { return sprintf q{'%s'::timestamptz + interval '%s days'}, $end, shift; }
sub between { my ($from, $to, $id) = @_; return sprintf 'uuid_v7_in_range(%s, %s, %s)',
	$id // 'id', at($from), at($to); }

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

	ok(max($expected / $there, $there / $expected) <= ($factor // 2),
		"$what: $expected of $there rows");
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
my $newest = sprintf q{uuid_v7_in_range(id, %s, 'infinity')}, at(2);

make('event');
make('other');

# A subquery numbers its columns in its own way: what is at that number in the
# table is not read, be it an address, and its rows are not told.
sql(q{CREATE TABLE w (k bigint, id uuid); CREATE TABLE bag (secret uuid, id uuid, s text);
CREATE ROLE reader; GRANT SELECT (id) ON bag TO reader;
	INSERT INTO w SELECT 4702111234474983745 + g, uuid_generate_v7() FROM generate_series(1,
		10000) AS g;
	INSERT INTO bag SELECT uuid_v7_min(now() - g * interval '1 min'),
		uuid_v7_min(now() - g * interval '10 s'), repeat(g::text, 9)
		FROM generate_series(1, 10000) AS g; ANALYZE w, bag});
for ('(SELECT id FROM % OFFSET 0)', '(SELECT id FROM % ORDER BY id LIMIT 10000)',
	'(SELECT id, count(*) OVER () FROM %)',
	'(WITH q AS MATERIALIZED (SELECT id FROM %) SELECT * FROM q)', '(SELECT id FROM % FOR UPDATE)',
	'(SELECT a.id FROM % AS a JOIN % AS b ON a.id = b.id OFFSET 0)')
{
	my $range = q{s WHERE uuid_v7_in_range(id, now() - interval '1 hour', 'infinity')};

	is(sql('SELECT count(*) FROM ' . s/%/w/gr . $range), 10000, "$_ does not crash");
	next if /UPDATE/;
	my $expected = expected('SELECT FROM ' . s/%/bag/gr . $range, 'SET ROLE reader');
	# Before 17, the server looks for no statistics behind a CTE.
	ok($expected > (/MATERIALIZED/ && $node->pg_version < 17 ? 40 : 270) && $expected < 450,
		"... and tells of the column alone: $expected");
}

# Bounds that are not known, or NULL, until execution
my $unset = "SELECT count(*) FROM event WHERE uuid_v7_in_range(id,
	current_setting('x.y', true)::timestamptz, now())";
is(sql("EXPLAIN $unset; $unset") =~ s/.* rows=(\d+)\b.*\n/$1 /sr, '1 0',
	'a NULL bound of a STABLE expression');
is(sql("SELECT count(*) FROM event WHERE uuid_v7_in_range(id, NULL, 'infinity') IS NULL"),
	$rows, 'a NULL bound: NULL');
my $generic = q{SET plan_cache_mode = force_generic_plan;
	PREPARE q AS SELECT count(*) FROM event WHERE uuid_v7_in_range(id, $1, 'infinity');};
my ($share) = sql("$generic EXPLAIN EXECUTE q(now())") =~ / on event .* rows=(\d+)/;
my ($of_timestamptz) = sql(q{SET plan_cache_mode = force_generic_plan;
	PREPARE q AS SELECT FROM event WHERE ts >= $1 AND ts < 'infinity'; EXPLAIN EXECUTE q(now())})
		=~ / rows=(\d+)/;
# 0.5 % as a range, where the server finds that it is one: not with the
# floating-point numbers of i386.
is($share, $of_timestamptz == $rows * 0.005 ? $of_timestamptz : sprintf('%.0f', $rows / 3),
	'a generic plan with an open end, as of a timestamptz');
is(sql("$generic EXECUTE q('-infinity')"), $rows, '... with the same rows');
is(scalar(() = sql("CREATE TABLE s AS SELECT scru160_min(now()) AS id FROM generate_series(1, 9);
		EXPLAIN SELECT FROM s WHERE scru160_in_range(id, (SELECT ts FROM event LIMIT 1),
			(SELECT ts FROM event LIMIT 1))") =~ /^ +InitPlan \w/gm), 2, 'a sub-select runs once');

# Rights, and plans that depend on the function
sql("GRANT SELECT ON event TO reader;
	REVOKE EXECUTE ON FUNCTION uuid_v7_in_range FROM public");
my (undef, undef, $refusal) = $node->psql('postgres',
	"SET ROLE reader; SELECT count(*) FROM event WHERE $day");
like($refusal, qr/permission denied for function uuid_v7_in_range/, 'the right to execute');
sql('GRANT EXECUTE ON FUNCTION uuid_v7_in_range TO public');
my $replace = 'CREATE OR REPLACE FUNCTION uuid_v7_in_range(id uuid, from_ts timestamptz,
	to_ts timestamptz) RETURNS boolean LANGUAGE sql IMMUTABLE RETURN false';
is(sql("CREATE FUNCTION that_day(id uuid) RETURNS boolean LANGUAGE sql STABLE RETURN $day;
	PREPARE q AS SELECT count(*) FROM event WHERE that_day(id); EXECUTE q \\g /dev/null
	BEGIN; $replace; EXECUTE q; ROLLBACK"), 0, 'a replaced function, in a cached plan');
is(sql("BEGIN; $replace; SELECT count(*) FROM event WHERE $day; ROLLBACK"), 0,
	'... and in a new one');

# Functions of ours are not known by their names: neither moved nor renamed ones
# are mistaken for those that somebody else puts in their place.
for ('uuid_v7_min(timestamptz) SET SCHEMA others', 'uuid_v7_min(timestamptz) RENAME TO v7_first',
	'uuid_v7_in_range(uuid, timestamptz, timestamptz) RENAME TO v7_in_range')
{
	my $range = /TO v7_in_range/ ? $newest =~ s/uuid_v7/v7/r : $newest;

	is(sql("BEGIN; CREATE SCHEMA others; ALTER FUNCTION $_;
		CREATE FUNCTION " . (/TO v7_in_range/ ? 'v7_min' : 'uuid_v7_min')
			. "(timestamptz) RETURNS text STABLE
			LANGUAGE plpgsql AS 'BEGIN RAISE division_by_zero; END';
		SELECT count(*) FROM event WHERE $range; ROLLBACK"), 0, "an impostor: $_");
}

# A bound is evaluated where the server estimates a comparison with it, and
# nowhere else: with and without estimates, and with timestamptz, queries fail
# alike, and a STABLE function is called at most twice as often, or 2.5 times.
sql(q{CREATE FUNCTION raising() RETURNS timestamptz LANGUAGE plpgsql STABLE AS
		$$ BEGIN RAISE division_by_zero; END $$;
	CREATE SEQUENCE calls;
	CREATE FUNCTION counted() RETURNS timestamptz LANGUAGE plpgsql STABLE AS
		$$ BEGIN PERFORM nextval('calls'); RETURN now() - interval '5 days'; END $$;
	CREATE TABLE pruned (id uuid, ts timestamptz, i integer, other uuid,
		stamp timestamptz) PARTITION BY RANGE (i);
	CREATE TABLE pruned_1 PARTITION OF pruned FOR VALUES FROM (0) TO (100);
	CREATE TABLE pruned_2 PARTITION OF pruned FOR VALUES FROM (100) TO (1000000);
	INSERT INTO pruned SELECT id, ts, i, id, ts FROM event;
	CREATE TABLE heir () INHERITS (event); INSERT INTO heir SELECT * FROM other;
	CREATE INDEX ON pruned (id); CREATE INDEX ON pruned (ts); ANALYZE});

# The query with ids, and with timestamps: { } stand for _min
sub both_types { my ($query) = @_; return $query =~ s/\{/uuid_v7_min(/gr =~ s/\}/)/gr,
	$query =~ s/\{/(/gr =~ s/\}/)/gr =~ s/\bid\b/ts/gr =~ s/\bother\b/stamp/gr; }
sub outcome
{
	my ($query, $enabled) = @_;
	my (undef, $out, $error) = $node->psql('postgres',
		"SET flakeid.enable_range_estimates = $enabled; $query");
	return $error =~ /ERROR: *(.*)/ ? $1 : $out;
}
sub calls
{
	my ($query, $enabled) = @_;
	my $before = sql(q{SELECT nextval('calls')});
	sql("SET flakeid.enable_range_estimates = $enabled; EXPLAIN $query");
	return sql(q{SELECT nextval('calls')}) - $before - 1;
}
for ('SELECT count(*) FROM (SELECT id FROM pruned WHERE i < 0 AND id >= {?} GROUP BY id) AS s',
	'SELECT count(*) FROM (SELECT DISTINCT id FROM pruned WHERE i < 0 AND id >= {?}) AS s',
	'SELECT count(*) FROM (SELECT id FROM event GROUP BY id HAVING id < {now()} AND id > {?} AND
		false) AS s',
	'SELECT count(*) FROM (SELECT id FROM event WHERE i < 5 GROUP BY id HAVING count(*) > 1 OR
		id > {?}) AS s',
	'SELECT count(*) FROM event AS a JOIN event AS b USING (i) WHERE i < 0 AND (a.id > {?} OR
		b.id > {now()})',
	'SELECT count(*) FROM ONLY event WHERE i < 5 AND id < {?}',
	'SELECT count(*) FROM event WHERE i < 5 AND id < {?} AND id < {now()}',
	'SELECT count(*) FROM pruned WHERE i = 1 AND (id < {?} OR other < {now()})',
	'SELECT count(*) FROM pruned WHERE i = 1 AND other < {now()} ORDER BY 1',
	'SELECT count(*) FROM (SELECT id FROM event OFFSET 0) AS s WHERE id < {?}',
	'SELECT count(*) FROM event WHERE CASE WHEN i > 1000000 THEN id > {?} ELSE false END',
	'SELECT count(*) FROM event WHERE (id, i) > ({?}, 5)',
	'SELECT count(*) FROM event WHERE (id > {?}) IS TRUE',
	'SELECT count(*) FROM event WHERE (id > {?} AND id < {?}) IS TRUE',
	'WITH u AS (UPDATE event AS e SET i = e.i FROM pruned AS p WHERE p.i < 0 AND e.i = p.i AND
		e.id < {?} AND p.other < {?} RETURNING e.i) SELECT count(*) FROM u')
{
	my ($of_ids, $of_times) = both_types(s/\?/raising()/gr);

	is(outcome("EXPLAIN (COSTS OFF) $of_ids", 'on') =~ /division/ || 0,
		outcome("EXPLAIN (COSTS OFF) $of_times", 'on') =~ /division/ || 0,
		"as with timestamptz: $_");
	is(outcome($of_ids, 'on'), outcome($of_ids, 'off'), '... and as without estimates');
	($of_ids, $of_times) = both_types(s/\?/counted()/gr);
	my ($on, $off) = (calls($of_ids, 'on'), calls($of_ids, 'off'));
	# The hook evaluates it in addition to the server, which does not take its word;
	# and within an expression, once more for the share of nulls of a range.
	ok($on >= $off && $on <= (/AND.*IS TRUE/ ? 2.5 : 2) * $off,
		"... with $on calls of a STABLE bound, $off without estimates");
}
sql("CREATE FUNCTION late() RETURNS timestamptz LANGUAGE plpgsql STABLE AS \$\$
	BEGIN
		PERFORM FROM other WHERE uuid_v7_in_range(id, now(), now());
		RETURN " . at(-2) . '; END $$');
about('a bound that plans a range',
	sprintf q{SELECT FROM event WHERE uuid_v7_in_range(id, late(), %s)}, at(-1));
sql(q{CREATE TABLE lost AS SELECT * FROM other; ANALYZE lost;
	CREATE FUNCTION lose() RETURNS void LANGUAGE plpgsql AS
		'BEGIN ALTER TABLE lost DROP IF EXISTS id; END';
	CREATE FUNCTION losing() RETURNS timestamptz LANGUAGE plpgsql STABLE AS
		'BEGIN PERFORM lose(); RETURN now(); END'});
my $lost = 'BEGIN; SELECT i FROM lost WHERE id > uuid_v7_min(losing()) LIMIT 0; ROLLBACK';
is(outcome($lost, 'on'), outcome($lost, 'off'), 'a bound that drops the column');

# Ends of indexes: when one is read, and which one.  A wrong one has no newer ids.
my $scans = 'SELECT '
	. sql(q{SELECT min(proname) FROM pg_proc
		WHERE proname ~ '^pg_stat_get_xact_(idx_)?numscans$'}) .
	q{('event_pkey'::regclass)};
is(join(' ', grep { /^\d+$/ } split /\n/, sql("BEGIN; EXPLAIN SELECT FROM event WHERE $day; $scans;
	EXPLAIN SELECT FROM event WHERE $newest; $scans; COMMIT")), '0 1',
	'the index is read only for a range beyond the histogram');
make('added', '', $grow->('added'));
is(join(' ', grep { /^\d+$/ } split /\n/, sql("BEGIN; EXPLAIN SELECT FROM added WHERE $day; "
		. "EXPLAIN SELECT FROM added WHERE $day OR " . between(-20, -10) . '; '
		. $scans =~ s/event/added/r . "; EXPLAIN SELECT FROM added WHERE $newest; "
		. $scans =~ s/event/added/r . '; COMMIT')), '0 1', '... also if the table has grown');
make('ahead', '', $grow->('ahead'),
	"INSERT INTO ahead SELECT uuid_v7_min(now() + interval '9 years')");
about('new rows before an id far ahead', 'SELECT FROM ahead WHERE ' . between(1, 2));
sql('CREATE FUNCTION backwards(uuid, uuid) RETURNS integer LANGUAGE sql
		IMMUTABLE RETURN pg_catalog.uuid_cmp($2, $1);
	CREATE OPERATOR FAMILY backwards USING btree;
	CREATE OPERATOR CLASS backwards FOR TYPE uuid USING btree FAMILY backwards AS
		OPERATOR 1 >, OPERATOR 3 =, OPERATOR 5 <, FUNCTION 1 backwards(uuid, uuid)');
make('grown', 'CREATE INDEX ON grown (id backwards)', $grow->('grown'));
cmp_ok(expected("SELECT FROM grown WHERE $newest"), '<=', 2,
	'an index of another order is not read');
make('begun', '', 'DELETE FROM begun WHERE i < 150', 'VACUUM begun');
about('before the oldest, after VACUUM', 'SELECT FROM begun WHERE ' . between(-31, -29.8));

# Dead rows at the end are not counted, and not searched beyond a limit.
make('dead', 'ALTER TABLE dead ADD PRIMARY KEY (id), ADD filler text;
	ALTER TABLE dead ALTER filler SET STORAGE plain', $grow->('dead'),
		"DELETE FROM dead WHERE $newest");
about('dead rows at the end', 'SELECT FROM dead WHERE ' . between(1, 2));
is(expected("SELECT FROM dead WHERE $newest"), 1, '... are not counted');
sql(sprintf q{INSERT INTO dead (id, filler) SELECT uuid_v7_from_timestamptz(%s
	+ i * interval '1 s'), repeat('x', 5000) FROM generate_series(1, 2000) AS i;
	DELETE FROM dead WHERE %s}, at(2.5), $newest);
my ($buffers) =
	sql("EXPLAIN (ANALYZE, BUFFERS, SUMMARY OFF, TIMING OFF) SELECT FROM dead WHERE $newest")
	=~ /.*Planning:\s+Buffers: ([^\n]*)/s;
my $pages = 0;
$pages += $1 while $buffers =~ /=(\d+)/g;
cmp_ok($pages, '<', 400, 'a limit of pages of dead rows and their index');

# Statistics of the groups of a join; and GEQO frees memory.
cmp_ok(expected(sprintf('SELECT FROM event AS r, event WHERE %s OR r.i = 0
	GROUP BY r.id HAVING count(*) = 1 OR %1$s',
	between(-3, -2, 'r.id')), 'SET geqo_threshold = 2'), '>', 1,
	'HAVING, after GEQO has freed its memory');
is(sql("SELECT count(*) FROM event WHERE $day AND
	CASE WHEN current_setting('x.y', true) <> '' THEN id > current_setting('x.y')::uuid
	ELSE true END") > 0, 1, 'a bound in a CASE');
make('brin', 'CREATE INDEX ON brin USING brin (i, id); CREATE INDEX ON brin USING brin (id)');
about('BRIN indexes', "SELECT FROM brin WHERE i > 0 AND $day");
about('a subquery of them', "SELECT FROM (SELECT id FROM brin OFFSET 0) AS s WHERE $day");

# An index that does not ask the hook itself does not stop other questions.
make('hashed', 'CREATE INDEX ON hashed USING hash (id)');
about('a subquery of a table with a hash index',
	"SELECT FROM (SELECT id FROM hashed OFFSET 0) AS s WHERE $day");

# Foreign tables get the comparison.
SKIP:
{
	my ($host, $port) = ($node->host, $node->port);

	skip 'no postgres_fdw', 1
	  if sql(q{SELECT count(*) FROM pg_available_extensions WHERE name = 'postgres_fdw'}) == 0;
	sql("CREATE EXTENSION postgres_fdw; CREATE SERVER far FOREIGN DATA WRAPPER postgres_fdw
		OPTIONS (host '$host', port '$port', dbname 'postgres');
		CREATE USER MAPPING FOR CURRENT_USER SERVER far;
		CREATE FOREIGN TABLE far_away (n uuid OPTIONS (column_name 'id')) SERVER far OPTIONS
			(table_name 'event');
		ANALYZE far_away");
	like(sql(q{EXPLAIN (VERBOSE, COSTS OFF) SELECT * FROM far_away
			WHERE uuid_v7_in_range(n, '2026-01-01', '2026-02-01')}),
		qr/Remote SQL: .* WHERE \(\(id >= /, 'a foreign table gets the comparison');
	about('a foreign table', 'SELECT FROM far_away WHERE ' . between(-2, -1, 'n'));
}

# Another extension's hook, loaded before or after flakeid, and its hypothetical
# indexes.  To estimate the cost of a BRIN index, the server calls the hooks with an
# uninitialized VariableStatData.  The other extension fills it with invalid pointers,
# so that a hook that reads it crashes the server.
SKIP:
{
	my $module = $node->basedir . '/peer';
	my $told = sql(q{SELECT setting FROM pg_config WHERE name = 'INCLUDEDIR-SERVER'});

	# A server that was copied elsewhere does not know the place of its headers.
	my ($include) = grep { -e "$_/postgres.h" } $told, $told =~ s{.*(?=/usr/)}{}r;

	append_to_file("$module.c", q{
		#include "postgres.h"
		#include "fmgr.h"
		#include "catalog/pg_am_d.h"
		#include "catalog/pg_type_d.h"
		#include "optimizer/pathnode.h"
		#include "optimizer/plancat.h"
		#include "utils/index_selfuncs.h"
		#include "utils/selfuncs.h"
		PG_MODULE_MAGIC;
		extern __attribute__((visibility("default"))) void _PG_init(void);
		static get_relation_stats_hook_type next_hook;
		static int	brin_clauses;
		static void
		brin_cost(PlannerInfo *root, IndexPath *path, double loop_count, Cost *startup_cost,
				  Cost *total_cost, Selectivity *selectivity, double *correlation, double *pages)
		{
			brin_clauses = list_length(path->indexclauses);
			brincostestimate(root, path, loop_count, startup_cost, total_cost, selectivity,
							 correlation, pages);
			brin_clauses = 0;
		}
		static bool
		peer(PlannerInfo *root, RangeTblEntry *rte, AttrNumber attnum, VariableStatData *variable)
		{
			elog(NOTICE, "peer asked for %d", attnum);
			if (brin_clauses > 0)
			{
				elog(NOTICE, "uninitialized for %d", attnum);
				brin_clauses--;
				memset(variable, 0x7f, sizeof *variable);
				variable->vartype = UUIDOID;
			}
			return next_hook && next_hook(root, rte, attnum, variable);
		}
		#if PG_VERSION_NUM >= 190000
		#define get_relation_info_hook build_simple_rel_hook
		#define ARGUMENTS PlannerInfo *root, RelOptInfo *rel, RangeTblEntry *rte
		#else
		#define ARGUMENTS PlannerInfo *root, Oid relid, bool inh, RelOptInfo *rel
		#endif
		static void
		hypothesize(ARGUMENTS)
		{
			ListCell *lc;

			foreach(lc, rel->indexlist)
			{
				IndexOptInfo *index = lfirst(lc);

				if (index->relam == BRIN_AM_OID)
					index->amcostestimate = (void *) brin_cost;
				else
				{
					index->hypothetical = true;
					index->indexoid = InvalidOid;
				}
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
	skip 'no compiler', 7
	  if !$include
	    || system("\${CC:-cc} -shared -fPIC -I '$include' -o $module.so $module.c 2>/dev/null");
	my $no_index = join '', map { "SET enable_$_ = off;" } qw(indexscan bitmapscan indexonlyscan);

	for my $loads ("LOAD '$module.so'; LOAD 'flakeid'", "LOAD 'flakeid'; LOAD '$module.so'")
	{
		my (undef, $plan, $notice) = $node->psql('postgres',
			"$loads; $no_index EXPLAIN SELECT FROM other WHERE $day;
			EXPLAIN SELECT FROM other WHERE i = 1");

		like($notice, qr/for 1\b.*for 3\b/s,
			"another hook is called, also without a range: $loads");
		$plan =~ /rows=(\d+)/;
		cmp_ok(abs($1 - $rows / 30), '<', $rows / 60, '... and so is ours');
	}
	is($node->psql('postgres', "LOAD '$module.so'; LOAD 'flakeid'; $no_index
		EXPLAIN SELECT FROM other WHERE $newest"), 0, 'a hypothetical index is not read');

	my ($status, undef, $notice) = $node->psql('postgres', "LOAD '$module.so'; LOAD 'flakeid';
		EXPLAIN SELECT FROM brin WHERE i > 0 AND $day");

	is($status, 0, 'an uninitialized struct is not read');
	like($notice, qr/uninitialized for 1\b.*uninitialized for 3\b/s,
		'... although the server asks for both columns of a BRIN index');
}

done_testing();
