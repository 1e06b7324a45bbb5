/*
 * scru160_funcs.c
 *		The type scru160: generators and readers, input and output, operators,
 *		hashes and sort support.
 *
 * The newest id of each generator is private to this process, so the
 * generators work during recovery, too.  No function here blocks.  A refused
 * call leaves the newest id unchanged.
 *
 * The order is memcmp of the 20 bytes.  Equal ids have equal bytes, so btree
 * may deduplicate (btequalimage).  The abbreviated key of a sort is the first
 * bytes of the id: on 64-bit machines the millisecond and the counter.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "common/hashfn.h"
#include "lib/stringinfo.h"
#include "libpq/pqformat.h"
#include "utils/builtins.h"
#include "utils/sortsupport.h"

#include "pg/entropy.h"
#include "pg/sql.h"
#include "pg/text_funcs.h"

static inline Datum
scru160_generate(FlakeScru160Usage usage)
{
	static FlakeScru160State states[2];
	FlakeInstant now = flakeid_clock_now();
	FlakeScru160 id;
	FlakeRule	rule = flake_scru160_next(&states[usage], usage, now,
										  flakeid_random64(),
										  flakeid_random64(), &id);

	flakeid_check_clock(rule, "SCRU160", &flake_scru160_generated_field, now);
	return flakeid_scru160_datum(id);
}

/*
 * scru160_generate() -> scru160, scru160_us_generate() -> scru160
 *
 * The clock in ms, a counter that starts at random in each millisecond, and 96
 * random bits.  The ids of each function strictly increase per process.  Clock
 * beyond the field: 22008.
 */
FLAKEID_FUNCTION(scru160_generate, scru160_generate(FLAKE_SCRU160_PLAIN));
FLAKEID_FUNCTION(scru160_us_generate, scru160_generate(FLAKE_SCRU160_US));

static Datum
fill(PG_FUNCTION_ARGS, FlakeScru160Usage usage)
{
	FlakeScru160 id;
	FlakeStatus status = flake_scru160_fill(usage,
											flakeid_getarg_instant(fcinfo, 0),
											flakeid_random64(),
											flakeid_random64(), &id);

	flakeid_check_instant(status, "SCRU160", &flake_scru160_generated_field,
						  PG_GETARG_TIMESTAMPTZ(0));
	return flakeid_scru160_datum(id);
}

/*
 * scru160_from_timestamptz(ts timestamptz) -> scru160
 * scru160_us_from_timestamptz(ts timestamptz) -> scru160
 *
 * ts is truncated to the millisecond or microsecond; all other bits are
 * random.  Does not use the state of the generators.  Outside the field, or in
 * a reserved millisecond: 22008.
 */
FLAKEID_FUNCTION(scru160_from_timestamptz, fill(fcinfo, FLAKE_SCRU160_PLAIN));
FLAKEID_FUNCTION(scru160_us_from_timestamptz, fill(fcinfo, FLAKE_SCRU160_US));

/*
 * scru160_min(ts timestamptz) -> scru160
 *
 * Smallest id of the millisecond of ts, which may be a reserved one, or later;
 * accepts any ts.
 */
FLAKEID_ENTRY(scru160_min)
{
	FlakeInstant instant = flakeid_getarg_instant(fcinfo, 0);

	return flakeid_scru160_datum(flake_scru160_min(instant));
}

/*
 * scru160_from_parts(ticks bigint, counter integer, random bytea) -> scru160
 *
 * The arguments are what the readers return: milliseconds since 1970, 16 bits
 * of counter, and 12 bytes of random bits; else 22023.  Every such value is an
 * id, even in a reserved millisecond.
 */
FLAKEID_ENTRY(scru160_from_parts)
{
	uint64		ticks = flakeid_check_field(PG_GETARG_INT64(0), "ticks",
											flake_scru160_field.last_tick);
	unsigned	width = flake_scru160_count_bits(FLAKE_SCRU160_PLAIN);
	uint32		counter = flakeid_getarg_field(fcinfo, 1, "counter", width);
	bytea	   *random = PG_GETARG_BYTEA_PP(2);
	const unsigned char *bytes = (unsigned char *) VARDATA_ANY(random);

	flakeid_check_bytes(random, "random bits", 8 * FLAKE_SCRU160_RANDOM_BYTES);
	return flakeid_scru160_datum(flake_scru160_from_parts(ticks, counter,
														  bytes));
}

/*
 * scru160_us_to_timestamptz(id scru160) -> timestamptz
 *
 * A counter without a microsecond: 22023.
 */
FLAKEID_ENTRY(scru160_us_to_timestamptz)
{
	const unsigned char *bytes = flakeid_getarg_scru160_bytes(fcinfo, 0);
	FlakeScru160 id = flake_scru160_unpack(bytes);
	char		digits[FLAKE_SCRU160_BASE32HEX_DIGITS];
	int64		unix_us = 0;

	if (likely(flake_scru160_us_unix_us(id, &unix_us) == FLAKE_OK))
		PG_RETURN_TIMESTAMPTZ(flakeid_timestamptz_from_unix_us(unix_us));
	flake_scru160_encode_base32hex(bytes, digits);
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("scru160 \"%.*s\" has no microsecond",
					(int) sizeof(digits), digits),
			 errdetail("The 10 high bits of its counter are %u, but a microsecond is at most %u.",
					   flake_scru160_counter_us(id), FLAKE_SCRU160_LAST_US)));
}

/*
 * scru160_to_timestamptz(id scru160) -> timestamptz: to the millisecond
 * scru160_get_ticks(id scru160) -> bigint: milliseconds since 1970, 48 bits
 * scru160_get_counter(id scru160) -> integer: 0 .. 65535
 * scru160_get_random(id scru160) -> bytea: the last 12 bytes
 */
FLAKEID_ENTRY(scru160_to_timestamptz)
{
	FlakeScru160 id = flakeid_getarg_scru160(fcinfo, 0);
	int64		unix_us = flake_scru160_unix_us(id);

	PG_RETURN_TIMESTAMPTZ(flakeid_timestamptz_from_unix_us(unix_us));
}

FLAKEID_ENTRY(scru160_get_ticks)
{
	FlakeScru160 id = flakeid_getarg_scru160(fcinfo, 0);

	PG_RETURN_INT64((int64) flake_scru160_unix_ms(id));
}

FLAKEID_ENTRY(scru160_get_counter)
{
	FlakeScru160 id = flakeid_getarg_scru160(fcinfo, 0);

	PG_RETURN_INT32((int32) flake_scru160_counter(id));
}

FLAKEID_ENTRY(scru160_get_random)
{
	const unsigned char *bytes = flakeid_getarg_scru160_bytes(fcinfo, 0);

	return flakeid_varlena_datum(flake_scru160_random(bytes),
								 FLAKE_SCRU160_RANDOM_BYTES);
}

/* The detail of an error: what is invalid.  All before bad is ASCII. */
static int
errdetail_of_text(FlakeStatus status, const char *string, size_t bad)
{
	size_t		length = strlen(string);
	const char *form = "base32hex";
	int			bytes;

	if (status == FLAKE_BAD_LENGTH)
		return errdetail("The text is %zu bytes long, but must be 32 (base32hex) or 40 (hexadecimal) bytes long.",
						 length);
	if (length == FLAKE_SCRU160_HEX_DIGITS)
		form = "hexadecimal";
	bytes = pg_mbcharcliplen(string + bad, (int) (length - bad), 1);
	return errdetail("Character \"%s\" at position %d is not a %s digit.",
					 flakeid_quote(string + bad, bytes), (int) bad + 1, form);
}

/* Report invalid text as 22P02, softly if escontext asks for it. */
static Datum
refuse_text(Node *escontext, FlakeStatus status, const char *string,
			size_t bad)
{
	ereturn(escontext, (Datum) 0,
			(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
			 errmsg("invalid input syntax for type scru160: \"%s\"",
					flakeid_quote(string, strlen(string))),
			 errdetail_of_text(status, string, bad)));
}

static Datum
from_text(Node *escontext, const char *string)
{
	unsigned char *bytes = palloc(FLAKE_SCRU160_BYTES);
	size_t		bad = 0;
	FlakeStatus status = flake_scru160_decode(string, strlen(string), bytes,
											  &bad);

	if (unlikely(status != FLAKE_OK))
		return refuse_text(escontext, status, string, bad);
	return PointerGetDatum(bytes);
}

/*
 * scru160_in(string cstring) -> scru160
 *
 * 32 characters of base32hex or 40 of hex, in any case.  Other input: 22P02,
 * as a soft error if requested.
 */
FLAKEID_FUNCTION(scru160_in,
				 from_text(fcinfo->context, PG_GETARG_CSTRING(0)));

/* scru160_from_text(string text) -> scru160: skips white space at both ends */
FLAKEID_ENTRY(scru160_from_text)
{
	char	   *string = text_to_cstring(PG_GETARG_TEXT_PP(0));
	size_t		length = strlen(string);
	size_t		first = flake_skip_white(string, &length);

	string[first + length] = '\0';
	return from_text(NULL, string + first);
}

/* scru160_out(id scru160) -> cstring: base32hex, 32 characters, upper case */
FLAKEID_ENTRY(scru160_out)
{
	const unsigned char *bytes = flakeid_getarg_scru160_bytes(fcinfo, 0);
	char	   *string = palloc(FLAKE_SCRU160_BASE32HEX_DIGITS + 1);

	flake_scru160_encode_base32hex(bytes, string);
	string[FLAKE_SCRU160_BASE32HEX_DIGITS] = '\0';
	PG_RETURN_CSTRING(string);
}

/*
 * scru160_to_text(id scru160, form text) -> text
 *
 * base32hex as scru160_out(), or hex: 40 digits in lower case.  Another form:
 * 22023.
 */
FLAKEID_ENTRY(scru160_to_text)
{
	const unsigned char *bytes = flakeid_getarg_scru160_bytes(fcinfo, 0);
	const text *form = PG_GETARG_TEXT_PP(1);
	char		digits[FLAKE_SCRU160_HEX_DIGITS];

	if (flakeid_text_is(form, "base32hex"))
	{
		flake_scru160_encode_base32hex(bytes, digits);
		return flakeid_varlena_datum(digits, FLAKE_SCRU160_BASE32HEX_DIGITS);
	}
	if (!flakeid_text_is(form, "hex"))
		flakeid_refuse_form(form, "Use \"base32hex\" or \"hex\".");
	flake_scru160_encode_hex(bytes, digits);
	return flakeid_varlena_datum(digits, FLAKE_SCRU160_HEX_DIGITS);
}

/* Copy the 20 bytes; another size: 22P03. */
static Datum
from_bytes(const char *bytes, int size)
{
	if (unlikely(size != FLAKE_SCRU160_BYTES))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
				 errmsg("invalid input length for type scru160: %d bytes",
						size),
				 errdetail("A scru160 is %d bytes long.",
						   FLAKE_SCRU160_BYTES)));
	return PointerGetDatum(memcpy(palloc(size), bytes, size));
}

/* scru160_from_bytea(bytes bytea) -> scru160: any 20 bytes */
FLAKEID_ENTRY(scru160_from_bytea)
{
	bytea	   *given = PG_GETARG_BYTEA_PP(0);

	return from_bytes(VARDATA_ANY(given), (int) VARSIZE_ANY_EXHDR(given));
}

/* scru160_recv(message internal) -> scru160: the 20 bytes */
FLAKEID_ENTRY(scru160_recv)
{
	StringInfo	message = (StringInfo) PG_GETARG_POINTER(0);
	int			size = message->len - message->cursor;

	return from_bytes(pq_getmsgbytes(message, size), size);
}

/* scru160_send(id scru160) -> bytea: the 20 bytes; also the cast to bytea */
FLAKEID_FUNCTION(scru160_send,
				 flakeid_varlena_datum(flakeid_getarg_scru160_bytes(fcinfo, 0),
									   FLAKE_SCRU160_BYTES));

static inline int
compare_args(FunctionCallInfo fcinfo)
{
	return flake_scru160_compare(flakeid_getarg_scru160_bytes(fcinfo, 0),
								 flakeid_getarg_scru160_bytes(fcinfo, 1));
}

/* The operators; support functions of btree and hash; min and max */
FLAKEID_FUNCTION(scru160_eq, BoolGetDatum(compare_args(fcinfo) == 0));
FLAKEID_FUNCTION(scru160_ne, BoolGetDatum(compare_args(fcinfo) != 0));
FLAKEID_FUNCTION(scru160_lt, BoolGetDatum(compare_args(fcinfo) < 0));
FLAKEID_FUNCTION(scru160_le, BoolGetDatum(compare_args(fcinfo) <= 0));
FLAKEID_FUNCTION(scru160_gt, BoolGetDatum(compare_args(fcinfo) > 0));
FLAKEID_FUNCTION(scru160_ge, BoolGetDatum(compare_args(fcinfo) >= 0));
FLAKEID_FUNCTION(scru160_cmp, Int32GetDatum(compare_args(fcinfo)));
FLAKEID_FUNCTION(scru160_smaller,
				 PG_GETARG_DATUM(compare_args(fcinfo) <= 0 ? 0 : 1));
FLAKEID_FUNCTION(scru160_larger,
				 PG_GETARG_DATUM(compare_args(fcinfo) >= 0 ? 0 : 1));
FLAKEID_FUNCTION(scru160_hash,
				 hash_any(flakeid_getarg_scru160_bytes(fcinfo, 0),
						  FLAKE_SCRU160_BYTES));
FLAKEID_FUNCTION(scru160_hash_extended,
				 hash_any_extended(flakeid_getarg_scru160_bytes(fcinfo, 0),
								   FLAKE_SCRU160_BYTES,
								   (uint64) PG_GETARG_INT64(1)));

static int
compare_full(Datum x, Datum y, SortSupport ssup)
{
	return flake_scru160_compare((unsigned char *) DatumGetPointer(x),
								 (unsigned char *) DatumGetPointer(y));
}

static Datum
abbreviate(Datum original, SortSupport ssup)
{
	unsigned char *bytes = (unsigned char *) DatumGetPointer(original);
	uint64		stamp = flake_load_be64(bytes);

	return (Datum) (stamp >> (64 - 8 * sizeof(Datum)));
}

/* Few ids have the same first 64 bits, so the full comparison is rare. */
static bool
never_abort(int tuples, SortSupport ssup)
{
	return false;
}

/* scru160_sortsupport(sort internal) -> void */
FLAKEID_ENTRY(scru160_sortsupport)
{
	SortSupport ssup = (SortSupport) PG_GETARG_POINTER(0);

	ssup->comparator = compare_full;
	if (ssup->abbreviate)
	{
		ssup->comparator = ssup_datum_unsigned_cmp;
		ssup->abbrev_converter = abbreviate;
		ssup->abbrev_abort = never_abort;
		ssup->abbrev_full_comparator = compare_full;
	}
	PG_RETURN_VOID();
}
