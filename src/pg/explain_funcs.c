/*
 * explain_funcs.c
 *		<format>_explain(id): one row per field, with times in UTC.
 *
 * The fields are defined in src/format/explain.c; the functions here return
 * SETOF flakeid_explain_row.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_type.h"
#include "funcapi.h"
#include "utils/builtins.h"
#include "utils/tuplestore.h"

#include "format/explain.h"
#include "pg/explain_funcs.h"
#include "pg/sql.h"

static const Oid column_types[] = {
	TEXTOID, INT4OID, INT4OID, TEXTOID, TEXTOID
};

/* ISO 8601 in UTC, regardless of settings; NULL outside timestamptz. */
static char *
iso_text(int64 unix_us)
{
	TimestampTz ts = flakeid_timestamptz_from_unix_us(unix_us);
	struct pg_tm tm;
	fsec_t		fsec;

	if (timestamp2tm(ts, NULL, &tm, &fsec, NULL, NULL) != 0)
		return NULL;
	return psprintf("%0*d-%02d-%02dT%02d:%02d:%02d.%06dZ",
					tm.tm_year < 0 ? 5 : 4, tm.tm_year, tm.tm_mon, tm.tm_mday,
					tm.tm_hour, tm.tm_min, tm.tm_sec, fsec);
}

/* A decimal number, or hex digits for a field of any width. */
static char *
value_text(const FlakeExplainRow *row, const unsigned char *bytes)
{
	unsigned	low_bits = Min(row->bits, 64);
	unsigned	high_bits = row->bits - low_bits;
	unsigned	low_first = row->first_bit + high_bits;
	uint64		high = flake_explain_value(bytes, row->first_bit, high_bits);
	uint64		low = flake_explain_value(bytes, low_first, low_bits);

	if (!row->hex)
		return psprintf("%llu", (unsigned long long) low);
	if (high_bits == 0)
		return psprintf("%0*llx", (int) (low_bits + 3) / 4,
						(unsigned long long) low);
	return psprintf("%0*llx%016llx", (int) (high_bits + 3) / 4,
					(unsigned long long) high, (unsigned long long) low);
}

static void
put_field(ReturnSetInfo *rsinfo, const FlakeExplainRow *row,
		  const unsigned char *bytes, int64 epoch_ms)
{
	Datum		values[lengthof(column_types)];
	bool		nulls[lengthof(column_types)] = {false};
	const char *meaning = row->meaning;
	char	   *time = NULL;
	HeapTuple	tuple;
	int64		unix_us;

	if (flake_explain_unix_us(row, bytes, epoch_ms, &unix_us))
		time = iso_text(unix_us);
	if (time != NULL)
		meaning = psprintf("%s: %s", meaning, time);
	values[0] = CStringGetTextDatum(row->field);
	values[1] = Int32GetDatum((int32) row->first_bit);
	values[2] = Int32GetDatum((int32) row->bits);
	values[3] = CStringGetTextDatum(value_text(row, bytes));
	values[4] = CStringGetTextDatum(meaning);
	tuple = flakeid_form_row(rsinfo->setDesc, column_types,
							 lengthof(column_types), values, nulls);
	tuplestore_puttuple(rsinfo->setResult, tuple);
}

static Datum
explain(FunctionCallInfo fcinfo, const FlakeExplainRow *rows,
		const unsigned char *bytes, int64 epoch_ms)
{
	InitMaterializedSRF(fcinfo, 0);
	for (; rows->field != NULL; rows++)
		put_field((ReturnSetInfo *) fcinfo->resultinfo, rows, bytes, epoch_ms);
	return (Datum) 0;
}

/*
 * uuid_explain(id uuid): any uuid
 * uuid_explain_draft(id uuid)
 *
 * uuid_explain_draft() shows a version 7 as in the draft, or a version 8 with
 * each of the draft's four widths; else 22023.
 */
FLAKEID_ENTRY(uuid_explain)
{
	FlakeUuid	uuid = flakeid_getarg_uuid(fcinfo, 0);

	return explain(fcinfo, flake_explain_uuid(uuid),
				   PG_GETARG_UUID_P(0)->data, 0);
}

FLAKEID_ENTRY(uuid_explain_draft)
{
	FlakeUuid	uuid = flakeid_getarg_version(fcinfo, 7, 8,
											  "UUIDv7 or UUIDv8");

	return explain(fcinfo, flake_explain_draft(uuid),
				   PG_GETARG_UUID_P(0)->data, 0);
}

/*
 * <f>_explain(id bigint [, epoch timestamptz]), of a 64-bit format
 *
 * Uses the given epoch, or else that in effect.  An invalid epoch: 22008 or
 * 22023; settings that are not in effect: F0000; a negative id, except of
 * FLUID: 22003.
 */
Datum
flakeid_explain_flake(PG_FUNCTION_ARGS, FlakeFormat format)
{
	int64		epoch_ms = flakeid_getarg_epoch_ms(fcinfo, format);
	FlakeExplainRow rows[FLAKE_EXPLAIN_LAYOUT_ROWS];
	unsigned char bytes[sizeof(uint64)];

	flake_store_be64(bytes, flakeid_check_id(format, PG_GETARG_INT64(0)));
	if (format == FLAKE_ULIDFLAKE)
		return explain(fcinfo, flake_explain_ulidflake, bytes, epoch_ms);
	flake_explain_layout(&flake_layouts[format], rows);
	return explain(fcinfo, rows, bytes, epoch_ms);
}

/*
 * scru160_explain(id scru160)
 *
 * Shows the counter in both usages; the microsecond has a time if valid.
 */
FLAKEID_FUNCTION(scru160_explain,
				 explain(fcinfo, flake_explain_scru160,
						 flakeid_getarg_scru160_bytes(fcinfo, 0), 0));
