/*
 * range_stats.c
 *		Estimate the fraction of a table's rows whose id is below a bound.
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
#include "catalog/pg_statistic.h"
#include "catalog/pg_type_d.h"
#include "miscadmin.h"
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

/* Heap pages of dead rows that are read at an end, as many as the server does */
#define MAX_DEAD_PAGES	100

/*
 * The same, also of those that the index knows as dead, if the greatest id is
 * read for a bound elsewhere in a grown table
 */
#define FEW_DEAD_PAGES	2

/* Of the first 64 bits of a UUID */
#define VERSION_BITS	UINT64CONST(0xF000)

/* First 64 bits of an id, as a number in the same order */
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
index_of(const RelOptInfo *rel, const RangeTblEntry *rte, AttrNumber attnum)
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
read_end(Relation table, const IndexOptInfo *chosen, bool greatest,
		 int max_pages, uint64 *key)
{
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
	return found;
}

/* No UUID of the key's version is later than the clock, with an hour's grace. */
static uint64
latest_key(uint64 key)
{
	uint64		version = (key & VERSION_BITS) >> 12;
	FlakeInstant time = flakeid_clock_now();

	if (version != 6 && version != 7)
		return UINT64_MAX;
	time.unix_s += SECS_PER_HOUR;
	return flake_uuid_min((int) version, time).high;
}

/*
 * Read the ends of the table that the estimate for a key depends on, once.  If
 * the table has grown, all estimates depend on the rows after the last bound.
 */
static void
read_ends(FlakeidColumn *column, const RelOptInfo *rel, const RangeTblEntry *rte,
		  uint64 key)
{
	FlakeHistogram *histogram = &column->histogram;
	bool		asks_start;
	bool		asks_end;
	IndexOptInfo *chosen = index_of(rel, rte, column->attnum);
	Relation	table;
	double		grown_by;

	(void) flake_histogram_search(histogram, key, false, &asks_start, &asks_end);
	asks_start &= !column->asked_start;
	asks_end &= !column->asked_end && key != UINT64_MAX;	/* all are below that */
	if (chosen == NULL || (!asks_start && !asks_end && column->asked_growth))
		return;
	table = table_open(rte->relid, NoLock);
	if (asks_start)
		histogram->has_start = read_end(table, chosen, false, MAX_DEAD_PAGES, &histogram->start);
	grown_by = column->asked_growth || table->rd_rel->reltuples <= 0 ? 0 :
		rel->tuples / table->rd_rel->reltuples - 1;
	if (asks_end || grown_by > 0)
		histogram->has_end = read_end(table, chosen, true, asks_end ? MAX_DEAD_PAGES :
									  FEW_DEAD_PAGES, &histogram->end);
	if (grown_by > 0 && histogram->end <= latest_key(histogram->end))
		histogram->growth = flake_histogram_growth(histogram, grown_by * (histogram->count - 1));
	column->asked_start |= asks_start;
	column->asked_end |= asks_end || histogram->has_end;
	column->asked_growth = true;
	table_close(table, NoLock);
}

/*
 * Load what the statistics say of the column, in its memory context: without
 * bounds, unless it and its histogram are of UUIDs.
 */
static void
load_column(FlakeidColumn *column, RelOptInfo *rel, const RangeTblEntry *rte, HeapTuple statistics)
{
	VariableStatData variable = {.rel = rel,.statsTuple = statistics,.vartype = UUIDOID};
	FlakeHistogram *histogram = &column->histogram;
	AttStatsSlot slot;
	uint64	   *bounds;
	bool		is_default;

	column->null_share = ((Form_pg_statistic) GETSTRUCT(statistics))->stanullfrac;
	column->distinct = get_variable_numdistinct(&variable, &is_default);
	histogram->kind = VERSION_BITS;
	if (getBaseType(get_atttype(rte->relid, column->attnum)) != UUIDOID ||
		!get_attstatsslot(&slot, statistics, STATISTIC_KIND_HISTOGRAM,
						  InvalidOid, ATTSTATSSLOT_VALUES))
		return;
	histogram->count = getBaseType(slot.valuetype) == UUIDOID ? slot.nvalues : 0;
	histogram->bounds = bounds = MemoryContextAlloc(GetMemoryChunkContext(column),
													histogram->count * sizeof(uint64));
	for (int i = 0; i < histogram->count; i++)
		bounds[i] = key_of(slot.values[i]);
	free_attstatsslot(&slot);
}

/* Ids that ANALYZE counted by themselves, and the shares of rows with them */
typedef struct Common
{
	int			count;
	double		all;
	double		below;			/* a bound */
} Common;

static Common
load_common(HeapTuple statistics, const pg_uuid_t *bound, bool or_equal)
{
	AttStatsSlot slot;
	Common		common = {0};

	if (!get_attstatsslot(&slot, statistics, STATISTIC_KIND_MCV, InvalidOid,
						  ATTSTATSSLOT_VALUES | ATTSTATSSLOT_NUMBERS))
		return common;
	common.count = getBaseType(slot.valuetype) == UUIDOID ? Min(slot.nvalues, slot.nnumbers) : 0;
	for (int i = 0; i < common.count; i++)
	{
		int			order = memcmp(DatumGetPointer(slot.values[i]), bound, UUID_LEN);

		common.all += slot.numbers[i];
		if (order < 0 || (or_equal && order == 0))
			common.below += slot.numbers[i];
	}
	free_attstatsslot(&slot);
	return common;
}

static double
share_below(FlakeidColumn *column, const RelOptInfo *rel, const RangeTblEntry *rte,
			HeapTuple statistics, const FlakeidBound *bound)
{
	bool		or_equal = bound->strategy == BTLessEqualStrategyNumber ||
		bound->strategy == BTGreaterStrategyNumber;
	uint64		key = key_of(UUIDPGetDatum(&bound->id));
	Common		common = load_common(statistics, &bound->id, or_equal);
	double		distinct = column->distinct - common.count;

	column->histogram.equal = distinct > 1 ? 1 / distinct : 0;
	read_ends(column, rel, rte, key);
	return common.below + Max(1 - column->null_share - common.all, 0) *
		flake_histogram_below(&column->histogram, key, or_equal, latest_key(key));
}

/*
 * Estimate the fraction of all rows with an id below the bound, and of those
 * equal to it if the comparison tells these from ids above.  False if the
 * column has no histogram of UUIDs.
 */
bool
flakeid_estimate(FlakeidColumn *column, RelOptInfo *rel, const RangeTblEntry *rte,
				 const FlakeidBound *bound, double *below)
{
	HeapTuple	statistics = SearchSysCache3(STATRELATTINH, ObjectIdGetDatum(rte->relid),
											 Int16GetDatum(column->attnum),
											 BoolGetDatum(rte->inh));

	if (!HeapTupleIsValid(statistics))
		return false;
	if (!column->is_loaded)
		load_column(column, rel, rte, statistics);
	column->is_loaded = true;
	if (column->histogram.count > 1)
		*below = share_below(column, rel, rte, statistics, bound);
	ReleaseSysCache(statistics);
	return column->histogram.count > 1;
}
