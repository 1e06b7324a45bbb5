/*
 * sql.h
 *		Replaces src/pg/sql.h: the declarations that the simulated files use.
 */
#ifndef SIM_PG_SQL_H
#define SIM_PG_SQL_H

#include "format/flake.h"

#define flakeid_instant_from_timestamptz(ts) \
	flake_instant_from_unix_us((ts) + FLAKEID_PG_EPOCH_UNIX_US)

#define flakeid_form_row(desc, types, columns, values, nulls)	((HeapTuple) (types))

extern char *flakeid_epoch_text(int64 unix_ms);
extern void flakeid_check_ms(FlakeStatus status, const FlakeLayout *layout,
							 int64 epoch_ms, uint64 last_ms, TimestampTz ts);

#endif							/* SIM_PG_SQL_H */
