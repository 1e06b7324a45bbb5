/*
 * range.h
 *		Planner support for time ranges.
 */
#ifndef FLAKEID_PG_RANGE_H
#define FLAKEID_PG_RANGE_H

#include "access/htup.h"
#include "access/stratnum.h"
#include "fmgr.h"
#include "nodes/pathnodes.h"

#include "format/histogram.h"

/* A column of ids, and its rows as far as known when planning. */
typedef struct FlakeidColumn
{
	RelOptInfo *rel;
	RangeTblEntry *rte;
	AttrNumber	attnum;
	Oid			type;
	int			version;		/* of a UUID in the bounds; otherwise 0 */
	uint64		least;			/* bound of the query that is not infinite */
	uint64		greatest;
	bool		is_open;		/* is a bound infinite? */
	HeapTuple	statistics;		/* row of pg_statistic */
	float4		null_share;
	FlakeHistogram histogram;	/* without knots if it says nothing */
	HeapTuple	reply;			/* what the planner gets in its place, and */
	char	   *shares;			/* the shares of its most common values */
} FlakeidColumn;

extern void flakeid_install_range_stats(void);
extern void flakeid_note_range(FunctionCallInfo fcinfo);

extern uint64 flakeid_id_key(Oid type, Datum id);
extern int	flakeid_id_version(Oid type, uint64 key);
extern bool flakeid_is_infinite(Oid type, uint64 key);
extern Datum flakeid_id_datum(Oid type, uint64 key);
extern void flakeid_load_column(FlakeidColumn *column);
extern double flakeid_share_below(const FlakeidColumn *column, Datum bound,
								  StrategyNumber comparison);

#endif							/* FLAKEID_PG_RANGE_H */
