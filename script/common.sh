# common.sh: what demo, check and bench share.
#
# Nothing is installed into the machine's own PostgreSQL and no cluster of its
# own is touched: the server's programs are copied into a temporary folder, its
# libraries and data linked beside them, and flakeid is installed there.  (The
# server finds its files relative to its programs.)  Everything runs as an
# ordinary user, because PostgreSQL refuses to run as root.

set -eu

top=$(cd "$(dirname "$0")/.." && pwd)
started=$(date +%s)

say() { printf '\n== %s\n' "$*"; }
die() { printf '%s: %s\n' "${0##*/}" "$*" >&2; exit 1; }

# packages_for FILE PACKAGE ...: note the packages when the file is not there
missing=
packages_for() {
	file=$1; shift
	[ -e "$file" ] || command -v "$file" >/dev/null 2>&1 || missing="$missing $*"
}

# Packages come in one go, so that server and headers have one minor version.
install_missing() {
	[ -n "$missing" ] || return 0
	missing=$(printf '%s\n' $missing | sort -u | tr '\n' ' ')
	if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
		die "missing on this machine: $missing
Install them, as root on Debian:
  apt-get update && apt-get install -y $missing"
	fi
	say "Installing $missing"
	export DEBIAN_FRONTEND=noninteractive
	apt-get update -qq
	apt-get install -y -qq --no-install-recommends $missing >/dev/null
	missing=
}

# Which PostgreSQL: that of PG_CONFIG, else the newest whose headers are here,
# else the distribution's own.
find_postgres() {
	if [ -n "${PG_CONFIG:-}" ]; then
		command -v "$PG_CONFIG" >/dev/null 2>&1 || [ -x "$PG_CONFIG" ] ||
			die "PG_CONFIG=$PG_CONFIG is not a program"
		major=$("$PG_CONFIG" --version | sed 's/[^0-9]*\([0-9]*\).*/\1/')
		use_sanitizers
		return
	fi
	major=$(ls -d /usr/lib/postgresql/*/lib/pgxs 2>/dev/null |
		sed 's,.*/postgresql/\([0-9]*\)/.*,\1,' | sort -n | tail -1)
	if [ -z "$major" ]; then
		[ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null &&
			[ -z "$(apt-cache madison postgresql 2>/dev/null)" ] &&
			apt-get update -qq
		major=$(apt-cache show postgresql 2>/dev/null |
			sed -n 's/^Depends:.*postgresql-\([0-9]*\).*/\1/p' | head -1)
	fi
	[ -n "$major" ] || die "no PostgreSQL here, and no apt-get to get one:
install PostgreSQL 15 or newer with its server headers, or give PG_CONFIG="
	PG_CONFIG=/usr/lib/postgresql/$major/bin/pg_config
}

# With a server that is linked with the sanitizers' run-time (build-assert)
# flakeid is built with them, and without -fwrapv: other than the server's own
# code, ours is not to rely on signed numbers that wrap.
use_sanitizers() {
	grep -q 'libasan\.so' "$("$PG_CONFIG" --bindir)/postgres" || return 0
	FLAKEID_CFLAGS="-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -fno-wrapv ${FLAKEID_CFLAGS:-}"
}

# Complaints of assertions, sanitizers and the checks of memory and resources
# in the servers' logs; copied to REPORTS, if that is set, when all is over
complaints='TRAP: |AddressSanitizer|runtime error: |detected write past|problem in alloc|leak: '
keep_reports() {
	[ -n "${REPORTS:-}" ] || return 0
	grep -rlE --include='*.log' "$complaints" "$work" 2>/dev/null |
		while read -r file; do
			cp --backup=numbered "$file" "$REPORTS/"
		done
}

need_postgres() {
	find_postgres
	packages_for gcc gcc libc6-dev
	packages_for make make
	if [ "${PG_CONFIG#/usr/lib/postgresql/}" != "$PG_CONFIG" ]; then
		packages_for "/usr/lib/postgresql/$major/bin/postgres" \
			"postgresql-$major" "postgresql-server-dev-$major"
		packages_for "/usr/lib/postgresql/$major/lib/pgxs/src/makefiles/pgxs.mk" \
			"postgresql-$major" "postgresql-server-dev-$major"
	fi
}

# clang with the runtime of libFuzzer, which has a package of its own
need_fuzzer() {
	packages_for clang clang libclang-rt-dev
	packages_for "$(clang -print-file-name="libclang_rt.fuzzer-$(uname -m).a" \
		2>/dev/null || echo libclang_rt.fuzzer)" libclang-rt-dev
}

# The user that everything runs as, and a temporary folder of its own.
make_workplace() {
	if [ "$(id -u)" -eq 0 ]; then
		user=postgres
		id "$user" >/dev/null 2>&1 || user=nobody
	else
		user=$(id -un)
	fi
	work=$(mktemp -d "${TMPDIR:-/tmp}/flakeid.XXXXXX")
	trap clean_up EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM HUP
	chmod 755 "$work"
	mkdir "$work/src" "$work/build" "$work/root" "$work/tmp"
	tar -C "$top" --exclude=./.git --exclude='*.o' --exclude='*.so' \
		--exclude='*.bc' --exclude=./results --exclude=./tmp_check \
		-cf - . | tar -C "$work/src" -xf -
	if [ "$(id -u)" -eq 0 ]; then
		chown -R "$user" "$work"
	fi
}

clean_up() {
	status=$?
	trap - EXIT INT TERM HUP
	for child in ${children:-}; do
		kill -KILL "$child" 2>/dev/null || true
	done
	# In a root file system a number was that of another process.
	for pid_file in $(find "$work" -name postmaster.pid 2>/dev/null); do
		pid=$(head -1 "$pid_file")
		[ "$(readlink "/proc/$pid/cwd")" != "${pid_file%/*}" ] ||
			kill -QUIT "$pid" 2>/dev/null || true
	done
	umount "$work/small" 2>/dev/null || true
	keep_reports
	for try in 1 2 3 4 5 6 7 8 9 10; do
		rm -rf "$work" 2>/dev/null && break
		sleep 0.3
	done
	exit "$status"
}

# Run a command as the ordinary user, in the workplace, with our programs first.
as_user() {
	set -- env -C "$work" HOME="$work/tmp" TMPDIR="$work/tmp" LC_ALL=C.UTF-8 \
		PATH="$bindir:$PATH" PGHOST="${socket:-}" PGUSER=postgres \
		PGDATABASE=postgres PGPORT="${port:-5432}" "$@"
	if [ "$(id -u)" -eq 0 ]; then
		set -- setpriv --reuid="$user" --regid="$(id -g "$user")" \
			--clear-groups "$@"
	fi
	"$@"
}

# Copy the server's programs and link the rest of it into the workplace.
copy_postgres() {
	root=$work/root
	bindir=$root$("$PG_CONFIG" --bindir)
	pkglibdir=$("$PG_CONFIG" --pkglibdir)
	sharedir=$("$PG_CONFIG" --sharedir)
	mkdir -p "$bindir" "$root$pkglibdir" "$root$sharedir"
	cp "$("$PG_CONFIG" --bindir)"/* "$bindir/"
	cp -rs "$pkglibdir/." "$root$pkglibdir/"
	cp -rs "$sharedir/." "$root$sharedir/"
	find "$root$pkglibdir" "$root$sharedir" -name 'flakeid*' -prune \
		-exec rm -rf '{}' +
	[ "$(id -u)" -ne 0 ] || chown -R "$user" "$root"
}

# Build outside the tree, with every warning an error, and install.
build_and_install() {
	copy_postgres
	for target in all install; do
		as_user make -C "$work/build" -f "$work/src/Makefile" -s -j2 \
			PG_CONFIG="$PG_CONFIG" DESTDIR="$root" \
			FLAKEID_CFLAGS="-Werror ${FLAKEID_CFLAGS:-}" "$target" \
			>"$work/build.log" 2>&1 ||
			{ cat "$work/build.log" >&2; die "the build failed"; }
	done
}

# The C functions that bench/ measures against, into the workplace
build_baselines() {
	as_user mkdir "$work/bench"
	as_user make -C "$work/bench" -f "$work/src/bench/Makefile" -s \
		PG_CONFIG="$PG_CONFIG" with_llvm=no >"$work/bench.log" 2>&1 ||
		{ cat "$work/bench.log" >&2; die "the baselines do not build"; }
}

# start_server [SETTING ...]: initdb and start, on a Unix socket alone
start_server() {
	socket=$work/tmp
	as_user initdb -D "$work/data" -U postgres -A trust -E UTF8 \
		--no-sync >"$work/initdb.log" 2>&1 ||
		{ cat "$work/initdb.log" >&2; die "initdb failed"; }
	{
		printf "listen_addresses = ''\n"
		printf "unix_socket_directories = '%s'\n" "$socket"
		for setting; do printf '%s\n' "$setting"; done
	} >>"$work/data/postgresql.conf"
	as_user pg_ctl -D "$work/data" -l "$work/tmp/server.log" -w -s start ||
		{ cat "$work/tmp/server.log" >&2; die "the server did not start"; }
}

stop_server() { as_user pg_ctl -D "$work/data" -m fast -w -s stop; }

# count_regress LOG: show a line a test and set ok and bad.  pg_regress says
# "test x ... ok" up to 15 and "ok 1 - x" from 16 on.
count_regress() {
	grep -E '^(not )?ok |^test ' "$1" || cat "$1"
	ok=$(grep -cE '^ok |^test .*\.\.\. ok ' "$1") || true
	bad=$(grep -cE '^not ok |^test .*\.\.\. FAILED' "$1") || true
}

# try WHAT COMMAND ...: the command must succeed; its output is shown if not
passed=0
failed=0
try() {
	what=$1; shift
	if "$@" >"$work/try.log" 2>&1; then
		passed=$((passed + 1))
		echo "ok     $what"
	else
		failed=$((failed + 1))
		echo "not ok $what"
		cat "$work/try.log"
	fi
}

# count_counted LOG: add what its last "N passed, N failed" says; a log without
# one is a failure
count_counted() {
	set -- $(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$1" |
		tail -1)
	passed=$((passed + ${1:-0}))
	failed=$((failed + ${2:-1}))
}

finish() {
	say "After $(($(date +%s) - started)) s${1:-}"
	echo "$passed passed, $failed failed"
	[ "$failed" -eq 0 ]
}
