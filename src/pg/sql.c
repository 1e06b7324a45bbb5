/*
 * sql.c
 *		What the SQL functions share: conversions of timestamps, and errors.
 *
 * The flakeid_check_* functions return only if there is no error.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/htup_details.h"
#include "common/int.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/datetime.h"

#include "pg/settings.h"
#include "pg/sql.h"

/*
 * Infinities map to instants outside every field, with any epoch, so that they
 * are refused like other instants that do not fit.  The last years of
 * timestamptz would overflow 64 bits of microseconds since 1970, but do not
 * overflow seconds.
 */
FlakeInstant
flakeid_instant_from_timestamptz(TimestampTz ts)
{
	FlakeInstant instant = {0};

	if (TIMESTAMP_IS_NOBEGIN(ts))
		instant.unix_s = PG_INT64_MIN / 1000;
	else if (TIMESTAMP_IS_NOEND(ts))
		instant.unix_s = PG_INT64_MAX / 1000;
	else
	{
		instant = flake_instant_from_unix_us(ts);
		instant.unix_s += FLAKEID_PG_EPOCH_UNIX_US / USECS_PER_SEC;
	}
	return instant;
}

/* unix_ms as timestamptz; infinity if beyond its range. */
TimestampTz
flakeid_timestamptz_from_unix_ms(int64 unix_ms)
{
	int64		pg_ms = unix_ms - FLAKEID_PG_EPOCH_UNIX_US / 1000;
	TimestampTz ts;

	if (pg_mul_s64_overflow(pg_ms, 1000, &ts) || !IS_VALID_TIMESTAMP(ts))
		return DT_NOEND;
	return ts;
}

/* An epoch as text in UTC, independent of TimeZone and DateStyle. */
char *
flakeid_epoch_text(int64 unix_ms)
{
	TimestampTz ts = flakeid_timestamptz_from_unix_us(unix_ms * 1000);
	char		text[MAXDATELEN + 1];
	struct pg_tm tm;
	fsec_t		fsec;

	if (timestamp2tm(ts, NULL, &tm, &fsec, NULL, NULL) != 0)
		return psprintf(INT64_FORMAT " ms", unix_ms);
	tm.tm_isdst = 0;			/* known; otherwise the offset is omitted */
	EncodeDateTime(&tm, fsec, true, 0, NULL, USE_ISO_DATES, text);
	return pstrdup(text);
}

/* A uuid for a message. */
char *
flakeid_uuid_text(Datum uuid)
{
	return DatumGetCString(DirectFunctionCall1(uuid_out, uuid));
}

/* timestamptz_to_str() returns a static buffer; return a copy. */
static char *
timestamptz_text(TimestampTz ts)
{
	return pstrdup(timestamptz_to_str(ts));
}

/* The last microsecond of a tick that starts at ts. */
static TimestampTz
end_of_tick(TimestampTz ts, uint64 ticks_per_s)
{
	return TIMESTAMP_IS_NOEND(ts) ? ts :
		ts + Max(USECS_PER_SEC / (int64) ticks_per_s, 1) - 1;
}

/* Report a timestamp outside the field. */
pg_noreturn static void
refuse_timestamp(TimestampTz ts, const char *format, TimestampTz first,
				 TimestampTz last)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATETIME_FIELD_OVERFLOW),
			 errmsg("timestamp out of range for %s: \"%s\"",
					format, timestamptz_text(ts)),
			 errdetail("The valid range is %s to %s.",
					   timestamptz_text(first), timestamptz_text(last))));
}

static TimestampTz
field_first(const FlakeTimeField *field)
{
	int64		unix_us = flake_ticks_to_unix_us(field, field->first_tick);

	return flakeid_timestamptz_from_unix_us(unix_us);
}

static TimestampTz
field_last(const FlakeTimeField *field)
{
	int64		unix_us = flake_ticks_to_unix_us(field, field->last_tick);

	return end_of_tick(flakeid_timestamptz_from_unix_us(unix_us),
					   field->ticks_per_s);
}

/* The timestamp must be within the field. */
void
flakeid_check_instant(FlakeStatus status, const char *format,
					  const FlakeTimeField *field, TimestampTz ts)
{
	if (unlikely(status != FLAKE_OK))
		refuse_timestamp(ts, format, field_first(field), field_last(field));
}

/* The timestamp must be from the epoch to last_ms. */
void
flakeid_check_ms(FlakeStatus status, const FlakeLayout *layout,
				 int64 epoch_ms, uint64 last_ms, TimestampTz ts)
{
	TimestampTz first;
	TimestampTz last;

	if (likely(status == FLAKE_OK))
		return;
	first = flakeid_timestamptz_from_unix_ms(epoch_ms);
	last = flakeid_timestamptz_from_unix_ms(epoch_ms + (int64) last_ms);
	refuse_timestamp(ts, layout->name, first, end_of_tick(last, 1000));
}

/* Report a clock outside the field. */
void
flakeid_refuse_clock(const char *format, const FlakeTimeField *field,
					 FlakeInstant now)
{
	TimestampTz ts = flakeid_timestamptz_from_instant(now);

	ereport(ERROR,
			(errcode(ERRCODE_DATETIME_FIELD_OVERFLOW),
			 errmsg("timestamp out of range for %s: \"%s\"",
					format, timestamptz_text(ts)),
			 errdetail("The valid range is %s to %s. The timestamp was read from the server's clock.",
					   timestamptz_text(field_first(field)),
					   timestamptz_text(field_last(field))),
			 errhint("Correct the clock.")));
}

/* The first argument, a uuid of one of the versions; else 22023. */
FlakeUuid
flakeid_getarg_version(FunctionCallInfo fcinfo, int version, int or_version,
					   const char *format)
{
	FlakeUuid	uuid = flakeid_getarg_uuid(fcinfo, 0);
	int			found = flake_uuid_version(uuid);

	if (unlikely(found != version && found != or_version))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("uuid \"%s\" is not a %s",
						flakeid_uuid_text(PG_GETARG_DATUM(0)), format),
				 found < 0 ?
				 errdetail("Its variant is not that of RFC 9562, so it has no version.") :
				 errdetail("Its version is %d.", found)));
	return uuid;
}

/* The id, which must not be negative, except for FLUID. */
uint64
flakeid_check_id(FlakeFormat format, int64 id)
{
	const FlakeLayout *layout = &flake_layouts[format];

	if (unlikely(!flake_id_fits(layout, (uint64) id)))
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("value " INT64_FORMAT " is out of range for a %s",
						id, layout->name),
				 errdetail("The value must not be negative.")));
	return (uint64) id;
}

/* The value of a field, which must be from 0 to last. */
uint64
flakeid_check_field(int64 value, const char *what, uint64 last)
{
	if (unlikely(value < 0 || (uint64) value > last))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("value " INT64_FORMAT " is out of range for the %s",
						value, what),
				 errdetail("The valid range is 0 to %llu.",
						   (unsigned long long) last)));
	return (uint64) value;
}

/* A field must have as many bytes as its width needs, and fit. */
void
flakeid_check_bytes(const bytea *value, const char *what, unsigned width)
{
	unsigned	bytes = (width + 7) / 8;
	unsigned	unused_bits = 8 * bytes - width;
	unsigned char first;
	Datum		text;

	if (VARSIZE_ANY_EXHDR(value) != bytes)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("invalid input length for the %s: %d bytes",
						what, (int) VARSIZE_ANY_EXHDR(value)),
				 errdetail("The %s must be %u bytes long.", what, bytes)));
	first = *(unsigned char *) VARDATA_ANY(value);
	if (first >> (8 - unused_bits) == 0)
		return;
	text = DirectFunctionCall1(byteaout, PointerGetDatum(value));
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("value %s is out of range for the %s",
					DatumGetCString(text), what),
			 errdetail("The %s has %u bits, so the upper %u bits of its first byte must be 0.",
					   what, width, unused_bits)));
}

/* The epoch, in ms since 1970: finite, else 22008, in whole ms, else 22023. */
static int64
check_given_epoch(TimestampTz epoch)
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
				 errhint("Write it as \"2024-01-01 00:00:00.123+00\", or truncate it with date_trunc('milliseconds', ...).")));
	return epoch / 1000 + FLAKEID_PG_EPOCH_UNIX_US / 1000;
}

/*
 * The epoch to read an id by: the second argument, or the epoch in effect;
 * F0000 if that is not the one that was set.
 */
int64
flakeid_getarg_epoch_ms(FunctionCallInfo fcinfo, FlakeFormat format)
{
	if (PG_NARGS() > 1)
		return check_given_epoch(PG_GETARG_TIMESTAMPTZ(1));
	return flakeid_reader_config()->epoch_ms[format];
}

/*
 * A row of the caller's type.  That can be of an earlier or a later version of
 * the extension: it can lack the last columns, and have more, which are NULL.
 * Another type of a column: 42804.
 */
HeapTuple
flakeid_form_row(TupleDesc desc, const Oid *types, int columns,
				 const Datum *values, const bool *nulls)
{
	Datum	   *row_values = palloc0(desc->natts * sizeof(Datum));
	bool	   *row_nulls = palloc(desc->natts * sizeof(bool));

	for (int i = 0; i < desc->natts; i++)
	{
		row_nulls[i] = i >= columns || nulls[i];
		if (!row_nulls[i])
			row_values[i] = values[i];
		if (i < columns && TupleDescAttr(desc, i)->atttypid != types[i])
			ereport(ERROR,
					(errcode(ERRCODE_DATATYPE_MISMATCH),
					 errmsg("column %d of the result must have type %s",
							i + 1, format_type_be(types[i])),
					 errhint("Declare the function as the scripts of flakeid do.")));
	}
	return heap_form_tuple(desc, row_values, row_nulls);
}
