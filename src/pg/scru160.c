/*
 * scru160.c
 *		The type scru160: generators and readers, input and output, operators,
 *		hashes and sort support.
 *
 * Both generators share the newest id, which is private to this process, so
 * they work during recovery too.  Nothing here blocks; a refused call leaves
 * the newest id unchanged.
 *
 * The order is memcmp of the 20 bytes.  Equal ids have equal bytes, so btree
 * may deduplicate (btequalimage).
 *
 * The abbreviated key of a sort is the first bytes of the id: on 64-bit
 * machines the millisecond and the counter.  Few ids share those, unless they
 * were generated from a few given times.  So, like core for uuid, estimate the
 * number of distinct keys (hyperloglog) and abort abbreviation if there are
 * too few.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "common/hashfn.h"
#include "fmgr.h"
#include "lib/hyperloglog.h"
#include "lib/stringinfo.h"
#include "libpq/pqformat.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "utils/sortsupport.h"
#include "utils/timestamp.h"

#include "format/flake.h"
#include "format/range.h"
#include "format/scru160.h"
#include "format/text.h"
#include "pg/clock.h"
#include "pg/entropy.h"
#include "pg/error.h"
#include "pg/scru160.h"
#include "pg/text.h"

static FlakeScru160State state;

static inline Datum
generate(FlakeScru160Usage usage)
{
	FlakeInstant now = flakeid_clock_now();
	FlakeScru160 id;
	FlakeRule	rule = flake_scru160_next(&state, usage, now,
										  flakeid_random64(),
										  flakeid_random64(), &id);

	flakeid_check_clock(rule, "SCRU160", &flake_scru160_made_field, now);
	return flakeid_scru160_datum(id);
}

/*
 * scru160_generate() -> scru160
 *
 * The clock in ms, a counter that starts at random in each millisecond, and 96
 * random bits; strictly increasing per process, also across
 * scru160_us_generate().  Clock beyond the field: 22008.
 */
PG_FUNCTION_INFO_V1(flakeid_scru160_generate);
Datum
flakeid_scru160_generate(PG_FUNCTION_ARGS)
{
	return generate(FLAKE_SCRU160_PLAIN);
}

/*
 * scru160_us_generate() -> scru160
 *
 * The same, with the microsecond in the 10 high bits of the counter.
 */
PG_FUNCTION_INFO_V1(flakeid_scru160_us_generate);
Datum
flakeid_scru160_us_generate(PG_FUNCTION_ARGS)
{
	return generate(FLAKE_SCRU160_US);
}

/*
 * scru160_to_timestamptz(id scru160) -> timestamptz
 *
 * To the millisecond.
 */
PG_FUNCTION_INFO_V1(flakeid_scru160_to_timestamptz);
Datum
flakeid_scru160_to_timestamptz(PG_FUNCTION_ARGS)
{
	int64		unix_us =
		flake_scru160_unix_us(flakeid_getarg_scru160(fcinfo, 0));

	PG_RETURN_TIMESTAMPTZ(flakeid_timestamptz_from_unix_us(unix_us));
}

/*
 * scru160_get_counter(id scru160) -> integer
 *
 * 0 .. 65535.
 */
PG_FUNCTION_INFO_V1(flakeid_scru160_get_counter);
Datum
flakeid_scru160_get_counter(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT32(flake_scru160_counter(flakeid_getarg_scru160(fcinfo, 0)));
}

/* Raise 22023 unless the counter has a microsecond. */
static void
check_us(FlakeStatus status, FlakeScru160 id)
{
	unsigned char bytes[FLAKE_SCRU160_BYTES];
	char		digits[FLAKE_SCRU160_BASE32HEX_DIGITS];

	if (likely(status == FLAKE_OK))
		return;
	flake_scru160_pack(bytes, id);
	flake_scru160_encode_base32hex(bytes, digits);
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("scru160 \"%.*s\" has no microsecond",
					(int) sizeof(digits), digits),
			 errdetail("The 10 high bits of its counter are %u, but a microsecond is at most %u.",
					   flake_scru160_counter_us(id), FLAKE_SCRU160_LAST_US)));
}

/* Microseconds since 1970 of the argument; 22023 above 999 in its counter. */
static int64
getarg_unix_us(FunctionCallInfo fcinfo)
{
	FlakeScru160 id = flakeid_getarg_scru160(fcinfo, 0);
	int64		unix_us;

	check_us(flake_scru160_us_unix_us(id, &unix_us), id);
	return unix_us;
}

/*
 * scru160_us_to_timestamptz(id scru160) -> timestamptz
 *
 * For an id with the microsecond in its counter.  Above 999: 22023.
 */
PG_FUNCTION_INFO_V1(flakeid_scru160_us_to_timestamptz);
Datum
flakeid_scru160_us_to_timestamptz(PG_FUNCTION_ARGS)
{
	PG_RETURN_TIMESTAMPTZ(flakeid_timestamptz_from_unix_us(getarg_unix_us(fcinfo)));
}

/*
 * scru160_get_timestamp(id scru160) -> bigint
 *
 * Milliseconds since 1970, 48 bits.
 */
PG_FUNCTION_INFO_V1(flakeid_scru160_get_timestamp);
Datum
flakeid_scru160_get_timestamp(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT64((int64) flake_scru160_unix_ms(flakeid_getarg_scru160(fcinfo, 0)));
}

/*
 * scru160_us_get_timestamp(id scru160) -> bigint
 *
 * Microseconds since 1970 of an id with the microsecond in its counter.  Above
 * 999: 22023.
 */
PG_FUNCTION_INFO_V1(flakeid_scru160_us_get_timestamp);
Datum
flakeid_scru160_us_get_timestamp(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT64(getarg_unix_us(fcinfo));
}

/*
 * scru160_get_random(id scru160) -> bytea
 *
 * The last 12 bytes.
 */
PG_FUNCTION_INFO_V1(flakeid_scru160_get_random);
Datum
flakeid_scru160_get_random(PG_FUNCTION_ARGS)
{
	const unsigned char *bytes = flakeid_getarg_scru160_bytes(fcinfo, 0);
	const char *random = (const char *) flake_scru160_random(bytes);

	PG_RETURN_BYTEA_P((bytea *) cstring_to_text_with_len(random,
														 FLAKE_SCRU160_RANDOM_BYTES));
}

/*
 * scru160_from_parts(ticks bigint, counter integer, random bytea) -> scru160
 *
 * What the readers return: 48 bits of milliseconds since 1970, 16 of counter,
 * 12 random bytes, else 22023.  Any such value is an id, also in a reserved
 * millisecond.
 */
PG_FUNCTION_INFO_V1(flakeid_scru160_from_parts);
Datum
flakeid_scru160_from_parts(PG_FUNCTION_ARGS)
{
	uint64		unix_ms = flakeid_check_timestamp(PG_GETARG_INT64(0),
												  flake_scru160_field.last_tick);
	int32		counter = PG_GETARG_INT32(1);
	bytea	   *random = PG_GETARG_BYTEA_PP(2);

	flakeid_check_field(flake_check_field(counter, FLAKE_SCRU160_COUNTER_BITS),
						"counter", counter, FLAKE_SCRU160_COUNTER_BITS);
	flakeid_check_bytes(random, "random part", 8 * FLAKE_SCRU160_RANDOM_BYTES);
	return flakeid_scru160_datum(flake_scru160_from_parts(unix_ms,
														  (uint32) counter,
														  (unsigned char *) VARDATA_ANY(random)));
}

static Datum
fill(FlakeScru160Usage usage, TimestampTz ts)
{
	FlakeInstant instant = flakeid_instant_from_timestamptz(ts);
	FlakeScru160 id;
	FlakeStatus status = flake_scru160_fill(usage, instant, flakeid_random64(),
											flakeid_random64(), &id);

	flakeid_check_instant(status, "SCRU160", &flake_scru160_made_field, ts);
	return flakeid_scru160_datum(id);
}

/*
 * scru160_from_timestamptz(ts timestamptz) -> scru160
 *
 * ts is truncated to the millisecond; all other bits are random.  Does not use
 * the state of the generators.  Outside the field, or in a reserved
 * millisecond: 22008.
 */
PG_FUNCTION_INFO_V1(flakeid_scru160_from_timestamptz);
Datum
flakeid_scru160_from_timestamptz(PG_FUNCTION_ARGS)
{
	return fill(FLAKE_SCRU160_PLAIN, PG_GETARG_TIMESTAMPTZ(0));
}

/*
 * scru160_us_from_timestamptz(ts timestamptz) -> scru160
 *
 * The same with the microsecond of ts in the counter's 10 high bits.
 */
PG_FUNCTION_INFO_V1(flakeid_scru160_us_from_timestamptz);
Datum
flakeid_scru160_us_from_timestamptz(PG_FUNCTION_ARGS)
{
	return fill(FLAKE_SCRU160_US, PG_GETARG_TIMESTAMPTZ(0));
}

/*
 * scru160_min(ts timestamptz) -> scru160
 *
 * Smallest id of the millisecond of ts, which may be a reserved one.  Outside
 * the field: 22008.
 */
PG_FUNCTION_INFO_V1(flakeid_scru160_min);
Datum
flakeid_scru160_min(PG_FUNCTION_ARGS)
{
	TimestampTz ts = PG_GETARG_TIMESTAMPTZ(0);
	FlakeInstant instant = flakeid_instant_from_timestamptz(ts);
	FlakeScru160 id;

	flakeid_check_instant(flake_scru160_min(instant, &id), "SCRU160",
						  &flake_scru160_field, ts);
	return flakeid_scru160_datum(id);
}

/*
 * scru160_bound(ts timestamptz) -> scru160
 *
 * Smallest id of the millisecond of ts, or later; accepts any ts, so it is
 * LEAKPROOF.
 */
PG_FUNCTION_INFO_V1(flakeid_scru160_bound);
Datum
flakeid_scru160_bound(PG_FUNCTION_ARGS)
{
	TimestampTz ts = PG_GETARG_TIMESTAMPTZ(0);

	return flakeid_scru160_datum(flake_scru160_first(flakeid_instant_from_timestamptz(ts)));
}

/* Quote the first character of the text. */
static char *
first_character(const char *text, size_t length)
{
	return flakeid_quote(text, Min((size_t) pg_mblen(text), length));
}

/*
 * Report invalid text of a scru160 as 22P02, softly if escontext asks for it;
 * returns false after a soft error.  bad_offset counts from first, the offset
 * of the digits in the text.
 */
static bool
save_syntax(Node *escontext, FlakeStatus status, const char *text,
			size_t length, size_t first, size_t digits, size_t bad_offset)
{
	size_t		bad = first + bad_offset;
	char	   *detail;

	if (likely(status == FLAKE_OK))
		return true;
	if (status == FLAKE_BAD_LENGTH)
		detail = psprintf("The text is %zu bytes long, but must be 32 (base32hex) or 40 (hexadecimal) bytes long.",
						  digits);
	else
		detail = psprintf("Character \"%s\" at position %d is not a %s digit.",
						  first_character(text + bad, length - bad),
						  pg_mbstrlen_with_len(text, (int) bad) + 1,
						  digits == FLAKE_SCRU160_HEX_DIGITS ?
						  "hexadecimal" : "base32hex");
	ereturn(escontext, false,
			(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
			 errmsg("invalid input syntax for type scru160: \"%s\"",
					flakeid_quote(text, length)),
			 errdetail_internal("%s", detail)));
}

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

	if (!save_syntax(fcinfo->context, status, text, length,
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

	(void) save_syntax(NULL, status, given, length, first,
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

static inline int
compare_args(FunctionCallInfo fcinfo)
{
	return flake_scru160_compare(flakeid_getarg_scru160_bytes(fcinfo, 0),
								 flakeid_getarg_scru160_bytes(fcinfo, 1));
}

PG_FUNCTION_INFO_V1(flakeid_scru160_eq);
Datum
flakeid_scru160_eq(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(compare_args(fcinfo) == 0);
}

PG_FUNCTION_INFO_V1(flakeid_scru160_ne);
Datum
flakeid_scru160_ne(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(compare_args(fcinfo) != 0);
}

PG_FUNCTION_INFO_V1(flakeid_scru160_lt);
Datum
flakeid_scru160_lt(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(compare_args(fcinfo) < 0);
}

PG_FUNCTION_INFO_V1(flakeid_scru160_le);
Datum
flakeid_scru160_le(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(compare_args(fcinfo) <= 0);
}

PG_FUNCTION_INFO_V1(flakeid_scru160_gt);
Datum
flakeid_scru160_gt(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(compare_args(fcinfo) > 0);
}

PG_FUNCTION_INFO_V1(flakeid_scru160_ge);
Datum
flakeid_scru160_ge(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(compare_args(fcinfo) >= 0);
}

/* scru160_cmp(scru160, scru160) -> integer: below, equal to or above 0 */
PG_FUNCTION_INFO_V1(flakeid_scru160_cmp);
Datum
flakeid_scru160_cmp(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT32(compare_args(fcinfo));
}

/* scru160_smaller(scru160, scru160), scru160_larger(...) -> scru160 */
PG_FUNCTION_INFO_V1(flakeid_scru160_smaller);
Datum
flakeid_scru160_smaller(PG_FUNCTION_ARGS)
{
	PG_RETURN_DATUM(PG_GETARG_DATUM(compare_args(fcinfo) <= 0 ? 0 : 1));
}

PG_FUNCTION_INFO_V1(flakeid_scru160_larger);
Datum
flakeid_scru160_larger(PG_FUNCTION_ARGS)
{
	PG_RETURN_DATUM(PG_GETARG_DATUM(compare_args(fcinfo) >= 0 ? 0 : 1));
}

/* scru160_hash(scru160) -> integer */
PG_FUNCTION_INFO_V1(flakeid_scru160_hash);
Datum
flakeid_scru160_hash(PG_FUNCTION_ARGS)
{
	return hash_any(flakeid_getarg_scru160_bytes(fcinfo, 0),
					FLAKE_SCRU160_BYTES);
}

/* scru160_hash_extended(scru160, bigint) -> bigint: with a seed, 64 bits */
PG_FUNCTION_INFO_V1(flakeid_scru160_hash_extended);
Datum
flakeid_scru160_hash_extended(PG_FUNCTION_ARGS)
{
	return hash_any_extended(flakeid_getarg_scru160_bytes(fcinfo, 0),
							 FLAKE_SCRU160_BYTES,
							 (uint64) PG_GETARG_INT64(1));
}

/* Lives as long as the sort, in its memory context. */
typedef struct Abbreviation
{
	int64		seen;			/* keys so far */
	bool		counting;		/* still estimating distinct keys */
	hyperLogLogState distinct;
} Abbreviation;

/* Thresholds of uuid_abbrev_abort() in core. */
#define LOOK_FROM		10000
#define ENOUGH			100000.0
#define SEEN_PER_DISTINCT	2000.0

static int
compare_full(Datum x, Datum y, SortSupport ssup)
{
	return flake_scru160_compare((unsigned char *) DatumGetPointer(x),
								 (unsigned char *) DatumGetPointer(y));
}

static Datum
abbreviate(Datum original, SortSupport ssup)
{
	Abbreviation *abbreviation = ssup->ssup_extra;
	uint64		stamp =
		flake_load_be64((unsigned char *) DatumGetPointer(original));

	abbreviation->seen++;
	if (abbreviation->counting)
		addHyperLogLog(&abbreviation->distinct,
					   DatumGetUInt32(hash_uint32((uint32) (stamp ^
															stamp >> 32))));
	return (Datum) (stamp >> (64 - 8 * sizeof(Datum)));
}

/* Abbreviation abort callback: true if there are too few distinct keys. */
static bool
give_up(int tuples, SortSupport ssup)
{
	Abbreviation *abbreviation = ssup->ssup_extra;
	double		distinct;

	if (tuples < LOOK_FROM || abbreviation->seen < LOOK_FROM ||
		!abbreviation->counting)
		return false;
	distinct = estimateHyperLogLog(&abbreviation->distinct);
	if (distinct > ENOUGH)
	{
		abbreviation->counting = false;
		return false;
	}
	return distinct < abbreviation->seen / SEEN_PER_DISTINCT + 0.5;
}

/* Allocate in the memory context of the sort. */
static Abbreviation *
make_abbreviation(MemoryContext context)
{
	MemoryContext caller = MemoryContextSwitchTo(context);
	Abbreviation *abbreviation = palloc0(sizeof(Abbreviation));

	abbreviation->counting = true;
	initHyperLogLog(&abbreviation->distinct, 10);
	MemoryContextSwitchTo(caller);
	return abbreviation;
}

/* scru160_sortsupport(internal) -> void */
PG_FUNCTION_INFO_V1(flakeid_scru160_sortsupport);
Datum
flakeid_scru160_sortsupport(PG_FUNCTION_ARGS)
{
	SortSupport ssup = (SortSupport) PG_GETARG_POINTER(0);

	ssup->comparator = compare_full;
	ssup->ssup_extra = NULL;
	if (ssup->abbreviate)
	{
		ssup->ssup_extra = make_abbreviation(ssup->ssup_cxt);
		ssup->comparator = ssup_datum_unsigned_cmp;
		ssup->abbrev_converter = abbreviate;
		ssup->abbrev_abort = give_up;
		ssup->abbrev_full_comparator = compare_full;
	}
	PG_RETURN_VOID();
}
