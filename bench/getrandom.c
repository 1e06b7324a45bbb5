/*
 * getrandom.c
 *	  Print the nanoseconds that the system call getrandom() of 16 bytes takes.
 *	  The cost of a system call differs much between machines.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define CALLS 200
#define ROUNDS 1001

static int
compare(const void *a, const void *b)
{
	double		x = *(const double *) a;
	double		y = *(const double *) b;

	return (x > y) - (x < y);
}

static double
seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

int
main(void)
{
	double		each[ROUNDS];
	char		bytes[16];

	for (int round = 0; round < ROUNDS; round++)
	{
		double		start = seconds();

		for (int i = 0; i < CALLS; i++)
			if (syscall(SYS_getrandom, bytes, sizeof(bytes), 0) != sizeof(bytes))
				return 1;
		each[round] = (seconds() - start) / CALLS * 1e9;
	}
	qsort(each, ROUNDS, sizeof(each[0]), compare);
	printf("%.0f\n", each[ROUNDS / 2]);
	return 0;
}
