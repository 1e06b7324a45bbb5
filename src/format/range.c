/*
 * range.c
 *		Bounding ids of a time range.  See range.h.
 */
#include "format/range.h"

/* Tick of the instant: 0 before the field, last_tick + 1 beyond it. */
static uint64_t
clamped_ticks(const FlakeTimeField *field, FlakeInstant instant)
{
	uint64_t	ticks;

	switch (flake_instant_to_ticks(field, instant, &ticks))
	{
		case FLAKE_OK:
			return ticks;
		case FLAKE_BEFORE_FIELD:
			return 0;
		default:
			return field->last_tick + 1;
	}
}

/* Value after the largest UUID of the version. */
static FlakeUuid
after_last(int version)
{
	FlakeUuid	uuid = flake_uuid_pack(version,
									   flake_mask(FLAKE_UUID_HIGH_BITS), 0);

	uuid.low = UINT64_C(3) << FLAKE_UUID_LOW_BITS;
	return uuid;
}

static FlakeUuid
first_uuid(int version, const FlakeTimeField *field, unsigned low_bits,
		   FlakeInstant instant)
{
	uint64_t	ticks = clamped_ticks(field, instant);

	if (ticks > field->last_tick)
		return after_last(version);
	return flake_uuid_pack(version, ticks << low_bits, 0);
}

/* Smallest UUIDv6 of the instant's tick or later. */
FlakeUuid
flake_uuid_v6_first(FlakeInstant instant)
{
	return first_uuid(6, &flake_uuid_v6_field, 0, instant);
}

/* Smallest UUIDv7 of the instant's millisecond or later. */
FlakeUuid
flake_uuid_v7_first(FlakeInstant instant)
{
	return first_uuid(7, &flake_uuid_v7_field, 12, instant);
}

/* Smallest id of the instant's step or later, in a layout of the draft. */
FlakeUuid
flake_draft_first(const FlakeDraftLayout *layout, FlakeInstant instant)
{
	FlakeUuid	uuid;

	switch (flake_draft_min(layout, instant, &uuid))
	{
		case FLAKE_OK:
			return uuid;
		case FLAKE_BEFORE_FIELD:
			return flake_uuid_pack(layout->version, 0, 0);
		default:
			return after_last(layout->version);
	}
}

/*
 * Largest bigint before the ids of the instant's millisecond: -1 before the
 * epoch, the largest generated id beyond the last millisecond.
 */
int64_t
flake_id_before(const FlakeLayout *layout, FlakeInstant instant,
				int64_t epoch_ms)
{
	uint64_t	ms;
	FlakeStatus status = flake_ms_of(layout, instant, epoch_ms, &ms);

	if (status == FLAKE_BEFORE_FIELD)
		return -1;
	if (status != FLAKE_OK || ms > layout->last_generated_ms)
		return (int64_t) (flake_time_part(layout, layout->last_generated_ms) |
						  flake_mask(flake_low_bits(layout)));
	return (int64_t) flake_time_part(layout, ms) - 1;
}

/* Id of a millisecond, the bits below it taken from fill. */
static FlakeScru160
scru160_filled(uint64_t ms, uint64_t fill)
{
	FlakeScru160 id = {
		.stamp = ms << FLAKE_SCRU160_COUNTER_BITS |
		(fill & flake_mask(FLAKE_SCRU160_COUNTER_BITS)),
		.random_high = fill,
		.random_low = (uint32_t) fill,
	};

	return id;
}

/* Smallest and largest id of the range. */
FlakeScru160Range
flake_scru160_range(FlakeInstant from, FlakeInstant to)
{
	const FlakeTimeField *field = &flake_scru160_field;
	uint64_t	from_ms = clamped_ticks(field, from);
	uint64_t	to_ms = clamped_ticks(field, to);
	FlakeScru160Range range = {
		.first = scru160_filled(field->last_tick, UINT64_MAX),
		.last = scru160_filled(0, 0),
	};

	if (from_ms < to_ms)
	{
		range.first = scru160_filled(from_ms, 0);
		range.last = scru160_filled(to_ms - 1, UINT64_MAX);
	}
	return range;
}
