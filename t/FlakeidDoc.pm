# The SQL of a page of documentation, run as it stands there: every block of it
# has to be run, in its order.

package FlakeidDoc;

use strict;
use warnings;

use Exporter qw(import);
use FlakeidTest;
use PostgreSQL::Test::Utils;
use Test::More;

our @EXPORT = qw(read_page new_database run_block block_again
  all_blocks_run);

my $page;

# Headings as they come, and the blocks of SQL under each, those of headings
# that match the pattern left out
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

# A database of its own for what follows, with SQL to begin with
sub new_database
{
	my ($node, $name, $sql) = @_;

	$node->safe_psql('postgres', "CREATE DATABASE $name");
	$node->safe_psql($name, $sql);
	return;
}

# Run the next block under a heading, and return what it answers; options as of
# psql.  With "fails" nothing more is expected than that it does, with this.  With
# "retry" it is run again as long as it ends in a lock timeout, up to so many times.
sub run_block
{
	my ($node, $database, $heading, %options) = @_;
	my $number = $page->{run}{$heading}++;
	my $block = $page->{blocks}{$heading}[$number];
	my $what = "$page->{name}, $heading, block " . ($number + 1);
	my ($out, $err) = ('', '');

	die "$what is not there" unless defined $block;
	$block = $options{before} . $block if $options{before};

	my $status;
	my $tries = $options{retry} // 1;

	do
	{
		($out, $err) = ('', '');
		$status = $node->psql($database, $block,
			stdout => \$out, stderr => \$err, on_error_stop => 1);
	} while ($status != 0 && --$tries > 0
		&& $err =~ /canceling statement due to lock timeout/);

	if ($options{fails})
	{
		isnt($status, 0, "$what fails");
		like($err, $options{fails}, '... and says why');
		return $err;
	}
	is($status, 0, $what) or diag($err);
	${ $options{stderr} } = $err if $options{stderr};
	return $out;
}

# The block after so many of a heading is the next one; without a number, the one
# that was run last.
sub block_again
{
	my ($heading, $number) = @_;

	$page->{run}{$heading} = $number // $page->{run}{$heading} - 1;
	return;
}

# No block of the page was left out.
sub all_blocks_run
{
	my @left = grep {
		@{ $page->{blocks}{$_} } != ($page->{run}{$_} // 0)
	} @{ $page->{headings} };

	is(join(', ', @left), '', "every block of SQL in $page->{name} was run");
	return;
}

1;
