/*
 * generator.h
 *		A 64-bit generator: what this process knows of a format.
 */
#ifndef FLAKEID_PG_GENERATOR_H
#define FLAKEID_PG_GENERATOR_H

#include "access/xlogdefs.h"

#include "format/flake_horizon.h"
#include "pg/state.h"

/* The horizon of this database, in ms of ids. */
typedef struct FlakeidKnownHorizon
{
	Oid			sequence;		/* InvalidOid: to be looked up */
	uint64		allowed_ms;		/* flushed: ids may use it */
	uint64		seen_ms;		/* on the page, flushed or not, ... */
	XLogRecPtr	seen_lsn;		/* ... up to here in the WAL */
	uint64		lead_ms;		/* after a slow flush; 0: that of the format */
} FlakeidKnownHorizon;

typedef struct FlakeidGenerator
{
	FlakeFormat format;
	const FlakeLayout *layout;
	int64		epoch_ms;		/* in effect */
	FlakeidFormatState *shared; /* in the shared memory, if attached to it */
	FlakeidKnownHorizon horizon;
	bool		attached;		/* else attach before the next id */
	FlakeShare share;
	FlakeIncrement increment;	/* of a format that counts by one */
	pg_atomic_uint64 *word;		/* server scope: the newest id of all
								 * processes; NULL in backend scope */
	pg_atomic_uint64 *mark_ms;	/* backend scope: mark of this slot */
	FlakePosition position;		/* backend scope: the newest id of this
								 * process; millisecond 0, in which there are
								 * no ids: none yet */
	FlakeClockHistory history;
	uint64		steps_counted;	/* part of history.steps_back already counted
								 * for the server */
} FlakeidGenerator;

/* For flakeid_generator(), and for the inlined path. */
extern FlakeidGenerator flakeid_generators[FLAKE_FORMATS];

/* Lead of the next raise by this process */
static inline uint64
flakeid_lead_ms(const FlakeidGenerator *generator)
{
	return Max(generator->horizon.lead_ms, flake_lead_ms(generator->layout));
}

extern FlakeidGenerator *flakeid_generator(FlakeFormat format);
extern void flakeid_generator_forget(FlakeidGenerator *generator);
extern uint64 flakeid_newest_ms(const FlakeidGenerator *generator);

#endif							/* FLAKEID_PG_GENERATOR_H */
