/*
 * flakeid.c
 *		The module itself: magic block and nothing to set up.
 *
 * src/format holds the id formats in plain C, src/pg what ties them to the
 * server.  The arrow goes one way:
 *
 *		sql_* -> {clock, entropy} -> format		(error beside the first two)
 */
#include "postgres.h"

#include "pg/compat.h"

#include "fmgr.h"

FLAKEID_MODULE_MAGIC;
