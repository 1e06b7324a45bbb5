/*
 * generate.c
 *		Generate FLUIDs, Nanoflakes and Ulid-Flakes.
 *
 * In backend scope the position of the newest id is private to this process.
 * The mark of the slot is stored before the first id of a millisecond is
 * returned, so that the next holder of the slot starts after it.  In server
 * scope, and always for Ulid-Flake, the position is a shared word, advanced by
 * compare-and-swap.  Both use one loop, flakeid_generate_slow(), around the
 * step of src/format/flake.h: it reads the clock, respects the horizon, and
 * waits.  All waits of a call can be canceled.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "miscadmin.h"
#include "storage/latch.h"
#include "storage/proc.h"
#include "utils/timestamp.h"
#include "utils/wait_event.h"

#include "pg/generate.h"
#include "pg/horizon.h"
#include "pg/settings.h"
#include "pg/sql.h"

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
	FlakeStatus status = flake_share(generator->layout, address, slot,
									 &generator->share);

	flakeid_check_address(status, generator->layout, address);
	generator->increment =
		flake_increment_by_one(generator->share.counter_bits);
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
 * horizon may be lower.  If the last step found the clock before the epoch,
 * ids begin after the newest one of all processes.
 */
static FlakePosition
load_position(const FlakeidGenerator *generator,
			  const FlakeIncrement *increment, FlakeStep step, uint64 *word)
{
	uint64		floor_ms;

	if (generator->position.ms > 0)
		return generator->position;
	floor_ms = step == FLAKE_STEP_BEFORE_EPOCH ?
		flakeid_newest_ms(generator) :
		pg_atomic_read_u64(&generator->shared->floor_ms);
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

/* Interval between two readings of a clock that is far behind. */
#define POLL_MS		10

static void
sleep_us(int64 us)
{
	static uint32 wait_event;

	if (us < 1000)
		pg_usleep((long) us);
	else
	{
		if (wait_event == 0)
			wait_event = flakeid_wait_event_new("FlakeidClock");
		(void) WaitLatch(MyLatch,
						 WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH,
						 (long) (us / 1000), wait_event);
		ResetLatch(MyLatch);
	}
}

/* Sentence with the number of ids per millisecond. */
static char *
per_ms_text(const FlakeidGenerator *generator, const FlakeIncrement *increment)
{
	const unsigned bits = (unsigned) flakeid_ulidflake_step_bits;
	unsigned long long random_per_ms = flake_random_per_ms(increment, bits);

	if (generator->format == FLAKE_ULIDFLAKE)
		return psprintf("A millisecond holds about %llu ids with flakeid.ulidflake_step_bits = %u.",
						random_per_ms, bits);
	return psprintf("A millisecond holds at most %llu ids.",
					(unsigned long long) increment->last + 1);
}

/*
 * The clock is this far behind the last id, or, with 0, in its millisecond.
 * 55P03 if a retry can help, as with lock_timeout, else 55000.
 */
pg_noreturn static void
refuse_after_wait(const FlakeidGenerator *generator,
				  const FlakeIncrement *increment, int64 behind_ms)
{
	const char *name = generator->layout->name;
	const bool	is_far = behind_ms > FLAKE_FAR_AHEAD_MS;

	(void) pg_atomic_fetch_add_u64(&generator->shared->refusals, 1);
	if (behind_ms > 0)
		ereport(ERROR,
				(errcode(is_far ? ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE :
						 ERRCODE_LOCK_NOT_AVAILABLE),
				 errmsg("could not generate a %s: the clock is " INT64_FORMAT " ms behind the last id",
						name, behind_ms),
				 errdetail("Waited %d ms, as long as flakeid.max_wait allows.",
						   flakeid_max_wait),
				 is_far ?
				 errhint("If the clock is wrong now, correct it. If it was wrong when those ids were generated, or flakeid_raise_floor() was called with a wrong time, a superuser can call flakeid_reset_horizon() and restart the server.") :
				 errhint("If the clock is behind, correct it. Otherwise try again, or increase flakeid.max_wait.")));
	ereport(ERROR,
			(errcode(ERRCODE_LOCK_NOT_AVAILABLE),
			 errmsg("could not generate a %s: every id of this millisecond is used up",
					name),
			 errdetail("%s Waited %d ms, as long as flakeid.max_wait allows.",
					   per_ms_text(generator, increment), flakeid_max_wait),
			 errhint("Try again, or increase flakeid.max_wait.")));
}

/*
 * Time until the caller should read the clock again.  The next id may be
 * possible in the clock's next millisecond; of a format that waits, when the
 * clock has reached the last id, but the clock may be corrected before that.
 */
static int64
pause_us(const FlakeLayout *layout, int64 behind_us)
{
	int64		until_next_us = behind_us % 1000;

	if (until_next_us <= 0)
		until_next_us += 1000;
	if (!layout->waits)
		return until_next_us;
	return Min(Max(behind_us, until_next_us), POLL_MS * 1000);
}

/*
 * Wait a while for the clock, which is in the millisecond of the position, all
 * of whose ids are used up, or behind it.  All waits of a call together last
 * at most flakeid.max_wait, by the monotonic clock; then it is an error.  Only
 * the time in sleep_us() counts: between two waits a call may flush the WAL,
 * or wait for a lock.  The counters change before anything can interrupt it.
 */
static void
wait_for_clock(const FlakeidGenerator *generator,
			   const FlakeIncrement *increment, uint64 position_ms,
			   int64 now_ms, int64 *waited_us)
{
	FlakeidFormatState *shared = generator->shared;
	int64		unix_ms = (int64) position_ms + generator->epoch_ms;
	int64		left_us = flakeid_max_wait * INT64CONST(1000) - *waited_us;
	int64		begun_us;

	if (left_us <= 0)
		refuse_after_wait(generator, increment, (int64) position_ms - now_ms);
	if (*waited_us == 0)
		(void) pg_atomic_fetch_add_u64(&shared->waits, 1);
	begun_us = flakeid_monotonic_us();
	sleep_us(Min(pause_us(generator->layout, flakeid_until_us(unix_ms)),
				 left_us));
	/* rounded up */
	*waited_us += flakeid_monotonic_us() - begun_us + 1;
	flakeid_raise_to(&shared->longest_wait_us, (uint64) *waited_us);
}

pg_noreturn static void
refuse_before_epoch(const FlakeidGenerator *generator)
{
	TimestampTz now = flakeid_timestamptz_from_instant(flakeid_clock_now());

	(void) pg_atomic_fetch_add_u64(&generator->shared->refusals, 1);
	ereport(ERROR,
			(errcode(ERRCODE_DATETIME_FIELD_OVERFLOW),
			 errmsg("could not generate a %s: the clock, \"%s\", is before the epoch",
					generator->layout->name, timestamptz_to_str(now)),
			 errdetail("The epoch is %s.",
					   flakeid_epoch_text(generator->epoch_ms)),
			 errhint("Correct the clock. If the epoch is in the future, correct it and restart the server.")));
}

/* The field is used up, by the clock or by an earlier, wrong clock. */
pg_noreturn static void
refuse_beyond_field(const FlakeidGenerator *generator)
{
	const FlakeLayout *layout = generator->layout;
	FlakeInstant now = flakeid_clock_now();
	TimestampTz now_ts = flakeid_timestamptz_from_instant(now);
	int64		last_ms = generator->epoch_ms +
		(int64) layout->last_generated_ms;
	bool		was_wrong = flake_unix_ms(now) <= last_ms;

	(void) pg_atomic_fetch_add_u64(&generator->shared->refusals, 1);
	ereport(ERROR,
			(errcode(ERRCODE_DATETIME_FIELD_OVERFLOW),
			 errmsg("could not generate a %s: its last timestamp has been reached",
					layout->name),
			 errdetail("The clock is \"%s\", the epoch is %s, and the last timestamp is %s.",
					   timestamptz_to_str(now_ts),
					   flakeid_epoch_text(generator->epoch_ms),
					   flakeid_epoch_text(last_ms)),
			 was_wrong ?
			 errhint("The clock was once set to that timestamp or later, or flakeid_raise_floor() was called with a time just before it. A superuser can call flakeid_reset_horizon() and restart the server.") :
			 errhint("If the clock is wrong, correct it. Otherwise use another format for new tables.")));
}

/*
 * Prepare another round after a step that generated no id: raise the horizon,
 * or wait.  Before the epoch, the next round continues after the newest id, if
 * there is one.  Otherwise report an error.  Not inlined, so that an id of the
 * shared word needs fewer registers.
 */
static pg_noinline void
wait_or_refuse(FlakeidGenerator *generator, const FlakeIncrement *increment,
			   FlakeStep step, uint64 wanted_ms, FlakePosition position,
			   int64 now_ms, int64 *waited_us)
{
	switch (step)
	{
		case FLAKE_STEP_NEEDS_HORIZON:
			flakeid_horizon_allow(generator, wanted_ms);
			break;
		case FLAKE_STEP_FULL:
		case FLAKE_STEP_BEHIND:
			wait_for_clock(generator, increment, position.ms, now_ms,
						   waited_us);
			break;
		case FLAKE_STEP_BEFORE_EPOCH:
			if (flakeid_newest_ms(generator) == 0)
				refuse_before_epoch(generator);
			break;
		default:
			refuse_beyond_field(generator);
	}
	CHECK_FOR_INTERRUPTS();
}

/*
 * Generate an id, in either scope: load the newest id, read the clock, take a
 * step, store the new id.  The clock is read after the newest id: in server
 * scope, a call that starts after another one returned then always gets a
 * greater id, and no process waits for a clock that is not behind.
 */
int64
flakeid_generate_slow(FlakeidGenerator *generator,
					  const FlakeIncrement *increment)
{
	int64		waited_us = 0;
	FlakeStep	step = FLAKE_STEP_COUNTED;	/* of the previous round */

	for (;;)
	{
		uint64		word = 0;
		FlakePosition position = load_position(generator, increment, step,
											   &word);
		uint64		wanted_ms = 0;
		int64		now_ms;

		pg_read_barrier();
		now_ms = clock_after(generator, step, position.ms);
		step = take_step(generator, increment, now_ms, &position, &wanted_ms);
		if (!flake_step_generated(step))
		{
			wait_or_refuse(generator, increment, step, wanted_ms, position,
						   now_ms, &waited_us);
			continue;
		}
		Assert(position.ms <= generator->horizon.allowed_ms);
		if (step == FLAKE_STEP_NEW_MS || step == FLAKE_STEP_MOVED_ON)
			begin_ms(generator, position.ms, now_ms);
		if (store_position(generator, position, word))
			return (int64) flake_position_id(generator->layout,
											 &generator->share, position);
	}
}
