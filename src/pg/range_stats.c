/*
 * range_stats.c
 *		Estimate the fraction of a table's rows whose id is below a bound.
 *
 * The algorithm is that of ineq_histogram_selectivity() in the server.  The
 * position of an id within a bin follows from its first 64 bits, taken as a
 * number.  In every version, they contain the time, and grow linearly with it.
 * If both bounds of the bin have the same first 64 bits, as ids of one
 * millisecond do, the position follows from the other 64 bits.  Here is an
 * example, with small numbers.  ANALYZE saw 900 rows, and wrote ten bounds,
 * with 100 rows in each bin:
 *
 *		100 200 300 400 500 600 700 800 900 1000
 *
 * The id 430 lies in the fourth bin, at 0.3 of its width.  So 3.3 of 9 bins
 * are below it, which are 330 rows.  The id 950 lies in the last bin, which
 * ends at the greatest id that is in the table now.  If that is 1100, 8 +
 * 50/200 of 9 bins are below 950.
 *
 * The server does no more than this, and neither do we unless the table has
 * grown.  If it has 1000 rows now, 100 of them can be new.  The last twentieth
 * of the bins, here one bin, has 1 row per unit.  So 100 rows are expected
 * from 1000 to 1100, which is no more than the table has grown by.  These are
 * 1/10 of all rows, and half of them are below 1050.  If stretching the last
 * bin up to 1100 gave more rows from 1000 on than that, we would do as the
 * server does.
 *
 * The new rows reduce the share of all others: of all 1000 rows, 9/10 * 3.3/9
 * are below 430.  As in the server, the index is read only for a bound near
 * its end, since dead rows there would make each read long.  For other bounds,
 * new rows are expected up to the latest possible id.  That is the id of the
 * current time, or the greatest UUID if the version does not show the time.
 * It is never less than the greatest id in the table, so a greater bound never
 * has a smaller share below it.  The estimate of new rows is too high only in
 * a table that has grown, but got no new ids lately.
 *
 * A table can also grow by new versions of updated rows, or by old ids that
 * are imported.  Only the ids after the last bound would show the reason, and
 * counting them would take a scan for each bound near the end.  So the recent
 * rate limits the number of new rows.
 *
 * Unlike the server, we do not distinguish "<" from "<=" in a histogram.  For
 * the two bounds of a range, this makes no difference; for other comparisons,
 * the difference is one id.
 *
 * We read the statistics and an index of the column that the planner asks for
 * by relation and number.  Before a value is read as an id, its type is
 * compared with uuid, because the owner of a table can write statistics (from
 * PostgreSQL 18 on), and can change the type of a column.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/relscan.h"
#include "access/table.h"
#include "access/tableam.h"
#include "access/visibilitymap.h"
#include "catalog/pg_am_d.h"
#include "catalog/pg_class.h"
#include "catalog/pg_statistic.h"
#include "catalog/pg_type_d.h"
#include "miscadmin.h"
#include "storage/bufmgr.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/selfuncs.h"
#include "utils/snapmgr.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

#include "format/uuid.h"
#include "pg/clock.h"
#include "pg/range.h"

/*
 * Limit of heap pages of dead rows that are read at an end, as in the server
 */
#define MAX_DEAD_PAGES	100

/* New rows arrive at the rate of the last 1/20 of the bins. */
#define RECENT_PART		20

/* Without the ends, the estimate is no nearer to 0 and 1 than this bin. */
#define CUTOFF			0.01

/* The column that is asked for, and its table */
typedef struct Column
{
	const RelOptInfo *rel;
	const RangeTblEntry *rte;
	const IndexOptInfo *index;	/* to read the ends, or NULL */
	double		grown;			/* rows since the last count; 0 if no index */
} Column;

/* The family of UUIDs' own order */
Oid
flakeid_uuid_family(void)
{
	return lookup_type_cache(UUIDOID, TYPECACHE_BTREE_OPFAMILY)->btree_opf;
}

static FlakeUuid
id_of(Datum id)
{
	return flake_uuid_load(DatumGetUUIDP(id)->data);
}

static bool
is_before(FlakeUuid a, FlakeUuid b)
{
	return a.high != b.high ? a.high < b.high : a.low < b.low;
}

static FlakeUuid
lesser(FlakeUuid a, FlakeUuid b)
{
	return is_before(a, b) ? a : b;
}

/*
 * Find a btree without a predicate whose first key is the column.
 * Hypothetical indexes and the indexes of a parent table have no rows, so they
 * are ignored.
 */
static IndexOptInfo *
find_index(const RelOptInfo *rel, const RangeTblEntry *rte, AttrNumber attnum)
{
	ListCell   *lc;

	foreach(lc, rte->inh ? NIL : rel->indexlist)
	{
		IndexOptInfo *index = lfirst_node(IndexOptInfo, lc);

		if (index->relam == BTREE_AM_OID && index->indpred == NIL &&
			!index->hypothetical && index->reverse_sort != NULL &&
			index->indexkeys[0] == attnum && index->opcintype[0] == UUIDOID &&
			index->opfamily[0] == flakeid_uuid_family())
			return index;
	}
	return NULL;
}

/*
 * Read the first id of a scan whose row may be visible to some transaction.
 * False if there is none, or after too many pages of dead rows.
 */
static bool
read_first(IndexScanDesc scan, ScanDirection direction, TupleTableSlot *slot,
		   FlakeUuid *found)
{
	BlockNumber page = InvalidBlockNumber;
	Buffer		map = InvalidBuffer;
	int			pages = 0;
	bool		is_null = true;
	ItemPointer row;

	while (pages <= MAX_DEAD_PAGES &&
		   (row = index_getnext_tid(scan, direction)) != NULL)
	{
		BlockNumber page_of_row = ItemPointerGetBlockNumber(row);

		CHECK_FOR_INTERRUPTS();
		if (VM_ALL_VISIBLE(scan->heapRelation, page_of_row, &map) ||
			index_fetch_heap(scan, slot))
		{
			Datum		id = index_getattr(scan->xs_itup, 1,
										   scan->xs_itupdesc, &is_null);

			if (!is_null)
				*found = id_of(id);
			break;
		}
		if (page_of_row != page)
			pages++;
		page = page_of_row;
	}
	if (BufferIsValid(map))
		ReleaseBuffer(map);
	return !is_null;
}

/*
 * Read the least or the greatest id in the table, as the server does for a
 * timestamptz (get_actual_variable_endpoint() in selfuncs.c, which is static).
 * Like that function, this one uses a memory context of its own.  False if the
 * end is unknown.
 */
static bool
read_end(const Column *column, bool greatest, FlakeUuid *end)
{
	const IndexOptInfo *chosen = column->index;
	MemoryContext context;
	MemoryContext caller;
	Relation	table;
	Relation	index;
	bool		found;
	SnapshotData snapshot = {0};
	ScanKeyData condition;
	IndexScanDesc scan;
	TupleTableSlot *slot;

	if (chosen == NULL)
		return false;
	context = AllocSetContextCreate(CurrentMemoryContext, "end of an index",
									ALLOCSET_DEFAULT_SIZES);
	caller = MemoryContextSwitchTo(context);
	table = table_open(column->rte->relid, NoLock);
	index = index_open(chosen->indexoid, NoLock);
	slot = table_slot_create(table, NULL);
	InitNonVacuumableSnapshot(snapshot, GlobalVisTestFor(table));
	ScanKeyEntryInitialize(&condition, SK_ISNULL | SK_SEARCHNOTNULL, 1,
						   InvalidStrategy, InvalidOid, InvalidOid,
						   InvalidOid, (Datum) 0);
	scan = flakeid_index_beginscan(table, index, &snapshot, 1);
	scan->xs_want_itup = true;
	index_rescan(scan, &condition, 1, NULL, 0);
	found = read_first(scan, greatest == chosen->reverse_sort[0] ?
					   ForwardScanDirection : BackwardScanDirection,
					   slot, end);
	index_endscan(scan);
	ExecDropSingleTupleTableSlot(slot);
	index_close(index, NoLock);
	table_close(table, NoLock);
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(context);
	return found;
}

/*
 * The latest possible UUID of the same version.  In versions 6 and 7 it is
 * that of the clock plus an hour, in case other clocks are ahead.
 */
static FlakeUuid
latest_like(FlakeUuid id)
{
	int			version = flake_uuid_version(id);
	FlakeInstant time;

	if (version != 6 && version != 7)
		return flake_uuid_max;
	time = flakeid_clock_now();
	time.unix_s += SECS_PER_HOUR;
	return flake_uuid_min(version, time);
}

/*
 * Part of the distance between two ids, 0 .. 1, that is below an id.  It is
 * measured by their first 64 bits, in which the time grows linearly, or by the
 * other 64 bits if the first ones are the same.
 */
static double
interpolate(FlakeUuid id, FlakeUuid low, FlakeUuid high)
{
	if (!is_before(low, id))
		return 0;
	if (!is_before(id, high))
		return 1;
	return low.high == high.high ?
		(double) (id.low - low.low) / (double) (high.low - low.low) :
		(double) (id.high - low.high) / (double) (high.high - low.high);
}

/*
 * Number of rows that the table has grown by since ANALYZE or VACUUM counted
 * them; negative if it shrank, 0 if they were never counted
 */
static double
rows_grown(const RelOptInfo *rel, const RangeTblEntry *rte)
{
	HeapTuple	table = SearchSysCache1(RELOID,
										ObjectIdGetDatum(rte->relid));
	double		counted = 0;

	if (HeapTupleIsValid(table))
	{
		counted = ((Form_pg_class) GETSTRUCT(table))->reltuples;
		ReleaseSysCache(table);
	}
	return counted > 0 ? rel->tuples - counted : 0;
}

/*
 * Number of the bin, 1 .. bins, that ends with the first bound that is not
 * below the id
 */
static int
find_bin(const AttStatsSlot *bounds, FlakeUuid id)
{
	int			first = 1;
	int			last = bounds->nvalues - 1;

	while (first < last)
	{
		int			middle = (first + last) / 2;

		if (is_before(id_of(bounds->values[middle]), id))
			first = middle + 1;
		else
			last = middle;
	}
	return first;
}

/*
 * Part of a bin that is below an id.  If the bin ends with an id of another
 * version, such as a UUIDv4 among UUIDv7, we let it end at the latest possible
 * UUID of the id's version.
 */
static double
part_of_bin(FlakeUuid id, FlakeUuid low, FlakeUuid high)
{
	if (flake_uuid_version(high) != flake_uuid_version(id))
	{
		FlakeUuid	latest = lesser(high, latest_like(id));

		if (is_before(low, latest))
			high = latest;
	}
	return interpolate(id, low, high);
}

/*
 * Share of new ids, which lie between the last bound and an end.  Expects as
 * many as recently arrived in a time of this length, and at most as many as
 * the table has grown by since its rows were counted.
 */
static double
share_of_new(const Column *column, const AttStatsSlot *bounds, FlakeUuid end)
{
	int			bins = bounds->nvalues - 1;
	int			recent = Max(bins / RECENT_PART, 1);
	uint64		last = id_of(bounds->values[bins]).high;
	uint64		since = id_of(bounds->values[bins - recent]).high;
	double		rows;

	if (column->grown <= 0 || last <= since || end.high <= last)
		return 0;
	rows = (column->rel->tuples - column->grown) * recent / bins *
		((double) (end.high - last) / (double) (last - since));
	return Min(rows, column->grown) / column->rel->tuples;
}

/*
 * Share of the ids in the histogram that are below an id.  The actual ends
 * replace the bounds next to them, unless new ids are expected after the last
 * bound.  New ids are expected up to the actual end, or, where that is not
 * read, up to the current time.
 */
static double
share_below(const Column *column, const AttStatsSlot *bounds, FlakeUuid id)
{
	int			bins = bounds->nvalues - 1;
	int			bin = find_bin(bounds, id);
	FlakeUuid	low = id_of(bounds->values[bin - 1]);
	FlakeUuid	high = id_of(bounds->values[bin]);
	FlakeUuid	last = id_of(bounds->values[bins]);
	FlakeUuid	newest = latest_like(last);
	FlakeUuid	end = newest;
	bool		knows_last = bin >= bins - 1 && read_end(column, true, &end);
	bool		knows_first = bin == 1 && read_end(column, false, &low);
	double		of_new;
	double		below;

	if (knows_last && is_before(end, id))
		return 1;
	newest = lesser(newest, end);
	of_new = share_of_new(column, bounds, newest);

	/*
	 * If the last bin is stretched up to the actual end, this part of it lies
	 * after the last bound: 0 if the newest rows have been deleted.  It is
	 * stretched unless more rows than that are expected there.
	 */
	if (knows_last && of_new * bins <=
		1 - interpolate(last, id_of(bounds->values[bins - 1]), end))
	{
		of_new = 0;
		if (bin == bins)
			high = end;
	}
	if (of_new > 0 && is_before(last, id))
		return 1 - of_new * (1 - interpolate(id, last, newest));
	below = (bin - 1 + part_of_bin(id, low, high)) / bins * (1 - of_new);
	if (knows_first || knows_last)
		return below;
	return Min(Max(below, CUTOFF / bins), 1 - CUTOFF / bins);
}

/*
 * The most common ids, which ANALYZE counted one by one, are not in the
 * histogram: take their shares from the others, and add those below the bound.
 */
static void
count_common(HeapTuple statistics, const FlakeidBound *bound,
			 double *below, double *others)
{
	AttStatsSlot slot;

	if (!get_attstatsslot(&slot, statistics, STATISTIC_KIND_MCV, InvalidOid,
						  ATTSTATSSLOT_VALUES | ATTSTATSSLOT_NUMBERS))
		return;
	for (int i = 0; getBaseType(slot.valuetype) == UUIDOID &&
		 i < Min(slot.nvalues, slot.nnumbers); i++)
	{
		int			order = memcmp(DatumGetPointer(slot.values[i]),
								   &bound->id, UUID_LEN);

		*others -= slot.numbers[i];
		if (order < 0 || (bound->or_equal && order == 0))
			*below += slot.numbers[i];
	}
	free_attstatsslot(&slot);
}

/* Estimate from the statistics; false if they have no histogram of UUIDs. */
static bool
estimate(Column *column, HeapTuple statistics, const FlakeidBound *bound,
		 FlakeidShares *shares)
{
	FlakeUuid	id = flake_uuid_load(bound->id.data);
	AttStatsSlot bounds;
	bool		is_known;
	double		others;

	if (!get_attstatsslot(&bounds, statistics, STATISTIC_KIND_HISTOGRAM,
						  InvalidOid, ATTSTATSSLOT_VALUES))
		return false;
	is_known = getBaseType(bounds.valuetype) == UUIDOID && bounds.nvalues > 1;
	if (is_known)
	{
		shares->null =
			((Form_pg_statistic) GETSTRUCT(statistics))->stanullfrac;
		shares->below = 0;
		others = 1 - shares->null;
		count_common(statistics, bound, &shares->below, &others);
		/* All ids are below the greatest one, which stands for infinity. */
		shares->below += Max(others, 0) *
			(is_before(id, flake_uuid_max) ?
			 share_below(column, &bounds, id) : 1);
	}
	free_attstatsslot(&bounds);
	return is_known;
}

/*
 * Estimate the fraction of all rows whose id is below the bound, and of those
 * whose id is NULL.  False if there are no usable statistics.
 */
bool
flakeid_estimate(const RelOptInfo *rel, const RangeTblEntry *rte,
				 AttrNumber attnum, const FlakeidBound *bound,
				 FlakeidShares *shares)
{
	Column		column = {
		.rel = rel,
		.rte = rte,
		.index = find_index(rel, rte, attnum),
	};
	HeapTuple	statistics;
	bool		is_known;

	statistics = SearchSysCache3(STATRELATTINH, ObjectIdGetDatum(rte->relid),
								 Int16GetDatum(attnum),
								 BoolGetDatum(rte->inh));
	/* A function in the bound can even have dropped the column. */
	if (!HeapTupleIsValid(statistics))
		return false;
	if (column.index)
		column.grown = rows_grown(rel, rte);
	is_known = getBaseType(get_atttype(rte->relid, attnum)) == UUIDOID &&
		estimate(&column, statistics, bound, shares);
	ReleaseSysCache(statistics);
	return is_known;
}
