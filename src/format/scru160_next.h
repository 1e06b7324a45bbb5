/*
 * scru160_next.h
 *		The generator step of SCRU160, in both usages of the counter.
 *
 * A usage divides ms << 16 | counter into a tick, taken from the clock, and a
 * count, which starts at random in a new tick:
 *
 *		plain		tick: ms 48				count 16, starts at 15 bits
 *		us			tick: ms 48, us 10		count 6, starts at 5 bits
 *
 * Both usages share the newest id, and each generates a larger one.  Inline,
 * with a constant usage, for the reasons given in uuid_next.h.
 */
#ifndef FLAKEID_FORMAT_SCRU160_NEXT_H
#define FLAKEID_FORMAT_SCRU160_NEXT_H

#include <stdbool.h>

#include "format/bits.h"
#include "format/scru160.h"

static inline unsigned
flake_scru160_count_bits(FlakeScru160Usage usage)
{
	return FLAKE_SCRU160_COUNTER_BITS -
		(usage == FLAKE_SCRU160_US ? FLAKE_SCRU160_US_BITS : 0);
}

static inline FlakeStatus
flake_scru160_clock_tick(FlakeScru160Usage usage, FlakeInstant now,
						 uint64_t *tick)
{
	uint64_t	us_in_ms = now.ns_in_s % FLAKE_NS_PER_MS / 1000;
	FlakeStatus status = flake_instant_to_ticks(&flake_scru160_made_field,
												now, tick);

	if (usage == FLAKE_SCRU160_US)
		*tick = *tick << FLAKE_SCRU160_US_BITS | us_in_ms;
	return status;
}

/* Above 999 us?  A plain counter can leave the bits there. */
static inline bool
flake_scru160_is_past_last_us(FlakeScru160Usage usage, uint64_t tick)
{
	return usage == FLAKE_SCRU160_US &&
		(tick & flake_mask(FLAKE_SCRU160_US_BITS)) > FLAKE_SCRU160_LAST_US;
}

/* The tick after this one. */
static inline uint64_t
flake_scru160_next_tick(FlakeScru160Usage usage, uint64_t tick)
{
	if (flake_scru160_is_past_last_us(usage, tick) ||
		flake_scru160_is_past_last_us(usage, tick + 1))
		return ((tick >> FLAKE_SCRU160_US_BITS) + 1) << FLAKE_SCRU160_US_BITS;
	return tick + 1;
}

/* Continue from the newest id, ignoring the clock: count, or take a new tick. */
static inline FlakeRule
flake_scru160_go_on(FlakeScru160Usage usage, uint64_t *stamp, uint64_t start)
{
	const unsigned width = flake_scru160_count_bits(usage);
	uint64_t	tick = *stamp >> width;

	if ((*stamp & flake_mask(width)) < flake_mask(width) &&
		!flake_scru160_is_past_last_us(usage, tick))
	{
		++*stamp;
		return FLAKE_RULE_COUNTER_INC;
	}
	tick = flake_scru160_next_tick(usage, tick);
	*stamp = tick << width | start;
	return *stamp >> FLAKE_SCRU160_COUNTER_BITS >
		flake_scru160_made_field.last_tick ?
		FLAKE_RULE_BEYOND_FIELD : FLAKE_RULE_TICK_INC;
}

/*
 * Generate an id greater than the newest one.  A new tick restarts the count.
 * In the same tick, or with the clock behind, the count is incremented; when
 * it is used up, the next tick is taken (doc/internals/formats.md, section 9).
 * random_high and the low half of random_low are the random bits of the id;
 * the high half of random_low initializes the count.
 *
 * Refused, leaving the state unchanged: a clock beyond the field, or before it
 * if there is no previous id, and a tick past the last millisecond.
 */
static inline FlakeRule
flake_scru160_next(FlakeScru160State *state, FlakeScru160Usage usage,
				   FlakeInstant now, uint64_t random_high,
				   uint64_t random_low, FlakeScru160 *id)
{
	const unsigned width = flake_scru160_count_bits(usage);
	const uint64_t start = random_low >> 32 & flake_mask(width - 1);
	uint64_t	tick = 0;
	uint64_t	stamp = state->stamp;
	FlakeRule	rule = FLAKE_RULE_NEW_TICK;
	FlakeStatus status = flake_scru160_clock_tick(usage, now, &tick);

	if (status == FLAKE_BEYOND_FIELD ||
		(status == FLAKE_BEFORE_FIELD && stamp == 0))
		return flake_rule_refusal(status);
	if (status == FLAKE_OK && tick > stamp >> width)
		stamp = tick << width | start;
	else
		rule = flake_scru160_go_on(usage, &stamp, start);
	if (rule == FLAKE_RULE_BEYOND_FIELD)
		return rule;
	state->stamp = stamp;
	id->stamp = stamp;
	id->random_high = random_high;
	id->random_low = (uint32_t) random_low;
	return rule;
}

/*
 * Id of the instant, independent of any state: all bits of its count are
 * random.  Reserved milliseconds are refused as outside the field.
 */
static inline FlakeStatus
flake_scru160_fill(FlakeScru160Usage usage, FlakeInstant instant,
				   uint64_t random_high, uint64_t random_low,
				   FlakeScru160 *id)
{
	const unsigned width = flake_scru160_count_bits(usage);
	uint64_t	tick = 0;
	FlakeStatus status = flake_scru160_clock_tick(usage, instant, &tick);

	id->stamp = tick << width | (random_low >> 32 & flake_mask(width));
	id->random_high = random_high;
	id->random_low = (uint32_t) random_low;
	return status;
}

#endif							/* FLAKEID_FORMAT_SCRU160_NEXT_H */
