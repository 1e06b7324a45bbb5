/*
 * sim_check.c
 *		Invariants, checked at every id and at the end of every call.
 */
#include "sim.h"

#include <stdarg.h>

static const char *
name_of(FlakeFormat format)
{
	return flake_layouts[format].name;
}

/* Report a failure; only the first one counts. */
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

static bool
is_shared(const SimServer *server, FlakeFormat format)
{
	return format == FLAKE_ULIDFLAKE || server->in_effect.address.server_scope;
}

/* A process is about to generate an id. */
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

/* Node and slot are in the id as given by the address. */
static void
check_address(const SimProcess *process, FlakeFormat format, uint64 id)
{
	const FlakeidConfig *in_effect = &process->server->in_effect;
	const FlakeAddress *address = &in_effect->address;
	const FlakeLayout *layout = &flake_layouts[format];
	uint32		generator = flake_id_generator(layout, id);
	uint32		below_node = layout->generator_bits - address->node_bits;

	if (format == FLAKE_ULIDFLAKE)
	{
		if (process->call.what == SIM_MAKE_SCALABLE &&
			flake_ulid_scalability(id) != in_effect->scalability)
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
		sim_fail("a %s of %llu ms, although ids of %llu ms existed before the start",
				 name_of(format), (unsigned long long) ms,
				 (unsigned long long) promise->base_ms);
	if (ms <= raised_ms)
		sim_fail("a %s of %llu ms, at or below the floor raised to %llu ms",
				 name_of(format), (unsigned long long) ms,
				 (unsigned long long) raised_ms);
	if (ms > promise->lead_ms)
		sim_fail("a %s of %llu ms, although ids may be ahead up to %llu ms",
				 name_of(format), (unsigned long long) ms,
				 (unsigned long long) promise->lead_ms);
	if (format == FLAKE_NANOFLAKE &&
		(int64) ms > sim_clock_ms(process->highest_us,
								  process->server->in_effect.epoch_ms[format]))
		sim_fail("a Nanoflake ahead of the clock");
	if (ms > flake_layouts[format].last_generated_ms)
		sim_fail("a %s above the allowed limit", name_of(format));
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

	/* Its horizon has been synced, and the header with it. */
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
		sim_fail("a process's %s is not above its last one", name_of(format));
	if (is_shared(server, format) && id <= process->bound)
		sim_fail("a %s is not above one that another call had returned",
				 name_of(format));
	if (!sim_ids_add(format, sim_number_of(server), id))
		sim_fail("a duplicate %s: %llx", name_of(format), (unsigned long long) id);
	process->newest[format] = id;
	promise->newest = Max(promise->newest, id);
	promise->kept_ms = Max(promise->kept_ms, ms);
}

/* A call that fails leaves its state unchanged. */
void
sim_check_refused(SimProcess *process, FlakeFormat format)
{
	const FlakePosition *position = &flakeid_generators[format].position;

	sim_settle(process);
	if (flakeid_generators[format].attached && process->newest[format] > 0 &&
		(position->ms != process->position.ms ||
		 position->counter != process->position.counter))
		sim_fail("a failed call changed the newest %s", name_of(format));
}

/* A format that need not wait never waits while the clock advances. */
void
sim_check_wait(SimProcess *process, FlakeFormat format)
{
	int64		now_us = process->latest_us;

	if (flake_layouts[format].waits || is_shared(process->server, format))
		return;
	if (now_us >= process->waited_at_us + 1000)
		process->vain_waits++;
	else if (now_us < process->waited_at_us)
		process->vain_waits = 0;
	process->waited_at_us = now_us;
	if (process->vain_waits > 3)
		sim_fail("a process waits for a %s, although the clock advances",
				 name_of(format));
}

/* Some errors must have a reason. */
void
sim_check_error(SimProcess *process, const char *function)
{
	SimServer  *server = process->server;

	if (strcmp(function, "raise_bad_file") == 0 && !server->lost &&
		!server->copied)
		sim_fail("an intact file is reported as removed, damaged or replaced");
	if (strcmp(function, "refuse_epoch") != 0)
		return;
	server->epoch_refused = true;
	if (!sim_epoch_may_be_refused(server))
		sim_fail("an epoch is rejected without a reason");
	if (process->sum != sim_sum(0, process->mapped->memory,
								sizeof(FlakeidState)))
		sim_fail("a fold that failed wrote to the file");
}

/* The address is the server's, whatever the settings of the session. */
static void
check_settings(SimProcess *process)
{
	if (!sim_attached() || process->knows_address)
		return;
	process->knows_address = true;
	if (memcmp(flakeid_config_in_effect(), &process->server->in_effect,
			   sizeof(FlakeidConfig)) != 0)
		sim_fail("the address in effect is not the server's");
}

/*
 * A call has returned or failed: it keeps only what it must, and it did not
 * continue after a failed system call.
 */
void
sim_check_returned(SimProcess *process)
{
	if (process->failed != NULL && !process->was_refused)
		sim_fail("a call continued after a failed %s", process->failed);
	if (process->external_fds != sim_has_lock_fd())
		sim_fail("a call left %u descriptors open", process->external_fds);
	for (int fd = 0; fd < SIM_FILES; fd++)
	{
		if (process->files[fd] != NULL)
			sim_fail("a call left a file open");
	}
	if (process->locked != NULL && !sim_attached() &&
		!(process->is_worker && process->was_refused))
		sim_fail("a call did not release the lock");
	if (sim_attached() && (process->locked == NULL ||
						   process->locked->exclusive == process))
		sim_fail("a call left the file mapped without the shared lock");
	check_settings(process);
	sim_check_told();
}
