"""pgpool-II: which server gets SELECT fluid_generate()?"""

import os
import re
import signal

import psycopg2

from drill import check, main, path, query, run, start, wait_for, write

CONFIG = """
listen_addresses = '127.0.0.1'
port = 9999
pcp_port = 9898
pcp_socket_dir = '{work}'
unix_socket_directories = '{work}'
pid_file_name = '{work}/pgpool.pid'
logdir = '{work}'
memqcache_oiddir = '{work}'
backend_clustering_mode = 'streaming_replication'
backend_hostname0 = '127.0.0.1'
backend_port0 = 5432
backend_weight0 = 0
backend_hostname1 = '127.0.0.1'
backend_port1 = 5433
backend_weight1 = 1
sr_check_user = 'postgres'
sr_check_period = 1
num_init_children = 4
load_balance_mode = on
write_function_list = '{functions}'
"""


def dsn(port):
    return "host=127.0.0.1 port=%d user=postgres dbname=postgres" % port


def server(name, port):
    with open(os.path.join(path(name), "postgresql.conf"), "a") as file:
        file.write("port = %d\nunix_socket_directories = '%s'\n" % (port, path()))
    run("pg_ctl", "-D", path(name), "-l", path(name + ".log"), "-w", "start")


def error_of(sql):
    try:
        query(dsn(9999), sql)
    except psycopg2.Error as error:
        return error.pgcode or str(error)
    return None


def with_list(functions):
    """Errors of a call, with this write_function_list."""
    conf = write("pgpool.conf", CONFIG.format(work=path(), functions=functions))
    pgpool = start("pgpool", "pgpool", "-n", "-f", conf, "-F", path("pcp.conf"),
                   "-a", path("pool_hba.conf"))
    wait_for("pgpool", lambda: query(dsn(9999), "SELECT 1"))
    wait_for("pgpool to see the standby", lambda: query(
        dsn(9999), "SELECT inet_server_port()") == [(5433,)])
    errors = [error_of(sql) for sql in (
        "SELECT fluid_generate()", "INSERT INTO ids DEFAULT VALUES")]
    pgpool.send_signal(signal.SIGINT)
    pgpool.wait()
    return errors


def listed():
    """The setting on our page."""
    with open(os.path.join(os.path.dirname(__file__), "../../doc/several-servers.md")) as page:
        return re.search("^write_function_list = '(.*)'$", page.read(), re.M).group(1)


def drills():
    run("initdb", "-D", path("one"), "-U", "postgres", "-A", "trust", "--no-sync")
    server("one", 5432)
    query(dsn(5432), "CREATE EXTENSION flakeid")
    query(dsn(5432), "CREATE TABLE ids (id bigint DEFAULT fluid_generate())")
    run("pg_basebackup", "-d", dsn(5432), "-D", path("two"), "-R", "-c", "fast")
    server("two", 5433)
    for name in "pcp.conf", "pool_hba.conf":
        write(name, "")
    check(with_list("") == [None, None],
          "pgpool: by default it judges by volatility: no error")
    check(with_list("nextval,setval") == ["25006", None],
          "pgpool: a list without the generators sends SELECT fluid_generate() to a standby")
    check(with_list(listed()) == [None, None], "pgpool: with the list of our page, no error")


main(drills)
