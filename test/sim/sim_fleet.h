/*
 * sim_fleet.h
 *		The simulated fleet: machines, servers, processes and files, the state
 *		that the checks keep, and the events that change it.
 */
#ifndef FLAKEID_SIM_FLEET_H
#define FLAKEID_SIM_FLEET_H

#include "postgres.h"

#include "pg/sequence.h"
#include "pg/state.h"

#define SIM_MAX_SERVERS		1000
#define SIM_MAX_BACKENDS	FLAKEID_STATE_SLOTS
#define SIM_PAGE			4096
#define SIM_PAGES			((sizeof(FlakeidState) + SIM_PAGE - 1) / SIM_PAGE)
#define SIM_COMMITS			4
#define SIM_FILES			4		/* open in a process */
#define SIM_WORKERS			2		/* background workers per server */
#define SIM_MAX_PROCESSES	(SIM_MAX_BACKENDS + SIM_WORKERS)

struct SimProcess;

/* Holders of flock() on a file. */
typedef struct SimLock
{
	struct SimProcess *exclusive;
	int			shared;
} SimLock;

/* Counts of processes for a format */
typedef struct SimCounts
{
	uint64		waits;
	uint64		refusals;
	uint64		steps_back;
	uint64		longest_wait_us;
} SimCounts;

/* A file: its page cache, and its contents after a power loss. */
typedef struct SimFile
{
	unsigned char *memory;
	unsigned char *disk;
	bool		failed[SIM_PAGES];	/* its sync failed, so it counts as written
									 * until it changes */
	bool		has_failed;
	uint64		inode;
	size_t		size;
	size_t		disk_size;
	SimLock		lock;
	SimCounts	counts[FLAKE_FORMATS];	/* sums over its processes ... */
	uint32		counted_start;	/* ... since this start */
	struct SimFile *next;		/* list of all files, to free them */
} SimFile;

/* Names in a data directory. */
typedef enum SimName
{
	SIM_STATE,
	SIM_NEW,
	SIM_DAMAGED,
	SIM_NAMES
} SimName;

typedef struct SimCommit
{
	int64		at_us;			/* by the server's clock */
	int64		epoch_ms[FLAKE_FORMATS];	/* in effect then */
} SimCommit;

/* State of a reset, known from the calls and never from the file */
typedef enum SimReset
{
	SIM_NO_RESET,
	SIM_MAY_RESET,				/* requested; may have returned */
	SIM_MUST_RESET				/* requested and returned */
} SimReset;

/* Limits of a format's ids on a server; all times but clock_ms are of ids. */
typedef struct SimPromise
{
	uint64		base_ms;		/* all ids of this postmaster are above */
	uint64		kept_ms;		/* newest returned one covered by the file */
	uint64		replayed_ms;	/* ... covered by the replayed commit */
	uint64		raised_ms;		/* flakeid_raise_floor() returned */
	uint64		lead_ms;		/* no id is above ... */
	uint64		reset_lead_ms;	/* ... nor, once a reset is done, above */
	uint64		replayed_lead_ms;	/* the replayed commit raises both to it */
	int64		clock_ms;		/* the newest reading, in ms since the epoch */
	int64		reset_ms;		/* lowest reading while a reset is pending */
	uint64		newest;			/* the greatest id that a call returned */
	uint64		forgotten;		/* number of times ids were forgotten */
} SimPromise;

typedef struct SimServer
{
	/* the machine */
	int64		clock_offset_us;
	int64		drift_ppm;
	int64		not_before_us;	/* the clock is never set back below */
	uint64		boot_id;		/* 0: the kernel has none */
	bool		rebooted;		/* since it last started */

	/* the data directory */
	SimFile    *names[SIM_NAMES];
	SimFile    *names_on_disk[SIM_NAMES];
	FlakeidConfig configured;
	uint32		backends;		/* as configured */
	bool		preloaded;		/* library in shared_preload_libraries */
	bool		lost;			/* the file was removed or torn */
	bool		epoch_refused;	/* since the last start */
	bool		sync_failed;	/* of the file in use */
	SimReset	requested;		/* for the next start */
	bool		reset_on_disk;	/* a completed reset may still be there */

	/* a copy of the file, put in its place */
	bool		copied;			/* and not in use yet */
	bool		copy_counts;	/* it will be folded, not yet handled */
	uint32		copy_starts;	/* the start that folded it; 0: none */
	uint64		copy_kept_ms[FLAKE_FORMATS];
	uint64		copy_lead_ms[FLAKE_FORMATS];
	int64		copy_epoch_ms[FLAKE_FORMATS];

	/* a base backup of it */
	SimFile    *backup;
	const SimFile *backup_of;
	uint64		backup_inode;
	uint32		backup_starts;
	uint64		backup_kept_ms[FLAKE_FORMATS];
	uint64		backup_lead_ms[FLAKE_FORMATS];
	int64		backup_epoch_ms[FLAKE_FORMATS];
	SimReset	backup_requested;
	SimReset	ignored;		/* of a backup, by this start's fold */
	SimCommit	commits[SIM_COMMITS];	/* the newest last */

	/* the postmaster */
	bool		running;
	bool		settled;		/* a process has mapped a folded file */
	SimReset	resetting;		/* by this start's fold */
	int64		started;
	uint32		starts;
	TimestampTz replayed;		/* 0: nothing */
	int64		replayed_epoch_ms[FLAKE_FORMATS];
	uint32		slots;			/* maximum of backends */
	uint32		live_backends;
	FlakeidConfig in_effect;
	int64		oldest_epoch_ms[FLAKE_FORMATS]; /* the file may contain */
	int64		oldest_on_disk_ms[FLAKE_FORMATS];
	struct SimProcess *processes[SIM_MAX_PROCESSES];	/* workers last */
	struct SimProcess *elected; /* may have a worker started */
	SimLock		lock;			/* on its postmaster.pid */

	SimPromise	promises[FLAKE_FORMATS];
} SimServer;

/* Calls that a process can make. */
typedef enum SimWhat
{
	SIM_MAKE_FLUID,
	SIM_MAKE_NANOFLAKE,
	SIM_MAKE_ULIDFLAKE,
	SIM_MAKE_SCALABLE,
	SIM_STATUS,
	SIM_RAISE,
	SIM_RESET
} SimWhat;

typedef enum SimKind
{
	SIM_CALL,					/* continue a call, or begin one */
	SIM_KILL,					/* a backend */
	SIM_KILL_ALL,				/* all of a server; the postmaster stays */
	SIM_TICK,					/* time passes */
	SIM_CLOCK,					/* a clock is set */
	SIM_STOP,					/* a server is stopped or killed */
	SIM_START,					/* and started */
	SIM_REBOOT,
	SIM_POWER,					/* is lost */
	SIM_WRITE_BACK,				/* the kernel writes a page */
	SIM_DELETE,					/* the state file */
	SIM_TEAR,
	SIM_COPY,					/* a copy of the file replaces it */
	SIM_RELOAD,					/* other settings */
	SIM_COMMIT,
	SIM_BACKUP,
	SIM_PROMOTE,				/* a standby takes over */
	SIM_RENUMBER,				/* the fleet gets other node bits */
	SIM_PROBE,					/* a healthy server must complete a call */
	SIM_KINDS
} SimKind;

typedef struct SimEvent
{
	SimKind		kind;
	SimWhat		what;
	uint32		server;
	uint32		slot;
	bool		from_last;		/* count slots from the last one */
	bool		is_worker;		/* slot is that of a worker */
	uint32		ids;
	uint32		patience;		/* waits before the call times out */
	uint32		turns;			/* additional ones, if it waits */
	uint64		accesses;		/* run for this many; 0: to the end */
	SimAccess	counts;			/* of this kind */
	uint32		fails_at;		/* nth system call that may fail; 0: none */
	uint32		fails;			/* number of failures in a row */
	int64		amount;
	uint64		random;
} SimEvent;

/* System calls that are still to fail. */
typedef struct SimFailing
{
	uint32		fails_at;
	uint32		fails;
} SimFailing;

typedef struct SimProcess
{
	SimServer  *server;
	uint32		slot;
	FlakeidConfig own_settings;	/* of the session */

	/* a session and the worker that it started, while both exist */
	bool		is_worker;
	struct SimProcess *partner;
	FlakeidFoldMode mode;		/* task of the worker ... */
	FlakeidSetUp result;		/* ... and its result ... */
	bool		relayed;		/* ... or whether it raised an error */

	/* the globals in its memory while another process runs */
	FlakeidGenerator generators[FLAKE_FORMATS];
	FlakeidState *state;
	int			lock_fd;
	FlakeidRecord attached;

	SimLock    *locked;			/* NULL: nothing */
	SimLock    *lock;			/* lock of lock_fd */
	SimFile    *files[SIM_FILES];	/* open */
	uint32		external_fds;
	SimFile    *mapped;
	const char *failed;			/* system call that failed in this call */
	bool		write_error;	/* reported by its next sync */
	bool		knows_address;	/* and it was correct */
	pg_crc32c	sum;			/* of the file, before its fold */

	/* its call, if it is in one */
	struct SimStack *stack;
	SimEvent	call;
	uint64		random;
	uint32		patience;
	int64		latest_us;		/* its newest reading of the clock */
	uint64		bound;			/* the call's id must be greater */
	uint64		raised_ms;
	uint64		forgotten;
	int64		highest_us;		/* and its highest for this id */
	FlakePosition position;		/* before this id */
	int64		waited_at_us;	/* clock when it last waited */
	uint32		vain_waits;
	uint64		floor_ms[FLAKE_FORMATS];	/* raised before it attached */
	uint64		floor_forgotten[FLAKE_FORMATS];
	uint64		newest[FLAKE_FORMATS];	/* of its ids */
	bool		was_refused;	/* its last call failed */
	SimCounts	counts[FLAKE_FORMATS];	/* included in its file's */
} SimProcess;

/* The fleet */
typedef struct SimFleet
{
	uint64		seed;
	uint32		servers;
	uint32		backends;
	uint32		node_bits;
	uint32		hot_slots;		/* most events use this few */
	bool		last_slots;		/* ... the last ones */
	uint32		thousandths_of_faults;
	uint32		thousandths_of_scenes;
	uint32		hundredths_of_failures; /* of the system, in calls */
	uint32		hundredths_of_admin;	/* calls that raise or reset */
	unsigned	count_bits;		/* 2^this ids per ms, evenly spread */
	unsigned	step_bits;		/* Ulid-Flake's */
	bool		renumbered;		/* so epochs only move back */
	int64		time_us;
	SimServer  *server;
	SimFile    *files;
	uint64		inodes;
	bool		drops_failed_pages; /* as Linux does */
	uint64		ids;
	uint64		refused;
	const char *failed;			/* the message's format; NULL: nothing yet */
	char		failure[512];
} SimFleet;

#endif							/* FLAKEID_SIM_FLEET_H */
