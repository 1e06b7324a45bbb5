/*
 * count.c
 *		Counts waits, refusals and steps back of the clock: for this process, and
 *		for the server since its start (doc/protocol.md, rule 14).
 *
 * On slow paths only.  The server's count comes first: then what a process has
 * counted, the server has, too.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "pg/sequence.h"
#include "pg/state.h"

/* A call begins to wait for the clock. */
void
flakeid_count_wait(FlakeFormat format)
{
	(void) pg_atomic_fetch_add_u64(&flakeid_state->header.limits[format].waits, 1);
	flakeid_generators[format].waits++;
}

/* A call ends in an error, since the clock lets it make no id. */
void
flakeid_count_refusal(FlakeFormat format)
{
	(void) pg_atomic_fetch_add_u64(&flakeid_state->header.limits[format].refusals, 1);
	flakeid_generators[format].refusals++;
}

/* Tell the server of the steps back that this process has seen. */
void
flakeid_count_steps_back(FlakeFormat format)
{
	FlakeidGenerator *generator = &flakeid_generators[format];
	uint64		steps = generator->history.steps_back - generator->steps_told;

	(void) pg_atomic_fetch_add_u64(&flakeid_state->header.limits[format].steps_back,
								   (int64) steps);
	generator->steps_told += steps;
}

/* How long a call has waited so far. */
void
flakeid_note_wait(FlakeFormat format, const FlakeidWait *wait)
{
	FlakeidGenerator *generator = &flakeid_generators[format];

	if (wait->waited_us <= generator->longest_wait_us)
		return;
	flakeid_raise_to(&flakeid_state->header.limits[format].longest_wait_us,
					 (uint64) wait->waited_us);
	generator->longest_wait_us = wait->waited_us;
}
