/*
 * sim_epoch.c
 *		Which epochs the file may hold, and whether a fold may be refused by
 *		one that was moved on.
 */
#include "sim.h"

/*
 * The epochs that the file may hold, the oldest of each format, are those in
 * force at the last fold that was done, and at later ones that may have been.
 */
void
sim_note_epochs(SimServer *server, const int64 *epoch_ms)
{
	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		server->oldest_epoch_ms[format] =
			Min(server->oldest_epoch_ms[format], epoch_ms[format]);
		server->oldest_on_disk_ms[format] =
			Min(server->oldest_on_disk_ms[format], epoch_ms[format]);
	}
}

/* The header is on disk, and the record in force with it. */
void
sim_note_synced(SimServer *server)
{
	server->reset_on_disk = false;
	if (server->settled)
		memcpy(server->oldest_on_disk_ms, server->in_force.epoch_ms,
			   sizeof(server->oldest_on_disk_ms));
}

static bool
is_later(const SimServer *server, FlakeFormat format)
{
	return server->in_force.epoch_ms[format] >
		server->oldest_epoch_ms[format];
}

bool
sim_an_epoch_is_later(const SimServer *server)
{
	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		if (is_later(server, format))
			return true;
	}
	return false;
}

/* A fold may be refused that moves an epoch on, with ids far ahead. */
bool
sim_epoch_may_be_refused(const SimServer *server)
{
	for (int format = 0; format < FLAKE_FORMATS && !server->settled; format++)
	{
		const SimPromise *promise = &server->promises[format];
		int64		ms = sim_clock_ms(sim_clock_us(server),
									  server->in_force.epoch_ms[format]);

		if (is_later(server, format) && (int64) promise->lead_ms >
			Min(promise->clock_ms, ms) + FLAKE_FAR_AHEAD_MS)
			return true;
	}
	return false;
}
