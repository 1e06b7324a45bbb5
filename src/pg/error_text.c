/*
 * error_text.c
 *		Report invalid text of an id: the first fault, and a hint on the form.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "utils/builtins.h"

#include "format/tables.h"
#include "pg/encoding.h"
#include "pg/error.h"

/* Name of a text form, and hint on how to write it. */
typedef struct FormText
{
	FlakeFormat format;
	const char *name;
	const char *hint;
} FormText;

static const FormText form_texts[FLAKE_FORMS] = {
	[FLAKE_FORM_F58] = {
		FLAKE_FLUID, "base 58",
		"Write \"f\" followed by ASCII letters and digits, except \"0\", \"O\", \"I\" and \"l\"."
	},
	[FLAKE_FORM_HEX] = {
		FLAKE_FLUID, "hexadecimal",
		"Write \"0x\" followed by hexadecimal digits."
	},
	[FLAKE_FORM_DOTHEX] = {
		FLAKE_FLUID, "dotted hexadecimal",
		"Write four groups of one to four hexadecimal digits, separated by dots."
	},
	[FLAKE_FORM_KVS] = {
		FLAKE_FLUID, "kvs",
		"Write \"job.\" followed by four groups of one to four hexadecimal digits, separated by dots."
	},
	[FLAKE_FORM_WORDS] = {
		FLAKE_FLUID, "words",
		"Write six words of the list, separated by hyphens or white space."
	},
	[FLAKE_FORM_EMOJI] = {
		FLAKE_FLUID, "emoji",
		"Write only emoji of the list."
	},
	[FLAKE_FORM_DECIMAL] = {
		FLAKE_FLUID, "decimal",
		"Write only digits. A FLUID begins with \"f\" in base 58, and with \"0x\" in hexadecimal."
	},
	[FLAKE_FORM_BASE36] = {
		FLAKE_NANOFLAKE, "base 36",
		"Write only ASCII letters and digits."
	},
	[FLAKE_FORM_BASE32] = {
		FLAKE_ULIDFLAKE, "base 32",
		"Write exactly 13 ASCII letters and digits, except \"I\", \"L\", \"O\" and \"U\"."
	},
};

/* Detail that describes the fault. */
static char *
fault_text(FlakeStatus status, const char *part, int position)
{
	if (status == FLAKE_TOO_SHORT)
		return psprintf("The text ends unexpectedly at position %d.",
						position);
	if (status == FLAKE_BAD_MNEMONIC)
		return psprintf("Word \"%s\" at position %d is not in the word list.",
						part, position);
	return psprintf("Character \"%s\" at position %d is invalid.",
					part, position);
}

/* Raise: the text is invalid, or its number is out of range. */
pg_noreturn static void
refuse(FlakeStatus status, FlakeFormat format, const char *form,
	   const char *hint, const text *input, const char *utf8,
	   const FlakeFault *fault)
{
	const FlakeLayout *layout = &flake_layouts[format];
	char	   *name = psprintf("%s in %s", layout->name, form);
	char	   *quoted = flakeid_quote(VARDATA_ANY(input),
									   VARSIZE_ANY_EXHDR(input));
	char	   *part;
	int			position;

	if (status == FLAKE_OUT_OF_RANGE)
		flakeid_raise(status, psprintf("\"%s\"", quoted), name,
					  psprintf("The largest value is %llu.",
							   (unsigned long long) flake_last_id(layout)),
					  NULL);
	part = flakeid_quote_fault(input, utf8, fault, &position);
	flakeid_raise(status, quoted, name, fault_text(status, part, position),
				  hint);
}

void
flakeid_refuse_text(FlakeStatus status, FlakeForm form, const text *input,
					const char *utf8, const FlakeFault *fault)
{
	const FormText *texts = &form_texts[form];

	refuse(status, texts->format, texts->name, texts->hint, input, utf8,
		   fault);
}

/* The same for a Nanoflake in a radix below 36. */
void
flakeid_refuse_radix_text(FlakeStatus status, unsigned radix,
						  const text *input, const char *utf8,
						  const FlakeFault *fault)
{
	refuse(status, FLAKE_NANOFLAKE, psprintf("base %u", radix),
		   psprintf("Write only digits from \"0\" to \"%c\".",
					flake_base36_digits[radix - 1]),
		   input, utf8, fault);
}

/* Raise: a form is not one of those that the hint lists. */
void
flakeid_refuse_form(const text *form, const char *hint)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("unrecognized form: \"%s\"",
					flakeid_quote(VARDATA_ANY(form),
								  VARSIZE_ANY_EXHDR(form))),
			 errhint("%s", hint)));
}

/* The same for a UUID; last is the largest text. */
typedef struct UuidFormText
{
	const char *name;
	const char *hint;
	const char *last;
} UuidFormText;

static const UuidFormText uuid_form_texts[FLAKE_UUID_FORMS] = {
	[FLAKE_UUID_BASE32] = {
		"UUID in base 32",
		"Write exactly 26 ASCII letters and digits, except \"U\".",
		"7ZZZZZZZZZZZZZZZZZZZZZZZZZ"
	},
	[FLAKE_UUID_BASE58] = {
		"UUID in base 58",
		"Write 1 to 22 ASCII letters and digits, except \"0\", \"O\", \"I\" and \"l\".",
		"YcVfxkQb6JRzqk5kF2tNLv"
	},
};

/* Raise: the text is invalid, or its number exceeds 128 bits. */
void
flakeid_refuse_uuid_text(FlakeStatus status, FlakeUuidForm form,
						 const text *input, const char *utf8,
						 const FlakeFault *fault)
{
	const UuidFormText *texts = &uuid_form_texts[form];
	char	   *quoted = flakeid_quote(VARDATA_ANY(input),
									   VARSIZE_ANY_EXHDR(input));
	int			position;
	char	   *part = flakeid_quote_fault(input, utf8, fault, &position);

	if (status == FLAKE_OUT_OF_RANGE)
		flakeid_raise(status, psprintf("\"%s\"", quoted), texts->name,
					  psprintf("Character \"%s\" at position %d makes the value greater than \"%s\".",
							   part, position, texts->last),
					  NULL);
	flakeid_raise(status, quoted, texts->name,
				  fault_text(status, part, position), texts->hint);
}
