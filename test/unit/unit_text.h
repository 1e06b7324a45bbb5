/*
 * unit_text.h
 *		Shared by the tests of text forms.
 */
#ifndef FLAKEID_TEST_UNIT_TEXT_H
#define FLAKEID_TEST_UNIT_TEXT_H

#include <stdlib.h>
#include <string.h>

#include "format/flake_text.h"
#include "unit.h"

/*
 * Decode a copy that ends with the text, so that ASan detects reads past its
 * end.
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

/* The same for the detecting parser, which sets *form. */
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
