/*
 * compat.c
 *		Functions that servers do not export.  See compat.h.
 */
#include "postgres.h"

#include "pg/compat.h"

#ifndef flakeid_find_setting

#include "utils/guc.h"
#include "utils/guc_tables.h"

struct config_generic *
flakeid_find_setting(const char *name)
{
	struct config_generic **settings = get_guc_variables();

	for (int i = 0; i < GetNumConfigOptions(); i++)
		if (pg_strcasecmp(settings[i]->name, name) == 0)
			return settings[i];
	return NULL;
}

#endif
