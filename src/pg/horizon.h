/*
 * horizon.h
 *		The horizons of this database, which survive in the WAL.
 *
 * Each format has a sequence, flakeid_<format>_horizon.  No process returns an
 * id later than the horizon that it knows to be flushed, so whoever has
 * replayed a row with an id has also replayed a horizon at or after it.
 */
#ifndef FLAKEID_PG_HORIZON_H
#define FLAKEID_PG_HORIZON_H

#include "access/xlogdefs.h"

#include "format/flake_horizon.h"

/* What this process knows of a horizon, in ms of ids. */
typedef struct FlakeidHorizon
{
	Oid			sequence;		/* InvalidOid: to be looked up */
	uint64		allowed_ms;		/* flushed: ids may use it */
	uint64		seen_ms;		/* on the page, flushed or not, ... */
	XLogRecPtr	seen_lsn;		/* ... up to here in the WAL */
	uint64		lead_ms;		/* after a slow flush; 0: that of the format */
} FlakeidHorizon;

/*
 * What a reset does to a format.  Ids after the clock at the first id after it
 * up to last_ms can be generated again; none if last_ms is 0.
 */
typedef struct FlakeidReset
{
	bool		refused;		/* the horizon is, until the reset */
	bool		at_once;		/* no restart is needed */
	uint64		last_ms;
	uint64		now_ms;			/* the clock at the call */
} FlakeidReset;

/* What flakeid_status() shows of a horizon. */
typedef struct FlakeidHorizonStatus
{
	uint64		horizon_ms;
	bool		has_floor;		/* false during recovery */
	uint64		floor_ms;		/* of the next process that attaches */
	const char *state;
} FlakeidHorizonStatus;

extern FlakeidHorizon flakeid_horizons[FLAKE_FORMATS];

/* Lead of the next raise by this process */
static inline uint64
flakeid_horizon_lead_ms(FlakeFormat format)
{
	return Max(flakeid_horizons[format].lead_ms,
			   flake_lead_ms(&flake_layouts[format]));
}

extern void flakeid_horizon_attach(FlakeFormat format);
extern void flakeid_horizon_allow(FlakeFormat format, uint64 ms);
extern void flakeid_horizon_raise_early(FlakeFormat format, uint64 ms);
extern void flakeid_horizon_forget(FlakeFormat format);
extern void flakeid_horizon_check_floor(FlakeFormat format, uint64 floor_ms);
extern void flakeid_horizon_raise_floor(FlakeFormat format, uint64 floor_ms);
extern void flakeid_horizon_plan_reset(FlakeFormat format,
									   FlakeidReset *reset);
extern void flakeid_horizon_reset(FlakeFormat format,
								  const FlakeidReset *reset);
extern uint64 flakeid_horizon_cancel_reset(FlakeFormat format);
extern void flakeid_horizon_status(FlakeFormat format,
								   FlakeidHorizonStatus *status);

#endif							/* FLAKEID_PG_HORIZON_H */
