/*
 * histogram.c
 *		Estimate which fraction of the rows has an id below a given one, as
 *		ineq_histogram_selectivity() does in the server for a timestamptz.
 *
 * An example, with the keys as small numbers.  ANALYZE saw 900 rows, and wrote
 * ten bounds, 100 rows in each bin:
 *
 *		100 200 300 400 500 600 700 800 900 1000
 *
 * The key 430 lies in the fourth bin, at 0.3 of it.  So 3.3 of 9 bins are
 * below, 330 rows.  Of 950, the bin ends at the greatest key in the table: if
 * that is 1100 now, 8 + 150/300 of 9 bins are below.
 *
 * If the table has 1000 rows by now, 100 of them can be new.  The last
 * twentieth of the bins, here one, has 1 bin per 100 keys; so from 1000 to 1100
 * there is 1 bin, 100 rows, which is no more than the table has grown by.  That
 * makes 10 bins, of which 8.5 are below 950, 850 rows.  The stretched last bin
 * would have had 100 * 100/300 rows from 1000 on; if it had more, it would be
 * used.
 */
#include "format/histogram.h"

/* New rows arrive at the rate of the last 1/20 of the bins. */
#define RECENT_PART	20

/* Without the ends, the estimate is no nearer to 0 and 1 than this. */
#define CUTOFF		0.01

static double
clamp(double value, double least, double greatest)
{
	return value > greatest ? greatest : value > least ? value : least;
}

/* Part of the distance between two keys, 0 .. 1, that is below a key. */
static double
interpolate(uint64_t key, uint64_t low, uint64_t high)
{
	if (high <= low)
		return 0.5;
	if (key <= low)
		return 0;
	return key >= high ? 1 : (double) (key - low) / (double) (high - low);
}

/*
 * Search the first bound that is not below the key, or not equal to it either.
 * The actual ends replace the first and the last bound, if they are known.  The
 * key asks for those that the search meets; both, if there is only one bin.
 */
int
flake_histogram_search(const FlakeHistogram *histogram, uint64_t key,
					   bool or_equal, bool *asks_start, bool *asks_end)
{
	int			last = histogram->count - 1;
	int			low = 0;
	int			high = histogram->count;

	*asks_start = *asks_end = last == 1;
	while (low < high)
	{
		int			middle = (low + high) / 2;
		uint64_t	bound = histogram->bounds[middle];

		*asks_start |= middle == 0;
		*asks_end |= middle == last;
		if (middle == 0 && histogram->has_start)
			bound = histogram->start;
		else if (middle == last && histogram->has_end)
			bound = histogram->end;
		if (or_equal ? bound <= key : bound < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 * Rows after the last bound, up to the end: as many as arrived in that time
 * recently, and at most "most", by which the table has grown.  0 if the last
 * bin, stretched to the end, has more there, or nothing is known.
 */
double
flake_histogram_growth(const FlakeHistogram *histogram, double most)
{
	int			bins = histogram->count - 1;
	int			recent = bins > RECENT_PART ? bins / RECENT_PART : 1;
	uint64_t	last = histogram->bounds[bins];
	uint64_t	since = histogram->bounds[bins - recent];
	double		rows;

	if (!histogram->has_end || histogram->end <= last || last <= since)
		return 0;
	rows = clamp(recent * (double) (histogram->end - last) / (double) (last - since), 0, most);
	return rows / (bins + rows) * bins >
		1 - interpolate(last, histogram->bounds[bins - 1], histogram->end) ? rows : 0;
}

/*
 * Rows below a key in the bin that ends with this bound, and before it.  A bin
 * that ends with an id of another kind, such as a UUIDv4 among UUIDv7, ends at
 * the latest possible one of the key's kind, if that is in it.
 */
static double
rows_below(const FlakeHistogram *histogram, int bound, uint64_t key,
		   uint64_t latest)
{
	const uint64_t *bounds = histogram->bounds;
	int			last = histogram->count - 1;
	uint64_t	low = bounds[bound - 1];
	uint64_t	high = bounds[bound];

	if (histogram->growth > 0 && key > bounds[last])
		return last + histogram->growth *
			interpolate(key, bounds[last], histogram->end);
	if (bound == 1 && histogram->has_start)
		low = histogram->start;
	if (bound == last && histogram->has_end && histogram->growth == 0)
		high = histogram->end;
	if (((high ^ key) & histogram->kind) != 0 && low < latest && latest < high)
		high = latest;
	return bound - 1 + interpolate(key, low, high);
}

/*
 * Fraction of the rows with a key below this one, or equal to it: 0 .. 1.  No
 * id of the key's kind is later than "latest".
 */
double
flake_histogram_below(const FlakeHistogram *histogram, uint64_t key,
					  bool or_equal, uint64_t latest)
{
	int			last = histogram->count - 1;
	bool		asks_start;
	bool		asks_end;
	int			bound = flake_histogram_search(histogram, key, or_equal, &asks_start, &asks_end);
	bool		knows_end = (asks_start && histogram->has_start) || (asks_end && histogram->has_end);
	double		least = knows_end || key == UINT64_MAX ? 0 : CUTOFF / last;
	double		below = bound > last;

	if (bound > 0 && bound <= last)
	{
		double		rows = rows_below(histogram, bound, key, latest);

		below = rows / (last + histogram->growth);
		if (rows < 1)
			below += histogram->equal * (1 - rows);
		if (!or_equal)
			below -= histogram->equal;
	}
	return clamp(below, least, 1 - least);
}
