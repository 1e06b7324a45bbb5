/*
 * clock.c
 *		Instants to and from timestamptz.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "common/int.h"

#include "pg/clock.h"

/*
 * The infinities come out so far away that they lie outside every field, by
 * any epoch: so they are refused like any other instant that does not fit.
 * The last years of timestamptz would overflow 64 bits of microseconds since
 * 1970, but seconds do not.
 */
FlakeInstant
flakeid_instant_from_timestamptz(TimestampTz ts)
{
	FlakeInstant instant;

	if (TIMESTAMP_IS_NOBEGIN(ts))
		return (FlakeInstant) {.unix_s = PG_INT64_MIN / 1000};
	if (TIMESTAMP_IS_NOEND(ts))
		return (FlakeInstant) {.unix_s = PG_INT64_MAX / 1000 - 1};
	instant = flake_instant_from_unix_us(ts);
	instant.unix_s += FLAKEID_PG_EPOCH_UNIX_US / USECS_PER_SEC;
	return instant;
}

/*
 * The timestamptz of a millisecond since 1970, which is not before its first
 * year; infinity after its last.
 */
TimestampTz
flakeid_timestamptz_from_unix_ms(int64 unix_ms)
{
	int64		pg_ms = unix_ms - FLAKEID_PG_EPOCH_UNIX_US / 1000;
	TimestampTz ts;

	if (pg_mul_s64_overflow(pg_ms, 1000, &ts) || !IS_VALID_TIMESTAMP(ts))
		return DT_NOEND;
	return ts;
}

/* Cut down to the microsecond; for messages, so wrong years do not matter. */
TimestampTz
flakeid_timestamptz_from_instant(FlakeInstant instant)
{
	int64		unix_us = instant.unix_s * USECS_PER_SEC +
		instant.ns_in_s / 1000;

	return flakeid_timestamptz_from_unix_us(unix_us);
}
