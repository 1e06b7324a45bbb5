/*
 * sim_plan.c
 *		Draws fleets and events from a seed.
 */
#include "sim.h"

#define START_OF_2026_US	INT64_C(1767225600000000)

SimFleet	sim_fleet;

static uint64 random_state;
static uint32 hot_server;

uint64
sim_draw(void)
{
	return sim_random(&random_state);
}

uint32
sim_below(uint32 n)
{
	return (uint32) (sim_draw() % n);
}

/* 1 .. 2^bits, each power of two equally likely */
uint64
sim_draw_log(unsigned bits)
{
	unsigned	width = sim_below(bits + 1);

	return (UINT64_C(1) << width) + (sim_draw() & flake_mask(width)) - 1 + (width == 0);
}

/* In either direction, from a microsecond to a day, and rarely years. */
int64
sim_draw_jump(void)
{
	int64		us = (int64) sim_draw_log(sim_below(64) == 0 ? 50 : 36);

	return sim_draw() & 1 ? us : -us;
}

/* New settings for a server; its node does not change. */
void
sim_address_for(const SimServer *server, uint64 random,
				FlakeidConfig *address, uint32 *backends)
{
	uint64		state = random;
	FlakeAddress *bits = &address->address;

	if (sim_random(&state) % 2 == 0)
		*backends = 1 + (uint32) (sim_random(&state) % sim_fleet.backends);
	if (sim_random(&state) % 2 == 0)
		bits->server_scope = !bits->server_scope;
	if (bits->node_bits + flake_slot_bits(*backends) > 14 &&
		sim_random(&state) % 16 != 0)
		bits->server_scope = true;
	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		int64		ms = (int64) (sim_random(&state) &
								  flake_mask(sim_random(&state) % 31));

		if (sim_random(&state) % 2 == 0 ||
			!flake_layouts[format].epoch_is_setting)
			continue;
		if (sim_random(&state) % 2 == 0 && !sim_fleet.renumbered)
			ms = -ms;
		address->epoch_ms[format] -= ms;
	}
}

/* A rate that is 0 in half of the fleets, and low or high in the others */
static uint32
share(void)
{
	return sim_below(2) == 0 ? 0 : (uint32) sim_draw_log(5);
}

static void
plan_server(uint32 number)
{
	SimServer  *server = &sim_fleet.server[number];
	FlakeidConfig *address = &server->configured;

	server->clock_offset_us = (int64) (sim_draw() % 2000001) - 1000000;
	server->drift_ppm = (int64) (sim_draw() % 401) - 200;
	server->boot_id = sim_below(8) == 0 ? 0 : sim_draw() | 1;
	server->lost = true;
	server->preloaded = sim_below(3) == 0;
	server->slots = 1;
	server->backends = sim_below(sim_fleet.last_slots ? 2 : 4) == 0 ?
		sim_fleet.backends :
		1 + sim_below(sim_fleet.backends);
	address->address.node = number;
	address->address.node_bits = sim_fleet.node_bits;
	address->address.server_scope = sim_below(3) == 0 ||
		sim_fleet.node_bits + flake_slot_bits(server->backends) > 14;
	address->scalability = number % 32;
	for (int format = 0; format < FLAKE_FORMATS; format++)
		address->epoch_ms[format] = flake_layouts[format].epoch_ms;
}

/*
 * Draw a fleet of one to a thousand servers; returns its number of events.
 */
uint32
sim_plan_fleet(uint64 seed)
{
	static const struct
	{
		uint32		servers;
		uint32		backends;
		uint32		events;
	}			sizes[] = {
		{1, 3, 1000}, {1, 8, 2000}, {2, 4, 2000}, {4, 16, 4000},
		{16, 100, 20000}, {1, SIM_MAX_BACKENDS, 10000},
		{SIM_MAX_SERVERS, SIM_MAX_BACKENDS, 200000}
	};
	uint32		kind;
	uint32		size;

	random_state = seed;
	kind = sim_below(1000);
	size = kind < 300 ? 0 : kind < 550 ? 1 : kind < 750 ? 2 :
		kind < 930 ? 3 : kind < 980 ? 4 : kind < 998 ? 5 : 6;
	sim_fleet = (SimFleet) {.seed = seed};
	sim_fleet.servers = 1 + sim_below(sizes[size].servers);
	sim_fleet.last_slots = sim_below(4) == 0;
	sim_fleet.backends = sim_below(sim_fleet.last_slots ? 2 : 16) == 0 ?
		SIM_MAX_BACKENDS : 1 + sim_below(sizes[size].backends);
	sim_fleet.node_bits = flake_slot_bits(sim_fleet.servers);
	sim_fleet.hot_slots = 1 + sim_below(4);
	sim_fleet.thousandths_of_faults = 1 + (uint32) sim_draw_log(7);
	sim_fleet.thousandths_of_scenes = share();
	sim_fleet.hundredths_of_failures = share();
	sim_fleet.hundredths_of_admin = share();
	sim_fleet.drops_failed_pages = sim_below(2) == 0;
	sim_fleet.count_bits = 1 + sim_below(9);
	sim_fleet.step_bits = sim_below(15);
	sim_fleet.time_us = START_OF_2026_US;
	sim_fleet.server = calloc(sim_fleet.servers, sizeof(SimServer));
	for (uint32 i = 0; i < sim_fleet.servers; i++)
		plan_server(i);
	hot_server = sim_below(sim_fleet.servers);
	sim_end_scene();
	sim_ids_clear();
	return sizes[size].events;
}

void
sim_free_fleet(void)
{
	for (uint32 i = 0; i < sim_fleet.servers; i++)
		sim_end_processes(&sim_fleet.server[i]);
	sim_free_files();
	free(sim_fleet.server);
	sim_fleet.server = NULL;
}

/* A slot: one of a few, so that many events meet, or any. */
void
sim_plan_slot(SimEvent *event)
{
	event->slot = sim_below(10) == 0 ? sim_below(SIM_MAX_BACKENDS) :
		sim_below(sim_fleet.hot_slots);
	event->from_last = sim_fleet.last_slots;
	event->is_worker = false;
}

/* Sometimes the event concerns a worker, whose session may have ended. */
static void
plan_worker(SimEvent *event)
{
	event->is_worker = sim_below(16) == 0;
}

SimWhat
sim_plan_what(void)
{
	uint32		what = sim_below(100);

	return what < 45 ? SIM_MAKE_FLUID : what < 75 ? SIM_MAKE_NANOFLAKE :
		what < 87 ? SIM_MAKE_ULIDFLAKE : what < 97 ? SIM_MAKE_SCALABLE :
		SIM_STATUS;
}

/* The call is left before an access: other processes run, or it is killed. */
static void
cut(SimEvent *event)
{
	event->counts = (SimAccess) sim_below(SIM_ACCESSES);
	event->accesses = event->counts == SIM_RARE ? 1 + sim_below(40) :
		sim_draw_log(sim_below(4) == 0 ? 11 : 4);
}

void
sim_plan_failures(SimEvent *event)
{
	if (sim_below(100) >= sim_fleet.hundredths_of_failures)
		return;
	event->fails_at = 1 + sim_below(12);
	event->fails = sim_below(4) == 0 ? 1000 : 1;
}

static void
plan_admin(SimEvent *event)
{
	event->what = sim_below(3) == 0 ? SIM_RESET : SIM_RAISE;
	event->amount = (int64) sim_draw_log(30);
}

/* A call is begun or continued. */
static void
plan_call(SimEvent *event)
{
	event->kind = SIM_CALL;
	plan_worker(event);
	event->what = sim_plan_what();
	event->ids = sim_below(4) == 0 ? (uint32) sim_draw_log(10) : 1;
	event->patience = sim_below(8) == 0 ? 100 : sim_below(3);
	if (sim_below(100) < sim_fleet.hundredths_of_admin)
		plan_admin(event);
	if (sim_below(2) == 0)
		cut(event);
	sim_plan_failures(event);
}

static void
plan_fault(SimEvent *event)
{
	/* percentages */
	static const struct
	{
		SimKind		kind;
		uint32		weight;
	}			kinds[] = {
		{SIM_KILL, 20}, {SIM_KILL_ALL, 5}, {SIM_CLOCK, 16}, {SIM_STOP, 9},
		{SIM_REBOOT, 3}, {SIM_POWER, 6}, {SIM_WRITE_BACK, 12},
		{SIM_DELETE, 2}, {SIM_TEAR, 2}, {SIM_COPY, 2}, {SIM_RELOAD, 6}, {SIM_COMMIT, 7},
		{SIM_BACKUP, 4}, {SIM_PROMOTE, 3}, {SIM_CALL, 3}
	};
	uint32		left = sim_below(100);
	uint32		i = 0;

	while (left >= kinds[i].weight)
		left -= kinds[i++].weight;
	event->kind = kinds[i].kind;
	event->amount = sim_below(2) == 0 ? 0 : sim_draw_jump();
	if (event->kind == SIM_CLOCK)
		event->amount = sim_draw_jump();
	if (event->kind == SIM_KILL)
		plan_worker(event);
	if (event->kind == SIM_CALL)
		plan_admin(event);
	if (sim_below(2000) == 0)
	{
		event->kind = SIM_RENUMBER;
		event->amount = sim_below(1000);
	}
}

/* A healthy server, and one of its processes */
void
sim_plan_probe(SimEvent *event)
{
	*event = (SimEvent) {.kind = SIM_PROBE, .random = sim_draw()};
	event->server = sim_below(4) == 0 ? sim_below(sim_fleet.servers) : hot_server;
	sim_plan_slot(event);
	event->what = sim_plan_what();
	if (sim_below(8) == 0)
		plan_admin(event);
}

/* The next event. */
void
sim_plan_event(SimEvent *event)
{
	uint32		kind = sim_below(1000);

	if (sim_next_of_scene(event))
		return;
	*event = (SimEvent) {.random = sim_draw()};
	if (sim_below(100) == 0)
		hot_server = sim_below(sim_fleet.servers);
	event->server = sim_below(10) == 0 ? sim_below(sim_fleet.servers) : hot_server;
	sim_plan_slot(event);
	if (sim_below(1000) < sim_fleet.thousandths_of_scenes)
	{
		sim_plan_scene(hot_server);
		(void) sim_next_of_scene(event);
	}
	else if (kind < sim_fleet.thousandths_of_faults)
		plan_fault(event);
	else if (kind < 900)
		plan_call(event);
	else if (kind < 910)
		event->kind = SIM_START;
	else if (kind < 913)
		sim_plan_probe(event);
	else
	{
		event->kind = SIM_TICK;
		event->amount = (int64) sim_draw_log(11);
		if (sim_below(64) == 0)
			event->amount = (int64) sim_draw_log(36);
	}
}
