/*
 * range.h
 *		Planner support for time ranges.  range.c is asked by the planner, and
 *		range_stats.c knows the ids of a column.
 */
#ifndef FLAKEID_PG_RANGE_H
#define FLAKEID_PG_RANGE_H

#include "access/stratnum.h"
#include "nodes/pathnodes.h"

#include "format/histogram.h"
#include "format/scru160.h"

/* What a column is compared with, and how: column OPERATOR id. */
typedef struct FlakeidBound
{
	Oid			type;			/* uuid or scru160 */
	StrategyNumber strategy;	/* InvalidStrategy if it is not known */
	unsigned char id[FLAKE_SCRU160_BYTES];	/* a uuid is shorter */
} FlakeidBound;

/* The ids of a column, as known to one planning */
typedef struct FlakeidColumn
{
	AttrNumber	attnum;
	Oid			type;
	int			width;			/* of an id, in bytes */
	double		null_share;
	int			common_count;	/* ids that ANALYZE counted by themselves, */
	const unsigned char *common;	/* one after the other, and */
	const float4 *common_shares;	/* the share that each has of the rows */
	FlakeHistogram histogram;	/* of the others */
	bool		asked_start;	/* was the end of the index read? */
	bool		asked_end;
} FlakeidColumn;

extern void flakeid_install_range_stats(void);
extern void flakeid_note_range(void);

extern FlakeidColumn *flakeid_load_column(RelOptInfo *rel, RangeTblEntry *rte,
										  AttrNumber attnum, Oid type);
extern double flakeid_share_below(FlakeidColumn *column, RelOptInfo *rel,
								  RangeTblEntry *rte, const FlakeidBound *bound);

#endif							/* FLAKEID_PG_RANGE_H */
