/*
 * entropy.h
 *		Random bits for ids, from pg_strong_random() in blocks.
 *
 * One call per id would cost more than all the rest of it together.  The block
 * belongs to one process: it is drawn on first use and never handed on over a
 * fork, so a library that the postmaster has preloaded gives no two sessions
 * the same bits.  Bytes are wiped as they are used: what made an id is not to
 * be found in memory afterwards.
 */
#ifndef FLAKEID_PG_ENTROPY_H
#define FLAKEID_PG_ENTROPY_H

#include "miscadmin.h"

#define FLAKEID_ENTROPY_WORDS 1024

typedef struct FlakeidEntropy
{
	int			owner_pid;		/* whose block it is; 0: nobody's yet */
	uint32		used;			/* words used up */
	uint64		words[FLAKEID_ENTROPY_WORDS];
} FlakeidEntropy;

extern FlakeidEntropy flakeid_entropy;

extern void flakeid_entropy_draw(void);

/* 64 random bits that nobody else gets. */
static inline uint64
flakeid_random64(void)
{
	uint64		random64;

	if (unlikely(flakeid_entropy.used >= FLAKEID_ENTROPY_WORDS ||
				 flakeid_entropy.owner_pid != MyProcPid))
		flakeid_entropy_draw();
	random64 = flakeid_entropy.words[flakeid_entropy.used];
	flakeid_entropy.words[flakeid_entropy.used++] = 0;
	return random64;
}

#endif							/* FLAKEID_PG_ENTROPY_H */
