/*
 * test_step_walk.c
 *		Invariants of the step for any clock and any random bits: each id above
 *		the previous one, none further ahead of the clock than the clock was
 *		set back.  test/sim walks whole servers.
 */
#include "unit_flake.h"

/* First value and step of a Ulid-Flake, with the worst possible random bits */
static void
test_random_counting(void)
{
	static const uint64_t randoms[] = {0, UINT64_MAX, UINT32_MAX,
	UINT64_C(0xffffffff00000000), UINT64_C(0x0123456789abcdef)};

	for (unsigned step_bits = 0; step_bits <= 16; step_bits++)
	{
		for (int i = 0; i < 1000; i++)
		{
			uint64_t	random = i < 5 ? randoms[i] : unit_random64();
			FlakeIncrement alone = flake_increment_random(0, 0, step_bits, random);
			FlakeIncrement scalable = flake_increment_random(5, 31, step_bits, random);

			MUST(alone.last == 0xfffff && alone.fixed_mask == 0 &&
				 alone.fixed == 0);
			MUST(scalable.last == 0xfffff && scalable.fixed_mask == 31 &&
				 scalable.fixed == 31);
			MUST(alone.first == (random & 0xfffff));
			MUST(scalable.first == (random & 0xfffe0));
			MUST(alone.step >= 1 && alone.step <= UINT64_C(1) << step_bits);
			MUST(scalable.step == alone.step * 32);
			if (i == 0)
				CHECK_EQ(alone.step, 1);
			if (i == 1)
				CHECK_EQ(alone.step, UINT64_C(1) << step_bits);
		}
	}
}

/*
 * Both forms of Ulid-Flake share a word; the checks of the step verify that
 * each id is above the previous one, whatever its form.
 */
static void
test_mixed_forms(void)
{
	for (unsigned step_bits = 0; step_bits <= 16; step_bits++)
	{
		uint64_t	word = 0;
		Process		p = process(ulidflake, flake_increment_by_one(20), 0, &word);
		int64_t		now_ms = 1;
		int			made[FLAKE_STEP_BEYOND_FIELD + 1] = {0};

		for (int i = 0; i < 20000; i++)
		{
			uint64_t	random = unit_random64();
			bool		scalable = random >> 63;

			p.increment = flake_increment_random(scalable ? 5 : 0,
												 scalable ? 22 : 0,
												 step_bits, random);
			now_ms += (random >> 50 & 255) == 0;
			made[step_at(&p, now_ms)]++;
		}
		CHECK(made[FLAKE_STEP_COUNTED] > 0 && made[FLAKE_STEP_NEW_MS] > 0);
		CHECK_EQ(made[FLAKE_STEP_COUNTED] + made[FLAKE_STEP_NEW_MS] +
				 made[FLAKE_STEP_FULL], 20000);
	}
}

/* The fast path returns what the slow path does, whenever it applies. */
static void
test_short_way(void)
{
	int			gone = 0;

	for (int i = 0; i < 100000; i++)
	{
		uint64_t	random = unit_random64();
		FlakeIncrement increment = flake_increment_by_one(4);
		FlakePosition before = {.ms = random & 3, .counter = random >> 2 & 15};
		FlakePosition position = before;
		int64_t		now_ms = (int64_t) (random >> 6 & 7) - 2;
		FlakeClockHistory history = {.latest_ms = (int64_t) (random >> 9 & 7) - 2};
		FlakeClockHistory seen = history;
		uint64_t	wanted_ms;

		if (flake_step_in_ms(&increment, now_ms, &history, &position))
		{
			MUST(flake_step_slow(fluid, &increment, now_ms, UINT64_MAX, &seen,
								 &before, &wanted_ms) == FLAKE_STEP_COUNTED);
			MUST(seen.steps_back == 0 && seen.latest_ms == history.latest_ms);
			gone++;
		}
		MUST(same_position(before, position));
	}
	CHECK(gone > 1000);
}

#define START_MS	1000000

static const FlakeLayout carries = {
	.name = "test", .time_bits = 40, .generator_bits = 4, .sequence_bits = 2,
	.last_generated_ms = UINT64_C(1) << 39,
};

/*
 * Generate ids at full speed, with a clock that is set back once, or a floor
 * ahead of it: ids are never further ahead of the clock than that distance and
 * a millisecond.
 */
static void
walk_behind(FlakeIncrement increment, bool server_scope, int64_t back_ms,
			int64_t lead_ms)
{
	uint64_t	word = 0;
	Process		p = process(&carries, increment, (uint64_t) (START_MS + lead_ms),
							server_scope ? &word : NULL);
	int64_t		now_ms = START_MS;
	int			made = 0;

	for (int tick = 0; tick < 3 * (back_ms + lead_ms) + 100; tick++)
	{
		if (tick == 50)
			now_ms -= back_ms;
		now_ms += unit_random64() % 2 == 0;
		for (int i = 0; i < 100; i++)
		{
			if (!flake_step_generated(step_at(&p, now_ms)))
				continue;
			made++;
			MUST((int64_t) p.position.ms - now_ms <= back_ms + lead_ms + 1);
		}
	}
	CHECK(made > 100);
}

static void
test_ahead(void)
{
	FlakeIncrement increment = flake_increment_by_one(4);
	FlakeIncrement fixed = {.last = 63, .fixed_mask = 3, .fixed = 1, .step = 12};

	for (int i = 0; i < 40; i++)
	{
		int64_t		ms = (int64_t) (unit_random64() % 2000);

		walk_behind(increment, i & 1, ms, 0);
		walk_behind(increment, i & 1, 0, ms);
		walk_behind(fixed, i & 1, ms, 0);
		walk_behind(fixed, i & 1, 0, ms);
	}
}

void
test_step_walk(void)
{
	test_random_counting();
	test_mixed_forms();
	test_short_way();
	test_ahead();
}
