/*
 * flake_next.c
 *		The generator step of the 64-bit formats.  Rules: flake_next.h.
 */
#include "format/flake_next.h"

/*
 * May a format that continues take the next millisecond?  Only after the clock
 * has advanced by one since the position was first seen, so that ids get no
 * further ahead of the clock, however fast they are generated.
 */
static bool
clock_moved_on(FlakeClockHistory *history, uint64_t position_ms, int64_t now_ms)
{
	if (!history->valid || history->position_ms != position_ms)
	{
		history->valid = true;
		history->position_ms = position_ms;
		history->first_ms = now_ms;
	}
	return now_ms > history->first_ms;
}

/*
 * Note a reading of the clock; after a step back, forget when the position was
 * first seen.
 */
static void
look_at_clock(FlakeClockHistory *history, int64_t now_ms)
{
	if (now_ms < history->latest_ms)
	{
		history->steps_back++;
		history->valid = false;
	}
	history->latest_ms = now_ms;
}

static FlakeStep
needs_horizon(FlakeClockHistory *history, uint64_t ms)
{
	history->wanted_ms = ms;
	return FLAKE_STEP_NEEDS_HORIZON;
}

/* The full step, including the common case. */
FlakeStep
flake_step_slow(const FlakeLayout *layout, const FlakeIncrement *increment,
				int64_t now_ms, uint64_t allowed_ms, FlakeClockHistory *history,
				FlakePosition *position)
{
	FlakeStep	made = FLAKE_STEP_NEW_MS;
	uint64_t	next_ms = (uint64_t) now_ms;

	look_at_clock(history, now_ms);
	if (now_ms < 0)
		return FLAKE_STEP_BEFORE_EPOCH;
	if (next_ms < position->ms && layout->waits)
		return FLAKE_STEP_BEHIND;
	if (next_ms <= position->ms && position->ms > allowed_ms)
		return needs_horizon(history, position->ms);
	if (next_ms == position->ms)
		return flake_count(increment, &position->counter) ?
			FLAKE_STEP_COUNTED : FLAKE_STEP_FULL;
	if (next_ms < position->ms)
	{
		if (flake_count(increment, &position->counter))
			return FLAKE_STEP_CARRIED_ON;
		if (!clock_moved_on(history, position->ms, now_ms))
			return FLAKE_STEP_BEHIND;
		made = FLAKE_STEP_MOVED_ON;
		next_ms = position->ms + 1;
	}
	if (next_ms > layout->last_generated_ms)
		return FLAKE_STEP_BEYOND_FIELD;
	if (next_ms > allowed_ms)
		return needs_horizon(history, next_ms);
	position->ms = next_ms;
	position->counter = increment->first | increment->fixed;
	history->valid = false;
	(void) clock_moved_on(history, next_ms, now_ms);
	return made;
}

/*
 * Increment of Ulid-Flake: a random first value, then steps of 1 plus
 * step_bits random bits; the scalable form counts above its 5 fixed bits.
 */
FlakeIncrement
flake_increment_random(unsigned fixed_bits, uint64_t fixed, unsigned step_bits,
					   uint64_t random64)
{
	const uint64_t last = flake_mask(flake_layouts[FLAKE_ULIDFLAKE].sequence_bits);
	const uint64_t fixed_mask = flake_mask(fixed_bits);

	return (FlakeIncrement) {
		.last = last,
		.fixed_mask = fixed_mask,
		.fixed = fixed,
		.first = random64 & last & ~fixed_mask,
		.step = (1 + (random64 >> 32 & flake_mask(step_bits))) << fixed_bits,
	};
}

/*
 * Average number of ids per millisecond: the first value is uniform, so half
 * of the values remain, and a step uses (1 + 2^step_bits) / 2 of them.
 */
uint64_t
flake_random_per_ms(const FlakeIncrement *increment, unsigned step_bits)
{
	const uint64_t values = (increment->last + 1) / (increment->fixed_mask + 1);

	return values / ((UINT64_C(1) << step_bits) + 1) + 1;
}
