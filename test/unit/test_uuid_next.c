/*
 * test_uuid_next.c
 *		The generator steps of UUID versions 6 and 7, one row per rule.
 */
#include "format/uuid.h"
#include "unit_uuid.h"

#define MASK62	((UINT64_C(1) << 62) - 1)
#define LAST60	((UINT64_C(1) << 60) - 1)
#define STEPS	200000

/*
 * An instant and its tick, and random bits with the two unused ones set, but
 * not the multicast bit, which a random node has (RFC 9562, 6.10)
 */
#define V6_TICK UINT64_C(138648505420000000)
#define V7_PREFIX (UINT64_C(1645557742000) << 12)
#define RANDOM	(UINT64_C(3) << 62 | UINT64_C(0x1234) << 48 | 0x46789abcdef)
#define NODE	UINT64_C(0x56789abcdef)

static FlakeInstant
v6_instant(uint64_t ticks)
{
	return instant((int64_t) (ticks / 10000000) - INT64_C(12219292800),
				   (uint32_t) (ticks % 10000000) * 100);
}

/* A v6 step from a state, at a tick: the rule, and the resulting state */
static void
check_v6(uint64_t last_tick, uint32_t last_sequence, FlakeInstant now,
		 FlakeRule rule, uint64_t tick, uint32_t sequence)
{
	FlakeUuidV6State state = {
		.ticks_100ns = last_tick,
		.clock_sequence = last_sequence,
	};
	FlakeUuid	uuid = {.high = 1, .low = 2};
	FlakeUuid	made = flake_uuid_pack(6, tick,
									   (uint64_t) sequence << 48 | NODE);

	CHECK_EQ(flake_uuid_v6_next(&state, now, RANDOM, &uuid), rule);
	CHECK_EQ(state.ticks_100ns, tick);
	CHECK_EQ(state.clock_sequence, sequence);
	if (rule == FLAKE_RULE_BEFORE_FIELD || rule == FLAKE_RULE_BEYOND_FIELD)
		made = (FlakeUuid) {.high = 1, .low = 2};
	CHECK_UUID(uuid, made);
}

static void
test_v6_rules(void)
{
	const FlakeInstant now = v6_instant(V6_TICK);
	const FlakeInstant past = instant(INT64_C(-12219292801), 999999999);
	const FlakeInstant future = instant(INT64_C(103072857660), 684697600);

	/* a new tick: new clock sequence and node */
	check_v6(0, 0, now, FLAKE_RULE_NEW_TICK, V6_TICK, 0x1234);
	check_v6(V6_TICK - 1, 16383, now, FLAKE_RULE_NEW_TICK, V6_TICK, 0x1234);
	/* the same tick, or the clock set back: counter + 1, new node */
	check_v6(V6_TICK, 0, now, FLAKE_RULE_COUNTER_INC, V6_TICK, 1);
	check_v6(V6_TICK, 16382, now, FLAKE_RULE_COUNTER_INC, V6_TICK, 16383);
	check_v6(V6_TICK, 5, v6_instant(V6_TICK - 1), FLAKE_RULE_COUNTER_INC,
			 V6_TICK, 6);
	check_v6(V6_TICK, 5, v6_instant(0), FLAKE_RULE_COUNTER_INC, V6_TICK, 6);
	/* the clock sequence is used up: one tick on */
	check_v6(V6_TICK, 16383, now, FLAKE_RULE_TICK_INC, V6_TICK + 1, 0x1234);
	check_v6(V6_TICK, 16383, v6_instant(7), FLAKE_RULE_TICK_INC, V6_TICK + 1,
			 0x1234);
	/* the last tick of the field, until it is used up */
	check_v6(V6_TICK, 3, v6_instant(LAST60), FLAKE_RULE_NEW_TICK, LAST60,
			 0x1234);
	check_v6(LAST60, 16382, v6_instant(LAST60), FLAKE_RULE_COUNTER_INC, LAST60,
			 16383);
	check_v6(LAST60 - 1, 16383, now, FLAKE_RULE_TICK_INC, LAST60, 0x1234);
	check_v6(LAST60, 16383, v6_instant(LAST60), FLAKE_RULE_BEYOND_FIELD,
			 LAST60, 16383);
	check_v6(LAST60, 16383, now, FLAKE_RULE_BEYOND_FIELD, LAST60, 16383);
	/* a clock outside the field */
	check_v6(V6_TICK, 3, past, FLAKE_RULE_BEFORE_FIELD, V6_TICK, 3);
	check_v6(V6_TICK, 3, future, FLAKE_RULE_BEYOND_FIELD, V6_TICK, 3);
	check_v6(0, 0, past, FLAKE_RULE_BEFORE_FIELD, 0, 0);
}

static FlakeInstant
v7_instant(uint64_t prefix)
{
	uint64_t	ms = prefix >> 12;

	/* the first nanosecond of the fraction */
	return instant((int64_t) (ms / 1000), (uint32_t) (ms % 1000) * 1000000 +
				   (uint32_t) (((prefix & 0xfff) * 1000000 + 4095) / 4096));
}

/* Random bits: the low half and the high half in turn. */
static uint64_t to_draw;

static uint32_t
draw32(void)
{
	uint32_t	drawn = (uint32_t) to_draw;

	to_draw = to_draw >> 32 | to_draw << 32;
	return drawn;
}

static void
check_v7(uint64_t last_prefix, uint64_t last_random, FlakeInstant now,
		 uint64_t random64, FlakeRule rule, uint64_t prefix, uint64_t random62)
{
	FlakeUuidV7State state = {
		.prefix = last_prefix,
		.random62 = last_random,
	};
	FlakeUuid	uuid = {.high = 1, .low = 2};
	FlakeUuid	made = flake_uuid_pack(7, prefix, random62);

	to_draw = random64;
	CHECK_EQ(flake_uuid_v7_next(&state, now, draw32, &uuid), rule);
	CHECK_EQ(state.prefix, prefix);
	CHECK_EQ(state.random62, random62);
	if (rule == FLAKE_RULE_BEFORE_FIELD || rule == FLAKE_RULE_BEYOND_FIELD)
		made = (FlakeUuid) {.high = 1, .low = 2};
	CHECK_UUID(uuid, made);
}

static void
test_v7_rules(void)
{
	const FlakeInstant now = v7_instant(V7_PREFIX);
	const FlakeInstant last = instant(INT64_C(281474976710), 655999999);
	const uint64_t fresh = RANDOM & MASK62;
	const uint64_t step = 1 + (uint32_t) RANDOM;
	/* the step used the low half first */
	const uint64_t drawn_after = (RANDOM << 32 | RANDOM >> 32) & MASK62;

	/* a new tick, of a millisecond or of 1/4096 ms: all bits are new */
	check_v7(0, 0, now, RANDOM, FLAKE_RULE_NEW_TICK, V7_PREFIX, fresh);
	check_v7(V7_PREFIX - 1, MASK62, now, RANDOM, FLAKE_RULE_NEW_TICK,
			 V7_PREFIX, fresh);
	check_v7(V7_PREFIX, 9, v7_instant(V7_PREFIX + 1), RANDOM,
			 FLAKE_RULE_NEW_TICK, V7_PREFIX + 1, fresh);
	check_v7(V7_PREFIX, 9, v7_instant(V7_PREFIX + 4095), 0,
			 FLAKE_RULE_NEW_TICK, V7_PREFIX + 4095, 0);
	/* the same tick, or the clock set back: the low bits grow */
	check_v7(V7_PREFIX, 0, now, 0, FLAKE_RULE_COUNTER_INC, V7_PREFIX, 1);
	check_v7(V7_PREFIX, 9, now, RANDOM, FLAKE_RULE_COUNTER_INC, V7_PREFIX, 9 + step);
	check_v7(V7_PREFIX, 9, now, UINT64_MAX, FLAKE_RULE_COUNTER_INC, V7_PREFIX,
			 9 + (UINT64_C(1) << 32));
	check_v7(V7_PREFIX, 9, v7_instant(V7_PREFIX - 1), RANDOM,
			 FLAKE_RULE_COUNTER_INC, V7_PREFIX, 9 + step);
	check_v7(V7_PREFIX, 9, instant(0, 0), RANDOM, FLAKE_RULE_COUNTER_INC,
			 V7_PREFIX, 9 + step);
	/* up to the last value of the low bits, and beyond */
	check_v7(V7_PREFIX, MASK62 - step, now, RANDOM, FLAKE_RULE_COUNTER_INC,
			 V7_PREFIX, MASK62);
	check_v7(V7_PREFIX, MASK62 - step + 1, now, RANDOM, FLAKE_RULE_TICK_INC,
			 V7_PREFIX + 1, drawn_after);
	check_v7(V7_PREFIX, MASK62, now, UINT64_MAX, FLAKE_RULE_TICK_INC,
			 V7_PREFIX + 1, MASK62);
	check_v7(V7_PREFIX, MASK62 - (UINT64_C(1) << 32), now, UINT64_MAX,
			 FLAKE_RULE_COUNTER_INC, V7_PREFIX, MASK62);
	check_v7(V7_PREFIX, MASK62 - UINT32_MAX, now, UINT64_MAX,
			 FLAKE_RULE_TICK_INC, V7_PREFIX + 1, MASK62);
	check_v7(V7_PREFIX + 4095, MASK62, now, 0, FLAKE_RULE_TICK_INC,
			 V7_PREFIX + 4096, 0);
	/* the last tick of the field, until it is used up */
	check_v7(V7_PREFIX, 9, last, RANDOM, FLAKE_RULE_NEW_TICK, LAST60, fresh);
	check_v7(LAST60, 9, last, RANDOM, FLAKE_RULE_COUNTER_INC, LAST60, 9 + step);
	check_v7(LAST60 - 1, MASK62, now, RANDOM, FLAKE_RULE_TICK_INC, LAST60,
			 drawn_after);
	check_v7(LAST60, MASK62, last, RANDOM, FLAKE_RULE_BEYOND_FIELD, LAST60,
			 MASK62);
	check_v7(LAST60, MASK62, now, 0, FLAKE_RULE_BEYOND_FIELD, LAST60, MASK62);
	/* a clock outside the field */
	check_v7(V7_PREFIX, 9, instant(-1, 999999999), RANDOM,
			 FLAKE_RULE_BEFORE_FIELD, V7_PREFIX, 9);
	check_v7(V7_PREFIX, 9, instant(INT64_C(281474976710), 656000000), RANDOM,
			 FLAKE_RULE_BEYOND_FIELD, V7_PREFIX, 9);
}

/*
 * The end of a prefix is the first nanosecond of the next one, and caching the
 * clock changes no id.
 */
static void
test_v7_window(void)
{
	FlakeUuidV7State keeps = {0};
	FlakeUuidV7State forgets = {0};
	FlakeInstant now = v7_instant(V7_PREFIX);
	bool		ends = true;
	bool		alike = true;

	for (int i = 0; i < STEPS; i++)
	{
		uint32_t	ns = (uint32_t) (unit_random64() % 1000000000);
		uint32_t	end_ns = flake_uuid_v7_end_ns(ns);
		const uint64_t drawn = extreme_random64();
		uint64_t	before;
		uint64_t	after;
		FlakeUuid	kept = {0};
		FlakeUuid	forgot = {0};

		ends &= flake_uuid_v7_prefix(instant(0, end_ns - 1), &before) == FLAKE_OK &&
			flake_uuid_v7_prefix(instant(0, end_ns), &after) == FLAKE_OK &&
			before == ns * UINT64_C(4096) / 1000000 && after == before + 1;
		now = walk(now);
		to_draw = drawn;
		(void) flake_uuid_v7_next(&keeps, now, draw32, &kept);
		forgets.unix_s = -1;
		forgets.end_ns = 0;
		to_draw = drawn;
		(void) flake_uuid_v7_next(&forgets, now, draw32, &forgot);
		alike &= kept.high == forgot.high && kept.low == forgot.low;
	}
	CHECK(ends);
	CHECK(alike);
}

/*
 * Ids strictly increase, whatever the clock and the random bits, and every
 * rule other than an error occurs.
 */
static void
test_walks(void)
{
	FlakeUuidV6State v6_state = {0};
	FlakeUuidV7State v7_state = {0};
	FlakeInstant now = v7_instant(V7_PREFIX);
	FlakeUuid	v6_last = {0};
	FlakeUuid	v7_last = {0};
	unsigned	seen[FLAKE_RULE_BEYOND_FIELD + 1] = {0};
	bool		v6_ordered = true;
	bool		v6_random = true;
	bool		v7_ordered = true;

	for (int i = 0; i < STEPS; i++)
	{
		FlakeUuid	v6 = {0};
		FlakeUuid	v7 = {0};

		now = walk(now);
		seen[flake_uuid_v6_next(&v6_state, now, extreme_random64(), &v6)] |= 1;
		to_draw = extreme_random64();
		seen[flake_uuid_v7_next(&v7_state, now, draw32, &v7)] |= 2;
		v6_ordered &= uuid_less(v6_last, v6) && flake_uuid_is_version(v6, 6);
		v6_random &= (v6.low >> 40 & 1) == 1;
		v7_ordered &= uuid_less(v7_last, v7) && flake_uuid_is_version(v7, 7);
		v6_last = v6;
		v7_last = v7;
	}

	/* A walk may not meet the rarest rule. */
	now.unix_s += 3600;
	for (int i = 0; i < 2; i++)
	{
		FlakeUuid	uuid;

		seen[flake_uuid_v6_next(&v6_state, now, UINT64_MAX, &uuid)] |= 1;
		to_draw = UINT64_MAX;
		seen[flake_uuid_v7_next(&v7_state, now, draw32, &uuid)] |= 2;
	}
	CHECK(v6_ordered);
	CHECK(v6_random);
	CHECK(v7_ordered);
	CHECK_EQ(seen[FLAKE_RULE_NEW_TICK], 3);
	CHECK_EQ(seen[FLAKE_RULE_COUNTER_INC], 3);
	CHECK_EQ(seen[FLAKE_RULE_TICK_INC], 3);
	CHECK_EQ(seen[FLAKE_RULE_BEFORE_FIELD], 0);
	CHECK_EQ(seen[FLAKE_RULE_BEYOND_FIELD], 0);
}

void
test_uuid_next(void)
{
	test_v6_rules();
	test_v7_rules();
	test_v7_window();
	test_walks();
}
