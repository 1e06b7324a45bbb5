/*
 * entropy.h
 *		Replaces src/pg/entropy.h: all randomness comes from the seed.
 */
#ifndef SIM_PG_ENTROPY_H
#define SIM_PG_ENTROPY_H

/* A start has a number of its own, so only the first one gets the last. */
#define flakeid_random64() \
	(sim_world.starts == 1 && sim_one_in(8) ? \
	 flake_mask(FLAKE_START_NUMBER_BITS) - 1 : sim_draw())

#endif							/* SIM_PG_ENTROPY_H */
