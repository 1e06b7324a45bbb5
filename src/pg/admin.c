/*
 * admin.c
 *		What administrators call: flakeid_status(), flakeid_reset_horizon(),
 *		flakeid_cancel_reset(), flakeid_raise_floor().
 *
 * A floor keeps ids above a time, although this server has generated none: for
 * ids of a restored dump, or of another server.  A reset gives up the promise
 * of the horizon, that ids continue after all earlier ones, so that after a
 * wrong clock they begin at the current time again; canceled, it had no
 * effect.  These three change the horizons of all formats, or of none: they
 * lock and judge all pages, then write them in one record (horizon.c).
 */
#include "postgres.h"

#include "pg/compat.h"

#include <math.h>

#include "access/xact.h"
#include "access/xlog.h"
#include "catalog/pg_type.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "storage/proc.h"
#include "utils/builtins.h"
#include "utils/tuplestore.h"

#include "pg/clock.h"
#include "pg/horizon.h"
#include "pg/settings.h"
#include "pg/sql.h"

/* The columns of flakeid_status(). */
enum
{
	STATUS_FORMAT, STATUS_SCOPE, STATUS_NODE, STATUS_SLOT,
	STATUS_FIRST_GENERATOR, STATUS_LAST_GENERATOR, STATUS_PER_MS,
	STATUS_EPOCH, STATUS_YEARS_LEFT, STATUS_HORIZON, STATUS_FLOOR,
	STATUS_AHEAD, STATUS_WAITS, STATUS_REFUSALS, STATUS_LONGEST_WAIT,
	STATUS_STEPS_BACK, STATUS_HORIZON_STATE, STATUS_COLUMNS
};

static const Oid column_types[STATUS_COLUMNS] = {
	TEXTOID, TEXTOID, INT4OID, INT4OID, INT4OID, INT4OID, INT8OID,
	TIMESTAMPTZOID, FLOAT8OID, TIMESTAMPTZOID, TIMESTAMPTZOID, INTERVALOID,
	INT8OID, INT8OID, INTERVALOID, INT8OID, TEXTOID
};

/* A row; columns that are not set are NULL. */
typedef struct StatusRow
{
	Datum		values[STATUS_COLUMNS];
	bool		nulls[STATUS_COLUMNS];
} StatusRow;

static void
set(StatusRow *row, int column, Datum value)
{
	row->values[column] = value;
	row->nulls[column] = false;
}

static Datum
interval_of_us(int64 us)
{
	Interval   *interval = palloc0(sizeof(Interval));

	interval->time = us;
	return IntervalPGetDatum(interval);
}

static Datum
timestamptz_of_ms(int64 epoch_ms, uint64 ms)
{
	int64		unix_us = (epoch_ms + (int64) ms) * 1000;

	return TimestampTzGetDatum(flakeid_timestamptz_from_unix_us(unix_us));
}

/* Set the columns that depend on the address. */
static void
set_address(StatusRow *row, const FlakeidGenerator *generator)
{
	const FlakeLayout *layout = generator->layout;
	const FlakeidConfig *config = flakeid_config();
	const FlakeAddress *address = &config->address;
	uint32		slot = flakeid_proc_number();
	FlakeShare share;
	uint32		first;
	uint32		last;

	if (generator->format == FLAKE_ULIDFLAKE)	/* has no generator number */
	{
		const unsigned step_bits = (unsigned) flakeid_ulidflake_step_bits;
		FlakeIncrement increment = flake_increment_random(0, 0, step_bits, 0);
		uint64		per_ms = flake_random_per_ms(&increment, step_bits);

		set(row, STATUS_SCOPE, CStringGetTextDatum("server"));
		set(row, STATUS_NODE, Int32GetDatum((int32) config->scalability));
		set(row, STATUS_PER_MS, Int64GetDatum((int64) per_ms));
		return;
	}
	set(row, STATUS_SCOPE,
		CStringGetTextDatum(address->server_scope ? "server" : "backend"));
	set(row, STATUS_NODE, Int32GetDatum((int32) address->node));
	if (!address->server_scope)
		set(row, STATUS_SLOT, Int32GetDatum((int32) slot));
	set(row, STATUS_PER_MS, Int64GetDatum(0));
	if (flake_share(layout, address, slot, &share) != FLAKE_OK)
		return;
	set(row, STATUS_PER_MS, Int64GetDatum((int64) 1 << share.counter_bits));
	first = flake_id_generator(layout, share.prefix);
	last = flake_id_generator(layout,
							  share.prefix | flake_mask(share.counter_bits));
	set(row, STATUS_FIRST_GENERATOR, Int32GetDatum((int32) first));
	set(row, STATUS_LAST_GENERATOR, Int32GetDatum((int32) last));
}

static void
set_counter(StatusRow *row, int column, pg_atomic_uint64 *counter)
{
	set(row, column, Int64GetDatum((int64) pg_atomic_read_u64(counter)));
}

/* Set the counters of all processes since the start. */
static void
set_counters(StatusRow *row, FlakeidFormatState *shared)
{
	uint64		longest_us = pg_atomic_read_u64(&shared->longest_wait_us);

	set_counter(row, STATUS_WAITS, &shared->waits);
	set_counter(row, STATUS_REFUSALS, &shared->refusals);
	set_counter(row, STATUS_STEPS_BACK, &shared->steps_back);
	set(row, STATUS_LONGEST_WAIT, interval_of_us((int64) longest_us));
}

/*
 * The state of a page, for users.  A page without a tag may come from
 * pg_upgrade, before this start, so only a horizon that was written since, and
 * is low, tells of another hand.
 */
static const char *
state_text(const FlakeidPage *page, uint64 newest_ms)
{
	switch (page->verdict)
	{
		case FLAKE_HORIZON_CURRENT:
			return "current";
		case FLAKE_HORIZON_PENDING:
			return "reset pending";
		case FLAKE_HORIZON_RESET:
			return "reset";
		case FLAKE_HORIZON_REFUSED:
			return "refused";
		default:
			if (page->stored.tag >= 0 && !page->start.page_is_older &&
				flakeid_page_horizon_ms(page) < newest_ms)
				return "changed";
			return "earlier";
	}
}

/*
 * Set the columns from the horizon, if there is one, and from the shared
 * state, if the server is not in recovery.
 */
static void
set_limits(StatusRow *row, FlakeidGenerator *generator, bool has_state)
{
	const int64 epoch_ms = generator->epoch_ms;
	FlakeidPage page;
	const char *state = "missing";
	uint64		floor_ms = 0;
	uint64		newest_ms = 0;
	int64		ahead_us;
	bool		exists = flakeid_page_read(&page, generator, has_state);

	if (has_state)
	{
		floor_ms = pg_atomic_read_u64(&generator->shared->floor_ms);
		newest_ms = flakeid_newest_ms(generator);
	}
	if (exists)
	{
		flakeid_pages_close(&page, 1);
		floor_ms = Max(floor_ms, page.floor_ms);
		state = state_text(&page, newest_ms);
		set(row, STATUS_HORIZON,
			timestamptz_of_ms(epoch_ms, flakeid_page_horizon_ms(&page)));
	}
	if (!has_state)
		return;
	set(row, STATUS_FLOOR, timestamptz_of_ms(epoch_ms, floor_ms));
	set(row, STATUS_HORIZON_STATE, CStringGetTextDatum(state));
	newest_ms = Max(floor_ms, newest_ms);
	ahead_us = flakeid_until_us(epoch_ms + (int64) newest_ms);
	set(row, STATUS_AHEAD, interval_of_us(Max(ahead_us, 0)));
	set_counters(row, generator->shared);
}

/*
 * Years from the clock to the last time of the generator, rounded to two
 * decimals; negative after it.
 */
static double
years_left(const FlakeidGenerator *generator)
{
	const double year_ms = 365.2425 * 86400 * 1000;
	int64		last_ms = generator->epoch_ms +
		(int64) generator->layout->last_generated_ms;
	int64		left_ms = last_ms - flake_unix_ms(flakeid_clock_now());

	/* As an integer, 0 has no sign. */
	return (double) (int64) rint((double) left_ms / year_ms * 100) / 100;
}

static void
put_row(ReturnSetInfo *rsinfo, FlakeidGenerator *generator, bool has_state)
{
	StatusRow	row;
	HeapTuple	tuple;

	memset(row.nulls, true, sizeof(row.nulls));
	set(&row, STATUS_FORMAT, CStringGetTextDatum(generator->layout->sql_name));
	set_address(&row, generator);
	set(&row, STATUS_EPOCH, timestamptz_of_ms(generator->epoch_ms, 0));
	set(&row, STATUS_YEARS_LEFT, Float8GetDatum(years_left(generator)));
	set_limits(&row, generator, has_state);
	tuple = flakeid_form_row(rsinfo->setDesc, column_types, STATUS_COLUMNS,
							 row.values, row.nulls);
	tuplestore_puttuple(rsinfo->setResult, tuple);
}

/*
 * flakeid_status() -> one row for each format of the library
 *
 * Generates no id and changes no horizon.  During recovery it shows the
 * replayed horizons.
 */
PG_FUNCTION_INFO_V1(flakeid_status);
Datum
flakeid_status(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	bool		has_state = !RecoveryInProgress();

	if (has_state)
		flakeid_state_attach();
	InitMaterializedSRF(fcinfo, 0);
	for (int format = 0; format < FLAKE_FORMATS; format++)
		put_row(rsinfo, flakeid_generator(format), has_state);
	return (Datum) 0;
}

/*
 * What a reset does to a format.  Ids after the clock at the first id after it
 * up to last_ms can be generated again; none if last_ms is 0.
 *
 * A warning must name these ids before a reset is written, and no page may be
 * locked while a client reads it.  So the pages are locked twice: first to
 * make the plans, which the warnings have; then to write what they say, unless
 * a page or a newer id does not agree with its plan any more (check_plan).
 */
typedef struct ResetPlan
{
	bool		refused;		/* the horizon is, until the reset */
	bool		at_once;		/* no restart is needed */
	uint64		last_ms;		/* 0: the format is not reset */
	uint64		now_ms;			/* the clock at the call */
} ResetPlan;

/* Newest id before a reset, or the horizon, where ids continue otherwise. */
static uint64
newest_before_reset_ms(const FlakeidPage *page)
{
	uint64		last_ms = flakeid_page_last_ms(page);

	if (page->verdict == FLAKE_HORIZON_CURRENT ||
		page->verdict == FLAKE_HORIZON_EARLIER)
		last_ms = Max(last_ms, flakeid_newest_ms(page->generator));
	return last_ms;
}

/*
 * A reset at once, or one that is pending, names what is on the page.  Any
 * other needs more than a lead or a few small steps of the clock, and leaves
 * room after the newest id for those of running sessions.
 */
static ResetPlan
plan_reset(const FlakeidPage *page)
{
	uint64		last_ms = newest_before_reset_ms(page);
	bool		refused = page->verdict == FLAKE_HORIZON_REFUSED;
	ResetPlan	plan = {
		.refused = refused,
		.at_once = refused || page->verdict == FLAKE_HORIZON_RESET,
		.now_ms = page->start.now_ms,
	};

	if (plan.at_once || page->verdict == FLAKE_HORIZON_PENDING)
		plan.last_ms = last_ms;
	else if (last_ms > plan.now_ms + FLAKE_MAX_LEAD_MS)
		plan.last_ms = last_ms + FLAKE_RESET_ROOM_S * 1000;
	return plan;
}

/*
 * Report the ids that can be generated again because of a reset: also in the
 * server log, since a user may never see it.
 */
static void
warn_of_repeats(const FlakeidGenerator *generator, const ResetPlan *plan)
{
	const FlakeLayout *layout = generator->layout;
	uint64		last_ms = Min(plan->last_ms, layout->last_generated_ms);
	uint64		first_ms = Min(plan->now_ms + 1, last_ms);
	uint64		first_id = flake_time_part(layout, first_ms);
	uint64		last_id = flake_time_part(layout, last_ms) |
		flake_mask(flake_low_bits(layout));
	int64		last_unix_ms = generator->epoch_ms + (int64) last_ms;
	const char *when = plan->at_once ?
		"from now on" : "after the next restart";
	const char *where = plan->at_once ?
		"in this database" : "after the restart";

	if (plan->last_ms == 0)
		ereport(NOTICE,
				(errmsg("no %s id is more than %d seconds ahead of the clock, so it is not reset",
						layout->name, FLAKE_MAX_LEAD_MS / 1000),
				 errhint("If the clock is wrong now, correct it first, then call flakeid_reset_horizon().")));
	else
		ereport(WARNING,
				(errmsg("%s, %s ids %lld to %lld can be generated again",
						when, layout->name,
						(long long) first_id, (long long) last_id),
				 errdetail("They are the ids later than the clock when the next one is generated %s, up to %s.",
						   where, flakeid_epoch_text(last_unix_ms)),
				 plan->at_once ?
				 errhint("Replace existing ids as in doc/operating.md, \"After a wrong clock\".") :
				 errhint("Correct the clock, call flakeid_reset_horizon() in each database that has the extension, restart the server, then replace existing ids as in doc/operating.md, \"After a wrong clock\".")));
}

/* The page must still be as the warning has it; else 55P03. */
static void
check_plan(FlakeidPage *pages, int n, const FlakeidPage *page,
		   const ResetPlan *plan, uint64 last_ms)
{
	if (plan_reset(page).at_once == plan->at_once && last_ms <= plan->last_ms)
		return;
	flakeid_pages_close(pages, n);
	ereport(ERROR,
			(errcode(ERRCODE_LOCK_NOT_AVAILABLE),
			 errmsg("the horizon of %s was changed during flakeid_reset_horizon()",
					page->generator->layout->name),
			 errhint("Call it again.")));
}

/*
 * Let ids start at the clock: at once if the horizon is refused, otherwise
 * after the next start.  Until then the horizon has the room that the plan
 * leaves.  A reset that was requested before remains as it is.
 */
static void
reset(FlakeidPage *page, const ResetPlan *plan, uint64 last_ms)
{
	uint64		room_s = (plan->last_ms - last_ms) / 1000;

	if (plan->refused)
		flakeid_page_raise(page, FLAKE_HORIZON_RESET, 0);
	else if (!plan->at_once && page->verdict != FLAKE_HORIZON_PENDING)
		flakeid_page_set(page, last_ms, flake_tag_reset(&page->start, room_s));
}

/*
 * Begin a call that changes horizons, with a transaction id, so that COMMIT
 * waits for synchronous standbys as after nextval().
 */
static void
begin_change(const char *call)
{
	PreventCommandDuringRecovery(call);
	PreventCommandIfReadOnly(call);
	PreventCommandIfParallelMode(call);
	(void) GetTopTransactionId();
	flakeid_state_attach();
}

/* Refuse a call, because of one of its pages: it changes none. */
pg_noreturn static void
refuse(FlakeidPage *pages, int n, const FlakeidPage *page)
{
	flakeid_pages_close(pages, n);
	flakeid_page_refuse(page);
}

/*
 * flakeid_reset_horizon() -> integer: number of formats that it resets
 *
 * After the next start, ids of this database that are ahead of the clock begin
 * at the current time.  If the horizons of some formats are refused, ids of
 * these begin there at once, and the other formats are left alone.  During
 * recovery, and in a read-only transaction: 25006.  The warnings come first,
 * while nothing is locked: no reset is without one.
 */
PG_FUNCTION_INFO_V1(flakeid_reset_horizon);
Datum
flakeid_reset_horizon(PG_FUNCTION_ARGS)
{
	FlakeidPage pages[FLAKE_FORMATS];
	ResetPlan	plans[FLAKE_FORMATS] = {0};
	bool		any_refused = false;
	int			changed = 0;
	int			n;

	begin_change("flakeid_reset_horizon()");
	n = flakeid_pages_open_all(pages);
	for (int i = 0; i < n; i++)
	{
		ResetPlan  *plan = &plans[pages[i].generator->format];

		*plan = plan_reset(&pages[i]);
		any_refused |= plan->refused;
	}
	flakeid_pages_close(pages, n);
	for (int i = 0; i < n; i++)
	{
		ResetPlan  *plan = &plans[pages[i].generator->format];

		if (!any_refused || plan->refused)
			warn_of_repeats(pages[i].generator, plan);
		else
			plan->last_ms = 0;
	}

	/* Meanwhile a format may be new, or gone: only what was warned of. */
	n = flakeid_pages_open_all(pages);
	for (int i = 0; i < n; i++)
	{
		const ResetPlan *plan = &plans[pages[i].generator->format];
		uint64		last_ms = newest_before_reset_ms(&pages[i]);

		if (plan->last_ms > 0)
		{
			check_plan(pages, n, &pages[i], plan, last_ms);
			reset(&pages[i], plan, last_ms);
		}
		changed += pages[i].changes;
	}
	flakeid_pages_write_and_flush(pages, n);
	PG_RETURN_INT32(changed);
}

static void
report_cancel(const FlakeidPage *page)
{
	const FlakeidGenerator *generator = page->generator;
	uint64		horizon_ms = flakeid_page_horizon_ms(page);
	int64		unix_ms = generator->epoch_ms + (int64) horizon_ms;

	ereport(NOTICE,
			(errmsg("the reset of %s is canceled: ids continue at %s",
					generator->layout->name, flakeid_epoch_text(unix_ms))));
}

/*
 * flakeid_cancel_reset() -> integer: number of formats that it changes
 *
 * Takes back flakeid_reset_horizon() before an id uses it: ids continue after
 * the horizon.  Also a reset that another epoch or timeline lets rest: the bit
 * does not stay.  A horizon with a reset that is refused: 55000, and no reset
 * is canceled.  25006 as above.
 */
PG_FUNCTION_INFO_V1(flakeid_cancel_reset);
Datum
flakeid_cancel_reset(PG_FUNCTION_ARGS)
{
	FlakeidPage pages[FLAKE_FORMATS];
	int			changed = 0;
	int			n;

	begin_change("flakeid_cancel_reset()");
	n = flakeid_pages_open_all(pages);
	for (int i = 0; i < n; i++)
	{
		FlakeidPage *page = &pages[i];

		if (!flake_tag_is_reset(page->stored.tag))
			continue;
		if (page->verdict == FLAKE_HORIZON_REFUSED)
			refuse(pages, n, page);
		flakeid_page_raise(page, page->verdict == FLAKE_HORIZON_PENDING ?
						   FLAKE_HORIZON_CURRENT : FLAKE_HORIZON_EARLIER, 0);
		changed++;
	}
	flakeid_pages_write_and_flush(pages, n);
	for (int i = 0; i < n; i++)
		if (pages[i].changes)
			report_cancel(&pages[i]);
	if (changed == 0)
		ereport(NOTICE,
				(errmsg("there is no reset to cancel in this database")));
	PG_RETURN_INT32(changed);
}

/*
 * Millisecond of ts; 0 if ts is before the epoch.  Later ids must be possible,
 * else 22008.
 */
static uint64
floor_of(const FlakeidGenerator *generator, TimestampTz ts)
{
	uint64		last_ms = generator->layout->last_generated_ms - 1;
	uint64		floor_ms = 0;
	FlakeStatus status = flake_ms_of(generator->layout,
									 flakeid_instant_from_timestamptz(ts),
									 generator->epoch_ms, &floor_ms);

	if (status == FLAKE_BEFORE_FIELD)
		return 0;
	if (floor_ms > last_ms)
		status = FLAKE_BEYOND_FIELD;
	flakeid_check_ms(status, generator->layout, generator->epoch_ms, last_ms,
					 ts);
	return floor_ms;
}

/*
 * Raise the floor in the next write, and the horizon above it.  True if the
 * floor in effect was lower, or the horizon, after which a restart continues.
 */
static bool
raise_above(FlakeidPage *page, uint64 floor_ms)
{
	FlakeidFormatState *shared = page->generator->shared;
	uint64		old_ms = Max(page->floor_ms,
							 pg_atomic_read_u64(&shared->floor_ms));

	old_ms = Min(old_ms, flakeid_page_horizon_ms(page));
	flakeid_page_raise(page, page->verdict == FLAKE_HORIZON_REFUSED ?
					   FLAKE_HORIZON_EARLIER : page->verdict, floor_ms);
	page->floor_ms = Max(page->floor_ms, floor_ms);
	return floor_ms > old_ms;
}

/*
 * flakeid_raise_floor(ts timestamptz) -> integer: number of floors it raises
 *
 * Prevents ids at or below the millisecond of ts: in sessions that attach
 * later, and at once in server scope.  Survives restarts, and reaches
 * standbys.  Never lowers a floor; skips a format whose epoch is later than
 * ts.  Changes nothing if it fails: no later id in one of the formats: 22008;
 * a horizon that is refused, unless ts is at or after it, or a reset that
 * is pending: 55000; 25006 as above.
 */
PG_FUNCTION_INFO_V1(flakeid_raise_floor);
Datum
flakeid_raise_floor(PG_FUNCTION_ARGS)
{
	TimestampTz ts = PG_GETARG_TIMESTAMPTZ(0);
	uint64		floors_ms[FLAKE_FORMATS] = {0};
	FlakeidPage pages[FLAKE_FORMATS];
	int			changed = 0;
	int			n;

	begin_change("flakeid_raise_floor()");
	if (TIMESTAMP_NOT_FINITE(ts))
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_FIELD_OVERFLOW),
				 errmsg("timestamp \"%s\" is not finite",
						timestamptz_to_str(ts))));
	for (int format = 0; format < FLAKE_FORMATS; format++)
		if (flakeid_horizon_exists(flakeid_generator(format)))
			floors_ms[format] = floor_of(flakeid_generator(format), ts);
	n = flakeid_pages_open_all(pages);
	for (int i = 0; i < n; i++)
	{
		FlakeidPage *page = &pages[i];
		uint64		floor_ms = floors_ms[page->generator->format];

		if (page->verdict == FLAKE_HORIZON_PENDING ||
			(page->verdict == FLAKE_HORIZON_REFUSED &&
			 floor_ms < flakeid_page_horizon_ms(page)))
			refuse(pages, n, page);
		changed += raise_above(page, floor_ms);
	}
	flakeid_pages_write_and_flush(pages, n);

	/*
	 * CREATE EXTENSION ends with this call.  If its commit were asynchronous,
	 * a crash could remove the sequences again, after ids were returned.
	 */
	ForceSyncCommit();
	PG_RETURN_INT32(changed);
}
