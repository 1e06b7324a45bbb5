/*
 * histogram.h
 *		How many rows of a table have an id below a given one.
 *
 * An id is its first 64 bits here, as an unsigned number: in every format they
 * hold the time, and grow evenly with it.  A histogram, as ANALYZE leaves it,
 * has the same number of rows between any two neighbouring bounds; the rows
 * that came after the last bound are its tail.
 */
#ifndef FLAKEID_FORMAT_HISTOGRAM_H
#define FLAKEID_FORMAT_HISTOGRAM_H

#include <stdbool.h>
#include <stdint.h>

typedef struct FlakeHistogram
{
	uint64_t   *bounds;			/* ascending */
	int			count;			/* of them; 2 at least */
	double		tail;			/* share of the rows after the last bound */
	uint64_t	end;			/* where these end */
} FlakeHistogram;

/* What is known of the rows that came since ANALYZE. */
typedef struct FlakeGrowth
{
	double		share;			/* of all rows, at least */
	double		most;			/* at most; above 1 if that is not known */
	bool		end_known;		/* the greatest id of the table */
	uint64_t	end;
} FlakeGrowth;

extern double flake_histogram_below(const FlakeHistogram *histogram,
									uint64_t id);
extern void flake_histogram_grow(FlakeHistogram *histogram,
								 const FlakeGrowth *growth);
extern bool flake_histogram_outgrown(const FlakeHistogram *histogram,
									 uint64_t end);

#endif							/* FLAKEID_FORMAT_HISTOGRAM_H */
