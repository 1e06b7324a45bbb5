/*
 * wait.h
 *		Waiting for the clock.
 */
#ifndef FLAKEID_PG_WAIT_H
#define FLAKEID_PG_WAIT_H

#include "pg/generator.h"

/* How long one call has waited for the clock. */
typedef struct FlakeidWait
{
	const FlakeIncrement *increment;	/* of the call, for messages */
	int64		waited_us;
} FlakeidWait;

extern void flakeid_wait(const FlakeidGenerator *generator, FlakeStep why,
						 uint64 position_ms, FlakeidWait *wait);
pg_noreturn extern void flakeid_refuse(const FlakeidGenerator *generator,
									   FlakeStep why);

#endif							/* FLAKEID_PG_WAIT_H */
