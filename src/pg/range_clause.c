/*
 * range_clause.c
 *		Recognize clauses that bound a column of ids from below or above.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/stratnum.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

#include "pg/range.h"

static Node *
without_relabel(Node *node)
{
	while (node != NULL && IsA(node, RelabelType))
		node = (Node *) ((RelabelType *) node)->arg;
	return node;
}

static bool
is_column(const FlakeidColumn *column, Node *node)
{
	Var		   *var = (Var *) without_relabel(node);

	return var != NULL && IsA(var, Var) && var->varlevelsup == 0 &&
		var->varno == column->rel->relid && var->varattno == column->attnum;
}

/* Side of a comparison in the type's default order, column on the left. */
static FlakeidSide
side_of(Oid operator, Oid type)
{
	TypeCacheEntry *entry = lookup_type_cache(type, TYPECACHE_BTREE_OPFAMILY);

	switch (get_op_opfamily_strategy(operator, entry->btree_opf))
	{
		case BTLessStrategyNumber:
		case BTLessEqualStrategyNumber:
			return FLAKEID_UPPER;
		case BTGreaterStrategyNumber:
		case BTGreaterEqualStrategyNumber:
			return FLAKEID_LOWER;
		default:
			return FLAKEID_NO_SIDE;
	}
}

/* Value of the bound, if known at plan time; now() is estimated. */
static bool
known_bound(PlannerInfo *root, Node *node, uint64 *bound)
{
	Const	   *constant;

	if (!IsA(node, Const))
		node = estimate_expression_value(root, node);
	node = without_relabel(node);
	if (!IsA(node, Const))
		return false;
	constant = (Const *) node;
	if (constant->constisnull || !flakeid_is_id_type(constant->consttype))
		return false;
	*bound = flakeid_id_key(constant->consttype, constant->constvalue);
	return true;
}

/* Does the clause bound the column?  The bound may be unknown at plan time. */
bool
flakeid_examine_clause(PlannerInfo *root, const FlakeidColumn *column,
					   RestrictInfo *rinfo, FlakeidClause *clause)
{
	OpExpr	   *comparison = (OpExpr *) rinfo->clause;
	Node	   *bound;
	Oid			operator;

	if (!IsA(comparison, OpExpr) || list_length(comparison->args) != 2)
		return false;
	operator = comparison->opno;
	bound = lsecond(comparison->args);
	if (!is_column(column, linitial(comparison->args)))
	{
		bound = linitial(comparison->args);
		operator = get_commutator(operator);
		if (!is_column(column, lsecond(comparison->args)))
			return false;
	}
	clause->rinfo = rinfo;
	clause->is_between = comparison->location == FLAKEID_BETWEEN_LOCATION;
	clause->side = side_of(operator, exprType(bound));
	clause->is_known = clause->side != FLAKEID_NO_SIDE &&
		known_bound(root, bound, &clause->bound);
	return clause->side != FLAKEID_NO_SIDE;
}
