/*
 * flake_next.h
 *		The generator step of the 64-bit formats.
 *
 * A step takes the position of the newest id, the clock, and the last
 * millisecond that ids may use.  It advances the position, or returns the rule
 * that refused and leaves the position unchanged.  The same step serves
 * backend scope (the position is private) and server scope (it is a shared
 * word).
 *
 * The clock rules (doc/internals/design.md, section 4):
 *	- clock past the position: use its millisecond, from the first counter;
 *	- clock in the same millisecond: count up; if used up, wait;
 *	- clock behind, in a format that waits: wait until it has caught up;
 *	- clock behind, in a format that continues: count up; if used up, take the
 *	  next millisecond, but only after the clock has advanced by a millisecond
 *	  since the process first saw the position's.
 */
#ifndef FLAKEID_FORMAT_FLAKE_NEXT_H
#define FLAKEID_FORMAT_FLAKE_NEXT_H

#include "format/flake_address.h"

typedef enum FlakeStep
{
	/* generated an id */
	FLAKE_STEP_COUNTED,			/* in the clock's millisecond */
	FLAKE_STEP_CARRIED_ON,		/* in the last id's, ahead of the clock */
	FLAKE_STEP_NEW_MS,			/* the clock's millisecond is new */
	FLAKE_STEP_MOVED_ON,		/* the millisecond after the last id's */
	/* generated none, see flake_step_made(); the position is unchanged */
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

/* The newest id: millisecond, and counter below node and slot. */
typedef struct FlakePosition
{
	uint64_t	ms;
	uint64_t	counter;
} FlakePosition;

/*
 * How the counter advances in this call.  A scalable Ulid-Flake has fixed low
 * bits; first and step are multiples above them.
 */
typedef struct FlakeIncrement
{
	uint64_t	last;			/* largest counter: all bits set */
	uint64_t	fixed_mask;		/* bits that do not count ... */
	uint64_t	fixed;			/* ... and their value */
	uint64_t	first;			/* first count in a new millisecond */
	uint64_t	step;			/* increment in the same millisecond */
} FlakeIncrement;

/* Clock history of a process, in ms since the epoch. */
typedef struct FlakeClockHistory
{
	bool		valid;			/* first_ms is known for position_ms */
	uint64_t	position_ms;	/* position being watched */
	int64_t		first_ms;		/* clock when that position was first seen */
	int64_t		latest_ms;		/* the newest reading */
	uint64_t	steps_back;		/* number of readings below the previous one */
	uint64_t	wanted_ms;		/* millisecond that NEEDS_HORIZON requests */
} FlakeClockHistory;

/*
 * The step; flake_step_in_ms() is its common case.  now_ms is the clock in ms
 * since the epoch, negative before it; allowed_ms is the last millisecond that
 * ids may use.
 */
extern FlakeStep flake_step_slow(const FlakeLayout *layout,
								 const FlakeIncrement *increment,
								 int64_t now_ms, uint64_t allowed_ms,
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

/* Advance the counter; false if all counters are used up. */
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
 * The common case: count up in the clock's millisecond.
 * now_ms is the clock in ms since the epoch, negative before it.
 */
static inline bool
flake_step_in_ms(const FlakeIncrement *increment, int64_t now_ms,
				 FlakeClockHistory *history, FlakePosition *position)
{
	return (uint64_t) now_ms == position->ms && now_ms >= history->latest_ms &&
		flake_count(increment, &position->counter);
}

/* Id of a position, with the prefix of the address. */
static inline uint64_t
flake_position_id(const FlakeLayout *layout, const FlakeCounterRange *range,
				  FlakePosition position)
{
	return flake_time_part(layout, position.ms) | range->prefix |
		position.counter;
}

/* Start position: no id at or below the floor is ever generated. */
static inline FlakePosition
flake_position_after(uint64_t floor_ms, const FlakeIncrement *increment)
{
	return (FlakePosition) {.ms = floor_ms, .counter = increment->last};
}

/* The shared word: the position without the address. */
static inline uint64_t
flake_word(const FlakeLayout *layout, FlakePosition position)
{
	return flake_time_part(layout, position.ms) | position.counter;
}

/* Position of a word, or the end of the floor if the word is not above it. */
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
