/*
 * state_worker.c
 *		Have the state file set up by a process that has the server's own
 *		settings.
 *
 * If a session loads the library late, its settings may come from PGOPTIONS,
 * ALTER ROLE, SET or the leader of a parallel query.  So the first session
 * that needs the file after a start runs a background worker.  The worker is
 * forked from the postmaster, and thus has the values of the configuration
 * file and the command line; it connects to no database.  The session
 * re-raises the errors and messages of the worker.  No worker is needed if the
 * library is preloaded, since every process then has the server's settings,
 * nor in a stand-alone backend.
 *
 * A heavyweight lock elects the session that starts the worker; other sessions
 * check the file again after a moment.  doc/protocol.md, rule 9.
 */
#include "postgres.h"

#include "pg/compat.h"

#include "libpq/pqformat.h"
#include "libpq/pqmq.h"
#include "miscadmin.h"
#include "postmaster/bgworker.h"
#include "postmaster/interrupt.h"
#include "storage/dsm.h"
#include "storage/ipc.h"
#include "storage/latch.h"
#include "storage/lock.h"
#include "storage/proc.h"
#include "storage/shm_mq.h"
#include "tcop/tcopprot.h"
#include "utils/memutils.h"
#include "utils/resowner.h"
#include "utils/wait_event.h"

#include "pg/settings.h"
#include "pg/state.h"

#define QUEUE_SIZE			16384
#define LOOK_AGAIN_MS		10

/* Memory shared by session and worker, followed by a message queue. */
typedef struct Errand
{
	FlakeidFoldMode mode;
	FlakeidSetUp result;
} Errand;

/* State of the session that starts the worker. */
typedef struct Starter
{
	dsm_segment *segment;
	Errand	   *errand;
	shm_mq_handle *queue;
	BackgroundWorkerHandle *worker;
} Starter;

PGDLLEXPORT void flakeid_worker_main(Datum main_arg);

static Errand *
errand_of(dsm_segment *segment)
{
	return dsm_segment_address(segment);
}

static shm_mq *
queue_of(dsm_segment *segment)
{
	return (shm_mq *) ((char *) dsm_segment_address(segment) +
					   MAXALIGN(sizeof(Errand)));
}

/* Main function of the worker; sends all messages to the session. */
void
flakeid_worker_main(Datum main_arg)
{
	dsm_segment *segment;
	shm_mq	   *queue;

	pqsignal(SIGTERM, die);
	BackgroundWorkerUnblockSignals();
	CurrentResourceOwner = ResourceOwnerCreate(NULL, "flakeid");
	segment = dsm_attach(DatumGetUInt32(main_arg));
	if (segment == NULL)
		return;					/* the session is gone */
	queue = queue_of(segment);
	shm_mq_set_sender(queue, MyProc);
	pq_redirect_to_shm_mq(segment, shm_mq_attach(queue, segment, NULL));
	errand_of(segment)->result = flakeid_state_set_up(errand_of(segment)->mode);
}

/*
 * An advisory lock in no database, so that it does not conflict with those of
 * users; the key is "flakeid" in ASCII.
 */
static void
set_election_tag(LOCKTAG *tag)
{
	SET_LOCKTAG_ADVISORY(*tag, InvalidOid, 0x666c616b, 0x65696400, 1);
}

static void
make_errand(Starter *session, FlakeidFoldMode mode)
{
	shm_mq	   *queue;

	session->segment = dsm_create(MAXALIGN(sizeof(Errand)) + QUEUE_SIZE, 0);
	session->errand = errand_of(session->segment);
	session->errand->mode = mode;
	session->errand->result = FLAKEID_SET_UP_NO_WORKER;
	queue = shm_mq_create(queue_of(session->segment), QUEUE_SIZE);
	shm_mq_set_receiver(queue, MyProc);
	session->queue = shm_mq_attach(queue, session->segment, NULL);
}

/* False if all worker slots are in use. */
static bool
start_worker(Starter *session)
{
	BackgroundWorker worker = {
		.bgw_flags = BGWORKER_SHMEM_ACCESS,
		.bgw_start_time = BgWorkerStart_RecoveryFinished,
		.bgw_restart_time = BGW_NEVER_RESTART,
		.bgw_main_arg = UInt32GetDatum(dsm_segment_handle(session->segment)),
		.bgw_notify_pid = MyProcPid,
	};

	strlcpy(worker.bgw_name, "flakeid state file", BGW_MAXLEN);
	strlcpy(worker.bgw_type, "flakeid state file", BGW_MAXLEN);
	strlcpy(worker.bgw_library_name, "flakeid", sizeof(worker.bgw_library_name));
	strlcpy(worker.bgw_function_name, "flakeid_worker_main", BGW_MAXLEN);
	if (!RegisterDynamicBackgroundWorker(&worker, &session->worker))
		return false;
	shm_mq_set_handle(session->queue, session->worker);
	return true;
}

/* Re-raise a message of the worker in this session. */
static void
relay(const char *message, Size size)
{
	StringInfoData text;
	ErrorData	error;
	char		type = message[0];

	if (type != 'E' && type != 'N')
		return;
	initStringInfo(&text);
	appendBinaryStringInfo(&text, message + 1, (int) size - 1);
	pq_parse_errornotice(&text, &error);
	error.elevel = Min(error.elevel, ERROR);
	ThrowErrorData(&error);
}

/* Relay messages until the worker has ended. */
static void
attend_to(Starter *session)
{
	static uint32 wait_event;

	if (wait_event == 0)
		wait_event = flakeid_wait_event_new("FlakeidStateFile");
	for (;;)
	{
		Size		size;
		void	   *message;
		shm_mq_result result = shm_mq_receive(session->queue, &size, &message,
											  true);

		if (result == SHM_MQ_SUCCESS)
			relay(message, size);
		else if (result == SHM_MQ_DETACHED)
			return;
		else
		{
			(void) WaitLatch(MyLatch,
							 WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH,
							 LOOK_AGAIN_MS, wait_event);
			ResetLatch(MyLatch);
		}
		CHECK_FOR_INTERRUPTS();
	}
}

/* After an error the resource owner releases the segment. */
static FlakeidSetUp
send_worker(FlakeidFoldMode mode)
{
	Starter		session;
	FlakeidSetUp result = FLAKEID_SET_UP_NO_WORKER;

	make_errand(&session, mode);
	if (start_worker(&session))
	{
		attend_to(&session);
		result = session.errand->result;
	}
	dsm_detach(session.segment);
	return result;
}

/* Have the file set up, by this process if possible. */
FlakeidSetUp
flakeid_have_set_up(FlakeidFoldMode mode)
{
	FlakeidSetUp result;
	LOCKTAG		election;

	if (flakeid_settings_are_the_servers())
		return flakeid_state_set_up(mode);
	set_election_tag(&election);
	if (LockAcquire(&election, ExclusiveLock, false, true) ==
		LOCKACQUIRE_NOT_AVAIL)
		return FLAKEID_SET_UP_ELSEWHERE;
	result = send_worker(mode);
	(void) LockRelease(&election, ExclusiveLock, false);
	return result;
}
