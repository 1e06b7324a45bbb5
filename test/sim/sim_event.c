/*
 * sim_event.c
 *		Effects of each event.  An event that makes no sense at present (such
 *		as starting a running server) does nothing, so that any list of events
 *		can be played.
 */
#include "sim.h"

void
sim_stop(SimServer *server)
{
	sim_end_processes(server);
	server->running = false;
}

/* A new postmaster with a new lock. */
void
sim_start(SimServer *server, int64 replayed_us, bool another_boot)
{
	/* Never the same twice, but not always later than the last one. */
	server->started = sim_clock_us(server) / 1000 * 1000 +
		server->starts++ % 1000;
	server->replayed = replayed_us == 0 ? 0 :
		replayed_us - FLAKEID_PG_EPOCH_UNIX_US;
	server->running = true;
	server->slots = server->backends;
	server->configured.address.slot_bits = flake_slot_bits(server->slots);
	sim_promise_start(server, another_boot || server->boot_id == 0);
	server->copied = false;
	server->rebooted = false;
}

/*
 * Set a clock, but never below the id that doc/design.md, section 9, requires
 * it to be past.
 */
void
sim_set_clock(SimServer *server, int64 us)
{
	server->clock_offset_us += Max(us, server->not_before_us) -
		sim_clock_us(server);
}

uint32
sim_slot_of(const SimServer *server, const SimEvent *event)
{
	uint32		slot = event->slot % server->slots;

	if (event->is_worker)
		return SIM_MAX_BACKENDS + event->slot % SIM_WORKERS;
	return event->from_last ? server->slots - 1 - slot : slot;
}

/*
 * Continue a call, or begin a new one, in a new process if necessary.  A
 * worker only continues.
 */
SimProcess *
sim_begin_or_go_on(SimServer *server, const SimEvent *event)
{
	uint32		slot;
	SimProcess *process;

	if (!server->running)
		return NULL;
	slot = sim_slot_of(server, event);
	process = server->processes[slot];
	if (event->is_worker)
	{
		if (process != NULL)
			sim_run(process, event);
		return NULL;
	}
	if (process == NULL)
		process = sim_connect(server, slot, event->random);
	if (process->stack == NULL)
	{
		process->call = *event;
		process->random = event->random;
	}
	process->patience = event->patience;
	sim_run(process, event);
	for (uint32 turn = 0; turn < event->turns && process->stack != NULL; turn++)
		sim_run(process, event);
	return process;
}

/* The file is removed, or overwritten. */
static void
tear(SimServer *server, uint64 random)
{
	FlakeidState *state = sim_state_of(server);
	SimFile    *file = server->names[SIM_STATE];

	if (server->running || state == NULL)
		return;
	switch (random % 8)
	{
		case 0:
			file->size = 0;
			break;
		case 1:
			file->size -= 1 + random / 8 % (file->size - 1);
			break;
		case 2:
			state->header.current.value ^= UINT64_C(0x4000);
			break;
		case 3:
			memset(&state->header.records, 0xee, sizeof(state->header.records));
			break;
		case 4:
			state->slots[random / 8 % FLAKEID_STATE_SLOTS].mark_ms[random / 8 & 1].value =
				UINT64_MAX;
			break;
		case 5:
			state->header.reset.value = 2 + random / 8;
			break;
		case 6:
			state->header.limits[random / 8 % FLAKE_FORMATS].floor_ms.value =
				UINT64_MAX;
			break;
		case 7:
			state->words[FLAKE_NANOFLAKE + (random / 8 & 1)].word.value =
				UINT64_MAX;
			break;
	}
	memset(file->failed, 0, sizeof(file->failed));
	sim_write_all_back(file);
	server->lost = true;
}

static void
delete_file(SimServer *server)
{
	server->names[SIM_STATE] = NULL;
	server->names_on_disk[SIM_STATE] = NULL;
	server->copied = false;
	server->lost = true;
}

/*
 * A copy of the file is put in its place, as by editors and restore tools: of
 * the current file, or of a backup.
 */
static void
copy_file(SimServer *server, uint64 random)
{
	bool		is_backup = server->backup != NULL && random % 2 == 0;
	SimFile    *from = is_backup ? server->backup : server->names[SIM_STATE];
	SimFile    *copy;

	if (from == NULL)
		return;
	copy = sim_new_file();
	sim_copy_file(copy, from);
	server->names[SIM_STATE] = server->names_on_disk[SIM_STATE] = copy;
	if (!is_backup && server->copied)
		return;					/* it is a copy already */
	server->copied = server->copy_counts = true;
	server->copy_starts = is_backup ? server->backup_starts :
		server->settled ? server->starts : 0;
	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		const SimPromise *promise = &server->promises[format];

		server->copy_kept_ms[format] = is_backup ?
			server->backup_kept_ms[format] : promise->kept_ms;
		server->copy_lead_ms[format] = is_backup ?
			server->backup_lead_ms[format] : promise->lead_ms;
		server->copy_epoch_ms[format] = is_backup ?
			server->backup_epoch_ms[format] : server->oldest_epoch_ms[format];
	}
}

static void
lose_power(SimServer *server, const SimEvent *event)
{
	sim_stop(server);
	server->rebooted = true;
	sim_lose_power(server);
	memcpy(server->oldest_epoch_ms, server->oldest_on_disk_ms,
		   sizeof(server->oldest_epoch_ms));
	if (server->reset_on_disk)
		sim_note_reset(server, SIM_MAY_RESET);
	if (server->boot_id != 0)
		server->boot_id = event->random | 1;
	sim_set_clock(server, sim_clock_us(server) + event->amount);
	sim_promise_forget_replayed(server);
}

static void
reboot(SimServer *server, const SimEvent *event)
{
	const SimFile *file = server->names[SIM_STATE];

	for (int name = 0; name < SIM_NAMES; name++)
	{
		if (server->names[name] != NULL)
			sim_write_all_back(server->names[name]);
	}
	memcpy(server->names_on_disk, server->names, sizeof(server->names));
	if (file != NULL && !file->failed[0])
		server->reset_on_disk = false;
	lose_power(server, event);
}

/*
 * Node bits change while all servers are stopped, which start again once the
 * slowest clock has passed the newest id.
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

		sim_stop(server);
		sim_promise_forget_replayed(server);
		for (int format = 0; format < FLAKE_FORMATS; format++)
		{
			newest_ms = Max(newest_ms, server->promises[format].kept_ms + 1);
			epoch_ms = Max(epoch_ms, server->configured.epoch_ms[format]);
		}
	}
	newest_us = ((int64) newest_ms + epoch_ms) * 1000;
	for (uint32 i = 0; i < sim_fleet.servers; i++)
	{
		SimServer  *server = &sim_fleet.server[i];

		server->not_before_us = newest_us;
		if (sim_clock_us(server) < newest_us)
			sim_set_clock(server, newest_us);
		server->configured.address.node_bits = bits;
		server->configured.address.node =
			(i + (uint32) event->amount) % sim_fleet.servers;
	}
}

/* Do what the hint says if an epoch is rejected. */
static void
set_epochs_back(SimServer *server)
{
	sim_stop(server);
	memcpy(server->configured.epoch_ms, server->oldest_epoch_ms,
		   sizeof(server->oldest_epoch_ms));
}

void
sim_start_again(SimServer *server)
{
	if (server->running)
		return;
	sim_promise_forget_replayed(server);
	sim_start(server, 0, server->rebooted);
}

void
sim_apply(const SimEvent *event)
{
	SimServer  *server = &sim_fleet.server[event->server];

	switch (event->kind)
	{
		case SIM_CALL:
			(void) sim_begin_or_go_on(server, event);
			break;
		case SIM_KILL:
			sim_end_process(server, sim_slot_of(server, event));
			break;
		case SIM_KILL_ALL:
			sim_end_processes(server);
			break;
		case SIM_TICK:
			sim_fleet.time_us += event->amount;
			break;
		case SIM_CLOCK:
			sim_set_clock(server, sim_clock_us(server) + event->amount);
			break;
		case SIM_STOP:
			sim_stop(server);
			break;
		case SIM_START:
			if (server->epoch_refused && event->random % 2 == 0)
				set_epochs_back(server);
			sim_start_again(server);
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
		case SIM_COPY:
			copy_file(server, event->random);
			break;
		case SIM_RELOAD:
			if (!server->running || (server->settled && !server->lost))
				sim_address_for(server, event->random, &server->configured,
								&server->backends);
			break;
		case SIM_COMMIT:
			sim_commit(server);
			break;
		case SIM_BACKUP:
			sim_back_up(server);
			break;
		case SIM_PROMOTE:
			sim_promote(server, event);
			break;
		case SIM_RENUMBER:
			renumber(event);
			break;
		case SIM_PROBE:
			sim_probe(server, event);
			break;
		case SIM_KINDS:
			break;
	}
}
