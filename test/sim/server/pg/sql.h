/*
 * sql.h
 *		Replaces src/pg/sql.h: the declarations that the simulated files use.
 */
#ifndef SIM_PG_SQL_H
#define SIM_PG_SQL_H

#include "format/flake.h"

extern char *flakeid_epoch_text(int64 unix_ms);
extern void flakeid_check_range(FlakeStatus status, const FlakeLayout *layout,
								const FlakeAddress *address);

#endif							/* SIM_PG_SQL_H */
