/*
 * sim_server.c
 *		What src/pg calls: locks, buffers, sequences, shared memory, the clock.
 *		A call can be interrupted where it begins, wait, and raise an error
 *		where the server's can.
 */
#include "sim.h"

/* Memory for an error, an error of the file system, a query canceled ... */
static void
may_fail(void)
{
	sim_access();
	if (sim_fault())
		sim_raise();
}

int
sim_max_backends(void)
{
	return (int) sim_world.server.backends;
}

uint32
sim_proc_number(void)
{
	return sim_process->slot;
}

/* Wait for AddinShmemInitLock.  The postmaster is not a process here. */
void
LWLockAcquire(int lock, int mode)
{
	SimServer  *server = &sim_world.server;

	if (sim_process == NULL)
		return;
	sim_access();
	while (server->memory_locked != NULL)
		sim_switch_out();
	server->memory_locked = sim_process;
	sim_process->has_memory_lock = true;
	sim_acquire(sim_process, &server->memory_view);
}

void
LWLockRelease(int lock)
{
	SimServer  *server = &sim_world.server;

	if (sim_process == NULL)
		return;
	sim_access();
	sim_release(sim_process, &server->memory_view);
	server->memory_locked = NULL;
	sim_process->has_memory_lock = false;
}

static SimMemory *
new_memory(void)
{
	SimServer  *server = &sim_world.server;

	if (server->memories > SIM_BACKENDS)
		sim_fail("more and more segments");
	return server->memory[server->memories++] = sim_memory_new();
}

/* Our part of the main shared memory, or the handle in its spare room. */
void *
ShmemInitStruct(const char *name, Size size, bool *found)
{
	SimServer  *server = &sim_world.server;

	*found = false;
	if (sim_process == NULL)
		return new_memory();
	if (sim_process->has_memory_lock == false || size > sizeof(server->handle))
		sim_fail("the handle is not protected");
	may_fail();
	*found = server->has_handle || server->other_version;
	if (!server->has_handle)
		memset(server->handle, 0x55, sizeof(server->handle));
	server->has_handle = true;
	sim_access();
	return server->handle;
}

dsm_segment *
dsm_create(Size size, int flags)
{
	may_fail();
	sim_process->segments++;
	return new_memory();
}

dsm_segment *
dsm_attach(dsm_handle handle)
{
	SimServer  *server = &sim_world.server;

	may_fail();
	if (handle == DSM_HANDLE_INVALID || handle > server->memories)
		sim_fail("a segment that does not exist");
	sim_process->segments++;
	return server->memory[handle - 1];
}

/* Keep a segment until the server stops: only the one that all use. */
void
sim_pin_segment(void)
{
	if (sim_world.server.has_pinned)
		sim_fail("a second segment stays until the server stops");
	sim_world.server.has_pinned = true;
}

/* Detach a segment, or keep it attached until the process ends. */
void
sim_release_segment(void)
{
	sim_process->segments--;
}

void *
dsm_segment_address(dsm_segment *segment)
{
	return segment;
}

dsm_handle
dsm_segment_handle(dsm_segment *segment)
{
	SimServer  *server = &sim_world.server;
	dsm_handle	handle = 1;

	while (server->memory[handle - 1] != segment)
		handle++;
	return handle;
}

/* The database as this process sees it. */
SimDatabase *
sim_database(const SimProcess *process)
{
	if (process->in_ddl)
		return (SimDatabase *) &process->own;
	return &sim_world.buffers.databases[process->database];
}

Oid
get_extension_oid(const char *name, bool missing_ok)
{
	may_fail();
	return sim_database(sim_process)->has_extension ? 1 : InvalidOid;
}

Oid
sim_sequence_oid(int format)
{
	SimDatabase *database = sim_database(sim_process);

	return database->has_extension ? database->sequences[format].oid : InvalidOid;
}

void
CacheRegisterRelcacheCallback(void (*callback) (Datum, Oid), Datum arg)
{
	sim_process->callback = callback;
}

/* Tell all processes of a database that a relation has changed. */
void
sim_invalidate(uint32 database, Oid oid)
{
	SimServer  *server = &sim_world.server;

	server->messages[server->n_messages++ % SIM_MESSAGES] =
		(SimMessage) {database, oid};
}

void
sim_tell(SimProcess *process, Oid oid)
{
	if (process->callback != NULL)
		process->callback(0, oid);
}

void
sim_process_messages(SimProcess *process)
{
	SimServer  *server = &sim_world.server;
	bool		reset = server->n_messages - process->messages > SIM_MESSAGES ||
		sim_one_in(server->n_messages > process->messages ? 4 : 50);

	if (reset)
		sim_tell(process, InvalidOid);
	for (; process->messages < server->n_messages; process->messages++)
	{
		SimMessage *message = &server->messages[process->messages % SIM_MESSAGES];

		if (message->database == process->database && !reset)
			sim_tell(process, message->oid);
	}
}

/* What a relation is here: format and file are found in the process. */
typedef struct Sequence
{
	struct RelationData relation;
	SimSequence *sequence;
	int			format;
	char		kind[2];
} Sequence;

static Sequence opened[SIM_BACKENDS];

static SimSequence *
find_sequence(Oid oid, int *format)
{
	SimDatabase *database = sim_database(sim_process);

	for (*format = 0; *format < FLAKE_FORMATS; (*format)++)
	{
		if (database->has_extension && database->sequences[*format].oid == oid)
			return &database->sequences[*format];
	}
	return NULL;
}

static void
lock_relation(SimLock *lock, LOCKMODE lockmode)
{
	while (lockmode >= RowExclusiveLock && lock->exclusive != NULL &&
		   lock->exclusive != sim_process)
	{
		sim_switch_out();
		may_fail();
	}
	if (lockmode >= RowExclusiveLock)
		lock->row_exclusive++;
	sim_process->lock = lock;
	sim_process->lockmode = lockmode;
	sim_acquire(sim_process, &lock->view);
}

static void
unlock_relation(SimProcess *process)
{
	SimLock    *lock = process->lock;

	sim_release(process, &lock->view);
	if (process->lockmode >= RowExclusiveLock)
		lock->row_exclusive--;
	process->lock = NULL;
}

Relation
try_relation_open(Oid oid, LOCKMODE lockmode)
{
	Sequence   *result = &opened[sim_process->slot];
	int			format;

	may_fail();
	if (find_sequence(oid, &format) != NULL)
		lock_relation(&sim_world.server.locks[sim_process->database][format],
					  lockmode);
	sim_process_messages(sim_process);
	result->sequence = find_sequence(oid, &result->format);
	if (result->sequence == NULL)
	{
		if (sim_process->lock != NULL)
			unlock_relation(sim_process);
		return NULL;
	}
	result->kind[0] = RELKIND_SEQUENCE;
	result->kind[1] = result->sequence->unlogged ? 'u' : RELPERSISTENCE_PERMANENT;
	result->relation.rd_rel = (void *) result->kind;
	return &result->relation;
}

void
relation_close(Relation relation, LOCKMODE lockmode)
{
	sim_access();
	if (sim_process->lock == NULL ||
		(lockmode != NoLock && sim_process->lockmode != lockmode))
		sim_fail("the lock of the relation is not held");
	unlock_relation(sim_process);
}

/* A buffer is the number of a file, from 1 on. */
Buffer
ReadBuffer(Relation relation, uint32 block)
{
	may_fail();
	return opened[sim_process->slot].sequence->file + 1;
}

void
LockBuffer(Buffer buffer, int mode)
{
	SimFile    *file = &sim_world.files[buffer - 1];

	sim_access();
	while (file->exclusive != NULL ||
		   (mode == BUFFER_LOCK_EXCLUSIVE && file->shared > 0))
		sim_switch_out();
	if (mode == BUFFER_LOCK_EXCLUSIVE)
		file->exclusive = sim_process;
	else
		file->shared++;
	sim_process->buffer = file;
	sim_process->page = sim_world.buffers.pages[buffer - 1];
	for (int format = 0; format < FLAKE_FORMATS; format++)
		sim_world.server.lead_ms = Max(sim_world.server.lead_ms,
									   flakeid_horizons[format].lead_ms);
	sim_process->page_format = opened[sim_process->slot].format;
	sim_acquire(sim_process, &file->view);
}

static void
unlock_buffer(SimProcess *process)
{
	SimFile    *file = process->buffer;

	sim_release(process, &file->view);
	if (file->exclusive == process)
		file->exclusive = NULL;
	else
		file->shared--;
	process->buffer = NULL;
}

void
UnlockReleaseBuffer(Buffer buffer)
{
	sim_access();
	if (sim_process->buffer != &sim_world.files[buffer - 1])
		sim_fail("the buffer is not locked");
	unlock_buffer(sim_process);
}

/* What an error, or the end of a process, releases. */
void
sim_release_all(SimProcess *process)
{
	SimServer  *server = &sim_world.server;

	process->segments = 0;
	if (process->buffer != NULL)
		unlock_buffer(process);
	if (process->lock != NULL)
		unlock_relation(process);
	if (!process->has_memory_lock)
		return;
	sim_release(process, &server->memory_view);
	server->memory_locked = NULL;
	process->has_memory_lock = false;
}

Page
BufferGetPage(Buffer buffer)
{
	if (sim_process->buffer != &sim_world.files[buffer - 1])
		sim_fail("a page is used without its lock");
	return &sim_world.buffers.pages[buffer - 1];
}

HeapTupleHeader
sim_tuple(Page page)
{
	page->header.t_hoff = offsetof(SimPage, row) - offsetof(SimPage, header);
	return &page->header;
}

uint32 *
sim_special(Page page)
{
	page->special = 0x1717;
	return &page->special;
}

/* 1, or 0 as on a damaged page; a page of a record is not read again. */
int
PageGetMaxOffsetNumber(Page page)
{
	return page != &sim_process->record.page && sim_fault() ? 0 : 1;
}

XLogRecPtr
PageGetLSN(Page page)
{
	return page->lsn;
}

/* The page has been folded before, also if the write fails. */
GenericXLogState *
GenericXLogStart(Relation relation)
{
	sim_world.server.folded[sim_process->database][sim_process->page_format] = true;
	may_fail();
	return &sim_process->record;
}

Page
GenericXLogRegisterBuffer(GenericXLogState *state, Buffer buffer, int flags)
{
	may_fail();
	if (sim_world.files[buffer - 1].exclusive != sim_process)
		sim_fail("a page is written without its exclusive lock");
	state->file = (uint16) (buffer - 1);
	state->full = flags & GENERIC_XLOG_FULL_IMAGE;
	state->page = sim_world.buffers.pages[state->file];
	return &state->page;
}

/* The bytes that differ. */
static uint64
difference(int64 a, int64 b)
{
	uint64		mask = 0;

	for (int byte = 0; byte < 8; byte++)
	{
		if (((a ^ b) >> (byte * 8) & 0xff) != 0)
			mask |= UINT64_C(0xff) << (byte * 8);
	}
	return mask;
}

/* What we know of a page that the extension writes. */
static void
annotate(SimPage *page)
{
	SimServer  *server = &sim_world.server;

	page->reset_start = 0;
	if (sim_process->call.what == SIM_RESET && !sim_process->resets_refused)
	{
		page->reset_start = server->start;
		page->reset_timeline = server->timeline;
		page->reset_last_ms = (uint64) page->row.last_value;
	}
	page->foreign = false;
	page->lowered = false;
	page->epoch_ms = server->config.epoch_ms[sim_process->page_format];
}

XLogRecPtr
GenericXLogFinish(GenericXLogState *state)
{
	SimPage    *page = &sim_world.buffers.pages[state->file];
	FlakeFormat format = sim_process->page_format;
	SimRecord	record = {.kind = SIM_RECORD_PAGE, .number = state->file};

	sim_access();
	if (page->reset_start == sim_world.server.start &&
		sim_process->call.what != SIM_CANCEL)
		sim_fail("a horizon is written while a reset is pending");
	if (sim_process->resets_refused)
		sim_ids_forget(format, sim_database(sim_process)->identity,
					   (uint64) Max(sim_process->lowest_us / 1000 -
									sim_world.server.config.epoch_ms[format], 0),
					   (uint64) Max(page->row.last_value, 0));
	sim_check_page(state->file, &state->page);
	annotate(&state->page);
	if (!state->full && page->lsn > sim_world.disk.lsn)
	{
		record.partial = true;
		record.mask[0] = difference(page->row.last_value, state->page.row.last_value);
		record.mask[1] = difference(page->row.log_cnt, state->page.row.log_cnt);
	}
	record.page = state->page;
	*page = state->page;
	page->lsn = sim_insert(&record);
	sim_access();
	return page->lsn;
}

void
XLogFlush(XLogRecPtr lsn)
{
	sim_process->flush_begun_us = sim_world.now_us;
	sim_access();
	if (lsn > sim_world.inserted)
		sim_fail("WAL that does not exist is to be flushed");
	if (lsn > sim_world.flushed && sim_world.flush_us > 0)
	{
		sim_advance((int64) sim_world.flush_us);
		sim_process->flush_ms = sim_world.flush_us / 1000;
	}
	sim_flush(lsn);
	sim_access();
}

void
XLogSetAsyncXactLSN(XLogRecPtr lsn)
{
	sim_access();
}

TimeLineID
GetWALInsertionTimeLine(void)
{
	return sim_world.server.timeline;
}

int64
sim_clock_us(void)
{
	return sim_world.now_us + sim_world.server.clock_offset_us;
}

/* The clock as time of an id, negative before the epoch. */
int64
sim_clock_ms(FlakeFormat format)
{
	return flake_unix_ms(flake_instant_from_unix_us(sim_clock_us())) -
		sim_world.server.config.epoch_ms[format];
}

/* The clock can be read before an earlier load, down to the last barrier. */
int
sim_clock_gettime(int clock, struct timespec *now)
{
	FlakeInstant instant;
	int64		us = sim_clock_us();

	sim_access();
	if (clock == CLOCK_MONOTONIC)
		us = sim_world.now_us;
	else
	{
		us = sim_clock_us();
		if (sim_world.stale && sim_process->fence_us < us && sim_one_in(3))
			us = sim_process->fence_us;
		sim_process->fence_us = us;
		sim_process->looked = true;
		sim_process->lowest_us = Min(sim_process->lowest_us, us);
	}
	instant = flake_instant_from_unix_us(us);
	now->tv_sec = instant.unix_s;
	now->tv_nsec = instant.ns_in_s;
	return 0;
}

void
sim_sleep(long us)
{
	if (us > (flake_layouts[sim_process->call.format].waits ? 10000 : 1000))
		sim_fail("a wait does not look at the clock for too long");
	sim_process->wakes_us = sim_world.now_us + Max(us, 1);
	sim_switch_out();
}

/* Events set the latch meanwhile. */
int
sim_wait_latch(long ms)
{
	if (sim_process->latch_is_set)
		sim_fail("a wait ends at once, since its latch was not reset");
	sim_sleep(ms * 1000);
	sim_process->latch_is_set = true;
	return 0;
}

void
sim_reset_latch(void)
{
	sim_process->latch_is_set = false;
}

/* A wait can be canceled. */
void
sim_check_for_interrupts(void)
{
	if (!sim_world.ending && sim_one_in(64))
		sim_raise();
}
