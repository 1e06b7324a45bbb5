/*
 * fault.h
 *		Position of the first fault in a text, for decoders and error messages.
 */
#ifndef FLAKEID_FORMAT_FAULT_H
#define FLAKEID_FORMAT_FAULT_H

#include <stddef.h>

#include "format/status.h"

/* The first fault of a text: a character, a word, or its end. */
typedef struct FlakeFault
{
	size_t		offset;			/* in bytes */
	size_t		length;			/* in bytes; 0 at the end of the text */
} FlakeFault;

/*
 * Byte length of the first character: 0 at the end of the text, and 1 if it is
 * not valid UTF-8.
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

/* Set *fault to the character at the offset, and return the status. */
static inline FlakeStatus
flake_fault_at(FlakeStatus status, const char *text, size_t length,
			   size_t offset, FlakeFault *fault)
{
	fault->offset = offset;
	fault->length = flake_utf8_length(text + offset, length - offset);
	return status;
}

#endif							/* FLAKEID_FORMAT_FAULT_H */
