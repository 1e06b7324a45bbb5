/*
 * state.c
 *		Attach a process to the state file, under the lock on postmaster.pid.
 *
 * PROTOCOL.md, rule 1.  The lock is shared as long as the file is mapped, that
 * is until the process exits; exclusive to set up the file, that is to make it,
 * set it aside or fold it.  It is always taken without waiting, so that a wait
 * can be interrupted.
 */
#include "postgres.h"

#include "pg/compat.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "access/xlog.h"
#include "miscadmin.h"
#include "storage/fd.h"
#include "storage/latch.h"
#include "utils/wait_event.h"

#include "pg/state.h"

#define LOCK_FILE			"postmaster.pid"
#define RETRY_AFTER_MS		10
#define LOCK_PATIENCE_MS	1000
#define WORKER_PATIENCE_MS	5000

FlakeidState *flakeid_state;

/* The lock's descriptor, kept until this process exits; -1: none. */
static int	lock_fd = -1;

/* The address in force, as read when the file was mapped. */
static FlakeidRecord attached;

/* How long an attempt to attach has been waiting, and what came of it. */
typedef struct Patience
{
	FlakeidFoldMode mode;
	int			worker_ms;		/* for a background worker */
	bool		locked;			/* others held the lock for long, ... */
	bool		warned;			/* ... and we said so */
	bool		reset;			/* the file was set up with a reset */
} Patience;

/* Writable, since flock() over NFS asks for that. */
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
	lock_fd = BasicOpenFile(LOCK_FILE, O_RDWR | O_CLOEXEC | PG_BINARY);
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

/* Take the lock; false if others hold it. */
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

/* Undo everything, also after an error. */
static void
back_out(FlakeidState **state)
{
	flakeid_state_unmap(state);
	(void) flock(lock_fd, LOCK_UN);
}

/* Bad settings write nothing, not even a blank file. */
static void
check_configured_address(void)
{
	FlakeidAddress configured;

	flakeid_configured_address(&configured);
	flakeid_check_address(&configured);
}

/* Under the exclusive lock: make or set aside what has to be, and fold. */
static FlakeidSetUp
set_up_locked(FlakeidState **state, FlakeidFoldMode mode)
{
	FlakeidPlace place;
	FlakeidLook look = flakeid_state_look(state, &place);

	if (look == FLAKEID_LOOK_OTHER && !flakeid_marks_are_sound(*state))
		look = FLAKEID_LOOK_DAMAGED;
	if (look == FLAKEID_LOOK_GOOD || look == FLAKEID_LOOK_REPLACED)
		return FLAKEID_SET_UP_DONE;
	check_configured_address();
	if (look != FLAKEID_LOOK_OTHER)
	{
		flakeid_state_unmap(state);
		if (look != FLAKEID_LOOK_MISSING)
			flakeid_state_set_aside(look);
		flakeid_state_make();
		if (flakeid_state_look(state, &place) != FLAKEID_LOOK_OTHER)
			return FLAKEID_SET_UP_DONE; /* removed: the caller looks again */
	}
	return flakeid_state_fold(*state, &place, mode);
}

/*
 * The lock is given back in any case.  state and result are the caller's, so
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
		back_out(state);
		PG_RE_THROW();
	}
	PG_END_TRY();
	back_out(state);
}

/* Has another process set up the file? */
static bool
is_set_up(FlakeidState **state)
{
	FlakeidPlace place;
	bool		good;

	if (!try_lock(LOCK_SH))
		return false;
	good = flakeid_state_look(state, &place) == FLAKEID_LOOK_GOOD;
	back_out(state);
	return good;
}

static void
wait_to_retry(void)
{
	static uint32 wait_event;

	if (wait_event == 0)
		wait_event = flakeid_wait_event_new("FlakeidStateFile");
	(void) WaitLatch(MyLatch, WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH,
					 RETRY_AFTER_MS, wait_event);
	ResetLatch(MyLatch);
	CHECK_FOR_INTERRUPTS();
}

/*
 * Set up the file for this postmaster, unless it is good.  Only a process whose
 * settings are the server's own may do this.  It keeps neither the lock nor the
 * file: a process attaches by looking at what it then finds.
 */
FlakeidSetUp
flakeid_state_set_up(FlakeidFoldMode mode)
{
	FlakeidState *state = NULL;
	FlakeidSetUp result;

	flakeid_check_own_settings();
	open_lock();
	for (int waited_ms = 0; !try_lock(LOCK_EX); waited_ms += RETRY_AFTER_MS)
	{
		if (is_set_up(&state))
			return FLAKEID_SET_UP_DONE;
		if (waited_ms >= LOCK_PATIENCE_MS)
			return FLAKEID_SET_UP_LOCKED;
		wait_to_retry();
	}
	set_up_and_unlock(&state, mode, &result);
	return result;
}

pg_noreturn static void
raise_bad_file(FlakeidLook look)
{
	ereport(ERROR,
			(errcode(ERRCODE_IO_ERROR),
			 look == FLAKEID_LOOK_REPLACED ?
			 errmsg("state file \"%s\" was replaced while the server was running",
					FLAKEID_STATE_FILE) :
			 errmsg("state file \"%s\" was removed or damaged while the server was running",
					FLAKEID_STATE_FILE),
			 errdetail("Sessions that have mapped the previous file continue with it, so no new one can be made."),
			 errhint("Restart the server.")));
}

/*
 * Other processes have held the lock for a second.  A bad file stays bad as
 * long as sessions live that have mapped another one, so the next look at it
 * decides; a sound one becomes good when whoever looks at it has done so.
 */
static void
wait_for_lock(Patience *patience, FlakeidLook look)
{
	patience->locked = true;
	if (look != FLAKEID_LOOK_OTHER || patience->warned)
		return;
	patience->warned = true;
	ereport(WARNING,
			(errmsg("still waiting for the lock on file \"%s\"", LOCK_FILE),
			 errdetail("State file \"%s\" must be set up for this start of the server, but another process holds the lock.",
					   FLAKEID_STATE_FILE),
			 errhint("If a server process was stopped, continue it. If the file was put there while the server was running, restart the server.")));
}

static void
wait_for_worker(Patience *patience)
{
	patience->worker_ms += RETRY_AFTER_MS;
	if (patience->worker_ms > WORKER_PATIENCE_MS)
		ereport(ERROR,
				(errcode(ERRCODE_CONFIGURATION_LIMIT_EXCEEDED),
				 errmsg("could not start a background worker to set up state file \"%s\"",
						FLAKEID_STATE_FILE),
				 errdetail("After a start of the server, the first 64-bit id needs a background worker for a moment, and none could be started."),
				 errhint("Try again, raise max_worker_processes, or add flakeid to shared_preload_libraries.")));
	wait_to_retry();
}

/*
 * One attempt: true, with the lock shared and the file in *state, or false
 * after a step towards that.
 */
static bool
try_open(FlakeidState **state, Patience *patience)
{
	FlakeidPlace place;
	FlakeidLook look;

	if (!try_lock(LOCK_SH))
	{
		wait_to_retry();
		return false;
	}
	look = flakeid_state_look(state, &place);
	if (look == FLAKEID_LOOK_GOOD)
		return true;
	back_out(state);
	if (look == FLAKEID_LOOK_REPLACED ||
		(patience->locked && look != FLAKEID_LOOK_OTHER))
		raise_bad_file(look);
	switch (flakeid_have_set_up(patience->mode))
	{
		case FLAKEID_SET_UP_DONE:
			break;
		case FLAKEID_SET_UP_RESET:
			patience->reset = true;
			break;
		case FLAKEID_SET_UP_LOCKED:
			wait_for_lock(patience, look);
			break;
		case FLAKEID_SET_UP_ELSEWHERE:
			wait_to_retry();
			break;
		case FLAKEID_SET_UP_NO_WORKER:
			wait_for_worker(patience);
			break;
	}
	return false;
}

/* *state is the caller's, so that its value is defined after a longjmp. */
static void
open_or_back_out(FlakeidState **state, Patience *patience)
{
	PG_TRY();
	{
		while (!try_open(state, patience))
			;
	}
	PG_CATCH();
	{
		back_out(state);
		PG_RE_THROW();
	}
	PG_END_TRY();
}

static bool
open_state(FlakeidFoldMode mode)
{
	FlakeidState *state = NULL;
	Patience	patience = {.mode = mode};

	if (flakeid_state != NULL)
		return false;
	open_lock();
	open_or_back_out(&state, &patience);
	attached = *flakeid_state_record(state);
	flakeid_state = state;
	return patience.reset;
}

/*
 * Map the file and read the address in force; errors say what stands in the
 * way, and leave nothing behind.  Does nothing from the second call on.
 */
void
flakeid_state_open(void)
{
	(void) open_state(FLAKEID_FOLD);
}

/* The same, but where the fold is refused, reset the clock: then true. */
bool
flakeid_state_open_or_reset(void)
{
	return open_state(FLAKEID_FOLD_OR_RESET);
}

/* What the file holds until the next start; open it first. */
const FlakeidAddress *
flakeid_address_in_force(void)
{
	return &attached.in_force;
}

/* The address in force; during recovery what the settings say. */
FlakeidAddress
flakeid_address_for_readers(void)
{
	FlakeidAddress configured;

	if (flakeid_state != NULL || !RecoveryInProgress())
	{
		flakeid_state_open();
		return attached.in_force;
	}
	flakeid_check_known_settings();
	flakeid_configured_address(&configured);
	return configured;
}

/* All of this library's formats, unless an older one set up the file. */
int
flakeid_formats_in_force(void)
{
	return Min((int) attached.formats, (int) FLAKE_FORMATS);
}

/* Raise for a format that comes into force with the next start. */
void
flakeid_check_format(FlakeFormat format)
{
	if (likely((int) format < flakeid_formats_in_force()))
		return;
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("%s is not available before the server is restarted",
					flake_layouts[format].name),
			 errdetail("The state file \"%s\" was set up by a version of flakeid without it.",
					   FLAKEID_STATE_FILE),
			 errhint("Restart the server.")));
}

/*
 * A cheap check by one stored checksum that the record was not overwritten in
 * place.  Damage to marks, words and floors is not noticed.
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
