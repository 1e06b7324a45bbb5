/*
 * flake_address.h
 *		The generator field as an address: [ node | slot | lane ].
 *
 * node is the server's number, slot the process's among those that live on the
 * server, and the lane the bits left over.  Lane and sequence lie side by side
 * and are one counter, owned by the process that holds node and slot.  In
 * server scope there is no slot: all bits below the node are one counter, which
 * all processes share.  Ulid-Flake has no generator field, so its counter is
 * its randomness.
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

/* A process's ids of a millisecond: prefix | 0 .. 2^counter_bits - 1 */
typedef struct FlakeCounterRange
{
	uint64_t	prefix;			/* node and slot, at their place in the id */
	unsigned	counter_bits;
} FlakeCounterRange;

typedef struct FlakeAddressParts
{
	uint32_t	node;
	uint32_t	slot;			/* 0 in server scope */
	uint32_t	lane;
} FlakeAddressParts;

extern uint32_t flake_slot_bits(uint32_t backends);
extern FlakeStatus flake_counter_range(const FlakeLayout *layout,
									   const FlakeAddress *address, uint32_t slot,
									   FlakeCounterRange *range);
extern FlakeStatus flake_address_split(const FlakeLayout *layout,
									   const FlakeAddress *address,
									   uint32_t generator,
									   FlakeAddressParts *parts);

#endif							/* FLAKEID_FORMAT_FLAKE_ADDRESS_H */
