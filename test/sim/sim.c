/*
 * sim.c
 *		A deterministic simulation of servers that generate 64-bit ids, crash,
 *		fail over and are restored.
 *
 *	sim [SECONDS [SEED]]
 *
 * SECONDS are CPU seconds (default 20).  Prints the seed, the numbers of
 * events and ids, and both per second.  If an invariant fails, it prints the
 * seed of that world and a shortest list of events; "sim 0 SEED" plays that
 * world again.  SIM_SHRINK=0 omits the list.
 *
 * The simulation runs the extension's own code: src/format, and from src/pg
 * state.c, generator.c, horizon.c, generate.c and admin.c (sim_code.c), on top
 * of a small server (server/postgres.h).  Each process makes its calls on a
 * stack of its own (sim_process.c).  At every access to shared memory, the clock, a
 * lock, a page or WAL, the process can be suspended, so that others run, or
 * killed.
 *
 * What happens (sim_event.c), all drawn from one seed:
 *	- up to 3 databases and 6 backends; sessions begin and end, reuse slots,
 *	  generate FLUIDs, Nanoflakes and Ulid-Flakes in both scopes, call
 *	  flakeid_raise_floor(), flakeid_reset_horizon() and flakeid_cancel_reset(),
 *	  are canceled while they wait; any call of the server raises an error, and
 *	  any page is found damaged
 *	- shared memory in the main segment, or in a dynamic one that processes
 *	  create at the same time
 *	- memory order (sim_memory.c): a load returns any value that the barriers
 *	  and locks so far allow, and the clock may be read before them
 *	- WAL (sim_wal.c) with an insert and a flushed position, checkpoints, pages
 *	  that are written back early; clean stops; crashes after which any WAL
 *	  beyond the flushed position is lost or kept
 *	- base backups, standbys that have replayed up to any point; one is
 *	  promoted, or a backup restored up to any point, and the old server is gone
 *	- two administrators at once; crashes, promotions and restores at any step of
 *	  their calls
 *	- flushes that take longer than the lead of a horizon, or than any lead
 *	- clocks that are set, also to a horizon, or differ at a start, by
 *	  microseconds to years
 *	- at a start: another scope, address, number of backends, and other epochs;
 *	  shared memory that another version of the extension has created
 *	- another hand (sim_hand.c): nextval() with its steps that are not in WAL,
 *	  setval() up and down, ALTER SEQUENCE with a new file, also in a session
 *	  that generates ids meanwhile, commits or rolls back; SET UNLOGGED and
 *	  LOGGED; DROP and CREATE EXTENSION; CREATE DATABASE ... TEMPLATE
 *
 * What must hold (sim_check.c, sim_ids.c):
 *	- within a database no id is returned twice, except ids that were returned
 *	  after the point up to which a promoted standby has replayed; ids that a
 *	  flakeid_reset_horizon() of this timeline makes free; ids above a horizon that
 *	  another hand lowered before a crash or the first use after a start; ids of
 *	  a transaction that alters the sequence and is rolled back; ids of an
 *	  extension that was dropped before the start, or before its first use
 *	- over the databases of a server the same, unless the clock was not past the
 *	  id at all times since the start; in one start, without exception
 *	- ids of a process increase; in server scope, and for Ulid-Flake, an id is
 *	  greater than all that were returned before the call began
 *	- no id is after a flushed horizon of its database
 *	- ids and horizons are not further ahead of the clock than allowed; a lead
 *	  follows from how long flushes take
 *	- no shared number ever falls, or stays below what a process raised it to;
 *	  the counters are exact sums; no segment stays attached, or until the
 *	  server stops, without use
 *	- a reset has a reason, and finds the horizon as it was planned; a call of an
 *	  administrator changes all formats or none, also if another one runs, it
 *	  fails, or the server crashes; what it returns has been flushed
 *	- a call ends, waits only for a clock that is behind, and raises an error
 *	  only with a reason; in the end, each database generates ids
 *
 * Left out: stores that overtake earlier loads of the same process, torn pages,
 * pg_rewind, settings without preloading, several servers with nodes of their
 * own.
 */
#include "sim.h"



#define MAX_EVENTS	1200

uint64		sim_ids;
bool		sim_traces;

static uint64 random_state;
static jmp_buf failed;
static char failure[256];
static const char *failed_check;	/* the format of the failure */
static const char *wanted_check;	/* of the first failure, or NULL */
static uint64 seed_of_world;
static uint64 n_events;

/* splitmix64: the same numbers on every machine */
static uint64
next_random(uint64 *state)
{
	uint64		z = (*state += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

void
sim_seed(uint64 seed)
{
	random_state = seed;
}

uint64
sim_draw(void)
{
	return next_random(&random_state);
}

/* 0 .. n - 1 */
uint32
sim_below(uint32 n)
{
	return (uint32) (sim_draw() >> 32) % n;
}

/* 1 .. 2^bits, small numbers as often as large ones */
uint64
sim_draw_log(unsigned bits)
{
	unsigned	chosen = sim_below(bits + 1);

	return 1 + (sim_draw() & (flake_mask(chosen)));
}

bool
sim_one_in(uint32 n)
{
	return sim_below(n) == 0;
}

/* Does a call of the server raise an error? */
bool
sim_fault(void)
{
	return sim_world.fault_rate > 0 && sim_one_in(sim_world.fault_rate);
}

void
sim_note(const char *format,...)
{
	va_list		args;

	if (!sim_traces)
		return;
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
}

/* An invariant does not hold. */
void
sim_fail(const char *format,...)
{
	va_list		args;

	va_start(args, format);
	vsnprintf(failure, sizeof(failure), format, args);
	va_end(args);
	failed_check = format;
	_longjmp(failed, 1);
}

/* Play a world; true if an invariant fails, the same as at first. */
static bool
fails(const SimEvent *events, uint32 n)
{
	bool		result = false;

	if (_setjmp(failed) == 0)
	{
		sim_begin_world(seed_of_world);
		for (uint32 i = 0; i < n; i++)
			sim_apply(&events[i]);
		sim_end_world();
		n_events += n;
	}
	else
		result = wanted_check == NULL || wanted_check == failed_check;
	sim_process = NULL;
	sim_loaded = NULL;
	sim_free_world();
	return result;
}

/*
 * Draw the events of a world.  Each world has its own mixture, so that some
 * have much of one kind and none of another.
 */
static uint32
plan(SimEvent *events)
{
	static const uint32 usual[SIM_KINDS] = {
		[SIM_CALL] = 300, [SIM_CALL_WHOLE] = 300, [SIM_ADMIN] = 15,
		[SIM_DDL] = 15, [SIM_END] = 40, [SIM_TICK] = 120, [SIM_CLOCK] = 15,
		[SIM_FLUSH] = 15, [SIM_CHECKPOINT] = 15, [SIM_STOP] = 4,
		[SIM_CRASH] = 12, [SIM_STANDBY] = 8, [SIM_REPLAY] = 15,
		[SIM_PROMOTE] = 6, [SIM_HAND] = 15, [SIM_DROP] = 8, [SIM_TEMPLATE] = 3
	};
	uint32		weights[SIM_KINDS];
	uint32		sum = 0;
	uint32		n = 20 + (uint32) sim_draw_log(10);

	for (int kind = 0; kind < SIM_KINDS; kind++)
	{
		weights[kind] = usual[kind] * (uint32) sim_draw_log(4);
		if (kind > SIM_CALL_WHOLE && sim_one_in(4))
			weights[kind] = 0;
		sum += weights[kind];
	}
	for (uint32 i = 0; i < n; i++)
	{
		uint32		left = sim_below(sum);
		int			kind = 0;

		while (left >= weights[kind])
			left -= weights[kind++];
		events[i] = (SimEvent) {.kind = kind, .random = sim_draw()};
	}
	return n;
}

static void
report(SimEvent *events, uint32 n)
{
	const char *shrink = getenv("SIM_SHRINK");
	char		first[sizeof(failure)];

	memcpy(first, failure, sizeof(first));
	printf("seed of the world: %llu\nfailed: %s\n",
		   (unsigned long long) seed_of_world, first);
	if (shrink != NULL && strcmp(shrink, "0") == 0)
		return;
	wanted_check = failed_check;
	n = sim_shrink(events, n, fails);
	printf("%u events:\n", n);
	sim_traces = true;
	(void) fails(events, n);
	printf("failed: %s\n", failure);
}

int
main(int argc, char **argv)
{
	static SimEvent events[MAX_EVENTS];
	double		seconds = argc > 1 ? atof(argv[1]) : 20;
	uint64		seed = argc > 2 ? strtoull(argv[2], NULL, 10) : (uint64) time(NULL);
	uint64		worlds = 0;
	double		used;

	printf("seed: %llu\n", (unsigned long long) seed);
	fflush(stdout);
	seed_of_world = seed;
	do
	{
		uint32		n;

		sim_seed(seed_of_world ^ UINT64_C(0x5ca1ab1e));
		n = plan(events);
		if (fails(events, n))
		{
			report(events, n);
			return 1;
		}
		worlds++;
		(void) next_random(&seed);
		seed_of_world = seed;
		used = (double) clock() / CLOCKS_PER_SEC;
	} while (used < seconds);
	printf("%llu worlds, %llu events, %llu ids; per second %.0f events, %.0f ids\n",
		   (unsigned long long) worlds, (unsigned long long) n_events,
		   (unsigned long long) sim_ids, n_events / used, sim_ids / used);
	printf("%llu passed, 0 failed\n", (unsigned long long) worlds);
	return 0;
}
