# roots.sh: root file systems of any Debian suite, for tests that need another
# one.
#
# Requires root and mmdebstrap.  Uses the machine's own mirror.

need_roots() {
	[ "$(id -u)" -eq 0 ] || die "root file systems need root"
	packages_for mmdebstrap mmdebstrap
}

suite_name() { . /etc/os-release && echo "$VERSION_CODENAME"; }

# sources SUITE: its package sources, from the machine's own settings.  For the
# machine's own suite these include all sources in use, such as security
# updates, so that a package built here installs there.  SUITE-security: from
# the machine's security source; nothing if it has none.
sources() {
	if [ "$1" != "${1%-security}" ]; then
		apt-get indextargets --format "deb \$(SITE) $1 main" \
			"Created-By: Packages" "Codename: $(suite_name)-security" | head -1
	elif [ "$1" = "$(suite_name)" ]; then
		apt-get indextargets --format 'deb $(SITE) $(RELEASE) $(COMPONENT)' \
			"Created-By: Packages" | grep -E " $1[-a-z]* " | sort -u
	else
		apt-get indextargets --format "deb \$(SITE) $1 main" \
			"Created-By: Packages" "Codename: $(suite_name)" | head -1
	fi
}

# make_root SUITE FOLDER PACKAGE ...; ROOT_ALSO=experimental for packages of further
# suites, of experimental only PostgreSQL's; ROOT_UNPACK=PACKAGE for one without what it
# depends on.  Expiry dates are not checked, because mirrors lag.  If interrupted, it
# leaves no mounts behind.
make_root() {
	suite=$1 folder=$2; shift 2
	packages=$(echo "$*" | tr ' ' ,)
	for each in "$suite" ${ROOT_ALSO:-}; do sources "$each"; done | sort -u |
		unshare --mount --pid --fork --kill-child \
		mmdebstrap --variant=minbase --mode=root \
		--setup-hook='printf "Package: %s\nPin: release a=experimental\nPin-Priority: 900\n" \
			"postgresql* libpq*" >"$1/etc/apt/preferences.d/experimental"' \
		${ROOT_UNPACK:+--customize-hook='chroot "$1" sh -c "cd /tmp &&
			apt-get download $ROOT_UNPACK && dpkg -x *.deb / && rm *.deb"'} \
		--aptopt='Acquire::Check-Valid-Until "false"' \
		--dpkgopt=force-unsafe-io --dpkgopt='path-exclude=/usr/share/doc/*' \
		--dpkgopt='path-exclude=/usr/share/man/*' \
		${packages:+--include="$packages"} "$suite" "$folder" - >"$folder.log" 2>&1 ||
		{ tail -20 "$folder.log" >&2; die "no root file system of $suite"; }
}

# in_root FOLDER COMMAND ...: run as root, with its own /proc; processes that
# it started end with it.  ROOT_TMP=folder is its /tmp;
# with ROOT_ALONE=yes it has a network of its own, where all ports are free.
in_root() {
	folder=$1; shift
	ROOT_TMP=${ROOT_TMP:-} ROOT_ALONE=${ROOT_ALONE:-} unshare --mount --pid \
		${ROOT_ALONE:+--net} --fork --kill-child sh -eu -c '
		[ -z "$ROOT_TMP" ] || mount --bind "$ROOT_TMP" "$0/tmp"
		[ -z "$ROOT_ALONE" ] || ip link set lo up
		mount -t proc proc "$0/proc"
		mount -t tmpfs tmpfs "$0/dev/shm"
		exec chroot "$0" "$@"' "$folder" env -i HOME=/root LC_ALL=C.UTF-8 \
		PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
		DEBIAN_FRONTEND=noninteractive "$@"
}

# as_postgres_in FOLDER COMMAND ...: the same as the user postgres in it
as_postgres_in() {
	folder=$1; shift
	in_root "$folder" setpriv --reuid=postgres --regid=postgres --clear-groups \
		env HOME=/tmp "$@"
}
