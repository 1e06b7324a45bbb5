/*
 * sim_syscall.c
 *		System calls on files, and their failures; and plain stores to the
 *		mapped file.
 */
#include "sim.h"

#define FIRST_FD	4
#define BOOT_FD		10

/* Number of descriptors that AcquireExternalFD() grants to a process */
#define EXTERNAL_FDS	4

bool		sim_failed_pages;
bool		sim_watches;
uintptr_t	sim_header = UINTPTR_MAX;

/* Records of the mapped file at the last access */
#define RECORDS		(offsetof(FlakeidHeader, current) / 8)
static uint64 seen[RECORDS];

static uint64 *
records_of(const SimProcess *process)
{
	FlakeidState *state = (FlakeidState *) process->mapped->memory;

	return (uint64 *) &state->header.records;
}

/*
 * A process that has mapped the file and is not attached yet inspects or folds
 * it: its plain stores to the records are watched.
 */
void
sim_watch(SimProcess *process)
{
	sim_header = process->mapped == NULL ? UINTPTR_MAX :
		(uintptr_t) process->mapped->memory;
	sim_failed_pages = process->mapped != NULL && process->mapped->has_failed;
	sim_watches = process->mapped != NULL && !sim_attached();
	if (sim_watches)
		memcpy(seen, records_of(process), sizeof(seen));
}

/*
 * Plain stores since the last access were not interrupted.  So undo them, and
 * repeat them a word at a time, each as an access, in either order.
 */
void
sim_play_stores(void)
{
	uint64	   *records = records_of(sim_process);
	uint64		wanted[RECORDS];
	bool		backward;

	if (memcmp(records, seen, sizeof(seen)) == 0)
		return;
	memcpy(wanted, records, sizeof(wanted));
	memcpy(records, seen, sizeof(seen));
	backward = sim_random(&sim_process->random) & 1;
	for (size_t i = 0; i < RECORDS; i++)
	{
		size_t		at = backward ? RECORDS - 1 - i : i;

		if (records[at] == wanted[at])
			continue;
		sim_watches = false;
		sim_access(SIM_RARE);
		records[at] = wanted[at];
		sim_stored(&records[at]);
	}
	sim_watch(sim_process);
}

/*
 * True if this system call fails: the nth one of the turn, and some after it
 */
bool
sim_fails(const char *what)
{
	SimProcess *process = sim_process;

	if (sim_failing.fails_at == 0 || --sim_failing.fails_at > 0)
		return false;
	if (--sim_failing.fails > 0)
		sim_failing.fails_at = 1;
	if (what != NULL)
		process->failed = what;
	errno = EIO;
	return true;
}

/*
 * A sync failed.  Linux reports this once to each process that had the file
 * open, and then considers the pages clean: they reach the disk only if they
 * change again.  Other kernels keep them dirty.
 */
static void
drop_page(SimFile *file, size_t page)
{
	if (!sim_fleet.drops_failed_pages || page >= SIM_PAGES)
		return;
	file->failed[page] = true;
	file->has_failed = true;
	if (file == sim_process->mapped)
		sim_failed_pages = true;
}

static void
tell_others(SimFile *file)
{
	SimServer  *server = sim_process->server;

	for (uint32 slot = 0; slot < SIM_MAX_PROCESSES; slot++)
	{
		SimProcess *process = server->processes[slot];

		if (process != NULL && process != sim_process &&
			process->mapped == file)
			process->write_error = sim_fleet.drops_failed_pages;
	}
}

/* Any store makes the page dirty. */
void
sim_note_store(const volatile void *address)
{
	SimFile    *file = sim_process->mapped;
	size_t		offset = (uintptr_t) address - (uintptr_t) file->memory;

	if (offset < sizeof(FlakeidState))
		file->failed[offset / SIM_PAGE] = false;
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
	int			fd = 0;

	sim_access(flags & O_CREAT ? SIM_RARE : SIM_READ);
	if (path[0] == '/')
	{
		errno = ENOENT;
		if (server->boot_id == 0)
			return -1;
		if (!sim_fails(NULL))
			return BOOT_FD;
		sim_note_boot_unread(server);
		return -1;
	}
	if (sim_fails("open"))
		return -1;
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
	while (sim_process->files[fd] != NULL)
	{
		if (++fd == SIM_FILES)
		{
			errno = EMFILE;
			return -1;
		}
	}
	sim_process->files[fd] = *name;
	return FIRST_FD + fd;
}

int
sim_close(int fd)
{
	if (fd != BOOT_FD)
		sim_process->files[fd - FIRST_FD] = NULL;
	return 0;
}

/* Files that the end of a transaction closes. */
void
sim_close_files(SimProcess *process)
{
	memset(process->files, 0, sizeof(process->files));
}

bool
sim_acquire_fd(void)
{
	if (sim_process->external_fds >= EXTERNAL_FDS ||
		sim_fails("AcquireExternalFD"))
		return false;
	sim_process->external_fds++;
	return true;
}

void
sim_release_fd(void)
{
	sim_process->external_fds--;
}

/* The boot id is the only file read. */
int
sim_read(int fd, void *data, size_t size)
{
	memset(data, 'b', size);
	memcpy(data, &sim_process->server->boot_id, sizeof(uint64));
	if (!sim_fails(NULL))
		return (int) size;
	sim_note_boot_unread(sim_process->server);
	return -1;
}

int
sim_write(int fd, const void *data, size_t size)
{
	SimFile    *file = file_of(fd);
	size_t		rest;

	sim_access(SIM_RARE);
	if (sim_fails("write"))
	{
		/* A full disk is reported by an error, or by nothing written. */
		errno = sim_random(&sim_process->random) & 1 ? ENOSPC : 0;
		return errno == 0 ? 0 : -1;
	}
	rest = sizeof(FlakeidState) - file->size;
	if (size > rest)
		size = rest;
	if (size > 1 && sim_random(&sim_process->random) % 8 == 0)
		size /= 2;
	memcpy(file->memory + file->size, data, size);
	memset(file->failed, 0, sizeof(file->failed));
	file->size += size;
	return (int) size;
}

int
sim_fsync(int fd)
{
	sim_access(SIM_RARE);
	if (sim_fails("fsync"))
	{
		for (size_t page = 0; page < SIM_PAGES; page++)
			drop_page(file_of(fd), page);
		return -1;
	}
	sim_write_all_back(file_of(fd));
	return 0;
}

int
sim_fstat(int fd, struct stat *st)
{
	if (sim_fails("fstat"))
		return -1;
	st->st_mode = S_IFREG;
	st->st_dev = 1;
	st->st_ino = (ino_t) file_of(fd)->inode;
	st->st_size = (off_t) file_of(fd)->size;
	return 0;
}

void *
sim_mmap(int fd)
{
	if (sim_fails("mmap"))
		return MAP_FAILED;
	sim_process->mapped = file_of(fd);
	sim_process->write_error = false;
	sim_note_mapped(sim_process);
	sim_watch(sim_process);
	return sim_process->mapped->memory;
}

int
sim_munmap(void)
{
	if (sim_watches)
		sim_play_stores();
	sim_process->mapped = NULL;
	sim_watch(sim_process);
	return 0;
}

int
sim_msync(void *address, size_t size)
{
	SimFile    *file = sim_process->mapped;
	bool		fails;

	sim_access(SIM_RARE);
	fails = sim_fails("msync");
	for (size_t page = 0; page * SIM_PAGE < size; page++)
	{
		if (fails)
			drop_page(file, page);
		else
			sim_write_back(file, page);
	}
	if (fails)
		tell_others(file);
	else if (sim_process->write_error)
		sim_process->failed = "msync";
	else
		return 0;
	sim_process->write_error = false;
	if (sim_attached())
		sim_process->server->sync_failed = true;
	errno = EIO;
	return -1;
}

int
sim_unlink(const char *path)
{
	sim_access(SIM_RARE);
	if (sim_fails(NULL))
		return -1;
	sim_process->server->names[name_of(path)] = NULL;
	return 0;
}

/* The folder is the only file synced by name. */
void
sim_fsync_names(void)
{
	SimServer  *server = sim_process->server;

	sim_access(SIM_RARE);
	if (sim_fails("fsync of the folder"))
		sim_raise();
	memcpy(server->names_on_disk, server->names, sizeof(server->names));
}

/* Sync the file, rename it, sync the folder. */
int
sim_durable_rename(const char *from, const char *to)
{
	SimServer  *server = sim_process->server;
	SimName		old = name_of(from);
	SimName		new = name_of(to);

	sim_access(SIM_RARE);
	if (server->names[old] == NULL || sim_fails("fsync"))
		sim_raise();
	sim_write_all_back(server->names[old]);
	sim_access(SIM_RARE);
	if (sim_fails("rename"))
		sim_raise();
	server->names[new] = server->names[old];
	server->names[old] = NULL;
	if (new == SIM_STATE)
		sim_note_made(sim_process);
	sim_fsync_names();
	return 0;
}
