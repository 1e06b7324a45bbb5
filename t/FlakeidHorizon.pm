# Shared by the tests of the horizons: a log of all ids in a table, checks that
# new ids are later than all ids in it, horizons as stored, and crashes.

package FlakeidHorizon;

use FlakeidTest;
use Exporter qw(import);

our @EXPORT = qw(
  log_ids add_ids newest_ids continues_after horizon_ms horizon_row
  crash start_again put_back
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
sub horizon_ms
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

# Use a copy of the data folder, which stays, instead of the server's own.
sub put_back
{
	my ($node, $copy) = @_;

	system('rm', '-rf', $node->data_dir) == 0 or die 'rm failed';
	system('cp', '-a', $copy, $node->data_dir) == 0 or die 'cp failed';
	return;
}

1;
