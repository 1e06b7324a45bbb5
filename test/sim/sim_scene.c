/*
 * sim_scene.c
 *		Scenes: sequences of events that reach rare windows, which independent
 *		events hardly ever would.
 */
#include "sim.h"

/* The scene being played, if any. */
static SimEvent scene[32];
static uint32 planned;
static uint32 played;
static uint32 scene_server;

static SimEvent *
add(SimKind kind)
{
	SimEvent   *event = &scene[planned++];

	*event = (SimEvent) {.kind = kind, .random = sim_draw(),
						 .server = scene_server};
	sim_plan_slot(event);
	return event;
}

/*
 * A call of the scene; an interruption is before a rare write, and the process
 * stays there.
 */
static SimEvent *
add_call(SimWhat what, uint32 slot, bool is_cut)
{
	SimEvent   *event = add(SIM_CALL);

	event->what = what;
	event->slot = slot;
	event->ids = 1;
	event->patience = sim_below(3);
	if (sim_makes(what))
		event->ids += sim_below(3);
	else if (what == SIM_RAISE)
		event->amount = (int64) sim_draw_log(30);
	if (is_cut)
	{
		event->counts = SIM_RARE;
		event->accesses = 1 + sim_below(sim_below(2) == 0 ? 40 : 8);
	}
	sim_plan_failures(event);
	return event;
}

/* Generate ids of a format that does not wait for the clock. */
static SimWhat
what_to_make(void)
{
	return sim_below(2) == 0 ? SIM_MAKE_FLUID : sim_plan_what();
}

/* An event that ends processes, with or without setting the clock */
static void
add_end(void)
{
	static const SimKind ends[] = {
		SIM_KILL_ALL, SIM_STOP, SIM_POWER, SIM_POWER, SIM_REBOOT
	};
	SimEvent   *event = add(ends[sim_below(5)]);

	event->amount = sim_below(2) == 0 ? 0 : sim_draw_jump();
}

/* The server starts, and its fold is interrupted; or several folds are. */
static void
add_starts(uint32 slot)
{
	for (uint32 times = 1 + sim_below(2); times > 0; times--)
	{
		if (sim_below(2) == 0)
			add(SIM_CLOCK)->amount = sim_draw_jump();
		add(SIM_START);
		add_call(what_to_make(), slot, sim_below(4) != 0);
		if (sim_below(16) == 0)
			add(SIM_DELETE);
		else if (sim_below(2) == 0)
			add_end();
		else
			add(SIM_KILL)->slot = slot;
	}
	add(SIM_START);
	add_call(what_to_make(), slot + 1, false);
}

/* A copy of the file replaces it, or a standby takes over. */
static void
add_copy(void)
{
	if (sim_below(2) == 0)
		add(SIM_COPY);
	if (sim_below(2) == 0)
		return;
	add(SIM_BACKUP);
	if (sim_below(2) == 0)
	{
		add(SIM_COMMIT);
		add(SIM_PROMOTE)->amount = sim_below(2) == 0 ? 0 : sim_draw_jump();
	}
}

void
sim_end_scene(void)
{
	planned = played = 0;
}

/* The next event of the scene; false at its end. */
bool
sim_next_of_scene(SimEvent *event)
{
	if (played >= planned)
		return false;
	*event = scene[played++];
	return true;
}

void
sim_plan_scene(uint32 server)
{
	uint32		slot = sim_below(sim_fleet.hot_slots);
	SimEvent   *event;

	sim_end_scene();
	scene_server = server;
	switch (sim_below(7))
	{
		case 0:					/* starts */
			add(SIM_STOP);
			add_starts(slot);
			break;
		case 1:					/* two processes raise at once */
			add_call(SIM_RAISE, slot, true);
			add_call(SIM_RAISE, slot + 1, sim_below(4) == 0);
			add_call(what_to_make(), slot + 2, sim_below(4) == 0);
			add_call(SIM_RAISE, slot, false);
			add_call(what_to_make(), slot + 3, false);
			if (sim_below(2) == 0)
				add_end();
			break;
		case 2:					/* a reset */
			add(SIM_CLOCK)->amount = sim_draw_jump();
			add_call(SIM_RESET, slot, sim_below(2) == 0);
			if (sim_below(2) == 0)
				add_copy();
			add_end();
			add_starts(slot);
			break;
		case 3:					/* a horizon, then a power loss */
			add(SIM_TICK)->amount = (int64) sim_draw_log(24);
			add_call(what_to_make(), slot, true);
			add_call(what_to_make(), slot + 1, sim_below(2) == 0);
			add_end();
			add_starts(slot);
			break;
		case 4:					/* a copy of the file under a server */
			add_call(what_to_make(), slot, false);
			if (sim_below(2) == 0)
				add(SIM_BACKUP);
			if (sim_below(2) == 0)
				add_end();
			add(SIM_START);
			add_call(what_to_make(), slot, false);
			add(SIM_COPY);
			add_call(what_to_make(), slot + 1, sim_below(4) == 0);
			add_call(what_to_make(), slot, false);
			add_end();
			add_starts(slot);
			break;
		case 5:					/* one stops while it inspects the file */
			add(SIM_STOP);
			add(SIM_START);
			event = add_call(what_to_make(), slot, false);
			event->accesses = 1 + sim_below(60);
			event = add_call(what_to_make(), slot + 1, false);
			event->turns = 300;
			add_call(what_to_make(), slot + 2, false);
			add_call(what_to_make(), slot, false);
			break;
		case 6:					/* a sync fails, which is not noted yet */
			add_call(what_to_make(), slot, false);
			add(SIM_KILL)->slot = slot + 1;
			add(SIM_TICK)->amount = (int64) sim_draw_log(24);
			event = add_call(what_to_make(), slot, false);
			event->counts = SIM_RARE;
			event->accesses = 3 + sim_below(6);
			event->fails_at = event->fails = 1;
			add_call(what_to_make(), slot + 1, false);
			add_end();
			add_starts(slot);
			break;
	}
}
