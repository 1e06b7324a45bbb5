/*
 * sim_admin.c
 *		What must hold of a call of an administrator: it changes all or
 *		nothing, whoever calls meanwhile, whatever fails, and whenever the
 *		server crashes; and what it returns to the client survives.
 */
#include "sim.h"

static bool
is_admin(const SimProcess *process)
{
	return process->call.what == SIM_RAISE || process->call.what == SIM_RESET ||
		process->call.what == SIM_CANCEL;
}

void
sim_admin_begin(SimProcess *process)
{
	memset(&process->admin, 0, sizeof(process->admin));
}

/*
 * The call has locked a page.  If it finds done what it is asked for, another
 * call may not have flushed it yet.
 */
void
sim_admin_saw(const SimPage *page)
{
	SimAdmin   *admin = &sim_process->admin;

	if (sim_process->call.what == SIM_CANCEL ||
		(sim_process->call.what == SIM_RESET &&
		 page->reset_start == sim_world.server.start))
		admin->lsn = Max(admin->lsn, page->admin_lsn);
}

/* It has written a page. */
void
sim_admin_wrote(SimPage *page)
{
	SimAdmin   *admin = &sim_process->admin;

	if (!is_admin(sim_process))
		return;
	page->admin_lsn = page->lsn;
	admin->lsn = Max(admin->lsn, page->lsn);
}

/* A shared number is about to be raised. */
void
sim_admin_raises(const pg_atomic_uint64 *number, uint64 value)
{
	SimAdmin   *admin = &sim_process->admin;

	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		const SimPage *page = &sim_process->pages[format];

		if (number == &flakeid_state->formats[format].floor_ms &&
			value > number->value && value == admin->floor_ms[format] &&
			value != (uint64) page->row.last_value && page->reset_start == 0)
			admin->floor_raised = true;
	}
}

void
sim_admin_end(const SimProcess *process)
{
	const SimAdmin *admin = &process->admin;

	if (process->failed && admin->floor_raised && !admin->warned)
		sim_fail("a call that fails has raised a floor");
	if (!process->failed && admin->lsn > sim_world.flushed)
		sim_fail("a call of an administrator returns before the flush");
	if (!process->failed && is_admin(process) &&
		(!admin->has_xid || admin->record_end < admin->lsn))
		sim_fail("the commit of a call does not wait for standbys");
	if (process->records > 0 && admin->canceled)
		sim_fail("a call has an effect that was canceled before");
	if (process->failed && is_admin(process) && process->records > 0 && !admin->warned)
		sim_fail("a call that fails has changed horizons");
	if (admin->warned && (!process->failed || !process->cancel_pending))
		sim_fail("a cancel is lost");
}

/* A transaction that creates the extension ends; is the commit flushed? */
void
sim_check_created(const SimDatabase *database)
{
	if (!sim_process->in_ddl && database->has_extension &&
		database->commit > sim_world.flushed)
		sim_fail("an id of an extension that a crash can take away");
}
