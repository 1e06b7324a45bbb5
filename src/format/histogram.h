/*
 * histogram.h
 *		Estimate how many rows of a table have an id below a given one.
 *
 * An id is represented by its first 64 bits, as an unsigned number, its key:
 * in every format they hold the time, and grow linearly with it.  ANALYZE
 * writes bounds with the same number of rows, a bin, between any two adjacent
 * ones; the bin is the unit of "rows" here.
 */
#ifndef FLAKEID_FORMAT_HISTOGRAM_H
#define FLAKEID_FORMAT_HISTOGRAM_H

#include <stdbool.h>
#include <stdint.h>

typedef struct FlakeHistogram
{
	const uint64_t *bounds;		/* ascending, unless somebody wrote others */
	int			count;			/* of bounds; less than 2 if nothing is known */
	uint64_t	kind;			/* bits of a key that tell ids of several kinds */
	double		equal;			/* share of the ids equal to one of them */
	bool		has_start;		/* is the least key in the table known, */
	bool		has_end;		/* or the greatest? */
	uint64_t	start;
	uint64_t	end;
	double		growth;			/* rows after the last bound, or 0 */
} FlakeHistogram;

extern int	flake_histogram_search(const FlakeHistogram *histogram,
								   uint64_t key, bool or_equal,
								   bool *asks_start, bool *asks_end);
extern double flake_histogram_growth(const FlakeHistogram *histogram,
									 double most);
extern double flake_histogram_below(const FlakeHistogram *histogram,
									uint64_t key, bool or_equal,
									uint64_t latest);

#endif							/* FLAKEID_FORMAT_HISTOGRAM_H */
