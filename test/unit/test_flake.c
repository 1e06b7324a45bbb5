/*
 * test_flake.c
 *		FLUID, Nanoflake and Ulid-Flake: fields, instants, bounds.  The tests in
 *		SQL read the vectors.
 */
#include "format/flake.h"
#include "unit_uuid.h"

static const FlakeLayout *const fluid = &flake_layouts[FLAKE_FLUID];

/* Smallest id of the millisecond of the instant, if it is generated */
static void
check_min(const FlakeLayout *layout, FlakeInstant at, int64_t epoch_ms,
			 uint64_t ms)
{
	CHECK_EQ(flake_id_min(layout, at, epoch_ms),
			 ms > layout->last_generated_ms ? INT64_MAX :
			 (int64_t) (ms << flake_low_bits(layout)));
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
		CHECK(flake_id_fits(layout, INT64_MAX));
		CHECK_EQ(flake_id_fits(layout, UINT64_MAX), format == FLAKE_FLUID);
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
					CHECK_EQ(flake_ms_clamped(layout, at, epoch_ms),
							 status == FLAKE_BEFORE_FIELD ? 0 :
							 flake_last_ms(layout));
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
	test_epochs();
	test_round_trip();
}
