/*
 * baseline.c
 *		Lower bounds of a generator's cost: C functions that return a constant,
 *		that read the clock and return a constant, and that also copy 8 random
 *		bytes, drawn in large blocks, which costs least.  Also a UUIDv7 that
 *		draws new random bytes in each call.
 *
 * Built and used by the benchmarks only.
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

PG_FUNCTION_INFO_V1(baseline_uuid_clock_random);
Datum
baseline_uuid_clock_random(PG_FUNCTION_ARGS)
{
	static uint64 block[2048];
	static int	used = lengthof(block);
	pg_uuid_t  *uuid = palloc(sizeof(pg_uuid_t));
	struct timespec now;

	(void) clock_gettime(CLOCK_REALTIME, &now);
	if (used == lengthof(block))
	{
		if (!pg_strong_random(block, sizeof(block)))
			elog(ERROR, "could not generate random values");
		used = 0;
	}
	memset(uuid->data, 0x7f, 8);
	memcpy(uuid->data + 8, &block[used++], 8);
	return UUIDPGetDatum(uuid);
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

/*
 * 48 bits of milliseconds and ten random bytes: no order within a millisecond
 */
PG_FUNCTION_INFO_V1(baseline_uuid_v7_ms);
Datum
baseline_uuid_v7_ms(PG_FUNCTION_ARGS)
{
	pg_uuid_t  *uuid = palloc(sizeof(pg_uuid_t));
	struct timespec now;
	uint64		unix_ts_ms;

	(void) clock_gettime(CLOCK_REALTIME, &now);
	unix_ts_ms = (uint64) now.tv_sec * 1000 + now.tv_nsec / 1000000;
	for (int i = 0; i < 6; i++)
		uuid->data[i] = (unsigned char) (unix_ts_ms >> (40 - 8 * i));
	if (!pg_strong_random(uuid->data + 6, UUID_LEN - 6))
		ereport(ERROR,
				(errcode(ERRCODE_INTERNAL_ERROR),
				 errmsg("could not generate random values")));
	uuid->data[6] = (uuid->data[6] & 0x0f) | 0x70;
	uuid->data[8] = (uuid->data[8] & 0x3f) | 0x80;
	return UUIDPGetDatum(uuid);
}
