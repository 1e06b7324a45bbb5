/*
 * sim_call.c
 *		A process's calls: generating ids, and administration, by the
 *		extension's own functions.
 */
#include "sim.h"

bool
sim_makes(SimWhat what)
{
	return what <= SIM_MAKE_SCALABLE;
}

/* With -DSIM_NANOFLAKE=FLAKE_OTHER another format replaces Nanoflake. */
#ifndef SIM_NANOFLAKE
#define SIM_NANOFLAKE FLAKE_NANOFLAKE
#endif

FlakeFormat
sim_format_of(SimWhat what)
{
	switch (what)
	{
		case SIM_MAKE_FLUID:
			return FLAKE_FLUID;
		case SIM_MAKE_NANOFLAKE:
			return SIM_NANOFLAKE;
		default:
			return FLAKE_ULIDFLAKE;
	}
}

/*
 * Milliseconds of 2^16 ids would be used up too rarely to test it.  So the
 * counter increases by more than 1, over its whole range: this omits ids, and
 * adds none.
 */
static void
widen_steps(FlakeFormat format)
{
	FlakeidGenerator *generator = &flakeid_generators[format];
	unsigned	bits = generator->range.counter_bits;

	if (bits > sim_fleet.count_bits)
		generator->increment.step = UINT64_C(1) << (bits - sim_fleet.count_bits);
}

/* As in the SQL functions. */
static uint64
make(SimProcess *process, FlakeFormat format)
{
	FlakeIncrement increment;
	unsigned	fixed_bits = 0;

	flakeid_attach(format);
	if (format != FLAKE_ULIDFLAKE)
	{
		widen_steps(format);
		return (uint64) flakeid_generate(format);
	}
	if (process->call.what == SIM_MAKE_SCALABLE)
		fixed_bits = FLAKE_SCALABILITY_BITS;
	increment = flake_increment_random(fixed_bits,
									   fixed_bits > 0 ?
									   flakeid_generators[format].scalability : 0,
									   sim_fleet.step_bits,
									   sim_random(&process->random));
	return (uint64) flakeid_generate_shared(format, &increment);
}

static void
make_ids(SimProcess *process)
{
	FlakeFormat format = sim_format_of(process->call.what);

	for (uint32 i = 0; i < process->call.ids; i++)
	{
		sim_begin_id(process, format);
		sim_check_id(process, format, make(process, format));
	}
}

/* flakeid_raise_floor(), called with a millisecond of the server's clock */
static void
raise_floor(SimProcess *process)
{
	SimServer  *server = process->server;
	int64		ts_us = sim_clock_us(server) + process->call.amount;
	uint64		floors_ms[FLAKE_FORMATS];

	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		SimPromise *promise = &server->promises[format];
		FlakeStatus status;

		status = flake_ms_of(&flake_layouts[format],
							 flake_instant_from_unix_us(ts_us),
							 flakeid_config_in_effect()->epoch_ms[format],
							 &floors_ms[format]);
		if (status == FLAKE_BEYOND_FIELD)
			return;
		if (status == FLAKE_BEFORE_FIELD)
			floors_ms[format] = 0;
		promise->lead_ms = Max(promise->lead_ms, floors_ms[format]);
		promise->reset_lead_ms = Max(promise->reset_lead_ms,
									 floors_ms[format]);
	}
	flakeid_raise_floors(floors_ms);
	sim_note_synced(server);
	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		SimPromise *promise = &server->promises[format];

		promise->raised_ms = Max(promise->raised_ms, floors_ms[format]);
		promise->kept_ms = Max(promise->kept_ms, floors_ms[format]);
	}
}

/* flakeid_reset_clock() */
static void
reset_clock(SimProcess *process)
{
	SimServer  *server = process->server;
	uint64		newest_ms[FLAKE_FORMATS];

	if (flakeid_state_open_or_reset())
	{
		if (!server->settled)
			server->resetting = SIM_MUST_RESET;
		return;
	}
	sim_settle(process);
	flakeid_find_newest(flakeid_state, newest_ms);
	flakeid_notice_reset(newest_ms, flakeid_config_in_effect(),
						 flakeid_formats_in_effect(), false);
	sim_note_reset(server, SIM_MAY_RESET);
	flakeid_request_reset();
	sim_note_synced(server);
	sim_note_reset(server, SIM_MUST_RESET);
}

static void
administrate(SimProcess *process)
{
	if (process->call.what == SIM_RESET)
	{
		reset_clock(process);
		return;
	}
	flakeid_state_open();
	sim_settle(process);
	if (process->call.what == SIM_RAISE)
		raise_floor(process);
}

void
sim_call(SimProcess *process)
{
	jmp_buf		handler;

	process->failed = NULL;
	process->was_refused = false;
	if (_setjmp(handler) != 0)
	{
		sim_fleet.refused++;
		process->was_refused = true;
		sim_part(process);
		if (process->server->elected == process)
			process->server->elected = NULL;
		sim_close_files(process);
		if (sim_makes(process->call.what))
			sim_check_refused(process, sim_format_of(process->call.what));
	}
	else
	{
		sim_handler = &handler;
		if (sim_makes(process->call.what))
			make_ids(process);
		else
			administrate(process);
	}
	sim_check_returned(process);
}

/* A worker only sets up the file. */
void
sim_work(SimProcess *process)
{
	jmp_buf		handler;

	if (_setjmp(handler) != 0)
	{
		process->was_refused = true;
		process->relayed = true;
		sim_close_files(process);
	}
	else
	{
		sim_handler = &handler;
		process->result = flakeid_state_set_up(process->mode);
	}
	sim_check_returned(process);
}
