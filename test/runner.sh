# runner.sh: a step of script/check, which sources this file.  It checks that the functions
# that run and count tests report failures: each failing test is planted in a copy of the
# sources.

count_anew
original=$work/src
own_folder
as_user cp -R "$original" "$work/src"

# Checks that a name in the environment is a test, before anything is built
refuses() {
	text=$1; shift
	! env "$@" </dev/null >"$work/refused" 2>&1 && grep -F "$text" "$work/refused"
}

# fails TEXT COMMAND ...: as a part of a run, this fails, and its output has the text
fails() (
	text=$1; shift
	count_anew
	part Planted "$@" >"$work/planted" 2>&1
	cat "$work/planted"
	[ "$failed" -gt 0 ] && grep -F "$text" "$work/planted" && ! finish >"$work/planted"
)
passes() (
	count_anew
	part Planted "$@" && [ "$passed" -eq 1 ] && finish
)

# tap_of NAME: as script/check runs it
tap_of() {
	tap "t/$1.pl" | tee "$work/tap.log" | LOGS=$work/build/tmp_check/log count_tap |
		tee "$work/tap.part"
	tap_result
}
plant_tap() { printf 'use Test::More;\n%s\n' "$2" | as_user tee "$work/src/t/$1.pl" >/dev/null; }
plant_tap good 'ok 1; done_testing;'
plant_tap bails_out 'ok 1; BAIL_OUT("planted");'
plant_tap killed 'ok 1; kill KILL => $$; sleep 60;'
plant_tap status 'ok 1; done_testing; END { $? = 3 }'
plant_tap silent ''
plant_tap unfinished 'ok 1;'
plant_tap skipped 'plan skip_all => "planted";'

# A part that counts its tests and then ends as told
counts() { echo "$1 passed, 0 failed"; shift; "$@"; }
dies() { die "planted"; }
killed() { sh -c 'kill -KILL $$'; }

# A topic whose expected output differs
regress_planted() {
	REGRESS=planted
	echo "SELECT 1 AS one;" | as_user tee "$work/src/sql/planted.sql" >/dev/null
	echo "SELECT 2 AS one;" | as_user tee "$work/src/expected/planted.out" >/dev/null
	regress
}
keeps() {
	grep -F '+SELECT 1 AS one;' "$work/results/regression.diffs" &&
		[ -s "$work/results/server.log" ] && [ "$(failed_topics)" = planted ]
}
# Beside a topic and a TAP test that have ended
names_unfinished() {
	logs=$work/build/tmp_check/log
	as_user mkdir -p "$logs"
	as_user touch "$work/build/results/hangs.out" "$logs/regress_log_hangs"
	echo '[21:12:24.795](0.002s) 1..198' | as_user tee "$logs/regress_log_ended" >/dev/null
	interrupted >"$work/interrupted"
	printf 'did not end: %s\n' sql/hangs.sql t/hangs.pl | diff - "$work/interrupted"
}
# In a folder with a blank in its name
advises() (
	top="$work/another tree"
	mkdir "$top"
	failed_parts='Regression tests
'
	advise >"$work/advice"
	cat "$work/advice"
	grep -F "REGRESS='planted' script/check" "$work/advice" &&
		[ -s "$(sed -n "s/^Differences and servers' logs: //p" "$work/advice")/regression.diffs" ]
)

# Not in the page, although a HINT explains it
finds_message() {
	text="$work/src/src/pg/text_funcs.c"
	as_user sed -i 's/errmsg("invalid radix: /errmsg("wrong radix: /' "$text"
	! "$work/src/script/check-messages" >"$work/messages" &&
		grep 'not on doc/errors.md: `wrong radix: ' "$work/messages"
}

check=$top/script/check
try "a wrong step is refused" refuses 'no step "TAP"' CHECK_ONLY=TAP "$check"
try "one to be skipped, too" refuses 'no step "TAP"' CHECK_SKIP=TAP "$check"
try "a step of the other layer is refused" refuses 'script/check world runs it' \
	CHECK_ONLY='House rules,Fuzzing' "$check"
try "a TAP test that does not exist is refused" refuses 'no test t/020_range_planer.pl' \
	PROVE_TESTS='t/020_range_planer.pl' "$check"
try "a regression test that does not exist is refused" refuses 'no test sql/fluidd.sql' \
	REGRESS='fluid fluidd' "$check"
try "a part that counts a test passes" passes counts 1
try "a part that counts none fails" fails 'ran no test' counts 0
try "a part that says nothing fails" fails 'ran no test' true
try "a status after the tests fails" fails 'exit status 2' counts 1 sh -c 'exit 2'
try "a signal after the tests fails" fails 'exit status 137' counts 1 killed
try "an exit after the tests fails" fails 'exit status 1' counts 1 dies
try "a TAP test passes" passes tap_of good
try "a TAP test that bails out fails" fails 'FAILED--' tap_of bails_out
try "one that is killed fails" fails 'killed.pl' tap_of killed
try "one that exits with an error fails" fails 'status.pl' tap_of status
try "one that prints nothing fails" fails 'silent.pl' tap_of silent
try "one that does not end fails" fails 'unfinished.pl' tap_of unfinished
try "one that does not exist fails" fails 'Cannot detect source' tap_of missing
try "one that is skipped is no test" fails 'ran no test' tap_of skipped
try "a difference of a regression test fails" fails 'planted' regress_planted
try "its differences and the server's log are kept, and its name" keeps
try "an interrupt names the tests that have not ended" names_unfinished
try "a changed message, which has a HINT, is found" finds_message
try "the advice names their folder, and the command for this test alone" advises
finish
