/*
 * range.c
 *		Bounding ids of a time range.  See range.h.
 */
#include "format/range.h"

static const FlakeUuid greatest_uuid = {UINT64_MAX, UINT64_MAX};

/* The smallest UUID of an instant, clamped. */
static FlakeUuid
first_uuid(FlakeStatus status, int version, const FlakeUuid *uuid)
{
	switch (status)
	{
		case FLAKE_OK:
			return *uuid;
		case FLAKE_BEFORE_FIELD:
			return flake_uuid_pack(version, 0, 0);
		default:
			return greatest_uuid;
	}
}

/* Smallest UUIDv6 of the instant's tick or later. */
FlakeUuid
flake_uuid_v6_first(FlakeInstant instant)
{
	FlakeUuid	uuid;

	return first_uuid(flake_uuid_v6_min(instant, &uuid), 6, &uuid);
}

/* Smallest UUIDv7 of the instant's millisecond or later. */
FlakeUuid
flake_uuid_v7_first(FlakeInstant instant)
{
	FlakeUuid	uuid;

	return first_uuid(flake_uuid_v7_min(instant, &uuid), 7, &uuid);
}

/* Smallest id of the instant's step or later, in a layout of the draft. */
FlakeUuid
flake_draft_first(const FlakeDraftLayout *layout, FlakeInstant instant)
{
	FlakeUuid	uuid;

	return first_uuid(flake_draft_min(layout, instant, &uuid),
					  layout->version, &uuid);
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
	FlakeScru160 id = {0};
	FlakeStatus status = flake_scru160_min(instant, &id);

	if (status == FLAKE_OK || status == FLAKE_BEFORE_FIELD)
		return id;
	return (FlakeScru160) {UINT64_MAX, UINT64_MAX, UINT32_MAX};
}
