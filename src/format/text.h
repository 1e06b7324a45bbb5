/*
 * text.h
 *		Text forms of ids: encode and decode.  The pages of doc/reference have
 *		the forms, with examples; doc/internals/formats.md, sections 2 to 5
 *		and 9, has the encodings.
 *
 * Text is UTF-8 with a length and no terminator; invalid UTF-8 is safe.
 * Decoders must read the whole text, and report its first fault.  The decoders
 * of 64-bit formats skip white space at both ends.
 */
#ifndef FLAKEID_FORMAT_TEXT_H
#define FLAKEID_FORMAT_TEXT_H

#include "format/base.h"
#include "format/uuid.h"

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
	size_t		size = 2;

	if (length == 0)
		return 0;
	if (bytes[0] < 0xc2 || bytes[0] > 0xf4)
		return 1;
	if (bytes[0] >= 0xe0)
		size++;
	if (bytes[0] >= 0xf0)
		size++;
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

/* Space, tab, newline, vertical tab, form feed, carriage return. */
static inline bool
flake_is_white(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/*
 * Skip white space at both ends.  Returns the offset of the rest and sets
 * *length to its length.  If nothing remains, the offset is the end of the
 * text, where errors are located.
 */
static inline size_t
flake_skip_white(const char *text, size_t *length)
{
	size_t		first = 0;
	size_t		end = *length;

	while (first < end && flake_is_white(text[first]))
		first++;
	while (end > first && flake_is_white(text[end - 1]))
		end--;
	*length = end - first;
	return first;
}

typedef enum FlakeForm
{
	FLAKE_FORM_F58,				/* this and the next six: FLUID */
	FLAKE_FORM_HEX,
	FLAKE_FORM_DOTHEX,
	FLAKE_FORM_KVS,
	FLAKE_FORM_WORDS,
	FLAKE_FORM_EMOJI,
	FLAKE_FORM_DECIMAL,
	FLAKE_FORM_BASE36,			/* Nanoflake */
	FLAKE_FORM_BASE32,			/* Ulid-Flake */
} FlakeForm;

#define FLAKE_FORMS (FLAKE_FORM_BASE32 + 1)

/* U+0192: RFC 19 writes it instead of "f" if the encoding has it */
#define FLAKE_F_HOOK	"\xc6\x92"

/*
 * U+0192 in Windows' code pages; no character of UTF-8 begins with this byte
 */
#define FLAKE_F_HOOK_WIN	"\x83"

/* Prefix of the kvs form of a FLUID. */
#define FLAKE_KVS_PREFIX	"job."

/* Size of the longest text, six words, and a byte that encoding may use. */
#define FLAKE_TEXT_SIZE 49

/* Radixes of a Nanoflake, and size of its longest text, in base 2. */
#define FLAKE_MIN_RADIX	2
#define FLAKE_MAX_RADIX	36
#define FLAKE_NANOFLAKE_TEXT_SIZE	63

static flake_always_inline bool
flake_begins_with(const char *text, size_t length, const char *prefix)
{
	return length >= strlen(prefix) &&
		memcmp(text, prefix, strlen(prefix)) == 0;
}

extern size_t flake_text_encode(FlakeForm form, uint64_t id, char *out);
extern FlakeStatus flake_text_decode(FlakeForm form, const char *text,
									 size_t length, uint64_t *id,
									 FlakeFault *fault);
extern size_t flake_nanoflake_encode(unsigned radix, uint64_t id, char *out);
extern FlakeStatus flake_nanoflake_decode(unsigned radix, const char *text,
										  size_t length, uint64_t *id,
										  FlakeFault *fault);
extern FlakeStatus flake_fluid_decode(const char *text, size_t length,
									  FlakeForm *form, uint64_t *id,
									  FlakeFault *fault);

typedef enum FlakeUuidForm
{
	FLAKE_UUID_BASE32,
	FLAKE_UUID_BASE32HEX,
	FLAKE_UUID_BASE58,
} FlakeUuidForm;

#define FLAKE_UUID_FORMS (FLAKE_UUID_BASE58 + 1)

/* Size of the longest text. */
#define FLAKE_UUID_TEXT_SIZE	26

extern size_t flake_uuid_encode(FlakeUuidForm form, FlakeUuid uuid, char *out);
extern FlakeStatus flake_uuid_decode(FlakeUuidForm form, const char *text,
									 size_t length, FlakeUuid *uuid,
									 FlakeFault *fault);

extern void flake_scru160_encode_base32hex(const unsigned char *bytes,
										   char *digits);
extern void flake_scru160_encode_hex(const unsigned char *bytes, char *digits);
extern FlakeStatus flake_scru160_decode(const char *text, size_t length,
										unsigned char *bytes,
										size_t *bad_offset);

#endif							/* FLAKEID_FORMAT_TEXT_H */
