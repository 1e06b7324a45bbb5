/*
 * state_file.c
 *		The state file on disk: create it, inspect it, set it aside.
 *
 * The callers hold the lock.
 */
#include "postgres.h"

#include "pg/compat.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "access/xlog.h"
#include "common/file_perm.h"
#include "miscadmin.h"
#include "storage/fd.h"
#include "utils/timestamp.h"

#include "pg/clock.h"
#include "pg/state.h"

#define STATE_FILE_NEW		FLAKEID_STATE_FILE ".new"
#define STATE_FILE_DAMAGED	FLAKEID_STATE_FILE ".damaged"
#define STATE_MAGIC			0x464c4b53
#define STATE_VERSION		2

StaticAssertDecl(sizeof(FlakeidRecord) <= 4 * FLAKEID_STATE_LINE,
				 "a record fits its lines");
StaticAssertDecl(sizeof(FlakeidHeader) <= FLAKEID_STATE_HEADER,
				 "the header fits its page");
StaticAssertDecl(sizeof(FlakeidState) == FLAKEID_STATE_HEADER +
				 (FLAKEID_STATE_FORMATS + FLAKEID_STATE_SLOTS) *
				 FLAKEID_STATE_LINE,
				 "the file has no gaps");
StaticAssertDecl((int) FLAKE_FORMATS <= FLAKEID_STATE_FORMATS,
				 "every format has its place");

/* The postmaster of this process, or a stand-alone backend itself. */
void
flakeid_own_identity(FlakeidIdentity *identity)
{
	identity->pid = IsUnderPostmaster ? PostmasterPid : MyProcPid;
	identity->started = PgStartTime;
}

/*
 * The kernel's id of the current boot; all 0 if unavailable, in which case
 * every server start counts as another boot.
 */
void
flakeid_read_boot_id(char *boot_id)
{
	int			fd = OpenTransientFile("/proc/sys/kernel/random/boot_id",
									   O_RDONLY | PG_BINARY);

	memset(boot_id, 0, FLAKEID_BOOT_ID_SIZE);
	if (fd < 0)
		return;
	if (read(fd, boot_id, FLAKEID_BOOT_ID_SIZE) < 0)
		memset(boot_id, 0, FLAKEID_BOOT_ID_SIZE);
	CloseTransientFile(fd);
}

static pg_crc32c
record_crc(const FlakeidRecord *record)
{
	pg_crc32c	crc;

	INIT_CRC32C(crc);
	COMP_CRC32C(crc, record, offsetof(FlakeidRecord, crc));
	FIN_CRC32C(crc);
	return crc;
}

/* Fill in the fixed fields and the checksum. */
void
flakeid_seal_record(FlakeidRecord *record)
{
	record->magic = STATE_MAGIC;
	record->version = STATE_VERSION;
	record->system_identifier = GetSystemIdentifier();
	record->formats = FLAKE_FORMATS;
	record->crc = record_crc(record);
}

/* The current record. */
const FlakeidRecord *
flakeid_state_record(const FlakeidState *state)
{
	/* pg_atomic_read_u64() takes no const pointer. */
	FlakeidHeader *header = unconstify(FlakeidHeader *, &state->header);
	uint64		current = pg_atomic_read_u64(&header->current);

	/* Read the index before the record: pairs with the release in the fold. */
	pg_read_barrier();
	return &header->records[current & 1].record;
}

/*
 * The configuration in a record.  An older library wrote no epochs for formats
 * that it did not know; they are those of the settings.
 */
FlakeidConfig
flakeid_record_config(const FlakeidRecord *record)
{
	FlakeidConfig result = record->in_effect;
	FlakeidConfig configured;

	flakeid_configured(&configured);
	for (int format = (int) record->formats; format < FLAKE_FORMATS; format++)
		result.epoch_ms[format] = configured.epoch_ms[format];
	return result;
}

static bool
header_is_sound(FlakeidState *state)
{
	FlakeidHeader *header = &state->header;
	const FlakeidRecord *record = flakeid_state_record(state);

	if (pg_atomic_read_u64(&header->current) > 1 ||
		pg_atomic_read_u64(&header->reset) > 1 ||
		pg_atomic_read_u64(&header->unsynced) > 1 ||
		record->magic != STATE_MAGIC || record->version != STATE_VERSION ||
		record->crc != record_crc(record))
		return false;
	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		const FlakeLayout *layout = &flake_layouts[format];
		FlakeidLimits *limits = &header->limits[format];

		if (!flake_is_sound(layout, pg_atomic_read_u64(&limits->floor_ms)) ||
			!flake_word_is_sound(layout,
								 pg_atomic_read_u64(&state->words[format].word)))
			return false;
	}
	return true;
}

/* Newest mark of a format over all slots. */
uint64
flakeid_highest_mark(const FlakeidState *state, FlakeFormat format)
{
	uint64		highest = 0;

	if (format == FLAKE_ULIDFLAKE)
		return 0;
	for (int slot = 0; slot < FLAKEID_STATE_SLOTS; slot++)
	{
		FlakeidSlot *line = unconstify(FlakeidSlot *, &state->slots[slot]);

		highest = Max(highest, pg_atomic_read_u64(&line->mark_ms[format]));
	}
	return highest;
}

/* Newest mark of each format; false if one is outside its field. */
bool
flakeid_marks_are_sound(const FlakeidState *state, uint64 *highest_ms)
{
	bool		sound = true;

	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		highest_ms[format] = flakeid_highest_mark(state, format);
		sound &= flake_is_sound(&flake_layouts[format], highest_ms[format]);
	}
	return sound;
}

void
flakeid_state_unmap(FlakeidState **state)
{
	if (*state != NULL)
		munmap(*state, sizeof(FlakeidState));
	*state = NULL;
}

/* Map the file into *state if it has the correct size. */
static FlakeidFileState
map_file(FlakeidState **state, FlakeidPlace *place)
{
	int			fd = OpenTransientFile(FLAKEID_STATE_FILE, O_RDWR | PG_BINARY);
	struct stat st;
	void	   *address;

	if (fd < 0 && errno == ENOENT)
		return FLAKEID_FILE_MISSING;
	if (fd < 0)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not open file \"%s\": %m", FLAKEID_STATE_FILE)));
	if (fstat(fd, &st) != 0)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not stat file \"%s\": %m", FLAKEID_STATE_FILE)));
	if (!S_ISREG(st.st_mode) || st.st_size != sizeof(FlakeidState))
	{
		CloseTransientFile(fd);
		return FLAKEID_FILE_DAMAGED;
	}
	address = mmap(NULL, sizeof(FlakeidState), PROT_READ | PROT_WRITE,
				   MAP_SHARED, fd, 0);
	if (address == MAP_FAILED)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not map file \"%s\": %m", FLAKEID_STATE_FILE)));
	CloseTransientFile(fd);
	*state = address;
	place->device = (uint64) st.st_dev;
	place->inode = (uint64) st.st_ino;
	return FLAKEID_FILE_GOOD;
}

/* Classify a mapped file. */
static FlakeidFileState
look_at(FlakeidState *state, const FlakeidPlace *place)
{
	const FlakeidRecord *record = flakeid_state_record(state);
	FlakeidIdentity own;

	flakeid_own_identity(&own);
	if (!header_is_sound(state))
		return FLAKEID_FILE_DAMAGED;
	if (record->system_identifier != GetSystemIdentifier())
		return FLAKEID_FILE_FOREIGN;
	if (record->identity.pid != own.pid ||
		record->identity.started != own.started)
		return FLAKEID_FILE_OTHER;
	if (record->device != place->device || record->inode != place->inode)
		return FLAKEID_FILE_REPLACED;
	return FLAKEID_FILE_GOOD;
}

/*
 * Inspect the file, and map it into *state if it is usable.  The fold checks
 * the marks, since it reads all of them anyway.
 */
FlakeidFileState
flakeid_state_look(FlakeidState **state, FlakeidPlace *place)
{
	FlakeidFileState look;

	flakeid_state_unmap(state);
	look = map_file(state, place);
	if (look == FLAKEID_FILE_GOOD)
		look = look_at(*state, place);
	if (look != FLAKEID_FILE_GOOD && look != FLAKEID_FILE_OTHER)
		flakeid_state_unmap(state);
	return look;
}

/* Rename an unusable file, replacing an earlier one. */
void
flakeid_state_set_aside(void)
{
	(void) durable_rename(FLAKEID_STATE_FILE, STATE_FILE_DAMAGED, ERROR);
}

void
flakeid_warn_of_set_aside(FlakeidFileState why)
{
	ereport(WARNING,
			(why == FLAKEID_FILE_FOREIGN ?
			 errmsg("state file \"%s\" belongs to another database cluster",
					FLAKEID_STATE_FILE) :
			 errmsg("state file \"%s\" is damaged", FLAKEID_STATE_FILE),
			 errdetail("The file was renamed to \"%s\", and a new one starts at the current time.",
					   STATE_FILE_DAMAGED),
			 errhint("If the clock was ever set back, raise the floor to the newest existing id: SELECT flakeid_raise_floor(fluid_to_timestamptz(max(id))) FROM ...")));
}

/* Blank file: floors at the clock; no identity, so that it is folded next. */
static FlakeidState *
blank_state(void)
{
	FlakeidState *state = palloc0(sizeof(FlakeidState));
	FlakeidRecord *record = &state->header.records[0].record;
	FlakeInstant now = flakeid_clock_now();

	flakeid_configured(&record->in_effect);
	flakeid_read_boot_id(record->boot_id);
	flakeid_seal_record(record);
	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		uint64		floor_ms = flake_ms_clamped(&flake_layouts[format], now,
												record->in_effect.epoch_ms[format]);
		FlakeidLimits *limits = &state->header.limits[format];

		pg_atomic_init_u64(&limits->floor_ms, floor_ms);
		pg_atomic_init_u64(&limits->horizon_ms, floor_ms);
		pg_atomic_init_u64(&limits->synced_ms, floor_ms);
	}
	return state;
}

static void
write_out(int fd, const FlakeidState *state)
{
	const char *bytes = (const char *) state;
	size_t		done = 0;

	while (done < sizeof(FlakeidState))
	{
		ssize_t		n;

		errno = 0;
		n = write(fd, bytes + done, sizeof(FlakeidState) - done);
		if (n <= 0)
		{
			/* A short write without an errno means that the disk is full. */
			if (errno == 0)
				errno = ENOSPC;
			ereport(ERROR,
					(errcode_for_file_access(),
					 errmsg("could not write file \"%s\": %m", STATE_FILE_NEW)));
		}
		done += n;
	}
}

/*
 * Create the file: write it in full, so that a full disk raises an error now
 * and not a bus error later; sync it; and rename it into place.
 */
void
flakeid_state_make(void)
{
	FlakeidState *state = blank_state();
	int			fd = OpenTransientFilePerm(STATE_FILE_NEW,
										   O_RDWR | O_CREAT | O_TRUNC | PG_BINARY,
										   pg_file_create_mode);

	if (fd < 0)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not create file \"%s\": %m", STATE_FILE_NEW)));
	PG_TRY();
	{
		write_out(fd, state);
		if (pg_fsync(fd) != 0)
			ereport(ERROR,
					(errcode_for_file_access(),
					 errmsg("could not fsync file \"%s\": %m", STATE_FILE_NEW)));
	}
	PG_CATCH();
	{
		(void) unlink(STATE_FILE_NEW);
		PG_RE_THROW();
	}
	PG_END_TRY();
	CloseTransientFile(fd);
	(void) durable_rename(STATE_FILE_NEW, FLAKEID_STATE_FILE, ERROR);
	pfree(state);
}
