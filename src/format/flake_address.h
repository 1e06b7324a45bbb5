/*
 * flake_address.h
 *		The generator field as an address: [ node | slot | lane ].
 *
 * node is the server's number, slot the process's among those that live on the
 * server, and the lane the bits left over.  Lane and sequence lie side by side
 * and are one counter, owned by whoever holds node and slot.  (Where a layout
 * has the sequence above the generator, node and slot lie within the counter:
 * its high bits, the sequence, move over them.)  In server scope
 * there is no slot: all that lies below the node is counter, one for all.
 * Ulid-Flake has no generator field, so its counter is its randomness.
 */
#ifndef FLAKEID_FORMAT_FLAKE_ADDRESS_H
#define FLAKEID_FORMAT_FLAKE_ADDRESS_H

#include "format/flake.h"

/* What an address consists of; the same for all formats of a server. */
typedef struct FlakeAddress
{
	uint32_t	node;			/* below 2^node_bits */
	uint32_t	node_bits;
	uint32_t	slot_bits;
	uint32_t	server_scope;	/* 1: no slots */
} FlakeAddress;

/* What one process may make in a millisecond: prefix | 0 .. 2^counter_bits-1 */
typedef struct FlakeCounterRange
{
	uint64_t	prefix;			/* node and slot, at their place in the id */
	unsigned	counter_bits;
	unsigned	lane_bits;		/* those of the counter below the sequence, of
								 * a layout that has the sequence first */
} FlakeCounterRange;

typedef struct FlakeAddressParts
{
	uint32_t	node;
	uint32_t	slot;			/* 0 in server scope */
	uint32_t	lane;
} FlakeAddressParts;

/* A counter's place in the id. */
static inline uint64_t
flake_counter_part(const FlakeLayout *layout, const FlakeCounterRange *range,
				   uint64_t counter)
{
	if (!layout->sequence_first)
		return counter;
	return counter >> range->lane_bits << layout->generator_bits |
		(counter & flake_mask(range->lane_bits));
}

extern uint32_t flake_slot_bits(uint32_t backends);
extern FlakeStatus flake_counter_range(const FlakeLayout *layout,
									   const FlakeAddress *address, uint32_t slot,
									   FlakeCounterRange *range);
extern FlakeStatus flake_address_split(const FlakeLayout *layout,
									   const FlakeAddress *address,
									   uint32_t generator,
									   FlakeAddressParts *parts);

#endif							/* FLAKEID_FORMAT_FLAKE_ADDRESS_H */
