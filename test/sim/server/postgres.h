/*
 * postgres.h
 *		The simulated server: everything that the simulated files of src/pg (see
 *		sim.c) use from the real one.  The other headers that they include are
 *		empty here ("make sim" creates them).
 *
 * Every access to what processes share, and every call that can take long,
 * goes through sim_access(), where the process can be suspended, so that others
 * run, or killed.
 */
#ifndef SIM_POSTGRES_H
#define SIM_POSTGRES_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PG_VERSION_NUM 180000

typedef int32_t int32;
typedef int64_t int64;
typedef uint16_t uint16;
typedef uint32_t uint32;
typedef uint64_t uint64;
typedef size_t Size;
typedef int64 TimestampTz;
typedef uintptr_t Datum;
typedef uint32 Oid;
typedef uint32 TimeLineID;
typedef uint64 XLogRecPtr;
typedef int LOCKMODE;
typedef int Buffer;

#define InvalidOid		0
#define OidIsValid(oid)	((oid) != InvalidOid)
#define PG_INT64_MIN	INT64_MIN
#define USECS_PER_SEC	INT64_C(1000000)
#define USECS_PER_DAY	INT64_C(86400000000)
#define UNIX_EPOCH_JDATE		2440588
#define POSTGRES_EPOCH_JDATE	2451545
#define INT64_FORMAT			"%lld"
#define INT64CONST(x)			INT64_C(x)
#define FLEXIBLE_ARRAY_MEMBER

#define Max(x, y)		((x) > (y) ? (x) : (y))
#define Min(x, y)		((x) < (y) ? (x) : (y))
#define MAXALIGN(x)		(((x) + 7) & ~(Size) 7)
#define StaticAssertDecl(condition, message)	_Static_assert(condition, message)
#define likely(x)		__builtin_expect((x) != 0, 1)
#define unlikely(x)		__builtin_expect((x) != 0, 0)
#define pg_noreturn						__attribute__((noreturn))
#define pg_attribute_always_inline		inline
#define pg_noinline
#define pg_unreachable()				__builtin_unreachable()

/* A point where the process can be interrupted */
extern uint64 sim_accesses_left;
extern void sim_switch_out(void);

static inline void
sim_access(void)
{
	if (--sim_accesses_left == 0)
		sim_switch_out();
}

/*
 * Errors: longjmp(), as in the server, but first a client may be slow to read
 * the message.  Other tests check the messages.
 */
#define NOTICE	18
#define WARNING	19
#define ERROR	21

extern void sim_send(int level);
extern void sim_message(const char *format,...);
extern void sim_report(const char *function, const char *arguments) __attribute__((noreturn));

#define ereport(level, ...) \
	do { \
		__VA_ARGS__; \
		sim_send(level); \
		if ((level) >= ERROR) \
			sim_report(__func__, #__VA_ARGS__); \
	} while (0)
#define errcode(code)		((void) 0)
#define errmsg(...)			sim_message(__VA_ARGS__)
#define errdetail(...)		((void) 0)
#define elog(level, ...)	ereport(level, (void) 0)
#define Assert(condition)	((condition) ? (void) 0 : sim_fail(#condition))
#define errhint(...)		((void) 0)

typedef struct ErrorContextCallback
{
	struct ErrorContextCallback *previous;
	void		(*callback) (void *);
} ErrorContextCallback;

static ErrorContextCallback *error_context_stack;

#define psprintf(...)		((char *) "")
#define pstrdup(text)		(text)

/* port/atomics.h: sim_memory.c has the memory order. */
typedef struct pg_atomic_uint64
{
	uint64		value;			/* the newest */
} pg_atomic_uint64;

extern uint64 pg_atomic_read_u64(pg_atomic_uint64 *number);
extern void pg_atomic_write_u64(pg_atomic_uint64 *number, uint64 value);
extern bool pg_atomic_compare_exchange_u64(pg_atomic_uint64 *number,
										   uint64 *expected, uint64 value);
extern uint64 pg_atomic_fetch_add_u64(pg_atomic_uint64 *number, int64 add);
extern void pg_read_barrier(void);
extern void pg_write_barrier(void);
extern void pg_memory_barrier(void);

/* storage: locks and shared memory */
typedef struct SimMemory dsm_segment;
typedef uint32 dsm_handle;
typedef void (*shmem_request_hook_type) (void);
typedef void (*shmem_startup_hook_type) (void);

extern shmem_request_hook_type shmem_request_hook;
extern shmem_startup_hook_type shmem_startup_hook;

#define DSM_HANDLE_INVALID		0
#define AddinShmemInitLock		0
#define LW_EXCLUSIVE			0
#define MaxBackends				sim_max_backends()
#define MyProcNumber			sim_proc_number()
#define add_size(a, b)			((a) + (b))
#define mul_size(a, b)			((a) * (b))
#define RequestAddinShmemSpace(size)	((void) (size))
#define dsm_pin_segment(segment)		sim_pin_segment()
#define dsm_pin_mapping(segment)		sim_release_segment()
#define dsm_detach(segment)				sim_release_segment()

extern int	sim_max_backends(void);
extern uint32 sim_proc_number(void);
extern void LWLockAcquire(int lock, int mode);
extern void LWLockRelease(int lock);
extern void *ShmemInitStruct(const char *name, Size size, bool *found);
extern dsm_segment *dsm_create(Size size, int flags);
extern dsm_segment *dsm_attach(dsm_handle handle);
extern void *dsm_segment_address(dsm_segment *segment);
extern dsm_handle dsm_segment_handle(dsm_segment *segment);
extern void sim_pin_segment(void);
extern void sim_release_segment(void);

/* access, commands, storage/bufmgr.h, utils/rel.h: sequences */
typedef struct FormData_pg_sequence_data
{
	int64		last_value;
	int64		log_cnt;
	bool		is_called;
} FormData_pg_sequence_data;

typedef FormData_pg_sequence_data *Form_pg_sequence_data;

typedef struct HeapTupleHeaderData
{
	uint64		t_hoff;
} HeapTupleHeaderData;

typedef HeapTupleHeaderData *HeapTupleHeader;
typedef void *HeapTuple;
typedef struct SimPage *Page;
typedef struct SimPage *ItemId;
typedef struct SimGenericRecord GenericXLogState;

typedef struct RelationData
{
	Oid			rd_id;
	struct
	{
		char		relkind;
		char		relpersistence;
	}		   *rd_rel;
} *Relation;

#define RELKIND_SEQUENCE			'S'
#define RELPERSISTENCE_PERMANENT	'p'
#define NoLock						0
#define AccessShareLock				1
#define RowExclusiveLock			3
#define BUFFER_LOCK_SHARE			1
#define BUFFER_LOCK_EXCLUSIVE		2
#define GENERIC_XLOG_FULL_IMAGE		1
#define MAX_GENERIC_XLOG_PAGES		4
#define RelationNeedsWAL(relation)	sim_needs_wal(relation)
#define RelationGetRelid(relation)	((relation)->rd_id)
#define FirstOffsetNumber			1
#define SEQ_COL_LASTCOL				3
#define HeapTupleHeaderGetNatts(tuple)	3
#define RelationGetNamespace(relation)	InvalidOid
#define get_namespace_name(oid)		((char *) ((void) (oid), NULL))
#define PageGetSpecialSize(page)	MAXALIGN(sizeof(uint32))
#define PageGetItemId(page, number) (page)
#define PageGetItem(page, item)		((void *) sim_tuple(item))
#define PageGetSpecialPointer(page)	((void *) sim_special(page))
#define RelationGetRelationName(relation)	((char *) "")

extern HeapTupleHeader sim_tuple(Page page);
extern uint32 *sim_special(Page page);
extern Oid	get_extension_oid(const char *name, bool missing_ok);
extern bool sim_needs_wal(Relation relation);
extern Relation try_relation_open(Oid oid, LOCKMODE lockmode);
extern void relation_close(Relation relation, LOCKMODE lockmode);
extern Buffer ReadBuffer(Relation relation, uint32 block);
extern void LockBuffer(Buffer buffer, int mode);
extern void UnlockReleaseBuffer(Buffer buffer);
extern Page BufferGetPage(Buffer buffer);
extern int	PageGetMaxOffsetNumber(Page page);
extern XLogRecPtr PageGetLSN(Page page);
extern GenericXLogState *GenericXLogStart(Relation relation);
extern Page GenericXLogRegisterBuffer(GenericXLogState *state, Buffer buffer,
									  int flags);
extern XLogRecPtr GenericXLogFinish(GenericXLogState *state);
extern void XLogFlush(XLogRecPtr lsn);
extern void ForceSyncCommit(void);
extern void XLogSetAsyncXactLSN(XLogRecPtr lsn);
extern TimeLineID GetWALInsertionTimeLine(void);
extern XLogRecPtr GetXLogInsertRecPtr(void);
extern uint64 GetSystemIdentifier(void);
extern void CacheRegisterRelcacheCallback(void (*callback) (Datum, Oid),
										  Datum arg);

/* Catalogs: names do not matter here, the only caller looks up a format. */
typedef struct FormData_pg_class
{
	Oid			oid;
} FormData_pg_class;

typedef FormData_pg_class *Form_pg_class;

typedef struct CatCTup
{
	FormData_pg_class tuple;
} CatCTup;

typedef struct CatCList
{
	int			n_members;
	CatCTup    *members[1];
} CatCList;

extern CatCList *sim_search(int format);

#define GETSTRUCT(tuple)					(tuple)
#define SearchSysCacheList1(cache, name)	sim_search(generator->format)
#define ReleaseSysCacheList(list)			((void) (list))
#define getExtensionOfObject(catalog, oid)	((Oid) 1)
#define RecoveryInProgress()				false
#define PreventCommandDuringRecovery(name)	((void) 0)
#define PreventCommandIfReadOnly(name)		((void) 0)
#define PreventCommandIfParallelMode(name)	((void) 0)
#define SharedInvalidMessageCounter			sim_message_counter()

extern uint64 sim_message_counter(void);
extern uint32 GetTopTransactionId(void);

/* COMMIT waits for standbys if it is not 0, and there is a transaction id. */
#define XactLastRecEnd	(*sim_last_record_end())
extern XLogRecPtr *sim_last_record_end(void);

/* fmgr.h, funcapi.h, utils/tuplestore.h: what administrators call */
typedef struct SimArguments
{
	TimestampTz ts;
	void	   *resultinfo;
} SimArguments;

/* catalog/pg_type.h */
enum
{
	TEXTOID, INT4OID, INT8OID, FLOAT8OID, TIMESTAMPTZOID, INTERVALOID
};

typedef struct ReturnSetInfo
{
	void	   *setResult;
	void	   *setDesc;
} ReturnSetInfo;

typedef struct Interval
{
	int64		time;
} Interval;

#define PG_FUNCTION_ARGS				SimArguments *fcinfo
#define PG_FUNCTION_INFO_V1(function)	extern Datum function(PG_FUNCTION_ARGS)
#define PG_GETARG_TIMESTAMPTZ(n)		(fcinfo->ts)
#define PG_RETURN_INT32(x)				return (Datum) (x)
#define TIMESTAMP_NOT_FINITE(ts)		false
#define InitMaterializedSRF(fcinfo, flags)	((void) 0)
#define tuplestore_puttuple(store, tuple)	((void) (tuple))
#define palloc0(size)					sim_palloc0(size)
#define CStringGetTextDatum(text)		((Datum) (text))
#define Int32GetDatum(value)			((Datum) (value))
#define Int64GetDatum(value)			((Datum) (value))
#define Float8GetDatum(value)			((Datum) (value))
#define TimestampTzGetDatum(value)		((Datum) (value))
#define IntervalPGetDatum(value)		((Datum) (value))

extern void *sim_palloc0(Size size);

/* The clock, and waiting for it */
#define MyLatch						0
#define WL_LATCH_SET				0
#define WL_TIMEOUT					0
#define WL_EXIT_ON_PM_DEATH			0
#define WaitEventExtensionNew(name)	1
#define WaitLatch(latch, events, ms, wait_event)	sim_wait_latch(ms)
#define pg_usleep(us)				sim_sleep(us)
#define ResetLatch(latch)			sim_reset_latch()
#define CHECK_FOR_INTERRUPTS()		sim_check_for_interrupts()
#define HOLD_INTERRUPTS()			sim_hold_interrupts(1)
#define RESUME_INTERRUPTS()			sim_hold_interrupts(-1)
#define QueryCancelPending			(*sim_cancel_pending())
#define ProcDiePending				false
#define TransactionTimeoutPending	false
#define timestamptz_to_str(ts)		""
#define clock_gettime(clock, now)	sim_clock_gettime(clock, now)
#define INSTR_TIME_SET_CURRENT(now)	sim_clock_gettime(CLOCK_MONOTONIC, &(now))
#define INSTR_TIME_GET_MICROSEC(now) \
	((now).tv_sec * USECS_PER_SEC + (now).tv_nsec / 1000)
typedef struct timespec instr_time;

extern int	sim_clock_gettime(int clock, struct timespec *now);
extern void sim_sleep(long us);
extern int	sim_wait_latch(long ms);
extern void sim_reset_latch(void);
extern void sim_check_for_interrupts(void);
extern void sim_hold_interrupts(int add);
extern bool *sim_cancel_pending(void);

#endif							/* SIM_POSTGRES_H */
