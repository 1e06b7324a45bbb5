/*
 * uuid_draft.h
 *		UUIDv7 and UUIDv8 of draft-peabody-dispatch-new-uuid-format-01.
 *
 * Without version and variant, both have 122 bits: whole ticks, fraction, pad,
 * sequence and random bits.
 *
 * v7 has whole seconds and a binary fraction of the second with the precision
 * of its unit (doc/internals/formats.md, section 7).  v8 has no whole part.
 * Its fraction is a timestamp of 32, 48, 60 or 64 bits; that of 64 bits is
 * truncated to 60 (section 8).  Each kind is a row; one packer, one reader and
 * one generator step serve all.
 */
#ifndef FLAKEID_FORMAT_UUID_DRAFT_H
#define FLAKEID_FORMAT_UUID_DRAFT_H

#include "format/uuid.h"

typedef struct FlakeDraftLayout
{
	const char *name;			/* for messages */
	const char *unit;			/* v7: ms, us, ns */
	int			version;
	int			timestamp_bits; /* v8: 32, 48, 60, 64 */
	unsigned	whole_bits;
	unsigned	fraction_bits;
	unsigned	pad_bits;		/* always 0 */
	unsigned	sequence_bits;
	unsigned	random_bits;
	uint32_t	ns_per_unit;	/* v7: the fraction is truncated to this */
	unsigned	lost_bits;		/* v8: low bits of the tick that are dropped */
	FlakeTimeField field;		/* v7: the whole seconds; v8: the tick */
} FlakeDraftLayout;

/* The largest ticks that fit bigint. */
#define FLAKE_LAST_TICKS	((uint64_t) INT64_MAX)

/* A tick as the layout stores it. */
typedef struct FlakeDraftTime
{
	uint64_t	whole;
	uint64_t	fraction;
} FlakeDraftTime;

/* Newest id of a process in one layout; there is none unless generated. */
typedef struct FlakeDraftState
{
	bool		generated;
	FlakeDraftTime time;
	uint64_t	sequence;
	uint64_t	random;
} FlakeDraftState;

typedef enum FlakeDraftKind
{
	FLAKE_DRAFT_V7_MS,
	FLAKE_DRAFT_V7_US,
	FLAKE_DRAFT_V7_NS,
	FLAKE_DRAFT_V8_32,
	FLAKE_DRAFT_V8_48,
	FLAKE_DRAFT_V8_60,
	FLAKE_DRAFT_V8_64,
	FLAKE_DRAFT_KINDS
} FlakeDraftKind;

extern const FlakeDraftLayout flake_draft_layouts[FLAKE_DRAFT_KINDS];

extern FlakeUuid flake_draft_pack(const FlakeDraftLayout *layout,
								  FlakeDraftTime time, uint64_t sequence,
								  uint64_t random);
extern FlakeStatus flake_draft_make(const FlakeDraftLayout *layout,
									FlakeInstant instant, uint64_t random64,
									FlakeUuid *uuid);
extern uint64_t flake_draft_last_ticks(const FlakeDraftLayout *layout);
extern FlakeUuid flake_draft_from_parts(const FlakeDraftLayout *layout,
										uint64_t ticks, uint64_t sequence,
										uint64_t node);
extern FlakeUuid flake_draft_min(const FlakeDraftLayout *layout,
								 FlakeInstant instant);

/* Readers; the id must be of the layout's version. */
extern int64_t flake_draft_unix_us(const FlakeDraftLayout *layout,
								   FlakeUuid uuid);
extern FlakeStatus flake_draft_ticks(const FlakeDraftLayout *layout,
									 FlakeUuid uuid, uint64_t *ticks);
extern uint32_t flake_draft_sequence(const FlakeDraftLayout *layout,
									 FlakeUuid uuid);
extern uint64_t flake_draft_node(const FlakeDraftLayout *layout,
								 FlakeUuid uuid);
extern FlakeRule flake_draft_next(const FlakeDraftLayout *layout,
								  FlakeDraftState *state, FlakeInstant now,
								  uint64_t random64, FlakeUuid *uuid);

#endif							/* FLAKEID_FORMAT_UUID_DRAFT_H */
