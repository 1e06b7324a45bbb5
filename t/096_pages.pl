# The SQL of README.md, doc/privacy.md, doc/ranges.md and doc/hosting.md, as it
# stands there.

use strict;
use warnings;

use FlakeidTest;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = new_node('pages', '',
	init => { extra => [ '--encoding=UTF8', '--locale=C' ] });

# A page's blocks of SQL
sub blocks
{
	my ($page) = @_;

	return slurp_file("$src/$page") =~ /^```sql\n(.*?)^```$/msg;
}

# Run in a database of its own; what it printed
sub runs
{
	my ($database, @sql) = @_;

	$node->safe_psql('postgres', "CREATE DATABASE $database");
	my ($status, $out, $err) =
	  $node->psql($database, join("\n", @sql), on_error_stop => 1);
	is($err, '', "$database: it runs");
	return $out;
}

# -------------------------------------------------------------- README.md

my $readme = slurp_file("$src/README.md");
my @readme = blocks('README.md');

is(scalar(@readme), 2, 'README.md has two blocks of SQL');
$node->safe_psql('postgres', 'CREATE DATABASE readme');

# Each statement alone, as a reader enters it.  Each one but DDL returns rows, none
# of which is empty.
my $shown = 0;

foreach my $statement (map { /(?:[^;']|'[^']*')+;/g } @readme)
{
	my ($status, $out, $err) = $node->psql('readme', $statement);
	my ($what) = $statement =~ /\A\s*(?:--.*\n)?\s*(.*)/;

	is("$status $err", '0 ', $what);
	next if $statement =~ /\A\s*(?:--.*\n)?\s*CREATE/;
	$shown++;
	ok($out =~ /[^|\s]/ && $out !~ /^(.*\|)?(\|.*)?$/m, '... shows something')
	  or diag($out);
}
is($shown, 6, 'six statements show something');
is($node->safe_psql('readme', 'SELECT count(*) FROM orders, events'), 6,
	'the rows are there');

# The id in the comment is one of FLUID's, in both forms.
my ($id, $f58) = $readme[1] =~ /-- (\d+), (\S+)/;

# In an encoding without "ƒ" it begins with "f".
is( $node->safe_psql('readme', "SELECT fluid_to_f58($id, true),
		fluid_to_timestamptz($id) > '2026-01-01'"),
	($f58 =~ s/^\xc6\x92/f/r) . '|t', 'the example id and its base 58');

# The last day of each format in the table is the last that has ids.
my ($table) = $readme =~ /^(\| \| bytes .*?)\n\n/ms;
my $column = 0;
my $days = 0;

foreach my $line (split /\n/, $table)
{
	my @cells = split / \| /, $line;

	if ($line =~ /^\| \| bytes/)
	{
		($column) = grep { $cells[$_] eq 'last day' } 0 .. $#cells;
		next;
	}
	next
	  unless $cells[0] =~ /(uuid|fluid|nanoflake|ulidflake|scru160)_generate(_v[67])?\(\)/;

	my $bound = "$1" . ($2 // '') . '_min';
	my $err;

	$days++;
	is( $node->psql('readme',
			"SELECT $bound('$cells[$column] 00:00:00Z')"),
		0, "$bound: $cells[$column] has ids");
	isnt($node->psql('readme',
			"SELECT $bound('$cells[$column] 00:00:00Z'::timestamptz + interval '1 day')",
			stderr => \$err),
		0, '... and the day after has none');
	like($err, qr/timestamp/, '... says the error');
}
is($days, 6, 'last days of six formats');

# ----------------------------------------------------------------- privacy.md

like(runs('ranges', 'CREATE EXTENSION flakeid;', blocks('doc/ranges.md')),
	qr/Index Cond: \(\(id >= '[-0-9a-f]+'::uuid\) AND \(id < '[-0-9a-f]+'::uuid\)\)$/m,
	'a range is two comparisons with constants');

like(runs('privacy', 'CREATE EXTENSION flakeid;', blocks('doc/privacy.md'),
		q{INSERT INTO accounts DEFAULT VALUES
		RETURNING uuid_get_version(public_id)}),
	qr/^4$/m, 'what is shown is random');

# ----------------------------------------------------------------- hosting.md

my ($extension, $alarm) = blocks('doc/hosting.md');
is($extension, "CREATE EXTENSION flakeid;\n", 'how to make the extension');
is(runs('alarm', $extension, $alarm), '', 'nothing is worth an alarm');

done_testing();
