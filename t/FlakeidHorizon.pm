# Shared by tests of horizons and of the life cycle of a cluster.  It has a log of
# 64-bit ids, a table with every kind of id, and checks of both.  It reads the stored
# horizons, crashes servers, and kills a postmaster.

package FlakeidHorizon;

use FlakeidTest;
use Exporter qw(import);
use POSIX qw(WNOHANG);

our @EXPORT = qw(
  log_ids add_ids newest_ids continues_after horizon_ms horizon_row
  crash start_again restart put_back
  make_item check_item begun_files adopt_orphans kill_postmaster
);

# Create the table "ids" with all ids, and functions that add n new ones:
# add(n) of the formats that continue while the clock is behind, Ulid-Flake in
# both forms, and add_nanoflakes(n).
sub log_ids
{
	my ($node, $database) = @_;

	$node->safe_psql($database // 'postgres', q{
		CREATE TABLE ids (format text, id bigint, PRIMARY KEY (format, id));
		CREATE FUNCTION add(n integer) RETURNS void LANGUAGE sql AS $$
		INSERT INTO ids
		SELECT 'fluid', fluid_generate() FROM generate_series(1, n)
		UNION ALL
		SELECT 'ulidflake', ulidflake_generate() FROM generate_series(1, n)
		UNION ALL
		SELECT 'ulidflake', ulidflake_scalable_generate() FROM generate_series(1, n)
		$$;
		CREATE FUNCTION add_nanoflakes(n integer) RETURNS void
		LANGUAGE sql AS $$
		INSERT INTO ids
		SELECT 'nanoflake', nanoflake_generate() FROM generate_series(1, n)
		$$});
}

sub add_ids
{
	my ($node, $number, $database) = @_;
	$node->safe_psql($database // 'postgres', "SELECT add($number)");
}

# The newest id of each format in the table
sub newest_ids
{
	my ($node, $database) = @_;

	return { split /[|\n]/, $node->safe_psql($database // 'postgres',
		'SELECT format, max(id) FROM ids GROUP BY format') };
}

# Check that new ids are greater than these.  That they are not in the table
# yet could be luck: another slot, or another random number.
sub continues_after
{
	my ($node, $what, $newest, $database) = @_;
	my %newest = %$newest;
	my $answer = run_sql($node, ($database ? "\\c $database\n" : '') . qq{
		WITH new AS MATERIALIZED (
		  SELECT 'fluid' AS format, fluid_generate() AS id
		  FROM generate_series(1, 300)
		  UNION ALL
		  SELECT 'ulidflake', ulidflake_generate()
		  FROM generate_series(1, 300)),
		stored AS (INSERT INTO ids TABLE new)
		SELECT count(*) FROM new
		WHERE id > CASE format WHEN 'fluid' THEN $newest{fluid}
		  ELSE $newest{ulidflake} END});

	is($answer =~ s/^WARNING:.*\n(?:[A-Z]+:  .*\n)*//mgr, 600,
		"$what: ids continue after all existing ones");
	return $answer;
}

sub horizon_row
{
	my ($node, $format, $database) = @_;

	return $node->safe_psql($database // 'postgres',
		"SELECT last_value, log_cnt FROM flakeid_${format}_horizon");
}

# The horizon as stored, in ms since the epoch
sub horizon_ms
{
	return (split /\|/, horizon_row(@_))[0];
}

# Stop a server as a crash does: without a checkpoint.
sub crash
{
	my ($node) = @_;
	$node->stop('immediate');
}

# Start a server with its clock this many seconds ahead.
sub start_again
{
	my ($node, $seconds) = @_;
	set_clock($node, $seconds // 0);
	start_with_clock($node);
}

sub restart
{
	my ($node, $mode, $seconds) = @_;
	$node->stop($mode);
	return start_again($node, $seconds);
}

# Use a copy of the data folder, which stays, instead of the server's own.
sub put_back
{
	my ($node, $copy) = @_;
	system('rm', '-rf', $node->data_dir) == 0 or die 'rm failed';
	system('cp', '-a', $copy, $node->data_dir) == 0 or die 'cp failed';
}

my @columns = qw(fluid nanoflake ulidflake v6 v7 v7_draft v8 scru160);

# Create a table with a key of every format, filled by defaults; generated
# columns with the values that can be read from ids; indexes of many kinds.
sub make_item
{
	my ($node) = @_;

	$node->safe_psql('postgres', q{
		CREATE EXTENSION IF NOT EXISTS amcheck;
		CREATE TABLE item (
		  fluid bigint PRIMARY KEY DEFAULT fluid_generate(),
		  nanoflake bigint UNIQUE DEFAULT nanoflake_generate(),
		  ulidflake bigint UNIQUE DEFAULT ulidflake_generate(),
		  v6 uuid UNIQUE DEFAULT uuid_generate_v6(),
		  v7 uuid UNIQUE DEFAULT uuid_generate_v7(),
		  v7_draft uuid UNIQUE DEFAULT uuid_generate_v7_draft('us'),
		  v8 uuid UNIQUE DEFAULT uuid_generate_v8_draft(64),
		  scru160 scru160 UNIQUE DEFAULT scru160_generate(),
		  session text, n integer,
		  fluid_made timestamptz GENERATED ALWAYS AS
			(fluid_to_timestamptz(fluid, '2024-01-01 00:00:00Z'::timestamptz)) STORED,
		  nanoflake_made timestamptz GENERATED ALWAYS AS
			(nanoflake_to_timestamptz(nanoflake, '2024-01-01 00:00:00Z'::timestamptz)) STORED,
		  v7_made timestamptz GENERATED ALWAYS AS (uuid_v7_to_timestamptz(v7)) STORED,
		  f58 text GENERATED ALWAYS AS (fluid_to_text(fluid, 'f58plain')) STORED,
		  CHECK (uuid_get_version(v7) = 7),
		  UNIQUE (session, n));
		CREATE INDEX item_fluid_time ON item
		  (fluid_to_timestamptz(fluid, '2024-01-01 00:00:00Z'::timestamptz));
		CREATE INDEX item_ulidflake_time ON item
		  (ulidflake_to_timestamptz(ulidflake, '2024-01-01 00:00:00Z'::timestamptz));
		CREATE INDEX item_v7_hash ON item USING hash (v7);
		CREATE INDEX item_scru160_brin ON item USING brin (scru160)});
}

# Number of files of ids that sessions have begun
sub begun_files
{
	my ($folder) = @_;
	opendir my $handle, $folder or die "$folder: $!";
	return scalar(my @files = readdir $handle);
}

# A killed process remains a zombie, which a new postmaster takes for a running
# one, until its parent reaps it.  On Linux this process becomes the parent, by
# prctl(PR_SET_CHILD_SUBREAPER); elsewhere init is, which may take some time.
my %prctl = (x86_64 => 157, aarch64 => 167);

sub adopt_orphans
{
	my ($system, $machine) = (POSIX::uname())[ 0, 4 ];

	syscall($prctl{$machine}, 36, 1, 0, 0, 0) if $system eq 'Linux' && $prctl{$machine};
}

sub is_alive
{
	my ($pid) = @_;
	waitpid $pid, WNOHANG;
	return kill 0, $pid;
}

# Kill the postmaster, with or without its sessions, which otherwise run until
# they notice.  Wait until all processes are gone.  What waits for a lock of a
# killed session does not notice, and is killed in the end, as is what stays.
sub kill_postmaster
{
	my ($node, $sessions_too) = @_;
	my @processes = map { [ split /\|/ ] } split /\n/,
	  $node->safe_psql('postgres', 'SELECT pid, backend_type FROM pg_stat_activity');
	my ($postmaster) = split /\n/, slurp_file($node->data_dir . '/postmaster.pid');

	push @processes, [ $postmaster, 'postmaster' ];
	$node->kill9;
	kill 'KILL',
	  map { $_->[0] } grep { $_->[1] eq 'client backend' } @processes
	  if $sessions_too;

	my $left = sub { grep { is_alive($_) } map { $_->[0] } @processes };
	my $gone = sub { !$left->() };

	kill 'KILL', $left->() if $sessions_too && !wait_until($gone, 20);
	return 1 if wait_until($gone);
	diag `ps ax -o pid,ppid,stat,wchan:24,args`;
	kill 'KILL', $left->();
	return;
}

# Check that there are no duplicate ids, that the ids of each session are in
# order and have the right time, and that indexes are sound.  With a folder,
# also check that no id is in its files twice, or both in a file and in the
# table.
sub check_item
{
	my ($node, $what, $folder) = @_;
	my $distinct = join ', ', map { "count(DISTINCT $_)" } @columns;
	my $lags = join ', ', map { "lag($_) OVER w AS l_$_" } @columns;
	my $disorder = join ' OR ', map { "$_ <= l_$_" } @columns;
	my $answer = $node->safe_psql('postgres', qq{
		SET enable_indexscan = off; SET enable_indexonlyscan = off;
		SET enable_bitmapscan = off; SET max_parallel_workers_per_gather = 0;
		SELECT array_agg(DISTINCT d) = ARRAY[max(n)]
		FROM (SELECT count(*) AS n, ARRAY[$distinct] AS ds FROM item) AS c,
			unnest(ds) AS d;
		SELECT count(*) FROM (SELECT *, $lags FROM item
			WINDOW w AS (PARTITION BY session ORDER BY n)) AS o WHERE $disorder;
		SELECT count(*) FROM item WHERE fluid_made <> nanoflake_made
			AND abs(extract(epoch FROM fluid_made - nanoflake_made)) > 3600;
		SELECT count(*) FROM verify_heapam('item');
		SELECT count(bt_index_check(c.oid, true)::text) > 5 FROM pg_index AS i
		JOIN pg_class AS c ON c.oid = i.indexrelid
		JOIN pg_am AS a ON a.oid = c.relam
		WHERE i.indrelid = 'item'::regclass AND a.amname = 'btree'});

	is($answer, "t\n0\n0\n0\nt", "$what: no duplicate ids, sessions in order, indexes sound");
	is(duplicates_in_log($node), 0, "$what: no duplicate key errors");
	return unless defined $folder;

	my $dump = "$folder/item.ids";

	$node->safe_psql('postgres', qq{
		COPY (SELECT unnest(ARRAY[fluid, nanoflake, ulidflake]) FROM item)
		TO '$dump'});
	is(repeated_in_files($folder), '', "$what: no id that was returned is repeated");
	unlink $dump;
}

1;
