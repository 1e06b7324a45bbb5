/*
 * range.c
 *		Planner support for time ranges of UUIDs.
 *
 * The server inlines _in_range to "id >= a AND id < b".  The planner estimates
 * each comparison from the statistics of its column, and asks
 * get_relation_stats_hook for them.  It cannot interpolate ids.  So the hook
 * replies with a row of statistics from which the planner reads the fraction
 * of the ids that is below the bound (range_stats.c).  This relies on the
 * planner
 *	- calling the hook with the column node of the comparison,
 *	- estimating a comparison from most common values alone, without any
 *	  histogram, and a pair of them as a range.
 * t/021_range_estimates.pl fails if that changes.
 *
 * From one question of the planner to the next, we remember only where the
 * next search begins.  The arguments of the hook (rte, attnum) say which
 * column the planner asks for.  The column node of the comparison,
 * variable->var, can belong to an outer query, if the column is the output of
 * a subquery.  So we search for its address among the clauses of
 * variable->rel, and follow it only as a part of a comparison that was found
 * there.
 *
 * The bound of this one comparison is evaluated, as the planner itself does
 * next; where the planner would not evaluate it, we do not either.  So the
 * bound is evaluated twice each time that the planner estimates a comparison.
 * It is evaluated three times if the planner asks for the share of nulls of a
 * range within an expression such as IS TRUE, because it remembers nothing
 * about such an expression.
 *
 * Comparisons that are not among these clauses are left to the server.  There
 * are two kinds.  Conditions of HAVING that the server does not move to WHERE:
 * there, the default estimate of an aggregate hides any other.  Copies of an
 * outer join's clauses, which partitionwise joins estimate: no pointer leads
 * to them from here.
 *
 * For a comparison of another type, the hook only looks at the indexes of the
 * relation.  64-bit ids are left to the server, which interpolates bigint as
 * it does timestamptz.  SCRU160 is left to the server, too, which uses a
 * default estimate for types that it does not know.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/htup_details.h"
#include "access/table.h"
#include "access/transam.h"
#include "catalog/pg_am_d.h"
#include "catalog/pg_statistic.h"
#include "catalog/pg_type_d.h"
#include "miscadmin.h"
#include "nodes/supportnodes.h"
#include "optimizer/optimizer.h"
#include "utils/array.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/selfuncs.h"

#include "format/uuid.h"
#include "pg/range.h"
#include "pg/settings.h"

/* A comparison: column OPERATOR bound */
typedef struct Comparison
{
	const RestrictInfo *info;	/* the innermost one around it */
	bool		of_join;		/* is it a clause of a join? */
	Oid			operator;
	Node	   *bound;
} Comparison;

static get_relation_stats_hook_type next_stats;

static bool find_in_list(const List *clauses, const void *column, int level,
						 Comparison *found);

/*
 * The relation of a range table entry.  The planner asks for one relation
 * after another, so the search begins where the previous one ended.
 * Otherwise, a range of a thousand partitions would cost a million steps.
 */
static RelOptInfo *
find_relation(const PlannerInfo *root, const RangeTblEntry *rte)
{
	static int	hint;
	int			size = root->simple_rel_array_size;

	for (int i = 0; i < size; i++)
	{
		int			relid = (hint + i) % size;

		if (root->simple_rte_array[relid] == rte)
		{
			hint = relid;
			return root->simple_rel_array[relid];
		}
	}
	return NULL;
}

/*
 * Can it be that the cost of an index is asked for, and not a comparison?
 * Then the VariableStatData may be uninitialized, as in brincostestimate(),
 * and must not be read.  Costs are asked for while the paths of a relation are
 * built: when its number of rows is known, and its cheapest path is not yet.
 * The other access methods of the server ask for none, or initialize it.
 */
static bool
may_be_index(const RelOptInfo *rel, AttrNumber attnum)
{
	ListCell   *lc;

	foreach(lc, rel->rows > 0 && rel->cheapest_total_path == NULL ?
			rel->indexlist : NIL)
	{
		IndexOptInfo *index = lfirst_node(IndexOptInfo, lc);

		if (index->relam < FirstNormalObjectId && index->relam != BRIN_AM_OID)
			continue;
		for (int i = 0; i < index->ncolumns; i++)
			if (index->indexkeys[i] == attnum)
				return true;
	}
	return false;
}

/*
 * Does the planner remember its estimate of a clause?  A clause of an outer
 * join has two estimates: one for the join, and one as if the join were an
 * inner one.
 */
static bool
is_estimated(const RestrictInfo *info, bool of_join)
{
	return info->norm_selec >= 0 && (!of_join || info->outer_selec >= 0);
}

static bool
is_column(const Node *side, const void *column)
{
	while (IsA(side, RelabelType))
		side = (const Node *) ((const RelabelType *) side)->arg;
	return side == column;
}

/* Is this column node one side of the comparison? */
static bool
match(Oid operator, Node *left, Node *right, const void *column,
	  Comparison *found)
{
	bool		is_reversed = is_column(right, column);

	if (!is_reversed && !is_column(left, column))
		return false;
	found->operator = is_reversed ? get_commutator(operator) : operator;
	found->bound = is_reversed ? left : right;
	return true;
}

/*
 * Find the comparison with this column node.  Like the server, the search
 * ignores other expressions, such as CASE, and sees only the first pair of a
 * comparison of rows.
 *
 * An OR can be long.  Once the planner has estimated it, the search skips it,
 * because to order the joins of many tables, the planner asks again and again
 * for columns that are in no OR.  Before that, nothing limits the search for a
 * node that is not here, such as the copy that scalararraysel() makes of "id"
 * in "id IN (...)".  Any limit would lose comparisons in a long OR.
 */
static bool
find(const Node *clause, const void *column, int level, Comparison *found)
{
	const RestrictInfo *info = (const RestrictInfo *) clause;
	const OpExpr *comparison = (const OpExpr *) clause;
	const RowCompareExpr *row = (const RowCompareExpr *) clause;

	check_stack_depth();
	switch (nodeTag(clause))
	{
		case T_RestrictInfo:
			found->info = info;
			if (info->orclause == NULL)
				return find((const Node *) info->clause, column, level, found);
			return !is_estimated(info, found->of_join) &&
				find((const Node *) info->orclause, column, level, found);
		case T_BoolExpr:
			return find_in_list(((const BoolExpr *) clause)->args, column,
								level + 1, found);
		case T_BooleanTest:
			return find((const Node *) ((const BooleanTest *) clause)->arg,
						column, level, found);
		case T_OpExpr:
			return list_length(comparison->args) == 2 &&
				match(comparison->opno, linitial(comparison->args),
					  lsecond(comparison->args), column, found);
		case T_RowCompareExpr:
			return match(linitial_oid(row->opnos), linitial(row->largs),
						 linitial(row->rargs), column, found);
		default:
			return false;
	}
}

/*
 * The planner asks for the comparisons of a list in their order, so the search
 * begins where the previous one at this level ended.  Otherwise, a thousand
 * comparisons in AND (level 0), in OR (level 1), or in parentheses below
 * (levels 2 and 3) would cost a million steps.
 */
static bool
find_in_list(const List *clauses, const void *column, int level,
			 Comparison *found)
{
	static int	hints[4];
	int		   *hint = &hints[Min(level, lengthof(hints) - 1)];
	int			start = *hint;
	int			length = list_length(clauses);

	for (int i = 0; i < length; i++)
	{
		int			place = (start + i) % length;

		if (find(list_nth(clauses, place), column, level, found))
		{
			*hint = place;
			return true;
		}
	}
	return false;
}

/*
 * Find the comparison among the clauses of a relation.  False if the planner
 * has estimated the clause before: it remembers the estimate, and asks again
 * only for the share of nulls of a range (nulltestsel()), which it can read
 * itself.
 */
static bool
find_comparison(const RelOptInfo *rel, const void *column, Comparison *found)
{
	found->of_join = !find_in_list(rel->baserestrictinfo, column, 0, found);
	if (found->of_join && !find_in_list(rel->joininfo, column, 0, found))
		return false;
	return !is_estimated(found->info, found->of_join);
}

/*
 * Evaluate the bound of a comparison of UUIDs.  False unless the comparison is
 * one of order, the value of the bound is known to the planner, as that of
 * now() is, and it begins with a time.  That is a UUID of version 6, 7 or 8,
 * or the greatest UUID, which stands for infinity.
 */
static bool
evaluate(PlannerInfo *root, const Comparison *comparison, FlakeidBound *bound)
{
	StrategyNumber strategy = get_op_opfamily_strategy(comparison->operator,
													   flakeid_uuid_family());
	Const	   *value = (Const *) comparison->bound;
	FlakeUuid	id;
	int			version;

	if (strategy == InvalidStrategy || strategy == BTEqualStrategyNumber ||
		contain_var_clause(comparison->bound))
		return false;
	if (!IsA(value, Const))
		value = (Const *) estimate_expression_value(root, comparison->bound);
	if (!IsA(value, Const) || value->constisnull ||
		value->consttype != UUIDOID)
		return false;
	bound->id = *DatumGetUUIDP(value->constvalue);
	bound->or_equal = strategy == BTLessEqualStrategyNumber ||
		strategy == BTGreaterStrategyNumber;
	id = flake_uuid_load(bound->id.data);
	version = flake_uuid_version(id);
	return (version >= 6 && version <= 8) ||
		(id.high == UINT64_MAX && id.low == UINT64_MAX);
}

/*
 * Row of pg_statistic for a column whose most common values are the least and
 * the greatest UUID.  Any bound lies between them, so a comparison gets the
 * share that we estimate.  Each of the two is in the row twice, because one
 * float4 is not exact enough for large tables, but the sum of two is.
 */
static HeapTuple
form_reply(const FlakeidShares *estimate)
{
	static const pg_uuid_t least = {{0}};
	static const pg_uuid_t greatest = {{
		0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
		0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff
	}};
	Datum		ids[] = {
		UUIDPGetDatum(&least), UUIDPGetDatum(&least),
		UUIDPGetDatum(&greatest), UUIDPGetDatum(&greatest)
	};

	/*
	 * The statistics can have other numbers, such as NaN, if a user wrote
	 * them.
	 */
	double		null = estimate->null > 0 ? Min(estimate->null, 1) : 0;
	double		below = estimate->below > 0 ?
		Min(estimate->below, 1 - null) : 0;
	double		above = 1 - null - below;
	Datum		shares[] = {
		Float4GetDatum((float4) below),
		Float4GetDatum((float4) (below - (float4) below)),
		Float4GetDatum((float4) above),
		Float4GetDatum((float4) (above - (float4) above))
	};
	Relation	catalog = table_open(StatisticRelationId, AccessShareLock);
	Datum		values[Natts_pg_statistic] = {0};
	bool		nulls[Natts_pg_statistic] = {0};
	ArrayType  *numbers;
	ArrayType  *common;
	HeapTuple	reply;

	for (int slot = 1; slot < STATISTIC_NUM_SLOTS; slot++)
		nulls[Anum_pg_statistic_stanumbers1 - 1 + slot] =
			nulls[Anum_pg_statistic_stavalues1 - 1 + slot] = true;
	values[Anum_pg_statistic_stanullfrac - 1] =
		Float4GetDatum((float4) null);
	values[Anum_pg_statistic_stakind1 - 1] = Int16GetDatum(STATISTIC_KIND_MCV);
	numbers = construct_array(shares, lengthof(shares), FLOAT4OID,
							  sizeof(float4), true, TYPALIGN_INT);
	values[Anum_pg_statistic_stanumbers1 - 1] = PointerGetDatum(numbers);
	common = construct_array(ids, lengthof(ids), UUIDOID, UUID_LEN, false,
							 TYPALIGN_CHAR);
	values[Anum_pg_statistic_stavalues1 - 1] = PointerGetDatum(common);
	reply = heap_form_tuple(RelationGetDescr(catalog), values, nulls);
	pfree(numbers);
	pfree(common);
	table_close(catalog, AccessShareLock);
	return reply;
}

static bool
stats_hook(PlannerInfo *root, RangeTblEntry *rte, AttrNumber attnum,
		   VariableStatData *variable)
{
	RelOptInfo *rel;
	Comparison	comparison = {0};
	FlakeidBound bound;
	FlakeidShares shares;

	if (next_stats && next_stats(root, rte, attnum, variable))
		return true;
	if (!flakeid_enable_range_estimates || rte->rtekind != RTE_RELATION ||
		attnum <= 0)
		return false;
	rel = find_relation(root, rte);
	if (rel == NULL || may_be_index(rel, attnum) ||
		variable->vartype != UUIDOID ||
		variable->var == NULL || variable->rel == NULL ||
		!find_comparison(variable->rel, variable->var, &comparison) ||
		!evaluate(root, &comparison, &bound) ||
		!flakeid_estimate(rel, rte, attnum, &bound, &shares))
		return false;
	variable->statsTuple = form_reply(&shares);
	variable->freefunc = heap_freetuple;
	return true;
}

void
flakeid_install_range_stats(void)
{
	next_stats = get_relation_stats_hook;
	get_relation_stats_hook = stats_hook;
}

/*
 * A call of _min whose arguments are constants is a constant.  This includes a
 * STABLE one: its epoch cannot change while the server is running, and no plan
 * exists longer than that.
 */
static Node *
constant_min(FuncExpr *call)
{
	ListCell   *lc;

	foreach(lc, call->args)
	{
		if (!IsA(lfirst(lc), Const))
			return NULL;
	}
	return (Node *) evaluate_expr((Expr *) call, call->funcresulttype, -1,
								  InvalidOid);
}

/*
 * flakeid_range_support(request internal) -> internal
 *
 * Replaces a call of _min of 64-bit ids by a constant, but only within a
 * query: the predicate of an index must not depend on a setting.  For ranges
 * of UUIDs, the call has only the effect that this library, and so the hook,
 * is loaded before anything is estimated.  The result NULL leaves it to the
 * server to inline a call of _in_range.
 */
PG_FUNCTION_INFO_V1(flakeid_range_support);
Datum
flakeid_range_support(PG_FUNCTION_ARGS)
{
	SupportRequestSimplify *request =
		(SupportRequestSimplify *) PG_GETARG_POINTER(0);

	if (!IsA(request, SupportRequestSimplify) || request->root == NULL)
		PG_RETURN_POINTER(NULL);
	PG_RETURN_POINTER(request->fcall->funcresulttype == INT8OID ?
					  constant_min(request->fcall) : NULL);
}
