/*
 * test_scru160.c
 *		SCRU160: text in both directions, bad text, generators and bounds.  The
 *		tests in SQL read the vectors.
 */
#include <stdlib.h>
#include <string.h>

#include "format/base.h"
#include "format/scru160.h"
#include "format/text.h"
#include "unit.h"

static FlakeInstant
ms_instant(uint64_t ms)
{
	return (FlakeInstant) {.unix_s = (int64_t) (ms / 1000),
						   .ns_in_s = (uint32_t) (ms % 1000) *
						   FLAKE_NS_PER_MS};
}

static void
check_decodes(const char *text, const unsigned char *expected)
{
	unsigned char bytes[FLAKE_SCRU160_BYTES];
	size_t		bad_offset;

	CHECK_EQ(flake_scru160_decode(text, strlen(text), bytes, &bad_offset),
			 FLAKE_OK);
	CHECK(memcmp(bytes, expected, sizeof(bytes)) == 0);
}

static void
check_us(FlakeScru160 id, uint64_t ms, uint64_t us_in_ms)
{
	int64_t		unix_us = -1;

	CHECK_EQ(flake_scru160_us_unix_us(id, &unix_us),
			 us_in_ms <= 999 ? FLAKE_OK : FLAKE_BAD_FIELD);
	CHECK_EQ(unix_us, us_in_ms <= 999 ? (int64_t) (ms * 1000 + us_in_ms) : -1);
}

/* 999 is the last microsecond. */
static void
test_last_us(void)
{
	check_us((FlakeScru160) {.stamp = 5 << 16 | 999 << 6 | 63}, 5, 999);
	check_us((FlakeScru160) {.stamp = 5 << 16 | 1000 << 6}, 5, 1000);
}

static void
test_bad_text(void)
{
	char		text[100];
	unsigned char bytes[FLAKE_SCRU160_BYTES];
	size_t		bad_offset;

	memset(text, '0', sizeof(text));
	for (size_t length = 0; length <= sizeof(text); length++)
		CHECK_EQ(flake_scru160_decode(text, length, bytes, &bad_offset),
				 length == 32 || length == 40 ? FLAKE_OK : FLAKE_BAD_LENGTH);

	/* the first of two bad characters */
	text[7] = text[30] = '-';
	CHECK_EQ(flake_scru160_decode(text, 32, bytes, &bad_offset),
			 FLAKE_BAD_CHARACTER);
	CHECK_EQ(bad_offset, 7);
	CHECK_EQ(flake_scru160_decode(text, 40, bytes, &bad_offset),
			 FLAKE_BAD_CHARACTER);
	CHECK_EQ(bad_offset, 7);

	/* a bad character, in a text of a bad length */
	CHECK_EQ(flake_scru160_decode(text, 33, bytes, &bad_offset),
			 FLAKE_BAD_CHARACTER);
	CHECK_EQ(bad_offset, 7);
	CHECK_EQ(flake_scru160_decode(text, 7, bytes, &bad_offset),
			 FLAKE_BAD_LENGTH);

	/* "v" is a digit of base32hex only */
	memset(text, '0', 40);
	text[5] = 'v';
	CHECK_EQ(flake_scru160_decode(text, 32, bytes, &bad_offset), FLAKE_OK);
	CHECK_EQ(flake_scru160_decode(text, 31, bytes, &bad_offset), FLAKE_BAD_LENGTH);
	CHECK_EQ(flake_scru160_decode(text, 40, bytes, &bad_offset), FLAKE_BAD_CHARACTER);
	CHECK_EQ(bad_offset, 5);
}

static void
random_bytes(unsigned char *bytes)
{
	flake_scru160_pack(bytes, (FlakeScru160) {
		.stamp = unit_random64(),
		.random_high = unit_random64(),
		.random_low = (uint32_t) unit_random64(),
	});
}

static int
sign(int number)
{
	return (number > 0) - (number < 0);
}

/*
 * Ids, both their texts and their fields have the same order; texts decode to
 * the same ids.
 */
static void
test_order(void)
{
	unsigned char a[FLAKE_SCRU160_BYTES];
	unsigned char b[FLAKE_SCRU160_BYTES];
	char		text_a[FLAKE_SCRU160_HEX_DIGITS + 1] = "";
	char		text_b[FLAKE_SCRU160_HEX_DIGITS + 1] = "";

	for (int i = 0; i < 20000; i++)
	{
		unsigned	same = (unsigned) (unit_random64() % 21);
		int			order;

		random_bytes(a);
		random_bytes(b);
		memcpy(b, a, same);
		order = sign(flake_scru160_compare(a, b));
		if (same == FLAKE_SCRU160_BYTES)
			CHECK_EQ(order, 0);
		if (same == 0)
			CHECK_EQ(order, a[0] == b[0] ? order : a[0] < b[0] ? -1 : 1);
		flake_scru160_encode_base32hex(a, text_a);
		flake_scru160_encode_base32hex(b, text_b);
		text_a[32] = text_b[32] = '\0';
		CHECK_EQ(sign(strcmp(text_a, text_b)), order);
		check_decodes(text_a, a);
		flake_scru160_encode_hex(a, text_a);
		flake_scru160_encode_hex(b, text_b);
		CHECK_EQ(sign(strcmp(text_a, text_b)), order);
		check_decodes(text_a, a);
	}
}

static void
check_made(uint64_t ms, FlakeStatus bounded)
{
	static const unsigned char random[FLAKE_SCRU160_RANDOM_BYTES] = {
		1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
	};
	FlakeScru160 id;

	if (bounded == FLAKE_OK)
	{
		id = flake_scru160_from_parts(ms, 0xabcd, random);
		CHECK_EQ(flake_scru160_unix_ms(id), ms);
		CHECK_EQ(id.stamp, ms << 16 | 0xabcd);
		CHECK_EQ(id.random_high, UINT64_C(0x0102030405060708));
		CHECK_EQ(id.random_low, 0x090a0b0c);
	}
	id = flake_scru160_min(ms_instant(ms));
	CHECK_EQ(id.stamp, bounded == FLAKE_OK ? ms << 16 : UINT64_MAX);
	CHECK_EQ(id.random_high, bounded == FLAKE_OK ? 0 : UINT64_MAX);
	CHECK_EQ(id.random_low, bounded == FLAKE_OK ? 0 : UINT32_MAX);
}

/* Bounds also use the milliseconds that are reserved for generators. */
static void
test_makers(void)
{
	const uint64_t last = flake_mask(48);

	check_made(0, FLAKE_OK);
	check_made(UINT64_C(1631540490683), FLAKE_OK);
	check_made(last, FLAKE_OK);
	check_made(last + 1, FLAKE_BEYOND_FIELD);
	CHECK_EQ(flake_scru160_min(flake_instant_from_unix_us(-1)).stamp, 0);
	CHECK_EQ(flake_scru160_min(flake_instant_from_unix_us(INT64_MIN)).stamp, 0);
	CHECK_EQ(flake_scru160_min(flake_instant_from_unix_us(INT64_MAX)).stamp, UINT64_MAX);
	/* truncated, never rounded up */
	CHECK_EQ(flake_scru160_min(flake_instant_from_unix_us(1999)).stamp, 1 << 16);
}

void
test_scru160(void)
{
	test_last_us();
	test_bad_text();
	test_order();
	test_makers();
}
