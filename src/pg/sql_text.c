/*
 * sql_text.c
 *		SQL functions for the text forms of FLUID, Nanoflake and Ulid-Flake.
 *
 * src/format/text.c does the work; this file handles the database
 * encoding and the errors.  A FLUID uses all 64 bits of a bigint, so -1 is the
 * largest.  Every decoder skips white space at both ends.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "fmgr.h"
#include "utils/builtins.h"

#include "format/text.h"
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

static Datum
decode(FlakeForm form, const text *input)
{
	size_t		length;
	const char *utf8 = flakeid_text_to_utf8(input, &length);
	uint64		id = 0;
	FlakeFault	fault;

	flakeid_check_text(flake_text_decode_trimmed(form, utf8, length, &id,
												 &fault),
					   form, input, utf8, &fault);
	PG_RETURN_INT64((int64) id);
}

/*
 * fluid_to_f58(id bigint, ascii boolean DEFAULT false) -> text
 *
 * Base 58, prefixed with U+0192, or with "f" if the database encoding lacks
 * that or ASCII is requested.  Flux RFC 19; doc/internals/formats.md, section 2.
 */
PG_FUNCTION_INFO_V1(flakeid_fluid_to_f58);
Datum
flakeid_fluid_to_f58(PG_FUNCTION_ARGS)
{
	if (PG_GETARG_BOOL(1))
		return encode(FLAKE_FORM_F58, PG_GETARG_INT64(0));
	return encode_f58(PG_GETARG_INT64(0));
}

/*
 * fluid_from_f58(t text) -> bigint
 *
 * Prefix U+0192 or "f".  Invalid text: 22P02; a number above 64 bits: 22003.
 * doc/internals/formats.md, section 2.
 */
PG_FUNCTION_INFO_V1(flakeid_fluid_from_f58);
Datum
flakeid_fluid_from_f58(PG_FUNCTION_ARGS)
{
	return decode(FLAKE_FORM_F58, PG_GETARG_TEXT_PP(0));
}

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

/* Number of the form in the table; 22023 if it is not there. */
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
 * mnemonicode, the low 32 bits first; emoji, base 576.  Another form: 22023;
 * emoji in a database encoding without them: 22P05, in SQL_ASCII the bytes of
 * UTF-8.  doc/internals/formats.md, section 2.
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
		flakeid_check_emoji();
	return encode(fluid_forms[form].form, id);
}

/* As flake_fluid_decode(), with text in the database encoding. */
static FlakeStatus
detect(const text *input, const char **utf8, size_t *length, FlakeForm *form,
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
 * prefixes.  Only words may have white space in between.  Invalid text: 22P02;
 * a number above 64 bits: 22003; another form: 22023.  Flux RFC 19;
 * doc/internals/formats.md, section 2.
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
	FlakeStatus status = detect(input, &utf8, &length, &form, &id, &fault);

	flakeid_check_text(status, form, input, utf8, &fault);
	PG_RETURN_INT64((int64) id);
}

PG_FUNCTION_INFO_V1(flakeid_fluid_from_text_form);
Datum
flakeid_fluid_from_text_form(PG_FUNCTION_ARGS)
{
	return decode(fluid_forms[fluid_form(PG_GETARG_TEXT_PP(1))].form,
				  PG_GETARG_TEXT_PP(0));
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

	if (detect(input, &utf8, &length, &form, &id, &fault) != FLAKE_OK)
		PG_RETURN_NULL();
	if (form == FLAKE_FORM_F58 && flake_f58_is_plain(utf8, length))
		i = F58_PLAIN;
	while (fluid_forms[i].form != form)
		i++;
	PG_RETURN_TEXT_P(cstring_to_text(fluid_forms[i].name));
}

/* The radix argument; 22023 outside 2 .. 36. */
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
 * Lower case, no padding, so the text does not sort like the id.  Negative:
 * 22003; another radix than 2 .. 36: 22023.  doc/internals/formats.md, section 3.
 */
PG_FUNCTION_INFO_V1(flakeid_nanoflake_to_text);
Datum
flakeid_nanoflake_to_text(PG_FUNCTION_ARGS)
{
	uint64		id = flakeid_getarg_id(fcinfo, FLAKE_NANOFLAKE);
	unsigned	radix = getarg_radix(fcinfo);
	text	   *result = palloc(VARHDRSZ + FLAKE_NANOFLAKE_TEXT_SIZE);

	SET_VARSIZE(result, VARHDRSZ +
				flake_nanoflake_encode(radix, id, VARDATA(result)));
	PG_RETURN_TEXT_P(result);
}

/*
 * nanoflake_from_text(t text, radix integer DEFAULT 36) -> bigint
 *
 * Any case.  Invalid character, or empty text: 22P02; above 2^63 - 1: 22003;
 * another radix than 2 .. 36: 22023.  doc/internals/formats.md, section 3.
 */
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
		flakeid_refuse_radix_text(status, radix, input, utf8, &fault);
	PG_RETURN_INT64((int64) id);
}

/*
 * ulidflake_to_text(id bigint) -> text
 *
 * 13 digits of Crockford's base 32, upper case; sorts like the id.
 * Negative: 22003.  doc/internals/formats.md, section 4.
 */
PG_FUNCTION_INFO_V1(flakeid_ulidflake_to_text);
Datum
flakeid_ulidflake_to_text(PG_FUNCTION_ARGS)
{
	return encode(FLAKE_FORM_BASE32,
				  flakeid_getarg_id(fcinfo, FLAKE_ULIDFLAKE));
}

/*
 * ulidflake_from_text(t text) -> bigint
 *
 * 13 digits in any case; look-alikes are not mapped.  Invalid character or
 * length: 22P02; above 2^63 - 1: 22003.  doc/internals/formats.md, section 4.
 */
PG_FUNCTION_INFO_V1(flakeid_ulidflake_from_text);
Datum
flakeid_ulidflake_from_text(PG_FUNCTION_ARGS)
{
	return decode(FLAKE_FORM_BASE32, PG_GETARG_TEXT_PP(0));
}
