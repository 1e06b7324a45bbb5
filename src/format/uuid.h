/*
 * uuid.h
 *		UUID versions 1, 6 and 7 of RFC 9562: fields, bounds, generator steps.
 *
 * Without version (bits 48 to 51) and variant (64 and 65), every UUID here has
 * 60 high and 62 low bits:
 *
 *	v6	60: ticks of 100 ns since 1582-10-15	62: clock sequence 14, node 48
 *	v7	60: ms since 1970 (48), 1/4096 ms (12)	62: random
 *	v1	as v6, with the three parts of the ticks in reverse order
 *
 * A generator step takes the state of the process, the time and fresh random
 * bits.  It generates an id greater than the newest one, or refuses and leaves
 * the state unchanged.  It never waits: if the clock is not past the last id,
 * it continues from that id (RFC 9562, 6.2).  Steps are inline, since a call
 * that passes structs would be a large part of the cost of an id.
 */
#ifndef FLAKEID_FORMAT_UUID_H
#define FLAKEID_FORMAT_UUID_H

#include "format/base.h"

/* The 16 bytes as two big-endian numbers. */
typedef struct FlakeUuid
{
	uint64_t	high;
	uint64_t	low;
} FlakeUuid;

/* All ones: after every id */
static const FlakeUuid flake_uuid_max = {UINT64_MAX, UINT64_MAX};

/* The variants, from bit 64 on (RFC 9562, 4.1). */
typedef enum FlakeUuidVariant
{
	FLAKE_VARIANT_NCS,
	FLAKE_VARIANT_RFC9562,
	FLAKE_VARIANT_MICROSOFT,
	FLAKE_VARIANT_FUTURE,
} FlakeUuidVariant;

#define FLAKE_UUID_HIGH_BITS		60
#define FLAKE_UUID_LOW_BITS		62
#define FLAKE_CLOCK_SEQUENCE_BITS	14
#define FLAKE_NODE_BITS			48
#define FLAKE_RAND_A_BITS		12

/*
 * The multicast bit of the node: set in a random node, so that it never looks
 * like a hardware address (RFC 9562, 6.10).
 */
#define FLAKE_NODE_MULTICAST	(UINT64_C(1) << 40)

/* v1 and v6: ticks of 100 ns since 1582-10-15. */
static const FlakeTimeField flake_uuid_v6_field = {
	.epoch_s = INT64_C(-12219292800),
	.ticks_per_s = 10000000,
	.last_tick = (UINT64_C(1) << 60) - 1,
};

/* v7: milliseconds since 1970. */
static const FlakeTimeField flake_uuid_v7_field = {
	.epoch_s = 0,
	.ticks_per_s = 1000,
	.last_tick = (UINT64_C(1) << 48) - 1,
};

/* Newest v7 of a process; all zero before the first. */
typedef struct FlakeUuidV7State
{
	uint64_t	prefix;			/* 60 bits: ms << 12 | fraction */
	uint64_t	random62;
	int64_t		unix_s;			/* second in which the clock reached prefix */
	uint32_t	end_ns;			/* its nanosecond that passes prefix */
} FlakeUuidV7State;

/* Newest v6 of a process; all zero before the first. */
typedef struct FlakeUuidV6State
{
	uint64_t	ticks_100ns;	/* 60 bits */
	uint32_t	clock_sequence; /* 14 bits */
} FlakeUuidV6State;

/*
 * The 60 high bits of a v7: the millisecond, then its fraction in 1/4096 ms
 * (RFC 9562, 6.2 method 3).  Together they count 1/4096 ms since 1970, since a
 * millisecond is a whole number of units.
 */
static inline FlakeStatus
flake_uuid_v7_prefix(FlakeInstant instant, uint64_t *prefix)
{
	const uint64_t per_ms = 4096;
	const FlakeTimeField *field = &flake_uuid_v7_field;
	uint64_t	units;

	if (instant.unix_s < 0)
		return FLAKE_BEFORE_FIELD;
	if ((uint64_t) instant.unix_s > field->last_tick / field->ticks_per_s)
		return FLAKE_BEYOND_FIELD;
	units = (uint64_t) instant.unix_s * field->ticks_per_s * per_ms +
		instant.ns_in_s * per_ms / FLAKE_NS_PER_MS;
	if (units > flake_mask(FLAKE_UUID_HIGH_BITS))
		return FLAKE_BEYOND_FIELD;
	*prefix = units;
	return FLAKE_OK;
}

static inline FlakeUuid
flake_uuid_load(const unsigned char *bytes)
{
	FlakeUuid	uuid = {
		.high = flake_load_be64(bytes),
		.low = flake_load_be64(bytes + 8),
	};

	return uuid;
}

static inline void
flake_uuid_store(unsigned char *bytes, FlakeUuid uuid)
{
	flake_store_be64(bytes, uuid.high);
	flake_store_be64(bytes + 8, uuid.low);
}

/* Insert version and variant between 60 high and 62 low bits. */
static inline FlakeUuid
flake_uuid_pack(int version, uint64_t high60, uint64_t low62)
{
	FlakeUuid	uuid = {
		.high = high60 >> 12 << 16 | (uint64_t) version << 12 |
		(high60 & 0xfff),
		.low = UINT64_C(1) << 63 | low62,
	};

	return uuid;
}

static inline uint64_t
flake_uuid_high60(FlakeUuid uuid)
{
	return uuid.high >> 16 << 12 | (uuid.high & 0xfff);
}

static inline uint64_t
flake_uuid_low62(FlakeUuid uuid)
{
	return uuid.low & flake_mask(FLAKE_UUID_LOW_BITS);
}

/* Fields of a v1 or v6. */
static inline uint32_t
flake_uuid_clock_sequence(FlakeUuid uuid)
{
	return (uint32_t) (flake_uuid_low62(uuid) >> FLAKE_NODE_BITS);
}

static inline uint64_t
flake_uuid_node(FlakeUuid uuid)
{
	return uuid.low & flake_mask(FLAKE_NODE_BITS);
}

/* Fields of a v7; rand_b is its 62 low bits. */
static inline uint64_t
flake_uuid_v7_ms(FlakeUuid uuid)
{
	return uuid.high >> 16;
}

static inline uint32_t
flake_uuid_v7_rand_a(FlakeUuid uuid)
{
	return (uint32_t) (uuid.high & flake_mask(FLAKE_RAND_A_BITS));
}

extern FlakeUuidVariant flake_uuid_variant(FlakeUuid uuid);
extern int	flake_uuid_version(FlakeUuid uuid);
extern bool flake_uuid_is_version(FlakeUuid uuid, int version);

/* Readers of a version, which the id must have. */
extern uint64_t flake_uuid_ticks(FlakeUuid uuid);
extern bool flake_uuid_unix_us(FlakeUuid uuid, int64_t *unix_us);
extern int64_t flake_uuid_v7_unix_us(FlakeUuid uuid);
extern FlakeUuid flake_uuid_v1_to_v6(FlakeUuid uuid);
extern FlakeUuid flake_uuid_v6_to_v1(FlakeUuid uuid);

extern FlakeStatus flake_uuid_make(int version, FlakeInstant instant,
								   uint64_t random64, FlakeUuid *uuid);

/*
 * Bounds of a time range: the smallest id of the instant or later.  The range
 * [from, to) has the ids from the bound of "from", inclusive, to that of "to",
 * exclusive.  Instants outside the field are clamped to its ends, so that
 * ranges never fail and adjacent ranges do not overlap.  The greatest value of
 * a type is in no range: it is the bound of an open end.  The same holds for
 * flake_draft_min(), flake_id_min() and flake_scru160_min().
 */
extern FlakeUuid flake_uuid_min(int version, FlakeInstant instant);
extern FlakeStatus flake_uuid_v7_move(FlakeUuid uuid, FlakeInstant start,
									  FlakeUuid *moved);

/*
 * UUIDv6: the node is random in every id, but for its multicast bit.  The
 * clock sequence is random in a new tick and incremented in the same tick;
 * after 16383 comes the next tick with a random one
 * (doc/internals/formats.md, section 6).
 */
static inline FlakeRule
flake_uuid_v6_next(FlakeUuidV6State *state, FlakeInstant now,
				   uint64_t random64, FlakeUuid *uuid)
{
	uint64_t	fresh = (random64 & flake_mask(FLAKE_UUID_LOW_BITS)) |
		FLAKE_NODE_MULTICAST;
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
		else					/* the clock is behind */
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

#endif							/* FLAKEID_FORMAT_UUID_H */
