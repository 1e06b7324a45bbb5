/*
 * sim_state.c
 *		src/pg/state_attach.c and state_lock.c, and the globals of each
 *		process, which are copied into place before it runs.
 */
#include "pg/state_attach.c"
#include "pg/state_lock.c"

#include "sim.h"

void
sim_save(SimProcess *process)
{
	memcpy(process->generators, flakeid_generators,
		   sizeof(flakeid_generators));
	process->state = flakeid_state;
	process->lock_fd = lock_fd;
	process->attached = attached;
}

/* Of the running process. */
bool
sim_attached(void)
{
	return flakeid_state != NULL;
}

bool
sim_has_lock_fd(void)
{
	return lock_fd >= 0;
}

void
sim_load(SimProcess *process)
{
	if (sim_loaded == process)
		return;
	if (sim_loaded != NULL)
		sim_save(sim_loaded);
	memcpy(flakeid_generators, process->generators,
		   sizeof(flakeid_generators));
	flakeid_state = process->state;
	lock_fd = process->lock_fd;
	attached = process->attached;
	sim_loaded = process;
}
