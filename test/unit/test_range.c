/*
 * test_range.c
 *		Bounds of time ranges: any instant is valid, and ranges tile.
 */
#include "format/flake.h"
#include "format/scru160.h"
#include "format/uuid.h"
#include "format/uuid_draft.h"
#include "unit_uuid.h"

/* In a field, around its ends, and as far away as instants reach */
static FlakeInstant
any_instant(const FlakeTimeField *field)
{
	uint64_t	random = unit_random64();
	uint64_t	ticks = unit_random64() % (field->last_tick + 1);
	int64_t		last_s = field->epoch_s +
		(int64_t) (field->last_tick / field->ticks_per_s);
	uint32_t	ns = (uint32_t) (random >> 32) % 1000000000;

	switch (random % 6)
	{
		case 0:
			return instant(INT64_MIN / 1000, 0);
		case 1:
			return instant(INT64_MAX / 1000 - 1, 0);
		case 2:
			return instant(field->epoch_s - (int64_t) (random >> 8 & 1), ns);
		case 3:
			return instant(last_s + (int64_t) (random >> 8 & 1), ns);
		default:
			return instant(field->epoch_s +
						   (int64_t) (ticks / field->ticks_per_s), ns);
	}
}

/* The instant's tick; any number outside the field for instants outside it */
static int64_t
tick_of(const FlakeTimeField *field, FlakeInstant at)
{
	int64_t		per_s = (int64_t) field->ticks_per_s;
	int64_t		last_s = field->epoch_s + (int64_t) field->last_tick / per_s;

	if (at.unix_s < field->epoch_s)
		return -1;
	if (at.unix_s > last_s)
		return (int64_t) field->last_tick + 1;
	return (at.unix_s - field->epoch_s) * per_s +
		at.ns_in_s / ((int64_t) FLAKE_NS_PER_S / per_s);
}

static bool
in_range(const FlakeTimeField *field, uint64_t tick, FlakeInstant from,
		 FlakeInstant to)
{
	return (int64_t) tick >= tick_of(field, from) &&
		(int64_t) tick < tick_of(field, to);
}

/* A tick of the field, often that of a bound or an end of the field */
static uint64_t
any_tick(const FlakeTimeField *field, FlakeInstant from, FlakeInstant to)
{
	uint64_t	random = unit_random64();
	int64_t		tick = tick_of(field, random & 1 ? from : to) -
		(int64_t) (random >> 8 & 1);

	if (random % 4 == 0)
		tick = 0;
	else if (random % 4 == 1)
		tick = (int64_t) field->last_tick;
	if (tick < 0 || tick > (int64_t) field->last_tick)
		tick = (int64_t) (unit_random64() % (field->last_tick + 1));
	return (uint64_t) tick;
}

static void
check_uuid_range(int version, const FlakeTimeField *field, unsigned low_bits)
{
	for (int i = 0; i < 20000; i++)
	{
		FlakeInstant from = any_instant(field);
		FlakeInstant to = any_instant(field);
		uint64_t	tick = any_tick(field, from, to);
		FlakeUuid	uuid = flake_uuid_pack(version,
										   tick << low_bits |
										   (extreme_random64() & flake_mask(low_bits)),
										   extreme_random64() &
										   flake_mask(FLAKE_UUID_LOW_BITS));

		MUST((!uuid_less(uuid, flake_uuid_min(version, from)) &&
			  uuid_less(uuid, flake_uuid_min(version, to))) ==
			 in_range(field, tick, from, to));
	}
}

/* The smallest id of a step is not above the ids of its instants. */
static void
check_draft_bounds(const FlakeDraftLayout *layout)
{
	const uint32_t ns_per_step = layout->timestamp_bits == 32 ? 1000000000 :
		layout->timestamp_bits == 48 || layout->ns_per_unit == 1000000 ?
		1000000 : 1000;
	const FlakeTimeField *field = &layout->field;
	const int64_t last_s = (int64_t) (field->last_tick / field->ticks_per_s);
	const FlakeUuid first = flake_uuid_pack(layout->version, 0, 0);
	FlakeUuid	least;
	FlakeUuid	next;
	FlakeUuid	uuid = {0};

	for (int i = 0; i < 20000; i++)
	{
		FlakeInstant at = instant((int64_t) (unit_random64() % (uint64_t) last_s),
								  (uint32_t) (unit_random64() % 1000000000));
		uint32_t	start = at.ns_in_s - at.ns_in_s % ns_per_step;
		uint32_t	end_ns = start + ns_per_step;
		FlakeInstant end = instant(at.unix_s + end_ns / 1000000000,
								   end_ns % 1000000000);

		least = flake_draft_min(layout, at);
		next = flake_draft_min(layout, end);
		MUST(flake_draft_make(layout, at, extreme_random64(), &uuid) == FLAKE_OK);
		MUST(!uuid_less(uuid, least));
		/* with 64 bits, neighbouring microseconds can share a tick */
		MUST(layout->timestamp_bits == 64 || uuid_less(uuid, next));
		next = flake_draft_min(layout, instant(at.unix_s, start));
		MUST(next.high == least.high && next.low == least.low);
	}
	CHECK_UUID(flake_draft_min(layout, instant(0, 999)), first);
	CHECK_UUID(flake_draft_min(layout, instant(INT64_MIN / 1000, 0)), first);
	CHECK(!uuid_less(flake_draft_min(layout, instant(last_s, 0)), first));
	CHECK_UUID(flake_draft_min(layout, instant(INT64_MAX / 1000 - 1, 0)),
			   parse_uuid("ffffffff-ffff-ffff-ffff-ffffffffffff"));
}

static void
check_flake_range(FlakeFormat format, int64_t epoch_ms)
{
	const FlakeLayout *layout = &flake_layouts[format];
	FlakeTimeField field = {
		.epoch_s = epoch_ms / 1000,
		.ticks_per_s = 1000,
		.last_tick = layout->last_generated_ms,
	};

	for (int i = 0; i < 20000; i++)
	{
		FlakeInstant from = any_instant(&field);
		FlakeInstant to = any_instant(&field);
		uint64_t	ms = any_tick(&field, from, to);
		int64_t		id = (int64_t) (flake_time_part(layout, ms) |
									(extreme_random64() &
									 flake_mask(flake_low_bits(layout))));

		/* The greatest value is in no range. */
		MUST((id >= flake_id_min(layout, from, epoch_ms) &&
			  id < flake_id_min(layout, to, epoch_ms)) ==
			 (id < INT64_MAX && in_range(&field, ms, from, to)));
	}
}

static int
compare_scru160(FlakeScru160 a, FlakeScru160 b)
{
	unsigned char bytes[2][FLAKE_SCRU160_BYTES];

	flake_scru160_pack(bytes[0], a);
	flake_scru160_pack(bytes[1], b);
	return flake_scru160_compare(bytes[0], bytes[1]);
}

static void
check_scru160_range(void)
{
	const FlakeTimeField *field = &flake_scru160_field;

	for (int i = 0; i < 20000; i++)
	{
		FlakeInstant from = any_instant(field);
		FlakeInstant to = any_instant(field);
		uint64_t	ms = any_tick(field, from, to);
		uint64_t	fill = extreme_random64();
		FlakeScru160 id = {
			.stamp = ms << FLAKE_SCRU160_COUNTER_BITS | (fill & 0xffff),
			.random_high = fill,
			.random_low = (uint32_t) fill,
		};
		bool		is_greatest = id.stamp == UINT64_MAX && fill == UINT64_MAX;

		MUST((compare_scru160(id, flake_scru160_min(from)) >= 0 &&
			  compare_scru160(id, flake_scru160_min(to)) < 0) ==
			 (!is_greatest && in_range(field, ms, from, to)));
	}
}

void
test_range(void)
{
	FlakeInstant begin = instant(INT64_MIN / 1000, 0);
	FlakeInstant end = instant(INT64_MAX / 1000 - 1, 0);

	check_uuid_range(6, &flake_uuid_v6_field, 0);
	check_uuid_range(7, &flake_uuid_v7_field, 12);
	for (int kind = 0; kind < FLAKE_DRAFT_KINDS; kind++)
		check_draft_bounds(&flake_draft_layouts[kind]);
	check_flake_range(FLAKE_FLUID, FLAKE_EPOCH_2024_MS);
	check_flake_range(FLAKE_NANOFLAKE, 0);
	check_flake_range(FLAKE_ULIDFLAKE, FLAKE_EPOCH_2024_MS);
	check_scru160_range();

	CHECK_UUID(flake_uuid_min(7, begin),
			   parse_uuid("00000000-0000-7000-8000-000000000000"));
	CHECK_UUID(flake_uuid_min(7, instant(281474976710, 655000000)),
			   parse_uuid("ffffffff-ffff-7000-8000-000000000000"));
	CHECK_UUID(flake_uuid_min(7, end),
			   parse_uuid("ffffffff-ffff-ffff-ffff-ffffffffffff"));
	CHECK_UUID(flake_uuid_min(6, end),
			   parse_uuid("ffffffff-ffff-ffff-ffff-ffffffffffff"));
	CHECK_EQ(flake_id_min(&flake_layouts[FLAKE_FLUID], begin, 0), 0);
	CHECK_EQ(flake_id_min(&flake_layouts[FLAKE_FLUID], end, 0), INT64_MAX);
}
