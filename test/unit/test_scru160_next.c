/*
 * test_scru160_next.c
 *		The generator step of SCRU160: one row per rule, for both usages of the
 *		counter, then long runs with a clock that jumps.
 */
#include "format/base.h"
#include "format/scru160.h"
#include "unit.h"

#define LAST_MS		((INT64_C(1) << 48) - 2)	/* that can be generated */
#define FULL		UINT64_MAX	/* random bits for the highest start */

/* A state or an id: its millisecond and counter; for us, both parts of it */
#define STAMP(ms, counter)		((uint64_t) (ms) << 16 | (counter))
#define STAMP_US(ms, us, low6)	STAMP(ms, (us) << 6 | (low6))

typedef struct Row
{
	const char *what;
	FlakeScru160Usage usage;
	uint64_t	state;
	int64_t		clock_us;		/* since 1970 */
	uint64_t	random;			/* its high half starts the count */
	FlakeRule	rule;
	uint64_t	stamp;			/* ignored if the step fails */
} Row;

#define PLAIN	FLAKE_SCRU160_PLAIN
#define US		FLAKE_SCRU160_US

static const Row rows[] = {
	/* plain: 15 random bits, then up by one */
	{"first", PLAIN, 0, 5000, 0, FLAKE_RULE_NEW_TICK, STAMP(5, 0)},
	{"first, highest start", PLAIN, 0, 5000, FULL, FLAKE_RULE_NEW_TICK,
	STAMP(5, 32767)},
	{"start from bits 32 to 46", PLAIN, 0, 5000, UINT64_C(0x1234567855555555),
	FLAKE_RULE_NEW_TICK, STAMP(5, 0x5678)},
	{"new ms", PLAIN, STAMP(5, 7), 6000, 0, FLAKE_RULE_NEW_TICK, STAMP(6, 0)},
	{"same ms", PLAIN, STAMP(5, 7), 5999, FULL, FLAKE_RULE_COUNTER_INC,
	STAMP(5, 8)},
	{"clock back", PLAIN, STAMP(5, 7), 4999, FULL, FLAKE_RULE_COUNTER_INC,
	STAMP(5, 8)},
	{"clock far back", PLAIN, STAMP(LAST_MS, 7), 1000, FULL,
	FLAKE_RULE_COUNTER_INC, STAMP(LAST_MS, 8)},
	{"clock in the reserved first ms", PLAIN, STAMP(5, 7), 999, FULL,
	FLAKE_RULE_COUNTER_INC, STAMP(5, 8)},
	{"clock before 1970", PLAIN, STAMP(5, 7), -1, FULL, FLAKE_RULE_COUNTER_INC,
	STAMP(5, 8)},
	{"last count", PLAIN, STAMP(5, 65534), 5000, FULL, FLAKE_RULE_COUNTER_INC,
	STAMP(5, 65535)},
	{"used up", PLAIN, STAMP(5, 65535), 5000, FULL, FLAKE_RULE_TICK_INC,
	STAMP(6, 32767)},
	{"used up, clock back", PLAIN, STAMP(5, 65535), 2000, 0,
	FLAKE_RULE_TICK_INC, STAMP(6, 0)},
	{"used up, clock on", PLAIN, STAMP(5, 65535), 6000, FULL,
	FLAKE_RULE_NEW_TICK, STAMP(6, 32767)},
	{"last ms", PLAIN, 0, LAST_MS * 1000 + 999, 0, FLAKE_RULE_NEW_TICK,
	STAMP(LAST_MS, 0)},
	{"to the last ms", PLAIN, STAMP(LAST_MS - 1, 65535), 1000, 0,
	FLAKE_RULE_TICK_INC, STAMP(LAST_MS, 0)},
	{"nothing left", PLAIN, STAMP(LAST_MS, 65535), LAST_MS * 1000, FULL,
	FLAKE_RULE_BEYOND_FIELD, 0},
	{"first, before 1970", PLAIN, 0, -1, FULL, FLAKE_RULE_BEFORE_FIELD, 0},
	{"first, reserved first ms", PLAIN, 0, 999, FULL,
	FLAKE_RULE_BEFORE_FIELD, 0},
	{"first ms", PLAIN, 0, 1000, 0, FLAKE_RULE_NEW_TICK, STAMP(1, 0)},
	{"reserved last ms", PLAIN, STAMP(5, 7), (LAST_MS + 1) * 1000, FULL,
	FLAKE_RULE_BEYOND_FIELD, 0},
	{"beyond the field", PLAIN, STAMP(5, 7), INT64_MAX, FULL,
	FLAKE_RULE_BEYOND_FIELD, 0},

	/* us: 10 bits of microseconds, 5 random bits, then up by one */
	{"first", US, 0, 5000, 0, FLAKE_RULE_NEW_TICK, STAMP_US(5, 0, 0)},
	{"first, highest start", US, 0, 5999, FULL, FLAKE_RULE_NEW_TICK,
	STAMP_US(5, 999, 31)},
	{"start from bits 32 to 36", US, 0, 5000, UINT64_C(0x1234567855555555),
	FLAKE_RULE_NEW_TICK, STAMP_US(5, 0, 0x18)},
	{"new us", US, STAMP_US(5, 7, 40), 5008, 0, FLAKE_RULE_NEW_TICK,
	STAMP_US(5, 8, 0)},
	{"new ms", US, STAMP_US(5, 999, 40), 6000, FULL, FLAKE_RULE_NEW_TICK,
	STAMP_US(6, 0, 31)},
	{"new ms, smaller us", US, STAMP_US(5, 999, 63), 6500, FULL,
	FLAKE_RULE_NEW_TICK, STAMP_US(6, 500, 31)},
	{"same us", US, STAMP_US(5, 7, 40), 5007, FULL, FLAKE_RULE_COUNTER_INC,
	STAMP_US(5, 7, 41)},
	{"same us, below a possible start", US, STAMP_US(5, 7, 0), 5007, FULL,
	FLAKE_RULE_COUNTER_INC, STAMP_US(5, 7, 1)},
	{"clock back a us", US, STAMP_US(5, 7, 40), 5006, FULL,
	FLAKE_RULE_COUNTER_INC, STAMP_US(5, 7, 41)},
	{"clock back a ms", US, STAMP_US(5, 7, 40), 4999, FULL,
	FLAKE_RULE_COUNTER_INC, STAMP_US(5, 7, 41)},
	{"clock before 1970", US, STAMP_US(5, 7, 40), -1, FULL,
	FLAKE_RULE_COUNTER_INC, STAMP_US(5, 7, 41)},
	{"clock in the reserved first ms", US, STAMP_US(1, 0, 40), 999, FULL,
	FLAKE_RULE_COUNTER_INC, STAMP_US(1, 0, 41)},
	{"last count", US, STAMP_US(5, 7, 62), 5007, 0, FLAKE_RULE_COUNTER_INC,
	STAMP_US(5, 7, 63)},
	{"used up", US, STAMP_US(5, 7, 63), 5007, FULL, FLAKE_RULE_TICK_INC,
	STAMP_US(5, 8, 31)},
	{"used up, clock back", US, STAMP_US(5, 7, 63), 1000, 0,
	FLAKE_RULE_TICK_INC, STAMP_US(5, 8, 0)},
	{"used up, clock on", US, STAMP_US(5, 7, 63), 5008, FULL,
	FLAKE_RULE_NEW_TICK, STAMP_US(5, 8, 31)},
	{"to the last us", US, STAMP_US(5, 998, 63), 5998, 0,
	FLAKE_RULE_TICK_INC, STAMP_US(5, 999, 0)},
	{"counter 63999", US, STAMP_US(5, 999, 62), 5999, 0, FLAKE_RULE_COUNTER_INC,
	STAMP(5, 63999)},
	{"past the last us", US, STAMP(5, 63999), 5999, FULL,
	FLAKE_RULE_TICK_INC, STAMP_US(6, 0, 31)},
	{"last ms and us", US, 0, LAST_MS * 1000 + 999, 0, FLAKE_RULE_NEW_TICK,
	STAMP_US(LAST_MS, 999, 0)},
	{"nothing left", US, STAMP_US(LAST_MS, 999, 63), LAST_MS * 1000 + 999,
	FULL, FLAKE_RULE_BEYOND_FIELD, 0},
	{"first, before 1970", US, 0, -1, FULL, FLAKE_RULE_BEFORE_FIELD, 0},
	{"first, reserved first ms", US, 0, 999, FULL,
	FLAKE_RULE_BEFORE_FIELD, 0},
	{"first ms", US, 0, 1000, 0, FLAKE_RULE_NEW_TICK, STAMP_US(1, 0, 0)},
	{"reserved last ms", US, STAMP(5, 7), (LAST_MS + 1) * 1000, FULL,
	FLAKE_RULE_BEYOND_FIELD, 0},
	{"beyond the field", US, STAMP(5, 7), INT64_MAX, FULL,
	FLAKE_RULE_BEYOND_FIELD, 0},
};

static bool
is_refusal(FlakeRule rule)
{
	return rule == FLAKE_RULE_BEFORE_FIELD || rule == FLAKE_RULE_BEYOND_FIELD;
}

static void
check_row(const Row *row)
{
	FlakeScru160State state = {.stamp = row->state};
	FlakeScru160 id = {0};
	FlakeInstant now = flake_instant_from_unix_us(row->clock_us);
	FlakeRule	rule = flake_scru160_next(&state, row->usage, now,
										  UINT64_C(0xfedcba9876543210),
										  row->random, &id);
	const char *usage = row->usage == US ? "us" : "plain";

	unit_check(rule == row->rule, __FILE__, __LINE__,
			   "%s, %s: rule %d, expected %d", usage, row->what, rule,
			   row->rule);
	unit_check(state.stamp == (is_refusal(rule) ? row->state : row->stamp),
			   __FILE__, __LINE__, "%s, %s: stamp %llx", usage, row->what,
			   (unsigned long long) state.stamp);
	if (is_refusal(rule))
		return;
	CHECK_EQ(id.stamp, row->stamp);
	CHECK_EQ(id.random_high, UINT64_C(0xfedcba9876543210));
	CHECK_EQ(id.random_low, (uint32_t) row->random);
}

/* Nanoseconds are ignored: only the microsecond matters. */
static void
test_cut(void)
{
	FlakeScru160State state = {0};
	FlakeScru160 id;
	FlakeInstant now = {.unix_s = 1, .ns_in_s = 234567999};

	CHECK_EQ(flake_scru160_next(&state, US, now, 0, 0, &id),
			 FLAKE_RULE_NEW_TICK);
	CHECK_EQ(id.stamp, STAMP_US(1234, 567, 0));
}

/*
 * A clock that mostly creeps, stands still or jumps back: each id is above the
 * last, no us id has a microsecond above 999, and at the end the ids are close
 * to the furthest reading of the clock.  So many ids are those of 10 ms at most.
 */
static void
test_run(FlakeScru160Usage usage)
{
	FlakeScru160State state = {0};
	int64_t		clock_us = INT64_C(1645557742000000);
	int64_t		furthest_us = clock_us;
	uint64_t	last = 0;
	unsigned long moves = 0;

	for (int i = 0; i < 300000; i++)
	{
		uint64_t	dice = unit_random64();
		FlakeScru160 id = {0};
		FlakeRule	rule;

		if ((dice >> 8 & 0xfff) == 0)
			clock_us -= (int64_t) (dice >> 20 & 0xfff);
		else if ((dice >> 8 & 0x3f) == 1)
			clock_us += (int64_t) (dice >> 20 & 0xff);
		if (clock_us > furthest_us)
			furthest_us = clock_us;
		rule = flake_scru160_next(&state, usage,
								  flake_instant_from_unix_us(clock_us),
								  unit_random64(), unit_random64(), &id);
		moves += rule == FLAKE_RULE_TICK_INC;
		if (id.stamp <= last || is_refusal(rule) || id.stamp != state.stamp ||
			(usage == US && (id.stamp & 0xffff) > 63999))
			CHECK(false);
		last = id.stamp;
	}
	CHECK(usage == PLAIN || moves > 0);
	CHECK(last >> 16 < (uint64_t) furthest_us / 1000 + 10);
}

/*
 * With a clock that stands still: the ids of many milliseconds, to the last
 * counter value.
 */
static void
test_standing(FlakeScru160Usage usage, unsigned least, unsigned most)
{
	FlakeScru160State state = {0};
	FlakeScru160 id = {0};
	uint64_t	last = 0;
	unsigned	in_tick = 0;

	for (int i = 0; i < 400000; i++)
	{
		FlakeRule	rule = flake_scru160_next(&state, usage,
											  flake_instant_from_unix_us(7000),
											  0, unit_random64(), &id);

		if (rule == FLAKE_RULE_TICK_INC)
		{
			if (in_tick < least || in_tick > most)
				CHECK_EQ(in_tick, least);
			in_tick = 0;
		}
		in_tick++;
		if (id.stamp <= last)
			CHECK(id.stamp > last);
		last = id.stamp;
	}
	CHECK(last >> 16 > 7);
}

/* Ids of a given time: all bits of the counter are random. */
static void
check_fill(FlakeScru160Usage usage, int64_t unix_us, FlakeStatus status,
		   uint64_t stamp)
{
	const uint64_t high = UINT64_C(0x0123456789abcdef);
	const uint64_t low = UINT64_C(0x5555ffe976543210);
	FlakeScru160 id;

	CHECK_EQ(flake_scru160_fill(usage, flake_instant_from_unix_us(unix_us),
								high, low, &id), status);
	if (status != FLAKE_OK)
		return;
	CHECK_EQ(id.stamp, stamp);
	CHECK_EQ(id.random_high, high);
	CHECK_EQ(id.random_low, 0x76543210);
}

static void
test_fill(void)
{
	check_fill(PLAIN, 5678, FLAKE_OK, STAMP(5, 0xffe9));
	check_fill(US, 5678, FLAKE_OK, STAMP_US(5, 678, 0x29));
	check_fill(US, 5999, FLAKE_OK, STAMP_US(5, 999, 0x29));
	check_fill(PLAIN, 999, FLAKE_BEFORE_FIELD, 0);
	check_fill(US, 999, FLAKE_BEFORE_FIELD, 0);
	check_fill(US, 1000, FLAKE_OK, STAMP_US(1, 0, 0x29));
	check_fill(US, -1, FLAKE_BEFORE_FIELD, 0);
	check_fill(US, LAST_MS * 1000 + 999, FLAKE_OK,
			   STAMP_US(LAST_MS, 999, 0x29));
	check_fill(PLAIN, LAST_MS * 1000 + 1000, FLAKE_BEYOND_FIELD, 0);
	check_fill(US, LAST_MS * 1000 + 1000, FLAKE_BEYOND_FIELD, 0);
}

void
test_scru160_next(void)
{
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check_row(&rows[i]);
	test_cut();
	test_fill();
	test_run(PLAIN);
	test_run(US);
	test_standing(PLAIN, 32769, 65536);
	test_standing(US, 33, 64);
}
