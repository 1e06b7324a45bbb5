/*
 * test_text.c
 *		Text forms: random round trips, lengths, words, radixes.
 *		The tests in SQL read the vectors.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/text.h"
#include "unit_text.h"

#define RANDOM_VALUES 1000000

/* A form, its format, and the bits of an id */
typedef struct Named
{
	const char *format;
	const char *encoding;
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
		test_round_trips(&forms[i]);
	test_lengths();
	test_words();
	test_radixes();
}
