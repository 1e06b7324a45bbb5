/*
 * test_histogram.c
 *		Fractions of rows estimated by a histogram, with and without the ends
 *		of the table, new rows, and ids of another kind.
 */
#include "format/histogram.h"
#include "unit.h"

#define KIND	UINT64_C(0xF000)

/* The example of histogram.c: nine bins of 100 */
static const uint64_t bounds[] = {100, 200, 300, 400, 500, 600, 700, 800, 900, 1000};

static FlakeHistogram
of_example(void)
{
	return (FlakeHistogram) {.bounds = bounds,.count = 10};
}

/* A table whose greatest key is the end, and that can have so many new bins */
static FlakeHistogram
grown(uint64_t end, double most)
{
	FlakeHistogram histogram = of_example();

	histogram.has_end = true;
	histogram.end = end;
	histogram.growth = flake_histogram_growth(&histogram, most);
	return histogram;
}

static bool
asks_start(const FlakeHistogram *histogram, uint64_t key)
{
	bool		start;
	bool		end;

	(void) flake_histogram_search(histogram, key, false, &start, &end);
	return start;
}

static bool
asks_end(const FlakeHistogram *histogram, uint64_t key)
{
	bool		start;
	bool		end;

	(void) flake_histogram_search(histogram, key, false, &start, &end);
	return end;
}

static bool
is_near(double actual, double expected)
{
	return actual - expected < 1e-9 && expected - actual < 1e-9;
}

static double
below(FlakeHistogram histogram, uint64_t key)
{
	return flake_histogram_below(&histogram, key, false, UINT64_MAX);
}

/* Within bins and beyond them; the cut-off is a hundredth of a bin. */
static void
test_bins(void)
{
	CHECK(is_near(below(of_example(), 430), 3.3 / 9));
	CHECK(is_near(below(of_example(), 500), 4.0 / 9));
	CHECK(is_near(below(of_example(), 0), 0.01 / 9));
	CHECK(is_near(below(of_example(), 100), 0.01 / 9));
	CHECK(is_near(below(of_example(), 1001), 1 - 0.01 / 9));
	CHECK(below(of_example(), UINT64_MAX) == 1);
}

/* The actual ends replace the bounds, if the key is near them; no cut-off */
static void
test_ends(void)
{
	FlakeHistogram histogram = of_example();

	CHECK(asks_start(&histogram, 200) && !asks_start(&histogram, 201));
	CHECK(asks_end(&histogram, 901) && !asks_end(&histogram, 800));
	histogram.has_start = histogram.has_end = true;
	histogram.start = 0;
	histogram.end = 1900;
	CHECK(below(histogram, 0) == 0);
	CHECK(is_near(below(histogram, 50), 0.25 / 9));
	CHECK(is_near(below(histogram, 1400), 8.5 / 9));
	CHECK(is_near(below(histogram, 430), 3.3 / 9));
	CHECK(below(histogram, 1901) == 1);

	/* Most rows were deleted. */
	histogram.start = 850;
	CHECK(below(histogram, 150) == 0);
	histogram.end = 870;
	CHECK(below(histogram, 950) == 1);
}

/* With two bounds, each key asks for both ends. */
static void
test_one_bin(void)
{
	FlakeHistogram histogram = {.bounds = bounds,.count = 2,.has_start = true,.start = 160,
	.has_end = true,.end = 170};

	CHECK(asks_start(&histogram, 900) && asks_end(&histogram, 0));
	CHECK(below(histogram, 160) == 0 && below(histogram, 171) == 1);
	CHECK(is_near(below(histogram, 165), 0.5));
	histogram.growth = flake_histogram_growth(&histogram, 100);
	CHECK(histogram.growth == 0);
}

/* Rows equal to the key count below it only for <= and >. */
static void
test_equal(void)
{
	FlakeHistogram histogram = of_example();

	histogram.equal = 0.02;
	CHECK(is_near(flake_histogram_below(&histogram, 430, true, UINT64_MAX), 3.3 / 9));
	CHECK(is_near(below(histogram, 430), 3.3 / 9 - 0.02));
	CHECK(is_near(flake_histogram_below(&histogram, 150, true, UINT64_MAX), 0.5 / 9 + 0.01));
	CHECK(is_near(flake_histogram_below(&histogram, 100, true, UINT64_MAX), 0.02));
}

/* New rows: at the recent rate, no more than the growth, no fewer than core's */
static void
test_growth(void)
{
	FlakeHistogram histogram = grown(1100, 1);

	CHECK(is_near(histogram.growth, 1));
	CHECK(is_near(below(histogram, 950), 8.5 / 10));
	CHECK(is_near(below(histogram, 1050), 9.5 / 10));
	CHECK(is_near(below(histogram, 430), 3.3 / 10));
	CHECK(below(histogram, 1101) == 1);
	CHECK(is_near(grown(1200, 100).growth, 2));
	CHECK(is_near(grown(1200, 1.5).growth, 1.5));
	CHECK(grown(1100, 0.4).growth == 0);
	CHECK(is_near(below(grown(1100, 0.4), 1000), 8.5 / 9));
	CHECK(grown(1000, 1).growth == 0);
	CHECK(grown(900, 1).growth == 0);
	histogram = of_example();
	CHECK(flake_histogram_growth(&histogram, 100) == 0);
}

/* The rate is that of the last twentieth of the bins. */
static void
test_recent(void)
{
	uint64_t	many[101];
	FlakeHistogram histogram = {.bounds = many,.count = 101,.has_end = true};

	for (int i = 0; i <= 100; i++)
		many[i] = (uint64_t) (i < 95 ? 10 * i : 950 + 100 * (i - 95));
	histogram.end = many[100] + 1000;
	CHECK(is_near(flake_histogram_growth(&histogram, 100), 10));
}

/* A bin that ends with a UUIDv4 ends at the clock, for UUIDv7. */
static void
test_kinds(void)
{
	static const uint64_t mixed[] = {0x17000, 0x37000, 0x84000};
	FlakeHistogram histogram = {.bounds = mixed,.count = 3,.kind = KIND};

	CHECK(is_near(flake_histogram_below(&histogram, 0x47000, false, 0x57000), 1.5 / 2));
	CHECK(is_near(flake_histogram_below(&histogram, 0x57000, false, 0x57000), 1 - 0.01 / 2));
	CHECK(is_near(flake_histogram_below(&histogram, 0x27000, false, 0x2F000), 0.5 / 2));
	CHECK(is_near(flake_histogram_below(&histogram, 0x47000, false, 0x95000),
				  (1 + (double) 0x10000 / 0x4D000) / 2));
	histogram.kind = 0;
	CHECK(is_near(flake_histogram_below(&histogram, 0x47000, false, 0x57000),
				  (1 + (double) 0x10000 / 0x4D000) / 2));
}

/* Whatever somebody writes: a number from 0 to 1 */
static void
test_any_bounds(void)
{
	uint64_t	any[7];

	for (int i = 0; i < 20000; i++)
	{
		FlakeHistogram histogram = {.bounds = any,.count = 2 + i % 6,.kind = KIND};

		for (int k = 0; k < 7; k++)
			any[k] = i % 3 == 0 ? unit_random64() % 4 : unit_random64();
		histogram.has_start = i % 2;
		histogram.has_end = i % 5 > 1;
		histogram.start = unit_random64();
		histogram.end = unit_random64();
		histogram.growth = flake_histogram_growth(&histogram, 5);
		for (int k = 0; k < 7; k++)
		{
			double		share = flake_histogram_below(&histogram, any[k], i % 2, unit_random64());

			MUST(share >= 0 && share <= 1);
		}
	}
	CHECK(true);
}

void
test_histogram(void)
{
	test_bins();
	test_ends();
	test_one_bin();
	test_equal();
	test_growth();
	test_recent();
	test_kinds();
	test_any_bounds();
}
