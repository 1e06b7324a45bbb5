# Something other than flakeid changes the sequences of the horizons: nextval(),
# setval(), ALTER SEQUENCE.  No id is repeated after a crash, unless a horizon is
# lowered and no id is generated between that change and the crash.

use FlakeidTest qw(clock);
use FlakeidHorizon;
use FlakeidServers qw(run_recipe);
use Time::HiRes qw(time);
use Time::Local qw(timegm);

my $node = new_node('hand', "checkpoint_timeout = '1h'\n", clock => 1);
my $year_2030 = timegm(0, 0, 0, 1, 0, 2030);
my $epoch = timegm(0, 0, 0, 1, 0, 2024);
my $now_ms = 0;

# Stop the clock so many milliseconds after the beginning of the minute.
my $minute = 0;

sub at
{
	my ($ms) = @_;

	$now_ms = ($year_2030 + 60 * $minute - $epoch) * 1000 + $ms;
	freeze_clock($node, sprintf '2030-01-01 %02d:%02d:%02d.%03d',
		$minute / 60, $minute % 60, $ms / 1000, $ms % 1000);
}

# Let the clock run from there.
sub from
{
	my ($ms) = @_;
	set_clock($node, $year_2030 + 60 * $minute + $ms / 1000 - time);
}

my $fluid = 'SELECT fluid_generate()';
my $sequence = 'flakeid_fluid_horizon';

# A session in the next minute, when there are no ids yet, and its first id
sub next_minute
{
	$minute++;
	at(0);

	my $session = session($node);

	return ($session, $session->query($fluid));
}

sub set_horizon
{
	return $node->safe_psql('postgres', "SELECT setval('$sequence', $_[0])");
}

# Millisecond of a FLUID
sub ms_of
{
	return $_[0] >> 24;
}

# Crash, and check that ids continue after this one, with the clock at the
# beginning of the minute.
sub survives
{
	my ($what, $newest) = @_;

	crash($node);
	from(0);
	start_with_clock($node);
	cmp_ok(run_sql($node, $fluid), '>', $newest, "$what: after a crash, ids continue");
}

like($node->safe_psql('postgres', $fluid), qr/^\d+$/, 'the first id');
is($node->safe_psql('postgres', 'SELECT fluid_generate() >> 24 < 1'), 'f',
	'a FLUID has its milliseconds above 24 bits');

# --------------------------------------------------------------- nextval()

$minute++;
at(0);

# nextval() changes the page without WAL, which has a value up to 32 ahead:
# here with another byte above the lowest one.  The lowest byte of the next
# horizon is that of the page.
at((0xe0 - ($now_ms + 2000) % 256) % 256 + 256);

my $session = session($node);

$session->query($fluid);
is(horizon_ms($node, 'fluid') % 256, 0xe0, 'a horizon');
$node->safe_psql('postgres', "SELECT nextval('$sequence')") foreach 1 .. 15;
cmp_ok(my $page = horizon_ms($node, 'fluid'), '>', $now_ms + 2000, 'nextval()');
at($page - 2000 + 2560 - $now_ms + $now_ms % 60000);

my $id = $session->query($fluid);
my $horizon = horizon_ms($node, 'fluid');

is($horizon, $page + 2560, '... the next horizon');
$session->quit;
crash($node);
start_with_clock($node);
cmp_ok(horizon_ms($node, 'fluid'), '>=', $horizon, '... is in the WAL in full');
survives('nextval()', $id);

# ---------------------------------------------------------------- setval()

($session, $id) = next_minute();
set_horizon($now_ms + 30000);
cmp_ok($session->query($fluid), '>', $id,
	'setval() to a greater value: a running session continues');
from(10);
$id = run_sql($node, $fluid);
cmp_ok(ms_of($id), '>', $now_ms + 30000, '... a new session continues after it');
$session->quit;
survives('setval() to a greater value', $id);

($session) = next_minute();
$horizon = horizon_ms($node, 'fluid');
$node->safe_psql('postgres', "ALTER SEQUENCE $sequence MINVALUE -9");
set_horizon(-5);
is($session->query(q{SELECT string_agg(horizon_state, ' ' ORDER BY format) FROM flakeid_status()}),
	'changed earlier earlier', 'the status shows a lower value');
from(-20_000);
run_sql($node, $fluid);
cmp_ok(horizon_ms($node, 'fluid'), '>=', $horizon,
	'setval() to a lower value: another session restores the horizon');
$id = $session->query($fluid);
cmp_ok(ms_of($id), '<=', $horizon, '... which a running session still uses');
$session->quit;
$minute--;
survives('setval() to a lower value', $id);
$minute++;

# As pg_upgrade leaves it: without a tag, and written before this start.  Ids of another
# database that are newer do not make it one that was lowered.
$node->safe_psql('postgres', 'CREATE DATABASE idle');
$node->safe_psql('idle', "CREATE EXTENSION flakeid; SELECT fluid_generate();
	SELECT setval('$sequence', last_value) FROM $sequence");
$node->stop;
$minute++;
from(0);
start_with_clock($node);
$node->safe_psql('postgres', $fluid);

my $state = q{SELECT horizon_state FROM flakeid_status() WHERE format = 'fluid'};

cmp_ok(horizon_ms($node, 'fluid', 'idle'), '<', horizon_ms($node, 'fluid') - 30000,
	'a database without ids since the start has an older horizon');
is($node->safe_psql('idle', $state), 'earlier', '... which is of an earlier start, not changed');

# CREATE DATABASE writes the page of a template in this start, like another hand.
$node->safe_psql('postgres', 'CREATE DATABASE copied TEMPLATE idle');
is($node->safe_psql('copied', $state), 'changed', '... a copy of it looks as if it was changed');
$node->safe_psql('copied', q{SELECT flakeid_raise_floor('2024-01-02 00:00:00Z')});
$node->safe_psql('postgres', 'CREATE DATABASE copied_again TEMPLATE copied');
is($node->safe_psql($_, $state), 'current', "... until flakeid_raise_floor(): $_")
  foreach qw(copied copied_again);
$node->safe_psql('idle', "SELECT setval('$sequence', last_value - 1) FROM $sequence");
is($node->safe_psql('idle', $state), 'changed', '... until it is lowered');
$node->safe_psql('idle', "SELECT setval('$sequence', @{[ horizon_ms($node, 'fluid') + 1000 ]})");
is($node->safe_psql('idle', $state), 'earlier', '... and not when it is raised');
$node->safe_psql('idle', "SELECT setval('$sequence', 1)");
is($node->safe_psql('idle', $state), 'changed', '... and lowered again');
$node->safe_psql('idle', $fluid);
is($node->safe_psql('idle', $state), 'current', '... and repaired by an id');

# As the synchronization of sequences leaves it, and repaired before a crash
($session) = next_minute();
at(20_000);
$id = $session->query($fluid);
$session->quit;
set_horizon(1);
run_recipe($node, 'on the subscriber, as a superuser, after its sequences were synchronized');
survives('flakeid_raise_floor() after setval()', $id);

# More than a minute ahead, as with an epoch that was moved
my $moved = 'the epoch of FLUID was moved, or sequence "flakeid_fluid_horizon" was changed';
my $calls = qr/flakeid_reset_horizon\(\).*flakeid_raise_floor\('([^']+\+00)'\)/;
my $refused = qr/ERROR:  55000: $moved: ids would continue at .*HINT:  .*$calls/s;

foreach my $way ('flakeid_reset_horizon()', 'flakeid_raise_floor()')
{
	($session) = next_minute();

	# Past the end of the field, or within it
	my $far = $way =~ /reset/ ? 9_000_000_000_000_000_000 : $now_ms + 90_000;

	set_horizon($far);

	my $before = horizon_row($node, 'fluid');
	my $late = session($node);
	my $error = $late->query($fluid);
	my ($time) = $error =~ $refused;

	like($error, $refused, 'setval() far ahead: a new session is refused');
	like($session->query($fluid), qr/^\d+$/, '... a running session continues up to its horizon');
	at(2500);
	like($session->query($fluid), $refused, '... and is refused then');
	is(run_sql($node, 'SELECT count(*) FROM flakeid_status()'), 3, '... the status works');
	is(horizon_row($node, 'fluid'), $before, '... and nothing is written');
	if ($way =~ /reset/)
	{
		# ahead of the clock, but not refused
		$node->safe_psql('postgres', "SELECT setval('flakeid_ulidflake_horizon', $now_ms + 50000)");
		my $others = horizon_row($node, 'ulidflake');
		my $next = $now_ms + 1 << 24;

		is(run_sql($node, q{SELECT horizon FROM flakeid_status() WHERE format = 'fluid'}),
			'2058-11-03 19:53:47.775+00', '... the status shows the end of the field');
		my $again = 'can be generated again';
		like(run_sql($node, 'SELECT flakeid_reset_horizon()'),
			qr/\AWARNING:  01000: from now on, FLUID ids $next to 9223372036854775807 $again/,
			"... until $way");
		is(horizon_row($node, 'ulidflake'), $others, '... for that format only');
		at(2400);
		like(run_sql($node, "SET flakeid.max_wait = 0; $fluid"), qr/ERROR:  55P03/,
			'... and none is of a time before the reset');
		at(2501);
		is(ms_of($id = $session->query($fluid)), $now_ms, '... and ids are those of the clock');
	}
	else
	{
		like(run_sql($node, "SELECT flakeid_raise_floor('$time'::timestamptz - interval '1 ms')"),
			$refused, '... also by flakeid_raise_floor() with an earlier time');
		unlike(run_sql($node, "SELECT flakeid_raise_floor('$time')"), qr/ERROR/,
			'... and with the time of the message accepted');
		from(10);
		cmp_ok(ms_of($id = run_sql($node, $fluid)), '>', $far, '... ids continue there');
	}
	is($late->query(q{SELECT (fluid_get_address(fluid_generate())).slot = slot
		FROM flakeid_status() WHERE format = 'fluid'}),
		't', '... those of the session that was refused have its slot');
	$_->quit foreach $session, $late;
	survives($way, $id);
}

# All formats: a hint has the time of its own format, and that of the next error follows.
($session) = next_minute();
$session->quit;
$node->safe_psql('postgres', "SELECT setval('flakeid_fluid_horizon', $now_ms + 90000),
  setval('flakeid_nanoflake_horizon', $now_ms + 110000), setval('flakeid_ulidflake_horizon',
    $now_ms + 100000)");

my ($for_one) = run_sql($node, $fluid) =~ $refused;
my $answer = run_sql($node, "SELECT flakeid_raise_floor('$for_one')");

like($answer, qr/ERROR:  55000: the epoch of Nanoflake was moved/,
	'three horizons far ahead: the hint is about one');
is(run_sql($node, "SELECT $1"), '3', '... that of the next error, which is the latest, is for all')
  if $answer =~ /HINT: .* (flakeid_raise_floor\('[^']+'\))/;

# An error of one format depends on no other: neither on a lock nor on a name.
$minute += 2;
($session) = next_minute();
set_horizon($now_ms + 90_000);
$session->query('BEGIN; ALTER SEQUENCE flakeid_nanoflake_horizon RENAME TO away');
like(run_sql($node, "SET lock_timeout = '60s'; $fluid"), $refused,
	'a horizon far ahead, while another one is being renamed');
$session->query('COMMIT');
like(run_sql($node, $fluid), $refused, '... and after that');
$node->safe_psql('postgres', 'ALTER SEQUENCE away RENAME TO flakeid_nanoflake_horizon');
set_horizon($now_ms);
$session->quit;
$minute += 2;

# ---------------------------------------------- ALTER SEQUENCE, another session

my $change = "ALTER SEQUENCE $sequence RESTART WITH 5";

foreach my $end ('COMMIT', 'ROLLBACK')
{
	($session) = next_minute();

	my $hand = session($node);

	$hand->query("BEGIN; $change");
	like($session->query("SET lock_timeout = '60s'; SELECT FROM flakeid_status() OFFSET 9;
		RESET lock_timeout; $fluid"),
		qr/^\d+$/, "ALTER SEQUENCE, $end: the status, and ids up to the horizon");
	at(3000);
	$session->send($fluid);
	ok(!$session->answers_within(0.5), '... a raise waits');
	$hand->query($end);
	$id = $session->receive;
	like($id, qr/^\d+$/, '... until the end of the transaction');
	$_->quit foreach $session, $hand;
	survives("... $end", $id);
}

($session) = next_minute();
$node->safe_psql('postgres', $change);
$id = $session->query($fluid);
$session->quit;
survives('ALTER SEQUENCE, and then an id', $id);

# ---------------------------------------------- ALTER SEQUENCE, same session

foreach my $transaction (
	[ 'BEGIN', 'ROLLBACK' ], [ 'BEGIN; SAVEPOINT a', 'ROLLBACK TO a' ],
	[ 'BEGIN; SAVEPOINT a', 'RELEASE a; ROLLBACK' ], [ 'BEGIN', 'COMMIT' ])
{
	my ($begin, $end) = @$transaction;

	($session) = next_minute();
	$session->query("$begin; $change");
	at(3000);
	like($session->query($fluid), qr/^\d+$/, "$begin; ALTER SEQUENCE; an id");
	$session->query($end);
	at(3500);
	$id = $session->query($fluid);
	$session->query('COMMIT');
	$session->quit;
	survives("$end", $id);
}

# ---------------------------------------------------- two exchange their names

($session) = next_minute();
$session->query('SELECT nanoflake_generate(), ulidflake_generate()');
at(10000);

my $exchange = join '; ',
	map { "ALTER SEQUENCE flakeid_$_->[0]_horizon RENAME TO flakeid_$_->[1]_horizon" }
  [qw(fluid x)], [qw(ulidflake fluid)], [qw(x ulidflake)];
my $superuser = session($node);

# The result of a call that waits until two sequences have exchanged their names
sub exchanged_during
{
	my ($call) = @_;

	$superuser->query("BEGIN; $exchange");
	$session->send($call);
	waits_for_lock($node) or die;
	$superuser->query('COMMIT');
	return $session->receive;
}

like(exchanged_during($fluid), qr/^\d+$/, 'an id during which two exchange their names');
cmp_ok(horizon_ms($node, 'fluid'), '>', $now_ms,
	'... has its horizon in the sequence that has the name now');
is(exchanged_during('SELECT flakeid_raise_floor(now())'), '3', 'a raise during which they do');
$superuser->quit;
$session->quit;

my $file = $node->safe_psql('postgres',
	"SELECT relfilenode FROM pg_class WHERE relname = '$sequence'");
my $set_file = "UPDATE pg_class SET relfilenode = %s WHERE relname = '$sequence'";

$node->safe_psql('postgres', sprintf $set_file,
	"pg_relation_filenode('flakeid_ulidflake_horizon')");
like(run_sql($node, 'SELECT flakeid_raise_floor(now())'),
	qr/ERROR:  XX001: sequences "$sequence" and "flakeid_ulidflake_horizon" have the same file/,
	'two sequences that have one file');
$node->safe_psql('postgres', sprintf $set_file, $file);

# ------------------------------------------------------------- other changes

($session, $id) = next_minute();
$node->safe_psql('postgres', "ALTER SEQUENCE $sequence SET UNLOGGED");

my $logged = "Run ALTER SEQUENCE public.$sequence SET LOGGED";
my $unlogged = qr/ERROR:  55000: sequence "$sequence" is not permanent.*HINT:  $logged/s;

like($session->query($fluid), $unlogged, 'SET UNLOGGED: a running session is refused');
is(() = run_sql($node, "$fluid;\n$fluid") =~ /ERROR:  55000: .* is not permanent/g, 2,
	'... and a new one, at each call');
$node->safe_psql('postgres', "ALTER SEQUENCE $sequence SET LOGGED");
at(1);
cmp_ok($session->query($fluid), '>', $id, '... SET LOGGED: ids continue');
$id = $session->query($fluid);
$session->quit;
survives('SET LOGGED', $id);

($session, $id) = next_minute();
$node->safe_psql('postgres', qq{
	CREATE ROLE keeper;
	ALTER SEQUENCE $sequence OWNER TO keeper;
	SET SESSION AUTHORIZATION keeper;
	SELECT setval('$sequence', 7);
	ALTER SEQUENCE $sequence INCREMENT BY 3 CACHE 5});
at(1);
cmp_ok($session->query($fluid), '>', $id, 'an owner who is no superuser: ids continue');
$node->safe_psql('postgres', qq{
	SET SESSION AUTHORIZATION keeper;
	SELECT nextval('$sequence') FROM generate_series(1, 40)});
at(4000);
$id = $session->query($fluid);
$session->quit;
survives('an owner who is no superuser', $id);

($session, $id) = next_minute();
$node->safe_psql('postgres', qq{
	ALTER EXTENSION flakeid DROP SEQUENCE $sequence;
	DROP SEQUENCE $sequence});
like($session->query($fluid),
	qr/ERROR:  42P01: sequence "flakeid_fluid_horizon" of extension "flakeid" does not exist/,
	'a dropped sequence: an error');
$node->safe_psql('postgres', "CREATE SEQUENCE $sequence MINVALUE 0 START 0");
like($session->query($fluid),
	qr/ERROR:  42P01: sequence "flakeid_fluid_horizon" of extension "flakeid" does not exist/,
	'... also if one has its name that is no member of the extension');
$node->safe_psql('postgres', "DROP SEQUENCE $sequence; CREATE TABLE $sequence ();
	ALTER EXTENSION flakeid ADD TABLE $sequence");
like($session->query($fluid), qr/ERROR:  42809: "flakeid_fluid_horizon" is not a sequence/,
	'... a table in its place: an error');
$node->safe_psql('postgres', qq{
	ALTER EXTENSION flakeid DROP TABLE $sequence;
	DROP TABLE $sequence;
	CREATE SEQUENCE $sequence MINVALUE 0 START 0;
	ALTER EXTENSION flakeid ADD SEQUENCE $sequence});
at(1);
cmp_ok($session->query($fluid), '>', $id, '... ids continue with a new one');
$id = $session->query($fluid);
$session->quit;
survives('a new sequence', $id);

# Members are found in any schema, and not by their names alone.
($session, $id) = next_minute();
$node->safe_psql('postgres', qq{
	CREATE SCHEMA api;
	ALTER SEQUENCE $sequence SET SCHEMA api;
	CREATE SEQUENCE $sequence MINVALUE 0 START 0});
at(1);
cmp_ok($session->query($fluid), '>', $id, 'a sequence that was moved is used');
is($node->safe_psql('postgres', "SELECT last_value, log_cnt FROM $sequence"), '0|0',
	'... not one that has taken its place');
$id = $session->query($fluid);
$session->quit;
survives('a sequence that was moved', $id);
$node->safe_psql('postgres', "ALTER EXTENSION flakeid ADD SEQUENCE $sequence");
is(() = run_sql($node, "$fluid;\n$fluid") =~ /ERROR:  42P01/g, 2,
	'... two members of this name: an error at each call');
$node->safe_psql('postgres', "ALTER EXTENSION flakeid DROP SEQUENCE $sequence;
	ALTER SEQUENCE api.flakeid_fluid_horizon RENAME TO moved");
like(run_sql($node, $fluid),
	qr/ERROR:  42P01: .*\nHINT:  If it was renamed, give it this name again/,
	'... a renamed one: an error with a hint');

# ---------------------------------------------------------- damaged pages

# The build fails for a server with another page of a sequence, ...
my $include = `pg_config --includedir-server`;
my $headers = PostgreSQL::Test::Utils::tempdir . '/commands';

chomp $include;
mkdir $headers;

# Compile with an option, or with a header of the server in which a text differs.
sub compiles
{
	my ($option, $header, $from, $to) = @_;
	my $text = $header && slurp_file("$include/commands/$header");

	unlink glob "$headers/*";
	append_to_file("$headers/$header", $text =~ s/$from/$to/r) if $header;
	my $includes = "-I$src/src -I$headers/.. -I$include";

	return qx(\${CC:-cc} -fsyntax-only $option $includes $src/src/pg/horizon.c 2>&1);
}

SKIP:
{
	skip 'no compiler, or no headers',
		3 if !-e "$include/commands/sequence.h" || compiles('') ne '';
	like(-e "$include/commands/sequence_xlog.h" ?
		  compiles('', 'sequence_xlog.h', qr/0x1717/, '0x1718')
		    : compiles('-DSEQ_MAGIC=0x1718'),
		qr/this server has another page of a sequence/, 'another SEQ_MAGIC: the build fails');
	like(compiles('', 'sequence.h', @$_), qr/this server has another row of a sequence/,
		"... another row: $_->[1]")
	  foreach [ qr/int64\s+log_cnt;/, "int32 log_cnt;" ], [ qr/SEQ_COL_CALLED$/m, '4' ];
}

# ... and a process does not write it: zeros, another magic number, or another
# number of columns.
my %damage = (
	fluid => [ 0, "\0" x 8192 ], nanoflake => [ 8184, "\0" x 8 ], ulidflake => [ 0, '' ]);

$node->append_conf('postgresql.conf', 'ignore_checksum_failure = on');
$node->safe_psql('postgres',
	"DROP SEQUENCE $sequence; ALTER SEQUENCE api.moved RENAME TO $sequence");
my %file = split /[|\n]/, $node->safe_psql('postgres', q{
	SELECT substring(relname, 'flakeid_(.*)_horizon'), pg_relation_filepath(oid) FROM pg_class
	WHERE relkind = 'S' AND relname ~ '^flakeid_'});
$_ = $node->data_dir . "/$_" foreach values %file;
$node->stop;
my %whole = map { $_ => slurp_file($file{$_}) } keys %file;

sub put_page { unlink $file{ $_[0] }; return append_to_file($file{ $_[0] }, $_[1]); }

foreach my $format (keys %damage)
{
	my ($offset, $bytes) = @{ $damage{$format} };

	# Natts of the tuple, at the first line pointer
	($offset, $bytes) = ((unpack 'L', substr $whole{$format}, 24, 4) % 32768 + 18, pack 'S', 4)
		if $bytes eq '';
	substr(my $page = $whole{$format}, $offset, length $bytes) = $bytes;
	put_page($format, $page);
}
start_with_clock($node);
like(run_sql($node, "SELECT ${_}_generate();\nSELECT ${_}_generate()"),
	qr/(?:ERROR:  XX001: the page of sequence "flakeid_${_}_horizon" is damaged.*){2}/s,
	"a damaged page: an error at each call, $_") foreach sort keys %damage;
$node->stop;
put_page($_, $whole{$_}) foreach keys %whole;
start_with_clock($node);
like(run_sql($node, 'SELECT fluid_generate(), nanoflake_generate(), ulidflake_generate()'),
	qr/^\d+\|\d+\|\d+$/, '... none when it is whole');
like(run_sql($node,
		"SELECT setval('api.$sequence', 9000000000000000000),
			flakeid_raise_floor('2058-11-03 19:53:47.775Z')"),
	qr/ERROR:  22008/, 'a horizon past the field: no floor accepts it');

done_testing();
