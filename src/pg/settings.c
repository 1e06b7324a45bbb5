/*
 * settings.c
 *		Every setting, its check, and values given before the library is loaded.
 *
 * The settings that uniqueness rests on belong to the configuration file
 * (PGC_SIGHUP) and take effect at a start of the server; see state.h.  The
 * library is as a rule not preloaded, so that values are given before the
 * settings exist.  The server drops those that it cannot apply then: a value
 * that came with the connection (PGOPTIONS, ALTER ROLE) or is invalid leaves
 * the setting at its built-in default, not at the file's value.
 *
 * So what a session has as its settings decides nothing.  The state file is
 * set up by a process that has the server's own, see state_worker.c, and all
 * others use what they find in it.  A session only has to know which of its
 * values are not the server's, for flakeid_status() and for readers of an epoch
 * during recovery, when there is no file to ask.
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

/* How many top bits of the generator field are the server's number. */
static int	node_bits;

/* Ids increase per process (false), or over the whole server (true). */
static int	sequence_scope;

static const struct config_enum_entry scopes[] = {
	{"backend", false, false},
	{"server", true, false},
	{NULL, 0, false}
};

/* The epochs as text, and as their hooks read them. */
static char *epoch_text[FLAKE_FORMATS];
static int64 epoch_ms[FLAKE_FORMATS];

/* The 5-bit number of this server in scalable Ulid-Flakes. */
static int	ulidflake_scalability;

/*
 * Within a millisecond a Ulid-Flake grows by 1 + this many random bits.  The
 * libraries of Ulid-Flake draw 8.  More bits make the next id harder to guess;
 * fewer leave room for more ids in a millisecond.
 */
int			flakeid_ulidflake_step_bits;

/* Longest wait of a call for the clock, in ms; 0: never wait. */
int			flakeid_max_wait;

bool		flakeid_settings_changed = true;

/* A setting that takes effect at a start. */
typedef struct StartSetting
{
	const char *name;
	GucSource	given_by;		/* source of the server's value at load */
	char	   *invalid;		/* the server's value, if it was not applied */
	bool		hidden;			/* a value set for the session hides it */
} StartSetting;

/* In the order that flakeid_pending_settings() counts. */
static StartSetting start_settings[FLAKEID_START_SETTINGS] = {
	{.name = "flakeid.node_id"},
	{.name = "flakeid.node_bits"},
	{.name = "flakeid.sequence_scope"},
	{.name = "flakeid.fluid_epoch"},
	{.name = "flakeid.nanoflake_epoch"},
	{.name = "flakeid.ulidflake_epoch"},
	{.name = "flakeid.ulidflake_scalability"},
};

/* PgReloadTime when the library was loaded. */
static TimestampTz loaded_after_reload;

/* Loaded by the postmaster, for all its processes. */
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
		GUC_check_errdetail("An epoch is a date, a time and an offset from UTC in ISO 8601, of whole milliseconds, as in \"%s\".",
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
 * Note a setting's placeholder, the value given before the setting is defined.
 * In a parallel worker its source is the leader's, whose session may have put
 * its own value in the place of the server's.
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

/* The setting has taken its placeholder's place: was the value applied? */
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
							"Number of this server among those that share a key space.",
							"Must be less than 2 to the power of flakeid.node_bits. Takes effect at server start.",
							&node_id, 0, 0, 16383,
							PGC_SIGHUP, GUC_ALLOW_IN_PARALLEL, NULL, note_change, NULL);
	DefineCustomIntVariable("flakeid.node_bits",
							"How many top bits of the generator field are the server's number.",
							"Takes effect at server start.",
							&node_bits, 0, 0, 14,
							PGC_SIGHUP, GUC_ALLOW_IN_PARALLEL, NULL, note_change, NULL);
	DefineCustomEnumVariable("flakeid.sequence_scope",
							 "Whether FLUIDs and Nanoflakes increase per session or over the whole server.",
							 "Takes effect at server start.",
							 &sequence_scope, false, scopes,
							 PGC_SIGHUP, GUC_ALLOW_IN_PARALLEL, NULL, note_change, NULL);
	define_epoch(FLAKE_FLUID, "flakeid.fluid_epoch",
				 "The instant from which FLUIDs count milliseconds.", assign_fluid_epoch);
	define_epoch(FLAKE_NANOFLAKE, "flakeid.nanoflake_epoch",
				 "The instant from which Nanoflakes count milliseconds.", assign_nanoflake_epoch);
	define_epoch(FLAKE_ULIDFLAKE, "flakeid.ulidflake_epoch",
				 "The instant from which Ulid-Flakes count milliseconds.", assign_ulidflake_epoch);
	DefineCustomIntVariable("flakeid.ulidflake_scalability",
							"Number of this server in scalable Ulid-Flakes.",
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
							"Within a millisecond a Ulid-Flake grows by 1 plus this many random bits.",
							NULL,
							&flakeid_ulidflake_step_bits, 4, 0, 14,
							PGC_SUSET, GUC_ALLOW_IN_PARALLEL, NULL, NULL, NULL);
	DefineCustomIntVariable("flakeid.max_wait",
							"Longest time that making an id waits for the clock.",
							"0 never waits.",
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
 * Is the server's value of the setting still the invalid one that it had at
 * load?  A line of the file that was mended, or taken away, counts from the
 * next reload on.
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
 * Is the setting's value in this process the server's own?  A session whose own
 * value hid it gets it with the next reload.  A parallel worker can lose it to
 * its leader's.
 */
static bool
is_known(const StartSetting *setting)
{
	GucSource	source = flakeid_find_setting(setting->name)->source;

	if (setting->hidden)
		return source != PGC_S_DEFAULT;
	if (IsParallelWorker() && source < setting->given_by)
		return false;
	return !is_invalid(setting);
}

/* Are this process's settings the server's own, whatever its session? */
bool
flakeid_settings_are_the_servers(void)
{
	return preloaded || !IsUnderPostmaster;
}

/* Raise unless all are valid; for a process that brings them into force. */
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
					 errdetail("No 64-bit id can be generated before it is corrected."),
					 errhint("Correct it in the configuration file, reload the configuration, and try again.")));
	}
}

/*
 * Raise unless this process knows the server's settings; during recovery, when
 * no state file says what is in force.
 */
void
flakeid_check_known_settings(void)
{
	for (int i = 0; i < FLAKEID_START_SETTINGS; i++)
	{
		const char *name = start_settings[i].name;

		if (!is_known(&start_settings[i]))
			ereport(ERROR,
					(errcode(ERRCODE_CONFIG_FILE_ERROR),
					 errmsg("the server's value of parameter \"%s\" is not known to this session",
							name),
					 errdetail("It is invalid, or a value given with the connection hides it. During recovery nothing else says what is in effect."),
					 errhint("Set \"%s\" in the configuration file alone, not by connection options or ALTER ROLE, and connect again.",
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
			 errdetail("With %u bits a server's number is 0 to %llu.",
					   address->node_bits,
					   (unsigned long long) flake_mask(address->node_bits)),
			 errhint("Set both in the configuration file, reload it, and try again.")));
}

/* What the settings say now; slot bits for as many backends as may live. */
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

/*
 * Fill pending with an element for each setting whose configured value is not
 * the one in force, and return how many there are.  A value that a session's
 * own hides cannot be compared.
 */
int
flakeid_pending_settings(const FlakeidConfig *in_force, char **pending)
{
	FlakeidConfig now;
	const char *too_large = "";
	const char *too_few = "";
	int			n = 0;

#define COMPARE(i, field, text, doubt) \
	if (in_force->field != now.field && is_known(&start_settings[i])) \
		pending[n++] = psprintf("%s: %s in force, %s configured%s", \
								start_settings[i].name, text(in_force->field), \
								text(now.field), doubt)

	flakeid_configured(&now);
	if (!flakeid_node_fits(&now.address))
	{
		too_large = psprintf(", which does not fit in flakeid.node_bits = %u",
							 now.address.node_bits);
		too_few = psprintf(", too few for flakeid.node_id = %u",
						   now.address.node);
	}
	COMPARE(0, address.node, number_text, too_large);
	COMPARE(1, address.node_bits, number_text, too_few);
	COMPARE(2, address.server_scope, scope_text, "");
	COMPARE(3, epoch_ms[FLAKE_FLUID], flakeid_epoch_text, "");
	COMPARE(4, epoch_ms[FLAKE_NANOFLAKE], flakeid_epoch_text, "");
	COMPARE(5, epoch_ms[FLAKE_ULIDFLAKE], flakeid_epoch_text, "");
	COMPARE(6, scalability, number_text, "");
#undef COMPARE

	return n;
}
