/*
 * flake.h
 *		The 64-bit formats: FLUID, Nanoflake and Ulid-Flake, as rows of
 *		constants.
 *
 *	 first bit                                                       last bit
 *	+---+----------------------------+----------------+---------------------+
 *	|0  | ms since the epoch         | generator      | sequence            |
 *	+---+----------------------------+----------------+---------------------+
 *	FLUID (Flux RFC 19)		   40				14				  10
 *	Nanoflake			1	   41				10				  12
 *	Ulid-Flake			1	   43				 -				  20 random
 *
 * An id is an unsigned number here; FLUID fills all 64 bits.  Epochs are
 * milliseconds since 1970 and arguments, but for Ulid-Flake's, which is fixed.
 */
#ifndef FLAKEID_FORMAT_FLAKE_H
#define FLAKEID_FORMAT_FLAKE_H

#include <stdbool.h>
#include <stdint.h>

#include "format/bits.h"
#include "format/instant.h"
#include "format/status.h"

typedef enum FlakeFormat
{
	FLAKE_FLUID,
	FLAKE_NANOFLAKE,
	FLAKE_ULIDFLAKE,
	FLAKE_FORMATS
} FlakeFormat;

typedef struct FlakeLayout
{
	const char *name;			/* for messages */
	unsigned	time_bits;
	unsigned	generator_bits;
	unsigned	sequence_bits;
	uint64_t	last_generated_ms;	/* the last that a generator makes */
	bool		waits;			/* for a clock behind the last id, else it
								 * carries on from that id */
} FlakeLayout;

/* 2024-01-01 00:00:00 UTC: the default epoch, and always Ulid-Flake's */
#define FLAKE_EPOCH_2024_MS	INT64_C(1704067200000)

/* Ulid-Flake, scalable: its 20 bits are 15 random ones and 5 of scalability */
#define FLAKE_SCALABILITY_BITS	5

/*
 * FLUIDs from 2^39 ms on are negative as bigint and would sort before all
 * older ones, so the generator stops there.
 */
static const FlakeLayout flake_layouts[FLAKE_FORMATS] = {
	[FLAKE_FLUID] = {"FLUID", 40, 14, 10, (UINT64_C(1) << 39) - 1, false},
	[FLAKE_NANOFLAKE] = {"Nanoflake", 41, 10, 12, (UINT64_C(1) << 41) - 1, true},
	[FLAKE_ULIDFLAKE] = {"Ulid-Flake", 43, 0, 20, (UINT64_C(1) << 43) - 1, false},
};

/* The bits below the time. */
static inline unsigned
flake_low_bits(const FlakeLayout *layout)
{
	return layout->generator_bits + layout->sequence_bits;
}

static inline uint64_t
flake_last_ms(const FlakeLayout *layout)
{
	return flake_mask(layout->time_bits);
}

/* Milliseconds since 1970, cut down; never overflows. */
static inline int64_t
flake_unix_ms(FlakeInstant instant)
{
	return instant.unix_s * 1000 + (int64_t) (instant.ns_in_s / FLAKE_NS_PER_MS);
}

static inline uint64_t
flake_last_id(const FlakeLayout *layout)
{
	return flake_mask(layout->time_bits + flake_low_bits(layout));
}

/* OUT_OF_RANGE for a number that has the sign bit where it must be 0. */
static inline FlakeStatus
flake_check_id(const FlakeLayout *layout, uint64_t id)
{
	return id > flake_last_id(layout) ? FLAKE_OUT_OF_RANGE : FLAKE_OK;
}

static inline uint64_t
flake_id_ms(const FlakeLayout *layout, uint64_t id)
{
	return id >> flake_low_bits(layout);
}

static inline uint32_t
flake_id_generator(const FlakeLayout *layout, uint64_t id)
{
	return (uint32_t) (id >> layout->sequence_bits &
					   flake_mask(layout->generator_bits));
}

static inline uint32_t
flake_id_sequence(const FlakeLayout *layout, uint64_t id)
{
	return (uint32_t) (id & flake_mask(layout->sequence_bits));
}

/* Does a field's value fit its width? */
static inline FlakeStatus
flake_check_field(int64_t value, unsigned width)
{
	return value < 0 || (uint64_t) value > flake_mask(width) ?
		FLAKE_BAD_FIELD : FLAKE_OK;
}

/* Put fields together that have been checked. */
static inline uint64_t
flake_id_pack(const FlakeLayout *layout, uint64_t ms, uint32_t generator,
			  uint32_t sequence)
{
	return ms << flake_low_bits(layout) |
		(uint64_t) generator << layout->sequence_bits | sequence;
}

/* Scalable Ulid-Flake: the 20 bits, taken apart and put together. */
static inline uint32_t
flake_ulid_random15(uint64_t id)
{
	return flake_id_sequence(&flake_layouts[FLAKE_ULIDFLAKE], id) >>
		FLAKE_SCALABILITY_BITS;
}

static inline uint32_t
flake_ulid_scalability(uint64_t id)
{
	return (uint32_t) (id & flake_mask(FLAKE_SCALABILITY_BITS));
}

static inline uint32_t
flake_ulid_low(uint32_t random15, uint32_t scalability)
{
	return random15 << FLAKE_SCALABILITY_BITS | scalability;
}

extern FlakeStatus flake_ms_of(const FlakeLayout *layout, FlakeInstant instant,
							   int64_t epoch_ms, uint64_t *ms);
extern uint64_t flake_ms_clamped(const FlakeLayout *layout,
								 FlakeInstant instant, int64_t epoch_ms);
extern FlakeStatus flake_id_bound(const FlakeLayout *layout,
								  FlakeInstant instant, int64_t epoch_ms,
								  bool upper, uint64_t *id);

#endif							/* FLAKEID_FORMAT_FLAKE_H */
