# report.sh: functions shared by the benchmarks with reports; included after
# script/common.sh.
#
#   BENCH_SCALE=1           scales everything; "make bench" uses 0.1
#   BENCH_KEEP=1            save the report and the charts in doc/benchmarks,
#                           or in a folder given instead of 1

scale=${BENCH_SCALE:-1}
case ${BENCH_KEEP:-} in
	'') keep= ;;
	1) keep=$top/doc/benchmarks ;;
	/*) keep=$BENCH_KEEP ;;
	*) keep=$PWD/$BENCH_KEEP ;;
esac
[ -z "$keep" ] || packages_for gnuplot gnuplot-nox

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

# The machine and the server, for a report
conditions() {
	printf '%s, %s, %d processors, %s of memory, scale %s\n' \
		"$("$PG_CONFIG" --version)" "$(uname -sm)" "$(nproc)" \
		"$(awk '/^MemTotal/ { printf "%.0f GB", $2 / 1e6 }' /proc/meminfo)" "$scale"
}

# keep_report NAME: save the report as NAME.txt if BENCH_KEEP is set
keep_report() {
	[ -n "$keep" ] || return 0
	mkdir -p "$keep"
	sed 's/ *$//' "$work/report" >"$keep/$1.txt"
	progress "saved in $keep"
}

# chart NAME HEIGHT < COMMANDS: if BENCH_KEEP is set, save an SVG that is
# readable on any background.  Line types 1 to 3 are flakeid's, the others those
# of the alternatives.
chart() {
	[ -n "$keep" ] || return 0
	mkdir -p "$keep"
	{
		cat <<END
set terminal svg size 960,$2 noenhanced background rgb 'white' \\
	font 'Helvetica,Arial,sans-serif,14' linewidth 1.5
set encoding utf8
set border 3 linecolor rgb '#555555'
set tics nomirror textcolor rgb '#222222'
set grid linecolor rgb '#dddddd' linewidth 0.5
set key outside right center Left reverse samplen 2
set datafile separator '|'
set linetype 1 linecolor rgb '#0057b8' pointtype 7 linewidth 2
set linetype 2 linecolor rgb '#d9480f' pointtype 5 linewidth 2
set linetype 3 linecolor rgb '#2b8a3e' pointtype 9 linewidth 2
set linetype 4 linecolor rgb '#111111' pointtype 6 linewidth 1.5
set linetype 5 linecolor rgb '#8e44ad' pointtype 4 linewidth 1.5
set linetype 6 linecolor rgb '#999999' pointtype 8 linewidth 1.5
set linetype 7 linecolor rgb '#b58900' pointtype 10 linewidth 1.5
set linetype 8 linecolor rgb '#0aa5b5' pointtype 12 linewidth 1.5
set linetype 9 linecolor rgb '#e377c2' pointtype 14 linewidth 1.5
END
		cat
	} | gnuplot >"$work/chart.svg" || die "gnuplot could not draw $1"
	cp "$work/chart.svg" "$keep/$1.svg"
}
