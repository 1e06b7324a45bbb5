/*
 * bits.h
 *		Bit masks, and big-endian bytes to and from integers.
 */
#ifndef FLAKEID_FORMAT_BITS_H
#define FLAKEID_FORMAT_BITS_H

#include <stdint.h>
#include <string.h>

/*
 * Force inlining on the per-id path: the compiler stops inlining a function
 * that has several callers.
 */
#define flake_always_inline inline __attribute__((always_inline))

/* The lowest width bits set; width is 0 .. 64. */
static inline uint64_t
flake_mask(unsigned width)
{
	return width == 0 ? 0 : UINT64_MAX >> (64 - width);
}

/*
 * Host to big-endian and back.  Byte-wise shifts would be correct too, but gcc
 * vectorizes two adjacent ones badly.
 */
static inline uint64_t
flake_swap_be64(uint64_t value)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	return __builtin_bswap64(value);
#else
	return value;
#endif
}

static inline uint32_t
flake_swap_be32(uint32_t value)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	return __builtin_bswap32(value);
#else
	return value;
#endif
}

static inline uint64_t
flake_load_be64(const unsigned char *bytes)
{
	uint64_t	value;

	memcpy(&value, bytes, sizeof(value));
	return flake_swap_be64(value);
}

static inline void
flake_store_be64(unsigned char *bytes, uint64_t value)
{
	value = flake_swap_be64(value);
	memcpy(bytes, &value, sizeof(value));
}

/* Spelled out so that compilers fold it into a single load. */
static inline uint64_t
flake_load_le64(const unsigned char *bytes)
{
	return (uint64_t) bytes[0] | (uint64_t) bytes[1] << 8 |
		(uint64_t) bytes[2] << 16 | (uint64_t) bytes[3] << 24 |
		(uint64_t) bytes[4] << 32 | (uint64_t) bytes[5] << 40 |
		(uint64_t) bytes[6] << 48 | (uint64_t) bytes[7] << 56;
}

static inline uint32_t
flake_load_be32(const unsigned char *bytes)
{
	uint32_t	value;

	memcpy(&value, bytes, sizeof(value));
	return flake_swap_be32(value);
}

static inline void
flake_store_be32(unsigned char *bytes, uint32_t value)
{
	value = flake_swap_be32(value);
	memcpy(bytes, &value, sizeof(value));
}

#endif							/* FLAKEID_FORMAT_BITS_H */
