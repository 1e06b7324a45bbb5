/*
 * state_set_up.c
 *		With the exclusive lock held: create the state file, set it aside, or
 *		fold it for a new postmaster.
 */
#include "postgres.h"

#include "pg/compat.h"

#include <sys/file.h>

#include "pg/settings.h"
#include "pg/state.h"

/* Check the settings before anything is written, even a blank file. */
static void
check_configured_address(void)
{
	FlakeidConfig configured;

	flakeid_configured(&configured);
	flakeid_check_address(&configured);
}

/* Set aside and create the file if necessary, and fold it. */
static void
set_up_locked(FlakeidState **state, FlakeidFoldMode mode,
			  FlakeidReport *report)
{
	FlakeidPlace place;
	FlakeidFileState look = flakeid_state_look(state, &place);
	uint64		marks_ms[FLAKE_FORMATS] = {0};

	if (look == FLAKEID_FILE_OTHER &&
		!flakeid_marks_are_sound(*state, marks_ms))
		look = FLAKEID_FILE_DAMAGED;
	if (look == FLAKEID_FILE_GOOD || look == FLAKEID_FILE_REPLACED)
		return;
	check_configured_address();
	if (look != FLAKEID_FILE_OTHER)
	{
		flakeid_state_unmap(state);
		if (look != FLAKEID_FILE_MISSING)
		{
			flakeid_state_set_aside();
			report->set_aside = look;
		}
		flakeid_state_make();

		/* Another process removed the file meanwhile: the caller retries. */
		if (flakeid_state_look(state, &place) != FLAKEID_FILE_OTHER)
			return;
		memset(marks_ms, 0, sizeof(marks_ms));
	}
	report->before = flakeid_record_config(flakeid_state_record(*state));
	flakeid_state_fold(*state, &place, marks_ms, mode, report);
	report->has_before = look == FLAKEID_FILE_OTHER;
}

/* Release the lock before any message is sent. */
static void
unlock_and_report(FlakeidState **state, const FlakeidReport *report)
{
	FlakeidConfig now;

	flakeid_state_back_out(state);
	flakeid_configured(&now);
	if (report->set_aside != FLAKEID_FILE_GOOD)
		flakeid_warn_of_set_aside(report->set_aside);
	if (report->reset_ignored)
		ereport(WARNING,
				(errmsg("ignoring a clock reset that was requested before state file \"%s\" was copied",
						FLAKEID_STATE_FILE),
				 errhint("If the clock must be reset here, call flakeid_reset_clock() again, and restart the server.")));
	if (report->reset)
		flakeid_notice_reset(report->newest_ms, &now, FLAKE_FORMATS, true);
	if (report->has_before)
		flakeid_warn_of_lost_settings(&report->before);
}

/*
 * Release the lock in any case.  state and report belong to the caller, so
 * that their values are defined after a longjmp.
 */
static void
set_up_and_unlock(FlakeidState **state, FlakeidFoldMode mode,
				  FlakeidReport *report)
{
	PG_TRY();
	{
		set_up_locked(state, mode, report);
	}
	PG_CATCH();
	{
		unlock_and_report(state, report);
		PG_RE_THROW();
	}
	PG_END_TRY();
	unlock_and_report(state, report);
}

/* Has another process set up the file? */
static bool
is_set_up(FlakeidState **state)
{
	FlakeidPlace place;
	bool		good;

	if (!flakeid_lock_try(LOCK_SH))
		return false;
	good = flakeid_state_look(state, &place) == FLAKEID_FILE_GOOD;
	flakeid_state_back_out(state);
	return good;
}

/*
 * Set up the file for this postmaster, unless it is good.  Only a process with
 * the server's own settings may do this.  It releases lock and file; attaching
 * is a separate step.
 */
FlakeidSetUp
flakeid_state_set_up(FlakeidFoldMode mode)
{
	FlakeidState *state = NULL;
	FlakeidReport report = {0};

	flakeid_check_own_settings();
	flakeid_lock_open();
	for (int waited_ms = 0; !flakeid_lock_try(LOCK_EX);
		 waited_ms += FLAKEID_LOCK_WAIT_MS)
	{
		if (is_set_up(&state))
			return FLAKEID_SET_UP_DONE;
		if (waited_ms >= FLAKEID_LOCK_PATIENCE_MS)
			return FLAKEID_SET_UP_LOCKED;
		flakeid_lock_wait();
	}
	set_up_and_unlock(&state, mode, &report);
	return report.reset ? FLAKEID_SET_UP_RESET : FLAKEID_SET_UP_DONE;
}
