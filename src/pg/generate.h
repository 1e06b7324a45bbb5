/*
 * generate.h
 *		Generate FLUIDs, Nanoflakes and Ulid-Flakes.
 */
#ifndef FLAKEID_PG_GENERATE_H
#define FLAKEID_PG_GENERATE_H

#include "pg/clock.h"
#include "pg/generator.h"

extern FlakeidGenerator *flakeid_attach_slow(FlakeFormat format);
extern int64 flakeid_generate_own(FlakeidGenerator *generator, int64 now_ms);
extern int64 flakeid_generate_shared(FlakeidGenerator *generator,
									 const FlakeIncrement *increment);
extern int64 flakeid_generate_slow(FlakeFormat format);

/* Attach, in the first call of a process or after the sequence changed. */
static inline FlakeidGenerator *
flakeid_attach(FlakeFormat format)
{
	FlakeidGenerator *generator = &flakeid_generators[format];

	if (unlikely(generator->place == FLAKEID_DETACHED))
		return flakeid_attach_slow(format);
	return generator;
}

/* Clock in ms since the epoch of the format; negative before it. */
static inline int64
flakeid_now_ms(const FlakeidGenerator *generator)
{
	return flake_unix_ms(flakeid_clock_now()) - generator->epoch_ms;
}

/*
 * Generate an id of a format that counts by one.  Inlined per format, so that
 * the addresses of generator and layout are constants.
 */
static pg_attribute_always_inline int64
flakeid_generate(FlakeFormat format)
{
	FlakeidGenerator *generator = &flakeid_generators[format];
	int64		now_ms;

	if (unlikely(generator->place != FLAKEID_OWN_POSITION))
		return flakeid_generate_slow(format);
	now_ms = flakeid_now_ms(generator);
	if (!flake_step_in_ms(&generator->increment, now_ms, &generator->history,
						  &generator->position))
		return flakeid_generate_own(generator, now_ms);
	return (int64) flake_position_id(&flake_layouts[format], &generator->range,
									 generator->position);
}

#endif							/* FLAKEID_PG_GENERATE_H */
