/*
 * instant.h
 *		Instants, and the time fields that hold them.
 *
 * An instant is seconds and nanoseconds since 1970-01-01 00:00:00 UTC, as
 * clock_gettime() gives it: wide enough for every field of every format.  A
 * time field counts ticks of one length from its own epoch; which ones is a
 * row of constants (doc/formats.md, section 1).  An instant is truncated to the
 * tick it lies in and never wrapped: outside the field it is refused.
 *
 * Everything here is inline, so that a row known at compile time costs a
 * multiplication and not a division.
 */
#ifndef FLAKEID_FORMAT_INSTANT_H
#define FLAKEID_FORMAT_INSTANT_H

#include <stdint.h>

#include "format/status.h"

#define FLAKE_NS_PER_S	UINT64_C(1000000000)
#define FLAKE_US_PER_S	INT64_C(1000000)
#define FLAKE_NS_PER_MS	UINT32_C(1000000)

/* Seconds may be negative; ns_in_s is 0 .. 999,999,999 and counts forward. */
typedef struct FlakeInstant
{
	int64_t		unix_s;
	uint32_t	ns_in_s;
} FlakeInstant;

typedef struct FlakeTimeField
{
	int64_t		epoch_s;		/* tick 0, in seconds since 1970 */
	uint64_t	ticks_per_s;	/* a divisor of 10^9 */
	uint64_t	last_tick;		/* greatest tick the field holds */
	uint64_t	first_tick;		/* least one, where 0 is reserved */
} FlakeTimeField;

/* The instant of a number of microseconds since 1970, which may be negative. */
static inline FlakeInstant
flake_instant_from_unix_us(int64_t unix_us)
{
	int64_t		us_in_s = unix_us % FLAKE_US_PER_S;
	FlakeInstant instant = {.unix_s = unix_us / FLAKE_US_PER_S};

	if (us_in_s < 0)
	{
		us_in_s += FLAKE_US_PER_S;
		instant.unix_s--;
	}
	instant.ns_in_s = (uint32_t) us_in_s * 1000;
	return instant;
}

/*
 * The tick of the field in which the instant lies; BEFORE_FIELD or
 * BEYOND_FIELD when there is none.
 */
static inline FlakeStatus
flake_instant_to_ticks(const FlakeTimeField *field,
					   FlakeInstant instant, uint64_t *ticks)
{
	uint64_t	whole_s;
	uint64_t	part;

	if (instant.unix_s < field->epoch_s)
		return FLAKE_BEFORE_FIELD;
	whole_s = (uint64_t) instant.unix_s - (uint64_t) field->epoch_s;
	if (whole_s > field->last_tick / field->ticks_per_s)
		return FLAKE_BEYOND_FIELD;
	part = instant.ns_in_s / (FLAKE_NS_PER_S / field->ticks_per_s);
	if (part > field->last_tick - whole_s * field->ticks_per_s)
		return FLAKE_BEYOND_FIELD;
	*ticks = whole_s * field->ticks_per_s + part;
	return *ticks < field->first_tick ? FLAKE_BEFORE_FIELD : FLAKE_OK;
}

/* Microseconds since 1970 at the start of the tick, truncated (floor). */
static inline int64_t
flake_ticks_to_unix_us(const FlakeTimeField *field, uint64_t ticks)
{
	uint64_t	whole_s = ticks / field->ticks_per_s;
	uint64_t	part = ticks % field->ticks_per_s;
	uint64_t	part_ns = part * (FLAKE_NS_PER_S / field->ticks_per_s);

	return (field->epoch_s + (int64_t) whole_s) * FLAKE_US_PER_S +
		(int64_t) (part_ns / 1000);
}

#endif							/* FLAKEID_FORMAT_INSTANT_H */
