/*
 * settings.h
 *		The settings, and whether they could be applied.
 */
#ifndef FLAKEID_PG_SETTINGS_H
#define FLAKEID_PG_SETTINGS_H

#include "format/address.h"

/* The state file has room for so many formats; a new one takes the next. */
#define FLAKEID_STATE_FORMATS 8

/*
 * What uniqueness rests on.  The state file holds one of these, the address in
 * force, from one start of the server to the next; the settings are another.
 */
typedef struct FlakeidAddress
{
	FlakeAddress address;
	uint32		scalability;
	uint32		unused;
	int64		epoch_ms[FLAKEID_STATE_FORMATS];
} FlakeidAddress;

extern int	flakeid_ulidflake_step_bits;
extern int	flakeid_max_wait;

/* Set when a setting changed since the WARNING was last considered. */
extern bool flakeid_settings_changed;

extern void flakeid_define_settings(void);
extern const char *flakeid_refused_setting(void);
extern void flakeid_check_settings(void);
extern void flakeid_check_address(const FlakeidAddress *configured);
extern void flakeid_configured_address(FlakeidAddress *configured);
extern int64 flakeid_configured_epoch_ms(FlakeFormat format);
extern int	flakeid_pending_settings(const FlakeidAddress *in_force,
									 char **pending);
extern char *flakeid_epoch_text(int64 unix_ms);

/* The settings that take force at a start: as many as can be pending. */
#define FLAKEID_START_SETTINGS 6

#endif							/* FLAKEID_PG_SETTINGS_H */
