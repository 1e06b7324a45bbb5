/*
 * sql_scru160_ops.c
 *		Order and hash scru160: operators, support functions of the operator
 *		classes, transition functions of min and max.
 *
 * The order is memcmp of the 20 bytes.  Equal ids have equal bytes, so btree
 * may deduplicate (btequalimage).
 */
#include "postgres.h"

#include "pg/compat.h"

#include "common/hashfn.h"
#include "fmgr.h"

#include "pg/sql_scru160.h"

static inline int
compare_args(FunctionCallInfo fcinfo)
{
	return flake_scru160_compare(flakeid_getarg_scru160_bytes(fcinfo, 0),
								 flakeid_getarg_scru160_bytes(fcinfo, 1));
}

PG_FUNCTION_INFO_V1(flakeid_scru160_eq);
Datum
flakeid_scru160_eq(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(compare_args(fcinfo) == 0);
}

PG_FUNCTION_INFO_V1(flakeid_scru160_ne);
Datum
flakeid_scru160_ne(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(compare_args(fcinfo) != 0);
}

PG_FUNCTION_INFO_V1(flakeid_scru160_lt);
Datum
flakeid_scru160_lt(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(compare_args(fcinfo) < 0);
}

PG_FUNCTION_INFO_V1(flakeid_scru160_le);
Datum
flakeid_scru160_le(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(compare_args(fcinfo) <= 0);
}

PG_FUNCTION_INFO_V1(flakeid_scru160_gt);
Datum
flakeid_scru160_gt(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(compare_args(fcinfo) > 0);
}

PG_FUNCTION_INFO_V1(flakeid_scru160_ge);
Datum
flakeid_scru160_ge(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(compare_args(fcinfo) >= 0);
}

/* scru160_cmp(scru160, scru160) -> integer: below, equal to or above 0 */
PG_FUNCTION_INFO_V1(flakeid_scru160_cmp);
Datum
flakeid_scru160_cmp(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT32(compare_args(fcinfo));
}

/* scru160_smaller(scru160, scru160), scru160_larger(...) -> scru160 */
PG_FUNCTION_INFO_V1(flakeid_scru160_smaller);
Datum
flakeid_scru160_smaller(PG_FUNCTION_ARGS)
{
	PG_RETURN_DATUM(PG_GETARG_DATUM(compare_args(fcinfo) <= 0 ? 0 : 1));
}

PG_FUNCTION_INFO_V1(flakeid_scru160_larger);
Datum
flakeid_scru160_larger(PG_FUNCTION_ARGS)
{
	PG_RETURN_DATUM(PG_GETARG_DATUM(compare_args(fcinfo) >= 0 ? 0 : 1));
}

/* scru160_hash(scru160) -> integer */
PG_FUNCTION_INFO_V1(flakeid_scru160_hash);
Datum
flakeid_scru160_hash(PG_FUNCTION_ARGS)
{
	return hash_any(flakeid_getarg_scru160_bytes(fcinfo, 0),
					FLAKE_SCRU160_BYTES);
}

/* scru160_hash_extended(scru160, bigint) -> bigint: with a seed, 64 bits */
PG_FUNCTION_INFO_V1(flakeid_scru160_hash_extended);
Datum
flakeid_scru160_hash_extended(PG_FUNCTION_ARGS)
{
	return hash_any_extended(flakeid_getarg_scru160_bytes(fcinfo, 0),
							 FLAKE_SCRU160_BYTES,
							 (uint64) PG_GETARG_INT64(1));
}
