/*
 * range.h
 *		Planner support for time ranges.  The planner asks range.c, and
 *		range_stats.c reads the statistics and the index of a column.
 */
#ifndef FLAKEID_PG_RANGE_H
#define FLAKEID_PG_RANGE_H

#include "nodes/pathnodes.h"
#include "utils/uuid.h"

/* The bound that a column is compared with */
typedef struct FlakeidBound
{
	pg_uuid_t	id;
	bool		or_equal;		/* is an equal id counted as below? */
} FlakeidBound;

/* Shares of the rows of a table, 0 .. 1: without an id, and below a bound */
typedef struct FlakeidShares
{
	double		null;
	double		below;			/* a bound */
} FlakeidShares;

extern void flakeid_install_range_stats(void);
extern Oid	flakeid_uuid_family(void);

extern bool flakeid_estimate(const RelOptInfo *rel, const RangeTblEntry *rte,
							 AttrNumber attnum, const FlakeidBound *bound,
							 FlakeidShares *shares);

#endif							/* FLAKEID_PG_RANGE_H */
