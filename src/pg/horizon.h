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

#include "pg/generator.h"

extern void flakeid_horizon_fold(FlakeidGenerator *generator);
extern void flakeid_horizon_allow(FlakeidGenerator *generator, uint64 ms);
extern void flakeid_horizon_raise_early(FlakeidGenerator *generator, uint64 ms);

#endif							/* FLAKEID_PG_HORIZON_H */
