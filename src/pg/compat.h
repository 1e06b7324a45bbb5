/*
 * compat.h
 *		Differences between PostgreSQL major versions.  No other file uses
 *		PG_VERSION_NUM: the code is written for the newest server, and this
 *		header emulates it on older ones.  Include it right after postgres.h.
 */
#ifndef FLAKEID_PG_COMPAT_H
#define FLAKEID_PG_COMPAT_H

#if PG_VERSION_NUM < 150000
#error "flakeid needs PostgreSQL 15 or newer"
#endif

/*
 * We compile with -fvisibility=hidden.  Before 16, PGDLLEXPORT does not make a
 * symbol visible, and PG_FUNCTION_INFO_V1 does not export the function.
 */
#if PG_VERSION_NUM < 160000
#undef PGDLLEXPORT
#ifdef WIN32
#define PGDLLEXPORT __declspec(dllexport)
#else
#define PGDLLEXPORT __attribute__((visibility("default")))
#endif
#include "fmgr.h"
extern PGDLLEXPORT void _PG_init(void);
#undef PG_FUNCTION_INFO_V1
#define PG_FUNCTION_INFO_V1(funcname) \
	extern PGDLLEXPORT Datum funcname(PG_FUNCTION_ARGS); \
	extern PGDLLEXPORT const Pg_finfo_record *pg_finfo_##funcname(void); \
	const Pg_finfo_record * \
	pg_finfo_##funcname(void) \
	{ \
		static const Pg_finfo_record my_finfo = {1}; \
		return &my_finfo; \
	} \
	extern int	no_such_variable
#endif

/* VARDATA() and related macros moved to this header in 16. */
#if PG_VERSION_NUM >= 160000
#include "varatt.h"
#endif

/* pg_noreturn is of 18; earlier the attribute follows the declaration. */
#if PG_VERSION_NUM < 180000
#define pg_noreturn _Noreturn
#endif

/* transaction_timeout is of 17. */
#if PG_VERSION_NUM < 170000
#define TransactionTimeoutPending	false
#endif

/* The magic number of a sequence's page is in no header before 19. */
#if PG_VERSION_NUM >= 190000
#include "commands/sequence_xlog.h"
#elif !defined(SEQ_MAGIC)
#define SEQ_MAGIC	0x1717
#endif

/* Renamed in 20.  It is a macro, so that #ifndef detects it. */
#ifndef pg_attribute_always_inline
#define pg_attribute_always_inline pg_always_inline
#endif

/* Renamed in 20.  tuplesort recognizes the comparator by its address. */
#if PG_VERSION_NUM >= 200000
#define ssup_datum_unsigned_cmp ssup_datum_uint64_cmp
#endif

/* Record of a setting, or NULL; find_option() is exported from 16 on. */
#if PG_VERSION_NUM >= 160000
#define flakeid_find_setting(name) \
	find_option((name), false, true, LOG)
#else
struct config_generic;
extern struct config_generic *flakeid_find_setting(const char *name);
#endif

/*
 * Allows a setting that is defined during a parallel operation to be applied;
 * added in minor releases of 15 to 17.
 */
#include "utils/guc.h"
#ifndef GUC_ALLOW_IN_PARALLEL
#define GUC_ALLOW_IN_PARALLEL 0
#endif

/* This process's PGPROC number, unique among live processes. */
#if PG_VERSION_NUM >= 170000
#define flakeid_proc_number() ((uint32) MyProcNumber)
#else
#define flakeid_proc_number() ((uint32) MyProc->pgprocno)
#endif

/* Custom wait events came with 17. */
#if PG_VERSION_NUM >= 170000
#define flakeid_wait_event_new(name) WaitEventExtensionNew(name)
#else
#define flakeid_wait_event_new(name) PG_WAIT_EXTENSION
#endif

/* index_beginscan() gained instrumentation in 18, and flags in 19. */
#if PG_VERSION_NUM >= 190000
#define flakeid_index_beginscan(heap, index, snapshot, nkeys) \
	index_beginscan((heap), (index), (snapshot), NULL, (nkeys), 0, 0)
#elif PG_VERSION_NUM >= 180000
#define flakeid_index_beginscan(heap, index, snapshot, nkeys) \
	index_beginscan((heap), (index), (snapshot), NULL, (nkeys), 0)
#else
#define flakeid_index_beginscan(heap, index, snapshot, nkeys) \
	index_beginscan((heap), (index), (snapshot), (nkeys), 0)
#endif

/* Soft errors came with 16; before that, report hard ones. */
#if PG_VERSION_NUM < 160000
#define errsave(context, ...)	ereport(ERROR, __VA_ARGS__)
#define ereturn(context, dummy_value, ...) \
	do { \
		errsave(context, __VA_ARGS__); \
		return dummy_value; \
	} while (0)
#endif

#if PG_VERSION_NUM >= 180000
#define FLAKEID_MODULE_MAGIC \
	PG_MODULE_MAGIC_EXT(.name = "flakeid", .version = FLAKEID_VERSION)
#else
#define FLAKEID_MODULE_MAGIC \
	PG_MODULE_MAGIC
#endif

#endif							/* FLAKEID_PG_COMPAT_H */
