/*
 * sql_uuid.h
 *		uuid arguments and results of the SQL functions.
 */
#ifndef FLAKEID_PG_SQL_UUID_H
#define FLAKEID_PG_SQL_UUID_H

#include "fmgr.h"
#include "utils/uuid.h"

#include "format/uuid.h"

static inline FlakeUuid
flakeid_getarg_uuid(FunctionCallInfo fcinfo, int n)
{
	return flake_uuid_load(PG_GETARG_UUID_P(n)->data);
}

static inline Datum
flakeid_uuid_datum(FlakeUuid uuid)
{
	pg_uuid_t  *result = palloc(sizeof(pg_uuid_t));

	flake_uuid_store(result->data, uuid);
	return UUIDPGetDatum(result);
}

#endif							/* FLAKEID_PG_SQL_UUID_H */
