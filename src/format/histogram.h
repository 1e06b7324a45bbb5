/*
 * histogram.h
 *		Estimate how many rows of a table have an id below a given one.
 *
 * Ids are represented by their first 64 bits, as an unsigned number: in every
 * format these hold the time, and grow linearly with it.  A histogram written
 * by ANALYZE has the same number of rows between any two adjacent bounds; the
 * rows above the last bound are its tail.
 */
#ifndef FLAKEID_FORMAT_HISTOGRAM_H
#define FLAKEID_FORMAT_HISTOGRAM_H

#include <stdbool.h>
#include <stdint.h>

typedef struct FlakeHistogram
{
	uint64_t   *bounds;			/* ascending */
	int			count;			/* number of bounds, at least 2 */
	double		tail;			/* fraction of the rows above the last bound */
	uint64_t	end;			/* largest id of the tail */
} FlakeHistogram;

/* Known facts about the rows inserted since ANALYZE. */
typedef struct FlakeGrowth
{
	double		share;			/* minimum fraction of all rows */
	double		most;			/* maximum fraction; above 1 if unknown */
	bool		end_known;		/* end is the largest id of the table */
	uint64_t	end;
} FlakeGrowth;

extern double flake_histogram_below(const FlakeHistogram *histogram,
									uint64_t id);
extern void flake_histogram_grow(FlakeHistogram *histogram,
								 const FlakeGrowth *growth);
extern bool flake_histogram_outgrown(const FlakeHistogram *histogram,
									 uint64_t end);

#endif							/* FLAKEID_FORMAT_HISTOGRAM_H */
