/*
 * settings.h
 *		The settings, and the configuration that results from them.
 */
#ifndef FLAKEID_PG_SETTINGS_H
#define FLAKEID_PG_SETTINGS_H

#include "format/flake.h"

/* The configuration on which uniqueness depends; fixed at server start. */
typedef struct FlakeidConfig
{
	FlakeAddress address;
	uint32		scalability;
	int64		epoch_ms[FLAKE_FORMATS];
} FlakeidConfig;

extern int	flakeid_ulidflake_step_bits;
extern int	flakeid_max_wait;
extern bool flakeid_enable_range_estimates;

extern void flakeid_define_settings(void);
extern void flakeid_check_not_set(void);
extern void flakeid_warn_if_not_in_effect(void);
extern const FlakeidConfig *flakeid_config(void);
extern const FlakeidConfig *flakeid_reader_config(void);
extern void flakeid_check_address(FlakeStatus status,
								  const FlakeLayout *layout,
								  const FlakeAddress *address);
extern void flakeid_warn_of_address(void);

#endif							/* FLAKEID_PG_SETTINGS_H */
