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
 * Find the counters of this process, and the number in shared memory that its
 * ids must exceed.  The address must fit.
 */
static void
find_counters(FlakeidGenerator *generator)
{
	const FlakeAddress *address = &flakeid_config()->address;
	const FlakeFormat format = generator->format;
	uint32		slot = flakeid_proc_number();
	FlakeStatus status = flake_counter_range(generator->layout, address, slot,
											 &generator->range);

	flakeid_check_address(status, generator->layout, address);
	generator->increment =
		flake_increment_by_one(generator->range.counter_bits);
	if (address->server_scope || format == FLAKE_ULIDFLAKE)
		generator->word = &flakeid_state->words[format].word;
	else
	{
		Assert(slot < (uint32) MaxBackends);
		generator->mark_ms = &flakeid_state->slots[slot].mark_ms[format];
	}
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
	find_counters(generator);
	generator->attached = true;
	return generator;
}

/*
 * The newest id, which the next one must exceed: of all processes in server
 * scope, else of this one.  Where there is none, ids begin after the floor,
 * and in backend scope after the mark of this process's slot.  A process reads
 * both again until it has generated an id: the floor can be raised meanwhile,
 * a reset can take effect or end, a call can be canceled.  Likewise after it
 * has attached again: the common case compares no id with the horizon, and the
 * horizon may be lower.
 */
static FlakePosition
load_position(const FlakeidGenerator *generator,
			  const FlakeIncrement *increment, uint64 *word)
{
	uint64		floor_ms;

	if (generator->position.ms > 0)
		return generator->position;
	floor_ms = pg_atomic_read_u64(&generator->shared->floor_ms);
	if (generator->word == NULL)
	{
		floor_ms = Max(floor_ms, pg_atomic_read_u64(generator->mark_ms));
		return flake_position_after(floor_ms, increment);
	}
	*word = pg_atomic_read_u64(generator->word);
	return flake_word_position(generator->layout, *word, floor_ms, increment);
}

/*
 * Make this position the newest id.  In server scope that fails, and the
 * result is false, if another process has advanced the word since it was
 * loaded.  In backend scope the mark of the slot is stored first.  A process
 * that was detached meanwhile keeps no position, so that it attaches again.
 */
static bool
store_position(FlakeidGenerator *generator, FlakePosition position,
			   uint64 word)
{
	uint64		next = flake_word(generator->layout, position);

	if (generator->word != NULL)
		return pg_atomic_compare_exchange_u64(generator->word, &word, next);
	if (position.ms != generator->position.ms)
		pg_atomic_write_u64(generator->mark_ms, position.ms);
	if (generator->attached)
		generator->position = position;
	return true;
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

/* The step of the format; also counts steps back of the clock. */
static FlakeStep
take_step(FlakeidGenerator *generator, const FlakeIncrement *increment,
		  int64 now_ms, FlakePosition *position, uint64 *wanted_ms)
{
	FlakeClockHistory *history = &generator->history;
	FlakeStep	step;

	if (position->ms <= generator->horizon.allowed_ms &&
		flake_step_in_ms(increment, now_ms, history, position))
		return FLAKE_STEP_COUNTED;
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

/* Before the first id of a millisecond: raise the horizon if it is near. */
static void
begin_ms(FlakeidGenerator *generator, uint64 ms, int64 now_ms)
{
	if (flake_horizon_is_near(flakeid_lead_ms(generator), ms,
							  (uint64) Max(now_ms, 0),
							  generator->horizon.seen_ms))
		flakeid_horizon_raise_early(generator, ms);
}

/*
 * Handle a step that generated no id: raise the horizon, wait, or report an
 * error.
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
		case FLAKE_STEP_BEHIND:
			flakeid_wait(generator, step, position.ms, wait);
			break;
		default:
			flakeid_refuse(generator, step);
	}
}

/*
 * Generate an id, in either scope: load the newest id, read the clock, take a
 * step, store the new id.  The clock is read after the newest id: in server
 * scope, a call that starts after another one returned then always gets a
 * greater id, and no process waits for a clock that is not behind.  If the
 * clock is before the epoch and there is no id to continue from, the newest id
 * of all other processes is.
 */
int64
flakeid_generate_slow(FlakeidGenerator *generator,
					  const FlakeIncrement *increment)
{
	FlakeidWait wait = {.increment = increment};
	FlakeStep	step = FLAKE_STEP_COUNTED;	/* of the previous round */

	for (;;)
	{
		uint64		word = 0;
		FlakePosition position = load_position(generator, increment, &word);
		uint64		wanted_ms = 0;
		int64		now_ms;

		pg_read_barrier();
		now_ms = clock_after(generator, step, position.ms);
		if (now_ms < 0 && position.ms == 0)
		{
			position = flake_position_after(flakeid_newest_ms(generator),
											increment);
			pg_read_barrier();
			now_ms = clock_after(generator, step, position.ms);
		}
		step = take_step(generator, increment, now_ms, &position, &wanted_ms);
		if (!flake_step_generated(step))
		{
			wait_or_refuse(generator, step, wanted_ms, position, &wait);
			CHECK_FOR_INTERRUPTS();
			continue;
		}
		Assert(position.ms <= generator->horizon.allowed_ms);
		if (step == FLAKE_STEP_NEW_MS || step == FLAKE_STEP_MOVED_ON)
			begin_ms(generator, position.ms, now_ms);
		if (store_position(generator, position, word))
			return (int64) flake_position_id(generator->layout,
											 &generator->range, position);
	}
}
