/*
 * base.h
 *		What every format needs: the results of the pure code, bit masks,
 *		bytes, instants and time fields.
 *
 * src/format never raises errors.  Its functions return a FlakeStatus, and its
 * generator steps return a FlakeRule or a FlakeStep.  src/pg raises the
 * errors.
 *
 * An instant is seconds and nanoseconds since 1970-01-01 00:00:00 UTC, as
 * returned by clock_gettime(); its range covers the fields of all formats.  A
 * time field counts ticks of fixed length from its epoch and is described by a
 * FlakeTimeField (doc/internals/formats.md, section 1).  An instant is
 * truncated to its tick.  An instant outside the field is refused; it never
 * wraps around.
 *
 * Everything here is inline, so that the compiler turns division by a constant
 * of a row into multiplication.
 */
#ifndef FLAKEID_FORMAT_BASE_H
#define FLAKEID_FORMAT_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef enum FlakeStatus
{
	FLAKE_OK,
	FLAKE_BEFORE_FIELD,			/* instant before the first tick */
	FLAKE_BEYOND_FIELD,			/* instant after the last tick */
	FLAKE_OUT_OF_RANGE,			/* number does not fit the format */
	FLAKE_BAD_FIELD,			/* value that fits the bits of its field, but
								 * that the format does not use */
	FLAKE_TOO_FEW_BITS,			/* address does not fit the generator field */
	FLAKE_BAD_CHARACTER,		/* invalid character */
	FLAKE_BAD_MNEMONIC,			/* word is not in the list */
	FLAKE_TOO_SHORT,			/* text ends too early */
	FLAKE_BAD_LENGTH,			/* length differs from that of the form */
} FlakeStatus;

/* Rule by which a generator produced an id, or refused to. */
typedef enum FlakeRule
{
	FLAKE_RULE_NEW_TICK,		/* clock past the last id */
	FLAKE_RULE_COUNTER_INC,		/* same tick: counter incremented */
	FLAKE_RULE_RANDOM_INC,		/* counter at its maximum: random bits
								 * incremented */
	FLAKE_RULE_TICK_INC,		/* all used up: tick after the last */
	FLAKE_RULE_BEFORE_FIELD,	/* refused: clock before the field */
	FLAKE_RULE_BEYOND_FIELD,	/* refused: no tick left */
} FlakeRule;

/* Rule that refuses an instant outside the field. */
static inline FlakeRule
flake_rule_refusal(FlakeStatus status)
{
	return status == FLAKE_BEFORE_FIELD ?
		FLAKE_RULE_BEFORE_FIELD : FLAKE_RULE_BEYOND_FIELD;
}

/*
 * Force inlining on the per-id path: the compiler stops inlining a function
 * that has several callers.
 */
#define flake_always_inline inline __attribute__((always_inline))

/* Number whose lowest width bits are set; width is 0 .. 64. */
static inline uint64_t
flake_mask(unsigned width)
{
	return width == 0 ? 0 : UINT64_MAX >> (64 - width);
}

/*
 * Convert between host and big-endian byte order.  Byte-wise shifts would be
 * correct, too, but gcc vectorizes two adjacent conversions badly.
 */
#ifndef __BYTE_ORDER__
#error "flakeid needs a compiler that defines __BYTE_ORDER__"
#elif __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define FLAKE_BE64(value) __builtin_bswap64(value)
#define FLAKE_BE32(value) __builtin_bswap32(value)
#else
#define FLAKE_BE64(value) (value)
#define FLAKE_BE32(value) (value)
#endif

static inline uint64_t
flake_load_be64(const unsigned char *bytes)
{
	uint64_t	value;

	memcpy(&value, bytes, sizeof(value));
	return FLAKE_BE64(value);
}

static inline void
flake_store_be64(unsigned char *bytes, uint64_t value)
{
	value = FLAKE_BE64(value);
	memcpy(bytes, &value, sizeof(value));
}

static inline uint32_t
flake_load_be32(const unsigned char *bytes)
{
	uint32_t	value;

	memcpy(&value, bytes, sizeof(value));
	return FLAKE_BE32(value);
}

static inline void
flake_store_be32(unsigned char *bytes, uint32_t value)
{
	value = FLAKE_BE32(value);
	memcpy(bytes, &value, sizeof(value));
}

#define FLAKE_NS_PER_S	UINT64_C(1000000000)
#define FLAKE_US_PER_S	INT64_C(1000000)
#define FLAKE_NS_PER_MS	UINT32_C(1000000)

/* unix_s may be negative; ns_in_s is always 0 .. 999,999,999. */
typedef struct FlakeInstant
{
	int64_t		unix_s;
	uint32_t	ns_in_s;
} FlakeInstant;

typedef struct FlakeTimeField
{
	int64_t		epoch_s;		/* tick 0, in seconds since 1970 */
	uint64_t	ticks_per_s;	/* a divisor of 10^9 */
	uint64_t	last_tick;		/* largest tick of the field */
	uint64_t	first_tick;		/* smallest tick; 1 if 0 is reserved */
} FlakeTimeField;

/* Instant from microseconds since 1970, which may be negative. */
static inline FlakeInstant
flake_instant_from_unix_us(int64_t unix_us)
{
	int64_t		us_in_s = unix_us % FLAKE_US_PER_S;
	FlakeInstant instant = {.unix_s = unix_us / FLAKE_US_PER_S};

	if (us_in_s < 0)
	{
		us_in_s += FLAKE_US_PER_S;
		instant.unix_s--;
	}
	instant.ns_in_s = (uint32_t) us_in_s * 1000;
	return instant;
}

/*
 * Tick of the field that contains the instant; BEFORE_FIELD or BEYOND_FIELD if
 * there is none.
 */
static inline FlakeStatus
flake_instant_to_ticks(const FlakeTimeField *field, FlakeInstant instant,
					   uint64_t *ticks)
{
	uint64_t	whole_s;
	uint64_t	part;

	if (instant.unix_s < field->epoch_s)
		return FLAKE_BEFORE_FIELD;
	whole_s = (uint64_t) instant.unix_s - (uint64_t) field->epoch_s;
	if (whole_s > field->last_tick / field->ticks_per_s)
		return FLAKE_BEYOND_FIELD;
	part = instant.ns_in_s / (FLAKE_NS_PER_S / field->ticks_per_s);
	if (part > field->last_tick - whole_s * field->ticks_per_s)
		return FLAKE_BEYOND_FIELD;
	*ticks = whole_s * field->ticks_per_s + part;
	return *ticks < field->first_tick ? FLAKE_BEFORE_FIELD : FLAKE_OK;
}

/* Microseconds since 1970 at the start of the tick, truncated (floor). */
static inline int64_t
flake_ticks_to_unix_us(const FlakeTimeField *field, uint64_t ticks)
{
	uint64_t	whole_s = ticks / field->ticks_per_s;
	uint64_t	part = ticks % field->ticks_per_s;
	uint64_t	part_ns = part * (FLAKE_NS_PER_S / field->ticks_per_s);

	return (field->epoch_s + (int64_t) whole_s) * FLAKE_US_PER_S +
		(int64_t) (part_ns / 1000);
}

#endif							/* FLAKEID_FORMAT_BASE_H */
