/*
 * test_fault.c
 *		Positions of errors that decoders report.
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

/* Location of the error: the character or word that a message quotes. */
static void
test_faults(void)
{
	FlakeFault	fault;
	uint64_t	id;

	/* Digits beyond the end, and characters beyond the range, are not read. */
	CHECK_EQ(decode(FLAKE_FORM_EMOJI, "\xf0\x9f\x98\x83", 3, &id, &fault),
			 FLAKE_BAD_CHARACTER);
	CHECK_EQ(decode(FLAKE_FORM_EMOJI, "\xf0\x9f\x98\x83\xf0\x9f\x98\x83", 7, &id,
					&fault), FLAKE_BAD_CHARACTER);
	CHECK_EQ(decode(FLAKE_FORM_BASE36, "1y2p0ij32e8e7", 13, &id, &fault), FLAKE_OK);
	CHECK_EQ(decode(FLAKE_FORM_BASE36, "1y2p0ij32e8e8!", 14, &id, &fault),
			 FLAKE_OUT_OF_RANGE);
	refuses(FLAKE_FORM_F58, "", FLAKE_TOO_SHORT, 0, 0);
	refuses(FLAKE_FORM_F58, "f", FLAKE_TOO_SHORT, 1, 0);
	refuses(FLAKE_FORM_F58, "flux", FLAKE_BAD_CHARACTER, 1, 1);
	refuses(FLAKE_FORM_F58, "\xc6", FLAKE_BAD_CHARACTER, 0, 1);
	refuses(FLAKE_FORM_F58, "\xc6\x91", FLAKE_BAD_CHARACTER, 0, 2);
	refuses(FLAKE_FORM_F58, "\xc6\x92u\xc3\xa9", FLAKE_BAD_CHARACTER, 3, 2);
	refuses(FLAKE_FORM_HEX, "0", FLAKE_TOO_SHORT, 1, 0);
	refuses(FLAKE_FORM_HEX, "0X1", FLAKE_BAD_CHARACTER, 1, 1);
	refuses(FLAKE_FORM_DOTHEX, "1.2.3", FLAKE_TOO_SHORT, 5, 0);
	refuses(FLAKE_FORM_DOTHEX, "1.2.3.", FLAKE_TOO_SHORT, 6, 0);
	refuses(FLAKE_FORM_DOTHEX, "1.2.34567.8", FLAKE_BAD_CHARACTER, 8, 1);
	refuses(FLAKE_FORM_DOTHEX, "1.2.3.4.", FLAKE_BAD_CHARACTER, 7, 1);
	refuses(FLAKE_FORM_KVS, "", FLAKE_TOO_SHORT, 0, 0);
	refuses(FLAKE_FORM_KVS, "job", FLAKE_TOO_SHORT, 3, 0);
	refuses(FLAKE_FORM_KVS, "job.", FLAKE_TOO_SHORT, 4, 0);
	refuses(FLAKE_FORM_KVS, "jOb.1.2.3.4", FLAKE_BAD_CHARACTER, 1, 1);
	refuses(FLAKE_FORM_KVS, "1.2.3.4", FLAKE_BAD_CHARACTER, 0, 1);
	refuses(FLAKE_FORM_KVS, "jo\xc6\x92.1.2.3.4", FLAKE_BAD_CHARACTER, 2, 2);
	refuses(FLAKE_FORM_KVS, "job.1.2.3.x", FLAKE_BAD_CHARACTER, 10, 1);
	refuses(FLAKE_FORM_KVS, "job.1.2.3.4.x", FLAKE_BAD_CHARACTER, 11, 1);
	refuses(FLAKE_FORM_WORDS, "", FLAKE_TOO_SHORT, 0, 0);
	refuses(FLAKE_FORM_WORDS, "-a", FLAKE_BAD_CHARACTER, 0, 1);
	refuses(FLAKE_FORM_WORDS, "adam-", FLAKE_TOO_SHORT, 5, 0);
	refuses(FLAKE_FORM_WORDS, "adam-bogus-adam", FLAKE_BAD_MNEMONIC, 5, 5);
	refuses(FLAKE_FORM_WORDS, "adam-bogusbogusbogus-", FLAKE_BAD_MNEMONIC, 5, 15);
	refuses(FLAKE_FORM_WORDS, "adam-ad4m-adam", FLAKE_BAD_CHARACTER, 7, 1);
	refuses(FLAKE_FORM_WORDS, "adam-ad@m-adam", FLAKE_BAD_CHARACTER, 7, 1);
	refuses(FLAKE_FORM_WORDS, "adam-ad{m-adam", FLAKE_BAD_CHARACTER, 7, 1);
	refuses(FLAKE_FORM_WORDS, "adam-ad\x7fm-adam", FLAKE_BAD_CHARACTER, 7, 1);
	refuses(FLAKE_FORM_WORDS, "adam-adam-adam-adam-adam-adam-",
			FLAKE_BAD_CHARACTER, 29, 1);
	refuses(FLAKE_FORM_WORDS, "adam-adam+adam-adam-adam-adam",
			FLAKE_BAD_CHARACTER, 9, 1);
	refuses(FLAKE_FORM_EMOJI, "\xf0\x9f\x98", FLAKE_BAD_CHARACTER, 0, 1);
	refuses(FLAKE_FORM_EMOJI, "\xf0\x9f\x98\x83\xf0\x9f\xa6\x84",
			FLAKE_BAD_CHARACTER, 4, 4);
	refuses(FLAKE_FORM_BASE32, "00CMXB6TAK4S", FLAKE_TOO_SHORT, 12, 0);
	refuses(FLAKE_FORM_BASE32, "00CMXB6TAK4SAA", FLAKE_BAD_CHARACTER, 13, 1);

	/* The first error, also in a text of more than 13 bytes */
	refuses(FLAKE_FORM_BASE32, "00CMXB6TAK4S\xc3\xa9", FLAKE_BAD_CHARACTER,
			12, 2);
	refuses(FLAKE_FORM_BASE32, "\xc3\xa9" "0CMXB6TAK4SA", FLAKE_BAD_CHARACTER,
			0, 2);
	refuses(FLAKE_FORM_BASE32, "00CM-XB6TAK4SA", FLAKE_BAD_CHARACTER, 4, 1);
	refuses(FLAKE_FORM_BASE32, "ZZZZZZZZZZZZZZ", FLAKE_BAD_CHARACTER, 13, 1);
}

/* Form detected in spite of an error, and the location of the error */
static void
detects(const char *text, FlakeForm form, FlakeStatus status, size_t offset,
		size_t length)
{
	FlakeForm	actual_form;
	FlakeFault	fault = {0};
	uint64_t	id;
	FlakeStatus actual = decode_detected(text, strlen(text), &id, &actual_form,
										 &fault);

	unit_check(actual == status && actual_form == form &&
			   fault.offset == offset && fault.length == length,
			   __FILE__, __LINE__,
			   "\"%s\" is of form %d, status %d at %zu, %zu bytes", text,
			   actual_form, actual, fault.offset, fault.length);
}

static void
test_detected_faults(void)
{
	detects("", FLAKE_FORM_DECIMAL, FLAKE_TOO_SHORT, 0, 0);
	detects("    ", FLAKE_FORM_DECIMAL, FLAKE_TOO_SHORT, 4, 0);
	detects(" 12 34 ", FLAKE_FORM_DECIMAL, FLAKE_BAD_CHARACTER, 3, 1);
	detects(" 0x1 2", FLAKE_FORM_HEX, FLAKE_BAD_CHARACTER, 4, 1);
	detects("f1!1", FLAKE_FORM_F58, FLAKE_BAD_CHARACTER, 2, 1);
	detects("\xc6\x92" "1 1", FLAKE_FORM_F58, FLAKE_BAD_CHARACTER, 3, 1);
	detects(" job.1 ", FLAKE_FORM_KVS, FLAKE_TOO_SHORT, 6, 0);
	detects("Job.1.2.3.4", FLAKE_FORM_DOTHEX, FLAKE_BAD_CHARACTER, 0, 1);
	detects("a. b", FLAKE_FORM_DOTHEX, FLAKE_BAD_CHARACTER, 2, 1);
	detects("job 1.2.3.4", FLAKE_FORM_DOTHEX, FLAKE_BAD_CHARACTER, 0, 1);
	detects("a-b.c", FLAKE_FORM_DOTHEX, FLAKE_BAD_CHARACTER, 1, 1);

	/* What surrounds the letters in ASCII is none. */
	detects("{ 1", FLAKE_FORM_DECIMAL, FLAKE_BAD_CHARACTER, 0, 1);
	detects("@ 1", FLAKE_FORM_DECIMAL, FLAKE_BAD_CHARACTER, 0, 1);
	detects("` 1", FLAKE_FORM_DECIMAL, FLAKE_BAD_CHARACTER, 0, 1);
	detects("a~ b", FLAKE_FORM_WORDS, FLAKE_BAD_CHARACTER, 1, 1);

	/* Words: texts with white space after a letter, or with a hyphen */
	detects(" f1 1", FLAKE_FORM_WORDS, FLAKE_BAD_CHARACTER, 2, 1);
	detects("reform remote\n", FLAKE_FORM_WORDS, FLAKE_TOO_SHORT, 13, 0);
	detects("Zebra remot\trobert", FLAKE_FORM_WORDS, FLAKE_BAD_MNEMONIC, 6, 5);
	detects("adam bogusbogusbogus ", FLAKE_FORM_WORDS, FLAKE_BAD_MNEMONIC, 5, 15);
	detects("adam bog\xc3\xa9 adam", FLAKE_FORM_WORDS, FLAKE_BAD_CHARACTER, 8, 2);
	detects("12 -34", FLAKE_FORM_WORDS, FLAKE_BAD_CHARACTER, 0, 1);
	detects(" -adam adam adam adam adam adam", FLAKE_FORM_WORDS,
			FLAKE_BAD_CHARACTER, 1, 1);
	detects("adam adam adam adam adam adam -", FLAKE_FORM_WORDS,
			FLAKE_BAD_CHARACTER, 29, 1);
	detects("adam adam adam adam adam adam adam", FLAKE_FORM_WORDS,
			FLAKE_BAD_CHARACTER, 29, 1);
	detects("adam adam\xc2\xa0" "adam", FLAKE_FORM_WORDS, FLAKE_BAD_CHARACTER,
			9, 2);
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
	test_faults();
	test_beyond_end();
	test_detected_faults();
	test_white_space();
	test_utf8_lengths();
}
