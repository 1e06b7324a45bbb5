/*
 * generate.h
 *		Generate FLUIDs, Nanoflakes and Ulid-Flakes.
 */
#ifndef FLAKEID_PG_GENERATE_H
#define FLAKEID_PG_GENERATE_H

#include "pg/clock.h"
#include "pg/generator.h"

extern FlakeidGenerator *flakeid_attach_slow(FlakeFormat format);
extern int64 flakeid_generate_slow(FlakeidGenerator *generator,
								   const FlakeIncrement *increment);

/* Attach, in the first call of a process or after the sequence changed. */
static inline FlakeidGenerator *
flakeid_attach(FlakeFormat format)
{
	FlakeidGenerator *generator = &flakeid_generators[format];

	if (unlikely(!generator->attached))
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
 * the addresses of generator and layout are constants.  The common case is the
 * next id in the millisecond of this process's newest one.
 */
static pg_attribute_always_inline int64
flakeid_generate(FlakeFormat format)
{
	FlakeidGenerator *generator = &flakeid_generators[format];

	if (likely(generator->position.ms > 0) &&
		flake_step_in_ms(&generator->increment, flakeid_now_ms(generator),
						 &generator->history, &generator->position))
		return (int64) flake_position_id(&flake_layouts[format],
										 &generator->share,
										 generator->position);
	return flakeid_generate_slow(flakeid_attach(format),
								 &generator->increment);
}

#endif							/* FLAKEID_PG_GENERATE_H */
