/*
 * scru160.h
 *		scru160 arguments and results of the SQL functions.
 *
 * A scru160 is 20 bytes passed by reference, without alignment, so it is read
 * and written bytewise.
 */
#ifndef FLAKEID_PG_SCRU160_H
#define FLAKEID_PG_SCRU160_H

#include "fmgr.h"

#include "format/scru160.h"

static inline const unsigned char *
flakeid_getarg_scru160_bytes(FunctionCallInfo fcinfo, int n)
{
	return (const unsigned char *) PG_GETARG_POINTER(n);
}

static inline FlakeScru160
flakeid_getarg_scru160(FunctionCallInfo fcinfo, int n)
{
	return flake_scru160_unpack(flakeid_getarg_scru160_bytes(fcinfo, n));
}

static inline Datum
flakeid_scru160_datum(FlakeScru160 id)
{
	unsigned char *bytes = palloc(FLAKE_SCRU160_BYTES);

	flake_scru160_pack(bytes, id);
	return PointerGetDatum(bytes);
}

#endif							/* FLAKEID_PG_SCRU160_H */
