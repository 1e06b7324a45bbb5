/*
 * sim.h
 *		Declarations shared by the files of the simulation.
 */
#ifndef FLAKEID_SIM_H
#define FLAKEID_SIM_H

#include <stdarg.h>

#include "postgres.h"

#include "pg/compat.h"

#include "format/flake.h"

/* What each process reads from the clock, to count steps back */
extern bool sim_step_in_ms(const FlakeIncrement *increment, int64 now_ms,
						   FlakeClockHistory *history, FlakePosition *position);

#define flake_step_in_ms	sim_step_in_ms
#include "pg/generate.h"
#include "pg/horizon.h"
#include "pg/settings.h"
#include "pg/sql.h"
#include "pg/state.h"

#define SIM_BACKENDS	6
#define SIM_DATABASES	3
#define SIM_STANDBYS	3
#define SIM_FILES		64		/* of sequences, in a world */
#define SIM_ACCESS_BITS	7		/* of the accesses of an interrupted call */

/* Shared numbers that are in use: start, formats, words, marks */
#define SIM_LIMITS		6
#define SIM_NUMBERS \
	(1 + FLAKE_FORMATS * (SIM_LIMITS + 1 + SIM_BACKENDS))

/* What a process has seen: per number, how many values it has had. */
typedef struct SimView
{
	uint32		at[SIM_NUMBERS];
} SimView;

typedef struct SimMemory SimMemory;
typedef struct SimProcess SimProcess;

/* The page of a sequence; the server's own, then what only we know. */
typedef struct SimPage
{
	XLogRecPtr	lsn;
	uint32		special;
	HeapTupleHeaderData header;
	FormData_pg_sequence_data row;
	bool		foreign;		/* last written by another hand */
	bool		lowered;		/* by another hand, and not yet mended */
	int64		epoch_ms;		/* of the last hand of ours */
	uint32		reset_start;	/* in which a reset was requested, or 0 */
	TimeLineID	reset_timeline;
	uint64		reset_last_ms;	/* up to which it lets ids be repeated */
	XLogRecPtr	admin_lsn;		/* last written by an administrator's call */
} SimPage;

typedef struct SimSequence
{
	Oid			oid;
	uint16		file;
	bool		unlogged;
} SimSequence;

/* A database as its catalog has it. */
typedef struct SimDatabase
{
	bool		exists;
	bool		has_extension;
	uint32		identity;		/* whose ids must differ */
	uint32		dropped_in;		/* start in which the extension was dropped */
	XLogRecPtr	commit;			/* of this entry */
	SimSequence sequences[FLAKE_FORMATS];
} SimDatabase;

/* Everything that WAL can restore, as of a position. */
typedef struct SimSite
{
	XLogRecPtr	lsn;
	SimDatabase databases[SIM_DATABASES];
	SimPage		pages[SIM_FILES];
} SimSite;

typedef enum SimRecordKind
{
	SIM_RECORD_PAGE,			/* of generic WAL: only if newer than the page */
	SIM_RECORD_SEQUENCE,		/* of the server: sets the page */
	SIM_RECORD_CATALOG
} SimRecordKind;

typedef struct SimRecord
{
	SimRecordKind kind;
	uint16		number;			/* file, or database */
	bool		partial;		/* only the bytes of the mask */
	uint64		mask[2];		/* of last_value and log_cnt */
	bool		continues;		/* the next one is of the same record */
	SimPage		page;
	SimDatabase database;
} SimRecord;

typedef struct SimFile
{
	uint64		covered_ms;		/* greatest flushed horizon */
	SimPage		initial;		/* of an unlogged sequence, after a crash */
	bool		unlogged;
	SimProcess *exclusive;		/* holder of the buffer lock */
	uint32		shared;
	SimView		view;
} SimFile;

/* Ids that a reset lets be generated again, as its warning has them */
typedef struct SimNamed
{
	uint64		first_ms;
	uint64		last_ms;		/* 0: none */
} SimNamed;

/* Heavyweight lock of a sequence */
typedef struct SimLock
{
	SimProcess *exclusive;		/* ALTER SEQUENCE, until its end */
	uint32		holders;
	SimView		view;
} SimLock;

/* Generic WAL: up to one page of each format */
struct SimGenericRecord
{
	bool		logged;
	uint32		n;
	struct
	{
		FlakeFormat format;
		uint16		file;
		bool		full;
		SimPage		page;
	}			parts[FLAKE_FORMATS];
};

/* A lock of a relation that a call holds */
typedef struct SimHeld
{
	SimLock    *lock;			/* NULL: none */
	LOCKMODE	lockmode;
	bool		kept;			/* closed, but locked until the call ends */
} SimHeld;

#define SIM_HELD	(4 * FLAKE_FORMATS)

typedef enum SimWhat
{
	SIM_MAKE,
	SIM_RAISE,
	SIM_RESET,
	SIM_CANCEL,
	SIM_ALTER,					/* begins a transaction ... */
	SIM_COMMIT, SIM_ROLLBACK,	/* ... that these end */
	SIM_CREATE					/* the extension */
} SimWhat;

typedef struct SimCall
{
	SimWhat		what;
	FlakeFormat format;
	uint32		ids;
	bool		scalable;
	int64		ts_us;			/* of RAISE */
	uint64		begun_after[FLAKE_FORMATS]; /* greatest id when it began */
	uint64		floor_ms[FLAKE_FORMATS];	/* that its client knows of */
	uint64		canceled_ms[FLAKE_FORMATS]; /* likewise */
} SimCall;

/* What a call of an administrator has done */
typedef struct SimAdmin
{
	bool		floor_raised;
	uint64		floor_ms[FLAKE_FORMATS];	/* that it asks for */
	XLogRecPtr	lsn;			/* to be flushed before it returns */
	bool		has_xid;		/* its commit waits for standbys, ... */
	XLogRecPtr	record_end;		/* ... up to here */
	bool		canceled;		/* before it could write */
	bool		warned;			/* that it is in effect, although canceled */
} SimAdmin;

struct SimProcess
{
	uint32		slot;
	uint32		database;
	struct SimStack *stack;		/* of the call, NULL between two */
	jmp_buf    *handler;
	SimCall		call;
	bool		failed;

	/* the globals of the extension */
	FlakeidState *state;
	FlakeidGenerator generators[FLAKE_FORMATS];
	int			max_wait;
	void		(*callback) (Datum, Oid);

	/* memory order: seen, would see after a barrier, published */
	SimView		current;
	SimView		acquired;
	SimView		released;
	int64		fence_us;		/* clock at the last barrier, or reading */
	int64		word_read_us;	/* clock when the word or mark was read */
	bool		looked;			/* at the clock, since it waited */
	uint64		flush_ms;		/* that its last flush took */
	int64		flush_begun_us;
	uint64		written_ms[FLAKE_FORMATS];	/* its last horizons */
	bool		latch_is_set;	/* a wait would end at once */

	/* locks and buffers */
	SimHeld		held[SIM_HELD];
	SimFile    *buffers[FLAKE_FORMATS];
	bool		has_memory_lock;
	uint32		segments;		/* detached at the end of the transaction */
	struct SimGenericRecord record[2];
	bool		cancel_pending;
	int			holdoff;		/* of interrupts */
	uint32		messages;		/* invalidations that it has processed */

	/* DDL that is not yet committed */
	bool		in_ddl;
	SimDatabase own;
	uint32		first_id;		/* number of ids when it began */

	/* for checks */
	int64		wakes_us;
	int64		slept_us;		/* in this call, for its id */
	uint32		sleeps;
	int64		monotonic_us;	/* last reading of this clock */
	bool		has_slept;		/* since then */
	uint64		floor_ms[FLAKE_FORMATS];	/* raised before its first id */
	SimNamed	named[FLAKE_FORMATS];	/* by the warnings of its reset */
	uint32		records;		/* of horizons, that the call has written */
	int64		lowest_us;		/* reading of the clock in this call */
	SimPage		pages[FLAKE_FORMATS];	/* as they were when locked ... */
	bool		has_page[FLAKE_FORMATS];	/* ... in this call */
	SimAdmin	admin;
	bool		forces_commit;	/* to be flushed */
	uint64		newest[FLAKE_FORMATS];
	bool		has_read[FLAKE_FORMATS];	/* the clock, for a slow step */
	int64		read_ms[FLAKE_FORMATS];
};

/* What our counters must be. */
typedef struct SimCounts
{
	uint64		waits;
	uint64		refusals;
	uint64		steps_back;
} SimCounts;

typedef struct SimMessage
{
	uint32		database;
	Oid			oid;
} SimMessage;

#define SIM_MESSAGES	128

/* The server that runs now. */
typedef struct SimServer
{
	uint32		start;			/* number of this start, in the world */
	TimeLineID	timeline;
	FlakeidConfig config;
	bool		preloaded;
	uint32		backends;
	int64		clock_offset_us;	/* to sim_world.now_us */
	int64		lowest_clock_us;	/* since the start */
	SimMemory  *memory[SIM_BACKENDS + 1];
	uint32		memories;
	FlakeidState *inherited;	/* by processes of a preloaded library */
	bool		has_pinned;		/* a segment that stays until the server stops */
	uint64		handle[2];		/* spare room of the main shared memory */
	bool		has_handle;
	bool		other_version;	/* of the extension has written the handle */
	SimProcess *memory_locked;	/* AddinShmemInitLock */
	SimView		memory_view;
	SimView		client_view;
	SimView		slot_views[SIM_BACKENDS];
	SimLock		locks[SIM_DATABASES][FLAKE_FORMATS];
	SimProcess *ddl[SIM_DATABASES];
	SimProcess *processes[SIM_BACKENDS];
	SimMessage	messages[SIM_MESSAGES];
	uint32		n_messages;
	bool		folded[SIM_DATABASES][FLAKE_FORMATS];
	bool		touched[SIM_DATABASES]; /* by a call */
	bool		raises;			/* somebody raises or resets floors */
	bool		resets;			/* somebody asks for a reset */
	uint64		lead_ms;		/* greatest one after a slow flush */
	uint64		floor_ms[FLAKE_FORMATS];	/* of a raise that returned */
	uint64		canceled_ms[SIM_DATABASES][FLAKE_FORMATS];	/* horizons of resets */
	uint64		newest[FLAKE_FORMATS];	/* greatest id that was returned */
	uint64		reach_ms[FLAKE_FORMATS];	/* ids may get this far */
	uint64		horizon_ms[FLAKE_FORMATS];	/* horizons are so far */
	int64		highest_clock_ms[FLAKE_FORMATS];
	SimCounts	counts[FLAKE_FORMATS];
} SimServer;

typedef struct SimStandby
{
	bool		exists;
	XLogRecPtr	consistent;		/* can be promoted from here on */
	SimSite		site;
} SimStandby;

typedef struct SimWorld
{
	int64		now_us;
	SimServer	server;
	SimSite		buffers;
	SimSite		disk;			/* its lsn: where recovery begins */
	SimRecord  *wal;
	uint32		wal_size;
	XLogRecPtr	inserted;
	XLogRecPtr	flushed;
	SimFile		files[SIM_FILES];
	uint32		n_files;
	SimStandby	standbys[SIM_STANDBYS];
	Oid			next_oid;
	uint32		next_identity;
	TimeLineID	next_timeline;
	uint32		starts;
	unsigned	count_bits;		/* ids per millisecond */
	uint64		flush_us;		/* that a flush takes */
	uint32		fault_rate;		/* errors: one call of so many, or 0 */
	bool		minimal;		/* wal_level: no WAL of new files */
	bool		stale;			/* loads can be old */
	bool		ending;			/* nothing disturbs any more */
} SimWorld;

typedef enum SimKind
{
	SIM_CALL, SIM_CALL_WHOLE, SIM_ADMIN, SIM_DDL, SIM_END, SIM_TICK,
	SIM_CLOCK, SIM_FLUSH, SIM_CHECKPOINT, SIM_STOP, SIM_CRASH,
	SIM_STANDBY, SIM_REPLAY, SIM_PROMOTE, SIM_HAND, SIM_DROP, SIM_TEMPLATE,
	SIM_KINDS
} SimKind;

typedef struct SimEvent
{
	SimKind		kind;
	uint64		random;			/* everything else is drawn from it */
} SimEvent;

extern SimWorld sim_world;
extern SimProcess *sim_process; /* the running one */
extern SimProcess *sim_loaded;	/* owner of the current globals */
extern jmp_buf *sim_handler;
extern uint64 sim_ids;
extern bool sim_traces;

/* sim.c */
extern void sim_fail(const char *format,...)
			__attribute__((format(printf, 1, 2), noreturn));
extern void sim_note(const char *format,...)
			__attribute__((format(printf, 1, 2)));
extern void sim_seed(uint64 seed);
extern uint64 sim_draw(void);
extern uint32 sim_below(uint32 n);
extern uint64 sim_draw_log(unsigned bits);
extern bool sim_one_in(uint32 n);
extern bool sim_fault(void);

/* sim_process.c */
extern void sim_run(SimProcess *process, uint64 accesses);
extern void sim_invite_others(uint32 n);
extern void sim_raise(void) __attribute__((noreturn));
extern SimProcess *sim_connect(uint32 slot, uint32 database);
extern void sim_end_process(SimProcess *process);

/* sim_code.c: the extension */
extern void sim_call(SimProcess *process);
extern void sim_load(SimProcess *process);
extern void sim_save(SimProcess *process);
extern void sim_preload(void);
extern void sim_unlock_ddl(SimProcess *process, XLogRecPtr commit);

/* sim_memory.c */
extern SimMemory *sim_memory_new(void);
extern void sim_memory_free(SimMemory *memory);
extern void sim_join(SimView *view, const SimView *other);
extern void sim_acquire(SimProcess *process, const SimView *view);
extern void sim_release(SimProcess *process, SimView *view);

/* sim_server.c: what src/pg calls */
extern int64 sim_clock_us(void);
extern int64 sim_clock_ms(FlakeFormat format);
extern void sim_may_fail(void);
extern void sim_invalidate(uint32 database, Oid oid);
extern void sim_tell(SimProcess *process, Oid oid);
extern void sim_process_messages(SimProcess *process);
extern void sim_cancel(SimProcess *process);
extern bool sim_is_new(const SimDatabase *database, const SimDatabase *old,
					   int format);

/* sim_lock.c */
extern FlakeFormat sim_format_of(Buffer buffer);
extern bool sim_has_buffer(const SimProcess *process);
extern bool sim_has_locked(Buffer buffer);
extern void sim_close_all(SimProcess *process);
extern void sim_release_all(SimProcess *process);

/* sim_wal.c */
extern XLogRecPtr sim_insert(const SimRecord *record);
extern XLogRecPtr sim_end_of_record(XLogRecPtr lsn);
extern void sim_flush(XLogRecPtr lsn);
extern void sim_replay(SimSite *site, XLogRecPtr lsn);
extern void sim_checkpoint(void);
extern void sim_write_back(uint16 file);
extern void sim_recover(XLogRecPtr cut);
extern void sim_cut(XLogRecPtr cut);
extern void sim_commit_catalog(uint32 database, const SimDatabase *entry,
							   bool flushes);

/* sim_hand.c: what others do to sequences, and DDL */
extern bool sim_is_free(uint32 database, FlakeFormat format);
extern uint16 sim_new_file(const SimPage *page, bool unlogged);
extern SimPage sim_new_page(void);
extern void sim_touch(FlakeFormat format, SimPage *page);
extern void sim_hand(void);
extern void sim_drop(void);
extern void sim_template(void);

/* sim_ids.c */
extern uint32 sim_ids_count(void);
extern void sim_ids_clear(void);
extern void sim_ids_add(FlakeFormat format, uint32 identity, uint64 id);
extern void sim_ids_forget(FlakeFormat format, uint32 identity,
						   uint64 above_ms, uint64 last_ms);
extern void sim_ids_lose(XLogRecPtr cut, bool failover);
extern void sim_ids_of_ddl(const SimProcess *process, XLogRecPtr commit);
extern void sim_ids_copy(uint32 identity, uint32 parent);

/* sim_check.c */
extern void sim_begin_call(SimProcess *process);
extern void sim_check_attached(FlakeFormat format);
extern void sim_check_raised(const uint64 *floors_ms);
extern void sim_check_message(const char *format, va_list values);
extern void sim_check_reset(FlakeFormat format, const SimPage *new);
extern void sim_check_id(FlakeFormat format, uint64 id);
extern void sim_check_wait(FlakeFormat format, bool behind, uint64 position_ms);
extern void sim_check_waited(FlakeFormat format);
extern void sim_check_error(const char *function, const char *arguments);
extern void sim_check_page(FlakeFormat format, const SimPage *page);
extern uint64 sim_last_ms(const SimPage *page);
extern void sim_check_counters(void);
extern void sim_end_call(SimProcess *process);
extern void sim_forget_resets(void);
extern SimDatabase *sim_database(const SimProcess *process);

/* sim_admin.c */
extern void sim_admin_begin(SimProcess *process);
extern void sim_admin_saw(const SimPage *page);
extern void sim_admin_wrote(SimPage *page);
extern void sim_admin_raises(const pg_atomic_uint64 *number, uint64 value);
extern void sim_admin_end(const SimProcess *process);
extern void sim_check_created(const SimDatabase *database);

/* sim_event.c, sim_shrink.c */
extern void sim_begin_world(uint64 seed);
extern void sim_advance(int64 us);
extern void sim_apply(const SimEvent *event);
extern void sim_end_world(void);
extern void sim_free_world(void);
extern uint32 sim_shrink(SimEvent *events, uint32 n,
						 bool (*fails) (const SimEvent *events, uint32 n));

#endif							/* FLAKEID_SIM_H */
