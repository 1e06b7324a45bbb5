/*
 * sim_plan.c
 *		Draws fleets and events from a seed.
 */
#include "sim.h"

#define START_OF_2026_US	INT64_C(1767225600000000)

SimFleet	sim_fleet;

static uint64 random_state;
static uint32 hot_server;

/* The scene that is played, if one is. */
static SimEvent scene[32];
static uint32 planned;
static uint32 played;

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
	server->backends = below(sim_fleet.last_slots ? 2 : 4) == 0 ?
		sim_fleet.backends :
		1 + below(sim_fleet.backends);
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
	sim_fleet.last_slots = below(4) == 0;
	sim_fleet.backends = below(sim_fleet.last_slots ? 2 : 16) == 0 ?
		SIM_MAX_BACKENDS : 1 + below(sizes[size].backends);
	sim_fleet.node_bits = flake_slot_bits(sim_fleet.servers);
	sim_fleet.hot_slots = 1 + below(4);
	sim_fleet.thousandths_of_faults = 1 + (uint32) draw_log(7);
	sim_fleet.thousandths_of_scenes = below(2) == 0 ? 0 : (uint32) draw_log(5);
	sim_fleet.hundredths_of_failures = below(2) == 0 ? 0 : (uint32) draw_log(5);
	sim_fleet.hundredths_of_admin = below(2) == 0 ? 0 : (uint32) draw_log(5);
	sim_fleet.count_bits = 1 + below(9);
	sim_fleet.step_bits = below(15);
	sim_fleet.time_us = START_OF_2026_US;
	sim_fleet.server = calloc(sim_fleet.servers, sizeof(SimServer));
	for (uint32 i = 0; i < sim_fleet.servers; i++)
		plan_server(i);
	hot_server = below(sim_fleet.servers);
	planned = played = 0;
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

/* A slot: one of few, so that much happens to each, or any. */
static void
plan_slot(SimEvent *event)
{
	event->slot = below(10) == 0 ? below(SIM_MAX_BACKENDS) :
		below(sim_fleet.hot_slots);
	event->from_last = sim_fleet.last_slots;
}

static SimWhat
plan_what(void)
{
	uint32		what = below(100);

	return what < 45 ? SIM_MAKE_FLUID : what < 75 ? SIM_MAKE_NANOFLAKE :
		what < 87 ? SIM_MAKE_ULIDFLAKE : what < 97 ? SIM_MAKE_SCALABLE :
		SIM_STATUS;
}

/* The call is left before an access: for others to run, or to be killed. */
static void
cut(SimEvent *event)
{
	event->counts = (SimAccess) below(SIM_ACCESSES);
	event->accesses = event->counts == SIM_RARE ? 1 + below(40) :
		draw_log(below(4) == 0 ? 11 : 4);
}

static void
plan_failures(SimEvent *event)
{
	if (below(100) >= sim_fleet.hundredths_of_failures)
		return;
	event->fails_at = 1 + below(12);
	event->fails = below(4) == 0 ? 1000 : 1;
}

static void
plan_admin(SimEvent *event)
{
	event->what = below(3) == 0 ? SIM_RESET : SIM_RAISE;
	event->amount = (int64) draw_log(30);
}

/* A call, begun or gone on with. */
static void
plan_call(SimEvent *event)
{
	event->kind = SIM_CALL;
	event->what = plan_what();
	event->ids = below(4) == 0 ? (uint32) draw_log(10) : 1;
	event->patience = below(8) == 0 ? 100 : below(3);
	if (below(100) < sim_fleet.hundredths_of_admin)
		plan_admin(event);
	if (below(2) == 0)
		cut(event);
	plan_failures(event);
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
		plan_admin(event);
	if (below(2000) == 0)
	{
		event->kind = SIM_RENUMBER;
		event->amount = below(1000);
	}
}

/*
 * Scenes: what has to happen in a row to meet a rare window, and so would
 * hardly ever by events that know nothing of each other.
 */
static SimEvent *
add(SimKind kind)
{
	SimEvent   *event = &scene[planned++];

	*event = (SimEvent) {.kind = kind, .random = draw(),
						 .server = hot_server};
	plan_slot(event);
	return event;
}

/* A call of the scene; a cut is before a rare write, and there it stays. */
static SimEvent *
add_call(SimWhat what, uint32 slot, bool is_cut)
{
	SimEvent   *event = add(SIM_CALL);

	event->what = what;
	event->slot = slot;
	event->ids = 1;
	event->patience = below(3);
	if (sim_makes(what))
		event->ids += below(3);
	else if (what == SIM_RAISE)
		event->amount = (int64) draw_log(30);
	if (is_cut)
	{
		event->counts = SIM_RARE;
		event->accesses = 1 + below(below(2) == 0 ? 40 : 8);
	}
	plan_failures(event);
	return event;
}

/* Ids, of a format that no clock holds up. */
static SimWhat
what_to_make(void)
{
	return below(2) == 0 ? SIM_MAKE_FLUID : plan_what();
}

/* Something that ends processes, with the clock set or not. */
static void
add_end(void)
{
	static const SimKind ends[] = {
		SIM_KILL_ALL, SIM_STOP, SIM_POWER, SIM_POWER, SIM_REBOOT
	};
	SimEvent   *event = add(ends[below(5)]);

	event->amount = below(2) == 0 ? 0 : draw_jump();
}

/* The server starts, and its fold is cut short; or several of them. */
static void
add_starts(uint32 slot)
{
	for (uint32 times = 1 + below(2); times > 0; times--)
	{
		if (below(2) == 0)
			add(SIM_CLOCK)->amount = draw_jump();
		add(SIM_START);
		add_call(what_to_make(), slot, below(4) != 0);
		if (below(16) == 0)
			add(SIM_DELETE);
		else if (below(2) == 0)
			add_end();
		else
			add(SIM_KILL)->slot = slot;
	}
	add(SIM_START);
	add_call(what_to_make(), slot + 1, false);
}

static void
plan_scene(void)
{
	uint32		slot = below(sim_fleet.hot_slots);

	planned = played = 0;
	switch (below(4))
	{
		case 0:					/* starts */
			add(SIM_STOP);
			add_starts(slot);
			break;
		case 1:					/* two raise at once */
			add_call(SIM_RAISE, slot, true);
			add_call(SIM_RAISE, slot + 1, below(4) == 0);
			add_call(what_to_make(), slot + 2, below(4) == 0);
			add_call(SIM_RAISE, slot, false);
			add_call(what_to_make(), slot + 3, false);
			if (below(2) == 0)
				add_end();
			break;
		case 2:					/* a reset */
			add(SIM_CLOCK)->amount = draw_jump();
			add_call(SIM_RESET, slot, below(2) == 0);
			add_end();
			add_starts(slot);
			break;
		case 3:					/* a horizon, and the power lost */
			add(SIM_TICK)->amount = (int64) draw_log(24);
			add_call(what_to_make(), slot, true);
			add_call(what_to_make(), slot + 1, below(2) == 0);
			add_end();
			add_starts(slot);
			break;
	}
}

/* A healthy server, and a process of it. */
void
sim_plan_probe(SimEvent *event)
{
	*event = (SimEvent) {.kind = SIM_PROBE, .random = draw()};
	event->server = below(4) == 0 ? below(sim_fleet.servers) : hot_server;
	plan_slot(event);
	event->what = plan_what();
	if (below(8) == 0)
		plan_admin(event);
}

/* The next event. */
void
sim_plan_event(SimEvent *event)
{
	uint32		kind = below(1000);

	if (played < planned)
	{
		*event = scene[played++];
		return;
	}
	*event = (SimEvent) {.random = draw()};
	if (below(100) == 0)
		hot_server = below(sim_fleet.servers);
	event->server = below(10) == 0 ? below(sim_fleet.servers) : hot_server;
	plan_slot(event);
	if (below(1000) < sim_fleet.thousandths_of_scenes)
	{
		plan_scene();
		*event = scene[played++];
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
		event->amount = (int64) draw_log(11);
		if (below(64) == 0)
			event->amount = (int64) draw_log(36);
	}
}
