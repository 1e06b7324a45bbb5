/*
 * sim_wal.c
 *		WAL, what recovery makes of it, and the pages on disk.
 */
#include "sim.h"

/* Insert a record; its position counts records. */
XLogRecPtr
sim_insert(const SimRecord *record)
{
	if (sim_world.inserted == sim_world.wal_size)
	{
		sim_world.wal_size = Max(2 * sim_world.wal_size, 1024);
		sim_world.wal = realloc(sim_world.wal,
								sim_world.wal_size * sizeof(SimRecord));
	}
	sim_world.wal[sim_world.inserted] = *record;
	sim_world.inserted++;
	sim_world.wal[sim_world.inserted - 1].page.lsn = sim_world.inserted;
	return sim_world.inserted;
}

/* A record of several pages counts, and survives, as a whole. */
XLogRecPtr
sim_end_of_record(XLogRecPtr lsn)
{
	while (lsn > 0 && sim_world.wal[lsn - 1].continues)
		lsn++;
	return lsn;
}

/* Ids up to the horizons of these records are safe from now on. */
void
sim_flush(XLogRecPtr lsn)
{
	lsn = sim_end_of_record(lsn);
	for (; sim_world.flushed < lsn; sim_world.flushed++)
	{
		const SimRecord *record = &sim_world.wal[sim_world.flushed];
		uint64	   *covered_ms = &sim_world.files[record->number].covered_ms;

		if (record->kind != SIM_RECORD_CATALOG)
			*covered_ms = Max(*covered_ms, (uint64) Max(record->page.row.last_value, 0));
	}
}

static int64
merge(int64 old, int64 new, uint64 mask)
{
	return (int64) (((uint64) old & ~mask) | ((uint64) new & mask));
}

static void
replay_page(SimPage *page, const SimRecord *record)
{
	FormData_pg_sequence_data old = page->row;

	if (record->kind == SIM_RECORD_PAGE && page->lsn >= record->page.lsn)
		return;
	*page = record->page;
	if (!record->partial)
		return;
	page->row.last_value = merge(old.last_value, page->row.last_value, record->mask[0]);
	page->row.log_cnt = merge(old.log_cnt, page->row.log_cnt, record->mask[1]);
}

/* Replay up to a position. */
void
sim_replay(SimSite *site, XLogRecPtr lsn)
{
	lsn = sim_end_of_record(lsn);
	for (; site->lsn < lsn; site->lsn++)
	{
		const SimRecord *record = &sim_world.wal[site->lsn];

		if (record->kind == SIM_RECORD_CATALOG)
			site->databases[record->number] = record->database;
		else
			replay_page(&site->pages[record->number], record);
	}
}

void
sim_checkpoint(void)
{
	sim_flush(sim_world.inserted);
	sim_world.disk = sim_world.buffers;
	sim_world.disk.lsn = sim_world.inserted;
}

/* The background writer writes a page. */
void
sim_write_back(uint16 file)
{
	sim_flush(sim_world.buffers.pages[file].lsn);
	sim_world.disk.pages[file] = sim_world.buffers.pages[file];
}

/* WAL after this is lost, or belongs to a timeline that ended. */
void
sim_cut(XLogRecPtr cut)
{
	sim_world.inserted = cut;
	sim_world.flushed = Min(sim_world.flushed, cut);
	for (uint32 i = 0; i < SIM_STANDBYS; i++)
	{
		SimStandby *standby = &sim_world.standbys[i];

		if (standby->exists &&
			(standby->site.lsn > cut || standby->consistent > cut))
			standby->exists = false;
	}
}

/* Crash recovery, or the end of replay, of what is on disk. */
void
sim_recover(XLogRecPtr cut)
{
	sim_cut(cut);
	sim_flush(cut);
	sim_replay(&sim_world.disk, cut);
	for (uint32 file = 0; file < sim_world.n_files; file++)
	{
		if (sim_world.files[file].unlogged)
			sim_world.disk.pages[file] = sim_world.files[file].initial;
	}
	sim_world.buffers = sim_world.disk;
}

/*
 * Commit a change of a catalog.  A transaction that removes files is flushed
 * before others see it, even with synchronous_commit = off.
 */
void
sim_commit_catalog(uint32 database, const SimDatabase *entry, bool flushes)
{
	SimDatabase *old = &sim_world.buffers.databases[database];
	bool		removes_files = old->has_extension;
	SimDatabase new = *entry;

	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		uint16		file = new.sequences[format].file;

		if (sim_world.minimal && sim_is_new(&new, old, format))
			sim_world.buffers.pages[file].lsn = sim_insert(&(SimRecord) {
				.kind = SIM_RECORD_SEQUENCE, .number = file,
				.page = sim_world.buffers.pages[file]
			});
	}
	new.commit = sim_world.inserted + 1;
	(void) sim_insert(&(SimRecord) {
		.kind = SIM_RECORD_CATALOG, .number = (uint16) database, .database = new
	});
	if (flushes || removes_files || sim_one_in(2))
		sim_flush(sim_world.inserted);
	for (int format = 0; format < FLAKE_FORMATS; format++)
	{
		uint64		covered_ms = sim_world.files[old->sequences[format].file].covered_ms;
		uint64	   *new_ms = &sim_world.files[entry->sequences[format].file].covered_ms;

		if (old->has_extension && entry->has_extension)
			*new_ms = Max(*new_ms, covered_ms);
		if (old->has_extension)
			sim_invalidate(database, old->sequences[format].oid);
	}
	*old = new;
}
