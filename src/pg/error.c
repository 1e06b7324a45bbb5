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
};

static void
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

/* "from ... to ...", the last at microsecond precision. */
static char *
field_range(const FlakeTimeField *field)
{
	int64		us_per_tick = USECS_PER_SEC / (int64) field->ticks_per_s;
	int64		first = flake_ticks_to_unix_us(field, 0);
	int64		last = flake_ticks_to_unix_us(field, field->last_tick) +
		Max(us_per_tick, 1) - 1;

	return psprintf(_("It holds timestamps from %s to %s."),
					timestamptz_text(flakeid_timestamptz_from_unix_us(first)),
					timestamptz_text(flakeid_timestamptz_from_unix_us(last)));
}

/* The timestamp given lies in the field of the format. */
void
flakeid_check_instant(FlakeStatus status, const char *format,
					  const FlakeTimeField *field, TimestampTz ts)
{
	if (unlikely(status != FLAKE_OK))
		raise(status, timestamptz_text(ts), format, field_range(field));
}

/* The generator made an id: its clock is in the field. */
void
flakeid_check_clock(FlakeRule rule, const char *format,
					const FlakeTimeField *field, FlakeInstant now)
{
	if (unlikely(rule == FLAKE_RULE_BEFORE_FIELD ||
				 rule == FLAKE_RULE_BEYOND_FIELD))
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
