/*
 * fuzz_text.c
 *		libFuzzer target for one text decoder.  FORM is its name in text.h
 *		(-DFORM=FLAKE_FORM_HEX).  With -DNANOFLAKE the first byte chooses the
 *		radix of a Nanoflake.  Without FORM, the target is the detecting parser.
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

#ifdef NANOFLAKE
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
#endif

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

#ifndef FORM
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
 * Form of a text by the rules of doc/internals/formats.md, without white space around it
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
	return begins(text, length, "f") || begins(text, length, "\xc6\x92") ?
		FLAKE_FORM_F58 :
		begins(text, length, "\xf0\x9f") ? FLAKE_FORM_EMOJI :
		begins(text, length, "0x") ? FLAKE_FORM_HEX : FLAKE_FORM_DECIMAL;
}

/*
 * Read the text between white space; positions count from the start of the
 * whole.
 */
static Finding
find_detected(const char *text, size_t length, FlakeForm *form)
{
	size_t		first = trim(text, &length);
	Finding		finding;

	text += first;
	*form = detect(text, length);
	finding = find(*form, text, length);
	finding.offset += first;
	return finding;
}
#endif

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *) data;
	FlakeFault	fault = {.offset = SIZE_MAX};
	FlakeStatus status;
	Finding		expected;
	uint64_t	id = 0;
#ifdef FORM
	FlakeForm	form = FORM;
	size_t		length;
	size_t		first;

#ifdef NANOFLAKE
	if (size == 0)
		return 0;
	nanoflake_radix = 2 + data[0] % 35;
	text++;
	size--;
#endif
	length = size;
	first = trim(text, &length);
	expected = find(form, text + first, length);
	expected.offset += first;
#ifdef NANOFLAKE
	status = flake_nanoflake_decode(nanoflake_radix, text, size, &id, &fault);
#else
	status = flake_text_decode(form, text, size, &id, &fault);
#endif
#else
	FlakeForm	form;
	FlakeForm	expected_form;

	expected = find_detected(text, size, &expected_form);
	status = flake_fluid_decode(text, size, &form, &id, &fault);
	must(form == expected_form);
	if (form == FLAKE_FORM_F58)
	{
		size_t		length = size;
		size_t		first = trim(text, &length);

		must(flake_f58_is_plain(text, size) == (text[first] == 'f'));
	}
#endif
	must(status == expected.status);
	if (status == FLAKE_OK)
	{
		must(id == expected.id);
		round_trip(form, id);
#ifdef NANOFLAKE
		round_trip_radix(id);
#endif
	}
	else if (status != FLAKE_OUT_OF_RANGE)
		must(fault.offset == expected.offset &&
			 fault.length == expected.length);
	if (size >= sizeof(id))
	{
		memcpy(&id, text, sizeof(id));
		round_trip(form, form == FLAKE_FORM_BASE36 ||
				   form == FLAKE_FORM_BASE32 ? id & BITS_63 : id);
#ifdef NANOFLAKE
		round_trip_radix(id & BITS_63);
#endif
	}
	return 0;
}
