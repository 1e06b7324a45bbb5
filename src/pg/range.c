/*
 * range.c
 *		Planner support for time ranges of UUIDs.
 *
 * The server inlines _in_range to "id >= a AND id < b".  The planner estimates
 * each comparison from the statistics of its column, for which it asks
 * get_relation_stats_hook.  It cannot interpolate ids, so the hook replies
 * with a row of statistics that says which fraction of the ids is below the
 * bound (range_stats.c).  This relies on the planner
 *	- simplifying the functions of a query before it estimates anything,
 *	- calling the hook with the column node of the comparison,
 *	- estimating a comparison from most common values alone, without any
 *	  histogram, and a pair of them as a range.
 * t/021_range_estimates.pl fails if that changes.
 *
 * The hook says which column the planner asks for (rte, attnum).  The node of
 * the comparison, vardata->var, may belong to another query, if the column is
 * the output of a subquery; so we only look for its address among the clauses
 * of that very relation.  What we keep are copies, and addresses that are
 * compared and never followed.
 *
 * A query without ranges costs the hook a comparison or two.  64-bit ids are
 * left to the server, which interpolates bigint as it does timestamptz, and
 * SCRU160 to what it assumes for any type that it does not know.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/pg_am_d.h"
#include "catalog/pg_statistic.h"
#include "catalog/pg_type_d.h"
#include "nodes/nodeFuncs.h"
#include "nodes/supportnodes.h"
#include "optimizer/optimizer.h"
#include "optimizer/planner.h"
#include "optimizer/restrictinfo.h"
#include "utils/array.h"
#include "utils/hsearch.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/selfuncs.h"
#include "utils/typcache.h"

#include "pg/range.h"
#include "pg/settings.h"

/* A call of the planner, which plans a query and its subqueries */
typedef struct Planning
{
	struct Planning *outer;		/* it called a function that plans, too */
	bool		has_ranges;
	MemoryContext parent;		/* outlives the planning */
	MemoryContext context;		/* of all below; NULL without them */
	HTAB	   *relations;
	HTAB	   *comparisons;
} Planning;

/* A relation of a query or subquery */
typedef struct RangeRelation
{
	const RangeTblEntry *rte;
	PlannerInfo *root;
	Index		relid;			/* its number there */
	bool		is_collected;	/* are its comparisons? */
	List	   *columns;		/* FlakeidColumn */
} RangeRelation;

/* A comparison of one of its columns, by the address of the column's node */
typedef struct Comparison
{
	const void *node;
	const RangeRelation *relation;
	FlakeidBound bound;			/* without strategy if it is not unique */
} Comparison;

/*
 * The innermost planning.  The first one is that of the query which loads the
 * library; it ends with its memory, or when any other query is planned.
 */
static Planning planning_at_load;
static bool is_load_over;
static Planning *planning = &planning_at_load;

static planner_hook_type next_planner;
static get_relation_stats_hook_type next_stats;

static void
end_planning(void)
{
	Planning   *ended = planning;

	planning = ended->outer;
	if (ended->context != NULL)
		MemoryContextDelete(ended->context);
}

static PlannedStmt *
plan(FLAKEID_PLANNER_PARAMETERS)
{
	Planning	inner = {.outer = planning,.parent = CurrentMemoryContext};
	PlannedStmt *volatile result;

	is_load_over = true;
	planning = &inner;
	PG_TRY();
	{
		result = next_planner ? next_planner(FLAKEID_PLANNER_ARGUMENTS) :
			standard_planner(FLAKEID_PLANNER_ARGUMENTS);
	}
	PG_CATCH();
	{
		end_planning();
		PG_RE_THROW();
	}
	PG_END_TRY();
	end_planning();
	return result;
}

/*
 * The query being planned has ranges.  A _min calls this, too: the planner
 * evaluates an IMMUTABLE function of constants without asking its support
 * function.
 */
void
flakeid_note_range(void)
{
	planning->has_ranges = true;
}

static HTAB *
create_table(Size entry_size)
{
	HASHCTL		control = {
		.keysize = sizeof(void *),
		.entrysize = entry_size,
		.hcxt = planning->context,
	};

	return hash_create("flakeid ranges", 16, &control,
					   HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
}

static void
end_load(void *unused)
{
	is_load_over = true;
}

static void
start_memory(PlannerInfo *root)
{
	MemoryContextCallback *at_end;

	if (planning->context != NULL)
		return;
	if (planning == &planning_at_load)
	{
		planning->parent = root->planner_cxt;
		at_end = MemoryContextAllocZero(planning->parent, sizeof(MemoryContextCallback));
		at_end->func = end_load;
		MemoryContextRegisterResetCallback(planning->parent, at_end);
	}
	planning->context = AllocSetContextCreate(planning->parent, "flakeid ranges",
											  ALLOCSET_DEFAULT_SIZES);
	planning->relations = create_table(sizeof(RangeRelation));
	planning->comparisons = create_table(sizeof(Comparison));
}

/* The relation of a range table entry; all of a query are entered at once. */
static RangeRelation *
find_relation(PlannerInfo *root, const RangeTblEntry *rte)
{
	RangeRelation *relation = hash_search(planning->relations, &rte, HASH_FIND, NULL);

	for (int i = 1; relation == NULL && i < root->simple_rel_array_size; i++)
	{
		const RangeTblEntry *each = root->simple_rte_array[i];
		RangeRelation new = {.rte = each,.root = root,.relid = i};
		bool		found;
		RangeRelation *entered = each == NULL ? NULL :
			hash_search(planning->relations, &each, HASH_ENTER, &found);

		if (entered != NULL && !found)
			*entered = new;
	}
	return relation ? relation : hash_search(planning->relations, &rte, HASH_FIND, NULL);
}

/*
 * What the planner knows of the relation now.  NULL if it may be an index that
 * asks, as brincostestimate() does when the number of rows is known: its
 * VariableStatData is not initialized.
 */
static RelOptInfo *
rel_of(const PlannerInfo *root, const RangeRelation *relation, AttrNumber attnum)
{
	RelOptInfo *rel;
	ListCell   *lc;

	if (relation == NULL || relation->root != root ||
		relation->relid >= root->simple_rel_array_size ||
		root->simple_rte_array[relation->relid] != relation->rte)
		return NULL;
	rel = root->simple_rel_array[relation->relid];
	foreach(lc, rel != NULL && rel->rows > 0 ? rel->indexlist : NIL)
	{
		IndexOptInfo *index = lfirst_node(IndexOptInfo, lc);

		for (int i = 0; index->relam != BTREE_AM_OID && i < index->ncolumns; i++)
			if (index->indexkeys[i] == attnum)
				return NULL;
	}
	return rel;
}

/* Strategy of a comparison of UUIDs, other than of equality */
static StrategyNumber
strategy_of(const OpExpr *comparison)
{
	Oid			family = lookup_type_cache(UUIDOID, TYPECACHE_BTREE_OPFAMILY)->btree_opf;
	StrategyNumber strategy;

	if (list_length(comparison->args) != 2 ||
		exprType(linitial(comparison->args)) != UUIDOID ||
		exprType(lsecond(comparison->args)) != UUIDOID)
		return InvalidStrategy;
	strategy = get_op_opfamily_strategy(comparison->opno, family);
	return strategy == BTEqualStrategyNumber ? InvalidStrategy : strategy;
}

/*
 * Remember a bound, if it is known when planning, as now() is.  We evaluate no
 * more than the server does to estimate the comparison.
 */
static void
add_comparison(const RangeRelation *relation, Node *column, Node *bound,
			   StrategyNumber strategy)
{
	Comparison *comparison;
	bool		found;

	while (IsA(column, RelabelType))
		column = (Node *) ((RelabelType *) column)->arg;
	if (!IsA(column, Var) || ((Var *) column)->varno != relation->relid ||
		contain_var_clause(bound))
		return;
	if (!IsA(bound, Const))
		bound = estimate_expression_value(relation->root, bound);
	if (!IsA(bound, Const) || ((Const *) bound)->constisnull ||
		((Const *) bound)->consttype != UUIDOID)
		return;
	comparison = hash_search(planning->comparisons, &column, HASH_ENTER, &found);
	comparison->relation = relation;
	comparison->bound.strategy = found ? InvalidStrategy : strategy;
	comparison->bound.id = *DatumGetUUIDP(((Const *) bound)->constvalue);
}

/* Like the server, see no comparisons in other expressions, such as CASE. */
static bool
collect(Node *node, void *relation)
{
	StrategyNumber strategy;
	OpExpr	   *comparison = (OpExpr *) node;

	if (node == NULL || IsA(node, List) || IsA(node, BoolExpr))
		return expression_tree_walker(node, collect, relation);
	strategy = IsA(node, OpExpr) ? strategy_of(comparison) : InvalidStrategy;
	if (strategy != InvalidStrategy)
	{
		add_comparison(relation, linitial(comparison->args), lsecond(comparison->args), strategy);
		add_comparison(relation, lsecond(comparison->args), linitial(comparison->args),
					   BTMaxStrategyNumber + 1 - strategy);
	}
	return false;
}

/*
 * The bound that a column of the relation is compared with at this node; NULL
 * if the node is no such column.
 */
static const FlakeidBound *
find_bound(RangeRelation *relation, RelOptInfo *rel, const void *node)
{
	Comparison *comparison;

	if (!relation->is_collected)
	{
		(void) collect((Node *) extract_actual_clauses(rel->baserestrictinfo, false), relation);
		(void) collect((Node *) extract_actual_clauses(rel->joininfo, false), relation);
		relation->is_collected = true;
	}
	comparison = hash_search(planning->comparisons, &node, HASH_FIND, NULL);
	if (comparison == NULL || comparison->relation != relation ||
		comparison->bound.strategy == InvalidStrategy)
		return NULL;
	return &comparison->bound;
}

static FlakeidColumn *
find_column(RangeRelation *relation, AttrNumber attnum)
{
	MemoryContext before;
	FlakeidColumn *column;
	ListCell   *lc;

	foreach(lc, relation->columns)
	{
		column = lfirst(lc);
		if (column->attnum == attnum)
			return column;
	}
	before = MemoryContextSwitchTo(planning->context);
	column = palloc0(sizeof(FlakeidColumn));
	column->attnum = attnum;
	relation->columns = lappend(relation->columns, column);
	MemoryContextSwitchTo(before);
	return column;
}

/*
 * Row of pg_statistic for a column whose most common values are the least and
 * the greatest UUID, so that a comparison with a bound between them gets the
 * share that we estimate.  Each is there twice, since the sum of two float4 is
 * exact enough for large tables.
 */
static HeapTuple
form_reply(double below, double null_share)
{
	static pg_uuid_t ends[4];
	Relation	catalog = table_open(StatisticRelationId, AccessShareLock);
	Datum		values[Natts_pg_statistic] = {0};
	bool		nulls[Natts_pg_statistic] = {0};
	Datum		ids[4];
	Datum		shares[4];
	HeapTuple	reply;

	/* Somebody may have written other numbers, such as NaN. */
	null_share = null_share > 0 ? Min(null_share, 1) : 0;
	below = below > 0 ? Min(below, 1 - null_share) : 0;
	for (int i = 0; i < lengthof(ids); i++)
	{
		double		share = i < 2 ? below : 1 - null_share - below;

		memset(&ends[i], i < 2 ? 0 : 0xff, UUID_LEN);
		ids[i] = UUIDPGetDatum(&ends[i]);
		shares[i] = Float4GetDatum(i % 2 == 0 ? (float4) share :
								   (float4) (share - (float4) share));
	}
	for (int slot = 1; slot < STATISTIC_NUM_SLOTS; slot++)
		nulls[Anum_pg_statistic_stanumbers1 - 1 + slot] =
			nulls[Anum_pg_statistic_stavalues1 - 1 + slot] = true;
	values[Anum_pg_statistic_stanullfrac - 1] = Float4GetDatum((float4) null_share);
	values[Anum_pg_statistic_stakind1 - 1] = Int16GetDatum(STATISTIC_KIND_MCV);
	values[Anum_pg_statistic_stanumbers1 - 1] = PointerGetDatum(
		construct_array(shares, lengthof(shares), FLOAT4OID, sizeof(float4), true, TYPALIGN_INT));
	values[Anum_pg_statistic_stavalues1 - 1] = PointerGetDatum(
		construct_array(ids, lengthof(ids), UUIDOID, UUID_LEN, false, TYPALIGN_CHAR));
	reply = heap_form_tuple(RelationGetDescr(catalog), values, nulls);
	pfree(DatumGetPointer(values[Anum_pg_statistic_stanumbers1 - 1]));
	pfree(DatumGetPointer(values[Anum_pg_statistic_stavalues1 - 1]));
	table_close(catalog, AccessShareLock);
	return reply;
}

/*
 * Row of statistics for a comparison with a bound of a range; NULL leaves the
 * estimate to the server.
 */
static HeapTuple
estimate(PlannerInfo *root, RangeTblEntry *rte, AttrNumber attnum,
		 const VariableStatData *variable)
{
	RangeRelation *relation;
	RelOptInfo *rel;
	const FlakeidBound *bound;
	FlakeidColumn *column;
	double		below;

	start_memory(root);
	relation = find_relation(root, rte);
	rel = rel_of(root, relation, attnum);
	bound = rel ? find_bound(relation, rel, variable->var) : NULL;
	if (bound == NULL)
		return NULL;
	column = find_column(relation, attnum);
	if (!flakeid_estimate(column, rel, rte, bound, &below))
		return NULL;
	return form_reply(below, column->null_share);
}

static bool
stats_hook(PlannerInfo *root, RangeTblEntry *rte, AttrNumber attnum,
		   VariableStatData *variable)
{
	if (next_stats && next_stats(root, rte, attnum, variable))
		return true;
	if (!planning->has_ranges || (planning == &planning_at_load && is_load_over) ||
		!flakeid_enable_range_estimates || rte->rtekind != RTE_RELATION || attnum <= 0)
		return false;
	variable->statsTuple = estimate(root, rte, attnum, variable);
	variable->freefunc = heap_freetuple;
	return variable->statsTuple != NULL;
}

void
flakeid_install_range_stats(void)
{
	next_planner = planner_hook;
	planner_hook = plan;
	next_stats = get_relation_stats_hook;
	get_relation_stats_hook = stats_hook;
}

/*
 * A _min of known arguments is a constant: the epoch of a STABLE one cannot
 * change while the server runs, nor can a plan outlive it.
 */
static Node *
constant_min(FuncExpr *call)
{
	ListCell   *lc;

	foreach(lc, call->args)
		if (!IsA(lfirst(lc), Const))
			return NULL;
	return (Node *) evaluate_expr((Expr *) call, call->funcresulttype, -1,
								  InvalidOid);
}

/*
 * flakeid_range_support(request internal) -> internal
 *
 * A _min of 64-bit ids is folded, but not outside a query: the predicate of an
 * index must not depend on a setting.  Of UUIDs, we take note that there is a
 * range; inlining a _in_range is left to the server (NULL).
 */
PG_FUNCTION_INFO_V1(flakeid_flakeid_range_support);
Datum
flakeid_flakeid_range_support(PG_FUNCTION_ARGS)
{
	SupportRequestSimplify *request =
		(SupportRequestSimplify *) PG_GETARG_POINTER(0);

	if (!IsA(request, SupportRequestSimplify) || request->root == NULL)
		PG_RETURN_POINTER(NULL);
	if (request->fcall->funcresulttype == INT8OID)
		PG_RETURN_POINTER(constant_min(request->fcall));
	flakeid_note_range();
	PG_RETURN_POINTER(NULL);
}
