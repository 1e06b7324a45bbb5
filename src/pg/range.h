/*
 * range.h
 *		Planner support for time ranges.
 *
 *		range_support	replaces a _between function by two comparisons
 *		range_stats		supplies the planner with their selectivity
 *		range_column	fraction of a column's rows below an id
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

#include "access/htup.h"
#include "nodes/pathnodes.h"

#include "format/histogram.h"

/*
 * Location of the comparisons of a range: like all negative values it means "no
 * location in the query".  No other field of a node survives being copied to
 * partitions, subqueries and sides of an OR, and still leaves the comparison
 * equal to one without it, as indexes and constraints require.  A support
 * function that answers SupportRequestSelectivity would need no mark, but the
 * planner prunes no partitions by a function.
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
	uint64		from;			/* greatest lower bound of the query */
	uint64		to;				/* greatest upper bound */
	HeapTuple	row;			/* of pg_statistic */
	FlakeHistogram histogram;	/* count is 0 if there is none */
	HeapTuple	estimate;		/* what the planner gets for the row, and */
	char	   *shares;			/* the shares of its most common values */
} FlakeidColumn;

static inline Node *
flakeid_without_relabel(Node *node)
{
	while (IsA(node, RelabelType))
		node = (Node *) ((RelabelType *) node)->arg;
	return node;
}

extern void flakeid_install_range_stats(void);
extern void flakeid_expect_ranges(const PlannerInfo *root, Oid type);

extern uint64 flakeid_id_key(Oid type, Datum id);
extern Datum flakeid_id_datum(Oid type, uint64 key);
extern void flakeid_load_column(FlakeidColumn *column);
extern double flakeid_null_share(const FlakeidColumn *column);
extern double flakeid_share_below(const FlakeidColumn *column, uint64 key);

#endif							/* FLAKEID_PG_RANGE_H */
