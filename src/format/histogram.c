/*
 * histogram.c
 *		Estimate which fraction of the rows has an id below a given one.
 */
#include "format/histogram.h"

/* Rows beyond the histogram have the rate of 1/20 of those beside them. */
#define RECENT_PART	20

/* Rows whose rate is so many times that of those beside them follow a gap. */
#define WIDE	100.0

/* In a column of mixed ids, fewer bins of times are told by their ends. */
#define FEW		4

/* Least part of a mixed bin that the spread of the other ids can leave */
#define LEAST_PART	0.05

/* Bins of rows beyond the last bound that ANALYZE can have missed */
#define UNSEEN		0.02

/*
 * Ids below the least time and above the greatest possible one are not times.
 * "Spread" says that such ids are spread evenly over all numbers, as UUIDv4.
 */
FlakeHistogram
flake_histogram(const uint64_t *bounds, int count, uint64_t least,
				uint64_t greatest, bool is_spread)
{
	FlakeHistogram histogram = {.bounds = bounds,.count = count,.last = -1};
	int			known;

	while (histogram.first < count && bounds[histogram.first] < least)
		histogram.first++;
	while (histogram.last < count - 1 && bounds[histogram.last + 1] <= greatest)
		histogram.last++;
	known = histogram.last - histogram.first;
	histogram.few = known < FEW && known < count - 1;
	if (is_spread)
		histogram.others = (count - 1 - (known > 0 ? known : 0)) / 0x1p64;
	return histogram;
}

/*
 * Part of a bin at the border of the times that is times: what the other ids,
 * if spread evenly, leave of it; otherwise half.
 */
static double
times_in(const FlakeHistogram *histogram, int bin)
{
	double		others;

	if (bin < 0 || bin >= histogram->count - 1)
		return 0;
	others = histogram->others * (double) (histogram->bounds[bin + 1] - histogram->bounds[bin]);
	if (others <= 0 || others > 2)
		return 0.5;
	return others < 1 - LEAST_PART ? 1 - others : LEAST_PART;
}

/*
 * Bins of rows within a distance of the first or the last time, at the rate of
 * a twentieth of the bins; but if half as many, or fewer, are much denser, a
 * gap is among the others.
 */
static double
rows_beyond(const FlakeHistogram *histogram, int bound, uint64_t distance)
{
	const uint64_t *bounds = histogram->bounds;
	int			known = histogram->last - histogram->first;
	int			bins = known > RECENT_PART ? known / RECENT_PART : 1;
	double		rate = 0;

	if (known == 0 && histogram->start > 0 && histogram->end > histogram->start)
	{
		if (histogram->others > 0)
			rate = times_in(histogram, bound - 1) + times_in(histogram, bound);
		rate = (rate > 0 ? rate : 1) / (double) (histogram->end - histogram->start);
	}
	for (; bins > 0 && bins <= known; bins /= 2)
	{
		int			low = bound == histogram->first ? bound : bound - bins;
		double		width = (double) (bounds[low + bins] - bounds[low]);

		if (width > 0 && bins / width > WIDE * rate)
			rate = bins / width;
	}
	return rate > 0 ? rate * (double) distance : 0.5;
}

static void
add_knot(FlakeHistogram *histogram, uint64_t id, double rank)
{
	histogram->knots[histogram->knot_count++] = (FlakeKnot) {id, rank};
}

/* All times are in one bin of mixed ids, or later than all bounds. */
static double
draw_one_bin(FlakeHistogram *histogram)
{
	double		times = times_in(histogram, histogram->last);
	double		growth = times + histogram->growth > 0 ? histogram->growth : 0.5;
	double		rank = histogram->last + (times > 0 ? (1 - times) / 2 : 0);

	add_knot(histogram, histogram->start, rank);
	add_knot(histogram, histogram->end, rank + times + growth);
	return growth;
}

/*
 * The bounds that are times, and the rows before and after them.  Returns how
 * many bins after the last bound there are more than at ANALYZE.
 */
static double
draw_times(FlakeHistogram *histogram)
{
	const uint64_t *bounds = histogram->bounds;
	int			first = histogram->first;
	int			last = histogram->last;
	uint64_t	start = histogram->start;
	uint64_t	end = histogram->end;
	uint64_t	resumed = histogram->resumed;
	bool		is_known = last == histogram->count - 1 && histogram->growth > 0;
	double		most = histogram->growth + (is_known ? UNSEEN : 1);
	double		rows;

	if (start > 0 && start < bounds[first] && first > 0)
	{
		rows = rows_beyond(histogram, first, bounds[first] - start);
		add_knot(histogram, start, rows < 1 ? first - rows : first - 1);
	}
	else if (start > 0 && start < bounds[first])
		add_knot(histogram, start, first++);
	for (int i = first; i <= last; i++)
		add_knot(histogram, bounds[i], i);
	if (end <= bounds[last])
		return 0;
	if (resumed > bounds[last] && resumed < end)
		add_knot(histogram, resumed, last);
	else
		resumed = bounds[last];
	rows = rows_beyond(histogram, last, end - resumed);
	if (rows > most)
		rows = most;
	add_knot(histogram, end, last + rows);
	return rows > 1 ? rows - 1 : 0;
}

/* Make the knots, after growth, start, end and resumed are set, if known. */
void
flake_histogram_draw(FlakeHistogram *histogram, FlakeKnot *knots)
{
	int			first = histogram->first;
	int			last = histogram->last;
	double		added;

	histogram->knots = knots;
	if (histogram->few && (histogram->end == 0 || (histogram->start == 0 && last < first)))
		return;
	for (int i = 0; i < first; i++)
		add_knot(histogram, histogram->bounds[i], i);
	added = last < first ? draw_one_bin(histogram) : draw_times(histogram);
	for (int i = last + 1; i < histogram->count; i++)
		add_knot(histogram, histogram->bounds[i], i + added);
}

/* Fraction of the rows below the id: 0 .. 1. */
double
flake_histogram_below(const FlakeHistogram *histogram, uint64_t id)
{
	const uint64_t *bounds = histogram->bounds;
	int			first = histogram->first;
	int			last = histogram->last;
	uint64_t	end = histogram->end > 0 && last >= first ? histogram->end : UINT64_MAX;
	const FlakeKnot *low = histogram->knots;
	const FlakeKnot *high = &low[histogram->knot_count - 1];
	double		all = high->rank;

	/* Rows beyond the ends were deleted. */
	if (id < histogram->start && first <= last && (first == 0 || id >= bounds[first]))
		id = histogram->start;
	if (id > end && (last == histogram->count - 1 || id <= bounds[last]))
		id = end + 1;
	while (high - low > 1)
	{
		const FlakeKnot *middle = low + (high - low) / 2;

		if (middle->id < id)
			low = middle;
		else
			high = middle;
	}
	if (id <= low->id)
		return low->rank / all;
	if (id >= high->id)
		return high->rank / all;
	return (low->rank + (high->rank - low->rank) * (double) (id - low->id) /
			(double) (high->id - low->id)) / all;
}
