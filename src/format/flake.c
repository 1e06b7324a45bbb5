/*
 * flake.c
 *		The 64-bit formats: ids from instants and fields, addresses, and the
 *		generator step.  See flake.h.
 */
#include "format/flake.h"

/*
 * The millisecond since the epoch in which the instant lies; *ms is unchanged
 * if that is before the epoch.
 */
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
	uint64_t	ms = 0;

	if (flake_ms_of(layout, instant, epoch_ms, &ms) == FLAKE_BEYOND_FIELD)
		return flake_last_ms(layout);
	return ms;
}

/*
 * Smallest id of the instant's millisecond or later: 0 before the epoch, the
 * greatest bigint beyond the last millisecond that is generated, since a range
 * across the sign of FLUID would be empty.
 */
int64_t
flake_id_min(const FlakeLayout *layout, FlakeInstant instant, int64_t epoch_ms)
{
	uint64_t	ms = 0;

	if (flake_ms_of(layout, instant, epoch_ms, &ms) == FLAKE_BEYOND_FIELD ||
		ms > layout->last_generated_ms)
		return INT64_MAX;
	return (int64_t) flake_time_part(layout, ms);
}

/* Bits needed to number this many backends from 0. */
uint32_t
flake_slot_bits(uint32_t backends)
{
	uint32_t	bits = 0;

	while (backends > flake_mask(bits) + 1)
		bits++;
	return bits;
}

/* Slot bits in use: none in server scope. */
static unsigned
slot_bits(const FlakeAddress *address)
{
	return address->server_scope ? 0 : address->slot_bits;
}

/*
 * Share of a process.  TOO_FEW_BITS if node and slot do not fit in the
 * generator field, so that this format cannot be generated.
 */
FlakeStatus
flake_share(const FlakeLayout *layout, const FlakeAddress *address,
			uint32_t slot, FlakeShare *share)
{
	unsigned	address_bits = address->node_bits + slot_bits(address);
	uint64_t	high = (uint64_t) address->node << slot_bits(address);

	if (layout->generator_bits == 0)
	{
		share->prefix = 0;
		share->counter_bits = layout->sequence_bits;
		return FLAKE_OK;
	}
	if (address_bits > layout->generator_bits)
		return FLAKE_TOO_FEW_BITS;
	if (!address->server_scope)
		high |= slot;
	share->counter_bits = flake_low_bits(layout) - address_bits;
	share->prefix = high << share->counter_bits;
	return FLAKE_OK;
}

FlakeStatus
flake_address_split(const FlakeLayout *layout, const FlakeAddress *address,
					uint32_t generator, FlakeAddressParts *parts)
{
	unsigned	address_bits = address->node_bits + slot_bits(address);
	unsigned	lane_bits = layout->generator_bits - address_bits;

	if (address_bits > layout->generator_bits)
		return FLAKE_TOO_FEW_BITS;
	parts->lane = generator & (uint32_t) flake_mask(lane_bits);
	parts->slot = generator >> lane_bits &
		(uint32_t) flake_mask(slot_bits(address));
	parts->node = generator >> (layout->generator_bits - address->node_bits);
	return FLAKE_OK;
}

/* The position is seen for the first time. */
static void
watch(FlakeClockHistory *history, uint64_t position_ms, int64_t now_ms)
{
	history->valid = true;
	history->position_ms = position_ms;
	history->first_ms = now_ms;
}

/*
 * May a format that continues take the next millisecond?  Only after the clock
 * has advanced by one millisecond since the position was first seen.  So ids
 * get no further ahead of the clock, however fast they are generated.
 */
static bool
clock_has_advanced(FlakeClockHistory *history, uint64_t position_ms,
				   int64_t now_ms)
{
	if (!history->valid || history->position_ms != position_ms)
		watch(history, position_ms, now_ms);
	return now_ms > history->first_ms;
}

/*
 * Remember a reading of the clock.  After a step back, forget when the
 * position was first seen.
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

/*
 * The full step, including the common case.  First come the cases that refuse
 * or wait at once, then those that count up in the millisecond of the
 * position, then those that begin a new millisecond, next_ms.
 */
FlakeStep
flake_step_slow(const FlakeLayout *layout, const FlakeIncrement *increment,
				int64_t now_ms, uint64_t allowed_ms,
				FlakeClockHistory *history, FlakePosition *position,
				uint64_t *wanted_ms)
{
	FlakeStep	step = FLAKE_STEP_NEW_MS;
	uint64_t	next_ms = now_ms < 0 ? 0 : (uint64_t) now_ms;

	look_at_clock(history, now_ms);
	if (now_ms < 0 && position->ms == 0)
		return FLAKE_STEP_BEFORE_EPOCH;
	if (next_ms < position->ms && layout->waits)
		return FLAKE_STEP_BEHIND;
	*wanted_ms = position->ms;
	if (next_ms <= position->ms && position->ms > allowed_ms)
		return FLAKE_STEP_NEEDS_HORIZON;
	if (next_ms == position->ms)
		return flake_count(increment, &position->counter) ?
			FLAKE_STEP_COUNTED : FLAKE_STEP_FULL;
	if (next_ms < position->ms)
	{
		if (flake_count(increment, &position->counter))
			return FLAKE_STEP_CONTINUED;
		if (!clock_has_advanced(history, position->ms, now_ms))
			return FLAKE_STEP_BEHIND;
		step = FLAKE_STEP_MOVED_ON;
		next_ms = position->ms + 1;
	}
	if (next_ms > layout->last_generated_ms)
		return FLAKE_STEP_BEYOND_FIELD;
	*wanted_ms = next_ms;
	if (next_ms > allowed_ms)
		return FLAKE_STEP_NEEDS_HORIZON;
	position->ms = next_ms;
	position->counter = increment->first | increment->fixed;
	watch(history, next_ms, now_ms);
	return step;
}

/*
 * Increment of Ulid-Flake: a random first value, then steps of 1 plus
 * step_bits random bits; the scalable form counts above its 5 fixed bits.
 */
FlakeIncrement
flake_increment_random(unsigned fixed_bits, uint64_t fixed, unsigned step_bits,
					   uint64_t random64)
{
	const FlakeLayout *layout = &flake_layouts[FLAKE_ULIDFLAKE];
	uint64_t	random_step = random64 >> 32 & flake_mask(step_bits);
	FlakeIncrement increment;

	increment.last = flake_mask(layout->sequence_bits);
	increment.fixed_mask = flake_mask(fixed_bits);
	increment.fixed = fixed;
	increment.first = random64 & increment.last & ~increment.fixed_mask;
	increment.step = (1 + random_step) << fixed_bits;
	return increment;
}

/*
 * Average number of ids per millisecond: the first value is uniform, so half
 * of the values remain, and a step uses (1 + 2^step_bits) / 2 of them.
 */
uint64_t
flake_random_per_ms(const FlakeIncrement *increment, unsigned step_bits)
{
	const uint64_t values = (increment->last + 1) /
		(increment->fixed_mask + 1);

	return values / ((UINT64_C(1) << step_bits) + 1) + 1;
}
