# report.sh: functions shared by the benchmarks with reports; included after
# script/common.sh.
#
#   BENCH_SCALE=1           scales everything; "make bench" uses 0.1
#   BENCH_KEEP=1            save the report in doc/benchmarks, or in a folder
#                           given instead of 1

scale=${BENCH_SCALE:-1}
case ${BENCH_KEEP:-} in
	'') keep= ;;
	1) keep=$top/doc/benchmarks ;;
	/*) keep=$BENCH_KEEP ;;
	*) keep=$PWD/$BENCH_KEEP ;;
esac

# scaled NUMBER LEAST: the number at this scale
scaled() { awk -v n="$1" -v s="$scale" -v least="$2" 'BEGIN {
	n = int(n * s + 0.5); print (n < least ? least : n) }'; }

# scaled_rounds FULL: an odd number of rounds, fewer at a small scale
scaled_rounds() {
	awk -v n="$1" -v s="$scale" 'BEGIN { print (s >= 1 ? n : s >= 0.1 ? 3 : 1) }'
}

progress() { printf '%5d s  %s\n' $(($(date +%s) - started)) "$*"; }

# Copy standard input to the report and to the terminal.
report() { tee -a "$work/report"; }

# Nanoseconds of one getrandom(): what others draw their random bits with
getrandom() {
	program=$(mktemp "${TMPDIR:-/tmp}/getrandom.XXXXXX")
	"${CC:-gcc}" -O2 -o "$program" "$top/bench/getrandom.c" && "$program"
	rm -f "$program"
}

# The machine and the server, for a report
conditions() {
	printf '%s, %s, %d processors, %s of memory, one getrandom() %s ns, scale %s\n' \
		"$("$PG_CONFIG" --version)" "$(uname -sm)" "$(nproc)" \
		"$(awk '/^MemTotal/ { printf "%.0f GB", $2 / 1e6 }' /proc/meminfo)" \
		"$(getrandom)" "$scale"
}

# keep_report NAME: save the report as NAME.txt if BENCH_KEEP is set
keep_report() {
	[ -n "$keep" ] || return 0
	mkdir -p "$keep"
	sed 's/ *$//' "$work/report" >"$keep/$1.txt"
	progress "saved in $keep"
}
