/*
 * fuzz_text.c
 *		libFuzzer target for the text decoders.  The environment variable
 *		FUZZ_FORM chooses one by its name in text.h (HEX of FLAKE_FORM_HEX);
 *		"radix", that of Nanoflakes, whose first byte chooses the radix; or
 *		"detected", the detecting parser.
 *
 * The result of the decoder is compared with that of the second reader in
 * find_text.h.
 *
 * A decoded id, and eight bytes taken as an id, are encoded as text that must
 * decode to the same id.
 */
#include <stdlib.h>

#include "find_text.h"

/* A server type; a target calls abort() to report a failure. */
int			LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
must(int holds)
{
	if (!holds)
		abort();
}

static void
round_trip(FlakeForm form, uint64_t id)
{
	char		text[FLAKE_TEXT_SIZE];
	size_t		length = flake_text_encode(form, id, text);
	FlakeFault	fault;
	uint64_t	back = ~id;

	must(length > 0 && length <= sizeof(text));
	must(flake_text_decode(form, text, length, &back, &fault) == FLAKE_OK);
	must(back == id);
}

/* In each radix */
static void
round_trip_radix(uint64_t id)
{
	char		text[FLAKE_NANOFLAKE_TEXT_SIZE];
	size_t		length = flake_nanoflake_encode(nanoflake_radix, id, text);
	FlakeFault	fault;
	uint64_t	back = ~id;

	must(length > 0 && length <= sizeof(text));
	must(flake_nanoflake_decode(nanoflake_radix, text, length, &back,
								&fault) == FLAKE_OK);
	must(back == id);
}

/* Text between white space. */
static size_t
trim(const char *text, size_t *length)
{
	size_t		first = 0;

	while (first < *length && is_white(text[first]))
		first++;
	while (*length > first && is_white(text[*length - 1]))
		(*length)--;
	*length -= first;
	return first;
}

static bool
has(const char *text, size_t length, char c)
{
	for (size_t i = 0; i < length; i++)
		if (text[i] == c)
			return true;
	return false;
}

static bool
begins(const char *text, size_t length, const char *prefix)
{
	return length >= strlen(prefix) &&
		memcmp(text, prefix, strlen(prefix)) == 0;
}

/*
 * Form of a text by the rules of doc/reference/fluid.md, without white space around it
 */
static FlakeForm
detect(const char *text, size_t length)
{
	bool		white = false;

	for (size_t i = 0; i < length; i++)
		white = white || is_white(text[i]);
	if (has(text, length, '.'))
		return begins(text, length, "job.") ? FLAKE_FORM_KVS : FLAKE_FORM_DOTHEX;
	if (has(text, length, '-') || (white && is_letter(text[0])))
		return FLAKE_FORM_WORDS;
	return begins(text, length, "f") || begins(text, length, "\xc6\x92") ||
		begins(text, length, "\x83") ? FLAKE_FORM_F58 :
		begins(text, length, "\xf0\x9f") ? FLAKE_FORM_EMOJI :
		begins(text, length, "0x") ? FLAKE_FORM_HEX : FLAKE_FORM_DECIMAL;
}

static FlakeForm
form_of(const char *name)
{
	static const char *const names[FLAKE_FORMS] = {
		[FLAKE_FORM_F58] = "F58",[FLAKE_FORM_HEX] = "HEX",
		[FLAKE_FORM_DOTHEX] = "DOTHEX",[FLAKE_FORM_KVS] = "KVS",
		[FLAKE_FORM_WORDS] = "WORDS",[FLAKE_FORM_EMOJI] = "EMOJI",
		[FLAKE_FORM_DECIMAL] = "DECIMAL",[FLAKE_FORM_BASE36] = "BASE36",
		[FLAKE_FORM_BASE32] = "BASE32",
	};
	FlakeForm	form = 0;

	while (form < FLAKE_FORMS && strcmp(names[form], name) != 0)
		form++;
	must(form < FLAKE_FORMS);
	return form;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *name = getenv("FUZZ_FORM");
	const bool	detected = strcmp(name, "detected") == 0;
	const bool	radix = strcmp(name, "radix") == 0;
	const char *text = (const char *) data;
	FlakeFault	fault = {.offset = SIZE_MAX};
	FlakeStatus status;
	FlakeForm	form;
	Finding		expected;
	size_t		length;
	size_t		first;
	uint64_t	id = 0;

	if (radix)
	{
		if (size == 0)
			return 0;
		nanoflake_radix = 2 + data[0] % 35;
		text++;
		size--;
	}
	length = size;
	first = trim(text, &length);
	form = detected ? detect(text + first, length) :
		radix ? FLAKE_FORM_BASE36 : form_of(name);
	expected = find(form, text + first, length);
	expected.offset += first;
	if (detected)
	{
		FlakeForm	decoded_form;

		status = flake_fluid_decode(text, size, &decoded_form, &id, &fault);
		must(decoded_form == form);
	}
	else
		status = radix ?
			flake_nanoflake_decode(nanoflake_radix, text, size, &id, &fault) :
			flake_text_decode(form, text, size, &id, &fault);
	must(status == expected.status);
	if (status == FLAKE_OK)
	{
		must(id == expected.id);
		round_trip(form, id);
		if (radix)
			round_trip_radix(id);
	}
	else if (status != FLAKE_OUT_OF_RANGE)
		must(fault.offset == expected.offset &&
			 fault.length == expected.length);
	if (size >= sizeof(id))
	{
		memcpy(&id, text, sizeof(id));
		round_trip(form, form == FLAKE_FORM_BASE36 ||
				   form == FLAKE_FORM_BASE32 ? id & BITS_63 : id);
		if (radix)
			round_trip_radix(id & BITS_63);
	}
	return 0;
}
