/*
 * white.h
 *		White space at both ends of a text, which <format>_from_text skips.
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
 * Skips white space, first at the beginning: returns the offset of the rest,
 * whose length goes to *length.
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
