/*
 * error.c
 *		Map a status of the pure code to SQLSTATE, message, detail and hint.
 *
 * The table has one row per status; the arguments of a message are the input
 * and the name of the format, in this order.  The flakeid_check_* functions
 * return only if the status is FLAKE_OK.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "pg/clock.h"
#include "pg/error.h"

typedef struct Complaint
{
	int			sqlstate;
	const char *message;		/* arguments: input, format */
} Complaint;

static const Complaint complaints[] = {
	[FLAKE_BEFORE_FIELD] = {
		ERRCODE_DATETIME_FIELD_OVERFLOW,
		"timestamp out of range for %2$s: \"%1$s\""
	},
	[FLAKE_BEYOND_FIELD] = {
		ERRCODE_DATETIME_FIELD_OVERFLOW,
		"timestamp out of range for %2$s: \"%1$s\""
	},
	[FLAKE_WRONG_VERSION] = {
		ERRCODE_INVALID_PARAMETER_VALUE,
		"uuid \"%s\" is not a %s"
	},
	[FLAKE_OUT_OF_RANGE] = {
		ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE,
		"value %s is out of range for a %s"
	},
	[FLAKE_BAD_FIELD] = {
		ERRCODE_INVALID_PARAMETER_VALUE,
		"value %s is out of range for the %s"
	},
	[FLAKE_BAD_CHARACTER] = {
		ERRCODE_INVALID_TEXT_REPRESENTATION,
		"invalid input syntax for %2$s: \"%1$s\""
	},
	[FLAKE_BAD_MNEMONIC] = {
		ERRCODE_INVALID_TEXT_REPRESENTATION,
		"invalid input syntax for %2$s: \"%1$s\""
	},
	[FLAKE_TOO_SHORT] = {
		ERRCODE_INVALID_TEXT_REPRESENTATION,
		"invalid input syntax for %2$s: \"%1$s\""
	},
	[FLAKE_BAD_LENGTH] = {
		ERRCODE_INVALID_TEXT_REPRESENTATION,
		"invalid input syntax for %2$s: \"%1$s\""
	},
};

/* Raise the error of a status; hint may be NULL. */
void
flakeid_raise(FlakeStatus status, const char *input, const char *format,
			  const char *detail, const char *hint)
{
	ereport(ERROR,
			(errcode(complaints[status].sqlstate),
			 errmsg(complaints[status].message, input, format),
			 errdetail_internal("%s", detail),
			 hint ? errhint("%s", hint) : 0));
}

pg_noreturn static void
raise(FlakeStatus status, const char *input, const char *format,
	  const char *detail)
{
	flakeid_raise(status, input, format, detail, NULL);
}

/* timestamptz_to_str() returns a static buffer; return a copy. */
static char *
timestamptz_text(TimestampTz ts)
{
	return pstrdup(timestamptz_to_str(ts));
}

/* Detail with the first and last valid timestamps. */
static char *
range_text(TimestampTz first, TimestampTz last)
{
	return psprintf("The valid range is %s to %s.",
					timestamptz_text(first), timestamptz_text(last));
}

static char *
field_range(const FlakeTimeField *field)
{
	int64		us_per_tick = USECS_PER_SEC / (int64) field->ticks_per_s;

	int64		last_us = flake_ticks_to_unix_us(field, field->last_tick) +
		Max(us_per_tick, 1) - 1;

	return range_text(flakeid_timestamptz_from_unix_us(flake_ticks_to_unix_us(field, field->first_tick)),
					  flakeid_timestamptz_from_unix_us(last_us));
}

/* Raise unless the timestamp is within the field. */
void
flakeid_check_instant(FlakeStatus status, const char *format,
					  const FlakeTimeField *field, TimestampTz ts)
{
	if (unlikely(status != FLAKE_OK))
		raise(status, timestamptz_text(ts), format, field_range(field));
}

/* Raise: the clock is outside the field. */
pg_noreturn void
flakeid_refuse_clock(FlakeRule rule, const char *format,
					 const FlakeTimeField *field, FlakeInstant now)
{
	flakeid_raise(rule == FLAKE_RULE_BEFORE_FIELD ?
				  FLAKE_BEFORE_FIELD : FLAKE_BEYOND_FIELD,
				  timestamptz_text(flakeid_timestamptz_from_instant(now)),
				  format,
				  psprintf("%s The timestamp was read from the server's clock.",
						   field_range(field)),
				  "Correct the clock.");
}

/* Raise unless the uuid has the expected version. */
void
flakeid_check_version(FlakeStatus status, const char *format,
					  const pg_uuid_t *uuid)
{
	int			version;

	if (likely(status == FLAKE_OK))
		return;
	version = flake_uuid_version(flake_uuid_load(uuid->data));
	raise(status,
		  DatumGetCString(DirectFunctionCall1(uuid_out,
											  UUIDPGetDatum(uuid))),
		  format,
		  version < 0 ?
		  "Its variant is not that of RFC 9562, so it has no version." :
		  psprintf("Its version is %d.", version));
}

/* The id; raises if it is negative, except for FLUID. */
uint64
flakeid_check_id(FlakeFormat format, int64 id)
{
	const FlakeLayout *layout = &flake_layouts[format];

	if (unlikely(flake_check_id(layout, (uint64) id) != FLAKE_OK))
		raise(FLAKE_OUT_OF_RANGE, psprintf(INT64_FORMAT, id), layout->name,
			  "The value must not be negative.");
	return (uint64) id;
}

/* Raise unless the timestamp is from the epoch to last_ms. */
void
flakeid_check_ms(FlakeStatus status, const FlakeLayout *layout,
				 int64 epoch_ms, uint64 last_ms, TimestampTz ts)
{
	TimestampTz last;

	if (likely(status == FLAKE_OK))
		return;
	last = flakeid_timestamptz_from_unix_ms(epoch_ms + (int64) last_ms);
	if (!TIMESTAMP_IS_NOEND(last))
		last += 999;
	raise(status, timestamptz_text(ts), layout->name,
		  range_text(flakeid_timestamptz_from_unix_ms(epoch_ms), last));
}

/* Raise unless the value of a field fits its width. */
void
flakeid_check_field(FlakeStatus status, const char *what, int32 value,
					unsigned width)
{
	if (unlikely(status != FLAKE_OK))
		raise(FLAKE_BAD_FIELD, psprintf("%d", value), what,
			  psprintf("The valid range is 0 to %llu.",
					   (unsigned long long) flake_mask(width)));
}

/* The timestamp of an id, from 0 to last; else 22023. */
uint64
flakeid_check_timestamp(int64 timestamp, uint64 last)
{
	if (unlikely(timestamp < 0 || (uint64) timestamp > last))
		raise(FLAKE_BAD_FIELD, psprintf(INT64_FORMAT, timestamp), "timestamp",
			  psprintf("The valid range is 0 to %llu.",
					   (unsigned long long) last));
	return (uint64) timestamp;
}

/* Raise unless the bytes of a field are as many as its width needs, and fit. */
void
flakeid_check_bytes(const bytea *value, const char *what, unsigned width)
{
	unsigned	bytes = (width + 7) / 8;

	if (VARSIZE_ANY_EXHDR(value) != bytes)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("invalid input length for the %s: %d bytes",
						what, (int) VARSIZE_ANY_EXHDR(value)),
				 errdetail("The %s must be %u bytes long.", what, bytes)));
	if (*(unsigned char *) VARDATA_ANY(value) >> (8 - (8 * bytes - width)) != 0)
		raise(FLAKE_BAD_FIELD,
			  DatumGetCString(DirectFunctionCall1(byteaout,
												  PointerGetDatum(value))),
			  what,
			  psprintf("The %s has %u bits, so the upper %u bits of its first byte must be 0.",
					   what, width, 8 * bytes - width));
}

/* Raise if the address does not fit the generator field. */
void
flakeid_check_range(FlakeStatus status, const FlakeLayout *layout,
					const FlakeAddress *address)
{
	if (likely(status == FLAKE_OK))
		return;
	if (address->node_bits > layout->generator_bits)
		ereport(ERROR,
				(errcode(ERRCODE_CONFIG_FILE_ERROR),
				 errmsg("could not generate a %s: flakeid.node_bits = %u exceeds the %u bits of its generator field",
						layout->name, address->node_bits,
						layout->generator_bits),
				 errhint("Reduce flakeid.node_bits on all servers of the key space, or use FLUID.")));
	ereport(ERROR,
			(errcode(ERRCODE_CONFIG_FILE_ERROR),
			 errmsg("could not generate a %s: its generator field has too few bits to number all connections",
					layout->name),
			 errdetail("The field has %u bits: flakeid.node_bits takes %u, and the connections of this server need %u.",
					   layout->generator_bits, address->node_bits,
					   address->slot_bits),
			 errhint("Reduce flakeid.node_bits or max_connections, or set flakeid.sequence_scope to \"server\", and restart the server.")));
}
