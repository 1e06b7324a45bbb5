/*
 * range.h
 *		Bounding ids of a time range.
 *
 * A range contains every id whose time, truncated to the unit of the format,
 * is in [from, to), both truncated alike.  Instants outside the field are
 * clamped to its ends, so that ranges never fail and adjacent ranges do not
 * overlap.
 *
 * The types differ in the values that they have beyond the ids of the field:
 * uuid has values on both sides, bigint only below the first id, scru160 none.
 */
#ifndef FLAKEID_FORMAT_RANGE_H
#define FLAKEID_FORMAT_RANGE_H

#include "format/flake.h"
#include "format/scru160.h"
#include "format/uuid.h"
#include "format/uuid_draft.h"

typedef struct FlakeScru160Range
{
	FlakeScru160 first;			/* greater than last if the range is empty */
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
