/*
 * histogram.h
 *		Estimate how many rows of a table have an id below a given one.
 *
 * Ids are represented by their first 64 bits, as an unsigned number: in every
 * format these hold the time, and grow linearly with it.  A histogram written
 * by ANALYZE has the same number of rows, a bin, between any two adjacent
 * bounds.  Rows inserted since then are the tail, above the bound "last": the
 * last one, except in a column of mixed ids, where greater ones are not times.
 * Where too few bins are of times, the count is 0: nothing can be said.
 */
#ifndef FLAKEID_FORMAT_HISTOGRAM_H
#define FLAKEID_FORMAT_HISTOGRAM_H

#include <stdint.h>

typedef struct FlakeHistogram
{
	uint64_t   *bounds;			/* ascending */
	int			count;			/* number of bounds, at least 2; or 0 */
	int			last;			/* index of the bound that the tail follows */
	double		tail;			/* rows of the tail, in bins */
	uint64_t	end;			/* last id of the tail */
} FlakeHistogram;

extern FlakeHistogram flake_histogram(uint64_t *bounds, int count,
									  uint64_t least, uint64_t limit);
extern void flake_histogram_grow(FlakeHistogram *histogram, uint64_t end);
extern double flake_histogram_below(const FlakeHistogram *histogram,
									uint64_t id);

#endif							/* FLAKEID_FORMAT_HISTOGRAM_H */
