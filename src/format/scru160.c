/*
 * scru160.c
 *		SCRU160: fields, ids of a given instant, bounds.
 *		See scru160.h, and doc/internals/formats.md, section 9.
 */
#include "format/scru160.h"

uint64_t
flake_scru160_unix_ms(FlakeScru160 id)
{
	return id.stamp >> FLAKE_SCRU160_COUNTER_BITS;
}

/* Microseconds since 1970 at the start of the millisecond. */
int64_t
flake_scru160_unix_us(FlakeScru160 id)
{
	return flake_ticks_to_unix_us(&flake_scru160_field,
								  flake_scru160_unix_ms(id));
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

/*
 * Id with these fields, which must fit their widths: any value of 160 bits is
 * an id.
 */
FlakeScru160
flake_scru160_from_parts(uint64_t unix_ms, uint32_t counter,
						 const unsigned char *random)
{
	FlakeScru160 id = {
		.stamp = unix_ms << FLAKE_SCRU160_COUNTER_BITS | counter,
		.random_high = flake_load_be64(random),
		.random_low = flake_load_be32(random + 8),
	};

	return id;
}

/*
 * Smallest id of the instant's millisecond, which may be a reserved one, or
 * later.
 */
FlakeScru160
flake_scru160_min(FlakeInstant instant)
{
	const FlakeScru160 greatest = {UINT64_MAX, UINT64_MAX, UINT32_MAX};
	FlakeScru160 id = {0};
	uint64_t	ms = 0;

	if (flake_instant_to_ticks(&flake_scru160_field, instant, &ms) ==
		FLAKE_BEYOND_FIELD)
		return greatest;
	id.stamp = ms << FLAKE_SCRU160_COUNTER_BITS;
	return id;
}
