/*
 * sim_promise.c
 *		Limits that a server's ids must keep, updated at each event from what
 *		the simulation itself has seen, and never from the contents of the
 *		file.
 */
#include "sim.h"

/*
 * How far ahead ids may be: up to the clock, and one more millisecond each
 * time the clock was seen to advance by one.
 */
static void
move_lead(SimPromise *promise, int64 clock_ms)
{
	if (clock_ms > promise->clock_ms)
	{
		promise->lead_ms = Max(promise->lead_ms + 1, sim_positive(clock_ms));
		promise->reset_lead_ms = Max(promise->reset_lead_ms + 1,
									 sim_positive(clock_ms));
	}
	promise->clock_ms = clock_ms;
}

/* A process has read the clock. */
void
sim_note_clock(SimProcess *process)
{
	SimServer  *server = process->server;
	const int64 *epoch_ms = server->in_effect.epoch_ms;
	int64		us = process->latest_us;

	process->highest_us = Max(process->highest_us, us);
	if (server->settled &&
		sim_clock_ms(us, epoch_ms[0]) == server->promises[0].clock_ms)
		return;
	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		SimPromise *promise = &server->promises[format];

		move_lead(promise, sim_clock_ms(us, epoch_ms[format]));
		if (server->resetting != SIM_NO_RESET && !server->settled)
			promise->reset_ms = Min(promise->reset_ms, promise->clock_ms);
	}
}

/*
 * Ids above those covered by the file and a replayed commit may be repeated.
 */
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
	sim_ids_forget(format, sim_number_of(server), above_ms);
}

static void
raise_lead(SimPromise *promise, uint64 ms)
{
	promise->lead_ms = Max(promise->lead_ms, ms);
}

/*
 * Raise limits to the replayed commit.  A reset ignores it, but a fold that
 * was killed may have left no reset to the next one.
 */
static void
raise_lead_to(SimPromise *promise, FlakeFormat format, int64 us,
			  int64 epoch_ms)
{
	uint64		ms;

	if (us == 0 || epoch_ms == 0)
		return;
	ms = sim_positive(sim_clock_ms(us, epoch_ms)) +
		sim_replayed_margin(format);
	raise_lead(promise, ms);
	promise->replayed_lead_ms = Max(promise->replayed_lead_ms, ms);
}

/*
 * A standby takes over with a backup of the file, or none, and the last commit
 * that it has replayed.
 */
void
sim_promise_promote(SimServer *server, const uint64 *kept_ms,
					const uint64 *replayed_ms, int64 replayed_us)
{
	sim_note_epochs(server, server->backup_epoch_ms);
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
		raise_lead_to(promise, format, replayed_us,
					  server->configured.epoch_ms[format]);
		raise_lead_to(promise, format, replayed_us,
					  server->backup_epoch_ms[format]);
	}
}

/* At a restart PostgreSQL forgets the replayed commit. */
void
sim_promise_forget_replayed(SimServer *server)
{
	/* So, until the fold is done, it is unknown that this file is a backup. */
	if (server->ignored != SIM_NO_RESET)
		sim_note_reset(server, SIM_MAY_RESET);
	server->ignored = SIM_NO_RESET;
	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		SimPromise *promise = &server->promises[format];

		if (promise->replayed_ms > promise->kept_ms)
			forget(server, format, promise->kept_ms);
		promise->replayed_ms = 0;
	}
}

/*
 * A file was created.  If the old one was removed, ids above the clock at
 * which the new one is created may be repeated.
 */
void
sim_note_made(SimProcess *process)
{
	SimServer  *server = process->server;

	server->settled = false;
	server->resetting = SIM_NO_RESET;
	server->requested = SIM_NO_RESET;
	server->ignored = SIM_NO_RESET;
	server->reset_on_disk = false;
	server->copied = false;
	server->in_effect = server->configured;
	memcpy(server->oldest_epoch_ms, server->in_effect.epoch_ms,
		   sizeof(server->oldest_epoch_ms));
	memcpy(server->oldest_on_disk_ms, server->in_effect.epoch_ms,
		   sizeof(server->oldest_on_disk_ms));
	if (!server->lost)
		sim_fail("a file was created, although the old one was not removed");
	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		SimPromise *promise = &server->promises[format];
		int64		ms = sim_clock_ms(process->latest_us,
									  server->in_effect.epoch_ms[format]);

		promise->clock_ms = ms;
		if (server->replayed_epoch_ms[format] !=
			server->in_effect.epoch_ms[format])
			promise->replayed_ms = 0;
		raise_lead(promise, sim_positive(ms));
		if (server->replayed != 0)
			raise_lead_to(promise, format,
						  server->replayed + FLAKEID_PG_EPOCH_UNIX_US,
						  server->in_effect.epoch_ms[format]);
		forget(server, format, Max(sim_positive(ms), promise->replayed_ms));
		promise->kept_ms = sim_positive(ms);
	}
}

/* The file is folded. */
static void
settle(SimServer *server)
{
	server->settled = true;
	sim_note_epochs(server, server->in_effect.epoch_ms);
	memcpy(server->oldest_epoch_ms, server->in_effect.epoch_ms,
		   sizeof(server->oldest_epoch_ms));
	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		SimPromise *promise = &server->promises[format];
		uint64		reset_ms = sim_positive(promise->reset_ms);

		if (server->resetting == SIM_NO_RESET)
			promise->kept_ms = Max(promise->kept_ms, promise->replayed_ms);
		else
			forget(server, format, Min(promise->base_ms, reset_ms));
		if (server->resetting == SIM_MUST_RESET)
			promise->lead_ms = promise->reset_lead_ms;
		promise->replayed_ms = 0;
	}
	server->reset_on_disk = server->resetting != SIM_NO_RESET ||
		server->ignored != SIM_NO_RESET;
	server->resetting = SIM_NO_RESET;
	server->ignored = SIM_NO_RESET;
}

/* A reset is requested, or was, for the next start. */
void
sim_note_reset(SimServer *server, SimReset reset)
{
	server->requested = Max(server->requested, reset);
}

/* An unreadable boot id counts as another boot, now and next time. */
void
sim_note_boot_unread(SimServer *server)
{
	server->rebooted = true;
	for (int format = 0; format < FLAKE_FORMATS; format++)
		server->promises[format].lead_ms += FLAKE_HORIZON_MS;
}

/* A process that has mapped the file knows that it is folded. */
void
sim_settle(SimProcess *process)
{
	SimServer  *server = process->server;

	if (server->settled || flakeid_state == NULL)
		return;
	if (server->names[SIM_STATE] == process->mapped)
		server->lost = server->copied = false;
	settle(server);
}

/*
 * A copy of the file is in its place, and is used from now on.  It covers the
 * ids that the file covered when the copy was made, and a reset requested for
 * another file does not apply.  A reset requested for the replaced file is
 * lost.
 */
static void
take_copy(SimServer *server)
{
	server->copy_counts = false;
	server->requested = SIM_NO_RESET;
	server->ignored = SIM_NO_RESET;
	server->reset_on_disk = false;
	server->resetting = Min(server->resetting, SIM_MAY_RESET);
	sim_note_epochs(server, server->copy_epoch_ms);
	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		SimPromise *promise = &server->promises[format];
		uint64		kept_ms = server->copy_kept_ms[format];

		forget(server, format, Min(promise->kept_ms,
								   Max(kept_ms, promise->replayed_ms)));
		promise->kept_ms = Min(promise->kept_ms, kept_ms);
		raise_lead(promise, server->copy_lead_ms[format]);
		if (server->replayed == 0)
			continue;
		raise_lead_to(promise, format,
					  server->replayed + FLAKEID_PG_EPOCH_UNIX_US,
					  server->copy_epoch_ms[format]);
		raise_lead_to(promise, format,
					  server->replayed + FLAKEID_PG_EPOCH_UNIX_US,
					  server->configured.epoch_ms[format]);
	}
}

/*
 * A new postmaster's ids are above all those covered by its file and by the
 * commit that its recovery replayed.  After another boot they may begin up to
 * 10 s later.
 */
void
sim_promise_start(SimServer *server, bool another_boot)
{
	int64		clock_us = sim_clock_us(server);

	/* A fold of the last start may have done a reset before it was killed. */
	bool		goes_on = server->resetting != SIM_NO_RESET;

	if (server->copied && server->copy_counts)
	{
		take_copy(server);
		another_boot = true;
	}
	server->settled = false;
	server->sync_failed = false;
	server->epoch_refused = false;
	server->resetting = Max(server->resetting, server->requested);
	server->requested = SIM_NO_RESET;
	server->in_effect = server->configured;
	sim_note_epochs(server, server->in_effect.epoch_ms);
	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		SimPromise *promise = &server->promises[format];
		uint64		base_ms = Max(promise->kept_ms, promise->replayed_ms);
		int64		ms = sim_clock_ms(clock_us,
									  server->in_effect.epoch_ms[format]);

		if (base_ms < promise->base_ms)
			sim_fail("the simulation lost a promise");
		promise->base_ms = base_ms;
		promise->clock_ms = ms;
		if (!goes_on)
		{
			promise->reset_ms = PG_INT64_MAX;
			promise->reset_lead_ms = 0;
		}
		promise->reset_lead_ms = Max(promise->reset_lead_ms, sim_positive(ms));
		if (server->replayed != 0)
			promise->reset_lead_ms = Max(promise->reset_lead_ms,
										 promise->replayed_lead_ms);
		raise_lead(promise, sim_positive(ms));
		if (another_boot)
			promise->lead_ms += FLAKE_HORIZON_MS;
	}
}

/*
 * A process that maps the file with the exclusive lock, so that no other has
 * it mapped, may fold it: also a copy of an earlier start's file that was put
 * in place under this postmaster.
 */
void
sim_note_mapped(SimProcess *process)
{
	SimServer  *server = process->server;

	if (process->locked == NULL || process->locked->exclusive != process ||
		process->mapped != server->names[SIM_STATE])
		return;
	if (server->copied && server->copy_counts &&
		server->copy_starts != server->starts)
		sim_promise_start(server, true);
	if (!sim_an_epoch_is_later(server))
		return;
	process->sum = sim_sum(0, process->mapped->memory, sizeof(FlakeidState));

	/* In flakeid_reset_clock(), a fold that fails resets at once. */
	if (process->call.what == SIM_RESET && !server->settled)
		server->resetting = Max(server->resetting, SIM_MAY_RESET);
}
