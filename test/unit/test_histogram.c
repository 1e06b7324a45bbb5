/*
 * test_histogram.c
 *		Fractions of rows estimated by a histogram, its ends, and the rate at
 *		which rows have been added.
 */
#include "format/histogram.h"
#include "unit.h"

#define BINS	100
#define WIDTH	UINT64_C(1000000000000)
#define FIRST	(UINT64_C(7) << 60)
#define LAST	(FIRST + BINS * WIDTH)

static uint64_t bounds[BINS + 1];
static FlakeKnot knots[FLAKE_KNOTS(BINS + 1)];

static void
even_bounds(void)
{
	for (int i = 0; i <= BINS; i++)
		bounds[i] = FIRST + (uint64_t) i * WIDTH;
}

/* Of a table that can have grown by so many bins, and not at once */
static FlakeHistogram
drawn_grown(uint64_t least, uint64_t greatest, uint64_t start, uint64_t end,
			uint64_t resumed, double growth)
{
	FlakeHistogram histogram = flake_histogram(bounds, BINS + 1, least, greatest, false);

	histogram.start = start;
	histogram.end = end;
	histogram.resumed = resumed;
	histogram.growth = growth;
	flake_histogram_draw(&histogram, knots);
	for (int i = 1; i < histogram.knot_count; i++)
		MUST(knots[i - 1].id <= knots[i].id && knots[i - 1].rank <= knots[i].rank);
	return histogram;
}

static FlakeHistogram
drawn(uint64_t least, uint64_t greatest, uint64_t start, uint64_t end)
{
	return drawn_grown(least, greatest, start, end, 0, 10000);
}

/* Is the estimate that many bins of "all"? */
static bool
is_below(const FlakeHistogram *histogram, uint64_t id, double bins, double all)
{
	double		difference = flake_histogram_below(histogram, id) - bins / all;

	return difference > -1e-9 && difference < 1e-9;
}

/* Inside bins, at bounds, and outside; never less for a greater id */
static void
test_below(void)
{
	FlakeHistogram histogram;
	double		before = 0;

	even_bounds();
	histogram = drawn(0, UINT64_MAX, 0, 0);
	CHECK(flake_histogram_below(&histogram, 0) == 0);
	CHECK(flake_histogram_below(&histogram, FIRST) == 0);
	CHECK(flake_histogram_below(&histogram, LAST) == 1);
	CHECK(flake_histogram_below(&histogram, UINT64_MAX) == 1);
	for (int i = 0; i <= BINS; i++)
		CHECK(is_below(&histogram, bounds[i], i, BINS));
	CHECK(is_below(&histogram, bounds[3] + WIDTH / 4, 3.25, BINS));
	for (uint64_t id = FIRST - WIDTH; id < LAST; id += WIDTH / 7)
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
	FlakeHistogram histogram;

	even_bounds();
	for (int i = 10; i <= 30; i++)
		bounds[i] = bounds[10];
	histogram = drawn(0, UINT64_MAX, 0, 0);
	CHECK(is_below(&histogram, bounds[10], 10, BINS));
	CHECK(flake_histogram_below(&histogram, bounds[10] + 1) > 0.3);
}

/* Ten bins' worth of new rows, by the recent rate */
static void
test_tail(void)
{
	FlakeHistogram histogram;

	even_bounds();
	histogram = drawn(0, UINT64_MAX, 0, LAST + 10 * WIDTH);
	CHECK(is_below(&histogram, LAST, 100, 110));
	CHECK(is_below(&histogram, LAST + 5 * WIDTH, 105, 110));
	CHECK(is_below(&histogram, LAST + 10 * WIDTH, 110, 110));
	CHECK(is_below(&histogram, FIRST + 50 * WIDTH, 50, 110));

	/* the recent rate is that of five bins, and leaves out a gap among them */
	for (int i = 0; i <= BINS - 5; i++)
		bounds[i] -= 5 * WIDTH;
	histogram = drawn(0, UINT64_MAX, 0, LAST + 10 * WIDTH);
	CHECK(is_below(&histogram, LAST, 100, 105));
	even_bounds();
	for (int i = BINS - 3; i <= BINS; i++)
		bounds[i] += 1000 * WIDTH;
	histogram = drawn(0, UINT64_MAX, 0, bounds[BINS] + 10 * WIDTH);
	CHECK(is_below(&histogram, bounds[BINS], 100, 110));

	/* equal ids at the end have no rate */
	even_bounds();
	bounds[BINS - 1] = LAST;
	histogram = drawn(0, UINT64_MAX, 0, LAST + 10 * WIDTH);
	CHECK(is_below(&histogram, LAST + 10 * WIDTH, 110, 110));
	CHECK(is_below(&histogram, LAST + 5 * WIDTH, 105, 110));

	/* two bins after a gap, the last one wider: their rate together */
	even_bounds();
	for (int i = BINS - 2; i <= BINS; i++)
		bounds[i] += 1000 * WIDTH;
	bounds[BINS - 2] += WIDTH / 2;
	histogram = drawn(0, UINT64_MAX, 0, bounds[BINS] + 3 * WIDTH);
	CHECK(is_below(&histogram, bounds[BINS], 100, 104));

	/* a hundred times the rate is no gap */
	even_bounds();
	bounds[BINS - 1] = LAST - (UINT64_C(1) << 30);
	bounds[BINS - 2] = LAST - (UINT64_C(100) << 30);
	for (int i = BINS - 5; i < BINS - 2; i++)
		bounds[i] = LAST - (UINT64_C(500) << 30);
	histogram = drawn(0, UINT64_MAX, 0, LAST + (UINT64_C(200) << 30));
	CHECK(is_below(&histogram, LAST, 100, 102));

	/* ids without any room between them have a rate, too */
	for (int i = 0; i < 3; i++)
		bounds[i] = FIRST + (uint64_t) i;
	histogram = flake_histogram(bounds, 3, 0, UINT64_MAX, false);
	histogram.end = FIRST + 12;
	histogram.growth = 100;
	flake_histogram_draw(&histogram, knots);
	CHECK(is_below(&histogram, FIRST + 2, 2, 12));
}

/* No rows above the last bound, or not as many as their times say */
static void
test_no_tail(void)
{
	FlakeHistogram histogram;

	even_bounds();
	histogram = drawn(0, UINT64_MAX, FIRST + 1, LAST);
	CHECK(is_below(&histogram, bounds[50], 50, 100));
	histogram = drawn_grown(0, UINT64_MAX, 0, LAST + 10 * WIDTH, 0, 5);
	CHECK(is_below(&histogram, LAST, 100, 105.02));
	CHECK(is_below(&histogram, LAST + 5 * WIDTH, 102.51, 105.02));
	histogram = drawn_grown(0, UINT64_MAX, 0, LAST + 10 * WIDTH, 0, 0);
	CHECK(is_below(&histogram, LAST, 100, 101));
	histogram = drawn_grown(0, UINT64_MAX, 0, LAST + 10 * WIDTH, LAST + 6 * WIDTH, 5);
	CHECK(is_below(&histogram, LAST + 6 * WIDTH, 100, 104));
	CHECK(is_below(&histogram, LAST + 8 * WIDTH, 102, 104));
	/* two rows: the second is the last one, the first the last but one */
	histogram = drawn_grown(0, UINT64_MAX, 0, LAST + 2 * WIDTH, LAST + 3 * WIDTH, 10000);
	CHECK(is_below(&histogram, LAST + WIDTH, 101, 102));
	for (int i = 0; i <= BINS; i++)
		bounds[i] = FIRST;
	histogram = drawn(0, UINT64_MAX, 0, LAST);
	CHECK(is_below(&histogram, LAST, 100, 100));
	CHECK(is_below(&histogram, FIRST + (LAST - FIRST) / 2, 100.25, 100.5));
}

/* Deleted rows, at either end and beside other ids, are in no range. */
static void
test_deleted(void)
{
	FlakeHistogram histogram;

	even_bounds();
	histogram = drawn(0, UINT64_MAX, bounds[2] + WIDTH / 2, bounds[98]);
	CHECK(is_below(&histogram, 0, 2.5, 100));
	CHECK(is_below(&histogram, bounds[2], 2.5, 100));
	CHECK(is_below(&histogram, bounds[3], 3, 100));
	CHECK(is_below(&histogram, bounds[99], 98, 100));
	CHECK(is_below(&histogram, UINT64_MAX, 98, 100));
	histogram = drawn(bounds[10], bounds[90], bounds[12], bounds[88]);
	CHECK(is_below(&histogram, bounds[9], 9, 100));
	CHECK(is_below(&histogram, bounds[11], 12, 100));
	CHECK(is_below(&histogram, bounds[89], 88, 100));
	CHECK(is_below(&histogram, bounds[91], 91, 100));
	/* rows of the last time are not beyond it */
	bounds[98] = bounds[99] = LAST;
	histogram = drawn(0, UINT64_MAX, 0, LAST);
	CHECK(is_below(&histogram, LAST, 98, 100));
	CHECK(is_below(&histogram, UINT64_MAX, 100, 100));
}

/* The least id in the table begins the first bin. */
static void
test_start(void)
{
	FlakeHistogram histogram;

	even_bounds();
	histogram = drawn(0, UINT64_MAX, FIRST - WIDTH, 0);
	CHECK(is_below(&histogram, FIRST - WIDTH, 0, BINS));
	CHECK(is_below(&histogram, FIRST, 0.5, BINS));
	CHECK(is_below(&histogram, bounds[1], 1, BINS));
	histogram = drawn(0, UINT64_MAX, FIRST + WIDTH / 2, 0);
	CHECK(is_below(&histogram, FIRST + WIDTH / 2, 0.5, BINS));
}

/*
 * 80 bins of times, then ids that are not times: the tail comes between, as a
 * part of the bin, and beyond it.
 */
static void
test_greatest(void)
{
	FlakeHistogram histogram;
	uint64_t	newest;

	even_bounds();
	newest = bounds[80] + 3 * WIDTH;
	for (int i = 81; i <= BINS; i++)
		bounds[i] = (UINT64_C(8) << 60) + (uint64_t) i * (WIDTH << 10);
	histogram = drawn(0, newest, 0, newest);
	CHECK(histogram.last == 80);
	CHECK(is_below(&histogram, bounds[80], 80, 102));
	CHECK(is_below(&histogram, newest, 83, 102));
	CHECK(is_below(&histogram, bounds[90], 92, 102));
	CHECK(flake_histogram_below(&histogram, UINT64_MAX) == 1);
	newest = bounds[80] + 1011 * WIDTH; /* too far to be believed */
	histogram = drawn_grown(0, newest, 0, newest, 0, 0);
	CHECK(is_below(&histogram, bounds[90], 90, 100));
	newest = bounds[80] + WIDTH / 4;
	histogram = drawn(0, newest, 0, newest);
	CHECK(is_below(&histogram, newest, 80.25, 100));
	CHECK(is_below(&histogram, bounds[81], 81, 100));
}

/* Other ids, then 20 bins of times: at the start begins a part of another one. */
static void
test_least(void)
{
	FlakeHistogram histogram;
	uint64_t	oldest;

	even_bounds();
	oldest = bounds[80] - WIDTH / 4;
	for (int i = 0; i < 80; i++)
		bounds[i] = i;
	histogram = drawn(1000, UINT64_MAX, oldest, 0);
	CHECK(histogram.first == 80);
	CHECK(is_below(&histogram, oldest, 79.75, 100));
	CHECK(is_below(&histogram, bounds[80], 80, 100));
	CHECK(is_below(&histogram, bounds[79] + 1, 79, 100));
	histogram = drawn(1000, UINT64_MAX, bounds[80] - 2 * WIDTH, 0);
	CHECK(is_below(&histogram, bounds[80] - WIDTH, 79.5, 100));
	CHECK(is_below(&histogram, 40, 40, 100));
}

/*
 * Beside other ids, three bins of times and their ends, none, or only rows
 * inserted after ANALYZE; without the ends, nothing can be said.
 */
static void
test_few(void)
{
	FlakeHistogram histogram;

	even_bounds();
	for (int bins = 3; bins <= 4; bins++)
	{
		CHECK(flake_histogram(bounds, BINS + 1, bounds[BINS - bins], UINT64_MAX, false).few == (bins == 3));
		CHECK(flake_histogram(bounds, BINS + 1, 0, bounds[bins], false).few == (bins == 3));
		CHECK(flake_histogram(bounds, BINS + 1, bounds[10], bounds[10 + bins], false).few == (bins == 3));
		CHECK(!flake_histogram(bounds, bins, 0, UINT64_MAX, false).few);
	}
	CHECK(flake_histogram(bounds, 3, bounds[1], UINT64_MAX, false).few);
	histogram = drawn(bounds[99], UINT64_MAX, bounds[99] - WIDTH / 4, LAST);
	CHECK(is_below(&histogram, bounds[99] - WIDTH / 8, 98.875, 100));
	CHECK(drawn(LAST, UINT64_MAX, 0, LAST + 40).knot_count > 0);
	CHECK(drawn(bounds[97], UINT64_MAX, 0, 0).knot_count == 0);
	CHECK(drawn(bounds[97], UINT64_MAX, 0, LAST).knot_count > 0);
	CHECK(drawn(LAST + 1, UINT64_MAX, 0, LAST + 40).knot_count == 0);
	CHECK(drawn(bounds[50] + 10, bounds[50] + 1000, bounds[50] + 20, 0).knot_count == 0);
	histogram = drawn(bounds[50], bounds[50] + 200, bounds[50] - 100, bounds[50] + 300);
	CHECK(is_below(&histogram, bounds[50] - 50, 49.875, 100));
	CHECK(is_below(&histogram, bounds[50] + 100, 50.25, 100));
	CHECK(is_below(&histogram, bounds[51], 51, 100));
	histogram = drawn(bounds[50], bounds[50] + 200, 0, bounds[50] + 300);
	CHECK(is_below(&histogram, bounds[50] - WIDTH / 2, 49.5, 100));
	histogram = drawn(bounds[50], bounds[50] + 200, bounds[50] + 20, bounds[50] + 20);
	CHECK(is_below(&histogram, bounds[50] + 20, 50.5, 100));
	histogram = drawn(0, FIRST, FIRST, FIRST + 100);
	CHECK(is_below(&histogram, FIRST + 50, 0.5, 100));

	histogram = drawn_grown(bounds[50] + 10, bounds[50] + 1000, bounds[50] + 20, bounds[50] + 40, 0, 0);
	CHECK(is_below(&histogram, bounds[50] + 20, 50.25, 100));
	CHECK(is_below(&histogram, bounds[50] + 30, 50.5, 100));
	CHECK(is_below(&histogram, bounds[50] + 40, 50.75, 100));
	CHECK(is_below(&histogram, bounds[51], 51, 100));
	histogram = drawn_grown(bounds[50] + 10, bounds[50] + 1000, bounds[50] + 20, bounds[50] + 40, 0, 2);
	CHECK(is_below(&histogram, bounds[50] + 40, 52.75, 102));
	CHECK(is_below(&histogram, bounds[51], 53, 102));

	histogram = drawn_grown(LAST + 1, UINT64_MAX, LAST + 20, LAST + 40, 0, 0);
	CHECK(is_below(&histogram, LAST + 20, 100, 100.5));
	CHECK(is_below(&histogram, LAST + 30, 100.25, 100.5));
	CHECK(is_below(&histogram, LAST + 40, 100.5, 100.5));
	histogram = drawn_grown(LAST + 1, UINT64_MAX, LAST + 20, LAST + 40, 0, 9);
	CHECK(is_below(&histogram, LAST + 30, 104.5, 109));
}

/*
 * UUIDv4 are spread evenly, the times around bound 50 are the rest: three
 * quarters of a bin of a quarter's width, or of two such bins
 */
static void
test_spread(void)
{
	FlakeHistogram histogram;

	for (int i = 0; i <= BINS; i++)
		bounds[i] = UINT64_MAX / BINS * (uint64_t) i;
	for (int i = 51; i <= BINS; i++)
		bounds[i] -= UINT64_MAX / BINS / 4 * 3;
	histogram = flake_histogram(bounds, BINS + 1, bounds[50] + 1, bounds[50] + 1000, true);
	histogram.start = bounds[50] + 100;
	histogram.end = bounds[50] + 300;
	flake_histogram_draw(&histogram, knots);
	CHECK(flake_histogram_below(&histogram, bounds[50] + 300) - flake_histogram_below(&histogram, bounds[50] + 100) > 0.0073);
	CHECK(flake_histogram_below(&histogram, bounds[50] + 300) - flake_histogram_below(&histogram, bounds[50] + 100) < 0.0076);
}

/* The least time that an id can have, above ids that have none */
static void
test_one(void)
{
	static const uint64_t bounds_of_one[] = {0, 11, 21, 31, 41, 51, 61};
	FlakeHistogram histogram = flake_histogram(bounds_of_one, 7, 1, 100, false);

	histogram.start = 1;
	histogram.end = 61;
	flake_histogram_draw(&histogram, knots);
	CHECK(is_below(&histogram, 3, 0.2, 6));
	histogram = flake_histogram(bounds_of_one, 7, 1, 20, false);
	histogram.start = 1;
	histogram.end = 20;
	flake_histogram_draw(&histogram, knots);
	CHECK(is_below(&histogram, 6, 1 - 0.5 * 10 / 19, 6));
}

void
test_histogram(void)
{
	test_one();
	test_below();
	test_alike();
	test_tail();
	test_no_tail();
	test_deleted();
	test_start();
	test_greatest();
	test_least();
	test_few();
	test_spread();
}
