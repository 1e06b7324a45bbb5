/*
 * range_stats.c
 *		Estimate the fraction of a table's rows whose id is below a bound.
 *
 * The algorithm is that of ineq_histogram_selectivity() in the server, with
 * the first 64 bits of an id as a number, its key: in every version they hold
 * the time, and grow linearly with it.  An example, with small numbers.
 * ANALYZE saw 900 rows, and wrote ten bounds, with 100 rows in each bin:
 *
 *		100 200 300 400 500 600 700 800 900 1000
 *
 * The key 430 lies in the fourth bin, at 0.3 of it.  So 3.3 of 9 bins are
 * below, 330 rows.  For 950, the bin ends at the greatest key in the table: if
 * that is 1100 now, 8 + 150/300 of 9 bins are below.
 *
 * The server ends here, and so we do unless the table has grown.  If it has
 * 1000 rows by now, 100 of them can be new.  The last twentieth of the bins,
 * here one, has 1 row per key; so 100 rows are expected from 1000 to 1100,
 * which is no more than the table has grown by.  That is 1/10 of 1000 rows, and
 * of the key 1050 half of it is above.  The stretched last bin would have
 * 1/9 * 100/300 of the rows from 1000 on; if that were more, it would be used.
 * Versions of updated rows count as growth, but have no newer ids.
 *
 * What we read here, statistics and an index, is that of the column that the
 * planner asks for, by its relation and number.  Nothing is read as an id
 * before its type is compared with that of the range: a table's owner can
 * write statistics (from PostgreSQL 18 on), and change a column's type.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/relscan.h"
#include "access/table.h"
#include "access/tableam.h"
#include "catalog/pg_am_d.h"
#include "catalog/pg_class.h"
#include "catalog/pg_statistic.h"
#include "catalog/pg_type_d.h"
#include "miscadmin.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/selfuncs.h"
#include "utils/snapmgr.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

#include "format/uuid.h"
#include "pg/clock.h"
#include "pg/range.h"

/* Heap pages of dead rows that are read at an end, as many as the server does */
#define MAX_DEAD_PAGES	100

/*
 * The same, also of those that the index knows as dead, if the greatest id is
 * read for a bound elsewhere in a grown table
 */
#define FEW_DEAD_PAGES	2

/* New rows arrive at the rate of the last 1/20 of the bins. */
#define RECENT_PART		20

/* Without the ends, the estimate is no nearer to 0 and 1 than this bin. */
#define CUTOFF			0.01

/* Of a key, the bits that tell ids of several versions */
#define VERSION_BITS	UINT64CONST(0xF000)

/* The column that is asked for, and what is known of it */
typedef struct Column
{
	RelOptInfo *rel;
	const RangeTblEntry *rte;
	AttrNumber	attnum;
	HeapTuple	statistics;
	const IndexOptInfo *index;	/* to read the ends, or NULL */
	uint64	   *bounds;			/* keys; ascending, unless somebody wrote others */
	int			last;			/* number of the last bound, and of bins */
	double		equal;			/* share of the ids equal to one of them */
	bool		asked_end;		/* was the greatest key looked up, */
	bool		has_end;		/* and found? */
	uint64		end;
} Column;

/* Ids that ANALYZE counted by themselves, and the shares of rows with them */
typedef struct Common
{
	int			count;
	double		all;
	double		below;			/* a bound */
} Common;

static uint64
key_of(Datum id)
{
	return flake_load_be64((const unsigned char *) DatumGetPointer(id));
}

/*
 * A full btree whose first key is the column.  A hypothetical index has no
 * rows, nor has a parent.
 */
static IndexOptInfo *
find_index(const RelOptInfo *rel, const RangeTblEntry *rte, AttrNumber attnum)
{
	Oid			family = lookup_type_cache(UUIDOID, TYPECACHE_BTREE_OPFAMILY)->btree_opf;
	ListCell   *lc;

	foreach(lc, rte->inh ? NIL : rel->indexlist)
	{
		IndexOptInfo *index = lfirst_node(IndexOptInfo, lc);

		if (index->relam == BTREE_AM_OID && index->indpred == NIL &&
			!index->hypothetical && index->reverse_sort != NULL &&
			index->indexkeys[0] == attnum &&
			index->opfamily[0] == family)
			return index;
	}
	return NULL;
}

/*
 * Read the first id of a scan whose row is visible to any transaction.  False
 * if there is none, or after too many pages of dead rows.
 */
static bool
read_first(IndexScanDesc scan, ScanDirection direction, TupleTableSlot *slot,
		   int max_pages, uint64 *key)
{
	BlockNumber page = InvalidBlockNumber;
	int			pages = 0;
	ItemPointer row;

	while ((row = index_getnext_tid(scan, direction)) != NULL)
	{
		bool		is_null;
		Datum		id;

		CHECK_FOR_INTERRUPTS();
		if (index_fetch_heap(scan, slot))
		{
			id = index_getattr(scan->xs_itup, 1, scan->xs_itupdesc, &is_null);
			*key = is_null ? 0 : key_of(id);
			return !is_null;
		}
		if (ItemPointerGetBlockNumber(row) != page && ++pages > max_pages)
			return false;
		page = ItemPointerGetBlockNumber(row);
	}
	return false;
}

/*
 * Read the least or the greatest key in the table, as the server does for a
 * timestamptz (get_actual_variable_endpoint() in selfuncs.c, which is static).
 */
static bool
read_end(const Column *column, bool greatest, int max_pages, uint64 *key)
{
	const IndexOptInfo *chosen = column->index;
	Relation	table = table_open(column->rte->relid, NoLock);
	Relation	index = index_open(chosen->indexoid, NoLock);
	bool		found = false;
	SnapshotData snapshot = {0};
	ScanKeyData condition;
	IndexScanDesc scan;
	TupleTableSlot *slot;

	if (getBaseType(TupleDescAttr(RelationGetDescr(index), 0)->atttypid) == UUIDOID)
	{
		InitNonVacuumableSnapshot(snapshot, GlobalVisTestFor(table));
		ScanKeyEntryInitialize(&condition, SK_ISNULL | SK_SEARCHNOTNULL, 1,
							   InvalidStrategy, InvalidOid, InvalidOid,
							   InvalidOid, (Datum) 0);
		slot = table_slot_create(table, NULL);
		scan = flakeid_index_beginscan(table, index, &snapshot, 1);
		scan->xs_want_itup = true;
		scan->ignore_killed_tuples = max_pages == MAX_DEAD_PAGES;
		index_rescan(scan, &condition, 1, NULL, 0);
		found = read_first(scan, greatest == chosen->reverse_sort[0] ?
						   ForwardScanDirection : BackwardScanDirection,
						   slot, max_pages, key);
		index_endscan(scan);
		ExecDropSingleTupleTableSlot(slot);
	}
	index_close(index, NoLock);
	table_close(table, NoLock);
	return found;
}

/* No UUID of the key's version is later than the clock, with an hour's grace. */
static uint64
latest_key(uint64 key)
{
	uint64		version = (key & VERSION_BITS) >> 12;
	FlakeInstant time;

	if (version != 6 && version != 7)
		return UINT64_MAX;
	time = flakeid_clock_now();
	time.unix_s += SECS_PER_HOUR;
	return flake_uuid_min((int) version, time).high;
}

/* Part of the distance between two keys, 0 .. 1, that is below a key. */
static double
interpolate(uint64 key, uint64 low, uint64 high)
{
	if (high <= low)
		return 0.5;
	if (key <= low)
		return 0;
	return key >= high ? 1 : (double) (key - low) / (double) (high - low);
}

/* Look up the greatest key in the table, once. */
static bool
learn_end(Column *column, int max_pages)
{
	if (!column->asked_end)
		column->has_end = read_end(column, true, max_pages, &column->end);
	column->asked_end = true;
	return column->has_end;
}

/* Number of rows when they were last counted, by ANALYZE or VACUUM */
static double
rows_counted(Oid relid)
{
	HeapTuple	table = SearchSysCache1(RELOID, ObjectIdGetDatum(relid));
	double		rows;

	if (!HeapTupleIsValid(table))
		return 0;
	rows = ((Form_pg_class) GETSTRUCT(table))->reltuples;
	ReleaseSysCache(table);
	return rows;
}

/*
 * Share of the ids that are new, between the last bound and the greatest key:
 * as many as arrived in such a time recently, and at most as many as the table
 * has grown by.  0 if the last bin, stretched to the greatest key, has more
 * there, or if nothing is known.
 */
static double
share_of_new(Column *column, uint64 key)
{
	int			bins = column->last;
	int			recent = Max(bins / RECENT_PART, 1);
	uint64		last = column->bounds[bins];
	uint64		since = column->bounds[bins - recent];
	double		counted = rows_counted(column->rte->relid);
	double		grown_by = column->rel->tuples - counted;
	double		rows;
	double		share;

	if (counted <= 0 || grown_by <= 0 || last <= since ||
		!learn_end(column, key > column->bounds[bins - 1] ?
				   MAX_DEAD_PAGES : FEW_DEAD_PAGES) ||
		column->end <= last || column->end > latest_key(column->end))
		return 0;
	rows = counted * recent / bins *
		((double) (column->end - last) / (double) (last - since));
	rows = Min(rows, grown_by);
	share = rows / Max(column->rel->tuples, counted + rows);
	if (share * bins < 1 - interpolate(last, column->bounds[bins - 1], column->end))
		return 0;
	return share;
}

/* Replace a bound by the actual end of the table, if it is found. */
static bool
replace_bound(Column *column, int bound)
{
	if (column->index == NULL)
		return false;
	if (bound == 0)
		return read_end(column, false, MAX_DEAD_PAGES, &column->bounds[0]);
	if (!learn_end(column, MAX_DEAD_PAGES))
		return false;
	column->bounds[bound] = column->end;
	return true;
}

/*
 * Search the first bound that is not below the key, or not equal to it either.
 * The actual ends replace the bounds that the search meets; both, if there is
 * only one bin.  The last bound stays, if new rows after it are estimated.
 */
static int
search(Column *column, uint64 key, bool or_equal, bool has_new, bool *knows_end)
{
	int			last = column->last;
	int			low = 0;
	int			high = last + 1;

	*knows_end = last == 1 && replace_bound(column, 0) &&
		(has_new || replace_bound(column, 1));
	while (low < high)
	{
		int			middle = (low + high) / 2;

		if (last > 1 && (middle == 0 || (middle == last && !has_new)))
			*knows_end = replace_bound(column, middle);
		if (or_equal ? column->bounds[middle] <= key : column->bounds[middle] < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 * Part of a bin that is below a key.  If the bin ends with an id of another
 * version, such as a UUIDv4 among UUIDv7, it ends at the latest possible id of
 * the key's version.
 */
static double
part_of_bin(const Column *column, int bound, uint64 key)
{
	uint64		low = column->bounds[bound - 1];
	uint64		high = column->bounds[bound];

	if (((high ^ key) & VERSION_BITS) != 0)
	{
		uint64		latest = latest_key(key);

		if (low < latest && latest < high)
			high = latest;
	}
	return interpolate(key, low, high);
}

/* Share of the ids in the histogram that are below a key, or equal to it */
static double
share_below(Column *column, uint64 key, bool or_equal)
{
	int			last = column->last;
	double		of_new = column->index ? share_of_new(column, key) : 0;
	bool		knows_end;
	int			bound = search(column, key, or_equal, of_new > 0, &knows_end);
	double		least;
	double		below = bound > 0;

	if (bound > last && of_new > 0)
	{
		knows_end = true;
		below -= of_new * (1 - interpolate(key, column->bounds[last], column->end));
	}
	else if (bound > 0 && bound <= last)
	{
		double		part = part_of_bin(column, bound, key);

		below = (bound - 1 + part) / last * (1 - of_new);
		if (bound == 1)
			below += column->equal * (1 - part);
		if (!or_equal)
			below -= column->equal;
	}
	least = knows_end ? 0 : CUTOFF / last;
	return Min(Max(below, least), 1 - least);
}

/* Load what ANALYZE counted by itself. */
static Common
load_common(HeapTuple statistics, const FlakeidBound *bound)
{
	AttStatsSlot slot;
	Common		common = {0};

	if (!get_attstatsslot(&slot, statistics, STATISTIC_KIND_MCV, InvalidOid,
						  ATTSTATSSLOT_VALUES | ATTSTATSSLOT_NUMBERS))
		return common;
	common.count = getBaseType(slot.valuetype) == UUIDOID ? Min(slot.nvalues, slot.nnumbers) : 0;
	for (int i = 0; i < common.count; i++)
	{
		int			order = memcmp(DatumGetPointer(slot.values[i]), &bound->id, UUID_LEN);

		common.all += slot.numbers[i];
		if (order < 0 || (bound->or_equal && order == 0))
			common.below += slot.numbers[i];
	}
	free_attstatsslot(&slot);
	return common;
}

/* Load the bounds.  False unless they and the column are of UUIDs. */
static bool
load_bounds(Column *column)
{
	AttStatsSlot slot;

	if (getBaseType(get_atttype(column->rte->relid, column->attnum)) != UUIDOID ||
		!get_attstatsslot(&slot, column->statistics, STATISTIC_KIND_HISTOGRAM,
						  InvalidOid, ATTSTATSSLOT_VALUES))
		return false;
	column->last = getBaseType(slot.valuetype) == UUIDOID ? slot.nvalues - 1 : 0;
	column->bounds = palloc((column->last + 1) * sizeof(uint64));
	for (int i = 0; i <= column->last && column->last > 0; i++)
		column->bounds[i] = key_of(slot.values[i]);
	free_attstatsslot(&slot);
	return column->last > 0;
}

static double
distinct_ids(const Column *column)
{
	VariableStatData variable = {
		.rel = column->rel,
		.statsTuple = column->statistics,
		.vartype = UUIDOID,
	};
	bool		is_default;

	return get_variable_numdistinct(&variable, &is_default);
}

static void
estimate(Column *column, const FlakeidBound *bound, FlakeidShares *shares)
{
	uint64		key = key_of(UUIDPGetDatum(&bound->id));
	Common		common = load_common(column->statistics, bound);
	double		distinct = distinct_ids(column) - common.count;
	double		others;

	column->index = find_index(column->rel, column->rte, column->attnum);
	column->equal = distinct > 1 ? 1 / distinct : 0;
	shares->null = ((Form_pg_statistic) GETSTRUCT(column->statistics))->stanullfrac;
	others = Max(1 - shares->null - common.all, 0);
	/* All ids are below the greatest one, which stands for infinity. */
	shares->below = common.below + others *
		(key == UINT64_MAX ? 1 : share_below(column, key, bound->or_equal));
}

/*
 * Estimate the fraction of all rows with an id below the bound, and of those
 * without any.  False if the column has no histogram of UUIDs.
 */
bool
flakeid_estimate(RelOptInfo *rel, const RangeTblEntry *rte, AttrNumber attnum,
				 const FlakeidBound *bound, FlakeidShares *shares)
{
	Column		column = {.rel = rel,.rte = rte,.attnum = attnum};
	bool		is_known;

	column.statistics = SearchSysCache3(STATRELATTINH,
										ObjectIdGetDatum(rte->relid),
										Int16GetDatum(attnum),
										BoolGetDatum(rte->inh));
	if (!HeapTupleIsValid(column.statistics))
		return false;
	is_known = load_bounds(&column);
	if (is_known)
	{
		estimate(&column, bound, shares);
		pfree(column.bounds);
	}
	ReleaseSysCache(column.statistics);
	return is_known;
}
