/*
 * wait.c
 *		Wait for the clock, and report an error if waiting does not help.
 *
 * All waits of a call together take at most flakeid.max_wait, measured by the
 * monotonic clock, and can be canceled.  Only the time in sleep_us() counts:
 * between two waits a call may flush the WAL, or wait for a lock.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "miscadmin.h"
#include "storage/latch.h"
#include "utils/timestamp.h"
#include "utils/wait_event.h"

#include "format/flake_horizon.h"
#include "pg/clock.h"
#include "pg/settings.h"
#include "pg/sql.h"
#include "pg/state.h"
#include "pg/wait.h"

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

/* 55P03 if a retry can help, as with lock_timeout, else 55000. */
pg_noreturn static void
refuse_after_wait(const FlakeidGenerator *generator,
				  const FlakeIncrement *increment, FlakeStep why,
				  int64 behind_us)
{
	const char *name = generator->layout->name;
	const bool	is_far = behind_us > FLAKE_FAR_AHEAD_MS * INT64CONST(1000);

	(void) pg_atomic_fetch_add_u64(&generator->shared->refusals, 1);
	if (why == FLAKE_STEP_BEHIND)
		ereport(ERROR,
				(errcode(is_far ? ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE :
						 ERRCODE_LOCK_NOT_AVAILABLE),
				 errmsg("could not generate a %s: the clock is " INT64_FORMAT " ms behind the last id",
						name, (behind_us + 999) / 1000),
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
 * Wait a while for the clock: why is FULL or BEHIND.  Reports an error once
 * flakeid.max_wait is used up.  The counters change before anything can
 * interrupt the call.
 */
void
flakeid_wait(const FlakeidGenerator *generator, FlakeStep why,
			 uint64 position_ms, FlakeidWait *wait)
{
	FlakeidFormatState *shared = generator->shared;
	const int64 most_us = flakeid_max_wait * INT64CONST(1000);
	int64		unix_ms = (int64) position_ms + generator->epoch_ms;
	int64		behind_us = flakeid_until_us(unix_ms);
	int64		left_us = most_us - wait->waited_us;
	int64		begun_us;

	Assert(why == FLAKE_STEP_FULL || why == FLAKE_STEP_BEHIND);
	if (wait->waited_us == 0)
		(void) pg_atomic_fetch_add_u64(&shared->waits, 1);
	if (left_us <= 0)
		refuse_after_wait(generator, wait->increment, why, Max(behind_us, 0));
	begun_us = flakeid_monotonic_us();
	sleep_us(Min(pause_us(generator->layout, behind_us), left_us));
	/* rounded up */
	wait->waited_us += flakeid_monotonic_us() - begun_us + 1;
	flakeid_raise_to(&shared->longest_wait_us, (uint64) wait->waited_us);
	CHECK_FOR_INTERRUPTS();
}

pg_noreturn static void
refuse_before_epoch(const FlakeLayout *layout, int64 epoch_ms)
{
	TimestampTz now = flakeid_timestamptz_from_instant(flakeid_clock_now());

	ereport(ERROR,
			(errcode(ERRCODE_DATETIME_FIELD_OVERFLOW),
			 errmsg("could not generate a %s: the clock, \"%s\", is before the epoch",
					layout->name, timestamptz_to_str(now)),
			 errdetail("The epoch is %s.", flakeid_epoch_text(epoch_ms)),
			 errhint("Correct the clock. If the epoch is in the future, correct it and restart the server.")));
}

/* The field is used up, by the clock or by an earlier, wrong clock. */
pg_noreturn static void
refuse_beyond_field(const FlakeLayout *layout, int64 epoch_ms)
{
	FlakeInstant now = flakeid_clock_now();
	TimestampTz now_ts = flakeid_timestamptz_from_instant(now);
	int64		last_ms = epoch_ms + (int64) layout->last_generated_ms;
	bool		was_wrong = flake_unix_ms(now) <= last_ms;

	ereport(ERROR,
			(errcode(ERRCODE_DATETIME_FIELD_OVERFLOW),
			 errmsg("could not generate a %s: its last timestamp has been reached",
					layout->name),
			 errdetail("The clock is \"%s\", the epoch is %s, and the last timestamp is %s.",
					   timestamptz_to_str(now_ts),
					   flakeid_epoch_text(epoch_ms),
					   flakeid_epoch_text(last_ms)),
			 was_wrong ?
			 errhint("The clock was once set to that timestamp or later, or flakeid_raise_floor() was called with a time just before it. A superuser can call flakeid_reset_horizon() and restart the server.") :
			 errhint("If the clock is wrong, correct it. Otherwise use another format for new tables.")));
}

/*
 * Report that waiting cannot help, since the clock is before the epoch or the
 * field is used up.
 */
void
flakeid_refuse(const FlakeidGenerator *generator, FlakeStep why)
{
	(void) pg_atomic_fetch_add_u64(&generator->shared->refusals, 1);
	if (why == FLAKE_STEP_BEFORE_EPOCH)
		refuse_before_epoch(generator->layout, generator->epoch_ms);
	refuse_beyond_field(generator->layout, generator->epoch_ms);
}
