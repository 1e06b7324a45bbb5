/*
 * fuzz_epoch.c
 *		libFuzzer target: compares the reader of epochs with a second one,
 *		which uses a pattern and the calendar of the C library.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "format/epoch.h"

int			LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* True if the text begins with the pattern, in which 9 is any digit. */
static bool
begins_with(const char *text, const char *pattern)
{
	for (; *pattern != '\0'; text++, pattern++)
		if (*pattern == '9' ? *text < '0' || *text > '9' : *text != *pattern)
			return false;
	return true;
}

/* Offset at the end of the text in minutes, or 9999. */
static int
offset_of(const char *text)
{
	int			hours;
	int			minutes = 0;

	if (strcmp(text, "Z") == 0)
		return 0;
	if (!((begins_with(text, "+99") || begins_with(text, "-99")) &&
		  (strlen(text) == 3 ||
		   (strlen(text) == 5 && begins_with(text + 3, "99")) ||
		   (strlen(text) == 6 && begins_with(text + 3, ":99")))))
		return 9999;
	hours = atoi((char[]) {text[1], text[2], '\0'});
	if (strlen(text) > 3)
		minutes = atoi(text + strlen(text) - 2);
	if (hours > 15 || minutes > 59)
		return 9999;
	return (text[0] == '-' ? -1 : 1) * (60 * hours + minutes);
}

static bool
read_epoch(const char *text, int64_t *unix_ms)
{
	struct tm	tm = {0};
	struct tm	again;
	time_t		seconds;
	int			ms = 0;
	int			offset;

	if (!begins_with(text, "9999-99-99 99:99:99") &&
		!begins_with(text, "9999-99-99T99:99:99"))
		return false;
	tm.tm_year = atoi(text) - 1900;
	tm.tm_mon = atoi(text + 5) - 1;
	tm.tm_mday = atoi(text + 8);
	tm.tm_hour = atoi(text + 11);
	tm.tm_min = atoi(text + 14);
	tm.tm_sec = atoi(text + 17);
	text += 19;
	if (*text == '.')
	{
		char		decimals[4] = "000";
		int			n = 0;

		for (text++; n < 3 && *text >= '0' && *text <= '9'; text++)
			decimals[n++] = *text;
		if (n == 0)
			return false;
		ms = atoi(decimals);
	}
	offset = offset_of(text);
	again = tm;
	seconds = timegm(&again);
	if (offset == 9999 || tm.tm_year < 1 - 1900)
		return false;

	/* timegm() normalizes a date or time that does not exist. */
	*unix_ms = (int64_t) seconds * 1000 + ms - offset * INT64_C(60000);
	return again.tm_year == tm.tm_year && again.tm_mon == tm.tm_mon &&
		again.tm_mday == tm.tm_mday && again.tm_hour == tm.tm_hour &&
		again.tm_min == tm.tm_min && again.tm_sec == tm.tm_sec;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const int64_t untouched = INT64_C(0x5a5a5a5a5a5a5a5a);
	char	   *text = malloc(size + 1);
	int64_t		expected = 0;
	int64_t		unix_ms = untouched;
	bool		good;

	memcpy(text, data, size);
	text[size] = '\0';
	good = read_epoch(text, &expected);
	if (flake_epoch_decode(text, &unix_ms) != good ||
		unix_ms != (good ? expected : untouched))
		abort();
	free(text);
	return 0;
}
