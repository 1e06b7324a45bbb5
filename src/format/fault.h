/*
 * fault.h
 *		Where a text is at fault, for decoders and their error messages.
 */
#ifndef FLAKEID_FORMAT_FAULT_H
#define FLAKEID_FORMAT_FAULT_H

#include <stddef.h>

#include "format/status.h"

/* Where in a text the first fault lies: a character, a word, or its end. */
typedef struct FlakeFault
{
	size_t		offset;			/* in bytes */
	size_t		length;			/* in bytes; 0 at the end of the text */
} FlakeFault;

/*
 * Bytes of the character that text begins with: 0 at its end, and 1 when it
 * is not UTF-8.
 */
static inline size_t
flake_utf8_length(const char *text, size_t length)
{
	const unsigned char *bytes = (const unsigned char *) text;
	size_t		size;

	if (length == 0)
		return 0;
	if (bytes[0] < 0xc2 || bytes[0] > 0xf4)
		return 1;
	size = bytes[0] < 0xe0 ? 2 : bytes[0] < 0xf0 ? 3 : 4;
	if (size > length)
		return 1;
	for (size_t i = 1; i < size; i++)
		if ((bytes[i] & 0xc0) != 0x80)
			return 1;
	return size;
}

/* Fill in the character at the offset and pass the status on. */
static inline FlakeStatus
flake_fault_at(FlakeStatus status, const char *text, size_t length,
			   size_t offset, FlakeFault *fault)
{
	fault->offset = offset;
	fault->length = flake_utf8_length(text + offset, length - offset);
	return status;
}

#endif							/* FLAKEID_FORMAT_FAULT_H */
