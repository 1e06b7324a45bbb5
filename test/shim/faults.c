/*
 * faults.c
 *		A library for LD_PRELOAD that makes one call of one process fail, or
 *		stops or kills the process there, or makes its syncs slow.  Nothing is
 *		synced to disk.
 *
 * The file named by FLAKEID_FAULTS has six 64-bit numbers: a process, the kinds
 * of calls that count, how many of them succeed first, what happens then
 * (errno, 0: SIGKILL, below: minus a signal; for syncs the ms that they take),
 * how many times, and the number of calls counted so far.
 * The test writes it while the process waits for a command.
 */
#define _GNU_SOURCE

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum
{
	KIND_FILE = 1,				/* open, read, write, sync, resize */
	KIND_SHARED_MEMORY = 2,		/* shm_open, posix_fallocate, mmap */
	KIND_MEMORY = 4,			/* malloc */
	KIND_WRITE = 8,				/* write and resize */
	KIND_COMPARE = 16,			/* memcmp of 20 bytes, those of a scru160 */
	KIND_SYNC = 32,				/* fsync and fdatasync, which succeed */
	KIND_RANDOM = 64,			/* what pg_strong_random() calls */
	KIND_POINT = 128			/* reads the clock, sends, or syncs */
};

typedef struct Faults
{
	volatile int64_t process;
	volatile int64_t kinds;
	volatile int64_t succeed;
	volatile int64_t error;
	volatile int64_t fail;
	volatile int64_t counted;
} Faults;

static Faults *faults;

__attribute__((constructor))
static void
map_faults(void)
{
	const char *path = getenv("FLAKEID_FAULTS");
	void	   *address;
	int			fd;

	if (path == NULL || (fd = open(path, O_RDWR)) < 0)
		return;
	address = mmap(NULL, sizeof(Faults), PROT_READ | PROT_WRITE, MAP_SHARED,
				   fd, 0);
	close(fd);
	if (address != MAP_FAILED)
		faults = address;
}

/* Does this call fail?  Sets errno. */
static int
fails(int kinds)
{
	if (faults == NULL || (faults->kinds & kinds) == 0 ||
		faults->process != getpid())
		return 0;
	if (faults->counted++ < faults->succeed ||
		faults->counted > faults->succeed + faults->fail)
		return 0;
	if (faults->error <= 0)
	{
		raise(faults->error == 0 ? SIGKILL : (int) -faults->error);
		return 0;
	}
	errno = (int) faults->error;
	return 1;
}

/* Replace a function of the C library. */
#define REPLACE(result, name, parameters, arguments, kinds, failure) \
result \
name parameters \
{ \
	static result (*next) parameters; \
	if (next == NULL) \
		*(void **) &next = dlsym(RTLD_NEXT, #name); \
	if (fails(kinds)) \
		return failure; \
	return next arguments; \
}

#define REPLACE_OPEN(name) \
int \
name(const char *path, int flags, ...) \
{ \
	static int (*next) (const char *, int, ...); \
	mode_t		mode = 0; \
	va_list		arguments; \
	if (next == NULL) \
		*(void **) &next = dlsym(RTLD_NEXT, #name); \
	va_start(arguments, flags); \
	if ((flags & (O_CREAT | O_TMPFILE)) != 0) \
		mode = va_arg(arguments, mode_t); \
	va_end(arguments); \
	if (fails(KIND_FILE | (strcmp(path, "/dev/urandom") == 0 ? KIND_RANDOM : 0))) \
		return -1; \
	return next(path, flags, mode); \
}

static int
sync_nothing(int fd)
{
	(void) fd;
	if (fails(KIND_SYNC | KIND_POINT))
	{
		struct timespec left = {
			.tv_sec = faults->error / 1000, .tv_nsec = faults->error % 1000 * 1000000
		};

		/* A signal does not end it. */
		while (nanosleep(&left, &left) != 0 && errno == EINTR)
			;
	}
	return fails(KIND_FILE) ? -1 : 0;
}

int
fsync(int fd)
{
	return sync_nothing(fd);
}

int
fdatasync(int fd)
{
	return sync_nothing(fd);
}

REPLACE(int, clock_gettime, (clockid_t clock, struct timespec *now), (clock, now),
		KIND_POINT, -1)
REPLACE(ssize_t, send, (int fd, const void *data, size_t size, int flags),
		(fd, data, size, flags), KIND_POINT, -1)
REPLACE(int, memcmp, (const void *a, const void *b, size_t n), (a, b, n),
		n == 20 ? KIND_COMPARE : 0, 0)
REPLACE_OPEN(open)
REPLACE_OPEN(open64)
REPLACE(ssize_t, pread64, (int fd, void *data, size_t size, off64_t offset),
		(fd, data, size, offset), KIND_FILE, -1)
REPLACE(ssize_t, pread, (int fd, void *data, size_t size, off_t offset),
		(fd, data, size, offset), KIND_FILE, -1)
REPLACE(ssize_t, pwrite64, (int fd, const void *data, size_t size, off64_t offset),
		(fd, data, size, offset), KIND_FILE | KIND_WRITE, -1)
REPLACE(ssize_t, pwrite, (int fd, const void *data, size_t size, off_t offset),
		(fd, data, size, offset), KIND_FILE | KIND_WRITE, -1)
REPLACE(ssize_t, pwritev, (int fd, const struct iovec *data, int count, off_t offset),
		(fd, data, count, offset), KIND_FILE | KIND_WRITE, -1)
REPLACE(ssize_t, pwritev64, (int fd, const struct iovec *data, int count, off64_t offset),
		(fd, data, count, offset), KIND_FILE | KIND_WRITE, -1)
REPLACE(ssize_t, read, (int fd, void *data, size_t size),
		(fd, data, size), KIND_FILE, -1)
REPLACE(ssize_t, write, (int fd, const void *data, size_t size),
		(fd, data, size), KIND_FILE | KIND_WRITE, -1)
REPLACE(int, ftruncate, (int fd, off_t size), (fd, size),
		KIND_FILE | KIND_SHARED_MEMORY | KIND_WRITE, -1)
REPLACE(int, ftruncate64, (int fd, off64_t size), (fd, size),
		KIND_FILE | KIND_SHARED_MEMORY | KIND_WRITE, -1)
REPLACE(int, posix_fallocate, (int fd, off_t from, off_t size),
		(fd, from, size), KIND_FILE | KIND_SHARED_MEMORY | KIND_WRITE, errno)
REPLACE(int, posix_fallocate64, (int fd, off64_t from, off64_t size),
		(fd, from, size), KIND_FILE | KIND_SHARED_MEMORY | KIND_WRITE, errno)
REPLACE(int, shm_open, (const char *name, int flags, mode_t mode),
		(name, flags, mode), KIND_FILE | KIND_SHARED_MEMORY, -1)
REPLACE(void *, mmap, (void *address, size_t size, int protection, int flags, int fd, off_t offset),
		(address, size, protection, flags, fd, offset),
		KIND_FILE | KIND_SHARED_MEMORY, MAP_FAILED)
REPLACE(void *, mmap64, (void *address, size_t size, int protection, int flags, int fd, off64_t offset),
		(address, size, protection, flags, fd, offset),
		KIND_FILE | KIND_SHARED_MEMORY, MAP_FAILED)
REPLACE(int, RAND_bytes, (unsigned char *data, int size), (data, size),
		KIND_RANDOM, 0)
REPLACE(void *, malloc, (size_t size), (size), KIND_MEMORY, NULL)
