/*
 * clock.c
 *		Instants to and from timestamptz.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "common/int.h"

#include "pg/clock.h"

/*
 * The infinities and the last years of timestamptz come out at the ends of 64
 * bits of microseconds, which lie outside every field: so they are refused
 * like any other instant that does not fit.
 */
FlakeInstant
flakeid_instant_from_timestamptz(TimestampTz ts)
{
	int64		unix_us;

	if (TIMESTAMP_IS_NOBEGIN(ts))
		unix_us = PG_INT64_MIN;
	else if (pg_add_s64_overflow(ts, FLAKEID_PG_EPOCH_UNIX_US, &unix_us))
		unix_us = PG_INT64_MAX;
	return flake_instant_from_unix_us(unix_us);
}

/* Cut down to the microsecond; for messages, so wrong years do not matter. */
TimestampTz
flakeid_timestamptz_from_instant(FlakeInstant instant)
{
	int64		unix_us = instant.unix_s * USECS_PER_SEC +
		instant.ns_in_s / 1000;

	return flakeid_timestamptz_from_unix_us(unix_us);
}
