/*
 * sim_standby.c
 *		Base backups, commits that a standby replays, and its promotion.
 */
#include "sim.h"

void
sim_back_up(SimServer *server)
{
	FlakeidState *state = sim_state_of(server);

	if (state == NULL || !server->running || server->lost || server->copied ||
		!server->settled)
		return;
	if (server->backup == NULL)
		server->backup = sim_new_file();
	sim_copy_file(server->backup, server->names[SIM_STATE]);
	server->backup_of = server->names[SIM_STATE];
	server->backup_starts = server->starts;
	server->backup_inode = server->names[SIM_STATE]->inode;
	server->backup_requested = server->requested;
	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		const SimPromise *promise = &server->promises[format];

		server->backup_kept_ms[format] = promise->kept_ms;
		server->backup_lead_ms[format] = promise->lead_ms + FLAKE_HORIZON_MS;
		server->backup_epoch_ms[format] = server->in_effect.epoch_ms[format];
	}
}

void
sim_commit(SimServer *server)
{
	SimCommit  *newest = &server->commits[SIM_COMMITS - 1];

	if (!server->running || !server->settled)
		return;
	memmove(server->commits, server->commits + 1,
			(SIM_COMMITS - 1) * sizeof(SimCommit));
	newest->at_us = sim_clock_us(server);
	memcpy(newest->epoch_ms, server->in_effect.epoch_ms,
		   sizeof(newest->epoch_ms));
}

/*
 * The replayed commit covers ids up to its time, if the promoted server knows
 * their epoch.
 */
static uint64
replayed_ms(const SimServer *server, const SimCommit *replayed, bool has_file,
			FlakeFormat format)
{
	int64		epoch_ms = replayed->epoch_ms[format];
	int64		ms = sim_clock_ms(replayed->at_us, epoch_ms);

	if (epoch_ms != server->in_effect.epoch_ms[format] || ms <= 0 ||
		(epoch_ms != server->configured.epoch_ms[format] &&
		 !(has_file && epoch_ms == server->backup_epoch_ms[format])))
		return 0;
	return Min((uint64) ms + sim_replayed_margin(format),
			   flake_last_ms(&flake_layouts[format]));
}

/*
 * The server is gone, and a standby of it is promoted, on the same or another
 * machine: with a backup of its file, possibly torn, or without one, and after
 * replaying all, some or no commits.  On a copy of the disk, the backup can
 * have the inode of the file.
 */
void
sim_promote(SimServer *server, const SimEvent *event)
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
	bool		same_inode = has_file && random / 4096 % 4 == 0;
	SimReset	requested = same_inode ? server->backup_requested : SIM_NO_RESET;

	if (!server->settled)
		return;
	sim_stop(server);
	if (has_file)
		sim_copy_file(file, server->backup);
	if (same_inode)
		file->inode = server->backup_inode;
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
	server->requested = replayed.at_us == 0 ? requested : SIM_NO_RESET;
	server->ignored = replayed.at_us != 0 ? requested : SIM_NO_RESET;
	server->copied = false;
	server->reset_on_disk = false;
	if (random / 256 % 8 != 0)
		server->boot_id = server->boot_id == 0 ? 0 : random | 1;
	sim_set_clock(server, sim_clock_us(server) + event->amount);
	memcpy(server->replayed_epoch_ms, replayed.epoch_ms,
		   sizeof(replayed.epoch_ms));
	sim_promise_promote(server, kept, by_commit, replayed.at_us);
	sim_start(server, replayed.at_us, true);
}
