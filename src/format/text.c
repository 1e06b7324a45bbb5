/*
 * text.c
 *		Text forms of the 64-bit formats.  See text.h.
 *
 * A positional form is a row: alphabet, prefix, width.  Words, dothex and kvs
 * have their own code.  The decoders of <format>_from_text skip white space at
 * both ends, and detect the form of a FLUID or take the radix of a Nanoflake.
 */
#include "format/flake.h"
#include "format/radix.h"
#include "format/text.h"

/* Limits: a FLUID has 64 bits, Nanoflake and Ulid-Flake 63. */
#define BITS_63 (UINT64_MAX >> 1)
#define BITS_64 UINT64_MAX

static const FlakeRadix base10 = {
	.radix = 10, .digit_size = 1, .limit = BITS_64, .max_digits = 20,
	.chunk_digits = 9, .chunk = 1000000000,
	.digits = flake_base10_digits, .values = flake_base10_values,
	.powers = flake_base10_powers,
};

static const FlakeRadix base16 = {
	.radix = 16, .digit_size = 1, .limit = BITS_64, .max_digits = 16,
	.chunk_digits = 7, .chunk = UINT32_C(1) << 28,
	.digits = flake_base16_digits, .values = flake_base16_values,
	.powers = flake_base16_powers,
};

static const FlakeRadix base32 = {
	.radix = 32, .digit_size = 1, .limit = BITS_63, .max_digits = 13,
	.chunk_digits = 6, .chunk = UINT32_C(1) << 30,
	.digits = flake_base32_digits, .values = flake_base32_values,
	.powers = flake_base32_powers,
};

static const FlakeRadix base36 = {
	.radix = 36, .digit_size = 1, .limit = BITS_63, .max_digits = 13,
	.chunk_digits = 6, .chunk = UINT32_C(36) * 36 * 36 * 36 * 36 * 36,
	.digits = flake_base36_digits, .values = flake_base36_values,
	.powers = flake_base36_powers,
};

static const FlakeRadix base58 = {
	.radix = 58, .digit_size = 1, .limit = BITS_64, .max_digits = 11,
	.chunk_digits = 5, .chunk = UINT32_C(58) * 58 * 58 * 58 * 58,
	.digits = flake_base58_digits, .values = flake_base58_values,
	.powers = flake_base58_powers,
};

static const FlakeRadix emoji = {
	.radix = 576, .digit_size = 4, .limit = BITS_64, .max_digits = 7,
	.chunk_digits = 3, .chunk = UINT32_C(576) * 576 * 576,
	.digits = flake_emoji_digits, .values = flake_emoji_values,
	.powers = flake_emoji_powers,
};

/* Prefix: as written, in ASCII, and an alternative accepted on input. */
typedef struct Prefix
{
	const char *text;
	const char *also;
} Prefix;

static const Prefix f58_prefix = {.text = "f", .also = FLAKE_F_HOOK};
static const Prefix hex_prefix = {.text = "0x", .also = "0x"};
static const Prefix no_prefix = {.text = "", .also = ""};

#define GROUPS				4
#define DIGITS_PER_GROUP	4

/* Prefix and digits, without leading zeros. */
static flake_always_inline size_t
encode_number(const FlakeRadix *row, const Prefix *prefix, uint64_t id,
			  char *out)
{
	size_t		prefix_size = strlen(prefix->text);
	unsigned	n = flake_radix_count(row, id);

	memcpy(out, prefix->text, prefix_size);
	flake_radix_put_wide(row, id, n, out + prefix_size);
	return prefix_size + n * row->digit_size;
}

/* Length of the common prefix of text and prefix. */
static size_t
common_length(const char *text, size_t length, const char *prefix)
{
	size_t		i = 0;

	while (i < length && prefix[i] != '\0' && text[i] == prefix[i])
		i++;
	return i;
}

static flake_always_inline FlakeStatus
decode_number(const FlakeRadix *row, const Prefix *prefix, const char *text,
			  size_t length, uint64_t *id, FlakeFault *fault)
{
	FlakeStatus status;
	size_t		at;

	if (flake_begins_with(text, length, prefix->text))
		at = strlen(prefix->text);
	else if (flake_begins_with(text, length, prefix->also))
		at = strlen(prefix->also);
	else
	{
		/*
		 * prefix->text is ASCII, so the fault lies on a character boundary.
		 */
		at = common_length(text, length, prefix->text);
		return flake_fault_at(at == length ? FLAKE_TOO_SHORT : FLAKE_BAD_CHARACTER,
						text, length, at, fault);
	}
	status = flake_radix_get(row, text, length, &at, id);
	if (status != FLAKE_OK)
		return flake_fault_at(status, text, length, at, fault);
	return FLAKE_OK;
}

/* Always max_digits digits, zero-padded. */
static size_t
encode_base32(uint64_t id, char *out)
{
	flake_radix_put_wide(&base32, id, base32.max_digits, out);
	return base32.max_digits;
}

static FlakeStatus
decode_base32(const char *text, size_t length, uint64_t *id,
			  FlakeFault *fault)
{
	const size_t digits = base32.max_digits;
	size_t		at = 0;
	FlakeStatus status = flake_radix_get(&base32, text,
										 length < digits ? length : digits,
										 &at, id);

	/* The length is part of the form, so it is checked before the range. */
	if (status != FLAKE_BAD_CHARACTER && length > digits)
	{
		status = FLAKE_BAD_CHARACTER;
		at = digits;
	}
	if (status == FLAKE_OK && length < digits)
		status = FLAKE_TOO_SHORT;
	if (status != FLAKE_OK)
		return flake_fault_at(status, text, length, at, fault);
	return FLAKE_OK;
}

static size_t
encode_dothex(uint64_t id, char *out)
{
	char	   *end = out;

	for (int group = 0; group < GROUPS; group++)
	{
		if (group > 0)
			*end++ = '.';
		end += DIGITS_PER_GROUP;
		flake_radix_put(&base16, (uint32_t) (id >> (48 - 16 * group)) & 0xffff,
						DIGITS_PER_GROUP, end);
	}
	return (size_t) (end - out);
}

/* Value of one to four digits at *at; advances *at past them. */
static flake_always_inline FlakeStatus
get_group(const char *text, size_t length, size_t *at, uint64_t *value)
{
	size_t		first = *at;

	*value = 0;
	while (*at < length && *at - first < DIGITS_PER_GROUP)
	{
		unsigned	digit = flake_radix_value(&base16, text + *at, 1);

		if (digit == FLAKE_NO_DIGIT)
			break;
		*value = *value << 4 | digit;
		(*at)++;
	}
	if (*at > first)
		return FLAKE_OK;
	return *at == length ? FLAKE_TOO_SHORT : FLAKE_BAD_CHARACTER;
}

/* Decode four groups from the offset to the end of the text. */
static flake_always_inline FlakeStatus
decode_groups(const char *text, size_t length, size_t at, uint64_t *id,
			  FlakeFault *fault)
{
	uint64_t	sum = 0;

	for (int group = 0; group < GROUPS; group++)
	{
		FlakeStatus status = FLAKE_OK;
		uint64_t	value = 0;

		if (group > 0 && at == length)
			status = FLAKE_TOO_SHORT;
		else if (group > 0 && text[at++] != '.')
			return flake_fault_at(FLAKE_BAD_CHARACTER, text, length, at - 1, fault);
		else
			status = get_group(text, length, &at, &value);
		if (status != FLAKE_OK)
			return flake_fault_at(status, text, length, at, fault);
		sum = sum << 16 | value;
	}
	if (at < length)
		return flake_fault_at(FLAKE_BAD_CHARACTER, text, length, at, fault);
	*id = sum;
	return FLAKE_OK;
}

static FlakeStatus
decode_dothex(const char *text, size_t length, uint64_t *id,
			  FlakeFault *fault)
{
	return decode_groups(text, length, 0, id, fault);
}

static size_t
encode_kvs(uint64_t id, char *out)
{
	const size_t prefix = strlen(FLAKE_KVS_PREFIX);

	memcpy(out, FLAKE_KVS_PREFIX, prefix);
	return prefix + encode_dothex(id, out + prefix);
}

static FlakeStatus
decode_kvs(const char *text, size_t length, uint64_t *id, FlakeFault *fault)
{
	size_t		at = common_length(text, length, FLAKE_KVS_PREFIX);

	if (at < strlen(FLAKE_KVS_PREFIX))
		return flake_fault_at(at == length ? FLAKE_TOO_SHORT : FLAKE_BAD_CHARACTER,
						text, length, at, fault);
	return decode_groups(text, length, at, id, fault);
}

/*
 * Write the canonical text of an id, which must be valid in the format of the
 * form (sign bit 0, except for FLUID).  Returns the length; out has
 * FLAKE_TEXT_SIZE bytes.
 */
size_t
flake_text_encode(FlakeForm form, uint64_t id, char *out)
{
	switch (form)
	{
		case FLAKE_FORM_F58:
			return encode_number(&base58, &f58_prefix, id, out);
		case FLAKE_FORM_HEX:
			return encode_number(&base16, &hex_prefix, id, out);
		case FLAKE_FORM_DOTHEX:
			return encode_dothex(id, out);
		case FLAKE_FORM_KVS:
			return encode_kvs(id, out);
		case FLAKE_FORM_WORDS:
			return flake_fluid_mnemonic_encode(id, out);
		case FLAKE_FORM_EMOJI:
			return encode_number(&emoji, &no_prefix, id, out);
		case FLAKE_FORM_DECIMAL:
			return encode_number(&base10, &no_prefix, id, out);
		case FLAKE_FORM_BASE36:
			return encode_number(&base36, &no_prefix, id, out);
		case FLAKE_FORM_BASE32:
			return encode_base32(id, out);
	}
	return 0;					/* not reached */
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
		return encode_number(&base36, &no_prefix, id, out);
	do
	{
		*--first = flake_base36_digits[id % radix];
		id /= radix;
	} while (id > 0);
	length = (size_t) (digits + sizeof(digits) - first);
	memcpy(out, first, length);
	return length;
}

/*
 * Decode the whole text.  On failure *fault is the invalid character or word,
 * or the end of a text that is too short; with OUT_OF_RANGE it is undefined.
 */
FlakeStatus
flake_text_decode(FlakeForm form, const char *text, size_t length,
				  uint64_t *id, FlakeFault *fault)
{
	switch (form)
	{
		case FLAKE_FORM_F58:
			return decode_number(&base58, &f58_prefix, text, length, id,
								 fault);
		case FLAKE_FORM_HEX:
			return decode_number(&base16, &hex_prefix, text, length, id,
								 fault);
		case FLAKE_FORM_DOTHEX:
			return decode_dothex(text, length, id, fault);
		case FLAKE_FORM_KVS:
			return decode_kvs(text, length, id, fault);
		case FLAKE_FORM_WORDS:
			return flake_fluid_mnemonic_decode(text, length, id, fault);
		case FLAKE_FORM_EMOJI:
			return decode_number(&emoji, &no_prefix, text, length, id, fault);
		case FLAKE_FORM_DECIMAL:
			return decode_number(&base10, &no_prefix, text, length, id,
								 fault);
		case FLAKE_FORM_BASE36:
			return decode_number(&base36, &no_prefix, text, length, id,
								 fault);
		case FLAKE_FORM_BASE32:
			return decode_base32(text, length, id, fault);
	}
	return FLAKE_BAD_CHARACTER; /* not reached */
}

/*
 * As flake_text_decode(), but skip white space at both ends.  The offset of
 * the fault counts from the beginning of the text.
 */
FlakeStatus
flake_text_decode_trimmed(FlakeForm form, const char *text, size_t length,
						  uint64_t *id, FlakeFault *fault)
{
	size_t		first = flake_skip_white(text, &length);
	FlakeStatus status = flake_text_decode(form, text + first, length, id,
										   fault);

	if (status != FLAKE_OK && status != FLAKE_OUT_OF_RANGE)
		fault->offset += first;
	return status;
}

/* Is the prefix of this text in base 58 "f", and not U+0192? */
bool
flake_f58_is_plain(const char *text, size_t length)
{
	size_t		first = flake_skip_white(text, &length);

	return flake_begins_with(text + first, length, "f");
}

/*
 * A Nanoflake in a radix of 2 .. 36: digits 0-9a-z in any case, with white
 * space skipped at both ends.
 */
FlakeStatus
flake_nanoflake_decode(unsigned radix, const char *text, size_t length,
					   uint64_t *id, FlakeFault *fault)
{
	const uint64_t limit = flake_last_id(&flake_layouts[FLAKE_NANOFLAKE]);
	size_t		at = flake_skip_white(text, &length);
	size_t		end = at + length;
	uint64_t	sum = 0;

	if (length == 0)
		return flake_fault_at(FLAKE_TOO_SHORT, text, end, end, fault);
	for (; at < end; at++)
	{
		unsigned	digit = flake_base36_values[(unsigned char) text[at]];

		if (digit >= radix)
			return flake_fault_at(FLAKE_BAD_CHARACTER, text, end, at, fault);
		if (sum > (limit - digit) / radix)
			return FLAKE_OUT_OF_RANGE;
		sum = sum * radix + digit;
	}
	*id = sum;
	return FLAKE_OK;
}

/*
 * Detect the form of a FLUID by the rules of RFC 19, apart from white space
 * within the text.  Skips white space at both ends; *first and *length delimit
 * what the decoder reads.
 */
static FlakeForm
detect(const char *text, size_t *first, size_t *length)
{
	size_t		n;

	*first = flake_skip_white(text, length);
	text += *first;
	n = *length;
	if (n > 0 && memchr(text, '.', n) != NULL)
		return flake_begins_with(text, n, FLAKE_KVS_PREFIX) ? FLAKE_FORM_KVS : FLAKE_FORM_DOTHEX;
	if (n > 0 && memchr(text, '-', n) != NULL)
		return FLAKE_FORM_WORDS;
	if (flake_begins_with(text, n, "f") || flake_begins_with(text, n, FLAKE_F_HOOK))
		return FLAKE_FORM_F58;
	if (flake_begins_with(text, n, "\xf0\x9f"))
		return FLAKE_FORM_EMOJI;
	if (flake_begins_with(text, n, "0x"))
		return FLAKE_FORM_HEX;
	return FLAKE_FORM_DECIMAL;
}

static bool
is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Is this text, detected as form, in fact words separated by white space? */
static bool
is_spaced_words(FlakeForm form, const char *text, size_t length)
{
	if (length == 0 || form == FLAKE_FORM_DOTHEX || form == FLAKE_FORM_KVS)
		return false;
	if (form != FLAKE_FORM_WORDS && !is_letter(text[0]))
		return false;
	for (size_t i = 0; i < length; i++)
		if (flake_is_white(text[i]))
			return true;
	return false;
}

/*
 * Decode a FLUID in any form, skipping white space at both ends; *form is set
 * to the form detected.  Only words may have white space within the text,
 * which is searched only after a fault, to keep the common case fast.  Status
 * and *fault are those of flake_text_decode(); the offset counts from the
 * beginning of the text.
 */
FlakeStatus
flake_fluid_decode(const char *text, size_t length, FlakeForm *form,
				   uint64_t *id, FlakeFault *fault)
{
	FlakeStatus status;
	size_t		first;

	*form = detect(text, &first, &length);
	text += first;
	status = flake_text_decode(*form, text, length, id, fault);
	if (status == FLAKE_OK)
		return status;
	if (is_spaced_words(*form, text, length))
	{
		*form = FLAKE_FORM_WORDS;
		status = flake_text_decode(*form, text, length, id, fault);
	}
	if (status != FLAKE_OK && status != FLAKE_OUT_OF_RANGE)
		fault->offset += first;
	return status;
}
