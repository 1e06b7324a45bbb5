/*
 * fuzz_scru160.c
 *		libFuzzer target for the input of scru160: accepted text is written
 *		again except for its case, rejected text is bad at the reported place,
 *		which is the first character that is not a digit, whatever the length.
 *		With -DTRIMMED, white space at both ends is skipped first, as in
 *		scru160_from_text().
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "format/scru160.h"
#include "format/text.h"

extern int	LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static unsigned char
upper(unsigned char c)
{
	return c >= 'a' && c <= 'z' ? c ^ 0x20 : c;
}

/* From the definition, without the decoder's table. */
static size_t
good_digits(const unsigned char *text, size_t size, unsigned char last)
{
	size_t		n = 0;

	while (n < size && ((text[n] >= '0' && text[n] <= '9') ||
						(upper(text[n]) >= 'A' && upper(text[n]) <= last)))
		n++;
	return n;
}

#ifdef TRIMMED
/* Also from the definition. */
static const unsigned char *
trim(const unsigned char *data, size_t *size)
{
	size_t		length = *size;
	size_t		first = flake_skip_white((const char *) data, &length);
	size_t		skipped = 0;

	while (*size > 0 && memchr(" \t\n\v\f\r", *data, 6) != NULL)
	{
		data++;
		skipped++;
		--*size;
	}
	while (*size > 0 && memchr(" \t\n\v\f\r", data[*size - 1], 6) != NULL)
		--*size;
	if (first != skipped || length != *size)
		abort();
	return data;
}
#endif

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	unsigned char bytes[FLAKE_SCRU160_BYTES];
	char		text[FLAKE_SCRU160_HEX_DIGITS];
	bool		hex;
	size_t		good;
	size_t		bad_offset;

#ifdef TRIMMED
	data = trim(data, &size);
#endif
	hex = size == FLAKE_SCRU160_HEX_DIGITS;
	good = good_digits(data, size, hex ? 'F' : 'V');
	bad_offset = size;
	switch (flake_scru160_decode((const char *) data, size, bytes,
								 &bad_offset))
	{
		case FLAKE_OK:
			if (hex)
				flake_scru160_encode_hex(bytes, text);
			else
				flake_scru160_encode_base32hex(bytes, text);
			for (size_t i = 0; i < size; i++)
				if (upper((unsigned char) text[i]) != upper(data[i]))
					abort();
			if (good != size)
				abort();
			break;
		case FLAKE_BAD_CHARACTER:
			if (bad_offset != good || good == size)
				abort();
			break;
		default:
			if (good != size || hex || size == FLAKE_SCRU160_BASE32HEX_DIGITS)
				abort();
	}
	return 0;
}
