/*
 * sim_hand.c
 *		Another hand: what PostgreSQL itself, an owner or a superuser does to
 *		the sequences and to the extension.
 */
#include "sim.h"

/* Is no process in the way of DDL on a sequence? */
bool
sim_is_free(uint32 database, FlakeFormat format)
{
	const SimLock *lock = &sim_world.server.locks[database][format];

	return lock->exclusive == NULL && lock->holders == 0;
}

static bool
all_are_free(uint32 database)
{
	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		if (!sim_is_free(database, format))
			return false;
	}
	return sim_world.server.ddl[database] == NULL;
}

SimPage
sim_new_page(void)
{
	return (SimPage) {.foreign = true};
}

/* A new file of a sequence, in WAL unless it is unlogged. */
uint16
sim_new_file(const SimPage *page, bool unlogged)
{
	uint16		file = (uint16) sim_world.n_files++;
	SimRecord	record = {
		.kind = SIM_RECORD_SEQUENCE, .number = file, .page = *page
	};

	sim_world.files[file] = (SimFile) {.unlogged = unlogged, .initial = *page};
	sim_world.files[file].initial.lsn = 0;
	sim_world.buffers.pages[file] = *page;
	sim_world.buffers.pages[file].lsn = sim_insert(&record);
	if (sim_world.minimal)		/* the record stands for the file on disk */
		sim_world.buffers.pages[file].lsn =
			sim_world.buffers.pages[file].admin_lsn = 0;
	return file;
}

/* The page is written by another hand: ids continue after its horizon. */
void
sim_touch(FlakeFormat format, SimPage *page)
{
	uint64	   *reach_ms = &sim_world.server.reach_ms[format];

	*reach_ms = Max(*reach_ms, (uint64) page->row.last_value);
	page->row.log_cnt = 0;
	page->foreign = true;
	page->reset_start = 0;
}

/* The horizon becomes another one, which can be lower. */
static void
set_value(uint32 database, FlakeFormat format, SimPage *page, int64 value)
{
	SimServer  *server = &sim_world.server;
	int64	   *horizon = &page->row.last_value;

	if (value < *horizon)
	{
		page->lowered = true;
		if (!server->folded[database][format])
			sim_ids_forget(format, sim_world.buffers.databases[database].identity,
						   (uint64) value, UINT64_MAX);
	}
	*horizon = value;
	page->row.is_called = true;
	sim_touch(format, page);
}

static void
log_page(uint16 file, const SimPage *page)
{
	if (sim_world.files[file].unlogged)
		return;
	sim_world.buffers.pages[file].lsn = sim_insert(&(SimRecord) {
		.kind = SIM_RECORD_SEQUENCE, .number = file, .page = *page
	});
}

/* As nextval_internal(): 32 values ahead are in WAL, the steps are not. */
static void
next_value(uint32 database, FlakeFormat format, uint16 file)
{
	SimPage    *page = &sim_world.buffers.pages[file];
	FormData_pg_sequence_data *row = &page->row;
	int64		log_cnt = row->log_cnt;
	int64		value = row->last_value + 1;
	bool		logs = log_cnt < 1 || !row->is_called ||
		page->lsn <= sim_world.disk.lsn;

	set_value(database, format, page, value + 32);
	if (logs)
		log_page(file, page);
	row->last_value = value;
	row->log_cnt = logs ? 32 : log_cnt - 1;
}

/* Some value for setval(): up, down, and nonsense. */
static int64
draw_value(int64 old)
{
	uint64		by = sim_draw_log(sim_one_in(4) ? 36 : 16);

	if (sim_one_in(2))
		return old + (int64) by;
	return Max(old - (int64) by, 0);
}

/* A transaction that gives the sequence another file. */
static void
alter(uint32 database, FlakeFormat format)
{
	SimDatabase entry = sim_world.buffers.databases[database];
	SimSequence *sequence = &entry.sequences[format];
	SimPage		page = sim_world.buffers.pages[sequence->file];

	if (sim_world.n_files == SIM_FILES ||
		!sim_is_free(database, format) || sim_world.server.ddl[database] != NULL)
		return;
	switch (sim_below(4))
	{
		case 0:
			sequence->unlogged = !sequence->unlogged;
			break;
		case 1:
			set_value(database, format, &page, draw_value(page.row.last_value));
			break;
		default:
			sim_touch(format, &page);
	}
	sequence->file = sim_new_file(&page, sequence->unlogged);
	sim_note("ALTER SEQUENCE, %s, horizon %lld",
			 sequence->unlogged ? "unlogged" : "logged",
			 (long long) page.row.last_value);
	sim_commit_catalog(database, &entry, false);
}

/*
 * Two sequences get each other's names, as from a superuser.  Ids up to the
 * former horizons can be repeated.
 */
static void
rename_both(uint32 number)
{
	SimDatabase entry = sim_world.buffers.databases[number];
	int			first = sim_below(FLAKE_FORMATS);
	int			formats[2] = {first, (first + 1) % FLAKE_FORMATS};

	if (!all_are_free(number))
		return;
	sim_note("names of %s and %s", flake_layouts[formats[0]].name,
			 flake_layouts[formats[1]].name);
	for (int i = 0; i < 2; i++)
	{
		SimSequence *sequence = &entry.sequences[formats[i]];
		SimPage    *page;

		*sequence = sim_world.buffers.databases[number].sequences[formats[1 - i]];
		page = &sim_world.buffers.pages[sequence->file];
		page->lowered = true;
		sim_touch(formats[i], page);
		log_page(sequence->file, page);
		sim_ids_forget(formats[i], entry.identity, 0, UINT64_MAX);
	}
	sim_commit_catalog(number, &entry, true);
}

void
sim_hand(void)
{
	uint32		number = sim_below(SIM_DATABASES);
	FlakeFormat format = sim_below(FLAKE_FORMATS);
	SimDatabase *database = &sim_world.buffers.databases[number];
	SimSequence *sequence = &database->sequences[format];
	SimFile    *file = &sim_world.files[sequence->file];
	SimPage    *page = &sim_world.buffers.pages[sequence->file];

	if (!database->has_extension || file->exclusive != NULL ||
		file->shared > 0 || sim_world.server.locks[number][format].exclusive != NULL)
		return;
	sim_note("another hand: database %u, %s, horizon %lld", number,
			 flake_layouts[format].name, (long long) page->row.last_value);
	switch (sim_below(4))
	{
		case 0:
			for (uint64 left = sim_draw_log(6); left > 0; left--)
				next_value(number, format, sequence->file);
			sim_note("nextval(): %lld", (long long) page->row.last_value);
			break;
		case 1:
			set_value(number, format, page, draw_value(page->row.last_value));
			log_page(sequence->file, page);
			sim_note("setval(): %lld", (long long) page->row.last_value);
			break;
		case 2:
			rename_both(number);
			break;
		default:
			alter(number, format);
	}
	if (sim_one_in(4))
		sim_write_back(database->sequences[format].file);
}

/*
 * DROP EXTENSION.  Horizons that this start has not read are lost with it.
 */
void
sim_drop(void)
{
	uint32		number = sim_below(SIM_DATABASES);
	SimDatabase entry = sim_world.buffers.databases[number];

	if (!entry.has_extension || !all_are_free(number))
		return;
	sim_note("DROP EXTENSION in database %u", number);
	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		if (!sim_world.server.folded[number][format])
			sim_ids_forget(format, entry.identity, 0, UINT64_MAX);
	}
	entry.has_extension = false;
	entry.dropped_in = sim_world.server.start;
	sim_commit_catalog(number, &entry, false);
}

/* End the sessions of a database; false if one is at work. */
static bool
end_sessions(uint32 database)
{
	for (uint32 slot = 0; slot < SIM_BACKENDS; slot++)
	{
		SimProcess *process = sim_world.server.processes[slot];

		if (process == NULL || process->database != database)
			continue;
		if (process->stack != NULL || process->in_ddl)
			return false;
		sim_end_process(process);
	}
	return true;
}

/* DROP DATABASE, if there is one, then CREATE DATABASE ... TEMPLATE */
void
sim_template(void)
{
	uint32		from = sim_below(SIM_DATABASES);
	uint32		to = (from + 1 + sim_below(SIM_DATABASES - 1)) % SIM_DATABASES;
	SimDatabase entry = sim_world.buffers.databases[from];

	if (!entry.exists || !end_sessions(from) || !end_sessions(to) ||
		sim_world.n_files > SIM_FILES - FLAKE_FORMATS)
		return;
	sim_note("CREATE DATABASE %u TEMPLATE %u", to, from);
	entry.identity = sim_world.next_identity++;
	sim_world.server.touched[from] = true;
	sim_ids_copy(entry.identity, sim_world.buffers.databases[from].identity);
	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		SimSequence *sequence = &entry.sequences[format];
		SimPage		page = sim_world.buffers.pages[sequence->file];

		sim_world.server.folded[to][format] = sim_world.server.folded[from][format];
		if (entry.has_extension)
			sequence->file = sim_new_file(&page, sequence->unlogged);
	}
	sim_commit_catalog(to, &entry, true);
}
