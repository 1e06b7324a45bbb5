/*
 * range_stats.c
 *		Supply the planner with the selectivity of the two operators of an
 *		expanded _between function.
 *
 * The planner estimates "id >= a AND id < b" as P(id >= a) + P(id < b) - 1,
 * each from the statistics of the column, which a hook may supply.  For the
 * lower bound our hook returns statistics without a histogram, whose fraction
 * of NULLs makes core's formula yield P(id >= a).  At the same time it stores
 * the upper bound's selectivity where the planner caches it, as core does for
 * clauses derived from an OR.  So a range costs one lookup of the statistics,
 * and the plan has no additional clause.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/htup_details.h"
#include "catalog/pg_statistic.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/selfuncs.h"
#include "utils/syscache.h"

#include "pg/range.h"

static get_relation_stats_hook_type next_hook;

/* The clause being estimated, identified by the pointer to its column node. */
typedef struct Search
{
	PlannerInfo *root;
	const FlakeidColumn *column;
	const Node *node;
	FlakeidClause current;
	FlakeidClause upper;		/* rinfo is NULL if current has no partner */
} Search;

static bool search_and(Search *search, List *clauses);

static bool
is_current(const Search *search, RestrictInfo *rinfo)
{
	OpExpr	   *comparison = (OpExpr *) rinfo->clause;
	Node	   *id;

	if (!IsA(comparison, OpExpr) ||
		comparison->location != FLAKEID_BETWEEN_LOCATION)
		return false;
	id = linitial(comparison->args);
	while (IsA(id, RelabelType))
		id = (Node *) ((RelabelType *) id)->arg;
	return id == search->node;
}

/* Find the upper bound of the same _between, which follows the lower one. */
static void
find_upper(Search *search, List *clauses, int after)
{
	FlakeidClause *upper = &search->upper;

	for (int i = after; i < list_length(clauses); i++)
	{
		RestrictInfo *rinfo = list_nth(clauses, i);

		if (IsA(rinfo, RestrictInfo) && rinfo->norm_selec < 0 &&
			flakeid_examine_clause(search->root, search->column, rinfo, upper) &&
			upper->is_between && upper->is_known &&
			upper->side == FLAKEID_UPPER)
			return;
	}
	upper->rinfo = NULL;
}

static bool
search_or(Search *search, List *arms)
{
	ListCell   *lc;

	foreach(lc, arms)
	{
		Node	   *arm = lfirst(lc);

		if (search_and(search, is_andclause(arm) ?
					   ((BoolExpr *) arm)->args : list_make1(arm)))
			return true;
	}
	return false;
}

/* Find the current clause, which has no estimate yet, and its partner. */
static bool
search_and(Search *search, List *clauses)
{
	for (int i = 0; i < list_length(clauses); i++)
	{
		RestrictInfo *rinfo = list_nth(clauses, i);

		if (!IsA(rinfo, RestrictInfo) || rinfo->norm_selec >= 0)
			continue;
		if (rinfo->orclause != NULL &&
			search_or(search, ((BoolExpr *) rinfo->orclause)->args))
			return true;
		if (!is_current(search, rinfo))
			continue;
		if (flakeid_examine_clause(search->root, search->column, rinfo,
								   &search->current) &&
			search->current.is_known &&
			search->current.side == FLAKEID_LOWER)
			find_upper(search, clauses, i + 1);
		return search->current.is_known;
	}
	return false;
}

/*
 * Statistics from which scalarineqsel() computes the selectivity: without most
 * common values and histogram, it returns half of the non-null fraction.
 */
static HeapTuple
statistics_for(const FlakeidColumn *column, Selectivity *selectivity)
{
	HeapTuple	tuple = SearchSysCache3(STATRELATTINH,
										ObjectIdGetDatum(column->rte->relid),
										Int16GetDatum(column->attnum),
										BoolGetDatum(column->rte->inh));
	HeapTuple	copy;
	Form_pg_statistic form;

	if (!HeapTupleIsValid(tuple))
		return NULL;
	copy = heap_copytuple(tuple);
	ReleaseSysCache(tuple);
	form = (Form_pg_statistic) GETSTRUCT(copy);
	form->stakind1 = form->stakind2 = form->stakind3 = 0;
	form->stakind4 = form->stakind5 = 0;
	form->stanullfrac = (float4) (1 - 2 * *selectivity);
	*selectivity = 0.5 * (1.0 - form->stanullfrac);
	return copy;
}

static HeapTuple
estimate(const Search *search)
{
	const FlakeidClause *current = &search->current;
	const FlakeidClause *upper = &search->upper;
	bool		is_lower = current->side == FLAKEID_LOWER;
	Selectivity selectivity;
	FlakeidShares shares;
	HeapTuple	statistics;

	if (!flakeid_estimate_range(search->column,
								exprType(llast(((OpExpr *) current->rinfo->clause)->args)),
								is_lower ? &current->bound : NULL,
								!is_lower ? &current->bound :
								upper->rinfo ? &upper->bound : NULL,
								&shares))
		return NULL;
	selectivity = is_lower ? shares.above : shares.below;
	statistics = statistics_for(search->column, &selectivity);
	if (statistics != NULL && upper->rinfo != NULL)
		upper->rinfo->norm_selec = Max(Min(shares.between + shares.not_null -
										   selectivity, 1), 0);
	return statistics;
}

/*
 * Find the relation of rte, usually that of the previous call or the next one.
 * vardata->rel cannot be used: brincostestimate() calls the hook with an
 * uninitialized VariableStatData.
 */
static RelOptInfo *
relation_of(PlannerInfo *root, RangeTblEntry *rte)
{
	static int	last = 0;

	for (int i = 0; i < root->simple_rel_array_size; i++)
	{
		int			at = (last + i) % root->simple_rel_array_size;

		if (root->simple_rte_array[at] == rte)
		{
			last = at;
			return root->simple_rel_array[at];
		}
	}
	return NULL;
}

/* Supply statistics and return true if the clause is one of ours. */
static bool
range_stats(PlannerInfo *root, RangeTblEntry *rte, AttrNumber attnum,
			VariableStatData *vardata)
{
	FlakeidColumn column = {
		.rel = relation_of(root, rte),
		.rte = rte,
		.attnum = attnum,
	};
	Search		search = {
		.root = root,
		.column = &column,
		.node = vardata->var,
	};
	HeapTuple	statistics;

	if (rte->rtekind != RTE_RELATION || column.rel == NULL ||
		!search_and(&search, column.rel->baserestrictinfo))
		return false;
	statistics = estimate(&search);
	if (statistics == NULL)
		return false;
	vardata->statsTuple = statistics;
	vardata->freefunc = heap_freetuple;
	return true;
}

static bool
stats_hook(PlannerInfo *root, RangeTblEntry *rte, AttrNumber attnum,
		   VariableStatData *vardata)
{
	if (next_hook && next_hook(root, rte, attnum, vardata))
		return true;
	return range_stats(root, rte, attnum, vardata);
}

/* Install the hook once per session, when the first range is planned. */
void
flakeid_install_range_stats(void)
{
	static bool installed = false;

	if (installed)
		return;
	next_hook = get_relation_stats_hook;
	get_relation_stats_hook = stats_hook;
	installed = true;
}
