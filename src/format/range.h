/*
 * range.h
 *		Bounding ids of a time range.
 *
 * The range [from, to) has the ids from the first one of "from", inclusive, to
 * the first one of "to", exclusive; both times are truncated to the unit of the
 * format.  Instants outside the field are clamped to its ends, so that ranges
 * never fail and adjacent ranges do not overlap.  The greatest value of the
 * type is in no range: it is the bound of an open end.
 */
#ifndef FLAKEID_FORMAT_RANGE_H
#define FLAKEID_FORMAT_RANGE_H

#include "format/flake.h"
#include "format/scru160.h"
#include "format/uuid.h"
#include "format/uuid_draft.h"

extern FlakeUuid flake_uuid_v6_first(FlakeInstant instant);
extern FlakeUuid flake_uuid_v7_first(FlakeInstant instant);
extern FlakeUuid flake_draft_first(const FlakeDraftLayout *layout,
								   FlakeInstant instant);
extern int64_t flake_id_first(const FlakeLayout *layout, FlakeInstant instant,
							  int64_t epoch_ms);
extern FlakeScru160 flake_scru160_first(FlakeInstant instant);

#endif							/* FLAKEID_FORMAT_RANGE_H */
