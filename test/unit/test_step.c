/*
 * test_step.c
 *		The step of the 64-bit generators: every rule, in both scopes, with the
 *		clock and the random bits as arguments.  test/sim walks whole servers.
 */
#include "unit_flake.h"

/* How the formats count: increments with and without lanes. */
typedef struct Kind
{
	const char *name;
	FlakeFormat format;
	FlakeIncrement increment;
} Kind;

static const Kind kinds[] = {
	{"FLUID, 7 slot bits", FLAKE_FLUID, {.last = 0x1ffff, .step = 1}},
	{"FLUID, no lane", FLAKE_FLUID, {.last = 0x3ff, .step = 1}},
	{"Nanoflake, 7 slot bits", FLAKE_NANOFLAKE, {.last = 0x7fff, .step = 1}},
	{"Nanoflake, no lane", FLAKE_NANOFLAKE, {.last = 0xfff, .step = 1}},
	{"Ulid-Flake", FLAKE_ULIDFLAKE,
	{.last = 0xfffff, .first = 54321, .step = 9}},
	{"Ulid-Flake, scalable", FLAKE_ULIDFLAKE,
	{.last = 0xfffff, .fixed_mask = 31, .fixed = 19, .first = 77 * 32, .step = 4 * 32}},
};

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

static uint64_t
first_counter(const FlakeIncrement *increment)
{
	return increment->first | increment->fixed;
}

/* Number of ids in a millisecond from the first counter on */
static uint64_t
ids_in_ms(const FlakeIncrement *increment)
{
	return (increment->last - increment->first) / increment->step + 1;
}

/* A process that has generated its first id, in millisecond 100 */
static void
begin(Process *p)
{
	CHECK_EQ(step_at(p, 100), FLAKE_STEP_NEW_MS);
	CHECK_AT(p, 100, first_counter(&p->increment));
}

/* Use up the rest of the millisecond; returns the number of its ids */
static uint64_t
use_up(Process *p, int64_t now_ms, FlakeStep step)
{
	uint64_t	n = 0;

	while (step_at(p, now_ms) == step)
		n++;
	return n;
}

static void
test_new_ms(Process p)
{
	begin(&p);
	CHECK_EQ(step_at(&p, 100), FLAKE_STEP_COUNTED);
	CHECK_EQ(p.position.ms, 100);
	CHECK_EQ(step_at(&p, 101), FLAKE_STEP_NEW_MS);
	CHECK_AT(&p, 101, first_counter(&p.increment));
	CHECK_EQ(step_at(&p, 987654321), FLAKE_STEP_NEW_MS);
	CHECK_AT(&p, 987654321, first_counter(&p.increment));
	CHECK_EQ(p.history.steps_back, 0);
}

/* Up to the very last id; the next millisecond only when the clock is there */
static void
test_full(Process p)
{
	begin(&p);
	CHECK_EQ(1 + use_up(&p, 100, FLAKE_STEP_COUNTED), ids_in_ms(&p.increment));
	CHECK(p.position.counter - p.increment.fixed > p.increment.last -
		  p.increment.step);
	CHECK_EQ(step_at(&p, 100), FLAKE_STEP_FULL);
	CHECK_EQ(step_at(&p, 100), FLAKE_STEP_FULL);
	CHECK_EQ(step_at(&p, 101), FLAKE_STEP_NEW_MS);
	CHECK_AT(&p, 101, first_counter(&p.increment));
}

/* Clock behind: a format that waits generates no id until it is back. */
static void
test_behind_waits(Process p)
{
	begin(&p);
	for (int64_t now_ms = 90; now_ms < 100; now_ms++)
		CHECK_EQ(step_at(&p, now_ms), FLAKE_STEP_BEHIND);
	CHECK_EQ(step_at(&p, 0), FLAKE_STEP_BEHIND);
	CHECK_EQ(p.history.steps_back, 2);
	CHECK_EQ(step_at(&p, 100), FLAKE_STEP_COUNTED);
	(void) use_up(&p, 100, FLAKE_STEP_COUNTED);
	CHECK_EQ(step_at(&p, 99), FLAKE_STEP_BEHIND);
	CHECK_EQ(step_at(&p, 100), FLAKE_STEP_FULL);
	CHECK_EQ(step_at(&p, 101), FLAKE_STEP_NEW_MS);
}

/*
 * Clock behind: a format that does not wait uses up its millisecond, and takes
 * the next one once the clock has advanced by one since it saw the position.
 */
static void
test_behind_carries_on(Process p)
{
	begin(&p);
	CHECK_EQ(1 + use_up(&p, 50, FLAKE_STEP_CONTINUED), ids_in_ms(&p.increment));
	CHECK_EQ(step_at(&p, 50), FLAKE_STEP_BEHIND);
	CHECK_EQ(step_at(&p, 50), FLAKE_STEP_BEHIND);
	CHECK_EQ(step_at(&p, 51), FLAKE_STEP_MOVED_ON);
	CHECK_AT(&p, 101, first_counter(&p.increment));

	/* and so on: one millisecond of ids per millisecond of the clock */
	CHECK_EQ(1 + use_up(&p, 51, FLAKE_STEP_CONTINUED), ids_in_ms(&p.increment));
	CHECK_EQ(step_at(&p, 51), FLAKE_STEP_BEHIND);
	CHECK_EQ(step_at(&p, 60), FLAKE_STEP_MOVED_ON);
	CHECK_AT(&p, 102, first_counter(&p.increment));

	/* the clock catches up with the millisecond, then passes it */
	CHECK_EQ(step_at(&p, 102), FLAKE_STEP_COUNTED);
	(void) use_up(&p, 102, FLAKE_STEP_COUNTED);
	CHECK_EQ(step_at(&p, 102), FLAKE_STEP_FULL);
	CHECK_EQ(step_at(&p, 103), FLAKE_STEP_NEW_MS);
	CHECK_EQ(p.history.steps_back, 1);
}

/* A clock that advances before the millisecond is used up counts, too. */
static void
test_moved_on_before(Process p)
{
	begin(&p);
	CHECK_EQ(step_at(&p, 50), FLAKE_STEP_CONTINUED);
	(void) use_up(&p, 55, FLAKE_STEP_CONTINUED);
	CHECK_EQ(p.position.ms, 100);
	CHECK_EQ(step_at(&p, 56), FLAKE_STEP_MOVED_ON);
	(void) use_up(&p, 57, FLAKE_STEP_CONTINUED);
	CHECK_AT(&p, 102, first_counter(&p.increment));	/* 101 was seen at 56 */
	(void) use_up(&p, 57, FLAKE_STEP_CONTINUED);
	CHECK_EQ(p.position.ms, 102);
	CHECK_EQ(step_at(&p, 57), FLAKE_STEP_BEHIND);
}

/* Another step back restarts the wait for the clock to advance. */
static void
test_steps_back_again(Process p)
{
	begin(&p);
	(void) use_up(&p, 50, FLAKE_STEP_CONTINUED);
	CHECK_EQ(step_at(&p, 50), FLAKE_STEP_BEHIND);
	CHECK_EQ(step_at(&p, 40), FLAKE_STEP_BEHIND);
	CHECK_EQ(step_at(&p, 40), FLAKE_STEP_BEHIND);
	CHECK_EQ(step_at(&p, 41), FLAKE_STEP_MOVED_ON);
	CHECK_AT(&p, 101, first_counter(&p.increment));
	CHECK_EQ(p.history.steps_back, 2);

	/* seen first at 41; after a step back to 30, 41 no longer matters */
	(void) use_up(&p, 30, FLAKE_STEP_CONTINUED);
	CHECK_EQ(step_at(&p, 30), FLAKE_STEP_BEHIND);
	CHECK_EQ(step_at(&p, 31), FLAKE_STEP_MOVED_ON);
	CHECK_EQ(p.history.steps_back, 3);

	/* back to before the epoch, and on */
	(void) use_up(&p, -5, FLAKE_STEP_CONTINUED);
	CHECK_EQ(p.history.steps_back, 4);
	CHECK_EQ(step_at(&p, -5), FLAKE_STEP_BEHIND);
	CHECK_EQ(step_at(&p, -4), FLAKE_STEP_MOVED_ON);
	CHECK_EQ(p.position.ms, 103);
}

/* No id above the allowed limit; once it is raised, the same step succeeds. */
static void
test_allowed(Process p)
{
	CHECK_EQ(step_allowed(&p, 100, 99), FLAKE_STEP_NEEDS_HORIZON);
	CHECK_EQ(p.wanted_ms, 100);
	CHECK_EQ(step_allowed(&p, 100, 100), FLAKE_STEP_NEW_MS);
	CHECK_EQ(step_allowed(&p, 100, 100), FLAKE_STEP_COUNTED);
	CHECK_EQ(step_allowed(&p, 101, 100), FLAKE_STEP_NEEDS_HORIZON);
	if (!p.layout->waits)
	{
		(void) use_up(&p, 50, FLAKE_STEP_CONTINUED);
		CHECK_EQ(step_allowed(&p, 50, 100), FLAKE_STEP_BEHIND);
		CHECK_EQ(step_allowed(&p, 51, 100), FLAKE_STEP_NEEDS_HORIZON);
		CHECK_EQ(p.wanted_ms, 101);
		CHECK_EQ(step_allowed(&p, 51, 101), FLAKE_STEP_MOVED_ON);
		CHECK_EQ(step_allowed(&p, 51, 101), FLAKE_STEP_CONTINUED);
	}
	CHECK_EQ(step_allowed(&p, 10101, 10101), FLAKE_STEP_NEW_MS);
}

/*
 * A millisecond that a process of another database began: it is compared with
 * the limit, too, before its counters and before the rules of the clock.
 */
static void
test_allowed_in_ms(Process p)
{
	begin(&p);
	CHECK_EQ(step_slow_allowed(&p, 100, 99), FLAKE_STEP_NEEDS_HORIZON);
	CHECK_EQ(p.wanted_ms, 100);
	CHECK_EQ(step_slow_allowed(&p, 50, 99), p.layout->waits ?
			 FLAKE_STEP_BEHIND : FLAKE_STEP_NEEDS_HORIZON);
	CHECK_EQ(p.wanted_ms, 100);
	CHECK_EQ(step_slow_allowed(&p, -1, 99), p.layout->waits ?
			 FLAKE_STEP_BEHIND : FLAKE_STEP_NEEDS_HORIZON);
	CHECK_EQ(step_slow_allowed(&p, 100, 100), FLAKE_STEP_COUNTED);
	(void) use_up(&p, 100, FLAKE_STEP_COUNTED);
	CHECK_EQ(step_slow_allowed(&p, 100, 99), FLAKE_STEP_NEEDS_HORIZON);
	CHECK_EQ(step_slow_allowed(&p, 100, 100), FLAKE_STEP_FULL);

	/* a later millisecond is compared itself */
	CHECK_EQ(step_slow_allowed(&p, 102, 99), FLAKE_STEP_NEEDS_HORIZON);
	CHECK_EQ(p.wanted_ms, 102);
}

/* Without any id it is an error; otherwise the clock is behind. */
static void
test_before_epoch(Process p)
{
	p.floor_ms = 0;
	p.position.ms = 0;
	CHECK_EQ(step_at(&p, -1), FLAKE_STEP_BEFORE_EPOCH);
	CHECK_EQ(step_at(&p, INT64_MIN), FLAKE_STEP_BEFORE_EPOCH);
	CHECK_EQ(p.history.steps_back, 1);
	begin(&p);
	CHECK_EQ(step_at(&p, -1), p.layout->waits ?
			 FLAKE_STEP_BEHIND : FLAKE_STEP_CONTINUED);
	CHECK_EQ(p.history.steps_back, 2);
	CHECK_EQ(step_at(&p, 100), FLAKE_STEP_COUNTED);
	CHECK_EQ(p.history.steps_back, 2);
}

/* The last millisecond, reached by the clock and by counting */
static void
test_beyond_field(Process p)
{
	int64_t		last_ms = (int64_t) p.layout->last_generated_ms;

	CHECK_EQ(step_at(&p, last_ms + 1), FLAKE_STEP_BEYOND_FIELD);
	CHECK_EQ(step_allowed(&p, last_ms + 1, 0), FLAKE_STEP_BEYOND_FIELD);
	CHECK_EQ(step_at(&p, INT64_MAX), FLAKE_STEP_BEYOND_FIELD);
	CHECK_EQ(p.history.steps_back, 0);

	/* a reading without an id counts as the newest, too */
	CHECK_EQ(step_at(&p, last_ms), FLAKE_STEP_NEW_MS);
	CHECK_EQ(p.history.steps_back, 1);
	CHECK((int64_t) flake_position_id(p.layout, &(FlakeShare) {0}, p.position) > 0);
	CHECK_EQ(step_at(&p, last_ms + 1), FLAKE_STEP_BEYOND_FIELD);
	(void) use_up(&p, last_ms, FLAKE_STEP_COUNTED);
	CHECK_EQ(step_at(&p, last_ms), FLAKE_STEP_FULL);
	CHECK_EQ(step_at(&p, last_ms - 2), FLAKE_STEP_BEHIND);
	CHECK_EQ(step_at(&p, last_ms - 1), p.layout->waits ?
			 FLAKE_STEP_BEHIND : FLAKE_STEP_BEYOND_FIELD);
}

/* The floor's millisecond counts as used up. */
static void
test_floor(const Kind *kind, Process p)
{
	CHECK_EQ(p.floor_ms, 99);
	CHECK_EQ(step_at(&p, 99), FLAKE_STEP_FULL);
	CHECK_EQ(step_at(&p, 97), FLAKE_STEP_BEHIND);
	CHECK_EQ(step_at(&p, 97), FLAKE_STEP_BEHIND);
	if (!p.layout->waits)
	{
		CHECK_EQ(step_at(&p, 98), FLAKE_STEP_MOVED_ON);
		CHECK_AT(&p, 100, first_counter(&kind->increment));
	}
	else
		CHECK_EQ(step_at(&p, 98), FLAKE_STEP_BEHIND);
}

typedef void (*Test) (Process p);

static void
run(Test test, const Kind *kind)
{
	const FlakeLayout *layout = &flake_layouts[kind->format];
	uint64_t	word = 0;

	test(process(layout, kind->increment, 99, NULL));
	test(process(layout, kind->increment, 99, &word));
}

static void
test_rules(void)
{
	static const Test tests[] = {
		test_new_ms, test_full, test_allowed, test_allowed_in_ms,
		test_before_epoch, test_beyond_field
	};
	static const Test carrying[] = {
		test_behind_carries_on, test_moved_on_before, test_steps_back_again
	};

	for (size_t k = 0; k < KINDS; k++)
	{
		const FlakeLayout *layout = &flake_layouts[kinds[k].format];
		uint64_t	word = 0;

		for (size_t t = 0; t < sizeof(tests) / sizeof(tests[0]); t++)
			run(tests[t], &kinds[k]);
		for (size_t t = 0; t < sizeof(carrying) / sizeof(carrying[0]); t++)
			if (!layout->waits)
				run(carrying[t], &kinds[k]);
		if (layout->waits)
			run(test_behind_waits, &kinds[k]);
		test_floor(&kinds[k], process(layout, kinds[k].increment, 99, NULL));
		test_floor(&kinds[k], process(layout, kinds[k].increment, 99, &word));
	}
}

/* FLUID's sign: 2^39-1 is the last, and a higher floor leaves no ids. */
static void
test_fluid_sign(void)
{
	FlakeIncrement increment = flake_increment_by_one(17);
	uint64_t	floor_ms = (UINT64_C(1) << 40) - 1;
	Process		p = process(fluid, increment, floor_ms, NULL);

	CHECK_EQ(fluid->last_generated_ms, INT64_C(549755813887));
	CHECK_EQ(step_at(&p, 1000), FLAKE_STEP_BEHIND);
	CHECK_EQ(step_at(&p, 1001), FLAKE_STEP_BEYOND_FIELD);
	CHECK_EQ(step_at(&p, (int64_t) floor_ms), FLAKE_STEP_FULL);
	CHECK_EQ(step_at(&p, (int64_t) floor_ms + 1), FLAKE_STEP_BEYOND_FIELD);
}

/* Start of a process: the word, or the floor's end if that is higher */
static void
test_words(void)
{
	FlakeIncrement increment = flake_increment_by_one(24);
	FlakePosition position = {.ms = 100, .counter = 0xabcdef};
	uint64_t	word = flake_word(fluid, position);

	CHECK_EQ(word, UINT64_C(100) << 24 | 0xabcdef);
	CHECK(same_position(flake_word_position(fluid, word, 0, &increment), position));
	CHECK(same_position(flake_word_position(fluid, word, 99, &increment), position));
	CHECK(same_position(flake_word_position(fluid, word, 100, &increment),
						flake_position_after(100, &increment)));
	CHECK(same_position(flake_word_position(fluid, word, 101, &increment),
						flake_position_after(101, &increment)));
	CHECK(same_position(flake_word_position(fluid, 0, 0, &increment),
						flake_position_after(0, &increment)));
	position = flake_position_after(7, &increment);
	CHECK(position.ms == 7 && position.counter == 0xffffff);

	/* the word has no part of the address, which is added to the id */
	position.counter = 5;
	CHECK_EQ(flake_position_id(nanoflake, &(FlakeShare) {.prefix = UINT64_C(3) << 15},
							   position),
			 UINT64_C(7) << 22 | UINT64_C(3) << 15 | 5);
}

/* A raised floor: the next id from a word is above it, whatever the clock. */
static void
test_raised_floor(void)
{
	uint64_t	word = UINT64_C(100) << 20 | 5;
	Process		p = process(ulidflake, kinds[4].increment, 99, &word);

	CHECK_EQ(step_at(&p, 100), FLAKE_STEP_COUNTED);
	p.floor_ms = 200;
	CHECK_EQ(step_at(&p, 100), FLAKE_STEP_BEHIND);
	CHECK_EQ(step_at(&p, 101), FLAKE_STEP_MOVED_ON);
	CHECK_EQ(p.position.ms, 201);
	CHECK_EQ(word >> 20, 201);
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

/*
 * The average shown to users, compared with simulated milliseconds that are
 * filled at full speed: enough of them to keep chance within the bounds.
 */
static void
check_random_per_ms(unsigned fixed_bits, unsigned step_bits, uint64_t expected)
{
	const int	milliseconds = 5000000 / (int) expected + 160;
	FlakeIncrement increment = flake_increment_random(fixed_bits, 0, step_bits, 0);
	uint64_t	told = flake_random_per_ms(&increment, step_bits);
	uint64_t	made = 0;
	double		average;

	for (int i = 0; i < milliseconds && made < 1000000000; i++)
	{
		uint64_t	counter;

		increment = flake_increment_random(fixed_bits, 0, step_bits,
										   unit_random64());
		counter = increment.first;
		do
		{
			made++;
			increment = flake_increment_random(fixed_bits, 0, step_bits,
											   unit_random64());
		} while (flake_count(&increment, &counter));
	}
	average = (double) made / milliseconds;
	CHECK_EQ(told, expected);
	unit_check(average > (double) told * 0.7 - 1 &&
			   average < (double) told * 1.3 + 1, __FILE__, __LINE__,
			   "%u fixed bits, %u step bits: %f ids per millisecond",
			   fixed_bits, step_bits, average);
}

/* Which of the random bits are the first value, and which the step */
static void
test_random_bits(void)
{
	FlakeIncrement increment = flake_increment_random(0, 0, 16, UINT64_C(0xfedcba9876543210));

	CHECK_EQ(increment.last, 0xfffff);
	CHECK_EQ(increment.fixed_mask, 0);
	CHECK_EQ(increment.fixed, 0);
	CHECK_EQ(increment.first, 0x43210);
	CHECK_EQ(increment.step, 1 + 0xba98);
	increment = flake_increment_random(5, 19, 3, UINT64_C(0xfedcba9876543211));
	CHECK_EQ(increment.fixed_mask, 31);
	CHECK_EQ(increment.fixed, 19);
	CHECK_EQ(increment.first, 0x43200);
	CHECK_EQ(increment.step, (1 + 0) << 5);
	CHECK_EQ(flake_increment_random(5, 19, 3, UINT64_C(7) << 32).step, (1 + 7) << 5);
}

static void
test_random_per_ms(void)
{
	check_random_per_ms(0, 4, 61681);
	check_random_per_ms(5, 4, 1928);
	check_random_per_ms(0, 0, 524289);
	check_random_per_ms(5, 0, 16385);
	check_random_per_ms(0, 14, 64);
	check_random_per_ms(5, 14, 2);
	check_random_per_ms(0, 16, 16);
	check_random_per_ms(5, 16, 1);
}

void
test_step(void)
{
	test_rules();
	test_fluid_sign();
	test_words();
	test_raised_floor();
	test_short_way();
	test_random_bits();
	test_random_per_ms();
}
