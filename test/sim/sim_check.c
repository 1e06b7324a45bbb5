/*
 * sim_check.c
 *		What must hold at each id, wait, error and write of a page.
 */
#include "sim.h"

#define SAFETY_MS	2

/* As the pages have them; not the constants of the code, which may be wrong */
#define FAR_AHEAD_MS	60000
#define MAX_LEAD_MS		30000

static uint64
lead_of_format_ms(FlakeFormat format)
{
	return flake_layouts[format].waits ? 500 : 2000;
}

/* Ids that others return from now on can be greater than this call's. */
void
sim_begin_call(SimProcess *process)
{
	SimServer  *server = &sim_world.server;

	process->lowest_us = INT64_MAX;
	process->records = 0;
	process->slept_us = 0;
	process->sleeps = 0;
	memset(process->has_page, false, sizeof(process->has_page));
	server->touched[process->database] = true;
	memcpy(process->call.begun_after, server->newest, sizeof(server->newest));
}

static bool
is_shared(FlakeFormat format)
{
	return sim_world.server.config.address.server_scope ||
		format == FLAKE_ULIDFLAKE;
}

/* The flushed horizon must be at or after the id. */
static void
check_covered(FlakeFormat format, uint64 ms)
{
	SimDatabase *database = sim_database(sim_process);
	uint16		file = database->sequences[format].file;

	if (database->has_extension && ms > sim_world.files[file].covered_ms)
		sim_fail("%s of %llu ms, after the flushed horizon, %llu",
				 flake_layouts[format].name, (unsigned long long) ms,
				 (unsigned long long) sim_world.files[file].covered_ms);
}

/* In the floor of a raise that returned before the first id, or the call */
static void
check_floor(FlakeFormat format, uint64 ms)
{
	uint64		floor_ms = is_shared(format) ? sim_process->call.floor_ms[format] :
		sim_process->floor_ms[format];

	if (ms <= floor_ms)
		sim_fail("an id is not after the floor that was raised");
}

/* Was a reset requested in an earlier start, in this epoch, on this timeline? */
static bool
is_reset(const SimPage *page, FlakeFormat format)
{
	const SimServer *server = &sim_world.server;

	return page->reset_start != 0 && page->reset_start != server->start &&
		page->epoch_ms == server->config.epoch_ms[format] &&
		page->reset_timeline == server->timeline;
}

static bool
has_reset(const SimDatabase *database, FlakeFormat format)
{
	return database->has_extension &&
		is_reset(&sim_world.buffers.pages[database->sequences[format].file], format);
}

/*
 * The process has attached.  A reset lets ids begin at the clock, unless
 * another database, or somebody who raises the floor, keeps them ahead.
 */
void
sim_check_attached(FlakeFormat format)
{
	SimServer  *server = &sim_world.server;
	uint32		database = sim_process->database;
	const SimPage *page = &sim_process->pages[format];
	int64		far_ms = Max(server->highest_clock_ms[format], 0) + FAR_AHEAD_MS;
	bool		alone = has_reset(sim_database(sim_process), format) &&
		!server->raises && !server->folded[database][format];

	for (uint32 i = 0; i < SIM_DATABASES; i++)
		alone = alone && (i == database || !server->touched[i]);
	if (alone && flakeid_state->formats[format].floor_ms.value >
		(uint64) Max(server->highest_clock_ms[format], 0))
		sim_fail("a reset has no effect");
	if (page->row.last_value > far_ms &&
		(page->foreign || page->epoch_ms != server->config.epoch_ms[format]))
		sim_fail("a horizon that means nothing here is not refused");
	server->folded[database][format] = true;
}

/* An id is returned to the client. */
void
sim_check_id(FlakeFormat format, uint64 id)
{
	SimServer  *server = &sim_world.server;
	SimProcess *process = sim_process;
	uint64		ms = flake_id_ms(&flake_layouts[format], id);

	sim_note("    %s %llu, %llu ms + %llu", flake_layouts[format].name,
			 (unsigned long long) id, (unsigned long long) ms,
			 (unsigned long long) (id & flake_mask(flake_low_bits(&flake_layouts[format]))));
	if (id <= process->newest[format])
		sim_fail("an id of a process is not greater than its last");
	if (is_shared(format) && id <= process->call.begun_after[format])
		sim_fail("an id is not greater than one that was returned before the call");
	if (ms > server->reach_ms[format] + SAFETY_MS)
		sim_fail("an id is %llu ms further ahead than it can be",
				 (unsigned long long) (ms - server->reach_ms[format]));
	if (format == FLAKE_NANOFLAKE &&
		(int64) ms > server->highest_clock_ms[format])
		sim_fail("a Nanoflake is ahead of the clock");
	check_covered(format, ms);
	sim_check_created(sim_database(process));
	check_floor(format, ms);
	if (ms <= process->call.canceled_ms[format])
		sim_fail("an id before the horizon of a reset that was canceled");
	sim_ids_add(format, sim_database(process)->identity, id);
	process->newest[format] = id;
	server->newest[format] = Max(server->newest[format], id);
	sim_ids++;
}

/* flakeid_raise_floor() returns: the horizons are flushed. */
void
sim_check_raised(const uint64 *floors_ms)
{
	const SimDatabase *database = sim_database(sim_process);

	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		uint64	   *floor_ms = &sim_world.server.floor_ms[format];
		uint16		file = database->sequences[format].file;

		if (database->has_extension && floors_ms[format] > sim_world.files[file].covered_ms)
			sim_fail("a floor was raised, but its horizon is not flushed");
		*floor_ms = Max(*floor_ms, floors_ms[format]);
	}
	sim_release(sim_process, &sim_world.server.client_view);
}

/*
 * A step says that the call must wait for the clock, which it has read since it
 * last waited.  If the clock is behind, it must have been, since the word.
 */
void
sim_check_wait(FlakeFormat format, bool behind, uint64 position_ms)
{
	SimProcess *process = sim_process;
	int64		read_ms = flake_unix_ms(flake_instant_from_unix_us(process->word_read_us)) -
		sim_world.server.config.epoch_ms[format];

	if (!process->looked)
		sim_fail("a call waits for the clock without need");
	if (behind && is_shared(format) && flake_layouts[format].waits &&
		process->word_read_us != INT64_MIN && read_ms >= (int64) position_ms)
		sim_fail("a call waits for a clock that is not behind");
}

/*
 * It has waited.  Floors that were raised meanwhile hold for it, too, in
 * backend scope if this is its first id.
 */
void
sim_check_waited(FlakeFormat format)
{
	SimProcess *process = sim_process;

	process->looked = false;
	sim_acquire(process, &sim_world.server.client_view);
	process->call.floor_ms[format] = sim_world.server.floor_ms[format];
	if (flakeid_generators[format].position.ms == 0)
		process->floor_ms[format] = sim_world.server.floor_ms[format];
}

/* A page may be refused only if its horizon means nothing here. */
static bool
is_foreign(FlakeFormat format)
{
	const SimPage *page = &sim_process->pages[format];

	return page->foreign ||
		page->epoch_ms != sim_world.server.config.epoch_ms[format];
}

static bool
may_refuse(FlakeFormat format)
{
	uint64		now_ms = flake_ms_clamped(&flake_layouts[format],
										  flake_instant_from_unix_us(sim_process->lowest_us),
										  sim_world.server.config.epoch_ms[format]);

	return sim_process->has_page[format] && is_foreign(format) &&
		sim_process->pages[format].row.last_value > (int64) now_ms + FAR_AHEAD_MS;
}

/* Does a reset wait for a restart? */
static bool
is_pending(FlakeFormat format)
{
	return sim_process->has_page[format] &&
		sim_process->pages[format].reset_start == sim_world.server.start;
}

/* Is it so for one of the pages that the call has locked? */
static bool
any_page(bool (*is_so) (FlakeFormat format))
{
	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		if (is_so(format))
			return true;
	}
	return false;
}

static FlakeFormat
format_named(const char *name)
{
	FlakeFormat format = 0;

	while (strcmp(flake_layouts[format].name, name) != 0)
		format++;
	return format;
}

/* A message that says which ids a reset frees, or where they continue */
void
sim_check_message(const char *format, va_list values)
{
	SimProcess *process = sim_process;

	if (strstr(format, "ms behind the last id") != NULL)
	{
		const char *name = va_arg(values, char *);

		if (va_arg(values, int64) <= 0)
			sim_fail("an error of %s says that the clock is not behind", name);
	}
	else if (strstr(format, "and is in effect") != NULL)
		process->admin.warned = true;
	else if (strstr(format, "can be generated again") != NULL)
	{
		bool		at_once = strcmp(va_arg(values, char *), "from now on") == 0;
		FlakeFormat named = format_named(va_arg(values, char *));
		const SimPage *page = &process->pages[named];
		uint64		first = (uint64) va_arg(values, long long);
		uint64		last = (uint64) va_arg(values, long long);
		SimNamed   *ids = &process->named[named];

		ids->first_ms = flake_id_ms(&flake_layouts[named], first);
		ids->last_ms = flake_id_ms(&flake_layouts[named], last);
		if (page->reset_start != 0 && page->reset_start == sim_world.server.start &&
			ids->last_ms > page->reset_last_ms)
			sim_fail("ids after a reset that is pending");
		if (!at_once && page->reset_start == 0 && ids->last_ms <
			Min(ids->first_ms + FLAKE_MAX_LEAD_MS, flake_layouts[named].last_generated_ms))
			sim_fail("a reset without need");
	}
	else if (strstr(format, "is canceled") != NULL)
	{
		FlakeFormat named = format_named(va_arg(values, char *));
		uint64		ms = (uint64) (atoll(va_arg(values, char *)) -
								   sim_world.server.config.epoch_ms[named]);

		if (ms != Min(process->written_ms[named], flake_last_ms(&flake_layouts[named])))
			sim_fail("another horizon than the one written is shown");
		if (!process->in_ddl && is_reset(&process->pages[named], named))
			sim_world.server.canceled_ms[process->database][named] =
				Min((uint64) process->pages[named].row.last_value, flake_last_ms(&flake_layouts[named]));
		sim_release(process, &sim_world.server.client_view);
	}
}

/* A reset writes a page: it frees only what its warning has named. */
void
sim_check_reset(FlakeFormat format, const SimPage *new)
{
	const SimPage *page = &sim_process->pages[format];
	const SimNamed *named = &sim_process->named[format];
	uint64		horizon_ms = (uint64) Max(page->row.last_value, 0);

	if (named->last_ms < Min(horizon_ms, flake_layouts[format].last_generated_ms))
		sim_fail("a horizon after the last id of a reset");
	if (flake_tag_is_reset(new->row.log_cnt))
	{
		if (new->row.last_value < Min(page->row.last_value, (int64) flake_last_ms(&flake_layouts[format])))
			sim_fail("a reset lowers the horizon");
		if (named->last_ms < Min(sim_last_ms(new), flake_layouts[format].last_generated_ms))
			sim_fail("ids after those that a reset has named");
		return;
	}
	if (!is_foreign(format))
		sim_fail("a horizon of ours is reset at once");
	sim_ids_forget(format, sim_database(sim_process)->identity,
				   named->first_ms - 1, named->last_ms);
}

/* An error with a message: is there a reason? */
void
sim_check_error(const char *function, const char *arguments)
{
	SimServer  *server = &sim_world.server;
	FlakeFormat format = sim_process->call.format;
	SimDatabase *database = sim_database(sim_process);

	sim_note("    error in %s()", function);
	if (strcmp(function, "refuse_horizon") == 0)
	{
		if (!any_page(may_refuse))
			sim_fail("a horizon is refused that is ours, or not far ahead");
		server->counts[format].refusals += sim_process->call.what == SIM_MAKE;
	}
	else if (strcmp(function, "refuse_while_pending") == 0)
	{
		if (!any_page(is_pending))
			sim_fail("a reset is taken for pending");
		if (sim_process->call.what == SIM_MAKE && format == FLAKE_NANOFLAKE &&
			server->highest_clock_ms[format] <= (int64) sim_process->pages[format].reset_last_ms)
			sim_fail("an id within the horizon is refused");
		server->counts[format].refusals += sim_process->call.what == SIM_MAKE;
	}
	else if (strcmp(function, "find_handle") == 0 && server->other_version)
	{
		if (strstr(arguments, "(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE)") == NULL)
			sim_fail("another SQLSTATE");
	}
	else if (strcmp(function, "report_damaged") == 0)
		;						/* the page is damaged */
	else if (strcmp(function, "check_plan") == 0)
		;						/* the horizon was changed in between */
	else if (strcmp(function, "refuse_after_wait") == 0)
	{
		if (sim_process->slept_us + sim_process->sleeps < flakeid_max_wait * 1000)
			sim_fail("a call gives up before it has waited for the clock");
		if (strstr(arguments, "is_far") == NULL && strstr(arguments, "(ERRCODE_LOCK_NOT_AVAILABLE)") == NULL)
			sim_fail("another SQLSTATE");
		server->counts[format].refusals++;
	}
	else if (strcmp(function, "refuse_before_epoch") == 0 && server->lowest_clock_us / 1000 - 1 <= server->config.epoch_ms[format])
	{
		if (sim_process->call.begun_after[format] != 0 && !sim_world.stale)
			sim_fail("a clock before the epoch stops a format that has ids");
		server->counts[format].refusals++;
	}
	else if (strcmp(function, "refuse_beyond_field") == 0 &&
			 server->reach_ms[format] + SAFETY_MS >= flake_layouts[format].last_generated_ms)
		server->counts[format].refusals++;
	else if (strcmp(function, "find_sequence") != 0 || database->has_extension)
	{
		if (strcmp(function, "check_sequence") != 0)
			sim_fail("an error for no reason, in %s()", function);
	}
}

/* Up to here a reset lets ids be repeated: its horizon, and room in seconds */
uint64
sim_last_ms(const SimPage *page)
{
	return (uint64) page->row.last_value +
		(page->row.log_cnt >> 62 == -1 ? page->row.log_cnt & 31 : 0) * 1000;
}

/* A horizon that the extension writes: no further ahead than allowed. */
void
sim_check_page(FlakeFormat format, const SimPage *page)
{
	SimServer  *server = &sim_world.server;
	uint64		lead_ms = Max(lead_of_format_ms(format), Min(server->lead_ms, MAX_LEAD_MS));
	uint64		horizon_ms = (uint64) page->row.last_value;
	uint64		last_ms = server->reach_ms[format] + SAFETY_MS + lead_ms / 10;

	last_ms = Max(last_ms, (uint64) Max(server->highest_clock_ms[format], 0) + lead_ms);
	if (server->resets)			/* then it rises in seconds */
		last_ms += 1000;
	sim_note("    horizon of %s: %llu, tag %016llx", flake_layouts[format].name,
			 (unsigned long long) horizon_ms, (unsigned long long) page->row.log_cnt);
	if (horizon_ms > Max(last_ms, server->horizon_ms[format]))
		sim_fail("a horizon is %llu ms further ahead than it can be",
				 (unsigned long long) (horizon_ms - last_ms));
	server->horizon_ms[format] = Max(server->horizon_ms[format], horizon_ms);
	sim_process->written_ms[format] = horizon_ms;
}

/* While no call is under way, the counters are exact. */
void
sim_check_counters(void)
{
	SimServer  *server = &sim_world.server;
	const FlakeidState *state = flakeid_state;

	for (uint32 slot = 0; slot < SIM_BACKENDS; slot++)
	{
		if (server->processes[slot] != NULL && server->processes[slot]->stack != NULL)
			return;
	}
	for (int format = 0; format < FLAKE_FORMATS && state != NULL; format++)
	{
		SimCounts  *counts = &server->counts[format];

		if (state->formats[format].waits.value != counts->waits ||
			state->formats[format].refusals.value != counts->refusals ||
			state->formats[format].steps_back.value != counts->steps_back)
			sim_fail("a counter is wrong");
	}
}

void
sim_end_call(SimProcess *process)
{
	if (process->segments != 0)
		sim_fail("a call leaves a segment attached that it does not use");
}

/* Such a reset allows the ids after the clock again, until a page is written. */
void
sim_forget_resets(void)
{
	for (int i = 0; i < SIM_DATABASES * FLAKE_FORMATS; i++)
	{
		const SimDatabase *database = &sim_world.buffers.databases[i / FLAKE_FORMATS];
		FlakeFormat format = i % FLAKE_FORMATS;

		if (has_reset(database, format))
			sim_ids_forget(format, database->identity,
						   (uint64) Max(sim_clock_ms(format), 0),
						   sim_world.buffers.pages[database->sequences[format].file].reset_last_ms);
	}
}
