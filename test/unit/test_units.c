/*
 * test_units.c
 *		A layout that no format here has: its time in units of 10 ms, and the
 *		sequence above the generator.
 */
#include "unit_flake.h"

static const FlakeLayout tens = {
	.name = "test", .time_bits = 39, .generator_bits = 16, .sequence_bits = 8,
	.unit_ms = 10, .sequence_first = true,
	.last_generated_ms = (UINT64_C(1) << 39) * 10 - 1,
};

static const FlakeAddress address = {.node = 5, .node_bits = 3, .slot_bits = 7};

/* Fields where they belong, and times by the unit */
static void
test_fields(void)
{
	uint64_t	id = UINT64_C(1234567) << 24 | 0xab << 16 | 0xcdef;
	uint64_t	ms = 0;
	uint64_t	least = 0;
	uint64_t	greatest = 0;
	FlakeInstant at = flake_instant_from_unix_us(INT64_C(12345679999));

	CHECK_EQ(flake_id_ms(&tens, id), 12345670);
	CHECK_EQ(flake_id_sequence(&tens, id), 0xab);
	CHECK_EQ(flake_id_generator(&tens, id), 0xcdef);
	for (unsigned rest = 0; rest < 10; rest++)
		CHECK_EQ(flake_id_pack(&tens, 12345670 + rest, 0xcdef, 0xab), id);
	CHECK_EQ(flake_last_ms(&tens), UINT64_C(5497558138879));
	CHECK_EQ(flake_id_bound(&tens, at, 0, false, &least), FLAKE_OK);
	CHECK_EQ(flake_id_bound(&tens, at, 0, true, &greatest), FLAKE_OK);
	CHECK_EQ(least, UINT64_C(1234567) << 24);
	CHECK_EQ(greatest, (UINT64_C(1234568) << 24) - 1);
	at = flake_instant_from_unix_us(INT64_C(5497558138879999));
	CHECK_EQ(flake_ms_of(&tens, at, 0, &ms), FLAKE_OK);
	CHECK_EQ(flake_ms_of(&tens, at, -1, &ms), FLAKE_BEYOND_FIELD);
	CHECK_EQ(flake_cut_ms(&tens, 12345679), 12345670);
	CHECK_EQ(flake_cut_ms(&tens, 9), 0);
	CHECK_EQ(flake_cut_ms(&tens, -1), -1);
}

/* All ids of a slot and unit: in order, and each with its node and slot */
static void
test_space(void)
{
	FlakeCounterRange range = {0};
	uint64_t	last = 0;

	CHECK_EQ(flake_counter_range(&tens, &address, 99, &range), FLAKE_OK);
	CHECK_EQ(range.counter_bits, 14);
	for (uint64_t counter = 0; counter < 1 << 14; counter++)
	{
		FlakePosition position = {.ms = 10, .counter = counter};
		uint64_t	id = flake_position_id(&tens, &range, position);
		FlakeAddressParts parts = {0};

		MUST(id > last);
		last = id;
		MUST(flake_id_ms(&tens, id) == 10);
		MUST(flake_address_split(&tens, &address, flake_id_generator(&tens, id),
								 &parts) == FLAKE_OK);
		MUST(parts.node == 5 && parts.slot == 99);
		MUST(parts.lane == (counter & 0x3f));
		MUST(flake_id_sequence(&tens, id) == counter >> 6);
	}
}

/*
 * Ids increase and lie above the floor, which need not be a whole unit,
 * whatever the clock does; they get ahead of it by no more than the floor is.
 */
static void
walk(uint64_t floor_ms, uint64_t *word)
{
	Process		p = process(&tens, flake_increment_by_one(3), floor_ms, word);
	FlakeCounterRange range = {.counter_bits = 3};
	int64_t		now_ms = (int64_t) floor_ms - 25;
	uint64_t	last_id = flake_id_pack(&tens, floor_ms, UINT16_MAX, UINT8_MAX);
	int64_t		limit_ms = (int64_t) floor_ms;
	int			made = 0;

	for (int i = 0; i < 20000; i++)
	{
		uint64_t	random = unit_random64();
		FlakeStep	step;
		uint64_t	id;

		if (random % 4 == 0)
		{
			now_ms += (int64_t) (random >> 32) % 14;
			limit_ms += 14;
		}
		else if (random % 256 == 1)
			now_ms -= (int64_t) (random >> 32) % 30;
		if (limit_ms < now_ms)
			limit_ms = now_ms;
		step = step_at(&p, flake_cut_ms(&tens, now_ms));
		if (step >= FLAKE_STEP_FULL)
			continue;
		made++;
		id = flake_position_id(&tens, &range, p.position);
		MUST(id > last_id);
		last_id = id;
		MUST((int64_t) p.position.ms <= limit_ms + 10);
	}
	CHECK(made > 10000);
}

void
test_units(void)
{
	test_fields();
	test_space();
	for (uint64_t floor_ms = 1000; floor_ms < 1010; floor_ms++)
	{
		uint64_t	word = 0;

		walk(floor_ms, NULL);
		walk(floor_ms, &word);
	}
}
