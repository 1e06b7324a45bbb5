/*
 * horizon.c
 *		Fold and raise the horizons of this database, to generate ids.
 *
 * The horizon is a time on disk that no id of the database is later than, so
 * that after a crash all ids that were returned are at or before it.  The
 * first process of a start folds it: all its ids begin after the horizon that
 * it finds.  Then each process that needs a later millisecond raises the
 * horizon, some way ahead of the clock, and has it flushed before it returns
 * the id.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/xlog.h"
#include "storage/bufmgr.h"

#include "pg/clock.h"
#include "pg/horizon.h"
#include "pg/horizon_page.h"

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

	flakeid_page_open(&page, generator);
	if (page.state == FLAKE_HORIZON_REFUSED)
		refuse_id(&page);
	flakeid_page_fold(&page);
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

	flakeid_page_open(&page, generator);
	reset_is_ignored = page.state == FLAKE_HORIZON_EARLIER &&
		flake_tag_is_reset(page.stored.tag);
	is_near = flake_horizon_is_near(flakeid_lead_ms(generator), ms,
									page.start.now_ms,
									(uint64) page.stored.horizon_ms);
	if (page.state == FLAKE_HORIZON_REFUSED ||
		(page.state == FLAKE_HORIZON_PENDING &&
		 ms > flakeid_page_last_ms(&page)))
		refuse_id(&page);
	if (page.state == FLAKE_HORIZON_PENDING)
	{
		if (is_near)
			flakeid_page_use_room(&page, ms);
	}
	else if (page.state != FLAKE_HORIZON_CURRENT || is_near)
		flakeid_page_raise(&page, page.state, ms);
	flakeid_pages_write(&page, 1);
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
	FlakeidHorizon *horizon = &generator->horizon;
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
