/*
 * text.c
 *		Text forms of ids.  See text.h.
 *
 * The positional forms are rows for radix.h.  The forms dothex, kvs and words
 * have code of their own.
 */
#include "format/flake.h"
#include "format/radix.h"
#include "format/scru160.h"
#include "format/text.h"

/* Limits: a FLUID has 64 bits, Nanoflake and Ulid-Flake 63. */
#define BITS_63 (UINT64_MAX >> 1)
#define BITS_64 UINT64_MAX

#define ROW(radix, max_digits, chunk_digits, chunk, alphabet) \
	{radix, 1, max_digits, chunk_digits, chunk, \
	 flake_##alphabet##_digits, flake_##alphabet##_values}

static const FlakeRadix base10 = ROW(10, 20, 9, 1000000000, base10);
static const FlakeRadix base16 = ROW(16, 16, 7, UINT32_C(1) << 28, base16);
static const FlakeRadix base32 = ROW(32, 13, 6, UINT32_C(1) << 30, base32);
static const FlakeRadix base36 = ROW(36, 13, 6, UINT32_C(2176782336), base36);
static const FlakeRadix base58 = ROW(58, 11, 5, 656356768, base58);
static const FlakeRadix emoji = {
	FLAKE_EMOJI, FLAKE_EMOJI_SIZE, 7, 3, 191102976, flake_emoji_digits, NULL
};
static const FlakeRadix uuid_base32 = ROW(32, 26, 6, UINT32_C(1) << 30,
										  crockford);
static const FlakeRadix uuid_base58 = ROW(58, 22, 5, 656356768, base58);
static const FlakeRadix uuid_base32hex = ROW(32, 26, 6, UINT32_C(1) << 30,
											 base32hex);
static const FlakeRadix base32hex = ROW(32, 32, 6, UINT32_C(1) << 30,
										base32hex);

/* Refuse the character at the offset, or the end of the text. */
static FlakeStatus
unexpected(const char *text, size_t length, size_t at, FlakeFault *fault)
{
	return flake_fault_at(at == length ? FLAKE_TOO_SHORT : FLAKE_BAD_CHARACTER,
						  text, length, at, fault);
}

/*
 * Write prefix and digits, without leading zeros; returns the length.  A copy
 * of fixed size is cheaper than a call of memcpy().  It also copies the bytes
 * that follow the digits in padded, so out must have room for them.
 */
static flake_always_inline size_t
encode_number(const FlakeRadix *row, const char *prefix, FlakeUuid number,
			  char *out)
{
	const size_t size = row->digit_size;
	const size_t prefix_size = strlen(prefix);
	char		padded[2 * FLAKE_TEXT_SIZE] = {0};
	unsigned	zeros = 0;

	flake_radix_put(row, number, row->max_digits, padded);
	while (zeros < row->max_digits - 1 &&
		   memcmp(padded + zeros * size, row->digits, size) == 0)
		zeros++;
	memcpy(out, prefix, prefix_size);
	memcpy(out + prefix_size, padded + zeros * size, row->max_digits * size);
	return prefix_size + (row->max_digits - zeros) * size;
}

/* Advance *at past the prefix; false if the text has another one. */
static flake_always_inline bool
skip_prefix(const char *prefix, const char *text, size_t length, size_t *at)
{
	for (; *prefix != '\0'; prefix++, (*at)++)
		if (*at == length || text[*at] != *prefix)
			return false;
	return true;
}

/* Decode a number after the prefix, or after the other prefix "also". */
static flake_always_inline FlakeStatus
decode_number(const FlakeRadix *row, uint64_t limit, const char *prefix,
			  const char *also, const char *text, size_t length, size_t at,
			  uint64_t *id, FlakeFault *fault)
{
	FlakeStatus status;

	if (flake_begins_with(text + at, length - at, also))
		at += strlen(also);
	else if (!skip_prefix(prefix, text, length, &at))
		return unexpected(text, length, at, fault);
	status = flake_radix_read(row, row->radix, limit, text, length, &at, id);
	return flake_fault_at(status, text, length, at, fault);
}

/*
 * Decode exactly 13 digits.  Reports an invalid one among them first, then a
 * wrong length, then a number out of range.
 */
static FlakeStatus
decode_base32(const char *text, size_t length, size_t at, uint64_t *id,
			  FlakeFault *fault)
{
	size_t		digits = length - at;
	size_t		end = digits < base32.max_digits ? length :
		at + base32.max_digits;
	FlakeStatus status = flake_radix_read(&base32, 32, BITS_63, text, end, &at,
										  id);

	if (status == FLAKE_BAD_CHARACTER)
		return unexpected(text, length, at, fault);
	if (digits != base32.max_digits)
		return unexpected(text, length, end, fault);
	return status;
}

#define GROUPS				4
#define DIGITS_PER_GROUP	4

static flake_always_inline size_t
encode_dothex(const char *prefix, uint64_t id, char *out)
{
	char	   *end = out + strlen(prefix);
	FlakeUuid	group_id = {0};

	memcpy(out, prefix, strlen(prefix));
	for (int group = 0; group < GROUPS; group++)
	{
		if (group > 0)
			*end++ = '.';
		group_id.low = id >> (48 - 16 * group) & 0xffff;
		flake_radix_put(&base16, group_id, DIGITS_PER_GROUP, end);
		end += DIGITS_PER_GROUP;
	}
	return (size_t) (end - out);
}

/* Decode four groups of one to four digits after a prefix. */
static flake_always_inline FlakeStatus
decode_dothex(const char *prefix, const char *text, size_t length, size_t at,
			  uint64_t *id, FlakeFault *fault)
{
	uint64_t	sum = 0;

	for (int group = 0; group < GROUPS; group++)
	{
		unsigned	value = 0;
		unsigned	n = 0;

		if (!skip_prefix(group == 0 ? prefix : ".", text, length, &at))
			return unexpected(text, length, at, fault);
		for (; n < DIGITS_PER_GROUP && at < length; n++, at++)
		{
			unsigned	digit = flake_radix_value(&base16, text + at, 1);

			if (digit == FLAKE_NO_DIGIT)
				break;
			value = value << 4 | digit;
		}
		if (n == 0)
			return unexpected(text, length, at, fault);
		sum = sum << 16 | value;
	}
	if (at < length)
		return unexpected(text, length, at, fault);
	*id = sum;
	return FLAKE_OK;
}

/*
 * Six words of mnemonicode: a-b-c--d-e-f (doc/internals/formats.md, section
 * 2).  The low 32 bits come first, then the high ones.  Each half is i0 + 1626
 * i1 + 1626^2 i2, and is written as the words with the numbers i0, i1 and i2.
 */
#define WORDS				6
#define WORDS_PER_HALF		3

/*
 * A word is padded with zeros, so the last copy may write a byte past the
 * text.
 */
static size_t
encode_words(uint64_t id, char *out)
{
	uint32_t	halves[] = {(uint32_t) id, (uint32_t) (id >> 32)};
	char	   *end = out;

	for (int n = 0; n < WORDS; n++)
	{
		uint32_t   *half = &halves[n / WORDS_PER_HALF];
		const char *word = flake_words[*half % FLAKE_WORDS];

		if (n > 0)
			*end++ = '-';
		if (n == WORDS_PER_HALF)
			*end++ = '-';
		memcpy(end, word, FLAKE_WORD_SIZE);
		end += FLAKE_WORD_SIZE -
			__builtin_ctzll(flake_key(word, FLAKE_WORD_SIZE)) / 8;
		*half /= FLAKE_WORDS;
	}
	return (size_t) (end - out);
}

/* Does the character separate words? */
static bool
is_separator(char c)
{
	return c == '-' || flake_is_white(c);
}

/*
 * Read a word in any case at *at, and advance *at past it.  BAD_MNEMONIC: the
 * word is not in the list, which lacks those that mnemonicode uses only for a
 * remainder of 24 bits.
 */
static FlakeStatus
read_word(const char *text, size_t length, size_t *at, unsigned *value,
		  FlakeFault *fault)
{
	const size_t first = *at;
	char		word[FLAKE_WORD_SIZE] = {0};

	for (; *at < length && !is_separator(text[*at]); (*at)++)
	{
		char		lower = text[*at] | 0x20;

		if (lower < 'a' || lower > 'z')
			return unexpected(text, length, *at, fault);
		if (*at - first < sizeof(word))
			word[*at - first] = lower;
	}
	if (*at == first)
		return unexpected(text, length, *at, fault);
	*value = flake_search(flake_words[0], flake_words_sorted, FLAKE_WORDS,
						  sizeof(word), word);
	fault->offset = first;
	fault->length = *at - first;
	return *value == FLAKE_WORDS ? FLAKE_BAD_MNEMONIC : FLAKE_OK;
}

/*
 * Decode exactly six words, separated by hyphens, white space or both.
 * OUT_OF_RANGE: a half exceeds 32 bits.
 */
static FlakeStatus
decode_words(const char *text, size_t length, size_t at, uint64_t *id,
			 FlakeFault *fault)
{
	uint64_t	halves[WORDS / WORDS_PER_HALF] = {0};
	uint64_t	weight = 1;

	for (int n = 0; n < WORDS; n++)
	{
		unsigned	value = 0;
		FlakeStatus status;

		while (n > 0 && at < length && is_separator(text[at]))
			at++;
		status = read_word(text, length, &at, &value, fault);
		if (status != FLAKE_OK)
			return status;
		halves[n / WORDS_PER_HALF] += value * weight;
		weight *= FLAKE_WORDS;
		if (n % WORDS_PER_HALF < WORDS_PER_HALF - 1)
			continue;
		if (halves[n / WORDS_PER_HALF] > UINT32_MAX)
			return FLAKE_OUT_OF_RANGE;
		weight = 1;
	}
	if (at < length)
		return unexpected(text, length, at, fault);
	*id = halves[1] << 32 | halves[0];
	return FLAKE_OK;
}

/*
 * Write the canonical text of an id, which must be valid in the format of the
 * form (sign bit 0, except for FLUID).  Returns the length; out has
 * FLAKE_TEXT_SIZE bytes.
 */
size_t
flake_text_encode(FlakeForm form, uint64_t id, char *out)
{
	FlakeUuid	number = {.low = id};

	switch (form)
	{
		case FLAKE_FORM_F58:
			return encode_number(&base58, "f", number, out);
		case FLAKE_FORM_HEX:
			return encode_number(&base16, "0x", number, out);
		case FLAKE_FORM_DOTHEX:
			return encode_dothex("", id, out);
		case FLAKE_FORM_KVS:
			return encode_dothex(FLAKE_KVS_PREFIX, id, out);
		case FLAKE_FORM_WORDS:
			return encode_words(id, out);
		case FLAKE_FORM_EMOJI:
			return encode_number(&emoji, "", number, out);
		case FLAKE_FORM_DECIMAL:
			return encode_number(&base10, "", number, out);
		case FLAKE_FORM_BASE36:
			return encode_number(&base36, "", number, out);
		case FLAKE_FORM_BASE32:
			break;
	}
	flake_radix_put(&base32, number, base32.max_digits, out);
	return base32.max_digits;
}

/*
 * U+0192 in the encoding in which the text can begin with it: Windows' or
 * UTF-8
 */
static const char *
hook_of(const char *text, size_t length)
{
	return flake_begins_with(text, length, FLAKE_F_HOOK_WIN) ?
		FLAKE_F_HOOK_WIN : FLAKE_F_HOOK;
}

/* Decode all of the text from the offset at; see flake_text_decode(). */
static FlakeStatus
decode_form(FlakeForm form, const char *text, size_t length, size_t at,
			uint64_t *id, FlakeFault *fault)
{
	switch (form)
	{
		case FLAKE_FORM_F58:
			return decode_number(&base58, BITS_64, "f",
								 hook_of(text + at, length - at), text,
								 length, at, id, fault);
		case FLAKE_FORM_HEX:
			return decode_number(&base16, BITS_64, "0x", "0x", text, length,
								 at, id, fault);
		case FLAKE_FORM_DOTHEX:
			return decode_dothex("", text, length, at, id, fault);
		case FLAKE_FORM_KVS:
			return decode_dothex(FLAKE_KVS_PREFIX, text, length, at, id,
								 fault);
		case FLAKE_FORM_WORDS:
			return decode_words(text, length, at, id, fault);
		case FLAKE_FORM_EMOJI:
			return decode_number(&emoji, BITS_64, "", "", text, length, at, id,
								 fault);
		case FLAKE_FORM_DECIMAL:
			return decode_number(&base10, BITS_64, "", "", text, length, at,
								 id, fault);
		case FLAKE_FORM_BASE36:
			return decode_number(&base36, BITS_63, "", "", text, length, at,
								 id, fault);
		case FLAKE_FORM_BASE32:
			break;
	}
	return decode_base32(text, length, at, id, fault);
}

/*
 * Decode the text, skipping white space at both ends.  On failure *fault is
 * the invalid character or word, or the end of a text that is too short; with
 * OUT_OF_RANGE it is undefined.
 */
FlakeStatus
flake_text_decode(FlakeForm form, const char *text, size_t length,
				  uint64_t *id, FlakeFault *fault)
{
	size_t		first = flake_skip_white(text, &length);

	return decode_form(form, text, first + length, first, id, fault);
}

/*
 * Write a Nanoflake in a radix of 2 .. 36 to FLAKE_NANOFLAKE_TEXT_SIZE bytes,
 * in lower case, without leading zeros; returns the length.
 */
size_t
flake_nanoflake_encode(unsigned radix, uint64_t id, char *out)
{
	char		digits[FLAKE_NANOFLAKE_TEXT_SIZE];
	char	   *first = digits + sizeof(digits);
	size_t		length;

	if (radix == FLAKE_MAX_RADIX)
		return flake_text_encode(FLAKE_FORM_BASE36, id, out);
	do
	{
		*--first = flake_base36_digits[id % radix];
		id /= radix;
	} while (id > 0);
	length = (size_t) (digits + sizeof(digits) - first);
	memcpy(out, first, length);
	return length;
}

/* As flake_text_decode(), in this radix. */
FlakeStatus
flake_nanoflake_decode(unsigned radix, const char *text, size_t length,
					   uint64_t *id, FlakeFault *fault)
{
	size_t		at = flake_skip_white(text, &length);
	size_t		end = at + length;
	FlakeStatus status = flake_radix_read(&base36, radix, BITS_63, text, end,
										  &at, id);

	return flake_fault_at(status, text, end, at, fault);
}

/*
 * Detect the form of a FLUID by the rules of RFC 19, apart from white space
 * within the text.
 */
static FlakeForm
detect(const char *text, size_t length)
{
	if (memchr(text, '.', length) != NULL)
		return flake_begins_with(text, length, FLAKE_KVS_PREFIX) ?
			FLAKE_FORM_KVS : FLAKE_FORM_DOTHEX;
	if (memchr(text, '-', length) != NULL)
		return FLAKE_FORM_WORDS;
	if (flake_begins_with(text, length, "f") ||
		flake_begins_with(text, length, FLAKE_F_HOOK) ||
		flake_begins_with(text, length, FLAKE_F_HOOK_WIN))
		return FLAKE_FORM_F58;
	if (flake_begins_with(text, length, "\xf0\x9f"))
		return FLAKE_FORM_EMOJI;
	if (flake_begins_with(text, length, "0x"))
		return FLAKE_FORM_HEX;
	return FLAKE_FORM_DECIMAL;
}

/* Is this text, detected as form, in fact words separated by white space? */
static bool
is_spaced_words(FlakeForm form, const char *text, size_t length)
{
	if ((form != FLAKE_FORM_F58 && form != FLAKE_FORM_DECIMAL) ||
		length == 0 || (text[0] | 0x20) < 'a' || (text[0] | 0x20) > 'z')
		return false;
	for (size_t i = 0; i < length; i++)
		if (flake_is_white(text[i]))
			return true;
	return false;
}

/*
 * Decode a FLUID in any form like flake_text_decode(); *form is set to the
 * form that was detected.  Only words may have white space within the text.
 * The function searches for it only after a fault, to keep the common case
 * fast.
 */
FlakeStatus
flake_fluid_decode(const char *text, size_t length, FlakeForm *form,
				   uint64_t *id, FlakeFault *fault)
{
	size_t		first = flake_skip_white(text, &length);
	FlakeStatus status;

	*form = detect(text + first, length);
	status = decode_form(*form, text, first + length, first, id, fault);
	if (status != FLAKE_OK && is_spaced_words(*form, text + first, length))
	{
		*form = FLAKE_FORM_WORDS;
		status = decode_form(*form, text, first + length, first, id, fault);
	}
	return status;
}

/*
 * A text in base32hex has 130 bits, the last two of which are 0.  The first
 * digit has the first 5 bits, and the other digits are a number of 125 bits.
 */
#define PAD_BITS	2

static flake_always_inline void
encode_padded(const FlakeRadix *row, FlakeUuid uuid, char *out)
{
	FlakeUuid	rest;

	rest.high = (uuid.high & flake_mask(59)) << PAD_BITS |
		uuid.low >> (64 - PAD_BITS);
	rest.low = uuid.low << PAD_BITS;
	*out = row->digits[uuid.high >> 59];
	flake_radix_put(row, rest, row->max_digits - 1, out + 1);
}

/* False if a character is not a digit, or if the last two bits are not 0. */
static flake_always_inline bool
decode_padded(const FlakeRadix *row, const char *digits, FlakeUuid *uuid)
{
	FlakeUuid	first;
	FlakeUuid	rest;

	if (!flake_radix_get(row, digits, 1, &first) ||
		!flake_radix_get(row, digits + 1, row->max_digits - 1, &rest))
		return false;
	uuid->high = first.low << 59 | rest.high >> PAD_BITS;
	uuid->low = rest.high << (64 - PAD_BITS) | rest.low >> PAD_BITS;
	return (rest.low & flake_mask(PAD_BITS)) == 0;
}

/* Number of digits at the beginning of the text. */
static size_t
count_digits(const FlakeRadix *row, const char *text, size_t length)
{
	size_t		n = 0;

	while (n < length &&
		   row->values[(unsigned char) text[n]] != FLAKE_NO_DIGIT)
		n++;
	return n;
}

/*
 * Locate the first fault of an invalid text.  It is the first invalid
 * character, if there is one; otherwise the end of a text that is too short.
 * Otherwise, in base32hex, it is the last digit, whose last two bits are not
 * 0; in other forms, the number exceeds 128 bits.
 */
static FlakeStatus
refuse_fixed(const FlakeRadix *row, size_t min_digits, const char *text,
			 size_t length, FlakeFault *fault)
{
	size_t		at = count_digits(row, text, length < row->max_digits ?
								  length : row->max_digits);

	if (at < length || length < min_digits)
		return unexpected(text, length, at, fault);
	if (row == &uuid_base32hex)
		return unexpected(text, length, at - 1, fault);
	return FLAKE_OUT_OF_RANGE;
}

/*
 * Write the canonical text of a UUID of any version and variant.  Returns the
 * length; out has FLAKE_UUID_TEXT_SIZE bytes.
 */
size_t
flake_uuid_encode(FlakeUuidForm form, FlakeUuid uuid, char *out)
{
	if (form == FLAKE_UUID_BASE32)
	{
		flake_radix_put(&uuid_base32, uuid, uuid_base32.max_digits, out);
		return uuid_base32.max_digits;
	}
	if (form == FLAKE_UUID_BASE32HEX)
	{
		encode_padded(&uuid_base32hex, uuid, out);
		return uuid_base32hex.max_digits;
	}
	return encode_number(&uuid_base58, "", uuid, out);
}

/*
 * Decode the whole text; no white space is skipped.  On failure *uuid is
 * undefined, and *fault is set as by flake_text_decode().
 */
FlakeStatus
flake_uuid_decode(FlakeUuidForm form, const char *text, size_t length,
				  FlakeUuid *uuid, FlakeFault *fault)
{
	const unsigned digits = uuid_base58.max_digits;
	char		padded[FLAKE_UUID_TEXT_SIZE];

	if (form == FLAKE_UUID_BASE32)
	{
		if (length == uuid_base32.max_digits &&
			flake_radix_get(&uuid_base32, text, uuid_base32.max_digits, uuid))
			return FLAKE_OK;
		return refuse_fixed(&uuid_base32, uuid_base32.max_digits, text,
							length, fault);
	}
	if (form == FLAKE_UUID_BASE32HEX)
	{
		if (length == uuid_base32hex.max_digits &&
			decode_padded(&uuid_base32hex, text, uuid))
			return FLAKE_OK;
		return refuse_fixed(&uuid_base32hex, uuid_base32hex.max_digits, text,
							length, fault);
	}
	if (length == digits && flake_radix_get(&uuid_base58, text, digits, uuid))
		return FLAKE_OK;
	if (length > 0 && length < digits)
	{
		memset(padded, uuid_base58.digits[0], digits);
		memcpy(padded + digits - length, text, length);
		if (flake_radix_get(&uuid_base58, padded, digits, uuid))
			return FLAKE_OK;
	}
	return refuse_fixed(&uuid_base58, 1, text, length, fault);
}

/* SCRU160: eight digits of n bits each are n bytes, most significant first. */
#define GROUP_DIGITS	8

static flake_always_inline void
encode_bytes(const FlakeRadix *row, unsigned bits, const unsigned char *bytes,
			 char *digits)
{
	for (unsigned at = 0; at < FLAKE_SCRU160_BYTES; at += bits)
	{
		FlakeUuid	group = {.low = flake_load_be32(bytes + at + bits - 4)};

		if (bits == 5)
			group.low |= (uint64_t) bytes[at] << 32;
		flake_radix_put(row, group, GROUP_DIGITS, digits);
		digits += GROUP_DIGITS;
	}
}

/* False if a character is not a digit. */
static flake_always_inline bool
decode_bytes(const FlakeRadix *row, unsigned bits, const char *digits,
			 unsigned char *bytes)
{
	bool		are_digits = true;

	for (unsigned at = 0; at < FLAKE_SCRU160_BYTES; at += bits)
	{
		FlakeUuid	group;

		are_digits &= flake_radix_get(row, digits, GROUP_DIGITS, &group);
		bytes[at] = (unsigned char) (group.low >> 32);
		flake_store_be32(bytes + at + bits - 4, (uint32_t) group.low);
		digits += GROUP_DIGITS;
	}
	return are_digits;
}

/* 32 digits, upper case; no terminator. */
void
flake_scru160_encode_base32hex(const unsigned char *bytes, char *digits)
{
	encode_bytes(&base32hex, 5, bytes, digits);
}

/* 40 digits, lower case; no terminator. */
void
flake_scru160_encode_hex(const unsigned char *bytes, char *digits)
{
	encode_bytes(&base16, 4, bytes, digits);
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
	const bool	hex = length == FLAKE_SCRU160_HEX_DIGITS;

	if (hex ? decode_bytes(&base16, 4, text, bytes) :
		length == FLAKE_SCRU160_BASE32HEX_DIGITS &&
		decode_bytes(&base32hex, 5, text, bytes))
		return FLAKE_OK;
	*bad_offset = count_digits(hex ? &base16 : &base32hex, text, length);
	return *bad_offset < length ? FLAKE_BAD_CHARACTER : FLAKE_BAD_LENGTH;
}
