/*
 * test_flake.c
 *		FLUID, Nanoflake and Ulid-Flake: every vector, fields, instants, bounds.
 */
#include "format/flake.h"
#include "unit_uuid.h"

static const FlakeLayout *const fluid = &flake_layouts[FLAKE_FLUID];
static const FlakeLayout *const nanoflake = &flake_layouts[FLAKE_NANOFLAKE];
static const FlakeLayout *const ulidflake = &flake_layouts[FLAKE_ULIDFLAKE];

/* Smallest id of the millisecond of the instant, if it is generated */
static void
check_min(const FlakeLayout *layout, FlakeInstant at, int64_t epoch_ms,
			 uint64_t ms)
{
	CHECK_EQ(flake_id_min(layout, at, epoch_ms),
			 ms > layout->last_generated_ms ? INT64_MAX :
			 (int64_t) (ms << flake_low_bits(layout)));
}

/* Check a row: an id, its fields, and its time by the epoch of 2024 */
static void
check_row(const FlakeLayout *layout, uint64_t id, uint64_t ms,
		  uint32_t generator, uint32_t sequence, int64_t unix_us)
{
	FlakeInstant at = flake_instant_from_unix_us(unix_us);
	FlakeInstant last = at;
	uint64_t	read_ms = 0;

	CHECK_EQ(flake_check_id(layout, id), FLAKE_OK);
	CHECK_EQ(flake_id_pack(layout, ms, generator, sequence), id);
	CHECK_EQ(flake_id_ms(layout, id), ms);
	CHECK_EQ(flake_id_generator(layout, id), generator);
	CHECK_EQ(flake_id_sequence(layout, id), sequence);
	CHECK_EQ(unix_us, (FLAKE_EPOCH_2024_MS + (int64_t) ms) * 1000);

	CHECK_EQ(flake_ms_of(layout, at, FLAKE_EPOCH_2024_MS, &read_ms), FLAKE_OK);
	CHECK_EQ(read_ms, ms);
	CHECK_EQ(flake_ms_clamped(layout, at, FLAKE_EPOCH_2024_MS), ms);
	check_min(layout, at, FLAKE_EPOCH_2024_MS, ms);

	/* the last nanosecond of the millisecond belongs to it */
	last.ns_in_s += 999999;
	CHECK_EQ(flake_ms_of(layout, last, FLAKE_EPOCH_2024_MS, &read_ms), FLAKE_OK);
	CHECK_EQ(read_ms, ms);
	check_min(layout, last, FLAKE_EPOCH_2024_MS, ms);
}

static void
test_fluid(void)
{
	Vectors    *v = vectors_open("fluid.tsv");
	int			rows = 0;

	for (; vectors_next(v); rows++)
	{
		uint64_t	id = vectors_number(v, "unsigned", 10);

		CHECK_EQ(vectors_number(v, "bigint", 10), id);
		CHECK_EQ(vectors_number(v, "hex", 16), id);
		check_row(fluid, id, vectors_number(v, "timestamp_ms", 10),
				  (uint32_t) vectors_number(v, "generator", 10),
				  (uint32_t) vectors_number(v, "sequence", 10),
				  vectors_unix_us(v, "time_2024"));
	}
	CHECK_EQ(rows, 40);
}

static void
test_nanoflake(void)
{
	Vectors    *v = vectors_open("nanoflake.tsv");
	int			rows = 0;

	for (; vectors_next(v); rows++)
		check_row(nanoflake, vectors_number(v, "bigint", 10),
				  vectors_number(v, "timestamp_ms", 10),
				  (uint32_t) vectors_number(v, "generator", 10),
				  (uint32_t) vectors_number(v, "sequence", 10),
				  vectors_unix_us(v, "time_2024"));
	CHECK_EQ(rows, 40);
}

static void
test_ulidflake(void)
{
	Vectors    *v = vectors_open("ulidflake.tsv");
	int			rows = 0;

	for (; vectors_next(v); rows++)
	{
		uint64_t	id = vectors_number(v, "bigint", 10);
		uint32_t	random20 = (uint32_t) vectors_number(v, "random20", 10);
		uint32_t	random15 = (uint32_t) vectors_number(v, "random15", 10);
		uint32_t	scalability = (uint32_t) vectors_number(v, "scalability5", 10);

		check_row(ulidflake, id, vectors_number(v, "timestamp_ms", 10), 0,
				  random20, vectors_unix_us(v, "time"));
		CHECK_EQ(flake_ulid_random15(id), random15);
		CHECK_EQ(flake_ulid_scalability(id), scalability);
		CHECK_EQ(flake_ulid_low(random15, scalability), random20);
	}
	CHECK_EQ(rows, 40);
}

static const FlakeLayout *
layout_named(const char *name)
{
	return strcmp(name, "fluid") == 0 ? fluid :
		strcmp(name, "nanoflake") == 0 ? nanoflake :
		strcmp(name, "ulidflake") == 0 ? ulidflake : NULL;
}

/* Status of an instant outside the field; infinity exceeds every field */
static FlakeStatus
refuse_instant(const FlakeLayout *layout, const char *input)
{
	FlakeInstant at;
	uint64_t	ms = 0;
	FlakeStatus status;

	if (strcmp(input, "infinity") == 0)
		at = instant(INT64_MAX / 1000 - 1, 0);
	else if (strcmp(input, "-infinity") == 0)
		at = instant(INT64_MIN / 1000, 0);
	else
		at = flake_instant_from_unix_us(parse_unix_us(input));
	status = flake_ms_of(layout, at, FLAKE_EPOCH_2024_MS, &ms);
	CHECK_EQ(flake_id_min(layout, at, FLAKE_EPOCH_2024_MS),
			 status == FLAKE_BEFORE_FIELD ? 0 : INT64_MAX);
	CHECK_EQ(flake_ms_clamped(layout, at, FLAKE_EPOCH_2024_MS),
			 status == FLAKE_BEFORE_FIELD ? 0 : flake_last_ms(layout));
	return status;
}

/* Rows of invalid.tsv that are not text */
static void
test_invalid(void)
{
	Vectors    *v = vectors_open("invalid.tsv");
	int			rows = 0;

	while (vectors_next(v))
	{
		const FlakeLayout *layout = layout_named(vectors_text(v, "format"));
		const char *encoding = vectors_text(v, "encoding");
		const char *sqlstate = vectors_text(v, "sqlstate");
		const char *input = vectors_text(v, "input");
		long long	number = strtoll(input, NULL, 10);

		rows++;
		if (layout == NULL)
			rows--;
		else if (strcmp(encoding, "timestamptz") == 0)
		{
			CHECK_TEXT(sqlstate, "22008");
			CHECK_EQ(refuse_instant(layout, input),
					 input[0] == '-' || strncmp(input, "2023", 4) == 0 ?
					 FLAKE_BEFORE_FIELD : FLAKE_BEYOND_FIELD);
		}
		else if (strcmp(encoding, "bigint") == 0)
		{
			CHECK_TEXT(sqlstate, "22003");
			CHECK_EQ(flake_check_id(layout, (uint64_t) number),
					 FLAKE_OUT_OF_RANGE);
		}
		else if (strcmp(encoding, "generator") == 0 ||
				 strcmp(encoding, "sequence") == 0 ||
				 strcmp(encoding, "scalability") == 0)
		{
			unsigned	width = encoding[0] == 'g' ? layout->generator_bits :
				layout == ulidflake ? FLAKE_SCALABILITY_BITS :
				layout->sequence_bits;

			CHECK_TEXT(sqlstate, "22023");
			CHECK(number < 0 || (uint64_t) number == flake_mask(width) + 1);
		}
		else
			rows--;
	}
	CHECK_EQ(rows, 26);
}

/*
 * Every layout fills 64 bits, or 63 bits and a sign; fields have their
 * expected values.
 */
static void
test_layouts(void)
{
	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		const FlakeLayout *layout = &flake_layouts[format];
		unsigned	bits = layout->time_bits + flake_low_bits(layout);

		CHECK_EQ(bits, format == FLAKE_FLUID ? 64 : 63);
		CHECK_EQ(flake_check_id(layout, INT64_MAX), FLAKE_OK);
		CHECK_EQ(flake_check_id(layout, UINT64_MAX),
				 format == FLAKE_FLUID ? FLAKE_OK : FLAKE_OUT_OF_RANGE);
		CHECK_EQ(flake_id_pack(layout, layout->last_generated_ms,
							   (uint32_t) flake_mask(layout->generator_bits),
							   (uint32_t) flake_mask(layout->sequence_bits)),
				 INT64_MAX);
	}
}

/* Both ends of the field, with epochs near and far, before 1970 too */
static void
test_epochs(void)
{
	static const int64_t epochs_ms[] = {
		0, 1, -1, -1001, FLAKE_EPOCH_2024_MS,
		INT64_C(-210866803200000),	/* first of timestamptz, 4714 BC */
		INT64_C(9224318015999999),	/* and last, 294276 */
	};

	for (size_t i = 0; i < sizeof(epochs_ms) / sizeof(epochs_ms[0]); i++)
	{
		for (int format = 0; format < FLAKE_FORMATS; format++)
		{
			const FlakeLayout *layout = &flake_layouts[format];
			int64_t		epoch_ms = epochs_ms[i];
			int64_t		last_ms = epoch_ms + (int64_t) flake_last_ms(layout);
			int64_t		probes_ms[] = {
				epoch_ms, epoch_ms + 1,
				epoch_ms + (int64_t) layout->last_generated_ms,
				epoch_ms + (int64_t) layout->last_generated_ms + 1,
				last_ms, epoch_ms - 1, last_ms + 1
			};

			for (int p = 0; p < 7; p++)
			{
				int64_t		unix_s = probes_ms[p] / 1000;
				int64_t		ms_in_s = probes_ms[p] % 1000;
				FlakeInstant at;
				uint64_t	ms = 0;

				if (ms_in_s < 0)
				{
					ms_in_s += 1000;
					unix_s--;
				}
				at = instant(unix_s, (uint32_t) ms_in_s * 1000000 + 999999);
				CHECK_EQ(flake_unix_ms(at), probes_ms[p]);
				if (probes_ms[p] < epoch_ms || probes_ms[p] > last_ms)
				{
					FlakeStatus status = probes_ms[p] < epoch_ms ?
						FLAKE_BEFORE_FIELD : FLAKE_BEYOND_FIELD;

					CHECK_EQ(flake_ms_of(layout, at, epoch_ms, &ms), status);
					CHECK_EQ(flake_id_min(layout, at, epoch_ms),
							 status == FLAKE_BEFORE_FIELD ? 0 : INT64_MAX);
					continue;
				}
				CHECK_EQ(flake_ms_of(layout, at, epoch_ms, &ms), FLAKE_OK);
				CHECK_EQ(ms, probes_ms[p] - epoch_ms);
				check_min(layout, at, epoch_ms, ms);
			}
		}
	}
}

/* Any bits are valid fields, and encode to the same bits again. */
static void
test_round_trip(void)
{
	for (int i = 0; i < 100000; i++)
	{
		const FlakeLayout *layout = &flake_layouts[i % FLAKE_FORMATS];
		uint64_t	id = unit_random64() >> (layout == fluid ? 0 : 1);

		MUST(flake_id_pack(layout, flake_id_ms(layout, id),
						   flake_id_generator(layout, id),
						   flake_id_sequence(layout, id)) == id);
		MUST(flake_ulid_low(flake_ulid_random15(id),
							flake_ulid_scalability(id)) == (id & 0xfffff));
	}
}

void
test_flake(void)
{
	test_layouts();
	test_fluid();
	test_nanoflake();
	test_ulidflake();
	test_invalid();
	test_epochs();
	test_round_trip();
}
