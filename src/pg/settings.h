/*
 * settings.h
 *		The settings, and whether their values were applied.
 */
#ifndef FLAKEID_PG_SETTINGS_H
#define FLAKEID_PG_SETTINGS_H

#include "format/flake_address.h"

/* Room for formats in the state file. */
#define FLAKEID_STATE_FORMATS 8

/*
 * The configuration on which uniqueness depends.  The state file has the one
 * in effect until the next server start; the settings have the configured one.
 */
typedef struct FlakeidConfig
{
	FlakeAddress address;
	uint32		scalability;
	uint32		unused;
	int64		epoch_ms[FLAKEID_STATE_FORMATS];
} FlakeidConfig;

/*
 * The settings that take effect at server start: their enumerator and name,
 * the field of FlakeidConfig, and its text in settings_compare.c.
 */
#define FLAKEID_START_SETTINGS_LIST(ROW) \
	ROW(FLAKEID_NODE_ID, "flakeid.node_id", address.node, number_text) \
	ROW(FLAKEID_NODE_BITS, "flakeid.node_bits", address.node_bits, number_text) \
	ROW(FLAKEID_SEQUENCE_SCOPE, "flakeid.sequence_scope", address.server_scope, scope_text) \
	ROW(FLAKEID_FLUID_EPOCH, "flakeid.fluid_epoch", epoch_ms[FLAKE_FLUID], flakeid_epoch_text) \
	ROW(FLAKEID_NANOFLAKE_EPOCH, "flakeid.nanoflake_epoch", epoch_ms[FLAKE_NANOFLAKE], flakeid_epoch_text) \
	ROW(FLAKEID_ULIDFLAKE_EPOCH, "flakeid.ulidflake_epoch", epoch_ms[FLAKE_ULIDFLAKE], flakeid_epoch_text) \
	ROW(FLAKEID_ULIDFLAKE_SCALABILITY, "flakeid.ulidflake_scalability", scalability, number_text)

typedef enum FlakeidStartSetting
{
#define ENUMERATOR(setting, name, field, text) setting,
	FLAKEID_START_SETTINGS_LIST(ENUMERATOR)
#undef ENUMERATOR
	FLAKEID_START_SETTINGS		/* how many there are */
} FlakeidStartSetting;

extern int	flakeid_ulidflake_step_bits;
extern int	flakeid_max_wait;

/* Settings changed since we last checked whether to warn. */
extern bool flakeid_settings_changed;

extern void flakeid_define_settings(void);
extern bool flakeid_settings_are_the_servers(void);
extern bool flakeid_setting_is_known(FlakeidStartSetting number);
extern void flakeid_check_own_settings(void);
extern void flakeid_check_known_settings(void);
extern void flakeid_check_address(const FlakeidConfig *configured);
extern void flakeid_configured(FlakeidConfig *configured);

/* settings_compare.c */
extern int	flakeid_pending_settings(const FlakeidConfig *in_effect,
									 char **pending);
extern void flakeid_warn_of_lost_settings(const FlakeidConfig *before);

static inline bool
flakeid_node_fits(const FlakeAddress *address)
{
	return address->node <= flake_mask(address->node_bits);
}

#endif							/* FLAKEID_PG_SETTINGS_H */
