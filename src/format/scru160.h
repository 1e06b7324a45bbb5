/*
 * scru160.h
 *		SCRU160 v0.1.0: fields, bounds, text.
 *
 *	 0               48         64         80                         160
 *	+----------------+----------+----------+-----------------------------+
 *	| unix ms: 48    |counter 16|random 16 |          random 80          |
 *	+----------------+----------+----------+-----------------------------+
 *
 * 20 bytes, big-endian, ordered by memcmp.  The text is 32 digits of base32hex
 * (RFC 4648, upper case) or 40 of hex (lower case); both sort like the bytes.
 *
 * The counter is either plain (initialized with 15 random bits in a new
 * millisecond), or its 10 high bits are the microsecond within the millisecond
 * and its 6 low bits count (initialized with 5 random bits in a new
 * microsecond).  Time, randomness and the newest id are arguments.
 */
#ifndef FLAKEID_FORMAT_SCRU160_H
#define FLAKEID_FORMAT_SCRU160_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "format/bits.h"
#include "format/instant.h"
#include "format/status.h"

#define FLAKE_SCRU160_BYTES			20
#define FLAKE_SCRU160_RANDOM_BYTES		12
#define FLAKE_SCRU160_BASE32HEX_DIGITS	32
#define FLAKE_SCRU160_HEX_DIGITS		40
#define FLAKE_SCRU160_TIME_BITS			48
#define FLAKE_SCRU160_COUNTER_BITS		16

/* With microseconds: width and maximum of the microsecond in the counter. */
#define FLAKE_SCRU160_US_BITS			10
#define FLAKE_SCRU160_LAST_US			999

typedef struct FlakeScru160
{
	uint64_t	stamp;			/* ms << 16 | counter */
	uint64_t	random_high;	/* the next 64 bits */
	uint32_t	random_low;		/* the last 32 */
} FlakeScru160;

/* Milliseconds since 1970: the range of an id ... */
static const FlakeTimeField flake_scru160_field = {
	.ticks_per_s = 1000,
	.last_tick = (UINT64_C(1) << 48) - 1,
};

/* ... and that of a generator: the first and last values are reserved. */
static const FlakeTimeField flake_scru160_made_field = {
	.ticks_per_s = 1000,
	.first_tick = 1,
	.last_tick = (UINT64_C(1) << 48) - 2,
};

/* How a generator uses the counter. */
typedef enum FlakeScru160Usage
{
	FLAKE_SCRU160_PLAIN,
	FLAKE_SCRU160_US,
} FlakeScru160Usage;

/* Newest id of a process, of either usage; 0 before the first id. */
typedef struct FlakeScru160State
{
	uint64_t	stamp;			/* ms << 16 | counter */
} FlakeScru160State;

static inline int
flake_scru160_compare(const unsigned char *a, const unsigned char *b)
{
	return memcmp(a, b, FLAKE_SCRU160_BYTES);
}

static inline FlakeScru160
flake_scru160_unpack(const unsigned char *bytes)
{
	FlakeScru160 id = {
		.stamp = flake_load_be64(bytes),
		.random_high = flake_load_be64(bytes + 8),
		.random_low = flake_load_be32(bytes + 16),
	};

	return id;
}

static inline void
flake_scru160_pack(unsigned char *bytes, FlakeScru160 id)
{
	flake_store_be64(bytes, id.stamp);
	flake_store_be64(bytes + 8, id.random_high);
	flake_store_be32(bytes + 16, id.random_low);
}

extern uint64_t flake_scru160_unix_ms(FlakeScru160 id);
extern int64_t flake_scru160_unix_us(FlakeScru160 id);
extern uint32_t flake_scru160_counter(FlakeScru160 id);
extern uint32_t flake_scru160_counter_us(FlakeScru160 id);
extern FlakeStatus flake_scru160_us_unix_us(FlakeScru160 id,
											int64_t *unix_us);

/* The last 96 bits. */
static inline const unsigned char *
flake_scru160_random(const unsigned char *bytes)
{
	return bytes + FLAKE_SCRU160_BYTES - FLAKE_SCRU160_RANDOM_BYTES;
}

extern FlakeScru160 flake_scru160_from_parts(uint64_t unix_ms, uint32_t counter,
											 const unsigned char *random);
extern FlakeStatus flake_scru160_min(FlakeInstant instant, FlakeScru160 *id);

extern void flake_scru160_encode_base32hex(const unsigned char *bytes,
										   char *digits);
extern void flake_scru160_encode_hex(const unsigned char *bytes,
									 char *digits);
extern FlakeStatus flake_scru160_decode(const char *text, size_t length,
										unsigned char *bytes,
										size_t *bad_offset);

#endif							/* FLAKEID_FORMAT_SCRU160_H */
