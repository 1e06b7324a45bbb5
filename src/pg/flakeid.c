/*
 * flakeid.c
 *		The module, and its functions flakeid_status(), flakeid_reset_clock(),
 *		flakeid_raise_floor().
 *
 * src/format has the id formats in plain C; src/pg connects them to the
 * server.  doc/internals/design.md, section 10, has a map.
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
#include "pg/range.h"
#include "pg/settings.h"
#include "pg/sql.h"
#include "pg/state.h"

FLAKEID_MODULE_MAGIC;

/*
 * Draw nothing random here: with shared_preload_libraries this runs in the
 * postmaster.
 */
void
_PG_init(void)
{
	flakeid_define_settings();
	if (process_shared_preload_libraries_in_progress)
		flakeid_state_init();
	flakeid_install_range_stats();
}

/* The columns of flakeid_status(). */
enum
{
	STATUS_FORMAT, STATUS_SCOPE, STATUS_NODE, STATUS_SLOT,
	STATUS_FIRST_GENERATOR, STATUS_LAST_GENERATOR, STATUS_PER_MS,
	STATUS_EPOCH, STATUS_YEARS_LEFT, STATUS_HORIZON, STATUS_FLOOR,
	STATUS_AHEAD, STATUS_WAITS, STATUS_REFUSALS, STATUS_LONGEST_WAIT,
	STATUS_STEPS_BACK, STATUS_COLUMNS
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

/* Report the ids that can be generated again because of a reset. */
static void
notice_reset(FlakeFormat format, const FlakeidReset *reset, bool at_once)
{
	const FlakeLayout *layout = &flake_layouts[format];
	uint64		last_ms = Min(reset->newest_ms, layout->last_generated_ms);

	if (last_ms <= reset->now_ms)
		ereport(NOTICE,
				(errmsg("no %s id is ahead of the clock", layout->name)));
	else
		ereport(NOTICE,
				(errmsg("%s, %s ids %lld to %lld can be generated again",
						at_once ? "from now on" : "after the next restart",
						layout->name,
						(long long) flake_time_part(layout, reset->now_ms + 1),
						(long long) (flake_time_part(layout, last_ms) |
									 flake_mask(flake_low_bits(layout)))),
				 errdetail("Their timestamps range from the current time to %s.",
						   flakeid_epoch_text(flakeid_config()->epoch_ms[format] + (int64) last_ms)),
				 errhint("Delete or renumber them before the clock reaches their timestamps, or change flakeid.node_id. If ids of other databases of this server are ahead of the clock, call flakeid_reset_clock() in each of them before the restart.")));
}

/*
 * flakeid_reset_clock() -> void
 *
 * After the next start, ids of this database begin at the current time.  If
 * the horizons of some formats are refused, ids of these begin there at once,
 * and the other formats are left alone.  During recovery: 25006.
 */
PG_FUNCTION_INFO_V1(flakeid_flakeid_reset_clock);
Datum
flakeid_flakeid_reset_clock(PG_FUNCTION_ARGS)
{
	FlakeidReset reset;
	bool		any_refused = false;

	PreventCommandDuringRecovery("flakeid_reset_clock()");
	flakeid_state_attach();
	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		if (!flakeid_horizon_reset_refused(format, &reset))
			continue;
		any_refused = true;
		notice_reset(format, &reset, true);
	}
	if (any_refused)
		PG_RETURN_VOID();
	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		flakeid_horizon_request_reset(format, &reset);
		notice_reset(format, &reset, false);
	}
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
 * Never lowers a floor; skips a format whose epoch is later than ts.  Beyond
 * the field of a format: 22008, without any change.  During recovery: 25006.
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
		flakeid_horizon_raise_floor(format, floors_ms[format]);

	/* In CREATE EXTENSION: no id may outlive the sequences. */
	ForceSyncCommit();
	PG_RETURN_VOID();
}
