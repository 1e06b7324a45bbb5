/*
 * white.h
 *		Skip white space at both ends of a text, for <format>_from_text.
 */
#ifndef FLAKEID_FORMAT_WHITE_H
#define FLAKEID_FORMAT_WHITE_H

#include <stdbool.h>
#include <stddef.h>

/* Space, tab, newline, vertical tab, form feed, carriage return. */
static inline bool
flake_is_white(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/*
 * Skip white space at both ends.  Returns the offset of the rest and sets
 * *length to its length.  If nothing remains, the offset is the end of the
 * text, where errors are located.
 */
static inline size_t
flake_skip_white(const char *text, size_t *length)
{
	size_t		first = 0;
	size_t		end = *length;

	while (first < end && flake_is_white(text[first]))
		first++;
	while (end > first && flake_is_white(text[end - 1]))
		end--;
	*length = end - first;
	return first;
}

#endif							/* FLAKEID_FORMAT_WHITE_H */
