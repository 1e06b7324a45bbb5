/*
 * range_end.c
 *		Find the smallest or largest id of an index.
 *
 * The server does the same for a bound in the first or last bin of a histogram
 * (get_actual_variable_range), but not for types that it cannot interpolate.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/stratnum.h"
#include "access/table.h"
#include "access/tableam.h"
#include "access/visibilitymap.h"
#include "catalog/pg_am_d.h"
#include "executor/tuptable.h"
#include "miscadmin.h"
#include "storage/bufmgr.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"
#include "utils/typcache.h"

#include "pg/range.h"

/* Like the server, give up after this many heap pages of dead rows. */
#define MAX_HEAP_PAGES	100

/* An index scan and its resources. */
typedef struct EndScan
{
	Relation	heap;
	Relation	index;
	IndexScanDesc scan;
	TupleTableSlot *slot;
	Buffer		vm_buffer;
	BlockNumber last_block;
	int			pages;
} EndScan;

/* Is it a full btree whose first key is the column, in default order? */
static bool
is_of_column(const IndexOptInfo *index, const FlakeidColumn *column, Oid family)
{
	return index->relam == BTREE_AM_OID && index->indpred == NIL &&
		!index->hypothetical && index->indexkeys[0] == column->attnum &&
		index->opfamily[0] == family;
}

/* Usable index; a parent's index has no rows of its own. */
static IndexOptInfo *
index_of(const FlakeidColumn *column, Oid type)
{
	Oid			family = lookup_type_cache(type,
										   TYPECACHE_BTREE_OPFAMILY)->btree_opf;
	ListCell   *lc;

	if (column->rte->inh)
		return NULL;
	foreach(lc, column->rel->indexlist)
	{
		IndexOptInfo *index = lfirst_node(IndexOptInfo, lc);

		if (is_of_column(index, column, family))
			return index;
	}
	return NULL;
}

static void
begin(EndScan *end, const FlakeidColumn *column, const IndexOptInfo *index,
	  SnapshotData *snapshot)
{
	ScanKeyData not_null;

	end->heap = table_open(column->rte->relid, NoLock);
	end->index = index_open(index->indexoid, NoLock);
	end->slot = table_slot_create(end->heap, NULL);
	InitNonVacuumableSnapshot(*snapshot, GlobalVisTestFor(end->heap));
	ScanKeyEntryInitialize(&not_null, SK_ISNULL | SK_SEARCHNOTNULL, 1,
						   InvalidStrategy, InvalidOid, InvalidOid,
						   InvalidOid, (Datum) 0);
	end->scan = flakeid_index_beginscan(end->heap, end->index, snapshot, 1);
	end->scan->xs_want_itup = true;
	index_rescan(end->scan, &not_null, 1, NULL, 0);
}

static void
finish(EndScan *end)
{
	if (BufferIsValid(end->vm_buffer))
		ReleaseBuffer(end->vm_buffer);
	index_endscan(end->scan);
	ExecDropSingleTupleTableSlot(end->slot);
	index_close(end->index, NoLock);
	table_close(end->heap, NoLock);
}

/* Is the row of the index entry visible to any transaction? */
static bool
has_row(EndScan *end, BlockNumber block)
{
	bool		found;

	if (VM_ALL_VISIBLE(end->heap, block, &end->vm_buffer))
		return true;
	if (block != end->last_block)
		end->pages++;
	end->last_block = block;
	found = index_fetch_heap(end->scan, end->slot);
	ExecClearTuple(end->slot);
	return found;
}

/* Find the first index entry with a row; false if that takes too long. */
static bool
next_with_row(EndScan *end, ScanDirection direction)
{
	ItemPointer tid;

	while (end->pages < MAX_HEAP_PAGES &&
		   (tid = index_getnext_tid(end->scan, direction)) != NULL)
	{
		CHECK_FOR_INTERRUPTS();
		if (has_row(end, ItemPointerGetBlockNumber(tid)))
			return true;
	}
	return false;
}

static bool
key_of_entry(EndScan *end, Oid type, uint64 *key)
{
	bool		is_null;
	Datum		id = index_getattr(end->scan->xs_itup, 1,
								   end->scan->xs_itupdesc, &is_null);

	if (!is_null)
		*key = flakeid_id_key(type, id);
	return !is_null;
}

/* Last id in the direction; false without a usable index. */
bool
flakeid_index_end(const FlakeidColumn *column, Oid type,
				  ScanDirection direction, uint64 *key)
{
	IndexOptInfo *index = index_of(column, type);
	EndScan		end = {
		.vm_buffer = InvalidBuffer,
		.last_block = InvalidBlockNumber,
	};
	SnapshotData snapshot;
	bool		found;

	if (index == NULL)
		return false;
	if (index->reverse_sort[0])
		direction = -direction;
	begin(&end, column, index, &snapshot);
	found = next_with_row(&end, direction) &&
		key_of_entry(&end, type, key);
	finish(&end);
	return found;
}
