/*
 * scru160.h
 *		SCRU160 v0.1.0: fields, bounds, generator step.
 *
 *	 0               48         64         80                         160
 *	+----------------+----------+----------+-----------------------------+
 *	| unix ms: 48    |counter 16|random 16 |          random 80          |
 *	+----------------+----------+----------+-----------------------------+
 *
 * 20 bytes, big-endian, ordered by memcmp (doc/internals/formats.md, section
 * 9).  The generator step divides ms << 16 | counter into a tick, taken from
 * the clock, and a count, which starts at random, with the high bit 0, in a
 * new tick.  With microseconds, the 10 high bits of the counter belong to the
 * tick.  The step is inline, with a constant usage, for the reason given in
 * uuid.h.
 */
#ifndef FLAKEID_FORMAT_SCRU160_H
#define FLAKEID_FORMAT_SCRU160_H

#include "format/base.h"

#define FLAKE_SCRU160_BYTES			20
#define FLAKE_SCRU160_RANDOM_BYTES		12
#define FLAKE_SCRU160_BASE32HEX_DIGITS	32
#define FLAKE_SCRU160_HEX_DIGITS		40
#define FLAKE_SCRU160_COUNTER_BITS		16

/* With microseconds: width and maximum of the microsecond in the counter. */
#define FLAKE_SCRU160_US_BITS			10
#define FLAKE_SCRU160_LAST_US			999

typedef struct FlakeScru160
{
	uint64_t	stamp;			/* ms << 16 | counter */
	uint64_t	random_high;	/* the next 64 bits */
	uint32_t	random_low;		/* the last 32 */
} FlakeScru160;

/* Milliseconds since 1970: the range of an id ... */
static const FlakeTimeField flake_scru160_field = {
	.ticks_per_s = 1000,
	.last_tick = (UINT64_C(1) << 48) - 1,
};

/* ... and that of a generator: the first and last values are reserved. */
static const FlakeTimeField flake_scru160_generated_field = {
	.ticks_per_s = 1000,
	.first_tick = 1,
	.last_tick = (UINT64_C(1) << 48) - 2,
};

/* How a generator uses the counter. */
typedef enum FlakeScru160Usage
{
	FLAKE_SCRU160_PLAIN,
	FLAKE_SCRU160_US,
} FlakeScru160Usage;

/* Newest id of a process, of one usage; 0 before the first id. */
typedef struct FlakeScru160State
{
	uint64_t	stamp;			/* ms << 16 | counter */
} FlakeScru160State;

static inline int
flake_scru160_compare(const unsigned char *a, const unsigned char *b)
{
	return memcmp(a, b, FLAKE_SCRU160_BYTES);
}

static inline FlakeScru160
flake_scru160_unpack(const unsigned char *bytes)
{
	FlakeScru160 id = {
		.stamp = flake_load_be64(bytes),
		.random_high = flake_load_be64(bytes + 8),
		.random_low = flake_load_be32(bytes + 16),
	};

	return id;
}

static inline void
flake_scru160_pack(unsigned char *bytes, FlakeScru160 id)
{
	flake_store_be64(bytes, id.stamp);
	flake_store_be64(bytes + 8, id.random_high);
	flake_store_be32(bytes + 16, id.random_low);
}

extern uint64_t flake_scru160_unix_ms(FlakeScru160 id);
extern int64_t flake_scru160_unix_us(FlakeScru160 id);
extern uint32_t flake_scru160_counter(FlakeScru160 id);
extern uint32_t flake_scru160_counter_us(FlakeScru160 id);
extern FlakeStatus flake_scru160_us_unix_us(FlakeScru160 id, int64_t *unix_us);

/* The last 96 bits. */
static inline const unsigned char *
flake_scru160_random(const unsigned char *bytes)
{
	return bytes + FLAKE_SCRU160_BYTES - FLAKE_SCRU160_RANDOM_BYTES;
}

extern FlakeScru160 flake_scru160_from_parts(uint64_t unix_ms,
											 uint32_t counter,
											 const unsigned char *random);
extern FlakeScru160 flake_scru160_min(FlakeInstant instant);

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
	FlakeStatus status = flake_instant_to_ticks(&flake_scru160_generated_field,
												now, tick);

	if (usage == FLAKE_SCRU160_US)
		*tick = *tick << FLAKE_SCRU160_US_BITS | us_in_ms;
	return status;
}

/*
 * The tick after this one; after 999 us, the first one of the next
 * millisecond.
 */
static inline uint64_t
flake_scru160_next_tick(FlakeScru160Usage usage, uint64_t tick)
{
	if (usage == FLAKE_SCRU160_US &&
		(tick & flake_mask(FLAKE_SCRU160_US_BITS)) == FLAKE_SCRU160_LAST_US)
		return ((tick >> FLAKE_SCRU160_US_BITS) + 1) << FLAKE_SCRU160_US_BITS;
	return tick + 1;
}

/*
 * Continue from the newest id, whatever the clock shows: count up, or take a
 * new tick.
 */
static inline FlakeRule
flake_scru160_go_on(FlakeScru160Usage usage, uint64_t *stamp, uint64_t start)
{
	const unsigned width = flake_scru160_count_bits(usage);

	if ((*stamp & flake_mask(width)) < flake_mask(width))
	{
		++*stamp;
		return FLAKE_RULE_COUNTER_INC;
	}
	*stamp = flake_scru160_next_tick(usage, *stamp >> width) << width | start;
	return *stamp >> FLAKE_SCRU160_COUNTER_BITS >
		flake_scru160_generated_field.last_tick ?
		FLAKE_RULE_BEYOND_FIELD : FLAKE_RULE_TICK_INC;
}

/*
 * Generate an id greater than the newest one.  A new tick restarts the count.
 * In the same tick, or if the clock is behind, the count is incremented.  When
 * it is used up, the id takes the next tick (doc/internals/formats.md, section
 * 9).  random_high and the low half of random_low are the random bits of the
 * id; the high half of random_low initializes the count.
 *
 * The step is refused if the clock is beyond the field, if it is before the
 * field and there is no previous id, or if the next tick is past the last
 * millisecond.  The state is unchanged then.
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
				   uint64_t random_high, uint64_t random_low, FlakeScru160 *id)
{
	const unsigned width = flake_scru160_count_bits(usage);
	uint64_t	tick = 0;
	FlakeStatus status = flake_scru160_clock_tick(usage, instant, &tick);

	id->stamp = tick << width | (random_low >> 32 & flake_mask(width));
	id->random_high = random_high;
	id->random_low = (uint32_t) random_low;
	return status;
}

#endif							/* FLAKEID_FORMAT_SCRU160_H */
