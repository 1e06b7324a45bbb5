/*
 * range_support.c
 *		Support function of the _between functions: expand a call into the two
 *		operators of the function's body, and mark them.
 *
 * The server would inline the body too.  Ours is cached in parsed form, and
 * its operators are marked, so that range_stats.c recognizes them.  Otherwise
 * the expression is unchanged, so that indexes, partition pruning, constraints
 * and predicates of partial indexes work as with inlining.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/htup_details.h"
#include "access/transam.h"
#include "catalog/pg_proc.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "nodes/supportnodes.h"
#include "optimizer/optimizer.h"
#include "optimizer/planmain.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/hsearch.h"
#include "utils/memutils.h"
#include "utils/syscache.h"

#include "pg/range.h"

/* Cached body of a function, as of one version of its pg_proc row. */
typedef struct Body
{
	Oid			function;
	TransactionId xmin;
	ItemPointerData tid;
	MemoryContext context;
	Node	   *expression;		/* NULL if we do not expand it */
} Body;

static HTAB *bodies;

static Body *
body_of(Oid function)
{
	Body	   *body;
	bool		found;

	if (bodies == NULL)
	{
		HASHCTL		control = {.keysize = sizeof(Oid), .entrysize = sizeof(Body)};

		bodies = hash_create("flakeid ranges", 16, &control,
							 HASH_ELEM | HASH_BLOBS);
	}
	body = hash_search(bodies, &function, HASH_ENTER, &found);
	if (!found)
	{
		body->xmin = InvalidTransactionId;
		body->context = NULL;
		body->expression = NULL;
	}
	return body;
}

/*
 * All operators in the body are comparisons with a bound.  Only core's
 * operators are marked; others have their own estimator.
 */
static bool
mark_operators(Node *node, void *context)
{
	if (node == NULL)
		return false;
	if (IsA(node, OpExpr) && ((OpExpr *) node)->opno < FirstNormalObjectId)
		((OpExpr *) node)->location = FLAKEID_BETWEEN_LOCATION;
	return expression_tree_walker(node, mark_operators, context);
}

/* Expression of a RETURN body; NULL for other bodies. */
static Node *
parse(HeapTuple tuple)
{
	bool		is_null;
	Datum		source = SysCacheGetAttr(PROCOID, tuple,
										 Anum_pg_proc_prosqlbody, &is_null);
	Query	   *query;
	Node	   *expression;

	if (is_null)
		return NULL;
	query = stringToNode(TextDatumGetCString(source));
	if (!IsA(query, Query) || list_length(query->targetList) != 1)
		return NULL;
	expression = (Node *) linitial_node(TargetEntry, query->targetList)->expr;
	fix_opfuncids(expression);
	mark_operators(expression, NULL);
	return expression;
}

static void
reload(Body *body, HeapTuple tuple)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext,
												  "flakeid range",
												  ALLOCSET_SMALL_SIZES);
	MemoryContext before = MemoryContextSwitchTo(context);
	Node	   *expression = parse(tuple);

	MemoryContextSwitchTo(before);
	MemoryContextSetParent(context, CacheMemoryContext);
	if (body->context)
		MemoryContextDelete(body->context);
	body->context = context;
	body->expression = expression;
	body->xmin = HeapTupleHeaderGetRawXmin(tuple->t_data);
	body->tid = tuple->t_self;
}

/* The same conditions as in the server's inline_function(). */
static bool
may_expand(Oid function, HeapTuple tuple)
{
	return !((Form_pg_proc) GETSTRUCT(tuple))->prosecdef &&
		heap_attisnull(tuple, Anum_pg_proc_proconfig, NULL) &&
		flakeid_may_execute(function);
}

static Node *
expression_of(Oid function)
{
	HeapTuple	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
	Body	   *body = body_of(function);
	Node	   *expression = NULL;

	if (!HeapTupleIsValid(tuple))
		return NULL;
	if (may_expand(function, tuple))
	{
		if (body->xmin != HeapTupleHeaderGetRawXmin(tuple->t_data) ||
			!ItemPointerEquals(&body->tid, &tuple->t_self))
			reload(body, tuple);
		expression = body->expression;
	}
	ReleaseSysCache(tuple);
	return expression;
}

typedef struct Expansion
{
	PlannerInfo *root;
	List	   *arguments;
	Bitmapset  *used;			/* numbers of the arguments used */
	bool		has_null;		/* a bound is NULL */
	bool		computes_twice; /* a volatile argument is used twice */
} Expansion;

static Node *expand(Node *node, Expansion *expansion);

/* Fold a bound with constant arguments, as after inlining. */
static Node *
expand_bound(FuncExpr *node, Expansion *expansion)
{
	FuncExpr   *bound = (FuncExpr *) expression_tree_mutator((Node *) node,
															 expand, expansion);
	Node	   *value = (Node *) bound;
	ListCell   *lc;

	foreach(lc, bound->args)
		if (!IsA(lfirst(lc), Const))
			return value;
	value = eval_const_expressions(expansion->root, value);
	if (IsA(value, Const) && ((Const *) value)->constisnull)
		expansion->has_null = true;
	return value;
}

/* Some formats use both times in each bound, hence each time twice. */
static Node *
expand_argument(const Param *node, Expansion *expansion)
{
	Node	   *argument = list_nth(expansion->arguments, node->paramid - 1);

	if (bms_is_member(node->paramid, expansion->used) &&
		contain_volatile_functions(argument))
		expansion->computes_twice = true;
	expansion->used = bms_add_member(expansion->used, node->paramid);
	return copyObjectImpl(argument);
}

static Node *
expand(Node *node, Expansion *expansion)
{
	if (node == NULL)
		return NULL;
	if (IsA(node, Param))
		return expand_argument((Param *) node, expansion);
	if (IsA(node, FuncExpr))
		return expand_bound((FuncExpr *) node, expansion);
	return expression_tree_mutator(node, expand, expansion);
}

/*
 * Expand only for a column: the body uses the id twice.  For other expressions
 * the server decides whether they may be evaluated twice, as for volatile
 * times.
 */
static bool
is_column(Node *id)
{
	while (IsA(id, RelabelType))
		id = (Node *) ((RelabelType *) id)->arg;
	return IsA(id, Var);
}

static Node *
simplify(SupportRequestSimplify *request)
{
	FuncExpr   *call = request->fcall;
	Expansion	expansion = {.root = request->root, .arguments = call->args};
	Node	   *expression;

	if (call->args == NIL || !is_column(linitial(call->args)))
		return NULL;
	expression = expression_of(call->funcid);
	if (expression == NULL)
		return NULL;
	expression = expand(expression, &expansion);
	if (expansion.computes_twice)
		return NULL;
	if (expansion.has_null)
		expression = eval_const_expressions(request->root, expression);
	if (request->root)
		record_plan_function_dependency(request->root, call->funcid);
	flakeid_install_range_stats();
	return expression;
}

/*
 * flakeid_between_support(internal) -> internal
 *
 * NULL leaves inlining to the server.
 */
PG_FUNCTION_INFO_V1(flakeid_flakeid_between_support);
Datum
flakeid_flakeid_between_support(PG_FUNCTION_ARGS)
{
	Node	   *request = (Node *) PG_GETARG_POINTER(0);
	Node	   *answer = NULL;

	if (IsA(request, SupportRequestSimplify))
		answer = simplify((SupportRequestSimplify *) request);
	PG_RETURN_POINTER(answer);
}
