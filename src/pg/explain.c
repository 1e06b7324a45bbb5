/*
 * explain.c
 *		<format>_explain(id): one row per field, with times in UTC.
 *
 * The fields are defined in src/format/explain.c; the functions here return
 * TABLE (field text, first_bit integer, bits integer, value text,
 * meaning text).
 */
#include "postgres.h"

#include "pg/compat.h"

#include "funcapi.h"
#include "utils/builtins.h"
#include "utils/tuplestore.h"

#include "format/explain.h"
#include "pg/sql.h"

#define EXPLAIN_COLUMNS 5

/* ISO 8601 in UTC, for any session settings; NULL outside timestamptz. */
static char *
iso_text(int64 unix_us)
{
	struct pg_tm tm;
	fsec_t		fsec;

	if (timestamp2tm(flakeid_timestamptz_from_unix_us(unix_us), NULL, &tm,
					 &fsec, NULL, NULL) != 0)
		return NULL;
	return psprintf("%04d-%02d-%02dT%02d:%02d:%02d.%06dZ", tm.tm_year,
					tm.tm_mon, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec,
					fsec);
}

/* A decimal number, or hex digits for a field of any width. */
static char *
value_text(const FlakeExplainRow *row, const unsigned char *bytes)
{
	unsigned	low_bits = Min(row->bits, 64);
	unsigned	high_bits = row->bits - low_bits;
	uint64		low = flake_explain_value(bytes, row->first_bit + high_bits,
										  low_bits);

	if (!row->hex)
		return psprintf("%llu", (unsigned long long) low);
	if (high_bits == 0)
		return psprintf("%0*llx", (int) (low_bits + 3) / 4,
						(unsigned long long) low);
	return psprintf("%0*llx%016llx", (int) (high_bits + 3) / 4,
					(unsigned long long) flake_explain_value(bytes,
															 row->first_bit,
															 high_bits),
					(unsigned long long) low);
}

/* Emit a row; time is NULL if the field has none. */
static void
put_row(ReturnSetInfo *rsinfo, const FlakeExplainRow *row,
		const unsigned char *bytes, const char *time)
{
	Datum		values[EXPLAIN_COLUMNS];
	bool		nulls[EXPLAIN_COLUMNS] = {false};
	const char *meaning = row->meaning;

	if (time != NULL)
		meaning = psprintf("%s: %s", meaning, time);
	values[0] = CStringGetTextDatum(row->field);
	values[1] = Int32GetDatum((int32) row->first_bit);
	values[2] = Int32GetDatum((int32) row->bits);
	values[3] = CStringGetTextDatum(value_text(row, bytes));
	values[4] = CStringGetTextDatum(meaning);
	tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
}

/*
 * uuid_explain(id uuid) -> TABLE
 *
 * Any uuid.  Version 7 is shown as in RFC 9562 and as in the draft, version 8
 * with each of the draft's four widths.
 */
PG_FUNCTION_INFO_V1(flakeid_uuid_explain);
Datum
flakeid_uuid_explain(PG_FUNCTION_ARGS)
{
	const pg_uuid_t *id = PG_GETARG_UUID_P(0);
	FlakeUuid	uuid = flake_uuid_load(id->data);

	InitMaterializedSRF(fcinfo, 0);
	for (const FlakeExplainRow *row = flake_explain_uuid(uuid);
		 row->field != NULL; row++)
	{
		char	   *time = NULL;

		if (row->time != FLAKE_TIME_NONE)
			time = iso_text(flake_explain_uuid_unix_us(row->time, uuid));
		put_row((ReturnSetInfo *) fcinfo->resultinfo, row, id->data, time);
	}
	return (Datum) 0;
}

/*
 * <f>_explain(id bigint [, epoch timestamptz]) -> TABLE, of a 64-bit format
 *
 * With the epoch in effect, else F0000, or the given one, else 22008 or 22023.
 * Negative, except for FLUID: 22003.
 */
Datum
flakeid_explain_flake(PG_FUNCTION_ARGS, FlakeFormat format)
{
	int64		epoch_ms = flakeid_getarg_epoch_ms(fcinfo, format);
	FlakeExplainRow layout_rows[FLAKE_EXPLAIN_LAYOUT_ROWS];
	const FlakeExplainRow *rows = flake_explain_ulidflake;
	uint64		id = flakeid_check_id(format, PG_GETARG_INT64(0));
	uint64		ms = flake_id_ms(&flake_layouts[format], id);
	unsigned char bytes[sizeof(uint64)];

	if (format != FLAKE_ULIDFLAKE)
	{
		flake_explain_layout(&flake_layouts[format], layout_rows);
		rows = layout_rows;
	}
	flake_store_be64(bytes, id);
	InitMaterializedSRF(fcinfo, 0);
	for (const FlakeExplainRow *row = rows; row->field != NULL; row++)
	{
		char	   *time = NULL;

		if (row->time == FLAKE_TIME_EPOCH_MS)
			time = iso_text((epoch_ms + (int64) ms) * 1000);
		put_row((ReturnSetInfo *) fcinfo->resultinfo, row, bytes, time);
	}
	return (Datum) 0;
}

/* Time in a field of a scru160; NULL above 999 microseconds. */
static char *
scru160_time(FlakeExplainTime time, FlakeScru160 id)
{
	int64		unix_us = flake_scru160_unix_us(id);

	if (time == FLAKE_TIME_NONE ||
		(time == FLAKE_TIME_UNIX_US &&
		 flake_scru160_us_unix_us(id, &unix_us) != FLAKE_OK))
		return NULL;
	return iso_text(unix_us);
}

/*
 * scru160_explain(id scru160) -> TABLE
 *
 * Shows the counter in both usages; the microsecond has a time if valid.
 */
PG_FUNCTION_INFO_V1(flakeid_scru160_explain);
Datum
flakeid_scru160_explain(PG_FUNCTION_ARGS)
{
	const unsigned char *bytes = flakeid_getarg_scru160_bytes(fcinfo, 0);
	FlakeScru160 id = flakeid_getarg_scru160(fcinfo, 0);

	InitMaterializedSRF(fcinfo, 0);
	for (const FlakeExplainRow *row = flake_explain_scru160;
		 row->field != NULL; row++)
		put_row((ReturnSetInfo *) fcinfo->resultinfo, row, bytes,
				scru160_time(row->time, id));
	return (Datum) 0;
}
