/*
 * range_end.c
 *		Find the greatest or smallest id of a column.
 *
 * The server does the same for a bound in the first or last bin of a histogram
 * (get_actual_variable_range), but not for types that it cannot interpolate.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/genam.h"
#include "access/stratnum.h"
#include "access/table.h"
#include "access/tableam.h"
#include "catalog/pg_am_d.h"
#include "executor/tuptable.h"
#include "miscadmin.h"
#include "storage/bufmgr.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"
#include "utils/typcache.h"

#include "pg/range.h"

/* Like the server, give up after this many heap pages of dead rows. */
#define MAX_HEAP_PAGES	100

/*
 * Is it a full btree whose first key is the column, in default order or its
 * reverse?  A hypothetical index has no rows.
 */
static bool
is_of_column(const IndexOptInfo *index, const FlakeidColumn *column, Oid family)
{
	return index->relam == BTREE_AM_OID && index->indpred == NIL &&
		!index->hypothetical && index->indexkeys[0] == column->attnum &&
		index->opfamily[0] == family;
}

static IndexOptInfo *
index_of(const FlakeidColumn *column, Oid family)
{
	ListCell   *lc;

	foreach(lc, column->rel->indexlist)
	{
		IndexOptInfo *index = lfirst_node(IndexOptInfo, lc);

		if (is_of_column(index, column, family))
			return index;
	}
	return NULL;
}

/* Condition of the scan: below the bound, or not null. */
static void
set_condition(ScanKeyData *condition, Oid family, Oid type,
			  const uint64 *below)
{
	if (below == NULL)
		ScanKeyEntryInitialize(condition, SK_ISNULL | SK_SEARCHNOTNULL, 1,
							   InvalidStrategy, InvalidOid, InvalidOid,
							   InvalidOid, (Datum) 0);
	else
		ScanKeyEntryInitialize(condition, 0, 1, BTLessStrategyNumber,
							   InvalidOid, InvalidOid,
							   get_opcode(get_opfamily_member(family, type, type,
															  BTLessStrategyNumber)),
							   flakeid_id_datum(type, *below));
}

/*
 * Fetch the first row of the scan that is visible to any transaction; false if
 * there is none, or if that takes too long.
 */
static bool
fetch_row(IndexScanDesc scan, ScanDirection direction, TupleTableSlot *slot)
{
	BlockNumber last_block = InvalidBlockNumber;
	int			pages = 0;
	ItemPointer tid;

	while ((tid = index_getnext_tid(scan, direction)) != NULL)
	{
		CHECK_FOR_INTERRUPTS();
		if (ItemPointerGetBlockNumber(tid) != last_block &&
			++pages > MAX_HEAP_PAGES)
			return false;
		last_block = ItemPointerGetBlockNumber(tid);
		if (index_fetch_heap(scan, slot))
			return true;
	}
	return false;
}

static bool
read_id(const FlakeidColumn *column, TupleTableSlot *slot, uint64 *key)
{
	bool		is_null;
	Datum		id = slot_getattr(slot, column->attnum, &is_null);

	if (!is_null)
		*key = flakeid_id_key(column->type, id);
	return !is_null;
}

static bool
end_of_index(const FlakeidColumn *column, Relation table, Relation index,
			 ScanDirection direction, ScanKeyData *condition,
			 TupleTableSlot *slot, uint64 *key)
{
	SnapshotData snapshot;
	IndexScanDesc scan;
	bool		found;

	InitNonVacuumableSnapshot(snapshot, GlobalVisTestFor(table));
	scan = flakeid_index_beginscan(table, index, &snapshot, 1);
	index_rescan(scan, condition, 1, NULL, 0);
	found = fetch_row(scan, direction, slot) && read_id(column, slot, key);
	index_endscan(scan);
	return found;
}

/*
 * Greatest id of the last page: rows that are only appended are in the order
 * of their ids.
 */
static bool
end_of_table(const FlakeidColumn *column, Relation table,
			 TupleTableSlot *slot, uint64 *key)
{
	BlockNumber blocks = RelationGetNumberOfBlocks(table);
	ItemPointerData first;
	ItemPointerData last;
	TableScanDesc scan;
	uint64		id;

	*key = 0;
	if (blocks == 0)
		return false;
	ItemPointerSet(&first, blocks - 1, FirstOffsetNumber);
	ItemPointerSet(&last, blocks - 1, MaxOffsetNumber);
	scan = flakeid_beginscan_tidrange(table, GetActiveSnapshot(), &first, &last);
	while (table_scan_getnextslot_tidrange(scan, ForwardScanDirection, slot))
		if (read_id(column, slot, &id))
			*key = Max(*key, id);
	table_endscan(scan);
	return *key > 0;
}

/*
 * Last id in the direction, below the bound unless that is NULL.  Without a
 * btree index only the greatest id is known.  A parent has no rows of its own.
 */
bool
flakeid_column_end(const FlakeidColumn *column, ScanDirection direction,
				   const uint64 *below, uint64 *key)
{
	Oid			family = lookup_type_cache(column->type,
										   TYPECACHE_BTREE_OPFAMILY)->btree_opf;
	IndexOptInfo *chosen = index_of(column, family);
	ScanKeyData condition;
	TupleTableSlot *slot;
	Relation	table;
	Relation	index;
	bool		found = false;

	if (column->rte->inh)
		return false;
	table = table_open(column->rte->relid, NoLock);
	slot = table_slot_create(table, NULL);
	if (chosen != NULL)
	{
		set_condition(&condition, family, column->type, below);
		index = index_open(chosen->indexoid, NoLock);
		found = end_of_index(column, table, index,
							 chosen->reverse_sort[0] ? -direction : direction,
							 &condition, slot, key);
		index_close(index, NoLock);
	}
	else if (direction == BackwardScanDirection && below == NULL)
		found = end_of_table(column, table, slot, key);
	ExecDropSingleTupleTableSlot(slot);
	table_close(table, NoLock);
	return found;
}
