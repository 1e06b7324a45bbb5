/*
 * encoding.c
 *		Convert between UTF-8, used by src/format, and the database encoding.
 *
 * In SQL_ASCII bytes have no defined meaning; they are taken as UTF-8, since
 * src/format accepts invalid UTF-8.  All other server encodings are supersets
 * of ASCII, so only text with other characters is converted.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/namespace.h"
#include "utils/memutils.h"

#include "format/text.h"
#include "pg/encoding.h"

#define REPLACEMENT	"\xef\xbf\xbd"	/* U+FFFD, invalid in every form */

static bool
database_is_utf8(void)
{
	return GetDatabaseEncoding() == PG_UTF8 ||
		GetDatabaseEncoding() == PG_SQL_ASCII;
}

/*
 * Convert as much as possible without raising; returns the number of source
 * bytes converted.  The result is null-terminated.
 */
static int
convert(int from, int to, const char *source, int length, char *result,
		int result_size)
{
	Oid			proc = FindDefaultConversionProc(from, to);

	result[0] = '\0';
	if (!OidIsValid(proc))
		return 0;
	return pg_do_encoding_conversion_buf(proc, from, to,
										 (unsigned char *) source, length,
										 (unsigned char *) result,
										 result_size, true);
}

/* Cached: a process never changes its database. */
const FlakeidPrefix *
flakeid_f58_prefix(void)
{
	static FlakeidPrefix prefix;
	char		converted[sizeof(FLAKE_F_HOOK) * MAX_CONVERSION_GROWTH];
	const char *found = "f";

	if (likely(prefix.length > 0))
		return &prefix;
	if (GetDatabaseEncoding() == PG_UTF8)
		found = FLAKE_F_HOOK;
	else if (GetDatabaseEncoding() != PG_SQL_ASCII &&
			 convert(PG_UTF8, GetDatabaseEncoding(), FLAKE_F_HOOK,
					 strlen(FLAKE_F_HOOK), converted,
					 sizeof(converted)) == strlen(FLAKE_F_HOOK) &&
			 strlen(converted) <= sizeof(prefix.bytes))
		found = converted;
	memcpy(prefix.bytes, found, strlen(found));
	prefix.length = strlen(found);
	return &prefix;
}

/* Is the text this name, in ASCII? */
bool
flakeid_text_is(const text *given, const char *name)
{
	return VARSIZE_ANY_EXHDR(given) == strlen(name) &&
		memcmp(VARDATA_ANY(given), name, strlen(name)) == 0;
}

/* Raise 22P05 unless the database encoding has emoji. */
void
flakeid_check_emoji(void)
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

/*
 * Text in UTF-8, copied only if it must be converted.  A character without
 * equivalent becomes a replacement character, which the decoder reports as
 * invalid; so does the rest of a text that is too long to convert.
 */
const char *
flakeid_text_to_utf8(const text *input, size_t *length)
{
	const char *bytes = VARDATA_ANY(input);
	int			encoding = GetDatabaseEncoding();
	int			size = VARSIZE_ANY_EXHDR(input);
	int			kept = Min(size, (MaxAllocSize - 1) / MAX_CONVERSION_GROWTH - 1);
	int			room = kept * MAX_CONVERSION_GROWTH + 1;
	int			done = 0;
	char	   *utf8;
	char	   *end;

	*length = size;
	if (database_is_utf8() || is_ascii(bytes, size))
		return bytes;
	utf8 = palloc(room + strlen(REPLACEMENT));
	end = utf8;
	for (;;)
	{
		done += convert(encoding, PG_UTF8, bytes + done, kept - done, end,
						room - (int) (end - utf8));
		end += strlen(end);
		if (done >= size)
			break;

		/* Conversion stopped here; at ASCII only if there is no conversion. */
		if (done < kept && !IS_HIGHBIT_SET(bytes[done]))
			*end++ = bytes[done];
		else
		{
			memcpy(end, REPLACEMENT, strlen(REPLACEMENT));
			end += strlen(REPLACEMENT);
		}
		if (done >= kept)
			break;
		done += Max(1, pg_encoding_mblen(encoding, bytes + done));
		done = Min(done, kept);
	}
	*length = end - utf8;
	return utf8;
}

/* Byte length of the first n characters, in the database encoding. */
static size_t
skip_characters(const char *bytes, size_t length, int characters)
{
	size_t		at = 0;

	while (characters-- > 0 && at < length)
		at += Max(1, pg_encoding_mblen(GetDatabaseEncoding(), bytes + at));
	return Min(at, length);
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
	const int	most = 100;
	int			kept = length;

	if (length > most)
		kept = pg_mbcliplen(bytes, Min(length, 2 * most), most);
	return psprintf("%.*s%s", kept, bytes, kept < length ? "..." : "");
}

/*
 * Copy the part of the input at the fault, for a message.  The fault is given
 * in UTF-8.  Sets *position to its position in characters, counted from 1.
 */
char *
flakeid_quote_fault(const text *input, const char *utf8,
					const FlakeFault *fault, int *position)
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
