/*
 * sequence.h
 *		Making 64-bit ids: this process's generators.
 */
#ifndef FLAKEID_PG_SEQUENCE_H
#define FLAKEID_PG_SEQUENCE_H

#include "format/flake_address.h"
#include "format/flake_next.h"
#include "pg/clock.h"
#include "port/atomics.h"

/*
 * A format's generator in this process.  attached means: the state file is
 * mapped and what follows has been read from it.
 */
typedef struct FlakeidGenerator
{
	bool		attached;
	bool		own_position;	/* attached, and in backend scope; otherwise
								 * the position is the shared word */
	uint32		scalability;	/* in force */
	int64		epoch_ms;		/* in force */
	FlakeCounterRange range;
	FlakeIncrement increment;
	FlakePosition position;		/* the newest id of this process */
	FlakeClockHistory history;
	pg_atomic_uint64 *mark_ms;	/* backend scope: this slot's */
	pg_atomic_uint64 *word;		/* server scope: the shared word ... */
	pg_atomic_uint64 *floor_ms; /* ... and what it has to lie above */
	uint64		ids;			/* made by this process */
	uint64		waits;
	uint64		refusals;
	int64		longest_wait_us;
	uint64		steps_told;		/* of history.steps_back, to the server */
} FlakeidGenerator;

extern FlakeidGenerator flakeid_generators[FLAKE_FORMATS];

extern void flakeid_attach_slow(FlakeFormat format);
extern bool flakeid_count_shared(FlakeFormat format);
extern int64 flakeid_generate_own(FlakeFormat format, int64 now_ms);
extern int64 flakeid_generate_slow(FlakeFormat format);
extern int64 flakeid_generate_shared(FlakeFormat format,
									 const FlakeIncrement *increment);

/* Attach, at the first call of a process. */
static inline void
flakeid_attach(FlakeFormat format)
{
	if (unlikely(!flakeid_generators[format].attached))
		flakeid_attach_slow(format);
}

/* The clock in ms since the format's epoch; negative before it. */
static inline int64
flakeid_now_ms(const FlakeidGenerator *generator)
{
	return flake_unix_ms(flakeid_clock_now()) - generator->epoch_ms;
}

/*
 * The next id of a format that counts by one.  Inlined per format, so that the
 * array index is a constant.
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
	else if (!flakeid_count_shared(format))
		return flakeid_generate_slow(format);
	generator->ids++;
	return (int64) flake_position_id(layout, &generator->range,
									 generator->position);
}

/* wait.c: how long one call has waited */
typedef struct FlakeidWait
{
	const FlakeIncrement *increment;	/* of the call, for messages */
	int			rounds;
	int64		started_us;		/* monotonic, when the first wait began */
	int64		waited_us;
} FlakeidWait;

extern void flakeid_wait(FlakeFormat format, FlakeStep why, uint64 position_ms,
						 FlakeidWait *wait);
pg_noreturn extern void flakeid_refuse(FlakeFormat format, FlakeStep why);

/* count.c: what happened to calls, for this process and for the server */
extern void flakeid_count_wait(FlakeFormat format);
extern void flakeid_count_refusal(FlakeFormat format);
extern void flakeid_count_steps_back(FlakeFormat format);
extern void flakeid_note_wait(FlakeFormat format, const FlakeidWait *wait);

#endif							/* FLAKEID_PG_SEQUENCE_H */
