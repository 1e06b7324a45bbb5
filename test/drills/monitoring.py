"""The files of contrib/monitoring with the real exporter and Prometheus: each
alert fires, and each query of the dashboard has a result.
"""

import datetime
import json
import os
import re
import urllib.parse
import urllib.request

import psycopg2

from drill import (Failure, check, main, path, query, run, set_clock, start,
                   wait_for, write)

FILES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "contrib", "monitoring")
SERVERS = ("one", "two", "three")       # the third has no extension
PROMETHEUS = """
global: {scrape_interval: 1s, evaluation_interval: 1s}
rule_files: [alerts.yml]
scrape_configs:
  - job_name: postgres
    static_configs:
      - targets: ['127.0.0.1:9187', '127.0.0.1:9188']
        labels: {fleet: shop}
      - targets: ['127.0.0.1:9189']
"""


def file(name):
    with open(os.path.join(FILES, name)) as opened:
        return opened.read()


def dsn(name, user="postgres"):
    return ("host=127.0.0.1 port=%d user=%s dbname=postgres"
            % (5432 + SERVERS.index(name), user))


def server(name, settings=""):
    run("initdb", "-D", path(name), "-U", "postgres", "-A", "trust", "--no-sync")
    set_clock(path(name), 0)
    with open(os.path.join(path(name), "postgresql.conf"), "a") as conf:
        conf.write("port = %d\nunix_socket_directories = '%s'\nmax_connections = 40\n%s"
                   % (5432 + SERVERS.index(name), path(), settings))
    run("pg_ctl", "-D", path(name), "-l", path(name + ".log"), "-w", "start")
    query(dsn(name), "CREATE ROLE exporter LOGIN")


def exporter(name, options=""):
    """An exporter for this server, on port 9187 and above."""
    number = SERVERS.index(name)
    return start("exporter-" + name, "prometheus-postgres-exporter",
                 "--web.listen-address=127.0.0.1:%d" % (9187 + number),
                 "--extend.query-path=" + os.path.join(FILES, "postgres_exporter.yml"),
                 env=dict(os.environ, DATA_SOURCE_NAME="host=127.0.0.1 port=%d"
                          " user=exporter dbname=postgres sslmode=disable%s"
                          % (5432 + number, options)))


def api(what, **parameters):
    with urllib.request.urlopen("http://127.0.0.1:9090/api/v1/%s?%s" % (
            what, urllib.parse.urlencode(parameters)), timeout=10) as answer:
        return json.load(answer)["data"]


def firing():
    return {alert["labels"]["alertname"] for alert in api("alerts")["alerts"]
            if alert["state"] == "firing"}


def drills():
    write("alerts.yml", re.sub(r"for: \d+[mh]", "for: 1s", file("alerts.yml")))
    write("prometheus.yml", PROMETHEUS)
    check("SUCCESS" in run("promtool", "check", "rules", path("alerts.yml")),
          "promtool check rules")

    rules = re.findall(r"alert: (\w+)", file("alerts.yml"))
    late = datetime.date.today() - datetime.timedelta(days=16.4 * 365.25)
    server("one")
    # With the bits of the connections, a Nanoflake has no room for its node.
    server("two", "shared_preload_libraries = 'flakeid'\n"
           "flakeid.node_bits = 5\n"
           "flakeid.fluid_epoch = '%s 00:00:00Z'\n" % late)
    server("three")
    query(dsn("one"), "CREATE SCHEMA ids")
    query(dsn("one"), "GRANT USAGE ON SCHEMA ids TO PUBLIC")
    query(dsn("one"), "CREATE EXTENSION flakeid SCHEMA ids")
    query(dsn("one"), "ALTER ROLE exporter SET search_path = ids, public")
    query(dsn("two"), "CREATE EXTENSION flakeid")

    ended = exporter("one", " options='-c search_path=ids,public'")
    wait_for("the exporter to end", lambda: ended.poll() is not None)
    check(ended.poll() != 0, "the exporter ends at a comma in its connection string")
    for name in SERVERS:
        exporter(name)
    start("prometheus", "prometheus", "--config.file=" + path("prometheus.yml"),
          "--storage.tsdb.path=" + path("tsdb"), "--web.listen-address=127.0.0.1:9090")
    wait_for("the metrics of both servers", lambda: len(api(
        "query", query="flakeid_server_ahead_seconds")["result"]) == 6)
    at_first = {"FlakeidNodeTwice", "FlakeidYearsLeft", "FlakeidNoStatus", "FlakeidTooFewBits"}
    wait_for("the first alerts", lambda: firing() >= at_first)
    check(firing() == at_first, "no alert about a clock that is right")

    # Ulid-Flakes of which a millisecond holds only a few
    query(dsn("two"), "SET flakeid.ulidflake_step_bits = 14;"
          " SELECT count(ulidflake_generate()) FROM generate_series(1, 1000000)")
    # A clock that is set back under a running session
    session = psycopg2.connect(dsn("one"))
    session.autocommit = True
    cursor = session.cursor()
    cursor.execute("SET search_path = ids; SELECT fluid_generate(), nanoflake_generate()")
    set_clock(path("one"), -60, dsn("one"))
    for form in ("fluid", "nanoflake", "fluid", "nanoflake"):
        try:
            cursor.execute("SELECT %s_generate()" % form)
        except psycopg2.Error as error:
            check(error.pgcode in ("55P03", "55000"), "a Nanoflake is refused")
    # FLUIDs are ahead of the clock now, so their reset waits for a restart.
    cursor.execute("SELECT flakeid_reset_horizon()")
    query(dsn("two"), "SELECT setval('flakeid_ulidflake_horizon', 1)")
    query(dsn("two"), "ALTER SEQUENCE flakeid_fluid_horizon RENAME TO away")
    for rule in rules:
        if rule == "FlakeidResetUnfinished":    # the reset waited for this
            run("pg_ctl", "-D", path("one"), "-l", path("one.log"), "-m", "fast", "-w", "restart")
        try:
            wait_for(rule, lambda rule=rule: rule in firing())
        except Failure:
            pass
        check(rule in firing(), "%s fires" % rule)

    for panel in json.loads(file("grafana.json"))["panels"]:
        for target in panel["targets"]:
            result = api("query", query=target["expr"].replace("$instance", ".*"))["result"]
            check(result, "dashboard: %s: %d series" % (panel["title"], len(result)))


main(drills)
