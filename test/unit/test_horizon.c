/*
 * test_fold.c
 *		Effect of floors, marks, words and horizons on a new postmaster.
 */
#include "format/flake_fold.h"
#include "unit_uuid.h"

static const FlakeLayout *const fluid = &flake_layouts[FLAKE_FLUID];
static const FlakeLayout *const nanoflake = &flake_layouts[FLAKE_NANOFLAKE];

#define MS_2026		INT64_C(1767225600000)	/* two years after the epoch */
#define FROM_2024	(MS_2026 - FLAKE_EPOCH_2024_MS)

static FlakeInstant
instant_of_ms(int64_t unix_ms)
{
	return flake_instant_from_unix_us(unix_ms * 1000);
}

/* The margin above a replayed commit. */
static int64_t
margin_ms(const FlakeLayout *layout)
{
	return layout->waits ? 1000 : 10000;
}

/* The highest of all values decides; each of them in turn is the highest. */
static void
test_highest(void)
{
	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		const FlakeLayout *layout = &flake_layouts[format];
		FlakeFold	fold = {
			.old_epoch_ms = FLAKE_EPOCH_2024_MS,
			.new_epoch_ms = FLAKE_EPOCH_2024_MS,
		};

		CHECK_EQ(flake_fold_floor(layout, &fold), 0);
		fold.floor_ms = 10;
		CHECK_EQ(flake_fold_floor(layout, &fold), 10);
		fold.highest_mark_ms = 9;
		CHECK_EQ(flake_fold_floor(layout, &fold), 10);
		fold.highest_mark_ms = 11;
		CHECK_EQ(flake_fold_floor(layout, &fold), 11);
		fold.word = UINT64_C(11) << flake_low_bits(layout);
		CHECK_EQ(flake_fold_floor(layout, &fold), 11);
		fold.word = UINT64_C(13) << flake_low_bits(layout) | 1;
		CHECK_EQ(flake_fold_floor(layout, &fold), 13);
		fold.floor_ms = 14;
		CHECK_EQ(flake_fold_floor(layout, &fold), 14);

		/* the horizon matters after another boot only */
		fold.horizon_ms = 10014;
		CHECK_EQ(flake_fold_floor(layout, &fold), 14);
		fold.another_boot = true;
		CHECK_EQ(flake_fold_floor(layout, &fold), 10014);
		fold.horizon_ms = 3;
		CHECK_EQ(flake_fold_floor(layout, &fold), 14);

		/* so does the replayed commit, if there is one */
		fold.replayed = instant_of_ms(MS_2026);
		CHECK_EQ(flake_fold_floor(layout, &fold), 14);
		fold.has_replayed = true;
		CHECK_EQ(flake_fold_floor(layout, &fold),
				 FROM_2024 + margin_ms(layout));
		fold.highest_mark_ms = FROM_2024 + margin_ms(layout) + 1;
		CHECK_EQ(flake_fold_floor(layout, &fold),
				 FROM_2024 + margin_ms(layout) + 1);
	}
}

/*
 * The replayed commit is converted to the new epoch, whichever epoch it has.
 */
static void
test_replayed_epochs(void)
{
	static const struct
	{
		int64_t		old_epoch_ms;
		int64_t		new_epoch_ms;
		uint64_t	floor_ms;
	}			rows[] = {
		{FLAKE_EPOCH_2024_MS, FLAKE_EPOCH_2024_MS, FROM_2024 + 10000},
		{FLAKE_EPOCH_2024_MS, FLAKE_EPOCH_2024_MS - 1000, FROM_2024 + 11000},
		{FLAKE_EPOCH_2024_MS - 1000, FLAKE_EPOCH_2024_MS, FROM_2024 + 11000},
		{FLAKE_EPOCH_2024_MS, FLAKE_EPOCH_2024_MS + 1000, FROM_2024 + 10000},

		/* an epoch after the commit counts as 0, without a margin */
		{FLAKE_EPOCH_2024_MS, MS_2026 + 1, FROM_2024 + 10000},
		{MS_2026 + 1, FLAKE_EPOCH_2024_MS, FROM_2024 + 10000},
		{MS_2026 + 1, MS_2026 + 1, 5},
		{MS_2026, MS_2026, 5},

		/* beyond the field it counts as the end of the field */
		{FLAKE_EPOCH_2024_MS, MS_2026 - (INT64_C(1) << 40), (UINT64_C(1) << 40) - 1},
		{MS_2026 - (INT64_C(1) << 40), FLAKE_EPOCH_2024_MS, (UINT64_C(1) << 40) - 1},
		{MS_2026 - (INT64_C(1) << 40) + 10001, MS_2026, (UINT64_C(1) << 40) - 1},
		{MS_2026 - (INT64_C(1) << 40) + 10002, MS_2026, (UINT64_C(1) << 40) - 2},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
	{
		FlakeFold	fold = {
			.floor_ms = 5,
			.old_epoch_ms = rows[i].old_epoch_ms,
			.new_epoch_ms = rows[i].new_epoch_ms,
			.has_replayed = true,
			.replayed = instant_of_ms(MS_2026),
		};

		CHECK_EQ(flake_fold_floor(fluid, &fold), rows[i].floor_ms);
		fold.replayed.ns_in_s = 999999;
		CHECK_EQ(flake_fold_floor(fluid, &fold), rows[i].floor_ms);
	}
}

/*
 * A horizon may lie past the end of the field: then no ids are left, and none
 * wraps around.
 */
static void
test_field_end(void)
{
	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		const FlakeLayout *layout = &flake_layouts[format];
		uint64_t	last_ms = flake_last_ms(layout);
		FlakeFold	fold = {
			.horizon_ms = flake_horizon_for(last_ms),
			.another_boot = true,
		};

		CHECK_EQ(flake_fold_floor(layout, &fold), last_ms);
		fold.horizon_ms = UINT64_MAX;
		CHECK_EQ(flake_fold_floor(layout, &fold), last_ms);
		fold.another_boot = false;
		CHECK_EQ(flake_fold_floor(layout, &fold), 0);
		fold.highest_mark_ms = last_ms;
		CHECK_EQ(flake_fold_floor(layout, &fold), last_ms);
	}
}

/* The result is never below any of the numbers, and always one of them. */
static void
test_any(void)
{
	for (int i = 0; i < 100000; i++)
	{
		const FlakeLayout *layout = &flake_layouts[i % FLAKE_FORMATS];
		int64_t		replayed_ms = MS_2026 + (int64_t) (unit_random64() >> 24) -
			(INT64_C(1) << 39);
		FlakeFold	fold = {
			.floor_ms = unit_random64() >> 24,
			.horizon_ms = unit_random64() >> 22,
			.word = unit_random64() >> (layout == fluid ? 0 : 1),
			.highest_mark_ms = unit_random64() >> 24,
			.old_epoch_ms = MS_2026 - (int64_t) (unit_random64() >> 25),
			.new_epoch_ms = MS_2026 - (int64_t) (unit_random64() >> 25),
			.another_boot = unit_random64() & 1,
			.has_replayed = unit_random64() & 1,
			.replayed = instant_of_ms(replayed_ms),
		};
		int64_t		values[] = {
			(int64_t) fold.floor_ms,
			(int64_t) fold.highest_mark_ms,
			(int64_t) (fold.word >> (64 - layout->time_bits -
									 (layout == fluid ? 0 : 1))),
			fold.another_boot ? (int64_t) fold.horizon_ms : 0,
			fold.has_replayed && replayed_ms > fold.old_epoch_ms ?
			replayed_ms - fold.old_epoch_ms + margin_ms(layout) : 0,
			fold.has_replayed && replayed_ms > fold.new_epoch_ms ?
			replayed_ms - fold.new_epoch_ms + margin_ms(layout) : 0,
		};
		int64_t		highest = 0;

		for (int v = 0; v < 6; v++)
		{
			if (values[v] > (int64_t) flake_last_ms(layout))
				values[v] = (int64_t) flake_last_ms(layout);
			if (values[v] > highest)
				highest = values[v];
		}
		MUST(flake_fold_floor(layout, &fold) == (uint64_t) highest);
	}
}

/* A later epoch that moves the floor over a minute ahead of the clock. */
static void
test_refused(void)
{
	static const struct
	{
		int64_t		moved_ms;	/* from the old epoch to the new */
		int64_t		ahead_ms;	/* from the clock to the floor */
		bool		refused;
	}			rows[] = {
		{1, 60001, true},
		{1, 60000, false},
		{1, -1, false},
		{0, 60001, false},		/* the clock was set back */
		{-1, 60001, false},
		{0, INT64_C(1) << 38, false},
		{INT64_C(1) << 38, INT64_C(1) << 38, true},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
	{
		FlakeFold	fold = {
			.old_epoch_ms = FLAKE_EPOCH_2024_MS,
			.new_epoch_ms = FLAKE_EPOCH_2024_MS + rows[i].moved_ms,
		};
		int64_t		now_ms = fold.new_epoch_ms + 1000000;

		CHECK_EQ(flake_fold_is_refused(fluid, &fold,
									   (uint64_t) (1000000 + rows[i].ahead_ms),
									   instant_of_ms(now_ms)),
				 rows[i].refused);

		/* a clock before the epoch counts as the epoch */
		CHECK_EQ(flake_fold_is_refused(fluid, &fold, 60000,
									   instant_of_ms(MS_2026 - (INT64_C(1) << 40))),
				 false);
		CHECK_EQ(flake_fold_is_refused(fluid, &fold, 60001,
									   instant_of_ms(MS_2026 - (INT64_C(1) << 40))),
				 rows[i].moved_ms > 0);
	}
}

/* A reset lowers a word to the end of the millisecond, and never raises it. */
static void
test_lowered(void)
{
	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		const FlakeLayout *layout = &flake_layouts[format];
		unsigned	low_bits = flake_low_bits(layout);
		uint64_t	word = UINT64_C(1000) << low_bits | 77;
		uint64_t	ms = 1000;

		CHECK_EQ(flake_word_lowered(layout, word, ms), word);
		CHECK_EQ(flake_word_lowered(layout, word, ms + 1), word);
		CHECK_EQ(flake_word_lowered(layout, 0, ms + 1), 0);
		CHECK_EQ(flake_word_lowered(layout, word, ms - 1),
				 (UINT64_C(1000) << low_bits) - 1);
		CHECK_EQ(flake_word_lowered(layout, word, 0),
				 (UINT64_C(1) << low_bits) - 1);
	}
}

/* Damage that can be detected in a file: any value above its field */
static void
test_sound(void)
{
	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		const FlakeLayout *layout = &flake_layouts[format];
		uint64_t	last_ms = flake_last_ms(layout);

		CHECK(flake_is_sound(layout, 0));
		CHECK(flake_is_sound(layout, last_ms));
		CHECK(!flake_is_sound(layout, last_ms + 1));
		CHECK(!flake_is_sound(layout, UINT64_MAX));
		CHECK(flake_word_is_sound(layout, 0));
		CHECK(flake_word_is_sound(layout, INT64_MAX));
		CHECK_EQ(flake_word_is_sound(layout, UINT64_MAX), layout == fluid);
		CHECK_EQ(flake_word_is_sound(layout, UINT64_C(1) << 63), layout == fluid);
	}
	CHECK_EQ(flake_last_ms(fluid), (UINT64_C(1) << 40) - 1);
	CHECK_EQ(flake_last_ms(nanoflake), (UINT64_C(1) << 41) - 1);
}

/* 10 s past the ids being generated; near once half of it is used. */
static void
test_horizon(void)
{
	uint64_t	horizon_ms = flake_horizon_for(1000);

	CHECK_EQ(horizon_ms, 11000);
	CHECK(!flake_horizon_is_near(1000, horizon_ms));
	CHECK(!flake_horizon_is_near(6000, horizon_ms));
	CHECK(flake_horizon_is_near(6001, horizon_ms));
	CHECK(flake_horizon_is_near(11000, horizon_ms));
	CHECK(flake_horizon_is_near(20000, horizon_ms));
}

void
test_fold(void)
{
	test_highest();
	test_replayed_epochs();
	test_field_end();
	test_any();
	test_refused();
	test_lowered();
	test_sound();
	test_horizon();
}
