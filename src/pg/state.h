/*
 * state.h
 *		What the processes of a server share to generate 64-bit ids, in shared
 *		memory.  It begins anew with each start, and when the server restarts
 *		all sessions after a crash of one; horizon.h has what survives.
 *
 *		start	its number, drawn by the first process that generates,
 *				and where the WAL ended then
 *		formats	per format: floor, greatest horizon, counters
 *		words	per format: newest id in server scope
 *		slots	per process number: newest millisecond of its holders
 *
 * All numbers are 64-bit atomics, 0 at first.  Floors, horizons and marks are
 * timestamps of ids in ms since the epoch in effect; words are positions
 * (flake_word).  Memory order: doc/internals/protocol.md.
 */
#ifndef FLAKEID_PG_STATE_H
#define FLAKEID_PG_STATE_H

#include "port/atomics.h"

#include "format/flake.h"

/*
 * Room for formats, so that a version that adds one uses the same layout: as
 * many as a record in the WAL has pages.
 */
#define FLAKEID_STATE_FORMATS	4
#define FLAKEID_STATE_LINE		64

/* Each part is padded to a cache line. */
typedef union FlakeidStart
{
	struct
	{
		pg_atomic_uint64 number;	/* 0: not drawn; by compare-and-swap */
		pg_atomic_uint64 lsn;	/* end of the WAL just before; 0 if 1.0.0 has
								 * drawn the number */
	};
	char		line[FLAKEID_STATE_LINE];
} FlakeidStart;

/*
 * floor_ms and raised_ms only ever rise, by compare-and-swap.  The counters
 * are totals since the start (doc/internals/protocol.md, rule 8); no id
 * depends on them.
 */
typedef union FlakeidFormatState
{
	struct
	{
		pg_atomic_uint64 floor_ms;	/* no id is generated at or below it by a
									 * process that attaches later */
		pg_atomic_uint64 raised_ms; /* greatest horizon of any database */
		pg_atomic_uint64 waits; /* calls that waited for the clock */
		pg_atomic_uint64 refusals;	/* calls that failed because of it */
		pg_atomic_uint64 steps_back;	/* seen by each process, added up */
		pg_atomic_uint64 longest_wait_us;
	};
	char		line[FLAKEID_STATE_LINE];
} FlakeidFormatState;

typedef union FlakeidWord
{
	pg_atomic_uint64 word;		/* by compare-and-swap */
	char		line[FLAKEID_STATE_LINE];
} FlakeidWord;

typedef union FlakeidSlot
{
	pg_atomic_uint64 mark_ms[FLAKEID_STATE_FORMATS];	/* written only by the
														 * holder */
	char		line[FLAKEID_STATE_LINE];
} FlakeidSlot;

typedef struct FlakeidState
{
	FlakeidStart start;
	FlakeidFormatState formats[FLAKEID_STATE_FORMATS];
	FlakeidWord words[FLAKEID_STATE_FORMATS];
	FlakeidSlot slots[FLEXIBLE_ARRAY_MEMBER];	/* MaxBackends */
} FlakeidState;

/* NULL until flakeid_state_attach(), unless the library is preloaded. */
extern FlakeidState *flakeid_state;

extern void flakeid_state_init(void);
extern void flakeid_state_attach(void);
extern uint32 flakeid_start_number(void);
extern void flakeid_raise_to(pg_atomic_uint64 *number, uint64 value);

#endif							/* FLAKEID_PG_STATE_H */
