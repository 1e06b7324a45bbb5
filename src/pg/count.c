/*
 * count.c
 *		Count waits, refusals and steps back of the clock, for the server since
 *		its start (doc/internals/protocol.md, rule 8).
 *
 * Called only on slow paths.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "pg/generate.h"
#include "pg/state.h"

/* Count a call that begins to wait for the clock. */
void
flakeid_count_wait(FlakeFormat format)
{
	(void) pg_atomic_fetch_add_u64(&flakeid_state->limits[format].waits, 1);
}

/* Count a call that fails because of the clock. */
void
flakeid_count_refusal(FlakeFormat format)
{
	(void) pg_atomic_fetch_add_u64(&flakeid_state->limits[format].refusals, 1);
}

/* Count the steps back that this process has seen and not yet counted. */
void
flakeid_count_steps_back(FlakeFormat format)
{
	FlakeidGenerator *generator = &flakeid_generators[format];
	uint64		steps = generator->history.steps_back - generator->steps_counted;

	(void) pg_atomic_fetch_add_u64(&flakeid_state->limits[format].steps_back,
								   (int64) steps);
	generator->steps_counted += steps;
}

/* Record how long a call has waited so far. */
void
flakeid_note_wait(FlakeFormat format, const FlakeidWait *wait)
{
	flakeid_raise_to(&flakeid_state->limits[format].longest_wait_us,
					 (uint64) wait->waited_us);
}
