# common.sh: functions shared by the scripts and the benchmarks.
#
# Nothing is installed into the machine's own PostgreSQL, and its clusters are
# not touched.  The server's programs are copied to a temporary folder, its
# libraries and data are linked beside them (the server finds its files
# relative to its programs), and flakeid is installed there.  All programs run
# as an ordinary user, because PostgreSQL refuses to run as root.

set -eu

# A reader of the output, such as tee, may end first.
trap 'exit 130' INT
trap 'exit 143' TERM HUP
trap 'exit 141' PIPE

say() { printf '\n== %s\n' "$*"; }
die() { printf '%s: %s\n' "${0##*/}" "$*" >&2; exit 1; }

# number NAME VALUE: the value must be one
number() {
	case $2 in ''|*[!0-9.]*|*.*.*) die "$1=$2 is not a number" ;; esac
}

# Of the environment, only these variables have an effect, and those that the
# script lists in "uses".
uses="$uses PATH HOME TERM TMPDIR CI CHECK_STRICT PG_CONFIG CC FLAKEID_CFLAGS
http_proxy https_proxy ftp_proxy all_proxy no_proxy
HTTP_PROXY HTTPS_PROXY FTP_PROXY ALL_PROXY NO_PROXY
SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS"
for name in $uses; do
	eval "value=\${$name:-}"
	case $name in *_SECONDS|*SEED|*_SCALE|*_ROUNDS|*_ROWS) number "$name" "${value:-0}" ;; esac
	[ -n "$value" ] || unset -v "$name"
done
for name in $(env | sed -n 's/^\([A-Za-z_][A-Za-z0-9_]*\)=.*/\1/p' |
	grep -vxF "$(printf '%s\n' $uses)"); do
	unset -v "$name" 2>/dev/null || true
done
export LC_ALL=C.UTF-8 PYTHONDONTWRITEBYTECODE=1
umask 022
case ${PG_CONFIG:-} in
	''|/*) ;;
	*/*) PG_CONFIG=$(cd "${PG_CONFIG%/*}" 2>/dev/null && pwd || echo)/${PG_CONFIG##*/} ;;
	*) PG_CONFIG=$(command -v "$PG_CONFIG" || echo "$PG_CONFIG") ;;
esac

top=$(cd "$(dirname "$0")/.." && pwd)
started=$(date +%s)

# flakeid's version; flakeid.control has that of the SQL.
own_version() { sed -n 's/^   "version": "\(.*\)",$/\1/p' "$top/META.json" | grep .; }

# PostgreSQL's programs run as this user.
find_user() {
	user=$(id -un)
	[ "$(id -u)" -eq 0 ] || return 0
	user=postgres
	id "$user" >/dev/null 2>&1 || user=nobody
}
find_user

# as_ordinary COMMAND ...: as that user.  The setpriv of busybox cannot do it,
# but its su can.
as_ordinary() {
	if [ "$(id -u)" -ne 0 ]; then
		"$@"
	elif setpriv --reuid="$user" true 2>/dev/null; then
		setpriv --reuid="$user" --regid="$(id -g "$user")" --clear-groups "$@"
	else
		su -s /bin/sh -c 'exec "$0" "$@"' -- "$user" "$@"
	fi
}

# make_folder NAME: create a temporary folder, and set work.  make takes no
# blanks, a socket's path is short, and the user runs programs there.
make_folder() {
	case ${TMPDIR:=/tmp} in
		[!/]*|*[!A-Za-z0-9_./+-]*|????????????????????????????????????????*)
			die "TMPDIR=$TMPDIR is relative, too long, or has characters that make cannot take" ;;
	esac
	work=$(mktemp -d "$TMPDIR/$1.XXXXXX") || exit
	trap 'rm -rf "$work"' EXIT
	chmod 755 "$work"
	printf '#!/bin/sh\n' >"$work/probe"
	chmod 755 "$work/probe"
	as_ordinary "$work/probe" 2>/dev/null ||
		die "user $user cannot run programs in $TMPDIR; name another folder: TMPDIR=/path/to/folder"
	rm "$work/probe"
}

# Create a temporary folder, for a script that starts no server.
temporary_folder() { make_folder "flakeid-${0##*/}"; }

# here FILE: true if the file, or a program of this name in PATH, exists
here() { [ -e "$1" ] || command -v "$1" >/dev/null 2>&1; }

# packages_for FILE PACKAGE ...: record the packages, named as on Debian, if the
# file is missing.  Each call adds one line: the step of check that needs them,
# with _ for blanks ("-" for all steps), then their names.
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

# packages_of STEP
packages_of() {
	printf '%s' "$missing" | awk -v step="$(echo "$1" | tr ' ' _)" '$1 == step {
		for (i = 2; i <= NF; i++) print $i }' | sort -u | tr '\n' ' ' | sed 's/ $//'
}

# The servers and clients that are there, at their versions: apt-get would upgrade
# them along with newer headers, and restart the machine's clusters.
servers_as_they_are() {
	dpkg-query -W -f '${db:Status-Abbrev}${Package}=${Version}\n' 'postgresql-[0-9]*' \
		'postgresql-client-[0-9]*' 2>/dev/null | sed -n 's/^ii *//p'
}

# As apt-get works: what it does, with the name and number of the package, when it
# begins to, and every ten seconds; and its errors and warnings.
progress_of_apt() {
	perl -ne 'BEGIN {
			$| = 1;
			$now = "Reading the lists of packages";
			$SIG{ALRM} = sub { print "  $now\n"; alarm 10 };
			alarm 10;
		}
		print if /^[EW]: /;
		$all = $1 + $2 if /^(\d+) upgraded, (\d+) newly installed/;
		my ($does, $package) = /^Get:\d+ \S+ \S+ \S+ (\S+)/ ? ("Downloading", $1)
			: /^(Unpacking|Setting up) ([^\s:]+)/ ? ($1, $2) : next;
		$count{$does}++;
		$now = "$does $package ($count{$does} of $all)";
		$SIG{ALRM}->() if $count{$does} == 1;'
}

# apt_install PACKAGE ...: they start no service, and PostgreSQL creates no cluster.
# Ctrl-C ends the download; dpkg, which it would leave in the middle, runs to its
# end in a session of its own.
apt_install() (
	log=$(mktemp "${TMPDIR:-/tmp}/flakeid-apt.XXXXXX")
	remove="$log /etc/postgresql-common/createcluster.d/flakeid.conf"
	trap 'rm -f $remove' EXIT
	trap 'exit 130' INT TERM HUP
	mkdir -p /etc/postgresql-common/createcluster.d
	echo 'create_main_cluster = false' >"${remove#* }"
	if [ ! -e /usr/sbin/policy-rc.d ]; then
		remove="$remove /usr/sbin/policy-rc.d"
		printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d
		chmod 755 /usr/sbin/policy-rc.d
	fi
	apt="env DEBIAN_FRONTEND=noninteractive NEEDRESTART_SUSPEND=1 apt-get install -y -q
		-o DPkg::Lock::Timeout=900 --no-install-recommends $* $(servers_as_they_are)"
	{
		$apt --download-only && trap '' INT TERM HUP && setsid --wait $apt ||
			echo "apt-get failed"
	} </dev/null 2>&1 | (
		trap '' INT TERM HUP
		tee "$log" | progress_of_apt
	)
	! grep '^apt-get failed$' "$log" || { tail -15 "$log"; exit 1; }
)

# Root installs what is missing, on Debian.  Exit if a package is missing then that
# all steps need, and say how to install it, and what the others need.
install_missing() {
	[ -n "$missing" ] || return 0
	steps=$(printf '%s' "$missing" | sed -n 's/^\([^ -][^ ]*\) .*/\1/p' | sort -u)
	if [ "$(id -u)" -eq 0 ] && here apt-get; then
		say "Reading the lists of packages"
		apt-get update -qq 2>&1 | progress_of_apt
		for step in - $steps; do
			packages=$(packages_of "$step")
			[ -n "$packages" ] || continue
			say "Installing $packages"
			apt_install $packages || continue
			echo "To remove them: apt-get autoremove --purge $packages"
			missing=$(printf '%s' "$missing" | sed "/^$step /d")
		done
		find_user
	fi
	[ -n "$(packages_of -)" ] || return 0
	die "missing on this machine: $(packages_of -)${or_else:-}
Install all that is needed, as root on Debian:
  apt-get update && apt-get install -y --no-install-recommends $(
	echo $(for step in - $steps; do packages_of "$step"; echo; done | tr ' ' '\n' |
		awk '!seen[$0]++'))"
}

# Supported majors in paths .../postgresql/MAJOR/..., newest first
majors_of() {
	printf '%s\n' "$@" | sed -n 's,.*/postgresql/\([0-9][0-9]*\)/.*,\1,p' |
		awk '$1 >= 15' | sort -rn
}

headers_of() { echo "/usr/include/postgresql/$1/server/postgres.h"; }

# The pg_config of the newest major with server and headers, else of the newest
# server, in Debian's folders; else the one in PATH
look_for_postgres() {
	for major in $(majors_of /usr/lib/postgresql/*/bin/postgres); do
		if [ -e "$(headers_of "$major")" ]; then
			PG_CONFIG=/usr/lib/postgresql/$major/bin/pg_config
			return
		fi
		PG_CONFIG=${PG_CONFIG:-/usr/lib/postgresql/$major/bin/pg_config}
	done
	PG_CONFIG=${PG_CONFIG:-$(command -v pg_config)}
}

# Set PG_CONFIG, unless given, and major.
find_postgres() {
	[ -n "${PG_CONFIG:-}" ] || look_for_postgres || {
		not_found="PostgreSQL was not found: PG_CONFIG=/path/to/pg_config names it"
		or_else="
$not_found"
		packages_for /usr/lib/postgresql postgresql postgresql-server-dev-all
		install_missing
		look_for_postgres || die "$not_found"
		or_else=
	}
	here "$PG_CONFIG" || die "PG_CONFIG=$PG_CONFIG is not a program"
	major=$("$PG_CONFIG" --version 2>&1 | sed -n 's/^PostgreSQL \([0-9]*\).*/\1/p')
	[ -n "$major" ] || die "$PG_CONFIG is no pg_config of PostgreSQL, or has no server headers"
	[ "$major" -ge 15 ] || die "flakeid needs PostgreSQL 15 or newer; $PG_CONFIG is of $major"
	use_sanitizers
}

# If the server is linked with the sanitizers' run-time libraries
# (ci/machines), build flakeid with them too, and without -fwrapv: unlike the
# server, flakeid must not rely on wrapping signed arithmetic.
use_sanitizers() {
	grep -q 'libasan\.so' "$("$PG_CONFIG" --bindir)/postgres" || return 0
	FLAKEID_CFLAGS="-fsanitize=address,undefined -fno-sanitize-recover=all\
 -fno-omit-frame-pointer -fno-wrapv ${FLAKEID_CFLAGS:-}"
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

need_compiler() {
	[ -n "${CC:-}" ] || packages_for gcc gcc libc6-dev
	packages_for /usr/include/stdio.h libc6-dev
}

# The headers are in a package of their own.
need_postgres() {
	need_compiler
	packages_for make make
	find_postgres
	packages_for "$("$PG_CONFIG" --bindir)/postgres" "postgresql-$major"
	packages_for "$("$PG_CONFIG" --includedir-server)/postgres.h" "postgresql-server-dev-$major"
}

# clang with libFuzzer, whose library is in a package of its own
need_fuzzer() {
	packages_for clang clang libclang-rt-dev
	packages_for "$(clang -print-file-name="libclang_rt.fuzzer-$(uname -m).a" \
		2>/dev/null || echo libclang_rt.fuzzer)" libclang-rt-dev
}

# Create a temporary folder with a copy of the sources: the programs of the
# ordinary user read nothing else.
make_workplace() {
	make_folder flakeid
	trap clean_up EXIT
	mkdir "$work/src" "$work/build" "$work/root" "$work/tmp"
	for each in "$top"/* "$top"/.[!.]*; do
		case ${each##*/} in
			.git|.cache|built-for|compile_commands.json|dist|results|test-results|tmp_check) ;;
			*) cp -RP "$each" "$work/src/" ;;
		esac
	done
	find "$work/src" \( -name '*.o' -o -name '*.so' -o -name '*.bc' -o -name '*.class' -o \
		-name node_modules -o -name __pycache__ \) -prune -exec rm -rf '{}' +
	chmod -R u+w "$work/src"
	[ "$(id -u)" -ne 0 ] || chown -R "$user" "$work"
}

# Processes that run in the temporary folder, also in a root file system there
left() {
	for each in /proc/[0-9]*; do
		case $(readlink "$each/cwd") in "$work"|"$work"/*) echo "${each#/proc/}" ;; esac
	done 2>/dev/null
}

# Servers, and tests that would start another one, end at SIGQUIT.  If the script sets
# "at_interrupt", a signal runs that first.
clean_up() {
	status=$?
	trap '' INT TERM HUP PIPE
	trap - EXIT
	# Its output may have no reader any more.
	[ "$status" -le 128 ] || [ -z "${at_interrupt:-}" ] || "$at_interrupt" || true
	keep_reports
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
as_user() (
	cd "$work"
	as_ordinary env HOME="$work/tmp" TMPDIR="$work/tmp" \
		PATH="$bindir:$PATH" PGHOST="${socket:-}" PGUSER=postgres \
		PGDATABASE=postgres PGPORT="${port:-5432}" PGCTLTIMEOUT=300 "$@"
)

# Copy the server's programs, and link the rest of it, into the temporary
# folder.
copy_postgres() {
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

# start_server [SETTING ...]: run initdb, with initdb_options, and start, on a
# Unix socket only
start_server() {
	socket=$work/tmp
	as_user initdb -D "$work/data" -U postgres -A trust -E UTF8 \
		--no-sync ${initdb_options:-} >"$work/initdb.log" 2>&1 ||
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

# in_world FILE: true if only "make check-world" runs this test
in_world() { head -1 "$1" | grep -qE '^(#|--) World\b'; }

# keep_results FOLDER NAME: copy it to test-results/NAME of the sources, or if that
# cannot be written to a new folder in TMPDIR, and print where it is
given_tmpdir=${TMPDIR:-/tmp}
keep_results() {
	kept=$top/test-results/$2
	mkdir -p "$kept" 2>/dev/null && [ -w "$kept" ] ||
		kept=$(mktemp -d "$given_tmpdir/flakeid-test-results.XXXXXX")
	cp -R "$1/." "$kept/"
	chmod -R a+rX "$kept"
	# Root leaves nothing in another user's folder that the user could not remove.
	[ "$(id -u)" -ne 0 ] || [ "$kept" = "${kept#"$top"}" ] ||
		chown -R "$(stat -c %u:%g "$top")" "$top/test-results"
	echo "Differences and servers' logs: $kept"
}

# What "try", "part" and "finish" count.  A step that calls them itself counts anew, in a
# subshell.
count_anew() { passed=0 failed=0 parts= failures= failed_parts=; }
count_anew

# try WHAT COMMAND ...: the command must succeed; otherwise its output is shown
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

# wrong WHAT: one more failure, which finish repeats
wrong() {
	failed=$((failed + 1))
	echo "not ok $1"
	failures="${failures}not ok $1
"
}

# count_counted NAME LOG: add the numbers of its last "N passed, N failed".  It must
# be there, and end the log, unless failures explain what follows; a log that counts no
# test is a failure.
count_counted() {
	sum='^\([0-9]*\) passed, \([0-9]*\) failed$'
	counted=$(sed -n "s/$sum/\1 \2/p" "$2" | tail -1)
	: "${counted:=0 0}"
	passed=$((passed + ${counted% *}))
	failed=$((failed + ${counted#* }))
	case $counted in
		'0 0') wrong "$1: ran no test" ;;
		*' 0') tail -1 "$2" | grep -q "$sum" ||
			wrong "$1: did not end after its last test, but with: $(tail -1 "$2")" ;;
	esac
}

# part NAME COMMAND ...: show the command's output and add its counts; finish
# prints one line per part, and the first failed tests of each.  since=START if it
# began earlier.
part() {
	name=$1 part_started=${since:-$(date +%s)}; shift
	{ ("$@") 2>&1 || echo "exit status $?"; } | tee "$work/part.log"
	count_part "$name" "$work/part.log" "$part_started"
}
# count_part NAME LOG START: the log of a part that failed ends with its exit status.
count_part() {
	before=$passed failed_before=$failed
	failures="$failures$(grep -aE '^([^ ]+\.pl: )?not ok |^test .* FAILED' "$2" |
		awk '!seen[$0]++' | head -20 | sed "s|^|$1: |")
"
	count_counted "$1" "$2"
	[ "$failed" -eq "$failed_before" ] || failed_parts="$failed_parts$1
"
	parts="$parts$(printf '%-32s %8d passed %4d failed %5d s' "$1" \
		$((passed - before)) $((failed - failed_before)) $(($(date +%s) - $3)))
"
}

# finish [WORDS]: the words follow the time that it took.  What "advice" prints, if
# the script defines it, helps after a failure.
finish() {
	say "After $(($(date +%s) - started)) s${1:-}"
	printf '%s' "$parts"
	printf '%s' "$failures" | grep . || true
	[ $((passed + failed)) -gt 0 ] || { echo "nothing was tested"; failed=1; }
	[ "$failed" -eq 0 ] || [ -z "${advice:-}" ] || "$advice"
	echo "$passed passed, $failed failed"
	[ "$failed" -eq 0 ]
}
