/*
 * test_uuid_text.c
 *		Short text forms of a UUID: bad text and its positions, random round
 *		trips.  The tests in SQL read the vectors.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/text.h"
#include "unit_uuid.h"

#define RANDOM_VALUES 1000000

/* Decode a copy of the text, see unit_copy(). */
static FlakeStatus
decode(FlakeUuidForm form, const char *text, size_t length, FlakeUuid *uuid,
	   FlakeFault *fault)
{
	char	   *copy = unit_copy(text, length);
	FlakeStatus status;

	status = flake_uuid_decode(form, copy, length, uuid, fault);
	free(copy);
	return status;
}

static void
decodes_to(FlakeUuidForm form, const char *text, FlakeUuid expected)
{
	FlakeUuid	uuid = {0};
	FlakeFault	fault;

	CHECK_EQ(decode(form, text, strlen(text), &uuid, &fault), FLAKE_OK);
	CHECK_UUID(uuid, expected);
}

static void
test_aliases(void)
{
	decodes_to(FLAKE_UUID_BASE32, "11111111111111111111111111",
			   parse_uuid("21084210-8421-0842-1084-210842108421"));
	decodes_to(FLAKE_UUID_BASE32, "lLiI1lLiI1lLiI1lLiI1lLiI1l",
			   parse_uuid("21084210-8421-0842-1084-210842108421"));
	decodes_to(FLAKE_UUID_BASE32, "oO0oO0oO0oO0oO0oO0oO0oO0oO",
			   (FlakeUuid) {0});
}

static void
refuses(FlakeUuidForm form, const char *text, FlakeStatus status,
		size_t offset, size_t length)
{
	FlakeUuid	uuid;
	FlakeFault	fault = {0};
	FlakeStatus actual = decode(form, text, strlen(text), &uuid, &fault);

	CHECK_FAULT(text, actual, fault, status, offset, length);
}

static void
test_faults(void)
{
	const FlakeUuidForm base32 = FLAKE_UUID_BASE32;
	const FlakeUuidForm base32hex = FLAKE_UUID_BASE32HEX;
	const FlakeUuidForm base58 = FLAKE_UUID_BASE58;

	refuses(base32, "", FLAKE_TOO_SHORT, 0, 0);
	refuses(base32, "0123456789ABCDEFGHJKMNPQR", FLAKE_TOO_SHORT, 25, 0);
	refuses(base32, "8ZZZ", FLAKE_TOO_SHORT, 4, 0);
	refuses(base32, "8ZZU", FLAKE_BAD_CHARACTER, 3, 1);
	refuses(base32, "0123456789ABCDEFGHJKMNPQR\xc3\xa9", FLAKE_BAD_CHARACTER,
			25, 2);
	refuses(base32, "0123456789ABCDEFGHJKMNPQRS\xc3\xa9",
			FLAKE_BAD_CHARACTER, 26, 2);
	refuses(base32, "8123456789ABCDEFGHJKMNPQRST", FLAKE_BAD_CHARACTER, 26, 1);
	refuses(base32, "u123456789ABCDEFGHJKMNPQRST", FLAKE_BAD_CHARACTER, 0, 1);
	refuses(base32, "80000000000000000000000000", FLAKE_OUT_OF_RANGE, 0, 0);
	refuses(base32, "zzzzzzzzzzzzzzzzzzzzzzzzzz", FLAKE_OUT_OF_RANGE, 0, 0);
	refuses(base32hex, "", FLAKE_TOO_SHORT, 0, 0);
	refuses(base32hex, "VVVVVVVVVVVVVVVVVVVVVVVVV", FLAKE_TOO_SHORT, 25, 0);
	refuses(base32hex, "VVVVVVVVVVVVVVVVVVVVVVVVVT", FLAKE_BAD_CHARACTER, 25, 1);
	refuses(base32hex, "VVVVVVVVVVVVVVVVVVVVVVVVVU", FLAKE_BAD_CHARACTER, 25, 1);
	refuses(base32hex, "WVVVVVVVVVVVVVVVVVVVVVVVVS", FLAKE_BAD_CHARACTER, 0, 1);
	refuses(base32hex, "VVVVVVVVVVVVVVVVVVVVVVVVVW", FLAKE_BAD_CHARACTER, 25, 1);
	refuses(base32hex, "00000000000000000000000000======", FLAKE_BAD_CHARACTER, 26, 1);
	refuses(base58, "", FLAKE_TOO_SHORT, 0, 0);
	refuses(base58, "0", FLAKE_BAD_CHARACTER, 0, 1);
	refuses(base58, "1\xe2\x82\xac", FLAKE_BAD_CHARACTER, 1, 3);
	refuses(base58, "zzzzzzzzzzzzzzzzzzzzzzz", FLAKE_BAD_CHARACTER, 22, 1);
	refuses(base58, "zzzzzzzzzzzzzzzzzzzzzl", FLAKE_BAD_CHARACTER, 21, 1);
	refuses(base58, "lzzzzzzzzzzzzzzzzzzzzzz", FLAKE_BAD_CHARACTER, 0, 1);
	refuses(base58, "YcVfxkQb6JRzqk5kF2tNLw", FLAKE_OUT_OF_RANGE, 0, 0);
	refuses(base58, "YcVfxkQb6JRzqk5kF3tNLv", FLAKE_OUT_OF_RANGE, 0, 0);
	refuses(base58, "YcVfyzzzzzzzzzzzzzzzzz", FLAKE_OUT_OF_RANGE, 0, 0);
	refuses(base58, "zzzzzzzzzzzzzzzzzzzzzz", FLAKE_OUT_OF_RANGE, 0, 0);
}

static void
round_trip(FlakeUuidForm form, uint64_t high, uint64_t low)
{
	FlakeUuid	uuid = {.high = high, .low = low};
	char		text[FLAKE_UUID_TEXT_SIZE];
	size_t		length = flake_uuid_encode(form, uuid, text);
	FlakeUuid	back = {~uuid.high, ~uuid.low};
	FlakeFault	fault;

	MUST(flake_uuid_decode(form, text, length, &back, &fault) == FLAKE_OK);
	MUST(back.high == uuid.high && back.low == uuid.low);
	MUST(form != FLAKE_UUID_BASE58 ? length == 26 :
		 length == 1 || text[0] != '1');
}

static void
test_round_trips(FlakeUuidForm form)
{
	for (int i = 0; i < RANDOM_VALUES; i++)
		round_trip(form, unit_random64(), unit_random64());

	/* All lengths */
	for (unsigned bits = 0; bits < 64; bits++)
	{
		round_trip(form, 0, unit_random64() >> bits);
		round_trip(form, unit_random64() >> bits, unit_random64());
	}
	CHECK(true);
}

/* Texts of base 32 and base32hex sort like the ids. */
static void
test_order(FlakeUuidForm form)
{
	for (int i = 0; i < RANDOM_VALUES / 10; i++)
	{
		FlakeUuid	a = {unit_random64(), unit_random64()};
		FlakeUuid	b = {i % 2 == 0 ? a.high : unit_random64(), unit_random64()};
		char		a_text[FLAKE_UUID_TEXT_SIZE];
		char		b_text[FLAKE_UUID_TEXT_SIZE];

		flake_uuid_encode(form, a, a_text);
		flake_uuid_encode(form, b, b_text);
		MUST((memcmp(a_text, b_text, sizeof(a_text)) < 0) == uuid_less(a, b));
	}
	CHECK(true);
}

void
test_uuid_text(void)
{
	for (FlakeUuidForm form = 0; form < FLAKE_UUID_FORMS; form++)
		test_round_trips(form);
	test_aliases();
	test_faults();
	test_order(FLAKE_UUID_BASE32);
	test_order(FLAKE_UUID_BASE32HEX);
}
