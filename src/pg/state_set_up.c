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
static FlakeidSetUp
set_up_locked(FlakeidState **state, FlakeidFoldMode mode)
{
	FlakeidPlace place;
	FlakeidFileState look = flakeid_state_look(state, &place);
	uint64		marks_ms[FLAKE_FORMATS] = {0};
	FlakeidConfig before;
	FlakeidSetUp result;

	if (look == FLAKEID_FILE_OTHER &&
		!flakeid_marks_are_sound(*state, marks_ms))
		look = FLAKEID_FILE_DAMAGED;
	if (look == FLAKEID_FILE_GOOD || look == FLAKEID_FILE_REPLACED)
		return FLAKEID_SET_UP_DONE;
	check_configured_address();
	if (look != FLAKEID_FILE_OTHER)
	{
		flakeid_state_unmap(state);
		if (look != FLAKEID_FILE_MISSING)
			flakeid_state_set_aside(look);
		flakeid_state_make();

		/* Another process removed the file meanwhile: the caller retries. */
		if (flakeid_state_look(state, &place) != FLAKEID_FILE_OTHER)
			return FLAKEID_SET_UP_DONE;
		memset(marks_ms, 0, sizeof(marks_ms));
	}
	before = flakeid_record_config(flakeid_state_record(*state));
	result = flakeid_state_fold(*state, &place, marks_ms, mode);
	if (look == FLAKEID_FILE_OTHER)
		flakeid_warn_of_lost_settings(&before);
	return result;
}

/*
 * Release the lock in any case.  state and result belong to the caller, so
 * that their values are defined after a longjmp.
 */
static void
set_up_and_unlock(FlakeidState **state, FlakeidFoldMode mode,
				  FlakeidSetUp *result)
{
	PG_TRY();
	{
		*result = set_up_locked(state, mode);
	}
	PG_CATCH();
	{
		flakeid_state_back_out(state);
		PG_RE_THROW();
	}
	PG_END_TRY();
	flakeid_state_back_out(state);
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
	FlakeidSetUp result;

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
	set_up_and_unlock(&state, mode, &result);
	return result;
}
