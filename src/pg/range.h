/*
 * range.h
 *		Time ranges: bounds, and planner support.
 *
 *		range_bound		SQL functions that return the bounds
 *		range_support	replaces a _between function by two comparisons
 *		range_stats		supplies the planner with their selectivity
 *		range_column	rows of a column below an id
 *		range_end		greatest or smallest id of a column
 *
 * How an estimate comes about: the support function of _between returns "id >=
 * a AND id < b" and marks both comparisons.  The planner estimates each from
 * the statistics of the column, for which it asks get_relation_stats_hook; for
 * a marked comparison, the hook returns a row of statistics that says which
 * fraction of the ids is below the bound.  This relies on the planner
 *	- calling the hook with the column node of the comparison,
 *	- copying the location of a comparison, and ignoring it otherwise,
 *	- estimating a comparison from most common values alone, without any
 *	  histogram, and a pair of them as a range.
 * t/098_range_estimates.pl fails if that changes.
 */
#ifndef FLAKEID_PG_RANGE_H
#define FLAKEID_PG_RANGE_H

#include "fmgr.h"

#include "access/sdir.h"
#include "datatype/timestamp.h"
#include "nodes/pathnodes.h"

#include "format/flake.h"
#include "format/histogram.h"

/*
 * Location of the comparisons of a range: like all negative values it means "no
 * location in the query".  No other field of a node survives being copied to
 * partitions, subqueries and sides of an OR, and still leaves the comparison
 * equal to one without it, as indexes and constraints require.
 */
#define FLAKEID_RANGE_LOCATION	(-7016)

/* A column of ids, and its rows as far as known when planning. */
typedef struct FlakeidColumn
{
	RelOptInfo *rel;
	RangeTblEntry *rte;
	AttrNumber	attnum;
	Oid			type;
	int			version;		/* of a UUID in the bounds; otherwise 0 */
	bool		has_start;		/* were the ends looked for? */
	bool		has_tail;
	double		null_share;
	double		common_share;	/* of the most common ids */
	int			commons;
	uint64	   *common;
	float4	   *common_shares;
	FlakeHistogram histogram;	/* count is 0 if there is none */
} FlakeidColumn;

/* Version of a UUID, in its first 64 bits. */
static inline int
flakeid_key_version(uint64 key)
{
	return (int) (key >> 12 & 15);
}

static inline Node *
flakeid_without_relabel(Node *node)
{
	while (IsA(node, RelabelType))
		node = (Node *) ((RelabelType *) node)->arg;
	return node;
}

extern Datum flakeid_flake_bound(FlakeFormat format, TimestampTz ts,
								 int64 epoch_ms);

extern void flakeid_install_range_stats(void);
extern void flakeid_expect_ranges(const PlannerInfo *root, Oid type);

extern uint64 flakeid_id_key(Oid type, Datum id);
extern Datum flakeid_id_datum(Oid type, uint64 key);
extern void flakeid_load_column(FlakeidColumn *column);
extern double flakeid_share_below(FlakeidColumn *column, uint64 key,
								  bool is_lower);
extern bool flakeid_column_end(const FlakeidColumn *column,
							   ScanDirection direction, uint64 most,
							   uint64 *key);

#endif							/* FLAKEID_PG_RANGE_H */
