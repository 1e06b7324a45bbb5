/*
 * sim_memory.c
 *		Shared numbers with the memory order of C11: a load returns any value
 *		that is not older than what the process has seen.
 *
 * Each number has its newest values, and each value a view: what its writer
 * had published.  A process sees what its own view has; a load adds the view of
 * its value only once a read barrier follows, a store publishes only what a
 * write barrier preceded.  Read-modify-write operations act on the newest
 * value, and a successful one is a full barrier.  Left out: stores that others
 * see before an earlier load of the same process is done.
 */
#include "sim.h"

#define VALUES	4				/* that a number keeps */

typedef struct Value
{
	uint64		value;
	SimView		view;
} Value;

typedef struct Number
{
	uint32		newest;			/* how many values it has had, but one */
	Value		values[VALUES];
} Number;

/* Aligned to its size class, so that an address in it leads to it. */
#define MEMORY_ALIGNMENT	(UINT64_C(1) << 17)

struct SimMemory
{
	FlakeidState state;
	FlakeidSlot slots[SIM_BACKENDS];
	SimView		barriers;		/* of all full barriers */
	Number		numbers[SIM_NUMBERS];
};

static SimMemory *spare;

SimMemory *
sim_memory_new(void)
{
	SimMemory  *memory = spare;

	_Static_assert(sizeof(SimMemory) <= MEMORY_ALIGNMENT, "too large");
	spare = NULL;
	if (memory == NULL)
		memory = aligned_alloc(MEMORY_ALIGNMENT, MEMORY_ALIGNMENT);
	memset(memory, 0, sizeof(SimMemory));
	/* Memory of a dynamic segment is not always zero. */
	memset(&memory->state, 0x5a, offsetof(FlakeidState, slots) + sizeof(memory->slots));
	return memory;
}

void
sim_memory_free(SimMemory *memory)
{
	free(spare);
	spare = memory;
}

/* The numbers without their padding: start, formats, words, marks. */
static uint32
index_of(const SimMemory *memory, const pg_atomic_uint64 *number)
{
	size_t		offset = (size_t) ((const char *) number - (const char *) memory);
	uint32		line = (uint32) (offset / FLAKEID_STATE_LINE);
	uint32		column = (uint32) (offset % FLAKEID_STATE_LINE / 8);

	if (line == 0)
		return 0;
	line--;
	if (line < FLAKEID_STATE_FORMATS)
		return 1 + line * SIM_LIMITS + column;
	line -= FLAKEID_STATE_FORMATS;
	if (line < FLAKEID_STATE_FORMATS)
		return 1 + FLAKE_FORMATS * SIM_LIMITS + line;
	line -= FLAKEID_STATE_FORMATS;
	return 1 + FLAKE_FORMATS * (SIM_LIMITS + 1) + line * FLAKE_FORMATS + column;
}

static SimMemory *
memory_of(const pg_atomic_uint64 *number)
{
	return (SimMemory *) (uintptr_t) ((uintptr_t) number & ~(MEMORY_ALIGNMENT - 1));
}

static Number *
find(const pg_atomic_uint64 *number)
{
	SimMemory  *memory = memory_of(number);
	Number	   *found = &memory->numbers[index_of(memory, number)];

	if (found->newest == 0)
		found->values[0].value = number->value;
	return found;
}

void
sim_join(SimView *view, const SimView *other)
{
	for (uint32 i = 0; i < SIM_NUMBERS; i++)
		view->at[i] = Max(view->at[i], other->at[i]);
}

/* What was published at the other end of a lock can be seen. */
void
sim_acquire(SimProcess *process, const SimView *view)
{
	sim_join(&process->acquired, view);
	process->current = process->acquired;
	process->fence_us = sim_clock_us();
}

void
sim_release(SimProcess *process, SimView *view)
{
	sim_join(view, &process->current);
	process->released = process->current;
}

void
pg_read_barrier(void)
{
	sim_access();
	sim_process->current = sim_process->acquired;
	sim_process->fence_us = sim_clock_us();
}

void
pg_write_barrier(void)
{
	sim_access();
	sim_process->released = sim_process->current;
}

static void
full_barrier(SimView *barriers)
{
	sim_acquire(sim_process, barriers);
	sim_release(sim_process, barriers);
}

void
pg_memory_barrier(void)
{
	sim_access();
	if (flakeid_state != NULL)
		full_barrier(&((SimMemory *) flakeid_state)->barriers);
}

/* Which of the values a load returns. */
static uint32
choose(const Number *number, uint32 seen)
{
	uint32		oldest = number->newest < VALUES ? 0 : number->newest - VALUES + 1;

	oldest = Min(Max(oldest, seen), number->newest);
	if (oldest == number->newest || !sim_world.stale || !sim_one_in(3))
		return number->newest;
	return oldest + sim_below(number->newest - oldest + 1);
}

/* The clock when it was read, for checks: words, floors and marks. */
static void
note_read(const SimMemory *memory, const pg_atomic_uint64 *number)
{
	if ((const char *) number >= (const char *) memory->state.words)
		sim_process->word_read_us = sim_clock_us();
}

uint64
pg_atomic_read_u64(pg_atomic_uint64 *address)
{
	SimMemory  *memory = memory_of(address);
	uint32		index = index_of(memory, address);
	Number	   *number;
	uint32		chosen;

	sim_access();
	number = find(address);
	chosen = choose(number, sim_process->current.at[index]);
	sim_process->current.at[index] = chosen;
	sim_join(&sim_process->acquired, &number->values[chosen % VALUES].view);
	sim_process->acquired.at[index] = Max(sim_process->acquired.at[index], chosen);
	note_read(memory, address);
	return number->values[chosen % VALUES].value;
}

static void
add_value(pg_atomic_uint64 *address, uint64 value, const SimView *view)
{
	SimMemory  *memory = memory_of(address);
	uint32		index = index_of(memory, address);
	Number	   *number = find(address);

	if (value < address->value)
		sim_fail("a shared number falls from %llu to %llu",
				 (unsigned long long) address->value, (unsigned long long) value);
	number->newest++;
	sim_process->current.at[index] = number->newest;
	sim_process->acquired.at[index] = number->newest;
	number->values[number->newest % VALUES] = (Value) {.value = value, .view = *view};
	number->values[number->newest % VALUES].view.at[index] = number->newest;
	address->value = value;
}

void
pg_atomic_write_u64(pg_atomic_uint64 *address, uint64 value)
{
	sim_access();
	add_value(address, value, &sim_process->released);
}

/* The newest value, with what its writer had published. */
static uint64
read_newest(pg_atomic_uint64 *address)
{
	SimMemory  *memory = memory_of(address);
	Number	   *number = find(address);

	sim_process->acquired.at[index_of(memory, address)] = number->newest;
	sim_acquire(sim_process, &number->values[number->newest % VALUES].view);
	return number->values[number->newest % VALUES].value;
}

bool
pg_atomic_compare_exchange_u64(pg_atomic_uint64 *address, uint64 *expected,
							   uint64 value)
{
	SimMemory  *memory = memory_of(address);
	uint64		old;

	sim_invite_others(4);
	sim_access();
	old = read_newest(address);
	if (old != *expected)
	{
		*expected = old;
		return false;
	}
	full_barrier(&memory->barriers);
	add_value(address, value, &sim_process->current);
	sim_join(&memory->barriers, &sim_process->current);
	return true;
}

uint64
pg_atomic_fetch_add_u64(pg_atomic_uint64 *address, int64 add)
{
	SimMemory  *memory = memory_of(address);
	uint64		old;

	sim_access();
	old = read_newest(address);
	full_barrier(&memory->barriers);
	add_value(address, old + (uint64) add, &sim_process->current);
	sim_join(&memory->barriers, &sim_process->current);
	return old;
}
