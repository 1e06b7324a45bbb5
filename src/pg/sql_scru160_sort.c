/*
 * sql_scru160_sort.c
 *		Sort support of scru160, with abbreviated keys.
 *
 * The abbreviated key is the first bytes of the id: on 64-bit machines the
 * millisecond and the counter.  Few ids share those, unless they were
 * generated from a few given times.  So, like core for uuid, estimate the
 * number of distinct keys (hyperloglog) and abort abbreviation if there are
 * too few.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "common/hashfn.h"
#include "fmgr.h"
#include "lib/hyperloglog.h"
#include "utils/memutils.h"
#include "utils/sortsupport.h"

#include "pg/sql_scru160.h"

/* Lives as long as the sort, in its memory context. */
typedef struct Abbreviation
{
	int64		seen;			/* keys so far */
	bool		counting;		/* still estimating distinct keys */
	hyperLogLogState distinct;
} Abbreviation;

/* Thresholds of uuid_abbrev_abort() in core. */
#define LOOK_FROM		10000
#define ENOUGH			100000.0
#define SEEN_PER_DISTINCT	2000.0

static int
compare_full(Datum x, Datum y, SortSupport ssup)
{
	return flake_scru160_compare((unsigned char *) DatumGetPointer(x),
								 (unsigned char *) DatumGetPointer(y));
}

static Datum
abbreviate(Datum original, SortSupport ssup)
{
	Abbreviation *abbreviation = ssup->ssup_extra;
	uint64		stamp =
		flake_load_be64((unsigned char *) DatumGetPointer(original));

	abbreviation->seen++;
	if (abbreviation->counting)
		addHyperLogLog(&abbreviation->distinct,
					   DatumGetUInt32(hash_uint32((uint32) (stamp ^
															stamp >> 32))));
	return (Datum) (stamp >> (64 - 8 * sizeof(Datum)));
}

/* Abbreviation abort callback: true if there are too few distinct keys. */
static bool
give_up(int tuples, SortSupport ssup)
{
	Abbreviation *abbreviation = ssup->ssup_extra;
	double		distinct;

	if (tuples < LOOK_FROM || abbreviation->seen < LOOK_FROM ||
		!abbreviation->counting)
		return false;
	distinct = estimateHyperLogLog(&abbreviation->distinct);
	if (distinct > ENOUGH)
	{
		abbreviation->counting = false;
		return false;
	}
	return distinct < abbreviation->seen / SEEN_PER_DISTINCT + 0.5;
}

/* Allocate in the memory context of the sort. */
static Abbreviation *
make_abbreviation(MemoryContext context)
{
	MemoryContext caller = MemoryContextSwitchTo(context);
	Abbreviation *abbreviation = palloc0(sizeof(Abbreviation));

	abbreviation->counting = true;
	initHyperLogLog(&abbreviation->distinct, 10);
	MemoryContextSwitchTo(caller);
	return abbreviation;
}

/* scru160_sortsupport(internal) -> void */
PG_FUNCTION_INFO_V1(flakeid_scru160_sortsupport);
Datum
flakeid_scru160_sortsupport(PG_FUNCTION_ARGS)
{
	SortSupport ssup = (SortSupport) PG_GETARG_POINTER(0);

	ssup->comparator = compare_full;
	ssup->ssup_extra = NULL;
	if (ssup->abbreviate)
	{
		ssup->ssup_extra = make_abbreviation(ssup->ssup_cxt);
		ssup->comparator = ssup_datum_unsigned_cmp;
		ssup->abbrev_converter = abbreviate;
		ssup->abbrev_abort = give_up;
		ssup->abbrev_full_comparator = compare_full;
	}
	PG_RETURN_VOID();
}
