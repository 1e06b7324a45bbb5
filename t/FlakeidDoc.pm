# Runs the SQL of a page as printed.  Every block of a page must be run, in the
# order of the page.

package FlakeidDoc;

use FlakeidTest;
use Exporter qw(import);

our @EXPORT = qw(read_page new_database run_block block block_again all_blocks_run
  $server $database $heading sql holds refused recipe);

my $page;

# Where the recipes of a test run, and the heading that they are under
our ($server, $database, $heading);

sub sql { return $server->safe_psql($database, shift); }

# Check the result of a recipe: this SQL condition must be true.
sub holds
{
	my ($condition, $what) = @_;
	is(sql("SELECT $condition"), 't', "... $what");
	return;
}

sub refused
{
	my ($statement, $pattern, $what) = @_;
	my $err;

	isnt($server->psql($database, $statement, stderr => \$err), 0, "... $what");
	like($err, $pattern, '... with the expected error');
	return;
}

# Run the next block under the heading.
sub recipe { return run_block($server, $database, $heading, @_); }

# Read the headings in order, and the SQL blocks under each, except headings
# that match the pattern.
sub read_page
{
	my ($name, $left_out) = @_;
	my $text = slurp_file("$src/doc/$name");
	my $heading = '';

	$page = { name => $name, headings => [], blocks => {}, run => {} };
	while ($text =~ /^## ([^\n]*)|^```sql\n(.*?)^```$/msg)
	{
		if (defined $1)
		{
			$heading = $1;
			next;
		}
		next if $left_out && $heading =~ $left_out;
		push @{ $page->{headings} }, $heading
		  unless $page->{blocks}{$heading};
		push @{ $page->{blocks}{$heading} }, $2;
	}
	return;
}

# Create a database, and run initial SQL in it.
sub new_database
{
	my ($node, $name, $sql) = @_;

	$node->safe_psql('postgres', "CREATE DATABASE $name");
	$node->safe_psql($name, $sql);
	return;
}

# Run the next block under a heading, and return its output.  "options" are
# those of psql.  "before" is run first; "edit" changes the block.  With "fails",
# it must fail with this error.  With "retry", repeat the block up to
# this many times if it ends in a lock timeout.  With "pasted", psql goes on after
# errors, also in a transaction, as it can do in an interactive session.
sub run_block
{
	my ($node, $database, $heading, %options) = @_;
	my $number = $page->{run}{$heading}++;
	my $block = $page->{blocks}{$heading}[$number];
	my $what = "$page->{name}, $heading, block " . ($number + 1);
	my ($out, $err) = ('', '');

	die "$what is not there" unless defined $block;
	$block = $options{before} . $block if $options{before};
	$block = "\\set ON_ERROR_ROLLBACK on\n$block" if $options{pasted};
	$block = $options{edit}->($block) if $options{edit};

	my $status;
	my $tries = $options{retry} // 1;

	do
	{
		($out, $err) = ('', '');
		$status = $node->psql($database, $block,
			stdout => \$out, stderr => \$err, on_error_stop => !$options{pasted});
	} while (--$tries > 0
		&& $err =~ /canceling statement due to lock timeout/);

	if ($options{fails})
	{
		isnt($status, 0, "$what fails") unless $options{pasted};
		like($err, $options{fails}, '... with the expected error');
		return $err;
	}
	is($status, 0, $what) or diag($err);
	${ $options{stderr} } = $err if $options{stderr};
	return $out;
}

# The text of the block with this number under a heading
sub block
{
	my ($heading, $number) = @_;
	return $page->{blocks}{$heading}[$number];
}

# Go to the block with this number under a heading, or, without a number, back
# to the block that was run last.
sub block_again
{
	my ($heading, $number) = @_;
	$page->{run}{$heading} = $number // $page->{run}{$heading} - 1;
	return;
}

# Check that every block of the page was run.
sub all_blocks_run
{
	my @left = grep {
		@{ $page->{blocks}{$_} } != ($page->{run}{$_} // 0)
	} @{ $page->{headings} };

	is(join(', ', @left), '', "every SQL block of $page->{name} is run");
	return;
}

1;
