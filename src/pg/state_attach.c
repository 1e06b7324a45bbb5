/*
 * state_attach.c
 *		Attach a process to the state file, under the lock on postmaster.pid.
 *
 * doc/protocol.md, rule 1.  The process holds the shared lock while the file
 * is mapped, that is, until it exits.  Setting up the file requires the
 * exclusive lock; state_worker.c finds a process for that.
 */
#include "postgres.h"

#include "pg/compat.h"

#include <sys/file.h>

#include "access/xlog.h"

#include "pg/state.h"

#define WORKER_PATIENCE_MS	5000

FlakeidState *flakeid_state;

/* The current record, as read when the file was mapped. */
static FlakeidRecord attached;

/* Waiting times of an attempt to attach, and its result. */
typedef struct Patience
{
	FlakeidFoldMode mode;
	int			lock_ms;		/* for others to release the lock */
	int			worker_ms;		/* for a background worker */
	bool		locked;			/* others held the lock for a second */
	bool		reset;			/* the file was set up with a reset */
} Patience;

pg_noreturn static void
raise_bad_file(FlakeidFileState look)
{
	ereport(ERROR,
			(errcode(ERRCODE_IO_ERROR),
			 look == FLAKEID_FILE_REPLACED ?
			 errmsg("state file \"%s\" was replaced while the server was running",
					FLAKEID_STATE_FILE) :
			 errmsg("state file \"%s\" was removed or damaged while the server was running",
					FLAKEID_STATE_FILE),
			 errdetail("Sessions that have mapped the previous file still use it, so a new file cannot be created."),
			 errhint("Restart the server.")));
}

/* Warn once, after a second, that others hold the lock or set up the file. */
static void
count_wait(Patience *patience, int ms)
{
	bool		is_told = patience->lock_ms >= FLAKEID_LOCK_PATIENCE_MS;

	patience->lock_ms += ms;
	if (is_told || patience->lock_ms < FLAKEID_LOCK_PATIENCE_MS)
		return;
	ereport(WARNING,
			(errmsg("still waiting for the lock on file \"%s\"", FLAKEID_LOCK_FILE),
			 errdetail("State file \"%s\" must be set up for this start of the server, but another process holds the lock.",
					   FLAKEID_STATE_FILE),
			 errhint("If a server process is suspended, resume it. If the file was copied there while the server was running, restart the server.")));
}

static void
wait_for_lock(Patience *patience)
{
	count_wait(patience, FLAKEID_LOCK_WAIT_MS);
	flakeid_lock_wait();
}

static void
wait_for_worker(Patience *patience)
{
	patience->worker_ms += FLAKEID_LOCK_WAIT_MS;
	if (patience->worker_ms > WORKER_PATIENCE_MS)
		ereport(ERROR,
				(errcode(ERRCODE_CONFIGURATION_LIMIT_EXCEEDED),
				 errmsg("could not start a background worker to set up state file \"%s\"",
						FLAKEID_STATE_FILE),
				 errdetail("After a server start, the first 64-bit id needs a background worker briefly. All worker slots are in use, or the worker could not be started."),
				 errhint("Try again, increase max_worker_processes, or add flakeid to shared_preload_libraries.")));
	flakeid_lock_wait();
}

/*
 * Make one attempt.  Returns true with the shared lock held and the file in
 * *state, or false after a step towards that.
 */
static bool
try_open(FlakeidState **state, Patience *patience)
{
	FlakeidPlace place;
	FlakeidFileState look;

	if (!flakeid_lock_try(LOCK_SH))
	{
		wait_for_lock(patience);
		return false;
	}
	look = flakeid_state_look(state, &place);
	if (look == FLAKEID_FILE_GOOD)
		return true;
	flakeid_state_back_out(state);

	/*
	 * A bad file remains bad while sessions have mapped another one.  But the
	 * file may have been set up while we waited for the lock, so check again
	 * before raising.
	 */
	if (look == FLAKEID_FILE_REPLACED ||
		(patience->locked && look != FLAKEID_FILE_OTHER))
		raise_bad_file(look);
	patience->locked = false;
	switch (flakeid_have_set_up(patience->mode))
	{
		case FLAKEID_SET_UP_DONE:
			break;
		case FLAKEID_SET_UP_RESET:
			patience->reset = true;
			break;
		case FLAKEID_SET_UP_LOCKED:
			patience->locked = true;
			if (look == FLAKEID_FILE_OTHER)
				count_wait(patience, FLAKEID_LOCK_PATIENCE_MS);
			break;
		case FLAKEID_SET_UP_ELSEWHERE:
			wait_for_lock(patience);
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
		flakeid_state_back_out(state);
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
	flakeid_lock_open();
	open_or_back_out(&state, &patience);
	attached = *flakeid_state_record(state);
	attached.in_effect = flakeid_record_config(&attached);
	flakeid_state = state;
	return patience.reset;
}

/*
 * Map the file and read the current record.  Errors release all resources.
 * Does nothing if the file is already mapped.
 */
void
flakeid_state_open(void)
{
	(void) open_state(FLAKEID_FOLD);
}

/* The same, but reset the clock if the fold is refused; true if it was reset. */
bool
flakeid_state_open_or_reset(void)
{
	return open_state(FLAKEID_FOLD_OR_RESET);
}

/* The configuration in effect until the next start; the file must be open. */
const FlakeidConfig *
flakeid_config_in_effect(void)
{
	return &attached.in_effect;
}

/* The configuration in effect; during recovery the configured one. */
FlakeidConfig
flakeid_config_for_readers(void)
{
	FlakeidConfig configured;

	if (flakeid_state != NULL || !RecoveryInProgress())
	{
		flakeid_state_open();
		return attached.in_effect;
	}
	flakeid_check_known_settings();
	flakeid_configured(&configured);
	return configured;
}

/* Number of formats; fewer if an older library set up the file. */
int
flakeid_formats_in_effect(void)
{
	return Min((int) attached.formats, (int) FLAKE_FORMATS);
}

/* Raise if the format becomes available only at the next start. */
void
flakeid_check_format(FlakeFormat format)
{
	if (likely((int) format < flakeid_formats_in_effect()))
		return;
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("%s is not available until the server is restarted",
					flake_layouts[format].name),
			 errdetail("State file \"%s\" was set up by a version of flakeid that does not have this format.",
					   FLAKEID_STATE_FILE),
			 errhint("Restart the server.")));
}

/*
 * Cheap check that the record was not overwritten in place: compare its stored
 * checksum.  Damage to marks, words and floors is not detected.
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
