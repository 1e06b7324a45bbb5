/*
 * unit_uuid.h
 *		UUIDs, instants, and invariants of any two ids.
 */
#ifndef FLAKEID_TEST_UNIT_UUID_H
#define FLAKEID_TEST_UNIT_UUID_H

#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "format/base.h"
#include "format/uuid.h"
#include "unit.h"

#define CHECK_UUID(actual, expected) \
	check_uuid((actual), (expected), __FILE__, __LINE__, #actual)

/* 32 hexadecimal digits, with hyphens or without */
static inline FlakeUuid
parse_uuid(const char *text)
{
	uint64_t	halves[2] = {0, 0};
	int			digits = 0;

	for (; *text != '\0'; text++)
	{
		char		digit[2] = {*text, '\0'};

		if (*text == '-')
			continue;
		halves[digits / 16] = halves[digits / 16] << 4 |
			strtoull(digit, NULL, 16);
		digits++;
	}
	return (FlakeUuid) {.high = halves[0], .low = halves[1]};
}

static inline void
check_uuid(FlakeUuid actual, FlakeUuid expected, const char *file, int line,
		   const char *what)
{
	unit_check(actual.high == expected.high && actual.low == expected.low,
			   file, line, "%s is %016llx%016llx, expected %016llx%016llx",
			   what, (unsigned long long) actual.high,
			   (unsigned long long) actual.low,
			   (unsigned long long) expected.high,
			   (unsigned long long) expected.low);
}

static inline bool
uuid_less(FlakeUuid a, FlakeUuid b)
{
	return a.high < b.high || (a.high == b.high && a.low < b.low);
}

static inline FlakeInstant
instant(int64_t unix_s, uint32_t ns_in_s)
{
	return (FlakeInstant) {.unix_s = unix_s, .ns_in_s = ns_in_s};
}

/*
 * A clock for long walks: it mostly advances by a few nanoseconds, and
 * sometimes jumps, in either direction.
 */
static inline FlakeInstant
walk(FlakeInstant now)
{
	uint64_t	random = unit_random64();
	int64_t		ns = (int64_t) (random >> 32) % 100;

	if (random % 64 == 0)
		ns = (int64_t) (random >> 8) % 2000000000 - 1000000000;
	ns += now.ns_in_s;
	now.unix_s += ns / (int64_t) FLAKE_NS_PER_S;
	ns %= (int64_t) FLAKE_NS_PER_S;
	if (ns < 0)
	{
		ns += (int64_t) FLAKE_NS_PER_S;
		now.unix_s--;
	}
	now.ns_in_s = (uint32_t) ns;
	return now;
}

/* Unlucky random bits: often all 0, often all 1. */
static inline uint64_t
extreme_random64(void)
{
	uint64_t	random = unit_random64();

	switch (random % 4)
	{
		case 0:
			return 0;
		case 1:
			return UINT64_MAX;
		default:
			return unit_random64();
	}
}

#endif							/* FLAKEID_TEST_UNIT_UUID_H */
