# roots.sh: root file systems of any Debian suite, for what needs another one.
#
# Needs root, and mmdebstrap.  The mirror is the machine's own.

need_roots() {
	[ "$(id -u)" -eq 0 ] || die "root file systems need root"
	packages_for mmdebstrap mmdebstrap
}

suite_name() { . /etc/os-release && echo "$VERSION_CODENAME"; }

# The suite that has a major
suite_of() {
	case $1 in
		15) echo bookworm ;;
		17) echo trixie ;;
		18) echo forky ;;
		19) echo sid ;;
		*) die "PostgreSQL $1 is in no suite" ;;
	esac
}

# sources SUITE: where its packages are, from the machine's own settings; for
# what the machine itself is with all that it takes besides, security updates
# say, so that a package built here fits there.  SUITE-security: from where the
# machine takes its own; nothing if it takes none.
sources() {
	if [ "$1" != "${1%-security}" ]; then
		apt-get indextargets --format "deb \$(SITE) $1 main" \
			"Created-By: Packages" "Codename: $(suite_name)-security" | head -1
	elif [ "$1" = "$(suite_name)" ] && [ -z "${ROOT_ARCH:-}" ]; then
		apt-get indextargets --format 'deb $(SITE) $(RELEASE) $(COMPONENT)' \
			"Created-By: Packages" | grep -E " $1[-a-z]* " | sort -u
	else
		apt-get indextargets --format "deb \$(SITE) $1 main" \
			"Created-By: Packages" "Codename: $(suite_name)" | head -1
	fi
}

# make_root SUITE FOLDER PACKAGE ...; ROOT_ARCH=i386 for another architecture;
# ROOT_NEWER=experimental ROOT_PINS='postgresql*' for what a suite over it has.
# Mirrors lag, and the suites to come have a date of expiry: it is not checked.
# Interrupted, it leaves no mount behind.
make_root() {
	suite=$1 folder=$2; shift 2
	packages=$(echo "$*" | tr ' ' ,)
	for each in "$suite" ${ROOT_NEWER:-}; do sources "$each"; done | sort -u |
		unshare --mount --pid --fork --kill-child \
		mmdebstrap --variant=minbase --mode=root \
		${ROOT_ARCH:+--architectures="$ROOT_ARCH"} \
		${ROOT_NEWER:+--setup-hook='printf "Package: %s\nPin: release a=%s\nPin-Priority: 900\n" "$ROOT_PINS" "$ROOT_NEWER" >"$1/etc/apt/preferences.d/newer"'} \
		--aptopt='Acquire::Check-Valid-Until "false"' \
		--dpkgopt='path-exclude=/usr/share/doc/*' \
		--dpkgopt='path-exclude=/usr/share/man/*' \
		--include="$packages" "$suite" "$folder" - >"$folder.log" 2>&1 ||
		{ tail -20 "$folder.log" >&2; die "no root file system of $suite"; }
}

# in_root FOLDER COMMAND ...: as root, with a /proc of its own; what it started
# ends with it.  ROOT_TMP=folder is its /tmp.
in_root() {
	folder=$1; shift
	ROOT_TMP=${ROOT_TMP:-} unshare --mount --pid --fork --kill-child sh -eu -c '
		[ -z "$ROOT_TMP" ] || mount --bind "$ROOT_TMP" "$0/tmp"
		mount -t proc proc "$0/proc"
		mount -t tmpfs tmpfs "$0/dev/shm"
		exec chroot "$0" "$@"' "$folder" env -i HOME=/root LC_ALL=C.UTF-8 \
		PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@"
}

# as_postgres_in FOLDER COMMAND ...: the same as its user postgres
as_postgres_in() {
	folder=$1; shift
	in_root "$folder" setpriv --reuid=postgres --regid=postgres --clear-groups \
		env HOME=/tmp "$@"
}
