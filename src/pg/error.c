/*
 * error.c
 *		From a status of the pure code to SQLSTATE, message, detail and hint.
 *
 * Every message quotes the input and names the format, in this order; the
 * table has one row per status.  The flakeid_check_* functions return when the
 * status is good, so that a caller reads as a list of what must hold.
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
	const char *message;		/* takes the input, then the format */
} Complaint;

static const Complaint complaints[] = {
	[FLAKE_BEFORE_FIELD] = {
		ERRCODE_DATETIME_FIELD_OVERFLOW,
		gettext_noop("timestamp \"%s\" is before the first of %s")
	},
	[FLAKE_BEYOND_FIELD] = {
		ERRCODE_DATETIME_FIELD_OVERFLOW,
		gettext_noop("timestamp \"%s\" is beyond the last of %s")
	},
	[FLAKE_WRONG_VERSION] = {
		ERRCODE_INVALID_PARAMETER_VALUE,
		gettext_noop("uuid \"%s\" is not a %s")
	},
	[FLAKE_OUT_OF_RANGE] = {
		ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE,
		gettext_noop("value \"%s\" is out of range for a %s")
	},
	[FLAKE_BAD_FIELD] = {
		ERRCODE_INVALID_PARAMETER_VALUE,
		gettext_noop("value \"%s\" is out of range for the %s")
	},
};

static _Noreturn void
raise(FlakeStatus status, const char *input, const char *format,
	  const char *detail)
{
	ereport(ERROR,
			(errcode(complaints[status].sqlstate),
			 errmsg(complaints[status].message, input, format),
			 errdetail_internal("%s", detail)));
}

/* timestamptz_to_str() with a result that outlives the next call. */
static char *
timestamptz_text(TimestampTz ts)
{
	return pstrdup(timestamptz_to_str(ts));
}

/* The first and the last instant that can be held. */
static char *
range_text(int64 first_unix_us, int64 last_unix_us)
{
	return psprintf(_("It holds timestamps from %s to %s."),
					timestamptz_text(flakeid_timestamptz_from_unix_us(first_unix_us)),
					timestamptz_text(flakeid_timestamptz_from_unix_us(last_unix_us)));
}

static char *
field_range(const FlakeTimeField *field)
{
	int64		us_per_tick = USECS_PER_SEC / (int64) field->ticks_per_s;

	return range_text(flake_ticks_to_unix_us(field, 0),
					  flake_ticks_to_unix_us(field, field->last_tick) +
					  Max(us_per_tick, 1) - 1);
}

/* The timestamp given lies in the field of the format. */
void
flakeid_check_instant(FlakeStatus status, const char *format,
					  const FlakeTimeField *field, TimestampTz ts)
{
	if (unlikely(status != FLAKE_OK))
		raise(status, timestamptz_text(ts), format, field_range(field));
}

/* The generator made none: its clock is outside the field. */
_Noreturn void
flakeid_refuse_clock(FlakeRule rule, const char *format,
					 const FlakeTimeField *field, FlakeInstant now)
{
	raise(rule == FLAKE_RULE_BEFORE_FIELD ?
		  FLAKE_BEFORE_FIELD : FLAKE_BEYOND_FIELD,
		  timestamptz_text(flakeid_timestamptz_from_instant(now)),
		  format,
		  psprintf(_("The timestamp is the server's clock. %s"),
				   field_range(field)));
}

/* The uuid has the version that the function reads. */
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
		  _("Its variant is not that of RFC 9562, so it has no version.") :
		  psprintf(_("Its version is %d."), version));
}

/* The bigint is an id of the format: not negative, but for FLUID. */
void
flakeid_check_id(const FlakeLayout *layout, int64 id)
{
	if (unlikely(flake_check_id(layout, (uint64) id) != FLAKE_OK))
		raise(FLAKE_OUT_OF_RANGE, psprintf(INT64_FORMAT, id), layout->name,
			  _("It is never negative."));
}

/* The timestamp lies from the epoch to the last millisecond. */
void
flakeid_check_ms(FlakeStatus status, const FlakeLayout *layout,
				 int64 epoch_ms, uint64 last_ms, TimestampTz ts)
{
	if (unlikely(status != FLAKE_OK))
		raise(status, timestamptz_text(ts), layout->name,
			  range_text(epoch_ms * 1000,
						 (epoch_ms + (int64) last_ms) * 1000 + 999));
}

/* A field given as an argument fits its width. */
void
flakeid_check_part(FlakeStatus status, const char *what, int32 value,
				   unsigned width)
{
	if (unlikely(status != FLAKE_OK))
		raise(FLAKE_BAD_FIELD, psprintf("%d", value), what,
			  psprintf(_("It is 0 to %llu."),
					   (unsigned long long) flake_mask(width)));
}

/* The address leaves the format's generator field enough bits. */
void
flakeid_check_space(FlakeStatus status, const FlakeLayout *layout,
					const FlakeAddress *address)
{
	if (likely(status == FLAKE_OK))
		return;
	if (address->node_bits > layout->generator_bits)
		ereport(ERROR,
				(errcode(ERRCODE_CONFIG_FILE_ERROR),
				 errmsg("could not make a %s: flakeid.node_bits = %u is more than its generator field has, %u",
						layout->name, address->node_bits,
						layout->generator_bits),
				 errhint("Lower flakeid.node_bits on all servers of the key space, or use FLUID.")));
	ereport(ERROR,
			(errcode(ERRCODE_CONFIG_FILE_ERROR),
			 errmsg("could not make a %s: its generator field has too few bits for every connection",
					layout->name),
			 errdetail("Of its %u bits flakeid.node_bits takes %u, and the connections of this server need %u.",
					   layout->generator_bits, address->node_bits,
					   address->slot_bits),
			 errhint("Lower flakeid.node_bits or max_connections, or set flakeid.sequence_scope to \"server\", and restart the server.")));
}
