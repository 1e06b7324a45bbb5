# World, slow.
# flakeid in plain SQL: contrib/flakeid_read.sql and
# contrib/flakeid_generate.sql, which script/make-sql combines into one file
# for psql and one for pg_tle.  No id is repeated, whatever the clock does;
# ordinary users generate ids; the recipes of contrib/README.md migrate to the C
# extension and back.

use FlakeidTest;
use FlakeidDoc;
use IPC::Run ();
use POSIX qw(strftime);
use Time::HiRes qw(sleep);

# The plain file needs UTF8, also where the machine's locale is C.
my %utf8 = (init => { extra => ['--encoding=UTF8'] });
my $node = $server = new_node('without_c', '', %utf8);
my $made = PostgreSQL::Test::Utils::tempdir . '/sql';

system_or_bail("$src/script/make-sql", $made);

my $writer;
END { $writer->kill_kill if $writer }

$node->safe_psql('postgres', 'CREATE ROLE owner LOGIN; CREATE ROLE plain LOGIN');

# Create a database with the plain file in the schema "ids", installed by the
# database owner, who is not a superuser.
sub without_c
{
	my ($name) = @_;
	my $template = $node->name . '_template';

	unless ($node->safe_psql('postgres', "SELECT 1 FROM pg_database WHERE datname = '$template'"))
	{
		create($template, ' OWNER owner');
		local $ENV{PGUSER} = 'owner';
		sql('CREATE SCHEMA ids; GRANT USAGE ON SCHEMA ids TO PUBLIC');
		local $ENV{PGOPTIONS} = '-c search_path=ids';
		loads("$made/flakeid.sql", 'the database owner installs it');
	}
	create($name, " OWNER owner TEMPLATE $template");
	sql("ALTER DATABASE $name SET search_path = ids, public");
	return;
}

# Create a database, in which sql() and as_role() run from now on.
sub create
{
	($database, my $options) = @_;
	$node->safe_psql('postgres', "CREATE DATABASE $database" . ($options // ''));
	return;
}

sub loads
{
	my ($file, $what) = @_;
	$node->command_ok([ qw(psql -X -q -v ON_ERROR_STOP=1 -d), $database, '-f', $file ], $what);
	return;
}

# Dump a database, with these options, and restore it as another one.
sub restored
{
	my ($from, $to, @options) = @_;
	my $dump = PostgreSQL::Test::Utils::tempdir . "/$to";

	$node->command_ok([ 'pg_dump', @options, '-f', $dump, $from ], "pg_dump @options $from");
	create($to);
	loads($dump, '... is restored');
	return;
}

# Result of a query, or its error with the SQLSTATE
sub as_role
{
	my ($role, $sql) = @_;
	my ($out, $err) = ('', '');

	local $ENV{PGUSER} = $role;
	$node->psql($database, "\\set VERBOSITY verbose\n$sql",
		stdout => \$out, stderr => \$err, on_error_stop => 1);
	return $err ? $err =~ /(ERROR: .*)/ && $1 : $out;
}

# --------------------------------------------- many concurrent sessions
without_c('many');
sql('CREATE UNLOGGED TABLE made (format text, id text); GRANT INSERT ON made TO plain');

my $transactions = scaled(10);
my $script = PostgreSQL::Test::Utils::tempdir . '/generate.sql';
my @generators = qw(fluid_generate nanoflake_generate ulidflake_generate
  uuid_generate_v7 uuid_generate_v6 scru160_generate);

append_to_file($script, "INSERT INTO made\n" . join("UNION ALL\n", map {
	"SELECT '$_', $_()::text FROM generate_series(1, " . (/flake|fluid/ ? 500 : 50)
		. ")\n" } @generators) .
	"UNION ALL SELECT 'ulidflake_generate', ulidflake_scalable_generate()::text\n" .
	"FROM generate_series(1, 50);\n");
{
	local $ENV{PGUSER} = 'plain';
	$node->command_ok(
		[ 'pgbench', '-n', '-C', '-c', 16, '-j', 2, '-t', $transactions,
			'-f', $script, 'many' ], '16 clients, one connection per transaction');
}
is(sql('SELECT format, count(*), count(DISTINCT id) FROM made GROUP BY 1 ORDER BY 1'),
	join("\n", map {
		my $number = 16 * $transactions * (/ulid/ ? 550 : /flake|fluid/ ? 500 : 50);
		"$_|$number|$number" } sort @generators), '... no duplicate ids');

# ------------------------------------------------------------- privileges
is(as_role('plain', 'CREATE TEMP TABLE t (id bigint DEFAULT ids.fluid_generate());
	INSERT INTO t DEFAULT VALUES RETURNING id > 0'), 't', 'a DEFAULT generates ids for any user');
is(as_role('plain', q{SET flakeid.node_id = 3; SET flakeid.node_bits = 2;
	SET flakeid.fluid_epoch = '2000-01-01Z';
	SELECT (id >> 10 & 16383) < 8192, least(fluid_to_timestamptz(id),
		nanoflake_to_timestamptz(nanoflake_generate()),
	  ulidflake_to_timestamptz(ulidflake_generate())) > now() - interval '1 hour'
	    FROM fluid_generate() AS g (id)}),
	't|t', '... and settings of a session have no effect');

# -------------------------------------- a small field that wraps around
# 10 bits instead of 20 or 24, so that the numbers wrap around often: 32 of
# them in a turn of 128 ms.  The clock is set back and forth meanwhile, by less
# and by more than the window of 32 turns.
SKIP:
{
	skip 'no compiler for the shim of the clock', 1 unless clock_library();

	my $without_clock = $node;
	$node = $server = new_node('clocked', '', %utf8, clock => 1);
	$node->safe_psql('postgres', 'CREATE ROLE owner LOGIN');
	without_c('small');
	sql(q{
	CREATE FUNCTION small() RETURNS bigint LANGUAGE sql RETURN
	ids.flakeid_generate_bigint('small', 10, 549755813887, false, false,
		'ids.flakeid_fluid_number', 'ids.flakeid_fluid_turn', 'ids.flakeid_fluid_settings',
		'ids.flakeid_generate_guard');
	CREATE TABLE made (id bigint, at serial);
	CREATE PROCEDURE make(n integer, refusals integer DEFAULT 1000000) LANGUAGE plpgsql AS $$
	BEGIN
		WHILE n > 0 AND refusals > 0 LOOP
			BEGIN
				INSERT INTO made VALUES (small());
				n := n - 1;
			EXCEPTION WHEN lock_not_available THEN
				refusals := refusals - 1;
			END;
			COMMIT;
		END LOOP;
	END $$});

	my @sessions = map { session($node) } 1 .. 6;
	my $each = 300 + scaled(300);

	$_->query("\\c small\nSET flakeid.max_wait = 200") foreach @sessions;
	$_->send("CALL make($each)") foreach @sessions;
	foreach my $ahead (1, -1, 0, -3, 0.05, 0, -0.2, 2, 1.9, 1.8, 0, -2, 0)
	{
		set_clock($node, $ahead);
		sleep(0.3);
	}
	set_clock($node, 0);
	$_->receive foreach @sessions;
	is(sql('SELECT count(*), count(DISTINCT id) FROM made'), join('|', (6 * $each) x 2),
		'the numbers wrap around, and no id is repeated');

	# A session that has read the turn before another one raises it
	$sessions[0]->query('BEGIN; LOCK ids.flakeid_generate_guard');
	set_clock($node, 10);
	$sessions[1]->send('SELECT small()');
	ok(waits_for_lock($node), 'a session is late');
	set_clock($node, 30);
	$sessions[0]->query('SELECT small()');
	set_clock($node, 10);
	$sessions[0]->query('COMMIT');
	like($sessions[1]->receive, qr/the clock is \d+ ms behind/, '... and does not lower it');
	$_->quit foreach @sessions;
	set_clock($node, 0);

	# With a clock that stands still there is at most one cycle of ids, then an
	# error.  pg_sleep() would never return then, so max_wait is 0.  The sequences
	# are those of another format, which are not ahead of the clock.
	sql(q{
	CREATE OR REPLACE FUNCTION small() RETURNS bigint LANGUAGE sql RETURN
	ids.flakeid_generate_bigint('small', 10, 549755813887, false, false,
		'ids.flakeid_nanoflake_number', 'ids.flakeid_nanoflake_turn',
		'ids.flakeid_nanoflake_settings', 'ids.flakeid_generate_guard');
	SELECT small();
	TRUNCATE made});
	freeze_clock($node, strftime('%Y-%m-%d %H:%M:%S.064', gmtime(time + 2)));
	sql('SET flakeid.max_wait = 0; CALL make(3000, 2000)');
	holds('count(*) BETWEEN 901 AND 1024 AND count(DISTINCT id) = count(*) FROM made',
		'a clock that stands still: no more ids than numbers');
	like(as_role('owner', 'SET flakeid.max_wait = 0; SELECT small()'),
		qr/^ERROR:  55P03: could not generate a small: the clock is \d+ ms behind the last id/,
		'... then an error');

	# The window is four seconds; after a larger step a call waits as long as
	# max_wait says, 1 s by default, and then fails.
	set_clock($node, 0);
	without_c('back');
	sql('SELECT fluid_generate(), nanoflake_generate(), ulidflake_generate()');
	set_clock($node, -3600);
	foreach ([ 'fluid', '', 1 ], [ 'nanoflake', "SET flakeid.max_wait = ' 3e2 ';", 0.3 ],
		[ 'ulidflake', "SET flakeid.max_wait = '0.2 s';", 0.2 ])
	{
		my ($format, $setting, $seconds) = @$_;
		my $begin = stopwatch();

		like(as_role('owner',
			"SET statement_timeout = '50s'; $setting SELECT ${format}_generate()"),
			qr/^ERROR:  55000: could not generate a \S+: the clock is 3\d\d\d\d\d\d ms behind/,
			"an hour back: $format");
		cmp_ok(stopwatch() - $begin, '>=', $seconds - 0.05, "... after $seconds s");
	}

	# It ends in time also if the clock is set back while it waits: pg_sleep() and
	# statement_timeout would wait for a year.
	set_clock($node, 0);
	without_c('meanwhile');
	@sessions = map { session($node) } 1 .. 8;
	$_->query('\c meanwhile') foreach @sessions;
	sql(q{SELECT flakeid_raise_floor(clock_timestamp() + interval '1 h') \g /dev/null});
	$_->send("SET flakeid.max_wait = '2 s'; SET lock_timeout = '5 ms'; SELECT fluid_generate()")
		foreach @sessions;
	ok($node->poll_query_until('postgres', q{SELECT count(*) > 0 FROM pg_stat_activity
		WHERE wait_event = 'VacuumDelay'}), 'calls wait');
	set_clock($node, -365 * 86400);
	like($_->answers_within(60) && $_->receive, qr/ERROR:  55000: .* \d{11} ms behind/,
		'... and end though the clock is set back') foreach @sessions;
	$_->quit foreach @sessions;

	# The ends of the fields
	without_c('ends');
	foreach my $last ([ '5236-03-31 21:21:00', 'uuid_generate_v6' ],
		map { [ '10889-08-02 05:31:50', $_ ] } 'uuid_generate_v7', 'scru160_generate',
		'scru160_us_generate')
	{
		my ($ahead) = $node->safe_psql('postgres',
			"SELECT floor(extract(epoch FROM timestamptz '$last->[0]+00'))::bigint") - time;

		set_clock($node, $ahead - 60);
		like(sql("SELECT $last->[1]()"), qr/\A\S+\z/, "a minute before the end: $last->[1]()");
		set_clock($node, $ahead + 60);
		like(as_role('owner', "SELECT $last->[1]()"),
			qr/^ERROR:  22008: timestamp out of range for /, '... and after it');
	}

	# A clock years ahead: a call reaches it at once; then a reset is needed.
	set_clock($node, 0);
	without_c('ahead');
	my @ids = sql('SELECT fluid_generate()');
	set_clock($node, 30 * 365 * 86400);
	like(as_role('owner', "SET statement_timeout = '60s'; SELECT fluid_generate()"),
		qr/^ERROR:  22008: could not generate a FLUID: its last/, 'a clock 30 years ahead');
	set_clock($node, 10 * 365 * 86400);
	($ids[3], my $ahead) = split /\|/,
		sql("SET statement_timeout = '60s'; SELECT fluid_generate(), nanoflake_generate()");
	set_clock($node, 60);
	like(as_role('owner', 'SET flakeid.max_wait = 0; SELECT fluid_generate()'),
		qr/^ERROR:  55000: could not generate a FLUID: the clock is \d{12} ms behind/,
		'... and back');
	$node->psql($database, 'SELECT flakeid_reset_horizon()', stderr => \my $notices);
	like($notices, qr/no Ulid-Flake id is ahead of the clock/,
		'a reset leaves other formats alone');
	(@ids[1, 4], my @ends) = $notices
		=~ /now on, FLUID ids (\d+) to (\d+) can .*now on, Nanoflake ids (\d+) to (\d+) can/s;
	($ids[2], my $new) = split /\|/, sql('SELECT fluid_generate(), nanoflake_generate()');
	is("@$_", join(' ', sort { $a <=> $b } @$_), '... and names the ids that can be repeated')
	  foreach \@ids, [ $ends[0], $new, $ahead, $ends[1] ];
	$node->stop;
	$node = $server = $without_clock;
}

# A session is suspended after it has drawn its number, until the numbers have
# wrapped around: it draws another one.
without_c('stalled');

my $blocker = session($node);
my $stalled = session($node);

$_->query('\c stalled') foreach $blocker, $stalled;
$blocker->query('BEGIN; ALTER SEQUENCE ids.flakeid_nanoflake_turn CACHE 1');
$stalled->send(q{
SELECT ids.flakeid_generate_bigint('small', 10, 549755813887, false, false,
  'ids.flakeid_nanoflake_number', 'ids.flakeid_nanoflake_turn',
  'ids.flakeid_nanoflake_settings', 'ids.flakeid_generate_guard') & 1023});
ok($node->poll_query_until($database, q{SELECT count(*) = 1 FROM pg_stat_activity
	WHERE datname = 'stalled' AND wait_event_type = 'Lock'}),
	'a session is suspended after it has drawn its number');

my $drawn = sql('SELECT last_value FROM ids.flakeid_nanoflake_number');

sql(q{SELECT nextval('ids.flakeid_nanoflake_number') FROM generate_series(1, 1024)});
$blocker->query('COMMIT');
is($stalled->receive, $drawn + 1025 & 1023, '... and then draws another one');
$_->quit foreach $blocker, $stalled;

# ------------------------------------------------------------------- crash
without_c('crash');
sql(q{
CREATE TABLE public.made (id bigint PRIMARY KEY, n integer);
INSERT INTO public.made SELECT fluid_generate(), 0 FROM generate_series(1, 1000)});
$node->stop('immediate');
$node->start;
sql('INSERT INTO public.made SELECT fluid_generate(), 1 FROM generate_series(1, 1000)');
holds('max(id) FILTER (WHERE n = 0) < min(id) FILTER (WHERE n = 1) FROM public.made',
	'after a crash ids are above those before it');

# A dump includes the sequences.
restored('crash', 'restored');
sql('INSERT INTO public.made SELECT ids.fluid_generate(), 2 FROM generate_series(1, 1000)');
holds(q{max(id) FILTER (WHERE n < 2) < min(id) FILTER (WHERE n = 2)
	AND (SELECT last_value >= 3000 FROM ids.flakeid_fluid_number) FROM public.made},
	'and continues above');

# A dump without data restores sequences without values: nothing guesses them.
restored('crash', 'empty', '-s');
foreach my $query ('ids.ulidflake_scalable_generate()', 'ids.ulidflake_to_timestamptz(1)',
	q{ids.ulidflake_in_range(1, '2024-01-01Z', 'infinity')},
	q{ids.flakeid_generate_set('ulidflake', node_id => 7)}, 'ids.flakeid_raise_floor(now())')
{
	my $format = $query =~ /ulidflake/ ? 'ulidflake' : 'fluid';

	like(as_role('owner', "SELECT $query"),
		qr/^ERROR:  55000: sequence "flakeid_${format}_settings" has no value/,
		"... where this is an error: $query");
}
is(sql(q{
	SELECT ids.flakeid_generate_set('fluid', 3, 5, '2020-01-01Z'),
	  ids.flakeid_generate_set('nanoflake', 0, 0, '2024-01-01Z'),
	  ids.flakeid_generate_set('ulidflake', NULL, 7, '2024-01-01Z'),
	  ids.flakeid_raise_floor(now()) \g /dev/null
	SELECT f >> 21 & 7, u & 31,
	  ids.fluid_to_timestamptz(f) BETWEEN date_trunc('ms', now()) AND clock_timestamp(),
	  ids.nanoflake_to_timestamptz(n) BETWEEN date_trunc('ms', now()) AND clock_timestamp()
	FROM ids.fluid_generate() AS f, ids.nanoflake_generate() AS n,
	  ids.ulidflake_scalable_generate() AS u}), '5|7|t|t', '... until the owner sets the values');

# Another encoding is refused, in both files.
create('latin1', q{ TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'});
refused(slurp_file($_),
	qr/ERROR:  flakeid in plain SQL requires a database with encoding UTF8, not LATIN1/,
	"a database in LATIN1: $_") foreach "$src/contrib/flakeid_read.sql", "$made/flakeid.sql";
holds(q{count(*) = 0 FROM pg_proc WHERE proname ~ 'flakeid|fluid'}, 'nothing is installed');
create('taken');
sql('CREATE FUNCTION fluid_generate() RETURNS integer LANGUAGE sql RETURN 1');
refused(slurp_file("$made/flakeid.sql"), qr/function "fluid_generate" already exists/,
	'a name that is taken');
holds(q{count(*) = 1 FROM pg_proc WHERE proname ~ 'flakeid|fluid'}, 'nothing is installed');

# ------------------------------------------------------------------ pg_tle
# A substitute for pg_tle, which is written in C: it writes the arguments of
# its function to the files that CREATE EXTENSION reads, under another name,
# since other tests may create flakeid at the same time.
chomp(my $sharedir = qx{pg_config --sharedir});
my @files = map { "$sharedir/extension/flakeid_tle$_" } '.control', '--1.0.sql';
END { unlink @files }

SKIP:
{
	skip "$sharedir/extension is not ours to write", 1
	  unless -w "$sharedir/extension";

	create('tle');
	sql(q{
	CREATE SCHEMA pgtle;
	CREATE TABLE pgtle.installed (name text, version text, description text, ext text);
	CREATE FUNCTION pgtle.install_extension(name text, version text, description text,
		ext text, requires text[] DEFAULT NULL) RETURNS boolean LANGUAGE sql
	BEGIN ATOMIC
		INSERT INTO pgtle.installed VALUES (name, version, description, ext);
		SELECT true;
	END});
	# This server has the files in C; under another name it has not.
	my $file = slurp_file(glob("$made/*.pg_tle.sql"));

	refused($file, qr/ERROR:  this server has the files of the extension "flakeid" in C/,
		'the file for pg_tle is refused where CREATE EXTENSION would use the files in C');
	sql($file =~ s/name = 'flakeid'/name = 'flakeid_tle'/r);
	unlink @files;
	append_to_file($files[0], sql(q{
		SELECT format(E'comment = %L\ndefault_version = %L\nsuperuser = false',
			description, version) FROM pgtle.installed WHERE name = 'flakeid'}) . "\n");
	append_to_file($files[1], sql('SELECT ext FROM pgtle.installed'));
	sql('ALTER DATABASE tle OWNER TO owner');
	is(as_role('owner', 'CREATE SCHEMA ids; GRANT USAGE ON SCHEMA ids TO plain;
		CREATE EXTENSION flakeid_tle SCHEMA ids'), '', 'the database owner runs CREATE EXTENSION');
	like(as_role('plain', 'SELECT ids.fluid_generate()'),
		qr/^ERROR:  55000: sequence "flakeid_fluid_settings" has no value/,
		'... it has no settings before the owner sets them');
	read_page('../contrib/README.md');
	run_block($node, 'tle', 'Install with pg_tle');
	is(as_role('plain', q{
		SELECT substr(ids.uuid_generate_v7()::text, 15, 1), ids.fluid_generate() > 0,
		ids.ulidflake_generate() > 0, ids.nanoflake_generate() > 0,
		octet_length(ids.scru160_generate()), pg_get_userbyid(extowner)
		FROM pg_extension WHERE extname = 'flakeid_tle'}),
		'7|t|t|t|20|owner', '... and all users generate ids');
	sql(q{
	SELECT count(ids.fluid_generate()) FROM generate_series(1, 5000);
	SELECT ids.flakeid_generate_set('nanoflake', 3, 5);
	CREATE TABLE kept (id bigint DEFAULT ids.nanoflake_generate());
	DROP SCHEMA pgtle CASCADE});
	restored('tle', 'tle2');
	is(sql(q{INSERT INTO kept DEFAULT VALUES RETURNING id >> 19 & 7;
		SELECT last_value >= 5000 FROM ids.flakeid_fluid_number}), "5\nt",
		'... with numbers and settings');
	$database = 'tle';
	like(as_role('owner', 'DROP EXTENSION flakeid_tle'),
		qr/^ERROR:  2BP01/, 'DROP EXTENSION does not drop a dependent DEFAULT');
	sql('DROP TABLE kept; DROP EXTENSION flakeid_tle');
	is(as_role('owner', 'DROP SCHEMA ids'), '', '... and otherwise drops all objects');
}

# ------------------------------------------------------------- the recipes
# The extension in C has a number, which the way back to plain SQL keeps.
$node->append_conf('postgresql.conf', q{
shared_preload_libraries = 'flakeid'
flakeid.node_bits = 3
flakeid.node_id = 5
flakeid.ulidflake_scalability = 9
flakeid.nanoflake_epoch = '2020-01-01 00:00:00+00'
});
$node->restart;

# Run the recipes of the page while a writer runs.
read_page('../contrib/README.md', qr/^Install with pg_tle/);
run_block($node, 'restored', 'Settings');
without_c('moving');
sql(q{
ALTER DATABASE moving RESET search_path;
CREATE TABLE public.orders (id bigint PRIMARY KEY DEFAULT ids.fluid_generate(), note text);
CREATE TABLE public.events (id uuid PRIMARY KEY DEFAULT ids.uuid_generate_v7(), note text)});

$script = PostgreSQL::Test::Utils::tempdir . '/writer.sql';
append_to_file($script, "INSERT INTO orders (note) SELECT 'w' FROM generate_series(1, 50);\n");
$writer = IPC::Run::start([ 'pgbench', '-n', '-C', '-c', 4, '-T', 3600, '-f', $script,
	$node->connstr($database) ], '<', \undef, '&>', \my $output);

# Check that rows are added, and the language of the function that their DEFAULT
# calls.
sub writes_by
{
	my ($language) = @_;
	my $count = sql('SELECT count(*) FROM orders');

	ok($node->poll_query_until($database, "SELECT count(*) > $count + 500 FROM orders"),
		"the writer uses functions in $language");
	is(sql(q{SELECT pg_get_expr(adbin, adrelid), lanname FROM pg_attrdef, pg_proc
		JOIN pg_language AS l ON l.oid = prolang
		WHERE adrelid = 'orders'::regclass AND proname = 'fluid_generate'}),
		"ids.fluid_generate()|$language", '... which the DEFAULT calls');
	return;
}

writes_by('sql');
$heading = 'Move to the extension';
recipe();
sql(q{CREATE VIEW seen AS SELECT ids.fluid_to_timestamptz(id) FROM orders;
	ALTER TABLE events ADD short ids.scru160});
recipe(
	fails => qr/these still use the SQL functions: column short of .*events.*_RETURN on view /,
	pasted => 1, retry => 20);
block_again($heading);
sql('DROP VIEW seen; ALTER TABLE events DROP short');
recipe(retry => 20);
writes_by('c');
$heading = 'Move back to plain SQL';
recipe(before => "\\set file '$made/flakeid.sql'\n");
recipe(retry => 20);
writes_by('sql');
is(sql(q{
	SELECT ids.fluid_generate() >> 21 & 7, id >> 19 & 7, ids.ulidflake_scalable_generate() & 31,
	  ids.nanoflake_to_timestamptz(id) BETWEEN now() - interval '1 min' AND clock_timestamp(),
	  id >> 22 > 6 * 365 * 86400000::bigint
	FROM ids.nanoflake_generate() AS id}), '5|5|9|t|t',
	'... with the number and the epochs of the server');
$writer->signal('TERM');
$writer->finish;
undef $writer;
unlike($output, qr/ERROR/, 'the writer gets no error');
is(duplicates_in_log($node), 0, 'no id is repeated');
all_blocks_run();
$node->stop;
done_testing();
