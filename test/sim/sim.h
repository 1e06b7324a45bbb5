/*
 * sim.h
 *		Declarations shared by the files of the simulation.
 */
#ifndef FLAKEID_SIM_H
#define FLAKEID_SIM_H

#include "sim_fleet.h"

extern SimFleet sim_fleet;
extern SimProcess *sim_process; /* the running one */
extern SimProcess *sim_loaded;	/* owner of the current globals */
extern SimFailing sim_failing;	/* in this turn */

/* sim_process.c */
extern void sim_run(SimProcess *process, const SimEvent *event);
extern void sim_end_process(SimServer *server, uint32 slot);
extern void sim_end_processes(SimServer *server);
extern SimProcess *sim_connect(SimServer *server, uint32 slot, uint64 random);
extern void sim_part(SimProcess *process);

/* sim_call.c: a process's calls; sim_state.c: its globals */
extern void sim_call(SimProcess *process);
extern void sim_work(SimProcess *process);
extern void sim_load(SimProcess *process);
extern void sim_save(SimProcess *process);
extern bool sim_attached(void);
extern bool sim_has_lock_fd(void);
extern bool sim_makes(SimWhat what);
extern FlakeFormat sim_format_of(SimWhat what);

/* sim_server.c */
extern void sim_unlock(SimProcess *process);
extern int64 sim_clock_us(const SimServer *server);
extern int64 sim_clock_ms(int64 clock_us, int64 epoch_ms);

/* sim_file.c */
extern SimFile *sim_new_file(void);
extern void sim_copy_file(SimFile *to, const SimFile *from);
extern void sim_write_back(SimFile *file, size_t page);
extern void sim_lose_power(SimServer *server);
extern void sim_free_files(void);
extern void sim_write_all_back(SimFile *file);
extern FlakeidState *sim_state_of(const SimServer *server);

/* sim_syscall.c */
extern bool sim_fails(const char *what);
extern void sim_watch(SimProcess *process);
extern void sim_close_files(SimProcess *process);

/* sim_check.c: at every id and call */
extern void sim_fail(const char *format,...)
			__attribute__((format(printf, 1, 2)));
extern void sim_check_returned(SimProcess *process);
extern void sim_begin_id(SimProcess *process, FlakeFormat format);
extern void sim_check_id(SimProcess *process, FlakeFormat format, uint64 id);
extern void sim_check_refused(SimProcess *process, FlakeFormat format);
extern void sim_check_wait(SimProcess *process, FlakeFormat format);
extern void sim_check_error(SimProcess *process, const char *function);

/* sim_count.c */
extern void sim_count(SimProcess *process);
extern void sim_check_told(void);

/* sim_epoch.c */
extern void sim_note_epochs(SimServer *server, const int64 *epoch_ms);
extern void sim_note_synced(SimServer *server);
extern bool sim_an_epoch_is_later(const SimServer *server);
extern bool sim_epoch_may_be_refused(const SimServer *server);

/* sim_promise.c: updated at each event */
extern void sim_note_clock(SimProcess *process);
extern void sim_note_made(SimProcess *process);
extern void sim_settle(SimProcess *process);
extern void sim_note_mapped(SimProcess *process);
extern void sim_note_reset(SimServer *server, SimReset reset);
extern void sim_note_boot_unread(SimServer *server);
extern void sim_promise_start(SimServer *server, bool another_boot);
extern void sim_promise_promote(SimServer *server, const uint64 *kept_ms,
								const uint64 *replayed_ms,
								int64 replayed_us);
extern void sim_promise_forget_replayed(SimServer *server);

/* sim_ids.c: all ids */
extern void sim_ids_clear(void);
extern bool sim_ids_add(FlakeFormat format, uint32 server, uint64 id);
extern void sim_ids_forget(FlakeFormat format, uint32 server,
						   uint64 above_ms);

/* sim_event.c, sim_standby.c, sim_probe.c: effects of events */
extern void sim_apply(const SimEvent *event);
extern void sim_stop(SimServer *server);
extern void sim_start(SimServer *server, int64 replayed_us,
					  bool another_boot);
extern void sim_start_again(SimServer *server);
extern void sim_set_clock(SimServer *server, int64 us);
extern uint32 sim_slot_of(const SimServer *server, const SimEvent *event);
extern SimProcess *sim_begin_or_go_on(SimServer *server,
									  const SimEvent *event);
extern void sim_back_up(SimServer *server);
extern void sim_commit(SimServer *server);
extern void sim_promote(SimServer *server, const SimEvent *event);
extern void sim_probe(SimServer *server, const SimEvent *event);

/* sim_plan.c, sim_scene.c: drawing events; sim_describe.c, sim_shrink.c */
extern uint64 sim_draw(void);
extern uint32 sim_below(uint32 n);
extern uint64 sim_draw_log(unsigned bits);
extern int64 sim_draw_jump(void);
extern void sim_plan_slot(SimEvent *event);
extern SimWhat sim_plan_what(void);
extern void sim_plan_failures(SimEvent *event);
extern void sim_plan_scene(uint32 server);
extern bool sim_next_of_scene(SimEvent *event);
extern void sim_end_scene(void);
extern void sim_describe(const SimEvent *event, char *line, size_t size);
extern uint32 sim_plan_fleet(uint64 seed);	/* number of events */
extern void sim_free_fleet(void);
extern void sim_plan_event(SimEvent *event);
extern void sim_plan_probe(SimEvent *event);
extern void sim_address_for(const SimServer *server, uint64 random,
							FlakeidConfig *address, uint32 *backends);
extern uint32 sim_shrink(SimEvent *events, uint32 n,
						 bool (*fails) (const SimEvent *events, uint32 n));

static inline uint32
sim_number_of(const SimServer *server)
{
	return (uint32) (server - sim_fleet.server);
}

static inline uint64
sim_positive(int64 ms)
{
	return ms > 0 ? (uint64) ms : 0;
}

/* Commit records may be out of order by this much. */
static inline uint64
sim_replayed_margin(FlakeFormat format)
{
	return flake_layouts[format].waits ? FLAKE_REPLAYED_MARGIN_WAITS_MS :
		FLAKE_REPLAYED_MARGIN_MS;
}

/* splitmix64: the same numbers on every machine */
static inline uint64
sim_random(uint64 *state)
{
	uint64		z = (*state += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

#endif							/* FLAKEID_SIM_H */
