/*
 * range.h
 *		Time ranges: bounds, and planner support.
 *
 *		range_bound		SQL functions that return the bounds
 *		range_support	expands a _between function and marks its operators
 *		range_stats		supplies the planner with their selectivity
 *		scru160_estimate	the same for the operators of scru160
 *		range_clause	recognizes a clause that bounds a column
 *		range_estimate	estimates the fraction of rows in a range
 *		range_end		finds the smallest or largest id of an index
 */
#ifndef FLAKEID_PG_RANGE_H
#define FLAKEID_PG_RANGE_H

#include "fmgr.h"

#include "access/sdir.h"
#include "datatype/timestamp.h"
#include "nodes/pathnodes.h"

#include "format/flake.h"

/*
 * Location of the operators of an expanded _between.  Like all negative values
 * it means "no location in the query".  The planner copies it with the
 * operator and ignores it when comparing expressions.
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
	bool		is_between;		/* clause of an expanded _between */
	bool		is_known;		/* bound is known at plan time */
	uint64		bound;
} FlakeidClause;

/* Fractions of the rows of a table. */
typedef struct FlakeidShares
{
	double		not_null;
	double		above;			/* at or above the lower bound */
	double		below;			/* below the upper bound */
	double		between;
} FlakeidShares;

extern Datum flakeid_flake_bound(FlakeFormat format, TimestampTz ts,
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
