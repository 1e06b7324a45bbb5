/*
 * clock.c
 *		A library for LD_PRELOAD that sets the clock of a server's processes.
 *		Reading it costs no system call, unlike with libfaketime.
 *
 * The file named by FLAKEID_CLOCK has a 64-bit number, which a test changes
 * while they run: twice the microseconds that the clock is ahead, or, plus 1,
 * twice the Unix time in microseconds at which it stands still.
 */
#define _GNU_SOURCE

#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>

static const volatile int64_t *setting;

__attribute__((constructor))
static void
map_setting(void)
{
	const char *path = getenv("FLAKEID_CLOCK");
	int			fd = path == NULL ? -1 : open(path, O_RDONLY);
	void	   *address = mmap(NULL, sizeof(int64_t), PROT_READ, MAP_SHARED, fd, 0);

	if (address != MAP_FAILED)
		setting = address;
}

int
clock_gettime(clockid_t clock, struct timespec *now)
{
	static int	(*next) (clockid_t, struct timespec *);
	int			result;

	if (next == NULL)
		*(void **) &next = dlsym(RTLD_NEXT, "clock_gettime");
	result = next(clock, now);
	if (setting != NULL && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
	{
		int64_t		value = *setting;
		int64_t		us = value >> 1;
		int64_t		second;

		if ((value & 1) == 0)
			us += now->tv_sec * INT64_C(1000000) + now->tv_nsec / 1000;
		second = us / 1000000 - (us % 1000000 < 0);
		now->tv_sec = (time_t) second;
		now->tv_nsec = (long) (us - second * 1000000) * 1000;
	}
	return result;
}

int
gettimeofday(struct timeval *now, void *zone)
{
	struct timespec time;

	(void) zone;
	clock_gettime(CLOCK_REALTIME, &time);
	now->tv_sec = time.tv_sec;
	now->tv_usec = time.tv_nsec / 1000;
	return 0;
}

time_t
time(time_t *result)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	if (result != NULL)
		*result = now.tv_sec;
	return now.tv_sec;
}
