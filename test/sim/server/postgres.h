/*
 * postgres.h
 *		The simulated server: everything that the simulated files of src/pg (see
 *		sim.c) use from the real one.  The other headers that they include are
 *		empty here ("make sim" creates them).
 *
 * Every access to shared memory, the clock, the lock and the file goes through
 * sim_access(), where the process can be suspended, so that others run, or
 * killed.
 */
#ifndef SIM_POSTGRES_H
#define SIM_POSTGRES_H

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PG_VERSION_NUM 180000
#define FLAKEID_STATE_SLOTS 512

typedef int32_t int32;
typedef int64_t int64;
typedef uint32_t uint32;
typedef uint64_t uint64;
typedef int64 TimestampTz;

#define PG_INT64_MIN	INT64_MIN
#define PG_INT64_MAX	INT64_MAX
#define PG_BINARY		0
#define USECS_PER_SEC	INT64_C(1000000)
#define USECS_PER_DAY	INT64_C(86400000000)
#define UNIX_EPOCH_JDATE		2440588
#define POSTGRES_EPOCH_JDATE	2451545
#define INT64CONST(x)			INT64_C(x)

#define Max(x, y)		((x) > (y) ? (x) : (y))
#define Min(x, y)		((x) < (y) ? (x) : (y))
#define likely(x)		__builtin_expect((x) != 0, 1)
#define unlikely(x)		__builtin_expect((x) != 0, 0)
#define unconstify(type, expression)	((type) (expression))
#define StaticAssertDecl(condition, message) \
	_Static_assert(condition, message)
#define pg_noreturn						__attribute__((noreturn))
#define pg_attribute_always_inline inline

/*
 * Kinds of accesses, so that a run can be interrupted before the nth of a
 * kind.  Rare writes are those to the header, except its counters, to files and
 * names: only a fold, a horizon, a raise or a reset makes them.
 */
typedef enum SimAccess
{
	SIM_READ,
	SIM_WRITE,
	SIM_RARE,
	SIM_ACCESSES
} SimAccess;

/* Numbers until the interruption: of any kind, of writes, of rare writes. */
extern uint64 sim_accesses_left[SIM_ACCESSES];

/* Plain stores to the mapped file must be searched for. */
extern bool sim_watches;

/* Header of the mapped file, or an unused address if none is mapped. */
extern uintptr_t sim_header;

/* The mapped file has pages that a sync failed to write. */
extern bool sim_failed_pages;

extern void sim_note_store(const volatile void *address);
extern void sim_switch_out(void);
extern void sim_play_stores(void);

static inline void
sim_access(SimAccess access)
{
	bool		stop;

	/* No other process sees them before that. */
	if (__builtin_expect(sim_watches, 0) &&
		(access != SIM_READ || sim_accesses_left[SIM_READ] == 1))
		sim_play_stores();
	stop = --sim_accesses_left[SIM_READ] == 0;
	if (access != SIM_READ && --sim_accesses_left[SIM_WRITE] == 0)
		stop = true;
	if (access == SIM_RARE && --sim_accesses_left[SIM_RARE] == 0)
		stop = true;
	if (stop)
		sim_switch_out();
}

static inline SimAccess
sim_write_to(const volatile void *address)
{
	uintptr_t	offset = (uintptr_t) address - sim_header;

	if (offset >= 4096 || (offset >= 576 && offset % 64 >= 24))
		return SIM_WRITE;
	return SIM_RARE;
}

static inline void
sim_stored(const volatile void *address)
{
	if (__builtin_expect(sim_failed_pages, 0))
		sim_note_store(address);
}

/* Errors: longjmp(), as in the server.  Other tests check the messages. */
#define NOTICE	18
#define WARNING	19
#define ERROR	21

extern jmp_buf *sim_handler;
extern void sim_raise(void) __attribute__((noreturn));
extern void sim_report(const char *function) __attribute__((noreturn));

#define ereport(level, ...) \
	do { if ((level) >= ERROR) sim_report(__func__); } while (0)
#define elog(level, ...) ereport(level, 0)

#define PG_TRY() \
	do { \
		jmp_buf    *outer_handler = sim_handler; \
		jmp_buf		handler; \
		if (_setjmp(handler) == 0) \
		{ \
			sim_handler = &handler
#define PG_CATCH() \
		} \
		else \
		{ \
			sim_handler = outer_handler
#define PG_END_TRY() \
		} \
		sim_handler = outer_handler; \
	} while (0)
#define PG_RE_THROW() sim_raise()

/* port/atomics.h: sequentially consistent here */
typedef struct pg_atomic_uint64
{
	volatile uint64 value;
} pg_atomic_uint64;

static inline void
pg_atomic_init_u64(pg_atomic_uint64 *number, uint64 value)
{
	number->value = value;
}

static inline uint64
pg_atomic_read_u64(pg_atomic_uint64 *number)
{
	sim_access(SIM_READ);
	return number->value;
}

static inline void
pg_atomic_write_u64(pg_atomic_uint64 *number, uint64 value)
{
	sim_access(sim_write_to(number));
	number->value = value;
	sim_stored(number);
}

static inline bool
pg_atomic_compare_exchange_u64(pg_atomic_uint64 *number, uint64 *expected,
							   uint64 value)
{
	sim_access(sim_write_to(number));
	if (number->value == *expected)
	{
		number->value = value;
		sim_stored(number);
		return true;
	}
	*expected = number->value;
	return false;
}

static inline uint64
pg_atomic_fetch_add_u64(pg_atomic_uint64 *number, int64 add)
{
	uint64		old;

	sim_access(sim_write_to(number));
	old = number->value;
	number->value += (uint64) add;
	sim_stored(number);
	return old;
}

#define pg_read_barrier()	((void) 0)
#define pg_write_barrier()	sim_access(SIM_RARE)

/* port/pg_crc32c.h: any checksum is sufficient */
typedef uint32 pg_crc32c;

extern pg_crc32c sim_sum(pg_crc32c sum, const void *data, size_t size);

#define INIT_CRC32C(crc)				((crc) = 1)
#define COMP_CRC32C(crc, data, size)	((crc) = sim_sum((crc), (data), (size)))
#define FIN_CRC32C(crc)					((void) 0)

/* Memory of a call, freed at its end. */
extern void *palloc0(size_t size);

#define pfree(pointer)	((void) (pointer))

/* miscadmin.h, access/xlog.h, access/xlogrecovery.h, storage/proc.h, latch.h */
#define IsUnderPostmaster	true
#define PostmasterPid		sim_postmaster_pid()
#define MyProcPid			sim_postmaster_pid()
#define PgStartTime			sim_postmaster_started()
#define MyProcNumber		sim_proc_number()

extern int64 sim_postmaster_pid(void);
extern TimestampTz sim_postmaster_started(void);
extern uint32 sim_proc_number(void);
extern uint64 GetSystemIdentifier(void);
extern TimestampTz GetLatestXTime(void);
extern void sim_sleep(void);
extern void sim_check_for_interrupts(void);

#define RecoveryInProgress()					false
#define PreventCommandDuringRecovery(command)	((void) 0)
#define CHECK_FOR_INTERRUPTS()					sim_check_for_interrupts()
#define WaitEventExtensionNew(name)				1
#define WaitLatch(latch, events, ms, wait_event)	sim_sleep()
#define ResetLatch(latch)						((void) 0)
#define errcode_for_file_access()				0

/* The clock, the lock and the file of the process's server. */
extern int	sim_clock_gettime(int clock, struct timespec *now);
extern int	sim_open_lock(const char *path, int flags);
extern int	sim_flock(int fd, int kind);
extern int	sim_open(const char *path, int flags);
extern int	sim_close(int fd);
extern bool sim_acquire_fd(void);
extern void sim_release_fd(void);
extern int	sim_read(int fd, void *data, size_t size);
extern int	sim_write(int fd, const void *data, size_t size);
extern int	sim_fsync(int fd);
extern int	sim_fstat(int fd, struct stat *st);
extern void *sim_mmap(int fd);
extern int	sim_munmap(void);
extern int	sim_msync(void *address, size_t size);
extern int	sim_unlink(const char *path);
extern int	sim_durable_rename(const char *from, const char *to);
extern void sim_fsync_names(void);

#define AcquireExternalFD()					sim_acquire_fd()
#define ReleaseExternalFD()					sim_release_fd()
#define BasicOpenFile(path, flags)			sim_open_lock(path, flags)
#define OpenTransientFile(path, flags)		sim_open(path, flags)
#define OpenTransientFilePerm(path, flags, mode)	sim_open(path, flags)
#define CloseTransientFile(fd)				sim_close(fd)
#define durable_rename(from, to, level)		sim_durable_rename(from, to)
#define fsync_fname(path, is_folder)		sim_fsync_names()
#define pg_fsync(fd)						sim_fsync(fd)
#define clock_gettime(clock, now)			sim_clock_gettime(clock, now)
#define flock(fd, kind)						sim_flock(fd, kind)
#define fstat(fd, st)						sim_fstat(fd, st)
#define read(fd, data, size)				sim_read(fd, data, size)
#define write(fd, data, size)				sim_write(fd, data, size)
#define mmap(address, size, protection, flags, fd, offset)	sim_mmap(fd)
#define munmap(address, size)				sim_munmap()
#define msync(address, size, flags)			sim_msync(address, size)
#define unlink(path)						sim_unlink(path)

#endif							/* SIM_POSTGRES_H */
