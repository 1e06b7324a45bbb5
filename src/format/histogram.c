/*
 * histogram.c
 *		Estimate how many rows of a table have an id below a given one.  See
 *		histogram.h.
 */
#include "format/histogram.h"

/* New rows are assumed to arrive at the rate of the last 1/20 of the rows. */
#define RECENT_PART	20

/* An end this many times further ahead than expected is an outlier. */
#define OUTLIER_FACTOR	100.0

/* Largest i with bounds[i] <= id; requires bounds[0] <= id. */
static int
bin_of(const FlakeHistogram *histogram, uint64_t id)
{
	int			low = 0;
	int			high = histogram->count - 1;

	while (high - low > 1)
	{
		int			middle = low + (high - low) / 2;

		if (histogram->bounds[middle] <= id)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* Position of an id between first and last: 0 .. 1. */
static double
position(uint64_t first, uint64_t last, uint64_t id)
{
	if (id <= first)
		return 0;
	if (id >= last)
		return 1;
	return (double) (id - first) / (double) (last - first);
}

/* Fraction of the rows below the id: 0 .. 1. */
double
flake_histogram_below(const FlakeHistogram *histogram, uint64_t id)
{
	const uint64_t *bounds = histogram->bounds;
	int			last = histogram->count - 1;
	int			bin;

	if (id <= bounds[0])
		return 0;
	if (id >= bounds[last])
		return 1 - histogram->tail +
			histogram->tail * position(bounds[last], histogram->end, id);
	bin = bin_of(histogram, id);
	return (1 - histogram->tail) *
		(bin + position(bounds[bin], bounds[bin + 1], id)) / last;
}

/*
 * Expected rows within length above the last bound, at the recent rate, as a
 * fraction of the histogram's rows.
 */
static double
expected(const FlakeHistogram *histogram, double length)
{
	int			last = histogram->count - 1;
	int			bins = last / RECENT_PART > 0 ? last / RECENT_PART : 1;
	uint64_t	width = histogram->bounds[last] - histogram->bounds[last - bins];

	if (width == 0)
		return 0;
	return length / (double) width * bins / last;
}

static double
length_to(const FlakeHistogram *histogram, uint64_t end)
{
	uint64_t	last = histogram->bounds[histogram->count - 1];

	return end > last ? (double) (end - last) : 0;
}

/*
 * Does this end imply that the table has more than doubled?  A single id far
 * ahead is more likely; the caller then determines the maximum growth.
 */
bool
flake_histogram_outgrown(const FlakeHistogram *histogram, uint64_t end)
{
	return expected(histogram, length_to(histogram, end)) > 1;
}

static double
least_of(double a, double b)
{
	return a < b ? a : b;
}

/* Tail expected from the rate, as a fraction of all rows, within known limits. */
static double
tail_share(const FlakeGrowth *growth, double by_rate)
{
	double		share = by_rate / (1 + by_rate);

	if (growth->most <= 1)
		share = least_of(share, growth->most);
	else if (by_rate > 1)
		share = 0;
	return share > growth->share ? share : growth->share;
}

/*
 * Add the tail: the rows expected up to the end of the table at the recent
 * rate, or the known growth.
 */
void
flake_histogram_grow(FlakeHistogram *histogram, const FlakeGrowth *growth)
{
	uint64_t	last = histogram->bounds[histogram->count - 1];
	double		length = growth->end_known ?
		length_to(histogram, growth->end) : 0;
	double		tail = tail_share(growth, expected(histogram, length));
	double		rate = expected(histogram, 1);
	double		usual;

	tail = least_of(tail, 0.99);
	if ((growth->end_known && length == 0) || rate <= 0 || tail <= 0)
		return;
	usual = tail / (1 - tail) / rate;
	if (!growth->end_known || length > OUTLIER_FACTOR * usual)
		length = usual;
	length = least_of(length, (double) (UINT64_MAX - last) / 2);
	histogram->tail = tail;
	histogram->end = last + (uint64_t) length;
}
