/*
 * sim_ids.c
 *		Every id of the fleet that was given out: a hash table, since nothing
 *		less shows that none was given out twice.
 */
#include "sim.h"

/* An id of a format; Ulid-Flakes are told apart by server as well. */
typedef struct Entry
{
	uint64		id;
	uint16_t	server;
	uint8_t		format;
	bool		forgotten;		/* it may come again */
	uint32		fleet;			/* an entry of another fleet is free */
} Entry;

#define FIRST_SIZE	(UINT32_C(1) << 16)

static Entry *entries;
static uint32 size;
static uint32 used;
static uint32 fleet;

void
sim_ids_clear(void)
{
	fleet++;
	used = 0;
	if (size > FIRST_SIZE)
	{
		free(entries);
		entries = NULL;
		size = 0;
	}
}

/* Ulid-Flakes of two servers may be equal: the stand-alone form has no node. */
static bool
is_same(const Entry *entry, FlakeFormat format, uint32 server, uint64 id)
{
	return entry->id == id && entry->format == format &&
		(format != FLAKE_ULIDFLAKE || entry->server == server);
}

static Entry *
find(FlakeFormat format, uint32 server, uint64 id)
{
	uint64		hash = (id + (uint64) format) * UINT64_C(0x9e3779b97f4a7c15);
	uint32		place = (uint32) (hash >> 32) & (size - 1);

	while (entries[place].fleet == fleet &&
		   !is_same(&entries[place], format, server, id))
		place = (place + 1) & (size - 1);
	return &entries[place];
}

static void
grow(void)
{
	Entry	   *old = entries;
	uint32		old_size = size;

	size = old_size == 0 ? FIRST_SIZE : old_size * 2;
	entries = calloc(size, sizeof(Entry));
	if (fleet == 0)
		fleet = 1;
	for (uint32 i = 0; i < old_size; i++)
	{
		if (old[i].fleet == fleet)
			*find(old[i].format, old[i].server, old[i].id) = old[i];
	}
	free(old);
}

/* False when it was there. */
bool
sim_ids_add(FlakeFormat format, uint32 server, uint64 id)
{
	Entry	   *entry;

	if (used >= size / 2)
		grow();
	entry = find(format, server, id);
	if (entry->fleet != fleet)
		used++;
	else if (!entry->forgotten)
		return false;
	*entry = (Entry) {.id = id, .server = (uint16_t) server,
					  .format = (uint8_t) format, .fleet = fleet};
	return true;
}

/* A server's ids above a millisecond may come again. */
void
sim_ids_forget(FlakeFormat format, uint32 server, uint64 above_ms)
{
	for (uint32 i = 0; i < size; i++)
	{
		Entry	   *entry = &entries[i];

		if (entry->fleet == fleet && entry->format == format &&
			entry->server == server &&
			flake_id_ms(&flake_layouts[format], entry->id) > above_ms)
			entry->forgotten = true;
	}
}
