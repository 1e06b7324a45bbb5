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
 * which is no more than the table has grown by.  That is 1/10 of all rows; of
 * these, half are below 1050.  The stretched last bin would have 1/9 * 100/300
 * of the rows from 1000 on; if that were more, it would be used.  Versions of
 * updated rows count as growth, but have no newer ids.
 *
 * Unlike the server, we do not tell "<" from "<=" in a histogram: for the two
 * bounds of a range, the difference is none, and it is one id for others.
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
#include "access/visibilitymap.h"
#include "catalog/pg_am_d.h"
#include "catalog/pg_class.h"
#include "catalog/pg_statistic.h"
#include "catalog/pg_type_d.h"
#include "miscadmin.h"
#include "storage/bufmgr.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/selfuncs.h"
#include "utils/snapmgr.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

#include "format/uuid.h"
#include "pg/clock.h"
#include "pg/range.h"

/* Heap pages of dead rows that are read at an end; the server's limit */
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

/* The column that is asked for, and its table */
typedef struct Column
{
	const RelOptInfo *rel;
	const RangeTblEntry *rte;
	const IndexOptInfo *index;	/* to read the ends, or NULL */
	double		counted;		/* rows, by ANALYZE or VACUUM */
	bool		has_grown;		/* since, and has an index */
} Column;

/* The family of UUIDs' own order */
Oid
flakeid_uuid_family(void)
{
	return lookup_type_cache(UUIDOID, TYPECACHE_BTREE_OPFAMILY)->btree_opf;
}

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
	ListCell   *lc;

	foreach(lc, rte->inh ? NIL : rel->indexlist)
	{
		IndexOptInfo *index = lfirst_node(IndexOptInfo, lc);

		if (index->relam == BTREE_AM_OID && index->indpred == NIL &&
			!index->hypothetical && index->reverse_sort != NULL &&
			index->indexkeys[0] == attnum &&
			index->opfamily[0] == flakeid_uuid_family())
			return index;
	}
	return NULL;
}

/*
 * Read the first id of a scan whose row may be visible to somebody.  False if
 * there is none, or after too many pages of dead rows.
 */
static bool
read_first(IndexScanDesc scan, ScanDirection direction, TupleTableSlot *slot,
		   int max_pages, uint64 *key)
{
	BlockNumber page = InvalidBlockNumber;
	Buffer		map = InvalidBuffer;
	int			pages = 0;
	bool		is_null = true;
	ItemPointer row;

	while (pages <= max_pages &&
		   (row = index_getnext_tid(scan, direction)) != NULL)
	{
		BlockNumber page_of_row = ItemPointerGetBlockNumber(row);

		CHECK_FOR_INTERRUPTS();
		if (VM_ALL_VISIBLE(scan->heapRelation, page_of_row, &map) ||
			index_fetch_heap(scan, slot))
		{
			Datum		id = index_getattr(scan->xs_itup, 1,
										   scan->xs_itupdesc, &is_null);

			*key = is_null ? 0 : key_of(id);
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
 * Read the least or the greatest key in the table, as the server does for a
 * timestamptz (get_actual_variable_endpoint() in selfuncs.c, which is static).
 * False if it cannot be told.
 */
static bool
read_end(const Column *column, bool greatest, int max_pages, uint64 *key)
{
	const IndexOptInfo *chosen = column->index;
	Relation	table;
	Relation	index;
	bool		found;
	SnapshotData snapshot = {0};
	ScanKeyData condition;
	IndexScanDesc scan;
	TupleTableSlot *slot;

	if (chosen == NULL)
		return false;
	table = table_open(column->rte->relid, NoLock);
	index = index_open(chosen->indexoid, NoLock);
	slot = table_slot_create(table, NULL);
	InitNonVacuumableSnapshot(snapshot, GlobalVisTestFor(table));
	ScanKeyEntryInitialize(&condition, SK_ISNULL | SK_SEARCHNOTNULL, 1,
						   InvalidStrategy, InvalidOid, InvalidOid,
						   InvalidOid, (Datum) 0);
	scan = flakeid_index_beginscan(table, index, &snapshot, 1);
	scan->xs_want_itup = true;
	/* A standby ignores none: they are dead only for its primary. */
	if (max_pages != MAX_DEAD_PAGES)
		scan->ignore_killed_tuples = false;
	index_rescan(scan, &condition, 1, NULL, 0);
	found = read_first(scan, greatest == chosen->reverse_sort[0] ?
					   ForwardScanDirection : BackwardScanDirection,
					   slot, max_pages, key);
	index_endscan(scan);
	ExecDropSingleTupleTableSlot(slot);
	index_close(index, NoLock);
	table_close(table, NoLock);
	return found;
}

/* No UUID of this version is later than the clock, with an hour's grace. */
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

/* Part of the distance between two keys, 0 .. 1, that is below a key */
static double
interpolate(uint64 key, uint64 low, uint64 high)
{
	if (key <= low)
		return 0;
	return key >= high ? 1 : (double) (key - low) / (double) (high - low);
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
 * Part of a bin that is below a key.  A bin that ends with an id of another
 * version, such as a UUIDv4 among UUIDv7, ends at the latest possible one of
 * the key's version.
 */
static double
part_of_bin(uint64 key, uint64 low, uint64 high)
{
	uint64		latest = high;

	if (((high ^ key) & VERSION_BITS) != 0)
		latest = latest_key(key);
	return interpolate(key, low, low < latest ? Min(high, latest) : high);
}

/*
 * Share of the ids between the last bound and the greatest key: as many as
 * arrived in such a time recently, and at most as many as the table has grown
 * by since its rows were counted.  0 if the last bin, stretched to the
 * greatest key, has more there, or if that is past the clock.
 */
static double
share_of_new(const Column *column, const AttStatsSlot *bounds, uint64 end)
{
	int			bins = bounds->nvalues - 1;
	int			recent = Max(bins / RECENT_PART, 1);
	uint64		last = key_of(bounds->values[bins]);
	uint64		since = key_of(bounds->values[bins - recent]);
	uint64		before = key_of(bounds->values[bins - 1]);
	double		stretched = 1 - interpolate(last, before, end);
	double		rows;
	double		share;

	if (last <= since || end <= last || end > latest_key(end))
		return 0;
	rows = column->counted * recent / bins *
		((double) (end - last) / (double) (last - since));
	rows = Min(rows, column->rel->tuples - column->counted);
	share = rows / Max(column->rel->tuples, column->counted + rows);
	return share * bins < stretched ? 0 : share;
}

/*
 * Share of the ids in the histogram that are below a key.  The actual ends
 * replace the bounds next to them, unless new ids are expected after the last
 * one.
 */
static double
share_below(const Column *column, const AttStatsSlot *bounds, uint64 key)
{
	int			bins = bounds->nvalues - 1;
	int			bin = 0;		/* which ends with this bound */
	uint64		last = key_of(bounds->values[bins]);
	uint64		low;
	uint64		high;
	uint64		end;
	bool		is_near_end;
	bool		knows_end = false;
	double		of_new = 0;
	double		below;

	while (bin < bins && key_of(bounds->values[bin]) < key)
		bin++;
	bin = Max(bin, 1);
	low = key_of(bounds->values[bin - 1]);
	high = key_of(bounds->values[bin]);
	if (bin == 1)
		knows_end = read_end(column, false, MAX_DEAD_PAGES, &low);
	/* The newest rows can have been deleted. */
	is_near_end = bin >= bins - 1;
	if ((is_near_end || column->has_grown) &&
		read_end(column, true,
				 is_near_end ? MAX_DEAD_PAGES : FEW_DEAD_PAGES, &end))
	{
		if (key > end)
			return 1;
		knows_end |= is_near_end;
		of_new = column->has_grown ? share_of_new(column, bounds, end) : 0;
		if (of_new > 0 && key > last)
			return 1 - of_new * (1 - interpolate(key, last, end));
		if (of_new == 0 && bin == bins)
			high = end;
	}
	below = (bin - 1 + part_of_bin(key, low, high)) / bins * (1 - of_new);
	if (knows_end)
		return below;
	return Min(Max(below, CUTOFF / bins), 1 - CUTOFF / bins);
}

/* Sort ids that ANALYZE counted by themselves out of the others. */
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
	uint64		key = key_of(UUIDPGetDatum(&bound->id));
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
			(key == UINT64_MAX ? 1 : share_below(column, &bounds, key));
	}
	free_attstatsslot(&bounds);
	return is_known;
}

/*
 * Estimate the fraction of all rows with an id below the bound, and of those
 * without any.  False if nothing is known of them.
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
	column.counted = column.index ? rows_counted(rte->relid) : 0;
	column.has_grown = column.counted > 0 && rel->tuples > column.counted;
	is_known = getBaseType(get_atttype(rte->relid, attnum)) == UUIDOID &&
		estimate(&column, statistics, bound, shares);
	ReleaseSysCache(statistics);
	return is_known;
}
