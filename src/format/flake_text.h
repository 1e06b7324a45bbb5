/*
 * flake_text.h
 *		Text forms of FLUID, Nanoflake and Ulid-Flake: encode and decode 64 bits
 *		(doc/internals/formats.md, sections 2 to 4).
 *
 *	form		of			example
 *	F58			FLUID		f and base 58: fuZZybuNNy; reads U+0192 as f
 *	HEX			FLUID		0x17e9fb8df16c2e
 *	DOTHEX		FLUID		0017.e9fb.8df1.6c2e
 *	KVS			FLUID		job.0017.e9fb.8df1.6c2e
 *	WORDS		FLUID		reform-remote-galileo--heart-package-academy
 *	EMOJI		FLUID		base 576, most significant digit first
 *	DECIMAL		FLUID		6731191091817518
 *	BASE36		Nanoflake	1xd6xhj; radixes 2 to 35 likewise
 *	BASE32		Ulid-Flake	00CMXB6TAK4SA, always 13 digits
 *
 * Text is UTF-8 with a length and no terminator; invalid UTF-8 is safe.
 * Decoders are strict: they accept only the whole text, and report the first
 * fault from the left.  The SQL functions skip white space at both ends.
 */
#ifndef FLAKEID_FORMAT_FLAKE_TEXT_H
#define FLAKEID_FORMAT_FLAKE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "format/bits.h"
#include "format/fault.h"
#include "format/fluid_mnemonic.h"

typedef enum FlakeForm
{
	FLAKE_FORM_F58,
	FLAKE_FORM_HEX,
	FLAKE_FORM_DOTHEX,
	FLAKE_FORM_KVS,
	FLAKE_FORM_WORDS,
	FLAKE_FORM_EMOJI,
	FLAKE_FORM_DECIMAL,
	FLAKE_FORM_BASE36,
	FLAKE_FORM_BASE32,
} FlakeForm;

#define FLAKE_FORMS (FLAKE_FORM_BASE32 + 1)

/* U+0192: RFC 19 writes it instead of "f" if the encoding has it */
#define FLAKE_F_HOOK	"\xc6\x92"

/* Prefix of the kvs form of a FLUID. */
#define FLAKE_KVS_PREFIX	"job."

/* Size of the longest text; words need most. */
#define FLAKE_TEXT_SIZE FLAKE_MNEMONIC_SIZE

/* Radixes of a Nanoflake, and size of its longest text, in base 2. */
#define FLAKE_MIN_RADIX	2
#define FLAKE_MAX_RADIX	36
#define FLAKE_NANOFLAKE_TEXT_SIZE	63

static flake_always_inline bool
flake_begins_with(const char *text, size_t length, const char *prefix)
{
	return length >= strlen(prefix) &&
		memcmp(text, prefix, strlen(prefix)) == 0;
}

extern bool flake_f58_is_plain(const char *text, size_t length);
extern size_t flake_text_encode(FlakeForm form, uint64_t id, char *out);
extern FlakeStatus flake_text_decode(FlakeForm form, const char *text,
									 size_t length, uint64_t *id,
									 FlakeFault *fault);
extern FlakeStatus flake_text_decode_trimmed(FlakeForm form, const char *text,
											 size_t length, uint64_t *id,
											 FlakeFault *fault);
extern size_t flake_nanoflake_encode(unsigned radix, uint64_t id, char *out);
extern FlakeStatus flake_nanoflake_decode(unsigned radix, const char *text,
										  size_t length, uint64_t *id,
										  FlakeFault *fault);
extern FlakeStatus flake_fluid_decode(const char *text, size_t length,
									  FlakeForm *form, uint64_t *id,
									  FlakeFault *fault);

#endif							/* FLAKEID_FORMAT_FLAKE_TEXT_H */
