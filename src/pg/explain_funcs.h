/*
 * explain_funcs.h
 *		The fields of a 64-bit id, for <format>_explain.
 */
#ifndef FLAKEID_PG_EXPLAIN_FUNCS_H
#define FLAKEID_PG_EXPLAIN_FUNCS_H

#include "fmgr.h"

#include "format/flake.h"

extern Datum flakeid_explain_flake(FunctionCallInfo fcinfo,
								   FlakeFormat format);

#endif							/* FLAKEID_PG_EXPLAIN_FUNCS_H */
