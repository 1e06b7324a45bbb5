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

/* Set a clock; DESIGN.md section 4 says where it must not be set back. */
static void
set_clock(SimServer *server, int64 us)
{
	server->clock_offset_us += Max(us, server->not_before_us) -
		sim_clock_us(server);
}

static uint32
slot_of(const SimServer *server, const SimEvent *event)
{
	uint32		slot = event->slot % server->slots;

	return event->from_last ? server->slots - 1 - slot : slot;
}

/* A call goes on, or a new one begins, in a new process if need be. */
static SimProcess *
call(SimServer *server, const SimEvent *event)
{
	uint32		slot;
	SimProcess *process;

	if (!server->running)
		return NULL;
	slot = slot_of(server, event);
	process = server->processes[slot];
	if (process == NULL)
		process = sim_connect(server, slot);
	if (process->stack == NULL)
	{
		process->call = *event;
		process->random = event->random;
	}
	process->patience = event->patience;
	sim_run(process, event);
	return process;
}

/* Somebody takes the file away, or writes over it. */
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
	server->lost = true;
}

static void
lose_power(SimServer *server, const SimEvent *event)
{
	stop(server);
	server->rebooted = true;
	sim_lose_power(server);
	if (server->reset_on_disk)
		sim_note_reset(server, SIM_MAY_RESET);
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
		if (server->names[name] != NULL)
			sim_write_all_back(server->names[name]);
	}
	memcpy(server->names_on_disk, server->names, sizeof(server->names));
	server->reset_on_disk = false;
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
	server->backup_requested = server->requested;
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
	server->requested = has_file ? server->backup_requested : SIM_NO_RESET;
	server->reset_on_disk = false;
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

static void
start_again(SimServer *server)
{
	if (server->running)
		return;
	sim_promise_forget_replayed(server);
	start(server, 0, server->rebooted);
}

/* How long a call may take when nobody disturbs it, in ms and turns. */
#define ENOUGH_MS	2000

/* Everybody ends what he is at, while time passes. */
static void
let_calls_end(SimServer *server)
{
	const SimEvent on = {.patience = 0};

	for (int ms = 0; ms < ENOUGH_MS; ms++)
	{
		uint32		busy = 0;

		for (uint32 slot = 0; slot < server->slots; slot++)
		{
			SimProcess *process = server->processes[slot];

			if (process == NULL || process->stack == NULL)
				continue;
			process->patience = 0;
			sim_run(process, &on);
			if (process->stack != NULL)
				busy++;
		}
		if (busy == 0)
			return;
		sim_fleet.time_us += 1000;
	}
	sim_fail("calls do not end, although everybody runs and time passes");
}

/*
 * Nothing fails, everybody runs, and time passes: then a call returns, without
 * an error unless there is a reason for it.  So does the next one of a process
 * that was refused whatever it had asked for.
 */
static void
probe(SimServer *server, const SimEvent *event)
{
	SimEvent	quiet = *event;
	SimProcess *process;
	bool		serves;

	quiet.ids = 1;
	if (server->running && server->lost)
		stop(server);
	start_again(server);
	let_calls_end(server);
	if (sim_fleet.failed != NULL)
		return;

	/* A Nanoflake waits until the clock has caught up. */
	serves = sim_serves(server, event->what, slot_of(server, event));
	for (int ms = 0; ms < ENOUGH_MS; ms++)
	{
		quiet.patience = 1;
		process = call(server, &quiet);
		if (process->stack == NULL)
		{
			if (serves && process->was_refused)
				sim_fail("a healthy server refused a call");
			return;
		}
		sim_fleet.time_us += 1000;
	}
	if (serves)
		sim_fail("a call does not end on a healthy server");
	else
		sim_end_process(server, process->slot);
}

void
sim_apply(const SimEvent *event)
{
	SimServer  *server = &sim_fleet.server[event->server];

	switch (event->kind)
	{
		case SIM_CALL:
			(void) call(server, event);
			break;
		case SIM_KILL:
			sim_end_process(server, slot_of(server, event));
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
			start_again(server);
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
		case SIM_PROBE:
			probe(server, event);
			break;
		case SIM_KINDS:
			break;
	}
}
