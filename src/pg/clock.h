/*
 * clock.h
 *		The clock of all generators: CLOCK_REALTIME, read for every id.
 */
#ifndef FLAKEID_PG_CLOCK_H
#define FLAKEID_PG_CLOCK_H

#include <time.h>

#include "datatype/timestamp.h"
#include "portability/instr_time.h"

#include "format/flake.h"

/* Windows has this clock under the name of C11, with ticks of 100 ns. */
#ifdef WIN32
#define clock_gettime(clock, now) timespec_get((now), TIME_UTC)
#endif

/* Microseconds from 1970 to 2000, the epoch of timestamptz. */
#define FLAKEID_PG_EPOCH_UNIX_US \
	((int64) (POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE) * USECS_PER_DAY)

static inline FlakeInstant
flakeid_clock_now(void)
{
	struct timespec now;
	FlakeInstant instant;

	(void) clock_gettime(CLOCK_REALTIME, &now);
	instant.unix_s = now.tv_sec;
	instant.ns_in_s = (uint32) now.tv_nsec;
	return instant;
}

/* A clock that cannot be set */
static inline int64
flakeid_monotonic_us(void)
{
	instr_time	now;

	INSTR_TIME_SET_CURRENT(now);
	return (int64) INSTR_TIME_GET_MICROSEC(now);
}

/* Time until the clock reaches a millisecond, in us; negative after it. */
static inline int64
flakeid_until_us(int64 unix_ms)
{
	FlakeInstant now = flakeid_clock_now();

	return (unix_ms - flake_unix_ms(now)) * 1000 -
		now.ns_in_s % FLAKE_NS_PER_MS / 1000;
}

/* unix_us must lie within the time field of a format. */
static inline TimestampTz
flakeid_timestamptz_from_unix_us(int64 unix_us)
{
	return unix_us - FLAKEID_PG_EPOCH_UNIX_US;
}

/* Truncated to microseconds; for messages only. */
static inline TimestampTz
flakeid_timestamptz_from_instant(FlakeInstant instant)
{
	return flakeid_timestamptz_from_unix_us(instant.unix_s * USECS_PER_SEC +
											instant.ns_in_s / 1000);
}

#endif							/* FLAKEID_PG_CLOCK_H */
