/*
 * unit.c
 *		Runs every topic, or those given as arguments, and counts; see unit.h.
 *		UNIT_STOP=1 stops at the first failure.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "unit.h"

static unsigned long passed;
static unsigned long failed;
static uint64_t random_state;

bool
unit_check(bool holds, const char *file, int line, const char *format,...)
{
	va_list		args;

	if (holds)
	{
		passed++;
		return true;
	}
	failed++;
	printf("%s:%d: ", file, line);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
	if (getenv("UNIT_STOP") != NULL)
		exit(1);
	return false;
}

bool
unit_check_equal(uint64_t actual, uint64_t expected, const char *file,
				 int line, const char *what)
{
	return unit_check(actual == expected, file, line,
					  "%s is 0x%llx, expected 0x%llx", what,
					  (unsigned long long) actual,
					  (unsigned long long) expected);
}

bool
unit_check_text(const char *actual, const char *expected, const char *file,
				int line, const char *what)
{
	return unit_check(strcmp(actual, expected) == 0, file, line,
					  "%s is \"%s\", expected \"%s\"", what, actual, expected);
}

char *
unit_copy(const char *text, size_t length)
{
	char	   *copy = malloc(length > 0 ? length : 1);

	return memcpy(copy, text, length);
}

/* splitmix64: sufficient for test data, and the same on every machine */
uint64_t
unit_random64(void)
{
	uint64_t	z = (random_state += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static void
seed_random(void)
{
	const char *seed = getenv("UNIT_SEED");

	random_state = seed ? strtoull(seed, NULL, 0) : (uint64_t) time(NULL);
	printf("seed: UNIT_SEED=%llu\n", (unsigned long long) random_state);
}

static const struct
{
	const char *name;
	void		(*run) (void);
}			topics[] =
{
	{"uuid", test_uuid},
	{"uuid_next", test_uuid_next},
	{"uuid_draft", test_uuid_draft},
	{"uuid_text", test_uuid_text},
	{"flake", test_flake},
	{"address", test_address},
	{"step", test_step},
	{"explain", test_explain},
	{"horizon", test_horizon},
	{"epoch", test_epoch},
	{"text", test_text},
	{"fault", test_fault},
	{"scru160", test_scru160},
	{"scru160_next", test_scru160_next},
	{"range", test_range},
};

/* Run the topics of this name, or all without a name; returns their number. */
static int
run_topics(const char *name)
{
	int			n = 0;

	for (size_t i = 0; i < sizeof(topics) / sizeof(topics[0]); i++)
		if (name == NULL || strcmp(name, topics[i].name) == 0)
		{
			topics[i].run();
			n++;
		}
	return n;
}

int
main(int argc, char **argv)
{
	seed_random();
	if (argc < 2)
		run_topics(NULL);
	for (int i = 1; i < argc; i++)
		if (run_topics(argv[i]) == 0)
		{
			printf("no topic \"%s\": topics are test/unit/test_*.c\n", argv[i]);
			return 2;
		}
	printf("%lu passed, %lu failed\n", passed, failed);
	return failed > 0;
}
