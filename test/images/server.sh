# Sourced by programs that ci/machines runs in a container.

export PGUSER=postgres PGDATABASE=postgres

# ready PORT: wait until the server on this port accepts connections
ready() {
	for try in $(seq 3000); do
		pg_isready -q -p "$1" && return
		kill -0 "$server" 2>/dev/null || break
		sleep 0.1
	done
	cat /tmp/server.log
	return 1
}

# start [OPTION ...]: start as the image does
start() {
	docker-entrypoint.sh postgres -c listen_addresses= "$@" >/tmp/server.log 2>&1 &
	server=$!
	ready 5432
}

stop() {
	kill -s INT "$server"
	wait "$server" || { cat /tmp/server.log; return 1; }
}

sql() { psql -X -q -t -A -v ON_ERROR_STOP=1 "$@"; }

# ids WHEN ROWS [OPTION ...]: generate 1000 ids of each kind; there must be
# ROWS rows
ids() {
	when=$1 rows=$2; shift 2
	sql -v when="$when" -v rows="$rows" "$@" -f /test/ids.sql
}
