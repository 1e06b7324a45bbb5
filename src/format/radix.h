/*
 * radix.h
 *		Positional text: a number as digits of an alphabet, most significant
 *		digit first.
 *
 * One codec serves all alphabets, with one row per alphabet.  It is inline,
 * and every caller passes a constant row, so that the compiler turns division
 * by the radix into multiplication and specializes the code by digit size.
 *
 * Text is UTF-8 with a length; nothing is read or written past its end.
 */
#ifndef FLAKEID_FORMAT_RADIX_H
#define FLAKEID_FORMAT_RADIX_H

#include "format/base.h"
#include "format/tables.h"

typedef struct FlakeRadix
{
	uint32_t	radix;
	unsigned	digit_size;		/* bytes per digit: 1, or 4 (emoji) */
	uint64_t	limit;			/* largest value accepted */
	unsigned	max_digits;		/* of the limit */

	/* The most digits that fit in 32 bits, where division is cheapest. */
	unsigned	chunk_digits;
	uint32_t	chunk;			/* radix to the power of chunk_digits */

	const char *digits;
	const uint16_t *values;
	const uint64_t *powers;		/* radix^0, radix^1, ...: max_digits
								 * entries */
} FlakeRadix;

/*
 * Write exactly n digits before end, including leading zeros; the value must
 * fit.  Two digits per iteration halve the chain of dependent divisions.
 */
static flake_always_inline void
flake_radix_put(const FlakeRadix *row, uint32_t value, unsigned n, char *end)
{
	const uint32_t square = row->radix * row->radix;
	const size_t size = row->digit_size;

	for (; n >= 2; n -= 2)
	{
		uint32_t	pair = value % square;

		value /= square;
		end -= 2 * size;
		memcpy(end + size, row->digits + pair % row->radix * size, size);
		memcpy(end, row->digits + pair / row->radix * size, size);
	}
	if (n > 0)
		memcpy(end - size, row->digits + value * size, size);
}

/* Write exactly n digits of the value at out; returns their end. */
static flake_always_inline char *
flake_radix_put_wide(const FlakeRadix *row, uint64_t value, unsigned n,
					 char *out)
{
	char	   *end = out + n * row->digit_size;
	char	   *at = end;

	while (n > row->chunk_digits)
	{
		flake_radix_put(row, (uint32_t) (value % row->chunk),
						row->chunk_digits, at);
		value /= row->chunk;
		at -= row->chunk_digits * row->digit_size;
		n -= row->chunk_digits;
	}
	flake_radix_put(row, (uint32_t) value, n, at);
	return end;
}

/* Number of digits of the value: 1 .. max_digits. */
static flake_always_inline unsigned
flake_radix_count(const FlakeRadix *row, uint64_t value)
{
	unsigned	n = row->max_digits;

	while (n > 1 && value < row->powers[n - 1])
		n--;
	return n;
}

/* Value of the first digit of text, or FLAKE_NO_DIGIT. */
static flake_always_inline unsigned
flake_radix_value(const FlakeRadix *row, const char *text, size_t length)
{
	const unsigned char *bytes = (const unsigned char *) text;

	if (row->digit_size == 1)
		return row->values[bytes[0]];

	/* F0 9F, then two bytes of six bits: U+1F000 .. U+1FFFF */
	if (length < 4 || bytes[0] != 0xf0 || bytes[1] != 0x9f ||
		(bytes[2] & 0xc0) != 0x80 || (bytes[3] & 0xc0) != 0x80)
		return FLAKE_NO_DIGIT;
	return row->values[(bytes[2] & 0x3f) << 6 | (bytes[3] & 0x3f)];
}

/* Would appending the digit exceed the limit? */
static flake_always_inline bool
flake_radix_overflows(const FlakeRadix *row, uint64_t sum, unsigned digit)
{
	return sum > row->limit / row->radix ||
		(sum == row->limit / row->radix && digit > row->limit % row->radix);
}

/*
 * Read the digits from *at to the end of the text; leading zeros are allowed.
 * On failure *at is the offset of the first fault: TOO_SHORT (no digit),
 * BAD_CHARACTER, or OUT_OF_RANGE.
 */
static flake_always_inline FlakeStatus
flake_radix_get(const FlakeRadix *row, const char *text, size_t length,
				size_t *at, uint64_t *value)
{
	size_t		i = *at;
	size_t		safe = i + (row->max_digits - 1) * row->digit_size;
	uint64_t	sum = 0;
	FlakeStatus status = i < length ? FLAKE_OK : FLAKE_TOO_SHORT;

	for (; i < length; i += row->digit_size)
	{
		unsigned	digit = flake_radix_value(row, text + i, length - i);

		if (digit == FLAKE_NO_DIGIT)
			status = FLAKE_BAD_CHARACTER;
		else if (i >= safe && flake_radix_overflows(row, sum, digit))
			status = FLAKE_OUT_OF_RANGE;
		if (status != FLAKE_OK)
			break;
		sum = sum * row->radix + digit;
	}
	*at = i;
	*value = sum;
	return status;
}

#endif							/* FLAKEID_FORMAT_RADIX_H */
