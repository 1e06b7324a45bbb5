/*
 * epoch.c
 *		Read YYYY-MM-DD, "T" or a space, HH:MM:SS with up to three decimals,
 *		then Z, +HH, +HHMM or +HH:MM (or -).
 *
 * timestamptz_in() is not used: uniqueness depends on the epoch, which must
 * not vary with a session's TimeZone or DateStyle (doc/internals/design.md,
 * section 8).
 */
#include "format/epoch.h"

/*
 * Advance *text past the pattern, in which 9 stands for a digit, and a space
 * for a space or "T".  Stores each number between the other characters, in
 * their order.
 */
static bool
read_pattern(const char **text, const char *pattern, int *number)
{
	*number = 0;
	for (; *pattern != '\0'; pattern++, (*text)++)
	{
		char		c = **text;

		if (*pattern != '9')
		{
			if (c != *pattern && !(*pattern == ' ' && c == 'T'))
				return false;
			*++number = 0;
		}
		else if (c < '0' || c > '9')
			return false;
		else
			*number = *number * 10 + (c - '0');
	}
	return true;
}

/* Days from 1970-01-01 to a Gregorian date; false if there is no such date. */
static bool
days_of(int year, int month, int day, int64_t *days)
{
	static const int month_days[] = {
		31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31
	};
	const bool	leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
	const int64_t before = year - 1;	/* whole years */

	if (year < 1 || month < 1 || month > 12 || day < 1 ||
		day > month_days[month - 1] + (leap && month == 2))
		return false;
	*days = before * 365 + before / 4 - before / 100 + before / 400 - 719162;
	for (int i = 0; i < month - 1; i++)
		*days += month_days[i];
	*days += (leap && month > 2) + day - 1;
	return true;
}

/* Up to three decimals of a second, if there are any, in milliseconds. */
static bool
read_decimals(const char **text, int *ms)
{
	int			unit = 100;
	int			digit;

	*ms = 0;
	if (**text != '.')
		return true;
	(*text)++;
	for (; unit > 0 && read_pattern(text, "9", &digit); unit /= 10)
		*ms += digit * unit;
	return unit < 100;
}

/* Minutes east of UTC. */
static bool
read_offset(const char **text, int *minutes)
{
	const char	sign = *(*text)++;
	int			hour;
	int			minute = 0;

	*minutes = 0;
	if (sign == 'Z')
		return true;
	if ((sign != '+' && sign != '-') || !read_pattern(text, "99", &hour))
		return false;
	if (**text != '\0')
	{
		*text += **text == ':';
		if (!read_pattern(text, "99", &minute))
			return false;
	}
	*minutes = (sign == '-' ? -1 : 1) * (hour * 60 + minute);
	return hour < 16 && minute < 60;
}

/* Milliseconds since 1970; stores nothing and returns false if invalid. */
bool
flake_epoch_decode(const char *text, int64_t *unix_ms)
{
	int			n[6];
	int64_t		days;
	int			ms;
	int			offset;

	if (!read_pattern(&text, "9999-99-99 99:99:99", n) ||
		!days_of(n[0], n[1], n[2], &days) ||
		n[3] > 23 || n[4] > 59 || n[5] > 59 ||
		!read_decimals(&text, &ms) || !read_offset(&text, &offset) ||
		*text != '\0')
		return false;
	*unix_ms = ((days * 24 + n[3]) * 60 + n[4] - offset) * INT64_C(60000) +
		n[5] * 1000 + ms;
	return true;
}
