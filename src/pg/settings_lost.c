/*
 * settings_lost.c
 *		Warn of settings that the previous start of the server had, and that
 *		nothing sets now.
 *
 * A restored backup or a promoted standby has the state file, but not always
 * the configuration files: Debian keeps them outside the data directory.  Its
 * ids would then be those of another server, or have other times.
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
			(errmsg("parameter \"%s\" was %s before this start of the server, and is %s now",
					name, before, now),
			 errdetail("It is not set, so the default is in effect."),
			 errhint("If the default is not meant, set it in the configuration file as before, and restart the server before it generates more ids.")));
}

static const char *
number_text(uint32 number)
{
	return psprintf("%u", number);
}

/*
 * Warn of what the record before this start has and the settings lack.  The
 * sequence scope is left out: it may change, and uniqueness does not depend on
 * it.  Only for a process whose settings are the server's own.
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
