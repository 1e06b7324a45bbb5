/*
 * sql_text.c
 *		SQL functions for the text forms of FLUID, Nanoflake and Ulid-Flake.
 *
 * src/format/flake_text.c does the work; this file handles the database
 * encoding and the errors.  A FLUID uses all 64 bits of a bigint, so -1 is the
 * largest.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "fmgr.h"

#include "format/flake_text.h"
#include "pg/encoding.h"
#include "pg/error.h"
#include "pg/flake_sql.h"

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
	const FlakeidPrefix *prefix = flakeid_f58_prefix();
	text	   *result = palloc(VARHDRSZ + FLAKE_TEXT_SIZE);
	size_t		before = prefix->length - 1;
	size_t		length = flake_text_encode(FLAKE_FORM_F58, id,
										   VARDATA(result) + before);

	memcpy(VARDATA(result), prefix->bytes, prefix->length);
	SET_VARSIZE(result, VARHDRSZ + before + length);
	PG_RETURN_TEXT_P(result);
}

typedef FlakeStatus (*DecodeFunction) (FlakeForm form, const char *text,
									   size_t length, uint64_t *id,
									   FlakeFault *fault);

static pg_attribute_always_inline Datum
decode_by(DecodeFunction function, FlakeForm form, const text *input)
{
	size_t		length;
	const char *utf8 = flakeid_text_to_utf8(input, &length);
	uint64		id = 0;
	FlakeFault	fault;

	flakeid_check_text(function(form, utf8, length, &id, &fault), form, input,
					   utf8, &fault);
	PG_RETURN_INT64((int64) id);
}

/* Decode the whole text. */
static Datum
decode(FlakeForm form, const text *input)
{
	return decode_by(flake_text_decode, form, input);
}

/* The same, but skip white space at both ends. */
static Datum
decode_trimmed(FlakeForm form, const text *input)
{
	return decode_by(flake_text_decode_trimmed, form, input);
}

/*
 * fluid_to_f58(id bigint) -> text
 * fluid_to_f58(id bigint, ascii boolean) -> text
 *
 * Base 58, prefixed with U+0192, or with "f" if the database encoding lacks
 * that or ASCII is requested.  Flux RFC 19; doc/formats.md, section 2.
 */
PG_FUNCTION_INFO_V1(flakeid_fluid_to_f58);
Datum
flakeid_fluid_to_f58(PG_FUNCTION_ARGS)
{
	return encode_f58(PG_GETARG_INT64(0));
}

PG_FUNCTION_INFO_V1(flakeid_fluid_to_f58_ascii);
Datum
flakeid_fluid_to_f58_ascii(PG_FUNCTION_ARGS)
{
	if (PG_GETARG_BOOL(1))
		return encode(FLAKE_FORM_F58, PG_GETARG_INT64(0));
	return encode_f58(PG_GETARG_INT64(0));
}

/*
 * fluid_to_hex(id bigint) -> text
 *
 * 0x and lower-case digits, no padding.  doc/formats.md, section 2.
 */
PG_FUNCTION_INFO_V1(flakeid_fluid_to_hex);
Datum
flakeid_fluid_to_hex(PG_FUNCTION_ARGS)
{
	return encode(FLAKE_FORM_HEX, PG_GETARG_INT64(0));
}

/*
 * fluid_to_dothex(id bigint) -> text
 *
 * Four groups of four lower-case hexadecimal digits; sorts like the unsigned
 * id.  doc/formats.md, section 2.
 */
PG_FUNCTION_INFO_V1(flakeid_fluid_to_dothex);
Datum
flakeid_fluid_to_dothex(PG_FUNCTION_ARGS)
{
	return encode(FLAKE_FORM_DOTHEX, PG_GETARG_INT64(0));
}

/*
 * fluid_to_kvs(id bigint) -> text
 *
 * "job." and the text of fluid_to_dothex(): the key of a job in the key-value
 * store of Flux.  doc/formats.md, section 2.
 */
PG_FUNCTION_INFO_V1(flakeid_fluid_to_kvs);
Datum
flakeid_fluid_to_kvs(PG_FUNCTION_ARGS)
{
	return encode(FLAKE_FORM_KVS, PG_GETARG_INT64(0));
}

/*
 * fluid_to_words(id bigint) -> text
 *
 * Six words of mnemonicode, the low 32 bits first.  doc/formats.md, section 2.
 */
PG_FUNCTION_INFO_V1(flakeid_fluid_to_words);
Datum
flakeid_fluid_to_words(PG_FUNCTION_ARGS)
{
	return encode(FLAKE_FORM_WORDS, PG_GETARG_INT64(0));
}

/*
 * fluid_to_emoji(id bigint) -> text
 *
 * Base 576.  A database encoding without emoji: 22P05; SQL_ASCII: the bytes
 * of UTF-8.  doc/formats.md, section 2.
 */
PG_FUNCTION_INFO_V1(flakeid_fluid_to_emoji);
Datum
flakeid_fluid_to_emoji(PG_FUNCTION_ARGS)
{
	flakeid_check_emoji();
	return encode(FLAKE_FORM_EMOJI, PG_GETARG_INT64(0));
}

/*
 * fluid_to_decimal(id bigint) -> text
 *
 * Unsigned: 0 .. 18446744073709551615.  doc/formats.md, section 2.
 */
PG_FUNCTION_INFO_V1(flakeid_fluid_to_decimal);
Datum
flakeid_fluid_to_decimal(PG_FUNCTION_ARGS)
{
	return encode(FLAKE_FORM_DECIMAL, PG_GETARG_INT64(0));
}

static bool
is_named(const text *form, const char *name)
{
	return VARSIZE_ANY_EXHDR(form) == strlen(name) &&
		memcmp(VARDATA_ANY(form), name, strlen(name)) == 0;
}

/*
 * fluid_to_text(id bigint, form text DEFAULT 'f58') -> text
 *
 * Encodes in the form, given by its name in Flux; f58plain is base 58 prefixed
 * with "f".  Another form: 22023; for emoji see fluid_to_emoji().
 * doc/formats.md, section 2.
 */
PG_FUNCTION_INFO_V1(flakeid_fluid_to_text);
Datum
flakeid_fluid_to_text(PG_FUNCTION_ARGS)
{
	static const struct
	{
		const char *name;
		FlakeForm	form;
	}			named[] = {
		{"f58plain", FLAKE_FORM_F58},
		{"dec", FLAKE_FORM_DECIMAL},
		{"hex", FLAKE_FORM_HEX},
		{"dothex", FLAKE_FORM_DOTHEX},
		{"kvs", FLAKE_FORM_KVS},
		{"words", FLAKE_FORM_WORDS},
		{"emoji", FLAKE_FORM_EMOJI},
	};
	uint64		id = PG_GETARG_INT64(0);
	text	   *form = PG_GETARG_TEXT_PP(1);

	if (is_named(form, "f58"))
		return encode_f58(id);
	for (size_t i = 0; i < lengthof(named); i++)
	{
		if (!is_named(form, named[i].name))
			continue;
		if (named[i].form == FLAKE_FORM_EMOJI)
			flakeid_check_emoji();
		return encode(named[i].form, id);
	}
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("unrecognized form: \"%s\"",
					flakeid_quote(VARDATA_ANY(form),
								  VARSIZE_ANY_EXHDR(form))),
			 errhint("Use \"f58\", \"f58plain\", \"dec\", \"hex\", \"dothex\", \"kvs\", \"words\" or \"emoji\".")));
}

/*
 * fluid_from_f58(t text), fluid_from_hex(t text), fluid_from_dothex(t text),
 * fluid_from_kvs(t text), fluid_from_words(t text), fluid_from_emoji(t text),
 * fluid_from_decimal(t text) -> bigint
 *
 * Strict: the whole text, without white space or sign.  Invalid text: 22P02; a
 * number above 64 bits: 22003.  doc/formats.md, section 2.
 */
PG_FUNCTION_INFO_V1(flakeid_fluid_from_f58);
Datum
flakeid_fluid_from_f58(PG_FUNCTION_ARGS)
{
	return decode(FLAKE_FORM_F58, PG_GETARG_TEXT_PP(0));
}

PG_FUNCTION_INFO_V1(flakeid_fluid_from_hex);
Datum
flakeid_fluid_from_hex(PG_FUNCTION_ARGS)
{
	return decode(FLAKE_FORM_HEX, PG_GETARG_TEXT_PP(0));
}

PG_FUNCTION_INFO_V1(flakeid_fluid_from_dothex);
Datum
flakeid_fluid_from_dothex(PG_FUNCTION_ARGS)
{
	return decode(FLAKE_FORM_DOTHEX, PG_GETARG_TEXT_PP(0));
}

PG_FUNCTION_INFO_V1(flakeid_fluid_from_kvs);
Datum
flakeid_fluid_from_kvs(PG_FUNCTION_ARGS)
{
	return decode(FLAKE_FORM_KVS, PG_GETARG_TEXT_PP(0));
}

PG_FUNCTION_INFO_V1(flakeid_fluid_from_words);
Datum
flakeid_fluid_from_words(PG_FUNCTION_ARGS)
{
	return decode(FLAKE_FORM_WORDS, PG_GETARG_TEXT_PP(0));
}

PG_FUNCTION_INFO_V1(flakeid_fluid_from_emoji);
Datum
flakeid_fluid_from_emoji(PG_FUNCTION_ARGS)
{
	return decode(FLAKE_FORM_EMOJI, PG_GETARG_TEXT_PP(0));
}

PG_FUNCTION_INFO_V1(flakeid_fluid_from_decimal);
Datum
flakeid_fluid_from_decimal(PG_FUNCTION_ARGS)
{
	return decode(FLAKE_FORM_DECIMAL, PG_GETARG_TEXT_PP(0));
}

/*
 * fluid_from_text(t text) -> bigint
 *
 * Skips white space at both ends, detects the form, and decodes it like the
 * function for this form; white space may also separate words.  Flux RFC 19;
 * doc/formats.md, section 2.
 */
PG_FUNCTION_INFO_V1(flakeid_fluid_from_text);
Datum
flakeid_fluid_from_text(PG_FUNCTION_ARGS)
{
	const text *input = PG_GETARG_TEXT_PP(0);
	size_t		length;
	const char *utf8 = flakeid_text_to_utf8(input, &length);
	FlakeForm	form;
	uint64		id = 0;
	FlakeFault	fault;
	FlakeStatus status = flake_fluid_decode(utf8, length, &form, &id, &fault);

	flakeid_check_text(status, form, input, utf8, &fault);
	PG_RETURN_INT64((int64) id);
}

/*
 * nanoflake_to_base36(id bigint) -> text, nanoflake_to_text(id bigint) -> text
 *
 * Lower case, no padding, so the text does not sort like the id.  Negative:
 * 22003.  doc/formats.md, section 3.
 */
PG_FUNCTION_INFO_V1(flakeid_nanoflake_to_base36);
Datum
flakeid_nanoflake_to_base36(PG_FUNCTION_ARGS)
{
	return encode(FLAKE_FORM_BASE36,
				  flakeid_getarg_id(fcinfo, FLAKE_NANOFLAKE));
}

PG_FUNCTION_INFO_V1(flakeid_nanoflake_to_text);
Datum
flakeid_nanoflake_to_text(PG_FUNCTION_ARGS)
{
	return encode(FLAKE_FORM_BASE36,
				  flakeid_getarg_id(fcinfo, FLAKE_NANOFLAKE));
}

/*
 * nanoflake_from_base36(t text) -> bigint, nanoflake_from_text(t text) -> bigint
 *
 * Any case; the second skips white space at both ends.  Invalid character, or
 * empty text: 22P02; above 2^63 - 1: 22003.  doc/formats.md, section 3.
 */
PG_FUNCTION_INFO_V1(flakeid_nanoflake_from_base36);
Datum
flakeid_nanoflake_from_base36(PG_FUNCTION_ARGS)
{
	return decode(FLAKE_FORM_BASE36, PG_GETARG_TEXT_PP(0));
}

PG_FUNCTION_INFO_V1(flakeid_nanoflake_from_text);
Datum
flakeid_nanoflake_from_text(PG_FUNCTION_ARGS)
{
	return decode_trimmed(FLAKE_FORM_BASE36, PG_GETARG_TEXT_PP(0));
}

/*
 * ulidflake_to_base32(id bigint) -> text, ulidflake_to_text(id bigint) -> text
 *
 * 13 digits of Crockford's base 32, upper case; sorts like the id.
 * Negative: 22003.  doc/formats.md, section 4.
 */
PG_FUNCTION_INFO_V1(flakeid_ulidflake_to_base32);
Datum
flakeid_ulidflake_to_base32(PG_FUNCTION_ARGS)
{
	return encode(FLAKE_FORM_BASE32,
				  flakeid_getarg_id(fcinfo, FLAKE_ULIDFLAKE));
}

PG_FUNCTION_INFO_V1(flakeid_ulidflake_to_text);
Datum
flakeid_ulidflake_to_text(PG_FUNCTION_ARGS)
{
	return encode(FLAKE_FORM_BASE32,
				  flakeid_getarg_id(fcinfo, FLAKE_ULIDFLAKE));
}

/*
 * ulidflake_from_base32(t text) -> bigint, ulidflake_from_text(t text) -> bigint
 *
 * 13 digits in any case; look-alikes are not mapped.  The second skips white
 * space at both ends.  Invalid character or length: 22P02; above 2^63 - 1:
 * 22003.  doc/formats.md, section 4.
 */
PG_FUNCTION_INFO_V1(flakeid_ulidflake_from_base32);
Datum
flakeid_ulidflake_from_base32(PG_FUNCTION_ARGS)
{
	return decode(FLAKE_FORM_BASE32, PG_GETARG_TEXT_PP(0));
}

PG_FUNCTION_INFO_V1(flakeid_ulidflake_from_text);
Datum
flakeid_ulidflake_from_text(PG_FUNCTION_ARGS)
{
	return decode_trimmed(FLAKE_FORM_BASE32, PG_GETARG_TEXT_PP(0));
}
