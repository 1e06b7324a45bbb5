/*
 * state_lock.c
 *		The lock on postmaster.pid.
 *
 * The file exists as long as the postmaster and is never replaced.  The lock
 * is requested with LOCK_NB, so that waiting can be interrupted.
 */
#include "postgres.h"

#include "pg/compat.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "miscadmin.h"
#include "storage/fd.h"
#include "storage/latch.h"
#include "utils/wait_event.h"

#include "pg/state.h"

/* File descriptor of the lock, kept until this process exits; -1: none. */
static int	lock_fd = -1;

/* Open for writing, since an exclusive flock() over NFS requires it. */
void
flakeid_lock_open(void)
{
	if (lock_fd >= 0)
		return;
	if (!AcquireExternalFD())
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_RESOURCES),
				 errmsg("could not open file \"%s\": too many open files",
						FLAKEID_LOCK_FILE),
				 errhint("Increase max_files_per_process, or the system's limit on open files per process.")));
	lock_fd = BasicOpenFile(FLAKEID_LOCK_FILE, O_RDWR | O_CLOEXEC | PG_BINARY);
	if (lock_fd < 0)
	{
		int			save_errno = errno;

		ReleaseExternalFD();
		errno = save_errno;
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not open file \"%s\": %m", FLAKEID_LOCK_FILE)));
	}
}

/* Try to take the lock; false if others hold it. */
bool
flakeid_lock_try(int kind)
{
	if (flock(lock_fd, kind | LOCK_NB) == 0)
		return true;
	if (errno != EWOULDBLOCK && errno != EINTR)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not lock file \"%s\": %m", FLAKEID_LOCK_FILE)));
	return false;
}

void
flakeid_lock_release(void)
{
	(void) flock(lock_fd, LOCK_UN);
}

/*
 * Wait for the whole interval, since it measures time.  WL_LATCH_SET is
 * omitted: the start or exit of a worker sets the latch and would end the wait
 * early.
 */
void
flakeid_lock_wait(void)
{
	static uint32 wait_event;

	if (wait_event == 0)
		wait_event = flakeid_wait_event_new("FlakeidStateFile");
	(void) WaitLatch(MyLatch, WL_TIMEOUT | WL_EXIT_ON_PM_DEATH,
					 FLAKEID_LOCK_WAIT_MS, wait_event);
	CHECK_FOR_INTERRUPTS();
}
