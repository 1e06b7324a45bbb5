/*
 * flake_fold.c
 *		Arithmetic of the fold.  See flake_fold.h.
 */
#include "format/flake_fold.h"

/*
 * A horizon may lie past the end of the field; a floor at the end means that
 * no ids are left.
 */
static void
raise_to(const FlakeLayout *layout, uint64_t *floor_ms, uint64_t ms)
{
	if (ms > flake_last_ms(layout))
		ms = flake_last_ms(layout);
	if (ms > *floor_ms)
		*floor_ms = ms;
}

/* Raise the floor above the newest replayed commit, counted from the epoch. */
static void
raise_to_replayed(const FlakeLayout *layout, uint64_t *floor_ms,
				  FlakeInstant replayed, int64_t epoch_ms)
{
	uint64_t	ms = flake_ms_clamped(layout, replayed, epoch_ms);

	if (ms > 0)
		raise_to(layout, floor_ms,
				 ms + (layout->waits ? FLAKE_REPLAYED_MARGIN_WAITS_MS :
					   FLAKE_REPLAYED_MARGIN_MS));
}

/*
 * Floor for a new postmaster: the highest of the old floor, all marks, the
 * word, the newest replayed commit plus a margin (counted from either epoch),
 * and after another boot the horizon.
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
		raise_to_replayed(layout, &floor_ms, fold->replayed,
						  fold->old_epoch_ms);
		raise_to_replayed(layout, &floor_ms, fold->replayed,
						  fold->new_epoch_ms);
	}
	return floor_ms;
}

/*
 * Would the new epoch silently put the floor, and so all new ids, far ahead of
 * the clock?
 */
bool
flake_fold_is_refused(const FlakeLayout *layout, const FlakeFold *fold,
					  uint64_t floor_ms, FlakeInstant now)
{
	return fold->new_epoch_ms > fold->old_epoch_ms &&
		floor_ms > flake_ms_clamped(layout, now, fold->new_epoch_ms) +
		FLAKE_FAR_AHEAD_MS;
}

/* Lower the word to the end of ms if it lies above (reset). */
uint64_t
flake_word_lowered(const FlakeLayout *layout, uint64_t word, uint64_t ms)
{
	return flake_id_ms(layout, word) > ms ?
		flake_time_part(layout, ms) | flake_mask(flake_low_bits(layout)) : word;
}

/* Is a floor or mark within its field? */
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
