/*
 * horizon.c
 *		Raise, reset and read the horizons of this database.
 *
 * A horizon is last_value of a sequence, and its tag is log_cnt.  Both are
 * changed in place, under the exclusive lock of the buffer, by a generic WAL
 * record.  That is not transactional, and, other than nextval(), works in
 * read-only transactions and parallel workers.  The record has a full image of the page:
 * nextval() changes the page without WAL, so a delta would be wrong.
 *
 * The relation is locked as nextval() does, since a raise must not be lost in
 * the old file of an ALTER SEQUENCE.  Locks are taken in this order: relation,
 * buffer.  Floor and raised_ms of the shared state change under the buffer
 * lock, before the page: a process that finds the tag of this start on the
 * page finds the floor in the state.
 *
 * Messages are raised after the buffer lock has been released: sending them
 * waits for a client that does not read.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/generic_xlog.h"
#include "access/htup_details.h"
#include "access/relation.h"
#include "access/xlog.h"
#include "catalog/pg_class.h"
#include "commands/extension.h"
#include "commands/sequence.h"
#include "storage/bufmgr.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "pg/clock.h"
#include "pg/horizon.h"
#include "pg/settings.h"
#include "pg/sql.h"
#include "pg/state.h"

/* In the special space of each sequence; in no header before 19. */
#define SEQUENCE_MAGIC	0x1717

FlakeidHorizon flakeid_horizons[FLAKE_FORMATS];

/* The page of a horizon, locked. */
typedef struct LockedPage
{
	FlakeFormat format;
	Relation	sequence;
	LOCKMODE	lockmode;
	Buffer		buffer;
	FlakeStart	start;
	FlakePage	page;
	FlakePageState state;
} LockedPage;

static Oid
look_up_sequence(FlakeFormat format)
{
	Oid			extension = get_extension_oid("flakeid", true);
	char	   *name = psprintf("flakeid_%s_horizon",
								flake_layouts[format].sql_name);
	Oid			result;

	if (!OidIsValid(extension))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("extension \"flakeid\" does not exist in this database"),
				 errhint("Run CREATE EXTENSION flakeid.")));
	result = flakeid_member_relation(extension, name);
	if (!OidIsValid(result))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("sequence \"%s\" of extension \"flakeid\" does not exist",
						name),
				 errhint("If it was renamed, give it this name again; if it was removed from the extension, add it. Otherwise run ALTER EXTENSION flakeid UPDATE, or create the extension again.")));
	return result;
}

/* Only a permanent sequence survives a crash. */
static void
check_sequence(Relation sequence)
{
	if (sequence->rd_rel->relkind != RELKIND_SEQUENCE)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("\"%s\" is not a sequence",
						RelationGetRelationName(sequence))));
	if (sequence->rd_rel->relpersistence != RELPERSISTENCE_PERMANENT)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("sequence \"%s\" is not permanent",
						RelationGetRelationName(sequence)),
				 errdetail("After a crash, 64-bit ids could be generated again."),
				 errhint("Run ALTER SEQUENCE %s SET LOGGED.",
						 quote_qualified_identifier(get_namespace_name(RelationGetNamespace(sequence)),
													RelationGetRelationName(sequence)))));
}

/*
 * The sequence may be dropped and created again while we wait for its lock.
 * Its changes that arrive then make the process forget what it knew of it.
 */
static Relation
open_sequence(FlakeFormat format, LOCKMODE lockmode)
{
	FlakeidHorizon *horizon = &flakeid_horizons[format];
	Relation	sequence;
	Oid			oid;

	do
	{
		if (!OidIsValid(horizon->sequence))
			horizon->sequence = look_up_sequence(format);
		oid = horizon->sequence;
		sequence = try_relation_open(oid, lockmode);
		if (sequence == NULL)
			flakeid_horizon_forget(format);
	} while (sequence == NULL);
	horizon->sequence = oid;
	check_sequence(sequence);
	return sequence;
}

/* The only row of a sequence, or NULL if the page is not one of a sequence. */
static Form_pg_sequence_data
sequence_row(Page page)
{
	HeapTupleHeader tuple;

	if (PageGetSpecialSize(page) != MAXALIGN(sizeof(uint32)) ||
		*(uint32 *) PageGetSpecialPointer(page) != SEQUENCE_MAGIC ||
		PageGetMaxOffsetNumber(page) != FirstOffsetNumber)
		return NULL;
	tuple = (HeapTupleHeader) PageGetItem(page, PageGetItemId(page, FirstOffsetNumber));
	return (Form_pg_sequence_data) ((char *) tuple + tuple->t_hoff);
}

static void
close_page(LockedPage *locked)
{
	UnlockReleaseBuffer(locked->buffer);
	relation_close(locked->sequence, locked->lockmode);
}

/* Lock the page and read it. */
static void
open_page(FlakeFormat format, LOCKMODE lockmode, int buffer_lock,
		  LockedPage *locked)
{
	Form_pg_sequence_data row;

	locked->format = format;
	locked->lockmode = lockmode;
	locked->sequence = open_sequence(format, lockmode);
	locked->buffer = ReadBuffer(locked->sequence, 0);
	LockBuffer(locked->buffer, buffer_lock);
	row = sequence_row(BufferGetPage(locked->buffer));
	if (row == NULL)
	{
		char	   *name = pstrdup(RelationGetRelationName(locked->sequence));

		close_page(locked);
		ereport(ERROR,
				(errcode(ERRCODE_DATA_CORRUPTED),
				 errmsg("the page of sequence \"%s\" is damaged", name)));
	}
	locked->page.horizon_ms = Max(row->last_value, 0);
	locked->page.tag = row->log_cnt;
}

/* Compare the page with this start. */
static void
compare_page(LockedPage *locked)
{
	const FlakeLayout *layout = &flake_layouts[locked->format];
	int64		epoch_ms = flakeid_config()->epoch_ms[locked->format];

	locked->start = (FlakeStart) {
		.number = flakeid_start_number(),
		.timeline = GetWALInsertionTimeLine(),
		.epoch_ms = epoch_ms,
		.now_ms = flake_ms_clamped(layout, flakeid_clock_now(), epoch_ms),
	};
	locked->state = flake_page_state(&locked->page, &locked->start);
}

static void
open_and_compare(FlakeFormat format, LockedPage *locked)
{
	open_page(format, RowExclusiveLock, BUFFER_LOCK_EXCLUSIVE, locked);
	compare_page(locked);
}

/* The horizon as a time of ids; it may lie past the end of the field. */
static uint64
horizon_in_field(const LockedPage *locked)
{
	return Min((uint64) locked->page.horizon_ms,
			   flake_last_ms(&flake_layouts[locked->format]));
}

/* Floor that the page asks for. */
static uint64
page_floor_ms(const LockedPage *locked)
{
	switch (locked->state)
	{
		case FLAKE_PAGE_EARLIER:
			return horizon_in_field(locked);
		case FLAKE_PAGE_RESET:
			return locked->start.now_ms;
		default:
			return 0;
	}
}

/* Fold: let the shared state know the horizon of an earlier start. */
static void
fold(const LockedPage *locked)
{
	FlakeidLimits *limits = &flakeid_state->limits[locked->format];
	uint64		floor_ms = page_floor_ms(locked);

	flakeid_raise_to(&limits->raised_ms, floor_ms);
	flakeid_raise_to(&limits->floor_ms, floor_ms);
}

/* Does a reset wait for the next start? */
static bool
reset_is_pending(const LockedPage *locked)
{
	return locked->state == FLAKE_PAGE_CURRENT &&
		flake_tag_is_reset(locked->page.tag);
}

/* Store horizon and tag. */
static void
store(LockedPage *locked, uint64 horizon_ms, int64 tag)
{
	GenericXLogState *record;
	Form_pg_sequence_data row;

	record = GenericXLogStart(locked->sequence);
	row = sequence_row(GenericXLogRegisterBuffer(record, locked->buffer,
												 GENERIC_XLOG_FULL_IMAGE));
	row->last_value = (int64) horizon_ms;
	row->log_cnt = tag;
	(void) GenericXLogFinish(record);
	locked->page.horizon_ms = (int64) horizon_ms;
}

/* The same, and let the shared state know the horizon first. */
static void
write_page(LockedPage *locked, uint64 horizon_ms, int64 tag)
{
	flakeid_raise_to(&flakeid_state->limits[locked->format].raised_ms,
					 horizon_ms);
	store(locked, horizon_ms, tag);
}

/*
 * Horizon for ids up to ms.  A page that this start has not written yet may
 * come from another hand, so it gets no less than any other page.
 */
static uint64
new_horizon_ms(const LockedPage *locked, uint64 ms)
{
	FlakeidLimits *limits = &flakeid_state->limits[locked->format];
	uint64		horizon_ms = flake_horizon_for(flakeid_horizon_lead_ms(locked->format),
											   ms, locked->start.now_ms);

	if (locked->state != FLAKE_PAGE_RESET)
		horizon_ms = Max(horizon_ms, (uint64) locked->page.horizon_ms);
	if (locked->state != FLAKE_PAGE_CURRENT)
		horizon_ms = Max(horizon_ms, pg_atomic_read_u64(&limits->raised_ms));
	return horizon_ms;
}

/* Let this process use the horizon up to here, once it is flushed. */
static void
remember(const LockedPage *locked, uint64 seen_ms)
{
	FlakeidHorizon *horizon = &flakeid_horizons[locked->format];

	horizon->seen_ms = seen_ms;
	horizon->seen_lsn = PageGetLSN(BufferGetPage(locked->buffer));
}

/* Close the page and raise: its horizon cannot be trusted. */
pg_noreturn static void
refuse_page(LockedPage *locked)
{
	const FlakeLayout *layout = &flake_layouts[locked->format];
	char	   *horizon = flakeid_epoch_text(locked->start.epoch_ms +
											 (int64) horizon_in_field(locked));

	close_page(locked);
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("the epoch of %s was moved, or sequence \"flakeid_%s_horizon\" was changed: ids would continue at %s",
					layout->name, layout->sql_name, horizon),
			 errdetail("New ids must be greater than previously generated ids, so their timestamps would be far ahead of the clock."),
			 errhint("If \"flakeid.%s_epoch\" was changed, set it to its previous value and restart the server. If no column contains both old and new ids, call flakeid_reset_clock() instead. To continue at that time, also after pg_upgrade of a server whose ids were ahead of the clock, call flakeid_raise_floor('%s').",
					 layout->sql_name, horizon)));
}

/* Close the page and raise: a reset has named all ids up to its horizon. */
pg_noreturn static void
refuse_while_pending(LockedPage *locked)
{
	const FlakeLayout *layout = &flake_layouts[locked->format];
	char	   *horizon = flakeid_epoch_text(locked->start.epoch_ms +
											 (int64) horizon_in_field(locked));

	close_page(locked);
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("the horizon of %s cannot be raised while a reset of the clock is pending",
					layout->name),
			 errdetail("After flakeid_reset_clock(), no id of this database can be later than %s before the server is restarted.",
					   horizon),
			 errhint("Restart the server, or call flakeid_cancel_reset().")));
}

static void
fold_or_refuse(LockedPage *locked)
{
	if (locked->state == FLAKE_PAGE_REFUSED)
		refuse_page(locked);
	fold(locked);
}

/* Warn, once the page is closed, that a reset was requested elsewhere. */
static void
warn_of_reset(FlakeFormat format)
{
	ereport(WARNING,
			(errmsg("a pending flakeid_reset_clock() is ignored for %s",
					flake_layouts[format].name),
			 errdetail("It was called before this server was promoted or restored, and was meant for the server of that time."),
			 errhint("If ids are ahead of the clock here, call flakeid_reset_clock() and restart the server.")));
}

/*
 * While a reset is pending, no more of the horizon than usual is used, and the
 * shared state knows how much: flakeid_cancel_reset() gives back the rest.
 */
static uint64
use_while_pending(LockedPage *locked, uint64 ms)
{
	uint64		horizon_ms = (uint64) locked->page.horizon_ms;
	uint64		seen_ms = flake_horizon_for(flakeid_horizon_lead_ms(locked->format),
											ms, locked->start.now_ms);

	if (ms > horizon_ms)
		refuse_while_pending(locked);
	seen_ms = Min(seen_ms, horizon_ms);
	flakeid_raise_to(&flakeid_state->limits[locked->format].raised_ms, seen_ms);
	return seen_ms;
}

/* Raise the horizon for ids up to ms unless it is high enough; remember it. */
static void
ensure_horizon(FlakeFormat format, uint64 ms)
{
	LockedPage	locked;
	uint64		seen_ms;
	bool		reset_ignored;

	open_and_compare(format, &locked);
	fold_or_refuse(&locked);
	reset_ignored = locked.state == FLAKE_PAGE_EARLIER &&
		flake_tag_is_reset(locked.page.tag);
	if (reset_is_pending(&locked))
		seen_ms = use_while_pending(&locked, ms);
	else
	{
		if (locked.state != FLAKE_PAGE_CURRENT ||
			flake_horizon_is_near(flakeid_horizon_lead_ms(format), ms,
								  locked.start.now_ms,
								  (uint64) locked.page.horizon_ms))
			write_page(&locked, new_horizon_ms(&locked, ms),
					   flake_tag(&locked.start));
		seen_ms = (uint64) locked.page.horizon_ms;
	}
	remember(&locked, seen_ms);
	close_page(&locked);
	if (reset_ignored)
		warn_of_reset(format);
}

/*
 * Fold the horizon if it is of an earlier start, so that the floor of the
 * shared state holds.  Writes nothing: folding again changes nothing, and the
 * first id stores the tag of this start.
 */
void
flakeid_horizon_attach(FlakeFormat format)
{
	LockedPage	locked;

	open_and_compare(format, &locked);
	fold_or_refuse(&locked);
	close_page(&locked);
}

/* Allow ids up to ms; waits for a flush unless another one has done it. */
void
flakeid_horizon_allow(FlakeFormat format, uint64 ms)
{
	FlakeidHorizon *horizon = &flakeid_horizons[format];

	int64		begun_us;

	if (ms > horizon->seen_ms)
		ensure_horizon(format, ms);
	begun_us = flakeid_monotonic_us();
	XLogFlush(horizon->seen_lsn);
	horizon->lead_ms = flake_lead_after_flush(horizon->lead_ms,
											  (uint64) (flakeid_monotonic_us() - begun_us) / 1000);
	horizon->allowed_ms = horizon->seen_ms;
}

/*
 * Raise the horizon ahead of need, without waiting: the next commit or the WAL
 * writer flushes it.  Does nothing if it is not near.
 */
void
flakeid_horizon_raise_early(FlakeFormat format, uint64 ms)
{
	ensure_horizon(format, ms);
	XLogSetAsyncXactLSN(flakeid_horizons[format].seen_lsn);
}

/* The sequence may have changed: look again before the next id. */
void
flakeid_horizon_forget(FlakeFormat format)
{
	flakeid_horizons[format] = (FlakeidHorizon) {
		.lead_ms = flakeid_horizons[format].lead_ms
	};
}

/* The page was written: unlock it, and flush. */
static void
close_and_flush(LockedPage *locked)
{
	XLogRecPtr	lsn = PageGetLSN(BufferGetPage(locked->buffer));

	close_page(locked);
	XLogFlush(lsn);
}

/* Write, unlock and flush; the caller has opened the page. */
static void
write_and_flush(LockedPage *locked, uint64 ms)
{
	write_page(locked, new_horizon_ms(locked, ms), flake_tag(&locked->start));
	close_and_flush(locked);
}

/*
 * Open the page to raise a floor, or raise an error.  Whoever names a time
 * after a refused horizon accepts that horizon.
 */
static void
open_for_floor(FlakeFormat format, uint64 floor_ms, LockedPage *locked)
{
	open_and_compare(format, locked);
	if (locked->state == FLAKE_PAGE_REFUSED &&
		floor_ms >= horizon_in_field(locked))
		locked->state = FLAKE_PAGE_EARLIER;
	if (locked->state == FLAKE_PAGE_REFUSED)
		refuse_page(locked);
	if (reset_is_pending(locked))
		refuse_while_pending(locked);
}

/*
 * Raise the error that flakeid_horizon_raise_floor() would raise.  The lock of
 * the sequence stays, so that later no wait for it can fail.
 */
void
flakeid_horizon_check_floor(FlakeFormat format, uint64 floor_ms)
{
	LockedPage	locked;

	open_for_floor(format, floor_ms, &locked);
	locked.lockmode = NoLock;
	close_page(&locked);
}

/* Raise the floor of the server and the horizon of this database; flushed. */
void
flakeid_horizon_raise_floor(FlakeFormat format, uint64 floor_ms)
{
	LockedPage	locked;

	open_for_floor(format, floor_ms, &locked);
	fold(&locked);
	flakeid_raise_to(&flakeid_state->limits[format].floor_ms, floor_ms);
	write_and_flush(&locked, floor_ms);
}

/*
 * Is there a reset on the page, which this start has requested or which its
 * first id uses?
 */
static bool
has_reset(const LockedPage *locked)
{
	return locked->state == FLAKE_PAGE_RESET || reset_is_pending(locked);
}

/* Newest id before a reset, or the horizon, where ids continue otherwise. */
static uint64
newest_before_reset_ms(const LockedPage *locked)
{
	if (locked->state == FLAKE_PAGE_REFUSED || has_reset(locked))
		return horizon_in_field(locked);
	return Max(flakeid_newest_ms(locked->format), horizon_in_field(locked));
}

/*
 * What flakeid_horizon_reset() would do now.  A lead, or a few small steps of
 * the clock, are no reason for a reset.
 */
void
flakeid_horizon_plan_reset(FlakeFormat format, FlakeidReset *reset)
{
	LockedPage	locked;
	uint64		newest_ms;

	open_and_compare(format, &locked);
	newest_ms = newest_before_reset_ms(&locked);
	*reset = (FlakeidReset) {
		.refused = locked.state == FLAKE_PAGE_REFUSED,
		.at_once = locked.state != FLAKE_PAGE_CURRENT && locked.state != FLAKE_PAGE_EARLIER,
		.now_ms = locked.start.now_ms
	};
	if (reset->refused || has_reset(&locked))
		reset->last_ms = newest_ms;
	else if (newest_ms > locked.start.now_ms + FLAKE_MAX_LEAD_MS)
		reset->last_ms = newest_ms + FLAKE_RESET_ROOM_MS;
	close_page(&locked);
}

/*
 * Let ids start at the clock: at once if the horizon is refused, otherwise
 * after the next start.  Until then no horizon is raised, so that no id is
 * later than those of the plan; the horizon leaves room for ids of running
 * sessions.
 */
void
flakeid_horizon_reset(FlakeFormat format, const FlakeidReset *reset)
{
	LockedPage	locked;

	if (reset->last_ms == 0)
		return;
	open_and_compare(format, &locked);
	if (reset->refused != (locked.state == FLAKE_PAGE_REFUSED) ||
		newest_before_reset_ms(&locked) > reset->last_ms)
	{
		close_page(&locked);
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the horizon of %s was changed during flakeid_reset_clock()",
						flake_layouts[format].name),
				 errhint("Call it again.")));
	}
	if (reset->refused)
	{
		locked.state = FLAKE_PAGE_RESET;
		fold(&locked);
		write_and_flush(&locked, 0);
	}
	else if (has_reset(&locked))
		close_page(&locked);
	else
	{
		fold(&locked);
		store(&locked, reset->last_ms, flake_tag_reset(&locked.start));
		close_and_flush(&locked);
	}
}

/*
 * Take back a reset that no start has used; returns the horizon that follows,
 * or 0 if there is none.  Of a pending one, no process uses more than the
 * shared state knows; of one of an earlier start, ids may have used all.  Also
 * one that another epoch or timeline lets rest: the bit does not stay.
 */
uint64
flakeid_horizon_cancel_reset(FlakeFormat format)
{
	LockedPage	locked;

	open_and_compare(format, &locked);
	if (!flake_tag_is_reset(locked.page.tag))
	{
		close_page(&locked);
		return 0;
	}
	if (locked.state == FLAKE_PAGE_REFUSED)
		refuse_page(&locked);
	if (locked.state == FLAKE_PAGE_CURRENT)
		locked.page.horizon_ms =
			(int64) pg_atomic_read_u64(&flakeid_state->limits[format].raised_ms);
	else
		locked.state = FLAKE_PAGE_EARLIER;
	fold(&locked);
	write_and_flush(&locked, 0);
	return horizon_in_field(&locked);
}

/*
 * The state of a page, for users.  A page without a tag may come from
 * pg_upgrade or from a dump, so only a low horizon tells of another hand.
 */
static const char *
state_text(const LockedPage *locked)
{
	if (reset_is_pending(locked))
		return "reset pending";
	switch (locked->state)
	{
		case FLAKE_PAGE_CURRENT:
			return "current";
		case FLAKE_PAGE_RESET:
			return "reset";
		case FLAKE_PAGE_REFUSED:
			return "refused";
		default:
			return locked->page.tag >= 0 &&
				horizon_in_field(locked) < flakeid_newest_ms(locked->format) ?
				"changed" : "earlier";
	}
}

/*
 * Horizon as stored, and the floor that results from it; changes nothing, and
 * works during recovery.
 */
void
flakeid_horizon_status(FlakeFormat format, FlakeidHorizonStatus *status)
{
	LockedPage	locked;

	open_page(format, AccessShareLock, BUFFER_LOCK_SHARE, &locked);
	status->horizon_ms = horizon_in_field(&locked);

	/* The server may be promoted meanwhile, before this process attaches. */
	status->has_floor = flakeid_state != NULL && !RecoveryInProgress();
	if (status->has_floor)
	{
		compare_page(&locked);
		status->floor_ms =
			Max(page_floor_ms(&locked),
				pg_atomic_read_u64(&flakeid_state->limits[format].floor_ms));
		status->state = state_text(&locked);
	}
	close_page(&locked);
}
