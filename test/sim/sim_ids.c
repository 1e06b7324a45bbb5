/*
 * sim_ids.c
 *		All ids that were returned, in a hash table, and which of them may be
 *		returned again.
 */
#include "sim.h"

typedef struct Entry
{
	uint64		id;
	XLogRecPtr	lsn;			/* a row with it comes after this */
	XLogRecPtr	commit;			/* of the DDL in whose transaction it was
								 * returned, else 0 */
	uint32		start;
	uint32		next;			/* of the same hash, plus 1 */
	uint16_t	identity;
	uint8_t		format;
	uint8_t		slot;
	bool		in_ddl;
	bool		lost;			/* not replicated, or of a failed transaction */
} Entry;

/* Older ids of a database above this millisecond may be repeated. */
typedef struct Forgotten
{
	uint64		above_ms;
	uint64		last_ms;
	uint32		before;
	uint32		identity;
	FlakeFormat format;
} Forgotten;

#define LISTS		(UINT32_C(1) << 14)
#define IDENTITIES	2048

static Entry *entries;
static uint32 n_entries;
static uint32 size;
static uint32 lists[LISTS];
static Forgotten *forgotten;
static uint32 n_forgotten;
static uint32 forgotten_size;

/* A copy has the ids of its parent, and what it may repeat, as of then. */
static struct
{
	uint32		parent;
	uint32		before;			/* number of ids then */
	uint32		n_forgotten;
}			copies[IDENTITIES];

uint32
sim_ids_count(void)
{
	return n_entries;
}

void
sim_ids_clear(void)
{
	n_entries = 0;
	n_forgotten = 0;
	memset(lists, 0, sizeof(lists));
	memset(copies, 0, sizeof(copies));
}

static uint32 *
list_of(FlakeFormat format, uint64 id)
{
	uint64		hash = (id ^ (uint64) format << 60) * UINT64_C(0x9e3779b97f4a7c15);

	return &lists[hash >> 50];
}

/* Had this database the id, when it was copied if it is a copy? */
static bool
has_it(uint32 identity, const Entry *entry)
{
	uint32		before = n_entries;

	while (identity != 0)
	{
		if (identity == entry->identity)
			return (uint32) (entry - entries) < before;
		before = Min(before, copies[identity].before);
		identity = copies[identity].parent;
	}
	return false;
}

static bool
is_forgotten(uint32 identity, const Entry *entry)
{
	uint64		ms = flake_id_ms(&flake_layouts[entry->format], entry->id);
	uint32		last = n_forgotten;

	for (; identity != 0; identity = copies[identity].parent)
	{
		for (uint32 i = 0; i < last; i++)
		{
			if (forgotten[i].identity == identity &&
				forgotten[i].format == entry->format &&
				entry < &entries[forgotten[i].before] &&
				ms > forgotten[i].above_ms && ms <= forgotten[i].last_ms)
				return true;
		}
		last = Min(last, copies[identity].n_forgotten);
	}
	return false;
}

/*
 * May this database return an id again?  Within a start never; within a
 * database never, with the exceptions that were noted as they happened; over
 * databases, if the clock was at or behind it since the start.
 */
static bool
may_repeat(uint32 identity, const Entry *entry)
{
	uint64		ms = flake_id_ms(&flake_layouts[entry->format], entry->id);
	SimServer  *server = &sim_world.server;
	int64		lowest_ms = flake_unix_ms(flake_instant_from_unix_us(server->lowest_clock_us)) -
		server->config.epoch_ms[entry->format];

	if (entry->start == server->start)
		return false;
	if (entry->lost)
		return true;
	if (has_it(identity, entry))
		return is_forgotten(identity, entry);
	return (int64) ms >= lowest_ms || is_forgotten(identity, entry);
}

void
sim_ids_add(FlakeFormat format, uint32 identity, uint64 id)
{
	uint32	   *list = list_of(format, id);

	for (uint32 i = *list; i != 0; i = entries[i - 1].next)
	{
		const Entry *entry = &entries[i - 1];

		if (entry->id == id && entry->format == format && !may_repeat(identity, entry))
			sim_fail("%s %llu (%llu ms) of database identity %u, start %u, is returned again by identity %u in start %u",
					 flake_layouts[format].name, (unsigned long long) id,
					 (unsigned long long) flake_id_ms(&flake_layouts[format], id),
					 entry->identity, entry->start, identity,
					 sim_world.server.start);
	}
	if (n_entries == size)
	{
		size = Max(2 * size, 4096);
		entries = realloc(entries, size * sizeof(Entry));
	}
	entries[n_entries++] = (Entry) {
		.id = id, .lsn = sim_world.inserted, .start = sim_world.server.start,
		.next = *list, .identity = (uint16_t) identity,
		.format = (uint8_t) format, .slot = (uint8_t) sim_process->slot,
		.in_ddl = sim_process->in_ddl
	};
	*list = n_entries;
}

/* A database may repeat its ids above a millisecond, up to another. */
void
sim_ids_forget(FlakeFormat format, uint32 identity, uint64 above_ms,
			   uint64 last_ms)
{
	if (n_forgotten == forgotten_size)
	{
		forgotten_size = Max(2 * forgotten_size, 64);
		forgotten = realloc(forgotten, forgotten_size * sizeof(Forgotten));
	}
	forgotten[n_forgotten++] = (Forgotten) {above_ms, last_ms, n_entries, identity, format};
	sim_note("  ids of identity %u, %s, after %llu up to %llu may be repeated", identity,
			 flake_layouts[format].name, (unsigned long long) above_ms,
			 (unsigned long long) last_ms);
}

/*
 * WAL after this is gone.  Transactions that did not commit before are rolled
 * back; after a failover, ids that were returned later are not known, either.
 */
void
sim_ids_lose(XLogRecPtr cut, bool failover)
{
	for (uint32 i = 0; i < n_entries; i++)
	{
		if ((failover && entries[i].lsn > cut) || entries[i].commit > cut)
			entries[i].lost = true;
	}
}

/* A transaction with DDL ends; commit is 0 if it is rolled back. */
void
sim_ids_of_ddl(const SimProcess *process, XLogRecPtr commit)
{
	for (uint32 i = process->first_id; i < n_entries; i++)
	{
		if (!entries[i].in_ddl || entries[i].slot != process->slot)
			continue;
		entries[i].commit = commit;
		entries[i].lost = commit == 0;
	}
}

void
sim_ids_copy(uint32 identity, uint32 parent)
{
	if (identity >= IDENTITIES)
		sim_fail("too many databases");
	copies[identity].parent = parent;
	copies[identity].before = n_entries;
	copies[identity].n_forgotten = n_forgotten;
}
