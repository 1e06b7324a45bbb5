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
 * Ids are unsigned here; a FLUID uses all 64 bits.  Epochs are arguments, in
 * milliseconds since 1970; times of ids are in milliseconds since the epoch.
 * doc/internals/adding-a-format.md lists what another row needs.
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
	const char *sql_name;		/* prefix of its functions */
	unsigned	time_bits;
	unsigned	generator_bits;
	unsigned	sequence_bits;
	int64_t		epoch_ms;		/* default, or fixed */
	bool		epoch_is_setting;
	bool		waits;			/* while the clock is behind the last id;
								 * others continue from that id */
	uint64_t	last_generated_ms;	/* last millisecond generators use */
} FlakeLayout;

/* 2024-01-01 00:00:00 UTC: the default epoch */
#define FLAKE_EPOCH_2024_MS	INT64_C(1704067200000)

/* Scalable Ulid-Flake: the low 20 bits are 15 random and 5 of scalability */
#define FLAKE_SCALABILITY_BITS	5

/*
 * FLUIDs from 2^39 ms on are negative as bigint and would sort before all
 * older ids, so the generator stops there.
 */
static const FlakeLayout flake_layouts[FLAKE_FORMATS] = {
	[FLAKE_FLUID] = {
		.name = "FLUID", .sql_name = "fluid",
		.time_bits = 40, .generator_bits = 14, .sequence_bits = 10,
		.epoch_ms = FLAKE_EPOCH_2024_MS, .epoch_is_setting = true,
		.last_generated_ms = (UINT64_C(1) << 39) - 1,
	},
	[FLAKE_NANOFLAKE] = {
		.name = "Nanoflake", .sql_name = "nanoflake",
		.time_bits = 41, .generator_bits = 10, .sequence_bits = 12,
		.epoch_ms = FLAKE_EPOCH_2024_MS, .epoch_is_setting = true,
		.waits = true,
		.last_generated_ms = (UINT64_C(1) << 41) - 1,
	},
	[FLAKE_ULIDFLAKE] = {
		.name = "Ulid-Flake", .sql_name = "ulidflake",
		.time_bits = 43, .generator_bits = 0, .sequence_bits = 20,
		.epoch_ms = FLAKE_EPOCH_2024_MS, .epoch_is_setting = true,
		.last_generated_ms = (UINT64_C(1) << 43) - 1,
	},
};

/* Number of bits below the time. */
static inline unsigned
flake_low_bits(const FlakeLayout *layout)
{
	return layout->generator_bits + layout->sequence_bits;
}

/* The last millisecond that the time field holds. */
static inline uint64_t
flake_last_ms(const FlakeLayout *layout)
{
	return flake_mask(layout->time_bits);
}

/* ms shifted to the time field. */
static inline uint64_t
flake_time_part(const FlakeLayout *layout, uint64_t ms)
{
	return ms << flake_low_bits(layout);
}

/* Milliseconds since 1970, truncated; never overflows. */
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

/* OUT_OF_RANGE if the sign bit is set in a format without negative ids. */
static inline FlakeStatus
flake_check_id(const FlakeLayout *layout, uint64_t id)
{
	return id > flake_last_id(layout) ? FLAKE_OUT_OF_RANGE : FLAKE_OK;
}

/* Time of an id, in ms since the epoch. */
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

/* Combine fields that were checked before. */
static inline uint64_t
flake_id_pack(const FlakeLayout *layout, uint64_t ms, uint32_t generator,
			  uint32_t sequence)
{
	return flake_time_part(layout, ms) |
		(uint64_t) generator << layout->sequence_bits | sequence;
}

/* Scalable Ulid-Flake: split and combine the low 20 bits. */
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
extern FlakeStatus flake_id_min(const FlakeLayout *layout,
								FlakeInstant instant, int64_t epoch_ms,
								uint64_t *id);

#endif							/* FLAKEID_FORMAT_FLAKE_H */
