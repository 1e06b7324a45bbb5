/*
 * entropy.h
 *		Replaces src/pg/entropy.h: all randomness comes from the seed.
 */
#ifndef SIM_PG_ENTROPY_H
#define SIM_PG_ENTROPY_H

extern uint64 sim_draw(void);

#define flakeid_random64()	sim_draw()

#endif							/* SIM_PG_ENTROPY_H */
