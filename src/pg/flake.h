/*
 * flake.h
 *		Code shared by the SQL functions of the 64-bit formats.
 *
 * The formats differ only in a row of constants, so these functions take the
 * format as an argument.
 */
#ifndef FLAKEID_PG_FLAKE_H
#define FLAKEID_PG_FLAKE_H

#include "fmgr.h"

#include "datatype/timestamp.h"

#include "format/explain.h"

extern int64 flakeid_reader_epoch_ms(FlakeFormat format);
extern int64 flakeid_epoch_argument_ms(TimestampTz epoch);

extern Datum flakeid_flake_to_timestamptz(FlakeFormat format, int64 id,
										  int64 epoch_ms);
extern Datum flakeid_flake_min(FlakeFormat format, TimestampTz ts,
							   int64 epoch_ms);
extern uint64 flakeid_getarg_ms(FunctionCallInfo fcinfo, FlakeFormat format);
extern uint64 flakeid_flake_ms(FlakeFormat format, TimestampTz ts,
							   int64 epoch_ms);
extern Datum flakeid_explain_flake(FunctionCallInfo fcinfo, FlakeFormat format,
								   int64 epoch_ms);

#endif							/* FLAKEID_PG_FLAKE_H */
