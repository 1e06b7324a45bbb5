/*
 * flake_from_text.c
 *		Decoders of <format>_from_text: they skip white space at both ends, and
 *		detect the form of a FLUID or take the radix of a Nanoflake.
 */
#include "format/flake.h"
#include "format/flake_text.h"
#include "format/tables.h"
#include "format/white.h"

/*
 * As flake_text_decode(), but skip white space at both ends.  The offset of
 * the fault counts from the beginning of the text.
 */
FlakeStatus
flake_text_decode_trimmed(FlakeForm form, const char *text, size_t length,
						  uint64_t *id, FlakeFault *fault)
{
	size_t		first = flake_skip_white(text, &length);
	FlakeStatus status = flake_text_decode(form, text + first, length, id,
										   fault);

	if (status != FLAKE_OK && status != FLAKE_OUT_OF_RANGE)
		fault->offset += first;
	return status;
}

/* Is the prefix of this text in base 58 "f", and not U+0192? */
bool
flake_f58_is_plain(const char *text, size_t length)
{
	size_t		first = flake_skip_white(text, &length);

	return flake_begins_with(text + first, length, "f");
}

/*
 * A Nanoflake in a radix of 2 .. 36: digits 0-9a-z in any case, with white
 * space skipped at both ends.
 */
FlakeStatus
flake_nanoflake_decode(unsigned radix, const char *text, size_t length,
					   uint64_t *id, FlakeFault *fault)
{
	const uint64_t limit = flake_last_id(&flake_layouts[FLAKE_NANOFLAKE]);
	size_t		at = flake_skip_white(text, &length);
	size_t		end = at + length;
	uint64_t	sum = 0;

	if (length == 0)
		return flake_fault_at(FLAKE_TOO_SHORT, text, end, end, fault);
	for (; at < end; at++)
	{
		unsigned	digit = flake_base36_values[(unsigned char) text[at]];

		if (digit >= radix)
			return flake_fault_at(FLAKE_BAD_CHARACTER, text, end, at, fault);
		if (sum > (limit - digit) / radix)
			return FLAKE_OUT_OF_RANGE;
		sum = sum * radix + digit;
	}
	*id = sum;
	return FLAKE_OK;
}

/*
 * Detect the form of a FLUID by the rules of RFC 19, apart from white space
 * within the text.  Skips white space at both ends; *first and *length delimit
 * what the decoder reads.
 */
static FlakeForm
detect(const char *text, size_t *first, size_t *length)
{
	size_t		n;

	*first = flake_skip_white(text, length);
	text += *first;
	n = *length;
	if (n > 0 && memchr(text, '.', n) != NULL)
		return flake_begins_with(text, n, FLAKE_KVS_PREFIX) ? FLAKE_FORM_KVS : FLAKE_FORM_DOTHEX;
	if (n > 0 && memchr(text, '-', n) != NULL)
		return FLAKE_FORM_WORDS;
	if (flake_begins_with(text, n, "f") || flake_begins_with(text, n, FLAKE_F_HOOK))
		return FLAKE_FORM_F58;
	if (flake_begins_with(text, n, "\xf0\x9f"))
		return FLAKE_FORM_EMOJI;
	if (flake_begins_with(text, n, "0x"))
		return FLAKE_FORM_HEX;
	return FLAKE_FORM_DECIMAL;
}

static bool
is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Is this text, detected as form, in fact words separated by white space? */
static bool
is_spaced_words(FlakeForm form, const char *text, size_t length)
{
	if (length == 0 || form == FLAKE_FORM_DOTHEX || form == FLAKE_FORM_KVS)
		return false;
	if (form != FLAKE_FORM_WORDS && !is_letter(text[0]))
		return false;
	for (size_t i = 0; i < length; i++)
		if (flake_is_white(text[i]))
			return true;
	return false;
}

/*
 * Decode a FLUID in any form, skipping white space at both ends; *form is set
 * to the form detected.  Only words may have white space within the text,
 * which is searched only after a fault, to keep the common case fast.  Status
 * and *fault are those of flake_text_decode(); the offset counts from the
 * beginning of the text.
 */
FlakeStatus
flake_fluid_decode(const char *text, size_t length, FlakeForm *form,
				   uint64_t *id, FlakeFault *fault)
{
	FlakeStatus status;
	size_t		first;

	*form = detect(text, &first, &length);
	text += first;
	status = flake_text_decode(*form, text, length, id, fault);
	if (status == FLAKE_OK)
		return status;
	if (is_spaced_words(*form, text, length))
	{
		*form = FLAKE_FORM_WORDS;
		status = flake_text_decode(*form, text, length, id, fault);
	}
	if (status != FLAKE_OK && status != FLAKE_OUT_OF_RANGE)
		fault->offset += first;
	return status;
}
