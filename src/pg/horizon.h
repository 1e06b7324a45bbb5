/*
 * horizon.h
 *		The horizons of this database, which survive in the WAL
 *		(doc/internals/design.md, section 5), and their pages: locked, judged
 *		by this start, and written.
 */
#ifndef FLAKEID_PG_HORIZON_H
#define FLAKEID_PG_HORIZON_H

#include "storage/buf.h"
#include "storage/lockdefs.h"
#include "utils/relcache.h"

#include "pg/generator.h"

typedef struct FlakeidPage
{
	FlakeidGenerator *generator;
	Relation	sequence;
	LOCKMODE	lockmode;
	Buffer		buffer;			/* locked until flakeid_pages_close() */
	FlakeStoredHorizon stored;
	FlakeStart	start;			/* by which it was judged */
	FlakeVerdict verdict;

	/* of the next write */
	uint64		floor_ms;		/* raise that of the server to this first */
	bool		changes;
	FlakeStoredHorizon next;
} FlakeidPage;

/* For ids */
extern void flakeid_horizon_fold(FlakeidGenerator *generator);
extern void flakeid_horizon_allow(FlakeidGenerator *generator, uint64 ms);
extern void flakeid_horizon_raise_early(FlakeidGenerator *generator,
										uint64 ms);

/* For the status, and for calls of administrators */
extern bool flakeid_horizon_exists(FlakeidGenerator *generator);
extern int	flakeid_pages_open_all(FlakeidPage *pages);
extern bool flakeid_page_read(FlakeidPage *page,
							  const FlakeidGenerator *generator, bool judges);
extern void flakeid_pages_close(FlakeidPage *pages, int n);
extern uint64 flakeid_page_horizon_ms(const FlakeidPage *page);
extern uint64 flakeid_page_last_ms(const FlakeidPage *page);
extern void flakeid_page_raise(FlakeidPage *page, FlakeVerdict as,
							   uint64 ms);
extern void flakeid_page_set(FlakeidPage *page, uint64 horizon_ms, int64 tag);
extern void flakeid_pages_write_and_flush(FlakeidPage *pages, int n);
pg_noreturn extern void flakeid_page_refuse(const FlakeidPage *page);

#endif							/* FLAKEID_PG_HORIZON_H */
