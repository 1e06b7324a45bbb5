/*
 * sim_process.c
 *		Processes: each call runs on a stack of its own, which is left before
 *		any access, and resumed later or never.
 *
 * setcontext() enters a stack for the first time; then longjmp() resumes it,
 * which needs no system call.
 */
#include "sim.h"

#include <ucontext.h>

#define STACK_SIZE	65536

/* More accesses than any call makes between two waits */
#define TOO_MANY	1000000

typedef struct SimStack
{
	ucontext_t	context;
	jmp_buf		inside;			/* where it was left */
	bool		begun;
	jmp_buf    *handler;
	void	   *allocated;		/* by palloc0() in this call */
	struct SimStack *next_free;
} SimStack;

uint64		sim_accesses_left[SIM_ACCESSES];
jmp_buf    *sim_handler;
SimProcess *sim_process;
SimProcess *sim_loaded;
SimFailing	sim_failing;

static jmp_buf scheduler;
static SimStack *free_stacks;

static void
leave(SimStack *stack)
{
	if (_setjmp(stack->inside) == 0)
		_longjmp(scheduler, 1);
}

/* Run one call after the other, until a kill abandons the stack. */
static void
run_calls(void)
{
	for (;;)
	{
		SimStack   *stack = sim_process->stack;

		if (sim_process->is_worker)
			sim_work(sim_process);
		else
			sim_call(sim_process);
		sim_process->stack = NULL;
		free(stack->allocated);
		stack->allocated = NULL;
		stack->next_free = free_stacks;
		free_stacks = stack;
		leave(stack);
	}
}

static SimStack *
take_stack(void)
{
	SimStack   *stack = free_stacks;

	if (stack != NULL)
	{
		free_stacks = stack->next_free;
		return stack;
	}
	stack = calloc(1, sizeof(SimStack));
	getcontext(&stack->context);
	stack->context.uc_stack.ss_sp = malloc(STACK_SIZE);
	stack->context.uc_stack.ss_size = STACK_SIZE;
	return stack;
}

/* Begin or continue a call, until it ends, waits or is interrupted. */
static void
enter(SimProcess *process)
{
	SimStack   *stack;

	if (process->stack == NULL)
		process->stack = take_stack();
	stack = process->stack;
	sim_load(process);
	sim_process = process;
	sim_watch(process);
	sim_handler = stack->handler;
	if (_setjmp(scheduler) == 0)
	{
		if (stack->begun)
			_longjmp(stack->inside, 1);
		stack->begun = true;
		makecontext(&stack->context, run_calls, 0);
		setcontext(&stack->context);
	}
	sim_process = NULL;
	sim_settle(process);
	sim_count(process);
}

static bool
is_cut_short(void)
{
	return sim_accesses_left[SIM_READ] == 0 ||
		sim_accesses_left[SIM_WRITE] == 0 || sim_accesses_left[SIM_RARE] == 0;
}

/* Run a worker; returns true if it ended. */
static bool
run_worker(SimProcess *worker)
{
	enter(worker);
	if (worker->stack != NULL)
		return false;
	sim_end_process(worker->server, worker->slot);
	return true;
}

/*
 * Run a process.  Mostly the worker that it waits for runs in the same turn,
 * and an interruption can hit either of them.
 */
void
sim_run(SimProcess *process, const SimEvent *event)
{
	bool		alone = event->kind == SIM_CALL && (event->random >> 32) % 4 == 3;

	for (int kind = 0; kind < SIM_ACCESSES; kind++)
		sim_accesses_left[kind] = TOO_MANY;
	if (event->accesses > 0)
		sim_accesses_left[event->counts] = event->accesses;
	sim_failing = (SimFailing) {event->fails_at, event->fails};
	if (process->is_worker)
		(void) run_worker(process);
	else
	{
		enter(process);
		while (!alone && !is_cut_short() && process->partner != NULL &&
			   run_worker(process->partner) && !is_cut_short())
			enter(process);
	}
	if (event->accesses == 0 && sim_accesses_left[SIM_READ] == 0)
		sim_fail("a call does not end");
}

/* Suspend the running process where it is. */
void
sim_switch_out(void)
{
	SimProcess *process = sim_process;
	SimStack   *stack = process->stack;

	stack->handler = sim_handler;
	leave(stack);
}

void
sim_sleep(void)
{
	sim_switch_out();
}

void
sim_raise(void)
{
	_longjmp(*sim_handler, 1);
}

void *
palloc0(size_t size)
{
	SimStack   *stack = sim_process->stack;

	free(stack->allocated);
	stack->allocated = aligned_alloc(64, (size + 63) / 64 * 64);
	memset(stack->allocated, 0, size);
	return stack->allocated;
}

/* Raise an error with a message; sim_check.c inspects some. */
void
sim_report(const char *function)
{
	sim_check_error(sim_process, function);
	sim_raise();
}

/* Give a session settings of its own, which differ from the server's. */
SimProcess *
sim_connect(SimServer *server, uint32 slot, uint64 random)
{
	SimProcess *process = calloc(1, sizeof(SimProcess));
	uint32		backends;

	process->server = server;
	process->slot = slot;
	process->is_worker = slot >= SIM_MAX_BACKENDS;
	process->own_settings = server->configured;
	process->own_settings.address.node = (uint32) (random & 7);
	process->own_settings.address.node_bits = (uint32) (random >> 3 & 15);
	process->own_settings.scalability = (uint32) (random >> 7 & 31);
	sim_address_for(server, random, &process->own_settings, &backends);
	process->lock_fd = -1;
	server->processes[slot] = process;
	server->live_backends++;
	return process;
}

/* Separate a session from its worker. */
void
sim_part(SimProcess *process)
{
	if (process->partner == NULL)
		return;
	process->partner->partner = NULL;
	process->partner = NULL;
}

/* Pass the result of a worker that ended to its session. */
static void
hand_over(const SimProcess *worker)
{
	SimProcess *session = worker->partner;

	if (!worker->is_worker || session == NULL)
		return;
	session->result = worker->result;
	session->relayed = worker->relayed;
}

/* End a process, wherever it is; the kernel releases its lock. */
void
sim_end_process(SimServer *server, uint32 slot)
{
	SimProcess *process = server->processes[slot];
	SimStack   *stack;

	if (process == NULL)
		return;
	stack = process->stack;
	if (stack != NULL)
	{
		free(stack->allocated);
		stack->allocated = NULL;
		stack->begun = false;
		stack->next_free = free_stacks;
		free_stacks = stack;
	}
	sim_unlock(process);
	hand_over(process);
	sim_part(process);
	if (server->elected == process)
		server->elected = NULL;
	if (sim_loaded == process)
		sim_loaded = NULL;
	free(process);
	server->processes[slot] = NULL;
	server->live_backends--;
}

void
sim_end_processes(SimServer *server)
{
	for (uint32 slot = 0; server->live_backends > 0; slot++)
		sim_end_process(server, slot);
}
