/*
 * error.h
 *		Errors that several SQL functions report.
 */
#ifndef FLAKEID_PG_ERROR_H
#define FLAKEID_PG_ERROR_H

#include "datatype/timestamp.h"
#include "fmgr.h"
#include "utils/uuid.h"

#include "format/base.h"
#include "format/flake.h"
#include "format/uuid.h"

extern void flakeid_check_instant(FlakeStatus status, const char *format,
								  const FlakeTimeField *field,
								  TimestampTz ts);
extern void flakeid_check_ms(FlakeStatus status, const FlakeLayout *layout,
							 int64 epoch_ms, uint64 last_ms, TimestampTz ts);
extern void flakeid_check_version(FlakeStatus status, const char *format,
								  const pg_uuid_t *uuid);
extern uint64 flakeid_check_id(FlakeFormat format, int64 id);
extern uint64 flakeid_check_field(int64 value, const char *what, uint64 last);
extern void flakeid_check_bytes(const bytea *value, const char *what,
								unsigned width);
extern void flakeid_check_range(FlakeStatus status, const FlakeLayout *layout,
								const FlakeAddress *address);
extern int64 flakeid_getarg_epoch_ms(FunctionCallInfo fcinfo,
									 FlakeFormat format);
pg_noreturn extern void flakeid_refuse_clock(const char *format,
											 const FlakeTimeField *field,
											 FlakeInstant now);

/* The step must have generated an id.  Called for every id. */
static inline void
flakeid_check_clock(FlakeRule rule, const char *format,
					const FlakeTimeField *field, FlakeInstant now)
{
	if (unlikely(rule == FLAKE_RULE_BEFORE_FIELD ||
				 rule == FLAKE_RULE_BEYOND_FIELD))
		flakeid_refuse_clock(format, field, now);
}

#endif							/* FLAKEID_PG_ERROR_H */
