/*
 * flake.h
 *		The 64-bit formats: FLUID, Nanoflake and Ulid-Flake, as rows of
 *		constants; node, slot and lane; the generator step.
 *
 *	 first bit                                                       last bit
 *	+---+----------------------------+----------------+---------------------+
 *	|0  | ms since the epoch         | generator      | sequence            |
 *	+---+----------------------------+----------------+---------------------+
 *
 * Ids are unsigned here; a FLUID uses all 64 bits.  Epochs are arguments, in
 * milliseconds since 1970; times of ids are in milliseconds since the epoch.
 *
 * The generator field is an address: [ node | slot | lane ], of the server, of
 * the process, and what remains (doc/internals/design.md, section 2).  Lane
 * and sequence form one counter, in server scope with the slot.  The
 * randomness of Ulid-Flake is its counter.
 *
 * A generator step takes the position of the newest id, the clock, and the
 * last millisecond that ids may use.  It advances the position, or leaves the
 * position unchanged and returns the reason.  The same step serves backend
 * scope (the position is private) and server scope (it is a shared word).  The
 * rules: doc/internals/design.md, section 4.
 */
#ifndef FLAKEID_FORMAT_FLAKE_H
#define FLAKEID_FORMAT_FLAKE_H

#include "format/base.h"

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
		.name = "FLUID",
		.sql_name = "fluid",
		.time_bits = 40,
		.generator_bits = 14,
		.sequence_bits = 10,
		.epoch_ms = FLAKE_EPOCH_2024_MS,
		.last_generated_ms = (UINT64_C(1) << 39) - 1,
	},
	[FLAKE_NANOFLAKE] = {
		.name = "Nanoflake",
		.sql_name = "nanoflake",
		.time_bits = 41,
		.generator_bits = 10,
		.sequence_bits = 12,
		.epoch_ms = FLAKE_EPOCH_2024_MS,
		.waits = true,
		.last_generated_ms = (UINT64_C(1) << 41) - 1,
	},
	[FLAKE_ULIDFLAKE] = {
		.name = "Ulid-Flake",
		.sql_name = "ulidflake",
		.time_bits = 43,
		.generator_bits = 0,
		.sequence_bits = 20,
		.epoch_ms = FLAKE_EPOCH_2024_MS,
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
	return instant.unix_s * 1000 +
		(int64_t) (instant.ns_in_s / FLAKE_NS_PER_MS);
}

/* False if the sign bit is set in a format without negative ids. */
static inline bool
flake_id_fits(const FlakeLayout *layout, uint64_t id)
{
	return id <= flake_mask(layout->time_bits + flake_low_bits(layout));
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
extern int64_t flake_id_min(const FlakeLayout *layout, FlakeInstant instant,
							int64_t epoch_ms);

/* Parts of an address; the same for all formats of a server. */
typedef struct FlakeAddress
{
	uint32_t	node;			/* below 2^node_bits */
	uint32_t	node_bits;
	uint32_t	slot_bits;
	bool		server_scope;	/* no slots */
} FlakeAddress;

/*
 * The share of a process in the ids of a millisecond:
 * prefix | 0 .. 2^counter_bits - 1
 */
typedef struct FlakeShare
{
	uint64_t	prefix;			/* node and slot, shifted to the field */
	unsigned	counter_bits;
} FlakeShare;

typedef struct FlakeAddressParts
{
	uint32_t	node;
	uint32_t	slot;			/* 0 in server scope */
	uint32_t	lane;
} FlakeAddressParts;

extern uint32_t flake_slot_bits(uint32_t backends);
extern FlakeStatus flake_share(const FlakeLayout *layout,
							   const FlakeAddress *address, uint32_t slot,
							   FlakeShare *share);
extern FlakeStatus flake_address_split(const FlakeLayout *layout,
									   const FlakeAddress *address,
									   uint32_t generator,
									   FlakeAddressParts *parts);

typedef enum FlakeStep
{
	/* generated an id */
	FLAKE_STEP_COUNTED,			/* in the clock's millisecond */
	FLAKE_STEP_CONTINUED,		/* in the last id's, ahead of the clock */
	FLAKE_STEP_NEW_MS,			/* the clock's millisecond is new */
	FLAKE_STEP_MOVED_ON,		/* the millisecond after the last id's */
	/* generated none, see flake_step_generated(); the position is unchanged */
	FLAKE_STEP_FULL,			/* wait for the clock's next millisecond */
	FLAKE_STEP_BEHIND,			/* wait for a clock that is behind */
	FLAKE_STEP_NEEDS_HORIZON,	/* raise the horizon, then try again */
	FLAKE_STEP_BEFORE_EPOCH,
	FLAKE_STEP_BEYOND_FIELD
} FlakeStep;

static inline bool
flake_step_generated(FlakeStep step)
{
	return step < FLAKE_STEP_FULL;
}

/* The newest id: millisecond, and counter below node and slot. */
typedef struct FlakePosition
{
	uint64_t	ms;
	uint64_t	counter;
} FlakePosition;

/*
 * How the counter advances in this call.  A scalable Ulid-Flake has fixed low
 * bits, which are 0 in first and step.
 */
typedef struct FlakeIncrement
{
	uint64_t	last;			/* largest counter: all bits set */
	uint64_t	fixed_mask;		/* bits that do not count ... */
	uint64_t	fixed;			/* ... and their value */
	uint64_t	first;			/* first count in a new millisecond */
	uint64_t	step;			/* increment in the same millisecond */
} FlakeIncrement;

/* Clock history of a process, in ms since the epoch. */
typedef struct FlakeClockHistory
{
	bool		valid;			/* first_ms is known for position_ms */
	uint64_t	position_ms;	/* position being watched */
	int64_t		first_ms;		/* clock when that position was first seen */
	int64_t		latest_ms;		/* the newest reading */
	uint64_t	steps_back;		/* number of readings below the previous one */
} FlakeClockHistory;

/*
 * The step; flake_step_in_ms() is its common case.  now_ms is the clock in ms
 * since the epoch, negative before it; allowed_ms is the last millisecond that
 * ids may use.  With NEEDS_HORIZON, *wanted_ms is the millisecond that this id
 * would use.
 */
extern FlakeStep flake_step_slow(const FlakeLayout *layout,
								 const FlakeIncrement *increment,
								 int64_t now_ms, uint64_t allowed_ms,
								 FlakeClockHistory *history,
								 FlakePosition *position, uint64_t *wanted_ms);
extern FlakeIncrement flake_increment_random(unsigned fixed_bits,
											 uint64_t fixed,
											 unsigned step_bits,
											 uint64_t random64);
extern uint64_t flake_random_per_ms(const FlakeIncrement *increment,
									unsigned step_bits);

/* Count up by one, from 0. */
static inline FlakeIncrement
flake_increment_by_one(unsigned bits)
{
	FlakeIncrement increment = {
		.last = flake_mask(bits),
		.step = 1,
	};

	return increment;
}

/* Advance the counter; false if all counters are used up. */
static inline bool
flake_count(const FlakeIncrement *increment, uint64_t *counter)
{
	uint64_t	next = (*counter & ~increment->fixed_mask) + increment->step;

	if (next > increment->last)
		return false;
	*counter = next | increment->fixed;
	return true;
}

/*
 * The common case: count up in the clock's millisecond.  It remembers the
 * reading, so that a step back from it is counted.
 */
static inline bool
flake_step_in_ms(const FlakeIncrement *increment, int64_t now_ms,
				 FlakeClockHistory *history, FlakePosition *position)
{
	if ((uint64_t) now_ms != position->ms || now_ms < history->latest_ms)
		return false;
	history->latest_ms = now_ms;
	return flake_count(increment, &position->counter);
}

/* Id of a position, with the prefix of the address. */
static inline uint64_t
flake_position_id(const FlakeLayout *layout, const FlakeShare *share,
				  FlakePosition position)
{
	return flake_time_part(layout, position.ms) | share->prefix |
		position.counter;
}

/* Start position: no id at or below the floor is ever generated. */
static inline FlakePosition
flake_position_after(uint64_t floor_ms, const FlakeIncrement *increment)
{
	FlakePosition position = {
		.ms = floor_ms,
		.counter = increment->last,
	};

	return position;
}

/* The shared word: the position without the address. */
static inline uint64_t
flake_word(const FlakeLayout *layout, FlakePosition position)
{
	return flake_time_part(layout, position.ms) | position.counter;
}

/*
 * Position of a word; the end of the floor's millisecond if the word is not
 * above the floor.
 */
static inline FlakePosition
flake_word_position(const FlakeLayout *layout, uint64_t word,
					uint64_t floor_ms, const FlakeIncrement *increment)
{
	FlakePosition position = {
		.ms = flake_id_ms(layout, word),
		.counter = word & increment->last,
	};

	if (position.ms <= floor_ms)
		return flake_position_after(floor_ms, increment);
	return position;
}

#endif							/* FLAKEID_FORMAT_FLAKE_H */
