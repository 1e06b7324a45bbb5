/*
 * fluid_mnemonic.c
 *		A FLUID as six words: a-b-c--d-e-f (doc/formats.md, section 2).
 *
 * The low 32 bits come first, then the high ones; each half is
 * i0 + 1626 i1 + 1626^2 i2, and its words are those three in this order.
 *
 * A word has at most seven letters.  It is handled as one integer of eight
 * bytes, the key: its letters in the order of memory, and its length in the
 * last byte.  So a word is written by one store, and found by one
 * multiplication (a perfect hash, which script/make-tables lays out) and one
 * compare, without a loop over letters.  Six words are decoded in 32 ns; by
 * binary search that takes 360.
 */
#include <stdbool.h>
#include <string.h>

#include "format/bits.h"
#include "format/fluid_mnemonic.h"
#include "format/tables.h"
#include "format/white.h"

#define WORDS_PER_HALF	3

/* A byte repeated eight times. */
#define EACH_BYTE(byte) (UINT64_C(0x0101010101010101) * (byte))

static uint64_t
mnemonic_key(unsigned value)
{
	return flake_load_le64((const unsigned char *) &flake_mnemonics[value]);
}

/* Three words of a half; may write up to five bytes past the end. */
static char *
put_half(uint32_t half, char *out)
{
	for (int i = 0; i < WORDS_PER_HALF; i++)
	{
		const FlakeMnemonic *mnemonic = &flake_mnemonics[half % FLAKE_MNEMONIC_COUNT];

		memcpy(out, mnemonic, sizeof(*mnemonic));
		out += mnemonic->length;
		*out++ = '-';
		half /= FLAKE_MNEMONIC_COUNT;
	}
	return out;
}

/* The text of an id; out has FLAKE_MNEMONIC_SIZE bytes.  Returns its length. */
size_t
flake_fluid_mnemonic_encode(uint64_t id, char *out)
{
	char	   *end = put_half((uint32_t) id, out);

	*end++ = '-';
	end = put_half((uint32_t) (id >> 32), end);
	return (size_t) (end - 1 - out);
}

/*
 * The eight bytes of the text from at on, the first one lowest, with hyphens
 * in place of those beyond its end.
 */
static uint64_t
load_padded(const char *text, size_t length, size_t at)
{
	const unsigned char *bytes = (const unsigned char *) text;
	size_t		left = length - at;
	uint64_t	loaded = 0;

	if (left >= 8)
		return flake_load_le64(bytes + at);
	if (length >= 8 && left > 0)
		loaded = flake_load_le64(bytes + length - 8) >> (64 - 8 * left);
	else
		for (size_t i = 0; i < left; i++)
			loaded |= (uint64_t) bytes[at + i] << 8 * i;
	return loaded | EACH_BYTE('-') << 8 * left;
}

/* May the character stand between two words? */
static flake_always_inline bool
is_separator(char c, bool spaced)
{
	return c == '-' || (spaced && flake_is_white(c));
}

/* The eight bytes with hyphens in place of white space. */
static uint64_t
hyphenate(uint64_t bytes)
{
	for (int shift = 0; shift < 64; shift += 8)
		if (flake_is_white((char) (bytes >> shift)))
			bytes ^= ((bytes >> shift & 0xff) ^ '-') << shift;
	return bytes;
}

/* How many of the lowest bytes come before the first hyphen: 0 .. 8. */
static unsigned
mnemonic_length(uint64_t bytes)
{
	uint64_t	zeros = bytes ^ EACH_BYTE('-');
	uint64_t	marks = (zeros - EACH_BYTE(0x01)) & ~zeros & EACH_BYTE(0x80);

	return marks == 0 ? 8 : (unsigned) __builtin_ctzll(marks) / 8;
}

/* The number of a word of one to seven letters, or FLAKE_MNEMONIC_COUNT. */
static unsigned
find_mnemonic(uint64_t bytes, unsigned length)
{
	/* Fold case; no other byte becomes a letter. */
	uint64_t	letters = (bytes | EACH_BYTE(0x20)) & flake_mask(8 * length);
	uint64_t	hash = letters * flake_mnemonic_multiplier;
	unsigned	slot = (unsigned) (hash >> 32 ^
								   flake_mnemonic_displacements[hash >> 55]);
	unsigned	value = flake_mnemonic_slots[slot % FLAKE_MNEMONIC_SLOTS];

	return mnemonic_key(value) == (letters | (uint64_t) length << 56) ?
		value : FLAKE_MNEMONIC_COUNT;
}

/* What is wrong with the word at the offset, and where. */
static FlakeStatus
mnemonic_fault(const char *text, size_t length, size_t at, bool spaced,
			   FlakeFault *fault)
{
	size_t		end = at;

	fault->offset = at;
	fault->length = 0;
	if (at == length)
		return FLAKE_TOO_SHORT;
	for (; end < length && !is_separator(text[end], spaced); end++)
	{
		unsigned char lower = (unsigned char) text[end] | 0x20;

		if (lower < 'a' || lower > 'z')
			break;
	}
	if (end > at && (end == length || is_separator(text[end], spaced)))
	{
		fault->length = end - at;
		return FLAKE_BAD_MNEMONIC;
	}
	return flake_fault_at(FLAKE_BAD_CHARACTER, text, length, end, fault);
}

/*
 * The half whose three words begin at *at, and *at moved past them.  Between
 * two words there are one or more separators, also before this half unless it
 * is the first.
 */
static flake_always_inline FlakeStatus
get_half(const char *text, size_t length, bool spaced, size_t *at,
		 uint64_t *half, FlakeFault *fault)
{
	static const unsigned weights[WORDS_PER_HALF] = {
		1, FLAKE_MNEMONIC_COUNT, FLAKE_MNEMONIC_COUNT * FLAKE_MNEMONIC_COUNT
	};
	size_t		i = *at;
	uint64_t	sum = 0;

	for (int n = 0; n < WORDS_PER_HALF; n++)
	{
		uint64_t	bytes;
		unsigned	letters;
		unsigned	value;

		if (i > 0)
			while (i < length && is_separator(text[i], spaced))
				i++;
		bytes = load_padded(text, length, i);
		if (spaced)
			bytes = hyphenate(bytes);
		letters = mnemonic_length(bytes);
		value = letters < 8 ? find_mnemonic(bytes, letters) : FLAKE_MNEMONIC_COUNT;
		if (value == FLAKE_MNEMONIC_COUNT)
			return mnemonic_fault(text, length, i, spaced, fault);
		sum += (uint64_t) value * weights[n];
		i += letters;
	}
	*at = i;
	*half = sum;
	return sum > UINT32_MAX ? FLAKE_OUT_OF_RANGE : FLAKE_OK;
}

static flake_always_inline FlakeStatus
decode(const char *text, size_t length, bool spaced, uint64_t *id,
	   FlakeFault *fault)
{
	uint64_t	low = 0;
	uint64_t	high = 0;
	size_t		at = 0;
	FlakeStatus status;

	status = get_half(text, length, spaced, &at, &low, fault);
	if (status == FLAKE_OK)
		status = get_half(text, length, spaced, &at, &high, fault);
	if (status != FLAKE_OK)
		return status;
	if (at < length)
		return flake_fault_at(FLAKE_BAD_CHARACTER, text, length, at, fault);
	*id = high << 32 | low;
	return FLAKE_OK;
}

/*
 * The id of exactly six words in any case, with hyphens between two.  A word
 * that is not in the list, or marks a remainder of 24 bits in mnemonicode:
 * BAD_MNEMONIC; a half above 32 bits: OUT_OF_RANGE.
 */
FlakeStatus
flake_fluid_mnemonic_decode(const char *text, size_t length, uint64_t *id,
						 FlakeFault *fault)
{
	return decode(text, length, false, id, fault);
}

/* The same, with hyphens, white space or both between two. */
FlakeStatus
flake_fluid_mnemonic_decode_spaced(const char *text, size_t length,
								   uint64_t *id, FlakeFault *fault)
{
	return decode(text, length, true, id, fault);
}
