# common.sh: functions shared by the scripts and the benchmarks.
#
# Nothing is installed into the machine's own PostgreSQL, and its clusters are
# not touched.  The server's programs are copied to a temporary folder, its
# libraries and data are linked beside them (the server finds its files
# relative to its programs), and flakeid is installed there.  All programs run
# as an ordinary user, because PostgreSQL refuses to run as root.

set -eu

trap 'exit 130' INT
trap 'exit 143' TERM HUP

say() { printf '\n== %s\n' "$*"; }
die() { printf '%s: %s\n' "${0##*/}" "$*" >&2; exit 1; }

# number NAME VALUE: the value must be one
number() {
	case $2 in ''|*[!0-9.]*|*.*.*) die "$1=$2 is not a number" ;; esac
}

# Print why no temporary folder can be in this folder: make takes no blanks, a
# socket's path is short, and root's programs run as an ordinary user.
unusable() {
	case $1 in
		[!/]*) echo "is relative"; return ;;
		*[!A-Za-z0-9_./+-]*) echo "has characters that make cannot take"; return ;;
	esac
	[ ${#1} -le 50 ] || { echo "is too long for the path of a socket"; return; }
	if [ "$(id -u)" -eq 0 ]; then
		above=$1
		while [ -n "$above" ]; do
			case $(stat -L -c %a "$above" 2>/dev/null) in
				*[1357]) above=${above%/*} ;;
				*) echo "is not open to ordinary users"; return ;;
			esac
		done
	fi
	probe=$(mktemp -d "$1/flakeid.XXXXXX" 2>/dev/null) || { echo "is not writable"; return; }
	printf '#!/bin/sh\n' >"$probe/probe"
	chmod 755 "$probe/probe"
	"$probe/probe" 2>/dev/null || echo "is mounted noexec"
	rm -rf "$probe"
}

# A script starts anew, with an environment of its own: what is listed here,
# and "NAME=" in its first comment.
if [ "${FLAKEID_ENVIRONMENT:-}" != $$ ]; then
	umask 022
	reason=
	[ -z "${TMPDIR:-}" ] || reason=$(unusable "$TMPDIR")
	if [ -n "$reason" ]; then
		echo "${0##*/}: TMPDIR=$TMPDIR $reason; using /tmp" >&2
		TMPDIR=
	fi
	[ -n "${TMPDIR:-}" ] || reason=$(unusable /tmp)
	[ -n "${TMPDIR:-}" ] || [ -z "$reason" ] ||
		die "/tmp $reason; name another folder: TMPDIR=/path/to/folder"
	set -- /bin/sh "$0" "$@"
	for name in PATH HOME TERM TMPDIR CI PG_CONFIG CC FLAKEID_CFLAGS \
		REPORTS BENCH_RATIOS \
		http_proxy https_proxy ftp_proxy all_proxy no_proxy \
		HTTP_PROXY HTTPS_PROXY FTP_PROXY ALL_PROXY NO_PROXY \
		SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS \
		$(sed -n '/^#/!q; p' "$0" | grep -oE '\b[A-Z][A-Z0-9_]*=' | tr -d =); do
		eval "value=\${$name:-}"
		case $value,$name in
			,*) continue ;;
			*_SECONDS|*SEED|*_SCALE|*_ROUNDS|*_ROWS|*_RATE|*_JOBS|*_SAMPLE) number "$name" "$value" ;;
		esac
		set -- "$name=$value" "$@"
	done
	exec env -i LC_ALL=C.UTF-8 PYTHONDONTWRITEBYTECODE=1 FLAKEID_ENVIRONMENT=$$ "$@"
fi
unset FLAKEID_ENVIRONMENT
case ${PG_CONFIG:-} in
	''|/*) ;;
	*/*) PG_CONFIG=$(cd "${PG_CONFIG%/*}" 2>/dev/null && pwd || echo)/${PG_CONFIG##*/} ;;
	*) PG_CONFIG=$(command -v "$PG_CONFIG" || echo "$PG_CONFIG") ;;
esac

top=$(cd "$(dirname "$0")/.." && pwd)
started=$(date +%s)

# Create a temporary folder, for a script that starts no server.
temporary_folder() {
	work=$(mktemp -d "${TMPDIR:-/tmp}/flakeid-${0##*/}.XXXXXX")
	trap 'rm -rf "$work"' EXIT
}

# here FILE: true if the file, or a program of this name in PATH, exists
here() { [ -e "$1" ] || command -v "$1" >/dev/null 2>&1; }

# packages_for FILE PACKAGE ...: record the packages if the file is missing.
# Each call adds one line: the step of check that needs them, with _ for blanks
# ("-" for all steps), then their names.
missing=
needed_by=-
packages_for() {
	file=$1; shift
	here "$file" || missing="$missing
$needed_by $*"
}

# for_step STEP COMMAND ...: packages recorded by the command are needed by
# this step only
for_step() {
	needed_by=$(echo "$1" | tr ' ' _); shift
	"$@"
	needed_by=-
}

# packages_of STEP; packages_of '' for all steps
packages_of() {
	printf '%s' "$missing" | awk -v step="$(echo "$1" | tr ' ' _)" 'step == "" || $1 == step {
		for (i = 2; i <= NF; i++) print $i }' | sort -u | tr '\n' ' ' |
		sed 's/ $//'
}

can_install() { [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; }

# If the mirror is unreachable, existing package lists may suffice.
update_lists() {
	[ -z "${lists_updated:-}" ] || return 0
	lists_updated=yes
	apt-get update -qq || say "apt-get update failed; trying the old package lists"
}

# The installed server, pinned to its version: apt would otherwise upgrade it
# along with newer headers, and restart the machine's clusters.
server_as_it_is() {
	[ -e "$(server_of "${major:-none}")" ] || return 0
	dpkg-query -W -f '${db:Status-Abbrev}${Package}=${Version}\n' \
		"postgresql-$major" "postgresql-client-$major" 2>/dev/null |
		sed -n 's/^ii *//p'
}

# Show in a few lines what apt-get installs, how much that is, and how far it is.
apt_progress() {
	awk '/newly installed/ { n = $3; step = int(n / 6) + 1 }
		/^Need to get/ { sub(/\/.*/, "", $5); fetch = $4 " " $5 }
		/^After this operation/ && !told++ {
			printf "   %d packages of %s, %s %s on disk:", n, fetch, $4, $5 }
		/^Get:/ && !got++ { printf " downloading" }
		/^Unpacking/ && !unpacked++ { printf " installing " }
		/^(Unpacking|Setting up)/ && ++lines % step == 0 { printf "." }
		{ fflush() }
		END { if (told) print "" }'
}

# apt_install PACKAGE ...: they start no service, and PostgreSQL creates no
# cluster.  Ctrl-C ends the download, but would leave packages half configured
# afterwards: dpkg runs in a session of its own, and the interrupt waits for it.
# One at a time.
apt_install() (
	exec 8>>/run/lock/flakeid-apt
	flock 8
	policy=/usr/sbin/policy-rc.d
	no_cluster=/etc/postgresql-common/createcluster.d/flakeid.conf
	log=$(mktemp "${TMPDIR:-/tmp}/flakeid-apt.XXXXXX")
	remove="$log $no_cluster"
	trap 'rm -f $remove
		[ -e /usr/share/postgresql-common ] || rmdir -p "${no_cluster%/*}" 2>/dev/null || true' EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM HUP
	if [ ! -e "$policy" ]; then
		remove="$remove $policy"
		printf '#!/bin/sh\nexit 101\n' >"$policy"
		chmod 755 "$policy"
	fi
	mkdir -p "${no_cluster%/*}"
	echo 'create_main_cluster = false' >"$no_cluster"
	apt="env DEBIAN_FRONTEND=noninteractive apt-get install -y -q
		--no-install-recommends $* $(server_as_it_is)"
	{
		$apt --download-only && trap : INT TERM HUP && setsid --wait $apt ||
			echo "apt-get failed"
	} </dev/null 2>&1 | (trap '' INT TERM HUP; tee "$log" | apt_progress)
	! grep -q '^apt-get failed$' "$log" || {
		printf 'apt-get install %s failed:\n%s\n' "$*" \
			"$(grep -v '^[WN]: ' "$log" | tail -15)" >&2
		exit 1
	}
)

# Exit if a package is missing that all steps need.  On return, "missing" has
# the packages of single steps, which are installed only with CHECK_STRICT=yes.
install_missing() {
	[ -n "$missing" ] || return 0
	steps=$(printf '%s' "$missing" | sed -n '/^-/!s/ .*//p' | sort -u)
	if can_install; then
		update_lists
		for step in - ${CHECK_STRICT:+$steps}; do
			packages=$(packages_of "$step")
			[ -n "$packages" ] || continue
			say "Installing $packages"
			echo "   No service is started, and PostgreSQL creates no cluster."
			apt_install $packages || continue
			printf "   To remove them:\n   apt-get autoremove --purge %s\n" "$packages"
			missing=$(printf '%s' "$missing" | sed "/^$step /d")
		done
	fi
	[ -n "$(packages_of -)" ] || return 0
	die "missing on this machine: $(packages_of -)
Install as root, on Debian:
  apt-get update && apt-get install -y $(packages_of -)$(
	for step in $steps; do
		printf '\nFor the step %s, which is skipped otherwise:\n  apt-get install -y %s' \
			"$(echo "$step" | tr _ ' ')" "$(packages_of "$step")"
	done)"
}

# Supported majors in paths .../postgresql/MAJOR/..., newest first
majors_of() {
	printf '%s\n' "$@" | sed -n 's,.*/postgresql/\([0-9][0-9]*\)/.*,\1,p' |
		awk '$1 >= 15' | sort -rn
}

server_of() { echo "/usr/lib/postgresql/$1/bin/postgres"; }
headers_of() { echo "/usr/include/postgresql/$1/server/postgres.h"; }

# True if the package can be installed, or if there are no package lists.
obtainable() {
	[ -z "$(apt-cache madison postgresql 2>/dev/null)" ] ||
		[ -n "$(apt-cache madison "$1" 2>/dev/null)" ]
}

# Find the newest major with both server and headers; else the newest server
# whose headers can be installed; else the newest headers whose server can be
# installed; else the distribution's default.
choose_major() {
	servers=$(majors_of /usr/lib/postgresql/*/bin/postgres)
	headers=$(majors_of /usr/include/postgresql/*/server/postgres.h)
	for major in $servers; do
		[ ! -e "$(headers_of "$major")" ] || return 0
	done
	! can_install || update_lists
	for major in $servers; do
		! obtainable "postgresql-server-dev-$major" || return 0
	done
	for major in $headers; do
		! obtainable "postgresql-$major" || return 0
	done
	major=$(apt-cache show postgresql 2>/dev/null |
		sed -n 's/^Depends:.*postgresql-\([0-9]*\).*/\1/p' | head -1)
}

# Set PG_CONFIG, unless given, and major.
find_postgres() {
	if [ -n "${PG_CONFIG:-}" ]; then
		here "$PG_CONFIG" || die "PG_CONFIG=$PG_CONFIG is not a program"
		major=$("$PG_CONFIG" --version | sed 's/[^0-9]*\([0-9]*\).*/\1/')
		use_sanitizers
		return
	fi
	choose_major
	if [ -n "$major" ]; then
		PG_CONFIG=/usr/lib/postgresql/$major/bin/pg_config
	elif command -v apt-get >/dev/null; then
		packages_for /usr/lib/postgresql postgresql postgresql-server-dev-all
		install_missing
		choose_major
		PG_CONFIG=/usr/lib/postgresql/$major/bin/pg_config
	else
		die "PostgreSQL was not found: install PostgreSQL 15 or newer with its
server headers, and name its pg_config: PG_CONFIG=/path/to/pg_config"
	fi
}

# If the server is linked with the sanitizers' run-time libraries
# (check-assert), build flakeid with them too, and without -fwrapv: unlike the
# server, flakeid must not rely on wrapping signed arithmetic.
use_sanitizers() {
	grep -q 'libasan\.so' "$("$PG_CONFIG" --bindir)/postgres" || return 0
	FLAKEID_CFLAGS="-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -fno-wrapv ${FLAKEID_CFLAGS:-}"
}

# Reports of assertions, sanitizers, and memory and resource checks in the
# servers' logs.  If REPORTS is set, the logs that have any are copied there at
# the end.
complaints='TRAP: |AddressSanitizer|runtime error: |detected write past|problem in alloc|leak: '
keep_reports() {
	[ -n "${REPORTS:-}" ] || return 0
	grep -rlE --include='*.log' "$complaints" "$work" 2>/dev/null |
		while read -r file; do
			cp --backup=numbered "$file" "$REPORTS/"
		done
}

# The headers are in a package of their own, the only one to install if the
# server exists.
need_postgres() {
	packages_for gcc gcc libc6-dev
	packages_for make make
	find_postgres
	case $("$PG_CONFIG" --bindir 2>/dev/null || echo "$PG_CONFIG") in
		/usr/lib/postgresql/*)
			packages_for "$(server_of "$major")" "postgresql-$major"
			packages_for "$(headers_of "$major")" "postgresql-server-dev-$major" ;;
		*)
			[ -e "$("$PG_CONFIG" --bindir)/postgres" ] ||
				die "PG_CONFIG=$PG_CONFIG has no server in $("$PG_CONFIG" --bindir)"
			[ -e "$("$PG_CONFIG" --includedir-server)/postgres.h" ] ||
				die "PG_CONFIG=$PG_CONFIG has no server headers in $("$PG_CONFIG" --includedir-server):
install the package that has them, often named postgresql-server-dev-$major or postgresql$major-devel" ;;
	esac
}

# clang with libFuzzer, whose library is in a package of its own
need_fuzzer() {
	packages_for clang clang libclang-rt-dev
	packages_for "$(clang -print-file-name="libclang_rt.fuzzer-$(uname -m).a" \
		2>/dev/null || echo libclang_rt.fuzzer)" libclang-rt-dev
}

# Choose the user to run as, and create a temporary folder.
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
		--exclude='*.bc' --exclude=./dist --exclude=./results --exclude=./tmp_check \
		--exclude=node_modules --exclude=__pycache__ --exclude='*.class' \
		-cf - . | tar -C "$work/src" -xf -
	chmod -R u+w "$work/src"
	if [ "$(id -u)" -eq 0 ]; then
		chown -R "$user" "$work"
	fi
}

# Processes that run in the temporary folder, also in a root file system there
left() {
	for each in /proc/[0-9]*; do
		case $(readlink "$each/cwd") in "$work"|"$work"/*) echo "${each#/proc/}" ;; esac
	done 2>/dev/null
}

# Servers, and tests that would start another one, end at SIGQUIT.
clean_up() {
	status=$?
	trap '' INT TERM HUP
	trap - EXIT
	keep_reports
	[ "$status" -eq 0 ] || [ "${copied:-}" = "${copied:+$(server_state)}" ] ||
		say "The server was updated meanwhile, which may be all that failed; run this again"
	cd /
	signal=QUIT
	for try in $(seq 60); do
		[ "$try" -lt 30 ] || signal=KILL
		pids=$(left)
		[ -n "$pids" ] || break
		kill -s "$signal" $pids 2>/dev/null || true
		sleep 0.1
	done
	for child in ${children:-}; do
		kill -KILL "$child" 2>/dev/null || true
	done
	for try in 1 2 3 4 5 6 7 8 9 10; do
		rm -rf "$work" 2>/dev/null && break
		sleep 0.3
	done
	exit "$status"
}

# Run a command as the ordinary user, in the temporary folder, with its
# programs first in PATH.
as_user() {
	set -- env -C "$work" HOME="$work/tmp" TMPDIR="$work/tmp" \
		PATH="$bindir:$PATH" PGHOST="${socket:-}" PGUSER=postgres \
		PGDATABASE=postgres PGPORT="${port:-5432}" PGCTLTIMEOUT=300 "$@"
	if [ "$(id -u)" -eq 0 ]; then
		set -- setpriv --reuid="$user" --regid="$(id -g "$user")" \
			--clear-groups "$@"
	fi
	"$@"
}

# An update replaces linked files, but not the copied ones that need them.
server_state() { stat -c '%s %y' "$server_program" 2>&1 || true; }

# Copy the server's programs, and link the rest of it, into the temporary
# folder.
copy_postgres() {
	server_program=$("$PG_CONFIG" --bindir)/postgres
	copied=$(server_state)
	root=$work/root
	bindir=$root$("$PG_CONFIG" --bindir)
	pkglibdir=$("$PG_CONFIG" --pkglibdir)
	sharedir=$("$PG_CONFIG" --sharedir)
	headers=$("$PG_CONFIG" --includedir-server)
	mkdir -p "$bindir" "$root$pkglibdir" "$root$sharedir" "$root${headers%/*}"
	ln -s "$headers" "$root$headers"
	cp "$("$PG_CONFIG" --bindir)"/* "$bindir/"
	cp -rs "$pkglibdir/." "$root$pkglibdir/"
	cp -rs "$sharedir/." "$root$sharedir/"
	find "$root$pkglibdir" "$root$sharedir" -name 'flakeid*' -prune \
		-exec rm -rf '{}' +
	[ "$(id -u)" -ne 0 ] || chown -R "$user" "$root"
}

# build_from SOURCE FOLDER [SETTING ...]: build in the folder, with -Werror, and
# install
build_from() {
	source=$1 folder=$2; shift 2
	for target in all install; do
		as_user make -C "$folder" -f "$source/Makefile" -s -j2 \
			PG_CONFIG="$PG_CONFIG" DESTDIR="$root" \
			FLAKEID_CFLAGS="-Werror ${FLAKEID_CFLAGS:-}" "$@" "$target" \
			>"$work/build.log" 2>&1 ||
			{ cat "$work/build.log" >&2; die "the build failed"; }
	done
}

build_and_install() {
	copy_postgres
	build_from "$work/src" "$work/build" "$@"
}

# Build the C functions that bench/ compares with.
build_baselines() {
	as_user mkdir "$work/bench"
	as_user make -C "$work/bench" -f "$work/src/bench/Makefile" -s \
		PG_CONFIG="$PG_CONFIG" with_llvm=no >"$work/bench.log" 2>&1 ||
		{ cat "$work/bench.log" >&2; die "the baselines do not build"; }
}

# start_server [SETTING ...]: run initdb and start, on a Unix socket only
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
	is_ours
}

# What creates and drops must not reach another server.
is_ours() {
	[ "$(as_user psql -X -A -t -c 'SHOW data_directory')" = "$work/data" ] ||
		die "the server that answers is not the one in $work/data"
}

stop_server() { as_user pg_ctl -D "$work/data" -m fast -w -s stop; }

# count_regress LOG: show one line per test and set ok and bad. pg_regress
# prints "test x ... ok" up to 15 and "ok 1 - x" from 16 on.
count_regress() {
	grep -E '^(not )?ok |^test ' "$1" || cat "$1"
	ok=$(grep -cE '^ok |^test .*\.\.\. ok ' "$1") || true
	bad=$(grep -cE '^not ok |^test .*\.\.\. FAILED' "$1") || true
}

# try WHAT COMMAND ...: the command must succeed; otherwise its output is shown
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

# count_lines FILE: show it, and count its "ok" and "not ok" lines
count_lines() {
	cat "$1"
	passed=$((passed + $(grep -c '^ok ' "$1" || true)))
	failed=$((failed + $(grep -c '^not ok ' "$1" || true)))
}

# count_counted LOG: add the numbers of its last "N passed, N failed"; a log
# without one is a failure
count_counted() {
	set -- $(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$1" |
		tail -1)
	passed=$((passed + ${1:-0}))
	failed=$((failed + ${2:-1}))
}

# part NAME COMMAND ...: show the command's output and add its counts; finish
# prints one line per part, and the first failed tests of each.  A part that
# exits with an error but reports no failed test is a failure.
parts=
failures=
part() {
	name=$1 passed_before=$passed failed_before=$failed part_started=$(date +%s); shift
	{ "$@" 2>&1 || echo "exit status $?"; } | tee "$work/part.log"
	count_counted "$work/part.log"
	! tail -1 "$work/part.log" | grep -q '^exit status ' ||
		[ "$failed" -gt "$failed_before" ] || failed=$((failed + 1))
	parts="$parts$(printf '%-32s %8d passed %4d failed %5d s' "$name" \
		$((passed - passed_before)) $((failed - failed_before)) $(($(date +%s) - part_started)))
"
	failures="$failures$(grep -aE '^([^ ]+\.pl: )?not ok |^test .* FAILED' \
		"$work/part.log" | head -20 | sed "s|^|$name: |")
"
}

finish() {
	say "After $(($(date +%s) - started)) s${1:-}"
	printf '%s' "$parts"
	printf '%s' "$failures" | grep . || true
	[ $((passed + failed)) -gt 0 ] || { echo "nothing was tested"; failed=1; }
	echo "$passed passed, $failed failed"
	[ "$failed" -eq 0 ]
}
