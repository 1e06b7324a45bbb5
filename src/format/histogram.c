/*
 * histogram.c
 *		Estimate how many rows of a table have an id below a given one.  See
 *		histogram.h.
 */
#include "format/histogram.h"

/* New rows are assumed to arrive at the rate of the last 1/20 of the rows. */
#define RECENT_PART	20

/* A bin that is this many times wider than the next one spans a gap. */
#define WIDE	100.0

/* At most this many new rows for each row seen by ANALYZE. */
#define MOST_GROWTH	100.0

/* Without a tail; count is at least 2. */
FlakeHistogram
flake_histogram(uint64_t *bounds, int count)
{
	uint64_t	last = bounds[count - 1];

	return (FlakeHistogram) {
		.bounds = bounds,
		.count = count,
		.last = count - 1,
		.start = last,
		.end = last,
	};
}

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

/* Ids above the limit are not times. */
void
flake_histogram_limit(FlakeHistogram *histogram, uint64_t limit)
{
	histogram->last = bin_of(histogram, limit);
}

/*
 * Bins per unit of the id: the recent rate, but not over a gap; 0 if it is
 * unknown.
 */
static double
recent_rate(const FlakeHistogram *histogram)
{
	const uint64_t *last = &histogram->bounds[histogram->last];
	int			bins = histogram->last > RECENT_PART ?
		histogram->last / RECENT_PART : 1;
	double		width;

	if (histogram->last == 0)
		return 0;
	width = (double) (*last - last[-bins]);
	for (int part = bins / 2; part > 0 && last[-part] < *last; part /= 2)
		if (width > WIDE * (double) (*last - last[-part]))
		{
			bins = part;
			width = (double) (*last - last[-part]);
		}
	return width > 0 ? bins / width : 0;
}

/* Rows expected between two ids at the recent rate, in bins. */
double
flake_histogram_expected(const FlakeHistogram *histogram, uint64_t start,
						 uint64_t end)
{
	return end > start ? recent_rate(histogram) * (double) (end - start) : 0;
}

static double
clamped(double value, double least, double most)
{
	return value < least ? least : value > most ? most : value;
}

/*
 * Add the rows expected between start and end, both above the last bound, but
 * not less than the known growth, in bins.  If there are greater ids, half of
 * a bin of them has been seen.
 */
void
flake_histogram_grow(FlakeHistogram *histogram, double least, uint64_t start,
					 uint64_t end)
{
	double		rows = flake_histogram_expected(histogram, start, end);

	if (end <= histogram->bounds[histogram->last])
		return;
	if (histogram->last < histogram->count - 1)
		rows -= 0.5;
	histogram->tail = clamped(rows, least, MOST_GROWTH * histogram->count);
	histogram->start = start;
	histogram->end = end;
}

/* Add this many rows, in bins, above the last bound, at the recent rate. */
void
flake_histogram_grow_unseen(FlakeHistogram *histogram, double rows)
{
	uint64_t	last = histogram->bounds[histogram->last];
	double		rate = recent_rate(histogram);

	if (rate <= 0 || rows <= 0)
		return;
	rows = clamped(rows, 0, MOST_GROWTH * histogram->count);
	flake_histogram_grow(histogram, rows, last, last +
						 (uint64_t) clamped(rows / rate, 1,
											(double) (UINT64_MAX - last) / 2));
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
width(const FlakeHistogram *histogram, int bin)
{
	return (double) (histogram->bounds[bin + 1] - histogram->bounds[bin]);
}

/* Is the bin too wide for the rate of another one? */
static bool
is_wide(const FlakeHistogram *histogram, int bin, int other)
{
	return other >= 0 && other < histogram->count - 1 &&
		width(histogram, bin) > WIDE * width(histogram, other);
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
	uint64_t	first_end = last;
	uint64_t	last_start = first;

	if (is_wide(histogram, bin, bin - 1))
		first_end = first + (uint64_t) (width(histogram, bin - 1) / 2) + 1;
	if (is_wide(histogram, bin, bin + 1))
		last_start = last - (uint64_t) (width(histogram, bin + 1) / 2) - 1;
	return (position(first, first_end, id) + position(last_start, last, id)) / 2;
}

/* Fraction of the rows below the id: 0 .. 1. */
double
flake_histogram_below(const FlakeHistogram *histogram, uint64_t id)
{
	int			bins = histogram->count - 1;
	int			bin = bin_of(histogram, id);
	double		tail = histogram->tail *
		position(histogram->start, histogram->end, id);

	return (bin + position_in_bin(histogram, bin, id) + tail) /
		(bins + histogram->tail);
}
