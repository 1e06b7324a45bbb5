/*
 * fuzz_uuid_text.c
 *		libFuzzer target for the decoders of UUIDs.  The environment variable
 *		FUZZ_FORM chooses one by its name in text.h (UUID_BASE58).
 *
 * The result of the decoder is compared with that of a second reader, which
 * implements these rules only: the first character that is not a digit, or
 * that is one too many; otherwise the end, if the text is too short;
 * otherwise the last digit in base32hex, if it is no multiple of 4; otherwise, for a number of more than 128 bits, the first digit that exceeds
 * that of the greatest text.  A decoded UUID, and 16 bytes taken as one, are
 * encoded as text that must decode to the same UUID.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "format/text.h"

/* A server type; a target calls abort() to report a failure. */
int			LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct
{
	const char *alphabet;
	const char *greatest;
	size_t		min_digits;
}			forms[] =
{
	[FLAKE_UUID_BASE32] = {
		"0123456789ABCDEFGHJKMNPQRSTVWXYZ", "7ZZZZZZZZZZZZZZZZZZZZZZZZZ", 26
	},
	[FLAKE_UUID_BASE32HEX] = {
		"0123456789ABCDEFGHIJKLMNOPQRSTUV", "VVVVVVVVVVVVVVVVVVVVVVVVVS", 26
	},
	[FLAKE_UUID_BASE58] = {
		"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
		"YcVfxkQb6JRzqk5kF2tNLv", 1
	},
};

static FlakeUuidForm form;

static void
must(int holds)
{
	if (!holds)
		abort();
}

/* Value of a digit, -1 for other characters. */
static int
digit_of(char c)
{
	const char *digit;

	if (form != FLAKE_UUID_BASE58 && c >= 'a' && c <= 'z')
		c = (char) (c - 'a' + 'A');
	if (form == FLAKE_UUID_BASE32)
		c = c == 'I' || c == 'L' ? '1' : c == 'O' ? '0' : c;
	digit = c == '\0' ? NULL : strchr(forms[form].alphabet, c);
	return digit == NULL ? -1 : (int) (digit - forms[form].alphabet);
}

static size_t
character_size(const char *text, size_t rest)
{
	unsigned char lead = (unsigned char) text[0];
	size_t		size = lead < 0xc2 || lead > 0xf4 ? 1 :
		lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;

	for (size_t i = 1; i < size; i++)
		if (i >= rest || ((unsigned char) text[i] >> 6) != 2)
			size = 1;
	return size;
}

static FlakeStatus
find(const char *text, size_t length, unsigned __int128 *value, size_t *at)
{
	const size_t digits = strlen(forms[form].greatest);

	*value = 0;
	for (*at = 0; *at < length; (*at)++)
		if (*at == digits || digit_of(text[*at]) < 0)
			return FLAKE_BAD_CHARACTER;
	if (length < forms[form].min_digits)
		return FLAKE_TOO_SHORT;
	*at = digits - 1;
	if (form == FLAKE_UUID_BASE32HEX && digit_of(text[*at]) % 4 != 0)
		return FLAKE_BAD_CHARACTER;
	for (*at = 0; length == digits && *at < length; (*at)++)
	{
		int			limit = digit_of(forms[form].greatest[*at]);

		if (digit_of(text[*at]) > limit)
			return FLAKE_OUT_OF_RANGE;
		if (digit_of(text[*at]) < limit)
			break;
	}
	for (size_t i = 0; i < length; i++)
		*value = form == FLAKE_UUID_BASE32HEX && i == digits - 1 ?
			*value << 3 | (unsigned) digit_of(text[i]) / 4 :
			*value * strlen(forms[form].alphabet) +
			(unsigned) digit_of(text[i]);
	return FLAKE_OK;
}

static void
round_trip(FlakeUuid uuid)
{
	char		text[FLAKE_UUID_TEXT_SIZE];
	size_t		length = flake_uuid_encode(form, uuid, text);
	FlakeUuid	back = {.high = ~uuid.high, .low = ~uuid.low};
	FlakeFault	fault;

	must(length >= forms[form].min_digits &&
		 length <= strlen(forms[form].greatest));
	must(form != FLAKE_UUID_BASE58 || length == 1 || text[0] != '1');
	must(flake_uuid_decode(form, text, length, &back, &fault) == FLAKE_OK);
	must(back.high == uuid.high && back.low == uuid.low);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *) data;
	FlakeUuid	uuid = {0};
	FlakeFault	fault = {.offset = SIZE_MAX};
	FlakeStatus status;
	unsigned __int128 value;
	size_t		at;

	form = strcmp(getenv("FUZZ_FORM"), "UUID_BASE32") == 0 ? FLAKE_UUID_BASE32 :
		strcmp(getenv("FUZZ_FORM"), "UUID_BASE58") == 0 ? FLAKE_UUID_BASE58 :
		FLAKE_UUID_BASE32HEX;
	status = flake_uuid_decode(form, text, size, &uuid, &fault);
	must(status == find(text, size, &value, &at));
	if (status == FLAKE_OK)
	{
		must(uuid.high == (uint64_t) (value >> 64) &&
			 uuid.low == (uint64_t) value);
		round_trip(uuid);
	}
	else if (status != FLAKE_OUT_OF_RANGE)
		must(fault.offset == at && fault.length ==
			 (at < size ? character_size(text + at, size - at) : 0));
	if (size >= 16)
		round_trip(flake_uuid_load(data));
	return 0;
}
