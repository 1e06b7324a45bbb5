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

/* The greatest value, which is no id of any version. */
static const FlakeUuid greatest_uuid = {UINT64_MAX, UINT64_MAX};

static FlakeUuid
first_uuid(int version, const FlakeTimeField *field, unsigned low_bits,
		   FlakeInstant instant)
{
	uint64_t	ticks = clamped_ticks(field, instant);

	if (ticks > field->last_tick)
		return greatest_uuid;
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
			return greatest_uuid;
	}
}

/*
 * Smallest id of the instant's millisecond or later: 0 before the epoch, the
 * greatest bigint beyond the last millisecond.
 */
int64_t
flake_id_first(const FlakeLayout *layout, FlakeInstant instant,
			   int64_t epoch_ms)
{
	uint64_t	ms;
	FlakeStatus status = flake_ms_of(layout, instant, epoch_ms, &ms);

	if (status == FLAKE_BEFORE_FIELD)
		return 0;
	if (status != FLAKE_OK || ms > layout->last_generated_ms)
		return INT64_MAX;
	return (int64_t) flake_time_part(layout, ms);
}

/* Smallest SCRU160 of the instant's millisecond or later. */
FlakeScru160
flake_scru160_first(FlakeInstant instant)
{
	uint64_t	ms = clamped_ticks(&flake_scru160_field, instant);

	if (ms > flake_scru160_field.last_tick)
		return (FlakeScru160) {UINT64_MAX, UINT64_MAX, UINT32_MAX};
	return (FlakeScru160) {.stamp = ms << FLAKE_SCRU160_COUNTER_BITS};
}
