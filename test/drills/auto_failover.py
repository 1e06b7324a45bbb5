"""pg_auto_failover: a monitor and two servers, clients that look for the
primary."""

import os

from drill import (BINDIR, Drills, kill, main, path, postmaster, query, run,
                   set_clock, start, wait_for)

NODES = ("one", "two")
PORT = {"monitor": 5431, "one": 5432, "two": 5433}
MONITOR = "host=127.0.0.1 port=5431 user=autoctl_node dbname=pg_auto_failover"
PGCTL = os.path.join(BINDIR, "pg_ctl")


def data(name):
    return path("data-" + name)


def dsn(name):
    return "host=127.0.0.1 port=%d user=postgres dbname=postgres" % PORT[name]


def start_keeper(name):
    keeper[name] = start("keeper-" + name, "pg_autoctl", "run", "--pgdata", data(name))


def states():
    return dict(query(MONITOR, "SELECT nodename, reportedstate::text"
                      " FROM pgautofailover.node WHERE reportedstate = goalstate"))


def primary():
    return next((name for name, state in states().items()
                 if state in ("primary", "wait_primary", "single")), None)


keeper = {}
def drills():
    os.mkdir(path("sockets"))
    os.environ.update(XDG_RUNTIME_DIR=path("run"), PG_CONFIG=os.path.join(BINDIR, "pg_config"),
                      PGSSLMODE="prefer", XDG_DATA_HOME=path("share"),
                      XDG_CONFIG_HOME=path("config"))
    os.mkdir(path("run"))
    run("pg_autoctl", "create", "monitor", "--pgctl", PGCTL, "--pgdata", data("monitor"),
        "--pgport", str(PORT["monitor"]), "--hostname", "127.0.0.1", "--auth", "trust",
        "--no-ssl")
    with open(os.path.join(data("monitor"), "postgresql.conf"), "a") as file:
        file.write("""
    unix_socket_directories = '%s'
    pgautofailover.health_check_period = 1s
    pgautofailover.health_check_timeout = 1s
    pgautofailover.health_check_max_retries = 1
    pgautofailover.health_check_retry_delay = 500ms
    pgautofailover.node_considered_unhealthy_timeout = 5s
    pgautofailover.startup_grace_period = 5s
    pgautofailover.primary_demote_timeout = 10s
    """ % path("sockets"))
    with open(os.path.join(data("monitor"), "pg_hba.conf"), "a") as file:
        file.write("host all all 127.0.0.1/32 trust\n")
    start_keeper("monitor")
    wait_for("the monitor", lambda: query(MONITOR, "SELECT 1"))
    for name in NODES:
        set_clock(data(name), 0)
        run("pg_autoctl", "create", "postgres", "--pgctl", PGCTL, "--pgdata", data(name),
            "--pgport", str(PORT[name]), "--hostname", "127.0.0.1", "--name", name,
            "--username", "postgres", "--dbname", "postgres", "--auth", "trust",
            "--no-ssl", "--pg-hba-lan", "--monitor",
            "postgres://autoctl_node@127.0.0.1:5431/pg_auto_failover")
        with open(os.path.join(data(name), "postgresql.conf"), "a") as file:
            file.write("max_connections = 40\nunix_socket_directories = '%s'\n" % path("sockets"))
        start_keeper(name)
        if name == "one":
            wait_for("the first server", lambda: query(dsn("one"), "SELECT 1"))
    wait_for("primary and secondary", lambda: sorted(states().values()) ==
             ["primary", "secondary"])
    clients = Drills("pg_auto_failover", "host=127.0.0.1,127.0.0.1 port=5432,5433"
                     " user=postgres dbname=postgres target_session_attrs=read-write")

    with clients.drill("kill -9 of keeper and postmaster, standby 15 s behind",
                       behind=True):
        set_clock(data("two"), -15, dsn("two"))
        kill(keeper["one"].pid, postmaster(data("one")))
        wait_for("the standby to be promoted", lambda: query(
            dsn("two"), "SELECT pg_is_in_recovery()") == [(False,)])
    clients.end()


main(drills)
