/*
 * flake_address.c
 *		Address arithmetic.  See flake_address.h.
 */
#include "format/flake_address.h"

/* Bits needed to number this many backends from 0. */
uint32_t
flake_slot_bits(uint32_t backends)
{
	uint32_t	bits = 0;

	while (backends > flake_mask(bits) + 1)
		bits++;
	return bits;
}

/* Slot bits in use: none in server scope. */
static unsigned
slot_bits(const FlakeAddress *address)
{
	return address->server_scope ? 0 : address->slot_bits;
}

/*
 * Counter range of a process.  TOO_FEW_BITS if node and slot do not fit in the
 * generator field, so that this format cannot be generated.
 */
FlakeStatus
flake_counter_range(const FlakeLayout *layout, const FlakeAddress *address,
					uint32_t slot, FlakeCounterRange *range)
{
	unsigned	address_bits = address->node_bits + slot_bits(address);
	uint64_t	high = (uint64_t) address->node << slot_bits(address);

	if (layout->generator_bits == 0)
	{
		*range = (FlakeCounterRange) {.counter_bits = layout->sequence_bits};
		return FLAKE_OK;
	}
	if (address_bits > layout->generator_bits)
		return FLAKE_TOO_FEW_BITS;
	if (!address->server_scope)
		high |= slot;
	range->counter_bits = flake_low_bits(layout) - address_bits;
	range->prefix = high << range->counter_bits;
	return FLAKE_OK;
}

FlakeStatus
flake_address_split(const FlakeLayout *layout, const FlakeAddress *address,
					uint32_t generator, FlakeAddressParts *parts)
{
	unsigned	address_bits = address->node_bits + slot_bits(address);
	unsigned	lane_bits = layout->generator_bits - address_bits;

	if (address_bits > layout->generator_bits)
		return FLAKE_TOO_FEW_BITS;
	parts->lane = generator & (uint32_t) flake_mask(lane_bits);
	parts->slot = generator >> lane_bits &
		(uint32_t) flake_mask(slot_bits(address));
	parts->node = generator >> (layout->generator_bits - address->node_bits);
	return FLAKE_OK;
}
