# The horizons of a database: raised in every kind of transaction, kept by
# crashes and restarts, shown by flakeid_status(), and reset.

use FlakeidTest qw(clock);
use FlakeidHorizon;
use POSIX qw(strftime);

my $node = new_node('horizon', q{
	shared_preload_libraries = 'flakeid'
	wal_level = minimal
	max_wal_senders = 0
}, clock => 1);
my $fluid = 'SELECT fluid_generate()';
my $all = 'SELECT fluid_generate(), nanoflake_generate(), ulidflake_generate()';

sub rows
{
	my ($database) = @_;
	return map { horizon_row($node, $_, $database) } qw(fluid nanoflake ulidflake);
}

# --------------------------------------------------------- six quick starts

my @ids;

foreach my $round (1 .. 6)
{
	push @ids, map { grep { /\S/ } split /[|\n]/ } together($node, 2, $all);
	restart($node, $round % 3 ? 'fast' : 'immediate', 0);
}
is((grep { /\D/ } @ids), 0, 'six quick starts: no error');
is(scalar(@ids), 36, '... all ids');
is(repeated(@ids), '', '... none twice');

my ($ahead, $session_ids) = split /\|/, run_sql($node, q{
	SELECT extract(epoch FROM fluid_to_timestamptz(fluid_generate()) - now()),
		nanoflake_generate()});

cmp_ok($ahead, '<=', 3, '... FLUIDs are at most 3 s ahead');
like($session_ids, qr/^\d+$/, '... a Nanoflake within the default flakeid.max_wait');

# ------------------------------------------------- every kind of transaction

# The clock goes past the horizon.  Parallel workers see its setting at the start
# only.
my $seconds = 0;

sub raises
{
	my ($what, $statements, $expected) = @_;
	my ($before) = rows();

	set_clock($node, $seconds += 5);
	restart($node, 'fast', $seconds) if $what =~ /workers/;

	like(run_sql($node, $statements), $expected // qr/^\d+$/m, "$what: an id");
	isnt((rows())[0], $before, '... and a horizon');
}

raises('READ ONLY', "BEGIN READ ONLY; $fluid; COMMIT");
raises('ROLLBACK', "BEGIN; $fluid; ROLLBACK");
raises('ROLLBACK TO', "BEGIN; SAVEPOINT a; $fluid; ROLLBACK TO a; COMMIT");
raises('an error', "BEGIN; $fluid; SELECT 1 / 0; COMMIT", qr/^\d+\n.*22012/m);
raises('SERIALIZABLE READ ONLY DEFERRABLE',
	"BEGIN ISOLATION LEVEL SERIALIZABLE READ ONLY DEFERRABLE; $fluid; COMMIT");
raises('a subtransaction of PL/pgSQL', q{
	DO $$ BEGIN
	  BEGIN PERFORM fluid_generate(); RAISE 'x'; EXCEPTION WHEN OTHERS THEN NULL; END;
	  RAISE NOTICE '%', fluid_generate();
	END $$}, qr/NOTICE:  00000: \d+/);
$node->safe_psql('postgres', q{
	CREATE TABLE many AS SELECT generate_series(1, 20000) AS n;
	ALTER TABLE many SET (parallel_workers = 2)});
raises('parallel workers', q{
	SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0;
	SET parallel_leader_participation = off;
	SELECT count(DISTINCT id) FROM (SELECT fluid_generate() AS id FROM many) AS m},
	qr/^20000$/);
freeze_clock($node, '2025-01-01 00:00:00.000');
is(run_sql($node,
	q{SELECT ahead > floor - clock_timestamp() FROM flakeid_status() WHERE format = 'fluid'}),
	't', '... and the status sees their ids');
$node->safe_psql('postgres', q{
	CREATE SCHEMA app;
	CREATE TABLE app.filled (id bigint DEFAULT fluid_generate());
	CREATE ROLE nobody;
	GRANT USAGE ON SCHEMA app TO nobody;
	GRANT INSERT, SELECT ON app.filled TO nobody;
	REVOKE ALL ON flakeid_fluid_horizon, flakeid_nanoflake_horizon,
	  flakeid_ulidflake_horizon FROM PUBLIC;
	REVOKE ALL ON SCHEMA public FROM PUBLIC});
raises('a role without any privilege',
	'SET ROLE nobody; INSERT INTO app.filled DEFAULT VALUES RETURNING id');
$node->safe_psql('postgres', q{
	GRANT SELECT ON flakeid_fluid_horizon, flakeid_nanoflake_horizon,
	  flakeid_ulidflake_horizon TO PUBLIC;
	GRANT USAGE ON SCHEMA public TO PUBLIC});

# With wal_level = minimal, a relation created in the same transaction has no
# WAL until the commit.
$node->safe_psql('postgres', 'CREATE DATABASE fresh');

my $id = run_sql($node, qq{\\c fresh
	SET synchronous_commit = off; BEGIN; CREATE EXTENSION flakeid; $fluid; COMMIT});

like($id, qr/^\d+$/, 'an id in the transaction of CREATE EXTENSION');
restart($node, 'immediate', $seconds - 3);
cmp_ok(run_sql($node, "\\c fresh\n$fluid"), '>', $id, '... after a crash, ids continue');

# --------------------------------------------------------- the status

set_clock($node, 0);
run_sql($node, "\\c $_\nSELECT flakeid_reset_horizon()") foreach 'fresh', 'postgres';
restart($node, 'fast', 0);
$node->safe_psql('postgres', $all);

my @before = rows();
my $status = q{
	SELECT string_agg(format('%s %s %s', format, horizon > now() - interval '1 h',
		ahead < '3 s'), ', ')
	FROM flakeid_status()};

is($node->safe_psql('postgres', $status), 'fluid t t, nanoflake t t, ulidflake t t',
	'the status has horizons');
is("@{[rows()]}", "@before", '... and changes nothing');
is($node->safe_psql('postgres', q{
	SELECT count(*) FROM flakeid_status() AS s JOIN (
	  SELECT 'fluid', last_value FROM flakeid_fluid_horizon UNION ALL
	  SELECT 'nanoflake', last_value FROM flakeid_nanoflake_horizon UNION ALL
	  SELECT 'ulidflake', last_value FROM flakeid_ulidflake_horizon) AS h (format, ms)
	USING (format) WHERE s.horizon = s.epoch + ms * interval '1 ms'}),
	3, '... horizons are those of the sequences');

my $session = session($node);

foreach my $seconds (10, 11.5)
{
	set_clock($node, $seconds);
	$session->query("BEGIN; $fluid");
}
ok(wait_until(sub {
		$node->safe_psql('postgres',
			'SELECT pg_current_wal_flush_lsn() >= pg_current_wal_insert_lsn()') eq 't'
	}, 20), 'the WAL writer flushes an early raise before the end of the transaction');
$session->query('ROLLBACK');

# From here on the clock stands still, so that the figures are exact.
my $now = time;

sub freeze_at
{
	freeze_clock($node, strftime('%Y-%m-%d %H:%M:%S.000', gmtime($now + shift)));
}

freeze_at(40);
$session->query($all);
freeze_at(0);
is($session->query(q{
	SELECT count(*) FROM flakeid_status()
	WHERE ahead BETWEEN '39 s' AND '40 s' AND floor < now() + '10 s'}), 3,
	'a clock that was set back is seen in "ahead", but not in "floor"');
@before = rows();
$node->stop('immediate');
start_with_clock($node);
is($node->safe_psql('postgres', q{
	SELECT count(*) FROM flakeid_status()
	WHERE ahead BETWEEN '40 s' AND '43 s' AND floor = horizon}), 3,
	'after a restart, floors are the horizons');
is("@{[rows()]}", "@before", '... although nothing is written');
$session->quit;

# ---------------------------------------------------------------- a reset

sub ahead_of_clock
{
	my ($database) = @_;

	return run_sql($node, "\\c $database\n" . q{
		SELECT round(extract(epoch FROM fluid_to_timestamptz(fluid_generate()) - now()))});
}

foreach my $database ('postgres', 'fresh')
{
	set_clock($node, 3600);
	run_sql($node, "\\c $database\n$all");
}
set_clock($node, 0);
like(run_sql($node, 'SELECT flakeid_reset_horizon()'),
	qr/WARNING:  01000: after the next restart, FLUID ids/, 'a reset');
set_clock($node, 3605);
like(run_sql($node, $fluid), qr/^\d+$/, '... and ids before the restart');
restart($node, 'fast', 0);
cmp_ok(ahead_of_clock('postgres'), '<', 5, '... ids begin at the clock');
cmp_ok(ahead_of_clock('fresh'), '>', 3500, '... not in another database');
cmp_ok(ahead_of_clock('postgres'), '>', 3500, '... whose ids raise the floor of all databases');
restart($node, 'fast', 0);
like(run_sql($node, "\\c $_\nSELECT flakeid_reset_horizon()"), qr/WARNING/,
	"a reset of $_") foreach 'postgres', 'fresh';
restart($node, 'immediate', 0);
cmp_ok(ahead_of_clock($_), '<', 5, "... ids of $_ begin at the clock") foreach 'fresh', 'postgres';
set_clock($node, 30);
$id = run_sql($node, $fluid);
restart($node, 'fast', 0);
cmp_ok(run_sql($node, $fluid), '>', $id, '... only once');

# Another hand cancels a reset.
set_clock($node, 3600);
run_sql($node, $all);
set_clock($node, 0);
run_sql($node, 'SELECT flakeid_reset_horizon()');
$node->safe_psql('postgres', q{SELECT nextval('flakeid_fluid_horizon')});
restart($node, 'fast', 0);
like(run_sql($node, $fluid), qr/ERROR:  55000/, 'a reset that another hand canceled is not used');
like(run_sql($node, q{
	SELECT count(ulidflake_to_timestamptz(ulidflake_generate()) < now() + '10 s')}),
	qr/^1$/, '... but by the other formats');
like(run_sql($node, 'SELECT flakeid_reset_horizon()'), qr/\AWARNING:  01000: from now on, FLUID/,
	'... a second one takes effect at once');
cmp_ok(ahead_of_clock('postgres'), '<', 5, '... ids begin at the clock');

done_testing();
