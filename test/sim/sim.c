/*
 * sim.c
 *		A deterministic simulation of fleets of servers that generate ids.
 *
 *	sim [SECONDS [SEED]]
 *
 * SECONDS are CPU seconds (default 20).  Prints the seed, the numbers of
 * events and ids, and both per second.  If an invariant fails, it prints the
 * seed of that fleet and a shortest list of events; "sim 0 SEED" plays that
 * fleet again.  SIM_SHRINK=0 omits the list.
 *
 * The simulation runs the extension's own code: src/format, and from src/pg
 * state_attach.c, state_lock.c, state_set_up.c, state_file.c (create, inspect,
 * set aside), state_fold.c (fold, horizons, reset, raise), sequence.c (generate
 * ids) and count.c, on top of a small server (server/postgres.h, sim_server.c,
 * sim_file.c).  Each process makes its calls on a stack of its own.  At every
 * access to shared memory, the clock, the lock or the file, the process can be
 * suspended, so that others run, or killed.  Plain stores to the records of
 * the file are such accesses, one per word, so that other processes can see
 * half-written records.
 *
 * Events (sim_event.c), all drawn from one seed (sim_plan.c):
 *	- up to 1,000 servers with up to 500 backends, which start and end and
 *	  reuse each other's slots, and are killed between any two accesses, one at
 *	  a time or all of a server's; waits that end, and waits that time out
 *	- clocks that drift apart and are set in both directions, by microseconds
 *	  to years
 *	- servers stopped, started, rebooted; power losses: then each page of the
 *	  file is as last synced or written back by the kernel, and the names are
 *	  those that the folder had when last synced
 *	- kernels with and without boot ids
 *	- sessions with settings of their own, which have workers set up the file,
 *	  on servers with and without preloading; workers are killed like any
 *	  process, and continue without their session
 *	- the file deleted or torn, also under a running server; copies of it, or
 *	  of a backup, put in its place, also under a running server
 *	- standbys promoted on the same or another machine, with an older copy of
 *	  the file, torn or whole, or without one, with the inode of the file or
 *	  another; after replaying the newest commit, an older one, or none; the
 *	  replayed time forgotten at a restart
 *	- scope, epochs and connection limits changed by a reload, which takes
 *	  effect at the next start; node bits and node ids, on all servers while
 *	  all are stopped
 *	- floors raised, clocks reset, both interrupted like any call; calls
 *	  canceled while they wait for the file
 *	- system calls that fail, once or for the rest of a turn: open, flock,
 *	  fstat, mmap, write, fsync, msync, rename, and reading the boot id;
 *	  kernels that consider a page clean after its sync failed, and kernels
 *	  that do not
 *	- scenes, which are several events in a row: starts whose fold is
 *	  interrupted, floors raised by two processes at once, resets, horizons
 *	  followed by a power loss, copies, a process stopped while it inspects the
 *	  file, or when its sync failed; they stop a process before its nth rare
 *	  write, which only a fold, a horizon, a raise or a reset makes
 *
 * Invariants (sim_check.c), checked after every id:
 *	- no duplicate ids: FLUIDs and Nanoflakes in the whole fleet, Ulid-Flakes
 *	  of both forms on a server
 *	- node, slot and scalability are those of the generating process; the
 *	  address in effect is the server's as configured at the fold, whatever a
 *	  session has set
 *	- ids of a process increase; in server scope, and for Ulid-Flakes always, a
 *	  call that begins after another returned gets the greater id
 *	- ids are above all ids generated before the server's start, however the
 *	  server ended, and above a raised floor
 *	- ids are ahead of the clock by no more than the clock was set back, a
 *	  floor, and a millisecond; Nanoflakes never are
 *	- a call that fails leaves its process unchanged; a format that need not
 *	  wait does not wait while the clock advances; every call ends
 *	- a call in which a system call failed raises an error, and keeps neither
 *	  lock nor descriptor
 *	- when nothing fails, all processes run and time passes, the server
 *	  completes the next call, unless settings or clock forbid it
 *	- an intact file is never set aside, or reported as removed, damaged or
 *	  replaced
 *	- the counters of the file are the sums of the counts of its processes since
 *	  the start, including killed ones; a fold sets them to 0
 *	- a fold fails only for a later epoch, with ids far ahead of the clock, and
 *	  leaves the file unchanged
 *
 * Exceptions listed in doc/protocol.md are handled at the event itself: ids
 * that may be repeated are forgotten, and no others.
 *	- file deleted or torn: ids above the clock at which the new one is created
 *	- a copy in place of the file: ids generated after the copy was made
 *	- promotion: ids covered neither by the copy of the file nor by the
 *	  replayed commit with its margin; epochs that the standby has not received
 *	- reset: ids above the clock of the fold that did it; a reset whose call
 *	  returned is done, one whose call was killed may be done
 *	- node bits changed: clocks are never set back below the newest id of that
 *	  moment, and epochs are not moved forward
 *
 * Not modeled: memory order (accesses are sequentially consistent; see the
 * barriers in the code), torn 8-byte writes, split brain and cloned machines,
 * a file system that misreports, error messages, and the duration of waits.
 */
#include "sim.h"

#undef clock_gettime

/*
 * CPU seconds are counted, so that a busy machine plays as many fleets; this
 * factor limits the elapsed time.
 */
#define PATIENCE	4

/* Number of servers that are probed at the end */
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

/* Play a fleet's life from its seed; its events stay in the list. */
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

/* True if the fleet fails in the same way with only these events */
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
	printf("%u fleets, %llu events (%.0f per second), %llu ids (%.0f per second), %llu calls failed\n",
		   fleets, (unsigned long long) all_events,
		   (double) all_events / took, (unsigned long long) all_ids,
		   (double) all_ids / took, (unsigned long long) all_refused);
	printf("%u passed, %u failed\n", fleets - failed, failed);
	return failed;
}
