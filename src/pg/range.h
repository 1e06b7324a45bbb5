/*
 * range.h
 *		Ranges of time: their bounds, and what the planner is told of them.
 *
 *		range_support	expands a _between function and marks its operators
 *		range_stats		hands the planner their selectivity
 *		scru160_estimate	does so for the operators of scru160
 *		range_clause	finds the range that a clause belongs to
 *		range_estimate	the share of a table's rows in a range
 *		range_end		the least or greatest id of an index
 */
#ifndef FLAKEID_PG_RANGE_H
#define FLAKEID_PG_RANGE_H

#include "fmgr.h"

#include "access/sdir.h"
#include "datatype/timestamp.h"
#include "nodes/pathnodes.h"

#include "format/flake.h"

/*
 * An operator of an expanded _between has this location, which like every
 * negative one stands for no place in the query.  The planner copies it along
 * with the operator and ignores it when it compares expressions.
 */
#define FLAKEID_BETWEEN_LOCATION (-7016)

/* A column of ids. */
typedef struct FlakeidColumn
{
	RelOptInfo *rel;
	RangeTblEntry *rte;
	AttrNumber	attnum;
} FlakeidColumn;

typedef enum FlakeidSide
{
	FLAKEID_NO_SIDE,
	FLAKEID_LOWER,				/* id >= bound or id > bound */
	FLAKEID_UPPER,				/* id < bound or id <= bound */
} FlakeidSide;

/* A clause that bounds a column from one side. */
typedef struct FlakeidClause
{
	RestrictInfo *rinfo;
	FlakeidSide side;
	bool		is_between;		/* of an expanded _between */
	bool		is_known;		/* the bound, when the query is planned */
	uint64		bound;
} FlakeidClause;

/* Shares of a table's rows. */
typedef struct FlakeidShares
{
	double		not_null;
	double		above;			/* of rows above the lower bound */
	double		below;			/* of rows below the upper one */
	double		between;
} FlakeidShares;

extern Datum flakeid_flake_before(FlakeFormat format, TimestampTz ts,
								  int64 epoch_ms);

extern void flakeid_install_range_stats(void);

extern bool flakeid_is_id_type(Oid type);
extern uint64 flakeid_id_key(Oid type, Datum id);
extern bool flakeid_examine_clause(PlannerInfo *root,
								   const FlakeidColumn *column,
								   RestrictInfo *rinfo,
								   FlakeidClause *clause);
extern bool flakeid_estimate_range(const FlakeidColumn *column, Oid type,
								   const uint64 *lower, const uint64 *upper,
								   FlakeidShares *shares);
extern bool flakeid_index_end(const FlakeidColumn *column, Oid type,
							  ScanDirection direction, uint64 *end);

#endif							/* FLAKEID_PG_RANGE_H */
