/*
 * baseline.c
 *		What a generator cannot be cheaper than: C functions that return a
 *		constant, and that read the clock and return a constant.
 *
 * Built and used by bench/generate alone.
 */
#include "postgres.h"

#include <time.h>

#include "fmgr.h"
#include "utils/uuid.h"

PG_MODULE_MAGIC;

static Datum
constant_uuid(void)
{
	pg_uuid_t  *uuid = palloc(sizeof(pg_uuid_t));

	memset(uuid->data, 0x7f, UUID_LEN);
	return UUIDPGetDatum(uuid);
}

PG_FUNCTION_INFO_V1(baseline_uuid);
Datum
baseline_uuid(PG_FUNCTION_ARGS)
{
	return constant_uuid();
}

PG_FUNCTION_INFO_V1(baseline_uuid_clock);
Datum
baseline_uuid_clock(PG_FUNCTION_ARGS)
{
	struct timespec now;

	(void) clock_gettime(CLOCK_REALTIME, &now);
	return constant_uuid();
}

PG_FUNCTION_INFO_V1(baseline_bigint);
Datum
baseline_bigint(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT64(42);
}

PG_FUNCTION_INFO_V1(baseline_bigint_clock);
Datum
baseline_bigint_clock(PG_FUNCTION_ARGS)
{
	struct timespec now;

	(void) clock_gettime(CLOCK_REALTIME, &now);
	PG_RETURN_INT64(42);
}
