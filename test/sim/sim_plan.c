/*
 * sim_plan.c
 *		Draws fleets and events from a seed.
 */
#include "sim.h"

#define START_OF_2026_US	INT64_C(1767225600000000)

SimFleet	sim_fleet;

static uint64 random_state;
static uint32 hot_server;

static uint64
draw(void)
{
	return sim_random(&random_state);
}

static uint32
below(uint32 n)
{
	return (uint32) (draw() % n);
}

/* 1 .. 2^bits, each power of two as likely as the next */
static uint64
draw_log(unsigned bits)
{
	unsigned	width = below(bits + 1);

	return (UINT64_C(1) << width) + (draw() & flake_mask(width)) - 1 + (width == 0);
}

/* Either way, from a microsecond to a day, and seldom to years. */
static int64
draw_jump(void)
{
	int64		us = (int64) draw_log(below(64) == 0 ? 50 : 36);

	return draw() & 1 ? us : -us;
}

/* Other settings for a server; its node stays. */
void
sim_address_for(const SimServer *server, uint64 random,
				FlakeidAddress *address, uint32 *backends)
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
	for (int format = 0; format < FLAKE_ULIDFLAKE; format++)
	{
		int64		ms = (int64) (sim_random(&state) &
								  flake_mask(sim_random(&state) % 31));

		if (sim_random(&state) % 2 == 0)
			continue;
		if (sim_random(&state) % 2 == 0 && !sim_fleet.renumbered)
			ms = -ms;
		address->epoch_ms[format] -= ms;
	}
}

static void
plan_server(uint32 number)
{
	SimServer  *server = &sim_fleet.server[number];
	FlakeidAddress *address = &server->configured;

	server->clock_offset_us = (int64) (draw() % 2000001) - 1000000;
	server->drift_ppm = (int64) (draw() % 401) - 200;
	server->boot_id = below(8) == 0 ? 0 : draw() | 1;
	server->lost = true;
	server->slots = 1;
	server->backends = 1 + below(sim_fleet.backends);
	address->address.node = number;
	address->address.node_bits = sim_fleet.node_bits;
	address->address.server_scope = below(3) == 0 ||
		sim_fleet.node_bits + flake_slot_bits(server->backends) > 14;
	address->scalability = number % 32;
	for (int format = 0; format < FLAKE_FORMATS; format++)
		address->epoch_ms[format] = flake_layouts[format].epoch_ms;
}

/*
 * A fleet, of one server or of a thousand; returns how many events it is to
 * live through.
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
	kind = below(1000);
	size = kind < 300 ? 0 : kind < 550 ? 1 : kind < 750 ? 2 :
		kind < 930 ? 3 : kind < 980 ? 4 : kind < 998 ? 5 : 6;
	sim_fleet = (SimFleet) {.seed = seed};
	sim_fleet.servers = 1 + below(sizes[size].servers);
	sim_fleet.backends = 1 + below(sizes[size].backends);
	sim_fleet.node_bits = flake_slot_bits(sim_fleet.servers);
	sim_fleet.hot_slots = 1 + below(4);
	sim_fleet.thousandths_of_faults = 1 + (uint32) draw_log(7);
	sim_fleet.count_bits = 1 + below(9);
	sim_fleet.step_bits = below(15);
	sim_fleet.time_us = START_OF_2026_US;
	sim_fleet.server = calloc(sim_fleet.servers, sizeof(SimServer));
	for (uint32 i = 0; i < sim_fleet.servers; i++)
		plan_server(i);
	hot_server = below(sim_fleet.servers);
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

/* A call, begun or gone on with. */
static void
plan_call(SimEvent *event)
{
	uint32		what = below(100);

	event->kind = SIM_CALL;
	event->what = what < 45 ? SIM_MAKE_FLUID : what < 75 ? SIM_MAKE_NANOFLAKE :
		what < 87 ? SIM_MAKE_ULIDFLAKE : what < 97 ? SIM_MAKE_SCALABLE :
		SIM_STATUS;
	event->ids = below(4) == 0 ? (uint32) draw_log(10) : 1;
	event->patience = below(8) == 0 ? 100 : below(3);
	if (below(2) == 0)
		event->accesses = draw_log(below(4) == 0 ? 11 : 4);
	event->writes = below(2) == 0;
}

static void
plan_fault(SimEvent *event)
{
	/* so many in a hundred */
	static const struct
	{
		SimKind		kind;
		uint32		weight;
	}			kinds[] = {
		{SIM_KILL, 22}, {SIM_KILL_ALL, 5}, {SIM_CLOCK, 16}, {SIM_STOP, 9},
		{SIM_REBOOT, 3}, {SIM_POWER, 6}, {SIM_WRITE_BACK, 12},
		{SIM_DELETE, 2}, {SIM_TEAR, 2}, {SIM_RELOAD, 6}, {SIM_COMMIT, 7},
		{SIM_BACKUP, 4}, {SIM_PROMOTE, 3}, {SIM_CALL, 3}
	};
	uint32		left = below(100);
	uint32		i = 0;

	while (left >= kinds[i].weight)
		left -= kinds[i++].weight;
	event->kind = kinds[i].kind;
	event->amount = below(2) == 0 ? 0 : draw_jump();
	if (event->kind == SIM_CLOCK)
		event->amount = draw_jump();
	if (event->kind == SIM_CALL)
	{
		event->what = below(3) == 0 ? SIM_RESET : SIM_RAISE;
		event->amount = (int64) draw_log(30);
	}
	if (below(2000) == 0)
	{
		event->kind = SIM_RENUMBER;
		event->amount = below(1000);
	}
}

/* The next event. */
void
sim_plan_event(SimEvent *event)
{
	uint32		kind = below(1000);

	*event = (SimEvent) {.random = draw()};
	if (below(100) == 0)
		hot_server = below(sim_fleet.servers);
	event->server = below(10) == 0 ? below(sim_fleet.servers) : hot_server;
	event->slot = below(10) == 0 ? below(SIM_MAX_BACKENDS) :
		below(sim_fleet.hot_slots);
	if (kind < sim_fleet.thousandths_of_faults)
		plan_fault(event);
	else if (kind < 900)
		plan_call(event);
	else if (kind < 910)
		event->kind = SIM_START;
	else
	{
		event->kind = SIM_TICK;
		event->amount = (int64) draw_log(11);
		if (below(64) == 0)
			event->amount = (int64) draw_log(36);
	}
}
