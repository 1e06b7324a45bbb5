/*
 * flake.c
 *		The 64-bit formats: ids from instants and fields.  See flake.h.
 */
#include "format/flake.h"

/* The millisecond since the epoch in which the instant lies. */
FlakeStatus
flake_ms_of(const FlakeLayout *layout, FlakeInstant instant, int64_t epoch_ms,
			uint64_t *ms)
{
	int64_t		unix_ms = flake_unix_ms(instant);

	if (unix_ms < epoch_ms)
		return FLAKE_BEFORE_FIELD;
	*ms = (uint64_t) unix_ms - (uint64_t) epoch_ms;
	return *ms > flake_last_ms(layout) ? FLAKE_BEYOND_FIELD : FLAKE_OK;
}

/* As flake_ms_of(), clamped to the field. */
uint64_t
flake_ms_clamped(const FlakeLayout *layout, FlakeInstant instant,
				 int64_t epoch_ms)
{
	uint64_t	ms;

	switch (flake_ms_of(layout, instant, epoch_ms, &ms))
	{
		case FLAKE_OK:
			return ms;
		case FLAKE_BEFORE_FIELD:
			return 0;
		default:
			return flake_last_ms(layout);
	}
}

/*
 * Smallest id of the instant's millisecond.  Times that generators cannot reach
 * are refused: a range across the sign of FLUID would be empty.
 */
FlakeStatus
flake_id_min(const FlakeLayout *layout, FlakeInstant instant,
			 int64_t epoch_ms, uint64_t *id)
{
	uint64_t	ms;
	FlakeStatus status = flake_ms_of(layout, instant, epoch_ms, &ms);

	if (status != FLAKE_OK)
		return status;
	if (ms > layout->last_generated_ms)
		return FLAKE_BEYOND_FIELD;
	*id = flake_time_part(layout, ms);
	return FLAKE_OK;
}
