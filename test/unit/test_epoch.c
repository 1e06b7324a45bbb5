/*
 * test_epoch.c
 *		Epochs as set in the configuration: valid and invalid texts.
 */
#include "format/text.h"
#include "unit_uuid.h"

static void
test_accepted(void)
{
	static const struct
	{
		const char *text;
		int64_t		unix_ms;
	}			rows[] = {
		{"2024-01-01 00:00:00+00", INT64_C(1704067200000)},
		{"2024-01-01T00:00:00Z", INT64_C(1704067200000)},
		{"2024-01-01T00:00:00+00:00", INT64_C(1704067200000)},
		{"2024-01-01 00:00:00+0000", INT64_C(1704067200000)},
		{"2024-01-01 00:00:00-00", INT64_C(1704067200000)},
		{"2024-01-01 01:00:00+01", INT64_C(1704067200000)},
		{"2024-01-01 05:45:00+05:45", INT64_C(1704067200000)},
		{"2024-01-01 05:45:00+0545", INT64_C(1704067200000)},
		{"2023-12-31 20:30:00-03:30", INT64_C(1704067200000)},
		{"2023-12-31 08:01:00-15:59", INT64_C(1704067200000)},
		{"2024-01-01 15:59:00+1559", INT64_C(1704067200000)},
		{"2024-01-01 00:00:00.1Z", INT64_C(1704067200100)},
		{"2024-01-01 00:00:00.12Z", INT64_C(1704067200120)},
		{"2024-01-01 00:00:00.123Z", INT64_C(1704067200123)},
		{"2024-01-01 00:00:00.000+00", INT64_C(1704067200000)},
		{"2024-01-01 23:59:59.999Z", INT64_C(1704153599999)},
		{"1970-01-01 00:00:00Z", 0},
		{"1969-12-31 23:59:59.999Z", -1},
		{"0001-01-01 00:00:00Z", INT64_C(-62135596800000)},
		{"0001-01-01 00:00:00+15:59", INT64_C(-62135654340000)},
		{"9999-12-31 23:59:59.999Z", INT64_C(253402300799999)},

		/* leap years, and the days around the ends of February */
		{"2024-02-29 00:00:00Z", INT64_C(1709164800000)},
		{"2024-03-01 00:00:00Z", INT64_C(1709251200000)},
		{"2023-03-01 00:00:00Z", INT64_C(1677628800000)},
		{"2000-02-29 00:00:00Z", INT64_C(951782400000)},
		{"1900-02-28 00:00:00Z", INT64_C(-2203977600000)},
		{"1900-03-01 00:00:00Z", INT64_C(-2203891200000)},
		{"2024-12-31 00:00:00Z", INT64_C(1735603200000)},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
	{
		int64_t		unix_ms = 0;

		unit_check(flake_epoch_decode(rows[i].text, &unix_ms), __FILE__,
				   __LINE__, "\"%s\" was rejected", rows[i].text);
		CHECK_EQ(unix_ms, rows[i].unix_ms);
	}
}

static const char *const refused[] = {
	"", " ", "2024", "2024-01-01", "2024-01-01 ", "2024-01-01T",
	"2024-01-01 00:00:00",		/* no offset, so no definite time */
	"infinity", "-infinity", "epoch", "now", "today", "NaN", "0",
	"2024-01-01 00:00:00+00 BC", "2024-01-01 00:00:00 BC",
	"-2024-01-01 00:00:00Z", "+2024-01-01 00:00:00Z",

	/* the date */
	"0000-01-01 00:00:00Z", "024-01-01 00:00:00Z", "12024-01-01 00:00:00Z",
	"2O24-01-01 00:00:00Z", "202/-01-01 00:00:00Z", "202:-01-01 00:00:00Z",
	"2024/01/01 00:00:00Z", "20240101 00:00:00Z", "2024-0101 00:00:00Z",
	"2024-1-01 00:00:00Z", "2024-01-1 00:00:00Z",
	"01-01-2024 00:00:00Z", "2024-Jan-01 00:00:00Z",
	"2024-00-01 00:00:00Z", "2024-13-01 00:00:00Z", "2024-01-00 00:00:00Z",
	"2024-01-32 00:00:00Z", "2024-04-31 00:00:00Z", "2024-06-31 00:00:00Z",
	"2024-09-31 00:00:00Z", "2024-11-31 00:00:00Z", "2024-12-32 00:00:00Z",
	"2024-02-30 00:00:00Z", "2023-02-29 00:00:00Z", "1900-02-29 00:00:00Z",
	"2100-02-29 00:00:00Z",

	/* the separators */
	"2024-01-01t00:00:00Z", "2024-01-01  00:00:00Z", "2024-01-01\t00:00:00Z",
	"2024-01-01_00:00:00Z", "2024-01-01T 00:00:00Z", "2024-01-0100:00:00Z",

	/* the time */
	"2024-01-01 24:00:00Z", "2024-01-01 00:60:00Z", "2024-01-01 00:00:60Z",
	"2024-01-01 0:00:00Z", "2024-01-01 00:0:00Z", "2024-01-01 00:00:0Z",
	"2024-01-01 00:00Z", "2024-01-01 00Z", "2024-01-01 000000Z",
	"2024-01-01 00.00:00Z", "2024-01-01 00:00.00Z", "2024-01-01 -1:00:00Z",
	"2024-01-01 00:00:00.Z", "2024-01-01 00:00:00.1234Z",
	"2024-01-01 00:00:00.0000Z", "2024-01-01 00:00:00,1Z",
	"2024-01-01 00:00:00..1Z", "2024-01-01 00:00:00.-1Z",
	"2024-01-01 00:00:00. 1Z",

	/* the offset */
	"2024-01-01 00:00:00z", "2024-01-01 00:00:00 Z", "2024-01-01 00:00:00 +00",
	"2024-01-01 00:00:00UTC", "2024-01-01 00:00:00 Europe/Berlin",
	"2024-01-01 00:00:00+", "2024-01-01 00:00:00+0", "2024-01-01 00:00:00-",
	"2024-01-01 00:00:00+16", "2024-01-01 00:00:00-16:00",
	"2024-01-01 00:00:00+00:60", "2024-01-01 00:00:00+0060",
	"2024-01-01 00:00:00+000", "2024-01-01 00:00:00+00:0",
	"2024-01-01 00:00:00+00:", "2024-01-01 00:00:00+00:00:00",
	"2024-01-01 00:00:00+00::00", "2024-01-01 00:00:00+00000",
	"2024-01-01 00:00:00+-1", "2024-01-01 00:00:00+00.00",
	"2024-01-01 00:00:00Z+00",

	/* text before and after */
	" 2024-01-01 00:00:00Z", "2024-01-01 00:00:00Z ", "2024-01-01 00:00:00+00 ",
	"2024-01-01 00:00:00Zulu", "'2024-01-01 00:00:00Z'",
	"2024-01-01 00:00:00Z\n", "\xef\xbb\xbf" "2024-01-01 00:00:00Z",
	"\xd9\xa2\xd9\xa0\xd9\xa2\xd9\xa4-01-01 00:00:00Z",
};

static void
test_refused(void)
{
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
	{
		int64_t		unix_ms = 77;

		unit_check(!flake_epoch_decode(refused[i], &unix_ms), __FILE__,
				   __LINE__, "\"%s\" was accepted", refused[i]);
		CHECK_EQ(unix_ms, 77);
	}
}

/* An epoch truncated anywhere is invalid, unless a shorter offset is valid. */
static void
test_cut_short(void)
{
	static const char whole[] = "2024-02-29 12:34:56.789+01:30";
	char		text[sizeof(whole)];

	for (size_t length = 0; length < sizeof(whole); length++)
	{
		int64_t		unix_ms;

		memcpy(text, whole, length);
		text[length] = '\0';
		CHECK_EQ(flake_epoch_decode(text, &unix_ms),
				 length == 26 || length == 29);
	}
}

/* Random instants, compared with another way of counting days */
static void
test_random(void)
{
	for (int i = 0; i < 10000; i++)
	{
		uint64_t	random = unit_random64();
		int			year = 1 + (int) (random % 9999);
		int			month = 1 + (int) (random >> 16 & 0xffff) % 12;
		int			day = 1 + (int) (random >> 32 & 0xffff) % 28;
		int			hour = (int) (random >> 40 & 0xffff) % 24;
		int			minute = (int) (random >> 44 & 0xffff) % 60;
		int			second = (int) (random >> 48 & 0xffff) % 60;
		int			ms = (int) (unit_random64() % 1000);
		int			offset = (int) (unit_random64() % 1919) - 959;
		int64_t		unix_us;
		int64_t		unix_ms = 0;
		char		text[128];

		snprintf(text, sizeof(text), "%04d-%02d-%02d %02d:%02d:%02d.%06d+00",
				 year, month, day, hour, minute, second, ms * 1000);
		unix_us = parse_unix_us(text);
		snprintf(text, sizeof(text), "%04d-%02d-%02d%c%02d:%02d:%02d.%03d%c%02d:%02d",
				 year, month, day, random >> 63 ? 'T' : ' ', hour, minute,
				 second, ms, offset < 0 ? '-' : '+', abs(offset) / 60,
				 abs(offset) % 60);
		MUST(flake_epoch_decode(text, &unix_ms));
		if (unix_ms != unix_us / 1000 - offset * INT64_C(60000) ||
			unix_us % 1000 != 0)
			unit_check(false, __FILE__, __LINE__, "\"%s\" was read as %lld",
					   text, (long long) unix_ms);
	}
}

void
test_epoch(void)
{
	test_accepted();
	test_refused();
	test_cut_short();
	test_random();
}
