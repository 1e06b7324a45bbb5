/*
 * encoding.h
 *		Convert between UTF-8, used by src/format, and the database encoding.
 */
#ifndef FLAKEID_PG_ENCODING_H
#define FLAKEID_PG_ENCODING_H

#include "mb/pg_wchar.h"

#include "format/text.h"

/* Prefix of a FLUID in base 58, in the database encoding. */
typedef struct FlakeidPrefix
{
	int			length;			/* in bytes; 0: not determined yet */
	char		bytes[MAX_MULTIBYTE_CHAR_LEN];
} FlakeidPrefix;

extern const FlakeidPrefix *flakeid_f58_prefix(void);
extern void flakeid_check_emoji(void);
extern bool flakeid_text_is(const text *given, const char *name);
extern const char *flakeid_text_to_utf8(const text *input, size_t *length);
extern char *flakeid_quote(const char *bytes, size_t length);
extern char *flakeid_quote_fault(const text *input, const char *utf8,
								 const FlakeFault *fault, int *position);

#endif							/* FLAKEID_PG_ENCODING_H */
