/*
 * test_pictures.c
 *		Checks that data/layouts.txt, which doc/pictures shows, agrees with the
 *		code: each field is where <format>_explain() finds it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/explain.h"
#include "unit.h"

#define MAX_LINE	200

static FlakeExplainRow flake_rows[FLAKE_EXPLAIN_LAYOUT_ROWS];
static const FlakeExplainRow *draft_rows;

/* Rows of a layout, and its number of bits; NULL: no such layout */
static const FlakeExplainRow *
rows_of(const char *name, unsigned *bits)
{
	FlakeUuid	uuid = {0, UINT64_C(1) << 63};

	draft_rows = flake_explain_draft(uuid);
	*bits = 64;
	for (int format = 0; format < FLAKE_FORMATS; format++)
		if (format != FLAKE_ULIDFLAKE &&
			strcmp(name, flake_layouts[format].sql_name) == 0)
		{
			flake_explain_layout(&flake_layouts[format], flake_rows);
			return flake_rows;
		}
	if (strcmp(name, "ulidflake") == 0 ||
		strcmp(name, "ulidflake_scalable") == 0)
		return flake_explain_ulidflake;
	*bits = 160;
	if (strcmp(name, "scru160") == 0)
		return flake_explain_scru160;
	*bits = 128;
	if (strncmp(name, "uuid_v", 6) != 0)
		return NULL;
	uuid.high = (uint64_t) atoi(name + 6) << 12;
	draft_rows = flake_explain_draft(uuid);
	return flake_explain_uuid(uuid);
}

/* The row with this name and number of bits, or the last one */
static const FlakeExplainRow *
row_of(const FlakeExplainRow *row, const char *name, unsigned bits)
{
	/* random_scalable is another reading of random */
	while (row->field != NULL &&
		   (strncmp(row->field, name, strlen(name)) != 0 || row->bits != bits))
		row++;
	return row;
}

/* A field's line: bits, kind, name, label */
static void
check_field(const FlakeExplainRow *row, const char *line, unsigned first_bit,
			unsigned *bits)
{
	char		name[MAX_LINE] = "";

	if (!CHECK(sscanf(line, "\t%u\t%*[^\t]\t%[^\t\n]", bits, name) == 2))
		return;
	row = row_of(row, name, *bits);
	if (row->field == NULL)
		row = row_of(draft_rows, name, *bits);
	if (!unit_check(row->field != NULL, __FILE__, __LINE__, "no field %s", name))
		return;
	CHECK_EQ(row->first_bit, first_bit);
	CHECK_EQ(row->bits, *bits);
}

void
test_pictures(void)
{
	FILE	   *file = fopen("data/layouts.txt", "r");
	const FlakeExplainRow *rows = NULL;
	char		line[MAX_LINE];
	unsigned	width = 0;
	unsigned	at = 0;
	int			layouts = 0;

	if (!CHECK(file != NULL))
		return;
	while (fgets(line, sizeof(line), file) != NULL)
	{
		char		name[MAX_LINE] = "";
		unsigned	bits = 0;

		if (line[0] == '#')
			continue;
		if (line[0] == '\t')
		{
			if (rows != NULL)
				check_field(rows, line, at, &bits);
			at += bits;
			continue;
		}
		CHECK_EQ(at, width);
		(void) sscanf(line, "%[^\t]", name);
		rows = rows_of(name, &width);
		CHECK(rows != NULL);
		layouts++;
		at = 0;
	}
	CHECK_EQ(at, width);
	CHECK_EQ(layouts, 9);
	fclose(file);
}
