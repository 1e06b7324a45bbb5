/*
 * error.h
 *		Report refusals of the pure code as PostgreSQL errors.
 */
#ifndef FLAKEID_PG_ERROR_H
#define FLAKEID_PG_ERROR_H

#include "datatype/timestamp.h"
#include "nodes/nodes.h"
#include "utils/uuid.h"

#include "format/base.h"
#include "format/flake.h"
#include "format/scru160.h"
#include "format/text.h"
#include "format/uuid.h"

pg_noreturn extern void flakeid_raise(FlakeStatus status, const char *input,
									  const char *format,
									  const char *detail,
									  const char *hint);
extern void flakeid_check_instant(FlakeStatus status, const char *format,
								  const FlakeTimeField *field,
								  TimestampTz ts);
extern void flakeid_check_version(FlakeStatus status, const char *format,
								  const pg_uuid_t *uuid);
extern void flakeid_check_id(const FlakeLayout *layout, int64 id);
extern void flakeid_check_ms(FlakeStatus status, const FlakeLayout *layout,
							 int64 epoch_ms, uint64 last_ms, TimestampTz ts);
extern void flakeid_check_field(FlakeStatus status, const char *what,
								int32 value, unsigned width);
extern uint64 flakeid_check_timestamp(int64 timestamp, uint64 last);
extern void flakeid_check_bytes(const bytea *value, const char *what,
								unsigned width);
extern void flakeid_check_range(FlakeStatus status, const FlakeLayout *layout,
								const FlakeAddress *address);
pg_noreturn extern void flakeid_refuse_uuid_text(FlakeStatus status,
												 FlakeUuidForm form,
												 const text *input,
												 const char *utf8,
												 const FlakeFault *fault);
extern bool flakeid_save_scru160_syntax(Node *escontext, FlakeStatus status,
										const char *text, size_t length,
										size_t first, size_t digits,
										size_t bad_offset);
extern void flakeid_check_scru160_us(FlakeStatus status, FlakeScru160 id);
pg_noreturn extern void flakeid_refuse_clock(FlakeRule rule,
											 const char *format,
											 const FlakeTimeField *field,
											 FlakeInstant now);

/* Raise unless the step generated an id.  Called for every id. */
static inline void
flakeid_check_clock(FlakeRule rule, const char *format,
					const FlakeTimeField *field, FlakeInstant now)
{
	if (unlikely(rule == FLAKE_RULE_BEFORE_FIELD ||
				 rule == FLAKE_RULE_BEYOND_FIELD))
		flakeid_refuse_clock(rule, format, field, now);
}

pg_noreturn extern void flakeid_refuse_form(const text *form, const char *hint);
pg_noreturn extern void flakeid_refuse_radix_text(FlakeStatus status,
												  unsigned radix,
												  const text *input,
												  const char *utf8,
												  const FlakeFault *fault);
pg_noreturn extern void flakeid_refuse_text(FlakeStatus status, FlakeForm form,
											const text *input, const char *utf8,
											const FlakeFault *fault);

/* Raise unless the text was decoded. */
static inline void
flakeid_check_text(FlakeStatus status, FlakeForm form, const text *input,
				   const char *utf8, const FlakeFault *fault)
{
	if (unlikely(status != FLAKE_OK))
		flakeid_refuse_text(status, form, input, utf8, fault);
}

#endif							/* FLAKEID_PG_ERROR_H */
