/*
 * sim_epoch.c
 *		Epochs that the file may contain, and whether a fold may fail because
 *		an epoch moved forward.
 */
#include "sim.h"

/*
 * The file may contain, as the oldest epoch of each format, one that was in
 * effect at the last completed fold or at a later fold that may have
 * completed.
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

/* The header is on disk, and so is the current record. */
void
sim_note_synced(SimServer *server)
{
	server->reset_on_disk = false;
	if (server->settled)
		memcpy(server->oldest_on_disk_ms, server->in_effect.epoch_ms,
			   sizeof(server->oldest_on_disk_ms));
}

static bool
is_later(const SimServer *server, FlakeFormat format)
{
	return server->in_effect.epoch_ms[format] >
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

/* A fold may fail if it moves an epoch forward with ids far ahead. */
bool
sim_epoch_may_be_refused(const SimServer *server)
{
	for (int format = 0; format < FLAKE_FORMATS && !server->settled; format++)
	{
		const SimPromise *promise = &server->promises[format];
		int64		ms = sim_clock_ms(sim_clock_us(server),
									  server->in_effect.epoch_ms[format]);

		if (is_later(server, format) && (int64) promise->lead_ms >
			Min(promise->clock_ms, ms) + FLAKE_FAR_AHEAD_MS)
			return true;
	}
	return false;
}
