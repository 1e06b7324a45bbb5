/*
 * flake_horizon.h
 *		The horizon of a format in a database, and the tag beside it
 *		(doc/internals/protocol.md, rules 3 to 6).
 *
 * No process returns an id later than the horizon of its database.  Horizon
 * and tag are last_value and log_cnt of a sequence; PostgreSQL itself never
 * writes a negative log_cnt.
 *
 *	 first bit                                                       last bit
 *	+---+-------+----------------------+-------------------------------------+
 *	| 1 | reset | number of the start  | checksum of the epoch               |
 *	+---+-------+----------------------+-------------------------------------+
 *	  1     1             30                             32
 *
 * If the reset bit is set, the checksum has 27 bits, to which the timeline of
 * the request is added.  The last 5 bits are the seconds of room that are left
 * after the horizon.
 *
 * Horizons are timestamps of ids, in ms since the epoch, not readings of the
 * clock.  So if the epoch was moved to a later time, a horizon is ahead of the
 * clock by as much as if the clock had been set back.
 */
#ifndef FLAKEID_FORMAT_FLAKE_HORIZON_H
#define FLAKEID_FORMAT_FLAKE_HORIZON_H

#include "format/flake.h"

#define FLAKE_START_NUMBER_BITS	30

/*
 * If ids are further ahead of the clock, small clock steps are not the reason.
 */
#define FLAKE_FAR_AHEAD_MS		60000

/* Limit of the lead: a slow disk puts ids no further ahead after a crash. */
#define FLAKE_MAX_LEAD_MS		30000

/* Room for ids between the request for a reset and the next start, 5 bits */
#define FLAKE_RESET_ROOM_S		30

/* What a process compares a page with. */
typedef struct FlakeStart
{
	uint32_t	number;			/* of this start of the server, not 0 */
	bool		page_is_older;	/* it can have this number only by chance */
	uint32_t	timeline;		/* to which the server writes WAL */
	uint64_t	cluster;		/* its system identifier */
	int64_t		epoch_ms;		/* in effect, since 1970 */
	uint64_t	now_ms;			/* clock as time of an id */
} FlakeStart;

/* State of a stored horizon for a process of this start. */
typedef enum FlakeVerdict
{
	FLAKE_HORIZON_CURRENT,		/* of this start: its floor and marks hold */
	FLAKE_HORIZON_PENDING,		/* likewise; the next start is to reset it */
	FLAKE_HORIZON_EARLIER,		/* ids continue after its horizon */
	FLAKE_HORIZON_RESET,		/* ids continue at the clock */
	FLAKE_HORIZON_REFUSED		/* far ahead, and not by this epoch */
} FlakeVerdict;

/* A horizon and its tag, as stored. */
typedef struct FlakeStoredHorizon
{
	int64_t		horizon_ms;
	int64_t		tag;
} FlakeStoredHorizon;

extern int64_t flake_tag(const FlakeStart *start);
extern int64_t flake_tag_reset(const FlakeStart *start, uint64_t room_s);
extern bool flake_tag_is_reset(int64_t tag);
extern uint64_t flake_tag_room_s(int64_t tag);
extern FlakeVerdict flake_judge(const FlakeStoredHorizon *stored,
								const FlakeStart *start);

/* How far a horizon is raised beyond the clock, while flushes are fast. */
static inline uint64_t
flake_lead_ms(const FlakeLayout *layout)
{
	/*
	 * After a restart, a format that waits has to wait until the clock passes
	 * the old horizon.  Its lead is less than the default of flakeid.max_wait,
	 * so that this wait raises no error unless flushes are slow.
	 */
	return layout->waits ? 500 : 2000;
}

/*
 * The lead after a flush: at least four times as long as the flush took, so
 * that the early raise, at half of the lead, is flushed in time.  A longer
 * lead falls by half with each flush, even below flake_lead_ms().
 */
static inline uint64_t
flake_lead_after_flush(uint64_t lead_ms, uint64_t flush_ms)
{
	if (flush_ms > FLAKE_MAX_LEAD_MS / 4)
		return FLAKE_MAX_LEAD_MS;
	return lead_ms / 2 > 4 * flush_ms ? lead_ms / 2 : 4 * flush_ms;
}

/*
 * Horizon for ids up to ms, which is 0 if there is no id yet.  Ids ahead of
 * the clock get only a tenth of a lead, so that many restarts do not put them
 * further ahead.  With no id, and the clock before the epoch: 0.
 */
static inline uint64_t
flake_horizon_for(uint64_t lead_ms, uint64_t ms, uint64_t now_ms)
{
	uint64_t	by_id = ms + lead_ms / 10;
	uint64_t	by_clock = now_ms + lead_ms;

	if (ms == 0 && now_ms == 0)
		return 0;
	return by_id > by_clock ? by_id : by_clock;
}

/*
 * Should a process raise the horizon early, to avoid waiting for a flush?  It
 * should if less than half of the distance is left that flake_horizon_for()
 * leaves.
 */
static inline bool
flake_horizon_is_near(uint64_t lead_ms, uint64_t ms, uint64_t now_ms,
					  uint64_t horizon_ms)
{
	return ms + lead_ms / (ms > now_ms ? 20 : 2) > horizon_ms;
}

#endif							/* FLAKEID_FORMAT_FLAKE_HORIZON_H */
