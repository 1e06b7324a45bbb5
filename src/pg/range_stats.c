/*
 * range_stats.c
 *		Estimate the fraction of a table's rows whose id is below a bound.
 *
 * The server interpolates within histogram bins only for built-in types, and
 * assumes no rows beyond the last one seen by ANALYZE.  Here ids are
 * interpolated by their first 64 bits.  Rows inserted after ANALYZE are assumed
 * to have arrived at the recent rate, up to the greatest id in the index.  In a
 * column of mixed ids, those that are not times are told by their bounds.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/stratnum.h"
#include "access/table.h"
#include "access/tableam.h"
#include "catalog/pg_am_d.h"
#include "catalog/pg_statistic.h"
#include "catalog/pg_type_d.h"
#include "executor/tuptable.h"
#include "miscadmin.h"
#include "storage/bufmgr.h"
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

/* Like the server, give up after this many heap pages of dead rows. */
#define MAX_HEAP_PAGES	100

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

/*
 * The first id of the scan that is visible to any transaction, and of a
 * version, if given.  If that takes too long, the last other one, or 0.
 */
static uint64
fetch_id(const FlakeidColumn *column, int version, IndexScanDesc scan,
		 ScanDirection direction, TupleTableSlot *slot)
{
	BlockNumber last_block = InvalidBlockNumber;
	uint64		key = 0;
	int			pages = 0;
	ItemPointer tid;
	bool		is_null;

	while ((tid = index_getnext_tid(scan, direction)) != NULL)
	{
		CHECK_FOR_INTERRUPTS();
		if (ItemPointerGetBlockNumber(tid) != last_block &&
			++pages > MAX_HEAP_PAGES)
			break;
		last_block = ItemPointerGetBlockNumber(tid);
		if (index_fetch_heap(scan, slot))
		{
			key = flakeid_id_key(column->type,
								 slot_getattr(slot, column->attnum, &is_null));
			if (version == 0 || flakeid_id_version(column->type, key) == version)
				break;
		}
	}
	return key;
}

/*
 * The least id from the limit on, or the greatest one up to it, of a version if
 * it is not 0; 0 if there is none.  The comparison excludes nulls, too.  The
 * server reads the index in the same way for types that it can interpolate
 * (get_actual_variable_range).
 */
static uint64
read_end(const FlakeidColumn *column, int version, const IndexOptInfo *chosen,
		 StrategyNumber strategy, uint64 limit)
{
	Oid			operator = get_opfamily_member(chosen->opfamily[0], column->type,
											   column->type, strategy);
	bool		is_least = strategy == BTGreaterEqualStrategyNumber;
	Relation	table = table_open(column->rte->relid, NoLock);
	Relation	index = index_open(chosen->indexoid, NoLock);
	TupleTableSlot *slot = table_slot_create(table, NULL);
	SnapshotData snapshot = {0};
	ScanKeyData condition;
	IndexScanDesc scan;
	uint64		end;

	InitNonVacuumableSnapshot(snapshot, GlobalVisTestFor(table));
	ScanKeyInit(&condition, 1, strategy, get_opcode(operator),
				flakeid_id_datum(column->type, limit));
	scan = flakeid_index_beginscan(table, index, &snapshot, 1);
	index_rescan(scan, &condition, 1, NULL, 0);
	end = fetch_id(column, version, scan, is_least == chosen->reverse_sort[0] ?
					 BackwardScanDirection : ForwardScanDirection, slot);
	index_endscan(scan);
	ExecDropSingleTupleTableSlot(slot);
	index_close(index, NoLock);
	table_close(table, NoLock);
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

/* Is the first UUID from then on of the column's version?  If so, set *start. */
static bool
starts_before(const FlakeidColumn *column, const IndexOptInfo *index,
			  int64 unix_s, uint64 *start)
{
	uint64		first = read_end(column, 0, index, BTGreaterEqualStrategyNumber,
								 key_of_time(column->version, unix_s, 0));

	if (flakeid_id_version(column->type, first) != column->version)
		return false;
	*start = first;
	return true;
}

/*
 * The least time beside other UUIDs, some of which are among earlier times: go
 * back until one of them comes first, then halve the interval; 0 if not found.
 */
static uint64
search_start(const FlakeidColumn *column, const IndexOptInfo *index)
{
	int64		now_s = flakeid_clock_now().unix_s;
	int64		near_s = 0;
	int64		far_s = SECS_PER_HOUR;
	uint64		start = 0;

	for (; far_s < now_s - LEAST_UNIX_S; far_s *= 2)
	{
		if (starts_before(column, index, now_s - far_s, &start))
			near_s = far_s;
		else if (start > 0)
			break;
	}
	while (start > 0 && far_s - near_s > near_s / 32)
	{
		int64		middle_s = near_s + (far_s - near_s) / 2;

		if (starts_before(column, index, now_s - middle_s, &start))
			near_s = middle_s;
		else
			far_s = middle_s;
	}
	return start;
}

/*
 * Make the knots of the histogram.  Like the server, read the ends of the index
 * only for bounds beyond the histogram, and in a column with few times.
 */
static void
draw(FlakeidColumn *column, uint64 least, uint64 greatest)
{
	FlakeHistogram *histogram = &column->histogram;
	const uint64 *bounds = histogram->bounds;
	IndexOptInfo *index = index_of(column);
	int			version = least > 0 ? column->version : 0;	/* of times */
	uint64		start = 0;
	uint64		end = 0;

	if (index && (histogram->few || column->least < bounds[histogram->first]))
		start = column->version != 0 && histogram->first > 0 ?
			search_start(column, index) :
			read_end(column, version, index, BTGreaterEqualStrategyNumber, least);
	if (index && (histogram->few || column->greatest > bounds[histogram->last]))
		end = read_end(column, version, index, BTLessEqualStrategyNumber, greatest);
	flake_histogram_draw(histogram,
						 palloc(FLAKE_KNOTS(histogram->count) * sizeof(FlakeKnot)),
						 start <= greatest ? start : 0, end >= least ? end : 0);
}

/* Load the statistics; without times in a histogram, it has no knots. */
void
flakeid_load_column(FlakeidColumn *column)
{
	uint64		least = key_of_time(column->version, LEAST_UNIX_S, column->type == INT8OID ?
									flakeid_id_key(INT8OID, Int64GetDatum(LEAST_FLAKE)) : 0);
	uint64		greatest = key_of_time(column->version,
									   flakeid_clock_now().unix_s + SECS_PER_HOUR,
									   UINT64_MAX);
	AttStatsSlot slot;
	uint64	   *bounds;

	column->statistics = SearchSysCacheCopy3(STATRELATTINH,
									  ObjectIdGetDatum(column->rte->relid),
									  Int16GetDatum(column->attnum),
									  BoolGetDatum(column->rte->inh));
	if (!HeapTupleIsValid(column->statistics) ||
		!get_attstatsslot(&slot, column->statistics, STATISTIC_KIND_HISTOGRAM,
						  InvalidOid, ATTSTATSSLOT_VALUES) || slot.nvalues < 2)
		return;
	column->null_share = ((Form_pg_statistic) GETSTRUCT(column->statistics))->stanullfrac;
	bounds = palloc(slot.nvalues * sizeof(uint64));
	for (int i = 0; i < slot.nvalues; i++)
		bounds[i] = flakeid_id_key(column->type, slot.values[i]);
	if (bounds[0] == bounds[slot.nvalues - 1])	/* the times do not differ */
	{
		free_attstatsslot(&slot);
		return;
	}
	if (greatest < bounds[0])	/* ids of another layout */
		greatest = UINT64_MAX;
	column->histogram = flake_histogram(bounds, slot.nvalues, least, greatest);
	draw(column, least, greatest);
	free_attstatsslot(&slot);
}

/*
 * Fraction of all rows with an id below the bound, or equal to it.  ANALYZE puts
 * common ids first.
 */
double
flakeid_share_below(const FlakeidColumn *column, Datum bound, bool or_equal)
{
	VariableStatData variable = {.statsTuple = column->statistics,.acl_ok = true};
	Oid			family = lookup_type_cache(column->type,
										   TYPECACHE_BTREE_OPFAMILY)->btree_opf;
	FmgrInfo	compare;
	double		common = 0;
	double		below = 0;

	if (((Form_pg_statistic) GETSTRUCT(column->statistics))->stakind1 == STATISTIC_KIND_MCV)
	{
		fmgr_info(get_opcode(get_opfamily_member(family, column->type, column->type,
												 or_equal ? BTLessEqualStrategyNumber :
												 BTLessStrategyNumber)), &compare);
		below = mcv_selectivity(&variable, &compare, InvalidOid, bound, true, &common);
	}
	return below + Max(1 - column->null_share - common, 0) *
		flake_histogram_below(&column->histogram, flakeid_id_key(column->type, bound));
}
