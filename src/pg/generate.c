/*
 * generate.c
 *		Generate FLUIDs, Nanoflakes and Ulid-Flakes.
 *
 * In backend scope the position is private to this process.  The mark of the
 * slot is stored before the first id of a millisecond is returned, so that the
 * next holder of the slot starts after it.  In server scope, and always for
 * Ulid-Flake, the position is a shared word, advanced by compare-and-swap.
 * Both use the step of src/format/flake.h; this file reads the clock,
 * respects the horizon, and waits.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "miscadmin.h"
#include "storage/proc.h"

#include "pg/generate.h"
#include "pg/horizon.h"
#include "pg/settings.h"
#include "pg/sql.h"
#include "pg/wait.h"

/*
 * Find the counters of this process, and where the position of the newest id
 * is.  The address must fit.  An own position has no id left until
 * begin_position().
 */
static void
find_place(FlakeidGenerator *generator)
{
	const FlakeAddress *address = &flakeid_config()->address;
	const FlakeFormat format = generator->format;
	uint32		slot = flakeid_proc_number();
	FlakeStatus status = flake_counter_range(generator->layout, address, slot,
											 &generator->range);
	unsigned	counter_bits;

	flakeid_check_range(status, generator->layout, address);
	counter_bits = generator->range.counter_bits;
	generator->increment = flake_increment_by_one(counter_bits);
	if (address->server_scope || format == FLAKE_ULIDFLAKE)
	{
		generator->word = &flakeid_state->words[format].word;
		generator->place = FLAKEID_SHARED_WORD;
		return;
	}
	Assert(slot < (uint32) MaxBackends);
	generator->mark_ms = &flakeid_state->slots[slot].mark_ms[format];
	generator->position = flake_position_after(0, &generator->increment);
	generator->is_first = true;
	generator->place = FLAKEID_OWN_POSITION;
}

/*
 * Begin an own position: after the floor, and the mark of this process's slot.
 * A process that attaches again starts after its mark, too: the common case
 * compares no id with the horizon, and the horizon may be lower.
 */
static void
begin_position(FlakeidGenerator *generator)
{
	uint64		floor_ms = pg_atomic_read_u64(&generator->shared->floor_ms);

	floor_ms = Max(floor_ms, pg_atomic_read_u64(generator->mark_ms));
	generator->position = flake_position_after(floor_ms,
											   &generator->increment);
}

/* Attach to the shared state and the horizon. */
FlakeidGenerator *
flakeid_attach_slow(FlakeFormat format)
{
	const FlakeLayout *layout = &flake_layouts[format];
	FlakeidGenerator *generator;

	PreventCommandDuringRecovery(psprintf("%s_generate()", layout->sql_name));
	flakeid_state_attach();
	flakeid_warn_if_not_in_effect();
	generator = flakeid_generator(format);
	flakeid_horizon_fold(generator);
	find_place(generator);
	return generator;
}

/*
 * Handle a step that generated no id: raise the horizon, wait, or report an
 * error.  A clock that appears to be behind is read once more before waiting:
 * a generator reads it before its own position.
 */
static void
wait_or_refuse(FlakeidGenerator *generator, FlakeStep step, uint64 wanted_ms,
			   FlakePosition position, FlakeidWait *wait)
{
	switch (step)
	{
		case FLAKE_STEP_NEEDS_HORIZON:
			flakeid_horizon_allow(generator, wanted_ms);
			break;
		case FLAKE_STEP_FULL:
			flakeid_wait(generator, step, position.ms, wait);
			break;
		case FLAKE_STEP_BEHIND:
			if (wait->looked_again)
				flakeid_wait(generator, step, position.ms, wait);
			wait->looked_again = true;
			break;
		default:
			flakeid_refuse(generator, step);
	}
}

/*
 * The clock for the next step, after this one.  While the process waited for
 * the horizon, the clock may have passed the new one, if a flush takes longer
 * than the lead: then the id gets the last millisecond that was flushed,
 * unless another process is past that.
 */
static int64
clock_after(const FlakeidGenerator *generator, FlakeStep step,
			uint64 position_ms)
{
	uint64		flushed_ms = Max(generator->horizon.allowed_ms, position_ms);
	int64		now_ms = flakeid_now_ms(generator);

	if (step == FLAKE_STEP_NEEDS_HORIZON)
		now_ms = Min(now_ms, (int64) flushed_ms);
	return now_ms;
}

/* The full step; also counts steps back of the clock. */
static FlakeStep
step_slow(FlakeidGenerator *generator, const FlakeIncrement *increment,
		  int64 now_ms, FlakePosition *position, uint64 *wanted_ms)
{
	FlakeClockHistory *history = &generator->history;
	FlakeStep	step;

	step = flake_step_slow(generator->layout, increment, now_ms,
						   generator->horizon.allowed_ms, history, position,
						   wanted_ms);
	if (unlikely(history->steps_back != generator->steps_counted))
	{
		(void) pg_atomic_fetch_add_u64(&generator->shared->steps_back,
									   (int64) (history->steps_back -
												generator->steps_counted));
		generator->steps_counted = history->steps_back;
	}
	return step;
}

static bool
begins_ms(FlakeStep step)
{
	return step == FLAKE_STEP_NEW_MS || step == FLAKE_STEP_MOVED_ON;
}

/* Before the first id of a millisecond: raise the horizon if it is near. */
static void
begin_ms(FlakeidGenerator *generator, uint64 ms, int64 now_ms)
{
	if (flake_horizon_is_near(flakeid_lead_ms(generator), ms,
							  (uint64) Max(now_ms, 0),
							  generator->horizon.seen_ms))
		flakeid_horizon_raise_early(generator, ms);
}

static int64
id_of(const FlakeidGenerator *generator, FlakePosition position)
{
	return (int64) flake_position_id(generator->layout, &generator->range,
									 position);
}

/*
 * The own position before a step.  Until the first id, the floor is read again
 * in each call and after each wait: it can be raised meanwhile, a reset can
 * take effect or end, a call can be canceled.  Before the epoch, a process
 * that has no position continues after the newest id of all others.
 */
static FlakePosition
own_position(FlakeidGenerator *generator, int64 now_ms)
{
	if (generator->is_first)
		begin_position(generator);
	if (now_ms < 0 && generator->position.ms == 0)
		return flake_position_after(flakeid_newest_ms(generator),
									&generator->increment);
	return generator->position;
}

/* Backend scope, the general case; now_ms is the clock as just read. */
int64
flakeid_generate_own(FlakeidGenerator *generator, int64 now_ms)
{
	FlakePosition position;
	FlakeidWait wait = {.increment = &generator->increment};
	FlakeStep	step;
	uint64		wanted_ms = 0;

	for (;;)
	{
		position = own_position(generator, now_ms);
		step = step_slow(generator, &generator->increment, now_ms, &position,
						 &wanted_ms);
		if (flake_step_generated(step))
			break;
		wait_or_refuse(generator, step, wanted_ms, position, &wait);
		CHECK_FOR_INTERRUPTS();
		now_ms = clock_after(generator, step, position.ms);
	}
	Assert(position.ms <= generator->horizon.allowed_ms);
	if (begins_ms(step))
	{
		begin_ms(generator, position.ms, now_ms);
		pg_atomic_write_u64(generator->mark_ms, position.ms);
	}
	generator->position = position;
	generator->is_first = false;
	return id_of(generator, position);
}

/* The position of the shared word, or of the floor. */
static FlakePosition
shared_position(const FlakeidGenerator *generator,
				const FlakeIncrement *increment, uint64 word)
{
	uint64		floor_ms = pg_atomic_read_u64(&generator->shared->floor_ms);

	return flake_word_position(generator->layout, word, floor_ms, increment);
}

/*
 * Server scope: advance the shared word.  The clock is read after the word,
 * and both again after a failed compare-and-swap, so that a call that starts
 * after another one returned always gets a greater id.
 */
int64
flakeid_generate_shared(FlakeidGenerator *generator,
						const FlakeIncrement *increment)
{
	FlakeidWait wait = {.increment = increment};
	FlakeStep	step = FLAKE_STEP_COUNTED;	/* of the previous round */

	for (;;)
	{
		uint64		word = pg_atomic_read_u64(generator->word);
		FlakePosition position = shared_position(generator, increment, word);
		uint64		wanted_ms = 0;
		uint64		next;
		int64		now_ms;

		pg_read_barrier();
		now_ms = clock_after(generator, step, position.ms);
		if (position.ms <= generator->horizon.allowed_ms &&
			flake_step_in_ms(increment, now_ms, &generator->history,
							 &position))
			step = FLAKE_STEP_COUNTED;
		else
			step = step_slow(generator, increment, now_ms, &position,
							 &wanted_ms);
		if (!flake_step_generated(step))
		{
			wait_or_refuse(generator, step, wanted_ms, position, &wait);
			CHECK_FOR_INTERRUPTS();
			continue;
		}
		Assert(position.ms <= generator->horizon.allowed_ms);
		if (begins_ms(step))
			begin_ms(generator, position.ms, now_ms);
		next = flake_word(generator->layout, position);
		if (pg_atomic_compare_exchange_u64(generator->word, &word, next))
			return id_of(generator, position);
	}
}

/* Generate an id of a format that counts by one, in either scope. */
int64
flakeid_generate_slow(FlakeFormat format)
{
	FlakeidGenerator *generator = flakeid_attach(format);

	if (generator->place == FLAKEID_OWN_POSITION)
		return flakeid_generate_own(generator, flakeid_now_ms(generator));
	return flakeid_generate_shared(generator, &generator->increment);
}
