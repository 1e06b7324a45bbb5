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
#define TOO_MANY	100000

typedef struct SimStack
{
	ucontext_t	context;
	jmp_buf		inside;			/* where it was left */
	bool		begun;
	struct SimStack *next_free;
} SimStack;

uint64		sim_accesses_left;
jmp_buf    *sim_handler;
SimProcess *sim_process;
SimProcess *sim_loaded;

static jmp_buf scheduler;
static SimStack *free_stacks;

static void
leave(SimStack *stack)
{
	if (_setjmp(stack->inside) == 0)
		_longjmp(scheduler, 1);
}

static void
give_back(SimStack *stack)
{
	stack->next_free = free_stacks;
	free_stacks = stack;
}

/* Run one call after the other, until the end of a process abandons it. */
static void
run_calls(void)
{
	for (;;)
	{
		SimStack   *stack = sim_process->stack;

		sim_call(sim_process);
		sim_process->stack = NULL;
		give_back(stack);
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

/*
 * Begin or continue a call, until it ends, waits, or has made this many
 * accesses, if not 0.
 */
void
sim_run(SimProcess *process, uint64 accesses)
{
	SimStack   *stack;

	sim_accesses_left = accesses > 0 ? accesses : TOO_MANY;
	if (process->stack == NULL)
		process->stack = take_stack();
	stack = process->stack;
	sim_load(process);
	sim_process = process;
	sim_handler = process->handler;
	if (_setjmp(scheduler) == 0)
	{
		if (stack->begun)
			_longjmp(stack->inside, 1);
		stack->begun = true;
		makecontext(&stack->context, run_calls, 0);
		setcontext(&stack->context);
	}
	sim_process = NULL;
	if (accesses == 0 && sim_accesses_left == 0)
		sim_fail("a call does not end");
	sim_check_counters();
}

/* Suspend the running process where it is. */
void
sim_switch_out(void)
{
	sim_process->handler = sim_handler;
	leave(sim_process->stack);
}

/*
 * Suspend it here one time in n, unless its call runs as a whole: such places
 * are passed too seldom for chance to find them.
 */
void
sim_invite_others(uint32 n)
{
	if (sim_accesses_left < 1 << SIM_ACCESS_BITS && sim_one_in(n))
		sim_switch_out();
}

void
sim_raise(void)
{
	_longjmp(*sim_handler, 1);
}

/* Send a message, which waits for the client. */
void
sim_send(int level)
{
	if (sim_has_buffer(sim_process))
		sim_fail("others wait for a page until a client reads a message");
	if (level < ERROR)
	{
		sim_invite_others(4);
		if (sim_process->cancel_pending)
			sim_raise();
	}
}

void
sim_message(const char *format,...)
{
	va_list		values;

	va_start(values, format);
	sim_check_message(format, values);
	va_end(values);
}

/* Raise an error with a message. */
void
sim_report(const char *function, const char *arguments)
{
	sim_check_error(function, arguments);
	sim_raise();
}

SimProcess *
sim_connect(uint32 slot, uint32 database)
{
	SimServer  *server = &sim_world.server;
	SimProcess *process = calloc(1, sizeof(SimProcess));

	process->slot = slot;
	process->database = database;
	process->state = server->inherited;
	process->messages = server->n_messages;
	process->word_read_us = INT64_MIN;
	server->processes[slot] = process;
	sim_acquire(process, &server->slot_views[slot]);
	return process;
}

/* End a process, wherever it is; its transaction is rolled back. */
void
sim_end_process(SimProcess *process)
{
	SimServer  *server = &sim_world.server;

	sim_release_all(process);
	sim_unlock_ddl(process, 0);
	sim_release(process, &server->slot_views[process->slot]);
	if (process->stack != NULL)
	{
		process->stack->begun = false;
		give_back(process->stack);
	}
	if (sim_loaded == process)
		sim_loaded = NULL;
	server->processes[process->slot] = NULL;
	free(process);
}
