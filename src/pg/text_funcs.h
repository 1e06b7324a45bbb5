/*
 * text_funcs.h
 *		Texts in the database encoding: names, and quotes for messages.
 */
#ifndef FLAKEID_PG_TEXT_FUNCS_H
#define FLAKEID_PG_TEXT_FUNCS_H

#include "mb/pg_wchar.h"

#include "format/text.h"

/* Is the text this name, in ASCII? */
static inline bool
flakeid_text_is(const text *given, const char *name)
{
	return VARSIZE_ANY_EXHDR(given) == strlen(name) &&
		memcmp(VARDATA_ANY(given), name, strlen(name)) == 0;
}

extern char *flakeid_quote(const char *bytes, size_t length);
extern char *flakeid_quote_text(const text *input);
pg_noreturn extern void flakeid_refuse_form(const text *form,
											const char *hint);

#endif							/* FLAKEID_PG_TEXT_FUNCS_H */
