/*
 * tables.h
 *		What script/make-tables writes: alphabets, and the words of a FLUID.
 *
 * Values are digits by the byte that stands for them (for emoji by the low 12
 * bits of the code point), powers those of the radix up to 64 bits.
 */
#ifndef FLAKEID_FORMAT_TABLES_H
#define FLAKEID_FORMAT_TABLES_H

#include <stdint.h>

/* Value of a byte that is not in the alphabet. */
#define FLAKE_NO_DIGIT	0xffff

extern const char flake_base10_digits[];
extern const uint16_t flake_base10_values[256];
extern const uint64_t flake_base10_powers[];

extern const char flake_base16_digits[];
extern const uint16_t flake_base16_values[256];
extern const uint64_t flake_base16_powers[];

extern const char flake_base32_digits[];
extern const uint16_t flake_base32_values[256];
extern const uint64_t flake_base32_powers[];

extern const char flake_crockford_digits[];
extern const uint16_t flake_crockford_values[256];
extern const uint64_t flake_crockford_powers[];

extern const char flake_base36_digits[];
extern const uint16_t flake_base36_values[256];
extern const uint64_t flake_base36_powers[];

extern const char flake_base58_digits[];
extern const uint16_t flake_base58_values[256];
extern const uint64_t flake_base58_powers[];

extern const char flake_emoji_digits[]; /* four bytes each */
extern const uint16_t flake_emoji_values[4096];
extern const uint64_t flake_emoji_powers[];

/* Eight bytes a word, so that one load, compare or store takes all of it. */
typedef struct FlakeMnemonic
{
	char		letters[7];		/* lower case, 3 .. 7, the rest 0 */
	uint8_t		length;
} FlakeMnemonic;

#define FLAKE_MNEMONIC_COUNT			1626
#define FLAKE_MNEMONIC_BUCKETS	512
#define FLAKE_MNEMONIC_SLOTS	2048

extern const FlakeMnemonic flake_mnemonics[FLAKE_MNEMONIC_COUNT];

/* A perfect hash, see fluid_mnemonic.c; unused slots hold 0. */
extern const uint64_t flake_mnemonic_multiplier;
extern const uint16_t flake_mnemonic_displacements[FLAKE_MNEMONIC_BUCKETS];
extern const uint16_t flake_mnemonic_slots[FLAKE_MNEMONIC_SLOTS];

#endif							/* FLAKEID_FORMAT_TABLES_H */
