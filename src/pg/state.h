/*
 * state.h
 *		The state file, pg_stat/flakeid.state: data that all processes of a
 *		server share to generate 64-bit ids, kept across restarts.
 *
 * Every process that generates such ids maps the file, and then holds a shared
 * flock on postmaster.pid until it exits.  Creating the file, setting a bad
 * one aside, and folding it for a new postmaster require the exclusive lock,
 * so the records do not change while the file is mapped.  Only a process with
 * the server's own configuration does any of this: see state_worker.c.
 *
 *		header	4096 bytes	records, floors, horizons
 *		words	8 * 64		newest id of each format in server scope
 *		slots	16384 * 64	newest millisecond of the holders of each slot
 *
 * There is room for FLAKEID_STATE_FORMATS formats, so that a version that adds
 * a format can use the same file.  Shared numbers are aligned 64-bit atomics.
 * Floors, horizons and marks are id timestamps in ms since the epoch in
 * effect; words are positions (flake_word).
 */
#ifndef FLAKEID_PG_STATE_H
#define FLAKEID_PG_STATE_H

#include "datatype/timestamp.h"
#include "port/atomics.h"
#include "port/pg_crc32c.h"

#include "format/flake_fold.h"
#include "format/flake_next.h"
#include "pg/settings.h"

#ifdef PG_HAVE_ATOMIC_U64_SIMULATION
#error "flakeid needs native 64-bit atomics"
#endif

#define FLAKEID_STATE_FOLDER	"pg_stat"
#define FLAKEID_STATE_FILE		FLAKEID_STATE_FOLDER "/flakeid.state"
#define FLAKEID_STATE_HEADER	4096
#define FLAKEID_STATE_LINE		64
#define FLAKEID_BOOT_ID_SIZE	40

/* As many as a FLUID can address; test/sim uses fewer. */
#ifndef FLAKEID_STATE_SLOTS
#define FLAKEID_STATE_SLOTS		16384
#endif

/* The writer of a record: the postmaster, or a stand-alone backend itself. */
typedef struct FlakeidIdentity
{
	int64		pid;
	TimestampTz started;
} FlakeidIdentity;

/*
 * Only the fold writes a record, under the exclusive lock: it fills the record
 * that is not current, and then makes it current.  A fold that is killed
 * leaves the old record current, and is repeated.
 */
typedef struct FlakeidRecord
{
	uint32		magic;
	uint32		version;
	uint64		system_identifier;
	char		boot_id[FLAKEID_BOOT_ID_SIZE];	/* all 0: unknown */
	FlakeidConfig in_effect;
	FlakeidIdentity identity;
	uint64		device;			/* of the file that was folded, ... */
	uint64		inode;			/* ... to detect a copy of it */
	uint32		formats;		/* known to the writer */
	pg_crc32c	crc;			/* of all preceding fields */
} FlakeidRecord;

/*
 * Floor and horizons of a format.  The fold and flakeid_raise_floor() only
 * raise floors; only the fold of a reset lowers them.  synced_ms never exceeds
 * horizon_ms: it is a horizon known to be on disk.
 *
 * The counters, written by count.c, are totals of all processes since the
 * server start; the fold sets them to 0.  No id depends on them.
 */
typedef struct FlakeidLimits
{
	pg_atomic_uint64 floor_ms;	/* no id is generated at or below it */
	pg_atomic_uint64 horizon_ms;	/* raised by compare-and-swap */
	pg_atomic_uint64 synced_ms;	/* no id is generated above it */
	pg_atomic_uint64 waits;		/* calls that waited for the clock */
	pg_atomic_uint64 refusals;	/* calls that failed because of it */
	pg_atomic_uint64 steps_back;	/* seen by each process, added up */
	pg_atomic_uint64 longest_wait_us;	/* raised by compare-and-swap */
	uint64		unused;
} FlakeidLimits;

typedef struct FlakeidHeader
{
	union
	{
		FlakeidRecord record;
		char		line[4 * FLAKEID_STATE_LINE];
	}			records[2];
	pg_atomic_uint64 current;	/* index of the current record: stored with
								 * release semantics */
	pg_atomic_uint64 reset;		/* 1: the next fold starts at the clock */
	pg_atomic_uint64 unsynced;	/* 1: a sync failed since the last fold */
	uint64		unused[5];
	FlakeidLimits limits[FLAKEID_STATE_FORMATS];
} FlakeidHeader;

/* Padded to a cache line, since they are written all the time. */
typedef union FlakeidWord
{
	pg_atomic_uint64 word;		/* by compare-and-swap */
	char		line[FLAKEID_STATE_LINE];
} FlakeidWord;

typedef union FlakeidSlot
{
	pg_atomic_uint64 mark_ms[FLAKEID_STATE_FORMATS];	/* written only by the holder */
	char		line[FLAKEID_STATE_LINE];
} FlakeidSlot;

typedef struct FlakeidState
{
	union
	{
		FlakeidHeader header;
		char		page[FLAKEID_STATE_HEADER];
	};
	FlakeidWord words[FLAKEID_STATE_FORMATS];
	FlakeidSlot slots[FLAKEID_STATE_SLOTS];
} FlakeidState;

/* NULL until flakeid_state_open() has mapped a good file. */
extern FlakeidState *flakeid_state;

/* How the fold treats ids ahead of the clock. */
typedef enum FlakeidFoldMode
{
	FLAKEID_FOLD,				/* continue after them */
	FLAKEID_FOLD_OR_RESET		/* reset if that is refused */
} FlakeidFoldMode;

/* Result of an attempt to set up the file. */
typedef enum FlakeidSetUp
{
	FLAKEID_SET_UP_DONE,
	FLAKEID_SET_UP_RESET,		/* ids start at the clock */
	FLAKEID_SET_UP_LOCKED,		/* other processes hold the lock */
	FLAKEID_SET_UP_ELSEWHERE,	/* another session is doing it */
	FLAKEID_SET_UP_NO_WORKER	/* no background worker could be started */
} FlakeidSetUp;

/* Result of a look at the file. */
typedef enum FlakeidFileState
{
	FLAKEID_FILE_GOOD,			/* of this postmaster, mapped */
	FLAKEID_FILE_OTHER,			/* valid, of another postmaster, mapped */
	FLAKEID_FILE_REPLACED,		/* copy of this postmaster's file */
	FLAKEID_FILE_MISSING,
	FLAKEID_FILE_DAMAGED,
	FLAKEID_FILE_FOREIGN		/* of another cluster */
} FlakeidFileState;

/*
 * The messages of a set-up.  They are raised after the lock has been released,
 * since sending them waits for a client that does not read.
 */
typedef struct FlakeidReport
{
	FlakeidFileState set_aside; /* why the file was renamed; GOOD: it was not */
	bool		reset_ignored;	/* the reset was requested for another file */
	bool		reset;			/* ids start at the clock at once, ... */
	uint64		newest_ms[FLAKE_FORMATS];	/* ... not after these */
	bool		has_before;		/* the file was of a previous start, ... */
	FlakeidConfig before;		/* ... and had this configuration */
} FlakeidReport;

/* state_attach.c: attach to the file */
extern void flakeid_state_open(void);
extern bool flakeid_state_open_or_reset(void);
extern const FlakeidConfig *flakeid_config_in_effect(void);
extern FlakeidConfig flakeid_config_for_readers(void);
extern int	flakeid_formats_in_effect(void);
extern void flakeid_check_format(FlakeFormat format);
extern void flakeid_check_state(void);

/* state_worker.c: have a process set up the file */
extern FlakeidSetUp flakeid_have_set_up(FlakeidFoldMode mode);

/* state_set_up.c: the work of that process */
extern FlakeidSetUp flakeid_state_set_up(FlakeidFoldMode mode);

/* state_lock.c: the lock on postmaster.pid */
#define FLAKEID_LOCK_FILE			"postmaster.pid"
#define FLAKEID_LOCK_WAIT_MS		10
#define FLAKEID_LOCK_PATIENCE_MS	1000

extern void flakeid_lock_open(void);
extern bool flakeid_lock_try(int kind);
extern void flakeid_lock_release(void);
extern void flakeid_lock_wait(void);

/* state_file.c: the file on disk */
/* Device and inode of a file. */
typedef struct FlakeidPlace
{
	uint64		device;
	uint64		inode;
} FlakeidPlace;

extern FlakeidFileState flakeid_state_look(FlakeidState **state,
										   FlakeidPlace *place);
extern void flakeid_state_unmap(FlakeidState **state);
extern void flakeid_state_set_aside(void);
extern void flakeid_warn_of_set_aside(FlakeidFileState why);
extern void flakeid_state_make(void);
extern const FlakeidRecord *flakeid_state_record(const FlakeidState *state);
extern FlakeidConfig flakeid_record_config(const FlakeidRecord *record);
extern uint64 flakeid_highest_mark(const FlakeidState *state,
								   FlakeFormat format);
extern bool flakeid_marks_are_sound(const FlakeidState *state,
									uint64 *highest_ms);
extern void flakeid_own_identity(FlakeidIdentity *identity);
extern void flakeid_read_boot_id(char *boot_id);
extern void flakeid_seal_record(FlakeidRecord *record);

/* state_fold.c: rules that change the file */
extern void flakeid_state_fold(FlakeidState *state, const FlakeidPlace *place,
							   const uint64 *marks_ms, FlakeidFoldMode mode,
							   FlakeidReport *report);
extern void flakeid_raise_to(pg_atomic_uint64 *number, uint64 value);
extern void flakeid_raise_horizon(FlakeFormat format, uint64 ms,
								  bool needed);
extern void flakeid_request_reset(void);
extern void flakeid_raise_floors(const uint64 *floors_ms);
extern void flakeid_find_newest(const FlakeidState *state, uint64 *newest_ms);
extern void flakeid_notice_reset(const uint64 *newest_ms,
								 const FlakeidConfig *address, int formats,
								 bool at_once);

/* Release file and lock, also after an error. */
static inline void
flakeid_state_back_out(FlakeidState **state)
{
	flakeid_state_unmap(state);
	flakeid_lock_release();
}

#endif							/* FLAKEID_PG_STATE_H */
