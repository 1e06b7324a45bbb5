/*
 * compat.c
 *		Functions that older servers do not export.  See compat.h.
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
	{
		if (pg_strcasecmp(settings[i]->name, name) == 0)
			return settings[i];
	}
	return NULL;
}

#endif

#ifndef flakeid_extension_schema

#include "access/genam.h"
#include "access/table.h"
#include "catalog/pg_extension.h"
#include "utils/fmgroids.h"
#include "utils/rel.h"

Oid
flakeid_extension_schema(Oid extension)
{
	Relation	catalog = table_open(ExtensionRelationId, AccessShareLock);
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	tuple;
	Oid			schema = InvalidOid;

	ScanKeyInit(&key, Anum_pg_extension_oid, BTEqualStrategyNumber, F_OIDEQ,
				ObjectIdGetDatum(extension));
	scan = systable_beginscan(catalog, ExtensionOidIndexId, true, NULL, 1, &key);
	tuple = systable_getnext(scan);
	if (HeapTupleIsValid(tuple))
		schema = ((Form_pg_extension) GETSTRUCT(tuple))->extnamespace;
	systable_endscan(scan);
	table_close(catalog, AccessShareLock);
	return schema;
}

#endif
