/*
 * state.c
 *		Attach a process to the state file, under the lock on postmaster.pid.
 *
 * PROTOCOL.md, rule 1.  The lock is shared as long as the file is mapped, that
 * is until the process exits; exclusive to make the file, set it aside or fold
 * it.  It is taken without waiting, so that a wait can be interrupted.
 */
#include "postgres.h"

#include "pg/compat.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "miscadmin.h"
#include "storage/fd.h"

#include "pg/state.h"

#define LOCK_FILE			"postmaster.pid"
#define RETRY_AFTER_US		10000
#define GIVE_UP_AFTER_MS	1000

FlakeidState *flakeid_state;

/* The lock's descriptor, kept until this process exits; -1: none. */
static int	lock_fd = -1;

/* The address in force, as read when the file was mapped. */
static FlakeidRecord attached;

static void
open_lock(void)
{
	if (lock_fd >= 0)
		return;
	if (!AcquireExternalFD())
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_RESOURCES),
				 errmsg("could not open file \"%s\": too many open files",
						LOCK_FILE),
				 errhint("Raise max_files_per_process, or how many files the system lets a process open.")));
	lock_fd = BasicOpenFile(LOCK_FILE, O_RDONLY | O_CLOEXEC | PG_BINARY);
	if (lock_fd < 0)
	{
		int			save_errno = errno;

		ReleaseExternalFD();
		errno = save_errno;
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not open file \"%s\": %m", LOCK_FILE)));
	}
}

/* Take the lock, or turn it into the other kind; false if others hold it. */
static bool
try_lock(int kind)
{
	if (flock(lock_fd, kind | LOCK_NB) == 0)
		return true;
	if (errno != EWOULDBLOCK && errno != EINTR)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not lock file \"%s\": %m", LOCK_FILE)));
	return false;
}

static void
unlock(void)
{
	(void) flock(lock_fd, LOCK_UN);
}

/* Let go of everything after an error on the way. */
static void
back_out(FlakeidState **state)
{
	flakeid_state_unmap(state);
	unlock();
}

/*
 * Under the exclusive lock: look again, make or set aside what has to be, and
 * fold.
 */
static void
set_up(FlakeidState **state)
{
	FlakeidLook look = flakeid_state_look(state);

	if (look == FLAKEID_LOOK_OTHER && !flakeid_marks_are_sound(*state))
		look = FLAKEID_LOOK_DAMAGED;
	if (look != FLAKEID_LOOK_GOOD && look != FLAKEID_LOOK_OTHER)
	{
		FlakeidAddress configured;

		/* Bad settings write nothing, not even a blank file. */
		flakeid_configured_address(&configured);
		flakeid_check_address(&configured);
		flakeid_state_unmap(state);
		if (look != FLAKEID_LOOK_MISSING)
			flakeid_state_set_aside(look);
		flakeid_state_make();
		look = flakeid_state_look(state);
	}
	if (look == FLAKEID_LOOK_OTHER)
		flakeid_state_fold(*state);
}

/*
 * One try: true, with the lock shared and the file in *state, or false if
 * others hold the lock.  *bad says whether it was for want of the exclusive
 * lock, with a file that is not good.
 */
static bool
try_open(FlakeidState **state, bool *bad)
{
	*bad = false;
	if (!try_lock(LOCK_SH))
		return false;
	if (flakeid_state_look(state) == FLAKEID_LOOK_GOOD)
		return true;
	flakeid_state_unmap(state);
	unlock();
	*bad = true;
	if (!try_lock(LOCK_EX))
		return false;
	set_up(state);

	/*
	 * The identity is written.  But for a moment there is no lock, in which
	 * the file may be removed and another one made: so look once more.
	 */
	while (!try_lock(LOCK_SH))
		pg_usleep(100);
	return flakeid_state_look(state) == FLAKEID_LOOK_GOOD;
}

/* Who cannot get the lock starts again, for as long as it can be hoped for. */
static void
open_file(FlakeidState **state)
{
	int			tries = 0;
	bool		bad;

	while (!try_open(state, &bad))
	{
		if (bad && ++tries * (RETRY_AFTER_US / 1000) >= GIVE_UP_AFTER_MS)
			ereport(ERROR,
					(errcode(ERRCODE_IO_ERROR),
					 errmsg("state file \"%s\" was removed or damaged while the server was running",
							FLAKEID_STATE_FILE),
					 errdetail("Other sessions go on with the file as they have it mapped, so no new one can be made."),
					 errhint("Restart the server.")));
		CHECK_FOR_INTERRUPTS();
		pg_usleep(RETRY_AFTER_US);
	}
}

/*
 * Open the file, or leave nothing behind.  *state is the caller's, so that
 * after an error it surely holds what was mapped.
 */
static void
open_or_back_out(FlakeidState **state)
{
	PG_TRY();
	{
		open_file(state);
	}
	PG_CATCH();
	{
		back_out(state);
		PG_RE_THROW();
	}
	PG_END_TRY();
}

/*
 * Map the file and come to know the address in force; errors say what stands
 * in the way, and leave nothing behind.  Does nothing from the second call on.
 */
void
flakeid_state_open(void)
{
	FlakeidState *state = NULL;

	if (flakeid_state != NULL)
		return;
	open_lock();
	open_or_back_out(&state);
	attached = *flakeid_state_record(state);
	flakeid_state = state;
}

/* What the file holds until the next start; open it first. */
const FlakeidAddress *
flakeid_address_in_force(void)
{
	return &attached.in_force;
}

/*
 * A cheap check that the record was not overwritten in place: it compares one
 * stored checksum.  Damage to marks, words and floors is not noticed.
 */
void
flakeid_check_state(void)
{
	if (likely(flakeid_state_record(flakeid_state)->crc == attached.crc))
		return;
	ereport(ERROR,
			(errcode(ERRCODE_IO_ERROR),
			 errmsg("state file \"%s\" was damaged while the server was running",
					FLAKEID_STATE_FILE),
			 errhint("Restart the server.")));
}
