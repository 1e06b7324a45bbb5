/*
 * sim_file.c
 *		The files of a data directory: their pages in memory and on disk, and
 *		their names in both.
 *
 * Unsynced contents reach the disk when the kernel writes them (an event), a
 * page at a time; a power loss keeps only what is on disk.  Names reach it by
 * durable_rename().
 */
#include "sim.h"

SimFile *
sim_new_file(void)
{
	SimFile    *file = calloc(1, sizeof(SimFile));

	file->memory = aligned_alloc(64, sizeof(FlakeidState));
	file->disk = malloc(sizeof(FlakeidState));
	memset(file->memory, 0, sizeof(FlakeidState));
	memset(file->disk, 0, sizeof(FlakeidState));
	file->inode = ++sim_fleet.inodes;
	file->next = sim_fleet.files;
	sim_fleet.files = file;
	return file;
}

/* A copy that is both in memory and on disk. */
void
sim_copy_file(SimFile *to, const SimFile *from)
{
	to->size = to->disk_size = from->size;
	memcpy(to->memory, from->memory, sizeof(FlakeidState));
	memcpy(to->disk, from->memory, sizeof(FlakeidState));
}

void
sim_free_files(void)
{
	while (sim_fleet.files != NULL)
	{
		SimFile    *file = sim_fleet.files;

		sim_fleet.files = file->next;
		free(file->memory);
		free(file->disk);
		free(file);
	}
}

void
sim_write_back(SimFile *file, size_t page)
{
	size_t		from = page * SIM_PAGE;

	if (page < SIM_PAGES && !file->failed[page])
		memcpy(file->disk + from, file->memory + from,
			   Min(SIM_PAGE, sizeof(FlakeidState) - from));
}

void
sim_write_all_back(SimFile *file)
{
	for (size_t page = 0; page < SIM_PAGES; page++)
		sim_write_back(file, page);
	file->disk_size = file->size;
}

void
sim_lose_power(SimServer *server)
{
	for (int name = 0; name < SIM_NAMES; name++)
	{
		SimFile    *file = server->names_on_disk[name];

		server->names[name] = file;
		if (file == NULL)
			continue;
		memcpy(file->memory, file->disk, sizeof(FlakeidState));
		memset(file->failed, 0, sizeof(file->failed));
		file->has_failed = false;
		file->size = file->disk_size;
	}
}

/* Access for the checks: the state file of a server that is down. */
FlakeidState *
sim_state_of(const SimServer *server)
{
	SimFile    *file = server->names[SIM_STATE];

	if (file == NULL || file->size != sizeof(FlakeidState))
		return NULL;
	return (FlakeidState *) file->memory;
}
