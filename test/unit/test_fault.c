/*
 * test_fault.c
 *		Where text begins, ends, and has characters.  The fuzz tests compare the
 *		positions of errors.
 */
#include "format/text.h"
#include "unit_text.h"

static void
refuses(FlakeForm form, const char *text, FlakeStatus status, size_t offset,
		size_t length)
{
	FlakeFault	fault = {0};
	uint64_t	id;
	FlakeStatus actual = decode(form, text, strlen(text), &id, &fault);

	CHECK_FAULT(text, actual, fault, status, offset, length);
}

/* Bytes after the end of a text are not part of it. */
static void
test_beyond_end(void)
{
	const char *text = " \xc6\x92" "1";
	FlakeFault	fault = {0};
	uint64_t	id;

	CHECK_EQ(flake_text_decode(FLAKE_FORM_F58, text, 2, &id, &fault), FLAKE_BAD_CHARACTER);
	CHECK(fault.offset == 1 && fault.length == 1);
	CHECK_EQ(flake_text_decode(FLAKE_FORM_F58, text, 3, &id, &fault), FLAKE_TOO_SHORT);
	CHECK(fault.offset == 3 && fault.length == 0);
}

/* Text that remains after white space at both ends is skipped */
static void
delimits(const char *text, size_t first, size_t length)
{
	size_t		actual_length = strlen(text);

	CHECK_EQ(flake_skip_white(text, &actual_length), first);
	CHECK_EQ(actual_length, length);
}

static void
test_white_space(void)
{
	delimits("1", 0, 1);
	delimits(" \t\n\v\f\r1 2\r\f\v\n\t ", 6, 3);
	delimits("    ", 4, 0);
	delimits("\xc2\xa0" "1\xc2\xa0", 0, 5);
}

/* Bytes of a character: the first and the last one of each length */
static void
test_utf8_lengths(void)
{
	static const struct
	{
		const char *text;
		size_t		length;
	}			characters[] = {
		{"\x01", 1}, {"\x7f", 1},
		{"\xc2\x80", 2}, {"\xdf\xbf", 2},
		{"\xe0\xa0\x80", 3}, {"\xef\xbf\xbf", 3},
		{"\xf0\x90\x80\x80", 4}, {"\xf4\x8f\xbf\xbf", 4},
		{"\x80", 1}, {"\xbf", 1}, {"\xc1\xbf", 1}, {"\xf5\x80\x80\x80", 1},
		{"\xff", 1}, {"\xf4\x8f\xbf", 1}, {"\xf4\x8f\xbf\x7f", 1}
	};

	for (size_t i = 0; i < sizeof(characters) / sizeof(characters[0]); i++)
	{
		const char *text = characters[i].text;

		CHECK_EQ(flake_utf8_length(text, strlen(text)), characters[i].length);
	}
	CHECK_EQ(flake_utf8_length("", 0), 0);
	refuses(FLAKE_FORM_EMOJI, "\xf4\x8f\xbf\xbf", FLAKE_BAD_CHARACTER, 0, 4);
	refuses(FLAKE_FORM_F58, "f1\xf4\x8f\xbf\xbf" "1", FLAKE_BAD_CHARACTER, 2, 4);
	refuses(FLAKE_FORM_WORDS, "adam-\xf4\x8f\xbf\xbf", FLAKE_BAD_CHARACTER,
			5, 4);
}

void
test_fault(void)
{
	test_beyond_end();
	test_white_space();
	test_utf8_lengths();
}
