/*
 * uuid_text.c
 *		Short text forms of a UUID: base 32 and base 58 (text.h).
 *
 * In both forms 128 bits are two digits followed by four chunks of digits,
 * each of which fits in 32 bits.  So one codec serves both, and divides and
 * multiplies only by the chunk; a chunk of base 32 is a power of two, which
 * the compiler turns into shifts.  The arithmetic uses 64 bits, so that it
 * works on 32-bit machines.
 */
#include "format/radix.h"
#include "format/text.h"

#define HEAD_DIGITS		2
#define CHUNKS			4

static const FlakeRadix base32 = {
	.radix = 32, .digit_size = 1, .max_digits = 26,
	.chunk_digits = 6, .chunk = UINT32_C(1) << 30,
	.digits = flake_crockford_digits, .values = flake_crockford_values,
};

static const FlakeRadix base58 = {
	.radix = 58, .digit_size = 1, .max_digits = 22,
	.chunk_digits = 5, .chunk = UINT32_C(58) * 58 * 58 * 58 * 58,
	.digits = flake_base58_digits, .values = flake_base58_values,
};

/* Divide the number in place; returns the remainder. */
static flake_always_inline uint32_t
divide(FlakeUuid *n, uint32_t by)
{
	uint64_t	upper = (n->high % by) << 32 | n->low >> 32;
	uint64_t	lower = (upper % by) << 32 | (n->low & UINT32_MAX);

	n->high /= by;
	n->low = upper / by << 32 | lower / by;
	return (uint32_t) (lower % by);
}

/* Multiply the number in place and add; returns the excess over 128 bits. */
static flake_always_inline uint64_t
multiply(FlakeUuid *n, uint32_t by, uint32_t addend)
{
	uint64_t	part0 = (n->low & UINT32_MAX) * by + addend;
	uint64_t	part1 = (n->low >> 32) * by + (part0 >> 32);
	uint64_t	part2 = (n->high & UINT32_MAX) * by + (part1 >> 32);
	uint64_t	part3 = (n->high >> 32) * by + (part2 >> 32);

	n->low = part1 << 32 | (part0 & UINT32_MAX);
	n->high = part3 << 32 | (part2 & UINT32_MAX);
	return part3 >> 32;
}

/* Always max_digits digits, zero-padded. */
static flake_always_inline void
encode(const FlakeRadix *row, FlakeUuid n, char *out)
{
	char	   *end = out + row->max_digits;

	for (int i = 0; i < CHUNKS; i++)
	{
		flake_radix_put(row, divide(&n, row->chunk), row->chunk_digits, end);
		end -= row->chunk_digits;
	}
	flake_radix_put(row, (uint32_t) n.low, HEAD_DIGITS, end);
}

static size_t
encode_base32(FlakeUuid uuid, char *out)
{
	encode(&base32, uuid, out);
	return base32.max_digits;
}

/*
 * Encode without leading zeros.  A copy of fixed size is cheaper than a call
 * of memcpy(); digits is zero-padded because the copy reads past its end.
 */
static size_t
encode_base58(FlakeUuid uuid, char *out)
{
	char		digits[2 * FLAKE_UUID_TEXT_SIZE] = {0};
	size_t		skipped = 0;

	encode(&base58, uuid, digits);
	while (skipped < base58.max_digits - 1 &&
		   digits[skipped] == base58.digits[0])
		skipped++;
	memcpy(out, digits + skipped, base58.max_digits);
	return base58.max_digits - skipped;
}

/* Value of n digits.  seen ORs their values; FLAKE_NO_DIGIT sets all bits. */
static flake_always_inline uint32_t
get(const FlakeRadix *row, const char *digits, unsigned n, unsigned *seen)
{
	uint32_t	value = 0;

	for (unsigned i = 0; i < n; i++)
	{
		unsigned	digit = row->values[(unsigned char) digits[i]];

		*seen |= digit;
		value = value * row->radix + digit;
	}
	return value;
}

/* False if max_digits digits are not all digits, or exceed 128 bits. */
static flake_always_inline bool
decode(const FlakeRadix *row, const char *digits, FlakeUuid *uuid)
{
	unsigned	seen = 0;
	uint64_t	excess = 0;
	FlakeUuid	n = {.low = get(row, digits, HEAD_DIGITS, &seen)};

	digits += HEAD_DIGITS;
	for (int i = 0; i < CHUNKS; i++)
	{
		excess |= multiply(&n, row->chunk,
						   get(row, digits, row->chunk_digits, &seen));
		digits += row->chunk_digits;
	}
	*uuid = n;
	return seen != FLAKE_NO_DIGIT && excess == 0;
}

/*
 * Locate the first fault of an invalid text: the first invalid character; else
 * the end of a text that is too short; else, in a number above 128 bits, the
 * first digit greater than in the largest text.
 */
static FlakeStatus
refuse(const FlakeRadix *row, size_t min_digits, const char *text,
	   size_t length, FlakeFault *fault)
{
	const FlakeUuid last = {.high = UINT64_MAX, .low = UINT64_MAX};
	char		greatest[FLAKE_UUID_TEXT_SIZE];
	size_t		at = 0;

	while (at < length && at < row->max_digits &&
		   row->values[(unsigned char) text[at]] != FLAKE_NO_DIGIT)
		at++;
	if (at < length)
		return flake_fault_at(FLAKE_BAD_CHARACTER, text, length, at, fault);
	if (length < min_digits)
		return flake_fault_at(FLAKE_TOO_SHORT, text, length, at, fault);
	encode(row, last, greatest);
	at = 0;
	while (row->values[(unsigned char) text[at]] ==
		   row->values[(unsigned char) greatest[at]])
		at++;
	return flake_fault_at(FLAKE_OUT_OF_RANGE, text, length, at, fault);
}

static FlakeStatus
decode_base32(const char *text, size_t length, FlakeUuid *uuid,
			  FlakeFault *fault)
{
	if (length == base32.max_digits && decode(&base32, text, uuid))
		return FLAKE_OK;
	return refuse(&base32, base32.max_digits, text, length, fault);
}

static FlakeStatus
decode_base58(const char *text, size_t length, FlakeUuid *uuid,
			  FlakeFault *fault)
{
	const size_t digits = base58.max_digits;
	char		padded[FLAKE_UUID_TEXT_SIZE];

	if (length == digits && decode(&base58, text, uuid))
		return FLAKE_OK;
	if (length > 0 && length < digits)
	{
		memset(padded, base58.digits[0], digits);
		memcpy(padded + digits - length, text, length);
		if (decode(&base58, padded, uuid))
			return FLAKE_OK;
	}
	return refuse(&base58, 1, text, length, fault);
}

/*
 * Write the canonical text of a UUID of any version and variant.  Returns the
 * length; out has FLAKE_UUID_TEXT_SIZE bytes.
 */
size_t
flake_uuid_encode(FlakeUuidForm form, FlakeUuid uuid, char *out)
{
	return form == FLAKE_UUID_BASE32 ? encode_base32(uuid, out) :
		encode_base58(uuid, out);
}

/*
 * Decode the whole text.  On failure *uuid is undefined, and *fault is the
 * invalid character, or the end of a text that is too short.
 */
FlakeStatus
flake_uuid_decode(FlakeUuidForm form, const char *text, size_t length,
				  FlakeUuid *uuid, FlakeFault *fault)
{
	return form == FLAKE_UUID_BASE32 ?
		decode_base32(text, length, uuid, fault) :
		decode_base58(text, length, uuid, fault);
}
