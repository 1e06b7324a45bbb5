/*
 * sim_probe.c
 *		Checks that a healthy server completes calls.
 */
#include "sim.h"

static bool
has_space(const SimServer *server, FlakeFormat format)
{
	const FlakeAddress *address = &server->in_effect.address;

	return format == FLAKE_ULIDFLAKE ||
		address->node_bits + (address->server_scope ? 0 : address->slot_bits) <=
		flake_layouts[format].generator_bits;
}

/*
 * True if the server must complete this call in a process that is not
 * disturbed and waits for up to a second of its clock.
 */
static bool
serves(const SimServer *server, SimWhat what)
{
	FlakeFormat format = sim_format_of(what);
	const SimPromise *promise = &server->promises[format];
	const FlakeLayout *layout = &flake_layouts[format];
	const FlakeAddress *address = &server->in_effect.address;
	int64		ms = sim_clock_ms(sim_clock_us(server),
								  server->in_effect.epoch_ms[format]);

	if (address->node > flake_mask(address->node_bits))
		return false;
	if (what == SIM_RESET)
		return true;
	if (sim_epoch_may_be_refused(server))
		return false;
	if (!sim_makes(what))
		return true;
	return has_space(server, format) && ms >= 0 &&
		promise->lead_ms + 10000 < layout->last_generated_ms &&
		(!layout->waits || promise->lead_ms <= (uint64) ms + 500);
}

/* Limits of an undisturbed call, in ms and turns */
#define ENOUGH_MS	2000

/* Let all processes finish their calls, while time passes. */
static void
let_calls_end(SimServer *server)
{
	const SimEvent on = {.patience = 0};

	for (int ms = 0; ms < ENOUGH_MS; ms++)
	{
		uint32		busy = 0;

		for (uint32 slot = 0; slot < SIM_MAX_PROCESSES; slot++)
		{
			SimProcess *process = server->processes[slot];

			if (process == NULL ||
				(process->stack == NULL && !process->is_worker))
				continue;
			busy++;
			process->patience = 0;
			sim_run(process, &on);
		}
		if (busy == 0)
			return;
		sim_fleet.time_us += 1000;
	}
	sim_fail("calls do not end, although all processes run and time passes");
}

/*
 * Nothing fails, all processes run, and time passes: then a call returns,
 * without an error unless settings or clock cause one.  A server that needs a
 * restart, or has no file, is restarted.
 */
void
sim_probe(SimServer *server, const SimEvent *event)
{
	SimEvent	quiet = *event;
	SimProcess *process;
	bool		must_serve;

	quiet.ids = 1;
	if (server->lost || server->copied || server->sync_failed)
		sim_stop(server);
	sim_start_again(server);
	let_calls_end(server);
	if (sim_fleet.failed != NULL)
		return;

	must_serve = serves(server, event->what);
	for (int ms = 0; ms < ENOUGH_MS; ms++)
	{
		quiet.patience = 1;
		process = sim_begin_or_go_on(server, &quiet);
		if (process->stack == NULL)
		{
			if (must_serve && process->was_refused)
				sim_fail("a healthy server failed a call");
			return;
		}
		sim_fleet.time_us += 1000;
	}
	if (must_serve)
		sim_fail("a call does not end on a healthy server");
	else
		sim_end_process(server, process->slot);
}
