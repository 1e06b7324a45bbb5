/*
 * state.c
 *		Create and attach to the shared memory of the 64-bit generators.
 *
 * If the library is preloaded, it is part of the server's main shared memory.
 * Otherwise it is a dynamic segment, which the first process that needs it
 * creates and which stays until the server stops.  A handle in the spare room
 * of the main shared memory leads to it.  The handle says whether there is a
 * segment: a process may fail between finding a place for it and storing it.
 *
 * AddinShmemInitLock protects the handle.  Waiting for a lightweight lock
 * cannot be canceled, so a segment is created and filled before the lock is
 * taken, and removed again if another process was first.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/xlog.h"
#include "miscadmin.h"
#include "storage/dsm.h"
#include "storage/ipc.h"
#include "storage/lwlock.h"
#include "storage/shmem.h"

#include "format/flake_horizon.h"
#include "pg/entropy.h"
#include "pg/settings.h"
#include "pg/state.h"

#ifdef PG_HAVE_ATOMIC_U64_SIMULATION
#error "flakeid needs native 64-bit atomics"
#endif

/* Changes with FlakeidState.  Name and size of the handle never change. */
#define LAYOUT_NUMBER	1
#define HANDLE_NAME		"flakeid handle"

typedef struct StateHandle
{
	uint32		layout;
	dsm_handle	segment;		/* DSM_HANDLE_INVALID: none yet */
} StateHandle;

FlakeidState *flakeid_state;

static shmem_request_hook_type prev_shmem_request_hook;
static shmem_startup_hook_type prev_shmem_startup_hook;

static Size
state_size(void)
{
	return add_size(offsetof(FlakeidState, slots),
					mul_size((Size) MaxBackends, sizeof(FlakeidSlot)));
}

static void
request_state(void)
{
	if (prev_shmem_request_hook)
		prev_shmem_request_hook();
	RequestAddinShmemSpace(state_size());
}

/* In the postmaster: MaxBackends is known. */
static void
create_state(void)
{
	bool		found;

	if (prev_shmem_startup_hook)
		prev_shmem_startup_hook();
	LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
	flakeid_state = ShmemInitStruct("flakeid", state_size(), &found);
	if (!found)
		memset(flakeid_state, 0, state_size());
	LWLockRelease(AddinShmemInitLock);
	if (!found)
		flakeid_warn_of_address();
}

/* For _PG_init() of a preloaded library. */
void
flakeid_state_init(void)
{
	prev_shmem_request_hook = shmem_request_hook;
	shmem_request_hook = request_state;
	prev_shmem_startup_hook = shmem_startup_hook;
	shmem_startup_hook = create_state;
}

/* Find the handle; a copy of it, as of now. */
static StateHandle *
find_handle(StateHandle *copy)
{
	StateHandle *handle;
	bool		found;

	LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
	handle = ShmemInitStruct(HANDLE_NAME, sizeof(StateHandle), &found);
	if (!found)
	{
		handle->layout = LAYOUT_NUMBER;
		handle->segment = DSM_HANDLE_INVALID;
	}
	*copy = *handle;
	LWLockRelease(AddinShmemInitLock);
	if (copy->layout != LAYOUT_NUMBER)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("another version of flakeid is in use since the server was started"),
				 errhint("Restart the server.")));
	return handle;
}

/* Add a hint to errors of dynamic shared memory. */
static void
explain_failure(void *arg)
{
	errhint("Free memory, or add flakeid to shared_preload_libraries and restart the server, so that its memory is allocated at server start.");
}

static dsm_segment *
create_segment(void)
{
	ErrorContextCallback context = {
		.previous = error_context_stack,
		.callback = explain_failure,
	};
	dsm_segment *segment;

	error_context_stack = &context;
	segment = dsm_create(state_size(), 0);
	error_context_stack = context.previous;
	memset(dsm_segment_address(segment), 0, state_size());
	return segment;
}

/*
 * Make the new segment that of the server, unless there is one.  Nothing
 * reports an error between pinning and storing.
 */
static dsm_handle
publish(StateHandle *handle, dsm_segment *segment)
{
	dsm_handle	result;

	LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
	if (handle->segment == DSM_HANDLE_INVALID)
	{
		dsm_pin_segment(segment);
		handle->segment = dsm_segment_handle(segment);
	}
	result = handle->segment;
	LWLockRelease(AddinShmemInitLock);
	return result;
}

static dsm_segment *
find_or_create_segment(void)
{
	StateHandle copy;
	StateHandle *handle = find_handle(&copy);
	dsm_handle	published = copy.segment;
	dsm_segment *segment;

	if (published == DSM_HANDLE_INVALID)
	{
		segment = create_segment();
		published = publish(handle, segment);
		if (published == dsm_segment_handle(segment))
			return segment;
		dsm_detach(segment);
	}
	segment = dsm_attach(published);
	if (segment == NULL)
		elog(ERROR, "could not attach to the shared memory of flakeid");
	return segment;
}

/* Attach this process, and draw the number of the start if it is the first. */
void
flakeid_state_attach(void)
{
	if (flakeid_state == NULL)
	{
		dsm_segment *segment = find_or_create_segment();

		dsm_pin_mapping(segment);
		flakeid_state = dsm_segment_address(segment);
	}
	if (flakeid_start_number() == 0)
	{
		uint64		none = 0;
		uint64		no_lsn = 0;
		uint64		number = 1 + flakeid_random64() %
			flake_mask(FLAKE_START_NUMBER_BITS);

		flakeid_check_not_set();
		/* First: what has the number has written its pages after this. */
		(void) pg_atomic_compare_exchange_u64(&flakeid_state->start.lsn,
											  &no_lsn, GetXLogInsertRecPtr());
		(void) pg_atomic_compare_exchange_u64(&flakeid_state->start.number,
											  &none, number);
	}
}

/* Number of this start, or 0. */
uint32
flakeid_start_number(void)
{
	return (uint32) pg_atomic_read_u64(&flakeid_state->start.number);
}

/* Raise a number that others raise too; never lowers it. */
void
flakeid_raise_to(pg_atomic_uint64 *number, uint64 value)
{
	uint64		old = pg_atomic_read_u64(number);

	while (old < value && !pg_atomic_compare_exchange_u64(number, &old, value))
		;
}
