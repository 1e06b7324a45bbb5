/*
 * test_horizon.c
 *		Tags of horizons, what a page says to a start, and the leads.
 */
#include "format/flake_horizon.h"
#include "unit_uuid.h"

static const FlakeLayout *const fluid = &flake_layouts[FLAKE_FLUID];
static const FlakeLayout *const nanoflake = &flake_layouts[FLAKE_NANOFLAKE];

#define NOW_MS		UINT64_C(1000000)
#define LAST_NUMBER	((UINT32_C(1) << FLAKE_START_NUMBER_BITS) - 1)

static const FlakeStart start = {
	.number = 5, .timeline = 7, .epoch_ms = FLAKE_EPOCH_2024_MS,
	.now_ms = NOW_MS
};

/* The same server, started again */
static const FlakeStart next_start = {
	.number = 6, .timeline = 7, .epoch_ms = FLAKE_EPOCH_2024_MS,
	.now_ms = NOW_MS
};

static FlakeStart
with_epoch(FlakeStart of, int64_t epoch_ms)
{
	of.epoch_ms = epoch_ms;
	return of;
}

static FlakeStart
with_timeline(FlakeStart of, uint32_t timeline)
{
	of.timeline = timeline;
	return of;
}

static FlakeStart
with_cluster(FlakeStart of, uint64_t cluster)
{
	of.cluster = cluster;
	return of;
}

static FlakeStart
with_number(FlakeStart of, uint32_t number)
{
	of.number = number;
	return of;
}

/*
 * State of a page whose horizon is this far ahead of the clock.  FAR is just
 * over a minute ahead of the clock, NEAR just a minute.
 */
#define NEAR	FLAKE_FAR_AHEAD_MS
#define FAR		(FLAKE_FAR_AHEAD_MS + 1)

static FlakeVerdict
state_of(int64_t tag, int64_t ahead_ms, FlakeStart of)
{
	FlakeStoredHorizon page = {.horizon_ms = (int64_t) of.now_ms + ahead_ms, .tag = tag};

	return flake_judge(&page, &of);
}

/* The bits, as doc/internals/protocol.md has them */
static void
test_bits(void)
{
	FlakeStart	last = with_timeline(with_number(start, LAST_NUMBER), UINT32_MAX);
	FlakeStart	first = with_timeline(start, 1);

	CHECK_EQ((uint64_t) flake_tag(&start) >> 32, UINT32_C(0x80000005));
	CHECK_EQ((uint64_t) flake_tag_reset(&start, 0) >> 32, UINT32_C(0xc0000005));
	CHECK_EQ((uint32_t) flake_tag_reset(&start, 0) - (uint32_t) flake_tag_reset(&first, 0), 6 << 5);

	/* the checksums, which tags of earlier starts have, too */
	CHECK_EQ((uint32_t) flake_tag(&start), UINT32_C(0x7f81c9cc));
	CHECK_EQ((uint32_t) flake_tag_reset(&start, 0), UINT32_C(0xc3f1f2e0));
	CHECK_EQ((uint64_t) flake_tag(&last) >> 32, UINT32_C(0xbfffffff));
	CHECK_EQ((uint64_t) flake_tag_reset(&last, 0) >> 32, UINT32_MAX);

	/* a number that is too wide changes no other field */
	last.number = UINT32_MAX;
	CHECK_EQ((uint64_t) flake_tag(&last) >> 32, UINT32_C(0xbfffffff));
	last.number = UINT32_C(0x40000001);
	CHECK_EQ((uint64_t) flake_tag_reset(&last, 0) >> 32, UINT32_C(0xc0000001));

	CHECK(flake_tag(&start) < 0 && flake_tag_reset(&start, 0) < 0);
	CHECK(!flake_tag_is_reset(flake_tag(&start)));
	CHECK(flake_tag_is_reset(flake_tag_reset(&start, 0)));

	/* the room of a reset */
	CHECK_EQ(flake_tag_reset(&start, 7), flake_tag_reset(&start, 0) + 7);
	CHECK_EQ(flake_tag_reset(&start, UINT64_MAX), flake_tag_reset(&start, 30));
	CHECK_EQ(flake_tag_room_s(flake_tag_reset(&start, 29)), 29);
	CHECK_EQ(flake_tag_room_s(flake_tag(&start)), 0);
	CHECK_EQ(flake_tag_room_s(31), 0);

	/* what PostgreSQL writes is no reset, even with that bit */
	CHECK(!flake_tag_is_reset(0));
	CHECK(!flake_tag_is_reset(32));
	CHECK(!flake_tag_is_reset(flake_tag_reset(&start, 0) & INT64_MAX));
}

/*
 * Two epochs have the same checksum once in 2^32 pairs, and with the reset bit
 * that of an earlier timeline about as rarely.
 */
static void
test_checksums(void)
{
	int			same = 0;
	int			same_reset = 0;

	for (int i = 0; i < 100000; i++)
	{
		int64_t		a = (int64_t) (unit_random64() >> 22) - (INT64_C(1) << 41);
		int64_t		b = a + 1 + (int64_t) (unit_random64() >> (24 + i % 40));
		FlakeStart	first = with_epoch(start, a);
		FlakeStart	second = with_epoch(start, b);

		same += flake_tag(&first) == flake_tag(&second);
		same_reset += state_of(flake_tag_reset(&first, 0), FAR,
							   with_number(second, 6)) != FLAKE_HORIZON_REFUSED;
	}
	CHECK(same <= 1);
	CHECK(same_reset <= 1);

	/* nor do bits cancel each other that a person may change */
	for (int bit = 0; bit < 42; bit++)
	{
		FlakeStart	second = with_epoch(next_start, start.epoch_ms ^ INT64_C(1) << bit);

		CHECK_EQ(state_of(flake_tag(&start), FAR, second), FLAKE_HORIZON_REFUSED);
		CHECK_EQ(state_of(flake_tag_reset(&start, 0), FAR, second), FLAKE_HORIZON_REFUSED);
	}
}

/* The order of judging: number, epoch and distance, reset */

static void
test_states(void)
{
	FlakeStart	moved = with_epoch(start, FLAKE_EPOCH_2024_MS + 1);
	FlakeStart	promoted = with_timeline(start, 8);
	FlakeStart	first = with_timeline(start, 1);
	FlakeStart	as_reset = with_timeline(with_epoch(start, 3), -(3 * UINT32_C(0x9e3779b1) >> 5) & 0x7ffffff);
	const int64_t tag = flake_tag(&start);
	const int64_t reset = flake_tag_reset(&start, 30);
	const int64_t moved_tag = flake_tag(&moved);
	const int64_t another_reset = flake_tag_reset(&promoted, 0);
	const struct
	{
		const char *what;
		int64_t		tag;
		FlakeStart	start;
		FlakeVerdict near;
		FlakeVerdict far;
	}			rows[] = {
		{"this start", tag, start, FLAKE_HORIZON_CURRENT, FLAKE_HORIZON_CURRENT},
		{"this start, promoted since", tag, with_timeline(start, 8),
		FLAKE_HORIZON_CURRENT, FLAKE_HORIZON_CURRENT},
		{"this start, reset requested", reset, start,
		FLAKE_HORIZON_PENDING, FLAKE_HORIZON_PENDING},
		{"this start, reset requested on another timeline", another_reset, start,
		FLAKE_HORIZON_PENDING, FLAKE_HORIZON_PENDING},
		{"this number, another epoch", moved_tag, start,
		FLAKE_HORIZON_CURRENT, FLAKE_HORIZON_CURRENT},

		{"earlier start", tag, next_start, FLAKE_HORIZON_EARLIER, FLAKE_HORIZON_EARLIER},
		{"earlier start, promoted", tag, with_timeline(next_start, 8),
		FLAKE_HORIZON_EARLIER, FLAKE_HORIZON_EARLIER},
		{"earlier start, another epoch", moved_tag, next_start,
		FLAKE_HORIZON_EARLIER, FLAKE_HORIZON_REFUSED},

		{"reset", reset, next_start, FLAKE_HORIZON_RESET, FLAKE_HORIZON_RESET},
		{"reset before a promotion", reset, with_timeline(next_start, 8),
		FLAKE_HORIZON_EARLIER, FLAKE_HORIZON_EARLIER},
		{"reset on a timeline that is not an earlier one", another_reset, next_start,
		FLAKE_HORIZON_EARLIER, FLAKE_HORIZON_REFUSED},
		{"reset on the first timeline", flake_tag_reset(&first, 0), next_start,
		FLAKE_HORIZON_EARLIER, FLAKE_HORIZON_EARLIER},
		{"reset before a promotion, another epoch", another_reset,
			with_epoch(next_start, FLAKE_EPOCH_2024_MS + 1),
		FLAKE_HORIZON_EARLIER, FLAKE_HORIZON_REFUSED},
		{"reset, moved to another cluster", reset,
			with_cluster(next_start, UINT64_C(7312345678901234567)),
		FLAKE_HORIZON_EARLIER, FLAKE_HORIZON_REFUSED},
		{"reset, another epoch", reset,
			with_epoch(next_start, FLAKE_EPOCH_2024_MS + 1),
		FLAKE_HORIZON_EARLIER, FLAKE_HORIZON_REFUSED},

		/* other hands: setval(), nextval(), and the bits of ours but the sign */
		{"setval", 0, start, FLAKE_HORIZON_EARLIER, FLAKE_HORIZON_REFUSED},
		{"nextval", 32, start, FLAKE_HORIZON_EARLIER, FLAKE_HORIZON_REFUSED},
		{"no sign, this start", tag & INT64_MAX, start,
		FLAKE_HORIZON_EARLIER, FLAKE_HORIZON_REFUSED},
		{"no sign, this epoch", tag & INT64_MAX, next_start,
		FLAKE_HORIZON_EARLIER, FLAKE_HORIZON_REFUSED},
		{"no sign, reset", reset & INT64_MAX, next_start,
		FLAKE_HORIZON_EARLIER, FLAKE_HORIZON_REFUSED},

		/* checksums that are equal to something else */
		{"setval, checksum 0", 0, with_epoch(start, 0),
		FLAKE_HORIZON_EARLIER, FLAKE_HORIZON_REFUSED},
		{"no reset, checksum of one", flake_tag(&as_reset), with_number(as_reset, 6),
		FLAKE_HORIZON_EARLIER, FLAKE_HORIZON_EARLIER},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
	{
		FlakeVerdict near = state_of(rows[i].tag, NEAR, rows[i].start);
		FlakeVerdict far = state_of(rows[i].tag, FAR, rows[i].start);

		unit_check(near == rows[i].near && far == rows[i].far,
				   __FILE__, __LINE__, "%s: %d and %d, not %d and %d",
				   rows[i].what, near, far, rows[i].near, rows[i].far);
		CHECK_EQ(state_of(rows[i].tag, -(int64_t) NOW_MS, rows[i].start), near);
	}
}

/* Horizons that no generator writes, and a clock before the epoch */
static void
test_extremes(void)
{
	FlakeStart	early = start;
	FlakeStoredHorizon page = {.horizon_ms = INT64_MAX};

	CHECK_EQ(flake_judge(&page, &start), FLAKE_HORIZON_REFUSED);
	page.tag = flake_tag(&next_start);
	CHECK_EQ(flake_judge(&page, &start), FLAKE_HORIZON_EARLIER);
	early.now_ms = 0;
	CHECK_EQ(state_of(0, NEAR, early), FLAKE_HORIZON_EARLIER);
	CHECK_EQ(state_of(0, FAR, early), FLAKE_HORIZON_REFUSED);
	page = (FlakeStoredHorizon) {0};
	CHECK_EQ(flake_judge(&page, &early), FLAKE_HORIZON_EARLIER);
}

/* A lead beyond the clock; a tenth of it beyond ids that are ahead */
static void
test_horizon_for(void)
{
	static const struct
	{
		uint64_t	ahead_ms;	/* of the id */
		uint64_t	fluid_ms;	/* of its horizon */
		uint64_t	nanoflake_ms;
	}			rows[] = {
		{0, 2000, 500}, {1, 2000, 500}, {450, 2000, 500}, {451, 2000, 501},
		{1800, 2000, 1850}, {1801, 2001, 1851}, {60000, 60200, 60050},
	};

	CHECK(fluid->waits == false && nanoflake->waits == true);
	CHECK(flake_layouts[FLAKE_ULIDFLAKE].waits == false);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
	{
		uint64_t	ms = NOW_MS + rows[i].ahead_ms;

		CHECK_EQ(flake_horizon_for(flake_lead_ms(fluid), ms, NOW_MS), NOW_MS + rows[i].fluid_ms);
		CHECK_EQ(flake_horizon_for(flake_lead_ms(nanoflake), ms, NOW_MS), NOW_MS + rows[i].nanoflake_ms);
	}

	/* none, and a clock before the epoch: no horizon */
	CHECK_EQ(flake_horizon_for(2000, 0, 0), 0);
	CHECK_EQ(flake_horizon_for(2000, 0, 1), 2001);
	CHECK_EQ(flake_horizon_for(2000, 1, 0), 2000);

	/* an id behind the clock, as flakeid_raise_floor('epoch') has it */
	CHECK_EQ(flake_horizon_for(flake_lead_ms(fluid), 0, NOW_MS), NOW_MS + 2000);
}

/* Near: half a lead is left, or a twentieth if ids are ahead of the clock */
static void
test_near(void)
{
	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		uint64_t	lead_ms = flake_lead_ms(&flake_layouts[format]);
		uint64_t	ms = NOW_MS;

		CHECK(!flake_horizon_is_near(lead_ms, ms, ms, ms + lead_ms));
		CHECK(!flake_horizon_is_near(lead_ms, ms, ms, ms + lead_ms / 2));
		CHECK(flake_horizon_is_near(lead_ms, ms, ms, ms + lead_ms / 2 - 1));
		CHECK(flake_horizon_is_near(lead_ms, ms, ms, ms));
		CHECK(flake_horizon_is_near(lead_ms, ms, ms, 0));

		CHECK(!flake_horizon_is_near(lead_ms, ms, ms - 1, ms + lead_ms / 20));
		CHECK(flake_horizon_is_near(lead_ms, ms, ms - 1, ms + lead_ms / 20 - 1));

		/* a new horizon is not near */
		for (uint64_t now_ms = ms - 3 * lead_ms; now_ms <= ms; now_ms++)
			MUST(!flake_horizon_is_near(lead_ms, ms, now_ms,
										flake_horizon_for(lead_ms, ms, now_ms)));
	}
}

/* A slow flush makes the lead longer, for a while and within limits. */
static void
test_lead_after_flush(void)
{
	CHECK_EQ(flake_lead_after_flush(0, 0), 0);
	CHECK_EQ(flake_lead_after_flush(0, 3000), 12000);
	CHECK_EQ(flake_lead_after_flush(6000, 1), 3000);
	CHECK_EQ(flake_lead_after_flush(6000, 751), 3004);
	CHECK_EQ(flake_lead_after_flush(0, FLAKE_MAX_LEAD_MS / 4), FLAKE_MAX_LEAD_MS);
	CHECK_EQ(flake_lead_after_flush(0, FLAKE_MAX_LEAD_MS / 4 + 1), FLAKE_MAX_LEAD_MS);
	CHECK_EQ(flake_lead_after_flush(0, UINT64_MAX), FLAKE_MAX_LEAD_MS);
}

void
test_horizon(void)
{
	test_lead_after_flush();
	test_bits();
	test_checksums();
	test_states();
	test_extremes();
	test_horizon_for();
	test_near();
}
