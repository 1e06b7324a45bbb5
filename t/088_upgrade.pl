# World, slow.
# ALTER EXTENSION UPDATE to an invented version, while sessions are running, and
# pg_upgrade of the updated server.  Then pg_upgrade with live data, in copy and
# link mode: all data is unchanged, and new ids are newer, even newer than a floor
# that was raised before.  If ids are more than a minute ahead of the clock, new ids
# are refused until the floor is raised.
#
# oldinstall=/usr/lib/postgresql/15 is the older installation, with flakeid
# installed, as in the test of pg_upgrade itself.

use FlakeidTest 'clock';
use FlakeidHorizon;

my $settings = q{
shared_preload_libraries = 'flakeid'
flakeid.node_bits = 2
flakeid.node_id = 1
flakeid.ulidflake_epoch = '2022-01-01 00:00:00Z'
};
my @options = qw(--encoding=UTF8 --locale=C --data-checksums);

# The version of the control file, and a made-up one after it
my ($version) = slurp_file("$src/flakeid.control") =~ /^default_version = '(.*)'/m;
my $made_up = $version =~ s/(\d+)\z/$1 + 1/er;

sub sql { return shift->safe_psql('postgres', @_); }
sub shell { return system('sh', '-euc', @_) == 0 || die "failed: @_"; }

# Insert rows in four clients, in so many transactions of each.
sub load
{
	my ($node, $transactions, $what) = @_;
	my $script = "$PostgreSQL::Test::Utils::tmp_check/load.sql";

	unlink $script;
	append_to_file($script, q{INSERT INTO item (session, n)
		SELECT pg_current_xact_id(), i FROM generate_series(1, 10) AS i;
		INSERT INTO part DEFAULT VALUES;});
	$node->command_ok([ qw(pgbench -n -c 4 -j 2 -t), $transactions, '-f', $script, 'postgres' ],
		$what);
}

# All data that must be unchanged
sub content
{
	my ($node) = @_;

	return sql($node, q{
		SELECT count(*), md5(string_agg(i::text, ';' ORDER BY fluid)) FROM item AS i;
		SELECT count(*) FROM recent;
		SELECT count(*), md5(string_agg(id::text, ';' ORDER BY id)) FROM part;
		SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef ORDER BY 1;
		SELECT has_function_privilege('raiser', 'flakeid_raise_floor(timestamptz)', 'execute'),
		  has_function_privilege('public', 'flakeid_reset_horizon()', 'execute');
		SELECT uuid_generate_v7() IS NULL; SHOW flakeid.max_wait});
}

# A range much smaller than a histogram bin, in rows that are evenly spread:
# pg_upgrade has kept SUPPORT.
sub check_estimate
{
	my ($node, $what) = @_;
	my $range = q{uuid_v7_in_range(v7, '2026-01-01 00:33:20Z', '2026-01-01 00:33:44Z')};

	sql($node, 'ANALYZE even');
	my $there = sql($node, "SELECT count(*) FROM even WHERE $range");
	my ($rows) = sql($node, "EXPLAIN SELECT * FROM even WHERE $range") =~ / rows=(\d+) /;

	ok($rows <= 2 * $there && $there <= 2 * $rows, "$what: $range: $rows of $there rows");
}

sub upgrade
{
	my ($old, $new, $what, @more) = @_;

	chdir $PostgreSQL::Test::Utils::tmp_check;
	command_ok([
			'pg_upgrade', '--no-sync', @more, '-j', '2', '-d', $old->data_dir, '-D', $new->data_dir,
			'-b', $old->config_data('--bindir'), '-B', $new->config_data('--bindir'),
			'-s', $new->host, '-p', $old->port, '-P', $new->port ],
		$what);
}

# The version of the extension, and what its new function returns
sub is_version
{
	my ($node, $expected, $what) = @_;
	is(sql($node, q{SELECT extversion FROM pg_extension WHERE extname = 'flakeid'}), $expected,
		$what);
	is(sql($node, 'SELECT flakeid_next()'), 11, '... with its function') if $expected eq $made_up;
}

# ------------------------------------------------ ALTER EXTENSION UPDATE

# Copy the server, as script/common.sh does, where files can be replaced.
my $root = "$PostgreSQL::Test::Utils::tmp_check/root";
my ($bin, @folders) = split /\n/, qx{pg_config --bindir --pkglibdir --sharedir};

shell("mkdir -p $root$bin && cp $bin/* $root$bin");
# Another test makes files of pg_uuidv7, and removes them.
shell("mkdir -p $root$_ && cp -rs $_/. $root$_ && rm -f $root$_/extension/pg_uuidv7*")
	foreach @folders;

# The made-up version, which adds a function and columns, and replaces a function
my $install = q{
mkdir "$0/next" && cd "$1"
cp -r Makefile META.json flakeid* contrib src "$0/next" && cd "$0/next"
sed -i "s/'$3'/'$4'/" flakeid.control
cat >"flakeid--$3--$4.sql" <<END
CREATE FUNCTION flakeid_next() RETURNS integer AS 'MODULE_PATHNAME' LANGUAGE C;
CREATE OR REPLACE FUNCTION fluid_generate() RETURNS bigint
AS 'MODULE_PATHNAME', 'flakeid_fluid_generate' LANGUAGE C VOLATILE STRICT PARALLEL SAFE COST 11;
ALTER TYPE flakeid_status_row ADD ATTRIBUTE more text CASCADE;
ALTER TYPE flakeid_explain_row ADD ATTRIBUTE more interval CASCADE;
ALTER TYPE flakeid_address_row ADD ATTRIBUTE more integer CASCADE;
END
cat >src/pg/next.c <<END
#include "postgres.h"
#include "pg/compat.h"
#include "fmgr.h"
PG_FUNCTION_INFO_V1(flakeid_next);
Datum flakeid_next(PG_FUNCTION_ARGS) { PG_RETURN_INT32(11); }
END
env -u MAKEFLAGS make -s -j2 PG_CONFIG="$2/pg_config" DESTDIR="$0" with_llvm=no COPT=-O1 \
	all install};

my $node = new_node('updated', '', new => { install_path => "$root$bin/.." });
my ($first, $last) = (1, 0);
my %session = (old => session($node));

# Each session inserts rows, at the same time as the others.
sub insert_rows
{
	my ($what) = @_;

	($first, $last) = ($last + 1, $last + 500);
	$session{$_}->send(qq{INSERT INTO item (session, n)
		SELECT '$_', i FROM generate_series($first, $last) AS i}) foreach keys %session;
	is($session{$_}->receive, '', "$what: ids of the $_ library") foreach sort keys %session;
}

make_item($node);
# What users build on rows, and superusers on their types
sql($node, q{CREATE VIEW status AS SELECT * FROM flakeid_status();
	CREATE VIEW address AS SELECT a.*, e.field FROM fluid_get_address(0) AS a,
		fluid_explain(0) AS e;
	CREATE TABLE log AS SELECT * FROM flakeid_status();
	CREATE TABLE past (n serial, status flakeid_status_row);
	CREATE TABLE typed OF flakeid_address_row;
	CREATE FUNCTION states() RETURNS SETOF text BEGIN ATOMIC SELECT horizon_state
		FROM flakeid_status(); END;
	INSERT INTO past (status) SELECT s FROM flakeid_status() AS s});
my $on_rows =
	'SELECT * FROM address; SELECT states();
	SELECT (status).format, (status).horizon_state FROM past';
my $before = sql($node, $on_rows);

insert_rows($version);
shell($install, $root, $src, $bin, $version, $made_up);
$session{new} = session($node);
$_->query('BEGIN') foreach values %session;
insert_rows("the script of $version");
is(run_sql($node, 'ALTER EXTENSION flakeid UPDATE'), '',
	'ALTER EXTENSION UPDATE, while others are in transactions');
insert_rows("the script of $made_up");
is($_->query('COMMIT'), '', 'COMMIT') foreach values %session;
is(sql($node, q{SELECT extversion, procost FROM pg_extension, pg_proc
	WHERE extname = 'flakeid' AND proname = 'fluid_generate'}), "$made_up|11",
		'the new version replaced a function');
is($session{new}->query('SELECT flakeid_next()'), 11, '... and added one');
like($session{old}->query('SELECT flakeid_next()'),
	qr/^ERROR:  42883: could not find function "flakeid_next"/,
	'... which the previous library does not have');
insert_rows($made_up);
is(sql($node, $on_rows), $before, 'views, functions and tables on rows give the same');
is(sql($node, q{INSERT INTO past (status) SELECT s FROM flakeid_status() AS s;
	SELECT count(*), count((status).more), count(DISTINCT (status).horizon_state) FROM past;
	SELECT count(*) = 3 AND count(more) = 0 FROM flakeid_status() JOIN status USING (format,
		epoch)}),
	"6|0|1\nt", '... and the new columns are NULL');
like(run_sql($node, 'INSERT INTO log SELECT * FROM flakeid_status()'), qr/^ERROR:  42601: /,
	'SELECT * that must give the old columns fails');
$_->quit foreach values %session;
sql($node, 'CREATE DATABASE idle');
$node->safe_psql('idle', 'CREATE EXTENSION flakeid; SELECT fluid_generate()');
$node->append_conf('postgresql.conf', "shared_preload_libraries = 'flakeid'");
$node->restart;
%session = (preloaded => session($node));
insert_rows('after a restart');
$session{preloaded}->quit;
check_item($node, 'after the update');
$node->stop;

my @next = (install_path => "$root$bin/..");
my $next = PostgreSQL::Test::Cluster->new('next', @next);

$next->init;
upgrade($node, $next, 'pg_upgrade of the updated server');
$next->start;
is_version($next, $made_up, '... keeps the new version');
is(sql($next, 'SELECT DISTINCT horizon_state FROM flakeid_status()'), 'earlier',
	'... and the horizons of an earlier start');
sql($next, q{INSERT INTO item (session) VALUES ('next')});
check_item($next, 'pg_upgrade of the updated server');
is($next->safe_psql('idle', 'SELECT DISTINCT horizon_state FROM flakeid_status()'), 'earlier',
	'... also of a database without ids since then');
$next->stop;

# ------------------------------------------------------------ pg_upgrade

SKIP: { skip 'oldinstall is not an older PostgreSQL with flakeid', 1 unless $ENV{oldinstall}; }
done_testing(), exit unless $ENV{oldinstall};

my $old = PostgreSQL::Test::Cluster->new('old', install_path => $ENV{oldinstall});

$old->init(extra => \@options);
$old->append_conf('postgresql.conf', $settings);
$old->start;
note(sql($old, 'SELECT version(); CREATE EXTENSION flakeid'));
make_item($old);
sql($old, q{
	ALTER TABLE item ADD many scru160[] DEFAULT ARRAY[scru160_generate()];
	CREATE VIEW recent AS SELECT * FROM item
	WHERE scru160_in_range(scru160, now() - interval '1 day', now() + interval '1 day');
	CREATE TABLE part (id uuid PRIMARY KEY DEFAULT uuid_generate_v7()) PARTITION BY RANGE (id);
	CREATE TABLE part_new PARTITION OF part FOR VALUES
	FROM (uuid_v7_min('2025-01-01 00:00:00Z')) TO (MAXVALUE);
	CREATE TABLE even AS
	SELECT uuid_v7_from_timestamptz(ts) AS v7, scru160_from_timestamptz(ts) AS scru160
	FROM generate_series(1, 8000) AS i,
	  LATERAL (SELECT '2026-01-01Z'::timestamptz + i * interval '1 s') AS t (ts);
	CREATE ROLE raiser;
	GRANT EXECUTE ON FUNCTION flakeid_raise_floor(timestamptz) TO raiser;
	ALTER DATABASE postgres SET flakeid.max_wait = '3s'});
# Without the security updates of the old server, the new one refuses an option.
sql($old, q{SET allow_system_table_mods = on;
	UPDATE pg_attribute SET attoptions = NULL WHERE attoptions::text ~ 'pg_attver'})
  if system('grep', '-q', 'pg_attver', "$bin/postgres") != 0;
load($old, 200, 'live data');
check_item($old, 'the old server');
$old->stop;

my $horizons = 'SELECT format, horizon FROM flakeid_status() ORDER BY 1';

# Link mode comes last, because it disables the old cluster.  In copy mode the new
# server has the next version, to which the extension is updated afterwards.
foreach my $mode (qw(copy link))
{
	# Ahead of the clock are first the horizons, then also ids.
	set_clock($old, $mode eq 'copy' ? 0 : 1000);
	start_with_clock($old);
	sql($old, $mode eq 'copy' ? q{SELECT flakeid_raise_floor(clock_timestamp() + interval '30 s')}
		: q{INSERT INTO item (session) VALUES ('ahead')});

	my ($before, $horizons_before) = (content($old), sql($old, $horizons));
	my @newest = split /\|/, sql($old,
		'SELECT max(fluid), max(nanoflake), max(ulidflake), max(scru160) FROM item');
	my $floor = sql($old, 'SELECT min(floor) FROM flakeid_status()');

	$old->stop;

	my $new = PostgreSQL::Test::Cluster->new("new_$mode", $mode eq 'copy' ? @next : ());

	$new->init(extra => \@options);
	$new->append_conf('postgresql.conf', $settings);
	upgrade($old, $new, "pg_upgrade in $mode mode", $mode eq 'link' ? '--link' : ());
	start_with_clock($new);
	is(sql($new, $horizons), $horizons_before, "$mode: the horizons are kept");
	is(sql($new, 'SELECT max(horizon_state) FROM flakeid_status()'),
		$mode eq 'copy' ? 'earlier' : 'refused', '... as they should');
	if ($mode eq 'link')
	{
		my $error = run_sql($new, 'SELECT fluid_generate()');

		like($error, qr/^ERROR:  55000: .* ids would continue at/,
			'more than a minute ahead: refused');
		# Each hint is about one format; that of the latest horizon is for all.
		foreach my $attempt (1 .. 3)
		{
			last if $error !~ /HINT: .* pg_upgrade .* call (flakeid_raise_floor\('[^']+'\))/;
			$error = run_sql($new, "SELECT $1");
		}
		is($error, 3, '... the calls of the hints raise all floors');
		cmp_ok(run_sql($new, 'SELECT fluid_generate()'), '>', $newest[0],
			'... after which ids continue');
		set_clock($new, 1000);
	}
	is(content($new), $before, "$mode: all data is unchanged");
	is(sql($new, qq{
		SET flakeid.max_wait = '60s';
		INSERT INTO item DEFAULT VALUES;
		SELECT fluid >= fluid_min('$floor'::timestamptz + interval '1 ms') AND fluid > $newest[0]
			AND nanoflake > $newest[1]
		  AND ulidflake > $newest[2] AND scru160 > '$newest[3]',
		  (fluid_get_address(fluid)).node FROM item ORDER BY fluid DESC LIMIT 1}),
		't|1', "$mode: new ids are newer, with the same node id");
	load($new, 100, "$mode: under load");
	check_item($new, $mode);
	check_estimate($new, $mode);
	is_version($new, $version, "$mode: the version is kept");
	if ($mode eq 'copy')
	{
		like(slurp_file('update_extensions.sql'), qr/ALTER EXTENSION "flakeid" UPDATE/,
			'... until the script of pg_upgrade runs');
		is(run_sql($new, 'ALTER EXTENSION flakeid UPDATE'), '', '... as here');
		is_version($new, $made_up, '... which gives the next one');
		load($new, 100, '... with its generators');
		check_item($new, 'the next version');
	}
	$new->command_ok([ qw(pg_amcheck --all --heapallindexed --rootdescend) ],
		"$mode: pg_amcheck finds no error");
	$new->stop;
}
done_testing();
