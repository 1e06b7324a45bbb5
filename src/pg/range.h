/*
 * range.h
 *		Planner support for time ranges.  The planner asks range.c, and
 *		range_stats.c reads the statistics and the index of a column.
 */
#ifndef FLAKEID_PG_RANGE_H
#define FLAKEID_PG_RANGE_H

#include "access/stratnum.h"
#include "nodes/pathnodes.h"
#include "utils/uuid.h"

#include "format/histogram.h"

/* What a column is compared with, and how: column OPERATOR id */
typedef struct FlakeidBound
{
	StrategyNumber strategy;
	pg_uuid_t	id;
} FlakeidBound;

/* A column of a relation, for one planning */
typedef struct FlakeidColumn
{
	AttrNumber	attnum;
	bool		is_loaded;		/* is what follows? */
	double		null_share;
	double		distinct;		/* number of distinct ids */
	FlakeHistogram histogram;
	bool		asked_start;	/* were these ends of the index read, */
	bool		asked_end;
	bool		asked_growth;	/* or the greatest id for the growth? */
} FlakeidColumn;

extern void flakeid_install_range_stats(void);
extern void flakeid_note_range(void);

extern bool flakeid_estimate(FlakeidColumn *column, RelOptInfo *rel,
							 const RangeTblEntry *rte,
							 const FlakeidBound *bound, double *below);

#endif							/* FLAKEID_PG_RANGE_H */
