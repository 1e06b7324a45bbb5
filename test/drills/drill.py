"""Shared by the drills: processes, clocks, writers outside the cluster, and
what is counted after each drill.

A drill is a context: writers insert ids of each 64-bit format through the
address that clients use, and log each acknowledged id on their side.  At its
end the rows of the primary are compared with this log.
"""

import collections
import os
import signal
import subprocess
import sys
import threading
import time
import traceback

import psycopg2
import psycopg2.extensions

WORK = os.environ["DRILL_WORK"]         # folder of this drill
BINDIR = os.environ["DRILL_BINDIR"]     # PostgreSQL's programs
FORMATS = ("fluid", "nanoflake", "ulidflake")
ROWS = 10                               # per INSERT
WRITERS = 2                             # per format
PAUSE = 0.02                            # seconds between two INSERTs of a writer

# No primary key: a repeated id must get in, to be counted.  The timeline
# changes with each promotion.
TABLE = """
CREATE EXTENSION flakeid;
CREATE TABLE ids (format text, drill integer, id bigint, timeline text
  DEFAULT substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8));
"""

passed = failed = 0
rows = []
started = time.monotonic()


class Failure(Exception):
    """The drill cannot go on."""


def check(good, what):
    """Count a test."""
    global passed, failed
    if good:
        passed += 1
    else:
        failed += 1
    print("ok " if good else "not ok ", what, flush=True)


def note(text):
    print("# %5.1f s: %s" % (time.monotonic() - started, text), flush=True)


def wait_for(what, condition, seconds=240):
    """Poll until the condition holds.  The limit is for faults: a busy machine
    may be slow."""
    end = time.monotonic() + seconds
    while True:
        try:
            result = condition()
        except (psycopg2.Error, OSError, LookupError, ValueError):
            result = None
        if result:
            return result
        if time.monotonic() > end:
            raise Failure("waited %d s for %s" % (seconds, what))
        time.sleep(0.1)


# ---------------------------------------------------------------- processes

def path(*names):
    return os.path.join(WORK, *names)


def write(name, text):
    with open(path(name), "w") as file:
        file.write(text)
    return path(name)


def start(name, *command, **options):
    """Start a program in the background; its output goes to NAME.log."""
    log = open(path(name + ".log"), "ab")
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log,
                            stderr=log, cwd=WORK, start_new_session=True,
                            **options)


def run(*command, **options):
    """Run a program, and return its output."""
    log = path("run.log")
    with open(log, "ab") as file:
        file.write(("$ " + " ".join(command) + "\n").encode())
        file.flush()
        where = file.tell()
        status = subprocess.call(command, stdin=subprocess.DEVNULL, stdout=file,
                                 stderr=file, cwd=WORK, **options)
    with open(log, errors="replace") as file:
        file.seek(where)
        output = file.read()
    if status != 0:
        raise Failure("%s: exit status %d\n%s" % (" ".join(command), status, output[-3000:]))
    return output


def kill(*pids):
    for pid in pids:
        os.kill(pid, signal.SIGKILL)


def postmaster(data):
    with open(os.path.join(data, "postmaster.pid")) as file:
        return int(file.readline())


# ------------------------------------------------------------------- clocks

def set_clock(data, offset, dsn=None):
    """Set the clock of the server in this data directory, relative to ours.
    test/drills/postgres names the file, which each process reads once a
    second.  With a connection string, wait until it is in effect."""
    with open(data + ".clock.new", "w") as file:
        file.write("%+d\n" % offset)
    os.rename(data + ".clock.new", data + ".clock")
    if dsn:
        wait_for("the clock", lambda: abs(query(
            dsn, "SELECT extract(epoch FROM clock_timestamp())::float8")[0][0]
            - time.time() - offset) < 1)
        time.sleep(1.1)                 # each process has read the file then


# ------------------------------------------------------------------ clients

def query(dsn, sql):
    connection = psycopg2.connect(dsn, connect_timeout=3)
    try:
        connection.autocommit = True
        cursor = connection.cursor()
        cursor.execute(sql)
        return cursor.fetchall() if cursor.description else None
    finally:
        connection.close()


class Writer(threading.Thread):
    """Insert ids of one format, and log what was acknowledged."""

    def __init__(self, dsn, form):
        super().__init__(daemon=True)
        self.dsn, self.form = dsn, form
        self.drill = 0
        self.log = []                   # (drill, when, ids)
        self.errors = []                # (drill, when, SQLSTATE or text)
        self.stopped = self.paused = self.idle = False

    def run(self):
        connection = None
        while not self.stopped:
            drill = self.drill
            if self.paused:
                self.idle = True
                time.sleep(PAUSE)
                continue
            try:
                if connection is None:
                    connection = psycopg2.connect(self.dsn, connect_timeout=2)
                    connection.autocommit = True
                    cursor = connection.cursor()
                cursor.execute("INSERT INTO ids SELECT '%s', %d, %s_generate()"
                               " FROM generate_series(1, %d) RETURNING id"
                               % (self.form, drill, self.form, ROWS))
                ids = [row[0] for row in cursor.fetchall()]
                self.log.append((drill, time.monotonic(), ids))
            except psycopg2.Error as error:
                self.errors.append((drill, time.monotonic(),
                                    error.pgcode or str(error).strip()))
                if connection is not None and (
                        connection.closed or error.pgcode in (None, "25006")):
                    connection.close()
                    connection = None
                time.sleep(0.1)
            time.sleep(PAUSE)


class Drills:
    """Writers of one cluster, and its drills."""

    def __init__(self, cluster, dsn, create=True):
        self.cluster, self.dsn = cluster, dsn
        self.number = 0
        self.repeats = self.again = 0
        wait_for("the primary", lambda: query(dsn, "SELECT 1"))
        if create:
            query(dsn, TABLE)
        self.writers = [Writer(dsn, form)
                        for form in FORMATS for _ in range(WRITERS)]
        for writer in self.writers:
            writer.start()
        self.wait_for_ids()

    def wait_for_ids(self, forms=FORMATS, inserts=2):
        """Wait until each writer has inserted ids from now on: its next INSERT
        may have begun before."""
        before = [len(writer.log) for writer in self.writers]
        for writer, length in zip(self.writers, before):
            if writer.form in forms:
                wait_for("new ids of " + writer.form,
                         lambda: len(writer.log) >= length + inserts)

    def drill(self, name, **expected):
        return Drill(self, name, **expected)

    def begin(self):
        """Count anew; returns the number of this count."""
        self.number += 1
        for writer in self.writers:
            writer.drill = self.number
        return self.number

    def acknowledged(self, form, drill):
        """Times and ids, in the order in which they were acknowledged."""
        return sorted((when, ids) for writer in self.writers
                      if writer.form == form
                      for number, when, ids in list(writer.log)
                      if number == drill)

    def ids(self, form, drill):
        """The acknowledged ids of one drill."""
        return {one for _, ids in self.acknowledged(form, drill) for one in ids}

    def generated_again(self):
        """Number of acknowledged ids that were returned before; those of rows
        that were lost or undone can be."""
        again = 0
        for form in FORMATS:
            counts = collections.Counter(
                one for writer in self.writers if writer.form == form
                for _, _, ids in list(writer.log) for one in ids)
            again += sum(n - 1 for n in counts.values())
        return again

    def pause(self):
        for writer in self.writers:
            writer.idle, writer.paused = False, True
        wait_for("the last INSERTs", lambda: all(w.idle for w in self.writers))

    def end(self):
        for writer in self.writers:
            writer.stopped = True
        for writer in self.writers:
            writer.join()


class Drill:
    """lost: acknowledged rows may be lost.  behind: the clock falls behind the
    ids, so that Nanoflakes wait, and ids of lost rows may be generated again.
    """

    def __init__(self, drills, name, lost=False, behind=False):
        self.drills, self.name = drills, name
        self.lost, self.behind = lost, behind

    def __enter__(self):
        note("%s: %s" % (self.drills.cluster, self.name))
        self.drills.begin()
        self.drills.wait_for_ids()
        return self

    def __exit__(self, kind, value, trace):
        if kind is not None:
            return False
        drills = self.drills
        drills.wait_for_ids()
        drills.pause()
        self.count()
        for writer in drills.writers:
            writer.paused = False
        return False

    def gap(self, form):
        times = [when for when, _ in
                 self.drills.acknowledged(form, self.drills.number)]
        return max(b - a for a, b in zip(times, times[1:]))

    def count(self):
        drills, number = self.drills, self.drills.number
        logged = {form: collections.Counter(
            one for _, ids in drills.acknowledged(form, number) for one in ids)
            for form in FORMATS}
        stored = {form: collections.Counter() for form in FORMATS}
        for form, one in query(drills.dsn, "SELECT format, id FROM ids"
                               " WHERE drill = %d" % number):
            stored[form][one] += 1
        lost = sum(sum((logged[form] - stored[form]).values())
                   for form in FORMATS)
        ids = {form: sum(logged[form].values()) for form in FORMATS}
        repeats = query(drills.dsn, "SELECT sum(n - 1)::bigint FROM (SELECT"
                        " count(*) AS n FROM ids GROUP BY format, id) AS each"
                        )[0][0] - drills.repeats
        drills.repeats += repeats
        again = drills.generated_again() - drills.again
        drills.again += again
        early = query(drills.dsn, """
            SELECT count(*) FROM (
              SELECT oldest, max(newest) OVER (PARTITION BY format
                ORDER BY timeline ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
              FROM (SELECT format, timeline, min(id), max(id) FROM ids
                    GROUP BY format, timeline) AS t (format, timeline, oldest, newest)
            ) AS t (oldest, before) WHERE oldest <= before""")[0][0]
        refused = collections.Counter(
            error for writer in drills.writers
            for n, _, error in list(writer.errors)
            if n == number and (error in ("55P03", "55000") and not self.behind
                                or error in ("22008", "F0000", "XX000")))
        others = collections.Counter(
            error.split(" failed: ")[-1].split("\n")[0] for writer in drills.writers
            for n, _, error in list(writer.errors) if n == number)
        gaps = [self.gap(form) for form in FORMATS]
        what = "%s: %s: " % (drills.cluster, self.name)
        check(repeats == 0, what + "%d ids, %d repeats of replayed ids"
              % (sum(ids.values()), repeats))
        check(early == 0, what + "ids after a promotion are above all replayed ids")
        check(self.lost or lost == 0,
              what + "%d acknowledged rows are lost" % lost)
        check(self.lost and self.behind or again == 0,
              what + "%d ids of lost rows are generated again" % again)
        check(not refused, what + "errors of generators: %s"
              % (dict(refused) or "none that is not expected"))
        note("errors: %s" % ", ".join("%d %s" % (n, error) for error, n in others.items()))
        rows.append((drills.cluster, self.name)
                    + tuple(ids[form] for form in FORMATS) + (repeats, lost, again)
                    + tuple("%.1f" % gap for gap in gaps))


def main(drills):
    """Run the drills, and print their table and the count."""
    try:
        drills()
    except Failure as failure:
        check(False, str(failure))
    except Exception:
        check(False, traceback.format_exc())
    for row in rows:
        print("| " + " | ".join(str(field) for field in row) + " |")
    print("%d passed, %d failed" % (passed, failed), flush=True)
    sys.exit(failed > 0)
