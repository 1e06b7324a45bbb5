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
#include "access/itup.h"
#include "access/relscan.h"
#include "access/table.h"
#include "access/tableam.h"
#include "catalog/pg_am_d.h"
#include "catalog/pg_statistic.h"
#include "catalog/pg_type_d.h"
#include "executor/tuptable.h"
#include "miscadmin.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/selfuncs.h"
#include "utils/snapmgr.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"
#include "utils/typcache.h"

#include "format/base.h"
#include "format/uuid.h"
#include "pg/clock.h"
#include "pg/range.h"

/* Heap pages of dead rows that are read at an end, as many as the server does */
#define MAX_DEAD_PAGES	100

/* Of the first 64 bits of a UUID */
#define VERSION_BITS	UINT64CONST(0xF000)

/* First 64 bits of an id, as a number in the same order */
static uint64
key_of(const void *id)
{
	return flake_load_be64(id);
}

/* Values of the type from a row of statistics, if it has them */
static bool
load_slot(HeapTuple statistics, int kind, int flags, Oid type, AttStatsSlot *slot)
{
	if (!get_attstatsslot(slot, statistics, kind, InvalidOid, flags))
		return false;
	if (getBaseType(slot->valuetype) == type)
		return true;
	free_attstatsslot(slot);
	return false;
}

static void
load_common(FlakeidColumn *column, HeapTuple statistics)
{
	AttStatsSlot slot;
	unsigned char *ids;
	float4	   *shares;

	if (!load_slot(statistics, STATISTIC_KIND_MCV,
				   ATTSTATSSLOT_VALUES | ATTSTATSSLOT_NUMBERS, column->type, &slot))
		return;
	column->common_count = Min(slot.nvalues, slot.nnumbers);
	column->common = ids = palloc(column->common_count * column->width);
	column->common_shares = shares = palloc(column->common_count * sizeof(float4));
	for (int i = 0; i < column->common_count; i++)
	{
		memcpy(&ids[i * column->width], DatumGetPointer(slot.values[i]), column->width);
		shares[i] = slot.numbers[i];
	}
	free_attstatsslot(&slot);
}

static void
load_histogram(FlakeidColumn *column, HeapTuple statistics, RelOptInfo *rel)
{
	VariableStatData variable = {
		.rel = rel,
		.statsTuple = statistics,
		.vartype = column->type,
	};
	AttStatsSlot slot;
	uint64	   *bounds;
	double		distinct;
	bool		is_default;

	if (!load_slot(statistics, STATISTIC_KIND_HISTOGRAM, ATTSTATSSLOT_VALUES,
				   column->type, &slot))
		return;
	column->histogram.count = slot.nvalues;
	column->histogram.kind = column->type == UUIDOID ? VERSION_BITS : 0;
	column->histogram.bounds = bounds = palloc(slot.nvalues * sizeof(uint64));
	for (int i = 0; i < slot.nvalues; i++)
		bounds[i] = key_of(DatumGetPointer(slot.values[i]));
	free_attstatsslot(&slot);
	distinct = get_variable_numdistinct(&variable, &is_default) - column->common_count;
	column->histogram.equal = distinct > 1 ? 1 / distinct : 0;
}

/*
 * What the statistics say of a column, in the current memory context.  Its
 * histogram has no bounds if it is of another type, or nothing is known.
 */
FlakeidColumn *
flakeid_load_column(RelOptInfo *rel, RangeTblEntry *rte, AttrNumber attnum, Oid type)
{
	FlakeidColumn *column = palloc0(sizeof(FlakeidColumn));
	HeapTuple	statistics;

	column->attnum = attnum;
	column->type = type;
	column->width = get_typlen(type);
	if (column->width < (int) sizeof(uint64) || column->width > FLAKE_SCRU160_BYTES ||
		getBaseType(get_atttype(rte->relid, attnum)) != type)
		return column;
	statistics = SearchSysCache3(STATRELATTINH, ObjectIdGetDatum(rte->relid),
								 Int16GetDatum(attnum), BoolGetDatum(rte->inh));
	if (!HeapTupleIsValid(statistics))
		return column;
	column->null_share = ((Form_pg_statistic) GETSTRUCT(statistics))->stanullfrac;
	load_common(column, statistics);
	load_histogram(column, statistics, rel);
	ReleaseSysCache(statistics);
	return column;
}

/*
 * A full btree whose first key is the column.  A hypothetical index has no
 * rows, nor has a parent.
 */
static IndexOptInfo *
index_of(const FlakeidColumn *column, RelOptInfo *rel, const RangeTblEntry *rte)
{
	Oid			family = lookup_type_cache(column->type,
										   TYPECACHE_BTREE_OPFAMILY)->btree_opf;
	ListCell   *lc;

	foreach(lc, rte->inh ? NIL : rel->indexlist)
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

/*
 * Read the first id of a scan whose row is visible to any transaction.  False
 * if there is none, or after too many pages of dead rows.
 */
static bool
read_first(IndexScanDesc scan, ScanDirection direction, TupleTableSlot *slot,
		   uint64 *key)
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
			*key = is_null ? 0 : key_of(DatumGetPointer(id));
			return !is_null;
		}
		if (ItemPointerGetBlockNumber(row) != page && ++pages > MAX_DEAD_PAGES)
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
read_end(const FlakeidColumn *column, Relation table, const IndexOptInfo *chosen,
		 bool greatest, uint64 *key)
{
	Relation	index = index_open(chosen->indexoid, NoLock);
	Oid			type = TupleDescAttr(RelationGetDescr(index), 0)->atttypid;
	bool		found = false;
	SnapshotData snapshot = {0};
	ScanKeyData condition;
	IndexScanDesc scan;
	TupleTableSlot *slot;

	if (getBaseType(type) == column->type)
	{
		InitNonVacuumableSnapshot(snapshot, GlobalVisTestFor(table));
		ScanKeyEntryInitialize(&condition, SK_ISNULL | SK_SEARCHNOTNULL, 1,
							   InvalidStrategy, InvalidOid, InvalidOid,
							   InvalidOid, (Datum) 0);
		slot = table_slot_create(table, NULL);
		scan = flakeid_index_beginscan(table, index, &snapshot, 1);
		scan->xs_want_itup = true;
		index_rescan(scan, &condition, 1, NULL, 0);
		found = read_first(scan, greatest == chosen->reverse_sort[0] ?
						   ForwardScanDirection : BackwardScanDirection, slot, key);
		index_endscan(scan);
		ExecDropSingleTupleTableSlot(slot);
	}
	index_close(index, NoLock);
	return found;
}

/* No UUID of the key's version is later than the clock, with an hour's grace. */
static uint64
latest_key(const FlakeHistogram *histogram, uint64 key)
{
	uint64		version = (key & histogram->kind) >> 12;
	FlakeInstant time = flakeid_clock_now();

	if (version != 6 && version != 7)
		return UINT64_MAX;
	time.unix_s += SECS_PER_HOUR;
	return flake_uuid_min((int) version, time).high;
}

/*
 * Read the ends of the table that the estimate for a bound depends on.  If the
 * table has grown, each estimate depends on the rows after the last bound.
 */
static void
read_ends(FlakeidColumn *column, RelOptInfo *rel, const RangeTblEntry *rte,
		  uint64 key)
{
	FlakeHistogram *histogram = &column->histogram;
	bool		asks_start = !column->asked_start && flake_histogram_asks_start(histogram, key);
	IndexOptInfo *chosen;
	Relation	table;
	double		before;

	if (!asks_start && column->asked_end)
		return;
	column->asked_start |= asks_start;
	chosen = index_of(column, rel, rte);
	if (chosen == NULL)
		return;
	table = table_open(rte->relid, NoLock);
	if (asks_start)
		histogram->has_start = read_end(column, table, chosen, false, &histogram->start);
	before = table->rd_rel->reltuples;
	if (!column->asked_end &&
		(flake_histogram_asks_end(histogram, key) || (before > 0 && rel->tuples > before)))
	{
		column->asked_end = true;
		histogram->has_end = read_end(column, table, chosen, true, &histogram->end);
		if (before > 0 && rel->tuples > before &&
			histogram->end <= latest_key(histogram, histogram->end))
			histogram->growth =
				flake_histogram_growth(histogram, (histogram->count - 1) *
									   (rel->tuples - before) / before);
	}
	table_close(table, NoLock);
}

/*
 * Fraction of all rows with an id below the bound, and of those equal to it if
 * the comparison tells these from ids above.  The column has a histogram.
 */
double
flakeid_share_below(FlakeidColumn *column, RelOptInfo *rel, RangeTblEntry *rte,
					const FlakeidBound *bound)
{
	bool		or_equal = bound->strategy == BTLessEqualStrategyNumber ||
		bound->strategy == BTGreaterStrategyNumber;
	uint64		key = key_of(bound->id);
	double		below = 0;
	double		others = 1 - column->null_share;

	for (int i = 0; i < column->common_count; i++)
	{
		int			order = memcmp(&column->common[i * column->width], bound->id, column->width);

		others -= column->common_shares[i];
		if (order < 0 || (or_equal && order == 0))
			below += column->common_shares[i];
	}
	read_ends(column, rel, rte, key);
	return below + Max(others, 0) *
		flake_histogram_below(&column->histogram, key, or_equal,
							  latest_key(&column->histogram, key));
}
