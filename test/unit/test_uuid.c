/*
 * test_uuid.c
 *		UUID versions 6 and 7: prefixes and bounds.  The tests in SQL read the
 *		vectors.
 */
#include "unit_uuid.h"

/* The bytes are big-endian, and a round trip preserves them. */
static void
test_bytes(void)
{
	const unsigned char bytes[16] = {
		0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef,
		0xfe, 0xdc, 0xba, 0x98, 0x76, 0x54, 0x32, 0x10
	};
	unsigned char stored[16];
	FlakeUuid	uuid = flake_uuid_load(bytes);

	CHECK_UUID(uuid, parse_uuid("01234567-89ab-cdef-fedc-ba9876543210"));
	flake_uuid_store(stored, uuid);
	CHECK(memcmp(bytes, stored, sizeof(bytes)) == 0);
}

/* The last microsecond that begins before the 1/4096 ms ends */
static void
test_v7_unix_us(void)
{
	for (uint64_t rand_a = 0; rand_a < 4096; rand_a++)
	{
		FlakeUuid	uuid = flake_uuid_pack(7, UINT64_C(5) << 12 | rand_a, 0);
		uint64_t	us = (uint64_t) flake_uuid_v7_unix_us(uuid) - 5000;

		MUST(us * 4096 < (rand_a + 1) * 1000 &&
			 (us + 1) * 4096 >= (rand_a + 1) * 1000);
	}
}

/* The prefix is the millisecond and its fraction in units of 1/4096 ms. */
static void
test_v7_prefix(void)
{
	bool		right = true;

	for (int i = 0; i < 100000; i++)
	{
		uint64_t	random = unit_random64();
		uint32_t	ns = (uint32_t) (random % 1000000000);
		int64_t		s = (int64_t) (random >> 32) * 65;
		uint64_t	prefix = 0;

		/* including the edges of milliseconds */
		if (i % 4 == 0)
			ns -= ns % 1000000;
		else if (i % 4 == 1)
			ns = ns - ns % 1000000 + 999999;
		right &= flake_uuid_v7_prefix(instant(s, ns), &prefix) == FLAKE_OK;
		right &= prefix >> 12 == (uint64_t) s * 1000 + ns / 1000000;
		right &= (prefix & 0xfff) == (uint64_t) ns % 1000000 * 4096 / 1000000;
	}
	CHECK(right);
}

/* Nanosecond by nanosecond at both ends of a field */
static void
check_ends(int version, FlakeInstant first, FlakeInstant last)
{
	FlakeInstant before = instant(first.unix_s - 1, 999999999);
	FlakeInstant beyond = last;
	FlakeUuid	uuid = {.high = 1, .low = 2};

	if (++beyond.ns_in_s == FLAKE_NS_PER_S)
		beyond = instant(last.unix_s + 1, 0);
	CHECK_EQ(flake_uuid_make(version, before, 0, &uuid), FLAKE_BEFORE_FIELD);
	CHECK_EQ(flake_uuid_make(version, beyond, 0, &uuid), FLAKE_BEYOND_FIELD);
	CHECK_EQ(flake_uuid_make(version, instant(INT64_MIN, 0), 0, &uuid),
			 FLAKE_BEFORE_FIELD);
	CHECK_EQ(flake_uuid_make(version, instant(INT64_MAX, 999999999), 0, &uuid),
			 FLAKE_BEYOND_FIELD);
	/* In 1/4096 ms it is about 2^64. */
	CHECK_EQ(flake_uuid_make(version, instant(INT64_C(4503599627371), 0), 0,
							 &uuid), FLAKE_BEYOND_FIELD);
	CHECK_UUID(uuid, ((FlakeUuid) {.high = 1, .low = 2}));
	CHECK_EQ(flake_uuid_make(version, first, 0, &uuid), FLAKE_OK);
	CHECK_EQ(flake_uuid_make(version, last, 0, &uuid), FLAKE_OK);
}

static void
test_ends(void)
{
	const FlakeInstant v6_first = instant(INT64_C(-12219292800), 0);
	const FlakeInstant v6_last = instant(INT64_C(103072857660), 684697599);
	const FlakeInstant v7_last = instant(INT64_C(281474976710), 655999999);
	FlakeUuid	uuid = {0};

	check_ends(6, v6_first, v6_last);
	check_ends(7, instant(0, 0), v7_last);

	CHECK_EQ(flake_uuid_make(7, v7_last, UINT64_MAX, &uuid), FLAKE_OK);
	CHECK_UUID(uuid, parse_uuid("ffffffff-ffff-7fff-bfff-ffffffffffff"));
}

/* A shifted v7 keeps its fraction and random bits. */
static void
test_v7_move(void)
{
	const FlakeUuid uuid = flake_uuid_pack(7, UINT64_C(5) << 12 | 0xffe, 77);
	FlakeUuid	moved = {.high = 1, .low = 2};

	CHECK_EQ(flake_uuid_v7_move(uuid, instant(1, 0), &moved), FLAKE_OK);
	CHECK_UUID(moved, flake_uuid_pack(7, UINT64_C(1000) << 12 | 0xffe, 77));
	CHECK_EQ(flake_uuid_v7_move(uuid, instant(1, 500000), &moved), FLAKE_OK);
	CHECK_UUID(moved, flake_uuid_pack(7, UINT64_C(1001) << 12 | 0x7fe, 77));
	CHECK_EQ(flake_uuid_v7_move(uuid, instant(0, 0), &moved), FLAKE_OK);
	CHECK_UUID(moved, flake_uuid_pack(7, 0xffe, 77));
	CHECK_EQ(flake_uuid_v7_move(uuid, instant(INT64_C(281474976710), 655000000),
								&moved), FLAKE_OK);
	CHECK_UUID(moved, flake_uuid_pack(7, flake_mask(60) - 1, 77));

	/* the last tick of the field is valid, the next one is not */
	CHECK_EQ(flake_uuid_v7_move(flake_uuid_pack(7, 0xfff, 78),
								instant(INT64_C(281474976710), 655000000),
								&moved), FLAKE_OK);
	CHECK_UUID(moved, flake_uuid_pack(7, flake_mask(60), 78));
	CHECK_EQ(flake_uuid_v7_move(flake_uuid_pack(7, 0xfff, 78),
								instant(INT64_C(281474976710), 655000245),
								&moved), FLAKE_BEYOND_FIELD);

	/* half a millisecond past the last one is past the field */
	moved = uuid;
	CHECK_EQ(flake_uuid_v7_move(uuid, instant(INT64_C(281474976710), 655500000),
								&moved), FLAKE_BEYOND_FIELD);
	CHECK_EQ(flake_uuid_v7_move(uuid, instant(INT64_C(281474976711), 0),
								&moved), FLAKE_BEYOND_FIELD);
	CHECK_EQ(flake_uuid_v7_move(uuid, instant(-1, 999999999), &moved),
			 FLAKE_BEFORE_FIELD);
	CHECK_UUID(moved, uuid);
}

/* Microseconds are truncated to milliseconds, before 1970 too. */
static void
test_instants(void)
{
	static const struct
	{
		int64_t		unix_us;
		int64_t		unix_s;
		uint32_t	ns_in_s;
	}			rows[] = {
		{0, 0, 0},
		{1, 0, 1000},
		{999999, 0, 999999000},
		{1000000, 1, 0},
		{-1, -1, 999999000},
		{-1000000, -1, 0},
		{-1000001, -2, 999999000},
		{INT64_MAX, INT64_C(9223372036854), 775807000},
		{INT64_MIN, INT64_C(-9223372036855), 224192000},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
	{
		FlakeInstant at = flake_instant_from_unix_us(rows[i].unix_us);

		CHECK_EQ(at.unix_s, rows[i].unix_s);
		CHECK_EQ(at.ns_in_s, rows[i].ns_in_s);
	}
}

void
test_uuid(void)
{
	test_bytes();
	test_v7_unix_us();
	test_v7_prefix();
	test_ends();
	test_v7_move();
	test_instants();
}
