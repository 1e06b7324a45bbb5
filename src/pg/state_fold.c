/*
 * state_fold.c
 *		The rules that change the state file: the fold for a new postmaster,
 *		horizons, reset and raise (PROTOCOL.md, rules 3, 5 to 8).
 */
#include "postgres.h"

#include "pg/compat.h"

#include <sys/mman.h>

#include "access/xlogrecovery.h"
#include "storage/fd.h"
#include "utils/timestamp.h"

#include "pg/clock.h"
#include "pg/state.h"

/* The newest mark of a format over all slots. */
uint64
flakeid_highest_mark(const FlakeidState *state, FlakeFormat format)
{
	uint64		highest = 0;

	if (format == FLAKE_ULIDFLAKE)
		return 0;
	for (int slot = 0; slot < FLAKEID_STATE_SLOTS; slot++)
	{
		FlakeidSlot *line = unconstify(FlakeidSlot *, &state->slots[slot]);

		highest = Max(highest, pg_atomic_read_u64(&line->mark_ms[format]));
	}
	return highest;
}

/* Raise a number that others raise too; never lowers it. */
static void
raise_to(pg_atomic_uint64 *number, uint64 value)
{
	uint64		old = pg_atomic_read_u64(number);

	while (old < value &&
		   !pg_atomic_compare_exchange_u64(number, &old, value))
		;
}

static void
lower_to(pg_atomic_uint64 *number, uint64 value)
{
	if (pg_atomic_read_u64(number) > value)
		pg_atomic_write_u64(number, value);
}

/* The file's first bytes, on disk. */
static void
sync_file(FlakeidState *state, size_t size)
{
	if (msync(state, size, MS_SYNC) != 0)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not fsync file \"%s\": %m",
						FLAKEID_STATE_FILE)));
}

static void
sync_header(FlakeidState *state)
{
	sync_file(state, FLAKEID_STATE_HEADER);
}

/* A reset takes back every mark, word and horizon above the present clock. */
static void
lower_format(FlakeidState *state, FlakeFormat format, uint64 now_ms)
{
	FlakeidLimits *limits = &state->header.limits[format];
	pg_atomic_uint64 *word = &state->words[format].word;

	if (format != FLAKE_ULIDFLAKE)
	{
		for (int slot = 0; slot < FLAKEID_STATE_SLOTS; slot++)
			lower_to(&state->slots[slot].mark_ms[format], now_ms);
	}
	pg_atomic_write_u64(word, flake_word_lowered(&flake_layouts[format],
												 pg_atomic_read_u64(word),
												 now_ms));
	lower_to(&limits->allowed_ms, now_ms);
	lower_to(&limits->horizon_ms, now_ms);
}

/* One format's new floor, from all that the file and the server know. */
static uint64
fold_format(FlakeidState *state, const FlakeidRecord *old,
			const FlakeidRecord *new, FlakeFormat format)
{
	static const char unknown[FLAKEID_BOOT_ID_SIZE];
	TimestampTz replayed = GetLatestXTime();
	FlakeFold	fold = {
		.floor_ms = pg_atomic_read_u64(&state->header.limits[format].floor_ms),
		.horizon_ms = pg_atomic_read_u64(&state->header.limits[format].horizon_ms),
		.word = pg_atomic_read_u64(&state->words[format].word),
		.highest_mark_ms = flakeid_highest_mark(state, format),
		.old_epoch_ms = (format < old->formats ? old : new)->in_force.epoch_ms[format],
		.new_epoch_ms = new->in_force.epoch_ms[format],
		.another_boot = memcmp(old->boot_id, new->boot_id,
							   FLAKEID_BOOT_ID_SIZE) != 0 ||
		memcmp(new->boot_id, unknown, FLAKEID_BOOT_ID_SIZE) == 0,
		.has_replayed = replayed != 0,
		.replayed = flakeid_instant_from_timestamptz(replayed),
	};

	return flake_fold_floor(&flake_layouts[format], &fold);
}

/*
 * Fold the file of another postmaster; the caller holds the exclusive lock.
 * Floors first, then the address, and the identity last with the new record,
 * so that a fold that was killed is done again.  Settings that do not hold
 * together raise before anything is written.
 */
void
flakeid_state_fold(FlakeidState *state)
{
	FlakeidHeader *header = &state->header;
	const FlakeidRecord *old = flakeid_state_record(state);
	uint64		next = 1 - (pg_atomic_read_u64(&header->current) & 1);
	bool		reset = pg_atomic_read_u64(&header->reset) != 0;
	FlakeInstant now = flakeid_clock_now();
	FlakeidRecord new = {0};

	flakeid_configured_address(&new.in_force);
	flakeid_check_address(&new.in_force);
	flakeid_read_boot_id(new.boot_id);
	flakeid_own_identity(&new.identity);
	flakeid_seal_record(&new);

	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		uint64		floor_ms;

		if (reset)
		{
			floor_ms = flake_ms_clamped(&flake_layouts[format], now,
										new.in_force.epoch_ms[format]);
			lower_format(state, format, floor_ms);
		}
		else
			floor_ms = fold_format(state, old, &new, format);
		pg_atomic_write_u64(&header->limits[format].floor_ms, floor_ms);
	}

	/*
	 * On disk, since a power loss must neither take away the floor by the
	 * replayed commit, which no later fold knows, nor bring back the marks
	 * that a reset lowered, nor take away the name of a file whose maker was
	 * killed before he had synced it.
	 */
	sync_file(state, reset ? sizeof(FlakeidState) : FLAKEID_STATE_HEADER);
	fsync_fname(FLAKEID_STATE_FOLDER, true);
	pg_atomic_write_u64(&header->reset, 0);
	header->records[next].record = new;
	pg_write_barrier();
	pg_atomic_write_u64(&header->current, next);
}

/*
 * Allow ids up to the millisecond and 10 s more: the new horizon goes to disk
 * before anyone uses it, so that after a power loss the fold finds it.  Done
 * early it is the work of the first to raise it; who needs it does it anyway,
 * so that a raiser who was killed holds nobody up.
 */
void
flakeid_raise_horizon(FlakeFormat format, uint64 ms, bool needed)
{
	FlakeidLimits *limits = &flakeid_state->header.limits[format];
	uint64		horizon_ms = pg_atomic_read_u64(&limits->horizon_ms);
	uint64		raised_ms = flake_horizon_for(ms);

	if (horizon_ms < raised_ms &&
		pg_atomic_compare_exchange_u64(&limits->horizon_ms, &horizon_ms,
									   raised_ms))
		horizon_ms = raised_ms;
	else if (!needed)
		return;
	sync_header(flakeid_state);
	pg_write_barrier();
	raise_to(&limits->allowed_ms, horizon_ms);
}

/* The next start begins at the present clock. */
void
flakeid_request_reset(void)
{
	pg_atomic_write_u64(&flakeid_state->header.reset, 1);
	sync_header(flakeid_state);
}

/* Raise the floors, for who attaches later and for the words at once. */
void
flakeid_raise_floors(const uint64 *floors_ms)
{
	for (int format = 0; format < FLAKE_FORMATS; format++)
		raise_to(&flakeid_state->header.limits[format].floor_ms,
				 floors_ms[format]);
	sync_header(flakeid_state);
}
