/*
 * test_step_walk.c
 *		Invariants of the 64-bit generators for any clock and any random bits:
 *		no duplicate ids, each above the previous one, none further ahead of
 *		the clock than the clock was set back.
 */
#include <stdlib.h>

#include "format/flake_horizon.h"
#include "unit_flake.h"

/* First value and step of a Ulid-Flake, with the worst possible random bits */
static void
test_random_counting(void)
{
	static const uint64_t randoms[] = {0, UINT64_MAX, UINT32_MAX,
	UINT64_C(0xffffffff00000000), UINT64_C(0x0123456789abcdef)};

	for (unsigned step_bits = 0; step_bits <= 16; step_bits++)
	{
		for (int i = 0; i < 1000; i++)
		{
			uint64_t	random = i < 5 ? randoms[i] : unit_random64();
			FlakeIncrement alone = flake_increment_random(0, 0, step_bits, random);
			FlakeIncrement scalable = flake_increment_random(5, 31, step_bits, random);

			MUST(alone.last == 0xfffff && alone.fixed_mask == 0 &&
				 alone.fixed == 0);
			MUST(scalable.last == 0xfffff && scalable.fixed_mask == 31 &&
				 scalable.fixed == 31);
			MUST(alone.first == (random & 0xfffff));
			MUST(scalable.first == (random & 0xfffe0));
			MUST(alone.step >= 1 && alone.step <= UINT64_C(1) << step_bits);
			MUST(scalable.step == alone.step * 32);
			if (i == 0)
				CHECK_EQ(alone.step, 1);
			if (i == 1)
				CHECK_EQ(alone.step, UINT64_C(1) << step_bits);
		}
	}
}

/*
 * Both forms of Ulid-Flake share a word; the checks of the step verify that
 * each id is above the previous one, whatever its form.
 */
static void
test_mixed_forms(void)
{
	for (unsigned step_bits = 0; step_bits <= 16; step_bits++)
	{
		uint64_t	word = 0;
		Process		p = process(ulidflake, flake_increment_by_one(20), 0, &word);
		int64_t		now_ms = 1;
		int			made[FLAKE_STEP_BEYOND_FIELD + 1] = {0};

		for (int i = 0; i < 20000; i++)
		{
			uint64_t	random = unit_random64();
			bool		scalable = random >> 63;

			p.increment = flake_increment_random(scalable ? 5 : 0,
												 scalable ? 22 : 0,
												 step_bits, random);
			now_ms += (random >> 50 & 255) == 0;
			made[step_at(&p, now_ms)]++;
		}
		CHECK(made[FLAKE_STEP_COUNTED] > 0 && made[FLAKE_STEP_NEW_MS] > 0);
		CHECK_EQ(made[FLAKE_STEP_COUNTED] + made[FLAKE_STEP_NEW_MS] +
				 made[FLAKE_STEP_FULL], 20000);
	}
}

/* The fast path returns what the slow path does, whenever it applies. */
static void
test_short_way(void)
{
	int			gone = 0;

	for (int i = 0; i < 100000; i++)
	{
		uint64_t	random = unit_random64();
		FlakeIncrement increment = flake_increment_by_one(4);
		FlakePosition before = {.ms = random & 3, .counter = random >> 2 & 15};
		FlakePosition position = before;
		int64_t		now_ms = (int64_t) (random >> 6 & 7) - 2;
		FlakeClockHistory history = {.latest_ms = (int64_t) (random >> 9 & 7) - 2};
		FlakeClockHistory seen = history;
		uint64_t	wanted_ms;

		if (flake_step_in_ms(&increment, now_ms, &history, &position))
		{
			MUST(flake_step_slow(fluid, &increment, now_ms, UINT64_MAX, &seen,
								 &before, &wanted_ms) == FLAKE_STEP_COUNTED);
			MUST(seen.steps_back == 0);
			gone++;
		}
		MUST(same_position(before, position));
	}
	CHECK(gone > 1000);
}

/*
 * A server with a few slots, and a layout with so few bits that milliseconds
 * are often used up.
 */
#define SLOTS		4
#define IDS			200000
#define START_MS	1000000

#define LAYOUT \
	.name = "test", .time_bits = 40, .generator_bits = 4, .sequence_bits = 2, \
	.last_generated_ms = UINT64_C(1) << 39
static const FlakeLayout carries = {LAYOUT};
static const FlakeLayout waits = {LAYOUT, .waits = true};

typedef struct Server
{
	const FlakeLayout *layout;
	bool		server_scope;
	int64_t		now_ms;
	uint64_t	floor_ms;
	uint64_t	horizon_ms;		/* survives a restart, as nothing else does */
	uint64_t	word;
	uint64_t	marks_ms[SLOTS];
	Process		processes[SLOTS];
	uint64_t	allowed_ms[SLOTS];	/* what a process knows of the horizon */
	int64_t		limit_ms[SLOTS];	/* limit of ids; one in server scope */
	uint64_t	last_ids[SLOTS];
	uint64_t   *ids;
	int			generated;
} Server;

/* The limit that processes share with the word, or the process's own */
static int64_t *
limit_of(Server *server, int slot)
{
	return &server->limit_ms[server->server_scope ? 0 : slot];
}

/* Another process takes the slot, as in attach_slot() of src/pg/generate.c. */
static void
attach(Server *server, int slot)
{
	uint64_t	floor_ms = server->floor_ms;
	int64_t    *limit_ms = limit_of(server, slot);

	if (!server->server_scope && server->marks_ms[slot] > floor_ms)
		floor_ms = server->marks_ms[slot];
	server->processes[slot] = process(server->layout,
									  flake_increment_by_one(server->server_scope ? 3 : 2),
									  floor_ms,
									  server->server_scope ? &server->word : NULL);
	server->allowed_ms[slot] = 0;
	if (!server->server_scope || *limit_ms < server->now_ms)
		*limit_ms = server->now_ms;
	if (*limit_ms < (int64_t) floor_ms)
		*limit_ms = (int64_t) floor_ms;
}

/* The shared state begins anew; its floor is the horizon. */
static void
restart(Server *server)
{
	server->floor_ms = server->horizon_ms;
	server->word = 0;
	server->limit_ms[0] = 0;
	for (int slot = 0; slot < SLOTS; slot++)
	{
		server->marks_ms[slot] = 0;
		attach(server, slot);
	}
}

static void
move_clock(Server *server)
{
	uint64_t	random = unit_random64();
	int64_t		move_ms = random % 3 == 0;

	if (random >> 8 & 1023)
		;
	else if (random >> 20 & 1)
		move_ms = (int64_t) (random >> 32) % 20;
	else
		move_ms = -((int64_t) (random >> 32) % 15);
	if (move_ms > 0)
		for (int slot = 0; slot < SLOTS; slot++)
			server->limit_ms[slot] += move_ms;
	server->now_ms += move_ms;
}

/*
 * Bits that identify an id: with the slot in backend scope, of the server in
 * server scope
 */
static void
give_out(Server *server, int slot)
{
	Process    *p = &server->processes[slot];
	FlakeCounterRange range = {.prefix = server->server_scope ? 0 : (uint64_t) slot << 2};
	uint64_t	id = flake_position_id(server->layout, &range, p->position);
	uint64_t   *last_id = &server->last_ids[server->server_scope ? 0 : slot];
	int64_t    *limit_ms = limit_of(server, slot);

	MUST(id > *last_id);
	MUST((int64_t) p->position.ms <= *limit_ms);
	MUST(p->position.ms > p->floor_ms);
	MUST(p->position.ms <= server->horizon_ms);
	if (server->layout->waits)
		MUST((int64_t) p->position.ms == server->now_ms);
	if ((int64_t) p->position.ms <= server->now_ms)
		*limit_ms = server->now_ms;
	*last_id = id;
	server->ids[server->generated++] = id;
}

/* Look at the horizon, and raise it if it is near. */
static void
allow(Server *server, int slot)
{
	uint64_t	ms = server->processes[slot].wanted_ms;
	uint64_t	now_ms = (uint64_t) server->now_ms;
	uint64_t	lead_ms = flake_lead_ms(server->layout);

	if (flake_horizon_is_near(lead_ms, ms, now_ms, server->horizon_ms))
		server->horizon_ms = flake_horizon_for(lead_ms, ms, now_ms);
	server->allowed_ms[slot] = server->horizon_ms;
}

/* One call of one process, at the current clock */
static void
call(Server *server, int slot)
{
	Process    *p = &server->processes[slot];
	FlakeStep	step = step_slow_allowed(p, server->now_ms,
										 server->allowed_ms[slot]);

	if (step == FLAKE_STEP_NEEDS_HORIZON)
	{
		allow(server, slot);
		step = step_slow_allowed(p, server->now_ms, server->allowed_ms[slot]);
		MUST(step != FLAKE_STEP_NEEDS_HORIZON);
	}
	if (!flake_step_generated(step))
		return;
	if (!server->server_scope)
		server->marks_ms[slot] = p->position.ms;
	give_out(server, slot);
}

static int
compare_ids(const void *a, const void *b)
{
	uint64_t	x = *(const uint64_t *) a;
	uint64_t	y = *(const uint64_t *) b;

	return (x > y) - (x < y);
}

static void
walk_server(const FlakeLayout *layout, bool server_scope)
{
	Server		server = {
		.layout = layout,
		.server_scope = server_scope,
		.now_ms = START_MS,
		.floor_ms = START_MS,
		.horizon_ms = START_MS,
		.ids = calloc(IDS, sizeof(uint64_t)),
	};
	int			repeated = 0;
	int			calls = 0;

	for (int slot = 0; slot < SLOTS; slot++)
		attach(&server, slot);
	for (; server.generated < IDS && calls < 100 * IDS; calls++)
	{
		uint64_t	random = unit_random64();

		if (random % 8 == 0)
			move_clock(&server);
		if ((random >> 8 & 1023) == 0)
			attach(&server, (int) (random >> 20 & (SLOTS - 1)));
		if ((random >> 8 & 65535) == 77)
			restart(&server);
		call(&server, (int) (random >> 32 & (SLOTS - 1)));
	}
	CHECK_EQ(server.generated, IDS);
	qsort(server.ids, IDS, sizeof(uint64_t), compare_ids);
	for (int i = 1; i < IDS; i++)
		repeated += server.ids[i] == server.ids[i - 1];
	CHECK_EQ(repeated, 0);
	free(server.ids);
}

/*
 * Generate ids at full speed, with a clock that is set back once, or a floor
 * ahead of it: ids are never further ahead of the clock than that distance and
 * a millisecond.
 */
static void
walk_behind(FlakeIncrement increment, bool server_scope, int64_t back_ms,
			int64_t lead_ms)
{
	uint64_t	word = 0;
	Process		p = process(&carries, increment, (uint64_t) (START_MS + lead_ms),
							server_scope ? &word : NULL);
	int64_t		now_ms = START_MS;
	int			made = 0;

	for (int tick = 0; tick < 3 * (back_ms + lead_ms) + 100; tick++)
	{
		if (tick == 50)
			now_ms -= back_ms;
		now_ms += unit_random64() % 2 == 0;
		for (int i = 0; i < 100; i++)
		{
			if (!flake_step_generated(step_at(&p, now_ms)))
				continue;
			made++;
			MUST((int64_t) p.position.ms - now_ms <= back_ms + lead_ms + 1);
		}
	}
	CHECK(made > 100);
}

static void
test_ahead(void)
{
	FlakeIncrement increment = flake_increment_by_one(4);
	FlakeIncrement fixed = {.last = 63, .fixed_mask = 3, .fixed = 1, .step = 12};

	for (int i = 0; i < 40; i++)
	{
		int64_t		ms = (int64_t) (unit_random64() % 2000);

		walk_behind(increment, i & 1, ms, 0);
		walk_behind(increment, i & 1, 0, ms);
		walk_behind(fixed, i & 1, ms, 0);
		walk_behind(fixed, i & 1, 0, ms);
	}
}

void
test_step_walk(void)
{
	test_random_counting();
	test_mixed_forms();
	test_short_way();
	for (int round = 0; round < 2; round++)
	{
		walk_server(&carries, false);
		walk_server(&carries, true);
		walk_server(&waits, false);
		walk_server(&waits, true);
	}
	test_ahead();
}
