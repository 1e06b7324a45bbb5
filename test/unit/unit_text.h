/*
 * unit_text.h
 *		Shared by the tests of text forms.
 */
#ifndef FLAKEID_TEST_UNIT_TEXT_H
#define FLAKEID_TEST_UNIT_TEXT_H

#include <stdlib.h>
#include <string.h>

#include "format/text.h"
#include "unit.h"

/* Decode a copy of the text, see unit_copy(). */
static inline FlakeStatus
decode(FlakeForm form, const char *text, size_t length, uint64_t *id,
	   FlakeFault *fault)
{
	char	   *copy = unit_copy(text, length);
	FlakeStatus status;

	status = flake_text_decode(form, copy, length, id, fault);
	free(copy);
	return status;
}

#endif							/* FLAKEID_TEST_UNIT_TEXT_H */
