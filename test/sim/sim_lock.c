/*
 * sim_lock.c
 *		Sequences, their locks, and the locks of their pages.
 */
#include "sim.h"

/* What a relation is here: format and file are found in the process. */
typedef struct Sequence
{
	struct RelationData relation;
	SimSequence *sequence;
	int			format;
	char		kind[2];
} Sequence;

static Sequence opened[SIM_BACKENDS][FLAKE_FORMATS];

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

static SimLock *
lock_of(int format)
{
	return &sim_world.server.locks[sim_process->database][format];
}

/* A call that holds locks does not wait for ever: it may be in a deadlock. */
static void
lock_relation(SimLock *lock, LOCKMODE lockmode)
{
	SimHeld    *held = sim_process->held;
	uint32		rounds = 0;

	if (sim_has_buffer(sim_process))
		sim_fail("others wait for a page until a relation is free");
	while (lock->exclusive != NULL &&
		   lock->exclusive != sim_process)
	{
		sim_switch_out();
		sim_may_fail();
		if (held->lock != NULL && ++rounds == 100)
			sim_raise();
	}
	lock->holders++;
	while (held->lock != NULL)
		held++;
	*held = (SimHeld) {.lock = lock, .lockmode = lockmode};
	sim_acquire(sim_process, &lock->view);
}

static void
unlock_relation(SimProcess *process, SimHeld *held)
{
	sim_release(process, &held->lock->view);
	held->lock->holders--;
	held->lock = NULL;
}

/* The newest lock of a relation that is open, or NULL */
static SimHeld *
find_held(const SimLock *lock)
{
	SimHeld    *found = NULL;

	for (int i = 0; i < SIM_HELD; i++)
	{
		if (sim_process->held[i].lock == lock && !sim_process->held[i].kept)
			found = &sim_process->held[i];
	}
	return found;
}

Relation
try_relation_open(Oid oid, LOCKMODE lockmode)
{
	Sequence   *result;
	SimSequence *sequence;
	int			locked;
	int			format = FLAKE_FORMATS;

	sim_may_fail();
	do							/* the lock goes with the relation */
	{
		if (format < FLAKE_FORMATS)
			unlock_relation(sim_process, find_held(lock_of(locked)));
		if (find_sequence(oid, &locked) != NULL)
			lock_relation(lock_of(locked), lockmode);
		sim_process_messages(sim_process);
		sequence = find_sequence(oid, &format);
	} while (sequence != NULL && format != locked);
	if (sequence == NULL)
	{
		if (locked < FLAKE_FORMATS)
			unlock_relation(sim_process, find_held(lock_of(locked)));
		return NULL;
	}
	result = &opened[sim_process->slot][format];
	result->relation.rd_id = oid;
	result->sequence = sequence;
	result->format = format;
	result->kind[0] = RELKIND_SEQUENCE;
	result->kind[1] = sequence->unlogged ? 'u' : RELPERSISTENCE_PERMANENT;
	result->relation.rd_rel = (void *) result->kind;
	return &result->relation;
}

void
relation_close(Relation relation, LOCKMODE lockmode)
{
	SimHeld    *held;

	sim_access();
	held = find_held(lock_of(((Sequence *) relation)->format));
	if (held == NULL || (lockmode != NoLock && held->lockmode != lockmode))
		sim_fail("the lock of the relation is not held");
	if (lockmode == NoLock)
		held->kept = true;
	else
		unlock_relation(sim_process, held);
}

/* Has the transaction created this file? */
bool
sim_is_new(const SimDatabase *database, const SimDatabase *old, int format)
{
	return database->has_extension &&
		(!old->has_extension || database->sequences[format].file != old->sequences[format].file);
}

bool
sim_needs_wal(Relation relation)
{
	return !sim_world.minimal ||
		!sim_is_new(sim_database(sim_process),
					&sim_world.buffers.databases[sim_process->database],
					((Sequence *) relation)->format);
}

/* A buffer is the number of a file, from 1 on. */
Buffer
ReadBuffer(Relation relation, uint32 block)
{
	sim_may_fail();
	return ((Sequence *) relation)->sequence->file + 1;
}

/* Of which format is the page?  Only pages of open relations are locked. */
FlakeFormat
sim_format_of(Buffer buffer)
{
	const SimDatabase *database = sim_database(sim_process);

	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		if (database->sequences[format].file == buffer - 1)
			return format;
	}
	sim_fail("a page of no sequence");
}

bool
sim_has_buffer(const SimProcess *process)
{
	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		if (process->buffers[format] != NULL)
			return true;
	}
	return false;
}

/* Pages are locked in the order of the formats: no two calls block each other. */
void
LockBuffer(Buffer buffer, int mode)
{
	SimFile    *file = &sim_world.files[buffer - 1];
	FlakeFormat format = sim_format_of(buffer);

	sim_access();
	for (int other = format; other < FLAKE_FORMATS; other++)
	{
		if (sim_process->buffers[other] != NULL)
			sim_fail("pages are locked in another order");
	}
	while (file->exclusive != NULL ||
		   (mode == BUFFER_LOCK_EXCLUSIVE && file->shared > 0))
		sim_switch_out();
	if (mode == BUFFER_LOCK_EXCLUSIVE)
		file->exclusive = sim_process;
	else
		file->shared++;
	sim_process->buffers[format] = file;
	if (mode == BUFFER_LOCK_EXCLUSIVE)
	{
		sim_process->pages[format] = sim_world.buffers.pages[buffer - 1];
		sim_process->has_page[format] = true;
		sim_admin_saw(&sim_process->pages[format]);
	}
	for (int other = 0; other < FLAKE_FORMATS; other++)
		sim_world.server.lead_ms = Max(sim_world.server.lead_ms,
									   flakeid_generators[other].horizon.lead_ms);
	sim_acquire(sim_process, &file->view);
}

static void
unlock_buffer(SimProcess *process, FlakeFormat format)
{
	SimFile    *file = process->buffers[format];

	sim_release(process, &file->view);
	if (file->exclusive == process)
		file->exclusive = NULL;
	else
		file->shared--;
	process->buffers[format] = NULL;
}

bool
sim_has_locked(Buffer buffer)
{
	return sim_process->buffers[sim_format_of(buffer)] == &sim_world.files[buffer - 1];
}

void
UnlockReleaseBuffer(Buffer buffer)
{
	sim_access();
	if (!sim_has_locked(buffer))
		sim_fail("the buffer is not locked");
	unlock_buffer(sim_process, sim_format_of(buffer));
}

/* A call is over: what it has closed is unlocked. */
void
sim_close_all(SimProcess *process)
{
	for (int i = 0; i < SIM_HELD; i++)
	{
		SimHeld    *held = &process->held[i];

		if (held->lock != NULL && !held->kept)
			sim_fail("a call leaves a relation open");
		if (held->lock != NULL)
			unlock_relation(process, held);
	}
}

/* What an error, or the end of a process, releases. */
void
sim_release_all(SimProcess *process)
{
	SimServer  *server = &sim_world.server;

	process->segments = 0;
	process->holdoff = 0;
	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		if (process->buffers[format] != NULL)
			unlock_buffer(process, format);
	}
	for (int i = 0; i < SIM_HELD; i++)
	{
		if (process->held[i].lock != NULL)
			unlock_relation(process, &process->held[i]);
	}
	if (!process->has_memory_lock)
		return;
	sim_release(process, &server->memory_view);
	server->memory_locked = NULL;
	process->has_memory_lock = false;
}
