/*
 * flake_horizon.c
 *		Write and judge the tag of a horizon.
 *
 * The tag shows who wrote the horizon: this start of the server, an earlier
 * start with the same epoch, or another hand, which writes no such tag.  From
 * the tag and the clock, flake_judge() decides where ids continue.  The tag
 * also contains a request for a reset, which lets the next start begin at the
 * clock.  The layout of its bits is in flake_horizon.h.
 */
#include "format/flake_horizon.h"

#define OURS		(UINT64_C(1) << 63)
#define RESET		(UINT64_C(1) << 62)
#define LOW_BITS	32
#define ROOM_BITS	5

/* Two epochs have the same checksum with a probability of 2^-32. */
static uint32_t
epoch_checksum(int64_t epoch_ms)
{
	uint64_t	bits = (uint64_t) epoch_ms;

	return (uint32_t) (bits ^ (bits >> 32) * UINT64_C(0x9e3779b1));
}

static int64_t
tag_of(uint64_t flags, uint32_t number, uint32_t low)
{
	uint64_t	high = number & flake_mask(FLAKE_START_NUMBER_BITS);

	return (int64_t) (flags | high << LOW_BITS | low);
}

/* Tag of a page that this start writes. */
int64_t
flake_tag(const FlakeStart *start)
{
	return tag_of(OURS, start->number, epoch_checksum(start->epoch_ms));
}

/*
 * Checksum that is added to the timeline of a reset.  The multiplication keeps
 * the checksums of similar epochs further apart than the few timelines of a
 * server.  The system identifier distinguishes the timelines of another
 * cluster, to which pg_upgrade can copy a page.
 */
static uint32_t
reset_checksum(const FlakeStart *start)
{
	uint32_t	cluster = (uint32_t) (start->cluster ^ start->cluster >> 32);

	return (epoch_checksum(start->epoch_ms) ^ cluster) *
		UINT32_C(0x9e3779b1) >> ROOM_BITS;
}

/*
 * Tag of a page that this start writes to request a reset: the next start
 * begins at the clock.  Until then, the horizon may rise by this room.
 */
int64_t
flake_tag_reset(const FlakeStart *start, uint64_t room_s)
{
	uint32_t	checksum = reset_checksum(start) + start->timeline;
	uint32_t	room = room_s < FLAKE_RESET_ROOM_S ?
		(uint32_t) room_s : FLAKE_RESET_ROOM_S;

	return tag_of(OURS | RESET, start->number, checksum << ROOM_BITS | room);
}

/* Does the tag request a reset? */
bool
flake_tag_is_reset(int64_t tag)
{
	return ((uint64_t) tag & (OURS | RESET)) == (OURS | RESET);
}

/* Seconds of room that a reset has left. */
uint64_t
flake_tag_room_s(int64_t tag)
{
	return flake_tag_is_reset(tag) ?
		(uint64_t) tag & flake_mask(ROOM_BITS) : 0;
}

static uint32_t
tag_number(int64_t tag)
{
	return (uint32_t) ((uint64_t) tag >> LOW_BITS &
					   flake_mask(FLAKE_START_NUMBER_BITS));
}

/* Timeline on which a reset was requested, if the epoch was that in effect. */
static uint32_t
reset_timeline(int64_t tag, const FlakeStart *start)
{
	return (((uint32_t) tag >> ROOM_BITS) - reset_checksum(start)) &
		(uint32_t) flake_mask(LOW_BITS - ROOM_BITS);
}

/*
 * Was the page written with this epoch?  In a reset, subtracting the checksum
 * must leave a timeline that this server has or had.
 */
static bool
has_epoch(int64_t tag, const FlakeStart *start)
{
	if (flake_tag_is_reset(tag))
		return reset_timeline(tag, start) >= 1 &&
			reset_timeline(tag, start) <= start->timeline;
	return tag < 0 && (uint32_t) tag == epoch_checksum(start->epoch_ms);
}

static bool
is_far_ahead(const FlakeStoredHorizon *stored, const FlakeStart *start)
{
	return stored->horizon_ms > (int64_t) (start->now_ms + FLAKE_FAR_AHEAD_MS);
}

/*
 * State of a stored horizon.  A reset takes effect only on the timeline on
 * which it was requested: after a promotion, it was meant for another server.
 * A reset that was requested with another epoch has no effect, and the page
 * can be refused like any other.
 */
FlakeVerdict
flake_judge(const FlakeStoredHorizon *stored, const FlakeStart *start)
{
	if (!start->page_is_older &&
		stored->tag < 0 && tag_number(stored->tag) == start->number)
		return flake_tag_is_reset(stored->tag) ?
			FLAKE_HORIZON_PENDING : FLAKE_HORIZON_CURRENT;
	if (!has_epoch(stored->tag, start))
		return is_far_ahead(stored, start) ?
			FLAKE_HORIZON_REFUSED : FLAKE_HORIZON_EARLIER;
	if (flake_tag_is_reset(stored->tag) &&
		reset_timeline(stored->tag, start) == start->timeline)
		return FLAKE_HORIZON_RESET;
	return FLAKE_HORIZON_EARLIER;
}
