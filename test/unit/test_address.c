/*
 * test_address.c
 *		The generator field as [ node | slot | lane ]: every division of it.
 */
#include "format/flake.h"
#include "unit.h"

/* Bits needed to number all backends, for every possible number of them */
static void
test_slot_bits(void)
{
	static const uint32_t known[][2] = {
		{0, 0}, {1, 0}, {2, 1}, {3, 2}, {4, 2}, {5, 3},
		{122, 7},				/* default settings, 15 and 16 */
		{123, 7},				/* 17 */
		{128, 7}, {129, 8},
		{136, 8},				/* from 18 on */
		{16384, 14}, {16385, 15}, {262143, 18}
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		CHECK_EQ(flake_slot_bits(known[i][0]), known[i][1]);
	for (uint32_t backends = 1; backends <= 16384; backends++)
	{
		uint32_t	bits = flake_slot_bits(backends);

		MUST(bits <= 14 && UINT32_C(1) << bits >= backends);
		MUST(bits == 0 || UINT32_C(1) << (bits - 1) < backends);
	}
}

/* Check the lanes of a process: split returns the owner and the lane. */
static void
check_lanes(const FlakeLayout *layout, const FlakeAddress *address,
			uint32_t slot, const FlakeShare *share)
{
	uint32_t	first = flake_id_generator(layout, share->prefix);
	uint32_t	lanes = UINT32_C(1) << (share->counter_bits -
										layout->sequence_bits);

	MUST(flake_id_sequence(layout, share->prefix) == 0);
	for (uint32_t lane = 0; lane < lanes; lane++)
	{
		FlakeAddressParts parts = {0};

		MUST(flake_address_split(layout, address, first + lane, &parts) ==
			 FLAKE_OK);
		MUST(parts.node == address->node);
		MUST(parts.slot == slot);
		MUST(parts.lane == lane);
	}
}

/*
 * Walk all nodes and slots of a division in order: the counters of each begin
 * where those of the previous one end, so they do not overlap, and together
 * they cover the field.
 */
static void
check_division(const FlakeLayout *layout, FlakeAddress address)
{
	uint32_t	slots = address.server_scope ? 1 :
		UINT32_C(1) << address.slot_bits;
	uint64_t	next = 0;

	for (address.node = 0; address.node < UINT32_C(1) << address.node_bits;
		 address.node++)
	{
		for (uint32_t slot = 0; slot < slots; slot++)
		{
			FlakeShare share = {0};

			MUST(flake_share(layout, &address, slot, &share) == FLAKE_OK);
			MUST(share.counter_bits >= layout->sequence_bits);
			MUST(share.prefix == next);
			MUST((share.prefix & flake_mask(share.counter_bits)) == 0);
			next = share.prefix + flake_mask(share.counter_bits) + 1;
			check_lanes(layout, &address, slot, &share);
		}
	}
	CHECK_EQ(next, UINT64_C(1) << flake_low_bits(layout));
}

/* In server scope all processes have the same range, whatever their slot. */
static void
check_no_slots(const FlakeLayout *layout, const FlakeAddress *address)
{
	FlakeShare one = {0};
	FlakeShare other = {0};

	CHECK_EQ(flake_share(layout, address, 0, &one), FLAKE_OK);
	CHECK_EQ(flake_share(layout, address, 12345, &other), FLAKE_OK);
	CHECK_EQ(other.prefix, one.prefix);
	CHECK_EQ(other.counter_bits, one.counter_bits);
}

static void
check_too_few(const FlakeLayout *layout, const FlakeAddress *address)
{
	FlakeShare share = {.prefix = 1, .counter_bits = 2};
	FlakeAddressParts parts = {.node = 3, .slot = 4, .lane = 5};

	CHECK_EQ(flake_share(layout, address, 0, &share), FLAKE_TOO_FEW_BITS);
	CHECK_EQ(flake_address_split(layout, address, 0, &parts),
			 FLAKE_TOO_FEW_BITS);
	CHECK(share.prefix == 1 && share.counter_bits == 2);
	CHECK(parts.node == 3 && parts.slot == 4 && parts.lane == 5);
}

static void
check_address(const FlakeLayout *layout, FlakeAddress address)
{
	uint32_t	bits = address.node_bits +
		(address.server_scope ? 0 : address.slot_bits);

	if (bits > layout->generator_bits)
		check_too_few(layout, &address);
	else
		check_division(layout, address);
	if (bits <= layout->generator_bits && address.server_scope)
		check_no_slots(layout, &address);
}

static void
test_divisions(void)
{
	for (uint32_t node_bits = 0; node_bits <= 14; node_bits++)
	{
		for (uint32_t slot_bits = 0; slot_bits <= 18; slot_bits++)
		{
			for (uint32_t server_scope = 0; server_scope < 2; server_scope++)
			{
				FlakeAddress address = {
					.node_bits = node_bits,
					.slot_bits = slot_bits,
					.server_scope = server_scope,
				};

				/* in server scope slot bits are not used */
				if (server_scope && slot_bits != 0 && slot_bits != 18)
					continue;
				check_address(&flake_layouts[FLAKE_FLUID], address);
				check_address(&flake_layouts[FLAKE_NANOFLAKE], address);
			}
		}
	}
}

/*
 * Two nodes never share a generator number, whatever their slots and scopes.
 */
static void
test_nodes_apart(void)
{
	for (int i = 0; i < 100000; i++)
	{
		const FlakeLayout *layout = &flake_layouts[i % 2];
		uint32_t	node_bits = 1 + (uint32_t) unit_random64() %
			layout->generator_bits;
		FlakeShare spaces[2] = {{0}, {0}};
		uint32_t	nodes[2];

		for (int n = 0; n < 2; n++)
		{
			FlakeAddress address = {
				.node_bits = node_bits,
				.slot_bits = (uint32_t) unit_random64() %
				(layout->generator_bits - node_bits + 1),
				.server_scope = unit_random64() & 1,
			};
			uint32_t	slot;

			address.node = (uint32_t) (unit_random64() & flake_mask(node_bits));
			slot = (uint32_t) (unit_random64() & flake_mask(address.slot_bits));
			nodes[n] = address.node;
			MUST(flake_share(layout, &address, slot, &spaces[n]) == FLAKE_OK);
		}
		MUST((nodes[0] < nodes[1]) ==
			 ((spaces[0].prefix | flake_mask(spaces[0].counter_bits)) <
			  spaces[1].prefix) || nodes[0] == nodes[1]);
	}
}

/* Ulid-Flake has no generator field: its randomness is always the counter. */
static void
test_no_generator(void)
{
	for (uint32_t node_bits = 0; node_bits <= 14; node_bits++)
	{
		FlakeAddress address = {
			.node = (uint32_t) flake_mask(node_bits),
			.node_bits = node_bits,
			.slot_bits = 7,
			.server_scope = node_bits & 1,
		};
		FlakeShare share = {.prefix = 1};

		CHECK_EQ(flake_share(&flake_layouts[FLAKE_ULIDFLAKE], &address, 99,
							 &share), FLAKE_OK);
		CHECK_EQ(share.prefix, 0);
		CHECK_EQ(share.counter_bits, 20);
	}
}

void
test_address(void)
{
	test_slot_bits();
	test_divisions();
	test_nodes_apart();
	test_no_generator();
}
