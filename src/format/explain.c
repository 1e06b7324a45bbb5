/*
 * explain.c
 *		The fields of every format, as tables.  See explain.h.
 *
 * Sources: RFC 9562, sections 4 and 5; draft-peabody-dispatch-new-uuid-
 * format-01, sections 4.4 and 4.5; doc/internals/formats.md for the 64-bit
 * formats.
 */
#include "format/explain.h"
#include "format/scru160.h"
#include "format/uuid_draft.h"

#define VERSION(meaning) {"version", 48, 4, false, FLAKE_TIME_NONE, meaning}
#define VARIANT {"variant", 64, 2, false, FLAKE_TIME_NONE, "rfc9562"}
#define END {NULL, 0, 0, false, FLAKE_TIME_NONE, NULL}

static const FlakeExplainRow v1_rows[] = {
	{"time_low", 0, 32, false, FLAKE_TIME_NONE,
	"low bits of the ticks of 100 ns since 1582-10-15"},
	{"time_mid", 32, 16, false, FLAKE_TIME_NONE, "middle bits of the ticks"},
	VERSION("Gregorian time and node (RFC 9562)"),
	{"time_high", 52, 12, false, FLAKE_TIME_UUID,
	"high bits of the ticks; time of all bits"},
	VARIANT,
	{"clock_sequence", 66, 14, false, FLAKE_TIME_NONE, "clock sequence"},
	{"node", 80, 48, true, FLAKE_TIME_NONE, "node"},
	END
};

static const FlakeExplainRow v6_rows[] = {
	{"time_high", 0, 32, false, FLAKE_TIME_NONE,
	"high bits of the ticks of 100 ns since 1582-10-15"},
	{"time_mid", 32, 16, false, FLAKE_TIME_NONE, "middle bits of the ticks"},
	VERSION("reordered Gregorian time and node (RFC 9562)"),
	{"time_low", 52, 12, false, FLAKE_TIME_UUID,
	"low bits of the ticks; time of all bits"},
	VARIANT,
	{"clock_sequence", 66, 14, false, FLAKE_TIME_NONE, "clock sequence"},
	{"node", 80, 48, true, FLAKE_TIME_NONE, "node"},
	END
};

static const FlakeExplainRow v7_rows[] = {
	{"unix_ts_ms", 0, 48, false, FLAKE_TIME_UUID, "milliseconds since 1970"},
	VERSION("Unix time and random bits (RFC 9562)"),
	{"rand_a", 52, 12, false, FLAKE_TIME_NONE,
	"random, or the fraction of the millisecond in 1/4096"},
	VARIANT,
	{"rand_b", 66, 62, true, FLAKE_TIME_NONE, "random"},
	END
};

static const FlakeExplainRow v7_draft_rows[] = {
	{"unixts", 0, 36, false, FLAKE_TIME_V7_DRAFT,
	"read as the draft's version 7: seconds since 1970; time with the fraction"},
	{"subsec_a", 36, 12, false, FLAKE_TIME_NONE,
	"read as the draft's version 7: fraction of the second"},
	{"subsec_b", 52, 12, false, FLAKE_TIME_NONE,
	"read as the draft's version 7: fraction, or the sequence if its unit is ms"},
	{"subsec_seq_node", 66, 62, true, FLAKE_TIME_NONE,
	"read as the draft's version 7: fraction, sequence and random bits, depending on its unit"},
	{"sequence_ms", 52, 12, false, FLAKE_TIME_NONE,
	"read as the draft's version 7 with unit ms: sequence"},
	{"node_ms", 66, 62, true, FLAKE_TIME_NONE,
	"read as the draft's version 7 with unit ms: random"},
	{"sequence_us", 66, 14, false, FLAKE_TIME_NONE,
	"read as the draft's version 7 with unit us: sequence"},
	{"node_us", 80, 48, true, FLAKE_TIME_NONE,
	"read as the draft's version 7 with unit us: random"},
	{"sequence_ns", 80, 8, false, FLAKE_TIME_NONE,
	"read as the draft's version 7 with unit ns: sequence"},
	{"node_ns", 88, 40, true, FLAKE_TIME_NONE,
	"read as the draft's version 7 with unit ns: random"},
	END
};

static const FlakeExplainRow v8_rows[] = {
	{"custom_a", 0, 48, true, FLAKE_TIME_NONE,
	"defined by the implementation"},
	VERSION("custom (RFC 9562)"),
	{"custom_b", 52, 12, true, FLAKE_TIME_NONE,
	"defined by the implementation"},
	VARIANT,
	{"custom_c", 66, 62, true, FLAKE_TIME_NONE,
	"defined by the implementation"},
	END
};

static const FlakeExplainRow v8_draft_rows[] = {
	{"timestamp_32", 0, 32, false, FLAKE_TIME_V8_32,
	"read with 32 bits of time: seconds since 1970"},
	{"sequence_32", 52, 12, false, FLAKE_TIME_NONE,
	"read with 32 bits of time: sequence"},
	{"node_32", 66, 62, true, FLAKE_TIME_NONE,
	"read with 32 bits of time: random"},
	{"timestamp_48", 0, 48, false, FLAKE_TIME_V8_48,
	"read with 48 bits of time: milliseconds since 1970"},
	{"sequence_48", 52, 12, false, FLAKE_TIME_NONE,
	"read with 48 bits of time: sequence"},
	{"node_48", 66, 62, true, FLAKE_TIME_NONE,
	"read with 48 bits of time: random"},
	{"timestamp_60_high", 0, 48, false, FLAKE_TIME_NONE,
	"read with 60 bits of time: high bits of the ticks of 10 ns since 1970"},
	{"timestamp_60_low", 52, 12, false, FLAKE_TIME_V8_60,
	"read with 60 bits of time: low bits of the ticks; time of all bits"},
	{"sequence_60", 66, 8, false, FLAKE_TIME_NONE,
	"read with 60 bits of time: sequence"},
	{"node_60", 74, 54, true, FLAKE_TIME_NONE,
	"read with 60 bits of time: random"},
	{"timestamp_64_high", 0, 48, false, FLAKE_TIME_NONE,
	"read with 64 bits of time: high bits of the ticks of 16 ns since 1970"},
	{"timestamp_64_low", 52, 12, false, FLAKE_TIME_V8_64,
	"read with 64 bits of time: low bits of the ticks; time of all bits"},
	{"sequence_64", 66, 8, false, FLAKE_TIME_NONE,
	"read with 64 bits of time: sequence"},
	{"node_64", 74, 54, true, FLAKE_TIME_NONE,
	"read with 64 bits of time: random"},
	END
};

#define OTHER_VERSION(name, version_meaning, bits_meaning) \
	static const FlakeExplainRow name[] = { \
		{"high", 0, 48, true, FLAKE_TIME_NONE, bits_meaning}, \
		VERSION(version_meaning), \
		{"middle", 52, 12, true, FLAKE_TIME_NONE, bits_meaning}, \
		VARIANT, \
		{"low", 66, 62, true, FLAKE_TIME_NONE, bits_meaning}, \
		END \
	}

OTHER_VERSION(v2_rows, "DCE security", "not defined by RFC 9562");
OTHER_VERSION(v3_rows, "name and MD5 (RFC 9562)",
			  "part of the MD5 hash of a name");
OTHER_VERSION(v4_rows, "random (RFC 9562)", "random");
OTHER_VERSION(v5_rows, "name and SHA-1 (RFC 9562)",
			  "part of the SHA-1 hash of a name");
OTHER_VERSION(unknown_rows, "not defined by RFC 9562",
			  "not defined by RFC 9562");

static const FlakeExplainRow nil_rows[] = {
	{"nil", 0, 128, true, FLAKE_TIME_NONE,
	"the nil UUID: all 128 bits are 0 (RFC 9562)"},
	END
};
static const FlakeExplainRow max_rows[] = {
	{"max", 0, 128, true, FLAKE_TIME_NONE,
	"the max UUID: all 128 bits are 1 (RFC 9562)"},
	END
};

/* RFC 9562 defines only the variant bits of the other variants. */
#define OTHER_VARIANT(name, width) \
	static const FlakeExplainRow name##_rows[] = { \
		{"high", 0, 64, true, FLAKE_TIME_NONE, "defined by the variant"}, \
		{"variant", 64, width, false, FLAKE_TIME_NONE, #name}, \
		{"low", 64 + width, 64 - width, true, FLAKE_TIME_NONE, \
		"defined by the variant"}, \
		END \
	}

OTHER_VARIANT(ncs, 1);
OTHER_VARIANT(microsoft, 3);
OTHER_VARIANT(future, 3);

const FlakeExplainRow flake_explain_ulidflake[] = {
	{"sign", 0, 1, false, FLAKE_TIME_NONE, "always 0"},
	{"timestamp", 1, 43, false, FLAKE_TIME_MS, "milliseconds since the epoch"},
	{"random", 44, 20, false, FLAKE_TIME_NONE,
	"random at first, then increasing within the millisecond"},
	{"random_scalable", 44, 15, false, FLAKE_TIME_NONE,
	"read as scalable: random at first, then increasing within the millisecond"},
	{"scalability", 59, 5, false, FLAKE_TIME_NONE,
	"read as scalable: number of the server"},
	END
};

const FlakeExplainRow flake_explain_scru160[] = {
	{"timestamp", 0, 48, false, FLAKE_TIME_MS, "milliseconds since 1970"},
	{"counter", 48, 16, false, FLAKE_TIME_NONE,
	"count within the millisecond, random at first"},
	{"counter_us", 48, 10, false, FLAKE_TIME_SCRU160_US,
	"if generated with microseconds: microsecond within the millisecond"},
	{"counter_low", 58, 6, false, FLAKE_TIME_NONE,
	"if generated with microseconds: count within the microsecond"},
	{"random16", 64, 16, true, FLAKE_TIME_NONE, "random"},
	{"random80", 80, 80, true, FLAKE_TIME_NONE, "random"},
	END
};

/*
 * Fill in the FLAKE_EXPLAIN_LAYOUT_ROWS rows of a format with a generator
 * field, from its layout: a sign bit if the fields leave one, then the fields.
 */
void
flake_explain_layout(const FlakeLayout *layout, FlakeExplainRow *rows)
{
	const FlakeExplainRow fields[] = {
		{"sign", 0, 64 - layout->time_bits - flake_low_bits(layout), false,
		FLAKE_TIME_NONE, "always 0"},
		{"timestamp", 0, layout->time_bits, false, FLAKE_TIME_MS,
		"milliseconds since the epoch"},
		{"generator", 0, layout->generator_bits, false, FLAKE_TIME_NONE,
		"node, slot and lane of the generator"},
		{"sequence", 0, layout->sequence_bits, false, FLAKE_TIME_NONE,
		"count within generator and millisecond"},
	};
	unsigned	n = 0;
	unsigned	first_bit = 0;

	for (unsigned i = 0; i < 4; i++)
	{
		FlakeExplainRow row = fields[i];

		row.first_bit = first_bit;
		first_bit += row.bits;
		if (row.bits > 0)
			rows[n++] = row;
	}
	rows[n] = (FlakeExplainRow) END;
}

/* Rows of a UUID, by variant and version. */
const FlakeExplainRow *
flake_explain_uuid(FlakeUuid uuid)
{
	static const FlakeExplainRow *const by_version[16] = {
		[1] = v1_rows,[2] = v2_rows,[3] = v3_rows,[4] = v4_rows,
		[5] = v5_rows,[6] = v6_rows,[7] = v7_rows,[8] = v8_rows,
	};
	static const FlakeExplainRow *const by_variant[] = {
		[FLAKE_VARIANT_NCS] = ncs_rows,
		[FLAKE_VARIANT_MICROSOFT] = microsoft_rows,
		[FLAKE_VARIANT_FUTURE] = future_rows,
	};
	int			version = flake_uuid_version(uuid);

	if (uuid.high == 0 && uuid.low == 0)
		return nil_rows;
	if (uuid.high == UINT64_MAX && uuid.low == UINT64_MAX)
		return max_rows;
	if (version < 0)
		return by_variant[flake_uuid_variant(uuid)];
	return by_version[version] != NULL ? by_version[version] : unknown_rows;
}

/* Rows of a version 7 or 8, as the draft has them. */
const FlakeExplainRow *
flake_explain_draft(FlakeUuid uuid)
{
	return flake_uuid_is_version(uuid, 7) ? v7_draft_rows : v8_draft_rows;
}

/* Value of a field of at most 64 bits. */
uint64_t
flake_explain_value(const unsigned char *bytes, unsigned first_bit,
					unsigned bits)
{
	uint64_t	value = 0;

	for (unsigned bit = first_bit; bit < first_bit + bits; bit++)
		value = value << 1 | (bytes[bit / 8] >> (7 - bit % 8) & 1);
	return value;
}

/* Time of a UUID, by the standard or by the draft. */
static int64_t
uuid_unix_us(FlakeExplainTime time, FlakeUuid uuid)
{
	static const FlakeDraftKind kinds[] = {
		[FLAKE_TIME_V7_DRAFT] = FLAKE_DRAFT_V7_MS,
		[FLAKE_TIME_V8_32] = FLAKE_DRAFT_V8_32,
		[FLAKE_TIME_V8_48] = FLAKE_DRAFT_V8_48,
		[FLAKE_TIME_V8_60] = FLAKE_DRAFT_V8_60,
		[FLAKE_TIME_V8_64] = FLAKE_DRAFT_V8_64,
	};
	int64_t		unix_us = 0;

	if (time != FLAKE_TIME_UUID)
		return flake_draft_unix_us(&flake_draft_layouts[kinds[time]], uuid);
	(void) flake_uuid_unix_us(uuid, &unix_us);
	return unix_us;
}

/*
 * Time in a field, in microseconds since 1970.  False if the field has none:
 * its row has no time, or its microsecond is above 999, or the time exceeds 64
 * bits, as it can with an epoch in the last years of timestamptz.  epoch_ms is
 * the epoch of FLAKE_TIME_MS.
 */
bool
flake_explain_unix_us(const FlakeExplainRow *row, const unsigned char *bytes,
					  int64_t epoch_ms, int64_t *unix_us)
{
	int64_t		unix_ms;

	switch (row->time)
	{
		case FLAKE_TIME_NONE:
			return false;
		case FLAKE_TIME_MS:
			unix_ms = epoch_ms;
			unix_ms += (int64_t) flake_explain_value(bytes, row->first_bit,
													 row->bits);
			return !__builtin_mul_overflow(unix_ms, 1000, unix_us);
		case FLAKE_TIME_SCRU160_US:
			return flake_scru160_us_unix_us(flake_scru160_unpack(bytes),
											unix_us) == FLAKE_OK;
		default:
			*unix_us = uuid_unix_us(row->time, flake_uuid_load(bytes));
			return true;
	}
}
