/*
 * flake_fold.h
 *		Fold the floors, marks, words and horizons that a new postmaster finds
 *		in the state file (doc/protocol.md, rules 2, 3, 5 and 6).
 *
 * Only src/pg/state_fold.c reads and writes the file.  All values are id
 * timestamps in ms, not clock readings: moving the epoch is thus detected like
 * setting back the clock.
 */
#ifndef FLAKEID_FORMAT_FLAKE_FOLD_H
#define FLAKEID_FORMAT_FLAKE_FOLD_H

#include "format/flake.h"

/*
 * How far ahead the horizon is raised, and how much of that may be used before
 * it is raised again.
 */
#define FLAKE_HORIZON_MS		10000
#define FLAKE_HORIZON_HALF_MS	(FLAKE_HORIZON_MS / 2)

/*
 * The last replayed commit record may not have the newest commit time, since a
 * backend reads the clock before it writes the record.  A format that waits
 * for the clock gets the smaller margin, so that after a planned switchover it
 * waits no longer than the default flakeid.max_wait.
 */
#define FLAKE_REPLAYED_MARGIN_MS		10000
#define FLAKE_REPLAYED_MARGIN_WAITS_MS	1000

/* Ids this far ahead of the clock are not due to a few small clock steps. */
#define FLAKE_FAR_AHEAD_MS		60000

/* Input of the fold: one format's part of the file, and its context. */
typedef struct FlakeFold
{
	uint64_t	floor_ms;
	uint64_t	horizon_ms;
	uint64_t	word;
	uint64_t	highest_mark_ms;
	int64_t		old_epoch_ms;	/* the file's */
	int64_t		new_epoch_ms;	/* the settings' */
	bool		another_boot;	/* the machine booted since the last use */
	bool		has_replayed;	/* this postmaster replayed a commit ... */
	FlakeInstant replayed;		/* ... with this time of the old primary's
								 * clock */
} FlakeFold;

extern uint64_t flake_fold_floor(const FlakeLayout *layout,
								 const FlakeFold *fold);
extern bool flake_fold_is_refused(const FlakeLayout *layout,
								  const FlakeFold *fold, uint64_t floor_ms,
								  FlakeInstant now);
extern uint64_t flake_word_lowered(const FlakeLayout *layout, uint64_t word,
								   uint64_t ms);
extern bool flake_is_sound(const FlakeLayout *layout, uint64_t ms);
extern bool flake_word_is_sound(const FlakeLayout *layout, uint64_t word);

/* Horizon to set when generating ids of this millisecond. */
static inline uint64_t
flake_horizon_for(uint64_t ms)
{
	return ms + FLAKE_HORIZON_MS;
}

/* Is half of the horizon used, so that a process should raise it? */
static inline bool
flake_horizon_is_near(uint64_t ms, uint64_t horizon_ms)
{
	return ms + FLAKE_HORIZON_HALF_MS > horizon_ms;
}

#endif							/* FLAKEID_FORMAT_FLAKE_FOLD_H */
