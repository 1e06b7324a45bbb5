/*
 * state_fold.c
 *		The rules that change the state file: the fold for a new postmaster,
 *		horizons, reset and raise (doc/protocol.md, rules 3, 5 to 8, 11, 12, 14).
 */
#include "postgres.h"

#include "pg/compat.h"

#include <sys/mman.h>

#include "access/xlogrecovery.h"
#include "storage/fd.h"
#include "utils/timestamp.h"

#include "pg/clock.h"
#include "pg/state.h"

/* Raise a number that others raise too; never lowers it. */
void
flakeid_raise_to(pg_atomic_uint64 *number, uint64 value)
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

/*
 * Sync the first bytes of the file.  The system may report a failure only
 * once, and then treat unwritten pages as clean, so the header records the
 * failure.  In case a process was killed before recording it, the store below
 * makes the system write the header again.
 */
static void
sync_file(FlakeidState *state, size_t size)
{
	uint64		current = pg_atomic_read_u64(&state->header.current);
	int			save_errno;

	(void) pg_atomic_compare_exchange_u64(&state->header.current, &current,
										  current);
	if (msync(state, size, MS_SYNC) == 0)
		return;
	save_errno = errno;
	pg_atomic_write_u64(&state->header.unsynced, 1);
	errno = save_errno;
	ereport(ERROR,
			(errcode_for_file_access(),
			 errmsg("could not fsync file \"%s\": %m", FLAKEID_STATE_FILE),
			 errhint("Check the disk, and restart the server.")));
}

/* Sync the header of the mapped file. */
static void
sync_header(void)
{
	if (pg_atomic_read_u64(&flakeid_state->header.unsynced) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_IO_ERROR),
				 errmsg("an earlier fsync of state file \"%s\" failed",
						FLAKEID_STATE_FILE),
				 errhint("Check the disk, and restart the server.")));
	sync_file(flakeid_state, FLAKEID_STATE_HEADER);
}

/* Dirty every page of the file, so that the next sync writes all of it. */
static void
dirty_all(FlakeidState *state)
{
	char	   *bytes = (char *) state;

	for (size_t at = 0; at < sizeof(FlakeidState); at += FLAKEID_STATE_HEADER)
	{
		pg_atomic_uint64 *number = (pg_atomic_uint64 *) (bytes + at);

		pg_atomic_write_u64(number, pg_atomic_read_u64(number));
	}
}

/* Reset: lower marks, word and horizons that are above the clock. */
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
	lower_to(&limits->synced_ms, now_ms);
	lower_to(&limits->horizon_ms, now_ms);
}

/* Input of flake_fold_floor() for a format. */
static FlakeFold
format_fold(FlakeidState *state, const FlakeidRecord *old,
			const FlakeidRecord *new, uint64 mark_ms, FlakeFormat format)
{
	static const char unknown[FLAKEID_BOOT_ID_SIZE];
	TimestampTz replayed = GetLatestXTime();

	return (FlakeFold) {
		.floor_ms = pg_atomic_read_u64(&state->header.limits[format].floor_ms),
		.horizon_ms = pg_atomic_read_u64(&state->header.limits[format].horizon_ms),
		.word = pg_atomic_read_u64(&state->words[format].word),
		.highest_mark_ms = mark_ms,
		.old_epoch_ms = flakeid_record_config(old).epoch_ms[format],
		.new_epoch_ms = new->in_effect.epoch_ms[format],
		.another_boot = memcmp(old->boot_id, new->boot_id,
							   FLAKEID_BOOT_ID_SIZE) != 0 ||
		memcmp(new->boot_id, unknown, FLAKEID_BOOT_ID_SIZE) == 0,
		.has_replayed = replayed != 0,
		.replayed = flakeid_instant_from_timestamptz(replayed),
	};
}

/*
 * Was a reset requested for this file?  A request made before the file was
 * copied, for example in a base backup, was meant for another server.
 */
static bool
reset_is_due(FlakeidState *state, const FlakeidRecord *old,
			 const FlakeidPlace *place, FlakeidReport *report)
{
	if (pg_atomic_read_u64(&state->header.reset) == 0)
		return false;
	if (old->inode == place->inode && GetLatestXTime() == 0)
		return true;
	report->reset_ignored = true;
	return false;
}

pg_noreturn static void
refuse_epoch(FlakeFormat format, const FlakeFold *fold, uint64 floor_ms)
{
	const FlakeLayout *layout = &flake_layouts[format];

	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("the epoch of %s was moved from %s to %s, so its ids would continue at %s",
					layout->name, flakeid_epoch_text(fold->old_epoch_ms),
					flakeid_epoch_text(fold->new_epoch_ms),
					flakeid_epoch_text(fold->new_epoch_ms + (int64) floor_ms)),
			 errdetail("Counted from a later epoch, the ids of today would duplicate previously generated ids. New ids must be greater than those, so their timestamps would be far ahead of the clock."),
			 errhint("Set flakeid.%s_epoch to its previous value and reload the configuration. If no column contains both old and new ids, call flakeid_reset_clock() instead.",
					 layout->sql_name)));
}

/*
 * Compute the floors for the new record; true if a reset is needed instead.
 * Nothing is written yet, since a refused epoch must leave the file unchanged.
 */
static bool
new_floors(FlakeidState *state, const FlakeidRecord *old,
		   const FlakeidRecord *new, const uint64 *marks_ms,
		   FlakeidFoldMode mode, uint64 *floors_ms)
{
	FlakeInstant now = flakeid_clock_now();

	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		const FlakeLayout *layout = &flake_layouts[format];
		FlakeFold	fold = format_fold(state, old, new, marks_ms[format],
										  format);

		floors_ms[format] = flake_fold_floor(layout, &fold);
		if (!flake_fold_is_refused(layout, &fold, floors_ms[format], now))
			continue;
		if (mode == FLAKEID_FOLD)
			refuse_epoch(format, &fold, floors_ms[format]);
		return true;
	}
	return false;
}

/* Compute floors at the clock, and lower everything above them. */
static void
reset_clock(FlakeidState *state, const FlakeidConfig *address,
			uint64 *floors_ms)
{
	FlakeInstant now = flakeid_clock_now();

	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		floors_ms[format] = flake_ms_clamped(&flake_layouts[format], now,
											 address->epoch_ms[format]);
		lower_format(state, format, floors_ms[format]);
	}
}

/* Reset the counters; no process increments them during the fold. */
static void
begin_counters(FlakeidHeader *header)
{
	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		FlakeidLimits *limits = &header->limits[format];

		pg_atomic_write_u64(&limits->waits, 0);
		pg_atomic_write_u64(&limits->refusals, 0);
		pg_atomic_write_u64(&limits->steps_back, 0);
		pg_atomic_write_u64(&limits->longest_wait_us, 0);
	}
}

/* Fill in the record of this postmaster; the settings are already checked. */
static void
new_record(FlakeidRecord *new, const FlakeidPlace *place)
{
	memset(new, 0, sizeof(*new));
	flakeid_configured(&new->in_effect);
	flakeid_read_boot_id(new->boot_id);
	flakeid_own_identity(&new->identity);
	new->device = place->device;
	new->inode = place->inode;
	flakeid_seal_record(new);
}

/*
 * Fold the file of another postmaster; the caller holds the exclusive lock.
 * The floors are written first, and the record with address and identity last,
 * so that a fold that is killed is repeated.
 */
void
flakeid_state_fold(FlakeidState *state, const FlakeidPlace *place,
				   const uint64 *marks_ms, FlakeidFoldMode mode,
				   FlakeidReport *report)
{
	FlakeidHeader *header = &state->header;
	const FlakeidRecord *old = flakeid_state_record(state);
	uint64		next = 1 - (pg_atomic_read_u64(&header->current) & 1);
	bool		sync_all = pg_atomic_read_u64(&header->unsynced) != 0;
	bool		reset;			/* requested, or needed now */
	uint64		floors_ms[FLAKE_FORMATS];
	FlakeidRecord new;

	new_record(&new, place);
	reset = reset_is_due(state, old, place, report);
	if (!reset && new_floors(state, old, &new, marks_ms, mode, floors_ms))
	{
		flakeid_find_newest(state, report->newest_ms);
		report->reset = true;
		reset = true;
	}
	if (reset)
		sync_all = true;
	if (sync_all)
		dirty_all(state);
	if (reset)
		reset_clock(state, &new.in_effect, floors_ms);
	for (int format = 0; format < FLAKE_FORMATS; format++)
		pg_atomic_write_u64(&header->limits[format].floor_ms,
							floors_ms[format]);
	begin_counters(header);

	/*
	 * Sync now: a power loss must not lose the floor from the replayed commit,
	 * which no later fold knows; nor restore marks that a reset lowered; nor
	 * lose the name of a file whose creator was killed before syncing it.
	 */
	sync_file(state, sync_all ? sizeof(FlakeidState) : FLAKEID_STATE_HEADER);
	fsync_fname(FLAKEID_STATE_FOLDER, true);
	pg_atomic_write_u64(&header->unsynced, 0);
	pg_atomic_write_u64(&header->reset, 0);
	header->records[next].record = new;
	pg_write_barrier();
	pg_atomic_write_u64(&header->current, next);
}

/*
 * Allow ids up to ms plus 10 s.  The new horizon is synced before any process
 * uses it, so that the fold finds it after a power loss.  An early raise is
 * left to the winner of the compare-and-swap; if needed, sync in any case, so
 * that a killed winner does not block others.
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
	sync_header();
	pg_write_barrier();
	flakeid_raise_to(&limits->synced_ms, horizon_ms);
}

/* Request that ids begin at the clock after the next start. */
void
flakeid_request_reset(void)
{
	pg_atomic_write_u64(&flakeid_state->header.reset, 1);
	sync_header();
}

/* Raise the floors; effective at once for shared words, else at attach. */
void
flakeid_raise_floors(const uint64 *floors_ms)
{
	for (int format = 0; format < flakeid_formats_in_effect(); format++)
		flakeid_raise_to(&flakeid_state->header.limits[format].floor_ms,
						 floors_ms[format]);
	sync_header();
}

/*
 * Newest millisecond in which ids of each format may have been generated.  A
 * floor may lie beyond the last one that generators use.
 */
void
flakeid_find_newest(const FlakeidState *state, uint64 *newest_ms)
{
	FlakeidState *file = unconstify(FlakeidState *, state);

	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		const FlakeLayout *layout = &flake_layouts[format];
		uint64		mark_ms = flakeid_highest_mark(state, format);
		uint64		floor_ms = pg_atomic_read_u64(&file->header.limits[format].floor_ms);
		uint64		word = pg_atomic_read_u64(&file->words[format].word);
		uint64		ms = Max(Max(mark_ms, floor_ms), flake_id_ms(layout, word));

		newest_ms[format] = Min(ms, layout->last_generated_ms);
	}
}

/* Report the ids that can be generated again because of a reset. */
void
flakeid_notice_reset(const uint64 *newest_ms, const FlakeidConfig *address,
					 int formats, bool at_once)
{
	FlakeInstant now = flakeid_clock_now();

	for (int format = 0; format < formats; format++)
	{
		const FlakeLayout *layout = &flake_layouts[format];
		int64		epoch_ms = address->epoch_ms[format];
		uint64		now_ms = flake_ms_clamped(layout, now, epoch_ms);
		uint64		last_ms = newest_ms[format];

		if (last_ms <= now_ms)
			ereport(NOTICE,
					(errmsg("no %s id is ahead of the clock",
							layout->name)));
		else
			ereport(NOTICE,
					(errmsg("%s, %s ids %llu to %llu can be generated again",
							at_once ? "from now on" : "after the next restart",
							layout->name,
							(unsigned long long) flake_time_part(layout, now_ms + 1),
							(unsigned long long) (flake_time_part(layout, last_ms) |
												  flake_mask(flake_low_bits(layout)))),
					 errdetail("Their timestamps range from the current time to %s.",
							   flakeid_epoch_text(epoch_ms + (int64) last_ms)),
					 errhint("Delete or renumber them before the clock reaches their timestamps, or change flakeid.node_id.")));
	}
}
