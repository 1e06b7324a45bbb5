/*
 * sql_flake.c
 *		Reading, making and bounding 64-bit ids, for all formats.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "fmgr.h"
#include "utils/timestamp.h"

#include "pg/clock.h"
#include "pg/error.h"
#include "pg/settings.h"
#include "pg/sql_flake.h"

/* The id argument; negative where the format's sign bit is 0: 22003. */
uint64
flakeid_getarg_id(FunctionCallInfo fcinfo, FlakeFormat format)
{
	int64		id = PG_GETARG_INT64(0);

	flakeid_check_id(&flake_layouts[format], id);
	return (uint64) id;
}

/*
 * The configured epoch, for readers.  F0000 where this session does not know
 * the server's own.
 */
int64
flakeid_reader_epoch_ms(FlakeFormat format)
{
	if (!flake_layouts[format].epoch_is_setting)
		return flake_layouts[format].epoch_ms;
	flakeid_check_settings();
	return flakeid_configured_epoch_ms(format);
}

/* An epoch argument: finite, else 22008, and of whole ms, else 22023. */
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
				 errmsg("epoch \"%s\" is not of whole milliseconds",
						timestamptz_to_str(epoch)),
				 errhint("Cut it down, as date_trunc('milliseconds', ...) does.")));
	return epoch / 1000 + FLAKEID_PG_EPOCH_UNIX_US / 1000;
}

/* The start of the id's unit of time. */
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
				 errdetail("By this epoch it lies beyond the last timestamp with time zone."),
				 errhint("Give the epoch that the id was made by.")));
	PG_RETURN_TIMESTAMPTZ(ts);
}

/* The millisecond of an instant in the format's whole field, else 22008. */
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

/* The least or greatest id of the millisecond of ts; outside: 22008. */
Datum
flakeid_flake_bound(FlakeFormat format, TimestampTz ts, int64 epoch_ms,
					bool upper)
{
	const FlakeLayout *layout = &flake_layouts[format];
	uint64		id = 0;

	flakeid_check_ms(flake_id_bound(layout,
									flakeid_instant_from_timestamptz(ts),
									epoch_ms, upper, &id),
					 layout, epoch_ms, layout->last_generated_ms, ts);
	PG_RETURN_INT64((int64) id);
}
