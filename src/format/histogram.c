/*
 * histogram.c
 *		Estimate which fraction of the rows has an id below a given one.
 */
#include "format/histogram.h"

/* Rows beyond the histogram are assumed to have the rate of 1/20 beside them. */
#define RECENT_PART	20

/* Rows whose rate is this many times greater than of those beside follow a gap. */
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
	FlakeHistogram histogram = {.bounds = bounds,.count = count,.last = -1};

	while (histogram.first < count && bounds[histogram.first] < least)
		histogram.first++;
	while (histogram.last < count - 1 && bounds[histogram.last + 1] <= greatest)
		histogram.last++;
	histogram.few = histogram.last - histogram.first < FEW &&
		histogram.last - histogram.first < count - 1;
	return histogram;
}

/*
 * Bins per unit of the id beside the first or the last time: the rate of a part
 * of the rows, or of fewer if a gap is among them; of a single bound, that of a
 * bin from start to end; 0 if it is unknown.
 */
static double
rate_at(const FlakeHistogram *histogram, int bound)
{
	const uint64_t *bounds = histogram->bounds;
	int			known = histogram->last - histogram->first;
	int			bins = known > RECENT_PART ? known / RECENT_PART : 1;
	double		rate = 0;

	if (known == 0 && histogram->start > 0 && histogram->end > histogram->start)
		return 1 / (double) (histogram->end - histogram->start);
	for (; bins > 0 && bins <= known; bins /= 2)
	{
		double		width = (double) (bound == histogram->first ?
									  bounds[bound + bins] - bounds[bound] :
									  bounds[bound] - bounds[bound - bins]);

		if (width > 0 && bins / width > WIDE * rate)
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

/* Half of a bin that has other ids, too, unless the rate says otherwise */
static double
rows_beyond(const FlakeHistogram *histogram, int bound, uint64_t distance)
{
	double		rate = rate_at(histogram, bound);

	return rate > 0 ? rate * (double) distance : 0.5;
}

/* Distance of an end that is not known: half of a bin, within the room */
static uint64_t
half_bin(const FlakeHistogram *histogram, int bound, uint64_t room)
{
	double		rate = rate_at(histogram, bound);

	if (rate <= 0)
		return 0;
	return 0.5 / rate < (double) room ? (uint64_t) (0.5 / rate) : room;
}

/*
 * Make the knots.  Start and end are the least and the greatest time in the
 * table, or 0 if not known.
 */
void
flake_histogram_draw(FlakeHistogram *histogram, FlakeKnot *knots,
					 uint64_t start, uint64_t end)
{
	const uint64_t *bounds = histogram->bounds;
	int			count = histogram->count;
	int			first = histogram->first;
	int			last = histogram->last;
	double		added = 0;		/* rows inserted after ANALYZE, in bins */

	histogram->knots = knots;
	if (histogram->few && (end == 0 || (start == 0 && last < first)))
		return;
	histogram->start = start;
	histogram->end = end;
	if (start == 0 && first > 0)
		start = bounds[first] - half_bin(histogram, first, bounds[first] - bounds[first - 1]);
	if (end == 0 && last < count - 1)
		end = bounds[last] + half_bin(histogram, last, bounds[last + 1] - bounds[last]);
	for (int bin = 0; bin <= count; bin++)
	{
		bool		starts = bin == first && start > 0 &&
			(bin == count || start < bounds[bin]);
		bool		ends = bin == last + 1 && end > bounds[last];
		double		rank = bin - 1;
		double		rows;

		if (starts && ends)
		{
			add_knot(histogram, start, rank + (bin == count ? 0 : 0.25));
			add_knot(histogram, end, rank + (bin == count ? 0.5 : 0.75));
		}
		else if (starts)
		{
			rows = rows_beyond(histogram, bin, bounds[bin] - start);
			add_knot(histogram, start, bin == 0 ? 0 : rank + (rows < 1 ? 1 - rows : 0));
		}
		else if (ends)
		{
			rows = rows_beyond(histogram, last, end - bounds[last]);
			if (rows > OUTLIER * count)
				rows = 0;
			added = rows > 1 ? rows - 1 : 0;
			add_knot(histogram, end, rank + rows);
		}
		if (bin < count && !(bin == 0 && starts))
			add_knot(histogram, bounds[bin], bin + added);
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
