/*
 * sim_server.c
 *		What src/pg calls: shared memory, WAL, the clock; sim_lock.c has locks.
 *		A call can be interrupted where it begins, wait, and raise an error
 *		where the server's can.
 */
#include "sim.h"

/* Memory for an error, an error of the file system, a query canceled ... */
void
sim_may_fail(void)
{
	sim_access();
	if (sim_fault())
		sim_raise();
}

/* Memory that is used at once */
void *
sim_palloc0(Size size)
{
	static char memory[64];

	return memset(memory, 0, sizeof(memory));
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
	sim_may_fail();
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
	sim_may_fail();
	sim_process->segments++;
	return new_memory();
}

dsm_segment *
dsm_attach(dsm_handle handle)
{
	SimServer  *server = &sim_world.server;

	sim_may_fail();
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
	sim_may_fail();
	return sim_database(sim_process)->has_extension ? 1 : InvalidOid;
}

/* The relations with the name of the sequence of a format */
CatCList *
sim_search(int format)
{
	static CatCTup found;
	static CatCList list = {.members = {&found}};
	SimDatabase *database = sim_database(sim_process);

	list.n_members = database->has_extension;
	found.tuple.oid = database->sequences[format].oid;
	return &list;
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

Page
BufferGetPage(Buffer buffer)
{
	if (!sim_has_locked(buffer))
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
	const char *record = (const char *) sim_process->record;
	bool		copied = (const char *) page >= record &&
		(const char *) page < record + sizeof(sim_process->record);

	return !copied && sim_fault() ? 0 : 1;
}

XLogRecPtr
PageGetLSN(Page page)
{
	return page->lsn;
}

GenericXLogState *
GenericXLogStart(Relation relation)
{
	GenericXLogState *record = &sim_process->record[RelationNeedsWAL(relation)];

	sim_may_fail();
	record->n = 0;
	record->logged = RelationNeedsWAL(relation);
	return record;
}

Page
GenericXLogRegisterBuffer(GenericXLogState *state, Buffer buffer, int flags)
{
	FlakeFormat format = sim_format_of(buffer);
	uint16		file = (uint16) (buffer - 1);

	sim_may_fail();
	if (sim_world.files[file].exclusive != sim_process)
		sim_fail("a page is written without its exclusive lock");
	state->parts[state->n].format = format;
	state->parts[state->n].file = file;
	state->parts[state->n].full = flags & GENERIC_XLOG_FULL_IMAGE;
	state->parts[state->n].page = sim_world.buffers.pages[file];
	return &state->parts[state->n++].page;
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
annotate(FlakeFormat format, SimPage *page)
{
	SimServer  *server = &sim_world.server;

	page->reset_start = 0;
	if (flake_tag_is_reset(page->row.log_cnt))
	{
		page->reset_start = server->start;
		page->reset_timeline = server->timeline;
		page->reset_last_ms = sim_last_ms(page);
	}
	page->foreign = false;
	page->lowered = false;
	page->epoch_ms = server->config.epoch_ms[format];
}

static XLogRecPtr
write_part(FlakeFormat format, uint16 file, bool full, SimPage *new,
		   bool logged, bool continues)
{
	SimPage    *page = &sim_world.buffers.pages[file];
	SimRecord	record = {
		.kind = SIM_RECORD_PAGE, .number = file, .continues = continues
	};

	if (page->reset_start == sim_world.server.start &&
		sim_process->call.what != SIM_CANCEL &&
		(!flake_tag_is_reset(new->row.log_cnt) || sim_last_ms(new) != sim_last_ms(page)))
		sim_fail("a reset that is pending is changed");
	sim_world.server.folded[sim_process->database][format] = true;
	if (sim_process->call.what == SIM_RESET)
		sim_check_reset(format, new);
	sim_check_page(format, new);
	annotate(format, new);
	if (!full && page->lsn > sim_world.disk.lsn)
	{
		record.partial = true;
		record.mask[0] = difference(page->row.last_value, new->row.last_value);
		record.mask[1] = difference(page->row.log_cnt, new->row.log_cnt);
	}
	record.page = *new;
	*page = *new;
	if (logged)
		page->lsn = sim_insert(&record);
	else if (sim_world.minimal &&
			 sim_is_new(sim_database(sim_process),
						&sim_world.buffers.databases[sim_process->database], format))
		sim_world.files[file].covered_ms = (uint64) new->row.last_value;
	sim_admin_wrote(page);
	return page->lsn;
}

XLogRecPtr
GenericXLogFinish(GenericXLogState *state)
{
	XLogRecPtr	lsn = 0;

	sim_access();
	sim_process->records += state->logged;
	if (sim_process->records > 1 && sim_process->call.what != SIM_MAKE)
		sim_fail("a crash leaves some horizons changed");
	for (uint32 i = 0; i < state->n; i++)
		lsn = write_part(state->parts[i].format, state->parts[i].file,
						 state->parts[i].full, &state->parts[i].page,
						 state->logged, i + 1 < state->n);
	sim_access();
	return lsn;
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
	if (sim_one_in(4))
		sim_cancel(sim_process);
	sim_access();
}

XLogRecPtr *
sim_last_record_end(void)
{
	return &sim_process->admin.record_end;
}

uint32
GetTopTransactionId(void)
{
	sim_may_fail();
	sim_process->admin.has_xid = true;
	return 3;
}

void
ForceSyncCommit(void)
{
	sim_process->forces_commit = true;
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

XLogRecPtr
GetXLogInsertRecPtr(void)
{
	return sim_world.inserted;
}

uint64
GetSystemIdentifier(void)
{
	return 1;
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
	{
		us = sim_world.now_us;
		if (sim_process->has_slept)
		{
			sim_process->slept_us += us - sim_process->monotonic_us;
			sim_process->sleeps++;
		}
		sim_process->has_slept = false;
		sim_process->monotonic_us = us;
	}
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
	sim_process->has_slept = true;
	if (sim_process->sleeps == 0)
		sim_world.server.counts[sim_process->call.format].waits++;
	sim_switch_out();
	sim_check_waited(sim_process->call.format);
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
	if (sim_process->holdoff > 0 || sim_has_buffer(sim_process))
		return;
	if (sim_process->cancel_pending || (!sim_world.ending && sim_one_in(64)))
		sim_raise();
}

void
sim_hold_interrupts(int add)
{
	sim_process->holdoff += add;
}

bool *
sim_cancel_pending(void)
{
	return &sim_process->cancel_pending;
}

/*
 * A client cancels the call of an administrator.  Between the last page that it
 * locks and the flush it may end with or without effect.
 */
void
sim_cancel(SimProcess *process)
{
	if (process->call.what != SIM_RAISE && process->call.what != SIM_RESET &&
		process->call.what != SIM_CANCEL)
		return;
	process->cancel_pending = true;
	if (process->records == 0 && process->buffers[FLAKE_FORMATS - 1] == NULL)
		process->admin.canceled = true;
}

uint64
sim_message_counter(void)
{
	return sim_process->messages;
}
