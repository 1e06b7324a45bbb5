/*
 * sim_file.c
 *		The files of a data directory: their pages in memory and on disk, and
 *		their names in both.
 *
 * What is not synced reaches the disk when the kernel likes (an event), a page
 * at a time; a power loss leaves what is there.  Names reach it by
 * durable_rename().
 */
#include "sim.h"

#define FIRST_FD	4
#define BOOT_FD		10

SimFile *
sim_new_file(void)
{
	SimFile    *file = calloc(1, sizeof(SimFile));

	file->memory = aligned_alloc(64, sizeof(FlakeidState));
	file->disk = malloc(sizeof(FlakeidState));
	memset(file->memory, 0, sizeof(FlakeidState));
	memset(file->disk, 0, sizeof(FlakeidState));
	file->next = sim_fleet.files;
	sim_fleet.files = file;
	return file;
}

/* A copy that is in memory and on disk. */
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

	if (from < sizeof(FlakeidState))
		memcpy(file->disk + from, file->memory + from,
			   Min(SIM_PAGE, sizeof(FlakeidState) - from));
}

static void
write_all_back(SimFile *file)
{
	memcpy(file->disk, file->memory, sizeof(FlakeidState));
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
		file->size = file->disk_size;
	}
}

/* What the checks may peek at: the state file of a server that is down. */
FlakeidState *
sim_state_of(const SimServer *server)
{
	SimFile    *file = server->names[SIM_STATE];

	if (file == NULL || file->size != sizeof(FlakeidState))
		return NULL;
	return (FlakeidState *) file->memory;
}

static SimName
name_of(const char *path)
{
	if (strcmp(path, FLAKEID_STATE_FILE) == 0)
		return SIM_STATE;
	return strcmp(path, FLAKEID_STATE_FILE ".new") == 0 ? SIM_NEW : SIM_DAMAGED;
}

static SimFile *
file_of(int fd)
{
	return sim_process->files[fd - FIRST_FD];
}

int
sim_open(const char *path, int flags)
{
	SimServer  *server = sim_process->server;
	SimFile   **name;
	int			fd;

	sim_access(SIM_READ);
	if (path[0] == '/')
	{
		errno = ENOENT;
		return server->boot_id == 0 ? -1 : BOOT_FD;
	}
	name = &server->names[name_of(path)];
	if (*name == NULL && (flags & O_CREAT) == 0)
	{
		errno = ENOENT;
		return -1;
	}
	if (*name == NULL)
		*name = sim_new_file();
	if (flags & O_TRUNC)
		(*name)->size = 0;
	fd = sim_process->next_file++ % 2;
	sim_process->files[fd] = *name;
	return FIRST_FD + fd;
}

/* The boot id is all that is ever read. */
int
sim_read(int fd, void *data, size_t size)
{
	memset(data, 'b', size);
	memcpy(data, &sim_process->server->boot_id, sizeof(uint64));
	return (int) size;
}

int
sim_write(int fd, const void *data, size_t size)
{
	SimFile    *file = file_of(fd);
	size_t		rest;

	sim_access(SIM_WRITE);
	rest = sizeof(FlakeidState) - file->size;
	if (size > rest)
		size = rest;
	if (size > 1 && sim_random(&sim_process->random) % 8 == 0)
		size /= 2;
	memcpy(file->memory + file->size, data, size);
	file->size += size;
	return (int) size;
}

int
sim_fsync(int fd)
{
	sim_access(SIM_WRITE);
	write_all_back(file_of(fd));
	return 0;
}

int
sim_fstat(int fd, struct stat *st)
{
	st->st_mode = S_IFREG;
	st->st_size = (off_t) file_of(fd)->size;
	return 0;
}

void *
sim_mmap(int fd)
{
	sim_process->mapped = file_of(fd);
	return sim_process->mapped->memory;
}

int
sim_msync(void *address, size_t size)
{
	SimFile    *file = sim_process->mapped;

	sim_access(SIM_WRITE);
	for (size_t page = 0; page * SIM_PAGE < size; page++)
		sim_write_back(file, page);
	return 0;
}

int
sim_unlink(const char *path)
{
	sim_access(SIM_WRITE);
	sim_process->server->names[name_of(path)] = NULL;
	return 0;
}

/* The folder is all that is ever synced by name. */
void
sim_fsync_names(void)
{
	SimServer  *server = sim_process->server;

	sim_access(SIM_WRITE);
	memcpy(server->names_on_disk, server->names, sizeof(server->names));
}

/* Sync the file, rename it, sync the folder. */
int
sim_durable_rename(const char *from, const char *to)
{
	SimServer  *server = sim_process->server;
	SimName		old = name_of(from);
	SimName		new = name_of(to);

	sim_access(SIM_WRITE);
	if (server->names[old] == NULL)
		sim_raise();
	write_all_back(server->names[old]);
	sim_access(SIM_WRITE);
	server->names[new] = server->names[old];
	server->names[old] = NULL;
	if (new == SIM_STATE)
		sim_note_made(sim_process);
	sim_fsync_names();
	return 0;
}
