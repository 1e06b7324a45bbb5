/*
 * entropy.h
 *		Random bits for ids, from pg_strong_random() in blocks.
 *
 * One call per id would cost more than the rest of the generation.  A block
 * belongs to one process: it is drawn on first use and discarded after a fork,
 * so that sessions of a preloaded library do not share bits.  Bytes are wiped
 * when used, so that the random bits of past ids are not found in memory.
 */
#ifndef FLAKEID_PG_ENTROPY_H
#define FLAKEID_PG_ENTROPY_H

#include "miscadmin.h"

#define FLAKEID_ENTROPY_COUNT 4096

typedef struct FlakeidEntropy
{
	int			owner_pid;		/* owner of the block; 0: none yet */
	uint32		used;			/* numbers used up */
	uint32		random32[FLAKEID_ENTROPY_COUNT];
} FlakeidEntropy;

extern FlakeidEntropy flakeid_entropy;

extern void flakeid_entropy_draw(void);

/* Return count unused random numbers of 32 bits; the caller clears them. */
static inline uint32 *
flakeid_take_random(uint32 count)
{
	uint32		first;

	if (unlikely(flakeid_entropy.used > FLAKEID_ENTROPY_COUNT - count ||
				 flakeid_entropy.owner_pid != MyProcPid))
		flakeid_entropy_draw();
	first = flakeid_entropy.used;
	flakeid_entropy.used += count;
	return flakeid_entropy.random32 + first;
}

static inline uint32
flakeid_random32(void)
{
	uint32	   *taken = flakeid_take_random(1);
	uint32		random32 = *taken;

	*taken = 0;
	return random32;
}

static inline uint64
flakeid_random64(void)
{
	uint32	   *taken = flakeid_take_random(2);
	uint64		random64;

	memcpy(&random64, taken, sizeof(random64));
	memset(taken, 0, sizeof(random64));
	return random64;
}

#endif							/* FLAKEID_PG_ENTROPY_H */
