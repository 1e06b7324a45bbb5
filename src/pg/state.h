/*
 * state.h
 *		The state file, pg_stat/flakeid.state: what all processes of a server
 *		share to make 64-bit ids, and what outlives them.
 *
 * It is mapped into every process that makes such ids.  A process that has it
 * mapped holds a shared flock on postmaster.pid until it exits; only a process
 * that holds that lock exclusively makes the file, sets a bad one aside, or
 * folds it for a new postmaster.  So a process that maps it sees the same
 * records until it exits.  Only a process that has the server's own
 * configuration does any of this: see state_worker.c.
 *
 *		header	4096 bytes	records, floors, horizons
 *		words	8 * 64		newest id of each format in server scope
 *		slots	16384 * 64	newest millisecond of each slot's holders
 *
 * There are places for FLAKEID_STATE_FORMATS formats, so that a version with
 * one more keeps the file.  Every shared number is an atomic of 64 bits,
 * aligned.  Marks, words, floors and horizons are id timestamps in ms since the
 * epoch in force.
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

/* All that a FLUID can address; the simulation of test/sim has fewer. */
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
 * Written by the fold alone, under the exclusive lock, into the record that is
 * not current; then that one is made current.  So a fold that was killed
 * leaves the old record, and is simply done again.
 */
typedef struct FlakeidRecord
{
	uint32		magic;
	uint32		version;
	uint64		system_identifier;
	char		boot_id[FLAKEID_BOOT_ID_SIZE];	/* all 0: not known */
	FlakeidConfig in_force;
	FlakeidIdentity identity;
	uint64		device;			/* of the file that was folded, ... */
	uint64		inode;			/* ... so that a copy of it is known as one */
	uint32		formats;		/* that the writer knew */
	pg_crc32c	crc;			/* of all before it */
} FlakeidRecord;

/*
 * A format's floors and horizons.  Floors only rise (fold, raise), but for a
 * reset, by the fold.  allowed is never above horizon: it is a horizon that is
 * known to be on disk.
 *
 * The counters are those of all processes since the server's start, which
 * count.c writes; the fold begins them at 0.  No id depends on them.
 */
typedef struct FlakeidLimits
{
	pg_atomic_uint64 floor_ms;	/* nobody makes an id at or below it */
	pg_atomic_uint64 horizon_ms;	/* raised by compare-and-swap */
	pg_atomic_uint64 synced_ms;	/* nobody makes an id above it */
	pg_atomic_uint64 waits;		/* calls that waited for the clock */
	pg_atomic_uint64 refusals;	/* calls that ended in an error by it */
	pg_atomic_uint64 steps_back;	/* that processes saw, each its own */
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
	pg_atomic_uint64 current;	/* which record counts: stored with release */
	pg_atomic_uint64 reset;		/* 1: the next fold begins at the clock */
	pg_atomic_uint64 unsynced;	/* 1: a sync failed since the last fold */
	uint64		unused[5];
	FlakeidLimits limits[FLAKEID_STATE_FORMATS];
} FlakeidHeader;

/* One cache line each, whatever the platform's: they are written all the time. */
typedef union FlakeidWord
{
	pg_atomic_uint64 word;		/* by compare-and-swap */
	char		line[FLAKEID_STATE_LINE];
} FlakeidWord;

typedef union FlakeidSlot
{
	pg_atomic_uint64 mark_ms[FLAKEID_STATE_FORMATS];	/* by the holder alone */
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

/* NULL until flakeid_state_open() has mapped a file that is good. */
extern FlakeidState *flakeid_state;

/* What the fold does about ids that lie ahead of the clock. */
typedef enum FlakeidFoldMode
{
	FLAKEID_FOLD,				/* begin after them */
	FLAKEID_FOLD_OR_RESET		/* where that is refused, as if reset */
} FlakeidFoldMode;

/* What came of an attempt to set up the file. */
typedef enum FlakeidSetUp
{
	FLAKEID_SET_UP_DONE,
	FLAKEID_SET_UP_RESET,		/* ids begin at the clock */
	FLAKEID_SET_UP_LOCKED,		/* other processes hold the lock */
	FLAKEID_SET_UP_ELSEWHERE,	/* another session sees to it */
	FLAKEID_SET_UP_NO_WORKER	/* no background worker could be started */
} FlakeidSetUp;

/* state_attach.c: attach to the file */
extern void flakeid_state_open(void);
extern bool flakeid_state_open_or_reset(void);
extern const FlakeidConfig *flakeid_config_in_force(void);
extern FlakeidConfig flakeid_config_for_readers(void);
extern int	flakeid_formats_in_force(void);
extern void flakeid_check_format(FlakeFormat format);
extern void flakeid_check_state(void);

/* state_worker.c: a process that may set up the file */
extern FlakeidSetUp flakeid_have_set_up(FlakeidFoldMode mode);

/* state_set_up.c: what that process does */
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
typedef enum FlakeidFileState
{
	FLAKEID_FILE_GOOD,			/* this postmaster's, mapped */
	FLAKEID_FILE_OTHER,			/* sound, of another postmaster, mapped */
	FLAKEID_FILE_REPLACED,		/* a copy of this postmaster's */
	FLAKEID_FILE_MISSING,
	FLAKEID_FILE_DAMAGED,
	FLAKEID_FILE_FOREIGN		/* of another cluster */
} FlakeidFileState;

/* Device and inode of a file. */
typedef struct FlakeidPlace
{
	uint64		device;
	uint64		inode;
} FlakeidPlace;

extern FlakeidFileState flakeid_state_look(FlakeidState **state,
										   FlakeidPlace *place);
extern void flakeid_state_unmap(FlakeidState **state);
extern void flakeid_state_set_aside(FlakeidFileState why);
extern void flakeid_state_make(void);
extern const FlakeidRecord *flakeid_state_record(const FlakeidState *state);
extern uint64 flakeid_highest_mark(const FlakeidState *state,
								   FlakeFormat format);
extern bool flakeid_marks_are_sound(const FlakeidState *state,
									uint64 *highest_ms);
extern void flakeid_own_identity(FlakeidIdentity *identity);
extern void flakeid_read_boot_id(char *boot_id);
extern void flakeid_seal_record(FlakeidRecord *record);

/* state_fold.c: the rules that change it */
extern FlakeidSetUp flakeid_state_fold(FlakeidState *state,
									   const FlakeidPlace *place,
									   const uint64 *marks_ms,
									   FlakeidFoldMode mode);
extern void flakeid_raise_to(pg_atomic_uint64 *number, uint64 value);
extern void flakeid_raise_horizon(FlakeFormat format, uint64 ms,
								  bool needed);
extern void flakeid_request_reset(void);
extern void flakeid_raise_floors(const uint64 *floors_ms);
extern void flakeid_notice_reset(const FlakeidState *state,
								 const FlakeidConfig *address, int formats,
								 bool at_once);

/* Give back file and lock, also after an error. */
static inline void
flakeid_state_back_out(FlakeidState **state)
{
	flakeid_state_unmap(state);
	flakeid_lock_release();
}

#endif							/* FLAKEID_PG_STATE_H */
