/*
 * generate.h
 *		The 64-bit generators of this process.
 */
#ifndef FLAKEID_PG_GENERATE_H
#define FLAKEID_PG_GENERATE_H

#include "format/flake.h"
#include "pg/clock.h"
#include "port/atomics.h"

/*
 * Generator of a format in this process.  It attaches to the shared state and
 * to the horizon of the database, and again when the horizon's sequence may
 * have changed.
 */
typedef struct FlakeidGenerator
{
	bool		attached;
	bool		own_position;	/* attached, in backend scope; otherwise the
								 * shared word is the position */
	int64		epoch_ms;
	FlakeCounterRange range;
	FlakeIncrement increment;
	FlakePosition position;		/* the newest id of this process */
	FlakeClockHistory history;
	pg_atomic_uint64 *mark_ms;	/* backend scope: this slot's */
	pg_atomic_uint64 *word;		/* server scope: the shared word ... */
	pg_atomic_uint64 *floor_ms; /* ... which must exceed this floor */
	uint64		steps_counted;	/* part of history.steps_back already counted
								 * for the server */
} FlakeidGenerator;

extern FlakeidGenerator flakeid_generators[FLAKE_FORMATS];

extern void flakeid_attach_slow(FlakeFormat format);
extern bool flakeid_count_in_word(FlakeFormat format);
extern int64 flakeid_generate_own(FlakeFormat format, int64 now_ms);
extern int64 flakeid_generate_slow(FlakeFormat format);
extern int64 flakeid_generate_shared(FlakeFormat format,
									 const FlakeIncrement *increment);

/* Attach, in the first call of a process or after the sequence changed. */
static inline void
flakeid_attach(FlakeFormat format)
{
	if (unlikely(!flakeid_generators[format].attached))
		flakeid_attach_slow(format);
}

/* Clock in ms since the epoch of the format; negative before it. */
static inline int64
flakeid_now_ms(const FlakeidGenerator *generator)
{
	return flake_unix_ms(flakeid_clock_now()) - generator->epoch_ms;
}

/*
 * Generate an id of a format that counts by one.  Inlined per format, so that
 * the array index is a constant.
 */
static pg_attribute_always_inline int64
flakeid_generate(FlakeFormat format)
{
	FlakeidGenerator *generator = &flakeid_generators[format];
	const FlakeLayout *layout = &flake_layouts[format];

	if (likely(generator->own_position))
	{
		int64		now_ms = flakeid_now_ms(generator);

		if (!flake_step_in_ms(&generator->increment, now_ms,
							  &generator->history, &generator->position))
			return flakeid_generate_own(format, now_ms);
	}
	else if (!flakeid_count_in_word(format))
		return flakeid_generate_slow(format);
	return (int64) flake_position_id(layout, &generator->range,
									 generator->position);
}

#endif							/* FLAKEID_PG_GENERATE_H */
