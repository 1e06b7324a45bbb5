/*
 * fuzz_scru160.c
 *		libFuzzer target for the input of scru160: accepted text is written
 *		again except for its case, rejected text is bad at the reported place,
 *		which is the first character that is not a digit, whatever the length.
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

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	unsigned char bytes[FLAKE_SCRU160_BYTES];
	char		text[FLAKE_SCRU160_HEX_DIGITS];
	bool		hex = size == FLAKE_SCRU160_HEX_DIGITS;
	size_t		good = good_digits(data, size, hex ? 'F' : 'V');
	size_t		bad_offset = size;

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
