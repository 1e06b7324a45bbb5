/*
 * scru160_estimate.c
 *		Selectivity of <, <=, >= and > of scru160.
 *
 * The planner multiplies the selectivities of clauses whose operators are not
 * core's.  So the largest lower bound gets P(id >= a), the smallest upper
 * bound P(id < b, given id >= a), and all other bounds 1.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_type_d.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "utils/selfuncs.h"

#include "pg/range.h"

/* The bounds in the same AND as the current clause. */
typedef struct Bounds
{
	PlannerInfo *root;
	FlakeidColumn column;
	List	   *arguments;		/* of the clause; compared by address */
	FlakeidClause current;
	FlakeidClause lower;		/* largest lower bound */
	FlakeidClause upper;		/* smallest upper bound */
} Bounds;

static bool find_in_and(Bounds *bounds, List *clauses);

static bool
find_in_or(Bounds *bounds, List *arms)
{
	ListCell   *lc;

	foreach(lc, arms)
	{
		Node	   *arm = lfirst(lc);

		if (find_in_and(bounds, is_andclause(arm) ?
						((BoolExpr *) arm)->args : list_make1(arm)))
			return true;
	}
	return false;
}

static bool
is_current(const Bounds *bounds, RestrictInfo *rinfo)
{
	return IsA(rinfo->clause, OpExpr) &&
		((OpExpr *) rinfo->clause)->args == bounds->arguments;
}

/* Is the current clause in this list? */
static bool
has_current(Bounds *bounds, List *clauses)
{
	ListCell   *lc;

	foreach(lc, clauses)
		if (IsA(lfirst(lc), RestrictInfo) &&
			is_current(bounds, (RestrictInfo *) lfirst(lc)))
			return true;
	return false;
}

/* Keep the tighter bound; the first one of equals. */
static void
consider(FlakeidClause *tightest, const FlakeidClause *clause)
{
	bool		tighter = clause->side == FLAKEID_LOWER ?
		clause->bound > tightest->bound : clause->bound < tightest->bound;

	if (tightest->rinfo == NULL || (clause->is_known &&
									(!tightest->is_known || tighter)))
		*tightest = *clause;
}

static void
collect(Bounds *bounds, List *clauses)
{
	ListCell   *lc;

	foreach(lc, clauses)
	{
		RestrictInfo *rinfo = lfirst(lc);
		FlakeidClause clause;

		if (!IsA(rinfo, RestrictInfo) ||
			!flakeid_examine_clause(bounds->root, &bounds->column, rinfo,
									&clause))
			continue;
		consider(clause.side == FLAKEID_LOWER ? &bounds->lower :
				 &bounds->upper, &clause);
		if (is_current(bounds, rinfo))
			bounds->current = clause;
	}
}

static bool
find_in_and(Bounds *bounds, List *clauses)
{
	ListCell   *lc;

	if (has_current(bounds, clauses))
	{
		collect(bounds, clauses);
		return bounds->current.rinfo != NULL;
	}
	foreach(lc, clauses)
	{
		RestrictInfo *rinfo = lfirst(lc);

		if (IsA(rinfo, RestrictInfo) && rinfo->orclause != NULL &&
			find_in_or(bounds, ((BoolExpr *) rinfo->orclause)->args))
			return true;
	}
	return false;
}

/* A clause that is not in the lists of the relation is estimated alone. */
static bool
find_bounds(Bounds *bounds, List *arguments, Oid operator)
{
	RestrictInfo *alone;

	bounds->arguments = arguments;
	if (find_in_and(bounds, bounds->column.rel->baserestrictinfo) ||
		find_in_and(bounds, bounds->column.rel->joininfo))
		return true;
	alone = makeNode(RestrictInfo);
	alone->clause = make_opclause(operator, BOOLOID, false,
								  linitial(arguments), lsecond(arguments),
								  InvalidOid, InvalidOid);
	((OpExpr *) alone->clause)->args = arguments;
	return find_in_and(bounds, list_make1(alone));
}

/* Core's default for unknown bounds. */
static Selectivity
default_share(const Bounds *bounds)
{
	bool		is_range = bounds->lower.rinfo && bounds->upper.rinfo;

	if (is_range && bounds->current.side == FLAKEID_UPPER)
		return DEFAULT_RANGE_INEQ_SEL / DEFAULT_INEQ_SEL;
	return DEFAULT_INEQ_SEL;
}

/*
 * P(id < b, given id >= a).  The planner estimates the upper bound right after
 * the lower one, so keep_upper() stores it where the planner caches it.
 */
static Selectivity
share_of_upper(const FlakeidShares *shares)
{
	return shares->above > 0 ? Min(shares->between / shares->above, 1) : 0;
}

static void
keep_upper(const Bounds *bounds, const FlakeidShares *shares)
{
	if (bounds->upper.rinfo->norm_selec < 0)
		bounds->upper.rinfo->norm_selec = share_of_upper(shares);
}

static Selectivity
share_of(const Bounds *bounds, Oid type)
{
	const FlakeidClause *lower = &bounds->lower;
	const FlakeidClause *upper = &bounds->upper;
	bool		has_lower = lower->rinfo && lower->is_known;
	bool		has_upper = upper->rinfo && upper->is_known;
	FlakeidShares shares;

	if (!flakeid_estimate_range(&bounds->column, type,
								has_lower ? &lower->bound : NULL,
								has_upper ? &upper->bound : NULL, &shares))
		return default_share(bounds);
	if (bounds->current.side == FLAKEID_LOWER && has_upper)
		keep_upper(bounds, &shares);
	if (bounds->current.side == FLAKEID_LOWER)
		return shares.above;
	return has_lower ? share_of_upper(&shares) : shares.below;
}

static Selectivity
selectivity(const Bounds *bounds, Oid type)
{
	const FlakeidClause *tightest =
		bounds->current.side == FLAKEID_LOWER ? &bounds->lower : &bounds->upper;

	if (!bounds->current.is_known)
		return default_share(bounds);
	if (bounds->current.rinfo != tightest->rinfo)
		return 1;
	return share_of(bounds, type);
}

static RangeTblEntry *
plain_relation(PlannerInfo *root, const VariableStatData *variable)
{
	RangeTblEntry *rte;

	if (variable->rel == NULL || variable->rel->relid == 0 ||
		!IsA(variable->var, Var))
		return NULL;
	rte = planner_rt_fetch(variable->rel->relid, root);
	return rte->rtekind == RTE_RELATION ? rte : NULL;
}

static Selectivity
estimate(PlannerInfo *root, Oid operator, List *arguments,
		 const VariableStatData *variable)
{
	Bounds		bounds = {.root = root};

	bounds.column.rte = plain_relation(root, variable);
	if (bounds.column.rte == NULL)
		return DEFAULT_INEQ_SEL;
	bounds.column.rel = variable->rel;
	bounds.column.attnum = ((Var *) variable->var)->varattno;
	if (!find_bounds(&bounds, arguments, operator))
		return DEFAULT_INEQ_SEL;
	return selectivity(&bounds, variable->vartype);
}

/*
 * scru160_rangesel(internal, oid, internal, integer) -> double precision
 *
 * Restriction estimator of the four operators.
 */
PG_FUNCTION_INFO_V1(flakeid_scru160_rangesel);
Datum
flakeid_scru160_rangesel(PG_FUNCTION_ARGS)
{
	PlannerInfo *root = (PlannerInfo *) PG_GETARG_POINTER(0);
	List	   *arguments = (List *) PG_GETARG_POINTER(2);
	VariableStatData variable;
	Node	   *other;
	bool		on_the_left;
	Selectivity result;

	if (!get_restriction_variable(root, arguments, PG_GETARG_INT32(3),
								  &variable, &other, &on_the_left))
		PG_RETURN_FLOAT8(DEFAULT_INEQ_SEL);
	result = estimate(root, PG_GETARG_OID(1), arguments, &variable);
	ReleaseVariableStats(variable);
	CLAMP_PROBABILITY(result);
	PG_RETURN_FLOAT8(result);
}
