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

#define MAX_COLUMNS 16
#define MAX_LINE	4096

struct Vectors
{
	FILE	   *file;
	int			columns;
	char		header[MAX_LINE];
	char		line[MAX_LINE];
	char	   *names[MAX_COLUMNS];
	char	   *fields[MAX_COLUMNS];
};

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

/* Split the line at its tabs and decode backslash escapes; NULL for \N. */
static int
split(char *line, char **fields)
{
	int			n = 0;
	char	   *rest = line;

	line[strcspn(line, "\n")] = '\0';
	while (rest != NULL && n < MAX_COLUMNS)
	{
		char	   *field = rest;
		char	   *out = field;

		rest = strchr(field, '\t');
		if (rest != NULL)
			*rest++ = '\0';
		fields[n++] = strcmp(field, "\\N") == 0 ? NULL : field;
		for (const char *in = field; *in != '\0'; in++)
		{
			static const char escapes[] = "b\bf\fn\nr\rt\tv\v\\\\";
			const char *escape = NULL;

			for (const char *e = escapes; *in == '\\' && *e != '\0'; e += 2)
				if (e[0] == in[1])
					escape = e;
			if (escape != NULL)
				in++;
			*out++ = escape ? escape[1] : *in;
		}
		*out = '\0';
	}
	return n;
}

Vectors *
vectors_open(const char *name)
{
	Vectors    *vectors = calloc(1, sizeof(Vectors));
	char		path[256];

	snprintf(path, sizeof(path), "test/vectors/%s", name);
	vectors->file = fopen(path, "r");
	if (vectors->file == NULL ||
		fgets(vectors->header, MAX_LINE, vectors->file) == NULL)
	{
		perror(path);
		exit(2);
	}
	vectors->columns = split(vectors->header, vectors->names);
	return vectors;
}

bool
vectors_next(Vectors *vectors)
{
	if (fgets(vectors->line, MAX_LINE, vectors->file) != NULL)
	{
		if (split(vectors->line, vectors->fields) == vectors->columns)
			return true;
		printf("a row with another number of columns\n");
		exit(2);
	}
	fclose(vectors->file);
	free(vectors);
	return false;
}

const char *
vectors_text(const Vectors *vectors, const char *column)
{
	for (int i = 0; i < vectors->columns; i++)
		if (strcmp(vectors->names[i], column) == 0)
			return vectors->fields[i];
	printf("no column %s\n", column);
	exit(2);
}

bool
vectors_null(const Vectors *vectors, const char *column)
{
	return vectors_text(vectors, column) == NULL;
}

uint64_t
vectors_number(const Vectors *vectors, const char *column, int base)
{
	const char *text = vectors_text(vectors, column);

	return text[0] == '-' ? (uint64_t) strtoll(text, NULL, base) :
		strtoull(text, NULL, base);
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
	{"step_walk", test_step_walk},
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
