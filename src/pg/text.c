/*
 * text.c
 *		The text forms of FLUID, Nanoflake and Ulid-Flake: the database
 *		encoding, errors, and SQL functions.
 *
 * src/format has the forms, and works in UTF-8.  In SQL_ASCII bytes have no
 * defined meaning; they are taken as UTF-8, since src/format accepts invalid
 * UTF-8.  All other server encodings are supersets of ASCII, so only text with
 * other characters is converted.
 *
 * A FLUID uses all 64 bits of a bigint, so -1 is the largest.  Every decoder
 * skips white space at both ends.  Invalid text is 22P02, a number that does
 * not fit 22003, an unknown form or radix 22023.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/namespace.h"
#include "utils/builtins.h"

#include "format/text_table.h"
#include "pg/sql.h"
#include "pg/text.h"

static bool
database_is_utf8(void)
{
	return GetDatabaseEncoding() == PG_UTF8 ||
		GetDatabaseEncoding() == PG_SQL_ASCII;
}

/*
 * Prefix of a FLUID in base 58, in the database encoding.  A conversion wants
 * room for its longest result.
 */
typedef struct Prefix
{
	int			length;			/* in bytes; 0: not determined yet */
	char		bytes[sizeof(FLAKE_F_HOOK) * MAX_CONVERSION_GROWTH];
} Prefix;

/* U+0192 in the database encoding, or "f" if it has none */
static void
determine_prefix(Prefix *prefix)
{
	int			encoding = GetDatabaseEncoding();
	Oid			proc = FindDefaultConversionProc(PG_UTF8, encoding);

	if (encoding == PG_UTF8)
		strcpy(prefix->bytes, FLAKE_F_HOOK);
	else if (encoding == PG_SQL_ASCII || !OidIsValid(proc) ||
			 pg_do_encoding_conversion_buf(proc, PG_UTF8, encoding,
										   (unsigned char *) FLAKE_F_HOOK,
										   strlen(FLAKE_F_HOOK),
										   (unsigned char *) prefix->bytes,
										   sizeof(prefix->bytes),
										   true) != strlen(FLAKE_F_HOOK))
		strcpy(prefix->bytes, "f");
	prefix->length = strlen(prefix->bytes);
}

/* Cached: a process never changes its database. */
static const Prefix *
f58_prefix(void)
{
	static Prefix prefix;

	if (unlikely(prefix.length == 0))
		determine_prefix(&prefix);
	return &prefix;
}

/* Report 22P05 unless the database encoding has emoji. */
static void
check_emoji(void)
{
	if (unlikely(!database_is_utf8()))
		ereport(ERROR,
				(errcode(ERRCODE_UNTRANSLATABLE_CHARACTER),
				 errmsg("database encoding \"%s\" has no emoji",
						GetDatabaseEncodingName()),
				 errhint("Write the FLUID in another form, or use a database with encoding \"UTF8\".")));
}

static bool
is_ascii(const char *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (IS_HIGHBIT_SET(bytes[i]))
			return false;
	return true;
}

/* Byte length of the first n characters, in the database encoding. */
static size_t
skip_characters(const char *bytes, size_t length, int n)
{
	return Min((size_t) pg_mbcharcliplen(bytes, (int) length, n), length);
}

/*
 * Text in UTF-8, copied only if it must be converted.  Of the characters that
 * are not in ASCII, only the prefix is valid in a form that other encodings
 * have.  Each of the others becomes a byte that UTF-8 does not have, which the
 * decoder reports.
 */
const char *
flakeid_text_to_utf8(const text *input, size_t *length)
{
	const char *bytes = VARDATA_ANY(input);
	size_t		size = VARSIZE_ANY_EXHDR(input);
	const Prefix *prefix;
	char	   *utf8;
	char	   *end;
	size_t		n;

	*length = size;
	if (database_is_utf8() || is_ascii(bytes, size))
		return bytes;
	prefix = f58_prefix();
	utf8 = end = MemoryContextAllocHuge(CurrentMemoryContext,
										strlen(FLAKE_F_HOOK) * size);
	for (size_t at = 0; at < size; at += Max(n, 1))
	{
		n = skip_characters(bytes + at, size - at, 1);
		if (!IS_HIGHBIT_SET(bytes[at]))
			*end++ = bytes[at];
		else if (n == prefix->length &&
				 memcmp(bytes + at, prefix->bytes, n) == 0)
		{
			memcpy(end, FLAKE_F_HOOK, strlen(FLAKE_F_HOOK));
			end += strlen(FLAKE_F_HOOK);
		}
		else
			*end++ = '\xff';
	}
	*length = end - utf8;
	return utf8;
}

static int
count_characters(const char *utf8, size_t length)
{
	int			n = 0;

	for (size_t at = 0; at < length; n++)
		at += flake_utf8_length(utf8 + at, length - at);
	return n;
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
 * Copy the part of the input at the fault, for a message.  The fault is given
 * in UTF-8.  Sets *position to its position in characters, counted from 1.
 */
static char *
quote_fault(const text *input, const char *utf8, const FlakeFault *fault,
			int *position)
{
	const char *bytes = VARDATA_ANY(input);
	size_t		size = VARSIZE_ANY_EXHDR(input);
	size_t		first = fault->offset;
	size_t		length = fault->length;
	int			before = count_characters(utf8, fault->offset);

	if (utf8 != bytes)
	{
		int			characters = count_characters(utf8 + first, length);

		first = skip_characters(bytes, size, before);
		length = skip_characters(bytes + first, size - first, characters);
	}
	*position = before + 1;
	return flakeid_quote(bytes + first, length);
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

/* Report invalid text: the fault, and how to write the form. */
pg_noreturn static void
refuse_syntax(FlakeStatus status, const char *form, const char *hint,
			  const text *input, const char *utf8, const FlakeFault *fault)
{
	int			position;
	char	   *part = quote_fault(input, utf8, fault, &position);

	ereport(ERROR,
			(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
			 errmsg("invalid input syntax for %s: \"%s\"",
					form, flakeid_quote_text(input)),
			 status == FLAKE_TOO_SHORT ?
			 errdetail("The text ends unexpectedly at position %d.",
					   position) :
			 status == FLAKE_BAD_MNEMONIC ?
			 errdetail("Word \"%s\" at position %d is not in the word list.",
					   part, position) :
			 errdetail("Character \"%s\" at position %d is invalid.",
					   part, position),
			 errhint("%s", hint)));
}

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

/* Report: the text is invalid, or its number is out of range. */
pg_noreturn static void
refuse(FlakeStatus status, FlakeFormat format, const char *form,
	   const char *hint, const text *input, const char *utf8,
	   const FlakeFault *fault)
{
	const FlakeLayout *layout = &flake_layouts[format];
	char	   *name = psprintf("%s in %s", layout->name, form);

	if (status != FLAKE_OUT_OF_RANGE)
		refuse_syntax(status, name, hint, input, utf8, fault);
	ereport(ERROR,
			(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
			 errmsg("value \"%s\" is out of range for a %s",
					flakeid_quote_text(input), name),
			 errdetail("The largest value is %llu.",
					   (unsigned long long) flake_last_id(layout))));
}

/* Report unless the text was decoded. */
static void
check_text(FlakeStatus status, FlakeForm form, const text *input,
		   const char *utf8, const FlakeFault *fault)
{
	const FormText *texts = &form_texts[form];

	if (unlikely(status != FLAKE_OK))
		refuse(status, texts->format, texts->name, texts->hint, input, utf8,
			   fault);
}

/* Names and hints of the short forms of a UUID; last is the largest text. */
static const struct
{
	const char *name;
	const char *hint;
	const char *last;
}			uuid_form_texts[FLAKE_UUID_FORMS] = {
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

/* Report: the text is invalid, or its number exceeds 128 bits. */
void
flakeid_refuse_uuid_text(FlakeStatus status, FlakeUuidForm form,
						 const text *input, const char *utf8,
						 const FlakeFault *fault)
{
	const char *name = uuid_form_texts[form].name;
	int			position;
	char	   *part;

	if (status != FLAKE_OUT_OF_RANGE)
		refuse_syntax(status, name, uuid_form_texts[form].hint, input, utf8,
					  fault);
	part = quote_fault(input, utf8, fault, &position);
	ereport(ERROR,
			(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
			 errmsg("value \"%s\" is out of range for a %s",
					flakeid_quote_text(input), name),
			 errdetail("Character \"%s\" at position %d makes the value greater than \"%s\".",
					   part, position, uuid_form_texts[form].last)));
}

/* Encode an id in a form whose text is ASCII, or emoji in UTF-8. */
static Datum
encode(FlakeForm form, uint64 id)
{
	text	   *result = palloc(VARHDRSZ + FLAKE_TEXT_SIZE);
	size_t		length = flake_text_encode(form, id, VARDATA(result));

	SET_VARSIZE(result, VARHDRSZ + length);
	PG_RETURN_TEXT_P(result);
}

/*
 * Encode with "f", then overwrite it with the prefix of the database's
 * encoding.
 */
static Datum
encode_f58(uint64 id)
{
	const Prefix *prefix = f58_prefix();
	text	   *result = palloc(VARHDRSZ + FLAKE_TEXT_SIZE);
	size_t		before = prefix->length - 1;
	size_t		length = flake_text_encode(FLAKE_FORM_F58, id,
										   VARDATA(result) + before);

	memcpy(VARDATA(result), prefix->bytes, prefix->length);
	SET_VARSIZE(result, VARHDRSZ + before + length);
	PG_RETURN_TEXT_P(result);
}

static Datum
decode(FlakeForm form, const text *input)
{
	size_t		length;
	const char *utf8 = flakeid_text_to_utf8(input, &length);
	uint64		id = 0;
	FlakeFault	fault;

	check_text(flake_text_decode(form, utf8, length, &id, &fault),
			   form, input, utf8, &fault);
	PG_RETURN_INT64((int64) id);
}

/*
 * fluid_to_f58(id bigint, ascii boolean DEFAULT false) -> text
 * fluid_from_f58(t text) -> bigint
 *
 * Base 58, prefixed with U+0192, or with "f" if the database encoding lacks
 * that or ASCII is requested; reads both.  Flux RFC 19;
 * doc/internals/formats.md, section 2.
 */
FLAKEID_FUNCTION(fluid_to_f58,
				 PG_GETARG_BOOL(1) ?
				 encode(FLAKE_FORM_F58, PG_GETARG_INT64(0)) :
				 encode_f58(PG_GETARG_INT64(0)));
FLAKEID_FUNCTION(fluid_from_f58, decode(FLAKE_FORM_F58, PG_GETARG_TEXT_PP(0)));

/* The forms of a FLUID by name, as in Flux. */
static const struct
{
	const char *name;
	FlakeForm	form;
}			fluid_forms[] = {
	{"f58", FLAKE_FORM_F58},	/* with U+0192, if possible */
	{"f58plain", FLAKE_FORM_F58},
	{"dec", FLAKE_FORM_DECIMAL},
	{"hex", FLAKE_FORM_HEX},
	{"dothex", FLAKE_FORM_DOTHEX},
	{"kvs", FLAKE_FORM_KVS},
	{"words", FLAKE_FORM_WORDS},
	{"emoji", FLAKE_FORM_EMOJI},
};

#define F58			0			/* in this table */
#define F58_PLAIN	1

/* Number of the form in the table; reports a form that is not there. */
static int
fluid_form(const text *name)
{
	for (int i = 0; i < lengthof(fluid_forms); i++)
		if (flakeid_text_is(name, fluid_forms[i].name))
			return i;
	flakeid_refuse_form(name,
						"Use \"f58\", \"f58plain\", \"dec\", \"hex\", \"dothex\", \"kvs\", \"words\" or \"emoji\".");
}

/*
 * fluid_to_text(id bigint, form text DEFAULT 'f58') -> text
 *
 * Encodes in the form: f58 as fluid_to_f58(); f58plain, base 58 prefixed with
 * "f"; dec, unsigned decimal; hex, prefixed with 0x; dothex, four groups of
 * four hexadecimal digits, which sort like the unsigned id; kvs, the key of a
 * job in the store of Flux, which is dothex after "job."; words, six words of
 * mnemonicode, the low 32 bits first; emoji, base 576, in SQL_ASCII the bytes
 * of UTF-8, in other encodings 22P05.  doc/internals/formats.md, section 2.
 */
PG_FUNCTION_INFO_V1(flakeid_fluid_to_text);
Datum
flakeid_fluid_to_text(PG_FUNCTION_ARGS)
{
	uint64		id = PG_GETARG_INT64(0);
	int			form = fluid_form(PG_GETARG_TEXT_PP(1));

	if (form == F58)
		return encode_f58(id);
	if (fluid_forms[form].form == FLAKE_FORM_EMOJI)
		check_emoji();
	return encode(fluid_forms[form].form, id);
}

/* As flake_fluid_decode(), with text in the database encoding. */
static FlakeStatus
decode_any(const text *input, const char **utf8, size_t *length, FlakeForm *form,
	   uint64 *id, FlakeFault *fault)
{
	*utf8 = flakeid_text_to_utf8(input, length);
	return flake_fluid_decode(*utf8, *length, form, id, fault);
}

/*
 * fluid_from_text(t text) -> bigint
 * fluid_from_text(t text, form text) -> bigint
 *
 * Detects the form, or accepts only the given one; f58 and f58plain read both
 * prefixes.  Only words may have white space in between.
 */
PG_FUNCTION_INFO_V1(flakeid_fluid_from_text);
Datum
flakeid_fluid_from_text(PG_FUNCTION_ARGS)
{
	const text *input = PG_GETARG_TEXT_PP(0);
	const char *utf8;
	size_t		length;
	FlakeForm	form;
	uint64		id = 0;
	FlakeFault	fault;
	FlakeStatus status;

	if (PG_NARGS() > 1)
		return decode(fluid_forms[fluid_form(PG_GETARG_TEXT_PP(1))].form, input);
	status = decode_any(input, &utf8, &length, &form, &id, &fault);
	check_text(status, form, input, utf8, &fault);
	PG_RETURN_INT64((int64) id);
}

/*
 * fluid_text_form(t text) -> text
 *
 * Name of the form in which fluid_from_text() reads the text, for
 * fluid_to_text(); NULL for a text that it refuses.
 */
PG_FUNCTION_INFO_V1(flakeid_fluid_text_form);
Datum
flakeid_fluid_text_form(PG_FUNCTION_ARGS)
{
	const text *input = PG_GETARG_TEXT_PP(0);
	const char *utf8;
	size_t		length;
	FlakeForm	form;
	uint64		id;
	FlakeFault	fault;
	int			i = F58;

	if (decode_any(input, &utf8, &length, &form, &id, &fault) != FLAKE_OK)
		PG_RETURN_NULL();
	if (form == FLAKE_FORM_F58 && flake_f58_is_plain(utf8, length))
		i = F58_PLAIN;
	while (fluid_forms[i].form != form)
		i++;
	PG_RETURN_TEXT_P(cstring_to_text(fluid_forms[i].name));
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
 * nanoflake_to_text(id bigint, radix integer DEFAULT 36) -> text
 *
 * Lower case, no padding, so the text does not sort like the id.
 * doc/internals/formats.md, section 3.
 */
PG_FUNCTION_INFO_V1(flakeid_nanoflake_to_text);
Datum
flakeid_nanoflake_to_text(PG_FUNCTION_ARGS)
{
	uint64		id = flakeid_check_id(FLAKE_NANOFLAKE, PG_GETARG_INT64(0));
	unsigned	radix = getarg_radix(fcinfo);
	text	   *result = palloc(VARHDRSZ + FLAKE_NANOFLAKE_TEXT_SIZE);

	SET_VARSIZE(result, VARHDRSZ +
				flake_nanoflake_encode(radix, id, VARDATA(result)));
	PG_RETURN_TEXT_P(result);
}

/* nanoflake_from_text(t text, radix integer DEFAULT 36) -> bigint: any case */
PG_FUNCTION_INFO_V1(flakeid_nanoflake_from_text);
Datum
flakeid_nanoflake_from_text(PG_FUNCTION_ARGS)
{
	const text *input = PG_GETARG_TEXT_PP(0);
	unsigned	radix = getarg_radix(fcinfo);
	size_t		length;
	const char *utf8;
	uint64		id = 0;
	FlakeFault	fault;
	FlakeStatus status;

	if (radix == FLAKE_MAX_RADIX)
		return decode(FLAKE_FORM_BASE36, input);
	utf8 = flakeid_text_to_utf8(input, &length);
	status = flake_nanoflake_decode(radix, utf8, length, &id, &fault);
	if (unlikely(status != FLAKE_OK))
		refuse(status, FLAKE_NANOFLAKE, psprintf("base %u", radix),
			   psprintf("Write only digits from \"0\" to \"%c\".",
						flake_base36_digits[radix - 1]),
			   input, utf8, &fault);
	PG_RETURN_INT64((int64) id);
}

/*
 * ulidflake_to_text(id bigint) -> text, ulidflake_from_text(t text) -> bigint
 *
 * 13 digits of Crockford's base 32, upper case; sorts like the id.  Read in any
 * case; look-alikes are not mapped.  doc/internals/formats.md, section 4.
 */
FLAKEID_FUNCTION(ulidflake_to_text,
				 encode(FLAKE_FORM_BASE32,
						flakeid_check_id(FLAKE_ULIDFLAKE, PG_GETARG_INT64(0))));
FLAKEID_FUNCTION(ulidflake_from_text,
				 decode(FLAKE_FORM_BASE32, PG_GETARG_TEXT_PP(0)));
