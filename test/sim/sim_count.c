/*
 * sim_count.c
 *		Checks that the counters of a file are the sums of the counts of its
 *		processes since the start, including killed ones.
 *
 * A process counts in the file first, and then for itself, without an access
 * in between: it cannot be killed between the two, so the sums are exact.
 */
#include "sim.h"

static void
check(FlakeFormat format, const char *counter, uint64 in_file, uint64 counted)
{
	if (in_file != counted)
		sim_fail("the file has %llu %s of %s, and its processes counted %llu",
				 (unsigned long long) in_file, counter,
				 flake_layouts[format].name, (unsigned long long) counted);
}

static void
check_format(const SimFile *file, FlakeFormat format)
{
	const FlakeidLimits *limits = &flakeid_state->header.limits[format];
	const SimCounts *counts = &file->counts[format];

	check(format, "waits", limits->waits.value, counts->waits);
	check(format, "refusals", limits->refusals.value, counts->refusals);
	check(format, "steps back", limits->steps_back.value, counts->steps_back);
	check(format, "us of the longest wait", limits->longest_wait_us.value,
		  counts->longest_wait_us);
}

/* A process has run: add its counts since its last turn. */
void
sim_count(SimProcess *process)
{
	SimFile    *file = process->mapped;

	if (!sim_attached())
		return;
	if (file->counted_start != process->server->starts)
	{
		memset(file->counts, 0, sizeof(file->counts));
		file->counted_start = process->server->starts;
	}
	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		const FlakeidGenerator *generator = &flakeid_generators[format];
		SimCounts  *before = &process->counts[format];
		SimCounts  *counts = &file->counts[format];
		const SimCounts now = {
			generator->waits, generator->refusals, generator->steps_told,
			(uint64) generator->longest_wait_us
		};

		counts->waits += now.waits - before->waits;
		counts->refusals += now.refusals - before->refusals;
		counts->steps_back += now.steps_back - before->steps_back;
		counts->longest_wait_us = Max(counts->longest_wait_us,
									  now.longest_wait_us);
		*before = now;
		check_format(file, format);
	}
}

/* A call has ended: its process has counted every step back that it saw. */
void
sim_check_told(void)
{
	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		const FlakeidGenerator *generator = &flakeid_generators[format];

		if (generator->steps_told != generator->history.steps_back)
			sim_fail("a call left a step back uncounted");
	}
}
