/*
 * flake_horizon.c
 *		What the tag of a horizon says.  See flake_horizon.h.
 */
#include "format/flake_horizon.h"

#define OURS		(UINT64_C(1) << 63)
#define RESET		(UINT64_C(1) << 62)
#define LOW_BITS	32
#define TIMELINE_BITS	16

/* Two epochs have the same one with a probability of 2^-32. */
static uint32_t
epoch_checksum(int64_t epoch_ms)
{
	uint64_t	bits = (uint64_t) epoch_ms;

	return (uint32_t) (bits ^ (bits >> 32) * UINT64_C(0x9e3779b1));
}

static int64_t
tag_of(uint64_t flags, uint32_t number, uint32_t low)
{
	return (int64_t) (flags |
					  (number & flake_mask(FLAKE_START_NUMBER_BITS)) << LOW_BITS |
					  low);
}

/* Tag of a page that this start writes. */
int64_t
flake_tag(const FlakeStart *start)
{
	return tag_of(OURS, start->number, epoch_checksum(start->epoch_ms));
}

/* Half a checksum of the epoch, and the end of the timeline's number. */
static uint32_t
reset_checksum(const FlakeStart *start)
{
	return epoch_checksum(start->epoch_ms) << TIMELINE_BITS |
		(start->timeline & (uint32_t) flake_mask(TIMELINE_BITS));
}

/* The same, with the request that the next start begins at the clock. */
int64_t
flake_tag_reset(const FlakeStart *start)
{
	return tag_of(OURS | RESET, start->number, reset_checksum(start));
}

/* Does the tag request a reset? */
bool
flake_tag_is_reset(int64_t tag)
{
	return ((uint64_t) tag & (OURS | RESET)) == (OURS | RESET);
}

static uint32_t
tag_number(int64_t tag)
{
	return (uint32_t) ((uint64_t) tag >> LOW_BITS &
					   flake_mask(FLAKE_START_NUMBER_BITS));
}

/* Was the page written with the epoch in effect? */
static bool
has_epoch(int64_t tag, const FlakeStart *start)
{
	uint32_t	low = (uint32_t) tag;

	if (flake_tag_is_reset(tag))
		return low >> TIMELINE_BITS == reset_checksum(start) >> TIMELINE_BITS;
	return tag < 0 && low == epoch_checksum(start->epoch_ms);
}

static bool
has_timeline(int64_t tag, const FlakeStart *start)
{
	return (((uint32_t) tag ^ start->timeline) & flake_mask(TIMELINE_BITS)) == 0;
}

/*
 * State of a page.  A reset counts only on the timeline on which it was
 * requested: after a promotion it was meant for another server, and must not
 * get around the comparison of the epochs.
 */
FlakePageState
flake_page_state(const FlakePage *page, const FlakeStart *start)
{
	if (page->tag < 0 && tag_number(page->tag) == start->number)
		return FLAKE_PAGE_CURRENT;
	if (flake_tag_is_reset(page->tag) && has_timeline(page->tag, start))
		return FLAKE_PAGE_RESET;
	if (!has_epoch(page->tag, start) &&
		page->horizon_ms > (int64_t) (start->now_ms + FLAKE_FAR_AHEAD_MS))
		return FLAKE_PAGE_REFUSED;
	return FLAKE_PAGE_EARLIER;
}
