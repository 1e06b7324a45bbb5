/*
 * test_uuid_text.c
 *		Short text forms of a UUID: aliases, random round trips, order.  The
 *		tests in SQL read the vectors, and the fuzz tests compare errors.
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
	test_order(FLAKE_UUID_BASE32);
	test_order(FLAKE_UUID_BASE32HEX);
}
