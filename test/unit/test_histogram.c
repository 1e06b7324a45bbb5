/*
 * test_histogram.c
 *		Fractions of rows estimated by a histogram, and by the rate since then.
 */
#include "format/histogram.h"
#include "unit.h"

#define BINS	100
#define WIDTH	UINT64_C(1000000000000)
#define FIRST	(UINT64_C(7) << 60)

static uint64_t bounds[BINS + 1];

static FlakeHistogram
even_histogram(void)
{
	for (int i = 0; i <= BINS; i++)
		bounds[i] = FIRST + (uint64_t) i * WIDTH;
	return flake_histogram(bounds, BINS + 1, 0, UINT64_MAX);
}

static bool
close_to(double actual, double expected)
{
	return actual > expected - 1e-9 && actual < expected + 1e-9;
}

/* Inside bins, at bounds, and outside; never less for a greater id */
static void
test_below(void)
{
	FlakeHistogram histogram = even_histogram();
	double		before = 0;

	CHECK(flake_histogram_below(&histogram, 0) == 0);
	CHECK(flake_histogram_below(&histogram, FIRST) == 0);
	CHECK(flake_histogram_below(&histogram, bounds[BINS]) == 1);
	CHECK(flake_histogram_below(&histogram, UINT64_MAX) == 1);
	for (int i = 0; i <= BINS; i++)
		CHECK(close_to(flake_histogram_below(&histogram, bounds[i]),
					   (double) i / BINS));
	CHECK(close_to(flake_histogram_below(&histogram, bounds[3] + WIDTH / 4),
				   0.0325));
	for (uint64_t id = FIRST - WIDTH; id < FIRST + BINS * WIDTH; id += WIDTH / 7)
	{
		double		below = flake_histogram_below(&histogram, id);

		MUST(below >= before && below <= 1);
		before = below;
	}
}

/* Equal bounds: many rows of one id */
static void
test_alike(void)
{
	FlakeHistogram histogram = even_histogram();

	for (int i = 10; i <= 30; i++)
		bounds[i] = bounds[10];
	CHECK(close_to(flake_histogram_below(&histogram, bounds[10]), 0.1));
	CHECK(flake_histogram_below(&histogram, bounds[10] + 1) > 0.3);
}

/* A bin that spans a gap has rows at both ends, at the rates beside it. */
static void
test_gap(void)
{
	FlakeHistogram histogram = even_histogram();

	for (int i = 50; i <= BINS; i++)
		bounds[i] += 1000 * WIDTH;
	CHECK(close_to(flake_histogram_below(&histogram, bounds[49] + WIDTH / 4),
				   0.4925));
	CHECK(close_to(flake_histogram_below(&histogram, bounds[49] + 500 * WIDTH),
				   0.495));
	CHECK(close_to(flake_histogram_below(&histogram, bounds[50] - WIDTH / 4),
				   0.4975));
	histogram = even_histogram();
	for (int i = 50; i <= BINS; i++)
		bounds[i] += 98 * WIDTH;
	CHECK(close_to(flake_histogram_below(&histogram, bounds[49] + 99 * WIDTH / 4),
				   0.4925));
}

/* Ten bins' worth of new rows, by the recent rate */
static void
test_tail(void)
{
	FlakeHistogram histogram = even_histogram();
	uint64_t	last = FIRST + BINS * WIDTH;

	flake_histogram_grow(&histogram, last + 10 * WIDTH);
	CHECK(close_to(histogram.tail, 10));
	CHECK(close_to(flake_histogram_below(&histogram, last), 10.0 / 11));
	CHECK(close_to(flake_histogram_below(&histogram, last + 5 * WIDTH),
				   10.5 / 11));
	CHECK(close_to(flake_histogram_below(&histogram, last + 10 * WIDTH), 1));
	CHECK(close_to(flake_histogram_below(&histogram, FIRST + 50 * WIDTH),
				   5.0 / 11));
}

/* The recent rate leaves out a gap before the last few bins. */
static void
test_recent_gap(void)
{
	FlakeHistogram histogram = even_histogram();

	for (int i = BINS - 3; i <= BINS; i++)
		bounds[i] += 1000 * WIDTH;
	flake_histogram_grow(&histogram, bounds[BINS] + 10 * WIDTH);
	CHECK(close_to(histogram.tail, 10));
}

/* No rows above the last bound, or one that is too far to be believed */
static void
test_no_tail(void)
{
	FlakeHistogram histogram = even_histogram();
	uint64_t	last = FIRST + BINS * WIDTH;

	flake_histogram_grow(&histogram, last);
	CHECK(histogram.tail == 0);
	flake_histogram_grow(&histogram, FIRST);
	CHECK(histogram.tail == 0);
	flake_histogram_grow(&histogram, last + 1011 * WIDTH);
	CHECK(histogram.tail == 0);
	flake_histogram_grow(&histogram, last + 1010 * WIDTH);
	CHECK(close_to(histogram.tail, 1010));
	histogram = even_histogram();
	for (int i = 0; i <= BINS; i++)
		bounds[i] = FIRST;
	flake_histogram_grow(&histogram, last);
	CHECK(histogram.tail == 0);
}

/*
 * 80 bins of times, then ids that are not times: the tail comes between, and
 * half a bin of it has been seen.
 */
static void
test_limit(void)
{
	FlakeHistogram histogram = even_histogram();
	uint64_t	newest = bounds[80] + WIDTH;

	for (int i = 81; i <= BINS; i++)
		bounds[i] = (UINT64_C(8) << 60) + (uint64_t) i * (WIDTH << 10);
	histogram = flake_histogram(bounds, BINS + 1, 0, newest);
	CHECK(histogram.last == 80);
	flake_histogram_grow(&histogram, newest);
	CHECK(close_to(histogram.tail, 0.5));
	CHECK(close_to(flake_histogram_below(&histogram, bounds[80]), 80 / 100.5));
	CHECK(close_to(flake_histogram_below(&histogram, newest), 81 / 100.5));
	CHECK(close_to(flake_histogram_below(&histogram, bounds[90]), 90.5 / 100.5));
	CHECK(flake_histogram_below(&histogram, UINT64_MAX) == 1);
}

/* Beside other ids on either side, fewer than four bins of times say nothing. */
static void
test_few(void)
{
	FlakeHistogram histogram = even_histogram();

	for (int bins = 3; bins <= 4; bins++)
	{
		int			count = bins == 3 ? 0 : BINS + 1;

		CHECK(flake_histogram(bounds, BINS + 1, bounds[BINS - bins], UINT64_MAX).count == count);
		CHECK(flake_histogram(bounds, BINS + 1, 0, bounds[bins] + 1).count == count);
		CHECK(flake_histogram(bounds, BINS + 1, bounds[10], bounds[10 + bins] + 1).count == count);
		CHECK(flake_histogram(bounds, bins, 0, UINT64_MAX).count == bins);
	}
	CHECK(flake_histogram(bounds, BINS + 1, UINT64_MAX, UINT64_MAX).count == 0);
	CHECK(histogram.count == BINS + 1);
}

void
test_histogram(void)
{
	test_below();
	test_alike();
	test_gap();
	test_tail();
	test_recent_gap();
	test_no_tail();
	test_limit();
	test_few();
}
