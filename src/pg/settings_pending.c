/*
 * settings_pending.c
 *		Which settings differ from the address in force, in words.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "miscadmin.h"
#include "utils/datetime.h"
#include "utils/timestamp.h"

#include "pg/clock.h"
#include "pg/settings.h"

/* An epoch in UTC, whatever the session's TimeZone and DateStyle. */
char *
flakeid_epoch_text(int64 unix_ms)
{
	TimestampTz ts = flakeid_timestamptz_from_unix_us(unix_ms * 1000);
	char		text[MAXDATELEN + 1];
	struct pg_tm tm;
	fsec_t		fsec;

	if (timestamp2tm(ts, NULL, &tm, &fsec, NULL, NULL) != 0)
		return psprintf(INT64_FORMAT " ms", unix_ms);
	tm.tm_isdst = 0;			/* known, else the offset is left out */
	EncodeDateTime(&tm, fsec, true, 0, NULL, USE_ISO_DATES, text);
	return pstrdup(text);
}

static const char *
scope_text(uint32 server_scope)
{
	return server_scope ? "server" : "backend";
}

static char *
number_text(uint32 number)
{
	return psprintf("%u", number);
}

/* If the next start will find that node_id does not fit node_bits, say so. */
static const char *
node_doubt(const FlakeAddress *now)
{
	return flakeid_node_fits(now) ? "" :
		psprintf(", which does not fit in flakeid.node_bits = %u",
				 now->node_bits);
}

static const char *
bits_doubt(const FlakeAddress *now)
{
	return flakeid_node_fits(now) ? "" :
		psprintf(", too few for flakeid.node_id = %u", now->node);
}

/*
 * Fill pending with an element for each setting whose configured value is not
 * the one in force, and say how many there are.  Where a session's own value
 * hides the server's, nothing can be said.
 */
int
flakeid_pending_settings(const FlakeidConfig *in_force, char **pending)
{
	FlakeidConfig now;
	int			n = 0;

#define COMPARE(name, field, text, doubt) \
	if (in_force->field != now.field && flakeid_setting_is_known(name)) \
		pending[n++] = psprintf("%s: %s in force, %s configured%s", name, \
								text(in_force->field), text(now.field), doubt)

	flakeid_configured(&now);
	COMPARE("flakeid.node_id", address.node, number_text, node_doubt(&now.address));
	COMPARE("flakeid.node_bits", address.node_bits, number_text,
			bits_doubt(&now.address));
	COMPARE("flakeid.sequence_scope", address.server_scope, scope_text, "");
	COMPARE("flakeid.fluid_epoch", epoch_ms[FLAKE_FLUID], flakeid_epoch_text,
			"");
	COMPARE("flakeid.nanoflake_epoch", epoch_ms[FLAKE_NANOFLAKE],
			flakeid_epoch_text, "");
	COMPARE("flakeid.ulidflake_scalability", scalability, number_text, "");
#undef COMPARE

	return n;
}
