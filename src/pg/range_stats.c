/*
 * range_stats.c
 *		Supply the planner with statistics of the comparisons of a range.
 *
 * While a query with ranges is planned, we keep the marked comparisons of each
 * of its relations, found once, and the statistics of their columns.  Any other
 * query costs the hook one comparison of pointers.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/htup_details.h"
#include "access/table.h"
#include "access/transam.h"
#include "catalog/pg_am_d.h"
#include "catalog/pg_operator_d.h"
#include "catalog/pg_statistic.h"
#include "catalog/pg_type_d.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/array.h"
#include "utils/fmgroids.h"
#include "utils/hsearch.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/selfuncs.h"

#include "pg/range.h"

/* A query being planned: one call of the planner, including its subqueries. */
typedef struct Planning
{
	struct Planning *next;
	PlannerGlobal *glob;
	MemoryContext context;		/* the planner's; ends with the query */
	MemoryContextCallback at_end;
	Oid			scru160;		/* type, if it has been seen */
	uint64		from;			/* greatest lower bound */
	uint64		to;				/* greatest upper bound */
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

	while (planning != NULL && planning->glob != root->glob)
		planning = planning->next;
	return planning;
}

static HTAB *
create_nodes(MemoryContext context)
{
	HASHCTL		control = {
		.keysize = sizeof(void *),
		.entrysize = sizeof(NodeEntry),
		.hcxt = context,
	};

	return hash_create("flakeid ranges", 64, &control,
					   HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
}

static Planning *
add_planning(const PlannerInfo *root)
{
	Planning   *planning = MemoryContextAllocZero(root->planner_cxt,
												  sizeof(Planning));

	planning->glob = root->glob;
	planning->context = root->planner_cxt;
	planning->nodes = create_nodes(planning->context);
	planning->at_end.func = forget;
	planning->at_end.arg = planning;
	MemoryContextRegisterResetCallback(planning->context, &planning->at_end);
	planning->next = plannings;
	return plannings = planning;
}

/* Called when a range of ids of the type is found in a query. */
void
flakeid_expect_ranges(const PlannerInfo *root, Oid type)
{
	Planning   *planning = find_planning(root);

	if (planning == NULL)
		planning = add_planning(root);
	if (type >= FirstNormalObjectId)
		planning->scru160 = type;
}

typedef struct Collector
{
	PlannerInfo *root;
	Planning   *planning;
} Collector;

/* May we estimate the comparison?  All of scru160's, and any marked one. */
static bool
is_ours(const Planning *planning, const OpExpr *comparison)
{
	return list_length(comparison->args) == 2 &&
		(comparison->location == FLAKEID_RANGE_LOCATION ||
		 (comparison->opno >= FirstNormalObjectId &&
		  exprType(linitial(comparison->args)) == planning->scru160));
}

/* Remember the column, if its bound is known when planning, as now() is. */
static void
add_comparison(const Collector *collector, Node *id, Node *bound,
			   bool is_lower)
{
	Planning   *planning = collector->planning;
	uint64	   *greatest = is_lower ? &planning->from : &planning->to;
	NodeEntry  *entry;

	if (!IsA(id, Var))
		return;
	if (!IsA(bound, Const))
		bound = estimate_expression_value(collector->root, bound);
	if (!IsA(bound, Const) || ((Const *) bound)->constisnull)
		return;
	entry = hash_search(planning->nodes, &id, HASH_ENTER, NULL);
	entry->type = ((Const *) bound)->consttype;
	entry->bound = flakeid_id_key(entry->type, ((Const *) bound)->constvalue);
	*greatest = Max(*greatest, entry->bound);
}

/* Only <, <=, > and >= have a bound. */
static bool
collect(Node *node, void *context)
{
	const Collector *collector = context;
	Node	   *left;
	Node	   *right;

	if (node == NULL)
		return false;
	if (!IsA(node, OpExpr) || !is_ours(collector->planning, (OpExpr *) node))
		return expression_tree_walker(node, collect, context);
	left = flakeid_without_relabel(linitial(((OpExpr *) node)->args));
	right = flakeid_without_relabel(lsecond(((OpExpr *) node)->args));
	switch (get_oprrest(((OpExpr *) node)->opno))
	{
		case F_SCALARGESEL:
		case F_SCALARGTSEL:
			add_comparison(collector, left, right, true);
			add_comparison(collector, right, left, false);
			break;
		case F_SCALARLESEL:
		case F_SCALARLTSEL:
			add_comparison(collector, left, right, false);
			add_comparison(collector, right, left, true);
			break;
	}
	return false;
}

static void
collect_clauses(Collector *collector, List *clauses)
{
	ListCell   *lc;

	foreach(lc, clauses)
		(void) collect((Node *) lfirst_node(RestrictInfo, lc)->clause, collector);
}

/* The entry of the column being examined, or NULL. */
static NodeEntry *
find_entry(PlannerInfo *root, Planning *planning,
		   const VariableStatData *variable)
{
	Collector	collector = {.root = root,.planning = planning};
	const void *rel = variable->rel;
	const void *node = variable->var;
	bool		found;

	if (rel == NULL)
		return NULL;
	(void) hash_search(planning->nodes, &rel, HASH_ENTER, &found);
	if (!found)
	{
		collect_clauses(&collector, variable->rel->baserestrictinfo);
		collect_clauses(&collector, variable->rel->joininfo);
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
	bool		is_null;
	Datum		shares;

	for (int slot = 1; slot < STATISTIC_NUM_SLOTS; slot++)
		nulls[Anum_pg_statistic_stanumbers1 - 1 + slot] =
			nulls[Anum_pg_statistic_stavalues1 - 1 + slot] = true;
	values[Anum_pg_statistic_stanullfrac - 1] =
		Float4GetDatum((float4) flakeid_null_share(column));
	values[Anum_pg_statistic_stakind1 - 1] = Int16GetDatum(STATISTIC_KIND_MCV);
	values[Anum_pg_statistic_stanumbers1 - 1] =
		array_of(Float4GetDatum(0), Float4GetDatum(0), FLOAT4OID);
	values[Anum_pg_statistic_stavalues1 - 1] =
		array_of(flakeid_id_datum(column->type, 0),
				 flakeid_id_datum(column->type, UINT64_MAX), column->type);
	column->estimate = heap_form_tuple(descriptor, values, nulls);
	shares = heap_getattr(column->estimate, Anum_pg_statistic_stanumbers1,
						  descriptor, &is_null);
	column->shares = VARDATA_ANY(DatumGetPointer(shares)) +
		ARR_OVERHEAD_NONULLS(1) - VARHDRSZ;
	table_close(catalog, AccessShareLock);
}

/* The row for a bound; it holds until the next one is asked for. */
static HeapTuple
row_for(FlakeidColumn *column, uint64 bound)
{
	double		below = flakeid_share_below(column, bound);
	float4		shares[] = {
		(float4) below,
		(float4) (1 - flakeid_null_share(column) - below)
	};

	memcpy(column->shares, shares, sizeof(shares));
	return column->estimate;
}

/* Find the column, or load its statistics. */
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
			column->version == wanted.version)
			return column;
	}
	before = MemoryContextSwitchTo(planning->context);
	column = palloc(sizeof(FlakeidColumn));
	*column = wanted;
	planning->columns = lcons(column, planning->columns);
	flakeid_load_column(column);
	if (column->histogram.count > 0)
		form_row(column);
	MemoryContextSwitchTo(before);
	return column;
}

/* NULL leaves the estimate to the server. */
static HeapTuple
estimate(PlannerInfo *root, Planning *planning, FlakeidColumn wanted,
		 const VariableStatData *variable)
{
	NodeEntry  *entry = find_entry(root, planning, variable);
	FlakeidColumn *column;

	if (entry == NULL)
		return NULL;
	wanted.type = entry->type;
	/* A UUID has its version in the first 64 bits. */
	wanted.version = wanted.type == UUIDOID ? (int) (entry->bound >> 12 & 15) : 0;
	wanted.from = planning->from;
	wanted.to = planning->to;
	column = column_of(planning, wanted);
	return column->estimate ? row_for(column, entry->bound) : NULL;
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

static void
keep(HeapTuple row)
{
}

/* Supply statistics and return true if the comparison is one of ours. */
static bool
range_stats(PlannerInfo *root, Planning *planning, RangeTblEntry *rte,
			AttrNumber attnum, VariableStatData *variable)
{
	FlakeidColumn wanted = {.rte = rte, .attnum = attnum};

	if (rte->rtekind != RTE_RELATION)
		return false;
	wanted.rel = relation_of(root, rte);
	if (wanted.rel == NULL || is_brin_cost(wanted.rel, attnum))
		return false;
	variable->statsTuple = estimate(root, planning, wanted, variable);
	variable->freefunc = keep;
	return variable->statsTuple != NULL;
}

static bool
stats_hook(PlannerInfo *root, RangeTblEntry *rte, AttrNumber attnum,
		   VariableStatData *variable)
{
	Planning   *planning = find_planning(root);

	return (next_hook && next_hook(root, rte, attnum, variable)) ||
		(planning && range_stats(root, planning, rte, attnum, variable));
}

void
flakeid_install_range_stats(void)
{
	next_hook = get_relation_stats_hook;
	get_relation_stats_hook = stats_hook;
}
