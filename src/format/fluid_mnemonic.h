/*
 * fluid_mnemonic.h
 *		A FLUID as six words of mnemonicode (doc/internals/formats.md, section 2).
 */
#ifndef FLAKEID_FORMAT_FLUID_MNEMONIC_H
#define FLAKEID_FORMAT_FLUID_MNEMONIC_H

#include <stddef.h>
#include <stdint.h>

#include "format/fault.h"

/*
 * Size of any six words: at most 48 bytes, plus padding, since each word is
 * written as eight bytes.
 */
#define FLAKE_MNEMONIC_SIZE 52

extern size_t flake_fluid_mnemonic_encode(uint64_t id, char *out);
extern FlakeStatus flake_fluid_mnemonic_decode(const char *text, size_t length,
											   uint64_t *id,
											   FlakeFault *fault);

#endif							/* FLAKEID_FORMAT_FLUID_MNEMONIC_H */
