/*
 * sim_check.c
 *		What is promised, checked by what the simulation itself has seen: it
 *		never asks the file what it ought to know.
 */
#include "sim.h"

#include <stdarg.h>

static const char *
name_of(FlakeFormat format)
{
	return flake_layouts[format].name;
}

/* The first failure counts. */
void
sim_fail(const char *format,...)
{
	va_list		args;

	if (sim_fleet.failed != NULL)
		return;
	sim_fleet.failed = format;
	va_start(args, format);
	vsnprintf(sim_fleet.failure, sizeof(sim_fleet.failure), format, args);
	va_end(args);
}

static uint32
number_of(const SimServer *server)
{
	return (uint32) (server - sim_fleet.server);
}

static bool
is_shared(const SimServer *server, FlakeFormat format)
{
	return format == FLAKE_ULIDFLAKE || server->in_force.address.server_scope;
}

static uint64
positive(int64 ms)
{
	return ms > 0 ? (uint64) ms : 0;
}

/*
 * How far ids may get ahead: to the clock, and a unit of the format's time
 * further for each time that the clock was seen to have moved on by one.
 */
static void
move_lead(SimPromise *promise, int64 clock_ms, uint32 unit_ms)
{
	if (clock_ms > promise->clock_ms)
	{
		promise->lead_ms = Max(promise->lead_ms + unit_ms,
							   positive(clock_ms));
		promise->reset_lead_ms = Max(promise->reset_lead_ms + unit_ms,
									 positive(clock_ms));
	}
	promise->clock_ms = clock_ms;
}

/* A process read the clock. */
void
sim_note_clock(SimProcess *process)
{
	SimServer  *server = process->server;
	const int64 *epoch_ms = server->in_force.epoch_ms;
	int64		us = process->latest_us;

	process->highest_us = Max(process->highest_us, us);
	if (server->settled &&
		sim_clock_ms(us, epoch_ms[0]) == server->promises[0].clock_ms)
		return;
	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		SimPromise *promise = &server->promises[format];
		const FlakeLayout *layout = &flake_layouts[format];

		move_lead(promise,
				  flake_cut_ms(layout, sim_clock_ms(us, epoch_ms[format])),
				  layout->unit_ms);
		if (server->resetting != SIM_NO_RESET && !server->settled)
			promise->reset_ms = Min(promise->reset_ms, promise->clock_ms);
	}
}

/* Ids above what the file and a replayed commit answer for may come again. */
static void
forget(SimServer *server, FlakeFormat format, uint64 above_ms)
{
	SimPromise *promise = &server->promises[format];

	promise->base_ms = above_ms;
	promise->kept_ms = above_ms;
	promise->raised_ms = Min(promise->raised_ms, above_ms);
	promise->newest = 0;
	promise->forgotten++;
	server->backup_kept_ms[format] = Min(server->backup_kept_ms[format],
										 above_ms);
	sim_ids_forget(format, number_of(server), above_ms);
}

static void
raise_lead(SimPromise *promise, uint64 ms)
{
	promise->lead_ms = Max(promise->lead_ms, ms);
}

/*
 * To the commit that was replayed.  A reset leaves it out, but a fold that was
 * killed may have left no reset to the next one.
 */
static void
raise_lead_to(SimPromise *promise, int64 us, int64 epoch_ms)
{
	uint64		ms;

	if (us == 0 || epoch_ms == 0)
		return;
	ms = positive(sim_clock_ms(us, epoch_ms));
	raise_lead(promise, ms);
	promise->replayed_lead_ms = Max(promise->replayed_lead_ms, ms);
}

/*
 * A standby takes over with a backup of the file, or none, and the last commit
 * that it replayed.
 */
void
sim_promise_promote(SimServer *server, const uint64 *kept_ms,
					const uint64 *replayed_ms, int64 replayed_us)
{
	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		SimPromise *promise = &server->promises[format];

		forget(server, format, Min(promise->kept_ms,
								   Max(kept_ms[format],
									   replayed_ms[format])));
		promise->kept_ms = Min(promise->kept_ms, kept_ms[format]);
		promise->replayed_ms = replayed_ms[format];
		promise->replayed_lead_ms = 0;
		raise_lead(promise, server->backup_lead_ms[format]);
		raise_lead_to(promise, replayed_us,
					  server->configured.epoch_ms[format]);
		raise_lead_to(promise, replayed_us, server->backup_epoch_ms[format]);
	}
}

/* PostgreSQL forgets over a restart what recovery replayed. */
void
sim_promise_forget_replayed(SimServer *server)
{
	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		SimPromise *promise = &server->promises[format];

		if (promise->replayed_ms > promise->kept_ms)
			forget(server, format, promise->kept_ms);
		promise->replayed_ms = 0;
	}
}

/*
 * A file was made anew.  If somebody took the old one away, what is above the
 * clock by which it was made may come again.
 */
void
sim_note_made(SimProcess *process)
{
	SimServer  *server = process->server;

	server->settled = false;
	server->resetting = SIM_NO_RESET;
	server->requested = SIM_NO_RESET;
	server->reset_on_disk = false;
	server->in_force = server->configured;
	if (!server->lost)
		sim_fail("a file was made anew, although nobody took the old one away");
	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		SimPromise *promise = &server->promises[format];
		int64		ms = sim_clock_ms(process->latest_us,
									  server->in_force.epoch_ms[format]);

		promise->clock_ms = ms;
		if (server->replayed_epoch_ms[format] !=
			server->in_force.epoch_ms[format])
			promise->replayed_ms = 0;
		raise_lead(promise, positive(ms));
		if (server->replayed != 0)
			raise_lead_to(promise,
						  server->replayed + FLAKEID_PG_EPOCH_UNIX_US,
						  server->in_force.epoch_ms[format]);
		forget(server, format, Max(positive(ms), promise->replayed_ms));
		promise->kept_ms = positive(ms);
	}
}

/* The file is folded. */
static void
settle(SimServer *server)
{
	server->settled = true;
	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		SimPromise *promise = &server->promises[format];
		uint64		reset_ms = positive(promise->reset_ms);

		if (server->resetting == SIM_NO_RESET)
			promise->kept_ms = Max(promise->kept_ms, promise->replayed_ms);
		else
			forget(server, format, Min(promise->base_ms, reset_ms));
		if (server->resetting == SIM_MUST_RESET)
			promise->lead_ms = promise->reset_lead_ms;
		promise->replayed_ms = 0;
	}
	server->reset_on_disk = server->resetting != SIM_NO_RESET;
	server->resetting = SIM_NO_RESET;
}

/* Somebody requests a reset, or has: for the next start. */
void
sim_note_reset(SimServer *server, SimReset reset)
{
	server->requested = Max(server->requested, reset);
}

/* A boot that could not be read counts as another one, now and next time. */
void
sim_note_boot_unread(SimServer *server)
{
	server->rebooted = true;
	for (int format = 0; format < FLAKE_FORMATS; format++)
		server->promises[format].lead_ms += FLAKE_HORIZON_MS;
}

/* Whoever has mapped the file knows that it is folded. */
void
sim_settle(SimProcess *process)
{
	SimServer  *server = process->server;

	if (server->settled || flakeid_state == NULL)
		return;
	if (server->names[SIM_STATE] == process->mapped)
		server->lost = false;
	settle(server);
}

/*
 * A new postmaster's ids lie above all that its file, and the commit that its
 * recovery replayed, answer for.  Another boot lets them begin 10 s later.
 */
void
sim_promise_start(SimServer *server, bool another_boot)
{
	int64		clock_us = sim_clock_us(server);

	/* A fold of the last start may have done a reset, and been killed. */
	bool		goes_on = server->resetting != SIM_NO_RESET;

	server->settled = false;
	server->resetting = Max(server->resetting, server->requested);
	server->requested = SIM_NO_RESET;
	server->in_force = server->configured;
	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		SimPromise *promise = &server->promises[format];
		uint64		base_ms = Max(promise->kept_ms, promise->replayed_ms);
		int64		ms = sim_clock_ms(clock_us,
									  server->in_force.epoch_ms[format]);

		if (base_ms < promise->base_ms)
			sim_fail("the simulation lost a promise");
		promise->base_ms = base_ms;
		promise->clock_ms = ms;
		if (!goes_on)
		{
			promise->reset_ms = PG_INT64_MAX;
			promise->reset_lead_ms = 0;
		}
		promise->reset_lead_ms = Max(promise->reset_lead_ms, positive(ms));
		if (server->replayed != 0)
			promise->reset_lead_ms = Max(promise->reset_lead_ms,
										 promise->replayed_lead_ms);
		raise_lead(promise, positive(ms));
		if (another_boot)
			promise->lead_ms += FLAKE_HORIZON_MS;
	}
}

/* A process is about to make an id. */
void
sim_begin_id(SimProcess *process, FlakeFormat format)
{
	SimServer  *server = process->server;
	const SimPromise *promise = &server->promises[format];

	if (!flakeid_generators[format].attached)
	{
		process->floor_ms[format] = promise->raised_ms;
		process->floor_forgotten[format] = promise->forgotten;
	}
	process->position = flakeid_generators[format].position;
	process->bound = promise->newest;
	process->raised_ms = promise->raised_ms;
	process->forgotten = promise->forgotten;
	process->highest_us = PG_INT64_MIN;
	process->vain_waits = 0;
}

/* Node and slot stand where the address has them. */
static void
check_address(const SimProcess *process, FlakeFormat format, uint64 id)
{
	const FlakeidAddress *in_force = &process->server->in_force;
	const FlakeAddress *address = &in_force->address;
	const FlakeLayout *layout = &flake_layouts[format];
	uint32		generator = flake_id_generator(layout, id);
	uint32		below_node = layout->generator_bits - address->node_bits;

	if (format == FLAKE_ULIDFLAKE)
	{
		if (process->call.what == SIM_MAKE_SCALABLE &&
			flake_ulid_scalability(id) != in_force->scalability)
			sim_fail("not the server's scalability");
		return;
	}
	if (generator >> below_node != address->node)
		sim_fail("a %s of node %u has node %u", name_of(format),
				 address->node, generator >> below_node);
	if (address->server_scope)
		return;
	generator &= (uint32) flake_mask(below_node);
	if (generator >> (below_node - address->slot_bits) != process->slot)
		sim_fail("a %s of slot %u has slot %u", name_of(format),
				 process->slot, generator >> (below_node - address->slot_bits));
}

static void
check_time(const SimProcess *process, FlakeFormat format, uint64 ms)
{
	const SimPromise *promise = &process->server->promises[format];
	uint64		raised_ms = is_shared(process->server, format) ?
		process->raised_ms : process->floor_ms[format];

	if (ms <= promise->base_ms)
		sim_fail("a %s of %llu ms, when ids of %llu ms were made before the start",
				 name_of(format), (unsigned long long) ms,
				 (unsigned long long) promise->base_ms);
	if (ms <= raised_ms)
		sim_fail("a %s of %llu ms, at or below the floor raised to %llu ms",
				 name_of(format), (unsigned long long) ms,
				 (unsigned long long) raised_ms);
	if (ms > promise->lead_ms)
		sim_fail("a %s of %llu ms, when ids may get ahead to %llu ms",
				 name_of(format), (unsigned long long) ms,
				 (unsigned long long) promise->lead_ms);
	if (format == FLAKE_NANOFLAKE &&
		(int64) ms > sim_clock_ms(process->highest_us,
								  process->server->in_force.epoch_ms[format]))
		sim_fail("a Nanoflake ahead of the clock");
	if (ms > flake_layouts[format].last_generated_ms)
		sim_fail("a %s beyond what may be generated", name_of(format));
}

/* A call returned an id. */
void
sim_check_id(SimProcess *process, FlakeFormat format, uint64 id)
{
	SimServer  *server = process->server;
	SimPromise *promise = &server->promises[format];
	uint64		ms = flake_id_ms(&flake_layouts[format], id);

	sim_fleet.ids++;
	sim_settle(process);

	/* Its horizon was synced, and the header with it. */
	server->reset_on_disk = false;
	if (process->forgotten != promise->forgotten)
	{
		process->bound = 0;
		process->raised_ms = 0;
	}
	if (process->floor_forgotten[format] != promise->forgotten)
		process->floor_ms[format] = 0;
	check_address(process, format, id);
	check_time(process, format, ms);
	if (id <= process->newest[format])
		sim_fail("a process's %s is not above its last", name_of(format));
	if (is_shared(server, format) && id <= process->bound)
		sim_fail("a %s is not above one that another call had returned",
				 name_of(format));
	if (!sim_ids_add(format, number_of(server), id))
		sim_fail("a %s twice: %llx", name_of(format), (unsigned long long) id);
	process->newest[format] = id;
	promise->newest = Max(promise->newest, id);
	promise->kept_ms = Max(promise->kept_ms, ms);
}

/* A call that is refused leaves its state as it was. */
void
sim_check_refused(SimProcess *process, FlakeFormat format)
{
	const FlakePosition *position = &flakeid_generators[format].position;

	sim_settle(process);
	if (flakeid_generators[format].attached && process->newest[format] > 0 &&
		(position->ms != process->position.ms ||
		 position->counter != process->position.counter))
		sim_fail("a refused call changed the newest %s", name_of(format));
}

/* A format that carries on is never held up while the clock moves on. */
void
sim_check_wait(SimProcess *process, FlakeFormat format)
{
	int64		now_us = process->latest_us;

	if (flake_layouts[format].waits || is_shared(process->server, format))
		return;
	if (now_us >= process->waited_at_us + 1000 * flake_layouts[format].unit_ms)
		process->vain_waits++;
	else if (now_us < process->waited_at_us)
		process->vain_waits = 0;
	process->waited_at_us = now_us;
	if (process->vain_waits > 3)
		sim_fail("a process waits for a %s, although the clock moves on",
				 name_of(format));
}

/*
 * A call returned or was refused: it keeps what it has to, and no more; and it
 * went on after no failure of the system.
 */
void
sim_check_returned(SimProcess *process)
{
	if (process->failed != NULL && !process->was_refused)
		sim_fail("a call went on after a failed %s", process->failed);
	if (process->external_fds != sim_has_lock_fd())
		sim_fail("a call left %u descriptors", process->external_fds);
	for (int fd = 0; fd < SIM_FILES; fd++)
	{
		if (process->files[fd] != NULL)
			sim_fail("a call left a file open");
	}
	if (process->locked != NULL && !sim_attached())
		sim_fail("a call left the lock");
	if (sim_attached() && (process->locked == NULL ||
						   process->locked->exclusive == process))
		sim_fail("a call left the file without the shared lock");
}

static bool
has_space(const SimServer *server, FlakeFormat format)
{
	const FlakeAddress *address = &server->in_force.address;

	return format == FLAKE_ULIDFLAKE ||
		address->node_bits + (address->server_scope ? 0 : address->slot_bits) <=
		flake_layouts[format].generator_bits;
}

/*
 * Must the server serve this call, by a process that nobody disturbs and that
 * waits for a second of its clock?
 */
bool
sim_serves(const SimServer *server, SimWhat what, uint32 slot)
{
	FlakeFormat format = sim_format_of(what);
	const SimPromise *promise = &server->promises[format];
	const FlakeLayout *layout = &flake_layouts[format];
	const FlakeAddress *address = &server->in_force.address;
	int64		ms = sim_clock_ms(sim_clock_us(server),
								  server->in_force.epoch_ms[format]);

	if (address->node > flake_mask(address->node_bits))
		return false;
	if (!sim_makes(what))
		return true;
	return has_space(server, format) && ms >= 0 &&
		promise->lead_ms + 10000 < layout->last_generated_ms &&
		(!layout->waits || promise->lead_ms <= (uint64) ms + 500);
}
