# drills.sh: functions shared by check-failover and check-backup, whose drills
# use the real tools.
#
# Each group of drills runs in a network of its own, where only the loopback
# exists, and in a process tree that ends with it.  So the tools' usual ports
# are free, nothing can reach another server of this machine, and nothing
# remains.  Requires root for this; the tools and the servers run as an
# ordinary user.

need_drills() {
	[ "$(id -u)" -eq 0 ] || die "drills need root, for networks of their own"
	packages_for unshare util-linux
	packages_for ip iproute2
	packages_for "$(ls /usr/lib/*/faketime/libfaketime.so.1 2>/dev/null |
		head -1 | grep . || echo libfaketime)" faketime
	packages_for /usr/lib/python3/dist-packages/psycopg2 python3-psycopg2
}

# Give each server a clock of its own: see test/failover/postgres.
make_clocks() {
	clock=$(ls /usr/lib/*/faketime/libfaketime.so.1 | head -1)
	as_user mv "$bindir/postgres" "$bindir/postgres.real"
	as_user cp "$work/src/test/failover/postgres" "$bindir/postgres"
}

# drill NAME FILE ARGUMENT ...: run in the background, in a folder of its own
drills=
drill() {
	name=$1 file=$2; shift 2
	as_user mkdir "$work/tmp/$name"
	WORK=$work unshare --mount --pid --net --fork --kill-child --mount-proc \
		sh -eu -c 'ip link set lo up
			mount -t tmpfs -o mode=1777 tmpfs /dev/shm
			"$@" & wait $!' drill \
		env -C "$work" HOME="$work/tmp/$name" TMPDIR="$work/tmp/$name" \
		LC_ALL=C.UTF-8 PYTHONDONTWRITEBYTECODE=1 PATH="$bindir:$PATH:/usr/sbin" \
		DRILL_WORK="$work/tmp/$name" DRILL_BINDIR="$bindir" DRILL_CLOCK="$clock" \
		setpriv --reuid="$user" --regid="$(id -g "$user")" --clear-groups \
		/usr/bin/python3 "$work/src/test/$file" "$@" >"$work/$name.log" 2>&1 &
	children="${children:-} $!"
	drills="$drills $name"
}

# Wait for all drills, show their output, and count.  A drill that ends early
# is a failure.
end_drills() {
	wait
	children=
	for name in $drills; do
		say "$name"
		grep -avE '^[|]|^[0-9]+ passed' "$work/$name.log" || true
		count_counted "$work/$name.log"
		sed -n '/^|/p' "$work/$name.log" >>"$work/table"
	done
	[ -z "${DRILLS_KEEP:-}" ] || cp -r "$work/tmp" "$DRILLS_KEEP"
}

show_table() {
	say "Ids of each format, repeats of replayed ids, and what clients saw"
	{
		echo "cluster | drill | FLUIDs | Nanoflakes | Ulid-Flakes | repeats of replayed ids | acknowledged rows lost | their ids again | s without a FLUID | Nanoflake | Ulid-Flake"
		echo "--- | --- | --- | --- | --- | --- | --- | --- | --- | --- | ---"
		cat "$work/table"
	} | sed 's/^| //; s/ |$//; s/.*/| & |/'
}
