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
 * A full btree whose first key is the column, in the order of its ids or the
 * reverse of it; a hypothetical index has no rows.
 */
static IndexOptInfo *
index_of(const FlakeidColumn *column, Oid family)
{
	ListCell   *lc;

	foreach(lc, column->rel->indexlist)
	{
		IndexOptInfo *index = lfirst_node(IndexOptInfo, lc);

		if (index->relam == BTREE_AM_OID && index->indpred == NIL &&
			!index->hypothetical && index->indexkeys[0] == column->attnum &&
			index->opfamily[0] == family)
			return index;
	}
	return NULL;
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

/* The comparison excludes nulls, too. */
static bool
end_of_index(const FlakeidColumn *column, Oid family, Relation table,
			 Snapshot snapshot, const IndexOptInfo *chosen,
			 ScanDirection direction, uint64 most, TupleTableSlot *slot,
			 uint64 *key)
{
	Oid			operator = get_opfamily_member(family, column->type, column->type,
											   BTLessEqualStrategyNumber);
	Relation	index = index_open(chosen->indexoid, NoLock);
	ScanKeyData condition;
	IndexScanDesc scan;
	bool		found;

	ScanKeyInit(&condition, 1, BTLessEqualStrategyNumber, get_opcode(operator),
				flakeid_id_datum(column->type, most));
	scan = flakeid_index_beginscan(table, index, snapshot, 1);
	index_rescan(scan, &condition, 1, NULL, 0);
	found = fetch_row(scan, chosen->reverse_sort[0] ? -direction : direction,
					  slot) && read_id(column, slot, key);
	index_endscan(scan);
	index_close(index, NoLock);
	return found;
}

/*
 * Greatest id of the last page: rows that are only appended are in the order
 * of their ids.
 */
static bool
end_of_table(const FlakeidColumn *column, Relation table, Snapshot snapshot,
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
	scan = flakeid_beginscan_tidrange(table, snapshot, &first, &last);
	while (table_scan_getnextslot_tidrange(scan, ForwardScanDirection, slot))
		if (read_id(column, slot, &id))
			*key = Max(*key, id);
	table_endscan(scan);
	return *key > 0;
}

/*
 * Last id in the direction that is at most "most".  Without a btree index only
 * the greatest id of a heap is known.  A parent has no rows of its own.
 */
bool
flakeid_column_end(const FlakeidColumn *column, ScanDirection direction,
				   uint64 most, uint64 *key)
{
	Oid			family = lookup_type_cache(column->type,
										   TYPECACHE_BTREE_OPFAMILY)->btree_opf;
	IndexOptInfo *index = index_of(column, family);
	SnapshotData snapshot = {0};
	TupleTableSlot *slot;
	Relation	table;
	bool		found = false;

	if (column->rte->inh || !RELKIND_HAS_TABLE_AM(column->rte->relkind))
		return false;
	table = table_open(column->rte->relid, NoLock);
	slot = table_slot_create(table, NULL);
	InitNonVacuumableSnapshot(snapshot, GlobalVisTestFor(table));
	if (index != NULL)
		found = end_of_index(column, family, table, &snapshot, index, direction,
							 most, slot, key);
	else if (direction == BackwardScanDirection && most == UINT64_MAX &&
			 table->rd_rel->relam == HEAP_TABLE_AM_OID)
		found = end_of_table(column, table, &snapshot, slot, key);
	ExecDropSingleTupleTableSlot(slot);
	table_close(table, NoLock);
	return found;
}
