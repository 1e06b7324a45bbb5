/*
 * flake_address.h
 *		The generator field as an address: [ node | slot | lane ].
 *
 * node is the number of the server, slot that of the process among the live
 * processes of the server, and lane the remaining bits.  Lane and sequence are
 * adjacent and form one counter, owned by the process that holds node and
 * slot.  In server scope there is no slot: all processes share one counter,
 * which has all bits below the node.  Ulid-Flake has no generator field; its
 * randomness is its counter.
 */
#ifndef FLAKEID_FORMAT_FLAKE_ADDRESS_H
#define FLAKEID_FORMAT_FLAKE_ADDRESS_H

#include "format/flake.h"

/* Parts of an address; the same for all formats of a server. */
typedef struct FlakeAddress
{
	uint32_t	node;			/* below 2^node_bits */
	uint32_t	node_bits;
	uint32_t	slot_bits;
	uint32_t	server_scope;	/* 1: no slots */
} FlakeAddress;

/* Ids of a process in one millisecond: prefix | 0 .. 2^counter_bits - 1 */
typedef struct FlakeCounterRange
{
	uint64_t	prefix;			/* node and slot, shifted to the field */
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
