/*
 * count.c
 *		Count waits, refusals and steps back of the clock, for this process and
 *		for the server since its start (doc/protocol.md, rule 14).
 *
 * Called only on slow paths.  The counter of the server is incremented first,
 * so that it is never below that of a process.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "pg/sequence.h"
#include "pg/state.h"

/* Count a call that begins to wait for the clock. */
void
flakeid_count_wait(FlakeFormat format)
{
	(void) pg_atomic_fetch_add_u64(&flakeid_state->header.limits[format].waits, 1);
	flakeid_generators[format].waits++;
}

/* Count a call that fails because of the clock. */
void
flakeid_count_refusal(FlakeFormat format)
{
	(void) pg_atomic_fetch_add_u64(&flakeid_state->header.limits[format].refusals, 1);
	flakeid_generators[format].refusals++;
}

/* Add the steps back seen by this process to the counter of the server. */
void
flakeid_count_steps_back(FlakeFormat format)
{
	FlakeidGenerator *generator = &flakeid_generators[format];
	uint64		steps = generator->history.steps_back - generator->steps_told;

	(void) pg_atomic_fetch_add_u64(&flakeid_state->header.limits[format].steps_back,
								   (int64) steps);
	generator->steps_told += steps;
}

/* Record how long a call has waited so far. */
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
