/*
 * histogram.h
 *		Estimate how many rows of a table have an id below a given one.
 *
 * Ids are represented by their first 64 bits, as an unsigned number: in every
 * format these hold the time, and grow linearly with it.  A histogram written
 * by ANALYZE has the same number of rows, a bin, between any two adjacent
 * bounds.  In a column of mixed ids only the bounds "first" to "last" are times.
 * The least and the greatest time in the table, start and end, may lie beyond
 * them: in a bin of mixed ids, or among rows inserted after ANALYZE.
 */
#ifndef FLAKEID_FORMAT_HISTOGRAM_H
#define FLAKEID_FORMAT_HISTOGRAM_H

#include <stdbool.h>
#include <stdint.h>

/* So many bins of rows have an id below this one. */
typedef struct FlakeKnot
{
	uint64_t	id;
	double		rank;
} FlakeKnot;

/* Room for the knots of a histogram: its bounds, start, resumed, end */
#define FLAKE_KNOTS(count)	((count) + 3)

typedef struct FlakeHistogram
{
	const uint64_t *bounds;		/* ascending */
	int			count;			/* number of bounds, at least 2 */
	int			first;			/* bound that is a time */
	int			last;			/* likewise; first - 1 if there is none */
	bool		few;			/* mixed ids, and hardly a bound is a time */
	double		others;			/* UUIDv4 in bins per unit of the id, or 0 */
	double		growth;			/* bins added after ANALYZE, at most */
	uint64_t	start;			/* least time in the table, or 0 */
	uint64_t	end;			/* greatest one, or 0 */
	uint64_t	resumed;		/* first one after a gap since ANALYZE, or 0 */
	FlakeKnot  *knots;			/* ascending */
	int			knot_count;		/* 0 if nothing can be said */
} FlakeHistogram;

extern FlakeHistogram flake_histogram(const uint64_t *bounds, int count,
									  uint64_t least, uint64_t greatest,
									  bool is_spread);
extern void flake_histogram_draw(FlakeHistogram *histogram, FlakeKnot *knots);
extern double flake_histogram_below(const FlakeHistogram *histogram,
									uint64_t id);

#endif							/* FLAKEID_FORMAT_HISTOGRAM_H */
