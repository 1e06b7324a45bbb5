/*
 * fold.c
 *		The fold's arithmetic.  See fold.h.
 */
#include "format/fold.h"

/* Horizons may lie past the field's end; a floor there means: no id is left. */
static void
raise_to(const FlakeLayout *layout, uint64_t *floor_ms, uint64_t ms)
{
	if (ms > flake_last_ms(layout))
		ms = flake_last_ms(layout);
	if (ms > *floor_ms)
		*floor_ms = ms;
}

/*
 * The floor under a new postmaster: the highest of itself, all marks, the
 * word, the newest replayed commit by either epoch, and after another boot the
 * horizon.
 */
uint64_t
flake_fold_floor(const FlakeLayout *layout, const FlakeFold *fold)
{
	uint64_t	floor_ms = fold->floor_ms;

	raise_to(layout, &floor_ms, fold->highest_mark_ms);
	raise_to(layout, &floor_ms, flake_id_ms(layout, fold->word));
	if (fold->another_boot)
		raise_to(layout, &floor_ms, fold->horizon_ms);
	if (fold->has_replayed)
	{
		raise_to(layout, &floor_ms,
				 flake_ms_clamped(layout, fold->replayed, fold->old_epoch_ms));
		raise_to(layout, &floor_ms,
				 flake_ms_clamped(layout, fold->replayed, fold->new_epoch_ms));
	}
	return floor_ms;
}

/* A word of at most the millisecond: a reset takes back what lies above. */
uint64_t
flake_word_lowered(const FlakeLayout *layout, uint64_t word, uint64_t ms)
{
	return flake_id_ms(layout, word) > ms ?
		flake_time_part(layout, ms) | flake_mask(flake_low_bits(layout)) : word;
}

/* Does a floor or mark lie in its field? */
bool
flake_is_sound(const FlakeLayout *layout, uint64_t ms)
{
	return ms <= flake_last_ms(layout);
}

bool
flake_word_is_sound(const FlakeLayout *layout, uint64_t word)
{
	return flake_check_id(layout, word) == FLAKE_OK;
}
