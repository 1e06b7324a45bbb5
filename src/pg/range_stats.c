/*
 * range_stats.c
 *		Estimate the fraction of a table's rows whose id is below a bound.
 *
 * The server interpolates within histogram bins only for built-in types, and
 * assumes no rows beyond the last one seen by ANALYZE.  Here ids are
 * interpolated by their first 64 bits.  Rows newer than that are assumed to
 * have arrived at the recent rate, up to the greatest id in the index.  In a
 * column of mixed ids, those that are not times are told by their bounds.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/itup.h"
#include "access/relscan.h"
#include "access/stratnum.h"
#include "access/table.h"
#include "access/tableam.h"
#include "catalog/pg_am_d.h"
#include "catalog/pg_statistic.h"
#include "catalog/pg_type_d.h"
#include "executor/instrument.h"
#include "executor/tuptable.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "storage/bufmgr.h"
#include "utils/fmgrprotos.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/selfuncs.h"
#include "utils/snapmgr.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"
#include "utils/typcache.h"

#include "format/base.h"
#include "format/scru160.h"
#include "format/uuid.h"
#include "pg/clock.h"
#include "pg/range.h"

/*
 * Pages of index and heap that are read for an end; of these at one place, and
 * about on the way to it; and dead rows there.
 */
#define MAX_PAGES_OF_END	64
#define MAX_PAGES_AT_PLACE	6
#define PAGES_TO_PLACE		4
#define MAX_DEAD_AT_PLACE	16

/* Bins at an end in which bounds have the index read, as the server has it */
#define END_BINS	2

/* Nearly DEFAULT_INEQ_SEL, which the server takes for no estimate */
#define WITHOUT_STATISTICS	0.3334

/*
 * Ids below these are not times, but UUIDv4, or numbers of a sequence: times
 * from 2000 on, and 64-bit ids from a minute after their epoch on.  Nor are
 * UUIDs of more than an hour ahead.
 */
#define LEAST_UNIX_S	INT64CONST(946684800)
#define LEAST_FLAKE		(INT64CONST(1) << 40)

/* First 64 bits of an id, as a number in the same order. */
uint64
flakeid_id_key(Oid type, Datum id)
{
	if (type == INT8OID)
		return (uint64) DatumGetInt64(id) ^ UINT64CONST(1) << 63;
	return flake_load_be64((unsigned char *) DatumGetPointer(id));
}

/* Least value with this key; of the greatest key, the greatest value. */
Datum
flakeid_id_datum(Oid type, uint64 key)
{
	unsigned char *id;

	if (type == INT8OID)
		return Int64GetDatum((int64) (key ^ UINT64CONST(1) << 63));
	id = palloc(FLAKE_SCRU160_BYTES);
	memset(id, key == UINT64_MAX ? 0xff : 0, FLAKE_SCRU160_BYTES);
	flake_store_be64(id, key);
	return PointerGetDatum(id);
}

/* Version of a UUID; otherwise 0. */
int
flakeid_id_version(Oid type, uint64 key)
{
	return type == UUIDOID ? (int) (key >> 12 & 15) : 0;
}

/* Is the key that of the bound of an infinite time? */
bool
flakeid_is_infinite(Oid type, uint64 key)
{
	return key == UINT64_MAX ||
		(type == INT8OID ? key == UINT64CONST(1) << 63 : key >> 16 == 0);
}

/*
 * A full btree whose first key is the column, in the order of its ids or the
 * reverse of it.  A hypothetical index has no rows, nor has a parent.
 */
static IndexOptInfo *
index_of(const FlakeidColumn *column)
{
	Oid			family = lookup_type_cache(column->type,
										   TYPECACHE_BTREE_OPFAMILY)->btree_opf;
	ListCell   *lc;

	foreach(lc, column->rte->inh ? NIL : column->rel->indexlist)
	{
		IndexOptInfo *index = lfirst_node(IndexOptInfo, lc);

		if (index->relam == BTREE_AM_OID && index->indpred == NIL &&
			!index->hypothetical && index->reverse_sort != NULL &&
			index->indexkeys[0] == column->attnum &&
			index->opfamily[0] == family)
			return index;
	}
	return NULL;
}

/* The index of a column, being read */
typedef struct Reading
{
	Oid			type;
	int			version;		/* of times, if other UUIDs can be among them */
	bool		is_reverse;
	Relation	table;
	Relation	index;
	TupleTableSlot *slot;
	int64		pages;			/* that may still be read */
} Reading;

/* Number of pages that this process has read. */
static int64
pages_read(void)
{
	return pgBufferUsage.shared_blks_hit + pgBufferUsage.shared_blks_read +
		pgBufferUsage.local_blks_hit + pgBufferUsage.local_blks_read;
}

/*
 * The first time from a place on, upward or downward, that is visible to any
 * transaction; the second, if nearer to a known time: the first is an outlier.
 * 0 if the limits are reached.  The place moves to the last id read.
 *
 * The server reads in this way for types that it can interpolate, in
 * get_actual_variable_range(), but skips rows known as dead, in any number of
 * pages.  The comparison excludes nulls, too.
 */
static uint64
read_at(Reading *reading, bool upward, uint64 *place, uint64 known)
{
	Oid			type = reading->type;
	StrategyNumber strategy = upward ? BTGreaterEqualStrategyNumber :
		BTLessEqualStrategyNumber;
	ScanDirection direction = upward == reading->is_reverse ?
		BackwardScanDirection : ForwardScanDirection;
	Oid			operator = get_opfamily_member(reading->index->rd_opfamily[0],
											   type, type, strategy);
	SnapshotData snapshot = {0};
	ScanKeyData condition;
	IndexScanDesc scan;
	int64		most = Min(MAX_PAGES_AT_PLACE, reading->pages);
	int64		before = 0;
	int64		pages = 0;		/* after the first id: before, the catalogs are read, too */
	uint64		first = 0;
	int			visible = 0;
	int			dead = 0;
	Datum		id;
	bool		is_null;

	InitNonVacuumableSnapshot(snapshot, GlobalVisTestFor(reading->table));
	ScanKeyInit(&condition, 1, strategy, get_opcode(operator),
				flakeid_id_datum(type, *place));
	scan = flakeid_index_beginscan(reading->table, reading->index, &snapshot, 1);
	scan->xs_want_itup = true;
	scan->ignore_killed_tuples = false;
	index_rescan(scan, &condition, 1, NULL, 0);
	while (visible < 2 && dead < MAX_DEAD_AT_PLACE && pages < most &&
		   index_getnext_tid(scan, direction) != NULL)
	{
		CHECK_FOR_INTERRUPTS();
		before = before > 0 ? before : pages_read();
		id = index_getattr(scan->xs_itup, 1, scan->xs_itupdesc, &is_null);
		*place = flakeid_id_key(type, id);
		if (reading->version == 0 || flakeid_id_version(type, *place) == reading->version)
		{
			if (!index_fetch_heap(scan, reading->slot))
				dead++;
			else if (visible++ == 0)
				first = *place;
		}
		pages = pages_read() - before;
	}
	reading->pages -= pages + PAGES_TO_PLACE;
	index_endscan(scan);
	if (visible < 2)
		return 0;
	return (*place > first / 2 + known / 2) == upward ? *place : first;
}

/*
 * The least or the greatest time in the table: the first one from a place on,
 * upward or downward, but not beyond a known one.  If many dead rows or other
 * ids come first, halve the way, at a bound of the histogram first.
 */
static uint64
find_end(Reading *reading, bool upward, uint64 from, uint64 bound, uint64 known)
{
	uint64		end = read_at(reading, upward, &from, known);
	uint64		to = known;
	uint64		middle;
	uint64		place;
	uint64		found;

	if (end > 0)
		return end;
	end = known;
	middle = (from < bound) == upward ? bound : from / 2 + to / 2;
	for (; (from < to) == upward && reading->pages > 0; middle = from / 2 + to / 2)
	{
		place = middle;
		found = read_at(reading, upward, &place, known);
		if (found > 0 && (found < to) == upward)
		{
			end = found;
			to = middle;
		}
		else
			from = upward ? Max(place, middle + 1) : Min(place, middle - 1);
	}
	return end;
}

/* Key of a UUID's first id of a time; "otherwise" for other versions and types */
static uint64
key_of_time(int version, int64 unix_s, uint64 otherwise)
{
	FlakeInstant time = {.unix_s = unix_s};

	return version == 6 || version == 7 ?
		flake_uuid_min(version, time).high : otherwise;
}

/*
 * Rows inserted since ANALYZE, at most, in bins: what the table has grown by,
 * or, since VACUUM hides that, what its counters say, unless these include the
 * rows that ANALYZE saw, in the transaction that inserted them.  The
 * transaction does not keep counters, as it does when a query reads them.
 */
static double
growth_of(const FlakeidColumn *column, Relation table)
{
	double		rows = column->rel->tuples;
	double		added = Max(rows - Max(table->rd_rel->reltuples, 1), 0);
	Datum		table_oid = ObjectIdGetDatum(column->rte->relid);
	int			consistency = pgstat_fetch_consistency;
	int64		changed;
	int64		inserted;

	pgstat_fetch_consistency = PGSTAT_FETCH_CONSISTENCY_NONE;
	changed = DatumGetInt64(DirectFunctionCall1(pg_stat_get_mod_since_analyze, table_oid));
	inserted = DatumGetInt64(DirectFunctionCall1(pg_stat_get_tuples_inserted, table_oid));
	pgstat_fetch_consistency = consistency;
	if (changed < inserted)
		added = Max(added, changed);
	return (column->histogram.count - 1) * added / Max(rows - added, 1);
}

/*
 * Read the ends of the index.  Like the server, do so only for bounds near the
 * first or last bin, or beyond; also if the range has no upper bound and the
 * table has grown, and in a column with few times.
 */
static void
read_ends(FlakeidColumn *column, uint64 least, uint64 greatest)
{
	FlakeHistogram *histogram = &column->histogram;
	const uint64 *bounds = histogram->bounds;
	int			first = histogram->first;
	int			last = histogram->last;
	uint64		early = bounds[Min(first + END_BINS, histogram->count - 1)];
	uint64		late = bounds[last - first < END_BINS ? last : last - END_BINS];
	bool		asks_start = histogram->few || column->least < early;
	bool		asks_end = histogram->few || column->greatest > late;
	IndexOptInfo *chosen = index_of(column);
	Reading		reading = {.type = column->type,.pages = MAX_PAGES_OF_END};

	if (chosen == NULL || !(asks_start || asks_end || column->is_open))
		return;
	reading.version = least > 0 ? column->version : 0;
	reading.is_reverse = chosen->reverse_sort[0];
	reading.table = table_open(column->rte->relid, NoLock);
	reading.index = index_open(chosen->indexoid, NoLock);
	reading.slot = table_slot_create(reading.table, NULL);
	histogram->growth = growth_of(column, reading.table);
	if (asks_end || (column->is_open && histogram->growth > 0))
		histogram->end = find_end(&reading, false, greatest, bounds[last], late);
	if (last < first && histogram->end <= bounds[last])
		histogram->end = 0;
	if (histogram->growth > 0 && histogram->end > bounds[last])
		histogram->resumed = find_end(&reading, true, bounds[last] + 1, bounds[last],
									  histogram->end);
	reading.pages = MAX_PAGES_OF_END;
	if (asks_start)
		histogram->start = find_end(&reading, true, least,
									bounds[Min(first, histogram->count - 1)],
									last - first < END_BINS ? histogram->end : early);
	ExecDropSingleTupleTableSlot(reading.slot);
	index_close(reading.index, NoLock);
	table_close(reading.table, NoLock);
}

/* Load the statistics; without times in a histogram, it has no knots. */
void
flakeid_load_column(FlakeidColumn *column)
{
	Oid			type = column->type;
	uint64		least = type == INT8OID ?
		flakeid_id_key(type, Int64GetDatum(LEAST_FLAKE)) :
		key_of_time(column->version, LEAST_UNIX_S, 0);
	uint64		greatest = key_of_time(column->version, flakeid_clock_now().unix_s + SECS_PER_HOUR,
									   UINT64_MAX);
	uint64		first_time = least;
	Form_pg_statistic form;
	AttStatsSlot slot;
	uint64	   *bounds;

	column->statistics = SearchSysCacheCopy3(STATRELATTINH,
											 ObjectIdGetDatum(column->rte->relid),
											 Int16GetDatum(column->attnum),
											 BoolGetDatum(column->rte->inh));
	if (!HeapTupleIsValid(column->statistics))
		return;
	form = (Form_pg_statistic) GETSTRUCT(column->statistics);
	column->null_share = form->stanullfrac;
	if (form->stakind1 == 0 && form->stanullfrac == 0)	/* of one row */
		column->statistics = NULL;
	if (column->statistics == NULL ||
		!get_attstatsslot(&slot, column->statistics, STATISTIC_KIND_HISTOGRAM,
						  InvalidOid, ATTSTATSSLOT_VALUES))
		return;
	bounds = palloc(slot.nvalues * sizeof(uint64));
	for (int i = 0; i < slot.nvalues; i++)
		bounds[i] = flakeid_id_key(type, slot.values[i]);
	if (bounds[0] == bounds[slot.nvalues - 1])	/* the times do not differ */
		return;
	if (greatest < bounds[0])	/* ids of another layout */
		greatest = UINT64_MAX;
	/* UUIDv4 are among the times, too, but do not begin them. */
	for (int i = 0; least > 0 && i < slot.nvalues && bounds[i] <= greatest &&
		 flakeid_id_version(type, bounds[i]) != column->version; i++)
		first_time = Max(least, bounds[i] + 1);
	column->histogram = flake_histogram(bounds, slot.nvalues, first_time, greatest,
										column->version != 0);
	read_ends(column, least, greatest);
	flake_histogram_draw(&column->histogram,
						 palloc(FLAKE_KNOTS(slot.nvalues) * sizeof(FlakeKnot)));
}

/*
 * Fraction of all rows with an id below the bound, and of those equal to it if
 * the comparison tells these from ids above.  ANALYZE puts common ids first.
 */
double
flakeid_share_below(const FlakeidColumn *column, Datum bound,
					StrategyNumber comparison)
{
	Oid			type = column->type;
	uint64		key = flakeid_id_key(type, bound);
	VariableStatData variable = {.statsTuple = column->statistics,.acl_ok = true};
	StrategyNumber strategy = comparison == BTLessEqualStrategyNumber ||
		comparison == BTGreaterStrategyNumber ? BTLessEqualStrategyNumber :
		BTLessStrategyNumber;
	Oid			family;
	FmgrInfo	compare;
	double		common = 0;
	double		below = 0;

	if (column->statistics == NULL)
		return flakeid_is_infinite(type, key) ? key == UINT64_MAX :
			comparison < BTEqualStrategyNumber ? WITHOUT_STATISTICS : 1 - WITHOUT_STATISTICS;
	if (((Form_pg_statistic) GETSTRUCT(column->statistics))->stakind1 == STATISTIC_KIND_MCV)
	{
		family = lookup_type_cache(type, TYPECACHE_BTREE_OPFAMILY)->btree_opf;
		fmgr_info(get_opcode(get_opfamily_member(family, type, type, strategy)), &compare);
		below = mcv_selectivity(&variable, &compare, InvalidOid, bound, true, &common);
	}
	return below + Max(1 - column->null_share - common, 0) *
		flake_histogram_below(&column->histogram, key);
}
