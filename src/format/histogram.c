/*
 * histogram.c
 *		Estimate which fraction of the rows has an id below a given one.
 */
#include "format/histogram.h"

/* Rows beyond the histogram are assumed to have the rate of 1/20 beside them. */
#define RECENT_PART	20

/* A bin that is this many times wider than its neighbor spans a gap. */
#define WIDE	100.0

/* An end that means this many times more rows than are known is an outlier. */
#define OUTLIER	10.0

/* In a column of mixed ids, fewer bins of times are told by their ends only. */
#define FEW		4

/* Ids below the least time and above the greatest possible one are not times. */
FlakeHistogram
flake_histogram(const uint64_t *bounds, int count, uint64_t least,
				uint64_t greatest)
{
	FlakeHistogram histogram = {.bounds = bounds,.count = count};

	while (histogram.first < count && bounds[histogram.first] < least)
		histogram.first++;
	histogram.last = histogram.first - 1;
	while (histogram.last < count - 1 && bounds[histogram.last + 1] <= greatest)
		histogram.last++;
	histogram.few = histogram.last - histogram.first < FEW &&
		histogram.last - histogram.first < count - 1;
	return histogram;
}

/*
 * Bins per unit of the id beside the first or the last time: the rate of a part
 * of the rows, or of fewer if a gap is among them; 0 if it is unknown.
 */
static double
rate_at(const FlakeHistogram *histogram, int bound)
{
	const uint64_t *bounds = histogram->bounds;
	int			known = histogram->last - histogram->first;
	int			bins = known > RECENT_PART ? known / RECENT_PART : 1;
	double		rate = 0;

	for (; bins > 0 && bins <= known; bins /= 2)
	{
		double		width = (double) (bound == histogram->first ?
									  bounds[bound + bins] - bounds[bound] :
									  bounds[bound] - bounds[bound - bins]);

		if (width > 0 && (rate <= 0 || bins / width > WIDE * rate))
			rate = bins / width;
	}
	return rate;
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

static void
add_knot(FlakeHistogram *histogram, uint64_t id, double rank)
{
	histogram->knots[histogram->knot_count++] = (FlakeKnot)
	{
		id, rank
	};
}

static uint64_t
width_of(const FlakeHistogram *histogram, int bin)
{
	return histogram->bounds[bin] - histogram->bounds[bin - 1];
}

/* Is the bin, which ends with that bound, far wider than its neighbor? */
static bool
is_wider(const FlakeHistogram *histogram, int bin, int neighbor)
{
	return neighbor > 0 && neighbor < histogram->count &&
		(double) width_of(histogram, bin) > WIDE * (double) width_of(histogram, neighbor);
}

/*
 * In a bin that spans a gap, or ids of two kinds, half of the rows follow the
 * previous bin at its rate, and half precede the next one.
 */
static void
add_gap(FlakeHistogram *histogram, int bin, double rank)
{
	uint64_t	first = histogram->bounds[bin - 1];
	uint64_t	last = histogram->bounds[bin];
	uint64_t	after = is_wider(histogram, bin, bin - 1) ?
		first + width_of(histogram, bin - 1) / 2 + 1 : last;
	uint64_t	before = is_wider(histogram, bin, bin + 1) ?
		last - width_of(histogram, bin + 1) / 2 - 1 : first;

	if (after < last)
		add_knot(histogram, after, rank + (1 + position(before, last, after)) / 2);
	if (before > first)
		add_knot(histogram, before, rank + position(first, after, before) / 2);
}

/*
 * Rows, in bins, between a bound and an end of the times that is so far from
 * it: by the rate beside the bound, if it is known.
 */
static double
rows_beyond(const FlakeHistogram *histogram, int bound, uint64_t distance,
			double otherwise)
{
	double		rate = rate_at(histogram, bound);

	return rate > 0 ? rate * (double) distance : otherwise;
}

/*
 * Make the knots.  Start and end are the least and the greatest time in the
 * table, or 0 if not known.
 */
void
flake_histogram_draw(FlakeHistogram *histogram, FlakeKnot *knots,
					 uint64_t start, uint64_t end)
{
	int			count = histogram->count;
	double		added = 0;		/* rows inserted after ANALYZE, in bins */

	histogram->knots = knots;
	histogram->knot_count = 0;
	if (histogram->few &&
		(end == 0 || (start == 0 && histogram->last < histogram->first)))
		return;
	for (int bin = 0; bin <= count; bin++)
	{
		bool		starts = bin == histogram->first && start > 0 &&
			(bin == count || start < histogram->bounds[bin]);
		bool		ends = bin == histogram->last + 1 &&
			end > histogram->bounds[histogram->last];
		double		rank = bin - 1 + added;

		if (starts && ends)
		{
			added += bin == count ? 0.5 : 0;
			add_knot(histogram, start, rank + (bin == count ? 0 : 0.25));
			add_knot(histogram, end, rank + (bin == count ? 0.5 : 0.75));
		}
		else if (starts && bin == 0)
			add_knot(histogram, start, 0);
		else if (starts)
		{
			double		rows = rows_beyond(histogram, bin, histogram->bounds[bin] - start, 0.5);

			add_knot(histogram, start, rank + (rows < 1 ? 1 - rows : 0));
		}
		else if (ends)
		{
			double		rows = rows_beyond(histogram, bin - 1, end - histogram->bounds[bin - 1],
									   bin == count ? 0 : 0.5);

			if (rows > OUTLIER * count)
				rows = 0;
			added = bin == count ? rows : rows > 1 ? rows - 1 : 0;
			add_knot(histogram, end, rank + rows);
		}
		else if (bin > 0 && bin < count)
			add_gap(histogram, bin, rank);
		if (bin < count && !(bin == 0 && starts))
			add_knot(histogram, histogram->bounds[bin], bin + added);
	}
}

/* Fraction of the rows below the id: 0 .. 1. */
double
flake_histogram_below(const FlakeHistogram *histogram, uint64_t id)
{
	const FlakeKnot *low = histogram->knots;
	const FlakeKnot *high = &low[histogram->knot_count - 1];
	double		all = high->rank;

	while (high - low > 1)
	{
		const FlakeKnot *middle = low + (high - low) / 2;

		if (middle->id < id)
			low = middle;
		else
			high = middle;
	}
	return (low->rank + (high->rank - low->rank) * position(low->id, high->id, id)) / all;
}
