/*
 * uuid.h
 *		uuid arguments and results of the SQL functions; the draft's layouts.
 */
#ifndef FLAKEID_PG_UUID_H
#define FLAKEID_PG_UUID_H

#include "fmgr.h"
#include "utils/uuid.h"

#include "format/base.h"
#include "format/uuid.h"
#include "format/uuid_draft.h"
#include "pg/error.h"

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

/* A field as bytea: right-aligned in the fewest bytes. */
static inline uint64
flakeid_getarg_bytes(FunctionCallInfo fcinfo, int n, const char *what,
					 unsigned width)
{
	bytea	   *value = PG_GETARG_BYTEA_PP(n);
	unsigned char bytes[sizeof(uint64)] = {0};
	size_t		size = (width + 7) / 8;

	flakeid_check_bytes(value, what, width);
	memcpy(bytes + sizeof(bytes) - size, VARDATA_ANY(value), size);
	return flake_load_be64(bytes);
}

static inline Datum
flakeid_bytes_datum(uint64 value, unsigned width)
{
	unsigned char bytes[sizeof(uint64)];
	size_t		size = (width + 7) / 8;
	bytea	   *result = palloc(VARHDRSZ + size);

	flake_store_be64(bytes, value);
	SET_VARSIZE(result, VARHDRSZ + size);
	memcpy(VARDATA(result), bytes + sizeof(bytes) - size, size);
	return PointerGetDatum(result);
}

extern const FlakeDraftLayout *flakeid_v7_draft_layout(const text *unit);
extern const FlakeDraftLayout *flakeid_v8_layout(int32 timestamp_bits);

#endif							/* FLAKEID_PG_UUID_H */
