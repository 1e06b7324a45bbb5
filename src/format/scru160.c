/*
 * scru160.c
 *		SCRU160: fields, ids of a given instant, bounds.
 *
 * See scru160.h for the layout, doc/formats.md, section 9, for the reasons.
 */
#include "format/bits.h"
#include "format/scru160.h"

/* Microseconds since 1970 at the start of the millisecond. */
int64_t
flake_scru160_unix_us(FlakeScru160 id)
{
	return flake_ticks_to_unix_us(&flake_scru160_field,
								  id.stamp >> FLAKE_SCRU160_COUNTER_BITS);
}

uint32_t
flake_scru160_counter(FlakeScru160 id)
{
	return (uint32_t) (id.stamp & flake_mask(FLAKE_SCRU160_COUNTER_BITS));
}

/* The microsecond within the millisecond, if the counter holds one. */
uint32_t
flake_scru160_counter_us(FlakeScru160 id)
{
	return flake_scru160_counter(id) >>
		(FLAKE_SCRU160_COUNTER_BITS - FLAKE_SCRU160_US_BITS);
}

/*
 * Microseconds since 1970 of an id with the microsecond in its counter;
 * BAD_FIELD if that exceeds 999.
 */
FlakeStatus
flake_scru160_us_unix_us(FlakeScru160 id, int64_t *unix_us)
{
	uint32_t	us_in_ms = flake_scru160_counter_us(id);

	if (us_in_ms > FLAKE_SCRU160_LAST_US)
		return FLAKE_BAD_FIELD;
	*unix_us = flake_scru160_unix_us(id) + us_in_ms;
	return FLAKE_OK;
}

uint32_t
flake_scru160_random16(FlakeScru160 id)
{
	return (uint32_t) (id.random_high >> (64 - FLAKE_SCRU160_RANDOM16_BITS));
}

/*
 * Id of the instant, with a counter of 16 bits and 12 bytes of randomness.
 * Reserved timestamps are refused as outside the field.
 */
FlakeStatus
flake_scru160_make(FlakeInstant instant, uint32_t counter,
				   const unsigned char *random, FlakeScru160 *id)
{
	uint64_t	ms;
	FlakeStatus status = flake_instant_to_ticks(&flake_scru160_made_field,
												instant, &ms);

	if (status != FLAKE_OK)
		return status;
	id->stamp = ms << FLAKE_SCRU160_COUNTER_BITS | counter;
	id->random_high = flake_load_be64(random);
	id->random_low = flake_load_be32(random + 8);
	return FLAKE_OK;
}

/* Id of the instant's millisecond, the bits below it taken from fill. */
static FlakeStatus
bound(FlakeInstant instant, uint64_t fill, FlakeScru160 *id)
{
	uint64_t	ms;
	FlakeStatus status = flake_instant_to_ticks(&flake_scru160_field,
												instant, &ms);

	if (status != FLAKE_OK)
		return status;
	id->stamp = ms << FLAKE_SCRU160_COUNTER_BITS |
		(fill & flake_mask(FLAKE_SCRU160_COUNTER_BITS));
	id->random_high = fill;
	id->random_low = (uint32_t) fill;
	return FLAKE_OK;
}

FlakeStatus
flake_scru160_min(FlakeInstant instant, FlakeScru160 *id)
{
	return bound(instant, 0, id);
}

FlakeStatus
flake_scru160_max(FlakeInstant instant, FlakeScru160 *id)
{
	return bound(instant, UINT64_MAX, id);
}
