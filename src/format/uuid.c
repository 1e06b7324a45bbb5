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

/* v1: time_low 32, time_mid 16, version, time_high 12. */
static uint64_t
v1_ticks(FlakeUuid uuid)
{
	return (uuid.high & 0xfff) << 48 | (uuid.high >> 16 & 0xffff) << 32 |
		uuid.high >> 32;
}

/* The 60-bit timestamp of a v1 or v6, in ticks of 100 ns since 1582-10-15. */
FlakeStatus
flake_uuid_ticks(FlakeUuid uuid, uint64_t *ticks_100ns)
{
	if (flake_uuid_is_version(uuid, 6))
		*ticks_100ns = flake_uuid_high60(uuid);
	else if (flake_uuid_is_version(uuid, 1))
		*ticks_100ns = v1_ticks(uuid);
	else
		return FLAKE_WRONG_VERSION;
	return FLAKE_OK;
}

/* Only v1 and v6 have a clock sequence and a node. */
static bool
has_node(FlakeUuid uuid)
{
	return flake_uuid_is_version(uuid, 1) ||
		flake_uuid_is_version(uuid, 6);
}

FlakeStatus
flake_uuid_clock_sequence(FlakeUuid uuid, uint32_t *clock_sequence)
{
	if (!has_node(uuid))
		return FLAKE_WRONG_VERSION;
	*clock_sequence = (uint32_t) (flake_uuid_low62(uuid) >>
								  FLAKE_NODE_BITS);
	return FLAKE_OK;
}

FlakeStatus
flake_uuid_node(FlakeUuid uuid, uint64_t *node)
{
	if (!has_node(uuid))
		return FLAKE_WRONG_VERSION;
	*node = uuid.low & flake_mask(FLAKE_NODE_BITS);
	return FLAKE_OK;
}

FlakeStatus
flake_uuid_v7_fields(FlakeUuid uuid, FlakeUuidV7Fields *fields)
{
	if (!flake_uuid_is_version(uuid, 7))
		return FLAKE_WRONG_VERSION;
	fields->unix_ts_ms = flake_uuid_high60(uuid) >> FLAKE_RAND_A_BITS;
	fields->rand_a = (uint32_t) (flake_uuid_high60(uuid) &
								 flake_mask(FLAKE_RAND_A_BITS));
	fields->rand_b = flake_uuid_low62(uuid);
	return FLAKE_OK;
}

/*
 * Microseconds since 1970 of a v1, v6 or v7.  For v7 only the millisecond:
 * other generators fill the next 12 bits with random ones.
 */
FlakeStatus
flake_uuid_unix_us(FlakeUuid uuid, int64_t *unix_us)
{
	uint64_t	ticks;

	if (flake_uuid_is_version(uuid, 7))
		*unix_us = flake_ticks_to_unix_us(&flake_uuid_v7_field,
										  uuid.high >> 16);
	else if (flake_uuid_ticks(uuid, &ticks) == FLAKE_OK)
		*unix_us = flake_ticks_to_unix_us(&flake_uuid_v6_field, ticks);
	else
		return FLAKE_WRONG_VERSION;
	return FLAKE_OK;
}

/*
 * Microseconds since 1970, if rand_a is the fraction of the millisecond: the
 * last one that begins before this 1/4096 ms ends.  So a time in whole
 * microseconds, whose fraction was truncated, is read back.
 */
int64_t
flake_uuid_v7_unix_us(FlakeUuidV7Fields fields)
{
	return (int64_t) fields.unix_ts_ms * 1000 +
		((fields.rand_a + 1) * 1000 - 1) / 4096;
}

/* Lossless: reorder the ticks; clock sequence and node are unchanged. */
FlakeStatus
flake_uuid_v1_to_v6(FlakeUuid uuid, FlakeUuid *v6)
{
	if (!flake_uuid_is_version(uuid, 1))
		return FLAKE_WRONG_VERSION;
	*v6 = flake_uuid_pack(6, v1_ticks(uuid), flake_uuid_low62(uuid));
	return FLAKE_OK;
}

FlakeStatus
flake_uuid_v6_to_v1(FlakeUuid uuid, FlakeUuid *v1)
{
	uint64_t	ticks = flake_uuid_high60(uuid);

	if (!flake_uuid_is_version(uuid, 6))
		return FLAKE_WRONG_VERSION;
	v1->high = ticks << 32 | (ticks >> 32 & 0xffff) << 16 |
		UINT64_C(1) << 12 | ticks >> 48;
	v1->low = uuid.low;
	return FLAKE_OK;
}

/* A v6 of the instant with the low 62 bits of random64, as a random node. */
FlakeStatus
flake_uuid_v6_make(FlakeInstant instant, uint64_t random64, FlakeUuid *uuid)
{
	FlakeStatus status = flake_uuid_v6_min(instant, uuid);

	if (status == FLAKE_OK)
		uuid->low |= (random64 & flake_mask(FLAKE_UUID_LOW_BITS)) |
			FLAKE_NODE_MULTICAST;
	return status;
}

/* Smallest v6 of the instant's tick, with any node. */
FlakeStatus
flake_uuid_v6_min(FlakeInstant instant, FlakeUuid *uuid)
{
	uint64_t	ticks;
	FlakeStatus status = flake_instant_to_ticks(&flake_uuid_v6_field,
												instant, &ticks);

	if (status == FLAKE_OK)
		*uuid = flake_uuid_pack(6, ticks, 0);
	return status;
}

/*
 * A v7 of the instant, with the fraction of the millisecond in rand_a (RFC
 * 9562, 6.2 method 3) and the low 62 bits of random64 in rand_b.
 */
FlakeStatus
flake_uuid_v7_make(FlakeInstant instant, uint64_t random64, FlakeUuid *uuid)
{
	uint64_t	prefix;
	FlakeStatus status = flake_uuid_v7_prefix(instant, &prefix);

	if (status == FLAKE_OK)
		*uuid = flake_uuid_pack(7, prefix, random64 &
								flake_mask(FLAKE_UUID_LOW_BITS));
	return status;
}

/*
 * Smallest v7 of the instant's millisecond: other generators may not use
 * rand_a as time.
 */
FlakeStatus
flake_uuid_v7_min(FlakeInstant instant, FlakeUuid *uuid)
{
	uint64_t	ms;
	FlakeStatus status = flake_instant_to_ticks(&flake_uuid_v7_field,
												instant, &ms);

	if (status == FLAKE_OK)
		*uuid = flake_uuid_pack(7, ms << FLAKE_RAND_A_BITS, 0);
	return status;
}

/*
 * The smallest UUID of an instant or later: the one that was found, or the
 * smallest of the version if the instant is before the field, or all ones, which
 * is no id of any version, if it is after it.
 */
FlakeUuid
flake_uuid_clamp(FlakeStatus status, int version, const FlakeUuid *uuid)
{
	switch (status)
	{
		case FLAKE_OK:
			return *uuid;
		case FLAKE_BEFORE_FIELD:
			return flake_uuid_pack(version, 0, 0);
		default:
			return (FlakeUuid) {UINT64_MAX, UINT64_MAX};
	}
}

/* Smallest UUIDv6 of the instant's tick or later. */
FlakeUuid
flake_uuid_v6_first(FlakeInstant instant)
{
	FlakeUuid	uuid;

	return flake_uuid_clamp(flake_uuid_v6_min(instant, &uuid), 6, &uuid);
}

/* Smallest UUIDv7 of the instant's millisecond or later. */
FlakeUuid
flake_uuid_v7_first(FlakeInstant instant)
{
	FlakeUuid	uuid;

	return flake_uuid_clamp(flake_uuid_v7_min(instant, &uuid), 7, &uuid);
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
