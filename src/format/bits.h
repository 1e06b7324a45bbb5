/*
 * bits.h
 *		Bit masks, and big-endian bytes to and from integers.
 */
#ifndef FLAKEID_FORMAT_BITS_H
#define FLAKEID_FORMAT_BITS_H

#include <stdint.h>

/* The lowest width bits set; width is 0 .. 64. */
static inline uint64_t
flake_mask(unsigned width)
{
	return width == 0 ? 0 : UINT64_MAX >> (64 - width);
}

static inline uint64_t
flake_load_be64(const unsigned char *bytes)
{
	uint64_t	value = 0;

	for (int i = 0; i < 8; i++)
		value = value << 8 | bytes[i];
	return value;
}

static inline void
flake_store_be64(unsigned char *bytes, uint64_t value)
{
	for (int i = 0; i < 8; i++)
		bytes[i] = (unsigned char) (value >> (56 - 8 * i));
}

#endif							/* FLAKEID_FORMAT_BITS_H */
