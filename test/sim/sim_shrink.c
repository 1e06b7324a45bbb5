/*
 * sim_shrink.c
 *		Finds a shortest list of events that still fails, by leaving out ever
 *		smaller parts.
 */
#include "sim.h"

uint32
sim_shrink(SimEvent *events, uint32 n,
		   bool (*fails) (const SimEvent *events, uint32 n))
{
	SimEvent   *fewer = malloc(n * sizeof(SimEvent));
	bool		shorter = true;

	for (uint32 part = n / 2; part > 0; part = part == 1 && shorter ? 1 : part / 2)
	{
		shorter = false;
		for (uint32 from = 0; from < n;)
		{
			uint32		left_out = Min(part, n - from);

			memcpy(fewer, events, from * sizeof(SimEvent));
			memcpy(fewer + from, events + from + left_out,
				   (n - from - left_out) * sizeof(SimEvent));
			if (fails(fewer, n - left_out))
			{
				n -= left_out;
				memcpy(events, fewer, n * sizeof(SimEvent));
				shorter = true;
			}
			else
				from += part;
		}
	}
	free(fewer);
	return n;
}
