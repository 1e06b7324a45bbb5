/*
 * range_column.c
 *		Estimate the fraction of a table's rows whose id is below a bound.
 *
 * The server interpolates within histogram bins only for built-in types, and
 * assumes no rows above the last one seen by ANALYZE.  Here ids are
 * interpolated by their first 64 bits.  Rows inserted after ANALYZE are assumed
 * to have arrived at the recent rate, up to the greatest id, and to be no fewer
 * than the growth of the table in pages suggests.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/htup_details.h"
#include "access/transam.h"
#include "catalog/pg_class.h"
#include "catalog/pg_statistic.h"
#include "catalog/pg_type_d.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"
#include "utils/uuid.h"

#include "format/base.h"
#include "format/range.h"
#include "format/scru160.h"
#include "pg/clock.h"
#include "pg/range.h"

/* Attempts to find the id at the end, and the first one of the tail. */
#define MOST_OUTLIERS	3
#define MOST_HALVINGS	10

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

static uint64 *
keys_of(Oid type, const AttStatsSlot *slot)
{
	uint64	   *keys = palloc(slot->nvalues * sizeof(uint64));

	for (int i = 0; i < slot->nvalues; i++)
		keys[i] = flakeid_id_key(type, slot->values[i]);
	return keys;
}

static void
load_common(FlakeidColumn *column, HeapTuple tuple)
{
	AttStatsSlot slot;

	if (!get_attstatsslot(&slot, tuple, STATISTIC_KIND_MCV, InvalidOid,
						  ATTSTATSSLOT_VALUES | ATTSTATSSLOT_NUMBERS))
		return;
	column->commons = slot.nvalues;
	column->common = keys_of(column->type, &slot);
	column->common_shares = palloc(slot.nvalues * sizeof(float4));
	for (int i = 0; i < slot.nvalues; i++)
		column->common_share += column->common_shares[i] = slot.numbers[i];
	free_attstatsslot(&slot);
}

/* Check the size: the column may be a domain over the type. */
static void
load_histogram(FlakeidColumn *column, HeapTuple tuple)
{
	AttStatsSlot slot;

	if (!get_attstatsslot(&slot, tuple, STATISTIC_KIND_HISTOGRAM, InvalidOid,
						  ATTSTATSSLOT_VALUES))
		return;
	if (slot.nvalues >= 2 &&
		get_typlen(slot.valuetype) == get_typlen(column->type))
		column->histogram = flake_histogram(keys_of(column->type, &slot),
											slot.nvalues);
	free_attstatsslot(&slot);
}

/* Load the statistics; without a histogram, its count stays 0. */
void
flakeid_load_column(FlakeidColumn *column)
{
	HeapTuple	tuple = SearchSysCache3(STATRELATTINH,
										ObjectIdGetDatum(column->rte->relid),
										Int16GetDatum(column->attnum),
										BoolGetDatum(column->rte->inh));

	if (!HeapTupleIsValid(tuple))
		return;
	column->null_share = ((Form_pg_statistic) GETSTRUCT(tuple))->stanullfrac;
	load_histogram(column, tuple);
	if (column->histogram.count > 0)
		load_common(column, tuple);
	ReleaseSysCache(tuple);
}

/* Growth since VACUUM or ANALYZE counted the rows, in bins. */
static double
grown_bins(const FlakeidColumn *column)
{
	HeapTuple	tuple = SearchSysCache1(RELOID,
										ObjectIdGetDatum(column->rte->relid));
	double		counted;

	if (!HeapTupleIsValid(tuple))
		return 0;
	counted = ((Form_pg_class) GETSTRUCT(tuple))->reltuples;
	ReleaseSysCache(tuple);
	if (counted <= 0 || counted >= column->rel->tuples)
		return 0;
	return (column->rel->tuples / counted - 1) * (column->histogram.count - 1);
}

/* First 64 bits of a UUID of a time from now on. */
static uint64
key_in(int version, int64 seconds)
{
	FlakeInstant then = flakeid_clock_now();

	then.unix_s += seconds;
	return version == 6 ? flake_uuid_v6_first(then).high :
		flake_uuid_v7_first(then).high;
}

/*
 * Does the column have other ids, above those that can be times?  Random UUIDs
 * are, and UUIDv6 above UUIDv7.  Then times end an hour from now.
 */
static bool
has_other_ids(const FlakeidColumn *column, uint64 *limit)
{
	const FlakeHistogram *histogram = &column->histogram;
	uint64		greatest = histogram->bounds[histogram->count - 1];

	if (column->version != 6 && column->version != 7)
		return false;
	*limit = key_in(column->version, SECS_PER_HOUR);
	if (*limit <= histogram->bounds[0])
		return false;
	(void) flakeid_column_end(column, BackwardScanDirection, UINT64_MAX, &greatest);
	return greatest > key_in(column->version, 10 * (int64) SECS_PER_YEAR);
}

/* Greatest id below the limit; the limit itself if that is not known. */
static uint64
end_below(const FlakeidColumn *column, uint64 limit)
{
	uint64		end = limit;

	(void) flakeid_column_end(column, BackwardScanDirection, limit - 1, &end);
	return end;
}

/*
 * First id of the tail, roughly: "start", or later if a gap comes first.  The
 * end itself if that is a single id far ahead of the others.
 */
static uint64
start_of_tail(const FlakeidColumn *column, uint64 start, uint64 end)
{
	uint64		within = end;

	for (int i = 0; i < MOST_HALVINGS &&
		 within - start > (end - within) / 8; i++)
	{
		uint64		middle = start + (within - start) / 2;

		if (end_below(column, middle) > start + (middle - start) / 2)
			within = middle;
		else
			start = middle;
	}
	return within == end ? end : start;
}

/* Few new rows need no closer look. */
static void
grow(FlakeidColumn *column, uint64 end)
{
	FlakeHistogram *histogram = &column->histogram;
	uint64		last = histogram->bounds[histogram->last];
	uint64		start = last;

	for (int i = 0; i < MOST_OUTLIERS &&
		 flake_histogram_expected(histogram, last, end) * 20 > histogram->count; i++)
	{
		start = start_of_tail(column, last, end);
		if (start < end)
			break;
		end = end_below(column, end);
		start = last;
	}
	flake_histogram_grow(histogram, grown_bins(column), start, end);
}

/* Look for rows inserted after ANALYZE. */
static void
add_tail(FlakeidColumn *column)
{
	uint64		limit;
	uint64		end;

	column->has_tail = true;
	if (has_other_ids(column, &limit))
	{
		flake_histogram_limit(&column->histogram, limit);
		grow(column, end_below(column, limit));
	}
	else if (flakeid_column_end(column, BackwardScanDirection, UINT64_MAX, &end))
		grow(column, end);
	else
		flake_histogram_grow_unseen(&column->histogram, grown_bins(column));
}

/* A sample does not have the least id, as a rule. */
static void
add_start(FlakeidColumn *column)
{
	uint64		least;

	column->has_start = true;
	if (flakeid_column_end(column, ForwardScanDirection, UINT64_MAX, &least))
		column->histogram.bounds[0] = Min(column->histogram.bounds[0], least);
}

/*
 * Fraction of all rows with an id below the key.  The ends of the table are
 * looked for if they matter: the first one near it, the last one above a lower
 * bound, but neither for a range over all of a partition.
 */
double
flakeid_share_below(FlakeidColumn *column, uint64 key, bool is_lower)
{
	const uint64 *bounds = column->histogram.bounds;
	double		rest = 1 - column->null_share - column->common_share;
	double		share = 0;

	if (is_lower && key > bounds[0] && !column->has_tail)
		add_tail(column);
	if (key < bounds[1] && key + (bounds[1] - bounds[0]) > bounds[0] &&
		!column->has_start)
		add_start(column);
	for (int i = 0; i < column->commons; i++)
		if (column->common[i] < key)
			share += column->common_shares[i];
	return share + Max(rest, 0) * flake_histogram_below(&column->histogram, key);
}
