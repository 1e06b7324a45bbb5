/*
 * explain.h
 *		What each bit of an id means: one row per field.
 *
 * An id is its bytes, most significant first.  Which rows it has depends on
 * the format, and of a UUID on version and variant; the tables are in
 * explain.c.  A field that holds a time says of which kind, so that one
 * function reads them all.
 */
#ifndef FLAKEID_FORMAT_EXPLAIN_H
#define FLAKEID_FORMAT_EXPLAIN_H

#include "format/flake.h"
#include "format/uuid.h"

/* Which clock a field is read by, if it is a time. */
typedef enum FlakeExplainTime
{
	FLAKE_TIME_NONE,
	FLAKE_TIME_UUID,			/* v1, v6, v7 */
	FLAKE_TIME_V7_DRAFT,
	FLAKE_TIME_V8_32,
	FLAKE_TIME_V8_48,
	FLAKE_TIME_V8_60,
	FLAKE_TIME_V8_64,
	FLAKE_TIME_EPOCH_MS,		/* ms since the format's epoch */
	FLAKE_TIME_UNIX_MS,
	FLAKE_TIME_UNIX_US			/* of a SCRU160 with microseconds */
} FlakeExplainTime;

typedef struct FlakeExplainRow
{
	const char *field;
	unsigned	first_bit;
	unsigned	bits;
	bool		hex;			/* rather than as a decimal number */
	FlakeExplainTime time;
	const char *meaning;
} FlakeExplainRow;

/* Rows of a table that ends with a field NULL. */
extern const FlakeExplainRow *flake_explain_uuid(FlakeUuid uuid);
extern const FlakeExplainRow flake_explain_ulidflake[];
extern const FlakeExplainRow flake_explain_ulidflake_scalable[];
extern const FlakeExplainRow flake_explain_scru160[];

#define FLAKE_EXPLAIN_LAYOUT_ROWS	5
extern void flake_explain_layout(const FlakeLayout *layout,
								 FlakeExplainRow rows[FLAKE_EXPLAIN_LAYOUT_ROWS]);

extern uint64_t flake_explain_value(const unsigned char *bytes,
									unsigned first_bit, unsigned bits);
extern int64_t flake_explain_uuid_unix_us(FlakeExplainTime time,
										  FlakeUuid uuid);

#endif							/* FLAKEID_FORMAT_EXPLAIN_H */
