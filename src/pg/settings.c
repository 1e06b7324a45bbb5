/*
 * settings.c
 *		Settings, their checks, and values given before the library is loaded.
 *
 * The settings on which uniqueness depends are set in the configuration file
 * (PGC_SIGHUP) and take effect at server start; see state.h.  Usually the
 * library is not preloaded, so values are given before the settings are
 * defined.  When they are defined, the server drops values that it cannot
 * apply: an invalid value, or one from the connection (PGOPTIONS, ALTER ROLE),
 * leaves the setting at its built-in default, not at the value of the file.
 *
 * So the settings of a session have no effect on ids.  A process with the
 * server's own settings sets up the state file (state_worker.c), and all
 * others use the values in the file.  A session only needs to know which of
 * its values differ from the server's: for flakeid_status(), and to read an
 * epoch during recovery, when it does not use the file.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/parallel.h"
#include "miscadmin.h"
#include "utils/guc.h"
#include "utils/guc_tables.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"

#include "format/epoch.h"
#include "pg/clock.h"
#include "pg/settings.h"

#define DEFAULT_EPOCH "2024-01-01 00:00:00+00"

/* This server's number, below 2^node_bits. */
static int	node_id;

/* Number of top bits of the generator field that hold node_id. */
static int	node_bits;

/* Ids increase per process (false), or across the server (true). */
static int	sequence_scope;

static const struct config_enum_entry scopes[] = {
	{"backend", false, false},
	{"server", true, false},
	{NULL, 0, false}
};

/* The epochs as text, and in ms since 1970. */
static char *epoch_text[FLAKE_FORMATS];
static int64 epoch_ms[FLAKE_FORMATS];

/* Number of this server in scalable Ulid-Flakes, 5 bits. */
static int	ulidflake_scalability;

/*
 * Random bits in the step between Ulid-Flakes of the same millisecond.  The
 * reference libraries use 8.  More bits make the next id harder to guess;
 * fewer allow more ids per millisecond.
 */
int			flakeid_ulidflake_step_bits;

/* Maximum wait of a call for the clock, in ms; 0: do not wait. */
int			flakeid_max_wait;

bool		flakeid_settings_changed = true;

/* A setting that takes effect at server start. */
typedef struct StartSetting
{
	const char *name;
	GucSource	given_by;		/* source of the server's value at load */
	char	   *invalid;		/* the server's value, if it was not applied */
	bool		hidden;			/* a value set for the session hides it */
} StartSetting;

static StartSetting start_settings[] = {
#define NAMED(setting, text_name, field, text) [setting] = {.name = text_name},
	FLAKEID_START_SETTINGS_LIST(NAMED)
#undef NAMED
};

/* PgReloadTime when the library was loaded. */
static TimestampTz loaded_after_reload;

/* Loaded by the postmaster, for all processes. */
static bool preloaded;

static void
note_change(int newval, void *extra)
{
	flakeid_settings_changed = true;
}

static bool
check_epoch(char **newval, void **extra, GucSource source)
{
	int64		unix_ms;
	int64	   *result;

	if (!flake_epoch_decode(*newval, &unix_ms))
	{
		GUC_check_errdetail("An epoch is a date, a time, and a UTC offset in ISO 8601 format, in whole milliseconds, such as \"%s\".",
							DEFAULT_EPOCH);
		return false;
	}
	result = flakeid_guc_malloc(LOG, sizeof(int64));
	if (result == NULL)
		return false;
	*result = unix_ms;
	*extra = result;
	return true;
}

#define ASSIGN_EPOCH(name, format) \
	static void \
	name(const char *newval, void *extra) \
	{ \
		epoch_ms[format] = *(int64 *) extra; \
		flakeid_settings_changed = true; \
	} \
	extern int	no_such_variable

ASSIGN_EPOCH(assign_fluid_epoch, FLAKE_FLUID);
ASSIGN_EPOCH(assign_nanoflake_epoch, FLAKE_NANOFLAKE);
ASSIGN_EPOCH(assign_ulidflake_epoch, FLAKE_ULIDFLAKE);

/*
 * Note the placeholder of a setting: the value given before it is defined.  In
 * a parallel worker the source is that of the leader, whose session may have
 * replaced the server's value with its own.
 */
static void
note_placeholder(StartSetting *setting)
{
	struct config_generic *record = flakeid_find_setting(setting->name);
	GucSource	source;

	if (record == NULL)
		return;
	source = IsParallelWorker() ? record->source : record->reset_source;
	setting->given_by = source;
	setting->hidden = source > PGC_S_ARGV;
	if (source != PGC_S_DEFAULT && !setting->hidden)
		setting->invalid = pstrdup(GetConfigOptionResetString(setting->name));
}

/* After the setting was defined: was the placeholder's value applied? */
static void
compare_placeholder(StartSetting *setting)
{
	if (setting->invalid == NULL ||
		flakeid_find_setting(setting->name)->source != setting->given_by)
		return;
	pfree(setting->invalid);
	setting->invalid = NULL;
}

static void
define_epoch(FlakeFormat format, const char *name, const char *description,
			 GucStringAssignHook assign)
{
	DefineCustomStringVariable(name, description, "Takes effect at server start.",
							   &epoch_text[format], DEFAULT_EPOCH,
							   PGC_SIGHUP, GUC_ALLOW_IN_PARALLEL, check_epoch, assign, NULL);
}

static void
define_start_settings(void)
{
	DefineCustomIntVariable("flakeid.node_id",
							"Sets the number of this server among those that share a key space.",
							"Must be less than 2 to the power of flakeid.node_bits. Takes effect at server start.",
							&node_id, 0, 0, 16383,
							PGC_SIGHUP, GUC_ALLOW_IN_PARALLEL, NULL, note_change, NULL);
	DefineCustomIntVariable("flakeid.node_bits",
							"Sets the number of top bits of the generator field that hold flakeid.node_id.",
							"Takes effect at server start.",
							&node_bits, 0, 0, 14,
							PGC_SIGHUP, GUC_ALLOW_IN_PARALLEL, NULL, note_change, NULL);
	DefineCustomEnumVariable("flakeid.sequence_scope",
							 "Sets whether FLUIDs and Nanoflakes increase per session or across the whole server.",
							 "Takes effect at server start.",
							 &sequence_scope, false, scopes,
							 PGC_SIGHUP, GUC_ALLOW_IN_PARALLEL, NULL, note_change, NULL);
	define_epoch(FLAKE_FLUID, "flakeid.fluid_epoch",
				 "Sets the time from which FLUIDs count milliseconds.", assign_fluid_epoch);
	define_epoch(FLAKE_NANOFLAKE, "flakeid.nanoflake_epoch",
				 "Sets the time from which Nanoflakes count milliseconds.", assign_nanoflake_epoch);
	define_epoch(FLAKE_ULIDFLAKE, "flakeid.ulidflake_epoch",
				 "Sets the time from which Ulid-Flakes count milliseconds.", assign_ulidflake_epoch);
	DefineCustomIntVariable("flakeid.ulidflake_scalability",
							"Sets the number of this server in scalable Ulid-Flakes.",
							"Takes effect at server start.",
							&ulidflake_scalability, 0, 0, 31,
							PGC_SIGHUP, GUC_ALLOW_IN_PARALLEL, NULL, note_change, NULL);
}

void
flakeid_define_settings(void)
{
	MemoryContext caller = MemoryContextSwitchTo(TopMemoryContext);

	for (int format = 0; format < FLAKE_FORMATS; format++)
		epoch_ms[format] = flake_layouts[format].epoch_ms;
	for (int i = 0; i < FLAKEID_START_SETTINGS; i++)
		note_placeholder(&start_settings[i]);
	define_start_settings();
	DefineCustomIntVariable("flakeid.ulidflake_step_bits",
							"Sets the number of random bits in the step between Ulid-Flakes of the same millisecond.",
							"The step is 1 plus a random number of this many bits.",
							&flakeid_ulidflake_step_bits, 4, 0, 16,
							PGC_SUSET, GUC_ALLOW_IN_PARALLEL, NULL, NULL, NULL);
	DefineCustomIntVariable("flakeid.max_wait",
							"Sets the maximum time that generating an id waits for the clock.",
							"0 disables waiting.",
							&flakeid_max_wait, 1000, 0, 60000,
							PGC_USERSET,
							GUC_UNIT_MS | GUC_ALLOW_IN_PARALLEL, NULL, NULL, NULL);
	MarkGUCPrefixReserved("flakeid");
	for (int i = 0; i < FLAKEID_START_SETTINGS; i++)
		compare_placeholder(&start_settings[i]);
	loaded_after_reload = PgReloadTime;
	preloaded = process_shared_preload_libraries_in_progress;
	MemoryContextSwitchTo(caller);
}

/*
 * Is the server's value of the setting still the invalid value at load?  A
 * line of the file that was corrected or removed is taken into account after a
 * reload.
 */
static bool
is_invalid(const StartSetting *setting)
{
	const struct config_generic *record;

	if (setting->invalid == NULL)
		return false;
	record = flakeid_find_setting(setting->name);
	return record->source == PGC_S_DEFAULT &&
		(setting->given_by != PGC_S_FILE ||
		 PgReloadTime == loaded_after_reload ||
		 (record->status & GUC_IS_IN_FILE) != 0);
}

/*
 * Does this process have the server's value of the setting?  A session whose
 * own value hid it gets it at the next reload.  In a parallel worker, the
 * value of the leader may replace it.
 */
bool
flakeid_setting_is_known(FlakeidStartSetting number)
{
	const StartSetting *setting = &start_settings[number];
	GucSource	source = flakeid_find_setting(setting->name)->source;

	if (setting->hidden)
		return source != PGC_S_DEFAULT;
	if (IsParallelWorker() && source < setting->given_by)
		return false;
	return !is_invalid(setting);
}

/* Are the settings of this process always the server's own? */
bool
flakeid_settings_are_the_servers(void)
{
	return preloaded || !IsUnderPostmaster;
}

/* Raise unless all are valid; for the process that puts them into effect. */
void
flakeid_check_own_settings(void)
{
	for (int i = 0; i < FLAKEID_START_SETTINGS; i++)
	{
		const StartSetting *setting = &start_settings[i];

		if (is_invalid(setting))
			ereport(ERROR,
					(errcode(ERRCODE_CONFIG_FILE_ERROR),
					 errmsg("invalid value for parameter \"%s\": \"%s\"",
							setting->name, setting->invalid),
					 errdetail("No 64-bit id can be generated until the value is corrected."),
					 errhint("Correct the value in the configuration file, reload the configuration, and try again.")));
	}
}

/*
 * Raise unless this process knows the server's settings; for use during
 * recovery, when the values in effect are not read from the state file.
 */
void
flakeid_check_known_settings(void)
{
	for (int i = 0; i < FLAKEID_START_SETTINGS; i++)
	{
		const char *name = start_settings[i].name;

		if (!flakeid_setting_is_known(i))
			ereport(ERROR,
					(errcode(ERRCODE_CONFIG_FILE_ERROR),
					 errmsg("could not determine the server's value of parameter \"%s\"",
							name),
					 errdetail("The value is invalid, or a value set for this session hides it. During recovery, a session cannot read the value in effect from the state file."),
					 errhint("Set \"%s\" only in the configuration file, not by connection options or ALTER ROLE, and reconnect.",
							 name)));
	}
}

/* Raise unless node_id fits node_bits. */
void
flakeid_check_address(const FlakeidConfig *configured)
{
	const FlakeAddress *address = &configured->address;

	if (flakeid_node_fits(address))
		return;
	ereport(ERROR,
			(errcode(ERRCODE_CONFIG_FILE_ERROR),
			 errmsg("flakeid.node_id = %u does not fit in flakeid.node_bits = %u",
					address->node, address->node_bits),
			 errdetail("With %u bits, the valid range of flakeid.node_id is 0 to %llu.",
					   address->node_bits,
					   (unsigned long long) flake_mask(address->node_bits)),
			 errhint("Correct both in the configuration file, reload the configuration, and try again.")));
}

/* The configuration from the settings, with slot bits for MaxBackends. */
void
flakeid_configured(FlakeidConfig *configured)
{
	*configured = (FlakeidConfig) {
		.address = {
			.node = (uint32) node_id,
			.node_bits = (uint32) node_bits,
			.slot_bits = flake_slot_bits((uint32) MaxBackends),
			.server_scope = (uint32) sequence_scope,
		},
		.scalability = (uint32) ulidflake_scalability,
	};
	memcpy(configured->epoch_ms, epoch_ms, sizeof(epoch_ms));
}
