/*
 * uuid_next.h
 *		The generator steps of UUID versions 6 and 7.
 *
 * A step takes the state of the process, the time and fresh random bits.  It
 * generates an id greater than the newest one, or refuses and leaves the state
 * unchanged.  It never waits: if the clock is not past the last id, it
 * continues from that id (RFC 9562, 6.2).
 *
 * Inline, since a call that passes structs would be a large part of the cost
 * of an id.
 */
#ifndef FLAKEID_FORMAT_UUID_NEXT_H
#define FLAKEID_FORMAT_UUID_NEXT_H

#include "format/bits.h"
#include "format/uuid.h"

/*
 * UUIDv6: the node is random in every id.  The clock sequence is random in a
 * new tick and incremented in the same tick; after 16383 comes the next tick
 * with a random one (doc/internals/formats.md, section 6).
 */
static inline FlakeRule
flake_uuid_v6_next(FlakeUuidV6State *state, FlakeInstant now,
				   uint64_t random64, FlakeUuid *uuid)
{
	uint64_t	fresh = random64 & flake_mask(FLAKE_UUID_LOW_BITS);
	FlakeUuidV6State next = {
		.clock_sequence = (uint32_t) (fresh >> FLAKE_NODE_BITS),
	};
	FlakeRule	rule = FLAKE_RULE_NEW_TICK;
	FlakeStatus status = flake_instant_to_ticks(&flake_uuid_v6_field,
												now, &next.ticks_100ns);

	if (status != FLAKE_OK)
		return flake_rule_refusal(status);
	if (next.ticks_100ns <= state->ticks_100ns)
	{
		next.ticks_100ns = state->ticks_100ns;
		if (state->clock_sequence <
			flake_mask(FLAKE_CLOCK_SEQUENCE_BITS))
		{
			next.clock_sequence = state->clock_sequence + 1;
			rule = FLAKE_RULE_COUNTER_INC;
		}
		else if (next.ticks_100ns++ == flake_uuid_v6_field.last_tick)
			return FLAKE_RULE_BEYOND_FIELD;
		else
			rule = FLAKE_RULE_TICK_INC;
	}
	*state = next;
	*uuid = flake_uuid_pack(6, next.ticks_100ns,
							(uint64_t) next.clock_sequence <<
							FLAKE_NODE_BITS |
							(fresh & flake_mask(FLAKE_NODE_BITS)));
	return rule;
}

/* Source of randomness: 32 fresh bits per call. */
typedef uint32_t (*FlakeRandom32) (void);

static inline uint64_t
flake_random62(FlakeRandom32 random32)
{
	uint64_t	low = random32();

	return ((uint64_t) random32() << 32 | low) &
		flake_mask(FLAKE_UUID_LOW_BITS);
}

/* Nanosecond of the second at which the current 1/4096 ms ends. */
static inline uint32_t
flake_uuid_v7_end_ns(uint32_t ns_in_s)
{
	uint64_t	next = ns_in_s * UINT64_C(4096) / FLAKE_NS_PER_MS + 1;

	return (uint32_t) ((next * FLAKE_NS_PER_MS + 4095) / 4096);
}

/*
 * UUIDv7: the prefix is the clock's millisecond and 1/4096 ms.  While it is
 * unchanged, the 62 low bits grow by 1 plus 32 random bits (RFC 9562, 6.2
 * method 2); if they overflow, the prefix is incremented.
 *
 * end_ns caches when the clock leaves the prefix, so that the common case is a
 * comparison, not a division.  Only the random bits in use are drawn.
 */
static flake_always_inline FlakeRule
flake_uuid_v7_next(FlakeUuidV7State *state, FlakeInstant now,
				   FlakeRandom32 random32, FlakeUuid *uuid)
{
	FlakeUuidV7State next = *state;
	FlakeRule	rule = FLAKE_RULE_COUNTER_INC;

	if (now.unix_s != state->unix_s || now.ns_in_s >= state->end_ns)
	{
		FlakeStatus status = flake_uuid_v7_prefix(now, &next.prefix);

		if (status != FLAKE_OK)
			return flake_rule_refusal(status);
		if (next.prefix > state->prefix)
		{
			next.unix_s = now.unix_s;
			next.end_ns = flake_uuid_v7_end_ns(now.ns_in_s);
			rule = FLAKE_RULE_NEW_TICK;
		}
		else
			next.prefix = state->prefix;
	}
	if (rule == FLAKE_RULE_COUNTER_INC)
	{
		next.random62 += UINT64_C(1) + random32();
		if (next.random62 > flake_mask(FLAKE_UUID_LOW_BITS))
		{
			if (next.prefix++ == flake_mask(FLAKE_UUID_HIGH_BITS))
				return FLAKE_RULE_BEYOND_FIELD;
			rule = FLAKE_RULE_TICK_INC;
		}
	}
	if (rule != FLAKE_RULE_COUNTER_INC)
		next.random62 = flake_random62(random32);
	*state = next;
	*uuid = flake_uuid_pack(7, next.prefix, next.random62);
	return rule;
}

#endif							/* FLAKEID_FORMAT_UUID_NEXT_H */
