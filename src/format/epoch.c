/*
 * epoch.c
 *		Read YYYY-MM-DD, "T" or a space, HH:MM:SS with up to three decimals, then
 *		Z, +HH, +HHMM or +HH:MM (or -).
 *
 * timestamptz_in() is not used: uniqueness depends on the epoch, which must
 * not vary with a session's TimeZone or DateStyle (doc/internals/design.md, section 8).
 */
#include "format/text.h"

/* Read exactly count digits, or nothing. */
static bool
read_digits(const char **text, int count, int *value)
{
	int			result = 0;

	for (int i = 0; i < count; i++)
	{
		char		c = (*text)[i];

		if (c < '0' || c > '9')
			return false;
		result = result * 10 + (c - '0');
	}
	*text += count;
	*value = result;
	return true;
}

static bool
read_char(const char **text, char expected)
{
	if (**text != expected)
		return false;
	(*text)++;
	return true;
}

/* Days from 1970-01-01 to a Gregorian date; false if there is no such date. */
static bool
read_date(const char **text, int64_t *days)
{
	static const int month_days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	int			year;
	int			month;
	int			day;
	bool		leap;
	int64_t		before;			/* whole years before this one */

	if (!read_digits(text, 4, &year) || !read_char(text, '-') ||
		!read_digits(text, 2, &month) || !read_char(text, '-') ||
		!read_digits(text, 2, &day) ||
		year < 1 || month < 1 || month > 12 || day < 1)
		return false;
	leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
	if (day > month_days[month - 1] + (leap && month == 2))
		return false;
	before = year - 1;
	*days = before * 365 + before / 4 - before / 100 + before / 400 - 719162;
	for (int i = 0; i < month - 1; i++)
		*days += month_days[i];
	*days += (leap && month > 2) + day - 1;
	return true;
}

/* Milliseconds since midnight. */
static bool
read_time(const char **text, int64_t *ms)
{
	int			hour;
	int			minute;
	int			second;
	int			decimal;
	int			unit = 100;

	if (!read_digits(text, 2, &hour) || !read_char(text, ':') ||
		!read_digits(text, 2, &minute) || !read_char(text, ':') ||
		!read_digits(text, 2, &second) ||
		hour > 23 || minute > 59 || second > 59)
		return false;
	*ms = ((hour * 60 + minute) * 60 + second) * INT64_C(1000);
	if (!read_char(text, '.'))
		return true;
	if (!read_digits(text, 1, &decimal))
		return false;
	do
	{
		*ms += decimal * unit;
		unit /= 10;
	} while (unit > 0 && read_digits(text, 1, &decimal));
	return true;
}

/* Minutes east of UTC. */
static bool
read_offset(const char **text, int *minutes)
{
	int			sign = **text == '-' ? -1 : 1;
	int			hour;
	int			minute = 0;

	*minutes = 0;
	if (read_char(text, 'Z'))
		return true;
	if (!read_char(text, '+') && !read_char(text, '-'))
		return false;
	if (!read_digits(text, 2, &hour))
		return false;
	if (**text != '\0')
	{
		(void) read_char(text, ':');
		if (!read_digits(text, 2, &minute))
			return false;
	}
	*minutes = sign * (hour * 60 + minute);
	return hour < 16 && minute < 60;
}

/* Milliseconds since 1970; for invalid text, returns false and stores nothing. */
bool
flake_epoch_decode(const char *text, int64_t *unix_ms)
{
	int64_t		days;
	int64_t		ms;
	int			offset;

	if (!read_date(&text, &days) ||
		!(read_char(&text, 'T') || read_char(&text, ' ')) ||
		!read_time(&text, &ms) ||
		!read_offset(&text, &offset) ||
		*text != '\0')
		return false;
	*unix_ms = days * INT64_C(86400000) + ms - offset * INT64_C(60000);
	return true;
}
