/*
 * compat.c
 *		Functions that servers do not export.  See compat.h.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/htup_details.h"
#include "catalog/dependency.h"
#include "catalog/pg_class.h"
#include "catalog/pg_proc.h"
#include "utils/catcache.h"
#include "utils/syscache.h"

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

/*
 * The relation or function of this name that is a member of an extension,
 * whatever its schema; InvalidOid if there is none, or more than one.
 */
Oid
flakeid_member(Oid extension, Oid catalog, const char *name)
{
	const bool	relations = catalog == RelationRelationId;
	CatCList   *list;
	Oid			result = InvalidOid;
	int			members = 0;

	if (relations)
		list = SearchSysCacheList1(RELNAMENSP, CStringGetDatum(name));
	else
		list = SearchSysCacheList1(PROCNAMEARGSNSP, CStringGetDatum(name));

	for (int i = 0; i < list->n_members; i++)
	{
		HeapTuple	tuple = &list->members[i]->tuple;
		Oid			object = relations ?
			((Form_pg_class) GETSTRUCT(tuple))->oid :
			((Form_pg_proc) GETSTRUCT(tuple))->oid;

		if (getExtensionOfObject(catalog, object) != extension)
			continue;
		result = object;
		members++;
	}
	ReleaseSysCacheList(list);
	return members == 1 ? result : InvalidOid;
}
