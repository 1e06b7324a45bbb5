/*
 * sim_code.c
 *		The extension's own code, with the variables that each process has, and
 *		its calls.
 */
#include "sim.h"

#define flakeid_raise_to	raise_number
#include "pg/state.c"
#undef flakeid_raise_to

void
flakeid_raise_to(pg_atomic_uint64 *number, uint64 value)
{
	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		if (number == &flakeid_state->formats[format].longest_wait_us &&
			(int64) value > sim_process->slept_us + sim_process->sleeps)
			sim_fail("a wait that was not for the clock is counted");
	}
	sim_admin_raises(number, value);
	raise_number(number, value);
	if (number->value < value)
		sim_fail("a number is not raised while others raise it");
}

#define flakeid_newest_ms	newest_ms_of
#include "pg/generator.c"
#undef flakeid_newest_ms

uint64
flakeid_newest_ms(const FlakeidGenerator *generator)
{
	uint64		newest = sim_world.server.newest[generator->format];
	uint64		newest_ms = newest_ms_of(generator);

	sim_invite_others(4);
	if (!sim_world.stale && newest_ms < flake_id_ms(generator->layout, newest))
		sim_fail("an id is newer than the newest");
	return newest_ms;
}

#define flakeid_horizon_allow	allow
#include "pg/horizon.c"
#undef flakeid_horizon_allow

void
flakeid_horizon_allow(FlakeidGenerator *generator, uint64 ms)
{
	uint64	   *flush_ms = &sim_process->flush_ms;
	uint64		lead_ms = generator->horizon.lead_ms;
	int64		flush_us;

	*flush_ms = 0;
	allow(generator, ms);
	flush_us = sim_world.now_us - sim_process->flush_begun_us;
	if (generator->horizon.lead_ms !=
		flake_lead_after_flush(lead_ms, (uint64) flush_us / 1000))
		sim_fail("the lead does not follow from the flush alone");
	if (generator->horizon.lead_ms < Min(*flush_ms, FLAKE_MAX_LEAD_MS))
		sim_fail("the lead is shorter than a flush");
}

/* A process reads the clock; steps back are readings below the one before. */
static void
count_reading(FlakeFormat format, int64 now_ms)
{
	if (sim_process->has_read[format] && now_ms < sim_process->read_ms[format])
		sim_world.server.counts[format].steps_back++;
	sim_process->has_read[format] = true;
	sim_process->read_ms[format] = now_ms;
}

#undef flake_step_in_ms

bool
sim_step_in_ms(const FlakeIncrement *increment, int64 now_ms,
			   FlakeClockHistory *history, FlakePosition *position)
{
	const bool	in_ms = (uint64) now_ms == position->ms;

	/* It remembers a reading also if every id of the millisecond is used up. */
	for (int format = 0; format < FLAKE_FORMATS && in_ms; format++)
		if (history == &flakeid_generators[format].history &&
			now_ms >= sim_process->read_ms[format])
			count_reading(format, now_ms);
	return flake_step_in_ms(increment, now_ms, history, position);
}

#define flake_step_in_ms	sim_step_in_ms

static FlakeStep
count_step(const FlakeLayout *layout, const FlakeIncrement *increment,
		   int64 now_ms, uint64 allowed_ms, FlakeClockHistory *history,
		   FlakePosition *position, uint64 *wanted_ms)
{
	FlakeFormat format = (FlakeFormat) (layout - flake_layouts);
	FlakeStep	step;

	count_reading(format, now_ms);
	step = flake_step_slow(layout, increment, now_ms, allowed_ms, history,
						   position, wanted_ms);
	if (step == FLAKE_STEP_FULL || step == FLAKE_STEP_BEHIND)
		sim_check_wait(format, step == FLAKE_STEP_BEHIND, position->ms);
	return step;
}

#define flake_step_slow	count_step
#include "pg/generate.c"
#undef flake_step_slow

#include "pg/admin.c"

int			flakeid_ulidflake_step_bits;
int			flakeid_max_wait;

shmem_request_hook_type shmem_request_hook;
shmem_startup_hook_type shmem_startup_hook;

const FlakeidConfig *
flakeid_config(void)
{
	return &sim_world.server.config;
}

void
flakeid_check_not_set(void)
{
}

void
flakeid_warn_if_not_in_effect(void)
{
}

/* For sim_check_message(), so only until the next call */
char *
flakeid_epoch_text(int64 unix_ms)
{
	static char text[32];

	snprintf(text, sizeof(text), "%lld", (long long) unix_ms);
	return text;
}

void
flakeid_warn_of_address(void)
{
}

/* Messages of sql.c */
void
flakeid_check_ms(FlakeStatus status, const FlakeLayout *layout,
				 int64 epoch_ms, uint64 last_ms, TimestampTz ts)
{
	if (status != FLAKE_OK)
		sim_raise();
}

void
flakeid_check_address(FlakeStatus status, const FlakeLayout *layout,
					  const FlakeAddress *address)
{
	if (status != FLAKE_OK)
		sim_fail("the address does not fit");
}

/* As the postmaster does. */
void
sim_preload(void)
{
	flakeid_state = NULL;
	shmem_request_hook = NULL;
	shmem_startup_hook = NULL;
	flakeid_state_init();
	shmem_request_hook();
	shmem_startup_hook();
	sim_world.server.inherited = flakeid_state;
}

/* Exchange the globals of the process for those of another. */
void
sim_save(SimProcess *process)
{
	process->state = flakeid_state;
	process->max_wait = flakeid_max_wait;
	memcpy(process->generators, flakeid_generators, sizeof(flakeid_generators));
}

void
sim_load(SimProcess *process)
{
	if (sim_loaded == process)
		return;
	if (sim_loaded != NULL)
		sim_save(sim_loaded);
	flakeid_state = process->state;
	flakeid_max_wait = process->max_wait;
	memcpy(flakeid_generators, process->generators, sizeof(flakeid_generators));
	sim_loaded = process;
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
	unsigned	bits = generator->share.counter_bits;

	if (bits > sim_world.count_bits)
		generator->increment.step = UINT64_C(1) << (bits - sim_world.count_bits);
}

/* As in the SQL functions. */
static uint64
make_id(const SimCall *call)
{
	FlakeFormat format = call->format;
	const FlakeidGenerator *generator = &flakeid_generators[format];
	FlakeIncrement increment;

	if (generator->position.ms == 0)
		sim_process->floor_ms[format] = call->floor_ms[format];
	if (!generator->attached)
	{
		flakeid_attach(format);
		sim_check_attached(format);
	}
	if (format != FLAKE_ULIDFLAKE)
	{
		widen_steps(format);
		return (uint64) flakeid_generate(format);
	}
	increment = flake_increment_random(call->scalable ? FLAKE_SCALABILITY_BITS : 0,
									   call->scalable ? flakeid_config()->scalability : 0,
									   20 - sim_world.count_bits, sim_draw());
	return (uint64) flakeid_generate_slow(flakeid_attach(format), &increment);
}

/* flakeid_raise_floor() */
static void
raise_floor(int64 ts_us)
{
	SimArguments arguments = {.ts = ts_us - FLAKEID_PG_EPOCH_UNIX_US};
	uint64		floors_ms[FLAKE_FORMATS];
	bool		beyond = false;

	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		int64		ms = flake_unix_ms(flake_instant_from_unix_us(ts_us)) -
			flakeid_config()->epoch_ms[format];

		floors_ms[format] = (uint64) Max(ms, 0);
		beyond |= floors_ms[format] >= flake_layouts[format].last_generated_ms;
	}
	for (int format = 0; format < FLAKE_FORMATS && !beyond; format++)
		sim_world.server.reach_ms[format] =
			Max(sim_world.server.reach_ms[format], floors_ms[format]);
	sim_world.server.raises = true;
	memcpy(sim_process->admin.floor_ms, floors_ms, sizeof(floors_ms));
	(void) flakeid_raise_floor(&arguments);
	if (beyond)
		sim_fail("a floor after which there is no id");
	sim_check_raised(floors_ms);
}

/* flakeid_reset_horizon() */
static void
reset_horizon(void)
{
	/* It folds a horizon, also one that a rollback takes away. */
	sim_world.server.raises = true;
	sim_world.server.resets = true;
	memset(sim_process->named, 0, sizeof(sim_process->named));
	(void) flakeid_reset_horizon(NULL);
}

/* Lock the sequence until the end of the transaction, as DDL does. */
static void
begin_ddl(SimProcess *process)
{
	SimServer  *server = &sim_world.server;

	while (server->ddl[process->database] != NULL)
		sim_switch_out();
	server->ddl[process->database] = process;
	process->own = sim_world.buffers.databases[process->database];
	process->first_id = sim_ids_count();
	process->in_ddl = true;
}

static void
alter(SimProcess *process, FlakeFormat format)
{
	SimServer  *server = &sim_world.server;
	SimLock    *lock = &server->locks[process->database][format];
	SimSequence *sequence;
	SimPage		page;

	if (!process->in_ddl)
		begin_ddl(process);
	while (lock->exclusive != process &&
		   !sim_is_free(process->database, format))
		sim_switch_out();
	lock->exclusive = process;
	sim_acquire(process, &lock->view);
	sim_process_messages(process);
	sequence = &process->own.sequences[format];
	if (!process->own.has_extension || sequence->unlogged ||
		sim_world.n_files == SIM_FILES)
		return;
	page = sim_world.buffers.pages[sequence->file];
	sim_touch(format, &page);
	sequence->file = sim_new_file(&page, false);
	sim_tell(process, sequence->oid);
}

/* CREATE EXTENSION, which raises the floors to nothing */
static void
create_extension(SimProcess *process)
{
	SimPage		page = sim_new_page();

	if (!process->in_ddl)
		begin_ddl(process);
	if (process->own.has_extension ||
		sim_world.n_files > SIM_FILES - FLAKE_FORMATS)
		return;
	if (process->own.dropped_in != sim_world.server.start)
		process->own.identity = sim_world.next_identity++;
	process->own.has_extension = true;
	for (int format = 0; format < FLAKE_FORMATS; format++)
		process->own.sequences[format] = (SimSequence) {
			.oid = ++sim_world.next_oid, .file = sim_new_file(&page, false)
		};
	raise_floor(INT64_MIN / 2000);
}

/* Let others see the outcome of DDL; a process that ended does it, too. */
void
sim_unlock_ddl(SimProcess *process, XLogRecPtr commit)
{
	SimServer  *server = &sim_world.server;

	if (!process->in_ddl)
		return;
	sim_ids_of_ddl(process, commit);
	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		SimLock    *lock = &server->locks[process->database][format];

		if (lock->exclusive != process)
			continue;
		lock->exclusive = NULL;
		sim_release(process, &lock->view);
	}
	server->ddl[process->database] = NULL;
	process->in_ddl = false;
}

/* End the transaction that does DDL, and forget what it has changed. */
static void
end_ddl(SimProcess *process, bool commit)
{
	SimDatabase own = process->own;
	bool		did_ddl = process->in_ddl;

	if (did_ddl && commit)
	{
		sim_commit_catalog(process->database, &own, process->forces_commit);
	}
	process->forces_commit = false;
	sim_unlock_ddl(process, commit ? sim_world.inserted : 0);
	for (int format = 0; format < FLAKE_FORMATS && did_ddl; format++)
	{
		if (own.has_extension)
			sim_tell(process, own.sequences[format].oid);
	}
}

static void
execute(SimProcess *process)
{
	SimCall    *call = &process->call;

	flakeid_max_wait = sim_world.ending ? 1000 : (int) sim_draw_log(10) - 1;
	switch (call->what)
	{
		case SIM_MAKE:
			for (uint32 i = 0; i < call->ids; i++)
			{
				sim_begin_call(process);
				sim_check_id(call->format, make_id(call));
			}
			break;
		case SIM_RAISE:
			raise_floor(call->ts_us);
			break;
		case SIM_RESET:
			reset_horizon();
			break;
		case SIM_CANCEL:
			sim_world.server.raises = true;
			(void) flakeid_cancel_reset(NULL);
			break;
		case SIM_ALTER:
			alter(process, call->format);
			break;
		case SIM_CREATE:
			create_extension(process);
			end_ddl(process, !sim_one_in(8));
			break;
		default:
			end_ddl(process, call->what == SIM_COMMIT);
	}
}

void
sim_call(SimProcess *process)
{
	jmp_buf		handler;

	process->failed = false;
	process->cancel_pending = false;
	if (sim_one_in(2))
	{
		sim_acquire(process, &sim_world.server.client_view);
		memcpy(process->call.floor_ms, sim_world.server.floor_ms,
			   sizeof(process->call.floor_ms));
		memcpy(process->call.canceled_ms,
			   sim_world.server.canceled_ms[process->database],
			   sizeof(process->call.canceled_ms));
	}
	sim_begin_call(process);
	sim_admin_begin(process);
	if (_setjmp(handler) != 0)
	{
		process = sim_process;
		process->failed = true;
		sim_release_all(process);
		end_ddl(process, false);
		sim_admin_end(process);
	}
	else
	{
		sim_handler = &handler;
		if (!process->in_ddl || sim_one_in(2))
			sim_process_messages(process);
		execute(process);
		sim_close_all(process);
		sim_admin_end(process);
	}
	sim_end_call(process);
}
