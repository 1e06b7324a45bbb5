/*
 * scru160_text.c
 *		SCRU160 as text: base32hex of RFC 4648 and hex.
 *
 * In both forms eight digits of n bits encode n bytes, most significant first,
 * so one codec serves both.  Both alphabets are 0-9 followed by letters from A
 * on; they differ in the case written and in the last letter.
 */
#include "format/scru160.h"
#include "format/text.h"

#define GROUP_DIGITS	8

/* Value of a digit plus one; 0 for other characters. */
static const unsigned char value_plus_1[256] = {
	['0'] = 1, ['1'] = 2, ['2'] = 3, ['3'] = 4, ['4'] = 5, ['5'] = 6,
	['6'] = 7, ['7'] = 8, ['8'] = 9, ['9'] = 10,
	['A'] = 11, ['B'] = 12, ['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16,
	['G'] = 17, ['H'] = 18, ['I'] = 19, ['J'] = 20, ['K'] = 21, ['L'] = 22,
	['M'] = 23, ['N'] = 24, ['O'] = 25, ['P'] = 26, ['Q'] = 27, ['R'] = 28,
	['S'] = 29, ['T'] = 30, ['U'] = 31, ['V'] = 32,
	['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16,
	['g'] = 17, ['h'] = 18, ['i'] = 19, ['j'] = 20, ['k'] = 21, ['l'] = 22,
	['m'] = 23, ['n'] = 24, ['o'] = 25, ['p'] = 26, ['q'] = 27, ['r'] = 28,
	['s'] = 29, ['t'] = 30, ['u'] = 31, ['v'] = 32,
};

/* The four or five bytes of a group as a number. */
static inline uint64_t
load_group(const unsigned char *bytes, unsigned bits)
{
	uint64_t	low = flake_load_be32(bytes + bits - 4);

	return bits == 5 ? (uint64_t) bytes[0] << 32 | low : low;
}

static inline void
store_group(unsigned char *bytes, unsigned bits, uint64_t group)
{
	bytes[0] = (unsigned char) (group >> 32);
	flake_store_be32(bytes + bits - 4, (uint32_t) group);
}

static inline void
encode(const unsigned char *bytes, unsigned bits, const char *alphabet,
	   char *digits)
{
	for (unsigned at = 0; at < FLAKE_SCRU160_BYTES; at += bits)
	{
		uint64_t	group = load_group(bytes + at, bits);

		for (unsigned left = GROUP_DIGITS; left-- > 0;)
			*digits++ = alphabet[group >> left * bits & flake_mask(bits)];
	}
}

/* 32 digits, upper case; no terminator. */
void
flake_scru160_encode_base32hex(const unsigned char *bytes, char *digits)
{
	encode(bytes, 5, "0123456789ABCDEFGHIJKLMNOPQRSTUV", digits);
}

/* 40 digits, lower case; no terminator. */
void
flake_scru160_encode_hex(const unsigned char *bytes, char *digits)
{
	encode(bytes, 4, "0123456789abcdef", digits);
}

/*
 * Value of two, four, eight digits.  seen ORs the values; a character that
 * is no digit (0 - 1) sets its high bits.
 */
static inline uint64_t
value_2(const char *text, unsigned bits, unsigned *seen)
{
	unsigned	first = value_plus_1[(unsigned char) text[0]] - 1u;
	unsigned	second = value_plus_1[(unsigned char) text[1]] - 1u;

	*seen |= first | second;
	return (uint64_t) first << bits | second;
}

static inline uint64_t
value_4(const char *text, unsigned bits, unsigned *seen)
{
	return value_2(text, bits, seen) << 2 * bits |
		value_2(text + 2, bits, seen);
}

static inline uint64_t
value_8(const char *text, unsigned bits, unsigned *seen)
{
	return value_4(text, bits, seen) << 4 * bits |
		value_4(text + 4, bits, seen);
}

/* False if a character is not a digit of this many bits. */
static inline bool
decode(const char *text, unsigned bits, unsigned char *bytes)
{
	unsigned	seen = 0;

	for (unsigned at = 0; at < FLAKE_SCRU160_BYTES; at += bits)
	{
		store_group(bytes + at, bits, value_8(text, bits, &seen));
		text += GROUP_DIGITS;
	}
	return seen >> bits == 0;
}

/* Offset of the first character that is not a digit, or length. */
static size_t
first_bad(const char *text, size_t length, unsigned bits)
{
	size_t		offset = 0;

	while (offset < length &&
		   value_plus_1[(unsigned char) text[offset]] - 1u < 1u << bits)
		offset++;
	return offset;
}

/*
 * Decode 32 characters of base32hex or 40 of hex, in any case.  BAD_CHARACTER:
 * a character is not a digit; *bad_offset is the first one.  BAD_LENGTH: all
 * are digits, but their number is wrong.  Only a text of 40 bytes is read as
 * hex.  After a failure bytes is undefined.
 */
FlakeStatus
flake_scru160_decode(const char *text, size_t length, unsigned char *bytes,
					 size_t *bad_offset)
{
	unsigned	bits = length == FLAKE_SCRU160_HEX_DIGITS ? 4 : 5;

	if (bits == 4 ? decode(text, 4, bytes) :
		length == FLAKE_SCRU160_BASE32HEX_DIGITS && decode(text, 5, bytes))
		return FLAKE_OK;
	*bad_offset = first_bad(text, length, bits);
	return *bad_offset < length ? FLAKE_BAD_CHARACTER : FLAKE_BAD_LENGTH;
}
