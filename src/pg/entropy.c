/*
 * entropy.c
 *		Draw blocks of random bits.  See entropy.h.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "pg/entropy.h"

FlakeidEntropy flakeid_entropy;

void
flakeid_entropy_draw(void)
{
	if (!pg_strong_random(flakeid_entropy.random32,
						  sizeof(flakeid_entropy.random32)))
		ereport(ERROR,
				(errcode(ERRCODE_INTERNAL_ERROR),
				 errmsg("could not generate random values")));
	flakeid_entropy.used = 0;
	flakeid_entropy.owner_pid = MyProcPid;
}
