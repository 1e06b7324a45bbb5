/*
 * horizon.h
 *		The horizons of this database, which survive in the WAL
 *		(doc/internals/design.md, section 5).
 */
#ifndef FLAKEID_PG_HORIZON_H
#define FLAKEID_PG_HORIZON_H

#include "pg/generator.h"

extern void flakeid_horizon_fold(FlakeidGenerator *generator);
extern void flakeid_horizon_allow(FlakeidGenerator *generator, uint64 ms);
extern void flakeid_horizon_raise_early(FlakeidGenerator *generator,
										uint64 ms);

#endif							/* FLAKEID_PG_HORIZON_H */
