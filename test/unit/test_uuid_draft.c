/*
 * test_uuid_draft.c
 *		UUIDv7 and UUIDv8 of draft-peabody-dispatch-new-uuid-format-01: every
 *		rule of the generator step in every layout.  The tests in SQL read the
 *		vectors.
 */
#include "format/uuid_draft.h"
#include "unit_uuid.h"

#define STEPS	100000
#define RANDOM	(UINT64_C(0xdeadbeef) << 32 | 0x12345678)
#define STEP	(UINT64_C(0x12345678) + 1)

/*
 * Timestamps at both ends and at random come back; from 2262 on, nanoseconds do
 * not fit.
 */
static void
check_timestamps(const FlakeDraftLayout *layout)
{
	uint64_t	last = flake_draft_last_ticks(layout);
	uint64_t	read = 0;

	for (int i = 0; i < 100000; i++)
	{
		uint64_t	timestamp = i == 0 ? last :
			unit_random64() >> (i % 64) & INT64_MAX;
		FlakeUuid	uuid;

		if (timestamp > last)
			timestamp %= last;
		uuid = flake_draft_from_parts(layout, timestamp,
									  flake_mask(layout->sequence_bits),
									  flake_mask(layout->random_bits));
		CHECK_EQ(flake_draft_ticks(layout, uuid, &read), FLAKE_OK);
		CHECK_EQ(read, timestamp);
	}
	CHECK_EQ(flake_draft_ticks(layout,
							   flake_uuid_pack(layout->version, flake_mask(60),
											   flake_mask(62)), &read),
			 layout == &flake_draft_layouts[FLAKE_DRAFT_V7_NS] ?
			 FLAKE_OUT_OF_RANGE : FLAKE_OK);
}

/* Where rounding matters, and the last nanosecond of 63 bits */
static void
test_nanoseconds(void)
{
	const FlakeDraftLayout *layout = &flake_draft_layouts[FLAKE_DRAFT_V7_NS];
	const uint64_t last[] = {
		(UINT64_C(1) << 36) * 1000 - 1, (UINT64_C(1) << 36) * 1000000 - 1, INT64_MAX,
		UINT32_MAX, flake_mask(48), flake_mask(60), flake_mask(60),
	};
	FlakeUuid	uuid = {0};
	uint64_t	ticks = 0;

	for (int kind = 0; kind < FLAKE_DRAFT_KINDS; kind++)
		CHECK_EQ(flake_draft_last_ticks(&flake_draft_layouts[kind]), last[kind]);

	/* times 2^29 modulo 5^9 this is 1 */
	uuid = flake_draft_from_parts(layout, 355098, 0, 0);
	CHECK_EQ(flake_draft_ticks(layout, uuid, &ticks), FLAKE_OK);
	CHECK_EQ(ticks, 355098);

	CHECK_EQ(flake_draft_make(layout, instant(9223372036, 854775807), 1, &uuid), FLAKE_OK);
	CHECK_EQ(flake_draft_ticks(layout, uuid, &ticks), FLAKE_OK);
	CHECK_EQ(ticks, INT64_MAX);
	CHECK_EQ(flake_draft_make(layout, instant(9223372036, 854775808), 1, &uuid), FLAKE_OK);
	CHECK_EQ(flake_draft_ticks(layout, uuid, &ticks), FLAKE_OUT_OF_RANGE);
}

static FlakeDraftTime
last_time(const FlakeDraftLayout *layout)
{
	return (FlakeDraftTime) {
		.whole = flake_mask(layout->whole_bits),
		.fraction = flake_mask(layout->fraction_bits),
	};
}

/* The last instant of the field, with all its nanoseconds */
static FlakeInstant
last_instant(const FlakeDraftLayout *layout)
{
	const FlakeTimeField *field = &layout->field;
	uint32_t	ns_per_tick = (uint32_t) (1000000000 / field->ticks_per_s);

	return instant((int64_t) (field->last_tick / field->ticks_per_s),
				   (uint32_t) (field->last_tick % field->ticks_per_s) *
				   ns_per_tick + ns_per_tick - 1);
}

/* Widths of the fields of a layout, and the ends of its time */
static void
check_layout(const FlakeDraftLayout *layout)
{
	FlakeInstant last = last_instant(layout);
	FlakeInstant beyond = last;
	FlakeUuid	uuid = {.high = 1, .low = 2};

	CHECK_EQ(layout->whole_bits + layout->fraction_bits + layout->pad_bits +
			 layout->sequence_bits + layout->random_bits, 122);
	if (++beyond.ns_in_s == FLAKE_NS_PER_S)
		beyond = instant(last.unix_s + 1, 0);
	CHECK_EQ(flake_draft_make(layout, instant(-1, 999999999), RANDOM, &uuid),
			 FLAKE_BEFORE_FIELD);
	CHECK_EQ(flake_draft_make(layout, beyond, RANDOM, &uuid),
			 FLAKE_BEYOND_FIELD);
	CHECK_UUID(uuid, ((FlakeUuid) {.high = 1, .low = 2}));
	CHECK_UUID(flake_draft_min(layout, instant(-1, 999999999)), flake_uuid_pack(layout->version, 0, 0));
	CHECK_UUID(flake_draft_min(layout, instant(last.unix_s + 1, 0)), ((FlakeUuid) {UINT64_MAX, UINT64_MAX}));
	CHECK_EQ(flake_draft_make(layout, last, RANDOM, &uuid), FLAKE_OK);

	/* a node of all 0 is reserved */
	CHECK_EQ(flake_draft_make(layout, instant(0, 0), 0, &uuid), FLAKE_OK);
	CHECK_UUID(uuid, flake_uuid_pack(layout->version, 0, 1));
	CHECK_EQ(flake_draft_make(layout, instant(0, 0),
							  ~flake_mask(layout->random_bits), &uuid),
			 FLAKE_OK);
	CHECK_UUID(uuid, flake_uuid_pack(layout->version, 0, 1));
}

/* A step from a state: the rule, and the resulting state and id */
static void
check_next(const FlakeDraftLayout *layout, FlakeDraftState before,
		   FlakeInstant now, uint64_t random64, FlakeRule rule,
		   FlakeDraftState after)
{
	FlakeDraftState state = before;
	FlakeUuid	uuid = {.high = 1, .low = 2};
	FlakeUuid	made = flake_draft_pack(layout, after.time, after.sequence,
										after.random);

	CHECK_EQ(flake_draft_next(layout, &state, now, random64, &uuid), rule);
	CHECK_EQ(state.generated, after.generated);
	CHECK_EQ(state.time.whole, after.time.whole);
	CHECK_EQ(state.time.fraction, after.time.fraction);
	CHECK_EQ(state.sequence, after.sequence);
	CHECK_EQ(state.random, after.random);
	if (rule == FLAKE_RULE_BEFORE_FIELD || rule == FLAKE_RULE_BEYOND_FIELD)
		made = (FlakeUuid) {.high = 1, .low = 2};
	CHECK_UUID(uuid, made);
}

static FlakeDraftState
state_of(FlakeDraftTime time, uint64_t sequence, uint64_t random)
{
	return (FlakeDraftState) {
		.generated = true,.time = time,.sequence = sequence,.random = random,
	};
}

/* New tick, counted, grown, moved on, with the clock still and set back */
static void
check_rules(const FlakeDraftLayout *layout)
{
	/* two seconds after the epoch, exact in every layout */
	const FlakeInstant now = instant(2, 0);
	const uint64_t fresh = RANDOM & flake_mask(layout->random_bits);
	const uint64_t most = flake_mask(layout->random_bits);
	const uint64_t full = flake_mask(layout->sequence_bits);
	const FlakeDraftState none = {0};
	FlakeDraftTime tick = {.whole = 2};
	FlakeDraftTime next;
	FlakeDraftTime earlier = {.whole = 1,.fraction = 5};

	if (layout->whole_bits == 0)
	{
		tick = (FlakeDraftTime) {
			.fraction = 2 * layout->field.ticks_per_s >> layout->lost_bits,
		};
		earlier = (FlakeDraftTime) {.fraction = tick.fraction - 1};
	}
	next = tick;
	next.fraction++;

	check_next(layout, none, now, RANDOM, FLAKE_RULE_NEW_TICK,
			   state_of(tick, 0, fresh));
	check_next(layout, none, instant(0, 0), 0, FLAKE_RULE_NEW_TICK,
			   state_of((FlakeDraftTime) {0}, 0, 1));
	check_next(layout, state_of(earlier, full, most), now, RANDOM,
			   FLAKE_RULE_NEW_TICK, state_of(tick, 0, fresh));
	/* the same tick, or the clock set back */
	check_next(layout, state_of(tick, 0, 9), now, RANDOM, FLAKE_RULE_COUNTER_INC,
			   state_of(tick, 1, fresh));
	check_next(layout, state_of(tick, full - 1, most), now, 0,
			   FLAKE_RULE_COUNTER_INC, state_of(tick, full, 1));
	check_next(layout, state_of(tick, 4, 9), instant(0, 0), RANDOM,
			   FLAKE_RULE_COUNTER_INC, state_of(tick, 5, fresh));
	check_next(layout, state_of(next, 4, 9), now, RANDOM, FLAKE_RULE_COUNTER_INC,
			   state_of(next, 5, fresh));
	/* the sequence is used up: the random part grows, up to its last value */
	check_next(layout, state_of(tick, full, 9), now, RANDOM, FLAKE_RULE_RANDOM_INC,
			   state_of(tick, full, 9 + STEP));
	check_next(layout, state_of(tick, full, 9), instant(1, 0), 0,
			   FLAKE_RULE_RANDOM_INC, state_of(tick, full, 10));
	check_next(layout, state_of(tick, full, most - STEP), now, RANDOM,
			   FLAKE_RULE_RANDOM_INC, state_of(tick, full, most));
	/* that is used up too: one tick on */
	check_next(layout, state_of(tick, full, most - STEP + 1), now, RANDOM,
			   FLAKE_RULE_TICK_INC, state_of(next, 0, fresh));
	check_next(layout, state_of(tick, full, most), instant(1, 0), 0,
			   FLAKE_RULE_TICK_INC, state_of(next, 0, 1));
}

/* The sequence begins at 0, however long no id was generated. */
static void
check_pauses(const FlakeDraftLayout *layout)
{
	const int64_t last_s = last_instant(layout).unix_s;
	FlakeDraftState state = {0};
	FlakeUuid	uuid;

	for (int64_t unix_s = 1; unix_s < last_s; unix_s *= 2)
	{
		for (int i = 0; i < 2; i++)
		{
			FlakeRule	rule = flake_draft_next(layout, &state, instant(unix_s, 0),
												RANDOM, &uuid);

			CHECK_EQ(rule, i == 0 ? FLAKE_RULE_NEW_TICK : FLAKE_RULE_COUNTER_INC);
			CHECK_EQ(flake_draft_sequence(layout, uuid), (uint64_t) i);
		}
	}
}

/* The end of the field, and a clock outside */
static void
check_last(const FlakeDraftLayout *layout)
{
	const FlakeInstant now = instant(2, 0);
	const FlakeInstant last = last_instant(layout);
	const uint64_t fresh = RANDOM & flake_mask(layout->random_bits);
	const uint64_t most = flake_mask(layout->random_bits);
	const uint64_t full = flake_mask(layout->sequence_bits);
	const FlakeDraftTime end = last_time(layout);
	FlakeDraftTime before = end;
	FlakeDraftState state;

	before.fraction--;
	check_next(layout, state_of(before, full, most), now, RANDOM,
			   FLAKE_RULE_TICK_INC, state_of(end, 0, fresh));
	check_next(layout, state_of(end, 3, 9), last, RANDOM, FLAKE_RULE_COUNTER_INC,
			   state_of(end, 4, fresh));
	check_next(layout, state_of(end, full, 9), last, RANDOM, FLAKE_RULE_RANDOM_INC,
			   state_of(end, full, 9 + STEP));
	state = state_of(end, full, most);
	check_next(layout, state, last, RANDOM, FLAKE_RULE_BEYOND_FIELD, state);
	check_next(layout, state, now, RANDOM, FLAKE_RULE_BEYOND_FIELD, state);
	if (layout->whole_bits > 0)
	{
		/* after the last fraction of a second comes the next second */
		FlakeDraftTime second = {.whole = 7,.fraction = end.fraction};

		check_next(layout, state_of(second, full, most), now, RANDOM,
				   FLAKE_RULE_TICK_INC,
				   state_of((FlakeDraftTime) {.whole = 8}, 0, fresh));
	}
	state = state_of(before, 3, 9);
	check_next(layout, state, instant(-1, 999999999), RANDOM,
			   FLAKE_RULE_BEFORE_FIELD, state);
	check_next(layout, state, instant(last.unix_s + 1, 0), RANDOM,
			   FLAKE_RULE_BEYOND_FIELD, state);
	check_next(layout, (FlakeDraftState) {0}, instant(-1, 0), RANDOM,
			   FLAKE_RULE_BEFORE_FIELD, (FlakeDraftState) {0});
}

/* Ids strictly increase, whatever the clock and the random bits. */
static void
check_walk(const FlakeDraftLayout *layout)
{
	FlakeDraftState state = {0};
	FlakeInstant now = instant(INT64_C(1645557742), 123456789);
	FlakeUuid	last = {0};
	bool		ordered = true;

	for (int i = 0; i < STEPS; i++)
	{
		FlakeUuid	uuid = {0};

		now = walk(now);
		ordered &= flake_draft_next(layout, &state, now, extreme_random64(),
									&uuid) <= FLAKE_RULE_TICK_INC;
		ordered &= uuid_less(last, uuid);
		ordered &= flake_uuid_is_version(uuid, layout->version);
		last = uuid;
	}
	CHECK(ordered);
}

void
test_uuid_draft(void)
{
	test_nanoseconds();
	for (int kind = 0; kind < FLAKE_DRAFT_KINDS; kind++)
	{
		check_layout(&flake_draft_layouts[kind]);
		check_rules(&flake_draft_layouts[kind]);
		check_pauses(&flake_draft_layouts[kind]);
		check_last(&flake_draft_layouts[kind]);
		check_walk(&flake_draft_layouts[kind]);
		check_timestamps(&flake_draft_layouts[kind]);
	}
}
