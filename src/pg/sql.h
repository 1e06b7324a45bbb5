/*
 * sql.h
 *		Entry points, arguments, results and errors of the SQL functions.
 */
#ifndef FLAKEID_PG_SQL_H
#define FLAKEID_PG_SQL_H

#include "access/htup.h"
#include "access/tupdesc.h"
#include "fmgr.h"
#include "utils/timestamp.h"
#include "utils/uuid.h"

#include "format/flake.h"
#include "format/scru160.h"
#include "format/uuid.h"
#include "pg/clock.h"

/* Begin the C function of an SQL function. */
#define FLAKEID_ENTRY(name) \
	PG_FUNCTION_INFO_V1(flakeid_##name); \
	Datum \
	flakeid_##name(PG_FUNCTION_ARGS)

/* Define it with one expression as its body. */
#define FLAKEID_FUNCTION(name, result) \
	FLAKEID_ENTRY(name) \
	{ \
		return (result); \
	} \
	extern int	no_such_variable

extern char *flakeid_epoch_text(int64 unix_ms);
extern char *flakeid_uuid_text(Datum uuid);
extern FlakeInstant flakeid_instant_from_timestamptz(TimestampTz ts);
extern TimestampTz flakeid_timestamptz_from_unix_ms(int64 unix_ms);
extern void flakeid_check_instant(FlakeStatus status, const char *format,
								  const FlakeTimeField *field, TimestampTz ts);
extern void flakeid_check_ms(FlakeStatus status, const FlakeLayout *layout,
							 int64 epoch_ms, uint64 last_ms, TimestampTz ts);
extern FlakeUuid flakeid_getarg_version(FunctionCallInfo fcinfo, int version,
										int or_version, const char *format);
extern uint64 flakeid_check_id(FlakeFormat format, int64 id);
extern uint64 flakeid_check_field(int64 value, const char *what, uint64 last);
extern void flakeid_check_bytes(const bytea *value, const char *what,
								unsigned width);
extern int64 flakeid_getarg_epoch_ms(FunctionCallInfo fcinfo,
									 FlakeFormat format);
extern HeapTuple flakeid_form_row(TupleDesc desc, const Oid *types,
								  int columns, const Datum *values,
								  const bool *nulls);
pg_noreturn extern void flakeid_refuse_clock(const char *format,
											 const FlakeTimeField *field,
											 FlakeInstant now);

/* The step must have generated an id.  Called for every id. */
static inline void
flakeid_check_clock(FlakeRule rule, const char *format,
					const FlakeTimeField *field, FlakeInstant now)
{
	if (unlikely(rule == FLAKE_RULE_BEFORE_FIELD ||
				 rule == FLAKE_RULE_BEYOND_FIELD))
		flakeid_refuse_clock(format, field, now);
}

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

/* A scru160 is 20 bytes passed by reference, without alignment. */
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

/* A bytea or a text of these bytes. */
static inline Datum
flakeid_varlena_datum(const void *bytes, size_t size)
{
	bytea	   *result = palloc(VARHDRSZ + size);

	SET_VARSIZE(result, VARHDRSZ + size);
	memcpy(VARDATA(result), bytes, size);
	return PointerGetDatum(result);
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

	flake_store_be64(bytes, value);
	return flakeid_varlena_datum(bytes + sizeof(bytes) - size, size);
}

/* The n-th argument, a field of this width; else 22023. */
static inline uint32
flakeid_getarg_field(FunctionCallInfo fcinfo, int n, const char *what,
					 unsigned width)
{
	return (uint32) flakeid_check_field(PG_GETARG_INT32(n), what,
										flake_mask(width));
}

static inline FlakeInstant
flakeid_getarg_instant(FunctionCallInfo fcinfo, int n)
{
	return flakeid_instant_from_timestamptz(PG_GETARG_TIMESTAMPTZ(n));
}

#endif							/* FLAKEID_PG_SQL_H */
