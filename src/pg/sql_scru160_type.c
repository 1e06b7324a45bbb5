/*
 * sql_scru160_type.c
 *		Input, output and cast functions of type scru160, text and binary.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "fmgr.h"
#include "lib/stringinfo.h"
#include "libpq/pqformat.h"
#include "utils/builtins.h"

#include "format/text.h"
#include "pg/encoding.h"
#include "pg/error.h"
#include "pg/sql_scru160.h"

/* Raise 22P03 unless size is that of a scru160. */
static void
check_size(int size)
{
	if (unlikely(size != FLAKE_SCRU160_BYTES))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
				 errmsg("invalid input length for type scru160: %d bytes",
						size),
				 errdetail("A scru160 is %d bytes long.", FLAKE_SCRU160_BYTES)));
}

/*
 * scru160_in(cstring) -> scru160
 *
 * 32 characters of base32hex or 40 of hex, in any case.  Other input: 22P02,
 * as a soft error if requested.
 */
PG_FUNCTION_INFO_V1(flakeid_scru160_in);
Datum
flakeid_scru160_in(PG_FUNCTION_ARGS)
{
	const char *text = PG_GETARG_CSTRING(0);
	unsigned char *bytes = palloc(FLAKE_SCRU160_BYTES);
	size_t		length = strlen(text);
	size_t		bad_offset = 0;
	FlakeStatus status = flake_scru160_decode(text, length, bytes,
											  &bad_offset);

	if (!flakeid_save_scru160_syntax(fcinfo->context, status, text, length,
									 0, length, bad_offset))
		return (Datum) 0;
	PG_RETURN_POINTER(bytes);
}

/*
 * scru160_out(scru160) -> cstring
 *
 * base32hex, 32 characters, upper case.
 */
PG_FUNCTION_INFO_V1(flakeid_scru160_out);
Datum
flakeid_scru160_out(PG_FUNCTION_ARGS)
{
	char	   *text = palloc(FLAKE_SCRU160_BASE32HEX_DIGITS + 1);

	flake_scru160_encode_base32hex(flakeid_getarg_scru160_bytes(fcinfo, 0),
								   text);
	text[FLAKE_SCRU160_BASE32HEX_DIGITS] = '\0';
	PG_RETURN_CSTRING(text);
}

/*
 * scru160_to_text(id scru160, form text DEFAULT 'base32hex') -> text
 *
 * base32hex as scru160_out(), or hex: 40 digits in lower case.  Another form:
 * 22023.
 */
PG_FUNCTION_INFO_V1(flakeid_scru160_to_text);
Datum
flakeid_scru160_to_text(PG_FUNCTION_ARGS)
{
	const unsigned char *bytes = flakeid_getarg_scru160_bytes(fcinfo, 0);
	const text *form = PG_GETARG_TEXT_PP(1);
	char		digits[FLAKE_SCRU160_HEX_DIGITS];
	int			length;

	if (flakeid_text_is(form, "base32hex"))
	{
		length = FLAKE_SCRU160_BASE32HEX_DIGITS;
		flake_scru160_encode_base32hex(bytes, digits);
	}
	else if (flakeid_text_is(form, "hex"))
	{
		length = FLAKE_SCRU160_HEX_DIGITS;
		flake_scru160_encode_hex(bytes, digits);
	}
	else
		flakeid_refuse_form(form, "Use \"base32hex\" or \"hex\".");
	PG_RETURN_TEXT_P(cstring_to_text_with_len(digits, length));
}

/*
 * scru160_from_text(t text) -> scru160
 *
 * As scru160_in(), in either form, but skips white space at both ends.  White space is ASCII
 * in every server encoding.  Other input: 22P02.
 */
PG_FUNCTION_INFO_V1(flakeid_scru160_from_text);
Datum
flakeid_scru160_from_text(PG_FUNCTION_ARGS)
{
	const text *input = PG_GETARG_TEXT_PP(0);
	const char *given = VARDATA_ANY(input);
	size_t		length = VARSIZE_ANY_EXHDR(input);
	size_t		digits = length;
	size_t		first = flake_skip_white(given, &digits);
	unsigned char *bytes = palloc(FLAKE_SCRU160_BYTES);
	size_t		bad_offset = 0;
	FlakeStatus status = flake_scru160_decode(given + first, digits, bytes,
											  &bad_offset);

	(void) flakeid_save_scru160_syntax(NULL, status, given, length, first,
									   digits, bad_offset);
	PG_RETURN_POINTER(bytes);
}

/*
 * scru160_recv(internal) -> scru160
 *
 * The 20 bytes.  Another size: 22P03.
 */
PG_FUNCTION_INFO_V1(flakeid_scru160_recv);
Datum
flakeid_scru160_recv(PG_FUNCTION_ARGS)
{
	StringInfo	message = (StringInfo) PG_GETARG_POINTER(0);
	unsigned char *bytes = palloc(FLAKE_SCRU160_BYTES);

	check_size(message->len - message->cursor);
	pq_copymsgbytes(message, (char *) bytes, FLAKE_SCRU160_BYTES);
	PG_RETURN_POINTER(bytes);
}

/*
 * scru160_send(scru160) -> bytea
 *
 * The 20 bytes; also the cast to bytea.
 */
PG_FUNCTION_INFO_V1(flakeid_scru160_send);
Datum
flakeid_scru160_send(PG_FUNCTION_ARGS)
{
	const char *bytes = (const char *) flakeid_getarg_scru160_bytes(fcinfo, 0);

	PG_RETURN_BYTEA_P((bytea *) cstring_to_text_with_len(bytes,
														 FLAKE_SCRU160_BYTES));
}

/*
 * scru160_from_bytea(b bytea) -> scru160
 *
 * Any 20 bytes.  Another size: 22P03.
 */
PG_FUNCTION_INFO_V1(flakeid_scru160_from_bytea);
Datum
flakeid_scru160_from_bytea(PG_FUNCTION_ARGS)
{
	bytea	   *given = PG_GETARG_BYTEA_PP(0);
	unsigned char *bytes = palloc(FLAKE_SCRU160_BYTES);

	check_size((int) VARSIZE_ANY_EXHDR(given));
	memcpy(bytes, VARDATA_ANY(given), FLAKE_SCRU160_BYTES);
	PG_RETURN_POINTER(bytes);
}
