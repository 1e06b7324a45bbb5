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

extern int	flakeid_ulidflake_step_bits;
extern int	flakeid_max_wait;

/* Settings changed since we last checked whether to warn. */
extern bool flakeid_settings_changed;

extern void flakeid_define_settings(void);
extern bool flakeid_settings_are_the_servers(void);
extern void flakeid_check_own_settings(void);
extern void flakeid_check_known_settings(void);
extern void flakeid_check_address(const FlakeidConfig *configured);
extern void flakeid_configured(FlakeidConfig *configured);

/* Number of settings that take effect at server start. */
#define FLAKEID_START_SETTINGS 7

extern int	flakeid_pending_settings(const FlakeidConfig *in_force,
									 char **pending);

/* settings_lost.c */
extern void flakeid_warn_of_lost_settings(const FlakeidConfig *before);

static inline bool
flakeid_node_fits(const FlakeAddress *address)
{
	return address->node <= flake_mask(address->node_bits);
}

#endif							/* FLAKEID_PG_SETTINGS_H */
