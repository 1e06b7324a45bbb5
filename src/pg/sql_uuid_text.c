/*
 * sql_uuid_text.c
 *		SQL functions for the short text forms of a UUID.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "fmgr.h"

#include "format/text.h"
#include "pg/encoding.h"
#include "pg/error.h"
#include "pg/sql_uuid.h"

static inline Datum
encode(FlakeUuidForm form, FlakeUuid uuid)
{
	text	   *result = palloc(VARHDRSZ + FLAKE_UUID_TEXT_SIZE);
	size_t		length = flake_uuid_encode(form, uuid, VARDATA(result));

	SET_VARSIZE(result, VARHDRSZ + length);
	PG_RETURN_TEXT_P(result);
}

static inline Datum
decode(FlakeUuidForm form, const text *input)
{
	size_t		length;
	const char *utf8 = flakeid_text_to_utf8(input, &length);
	FlakeUuid	uuid;
	FlakeFault	fault;
	FlakeStatus status = flake_uuid_decode(form, utf8, length, &uuid, &fault);

	if (unlikely(status != FLAKE_OK))
		flakeid_refuse_uuid_text(status, form, input, utf8, &fault);
	return flakeid_uuid_datum(uuid);
}

/*
 * uuid_to_base32(id uuid) -> text
 *
 * 26 digits of Crockford's base 32, upper case; sorts like the id.
 * ULID specification, Canonical String Representation; doc/internals/formats.md,
 * section 5.
 */
PG_FUNCTION_INFO_V1(flakeid_uuid_to_base32);
Datum
flakeid_uuid_to_base32(PG_FUNCTION_ARGS)
{
	return encode(FLAKE_UUID_BASE32, flakeid_getarg_uuid(fcinfo, 0));
}

/*
 * uuid_from_base32(t text) -> uuid
 *
 * 26 digits in any case; I and L are read as 1, O as 0.  Invalid character or
 * length: 22P02; above 7ZZZZZZZZZZZZZZZZZZZZZZZZZ: 22003.  doc/internals/formats.md,
 * section 5.
 */
PG_FUNCTION_INFO_V1(flakeid_uuid_from_base32);
Datum
flakeid_uuid_from_base32(PG_FUNCTION_ARGS)
{
	return decode(FLAKE_UUID_BASE32, PG_GETARG_TEXT_PP(0));
}

/*
 * uuid_to_base58(id uuid) -> text
 *
 * 1 to 22 digits, no padding, so the text does not sort like the id.
 * doc/internals/formats.md, section 5.
 */
PG_FUNCTION_INFO_V1(flakeid_uuid_to_base58);
Datum
flakeid_uuid_to_base58(PG_FUNCTION_ARGS)
{
	return encode(FLAKE_UUID_BASE58, flakeid_getarg_uuid(fcinfo, 0));
}

/*
 * uuid_from_base58(t text) -> uuid
 *
 * 1 to 22 digits, including leading zeros.  Invalid character or length:
 * 22P02; above YcVfxkQb6JRzqk5kF2tNLv: 22003.  doc/internals/formats.md, section 5.
 */
PG_FUNCTION_INFO_V1(flakeid_uuid_from_base58);
Datum
flakeid_uuid_from_base58(PG_FUNCTION_ARGS)
{
	return decode(FLAKE_UUID_BASE58, PG_GETARG_TEXT_PP(0));
}
