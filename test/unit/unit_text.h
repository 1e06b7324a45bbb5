/*
 * unit_text.h
 *		What the tests of text forms share.
 */
#ifndef FLAKEID_TEST_UNIT_TEXT_H
#define FLAKEID_TEST_UNIT_TEXT_H

#include <stdlib.h>
#include <string.h>

#include "format/flake_text.h"
#include "unit.h"

/*
 * Decode a copy without a byte more than the text, so that ASan sees what is
 * read past its end.
 */
static inline FlakeStatus
decode(FlakeForm form, const char *text, size_t length, uint64_t *id,
	   FlakeFault *fault)
{
	char	   *copy = malloc(length > 0 ? length : 1);
	FlakeStatus status;

	memcpy(copy, text, length);
	status = flake_text_decode(form, copy, length, id, fault);
	free(copy);
	return status;
}

/* The same with the form that is detected, which goes to *form. */
static inline FlakeStatus
decode_detected(const char *text, size_t length, uint64_t *id,
				FlakeForm *form, FlakeFault *fault)
{
	char	   *copy = malloc(length > 0 ? length : 1);
	FlakeStatus status;

	memcpy(copy, text, length);
	status = flake_fluid_decode(copy, length, form, id, fault);
	free(copy);
	return status;
}

#endif							/* FLAKEID_TEST_UNIT_TEXT_H */
