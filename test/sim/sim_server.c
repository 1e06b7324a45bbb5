/*
 * sim_server.c
 *		The server and machine of a process: clock, lock, identity, settings,
 *		replayed commit; and waiting, which ends the process's turn.
 */
#include "sim.h"

#include "pg/error.h"

int			flakeid_max_wait = 1000;
int			flakeid_ulidflake_step_bits;
bool		flakeid_settings_changed;

/* The machine's clock: elapsed time at its own rate, and an offset. */
int64
sim_clock_us(const SimServer *server)
{
	return sim_fleet.time_us +
		sim_fleet.time_us / 1000000 * server->drift_ppm +
		server->clock_offset_us;
}

/* The millisecond since an epoch, truncated; negative before it. */
int64
sim_clock_ms(int64 clock_us, int64 epoch_ms)
{
	int64		ms = clock_us / 1000;

	if (clock_us % 1000 < 0)
		ms--;
	return ms - epoch_ms;
}

int
sim_clock_gettime(int clock, struct timespec *now)
{
	int64		us;

	sim_access(SIM_READ);
	us = sim_clock_us(sim_process->server);
	now->tv_sec = us / 1000000;
	now->tv_nsec = us % 1000000 * 1000;
	if (now->tv_nsec < 0)
	{
		now->tv_sec--;
		now->tv_nsec += 1000000000;
	}
	sim_process->latest_us = us;
	sim_note_clock(sim_process);
	return 0;
}

/* The lock belongs to the file that was opened for it. */
int
sim_open_lock(const char *path, int flags)
{
	SimServer  *server = sim_process->server;
	SimFile    *state = server->names[SIM_STATE];

	if (sim_fails("open"))
		return -1;
	if (state == NULL && (flags & O_CREAT))
		state = server->names[SIM_STATE] = sim_new_file();
	if (strcmp(path, FLAKEID_STATE_FILE) != 0)
		sim_process->lock = &server->lock;
	else if (state != NULL)
		sim_process->lock = &state->lock;
	else
	{
		errno = ENOENT;
		return -1;
	}
	return 3;
}

void
sim_unlock(SimProcess *process)
{
	if (process->locked == NULL)
		return;
	if (process->locked->exclusive == process)
		process->locked->exclusive = NULL;
	else
		process->locked->shared--;
	process->locked = NULL;
}

/* A lock is released while it is converted to the other kind. */
int
sim_flock(int fd, int kind)
{
	SimProcess *process = sim_process;
	SimLock    *lock = process->lock;
	const char *failed_before = process->failed;

	sim_access(SIM_WRITE);
	if (kind != LOCK_UN && sim_fails("flock"))
	{
		/* A signal is not a failure, and changes nothing. */
		if (sim_random(&process->random) & 1)
		{
			process->failed = failed_before;
			errno = EINTR;
		}
		return -1;
	}
	sim_unlock(process);
	if (kind == LOCK_UN)
		return 0;
	sim_access(SIM_WRITE);
	if (lock->exclusive != NULL || ((kind & LOCK_EX) && lock->shared > 0))
	{
		errno = EWOULDBLOCK;
		return -1;
	}
	process->locked = lock;
	if (kind & LOCK_EX)
		lock->exclusive = process;
	else
		lock->shared++;
	return 0;
}

/* As in a container: always the same. */
int64
sim_postmaster_pid(void)
{
	return 1;
}

TimestampTz
sim_postmaster_started(void)
{
	return sim_process->server->started;
}

uint32
sim_proc_number(void)
{
	return sim_process->slot;
}

uint64
GetSystemIdentifier(void)
{
	return (uint64) (sim_process->server - sim_fleet.server) + 1;
}

TimestampTz
GetLatestXTime(void)
{
	return sim_process->server->replayed;
}

pg_crc32c
sim_sum(pg_crc32c sum, const void *data, size_t size)
{
	const unsigned char *bytes = data;
	uint64		wide = sum;

	for (size_t i = 0; i + 4 <= size; i += 4)
	{
		uint32		word;

		memcpy(&word, bytes + i, 4);
		wide = (wide ^ word) * UINT64_C(0x9e3779b97f4a7c15);
		wide ^= wide >> 29;
	}
	return (pg_crc32c) (wide >> 16);
}

/* clock.c */
FlakeInstant
flakeid_instant_from_timestamptz(TimestampTz ts)
{
	return flake_instant_from_unix_us(ts + FLAKEID_PG_EPOCH_UNIX_US);
}

/* A call that waits may be canceled, unless it must not be disturbed. */
void
sim_check_for_interrupts(void)
{
	if (sim_process->call.kind != SIM_PROBE &&
		sim_random(&sim_process->random) % 128 == 0)
		sim_raise();
}

/* state_worker.c: true for a process with the settings of the server */
bool
flakeid_settings_are_the_servers(void)
{
	return sim_process->is_worker || sim_process->server->preloaded;
}

/* The postmaster starts a worker; NULL if all are in use. */
static SimProcess *
start_worker(SimProcess *session, FlakeidFoldMode mode)
{
	SimServer  *server = session->server;
	uint32		slot = SIM_MAX_BACKENDS;
	SimProcess *worker;

	while (server->processes[slot] != NULL)
	{
		if (++slot == SIM_MAX_PROCESSES)
			return NULL;
	}
	worker = sim_connect(server, slot, session->random);
	worker->call = session->call;
	worker->random = sim_random(&session->random);
	worker->mode = mode;
	worker->result = FLAKEID_SET_UP_NO_WORKER;
	worker->partner = session;
	session->partner = worker;
	return worker;
}

/* The end of the worker is noticed a moment later. */
static FlakeidSetUp
send_worker(SimProcess *session, FlakeidFoldMode mode)
{
	if (start_worker(session, mode) == NULL)
		return FLAKEID_SET_UP_NO_WORKER;
	while (session->partner != NULL)
	{
		sim_sleep();
		if (session->partner != NULL)
			sim_check_for_interrupts();
	}
	if (session->relayed)
		sim_raise();
	return session->result;
}

/* An error releases the election's lock, like the end of a transaction. */
FlakeidSetUp
flakeid_have_set_up(FlakeidFoldMode mode)
{
	SimProcess *session = sim_process;
	FlakeidSetUp result;

	if (flakeid_settings_are_the_servers())
		return flakeid_state_set_up(mode);
	sim_access(SIM_WRITE);
	if (session->server->elected != NULL)
		return FLAKEID_SET_UP_ELSEWHERE;
	session->server->elected = session;
	result = send_worker(session, mode);
	sim_access(SIM_WRITE);
	session->server->elected = NULL;
	return result;
}

/* settings.c and error.c: their checks, without messages */
void
flakeid_configured(FlakeidConfig *configured)
{
	*configured = flakeid_settings_are_the_servers() ?
		sim_process->server->configured : sim_process->own_settings;
}

void
flakeid_check_own_settings(void)
{
	if (!flakeid_settings_are_the_servers())
		sim_fail("a session sets up the file");
}

void
flakeid_check_known_settings(void)
{
}

void
flakeid_check_address(const FlakeidConfig *configured)
{
	const FlakeAddress *address = &configured->address;

	if (address->node > flake_mask(address->node_bits))
		sim_raise();
}

void
flakeid_warn_of_lost_settings(const FlakeidConfig *before)
{
}

int
flakeid_pending_settings(const FlakeidConfig *in_effect, char **pending)
{
	return 0;
}

void
flakeid_check_range(FlakeStatus status, const FlakeLayout *layout,
					const FlakeAddress *address)
{
	if (status != FLAKE_OK)
		sim_raise();
}

/* wait.c: max_wait is counted in turns, not in time */
void
flakeid_wait(FlakeFormat format, FlakeStep why, uint64 position_ms,
			 FlakeidWait *wait)
{
	sim_check_wait(sim_process, format);
	if (wait->started_us == 0)
	{
		wait->started_us = 1;
		flakeid_count_wait(format);
	}
	wait->waited_us++;
	flakeid_note_wait(format, wait);
	if (sim_process->patience == 0)
	{
		flakeid_count_refusal(format);
		sim_raise();
	}
	sim_process->patience--;
	sim_sleep();
}

void
flakeid_refuse(FlakeFormat format, FlakeStep why)
{
	flakeid_count_refusal(format);
	sim_raise();
}
