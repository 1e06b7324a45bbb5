/*
 * generator.c
 *		The 64-bit generators of this process.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "miscadmin.h"
#include "utils/inval.h"

#include "pg/generator.h"
#include "pg/settings.h"

FlakeidGenerator flakeid_generators[FLAKE_FORMATS];

/*
 * The sequence of the horizon may have changed: look again before the next id.
 * A call that is under way goes on: it checks the horizon before each
 * millisecond.
 */
void
flakeid_generator_forget(FlakeidGenerator *generator)
{
	FlakeidKnownHorizon unknown = {.lead_ms = generator->horizon.lead_ms};

	generator->attached = false;
	generator->position.ms = 0;
	generator->horizon = unknown;
}

/*
 * A relation changed, maybe the sequence of a horizon.  Also called when a
 * transaction ends that changed it, even if that is rolled back.
 */
static void
relation_changed(Datum arg, Oid relation)
{
	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		FlakeidGenerator *generator = &flakeid_generators[format];

		if (!OidIsValid(relation) || relation == generator->horizon.sequence)
			flakeid_generator_forget(generator);
	}
}

/* In the first call of a process. */
static void
prepare_all(void)
{
	CacheRegisterRelcacheCallback(relation_changed, (Datum) 0);
	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		FlakeidGenerator *generator = &flakeid_generators[format];

		generator->format = format;
		generator->layout = &flake_layouts[format];
		generator->epoch_ms = flakeid_config()->epoch_ms[format];
		generator->history.latest_ms = PG_INT64_MIN;
	}
}

/* The generator of a format; it may be detached. */
FlakeidGenerator *
flakeid_generator(FlakeFormat format)
{
	FlakeidGenerator *generator = &flakeid_generators[format];

	if (generator->layout == NULL)
		prepare_all();
	if (flakeid_state != NULL)
		generator->shared = &flakeid_state->formats[format];
	return generator;
}

/* Newest millisecond that a process of this start can have used. */
uint64
flakeid_newest_ms(const FlakeidGenerator *generator)
{
	const FlakeFormat format = generator->format;
	uint64		word = pg_atomic_read_u64(&flakeid_state->words[format].word);
	uint64		newest_ms = pg_atomic_read_u64(&generator->shared->floor_ms);

	newest_ms = Max(newest_ms, flake_id_ms(generator->layout, word));
	for (int slot = 0; slot < MaxBackends; slot++)
	{
		FlakeidSlot *holder = &flakeid_state->slots[slot];
		uint64		mark_ms = pg_atomic_read_u64(&holder->mark_ms[format]);

		newest_ms = Max(newest_ms, mark_ms);
	}
	return newest_ms;
}
