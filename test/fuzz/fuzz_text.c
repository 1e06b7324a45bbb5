/*
 * fuzz_text.c
 *		A libFuzzer target for one decoder of text: FORM is what text.h calls
 *		it (-DFORM=FLAKE_FORM_HEX), or it is the detecting one without it.
 *
 * Whatever the bytes, the decoder reads an id or names a fault within them;
 * and an id that was read is written as text that reads as the same id.
 */
#include <stdlib.h>
#include <string.h>

#include "format/text.h"

/* The server's bytes; abort() is how a target says that something is wrong. */
int			LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
must(int holds)
{
	if (!holds)
		abort();
}

static void
round_trip(FlakeForm form, uint64_t id)
{
	char		text[FLAKE_TEXT_SIZE];
	size_t		length = flake_text_encode(form, id, text);
	FlakeFault	fault;
	uint64_t	back = ~id;

	must(length > 0 && length <= sizeof(text));
	must(flake_text_decode(form, text, length, &back, &fault) == FLAKE_OK);
	must(back == id);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *) data;
	FlakeFault	fault = {.offset = SIZE_MAX};
	FlakeStatus status;
	uint64_t	id = 0;
#ifdef FORM
	FlakeForm	form = FORM;
#else
	size_t		first;
	size_t		whole = size;
	FlakeForm	form = flake_fluid_detect(text, &first, &size);

	must(first + size <= whole);
	text += first;
#endif

	status = flake_text_decode(form, text, size, &id, &fault);
	if (status == FLAKE_OK)
		round_trip(form, id);
	else if (status != FLAKE_OUT_OF_RANGE)
		must(fault.offset <= size && fault.length <= size - fault.offset &&
			 (fault.length > 0 || fault.offset == size));
	return 0;
}
