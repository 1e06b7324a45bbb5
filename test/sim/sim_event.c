/*
 * sim_event.c
 *		What each event does.  An event that makes no sense as things are (a
 *		server that is started runs already) does nothing, so that any list of
 *		events can be played.
 */
#include "sim.h"

static void
stop(SimServer *server)
{
	sim_end_processes(server);
	server->running = false;
}

/* A new postmaster, and a new lock with it. */
static void
start(SimServer *server, int64 replayed_us, bool another_boot)
{
	/* Never twice the same, and yet not always later than the last. */
	server->started = sim_clock_us(server) / 1000 * 1000 +
		server->starts++ % 1000;
	server->replayed = replayed_us == 0 ? 0 :
		replayed_us - FLAKEID_PG_EPOCH_UNIX_US;
	server->running = true;
	server->slots = server->backends;
	server->configured.address.slot_bits = flake_slot_bits(server->slots);
	sim_promise_start(server, another_boot || server->boot_id == 0);
	server->rebooted = false;
}

/* Set a clock; doc/design.md, section 9, says where it must not be set back. */
static void
set_clock(SimServer *server, int64 us)
{
	server->clock_offset_us += Max(us, server->not_before_us) -
		sim_clock_us(server);
}

/* A call goes on, or a new one begins, in a new process if need be. */
static void
call(SimServer *server, const SimEvent *event)
{
	uint32		slot;
	SimProcess *process;

	if (!server->running)
		return;
	slot = event->slot % server->slots;
	process = server->processes[slot];
	if (process == NULL)
		process = sim_connect(server, slot);
	if (process->stack == NULL)
	{
		process->call = *event;
		process->random = event->random;
	}
	process->patience = event->patience;
	sim_run(process, event->accesses, event->writes);
}

/* Somebody takes the file away, or writes over it. */
static void
tear(SimServer *server, uint64 random)
{
	FlakeidState *state = sim_state_of(server);
	SimFile    *file = server->names[SIM_STATE];

	if (server->running || state == NULL)
		return;
	switch (random % 5)
	{
		case 0:
			file->size = 0;
			break;
		case 1:
			file->size -= 1 + random / 5 % (file->size - 1);
			break;
		case 2:
			state->header.current.value ^= UINT64_C(0x4000);
			break;
		case 3:
			memset(&state->header.records, 0xee, sizeof(state->header.records));
			break;
		case 4:
			state->slots[random / 5 % FLAKEID_STATE_SLOTS].mark_ms[random & 1].value =
				UINT64_MAX;
			break;
	}
	server->lost = true;
}

static void
delete_file(SimServer *server)
{
	server->names[SIM_STATE] = NULL;
	server->names_on_disk[SIM_STATE] = NULL;
	server->lost = true;
}

static void
lose_power(SimServer *server, const SimEvent *event)
{
	stop(server);
	server->rebooted = true;
	sim_lose_power(server);
	if (server->boot_id != 0)
		server->boot_id = event->random | 1;
	set_clock(server, sim_clock_us(server) + event->amount);
	sim_promise_forget_replayed(server);
}

static void
reboot(SimServer *server, const SimEvent *event)
{
	for (int name = 0; name < SIM_NAMES; name++)
	{
		for (size_t page = 0; server->names[name] && page < 16; page++)
			sim_write_back(server->names[name], page);
		if (server->names[name] != NULL)
			server->names[name]->disk_size = server->names[name]->size;
	}
	memcpy(server->names_on_disk, server->names, sizeof(server->names));
	lose_power(server, event);
}

static void
back_up(SimServer *server)
{
	FlakeidState *state = sim_state_of(server);

	if (state == NULL || !server->running || server->lost || !server->settled)
		return;
	if (server->backup == NULL)
		server->backup = sim_new_file();
	sim_copy_file(server->backup, server->names[SIM_STATE]);
	server->backup_of = server->names[SIM_STATE];
	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		const SimPromise *promise = &server->promises[format];

		server->backup_kept_ms[format] = promise->kept_ms;
		server->backup_lead_ms[format] = promise->lead_ms + FLAKE_HORIZON_MS;
		server->backup_epoch_ms[format] = server->in_force.epoch_ms[format];
	}
}

static void
commit(SimServer *server)
{
	SimCommit  *newest = &server->commits[SIM_COMMITS - 1];

	if (!server->running || !server->settled)
		return;
	memmove(server->commits, server->commits + 1,
			(SIM_COMMITS - 1) * sizeof(SimCommit));
	newest->at_us = sim_clock_us(server);
	memcpy(newest->epoch_ms, server->in_force.epoch_ms,
		   sizeof(newest->epoch_ms));
}

/*
 * What the replayed commit answers for: ids up to it, if their epoch is one
 * that the promoted server comes to know.
 */
static uint64
replayed_ms(const SimServer *server, const SimCommit *replayed, bool has_file,
			FlakeFormat format)
{
	int64		epoch_ms = replayed->epoch_ms[format];
	int64		ms = sim_clock_ms(replayed->at_us, epoch_ms);

	if (epoch_ms != server->in_force.epoch_ms[format] || ms < 0 ||
		(epoch_ms != server->configured.epoch_ms[format] &&
		 !(has_file && epoch_ms == server->backup_epoch_ms[format])))
		return 0;
	return Min((uint64) ms, flake_last_ms(&flake_layouts[format]));
}

/*
 * The server is gone, and a standby of it is promoted, on another machine or
 * the same: with a backup of its file, perhaps torn, or without one, and having
 * replayed all or some or nothing.
 */
static void
promote(SimServer *server, const SimEvent *event)
{
	uint64		random = event->random;
	bool		has_file = server->backup != NULL && random % 4 != 0;
	bool		torn = has_file && random / 4 % 2 == 0 && !server->lost &&
		server->backup_of == server->names[SIM_STATE];
	const SimCommit *commit = &server->commits[random / 8 % SIM_COMMITS];
	SimCommit	replayed = random / 32 % 8 == 0 ? (SimCommit) {0} : *commit;
	SimFile    *file = has_file ? sim_new_file() : NULL;
	uint64		kept[FLAKE_FORMATS] = {0};
	uint64		by_commit[FLAKE_FORMATS] = {0};

	if (!server->settled)
		return;
	stop(server);
	if (has_file)
		sim_copy_file(file, server->backup);
	if (torn)
	{
		memcpy(file->memory + SIM_PAGE,
			   server->names[SIM_STATE]->memory + SIM_PAGE,
			   sizeof(FlakeidState) - SIM_PAGE);
		sim_copy_file(file, file);
	}
	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		if (has_file)
			kept[format] = server->backup_kept_ms[format];
		if (replayed.at_us != 0)
			by_commit[format] = replayed_ms(server, &replayed, has_file,
											format);
	}
	memset(server->names, 0, sizeof(server->names));
	server->names[SIM_STATE] = file;
	memcpy(server->names_on_disk, server->names, sizeof(server->names));
	server->lost = !has_file;
	if (random / 256 % 8 != 0)
		server->boot_id = server->boot_id == 0 ? 0 : random | 1;
	set_clock(server, sim_clock_us(server) + event->amount);
	memcpy(server->replayed_epoch_ms, replayed.epoch_ms,
		   sizeof(replayed.epoch_ms));
	sim_promise_promote(server, kept, by_commit, replayed.at_us);
	start(server, replayed.at_us, true);
}

/*
 * Node bits change while all servers are stopped, and they start again when
 * the slowest clock has passed the newest id.
 */
static void
renumber(const SimEvent *event)
{
	uint32		bits = sim_fleet.node_bits;
	uint64		newest_ms = 0;
	int64		epoch_ms = 0;
	int64		newest_us;

	while (bits < 10 && (event->random & 1))
		bits++;
	sim_fleet.renumbered = true;
	sim_fleet.node_bits = bits;
	for (uint32 i = 0; i < sim_fleet.servers; i++)
	{
		SimServer  *server = &sim_fleet.server[i];

		stop(server);
		sim_promise_forget_replayed(server);
		for (int format = 0; format < FLAKE_FORMATS; format++)
		{
			newest_ms = Max(newest_ms, server->promises[format].kept_ms +
							flake_layouts[format].unit_ms);
			epoch_ms = Max(epoch_ms, server->configured.epoch_ms[format]);
		}
	}
	newest_us = ((int64) newest_ms + epoch_ms) * 1000;
	for (uint32 i = 0; i < sim_fleet.servers; i++)
	{
		SimServer  *server = &sim_fleet.server[i];

		server->not_before_us = newest_us;
		if (sim_clock_us(server) < newest_us)
			set_clock(server, newest_us);
		server->configured.address.node_bits = bits;
		server->configured.address.node =
			(i + (uint32) event->amount) % sim_fleet.servers;
	}
}

void
sim_apply(const SimEvent *event)
{
	SimServer  *server = &sim_fleet.server[event->server];

	switch (event->kind)
	{
		case SIM_CALL:
			call(server, event);
			break;
		case SIM_KILL:
			sim_end_process(server, event->slot % server->slots);
			break;
		case SIM_KILL_ALL:
			sim_end_processes(server);
			break;
		case SIM_TICK:
			sim_fleet.time_us += event->amount;
			break;
		case SIM_CLOCK:
			set_clock(server, sim_clock_us(server) + event->amount);
			break;
		case SIM_STOP:
			stop(server);
			break;
		case SIM_START:
			if (server->running)
				break;
			sim_promise_forget_replayed(server);
			start(server, 0, server->rebooted);
			break;
		case SIM_REBOOT:
			reboot(server, event);
			break;
		case SIM_POWER:
			lose_power(server, event);
			break;
		case SIM_WRITE_BACK:
			if (server->names_on_disk[SIM_STATE] != NULL)
				sim_write_back(server->names_on_disk[SIM_STATE], event->random % 10);
			break;
		case SIM_DELETE:
			delete_file(server);
			break;
		case SIM_TEAR:
			tear(server, event->random);
			break;
		case SIM_RELOAD:
			if (!server->running || (server->settled && !server->lost))
				sim_address_for(server, event->random, &server->configured,
								&server->backends);
			break;
		case SIM_COMMIT:
			commit(server);
			break;
		case SIM_BACKUP:
			back_up(server);
			break;
		case SIM_PROMOTE:
			promote(server, event);
			break;
		case SIM_RENUMBER:
			renumber(event);
			break;
		case SIM_KINDS:
			break;
	}
}
