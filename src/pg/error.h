/*
 * error.h
 *		What the pure code refused, as PostgreSQL reports it.
 */
#ifndef FLAKEID_PG_ERROR_H
#define FLAKEID_PG_ERROR_H

#include "datatype/timestamp.h"
#include "utils/uuid.h"

#include "format/instant.h"
#include "format/status.h"
#include "format/uuid.h"

extern void flakeid_check_instant(FlakeStatus status, const char *format,
								  const FlakeTimeField *field,
								  TimestampTz ts);
extern void flakeid_check_clock(FlakeRule rule, const char *format,
								const FlakeTimeField *field,
								FlakeInstant now);
extern void flakeid_check_version(FlakeStatus status, const char *format,
								  const pg_uuid_t *uuid);

#endif							/* FLAKEID_PG_ERROR_H */
