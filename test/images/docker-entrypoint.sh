#!/bin/sh
# Replaces the entrypoint of the official image: creates a cluster if there is
# none, and runs the command as the user postgres.
set -eu

if [ "$(id -u)" -eq 0 ]; then
	mkdir -p "$PGDATA"
	chown -R postgres:postgres "$PGDATA"
	exec setpriv --reuid=postgres --regid=postgres --init-groups "$0" "$@"
fi
[ -s "$PGDATA/PG_VERSION" ] ||
	initdb -U postgres -A trust --no-sync >/tmp/initdb.log 2>&1 ||
	{ cat /tmp/initdb.log >&2; exit 1; }
exec "$@"
