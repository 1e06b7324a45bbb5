# Shared by the tests of the horizons: a log of all ids in a table, checks that
# new ids are later than all ids in it, horizons as stored, and crashes.

package FlakeidHorizon;

use strict;
use warnings;

use Exporter qw(import);
use FlakeidTest;
use PostgreSQL::Test::RecursiveCopy;
use PostgreSQL::Test::Utils;
use Test::More;

our @EXPORT = qw(
  log_ids add_ids newest_ids continues_after horizon_of horizon_row
  crash start_again copy_data put_back flushed_only
);

# Create the table "ids" with all ids, and functions that add n new ones:
# add(n) of the formats that continue while the clock is behind, and
# add_nanoflakes(n).
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
		$$;
		CREATE FUNCTION add_nanoflakes(n integer) RETURNS void
		LANGUAGE sql AS $$
		INSERT INTO ids
		SELECT 'nanoflake', nanoflake_generate() FROM generate_series(1, n)
		$$});
	return;
}

sub add_ids
{
	my ($node, $number, $database) = @_;

	$node->safe_psql($database // 'postgres', "SELECT add($number)");
	return;
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
sub horizon_of
{
	return (split /\|/, horizon_row(@_))[0];
}

# Stop a server as a crash does: without a checkpoint.
sub crash
{
	my ($node) = @_;

	$node->stop('immediate');
	return;
}

# Start a server with its clock this many seconds ahead.
sub start_again
{
	my ($node, $seconds) = @_;

	set_clock($node, $seconds // 0);
	start_with_clock($node);
	return;
}

# Copy the data folder.
sub copy_data
{
	my ($node, $name) = @_;
	my $copy = $node->basedir . "/$name";

	system('cp', '-a', $node->data_dir, $copy) == 0 or die 'cp failed';
	unlink "$copy/postmaster.pid";
	return $copy;
}

# Use a copy of the data folder, which stays, instead of the server's own.
sub put_back
{
	my ($node, $copy) = @_;

	system('rm', '-rf', $node->data_dir) == 0 or die 'rm failed';
	system('cp', '-a', $copy, $node->data_dir) == 0 or die 'cp failed';
	return;
}

# Lose power: the data files are as copied at the last checkpoint, and the WAL
# ends at this position.
sub flushed_only
{
	my ($node, $copy, $lsn, $segment_size) = @_;
	my $data = $node->data_dir;
	my ($high, $low) = map { hex } split m{/}, $lsn;
	my $end = ($high << 32) + $low;

	system("rm -rf '$data.lost' && mv '$data' '$data.lost' && cp -a '$copy' '$data' && "
		  . "rm -rf '$data/pg_wal' && mv '$data.lost/pg_wal' '$data/pg_wal' && rm -rf '$data.lost'") == 0
	  or die 'the copy failed';
	foreach my $path (glob "$data/pg_wal/????????????????????????")
	{
		my ($log, $segment) = map { hex } $path =~ /(.{8})(.{8})$/;
		my $start = ($log << 32) + $segment * $segment_size;
		my $keep = $end - $start;

		next if $keep >= $segment_size;
		$keep = 0 if $keep < 0;
		truncate $path, $keep or die "$path: $!";
		truncate $path, $segment_size or die "$path: $!";
	}
	return;
}

1;
