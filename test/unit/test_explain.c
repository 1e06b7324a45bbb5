/*
 * test_explain.c
 *		Which rows explain an id, what its fields hold, and which times.
 */
#include <string.h>

#include "format/explain.h"
#include "format/scru160.h"
#include "format/uuid_draft.h"
#include "unit_uuid.h"

/* 2022-02-22 19:22:22.123456 UTC */
#define UNIX_MS		INT64_C(1645557742123)
#define UNIX_US		(UNIX_MS * 1000 + 456)

static const FlakeExplainRow *
row_named(const FlakeExplainRow *rows, const char *field)
{
	while (rows->field != NULL && strcmp(rows->field, field) != 0)
		rows++;
	unit_check(rows->field != NULL, __FILE__, __LINE__, "no field %s", field);
	return rows;
}

/* A UUID of this version: high60 is its 60 bits before the variant. */
static FlakeUuid
uuid_of(int version, uint64_t high60)
{
	return flake_uuid_pack(version, high60, 0x123456789);
}

/* The rows by version, by variant, and of the two UUIDs that have neither */
static void
test_rows(void)
{
	static const char *const versions[16] = {
		"not defined by RFC 9562", "Gregorian time and node (RFC 9562)",
		"DCE security", "name and MD5 (RFC 9562)", "random (RFC 9562)",
		"name and SHA-1 (RFC 9562)", "reordered Gregorian time and node (RFC 9562)",
		"Unix time and random bits (RFC 9562)", "custom (RFC 9562)",
	};
	static const char *const variants[16] = {
		"ncs", "ncs", "ncs", "ncs", "ncs", "ncs", "ncs", "ncs",
		"rfc9562", "rfc9562", "rfc9562", "rfc9562", "microsoft", "microsoft", "future", "future",
	};

	for (int version = 0; version < 16; version++)
		CHECK_TEXT(row_named(flake_explain_uuid(uuid_of(version, 5)), "version")->meaning,
				   versions[version] != NULL ? versions[version] : versions[0]);
	for (uint64_t bits = 0; bits < 16; bits++)
		CHECK_TEXT(row_named(flake_explain_uuid((FlakeUuid) {
			.high = UINT64_C(4) << 12, .low = bits << 60 | 1}), "variant")->meaning,
			variants[bits]);

	CHECK_TEXT(flake_explain_uuid((FlakeUuid) {0})->field, "nil");
	CHECK_TEXT(flake_explain_uuid((FlakeUuid) {.low = 1})->field, "high");
	CHECK_TEXT(flake_explain_uuid((FlakeUuid) {.high = 1})->field, "high");
	CHECK_TEXT(flake_explain_uuid((FlakeUuid) {UINT64_MAX, UINT64_MAX})->field, "max");
	CHECK_TEXT(flake_explain_uuid((FlakeUuid) {UINT64_MAX, UINT64_MAX - 1})->field, "high");
	CHECK_TEXT(flake_explain_uuid((FlakeUuid) {UINT64_MAX - 1, UINT64_MAX})->field, "high");
}

/* Rows from a layout: a sign only in formats that leave a bit for it */
static void
test_layout_rows(void)
{
	static const char *const fields[] = {"sign", "timestamp", "generator", "sequence"};

	for (int format = FLAKE_FLUID; format <= FLAKE_NANOFLAKE; format++)
	{
		const FlakeLayout *layout = &flake_layouts[format];
		FlakeExplainRow rows[FLAKE_EXPLAIN_LAYOUT_ROWS];
		const FlakeExplainRow *row = rows;
		unsigned	first_bit = 0;

		memset(rows, 0xff, sizeof(rows));
		flake_explain_layout(layout, rows);
		for (int i = format == FLAKE_FLUID ? 1 : 0; i < 4; i++, row++)
		{
			const unsigned bits[] = {1, layout->time_bits, layout->generator_bits, layout->sequence_bits};

			CHECK_TEXT(row->field, fields[i]);
			CHECK_EQ(row->first_bit, first_bit);
			CHECK_EQ(row->bits, bits[i]);
			CHECK_EQ(row->time, i == 1 ? FLAKE_TIME_MS : FLAKE_TIME_NONE);
			first_bit += bits[i];
		}
		CHECK(row->field == NULL);
		CHECK_EQ(first_bit, 64);
	}
}

/* Every place and width of a field, compared with shifts */
static void
test_values(void)
{
	const FlakeUuid uuid = {UINT64_C(0x123456789abcdef0), UINT64_C(0xfedcba9876543210)};
	unsigned char bytes[16];
	bool		right = true;

	flake_uuid_store(bytes, uuid);
	for (unsigned first_bit = 0; first_bit < 64; first_bit++)
		for (unsigned bits = 1; bits <= 64; bits++)
		{
			uint64_t	from = first_bit == 0 ? uuid.high :
				uuid.high << first_bit | uuid.low >> (64 - first_bit);

			right &= flake_explain_value(bytes, first_bit, bits) == from >> (64 - bits);
		}
	CHECK(right);
	CHECK_EQ(flake_explain_value(bytes, 5, 0), 0);
}

/* The field has this time, or none. */
static void
check_time(const FlakeExplainRow *rows, const char *field, const unsigned char *bytes, int64_t expected)
{
	int64_t		unix_us = 77;

	CHECK(flake_explain_unix_us(row_named(rows, field), bytes, FLAKE_EPOCH_2024_MS, &unix_us));
	unit_check(unix_us == expected, __FILE__, __LINE__, "%s is %lld, expected %lld",
			   field, (long long) unix_us, (long long) expected);
}

static void
check_uuid_time(FlakeUuid uuid, const char *field, int64_t expected)
{
	unsigned char bytes[16];

	flake_uuid_store(bytes, uuid);
	check_time(flake_explain_uuid(uuid), field, bytes, expected);
}

static void
test_times(void)
{
	static const struct
	{
		FlakeDraftKind kind;
		const char *field;
		int64_t		ns;			/* stored, at most */
	}			drafts[] = {
		{FLAKE_DRAFT_V7_US, "unixts", 1000}, {FLAKE_DRAFT_V8_32, "timestamp_32", 1000000000},
		{FLAKE_DRAFT_V8_48, "timestamp_48", 1000000}, {FLAKE_DRAFT_V8_60, "timestamp_60_low", 1000},
		{FLAKE_DRAFT_V8_64, "timestamp_64_low", 1000},
	};
	const FlakeInstant at = flake_instant_from_unix_us(UNIX_US);
	unsigned char bytes[FLAKE_SCRU160_BYTES] = {0};
	int64_t		unix_us = 77;
	FlakeUuid	uuid = {0};

	CHECK_EQ(flake_uuid_make(6, at, 1, &uuid), FLAKE_OK);
	check_uuid_time(uuid, "time_low", UNIX_US);
	check_uuid_time(flake_uuid_v6_to_v1(uuid), "time_high", UNIX_US);
	CHECK_EQ(flake_uuid_make(7, at, 1, &uuid), FLAKE_OK);
	check_uuid_time(uuid, "unix_ts_ms", UNIX_MS * 1000);
	for (size_t i = 0; i < sizeof(drafts) / sizeof(drafts[0]); i++)
	{
		uuid = flake_draft_min(&flake_draft_layouts[drafts[i].kind], at);
		flake_uuid_store(bytes, uuid);
		check_time(flake_explain_draft(uuid), drafts[i].field, bytes, UNIX_US - UNIX_US % (drafts[i].ns / 1000));
	}

	/* counted from the epoch that is given; the other fields have no time */
	flake_store_be64(bytes, 25 << 20 | 0xfffff);
	check_time(flake_explain_ulidflake, "timestamp", bytes, (FLAKE_EPOCH_2024_MS + 25) * 1000);
	CHECK(!flake_explain_unix_us(row_named(flake_explain_ulidflake, "random"), bytes, 0, &unix_us));
	CHECK_EQ(unix_us, 77);
	CHECK(!flake_explain_unix_us(row_named(flake_explain_ulidflake, "timestamp"), bytes,
								 INT64_MAX / 1000 - 24, &unix_us));
	CHECK(flake_explain_unix_us(row_named(flake_explain_ulidflake, "timestamp"), bytes,
								INT64_MAX / 1000 - 25, &unix_us));

	/* 999 is the last microsecond of a SCRU160, and 1000 is none */
	flake_store_be64(bytes, UINT64_C(25) << 16 | 999 << 6);
	check_time(flake_explain_scru160, "counter_us", bytes, 25999);
	flake_store_be64(bytes, UINT64_C(25) << 16 | 1000 << 6);
	CHECK(!flake_explain_unix_us(row_named(flake_explain_scru160, "counter_us"), bytes, 0, &unix_us));
}

void
test_explain(void)
{
	test_rows();
	test_layout_rows();
	test_values();
	test_times();
}
