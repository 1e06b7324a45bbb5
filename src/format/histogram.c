/*
 * histogram.c
 *		Estimate which fraction of the rows has an id below a given one.
 */
#include "format/histogram.h"

/* New rows are assumed to arrive at the rate of the last 1/20 of the rows. */
#define RECENT_PART	20

/* A bin that is this many times wider than its neighbor spans a gap. */
#define WIDE	100.0

/* An end that means this many times more rows than are known is an outlier. */
#define OUTLIER	10.0

/* Beside other ids, fewer bins of times than this say nothing of times. */
#define FEW		4

/* Largest i < count - 1 with bounds[i] < id; 0 if there is none. */
static int
bin_of(const FlakeHistogram *histogram, uint64_t id)
{
	int			low = 0;
	int			high = histogram->count - 1;

	while (high - low > 1)
	{
		int			middle = low + (high - low) / 2;

		if (histogram->bounds[middle] < id)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* Without a tail; ids below the least one and above the limit are not times. */
FlakeHistogram
flake_histogram(uint64_t *bounds, int count, uint64_t least, uint64_t limit)
{
	FlakeHistogram histogram = {
		.bounds = bounds,
		.count = count,
		.last = count - 1,
	};
	int			first = bounds[0] < least ? bin_of(&histogram, least) + 1 : 0;

	if (bounds[count - 1] > limit)
		histogram.last = bin_of(&histogram, limit);
	if (histogram.last - first < count - 1 && histogram.last - first < FEW)
		histogram.count = 0;
	return histogram;
}

/*
 * Bins per unit of the id: the rate of the last rows, or of fewer if a gap is
 * among them; 0 if it is unknown.
 */
static double
recent_rate(const FlakeHistogram *histogram)
{
	const uint64_t *last = &histogram->bounds[histogram->last];
	int			bins = histogram->last > RECENT_PART ?
		histogram->last / RECENT_PART : 1;
	double		rate = 0;

	for (; bins > 0 && bins <= histogram->last; bins /= 2)
	{
		double		width = (double) (*last - last[-bins]);

		if (width > 0 && (rate <= 0 || bins / width > WIDE * rate))
			rate = bins / width;
	}
	return rate;
}

/*
 * Add the tail: the rows expected up to the end, the greatest id.  If there are
 * ids above the limit, half a bin of it has been seen.
 */
void
flake_histogram_grow(FlakeHistogram *histogram, uint64_t end)
{
	uint64_t	last = histogram->bounds[histogram->last];
	double		rows = end > last ?
		recent_rate(histogram) * (double) (end - last) : 0;

	if (histogram->last < histogram->count - 1)
		rows -= 0.5;
	if (rows <= 0 || rows > OUTLIER * histogram->count)
		return;
	histogram->tail = rows;
	histogram->end = end;
}

/* Position of an id between two others: 0 .. 1. */
static double
position(uint64_t first, uint64_t last, uint64_t id)
{
	if (id <= first)
		return 0;
	if (id >= last)
		return 1;
	return (double) (id - first) / (double) (last - first);
}

static double
width_of(const FlakeHistogram *histogram, int bin)
{
	return (double) (histogram->bounds[bin + 1] - histogram->bounds[bin]);
}

/* Half the width of a bin's neighbor, or all of the bin if it is not wide. */
static uint64_t
part_beside(const FlakeHistogram *histogram, int bin, int neighbor)
{
	if (neighbor >= 0 && neighbor < histogram->count - 1 &&
		width_of(histogram, bin) > WIDE * width_of(histogram, neighbor))
		return (uint64_t) (width_of(histogram, neighbor) / 2) + 1;
	return histogram->bounds[bin + 1] - histogram->bounds[bin];
}

/*
 * Position of an id in its bin.  In a bin that spans a gap, or ids of two
 * kinds, half of the rows follow the previous bin at its rate, and half precede
 * the next one.
 */
static double
position_in_bin(const FlakeHistogram *histogram, int bin, uint64_t id)
{
	uint64_t	first = histogram->bounds[bin];
	uint64_t	last = histogram->bounds[bin + 1];

	return (position(first, first + part_beside(histogram, bin, bin - 1), id) +
			position(last - part_beside(histogram, bin, bin + 1), last, id)) / 2;
}

/* Fraction of the rows below the id: 0 .. 1. */
double
flake_histogram_below(const FlakeHistogram *histogram, uint64_t id)
{
	int			bin = bin_of(histogram, id);
	double		tail = histogram->tail *
		position(histogram->bounds[histogram->last], histogram->end, id);

	return (bin + position_in_bin(histogram, bin, id) + tail) /
		(histogram->count - 1 + histogram->tail);
}
