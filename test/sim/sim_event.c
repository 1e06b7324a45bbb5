/*
 * sim_event.c
 *		Worlds, and the events in them.
 */
#include "sim.h"

#define BEGIN_US	(FLAKE_EPOCH_2024_MS * 1000 + 10 * USECS_PER_DAY)

SimWorld	sim_world;

/* Some jump of a clock: mostly small, both ways. */
static int64
draw_jump_us(void)
{
	int64		us = (int64) sim_draw_log(sim_one_in(4) ? 40 : 25);

	return sim_one_in(2) ? us : -us;
}

static void
note_clock(void)
{
	SimServer  *server = &sim_world.server;

	server->lowest_clock_us = Min(server->lowest_clock_us, sim_clock_us());
	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		int64		ms = sim_clock_ms(format);

		server->highest_clock_ms[format] = Max(server->highest_clock_ms[format], ms);
		server->reach_ms[format] = Max(server->reach_ms[format], (uint64) Max(ms, 0));
	}
}

/* Time passes. */
void
sim_advance(int64 us)
{
	int64		before_ms = sim_world.now_us / 1000;

	sim_world.now_us += us;
	for (int format = 0; format < FLAKE_FORMATS; format++)
		sim_world.server.reach_ms[format] +=
			(uint64) (sim_world.now_us / 1000 - before_ms);
	note_clock();
}

/* From the clock to a horizon, or 1 ms past it; often to one with a reset */
static int64
to_horizon_us(void)
{
	for (int attempt = 0; attempt < 8; attempt++)
	{
		const SimDatabase *database = &sim_world.buffers.databases[sim_below(SIM_DATABASES)];
		FlakeFormat format = (FlakeFormat) sim_below(FLAKE_FORMATS);
		const SimPage *page = &sim_world.buffers.pages[database->sequences[format].file];
		int64		ahead_ms = page->row.last_value - sim_clock_ms(format);

		if (database->has_extension && Max(ahead_ms, -ahead_ms) < 86400000 &&
			(page->reset_start != 0 || attempt > 4))
			return (ahead_ms + sim_below(2)) * 1000;
	}
	return 0;
}

/* The clock is set: corrected, or anything. */
static void
set_clock(void)
{
	SimServer  *server = &sim_world.server;
	int64		before_us = sim_clock_us();

	if (sim_one_in(3))
		server->clock_offset_us = 0;
	else if (sim_one_in(2))
		server->clock_offset_us += to_horizon_us();
	else
		server->clock_offset_us += draw_jump_us();
	server->clock_offset_us = Max(server->clock_offset_us, -8 * USECS_PER_DAY);
	if (sim_one_in(24))			/* before the epoch: no battery */
		server->clock_offset_us = (int64) sim_draw_log(40) - sim_world.now_us;
	for (uint32 slot = 0; slot < SIM_BACKENDS && sim_clock_us() < before_us; slot++)
	{
		if (server->processes[slot] != NULL)
			server->processes[slot]->word_read_us = INT64_MIN;
	}
	sim_note("the clock goes from %lld to %lld ms",
			 (long long) (before_us / 1000 - FLAKE_EPOCH_2024_MS),
			 (long long) (sim_clock_us() / 1000 - FLAKE_EPOCH_2024_MS));
	for (int format = 0; format < FLAKE_FORMATS; format++)
		server->reach_ms[format]++;
	note_clock();
	sim_forget_resets();
}

/* Settings of this start; epochs change rarely. */
static void
configure(void)
{
	SimServer  *server = &sim_world.server;
	FlakeidConfig *config = &server->config;

	server->backends = 1 + sim_below(SIM_BACKENDS);
	config->address.slot_bits = flake_slot_bits(server->backends);
	if (sim_world.starts == 1 || sim_one_in(6))
	{
		server->preloaded = sim_one_in(2);
		config->address.server_scope = sim_one_in(2);
		config->address.node_bits = sim_below(4);
		config->address.node = sim_below(1 << config->address.node_bits);
		config->scalability = sim_below(1 << FLAKE_SCALABILITY_BITS);
	}
	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		if (sim_world.starts == 1)
			config->epoch_ms[format] = FLAKE_EPOCH_2024_MS;
		if (sim_world.starts == 1 && sim_one_in(64))
			config->epoch_ms[format] = sim_clock_us() / 1000 + (int64) sim_draw_log(14) -
				(int64) flake_layouts[format].last_generated_ms;
		if (sim_one_in(16))
			config->epoch_ms[format] += draw_jump_us() / 1000;
	}
}

/* What is left of horizons, for checks. */
static void
examine_pages(void)
{
	SimServer  *server = &sim_world.server;

	for (int i = 0; i < SIM_DATABASES * FLAKE_FORMATS; i++)
	{
		const SimDatabase *database = &sim_world.buffers.databases[i / FLAKE_FORMATS];
		FlakeFormat format = i % FLAKE_FORMATS;
		uint16		file = database->sequences[format].file;
		const SimPage *page = &sim_world.buffers.pages[file];
		uint64		horizon_ms = (uint64) Max(page->row.last_value, 0);

		if (!database->has_extension)
			continue;
		sim_world.files[file].covered_ms = horizon_ms;
		server->reach_ms[format] = Max(server->reach_ms[format], horizon_ms);
		server->horizon_ms[format] = Max(server->horizon_ms[format], horizon_ms);
		if (page->lowered)
			sim_ids_forget(format, database->identity, horizon_ms, UINT64_MAX);
	}
}

/* Start with what is on disk, and shared memory anew. */
static void
start(TimeLineID timeline)
{
	SimServer  *server = &sim_world.server;
	SimServer	old = *server;

	memset(server, 0, sizeof(SimServer));
	server->start = ++sim_world.starts;
	server->timeline = timeline;
	server->config = old.config;
	server->preloaded = old.preloaded;
	server->clock_offset_us = old.clock_offset_us;
	server->lowest_clock_us = INT64_MAX;
	sim_world.now_us += 1000 + (int64) sim_draw_log(22);
	if (sim_one_in(2))
		set_clock();
	configure();
	for (int format = 0; format < FLAKE_FORMATS; format++)
		server->reach_ms[format] = 0;
	note_clock();
	examine_pages();
	sim_forget_resets();
	server->other_version = !server->preloaded && sim_one_in(50);
	if (server->preloaded)
		sim_preload();
	sim_note("start %u on timeline %u, %s scope, clock %lld ms", server->start,
			 timeline, server->config.address.server_scope ? "server" : "backend",
			 (long long) (sim_clock_us() / 1000 - FLAKE_EPOCH_2024_MS));
}

/* All processes end, wherever they are, and shared memory goes. */
static void
end_server(void)
{
	SimServer  *server = &sim_world.server;

	for (uint32 slot = 0; slot < SIM_BACKENDS; slot++)
	{
		if (server->processes[slot] != NULL)
			sim_end_process(server->processes[slot]);
	}
	while (server->memories > 0)
		sim_memory_free(server->memory[--server->memories]);
}

static void
stop(void)
{
	sim_note("a clean stop");
	end_server();
	sim_checkpoint();
	sim_world.buffers = sim_world.disk;
	start(sim_world.server.timeline);
}

/* A crash: WAL that is not flushed may survive, or not. */
static void
crash(void)
{
	XLogRecPtr	cut = sim_world.flushed;

	end_server();
	if (sim_one_in(2))
		cut = sim_end_of_record(cut + sim_below((uint32) (sim_world.inserted - cut) + 1));
	sim_note("a crash: WAL %llu, flushed %llu, kept %llu",
			 (unsigned long long) sim_world.inserted,
			 (unsigned long long) sim_world.flushed, (unsigned long long) cut);
	sim_ids_lose(cut, false);
	sim_recover(cut);
	start(sim_world.server.timeline);
}

/* A base backup, which becomes a standby, or is restored later. */
static void
back_up(uint32 number)
{
	sim_world.standbys[number] = (SimStandby) {
		.exists = true, .consistent = sim_world.inserted, .site = sim_world.disk
	};
	sim_note("standby %u", number);
}

static void
replay(SimStandby *standby)
{
	if (!standby->exists || standby->site.lsn >= sim_world.flushed)
		return;
	if (sim_one_in(3))
		sim_replay(&standby->site, sim_world.flushed);
	else
		sim_replay(&standby->site, standby->site.lsn + 1 +
				   sim_below((uint32) (sim_world.flushed - standby->site.lsn)));
}

/* The server is gone; a standby is promoted, or a backup was restored. */
static void
promote(SimStandby *standby)
{
	if (sim_one_in(2))
		replay(standby);
	if (!standby->exists || standby->site.lsn < standby->consistent)
		return;
	sim_note("promoted at %llu of %llu", (unsigned long long) standby->site.lsn,
			 (unsigned long long) sim_world.inserted);
	end_server();
	sim_ids_lose(standby->site.lsn, true);
	standby->exists = false;
	sim_world.disk = standby->site;
	sim_recover(standby->site.lsn);
	start(++sim_world.next_timeline);
}

/* The extension in one database; the other ones are as they come. */
void
sim_begin_world(uint64 seed)
{
	sim_seed(seed);
	sim_world.now_us = BEGIN_US;
	sim_world.next_identity = 1;
	sim_world.next_timeline = 1;
	sim_world.count_bits = 1 + sim_below(5);
	sim_world.fault_rate = sim_one_in(2) ? 20 + sim_below(400) : 0;
	sim_world.stale = !sim_one_in(4);
	sim_world.minimal = sim_one_in(4);
	sim_world.flush_us = sim_one_in(4) ? sim_draw_log(26) : 0;
	for (uint32 i = 0; i < 1 + sim_below(SIM_DATABASES); i++)
		sim_world.disk.databases[i] = (SimDatabase) {
			.exists = true, .identity = sim_world.next_identity++
		};
	sim_world.buffers = sim_world.disk;
	start(1);
}

void
sim_free_world(void)
{
	end_server();
	for (SimRecord *wal = sim_world.wal; wal != NULL; wal = NULL)
		free(wal);
	memset(&sim_world, 0, sizeof(sim_world));
	sim_ids_clear();
}

/* A process of this slot, or a new one; NULL if there is no database. */
static SimProcess *
process_of(uint32 slot)
{
	SimServer  *server = &sim_world.server;
	uint32		database = sim_below(SIM_DATABASES);

	if (server->processes[slot] != NULL)
		return server->processes[slot];
	if (!sim_world.buffers.databases[database].exists)
		return NULL;
	sim_note("process %u connects to database %u", slot, database);
	return sim_connect(slot, database);
}

static void
plan_call(SimProcess *process, SimKind kind)
{
	SimCall    *call = &process->call;
	FlakeFormat altered = call->format;

	*call = (SimCall) {
		.what = SIM_MAKE, .format = sim_below(FLAKE_FORMATS),
		.ids = (uint32) sim_draw_log(5), .scalable = sim_one_in(2)
	};
	if (!sim_database(process)->has_extension)
		call->what = SIM_CREATE;
	else if (kind == SIM_ADMIN)
	{
		call->what = sim_one_in(3) ? SIM_RAISE : sim_one_in(2) ? SIM_CANCEL : SIM_RESET;
		call->ts_us = sim_clock_us() + draw_jump_us();
	}
	else if (kind == SIM_DDL)
		call->what = SIM_ALTER;
	if (process->in_ddl && !sim_one_in(4))
		call->format = altered;
	if (process->in_ddl && sim_one_in(3))
		call->what = sim_one_in(2) ? SIM_COMMIT : SIM_ROLLBACK;
}

static const char *const what_names[] = {
	"generates ids", "raises the floor", "resets the horizon", "cancels a reset",
	"alters a sequence", "commits", "rolls back", "creates the extension"
};

/* Begin or continue a call. */
static void
run(SimProcess *process, SimKind kind)
{
	bool		whole = kind == SIM_CALL_WHOLE || (kind != SIM_CALL && sim_one_in(2));
	uint64		accesses = whole ? 0 : sim_draw_log(SIM_ACCESS_BITS);

	/* Each step of a call of an administrator is as likely as another. */
	if (kind == SIM_ADMIN && !whole)
		accesses = 1 + sim_below(1 << SIM_ACCESS_BITS);
	if (process == NULL)
		return;
	if (process->stack == NULL)
		plan_call(process, kind);
	else if (process->records == 0 && sim_one_in(16))
		sim_cancel(process);
	if (process->stack != NULL && process->wakes_us > sim_world.now_us)
		sim_advance(sim_one_in(2) ? process->wakes_us - sim_world.now_us : 1);
	sim_note("process %u (database %u, %s) %s%s", process->slot, process->database,
			 flake_layouts[process->call.format].name, what_names[process->call.what],
			 process->stack != NULL ? ", continued" : "");
	sim_run(process, accesses);
	if (process->stack != NULL)
		sim_note("    interrupted");
}

/* End a process between two calls. */
static void
disconnect(SimProcess *process)
{
	if (process == NULL || process->stack != NULL)
		return;
	sim_note("process %u ends", process->slot);
	sim_end_process(process);
}

/*
 * A call of an administrator, often beside one of another session of the
 * database; then the server crashes, or a standby or backup that has replayed
 * up to any point of it takes over.
 */
static void
administer(uint32 slot)
{
	SimServer  *server = &sim_world.server;
	uint32		second = sim_below(server->backends);
	uint32		standby = sim_below(SIM_STANDBYS);
	bool		restores = sim_one_in(6);

	if (restores)
		back_up(standby);
	run(process_of(slot), SIM_ADMIN);
	for (uint32 i = sim_one_in(2) ? sim_below(6) : 0; i > 0; i--)
	{
		SimProcess *one = server->processes[slot];
		SimProcess *other = server->processes[second];

		if (one == NULL || (other != NULL && other->database != one->database))
			break;
		if (other == NULL)
			other = sim_connect(second, one->database);
		run(sim_one_in(2) ? one : other, SIM_ADMIN);
	}
	if (restores && sim_one_in(2))
		promote(&sim_world.standbys[standby]);
	else if (sim_one_in(8))
		crash();
}

void
sim_apply(const SimEvent *event)
{
	SimServer  *server = &sim_world.server;
	uint32		slot;

	sim_seed(event->random);
	slot = sim_below(server->backends);
	switch (event->kind)
	{
		case SIM_ADMIN:
			administer(slot);
			break;
		case SIM_END:
			disconnect(server->processes[slot]);
			break;
		case SIM_TICK:
			sim_advance((int64) sim_draw_log(sim_one_in(8) ? 22 : 13));
			break;
		case SIM_CLOCK:
			set_clock();
			break;
		case SIM_FLUSH:
			sim_flush(sim_world.flushed + sim_below((uint32) (sim_world.inserted - sim_world.flushed) + 1));
			break;
		case SIM_CHECKPOINT:
			if (sim_one_in(2) || sim_world.n_files == 0)
				sim_checkpoint();
			else
				sim_write_back((uint16) sim_below(sim_world.n_files));
			break;
		case SIM_STOP:
			stop();
			break;
		case SIM_CRASH:
			crash();
			break;
		case SIM_STANDBY:
			back_up(sim_below(SIM_STANDBYS));
			break;
		case SIM_REPLAY:
			replay(&sim_world.standbys[sim_below(SIM_STANDBYS)]);
			break;
		case SIM_PROMOTE:
			promote(&sim_world.standbys[sim_below(SIM_STANDBYS)]);
			break;
		case SIM_HAND:
			sim_hand();
			break;
		case SIM_DROP:
			sim_drop();
			break;
		case SIM_TEMPLATE:
			sim_template();
			break;
		default:
			run(process_of(slot), event->kind);
	}
}

/* Let every call end; false if one does not. */
static bool
finish_calls(void)
{
	SimServer  *server = &sim_world.server;
	bool		busy = true;

	for (int round = 0; round < 1000 && busy; round++)
	{
		busy = false;
		for (uint32 slot = 0; slot < SIM_BACKENDS; slot++)
		{
			SimProcess *process = server->processes[slot];

			if (process == NULL)
				continue;
			if (process->stack == NULL)
			{
				disconnect(process);
				continue;
			}
			busy = true;
			sim_advance(Max(process->wakes_us - sim_world.now_us, 1));
			sim_run(process, 0);
		}
	}
	return !busy;
}

/* A healthy server generates ids, once its clock has passed the last ones. */
static void
check_health(uint32 database, FlakeFormat format)
{
	SimProcess *process = sim_connect(0, database);
	const SimDatabase *entry = &sim_world.buffers.databases[database];

	process->call = (SimCall) {.what = SIM_MAKE, .format = format, .ids = 3};
	sim_run(process, 0);
	for (int round = 0; round < 1000 && process->stack != NULL; round++)
	{
		sim_advance(Max(process->wakes_us - sim_world.now_us, 1));
		sim_run(process, 0);
	}
	if (process->failed && !entry->sequences[format].unlogged &&
		!sim_world.server.other_version &&
		sim_world.buffers.pages[entry->sequences[format].file].reset_start != sim_world.server.start &&
		sim_world.server.reach_ms[format] < flake_layouts[format].last_generated_ms)
		sim_fail("a healthy server does not generate ids");
	sim_end_process(process);
}

/* In the end nothing disturbs it. */
void
sim_end_world(void)
{
	SimServer  *server = &sim_world.server;
	int64		latest_us = sim_clock_us();

	sim_note("The end: all calls go on, then each database generates ids");
	sim_world.fault_rate = 0;
	sim_world.ending = true;
	if (!finish_calls() || !finish_calls())
		sim_fail("a call never ends");
	for (int format = 0; format < FLAKE_FORMATS; format++)
		latest_us = Max(latest_us, ((int64) server->reach_ms[format] + 1000 +
									server->config.epoch_ms[format]) * 1000);
	server->clock_offset_us += latest_us - sim_clock_us();
	note_clock();
	for (uint32 i = 0; i < SIM_DATABASES * FLAKE_FORMATS; i++)
	{
		if (sim_world.buffers.databases[i / FLAKE_FORMATS].has_extension)
			check_health(i / FLAKE_FORMATS, i % FLAKE_FORMATS);
	}
}
