/*
 * settings_compare.c
 *		Compare the settings with a record of the state file: some wait for a
 *		restart, and some were set before this start, but are not set now.
 *
 * The latter raise a WARNING.  A restored backup or a promoted standby has the
 * state file, but not always the configuration files: Debian keeps them outside
 * the data directory.  Its ids could then duplicate those of another server, or
 * have other times.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "utils/guc.h"
#include "utils/guc_tables.h"

#include "pg/clock.h"
#include "pg/settings.h"

static const char *
scope_text(uint32 server_scope)
{
	return server_scope ? "server" : "backend";
}

static const char *
number_text(uint32 number)
{
	return psprintf("%u", number);
}

/* What is wrong with a configured value, after a comma; "" if nothing. */
static const char *
fault_text(FlakeidStartSetting setting, const FlakeAddress *configured)
{
	if (flakeid_node_fits(configured))
		return "";
	if (setting == FLAKEID_NODE_ID)
		return psprintf(", which does not fit in flakeid.node_bits = %u",
						configured->node_bits);
	if (setting == FLAKEID_NODE_BITS)
		return psprintf(", too few for flakeid.node_id = %u",
						configured->node);
	return "";
}

/*
 * Set pending to one element per setting whose configured value differs from
 * the value in effect; returns the number of elements.  A value hidden by one
 * of the session is not compared.
 */
int
flakeid_pending_settings(const FlakeidConfig *in_effect, char **pending)
{
	FlakeidConfig now;
	int			n = 0;

	flakeid_configured(&now);
#define COMPARE(setting, name, field, text) \
	if (in_effect->field != now.field && flakeid_setting_is_known(setting)) \
		pending[n++] = psprintf("%s: %s in effect, %s configured%s", name, \
								text(in_effect->field), text(now.field), \
								fault_text(setting, &now.address));
	FLAKEID_START_SETTINGS_LIST(COMPARE)
#undef COMPARE

	return n;
}

static void
warn_unless_set(const char *name, const char *before, const char *now)
{
	if (flakeid_find_setting(name)->source != PGC_S_DEFAULT)
		return;
	ereport(WARNING,
			(errmsg("parameter \"%s\" was %s before the last server start, and is %s now",
					name, before, now),
			 errdetail("The parameter is not set, so its default is in effect."),
			 errhint("If the default is not intended, set the parameter in the configuration file to its previous value, and restart the server before it generates more ids.")));
}

/*
 * Compare the record of the previous start with the settings.  The sequence
 * scope is omitted: it may change, since uniqueness does not depend on it.
 * Only for a process with the server's own settings.
 */
void
flakeid_warn_of_lost_settings(const FlakeidConfig *before)
{
	FlakeidConfig now;

	flakeid_configured(&now);
#define COMPARE(setting, name, field, text) \
	if (before->field != now.field && setting != FLAKEID_SEQUENCE_SCOPE) \
		warn_unless_set(name, text(before->field), text(now.field));
	FLAKEID_START_SETTINGS_LIST(COMPARE)
#undef COMPARE
}
