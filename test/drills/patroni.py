"""Patroni: three servers, etcd, and clients behind haproxy.

usage: patroni.py asynchronous|synchronous
"""

import json
import os
import sys
import urllib.request

from drill import (BINDIR, Drills, Failure, kill, main, note, path, postmaster, query,
                   run, set_clock, start, wait_for, write)

MODE = sys.argv[1]
SYNCHRONOUS = MODE == "synchronous"
NODES = ("one", "two", "three")
PORT = {name: 5432 + i for i, name in enumerate(NODES)}
REST = {name: 8008 + i for i, name in enumerate(NODES)}

ETCD = ["etcd", "--name", "etcd", "--data-dir", path("etcd"),
        "--listen-client-urls", "http://127.0.0.1:2379",
        "--advertise-client-urls", "http://127.0.0.1:2379",
        "--listen-peer-urls", "http://127.0.0.1:2380",
        "--initial-advertise-peer-urls", "http://127.0.0.1:2380",
        "--initial-cluster", "etcd=http://127.0.0.1:2380",
        "--log-outputs", "stderr", "--unsafe-no-fsync"]

CONFIG = """
scope: drill
name: {name}
restapi: {{listen: '127.0.0.1:{rest}', connect_address: '127.0.0.1:{rest}'}}
etcd3: {{host: '127.0.0.1:2379'}}
bootstrap:
  dcs:
    ttl: 8
    loop_wait: 1
    retry_timeout: 3
    maximum_lag_on_failover: 33554432
    synchronous_mode: {synchronous}
    postgresql:
      use_pg_rewind: true
      parameters: {{max_connections: 40, wal_keep_size: 256MB}}
  initdb: [encoding: UTF8, data-checksums]
postgresql:
  listen: 127.0.0.1:{port}
  connect_address: 127.0.0.1:{port}
  data_dir: {data}
  bin_dir: {bindir}
  pgpass: {data}.pgpass
  basebackup: [{{checkpoint: fast}}]
  pg_hba: ['local all all trust', 'host all all 127.0.0.1/32 trust',
    'host replication all 127.0.0.1/32 trust']
  authentication:
    superuser: {{username: postgres, password: postgres}}
    replication: {{username: postgres, password: postgres}}
  parameters: {{unix_socket_directories: '{work}', timezone: UTC, log_timezone: UTC}}
"""

def haproxy():
    """As our page advises, clients cannot write to a primary that has lost its Patroni."""
    return """
defaults
  mode tcp
  timeout connect 1s
  timeout client 30m
  timeout server 30m
  timeout check 1s
listen primary
  bind 127.0.0.1:5000
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
""" + "".join(
        "  server %s 127.0.0.1:%d check port %d\n" % (name, PORT[name], REST[name])
        for name in NODES)


def data(name):
    return path("data-" + name)


def dsn(name):
    return "host=127.0.0.1 port=%d user=postgres dbname=postgres" % PORT[name]


def start_patroni(name):
    patroni[name] = start("patroni-" + name, "patroni", path(name + ".yml"))


def cluster():
    """Members by name, as Patroni's REST API shows them."""
    for name in NODES:
        try:
            with urllib.request.urlopen("http://127.0.0.1:%d/cluster" % REST[name],
                                        timeout=3) as answer:
                return {m["name"]: m for m in json.load(answer)["members"]}
        except OSError:
            pass
    return {}


def leader():
    return next((name for name, m in cluster().items()
                 if m["role"] == "leader" and m["state"] == "running"), None)


def is_healthy():
    """A leader, two standbys that follow it, and a synchronous one if wanted."""
    members = cluster()
    roles = [m["role"] for m in members.values()]
    if len(members) < 3 or "leader" not in roles:
        return False
    if SYNCHRONOUS and "sync_standby" not in roles:
        return False
    return (all(m["state"] in ("running", "streaming") for m in members.values())
            and query(dsn(leader()), "SELECT count(*) FROM pg_stat_replication"
                      " WHERE state = 'streaming'") == [(2,)])


def healthy():
    wait_for("a healthy cluster", is_healthy)


def is_primary(name):
    return query(dsn(name), "SELECT pg_is_in_recovery()") == [(False,)]


def ctl(*command):
    return run("patronictl", "-c", path("one.yml"), *command)


def change(command, to, *options):
    """Ask for another leader until there is one: a busy cluster can decline."""
    old = leader()

    def changed():
        if leader() == old:
            try:
                ctl(command, "drill", "--candidate", to or standbys()[0], "--force", *options)
            except Failure as failure:
                note(str(failure))
        return leader() not in (None, old) and is_primary(leader())
    wait_for("another leader", changed)


def switchover(to=None):
    # A standby that does not follow its primary yet could be promoted to a
    # timeline with the number of another.
    healthy()
    change("switchover", to, "--master", leader())


def standbys(members=None):
    """Names, the synchronous standby first: only it may be promoted."""
    members = members or cluster()
    return sorted((name for name, m in members.items() if m["role"] != "leader"),
                  key=lambda name: members[name]["role"] != "sync_standby")


def set_clocks(offset, names=NODES):
    for name in names:
        set_clock(data(name), offset)
    for name in names:
        set_clock(data(name), offset, dsn(name))


def crash(name):
    """Kill Patroni and the postmaster at once."""
    kill(patroni[name].pid, postmaster(data(name)))
    patroni[name].wait()


patroni = {}                            # processes by name


def drills():
    etcd = start("etcd", *ETCD)
    write("haproxy.cfg", haproxy())
    for name in NODES:
        write(name + ".yml", CONFIG.format(
            name=name, port=PORT[name], rest=REST[name], data=data(name),
            bindir=BINDIR, work=path(), synchronous=str(SYNCHRONOUS).lower()))
        set_clock(data(name), 0)
    start_patroni("one")
    wait_for("the first leader", lambda: leader() == "one")
    for name in NODES[1:]:
        start_patroni(name)
    start("haproxy", "haproxy", "-db", "-f", path("haproxy.cfg"))
    healthy()
    clients = Drills("Patroni, " + MODE,
                     "host=127.0.0.1 port=5000 user=postgres dbname=postgres")
    healthy()

    with clients.drill("switchover"):
        switchover()
    healthy()

    with clients.drill("kill -9 of the leader's postmaster"):
        name = leader()
        killed = postmaster(data(name))
        kill(killed)
        wait_for("a primary", lambda: is_primary(leader())
                 and postmaster(data(leader())) != killed)
    healthy()

    # Before clocks change: Patroni compares the start of the process, whose
    # clock does not change, with that in postmaster.pid.
    with clients.drill("kill -9 of the leader's Patroni alone"):
        old = leader()
        kill(patroni[old].pid)
        patroni[old].wait()
        wait_for("another leader", lambda: leader() not in (None, old))
        start_patroni(old)
    healthy()

    with clients.drill("kill -9 of the leader's Patroni and postmaster, standbys 15 s behind",
                       lost=not SYNCHRONOUS, behind=True):
        old = leader()
        set_clocks(-15, standbys())
        crash(old)
        wait_for("another leader", lambda: leader() not in (None, old))
    start_patroni(old)
    healthy()

    with clients.drill("patronictl failover back", behind=True):
        set_clocks(0)
        change("failover", None if SYNCHRONOUS else old)
    healthy()

    with clients.drill("etcd down, and back", lost=False):
        name = leader()
        kill(etcd.pid)
        etcd.wait()
        wait_for("no primary", lambda: not is_primary(name))
        etcd = start("etcd", *ETCD)
        wait_for("a leader", leader)
    healthy()

    with clients.drill("reinit of a standby, then a switchover to it"):
        name = standbys()[0]
        ctl("reinit", "drill", name, "--force", "--wait")
        switchover(None if SYNCHRONOUS else name)
    healthy()

    with clients.drill("two switchovers in a row, to servers 20 s behind", behind=True):
        old = leader()
        set_clocks(-20, standbys())
        switchover()
        set_clocks(-20, (old,))
        switchover()
    healthy()
    set_clocks(0)
    healthy()

    # Nanoflakes wait for the clock.  It is stepped, instead of waiting for it.
    with clients.drill("leader 60 s ahead, corrected, then a switchover", behind=True):
        set_clocks(60, (leader(),))
        clients.wait_for_ids()
        set_clocks(0)
        clients.wait_for_ids(("fluid", "ulidflake"))
        switchover()
        clients.wait_for_ids(("fluid", "ulidflake"))
        set_clocks(60)
    clients.end()


main(drills)
