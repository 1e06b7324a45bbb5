/*
 * step.c
 *		The generator step of the 64-bit formats.  Rules: step.h.
 */
#include "format/step.h"

/*
 * May a format that carries on take the next millisecond?  Only after the
 * clock has moved on by one since the position's was first seen, so that ids
 * get no further ahead of the clock, however fast they are made.
 */
static bool
clock_moved_on(FlakeSight *sight, uint64_t position_ms, int64_t now_ms)
{
	if (!sight->valid || sight->position_ms != position_ms)
	{
		sight->valid = true;
		sight->position_ms = position_ms;
		sight->first_ms = now_ms;
	}
	return now_ms > sight->first_ms;
}

/* Keep what the process saw of the clock; a step back starts the count again. */
static void
look_at_clock(FlakeSight *sight, int64_t now_ms)
{
	if (now_ms < sight->latest_ms)
	{
		sight->steps_back++;
		sight->valid = false;
	}
	sight->latest_ms = now_ms;
}

/* Every step but the commonest. */
FlakeStep
flake_step_slow(const FlakeLayout *layout, const FlakeCounting *counting,
				int64_t now_ms, uint64_t allowed_ms, FlakeSight *sight,
				FlakePosition *position)
{
	FlakeStep	made = FLAKE_STEP_NEW_MS;
	uint64_t	next_ms = (uint64_t) now_ms;

	look_at_clock(sight, now_ms);
	if (now_ms < 0)
		return FLAKE_STEP_BEFORE_EPOCH;
	if (next_ms == position->ms)
		return flake_count(counting, &position->counter) ?
			FLAKE_STEP_COUNTED : FLAKE_STEP_FULL;
	if (next_ms < position->ms)
	{
		if (layout->waits)
			return FLAKE_STEP_BEHIND;
		if (flake_count(counting, &position->counter))
			return FLAKE_STEP_CARRIED_ON;
		if (!clock_moved_on(sight, position->ms, now_ms))
			return FLAKE_STEP_BEHIND;
		made = FLAKE_STEP_MOVED_ON;
		next_ms = position->ms + layout->unit_ms;
	}
	if (next_ms > layout->last_generated_ms)
		return FLAKE_STEP_BEYOND_FIELD;
	if (next_ms > allowed_ms)
	{
		sight->wanted_ms = next_ms;
		return FLAKE_STEP_NEEDS_HORIZON;
	}
	position->ms = next_ms;
	position->counter = counting->first | counting->fixed;
	sight->valid = false;
	(void) clock_moved_on(sight, next_ms, now_ms);
	return made;
}

/*
 * Ulid-Flake's way: a random first value, then steps of 1 + step_bits random
 * bits; the scalable form counts above its 5 fixed bits.
 */
FlakeCounting
flake_counting_random(unsigned fixed_bits, uint64_t fixed, unsigned step_bits,
					  uint64_t random64)
{
	const uint64_t last = flake_mask(flake_layouts[FLAKE_ULIDFLAKE].sequence_bits);
	const uint64_t fixed_mask = flake_mask(fixed_bits);

	return (FlakeCounting) {
		.last = last,
		.fixed_mask = fixed_mask,
		.fixed = fixed,
		.first = random64 & last & ~fixed_mask,
		.step = (1 + (random64 >> 32 & flake_mask(step_bits))) << fixed_bits,
	};
}

/*
 * Average number of ids in a millisecond: the first value is uniform, so half
 * the values are left, and a step takes (1 + 2^step_bits) / 2 of them.
 */
uint64_t
flake_random_per_ms(const FlakeCounting *counting, unsigned step_bits)
{
	const uint64_t values = (counting->last + 1) / (counting->fixed_mask + 1);

	return values / ((UINT64_C(1) << step_bits) + 1) + 1;
}
