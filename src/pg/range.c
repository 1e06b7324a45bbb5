/*
 * range.c
 *		Planner support for time ranges.
 *
 * How an estimate comes about: the support function of _between returns "id >=
 * a AND id < b" and marks both comparisons.  The planner estimates each from
 * the statistics of the column, for which it asks get_relation_stats_hook; for
 * a marked comparison, the hook returns a row of statistics that says which
 * fraction of the ids is below the bound (range_column.c).  This relies on the
 * planner
 *	- calling the hook with the column node of the comparison,
 *	- copying the location of a comparison, and ignoring it otherwise,
 *	- estimating a comparison from most common values alone, without any
 *	  histogram, and a pair of them as a range.
 * t/098_range_estimates.pl fails if that changes.
 *
 * While a query with ranges is planned, we keep the marked comparisons of each
 * of its relations, found once, and the statistics of their columns.  Any other
 * query costs the hook one comparison of pointers.  Apart from the mark, the
 * expression is what the server makes of the body of _between, so that indexes,
 * partition pruning and constraints work as with inlining.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/htup_details.h"
#include "access/stratnum.h"
#include "access/table.h"
#include "access/transam.h"
#include "catalog/pg_am_d.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_statistic.h"
#include "catalog/pg_type_d.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/supportnodes.h"
#include "optimizer/optimizer.h"
#include "optimizer/planmain.h"
#include "optimizer/restrictinfo.h"
#include "utils/acl.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/hsearch.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/selfuncs.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

#include "pg/range.h"

/*
 * Location of the comparisons of a range: like all negative values it means "no
 * location in the query".  No other field of a node survives being copied to
 * partitions, subqueries and sides of an OR, and still leaves the comparison
 * equal to one without it, as indexes and constraints require.  A support
 * function that answers SupportRequestSelectivity would need no mark, but the
 * planner prunes no partitions by a function.
 */
#define RANGE_LOCATION	(-7016)

/* A query being planned: one call of the planner, including its subqueries. */
typedef struct Planning
{
	struct Planning *next;
	PlannerInfo *root;			/* of the query or subquery at work */
	MemoryContextCallback at_end;	/* of the planner's memory context */
	Oid			scru160;		/* type, if it has been seen */
	uint64		greatest;		/* bound */
	HTAB	   *nodes;
	List	   *columns;		/* FlakeidColumn, last loaded first */
} Planning;

/*
 * A relation whose comparisons have been collected, or the column of one, with
 * the bound that it is compared with.
 */
typedef struct NodeEntry
{
	const void *node;			/* key */
	Oid			type;
	uint64		bound;
} NodeEntry;

static Planning *plannings;
static get_relation_stats_hook_type next_hook;

static Node *
without_relabel(Node *node)
{
	while (IsA(node, RelabelType))
		node = (Node *) ((RelabelType *) node)->arg;
	return node;
}

static void
forget(void *planning)
{
	Planning  **link = &plannings;

	while (*link != planning)
		link = &(*link)->next;
	*link = (*link)->next;
}

static Planning *
find_planning(const PlannerInfo *root)
{
	Planning   *planning = plannings;

	while (planning != NULL && planning->root->glob != root->glob)
		planning = planning->next;
	return planning;
}

static Planning *
add_planning(PlannerInfo *root)
{
	Planning   *planning = MemoryContextAllocZero(root->planner_cxt,
												  sizeof(Planning));
	HASHCTL		control = {
		.keysize = sizeof(void *),
		.entrysize = sizeof(NodeEntry),
		.hcxt = root->planner_cxt,
	};

	planning->root = root;
	planning->nodes = hash_create("flakeid ranges", 64, &control,
								  HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
	planning->at_end.func = forget;
	planning->at_end.arg = planning;
	MemoryContextRegisterResetCallback(root->planner_cxt, &planning->at_end);
	planning->next = plannings;
	return plannings = planning;
}

/* Called when a range of ids of the type is found in a query. */
static void
expect_ranges(PlannerInfo *root, Oid type)
{
	Planning   *planning = find_planning(root);

	if (planning == NULL)
		planning = add_planning(root);
	if (type >= FirstNormalObjectId)
		planning->scru160 = type;
}

/*
 * May we estimate the comparison?  Any marked one, and those of two scru160: a
 * user can define operators on other types.
 */
static bool
is_ours(const Planning *planning, const OpExpr *comparison)
{
	return list_length(comparison->args) == 2 &&
		(comparison->location == RANGE_LOCATION ||
		 (exprType(linitial(comparison->args)) == planning->scru160 &&
		  exprType(lsecond(comparison->args)) == planning->scru160));
}

/* Remember a column, if its bound is known when planning, as now() is. */
static void
add_column(Planning *planning, Node *id, Node *bound)
{
	NodeEntry  *entry;

	id = without_relabel(id);
	if (IsA(id, Var) && !IsA(bound, Const))
		bound = estimate_expression_value(planning->root, bound);
	if (!IsA(id, Var) || !IsA(bound, Const) || ((Const *) bound)->constisnull)
		return;
	entry = hash_search(planning->nodes, &id, HASH_ENTER, NULL);
	entry->type = ((Const *) bound)->consttype;
	entry->bound = flakeid_id_key(entry->type, ((Const *) bound)->constvalue);
	planning->greatest = Max(planning->greatest, entry->bound);
}

/* Only <, <=, > and >= have a bound. */
static bool
collect(Node *node, void *planning)
{
	Node	   *left;
	Node	   *right;

	if (node == NULL)
		return false;
	if (!IsA(node, OpExpr) || !is_ours(planning, (OpExpr *) node))
		return expression_tree_walker(node, collect, planning);
	left = linitial(((OpExpr *) node)->args);
	right = lsecond(((OpExpr *) node)->args);
	switch (get_oprrest(((OpExpr *) node)->opno))
	{
		case F_SCALARLTSEL:
		case F_SCALARLESEL:
		case F_SCALARGTSEL:
		case F_SCALARGESEL:
			add_column(planning, left, right);
			add_column(planning, right, left);
	}
	return false;
}

/* The entry of the column being examined, or NULL. */
static NodeEntry *
find_entry(Planning *planning, const VariableStatData *variable)
{
	RelOptInfo *rel = variable->rel;
	const void *node = variable->var;
	List	   *clauses;
	bool		found;

	if (rel == NULL)
		return NULL;
	(void) hash_search(planning->nodes, &rel, HASH_ENTER, &found);
	if (!found)
	{
		clauses = list_concat(extract_actual_clauses(rel->baserestrictinfo, false),
							  extract_actual_clauses(rel->joininfo, false));
		(void) collect((Node *) clauses, planning);
	}
	return hash_search(planning->nodes, &node, HASH_FIND, NULL);
}

static Datum
array_of(Datum low, Datum high, Oid type)
{
	Datum		values[] = {low, high};
	int16		length;
	bool		by_value;
	char		alignment;

	get_typlenbyvalalign(type, &length, &by_value, &alignment);
	return PointerGetDatum(construct_array(values, 2, type, length, by_value,
										   alignment));
}

/*
 * Row of pg_statistic for a column that has two most common values, the least
 * and the greatest one.  With the right shares of them, each comparison with a
 * bound between them gets the fraction that we estimate.
 */
static void
form_row(FlakeidColumn *column)
{
	Relation	catalog = table_open(StatisticRelationId, AccessShareLock);
	TupleDesc	descriptor = RelationGetDescr(catalog);
	Datum		values[Natts_pg_statistic] = {0};
	bool		nulls[Natts_pg_statistic] = {0};
	Datum		shares;

	for (int slot = 1; slot < STATISTIC_NUM_SLOTS; slot++)
		nulls[Anum_pg_statistic_stanumbers1 - 1 + slot] =
			nulls[Anum_pg_statistic_stavalues1 - 1 + slot] = true;
	values[Anum_pg_statistic_stanullfrac - 1] = Float4GetDatum(column->null_share);
	values[Anum_pg_statistic_stakind1 - 1] = Int16GetDatum(STATISTIC_KIND_MCV);
	values[Anum_pg_statistic_stanumbers1 - 1] =
		array_of(Float4GetDatum(0), Float4GetDatum(0), FLOAT4OID);
	values[Anum_pg_statistic_stavalues1 - 1] =
		array_of(flakeid_id_datum(column->type, 0),
				 flakeid_id_datum(column->type, UINT64_MAX), column->type);
	column->estimate = heap_form_tuple(descriptor, values, nulls);
	/* heap_getattr() of the newest minor versions needs their server. */
	shares = fastgetattr(column->estimate, Anum_pg_statistic_stanumbers1,
						 descriptor, nulls);
	column->shares = VARDATA_ANY(DatumGetPointer(shares)) +
		ARR_OVERHEAD_NONULLS(1) - VARHDRSZ;
	table_close(catalog, AccessShareLock);
}

/* Find the column, or load its statistics.  The greatest UUID fits any version. */
static FlakeidColumn *
column_of(Planning *planning, FlakeidColumn wanted)
{
	MemoryContext before;
	FlakeidColumn *column;
	ListCell   *lc;

	foreach(lc, planning->columns)
	{
		column = lfirst(lc);
		if (column->rel == wanted.rel && column->attnum == wanted.attnum &&
			(column->version == wanted.version || wanted.version == 15))
			return column;
	}
	before = MemoryContextSwitchTo(planning->root->planner_cxt);
	column = palloc(sizeof(FlakeidColumn));
	*column = wanted;
	planning->columns = lcons(column, planning->columns);
	flakeid_load_column(column);
	if (column->histogram.count > 0)
		form_row(column);
	MemoryContextSwitchTo(before);
	return column;
}

/*
 * The relation of rte.  The VariableStatData is of no use for that, since
 * brincostestimate() does not initialize it.
 */
static RelOptInfo *
relation_of(PlannerInfo *root, RangeTblEntry *rte)
{
	for (int i = 1; i < root->simple_rel_array_size; i++)
		if (root->simple_rte_array[i] == rte)
			return root->simple_rel_array[i];
	return NULL;
}

/*
 * Could brincostestimate() be asking?  It does for relations whose size is
 * known.
 */
static bool
is_brin_cost(const RelOptInfo *rel, AttrNumber attnum)
{
	ListCell   *lc;

	foreach(lc, rel->rows > 0 ? rel->indexlist : NIL)
	{
		IndexOptInfo *index = lfirst_node(IndexOptInfo, lc);

		for (int i = 0; index->relam != BTREE_AM_OID && i < index->ncolumns; i++)
			if (index->indexkeys[i] == attnum)
				return true;
	}
	return false;
}

/*
 * Row of statistics for a comparison of ours, which holds until the next one is
 * asked for.  NULL leaves the estimate to the server.
 */
static HeapTuple
estimate(Planning *planning, RangeTblEntry *rte, AttrNumber attnum,
		 const VariableStatData *variable)
{
	FlakeidColumn *column;
	RelOptInfo *rel = rte->rtekind == RTE_RELATION ?
		relation_of(planning->root, rte) : NULL;
	NodeEntry  *entry = rel && !is_brin_cost(rel, attnum) ?
		find_entry(planning, variable) : NULL;
	float4		shares[2];

	if (entry == NULL)
		return NULL;
	column = column_of(planning, (FlakeidColumn)
					   {
						   .rel = rel,
						   .rte = rte,
						   .attnum = attnum,
						   .type = entry->type,
						   .version = entry->type == UUIDOID ?
						   (int) (entry->bound >> 12 & 15) : 0,
						   .greatest = planning->greatest,
					   });
	if (column->estimate == NULL)
		return NULL;
	shares[0] = (float4) flakeid_share_below(column, entry->bound);
	shares[1] = 1 - column->null_share - shares[0];
	memcpy(column->shares, shares, sizeof(shares));
	return column->estimate;
}

static void
keep(HeapTuple row)
{
}

static bool
stats_hook(PlannerInfo *root, RangeTblEntry *rte, AttrNumber attnum,
		   VariableStatData *variable)
{
	Planning   *planning = find_planning(root);

	if (next_hook && next_hook(root, rte, attnum, variable))
		return true;
	if (planning == NULL)
		return false;
	planning->root = root;
	variable->statsTuple = estimate(planning, rte, attnum, variable);
	variable->freefunc = keep;
	return variable->statsTuple != NULL;
}

void
flakeid_install_range_stats(void)
{
	next_hook = get_relation_stats_hook;
	get_relation_stats_hook = stats_hook;
}

/*
 * The function in the body: fluid_bound of fluid_between.  It is the extension's
 * own, since its name is taken: another one would run with the caller's rights.
 */
static Oid
bound_function(const FuncExpr *call)
{
	char	   *name = get_func_name(call->funcid);
	Oid			types[] = {TIMESTAMPTZOID, InvalidOid};
	int			arguments = list_length(call->args) - 2;
	int			prefix;

	if (name == NULL)			/* just dropped */
		return InvalidOid;
	prefix = (int) strlen(name) - (int) strlen("between");
	if (arguments == 2)
		types[1] = exprType(lfourth(call->args));
	return GetSysCacheOid3(PROCNAMEARGSNSP, Anum_pg_proc_oid,
						   CStringGetDatum(psprintf("%.*sbound", prefix, name)),
						   PointerGetDatum(buildoidvector(types, arguments)),
						   ObjectIdGetDatum(get_func_namespace(call->funcid)));
}

static bool
are_known(List *arguments)
{
	ListCell   *lc;

	foreach(lc, arguments)
		if (!IsA(lfirst(lc), Const) || ((Const *) lfirst(lc))->constisnull)
			return false;
	return true;
}

/*
 * First id of a time; a constant if the time is.  The epoch of a STABLE
 * function cannot change while the server runs, nor can a plan outlive it.
 */
static Node *
bound_of(FuncExpr *call, Oid function, Node *time)
{
	List	   *arguments = lcons(time, list_copy_tail(call->args, 3));
	Oid			type = exprType(linitial(call->args));
	int16		length;
	bool		by_value;
	Datum		id;

	if (!are_known(arguments))
		return (Node *) makeFuncExpr(function, type, arguments, InvalidOid,
									 InvalidOid, COERCE_EXPLICIT_CALL);
	get_typlenbyval(type, &length, &by_value);
	id = list_length(arguments) == 1 ?
		OidFunctionCall1(function, ((Const *) time)->constvalue) :
		OidFunctionCall2(function, ((Const *) time)->constvalue,
						 ((Const *) lsecond(arguments))->constvalue);
	return (Node *) makeConst(type, -1, InvalidOid, length, id, false, by_value);
}

/* The greatest value: the bound of an open end */
static bool
is_greatest(Node *bound)
{
	return IsA(bound, Const) &&
		flakeid_id_key(((Const *) bound)->consttype,
					   ((Const *) bound)->constvalue) == UINT64_MAX;
}

/* A marked comparison: <, >=, or instead of = its negation */
static Node *
compare(Node *id, StrategyNumber strategy, Node *bound)
{
	Oid			type = exprType(id);
	Oid			family = lookup_type_cache(type, TYPECACHE_BTREE_OPFAMILY)->btree_opf;
	Oid			operator = get_opfamily_member(family, type, type, strategy);
	OpExpr	   *comparison;

	if (strategy == BTEqualStrategyNumber)
		operator = get_negator(operator);
	comparison = (OpExpr *) make_opclause(operator, BOOLOID, false,
										  copyObjectImpl(id), (Expr *) bound,
										  InvalidOid, InvalidOid);
	set_opfuncid(comparison);
	comparison->location = RANGE_LOCATION;
	return (Node *) comparison;
}

/*
 * The two comparisons.  If only the upper bound is known, and is the greatest
 * value, compare with <>: as one side of a range the planner would give it its
 * default for unknown ranges, 0.5 %.
 */
static Node *
expand(PlannerInfo *root, FuncExpr *call, Oid function)
{
	Node	   *id = linitial(call->args);
	Node	   *lower = bound_of(call, function, lsecond(call->args));
	Node	   *upper = bound_of(call, function, lthird(call->args));
	bool		is_open = is_greatest(upper) &&
		!IsA(estimate_expression_value(root, lower), Const);

	lower = compare(id, BTGreaterEqualStrategyNumber, lower);
	upper = compare(id, is_open ? BTEqualStrategyNumber : BTLessStrategyNumber, upper);
	return (Node *) make_andclause(list_make2(lower, upper));
}

/*
 * The conditions of the server's inlining; the id, which both comparisons use,
 * is a column, and an epoch, unit or width that both bounds use a constant.
 */
static bool
may_expand(const FuncExpr *call)
{
	return list_length(call->args) >= 3 && flakeid_may_execute(call->funcid) &&
		!FmgrHookIsNeeded(call->funcid) &&
		are_known(list_copy_tail(call->args, 3)) &&
		IsA(without_relabel(linitial(call->args)), Var);
}

static Node *
simplify(PlannerInfo *root, FuncExpr *call)
{
	Oid			function;

	expect_ranges(root, exprType(linitial(call->args)));
	if (!may_expand(call))
		return NULL;
	function = bound_function(call);
	if (!OidIsValid(function))
		return NULL;
	record_plan_function_dependency(root, call->funcid);
	return expand(root, call, function);
}

/*
 * flakeid_between_support(internal) -> internal
 *
 * NULL leaves inlining to the server.  The comparisons of scru160 only announce
 * that estimates of ids are needed.
 */
PG_FUNCTION_INFO_V1(flakeid_flakeid_between_support);
Datum
flakeid_flakeid_between_support(PG_FUNCTION_ARGS)
{
	SupportRequestSimplify *request =
		(SupportRequestSimplify *) PG_GETARG_POINTER(0);

	if (!IsA(request, SupportRequestSimplify) || request->root == NULL ||
		request->root->planner_cxt == NULL)
		PG_RETURN_POINTER(NULL);
	PG_RETURN_POINTER(simplify(request->root, request->fcall));
}
