/*
 * fuzz_uuid_text.c
 *		libFuzzer target for the decoders of UUIDs.  The environment variable
 *		FUZZ_FORM chooses one by its name in text.h (UUID_BASE58).
 *
 * A decoded UUID, and 16 bytes taken as one, are encoded as text that must
 * decode to the same UUID.  An error lies within the text, or at its end, and
 * what is before it is not the error.  test_uuid_text.c has the values.
 */
#include <stdlib.h>
#include <string.h>

#include "format/text.h"

/* A server type; a target calls abort() to report a failure. */
int			LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static FlakeUuidForm form;

static void
must(int holds)
{
	if (!holds)
		abort();
}

static void
round_trip(FlakeUuid uuid)
{
	char		text[FLAKE_UUID_TEXT_SIZE];
	size_t		length = flake_uuid_encode(form, uuid, text);
	FlakeUuid	back = {.high = ~uuid.high, .low = ~uuid.low};
	FlakeFault	fault;

	must(flake_uuid_decode(form, text, length, &back, &fault) == FLAKE_OK);
	must(back.high == uuid.high && back.low == uuid.low);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FlakeUuid	uuid = {0};
	FlakeFault	fault = {.offset = SIZE_MAX};
	FlakeFault	before;
	FlakeStatus status;

	form = strcmp(getenv("FUZZ_FORM"), "UUID_BASE32") == 0 ? FLAKE_UUID_BASE32 :
		strcmp(getenv("FUZZ_FORM"), "UUID_BASE58") == 0 ? FLAKE_UUID_BASE58 :
		FLAKE_UUID_BASE32HEX;
	status = flake_uuid_decode(form, (const char *) data, size, &uuid, &fault);
	if (status == FLAKE_OK)
		round_trip(uuid);
	else if (status != FLAKE_OUT_OF_RANGE)
	{
		must(fault.offset <= size && fault.length <= size - fault.offset);
		must((status == FLAKE_TOO_SHORT) == (fault.length == 0));
		status = flake_uuid_decode(form, (const char *) data, fault.offset, &uuid, &before);
		must(status != FLAKE_BAD_CHARACTER || before.offset + 1 == fault.offset);
	}
	if (size >= 16)
		round_trip(flake_uuid_load(data));
	return 0;
}
