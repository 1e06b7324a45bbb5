/*
 * horizon.c
 *		Fold and raise the horizons of this database; lock, judge and write
 *		their pages.
 *
 * The horizon is a time on disk that no id of the database is later than, so
 * that after a crash all ids that were returned are at or before it.  The
 * first process of a start folds it: all its ids begin after the horizon that
 * it finds.  Then each process that needs a later millisecond raises the
 * horizon, some way ahead of the clock, and has it flushed before it returns
 * the id.
 *
 * A horizon is last_value of a sequence, and its tag is log_cnt.  Both are
 * changed in place, under the exclusive lock of the buffer, by a generic WAL
 * record.  That is not transactional, and, other than nextval(), works in
 * read-only transactions and parallel workers.  The record has full images of
 * the pages: nextval() changes a page without WAL, so a delta would be wrong.
 *
 * What changes several horizons locks all, judges all, then writes all in one
 * record: no error, other call or crash leaves some of them changed.  Only
 * sequences whose files are in no WAL yet (wal_level = minimal) are outside of
 * it: a crash takes them away.  Locks are taken in this order: relations, then
 * buffers, each in the order of the formats.  A relation is locked as
 * nextval() does, since a raise must not be lost in the old file of an ALTER
 * SEQUENCE.
 *
 * Floor and raised_ms of the shared state change under the buffer lock, before
 * the page: a process that finds the tag of this start on the page finds the
 * floor in the state.
 *
 * Messages are raised after the buffer locks have been released: sending them
 * waits for a client that does not read.
 *
 * What is done to a page depends on what this start finds it to be:
 *
 *				generate	reset		cancel		raise the floor
 *	current		raise (1)	request		-			raise
 *	pending		room		-			raise		refuse
 *	earlier		raise		request		raise (2)	raise
 *	reset		raise		-			raise (3)	raise
 *	refused		refuse		raise (4)	refuse (2)	raise (3) or refuse (5)
 *
 *	raise		Write a later horizon with the tag of this start, so that the
 *				page is current.  First the server's floor rises: to the
 *				horizon of an earlier page, to the clock for a reset.
 *	room		Use up some of the room of the reset; refuse ids beyond it.
 *	request		Write the tag of a reset, so that the page is pending, if ids
 *				are far ahead of the clock.
 *
 *	(1)	if the horizon is near
 *	(2)	if the page has the tag of a reset, which does not hold
 *	(3)	as an earlier page: ids continue after its horizon
 *	(4)	as a reset: ids begin at the clock; then pages that are not refused
 *		are left alone
 *	(5)	if the floor is below its horizon
 *
 * Refusing a page is an error; the call then changes nothing.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/generic_xlog.h"
#include "access/htup_details.h"
#include "access/relation.h"
#include "access/xlog.h"
#include "catalog/dependency.h"
#include "catalog/pg_class.h"
#include "commands/extension.h"
#include "commands/sequence.h"
#include "miscadmin.h"
#include "storage/bufmgr.h"
#include "storage/sinval.h"
#include "utils/builtins.h"
#include "utils/catcache.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/syscache.h"

#include "pg/clock.h"
#include "pg/horizon.h"
#include "pg/sql.h"

/* last_value, log_cnt, is_called */
#define SEQUENCE_COLUMNS	3

/*
 * The server has no function that writes tag and horizon, so this file changes
 * the only row of the page in place.  A server whose page is another one must
 * not be built for: what differs fails here, or else in sequence_row().
 */
StaticAssertDecl(SEQ_MAGIC == 0x1717,
				 "this server has another page of a sequence");
#define OFFSET(column)	offsetof(FormData_pg_sequence_data, column)
#define SIZE(column)	sizeof(((FormData_pg_sequence_data *) NULL)->column)

StaticAssertDecl(OFFSET(last_value) == 0 && SIZE(last_value) == 8 &&
				 OFFSET(log_cnt) == 8 && SIZE(log_cnt) == 8 &&
				 OFFSET(is_called) == 16 &&
				 SEQ_COL_LASTCOL == SEQUENCE_COLUMNS,
				 "this server has another row of a sequence");
StaticAssertDecl(FLAKE_FORMATS <= FLAKEID_STATE_FORMATS &&
				 FLAKEID_STATE_FORMATS <= MAX_GENERIC_XLOG_PAGES,
				 "one record has the pages of all formats");

/*
 * The sequence of the format: the relation of its name that is a member of the
 * extension, whatever its schema.  InvalidOid if there is none, or more than
 * one: the library is newer than the extension in this database, or somebody
 * has renamed the sequence or taken it away.
 */
static Oid
find_sequence(const FlakeidGenerator *generator)
{
	char	   *name = psprintf("flakeid_%s_horizon",
								generator->layout->sql_name);
	Oid			extension = get_extension_oid("flakeid", true);
	CatCList   *list;
	Oid			result = InvalidOid;
	int			members = 0;

	if (!OidIsValid(extension))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("extension \"flakeid\" does not exist in this database"),
				 errhint("Run CREATE EXTENSION flakeid.")));
	list = SearchSysCacheList1(RELNAMENSP, CStringGetDatum(name));
	for (int i = 0; i < list->n_members; i++)
	{
		HeapTuple	tuple = &list->members[i]->tuple;
		Oid			relation = ((Form_pg_class) GETSTRUCT(tuple))->oid;

		if (getExtensionOfObject(RelationRelationId, relation) == extension)
		{
			result = relation;
			members++;
		}
	}
	ReleaseSysCacheList(list);
	return members == 1 ? result : InvalidOid;
}

/*
 * Has the format a horizon in this database?  Looks it up, since no message
 * says that a sequence was taken out of the extension.
 */
bool
flakeid_horizon_exists(FlakeidGenerator *generator)
{
	Oid			sequence = find_sequence(generator);

	if (sequence != generator->horizon.sequence)
		flakeid_generator_forget(generator);
	generator->horizon.sequence = sequence;
	return OidIsValid(sequence);
}

pg_noreturn static void
report_missing(const FlakeLayout *layout)
{
	ereport(ERROR,
			(errcode(ERRCODE_UNDEFINED_TABLE),
			 errmsg("sequence \"flakeid_%s_horizon\" of extension \"flakeid\" does not exist",
					layout->sql_name),
			 errhint("If it was renamed, give it this name again; if it was removed from the extension, add it. Otherwise run ALTER EXTENSION flakeid UPDATE, or create the extension again.")));
}

/* Only a permanent sequence survives a crash. */
static void
check_sequence(Relation sequence)
{
	const char *name = RelationGetRelationName(sequence);

	if (sequence->rd_rel->relkind != RELKIND_SEQUENCE)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("\"%s\" is not a sequence", name)));
	if (sequence->rd_rel->relpersistence != RELPERSISTENCE_PERMANENT)
	{
		Oid			namespace = RelationGetNamespace(sequence);
		char	   *schema = get_namespace_name(namespace);

		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("sequence \"%s\" is not permanent", name),
				 errdetail("After a crash, 64-bit ids could be generated again."),
				 errhint("Run ALTER SEQUENCE %s SET LOGGED.",
						 quote_qualified_identifier(schema, name))));
	}
}

/* Are all sequences locked, and those that their names mean now? */
static bool
are_open(const FlakeidPage *pages, int n, bool names_may_differ)
{
	for (int i = 0; i < n; i++)
	{
		const FlakeidPage *page = &pages[i];

		if (page->sequence == NULL ||
			(names_may_differ && find_sequence(page->generator) !=
			 RelationGetRelid(page->sequence)))
			return false;
	}
	return true;
}

/*
 * Lock the sequences, which were found.  As in RangeVarGetRelid(), each must
 * still have its name if a message arrived meanwhile: two may have exchanged
 * theirs.  Otherwise nothing is locked, and the result is false.
 */
static bool
try_open(FlakeidPage *pages, int n)
{
	uint64		messages = SharedInvalidMessageCounter;

	for (int i = 0; i < n; i++)
		pages[i].sequence =
			try_relation_open(pages[i].generator->horizon.sequence,
							  pages[i].lockmode);
	if (are_open(pages, n, messages != SharedInvalidMessageCounter))
		return true;
	for (int i = 0; i < n; i++)
	{
		flakeid_generator_forget(pages[i].generator);
		if (pages[i].sequence != NULL)
			relation_close(pages[i].sequence, pages[i].lockmode);
	}
	return false;
}

/* Two sequences with one file would lock its page twice, and hang. */
static void
check_file(const FlakeidPage *pages, int last)
{
	for (int i = 0; i < last; i++)
		if (pages[i].buffer == pages[last].buffer)
			ereport(ERROR,
					(errcode(ERRCODE_DATA_CORRUPTED),
					 errmsg("sequences \"%s\" and \"%s\" have the same file",
							RelationGetRelationName(pages[i].sequence),
							RelationGetRelationName(pages[last].sequence))));
}

/*
 * Lock the sequences of the formats from first to last that have one, and pin
 * their pages.  Returns the number of them.  If a known sequence suffices,
 * only one that this process does not know is looked up.
 */
static int
open_sequences(FlakeidPage *pages, int first, int last, LOCKMODE lockmode,
			   bool known_suffices)
{
	int			n;

	do
	{
		CHECK_FOR_INTERRUPTS();
		n = 0;
		for (int format = first; format <= last; format++)
		{
			FlakeidGenerator *generator = flakeid_generator(format);
			bool		known = known_suffices &&
				OidIsValid(generator->horizon.sequence);

			if (known || flakeid_horizon_exists(generator))
				pages[n++] = (FlakeidPage) {
					.generator = generator, .lockmode = lockmode
				};
		}
	} while (!try_open(pages, n));
	for (int i = 0; i < n; i++)
	{
		FlakeidPage *page = &pages[i];

		/* Opening can invalidate: flakeid_generator_forget() */
		page->generator->horizon.sequence = RelationGetRelid(page->sequence);
		check_sequence(page->sequence);
		page->buffer = ReadBuffer(page->sequence, 0);
		check_file(pages, i);
	}
	return n;
}

/* The only row of a sequence, or NULL if the page is not one of a sequence. */
static Form_pg_sequence_data
sequence_row(Page page)
{
	HeapTupleHeader tuple;
	ItemId		item;

	if (PageGetSpecialSize(page) != MAXALIGN(sizeof(uint32)) ||
		*(uint32 *) PageGetSpecialPointer(page) != SEQ_MAGIC ||
		PageGetMaxOffsetNumber(page) != FirstOffsetNumber)
		return NULL;
	item = PageGetItemId(page, FirstOffsetNumber);
	tuple = (HeapTupleHeader) PageGetItem(page, item);
	if (HeapTupleHeaderGetNatts(tuple) != SEQUENCE_COLUMNS)
		return NULL;
	return (Form_pg_sequence_data) ((char *) tuple + tuple->t_hoff);
}

/* Unlock pages, and release the locks of their relations. */
void
flakeid_pages_close(FlakeidPage *pages, int n)
{
	for (int i = 0; i < n; i++)
		UnlockReleaseBuffer(pages[i].buffer);
	for (int i = 0; i < n; i++)
		relation_close(pages[i].sequence, pages[i].lockmode);
}

pg_noreturn static void
report_damaged(FlakeidPage *pages, int n, Relation sequence)
{
	char	   *name = pstrdup(RelationGetRelationName(sequence));

	flakeid_pages_close(pages, n);
	ereport(ERROR,
			(errcode(ERRCODE_DATA_CORRUPTED),
			 errmsg("the page of sequence \"%s\" is damaged", name)));
}

/* Lock the pages of open sequences, and read them. */
static void
lock_pages(FlakeidPage *pages, int n, int buffer_lock)
{
	for (int i = 0; i < n; i++)
		LockBuffer(pages[i].buffer, buffer_lock);
	for (int i = 0; i < n; i++)
	{
		Page		image = BufferGetPage(pages[i].buffer);
		Form_pg_sequence_data row = sequence_row(image);

		if (row == NULL)
			report_damaged(pages, n, pages[i].sequence);
		pages[i].stored.horizon_ms = Max(row->last_value, 0);
		pages[i].stored.tag = row->log_cnt;
	}
}

/* The horizon as a time of ids; it may be stored past the end of the field. */
uint64
flakeid_page_horizon_ms(const FlakeidPage *page)
{
	return Min((uint64) page->stored.horizon_ms,
			   flake_last_ms(page->generator->layout));
}

/*
 * Floor below the ids that come after a page of this state: its horizon, or
 * for a reset the clock.  The server's floor holds for a page of this start.
 */
static uint64
floor_below(const FlakeidPage *page, FlakeVerdict as)
{
	switch (as)
	{
		case FLAKE_HORIZON_EARLIER:
			return flakeid_page_horizon_ms(page);
		case FLAKE_HORIZON_RESET:
			return page->start.now_ms;
		default:
			return 0;
	}
}

/* Compare a page with this start (doc/internals/protocol.md). */
static void
judge(FlakeidPage *page)
{
	const FlakeidGenerator *generator = page->generator;
	XLogRecPtr	lsn = PageGetLSN(BufferGetPage(page->buffer));

	page->start = (FlakeStart) {
		.number = flakeid_start_number(),
		/* With wal_level = minimal, a new sequence has no LSN yet. */
		.page_is_older = lsn != 0 &&
			lsn <= pg_atomic_read_u64(&flakeid_state->start.lsn),
		.timeline = GetWALInsertionTimeLine(),
		.cluster = GetSystemIdentifier(),
		.epoch_ms = generator->epoch_ms,
		.now_ms = flake_ms_clamped(generator->layout, flakeid_clock_now(),
								   generator->epoch_ms),
	};
	page->verdict = flake_judge(&page->stored, &page->start);
	page->floor_ms = floor_below(page, page->verdict);
}

/* Lock the pages of these formats to write them; returns their number. */
static int
open_pages(FlakeidPage *pages, int first, int last, bool known_suffices)
{
	int			n = open_sequences(pages, first, last, RowExclusiveLock,
								   known_suffices);

	lock_pages(pages, n, BUFFER_LOCK_EXCLUSIVE);
	for (int i = 0; i < n; i++)
		judge(&pages[i]);
	return n;
}

/* Lock the page of a format for an id; the format must have one. */
static void
open_page(FlakeidPage *page, const FlakeidGenerator *generator)
{
	const FlakeFormat format = generator->format;

	if (open_pages(page, format, format, true) == 0)
		report_missing(generator->layout);
}

/* Lock the pages of all formats that have one; returns their number. */
int
flakeid_pages_open_all(FlakeidPage *pages)
{
	return open_pages(pages, 0, FLAKE_FORMATS - 1, false);
}

/*
 * Lock the page of a format to read it, also during recovery, when it cannot
 * be judged.  False if the format has none.
 */
bool
flakeid_page_read(FlakeidPage *page, const FlakeidGenerator *generator,
				  bool judges)
{
	const FlakeFormat format = generator->format;

	if (open_sequences(page, format, format, AccessShareLock, false) == 0)
		return false;
	lock_pages(page, 1, BUFFER_LOCK_SHARE);
	if (judges)
		judge(page);
	return true;
}

/*
 * The horizon as a time of ids, and the room of a pending reset, whose warning
 * has named the ids up to there.
 */
uint64
flakeid_page_last_ms(const FlakeidPage *page)
{
	uint64		room_s = page->verdict == FLAKE_HORIZON_PENDING ?
		flake_tag_room_s(page->stored.tag) : 0;

	return Min((uint64) page->stored.horizon_ms + room_s * 1000,
			   flake_last_ms(page->generator->layout));
}

/* Raise the server's floor to that of the page. */
static void
fold_page(const FlakeidPage *page)
{
	FlakeidFormatState *shared = page->generator->shared;

	flakeid_raise_to(&shared->raised_ms, page->floor_ms);
	flakeid_raise_to(&shared->floor_ms, page->floor_ms);
}

/* Change horizon and tag in the next write. */
void
flakeid_page_set(FlakeidPage *page, uint64 horizon_ms, int64 tag)
{
	page->changes = true;
	page->next.horizon_ms = (int64) horizon_ms;
	page->next.tag = tag;
}

/*
 * Raise the horizon for ids up to ms in the next write, as that of a page of
 * this state.  A page that this start has not written yet may come from
 * another hand, so it gets no less than any other page.
 */
void
flakeid_page_raise(FlakeidPage *page, FlakeVerdict as, uint64 ms)
{
	FlakeidFormatState *shared = page->generator->shared;
	uint64		lead_ms = flakeid_lead_ms(page->generator);
	uint64		horizon_ms = flake_horizon_for(lead_ms, ms,
											   page->start.now_ms);

	if (as != FLAKE_HORIZON_RESET)
		horizon_ms = Max(horizon_ms, (uint64) page->stored.horizon_ms);
	if (as != FLAKE_HORIZON_CURRENT)
		horizon_ms = Max(horizon_ms, pg_atomic_read_u64(&shared->raised_ms));
	page->floor_ms = floor_below(page, as);
	flakeid_page_set(page, horizon_ms, flake_tag(&page->start));
}

/*
 * While a reset is pending, raise the horizon for ids up to ms in the next
 * write, by whole seconds of the room, so that the last id stays the same.
 */
static void
use_room(FlakeidPage *page, uint64 ms)
{
	uint64		horizon_ms = (uint64) page->stored.horizon_ms;
	uint64		room_s = flake_tag_room_s(page->stored.tag);
	uint64		lead_ms = flakeid_lead_ms(page->generator);
	uint64		wanted_ms = flake_horizon_for(lead_ms, ms, page->start.now_ms);
	uint64		used_s;

	if (wanted_ms <= horizon_ms)
		return;
	used_s = Min((wanted_ms - horizon_ms + 999) / 1000, room_s);
	if (used_s > 0)
		flakeid_page_set(page, horizon_ms + used_s * 1000,
						 flake_tag_reset(&page->start, room_s - used_s));
}

/*
 * Write the pages that change, in one record.  With wal_level = minimal,
 * sequences that this transaction has created or rewritten must not be in the
 * WAL: they have a second record, which is not logged.  An error is possible
 * only before the first change, so both records are begun first.
 */
static void
write_pages(FlakeidPage *pages, int n)
{
	GenericXLogState *logged = NULL;
	GenericXLogState *unlogged = NULL;
	Page		images[FLAKE_FORMATS];

	Assert(n <= FLAKE_FORMATS);
	for (int i = 0; i < n; i++)
	{
		GenericXLogState **record = RelationNeedsWAL(pages[i].sequence) ?
			&logged : &unlogged;

		if (!pages[i].changes)
			continue;
		if (*record == NULL)
			*record = GenericXLogStart(pages[i].sequence);
		images[i] = GenericXLogRegisterBuffer(*record, pages[i].buffer,
											  GENERIC_XLOG_FULL_IMAGE);
	}
	for (int i = 0; i < n; i++)
	{
		FlakeidPage *page = &pages[i];
		Form_pg_sequence_data row;

		if (!page->changes)
			continue;
		fold_page(page);
		flakeid_raise_to(&page->generator->shared->raised_ms,
						 (uint64) page->next.horizon_ms);
		row = sequence_row(images[i]);
		row->last_value = page->next.horizon_ms;
		row->log_cnt = page->next.tag;
		page->stored = page->next;
	}
	if (logged != NULL)
		(void) GenericXLogFinish(logged);
	if (unlogged != NULL)
		(void) GenericXLogFinish(unlogged);
}

/* Must the call end, by a cancel, a timeout or the end of the session? */
static bool
is_canceled(void)
{
	return QueryCancelPending || ProcDiePending || TransactionTimeoutPending;
}

/*
 * Write the pages for a call of an administrator, unlock them, and flush them:
 * also those that do not change, since another process may not have flushed
 * them yet, nor may a synchronous standby have them.  So their WAL counts as
 * that of this transaction: given a transaction id, COMMIT waits for it.
 *
 * A cancel before the write ends the call without effect.  A later one waits
 * until the call is complete, and a warning says so; then it ends the
 * statement, which may do more than this call.
 */
void
flakeid_pages_write_and_flush(FlakeidPage *pages, int n)
{
	XLogRecPtr	lsn = 0;

	if (is_canceled())
	{
		flakeid_pages_close(pages, n);
		CHECK_FOR_INTERRUPTS();
		/* The server ignored what is pending, but the pages are closed. */
		ereport(ERROR,
				(errcode(ERRCODE_QUERY_CANCELED),
				 errmsg("canceling statement due to an interrupt"),
				 errhint("Call it again.")));
	}
	HOLD_INTERRUPTS();
	write_pages(pages, n);
	for (int i = 0; i < n; i++)
		lsn = Max(lsn, PageGetLSN(BufferGetPage(pages[i].buffer)));
	flakeid_pages_close(pages, n);
	XLogFlush(lsn);
	XactLastRecEnd = Max(XactLastRecEnd, lsn);
	RESUME_INTERRUPTS();
	if (is_canceled())
		ereport(WARNING,
				(errmsg("the call was canceled while it flushed the WAL, and is in effect"),
				 errhint("To wait for synchronous standbys, call it again.")));
}

/* The horizon cannot be trusted. */
pg_noreturn static void
refuse_horizon(const FlakeLayout *layout, const char *horizon)
{
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("the epoch of %s was moved, or sequence \"flakeid_%s_horizon\" was changed: ids would continue at %s",
					layout->name, layout->sql_name, horizon),
			 errdetail("New ids must be greater than previously generated ids, so their timestamps would be far ahead of the clock."),
			 errhint("If \"flakeid.%s_epoch\" was changed, set it to its previous value and restart the server. If no column contains ids of both epochs, call flakeid_reset_horizon() instead. To continue at that time, also after pg_upgrade of a server whose ids were ahead of the clock, call flakeid_raise_floor('%s').",
					 layout->sql_name, horizon)));
}

/* A reset has named all ids up to its horizon. */
pg_noreturn static void
refuse_while_pending(const FlakeLayout *layout, const char *horizon)
{
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("the horizon of %s cannot be raised while a reset is pending",
					layout->name),
			 errdetail("After flakeid_reset_horizon(), no id of this database can be later than %s before the server is restarted.",
					   horizon),
			 errhint("Restart the server, or call flakeid_cancel_reset().")));
}

/*
 * Report that a page, which is closed by now, cannot be used: it is refused,
 * or a reset is pending.
 */
void
flakeid_page_refuse(const FlakeidPage *page)
{
	const FlakeLayout *layout = page->generator->layout;
	int64		last_ms = page->start.epoch_ms +
		(int64) flakeid_page_last_ms(page);

	if (page->verdict == FLAKE_HORIZON_PENDING)
		refuse_while_pending(layout, flakeid_epoch_text(last_ms));
	refuse_horizon(layout, flakeid_epoch_text(last_ms));
}

/* Refuse an id, because of this page. */
pg_noreturn static void
refuse_id(FlakeidPage *page)
{
	flakeid_pages_close(page, 1);
	(void) pg_atomic_fetch_add_u64(&page->generator->shared->refusals, 1);
	flakeid_page_refuse(page);
}

/*
 * Fold the horizon if it is of an earlier start, so that the floor of the
 * shared state holds.  Writes nothing: folding again changes nothing, and the
 * first id stores the tag of this start.
 */
void
flakeid_horizon_fold(FlakeidGenerator *generator)
{
	FlakeidPage page;

	open_page(&page, generator);
	if (page.verdict == FLAKE_HORIZON_REFUSED)
		refuse_id(&page);
	fold_page(&page);
	flakeid_pages_close(&page, 1);
}

/* Warn, once the page is closed, that a reset was requested elsewhere. */
static void
warn_of_ignored_reset(const FlakeLayout *layout)
{
	ereport(WARNING,
			(errmsg("a pending flakeid_reset_horizon() is ignored for %s",
					layout->name),
			 errdetail("It was called before this server was promoted or restored, or before the epoch was changed, and was meant for the server of that time."),
			 errhint("If ids are ahead of the clock here, call flakeid_reset_horizon() and restart the server.")));
}

/*
 * Raise the horizon for ids up to ms, unless it is high enough, and remember
 * it.
 */
static void
ensure_horizon(FlakeidGenerator *generator, uint64 ms)
{
	FlakeidPage page;
	bool		is_near;
	bool		reset_is_ignored;

	open_page(&page, generator);
	reset_is_ignored = page.verdict == FLAKE_HORIZON_EARLIER &&
		flake_tag_is_reset(page.stored.tag);
	is_near = flake_horizon_is_near(flakeid_lead_ms(generator), ms,
									page.start.now_ms,
									(uint64) page.stored.horizon_ms);
	switch (page.verdict)
	{
		case FLAKE_HORIZON_REFUSED:
			refuse_id(&page);
		case FLAKE_HORIZON_PENDING:
			if (ms > flakeid_page_last_ms(&page))
				refuse_id(&page);
			if (is_near)
				use_room(&page, ms);
			break;
		case FLAKE_HORIZON_CURRENT:
			if (is_near)
				flakeid_page_raise(&page, page.verdict, ms);
			break;
		case FLAKE_HORIZON_EARLIER:
		case FLAKE_HORIZON_RESET:
			flakeid_page_raise(&page, page.verdict, ms);
	}
	write_pages(&page, 1);
	generator->horizon.seen_ms = (uint64) page.stored.horizon_ms;
	generator->horizon.seen_lsn = PageGetLSN(BufferGetPage(page.buffer));
	flakeid_pages_close(&page, 1);
	if (reset_is_ignored)
		warn_of_ignored_reset(generator->layout);
}

/* Allow ids up to ms; waits for a flush unless another one has done it. */
void
flakeid_horizon_allow(FlakeidGenerator *generator, uint64 ms)
{
	FlakeidKnownHorizon *horizon = &generator->horizon;
	int64		begun_us;
	uint64		flush_ms;

	if (ms > horizon->seen_ms)
		ensure_horizon(generator, ms);
	Assert(ms <= horizon->seen_ms);
	begun_us = flakeid_monotonic_us();
	XLogFlush(horizon->seen_lsn);
	flush_ms = (uint64) (flakeid_monotonic_us() - begun_us) / 1000;
	horizon->lead_ms = flake_lead_after_flush(horizon->lead_ms, flush_ms);
	horizon->allowed_ms = horizon->seen_ms;
}

/*
 * Raise the horizon ahead of need, without waiting: the next commit or the WAL
 * writer flushes it.  Does nothing if it is not near.
 */
void
flakeid_horizon_raise_early(FlakeidGenerator *generator, uint64 ms)
{
	ensure_horizon(generator, ms);
	XLogSetAsyncXactLSN(generator->horizon.seen_lsn);
}
