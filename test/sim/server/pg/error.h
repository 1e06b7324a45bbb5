/*
 * error.h
 *		Replaces src/pg/error.h: the only check that generate.c makes.
 */
#ifndef SIM_PG_ERROR_H
#define SIM_PG_ERROR_H

#include "format/flake.h"

extern void flakeid_check_range(FlakeStatus status, const FlakeLayout *layout,
								const FlakeAddress *address);

#endif							/* SIM_PG_ERROR_H */
