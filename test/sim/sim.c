/*
 * sim.c
 *		A deterministic simulation of fleets of servers that make ids.
 *
 *	sim [SECONDS [SEED]]
 *
 * SECONDS are of the processor (default 20).  Prints seed, events and ids, and
 * how many of both a second.  When a promise is broken: the seed of the fleet
 * and a shortest list of events, after which "sim 0 SEED" plays that fleet
 * again.  SIM_SHRINK=0 does without the list.
 *
 * What runs here is the extension's own code: src/format, and of src/pg state_attach.c
 * (attach, lock), state_file.c (make, look at, set aside), state_fold.c (fold,
 * horizons, reset, raise), sequence.c (make ids) and count.c, over a server of a
 * few hundred lines (server/postgres.h, sim_server.c, sim_file.c).  Each process
 * makes its calls on a stack of its own.  Every access to shared memory, the
 * clock, the lock or the file is a place where it can be left, for others to
 * run, or killed.  Plain stores to the file's records are accesses, too, one
 * for each word, so that others see records half written.
 *
 * What happens (sim_event.c), all drawn from one seed (sim_plan.c):
 *	- up to 1,000 servers with up to 500 backends, which come and go and take
 *	  each other's slots, are killed between any two accesses, one at a time or
 *	  all of a server's; waits that end, and that are given up
 *	- clocks that drift apart and are set both ways, by microseconds or years
 *	- servers stopped, started, rebooted; power lost: then each page of the
 *	  file is what was last synced or written back by the kernel, and each name
 *	  what the folder held when it was last synced
 *	- kernels that know their boots, and such that do not
 *	- sessions with settings of their own, which have workers set up the file,
 *	  on servers that have the library preloaded or not; workers killed as any
 *	  process, and going on without their session
 *	- the file deleted, also under a running server, and torn; copies of it, or
 *	  of a backup, put in its place, also under a running server
 *	- standbys promoted on other machines or the same, with an older copy of
 *	  the file, torn or whole, or without it, with the inode of the file or
 *	  another; having replayed the newest commit, an older one, or none; the
 *	  replayed time forgotten at a restart
 *	- scope, epochs and connection limits changed by a reload, which takes
 *	  force at the next start; node bits and node numbers, on all servers while
 *	  all are stopped
 *	- floors raised, clocks reset, both cut short as every call; calls that are
 *	  canceled while they wait for the file
 *	- system calls that fail, once or for the rest of a turn: open, flock,
 *	  fstat, mmap, write, fsync, msync, rename, and the reading of the boot;
 *	  kernels that take pages for written whose sync failed, and such that do
 *	  not
 *	- scenes, several events in a row: starts whose fold is cut short, floors
 *	  raised by two at once, resets, horizons with the power lost after them,
 *	  copies, a process stopped while it looks at the file, or when its sync
 *	  failed; they stop a process before its nth rare write, which only a fold,
 *	  a horizon, a raise or a reset does
 *
 * What must hold (sim_check.c), looked at after every id:
 *	- no id twice: FLUIDs and Nanoflakes in the whole fleet, Ulid-Flakes of
 *	  both forms on a server
 *	- node, slot and scalability are the maker's; the address in force is the
 *	  server's as it was configured at the fold, whatever a session has set
 *	- ids of a process increase; in server scope, and Ulid-Flakes always, a call
 *	  begun after another returned gets the greater id
 *	- ids lie above all that were made before the server's start, however it
 *	  ended, and above a raised floor
 *	- ids get ahead of the clock only by what it was set back, a floor, and a
 *	  millisecond; Nanoflakes not at all
 *	- a refused call leaves its process as it was; a format that carries on
 *	  does not wait while the clock moves on; every call ends
 *	- a call in which the system failed is refused, and keeps neither lock nor
 *	  descriptor
 *	- when nothing fails, everybody runs and time passes, the server serves the
 *	  next call, unless settings or clock forbid it: ids are made
 *	- a file that nobody touched is never set aside, nor called removed,
 *	  damaged or replaced
 *	- the file's counters are the sums of what its processes have counted since
 *	  the start, the killed ones too; a fold begins them at 0
 *	- a fold is refused only for a later epoch, with ids far ahead of the clock,
 *	  and leaves the file as it was
 *
 * What need not hold, since doc/protocol.md names it, is left out at the event
 * itself: the ids that may come again are forgotten, and no others.
 *	- file deleted or torn: those above the clock by which the new one is made
 *	- a copy in place of the file: those that were made after it
 *	- promotion: those that neither the copy of the file nor the replayed
 *	  commit, with its margin, answers for; epochs that no one told the standby
 *	  of
 *	- reset: those above the clock of the fold that did it; a reset whose call
 *	  returned is done, one whose call was killed may be
 *	- node bits changed: clocks are never set back below the newest id of that
 *	  moment, and epochs not moved forward
 *
 * What is not modelled: memory order (all accesses happen in one order; see
 * the barriers in the code), torn 8-byte writes, split brain and cloned
 * machines, a file system that lies, error messages, and how long a wait lasts.
 */
#include "sim.h"

#undef clock_gettime

/*
 * Seconds are of the processor, so that a busy machine plays as many fleets,
 * but no more than so many times as long.
 */
#define PATIENCE	4

/* So many servers are asked in the end whether they still make ids. */
#define PROBES	4

static SimEvent *events;
static uint64 all_events;
static uint64 all_ids;
static uint64 all_refused;

static double
seconds(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double) now.tv_sec + (double) now.tv_nsec / 1e9;
}

static bool
has_failed(void)
{
	return sim_fleet.failed != NULL;
}

/* Play a fleet's life from its seed; the events stay in the list. */
static uint32
play_seed(uint64 seed)
{
	uint32		planned = sim_plan_fleet(seed);
	uint32		n = 0;

	events = realloc(events, (planned + PROBES) * sizeof(SimEvent));
	while (n < planned + PROBES && !has_failed())
	{
		if (n < planned)
			sim_plan_event(&events[n]);
		else
			sim_plan_probe(&events[n]);
		sim_apply(&events[n++]);
	}
	return n;
}

/* Does the fleet fail in the same way with these events alone? */
static bool
fails(const SimEvent *list, uint32 n)
{
	static const char *way;
	uint64		seed = sim_fleet.seed;
	bool		failed;

	if (has_failed() && way == NULL)
		way = sim_fleet.failed;

	(void) sim_plan_fleet(seed);
	for (uint32 i = 0; i < n && !has_failed(); i++)
		sim_apply(&list[i]);
	failed = sim_fleet.failed == way;
	sim_free_fleet();
	return failed;
}

static void
report(uint32 n)
{
	char		failure[sizeof(sim_fleet.failure)];
	char		line[200];

	strcpy(failure, sim_fleet.failure);
	printf("not ok fleet %llu (%u servers, up to %u backends), event %u: %s\n",
		   (unsigned long long) sim_fleet.seed, sim_fleet.servers,
		   sim_fleet.backends, n, failure);
	fflush(stdout);
	sim_free_fleet();
	if (getenv("SIM_SHRINK") != NULL && atoi(getenv("SIM_SHRINK")) == 0)
		return;
	n = sim_shrink(events, n, fails);
	(void) fails(events, n);
	printf("A shortest list of events, %u, for: %s\n", n, sim_fleet.failure);
	for (uint32 i = 0; i < n; i++)
	{
		sim_describe(&events[i], line, sizeof(line));
		printf("%5u  %s\n", i + 1, line);
	}
}

int
main(int argc, char **argv)
{
	double		limit = argc > 1 ? atof(argv[1]) : 20;
	uint64		seed = argc > 2 ? strtoull(argv[2], NULL, 0) :
		(uint64) time(NULL) * 1000000;
	double		end = seconds(CLOCK_MONOTONIC) + PATIENCE * limit;
	unsigned	fleets = 0;
	bool		failed = false;
	double		took;

	printf("seed: SEED=%llu\n", (unsigned long long) seed);
	fflush(stdout);
	do
	{
		uint32		n = play_seed(seed + fleets++);

		all_events += n;
		all_ids += sim_fleet.ids;
		all_refused += sim_fleet.refused;
		failed = has_failed();
		if (failed)
			report(n);
		else
			sim_free_fleet();
		took = seconds(CLOCK_PROCESS_CPUTIME_ID);
	} while (!failed && took < limit && seconds(CLOCK_MONOTONIC) < end);
	printf("%u fleets, %llu events (%.0f a second), %llu ids (%.0f a second), %llu calls refused\n",
		   fleets, (unsigned long long) all_events,
		   (double) all_events / took, (unsigned long long) all_ids,
		   (double) all_ids / took, (unsigned long long) all_refused);
	printf("%u passed, %u failed\n", fleets - failed, failed);
	return failed;
}
