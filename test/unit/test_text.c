/*
 * test_text.c
 *		Text forms: vectors in both directions, bad text, random round trips.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/scru160.h"
#include "format/text.h"
#include "unit_text.h"

#define RANDOM_VALUES 1000000

/* Names of a form in the files of vectors. */
typedef struct Named
{
	const char *format;
	const char *encoding;		/* column and name in invalid.tsv */
	FlakeForm	form;
	unsigned	bits;
} Named;

static const Named forms[] = {
	{"fluid", "f58", FLAKE_FORM_F58, 64},
	{"fluid", "f58_ascii", FLAKE_FORM_F58, 64},
	{"fluid", "hex", FLAKE_FORM_HEX, 64},
	{"fluid", "dothex", FLAKE_FORM_DOTHEX, 64},
	{"fluid", "kvs", FLAKE_FORM_KVS, 64},
	{"fluid", "words", FLAKE_FORM_WORDS, 64},
	{"fluid", "emoji", FLAKE_FORM_EMOJI, 64},
	{"fluid", "decimal", FLAKE_FORM_DECIMAL, 64},
	{"nanoflake", "base36", FLAKE_FORM_BASE36, 63},
	{"ulidflake", "text", FLAKE_FORM_BASE32, 63},
};

#define FORMS ((int) (sizeof(forms) / sizeof(forms[0])))

static void
encodes_to(FlakeForm form, uint64_t id, const char *expected)
{
	char		out[FLAKE_TEXT_SIZE + 1];

	out[flake_text_encode(form, id, out)] = '\0';
	CHECK_TEXT(out, expected);
}

static void
decodes_to(FlakeForm form, const char *text, uint64_t expected)
{
	FlakeFault	fault;
	uint64_t	id = ~expected;

	CHECK_EQ(decode(form, text, strlen(text), &id, &fault), FLAKE_OK);
	unit_check(id == expected, __FILE__, __LINE__, "\"%s\" is read as %llu",
			   text, (unsigned long long) id);
}

/* Every text of the column in both directions; U+0192 is only read here. */
static void
test_vectors(const char *file, const Named *named)
{
	Vectors    *rows = vectors_open(file);

	while (vectors_next(rows))
	{
		uint64_t	id = vectors_number(rows, "bigint", 10);
		const char *text = vectors_text(rows, named->encoding);

		if (strcmp(named->encoding, "f58") != 0)
			encodes_to(named->form, id, text);
		decodes_to(named->form, text, id);
	}
}

/* Forms without a column: unsigned decimal, and "job." before dotted hex. */
static void
test_made_vectors(void)
{
	Vectors    *rows = vectors_open("fluid.tsv");

	while (vectors_next(rows))
	{
		uint64_t	id = vectors_number(rows, "bigint", 10);

		char		kvs[32];

		snprintf(kvs, sizeof(kvs), "job.%s", vectors_text(rows, "dothex"));
		encodes_to(FLAKE_FORM_KVS, id, kvs);
		decodes_to(FLAKE_FORM_KVS, kvs, id);
		encodes_to(FLAKE_FORM_DECIMAL, id, vectors_text(rows, "unsigned"));
		decodes_to(FLAKE_FORM_DECIMAL, vectors_text(rows, "unsigned"), id);
	}
}

static const Named *
form_named(const char *format, const char *encoding)
{
	for (int i = 0; i < FORMS; i++)
		if (strcmp(forms[i].format, format) == 0 &&
			strcmp(forms[i].encoding, encoding) == 0)
			return &forms[i];
	return NULL;
}

static void
test_detection(void)
{
	Vectors    *rows = vectors_open("fluid_parse.tsv");

	while (vectors_next(rows))
	{
		const char *text = vectors_text(rows, "input");
		FlakeForm	form;
		FlakeFault	fault;
		uint64_t	id = 0;

		CHECK_EQ(decode_detected(text, strlen(text), &id, &form, &fault),
				 FLAKE_OK);
		CHECK_EQ(form, form_named("fluid",
								  vectors_text(rows, "detected"))->form);
		CHECK_EQ(id, vectors_number(rows, "bigint", 10));
	}
}

/* Status of the decoder that the row of invalid.tsv names; -1 if it is none */
static int
decode_invalid(const char *format, const char *encoding, const char *input)
{
	const Named *named = form_named(format, encoding);
	size_t		length = strlen(input);
	unsigned char bytes[FLAKE_SCRU160_BYTES];
	FlakeForm	form;
	FlakeFault	fault;
	FlakeUuid	uuid;
	uint64_t	id;

	if (named != NULL)
		return (int) decode(named->form, input, length, &id, &fault);
	if (strcmp(format, "fluid") == 0 && strcmp(encoding, "auto") == 0)
		return (int) decode_detected(input, length, &id, &form, &fault);
	if (strcmp(format, "scru160") == 0 && strcmp(encoding, "text") == 0)
		return (int) flake_scru160_decode(input, length, bytes, &fault.offset);
	if (strcmp(format, "uuid") == 0 && strncmp(encoding, "base", 4) == 0)
		return (int) flake_uuid_decode(strcmp(encoding, "base32") == 0 ?
									   FLAKE_UUID_BASE32 : FLAKE_UUID_BASE58,
									   input, length, &uuid, &fault);
	return -1;
}

/* doc/internals/formats.md, section 1: each error has one class. */
static void
test_invalid(void)
{
	Vectors    *rows = vectors_open("invalid.tsv");
	int			texts = 0;

	while (vectors_next(rows))
	{
		const char *format = vectors_text(rows, "format");
		const char *encoding = vectors_text(rows, "encoding");
		const char *input = vectors_text(rows, "input");
		int			status = decode_invalid(format, encoding, input);
		const char *sqlstate = status == FLAKE_OUT_OF_RANGE ? "22003" :
			status == FLAKE_OK ? "00000" : "22P02";

		/* Only strict decoders of 64-bit formats refuse white space. */
		if (status == -1 || (form_named(format, encoding) != NULL &&
							 strncmp(vectors_text(rows, "why"), "white space", 11) == 0))
			continue;
		texts++;
		unit_check(strcmp(sqlstate, vectors_text(rows, "sqlstate")) == 0,
				   __FILE__, __LINE__, "%s %s \"%s\" gives %s", format,
				   encoding, input, sqlstate);
	}
	CHECK_EQ(texts, 207);
}

/* The text between two others, decoded as in <format>_from_text(). */
static FlakeStatus
decode_between(FlakeForm form, const char *before, const char *text,
			   const char *after, uint64_t *id, FlakeFault *fault)
{
	size_t		length = strlen(before) + strlen(text) + strlen(after);
	char	   *whole = malloc(length + 1);
	FlakeStatus status;

	sprintf(whole, "%s%s%s", before, text, after);
	status = flake_text_decode(form, whole, length, id, fault);
	free(whole);
	return status;
}

/* White space at both ends is skipped; positions count from the start. */
static void
test_white(void)
{
	static const char white[] = " \t\n\v\f\r";
	static const char *const texts[] = {"1XD6XHJ", "00CMXB6TAK4SA"};
	static const uint64_t ids[] = {4194324487, 14246757444195114};
	FlakeFault	fault = {0};
	uint64_t	id = 0;

	for (int i = 0; i < 2; i++)
	{
		FlakeForm	form = i == 0 ? FLAKE_FORM_BASE36 : FLAKE_FORM_BASE32;

		CHECK_EQ(decode_between(form, white, texts[i], white, &id, &fault),
				 FLAKE_OK);
		CHECK_EQ(id, ids[i]);
		CHECK_EQ(decode_between(form, "", texts[i], "", &id, &fault),
				 FLAKE_OK);
		CHECK_EQ(decode_between(form, white, "", "", &id, &fault),
				 FLAKE_TOO_SHORT);
		CHECK_EQ(fault.offset, 6);
		CHECK_EQ(decode_between(form, " \n", "00\xc3\xa9" "0", " ", &id, &fault),
				 FLAKE_BAD_CHARACTER);
		CHECK_EQ(fault.offset, 4);
		CHECK_EQ(fault.length, 2);
		CHECK_EQ(decode_between(form, " ", "00 00", " ", &id, &fault),
				 FLAKE_BAD_CHARACTER);
		CHECK_EQ(fault.offset, 3);
		CHECK_EQ(decode_between(form, " ", "ZZZZZZZZZZZZZ", "\r", &id, &fault),
				 FLAKE_OUT_OF_RANGE);
	}
	CHECK_EQ(decode_between(FLAKE_FORM_BASE32, "\t ", "00CM", "  ", &id, &fault),
			 FLAKE_TOO_SHORT);
	CHECK_EQ(fault.offset, 6);

	/* No other characters are white space. */
	for (int byte = 1; byte < 256; byte++)
	{
		const char	before[] = {(char) byte, '\0'};
		FlakeStatus status = decode_between(FLAKE_FORM_BASE32, before,
											texts[1], before, &id, &fault);

		CHECK_EQ(status == FLAKE_OK, strchr(white, byte) != NULL);
	}
}

/* Round trip; the detecting parser also recognizes the encoded text. */
static void
round_trip(const Named *named, uint64_t id)
{
	char		text[FLAKE_TEXT_SIZE];
	size_t		length = flake_text_encode(named->form, id, text);
	FlakeForm	form = named->form;
	FlakeFault	fault;
	uint64_t	back = ~id;
	FlakeStatus status;

	if (strcmp(named->format, "fluid") == 0)
		status = flake_fluid_decode(text, length, &form, &back, &fault);
	else
		status = flake_text_decode(form, text, length, &back, &fault);
	if (status != FLAKE_OK || back != id || form != named->form)
		unit_check(false, __FILE__, __LINE__, "%s %s: %llu comes back as %llu",
				   named->format, named->encoding, (unsigned long long) id,
				   (unsigned long long) back);
}

static void
test_round_trips(const Named *named)
{
	uint64_t	limit = UINT64_MAX >> (64 - named->bits);

	for (int i = 0; i < RANDOM_VALUES; i++)
		round_trip(named, unit_random64() & limit);

	/* All lengths, and both sides of each power of two */
	for (unsigned bits = 0; bits < named->bits; bits++)
		for (uint64_t i = 0; i < 3; i++)
		{
			round_trip(named, ((UINT64_C(1) << bits) + i - 1) & limit);
			round_trip(named, limit >> bits);
		}
	CHECK(true);
}

/* Both sides of every power of a radix, where the number of digits changes. */
static void
test_lengths(void)
{
	static const unsigned radixes[] = {10, 16, 32, 36, 58, 576, 1626};

	for (int i = 0; i < FORMS; i++)
		for (int r = 0; r < 7; r++)
			for (uint64_t power = 1; power <= INT64_MAX / radixes[r];
				 power *= radixes[r])
			{
				round_trip(&forms[i], power);
				round_trip(&forms[i], power - 1);
			}
	encodes_to(FLAKE_FORM_WORDS, UINT64_MAX,
			   "natural-analyze-verbal--natural-analyze-verbal");
	decodes_to(FLAKE_FORM_HEX, "0x00000000000000000000000000001", 1);
	decodes_to(FLAKE_FORM_F58, "f1111111111111111111111111jpXCZedGfVQ",
			   UINT64_MAX);
}

/* Every word is decoded, in capitals too, but not with more letters; no other three letters are. */
static void
test_words(void)
{
	unsigned	known = 0;

	for (uint64_t value = 0; value < 1626; value++)
	{
		char		text[FLAKE_TEXT_SIZE + 1];
		size_t		length = flake_text_encode(FLAKE_FORM_WORDS, value, text);

		text[length] = '\0';
		for (size_t i = 0; i < length; i++)
			if (text[i] != '-')
				text[i] = (char) (text[i] - 'a' + 'A');
		decodes_to(FLAKE_FORM_WORDS, text, value);
		length = strcspn(text, "-");
		memset(text + length, 'q', 16);
		for (size_t more = 1; more <= 16; more++)
		{
			FlakeFault	fault;
			uint64_t	id;

			MUST(decode(FLAKE_FORM_WORDS, text, length + more, &id, &fault) == FLAKE_BAD_MNEMONIC &&
				 fault.offset == 0 && fault.length == length + more);
		}
	}
	for (int i = 0; i < 26 * 26 * 26; i++)
	{
		char		text[] = "adam-adam-adam-adam-adam-xxx";
		FlakeFault	fault;
		uint64_t	id;

		text[25] = (char) ('a' + i / 676);
		text[26] = (char) ('a' + i / 26 % 26);
		text[27] = (char) ('a' + i % 26);
		known += decode(FLAKE_FORM_WORDS, text, strlen(text), &id,
						&fault) != FLAKE_BAD_MNEMONIC;
	}
	CHECK_EQ(known, 0);
}

/* Every radix of a Nanoflake: both ends, and the first invalid digit. */
static void
test_radixes(void)
{
	static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";

	for (unsigned radix = FLAKE_MIN_RADIX; radix <= FLAKE_MAX_RADIX; radix++)
	{
		char		text[FLAKE_NANOFLAKE_TEXT_SIZE + 2];
		char		bad[] = {' ', digits[radix - 1], digits[radix], '\0'};
		FlakeFault	fault = {0};
		uint64_t	id = 0;
		size_t		length;

		for (int i = 0; i < 10000; i++)
		{
			uint64_t	value = unit_random64() >> (1 + i % 63);

			length = flake_nanoflake_encode(radix, value, text);
			text[length] = '\0';
			CHECK(length <= FLAKE_NANOFLAKE_TEXT_SIZE);
			CHECK(length == 1 || text[0] != '0');
			CHECK_EQ(strtoull(text, NULL, (int) radix), value);
			CHECK_EQ(flake_nanoflake_decode(radix, text, length, &id, &fault),
					 FLAKE_OK);
			CHECK_EQ(id, value);
		}
		length = flake_nanoflake_encode(radix, INT64_MAX, text);
		CHECK_EQ(flake_nanoflake_decode(radix, text, length, &id, &fault),
				 FLAKE_OK);
		CHECK_EQ(id, INT64_MAX);
		text[length] = '0';
		CHECK_EQ(flake_nanoflake_decode(radix, text, length + 1, &id, &fault),
				 FLAKE_OUT_OF_RANGE);
		if (radix < FLAKE_MAX_RADIX)
		{
			CHECK_EQ(flake_nanoflake_decode(radix, bad, 3, &id, &fault),
					 FLAKE_BAD_CHARACTER);
			CHECK_EQ(fault.offset, 2);
		}
		CHECK_EQ(flake_nanoflake_decode(radix, " \t", 2, &id, &fault),
				 FLAKE_TOO_SHORT);
		CHECK_EQ(fault.offset, 2);
	}
}

void
test_text(void)
{
	for (int i = 0; i < FORMS; i++)
	{
		static const char *const files[] = {
			"fluid.tsv", "nanoflake.tsv", "ulidflake.tsv"
		};

		for (int f = 0; f < 3; f++)
			if (strncmp(files[f], forms[i].format,
						strlen(forms[i].format)) == 0 &&
				forms[i].form != FLAKE_FORM_DECIMAL &&
				forms[i].form != FLAKE_FORM_KVS)
				test_vectors(files[f], &forms[i]);
		test_round_trips(&forms[i]);
	}
	test_made_vectors();
	test_detection();
	test_invalid();
	test_white();
	test_lengths();
	test_words();
	test_radixes();
}
