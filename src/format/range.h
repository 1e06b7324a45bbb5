/*
 * range.h
 *		Ids at the ends of a range of time.
 *
 * A range has every id whose time, truncated to the format's unit, is in
 * [from, to), both truncated alike.  Any instant is a bound: one outside the
 * field is the field's end.  So ranges never fail and adjoining ones tile.
 *
 * The formats differ in which neighbour of the field's ends their type has:
 * a uuid has both, a bigint only that before the first id, a scru160 neither.
 */
#ifndef FLAKEID_FORMAT_RANGE_H
#define FLAKEID_FORMAT_RANGE_H

#include "format/flake.h"
#include "format/scru160.h"
#include "format/uuid.h"
#include "format/uuid_draft.h"

typedef struct FlakeScru160Range
{
	FlakeScru160 first;			/* greater than last in an empty range */
	FlakeScru160 last;
} FlakeScru160Range;

extern FlakeUuid flake_uuid_v6_first(FlakeInstant instant);
extern FlakeUuid flake_uuid_v7_first(FlakeInstant instant);
extern FlakeUuid flake_draft_first(const FlakeDraftLayout *layout,
								   FlakeInstant instant);
extern int64_t flake_id_before(const FlakeLayout *layout,
							   FlakeInstant instant, int64_t epoch_ms);
extern FlakeScru160Range flake_scru160_range(FlakeInstant from,
											 FlakeInstant to);

#endif							/* FLAKEID_FORMAT_RANGE_H */
