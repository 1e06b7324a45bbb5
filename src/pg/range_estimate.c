/*
 * range_estimate.c
 *		Estimate the fraction of a table's rows whose id is in a range.
 *
 * The server interpolates within histogram bins only for built-in types, and
 * assumes no rows above the last one seen by ANALYZE.  Here ids are
 * interpolated by their first 64 bits, and rows inserted after ANALYZE are
 * counted.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/htup_details.h"
#include "access/transam.h"
#include "catalog/pg_class.h"
#include "catalog/pg_statistic.h"
#include "catalog/pg_type_d.h"
#include "pgstat.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "format/bits.h"
#include "format/histogram.h"
#include "format/scru160.h"
#include "pg/range.h"

/* Statistics of a column, from pg_statistic. */
typedef struct IdStatistics
{
	double		null_share;
	double		common_share;	/* of the most common ids */
	AttStatsSlot common;
	AttStatsSlot sample;		/* the bounds of the histogram */
	FlakeHistogram histogram;	/* count is 0 if there is none */
	Oid			type;
} IdStatistics;

/*
 * Can values of the type be ids?  scru160 is recognized by its size: users may
 * declare operators with our estimator for their own types.
 */
bool
flakeid_is_id_type(Oid type)
{
	return type == INT8OID || type == UUIDOID ||
		(type >= FirstNormalObjectId &&
		 get_typlen(type) == FLAKE_SCRU160_BYTES);
}

/* First 64 bits of an id, as a number in the same order. */
uint64
flakeid_id_key(Oid type, Datum id)
{
	if (type == INT8OID)
		return (uint64) DatumGetInt64(id) ^ UINT64CONST(1) << 63;
	return flake_load_be64((unsigned char *) DatumGetPointer(id));
}

static uint64 *
keys_of(Oid type, const AttStatsSlot *slot)
{
	uint64	   *keys = palloc(slot->nvalues * sizeof(uint64));

	for (int i = 0; i < slot->nvalues; i++)
		keys[i] = flakeid_id_key(type, slot->values[i]);
	return keys;
}

/* Check the size: the column may be a domain over the type. */
static bool
load_slot(AttStatsSlot *slot, HeapTuple tuple, int kind, int flags, Oid type)
{
	return get_attstatsslot(slot, tuple, kind, InvalidOid, flags) &&
		get_typlen(slot->valuetype) == get_typlen(type);
}

/* False if there are no usable statistics. */
static bool
load_slots(IdStatistics *statistics, HeapTuple tuple)
{
	bool		common = load_slot(&statistics->common, tuple,
								   STATISTIC_KIND_MCV,
								   ATTSTATSSLOT_VALUES | ATTSTATSSLOT_NUMBERS,
								   statistics->type);
	bool		sample = load_slot(&statistics->sample, tuple,
								   STATISTIC_KIND_HISTOGRAM,
								   ATTSTATSSLOT_VALUES, statistics->type);

	if (sample && statistics->sample.nvalues >= 2)
	{
		statistics->histogram.count = statistics->sample.nvalues;
		statistics->histogram.bounds = keys_of(statistics->type,
											   &statistics->sample);
	}
	return common || statistics->histogram.count > 0;
}

static bool
load_statistics(IdStatistics *statistics, const FlakeidColumn *column)
{
	HeapTuple	tuple = SearchSysCache3(STATRELATTINH,
										ObjectIdGetDatum(column->rte->relid),
										Int16GetDatum(column->attnum),
										BoolGetDatum(column->rte->inh));
	bool		found;

	if (!HeapTupleIsValid(tuple))
		return false;
	statistics->null_share =
		((Form_pg_statistic) GETSTRUCT(tuple))->stanullfrac;
	found = load_slots(statistics, tuple);
	ReleaseSysCache(tuple);
	for (int i = 0; i < statistics->common.nnumbers; i++)
		statistics->common_share += statistics->common.numbers[i];
	return found;
}

static void
free_statistics(IdStatistics *statistics)
{
	free_attstatsslot(&statistics->common);
	free_attstatsslot(&statistics->sample);
	if (statistics->histogram.count > 0)
		pfree(statistics->histogram.bounds);
}

/* Fraction of rows added since VACUUM or ANALYZE counted them. */
static double
grown_share(const FlakeidColumn *column)
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
	return 1 - counted / column->rel->tuples;
}

/*
 * Fraction of rows inserted or changed since ANALYZE; above 1 if the server
 * does not know: after a crash, and on a standby.
 */
static double
changed_share(const FlakeidColumn *column)
{
	PgStat_StatTabEntry *entry = pgstat_fetch_stat_tabentry(column->rte->relid);

	if (entry == NULL || flakeid_analyze_count(entry) == 0 ||
		column->rel->tuples <= 0)
		return 2;
	return Min(flakeid_changes_since_analyze(entry) / column->rel->tuples, 1);
}

/* Has the table only had inserts, according to the server's counters? */
static bool
only_grows(const FlakeidColumn *column)
{
	PgStat_StatTabEntry *entry = pgstat_fetch_stat_tabentry(column->rte->relid);

	return entry != NULL && entry->tuples_updated == 0 &&
		entry->tuples_deleted == 0;
}

/* ANALYZE reads a sample: a few rows lie above its largest id. */
static double
unseen_share(const FlakeHistogram *histogram)
{
	return 1.0 / (30.0 * histogram->count);
}

/*
 * Without a usable index, all changes of a table that only grows are assumed
 * to be new ids.
 */
static void
add_tail(IdStatistics *statistics, const FlakeidColumn *column)
{
	FlakeHistogram *histogram = &statistics->histogram;
	FlakeGrowth growth = {.share = grown_share(column), .most = 2};

	growth.end_known = flakeid_index_end(column, statistics->type,
										 BackwardScanDirection,
										 &growth.end);
	if (!growth.end_known && only_grows(column) && changed_share(column) <= 1)
		growth.share = Max(growth.share, changed_share(column));
	if (growth.end_known && flake_histogram_outgrown(histogram, growth.end))
		growth.most = Min(changed_share(column) + unseen_share(histogram), 2);
	flake_histogram_grow(histogram, &growth);
}

/* The tail as far as known without reading an index. */
static void
add_known_tail(IdStatistics *statistics, const FlakeidColumn *column)
{
	FlakeGrowth growth = {.share = grown_share(column), .most = 2};

	flake_histogram_grow(&statistics->histogram, &growth);
}

/*
 * Update the histogram if the range extends beyond the rows seen by ANALYZE.
 * If the range covers nearly all rows, as in most partitions, the ends do not
 * matter.
 */
static void
update_histogram(IdStatistics *statistics, const FlakeidColumn *column,
				 const uint64 *lower, const uint64 *upper)
{
	FlakeHistogram *histogram = &statistics->histogram;
	uint64	   *bounds = histogram->bounds;
	int			last = histogram->count - 1;
	uint64		least;

	if ((upper ? *upper : *lower) > bounds[last] &&
		lower && *lower > bounds[0])
		add_tail(statistics, column);
	else
		add_known_tail(statistics, column);
	if ((upper ? *upper : *lower) < bounds[1] &&
		flakeid_index_end(column, statistics->type, ForwardScanDirection,
						  &least) && least < bounds[0])
		bounds[0] = least;
}

/* Fraction of all rows with an id below the bound. */
static double
share_below(const IdStatistics *statistics, uint64 bound)
{
	double		rest = 1 - statistics->null_share - statistics->common_share;
	double		share = 0;

	for (int i = 0; i < statistics->common.nvalues; i++)
		if (flakeid_id_key(statistics->type,
						   statistics->common.values[i]) < bound)
			share += statistics->common.numbers[i];
	if (statistics->histogram.count > 0)
		share += Max(rest, 0) * flake_histogram_below(&statistics->histogram,
													  bound);
	return share;
}

/*
 * Fractions of the rows at or above the lower bound, below the upper bound,
 * and between them.  At least one bound must be given.  False without
 * statistics.
 */
bool
flakeid_estimate_range(const FlakeidColumn *column, Oid type,
					   const uint64 *lower, const uint64 *upper,
					   FlakeidShares *shares)
{
	IdStatistics statistics = {.type = type};
	double		below_lower;

	if (!flakeid_is_id_type(type) || !load_statistics(&statistics, column))
		return false;
	if (statistics.histogram.count > 0)
		update_histogram(&statistics, column, lower, upper);
	shares->not_null = 1 - statistics.null_share;
	below_lower = lower ? share_below(&statistics, *lower) : 0;
	shares->below = upper ? share_below(&statistics, *upper) :
		shares->not_null;
	shares->above = Max(shares->not_null - below_lower, 0);
	shares->between = Max(shares->below - below_lower, 0);
	free_statistics(&statistics);
	return true;
}
