/*
 * range.c
 *		Planner support for time ranges.
 *
 * The server inlines _between to "id >= a AND id < b".  The support function
 * tells us that the query has ranges of the type, so that we keep the
 * comparisons of ids in it.  The planner estimates each from the statistics of
 * its column, for which it asks get_relation_stats_hook; the hook replies with
 * a row of statistics that says which fraction of the ids is below the bound
 * (range_stats.c).  This relies on the planner
 *	- simplifying the functions of a query before it estimates anything,
 *	- calling the hook with the column node of the comparison,
 *	- estimating a comparison from most common values alone, without any
 *	  histogram, and a pair of them as a range.
 * t/021_range_estimates.pl fails if that changes.  A query without ranges
 * costs the hook one comparison of pointers.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/htup_details.h"
#include "access/stratnum.h"
#include "access/table.h"
#include "access/transam.h"
#include "catalog/pg_am_d.h"
#include "catalog/pg_statistic.h"
#include "catalog/pg_type_d.h"
#include "nodes/nodeFuncs.h"
#include "nodes/supportnodes.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "optimizer/restrictinfo.h"
#include "utils/array.h"
#include "utils/hsearch.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/selfuncs.h"
#include "utils/typcache.h"

#include "pg/range.h"

/* Of a UUID that is greater than all others; it fits any version. */
#define GREATEST_VERSION	15

/* The bits of a bigint below the time, which are 0 in a bound of any format */
#define BITS_BELOW_TIME	((INT64CONST(1) << 20) - 1)

/* A query being planned: one call of the planner, including its subqueries. */
typedef struct Planning
{
	struct Planning *next;
	MemoryContext context;		/* of the planner */
	MemoryContextCallback at_end;	/* of the context */
	PlannerInfo *root;			/* of the query or subquery at work */
	bool		has_bigint;		/* types of the ranges */
	bool		has_uuid;
	Oid			scru160;		/* InvalidOid without one */
	PlannerGlobal *query;		/* whose relations these are */
	List	   *rels;			/* those whose comparisons are collected */
	HTAB	   *comparisons;
	List	   *columns;		/* FlakeidColumn, last loaded first */
} Planning;

/*
 * A column's node in the query, and the bound that it is compared with.  Nodes
 * can be gone before the planning ends: GEQO frees memory.
 */
typedef struct Comparison
{
	const void *node;
	Var			column;
	Const		bound;
	uint64		key;			/* of the bound */
	StrategyNumber strategy;	/* with the column on the left */
} Comparison;

static Planning *plannings;
static get_relation_stats_hook_type next_hook;

static void
forget(void *planning)
{
	Planning  **link = &plannings;

	while (*link != planning)
		link = &(*link)->next;
	*link = (*link)->next;
}

static Planning *
find_planning(MemoryContext context)
{
	Planning   *planning = plannings;

	while (planning != NULL && planning->context != context)
		planning = planning->next;
	return planning;
}

/* Called when a range of ids of the type is found in a query. */
static void
expect_ranges(MemoryContext context, Oid type)
{
	Planning   *planning = find_planning(context);

	if (planning == NULL)
	{
		planning = MemoryContextAllocZero(context, sizeof(Planning));
		planning->context = context;
		planning->at_end.func = forget;
		planning->at_end.arg = planning;
		MemoryContextRegisterResetCallback(context, &planning->at_end);
		planning->next = plannings;
		plannings = planning;
	}
	planning->has_bigint |= type == INT8OID;
	planning->has_uuid |= type == UUIDOID;
	if (type >= FirstNormalObjectId)
		planning->scru160 = type;
}

/*
 * Strategy of a comparison, other than of equality, of two ids of the ranges'
 * types; otherwise InvalidStrategy.
 */
static int
strategy_of(const Planning *planning, const OpExpr *comparison)
{
	Oid			type = exprType(linitial(comparison->args));
	Oid			family;
	int			strategy;

	if (list_length(comparison->args) != 2 ||
		exprType(lsecond(comparison->args)) != type ||
		!((type == INT8OID && planning->has_bigint) ||
		  (type == UUIDOID && planning->has_uuid) ||
		  type == planning->scru160))
		return InvalidStrategy;
	family = lookup_type_cache(type, TYPECACHE_BTREE_OPFAMILY)->btree_opf;
	strategy = get_op_opfamily_strategy(comparison->opno, family);
	return strategy == BTEqualStrategyNumber ? InvalidStrategy : strategy;
}

/* Can it be a bound of a range?  Other values are left to the server. */
static bool
is_bound(const Const *value)
{
	int			version;

	if (value->constisnull)
		return false;
	if (value->consttype == INT8OID)
		return (DatumGetInt64(value->constvalue) & BITS_BELOW_TIME) == 0 ||
			DatumGetInt64(value->constvalue) == PG_INT64_MAX;
	version = flakeid_id_version(value->consttype,
								 flakeid_id_key(value->consttype, value->constvalue));
	return version == 0 ? value->consttype != UUIDOID : version >= 6;
}

/*
 * Remember a column, if its bound is known when planning, as now() is.  We
 * evaluate no more than the server does to estimate the comparison.
 */
static void
add_comparison(Planning *planning, Node *column, Node *bound, int strategy)
{
	Comparison *comparison;

	while (IsA(column, RelabelType))
		column = (Node *) ((RelabelType *) column)->arg;
	if (!IsA(column, Var) || contain_var_clause(bound))
		return;
	if (!IsA(bound, Const))
		bound = estimate_expression_value(planning->root, bound);
	if (!IsA(bound, Const) || !is_bound((Const *) bound))
		return;
	comparison = hash_search(planning->comparisons, &column, HASH_ENTER, NULL);
	comparison->column = *(Var *) column;
	comparison->bound = *(Const *) bound;
	comparison->key = flakeid_id_key(comparison->bound.consttype, comparison->bound.constvalue);
	comparison->strategy = strategy;
}

/* Like the server, see no comparisons in other expressions, such as CASE. */
static bool
collect(Node *node, void *planning)
{
	List	   *sides;
	int			strategy;

	if (node == NULL)
		return false;
	if (IsA(node, List) || IsA(node, BoolExpr) || IsA(node, BooleanTest))
		return expression_tree_walker(node, collect, planning);
	if (!IsA(node, OpExpr))
		return false;
	strategy = strategy_of(planning, (OpExpr *) node);
	if (strategy == InvalidStrategy)
		return false;
	sides = ((OpExpr *) node)->args;
	add_comparison(planning, linitial(sides), lsecond(sides), strategy);
	add_comparison(planning, lsecond(sides), linitial(sides),
				   BTMaxStrategyNumber + 1 - strategy);
	return false;
}

/* Collect the comparisons of a relation, once. */
static void
collect_of(Planning *planning, RelOptInfo *rel)
{
	HASHCTL		control = {
		.keysize = sizeof(void *),
		.entrysize = sizeof(Comparison),
		.hcxt = planning->context,
	};
	MemoryContext before;

	if (list_member_ptr(planning->rels, rel))
		return;
	before = MemoryContextSwitchTo(planning->context);
	if (planning->comparisons == NULL)
		planning->comparisons = hash_create("flakeid ranges", 16, &control,
											HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
	planning->rels = lcons(rel, planning->rels);
	(void) collect((Node *) extract_actual_clauses(rel->baserestrictinfo, false), planning);
	(void) collect((Node *) extract_actual_clauses(rel->joininfo, false), planning);
	MemoryContextSwitchTo(before);
}

/* Find the least and the greatest key that the column is compared with. */
static void
find_bounds(HTAB *comparisons, const Comparison *asked, FlakeidColumn *column)
{
	HASH_SEQ_STATUS scan;
	Comparison *each;

	column->least = UINT64_MAX;
	hash_seq_init(&scan, comparisons);
	while ((each = hash_seq_search(&scan)) != NULL)
	{
		if (each->column.varno != asked->column.varno ||
			each->column.varattno != asked->column.varattno ||
			each->bound.consttype != column->type)
			continue;
		if (flakeid_is_infinite(column->type, each->key))
			column->is_open = true;
		else
		{
			column->least = Min(column->least, each->key);
			column->greatest = Max(column->greatest, each->key);
		}
	}
}

/* An array of two low values and two high ones */
static Datum
array_of(Datum low, Datum high, Oid type)
{
	Datum		values[] = {low, low, high, high};
	int16		length;
	bool		by_value;
	char		alignment;

	get_typlenbyvalalign(type, &length, &by_value, &alignment);
	return PointerGetDatum(construct_array(values, lengthof(values), type,
										   length, by_value, alignment));
}

/*
 * Row of pg_statistic for a column whose most common values are the least and
 * the greatest one.  With the right shares of them, each comparison with a
 * bound between them gets the fraction that we estimate.  Both are there
 * twice, since the sum of two float4 is exact enough for large tables.
 */
static void
form_reply(FlakeidColumn *column)
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
	column->reply = heap_form_tuple(descriptor, values, nulls);
	/* heap_getattr() of the newest minor versions needs their server. */
	shares = fastgetattr(column->reply, Anum_pg_statistic_stanumbers1,
						 descriptor, nulls);
	column->shares = VARDATA_ANY(DatumGetPointer(shares)) +
		ARR_OVERHEAD_NONULLS(1) - VARHDRSZ;
	table_close(catalog, AccessShareLock);
}

/* The column of a comparison; its statistics are loaded once. */
static FlakeidColumn *
column_of(Planning *planning, RelOptInfo *rel, RangeTblEntry *rte,
		  const Comparison *asked)
{
	Oid			type = asked->bound.consttype;
	int			version = flakeid_id_version(type, asked->key);
	MemoryContext before;
	FlakeidColumn *column;
	ListCell   *lc;

	foreach(lc, planning->columns)
	{
		column = lfirst(lc);
		if (column->rel == rel && column->attnum == asked->column.varattno &&
			(column->version == version || version == GREATEST_VERSION))
			return column;
	}
	before = MemoryContextSwitchTo(planning->context);
	column = palloc0(sizeof(FlakeidColumn));
	column->rel = rel;
	column->rte = rte;
	column->attnum = asked->column.varattno;
	column->type = type;
	column->version = version;
	find_bounds(planning->comparisons, asked, column);
	planning->columns = lcons(column, planning->columns);
	flakeid_load_column(column);
	if (column->histogram.knot_count > 0 || (column->is_open && column->statistics == NULL))
		form_reply(column);
	MemoryContextSwitchTo(before);
	return column;
}

/*
 * The relation of rte, unless brincostestimate() could be asking, as it does
 * if the size is known: it does not initialize its VariableStatData.
 */
static RelOptInfo *
relation_of(PlannerInfo *root, const RangeTblEntry *rte, AttrNumber attnum)
{
	RelOptInfo *rel = NULL;
	ListCell   *lc;

	for (int i = 1; rel == NULL && i < root->simple_rel_array_size; i++)
		if (root->simple_rte_array[i] == rte)
			rel = root->simple_rel_array[i];
	foreach(lc, rel != NULL && rel->rows > 0 ? rel->indexlist : NIL)
	{
		IndexOptInfo *index = lfirst_node(IndexOptInfo, lc);

		for (int i = 0; index->relam != BTREE_AM_OID && i < index->ncolumns; i++)
			if (index->indexkeys[i] == attnum)
				return NULL;
	}
	return rel;
}

/*
 * Row of statistics for a comparison of ours, which holds until the next one
 * is asked for.  NULL leaves the estimate to the server.
 */
static HeapTuple
estimate(Planning *planning, RangeTblEntry *rte, AttrNumber attnum,
		 const VariableStatData *variable)
{
	RelOptInfo *rel = rte->rtekind == RTE_RELATION ?
		relation_of(planning->root, rte, attnum) : NULL;
	const void *node = rel ? variable->var : NULL;
	Comparison *asked;
	FlakeidColumn *column;
	double		below;
	double		above;
	float4		shares[4];

	if (rel == NULL || variable->rel == NULL)
		return NULL;
	collect_of(planning, variable->rel);
	asked = hash_search(planning->comparisons, &node, HASH_FIND, NULL);
	if (asked == NULL)
		return NULL;
	column = column_of(planning, rel, rte, asked);
	if (column->reply == NULL)
		return NULL;
	below = flakeid_share_below(column, asked->bound.constvalue, asked->strategy);
	above = 1 - column->null_share - below;
	shares[0] = (float4) below;
	shares[1] = (float4) (below - shares[0]);
	shares[2] = (float4) above;
	shares[3] = (float4) (above - shares[2]);
	memcpy(column->shares, shares, sizeof(shares));
	return column->reply;
}

/* The row of the reply belongs to the column. */
static void
keep(HeapTuple row)
{
}

static bool
stats_hook(PlannerInfo *root, RangeTblEntry *rte, AttrNumber attnum,
		   VariableStatData *variable)
{
	Planning   *planning = find_planning(root->planner_cxt);

	if (next_hook && next_hook(root, rte, attnum, variable))
		return true;
	if (planning == NULL)
		return false;
	planning->root = root;
	if (planning->query != root->glob)	/* another one, in the same context */
	{
		planning->query = root->glob;
		planning->rels = planning->columns = NIL;
		planning->comparisons = NULL;
	}
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
 * Take note of the type of the range.  A _min is folded; inlining a _between
 * is left to the server (NULL).
 */
PG_FUNCTION_INFO_V1(flakeid_flakeid_range_support);
Datum
flakeid_flakeid_range_support(PG_FUNCTION_ARGS)
{
	SupportRequestSimplify *request =
		(SupportRequestSimplify *) PG_GETARG_POINTER(0);
	bool		is_min;

	if (!IsA(request, SupportRequestSimplify) || request->root == NULL ||
		request->root->planner_cxt == NULL)
		PG_RETURN_POINTER(NULL);
	is_min = request->fcall->funcresulttype != BOOLOID;
	expect_ranges(request->root->planner_cxt, is_min ? request->fcall->funcresulttype :
				  exprType(linitial(request->fcall->args)));
	PG_RETURN_POINTER(is_min ? constant_min(request->fcall) : NULL);
}

/*
 * Called by a _min.  If it is IMMUTABLE, the planner evaluates it with
 * constants without asking the support function, in a state that is a child of
 * its own context.  When a query is executed, the note is in vain.
 */
void
flakeid_note_range(FunctionCallInfo fcinfo)
{
	MemoryContext state = fcinfo->flinfo->fn_mcxt;

	if (fcinfo->flinfo->fn_extra == NULL && state->parent != NULL)
		expect_ranges(state->parent, get_fn_expr_rettype(fcinfo->flinfo));
	fcinfo->flinfo->fn_extra = fcinfo->flinfo;
}
