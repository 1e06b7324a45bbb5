/*
 * explain.h
 *		The meaning of each bit of an id: one row per field.
 *
 * The bits of an id are numbered from the most significant bit on.  The rows
 * depend on the format, and for a UUID on version and variant.  A row names
 * the kind of time that its field holds, so that one function can read all of
 * them.
 */
#ifndef FLAKEID_FORMAT_EXPLAIN_H
#define FLAKEID_FORMAT_EXPLAIN_H

#include "format/flake.h"
#include "format/uuid.h"

/* Kind of time in a field. */
typedef enum FlakeExplainTime
{
	FLAKE_TIME_NONE,
	FLAKE_TIME_UUID,			/* v1, v6, v7 */
	FLAKE_TIME_V7_DRAFT,
	FLAKE_TIME_V8_32,
	FLAKE_TIME_V8_48,
	FLAKE_TIME_V8_60,
	FLAKE_TIME_V8_64,
	FLAKE_TIME_MS,				/* since the epoch */
	FLAKE_TIME_SCRU160_US		/* ms, and the microsecond in this field */
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

/* Tables of rows; the last row has a NULL field. */
extern const FlakeExplainRow *flake_explain_uuid(FlakeUuid uuid);
extern const FlakeExplainRow *flake_explain_draft(FlakeUuid uuid);
extern const FlakeExplainRow flake_explain_ulidflake[];
extern const FlakeExplainRow flake_explain_scru160[];

#define FLAKE_EXPLAIN_LAYOUT_ROWS	5
extern void flake_explain_layout(const FlakeLayout *layout,
								 FlakeExplainRow *rows);

extern uint64_t flake_explain_value(const unsigned char *bytes,
									unsigned first_bit, unsigned bits);
extern bool flake_explain_unix_us(const FlakeExplainRow *row,
								  const unsigned char *bytes, int64_t epoch_ms,
								  int64_t *unix_us);

#endif							/* FLAKEID_FORMAT_EXPLAIN_H */
