/*
 * settings.c
 *		Every setting, its check, and the trap of a library that comes late.
 *
 * The settings that uniqueness rests on belong to the configuration file
 * (PGC_SIGHUP) and take force with a start of the server; see state.h.  The
 * library is as a rule not preloaded, so that values are given before the
 * settings exist, and the server drops those it may not take: a value that
 * came with the connection (PGOPTIONS, ALTER ROLE) or is invalid leaves the
 * setting at its built-in default, not at the file's value.  So each
 * placeholder is read before its setting is defined and compared after.  Where
 * they differ, or where the file's own value was covered up, this session does
 * not know the server's settings: it makes no 64-bit id and never writes the
 * address.
 *
 * A parallel worker loads the library while it has the postmaster's values, and
 * only then gets its leader's, which may be such defaults.  It keeps to those
 * of the load.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/parallel.h"
#include "miscadmin.h"
#include "utils/guc.h"
#include "utils/guc_tables.h"
#include "utils/timestamp.h"

#include "format/epoch.h"
#include "pg/clock.h"
#include "pg/settings.h"

#define DEFAULT_EPOCH "2024-01-01 00:00:00+00"

/* This server's number, below 2^node_bits. */
static int	node_id;

/* How many top bits of the generator field are the server's number. */
static int	node_bits;

/* Are ids in order per process (false) or over all of the server? */
static int	sequence_scope;

static const struct config_enum_entry scopes[] = {
	{"backend", false, false},
	{"server", true, false},
	{NULL, 0, false}
};

/* The epochs as text, and as their hooks read them. */
static char *fluid_epoch;
static char *nanoflake_epoch;
static int64 epoch_ms[FLAKE_FORMATS];

/* The 5-bit number of this server in scalable Ulid-Flakes. */
static int	ulidflake_scalability;

/* Within a millisecond a Ulid-Flake grows by 1 + this many random bits. */
int			flakeid_ulidflake_step_bits;

/* Longest wait of a call for the clock, in ms; 0: never wait. */
int			flakeid_max_wait;

bool		flakeid_settings_changed = true;

/* A setting that takes force at a start. */
typedef struct StartSetting
{
	const char *name;
	FlakeFormat format;			/* whose epoch, if it is one */
	const char *placeholder;	/* its value before it was defined, if any */
	bool		covered;		/* the file's value is not to be had */
	bool		refused;		/* it is not what was asked for */
} StartSetting;

/* A parallel worker's settings: those that it had when it loaded the library. */
static bool is_worker;
static FlakeidAddress at_load;

static StartSetting start_settings[FLAKEID_START_SETTINGS] = {
	{.name = "flakeid.node_id"},
	{.name = "flakeid.node_bits"},
	{.name = "flakeid.sequence_scope"},
	{.name = "flakeid.fluid_epoch", .format = FLAKE_FLUID},
	{.name = "flakeid.nanoflake_epoch", .format = FLAKE_NANOFLAKE},
	{.name = "flakeid.ulidflake_scalability"},
};

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

static void
assign_fluid_epoch(const char *newval, void *extra)
{
	epoch_ms[FLAKE_FLUID] = *(int64 *) extra;
	flakeid_settings_changed = true;
}

static void
assign_nanoflake_epoch(const char *newval, void *extra)
{
	epoch_ms[FLAKE_NANOFLAKE] = *(int64 *) extra;
	flakeid_settings_changed = true;
}

/* The placeholders' values, before the settings take their place. */
static void
read_placeholders(void)
{
	for (int i = 0; i < FLAKEID_START_SETTINGS; i++)
	{
		StartSetting *setting = &start_settings[i];
		struct config_generic *record = flakeid_find_setting(setting->name);

		if (record == NULL)
			continue;
		setting->covered = record->reset_source > PGC_S_ARGV;
		if (record->source != PGC_S_DEFAULT)
			setting->placeholder = pstrdup(GetConfigOption(setting->name, true,
														   false));
	}
}

/* Is the placeholder's text, by the setting's own rules, the value in place? */
static bool
is_applied(const StartSetting *setting)
{
	struct config_generic *record = flakeid_find_setting(setting->name);
	int			number;
	int64		unix_ms;

	switch (record->vartype)
	{
		case PGC_INT:
			return parse_int(setting->placeholder, &number, record->flags,
							 NULL) &&
				number == atoi(GetConfigOption(setting->name, false, false));
		case PGC_ENUM:
			return pg_strcasecmp(setting->placeholder,
								 GetConfigOption(setting->name, false,
												 false)) == 0;
		default:
			return flake_epoch_decode(setting->placeholder, &unix_ms) &&
				unix_ms == epoch_ms[setting->format];
	}
}

static void
compare_placeholders(void)
{
	for (int i = 0; i < FLAKEID_START_SETTINGS; i++)
	{
		StartSetting *setting = &start_settings[i];

		setting->refused = setting->covered ||
			(setting->placeholder != NULL && !is_applied(setting));
	}
}

static void
define_start_settings(void)
{
	DefineCustomIntVariable("flakeid.node_id",
							"Number of this server among those that share a key space.",
							"It has to be below 2 to the power of flakeid.node_bits, and takes force with a restart.",
							&node_id, 0, 0, 16383,
							PGC_SIGHUP, 0, NULL, note_change, NULL);
	DefineCustomIntVariable("flakeid.node_bits",
							"How many top bits of the generator field are the server's number.",
							"It takes force with a restart.",
							&node_bits, 0, 0, 14,
							PGC_SIGHUP, 0, NULL, note_change, NULL);
	DefineCustomEnumVariable("flakeid.sequence_scope",
							 "Whether FLUIDs and Nanoflakes increase per session or over the whole server.",
							 "It takes force with a restart.",
							 &sequence_scope, false, scopes,
							 PGC_SIGHUP, 0, NULL, note_change, NULL);
	DefineCustomStringVariable("flakeid.fluid_epoch",
							   "The instant from which FLUIDs count milliseconds.",
							   "It takes force with a restart.",
							   &fluid_epoch, DEFAULT_EPOCH,
							   PGC_SIGHUP, 0, check_epoch, assign_fluid_epoch,
							   NULL);
	DefineCustomStringVariable("flakeid.nanoflake_epoch",
							   "The instant from which Nanoflakes count milliseconds.",
							   "It takes force with a restart.",
							   &nanoflake_epoch, DEFAULT_EPOCH,
							   PGC_SIGHUP, 0, check_epoch,
							   assign_nanoflake_epoch, NULL);
	DefineCustomIntVariable("flakeid.ulidflake_scalability",
							"Number of this server in scalable Ulid-Flakes.",
							"It takes force with a restart.",
							&ulidflake_scalability, 0, 0, 31,
							PGC_SIGHUP, 0, NULL, note_change, NULL);
}

void
flakeid_define_settings(void)
{
	for (int format = 0; format < FLAKE_FORMATS; format++)
		epoch_ms[format] = flake_layouts[format].epoch_ms;
	read_placeholders();
	define_start_settings();
	DefineCustomIntVariable("flakeid.ulidflake_step_bits",
							"Within a millisecond a Ulid-Flake grows by 1 plus this many random bits.",
							NULL,
							&flakeid_ulidflake_step_bits, 4, 0, 14,
							PGC_SUSET, 0, NULL, NULL, NULL);
	DefineCustomIntVariable("flakeid.max_wait",
							"Longest time that making an id waits for the clock.",
							"0 never waits.",
							&flakeid_max_wait, 1000, 0, 60000,
							PGC_USERSET, GUC_UNIT_MS, NULL, NULL, NULL);
	MarkGUCPrefixReserved("flakeid");
	compare_placeholders();
	if (IsParallelWorker())
	{
		flakeid_configured_address(&at_load);
		is_worker = true;
	}
}

/* The first setting that could not be applied, or NULL. */
const char *
flakeid_refused_setting(void)
{
	for (int i = 0; i < FLAKEID_START_SETTINGS; i++)
	{
		if (start_settings[i].refused)
			return start_settings[i].name;
	}
	return NULL;
}

/* Every setting is the server's own. */
void
flakeid_check_settings(void)
{
	const char *name = flakeid_refused_setting();

	if (name == NULL)
		return;
	ereport(ERROR,
			(errcode(ERRCODE_CONFIG_FILE_ERROR),
			 errmsg("the value given for \"%s\" could not be applied", name),
			 errdetail("It is invalid, or was given with the connection, so this session does not know the server's own settings."),
			 errhint("Give \"%s\" in the configuration file alone, not by connection options or ALTER ROLE, and connect again.",
					 name)));
}

/* The node's number fits its bits: true of an address that comes in force. */
void
flakeid_check_address(const FlakeidAddress *configured)
{
	const FlakeAddress *address = &configured->address;

	if (address->node <= flake_mask(address->node_bits))
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
flakeid_configured_address(FlakeidAddress *configured)
{
	if (is_worker)
	{
		*configured = at_load;
		return;
	}
	*configured = (FlakeidAddress) {
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

int64
flakeid_configured_epoch_ms(FlakeFormat format)
{
	return is_worker ? at_load.epoch_ms[format] : epoch_ms[format];
}
