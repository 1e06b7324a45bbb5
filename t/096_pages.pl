# The SQL of README.md, doc/privacy.md, doc/ranges.md and doc/hosting.md, as it
# stands there.

use strict;
use warnings;

use FlakeidTest;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = new_node('pages');

# A page's blocks of SQL
sub blocks
{
	my ($page) = @_;

	return slurp_file("$ENV{FLAKEID_SRC}/$page") =~ /^```sql\n(.*?)^```$/msg;
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

my @readme = blocks('README.md');
is(scalar(@readme), 2, 'README.md has two blocks of SQL');
like(runs('readme', @readme), qr/^\d+\|(?:ƒ|f)\w+$/m, 'an id and its base 58');
is($node->safe_psql('readme', 'SELECT note FROM orders'), 'first',
	'the row is there');

like(runs('ranges', 'CREATE EXTENSION flakeid;', blocks('doc/ranges.md')),
	qr/Index Cond: \(\(id >= '[-0-9a-f]+'::uuid\) AND \(id < '[-0-9a-f]+'::uuid\)\)$/m,
	'a range is two comparisons with constants');

like(runs('privacy', 'CREATE EXTENSION flakeid;', blocks('doc/privacy.md'),
		q{INSERT INTO accounts DEFAULT VALUES
		RETURNING uuid_get_version(public_id)}),
	qr/^4$/m, 'what is shown is random');

# The function of its own, with the extension in another schema to read it.
my ($extension, $function) = blocks('doc/hosting.md');
is($extension, "CREATE EXTENSION flakeid;\n", 'how to make the extension');
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
