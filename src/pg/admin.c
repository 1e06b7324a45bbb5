/*
 * admin.c
 *		What administrators call: flakeid_status(), flakeid_reset_clock(),
 *		flakeid_cancel_reset(), flakeid_raise_floor().
 */
#include "postgres.h"

#include "pg/compat.h"

#include <math.h>

#include "access/xact.h"
#include "access/xlog.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "storage/proc.h"
#include "utils/builtins.h"
#include "utils/tuplestore.h"

#include "pg/horizon.h"
#include "pg/settings.h"
#include "pg/sql.h"
#include "pg/state.h"

/* The columns of flakeid_status(). */
enum
{
	STATUS_FORMAT, STATUS_SCOPE, STATUS_NODE, STATUS_SLOT,
	STATUS_FIRST_GENERATOR, STATUS_LAST_GENERATOR, STATUS_PER_MS,
	STATUS_EPOCH, STATUS_YEARS_LEFT, STATUS_HORIZON, STATUS_FLOOR,
	STATUS_AHEAD, STATUS_WAITS, STATUS_REFUSALS, STATUS_LONGEST_WAIT,
	STATUS_STEPS_BACK, STATUS_HORIZON_STATE, STATUS_COLUMNS
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
	return TimestampTzGetDatum(flakeid_timestamptz_from_unix_us((epoch_ms + (int64) ms) * 1000));
}

/* Set the columns that depend on the address. */
static void
set_address(StatusRow *row, FlakeFormat format, const FlakeidConfig *config)
{
	const FlakeLayout *layout = &flake_layouts[format];
	const FlakeAddress *address = &config->address;
	uint32		slot = flakeid_proc_number();
	FlakeCounterRange range;

	if (format == FLAKE_ULIDFLAKE)
	{
		set(row, STATUS_SCOPE, CStringGetTextDatum("server"));
		set(row, STATUS_NODE, Int32GetDatum((int32) config->scalability));
	}
	else
	{
		set(row, STATUS_SCOPE,
			CStringGetTextDatum(address->server_scope ? "server" : "backend"));
		set(row, STATUS_NODE, Int32GetDatum((int32) address->node));
		if (!address->server_scope)
			set(row, STATUS_SLOT, Int32GetDatum((int32) slot));
	}
	if (flake_counter_range(layout, address, slot, &range) != FLAKE_OK)
		return;
	if (format == FLAKE_ULIDFLAKE)
	{
		const unsigned step_bits = (unsigned) flakeid_ulidflake_step_bits;
		FlakeIncrement increment = flake_increment_random(0, 0, step_bits, 0);

		set(row, STATUS_PER_MS,
			Int64GetDatum((int64) flake_random_per_ms(&increment, step_bits)));
		return;
	}
	set(row, STATUS_PER_MS,
		Int64GetDatum((int64) 1 << range.counter_bits));
	set(row, STATUS_FIRST_GENERATOR,
		Int32GetDatum((int32) flake_id_generator(layout, range.prefix)));
	set(row, STATUS_LAST_GENERATOR,
		Int32GetDatum((int32) flake_id_generator(layout, range.prefix |
												 flake_mask(range.counter_bits))));
}

/* Set the counters of all processes since the start. */
static void
set_counters(StatusRow *row, FlakeFormat format)
{
	FlakeidLimits *limits = &flakeid_state->limits[format];

	set(row, STATUS_WAITS,
		Int64GetDatum((int64) pg_atomic_read_u64(&limits->waits)));
	set(row, STATUS_REFUSALS,
		Int64GetDatum((int64) pg_atomic_read_u64(&limits->refusals)));
	set(row, STATUS_LONGEST_WAIT,
		interval_of_us((int64) pg_atomic_read_u64(&limits->longest_wait_us)));
	set(row, STATUS_STEPS_BACK,
		Int64GetDatum((int64) pg_atomic_read_u64(&limits->steps_back)));
}

/*
 * Set the columns from the horizon and, except during recovery, from the
 * shared state.
 */
static void
set_limits(StatusRow *row, FlakeFormat format, int64 epoch_ms)
{
	FlakeidHorizonStatus status;
	uint64		newest_ms;

	flakeid_horizon_status(format, &status);
	set(row, STATUS_HORIZON, timestamptz_of_ms(epoch_ms, status.horizon_ms));
	if (!status.has_floor)
		return;
	set(row, STATUS_FLOOR, timestamptz_of_ms(epoch_ms, status.floor_ms));
	set(row, STATUS_HORIZON_STATE, CStringGetTextDatum(status.state));
	newest_ms = Max(status.floor_ms, flakeid_newest_ms(format));
	set(row, STATUS_AHEAD,
		interval_of_us(Max(flakeid_until_us(epoch_ms + (int64) newest_ms), 0)));
	set_counters(row, format);
}

/*
 * Years from the clock to the last time of the generator, rounded to two
 * decimals; negative after it.
 */
static double
years_left(FlakeFormat format, int64 epoch_ms)
{
	const double year_ms = 365.2425 * 86400 * 1000;
	int64		last_ms = epoch_ms +
		(int64) flake_layouts[format].last_generated_ms;
	int64		left_ms = last_ms - flake_unix_ms(flakeid_clock_now());

	return rint((double) left_ms / year_ms * 100) / 100;
}

static void
put_row(ReturnSetInfo *rsinfo, FlakeFormat format,
		const FlakeidConfig *config)
{
	int64		epoch_ms = config->epoch_ms[format];
	StatusRow	row;

	memset(row.nulls, true, sizeof(row.nulls));
	set(&row, STATUS_FORMAT, CStringGetTextDatum(flake_layouts[format].sql_name));
	set_address(&row, format, config);
	set(&row, STATUS_EPOCH, timestamptz_of_ms(epoch_ms, 0));
	set(&row, STATUS_YEARS_LEFT, Float8GetDatum(years_left(format, epoch_ms)));
	set_limits(&row, format, epoch_ms);
	tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, row.values,
						 row.nulls);
}

/*
 * flakeid_status() -> one row each for fluid, nanoflake, ulidflake
 *
 * Generates no id and changes no horizon.  During recovery it shows the
 * replayed horizons.
 */
PG_FUNCTION_INFO_V1(flakeid_flakeid_status);
Datum
flakeid_flakeid_status(PG_FUNCTION_ARGS)
{
	if (!RecoveryInProgress())
		flakeid_state_attach();
	InitMaterializedSRF(fcinfo, 0);
	for (int format = 0; format < FLAKE_FORMATS; format++)
		put_row((ReturnSetInfo *) fcinfo->resultinfo, format,
				flakeid_config());
	return (Datum) 0;
}

/*
 * Report the ids that can be generated again because of a reset: also in the
 * server log, since a user may never see it.
 */
static void
warn_of_reset(FlakeFormat format, const FlakeidReset *reset)
{
	const FlakeLayout *layout = &flake_layouts[format];
	uint64		last_ms = Min(reset->last_ms, layout->last_generated_ms);
	uint64		first_ms = Min(reset->now_ms + 1, last_ms);

	if (reset->last_ms == 0)
		ereport(NOTICE,
				(errmsg("no %s id is more than %d seconds ahead of the clock, so it is not reset",
						layout->name, FLAKE_MAX_LEAD_MS / 1000),
				 errhint("If the clock is wrong now, correct it first, then call flakeid_reset_clock().")));
	else
		ereport(WARNING,
				(errmsg("%s, %s ids %lld to %lld can be generated again",
						reset->at_once ? "from now on" : "after the next restart",
						layout->name,
						(long long) flake_time_part(layout, first_ms),
						(long long) (flake_time_part(layout, last_ms) |
									 flake_mask(flake_low_bits(layout)))),
				 errdetail("They are the ids later than the clock when the next one is generated %s, up to %s.",
						   reset->at_once ? "in this database" : "after the restart",
						   flakeid_epoch_text(flakeid_config()->epoch_ms[format] +
											  (int64) last_ms)),
				 reset->at_once ?
				 errhint("Replace existing ids as in doc/operating.md, \"After a wrong clock\".") :
				 errhint("Correct the clock, call flakeid_reset_clock() in each database that has the extension, restart the server, then replace existing ids as in doc/operating.md, \"After a wrong clock\".")));
}

/*
 * flakeid_reset_clock() -> void
 *
 * After the next start, ids of this database that are ahead of the clock begin
 * at the current time.  If the horizons of some formats are refused, ids of
 * these begin there at once, and the other formats are left alone.  During
 * recovery: 25006.  The warnings come first: no reset is without one.
 */
PG_FUNCTION_INFO_V1(flakeid_flakeid_reset_clock);
Datum
flakeid_flakeid_reset_clock(PG_FUNCTION_ARGS)
{
	FlakeidReset resets[FLAKE_FORMATS];
	bool		any_refused = false;

	PreventCommandDuringRecovery("flakeid_reset_clock()");
	flakeid_state_attach();
	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		flakeid_horizon_plan_reset(format, &resets[format]);
		any_refused |= resets[format].refused;
	}
	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		if (!any_refused || resets[format].refused)
			warn_of_reset(format, &resets[format]);
	}
	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		if (!any_refused || resets[format].refused)
			flakeid_horizon_reset(format, &resets[format]);
	}
	PG_RETURN_VOID();
}

/*
 * flakeid_cancel_reset() -> void
 *
 * Takes back flakeid_reset_clock() before an id uses it.  During recovery:
 * 25006.
 */
PG_FUNCTION_INFO_V1(flakeid_flakeid_cancel_reset);
Datum
flakeid_flakeid_cancel_reset(PG_FUNCTION_ARGS)
{
	bool		any = false;

	PreventCommandDuringRecovery("flakeid_cancel_reset()");
	flakeid_state_attach();
	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		uint64		horizon_ms = flakeid_horizon_cancel_reset(format);
		int64		epoch_ms = flakeid_config()->epoch_ms[format];

		if (horizon_ms == 0)
			continue;
		any = true;
		ereport(NOTICE,
				(errmsg("the reset of %s is canceled: ids continue at %s",
						flake_layouts[format].name,
						flakeid_epoch_text(epoch_ms + (int64) horizon_ms))));
	}
	if (!any)
		ereport(NOTICE, (errmsg("there is no reset to cancel in this database")));
	PG_RETURN_VOID();
}

/* Millisecond of ts; 0 if ts is before the epoch, 22008 if beyond the field. */
static uint64
floor_of(FlakeFormat format, TimestampTz ts)
{
	const FlakeLayout *layout = &flake_layouts[format];
	int64		epoch_ms = flakeid_config()->epoch_ms[format];
	uint64		floor_ms = 0;
	FlakeStatus status = flake_ms_of(layout,
									 flakeid_instant_from_timestamptz(ts),
									 epoch_ms, &floor_ms);

	if (status == FLAKE_BEFORE_FIELD)
		return 0;
	flakeid_check_ms(status, layout, epoch_ms, flake_last_ms(layout), ts);
	return floor_ms;
}

/*
 * flakeid_raise_floor(ts timestamptz) -> void
 *
 * Prevents ids at or below the millisecond of ts: in sessions that attach
 * later, and at once in server scope.  Survives restarts, and reaches standbys.
 * Never lowers a floor; skips a format whose epoch is later than ts.  Changes
 * nothing if it fails: beyond the field of a format: 22008; a horizon that is
 * refused, or a reset that is pending: 55000; during recovery: 25006.
 */
PG_FUNCTION_INFO_V1(flakeid_flakeid_raise_floor);
Datum
flakeid_flakeid_raise_floor(PG_FUNCTION_ARGS)
{
	TimestampTz ts = PG_GETARG_TIMESTAMPTZ(0);
	uint64		floors_ms[FLAKE_FORMATS];

	PreventCommandDuringRecovery("flakeid_raise_floor()");
	if (TIMESTAMP_NOT_FINITE(ts))
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_FIELD_OVERFLOW),
				 errmsg("timestamp \"%s\" is not finite",
						timestamptz_to_str(ts))));
	for (int format = 0; format < FLAKE_FORMATS; format++)
		floors_ms[format] = floor_of(format, ts);
	flakeid_state_attach();
	for (int format = 0; format < FLAKE_FORMATS; format++)
		flakeid_horizon_check_floor(format, floors_ms[format]);
	for (int format = 0; format < FLAKE_FORMATS; format++)
		flakeid_horizon_raise_floor(format, floors_ms[format]);

	/* In CREATE EXTENSION: no id may outlive the sequences. */
	ForceSyncCommit();
	PG_RETURN_VOID();
}
