/*
 * sim_describe.c
 *		Descriptions of events, for the shortest list.
 */
#include "sim.h"

static const char *const whats[] = {
	[SIM_MAKE_FLUID] = "fluid_generate",
	[SIM_MAKE_NANOFLAKE] = "nanoflake_generate",
	[SIM_MAKE_ULIDFLAKE] = "ulidflake_generate",
	[SIM_MAKE_SCALABLE] = "ulidflake_scalable_generate",
	[SIM_STATUS] = "flakeid_status",
	[SIM_RAISE] = "flakeid_raise_floor",
	[SIM_RESET] = "flakeid_reset_clock",
};

static const char *const kinds[SIM_KINDS] = {
	[SIM_KILL] = "a backend is killed",
	[SIM_KILL_ALL] = "all backends are killed",
	[SIM_TICK] = "time passes",
	[SIM_CLOCK] = "the clock is set",
	[SIM_STOP] = "the server stops",
	[SIM_START] = "the server starts",
	[SIM_REBOOT] = "the machine reboots",
	[SIM_POWER] = "power is lost",
	[SIM_WRITE_BACK] = "the kernel writes a page",
	[SIM_DELETE] = "the file is deleted",
	[SIM_TEAR] = "the file is torn",
	[SIM_COPY] = "a copy replaces the file",
	[SIM_RELOAD] = "settings are reloaded",
	[SIM_COMMIT] = "a commit",
	[SIM_BACKUP] = "a base backup",
	[SIM_PROMOTE] = "a standby is promoted",
	[SIM_RENUMBER] = "the fleet is renumbered",
	[SIM_PROBE] = "all calls end undisturbed",
};

static const char *const accesses[SIM_ACCESSES] = {
	[SIM_READ] = "access",
	[SIM_WRITE] = "write",
	[SIM_RARE] = "rare write",
};

static void
describe_call(const SimEvent *event, char *line, size_t size)
{
	int			n;

	if (event->is_worker)
		n = snprintf(line, size, "worker %u continues",
					 event->slot % SIM_WORKERS);
	else
		n = snprintf(line, size, "slot %u%s: %u of %s, or continue its call",
					 event->slot, event->from_last ? " from the last" : "",
					 event->ids, whats[event->what]);
	if (event->turns > 0)
		n += snprintf(line + n, size - (size_t) n, ", for %u turns",
					  event->turns + 1);
	if (event->accesses > 0)
		n += snprintf(line + n, size - (size_t) n, ", up to %s %llu",
					  accesses[event->counts],
					  (unsigned long long) event->accesses);
	if (event->fails_at > 0)
		snprintf(line + n, size - (size_t) n,
				 ", system calls %u to %u fail", event->fails_at,
				 event->fails_at + event->fails - 1);
}

void
sim_describe(const SimEvent *event, char *line, size_t size)
{
	int			n = snprintf(line, size, "server %u: ", event->server);
	char	   *rest = line + n;
	size_t		left = size - (size_t) n;

	if (event->kind == SIM_CALL)
		describe_call(event, rest, left);
	else if (event->kind == SIM_PROBE)
		snprintf(rest, left, "%s slot %u%s: %s", kinds[event->kind],
				 event->slot, event->from_last ? " from the last" : "",
				 whats[event->what]);
	else if (event->kind == SIM_TICK)
		snprintf(line, size, "%s: %lld us", kinds[event->kind],
				 (long long) event->amount);
	else if (event->kind == SIM_KILL)
		snprintf(rest, left, "%s %u%s: %s",
				 event->is_worker ? "worker" : "slot",
				 event->is_worker ? event->slot % SIM_WORKERS : event->slot,
				 event->from_last ? " from the last" : "", kinds[event->kind]);
	else
		snprintf(rest, left, "%s (%lld us, %llx)", kinds[event->kind],
				 (long long) event->amount,
				 (unsigned long long) event->random);
}
