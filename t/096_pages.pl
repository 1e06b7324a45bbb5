# Runs the SQL of README.md, doc/privacy.md, doc/ranges.md and doc/hosting.md
# as printed.

use strict;
use warnings;

use FlakeidTest;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = new_node('pages', '',
	init => { extra => [ '--encoding=UTF8', '--locale=C' ] });

# SQL blocks of a page
sub blocks
{
	my ($page) = @_;

	return slurp_file("$src/$page") =~ /^```sql\n(.*?)^```$/msg;
}

# Run statements in a new database, and return the output.
sub runs
{
	my ($database, @sql) = @_;

	$node->safe_psql('postgres', "CREATE DATABASE $database");
	my ($status, $out, $err) =
	  $node->psql($database, join("\n", @sql), on_error_stop => 1);
	is($err, '', "$database: the statements run");
	return $out;
}

# -------------------------------------------------------------- README.md

my $readme = slurp_file("$src/README.md");
my @readme = blocks('README.md');

is(scalar(@readme), 2, 'README.md has two blocks of SQL');
$node->safe_psql('postgres', 'CREATE DATABASE readme');

# Each statement alone, as a reader enters it.  Each one except DDL returns
# rows, without an empty one.
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
is($shown, 6, 'six statements return rows');
is($node->safe_psql('readme', 'SELECT count(*) FROM orders, events'), 6,
	'the rows are inserted');

# The id in the comment is a FLUID, in both forms.
my ($id, $f58) = $readme[1] =~ /-- (\d+), (\S+)/;

# In an encoding without "ƒ" the prefix is "f".
is( $node->safe_psql('readme', "SELECT fluid_to_f58($id, true),
		fluid_to_timestamptz($id) > '2026-01-01'"),
	($f58 =~ s/^\xc6\x92/f/r) . '|t', 'the example id matches its base 58');

# The last day of each format in the table is the last one that has ids.
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
		0, '... and the next day has none');
	like($err, qr/timestamp/, '... with the expected error');
}
is($days, 6, 'last days of six formats');

# ----------------------------------------------------------------- privacy.md

like(runs('ranges', 'CREATE EXTENSION flakeid;', blocks('doc/ranges.md')),
	qr/Index Cond: \(\(id >= '[-0-9a-f]+'::uuid\) AND \(id < '[-0-9a-f]+'::uuid\)\)$/m,
	'a range is two comparisons with constants');

like(runs('privacy', 'CREATE EXTENSION flakeid;', blocks('doc/privacy.md'),
		q{INSERT INTO accounts DEFAULT VALUES
		RETURNING uuid_get_version(public_id)}),
	qr/^4$/m, 'the shown part is random');

# ----------------------------------------------------------------- hosting.md

# The page's own function; the extension, in another schema, reads its ids.
my ($extension, $function) = blocks('doc/hosting.md');
is($extension, "CREATE EXTENSION flakeid;\n", 'CREATE EXTENSION as documented');
is( runs('hosting', 'CREATE SCHEMA ids; CREATE EXTENSION flakeid SCHEMA ids;',
		$function,
		q{SELECT bool_and(ids.uuid_get_version(id) = 7),
		bool_and(ids.uuid_get_variant(id) = 'rfc9562'),
		bool_and(ids.uuid_v7_between(id, now() - interval '1 s',
			clock_timestamp() + interval '1 s')), count(DISTINCT id)
		FROM (SELECT public.uuid_generate_v7() AS id
			FROM generate_series(1, 1000)) AS made}),
	't|t|t|1000', 'UUIDv7 in plain SQL');

done_testing();
