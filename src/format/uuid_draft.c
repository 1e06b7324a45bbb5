/*
 * uuid_draft.c
 *		UUIDv7 and UUIDv8 of draft-peabody-dispatch-new-uuid-format-01.
 *		See uuid_draft.h, and doc/internals/formats.md, sections 7 and 8.
 */
#include "format/uuid_draft.h"

/* Fraction bits read when the unit is unknown. */
#define READ_FRACTION_BITS	38

#define V7(unit_name, fraction, sequence, random, ns) \
	{.name = "UUIDv7 of draft-01", .unit = unit_name, .version = 7, \
	 .whole_bits = 36, .fraction_bits = fraction, .sequence_bits = sequence, \
	 .random_bits = random, .ns_per_unit = ns, \
	 .field = {.ticks_per_s = 1, .last_tick = (UINT64_C(1) << 36) - 1}}

#define V8(bits, fraction, pad, sequence, random, lost, per_s, last) \
	{.name = "UUIDv8 with " #bits " bits of time", .version = 8, \
	 .timestamp_bits = bits, .fraction_bits = fraction, .pad_bits = pad, \
	 .sequence_bits = sequence, .random_bits = random, .lost_bits = lost, \
	 .field = {.ticks_per_s = per_s, .last_tick = last}}

const FlakeDraftLayout flake_draft_layouts[FLAKE_DRAFT_KINDS] = {
	[FLAKE_DRAFT_V7_MS] = V7("ms", 12, 12, 62, 1000000),
	[FLAKE_DRAFT_V7_US] = V7("us", 24, 14, 48, 1000),
	[FLAKE_DRAFT_V7_NS] = V7("ns", 38, 8, 40, 1),
	[FLAKE_DRAFT_V8_32] = V8(32, 32, 16, 12, 62, 0, 1, UINT32_MAX),
	[FLAKE_DRAFT_V8_48] = V8(48, 48, 0, 12, 62, 0, 1000,
							 (UINT64_C(1) << 48) - 1),
	[FLAKE_DRAFT_V8_60] = V8(60, 60, 0, 8, 54, 0, 100000000,
							 (UINT64_C(1) << 60) - 1),
	[FLAKE_DRAFT_V8_64] = V8(64, 60, 0, 8, 54, 4, 1000000000, UINT64_MAX),
};

/* Shift the 60 high and 62 low bits to the left, and insert the value. */
static void
append(FlakeUuid *bits, unsigned width, uint64_t value)
{
	bits->high = (bits->high << width |
				  bits->low >> (FLAKE_UUID_LOW_BITS - width)) &
		flake_mask(FLAKE_UUID_HIGH_BITS);
	bits->low = (bits->low << width | value) & flake_mask(FLAKE_UUID_LOW_BITS);
}

/* Remove and return the first bits, at most 60. */
static uint64_t
take(FlakeUuid *bits, unsigned width)
{
	uint64_t	value = bits->high >> (FLAKE_UUID_HIGH_BITS - width);

	append(bits, width, 0);
	return value;
}

/* Combine the fields; each must fit its width. */
FlakeUuid
flake_draft_pack(const FlakeDraftLayout *layout, FlakeDraftTime time,
				 uint64_t sequence, uint64_t random)
{
	FlakeUuid	bits = {0};

	append(&bits, layout->whole_bits, time.whole);
	append(&bits, layout->fraction_bits, time.fraction);
	append(&bits, layout->pad_bits, 0);
	append(&bits, layout->sequence_bits, sequence);
	append(&bits, layout->random_bits, random);
	return flake_uuid_pack(layout->version, bits.high, bits.low);
}

/*
 * Binary fraction of a second: ceil(ns * 2^bits / 10^9), where 2^bits and 10^9
 * are divided by 2^9.  It is rounded up, so that a reader that truncates it
 * finds the same unit.
 */
static uint64_t
binary_fraction(const FlakeDraftLayout *layout, uint32_t ns_in_s)
{
	const uint64_t divisor = FLAKE_NS_PER_S >> 9;
	uint64_t	ns = ns_in_s - ns_in_s % layout->ns_per_unit;

	return ((ns << (layout->fraction_bits - 9)) + divisor - 1) / divisor;
}

/* The instant as the layout stores it. */
static FlakeStatus
draft_time(const FlakeDraftLayout *layout, FlakeInstant instant,
		   FlakeDraftTime *time)
{
	uint64_t	ticks;
	FlakeStatus status = flake_instant_to_ticks(&layout->field, instant,
												&ticks);

	if (status != FLAKE_OK)
		return status;
	if (layout->whole_bits > 0)
	{
		time->whole = ticks;
		time->fraction = binary_fraction(layout, instant.ns_in_s);
	}
	else
	{
		time->whole = 0;
		time->fraction = ticks >> layout->lost_bits;
	}
	return FLAKE_OK;
}

/* Low bits of random64 as a node; 0 is reserved and becomes 1. */
static uint64_t
fresh_random(const FlakeDraftLayout *layout, uint64_t random64)
{
	uint64_t	random = random64 & flake_mask(layout->random_bits);

	return random == 0 ? 1 : random;
}

/* An id of the instant with sequence 0. */
FlakeStatus
flake_draft_make(const FlakeDraftLayout *layout, FlakeInstant instant,
				 uint64_t random64, FlakeUuid *uuid)
{
	FlakeDraftTime time;
	FlakeStatus status = draft_time(layout, instant, &time);

	if (status == FLAKE_OK)
		*uuid = flake_draft_pack(layout, time, 0,
								 fresh_random(layout, random64));
	return status;
}

/* Units of a v7 per second: its ticks are units since 1970. */
static uint64_t
units_per_s(const FlakeDraftLayout *layout)
{
	return FLAKE_NS_PER_S / layout->ns_per_unit;
}

/* Largest ticks of an id that have at most 63 bits. */
uint64_t
flake_draft_last_ticks(const FlakeDraftLayout *layout)
{
	uint64_t	per_s;

	if (layout->whole_bits == 0)
		return flake_mask(layout->fraction_bits);
	per_s = units_per_s(layout);
	if (layout->field.last_tick >= FLAKE_LAST_TICKS / per_s)
		return FLAKE_LAST_TICKS;
	return layout->field.last_tick * per_s + per_s - 1;
}

/*
 * Id with these fields: the ticks are at most flake_draft_last_ticks(),
 * and sequence and node fit their widths.
 */
FlakeUuid
flake_draft_from_parts(const FlakeDraftLayout *layout, uint64_t ticks,
					   uint64_t sequence, uint64_t node)
{
	FlakeDraftTime time = {.fraction = ticks};

	if (layout->whole_bits > 0)
	{
		uint64_t	per_s = units_per_s(layout);

		time.whole = ticks / per_s;
		time.fraction = binary_fraction(layout, (uint32_t) (ticks % per_s) *
										layout->ns_per_unit);
	}
	return flake_draft_pack(layout, time, sequence, node);
}

/*
 * Smallest id of the instant's step.  The step is the unit of the layout, but
 * at least a microsecond, the unit of timestamptz.  Treats an instant outside
 * the field like flake_uuid_min().
 */
FlakeUuid
flake_draft_min(const FlakeDraftLayout *layout, FlakeInstant instant)
{
	FlakeDraftTime time = {0};

	instant.ns_in_s -= instant.ns_in_s % 1000;
	if (draft_time(layout, instant, &time) == FLAKE_BEYOND_FIELD)
		return flake_uuid_max;
	return flake_draft_pack(layout, time, 0, 0);
}

/*
 * The time as stored.  A v7 does not contain its unit, so all 38 bits of
 * fraction are read.
 */
static FlakeDraftTime
read_time(const FlakeDraftLayout *layout, FlakeUuid uuid)
{
	FlakeUuid	bits = {flake_uuid_high60(uuid), flake_uuid_low62(uuid)};
	FlakeDraftTime time;

	time.whole = take(&bits, layout->whole_bits);
	time.fraction = take(&bits, layout->whole_bits > 0 ?
						 READ_FRACTION_BITS : layout->fraction_bits);
	return time;
}

/* Microseconds since 1970, truncated (the product has 58 bits). */
int64_t
flake_draft_unix_us(const FlakeDraftLayout *layout, FlakeUuid uuid)
{
	FlakeDraftTime time = read_time(layout, uuid);

	if (layout->whole_bits > 0)
		return flake_ticks_to_unix_us(&layout->field, time.whole) +
			(int64_t) (time.fraction * (uint64_t) FLAKE_US_PER_S >>
					   READ_FRACTION_BITS);
	return flake_ticks_to_unix_us(&layout->field,
								  time.fraction << layout->lost_bits);
}

/*
 * floor(fraction * per_s / 2^38), in two steps: the product has up to 68 bits.
 */
static uint64_t
units_of_fraction(uint64_t fraction, uint64_t per_s)
{
	const unsigned half_bits = READ_FRACTION_BITS / 2;
	uint64_t	high = fraction >> half_bits;
	uint64_t	low = fraction & flake_mask(half_bits);

	return (high * per_s + (low * per_s >> half_bits)) >> half_bits;
}

/*
 * The ticks, as flake_draft_from_parts() takes them.  OUT_OF_RANGE if they
 * have more than 63 bits, as those of a v7 in ns have from 2262 on.
 */
FlakeStatus
flake_draft_ticks(const FlakeDraftLayout *layout, FlakeUuid uuid,
				  uint64_t *ticks)
{
	FlakeDraftTime time = read_time(layout, uuid);

	if (layout->whole_bits > 0)
	{
		const uint64_t per_s = units_per_s(layout);

		time.fraction = units_of_fraction(time.fraction, per_s);
		if (time.whole > (FLAKE_LAST_TICKS - time.fraction) / per_s)
			return FLAKE_OUT_OF_RANGE;
		time.fraction += time.whole * per_s;
	}
	*ticks = time.fraction;
	return FLAKE_OK;
}

/*
 * The bits before the node.  If the node takes all 62 low bits, they are the
 * last of the 60 high bits.
 */
uint32_t
flake_draft_sequence(const FlakeDraftLayout *layout, FlakeUuid uuid)
{
	uint64_t	bits = layout->random_bits == FLAKE_UUID_LOW_BITS ?
		flake_uuid_high60(uuid) :
		flake_uuid_low62(uuid) >> layout->random_bits;

	return (uint32_t) (bits & flake_mask(layout->sequence_bits));
}

/* The bits after the sequence. */
uint64_t
flake_draft_node(const FlakeDraftLayout *layout, FlakeUuid uuid)
{
	return uuid.low & flake_mask(layout->random_bits);
}

/* The next tick, with a carry into the whole part; false past the field. */
static bool
move_on(const FlakeDraftLayout *layout, FlakeDraftTime *time)
{
	if (time->fraction < flake_mask(layout->fraction_bits))
		time->fraction++;
	else if (time->whole < flake_mask(layout->whole_bits))
	{
		time->whole++;
		time->fraction = 0;
	}
	else
		return false;
	return true;
}

static bool
is_after(FlakeDraftTime a, FlakeDraftTime b)
{
	return a.whole > b.whole ||
		(a.whole == b.whole && a.fraction > b.fraction);
}

/*
 * Generator step of every layout.  The sequence is 0 in a new tick, and then
 * incremented.  At its maximum, the random part grows by 1 plus 32 random
 * bits.  If the random part overflows, the id takes the next tick.  A clock
 * behind the last id counts as the same tick.  A refusal leaves the state
 * unchanged.
 */
FlakeRule
flake_draft_next(const FlakeDraftLayout *layout, FlakeDraftState *state,
				 FlakeInstant now, uint64_t random64, FlakeUuid *uuid)
{
	FlakeDraftState next = {
		.generated = true,
		.random = fresh_random(layout, random64),
	};
	uint64_t	grown = state->random + 1 + (uint32_t) random64;
	FlakeRule	rule;
	FlakeStatus status = draft_time(layout, now, &next.time);

	if (status != FLAKE_OK)
		return flake_rule_refusal(status);
	if (!state->generated || is_after(next.time, state->time))
		rule = FLAKE_RULE_NEW_TICK;
	else
	{
		next.time = state->time;
		if (state->sequence < flake_mask(layout->sequence_bits))
		{
			next.sequence = state->sequence + 1;
			rule = FLAKE_RULE_COUNTER_INC;
		}
		else if (grown <= flake_mask(layout->random_bits))
		{
			next.sequence = state->sequence;
			next.random = grown;
			rule = FLAKE_RULE_RANDOM_INC;
		}
		else if (!move_on(layout, &next.time))
			return FLAKE_RULE_BEYOND_FIELD;
		else
			rule = FLAKE_RULE_TICK_INC;
	}
	*state = next;
	*uuid = flake_draft_pack(layout, next.time, next.sequence, next.random);
	return rule;
}
