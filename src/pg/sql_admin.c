/*
 * sql_admin.c
 *		flakeid_status(), flakeid_reset_clock(), flakeid_raise_floor().
 */
#include "postgres.h"

#include "pg/compat.h"

#include <math.h>

#include "access/xlog.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "storage/proc.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"
#include "utils/tuplestore.h"

#include "pg/clock.h"
#include "pg/error.h"
#include "pg/sequence.h"
#include "pg/settings.h"
#include "pg/flake_sql.h"
#include "pg/state.h"

/* The columns of flakeid_status(). */
enum
{
	STATUS_FORMAT, STATUS_SCOPE, STATUS_NODE, STATUS_SLOT,
	STATUS_FIRST_GENERATOR, STATUS_LAST_GENERATOR, STATUS_PER_MS, STATUS_IDS,
	STATUS_WAITS, STATUS_REFUSALS, STATUS_LONGEST_WAIT, STATUS_STEPS_BACK,
	STATUS_AHEAD, STATUS_FLOOR, STATUS_EPOCH, STATUS_PENDING,
	STATUS_SERVER_WAITS, STATUS_SERVER_REFUSALS, STATUS_SERVER_LONGEST_WAIT,
	STATUS_SERVER_STEPS_BACK, STATUS_YEARS_LEFT, STATUS_COLUMNS
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

static Datum
text_array(char **elements, int n)
{
	Datum		datums[FLAKEID_START_SETTINGS];

	for (int i = 0; i < n; i++)
		datums[i] = CStringGetTextDatum(elements[i]);
	return PointerGetDatum(construct_array(datums, n, TEXTOID, -1, false,
										   TYPALIGN_INT));
}

/* Set the columns that depend on the address. */
static void
set_address(StatusRow *row, FlakeFormat format, const FlakeidConfig *in_effect)
{
	const FlakeLayout *layout = &flake_layouts[format];
	const FlakeAddress *address = &in_effect->address;
	uint32		slot = flakeid_proc_number();
	FlakeCounterRange range;

	if (format == FLAKE_ULIDFLAKE)
	{
		set(row, STATUS_SCOPE, CStringGetTextDatum("server"));
		set(row, STATUS_NODE, Int32GetDatum((int32) in_effect->scalability));
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

/* How far the newest id, own or of the shared word, is ahead of the clock. */
static int64
ahead_us(FlakeFormat format, const FlakeidConfig *in_effect)
{
	const FlakeidGenerator *generator = &flakeid_generators[format];
	FlakeInstant now = flakeid_clock_now();
	uint64		newest_ms = generator->position.ms;
	int64		behind_us;

	if (format == FLAKE_ULIDFLAKE || in_effect->address.server_scope)
		newest_ms = flake_id_ms(&flake_layouts[format],
								pg_atomic_read_u64(&flakeid_state->words[format].word));
	else if (generator->ids == 0)
		return 0;
	behind_us = ((int64) newest_ms + in_effect->epoch_ms[format] -
				 flake_unix_ms(now)) * 1000 -
		now.ns_in_s % FLAKE_NS_PER_MS / 1000;
	return Max(behind_us, 0);
}

/* Set the columns from this process's history and from the state file. */
static void
set_history(StatusRow *row, FlakeFormat format, const FlakeidConfig *in_effect)
{
	const FlakeidGenerator *generator = &flakeid_generators[format];
	uint64		floor_ms = pg_atomic_read_u64(&flakeid_state->header.limits[format].floor_ms);

	set(row, STATUS_AHEAD, interval_of_us(ahead_us(format, in_effect)));
	set(row, STATUS_FLOOR,
		timestamptz_of_ms(in_effect->epoch_ms[format], floor_ms));
	set(row, STATUS_IDS, Int64GetDatum((int64) generator->ids));
	set(row, STATUS_WAITS, Int64GetDatum((int64) generator->waits));
	set(row, STATUS_REFUSALS, Int64GetDatum((int64) generator->refusals));
	set(row, STATUS_LONGEST_WAIT, interval_of_us(generator->longest_wait_us));
	set(row, STATUS_STEPS_BACK,
		Int64GetDatum((int64) generator->history.steps_back));
}

/* Set the counters of all processes since the server start. */
static void
set_counters(StatusRow *row, FlakeFormat format)
{
	FlakeidLimits *limits = &flakeid_state->header.limits[format];

	set(row, STATUS_SERVER_WAITS,
		Int64GetDatum((int64) pg_atomic_read_u64(&limits->waits)));
	set(row, STATUS_SERVER_REFUSALS,
		Int64GetDatum((int64) pg_atomic_read_u64(&limits->refusals)));
	set(row, STATUS_SERVER_LONGEST_WAIT,
		interval_of_us((int64) pg_atomic_read_u64(&limits->longest_wait_us)));
	set(row, STATUS_SERVER_STEPS_BACK,
		Int64GetDatum((int64) pg_atomic_read_u64(&limits->steps_back)));
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

static Datum
pending_settings(const FlakeidConfig *in_effect)
{
	char	   *pending[FLAKEID_START_SETTINGS];

	return text_array(pending, flakeid_pending_settings(in_effect, pending));
}

/* A format that becomes available at the next start has no row until then. */
static void
put_row(ReturnSetInfo *rsinfo, FlakeFormat format,
		const FlakeidConfig *in_effect)
{
	StatusRow	row;

	memset(row.nulls, true, sizeof(row.nulls));
	set(&row, STATUS_FORMAT, CStringGetTextDatum(flake_layouts[format].sql_name));
	set_address(&row, format, in_effect);
	set(&row, STATUS_EPOCH, timestamptz_of_ms(in_effect->epoch_ms[format], 0));
	set(&row, STATUS_PENDING, pending_settings(in_effect));
	set(&row, STATUS_YEARS_LEFT,
		Float8GetDatum(years_left(format, in_effect->epoch_ms[format])));
	if (flakeid_state != NULL)
	{
		set_history(&row, format, in_effect);
		set_counters(&row, format);
	}
	tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, row.values,
						 row.nulls);
}

/*
 * flakeid_status() -> one row each for fluid, nanoflake, ulidflake
 *
 * Maps the state file, and after a start has it set up, like a generator.
 * During recovery it shows the configured values.
 */
PG_FUNCTION_INFO_V1(flakeid_flakeid_status);
Datum
flakeid_flakeid_status(PG_FUNCTION_ARGS)
{
	FlakeidConfig in_effect = flakeid_config_for_readers();
	int			formats = flakeid_state != NULL ? flakeid_formats_in_effect() :
		FLAKE_FORMATS;

	InitMaterializedSRF(fcinfo, 0);
	for (int format = 0; format < formats; format++)
		put_row((ReturnSetInfo *) fcinfo->resultinfo, format, &in_effect);
	return (Datum) 0;
}

/*
 * flakeid_reset_clock() -> void
 *
 * After the next start, ids begin at the current time; at once if no id can be
 * generated because an epoch was moved.  During recovery: 25006.
 */
PG_FUNCTION_INFO_V1(flakeid_flakeid_reset_clock);
Datum
flakeid_flakeid_reset_clock(PG_FUNCTION_ARGS)
{
	uint64		newest_ms[FLAKE_FORMATS];

	PreventCommandDuringRecovery("flakeid_reset_clock()");
	if (!flakeid_state_open_or_reset())
	{
		flakeid_find_newest(flakeid_state, newest_ms);
		flakeid_notice_reset(newest_ms, flakeid_config_in_effect(),
							 flakeid_formats_in_effect(), false);
		flakeid_request_reset();
	}
	PG_RETURN_VOID();
}

/*
 * flakeid_raise_floor(ts timestamptz) -> void
 *
 * Prevents ids at or below the millisecond of ts: in sessions that attach
 * later, and at once in server scope.  Never lowers a floor; skips a format
 * whose epoch is later than ts.  Beyond the field of a format: 22008, without
 * any change.  During recovery: 25006.
 */
PG_FUNCTION_INFO_V1(flakeid_flakeid_raise_floor);
Datum
flakeid_flakeid_raise_floor(PG_FUNCTION_ARGS)
{
	TimestampTz ts = PG_GETARG_TIMESTAMPTZ(0);
	uint64		floors_ms[FLAKE_FORMATS];

	PreventCommandDuringRecovery("flakeid_raise_floor()");
	flakeid_state_open();
	if (TIMESTAMP_NOT_FINITE(ts))
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_FIELD_OVERFLOW),
				 errmsg("timestamp \"%s\" is not finite",
						timestamptz_to_str(ts))));
	for (int format = 0; format < flakeid_formats_in_effect(); format++)
	{
		const FlakeLayout *layout = &flake_layouts[format];
		int64		epoch_ms = flakeid_config_in_effect()->epoch_ms[format];
		FlakeStatus status = flake_ms_of(layout,
										 flakeid_instant_from_timestamptz(ts),
										 epoch_ms, &floors_ms[format]);

		if (status == FLAKE_BEFORE_FIELD)
			floors_ms[format] = 0;
		else
			flakeid_check_ms(status, layout, epoch_ms, flake_last_ms(layout),
							 ts);
	}
	flakeid_raise_floors(floors_ms);
	PG_RETURN_VOID();
}
