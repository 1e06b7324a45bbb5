/*
 * unit_flake.h
 *		A process that generates 64-bit ids, for the tests of the step: the
 *		tests pass its clock and random bits, and every step is checked here.
 */
#ifndef FLAKEID_TEST_UNIT_FLAKE_H
#define FLAKEID_TEST_UNIT_FLAKE_H

#include "format/flake.h"
#include "unit.h"

/*
 * In backend scope the position belongs to the process; in server scope it is
 * read from the word and written back, as by processes that share the word.
 */
typedef struct Process
{
	const FlakeLayout *layout;
	FlakeIncrement increment;
	FlakePosition position;
	FlakeClockHistory history;
	uint64_t   *word;			/* NULL in backend scope */
	uint64_t	floor_ms;
	uint64_t	wanted_ms;		/* by a step that needs a horizon */
} Process;

static const FlakeLayout *const fluid = &flake_layouts[FLAKE_FLUID];
static const FlakeLayout *const nanoflake = &flake_layouts[FLAKE_NANOFLAKE];
static const FlakeLayout *const ulidflake = &flake_layouts[FLAKE_ULIDFLAKE];

/* Attach a process of backend scope, or of server scope with a word. */
static inline Process
process(const FlakeLayout *layout, FlakeIncrement increment, uint64_t floor_ms,
		uint64_t *word)
{
	return (Process) {
		.layout = layout,
		.increment = increment,
		.position = flake_position_after(floor_ms, &increment),
		.history = {.latest_ms = INT64_MIN},
		.word = word,
		.floor_ms = floor_ms,
	};
}

static inline bool
same_position(FlakePosition a, FlakePosition b)
{
	return a.ms == b.ms && a.counter == b.counter;
}

/*
 * One step: a failed step changes nothing, an id is above the previous one.
 * The fast path does not compare with the limit: in server scope, its caller
 * does.
 */
static inline FlakeStep
step_either(Process *p, int64_t now_ms, uint64_t allowed_ms, bool fast)
{
	FlakePosition before;
	FlakeStep	step;

	if (p->word != NULL)
		p->position = flake_word_position(p->layout, *p->word, p->floor_ms,
										  &p->increment);
	before = p->position;
	step = FLAKE_STEP_COUNTED;
	if (!fast ||
		!flake_step_in_ms(&p->increment, now_ms, &p->history, &p->position))
		step = flake_step_slow(p->layout, &p->increment, now_ms, allowed_ms,
							   &p->history, &p->position, &p->wanted_ms);
	if (!flake_step_generated(step))
	{
		MUST(same_position(before, p->position));
		return step;
	}
	MUST(p->position.counter <= p->increment.last);
	MUST(p->position.ms > before.ms ||
		 (p->position.ms == before.ms &&
		  p->position.counter > before.counter));
	MUST(p->position.ms > p->floor_ms);
	MUST((p->position.counter & p->increment.fixed_mask) == p->increment.fixed);
	if (p->word != NULL)
	{
		MUST(flake_word(p->layout, p->position) > *p->word);
		*p->word = flake_word(p->layout, p->position);
	}
	return step;
}

static inline FlakeStep
step_allowed(Process *p, int64_t now_ms, uint64_t allowed_ms)
{
	return step_either(p, now_ms, allowed_ms, true);
}

/* The full step, as for a process that has not begun the millisecond itself */
static inline FlakeStep
step_slow_allowed(Process *p, int64_t now_ms, uint64_t allowed_ms)
{
	return step_either(p, now_ms, allowed_ms, false);
}

static inline FlakeStep
step_at(Process *p, int64_t now_ms)
{
	return step_allowed(p, now_ms, UINT64_MAX);
}

#define CHECK_AT(p, expected_ms, expected_counter) \
	(CHECK_EQ((p)->position.ms, (expected_ms)), \
	 CHECK_EQ((p)->position.counter, (expected_counter)))

#endif							/* FLAKEID_TEST_UNIT_FLAKE_H */
