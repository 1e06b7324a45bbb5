/*
 * test_histogram.c
 *		Fractions of rows estimated by a histogram, and by growth since then.
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
	return (FlakeHistogram) {.bounds = bounds, .count = BINS + 1};
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
	CHECK(close_to(flake_histogram_below(&histogram, bounds[10]), 0.3));
	CHECK(close_to(flake_histogram_below(&histogram, bounds[10] - 1), 0.1));
	for (int i = 0; i <= BINS; i++)
		bounds[i] = FIRST;
	flake_histogram_grow(&histogram, &(FlakeGrowth) {
		.share = 0.5, .most = 2, .end_known = true, .end = FIRST + WIDTH});
	CHECK(flake_histogram_below(&histogram, FIRST) == 0);
	CHECK(flake_histogram_below(&histogram, FIRST + 1) == 1);
}

static FlakeHistogram
grown(FlakeGrowth growth)
{
	FlakeHistogram histogram = even_histogram();

	flake_histogram_grow(&histogram, &growth);
	return histogram;
}

/* Ten bins' worth of new rows, counted by the server or not */
static void
test_tail(void)
{
	uint64_t	last = FIRST + BINS * WIDTH;
	FlakeGrowth growths[] = {
		{.share = 0, .most = 2, .end_known = true, .end = last + 10 * WIDTH},
		{.share = 1.0 / 11, .most = 2, .end_known = true, .end = last + 10 * WIDTH},
		{.share = 1.0 / 11, .most = 2},
	};

	for (int i = 0; i < 3; i++)
	{
		FlakeHistogram histogram = grown(growths[i]);

		CHECK(close_to(histogram.tail, 1.0 / 11));
		CHECK(close_to(flake_histogram_below(&histogram, last), 10.0 / 11));
		CHECK(close_to(flake_histogram_below(&histogram, last + 5 * WIDTH),
					   10.5 / 11));
		CHECK(close_to(flake_histogram_below(&histogram, last + 10 * WIDTH), 1));
		CHECK(close_to(flake_histogram_below(&histogram, FIRST + 50 * WIDTH),
					   5.0 / 11));
	}
}

/* No new rows, or only updates of existing ones */
static void
test_no_tail(void)
{
	CHECK(grown((FlakeGrowth) {.most = 2}).tail == 0);
	CHECK(grown((FlakeGrowth) {
		.share = 0.2, .most = 2, .end_known = true,
		.end = FIRST + BINS * WIDTH}).tail == 0);
	CHECK(grown((FlakeGrowth) {
		.share = 0.2, .most = 2, .end_known = true, .end = FIRST}).tail == 0);
}

/* A single id far ahead does not make the estimate grow a thousandfold */
static void
test_outlier(void)
{
	uint64_t	last = FIRST + BINS * WIDTH;
	uint64_t	far = last + 100000 * BINS * WIDTH;
	FlakeHistogram histogram = even_histogram();

	CHECK(flake_histogram_outgrown(&histogram, far));
	CHECK(!flake_histogram_outgrown(&histogram, last + 50 * WIDTH));
	histogram = grown((FlakeGrowth) {
		.most = 2, .end_known = true, .end = far});
	CHECK(histogram.tail == 0);
	histogram = grown((FlakeGrowth) {
		.most = 0.01, .end_known = true, .end = far});
	CHECK(close_to(histogram.tail, 0.01));
	CHECK(histogram.end < last + 2 * WIDTH);
	histogram = grown((FlakeGrowth) {
		.share = 1, .most = 2, .end_known = true, .end = UINT64_MAX});
	CHECK(histogram.tail < 1 && histogram.end > last);
}

void
test_histogram(void)
{
	test_below();
	test_alike();
	test_tail();
	test_no_tail();
	test_outlier();
}
