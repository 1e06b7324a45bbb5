/*
 * clock.c
 *		Convert instants to and from timestamptz, and to text.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "common/int.h"
#include "miscadmin.h"
#include "utils/datetime.h"
#include "utils/timestamp.h"

#include "pg/clock.h"

/*
 * Infinities map to instants outside every field, with any epoch, so that they
 * are refused like other instants that do not fit.  The last years of
 * timestamptz would overflow 64 bits of microseconds since 1970, but do not
 * overflow seconds.
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

/* unix_ms as timestamptz; infinity if beyond its range. */
TimestampTz
flakeid_timestamptz_from_unix_ms(int64 unix_ms)
{
	int64		pg_ms = unix_ms - FLAKEID_PG_EPOCH_UNIX_US / 1000;
	TimestampTz ts;

	if (pg_mul_s64_overflow(pg_ms, 1000, &ts) || !IS_VALID_TIMESTAMP(ts))
		return DT_NOEND;
	return ts;
}

/* Truncated to microseconds; for messages only. */
TimestampTz
flakeid_timestamptz_from_instant(FlakeInstant instant)
{
	int64		unix_us = instant.unix_s * USECS_PER_SEC +
		instant.ns_in_s / 1000;

	return flakeid_timestamptz_from_unix_us(unix_us);
}

/* An epoch as text in UTC, independent of TimeZone and DateStyle. */
char *
flakeid_epoch_text(int64 unix_ms)
{
	TimestampTz ts = flakeid_timestamptz_from_unix_us(unix_ms * 1000);
	char		text[MAXDATELEN + 1];
	struct pg_tm tm;
	fsec_t		fsec;

	if (timestamp2tm(ts, NULL, &tm, &fsec, NULL, NULL) != 0)
		return psprintf(INT64_FORMAT " ms", unix_ms);
	tm.tm_isdst = 0;			/* known; otherwise the offset is omitted */
	EncodeDateTime(&tm, fsec, true, 0, NULL, USE_ISO_DATES, text);
	return pstrdup(text);
}
