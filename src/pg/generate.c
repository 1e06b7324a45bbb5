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
#include "utils/inval.h"

#include "pg/clock.h"
#include "pg/generate.h"
#include "pg/horizon.h"
#include "pg/settings.h"
#include "pg/sql.h"
#include "pg/state.h"
#include "pg/wait.h"

FlakeidGenerator flakeid_generators[FLAKE_FORMATS];

static bool has_generated;		/* this process has generated ids */

/*
 * Let the next call attach again.  A call that is under way goes on: it checks
 * the horizon again before each millisecond.
 */
static void
detach(FlakeFormat format)
{
	FlakeidGenerator *generator = &flakeid_generators[format];

	flakeid_horizon_forget(format);
	generator->attached = false;
	generator->own_position = false;
}

/*
 * A relation changed, maybe the sequence of a horizon.  Also called when a
 * transaction ends that changed it, even if that is rolled back.
 */
static void
relation_changed(Datum arg, Oid relation)
{
	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		if (!OidIsValid(relation) ||
			relation == flakeid_horizons[format].sequence)
			detach(format);
	}
}

/* In the first call of a process. */
static void
begin_process(void)
{
	if (has_generated)
		return;
	CacheRegisterRelcacheCallback(relation_changed, (Datum) 0);
	for (int format = 0; format < FLAKE_FORMATS; format++)
		flakeid_generators[format].history.latest_ms = PG_INT64_MIN;
	has_generated = true;
}

/*
 * Take this process's slot and start after its mark.  The address must fit.
 * A process that attaches again also starts after its mark: the common case
 * compares no id with the horizon, and the horizon may be lower.
 */
static void
attach_slot(FlakeidGenerator *generator, FlakeFormat format)
{
	const FlakeLayout *layout = &flake_layouts[format];
	const FlakeAddress *address = &flakeid_config()->address;
	pg_atomic_uint64 *shared_floor_ms = &flakeid_state->limits[format].floor_ms;
	uint32		slot = flakeid_proc_number();
	uint64		floor_ms;

	flakeid_check_range(flake_counter_range(layout, address, slot, &generator->range),
						layout, address);
	generator->increment = flake_increment_by_one(generator->range.counter_bits);
	if (address->server_scope || format == FLAKE_ULIDFLAKE)
	{
		generator->floor_ms = shared_floor_ms;
		generator->word = &flakeid_state->words[format].word;
		return;
	}
	Assert(slot < (uint32) MaxBackends);
	generator->mark_ms = &flakeid_state->slots[slot].mark_ms[format];
	floor_ms = pg_atomic_read_u64(shared_floor_ms);
	floor_ms = Max(floor_ms, pg_atomic_read_u64(generator->mark_ms));
	generator->position = flake_position_after(floor_ms, &generator->increment);
	generator->own_position = true;
}

/* Attach to the shared state and the horizon, and find the start position. */
void
flakeid_attach_slow(FlakeFormat format)
{
	FlakeidGenerator *generator = &flakeid_generators[format];

	PreventCommandDuringRecovery(psprintf("%s_generate()",
										  flake_layouts[format].sql_name));
	begin_process();
	flakeid_state_attach();
	flakeid_horizon_attach(format);
	generator->epoch_ms = flakeid_config()->epoch_ms[format];
	attach_slot(generator, format);
	generator->attached = true;
}

/*
 * Handle a step that generated no id: raise the horizon, wait, or report an error.  A
 * clock that appears to be behind is read once more before waiting.
 */
static void
wait_or_refuse(FlakeFormat format, FlakeStep step, FlakePosition position,
			   FlakeidWait *wait)
{
	switch (step)
	{
		case FLAKE_STEP_NEEDS_HORIZON:
			flakeid_horizon_allow(format,
								  flakeid_generators[format].history.wanted_ms);
			CHECK_FOR_INTERRUPTS();
			break;
		case FLAKE_STEP_FULL:
			flakeid_wait(format, step, position.ms, wait);
			break;
		case FLAKE_STEP_BEHIND:
			if (wait->looked_again)
				flakeid_wait(format, step, position.ms, wait);
			wait->looked_again = true;
			break;
		default:
			flakeid_refuse(format, step);
	}
}

/*
 * The clock for the next step.  After a wait for the horizon it may have run
 * past it again, if a flush takes longer than the lead: then the id gets the
 * last millisecond that was flushed, unless another process is past that.
 */
static int64
clock_after(FlakeFormat format, FlakeStep step, uint64 position_ms)
{
	int64		now_ms = flakeid_now_ms(&flakeid_generators[format]);

	if (step == FLAKE_STEP_NEEDS_HORIZON)
		now_ms = Min(now_ms,
					 (int64) Max(flakeid_horizons[format].allowed_ms, position_ms));
	return now_ms;
}

/* The full step; also counts steps back of the clock. */
static FlakeStep
step_slow(FlakeFormat format, const FlakeIncrement *increment, int64 now_ms,
		  FlakePosition *position)
{
	FlakeidGenerator *generator = &flakeid_generators[format];
	FlakeStep	step;

	step = flake_step_slow(&flake_layouts[format], increment, now_ms,
						   flakeid_horizons[format].allowed_ms,
						   &generator->history, position);
	if (unlikely(generator->history.steps_back != generator->steps_counted))
	{
		(void) pg_atomic_fetch_add_u64(&flakeid_state->limits[format].steps_back,
									   (int64) (generator->history.steps_back -
												generator->steps_counted));
		generator->steps_counted = generator->history.steps_back;
	}
	return step;
}

static bool
begins_ms(FlakeStep step)
{
	return step == FLAKE_STEP_NEW_MS || step == FLAKE_STEP_MOVED_ON;
}

/* Bookkeeping before the first id of a millisecond is returned. */
static void
begin_ms(FlakeFormat format, uint64 ms, int64 now_ms)
{
	if (flake_horizon_is_near(flakeid_horizon_lead_ms(format), ms,
							  (uint64) Max(now_ms, 0),
							  flakeid_horizons[format].seen_ms))
		flakeid_horizon_raise_early(format, ms);
}

static int64
return_id(FlakeidGenerator *generator, FlakeFormat format,
		  FlakePosition position)
{
	generator->position = position;
	return (int64) flake_position_id(&flake_layouts[format],
									 &generator->range, position);
}

/* Backend scope, the general case; now_ms is the clock as just read. */
int64
flakeid_generate_own(FlakeFormat format, int64 now_ms)
{
	FlakeidGenerator *generator = &flakeid_generators[format];
	FlakePosition position = generator->position;
	FlakeidWait wait = {.increment = &generator->increment};
	FlakeStep	step;

	while (!flake_step_generated(step = step_slow(format, &generator->increment,
												  now_ms, &position)))
	{
		bool		had_horizon = flakeid_horizons[format].allowed_ms > 0;

		wait_or_refuse(format, step, position, &wait);

		/*
		 * Before the page was of this start, a floor said little: a reset, its
		 * end, or the first id of another process may have come meanwhile.
		 */
		if (!had_horizon)
		{
			attach_slot(generator, format);
			position = generator->position;
		}
		now_ms = clock_after(format, step, position.ms);
	}
	if (begins_ms(step))
	{
		begin_ms(format, position.ms, now_ms);
		pg_atomic_write_u64(generator->mark_ms, position.ms);
	}
	return return_id(generator, format, position);
}

/*
 * The common case in server scope.  False in other cases, if another process
 * changed the word first, and before this process has attached.  A process of
 * another database may have begun the millisecond, so it is compared with the
 * horizon of this one.
 */
bool
flakeid_count_in_word(FlakeFormat format)
{
	FlakeidGenerator *generator = &flakeid_generators[format];
	const FlakeLayout *layout = &flake_layouts[format];
	FlakePosition position;
	uint64		word;

	if (!generator->attached)
		return false;
	word = pg_atomic_read_u64(generator->word);
	position = flake_word_position(layout, word,
								   pg_atomic_read_u64(generator->floor_ms),
								   &generator->increment);

	/*
	 * No barrier: a clock that was read before the word can only seem to be
	 * behind, and then flakeid_generate_shared() reads both again.
	 */
	if (!flake_step_in_ms(&generator->increment,
						  flakeid_now_ms(generator),
						  &generator->history, &position) ||
		position.ms > flakeid_horizons[format].allowed_ms ||
		!pg_atomic_compare_exchange_u64(generator->word, &word,
										flake_word(layout, position)))
		return false;
	generator->position = position;
	return true;
}

/*
 * Server scope: advance the shared word.  The clock is read after the word,
 * and both again after a failed compare-and-swap, so that a call that starts
 * after another one returned always gets a greater id.
 */
int64
flakeid_generate_shared(FlakeFormat format, const FlakeIncrement *increment)
{
	FlakeidGenerator *generator = &flakeid_generators[format];
	const FlakeLayout *layout = &flake_layouts[format];
	FlakeidWait wait = {.increment = increment};
	FlakeStep	step = FLAKE_STEP_COUNTED;

	for (;;)
	{
		uint64		word = pg_atomic_read_u64(generator->word);
		FlakePosition position = flake_word_position(layout, word,
													 pg_atomic_read_u64(generator->floor_ms),
													 increment);
		int64		now_ms;

		pg_read_barrier();
		now_ms = clock_after(format, step, position.ms);
		step = FLAKE_STEP_COUNTED;
		if (position.ms > flakeid_horizons[format].allowed_ms ||
			!flake_step_in_ms(increment, now_ms, &generator->history,
							  &position))
			step = step_slow(format, increment, now_ms, &position);
		if (!flake_step_generated(step))
		{
			wait_or_refuse(format, step, position, &wait);
			continue;
		}
		if (begins_ms(step))
			begin_ms(format, position.ms, now_ms);
		if (pg_atomic_compare_exchange_u64(generator->word, &word,
										   flake_word(layout, position)))
			return return_id(generator, format, position);
	}
}

/* Generate an id of a format that counts by one, in either scope. */
int64
flakeid_generate_slow(FlakeFormat format)
{
	FlakeidGenerator *generator = &flakeid_generators[format];

	flakeid_attach(format);
	if (generator->own_position)
		return flakeid_generate_own(format, flakeid_now_ms(generator));
	return flakeid_generate_shared(format, &generator->increment);
}
