/*
 * settings.c
 *		Settings and their checks.
 *
 * The settings on which uniqueness depends are fixed at server start
 * (PGC_POSTMASTER), so they exist only if the library is preloaded.  Otherwise
 * their defaults are in effect.  A value that somebody gives nevertheless is a
 * placeholder, and we report an error rather than ignore it: before the first
 * id of a start, and when a process reads an id by an epoch.  The prefix is
 * not reserved then, since that would remove placeholders.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/parallel.h"
#include "miscadmin.h"
#include "utils/guc_tables.h"

#include "format/epoch.h"
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

static char *fluid_epoch = DEFAULT_EPOCH;
static char *nanoflake_epoch = DEFAULT_EPOCH;
static char *ulidflake_epoch = DEFAULT_EPOCH;

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

/* Does flakeid tell the planner how many rows a time range has? */
bool		flakeid_enable_range_estimates;

/* Version of this library; the extension's is that of its SQL. */
static char *version;

/* Settings that exist only if the library is preloaded. */
static const char *const start_settings[] = {
	"flakeid.node_id", "flakeid.node_bits", "flakeid.sequence_scope",
	"flakeid.fluid_epoch", "flakeid.nanoflake_epoch",
	"flakeid.ulidflake_epoch", "flakeid.ulidflake_scalability"
};

static bool preloaded;

static bool
check_epoch(char **newval, void **extra, GucSource source)
{
	int64		unix_ms;

	if (flake_epoch_decode(*newval, &unix_ms))
		return true;
	GUC_check_errdetail("An epoch is a date, a time, and a UTC offset in ISO 8601 format, in whole milliseconds, such as \"%s\".",
						DEFAULT_EPOCH);
	return false;
}

static void
define_int(const char *name, const char *description, const char *more,
		   int *variable, int max)
{
	DefineCustomIntVariable(name, description, more, variable, 0, 0, max,
							PGC_POSTMASTER, 0, NULL, NULL, NULL);
}

static void
define_epoch(const char *name, const char *description, char **variable)
{
	DefineCustomStringVariable(name, description, NULL,
							   variable, DEFAULT_EPOCH,
							   PGC_POSTMASTER, 0, check_epoch, NULL, NULL);
}

static void
define_start_settings(void)
{
	define_int("flakeid.node_id",
			   "Sets the number of this server among those that share a key space.",
			   "Must be less than 2 to the power of flakeid.node_bits.",
			   &node_id, 16383);
	define_int("flakeid.node_bits",
			   "Sets the number of top bits of the generator field that hold flakeid.node_id.",
			   NULL, &node_bits, 14);
	DefineCustomEnumVariable("flakeid.sequence_scope",
							 "Sets whether FLUIDs and Nanoflakes increase per session or across the whole server.",
							 NULL, &sequence_scope, false, scopes,
							 PGC_POSTMASTER, 0, NULL, NULL, NULL);
	define_epoch("flakeid.fluid_epoch",
				 "Sets the time from which FLUIDs count milliseconds.",
				 &fluid_epoch);
	define_epoch("flakeid.nanoflake_epoch",
				 "Sets the time from which Nanoflakes count milliseconds.",
				 &nanoflake_epoch);
	define_epoch("flakeid.ulidflake_epoch",
				 "Sets the time from which Ulid-Flakes count milliseconds.",
				 &ulidflake_epoch);
	define_int("flakeid.ulidflake_scalability",
			   "Sets the number of this server in scalable Ulid-Flakes.",
			   NULL, &ulidflake_scalability, 31);
}

/*
 * Does a setting, which may be a placeholder, have a value?  An empty value
 * counts: a session can hide that of the server by it.
 */
static bool
is_set(const char *name)
{
	const struct config_generic *setting = flakeid_find_setting(name);

	return setting != NULL && setting->source != PGC_S_DEFAULT;
}

/*
 * Define the start settings, and refuse to start if a value is invalid: the
 * server would only print a warning, and use the default.
 */
static void
define_checked_start_settings(void)
{
	bool		was_set[lengthof(start_settings)];

	for (int i = 0; i < lengthof(start_settings); i++)
		was_set[i] = is_set(start_settings[i]);
	define_start_settings();
	for (int i = 0; i < lengthof(start_settings); i++)
	{
		if (was_set[i] && !is_set(start_settings[i]))
			ereport(ERROR,
					(errcode(ERRCODE_CONFIG_FILE_ERROR),
					 errmsg("invalid value for parameter \"%s\"",
							start_settings[i]),
					 errhint("The previous message shows the value.")));
	}
}

/* Refuse to start with a node that does not fit; no check hook sees both. */
static void
check_node(void)
{
	if ((uint64) node_id <= flake_mask((unsigned) node_bits))
		return;
	ereport(ERROR,
			(errcode(ERRCODE_CONFIG_FILE_ERROR),
			 errmsg("\"flakeid.node_id\" (%d) does not fit in \"flakeid.node_bits\" (%d)",
					node_id, node_bits),
			 errdetail("With %d bits, the valid range of flakeid.node_id is 0 to %d.",
					   node_bits, (int) flake_mask((unsigned) node_bits))));
}

void
flakeid_define_settings(void)
{
	preloaded = process_shared_preload_libraries_in_progress;
	if (preloaded)
		define_checked_start_settings();
	DefineCustomIntVariable("flakeid.ulidflake_step_bits",
							"Sets the number of random bits in the step between Ulid-Flakes of the same millisecond.",
							"The step is 1 plus a random number of this many bits.",
							&flakeid_ulidflake_step_bits, 4, 0, 16,
							PGC_SUSET, GUC_ALLOW_IN_PARALLEL,
							NULL, NULL, NULL);
	DefineCustomIntVariable("flakeid.max_wait",
							"Sets the maximum time that generating an id waits for the clock.",
							"0 disables waiting.",
							&flakeid_max_wait, 1000, 0, 60000,
							PGC_USERSET, GUC_UNIT_MS | GUC_ALLOW_IN_PARALLEL,
							NULL, NULL, NULL);
	DefineCustomBoolVariable("flakeid.enable_range_estimates",
							 "Enables flakeid's estimates of the rows in a time range of UUIDs.",
							 "Otherwise the planner estimates them by itself.",
							 &flakeid_enable_range_estimates, true,
							 PGC_USERSET, GUC_EXPLAIN | GUC_ALLOW_IN_PARALLEL,
							 NULL, NULL, NULL);
	DefineCustomStringVariable("flakeid.version",
							   "Shows the version of the library that the session has loaded.",
							   NULL, &version, FLAKEID_VERSION, PGC_INTERNAL,
							   GUC_NOT_IN_SAMPLE | GUC_DISALLOW_IN_FILE,
							   NULL, NULL, NULL);
	if (preloaded)
	{
		MarkGUCPrefixReserved("flakeid");
		check_node();
	}
}

/*
 * No setting may have a value if the library is not preloaded.  For the first
 * process of a start, and for one that reads ids by an epoch.
 */
void
flakeid_check_not_set(void)
{
	if (preloaded)
		return;
	for (int i = 0; i < lengthof(start_settings); i++)
	{
		if (is_set(start_settings[i]))
			ereport(ERROR,
					(errcode(ERRCODE_CONFIG_FILE_ERROR),
					 errmsg("parameter \"%s\" is set, but flakeid is not in shared_preload_libraries",
							start_settings[i]),
					 errhint("Add flakeid to shared_preload_libraries and restart the server, or remove the setting.")));
	}
}

/*
 * Warn once in a session, when it generates its first 64-bit id, that a value
 * is not in effect, wherever it comes from: SHOW has it, but ids do not.  Not
 * in a parallel worker, which would warn in each query.
 */
void
flakeid_warn_if_not_in_effect(void)
{
	static bool checked;

	if (likely(checked) || preloaded || IsParallelWorker())
		return;
	checked = true;
	for (int i = 0; i < lengthof(start_settings); i++)
	{
		if (is_set(start_settings[i]))
		{
			ereport(WARNING,
					(errmsg("parameter \"%s\" is set, but not in effect",
							start_settings[i]),
					 errdetail("Ids of 64 bits have the default of each setting, as flakeid_status() shows, because flakeid is not in shared_preload_libraries. If this session were the first to generate one after a restart of the server, it would be refused."),
					 errhint("Add flakeid to shared_preload_libraries and restart the server, or remove the setting.")));
			return;
		}
	}
}

/* The text has passed check_epoch(). */
static int64
epoch_ms(const char *text)
{
	int64		unix_ms = 0;

	(void) flake_epoch_decode(text, &unix_ms);
	return unix_ms;
}

/* The configuration in effect, with slot bits for MaxBackends. */
const FlakeidConfig *
flakeid_config(void)
{
	static FlakeidConfig config;
	static bool known;

	if (likely(known))
		return &config;
	config.address.node = (uint32) node_id;
	config.address.node_bits = (uint32) node_bits;
	config.address.slot_bits = flake_slot_bits((uint32) MaxBackends);
	config.address.server_scope = sequence_scope != 0;
	config.scalability = (uint32) ulidflake_scalability;
	/* A format can have no setting. */
	for (int format = 0; format < FLAKE_FORMATS; format++)
		config.epoch_ms[format] = flake_layouts[format].epoch_ms;
	config.epoch_ms[FLAKE_FLUID] = epoch_ms(fluid_epoch);
	config.epoch_ms[FLAKE_NANOFLAKE] = epoch_ms(nanoflake_epoch);
	config.epoch_ms[FLAKE_ULIDFLAKE] = epoch_ms(ulidflake_epoch);
	known = true;
	return &config;
}

/* The same, for a reader: checks once that it is what was asked for. */
const FlakeidConfig *
flakeid_reader_config(void)
{
	static bool checked;

	if (unlikely(!checked))
		flakeid_check_not_set();
	checked = true;
	return flakeid_config();
}

/* Report that the address does not fit the generator field. */
static void
report_address(int elevel, const FlakeLayout *layout,
			   const FlakeAddress *address)
{
	ereport(elevel,
			(errcode(ERRCODE_CONFIG_FILE_ERROR),
			 errmsg("cannot generate a %s: its generator field has too few bits to number all connections",
					layout->name),
			 errdetail("The field has %u bits: flakeid.node_bits takes %u, and the connections of this server need %u.",
					   layout->generator_bits, address->node_bits,
					   address->slot_bits),
			 address->node_bits > layout->generator_bits ?
			 errhint("Reduce flakeid.node_bits on all servers of the key space, or use FLUID.") :
			 errhint("Reduce flakeid.node_bits or max_connections, or set flakeid.sequence_scope to \"server\", and restart the server.")));
}

/* The address must fit. */
void
flakeid_check_address(FlakeStatus status, const FlakeLayout *layout,
					  const FlakeAddress *address)
{
	if (unlikely(status != FLAKE_OK))
		report_address(ERROR, layout, address);
}

/* Warn of formats that it does not fit, when the server starts. */
void
flakeid_warn_of_address(void)
{
	const FlakeAddress *address = &flakeid_config()->address;
	FlakeShare share;

	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		const FlakeLayout *layout = &flake_layouts[format];

		if (flake_share(layout, address, 0, &share) != FLAKE_OK)
			report_address(WARNING, layout, address);
	}
}
