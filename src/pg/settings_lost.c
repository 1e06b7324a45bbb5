/*
 * settings_lost.c
 *		Warn about settings that were set before this server start, and are not
 *		set now.
 *
 * A restored backup or a promoted standby has the state file, but not always
 * the configuration files: Debian keeps them outside the data directory.  Its
 * ids could then duplicate those of another server, or have other times.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "utils/guc.h"
#include "utils/guc_tables.h"

#include "pg/clock.h"
#include "pg/settings.h"

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

static const char *
number_text(uint32 number)
{
	return psprintf("%u", number);
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

#define COMPARE(name, field, text) \
	if (before->field != now.field) \
		warn_unless_set("flakeid." name, text(before->field), text(now.field))

	flakeid_configured(&now);
	COMPARE("node_id", address.node, number_text);
	COMPARE("node_bits", address.node_bits, number_text);
	COMPARE("fluid_epoch", epoch_ms[FLAKE_FLUID], flakeid_epoch_text);
	COMPARE("nanoflake_epoch", epoch_ms[FLAKE_NANOFLAKE], flakeid_epoch_text);
	COMPARE("ulidflake_epoch", epoch_ms[FLAKE_ULIDFLAKE], flakeid_epoch_text);
	COMPARE("ulidflake_scalability", scalability, number_text);
#undef COMPARE
}
