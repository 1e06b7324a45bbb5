/*
 * sim_ids.c
 *		All ids that the fleet has returned, in a hash table, which shows that
 *		none was returned twice.
 */
#include "sim.h"

/* An id of a format; for Ulid-Flakes, also of a server. */
typedef struct Entry
{
	uint64		id;
	uint16_t	server;
	uint8_t		format;
	uint32		number;			/* number of ids before it */
	uint32		fleet;			/* an entry of another fleet is free */
} Entry;

/* Older ids of a server and format above this millisecond may be repeated. */
typedef struct Forgotten
{
	uint64		above_ms;
	uint32		number;
	uint32		server;
	FlakeFormat format;
	struct Forgotten *next;
} Forgotten;

#define FIRST_SIZE	(UINT32_C(1) << 16)
#define LISTS		1024

static Entry *entries;
static uint32 size;
static uint32 used;
static uint32 added;
static uint32 fleet;
static Forgotten *lists[LISTS]; /* by server */

void
sim_ids_clear(void)
{
	for (uint32 i = 0; i < LISTS; i++)
	{
		while (lists[i] != NULL)
		{
			Forgotten  *next = lists[i]->next;

			free(lists[i]);
			lists[i] = next;
		}
	}
	fleet++;
	used = 0;
	added = 0;
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
	uint64		seed = id + (uint64) format;
	uint32		place = (uint32) sim_random(&seed) & (size - 1);

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

static bool
is_forgotten(const Entry *entry)
{
	uint64		ms = flake_id_ms(&flake_layouts[entry->format], entry->id);

	for (const Forgotten *list = lists[entry->server % LISTS]; list != NULL;
		 list = list->next)
	{
		if (list->server == entry->server && list->format == entry->format &&
			list->number >= entry->number && list->above_ms < ms)
			return true;
	}
	return false;
}

/* Returns false if the id exists and may not be repeated. */
bool
sim_ids_add(FlakeFormat format, uint32 server, uint64 id)
{
	Entry	   *entry;

	if (used >= size / 2)
		grow();
	entry = find(format, server, id);
	if (entry->fleet != fleet)
		used++;
	else if (!is_forgotten(entry))
		return false;
	*entry = (Entry) {.id = id, .server = (uint16_t) server,
					  .format = (uint8_t) format, .number = ++added,
					  .fleet = fleet};
	return true;
}

/* A server's ids above a millisecond may be repeated. */
void
sim_ids_forget(FlakeFormat format, uint32 server, uint64 above_ms)
{
	Forgotten  *forgotten = malloc(sizeof(Forgotten));

	*forgotten = (Forgotten) {.above_ms = above_ms, .number = added,
							  .server = server, .format = format,
							  .next = lists[server % LISTS]};
	lists[server % LISTS] = forgotten;
}
