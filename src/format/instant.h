/*
 * instant.h
 *		Instants, and the time fields that store them.
 *
 * An instant is seconds and nanoseconds since 1970-01-01 00:00:00 UTC, as
 * returned by clock_gettime(); its range covers the fields of all formats.  A
 * time field counts ticks of fixed length from its epoch and is described by a
 * FlakeTimeField (doc/internals/formats.md, section 1).  Instants are truncated to a
 * tick and never wrap around: outside the field they are refused.
 *
 * Everything here is inline, so that the compiler turns division by a constant
 * of a row into multiplication.
 */
#ifndef FLAKEID_FORMAT_INSTANT_H
#define FLAKEID_FORMAT_INSTANT_H

#include <stdint.h>

#include "format/status.h"

#define FLAKE_NS_PER_S	UINT64_C(1000000000)
#define FLAKE_US_PER_S	INT64_C(1000000)
#define FLAKE_NS_PER_MS	UINT32_C(1000000)

/* unix_s may be negative; ns_in_s is always 0 .. 999,999,999. */
typedef struct FlakeInstant
{
	int64_t		unix_s;
	uint32_t	ns_in_s;
} FlakeInstant;

typedef struct FlakeTimeField
{
	int64_t		epoch_s;		/* tick 0, in seconds since 1970 */
	uint64_t	ticks_per_s;	/* a divisor of 10^9 */
	uint64_t	last_tick;		/* largest tick of the field */
	uint64_t	first_tick;		/* smallest tick; 1 if 0 is reserved */
} FlakeTimeField;

/* Instant from microseconds since 1970, which may be negative. */
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
 * Tick of the field that contains the instant; BEFORE_FIELD or BEYOND_FIELD if
 * there is none.
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
