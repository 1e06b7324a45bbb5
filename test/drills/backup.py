"""Backups while ids are generated; recovery to a point in time, in place and
beside the original.

usage: backup.py pgbackrest|barman
"""

import os
import pwd
import shutil
import sys
import time

from drill import (BINDIR, Drills, check, main, path, query, run,
                   set_clock, start, wait_for, write)

TOOL = sys.argv[1]
NAME = {"pgbackrest": "pgBackRest"}.get(TOOL, TOOL)
PORT = {"original": 5432, "copy": 5433}
NUMBERED = ("fluid", "nanoflake")      # formats that contain a node
PG_CTL = os.path.join(BINDIR, "pg_ctl")

PGBACKREST = """
[global]
repo1-path={repo}
lock-path={repo}.lock
log-path={work}
log-level-console=warn
start-fast=y
[drill]
pg1-path={data}
pg1-port=5432
pg1-socket-path={work}
pg1-user=postgres
"""

BARMAN = """
[barman]
barman_user = {user}
barman_home = {home}
barman_lock_directory = {home}
configuration_files_directory = {home}
log_file = {home}/barman.log
[drill]
description = drill
conninfo = {dsn}
streaming_conninfo = host=127.0.0.1 port=5432 user=postgres
backup_method = postgres
backup_options = concurrent_backup
immediate_checkpoint = true
streaming_archiver = on
slot_name = barman
path_prefix = {bindir}
"""

SETTINGS = """
port = 5432
unix_socket_directories = '{work}'
max_connections = 40
log_timezone = UTC
timezone = UTC
"""
ARCHIVING = """
archive_mode = on
archive_command = 'pgbackrest --config={work}/pgbackrest.conf --stanza=drill archive-push %p'
"""
NUMBER = """
shared_preload_libraries = 'flakeid'
flakeid.node_bits = 1
flakeid.node_id = {}
"""


def data(name):
    return path("data-" + name)


def dsn(name):
    return "host=127.0.0.1 port=%d user=postgres dbname=postgres" % PORT[name]


def configure(name, settings, file="postgresql.conf"):
    with open(os.path.join(data(name), file), "a") as file:
        file.write(settings)


def start_server(name):
    # pg_ctl cannot wait for a server whose clock is behind ours.
    run(PG_CTL, "-D", data(name), "-l", data(name) + ".log", "-W", "start")
    wait_for("recovery to end", lambda: query(
        dsn(name), "SELECT pg_is_in_recovery()") == [(False,)])


def stop_server(name, mode="fast"):
    run(PG_CTL, "-D", data(name), "-m", mode, "-w", "stop")


def pgbackrest(*command):
    return run("pgbackrest", "--config=" + path("pgbackrest.conf"),
               "--stanza=drill", *command)


def barman(*command):
    return run("barman", "-c", path("barman.conf"), *command)


def back_up():
    if TOOL == "pgbackrest":
        pgbackrest("--type=full", "backup")
        pgbackrest("--type=incr", "backup")
        time.sleep(1)                   # it compares whole seconds
    else:
        barman("receive-wal", "--create-slot", "drill")
        start("barman-receive", "barman", "-c", path("barman.conf"), "receive-wal", "drill")
        wait_for("receive-wal", lambda: query(
            dsn("original"), "SELECT 1 FROM pg_stat_replication WHERE state = 'streaming'"))
        barman("switch-wal", "--force", "--archive", "drill")
        barman("backup", "--wait", "drill")


def moment(clients):
    """The clock of the server, when everything up to it and later changes are
    in the archive."""
    clients.wait_for_ids()
    result = query(dsn("original"), "SELECT clock_timestamp()::text")[0][0]
    clients.wait_for_ids()
    if TOOL == "barman":
        barman("switch-wal", "--force", "--archive", "drill")
        return result
    segment = query(dsn("original"), "SELECT pg_walfile_name(pg_switch_wal())")[0][0]
    wait_for("the archive", lambda: query(
        dsn("original"), "SELECT last_archived_wal >= '%s'"
        " FROM pg_stat_archiver" % segment)[0][0])
    return result


def restore(name, then):
    if TOOL == "pgbackrest":
        os.makedirs(data(name), 0o700, exist_ok=True)
        pgbackrest("restore", "--delta", "--pg1-path=" + data(name), "--type=time",
                   "--target=" + then, "--target-action=promote")
    else:
        shutil.rmtree(data(name), ignore_errors=True)
        barman("recover", "--target-time", then, "--target-action", "promote",
               "drill", "latest", data(name))


def in_place(clients, clock):
    then = moment(clients)
    stop_server("original", "immediate")
    set_clock(data("original"), clock)
    restore("original", then)
    start_server("original")
    set_clock(data("original"), clock, dsn("original"))


def beside(clients):
    """A copy with a number of its own that generates ids at the same time."""
    configure("original", NUMBER.format(0), "postgresql.auto.conf")
    stop_server("original")
    start_server("original")
    if TOOL == "barman":
        back_up()
    then = moment(clients)
    restore("copy", then)
    configure("copy", "port = 5433\narchive_mode = off\n" + NUMBER.format(1),
              "postgresql.auto.conf")
    start_server("copy")
    copy = Drills(NAME, dsn("copy"), create=False)
    copy.wait_for_ids(inserts=100)
    copy.end()
    return copy


def drills():
    write("pgbackrest.conf", PGBACKREST.format(
        repo=path("repository"), data=data("original"), work=path()))
    os.mkdir(path("barman"))
    write("barman.conf", BARMAN.format(
        user=pwd.getpwuid(os.getuid()).pw_name, home=path("barman"), dsn=dsn("original"), bindir=BINDIR))
    set_clock(data("original"), 0)
    run("initdb", "-D", data("original"), "-U", "postgres", "-A", "trust", "--no-sync")
    configure("original", SETTINGS.format(work=path()))
    if TOOL == "pgbackrest":
        configure("original", ARCHIVING.format(work=path()))
    start_server("original")
    if TOOL == "pgbackrest":
        pgbackrest("stanza-create")
    clients = Drills(NAME, dsn("original"))
    if TOOL == "pgbackrest":
        back_up()
        with clients.drill("recovery in place, --delta", lost=True):
            in_place(clients, 0)

    with clients.drill("recovery beside, a number for each"):
        copy = beside(clients)
    theirs = {form: copy.ids(form, 0) for form in NUMBERED}
    twice = sum(len(theirs[form] & {one for drill in range(clients.number + 1)
                                    for one in clients.ids(form, drill)})
                for form in NUMBERED)
    count = sum(map(len, theirs.values()))
    check(twice == 0 and count > 0, "%d ids of a copy with a number of its own,"
          " %d of them also of the original" % (count, twice))
    stop_server("copy")

    if TOOL == "barman":
        with clients.drill("recovery in place, clock 15 s behind", lost=True,
                           behind=True):
            in_place(clients, -15)
    clients.end()


main(drills)
