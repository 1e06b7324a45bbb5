"""repmgr: two servers, repmgrd on both, clients that look for the primary."""

import os

from drill import (BINDIR, Drills, kill, main, path, postmaster, query,
                   run, set_clock, start, wait_for, write)

NODES = ("one", "two")
PORT = {name: 5432 + i for i, name in enumerate(NODES)}

CONFIG = """
node_id={id}
node_name='{name}'
conninfo='{dsn} connect_timeout=2'
data_directory='{data}'
pg_bindir='{bindir}'
failover=automatic
promote_command='{bindir}/repmgr standby promote -f {conf}'
follow_command='{bindir}/repmgr standby follow -f {conf} --upstream-node-id=%n'
monitor_interval_secs=1
reconnect_attempts=3
reconnect_interval=1
repmgrd_pid_file='{data}.repmgrd.pid'
repmgrd_service_start_command='true'
repmgrd_service_stop_command='true'
service_start_command='{bindir}/pg_ctl -D {data} -l {data}.log -w start'
service_stop_command='{bindir}/pg_ctl -D {data} -m fast -w stop'
shutdown_check_timeout=30
"""

# The servers of the drills are one machine.
SSH = """#!/bin/sh
# ssh: runs the command here
while [ $# -gt 0 ]; do
	case $1 in
		-o) shift 2 ;;
		-*) shift ;;
		*) break ;;
	esac
done
shift
exec sh -c "$*"
"""


def data(name):
    return path("data-" + name)


def dsn(name):
    return "host=127.0.0.1 port=%d user=postgres dbname=postgres" % PORT[name]


def repmgr(name, *command):
    return run(os.path.join(BINDIR, "repmgr"), "-f", path(name + ".conf"),
               *command)


def start_repmgrd(name):
    repmgrd[name] = start("repmgrd-" + name, os.path.join(BINDIR, "repmgrd"),
                          "-f", path(name + ".conf"), "--daemonize=false")


def is_primary(name):
    return query(dsn(name), "SELECT pg_is_in_recovery()") == [(False,)]


def follows(name, primary):
    return query(dsn(primary), "SELECT 1 FROM pg_stat_replication"
                 " WHERE application_name = '%s' AND state = 'streaming'" % name)


repmgrd = {}
def drills():
    os.mkdir(path("bin"))
    os.chmod(write("bin/ssh", SSH), 0o755)
    os.environ["PATH"] = path("bin") + ":" + os.environ["PATH"]
    for i, name in enumerate(NODES):
        set_clock(data(name), 0)
        write(name + ".conf", CONFIG.format(
            id=i + 1, name=name, dsn=dsn(name), data=data(name), bindir=BINDIR,
            conf=path(name + ".conf")))
    run("initdb", "-D", data("one"), "-U", "postgres", "-A", "trust", "-k", "--no-sync")
    with open(os.path.join(data("one"), "postgresql.conf"), "a") as file:
        file.write("""
    port = 5432
    unix_socket_directories = '%s'
    max_connections = 40
    wal_log_hints = on
    wal_keep_size = 256MB
    shared_preload_libraries = 'repmgr'
    hot_standby = on
    log_timezone = UTC
    """ % path())
    run("pg_ctl", "-D", data("one"), "-l", data("one") + ".log", "-w", "start")
    query(dsn("one"), "CREATE EXTENSION repmgr")
    repmgr("one", "primary", "register")
    run(os.path.join(BINDIR, "repmgr"), "-h", "127.0.0.1", "-p", "5432", "-U",
        "postgres", "-d", "postgres", "-f", path("two.conf"), "standby", "clone", "-c")
    with open(os.path.join(data("two"), "postgresql.conf"), "a") as file:
        file.write("port = 5433\n")
    run("pg_ctl", "-D", data("two"), "-l", data("two") + ".log", "-w", "start")
    repmgr("two", "standby", "register")
    wait_for("the standby", lambda: follows("two", "one"))
    for name in NODES:
        start_repmgrd(name)
    clients = Drills("repmgr", "host=127.0.0.1,127.0.0.1 port=5432,5433 user=postgres"
                     " dbname=postgres target_session_attrs=read-write")
    for name in NODES:
        wait_for("repmgrd", lambda name=name: query(
            dsn(name), "SELECT repmgr.repmgrd_is_running()") == [(True,)])

    with clients.drill("failover by repmgrd after kill -9, standby 15 s behind",
                       lost=True, behind=True):
        set_clock(data("two"), -15, dsn("two"))
        kill(postmaster(data("one")))
        wait_for("the standby to be promoted", lambda: is_primary("two"))
    set_clock(data("two"), 0)

    with clients.drill("node rejoin with pg_rewind, then a switchover back"):
        # Before PostgreSQL 16, pg_rewind learns the new timeline from a checkpoint
        # after the promotion only.  The killed server must recover, and stop
        # cleanly.
        query(dsn("two"), "CHECKPOINT")
        run("pg_ctl", "-D", data("one"), "-l", data("one") + ".log", "-w",
            "-o", "-c listen_addresses=''", "start")
        run("pg_ctl", "-D", data("one"), "-m", "fast", "-w", "stop")
        repmgr("one", "node", "rejoin", "-d", dsn("two"), "--force-rewind",
               "--config-files=postgresql.conf")
        wait_for("the old primary to follow", lambda: follows("one", "two"))
        repmgr("one", "standby", "switchover", "--repmgrd-no-pause")
        wait_for("the switchover", lambda: is_primary("one") and follows("two", "one"))
    clients.end()


main(drills)
