/*
 * uuid_text.h
 *		Short text forms of a UUID: encode and decode 128 bits
 *		(doc/internals/formats.md, section 5).
 *
 *	form		digits		example
 *	BASE32		26			01H455VB4PEX5VSKNK084SN02Q, the text of a ULID
 *	BASE58		1 .. 22		BzmjTFLHWXwiSK4y3H5iW
 *
 * Text is UTF-8 with a length and no terminator; invalid UTF-8 is safe.
 * Decoders are strict: they accept only the whole text.
 */
#ifndef FLAKEID_FORMAT_UUID_TEXT_H
#define FLAKEID_FORMAT_UUID_TEXT_H

#include <stddef.h>

#include "format/fault.h"
#include "format/uuid.h"

typedef enum FlakeUuidForm
{
	FLAKE_UUID_BASE32,
	FLAKE_UUID_BASE58,
} FlakeUuidForm;

#define FLAKE_UUID_FORMS (FLAKE_UUID_BASE58 + 1)

/* Size of the longest text. */
#define FLAKE_UUID_TEXT_SIZE	26

extern size_t flake_uuid_encode(FlakeUuidForm form, FlakeUuid uuid,
								char *out);
extern FlakeStatus flake_uuid_decode(FlakeUuidForm form, const char *text,
									 size_t length, FlakeUuid *uuid,
									 FlakeFault *fault);

#endif							/* FLAKEID_FORMAT_UUID_TEXT_H */
