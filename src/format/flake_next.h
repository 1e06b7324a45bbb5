/*
 * flake_next.h
 *		The generator step of the 64-bit formats.
 *
 * One step takes the newest id's position, the clock, and how far ids may go,
 * and moves to the next position, or names the rule that refused it and leaves
 * the position as it was.  Backend scope, where the position is the process's
 * own, and server scope, where it is a shared word, run the same step.
 *
 * The clock rules (doc/design.md, section 4):
 *	- the clock is past the position: its millisecond, from the first counter;
 *	- the clock is in the position's millisecond: count up; used up: wait;
 *	- the clock is behind, and the format waits: wait until it has caught up;
 *	- the clock is behind, and the format carries on: count up; used up: the
 *	  next millisecond, but not before the clock has moved on by a millisecond
 *	  since the process first saw the present one.
 */
#ifndef FLAKEID_FORMAT_FLAKE_NEXT_H
#define FLAKEID_FORMAT_FLAKE_NEXT_H

#include "format/flake_address.h"

typedef enum FlakeStep
{
	/* made an id */
	FLAKE_STEP_COUNTED,			/* in the clock's millisecond */
	FLAKE_STEP_CARRIED_ON,		/* in the last id's, ahead of the clock */
	FLAKE_STEP_NEW_MS,			/* the clock's millisecond is new */
	FLAKE_STEP_MOVED_ON,		/* the millisecond after the last id's */
	/* made none, see flake_step_made(); the position is as it was */
	FLAKE_STEP_FULL,			/* wait for the clock's next millisecond */
	FLAKE_STEP_BEHIND,			/* wait for a clock that is behind */
	FLAKE_STEP_NEEDS_HORIZON,	/* raise the horizon, then try again */
	FLAKE_STEP_BEFORE_EPOCH,
	FLAKE_STEP_BEYOND_FIELD
} FlakeStep;

static inline bool
flake_step_made(FlakeStep step)
{
	return step < FLAKE_STEP_FULL;
}

/* The newest id: its millisecond, and the counter below node and slot. */
typedef struct FlakePosition
{
	uint64_t	ms;
	uint64_t	counter;
} FlakePosition;

/*
 * How the counter moves in this call.  A scalable Ulid-Flake has fixed low
 * bits; first and step are multiples above them.
 */
typedef struct FlakeIncrement
{
	uint64_t	last;			/* the greatest counter: all bits set */
	uint64_t	fixed_mask;		/* the bits that do not count ... */
	uint64_t	fixed;			/* ... and what they hold */
	uint64_t	first;			/* where the rest begins in a new millisecond */
	uint64_t	step;			/* what it grows by in the same one */
} FlakeIncrement;

/* Clock history of a process, in ms since the epoch. */
typedef struct FlakeClockHistory
{
	bool		valid;			/* first_ms is known for position_ms */
	uint64_t	position_ms;	/* position being watched */
	int64_t		first_ms;		/* clock when that position was first seen */
	int64_t		latest_ms;		/* the newest reading */
	uint64_t	steps_back;		/* how often it was below the one before */
	uint64_t	wanted_ms;		/* what NEEDS_HORIZON asks for */
} FlakeClockHistory;

/*
 * The step; flake_step_in_ms() is its common case.  now_ms is the clock in ms
 * since the epoch, negative before it; synced_ms the last millisecond that ids
 * may be made of.
 */
extern FlakeStep flake_step_slow(const FlakeLayout *layout,
								 const FlakeIncrement *increment,
								 int64_t now_ms, uint64_t synced_ms,
								 FlakeClockHistory *history, FlakePosition *position);
extern FlakeIncrement flake_increment_random(unsigned fixed_bits, uint64_t fixed,
											 unsigned step_bits,
											 uint64_t random64);
extern uint64_t flake_random_per_ms(const FlakeIncrement *increment,
									unsigned step_bits);

/* Count up by one, from 0. */
static inline FlakeIncrement
flake_increment_by_one(unsigned bits)
{
	return (FlakeIncrement) {.last = flake_mask(bits), .step = 1};
}

/* The counter after this one; false when they are used up. */
static inline bool
flake_count(const FlakeIncrement *increment, uint64_t *counter)
{
	uint64_t	next = (*counter & ~increment->fixed_mask) + increment->step;

	if (next > increment->last)
		return false;
	*counter = next | increment->fixed;
	return true;
}

/*
 * The common case: one count further in the clock's own millisecond.
 * now_ms is the clock in ms since the epoch, negative before it.
 */
static inline bool
flake_step_in_ms(const FlakeIncrement *increment, int64_t now_ms,
				 FlakeClockHistory *history, FlakePosition *position)
{
	return (uint64_t) now_ms == position->ms && now_ms >= history->latest_ms &&
		flake_count(increment, &position->counter);
}

/* The id of a position, with the address's prefix. */
static inline uint64_t
flake_position_id(const FlakeLayout *layout, const FlakeCounterRange *range,
				  FlakePosition position)
{
	return flake_time_part(layout, position.ms) | range->prefix |
		position.counter;
}

/* Where a process begins: nothing at or below the floor is ever made. */
static inline FlakePosition
flake_position_after(uint64_t floor_ms, const FlakeIncrement *increment)
{
	return (FlakePosition) {.ms = floor_ms, .counter = increment->last};
}

/* The shared word: the position, with nothing of the address in it. */
static inline uint64_t
flake_word(const FlakeLayout *layout, FlakePosition position)
{
	return flake_time_part(layout, position.ms) | position.counter;
}

/* The position of a word; at or below the floor it is the floor's end. */
static inline FlakePosition
flake_word_position(const FlakeLayout *layout, uint64_t word,
					uint64_t floor_ms, const FlakeIncrement *increment)
{
	if (flake_id_ms(layout, word) <= floor_ms)
		return flake_position_after(floor_ms, increment);
	return (FlakePosition) {
		.ms = flake_id_ms(layout, word),
		.counter = word & increment->last,
	};
}

#endif							/* FLAKEID_FORMAT_FLAKE_NEXT_H */
