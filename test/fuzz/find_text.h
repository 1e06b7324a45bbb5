/*
 * find_text.h
 *		The second reader of text forms, for fuzz_text.c.
 *
 * It is slow, and implements these rules only.  The first error counts:
 *
 *	- a number: a missing prefix, at the first byte that differs from "f" or
 *	  "0x"; then a character that is not a digit, or the digit at which the
 *	  value exceeds the limit (OUT_OF_RANGE), whichever comes first; no digit
 *	  at all, at the end (TOO_SHORT);
 *	- base 32: a character that is not a digit among the first 13; then the
 *	  14th character; then the end, if the text is shorter; then the limit;
 *	- dotted hexadecimal: the first character that is not the digit or dot
 *	  required at its place, or the end; kvs: the same after "job.";
 *	- words: in a word, the first character that is not a letter; otherwise the
 *	  whole word, if it is not in the list; after the third and the sixth word,
 *	  a half above 32 bits; after the sixth, any character. A text is detected
 *	  as words by a hyphen, or by white space after an initial letter; white
 *	  space then separates words like a hyphen.
 *
 * An error is located at a whole character of UTF-8, or at a byte that is not
 * part of one.
 */
#ifndef FLAKEID_TEST_FIND_TEXT_H
#define FLAKEID_TEST_FIND_TEXT_H

#include <stdbool.h>
#include <string.h>

#include "format/text_table.h"
#include "format/text.h"

#define BITS_63 (UINT64_MAX >> 1)

/* Radix of FLAKE_FORM_BASE36 */
static unsigned nanoflake_radix = 36;

/* Result of the second reader */
typedef struct Finding
{
	FlakeStatus status;
	size_t		offset;
	size_t		length;
	uint64_t	id;
} Finding;

static Finding
found(uint64_t id)
{
	return (Finding) {.status = FLAKE_OK, .id = id};
}

static Finding
too_short(size_t length)
{
	return (Finding) {.status = FLAKE_TOO_SHORT, .offset = length};
}

static Finding
out_of_range(void)
{
	return (Finding) {.status = FLAKE_OUT_OF_RANGE};
}

static Finding
bad_character(const char *text, size_t length, size_t at)
{
	unsigned char lead = (unsigned char) text[at];
	size_t		size = lead < 0xc2 || lead > 0xf4 ? 1 :
		lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;

	for (size_t i = 1; i < size; i++)
		if (at + i >= length || ((unsigned char) text[at + i] >> 6) != 2)
			size = 1;
	return (Finding) {.status = FLAKE_BAD_CHARACTER, .offset = at,
		.length = size};
}

static bool
is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static char
lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char) (c - 'A' + 'a') : c;
}

/* Digits of a form, as written */
static const char *
alphabet_of(FlakeForm form)
{
	switch (form)
	{
		case FLAKE_FORM_F58:
			return "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
		case FLAKE_FORM_DECIMAL:
			return "0123456789";
		case FLAKE_FORM_BASE36:
			return "0123456789abcdefghijklmnopqrstuvwxyz";
		case FLAKE_FORM_BASE32:
			return "0123456789abcdefghjkmnpqrstvwxyz";
		default:
			return "0123456789abcdef";
	}
}

static unsigned
radix_of(FlakeForm form)
{
	return form == FLAKE_FORM_EMOJI ? 576 :
		form == FLAKE_FORM_BASE36 ? nanoflake_radix :
		(unsigned) strlen(alphabet_of(form));
}

/* Digit at the offset (-1 if none), and its size */
static int
digit_at(FlakeForm form, const char *text, size_t length, size_t at,
		 size_t *size)
{
	const char *alphabet = alphabet_of(form);
	const char *digit;
	char		c;

	*size = form == FLAKE_FORM_EMOJI ? 4 : 1;
	if (at + *size > length)
		return -1;
	if (form == FLAKE_FORM_EMOJI)
	{
		for (int i = 0; i < 576; i++)
			if (memcmp(text + at, flake_emoji_digits + 4 * i, 4) == 0)
				return i;
		return -1;
	}
	c = form == FLAKE_FORM_F58 ? text[at] : lower(text[at]);
	digit = memchr(alphabet, c, radix_of(form));
	return digit == NULL ? -1 : (int) (digit - alphabet);
}

/* Read the digits from the offset to the end. */
static Finding
find_digits(FlakeForm form, const char *text, size_t length, size_t at)
{
	const unsigned radix = radix_of(form);
	const uint64_t limit = form == FLAKE_FORM_BASE36 ||
		form == FLAKE_FORM_BASE32 ? BITS_63 : UINT64_MAX;
	unsigned __int128 value = 0;
	size_t		size;

	if (at == length)
		return too_short(length);
	for (; at < length; at += size)
	{
		int			digit = digit_at(form, text, length, at, &size);

		if (digit < 0)
			return bad_character(text, length, at);
		value = value * radix + (unsigned) digit;
		if (value > limit)
			return out_of_range();
	}
	return found((uint64_t) value);
}

static Finding
find_number(FlakeForm form, const char *text, size_t length)
{
	const char *prefix = form == FLAKE_FORM_HEX ? "0x" :
		form == FLAKE_FORM_F58 ? "f" : "";
	size_t		at = 0;

	if (*prefix == 'f' && length >= 2 && memcmp(text, "\xc6\x92", 2) == 0)
		return find_digits(form, text, length, 2);
	if (*prefix == 'f' && length >= 1 && *text == '\x83')
		return find_digits(form, text, length, 1);
	for (; prefix[at] != '\0'; at++)
	{
		if (at == length)
			return too_short(length);
		if (text[at] != prefix[at])
			return bad_character(text, length, at);
	}
	return find_digits(form, text, length, at);
}

static Finding
find_base32(const char *text, size_t length)
{
	size_t		size;

	for (size_t at = 0; at < length; at++)
		if (at == 13 ||
			digit_at(FLAKE_FORM_BASE32, text, length, at, &size) < 0)
			return bad_character(text, length, at);
	return length < 13 ? too_short(length) :
		find_digits(FLAKE_FORM_BASE32, text, length, 0);
}

static Finding
find_dothex(const char *text, size_t length, size_t at)
{
	uint64_t	id = 0;
	size_t		size;

	for (int group = 0; group < 4; group++)
	{
		uint64_t	value = 0;
		size_t		first;

		if (group > 0 && at == length)
			return too_short(length);
		if (group > 0 && text[at++] != '.')
			return bad_character(text, length, at - 1);
		for (first = at; at < length && at < first + 4; at++)
		{
			int			digit = digit_at(FLAKE_FORM_DOTHEX, text, length, at,
										 &size);

			if (digit < 0)
				break;
			value = 16 * value + (unsigned) digit;
		}
		if (at == first)
			return at == length ? too_short(length) :
				bad_character(text, length, at);
		id = id << 16 | value;
	}
	return at < length ? bad_character(text, length, at) : found(id);
}

static Finding
find_kvs(const char *text, size_t length)
{
	static const char prefix[] = "job.";

	for (size_t i = 0; i < 4; i++)
	{
		if (i == length)
			return too_short(length);
		if (text[i] != prefix[i])
			return bad_character(text, length, i);
	}
	return find_dothex(text, length, 4);
}

/* Number of a word, by comparing with all words; -1 if not found */
static int
word_number(const char *text, size_t length)
{
	for (int i = 0; i < FLAKE_WORDS; i++)
	{
		size_t		same = 0;

		while (same < length && lower(text[same]) == flake_words[i][same])
			same++;
		if (same == length && length == strlen(flake_words[i]))
			return i;
	}
	return -1;
}

static bool
is_white(char c)
{
	return c != '\0' && strchr(" \t\n\v\f\r", c) != NULL;
}

static Finding
find_words(const char *text, size_t length)
{
	uint64_t	halves[2] = {0, 0};
	size_t		at = 0;

	for (int n = 0; n < 6; n++)
	{
		static const uint64_t weights[] = {1, 1626, 1626 * 1626};
		size_t		end;
		int			number;

		while (n > 0 && at < length &&
			   (text[at] == '-' || is_white(text[at])))
			at++;
		if (at == length)
			return too_short(length);
		for (end = at; end < length && text[end] != '-'; end++)
		{
			if (is_white(text[end]))
				break;
			if (!is_letter(text[end]))
				return bad_character(text, length, end);
		}
		if (end == at)
			return bad_character(text, length, at);
		number = word_number(text + at, end - at);
		if (number < 0)
			return (Finding) {.status = FLAKE_BAD_MNEMONIC, .offset = at,
				.length = end - at};
		halves[n / 3] += (uint64_t) number * weights[n % 3];
		if (n % 3 == 2 && halves[n / 3] > UINT32_MAX)
			return out_of_range();
		at = end;
	}
	return at < length ? bad_character(text, length, at) :
		found(halves[1] << 32 | halves[0]);
}

static Finding
find(FlakeForm form, const char *text, size_t length)
{
	switch (form)
	{
		case FLAKE_FORM_BASE32:
			return find_base32(text, length);
		case FLAKE_FORM_DOTHEX:
			return find_dothex(text, length, 0);
		case FLAKE_FORM_KVS:
			return find_kvs(text, length);
		case FLAKE_FORM_WORDS:
			return find_words(text, length);
		default:
			return find_number(form, text, length);
	}
}

#endif							/* FLAKEID_TEST_FIND_TEXT_H */
