/*
 * shim.c
 *		A library for LD_PRELOAD that fails like some file systems.
 *
 *	- flock() requires a writable descriptor for an exclusive lock, as over
 *	  NFS.
 *	- msync() fails once with EIO each time the file named by
 *	  FLAKEID_SHIM_MSYNC is created.
 */
#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

int
flock(int fd, int operation)
{
	if ((operation & LOCK_EX) != 0 &&
		(fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDONLY)
	{
		errno = EBADF;
		return -1;
	}
	return (int) syscall(SYS_flock, fd, operation);
}

int
msync(void *address, size_t length, int flags)
{
	const char *path = getenv("FLAKEID_SHIM_MSYNC");

	if (path != NULL && unlink(path) == 0)
	{
		errno = EIO;
		return -1;
	}
	return (int) syscall(SYS_msync, address, length, flags);
}
