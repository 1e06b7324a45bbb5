/*
 * text_funcs.c
 *		The text forms of FLUID, Nanoflake, Ulid-Flake and UUID: the database
 *		encoding, errors, and SQL functions.
 *
 * src/format has the forms, and works in UTF-8.  In SQL_ASCII, bytes have no
 * defined meaning.  They are read as UTF-8, since src/format accepts invalid
 * UTF-8.  All other server encodings are supersets of ASCII.  There, forms are
 * read and written in ASCII, except U+0192, which is read, and emoji, which
 * are converted when written.
 *
 * A FLUID uses all 64 bits of a bigint, so -1 is the largest FLUID.  Every
 * decoder skips white space at both ends.  Invalid text is 22P02, a number
 * that does not fit 22003, an unknown form or radix 22023.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "utils/builtins.h"

#include "format/text_table.h"
#include "pg/sql.h"
#include "pg/text_funcs.h"

/* A text to decode, and what is wrong with it. */
typedef struct Input
{
	const text *text;
	const char *utf8;
	size_t		length;
	FlakeFault	fault;
} Input;

static bool
database_is_utf8(void)
{
	return GetDatabaseEncoding() == PG_UTF8 ||
		GetDatabaseEncoding() == PG_SQL_ASCII;
}

/* Does the database encoding have U+0192, as one byte? */
static bool
has_hook(void)
{
	int			encoding = GetDatabaseEncoding();

	return encoding == PG_WIN1252 || encoding == PG_WIN1253 ||
		encoding == PG_WIN1254 || encoding == PG_WIN1255 ||
		encoding == PG_WIN1256 || encoding == PG_WIN1258;
}

/*
 * The argument as the decoders of src/format read it.  In encodings other than
 * UTF-8, the only character outside of ASCII that a form can have is U+0192.
 * Every other byte outside of ASCII is replaced by one that UTF-8 does not
 * have, which the decoder reports.  So offsets in the input stay the same.
 */
static Input
getarg_input(FunctionCallInfo fcinfo)
{
	text	   *given = PG_GETARG_TEXT_PP(0);
	Input		input = {
		.text = given,
		.utf8 = VARDATA_ANY(given),
		.length = VARSIZE_ANY_EXHDR(given),
	};
	const char	kept = has_hook() ? FLAKE_F_HOOK_WIN[0] : '\xff';
	char	   *utf8;

	if (database_is_utf8())
		return input;
	utf8 = memcpy(palloc(input.length), input.utf8, input.length);
	for (size_t i = 0; i < input.length; i++)
		if (IS_HIGHBIT_SET(utf8[i]) && utf8[i] != kept)
			utf8[i] = '\xff';
	input.utf8 = utf8;
	return input;
}

/*
 * Copy bytes in the database encoding for a message, truncated with "..." if
 * too long.
 */
char *
flakeid_quote(const char *bytes, size_t length)
{
	const int	limit = 100;
	int			kept = length;

	if (length > limit)
		kept = pg_mbcliplen(bytes, Min(length, 2 * limit), limit);
	return psprintf("%.*s%s", kept, bytes, kept < length ? "..." : "");
}

char *
flakeid_quote_text(const text *input)
{
	return flakeid_quote(VARDATA_ANY(input), VARSIZE_ANY_EXHDR(input));
}

/*
 * Copy the part of the input at the fault, for a message: a character in the
 * database encoding, or a word.  Sets *position to the position of this part
 * in characters, counted from 1.
 */
static char *
quote_fault(const Input *input, int *position)
{
	const char *bytes = VARDATA_ANY(input->text);
	const char *bad = bytes + input->fault.offset;
	size_t		rest = input->length - input->fault.offset;
	size_t		character = pg_mbcharcliplen(bad, (int) rest, 1);

	*position = pg_mbstrlen_with_len(bytes, (int) input->fault.offset) + 1;
	return flakeid_quote(bad, Max(input->fault.length, Min(character, rest)));
}

/* Report: a form is not one of those that the hint lists. */
void
flakeid_refuse_form(const text *form, const char *hint)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("unrecognized form: \"%s\"", flakeid_quote_text(form)),
			 errhint("%s", hint)));
}

/* Name of a text form, its largest text, and hint on how to write it. */
typedef struct FormText
{
	const char *name;
	const char *last;
	const char *hint;
} FormText;

#define LAST_63_BITS "9223372036854775807"
#define LAST_64_BITS "18446744073709551615"

static const FormText form_texts[FLAKE_FORMS] = {
	[FLAKE_FORM_F58] = {
		"FLUID in base 58", LAST_64_BITS,
		"Write \"f\" followed by ASCII letters and digits, except \"0\", \"O\", \"I\" and \"l\"."
	},
	[FLAKE_FORM_HEX] = {
		"FLUID in hexadecimal", LAST_64_BITS,
		"Write \"0x\" followed by hexadecimal digits."
	},
	[FLAKE_FORM_DOTHEX] = {
		"FLUID in dotted hexadecimal", LAST_64_BITS,
		"Write four groups of one to four hexadecimal digits, separated by dots."
	},
	[FLAKE_FORM_KVS] = {
		"FLUID in kvs", LAST_64_BITS,
		"Write \"job.\" followed by four groups of one to four hexadecimal digits, separated by dots."
	},
	[FLAKE_FORM_WORDS] = {
		"FLUID in words", LAST_64_BITS,
		"Write six words of the list, separated by hyphens or white space."
	},
	[FLAKE_FORM_EMOJI] = {
		"FLUID in emoji", LAST_64_BITS,
		"Write only emoji of the list."
	},
	[FLAKE_FORM_DECIMAL] = {
		"FLUID in decimal", LAST_64_BITS,
		"Write only digits. A FLUID begins with \"f\" in base 58, and with \"0x\" in hexadecimal."
	},
	[FLAKE_FORM_BASE36] = {
		"Nanoflake in base 36", LAST_63_BITS,
		"Write only ASCII letters and digits."
	},
	[FLAKE_FORM_BASE32] = {
		"Ulid-Flake in base 32", LAST_63_BITS,
		"Write exactly 13 ASCII letters and digits, except \"I\", \"L\", \"O\" and \"U\"."
	},
};

static const FormText uuid_form_texts[FLAKE_UUID_FORMS] = {
	[FLAKE_UUID_BASE32] = {
		"UUID in base 32", "7ZZZZZZZZZZZZZZZZZZZZZZZZZ",
		"Write exactly 26 ASCII letters and digits, except \"U\"."
	},
	[FLAKE_UUID_BASE32HEX] = {
		"UUID in base32hex", "VVVVVVVVVVVVVVVVVVVVVVVVVS",
		"Write exactly 26 digits from \"0\" to \"9\" and \"A\" to \"V\"; the last one is a multiple of 4."
	},
	[FLAKE_UUID_BASE58] = {
		"UUID in base 58", "YcVfxkQb6JRzqk5kF2tNLv",
		"Write 1 to 22 ASCII letters and digits, except \"0\", \"O\", \"I\" and \"l\"."
	},
};

/* The detail of an error: what is invalid in the text, and where. */
static int
errdetail_of_fault(FlakeStatus status, const Input *input)
{
	int			position;
	char	   *part = quote_fault(input, &position);

	switch (status)
	{
		case FLAKE_TOO_SHORT:
			return errdetail("The text ends unexpectedly at position %d.",
							 position);
		case FLAKE_BAD_MNEMONIC:
			return errdetail("Word \"%s\" at position %d is not in the word list.",
							 part, position);
		default:
			return errdetail("Character \"%s\" at position %d is invalid.",
							 part, position);
	}
}

/* Report: the text is invalid, or its number is out of range. */
pg_noreturn static void
refuse(FlakeStatus status, const FormText *form, const Input *input)
{
	if (status == FLAKE_OUT_OF_RANGE)
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("value \"%s\" is out of range for a %s",
						flakeid_quote_text(input->text), form->name),
				 errdetail("The largest value is %s.", form->last)));
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
			 errmsg("invalid input syntax for %s: \"%s\"",
					form->name, flakeid_quote_text(input->text)),
			 errdetail_of_fault(status, input),
			 errhint("%s", form->hint)));
}

/* Encode an id in a form whose text is ASCII. */
static Datum
encode(FlakeForm form, uint64 id)
{
	text	   *result = palloc(VARHDRSZ + FLAKE_TEXT_SIZE);
	size_t		length = flake_text_encode(form, id, VARDATA(result));

	SET_VARSIZE(result, VARHDRSZ + length);
	PG_RETURN_TEXT_P(result);
}

/* Encode with "f", which U+0192 overwrites if the database is in UTF8. */
static Datum
encode_f58(uint64 id)
{
	const size_t prefix = strlen(FLAKE_F_HOOK);
	text	   *result;
	size_t		length;

	if (GetDatabaseEncoding() != PG_UTF8)
		return encode(FLAKE_FORM_F58, id);
	result = palloc(VARHDRSZ + prefix + FLAKE_TEXT_SIZE);
	length = flake_text_encode(FLAKE_FORM_F58, id,
							   VARDATA(result) + prefix - 1);
	memcpy(VARDATA(result), FLAKE_F_HOOK, prefix);
	SET_VARSIZE(result, VARHDRSZ + prefix - 1 + length);
	PG_RETURN_TEXT_P(result);
}

static Datum
encode_emoji(uint64 id)
{
	char		utf8[FLAKE_TEXT_SIZE] = {0};
	size_t		length = flake_text_encode(FLAKE_FORM_EMOJI, id, utf8);

	return CStringGetTextDatum(pg_any_to_server(utf8, (int) length, PG_UTF8));
}

static Datum
decode(FunctionCallInfo fcinfo, FlakeForm form)
{
	Input		input = getarg_input(fcinfo);
	uint64		id = 0;
	FlakeStatus status = flake_text_decode(form, input.utf8, input.length,
										   &id, &input.fault);

	if (unlikely(status != FLAKE_OK))
		refuse(status, &form_texts[form], &input);
	PG_RETURN_INT64((int64) id);
}

/*
 * fluid_to_f58(id bigint) -> text
 * fluid_from_f58(string text) -> bigint
 *
 * Base 58, prefixed with U+0192, or with "f" if the database encoding is not
 * UTF8; reads both.  Flux RFC 19; doc/internals/formats.md, section 2.
 */
FLAKEID_FUNCTION(fluid_to_f58, encode_f58(PG_GETARG_INT64(0)));
FLAKEID_FUNCTION(fluid_from_f58, decode(fcinfo, FLAKE_FORM_F58));

/* The forms of a FLUID by name, as in Flux. */
static const struct
{
	const char *name;
	FlakeForm	form;
	bool		with_hook;		/* U+0192 instead of "f", in UTF8 */
}			fluid_forms[] = {
	{"f58", FLAKE_FORM_F58, true},
	{"f58plain", FLAKE_FORM_F58, false},
	{"dec", FLAKE_FORM_DECIMAL, false},
	{"hex", FLAKE_FORM_HEX, false},
	{"dothex", FLAKE_FORM_DOTHEX, false},
	{"kvs", FLAKE_FORM_KVS, false},
	{"words", FLAKE_FORM_WORDS, false},
	{"emoji", FLAKE_FORM_EMOJI, false},
};

#define FORMS_HINT \
	"\"f58\", \"f58plain\", \"dec\", \"hex\", \"dothex\", \"kvs\", \"words\" or \"emoji\"."

/* Number of the form in the table; reports a form that is not there. */
static int
fluid_form(const text *name, const char *hint)
{
	for (int i = 0; i < lengthof(fluid_forms); i++)
		if (flakeid_text_is(name, fluid_forms[i].name))
			return i;
	flakeid_refuse_form(name, hint);
}

/*
 * fluid_to_text(id bigint, form text) -> text
 *
 * f58 as fluid_to_f58(); f58plain with "f"; emoji in SQL_ASCII are the bytes
 * of UTF-8, in other encodings 22P05.  doc/internals/formats.md, section 2.
 */
FLAKEID_ENTRY(fluid_to_text)
{
	uint64		id = PG_GETARG_INT64(0);
	int			form = fluid_form(PG_GETARG_TEXT_PP(1), "Use " FORMS_HINT);

	if (fluid_forms[form].with_hook)
		return encode_f58(id);
	if (fluid_forms[form].form == FLAKE_FORM_EMOJI)
		return encode_emoji(id);
	return encode(fluid_forms[form].form, id);
}

/*
 * fluid_from_text(string text, form text DEFAULT 'auto') -> bigint
 *
 * Detects the form, or accepts only the given one; f58 and f58plain read both
 * prefixes.  Only words may have white space in between.
 */
FLAKEID_ENTRY(fluid_from_text)
{
	const text *name = PG_GETARG_TEXT_PP(1);
	Input		input;
	FlakeForm	form;
	uint64		id = 0;
	FlakeStatus status;
	int			given;

	if (!flakeid_text_is(name, "auto"))
	{
		given = fluid_form(name, "Use \"auto\", " FORMS_HINT);
		return decode(fcinfo, fluid_forms[given].form);
	}
	input = getarg_input(fcinfo);
	status = flake_fluid_decode(input.utf8, input.length, &form, &id,
								&input.fault);
	if (unlikely(status != FLAKE_OK))
		refuse(status, &form_texts[form], &input);
	PG_RETURN_INT64((int64) id);
}

/* The radix argument, 2 .. 36 */
static unsigned
getarg_radix(FunctionCallInfo fcinfo)
{
	int32		radix = PG_GETARG_INT32(1);

	if (radix < FLAKE_MIN_RADIX || radix > FLAKE_MAX_RADIX)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("invalid radix: %d", radix),
				 errhint("Use a radix from 2 to 36.")));
	return (unsigned) radix;
}

/*
 * nanoflake_to_text(id bigint, radix integer) -> text
 *
 * Lower case, no padding, so the text does not sort like the id.
 * doc/internals/formats.md, section 3.
 */
FLAKEID_ENTRY(nanoflake_to_text)
{
	uint64		id = flakeid_check_id(FLAKE_NANOFLAKE, PG_GETARG_INT64(0));
	unsigned	radix = getarg_radix(fcinfo);
	text	   *result = palloc(VARHDRSZ + FLAKE_NANOFLAKE_TEXT_SIZE);
	size_t		length = flake_nanoflake_encode(radix, id, VARDATA(result));

	SET_VARSIZE(result, VARHDRSZ + length);
	PG_RETURN_TEXT_P(result);
}

/* nanoflake_from_text(string text, radix integer) -> bigint: any case */
FLAKEID_ENTRY(nanoflake_from_text)
{
	unsigned	radix = getarg_radix(fcinfo);
	Input		input = getarg_input(fcinfo);
	FormText	form = {.last = LAST_63_BITS};
	uint64		id = 0;
	FlakeStatus status;

	if (radix == FLAKE_MAX_RADIX)
		return decode(fcinfo, FLAKE_FORM_BASE36);
	status = flake_nanoflake_decode(radix, input.utf8, input.length, &id,
									&input.fault);
	if (likely(status == FLAKE_OK))
		PG_RETURN_INT64((int64) id);
	form.name = psprintf("Nanoflake in base %u", radix);
	form.hint = psprintf("Write only digits from \"0\" to \"%c\".",
						 flake_base36_digits[radix - 1]);
	refuse(status, &form, &input);
}

/*
 * ulidflake_to_text(id bigint) -> text
 * ulidflake_from_text(string text) -> bigint
 *
 * 13 digits of Crockford's base 32, upper case; sorts like the id.  Read in
 * any case; look-alikes are not mapped.  doc/internals/formats.md, section 4.
 */
FLAKEID_ENTRY(ulidflake_to_text)
{
	uint64		id = flakeid_check_id(FLAKE_ULIDFLAKE, PG_GETARG_INT64(0));

	return encode(FLAKE_FORM_BASE32, id);
}

FLAKEID_FUNCTION(ulidflake_from_text, decode(fcinfo, FLAKE_FORM_BASE32));

/* The form argument */
static FlakeUuidForm
getarg_uuid_form(FunctionCallInfo fcinfo)
{
	static const char *const names[FLAKE_UUID_FORMS] = {
		[FLAKE_UUID_BASE32] = "ulid",
		[FLAKE_UUID_BASE32HEX] = "base32hex",
		[FLAKE_UUID_BASE58] = "base58",
	};
	const text *form = PG_GETARG_TEXT_PP(1);

	for (FlakeUuidForm i = 0; i < FLAKE_UUID_FORMS; i++)
		if (flakeid_text_is(form, names[i]))
			return i;
	flakeid_refuse_form(form, "Use \"ulid\", \"base32hex\" or \"base58\".");
}

/*
 * uuid_to_text(id uuid, form text) -> text
 *
 * ulid and base32hex: 26 digits, which sort like the id; base58: 1 to 22,
 * which do not.  Another form: 22023.  doc/internals/formats.md, section 5.
 */
FLAKEID_ENTRY(uuid_to_text)
{
	FlakeUuidForm form = getarg_uuid_form(fcinfo);
	FlakeUuid	uuid = flakeid_getarg_uuid(fcinfo, 0);
	text	   *result = palloc(VARHDRSZ + FLAKE_UUID_TEXT_SIZE);
	size_t		length = flake_uuid_encode(form, uuid, VARDATA(result));

	SET_VARSIZE(result, VARHDRSZ + length);
	PG_RETURN_TEXT_P(result);
}

/*
 * uuid_from_text(string text, form text) -> uuid
 *
 * ulid and base32hex in any case; in ulid I and L are read as 1, O as 0;
 * in base32hex the two bits after the id must be 0; base58 with leading zeros.
 * Invalid character or length: 22P02; a number of more than 128 bits: 22003.
 */
FLAKEID_ENTRY(uuid_from_text)
{
	FlakeUuidForm form = getarg_uuid_form(fcinfo);
	Input		input = getarg_input(fcinfo);
	size_t		length = input.length;
	size_t		first = flake_skip_white(input.utf8, &length);
	FlakeUuid	uuid;
	FlakeStatus status = flake_uuid_decode(form, input.utf8 + first, length,
										   &uuid, &input.fault);

	input.fault.offset += first;
	if (unlikely(status != FLAKE_OK))
		refuse(status, &uuid_form_texts[form], &input);
	return flakeid_uuid_datum(uuid);
}
