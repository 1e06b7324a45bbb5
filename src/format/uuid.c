/*
 * uuid.c
 *		UUID versions 1, 6 and 7: fields, conversions, bounds.
 *
 * See uuid.h for the layouts.  Sources: RFC 9562 sections 4 and 5,
 * draft-peabody-dispatch-new-uuid-format-01 section 4.3 for version 6.
 */
#include "format/uuid.h"

/* RFC 9562, table 1: the number of leading ones, at most 3, is the variant. */
FlakeUuidVariant
flake_uuid_variant(FlakeUuid uuid)
{
	unsigned	top3 = (unsigned) (uuid.low >> 61);

	if (top3 < 4)
		return FLAKE_VARIANT_NCS;
	if (top3 < 6)
		return FLAKE_VARIANT_RFC9562;
	return top3 == 6 ? FLAKE_VARIANT_MICROSOFT : FLAKE_VARIANT_FUTURE;
}

/* The version, 0 .. 15, or -1 if the variant defines none. */
int
flake_uuid_version(FlakeUuid uuid)
{
	if (flake_uuid_variant(uuid) != FLAKE_VARIANT_RFC9562)
		return -1;
	return (int) (uuid.high >> 12 & 0xf);
}

bool
flake_uuid_is_version(FlakeUuid uuid, int version)
{
	return flake_uuid_version(uuid) == version;
}

/*
 * The 60 bits of a v1 or v6, in ticks of 100 ns since 1582-10-15.  A v1 has
 * time_low 32, time_mid 16, version, time_high 12.
 */
uint64_t
flake_uuid_ticks(FlakeUuid uuid)
{
	if (flake_uuid_is_version(uuid, 6))
		return flake_uuid_high60(uuid);
	return (uuid.high & 0xfff) << 48 | (uuid.high >> 16 & 0xffff) << 32 |
		uuid.high >> 32;
}

/*
 * Microseconds since 1970 of a v1, v6 or v7; false for other versions.  A v7
 * is read to the millisecond, because other generators fill the next 12 bits
 * with random bits.
 */
bool
flake_uuid_unix_us(FlakeUuid uuid, int64_t *unix_us)
{
	int			version = flake_uuid_version(uuid);

	if (version == 7)
		*unix_us = (int64_t) flake_uuid_v7_ms(uuid) * 1000;
	else if (version == 1 || version == 6)
		*unix_us = flake_ticks_to_unix_us(&flake_uuid_v6_field,
										  flake_uuid_ticks(uuid));
	else
		return false;
	return true;
}

/*
 * Microseconds since 1970 of a v7 whose rand_a is the fraction of the
 * millisecond.  The result is the last microsecond that begins before this
 * 1/4096 ms ends.  So a time in whole microseconds is read back unchanged,
 * although its fraction was truncated.
 */
int64_t
flake_uuid_v7_unix_us(FlakeUuid uuid)
{
	return (int64_t) flake_uuid_v7_ms(uuid) * 1000 +
		((flake_uuid_v7_rand_a(uuid) + 1) * 1000 - 1) / 4096;
}

/* Lossless: reorder the ticks; clock sequence and node are unchanged. */
FlakeUuid
flake_uuid_v1_to_v6(FlakeUuid uuid)
{
	return flake_uuid_pack(6, flake_uuid_ticks(uuid), flake_uuid_low62(uuid));
}

FlakeUuid
flake_uuid_v6_to_v1(FlakeUuid uuid)
{
	uint64_t	ticks = flake_uuid_high60(uuid);

	uuid.high = ticks << 32 | (ticks >> 32 & 0xffff) << 16 |
		UINT64_C(1) << 12 | ticks >> 48;
	return uuid;
}

/* The 60 high bits of an id of the instant. */
static FlakeStatus
high60_of(int version, FlakeInstant instant, uint64_t *high60)
{
	return version == 7 ? flake_uuid_v7_prefix(instant, high60) :
		flake_instant_to_ticks(&flake_uuid_v6_field, instant, high60);
}

/*
 * An id of the instant, whose low 62 bits are those of random64.  In a v6 they
 * are clock sequence and node, with the multicast bit set.  In a v7 they are
 * rand_b, and rand_a is the fraction of the millisecond (RFC 9562, 6.2 method
 * 3).
 */
FlakeStatus
flake_uuid_make(int version, FlakeInstant instant, uint64_t random64,
				FlakeUuid *uuid)
{
	uint64_t	high60;
	uint64_t	low62 = random64 & flake_mask(FLAKE_UUID_LOW_BITS);
	FlakeStatus status = high60_of(version, instant, &high60);

	if (version == 6)
		low62 |= FLAKE_NODE_MULTICAST;
	if (status == FLAKE_OK)
		*uuid = flake_uuid_pack(version, high60, low62);
	return status;
}

/*
 * Smallest v6 of the instant's tick, with any node, or v7 of its millisecond:
 * other generators may not use rand_a as time.  Outside the field: the first
 * id, or all ones, which is no id of any version.
 */
FlakeUuid
flake_uuid_min(int version, FlakeInstant instant)
{
	uint64_t	high60 = 0;

	if (high60_of(version, instant, &high60) == FLAKE_BEYOND_FIELD)
		return flake_uuid_max;
	if (version == 7)
		high60 &= ~flake_mask(FLAKE_RAND_A_BITS);
	return flake_uuid_pack(version, high60, 0);
}

/*
 * Move a v7 so that its millisecond begins at start: its fraction is added to
 * the new time, and its random bits are kept.
 */
FlakeStatus
flake_uuid_v7_move(FlakeUuid uuid, FlakeInstant start, FlakeUuid *moved)
{
	uint64_t	prefix;
	FlakeStatus status = flake_uuid_v7_prefix(start, &prefix);

	if (status != FLAKE_OK)
		return status;
	prefix += uuid.high & 0xfff;
	if (prefix > flake_mask(FLAKE_UUID_HIGH_BITS))
		return FLAKE_BEYOND_FIELD;
	*moved = flake_uuid_pack(7, prefix, flake_uuid_low62(uuid));
	return FLAKE_OK;
}
