/*
 * clock.h
 *		The clock of every generator: CLOCK_REALTIME, read per id.
 */
#ifndef FLAKEID_PG_CLOCK_H
#define FLAKEID_PG_CLOCK_H

#include <time.h>

#include "datatype/timestamp.h"

#include "format/instant.h"

/* Microseconds between 1970 and timestamptz's own epoch, 2000. */
#define FLAKEID_PG_EPOCH_UNIX_US \
	((int64) (POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE) * USECS_PER_DAY)

static inline FlakeInstant
flakeid_clock_now(void)
{
	struct timespec now;

	(void) clock_gettime(CLOCK_REALTIME, &now);
	return (FlakeInstant) {.unix_s = now.tv_sec,
							 .ns_in_s = (uint32) now.tv_nsec};
}

extern TimestampTz flakeid_timestamptz_from_unix_ms(int64 unix_ms);
extern FlakeInstant flakeid_instant_from_timestamptz(TimestampTz ts);
extern TimestampTz flakeid_timestamptz_from_instant(FlakeInstant instant);
extern char *flakeid_epoch_text(int64 unix_ms);

/* The timestamptz of microseconds since 1970 that lie in some id's field. */
static inline TimestampTz
flakeid_timestamptz_from_unix_us(int64 unix_us)
{
	return unix_us - FLAKEID_PG_EPOCH_UNIX_US;
}

#endif							/* FLAKEID_PG_CLOCK_H */
