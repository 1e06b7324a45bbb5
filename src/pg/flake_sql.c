/*
 * flake_sql.c
 *		Read and bound 64-bit ids of all formats.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "fmgr.h"
#include "utils/timestamp.h"

#include "pg/clock.h"
#include "pg/error.h"
#include "pg/settings.h"
#include "pg/flake_sql.h"

/* The id argument; raises 22003 if it is negative, except for FLUID. */
uint64
flakeid_getarg_id(FunctionCallInfo fcinfo, FlakeFormat format)
{
	int64		id = PG_GETARG_INT64(0);

	flakeid_check_id(&flake_layouts[format], id);
	return (uint64) id;
}

/* The epoch in effect; raises F0000 if one was set that is not. */
int64
flakeid_reader_epoch_ms(FlakeFormat format)
{
	if (!flake_layouts[format].epoch_is_setting)
		return flake_layouts[format].epoch_ms;
	return flakeid_reader_config()->epoch_ms[format];
}

/* An epoch argument; raises 22008 unless finite, 22023 unless whole ms. */
int64
flakeid_epoch_argument_ms(TimestampTz epoch)
{
	if (TIMESTAMP_NOT_FINITE(epoch))
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_FIELD_OVERFLOW),
				 errmsg("epoch \"%s\" is not finite",
						timestamptz_to_str(epoch))));
	if (epoch % 1000 != 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("epoch \"%s\" is not a whole number of milliseconds",
						timestamptz_to_str(epoch)),
				 errhint("Truncate it with date_trunc('milliseconds', ...).")));
	return epoch / 1000 + FLAKEID_PG_EPOCH_UNIX_US / 1000;
}

/* Start of the id's millisecond. */
Datum
flakeid_flake_to_timestamptz(FlakeFormat format, int64 id, int64 epoch_ms)
{
	const FlakeLayout *layout = &flake_layouts[format];
	TimestampTz ts;

	flakeid_check_id(layout, id);
	ts = flakeid_timestamptz_from_unix_ms(epoch_ms +
										  (int64) flake_id_ms(layout, (uint64) id));
	if (TIMESTAMP_IS_NOEND(ts))
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_FIELD_OVERFLOW),
				 errmsg("timestamp of %s " INT64_FORMAT " is out of range",
						layout->name, id),
				 errdetail("Counted from this epoch, it is later than the last timestamp with time zone."),
				 errhint("Specify the epoch that the id was generated with.")));
	PG_RETURN_TIMESTAMPTZ(ts);
}

/* The first argument, a timestamp of the format; else 22023. */
uint64
flakeid_getarg_ms(FunctionCallInfo fcinfo, FlakeFormat format)
{
	return flakeid_check_timestamp(PG_GETARG_INT64(0),
								   flake_last_ms(&flake_layouts[format]));
}

/* Millisecond of ts; raises 22008 outside the time field. */
uint64
flakeid_flake_ms(FlakeFormat format, TimestampTz ts, int64 epoch_ms)
{
	const FlakeLayout *layout = &flake_layouts[format];
	uint64		ms = 0;

	flakeid_check_ms(flake_ms_of(layout, flakeid_instant_from_timestamptz(ts),
								 epoch_ms, &ms),
					 layout, epoch_ms, flake_last_ms(layout), ts);
	return ms;
}

/* Smallest id of the millisecond of ts, else 22008. */
Datum
flakeid_flake_min(FlakeFormat format, TimestampTz ts, int64 epoch_ms)
{
	const FlakeLayout *layout = &flake_layouts[format];
	uint64		id = 0;

	flakeid_check_ms(flake_id_min(layout, flakeid_instant_from_timestamptz(ts),
								  epoch_ms, &id),
					 layout, epoch_ms, layout->last_generated_ms, ts);
	PG_RETURN_INT64((int64) id);
}
