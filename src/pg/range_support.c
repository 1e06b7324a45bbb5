/*
 * range_support.c
 *		Support function of the _between functions: replace a call by the two
 *		comparisons of the function's body, and mark them.
 *
 * The server would inline the body too, but more slowly, and without the mark
 * by which range_stats.c recognizes them.  Apart from that the expression is
 * the same, so that indexes, partition pruning, constraints and predicates of
 * partial indexes work as with inlining.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/stratnum.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type_d.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/supportnodes.h"
#include "optimizer/optimizer.h"
#include "optimizer/planmain.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

#include "pg/range.h"

typedef struct Range
{
	PlannerInfo *root;
	Node	   *id;
	Oid			type;
	Oid			first;			/* function that returns the first id of a time */
	List	   *more;			/* its arguments after the time */
} Range;

/*
 * The function in the body: fluid_bound of fluid_between.  It is the extension's
 * own, since its name is taken: another one would run with the caller's rights.
 */
static Oid
bound_function(const FuncExpr *call)
{
	char	   *name = get_func_name(call->funcid);
	int			prefix = (int) strlen(name) - (int) strlen("between");
	Oid			types[] = {TIMESTAMPTZOID, InvalidOid};
	int			arguments = list_length(call->args) - 2;

	if (arguments == 2)
		types[1] = exprType(lfourth(call->args));
	return GetSysCacheOid3(PROCNAMEARGSNSP, Anum_pg_proc_oid,
						   CStringGetDatum(psprintf("%.*sbound", prefix, name)),
						   PointerGetDatum(buildoidvector(types, arguments)),
						   ObjectIdGetDatum(get_func_namespace(call->funcid)));
}

/* Both bounds use them, so only what costs nothing is repeated. */
static bool
are_simple(List *arguments, bool allow_params)
{
	ListCell   *lc;

	foreach(lc, arguments)
		if (!IsA(lfirst(lc), Const) &&
			!(allow_params && IsA(lfirst(lc), Param)))
			return false;
	return true;
}

/*
 * First id of a time; a constant if the time is.  The epoch of a STABLE
 * function cannot change while the server runs, nor can a plan outlive it.
 */
static Node *
bound_of(const Range *range, Node *time)
{
	List	   *arguments = lcons(time, copyObjectImpl(range->more));
	Node	   *bound = (Node *) makeFuncExpr(range->first, range->type,
											  arguments, InvalidOid, InvalidOid,
											  COERCE_EXPLICIT_CALL);

	return are_simple(arguments, false) ?
		estimate_expression_value(range->root, bound) : bound;
}

static bool
is_null(Node *bound)
{
	return IsA(bound, Const) && ((Const *) bound)->constisnull;
}

/*
 * Is only the upper bound known, and is it the greatest value?  As one side of
 * a range the planner would give it its default for unknown ranges, 0.5 %.
 */
static bool
is_open(const Range *range, Node *lower, Node *upper)
{
	return IsA(upper, Const) &&
		flakeid_id_key(range->type, ((Const *) upper)->constvalue) == UINT64_MAX &&
		!IsA(estimate_expression_value(range->root, lower), Const);
}

static Node *
comparison(const Range *range, StrategyNumber strategy, bool negated,
		   Node *bound)
{
	Oid			family = lookup_type_cache(range->type,
										   TYPECACHE_BTREE_OPFAMILY)->btree_opf;
	Oid			operator = get_opfamily_member(family, range->type, range->type,
											   strategy);
	OpExpr	   *result;

	result = (OpExpr *) make_opclause(negated ? get_negator(operator) : operator,
									  BOOLOID, false,
									  copyObjectImpl(range->id),
									  (Expr *) bound, InvalidOid, InvalidOid);
	set_opfuncid(result);
	result->location = FLAKEID_RANGE_LOCATION;
	return (Node *) result;
}

/* NULL bounds are left to the server. */
static Node *
expand(const Range *range, Node *from, Node *to)
{
	Node	   *lower = bound_of(range, from);
	Node	   *upper = bound_of(range, to);
	bool		open;

	if (is_null(lower) || is_null(upper))
		return NULL;
	open = is_open(range, lower, upper);
	lower = comparison(range, BTGreaterEqualStrategyNumber, false, lower);
	upper = comparison(range, open ? BTEqualStrategyNumber :
					   BTLessStrategyNumber, open, upper);
	return (Node *) make_andclause(list_make2(lower, upper));
}

/*
 * The conditions of the server's inlining; and the id, which the comparisons
 * use twice, is a column.
 */
static bool
may_expand(const FuncExpr *call)
{
	return list_length(call->args) >= 3 && flakeid_may_execute(call->funcid) &&
		!FmgrHookIsNeeded(call->funcid) &&
		are_simple(list_copy_tail(call->args, 3), true) &&
		IsA(flakeid_without_relabel(linitial(call->args)), Var);
}

static Node *
simplify(PlannerInfo *root, FuncExpr *call)
{
	Range		range = {.root = root,.id = linitial(call->args)};
	Node	   *expression;

	range.type = exprType(range.id);
	flakeid_expect_ranges(root, range.type);
	if (!may_expand(call))
		return NULL;
	range.first = bound_function(call);
	range.more = list_copy_tail(call->args, 3);
	if (!OidIsValid(range.first))
		return NULL;
	expression = expand(&range, lsecond(call->args), lthird(call->args));
	if (expression != NULL)
		record_plan_function_dependency(root, call->funcid);
	return expression;
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

	if (!IsA(request, SupportRequestSimplify) || request->root == NULL)
		PG_RETURN_POINTER(NULL);
	PG_RETURN_POINTER(simplify(request->root, request->fcall));
}
